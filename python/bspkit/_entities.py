# SPDX-License-Identifier: MIT
"""Entities: what stands in a map, as mappings that keep repeated keys."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

from . import _core as core
from ._core import ffi, lib


class Entity(Mapping[str, str]):
    """The pairs of an entity. A key may stand in it more than once: `entity[key]` is the first value, as
    engines take it, `entity.pairs` has all in their order. Keys are found in any case."""

    def __init__(self, pairs: Iterable[tuple[str, str]] | Mapping[str, str]) -> None:
        self.pairs: tuple[tuple[str, str], ...] = tuple(pairs.items() if isinstance(pairs, Mapping) else pairs)

    def __getitem__(self, key: str) -> str:
        for name, value in self.pairs:
            if name.lower() == key.lower():
                return value
        raise KeyError(key)

    def all(self, key: str) -> list[str]:
        """All values of a key, as of the outputs of a logic_relay."""
        return [value for name, value in self.pairs if name.lower() == key.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _ in self.pairs))

    def __len__(self) -> int:
        return len({name for name, _ in self.pairs})

    def changed(self, **values: str | None) -> Entity:
        """The same with other values of keys; None takes a key out, and a new key stands last."""
        wanted = {key.lower(): (key, value) for key, value in values.items()}
        out: list[tuple[str, str]] = []
        for name, old in self.pairs:
            if name.lower() not in wanted:
                out.append((name, old))
                continue
            value = wanted[name.lower()][1]
            if value is not None and not any(kept.lower() == name.lower() for kept, _ in out):
                out.append((name, value))
        known = {name.lower() for name, _ in self.pairs}
        out += [(key, value) for key, value in wanted.values() if value is not None and key.lower() not in known]
        return Entity(out)

    @property
    def classname(self) -> str:
        """The value of "classname"; "" without one."""
        return self.get("classname", "")

    @property
    def origin(self) -> tuple[float, float, float] | None:
        """Where it stands, in game units; None if it does not say."""
        try:
            x, y, z = (float(word) for word in self["origin"].split()[:3])
        except (KeyError, ValueError):
            return None
        return x, y, z

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entity) and self.pairs == other.pairs

    def __hash__(self) -> int:
        return hash(self.pairs)

    def __repr__(self) -> str:
        return f"<bspkit.Entity {self.classname}: {len(self.pairs)} pairs>"


class Entities(Sequence[Entity]):
    """The entities of a file, in their order."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self._list = [Entity((core.text(pair.key), core.text(pair.value))
                             for pair in ffi.unpack(entity.pairs, entity.num_pairs))
                      for entity in ffi.unpack(handle.list, handle.count)]

    @overload
    def __getitem__(self, at: int) -> Entity: ...
    @overload
    def __getitem__(self, at: slice) -> list[Entity]: ...

    def __getitem__(self, at: int | slice) -> Entity | list[Entity]:
        return self._list[at]

    def __len__(self) -> int:
        return len(self._list)

    @core.documented("bsp_where_new")
    def where(self, *terms: str) -> list[Entity]:
        """The entities that meet all terms, as of `bspkit entities --where`: "classname=light*"."""
        return [self._list[number] for number in self.numbers(*terms)]

    def numbers(self, *terms: str) -> list[int]:
        """The numbers of the entities that meet all terms."""
        error = core.new_error()
        words = [ffi.new("char[]", core.encoded(term)) for term in terms]
        where = core.check(lib.bsp_where_new(ffi.new("char *[]", words), len(words), ffi.NULL, ffi.NULL, error),
                           error)
        where = core.own(where, lib.bsp_where_free)
        found, out = ffi.new("bool *"), []
        for number in range(self.handle.count):
            entity = self.handle.list[number]
            core.check(lib.bsp_where_ask(where, entity.pairs, entity.num_pairs, found, error), error)
            if found[0]:
                out.append(number)
        return out
