# SPDX-License-Identifier: MIT
"""What servers compare, held against rules written down here once more, on the samples and the
corpus (../shared/corpus, left out when it is not there)."""
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import zlib

BSPKIT = os.environ["BSPKIT"]
MASK = 0xFFFFFFFF
# What the collection of maps for Counter-Strike: Source (srcwr/maps-cstrike-more,
# lump_checksums.csv) has for a map of the corpus: players' clients find what a server runs by it.
KNOWN = {"hns_floppytown_css_fix_v1.bsp": "b03269f8b43dc16572622210ca78f740"}
MOST = 1 << 20  # bytes of a map that python's MD4 takes


def md4(data):
    """RFC 1320, step by step."""
    def left(x, n):
        return (x << n | x >> (32 - n)) & MASK
    state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476]
    data += b"\x80" + bytes((55 - len(data)) % 64) + struct.pack("<Q", len(data) * 8)
    for at in range(0, len(data), 64):
        x = struct.unpack_from("<16I", data, at)
        a, b, c, d = state
        for i in range(16):
            a, b, c, d = d, left(a + ((b & c) | (~b & d)) + x[i] & MASK, (3, 7, 11, 19)[i & 3]), b, c
        for i in range(16):
            k = (i & 3) * 4 + (i >> 2)
            a, b, c, d = d, left(a + ((b & c) | (b & d) | (c & d)) + x[k] + 0x5A827999 & MASK,
                                 (3, 5, 9, 13)[i & 3]), b, c
        for i in range(16):
            k = int(f"{i:04b}"[::-1], 2)
            a, b, c, d = d, left(a + (b ^ c ^ d) + x[k] + 0x6ED9EBA1 & MASK,
                                 (3, 9, 11, 15)[i & 3]), b, c
        state = [s + v & MASK for s, v in zip(state, (a, b, c, d))]
    return state


def block(data):
    a, b, c, d = md4(data)
    return a ^ b ^ c ^ d


def register(pieces):
    crc = 0
    for piece in pieces:
        crc = zlib.crc32(piece, crc)
    return crc ^ MASK


def cut(data, offset, size):
    return data[min(offset, len(data)):min(offset + size, len(data))]


def quake_lumps(data):
    entries = [struct.unpack_from("<2I", data, 4 + 8 * i) for i in range(15)]
    return [cut(data, *entry) for entry in entries]


def quakeworld(data):
    lumps = quake_lumps(data)
    first = second = 0
    for i, lump in enumerate(lumps):
        if i != 0:
            first ^= block(lump)
            second ^= 0 if i in (4, 5, 10) else block(lump)
    return first, second


def source_lumps(data):
    """All lumps but the entities with their numbers, in the order in which they lie."""
    order = "<" if data[:4] == b"VBSP" else ">"
    entries = []
    for i in range(64):
        entry = struct.unpack_from(order + "3I", data, 8 + 16 * i)
        swapped = struct.unpack_from(order + "I", data, 4)[0] == 21 and is_left4dead2(data, order)
        offset, size = (entry[1], entry[2]) if swapped else entry[:2]
        entries.append((offset, i, size))
    return [(i, cut(data, offset, size)) for offset, i, size in sorted(entries) if i != 0]


def is_left4dead2(data, order):
    """Its entries have the version in front: then no first word is an offset behind the head."""
    return all(struct.unpack_from(order + "I", data, 8 + 16 * i)[0] < 1036 for i in range(64))


def expected(rule, data):
    if rule == "quakeworld":
        return *quakeworld(data), None
    if rule == "quake2":
        return block(data), None, None
    if rule == "goldsrc":
        return register(quake_lumps(data)[1:]), None, None
    if rule == "source_offsets":
        return register(lump for _, lump in source_lumps(data)), None, None
    lumps = [lump for _, lump in sorted(source_lumps(data))]
    return register(lumps), None, hashlib.md5(b"".join(lumps)).hexdigest()


def maps():
    yield from sorted(pathlib.Path("samples").glob("*/*.bsp"))
    for path in sorted(pathlib.Path("../shared/corpus").glob("**/*.bsp")):
        if "foreign" not in path.parts and "mapsource" not in path.parts:
            yield path


def text(value):
    return f"{value:08x}" if isinstance(value, int) else value


def main():
    tried = {}
    for path in maps():
        done = subprocess.run([BSPKIT, "checksum", "--json", path], capture_output=True,
                              check=False)
        if done.returncode != 0:
            continue
        found = json.loads(done.stdout)
        rule = found["rule"]
        data = path.read_bytes()
        big = struct.unpack_from("<I", data, 4)[0] > 64  # CS:O 2 and others have other heads
        if (rule.startswith("quake") and len(data) > MOST) or (rule.startswith("source") and big and
                                                               data[:4] == b"VBSP"):
            continue
        if rule.startswith("quake") and tried.get(rule, 0) >= 14:
            continue
        wanted = tuple(map(text, expected(rule, data)))
        assert (found["checksum"], found["checksum2"], found["md5"]) == wanted, (path, found, wanted)
        known = KNOWN.get(path.name.split("__")[-1])
        assert known is None or found["md5"] == known, (path, found)
        info = json.loads(subprocess.run([BSPKIT, "info", "--json", path], capture_output=True,
                                         check=True).stdout)
        assert info["checksum"] == found["checksum"], path
        # The text of info leaves it to checksum, so that info need not read the whole file.
        as_text = subprocess.run([BSPKIT, "info", path], capture_output=True, check=True).stdout
        assert found["checksum"].encode() not in as_text, path
        tried[rule] = tried.get(rule, 0) + 1
    print(tried)
    assert len(tried) == 5, tried


main()
