# SPDX-License-Identifier: MIT
"""What pyproject.toml cannot say: the C module, and the version that the library has."""
import pathlib
import re

from setuptools import setup

ROOT = pathlib.Path(__file__).resolve().parent
CORE = (ROOT / "include" / "bspkit" / "core.h").read_text()
VERSION = ".".join(re.search(rf"#define BSP_VERSION_{part} (\d+)", CORE)[1] for part in ("MAJOR", "MINOR", "PATCH"))

setup(version=VERSION, cffi_modules=["python/build_native.py:ffi"],
      options={"bdist_wheel": {"py_limited_api": "cp310"},
               "build": {"build_base": "build/python/setuptools"},
               "egg_info": {"egg_base": "build/python"}})
