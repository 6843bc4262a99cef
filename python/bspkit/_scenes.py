# SPDX-License-Identifier: MIT
"""What stands in a map when it begins, and what is solid."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core as core
from . import _generated as made
from ._core import Path, ffi, lib
from ._generated import PhysicsMembers, SceneMembers
from ._meshes import Lightmap, Mesh
from ._models import ModelInfo, ModelMesh
from ._textures import Search, Texture, Textures

if TYPE_CHECKING:
    from ._maps import Map

_RUN = 1 << 18  # traces of one call
_INPUT = core.dtype_of(ffi.typeof("bsp_trace_input"))
_RESULT = core.dtype_of(ffi.typeof("bsp_solids_result"))
_LINE = core.dtype_of(ffi.typeof("bsp_sight_line"))


# --- scenes ---------------------------------------------------------------------------------------

class SceneModel:
    """A model in one pose and skin, which any number of props show."""

    def __init__(self, of: Any, owner: Any) -> None:
        self.name = core.text(of.name)
        """Its name in the search path."""
        self.info = ModelInfo(of.info, owner)
        self.mesh = ModelMesh(of.mesh, owner)
        self.materials: NDArray[np.uint32] = core.view(of.materials, of.mesh.num_groups, owner)
        """For each group of the mesh: number in the materials of the scene, or NONE."""


def _state(time: float, open_: bool, styles: Mapping[int, float], keys: Mapping[tuple[int, str], str],
           keep: list[Any]) -> Any:
    """The moment that a scene shows."""
    style_rows = ffi.new("bsp_scene_style[]", [{"style": style, "value": value} for style, value in styles.items()])
    key_rows = ffi.new("bsp_scene_key[]", len(keys))
    for row, ((entity, key), value) in zip(key_rows, keys.items()):
        name = ffi.new("char[]", core.encoded(key))
        row.entity, row.key, row.value = entity, name, core.text_of(value, keep)
        keep.append(name)
    keep += [style_rows, key_rows]
    return core.options("bsp_scene_state", keep, time=time, open=open_, styles=style_rows, num_styles=len(styles),
                        keys=key_rows, num_keys=len(keys))


def _definitions(paths: Sequence[Path], search: Search, keep: list[Any]) -> Any:
    if not paths:
        return None
    error = core.new_error()
    handle = core.own(core.check(lib.bsp_definitions_new(ffi.NULL, error), error), lib.bsp_definitions_free)
    for path in paths:
        text = core.text_of(pathlib.Path(os.fsdecode(path)).read_bytes(), keep)
        core.check(lib.bsp_definitions_add(handle, text, core.path_bytes(path), search.handle, error), error)
    keep.append(handle)
    return handle


class Scene(SceneMembers, core.Struct):
    """What stands in a map at a moment. Its arrays are views of the library's memory; numbers of materials,
    models, props and entities are indices of the arrays of that name, here or in the map."""

    def __init__(self, map_: Map, search: Search, *, time: float = 0, open: bool = False,
                 styles: Mapping[int, float] | None = None, keys: Mapping[tuple[int, str], str] | None = None,
                 fgd: Sequence[Path] = (), pictures: bool = False, **choices: Any) -> None:
        keep: list[Any] = []
        self.textures: dict[int, Texture] = {}
        """With `pictures`: the picture of each material that is used."""
        self.second_textures: dict[int, Texture] = {}
        """With `pictures`: what displacements mix in."""
        found = Textures(map_, search)

        def take(material: int, texture: Any, second: Any) -> None:
            self.textures[material] = Texture(texture)
            if second.image.pixels != ffi.NULL:
                self.second_textures[material] = Texture(second)

        taker = core.Receiver(take)
        chosen = core.options(
            "bsp_scene_options", keep, file=map_.file_handle, textures=found.handle,
            state=_state(time, open, styles or {}, keys or {}, keep), definitions=_definitions(fgd, search, keep),
            pictures=lib.bspkit_py_pictures if pictures else None, user=taker.handle, **{"props": True, **choices})
        error = core.new_error()
        handle = taker.check(lib.bsp_scene_build(map_.handle, chosen, error), error)
        owned = core.own(handle, lib.bsp_scene_free, map_.handle, found.handle)
        self._hold(owned, owned)
        self._map = map_

    @cached_property
    def mesh(self) -> Mesh | None:
        """The triangles of all brush models, each where the file has it; None in a scene of props alone."""
        return None if self.handle.mesh == ffi.NULL else Mesh.of(self.handle.mesh, self.handle)

    @cached_property
    def lightmap(self) -> Lightmap | None:
        """The light on it; None in a scene without light."""
        return None if self.handle.lightmap == ffi.NULL else Lightmap.of(self.handle.lightmap, self.handle)

    @cached_property
    def models(self) -> list[SceneModel]:  # type: ignore[override]
        """The models that props show."""
        return [SceneModel(self.handle.models[number], self.handle) for number in range(self.handle.num_models)]

    @cached_property
    def transforms(self) -> NDArray[np.float64]:
        """For each of `instances` the matrix that takes its mesh into the world: n, 4, 4."""
        count = self.handle.num_instances
        out = np.zeros((count, 4, 4))
        points = ffi.new("float[4][3]")
        for number in range(count):
            for corner in range(4):
                points[corner] = [float(corner == axis + 1) for axis in range(3)]
                lib.bsp_placement_point(ffi.addressof(self.handle.instances[number], "place"), points[corner],
                                        points[corner])
            at = np.array([list(point) for point in points])
            out[number, :3, :3] = (at[1:] - at[0]).T
            out[number, :3, 3] = at[0]
        out[:, 3, 3] = 1
        return out

    @cached_property
    def prop_transforms(self) -> NDArray[np.float64]:
        """For each of `props` the matrix that takes its model into the world: n, 4, 4."""
        out = np.zeros((self.handle.num_props, 4, 4))
        out[:, :3] = self.props["place"]
        out[:, 3, 3] = 1
        return out

    @core.documented("bsp_scene_prop_light")
    def prop_light(self, prop: int, normals: ArrayLike) -> NDArray[np.float32]:
        """The light on a prop where its surface looks along each normal: factors, as displayed."""
        rows = core.vectors(normals)
        out = np.empty_like(rows)
        of = ffi.addressof(self.handle.props[range(self.handle.num_props)[prop]])
        for row, result in zip(rows, out):
            lib.bsp_scene_prop_light(self.handle, of, ffi.from_buffer("float[]", row),
                                     ffi.from_buffer("float[]", result))
        return out

    @core.documented("bsp_solids_new")
    def solids(self) -> Solids:
        """Makes its solid props ready for traces, together with the world."""
        return Solids(self)

    @property
    def map(self) -> Map:
        """The map that it is of."""
        return self._map

    def __repr__(self) -> str:
        return f"<bspkit.Scene: {self.handle.num_instances} brush models, {self.handle.num_props} props>"


class Solids:
    """Traces and lines of sight in a world with its props."""

    def __init__(self, scene: Scene) -> None:
        error = core.new_error()
        index = scene.map._index
        handle = core.check(lib.bsp_solids_new(scene.handle, index, ffi.NULL, error), error)
        self.handle = core.own(handle, lib.bsp_solids_free, index)

    def __len__(self) -> int:
        return int(lib.bsp_solids_count(self.handle))

    @core.documented("bsp_solids_trace_batch")
    def trace(self, start: ArrayLike, end: ArrayLike, *, mins: ArrayLike = (0, 0, 0), maxs: ArrayLike = (0, 0, 0),
              mask: ArrayLike = 0, model: int | None = 0) -> NDArray[Any]:
        """As Map.trace, and meets solid props: a structured array of `trace`, `prop` and `hull`."""
        starts, ends = np.broadcast_arrays(core.vectors(start), core.vectors(end))
        count = len(starts)
        out = np.empty(count, _RESULT)
        inputs = np.zeros(min(count, _RUN), _INPUT)
        boxes = [np.broadcast_to(core.vectors(of), (count, 3)) for of in (mins, maxs)]
        masks = np.broadcast_to(np.asarray(mask, np.uint32), count)
        inputs["model"] = made.TRACE_ALL if model is None else model
        for first in range(0, count, _RUN):
            run = slice(first, min(first + _RUN, count))
            part = inputs[:run.stop - first]
            part["start"], part["end"], part["mask"] = starts[run], ends[run], masks[run]
            part["mins"], part["maxs"] = boxes[0][run], boxes[1][run]
            lib.bsp_solids_trace_batch(self.handle, ffi.from_buffer("bsp_trace_input[]", part),
                                       ffi.from_buffer("bsp_solids_result[]", out[run]), len(part))
        return out

    @core.documented("bsp_solids_sight_batch")
    def sight(self, start: ArrayLike, end: ArrayLike, *, mask: int = 0, model: int | None = 0) -> NDArray[np.bool_]:
        """Whether each start sees each end, past solid props too. `model` as in Map.trace."""
        starts = core.vectors(start)
        lines = np.empty(len(starts), _LINE)
        lines["from"], lines["to"] = starts, end
        out = np.empty(len(starts), np.bool_)
        lib.bsp_solids_sight_batch(self.handle, mask, made.TRACE_ALL if model is None else model,
                                   ffi.from_buffer("bsp_sight_line[]", lines), ffi.from_buffer("bool[]", out),
                                   len(starts))
        return out


class Physics(PhysicsMembers, core.Struct):
    """The physics shapes of a Source map: solids, their convex pieces, points and triangles as arrays."""

    def __init__(self, map_: Map) -> None:
        error = core.new_error()
        handle = lib.bsp_physics_build(map_.handle, map_.file_handle, ffi.NULL, error)
        owned = core.own(core.check(handle, error), lib.bsp_physics_free, map_.handle)
        self._hold(owned, owned)

    @property
    def surface_prop_names(self) -> list[str]:
        """The surface property of each solid; empty where it is not said."""
        return [core.text(self.handle.solids[number].surface_prop) for number in range(self.handle.num_solids)]
