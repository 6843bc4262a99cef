# SPDX-License-Identifier: MIT
"""Records: what a file says. Its lumps, and the records in them, under the names of the format's own
headers."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core as core
from . import _generated as made
from ._bake import Stale, stale_of
from ._core import Path, ffi, lib
from ._edits import Edit
from ._entities import Entities
from ._issues import Issue, Issues
from ._maps import Map

_TYPES = {made.Type.U8: "u1", made.Type.I8: "i1", made.Type.U16: "u2", made.Type.I16: "i2",
          made.Type.U32: "u4", made.Type.I32: "i4", made.Type.F32: "f4"}


def _format(field: Any, big_endian: bool) -> Any:
    """The type of a field that shares its bytes with no other."""
    if field.type == made.Type.CHAR:
        return f"S{field.count}"
    if field.type == made.Type.PAD:
        return f"V{field.count}"
    order = ">" if big_endian != bool(field.swapped) else "<"
    one = order + _TYPES[made.Type(field.type)]
    return one if field.count == 1 else (one, (field.count,))


def _decoded(table: Any, names: list[str]) -> NDArray[Any]:
    """Records with bit fields, field by field into memory of their own."""
    layout = table.layout
    kinds = [made.Type(layout.fields[i].type) for i in range(layout.num_fields)]
    plain = [made.Type.U8 if kind in (made.Type.CHAR, made.Type.PAD) else kind for kind in kinds]
    formats = [np.dtype(_format(layout.fields[i], False)).newbyteorder("=") for i in range(layout.num_fields)]
    out = np.zeros(table.count, np.dtype({"names": names, "formats": formats}))
    pointer = ffi.new("bsp_table *", table)
    for i, name in enumerate(names):
        if table.count:
            column = ffi.cast("char *", ffi.from_buffer(out)) + out.dtype.fields[name][1]  # type: ignore[index]
            lib.bsp_table_decode(pointer, i, int(plain[i]), column, out.dtype.itemsize)
    return out


def records_of(table: Any, owner: Any) -> NDArray[Any]:
    """A table as a structured array with the on-disk names; no copy where no field is a part of an
    integer."""
    layout = table.layout
    fields = [layout.fields[i] for i in range(layout.num_fields)]
    if lib.bsp_layout_is_bare(layout) and not fields[0].bits:
        kind = np.dtype(_format(fields[0], table.big_endian))
    else:
        names = [core.string(field.name) or f"field{i}" for i, field in enumerate(fields)]
        if any(field.bits for field in fields):
            return _decoded(table, names)
        kind = np.dtype({"names": names, "formats": [_format(field, table.big_endian) for field in fields],
                         "offsets": [lib.bsp_layout_offset(layout, i) for i in range(len(fields))],
                         "itemsize": layout.size})
    raw = core.view(table.data, table.count * layout.size, owner)
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        return raw.view(base).reshape(table.count, *shape)
    return raw.view(kind)


class Lump:
    """A lump of an open file."""

    def __init__(self, file: File, number: int) -> None:
        self._file = file
        self._number = number
        self._lump = lib.bsp_file_lump(file.handle, number)

    @property
    def name(self) -> str:
        """As its branch calls it; "game:sprp" and "bspx:NAME" for those in other directories."""
        return core.string(self._lump.name)

    @property
    def index(self) -> int:
        """In its own directory."""
        return int(self._lump.index)

    @property
    def number(self) -> int:
        """In File.lumps."""
        return self._number

    @property
    def offset(self) -> int:
        """In bytes, in the file."""
        return int(self._lump.offset)

    @property
    def size(self) -> int:
        """Bytes of its records, unpacked."""
        return int(self._lump.unpacked_size)

    @property
    def version(self) -> int:
        """The version of the lump; 0 where the branch has none."""
        return int(self._lump.version)

    @property
    def compressed(self) -> bool:
        """It is packed with LZMA."""
        return bool(self._lump.compressed)

    @property
    def kind(self) -> made.LumpKind:
        """How the lump is built: records, text, rows of visibility ..."""
        return made.LumpKind(self._lump.kind)

    @cached_property
    def data(self) -> NDArray[np.uint8]:
        """Its bytes, unpacked."""
        error, out = core.new_error(), ffi.new("bsp_bytes *")
        core.check(lib.bsp_file_data(self._file.handle, self._number, out, error), error)
        return core.bytes_view(out[0], self._file.handle)

    def tables(self) -> dict[str, NDArray[Any]]:
        """All tables and records in it, by their path ("props", "models/3"); "" for a lump that is one
        table."""
        parts = self._parts()
        paths = _paths(parts)
        wanted = (made.PartKind.TABLE, made.PartKind.RECORD)
        return {path: records_of(lib.bsp_parts_table(parts, number), parts)
                for number, path in paths.items() if parts.parts[number].kind in wanted}

    @property
    def records(self) -> NDArray[Any]:
        """The records of a lump that is one table, with the names of the format's headers."""
        tables = self.tables()
        if not tables and self.kind == made.LumpKind.ARRAY:
            return records_of(self._empty(), self._file.handle)
        if len(tables) != 1:
            raise TypeError(f"{self.name} holds {len(tables)} tables: see tables() and json()")
        return next(iter(tables.values()))

    def _empty(self) -> Any:
        """A table without records, of the layout that the lump would have."""
        of = getattr(self._lump, "def")  # a word of Python
        variants = ffi.unpack(of.variants, of.num_variants)
        layouts = [one.layout for one in variants if one.version in (self.version, made.ANY_VERSION)]
        return ffi.new("bsp_table *", {"layout": layouts[0] if layouts else variants[0].layout})[0]

    def json(self) -> Any:
        """What `bspkit dump --json` prints of it."""
        pieces: list[bytes] = []
        receiver = core.Receiver(lambda data: pieces.append(bytes(data)))
        writer, error = ffi.new("bsp_json *"), core.new_error()
        lib.bsp_json_begin(writer, lib.bspkit_py_sink, receiver.handle)
        receiver.check(lib.bsp_dump_json(self._file.handle, self._number, writer, error), error)
        lib.bsp_json_flush(writer)
        return json.loads(b"".join(pieces))

    def _parts(self) -> Any:
        error, parts = core.new_error(), ffi.new("bsp_parts *")
        core.check(lib.bsp_file_parts(self._file.handle, self._number, ffi.NULL, parts, error), error)
        return core.own(parts, lib.bsp_parts_free, self._file.handle)

    def __repr__(self) -> str:
        return f"<bspkit.Lump {self.name}: {self.size} bytes>"


def _paths(parts: Any) -> dict[int, str]:
    """The path of each part."""
    out = {0: ""} if parts.count else {}

    def descend(number: int, path: str) -> None:
        group = parts.parts[number].kind == made.PartKind.GROUP
        inner, position = number + 1, 0
        while inner < parts.parts[number].end:
            name = core.string(parts.parts[inner].name) if group else str(position)
            out[inner] = f"{path}/{name}" if path else name
            descend(inner, out[inner])
            inner, position = parts.parts[inner].end, position + 1

    if parts.count and parts.parts[0].kind in (made.PartKind.GROUP, made.PartKind.LIST):
        descend(0, "")
    return out


class Pak(Mapping[str, bytes]):
    """The files that are embedded in a map, by name."""

    def __init__(self, file: File) -> None:
        error = core.new_error()
        handle = core.check(lib.bsp_file_pak(file.handle, ffi.NULL, error), error)
        self.handle = core.own(handle, lib.bsp_pak_close, file.handle)
        self._numbers = {core.text(handle.entries[i].name): i for i in range(handle.count)}

    def __getitem__(self, name: str) -> bytes:
        error, out = core.new_error(), ffi.new("bsp_blob *")
        core.check(lib.bsp_pak_read(self.handle, self._numbers[name], ffi.NULL, out, error), error)
        return core.take_blob(out)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class File:
    """An open map file: what it says. Use `bspkit.open`."""

    def __init__(self, path: Path | None, data: bytes | None, branch: str | None, game: str | None,
                 external: bool, budget: core.Budget | None) -> None:
        keep: list[Any] = []
        error = core.new_error()
        self._issues = Issues()
        choice = core.options("bsp_open_options", keep, branch=branch, game=game, no_external=not external,
                              issues=self._issues.handle, budget=budget)
        self.path = path
        self.budget = budget
        if data is not None:
            view = ffi.new("bsp_bytes *", {"data": ffi.from_buffer("uint8_t[]", data), "size": len(data)})
            handle = lib.bsp_file_open_memory(view[0], choice, error)
        else:
            assert path is not None
            handle = lib.bsp_file_open(core.path_bytes(path), choice, error)
        self.handle = core.own(core.check(handle, error), lib.bsp_file_close, data,
                               None if budget is None else budget.handle)
        self._info = lib.bsp_file_get_info(self.handle)

    # --- facts ---

    @property
    def branch(self) -> str:
        """The branch of the format: "quake", "source_20"."""
        return core.string(self._info.detection.branch.name)

    @property
    def family(self) -> made.Family:
        """The family of the branch."""
        return made.Family(self._info.detection.branch.family)

    @property
    def version(self) -> int:
        """The version that the head of the file states."""
        return int(self._info.detection.version)

    @property
    def big_endian(self) -> bool:
        """Whether numbers of the file are big-endian: maps of consoles."""
        return bool(self._info.detection.big_endian)

    @property
    def reason(self) -> str:
        """Why it was taken for this branch."""
        return core.string(self._info.detection.reason)

    @property
    def data(self) -> NDArray[np.uint8]:
        """The whole file, unpacked if it was packed."""
        return core.bytes_view(self._info.bytes, self.handle)

    @property
    def game(self) -> str | None:
        """The game of a Source map, where its entities tell."""
        game = lib.bsp_file_game(self.handle)
        return None if game == ffi.NULL else core.string(game.title)

    @property
    def checksum(self) -> int | None:
        """The number that the game compares between server and client; None where no rule is known."""
        out = ffi.new("uint32_t *")
        return int(out[0]) if lib.bsp_file_checksum(self.handle, out) else None

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file in hexadecimal; of the unpacked map if gzip or bzip2 packed it."""
        out = ffi.new("uint8_t[32]")
        lib.bsp_file_sha256(self.handle, out)
        return bytes(out).hex()

    # --- what it holds ---

    @property
    def lumps(self) -> list[Lump]:
        """Those of the directory in order, then game lumps, BSPX lumps and .ent files."""
        return [Lump(self, number) for number in range(self._info.num_lumps)]

    def __getitem__(self, name: str | int) -> Lump:
        """A lump by its name (any case) or its index in the directory."""
        keep: list[Any] = []
        number = lib.bsp_file_find(self.handle, core.text_of(str(name), keep))
        if number == core.NONE:
            raise KeyError(name)
        return Lump(self, number)

    def __contains__(self, name: str) -> bool:
        return bool(lib.bsp_file_find(self.handle, core.text_of(name, [])) != core.NONE)

    def records(self, name: str | int) -> NDArray[Any]:
        """The records of a lump as a structured array."""
        return self[name].records

    @cached_property
    def entities(self) -> Entities:
        """The entities, in the order of the file."""
        error = core.new_error()
        handle = core.check(lib.bsp_file_entities(self.handle, ffi.NULL, error), error)
        return Entities(core.own(handle, lib.bsp_entities_free, self.handle))

    @cached_property
    def pak(self) -> Pak:
        """The embedded files of a map of Source."""
        return Pak(self)

    @cached_property
    def map(self) -> Map:
        """What the file means."""
        return Map(self)

    @core.documented("bsp_check")
    def check(self) -> list[Issue]:
        """What is wrong with the file."""
        issues, error = Issues(), core.new_error()
        core.check(lib.bsp_check(self.handle, issues.handle, error), error)
        return self._issues.list() + issues.list()

    @core.documented("bsp_stale_find")
    def stale(self, old: File | None = None) -> list[Stale]:
        """What of the baked data does not fit the rest of the map, and what does; with what the map was before an edit,
        also what stayed while what it is made of changed."""
        return stale_of(self, old)

    def edit(self, to: Path | None = None, *, backup: bool = True) -> Edit:
        """A change of the file, to be used with `with`: what was set in it is written when the block
        ends without an exception, to `to` or in the place of the file."""
        return Edit(self, to, backup)

    # --- lifetime ---

    def close(self) -> None:
        """Lets go of the file. What was made out of it keeps it as long as it needs it."""
        for name in ("map", "pak", "entities"):
            vars(self).pop(name, None)

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<bspkit.File {self.path!r}: {self.branch}>"


@core.documented("bsp_file_open")
def open(path: Path, *, branch: str | None = None, game: str | None = None,  # noqa: A001
         external: bool = True, budget: core.Budget | None = None) -> File:
    """Opens a map. `branch` reads it as a branch of that name, `game` sets whose limits count, without
    `external` no files beside it are looked for, and `budget` limits this file and what is made of it."""
    return File(path, None, branch, game, external, budget)


@core.documented("bsp_file_open_memory")
def open_bytes(data: bytes, *, branch: str | None = None, game: str | None = None,
               budget: core.Budget | None = None) -> File:
    """Opens a map that is in memory."""
    return File(None, bytes(data), branch, game, True, budget)
