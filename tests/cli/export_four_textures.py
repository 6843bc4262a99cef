# SPDX-License-Identifier: MIT
"""Displacements with multiblend: the lobby's hill with a material of four colours, each of which is seen alone
in baked exports, and named, with its share, in others."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
sys.path.insert(0, str(SOURCE / "tools"))
sys.path.insert(0, str(SOURCE / "tests/cli"))
import source_model  # noqa: E402
from export_glow import read_png  # noqa: E402

BSPKIT = os.environ["BSPKIT"]
COLOURS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)]
MIN_TESS = 24  # offset in a record of DISPINFO
VERTS = 81


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def make_map(folder, shares):
    path = folder / "map.bsp"
    run("convert", SOURCE / "samples/source/lobby.bsp", "--to", "source_21", "-o", path)
    run("pak", "remove", path, "materials/lobby/hill1*", "--in-place", "--no-backup")
    run("lump", "extract", path, "DISPINFO", "-o", folder / "disp")
    disp = bytearray((folder / "disp").read_bytes())
    struct.pack_into("<I", disp, MIN_TESS, 0xC0000000)
    (folder / "disp").write_bytes(disp)
    run("lump", "replace", path, "DISPINFO", folder / "disp", "--in-place", "--no-backup")
    (folder / "blend").write_bytes(struct.pack("<20f", *shares, *[0] * 16) * VERTS)
    run("lump", "replace", path, "DISP_MULTIBLEND", folder / "blend", "--in-place", "--no-backup")
    return path


def shares_of(path):
    """The images that the material of the hill mixes in, and the least and most share of each at the vertices."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    gltf = json.loads(data[20:20 + size])
    number = [m["name"] for m in gltf["materials"]].index("LOBBY/HILL1")
    extras, found = gltf["materials"][number]["extras"], {}
    part = [p for m in gltf["meshes"] for p in m["primitives"] if p["material"] == number][0]
    for n in (2, 3, 4):
        texture = extras[f"baseColorTexture{n}"]
        name = gltf["textures"][texture["index"]]["source"]
        attribute, channel = texture["factor"].split(".")
        accessor = gltf["accessors"][part["attributes"][attribute]]
        assert accessor["componentType"] == 5123 and accessor["normalized"] and accessor["type"] == "VEC4"
        view = gltf["bufferViews"][accessor["bufferView"]]
        start = 28 + size + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        values = [struct.unpack_from("<4H", data, start + i * view["byteStride"])["rgba".index(channel)]
                  for i in range(accessor["count"])]
        found[n] = (name, min(values), max(values))
    return found


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        game = folder / "game"
        for n, colour in enumerate(COLOURS):
            source_model.write_texture(game, f"four/t{n}", 4, lambda x, y, c=colour: (*c, 255))
        (game / "materials/lobby").mkdir(parents=True, exist_ok=True)
        (game / "materials/lobby/hill1.vmt").write_text(
            'Lightmapped_4WayBlend\n{\n\t"$basetexture" "models/four/t0"\n' +
            "".join(f'\t"$basetexture{n + 1}" "models/four/t{n}"\n' for n in (1, 2, 3)) + "}\n")
        for n, colour in enumerate(COLOURS):
            shares = [float(i == n) for i in range(4)]
            path = make_map(folder, shares)
            assert json.loads(run("dump", "--json", path, "DISP_MULTIBLEND"))[80]["m_vMultiBlend"] == shares
            for light in ("none", "uv"):
                run("export", path, "-g", game, "--no-props", "-l", light, "-o", folder / "map.glb")
                found = shares_of(folder / "map.glb")
                assert len({name for name, _, _ in found.values()}) == 3, found
                whole = {k: 65535 if k == n + 1 else 0 for k in found}
                assert {k: v[1:] for k, v in found.items()} == {k: (v, v) for k, v in whole.items()}, (n, found)
            run("export", path, "-g", game, "--no-props", "--bake-density", "1", "-o", folder / "map.gltf")
            gltf = json.loads((folder / "map.gltf").read_text())
            found = 0
            for image in gltf["images"]:
                for row in read_png((folder / image["uri"]).read_bytes()):
                    for p in row:
                        lit = max(p[:3])
                        found += lit > 20 and all((v == 0) == (c == 0) for v, c in zip(p, colour))
            assert found > 60, (n, found)  # of nine by nine luxels


main()
