# SPDX-License-Identifier: MIT
"""Documents of editors, and exports."""
from __future__ import annotations

import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any

from . import _core as core
from ._core import Path, ffi, lib
from ._issues import Issue, Issues
from ._textures import Textures

if TYPE_CHECKING:
    from ._maps import Map


def numbers_of(report: Any) -> dict[str, int]:
    """The members of a struct of counts."""
    return {name: int(getattr(report, name)) for name, _ in ffi.typeof(report).item.fields}


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file beside its name, flushes it, and gives it the name."""
    target = pathlib.Path(os.fsdecode(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


class Document:
    """A map as its editor would have it."""

    def __init__(self, map_: Map, textures: Textures | None, choices: dict[str, Any]) -> None:
        keep: list[Any] = [textures]
        error, issues = core.new_error(), Issues()
        report = ffi.new("bsp_decompile_report *")
        chosen = core.options("bsp_decompile_options", keep, file=map_.file_handle, issues=issues.handle,
                              textures=None if textures is None else textures.handle, **choices)
        handle = lib.bsp_decompile(map_.handle, chosen, report, error)
        self.handle = core.own(core.check(handle, error), lib.bsp_mapdoc_free, map_.handle)
        self.report = numbers_of(report)
        """How many brushes, sides and others came back, and how."""
        self.issues: list[Issue] = issues.list()
        """What could not be recovered, with its place."""
        self._map = map_

    @core.documented("bsp_mapdoc_write")
    def text(self, dialect: str | None = None) -> str:
        """The document in a dialect: quake, valve220, quake2, quake3, vmf; None: that of the family."""
        number = ffi.new("bsp_dialect *", self._map.handle.traits.dialect)
        if dialect is not None and not lib.bsp_dialect_find(core.text_of(dialect, []), number):
            raise ValueError(f"there is no dialect {dialect!r}")
        pieces: list[bytes] = []
        receiver = core.Receiver(lambda data: pieces.append(bytes(data)))
        error = core.new_error()
        receiver.check(lib.bsp_mapdoc_write(self.handle, number[0], ffi.NULL, lib.bspkit_py_sink,
                                            receiver.handle, ffi.NULL, error), error)
        return b"".join(pieces).decode("utf-8", "surrogateescape")

    def write(self, path: Path, dialect: str | None = None) -> None:
        """Writes the document to a file."""
        write_whole(path, core.encoded(self.text(dialect)))


class _Taker(core.Receiver):
    """Receives an export: its bytes, the files beside it, and what is missing."""

    def __init__(self, folder: pathlib.Path | None) -> None:
        self.pieces: list[bytes] = []
        super().__init__(lambda data: self.pieces.append(bytes(data)))
        self.folder = folder
        self.files: dict[str, bytes] = {}
        self.absent: dict[str, str] = {}

    def beside(self, name: str, data: bytes) -> bool:
        self.files[name] = data
        return True

    def missing(self, material: str, note: str) -> None:
        self.absent[material] = note


class Export:
    """What was exported."""

    def __init__(self, map_: Map, path: Path | None, textures: Textures | None,
                 choices: dict[str, Any]) -> None:
        target = None if path is None else pathlib.Path(os.fsdecode(path))
        ending = ".glb" if target is None else target.suffix.lower()
        functions = {".glb": lib.bsp_export_glb, ".gltf": lib.bsp_export_gltf, ".obj": lib.bsp_export_obj}
        if ending not in functions:
            raise ValueError(f"an export ends in .glb, .gltf or .obj, not in {ending!r}")
        taker = _Taker(None if target is None else target.parent)
        keep: list[Any] = [textures]
        error, report = core.new_error(), ffi.new("bsp_export_report *")
        chosen = core.options("bsp_export_options", keep, file=map_.file_handle,
                              textures=None if textures is None else textures.handle,
                              stem=None if target is None else target.stem, files=lib.bspkit_py_beside,
                              missing=lib.bspkit_py_missing, user=taker.handle, **choices)
        taker.check(functions[ending](map_.handle, chosen, lib.bspkit_py_sink, taker.handle, report, error),
                    error)
        self.data = b"".join(taker.pieces)
        """The bytes of the export itself."""
        self.files = taker.files
        """The files beside it, by name."""
        self.report = numbers_of(report)
        self.missing = taker.absent
        """Materials whose textures were not found, and why."""
        if target is not None:
            for name, data in taker.files.items():
                write_whole(target.parent / name, data)
            write_whole(target, self.data)
