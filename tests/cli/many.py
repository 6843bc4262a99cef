# SPDX-License-Identifier: MIT
"""What operands stand for: folders, archives, archives in archives, lists. Each file is accounted for,
the bad ones too, in the same order and with the same bytes at any number of jobs."""
import bz2
import gzip
import hashlib
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import tempfile
import zipfile
import zlib

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
GAMES = ("quake", "goldsrc", "quake2", "quake3", "source")
WINE = bool(os.environ.get("WINDOWS"))


def run(*arguments, cwd=None, data=b""):
    return subprocess.run([BSPKIT, *map(str, arguments)], cwd=cwd, input=data, capture_output=True,
                          check=False)


def files(*arguments, cwd):
    """The `file` of each line of info --json, and those that have an error."""
    done = run("info", "--json", *arguments, cwd=cwd)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    bad = [line["file"] for line in lines if "error" in line]
    assert done.returncode == (3 if bad else 0), done
    if bad and len(lines) > 1:
        totals = f"info: {len(lines)} files: {len(lines) - len(bad)} without problems, " \
                 f"0 with problems, {len(bad)} failed\n"
        assert done.stderr.decode().endswith(totals), done.stderr
    return [line["file"] for line in lines], bad


def write_pak(path, members):
    body, entries = b"", b""
    for name, data in members:
        entries += struct.pack("<56sii", name.encode(), 12 + len(body), len(data))
        body += data
    path.write_bytes(struct.pack("<4sii", b"PACK", 12 + len(body), len(entries)) + body + entries)


def write_gma(path, members):
    """An addon of Garry's Mod, version 3."""
    data = b"GMAD\3" + struct.pack("<QQ", 7, 9) + b"content\0" + b"\0" + b"title\0text\0author\0"
    data += struct.pack("<i", 1)
    for number, (name, body) in enumerate(members, 1):
        data += struct.pack("<I", number) + name.encode() + b"\0" + struct.pack("<qI", len(body), 0)
    data += struct.pack("<I", 0) + b"".join(body for _, body in members) + struct.pack("<I", 0)
    path.write_bytes(data)


def write_gcf(path, members, block=512):
    """A cache of the first Steam, version 6: each file in two runs, its blocks from the last to the first."""
    names, items, entries, first, blocks = bytearray(b"\0"), [[0, 0, -1, 0, -1, 0, 1]], [], [-1], []
    folders, following = {"": 0}, []

    def item(name, parent, size, flags):
        items.append([len(names), size, -1, flags, parent, 0, 0])
        names.extend(name.encode() + b"\0")
        first.append(-1)
        return len(items) - 1

    for name, body in members:
        parent, path_here = 0, ""
        *above, last = name.split("/")
        for part in above:
            path_here += part + "/"
            if path_here not in folders:
                folders[path_here] = item(part, parent, 0, 0)
            parent = folders[path_here]
        number = item(last, parent, len(body), 0x4000)
        half = min(len(body), (len(body) // 2 // block + 1) * block)
        for run, (start, end) in enumerate(((0, half), (half, len(body)))):
            if start == end:
                continue
            pieces = [body[at:min(at + block, end)] for at in range(start, end, block)]
            at = len(blocks) + len(pieces) - 1
            following += [0xFFFF] + list(range(len(blocks), at))
            blocks += [piece.ljust(block, b"\xee") for piece in reversed(pieces)]
            if run == 0:
                first[number] = len(entries)
            else:
                entries[-1][4] = len(entries)
            entries.append([0x8000, start, end - start, at, -1, -1, number])
    count = len(blocks)
    words = lambda *numbers: struct.pack(f"<{len(numbers)}I", *(n & 0xFFFFFFFF for n in numbers))
    entries = [[count if n == -1 and k > 3 else n for k, n in enumerate(e)] for e in entries]
    entries += [[0, 0, 0, count, count, count, 0]] * (count - len(entries))
    tree = b"".join(words(*i) for i in items) + bytes(names)
    out = words(1, 1, 6, 7, 0, 0, 0, 0, block, count, 0) + words(count, count, 0, 0, 0, 0, 0, 0)
    out += b"".join(words(*e) for e in entries) + words(count, 0, 0, 0) + words(*following)
    out += words(4, 7, 0, len(items), len(members), 0x8000, 56 + len(tree), len(names), 0, 0, 0, 0, 0, 0)
    out += tree + words(1, 0) + words(*(count if n == -1 else n for n in first)) + words(1, 16) + bytes(16)
    out += words(0, count, block, len(out) + 24, count, 0)
    path.write_bytes(out + b"".join(blocks))


def write_vpk(path, members):
    """Valve's archive, version 1; the first byte of each file stands in the directory, the rest after it."""
    tree, data = b"", b""
    for name, body in members:
        stem, ending = name.rsplit(".", 1)
        folder, _, stem = stem.rpartition("/")
        tree += b"\0".join(text.encode() for text in (ending, folder or " ", stem)) + b"\0"
        tree += struct.pack("<IHHIIH", zlib.crc32(body), 1, 0x7FFF, len(data), len(body) - 1, 0xFFFF)
        tree += body[:1] + b"\0\0"
        data += body[1:]
    tree += b"\0"
    path.write_bytes(struct.pack("<III", 0x55AA1234, 1, len(tree)) + tree + data)


def write_zip(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)


def make(folder):
    maps = {game: (SAMPLES / game / "lobby.bsp").read_bytes() for game in GAMES}
    (folder / "maps/deep/deeper").mkdir(parents=True)
    (folder / "maps/a.bsp").write_bytes(maps["quake"])
    (folder / "maps/B.BSP").write_bytes(maps["quake2"])
    (folder / "maps/notes.txt").write_text("no map")
    (folder / "maps/deep/c.bsp").write_bytes(maps["source"])
    (folder / "maps/deep/deeper/cut.bsp").write_bytes(maps["quake3"][:200])
    if not WINE:  # which shows links of its host as what they point to
        (folder / "maps/deep/loop").symlink_to("..")
    (folder / "links").mkdir()
    (folder / "links/gone.bsp").symlink_to("nowhere")
    (folder / "empty").mkdir()
    write_pak(folder / "pak0.pak", [("maps/e1m1.bsp", maps["quake"]), ("gfx/x.lmp", b"x"),
                                    ("maps/e1m2.bsp", b"no map")])
    with zipfile.ZipFile(folder / "inner.pk3", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("maps/q3.bsp", maps["quake3"])
    with zipfile.ZipFile(folder / "outer.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(folder / "inner.pk3", "mod/inner.pk3")
        archive.write(folder / "pak0.pak", "mod/pak0.pak")
        archive.writestr("top.bsp", maps["goldsrc"])
        archive.writestr("mod/torn.pk3", (folder / "inner.pk3").read_bytes()[:300])
    (folder / "torn.pk3").write_bytes((folder / "inner.pk3").read_bytes()[:1000])
    shutil.copy(folder / "maps/a.bsp", folder / "pak9.pak:odd.bsp")  # a path is tried first


def check_names(folder):
    assert files("maps", cwd=folder) == (["maps/B.BSP", "maps/a.bsp"], [])
    assert files("-r", "maps/", cwd=folder) == (
        ["maps/B.BSP", "maps/a.bsp", "maps/deep/c.bsp", "maps/deep/deeper/cut.bsp"],
        ["maps/deep/deeper/cut.bsp"])
    assert files("empty", cwd=folder) == (["empty"], ["empty"])
    if not WINE:
        assert files("links", cwd=folder) == (["links/gone.bsp"], ["links/gone.bsp"])
    pak = ["pak0.pak:maps/e1m1.bsp", "pak0.pak:maps/e1m2.bsp"]
    assert files("pak0.pak", cwd=folder) == (pak, pak[1:])
    outer = ["outer.zip:top.bsp", "outer.zip:mod/inner.pk3:maps/q3.bsp",
             "outer.zip:mod/pak0.pak:maps/e1m1.bsp", "outer.zip:mod/pak0.pak:maps/e1m2.bsp",
             "outer.zip:mod/torn.pk3"]
    assert files("outer.zip", cwd=folder) == (outer, outer[3:])
    assert files("torn.pk3", cwd=folder) == (["torn.pk3"], ["torn.pk3"])
    assert files("pak9.pak:odd.bsp", cwd=folder) == (["pak9.pak:odd.bsp"], [])
    (folder / "list").write_text("maps/a.bsp\n\nnot there\r\npak0.pak\n")
    listed = ["maps/a.bsp", "not there", *pak]
    assert files("--files-from", "list", cwd=folder) == (listed, ["not there", pak[1]])
    assert files("torn.pk3", "--files-from", "list", cwd=folder)[0] == ["torn.pk3", *listed]
    standard = run("info", "--json", "--files-from", "-", cwd=folder, data=b"maps/a.bsp\n")
    assert standard.returncode == 0 and standard.stdout.count(b"\n") == 1, standard


def check_bytes(folder):
    """A map in an archive in an archive is read as the file itself."""
    direct = run("dump", SAMPLES / "quake3/lobby.bsp", "brushes", "--json")
    packed = run("dump", "outer.zip:mod/inner.pk3:maps/q3.bsp", "brushes", "--json", cwd=folder)
    assert direct.returncode == packed.returncode == 0 and direct.stdout == packed.stdout, packed
    missing = run("info", "outer.zip:mod/inner.pk3:maps/none.bsp", cwd=folder)
    assert missing.returncode == 3 and b"there is no file" in missing.stderr, missing


def check_packed(folder):
    """Maps that gzip and bzip2 packed, alone and in archives, and addons of Garry's Mod."""
    plain = (SAMPLES / "source/lobby.bsp").read_bytes()
    wanted = run("dump", SAMPLES / "source/lobby.bsp", "brushsides", "--json").stdout
    (folder / "z").mkdir()
    (folder / "z/one.bsp.gz").write_bytes(gzip.compress(plain))
    half = len(plain) // 2
    (folder / "z/two.bsp.gz").write_bytes(gzip.compress(plain[:half]) + gzip.compress(plain[half:]) +
                                          b"after")
    (folder / "z/cut.bsp.gz").write_bytes(gzip.compress(plain)[:-1000])
    (folder / "z/lies.bsp.gz").write_bytes(gzip.compress(plain)[:-4] + b"\xff\xff\xff\xff")
    (folder / "z/three.bsp.bz2").write_bytes(bz2.compress(plain))
    (folder / "z/four.bsp.bz2").write_bytes(bz2.compress(plain[:half], 1) + bz2.compress(b"") +
                                            bz2.compress(plain[half:]) + b"BZh9 after")
    turned = bytearray(bz2.compress(plain))
    turned[len(turned) // 2] ^= 1
    (folder / "z/cut.bsp.bz2").write_bytes(bz2.compress(plain)[:-1000])
    (folder / "z/half.bsp.bz2").write_bytes(bz2.compress(plain[:half]) + bz2.compress(plain[half:])[:50])
    (folder / "z/turned.bsp.bz2").write_bytes(turned)
    (folder / "z/x.bsp.bz2").write_bytes(b"BZh91AY&SY")
    (folder / "z/nothing.bsp.bz2").write_bytes(bz2.compress(b""))
    write_gma(folder / "z/addon.gma", [("maps/gm.bsp", plain), ("lua/a.lua", b"--"),
                                       ("maps/gz.bsp.gz", gzip.compress(plain)),
                                       ("maps/bz.bsp.bz2", bz2.compress(plain))])
    good = ["z/addon.gma:maps/bz.bsp.bz2", "z/addon.gma:maps/gm.bsp", "z/addon.gma:maps/gz.bsp.gz",
            "z/four.bsp.bz2", "z/one.bsp.gz", "z/three.bsp.bz2", "z/two.bsp.gz"]
    bad = ["z/cut.bsp.bz2", "z/cut.bsp.gz", "z/half.bsp.bz2", "z/lies.bsp.gz", "z/nothing.bsp.bz2",
           "z/turned.bsp.bz2", "z/x.bsp.bz2"]
    names, failed = files("z", cwd=folder)
    assert (sorted(names), failed) == (sorted(good + bad), bad), (names, failed)
    for name in good:
        assert run("dump", name, "brushsides", "--json", cwd=folder).stdout == wanted, name
        facts = json.loads(run("info", name, "--json", "--sha256", cwd=folder).stdout)
        assert facts["sha256"] == hashlib.sha256(plain).hexdigest(), facts
        assert facts["sha256"].encode() in run("info", name, "--sha256", cwd=folder).stdout, name
    said = run("info", *bad, cwd=folder).stderr.decode()
    assert said.count("packed by gzip, and damaged in what begins at byte 0 of it") == 2, said
    cut = len(bz2.compress(plain)) - 1000
    assert f"z/cut.bsp.bz2: the file is packed by bzip2, and damaged: it ends at byte {cut}\n" in said, said
    torn = len(bz2.compress(plain[:half])) + 50
    assert f"z/half.bsp.bz2: the file is packed by bzip2, and damaged: it ends at byte {torn}\n" in said, said
    assert "z/turned.bsp.bz2: the file is packed by bzip2, and damaged before byte " in said, said
    assert "z/x.bsp.bz2: the file is packed by bzip2, and damaged: it ends at byte 10\n" in said, said
    assert "z/nothing.bsp.bz2: bzip2 packed an empty file\n" in said, said
    for name, packer in (("z/one.bsp.gz", b"gzip"), ("z/three.bsp.bz2", b"bzip2")):
        before = (folder / name).read_bytes()
        done = run("entities", "--where", "classname=light", "--remove", name, "--in-place", cwd=folder)
        assert done.returncode == 2 and b"packed by " + packer in done.stderr, done
        assert (folder / name).read_bytes() == before
    standard = run("info", "--json", "-", data=bz2.compress(plain))
    assert standard.returncode == 0 and b'"branch":"source_20"' in standard.stdout, standard
    addon = (folder / "z/addon.gma").read_bytes()
    for size in (5, 6, 40, 90, len(addon) // 2):
        (folder / "cut.gma").write_bytes(addon[:size])
        assert run("info", "cut.gma", cwd=folder).returncode in (0, 3)
    for name, pack in (("bomb.bsp.gz", gzip.compress), ("bomb.bsp.bz2", bz2.compress)):
        (folder / name).write_bytes(pack(bytes(300 << 20)))
        done = run("info", name, cwd=folder)
        assert done.returncode == 3 and b"memory limit" in done.stderr, done


def check_archives(folder):
    """A map in each kind of archive, and in two of them inside each other, has the map's own hash;
    a damaged archive is accounted for: by its maps, or by itself with an error."""
    plain = (SAMPLES / "quake/lobby.bsp").read_bytes()
    digest = hashlib.sha256(plain).hexdigest()
    writers = {"pak": write_pak, "pk3": write_zip, "zip": write_zip, "vpk": write_vpk, "gma": write_gma,
               "gcf": write_gcf}
    members = [("maps/x.bsp", plain), ("maps/y.bsp.gz", gzip.compress(plain)),
               ("maps/z.bsp.bz2", bz2.compress(plain)), ("notes.txt", b"no map")]
    (folder / "kinds").mkdir()
    whole = {}
    for kind, write in writers.items():
        write(folder / "kinds" / f"whole.{kind}", members)
        whole[kind] = (folder / "kinds" / f"whole.{kind}").read_bytes()
    for kind, write in writers.items():
        write(folder / "kinds" / f"nest.{kind}", [(f"in/whole.{inner}", data) for inner, data in whole.items()])
    done = run("info", "--json", "--sha256", "kinds", cwd=folder)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and len(found) == 3 * 6 + 3 * 6 * 6, (len(found), done.stderr)
    assert all(line["sha256"] == digest for line in found), found
    whole["gz"], whole["bz2"] = members[1][1], members[2][1]
    seeded = random.Random(14)
    (folder / "broken").mkdir()
    for kind, data in whole.items():
        ending = f"bsp.{kind}" if kind in ("gz", "bz2") else kind
        for number in range(24):
            broken = bytearray(data)
            if number < 8:
                del broken[max(5, len(data) * number // 8):]
            for _ in range(number // 8):
                broken[seeded.randrange(len(broken))] ^= 1 << seeded.randrange(8)
            (folder / "broken" / f"{number:02}.{ending}").write_bytes(broken)
    done = run("info", "--json", "broken", cwd=folder)
    names = [json.loads(line)["file"] for line in done.stdout.splitlines()]
    assert done.returncode == 3 and b"info: %d files: " % len(names) in done.stderr, done.stderr
    for path in sorted((folder / "broken").iterdir()):
        own = f"broken/{path.name}"
        assert any(name == own or name.startswith(own + ":") for name in names), own


def check_caches(folder):
    """Files in the blocks of a GCF are as they were; as --game it is searched; what is encrypted, cut or
    goes round is reported and left out."""
    plain = (SAMPLES / "source/lobby.bsp").read_bytes()
    write_gcf(folder / "x.gcf", [("maps/y.bsp", plain), ("materials/tools/toolsclip.vmt", b"LightmappedGeneric {}\n"),
                                 ("empty.txt", b"")])
    done = run("info", "--json", "--sha256", "x.gcf:maps/y.bsp", cwd=folder)
    assert json.loads(done.stdout)["sha256"] == hashlib.sha256(plain).hexdigest(), done
    done = run("assets", "--json", "--game", "x.gcf", "x.gcf:maps/y.bsp", cwd=folder)
    found = {a["name"].lower(): a["found"] for a in json.loads(done.stdout)["assets"]}
    assert found["materials/tools/toolsclip.vmt"] == "x.gcf" and done.stderr == b"", done
    whole = (folder / "x.gcf").read_bytes()
    count = struct.unpack_from("<I", whole, 44)[0]
    tree = 76 + 28 * count + 16 + 4 * count
    absent = b"there is no file 'maps/y.bsp'"
    for at, value, said in ((tree + 56 + 2 * 28 + 12, 0x4100, absent), (76 + 16, 0, absent),
                            (tree + 28, 9, absent), (8, 4, b"GCF of version 4")):
        broken = bytearray(whole)
        struct.pack_into("<I", broken, at, value)
        (folder / "bad.gcf").write_bytes(broken)
        done = run("info", "bad.gcf:maps/y.bsp", cwd=folder)
        assert done.returncode == 3 and said in done.stderr, (said, done)
    (folder / "bad.gcf").unlink()
    (folder / "x.gcf").unlink()


def check_jobs(folder):
    """The same bytes on both outputs, in the same order, at any number of jobs."""
    everything = ["maps", "outer.zip", "pak0.pak", "torn.pk3", "not there"] * 7
    for words in (["info"], ["info", "--json"], ["check"], ["check", "--json"], ["lumps"],
                  ["entities", "--where", "classname=light*"], ["checksum"], ["assets"],
                  ["assets", "--json"]):
        alone = run(*words, "-r", "--jobs", 1, *everything, cwd=folder)
        assert alone.returncode == 3, alone
        for jobs in (2, 5, 100):
            many = run(*words, "-r", "-j", jobs, *everything, cwd=folder)
            assert many.returncode == alone.returncode
            assert many.stdout == alone.stdout, words
            assert many.stderr == alone.stderr, words


def check_outputs(folder):
    """Several maps out of an archive, written into a folder."""
    done = run("decompile", "outer.zip", "-o", "out/", cwd=folder)
    assert done.returncode == 3, done
    names = sorted(os.listdir(folder / "out"))
    assert names == ["e1m1.map", "q3.map", "top.map"], (names, done)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make(folder)
        check_names(folder)
        check_bytes(folder)
        check_packed(folder)
        check_archives(folder)
        check_caches(folder)
        check_jobs(folder)
        check_outputs(folder)
    print("folders, archives, lists, jobs: every file is accounted for")


main()
