# SPDX-License-Identifier: MIT
"""Triangles and light."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core as core
from ._core import ffi, lib

if TYPE_CHECKING:
    from ._maps import Map


class Lightmap:
    """The light of a map's faces, packed into pages."""

    handle: Any

    @classmethod
    def of(cls, handle: Any, owner: Any) -> Lightmap:
        """That of a scene, which owns it."""
        out = cls.__new__(cls)
        out.handle, out._owner = handle, owner
        return out

    def __init__(self, map_: Map, choices: dict[str, Any]) -> None:
        keep: list[Any] = []
        error = core.new_error()
        chosen = core.options("bsp_lightmap_options", keep, **choices)
        handle = lib.bsp_lightmap_build(map_.handle, map_.file_handle, chosen, error)
        self.handle = core.own(core.check(handle, error), lib.bsp_lightmap_free, map_.handle)
        self._owner: Any = self.handle

    @property
    def pages(self) -> list[NDArray[np.uint8]]:
        """Each page as height, width and RGBA. A texel is a factor for the texture's colour."""
        out = []
        for page in ffi.unpack(self.handle.pages, self.handle.num_pages):
            texels = core.view(page.rgba, page.width * page.height * 4, self._owner)
            out.append(texels.reshape(page.height, page.width, 4))
        return out

    @property
    def faces(self) -> NDArray[Any]:
        """Where the light of each face is."""
        return core.view(self.handle.faces, self.handle.num_faces, self._owner)

    @property
    def luxels(self) -> int:
        """How many luxels all faces have, in one style; Quake 3: all pages."""
        return int(self.handle.luxels)


class Mesh:
    """The triangles of a map."""

    handle: Any

    @classmethod
    def of(cls, handle: Any, owner: Any) -> Mesh:
        """That of a scene, which owns it."""
        out = cls.__new__(cls)
        out.handle, out._owner = handle, owner
        return out

    def __init__(self, map_: Map, lightmap: Lightmap | None, choices: dict[str, Any]) -> None:
        keep: list[Any] = [lightmap]
        error = core.new_error()
        chosen = core.options("bsp_mesh_options", keep, file=map_.file_handle,
                              lightmap=None if lightmap is None else lightmap.handle, **choices)
        handle = lib.bsp_mesh_build(map_.handle, chosen, error)
        self.handle = core.own(core.check(handle, error), lib.bsp_mesh_free, map_.handle)
        self._owner: Any = self.handle

    @property
    def vertices(self) -> NDArray[Any]:
        """Position and normal, uv on the texture, light_uv on the light page, RGBA."""
        return core.view(self.handle.vertices, self.handle.num_vertices, self._owner)

    @property
    def indices(self) -> NDArray[np.uint32]:
        """Three for each triangle, counted in `vertices`."""
        return core.view(self.handle.indices, self.handle.num_indices, self._owner)

    @property
    def groups(self) -> NDArray[Any]:
        """Runs that are drawn alike: model, material, light page, and where their vertices are."""
        return core.view(self.handle.groups, self.handle.num_groups, self._owner)

    @property
    def faces(self) -> NDArray[Any]:
        """Runs of triangles that make one face of the map."""
        return core.view(self.handle.faces, self.handle.num_faces, self._owner)

    @property
    def triangles(self) -> NDArray[np.uint32]:
        """The indices, three in a row."""
        return self.indices.reshape(-1, 3)

    def _by_corner(self, member: str) -> NDArray[np.float32]:
        out: NDArray[np.float32] = self.vertices[member][self.triangles]
        return out

    @property
    def corners(self) -> NDArray[np.float32]:
        """The points of each triangle: an array of n, 3, 3."""
        return self._by_corner("position")

    @property
    def uvs(self) -> NDArray[np.float32]:
        """The texture coordinates of each triangle: n, 3, 2."""
        return self._by_corner("uv")

    @property
    def light_uvs(self) -> NDArray[np.float32]:
        """The coordinates of each triangle on its light page: n, 3, 2."""
        return self._by_corner("light_uv")


class BrushMesh:
    """The hulls of brushes."""

    def __init__(self, map_: Map) -> None:
        error = core.new_error()
        handle = lib.bsp_brush_mesh_build(map_.handle, ffi.NULL, error)
        self.handle = core.own(core.check(handle, error), lib.bsp_brush_mesh_free, map_.handle)

    @property
    def points(self) -> NDArray[Any]:
        """The corners of the brushes, in game units."""
        return core.view(self.handle.points, self.handle.num_points, self.handle)

    @property
    def indices(self) -> NDArray[np.uint32]:
        """Runs of polygons: numbers of `points`."""
        return core.view(self.handle.indices, self.handle.num_indices, self.handle)

    @property
    def polygons(self) -> NDArray[Any]:
        """The sides of the brushes that are left after all cuts: see bsp_brush_polygon."""
        return core.view(self.handle.polygons, self.handle.num_polygons, self.handle)

    @property
    def hulls(self) -> NDArray[Any]:
        """One for each brush of the map."""
        return core.view(self.handle.hulls, self.handle.num_hulls, self.handle)
