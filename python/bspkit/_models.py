# SPDX-License-Identifier: MIT
"""Models and sprites, in any pose."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core as core
from ._core import Path, ffi, lib
from ._generated import ModelInfoMembers, ModelMeshMembers


class ModelInfo(ModelInfoMembers, core.Struct):
    """What a model is, whatever its pose."""

    def __init__(self, handle: Any, owner: Any) -> None:
        self._hold(handle, owner)

    @property
    def format(self) -> str:
        """The word of its format, "source-mdl"."""
        return core.string(self.handle.format.name)


class ModelMesh(ModelMeshMembers, core.Struct):
    """A model in one pose: vertices, triangles, bones, hitboxes and hulls as arrays."""

    def __init__(self, handle: Any, owner: Any) -> None:
        self._hold(handle, owner)

    @property
    def triangles(self) -> NDArray[np.uint32]:
        """The indices, three in a row."""
        out: NDArray[np.uint32] = self.indices.reshape(-1, 3)
        return out

    @property
    def corners(self) -> NDArray[np.float32]:
        """The points of each triangle: an array of n, 3, 3."""
        out: NDArray[np.float32] = self.vertices["position"][self.triangles]
        return out


class Model:
    """A model or sprite with all files that belong to it."""

    def __init__(self, handle: Any, *needs: Any) -> None:
        self.handle = core.own(handle, lib.bsp_model_close, *needs)
        self.info = ModelInfo(lib.bsp_model_get_info(self.handle), self.handle)
        """What it is, whatever its pose: sizes, materials, sequences, and their names."""

    @core.documented("bsp_model_mesh_build")
    def mesh(self, **pose: Any) -> ModelMesh:
        """The model in a pose. Keyword arguments are members of bsp_model_pose: sequence, frame, skin,
        body, lod, bind_pose."""
        keep: list[Any] = []
        error = core.new_error()
        handle = lib.bsp_model_mesh_build(self.handle, core.options("bsp_model_pose", keep, **pose), error)
        owned = core.own(core.check(handle, error), lib.bsp_model_mesh_free, self.handle)
        return ModelMesh(owned, owned)

    @core.documented("bsp_model_image")
    def image(self, material: int) -> NDArray[np.uint8]:
        """The picture that the model holds for a material: height, width and RGBA."""
        if not 0 <= material < self.info.handle.num_materials:
            raise IndexError(material)
        error, out = core.new_error(), ffi.new("bsp_image *")
        core.check(lib.bsp_model_image(self.handle, material, out, error), error)
        try:
            return core.take_image(out)
        finally:
            lib.bsp_image_free(out)

    def __repr__(self) -> str:
        return f"<bspkit.Model {self.info.name}: {self.info.num_triangles} triangles>"


@core.documented("bsp_model_open_path")
def model(path: Path) -> Model:
    """Opens a model or sprite of the disk, with the files that belong to it in its folder."""
    error = core.new_error()
    return Model(core.check(lib.bsp_model_open_path(core.path_bytes(path), ffi.NULL, error), error))
