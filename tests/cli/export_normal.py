# SPDX-License-Identifier: MIT
"""Normal maps in a .gltf whose materials are lit: the step of the Source sample has one. The drawing of
its texture (tools/make_vtf.py) lets the first four of 32 rows look along +v, which is down; green looks
up in glTF, so it is dark there, and in the middle elsewhere."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import zlib

BSPKIT = os.environ["BSPKIT"]
SOURCE = pathlib.Path(os.environ["SOURCE"])


def read_png(path):
    """Rows of bytes, RGB or RGBA, and how many bytes a pixel has."""
    data = path.read_bytes()
    width, height, bits, kind = struct.unpack(">IIBB", data[16:26])
    assert bits == 8 and kind in (2, 3, 6), (bits, kind)
    wide, at, packed, palette = {2: 3, 3: 1, 6: 4}[kind], 8, b"", b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
        palette = data[at + 8:at + 8 + size] if name == b"PLTE" else palette
        at += size + 12
    raw, rows, above = zlib.decompress(packed), [], bytes(width * wide)
    for y in range(height):
        start = y * (width * wide + 1)
        how, line = raw[start], bytearray(raw[start + 1:start + 1 + width * wide])
        for i in range(len(line)):
            a, b, c = line[i - wide] if i >= wide else 0, above[i], above[i - wide] if i >= wide else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[how]) & 255
        rows.append(bytes(line))
        above = line
    if palette:
        return [b"".join(palette[3 * n:3 * n + 3] for n in row) for row in rows], 3
    return rows, wide


def main():
    with tempfile.TemporaryDirectory() as work:
        for light in ("uv", "none", "baked", "vertex"):
            out = pathlib.Path(work, f"{light}.gltf")
            subprocess.run([BSPKIT, "export", SOURCE / "samples/source/lobby.bsp", "--no-props", "--game",
                            SOURCE / "samples/source", "-l", light, "-o", out], check=True)
            doc = json.loads(out.read_text())
            with_normal = [m for m in doc["materials"] if "normalTexture" in m]
            if light in ("baked", "vertex"):  # their materials are unlit
                assert not with_normal
                continue
            assert [m["name"] for m in with_normal] == ["LOBBY/STEP1"], with_normal
            texture = doc["textures"][with_normal[0]["normalTexture"]["index"]]
            rows, wide = read_png(pathlib.Path(work, doc["images"][texture["source"]]["uri"]))
            assert len(rows) % 32 == 0
            green = [sum(row[1::wide]) / (len(row) // wide) for row in rows]
            blue = [sum(row[2::wide]) / (len(row) // wide) for row in rows]
            assert all(g < 124 for y, g in enumerate(green) if y % 32 < 3), green[:4]
            assert all(abs(g - 127.5) < 6 for y, g in enumerate(green) if y % 32 > 7), green
            assert min(blue) > 200


if __name__ == "__main__":
    main()
