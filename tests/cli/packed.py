# SPDX-License-Identifier: MIT
"""Packed Source maps as an independent reader sees them: Python's own LZMA and zip. Uses
../shared/corpus where it is there, and the samples."""
import io
import lzma
import os
import pathlib
import struct
import subprocess
import tempfile
import zipfile

BSPKIT = os.environ["BSPKIT"]
GAME, PAK, LUMPS = 35, 40, 64


def unpack(data):
    """A lump: "LZMA", size, packed size, five bytes of properties, raw stream."""
    if data[:4] != b"LZMA":
        return data
    size, packed = struct.unpack_from("<II", data, 4)
    first, dictionary = struct.unpack_from("<BI", data, 12)
    filters = [{"id": lzma.FILTER_LZMA1, "lc": first % 9, "lp": first // 9 % 5,
                "pb": first // 45, "dict_size": max(dictionary, 4096)}]
    decoder = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)
    out = decoder.decompress(data[17:17 + packed], size)
    assert len(out) == size, (len(out), size)
    return out


def directory(data):
    order = "<" if data[:4] == b"VBSP" else ">"
    return order, [struct.unpack_from(order + "4I", data, 8 + 16 * i) for i in range(LUMPS)]


def game_lumps(data, order, start, size):
    """Each by its id; one that is packed ends where the next one begins."""
    count = struct.unpack_from(order + "I", data, start)[0]
    entries = [struct.unpack_from(order + "IHHII", data, start + 4 + 16 * i) for i in range(count)]
    base = start if order == ">" else 0
    for i, (name, flags, version, offset, length) in enumerate(entries):
        if name == 0:
            assert i == count - 1 and (flags, version, length) == (0, 0, 0)
            continue
        end = base + (entries[i + 1][3] if flags & 1 else offset + length)
        lump = unpack(data[base + offset:end]) if flags & 1 else data[base + offset:end]
        assert len(lump) == length
        yield name, version, lump


def compare(plain, packed):
    order, before = directory(plain)
    _, after = directory(packed)
    count = 0
    for i in range(LUMPS):
        a = plain[before[i][0]:before[i][0] + before[i][1]]
        b = packed[after[i][0]:after[i][0] + after[i][1]]
        if i == GAME and a:
            assert list(game_lumps(plain, order, *before[i][:2])) == \
                list(game_lumps(packed, order, *after[i][:2]))
        elif i == PAK and a:
            x, y = (zipfile.ZipFile(io.BytesIO(z)) for z in (a, b))
            assert x.namelist() == y.namelist() and y.testzip() is None
            assert all(x.read(n) == y.read(n) for n in x.namelist())
        else:
            assert unpack(b) == a, i
            assert after[i][3] == (len(a) if b[:4] == b"LZMA" else before[i][3]), i
            count += b[:4] == b"LZMA"
    return count


def is_plain(path):
    """A map of usual directory whose lumps are not packed, and whose zip is in order."""
    data = path.read_bytes()
    if data[:4] not in (b"VBSP", b"PSBV") or "l4d2" in path.name:
        return False
    order, lumps = directory(data)
    return lumps[0][0] > 1000 and not any(
        data[offset:offset + 4] == b"LZMA" for offset, size, _, _ in lumps if size)


def main():
    maps = sorted(pathlib.Path("samples/source").glob("*.bsp"))
    maps += sorted(pathlib.Path("../shared/corpus/source").glob("v[12][0-9]/*.bsp"))
    files = lumps = 0
    with tempfile.TemporaryDirectory() as work:
        for path in filter(is_plain, maps):
            out = os.path.join(work, "packed.bsp")
            done = subprocess.run([BSPKIT, "convert", "--compress", "lzma", path, "-o", out],
                                  capture_output=True, check=False)
            if b"packs no lumps" in done.stderr:
                continue
            assert done.returncode == 0, (path, done.stderr)
            packed = compare(path.read_bytes(), pathlib.Path(out).read_bytes())
            assert packed, path
            files, lumps = files + 1, lumps + packed
    print(f"{files} maps with {lumps} packed lumps read by Python")
    assert files


main()
