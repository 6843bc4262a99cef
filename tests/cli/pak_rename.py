# SPDX-License-Identifier: MIT
"""A map under another name: which files and paths change was written down by hand; what only looks
alike stays; what cannot be changed leaves no output. Maps of the corpus go there and back."""
import io
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import zipfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path(os.environ["SOURCE"], "samples/source/lobby.bsp")
SHARED = pathlib.Path(os.environ["SOURCE"], "../shared")
MAPS = ["corpus/named/od_background01.bsp", "corpus/named/cs-source__maps__de_rats_kitchen.bsp",
        "models/maps/cs-source__maps__dance_night_knife4.bsp",
        "corpus/source/v20/gg-cstrike__maps__gg_tx_complex_v1.bsp"]

# The files of the made map under the name "lobby", and under the name "hall.v2".
FILES = {
    "materials/maps/lobby/made/floor_1_2_3.vmt": (
        "materials/maps/hall.v2/made/floor_1_2_3.vmt",
        'patch { include "materials/maps/lobby/made/floor.vmt" insert { "$envmap" "maps/LOBBY/c1_2_3" } }',
        'patch { include "materials/maps/hall.v2/made/floor.vmt" insert { "$envmap" "maps/hall.v2/c1_2_3" } }'),
    "materials/maps/LOBBY/maps/lobby/water_depth.vmt": (
        "materials/maps/hall.v2/maps/hall.v2/water_depth.vmt",
        "Water { $bottommaterial maps\\lobby\\maps\\lobby\\under }",
        "Water { $bottommaterial maps\\hall.v2\\maps\\hall.v2\\under }"),
    "materials/maps/lobby/c1_2_3.vtf": ("materials/maps/hall.v2/c1_2_3.vtf", "VTF\0\1\2", "VTF\0\1\2"),
    "maps/lobby.nav": ("maps/hall.v2.nav", "\1\0", "\1\0"),
    "maps/lobby_level_sounds.txt": ("maps/hall.v2_level_sounds.txt", '"lobby.bell" { "wave" "lobby/bell.wav" }',
                                    '"lobby.bell" { "wave" "lobby/bell.wav" }'),
    "scripts/soundscapes_lobby.txt": ("scripts/soundscapes_hall.v2.txt", "x", "x"),
    "resource/overviews/lobby.txt": ("resource/overviews/hall.v2.txt",
                                     '"lobby" { "material" "overviews/lobby" } // maps/lobby2.txt',
                                     '"lobby" { "material" "overviews/hall.v2" } // maps/lobby2.txt'),
    "materials/overviews/lobby.vmt": ("materials/overviews/hall.v2.vmt", "x", "x"),
    # These stay.
    "maps/lobby2.nav": ("maps/lobby2.nav", "x", "x"),
    "sound/maps/lobby/bell.wav": ("sound/maps/lobby/bell.wav", "\0", "\0"),
    "cfg/made.cfg": ("cfg/made.cfg", "changelevel lobby; exec sound/maps/lobby/x",
                     "changelevel lobby; exec sound/maps/lobby/x"),
}
ENTITIES = ('{\n"classname" "color_correction"\n"filename" "maps/lobby/dusk.raw"\n}\n'
            '{\n"classname" "infodecal"\n"texture" "materials/maps/Lobby/spot"\n"message" "lobby"\n}\n')


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done


def lump(path, name):
    """The unpacked bytes."""
    return run("lump", "extract", path, name).stdout


def files_of(path):
    with zipfile.ZipFile(io.BytesIO(lump(path, "pakfile"))) as archive:
        assert archive.testzip() is None, path
        return {info.filename: archive.read(info) for info in archive.infolist()}


def strings_of(path):
    data = lump(path, "TEXDATA_STRING_DATA")
    table = lump(path, "TEXDATA_STRING_TABLE")
    return [data[at:data.index(b"\0", at)].decode("latin1")
            for (at,) in struct.iter_unpack("<i", table)]


def problems(path):
    done = subprocess.run([BSPKIT, "check", path], capture_output=True, check=False)
    return sorted(line.rsplit("[")[-1] for line in done.stdout.decode("latin1").splitlines()
                  if line.startswith(("warning:", "error:")))


def made_map(work):
    """The sample with the files and references of a map called lobby."""
    for name, (_, text, _) in FILES.items():
        path = work / "content" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin1"))
    (work / "all.ent").write_bytes(run("entities", SAMPLE).stdout + ENTITIES.encode())
    run("entities", "--import", work / "all.ent", SAMPLE, "-o", work / "1.bsp")
    data = (work / "1.bsp").read_bytes()
    for old, new in ((b"\0LOBBY/BRICK1\0", b"\0maps/lobby/A\0"), (b"\0LOBBY/STONE1\0", b"\0MAPS/LOBBY/B\0")):
        assert data.count(old) == 1, (old, data.count(old))
        data = data.replace(old, new)
    (work / "2.bsp").write_bytes(data)
    run("pak", "add", work / "2.bsp", str(work / "content") + "/", "-o", work / "lobby.bsp")
    return work / "lobby.bsp"


def check_made(work):
    path = made_map(work)
    before, strings = files_of(path), strings_of(path)
    done = run("pak", "rename", path, "hall.v2", "-o", work / "hall.v2.bsp")
    assert b"lobby is now hall.v2: 10 files, 11 paths" in done.stderr, done.stderr
    out = work / "hall.v2.bsp"
    want = {new: text.encode("latin1") for new, _, text in FILES.values()}
    for name, data in before.items():
        if name not in FILES and name.startswith("materials/maps/lobby/"):  # the sample's own two
            assert name.endswith(".vtf") or data.count(b"maps/lobby/") == 1
            want[name.replace("maps/lobby/", "maps/hall.v2/", 1)] = data.replace(b"maps/lobby/", b"maps/hall.v2/")
        elif name not in FILES:
            want[name] = data
    got = files_of(out)
    assert got == want, (set(got) ^ set(want), [n for n in got if got[n] != want.get(n)])
    expect = {"maps/lobby/A": "maps/hall.v2/A", "MAPS/LOBBY/B": "MAPS/hall.v2/B",
              "maps/lobby/LOBBY/TRIM1_128_112_80": "maps/hall.v2/LOBBY/TRIM1_128_112_80"}
    assert strings_of(out) == [expect.get(s, s) for s in strings]
    assert set(expect) <= set(strings)
    text = run("entities", path).stdout.decode("latin1")
    assert run("entities", out).stdout.decode("latin1") == text.replace(
        "maps/lobby/dusk", "maps/hall.v2/dusk").replace("maps/Lobby/spot", "maps/hall.v2/spot")
    assert problems(out) == problems(path)
    # There and back.
    run("pak", "rename", "--from", "hall.v2", out, "lobby", "-o", work / "back.bsp")
    assert {n.lower() for n in files_of(work / "back.bsp")} == {n.lower() for n in before}
    assert [s.lower() for s in strings_of(work / "back.bsp")] == [s.lower() for s in strings]
    return path


def check_refused(work, path):
    old = path.read_bytes()
    for name in ("", "a/b", "..", "a b", "a\\b", 'a"b', "x" * 64, ".bsp"):
        run("pak", "rename", path, name, "-o", work / "no.bsp", status=2)
    run("pak", "rename", path, status=2)
    run("pak", "rename", "--from", "none", path, "new", "-o", work / "no.bsp", status=1)
    run("pak", "rename", SAMPLE.parent.parent / "goldsrc/lobby.bsp", "new", "-o", work / "no.bsp", status=1)
    # A path that is taken, and a path in what is no text.
    (work / "x").write_text("x")
    (work / "list").write_text(f"maps/hall.nav\n{work / 'x'}\n")
    run("pak", "add", "--list", work / "list", path, "-o", work / "taken.bsp")
    run("pak", "rename", work / "taken.bsp", "hall", "-o", work / "no.bsp", status=2)
    (work / "x").write_bytes(b"\0\0maps/lobby/spark.vmt\0")
    (work / "list").write_text(f"particles/made.pcf\n{work / 'x'}\n")
    run("pak", "add", "--list", work / "list", path, "-o", work / "named.bsp")
    done = run("pak", "rename", "--in-place", work / "named.bsp", "hall", status=3)
    assert b"particles/made.pcf" in done.stderr
    # A damaged file stays as it is, unless it bears the name.
    for content, status in (b"\"lobby.bell\" {", 3), (b"changelevel lobby", 0):
        data = path.read_bytes()
        assert data.count(content) == 1
        (work / "damaged.bsp").write_bytes(data.replace(content, content[::-1]))
        run("pak", "rename", "--force", work / "damaged.bsp", "hall", "-o", work / "kept.bsp", status=status)
    assert not (work / "no.bsp").exists() and not (work / "named.bsp.bak").exists()
    assert path.read_bytes() == old


def check_map(path, work):
    before, strings = files_of(path), strings_of(path)
    out = work / "new_name.bsp"
    done = run("pak", "rename", path, "new_name", "-o", out)
    old = done.stderr.decode().split(" is now ")[0].split()[-1].lower()
    after = files_of(out)
    assert len(after) == len(before) and problems(out) == problems(path)
    for name, data in after.items():
        assert f"maps/{old}/" not in name.lower(), name
        assert f"maps/{old}/" not in data.decode("latin1").lower().replace("\\", "/"), name
    assert not any(f"maps/{old}/" in s.lower() for s in strings_of(out))
    assert f"maps/{old}/".encode() not in lump(out, "entities").lower()
    counts = [json.loads(subprocess.run([BSPKIT, "assets", "--json", p], capture_output=True,
                                        check=False).stdout)["missing"] for p in (path, out)]
    assert counts[0] == counts[1], (path, counts)
    run("pak", "rename", out, old, "-o", work / "back.bsp")
    assert [s.lower() for s in strings_of(work / "back.bsp")] == [s.lower() for s in strings]
    again = files_of(work / "back.bsp")
    assert {n.lower(): d.lower() for n, d in again.items()} == {n.lower(): d.lower() for n, d in before.items()}
    return done.stderr.decode().split(" is now ")[1].strip()


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    check_refused(work, check_made(work))
    for name in MAPS:
        if (SHARED / name).exists():
            print(name, check_map(SHARED / name, work))
        else:
            print("SKIP:", name, "is not there")
