# SPDX-License-Identifier: MIT
"""The library that stands beside this file: loaded by ctypes, its errors as exceptions, its memory as arrays
of NumPy. Its structs and functions are those of the C headers (_generated.py)."""
import ctypes
import os
import pathlib
import sys

import numpy as np

from . import _generated as c

NAMES = {"win32": "bspkit.dll"}
_loaded = None


class Error(Exception):
    """A call of the library failed."""


def loaded():
    """The library, which is loaded by the first call. BSPKIT_LIBRARY names another file."""
    global _loaded
    if _loaded is None:
        beside = pathlib.Path(__file__).parent / NAMES.get(sys.platform, "libbspkit.so")
        named = os.environ.get("BSPKIT_LIBRARY", str(beside))
        try:
            found = ctypes.CDLL(named)
            c.declare(found)
        except (OSError, AttributeError) as failure:
            raise Error(f"the library cannot be loaded: {failure}") from failure
        version = found.bsp_version().decode()
        if version.split(".")[:2] != [str(number) for number in c.VERSION[:2]]:
            raise Error(f"{named} is version {version}, and this add-on is made for {c.VERSION}")
        _loaded = found
    return _loaded


def call(name, *arguments):
    """Calls a function whose last parameter is a bsp_error, and raises that if it fails."""
    error = c.bsp_error()
    result = getattr(loaded(), name)(*arguments, ctypes.byref(error))
    if not result:
        raise Error(error.message.decode("utf-8", "replace") or f"{name} failed")
    return result


def options(kind, **members):
    """A struct of options; what is not named keeps its default."""
    out = kind(**members)
    out.size = ctypes.sizeof(kind)
    return out


def text(run):
    """The characters of a bsp_text. Those that are no UTF-8 are taken for Latin-1."""
    data = ctypes.string_at(run.data, run.size) if run.size else b""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


_types = {}


def dtype_of(kind):
    """The type of elements that have the layout of a C type. Pointers are numbers."""
    if kind not in _types:
        if issubclass(kind, ctypes.Structure):
            fields = [field[0] for field in kind._fields_]
            _types[kind] = np.dtype({"names": fields, "formats": [dtype_of(field[1]) for field in kind._fields_],
                                     "offsets": [getattr(kind, name).offset for name in fields],
                                     "itemsize": ctypes.sizeof(kind)})
        elif issubclass(kind, ctypes.Array):
            _types[kind] = np.dtype((dtype_of(kind._type_), (kind._length_,)))
        elif hasattr(kind, "contents") or hasattr(kind, "argtypes") or kind in (ctypes.c_void_p, ctypes.c_char_p):
            _types[kind] = np.dtype(np.uintp)
        else:
            _types[kind] = np.dtype(kind)
    return _types[kind]


def array(pointer, count):
    """An array over `count` elements at a pointer, without a copy: valid as long as what owns them."""
    kind = dtype_of(pointer._type_)
    if not pointer or count == 0:
        return np.empty(0, kind)
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    return np.frombuffer((ctypes.c_char * (count * kind.itemsize)).from_address(address), kind)


def pixels(image):
    """A copy of the pixels of a bsp_image: rows from the top, RGBA. None without pixels."""
    if not image.pixels or image.width == 0 or image.height == 0:
        return None
    size = image.width * image.height * 4
    return array(image.pixels, size).reshape(image.height, image.width, 4).copy()
