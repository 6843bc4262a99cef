# SPDX-License-Identifier: MIT
"""The examples run, and what they say of the samples is what the command says."""
import subprocess
import sys

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


def test_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    out = example("archive_statistics", tmp_path / "out.png", *SAMPLES)
    assert f"{len(SAMPLES)} maps, 0 could not be read" in out and (tmp_path / "out.png").stat().st_size > 1000
