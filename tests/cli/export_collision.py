# SPDX-License-Identifier: MIT
"""export --collision: a .glb and an .obj have the same pieces in the same places; the pieces of Quake's
clip nodes are what the map's own traces call solid; hulls of props stand where their prop does."""
import json
import os
import pathlib
import random
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SOURCE = pathlib.Path(os.environ["SOURCE"])
NEAR = 0.1  # of a plane: cut with an epsilon, and written in decimals


def run(*arguments, text=None):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, input=text)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rounded(points):
    return sorted({tuple(round(c) + 0.0 for c in p) for p in points})


def read_obj(path):
    points, pieces, name = [], [], None
    for line in path.read_text().splitlines():
        word, *rest = line.split()
        if word == "o":
            name = rest[0]
            if name.startswith("collision_"):
                pieces.append((name, len(points), []))
        elif word == "v":
            x, y, z = map(float, rest[:3])
            points.append((x, -z, y))
        elif word == "f" and name.startswith("collision_"):
            pieces[-1][2].append([points[int(n) - 1] for n in rest])
    return [(name, faces) for name, _, faces in pieces]


def read_glb(path):
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    doc, binary = json.loads(data[20:20 + size]), data[28 + size:]

    def values(number, kind, wide):
        a = doc["accessors"][number]
        v = doc["bufferViews"][a["bufferView"]]
        at, step = v.get("byteOffset", 0) + a.get("byteOffset", 0), v.get("byteStride", wide * struct.calcsize(kind))
        return [struct.unpack_from("<%d%s" % (wide, kind), binary, at + step * i) for i in range(a["count"])]

    group = next(n for n in doc["nodes"] if n.get("name") == "collision")
    out = []
    for node in (doc["nodes"][c] for c in group["children"]):
        p, = doc["meshes"][node["mesh"]]["primitives"]
        assert set(p["attributes"]) == {"POSITION"} and doc["materials"][p["material"]]["alphaMode"] == "BLEND"
        points = []
        q, s, t = node.get("rotation", (0, 0, 0, 1)), node.get("scale", (1, 1, 1)), node.get("translation", (0, 0, 0))
        for v in values(p["attributes"]["POSITION"], "f", 3):
            v = [a * b for a, b in zip(v, s)]
            u = [2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]) for i in range(3)]
            v = [v[i] + q[3] * u[i] + q[(i + 1) % 3] * u[(i + 2) % 3] - q[(i + 2) % 3] * u[(i + 1) % 3]
                 for i in range(3)]
            x, y, z = (a + b for a, b in zip(v, t))
            points.append((x, -z, y))
        index = [points[i[0]] for i in values(p["indices"], "H", 1)]
        out.append((node["name"], [index[k:k + 3] for k in range(0, len(index), 3)]))
    return out


def plane_of(face):
    """The normal out of a polygon (Newell) and its distance."""
    n = [0, 0, 0]
    for p, q in zip(face, face[1:] + face[:1]):
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            n[i] += (p[a] - q[a]) * (p[b] + q[b])
    length = sum(c * c for c in n) ** 0.5
    return None if length < 1e-3 else ([c / length for c in n], sum(a * b for a, b in zip(n, face[0])) / length)


def check_hulls(path, pieces):
    """A point is in a piece of hull 1 of the world where a player's box is in something solid."""
    world = []
    bounds = [(1e9, -1e9)] * 3
    for name, faces in pieces:
        if name.startswith("collision_hull1_model0_"):
            planes = [p for p in map(plane_of, faces) if p is not None]
            world.append(planes)
            corners = [c for f in faces for c in f]
            bounds = [(min(a, min(c)), max(b, max(c))) for (a, b), c in zip(bounds, zip(*corners))]
            assert all(sum(a * b for a, b in zip(n, c)) - d < NEAR for n, d in planes for c in corners), (name, "convex")
    assert len(world) > 10
    dice = random.Random(7)
    points = [[dice.uniform(a, b) for a, b in bounds] for _ in range(1500)]
    lines = "".join("%.6g %.6g %.6g %.6g %.6g %.6g -16 -16 -24 16 16 32\n" % (*p, *p) for p in points)
    told = run("query", "trace", path, text=lines).splitlines()
    seen = [0, 0]
    for p, line in zip(points, told):
        # The distance by which the point is outside of the piece that it is deepest in.
        out = min(max(sum(a * b for a, b in zip(n, p)) - d for n, d in planes) for planes in world)
        if abs(out) > NEAR:
            solid = line.split()[7] == "1"
            assert solid == (out < 0), (p, out, line)
            seen[solid] += 1
    assert min(seen) > 100, seen


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for family in ("quake", "goldsrc", "quake2", "source"):
            path = SOURCE / f"samples/{family}/lobby.bsp"
            common = ["export", path, "--no-props", "--units", "game", "--collision", "-l", "none",
                      "--game", SOURCE / f"samples/{family}"]
            run(*common, "-o", work / "map.obj")
            run(*common, "-o", work / "map.glb")
            obj, glb = read_obj(work / "map.obj"), read_glb(work / "map.glb")
            assert len(obj) > 20 and [n for n, _ in obj] == [n for n, _ in glb], family
            for (name, a), (_, b) in zip(obj, glb):
                assert rounded(c for f in a for c in f) == rounded(c for f in b for c in f), name
                assert sum(len(f) - 2 for f in a) == len(b), name
            if family == "quake":
                check_hulls(path, obj)
        # A crate of 32 units with one hull, turned by 90 degrees and twice as large, and one that is not.
        model = next((SOURCE / "samples/models/source").rglob("crate.mdl"))
        name = model.relative_to(SOURCE / "samples/models/source")
        text = run("entities", SOURCE / "samples/source/lobby.bsp")
        for origin, scale in (("100 50 20", 2), ("300 0 0", 1)):
            text += ('{\n"classname" "prop_dynamic"\n"model" "%s"\n"origin" "%s"\n"angles" "0 90 0"\n"solid" "6"\n'
                     '"modelscale" "%d"\n}\n') % (name, origin, scale)
        (work / "entities").write_text(text)
        run("entities", "--import", work / "entities", SOURCE / "samples/source/lobby.bsp", "-o", work / "map.bsp")
        run("export", work / "map.bsp", "--units", "game", "--collision", "-l", "none", "-o", work / "map.glb",
            "--game", SOURCE / "samples/models/source", "--game", SOURCE / "samples/source")
        hulls = [faces for n, faces in read_glb(work / "map.glb") if n.startswith("collision_prop")]
        assert len(hulls) >= 2, "no hull of a prop"
        boxes = [[(min(c), max(c)) for c in zip(*(p for f in faces for p in f))] for faces in hulls]
        sizes = sorted(round(max(b[1] - b[0] for b in box), 1) for box in boxes)
        assert abs(sizes[-1] - 2 * sizes[0]) < 0.2, sizes
        big = max(boxes, key=lambda box: box[0][1] - box[0][0])
        assert all(a - 1 <= c <= b + 1 for (a, b), c in zip(big, (100, 50, 20))), big


main()
