#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the rows of whole commands that commands.py printed into the page, in place of those that stand there,
and lists the rows where a peer is faster again: commands_page.py PAGE ROWS."""
import pathlib
import subprocess
import sys
import tempfile

BEGIN, END, HEAD, LOSSES = "<!-- table -->\n", "<!-- end -->\n", "| job |", "\nRows of "


def main():
    page, rows = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    tables, after = rest.split(END)
    tables = tables.split(LOSSES)[0]
    head, old = tables.split(HEAD, 1)
    tables = head + HEAD + rows.split(HEAD, 1)[1].rstrip("\n") + "\n\n" + old.split("\n\n", 1)[1]
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file:
        file.write(tables)
        file.flush()
        losses = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("losses.py"), file.name],
                                check=True, capture_output=True, text=True).stdout
    page.write_text(before + BEGIN + tables + losses.replace("\n\n\n", "\n\n") + END + after, encoding="utf-8")


main()
