# SPDX-License-Identifier: MIT
"""Portals, visibility, light and cubemaps against what the command says and writes."""
import os
import signal
import struct
import threading
import time

import numpy as np
import pytest

import bspkit
from conftest import ROOT, SHARED, command, command_json

FAMILIES = ["quake", "goldsrc", "quake2", "quake3", "source"]


@pytest.mark.parametrize("family", FAMILIES)
def test_portals(family):
    path = ROOT / "samples" / family / "lobby.bsp"
    found = bspkit.open(path).map.find_portals()
    told = command_json("portals", "--json", path)[0]
    assert len(found.list) == found.count == told["portals"] > 20
    assert found.num_clusters == told["clusters"] and len(found.points) == told["points"]
    for number, portal in enumerate(found.list):
        corners = found.polygon(number)
        assert corners.shape == (portal["num_points"], 3)
        assert np.abs(corners @ portal["normal"] - portal["dist"]).max() < 0.1
        assert (found.leaf_clusters[portal["leaves"]] == portal["clusters"]).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_visibility(family):
    portals = bspkit.open(ROOT / "samples" / family / "lobby.bsp").map.find_portals()
    seen = portals.visibility()
    assert (seen.matrix == seen.matrix.T).all() and seen.matrix.diagonal().all()
    assert seen.matrix.sum() == seen.pairs <= seen.base_pairs
    base = portals.visibility(base=True)
    assert base.pairs == seen.base_pairs and not (seen.matrix & ~base.matrix).any()
    near = portals.visibility(distance=1.0)
    assert near.pairs < seen.pairs and not (near.matrix & ~seen.matrix).any()


def test_written(tmp_path):
    """The command writes the same rows; in Source clusters keep their numbers."""
    path = ROOT / "samples/source/lobby.bsp"
    command("vis", path, "-o", tmp_path / "new.bsp")
    matrix = bspkit.open(path).map.find_portals().visibility().matrix
    assert (bspkit.open(tmp_path / "new.bsp").map.visible_matrix() == matrix).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_visibility_in_file(family, tmp_path):
    """The bytes of the command."""
    path = ROOT / "samples" / family / "lobby.bsp"
    command("vis", path, "-o", tmp_path / "command.bsp")
    file = bspkit.open(path)
    with file.edit(to=tmp_path / "edit.bsp") as edit:
        edit.visibility = file.map.find_portals().visibility()
    assert (tmp_path / "edit.bsp").read_bytes() == (tmp_path / "command.bsp").read_bytes()


def test_own_visibility(tmp_path):
    """A matrix goes into the file, and comes back; each cluster sees itself."""
    path = ROOT / "samples/source/lobby.bsp"
    file = bspkit.open(path)
    portals = file.map.find_portals()
    matrix = portals.visibility().matrix
    matrix[3, 5] = matrix[5, 3] = not matrix[3, 5]
    matrix[2, 2] = False
    own = portals.visibility_of(matrix)
    matrix[2, 2] = True
    assert own.pairs == matrix.sum() and (own.matrix == matrix).all()
    with file.edit(to=tmp_path / "own.bsp") as edit:
        edit.visibility = own
    assert (bspkit.open(tmp_path / "own.bsp").map.visible_matrix() == matrix).all()
    with pytest.raises(ValueError):
        portals.visibility_of(matrix[1:])
    with pytest.raises(ValueError), bspkit.open(path).edit(to=tmp_path / "no.bsp") as edit:
        edit.visibility = own
    with pytest.raises(ValueError), file.edit(to=tmp_path / "no.bsp") as edit:
        edit.visibility = own
        edit.lumps["VISIBILITY"] = b""
    assert not (tmp_path / "no.bsp").exists()


def test_cubemaps(tmp_path):
    """The files that the command writes; what is drawn is a picture."""
    path = ROOT / "samples/source/lobby.bsp"
    command("cubemaps", path, "--size", "16", "-o", tmp_path / "command.bsp")
    file = bspkit.open(path)
    files = file.map.draw_cubemaps(side=16)
    with file.edit(to=tmp_path / "edit.bsp") as edit:
        edit.pak.update(files)
    assert (tmp_path / "edit.bsp").read_bytes() == (tmp_path / "command.bsp").read_bytes()
    assert any(name.endswith("/c128_112_80.vtf") for name in files)
    assert all("default" in name for name in file.map.draw_cubemaps(absent=True))
    with pytest.raises(bspkit.FormatError):
        bspkit.open(ROOT / "samples/quake/lobby.bsp").map.draw_cubemaps()


@pytest.mark.parametrize("family", FAMILIES)
def test_light_in_file(family, tmp_path):
    """The bytes of the command; the counts of its --check."""
    path = ROOT / "samples" / family / "lobby.bsp"
    command("light", path, "--direct", "--force", "-o", tmp_path / "command.bsp")
    file = bspkit.open(path)
    light = file.map.relight(direct=True, force=True)
    with file.edit(to=tmp_path / "edit.bsp") as edit:
        edit.light = light
    assert (tmp_path / "edit.bsp").read_bytes() == (tmp_path / "command.bsp").read_bytes()
    told = command_json("light", "--check", "--json", "--direct", "--force", path)[0]
    steps, stored, mean = light.compare()
    assert steps.tolist() == told["histogram"] and steps.sum() == told["compared"] > 100
    assert 0 < mean < 255 and 0 < stored < 255
    assert len(light.faces) == len(file.map.faces)


def test_luxels():
    """A lamp that is given lights the faces before it, in its colour."""
    map_ = bspkit.open(ROOT / "samples/quake2/lobby.bsp").map
    world = '{ "classname" "worldspawn" }\n'
    lamp = '{ "classname" "light" "origin" "128 192 96" "_color" "1 0 0" "light" "400" }'
    dark, light = (map_.relight(lights=text, direct=True, force=True) for text in (world, world + lamp))
    assert light.num_lamps == dark.num_lamps + 1
    more = []
    for number in range(len(light.faces)):
        after, before = light.luxels(number), dark.luxels(number)
        if after is not None and after.shape == before.shape and after.size:
            more.append(after - before)
            assert after.shape[1] == 1 and after.shape[4] == 3
    red = [luxels for luxels in more if luxels[..., 0].max() > 50]
    assert len(more) > 20 and red and all(luxels[..., 1:].max() <= 0 for luxels in red)
    with pytest.raises(IndexError):
        light.luxels(len(light.faces))
    with pytest.raises(bspkit.Error, match="vrad"):
        map_.relight(compiler=bspkit.LightCompiler.VRAD)


def test_light_of_textures():
    """What a texture of GoldSrc gave (samples/goldsrc/lobby.rad) is estimated out of the light, unless one says what."""
    map_ = bspkit.open(ROOT / "samples/goldsrc/lobby_embed.bsp").map
    found, told, none = map_.relight(), map_.relight(texlights="+0lamp 255 240 208 4000"), map_.relight(texlights_all=True)
    name, *light = found.texlights.split()
    assert (name, *map(int, light[:3])) == ("+0lamp", 255, 240, 208) and 3700 < int(light[3]) < 4300
    assert told.texlights == none.texlights == ""
    assert told.num_emitters == found.num_emitters > none.num_emitters == 0


def test_light_of_another_file(tmp_path):
    other = bspkit.open(ROOT / "samples/quake/lobby.bsp").map.relight(direct=True)
    with pytest.raises(ValueError, match="another file"):
        with bspkit.open(ROOT / "samples/quake2/lobby.bsp").edit(to=tmp_path / "new.bsp") as edit:
            edit.light = other
    assert not (tmp_path / "new.bsp").exists()


def test_what_the_command_writes(tmp_path):
    """With bounces, which take their colour from textures in the map; colours in a .lit."""
    for family, options in [("quake", ["--lit", tmp_path / "lobby.lit"]), ("quake3", ["--force"]), ("source", [])]:
        path = ROOT / "samples" / family / "lobby.bsp"
        command("light", path, *options, "-o", tmp_path / "command.bsp")
        file = bspkit.open(path)
        light = file.map.relight(force=True)
        with file.edit(to=tmp_path / "edit.bsp") as edit:
            edit.light = light
        assert (tmp_path / "edit.bsp").read_bytes() == (tmp_path / "command.bsp").read_bytes()
        assert light.light_file() == ((tmp_path / "lobby.lit").read_bytes() if family == "quake" else b"")


def test_both_lights(tmp_path):
    """LDR and HDR at once, as the command makes them."""
    path = SHARED / "source/v20/bsp_tool__tests__maps__Team_Fortress_2__mp_lobby.bsp"
    if not path.exists():
        pytest.skip("no map with light of both kinds")
    command("light", path, "--force", "-o", tmp_path / "command.bsp")
    file = bspkit.open(path)
    with file.edit(to=tmp_path / "edit.bsp") as edit:
        edit.light = [file.map.relight(force=True), file.map.relight(force=True, hdr=True)]
    assert (tmp_path / "edit.bsp").read_bytes() == (tmp_path / "command.bsp").read_bytes()


def test_props(tmp_path):
    """Light of props goes into the zip, as the command puts it there."""
    path = ROOT / "samples/source/lobby.bsp"
    command("light", path, "--direct", "-g", path.parent, "-o", tmp_path / "command.bsp")
    file = bspkit.open(path)
    light = file.map.relight(direct=True, textures=file.map.textures([path.parent]))
    assert light.prop_files.keys() == {"sp_0.vhv", "sp_1.vhv"}
    with file.edit(to=tmp_path / "edit.bsp") as edit:
        edit.light = light
    assert (tmp_path / "edit.bsp").read_bytes() == (tmp_path / "command.bsp").read_bytes()


def test_pages(tmp_path):
    """Pages in files beside a map of Quake 3, which are white before."""
    data = bytearray((ROOT / "samples/quake3/lobby.bsp").read_bytes())
    size = struct.unpack_from("<i", data, 12 + 8 * 14)[0]  # LIGHTMAPS
    struct.pack_into("<i", data, 12 + 8 * 14, 0)
    (tmp_path / "room.bsp").write_bytes(data)
    (tmp_path / "room").mkdir()
    for number in range(size // 49152):
        head = struct.pack("<BBB5xHHHHBB", 0, 0, 2, 0, 0, 128, 128, 24, 0)
        (tmp_path / f"room/lm_{number:04}.tga").write_bytes(head + b"\xff" * 49152)
    command("light", tmp_path / "room.bsp", "--force", "--pages", tmp_path / "new", "-o", tmp_path / "new.bsp")
    map_ = bspkit.open(tmp_path / "room.bsp").map
    light = map_.relight(textures=map_.textures([tmp_path / "room"]), force=True)
    pages = {page.name: page.read_bytes() for page in (tmp_path / "new").rglob("*.tga")}
    assert len(pages) == size // 49152
    assert {name.rpartition("/")[2]: page for name, page in light.page_files.items()} == pages


@pytest.mark.parametrize("family", FAMILIES)
def test_portal_file(family, tmp_path):
    path = ROOT / "samples" / family / "lobby.bsp"
    portals = bspkit.open(path).map.find_portals()
    command("portals", path, "-o", tmp_path / "lobby.prt")
    assert portals.text() == (tmp_path / "lobby.prt").read_text()
    assert portals.text(bspkit.PortalsForm.OBJ).count("\nf ") == portals.count


def calls(family):
    """The calls that take a while, by name."""
    map_ = bspkit.open(ROOT / "samples" / family / "lobby.bsp").map
    portals = map_.find_portals()
    return {"vis": portals.visibility, "light": map_.relight,
            "cubemaps": lambda **of: map_.draw_cubemaps(side=16, **of)}


@pytest.mark.parametrize("name", ["vis", "light", "cubemaps"])
def test_progress(name):
    """Reports come; False ends the call, and so does an exception, which is raised."""
    call = calls("source")[name]
    told = []
    call(progress=lambda *what: told.append(what))
    assert told and all(done <= total for _, done, total in told)
    for no in (False, np.bool_(False)):
        with pytest.raises(bspkit.Error) as failure:
            call(progress=lambda *what: no)
        assert failure.value.code == bspkit.Code.E_CANCELLED

    def broken(stage, done, total):
        raise KeyError(stage)

    with pytest.raises(KeyError):
        call(progress=broken)


@pytest.mark.parametrize("name", ["vis", "light", "cubemaps"])
def test_budget(name):
    call = calls("source")[name]
    budget = bspkit.Budget(threads=1)
    call(budget=budget)
    assert budget.used["work"] > 0
    with pytest.raises(bspkit.LimitError):
        call(budget=bspkit.Budget(work=10))
    budget.stop()
    with pytest.raises(bspkit.Error) as failure:
        call(budget=budget)
    assert failure.value.code == bspkit.Code.E_CANCELLED


def test_budget_of_the_file():
    """That of open() counts for what is made of it."""
    budget = bspkit.Budget()
    portals = bspkit.open(ROOT / "samples/quake/lobby.bsp", budget=budget).map.find_portals()
    before = budget.used["work"]
    portals.visibility()
    assert budget.used["work"] > before


def test_interrupted():
    """Ctrl-C ends a call that reports nothing to the caller, before its work is done."""
    map_ = bspkit.open(ROOT / "samples/quake/lobby.bsp").map
    whole = bspkit.Budget()
    map_.relight(extra=8, budget=whole)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores it
    try:
        for delay in range(1, 30):  # in milliseconds: it may come before the work, or after it
            budget = bspkit.Budget()
            with pytest.raises(KeyboardInterrupt):
                threading.Timer(delay / 1000, os.kill, (os.getpid(), signal.SIGINT)).start()
                map_.relight(extra=8, budget=budget)
                time.sleep(1)
            if 0 < budget.used["work"] < whole.used["work"]:
                break
    finally:
        signal.signal(signal.SIGINT, before)
    assert 0 < budget.used["work"] < whole.used["work"]


def test_region():
    """Faces far from a box keep their light, in any order of its corners; a box of another shape is none."""
    map_ = bspkit.open(ROOT / "samples/quake/lobby.bsp").map
    lamp = '{ "classname" "light" "origin" "0 0 32" "light" "3000" }'
    given = dict(lights=lamp, direct=True, force=True)
    whole, part = map_.relight(**given), map_.relight(region=[[8, 8, 40], [-8, -8, 24]], **given)
    stored = map_.relight(region=[[9000, 9000, 9000], [9001, 9001, 9001]], **given)
    assert stored.compare()[0][1:].sum() == 0
    assert whole.compare()[0][1:].sum() > part.compare()[0][1:].sum() > 0
    turned = np.array([[-8, 8], [-8, 8], [24, 40]]).T  # in the order of Fortran
    assert (map_.relight(region=turned, **given).compare()[0] == part.compare()[0]).all()
    for wrong in ([0, 0, 0, 8, 8, 8], [[0, 0], [8, 8]]):
        with pytest.raises(ValueError, match="two corners"):
            map_.relight(region=wrong)
    with pytest.raises(ValueError, match="nan"):
        map_.relight(region=[[0, 0, np.nan], [8, 8, 8]])


def test_arguments():
    """What is misspelt or out of range is said in words of Python."""
    map_ = bspkit.open(ROOT / "samples/quake/lobby.bsp").map
    portals = map_.find_portals()
    other = bspkit.open(ROOT / "samples/source/lobby.bsp").map.textures()
    with pytest.raises(ValueError, match="another map"):
        map_.relight(textures=other)
    with pytest.raises(ValueError, match="form 6"):
        portals.text(len(bspkit.PortalsForm))
    with pytest.raises(ValueError, match="kinds 4"):
        bspkit.open(ROOT / "samples/source/lobby.bsp").map.draw_cubemaps(kinds=4)
    with pytest.raises(TypeError, match="distanc"):
        portals.visibility(distanc=8.0)
    for wrong in (dict(extra=9), dict(soft=256), dict(dirt=3), dict(compiler=9), dict(grid=0.5)):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            map_.relight(**wrong)
    for distance in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="distance"):
            portals.visibility(distance=distance)


def test_unheeded(tmp_path):
    file = bspkit.open(ROOT / "samples/quake3/lobby.bsp")
    for value, names in (("1", []), ("2", ["_rs"])):
        with file.edit(to=tmp_path / f"{value}.bsp") as edit:
            edit.set("classname=worldspawn", _rs=value)
        light = bspkit.open(tmp_path / f"{value}.bsp").map.relight(direct=True, force=True)
        assert light.unheeded_names == names and len(light.unheeded) == len(names)


def test_leak_and_stale(tmp_path):
    file = bspkit.open(ROOT / "samples/quake/lobby.bsp")
    assert file.map.leak() is None and file.map.far_plane == 0
    assert {one.part for one in file.stale()} >= {"lightmaps", "visibility"}
    with file.edit(to=tmp_path / "open.bsp") as edit:  # leaf 0, which is all that is solid, is empty
        edit.lumps["LEAFS"] = struct.pack("<i", -1) + file["LEAFS"].data.tobytes()[4:]
        edit.allow_new_issues = True
    leak = bspkit.open(tmp_path / "open.bsp").map.leak()
    told = command_json("query", "leak", tmp_path / "open.bsp")[0]
    assert leak is not None and told["leaks"]
    assert leak.entity == told["entity"] and np.allclose(leak.points, told["points"])
    with bspkit.open(ROOT / "samples/source/lobby.bsp").edit(to=tmp_path / "moved.bsp") as edit:
        edit.set("classname=light", origin="1 2 3")
    stale = [one for one in bspkit.open(tmp_path / "moved.bsp").stale() if one.state == bspkit.StaleState.STALE]
    assert stale and stale[0].part == "lights" and stale[0].entity is not None
    assert {one.entity for one in file.stale()} == {None}
    with file.edit(to=tmp_path / "lamp.bsp") as edit:
        edit.set("classname=light", origin="1 2 3")
    edited = bspkit.open(tmp_path / "lamp.bsp")
    assert not [one for one in edited.stale() if one.state == bspkit.StaleState.STALE]
    assert {one.part for one in edited.stale(file) if one.state == bspkit.StaleState.STALE} == {"lightmaps"}
    assert [one.part for one in edited.stale(file)].count("lightmaps") == 1  # which is stale, and does not fit as well
    assert len(edited.stale(edited)) == len(edited.stale())
