# SPDX-License-Identifier: MIT
"""The search path over folders and archives of a game, and the textures that are found in it."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core as core
from . import _generated as made
from ._core import Path, ffi, lib
from ._models import Model

if TYPE_CHECKING:
    from ._maps import Map


class Search:
    """A search path: folders of games with their archives, in this order."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        error = core.new_error()
        handle = core.check(lib.bsp_search_new(ffi.NULL, error), error)
        self.handle = core.own(handle, lib.bsp_search_free)
        for folder in folders:
            core.check(lib.bsp_search_add_game(self.handle, core.path_bytes(folder), error), error)

    def read(self, name: str) -> bytes:
        """The bytes of a file of the search path."""
        keep: list[Any] = []
        error, out = core.new_error(), ffi.new("bsp_blob *")
        core.check(lib.bsp_search_read(self.handle, core.text_of(name, keep), out, error), error)
        return core.take_blob(out)

    @core.documented("bsp_model_open")
    def model(self, name: str) -> Model:
        """Opens a model of the search path with all files that belong to it."""
        keep: list[Any] = []
        error = core.new_error()
        handle = lib.bsp_model_open(self.handle, core.text_of(name, keep), ffi.NULL, error)
        return Model(core.check(handle, error), self.handle)

    def __iter__(self) -> Iterator[str]:
        count = ffi.new("size_t *")
        found = lib.bsp_search_list(self.handle, count)
        return iter([core.text(found[i].name) for i in range(count[0])])


class Texture:
    """The texture of a material."""

    def __init__(self, texture: Any) -> None:
        self.found = bool(texture.found)
        self.image: NDArray[np.uint8] = core.take_image(texture.image)
        """Height, width and RGBA; a checkerboard where it was not found."""
        self.size = int(texture.width), int(texture.height)
        """Texels that the map's texture vectors count."""
        self.alpha = made.Alpha(texture.alpha)
        self.source = core.string(texture.source)
        """The file that it came from."""
        self.note = core.string(texture.note)
        """Why it was not found."""


class Textures(Sequence[Texture]):
    """The textures of a map's materials, by their number."""

    def __init__(self, map_: Map, search: Search) -> None:
        error = core.new_error()
        handle = lib.bsp_textures_open(search.handle, map_.handle, ffi.NULL, error)
        self.handle = core.own(core.check(handle, error), lib.bsp_textures_close, map_.handle, search.handle)
        self._map = map_

    def are_of(self, map_: Map) -> bool:
        """Whether a map has the same materials: their numbers are those of its own."""
        return map_ is self._map or map_.material_names == self._map.material_names

    def __len__(self) -> int:
        return int(self._map.handle.num_materials)

    def __getitem__(self, material: Any) -> Any:
        if isinstance(material, slice):
            return [self[number] for number in range(*material.indices(len(self)))]
        if not -len(self) <= material < len(self):
            raise IndexError(material)
        error, out = core.new_error(), ffi.new("bsp_texture *")
        core.check(lib.bsp_textures_find(self.handle, material % len(self), out, error), error)
        try:
            return Texture(out)
        finally:
            lib.bsp_texture_free(out)
