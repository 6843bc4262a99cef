# SPDX-License-Identifier: MIT
"""query face: the macro texture that a face names (lump 47: a u16 for each face, an entry of the string table,
65535 for none), and its place on a page of light of the original Xbox (lump 52: page, s, t, a pad, RGBExp32).
Both lumps are appended to a sample here; what is printed is what was written."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path("samples/source/lobby.bsp")
FACES, STRINGS, TABLE, MACROS, PAGES, INFOS, FACE = 7, 43, 44, 47, 51, 52, 5


def extent(data, lump):
    return struct.unpack_from("<2i", data, 8 + 16 * lump)


def with_lump(data, lump, content):
    data += bytes(-len(data) % 4)
    struct.pack_into("<4i", data, 8 + 16 * lump, len(data), len(content), 0, 0)
    return data + content


def ask(data, path):
    path.write_bytes(data)
    done = subprocess.run([BSPKIT, "query", "face", str(FACE), path], capture_output=True, check=True)
    return json.loads(done.stdout)


def main():
    sample = SAMPLE.read_bytes()
    count = extent(sample, FACES)[1] // 56
    place, size = extent(sample, TABLE)
    offsets = struct.unpack_from(f"<{size // 4}i", sample, place)
    strings, _ = extent(sample, STRINGS)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.bsp"
        assert "macro_texture" not in ask(sample, path)
        for number in (*range(len(offsets)), len(offsets), 0xFFFE, 0xFFFF):
            macros = [0xFFFF] * count
            macros[FACE] = number
            said = ask(with_lump(bytearray(sample), MACROS, struct.pack(f"<{count}H", *macros)), path)
            at = strings + offsets[number] if number < len(offsets) else None
            want = "" if at is None else sample[at:sample.index(b"\0", at)].decode()
            assert said.get("macro_texture") == (None if number == 0xFFFF else want), (number, said)
        # Version 19 has the pages; the sample has version 20, where these lumps are other ones.
        infos = bytearray(8 * count)
        struct.pack_into("<8B", infos, 8 * FACE, 2, 16, 32, 0, 51, 102, 204, 255)
        xbox = bytearray(sample)
        struct.pack_into("<i", xbox, 4, 19)
        xbox = with_lump(with_lump(xbox, PAGES, bytes(33792)), INFOS, bytes(infos))
        page = ask(xbox, path)["light_page"]
        assert (page["page"], page["s"], page["t"]) == (2, 16, 32), page
        assert all(abs(a - b) < 1e-6 for a, b in zip(page["average"], (0.1, 0.2, 0.4))), page
        assert "light_page" not in ask(sample, path)


main()
