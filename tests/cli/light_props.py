# SPDX-License-Identifier: MIT
"""Shadows of static props of Source by what is drawn of them, and less of them by the alpha of their textures."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
LOBBY = SAMPLES / "source/lobby.bsp"
URN, CRATE = b"models/lobby/urn.mdl" + bytes(8), b"models/props/crate.mdl" + bytes(6)
MATERIALS = "materials/models/props"
VTF_HEADER = 80  # bytes; then the pixels, four bytes each
CASTS_TEXTURE = 0x40000
MODEL_FLAGS = 152  # bytes from the beginning of a .mdl
WORK = pathlib.Path(tempfile.mkdtemp())
CRATES = WORK / "crates.bsp"


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def luxels(*words, source=CRATES):
    """The luxels of the lobby with crates by its lamps alone, red, green and blue."""
    out = WORK / "lit.bsp"
    run("light", source, "--direct", *words, "-o", out)
    return [luxel[c] * 2.0 ** luxel["exponent"] for luxel in json.loads(run("dump", "--json", out, "LIGHTING").stdout)
            for c in "rgb"]


def game(name, alpha=255, flags=0, vmt="$translucent 1"):
    """A folder with the crate, whose texture has so much alpha everywhere."""
    folder = WORK / name
    shutil.copytree(SAMPLES / "models/source", folder)
    (folder / MATERIALS).mkdir(parents=True)
    (folder / MATERIALS / "oak.vmt").write_text(f'VertexLitGeneric {{ $basetexture "models/props/oak" {vmt} }}')
    picture = bytearray((SAMPLES / "source/materials/models/lobby/clay.vtf").read_bytes())
    picture[VTF_HEADER + 3::4] = bytes([alpha]) * len(picture[VTF_HEADER + 3::4])
    (folder / MATERIALS / "oak.vtf").write_bytes(picture)
    model = folder / "models/props/crate.mdl"
    data = bytearray(model.read_bytes())
    before = struct.unpack_from("<I", data, MODEL_FLAGS)[0]
    struct.pack_into("<I", data, MODEL_FLAGS, before | flags)
    model.write_bytes(data)
    return "-g", folder


def share_between(low, high, some):
    """How many of the luxels that differ between two are between them in a third, within 2 of a hundred."""
    which = [i for i, (a, b) in enumerate(zip(low, high)) if a < 0.9 * b]
    assert len(which) > 100, len(which)
    slack = 0.02
    return sum(low[i] * (1 - slack) <= some[i] <= high[i] * (1 + slack) for i in which) / len(which)


def test_triangles():
    """What is drawn of a crate is its hull; without its hull that shades, too."""
    models = game("drawn")
    hulls = luxels(*models)
    triangles = luxels(*models, "--prop-shadows", "triangles")
    plain = luxels()
    assert sum(a < 0.9 * b for a, b in zip(hulls, plain)) > 100
    differ = sum(abs(a - b) > 0.02 * a for a, b in zip(hulls, triangles))
    assert differ < len(plain) / 1000, differ
    (models[1] / "models/props/crate.phy").unlink()
    assert luxels(*models, "--prop-shadows", "triangles") == triangles
    rad = WORK / "lights.rad"
    for text, shades in (("noshadow oa.vmt", False), ("noshadow elm", True), ("ldr: noshadow oak", False),
                         ("hdr: noshadow oak", True)):
        rad.write_text(f"{text}\nother 1 2 3 4\n")
        assert luxels(*models, "--prop-shadows", "triangles", "--rad", rad) == (triangles if shades else plain), text


def test_textures():
    """A crate of alpha a takes 2 a of the light of lines through two of its sides, and a through one."""
    plain = luxels()
    full = luxels(*game("full", 255, CASTS_TEXTURE), "--prop-shadows", "textures")
    assert full == luxels(*game("unmarked", 0), "--prop-shadows", "textures")  # the model does not say it
    assert full == luxels(*game("clear of sight", 0, CASTS_TEXTURE, ""), "--prop-shadows", "textures")
    clear = game("clear", 0, CASTS_TEXTURE)
    assert plain == luxels(*clear, "--prop-shadows", "textures")
    assert full == luxels(*clear, "--prop-shadows", "triangles")
    veiled = luxels(*game("veiled", 51, CASTS_TEXTURE), "--prop-shadows", "textures")
    most = [0.2 * a + 0.8 * b for a, b in zip(full, plain)]
    least = [0.4 * a + 0.6 * b for a, b in zip(full, plain)]
    assert share_between(least, most, veiled) > 0.95
    rad = WORK / "forced.rad"
    rad.write_text("forcetextureshadow models/props/crate.mdl\n")
    assert veiled == luxels(*game("forced", 51), "--prop-shadows", "textures", "--rad", rad)
    rad.write_text("forcetextureshadow props/crates\n")
    assert full == luxels(*game("other", 51), "--prop-shadows", "textures", "--rad", rad)


def test_parts():
    """Parts of other textures do not fit together, and those of the same ones give the bytes of the whole."""
    parts = [WORK / "1.part", WORK / "2.part"]
    words = (*game("parts", 51, CASTS_TEXTURE), "--prop-shadows", "textures")
    for number, part in enumerate(parts, 1):
        run("light", CRATES, *words, "--part", f"{number}/2", "-o", part)
    run("light", CRATES, *words, "-o", WORK / "whole.bsp")
    run("light", CRATES, *words, "--merge", *parts, "-o", WORK / "merged.bsp")
    assert (WORK / "whole.bsp").read_bytes() == (WORK / "merged.bsp").read_bytes()
    other = (*game("other parts", 52, CASTS_TEXTURE), "--prop-shadows", "textures")
    run("light", CRATES, *other, "--merge", *parts, "-o", WORK / "no.bsp", status=2)


data = LOBBY.read_bytes()
assert data.count(URN) == 1
CRATES.write_bytes(data.replace(URN, CRATE))
TESTS = (test_triangles, test_textures, test_parts)
for test in TESTS:
    test()
print(f"light_props: {len(TESTS)} tests")
