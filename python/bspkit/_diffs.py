# SPDX-License-Identifier: MIT
"""What two maps differ in."""
from __future__ import annotations

from typing import Any, NamedTuple

from . import _core as core
from . import _generated as made
from ._core import Path, Place, ffi, lib
from ._files import File, open as open_file


class Difference(NamedTuple):
    """One difference: in which part, where, of what, and its value before and after."""

    kind: made.DifferenceKind
    part: str
    place: Place
    name: str
    before: str
    after: str


@core.documented("bsp_file_diff")
def diff(a: File | Path, b: File | Path) -> list[Difference]:
    """What two maps differ in: entities, textures, props, embedded files, light, and record by record."""
    first = a if isinstance(a, File) else open_file(a)
    second = b if isinstance(b, File) else open_file(b)
    found: list[Difference] = []

    def take(one: Any) -> None:
        found.append(Difference(made.DifferenceKind(one.kind), core.string(one.part), core.place_of(one.place),
                                core.text(one.name), core.text(one.before), core.text(one.after)))

    receiver, error = core.Receiver(take), core.new_error()
    receiver.check(lib.bsp_file_diff(first.handle, second.handle, lib.bspkit_py_difference, receiver.handle,
                                     ffi.NULL, error), error)
    return found
