# SPDX-License-Identifier: MIT
"""query occluder: no map at hand has one, so a wall of a sample becomes the polygon of an occluder by `lump replace`.
From the middle before it, a small box at its other side is hidden, one beside its edge and one on this side are not,
and nothing is where the occluder begins inactive."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path("samples/source/lobby.bsp")
FACE = 123
LUMP = "OCCLUSION"


def run(*arguments, text=None):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, input=text)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def records(lump):
    return json.loads(run("dump", "--json", SAMPLE, lump))


def corners():
    face, edges, surfedges = records("FACES")[FACE], records("EDGES"), records("SURFEDGES")
    turned = surfedges[face["firstedge"]:face["firstedge"] + face["numedges"]]
    return [edges[abs(n)]["v"][0 if n >= 0 else 1] for n in turned], face["planenum"]


def occlusion(vertices, points, plane, flags):
    low, high = ([f(p[i] for p in points) for i in range(3)] for f in (min, max))
    occluder = struct.pack("<3i6fi", flags, 0, 1, *low, *high, 1)
    return (struct.pack("<i", 1) + occluder + struct.pack("<4i", 1, 0, len(vertices), plane) +
            struct.pack(f"<{len(vertices) + 1}i", len(vertices), *vertices))


def box(middle, half=2):
    return " ".join(str(c - half) for c in middle) + " " + " ".join(str(c + half) for c in middle)


def main():
    vertices, plane = corners()
    points = [records("VERTEXES")[v]["point"] for v in vertices]
    flat = next(i for i in range(3) if len({p[i] for p in points}) == 1)
    along = next(i for i in range(3) if i != flat)
    middle = [sum(p[i] for p in points) / len(points) for i in range(3)]
    width = max(p[along] for p in points) - min(p[along] for p in points)

    def at(depth, aside=0):
        return [c + (depth if i == flat else aside if i == along else 0) for i, c in enumerate(middle)]

    boxes = [at(64), at(64, aside=3 * width), at(-32)]
    lines = "".join(f"{' '.join(map(str, at(-64)))} {box(b)}\n" for b in boxes)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for flags, wanted in ((0, ["0", "-1", "-1"]), (1, ["-1", "-1", "-1"])):
            (folder / "lump").write_bytes(occlusion(vertices, points, plane, flags))
            run("lump", "replace", SAMPLE, LUMP, folder / "lump", "-o", folder / f"{flags}.bsp")
            said = run("query", "occluder", folder / f"{flags}.bsp", text=lines).split()
            assert said == wanted, (flags, said)


main()
