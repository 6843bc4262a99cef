# SPDX-License-Identifier: MIT
"""export --portals: a .glb and an .obj have the openings of bspkit portals, with the same corners, where they are, and
nothing else changes; beside --collision both groups are there."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
WORK = pathlib.Path(tempfile.mkdtemp())


def run(*words):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def glb(path):
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20:20 + size]), data[28 + size:]


def points_of(doc, binary, node):
    """The corners of a node's mesh, in the axes and units of the map."""
    primitive, = doc["meshes"][node["mesh"]]["primitives"]
    access = doc["accessors"][primitive["attributes"]["POSITION"]]
    view = doc["bufferViews"][access["bufferView"]]
    at, step = view.get("byteOffset", 0) + access.get("byteOffset", 0), view.get("byteStride", 12)
    assert "rotation" not in node and "scale" not in node and node.get("translation", [0, 0, 0]) == [0, 0, 0]
    for number in range(access["count"]):
        x, y, z = struct.unpack_from("<3f", binary, at + step * number)
        yield x, -z, y


def near(points, others):
    """Each of one is a corner of the other: the order of vertices is the file's own."""
    def within(some, more):
        return all(any(max(abs(a - b) for a, b in zip(p, q)) < 0.02 for q in more) for p in some)
    return within(points, others) and within(others, points)


for family in ("quake", "goldsrc", "quake2", "quake3", "source"):
    sample = SAMPLES / family / "lobby.bsp"
    run("portals", sample, "-o", WORK / "p.obj")
    corners, wanted = [], []
    for line in (WORK / "p.obj").read_text().splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            x, y, z = map(float, rest)
            corners.append((x, -z, y))
        elif word == "f":
            wanted.append([corners[int(n) - 1] for n in rest])
    assert len(wanted) == json.loads(run("portals", "--json", sample))["portals"] > 20

    words = ["export", "--units", "game", "--lightmaps", "none", "--no-props"]
    run(*words, sample, "--portals", "-o", WORK / "m.glb")
    doc, binary = glb(WORK / "m.glb")
    plain, _ = glb((run(*words, sample, "-o", WORK / "plain.glb"), WORK / "plain.glb")[1])
    group, = [node for node in doc["nodes"] if node.get("name") == "portals"]
    nodes = [doc["nodes"][child] for child in group["children"]]
    assert len(nodes) == len(wanted) and len(doc["nodes"]) >= len(plain["nodes"]) + len(nodes)
    assert not [node for node in plain["nodes"] if node.get("name") == "portals"]
    material, = {doc["meshes"][node["mesh"]]["primitives"][0]["material"] for node in nodes}
    look = doc["materials"][material]
    assert look["name"] == "portals" and look["alphaMode"] == "BLEND" and look["doubleSided"], look
    for number, (node, points) in enumerate(zip(nodes, wanted)):
        name, *clusters = node["name"].split("_")
        assert name == f"portal{number}" and len(clusters) == 2 and clusters[0] != clusters[1], node
        found = list(points_of(doc, binary, node))
        if family in ("quake", "source"):
            assert near(found, points), (family, number, found, points)

    run(*words, sample, "--portals", "-o", WORK / "m.obj")
    pieces, place = [], []
    for line in (WORK / "m.obj").read_text().splitlines():
        word, *rest = line.split() or [""]
        if word == "o" and rest[0].startswith("portal"):
            pieces.append((rest[0], []))
        elif word == "v":
            x, y, z = map(float, rest[:3])
            place.append((x, -z, y))
        elif word == "f" and pieces:
            pieces[-1][1].append([place[int(n.split("/")[0]) - 1] for n in rest])
    assert [name for name, _ in pieces] == [node["name"] for node in nodes]
    assert all(len(faces) == 1 and len(faces[0]) == len(points) and near(faces[0], points)
               for (_, faces), points in zip(pieces, wanted)), family

run("export", "--portals", "--collision", SAMPLES / "source/lobby.bsp", "--no-props", "-o", WORK / "both.glb")
names = [node.get("name", "") for node in glb(WORK / "both.glb")[0]["nodes"]]
assert "portals" in names and "collision" in names and any(name.startswith("collision_brush") for name in names)
assert len([name for name in names if name.startswith("portal")]) == len(wanted) + 1
