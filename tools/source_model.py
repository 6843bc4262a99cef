# SPDX-License-Identifier: MIT
"""Writes small Source models (.mdl of version 48, .vvd, .dx90.vtx) and textures (.vtf, .vmt) for tests
and measurements. Layouts: sheet models, 9.1, 9.3 and 9.4."""
import math
import pathlib
import struct

HEAD, PART, MODEL, MESH = 408, 16, 148, 116
STATIC_PROP = 0x10


def i32(*values):
    return struct.pack("<%di" % len(values), *values)


def f32(*values):
    return struct.pack("<%df" % len(values), *values)


def box(mins, maxs):
    """Vertices (position, normal, uv) and triangles, clockwise seen from outside, as files have them."""
    vertices, triangles = [], []
    for axis in range(3):
        for end in (0, 1):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            first = len(vertices)
            for s, t in ((0, 0), (1, 0), (1, 1), (0, 1)):
                at = [0, 0, 0]
                at[axis], at[u], at[v] = ((mins, maxs)[k][i] for k, i in ((end, axis), (s, u), (t, v)))
                vertices.append((at, [(2 * end - 1) * (i == axis) for i in range(3)], (s, t)))
            order = (0, 2, 1, 0, 3, 2) if end else (0, 1, 2, 0, 2, 3)
            triangles += [first + n for n in order]
    return vertices, triangles


def ball(radius, rings, slices):
    """A ball that stands on z = 0."""
    vertices, triangles = [], []
    for r in range(rings + 1):
        for s in range(slices + 1):
            a, b = math.pi * r / rings, 2 * math.pi * s / slices
            n = (math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a))
            at = [radius * n[0], radius * n[1], radius * (1 + n[2])]
            vertices.append((at, n, (s / slices, r / rings)))
    for r in range(rings):
        for s in range(slices):
            a = r * (slices + 1) + s
            b = a + slices + 1
            triangles += [a, a + 1, b] * (r != 0) + [b, a + 1, b + 1] * (r != rings - 1)
    return vertices, triangles


def write_model(folder, name, meshes, skins, materials):
    """`name` is "models/a/b"; `meshes` are pairs of vertices and triangles; `skins` has for each family
    the number of the material of each mesh; `materials` are names below materials/models."""
    strings, parts = b"", []
    at = HEAD + 4 + 64 * len(materials) + (2 * len(meshes) * len(skins) + 3) // 4 * 4
    body = at
    texts = body + PART + MODEL + MESH * len(meshes)

    def text(value):
        nonlocal strings
        place = texts + len(strings)
        strings += value.encode() + b"\0"
        return place

    textures = b"".join(i32(text(m) - (HEAD + 4 + 64 * n), 0, 1) + bytes(52) for n, m in enumerate(materials))
    refs = b"".join(struct.pack("<%dh" % len(meshes), *family) for family in skins)
    refs += bytes(-len(refs) % 4)
    first, records = 0, b""
    for n, (vertices, _) in enumerate(meshes):
        records += i32(n, 0, len(vertices), first, 0, 0, 0, 0, n) + f32(0, 0, 0) + i32(0, *[len(vertices)] * 8)
        records += bytes(32)
        first += len(vertices)
    points = [v[0] for vertices, _ in meshes for v in vertices]
    lo, hi = ([f(p[i] for p in points) for i in range(3)] for f in (min, max))
    middle = [(a + b) / 2 for a, b in zip(lo, hi)]
    model = b"model".ljust(64, b"\0") + i32(0) + f32(1) + i32(len(meshes), MODEL, first, 0, 0, 0, 0, 0, 0)
    model += bytes(MODEL - len(model))
    head = bytearray(HEAD)
    folders = text("models/")
    data = i32(folders) + textures + refs
    data += i32(text("body") - body, 1, 1, PART) + model + records + strings
    head[0:80] = b"IDST" + i32(48, 1) + name.encode().ljust(64, b"\0") + i32(HEAD + len(data))
    head[80:152] = f32(0, 0, 0, *middle, *lo, *hi, *lo, *hi)
    head[152:156] = i32(STATIC_PROP)
    head[204:212] = i32(len(materials), HEAD + 4)
    head[212:220] = i32(1, HEAD)
    head[220:232] = i32(len(meshes), len(skins), HEAD + 4 + 64 * len(materials))
    head[232:240] = i32(1, body)
    base = pathlib.Path(folder, name)
    base.parent.mkdir(parents=True, exist_ok=True)
    base.with_suffix(".mdl").write_bytes(bytes(head) + data)

    vvd = b"IDSV" + i32(4, 1, 1, *[first] * 8, 0, 64, 64, 64 + 48 * first)
    for vertices, _ in meshes:
        for at, normal, uv in vertices:
            vvd += f32(1, 0, 0) + bytes([0, 0, 0, 1]) + f32(*at, *normal, *uv)
    base.with_suffix(".vvd").write_bytes(vvd + bytes(16 * first))

    groups_at = 36 + 8 + 8 + 12 + 9 * len(meshes)
    group_head, tail = b"", b""
    tail_at = groups_at + 25 * len(meshes)
    heads = b""
    for n, (vertices, triangles) in enumerate(meshes):
        mine = groups_at + 25 * n
        heads += i32(1, mine - (36 + 28 + 9 * n)) + b"\0"
        points_at = tail_at + len(tail)
        tail += b"".join(bytes([0, 1, 2, 1]) + struct.pack("<H3b", v, 0, 0, 0) for v in range(len(vertices)))
        index_at = tail_at + len(tail)
        tail += struct.pack("<%dH" % len(triangles), *triangles)
        strip_at = tail_at + len(tail)
        tail += i32(len(triangles), 0, len(vertices), 0) + struct.pack("<hB", 0, 1) + i32(0, 0)
        group_head += i32(len(vertices), points_at - mine, len(triangles), index_at - mine, 1,
                          strip_at - mine) + b"\2"
    vtx = i32(7, 24) + struct.pack("<2H", 53, 9) + i32(3, 1, 1, 0, 1, 36)
    vtx += i32(1, 8) + i32(1, 8) + i32(len(meshes), 12) + f32(0) + heads + group_head + tail
    pathlib.Path(str(base) + ".dx90.vtx").write_bytes(vtx)


def write_texture(folder, name, size, pixel, keys="", shader="VertexLitGeneric"):
    """A material below materials/models with a picture of RGBA that `pixel(x, y)` gives."""
    base = pathlib.Path(folder, "materials/models", name)
    base.parent.mkdir(parents=True, exist_ok=True)
    head = b"VTF\0" + i32(7, 2, 80) + struct.pack("<2HI2H4x3f4xfi", size, size, 0, 1, 0, 0.5, 0.5, 0.5, 1, 0)
    head += struct.pack("<Bi2BH", 1, -1, 0, 0, 1)
    rows = b"".join(bytes(pixel(x, y)) for y in range(size) for x in range(size))
    base.with_suffix(".vtf").write_bytes(head.ljust(80, b"\0") + rows)
    base.with_suffix(".vmt").write_text('"%s"\n{\n"$basetexture" "models/%s"\n%s\n}\n' % (shader, name, keys))
