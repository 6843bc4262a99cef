# SPDX-License-Identifier: MIT
"""The examples run, and what they say of the samples is what the command says."""
import re
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT, SAMPLES, command, command_json

SOURCE = ROOT / "samples" / "source" / "lobby.bsp"


def example(name, *words):
    done = subprocess.run([sys.executable, ROOT / "python" / "examples" / f"{name}.py", *map(str, words)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_three_tasks(tmp_path):
    out = example("three_tasks", SOURCE, tmp_path / "out.bsp")
    lights = command_json("entities", "--json", "--where", "classname=light*", SOURCE)[0]
    assert out.startswith(f"{len(lights)} lights, ")
    assert b"materials/readme.txt" in command("pak", "list", tmp_path / "out.bsp")
    told = command("diff", SOURCE, tmp_path / "out.bsp").decode()
    assert "materials/readme.txt" in told and told.count("\n") == 3  # nothing else has changed


def test_census():
    out = example("entity_census", *SAMPLES)
    classes = [dict(entity["pairs"])["classname"] for path in SAMPLES
               for entity in command_json("entities", "--json", path)[0]]
    assert {line.split()[1]: int(line.split()[0]) for line in out.splitlines()}["light"] == classes.count("light")


def shows(path, colours):
    """A picture has no fewer colours than that."""
    picture = pytest.importorskip("matplotlib.image").imread(path)
    return picture.shape[0] >= 400 and len(np.unique(picture.reshape(-1, 4), axis=0)) >= colours


def test_statistics(tmp_path):
    pytest.importorskip("matplotlib")
    out = example("archive_statistics", tmp_path / "out.png", *SAMPLES)
    assert f"{len(SAMPLES)} maps, 0 could not be read" in out and shows(tmp_path / "out.png", 50)


def test_census_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    assert example("entity_census", "--draw", tmp_path / "out.png", *SAMPLES) == example("entity_census", *SAMPLES)
    assert shows(tmp_path / "out.png", 50)


def test_sight_map(tmp_path):
    """Each place stands free, above a floor, and sees itself."""
    pytest.importorskip("matplotlib")
    out = example("sight_map", SOURCE, tmp_path / "out.png")
    count, best = (int(word) for word in re.findall(r"\d+", out))
    assert count > 100 and 20 < best <= 100 and shows(tmp_path / "out.png", 200)
