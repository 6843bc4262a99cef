# SPDX-License-Identifier: MIT
"""A document has the same bytes whether its report is asked for or not, also where trees share branches so that not all
of them can be searched: here each brush model has the trees of the world."""
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
LOBBY = pathlib.Path(os.environ["SOURCE"]) / "samples/quake/lobby.bsp"
MODELS, MODEL_SIZE, HEADNODES = 14, 64, slice(36, 52)


def decompile(path, target, *options):
    done = subprocess.run([BSPKIT, "decompile", path, "-o", target, *options], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return target.read_bytes(), done.stdout


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    data = bytearray(LOBBY.read_bytes())
    first, size = struct.unpack_from("<ii", data, 4 + 8 * MODELS)
    models = [bytearray(data[at:at + MODEL_SIZE]) for at in range(first, first + size, MODEL_SIZE)]
    for model in models[1:]:
        model[:24] = models[0][:24]  # its box
        model[HEADNODES] = models[0][HEADNODES]
    data[first:first + size] = b"".join(models)
    (folder / "shared.bsp").write_bytes(data)

    alone, nothing = decompile(folder / "shared.bsp", folder / "alone.map")
    told, report = decompile(folder / "shared.bsp", folder / "told.map", "--report")
    assert not nothing
    assert "its tree shares branches without end" in report, report
    assert alone == told
