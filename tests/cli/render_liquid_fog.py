# SPDX-License-Identifier: MIT
"""Pictures from within a liquid: the fog that its material states in Source, and the palette of its texture in
GoldSrc, by the distance of what is looked at; nothing of it is seen from outside."""
import math
import os
import pathlib
import struct
import subprocess
import tempfile

from export_glow import read_png

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
FLOOR = -128  # of the pool
EYE = (640, 112, -80)
AIR = (640, 112, 0)
COLOR = (20, 80, 200)


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def look(work, source, games, eye, *options):
    """The pixel in the middle of a picture straight down."""
    folders = [word for game in games for word in ("-g", game)]
    run("render", source, *folders, "--no-props", "--from", ",".join(map(str, eye)), "--angles", "90,0,0", "--size",
        "17x17", "-o", work / "picture.png", *options)
    return read_png((work / "picture.png").read_bytes())[8][8][:3]


def check(work, source, games, amount):
    plain = look(work, source, games, EYE, "--no-fog")
    seen = look(work, source, games, EYE)
    wanted = [p + (c - p) * amount for p, c in zip(plain, COLOR)]
    assert all(abs(a - b) <= 3 for a, b in zip(seen, wanted)), (seen, wanted, plain)
    assert look(work, source, games, AIR) == look(work, source, games, AIR, "--no-fog")


def check_source(work):
    sample = SOURCE / "samples/source"
    run("pak", "remove", sample / "lobby.bsp", "materials/lobby/water1.vmt", "-o", work / "lobby.bsp")
    for start, end, on, amount in ((0, 96, 1, 0.5), (-48, 96, 1, 2 / 3), (60, 90, 1, 0), (0, 20, 1, 1), (0, 96, 0, 0),
                                   (96, 0, 1, 0)):
        folder = work / ("game%d_%d_%d" % (start, end, on))
        (folder / "materials/lobby").mkdir(parents=True)
        (folder / "materials/lobby/water1.vmt").write_text(
            '"Water"\n{\n"$basetexture" "lobby/water1"\n"$fogenable" "%d"\n"$fogcolor" "{%d %d %d}"\n"$fogstart" "%d"\n'
            '"$fogend" "%d"\n}\n' % (on, *COLOR, start, end))
        check(work, work / "lobby.bsp", (folder, sample), amount)


def check_goldsrc(work):
    data = bytearray((SOURCE / "samples/goldsrc/textures/lobby.wad").read_bytes())
    count, at = struct.unpack_from("<2I", data, 4)
    for dense in (0, 100, 255):
        for n in range(count):
            entry = at + 32 * n
            if data[entry + 16:entry + 32].split(b"\0")[0].lower() == b"!water1":
                lump = struct.unpack_from("<I", data, entry)[0]
                width, height = struct.unpack_from("<2I", data, lump + 16)
                palette = lump + 40 + width * height * 85 // 64 + 2
                data[palette + 9:palette + 13] = bytes((*COLOR, dense))
        folder = work / ("wad%d" % dense)
        folder.mkdir()
        (folder / "lobby.wad").write_bytes(data)
        check(work, SOURCE / "samples/goldsrc/lobby.bsp", (folder,),
              1 - math.exp(-dense * 0.000025 * (EYE[2] - FLOOR)))


def main():
    with tempfile.TemporaryDirectory() as work:
        check_source(pathlib.Path(work))
        check_goldsrc(pathlib.Path(work))


main()
