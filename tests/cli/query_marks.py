# SPDX-License-Identifier: MIT
"""Places without a mesh and links of entities: what the queries say, and where an export has them. The
map is the lobby of the Source sample, with entities more; what is expected is worked out from their keys."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
LOBBY = SOURCE / "samples/source/lobby.bsp"
UNIT = 1 / 39.37
ADDED = [
    {"classname": "env_smokestack", "targetname": "chimney", "origin": "10 20 30", "angles": "0 90 0",
     "SmokeMaterial": "particle/exhaust.vmt", "target": "chimney"},
    {"classname": "info_particle_system", "origin": "1 2 3", "effect_name": "rain_sheet", "cpoint1": "chimney",
     "cpoint": "chimney", "effect": "chimney"},
    {"classname": "Ambient_Generic", "origin": "4 5 6", "message": "ambient/wind.wav", "radius": "1250"},
    {"classname": "env_soundscape", "origin": "7 8 9", "soundscape": "lobby.hall", "radius": "-1", "position0": "chimney"},
    {"classname": "ambient_drip", "origin": "0 0 1"},
    {"classname": "func_dustmotes", "model": "*4", "origin": "100 40 50", "OnUser1": "chimney\x1bTurnOff\x1b\x1b0\x1b-1",
     "OnUser2": "nobody,Kill,,0,-1"},
    {"classname": "env_projectedtexture", "origin": "0 0 2", "texturename": "effects/flashlight", "bspkit": "mine",
     "target": "chimney"},
    {"classname": "ambient", "origin": "0 0 3"},
]


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def make_map(folder):
    entities = run("entities", LOBBY)
    first = entities.count('"classname"')
    for keys in ADDED:
        entities += "{\n" + "".join('"%s" "%s"\n' % pair for pair in keys.items()) + "}\n"
    (folder / "entities.txt").write_text(entities)
    run("entities", "--import", folder / "entities.txt", LOBBY, "-o", folder / "map.bsp")
    return folder / "map.bsp", first


def middle_of_model(path, number):
    model = json.loads(run("dump", "--json", path, "models"))[number]
    return [(a + b) / 2 + at for a, b, at in zip(model["mins"], model["maxs"], (100, 40, 50))]


def near(a, b):
    return len(a) == len(b) and all(abs(x - y) < 1e-3 for x, y in zip(a, b))


def check_marks(path, first):
    marks = json.loads(run("query", "marks", path))["marks"]
    got = [(m["kind"], m["entity"] - first, m["cubemap"], m["name"], m["what"], m["reach"], m["model"])
           for m in marks if m["entity"] >= first]
    assert got == [
        ("particles", 0, -1, "chimney", "particle/exhaust.vmt", 0, -1),
        ("particles", 1, -1, "", "rain_sheet", 0, -1),
        ("sound", 2, -1, "", "ambient/wind.wav", 1250, -1),
        ("soundscape", 3, -1, "", "lobby.hall", 0, -1),
        ("sound", 4, -1, "", "", 0, -1),
        ("particles", 5, -1, "", "", 0, 4),
        ("projector", 6, -1, "", "effects/flashlight", 0, -1),
    ], got
    assert marks[0]["origin"] == [10, 20, 30] and marks[0]["angles"] == [0, 90, 0], marks[0]
    dust = next(m for m in marks if m["class"] == "func_dustmotes")
    assert near(dust["origin"], middle_of_model(path, 4)), dust
    stored = json.loads(run("dump", "--json", path, "cubemaps"))
    cubemaps = [m for m in marks if m["kind"] == "cubemap"]
    assert len(stored) == 1 and [m["origin"] for m in cubemaps] == [c["origin"] for c in stored], cubemaps
    assert cubemaps[0]["entity"] == -1 and cubemaps[0]["cubemap"] == 0 and cubemaps[0] is marks[-1]
    table = run("query", "marks", "--tsv", path).splitlines()
    assert len(table) == len(marks) + 1 and table[0].split("\t")[1:4] == ["mark", "kind", "entity"], table[0]


def check_links(path, first):
    links = json.loads(run("query", "links", "--json", path))["links"]
    got = [(k["entity"] - first, k["key"], k["target"] - first, k["target_class"], k["target_name"])
           for k in links if k["entity"] >= first]
    chimney = (0, "env_smokestack", "chimney")
    assert got == [(0, "target", *chimney), (1, "cpoint1", *chimney), (3, "position0", *chimney),
                   (5, "OnUser1", *chimney), (6, "target", *chimney)], got
    text = run("query", "links", path).splitlines()
    assert len(text) == len(links)
    assert "%d func_dustmotes\tOnUser1\t%d env_smokestack\tchimney" % (first + 5, first) in text, text
    table = run("query", "links", "--csv", path).splitlines()
    assert len(table) == len(links) + 1 and table[0].startswith("file,entity,class,name,key,target"), table[0]


def check_export(path, first, folder):
    run("export", path, "-o", folder / "map.glb")
    data = (folder / "map.glb").read_bytes()
    document = json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])
    nodes = document["nodes"]

    def notes(n):
        return nodes[first + n]["extras"].get("bspkit")

    assert nodes[first]["name"] == "chimney"
    assert near(nodes[first]["translation"], [10 * UNIT, 30 * UNIT, -20 * UNIT])
    links = [{"key": "target", "node": first}]
    assert notes(0) == {"kind": "particles", "what": "particle/exhaust.vmt", "links": links}, notes(0)
    assert notes(2) == {"kind": "sound", "what": "ambient/wind.wav", "reach": 1250}, notes(2)
    assert notes(4) == {"kind": "sound"}
    at = middle_of_model(path, 4)
    assert near(nodes[first + 5]["translation"], [at[0] * UNIT, at[2] * UNIT, -at[1] * UNIT])
    assert "mesh" not in nodes[first + 5], "it fills a model whose faces are never drawn"
    assert notes(6) == "mine", "a key of the map stays as it is"
    assert notes(7) is None
    group = next(n for n in nodes if n.get("name") == "cubemaps")
    cubemap, = [nodes[n] for n in group["children"]]
    stored, = json.loads(run("dump", "--json", path, "cubemaps"))
    assert near(cubemap["translation"], [stored["origin"][i] * s * UNIT for i, s in ((0, 1), (2, 1), (1, -1))])
    assert cubemap["name"] == "cubemap.0" and cubemap["extras"] == {"cubemap": 0, "size": 8}, cubemap


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path, first = make_map(folder)
        check_marks(path, first)
        check_links(path, first)
        check_export(path, first, folder)


main()
