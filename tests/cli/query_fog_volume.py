# SPDX-License-Identifier: MIT
"""query face: surfaceFogVolumeID (bytes 14 and 15 of a face of Source) names the water behind the face. The
number is written into a sample here; the surface that is printed is that of LEAFWATERDATA, read here too."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path("samples/source/lobby.bsp")
FACES, WATERS, FACE = 7, 36, 5


def extent(data, lump):
    return struct.unpack_from("<2i", data, 8 + 16 * lump)


def ask(path):
    done = subprocess.run([BSPKIT, "query", "face", str(FACE), path], capture_output=True, check=True)
    return json.loads(done.stdout)


def main():
    data = SAMPLE.read_bytes()
    place, size = extent(data, WATERS)
    waters = [struct.unpack_from("<f", data, at)[0] for at in range(place, place + size, 12)]
    assert len(set(waters)) == len(waters) >= 2, waters
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.bsp"
        for volume in (*range(len(waters)), -1, len(waters), 32767, -32768):
            changed = bytearray(data)
            struct.pack_into("<h", changed, extent(data, FACES)[0] + 56 * FACE + 14, volume)
            path.write_bytes(changed)
            said = ask(path)
            known = 0 <= volume < len(waters)
            assert ("fog_volume" in said, "water_surface" in said) == (known, known), (volume, said)
            if known:
                assert (said["fog_volume"], said["water_surface"]) == (volume, waters[volume]), said


main()
