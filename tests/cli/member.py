# SPDX-License-Identifier: MIT
"""Maps in archives: ARCHIVE:NAME and ARCHIVE/NAME are what the map is on the disk, in a PAK, a zip and a VPK
of two files, with and without the sandbox; they can be edited into another file, and not in place; a file of
that very name comes first."""
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import zipfile
import zlib

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path(os.environ["SOURCE"]) / "samples/quake/lobby.bsp"
NAME = "maps/lobby.bsp"


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, cwd=work)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done


def make_pak(path, data):
    directory = struct.pack("<56sII", NAME.encode(), 12, len(data))
    path.write_bytes(struct.pack("<4sII", b"PACK", 12 + len(data), len(directory)) + data + directory)


def make_zip(path, data):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(NAME, data)


def make_vpk(path, data):
    """The directory alone; the bytes are in pak01_000.vpk beside it."""
    tree = b"bsp\0maps\0lobby\0" + struct.pack("<IHHIIH", zlib.crc32(data), 0, 0, 0, len(data), 0xFFFF) + b"\0\0\0"
    path.write_bytes(struct.pack("<III", 0x55AA1234, 1, len(tree)) + tree)
    path.with_name("pak01_000.vpk").write_bytes(data)


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    data = SAMPLE.read_bytes()
    shutil.copy(SAMPLE, work / "lobby.bsp")
    expected = run("info", "--json", "lobby.bsp").stdout
    for archive, make in (("a.pak", make_pak), ("b.pk3", make_zip), ("pak01_dir.vpk", make_vpk)):
        make(work / archive, data)
        for path in (f"{archive}:{NAME}", f"{archive}/{NAME}", f"{work}/{archive}:{NAME}", f"{archive}:MAPS/LOBBY.BSP"):
            # What is told of the map is the same but for its path.
            told = run("info", "--json", path).stdout
            assert told.replace(path.encode(), b"lobby.bsp") == expected, (path, told, expected)
        run("check", f"{archive}:{NAME}")
        no_file = run("info", f"{archive}:maps/other.bsp", status=3)
        assert b"there is no file 'maps/other.bsp' in the archive" in no_file.stderr, no_file.stderr

        # Edited into a file it is the edited map; in place it is refused, and the archive stays.
        before = (work / archive).read_bytes()
        refused = run("convert", "--to", "bsp2", "--in-place", f"{archive}:{NAME}", status=2)
        assert b"not changed in place" in refused.stderr, refused.stderr
        run("convert", "--to", "bsp2", f"{archive}:{NAME}", "-o", "out.bsp")
        run("convert", "--to", "bsp2", "lobby.bsp", "-o", "same.bsp")
        assert (work / "out.bsp").read_bytes() == (work / "same.bsp").read_bytes()
        assert (work / archive).read_bytes() == before
        # The archive is read: nothing is written over it.
        over = run("convert", "--to", "bsp2", f"{archive}:{NAME}", "-o", archive, status=3)
        assert b"reads that file" in over.stderr, over.stderr
        assert (work / archive).read_bytes() == before
        (work / "out.bsp").unlink()
        (work / "same.bsp").unlink()

    # A file of that very name is the one that is meant.
    shutil.copy(SAMPLE.with_name("lobby_bsp2.bsp"), work / f"a.pak:{'lobby.bsp'}")
    assert b"bsp2" in run("info", "a.pak:lobby.bsp").stdout.lower()
    # What is no archive is told as such.
    not_one = run("info", "lobby.bsp:maps/x.bsp", status=3)
    assert not_one.stderr, not_one.stderr
    missing = run("info", "nothing.pak:maps/x.bsp", status=3)
    assert b"there is no such file or folder" in missing.stderr, missing.stderr
