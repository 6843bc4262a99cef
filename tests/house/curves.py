# SPDX-License-Identifier: MIT
"""Sines, powers and their like of floats differ from one C library and processor to the next: src/core/curves.h
has forms that do not. (What C computes exactly, as fmodf, sqrtf and rintf, may stand anywhere.)"""
import pathlib
import re
import sys

FLOATS = re.compile(r"\b((?:a?(?:sin|cos|tan)|atan2|sincos|(?:sin|cos|tan)h|pow|exp|exp2|expm1|log|log2|log10|log1p|cbrt"
                    r"|hypot)f)\s*\(")
bad = []
files = sorted(p for p in pathlib.Path("src").rglob("*") if p.suffix in (".c", ".h"))
assert len(files) > 100, "run in the root of the repository"
for path in files:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        bad += [f"{path}:{number}: {name}: use core/curves.h" for name in FLOATS.findall(line)]
assert FLOATS.search("a = sinf(b)") and not FLOATS.search("fmodf(a, b) + sqrtf(c) + sin(d) + rintf(e)")
print("\n".join(bad))
sys.exit(bool(bad))
