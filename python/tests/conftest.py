# SPDX-License-Identifier: MIT
"""Where the samples, the command and the shared maps are. BSPKIT names the command."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = sorted((ROOT / "samples").glob("*/lobby.bsp"))
SHARED = ROOT.parent / "shared" / "corpus"
COMMAND = os.environ.get("BSPKIT", str(ROOT / "build" / "bspkit"))


def command(*words, data=None):
    """What the command prints."""
    done = subprocess.run([COMMAND, *map(str, words)], input=data, capture_output=True, check=False)
    assert done.returncode in (0, 1), (words, done.stderr)
    return done.stdout


def command_json(*words, data=None):
    return [json.loads(line) for line in command(*words, data=data).splitlines()]


@pytest.fixture(params=SAMPLES, ids=lambda path: path.parent.name)
def sample(request):
    return request.param
