# SPDX-License-Identifier: MIT
"""bspkit light: luxels of compiled maps made anew, compared with those of the map and written; a lamp that
was moved lights another place."""
import json
import math
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
WORK = pathlib.Path(tempfile.mkdtemp())
QUAKE = SAMPLES / "quake/lobby.bsp"
GOLDSRC = SAMPLES / "goldsrc/lobby_embed.bsp"
QUAKE3 = SAMPLES / "quake3/lobby.bsp"
SOURCE = SAMPLES / "source/lobby.bsp"
FLAGS_OF_PROP = 64  # bytes from the place of a static prop of version 10
LIGHT_KEYS = ["file", "rules", "rules_stored", "release", "softened", "occluded", "lamps", "suns", "emitters", "patches",
              "bounces", "luxels", "vertices", "cells", "cubes", "rays", "styles_dropped", "untextured", "unlisted", "unheeded", "texlights", "phong", "compared", "stored_mean",
              "mean", "seconds", "histogram"]
WRITTEN = ("quake/lobby.bsp", "quake/lobby_bsp2.bsp", "goldsrc/lobby_embed.bsp", "quake2/lobby.bsp",
           "source/lobby.bsp", "quake3/lobby.bsp", "quake3/lobby_rbsp.bsp",
           "quake/lobby_bspx.bsp", "quake2/lobby_qbism.bsp")


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def in_parts(path, *options):
    """The bytes of a map that was lit in two parts, and these."""
    parts = [WORK / f"{path.stem}{k}.part" for k in (1, 2)]
    for k, part in enumerate(parts, 1):
        run("light", path, *options, "--part", f"{k}/2", "-o", part)
    run("light", path, *options, "--merge", *parts, "-o", WORK / "merged.bsp")
    return (WORK / "merged.bsp").read_bytes(), parts


def within(found, steps):
    return sum(found["histogram"][:steps + 1]) / max(found["compared"], 1)


def test_compared():
    text = run("light", "--check", QUAKE).stdout
    assert re.match(r"rules of ericw: \d+ lamps, 1 of skies, 0 of surfaces; 0 patches\n", text), text
    found = json.loads(run("light", "--check", "--json", QUAKE).stdout)
    assert found["rules"] == "ericw" and found["release"] == 0 and found["lamps"] > 4 and found["compared"] == found["luxels"], found
    assert list(found) == LIGHT_KEYS, list(found)
    assert sum(found["histogram"]) == found["compared"] and len(found["histogram"]) == 256
    assert within(found, 4) > 0.8
    found = json.loads(run("light", "--check", "--json", SOURCE).stdout)
    assert found["rules"] == "vrad" and found["release"] == 2007 and found["patches"] > 100
    assert within(found, 32) > 0.8, within(found, 32)


def test_region():
    """A region that is everywhere is none; one that nothing sees leaves all luxels as they were."""
    whole, same, kept = WORK / "whole.bsp", WORK / "same.bsp", WORK / "kept.bsp"
    run("light", SOURCE, "--direct", "-o", whole)
    run("light", SOURCE, "--direct", "--region", "-9999,-9999,-9999,9999,9999,9999", "-o", same)
    assert whole.read_bytes() == same.read_bytes()
    run("light", SOURCE, "--direct", "--region", "90000,90000,90000,90001,90001,90001", "-o", kept)
    for path, name in ((SOURCE, "old.lump"), (kept, "new.lump")):
        run("lump", "extract", path, "lighting", "-o", WORK / name)
    assert (WORK / "old.lump").read_bytes() == (WORK / "new.lump").read_bytes()
    assert "two corners" in run("light", SOURCE, "--region", "1,2,3", "-o", kept, status=2).stderr


def extended():
    """A map whose luxels extensions place, in all forms, lit."""
    path = WORK / "extended_in.bsp"
    data = QUAKE.read_bytes()
    faces = len(lump(data, 7)) // 20
    path.write_bytes(with_extensions(data, {
        "LMSHIFT": b"\x03" * faces, "LMOFFSET": b"\0" * 4 * faces, "LMSTYLE16": b"\xff\xff" * 8 * faces,
        "RGBLIGHTING": b"\0" * 3, "LIGHTING_E5BGR9": b"\0" * 4, "LIGHTINGDIR": b"\0" * 3}))
    return path


def listed(path):
    """Words by which the lights of the entities of a map of Source count, not the list in it."""
    if path.read_bytes()[:4] != b"VBSP":
        return ()
    lights = WORK / "lights.txt"
    run("entities", path, "-o", lights)
    return ("--lights", lights)


def test_moved_in_region():
    """After a lamp moved, its region alone gives the bytes of the whole, with fewer lines."""
    base, moved, whole, part = (WORK / f"{name}.bsp" for name in ("base", "moved", "whole", "part"))
    rad = WORK / "none.rad"  # else what textures of GoldSrc give is estimated anew out of each light
    rad.write_text("")
    for family in (QUAKE, SAMPLES / "quake2/lobby.bsp", GOLDSRC, SAMPLES / "quake/lobby_bspx.bsp", extended(),
                   QUAKE3, SAMPLES / "quake3/lobby_rbsp.bsp", SOURCE):
        words = ("--direct", "--force", *(("--rad", rad) if family == GOLDSRC else ()))
        run("light", family, *words, *listed(family), "-o", base)
        lamp = json.loads(run("entities", "--json", "--where", "classname=light", base).stdout)[0]
        origin = dict(lamp["pairs"])["origin"]
        x, y, z = map(float, origin.split())
        run("entities", "--where", "classname=light", "--where", f"origin={origin}", "--set",
            f"origin={x + 8:g} {y:g} {z - 8:g}", base, "-o", moved)
        region = ("--region", f"{x - 1},{y - 1},{z - 9},{x + 9},{y + 1},{z + 1}")
        words = (*words, *listed(moved))
        run("light", moved, *words, "-o", whole)
        run("light", moved, *words, *region, "-o", part)
        assert part.read_bytes() == whole.read_bytes() != moved.read_bytes(), family
        rays = [json.loads(run("light", "--check", "--json", moved, *words, *box).stdout)["rays"] for box in (region, ())]
        assert 0 < rays[0] < rays[1], rays


def test_shadows_of_props():
    """Crates with a hull darken luxels around them and lighten none; those with the flag for no shadow do nothing."""
    crates, clear, shaded, unshaded, plain = (WORK / f"{name}.bsp" for name in
                                              ("crates", "clear", "shaded", "unshaded", "plain"))
    data = SOURCE.read_bytes()
    name = b"models/lobby/urn.mdl"
    assert data.count(name + bytes(8)) == 1
    data = bytearray(data.replace(name + bytes(8), b"models/props/crate.mdl" + bytes(6)))
    crates.write_bytes(data)
    for origin in ((232, 232, 0), (736, 16, -64)):
        at = data.index(struct.pack("<3f", *origin) + struct.pack("<f", 0)) + FLAGS_OF_PROP
        assert data[at:at + 4] == bytes(4)
        data[at] = 0x10
    clear.write_bytes(data)
    props = json.loads(run("query", "props", crates, "-g", SAMPLES / "models/source").stdout)["props"]
    assert [(prop["model"], prop["hulls"]) for prop in props] == [("models/props/crate.mdl", 1)] * 2, props
    models = ("-g", SAMPLES / "models/source")
    for source, words, target in ((crates, models, shaded), (crates, (), plain), (clear, models, unshaded)):
        run("light", source, "--direct", *words, "-o", target)

    def luxels(path):
        return [[luxel[c] * 2.0 ** luxel["exponent"] for c in "rgb"]
                for luxel in json.loads(run("dump", "--json", path, "LIGHTING").stdout)]

    before, after = luxels(plain), luxels(shaded)
    assert luxels(unshaded) == before
    darker = sum(sum(b) < 0.98 * sum(a) for a, b in zip(before, after))
    lighter = sum(sum(b) > 1.02 * sum(a) for a, b in zip(before, after))
    assert darker > 50 and lighter == 0, (darker, lighter)
    # Without a collision model the convex hull of what is drawn shades: a crate is convex.
    bare, hulls, triangles = WORK / "bare_models", WORK / "hulls.bsp", WORK / "triangles.bsp"
    shutil.copytree(SAMPLES / "models/source", bare, ignore=shutil.ignore_patterns("crate.phy"))
    run("light", crates, "--direct", "-g", bare, "-o", hulls)
    run("light", crates, "--direct", "-g", bare, "--prop-shadows", "triangles", "-o", triangles)
    near = zip(luxels(hulls), luxels(triangles))
    assert luxels(hulls) != before and all(abs(sum(a) - sum(b)) <= 0.02 * sum(b) + 1 for a, b in near)


def total(path, *words):
    """Mean of the luxels that a map is given."""
    return json.loads(run("light", "--check", "--json", "--direct", path, *words).stdout)["mean"]


def edited(name, model, **keys):
    """The Quake sample with keys of a brush model."""
    out = WORK / f"{name}.bsp"
    sets = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    run("entities", "--where", f"model={model}", *sets, QUAKE, "-o", out)
    return out


def test_models_shade():
    """ericw-tools' keys: a model shades all, itself, or the world; through one with alpha some light comes, and falls
    on both of its sides."""
    none = total(edited("none", "*2", _shadow="-1"))
    opaque = total(edited("opaque", "*2", _shadow="1"))
    world = total(edited("world", "*2", _shadowworldonly="1"))
    itself = total(edited("itself", "*2", _shadowself="1"))
    clear = total(edited("clear", "*2", _shadow="1", _alpha="0.5"))
    assert max(opaque, world) < none and opaque < clear < none + 0.1 and itself <= none, (opaque, world, itself, clear, none)


def test_models_in_solid():
    """Luxels of a brush model in solid take the light of its middle, unless its entity forbids it."""
    usual, none = edited("usual", "*2", _shadow="-1"), edited("no_minimum", "*2", _autominlight="-1")
    assert total(usual) > total(none)
    assert total(edited("all", "*2", _autominlight="1")) >= total(usual)


def test_glass():
    """Quake 2: what is translucent tints light by its texture, where that is found."""
    game = ("--as", "ericw", "-g", SAMPLES / "quake2")
    assert 0 < total(SAMPLES / "quake2/lobby.bsp", *game) < total(SAMPLES / "quake2/lobby.bsp", "--as", "ericw")


def test_wait_of_q2tool():
    """By the rules of qrad3 and q2tool a light of 600 that fades twice as fast is two of 300 (600 - 2 d)."""
    lights = WORK / "wait.map"
    keys = '"classname" "light" "origin" "128 192 100"'
    lights.write_text('{ "classname" "worldspawn" }\n{ %s "light" "300" }\n' % keys + '{ %s "light" "300" }\n' % keys)
    map_of = SAMPLES / "quake2/lobby.bsp"
    run("light", map_of, "--as", "id", "--direct", "--lights", lights, "-o", WORK / "two.bsp")
    lights.write_text('{ "classname" "worldspawn" }\n{ %s "light" "600" "wait" "2" }\n' % keys)
    run("light", map_of, "--as", "id", "--direct", "--lights", lights, "-o", WORK / "wait.bsp")
    assert (WORK / "two.bsp").read_bytes() == (WORK / "wait.bsp").read_bytes() != map_of.read_bytes()


def test_lobby_of_hlrad():
    """GoldSrc: as SDHLT lights the lobby, with eight bounces."""
    path = pathlib.Path("../shared/oracle/bake/goldsrc/lobby/lobby.2-light.bsp")
    if not path.exists():
        print("SKIP: no map that SDHLT lit")
        return
    rad = path.with_name("lobby.rad")
    found = json.loads(run("light", "--check", "--json", path, "--rad", rad).stdout)
    assert within(found, 4) > 0.97, within(found, 4)


def test_unlit_faces():
    """Source: a surface whose texture takes no light (a lamp's) gets none, and stays as bright as its texture."""
    data = bytearray(SOURCE.read_bytes())
    lumps = [struct.unpack_from("<2I", data, 8 + 16 * i) for i in range(64)]
    faces = range(lumps[7][0], sum(lumps[7]), 56)
    texinfo = struct.unpack_from("<h", data, faces[0] + 10)[0]
    at = lumps[6][0] + 72 * texinfo + 64
    struct.pack_into("<I", data, at, struct.unpack_from("<I", data, at)[0] | 0x400)
    unlit = [face - lumps[7][0] for face in faces if struct.unpack_from("<h", data, face + 10)[0] == texinfo]
    for face in unlit:
        data[lumps[7][0] + face + 16:lumps[7][0] + face + 24] = b"\xff" * 8
    (WORK / "unlit.bsp").write_bytes(data)
    run("light", WORK / "unlit.bsp", "--direct", "--ldr", "-o", WORK / "unlit_new.bsp")
    new = (WORK / "unlit_new.bsp").read_bytes()
    start = struct.unpack_from("<I", new, 8 + 16 * 7)[0]
    assert unlit and all(new[start + face + 16:start + face + 24] == b"\xff" * 8 for face in unlit)


def test_cubes_in_leaves():
    """Before version 20 leaves have their cubes themselves: these come out nearly as vrad left them."""
    path = pathlib.Path("../shared/corpus/source/v19/gg-cstrike__maps__test_speakers.bsp")
    if not path.exists():
        print("SKIP: no map of version 19")
        return
    run("light", path, "--force", "-o", WORK / "cubes.bsp")
    leaves = []
    for data in (path.read_bytes(), (WORK / "cubes.bsp").read_bytes()):
        offset, size = struct.unpack_from("<2i", data, 8 + 16 * 10)
        leaves.append([data[at:at + 56] for at in range(offset, offset + size, 56)])
    near = compared = 0
    for old, new in zip(*leaves):
        assert old[:30] == new[:30] and old[54:] == new[54:]
        for side in range(30, 54, 4):
            colors = [[min(255, 255 * (leaf[side + c] * 2.0 ** struct.unpack_from("b", leaf, side + 3)[0] / 255)
                           ** (1 / 2.2)) for c in range(3)] for leaf in (old, new)]
            compared += 1
            near += max(abs(a - b) for a, b in zip(*colors)) <= 8
    assert leaves[0] != leaves[1] and near > 0.85 * compared, (near, compared)


def test_softened():
    """A map of vrad -softencosine: its light tells, and is made so again."""
    path = pathlib.Path("../shared/corpus/named/he_dustwar.bsp")
    if not path.exists():
        print("SKIP: no map with softened light")
        return
    found = json.loads(run("light", "--check", "--json", path).stdout)
    assert found["softened"] and found["release"] == 2010 and within(found, 4) > 0.6, found


def test_stated_compiler():
    """A map that states VRAD++ ("rad_compiler") has pieces of 64 units: by those of vrad 81 % are within 4."""
    path = pathlib.Path("../shared/corpus/named/od_background01.bsp")
    if not path.exists():
        print("SKIP: no map that states VRAD++")
        return
    assert within(json.loads(run("light", "--check", "--json", path).stdout), 4) > 0.85


def test_occluded():
    """Maps of CS:GO's vrad are darker in corners, as their light tells; one of Portal 2 is not."""
    corpus = pathlib.Path("../shared/corpus")
    for path, occluded in ((corpus / "named/he_dustwar.bsp", True),
                           (corpus / "source/v21/csgo-maps__maps__fy_iceworld@401fb6c9.bsp", True),
                           (corpus / "source/v21/aperturerise__maps__stopwatch.bsp", False)):
        if not path.exists():
            print(f"SKIP: {path.name} is not there")
            continue
        found = json.loads(run("light", "--check", "--json", path).stdout)
        assert found["occluded"] == occluded and within(found, 4) > 0.85, found
        if path.name == "he_dustwar.bsp":
            found = json.loads(run("light", "--check", "--json", "--dirt", "off", path).stdout)
            assert not found["occluded"] and within(found, 4) < 0.75, found


def test_props_of_parts():
    """A part that was made with another collision model of a prop is refused."""
    models, other = SAMPLES / "models/source", WORK / "other_models"
    shutil.copytree(models, other)
    for path in other.rglob("crate.phy"):
        data = bytearray(path.read_bytes())
        for place in range(data.index(b"IVPS"), len(data) - 4, 4):  # the points of its hull: a thinner one
            (value,) = struct.unpack_from("<f", data, place)
            if 0.1 < abs(value) < 10:
                struct.pack_into("<f", data, place, value * 0.75)
        path.chmod(0o644)
        path.write_bytes(data)
    crates, parts = WORK / "crates.bsp", [WORK / f"crates{k}.part" for k in (1, 2)]
    for k, (part, folder) in enumerate(zip(parts, (models, other)), 1):
        run("light", crates, "--direct", "-g", folder, "--part", f"{k}/2", "-o", part)
    message = run("light", crates, "--direct", "-g", models, "--merge", *parts, "-o", WORK / "no.bsp", status=2).stderr
    assert "part 2" in message, message
    run("light", crates, "--direct", "-g", models, "--part", "2/2", "-o", parts[1])
    run("light", crates, "--direct", "-g", models, "--merge", *parts, "-o", WORK / "merged.bsp")
    assert (WORK / "merged.bsp").read_bytes() == (WORK / "shaded.bsp").read_bytes()


def test_both():
    """LDR and HDR are made in one run where a map has both, each as alone, and in parts."""
    path = pathlib.Path("../shared/corpus/source/v20/bsp_tool__tests__maps__Team_Fortress_2__mp_lobby.bsp")
    if not path.exists():
        print("SKIP: no map with light of both kinds")
        return
    both, one, two = WORK / "both.bsp", WORK / "one.bsp", WORK / "two.bsp"
    run("light", path, "--force", "-o", both)
    run("light", path, "--force", "--ldr", "-o", one)
    run("light", one, "--force", "--hdr", "-o", two)
    for lump in ("LIGHTING", "LIGHTING_HDR", "FACES", "FACES_HDR"):
        for made, name in ((both, "a.lump"), (two, "b.lump")):
            run("lump", "extract", made, lump, "-o", WORK / name)
        assert (WORK / "a.lump").read_bytes() == (WORK / "b.lump").read_bytes(), lump
    merged, parts = in_parts(path, "--force")
    assert merged == both.read_bytes()
    run("light", path, "--force", "--ldr", "--merge", *parts, "-o", WORK / "merged.bsp")
    assert (WORK / "merged.bsp").read_bytes() == one.read_bytes()
    run("light", path, "--force", "--ldr", "--part", "2/2", "-o", parts[1])
    told = run("light", path, "--force", "--merge", *parts, "-o", WORK / "merged.bsp", status=2).stderr
    assert "part 2 of 2 is one of another map, or of other options" in told, told
    parts[0].write_bytes(parts[0].read_bytes()[:-1])
    told = run("light", path, "--force", "--merge", *parts, "-o", WORK / "merged.bsp", status=3).stderr
    assert f"{parts[0]}: the part is damaged" in told, told


# GoldSrc: what surfaces throw back is mixed at places of luxels that lie on other faces. A run that merges parts looks for
# them anew, among as many faces around as one that lights them.
def test_places_of_parts():
    path = pathlib.Path("../shared/corpus/named/svenquake2__maps__q2dm3.bsp")
    if not path.exists():
        print("SKIP: no map of GoldSrc whose luxels lie on other faces")
        return
    whole, none = WORK / "places.bsp", WORK / "none.rad"
    none.write_bytes(b"")
    options = ("--force", "--direct", "--rad", none)
    run("light", path, *options, "-o", whole)
    assert in_parts(path, *options)[0] == whole.read_bytes()


def test_props():
    out = WORK / "props.bsp"
    run("light", SOURCE, "-g", SAMPLES / "source", "-o", out)
    assert run("pak", "list", out).stdout.count(".vhv") == 2


def test_written():
    rad = WORK / "none.rad"  # estimates count with what is thrown back
    rad.write_text("")
    for name in WRITTEN:
        out = WORK / name.replace("/", "_")
        words = ("--direct", *(("--rad", rad) if name.startswith("goldsrc") else ()))
        run("light", SAMPLES / name, *words, "-o", out)
        again = json.loads(run("light", "--check", "--json", *words, out).stdout)
        assert within(again, 0) == 1, (name, within(again, 0))
        run("check", out)
        before = json.loads(run("info", "--json", SAMPLES / name).stdout)
        after = json.loads(run("info", "--json", out).stdout)
        assert before["branch"] == after["branch"], name
        one = WORK / "one.bsp"
        run("light", SAMPLES / name, *words, "--threads", "1", "-o", one)
        assert one.read_bytes() == out.read_bytes(), name


def test_moved():
    """A lamp in another room: what was lit is dark, and the other way round."""
    lights = WORK / "lights.map"
    sums = []
    for place in ("128 192 100", "640 96 64"):
        lights.write_text('{ "classname" "worldspawn"\n{ ( 0 0 0 ) "not a key" }\n}\n// { a comment\n'
                          f'{{ "classname" "light" "origin" "{place}" "light" "200" }}\n')
        out = WORK / "moved.bsp"
        run("light", QUAKE, "--lights", lights, "-o", out)
        answer = [json.loads(run("query", "light", *point.split(), out).stdout)["ambient"][0]
                  for point in ("128 192 60", "640 96 30")]
        sums.append(answer)
    assert sums[0][0] > sums[0][1] + 0.1 and sums[1][1] > sums[1][0], sums


def test_entities_of_source():
    """Lights of the entities stand for those of the compiler's list, which came from them."""
    text = WORK / "source.txt"
    text.write_text(run("entities", SOURCE).stdout)
    of_list = WORK / "list.bsp"
    of_text = WORK / "text.bsp"
    run("light", SOURCE, "--direct", "-o", of_list)
    run("light", SOURCE, "--direct", "--lights", text, "-o", of_text)
    found = json.loads(run("light", "--check", "--json", "--direct", "--lights", text, of_list).stdout)
    assert within(found, 16) > 0.9, within(found, 16)
    assert of_list.read_bytes() != SOURCE.read_bytes()
    # The list is written anew, as vrad had it.
    lights = [run("dump", of, "worldlights").stdout.splitlines() for of in (SOURCE, of_text)]
    numbers = [sorted([float(number) for number in re.findall(r"[=,](-?[\d.e+-]+)", line)]
                      for line in one if not re.search(" type=[35] ", line)) for one in lights]  # the sample's sky is nowhere
    assert len(lights[0]) == len(lights[1]) == 7 and len(numbers[0]) == 5 and are_close(numbers), numbers


def are_close(pair):
    """Are the numbers of both the same but for rounding?"""
    return len(pair[0]) == len(pair[1]) and all(
        len(a) == len(b) and all(abs(x - y) <= 1e-3 * max(1, abs(x)) for x, y in zip(a, b)) for a, b in zip(*pair))


def test_moved_in_source():
    """A lamp that moved is told of, and is where it is once the entities count."""
    moved, text, out = WORK / "moved_source.bsp", WORK / "moved_source.txt", WORK / "lit_source.bsp"
    run("entities", SOURCE, "--where", "classname=light", "--where", "origin=128 192 112", "--set", "origin=200 192 112", "-o", moved)
    assert "elsewhere or not at all: 1 (--lights FILE" in run("light", moved, "--direct", "-o", out).stderr
    run("stale", out, status=1)
    again = '{ "classname" "light_environment" "_light" "255 255 255 900" "angles" "0 90 0" "pitch" "-30" }'
    text.write_text(run("entities", moved).stdout + again)  # of several suns the first counts
    assert "entities" not in run("light", moved, "--direct", "--lights", text, "-o", out).stderr
    assert "lights: fits" in run("stale", out).stdout
    again = json.loads(run("light", "--check", "--json", "--direct", out).stdout)
    assert again["unlisted"] == 0 and within(again, 0) > 0.999, again
    # A spot points by its "angle" before the yaw of "angles", and one that is open all around is stored as a point.
    for keys, stored in ((("angle=90", "angles=0 180 0", "_cone=30"), "normal=[^,]*e-17,1,0 .* type=2 "),
                         (("_inner_cone=180", "_cone=180"), "normal=0,0,0 .* type=1 ")):
        sets = [word for key in ("classname=light_spot", *keys) for word in ("--set", key)]
        run("entities", SOURCE, "--where", "classname=light", "--where", "origin=128 192 112", *sets, "-o", moved)
        text.write_text(run("entities", moved).stdout)
        run("light", moved, "--direct", "--lights", text, "-o", out)
        listed = run("dump", out, "worldlights").stdout
        assert re.search(f"origin=128,192,112 .*{stored}", listed), listed
        assert "lights: fits" in run("stale", out).stdout


def test_light_file():
    """.lit: the luxels of the map in colour, whose brightest channel is the map's own byte."""
    out = WORK / "colored.bsp"
    lit = WORK / "colored.lit"
    run("light", QUAKE, "-o", out, "--lit", lit)
    data = lit.read_bytes()
    raw = WORK / "lighting"
    run("lump", "extract", out, "lighting", "-o", raw)
    luxels = raw.read_bytes()
    assert data[:4] == b"QLIT" and struct.unpack("<I", data[4:8])[0] == 1
    assert len(data) == 8 + 3 * len(luxels)
    assert all(max(data[8 + 3 * i:11 + 3 * i]) == luxels[i] for i in range(len(luxels)))
    assert any(len(set(data[8 + 3 * i:11 + 3 * i])) > 1 for i in range(len(luxels)))
    # A map beside such a file is not changed without it.
    before = out.read_bytes()
    message = run("light", "--in-place", out, status=2).stderr
    assert "colored.lit" in message and out.read_bytes() == before
    run("light", "--in-place", out, "--lit", lit, "--force")
    assert lit.read_bytes() == data
    run("light", SOURCE, "-o", WORK / "none.bsp", "--lit", WORK / "none.lit", status=2)
    # Nothing is written if one of the outputs is read.
    own = WORK / "own_lit.bsp"
    shutil.copy(QUAKE, own)
    assert "reads that file" in run("light", own, "-o", WORK / "no_lit.bsp", "--lit", own, status=3).stderr
    assert own.read_bytes() == QUAKE.read_bytes() and not (WORK / "no_lit.bsp").exists()


def test_preview():
    """Fewer rays, and nearly the same light; the bytes are those of its parts."""
    for sample in (QUAKE, GOLDSRC, SAMPLES / "quake2/lobby.bsp", SOURCE):
        whole = json.loads(run("light", "--check", "--json", sample).stdout)
        fast = json.loads(run("light", "--check", "--json", "--preview", sample).stdout)
        assert fast["luxels"] == whole["luxels"] and fast["rays"] < whole["rays"] / 4, (sample, fast["rays"])
        assert abs(within(fast, 32) - within(whole, 32)) < 0.12, (sample, within(fast, 32), within(whole, 32))
    run("light", QUAKE, "--preview", "--extra", 2, "-o", WORK / "fast.bsp", status=2)
    run("light", QUAKE, "--preview", "-o", WORK / "fast.bsp")
    run("light", QUAKE, "--preview", "--part", "1/1", "-o", WORK / "fast.part")
    run("light", QUAKE, "--preview", "--merge", WORK / "fast.part", "-o", WORK / "merged.bsp")
    assert (WORK / "fast.bsp").read_bytes() == (WORK / "merged.bsp").read_bytes()
    assert "other options" in run("light", QUAKE, "--merge", WORK / "fast.part", "-o", WORK / "not.bsp", status=2).stderr


def test_texlights():
    """Lines of a lights.rad give the bytes of the same keys of info_texlights, which count first."""
    texture = "trim1"
    rad = WORK / "lights.rad"
    rad.write_text(f"// a comment\n\n{texture.upper()}\t255 128 64  900 // orange\nelse 1\n")
    entities = WORK / "texlights.map"
    text = run("entities", GOLDSRC).stdout
    entities.write_text(text + '{ "classname" "info_texlights" "%s" "255 128 64 900" }\n' % texture)
    made = [WORK / f"texlights{i}.bsp" for i in range(4)]
    run("light", GOLDSRC, "--rad", rad, "-o", made[0])
    run("light", GOLDSRC, "--lights", entities, "-o", made[1])
    run("light", GOLDSRC, "-o", made[2])
    assert made[0].read_bytes() == made[1].read_bytes() != made[2].read_bytes()
    rad.write_text(f"{texture} 5\n")
    run("light", GOLDSRC, "--lights", entities, "--rad", rad, "-o", made[3])
    assert made[3].read_bytes() == made[1].read_bytes()
    rad.write_text(f"{texture} 64\n")
    run("light", GOLDSRC, "--rad", rad, "-o", made[0])
    rad.write_text(f"{texture} 64 64 64\n")
    run("light", GOLDSRC, "--rad", rad, "-o", made[1])
    assert made[0].read_bytes() == made[1].read_bytes() != made[2].read_bytes()
    assert "takes no list" in run("light", QUAKE, "--rad", rad, "-o", made[0], status=2).stderr
    # Lines that are none are told of, with their number, and passed over; those that only vrad reads are not told of.
    plain = f"noshadow sky\nforcetextureshadow a.mdl\nhdr:{texture} 1 2 3 4\nldr:x 1\n// 1 2\n\n{texture} 64 64 64\n"
    rad.write_text(plain)
    assert "lights.rad" not in run("light", GOLDSRC, "--rad", rad, "-o", made[0]).stderr
    assert made[0].read_bytes() == made[1].read_bytes()
    rad.write_text(f"{texture} bright // yes\n{texture} 1 2\n{plain}alone\n")
    told = [line for line in run("light", GOLDSRC, "--rad", rad, "-o", made[0]).stderr.splitlines() if "lights.rad" in line]
    assert [line.partition("embed.bsp: ")[2] for line in told] == [
        f"lights.rad:{number}: says of no texture what it gives: {line}"
        for number, line in ((1, f"{texture} bright"), (2, f"{texture} 1 2"), (10, "alone"))], told
    assert made[0].read_bytes() == made[1].read_bytes()
    rad.write_bytes(b"\0\1\2 garbage\nnoshadow sky\n")
    message = run("light", GOLDSRC, "--rad", rad, "-o", made[0], status=3).stderr
    assert "lights.rad:1: " in message and "lights.rad: no line says what a texture gives" in message, message


def test_shaders():
    """Quake 3: what shines by its shader does so when the folder of the game is given."""
    alone = json.loads(run("light", "--check", "--json", QUAKE3).stdout)
    game = json.loads(run("light", "--check", "--json", "-g", SAMPLES / "quake3", QUAKE3).stdout)
    assert alone["rules"] == game["rules"] == "q3map2"
    assert alone["lamps"] == game["lamps"] == 4 and alone["suns"] == alone["emitters"] == 0, alone
    assert game["suns"] == 21 and game["emitters"] > 4 and game["cells"] > 100 and game["vertices"] > 0, game
    dark = WORK / "no_lamps.map"
    stripped = WORK / "stripped.bsp"
    dark.write_text('{ "classname" "worldspawn" }\n')
    run("entities", "--import", dark, QUAKE3, "-o", stripped)
    message = run("light", stripped, "-o", WORK / "shaders.bsp", status=3).stderr
    assert "names no light" in message, message
    dark.write_text('{ "classname" "worldspawn" }\n{ "classname" "light" "origin" "128 192 112" "light" "9" }\n')
    run("entities", "--import", dark, QUAKE3, "-o", stripped, "--force")
    message = run("light", stripped, "-o", WORK / "shaders.bsp", status=3).stderr
    assert "1 lamps" in message and "textures/" in message and not (WORK / "shaders.bsp").exists(), message
    run("light", stripped, "--force", "-o", WORK / "shaders.bsp")


def test_styles():
    """RBSP: a lamp of a style lights the places of that style, the colours of vertices, and the grid."""
    lights, out = WORK / "style.map", WORK / "style.bsp"
    lights.write_text('{ "classname" "worldspawn" }\n'
                      '{ "classname" "light" "origin" "336 192 72" "light" "200" "style" "10" }\n')
    run("light", SAMPLES / "quake3/lobby_rbsp.bsp", "--lights", lights, "-o", out)
    run("check", out)
    cells = json.loads(run("dump", "--json", out, "LIGHTGRID").stdout)
    numbers = json.loads(run("dump", "--json", out, "LIGHTARRAY").stdout)
    assert len(numbers) == 234 and max(numbers) == len(cells) - 1 and len(set(map(str, cells))) == len(cells)
    assert all(cell["directed"][:3] == [0, 0, 0] for cell in cells)
    assert any(cell["styles"][1] == 10 and cell["directed"][3] > 20 for cell in cells)
    assert all(cell["styles"][0] == 0 and cell["styles"][2:] == [255, 255] for cell in cells)
    surfaces = json.loads(run("dump", "--json", out, "SURFACES").stdout)
    vertices = json.loads(run("dump", "--json", out, "DRAWVERTS").stdout)
    lit = 0
    for surface in surfaces:
        first, styles = surface["firstVert"], surface["vertexStyles"]
        paged = [page >= 0 for page in surface["lightmapNum"]]
        for vertex in vertices[first:first + surface["numVerts"]]:
            assert not paged[0] or vertex["color"][:3] == [0, 0, 0], surface
            lit += paged[1] and styles[1] == 10 and vertex["color"][4] > 20
    assert lit > 10, lit


def lump(data, number):
    offset, size = struct.unpack_from("<II", data, 4 + 8 * number)
    return data[offset:offset + size]


def extensions(data):
    """The lumps of BSPX by name, which follow the last lump of the file."""
    end = max(sum(struct.unpack_from("<II", data, 4 + 8 * i)) for i in range(15))
    end = (end + 3) & ~3
    assert data[end:end + 4] == b"BSPX", data[end:end + 4]
    found = {}
    for i in range(struct.unpack_from("<I", data, end + 4)[0]):
        name, offset, size = struct.unpack_from("<24sII", data, end + 8 + 32 * i)
        found[name.rstrip(b"\0").decode()] = data[offset:offset + size]
    return found


def with_extensions(data, lumps):
    out = data + b"\0" * (-len(data) % 4)
    head = b"BSPX" + struct.pack("<I", len(lumps))
    at = len(out) + len(head) + 32 * len(lumps)
    body = b""
    for name, content in lumps.items():
        head += struct.pack("<24sII", name.encode(), at + len(body), len(content))
        body += content + b"\0" * (-len(content) % 4)
    return out + head + body


def decoded(word):
    return [(word >> 9 * c & 511) * 2.0 ** ((word >> 27) - 24) * 128 for c in range(3)]


def test_extensions():
    """Luxels half as wide, in all forms of BSPX; those that the faces state stay for other engines."""
    data = QUAKE.read_bytes()
    faces = len(lump(data, 7)) // 20
    made = {"LMSHIFT": b"\x03" * faces, "LMOFFSET": b"\0" * 4 * faces, "LMSTYLE16": b"\xff\xff" * 8 * faces,
            "RGBLIGHTING": b"\0" * 3, "LIGHTING_E5BGR9": b"\0" * 4, "LIGHTINGDIR": b"\0" * 3}
    source, out, plain = WORK / "extended.bsp", WORK / "extended_new.bsp", WORK / "plain_new.bsp"
    source.write_bytes(with_extensions(data, made))
    run("light", source, "--direct", "-o", out)
    run("light", QUAKE, "--direct", "-o", plain)
    run("check", out)
    new = out.read_bytes()
    light, shown = lump(new, 8), lump(plain.read_bytes(), 8)
    found = extensions(new)
    assert set(found) == set(made) and found["LMSHIFT"] == made["LMSHIFT"], list(found)
    assert len(found["RGBLIGHTING"]) == 3 * len(light) and len(found["LIGHTING_E5BGR9"]) == 4 * len(light)
    assert len(found["LIGHTINGDIR"]) == 3 * len(light)
    assert len(light) > 3 * len(shown), (len(light), len(shown))
    near = compared = 0
    for face in range(faces):
        record, other = new_face(new, face), new_face(plain.read_bytes(), face)
        assert record[0][:record[0].index(255)] == other[0][:other[0].index(255)], face
        (apart,) = struct.unpack_from("<i", found["LMOFFSET"], 4 * face)
        styles = struct.unpack_from("<8H", found["LMSTYLE16"], 16 * face)
        assert [s for s in styles if s != 65535] == record[0][:record[0].index(255)], (face, styles)
        assert (apart == -1) == (record[1] == -1) and (apart == -1 or apart != record[1]), face
        for n in range(4 if apart != -1 else 0):
            compared += 1
            near += abs(light[record[1] + n] - shown[other[1] + n]) <= 16
            rgb = found["RGBLIGHTING"][3 * (apart + n):3 * (apart + n) + 3]
            high = decoded(struct.unpack_from("<I", found["LIGHTING_E5BGR9"], 4 * (apart + n))[0])
            assert max(rgb) == light[apart + n], (face, n)
            assert max(high) > 255 or all(abs(a - b) <= 1.5 for a, b in zip(high, rgb)), (face, n, high, rgb)
    assert compared > 100 and near > 0.8 * compared, (near, compared)
    again = json.loads(run("light", "--check", "--json", "--direct", out).stdout)
    assert within(again, 12) > 0.99 and again["luxels"] > 1.5 * len(shown), again["luxels"]


def angle(one, other):
    """Degrees between two directions in bytes."""
    vectors = [[byte / 128 - 1 for byte in way] for way in (one, other)]
    lengths = math.prod(math.sqrt(sum(x * x for x in vector)) for vector in vectors)
    cosine = sum(a * b for a, b in zip(*vectors)) / max(lengths, 1e-6)
    return math.degrees(math.acos(max(-1, min(1, cosine))))


def test_directions():
    """From where light comes: near what ericw-tools wrote, and the same out of parts."""
    source, out, merged = SAMPLES / "quake/lobby_bspx.bsp", WORK / "ways.bsp", WORK / "ways_merged.bsp"
    run("light", source, "--direct", "-o", out)
    old, new = extensions(source.read_bytes()), extensions(out.read_bytes())
    near = compared = 0
    for face in range(len(old["DECOUPLED_LM"]) // 40):
        records = [struct.unpack_from("<2Hi", lumps["DECOUPLED_LM"], 40 * face) for lumps in (old, new)]
        styles = [new_face(path.read_bytes(), face)[0] for path in (source, out)]
        assert records[0][:2] == records[1][:2], records
        if min(record[2] for record in records) < 0 or 0 not in styles[0] or 0 not in styles[1]:
            continue
        each = records[0][0] * records[0][1]
        firsts = [record[2] + each * list(s).index(0) for record, s in zip(records, styles)]
        for n in range(each):
            ways = [lumps["LIGHTINGDIR"][3 * (first + n):][:3] for lumps, first in zip((old, new), firsts)]
            lit = max(old["RGBLIGHTING"][3 * (firsts[0] + n):][:3]) > 8
            compared += lit
            near += lit and angle(*ways) < 10
    assert compared > 1000 and near > 0.85 * compared, (near, compared)
    parts = [WORK / f"ways{k}.part" for k in (1, 2, 3)]
    for k, part in enumerate(parts, 1):
        run("light", source, "--direct", "--part", f"{k}/3", "-o", part)
    run("light", source, "--direct", "--merge", *parts, "-o", merged)
    assert merged.read_bytes() == out.read_bytes()
    damaged = bytearray(parts[0].read_bytes())
    damaged[len(damaged) // 2] ^= 1
    parts[0].write_bytes(damaged)
    assert "1.part" in run("light", source, "--direct", "--merge", *parts, "-o", merged, status=3).stderr


def grid_cells(lump):
    """The cells of LIGHTGRID_OCTREE: what each style gives, or None in solid."""
    at = 45 + 44 * struct.unpack_from("<I", lump, 41)[0]
    leaves, cells = struct.unpack_from("<I", lump, at)[0], []
    at += 4
    for _ in range(leaves):
        for _ in range(math.prod(struct.unpack_from("<3I", lump, at + 12))):
            count, at = lump[at + 24], at + 1
            cells.append(None if count == 255 else
                         {lump[at + 24 + 4 * s]: lump[at + 25 + 4 * s:at + 28 + 4 * s] for s in range(count)})
            at += 0 if count == 255 else 4 * count
        at += 24
    assert at == len(lump), (at, len(lump))
    return cells


def test_grid():
    """The light grid of ericw-tools comes out again, and is darker where a lamp went."""
    source, out, dark = SAMPLES / "quake/lobby_bspx.bsp", WORK / "grid.bsp", WORK / "grid_dark.bsp"
    run("light", source, "-o", out)
    old, new = (grid_cells(extensions(path.read_bytes())["LIGHTGRID_OCTREE"]) for path in (source, out))
    assert len(old) == len(new) and [a is None for a in old] == [b is None for b in new]
    off = [max(abs(a - b) for a, b in zip(one.get(style, bytes(3)), other.get(style, bytes(3))))
           for one, other in zip(old, new) if one is not None for style in {*one, *other}]
    assert len(off) > 200 and sum(value <= 4 for value in off) > 0.98 * len(off), off
    run("entities", "--where", "classname=light", "--set", "light=1", source, "-o", dark)
    run("light", dark, "--force", "-o", out)
    left = grid_cells(extensions(out.read_bytes())["LIGHTGRID_OCTREE"])
    assert sum(sum(map(sum, cell.values())) for cell in left if cell) < sum(
        sum(map(sum, cell.values())) for cell in old if cell) / 2


def test_deluxe():
    """Pages of directions in Quake 3: each second page, beside those of light."""
    data, pages_only, source = bytearray(QUAKE3.read_bytes()), WORK / "deluxe_pages.bsp", WORK / "deluxe.bsp"
    faces, length = struct.unpack_from("<2i", data, 8 + 8 * 13)
    offset, size = struct.unpack_from("<2i", data, 8 + 8 * 14)
    pages = [data[at:at + 49152] for at in range(offset, offset + size, 49152)]
    straight = b"\x7f\x7f\xff" * 16384  # up, in the world
    tilted = b"\x7f\x7f\x00" * 16384
    struct.pack_into("<2i", data, 8 + 8 * 14, len(data), 2 * size)
    for n, page in enumerate(pages):
        data += page + (tilted if n == 0 else straight)
    for at in range(faces, faces + length, 104):
        page = struct.unpack_from("<i", data, at + 28)[0]
        struct.pack_into("<i", data, at + 28, 2 * page if page > 0 else page)
    pages_only.write_bytes(data)
    line = re.search(rb'"_q3map2_cmdline" "(.*?)"', data)[1].decode()
    run("entities", pages_only, "--set", f"_q3map2_cmdline={line} -deluxe", "--index", 0, "-o", source)
    shaders = ("-g", SAMPLES / "quake3")
    found = [json.loads(run("light", "--check", "--json", *shaders, path).stdout) for path in (QUAKE3, source)]
    assert found[0]["histogram"] == found[1]["histogram"]
    xonotic = json.loads(run("light", "--check", "--json", *shaders, pages_only).stdout)  # not asked for: the game has them
    assert xonotic["mean"] > 1.3 * found[1]["mean"], (xonotic["mean"], found[1]["mean"])  # and the sRGB curve
    run("light", *shaders, source, "-o", WORK / "deluxe_new.bsp")
    run("light", *shaders, QUAKE3, "-o", WORK / "whole.bsp")
    new, whole = (WORK / "deluxe_new.bsp").read_bytes(), (WORK / "whole.bsp").read_bytes()
    start = [struct.unpack_from("<i", bytes, 8 + 8 * 14)[0] for bytes in (new, whole)]
    for n in range(len(pages)):
        assert new[start[0] + 98304 * n:][:49152] == whole[start[1] + 49152 * n:][:49152]
        ways = new[start[0] + 98304 * n + 49152:][:49152]
        old = tilted if n == 0 else straight
        made = [ways[at:at + 3] for at in range(0, 49152, 3) if ways[at:at + 3] != old[at:at + 3]]
        lengths = [math.dist(way, (127.5, 127.5, 127.5)) / 127.5 for way in made]
        assert len(made) > 1000 and all(abs(length - 1) < 0.02 for length in lengths), n


def new_face(data, number):
    """The styles of a face, then 255, and where its luxels are."""
    *styles, offset = struct.unpack_from("<4Bi", lump(data, 7), 20 * number + 12)
    return [*styles, 255], offset


def page_file(path, rgb):
    """A TGA of 128 x 128, rows from the bottom."""
    rows = [rgb[at:at + 384] for at in range(0, len(rgb), 384)]
    bgr = bytearray(b"".join(reversed(rows)))
    bgr[0::3], bgr[2::3] = bgr[2::3], bgr[0::3]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<BBB5xHHHHBB", 0, 0, 2, 0, 0, 128, 128, 24, 0) + bgr)


def test_pages_beside():
    """Pages in files beside a Quake 3 map are compared and made as those of the file are."""
    data, base = bytearray(QUAKE3.read_bytes()), WORK / "beside"
    shaders = ("-g", SAMPLES / "quake3")
    offset, size = struct.unpack_from("<2i", data, 8 + 8 * 14)  # LIGHTMAPS
    for number in range(size // 49152):
        page_file(base / f"room/lm_{number:04}.tga", data[offset + 49152 * number:offset + 49152 * (number + 1)])
    struct.pack_into("<2i", data, 8 + 8 * 14, offset, 0)
    (base / "room.bsp").write_bytes(data)
    checks = [run("light", "--check", *shaders, path).stdout for path in (QUAKE3, base / "room.bsp")]
    assert checks[0] == checks[1], checks
    assert "--pages" in run("light", *shaders, base / "room.bsp", "-o", WORK / "no.bsp", status=2).stderr
    (base / "dark.map").write_text('{ "classname" "worldspawn" }\n')  # said before light is made, which fails
    assert "--pages" in run("light", *shaders, base / "room.bsp", "--lights", base / "dark.map", "-o", WORK / "no.bsp",
                            status=2).stderr
    run("light", *shaders, base / "room.bsp", "--pages", WORK / "new", "-o", WORK / "new.bsp")
    run("light", *shaders, QUAKE3, "-o", WORK / "whole.bsp")
    assert "no files" in run("light", *shaders, QUAKE3, "--pages", WORK / "none", "-o", WORK / "no.bsp",
                             status=2).stderr
    assert not (WORK / "no.bsp").exists() and not (WORK / "none").exists()
    whole = (WORK / "whole.bsp").read_bytes()
    first = struct.unpack_from("<i", whole, 8 + 8 * 14)[0]
    for number in range(size // 49152):
        name = f"lm_{number:04}.tga"
        page_file(WORK / "expected" / name, whole[first + 49152 * number:first + 49152 * (number + 1)])
        assert (WORK / "new" / name).read_bytes() == (WORK / "expected" / name).read_bytes(), name
    assert len(list((WORK / "new").iterdir())) == size // 49152
    parts = [WORK / f"{k}.part" for k in (1, 2)]
    for k, part in enumerate(parts, 1):
        run("light", *shaders, base / "room.bsp", "--part", f"{k}/2", "-o", part)
    run("light", *shaders, base / "room.bsp", "--merge", *parts, "--pages", WORK / "merged", "-o", WORK / "merged.bsp")
    assert (WORK / "merged.bsp").read_bytes() == (WORK / "new.bsp").read_bytes()
    assert (WORK / "merged/lm_0000.tga").read_bytes() == (WORK / "new/lm_0000.tga").read_bytes()


def test_refused():
    unlit = bytearray(QUAKE3.read_bytes())
    unlit[8 + 14 * 8:8 + 15 * 8] = bytes(8)
    (WORK / "unlit.bsp").write_bytes(unlit)
    message = run("light", WORK / "unlit.bsp", "-o", WORK / "q3.bsp", status=3).stderr
    assert "no pages" in message and not (WORK / "q3.bsp").exists()
    dark = WORK / "dark.map"
    dark.write_text('{ "classname" "worldspawn" }\n')
    message = run("light", QUAKE, "--lights", dark, "-o", WORK / "dark.bsp", status=3).stderr
    assert "names no light" in message and not (WORK / "dark.bsp").exists()
    assert "--lights" in message and "--force" in message and "--rad" not in message and "--game" not in message, message
    rad = WORK / "none.rad"  # textures give nothing, either
    rad.write_text("")
    assert "--rad" in run("light", GOLDSRC, "--lights", dark, "--rad", rad, "-o", WORK / "dark.bsp", status=3).stderr
    assert "--game" in run("light", QUAKE3, "--lights", dark, "-o", WORK / "dark.bsp", status=3).stderr
    run("light", QUAKE, "--lights", dark, "--force", "-o", WORK / "dark.bsp")
    answer = json.loads(run("query", "light", 128, 192, 60, WORK / "dark.bsp").stdout)
    assert answer["ambient"] == [0, 0, 0], answer
    dark.write_text("nothing")
    run("light", QUAKE, "--lights", dark, "-o", WORK / "no.bsp", status=3)
    run("light", QUAKE, "--as", "vrad", "-o", WORK / "no.bsp", status=2)
    run("light", QUAKE, "--as", "nobody", "-o", WORK / "no.bsp", status=2)
    run("light", QUAKE, "--extra", "9", "--check", status=2)
    run("light", QUAKE, "--lit", WORK / "no.lit", "--check", status=2)
    run("light", QUAKE, "--grid-sides", "-o", WORK / "no.bsp", status=2)
    assert not (WORK / "no.bsp").exists()


def test_unused_options():
    """An option that the rules of the map do not know is named, as keys are."""
    for option in ("--patch-shadows", "--bounce-grid", "--hdr", "--ldr"):
        message = run("light", QUAKE, "--check", "--preview", option).stderr
        assert f"{option} has no effect here: ericw" in message, (option, message)
    message = run("light", SOURCE, "--check", "--preview", "--dirt", "on", "--dirt-depth", 64).stderr
    assert "--dirt has no effect" not in message and "--dirt-depth has no effect" in message, message
    assert "no effect" not in run("light", QUAKE, "--check", "--preview", "--dirt", "on", "--dirt-depth", 64).stderr
    message = run("light", SAMPLES / "source/lobby_19.bsp", "--check", "--preview", "--hdr").stderr
    assert "--hdr has no effect here: the map has no such light" in message, message
    for words in (("--hdr", "--ldr"), ("--direct", "--bounces", 2)):
        assert "exclude each other" in run("light", SOURCE, "--check", *words, status=2).stderr, words


def test_untextured():
    """Textures that are not found are counted, since light takes its colours from them."""
    def told(*words):
        done = run("light", "--check", "--json", "--preview", *words)
        return json.loads(done.stdout)["untextured"], "textures that were not found" in done.stderr
    assert told(GOLDSRC) == (0, False)
    count, said = told(SAMPLES / "goldsrc/lobby.bsp", "--force")
    assert count > 3 and said, count
    assert told(SOURCE) == (0, False)  # its map states how much they throw back


def test_nothing_to_compare():
    """A map without luxels says so, and no shares of nothing."""
    data = bytearray(GOLDSRC.read_bytes())
    struct.pack_into("<I", data, 4 + 8 * 8 + 4, 0)
    (WORK / "bright.bsp").write_bytes(data)
    text = run("light", "--check", "--preview", WORK / "bright.bsp").stdout
    assert "the map has none to compare them with" in text and "%" not in text, text


def test_brushes_beyond_the_end():
    """Leaves of Quake 3 may name brushes that are not there: these are none."""
    for name in ("lobby", "lobby_rbsp"):
        data = bytearray((SAMPLES / f"quake3/{name}.bsp").read_bytes())
        offset, size = struct.unpack_from("<2i", data, 8 + 8 * 6)  # LEAFBRUSHES
        assert size > 0
        data[offset:offset + size] = b"\xfe\xff\xff\x7f" * (size // 4)
        damaged = WORK / "damaged.bsp"
        damaged.write_bytes(data)
        run("light", damaged, "--force", "--direct", "-o", WORK / "lit.bsp")


def test_no_numbers():
    """Corners far away, or that are no numbers, do not make more pieces of Source's surfaces: they took over 270 MB."""
    numbers = [math.nan, 1e30, -1e30, 3e38, 1e5]
    for seed in (0, 2, 34):
        chance = random.Random(seed)
        data = bytearray(SOURCE.read_bytes())
        offset, size = struct.unpack_from("<2I", data, 8 + 16 * 3)
        for place in range(offset, offset + size, 4):
            if chance.random() < 0.2:
                struct.pack_into("<f", data, place, chance.choice(numbers))
        path = WORK / "no_numbers.bsp"
        path.write_bytes(data)
        run("light", "--check", "--force", "--limit", "memory=48M", path)


def test_no_models():
    """A map whose models are gone has the light of its entities: it was black, by memory that was not its own."""
    nothing, path = WORK / "nothing.lump", WORK / "no_models.bsp"
    nothing.write_bytes(b"")
    run("lump", "replace", SAMPLES / "quake2/lobby.bsp", "MODELS", nothing, "--force", "-o", path)
    found = json.loads(run("light", "--check", "--json", "--force", path).stdout)
    assert found["mean"] > 100 and found["patches"] > 300, found


def test_leaves_that_share_faces():
    """More faces than 32 bits count, in leaves that share a list, are refused: memory was written beyond its end."""
    maps = ((SOURCE, 16, 32, 10, 16, "vrad"), (SAMPLES / "quake2/lobby.bsp", 8, 28, 8, 9, "ericw"))
    for source, entry, record, leaves, faces, rules in maps:
        data = bytearray(source.read_bytes())
        offset, size = struct.unpack_from("<2I", data, 8 + entry * leaves)
        records = [bytearray(data[at:at + record]) for at in range(offset, offset + size, record)]
        listed = next(r for r in records if struct.unpack_from("<h", r, 4)[0] >= 0 and any(r[22:24]))
        first = struct.unpack_from("<I", data, 8 + entry * faces)[0] + 2 * struct.unpack_from("<H", listed, 20)[0]
        face = struct.unpack_from("<H", data, first)[0] + (source == SOURCE)
        struct.pack_into("<2H", listed, 20, 0, 65535)
        for number, lump in ((leaves, b"".join(records) + listed * 65600), (faces, struct.pack("<H", face) * 65535)):
            data += bytes(-len(data) % 4)
            struct.pack_into("<2I", data, 8 + entry * number, len(data), len(lump))
            data += lump
        path = WORK / "leaves.bsp"
        path.write_bytes(data)
        found = run("light", "--check", "--force", "--as", rules, path, status=3).stderr
        assert "leaves list" in found, (source, found)


def test_outputs_of_one_name():
    """What is written does not take the place of the map that the same call wrote; and a place that cannot be is told
    of before the light is made."""
    out = WORK / "one.bsp"
    assert "the same file" in run("light", QUAKE, "-o", out, "--lit", out, status=2).stderr
    run("light", QUAKE, "-o", out)
    whole = out.read_bytes()
    link = WORK / "one.lit"
    link.symlink_to(out)
    assert "has written it" in run("light", QUAKE, "-o", out, "--lit", link, status=3).stderr
    assert out.read_bytes() == whole
    shutil.copy(QUAKE, WORK / "own.bsp")
    for words in ((WORK / "own.bsp", "-o", WORK / "own.bsp"), (QUAKE, "-o", WORK / "no/such.bsp")):
        told = run("light", *words, "--limit", "work=1", status=3).stderr
        assert "limit" not in told, told
    shutil.copy(QUAKE, WORK / "binary.map")
    assert "not a .map" in run("light", QUAKE, "--lights", WORK / "binary.map", "-o", out, status=3).stderr


TESTS = (test_compared, test_region, test_moved_in_region, test_shadows_of_props, test_models_shade,
         test_models_in_solid, test_glass, test_wait_of_q2tool, test_lobby_of_hlrad, test_softened, test_stated_compiler, test_occluded, test_props_of_parts,
         test_unlit_faces, test_cubes_in_leaves, test_both, test_places_of_parts,
         test_props, test_written, test_moved, test_entities_of_source, test_moved_in_source, test_light_file, test_preview, test_texlights,
         test_shaders, test_styles, test_extensions, test_directions, test_grid, test_deluxe, test_pages_beside,
         test_refused, test_unused_options, test_untextured, test_nothing_to_compare, test_brushes_beyond_the_end, test_no_numbers, test_no_models,
         test_leaves_that_share_faces, test_outputs_of_one_name)
for test in TESTS:
    test()
print(f"light: {len(TESTS)} tests")
