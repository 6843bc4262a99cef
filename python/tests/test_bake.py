# SPDX-License-Identifier: MIT
"""Portals, visibility, light and cubemaps against what the command says and writes."""
import numpy as np
import pytest

import bspkit
from conftest import ROOT, command, command_json

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
    assert file.map.draw_cubemaps(absent=True) == {} or all("default" in name for name in file.map.draw_cubemaps(absent=True))
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


def test_light_of_another_file(tmp_path):
    other = bspkit.open(ROOT / "samples/quake/lobby.bsp").map.relight(direct=True)
    with pytest.raises(ValueError, match="another file"):
        with bspkit.open(ROOT / "samples/quake2/lobby.bsp").edit(to=tmp_path / "new.bsp") as edit:
            edit.light = other
    assert not (tmp_path / "new.bsp").exists()
