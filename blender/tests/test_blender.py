# SPDX-License-Identifier: MIT
"""The add-on: installed from its zip into an empty home, it imports the samples; what it makes is compared with
what the command exports (counts, keys, places) and draws (pictures). BSPKIT names the command,
BSPKIT_LIBRARY the shared library that is packed."""
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = sorted((ROOT / "samples").glob("*/lobby.bsp"))
NAMES = [path.parent.name for path in SAMPLES]
LIBRARY = pathlib.Path(os.environ.get("BSPKIT_LIBRARY", ROOT / "build" / "libbspkit.so"))
COMMAND = os.environ.get("BSPKIT", str(ROOT / "build" / "bspkit"))
METRES = 0.0254
INSTALL = """
import addon_utils, bpy, sys
bpy.ops.preferences.addon_install(filepath={zip!r})
bpy.ops.preferences.addon_enable(module="io_import_bsp")
bpy.ops.wm.save_userpref()
"""

pytestmark = pytest.mark.skipif(shutil.which("blender") is None, reason="Blender is not installed")


def blender(home, *words):
    """Runs Blender without a window and with an empty home."""
    known = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "BSPKIT", "BLENDER"))}
    done = subprocess.run(["blender", "--background", "--python-exit-code", "3", *map(str, words)],
                          env={**known, "HOME": str(home)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """What the add-on made of each sample."""
    if not LIBRARY.exists():
        pytest.skip("there is no shared library")
    folder = tmp_path_factory.mktemp("blender")
    package = folder / "add-on.zip"
    subprocess.run([sys.executable, ROOT / "blender" / "make_zip.py", package, LIBRARY], check=True)
    home = folder / "home"
    home.mkdir()
    blender(home, "--python-expr", INSTALL.format(zip=str(package)))
    games = [path.parent for path in SAMPLES]
    blender(home, "--python", ROOT / "blender" / "tests" / "inside.py", "--", folder, *games, "--", *SAMPLES)
    return folder, json.loads((folder / "facts.json").read_text())


def png(path):
    """The pixels of a PNG of eight bits a channel or of a palette: height, width, RGB."""
    data, at, packed, palette = path.read_bytes(), 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"PLTE":
            palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    assert depth == 8, depth
    step = {0: 1, 2: 3, 3: 1, 6: 4}[color]
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * step)
    out = np.zeros((height + 1, (width + 1) * step), np.int64)  # with a border of zeros
    for y, (kind, *row) in enumerate(rows.tolist(), 1):
        for x, value in enumerate(row, step):
            left, up, corner = out[y, x - step], out[y - 1, x], out[y - 1, x - step]
            if kind == 4:
                far = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
                guess = (left, up, corner)[far.index(min(far))]
            else:
                guess = (0, left, up, (left + up) // 2)[kind]
            out[y, x] = (value + guess) & 255
    pixels = out[1:, step:].reshape(height, width, step)
    return palette[pixels[..., 0]] if color == 3 else np.repeat(pixels, 3, 2) if step == 1 else pixels[..., :3]


def exported(sample, folder):
    """The nodes of the map as a glTF, with the triangles of their meshes."""
    target = folder / f"{sample.parent.name}.glb"
    subprocess.run([COMMAND, "export", sample, "-o", target, "-g", sample.parent, "-l", "uv"], capture_output=True,
                   check=True)
    data = target.read_bytes()
    document = json.loads(data[20:20 + struct.unpack("<I", data[12:16])[0]])
    for node in document["nodes"]:
        parts = document["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []
        node["triangles"] = sum(document["accessors"][part["indices"]]["count"] // 3 for part in parts)
    return document


@pytest.mark.parametrize("number", range(len(SAMPLES)), ids=NAMES)
def test_counts(imported, number):
    folder, report = imported
    assert report[number]["done"] == ["FINISHED"]
    document = exported(SAMPLES[number], folder)
    objects = report[number]["objects"]
    wanted = sum(node["triangles"] for node in document["nodes"])
    assert sum(one.get("triangles", 0) for one in objects) == wanted > 100
    assert all(one["sides"] == [3] and one["layers"][0] == "UVMap" for one in objects if one["kind"] == "MESH")


@pytest.mark.parametrize("number", range(len(SAMPLES)), ids=NAMES)
def test_entities(imported, number):
    """Each entity is one object, with its keys, where the export has it."""
    folder, report = imported
    told = subprocess.run([COMMAND, "info", "--json", SAMPLES[number]], capture_output=True, check=True)
    nodes = exported(SAMPLES[number], folder)["nodes"][:json.loads(told.stdout)["entities"]]
    found = {one["entity"]: one for one in report[number]["objects"] if one["entity"] is not None}
    assert sorted(found) == list(range(len(nodes)))
    for entity, node in enumerate(nodes):
        keys = {key: value if isinstance(value, str) else value[0] for key, value in node["extras"].items()
                if key != "bspkit"}
        own = {key: value for key, value in found[entity]["keys"].items() if key in keys}
        assert own == keys
        if found[entity]["in"] != ["Triggers"]:  # these stand in the middle of their box
            x, y, z = node.get("translation", (0, 0, 0))
            assert np.allclose(found[entity]["at"], (x, -z, y), atol=2e-3 * max(1, abs(x), abs(y), abs(z)))


@pytest.mark.parametrize("number", range(len(SAMPLES)), ids=NAMES)
def test_kinds(imported, number):
    objects = imported[1][number]["objects"]
    kinds = {name for one in objects for name in one["in"]}
    assert {"World", "Brush entities", "Entities", "Triggers", "Camera"} <= kinds
    assert ("Overlays" in kinds) == (NAMES[number] == "source")
    world = next(one for one in objects if one["in"] == ["World"])
    assert world["keys"]["classname"] == "worldspawn" and "Light" in world["layers"]


@pytest.mark.parametrize("number", range(len(SAMPLES)), ids=NAMES)
def test_picture(imported, number):
    """The picture through the camera is that of the command, as near as two programs draw it."""
    folder, _ = imported
    target = folder / f"{NAMES[number]}-wanted.png"
    subprocess.run([COMMAND, "render", SAMPLES[number], "-o", target, "-g", SAMPLES[number].parent, "--plain",
                    "--size", "160x100"], capture_output=True, check=True)
    wanted, got = png(target).astype(float), png(folder / f"{number}.png").astype(float)
    assert got.std() > 10  # it shows something
    assert np.abs(wanted.mean() - got.mean()) < 12
    assert np.corrcoef(wanted.mean(2).ravel(), got.mean(2).ravel())[0, 1] > 0.8


@pytest.mark.parametrize("number", range(len(SAMPLES)), ids=NAMES)
def test_lamps(imported, number):
    """Lamps shine as those of the export: Blender's importer of glTF makes 683 lumens a watt, of all sides."""
    folder, report = imported
    document = exported(SAMPLES[number], folder)
    lights = document["extensions"]["KHR_lights_punctual"]["lights"]
    found = [one for one in report[number]["objects"] if one["kind"] == "LIGHT"]
    assert len(found) == len(lights) > 2
    watts = {"point": 4 * math.pi, "spot": 4 * math.pi, "directional": 1}
    wanted = sorted(watts[one["type"]] * one["intensity"] / 683 for one in lights)
    assert np.allclose(sorted(one["energy"] for one in found), wanted, rtol=2e-3)  # 0.0254 is not 1 / 39.37
    assert all(one["along"][2] < 0 for one in found if one["light"] == "SUN")


def test_dropped(imported):
    """Files that are dropped become what the menu makes of them; no dialog asks."""
    _, report = imported
    dropped, chosen = report[-1], report[0]
    assert dropped["done"] == ["FINISHED"] and dropped["objects"] == chosen["objects"]


def test_lit_by_lamps(imported):
    """Lit by the lamps alone a room is about as bright as by the light of its compiler."""
    folder, _ = imported
    number = NAMES.index("source")
    baked, lamps = png(folder / f"{number}.png").astype(float), png(folder / f"{number}-lamps.png").astype(float)
    assert 0.6 < lamps.mean() / baked.mean() < 1.6
