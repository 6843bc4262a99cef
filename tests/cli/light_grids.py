# SPDX-License-Identifier: MIT
"""bspkit light makes LIGHTGRIDS, light grids by the sides of a cube, for maps without and with one."""
import math
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
LOBBY = pathlib.Path("samples").resolve() / "quake/lobby.bsp"
WORK = pathlib.Path(tempfile.mkdtemp())
HEADER, NODE, LEAF = 41, 44, 25  # bytes; the most styles of its cells come after a leaf


def run(*words):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.returncode, done.stderr)
    return done.stdout


def light(source, name, *words):
    out = WORK / name
    run("light", source, *words, "-o", out)
    return out


def lump(path, name):
    out = WORK / "lump"
    run("lump", "extract", path, f"bspx:{name}", "-o", out)
    return out.read_bytes()


def with_lump(source, data, name):
    (WORK / "data").write_bytes(data)
    out = WORK / name
    run("lump", "replace", source, "bspx:LIGHTGRIDS", WORK / "data", "-o", out)
    return out


def leaves(data, at):
    """Where the leaves of a grid begin, after its header and nodes, and how many there are."""
    at += HEADER
    at += 4 + NODE * struct.unpack_from("<I", data, at)[0]
    return at + 4, struct.unpack_from("<I", data, at)[0]


def grids(data):
    """The cells of each grid: the six colours of each style, or None in solid."""
    at, found = 0, []
    while at < len(data):
        end = at + 4 + struct.unpack_from("<I", data, at)[0]
        at, count = leaves(data, at + 4)
        cells = []
        for _ in range(count):
            most, size = data[at + LEAF - 1], math.prod(struct.unpack_from("<3I", data, at + 12))
            at += LEAF
            for _ in range(size):
                styles, at = data[at], at + 1
                cells.append(None if styles == 255 else {})
                assert styles == 255 or styles <= most
                for _ in range(0 if styles == 255 else styles):
                    style, bits, colors = data[at], data[at + 1], []
                    at += 2
                    for side in range(6):
                        there = bits >> side & 1
                        colors.append(tuple(data[at:at + 3]) if there else (0, 0, 0))
                        assert not there or any(colors[-1])
                        at += 3 * there
                    cells[-1][style] = colors
        assert at == end, (at, end)
        found.append(cells)
    return found


def octree(data):
    at, count = leaves(data, 0)
    cells = []
    for _ in range(count):
        size = math.prod(struct.unpack_from("<3I", data, at + 12))
        at += LEAF - 1
        for _ in range(size):
            styles, at = data[at], at + 1
            cells.append(None if styles == 255 else
                         {data[at + 4 * s]: tuple(data[at + 4 * s + 1:at + 4 * s + 4]) for s in range(styles)})
            at += 0 if styles == 255 else 4 * styles
    assert at == len(data)
    return cells


def test_new():
    """A side has at most what the cell has as a whole, and some side has a good part of it."""
    sides = grids(lump(light(LOBBY, "sides.bsp", "--grid", 32, "--grid-sides"), "LIGHTGRIDS"))
    whole = octree(lump(light(LOBBY, "whole.bsp", "--grid", 32), "LIGHTGRID_OCTREE"))
    assert len(sides) == 1 and [cell is None for cell in sides[0]] == [cell is None for cell in whole]
    lit = 0
    for cell, one in zip(sides[0], whole):
        for style, color in (one or {}).items():
            most = [max(side[c] for side in cell[style]) for c in range(3)]
            assert all(m <= o + 1 for m, o in zip(most, color)), (most, color)
            lit += max(most) > max(color) / 3 > 3
    assert lit > 300, lit


def test_again():
    """Cells of the map's own grids are made again: the same bytes, or less light where a lamp went."""
    first = light(LOBBY, "first.bsp", "--grid", 64, "--grid-sides")
    data = lump(first, "LIGHTGRIDS")
    two = with_lump(first, data + data, "two.bsp")
    assert lump(light(two, "again.bsp", "--threads", 3), "LIGHTGRIDS") == data + data
    dark = WORK / "dark.bsp"
    run("entities", "--where", "classname=light", "--set", "light=1", first, "-o", dark)
    left = grids(lump(light(dark, "left.bsp", "--force"), "LIGHTGRIDS"))
    sums = [sum(sum(map(sum, colors)) for cell in cells if cell for colors in cell.values())
            for cells in (grids(data)[0], left[0])]
    assert sums[1] < sums[0] / 2, sums


def test_damaged():
    """A grid that ends before its cells do, or has more than there are bytes, stays as it is."""
    first = light(LOBBY, "whole_grid.bsp", "--grid", 64, "--grid-sides")
    data = lump(first, "LIGHTGRIDS")
    at, _ = leaves(data, 4)
    many = bytearray(data)
    many[at + 12:at + 24] = b"\xff" * 12
    short = struct.pack("<I", len(data) - 4 - 9) + data[4:-9]
    for number, bad in enumerate((data[:-1], short, bytes(many), data[:3], data + data[:40])):
        damaged = with_lump(first, bad, f"damaged{number}.bsp")
        made = lump(light(damaged, f"made{number}.bsp"), "LIGHTGRIDS")
        assert made == bad, number


TESTS = (test_new, test_again, test_damaged)
for test in TESTS:
    test()
print(f"light_grids: {len(TESTS)} tests")
