# SPDX-License-Identifier: MIT
"""Files beside Respawn's maps that hold lumps of them: shown, read, and changed where they stand; on
a map made here, and on that of the corpus (../shared/corpus, left out when it is not there)."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
REAL = sorted(pathlib.Path("../shared/corpus/source/titanfall_rbsp").glob("*.bsp"))
HEAD = 16 + 128 * 16
WORLD = b'{\n"classname" "worldspawn"\n}\n\0'
FOG = b'ENTITIES01\n{\n"classname" "env_fog"\n}\n{\n"classname" "light"\n}\n\0'
OTHER = b'{\n"classname" "worldspawn"\n"message" "beside"\n}\n\0'


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr, done.stdout[:200])
    return done.stderr if status == 3 else done.stdout


def make(folder):
    """A map of nothing but a world, whose own text another file stands for, and more entities."""
    entries = bytearray(128 * 16)
    struct.pack_into("<4I", entries, 0, HEAD, len(WORLD), 0, 0)
    path = folder / "room.bsp"
    path.write_bytes(b"rBSP" + struct.pack("<3I", 37, 7, 127) + bytes(entries) + WORLD)
    (folder / "room.bsp.0000.bsp_lump").write_bytes(OTHER)
    (folder / "room_env.ent").write_bytes(FOG)
    return path


def lumps(path, *options):
    return json.loads(run("lumps", "--json", *options, path))["lumps"]


def check_left_out(folder):
    """A map that came without the file of a lump is told which one it lacks."""
    entries = bytearray(128 * 16)
    struct.pack_into("<4I", entries, 24 * 16, 5000, 64, 0, 0)
    path = folder / "bare.bsp"
    path.write_bytes(b"rBSP" + struct.pack("<3I", 37, 7, 127) + bytes(entries))
    told = run("check", path, status=1)
    assert b"the file ends at 2064, and no .0018.bsp_lump beside it was read" in told, told


def check_shown(path):
    listed = {lump["name"]: lump for lump in lumps(path)}
    assert listed["ENTITIES"]["external"] == "room.bsp.0000.bsp_lump"
    assert listed["ENTITIES"]["size"] == len(OTHER)
    assert listed["ent:env"]["external"] == "room_env.ent"
    assert "external" not in listed["PLANES"]
    assert not any("external" in lump for lump in lumps(path, "--no-external"))
    info = json.loads(run("info", "--json", path))
    assert info["entities"] == 3
    assert info["external"] == [{"name": "room.bsp.0000.bsp_lump", "size": len(OTHER)},
                                {"name": "room_env.ent", "size": len(FOG)}]
    assert b"2 files" in run("info", path)
    assert b"room_env.ent" in run("lumps", path)
    assert b"external-file-size" in run("check", path)
    assert run("lump", "extract", path, "0") == OTHER
    assert run("lump", "extract", "--no-external", path, "0") == WORLD
    assert b"beside" in run("entities", path) and b"env_fog" in run("entities", path)
    assert run("entities", "--count", "--lump", "ent:env", path) == b"2\n"
    run("entities", "--lump", "planes", path, status=2)


def check_changed(path, folder):
    before = {file.name: file.read_bytes() for file in folder.iterdir()}

    def expect(**changed):
        now = {file.name: file.read_bytes() for file in folder.iterdir()}
        assert now == {**before, **changed}, (now.keys(), before.keys())

    # In place: that file, and nothing else.
    edit = ["entities", "--where", "classname=light", "--set", "style=3", "--lump", "ent:env"]
    run(*edit, "--in-place", path)
    styled = FOG.replace(b'"light"\n}', b'"light"\n"style" "3"\n}')
    expect(**{"room_env.ent": styled, "room_env.ent.bak": FOG})
    run("entities", "--where", "classname=light", "--unset", "style", "--lump", "ent:env",
        "--in-place", "--no-backup", path)
    (folder / "room_env.ent.bak").unlink()
    expect()
    # To another folder, or as another file.
    with tempfile.TemporaryDirectory() as other:
        other = pathlib.Path(other)
        run(*edit, path, "-o", str(other) + "/")
        assert [file.name for file in other.iterdir()] == ["room_env.ent"]
        assert (other / "room_env.ent").read_bytes() == styled
        run("entities", "--index", "0", "--set", "message=x", path, "-o", other / "new")
        assert (other / "new").read_bytes() == OTHER.replace(b"beside", b"x")
        data = other / "data"
        data.write_bytes(WORLD)
        run("lump", "replace", path, "0", data, "-o", other / "lump")
        assert (other / "lump").read_bytes() == WORLD
        # What cannot be said in such a file, or would break the map, is not written.
        run("lump", "remove", path, "0", "-o", other / "none", status=3)
        run("lump", "replace", "--version", "3", path, "0", data, "-o", other / "none", status=3)
        data.write_bytes(b"odd")
        said = run("lump", "replace", path, "0", data, "-o", other / "none", status=3)
        assert b"new problem" in said, said
        # The map's own text, and lumps that only the map has.
        run("entities", "--no-external", "--index", "0", "--set", "message=y", path,
            "-o", other / "own.bsp")
        assert b'"y"' in (other / "own.bsp").read_bytes()
        data.write_bytes(bytes(16))
        run("lump", "replace", path, "planes", data, "-o", other / "own.bsp")
        assert len((other / "own.bsp").read_bytes()) > path.stat().st_size
        assert not (other / "none").exists()
    expect()


def check_real(path, folder):
    """Every lump in a file of its own, and nothing in the map but its directory."""
    data = path.read_bytes()
    alone = folder / "alone.bsp"
    alone.write_bytes(data[:HEAD])
    files = 0
    for index in range(128):
        offset, size = struct.unpack_from("<2I", data, 16 + 16 * index)
        if size != 0:
            (folder / f"alone.bsp.{index:04x}.bsp_lump").write_bytes(data[offset:offset + size])
            files += 1
    before, after = lumps(path), lumps(alone)
    assert sum("external" in lump for lump in after) == files + 1  # the game lump's lump too
    for old, new in zip(before, after):
        assert old["name"] == new["name"] and old["records"] == new["records"]
        if old["size"] != 0:
            number = old["name"]
            assert run("dump", "--json", path, number) == run("dump", "--json", alone, number)


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    room = make(work)
    check_left_out(work)
    check_shown(room)
    check_changed(room, work)
    for real in REAL:
        check_real(real, work)
