#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the materials of the Source sample: .vmt texts and .vtf textures.

    make_vtf.py [samples folder]

The pictures are those of make_textures.py, and a few that only this game has. They are stored in
several pixel formats (DXT1, DXT1 with holes, DXT5, BGR888, BGRA8888), one has two frames and one is
a cube, so that the sample is one for textures too. The same run always writes the same bytes.

Only the Python standard library is used.
"""
import math
import os
import struct
import sys

from make_textures import PICTURES, draw, mix, noise, smooth

DXT1, BGR888, BGRA8888, DXT1_HOLES, DXT5 = 13, 3, 12, 20, 15
FLAG_NORMAL, FLAG_ONE_BIT, FLAG_EIGHT_BIT, FLAG_ENVMAP = 0x80, 0x1000, 0x2000, 0x4000

# ---------------------------------------------------------------------------------------------
# Pictures of this game alone. A pixel is (r, g, b) or (r, g, b, a) or None for a hole.


def sign(x, y):
    """An arrow in a ring, on nothing."""
    d = math.hypot(x - 31.5, y - 31.5)
    shaft = abs(x - 31.5) < 4 and 18 < y < 48
    head = y <= 30 and abs(x - 31.5) < (y - 12) and y > 12
    if d > 31:
        return (0, 0, 0, 0)
    if d > 27 or shaft or head:
        return (236, 196, 48, 255)
    return (24, 40, 72, 224)


def step_normal(x, y):
    """Normals of the step texture: a rounded nose on each tread."""
    slope = (4 - y % 32) / 8 if y % 32 < 4 else 0.0
    grain = (noise(x, y, 50) - 0.5) / 4
    n = (grain, slope, 1.0)
    length = math.sqrt(sum(c * c for c in n))
    return tuple(int(round((c / length + 1) * 127.5)) for c in n)


def hill(x, y):
    return mix((70, 96, 52), (132, 140, 84), smooth(x, y, 64, 8, 51))


def grass(x, y):
    """The sheet of the garden's detail sprites: on the left high blades, on the right low ones with flowers."""
    left = x < 32
    if not left and y < 32:
        return (0, 0, 0, 0)
    top, u = (2, x) if left else (36, x - 32)
    for blade in range(7):
        foot = 3 + 4.3 * blade
        tip = foot + (noise(blade, left, 70) - 0.5) * 14
        peak = top + noise(blade, left, 71) * (18 if left else 10)
        if y < peak:
            continue
        share = (y - peak) / (63.5 - peak)
        if abs(u - (tip + (foot - tip) * share)) < 0.6 + 1.2 * share:
            return mix((60, 96, 40), (150, 176, 80), 1 - share) + (255,)
        if not left and blade % 3 == 1 and math.hypot(u - tip, y - peak) < 3:
            return (236, 220, 96, 255)
    return (90, 120, 50, 0)


def lawn(x, y):
    return mix((58, 84, 44), (104, 124, 64), smooth(x, y, 64, 4, 52))


def cable(x, y):
    """Strands, turned about each other."""
    return mix((52, 44, 36), (128, 112, 92), (x + 2 * y) % 8 / 8)


def see_through(picture, alpha):
    width, height, rows = picture
    return (width, height, [[c + (alpha,) for c in row] for row in rows])


def reflection(side):
    """One side of the room as a reflection sees it: right, left, back, front, up, down, sphere."""
    base = [(168, 96, 72), (150, 88, 66), (160, 92, 70), (142, 84, 62), (176, 170, 156),
            (104, 112, 122), (150, 110, 96)][side]
    return draw(8, 8, lambda x, y: mix(base, (255, 240, 208), noise(x, y, 60 + side) / 4))


# ---------------------------------------------------------------------------------------------
# Pixels.

def rgba(c):
    return (0, 0, 0, 0) if c is None else (tuple(c) + (255,))[:4]


def halved(rows):
    """The next smaller image: each pixel the mean of four; a hole where most of them are."""
    width, height = max(1, len(rows[0]) // 2), max(1, len(rows) // 2)
    out = []
    for y in range(height):
        line = []
        for x in range(width):
            four = [rgba(rows[min(2 * y + j, len(rows) - 1)][min(2 * x + i, len(rows[0]) - 1)])
                    for i in (0, 1) for j in (0, 1)]
            seen = [c for c in four if c[3] != 0] or four
            colour = tuple(sum(c[k] for c in seen) // len(seen) for k in range(3))
            line.append(colour + (sum(c[3] for c in four) // 4,))
        out.append(line)
    return out


def to565(c):
    return (c[0] * 31 + 127) // 255 << 11 | (c[1] * 63 + 127) // 255 << 5 | (c[2] * 31 + 127) // 255


def from565(v):
    r, g, b = v >> 11, v >> 5 & 63, v & 31
    return (r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2)


def nearest(c, palette):
    return min(range(len(palette)),
               key=lambda i: sum((p - q) ** 2 for p, q in zip(palette[i], c)))


def colour_block(pixels, holes):
    """Eight bytes: two colours of 16 bits and which blend of them each pixel is."""
    seen = [p for p in pixels if p[3] >= 128 or not holes] or [(0, 0, 0, 0)]
    pair = max(((a, b) for a in seen for b in seen),
               key=lambda ab: sum((p - q) ** 2 for p, q in zip(ab[0][:3], ab[1][:3])))
    first, second = sorted((to565(pair[0]), to565(pair[1])), reverse=True)
    three = holes and any(p[3] < 128 for p in pixels)
    if three:
        first, second = second, first
    a, b = from565(first), from565(second)
    if three:
        palette = [a, b, tuple((p + q) // 2 for p, q in zip(a, b))]
    elif first == second:
        palette = [a]
    else:
        palette = [a, b] + [tuple((2 * p + q) // 3 for p, q in zip(s, t))
                            for s, t in ((a, b), (b, a))]
    bits = 0
    for i, p in enumerate(pixels):
        choice = 3 if three and p[3] < 128 else nearest(p[:3], palette)
        bits |= choice << (2 * i)
    return struct.pack("<HHI", first, second, bits)


def alpha_block(pixels):
    """Eight bytes: two levels and which of eight blends each pixel is."""
    values = [p[3] for p in pixels]
    high, low = max(values), min(values)
    levels = [high, low] + [((7 - i) * high + i * low) // 7 for i in range(1, 7)]
    bits = 0
    for i, v in enumerate(values):
        choice = 0 if high == low else min(range(8), key=lambda k: abs(levels[k] - v))
        bits |= choice << (3 * i)
    return struct.pack("<BB", high, low) + bits.to_bytes(6, "little")


def blocks(rows, kind):
    out = b""
    for by in range(0, len(rows), 4):
        for bx in range(0, len(rows[0]), 4):
            pixels = [rgba(rows[min(by + j, len(rows) - 1)][min(bx + i, len(rows[0]) - 1)])
                      for j in range(4) for i in range(4)]
            if kind == DXT5:
                out += alpha_block(pixels)
            out += colour_block(pixels, kind == DXT1_HOLES)
    return out


def pack(rows, kind):
    if kind in (DXT1, DXT1_HOLES, DXT5):
        return blocks(rows, kind)
    count = 3 if kind == BGR888 else 4
    return b"".join(bytes((c[2], c[1], c[0], c[3])[:count]) for row in rows for c in map(rgba, row))


# ---------------------------------------------------------------------------------------------
# Files.

def vtf(frames, kind, flags=0, cube=False):
    """A texture of version 7.2. `frames`: pictures; of a cube the sides. Smallest image first."""
    width, height = frames[0][0], frames[0][1]
    chains = []
    for _, _, rows in frames:
        chain = [rows]
        while len(chain[-1]) > 1 or len(chain[-1][0]) > 1:
            chain.append(halved(chain[-1]))
        chains.append(chain)
    colours = [rgba(c) for _, _, rows in frames for row in rows for c in row]
    shine = [sum((c[k] / 255) ** 2.2 for c in colours) / len(colours) for k in range(3)]
    head = struct.pack("<4sIIIHHIHH4x3f4xfiBiBBH15x", b"VTF\0", 7, 2, 80, width, height, flags,
                       1 if cube else len(frames), 0, *shine, 1.0, kind, len(chains[0]), -1, 0, 0,
                       1)
    assert len(head) == 80
    body = b"".join(pack(chain[level], kind)
                    for level in range(len(chains[0]) - 1, -1, -1) for chain in chains)
    return head + body


def vmt(shader, keys, extra=""):
    return "\n".join([f'"{shader}"', "{"] + [f'\t"{k}" "{v}"' for k, v in keys] +
                     ([extra] if extra else []) + ["}", ""])


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


LIT, PLAIN = "LightmappedGeneric", "UnlitGeneric"
ANIMATED = ('\t"Proxies"\n\t{\n\t\t"AnimatedTexture"\n\t\t{\n'
            '\t\t\t"animatedTextureVar" "$basetexture"\n'
            '\t\t\t"animatedTextureFrameNumVar" "$frame"\n'
            '\t\t\t"animatedTextureFrameRate" "5"\n\t\t}\n\t}')

# Material: shader, what it is made of for sounds, more keys, more text.
MATERIALS = {
    "brick1": (LIT, "brick", [], ""),
    "floor1": (LIT, "tile", [], ""),
    "ceil1": (LIT, "plaster", [], ""),
    "trim1": (LIT, "metal", [("$envmap", "env_cubemap"), ("$envmaptint", "[.2 .2 .2]")], ""),
    "stone1": (LIT, "rock", [], ""),
    "step1": (LIT, "concrete", [("$bumpmap", "lobby/step1_normal")], ""),
    "crate1": (LIT, "wood", [], ""),
    "door1": (LIT, "metal", [], ""),
    "button0": (LIT, "metal", [], ""),
    "lamp0": (LIT, "glass", [("$selfillum", 1), ("$frame", 0)], ANIMATED),
    "glass1": (LIT, "glass", [("$translucent", 1)], ""),
    "grate1": (LIT, "metalgrate", [("$alphatest", 1), ("%compilepassbullets", 1)], ""),
    "water1": (PLAIN, "water", [("%compilewater", 1)], ""),
    "slime1": (PLAIN, "slime", [("%compileslime", 1)], ""),
    "hill1": ("WorldVertexTransition", "grass", [("$basetexture2", "lobby/stone1")], ""),
    "sign1": (LIT, "metal", [("$translucent", 1), ("$decal", 1)], ""),
    "lawn1": (LIT, "grass", [], ""),
    "grass1": (PLAIN, "grass", [("$alphatest", 1), ("$nocull", 1), ("$vertexcolor", 1)], ""),
    "cable1": ("Cable", "default", [("$vertexcolor", 1)], ""),
}

# Texture: frames, pixel format, flags. What is not here is DXT1 of the picture of that name.
TEXTURES = {
    "lamp0": ([PICTURES["lamp0"], PICTURES["lamp1"]], DXT1, 0),
    "glass1": ([see_through(PICTURES["glass1"], 96)], BGRA8888, FLAG_EIGHT_BIT),
    "grate1": ([PICTURES["grate1"]], DXT1_HOLES, FLAG_ONE_BIT),
    "hill1": ([draw(64, 64, hill)], DXT1, 0),
    "sign1": ([draw(64, 64, sign)], DXT5, FLAG_EIGHT_BIT),
    "lawn1": ([draw(64, 64, lawn)], DXT1, 0),
    "grass1": ([draw(64, 64, grass)], DXT5, FLAG_EIGHT_BIT),
    "cable1": ([draw(16, 16, cable)], DXT1, 0),
}


def source(root):
    folder = os.path.join(root, "source/materials")
    for name, (shader, prop, keys, extra) in MATERIALS.items():
        text = vmt(shader, [("$basetexture", "lobby/" + name), ("$surfaceprop", prop)] + keys, extra)
        write(os.path.join(folder, f"lobby/{name}.vmt"), text)
        frames, kind, flags = TEXTURES.get(name, ([PICTURES.get(name)], DXT1, 0))
        write(os.path.join(folder, f"lobby/{name}.vtf"), vtf(frames, kind, flags))
    write(os.path.join(folder, "lobby/step1_normal.vtf"),
          vtf([draw(32, 32, step_normal)], BGR888, FLAG_NORMAL))
    for side in ("bk", "dn", "ft", "lf", "rt", "up"):
        write(os.path.join(folder, f"skybox/lobby{side}.vmt"),
              vmt("Sky", [("$basetexture", "skybox/lobby"), ("$ignorez", 1)]))
    write(os.path.join(folder, "skybox/lobby.vtf"), vtf([PICTURES["sky1"]], DXT1))
    write(os.path.join(folder, "lobby/cubemap.vtf"),
          vtf([reflection(side) for side in range(7)], DXT1, FLAG_ENVMAP, cube=True))


def main():
    source(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../samples"))


if __name__ == "__main__":
    main()
