# SPDX-License-Identifier: MIT
"""Pictures of a map."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core as core
from ._core import Vector, ffi, lib
from ._textures import Search

if TYPE_CHECKING:
    from ._maps import Map


def start_view(map_: Map) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Where the first player stands and looks."""
    view = ffi.new("bsp_view *")
    lib.bsp_view_start(map_.handle, view)
    eye = getattr(view, "from")  # a word of Python
    return (eye[0], eye[1], eye[2]), (view.angles[0], view.angles[1], view.angles[2])


class Renderer:
    """Draws pictures of a map."""

    def __init__(self, map_: Map, search: Search, choices: dict[str, Any]) -> None:
        keep: list[Any] = []
        error = core.new_error()
        chosen = core.options("bsp_renderer_options", keep, search=search.handle, **choices)
        handle = lib.bsp_renderer_build(map_.handle, map_.file_handle, chosen, error)
        self.handle = core.own(core.check(handle, error), lib.bsp_renderer_free, map_.handle)
        self._map = map_

    @property
    def missing(self) -> list[str]:
        """Materials whose textures were not found."""
        return [core.text(lib.bsp_renderer_missing_name(self.handle, number))
                for number in range(lib.bsp_renderer_missing(self.handle))]

    @core.documented("bsp_renderer_draw")
    def draw(self, *, origin: Vector | None = None, angles: Vector | None = None,
             size: tuple[int, int] = (640, 360), fov: float = 90, top: bool = False,
             cut: float | None = None, threads: int = 0) -> NDArray[np.uint8]:
        """A picture of height, width and RGBA. `origin` is the eye in game units, `angles` pitch (down is
        positive), yaw and roll in degrees; without them what the first player sees. `size` is width and
        height in pixels, `fov` the horizontal angle, `top` the plan from above, which `cut` cuts at a
        height."""
        view = ffi.new("bsp_view *")
        lib.bsp_view_start(self._map.handle, view)
        view.width, view.height = size
        view.fov, view.top = fov, top
        view.cuts, view.cut = cut is not None, cut or 0
        if origin is not None:
            setattr(view, "from", [float(number) for number in origin])
        if angles is not None:
            view.angles = [float(number) for number in angles]
        keep: list[Any] = []
        error, image = core.new_error(), ffi.new("bsp_image *")
        chosen = core.options("bsp_draw_options", keep, threads=threads)
        core.check(lib.bsp_renderer_draw(self.handle, view, chosen, image, ffi.NULL, error), error)
        try:
            return core.take_image(image)
        finally:
            lib.bsp_image_free(image)
