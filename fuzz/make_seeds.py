#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes small seeds for fuzzing out of maps: each lump is cut to some of its records.

make_seeds.py BSPKIT OUT MAP...   writes OUT/FOLDER_NAME.bsp for each map FOLDER/NAME.bsp, and for
little-endian Source maps OUT/FOLDER_NAME_lzma.bsp, with packed lumps

Indices then name records that are not there: seeds are to be small and to have something in every
lump, not to be sound.
"""
import json
import lzma
import struct
import subprocess
import sys
from pathlib import Path

KEEP = 700  # bytes of a lump, about
WHOLE = {"GAME_LUMP", "PAKFILE", "PHYSCOLLIDE", "VISIBILITY", "TEXTURES", "ENTITIES"}
KEEP_WHOLE = 4000  # bytes of lumps that have a structure


def lumps_of(bspkit, path):
    out = subprocess.run([bspkit, "info", "--json", path], stdout=subprocess.PIPE, check=True)
    info = json.loads(out.stdout)
    return info, [lump for lump in info["lumps"] if ":" not in lump["name"]]


def shape_of(info, data, lumps):
    """Offset of the directory, and of offset and size in an entry of it."""
    big = info["endian"] == "big"
    for first, step in ((8, 16), (8, 8), (4, 8), (16, 16)):
        for at in (0, 4):
            form = ">II" if big else "<II"
            if all(struct.unpack_from(form, data, first + step * l["index"] + at) ==
                   (l["offset"], l["size"]) for l in lumps if l["size"]):
                return first + at, step, form
    return None


def kept_size(lump):
    records = lump["records"]
    if lump["compressed"] or lump["name"] in WHOLE:
        return lump["size"] if lump["size"] <= KEEP_WHOLE or lump["compressed"] else KEEP
    if not records or lump["size"] % records:
        return min(lump["size"], KEEP)
    return lump["size"] // records * max(1, min(records, KEEP // (lump["size"] // records)))


def pack(piece):
    """A lump as LZMA data behind the head of Source's packed lumps."""
    alone = lzma.compress(bytes(piece), format=lzma.FORMAT_ALONE)
    return b"LZMA" + struct.pack("<II", len(piece), len(alone) - 13) + alone[:5] + alone[13:]


def cut(bspkit, path, packed=False):
    data = Path(path).read_bytes()
    info, lumps = lumps_of(bspkit, path)
    shape = shape_of(info, data, lumps)
    if shape is None:
        return None
    start, step, form = shape
    out = bytearray(data[:min(l["offset"] for l in lumps if l["size"])])
    for lump in lumps:
        size = kept_size(lump) if lump["size"] else 0
        piece = bytearray(data[lump["offset"]:lump["offset"] + size])
        if lump["name"] == "GAME_LUMP" and size == lump["size"] and size >= 4:
            for i in range(struct.unpack_from(form[0] + "I", piece, 0)[0]):
                at = 4 + 16 * i + 8
                offset = struct.unpack_from(form[0] + "I", piece, at)[0]
                moved = max(0, offset - lump["offset"] + len(out))
                struct.pack_into(form[0] + "I", piece, at, moved)
        entry = start + step * lump["index"]
        if packed and piece and lump["name"] not in ("GAME_LUMP", "PAKFILE"):
            struct.pack_into("<I", out, entry + 12, len(piece))
            piece = bytearray(pack(piece))
        struct.pack_into(form, out, entry, len(out), len(piece))
        out += piece + bytes(-len(piece) % 4)
    bspx = data.rfind(b"BSPX")
    if info["family"] in ("quake", "goldsrc", "quake2") and bspx > 0:
        head = bytearray(8)
        entries, body = bytearray(), bytearray()
        count = struct.unpack_from("<I", data, bspx + 4)[0]
        struct.pack_into("<4sI", head, 0, b"BSPX", count)
        behind = len(out) + 8 + 32 * count
        for i in range(count):
            name, at, size = struct.unpack_from("<24sII", data, bspx + 8 + 32 * i)
            size = min(size, KEEP)
            entries += struct.pack("<24sII", name, behind + len(body), size)
            body += data[at:at + size] + bytes(-size % 4)
        out += head + entries + body
    return bytes(out)


def write(out, path, ending, seed):
    if seed is None:
        print(f"{path}: the directory was not found", file=sys.stderr)
        return
    name = f"{Path(path).parent.name}_{Path(path).stem}{ending}.bsp"
    (out / name).write_bytes(seed)
    print(f"{name}: {len(seed)} bytes")


def main():
    bspkit, out, maps = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    out.mkdir(parents=True, exist_ok=True)
    for path in maps:
        seed = cut(bspkit, path)
        write(out, path, "", seed)
        if seed is not None and seed[:4] == b"VBSP" and seed[4] == 20:
            write(out, path, "_lzma", cut(bspkit, path, packed=True))


main()
