# SPDX-License-Identifier: MIT
"""Portals and visibility, made again out of a compiled map."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core as core
from ._core import ffi, lib
from ._generated import PortalsMembers, VisMembers

if TYPE_CHECKING:
    from ._maps import Map


class Vis(VisMembers, core.Struct):
    """Which clusters may see which, as the portals between them tell."""

    def __init__(self, portals: Portals, choices: dict[str, Any]) -> None:
        keep: list[Any] = []
        error = core.new_error()
        handle = lib.bsp_vis_build(portals.handle, core.options("bsp_vis_options", keep, **choices), error)
        owned = core.own(core.check(handle, error), lib.bsp_vis_free, portals.handle)
        self._hold(owned, owned)

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

    def polygon(self, number: int) -> NDArray[np.float64]:
        """The corners of a portal: an array of n, 3."""
        portal = self.list[number]
        first = int(portal["first_point"])
        out: NDArray[np.float64] = self.points[first:first + int(portal["num_points"])]
        return out

    @core.documented("bsp_vis_build")
    def visibility(self, **choices: Any) -> Vis:
        """Which clusters may see which. Keyword arguments are members of bsp_vis_options: base, distance. To put it
        into a map there is the command `bspkit vis`, and bspkit.distributed.vis."""
        return Vis(self, choices)
