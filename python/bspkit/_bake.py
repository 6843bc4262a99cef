# SPDX-License-Identifier: MIT
"""Portals, visibility, light and cubemaps, made again out of a compiled map."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core as core
from ._core import ffi, lib
from ._generated import PortalsMembers, RelightMembers, VisMembers

if TYPE_CHECKING:
    from ._entities import Entities
    from ._maps import Map
    from ._textures import Search, Textures


class Vis(VisMembers, core.Struct):
    """Which clusters may see which, as the portals between them tell."""

    def __init__(self, portals: Portals, choices: dict[str, Any]) -> None:
        keep: list[Any] = []
        error = core.new_error()
        handle = lib.bsp_vis_build(portals.handle, core.options("bsp_vis_options", keep, **choices), error)
        owned = core.own(core.check(handle, error), lib.bsp_vis_free, portals.handle)
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

    @property
    def matrix(self) -> NDArray[np.bool_]:
        """Row n: what cluster n sees. The clusters are numbered as those of the portals."""
        count, width = self.num_clusters, self.row_bytes
        rows = np.frombuffer(ffi.buffer(self.handle.rows, count * width), np.uint8).reshape(count, width)
        return np.unpackbits(rows, axis=1, bitorder="little")[:, :count].astype(np.bool_)


class Portals(PortalsMembers, core.Struct):
    """The openings between the leaves of a map: polygons, and the leaves and clusters on either side."""

    def __init__(self, map_: Map, choices: dict[str, Any]) -> None:
        keep: list[Any] = []
        error = core.new_error()
        handle = lib.bsp_portals_build(map_.handle, core.options("bsp_portals_options", keep, **choices), error)
        owned = core.own(core.check(handle, error), lib.bsp_portals_free, map_.handle)
        self._hold(owned, owned)
        self.map = map_

    def polygon(self, number: int) -> NDArray[np.float64]:
        """The corners of a portal: an array of n, 3."""
        portal = self.list[number]
        first = int(portal["first_point"])
        out: NDArray[np.float64] = self.points[first:first + int(portal["num_points"])]
        return out

    @core.documented("bsp_vis_build")
    def visibility(self, **choices: Any) -> Vis:
        """Which clusters may see which. Keyword arguments are members of bsp_vis_options: base, distance. It goes into
        the file as Edit.visibility; for several machines there is bspkit.distributed.vis."""
        return Vis(self, choices)

    def visibility_of(self, matrix: ArrayLike) -> Vis:
        """Visibility that the caller made: row n of a square matrix is what cluster n sees. Each cluster sees itself
        whatever the matrix says. Nothing checks that what is free to see is not hidden."""
        return Vis._of(self, matrix)


class Relight(RelightMembers, core.Struct):
    """Light of a map. `faces` has the size, number of directions and styles of the light of each face."""

    def __init__(self, map_: Map, lights: Entities | str | None, texlights: str | None, surfaces: str | None,
                 textures: Textures | None, choices: dict[str, Any]) -> None:
        keep: list[Any] = [textures]
        error = core.new_error()
        chosen = core.options("bsp_relight_options", keep, **choices)
        if textures is not None:
            chosen.textures = textures.handle
        if isinstance(lights, str):
            parsed = lib.bsp_entities_parse(core.text_of(lights, keep), ffi.NULL, ffi.NULL, error)
            keep.append(core.own(core.check(parsed, error), lib.bsp_entities_free))
            chosen.lights = keep[-1]
        elif lights is not None:
            keep.append(lights)
            chosen.lights = lights.handle
        if texlights is not None:
            chosen.texlights = core.text_of(texlights, keep)
        if surfaces is not None:
            chosen.surfaces = core.text_of(surfaces, keep)
        handle = lib.bsp_relight_build(map_.handle, map_.file_handle, chosen, error)
        owned = core.own(core.check(handle, error), lib.bsp_relight_free, map_.handle)
        self._hold(owned, owned)
        self.map = map_

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
        """How the light differs from that of the map: how many luxels by 0, 1 ... 255 of 255, and the means of the map's
        light and of this."""
        out = ffi.new("bsp_relight_difference *")
        lib.bsp_relight_compare(self.handle, out)
        steps: NDArray[np.uint64] = np.array(list(out.steps), np.uint64)
        return steps, float(out.stored_mean), float(out.mean)


def cubemap_files(map_: Map, search: Search, choices: dict[str, Any]) -> dict[str, bytes]:
    """The files of a map's cubemaps."""
    keep: list[Any] = []
    error = core.new_error()
    chosen = core.options("bsp_cubemaps_options", keep, search=search.handle, **choices)
    handle = core.check(lib.bsp_cubemaps_build(map_.file_handle, map_.handle, chosen, error), error)
    owned = core.own(handle, lib.bsp_cubemaps_free, map_.handle)
    files = [owned.files[number] for number in range(owned.num_files)]
    return {core.text(one.name): bytes(ffi.buffer(one.data.data, one.data.size)) for one in files}
