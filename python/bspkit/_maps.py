# SPDX-License-Identifier: MIT
"""The map: what a file means, the same for every family, and questions about its space."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core as core
from . import _generated as made
from ._bake import Leak, Portals, Relight, cubemap_files, leak_of
from ._core import Path, ffi, lib
from ._generated import MapArrays
from ._meshes import BrushMesh, Lightmap, Mesh
from ._pictures import Renderer, start_view
from ._products import Document, Export
from ._scenes import Physics, Scene
from ._textures import Search, Textures

if TYPE_CHECKING:
    from ._entities import Entities
    from ._files import File

_RUN = 1 << 17  # traces of one call, as many as the library sorts at once: their inputs take 8 MiB
_INPUT = core.dtype_of(ffi.typeof("bsp_trace_input"))
_RESULT = core.dtype_of(ffi.typeof("bsp_trace_result"))
_LINE = core.dtype_of(ffi.typeof("bsp_sight_line"))
_LIGHT = core.dtype_of(ffi.typeof("bsp_light"))


def _points(values: ArrayLike) -> tuple[NDArray[np.float32], Any]:
    points = core.vectors(values)
    return points, ffi.cast("float(*)[3]", ffi.from_buffer(points))


class Map(MapArrays):
    """A loaded map. Its arrays are views of the library's memory: read-only, without a copy. They are
    those of `bsp_map` in map.h, and so are the members of their elements."""

    handle: Any
    file_handle: Any
    path: Path | None
    budget: core.Budget | None
    branch: str

    def __init__(self, file: File) -> None:
        error = core.new_error()
        self.file_handle = file.handle
        self.path = file.path
        self.budget = file.budget
        self.branch = file.branch
        self.handle = core.own(core.check(lib.bsp_map_load(file.handle, ffi.NULL, error), error),
                               lib.bsp_map_free, file.handle)

    def _array(self, name: str) -> NDArray[Any]:
        return core.view(getattr(self.handle, name), getattr(self.handle, f"num_{name}"), self.handle)

    def _view(self, name: str) -> NDArray[np.uint8]:
        return core.bytes_view(getattr(self.handle, name), self.handle)

    def _texts(self, name: str) -> list[str]:
        return [core.text(item) for item in ffi.unpack(getattr(self.handle, name),
                                                       getattr(self.handle, f"num_{name}"))]

    @property
    def material_names(self) -> list[str]:
        """The name of each material."""
        return [core.text(one.name) for one in ffi.unpack(self.handle.materials, self.handle.num_materials)]

    # --- where things are ---

    @core.documented("bsp_query_leaf")
    def leaf(self, points: ArrayLike) -> NDArray[np.uint32]:
        """The leaf of the world that holds each point; NONE where there is none."""
        rows, pointer = _points(points)
        out = np.empty(len(rows), np.uint32)
        lib.bspkit_py_leaves(self.handle, pointer, len(rows), ffi.from_buffer("uint32_t[]", out))
        return out

    def cluster(self, points: ArrayLike) -> NDArray[np.int64]:
        """The cluster of visibility that holds each point; -1 in solid and outside."""
        leaves = self.leaf(points)
        found = np.full(len(leaves), -1, np.int64)
        inside = leaves < len(self.leaves)
        clusters = self.leaves["cluster"][leaves[inside]].astype(np.int64)
        found[inside] = np.where(clusters >= core.NONE, -1, clusters)
        return found

    @core.documented("bsp_query_contents")
    def contents(self, points: ArrayLike, model: int = 0) -> NDArray[np.int32]:
        """The contents at each point, with the numbers or bits of the family."""
        rows, pointer = _points(points)
        out = np.empty(len(rows), np.int32)
        lib.bspkit_py_contents(self.handle, model, pointer, len(rows), ffi.from_buffer("int32_t[]", out))
        return out

    @property
    def num_clusters(self) -> int:
        """How many clusters its visibility has."""
        return int(self.handle.visibility.num_clusters)

    @core.documented("bsp_map_visible")
    def visible(self, cluster: int, *, heard: bool = False) -> NDArray[np.bool_]:
        """For each cluster whether it is seen (or heard) from `cluster`."""
        row = np.zeros(max(1, self.handle.visibility.row_bytes), np.uint8)
        lib.bsp_map_visible(self.handle, cluster, heard, ffi.from_buffer("uint8_t[]", row))
        return np.unpackbits(row, bitorder="little")[:self.num_clusters].astype(np.bool_)

    def visible_matrix(self, *, heard: bool = False) -> NDArray[np.bool_]:
        """Row n: what cluster n sees."""
        rows = [self.visible(cluster, heard=heard) for cluster in range(self.num_clusters)]
        return np.array(rows, np.bool_).reshape(self.num_clusters, self.num_clusters)

    @core.documented("bsp_query_light")
    def light_at(self, points: ArrayLike) -> NDArray[Any]:
        """The light at each point, as a structured array (source, ambient, directed, direction, cube,
        face)."""
        rows, pointer = _points(points)
        out = np.empty(len(rows), _LIGHT)
        lib.bspkit_py_lights(self.handle, self.file_handle, pointer, len(rows),
                             ffi.from_buffer("bsp_light[]", out))
        return out

    # --- traces ---

    @cached_property
    def _index(self) -> Any:
        error = core.new_error()
        handle = core.check(lib.bsp_trace_index_new(self.handle, ffi.NULL, error), error)
        return core.own(handle, lib.bsp_trace_index_free, self.handle)

    @core.documented("bsp_trace_batch")
    def trace(self, start: ArrayLike, end: ArrayLike, *, mins: ArrayLike = (0, 0, 0),
              maxs: ArrayLike = (0, 0, 0), mask: ArrayLike = 0, model: int | None = 0) -> NDArray[Any]:
        """Traces from each start to each end, of a box or of a point, and returns a structured array
        (fraction, end, normal, contents, ...). `model` is a brush model, 0 for the world, None for
        everything that is solid when the map begins. `mask` 0 is what stops a player."""
        columns = {"start": core.vectors(start), "end": core.vectors(end), "mins": core.vectors(mins),
                   "maxs": core.vectors(maxs), "mask": np.atleast_1d(np.ascontiguousarray(mask, np.uint32))}
        count = len(columns["start"])
        rays = ffi.new("bspkit_py_rays *", {"model": made.TRACE_ALL if model is None else model})
        for name, column in columns.items():
            if len(column) not in (1, count):
                raise ValueError(f"{name} has {len(column)} rows, start {count}")
            setattr(rays, name, ffi.from_buffer("uint32_t[]" if name == "mask" else "float[]", column))
            setattr(rays, f"{name}_step", column[0].size if len(column) == count else 0)
        inputs = np.zeros(min(count, _RUN), _INPUT)
        out = np.empty(count, _RESULT)
        lib.bspkit_py_traces(self._index, rays, count, ffi.from_buffer("bsp_trace_input[]", inputs),
                             len(inputs), ffi.from_buffer("bsp_trace_result[]", out))
        return out

    @core.documented("bsp_sight_batch")
    def sight(self, start: ArrayLike, end: ArrayLike, *, mask: int = 0,
              model: int | None = 0) -> NDArray[np.bool_]:
        """Whether each start sees each end. `model` as in trace()."""
        starts = core.vectors(start)
        lines = np.empty(len(starts), _LINE)
        lines["from"], lines["to"] = starts, end
        out = np.empty(len(starts), np.bool_)
        lib.bsp_sight_batch(self._index, mask, made.TRACE_ALL if model is None else model,
                            ffi.from_buffer("bsp_sight_line[]", lines), ffi.from_buffer("bool[]", out),
                            len(starts))
        return out

    # --- surfaces ---

    @core.documented("bsp_mesh_build")
    def mesh(self, *, lightmap: Lightmap | None = None, **choices: Any) -> Mesh:
        """The triangles of all faces, patches and displacements. Choices are members of
        bsp_mesh_options: hidden, sky, overlays, patch_tolerance, first_model, num_models."""
        return Mesh(self, lightmap, choices)

    @core.documented("bsp_brush_mesh_build")
    def brush_mesh(self) -> BrushMesh:
        """The hulls of the map's brushes."""
        return BrushMesh(self)

    @core.documented("bsp_lightmap_build")
    def lightmap(self, **choices: Any) -> Lightmap:
        """The light of all faces on pages. Choices are members of bsp_lightmap_options: range, gain, hdr,
        width, direction."""
        return Lightmap(self, choices)

    def textures(self, game: Sequence[Path] | Search = ()) -> Textures:
        """The textures of its materials: embedded ones, and those of folders of the game."""
        return Textures(self, game if isinstance(game, Search) else Search(game))

    # --- what stands in it ---

    @core.documented("bsp_scene_build")
    def scene(self, game: Sequence[Path] | Search = (), **choices: Any) -> Scene:
        """What stands in the map: brush models where entities have them, and the models that entities and
        static props show, with their light. `time`, `open`, `styles` ({style: factor}) and `keys`
        ({(entity, key): value}) choose a moment; `fgd` names files of classes; `pictures` keeps the pictures
        of materials. Others are members of bsp_scene_options: full_bright, hidden, sky, hdr, light_range,
        patch_tolerance, props, props_alone."""
        return Scene(self, game if isinstance(game, Search) else Search(game), **choices)

    @core.documented("bsp_portals_build")
    def find_portals(self, **choices: Any) -> Portals:
        """The openings between the leaves of the world. Keyword arguments are members of
        bsp_portals_options: by_leaf, unlearned, budget."""
        return Portals(self, choices)

    @core.documented("bsp_leak_find")
    def leak(self) -> Leak | None:
        """The way by which the map leaks; None: it is sealed."""
        return leak_of(self)

    @property
    @core.documented("bsp_vis_far_plane")
    def far_plane(self) -> float:
        """How far the game draws, in units, by the entities; 0: it draws everything."""
        return float(lib.bsp_vis_far_plane(self.handle))

    @core.documented("bsp_physics_build")
    def physics_shapes(self) -> Physics:
        """The physics shapes of a Source map; none in others."""
        return Physics(self)

    # --- products ---

    @core.documented("bsp_renderer_build")
    def renderer(self, game: Sequence[Path] | Search = (), **choices: Any) -> Renderer:
        """Prepares pictures of the map. Choices are members of bsp_renderer_options: full_bright, plain,
        hidden, hdr, no_props."""
        return Renderer(self, game if isinstance(game, Search) else Search(game), choices)

    def render(self, game: Sequence[Path] | Search = (), **view: Any) -> NDArray[np.uint8]:
        """A picture, as an array of height, width and RGBA: see Renderer.draw."""
        return self.renderer(game).draw(**view)

    def start_view(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Where the first player stands and looks: origin and angles."""
        return start_view(self)

    @core.documented("bsp_relight_build")
    def relight(self, *, lights: Entities | str | None = None, texlights: str | None = None,
                surfaces: str | None = None, region: ArrayLike | None = None, textures: Textures | None = None,
                **choices: Any) -> Relight:
        """The light of the map computed again: it goes into the file as Edit.light.

        `lights` are other entities than those of the map, also as text; `texlights` is the text of a lights.rad
        (without it what textures of GoldSrc gave is estimated: Relight.texlights), `surfaces` that of a .texinfo.json
        (without it which faces are round is estimated: Relight.phong);
        `region` is the two corners of a box, outside of which faces that do not see into it keep their light. Without `textures` those in the map count (Map.textures). Choices are members of
        bsp_relight_options: compiler (LightCompiler), extra, direct, bounces, preview, hdr, force, soft, grid,
        grid_sides, dirt (Dirt), dirt_depth, dirt_gain, dirt_scale, patch_shadows, bounce_grid, texlights_all,
        surfaces_all, prop_shadows (PropShadows), budget, progress.

        `progress` is called with a stage, how much of it is done, and of how much: progress("faces", 12, 640). It
        ends the work by returning False (an Error of code E_CANCELLED) or by an exception. Budget.stop ends it from
        another thread, and Ctrl-C does. For several machines there is bspkit.distributed.light."""
        return Relight(self, lights, region, textures, {"texlights": texlights, "surfaces": surfaces, **choices})

    @core.documented("bsp_cubemaps_build")
    def draw_cubemaps(self, game: Sequence[Path] | Search = (), **choices: Any) -> dict[str, bytes]:
        """The pictures of its cubemaps drawn anew, and missing materials that name them: files for Edit.pak, by name.
        Choices are members of bsp_cubemaps_options: name, side, kinds, absent, format, budget, progress (as in
        relight)."""
        return cubemap_files(self, game if isinstance(game, Search) else Search(game), choices)

    @core.documented("bsp_decompile")
    def decompile(self, *, textures: Textures | None = None, **choices: Any) -> Document:
        """The map as a document of an editor. Choices are members of bsp_decompile_options: world_only,
        no_guesses, no_merge, cameras ..."""
        return Document(self, textures, choices)

    @core.documented("bsp_export_glb")
    def export(self, path: Path | None = None, *, textures: Textures | None = None,
               **choices: Any) -> Export:
        """Writes a .glb, .gltf (with its files beside) or .obj; without a path the bytes of a .glb are in
        the result. Choices are members of bsp_export_options: light, scale, hidden, sky ..."""
        return Export(self, path, textures, choices)

    def __repr__(self) -> str:
        return f"<bspkit.Map {self.branch}: {len(self.faces)} faces, {len(self.leaves)} leaves>"
