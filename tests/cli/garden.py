# SPDX-License-Identifier: MIT
"""The garden of the Source samples: detail props and ropes in queries, exports and pictures, as its drawing
has them."""
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
GARDEN = SOURCE / "samples/source/garden.bsp"
GAME = ["--game", SOURCE / "samples/source"]


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def drawn(name):
    """Origins and angles of the entities of a class in the drawing."""
    blocks = (SOURCE / "samples/source/garden.vmf").read_text().split("entity\n{")[1:]
    value = lambda block, key: [float(n) for n in (re.search(r'"%s" "([^"]*)"' % key, block) or [0, "0 0 0"])[1].split()]
    return [(value(b, "origin"), value(b, "angles")) for b in blocks if '"classname" "%s"' % name in b]


def check_props():
    found = json.loads(run("query", "props", "--details", *GAME, GARDEN))
    assert found["missing"] == [], found["missing"]
    details = [p for p in found["props"] if p["kind"] == "detail"]
    wanted = drawn("prop_detail") + drawn("prop_detail_sprite")
    assert len(wanted) == 58 and [p["origin"] for p in details] == [origin for origin, _ in wanted]
    assert [p["model"] for p in details] == ["models/lobby/urn.mdl"] * 2 + ["lobby/grass1"] * 56
    high, low = ([p for p in details if abs(p["maxs"][2] - z) < 0.01] for z in (24, 12))
    assert (len(high), len(low)) == (19, 37), (len(high), len(low))
    turned = [p["angles"][1] % 360 for p in details]
    assert all(abs(a - angles[1]) < 0.01 for a, (_, angles) in zip(turned, wanted)), turned
    assert not [p for p in json.loads(run("query", "props", *GAME, GARDEN))["props"] if p["kind"] == "detail"]
    stored = json.loads(run("dump", "--json", GARDEN, "game:dprp"))
    for prop, record in zip(details, stored["props"]):
        *rgb, exponent = record["m_Lighting"]
        linear = [c / 255 * 2.0 ** (exponent - 256 if exponent > 127 else exponent) for c in rgb]
        assert all(abs(a - b ** (1 / 2.2)) < 0.001 for a, b in zip(prop["light"], linear)), (prop, linear)
    ropes = [p for p in found["props"] if p["class"] == "move_rope"]
    assert [p["model"] for p in ropes] == ["lobby/cable1"] * 2
    (x0, _, z0), (x1, _, z1) = ropes[0]["mins"], ropes[0]["maxs"]
    assert abs(x0 - 64) < 1 and abs(x1 - 192) < 1 and abs(z1 - 92) < 1.5 and 60 < z0 < 90, "it hangs between its ends"


def check_export(folder):
    run("export", *GAME, GARDEN, "-o", folder / "garden.glb")
    data = (folder / "garden.glb").read_bytes()
    nodes = json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])["nodes"]
    details = next(n for n in nodes if n.get("name") == "detail_props")
    meshes = [nodes[n]["mesh"] for n in details["children"]]
    assert len(meshes) == 58 and len(set(meshes)) <= 1 + 6 * 2, "tufts of a kind share a mesh"
    names = {n["extras"]["bspkit"]["kind"]: n["name"] for n in nodes if "kind" in n.get("extras", {}).get("bspkit", {})}
    assert names == {"particles": "leaves", "sound": "wind", "soundscape": "env_soundscape",
                     "projector": "env_projectedtexture"}, names


def picture(folder, *options):
    run("render", *GAME, "--size", "160x100", *options, GARDEN, "-o", folder / "a.png")
    return (folder / "a.png").read_bytes()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_props()
        check_export(folder)
        assert len({picture(folder), picture(folder, "--no-details"), picture(folder, "--no-props")}) == 3


main()
