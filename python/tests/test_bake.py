# SPDX-License-Identifier: MIT
"""Portals and visibility against what the command says and writes."""
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
