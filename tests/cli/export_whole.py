# SPDX-License-Identifier: MIT
"""Whole faces: the outlines of ORIGINALFACES, each once, with the materials of the pieces. Areas are worked out
from the lumps."""
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
LOBBY = SOURCE / "samples/source/lobby.bsp"
OTHERS = ("lobby_hill1", "lobby_sign1")  # of a displacement and an overlay


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout


def lump(name):
    return json.loads(run("dump", "--json", LOBBY, name))


def area_of(corners):
    total = [0, 0, 0]
    for a, b in zip(corners[1:], corners[2:]):
        u, v = [[p[i] - corners[0][i] for i in range(3)] for p in (a, b)]
        for i in range(3):
            total[i] += u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]
    return math.sqrt(sum(x * x for x in total)) / 2


def expected():
    """The area of all wholes that faces of a model were cut from, each once."""
    faces, wholes = lump("FACES"), lump("ORIGINALFACES")
    edges, surfedges, points = lump("EDGES"), lump("SURFEDGES"), lump("VERTEXES")
    corner = [list(p.values())[0] if isinstance(p, dict) else p for p in points]
    ends = [list(e.values())[0] if isinstance(e, dict) else e for e in edges]
    runs = [list(s.values())[0] if isinstance(s, dict) else s for s in surfedges]
    total, pieces = 0, 0
    for model in lump("MODELS"):
        drawn = faces[model["firstface"]:model["firstface"] + model["numfaces"]]
        used = [f["origFace"] for f in drawn if f["dispinfo"] == -1]
        pieces += len(used) - len(set(used))
        for number in set(used):
            whole = wholes[number]
            sides = runs[whole["firstedge"]:whole["firstedge"] + whole["numedges"]]
            total += area_of([corner[ends[abs(s)][0 if s >= 0 else 1]] for s in sides])
    assert pieces > 20, pieces
    return total


def written(path):
    """The area of an .obj without what is not of whole faces; the names of its materials."""
    points, total, names, name = [], 0, set(), None
    for line in path.read_text().splitlines():
        word, *rest = line.split()[:4] or [""]
        if word == "v":
            points.append([float(x) for x in rest])
        elif word == "usemtl":
            name = rest[0].partition("_")[2]  # after its number
            names.add(name)
        elif word == "f" and name not in OTHERS:
            total += area_of([points[int(x.split("/")[0]) - 1] for x in rest])
    return total, names


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        how = ("--no-props", "--tools", "--sky", "--units", "game", "--no-sky-room")
        run("export", LOBBY, "-o", folder / "pieces.obj", *how)
        run("export", LOBBY, "-o", folder / "wholes.obj", "--whole-faces", *how)
        pieces, names = written(folder / "pieces.obj")
        area, same = written(folder / "wholes.obj")
        assert same == names, same ^ names
        assert area > pieces * 1.02, (area, pieces)
        assert abs(area / expected() - 1) < 1e-4, (area, expected())

        # glTF has them without light by default; other light, and maps that have none, are refused.
        run("export", LOBBY, "-o", folder / "map.glb", "--whole-faces", "--no-props")
        data = (folder / "map.glb").read_bytes()
        document = json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])
        floor = [m for m in document["materials"] if m["name"] == "LOBBY/FLOOR1"]
        assert floor and "extensions" not in floor[0], floor
        run("export", LOBBY, "-o", folder / "x.glb", "--whole-faces", "-l", "baked", status=2)
        run("export", SOURCE / "samples/quake/lobby.bsp", "-o", folder / "x.glb", "--whole-faces", status=3)
        assert not (folder / "x.glb").exists()


main()
