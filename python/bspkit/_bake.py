# SPDX-License-Identifier: MIT
"""Portals, visibility, light and cubemaps, made again out of a compiled map."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core as core
from . import _generated as made
from ._core import ffi, lib
from ._generated import PortalsMembers, RelightMembers, VisMembers

if TYPE_CHECKING:
    from ._entities import Entities
    from ._files import File
    from ._maps import Map
    from ._textures import Search, Textures

Report = Callable[[str, int, int], object]


class _Call:
    """A long call: its error, what must live as long, and what the caller chose of its options. Python looks for
    signals at each report, so that Ctrl-C ends it too."""

    def __init__(self, map_: Map, choices: dict[str, Any]) -> None:
        self.keep: list[Any] = []
        self.error = core.new_error()
        self.choices: dict[str, Any] = {"budget": map_.budget, **choices}

    def options(self, kind: str, **members: Any) -> Any:
        progress: Report = self.choices.pop("progress", None) or (lambda stage, done, total: None)
        return core.options(kind, self.keep, **self.choices, **members, progress=core.Receiver(progress))

    def own(self, handle: Any, free: Any, *needs: Any) -> Any:
        """What the call made; raises what a report raised, or the error."""
        owned = core.own(handle, free, *needs, self.choices["budget"])
        for one in self.keep:
            if isinstance(one, core.Receiver):
                one.check(owned, self.error)
        return core.check(owned, self.error)


class Vis(VisMembers, core.Struct):
    """Which clusters may see which, as the portals between them tell."""

    def __init__(self, portals: Portals, choices: dict[str, Any]) -> None:
        call = _Call(portals.map, choices)
        handle = lib.bsp_vis_build(portals.handle, call.options("bsp_vis_options"), call.error)
        owned = call.own(handle, lib.bsp_vis_free, portals.handle)
        self._hold(owned, owned)
        self.portals = portals

    @classmethod
    def _of(cls, portals: Portals, matrix: ArrayLike) -> Vis:
        seen = np.array(matrix, np.bool_)
        count = portals.num_clusters
        if seen.shape != (count, count):
            raise ValueError(f"a matrix of {count} clusters is of ({count}, {count}), not {seen.shape}")
        np.fill_diagonal(seen, True)
        rows = np.packbits(seen, axis=1, bitorder="little")
        held = ffi.from_buffer("uint8_t[]", rows.tobytes())
        handle = ffi.new("bsp_vis *", {"num_clusters": count, "row_bytes": rows.shape[1], "rows": held,
                                       "pairs": int(seen.sum()), "base_pairs": int(seen.sum())})
        vis = cls.__new__(cls)
        vis._hold(handle, (handle, held))
        vis.portals = portals
        return vis

    def __repr__(self) -> str:
        return f"<bspkit.Vis: {self.pairs} pairs of {self.num_clusters} clusters>"

    @property
    def matrix(self) -> NDArray[np.bool_]:
        """Row n: what cluster n sees. The clusters are numbered as those of the portals."""
        count, width = self.num_clusters, self.row_bytes
        rows = np.frombuffer(ffi.buffer(self.handle.rows, count * width), np.uint8).reshape(count, width)
        return np.unpackbits(rows, axis=1, bitorder="little")[:, :count].astype(np.bool_)


class Portals(PortalsMembers, core.Struct):
    """The openings between the leaves of a map: polygons, and the leaves and clusters on either side."""

    map: Map

    def __init__(self, map_: Map, choices: dict[str, Any]) -> None:
        call = _Call(map_, choices)
        chosen = core.options("bsp_portals_options", call.keep, **call.choices)
        handle = lib.bsp_portals_build(map_.handle, chosen, call.error)
        owned = call.own(handle, lib.bsp_portals_free, map_.handle)
        self._hold(owned, owned)
        self.map = map_

    def __repr__(self) -> str:
        return f"<bspkit.Portals: {self.count} between {self.num_clusters} clusters>"

    def polygon(self, number: int) -> NDArray[np.float64]:
        """The corners of a portal: an array of n, 3."""
        portal = self.list[number]
        first = int(portal["first_point"])
        out: NDArray[np.float64] = self.points[first:first + int(portal["num_points"])]
        return out

    @core.documented("bsp_portals_write")
    def text(self, form: made.PortalsForm | None = None) -> str:
        """The text of a portal file (.prt, or .obj); None: the form that the compilers of the family read."""
        if form is None:
            form = made.PortalsForm(lib.bsp_portals_form_of(self.map.handle, self.handle))
        pieces: list[bytes] = []
        receiver, error = core.Receiver(lambda data: pieces.append(bytes(data))), core.new_error()
        receiver.check(lib.bsp_portals_write(self.handle, int(form), lib.bspkit_py_sink, receiver.handle, error), error)
        return b"".join(pieces).decode()

    @core.documented("bsp_vis_build")
    def visibility(self, **choices: Any) -> Vis:
        """Which clusters may see which. Keyword arguments are members of bsp_vis_options: base, distance (Map.far_plane
        has that of the map), budget, progress (as in Map.relight). It goes into the file as Edit.visibility; for
        several machines there is bspkit.distributed.vis."""
        return Vis(self, choices)

    def visibility_of(self, matrix: ArrayLike) -> Vis:
        """Visibility that the caller made: row n of a square matrix is what cluster n sees. Each cluster sees itself
        whatever the matrix says. Nothing checks that what is free to see is not hidden."""
        return Vis._of(self, matrix)


class Relight(RelightMembers, core.Struct):
    """Light of a map. `faces` has the size, number of directions and styles of the light of each face."""

    def __init__(self, map_: Map, lights: Entities | str | None, region: ArrayLike | None,
                 textures: Textures | None, choices: dict[str, Any]) -> None:
        call = _Call(map_, choices)
        texts = {name: core.text_of(call.choices.pop(name) or "", call.keep) for name in ("texlights", "surfaces")}
        textures = map_.textures() if textures is None else textures
        if not textures.are_of(map_):
            raise ValueError("the textures are those of another map")
        pages = _pages_of(map_, textures)
        chosen = call.options("bsp_relight_options", textures=textures.handle, external=pages, **texts)
        if isinstance(lights, str):
            parsed = lib.bsp_entities_parse(core.text_of(lights, call.keep), ffi.NULL, ffi.NULL, call.error)
            lights_handle = core.own(core.check(parsed, call.error), lib.bsp_entities_free)
        else:
            lights_handle = None if lights is None else lights.handle
        if lights_handle is not None:
            chosen.lights = lights_handle
        if region is not None:
            box = np.array(region, np.float32, order="C")
            if box.shape != (2, 3):
                raise ValueError(f"a region is two corners, an array of (2, 3), not {box.shape}")
            box.sort(axis=0)
            chosen.region = ffi.cast("float(*)[3]", ffi.from_buffer(box))
        handle = lib.bsp_relight_build(map_.handle, map_.file_handle, chosen, call.error)
        owned = call.own(handle, lib.bsp_relight_free, map_.handle, textures.handle, pages)
        self._hold(owned, owned)
        self.map = map_

    def __repr__(self) -> str:
        return f"<bspkit.Relight: {self.num_luxels} luxels of {self.num_lamps} lamps, {self.compiler.name.lower()}>"

    @property
    def prop_files(self) -> dict[str, bytes]:
        """Source: the light of the vertices of static props whose models were found, sp_N.vhv or sp_hdr_N.vhv.
        Edit.light puts them into the map."""
        return _files_of(self.handle.prop_files, self.handle.num_prop_files)

    @property
    def page_files(self) -> dict[str, bytes]:
        """Quake 3: the pages of a map that has them in files beside it, as TGA. They are found in the folders of the
        search path: relight(textures=map.textures([folder of the pages]))."""
        return _files_of(self.handle.page_files, self.handle.num_page_files)

    def light_file(self) -> bytes:
        """Quake: the same luxels in colour, a .lit; else empty."""
        error = core.new_error()
        handle = lib.bsp_relight_lumps(self.handle, self.map.handle, self.map.file_handle, ffi.NULL, error)
        owned = core.own(core.check(handle, error), lib.bsp_relight_changes_free)
        return bytes(ffi.buffer(owned.light_file.data, owned.light_file.size)) if owned.light_file.size else b""

    def luxels(self, face: int) -> NDArray[np.float32] | None:
        """The light of a face: an array of styles, directions (4 where a normal map is lit, flat first), height, width
        and RGB. Quake, GoldSrc, Quake 2 and Quake 3: 0 to 255; Source: linear, 1 is full. None: it has none."""
        of = self.handle.faces[range(self.handle.num_faces)[face]]
        if of.luxels == ffi.NULL:
            return None
        shape = (of.num_styles, of.directions, of.height, of.width, 3)
        count = int(np.prod(shape))
        if count == 0:
            return np.zeros(shape, np.float32)
        out: NDArray[np.float32] = np.frombuffer(ffi.buffer(of.luxels, 4 * count), np.float32).reshape(shape).copy()
        return out

    @core.documented("bsp_relight_compare")
    def compare(self) -> tuple[NDArray[np.uint64], float, float]:
        """How the light differs from that of the map: how many luxels by 0, 1 ... 255 of 255, and the means of the
        map's light and of this."""
        out = ffi.new("bsp_relight_difference *")
        lib.bsp_relight_compare(self.handle, out)
        steps: NDArray[np.uint64] = np.array(list(out.steps), np.uint64)
        return steps, float(out.stored_mean), float(out.mean)


def _files_of(files: Any, count: int) -> dict[str, bytes]:
    """The names and bytes of an array of bsp_pak_change."""
    return {core.text(one.name): bytes(ffi.buffer(one.data.data, one.data.size))
            for one in (files[number] for number in range(count))}


def _pages_of(map_: Map, textures: Textures) -> Any:
    """The pages of light that a map of Quake 3 has in files of the search path of its textures."""
    keep: list[Any] = []
    error = core.new_error()
    name = "" if map_.path is None else pathlib.Path(os.fsdecode(map_.path)).stem
    handle = lib.bsp_external_light_load(textures.handle, core.text_of(name, keep), error)
    return core.own(core.check(handle, error), lib.bsp_external_light_free, textures.handle)


def cubemap_files(map_: Map, search: Search, choices: dict[str, Any]) -> dict[str, bytes]:
    """The files of a map's cubemaps."""
    call = _Call(map_, choices)
    chosen = call.options("bsp_cubemaps_options", search=search.handle)
    owned = call.own(lib.bsp_cubemaps_build(map_.file_handle, map_.handle, chosen, call.error), lib.bsp_cubemaps_free,
                     map_.handle)
    return _files_of(owned.files, owned.num_files)


# --- questions ------------------------------------------------------------------------------------

class Leak(NamedTuple):
    """A way from an entity to the outside of a map that is not sealed."""

    entity: int
    """The number of the entity at which it begins."""
    points: NDArray[np.float64]
    """An array of n, 3, in units: what editors load as a .pts or .lin file."""


def leak_of(map_: Map) -> Leak | None:
    """The leak of a map, or None."""
    error = core.new_error()
    found = core.own(core.check(lib.bsp_leak_find(map_.handle, ffi.NULL, error), error), lib.bsp_leak_free, map_.handle)
    if not found.found:
        return None
    return Leak(int(found.entity), core.view(found.points, found.num_points, found))


class Stale(NamedTuple):
    """What is known of a part of the baked data: "lights", "lightmaps", "visibility" or "cubemaps"; of two maps also
    "light grid", "ambient light" or "tree"."""

    part: str
    state: made.StaleState
    entity: int | None
    """The number of the entity that it is about."""
    text: str
    """The reason."""


def stale_of(file: File, old: File | None) -> list[Stale]:
    """What is baked into a file, part by part; with `old` what stayed while what it is made of changed first."""
    found: list[Stale] = []

    def take(one: Any) -> None:
        found.append(Stale(core.string(one.part), made.StaleState(one.state),
                           None if one.entity == core.NONE else int(one.entity), core.string(one.text)))

    receiver, error = core.Receiver(take), core.new_error()
    before = ffi.NULL if old is None else old.handle
    receiver.check(lib.bsp_stale_find(file.handle, file.map.handle, before, lib.bspkit_py_stale, receiver.handle,
                                      ffi.NULL, error), error)
    return found
