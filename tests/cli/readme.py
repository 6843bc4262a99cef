# SPDX-License-Identifier: MIT
"""The commands of the README's table "I want to ..." run, on the Source sample and on the Quake sample."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

BSPKIT = pathlib.Path(os.environ["BSPKIT"]).resolve()
# A difference, and files of the game that are not there (a model), are status 1.
STATUS = {("quake", "diff"): 1, ("source", "diff"): 1, ("source", "assets"): 1}
# The page of the viewer is there after `make web` only.
EITHER = {"view": (0, 3)}
# What needs an embedded zip, packed lumps or another byte order.
SOURCE_ONLY = ("pak", "convert")

def program_folder(place):
    """A folder with the command under its name: BSPKIT may be a script that runs it."""
    if BSPKIT.stem == "bspkit" and BSPKIT.suffix == "":
        return BSPKIT.parent
    script = pathlib.Path(place, "bspkit")
    script.write_text(f'#!/bin/sh\nexec "{BSPKIT}" "$@"\n')
    script.chmod(0o755)
    return place


table = re.search(r"^\| I want to .*?\n\n", pathlib.Path("README.md").read_text(), re.S | re.M)[0]
commands = [c.replace("\\|", "|") for c in re.findall(r"`([^`]*bspkit [^`]*)`", table)]
assert len(commands) >= 13, commands
for family in ("quake", "source"):
    game = pathlib.Path("samples", family).resolve()
    with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as place:
        programs = program_folder(place)
        for name in ("lobby.bsp", "old.bsp"):
            shutil.copy(game / "lobby.bsp", pathlib.Path(work, name))
        for command in commands:
            word = re.search(r"bspkit (\w+)", command)[1]
            if family == "quake" and word in SOURCE_ONLY:
                continue
            line = command.replace("GAME-FOLDER", str(game))
            environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")
            done = subprocess.run(line, shell=True, cwd=work, env=environment, capture_output=True, check=False)
            right = EITHER.get(word, (STATUS.get((family, word), 0),))
            assert done.returncode in right, (family, line, done)
        made = {path.name for path in pathlib.Path(work).iterdir()}
        assert {"lobby.png", "lobby.map", "lobby.glb", "new.bsp", "png"} <= made, made
