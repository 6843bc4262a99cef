# SPDX-License-Identifier: MIT
"""Every public function asserts that it was given what it needs: each of its pointers is in an assert of
its body, unless its comment says that it may be NULL, or it is handed straight to another public function.
core.h says which pointers are optional everywhere. What may be NULL is freed without an assert. Every struct
of options begins with its size, and what takes one takes it through BSPI_TAKE_OPTIONS."""
import pathlib
import re
import sys

# Optional in every function (core.h).
OPTIONAL = {"error", "options", "allocator", "user"}
# (function, pointer): why it is in no assert.
EXCEPTIONS = {
    ("bsp_fail", "format"): "as printf",
}

problems = []


def declarations():
    """name: parameters, comment."""
    found = {}
    for path in sorted(pathlib.Path("include/bspkit").glob("*.h")):
        text = path.read_text()
        for match in re.finditer(r"((?:^[ ]*///.*\n)*)^BSP_API [^;]*?(\w+)\(([^;]*?)\)\s*(?:BSP_PRINTF\([^)]*\))?;",
                                 text, re.M):
            comment = " ".join(line.strip()[3:].strip() for line in match[1].split("\n"))
            parameters = [part.strip() for part in re.split(r",(?![^()]*\))", " ".join(match[3].split()))]
            found[match[2]] = (parameters, comment)
        for struct, first in re.findall(r"typedef struct (bsp_\w*options) \{\n *([^\n]*)", text):
            if not first.startswith("size_t size;"):
                problems.append(f"{path}: {struct} does not begin with its size")
    return found


def definitions():
    """name: parameters and body."""
    found = {}
    pattern = re.compile(r"^(?:const )?[a-z]\w* \*?\n?\*?(bsp_\w+)\(([^;{}]*)\) \{\n(.*?)^\}", re.M | re.S)
    for path in sorted(pathlib.Path("src").rglob("*.c")):
        if "cli" not in path.parts:
            for match in pattern.finditer(path.read_text()):
                found[match[1]] = (match[2], match[3])
    return found


def pointers(parameters):
    """Names of the parameters that are pointers, to functions too."""
    for parameter in parameters:
        if "*" in parameter or "[" in parameter or re.match(r"bsp_\w*sink ", parameter):
            yield re.search(r"(\w+)\)?(\[\w*\])*$", parameter)[1]  # "(*rows)[4]" too


def may_be_null(name, comment):
    if re.search(r"NULL(, are| is) allowed", comment):
        return True
    return bool(re.search(rf"`{name}`(?:(?:,| and|, and) `\w+`)*[^`;.]*\bNULL", comment))


def is_handed_on(name, body):
    statement = body.strip()
    return statement.count(";") == 1 and bool(re.match(
        rf"(return )?(\(void\))?bsp_\w+\([^;]*\b{name}\b[^;]*\);$", statement))


declared = declarations()
defined = definitions()
exported = (pathlib.Path("tests/house/symbols.txt")).read_text().split()
checked = 0
for function in sorted(declared.keys() - set(exported)):
    problems.append(f"{function} is declared, and is not in the list of exported symbols")
for function in exported:
    if function not in declared or function not in defined:
        problems.append(f"{function}: {'no definition' if function in declared else 'no declaration'} is found")
        continue
    parameters, comment = declared[function]
    body = defined[function][1]
    asserts = " ".join(re.findall(r"\bassert\(([^;]*)\);", body))
    for name in pointers(parameters):
        if name in OPTIONAL or (function, name) in EXCEPTIONS:
            continue
        checked += 1
        asserted = re.search(rf"\b{name}\b", asserts)
        if may_be_null(name, comment):
            if asserted and not re.search(rf"\b{name} != NULL \|\|", asserts):
                problems.append(f"{function}: `{name}` may be NULL, and is asserted")
        elif not asserted and not is_handed_on(name, body):
            problems.append(f"{function}: `{name}` is in no assert, and the comment does not allow NULL")
    if any(re.match(r"const bsp_\w*options \*", parameter) for parameter in parameters):
        if "BSPI_TAKE_OPTIONS(" not in body:
            problems.append(f"{function} does not take its options with BSPI_TAKE_OPTIONS")

for problem in problems:
    print(problem)
print(f"{len(exported)} functions, {checked} pointers")
assert checked > 200, checked
sys.exit(1 if problems else 0)
