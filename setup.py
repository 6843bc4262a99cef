# SPDX-License-Identifier: MIT
"""What pyproject.toml cannot say: the C module, the version that the library has, and the licences of the libraries
that the module contains (BSPKIT_LIBRARIES, build_native.py)."""
import os
import pathlib
import re
import shutil

from setuptools import setup

ROOT = pathlib.Path(__file__).resolve().parent
CORE = (ROOT / "include" / "bspkit" / "core.h").read_text()
VERSION = ".".join(re.search(rf"#define BSP_VERSION_{part} (\d+)", CORE)[1] for part in ("MAJOR", "MINOR", "PATCH"))

LICENCES = ROOT / "build" / "python" / "licences"  # named in pyproject.toml
shutil.rmtree(LICENCES, ignore_errors=True)
if libraries := os.environ.get("BSPKIT_LIBRARIES"):
    shutil.copytree(pathlib.Path(libraries) / "licences", LICENCES)

setup(version=VERSION, cffi_modules=["python/build_native.py:ffi"],
      options={"bdist_wheel": {"py_limited_api": "cp310"},
               "build": {"build_base": "build/python/setuptools"},
               "egg_info": {"egg_base": "build/python"}})
