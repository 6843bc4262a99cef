# SPDX-License-Identifier: MIT
"""Options of the command are bound to variables: no code asks for one by its name, and the rows of the
tables say with offsetof where a value goes. A table has no option twice, whatever its macros stand for."""
import os
import pathlib
import re
import sys

CLI = pathlib.Path(os.environ["SOURCE"], "src/cli")
ASKS = re.compile(r"""option->name[^;]*== 0|strcmp\([^;]*(option->name|->given)|cli_(flag|text|number)\(""")
OWN = {"options.c", "help.c"}  # they make the tables' names what the command line says

MACRO = re.compile(r"#define (CLI_\w+)(?:\([^)]*\))?((?:[^\n]*\\\n)*[^\n]*)")
ROW = re.compile(r"\.name = \"([a-z-]+)\"|\b(CLI_(?:OPTIONS?_\w+|RECURSIVE))\b")
TABLE = re.compile(r"static const cli_option (\w+)\[\] = \{(.*?)\n\};", re.S)
macros = {name: body for path in sorted(CLI.rglob("*.h")) for name, body in MACRO.findall(path.read_text())}


def names_in(text):
    """The names of the options of a table or a macro."""
    return [name for plain, macro in ROW.findall(text)
            for name in ([plain] if plain else names_in(macros.get(macro, "")))]


wrong = []
rows = 0
tables = 0
for path in sorted(CLI.rglob("*.c")):
    for table, text in TABLE.findall(path.read_text()):
        names = names_in(text)
        tables += len(names) > 0
        wrong += [f"{path}: {table} has --{name} twice" for name in sorted({n for n in names if names.count(n) > 1})]
for path in sorted(CLI.rglob("*.[ch]")):
    text = path.read_text()
    rows += len(re.findall(r"\.name = \"[a-z-]+\",\s+(?:\\\s+)?(?:\.letter = '.',\s+)?CLI_[A-Z]+_TO\(", text))
    if path.name not in OWN:
        wrong += [f"{path}: {match.group(0)}" for match in ASKS.finditer(text)]
    # A row that says its place by itself would not be checked against the member's type.
    if path.name != "options.h":
        wrong += [f"{path}: {match.group(0)}" for match in re.finditer(r"\.value = CLI_|\.store = CLI_", text)]
print(f"{rows} options in {tables} tables")
print("\n".join(wrong))
sys.exit(1 if wrong or rows < 60 or tables < 20 else 0)
