# SPDX-License-Identifier: MIT
"""What all modules use: the C library, its errors as exceptions, its texts as str, and its memory as
arrays of NumPy."""
from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _generated as made
from ._native import ffi as ffi
from ._native import lib as lib

Path = str | os.PathLike[str]
Vector = Sequence[float] | NDArray[Any]
NONE = made.NONE
_F = TypeVar("_F", bound=Callable[..., Any])


class Place(NamedTuple):
    """Where in a file something is. What is not known is None."""

    lump: str | None
    record: int | None
    field: str | None
    element: int | None
    offset: int | None


class Error(Exception):
    """A call of the library failed. `code` says why, `place` where in the file."""

    def __init__(self, code: made.Code, message: str, place: Place) -> None:
        super().__init__(message)
        self.code = code
        self.place = place


class NotFoundError(Error, FileNotFoundError):
    """There is no file of that path."""


class AccessError(Error, PermissionError):
    """The operating system does not allow it."""


class LimitError(Error, MemoryError):
    """A limit of memory, work or output would be exceeded, or memory ended."""


class FormatError(Error, ValueError):
    """The bytes are not a map that is known here, or are damaged."""


class ArgumentError(Error, ValueError):
    """An argument has a value that the library does not take."""


_CLASSES: dict[made.Code, type[Error]] = {
    made.Code.E_ARGUMENT: ArgumentError,
    made.Code.E_NOT_FOUND: NotFoundError,
    made.Code.E_PERMISSION: AccessError,
    made.Code.E_LIMIT: LimitError,
    made.Code.E_MEMORY: LimitError,
    made.Code.E_FORMAT: FormatError,
    made.Code.E_DAMAGED: FormatError,
    made.Code.E_UNSUPPORTED: FormatError,
    made.Code.E_ENCRYPTED: FormatError,
    made.Code.E_UNEXPLAINED: FormatError,
}


def documented(function: str) -> Callable[[_F], _F]:
    """Adds the comment of a function of the library to that of a method."""

    def add(method: _F) -> _F:
        method.__doc__ = f"{method.__doc__ or ''}\n\nC: {function}. {made.FUNCTIONS[function]}"
        return method

    return add


def string(pointer: Any) -> str:
    """The text of a C string."""
    return str(ffi.string(pointer).decode("utf-8", "surrogateescape"))


def text(view: Any) -> str:
    """The text of a bsp_text. Bytes that are no UTF-8 are kept as surrogates."""
    return bytes(ffi.buffer(view.data, view.size)).decode("utf-8", "surrogateescape") if view.size else ""


def encoded(value: str | bytes) -> bytes:
    """The bytes of a text, as `text` read them."""
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")


def text_of(value: str | bytes, keep: list[Any]) -> Any:
    """A bsp_text. `keep` receives what must live as long."""
    data = encoded(value)
    chars = ffi.from_buffer("char[]", data)
    keep.append(chars)
    return ffi.new("bsp_text *", {"data": chars, "size": len(data)})[0]


def path_bytes(path: Path) -> bytes:
    return os.fsencode(path)


def place_of(place: Any) -> Place:
    """A bsp_place."""
    def number(value: int) -> int | None:
        return None if value == NONE else int(value)
    return Place(string(place.lump) or None, number(place.record),
                 string(place.field) if place.field != ffi.NULL else None, number(place.element),
                 None if place.offset == made.NO_LIMIT else int(place.offset))


def new_error() -> Any:
    return ffi.new("bsp_error *")


def exception(error: Any) -> Error:
    """The exception of a bsp_error."""
    code = made.Code(error.code) if error.code else made.Code.E_MEMORY
    return _CLASSES.get(code, Error)(code, string(error.message) or code.name, place_of(error.place))


def check(result: Any, error: Any) -> Any:
    """Returns a result, or raises the error if it is NULL or false."""
    if result == ffi.NULL or result is False:
        raise exception(error)
    return result


def _release(free: Any, pointer: Any, needs: tuple[Any, ...]) -> None:
    free(pointer)


def own(handle: Any, free: Any, *needs: Any) -> Any:
    """An object of the library that is freed when nothing refers to it, before what it borrows from. The
    registry of finalizers keeps that alive, so that the order holds in the collection of cycles too."""
    owner = ffi.cast(ffi.typeof(handle), handle)
    weakref.finalize(owner, _release, free, handle, needs)
    return owner


def options(kind: str, keep: list[Any], **members: Any) -> Any:
    """A struct of options; members that are None keep their default. `keep` receives what must live as long."""
    out = ffi.new(f"{kind} *")
    out.size = ffi.sizeof(kind)
    for name, value in members.items():
        if name not in dir(out):
            raise TypeError(f"{name!r} is no member of {kind}")
        if value is None:
            continue
        if isinstance(value, Budget):
            value = value.handle
            keep.append(value)
        elif isinstance(value, Receiver):
            keep.append(value)
            value = {"report": lib.bspkit_py_report, "user": value.handle}
        elif isinstance(value, str):
            value = ffi.new("char[]", encoded(value))
            keep.append(value)
        setattr(out, name, value)
    keep.append(out)
    return out


class Budget:
    """Limits of memory and work, and a way to stop calls from another thread. What is None or 0 has the default
    of each product, in proportion to the file. `threads` 0: as many as there are processors."""

    def __init__(self, *, memory: int | None = None, work: int | None = None, output_bytes: int | None = None,
                 output_files: int | None = None, threads: int = 0) -> None:
        limits = ffi.new("bsp_limits *", {"memory": memory or 0, "work": work or 0,
                                          "output_bytes": output_bytes or 0,
                                          "output_files": output_files or 0})
        self.handle = own(lib.bsp_budget_new(limits, ffi.NULL), lib.bsp_budget_free)
        lib.bsp_budget_set_threads(self.handle, threads)

    def stop(self) -> None:
        """Ends every call that uses it, now and later, with an Error of code E_CANCELLED."""
        lib.bsp_budget_stop(self.handle)

    @property
    def used(self) -> dict[str, int]:
        """What was taken so far."""
        used = lib.bsp_budget_used(self.handle)
        return {name: int(getattr(used, name)) for name in ("memory", "work", "output_bytes", "output_files")}


# --- arrays ---------------------------------------------------------------------------------------

_SCALARS = {"float": "f4", "double": "f8", "uint64_t": "u8", "int64_t": "i8", "uint32_t": "u4", "int32_t": "i4",
            "uint16_t": "u2", "int16_t": "i2", "uint8_t": "u1", "int8_t": "i1", "_Bool": "?", "char": "S1",
            "int": "i4", "unsigned int": "u4"}
_known: dict[Any, np.dtype[Any]] = {}


def dtype_of(kind: Any) -> np.dtype[Any]:
    """The type of elements that have the layout of a C type. Pointers are numbers."""
    if kind not in _known:
        if kind.kind == "primitive" and kind.cname == "size_t":
            made_of: Any = np.dtype(f"u{ffi.sizeof('size_t')}")
        elif kind.kind == "primitive":
            made_of = np.dtype(_SCALARS[kind.cname])
        elif kind.kind == "enum":
            made_of = np.dtype("i4")
        elif kind.kind in ("pointer", "function"):
            made_of = np.dtype(f"u{ffi.sizeof('void *')}")
        elif kind.kind == "array":
            made_of = np.dtype((dtype_of(kind.item), (kind.length,)))
        else:
            made_of = np.dtype({"names": [name for name, _ in kind.fields],
                                "formats": [dtype_of(field.type) for _, field in kind.fields],
                                "offsets": [field.offset for _, field in kind.fields],
                                "itemsize": ffi.sizeof(kind)})
        _known[kind] = made_of
    return _known[kind]


class View(np.ndarray[Any, np.dtype[Any]]):
    """A read-only array over memory of the library, which it keeps alive."""

    _owner: Any = None

    def __array_finalize__(self, of: Any) -> None:
        self._owner = getattr(of, "_owner", None)


def view(pointer: Any, count: int, owner: Any) -> NDArray[Any]:
    """An array over `count` elements at a pointer, without a copy."""
    dtype = dtype_of(ffi.typeof(pointer).item)
    if count == 0 or pointer == ffi.NULL:
        return np.empty(0, dtype)
    memory = ffi.buffer(ffi.cast("char *", pointer), count * dtype.itemsize)
    out = np.frombuffer(memory, dtype).view(View)
    out._owner = owner
    out.flags.writeable = False
    return out


def bytes_view(view_: Any, owner: Any) -> NDArray[np.uint8]:
    """An array over a bsp_bytes, without a copy."""
    return view(view_.data, view_.size, owner)


def vectors(values: ArrayLike, width: int = 3) -> NDArray[np.float32]:
    """Rows of `width` numbers; one row may come as it is."""
    out = np.ascontiguousarray(values, np.float32)
    out = out.reshape(1, -1) if out.ndim == 1 else out
    if out.ndim != 2 or out.shape[1] != width:
        raise ValueError(f"an array of shape (n, {width}) is wanted, not {out.shape}")
    return out


def take_blob(blob: Any) -> bytes:
    """The bytes of a bsp_blob, which is freed."""
    out = bytes(ffi.buffer(blob.data, blob.size)) if blob.size else b""
    lib.bsp_blob_free(blob)
    return out


def take_image(image: Any) -> NDArray[np.uint8]:
    """The pixels of a bsp_image as an array of height, width and RGBA; the image is freed by it."""
    out = np.empty((image.height, image.width, 4), np.uint8)
    if out.size:
        ffi.memmove(ffi.from_buffer(out), image.pixels, out.nbytes)
    return out


# --- what the library calls ------------------------------------------------------------------------

class Receiver:
    """Receives what the library gives to a callback. An exception in it ends the call, and is raised
    where the call was made; False ends it, too."""

    def __init__(self, take: Callable[..., object]) -> None:
        self._take = take
        self.handle = ffi.new_handle(self)
        self.failure: BaseException | None = None

    def __call__(self, *what: Any) -> bool:
        go_on = True
        if self.failure is None:
            try:
                answer = self._take(*what)
                go_on = not isinstance(answer, (bool, np.bool_)) or bool(answer)
            except BaseException as failure:  # raised again by check()
                self.failure = failure
        return go_on and self.failure is None

    def check(self, result: Any, error: Any) -> Any:
        if self.failure is not None:
            raise self.failure
        return check(result, error)


def _interrupted(kind: Any, failure: Any, trace: Any) -> None:
    """Keeps what was raised outside of a receiver: a signal."""
    ffi.from_handle(trace.tb_frame.f_locals["user"]).failure = failure


def _called(function: _F) -> _F:
    """Makes a function of Python that of the same name in the module's C code."""
    ffi.def_extern(onerror=_interrupted)(function)
    return function


@_called
def bspkit_py_sink(user: Any, data: Any, size: int) -> bool:
    return bool(ffi.from_handle(user)(ffi.buffer(data, size)))


@_called
def bspkit_py_beside(user: Any, name: Any, data: Any, size: int) -> bool:
    return bool(ffi.from_handle(user).beside(string(name), bytes(ffi.buffer(data, size))))


@_called
def bspkit_py_missing(user: Any, material: Any, note: Any) -> None:
    ffi.from_handle(user).missing(text(material), string(note))


@_called
def bspkit_py_report(user: Any, stage: Any, done: int, total: int) -> bool:
    return bool(ffi.from_handle(user)(string(stage), done, total))


@_called
def bspkit_py_difference(user: Any, difference: Any) -> None:
    ffi.from_handle(user)(difference)


@_called
def bspkit_py_stale(user: Any, found: Any) -> None:
    ffi.from_handle(user)(found)


@_called
def bspkit_py_new_issue(user: Any, issue: Any) -> None:
    ffi.from_handle(user)(issue)


@_called
def bspkit_py_pictures(user: Any, material: int, scene_material: Any, texture: Any, second: Any, error: Any) -> bool:
    return bool(ffi.from_handle(user)(material, texture, second))


# --- structs --------------------------------------------------------------------------------------

class Struct(made.Held):
    """A struct of the library whose members the generated classes read. Its arrays keep `owner` alive."""

    handle: Any
    _keeps: Any

    def _hold(self, handle: Any, owner: Any) -> None:
        self.handle, self._keeps = handle, owner

    def _member(self, name: str) -> Any:
        return getattr(self.handle, name)

    def _text(self, name: str) -> str:
        return text(getattr(self.handle, name))

    def _value(self, name: str) -> Any:
        return view(ffi.addressof(self.handle, name), 1, self._keeps)[0]

    def _array(self, name: str, count: str) -> NDArray[Any]:
        return view(getattr(self.handle, name), getattr(self.handle, count), self._keeps)

    def _texts(self, name: str, count: str) -> list[str]:
        return [text(getattr(self.handle, name)[number]) for number in range(getattr(self.handle, count))]

    def _names(self, name: str, count: str) -> list[str]:
        names = [getattr(self.handle, name)[number].name for number in range(getattr(self.handle, count))]
        return [string(one) if ffi.typeof(one).kind == "pointer" else text(one) for one in names]
