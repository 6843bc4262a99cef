# SPDX-License-Identifier: MIT
"""Every function of the public headers that frees or closes is called by tests/map/test_contract.c with NULL,
and with a struct of zeros where it takes a plain struct: core.h promises both."""
import pathlib
import re
import sys

headers = "".join(path.read_text() for path in sorted(pathlib.Path("include/bspkit").glob("*.h")))
plain = set(re.findall(r"^typedef struct (\w+) \{", headers, re.MULTILINE))
tests = pathlib.Path("tests/map/test_contract.c").read_text()
freeing = re.findall(r"BSP_API void (bsp_\w+_(?:free|close))\((\w+) \*", headers)
problems = [f"{name}(NULL) is not tested" for name, _ in freeing if f"    {name}(NULL);" not in tests]
problems += [f"{name} of a struct of zeros is not tested" for name, of in freeing
             if of in plain and f"    {name}(&({of}){{0}});" not in tests]

for problem in problems:
    print(problem)
print(f"{len(freeing)} functions")
assert len(freeing) > 40, len(freeing)
sys.exit(1 if problems else 0)
