# SPDX-License-Identifier: MIT
"""The files that maps need, on game folders of made models, materials and scripts: what each names
was written down when it was made. What comes with the game is left out; gameinfo.txt is followed."""
import io
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import zipfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path(os.environ["SOURCE"], "samples")


def run(*arguments, status=None):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, check=False)
    assert status is None or done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def put(folder, name, data=b"x"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def assets(path, *arguments):
    return json.loads(run("assets", "--json", *arguments, path))["assets"]


def found(path, *arguments):
    return {a["name"] for a in assets(path, *arguments) if a["found"] not in (None, "pak")}


def missing(path, *arguments):
    return {a["name"] for a in assets(path, *arguments) if a["found"] is None}


def with_entities(sample, work, text):
    """The sample with more entities, under the name made.bsp."""
    old = run("entities", sample).decode("latin1")
    (work / "made.ent").write_text(old + text, encoding="latin1")
    run("entities", "--import", work / "made.ent", sample, "-o", work / "made.bsp")
    return work / "made.bsp"


# --- made models ----------------------------------------------------------------------------------

class Bytes:
    """Bytes with numbers that are put in by their place."""

    def __init__(self, size):
        self.data = bytearray(size)

    def number(self, at, value):
        self.data[at:at + 4] = struct.pack("<i", value)

    def end(self, data):
        at = len(self.data)
        self.data += data
        return at

    def text(self, text):
        return self.end(text.encode() + b"\0")


def source_model(textures, folders, includes=(), animations=None, version=48):
    b = Bytes(408)
    b.data[0:4] = b"IDST"
    b.number(4, version)
    records = b.end(bytes(64 * len(textures)))
    for i, name in enumerate(textures):
        b.number(records + 64 * i, b.text(name) - (records + 64 * i))
    b.number(204, len(textures))
    b.number(208, records)
    table = b.end(bytes(4 * len(folders)))
    for i, name in enumerate(folders):
        b.number(table + 4 * i, b.text(name))
    b.number(212, len(folders))
    b.number(216, table)
    models = b.end(bytes(8 * len(includes)))
    for i, name in enumerate(includes):
        b.number(models + 8 * i + 4, b.text(name) - (models + 8 * i))
    b.number(336, len(includes))
    b.number(340, models)
    if animations is not None:
        b.number(348, b.text(animations))
        b.number(352, 2)
    return bytes(b.data)


def strips(replaced):
    """Strips with one level of detail that replaces materials."""
    b = Bytes(36)
    b.number(0, 7)
    b.number(20, 1)
    level = b.end(bytes(8))
    b.number(24, level)
    records = b.end(bytes(6 * len(replaced)))
    for i, name in enumerate(replaced):
        b.number(records + 6 * i + 2, b.text(name) - (records + 6 * i))
    b.number(level, len(replaced))
    b.number(level + 4, records - level)
    b.number(32, len(b.data))  # no body parts, after all else
    return bytes(b.data)


def physics(gib):
    text = f'solid {{ "index" "0" }}\nbreak {{ "model" "{gib}" "health" "1" }}\n\0'
    return struct.pack("<4i", 16, 0, 1, 0) + struct.pack("<i", 5) + b"VPHY!" + text.encode()


def goldsrc_model(sound, textures, groups):
    b = Bytes(244)
    b.data[0:4] = b"IDST"
    b.number(4, 10)
    b.number(180, textures)
    b.number(204, 1)
    b.number(172, groups)
    b.number(176, b.end(bytes(104 * groups)))
    sequence = b.end(bytes(176))
    b.number(164, 1)
    b.number(168, sequence)
    b.number(sequence + 48, 1)
    b.number(sequence + 52, b.end(struct.pack("<3i", 1, 5004, 0) + sound.encode().ljust(64, b"\0")))
    return bytes(b.data)


def md2(skins):
    b = Bytes(68)
    b.data[0:4] = b"IDP2"
    b.number(4, 8)
    b.number(20, len(skins))
    b.number(44, b.end(b"".join(name.encode().ljust(64, b"\0") for name in skins)))
    return bytes(b.data)


def sp2(frames):
    return b"IDS2" + struct.pack("<2i", 2, len(frames)) + b"".join(
        struct.pack("<4i", 8, 8, 0, 0) + name.encode().ljust(64, b"\0") for name in frames)


def md3(surfaces):
    b = Bytes(108)
    b.data[0:4] = b"IDP3"
    b.number(4, 15)
    b.number(84, len(surfaces))
    b.number(100, 108)
    for shaders in surfaces:
        at = b.end(bytes(108))
        b.number(at + 76, len(shaders))
        b.number(at + 92, 108)
        for name in shaders:
            b.end(name.encode().ljust(64, b"\0") + bytes(4))
        b.number(at + 104, len(b.data) - at)
    return bytes(b.data)


def vmt(**keys):
    return "VertexLitGeneric {" + "".join(f'"${k}" "{v}"\n' for k, v in keys.items()) + "}"


# --- Source ---------------------------------------------------------------------------------------

def source_game(game):
    """Puts a game; returns the files of it that the sample lobby needs."""
    needed = {
        # The urn: all its parts, its materials by the first of its folders that has them, and that
        # of a level of detail; the model that it includes; the pieces that it breaks into.
        "models/lobby/urn.mdl": source_model(["urn", "rim"], ["models\\other\\", "models/lobby//"],
                                             ["models/lobby/urn_anims.mdl"], "models/lobby/urn.ani"),
        "models/lobby/urn.vvd": b"v", "models/lobby/urn.dx90.vtx": strips(["urn_far"]),
        "models/lobby/urn.dx80.vtx": b"v", "models/lobby/urn.sw.vtx": b"v",
        "models/lobby/urn.phy": physics("lobby/shard"), "models/lobby/urn.ani": b"a",
        "models/lobby/urn_anims.mdl": source_model([], []),
        "models/lobby/shard.mdl": source_model(["shard"], ["models/lobby"], version=52),
        "models/lobby/shard.vvd": b"v", "models/lobby/shard.dx90.vtx": strips([]),
        "materials/models/other/rim.vmt": vmt(basetexture="lobby/rim"),
        "materials/models/lobby/urn.vmt": vmt(basetexture="lobby\\urn", bumpmap="lobby/urn_n",
                                              envmap="env_cubemap"),
        "materials/models/lobby/urn_far.vmt":
            'patch { include "materials/models/lobby/urn.vmt" insert { "$detail" "lobby/far" } }',
        "materials/models/lobby/shard.vmt":
            'VertexLitGeneric { Proxies { Camo { "camopatterntexture" "lobby/camo" } } }',
        "materials/lobby/rim.vtf": b"t", "materials/lobby/urn.vtf": b"t",
        "materials/lobby/urn_n.vtf": b"t", "materials/lobby/far.vtf": b"t",
        "materials/lobby/camo.vtf": b"t", "materials/lobby/urn.hdr.vtf": b"t",
        # The sky's sides for HDR; the others are in the map.
        **{f"materials/skybox/lobby_hdr{side}.vmt": vmt(basetexture="skybox/lobby_hdr")
           for side in ("rt", "bk", "lf", "ft", "up", "dn")},
        "materials/skybox/lobby_hdr.vtf": b"t",
        # Files of the map's name.
        "maps/made.nav": b"n", "maps/made.kv": b"k", "maps/made.txt": b"t",
        "maps/made_level_sounds.txt":
            '"made.wind" { "channel" "CHAN_STATIC" "rndwave" { "wave" ")made/wind1.wav" } }',
        "sound/made/wind1.wav": b"w",
        "scripts/soundscapes_made.txt": '"made.hall" { playlooping { "wave" "made/hall.wav" } }',
        "sound/made/hall.wav": b"w",
        "maps/made_particles.txt": 'particles_manifest { "file" "!particles/made.pcf" }',
        "particles/made.pcf": b"<!-- dmx -->\n\0effect_made\0materials/made/spark.vmt\0",
        "materials/made/spark.vmt": vmt(basetexture="made/spark"), "materials/made/spark.vtf": b"t",
        "resource/overviews/made.txt": '"made" { "material" "overviews/made" "pos_x" "1" }',
        "materials/overviews/made.vmt": vmt(basetexture="overviews/made_view"),
        "materials/overviews/made_view.vtf": b"t",
        # What entities name: a sound of a script, a soundscape that calls another, an effect.
        "scripts/game_sounds_manifest.txt": 'm { "precache_file" "scripts/game_sounds_a.txt" '
                                            '"precache_file" "scripts/game_sounds_b.txt" }',
        "scripts/game_sounds_a.txt": '"Lobby.Bell" { "wave" "bell.wav" } "Lobby.No" { "wave" "no.wav" }',
        "sound/bell.wav": b"w",
        "scripts/soundscapes_manifest.txt": 'm { "file" "scripts/soundscapes.txt" }',
        "scripts/soundscapes.txt": '"hall" { playsoundscape { "name" "hall.inner" } } '
                                   '"hall.inner" { playrandom { rndwave { wave "drip.wav" } } }',
        "sound/drip.wav": b"w",
        "particles/particles_manifest.txt": 'm { "file" "particles/fire.pcf" "file" "particles/no.pcf" }',
        "particles/fire.pcf": b"<!-- dmx -->\n\0fire_small\0fire.vmt\0",
        "materials/fire.vmt": vmt(basetexture="fire"), "materials/fire.vtf": b"t",
        "materials/correction/dusk.raw": b"c", "scripts/vscripts/door.nut": b"n",
        "scenes/hello.vcd": b"s",
    }
    for name, data in needed.items():
        put(game, name, data)
    for name, data in {"sound/no.wav": b"w", "particles/no.pcf": b"\0smoke\0",
                       "scripts/game_sounds_b.txt": '"Other" { "wave" "no.wav" }',
                       "models/other/no.mdl": b"m", "materials/models/lobby/rim.vmt": b"{}",
                       "maps/made2.nav": b"n", "maps/other.nav": b"n"}.items():
        put(game, name, data)
    return set(needed)


ENTITIES = """{
"classname" "ambient_generic"
"message" "lobby.bell"
}
{
"classname" "env_soundscape"
"soundscape" "hall"
}
{
"classname" "info_particle_system"
"effect_name" "fire_small"
}
{
"classname" "color_correction"
"filename" "materials/correction/dusk.raw"
}
{
"classname" "logic_script"
"vscripts" "door"
}
{
"classname" "logic_choreographed_scene"
"SceneFile" "scenes/hello.vcd"
}
"""


def check_source(work):
    game = work / "game"
    needed = source_game(game)
    path = with_entities(SAMPLES / "source/lobby.bsp", work, ENTITIES)
    ours = found(path, "-g", game)
    assert ours == needed, (sorted(ours - needed), sorted(needed - ours))
    # Without the parts the model is not whole; what it can do without is not missing.
    assert "models/lobby/urn_anims.vvd" in missing(path, "-g", game)
    assert not [n for n in missing(path, "-g", game) if n.endswith((".phy", ".sw.vtx", ".dx80.vtx"))]
    # The pack, read by python.
    run("assets", "--pack", "-g", game, path, "-o", work / "packed.bsp", status=1)
    before = names_in(path)
    assert names_in(work / "packed.bsp") - before == needed
    with zipfile.ZipFile(io.BytesIO(pak_of(work / "packed.bsp"))) as archive:
        assert archive.testzip() is None
        for name in needed:
            assert archive.read(name) == (game / name).read_bytes(), name
    # What comes with the game is listed as such, not packed, not in lists for servers.
    base = work / "base"
    shipped = {"models/lobby/urn.mdl", "sound/bell.wav", "materials/fire.vtf"}
    for name in shipped | {"materials/skybox/lobbyrt.vmt"}:
        put(base, name, b"other bytes")
    with zipfile.ZipFile(work / "base.zip", "w") as archive:
        archive.writestr("sound/drip.wav", b"d")
    bases = ["--base", base, "--base", work / "base.zip"]
    listed = assets(path, "-g", game, *bases)
    marked = {a["name"] for a in listed if a["base"]}
    assert marked == shipped | {"materials/skybox/lobbyrt.vmt", "sound/drip.wav"}, marked
    run("assets", "--pack", "-g", game, *bases, path, "-o", work / "less.bsp", status=1)
    assert names_in(work / "less.bsp") - before == needed - marked
    res = set(run("assets", "--res", "-", "-g", game, *bases, path, status=1).decode().split("\n"))
    assert needed - marked <= res and not marked & res
    # Of the base alone the same files are found, and nothing is packed.
    assert found(path, "--base", game) == needed
    run("assets", "--pack", "--base", game, path, "-o", work / "none.bsp", status=1)
    assert names_in(work / "none.bsp") == before


def pak_of(path):
    return run("lump", "extract", path, "pakfile", status=0)


def names_in(path):
    with zipfile.ZipFile(io.BytesIO(pak_of(path))) as archive:
        return set(archive.namelist())


# --- gameinfo.txt ---------------------------------------------------------------------------------

def check_gameinfo(work):
    path = SAMPLES / "source/lobby.bsp"
    root = work / "install"
    put(root / "mod", "gameinfo.txt", """"GameInfo" { game "Made" FileSystem { SearchPaths {
        game+mod   |gameinfo_path|custom/*
        game_write |gameinfo_path|written
        mod        |gameinfo_path|.
        game       |all_source_engine_paths|base/textures.vpk
        GAME       base
        game       ../outside
        game       /etc
        game       not_there
    } } }""")
    put(root / "mod", "models/lobby/urn.mdl", source_model([], [], version=47))
    put(root / "mod/custom/pack", "models/lobby/urn.vvd")
    put(root / "mod/written", "models/lobby/urn.sw.vtx")
    put(root / "base", "models/lobby/urn.mdl")
    put(root / "base", "models/lobby/urn.dx90.vtx")
    put(root / "outside", "models/lobby/urn.phy")
    put(work / "outside", "models/lobby/urn.phy")
    put(root / "base", "textures_dir.vpk", vpk("models/lobby", "urn.dx80", "vtx"))
    here = {name: f"{root}/{where}" for name, where in {
        "models/lobby/urn.mdl": "mod", "models/lobby/urn.vvd": "mod/custom/pack",
        "models/lobby/urn.dx90.vtx": "base", "models/lobby/urn.dx80.vtx": "base/textures_dir.vpk"}.items()}
    for game in (root / "mod", f"{root}/mod/"):
        got = {a["name"]: a["found"].replace("//", "/").removesuffix("/") for a in assets(path, "-g", game)
               if a["found"] not in (None, "pak")}
        assert got == here, got
    done = subprocess.run([BSPKIT, "assets", "--json", "-g", ".", path.resolve()], cwd=root / "mod",
                          capture_output=True, check=False)
    got = {a["name"] for a in json.loads(done.stdout)["assets"] if a["found"] not in (None, "pak")}
    assert got == set(here), got


def vpk(folder, name, ending):
    tree = f"{ending}\0{folder}\0{name}\0".encode() + struct.pack("<IHHIIH", 0, 1, 0x7FFF, 0, 0, 0xFFFF)
    tree += b"x\0\0\0"
    return struct.pack("<3I", 0x55AA1234, 1, len(tree)) + tree


# --- the other families ---------------------------------------------------------------------------

def check_goldsrc(work):
    needed = {
        "models/ape.mdl": goldsrc_model("ape/step.wav", 0, 3), "models/apeT.mdl": b"IDST",
        "models/ape01.mdl": b"IDSQ", "models/ape02.mdl": b"IDSQ", "sound/ape/step.wav": b"w",
        "sprites/glow.spr": b"IDSP", "sound/bell.wav": b"w",
        "maps/made.res": "// list\nsprites/extra.spr\nsound/extra.wav // a sound\n",
        "sprites/extra.spr": b"IDSP", "sound/extra.wav": b"w", "maps/made.nav": b"n",
        "maps/made_detail.txt": "// textures\nBRICK1 detail/plaster 10.0 10.0\n{X detail/wood 4 4\n",
        "gfx/detail/plaster.tga": b"t", "gfx/detail/wood.tga": b"t",
        "overviews/made.txt": 'global { ZOOM 1 }\nlayer\n{\n IMAGE "overviews/made.bmp"\n}\n',
        "overviews/made.bmp": b"b", "lobby.wad": b"WAD3" + struct.pack("<2i", 0, 12),
        **{f"gfx/env/lobby{side}.tga": b"t" for side in ("rt", "bk", "lf", "ft", "up", "dn")},
    }
    extra = """{ "classname" "monster_generic" "model" "models/ape.mdl" }
{ "classname" "env_sprite" "model" "sprites/glow.spr" }
{ "classname" "ambient_generic" "message" "bell.wav" }
"""
    path = check_family(work, "goldsrc", needed, extra)
    stock = work / "valve"
    put(stock, "sprites/glow.spr", b"IDSP")
    put(stock, "lobby.wad", needed["lobby.wad"])
    lines = run("assets", "--res", "-", "-g", work / "goldsrc", "-b", stock, path).decode().splitlines()
    assert set(lines) == set(needed) - {"sprites/glow.spr", "lobby.wad"}, lines
    # An archive of the map and its files; textures stay in their WAD.
    run("assets", "--pack", "-g", work / "goldsrc", "-b", stock, path, "-o", work / "made.zip", status=1)
    with zipfile.ZipFile(work / "made.zip") as archive:
        assert archive.testzip() is None
        got = {name: archive.read(name) for name in archive.namelist()}
    assert got.pop("maps/made.bsp") == path.read_bytes()
    assert got == {name: (work / "goldsrc" / name).read_bytes() for name in lines}


def check_quake2(work):
    needed = {
        "models/ape/tris.md2": md2(["models/ape/skin.pcx", "models/ape/pain.pcx"]),
        "models/ape/skin.pcx": b"p", "models/ape/pain.tga": b"t",
        "sprites/s.sp2": sp2(["sprites/s_0.pcx"]), "sprites/s_0.pcx": b"p", "sound/bell.wav": b"w",
        "maps/made.ent": b"e", "music/track07.ogg": b"o", "env/lobbyrt.pcx": b"p",
        "textures/lobby/brick1.tga": b"t",
    }
    extra = """{ "classname" "misc_model" "model" "models/ape/tris.md2" "sprite" "sprites/s.sp2" }
{ "classname" "target_speaker" "noise" "bell.wav" "sounds" "7" }
"""
    check_family(work, "quake2", needed, extra)


def check_quake3(work):
    needed = {
        "models/ape.md3": md3([["models/ape/fur"], ["C:\\work\\baseq3\\models\\ape\\eye.tga", ""]]),
        "models/ape_1.md3": md3([["models/ape/far"]]), "models/ape/eye.jpg": b"j",
        "models/ape_default.skin": "h_head,models/ape/skin\ntag_head,\n", "models/ape/skin.tga": b"t",
        "models/ape/fur1.tga": b"t", "models/ape/fur2.tga": b"t", "models/ape/far.png": b"p",
        "scripts/ape.shader": "models/ape/fur\n{\n{\nmap models/ape/fur1.tga\n}\n"
                              "{\nanimMap 2 models/ape/fur1.tga models/ape/fur2.tga\n}\n}\n",
        "levelshots/made.jpg": b"j", "maps/made.aas": b"a", "sound/bell.wav": b"w",
        "scripts/pack.arena": '{\nmap "made"\nbots "ape"\n}\n', "music/fanfare.ogg": b"o",
    }
    extra = """{ "classname" "misc_gamemodel" "model" "models/ape.md3" }
{ "classname" "target_speaker" "noise" "sound/bell" "music" "music/fanfare.wav" }
"""
    put(work / "quake3", "scripts/other.arena", '{\nmap "made2"\n}\n')
    put(work / "quake3", "scripts/other.shader", "models/cat\n{\n}\n")
    check_family(work, "quake3", needed, extra)


def check_quake(work):
    needed = {
        "progs/ape.mdl": b"IDPO" + bytes(80), "progs/ape.mdl_0.tga": b"t", "sound/bell.wav": b"w",
        "maps/made.lit": b"l", "maps/made.vis": b"v", "maps/made.ent": b"e", "music/track04.ogg": b"o",
        "gfx/env/cloud_rt.tga": b"t", "gfx/env/cloudlf.tga": b"t", "progs/s.spr": b"IDSP",
    }
    extra = """{ "classname" "misc_model" "model" "progs/ape.mdl" "noise" "bell.wav" }
{ "classname" "misc" "model" "progs/s.spr" "sky" "cloud" "sounds" "4" }
"""
    check_family(work, "quake", needed, extra)


def check_family(work, family, needed, extra):
    game = work / family
    for name, data in needed.items():
        put(game, name, data)
    for name in ("maps/made2.ent", "sound/no.wav", "models/no.mdl", "levelshots/made2.jpg"):
        put(game, name)
    path = with_entities(SAMPLES / family / "lobby.bsp", work, extra)
    ours = found(path, "-g", game)
    assert ours == set(needed), (family, sorted(ours - set(needed)), sorted(set(needed) - ours))
    return path


# Counts and offsets that lead out of the file, round in a circle, or to all of it.
def check_hostile(work):
    game = work / "hostile"
    path = SAMPLES / "source/lobby.bsp"
    good = source_model(["urn"] * 3, ["models"], ["models/lobby/urn.mdl"], "urn.ani")
    put(game, "models/lobby/urn.dx90.vtx", strips(["a", "b"]))
    for at in (204, 208, 212, 216, 336, 340, 348, 352):
        for value in (-1, 0x7FFFFFFF, -0x80000000, 1, len(good) - 1, 0):
            data = bytearray(good)
            data[at:at + 4] = struct.pack("<i", value)
            put(game, "models/lobby/urn.mdl", bytes(data))
            assert run("assets", "-g", game, path, status=1)
    for cut in range(0, len(good), 7):
        put(game, "models/lobby/urn.mdl", good[:cut])
        assert run("assets", "-g", game, path, status=1)


with tempfile.TemporaryDirectory() as folder:
    for check in (check_source, check_gameinfo, check_goldsrc, check_quake2, check_quake3,
                  check_quake, check_hostile):
        below = pathlib.Path(folder, check.__name__)
        below.mkdir()
        check(below)
