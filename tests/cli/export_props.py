# SPDX-License-Identifier: MIT
"""The models that stand in a map, in exported files: which nodes show which mesh, where their corners
lie in the world (by hand), which arrays meshes share, and what materials say. The map is the lobby of
the Source sample with its two urns, and two entities more; the models are made here."""
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
sys.path.insert(0, str(SOURCE / "tools"))
import source_model  # noqa: E402

BSPKIT = os.environ["BSPKIT"]
UNIT = 1 / 39.37
FLOAT = 5126


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def make_game(folder):
    body, lid = source_model.box((-8, -8, 0), (8, 8, 24)), source_model.box((-4, -4, 24), (4, 4, 32))
    source_model.write_model(folder, "models/lobby/urn", [body, lid], [[0, 2], [1, 2]],
                             ["lobby/clay", "lobby/lace", "lobby/glass"])
    source_model.write_texture(folder, "lobby/clay", 4, lambda x, y: (200, 100, 50, 255))
    source_model.write_texture(folder, "lobby/lace", 4, lambda x, y: (90, 90, 200, 255 * (x % 2)),
                               '"$alphatest" 1\n"$alphatestreference" 0.25')
    source_model.write_texture(folder, "lobby/glass", 4, lambda x, y: (10, 200, 10, 128),
                               '"$translucent" 1\n"$nocull" 1')


def make_map(folder):
    entities = run("entities", SOURCE / "samples/source/lobby.bsp").stdout
    for origin, keys in (("100 50 20", '"angles" "0 90 0"'), ("100 90 20", '"angles" "0 90 0"'),
                         ("0 0 64", '"modelscale" "2"\n"targetname" "big"')):
        entities += '{\n"classname" "prop_dynamic"\n"model" "models/lobby/urn.mdl"\n"origin" "%s"\n%s\n}\n' % (
            origin, keys)
    entities += '{\n"classname" "prop_dynamic"\n"model" "models/none.mdl"\n"origin" "1 2 3"\n}\n' * 2
    text = folder / "entities.txt"
    text.write_text(entities)
    run("entities", "--import", text, SOURCE / "samples/source/lobby.bsp", "-o", folder / "map.bsp")


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        size = struct.unpack("<I", data[12:16])[0]
        self.json = json.loads(data[20:20 + size])
        self.bin = data[28 + size:]
        for key in ("nodes", "meshes", "materials", "accessors"):
            setattr(self, key, self.json[key])

    def group(self, name):
        found = [n for n in self.nodes if n.get("name") == name and "children" in n]
        assert len(found) == 1, (name, found)
        assert set(found[0]) == {"name", "children"}, "a group is not moved"
        assert self.nodes.index(found[0]) in self.json["scenes"][0]["nodes"]
        assert not set(found[0]["children"]) & set(self.json["scenes"][0]["nodes"])
        return [self.nodes[n] for n in found[0]["children"]]

    def values(self, number):
        a = self.accessors[number]
        v = self.json["bufferViews"][a["bufferView"]]
        wide = {"VEC2": 2, "VEC3": 3, "VEC4": 4, "SCALAR": 1}[a["type"]]
        kind = {5126: "f", 5123: "H", 5125: "I"}[a["componentType"]]
        step = v.get("byteStride", wide * struct.calcsize(kind))
        at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
        return [struct.unpack_from("<%d%s" % (wide, kind), self.bin, at + step * i) for i in range(a["count"])]

    def corners(self, node):
        """Positions of all its vertices in game units of the map."""
        q = node.get("rotation", (0, 0, 0, 1))
        out = set()
        for p in self.meshes[node["mesh"]]["primitives"]:
            for v in self.values(p["attributes"]["POSITION"]):
                v = [a * b for a, b in zip(v, node.get("scale", (1, 1, 1)))]
                t = [2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]) for i in range(3)]
                v = [v[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3]
                     for i in range(3)]
                x, y, z = (a + b for a, b in zip(v, node.get("translation", (0, 0, 0))))
                out.add(tuple(round(c / UNIT, 2) + 0.0 for c in (x, -z, y)))
        return out


def has(corners, *point):
    return any(math.dist(c, point) < 0.02 for c in corners)


def check_places(glb):
    first, second = glb.group("static_props")
    # (232 232 0), yaw 45: the corner (8 8 0) comes to lie on the y axis, 8 sqrt 2 away.
    assert has(glb.corners(first), 232, 232 + 8 * math.sqrt(2), 0)
    assert has(glb.corners(first), 232, 232 + 4 * math.sqrt(2), 32)
    # (736 16 -64), yaw 90: x becomes y and y becomes -x.
    assert has(glb.corners(second), 736 - 8, 16 + 8, -64) and has(glb.corners(second), 736 + 4, 16 - 4, -32)
    assert (first["extras"]["skin"], second["extras"]["skin"]) == (0, 1)
    assert first["extras"]["model"] == "models/lobby/urn.mdl" and first["extras"]["solid"] == 6
    a, b, big = glb.group("entity_models")
    assert has(glb.corners(a), 100 - 8, 50 + 8, 20) and has(glb.corners(b), 100 + 4, 90 + 4, 52)
    assert big["name"] == "big"
    assert has(glb.corners(big), 16, -16, 64) and has(glb.corners(big), -8, 8, 128)
    assert glb.nodes[big["extras"]["entity"]]["extras"]["targetname"] == "big"
    # Triangles look outwards: their normals lead away from the middle of their box.
    for p, middle in zip(glb.meshes[a["mesh"]]["primitives"], (12, 28)):
        at = glb.values(p["attributes"]["POSITION"])
        normals = glb.values(p["attributes"]["NORMAL"])
        indices = [i[0] for i in glb.values(p["indices"])]
        assert len(at) == 24 and len(indices) == 36
        for k in range(0, 36, 3):
            x, y, z = (at[i] for i in indices[k:k + 3])
            u, w = ([e - f for e, f in zip(c, x)] for c in (y, z))
            n = [u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3] for i in range(3)]
            out = [c - d for c, d in zip(x, (0, middle * UNIT, 0))]
            assert sum(e * f for e, f in zip(n, out)) > 0, "it looks inwards"
            assert sum(e * f for e, f in zip(n, normals[indices[k]])) > 0, "its normal looks elsewhere"


def materials_of(glb, node):
    return [glb.materials[p["material"]] for p in glb.meshes[node["mesh"]]["primitives"]]


def check_materials(glb):
    first, second = glb.group("static_props")
    clay, glass = materials_of(glb, first)
    lace, again = materials_of(glb, second)
    assert glass is again, "one material"
    assert "alphaMode" not in clay and "doubleSided" not in clay
    assert lace["alphaMode"] == "MASK" and abs(lace["alphaCutoff"] - 0.25) < 0.01, lace
    assert glass["alphaMode"] == "BLEND" and glass["doubleSided"] is True
    assert all("baseColorTexture" in m["pbrMetallicRoughness"] for m in (clay, glass, lace))


def check_shared(plain, baked):
    # One mesh for each skin where light is not in the vertices; three nodes show the first.
    shown = [n["mesh"] for name in ("static_props", "entity_models") for n in plain.group(name)]
    assert len(set(shown)) == 2 and shown.count(shown[0]) == 4, shown
    assert all("COLOR_0" not in p["attributes"] for m in set(shown) for p in plain.meshes[m]["primitives"])
    for name in ("static_props", "entity_models"):
        for node in plain.group(name):
            assert "light" not in node["extras"]
    # Baked: all arrays of one skin but the colours are the same.
    nodes = baked.group("static_props") + baked.group("entity_models")
    first = baked.meshes[nodes[0]["mesh"]]["primitives"]
    colors = set()
    for node in nodes[:1] + nodes[2:]:
        for p, q in zip(first, baked.meshes[node["mesh"]]["primitives"]):
            assert all(p["attributes"][k] == q["attributes"][k] for k in ("POSITION", "NORMAL", "TEXCOORD_0"))
            assert p["indices"] == q["indices"]
        colors.add(baked.meshes[node["mesh"]]["primitives"][0]["attributes"]["COLOR_0"])
    assert len(colors) == len({n["mesh"] for n in nodes[:1] + nodes[2:]})
    for node in nodes:
        for p in baked.meshes[node["mesh"]]["primitives"]:
            assert "KHR_materials_unlit" in baked.materials[p["material"]]["extensions"]


def check_light(uv, baked, place):
    """The colours of a baked prop are those of its light, as the file with uv tells it for six sides."""
    node = uv.group(place)[0]
    other = baked.group(place)[0]
    assert len(node["extras"]["light"]) == 6 and "light" not in other["extras"]
    sides = dict(zip(((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)),
                     node["extras"]["light"]))
    p = baked.meshes[other["mesh"]]["primitives"][0]["attributes"]
    half = math.sqrt(0.5)
    turned = {(0, 1, 0): (0, 1, 0), (0, -1, 0): (0, -1, 0)}  # yaw leaves these
    checked = 0
    for normal, color in zip(baked.values(p["NORMAL"]), baked.values(p["COLOR_0"])):
        side = turned.get(tuple(round(c) for c in normal))
        for light, have in zip(sides[side] if side else (), color):
            light = min(light, 1)
            linear = light / 12.92 if light <= 0.04045 else ((light + 0.055) / 1.055) ** 2.4
            assert abs(have / 65535 - linear) < 0.001, (have, linear)
            checked += 1
    assert checked >= 24 and half > 0


def check_obj(path):
    points, objects = [], {}
    for line in path.read_text().splitlines():
        word, *rest = line.split()
        if word == "o":
            objects[rest[0]] = objects.get(rest[0], [])
            name = rest[0]
        elif word == "v":
            x, y, z = (float(c) for c in rest[:3])
            objects[name].append((x / UNIT, -z / UNIT, y / UNIT))
    big = [v for k, v in objects.items() if k.startswith("big")]
    assert len(big) == 1 and has(big[0], 16, -16, 64) and has(big[0], -8, 8, 128)
    props = [v for k, v in objects.items() if k.startswith("prop")]
    assert has(sum(props, []), 232, 232 + 8 * math.sqrt(2), 0)


def keep(folder):
    """Leaves a file of each way of light in a folder, for other tests."""
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        make_game(work / "game")
        make_map(work)
        for light in ("none", "uv", "vertex", "baked"):
            run("export", work / "map.bsp", "--game", work / "game", "--game", SOURCE / "samples/source",
                "-l", light, "-o", pathlib.Path(folder, f"props.{light}.glb"))


def check_strict(work, game):
    """Pictures name the same models as exports; with --strict both end with status 1 because of them."""
    textures = {line for line in run("render", work / "map.bsp", *game, "--no-props", "-o", work / "p.png")
                .stderr.splitlines()}
    for command, out in (("render", "strict.png"), ("export", "strict.glb"), ("export", "strict.obj")):
        plain = run(command, work / "map.bsp", *game, "-o", work / f"loose.{out}")
        said = [line for line in plain.stderr.splitlines() if line not in textures]
        assert [line.split("map.bsp: ")[1] for line in said] == [
            "no model 'models/none.mdl', of 2 props: is not in the search path",
            f"1 model is missing, of 2 props; looked for in the map, {game[1]} and {game[3]}"], said
        for more, status in ((["--no-props"], int(bool(textures))), ([], 1)):
            done = subprocess.run([BSPKIT, command, work / "map.bsp", *game, "--strict", *more, "-o", work / out],
                                  capture_output=True, check=False)
            assert done.returncode == status, (command, more, done)
        assert (work / out).read_bytes() == (work / f"loose.{out}").read_bytes() or out.endswith("obj")


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        make_game(work / "game")
        make_map(work)
        game = ["--game", work / "game", "--game", SOURCE / "samples/source"]
        glbs = {}
        for light in ("none", "uv", "vertex", "baked"):
            done = run("export", work / "map.bsp", *game, "-l", light, "-o", work / f"{light}.glb")
            lines = [line for line in done.stderr.splitlines() if "no model" in line]
            assert len(lines) == 1 and "no model 'models/none.mdl', of 2 props: is not in" in lines[0], done.stderr
            assert done.stderr.count("models/none.mdl") == 1 and done.stderr.splitlines()[-1].endswith(
                f"1 model is missing, of 2 props; looked for in the map, {game[1]} and {game[3]}"), done.stderr
            glbs[light] = Glb(work / f"{light}.glb")
            check_places(glbs[light])
            check_materials(glbs[light])
        check_shared(glbs["none"], glbs["baked"])
        check_shared(glbs["none"], glbs["vertex"])
        check_strict(work, game)
        for place in ("static_props", "entity_models"):
            check_light(glbs["uv"], glbs["baked"], place)
        run("export", work / "map.bsp", *game, "-o", work / "map.obj")
        check_obj(work / "map.obj")
        done = run("export", work / "map.bsp", *game, "--no-props", "-o", work / "bare.glb")
        assert done.stderr == "", done.stderr
        bare = Glb(work / "bare.glb")
        assert all("mesh" not in n for n in bare.group("static_props"))
        assert not any(n.get("name") == "entity_models" for n in bare.nodes)
        for threads in (1, 2, 7):
            run("export", "--threads", threads, work / "map.bsp", *game, "-o", work / "again.glb")
            assert (work / "again.glb").read_bytes() == (work / "baked.glb").read_bytes(), threads


if len(sys.argv) > 1:
    keep(sys.argv[1])
else:
    main()
