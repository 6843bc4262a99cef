# SPDX-License-Identifier: MIT
"""Exports by the light for HDR: a map whose HDR light is black, and whose other light is not."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
BSPKIT = os.environ["BSPKIT"]
LOBBY = SOURCE / "samples/source/lobby.bsp"


def run(*arguments):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def brightest(path):
    """The greatest value of the light at the vertices of the world."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20:20 + size])
    most = 0
    for part in document["meshes"][0]["primitives"]:
        if "COLOR_0" not in part["attributes"]:  # that has no light
            continue
        accessor = document["accessors"][part["attributes"]["COLOR_0"]]
        view = document["bufferViews"][accessor["bufferView"]]
        start = 28 + size + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        assert accessor["componentType"] in (5121, 5123)
        wide = 1 if accessor["componentType"] == 5121 else 2
        for i in range(accessor["count"]):
            at = start + i * view.get("byteStride", 4 * wide)
            most = max(most, *struct.unpack_from("<3B" if wide == 1 else "<3H", data, at))
    return most


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("lump", "extract", LOBBY, "LIGHTING", "-o", folder / "light")
        (folder / "dark").write_bytes(bytes((folder / "light").stat().st_size))
        run("lump", "replace", LOBBY, "LIGHTING_HDR", folder / "dark", "-o", folder / "map.bsp")
        for options in ((), ("--hdr",)):
            run("export", folder / "map.bsp", "-l", "vertex", "--no-props", "-o", folder / "map.glb", *options)
            most = brightest(folder / "map.glb")
            assert (most == 0) == bool(options), (options, most)


main()
