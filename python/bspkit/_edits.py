# SPDX-License-Identifier: MIT
"""Changes of a file: entities, lumps and embedded files; all other bytes stay."""
from __future__ import annotations

import os
import pathlib
import shutil
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core as core
from . import _generated as made
from ._core import Path, ffi, lib
from ._entities import Entity
from ._products import write_whole

if TYPE_CHECKING:
    from ._bake import Relight, Vis
    from ._files import File


class NewIssue(NamedTuple):
    """A kind of problem that a change would bring: how many there were, and would be."""

    id: str
    before: int
    after: int
    text: str


class Refused(core.Error):
    """The change was not written, because the new file would have problems that the old one has not."""

    def __init__(self, issues: list[NewIssue]) -> None:
        place = core.Place(None, None, None, None, None)
        super().__init__(made.Code.E_DAMAGED, "; ".join(issue.text for issue in issues), place)
        self.issues = issues


class Edit:
    """What is to change in a file. Set `entities`, `lumps[NAME]`, `pak[NAME]`, `visibility`, `light`; nothing is
    written before the end of the `with` block, and nothing at all if the block or a check fails."""

    def __init__(self, file: File, to: Path | None, backup: bool) -> None:
        if to is None and file.path is None:
            raise ValueError("a file out of memory is written to a path: edit(to=...)")
        self._file = file
        self._to = pathlib.Path(os.fsdecode(to if to is not None else file.path))  # type: ignore[arg-type]
        self._in_place = to is None
        self._backup = backup
        self._stamp = None if file.path is None else _stamp(file.path)
        self._old = file.entities  # closing the file drops it there
        self.entities: list[Entity] = list(self._old)
        """To be changed, added to, or put in another order; an entity that stays keeps its bytes."""
        self.lumps: dict[str, bytes] = {}
        """New bytes of lumps, by name."""
        self.pak: dict[str, bytes | None] = {}
        """New or changed embedded files by name; None takes one out."""
        self.visibility: Vis | None = None
        """New visibility, of the portals of this file's map."""
        self.light: Relight | Sequence[Relight] | None = None
        """New light, of this file's map, with that of its static props; of a map with LDR and HDR both: relight() and
        relight(hdr=True)."""
        self.allow_new_issues = False
        """Write even if `check` finds more errors than before."""

    def set(self, terms: str | Iterable[str], **values: str | None) -> int:
        """Sets keys of all entities that meet the terms (as in Entities.where); None takes a key out.
        Returns how many there are."""
        words = [terms] if isinstance(terms, str) else list(terms)
        chosen = {id(entity) for entity in self._old.where(*words)}
        count = 0
        for number, entity in enumerate(self.entities):
            if id(entity) in chosen:
                self.entities[number] = entity.changed(**values)
                count += 1
        return count

    # --- the new file ---

    def _entity_text(self) -> bytes | None:
        """The new text of the entities; None if nothing changed."""
        old = self._old
        if len(old) == len(self.entities) and all(a is b for a, b in zip(old, self.entities)):
            return None
        keep: list[Any] = []
        numbers = {id(entity): number for number, entity in enumerate(old)}
        sources = ffi.new("bsp_entity_source[]", len(self.entities))
        for source, entity in zip(sources, self.entities):
            number = numbers.get(id(entity))
            if number is not None:
                source.entity = number
                continue
            pairs = ffi.new("bsp_pair[]", [(core.text_of(key, keep), core.text_of(value, keep))
                                           for key, value in entity.pairs])
            keep.append(pairs)
            source.entity, source.pairs, source.num_pairs = core.NONE, pairs, len(entity.pairs)
        error, out = core.new_error(), ffi.new("bsp_blob *")
        core.check(lib.bsp_entities_compose(old.handle, sources, len(self.entities), ffi.NULL, out, error), error)
        return core.take_blob(out)

    def _lights(self) -> Sequence[Relight]:
        return () if self.light is None else self.light if isinstance(self.light, Sequence) else (self.light,)

    def _pak_bytes(self, files: Mapping[str, bytes | None]) -> bytes:
        """The embedded zip with changes."""
        keep: list[Any] = []
        changes = ffi.new("bsp_pak_change[]", len(files))
        for change, (name, data) in zip(changes, files.items()):
            change.name, change.remove = core.text_of(name, keep), data is None
            if data is not None:
                held = ffi.from_buffer("uint8_t[]", data)
                keep.append(held)
                change.data = ffi.new("bsp_bytes *", {"data": held, "size": len(data)})[0]
        number = lib.bsp_file_find_id(self._file.handle, made.TableId.PAK)
        old = self._file.lumps[number].data.tobytes() if number != core.NONE else b""
        error, out = core.new_error(), ffi.new("bsp_blob *")
        view = ffi.new("bsp_bytes *", {"data": ffi.from_buffer("uint8_t[]", old), "size": len(old)})
        core.check(lib.bsp_pak_rewrite(view[0], changes, len(files), ffi.NULL, out, error), error)
        return core.take_blob(out)

    def _changes(self) -> dict[int, bytes]:
        """The new bytes of lumps, by number."""
        out = {self._file[name].number: bytes(data) for name, data in self.lumps.items()}
        files = {name: data for light in self._lights() for name, data in light.prop_files.items()} | self.pak
        pak = self._pak_bytes(files) if files else None
        for table, data in ((made.TableId.ENTITIES, self._entity_text()), (made.TableId.PAK, pak)):
            if data is not None:
                number = lib.bsp_file_find_id(self._file.handle, table)
                if number == core.NONE:
                    raise ValueError(f"{self._file.branch} has no lump for {table.name.lower()}")
                if number in out:
                    raise ValueError(f"{self._file.lumps[number].name} is changed in two ways")
                out[number] = data
        return out

    def _baked(self, wanted: dict[int, bytes], keep: list[Any]) -> list[Any]:
        """The changes that give the file its new visibility and light, which no other change may touch."""
        error = core.new_error()
        made_of: list[Any] = []
        if self.visibility is not None:
            portals = self.visibility.portals
            if portals.map.file_handle != self._file.handle:
                raise ValueError("the visibility is of the portals of another file")
            handle = lib.bsp_vis_lumps(self.visibility.handle, portals.handle, portals.map.handle, self._file.handle,
                                       ffi.NULL, error)
            made_of.append(core.own(core.check(handle, error), lib.bsp_vis_changes_free, self._file.handle))
        for light in self._lights():
            if light.map.file_handle != self._file.handle:
                raise ValueError("the light is of another file")
            handle = lib.bsp_relight_lumps(light.handle, light.map.handle, self._file.handle, ffi.NULL, error)
            made_of.append(core.own(core.check(handle, error), lib.bsp_relight_changes_free, self._file.handle))
        keep += made_of
        out = [of.changes[number] for of in made_of for number in range(of.num_changes)]
        numbers = [*wanted, *(change.lump for change in out)]
        for change in out:
            if numbers.count(change.lump) > 1:
                raise ValueError(f"{self._file.lumps[change.lump].name} is changed in two ways")
        return out

    def make(self) -> bytes:
        """The bytes of the new file, checked."""
        keep: list[Any] = []
        wanted = self._changes()
        baked = self._baked(wanted, keep)
        total = len(wanted) + len(baked)
        changes, error = ffi.new("bsp_lump_change[]", max(1, total)), core.new_error()
        for n, (number, data) in enumerate(wanted.items()):
            held = ffi.from_buffer("uint8_t[]", data)
            packed = core.own(ffi.new("bsp_blob *"), lib.bsp_blob_free)
            keep += [held, packed, data]
            view = ffi.new("bsp_bytes *", {"data": held, "size": len(data)})
            core.check(lib.bsp_lump_change_make(self._file.handle, number, view[0], ffi.NULL, packed,
                                                ffi.addressof(changes[n]), error), error)
        for n, change in enumerate(baked):
            changes[len(wanted) + n] = change
        handle = lib.bsp_file_plan(self._file.handle, changes, total, ffi.NULL, error)
        plan = core.own(core.check(handle, error), lib.bsp_plan_free, self._file.handle, changes, keep)
        found: list[NewIssue] = []
        receiver = core.Receiver(lambda issue: found.append(_new_issue(issue)))
        report = ffi.new("bsp_plan_report *")
        receiver.check(lib.bsp_plan_check(plan, self._file.handle, lib.bspkit_py_new_issue, receiver.handle,
                                          ffi.NULL, report, error), error)
        if found and not self.allow_new_issues:
            raise Refused(found)
        blob = ffi.new("bsp_blob *")
        core.check(lib.bsp_plan_make(plan, ffi.NULL, blob, error), error)
        return core.take_blob(blob)

    # --- writing ---

    def __enter__(self) -> Edit:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        if kind is not None:
            return
        data = self.make()
        if self._in_place:
            if _stamp(self._to) != self._stamp:
                raise core.AccessError(made.Code.E_IO, f"{self._to}: another program changed the file",
                                       core.Place(None, None, None, None, None))
            backup = self._to.with_name(self._to.name + ".bak")
            if self._backup and not backup.exists():
                shutil.copy2(self._to, backup)
        write_whole(self._to, data)
        if self._in_place and self._backup:
            shutil.copymode(self._to.with_name(self._to.name + ".bak"), self._to)


def _stamp(path: Path) -> tuple[int, int, int, int]:
    """What tells one content of a file from another."""
    state = os.stat(path)
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns


def _new_issue(issue: Any) -> NewIssue:
    return NewIssue(core.string(issue.kind.id), int(issue.before), int(issue.after), core.string(issue.first.text))


def new_pak(files: Mapping[str, bytes]) -> bytes:
    """A zip as maps of Source embed it."""
    keep: list[Any] = []
    changes = ffi.new("bsp_pak_change[]", len(files))
    for change, (name, data) in zip(changes, files.items()):
        held = ffi.from_buffer("uint8_t[]", data)
        keep += [held, data]
        change.name = core.text_of(name, keep)
        change.data = ffi.new("bsp_bytes *", {"data": held, "size": len(data)})[0]
    error, out = core.new_error(), ffi.new("bsp_blob *")
    core.check(lib.bsp_pak_rewrite(ffi.new("bsp_bytes *")[0], changes, len(files), ffi.NULL, out, error), error)
    return core.take_blob(out)
