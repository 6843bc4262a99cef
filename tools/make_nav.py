#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes navigation meshes (.nav) of any version, for samples, tests and fuzzing.

make_nav.py MAP OUT   writes the mesh of our lobby for Source; MAP is that of which it states the size

Layout: "NAV (file format)" of the Valve developer wiki.
"""
import struct
import sys
from pathlib import Path

NORTH, EAST, SOUTH, WEST = range(4)
PLAIN, TEAM_FORTRESS, APPROACHES, LEFT4DEAD = range(4)
POPULATION, SPAWNS = "swamp", 0x82002  # that nav writes for Left 4 Dead


def area(number, low, high, heights=None, **more):
    """An area between two corners of the plane; heights at -x -y, +x -y, +x +y, -x +y, or one for all."""
    return dict({"id": number, "low": low, "high": high, "heights": heights or (0, 0, 0, 0), "flags": 0, "to": {},
                 "spots": [], "place": 0, "up": [], "down": [], "visible": [], "paths": [], "approaches": 0}, **more)


def run(form, values):
    return struct.pack("<" + form, len(values)) + b"".join(values)


def ids(values):
    return run("I", [struct.pack("<I", v) for v in values])


def pack_area(a, version, extra):
    z = a["heights"]
    out = struct.pack("<I", a["id"]) + struct.pack("<" + ("B" if version <= 8 else "H" if version <= 12 else "I"), a["flags"])
    out += struct.pack("<8f", *a["low"], z[0], *a["high"], z[2], z[1], z[3])
    for way in range(4):
        out += ids(a["to"].get(way, []))
    out += run("B", [struct.pack("<I3fB", number, *at, flags) for number, at, flags in a["spots"]])
    approaches = struct.pack("<B", a["approaches"]) + bytes(14 * a["approaches"])
    if version <= 14:
        out += approaches
    out += run("I", [struct.pack("<IBIB", 1, 0, 2, 1) + run("B", [bytes(5)] * n) for n in a["paths"]])
    out += struct.pack("<H", a["place"])
    if version >= 7:
        out += ids(a["up"]) + ids(a["down"])
    if version >= 8:
        out += struct.pack("<2f", 0, 0)
    if version >= 11:
        out += struct.pack("<4f", 1, 0.75, 0.5, 0.25)
    if extra == LEFT4DEAD:
        out += struct.pack("<IH", SPAWNS, 0)
    if version >= 16:
        out += run("I", [struct.pack("<IB", n, 3) for n in a["visible"]]) + struct.pack("<I", 0)
    if extra == TEAM_FORTRESS:
        out += struct.pack("<I", 0x40)
    if extra == APPROACHES and version >= 15:
        out += approaches
    return out


def nav(areas, version=16, subversion=0, extra=PLAIN, places=(), ladders=(), map_bytes=0):
    """ladders: (id, width, top, bottom, way, five areas)."""
    out = struct.pack("<II", 0xFEEDFACE, version)
    if version >= 10:
        out += struct.pack("<I", subversion)
    out += struct.pack("<I", map_bytes)
    if version >= 14:
        out += b"\1"
    out += struct.pack("<H", len(places))
    for place in places:
        out += struct.pack("<H", len(place) + 1) + place.encode() + b"\0"
    if version >= 12:
        out += b"\0"
    if extra == LEFT4DEAD:
        out += POPULATION.encode() + bytes(3)
    out += struct.pack("<I", len(areas)) + b"".join(pack_area(a, version, extra) for a in areas)
    if version >= 6:
        out += struct.pack("<I", len(ladders))
        for number, width, top, bottom, way, ends in ladders:
            out += struct.pack("<If3f3ffI", number, width, *top, *bottom, top[2] - bottom[2], way)
            out += (b"\0" if version == 6 else b"") + struct.pack("<5I", *ends)
    return out + (struct.pack("<f", 1000) if extra == LEFT4DEAD else b"")


# Height of the floor, and the ways through the rooms. The pool is not walked in.
LOBBY = [
    area(1, (0, 0), (256, 160), to={SOUTH: [2, 4, 3]}, place=1, spots=[(1, (8, 8, 0), 1)], visible=[2, 3]),
    area(2, (0, 160), (32, 240), to={NORTH: [1], EAST: [4]}, place=1, down=[1]),
    area(3, (96, 160), (256, 240), to={NORTH: [1], EAST: [6], WEST: [4]}, place=1),
    area(4, (32, 208), (96, 240), to={WEST: [2], EAST: [3]}, place=1),
    area(5, (32, 160), (96, 208), (-48,) * 4, flags=128, place=1, up=[1]),
    area(6, (256, 160), (304, 208), to={EAST: [7], WEST: [3]}, place=2),
    area(7, (304, 32), (368, 208), to={EAST: [8], WEST: [6]}, place=2),
    area(8, (368, 32), (432, 96), to={EAST: [9], WEST: [7]}, place=2),
    area(9, (432, 32), (528, 96), (-16, -64, -64, -16), to={EAST: [10], WEST: [8]}, flags=4096),
    area(10, (528, -64), (576, 240), (-64,) * 4, to={EAST: [11, 12], WEST: [9]}),
    area(11, (576, -64), (768, 32), (-64,) * 4, to={WEST: [10]}),
    area(12, (576, 176), (736, 240), (-64,) * 4, to={WEST: [10]}, spots=[(2, (700, 200, -64), 2), (3, (600, 200, -64), 8)]),
]
LADDERS = [(1, 24, (32, 184, 0), (32, 184, -48), EAST, (2, 0, 0, 0, 5))]


def main():
    path, out = sys.argv[1:]
    Path(out).write_bytes(nav(LOBBY, 16, 0, PLAIN, ("Lobby", "Corridor"), LADDERS, Path(path).stat().st_size))


if __name__ == "__main__":
    main()
