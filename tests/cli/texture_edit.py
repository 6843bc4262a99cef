# SPDX-License-Identifier: MIT
"""Textures of maps as WADs, read here once more; taken out of GoldSrc's maps and put in again, on
samples and corpus (../shared/corpus, left out when it is not there)."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
CORPUS = pathlib.Path("../shared/corpus")


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr, done.stdout[:200])
    return done


def read_wad(data):
    """Name, pixels of all mips, and what stands behind them, of each texture."""
    magic, count, at = struct.unpack_from("<4sII", data)
    found = {}
    for i in range(count):
        offset, packed, size, kind, packing = struct.unpack_from("<IIIBB", data, at + 32 * i)
        assert packed == size and packing == 0 and kind == {b"WAD2": 0x44, b"WAD3": 0x43}[magic]
        name = data[at + 32 * i + 16:at + 32 * i + 32].split(b"\0")[0]
        found.setdefault(name, read_texture(data[offset:offset + size]))
        assert read_texture(data[offset:offset + size])[0] == name
    return magic, found


def read_texture(data):
    name, width, height, *offsets = struct.unpack_from("<16s6I", data)
    if not any(offsets):
        return name.split(b"\0")[0], width, height, None, None
    mips = [data[at:at + (width >> i) * (height >> i)] for i, at in enumerate(offsets)]
    assert len(mips[3]) == (width >> 3) * (height >> 3), name
    end = offsets[3] + len(mips[3])
    palette = b""
    if data[end:end + 2] == b"\0\1":
        palette = data[end + 2:end + 770]
        assert len(palette) == 768
    return name.split(b"\0")[0], width, height, mips, palette


def map_textures(path):
    data = run("lump", "extract", path, "textures").stdout
    if len(data) < 4:
        return []
    count, = struct.unpack_from("<I", data)
    offsets = struct.unpack_from(f"<{count}i", data, 4)
    return [read_texture(data[at:]) if 0 < at <= len(data) - 40 else None for at in offsets]


def issues(path):
    done = subprocess.run([BSPKIT, "check", "--json", path], capture_output=True, check=False)
    found = json.loads(done.stdout)
    return found["errors"], found["warnings"], {i["id"] for i in found["issues"]}


def other_lumps(path):
    data = path.read_bytes()
    return [data[lump["offset"]:lump["offset"] + lump["size"]]
            for lump in json.loads(run("lumps", "--json", path).stdout)["lumps"]
            if lump["name"] != "TEXTURES"]


def check(path, work):
    game = work / "game"
    shutil.rmtree(game, ignore_errors=True)
    game.mkdir()
    before = map_textures(path)
    inside = [t for t in before if t is not None and t[3] is not None]
    done = subprocess.run([BSPKIT, "textures", path, "--wad", game / "map.wad"],
                          capture_output=True, check=False)
    if not inside:
        assert done.returncode == 1 and not (game / "map.wad").exists(), (path, done)
        return 0
    assert done.returncode == 0, (path, done)
    magic, wad = read_wad((game / "map.wad").read_bytes())
    palettes = any(t[4] for t in inside)
    assert magic == (b"WAD3" if palettes else b"WAD2"), path
    for texture in reversed(inside):
        if bool(texture[4]) == palettes and texture[0]:
            assert texture[0] in wad, (path, texture[0])
    out, back = work / "out.bsp", work / "back.bsp"
    if not all(t[4] for t in inside):
        run("textures", path, "--take-out", "-o", out, status=3)
        return 1
    run("textures", path, "--take-out", "-o", out)
    taken = map_textures(out)
    assert [t and t[:3] for t in taken] == [t and t[:3] for t in before], path
    assert all(t is None or t[3] is None for t in taken), path
    assert other_lumps(out) == other_lumps(path), path
    names = [t[0].lower() for t in before if t is not None]
    if len(set(names)) == len(names) and len(inside) == len(names):
        run("textures", out, "--embed", "--game", game, "-o", back)
        assert map_textures(back) == before, path
        assert other_lumps(back) == other_lumps(path), path
        new, old = issues(back), issues(path)
        assert new[0] <= old[0] and new[1] <= old[1] and new[2] <= old[2], (path, old, new)
    return 1


def world(path):
    text = run("entities", path, "--json").stdout
    return dict(json.loads(text)[0]["pairs"])


def check_wad_key(work):
    """The world names the WAD that its textures went to, once, after those that it named."""
    inside, out = "samples/goldsrc/lobby_embed.bsp", work / "out.bsp"
    assert "wad" not in world(inside)
    run("textures", inside, "--wad", work / "mine.wad", "--take-out", "-o", out)
    assert world(out) == world(inside) | {"wad": "mine.wad"}, world(out)
    run("textures", inside, "--take-out", "-o", out)
    assert world(out) == world(inside)
    for old, key in (("\\quake\\a.wad;", "\\quake\\a.wad;mine.wad"), ("x/MINE.wad;b.wad", None),
                     ("", "mine.wad"), ("xmine.wad", "xmine.wad;mine.wad")):
        run("entities", inside, "--where", "classname=worldspawn", "--set", f"wad={old}", "-o",
            work / "set.bsp")
        run("textures", work / "set.bsp", "--wad", work / "mine.wad", "--take-out", "-o", out)
        assert world(out)["wad"] == (old if key is None else key), (old, world(out)["wad"])


def check_failures(work):
    """A texture that does not fit is named with its WAD, and nothing is written."""
    game = work / "failing"
    game.mkdir()
    sample = "samples/goldsrc/lobby.bsp"
    run("textures", "samples/goldsrc/lobby_embed.bsp", "--wad", game / "whole.wad")
    wad = bytearray((game / "whole.wad").read_bytes())
    (game / "whole.wad").unlink()
    name, width, height, _, _ = next(t for n, t in read_wad(bytes(wad))[1].items() if n.lower() == b"brick1")
    at = wad.index(name.ljust(16, b"\0") + struct.pack("<2I", width, height))
    for place, value, what in ((16, width * 2, f"it is {width * 2}x{height}, but {width}x{height} in the map"),
                               (36, 1 << 30, "cut off")):
        bad = bytearray(wad)
        bad[at + place:at + place + 4] = struct.pack("<I", value)
        (game / "bad.wad").write_bytes(bad)
        said = run("textures", sample, "--embed", "--game", game, "-o", work / "no.bsp",
                   status=3).stderr.decode()
        assert "brick1 from" in said.lower() and "bad.wad" in said and what in said, said
    assert not (work / "no.bsp").exists()


def main(work):
    maps = sorted(p for p in pathlib.Path("samples").glob("*/*.bsp")
                  if p.parts[1] in ("quake", "goldsrc"))
    for family in ("goldsrc", "quake"):
        maps += [p for p in sorted((CORPUS / family).glob("**/*.bsp"))
                 if p.stat().st_size < 4 << 20][:16]
    tried = sum(check(path, work) for path in maps)
    print(f"{tried} of {len(maps)} maps with textures in them")
    assert tried >= 2
    sample = "samples/goldsrc/lobby.bsp"
    done = run("textures", "samples/goldsrc/lobby_embed.bsp", "--wad", work / "game/map.wad")
    assert done.stdout == b"" and done.stderr == b""
    run("textures", sample, "--embed", "-o", work / "no.bsp", status=2)
    run("textures", sample, "--embed", "--take-out", "-o", work / "no.bsp", status=2)
    run("textures", sample, "--take-out", "-o", work / "no.bsp", status=1)
    run("textures", "samples/quake3/lobby.bsp", "--take-out", "-o", work / "no.bsp", status=1)
    check_wad_key(work)
    check_failures(work)
    (work / "empty").mkdir()
    run("textures", sample, "--embed", "--game", work / "empty", "-o", work / "no.bsp", status=1)
    assert not (work / "no.bsp").exists()


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
