# SPDX-License-Identifier: MIT
"""render --top --nav: the outlines of areas, and no other pixel, change, where OUT.json says that they lie; a cut
leaves out what is above it."""
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile

from export_glow import read_png

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
MAP = SOURCE / "samples/source/lobby.bsp"
NAV = SOURCE / "samples/source/lobby.nav"
ORANGE = (255, 144, 0)
WIDTH, HEIGHT = 160, 120


def run(*arguments):
    return subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)


def picture(work, *options):
    done = run("render", MAP, "--top", "--no-props", "--size", "%dx%d" % (WIDTH, HEIGHT), "-o", work / "m.png", *options)
    assert done.returncode == 0, done.stderr
    return read_png((work / "m.png").read_bytes()), json.loads((work / "m.json").read_text())


def outlines(areas, place):
    """The pixels of the outlines, each by the interval of the map that it shows."""
    found = set()
    for area in areas:
        (x0, y0, _), (x1, y1, _) = area["corners"][0], area["corners"][2]
        left, right = (math.floor((x - place["pos_x"]) / place["scale"]) for x in (x0, x1))
        top, bottom = (math.floor((place["pos_y"] - y) / place["scale"]) for y in (y1, y0))
        found |= {(x, y) for x in range(left, right + 1) for y in (top, bottom)}
        found |= {(x, y) for x in (left, right) for y in range(top, bottom + 1)}
    return {(x, y) for x, y in found if 0 <= x < WIDTH and 0 <= y < HEIGHT}


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        areas = json.loads(run("query", "nav", "--nav", NAV, MAP).stdout)["areas"]
        for cut in ([], ["--cut", "-40"]):
            plain, _ = picture(work, *cut)
            drawn, place = picture(work, "--nav", NAV, *cut)
            kept = [a for a in areas if not cut or min(c[2] for c in a["corners"]) <= float(cut[1])]
            assert kept and (len(kept) == len(areas)) == (not cut), len(kept)
            wanted = outlines(kept, place)
            assert len(wanted) > 50, wanted
            for y in range(HEIGHT):
                for x in range(WIDTH):
                    is_line = (x, y) in wanted
                    assert drawn[y][x][:3] == (ORANGE if is_line else plain[y][x][:3]), (x, y, drawn[y][x])
        for options, text in ((["--nav", NAV], "--nav needs --top"), (["--top", "--nav", MAP], "lobby.bsp"),
                              (["--top", "--nav", work / "none.nav"], "none.nav")):
            done = run("render", MAP, "-o", work / "n.png", *options)
            assert done.returncode != 0 and text in done.stderr, done
        data = NAV.read_bytes()  # places that are no numbers, or far away
        corner = next(a["corners"][0] for a in areas if a["corners"][0][0] and a["corners"][0][1])
        at = data.find(struct.pack("<2f", *corner[:2]))
        assert at > 0
        for value in (math.nan, math.inf, -math.inf, -1e30, 1e30):
            (work / "bad.nav").write_bytes(data[:at] + struct.pack("<f", value) + data[at + 4:])
            picture(work, "--nav", work / "bad.nav")


main()
