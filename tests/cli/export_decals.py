# SPDX-License-Identifier: MIT
"""Decals in glTF and OBJ: an infodecal on a wall of the Source sample and of the GoldSrc one, with the picture,
place and light that the wall has."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
UNIT = 1 / 39.37
COLOR = (40, 10, 120)


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def write_wad(path):
    """A WAD of GoldSrc with the decal {SPOT: alpha 255 in the middle 8 texels, else 64."""
    side, texels = 16, b""
    for level in range(4):
        s = side >> level
        texels += bytes(255 if s // 4 <= x < s * 3 // 4 and s // 4 <= y < s * 3 // 4 else 64
                        for y in range(s) for x in range(s))
    offsets = [40, 40 + 256, 40 + 256 + 64, 40 + 256 + 64 + 16]
    mip = b"{SPOT".ljust(16, b"\0") + struct.pack("<2I4I", side, side, *offsets) + texels
    mip += struct.pack("<H", 256) + bytes(3 * 255) + bytes(COLOR)
    mip += bytes(-len(mip) % 4)
    entry = struct.pack("<3IBBH", 12, len(mip), len(mip), 0x43, 0, 0) + b"{SPOT".ljust(16, b"\0")
    path.write_bytes(b"WAD3" + struct.pack("<2I", 1, 12 + len(mip)) + mip + entry)


class Document:
    def __init__(self, work, name, source, light, *options):
        self.path = work / ("%s_%s.gltf" % (name, light))
        run("export", source, "-l", light, "-o", self.path, *options)
        self.json = json.loads(self.path.read_text())
        self.bin = (work / self.json["buffers"][0]["uri"]).read_bytes()
        nodes = [n for n in self.json["nodes"] if n.get("name") == "decals"]
        assert len(nodes) == 1 and set(nodes[0]) == {"name", "mesh"}, nodes
        assert self.json["nodes"].index(nodes[0]) in self.json["scenes"][0]["nodes"]
        mesh = self.json["meshes"][nodes[0]["mesh"]]
        assert mesh["name"] == "decals" and len(mesh["primitives"]) == 1, mesh
        self.primitive = mesh["primitives"][0]
        self.material = self.json["materials"][self.primitive["material"]]

    def values(self, name):
        a = self.json["accessors"][self.primitive["attributes"].get(name, -1)]
        v = self.json["bufferViews"][a["bufferView"]]
        wide = {"VEC2": 2, "VEC3": 3, "VEC4": 4}[a["type"]]
        kind = {5126: "f", 5123: "H"}[a["componentType"]]
        at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
        step = v.get("byteStride", wide * struct.calcsize(kind))
        return [struct.unpack_from("<%d%s" % (wide, kind), self.bin, at + step * i) for i in range(a["count"])]


def check_place(places, uvs, half):
    """The wall is at y = 256 and looks along -y; a picture is upright on it, its right along +x."""
    area = 0
    for k in range(0, len(places), 3):
        corners = []
        for p, uv in zip(places[k:k + 3], uvs[k:k + 3]):
            x, y, z = p[0] / UNIT, -p[2] / UNIT, p[1] / UNIT
            assert abs(y - (256 - 0.1)) < 0.01, (x, y, z)
            assert abs(uv[0] - (0.5 + (x - 128) / (2 * half))) < 1e-3, (x, uv)
            assert abs(uv[1] - (0.5 - (z - 60) / (2 * half))) < 1e-3, (z, uv)
            corners.append((x, z))
        (ax, az), (bx, bz), (cx, cz) = corners
        area += ((bx - ax) * (cz - az) - (bz - az) * (cx - ax)) / 2
    assert abs(area - 4 * half * half) < 0.5, area


def check(work, name, picture, half, game):
    source = work / (name + ".bsp")
    options = ["-g", game, "-g", SOURCE / "samples" / name]
    (work / "decal.ent").write_text('{\n"classname" "infodecal"\n"texture" "%s"\n"origin" "128 255 60"\n}\n' % picture)
    run("entities", SOURCE / "samples" / name / "lobby.bsp", "--add", work / "decal.ent", "-o", source)
    for light in ("none", "uv", "vertex", "baked"):
        d = Document(work, name, source, light, *options)
        assert d.material["name"] == picture and d.material["alphaMode"] == "BLEND", d.material
        image = d.json["textures"][d.material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
        assert d.json["samplers"][image["sampler"]]["wrapS"] == 33071
        assert d.json["images"][image["source"]]["name"] == picture
        check_place(d.values("POSITION"), d.values("TEXCOORD_0"), half)
        colored = light in ("vertex", "baked")
        assert ("COLOR_0" in d.primitive["attributes"]) == colored, light
        assert ("KHR_materials_unlit" in d.material.get("extensions", {})) == colored, light
        assert ("TEXCOORD_1" in d.primitive["attributes"]) == (light == "uv"), light
        assert ("lightmap" in d.material.get("extras", {})) == (light == "uv"), light
        if colored:
            assert all(0 < c[0] <= 65535 and c[3] == 65535 for c in d.values("COLOR_0"))
    run("export", source, "-o", work / (name + ".obj"), *options)
    lines = (work / (name + ".obj")).read_text().split("\no decals")[1].split("\no ")[0].splitlines()
    places = [[float(w) for w in line.split()[1:4]] for line in lines if line.startswith("v ")]
    uvs = [[float(w) for w in line.split()[1:3]] for line in lines if line.startswith("vt ")]
    check_place(places, [(u, 1 - v) for u, v in uvs], half)
    if name == "goldsrc":  # its picture is in no folder: no node
        run("export", source, "-o", work / "without.gltf")
        nodes = json.loads((work / "without.gltf").read_text())["nodes"]
        assert not [n for n in nodes if n.get("name") == "decals"]


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        game = work / "game"
        game.mkdir()
        write_wad(game / "decals.wad")
        check(work, "source", "lobby/sign1", 32, game)
        check(work, "goldsrc", "{SPOT", 8, game)


main()
