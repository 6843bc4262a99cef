# SPDX-License-Identifier: MIT
"""Comments, messages and pages keep to the words of the glossary: none uses a word that has no right
use here. "behind" is for space ("behind the plane"), and not for order: bytes come "after" others."""
import pathlib
import re
import subprocess
import sys

# Words that name no person or thing, metaphors for functions, and "behind" where it means "after".
FORBIDDEN = [
    (r"somebody|someone|whoever|nobody", "name who or what it is, or use the passive"),
    (r"mend(s|ed|ing|er)?", "repair, fix"),
    (r"feeds?|unfed", "a field becomes a member"),
    (r"behind (it|them|those|that) in the (file|lump|list|text|zip)", "after"),
    (r"(one|ones|lumps?|bytes|records?|numbers?) behind the other", "one after the other"),
    (r"(ends?|lies|reads?|starts?|bytes?) behind (the|its|their) (end|file|lump|last|nul|count)", "after"),
    (r"behind (the|its|a) (head|count|directory|nul|end|last|lump|value|name|smallest mip)", "after"),
]
# A place where such a word is right, with the reason.
ALLOWED = {
    ("CHANGELOG.md", "mend"): "past releases",
}
PATTERNS = [(re.compile(rf"\b({word})\b", re.I), better) for word, better in FORBIDDEN]
SOURCES = ("src", "include", "fuzz", "bench", "examples", "tests/support")
PAGES = [pathlib.Path(name) for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]


def prose(path, text):
    """The lines of a page; of a source its comments and texts, runs of lines joined as they are read."""
    if path.suffix == ".md":
        return enumerate(text.split("\n"), 1)
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        parts = re.findall(r"//.*|\"(?:[^\"\\]|\\.)*\"", line)
        words = " ".join(part.lstrip("/<").strip("\" ") for part in parts)
        if words:
            lines.append((number, words))
    return lines


def pieces(lines):
    """Each line, and each line with the next one, so that a phrase across two lines is found."""
    lines = list(lines)
    for (number, text), (after, more) in zip(lines, lines[1:] + [(0, "")]):
        yield number, text, text + " " + more if after == number + 1 else text


def check(path, text):
    """Returns the problems of a file."""
    found = []
    for number, line, both in pieces(prose(path, text)):
        for pattern, better in PATTERNS:
            match = pattern.search(line) or (pattern.search(both) if " " in pattern.pattern else None)
            if match and match.start() < len(line) and (path.name, match[0].lower()) not in ALLOWED:
                found.append(f"{path}:{number}: '{match[0]}': {better}")
    return found


# The search finds what it is for, across lines too, and leaves space and code alone.
assert check(pathlib.Path("a.c"), "int x; // a count that nobody reads")
assert check(pathlib.Path("a.c"), "// the palette stands behind the\n// smallest mip")
assert check(pathlib.Path("a.c"), 'fail("a run ends behind its lump");')
assert not check(pathlib.Path("a.c"), "// the space behind the plane\nint mend(int nobody);")

files = [path for folder in SOURCES for path in sorted(pathlib.Path(folder).rglob("*.[ch]"))]
files += PAGES + sorted(pathlib.Path("docs").rglob("*.md"))
kept = set(subprocess.run(["git", "ls-files"], capture_output=True, text=True).stdout.split())
problems = [problem for path in files if not kept or str(path) in kept
            for problem in check(path, path.read_text())]
for problem in problems:
    print(problem)
print(len(files), "files")
sys.exit(1 if problems else 0)
