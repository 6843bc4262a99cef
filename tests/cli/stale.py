# SPDX-License-Identifier: MIT
"""bspkit stale: what was compiled together fits; a light that was moved, added, removed, turned, made brighter or
coloured, luxels of a face in those of another, and rows of another tree are told; and with the map as it was, what did
not change with the rest."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
WORK = pathlib.Path(tempfile.mkdtemp())
QUAKE, QUAKE2, SOURCE = (SAMPLES / family / "lobby.bsp" for family in ("quake", "quake2", "source"))


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout


def stale(*maps):
    """The findings that are stale: part and reason."""
    done = subprocess.run([BSPKIT, "stale", "--json", *map(str, maps)], capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    bad = [(one["part"], one["reason"]) for one in found["parts"] if one["state"] == "stale"]
    assert done.returncode == (1 if bad else 0) and found["stale"] == bool(bad), (maps, done)
    return bad


def changed(sample, name, lump, change):
    """The sample with another lump."""
    data, target = WORK / f"{name}.lump", WORK / f"{name}.bsp"
    run("lump", "extract", sample, lump, "-o", data)
    data.write_bytes(change(bytearray(data.read_bytes())))
    run("lump", "replace", sample, lump, data, "--force", "-o", target)
    return target


def edited(sample, name, *words):
    target = WORK / f"{name}.bsp"
    run("entities", sample, *words, "-o", target)
    return target


for family in ("quake", "goldsrc", "quake2", "quake3", "source"):
    assert stale(SAMPLES / family / "lobby.bsp") == [], family

# Lights of Source.
lights = [pair for pair in enumerate(json.loads(run("entities", "--json", SOURCE)))
          if dict(map(tuple, pair[1]["pairs"]))["classname"] == "light"]
assert len(lights) > 0
number = lights[0][0]
moved = stale(edited(SOURCE, "moved", "--set", "origin=1 2 3", "--index", number))
assert len(moved) == 1 and moved[0][0] == "lights" and "the light moved" in moved[0][1], moved
gone = stale(edited(SOURCE, "gone", "--remove", "--index", number))
assert len(gone) == 1 and "it was removed" in gone[0][1], gone

light = dict(map(tuple, lights[0][1]["pairs"]))["_light"].split()
twice = stale(edited(SOURCE, "twice", "--set", f"_light={' '.join(light[:3])} {2 * float(light[3])}", "--index", number))
assert len(twice) == 1 and "2.00 times as bright" in twice[0][1], twice
# Linear light of the same sum in another channel.
other = stale(edited(SOURCE, "other", "--set", f"_light={light[1]} {light[2]} {light[0]} {light[3]}", "--index", number))
assert (len(other) == 1 and "another colour" in other[0][1]) or len(set(light[:3])) == 1, (light, other)

# Luxels and rows.
def shift(data):
    struct.pack_into("<i", data, 20 + 16, struct.unpack_from("<i", data, 16)[0] + 3)
    return data


overlap = stale(changed(QUAKE, "overlap", "faces", shift))
assert [part for part, _ in overlap] == ["lightmaps"] and "begin in those of another" in overlap[0][1], overlap


def turn(data):
    """Each cluster gets the row of the one 11 before it."""
    count = struct.unpack_from("<I", data)[0]
    places = [struct.unpack_from("<II", data, 4 + 8 * n) for n in range(count)]
    for n in range(count):
        struct.pack_into("<II", data, 4 + 8 * n, *places[(n + 11) % count])
    return data


rows = stale(changed(QUAKE2, "rows", "visibility", turn))
assert rows and all(part == "visibility" and "of another tree" in why for part, why in rows), rows

# The light of HDR alone; pages; lights of no entities that are known.
def parts(*maps):
    """What is told of each part: state and reason."""
    done = subprocess.run([BSPKIT, "stale", "--json", *map(str, maps)], capture_output=True, text=True, check=False)
    return [(one["part"], one["state"], one["reason"]) for one in json.loads(done.stdout)["parts"]]


CORPUS = pathlib.Path("../shared/corpus/source")
assert ("lightmaps", "undecided") in [one[:2] for one in parts(SAMPLES / "quake3/lobby.bsp")]
for map_, part, state, words in (
        ("v25/bsp_tool__tests__maps__Momentum_Mod__mp_lobby.bsp", "lightmaps", "fits", "faces have luxels"),
        ("titanfall_rbsp/bsp_tool__tests__maps__Titanfall_2__mp_crossfire.bsp", "lights", "undecided", "Source only")):
    if (CORPUS / map_).exists():
        assert any(one[:2] == (part, state) and words in one[2] for one in parts(CORPUS / map_)), parts(CORPUS / map_)
        if part == "lightmaps":
            other = changed(CORPUS / map_, "hdr", "LIGHTING_HDR", lambda data: data[:-1] + bytes((data[-1] ^ 1,)))
            assert [one for one, _ in stale(CORPUS / map_, other)] == ["ambient light"], parts(CORPUS / map_, other)

# Luxels in an extension alone.
BSPX = SAMPLES / "quake/lobby_bspx.bsp"
assert ("lightmaps", "fits") in [one[:2] for one in parts(BSPX)], parts(BSPX)
short = stale(changed(BSPX, "short", "bspx:RGBLIGHTING", lambda data: data[:len(data) // 2]))
assert [part for part, _ in short] == ["lightmaps"] and "beyond the end" in short[0][1], short

told = stale(BSPX, edited(BSPX, "bspx", "--where", "classname=light*", "--set", "light=10"))
assert [part for part, _ in told] == ["lightmaps", "light grid"] and "lights of the entities" in told[0][1], told

# Two maps.
assert stale(QUAKE, QUAKE) == []
lamp = edited(QUAKE, "lamp", "--where", "classname=light*", "--set", "light=10")
assert stale(lamp) == []
assert [part for part, _ in stale(QUAKE, lamp)] == ["lightmaps"], stale(QUAKE, lamp)
assert len(parts(QUAKE, lamp)) == 4, "a part that is stale does not fit as well"

# What is made of luxels is made of those for HDR, too.
bright, dark = (changed(SOURCE, name, "LIGHTING_HDR", lambda data, value=value: bytes([value]) * 49280)
                for name, value in (("bright", 200), ("dark", 20)))
told = [part for part, why in stale(bright, dark) if "of the old map" in why]
assert told == ["ambient light", "cubemaps"], stale(bright, dark)

# A sky shines from everywhere; keys of light of the world count, others do not.
GOLDSRC = SAMPLES / "goldsrc/lobby.bsp"
SUN, WORLD = "classname=light_environment", "classname=worldspawn"
assert stale(GOLDSRC, edited(GOLDSRC, "sky", "--where", SUN, "--set", "origin=8 8 8")) == []
for number, (sample, words) in enumerate(((GOLDSRC, (SUN, "--set", "angles=0 10 0")), (QUAKE, (WORLD, "--set", "_minlight=40")),
                                          (QUAKE, (WORLD, "--set", "_sunlight2=90")))):
    told = stale(sample, edited(sample, f"key{number}", "--where", *words))
    assert [part for part, _ in told] == ["lightmaps"], (words, told)
QUAKE3 = SAMPLES / "quake3/lobby.bsp"
for number, pair in enumerate(("_noshadersun=1", "_rs=0", "_floodlight=1 1 1 128 20", "_addmin=1", "zhlt_lightflags=1")):
    told = stale(QUAKE3, edited(QUAKE3, f"light_key{number}", "--where", WORLD, "--set", pair))
    assert [part for part, _ in told] == ["lightmaps", "light grid"], (pair, told)
assert stale(QUAKE, edited(QUAKE, "name", "--where", WORLD, "--set", "message=other")) == []
print("stale: all told")
