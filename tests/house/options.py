# SPDX-License-Identifier: MIT
"""Options of the command are bound to variables: no code asks for one by its name, and the rows of the
tables say with offsetof where a value goes."""
import os
import pathlib
import re
import sys

CLI = pathlib.Path(os.environ["SOURCE"], "src/cli")
ASKS = re.compile(r"""option->name[^;]*== 0|strcmp\([^;]*(option->name|->given)|cli_(flag|text|number)\(""")
OWN = {"options.c", "help.c"}  # they make the tables' names what the command line says

wrong = []
rows = 0
for path in sorted(CLI.rglob("*.[ch]")):
    text = path.read_text()
    rows += len(re.findall(r"\.name = \"[a-z-]+\",\s+(?:\\\s+)?(?:\.letter = '.',\s+)?CLI_[A-Z]+_TO\(", text))
    if path.name not in OWN:
        wrong += [f"{path}: {match.group(0)}" for match in ASKS.finditer(text)]
    # A row that says its place by itself would not be checked against the member's type.
    if path.name != "options.h":
        wrong += [f"{path}: {match.group(0)}" for match in re.finditer(r"\.value = CLI_|\.store = CLI_", text)]
print(f"{rows} options in the tables")
print("\n".join(wrong))
sys.exit(1 if wrong or rows < 60 else 0)
