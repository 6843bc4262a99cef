# SPDX-License-Identifier: MIT
"""Every constant of an enum of the public headers has its number beside it, and no other of that enum has
the same: programs in other languages hold the numbers, so that moving a line must not change them."""
import pathlib
import re
import sys

CONSTANT = re.compile(r"    (BSP_\w+)(?: = (-?\w+))?,?(?:\s|$)")
problems = []
constants = 0

for path in sorted(pathlib.Path("include/bspkit").glob("*.h")):
    enum, numbers = None, {}
    for at, line in enumerate(path.read_text().split("\n"), 1):
        begin = re.match(r"typedef enum (\w+) \{", line)
        if begin:
            enum, numbers = begin[1], {}
        elif line.startswith("}"):
            enum = None
        constant = enum and CONSTANT.match(line)
        if not constant:
            continue
        constants += 1
        if constant[2] is None:
            problems.append(f"{path}:{at}: {constant[1]} has no number")
            continue
        number = int(constant[2], 0)
        if number in numbers:
            problems.append(f"{path}:{at}: {constant[1]} has the number of {numbers[number]}")
        numbers[number] = constant[1]

for problem in problems:
    print(problem)
print(f"{constants} constants")
assert constants > 300, constants
sys.exit(1 if problems else 0)
