# SPDX-License-Identifier: MIT
"""Light of materials' own in glTF: fullbright colours of Quake by the bytes of the map, an added stage of
Quake 3, $selfillum of Source on the world and on models. Where materials are lit it is emissive; baked
images show it, whatever light falls on them."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

SOURCE = pathlib.Path(os.environ["SOURCE"])
sys.path.insert(0, str(SOURCE / "tools"))
import source_model  # noqa: E402

BSPKIT = os.environ["BSPKIT"]


def read_png(data):
    """Rows of pixels, as tuples of their channels; colours of a palette have four."""
    width, _, bits, kind = struct.unpack(">IIBB", data[16:26])
    assert (bits == 8 and kind in (2, 6)) or kind == 3, (bits, kind)
    at, packed, palette, clear = 8, b"", b"", b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
        palette = data[at + 8:at + 8 + size] if name == b"PLTE" else palette
        clear = data[at + 8:at + 8 + size] if name == b"tRNS" else clear
        at += size + 12
    wide = {2: 3, 3: 1, 6: 4}[kind]
    length = (width * wide * bits + 7) // 8
    raw, rows, above = zlib.decompress(packed), [], bytes(length)
    for start in range(0, len(raw), length + 1):
        how, line = raw[start], bytearray(raw[start + 1:start + 1 + length])
        for i in range(length):
            a, b, c = line[i - wide] if i >= wide else 0, above[i], above[i - wide] if i >= wide else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[how]) & 255
        if palette:
            numbers = [line[x * bits // 8] >> (8 - bits - x * bits % 8) & ((1 << bits) - 1) for x in range(width)]
            rows.append([(*palette[3 * n:3 * n + 3], clear[n] if n < len(clear) else 255) for n in numbers])
        else:
            rows.append([tuple(line[i:i + wide]) for i in range(0, len(line), wide)])
        above = line
    return rows


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


class Export:
    def __init__(self, folder, source, light, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        run("export", source, "-l", light, "-o", self.folder / "map.gltf", *options)
        self.json = json.loads((self.folder / "map.gltf").read_text())
        self.bin = (self.folder / self.json["buffers"][0]["uri"]).read_bytes()

    def picture(self, texture):
        image = self.json["images"][self.json["textures"][texture["index"]]["source"]]
        return read_png((self.folder / image["uri"]).read_bytes())

    def shining(self):
        """Pictures of what shines, by the name of the material in small letters."""
        found = {}
        for m in self.json["materials"]:
            if "emissiveTexture" in m:
                assert m["emissiveFactor"] == [1, 1, 1] and "extensions" not in m, m
                found[m["name"].lower()] = self.picture(m["emissiveTexture"])
        return found

    def values(self, number):
        a = self.json["accessors"][number]
        v = self.json["bufferViews"][a["bufferView"]]
        wide = {"VEC2": 2, "VEC3": 3, "SCALAR": 1}[a["type"]]
        kind = {5126: "f", 5123: "H", 5125: "I"}[a["componentType"]]
        at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
        step = v.get("byteStride", wide * struct.calcsize(kind))
        return [struct.unpack_from("<%d%s" % (wide, kind), self.bin, at + step * i) for i in range(a["count"])]


def miptexes(data):
    """Name, size and texels of the embedded textures of a map of Quake."""
    lump = struct.unpack_from("<I", data, 4 + 2 * 8)[0]
    count = struct.unpack_from("<I", data, lump)[0]
    for n in range(count):
        at = lump + struct.unpack_from("<I", data, lump + 4 + 4 * n)[0]
        name = data[at:at + 16].split(b"\0")[0].decode().lower()
        width, height, texels = struct.unpack_from("<III", data, at + 16)
        yield name, width, height, data[at + texels:at + texels + width * height]


def check_quake(work):
    palette = (SOURCE / "samples/quake/gfx/palette.lmp").read_bytes()
    shines = {}
    for name, width, height, texels in miptexes((SOURCE / "samples/quake/lobby.bsp").read_bytes()):
        if max(texels) >= 224 and name[0] not in "*{" and not name.startswith("sky"):
            shines[name] = [[tuple(palette[3 * i:3 * i + 3]) if i >= 224 else (0, 0, 0)
                             for i in texels[y * width:(y + 1) * width]] for y in range(height)]
    assert shines, "no texture of the sample has fullbright colours"
    for light in ("uv", "none", "vertex", "baked"):
        export = Export(work, SOURCE / "samples/quake/lobby.bsp", light, "-g", SOURCE / "samples/quake", "--no-props")
        found = export.shining()
        layers = [m["name"].lower() for m in export.json["materials"] if m.get("alphaMode") == "BLEND"
                  and m["name"].lower() in shines]
        assert bool(layers) == (light == "vertex"), (light, layers)
        for name in layers:
            check_layer(export, lambda x, y, rows=shines[name]: rows[y][x], name)
        assert set(found) <= set(shines), (light, set(found), set(shines))
        if light in ("vertex", "baked"):
            assert not found
            continue
        assert found, light
        for name, rows in found.items():
            assert [[p[:3] for p in row] for row in rows] == shines[name], name


def check_quake3(work):
    for light, lit in (("uv", True), ("baked", False)):
        found = Export(work, SOURCE / "samples/quake3/lobby.bsp", light, "-g", SOURCE / "samples/quake3",
                       "--no-props").shining()
        assert len(found) == (1 if lit else 0), found
        for rows in found.values():  # rgbGen wave sin 0.4 0.1 0 0.5: 0.4 of lamp0.tga at first
            data = (SOURCE / "samples/quake3/textures/lobby/lamp0.tga").read_bytes()
            width, height, bits, flags = struct.unpack_from("<HHBB", data, 12)
            assert data[2] == 2 and bits in (24, 32)
            at = 18 + data[0]
            for y in range(height):
                row = y if flags & 0x20 else height - 1 - y
                for x in range(width):
                    b, g, r = data[at + (row * width + x) * bits // 8:][:3]
                    assert all(abs(p - 0.4 * c) <= 1 for p, c in zip(rows[y][x], (r, g, b))), (x, y)
    # The added stage is added; without its blendFunc it is not there.
    game = work / "quake3"
    (game / "scripts").mkdir(parents=True)
    text = (SOURCE / "samples/quake3/scripts/lobby.shader").read_text()
    (game / "scripts/lobby.shader").write_text(text.replace("blendFunc add", "blendFunc filter"))
    assert not Export(work, SOURCE / "samples/quake3/lobby.bsp", "uv", "-g", game, "-g",
                      SOURCE / "samples/quake3", "--no-props").shining()


COLOR = (200, 100, 50)


def make_source(folder, alpha, more="", mask=None):
    """A folder in which the step of the sample, and an urn, have light of their own."""
    keys = '"$selfillum" 1\n' + more
    body = source_model.box((-8, -8, 0), (8, 8, 24))
    source_model.write_texture(folder, "lobby/step1", 4, lambda x, y: (*COLOR, alpha(x, y)), keys)
    (folder / "materials/lobby").mkdir(parents=True)
    (folder / "materials/models/lobby/step1.vmt").rename(folder / "materials/lobby/step1.vmt")
    source_model.write_texture(folder, "lobby/clay", 4, lambda x, y: (*COLOR, alpha(x, y)), keys)
    source_model.write_model(folder, "models/lobby/urn", [body], [[0], [0]], ["lobby/clay"])
    if mask is not None:
        source_model.write_texture(folder, "lobby/mask", 2, mask)


def scale(part, tint=(255, 255, 255)):
    return tuple(c * part * t / 255 / 255 for c, t in zip(COLOR, tint))


def check_picture(rows, wanted, most=1):
    for y in range(len(rows)):
        for x in range(len(rows[y])):
            assert all(abs(a - b) <= most for a, b in zip(rows[y][x][:3], wanted(x, y))), (x, y, rows[y][x])


def check_layer(export, wanted, name="lobby/clay"):
    """Where the light of a model or of the world is at its vertices, its own lies over it: not lit, as opaque
    as it is bright, and a little outside."""
    clay = [(n, m) for n, m in enumerate(export.json["materials"]) if m["name"].lower() == name]
    layers = [n for n, m in clay if m.get("alphaMode") == "BLEND"]
    assert len(clay) == 2 and len(layers) == 1 and all("KHR_materials_unlit" in m["extensions"] for _, m in clay), clay
    rows = export.picture(export.json["materials"][layers[0]]["pbrMetallicRoughness"]["baseColorTexture"])
    check_picture([[tuple(c * p[3] / 255 for c in p[:3]) for p in row] for row in rows], wanted, 2)
    for mesh in export.json["meshes"]:
        over = [p for p in mesh["primitives"] if p["material"] == layers[0]]
        under = [p for p in mesh["primitives"] if p["material"] in [n for n, _ in clay] and p not in over]
        assert len(over) == len(under), mesh
        for a, b in zip(over, under):
            assert "COLOR_0" in b["attributes"] and "COLOR_0" not in a["attributes"], (a, b)
            places, inside, normals = (export.values(x["attributes"][name]) for x, name in (
                (a, "POSITION"), (b, "POSITION"), (b, "NORMAL")))
            for p, q, n in zip(places, inside, normals):
                assert all(abs(x - y - z / 16 / 39.37) < 1e-5 for x, y, z in zip(p, q, n)), (p, q, n)


def check_source(work):
    def source(light, name):
        return Export(work, work / "lobby.bsp", light, "-g", work / name, "-g",
                      SOURCE / "samples/source")

    def ramp(x, y):
        return 60 * x + 5 * y

    make_source(work / "alpha", ramp)
    make_source(work / "tint", ramp, '"$selfillumtint" "[.5 1 0]"\n')
    make_source(work / "mask", ramp, '"$selfillummask" "models/lobby/mask"\n',
                lambda x, y: (255, 255, 255, 255) if x == y else (0, 0, 0, 255))
    make_source(work / "none", lambda x, y: 0)
    for name, wanted in (("alpha", lambda x, y: scale(ramp(x, y))),
                         ("tint", lambda x, y: scale(ramp(x, y), (127, 255, 0))),
                         ("mask", lambda x, y: scale(255 if x // 2 == y // 2 else 0))):
        for light in ("uv", "none"):
            found = source(light, name).shining()
            assert set(found) == {"lobby/step1", "lobby/lamp0", "lobby/clay"}, (name, light, set(found))
            for material in ("lobby/step1", "lobby/clay"):
                check_picture(found[material], wanted)
        for light in ("baked", "vertex"):
            export = source(light, name)
            assert not export.shining()
            check_layer(export, wanted)
            if light == "vertex":
                check_layer(export, wanted, "lobby/step1")
    assert set(source("uv", "none").shining()) == {"lobby/lamp0"}


def baked_texels(export, name):
    """The texels of baked images in the middle of the triangles of a material."""
    for m, material in enumerate(export.json["materials"]):
        if material["name"].lower() != name or "baseColorTexture" not in material["pbrMetallicRoughness"]:
            continue
        rows = export.picture(material["pbrMetallicRoughness"]["baseColorTexture"])
        for mesh in export.json["meshes"]:
            for p in mesh["primitives"]:
                if p.get("material") == m and len(rows) > 4:
                    uv = export.values(p["attributes"]["TEXCOORD_0"])
                    index = [i[0] for i in export.values(p["indices"])]
                    for k in range(0, len(index), 3):
                        u, v = (sum(uv[i][c] for i in index[k:k + 3]) / 3 for c in (0, 1))
                        yield rows[int(v * len(rows))][int(u * len(rows[0]))][:3]


def check_baked(work):
    def texels(name):
        return list(baked_texels(Export(work, work / "lobby.bsp", "baked", "--no-props", "--bake-density", 1, "-g",
                                        work / name, "-g", SOURCE / "samples/source"), "lobby/step1"))

    make_source(work / "whole", lambda x, y: 255)
    make_source(work / "half", lambda x, y: 128)
    make_source(work / "dark", lambda x, y: 0)
    whole, half, dark = texels("whole"), texels("half"), texels("dark")
    assert len(whole) == len(dark) == len(half) >= 4
    assert all(abs(a - b) <= 1 for texel in whole for a, b in zip(texel, COLOR)), whole
    assert any(sum(texel) < sum(COLOR) - 60 for texel in dark), "the step is lit anyhow"
    for a, b in zip(half, dark):  # half of it shines, half is lit
        assert all(abs(x - (y + c) / 2) <= 2 for x, y, c in zip(a, b, COLOR)), (a, b)


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        run("pak", "remove", SOURCE / "samples/source/lobby.bsp", "materials/lobby/step1.vmt", "-o",
            work / "lobby.bsp")
        check_quake(work)
        check_quake3(work)
        check_source(work)
        check_baked(work)


if __name__ == "__main__":
    main()
