# SPDX-License-Identifier: MIT
"""Every public symbol has a word: each function, type, constant of an enum, macro and member of a struct
in include/bspkit carries a comment (/// before it, ///< on its line or going on from the line before).
A /// before a constant or member speaks for those that follow it up to a blank line. A member whose name
is explained here, or that the comment of its struct names in `backticks`, needs none of its own."""
import pathlib
import re
import sys

# Names that mean the same in every struct.
PLAIN = {
    "data": "the bytes or records", "size": "bytes", "count": "how many", "list": "the array",
    "mins": "lower corner of a box", "maxs": "upper corner of a box", "origin": "place, game units",
    "normal": "unit vector", "dist": "distance along it", "width": "pixels or texels across",
    "height": "pixels or texels down", "allocator": "NULL: the C library's", "owner": "private",
    "user": "handed to the callbacks beside it", "code": "the bsp_code", "place": "a bsp_place",
    "kind": "the kind", "branch": "the branch", "texinfo": "index, or BSP_NONE",
    "material": "index, or BSP_NONE", "plane": "index, or BSP_NONE", "face": "index, or BSP_NONE",
    "area": "index", "entity": "index", "model": "index", "name": "as in the file",
    "progress": "bsp_progress", "detection": "bsp_detection", "points": "array", "indices": "array",
    "vertices": "array", "faces": "array", "groups": "array", "polygons": "array", "angles": "degrees",
}
# count_of, first_of: the array or run that they belong to is documented, or is a PLAIN one.
RUN = re.compile(r"^(num|first)_\w+$")
# Guards, attributes and numbers of the version: not for users.
PRIVATE_MACRO = re.compile(r"_H$|^BSP_(API|PRINTF|VERSION_(MAJOR|MINOR|PATCH))$")

problems = []
counts = {}


def missing(path, number, kind, name):
    problems.append(f"{path}:{number}: {kind} {name} has no comment")


def seen(kind):
    counts[kind] = counts.get(kind, 0) + 1


def check_function(path, lines, i):
    seen("function")
    text = " ".join(lines[i:i + 3])
    name = re.search(r"(\w+)\(", text)[1]
    if not lines[i - 1].lstrip().startswith("///"):
        missing(path, i + 1, "function", name)


def member_names(code):
    array = re.match(r"\s*BSP_ARRAY\([^,]+, (\w+)\);", code)
    if array:
        return [array[1]]
    function = re.search(r"\(\*(\w+)\)", code)
    if function:
        return [function[1]]
    code = re.sub(r"\[[^\]]*\]", "", code)
    return [part.split()[-1].lstrip("*") for part in code.strip().rstrip(";,").split(",") if part.split()]


def check_body(path, lines, i, enum, docs):
    """Members or constants from the line after the brace; returns the line of the closing one."""
    group = False
    i += 1
    while not lines[i].startswith("}"):
        line = lines[i].strip()
        if line.startswith("///"):
            group = True
        elif not line:
            group = False
        elif not line.startswith("//"):
            first = i
            while not re.search(r"[;,]\s*(//.*)?$", lines[i]) and not lines[i + 1].startswith("}"):
                i += 1  # a declaration on several lines
            text = " ".join(lines[first:i + 1])
            names = member_names(re.sub(r"\s*=.*", "", text.split("//")[0]) if enum else text.split("//")[0])
            for name in names:
                seen("constant" if enum else "member")
                plain = not enum and (name in PLAIN or RUN.match(name) or f"`{name}`" in docs)
                if not (group or "///<" in text or plain or name.endswith("_COUNT")):
                    missing(path, first + 1, "constant" if enum else "member", name)
        i += 1
    return i


def check_header(path):
    lines = path.read_text().split("\n")
    if not any(line.startswith("/// @file") for line in lines[:4]) and path.name != "bspkit.h":
        missing(path, 1, "header", path.name)
    i = 0
    while i < len(lines):
        line = lines[i]
        documented = i > 0 and lines[i - 1].startswith("///")
        docs = ""
        for back in range(i - 1, -1, -1):
            if not lines[back].startswith("///"):
                break
            docs += lines[back]
        macro = re.match(r"#define (\w+)", line)
        if macro and not PRIVATE_MACRO.search(macro[1]):
            seen("macro")
            if not documented and "///<" not in line:
                missing(path, i + 1, "macro", macro[1])
        elif line.startswith("BSP_API"):
            check_function(path, lines, i)
        elif re.match(r"typedef |struct \w+ \{", line):
            seen("type")
            if not documented:
                missing(path, i + 1, "type", " ".join(line.split()[:3]))
            if line.endswith("{"):
                i = check_body(path, lines, i, line.startswith("typedef enum"), docs)
        i += 1


for header in sorted(pathlib.Path("include/bspkit").glob("*.h")):
    check_header(header)
for problem in problems:
    print(problem)
print(", ".join(f"{value} {key}s" for key, value in sorted(counts.items())))
assert counts["function"] > 180 and counts["type"] > 150 and counts["member"] > 700, counts
sys.exit(1 if problems else 0)
