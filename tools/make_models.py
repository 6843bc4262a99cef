# SPDX-License-Identifier: MIT
"""Makes the small models and sprites of samples/models: a crate of 32 units in every format, and what
is odd about the formats (groups, strips, palettes). The same bytes on every machine.

    python3 tools/make_models.py [FOLDER]

Every crate has its corners at -16 and 16 and its triangles clockwise seen from outside, as files have
them; the picture of each side is the whole of a texture of 16 x 16 texels, where a format can say so."""
import math
import pathlib
import struct
import sys

import source_model

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "samples/models")

# Corner n: bit 0 is x, bit 1 is y, bit 2 is z.
CORNERS = [tuple(16 if n >> axis & 1 else -16 for axis in range(3)) for n in range(8)]
# The sides +x, -x, +y, -y, +z, -z: corners counter-clockwise from outside, from the lower left.
SIDES = [(1, 3, 7, 5), (2, 0, 4, 6), (3, 2, 6, 7), (0, 1, 5, 4), (4, 5, 7, 6), (2, 3, 1, 0)]
NORMALS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
COORDS = [(0, 1), (1, 1), (1, 0), (0, 0)]  # of the corners of a side; v grows downwards
SIZE = 16
TRIANGLES = [(s, k) for s in range(6) for k in ((0, 2, 1), (0, 3, 2))]  # a side and its corners, clockwise


def put(name, data):
    path = OUT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def i32(*values):
    return struct.pack("<%di" % len(values), *values)


def f32(*values):
    return struct.pack("<%df" % len(values), *values)


def name(text, size):
    return text.encode().ljust(size, b"\0")


def texels(frame=0):
    """A picture of palette indices: a border, and a cross whose shade tells the frame."""
    return bytes(104 if x in (0, 15) or y in (0, 15) else 111 + 16 * frame if x == y or x + y == 15
                 else 100 for y in range(SIZE) for x in range(SIZE))


# --- vertices of bytes (Quake, Quake 2 and their relatives) -------------------------------------------
SCALE, ORIGIN = (0.25, 0.25, 0.25), (-16, -16, -16)


def packed(point):
    return bytes(int((c + 16) * 4) for c in point)


def lift(points, up):
    return [(x, y, z + up) for x, y, z in points]


def alias_frame(frame, points=CORNERS, low=False):
    """A frame of Quake: box, name, vertices; with `low` a second array of the low bytes."""
    body = packed((-16, -16, -16)) + b"\0" + packed((16, 16, 16)) + b"\0" + name(frame, 16)
    body += b"".join(packed(p) + bytes([n]) for n, p in enumerate(points))
    if low:
        body += b"".join(bytes([128, 0, 0, 0]) for _ in points)  # half a step in x
    return body


def mdl(magic=b"IDPO", group=False, low=False, flags=0):
    head = magic + i32(6) + f32(*SCALE, *ORIGIN, 28, 0, 0, 24)
    head += i32(2 if group else 1, SIZE, SIZE, 8, 12, 2, 0, flags) + f32(0)
    skins = i32(0) + texels()
    if group:  # the second skin is a group of two pictures
        skins += i32(1, 2) + f32(0.1, 0.3) + texels(0) + texels(1)
    coords = b"".join(i32(0x20 if n & 1 else 0, 4 if n & 1 else 0, 15 if n & 4 else 0) for n in range(8))
    triangles = b"".join(i32(s != 1, *(SIDES[s][k] for k in t)) for s, t in TRIANGLES)
    frames = i32(0) + alias_frame("rest1", low=low)
    if group:
        frames += i32(1, 2) + b"\0" * 8 + f32(0.1, 0.2)
        frames += alias_frame("up1") + alias_frame("up2", lift(CORNERS, 8))
    else:
        frames += i32(0) + alias_frame("up1", lift(CORNERS, 8), low)
    return head + skins + coords + triangles + frames


def rapo():
    head = b"RAPO" + i32(50) + f32(*SCALE, *ORIGIN, 28, 0, 0, 24)
    head += i32(1, SIZE, SIZE, 8, 12, 1, 0, 0x4000) + f32(0) + i32(4)
    coords = b"".join(i32(0, 15 * u, 15 * v) for u, v in COORDS)
    triangles = b"".join(i32(1) + struct.pack("<6H", *(SIDES[s][k] for k in t), *t) for s, t in TRIANGLES)
    return head + i32(0) + texels() + coords + triangles + i32(0) + alias_frame("rest1")


def q2_frame(frame, points=CORNERS):
    return f32(*SCALE, *ORIGIN) + name(frame, 16) + b"".join(
        packed(p) + bytes([n]) for n, p in enumerate(points))


Q2_COORDS = b"".join(struct.pack("<2h", SIZE * u, SIZE * v) for u, v in COORDS)
Q2_TRIANGLES = b"".join(struct.pack("<6H", *(SIDES[s][k] for k in t), *t) for s, t in TRIANGLES)
Q2_FRAMES = [q2_frame("rest01"), q2_frame("rest02"), q2_frame("up01", lift(CORNERS, 8))]
FRAME_SIZE = len(Q2_FRAMES[0])


def commands(extra=b"", vertex_first=False):
    """A fan of four corners for each side."""
    out = b""
    for side in SIDES:
        out += i32(-4) + extra
        for k in (0, 3, 2, 1):  # clockwise
            vertex, coord = i32(side[k]), f32(*COORDS[k])
            out += vertex + coord if vertex_first else coord + vertex
    return out + i32(0)


def md2():
    skin = name("models/crate/skin.pcx", 64)
    strip = commands()
    parts = [skin, Q2_COORDS, Q2_TRIANGLES, b"".join(Q2_FRAMES), strip]
    at, offsets = 68, []
    for part in parts:
        offsets.append(at)
        at += len(part)
    head = b"IDP2" + i32(8, SIZE, SIZE, FRAME_SIZE, 1, 8, 4, 12, len(strip) // 4, 3, *offsets, at)
    return head + b"".join(parts)


def mdx():
    skin = name("models/crate/skin.tga", 64)
    strip = commands(i32(0))
    objects = i32(*[0] * 8)
    skins_at = 92
    triangles_at = skins_at + len(skin)
    frames_at = triangles_at + len(Q2_TRIANGLES)
    strip_at = frames_at + 3 * FRAME_SIZE
    objects_at = strip_at + len(strip)
    end = objects_at + len(objects)
    head = b"IDPX" + i32(4, SIZE, SIZE, FRAME_SIZE, 1, 8, 12, len(strip) // 4, 3, 0, 0, 1, skins_at,
                         triangles_at, frames_at, strip_at, objects_at, end, end, end, end, end)
    return head + skin + Q2_TRIANGLES + b"".join(Q2_FRAMES) + strip + objects


def dkm_frame(frame, points):
    """A frame of version 2: eleven, ten and eleven bits."""
    scale = (32 / 2047, 32 / 1023, 32 / 2047)
    body = f32(*scale, *ORIGIN) + name(frame, 16)
    for n, point in enumerate(points):
        x, y, z = (round((c + 16) / s) for c, s in zip(point, scale))
        body += struct.pack("<IB", x << 21 | y << 11 | z, n)
    return body


def dkm(version):
    skins = name("skins/a.tga", 64) + name("skins/b.tga", 64)
    # Three sides of one skin, three of the other.
    half = commands(i32(0, 0), True)[:-4]
    size = len(half) // 6
    strip = half[:3 * size] + b"".join(
        i32(-4, 1, 0) + half[n * size + 12:(n + 1) * size] for n in (3, 4, 5)) + i32(0)
    frame = dkm_frame("rest1", CORNERS) if version == 2 else q2_frame("rest1")
    head_size = 88 if version == 2 else 80
    triangles = b"".join(struct.pack("<2h6H", 0, 0, *(SIDES[s][k] for k in t), *t) for s, t in TRIANGLES)
    surface = name("crate", 32) + b"\0" * 20
    at, offsets = head_size, []
    for part in (skins, Q2_COORDS, triangles, frame, strip, surface):
        offsets.append(at)
        at += len(part)
    head = b"DKMD" + i32(version) + f32(0, 0, 0) + i32(len(frame), 2, 8, 4, 12, len(strip) // 4, 1, 1)
    head += i32(*offsets, at) + (i32(0, at) if version == 2 else b"")
    return head + skins + Q2_COORDS + triangles + frame + strip + surface


def fm():
    strip = commands()
    node = b"\xff\x0f" + b"\0" * 254 + b"\xff" + b"\0" * 255 + struct.pack("<2h", 0, len(strip) // 4)
    blocks = [("header", 2, i32(SIZE, SIZE, FRAME_SIZE, 1, 8, 4, 12, len(strip) // 4, 3, 1)),
              ("skin", 1, name("models/crate/!skin.m8", 64)), ("st coord", 1, Q2_COORDS),
              ("tris", 1, Q2_TRIANGLES), ("frames", 1, b"".join(Q2_FRAMES)), ("glcmds", 1, strip),
              ("mesh nodes", 3, node)]
    return b"".join(name(key, 32) + i32(version, len(data)) + data for key, version, data in blocks)


# --- Quake 3 and IQM ------------------------------------------------------------------------------------
def md3_normal(normal):
    return {(1, 0, 0): 0x0040, (-1, 0, 0): 0x8040, (0, 1, 0): 0x4040, (0, -1, 0): 0xC040,
            (0, 0, 1): 0, (0, 0, -1): 0x0080}[normal]


def md3_surface(title, shader, sides):
    triangles = b"".join(i32(*(4 * n + k for k in t)) for n in range(len(sides)) for t in ((0, 2, 1), (0, 3, 2)))
    shaders = name(shader, 64) + i32(0)
    coords = b"".join(f32(*c) for _ in sides for c in COORDS)
    places = b"".join(struct.pack("<3hH", *((c + (8 if axis == 2 else 0) * up) * 64
                                            for axis, c in enumerate(CORNERS[SIDES[s][k]])),
                                  md3_normal(NORMALS[s]))
                      for up in (0, 1) for s in sides for k in range(4))
    at, offsets = 108, []
    for part in (triangles, shaders, coords, places):
        offsets.append(at)
        at += len(part)
    head = b"IDP3" + name(title, 64) + i32(0, 2, 1, 4 * len(sides), 2 * len(sides), *offsets, at)
    return head + triangles + shaders + coords + places


def md3():
    frames = b"".join(f32(-16, -16, -16 + up, 16, 16, 16 + up, 0, 0, 0, 28) + name(f"frame{n}", 16)
                      for n, up in enumerate((0, 8)))
    tags = b"".join(name("tag_top", 64) + f32(0, 0, 16 + up, 0, 1, 0, -1, 0, 0, 0, 0, 1) for up in (0, 8))
    surfaces = md3_surface("sides", "models/crate/sides", (0, 1, 2, 3))
    surfaces += md3_surface("lids", "models/crate/lids.tga", (4, 5))
    at = 108
    head = b"IDP3" + i32(15) + name("models/crate.md3", 64)
    head += i32(0, 2, 1, 2, 0, at, at + len(frames), at + len(frames) + len(tags),
                at + len(frames) + len(tags) + len(surfaces))
    return head + frames + tags + surfaces


def iqm(version=2):
    """Two joints, the upper half of the crate on the second; one animation of two frames that lifts it."""
    text = b"\0crate\0models/crate\0root\0top\0lift\0"
    at = {word: text.index(word.encode()) for word in ("crate", "models/crate", "root", "top", "lift")}
    corners = [(s, k) for s in range(6) for k in range(4)]
    places = b"".join(f32(*CORNERS[SIDES[s][k]]) for s, k in corners)
    coords = b"".join(f32(*COORDS[k]) for s, k in corners)
    normals = b"".join(f32(*NORMALS[s]) for s, k in corners)
    bones = b"".join(bytes([1 if CORNERS[SIDES[s][k]][2] > 0 else 0, 0, 0, 0]) for s, k in corners)
    weights = bytes([255, 0, 0, 0]) * 24
    colors = b"".join(bytes([255, 128 if s == 4 else 255, 255, 255]) for s, k in corners)
    arrays = [(0, 7, 3, places), (1, 7, 2, coords), (2, 7, 3, normals), (4, 1, 4, bones),
              (5, 1, 4, weights), (6, 1, 4, colors)]
    turn = (0, 0, 0) if version == 1 else (0, 0, 0, 1)
    joints = i32(at["root"], -1) + f32(0, 0, 0, *turn, 1, 1, 1)
    joints += i32(at["top"], 0) + f32(0, 0, 16, *turn, 1, 1, 1)
    count = 9 if version == 1 else 10
    base = [0, 0, 0, *turn, 1, 1, 1]
    poses = i32(-1, 0) + f32(*base, *[0] * count)
    poses += i32(0, 4) + f32(0, 0, 16, *turn, 1, 1, 1, 0, 0, 8, *[0] * (count - 3))
    anims = i32(at["lift"], 0, 2) + f32(10) + i32(1)
    frames = struct.pack("<2H", 0, 1)
    bounds = b"".join(f32(-16, -16, -16, 16, 16, 16 + up, 23, 36) for up in (0, 8))
    mesh = i32(at["crate"], at["models/crate"], 0, 24, 0, 12)
    triangles = b"".join(i32(*(4 * s + k for k in t)) for s, t in TRIANGLES)
    text += b"\0" * (-len(text) % 4)
    body, where = b"", {}
    for key, data in [("text", text), ("mesh", mesh), ("arrays", b"\0" * 20 * len(arrays)),
                      ("triangles", triangles), ("joints", joints), ("poses", poses), ("anims", anims),
                      ("frames", frames), ("bounds", bounds)]:
        where[key] = 124 + len(body)
        body += data
    records = b""
    for kind, form, size, data in arrays:
        records += i32(kind, 0, form, size, 124 + len(body))
        body += data
    start = where["arrays"] - 124
    body = body[:start] + records + body[start + len(records):]
    head = b"INTERQUAKEMODEL\0" + i32(version, 124 + len(body), 0, len(text), where["text"], 1, where["mesh"],
                                      len(arrays), 24, where["arrays"], 12, where["triangles"], 0,
                                      2, where["joints"], 2, where["poses"], 1, where["anims"],
                                      2, 1, where["frames"], where["bounds"], 0, 0, 0, 0)
    return head + body


# --- Raven ----------------------------------------------------------------------------------------------
def corner_list():
    return [(s, k) for s in range(6) for k in range(4)]


def glm():
    """One level of detail, one surface that is shown and one that is a place for other models."""
    def surface(number, corners, triangles):
        verts = b"".join(f32(*NORMALS[s], *CORNERS[SIDES[s][k]]) + struct.pack(
            "<I4B", (1 if CORNERS[SIDES[s][k]][2] > 0 else 0) | 1 << 5 | 3 << 20 | 1 << 30, 255, 0, 0, 0)
            for s, k in corners)
        coords = b"".join(f32(*COORDS[k]) for s, k in corners)
        refs = i32(0, 1)
        at = 40
        head = i32(0, number, 0, len(corners), at + len(triangles), len(triangles) // 12, at, 2,
                   at + len(triangles) + len(verts) + len(coords),
                   at + len(triangles) + len(verts) + len(coords) + len(refs))
        return head + triangles + verts + coords + refs

    whole = surface(0, corner_list(), b"".join(i32(*(4 * s + k for k in t)) for s, t in TRIANGLES))
    bolt = surface(1, [(0, 0), (0, 1), (0, 2)], i32(0, 2, 1))
    tree = [name("crate", 64) + i32(0) + name("models/crate/oak", 64) + i32(0, -1, 1, 1),
            name("*top", 64) + i32(1) + name("", 64) + i32(0, 0, 0)]
    offsets = i32(8, 8 + len(tree[0]))
    lods_at = 164 + len(offsets) + sum(map(len, tree))
    lod = i32(4 + 8 + len(whole) + len(bolt), 8, 8 + len(whole)) + whole + bolt
    head = b"2LGM" + i32(6) + name("models/crate.glm", 64) + name("models/crate", 64)
    head += i32(0, 2, 1, lods_at, 2, 164, lods_at + len(lod))
    return head + offsets + b"".join(tree) + lod


def gla():
    base = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    bones = [name("root", 64) + i32(0, -1) + f32(*base, *base) + i32(1, 1),
             name("top", 64) + i32(0, 0) + f32(*base, *base) + i32(0)]
    offsets = i32(8, 8 + len(bones[0]))
    body = offsets + b"".join(bones)
    frames_at = 100 + len(body)
    frames = b"\0" * 8  # two bones of one frame, three bytes each, padded
    pool = struct.pack("<7H", 49149, 32766, 32766, 32766, 32768, 32768, 32768)
    head = b"2LGA" + i32(6) + name("models/crate", 64) + f32(1)
    head += i32(1, frames_at, 2, frames_at + 8, 100, frames_at + 8 + len(pool))
    return head + body + frames + pool


def mdr(packed):
    """Two bones, two frames; the second lifts the upper half by 8. `packed`: frames of 16-bit numbers."""
    def bone(up):
        if packed:
            turn = [65534 if n in (0, 4, 8) else 32768 for n in range(9)]
            return struct.pack("<12H", 32768, 32768, 32768 + up * 64, *turn)
        return f32(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, up)

    def frame(up):
        box = f32(-16, -16, -16, 16, 16, 16 + up, 0, 0, 0, 28)
        return box + (b"" if packed else name("lift", 16)) + bone(0) + bone(16 + up)

    frames = frame(0) + frame(8)
    verts = b""
    for s, k in corner_list():
        x, y, z = CORNERS[SIDES[s][k]]
        top = z > 0
        verts += f32(*NORMALS[s], *COORDS[k]) + i32(1, top) + f32(1, x, y, z - 16 if top else z)
    triangles = b"".join(i32(*(4 * s + k for k in t)) for s, t in TRIANGLES)
    refs = i32(0, 1)
    end = 168 + len(triangles) + len(verts) + len(refs)
    surface = i32(0) + name("crate", 64) + name("models/crate/oak", 64)
    surface += i32(0, 0, 24, 168 + len(triangles), 12, 168, 2, end - len(refs), end)
    surface += triangles + verts + refs
    lod = i32(1, 12, 12 + len(surface)) + surface
    tag = i32(1) + name("tag_top", 32)
    at = 104
    head = b"RDM5" + i32(2) + name("models/crate.mdr", 64)
    head += i32(2, 2, -at if packed else at, 1, at + len(frames), 1, at + len(frames) + len(lod),
                at + len(frames) + len(lod) + len(tag))
    return head + frames + lod + tag


# --- GoldSrc --------------------------------------------------------------------------------------------
def studio():
    """Two bones, the upper half of the crate on the second; a sequence of two frames that lifts it by 8."""
    head_size = 244
    bones = b"".join(name(title, 32) + i32(parent, 0, *[-1] * 6) + f32(0, 0, z, 0, 0, 0) + f32(1, 1, 1, 1, 1, 1)
                     for title, parent, z in (("root", -1, 0), ("top", 0, 16)))
    at = head_size
    sequence_at = at + len(bones)
    anim_at = sequence_at + 176
    # Bone 0 does not move; of bone 1 the third channel has two numbers for two frames: 0 and 8.
    anim = struct.pack("<6H", *[0] * 6) + struct.pack("<6H", 0, 0, 12, 0, 0, 0) + struct.pack("<2B2h", 2, 2, 0, 8)
    sequence = name("lift", 32) + f32(10) + i32(1, 0, 0, 0, 0, 2, 0, 0, 0, 0) + f32(0, 0, 0) + i32(0, 0)
    sequence += f32(-16, -16, -16, 16, 16, 16) + i32(1, anim_at, 0, 0) + f32(0, 0, 0, 0) + i32(0, 0, 0, 0, 0, 0)
    groups_at = anim_at + len(anim)
    groups = name("default", 32) + name("", 64) + i32(0, 0)
    texture_at = groups_at + len(groups)
    pixels_at = texture_at + 80
    palette = bytes(c for n in range(256) for c in (n, n, n))
    texture = name("oak.bmp", 64) + i32(0, SIZE, SIZE, pixels_at) + texels() + palette
    skins_at = texture_at + len(texture)
    parts_at = skins_at + 4
    model_at = parts_at + 76
    mesh_at = model_at + 112
    infos_at = mesh_at + 20
    verts_at = infos_at + 8
    norm_infos_at = verts_at + 8 * 12
    norms_at = norm_infos_at + 8
    commands_at = norms_at + 6 * 12
    strip = b""
    for s, side in enumerate(SIDES):
        strip += struct.pack("<h", -4) + b"".join(
            struct.pack("<4h", side[k], s, SIZE * COORDS[k][0], SIZE * COORDS[k][1]) for k in (0, 3, 2, 1))
    strip += struct.pack("<h", 0)
    end = commands_at + len(strip)
    body = bones + sequence + anim + groups + texture + struct.pack("<2h", 0, 0)
    body += name("body", 64) + i32(1, 1, model_at)
    body += name("crate", 64) + i32(0) + f32(28) + i32(1, mesh_at, 8, infos_at, verts_at, 6, norm_infos_at,
                                                      norms_at, 0, 0)
    body += i32(12, commands_at, 0, 6, 0)
    body += bytes(n >> 2 & 1 for n in range(8))
    body += b"".join(f32(x, y, z - 16 if z > 0 else z) for x, y, z in CORNERS)
    body += bytes(8) + b"".join(f32(*n) for n in NORMALS) + strip
    head = b"IDST" + i32(10) + name("crate.mdl", 64) + i32(end) + f32(0, 0, 24, -16, -16, -16, 16, 16, 16)
    head += f32(0, 0, 0, 0, 0, 0) + i32(0, 2, at, 0, end, 0, end, 1, sequence_at, 1, groups_at)
    head += i32(1, texture_at, pixels_at, 1, 1, skins_at, 1, parts_at, 0, end, 0, 0, 0, 0, 0, end)
    return head + body


# --- Source -----------------------------------------------------------------------------------------------
SOURCE_SUM = 0x5EED  # checksum that all files of the model have
# The groups of strips: level of detail, sides and order of their vertices. The coarse level has no lids.
GROUPS = [(0, (0, 2, 4), 1), (0, (5, 3, 1), -1), (1, (0, 1, 2, 3), 1)]


def group_vertices(group):
    """Numbers of the model's vertices: four for each side."""
    return [4 * s + k for s in group[1] for k in range(4)][::group[2]]


def source_mdl(version=48):
    """A static prop: one bone, one sequence, sides of a crate."""
    texts = b"static_prop\0idle\0@idle\0oak\0models\\props\\\0body\0"
    bone_at = 408
    anim_at = bone_at + 216
    seq_at = anim_at + 100
    texture_at = seq_at + 212
    folder_at = texture_at + 64
    skin_at = folder_at + 4
    part_at = skin_at + 4
    model_at = part_at + 16
    mesh_at = model_at + 148
    index_at = mesh_at + 116
    text_at = index_at + 4
    end = text_at + len(texts)

    def text(word, record):
        return text_at + (b"\0" + texts).index(b"\0" + word + b"\0") - record

    body = i32(text(b"static_prop", bone_at), -1, *[-1] * 6) + f32(0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
    body += f32(*[1] * 6, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) + i32(0x100, 0, 0, 0, 0, 1) + bytes(32)
    body += i32(-anim_at, text(b"@idle", anim_at)) + f32(30) + i32(0, 1) + bytes(80)
    body += i32(-seq_at, text(b"idle", seq_at), 0, 0, -1, 1, 0, 0) + f32(-16, -16, -16, 16, 16, 16)
    body += i32(1, index_at - seq_at, 0, 1, 1) + bytes(136)
    body += i32(text(b"oak", texture_at)) + bytes(60)
    body += i32(text(b"models\\props\\", 0)) + struct.pack("<2h", 0, 0)
    body += i32(text(b"body", part_at), 1, 1, model_at - part_at)
    body += name("crate", 64) + i32(0) + f32(28) + i32(1, mesh_at - model_at, 24, 0, 0) + bytes(56)
    body += i32(0, model_at - mesh_at, 24, 0, 0, 0, 0, 0, 0) + f32(0, 0, 0) + i32(0, 24, 16) + bytes(56)
    body += i32(0) + texts
    head = b"IDST" + i32(version, SOURCE_SUM) + name("props/crate.mdl", 64) + i32(end)
    head += f32(0, 0, 0, 0, 0, 8, -16, -16, -16, 16, 16, 16, 0, 0, 0, 0, 0, 0) + i32(0x10, 1, bone_at, 0, end, 0, end)
    head += i32(1, anim_at, 1, seq_at, 0, 0, 1, texture_at, 1, folder_at, 1, 1, skin_at, 1, part_at)
    return (head + bytes(408 - len(head)) + body)[:end]


def source_vvd(two=False):
    """The lower half of the vertices is stored after the upper one: fixups put it first. With two bones
    the corners above belong to the second."""
    vertices = [f32(1, 0, 0) + bytes([SIDES[s][k] >> 2 & 1 if two else 0, 0, 0, 1]) + f32(*CORNERS[SIDES[s][k]], *NORMALS[s], *COORDS[k])
                for s, k in corner_list()]
    start = 64 + 2 * 12
    head = b"IDSV" + i32(4, SOURCE_SUM, 2, 24, 16, *[0] * 6, 2, 64, start, start + 24 * 48)
    return head + i32(0, 12, 12, 1, 0, 12) + b"".join(vertices[12:] + vertices[:12]) + f32(1, 0, 0, 1) * 24


def source_vtx(wide=False):
    """One body part, one model, two levels of detail; two groups of strips in the first. Later compilers
    write the number and the place of topology indices after each group and strip: 8 bytes more."""
    levels = [[g for g in GROUPS if g[0] == level] for level in (0, 1)]
    part_at, model_at, lod_at = 36, 44, 52
    mesh_at = lod_at + 2 * 12
    group_at = mesh_at + 2 * 9
    size = 33 if wide else 25
    more = i32(0, 0) if wide else b""
    data_at = group_at + len(GROUPS) * size
    head = i32(7, 24) + struct.pack("<2H", 53, 9) + i32(3, SOURCE_SUM, 2, data_at, 1, part_at)
    body = i32(1, model_at - part_at) + i32(2, lod_at - model_at)
    body += b"".join(i32(1, mesh_at + 9 * n - lod_at - 12 * n) + f32(20 * n) for n in (0, 1))
    first = [group_at, group_at + len(levels[0]) * size]
    body += b"".join(i32(len(levels[n]), first[n] - mesh_at - 9 * n) + b"\0" for n in (0, 1))
    data = i32(0, 0, 0, 0)  # no replaced materials in either level
    if wide:  # the second has one: its record, and the name, which is counted from there
        data = i32(0, 0, 1, 8) + struct.pack("<hi", 0, 6) + b"pine\0\0"
    groups = b""
    for n, group in enumerate(GROUPS):
        at = group_at + size * n
        numbers = group_vertices(group)
        indices = [numbers.index(4 * s + k) for s in group[1] for t in ((0, 2, 1), (0, 3, 2)) for k in t]
        vertices_at = data_at + len(data)
        data += b"".join(bytes([0, 0, 0, 1]) + struct.pack("<H", v) + bytes(3) for v in numbers)
        indices_at = data_at + len(data)
        data += struct.pack("<%dH" % len(indices), *indices)
        strips_at = data_at + len(data)
        data += i32(len(indices), 0, len(numbers), 0) + struct.pack("<hB", 1, 1) + i32(0, 0) + more
        groups += i32(len(numbers), vertices_at - at, len(indices), indices_at - at, 1, strips_at - at) + b"\2" + more
    return head + body + groups + data


def source_phy():
    """One solid of one ledge: the crate, in metres, with the axes of the physics engine."""
    triangles = [[SIDES[s][k] for k in (t[0], t[2], t[1])] for s, t in TRIANGLES]  # counter-clockwise
    slots = {}
    for n, t in enumerate(triangles):
        for e in range(3):
            slots[t[e], t[(e + 1) % 3]] = 4 * n + 1 + e
    points_at = 16 + 16 * len(triangles)
    ledge = i32(points_at, 0) + struct.pack("<Ihh", (points_at // 16) << 8 | 4, len(triangles), 0)
    for n, t in enumerate(triangles):
        ledge += struct.pack("<I", n)
        for e in range(3):
            step = slots[t[(e + 1) % 3], t[e]] - slots[t[e], t[(e + 1) % 3]]
            ledge += struct.pack("<I", t[e] | (step & 0x7FFF) << 16)
    points = b"".join(f32(x * 0.0254, -z * 0.0254, y * 0.0254, 0) for x, y, z in CORNERS)
    root = 48 + len(ledge) + len(points)
    surface = f32(0, 0, 0, 1, 1, 1, 0.71) + struct.pack("<I", (root + 28) << 8) + i32(root, 0, 0) + b"IVPS"
    node = i32(0, 48 - root) + f32(0, 0, 0, 0.71) + bytes([147, 147, 147, 0])
    surface += ledge + points + node
    solid = b"VPHY" + struct.pack("<hh", 0x100, 0) + i32(len(surface)) + f32(1, 1, 1) + i32(0) + surface
    text = b'solid {\n"index" "0"\n"name" "crate_phys"\n"mass" "40"\n"surfaceprop" "wood"\n"volume" "32768"\n}\n\0'
    return i32(16, 0, 1, SOURCE_SUM, len(solid)) + solid + text


def source_vhv():
    """The light of each vertex tells its side (red), its corner (green) and its level of detail (blue)."""
    colors = [b"".join(bytes([100 + 50 * g[0], 60 * (v % 4), 40 * (v // 4), 0]) for v in group_vertices(g))
              for g in GROUPS]
    head = i32(2, SOURCE_SUM, 4, 4, sum(len(c) // 4 for c in colors), len(colors), 0, 0, 0, 0)
    at, data = 512, b""
    for group, color in zip(GROUPS, colors):
        head += i32(group[0], len(color) // 4, at + len(data), 0, 0, 0, 0)
        data += color
    data = head.ljust(512, b"\0") + data
    return data.ljust((len(data) + 511) // 512 * 512, b"\0")


def source_bones(bones, at, text):
    """Bones above each other: name, parent, height above the parent and above the floor."""
    body = b""
    for n, (bone, parent, up, high) in enumerate(bones):
        body += i32(text(bone, at + 216 * n), parent, *[-1] * 6) + f32(0, 0, up, 0, 0, 0, 1, 0, 0, 0)
        body += f32(*[1] * 6, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -high, 0, 0, 0, 1) + i32(0x500, 0, 0, 0, 0, 1) + bytes(32)
    return body


def source_moving(path, bones, sequences, sides=False, include=None, blocks=None):
    """A model that moves: sequences are (name, frames, flags, flags of the animation, block, data)."""
    words = [b[0] for b in bones] + [q[0] for q in sequences] + [b"oak", b"models\\props\\", b"body"]
    words += [include or b"-", blocks[0] if blocks else b"-"]
    texts = b"\0" + b"\0".join(words) + b"\0"
    count = len(sequences)
    bone_at = 408
    anim_at = bone_at + 216 * len(bones)
    seq_at = anim_at + 100 * count
    index_at = seq_at + 212 * count
    include_at = index_at + 2 * count
    block_at = include_at + 8
    texture_at = block_at + 16
    folder_at = texture_at + 64
    skin_at = folder_at + 4
    part_at = skin_at + 4
    model_at = part_at + 16
    mesh_at = model_at + 148
    text_at = mesh_at + 116
    data_at = text_at + len(texts)

    def text(word, record):
        return text_at + 1 + texts.index(b"\0" + word + b"\0") - record

    body = source_bones(bones, bone_at, text)
    data = b""
    for n, (word, frames, _, flags, block, run) in enumerate(sequences):
        at = anim_at + 100 * n
        index = data_at + len(data) - at if block == 0 else 0
        data += run if block == 0 else b""
        body += i32(-at, text(word, at)) + f32(10) + i32(flags, frames) + bytes(32) + i32(block, index) + bytes(40)
    for n, (word, _, flags, _, _, _) in enumerate(sequences):
        at = seq_at + 212 * n
        body += i32(-at, text(word, at), 0, flags, -1, 1, 0, 0) + f32(-16, -16, -16, 16, 16, 24)
        body += i32(1, index_at + 2 * n - at, 0, 1, 1) + bytes(136)
    body += struct.pack("<%dh" % count, *range(count))
    body += i32(0, text(include or b"-", include_at)) + i32(0, 0, 80, 80 + (len(blocks[1]) if blocks else 0))
    body += i32(text(b"oak", texture_at)) + bytes(60)
    body += i32(text(b"models\\props\\", 0)) + struct.pack("<2h", 0, 0)
    body += i32(text(b"body", part_at), 1, 1, model_at - part_at)
    body += name("crate", 64) + i32(0) + f32(28) + i32(1, mesh_at - model_at, 24, 0, 0) + bytes(56)
    body += i32(0, model_at - mesh_at, 24, 0, 0, 0, 0, 0, 0) + f32(0, 0, 0) + i32(0, 24, 16) + bytes(56)
    body += texts + data
    end = 408 + len(body)
    head = b"IDST" + i32(48, SOURCE_SUM) + name(path, 64) + i32(end)
    head += f32(0, 0, 0, 0, 0, 8, -16, -16, -16, 16, 16, 16, 0, 0, 0, 0, 0, 0)
    head += i32(0, len(bones), bone_at, 0, end, 0, end, count, anim_at, count, seq_at, 0, 0)
    head += i32(*(1, texture_at, 1, folder_at, 1, 1, skin_at, 1, part_at) if sides else (0, end, 0, end, 0, 0, end, 0, end))
    head = head.ljust(336, b"\0") + i32(1 if include else 0, include_at, 0)
    head += i32(text(blocks[0], 0) if blocks else 0, 2 if blocks else 0, block_at)
    return head.ljust(408, b"\0") + body


def entry(bone, flags, data):
    """An animation of one bone: one entry, and the bone that ends the list."""
    return bytes([bone, flags]) + struct.pack("<h", 4 + len(data)) + data + bytes([255, 0, 0, 0])


def height_run(values):
    """Runs for the three axes: only the third moves."""
    return struct.pack("<3H", 0, 0, 6) + bytes([len(values)] * 2) + struct.pack("<%dh" % len(values), *values)


def frame_data(flags, constant, frames):
    """An animation in whole frames: a head, the flags of each bone, what is constant, the frames."""
    start = (24 + len(flags) + 3) // 4 * 4
    first = (start + len(constant) + 3) // 4 * 4
    data = i32(start, first, len(frames[0]), 0, 0, 0) + bytes(flags)
    return (data.ljust(start, b"\0") + constant).ljust(first, b"\0") + b"".join(frames)


def sorted_turn(*q):
    """A turn in 48 bits: the largest number is left out, those after it are in their order."""
    largest = max(range(4), key=lambda k: abs(q[k]))
    first = (largest + 1) % 4
    words = [round(q[(first + k) % 4] * 23168) + 16384 for k in range(3)]
    words[0] |= (first >> 1) << 15
    words[1] |= (first & 1) << 15
    words[2] |= (q[largest] < 0) << 15
    return struct.pack("<3H", *words)


def source_lift():
    """The upper half of the crate hangs on the bone "top". Its own sequence is at rest; those of the
    model that it includes lift it by 8 in the second frame (from a file of blocks, in which "top" is
    another bone), and add a height of 4, and a quarter turn about z, to any pose. Two more are whole
    frames: a constant turn and heights as floats, then both in each frame and in few bits."""
    rest = [(b"base", -1, 0, 0), (b"top", 0, 16, 16)]
    moves = [(b"base", -1, 0, 0), (b"other", 0, 3, 3), (b"top", 0, 16, 16)]
    lift = entry(2, 4, height_run([0, 8]))
    half = 0.5 ** 0.5
    turn = struct.pack("<3H", 32768, 32768, 16384 + round(half * 16384))
    added = entry(2, 2 | 4 | 16, turn + height_run([4]))
    full = frame_data([0, 0, 0x50], sorted_turn(0, 0, half, half), [f32(0, 0, 16), f32(0, 0, 24)])
    small = frame_data([0, 0, 0x0C], b"", [struct.pack("<3H", 32768, 32768, 16384) + struct.pack("<3e", 0, 0, 16),
                                           turn + struct.pack("<3e", 0, 0, 24)])
    put("source/models/lift.mdl", source_moving("lift.mdl", rest, [(b"idle", 1, 0, 0, 0, bytes([255, 0, 0, 0]))], True,
                                                b"models/lift_moves.mdl"))
    put("source/models/lift_moves.mdl", source_moving("lift_moves.mdl", moves, [
        (b"IDLE", 1, 0, 0, 0, bytes([255, 0, 0, 0])), (b"up", 2, 1, 0, 1, b""), (b"add", 1, 4, 4, 0, added),
        (b"frames", 2, 0, 0x40, 0, full), (b"few", 2, 0, 0x40, 0, small)],
        blocks=(b"models/lift_moves.ani", lift)))
    put("source/models/lift_moves.ani", b"IDAG" + i32(48, SOURCE_SUM) + name("lift_moves.ani", 64) + i32(80 + len(lift)) + lift)
    put("source/models/lift.vvd", source_vvd(True))
    put("source/models/lift.dx90.vtx", source_vtx())


# --- sprites --------------------------------------------------------------------------------------------
def picture(data, width=SIZE, height=SIZE):
    return i32(-width // 2, height // 2, width, height) + data


def sprite(version, form=None, group=False):
    data = texels()
    if version == 32:
        data = b"".join(bytes([t, 0, 255 - t, 255 if t != 100 else 0]) for t in data)
    head = b"IDSP" + i32(version, 2)
    frames = i32(0) + picture(data)
    count = 1
    if group:
        frames += i32(1, 2) + f32(0.1, 0.3) + picture(texels(0)) + picture(texels(1))
        count = 2
    if version == 2:
        palette = bytes(c for n in range(256) for c in (n, 255 - n, n // 2))
        head += i32(form) + f32(11.3) + i32(SIZE, SIZE, count) + f32(0) + i32(0)
        return head + struct.pack("<h", 256) + palette + frames
    return head + f32(11.3) + i32(SIZE, SIZE, count) + f32(0) + i32(0) + frames


def sp2():
    return b"IDS2" + i32(2, 2) + i32(32, 16, 16, 8) + name("sprites/spark0.pcx", 64) + i32(
        32, 32, 16, 0) + name("sprites/spark1.pcx", 64)


def book():
    return b"BOOK" + i32(2, 2, 64, 32) + i32(0, 0, 32, 32) + name("book/left.m8", 64) + i32(
        32, 0, 32, 32) + name("book/right.m8", 64)


put("quake/progs/crate.mdl", mdl())
put("quake/progs/torch.mdl", mdl(group=True))
put("quake/progs/crate16.mdl", mdl(b"MD16", low=True))
put("quake/progs/spark.spr", sprite(1, group=True))
put("quake/progs/spark32.spr", sprite(32))
put("hexen2/models/crate.mdl", rapo())
put("goldsrc/sprites/glow.spr", sprite(2, 1))
put("goldsrc/sprites/smoke.spr", sprite(2, 2))
put("quake2/models/crate/tris.md2", md2())
put("quake2/sprites/spark.sp2", sp2())
put("heretic2/models/crate/tris.fm", fm())
put("heretic2/book/intro.bk", book())
put("kingpin/models/crate.mdx", mdx())
put("daikatana/models/crate1.dkm", dkm(1))
put("daikatana/models/crate2.dkm", dkm(2))
put("quake3/models/crate.md3", md3())
put("quake3/models/crate_default.skin", b"sides,models/crate/oak\ntag_top,\n")
put("quake3/models/crate_red.skin", b"sides,models/crate/red\nlids,nodraw\n")
put("quake3/models/crate.iqm", iqm())
put("quake3/models/crate1.iqm", iqm(1))
put("raven/models/crate.glm", glm())
put("raven/models/crate.gla", gla())
put("raven/models/crate.mdr", mdr(False))
put("raven/models/packed.mdr", mdr(True))
put("goldsrc/models/crate.mdl", studio())
put("source/models/props/crate.mdl", source_mdl())
put("source/models/props/crate.vvd", source_vvd())
put("source/models/props/crate.dx90.vtx", source_vtx())
put("source/models/props/crate.phy", source_phy())
source_lift()
put("source/models/props/wide.mdl", source_mdl(52))
put("source/models/props/wide.vvd", source_vvd())
put("source/models/props/wide.dx90.vtx", source_vtx(True))
put("source/sp_0.vhv", source_vhv())

# --- what stands in the lobby of Source -------------------------------------------------------------------


def turned(profile, slices):
    """A body that is turned round z: points (radius, height) from the top down, clockwise from outside."""
    vertices, triangles = [], []
    for n, (radius, height) in enumerate(profile):
        before, after = profile[max(n - 1, 0)], profile[min(n + 1, len(profile) - 1)]
        out, up = before[1] - after[1], after[0] - before[0]
        length = math.hypot(out, up) or 1
        for s in range(slices + 1):
            x, y = math.cos(2 * math.pi * s / slices), math.sin(2 * math.pi * s / slices)
            vertices.append(((radius * x, radius * y, height), (out * x / length, out * y / length, up / length),
                             (s / slices, n / (len(profile) - 1))))
    for n in range(len(profile) - 1):
        for s in range(slices):
            a = n * (slices + 1) + s
            b = a + slices + 1
            triangles += [a, a + 1, b] * (profile[n][0] != 0) + [b, a + 1, b + 1] * (profile[n + 1][0] != 0)
    return vertices, triangles


def urn():
    """The lobby names models/lobby/urn.mdl twice, with skins 0 and 1."""
    lobby = OUT.parent / "source"
    body = turned([(9, 32), (7, 29), (7, 27), (12, 22), (14, 16), (12, 9), (6, 3), (8, 0), (0, 0)], 12)
    rim = turned([(0, 26), (8, 26), (8, 32), (10, 33), (10, 30), (9, 29)], 12)
    source_model.write_model(lobby, "models/lobby/urn", [body, rim], [[0, 1], [1, 0]], ["lobby/clay", "lobby/glaze"])
    for title, shade in (("lobby/clay", (150, 84, 56)), ("lobby/glaze", (58, 92, 132))):
        source_model.write_texture(lobby, title, 16, lambda x, y, c=shade: (
            *(v * (10 + (y % 8 != 0) * 2 + (x + y) % 2) // 13 for v in c), 255))


urn()
