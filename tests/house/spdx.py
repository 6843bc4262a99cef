# SPDX-License-Identifier: MIT
"""Every source file names its licence in the first line (the second, behind an interpreter line)."""
import pathlib
import sys

KINDS = {".c", ".h", ".sh", ".py", ".cmake", ".in"}
NAMES = {"CMakeLists.txt", "Makefile", "run", ".clang-format"}
FOLDERS = ["src", "include", "tests", "fuzz", "bench", "examples", "scripts", "cmake", ".ci",
           "tools"]

bad = []
files = [p for folder in FOLDERS for p in pathlib.Path(folder).rglob("*") if p.is_file()]
files += [p for p in pathlib.Path(".").iterdir() if p.is_file()]
for path in files:
    if path.suffix in KINDS and not path.name.endswith(".pc.in") or path.name in NAMES:
        lines = path.read_text(errors="replace").splitlines()[:2]
        if lines and lines[0].startswith("#!"):
            lines.pop(0)
        if not lines or "SPDX-License-Identifier: MIT" not in lines[0]:
            bad.append(f"{path}: no SPDX line on top")
sys.exit("\n".join(bad) if bad else 0)
