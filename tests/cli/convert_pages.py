# SPDX-License-Identifier: MIT
"""bspkit convert between pages of light of 128 luxels (Quake 3, RBSP) and of 512 (FBSP): the picture stays the same,
whether pages become squares of larger ones, are cut out of these again, or rectangles of faces are packed anew; pages of
directions stay after theirs; what does not fit is told."""
import os
import pathlib
import struct
import subprocess
import tempfile

from export_normal import read_png

BSPKIT = os.environ["BSPKIT"]
LOBBY = pathlib.Path("samples/quake3/lobby.bsp").resolve()
WORK = pathlib.Path(tempfile.mkdtemp())
SMALL, LARGE = 128, 512
VERTEX = {SMALL: 44, LARGE: 80}
PLACE = 20  # of the coordinates of light in a vertex


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stderr


def lump(path, name):
    out = WORK / "lump"
    run("lump", "extract", path, name, "-o", out)
    return bytearray(out.read_bytes())


def with_lump(path, name, data, to):
    (WORK / "lump").write_bytes(data)
    run("lump", "replace", path, name, WORK / "lump", "--force", "-o", to)
    return to


def convert(path, branch, *words):
    out = WORK / f"{path.stem}_{branch}.bsp"
    run("convert", "--to", branch, *words, path, "--force", "-o", out)
    return out


def picture(path):
    run("render", "--size", "320x200", path, "-o", WORK / "picture.png")
    return b"".join(read_png(WORK / "picture.png")[0])


def is_same(a, b):
    """Are two pictures the same, but for the rounding of coordinates of light in a few pixels?"""
    apart = [abs(x - y) for x, y in zip(a, b)]
    return len(a) == len(b) and max(apart) <= 2 and sum(one > 0 for one in apart) < len(a) / 100


def square(light, side, page, x, y, width):
    """The luxels of a square of a page."""
    rows = [3 * ((page * side + y + row) * side + x) for row in range(width)]
    return b"".join(light[at:at + 3 * width] for at in rows)


def moved(path, by):
    """A map of FBSP whose first square of light is at another place of its page."""
    light, vertices, faces = (lump(path, name) for name in ("LIGHTMAPS", "DRAWVERTS", "SURFACES"))
    page = bytearray(len(light))
    for row in range(SMALL):
        target = 3 * ((by[1] + row) * LARGE + by[0])
        page[target:target + 3 * SMALL] = square(light, LARGE, 0, 0, row, SMALL)[:3 * SMALL]
    for at in range(PLACE, len(vertices), VERTEX[LARGE]):
        place = struct.unpack_from("<2f", vertices, at)
        struct.pack_into("<2f", vertices, at, *(value + step / LARGE for value, step in zip(place, by)))
    for at in range(52, len(faces), 148):  # lightmapX, lightmapY
        for axis in (0, 1):
            corner = struct.unpack_from("<i", faces, at + 16 * axis)[0]
            struct.pack_into("<i", faces, at + 16 * axis, corner + by[axis])
    out = with_lump(path, "LIGHTMAPS", page, WORK / "light.bsp")
    out = with_lump(out, "DRAWVERTS", vertices, WORK / "vertices.bsp")
    return with_lump(out, "SURFACES", faces, WORK / "moved.bsp")


# A page becomes a square of a larger one, and is cut out of it again.
before = picture(LOBBY)
page = lump(LOBBY, "LIGHTMAPS")
large = convert(LOBBY, "fbsp")
light = lump(large, "LIGHTMAPS")
assert len(page) == 3 * SMALL ** 2 and len(light) == 3 * LARGE ** 2
assert square(light, LARGE, 0, 0, 0, SMALL) == page and is_same(picture(large), before)
assert lump(convert(large, "quake3", "--lossy"), "LIGHTMAPS") == page
for name in ("DRAWVERTS", "SURFACES"):
    assert lump(convert(large, "quake3", "--lossy"), name) == lump(LOBBY, name), name

# Rectangles that lie in no square are packed anew.
across = moved(large, (100, 200))
assert is_same(picture(across), before)
packed = convert(across, "quake3", "--lossy")
assert is_same(picture(packed), before) and len(lump(packed, "LIGHTMAPS")) % (3 * SMALL ** 2) == 0

# A second page without faces has directions, and stays after the first: here a page each, and 17 in all.
ways = bytes(3 * n % 251 + 1 for n in range(SMALL ** 2 * 3))
deluxe = convert(with_lump(LOBBY, "LIGHTMAPS", page + ways, WORK / "deluxe.bsp"), "fbsp")
light = lump(deluxe, "LIGHTMAPS")
assert len(light) == 2 * 3 * LARGE ** 2 and square(light, LARGE, 1, 0, 0, SMALL) == ways
assert lump(convert(deluxe, "quake3", "--lossy"), "LIGHTMAPS") == page + ways

# More pages than a larger one has squares, some of them with faces: the 18th is in the second.
faces, pages = lump(LOBBY, "SURFACES"), b"".join(bytes((n + 1,)) * 3 * SMALL ** 2 for n in range(18))
first = struct.unpack_from("<i", faces, 28)[0]
struct.pack_into("<i", faces, 28, 17)
many = with_lump(with_lump(LOBBY, "LIGHTMAPS", pages, WORK / "pages.bsp"), "SURFACES", faces, WORK / "many.bsp")
light = lump(convert(many, "fbsp"), "LIGHTMAPS")
assert first == 0 and len(light) == 2 * 3 * LARGE ** 2
assert all(set(square(light, LARGE, n // 16, n % 4 * SMALL, n // 4 % 4 * SMALL, SMALL)) == {n + 1} for n in range(18))
assert lump(convert(convert(many, "fbsp"), "quake3", "--lossy"), "LIGHTMAPS") == pages

# Light that is larger than a page.
vertices = lump(large, "DRAWVERTS")
struct.pack_into("<f", vertices, PLACE, 0.75)
wide = with_lump(large, "DRAWVERTS", vertices, WORK / "wide.bsp")
told = run("convert", "--to", "rbsp", wide, "-o", WORK / "no.bsp", status=3)
assert "faces[0]: its light does not fit a page of 128 x 128 luxels (1 faces)" in told, told
lost = convert(wide, "rbsp", "--lossy")
assert struct.unpack_from("<i", lump(lost, "SURFACES"), 36) == (-3,)
print("convert: pages of light moved")
