# SPDX-License-Identifier: MIT
"""Which models items of the games of Quake 3 show: classes of Team Arena, OpenArena and Nexuiz, by the names
of the models that are missed. Expected are the games' own lists (bg_misc.c, t_items.qc)."""
import json
import os
import pathlib
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
LOBBY = SOURCE / "samples/quake3/lobby.bsp"
MODELS = {
    "ammo_nails": "models/powerups/ammo/nailgunam.md3", "holdable_kamikaze": "models/powerups/kamikazi.md3",
    "item_guard": "models/powerups/guard.md3", "weapon_chaingun": "models/weapons/vulcan/vulcan.md3",
    "team_CTF_neutralflag": "models/flags/n_flag.md3", "item_quad": "models/powerups/instant/quad.md3",
    "item_armor25": "models/items/g_a25.md3", "item_health1": "models/items/g_h1.md3",
    "item_bullets": "models/items/a_bullets.mdl", "weapon_nex": "models/weapons/g_nex.md3",
    "item_health": "models/powerups/health/medium_cross.md3",
}


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = '{\n"classname" "worldspawn"\n}\n'
        text += "".join('{\n"classname" "%s"\n"origin" "0 0 64"\n}\n' % c for c in MODELS)
        (folder / "entities.txt").write_text(text)
        run("entities", "--import", folder / "entities.txt", LOBBY, "-o", folder / "m.bsp")
        found = json.loads(run("query", "props", folder / "m.bsp"))
        assert found["props"] == []
        assert sorted(m["model"] for m in found["missing"]) == sorted(MODELS.values()), found["missing"]


main()
