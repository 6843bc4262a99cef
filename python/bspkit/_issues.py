# SPDX-License-Identifier: MIT
"""What is odd in a file."""
from __future__ import annotations

from typing import NamedTuple

from . import _core as core
from . import _generated as made
from ._core import Place, ffi, lib


class Issue(NamedTuple):
    """Something odd in a file: a stable id, how bad it is, where, and what."""

    id: str
    severity: made.Severity
    place: Place
    text: str


class Issues:
    """A list of the library's issues."""

    def __init__(self) -> None:
        self.handle = core.own(lib.bsp_issues_new(ffi.NULL, 0), lib.bsp_issues_free)

    def list(self) -> list[Issue]:
        count = ffi.new("size_t *")
        found = lib.bsp_issues_list(self.handle, count)
        return [Issue(core.string(found[i].kind.id), made.Severity(found[i].kind.severity),
                      core.place_of(found[i].place), core.string(found[i].text)) for i in range(count[0])]
