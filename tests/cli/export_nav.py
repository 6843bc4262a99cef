# SPDX-License-Identifier: MIT
"""export --nav: each area of a navigation mesh is a node with its id and a rectangle, as query nav has them."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
MAP = SOURCE / "samples/source/lobby.bsp"
NAV = SOURCE / "samples/source/lobby.nav"


def run(*arguments):
    return subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)


def document(work, *options):
    done = run("export", MAP, "--units", "game", "-o", work / "m.gltf", "--no-props", *options)
    assert done.returncode == 0, done.stderr
    return json.loads((work / "m.gltf").read_text()), (work / "m.bin").read_bytes()


def values(doc, data, number, kind, wide):
    a = doc["accessors"][number]
    v = doc["bufferViews"][a["bufferView"]]
    at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
    step = v.get("byteStride", wide * struct.calcsize(kind))
    return [struct.unpack_from("<%d%s" % (wide, kind), data, at + step * i) for i in range(a["count"])]


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        areas = json.loads(run("query", "nav", "--nav", NAV, MAP).stdout)["areas"]
        plain, _ = document(work)
        assert not [n for n in plain["nodes"] if n["name"].startswith("nav_area")]
        for options in ([], ["--collision"], ["--lightmaps", "vertex"]):
            doc, data = document(work, "--nav", NAV, *options)
            group = next(n for n in doc["nodes"] if n["name"] == "nav_areas")
            assert doc["nodes"].index(group) in doc["scenes"][0]["nodes"]
            nodes = [doc["nodes"][n] for n in group["children"]]
            assert len(nodes) == len(areas), (len(nodes), len(areas))
            for node, area in zip(nodes, areas):
                assert node["name"] == "nav_area.%d" % area["id"] == doc["meshes"][node["mesh"]]["name"], node
                assert node["translation"] == [0, 1, 0], node
                wanted = {"nav_area": area["id"], "flags": area["flags"]}
                wanted.update({"place": area["place"]} if area["place"] else {})
                assert node["extras"] == wanted, (node, area)
                (primitive,) = doc["meshes"][node["mesh"]]["primitives"]
                material = doc["materials"][primitive["material"]]
                assert material["name"] == "nav_areas" and material["alphaMode"] == "BLEND", material
                places = values(doc, data, primitive["attributes"]["POSITION"], "f", 3)
                assert [[x, -z, y] for x, y, z in places] == area["corners"], (places, area)
                assert [i for i, in values(doc, data, primitive["indices"], "H", 1)] == [0, 1, 2, 0, 2, 3]
        for name, nav, text in (("m.obj", NAV, "--nav needs .glb or .gltf"), ("n.glb", MAP, "lobby.bsp"),
                                ("n.glb", work / "none.nav", "none.nav")):
            done = run("export", MAP, "--nav", nav, "-o", work / name)
            assert done.returncode != 0 and text in done.stderr, done


main()
