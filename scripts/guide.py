# SPDX-License-Identifier: MIT
"""Fills the blocks of the guide, so that what it shows is what runs: after a line <!-- example NAME -->
the text of examples/NAME.c, after <!-- run COMMAND --> the command and what it prints, up to the line
<!-- end -->. The commands run in an empty folder that has samples/ in it. usage: guide.py BSPKIT FOLDER
(FOLDER holds guide/*.md). Programs of examples/ are run if they are built beside BSPKIT, in examples/;
else their blocks stay as they are."""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BSPKIT = pathlib.Path(sys.argv[1]).resolve()
PROGRAMS = BSPKIT.parent / "examples"
BLOCK = re.compile(r"^<!-- (example|run) ([^\n]*) -->\n(.*?)^<!-- end -->\n", re.S | re.M)
NAMES = {path.stem for path in (ROOT / "examples").glob("*.c")}


def ran(command, old, folder):
    words = set(re.findall(r"(?:^|[;&|] *)(\w+)", command))
    if words & NAMES and not all((PROGRAMS / name).exists() for name in words & NAMES):
        return old
    environment = {"PATH": f"{BSPKIT.parent}:{PROGRAMS}:{os.environ['PATH']}", "LC_ALL": "C"}
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
                          capture_output=True, check=False)
    if done.returncode not in (0, 1, 141) or done.stderr:
        sys.exit(f"guide.py: {command}: status {done.returncode}: {done.stderr.decode()}")
    output = done.stdout.decode()
    return f"```\n$ {command}\n{output}" + ("" if output.endswith("\n") else "\n") + "```\n"


def fill(path, folder):
    def block(match):
        kind, what, old = match[1], html.unescape(match[2]), match[3]
        if kind == "example":
            new = f"```c\n{(ROOT / 'examples' / what).with_suffix('.c').read_text()}```\n"
        else:
            new = ran(what, old, folder)
        return f"<!-- {match[1]} {match[2]} -->\n{new}<!-- end -->\n"

    text = path.read_text()
    path.write_text(BLOCK.sub(block, text))


with tempfile.TemporaryDirectory() as work:
    shutil.copytree(ROOT / "samples", f"{work}/samples")
    for chapter in sorted(pathlib.Path(sys.argv[2]).glob("guide/*.md")):
        fill(chapter, work)
