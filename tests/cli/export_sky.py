# SPDX-License-Identifier: MIT
"""The room of the sky in exports. The map is the lobby of the Quake 2 sample, whose hall lies behind an
area portal, with a camera of the sky in the hall: what an eye at the world's origin sees of the room is
8 times as far away and as large as from the camera, at 736 16 0."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
SOURCE = pathlib.Path(os.environ["SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/cli"))
UNIT = 1 / 39.37
CAMERA, SCALE = (736, 16, 0), 8


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read(path):
    """Triangles of each node with a mesh, as corners in units of the map: by the node's name."""
    import json
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    doc, binary = json.loads(data[20:20 + size]), data[28 + size:]

    def values(number, kind, wide):
        a = doc["accessors"][number]
        v = doc["bufferViews"][a["bufferView"]]
        at, step = v.get("byteOffset", 0) + a.get("byteOffset", 0), v.get("byteStride", wide * struct.calcsize(kind))
        return [struct.unpack_from("<%d%s" % (wide, kind), binary, at + step * i) for i in range(a["count"])]

    out = {}
    for node in doc["nodes"]:
        triangles = []
        for p in doc["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
            points = values(p["attributes"]["POSITION"], "f", 3)
            wide = doc["accessors"][p["indices"]]["componentType"] == 5125
            index = [i[0] for i in values(p["indices"], "I" if wide else "H", 1)]
            triangles += [[points[i] for i in index[k:k + 3]] for k in range(0, len(index), 3)]
        if triangles:
            s, t = node.get("scale", (1, 1, 1)), node.get("translation", (0, 0, 0))
            placed = [[[a * b + c for a, b, c in zip(p, s, t)] for p in corners] for corners in triangles]
            out[node["name"]] = [tuple((round(x / UNIT, 1) + 0.0, round(-z / UNIT, 1) + 0.0, round(y / UNIT, 1) + 0.0)
                                       for x, y, z in corners) for corners in placed]
    return doc, out


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        lobby = SOURCE / "samples/quake2/lobby.bsp"
        entities = run("entities", lobby) + '{\n"classname" "sky_camera"\n"origin" "%d %d %d"\n"scale" "%d"\n}\n' % (
            *CAMERA, SCALE)
        (work / "entities").write_text(entities)
        run("entities", "--import", work / "entities", lobby, "-o", work / "map.bsp")
        common = ["--no-props", "--game", SOURCE / "samples/quake2", "-l", "none"]
        run("export", lobby, *common, "-o", work / "plain.glb")
        run("export", work / "map.bsp", *common, "-o", work / "sky.glb")
        run("export", work / "map.bsp", *common, "--no-sky-room", "-o", work / "left.glb")
        plain = read(work / "plain.glb")[1]
        doc, sky = read(work / "sky.glb")
        without = read(work / "left.glb")
        seen_from = [tuple(tuple(round(a / SCALE + b, 1) + 0.0 for a, b in zip(p, CAMERA)) for p in corners)
                     for corners in sky["sky_room"]]
        assert len(seen_from) > 100 and len(sky["worldspawn"]) > 100
        assert sorted(seen_from + sky["worldspawn"]) == sorted(plain["worldspawn"]), "a triangle got lost or moved"
        # The door between them stands at x 304 to 368: what is west of it is in the lobby, and what is
        # east of the corridor in the hall.
        assert not any(max(p[0] for p in corners) < 304 for corners in seen_from)
        assert not any(min(p[0] for p in corners) > 368 for corners in sky["worldspawn"])
        # Brush models in the hall stand in it; the door is in neither.
        room = next(n for n in doc["nodes"] if n.get("name") == "sky_room")
        roots = doc["scenes"][0]["nodes"]
        assert doc["nodes"].index(room) in roots and not set(room["children"]) & set(roots)
        assert sorted(roots + room["children"]) == list(range(len(doc["nodes"])))
        assert without[1]["worldspawn"] == sky["worldspawn"] and "sky_room" not in without[1]
        assert not any(n.get("name") == "sky_room" for n in without[0]["nodes"])
        # OBJ has the same triangles in the same place.
        run("export", work / "map.bsp", *common, "-o", work / "sky.obj")
        points, objects = [None], {}
        for line in (work / "sky.obj").read_text().splitlines():
            word, *rest = line.split()
            if word == "o":
                here = objects.setdefault(rest[0], [])
            elif word == "v":
                x, y, z = map(float, rest)
                points.append((round(x / UNIT, 1) + 0.0, round(-z / UNIT, 1) + 0.0, round(y / UNIT, 1) + 0.0))
            elif word == "f":
                here.append(tuple(points[int(n.split("/")[0])] for n in rest))
        near = {p for t in objects["sky_room*0"] for p in t}
        assert len(objects["sky_room*0"]) == len(sky["sky_room"])
        for p in {p for t in sky["sky_room"] for p in t}:
            assert any(all(abs(a - b) <= 0.15 for a, b in zip(p, q)) for q in near), p


main()
