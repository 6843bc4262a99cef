#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the map sources of the samples: one building, drawn once, for four games.

    make_maps.py [samples folder]

A solid is a list of corner points and a material; the planes follow from the points. What a
material is called, and which flags its sides carry, is a table for each game. What only one game
has (patches and fog, area portals, ladders, ...) is added by that game's function.

Only the Python standard library is used. The written .map files open in the usual editors.
"""
import math
import os
import sys
from itertools import combinations

# ---------------------------------------------------------------------------------------------
# Solids.


class Solid:
    """A convex solid: corner points on whole numbers, materials, and alignment of the texture."""

    def __init__(self, note, points, material, top=None, bottom=None, align=(0, 0, 0, 1, 1),
                 detail=False):
        self.note, self.points, self.material = note, points, material
        self.top, self.bottom, self.align, self.detail = top, bottom, align, detail

    def sides(self):
        """(outward normal, three points clockwise as seen from outside, material) of each side."""
        found = {}
        for a, b, c in combinations(self.points, 3):
            n = cross(sub(a, b), sub(c, b))
            if n == (0, 0, 0):
                continue
            g = math.gcd(*(abs(v) for v in n))
            n = tuple(v // g for v in n)
            heights = [dot(n, sub(p, a)) for p in self.points]
            if all(h <= 0 for h in heights):
                pass
            elif all(h >= 0 for h in heights):
                n = tuple(-v for v in n)
            else:
                continue
            found.setdefault(n, [p for p, h in zip(self.points, heights) if h == 0])
        for n in sorted(found, key=side_order):
            ring = clockwise(n, found[n])
            yield n, ring[:3], self.material_of(n)

    def material_of(self, n):
        steep = n[2] / math.sqrt(dot(n, n))
        if steep > 0.7 and self.top:
            return self.top
        if steep < -0.7 and self.bottom:
            return self.bottom
        return self.material


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def side_order(n):
    """The six axial sides first, in the order -x -y -z +z +y +x that editors use."""
    axial = [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
    return (axial.index(n), n) if n in axial else (6, n)


def clockwise(n, points):
    """The points of one side, clockwise as seen from outside, from the smallest one on."""
    middle = tuple(sum(p[i] for p in points) / len(points) for i in range(3))
    first = sub(points[0], middle)
    second = cross(n, first)
    ring = sorted(points, key=lambda p: -math.atan2(dot(sub(p, middle), second) / dot(n, n) ** 0.5,
                                                    dot(sub(p, middle), first)))
    at = ring.index(min(ring))
    return ring[at:] + ring[:at]


def box(note, x0, y0, z0, x1, y1, z1, material, **more):
    points = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]
    return Solid(note, points, material, **more)


def prism(note, outline, z0, z1, material, **more):
    """An outline in x and y, standing from z0 to z1."""
    return Solid(note, [(x, y, z) for x, y in outline for z in (z0, z1)], material, **more)


def octagon(x, y, r, c):
    """A square of half width r round (x, y) with corners cut by c."""
    s = r - c
    return [(x - s, y - r), (x + s, y - r), (x + r, y - s), (x + r, y + s),
            (x + s, y + r), (x - s, y + r), (x - r, y + s), (x - r, y - s)]


# ---------------------------------------------------------------------------------------------
# The building. Walls are 16 thick. Rooms, by their inner sides:
#   lobby     x    0..256  y   0..256  z   0..160, with a sunken basin in its floor
#   corridor  z    0..96, in the shape of a Z, with the door in its middle part
#   hall      x  432..752  y -64..256  z -64..160, with a pool in its floor and a skylight above

def shell():
    b = box
    return [
        ("the lobby", [
            b("floor, west of the basin", -16, -16, -16, 32, 272, 0, "floor"),
            b("floor, east of the basin", 96, -16, -16, 272, 272, 0, "floor"),
            b("floor, south of the basin", 32, -16, -16, 96, 160, 0, "floor"),
            b("floor, north of the basin", 32, 224, -16, 96, 272, 0, "floor"),
            b("ceiling", -16, -16, 160, 272, 272, 176, "ceil"),
            b("west wall", -16, -16, 0, 0, 272, 160, "brick"),
            b("south wall", 0, -16, 0, 272, 0, 160, "brick"),
            b("north wall", 0, 256, 0, 272, 272, 160, "brick"),
            b("east wall, south of the corridor", 256, 0, 0, 272, 160, 160, "brick"),
            b("east wall, north of the corridor", 256, 224, 0, 272, 256, 160, "brick"),
            b("east wall, above the corridor", 256, 160, 96, 272, 224, 160, "brick", bottom="trim"),
        ]),
        ("the basin in the lobby", [
            b("bottom", 16, 144, -64, 112, 240, -48, "stone"),
            b("west wall", 16, 144, -48, 32, 240, -16, "stone"),
            b("east wall", 96, 144, -48, 112, 240, -16, "stone"),
            b("south wall", 32, 144, -48, 96, 160, -16, "stone"),
            b("north wall", 32, 224, -48, 96, 240, -16, "stone"),
        ]),
        ("the corridor", [
            b("floor, west part", 272, 16, -16, 384, 240, 0, "floor"),
            b("floor, east part", 384, 16, -16, 416, 112, 0, "floor"),
            b("ceiling, west part", 272, 16, 96, 384, 240, 112, "ceil"),
            b("ceiling, east part", 384, 16, 96, 416, 112, 112, "ceil"),
            b("north wall", 272, 224, 0, 384, 240, 96, "brick"),
            b("west wall", 272, 16, 0, 304, 160, 96, "brick"),
            b("east wall", 368, 96, 0, 384, 224, 96, "brick"),
            b("south wall", 304, 16, 0, 416, 32, 96, "brick"),
            b("north wall of the last part", 384, 96, 0, 416, 112, 96, "brick"),
        ]),
        ("the hall", [
            b("floor, west of the pool", 416, -80, -80, 560, 272, -64, "floor"),
            b("floor, east of the pool", 720, -80, -80, 768, 272, -64, "floor"),
            b("floor, south of the pool", 560, -80, -80, 720, 32, -64, "floor"),
            b("floor, north of the pool", 560, 192, -80, 720, 272, -64, "floor"),
            b("west wall, south of the corridor", 416, -80, -64, 432, 32, 160, "stone"),
            b("west wall, north of the corridor", 416, 96, -64, 432, 272, 160, "stone"),
            b("west wall, below the corridor", 416, 32, -64, 432, 96, 0, "stone", top="floor"),
            b("west wall, above the corridor", 416, 32, 96, 432, 96, 160, "stone", bottom="trim"),
            b("east wall", 752, -80, -64, 768, 272, 160, "stone"),
            b("south wall", 432, -80, -64, 752, -64, 160, "stone"),
            b("north wall", 432, 256, -64, 752, 272, 160, "stone"),
            b("ceiling, west of the skylight", 416, -80, 160, 560, 272, 176, "ceil"),
            b("ceiling, east of the skylight", 656, -80, 160, 768, 272, 176, "ceil"),
            b("ceiling, south of the skylight", 560, -80, 160, 656, 48, 176, "ceil"),
            b("ceiling, north of the skylight", 560, 144, 160, 656, 272, 176, "ceil"),
        ]),
        ("the pool in the hall", [
            b("bottom", 544, 16, -144, 736, 208, -128, "stone"),
            b("west wall", 544, 16, -128, 560, 208, -80, "stone"),
            b("east wall", 720, 16, -128, 736, 208, -80, "stone"),
            b("south wall", 560, 16, -128, 720, 32, -80, "stone"),
            b("north wall", 560, 192, -128, 720, 208, -80, "stone"),
            b("water", 560, 32, -128, 720, 192, -72, "water"),
        ]),
        ("the skylight", [
            b("west wall", 544, 32, 176, 560, 160, 208, "trim"),
            b("east wall", 656, 32, 176, 672, 160, 208, "trim"),
            b("south wall", 560, 32, 176, 656, 48, 208, "trim"),
            b("north wall", 560, 144, 176, 656, 160, 208, "trim"),
            b("sky", 544, 32, 208, 672, 160, 224, "sky"),
        ]),
        ("the stair from the corridor down into the hall", [
            b("upper step", 432, 32, -64, 464, 96, -16, "step", align=(0, 0, 0, 0.5, 0.5)),
            b("middle step", 464, 32, -64, 496, 96, -32, "step", align=(0, 0, 0, 0.5, 0.5)),
            b("lower step", 496, 32, -64, 528, 96, -48, "step", align=(0, 0, 0, 0.5, 0.5)),
            Solid("clip ramp over the steps",
                  [(x, y, z) for x, z in ((432, 0), (432, -64), (560, -64)) for y in (32, 96)],
                  "clip"),
        ]),
        ("sides that no axis is square to", [
            Solid("cove under the lobby's ceiling",
                  [(x, y, z) for x, z in ((0, 160), (0, 112), (48, 160)) for y in (0, 256)],
                  "trim"),
            Solid("pedestal in the hall: a pyramid without its tip",
                  [(448, 160, -64), (512, 160, -64), (512, 224, -64), (448, 224, -64),
                   (464, 176, -32), (496, 176, -32), (496, 208, -32), (464, 208, -32)], "stone"),
            Solid("brace in the hall's north-east corner: three axial sides and a slope",
                  [(752, 256, -64), (688, 256, -64), (752, 192, -64), (752, 256, 32)], "stone"),
        ]),
        ("lamps", [
            b("lamp in the lobby's ceiling", 112, 48, 152, 144, 80, 160, "lamp"),
            b("lamp in the hall's ceiling", 688, 96, 152, 720, 128, 160, "lamp"),
        ]),
    ]


def details(column_on_pedestal=True):
    out = [
        prism("column in the lobby", octagon(192, 64, 24, 16), 0, 160, "trim",
              align=(0, 0, 0, 1, 0.5), detail=True),
        prism("crate in the lobby, turned by 45 degrees",
              [(64, 40), (88, 64), (64, 88), (40, 64)], 0, 32, "crate",
              align=(8, 16, 45, 0.75, 1), detail=True),
    ]
    if column_on_pedestal:
        out.append(prism("column on the pedestal", octagon(480, 192, 16, 8), -32, 160, "trim",
                         align=(0, 0, 0, 1, 0.5), detail=True))
    return out


GRATE = box("grate across the skylight", 560, 48, 160, 656, 144, 168, "grate")
GLASS = box("glass screen north of the pool", 592, 216, -64, 688, 224, 0, "glass",
            align=(0, 0, 0, 2, 2))
DOOR = box("door leaf", 304, 120, 0, 368, 136, 96, "door", align=(16, 0, 0, 1, 1.5))
BUTTON = box("button on the lobby's east wall", 248, 104, 40, 256, 136, 72, "button",
             align=(-8, 8, 0, 1, 1))
HALL_BUTTON = box("button on the hall's west wall", 432, -24, -24, 440, 8, 8, "button",
                  align=(-8, 8, 0, 1, 1))
TRIGGER = box("floor before the door, on the hall's side", 304, 40, 0, 368, 104, 96, "trigger")
BASIN_SLIME = box("slime in the basin", 32, 160, -48, 96, 224, -8, "slime")
SPINNER = [box("beam under the lobby's ceiling", 96, 120, 136, 160, 136, 144, "crate"),
           box("pivot", 120, 120, 132, 136, 136, 148, "origin")]


def slab(note, x0, y0, z0, x1, y1, z1, north, others):
    """A box whose north side alone is of another material."""
    solid = box(note, x0, y0, z0, x1, y1, z1, others)
    solid.material_of = lambda n: north if n == (0, 1, 0) else others
    return solid


HINT = slab("hint across the corridor, at its first corner", 304, 144, 0, 368, 160, 96,
            "hint", "skip")


# ---------------------------------------------------------------------------------------------
# Texture alignment.

def base_axes(n):
    """The pair of axes along which Quake lays a texture on a side of this normal."""
    length = math.sqrt(dot(n, n))
    bases = [((0, 0, 1), (1, 0, 0), (0, -1, 0)), ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
             ((1, 0, 0), (0, 1, 0), (0, 0, -1)), ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
             ((0, 1, 0), (1, 0, 0), (0, 0, -1)), ((0, -1, 0), (1, 0, 0), (0, 0, -1))]
    best, top = None, 0.0
    for axis, s, t in bases:
        d = dot(axis, n) / length
        if d > top + 1e-9:
            best, top = (s, t), d
    return best


def face_axes(n):
    """Axes that lie in the side itself: level, and straight down."""
    if n[0] == 0 and n[1] == 0 or sum(1 for v in n if v) == 1:
        return base_axes(n)
    s = (-n[1], n[0], 0)
    t = cross(n, s)
    if t[2] > 0:
        s, t = tuple(-v for v in s), tuple(-v for v in t)

    def unit(v):
        return tuple(c / math.sqrt(dot(v, v)) for c in v)
    return unit(s), unit(t)


def number(v):
    return f"{v:.6f}".rstrip("0").rstrip(".") if v else "0"


def classic(name, n, align, flags=None):
    tail = " ".join(number(v) for v in align)
    return f"{name} {tail}" + ("" if flags is None else " %d %d %d" % flags)


def valve220(name, n, align, flags=None):
    x, y, turn, sx, sy = align
    s, t = face_axes(n)
    c, d = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    u = tuple(p * c + q * d for p, q in zip(s, t))
    v = tuple(q * c - p * d for p, q in zip(s, t))
    axes = " ".join("[ %s %s ]" % (" ".join(number(k) for k in axis), number(offset))
                    for axis, offset in ((u, x), (v, y)))
    return f"{name} {axes} {number(turn)} {number(sx)} {number(sy)}"


# ---------------------------------------------------------------------------------------------
# Writing.

class Map:
    def __init__(self, head, materials, side_text):
        self.lines = [f"// {line}".rstrip() for line in head]
        self.materials, self.side_text = materials, side_text

    def entity(self, note, keys, groups=()):
        """`groups` is a list of (note, solids or ready-made text blocks)."""
        self.lines += ["", f"// {note}", "{"]
        self.lines += [f'"{k}" "{v}"' for k, v in keys]
        for group, solids in groups:
            if group:
                self.lines += [f"// -- {group}"]
            for solid in solids:
                if isinstance(solid, str):
                    self.lines += solid.split("\n")
                else:
                    self.solid(solid)
        self.lines += ["}"]

    def solid(self, solid):
        self.lines += [f"// {solid.note}", "{"]
        for n, points, material in solid.sides():
            name, flags = self.materials(material, solid)
            where = " ".join("( %d %d %d )" % p for p in points)
            self.lines += [f"{where} {self.side_text(name, n, solid.align, flags)}"]
        self.lines += ["}"]

    def save(self, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="\n") as f:
            f.write("\n".join(self.lines) + "\n")


MESSAGE = "The lobby: a sample map of bspkit"
ABOUT = ["", "The lobby: a sample map of bspkit, drawn for the project. Licence: MIT.",
         "Written by tools/make_maps.py, which draws the same building for four games."]


def point(x, y, z):
    return ("origin", f"{x} {y} {z}")


def fractions(*colour):
    return " ".join(number(round(c / 255, 3)) for c in colour)


def quake_like_entities(m, feet, glow):
    """Point entities that have the same name in Quake, GoldSrc and Quake 2. `feet`: height of a
    player's origin above the floor. `glow`: a light's colour and strength, as this game says it.
    """
    m.entity("the player starts in the lobby, looking north",
             [("classname", "info_player_start"), point(128, 32, feet), ("angle", 90)])
    m.entity("start of a multi-player game, in the hall",
             [("classname", "info_player_deathmatch"), point(464, -32, feet - 64), ("angle", 45)])
    m.entity("light in the lobby: steady, warm",
             [("classname", "light"), point(128, 192, 112)] + glow(255, 224, 176, 220))
    m.entity("light in the corridor: flickers",
             [("classname", "light"), point(336, 192, 72), ("style", 10)]
             + glow(208, 224, 255, 150))
    m.entity("light at the stair: steady",
             [("classname", "light"), point(400, 64, 72)] + glow(255, 240, 208, 150))
    m.entity("light over the pool: switched by the button in the hall",
             [("classname", "light"), point(640, 96, 64), ("targetname", "pool_light")]
             + glow(144, 208, 255, 260))


# ---------------------------------------------------------------------------------------------
# Quake.

QUAKE = {"brick": "brick1", "floor": "floor1", "ceil": "ceil1", "trim": "trim1", "stone": "stone1",
         "step": "step1", "crate": "crate1", "door": "door1", "water": "*water1",
         "slime": "*slime1", "sky": "sky1", "grate": "{grate1", "glass": "glass1",
         "button": "+0button", "lamp": "+0lamp", "clip": "clip", "trigger": "trigger",
         "hint": "hint", "skip": "skip"}


def quake(root):
    m = Map(["Game: Quake", "Format: Standard"] + ABOUT,
            lambda material, solid: (QUAKE[material], None), classic)
    m.entity("the building", [
        ("classname", "worldspawn"), ("message", MESSAGE), ("wad", "textures/lobby.wad"),
        ("worldtype", 2), ("sounds", 4), ("_sunlight", 120), ("_sunlight_mangle", "60 -70 0"),
        ("_minlight", 8)],
        shell() + [("the basin's filling", [BASIN_SLIME]), ("for the visibility compiler", [HINT])])
    m.entity("columns and crate: solid, but they cut no rooms apart",
             [("classname", "func_detail")], [("", details())])
    m.entity("grate that bullets and light pass, cut out of its texture",
             [("classname", "func_detail_fence")], [("", [GRATE])])
    m.entity("glass, half transparent",
             [("classname", "func_wall"), ("alpha", "0.5")], [("", [GLASS])])
    m.entity("door of the corridor: slides up, opened by the button or by the trigger",
             [("classname", "func_door"), ("targetname", "corridor_door"), ("angle", -1),
              ("speed", 100), ("wait", 4), ("lip", 8), ("sounds", 2)], [("", [DOOR])])
    m.entity("the button in the lobby opens the door",
             [("classname", "func_button"), ("target", "corridor_door"), ("angle", 0), ("lip", 4),
              ("wait", 2)], [("", [BUTTON])])
    m.entity("the button in the hall switches the light over the pool",
             [("classname", "func_button"), ("target", "pool_light"), ("angle", 180), ("lip", 4),
              ("wait", 2)], [("", [HALL_BUTTON])])
    m.entity("whoever comes from the hall opens the door",
             [("classname", "trigger_multiple"), ("target", "corridor_door"), ("wait", 4)],
             [("", [TRIGGER])])
    quake_like_entities(m, 24, lambda r, g, b, k: [
        ("light", k * 3 // 2), ("_color", f"{r} {g} {b}")])
    m.entity("the ceiling lamps shine: every side with this texture",
             [("classname", "light"), point(128, 64, 144), ("_surface", "+0lamp"), ("light", 120)])
    m.entity("view between two games",
             [("classname", "info_intermission"), point(32, 32, 128), ("mangle", "20 45 0")])
    m.entity("health beside the pool",
             [("classname", "item_health"), point(600, -16, -64)])
    m.save(os.path.join(root, "quake/lobby.map"))


# ---------------------------------------------------------------------------------------------
# GoldSrc.

GOLDSRC = dict(QUAKE, water="!water1", slime="!slime1", sky="sky", trigger="aaatrigger",
               origin="origin", null="null")


def goldsrc(root):
    m = Map(["Game: Half-Life", "Format: Valve"] + ABOUT,
            lambda material, solid: (GOLDSRC[material], None), valve220)
    m.entity("the building", [
        ("classname", "worldspawn"), ("message", MESSAGE), ("mapversion", 220),
        ("wad", "textures/lobby.wad"), ("skyname", "lobby"), ("MaxRange", 4096)],
        shell() + [("the basin's filling", [BASIN_SLIME]), ("for the visibility compiler", [HINT])])
    m.entity("columns and crate: solid, but they cut no rooms apart",
             [("classname", "func_detail"), ("zhlt_detaillevel", 1)], [("", details())])
    m.entity("grate, cut out of its texture",
             [("classname", "func_wall"), ("rendermode", 4), ("renderamt", 255)], [("", [GRATE])])
    m.entity("glass, mixed with what is behind it",
             [("classname", "func_wall"), ("rendermode", 2), ("renderamt", 96)], [("", [GLASS])])
    m.entity("door of the corridor: slides up, opened by the button or by the trigger",
             [("classname", "func_door"), ("targetname", "corridor_door"), ("angles", "-90 0 0"),
              ("speed", 100), ("wait", 4), ("lip", 8), ("movesnd", 1), ("stopsnd", 1)],
             [("", [DOOR])])
    m.entity("the button in the lobby opens the door",
             [("classname", "func_button"), ("target", "corridor_door"), ("angles", "0 0 0"),
              ("lip", 4), ("wait", 2)], [("", [BUTTON])])
    m.entity("the button in the hall switches the light over the pool",
             [("classname", "func_button"), ("target", "pool_light"), ("angles", "0 180 0"),
              ("lip", 4), ("wait", 2)], [("", [HALL_BUTTON])])
    m.entity("whoever comes from the hall opens the door",
             [("classname", "trigger_multiple"), ("target", "corridor_door"), ("wait", 4)],
             [("", [TRIGGER])])
    m.entity("beam that turns about its pivot",
             [("classname", "func_rotating"), ("spawnflags", 1), ("speed", 40)], [("", SPINNER)])
    m.entity("ladder out of the basin: not drawn",
             [("classname", "func_ladder")],
             [("", [box("rungs", 92, 176, -48, 96, 208, 0, "trigger")])])
    quake_like_entities(m, 36, lambda r, g, b, k: [("_light", f"{r} {g} {b} {k}")])
    m.entity("lamp that points down into the pool",
             [("classname", "light_spot"), point(640, 160, 128), ("angles", "0 0 0"),
              ("pitch", -90), ("_cone", 20), ("_cone2", 40), ("_light", "255 255 224 300")])
    m.entity("the sun, through the skylight",
             [("classname", "light_environment"), point(608, 96, 192), ("angles", "0 60 0"),
              ("pitch", -70), ("_light", "255 248 224 120"), ("_diffuse_light", "160 192 255 40")])
    m.entity("health beside the pool",
             [("classname", "item_healthkit"), point(600, -16, -60)])
    m.save(os.path.join(root, "goldsrc/lobby.map"))
    with open(os.path.join(root, "goldsrc/lobby.rad"), "w", newline="\n") as f:
        f.write("// Textures that give light, for hlrad: red, green, blue, strength.\n"
                "+0lamp 255 240 208 4000\n")


# ---------------------------------------------------------------------------------------------
# Quake 2.

SOLID, WINDOW, DETAIL, LADDER = 0x1, 0x2, 0x8000000, 0x20000000
QUAKE2 = {"brick": ("brick1", 0, 0, 0), "floor": ("floor1", 0, 0, 0), "ceil": ("ceil1", 0, 0, 0),
          "trim": ("trim1", 0, 0, 0), "stone": ("stone1", 0, 0, 0), "step": ("step1", 0, 0, 0),
          "crate": ("crate1", 0, 0, 0), "door": ("door1", 0, 0, 0),
          "water": ("water1", 0x20, 0x28, 0), "slime": ("slime1", 0x10, 0x28, 0),
          "sky": ("sky1", 0, 0x4, 0), "grate": ("grate1", WINDOW, 0x20, 0),
          "glass": ("glass1", WINDOW, 0x10, 0), "button": ("button0", 0, 0, 0),
          "lamp": ("lamp0", 0, 0x1, 600), "clip": ("clip", 0x30000, 0x80, 0),
          "trigger": ("trigger", 0, 0x80, 0), "hint": ("hint", 0, 0x100, 0),
          "skip": ("skip", 0, 0x200, 0), "origin": ("origin", 0x1000000, 0, 0),
          "areaportal": ("areaportal", 0x8000, 0, 0),
          "ladder": ("trim1", SOLID | LADDER | DETAIL, 0, 0)}


def quake2(root):
    def material(name, solid):
        texture, contents, surface, value = QUAKE2[name]
        return "lobby/" + texture, (contents | (DETAIL if solid.detail else 0), surface, value)

    m = Map(["Game: Quake 2", "Format: Quake2"] + ABOUT +
            ["After a side's texture: its contents, its surface flags, its light value."],
            material, classic)
    glass = box(GLASS.note, 592, 216, -64, 688, 224, 0, "glass", align=GLASS.align, detail=True)
    m.entity("the building", [
        ("classname", "worldspawn"), ("message", MESSAGE), ("sky", "lobby"), ("skyrotate", 2),
        ("skyaxis", "0 0 1"), ("_sun_light", 120), ("_sun_angle", "60 -70"),
        ("_sun_color", "1 0.97 0.88")],
        shell() + [
            ("the basin's filling, and a ladder out of it",
             [BASIN_SLIME, box("ladder", 92, 176, -48, 96, 208, 0, "ladder", detail=True)]),
            ("for the visibility compiler", [HINT]),
            ("details: solid, but they cut no rooms apart", details()),
            ("grate and glass", [GRATE, glass])])
    m.entity("area portal inside the door: what is behind a closed door is not drawn",
             [("classname", "func_areaportal"), ("targetname", "corridor_portal")],
             [("", [box("sheet inside the door leaf", 304, 124, 0, 368, 132, 96, "areaportal")])])
    m.entity("door of the corridor: slides up, opened by the button or by the trigger",
             [("classname", "func_door"), ("targetname", "corridor_door"),
              ("target", "corridor_portal"), ("angle", -1), ("speed", 100), ("wait", 4),
              ("lip", 8)], [("", [DOOR])])
    m.entity("the button in the lobby opens the door",
             [("classname", "func_button"), ("target", "corridor_door"), ("angle", 0), ("lip", 4),
              ("wait", 2)], [("", [BUTTON])])
    m.entity("the button in the hall switches the light over the pool",
             [("classname", "func_button"), ("target", "pool_light"), ("angle", 180), ("lip", 4),
              ("wait", 2)], [("", [HALL_BUTTON])])
    m.entity("whoever comes from the hall opens the door",
             [("classname", "trigger_multiple"), ("target", "corridor_door"), ("wait", 4)],
             [("", [TRIGGER])])
    m.entity("beam that turns about its pivot",
             [("classname", "func_rotating"), ("spawnflags", 1), ("speed", 40)], [("", SPINNER)])
    quake_like_entities(m, 24, lambda r, g, b, k: [
        ("light", k * 3 // 2), ("_color", fractions(r, g, b))])
    m.entity("view between two games",
             [("classname", "info_player_intermission"), point(32, 32, 128), ("angles", "20 45 0")])
    m.entity("health beside the pool", [("classname", "item_health"), point(600, -16, -48)])
    m.save(os.path.join(root, "quake2/lobby.map"))


# ---------------------------------------------------------------------------------------------
# Quake 3.

QUAKE3 = {"brick": "lobby/brick1", "floor": "lobby/floor1", "ceil": "lobby/ceil1",
          "trim": "lobby/trim1", "stone": "lobby/stone1", "step": "lobby/step1",
          "crate": "lobby/crate1", "door": "lobby/door1", "water": "lobby/water1",
          "sky": "lobby/sky1", "grate": "lobby/grate1", "glass": "lobby/glass1",
          "button": "lobby/button0", "lamp": "lobby/lamp0", "fog": "lobby/fog1",
          "clip": "common/clip", "trigger": "common/trigger", "hint": "common/hint",
          "skip": "common/skip", "origin": "common/origin", "areaportal": "common/areaportal",
          "nodraw": "common/nodraw"}


def patch(note, shader, grid):
    """A curved surface: `grid` holds columns of control points (x, y, z, s, t)."""
    lines = [f"// {note}", "{", "patchDef2", "{", shader,
             f"( {len(grid)} {len(grid[0])} 0 0 0 )", "("]
    for column in grid:
        lines += ["( " + " ".join("( %s )" % " ".join(number(v) for v in p) for p in column) + " )"]
    return "\n".join(lines + [")", "}", "}"])


def standing(outline, heights, scale):
    """Control points over an outline in x and y; s runs along it, t down it."""
    grid = []
    for i, (x, y) in enumerate(outline):
        grid.append([(x, y, z, i * scale, -z / 32) for z in heights])
    return grid


def quake3(root, name="lobby", styles=False):
    """`styles`: the corridor's light flickers, for the relatives that have light styles (RBSP)."""
    def material(name, solid):
        return QUAKE3[name], (DETAIL if solid.detail else 0, 0, 0)

    m = Map(["Game: Quake 3", "Format: Quake3 (Legacy)"] + ABOUT +
            ["After a side's texture: its contents (only the detail bit counts), and two zeros."],
            material, classic)
    round_column = [(480 + 16 * x, 192 + 16 * y) for x, y in
                    ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0))]
    cove = [(752, -16), (752, -64), (704, -64)]
    arch = [(160, 64), (160, 96), (192, 96), (224, 96), (224, 64)]
    glass = box(GLASS.note, 592, 216, -64, 688, 224, 0, "glass", align=GLASS.align, detail=True)
    grate = box(GRATE.note, 560, 48, 160, 656, 144, 168, "grate", detail=True)
    m.entity("the building", [
        ("classname", "worldspawn"), ("message", MESSAGE), ("ambient", 4),
        ("_color", "1 1 1"), ("gridsize", "64 64 128")],
        shell() + [
            ("fog in the basin, instead of slime",
             [box("fog", 32, 160, -48, 96, 224, -8, "fog")]),
            ("area portal inside the door: what is behind a closed door is not drawn",
             [slab("sheet inside the door leaf", 304, 124, 0, 368, 132, 96,
                   "areaportal", "nodraw")]),
            ("for the visibility compiler", [HINT]),
            ("details: solid, but they cut no rooms apart", details(False)),
            ("grate and glass", [grate, glass]),
            ("curved surfaces", [
                patch("round column on the pedestal: nine columns of three points",
                      "lobby/trim1", standing(round_column, (-32, 64, 160), 0.5)),
                patch("hollow in the hall's south-east corner: three by three",
                      "lobby/stone1", standing(cove, (-64, 48, 160), 1)),
                patch("arch at the mouth of the corridor: five columns of three points",
                      "lobby/trim1",
                      [[(x, y, z, i, (x - 256) / 32) for x in (256, 264, 272)]
                       for i, (y, z) in enumerate(arch)])])])
    m.entity("door of the corridor: slides up, opened by the button or by the trigger",
             [("classname", "func_door"), ("targetname", "corridor_door"), ("angle", -1),
              ("speed", 100), ("wait", 4), ("lip", 8)], [("", [DOOR])])
    m.entity("the button in the lobby opens the door",
             [("classname", "func_button"), ("target", "corridor_door"), ("angle", 0), ("lip", 4),
              ("wait", 2)], [("", [BUTTON])])
    m.entity("whoever comes from the hall opens the door",
             [("classname", "trigger_multiple"), ("target", "corridor_door"), ("wait", 4)],
             [("", [TRIGGER])])
    m.entity("beam that turns about its pivot",
             [("classname", "func_rotating"), ("spawnflags", 1), ("speed", 40)], [("", SPINNER)])

    def glow(r, g, b, k):
        return [("light", k), ("_color", fractions(r, g, b))]
    m.entity("the player starts in the lobby, looking north",
             [("classname", "info_player_start"), point(128, 32, 24), ("angle", 90)])
    m.entity("start of a multi-player game, in the hall",
             [("classname", "info_player_deathmatch"), point(464, -32, -40), ("angle", 45)])
    m.entity("light in the lobby: steady, warm",
             [("classname", "light"), point(128, 192, 112)] + glow(255, 224, 176, 220))
    m.entity("light in the corridor: " + ("flickers" if styles else "steady"),
             [("classname", "light"), point(336, 192, 72)] + ([("style", 10)] if styles else [])
             + glow(208, 224, 255, 150))
    m.entity("light at the stair: steady",
             [("classname", "light"), point(400, 64, 72)] + glow(255, 240, 208, 150))
    m.entity("light over the pool",
             [("classname", "light"), point(640, 96, 64)] + glow(144, 208, 255, 260))
    m.entity("view between two games",
             [("classname", "info_player_intermission"), point(32, 32, 128), ("angles", "20 45 0")])
    m.entity("health beside the pool", [("classname", "item_health"), point(600, -16, -48)])
    m.save(os.path.join(root, f"quake3/{name}.map"))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../samples")
    for game in (quake, goldsrc, quake2, quake3):
        game(root)
    quake3(root, "lobby_rbsp", styles=True)


if __name__ == "__main__":
    main()
