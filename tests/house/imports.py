# SPDX-License-Identifier: MIT
"""Modules of the Python package import downwards only: none imports inside a function, and none needs
another that needs it. What only type checkers read (TYPE_CHECKING) does not count."""
import ast
import pathlib
import sys

PACKAGE = pathlib.Path("python/bspkit")
problems = []
needs = {}

for path in sorted(PACKAGE.glob("*.py")):
    tree = ast.parse(path.read_text())
    needs[path.stem] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            needs[path.stem].update(names)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            problems += [f"{path}:{inner.lineno}: an import inside a function" for inner in ast.walk(node)
                         if isinstance(inner, ast.ImportFrom) and inner.level == 1]


def reach(name, way):
    """Follows the imports of a module from the one at the start of the way."""
    for other in sorted(needs.get(name, ())):
        if other == way[0]:
            problems.append(" needs ".join([*way, other]))
        elif other not in way:
            reach(other, [*way, other])


for name in needs:
    if not problems:
        reach(name, [name])
for problem in problems:
    print(problem)
print(f"{len(needs)} modules")
assert sum(map(len, needs.values())) > 40, needs
sys.exit(1 if problems else 0)
