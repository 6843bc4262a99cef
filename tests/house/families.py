# SPDX-License-Identifier: MIT
"""Above src/formats no code asks which family, name or magic a branch has: what differs between
games is a trait of the branch (bsp_traits). Two ways of asking are looked for: comparisons and
switches over a family, and comparisons of a branch's name or magic."""
import pathlib
import re
import sys

# FILE: why it may ask. A place that no longer asks fails the test, so the list cannot grow stale.
JUSTIFIED = {
    "src/edit/convert/convert.c": "a map is only converted within its family: the family is the question",
    "src/compare/assets/tables.c": "rows of where games keep files are keyed by family bits",
    "src/compare/assets/assets.c": "asks these rows",
    "src/compare/assets/defined.c": "asks these rows",
    "src/compare/assets/map.c": "asks these rows",
    "src/decompile/source/tools.c": "rows of tool materials that one branch alone has name it",
}
FAMILY = r"BSP_(?:QUAKE|GOLDSRC|QUAKE2|QUAKE3|SOURCE|TITANFALL)\b"
ASKS = re.compile(
    rf"family\)?\s*[=!]=|[=!]=\s*{FAMILY}|case\s+{FAMILY}|\[\s*{FAMILY}\s*\]|<<\s*{FAMILY}"
    rf"|BSPI_IN\(|1u\s*<<\s*\(?family|switch\s*\([^)]*family|\[[^\]]*(?:->|\.)family\s*\]"
    rf"|(?:str(?:n?case)?cmp|memcmp|strncmp|strstr)\s*\([^;]*branch->(?:name|magic)")

source = pathlib.Path("src")
files = sorted(p for p in source.rglob("*") if p.suffix in (".c", ".h"))
assert len(files) > 100, "run in the root of the repository"
bad, seen = [], set()
for path in files:
    name = path.as_posix()
    if name.startswith("src/formats/"):
        continue
    text = re.sub(r"//.*", "", path.read_text())
    for number, line in enumerate(text.splitlines(), 1):
        if not ASKS.search(line):
            continue
        if name in JUSTIFIED:
            seen.add(name)
        else:
            bad.append(f"{name}:{number}: {line.strip()}: ask a trait of the branch")
bad += [f"{name}: asks no longer: take it off the list" for name in JUSTIFIED if name not in seen]

# The pattern finds what it is for.
for ask in ("if (branch->family == BSP_SOURCE) {", "case BSP_QUAKE3:", "[BSP_QUAKE] = {1},",
            'strcmp(branch->name, "quake")', "rows[map->branch->family]"):
    assert ASKS.search(ask), ask

print("\n".join(bad))
sys.exit(bool(bad))
