# SPDX-License-Identifier: MIT
"""What real maps need of game folders with models: lists made by hand, from what the maps' props and
entities name and what stands in the models and materials. Packed, they are read by python."""
import io
import json
import os
import pathlib
import subprocess
import tempfile
import zipfile

BSPKIT = os.environ["BSPKIT"]
SHARED = pathlib.Path(os.environ["SOURCE"], "../shared")

RICOCHET = """materials/models/arrow .vmt
materials/models/deflector .vmt .vtf
materials/models/deflector2 .vmt
materials/models/exhaust .vmt .vtf
materials/models/pipes .vmt .vtf
materials/models/platform_a .vmt
materials/models/platformb .vmt
materials/models/platformb_blue .vmt
materials/models/platformb_red .vmt
materials/models/props_ricochet/skybox/atmosphere .vmt
materials/models/pyramid .vmt .vtf
models/arrow .dx90.vtx .mdl .phy .vvd
models/platform .dx90.vtx .mdl .phy .vvd
models/platform_exhaust .dx90.vtx .mdl .vvd
models/props_ricochet/deflector .dx90.vtx .mdl .phy .vvd
models/props_ricochet/pyramid .dx80.vtx .dx90.vtx .mdl .phy .sw.vtx .vvd
models/props_ricochet/skybox/atmosphere .dx90.vtx .mdl .vvd
models/props_ricochet/skybox/atmosphere_b .dx90.vtx .mdl .vvd"""

B4P = "\n".join(f"models/player/b4p/b4p_{who}/b4p_{who} .dx90.vtx .mdl .phy .vvd"
                for who in ("jawa", "rodian", "vader", "yoda"))

PORTAL = """materials/models/props/metal_box .vmt
materials/models/props/metal_box_skin001 .vmt
materials/models/props/metal_box_skin002 .vmt
models/props/metal_box .dx80.vtx .dx90.vtx .mdl .phy .sw.vtx .vvd"""

TURTLE = """models/mapobjects/car/car .md3
models/mapobjects/car/cube1_auv .tga
models/mapobjects/traffic_cone/traffic_cone .jpg .md3 .solid.md3
models/mapobjects/vent/vent .md3 .png"""

MISSION = """models/objects/blackhole/ring .tga
models/objects/blackhole/ring_big .md2
models/objects/blackhole/ring_medium .md2
models/objects/blackhole/ring_small .md2
models/ships/bigstrogg1/tris .md2
sprites/flare .sp2 .tga"""

MAPS = [  # map, game, files; True: they can be packed into the map
    ("models/maps/ricochet__maps__rc_compact.bsp", "ricochet", RICOCHET, True),
    ("models/maps/cs-source__maps__dance_night_knife4.bsp", "cs-source-b4p", B4P, True),
    ("corpus/named/pcollab_26.bsp", "portalcollab", PORTAL, True),
    ("models/maps/turtle-arena__maps__test_city.bsp", "turtle-arena", TURTLE, False),
    ("corpus/quake2/q2_38/mission64__maps__u2m2.bsp", "mission64", MISSION, False),
]


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode in (0, 1), (arguments, done.returncode, done.stderr)
    return done.stdout


def expand(text):
    return {line.split()[0] + ending for line in text.splitlines() for ending in line.split()[1:]}


def pak_of(path):
    with zipfile.ZipFile(io.BytesIO(run("lump", "extract", path, "pakfile"))) as archive:
        assert archive.testzip() is None, path
        return {name.lower(): archive.read(name) for name in archive.namelist()}


def check(path, game, files, packs, work):
    on_disk = {str(p.relative_to(game)).lower(): p for p in game.rglob("*") if p.is_file()}
    assert files <= set(on_disk), files - set(on_disk)
    listed = json.loads(run("assets", "--json", "-g", game, path))["assets"]
    found = {a["name"].lower() for a in listed if a["found"] not in (None, "pak")}
    assert found == files, (path, sorted(found - files), sorted(files - found))
    out = work / ("map.bsp" if packs else "map.pk3")
    run("assets", "--pack", "-g", game, path, "-o", out)
    if packs:
        before, after = pak_of(path), pak_of(out)
        assert {name: after.pop(name) for name in before} == before
        again = json.loads(run("assets", "--json", out))
        assert not {a["name"].lower() for a in again["assets"] if a["found"] is None} & files
        assert not set(again["unused"]) & set(after), again["unused"]
    else:
        with zipfile.ZipFile(out) as archive:
            assert archive.testzip() is None, path
            after = {name.lower(): archive.read(name) for name in archive.namelist()}
        assert after.pop(f"maps/{path.stem.lower()}.bsp") == path.read_bytes()
    assert after == {name: on_disk[name].read_bytes() for name in files}, path
    # All of it comes with the game: nothing is left to pack.
    run("assets", "--pack", "-g", game, "--base", game, path, "-o", out)
    if packs:
        assert pak_of(out) == pak_of(path)


with tempfile.TemporaryDirectory() as folder:
    tried = 0
    for name, game, files, packs in MAPS:
        where = SHARED / "models/games" / game
        if (SHARED / name).exists() and where.exists():
            check(SHARED / name, where, expand(files), packs, pathlib.Path(folder))
            tried += 1
        else:
            print("SKIP:", name, "is not there")
    print(f"{tried} of {len(MAPS)} maps")
