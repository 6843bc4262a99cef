#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the textures of the sample maps, and packs them for four games.

    make_textures.py [samples folder]

Every picture is computed here from a formula: nothing is read. The same run always writes the
same bytes. What comes out:

    quake/textures/lobby.wad    WAD2, quake/gfx/palette.lmp      (our palette, 768 bytes)
    goldsrc/textures/lobby.wad  WAD3, each texture with a palette of its own
    quake2/textures/lobby/*.wal, quake2/pics/colormap.pcx        (our palette in a 16x16 PCX)
    quake3/textures/lobby/*.tga and quake3/textures/common/*.tga

Only the Python standard library is used.
"""
import colorsys
import math
import os
import struct
import sys

# ---------------------------------------------------------------------------------------------
# Pictures. A picture is (width, height, rows of (r, g, b) or None for "transparent").


def noise(x, y, seed):
    """A value in 0..1 that depends on nothing but the three whole numbers."""
    h = (x * 0x9E3779B1 + y * 0x85EBCA77 + seed * 0xC2B2AE3D) & 0xFFFFFFFF
    h = ((h ^ (h >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    h = ((h ^ (h >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return ((h ^ (h >> 15)) & 0xFFFF) / 65535.0


def smooth(x, y, period, cells, seed):
    """Value noise that repeats after `period` pixels, with `cells` cells in a period."""
    fx, fy = x * cells / period, y * cells / period
    ix, iy = int(fx), int(fy)
    tx, ty = fx - ix, fy - iy
    tx, ty = tx * tx * (3 - 2 * tx), ty * ty * (3 - 2 * ty)
    n = [noise((ix + i) % cells, (iy + j) % cells, seed) for j in (0, 1) for i in (0, 1)]
    top = n[0] + (n[1] - n[0]) * tx
    low = n[2] + (n[3] - n[2]) * tx
    return top + (low - top) * ty


def shade(rgb, k):
    return tuple(max(0, min(255, int(round(c * k)))) for c in rgb)


def mix(a, b, t):
    return tuple(int(round(p + (q - p) * t)) for p, q in zip(a, b))


def draw(width, height, pixel):
    return (width, height, [[pixel(x, y) for x in range(width)] for y in range(height)])


def brick(x, y):
    row = y // 16
    bx = (x + (row % 2) * 16) % 64
    if y % 16 >= 14 or bx % 32 >= 30:
        return shade((150, 142, 130), 0.8 + 0.2 * noise(x, y, 1))
    tone = 0.72 + 0.28 * noise(bx // 32 + 2 * row, row, 2)
    edge = 1.12 if y % 16 == 0 or bx % 32 == 0 else 1.0
    return shade((168, 78, 58), edge * tone * (0.9 + 0.1 * noise(x, y, 3)))


def floor(x, y):
    dark = (x // 32 + y // 32) % 2
    base = (84, 92, 104) if dark else (128, 134, 142)
    if x % 32 == 0 or y % 32 == 0:
        return shade(base, 0.6)
    return shade(base, 0.85 + 0.15 * smooth(x, y, 64, 8, 4) + 0.05 * noise(x, y, 5))


def ceiling(x, y):
    if x % 16 in (0, 15) or y % 16 in (0, 15):
        return (96, 92, 84)
    return shade((176, 170, 156), 0.9 + 0.1 * noise(x, y, 6))


def trim(x, y):
    band = math.sin(y * math.pi / 16)
    return shade((120, 104, 72), 0.7 + 0.3 * abs(band) + 0.06 * noise(x, y, 7))


def stone(x, y):
    v = 0.6 * smooth(x, y, 64, 4, 8) + 0.4 * smooth(x, y, 64, 16, 9)
    joint = 0.65 if x % 64 < 2 or y % 32 < 2 else 1.0
    return shade((112, 122, 108), joint * (0.65 + 0.45 * v))


def step(x, y):
    return shade((140, 128, 108), (1.1 if y % 32 < 4 else 0.8) + 0.1 * noise(x, y, 10))


def crate(x, y):
    frame = x < 4 or y < 4 or x > 27 or y > 27 or abs(x - y) < 3
    base = (150, 108, 60) if frame else (112, 78, 42)
    return shade(base, 0.85 + 0.15 * noise(x // 8, y, 11))


def door(x, y):
    if x in (31, 32) or y < 3 or y > 60:
        return (40, 44, 52)
    stripe = 44 <= y < 54 and ((x + y) // 8) % 2
    if 44 <= y < 54:
        return (206, 168, 40) if stripe else (36, 36, 36)
    return shade((92, 108, 132), 0.85 + 0.1 * math.sin(x * math.pi / 4) + 0.05 * noise(x, y, 12))


def water(x, y):
    v = math.sin(2 * math.pi * x / 64 + 2 * math.sin(2 * math.pi * y / 64))
    w = math.sin(2 * math.pi * y / 32 + 1.5 * math.sin(2 * math.pi * x / 64))
    return mix((24, 62, 108), (96, 164, 190), (v + w + 2) / 4)


def slime(x, y):
    v = smooth(x, y, 64, 8, 13)
    w = smooth((x + 20) % 64, y, 64, 4, 14)
    return mix((38, 62, 18), (140, 188, 44), v * w + 0.15)


def sky(x, y):
    return mix((92, 128, 184), (220, 226, 236), smooth(x, y, 64, 4, 15) ** 2)


def quake_sky(x, y):
    """Two layers side by side: clouds with holes on the left, the far sky on the right."""
    if x >= 128:
        return mix((60, 84, 140), (150, 170, 210), smooth(x - 128, y, 128, 8, 16))
    v = smooth(x, y, 128, 8, 17)
    return mix((150, 156, 170), (230, 230, 236), v) if v > 0.5 else None


def grate(x, y):
    bar = x % 8 < 3 or y % 8 < 3
    return shade((120, 112, 100), 0.7 + 0.3 * noise(x, y, 18)) if bar else None


def glass(x, y):
    edge = x in (0, 31) or y in (0, 31)
    glint = 1.25 if (x + y) % 32 in (6, 7, 8, 14) else 1.0
    return (70, 90, 96) if edge else shade((126, 164, 170), glint)


def button(lit):
    def pixel(x, y):
        d = math.hypot(x - 15.5, y - 15.5)
        if d < 9:
            return (232, 60, 40) if lit else (132, 28, 24)
        return (36, 36, 40) if d < 11 else shade((128, 128, 132), 0.85 + 0.15 * noise(x, y, 19))
    return pixel


def lamp(phase):
    def pixel(x, y):
        if x < 3 or y < 3 or x > 28 or y > 28:
            return (90, 86, 80)
        on = ((x - 3) // 9 + phase) % 2
        return (255, 246, 214) if on else (248, 226, 168)
    return pixel


def label(base, seed):
    """The tool textures: a plain colour with a frame and a diagonal."""
    def pixel(x, y):
        mark = x in (0, 15) or y in (0, 15) or x == y
        return shade(base, 0.5) if mark else shade(base, 0.95 + 0.05 * noise(x, y, seed))
    return pixel


def fog(x, y):
    return shade((150, 170, 160), 0.7 + 0.3 * smooth(x, y, 64, 4, 20))


PICTURES = {
    "brick1": draw(64, 64, brick),
    "floor1": draw(64, 64, floor),
    "ceil1": draw(32, 32, ceiling),
    "trim1": draw(32, 32, trim),
    "stone1": draw(64, 64, stone),
    "step1": draw(32, 32, step),
    "crate1": draw(32, 32, crate),
    "door1": draw(64, 64, door),
    "water1": draw(64, 64, water),
    "slime1": draw(64, 64, slime),
    "sky1": draw(64, 64, sky),
    "quakesky": draw(256, 128, quake_sky),
    "grate1": draw(32, 32, grate),
    "glass1": draw(32, 32, glass),
    "button0": draw(32, 32, button(False)),
    "button1": draw(32, 32, button(True)),
    "lamp0": draw(32, 32, lamp(0)),
    "lamp1": draw(32, 32, lamp(1)),
    "fog1": draw(64, 64, fog),
    "clip": draw(16, 16, label((200, 60, 160), 30)),
    "trigger": draw(16, 16, label((220, 140, 40), 31)),
    "hint": draw(16, 16, label((230, 220, 60), 32)),
    "skip": draw(16, 16, label((80, 200, 90), 33)),
    "origin": draw(16, 16, label((60, 120, 220), 34)),
    "areaportal": draw(16, 16, label((90, 200, 200), 35)),
    "null": draw(16, 16, label((110, 110, 110), 36)),
}


# ---------------------------------------------------------------------------------------------
# The shared palette of the Quake and Quake 2 samples: 14 hues of 16 shades, then 31 bright colours
# (Quake draws the last 32 without light) and index 255, which the games draw as a hole.

def shared_palette():
    ramps = [(0.0, 0.0), (0.08, 0.25), (0.02, 0.62), (0.06, 0.55), (0.10, 0.60), (0.14, 0.55),
             (0.21, 0.65), (0.30, 0.35), (0.45, 0.40), (0.54, 0.45), (0.58, 0.25), (0.60, 0.60),
             (0.72, 0.40), (0.90, 0.50)]
    colours = []
    for hue, saturation in ramps:
        for i in range(16):
            r, g, b = colorsys.hsv_to_rgb(hue, saturation, i / 15.0)
            colours.append((round(r * 255), round(g * 255), round(b * 255)))
    for i in range(31):
        hue, saturation = (i % 8) / 8.0, (0.9, 0.6, 0.35, 0.12)[i // 8]
        r, g, b = colorsys.hsv_to_rgb(hue, saturation, 1.0)
        colours.append((round(r * 255), round(g * 255), round(b * 255)))
    colours.append((255, 0, 255))
    assert len(colours) == 256
    return colours


SHARED = shared_palette()
_nearest = {}


def nearest(rgb, bright):
    """The index of the closest shared colour; the bright ones only where asked."""
    key = (rgb, bright)
    if key not in _nearest:
        choice = range(224, 255) if bright else range(224)
        _nearest[key] = min(choice, key=lambda i: sum((p - q) ** 2 for p, q in zip(SHARED[i], rgb)))
    return _nearest[key]


def to_shared(picture, bright=False, hole=255):
    """Indices into the shared palette. `bright`: light colours become unlit ones."""
    width, height, rows = picture
    return (width, height,
            [[hole if c is None else nearest(c, bright and sum(c) > 600) for c in row]
             for row in rows])


def to_own(picture):
    """Indices and a palette of the picture's own colours, coarsened until they fit in 255."""
    width, height, rows = picture
    colour_step = 1
    while True:
        def coarse(c, s=colour_step):
            return tuple(min(255, int(v / s + 0.5) * s) for v in c)
        seen = sorted({coarse(c) for row in rows for c in row if c is not None})
        if len(seen) <= 255:
            break
        colour_step += 1
    index = {c: i for i, c in enumerate(seen)}
    palette = seen + [(0, 0, 0)] * (255 - len(seen)) + [(0, 0, 255)]
    return (width, height,
            [[255 if c is None else index[coarse(c)] for c in row] for row in rows]), palette


# ---------------------------------------------------------------------------------------------
# Containers.

def mips(indexed):
    """Four levels of indices, each taking one pixel of four from the one before."""
    width, height, rows = indexed
    levels = []
    for level in range(4):
        s = 1 << level
        levels.append(bytes(rows[y][x] for y in range(0, height, s) for x in range(0, width, s)))
    return levels


def miptex(name, indexed, palette=None):
    levels = mips(indexed)
    offsets, at = [], 40
    for level in levels:
        offsets.append(at)
        at += len(level)
    out = struct.pack("<16sII4I", name.encode(), indexed[0], indexed[1], *offsets)
    out += b"".join(levels)
    if palette is not None:
        out += struct.pack("<H", 256) + b"".join(bytes(c) for c in palette) + b"\0\0"
    return out


def wad(magic, kind, lumps):
    body, directory, at = b"", b"", 12
    for name, data in lumps:
        directory += struct.pack("<iiiBBH16s", at, len(data), len(data), kind, 0, 0, name.encode())
        body += data
        at += len(data)
    return struct.pack("<4sii", magic, len(lumps), at) + body + directory


def wal(name, indexed, following="", flags=0, contents=0, value=0):
    levels = mips(indexed)
    offsets, at = [], 100
    for level in levels:
        offsets.append(at)
        at += len(level)
    return struct.pack("<32sII4I32siii", name.encode(), indexed[0], indexed[1], *offsets,
                       following.encode(), flags, contents, value) + b"".join(levels)


def pcx(width, height, indices, palette):
    """A PCX of 8 bits a pixel; every pixel is written as a run, so no value is mistaken for one."""
    header = struct.pack("<BBBBHHHHHH48sBBHH58s", 10, 5, 1, 8, 0, 0, width - 1, height - 1, width,
                         height, b"", 0, 1, width, 1, b"")
    body = b"".join(bytes((0xC1, i)) for i in indices)
    return header + body + b"\x0c" + b"".join(bytes(c) for c in palette)


def tga(picture, alpha=None):
    """Uncompressed, lowest row first. `alpha`: of a pixel that is no hole; None for no alpha."""
    width, height, rows = picture
    deep = alpha is not None
    out = bytearray(struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height,
                                32 if deep else 24, 8 if deep else 0))
    for row in reversed(rows):
        for c in row:
            r, g, b = c if c is not None else (0, 0, 0)
            out += bytes((b, g, r)) + (bytes((alpha if c is not None else 0,)) if deep else b"")
    return bytes(out)


# ---------------------------------------------------------------------------------------------
# The four games.

def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


PLAIN = ["brick1", "floor1", "ceil1", "trim1", "stone1", "step1", "crate1", "door1", "glass1"]


def quake(root):
    names = [(n, n) for n in PLAIN]
    names += [("*water1", "water1"), ("*slime1", "slime1"), ("sky1", "quakesky"),
              ("{grate1", "grate1"), ("+0button", "button0"), ("+abutton", "button1"),
              ("+0lamp", "lamp0"), ("+1lamp", "lamp1"), ("clip", "clip"), ("trigger", "trigger"),
              ("hint", "hint"), ("skip", "skip")]
    lumps = []
    for name, picture in names:
        bright = name.startswith("+")
        hole = 0 if name.startswith("sky") else 255
        lumps.append((name, miptex(name, to_shared(PICTURES[picture], bright, hole))))
    write(os.path.join(root, "quake/textures/lobby.wad"), wad(b"WAD2", 0x44, lumps))
    write(os.path.join(root, "quake/gfx/palette.lmp"), b"".join(bytes(c) for c in SHARED))


def goldsrc(root):
    names = [(n, n) for n in PLAIN]
    names += [("!water1", "water1"), ("!slime1", "slime1"), ("sky", "skip"), ("{grate1", "grate1"),
              ("+0button", "button0"), ("+abutton", "button1"), ("+0lamp", "lamp0"),
              ("+1lamp", "lamp1"), ("clip", "clip"), ("aaatrigger", "trigger"), ("hint", "hint"),
              ("skip", "skip"), ("origin", "origin"), ("null", "null")]
    lumps = []
    for name, picture in names:
        indexed, palette = to_own(PICTURES[picture])
        lumps.append((name, miptex(name, indexed, palette)))
    write(os.path.join(root, "goldsrc/textures/lobby.wad"), wad(b"WAD3", 0x43, lumps))


# Quake 2: surface flags, contents and light value that the compiler takes when a side names none.
WAL_DEFAULTS = {
    "water1": (0x28, 0x20, 0),        # warp, 66 % translucent; water
    "slime1": (0x28, 0x10, 0),        # warp, 66 % translucent; slime
    "sky1": (0x4, 0, 0),              # sky
    "glass1": (0x10, 0x2, 0),         # 33 % translucent; window
    "grate1": (0x20, 0x2, 0),         # 66 % translucent; window
    "lamp0": (0x1, 0, 600),           # light
    "lamp1": (0x1, 0, 600),
    "clip": (0x80, 0x30000, 0),       # nodraw; player clip, monster clip
    "trigger": (0x80, 0, 0),          # nodraw
    "hint": (0x100, 0, 0),
    "skip": (0x200, 0, 0),
    "origin": (0, 0x1000000, 0),
    "areaportal": (0, 0x8000, 0),
}


def quake2(root):
    for picture in PLAIN + ["water1", "slime1", "sky1", "grate1", "button0", "lamp0", "lamp1",
                            "clip", "trigger", "hint", "skip", "origin", "areaportal"]:
        indexed = to_shared(PICTURES[picture], picture.startswith("lamp"))
        following = {"lamp0": "lobby/lamp1", "lamp1": "lobby/lamp0"}.get(picture, "")
        data = wal("lobby/" + picture, indexed, following, *WAL_DEFAULTS.get(picture, (0, 0, 0)))
        write(os.path.join(root, "quake2/textures/lobby", picture + ".wal"), data)
    write(os.path.join(root, "quake2/pics/colormap.pcx"), pcx(16, 16, range(256), SHARED))


def quake3(root):
    for picture in PLAIN + ["water1", "sky1", "grate1", "button0", "lamp0", "lamp1", "fog1"]:
        alpha = {"glass1": 96, "water1": 160, "grate1": 255}.get(picture)
        write(os.path.join(root, "quake3/textures/lobby", picture + ".tga"),
              tga(PICTURES[picture], alpha))
    for picture, name in [("clip", "clip"), ("trigger", "trigger"), ("hint", "hint"),
                          ("skip", "skip"), ("origin", "origin"), ("areaportal", "areaportal"),
                          ("null", "nodraw")]:
        write(os.path.join(root, "quake3/textures/common", name + ".tga"), tga(PICTURES[picture]))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../samples")
    for game in (quake, goldsrc, quake2, quake3):
        game(root)


if __name__ == "__main__":
    main()
