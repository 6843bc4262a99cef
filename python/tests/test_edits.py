# SPDX-License-Identifier: MIT
"""Edits change what was asked and nothing else, whole or not at all."""
import io
import os
import shutil
import zipfile

import pytest

import bspkit
from conftest import ROOT


@pytest.fixture
def copy(sample, tmp_path):
    return pathlib_copy(sample, tmp_path)


def pathlib_copy(path, folder):
    return shutil.copy(path, folder / "map.bsp")


def lumps_of(path):
    return {lump.name: bytes(lump.data) for lump in bspkit.open(path).lumps}


def test_one_key(copy):
    before, old = lumps_of(copy), open(copy, "rb").read()
    with bspkit.open(copy).edit() as edit:
        assert edit.set("classname=info_player*", origin="64 64 40") >= 1
    after = lumps_of(copy)
    changed = {name.lower() for name in before if before[name] != after[name]}
    assert changed - {"game_lump"} == {"entities"}  # the offsets in a game lump's directory follow
    starts = bspkit.open(copy).entities.where("classname=info_player*")
    assert all(start.origin == (64, 64, 40) for start in starts)
    assert open(str(copy) + ".bak", "rb").read() == old


def test_entities_come_and_go(copy, tmp_path):
    with bspkit.open(copy).edit(to=tmp_path / "new.bsp") as edit:
        count = len(edit.entities)
        del edit.entities[1]
        edit.entities.append(bspkit.Entity({"classname": "light", "origin": "1 2 3"}))
    new = bspkit.open(tmp_path / "new.bsp").entities
    assert len(new) == count and new[-1].origin == (1, 2, 3)
    assert not os.path.exists(str(copy) + ".bak")


def test_nothing_changed_is_the_same_file(copy, tmp_path):
    with bspkit.open(copy).edit(to=tmp_path / "same.bsp"):
        pass
    assert (tmp_path / "same.bsp").read_bytes() == open(copy, "rb").read()


def test_a_closed_file(copy, tmp_path):
    """An edit lasts longer than the file that it was begun with."""
    with bspkit.open(copy) as file:
        edit = file.edit(to=tmp_path / "new.bsp")
    with edit:
        assert edit.set("classname=worldspawn", message="new") == 1
    assert bspkit.open(tmp_path / "new.bsp").entities[0].get("message") == "new"


def test_an_exception_writes_nothing(copy):
    before, names = open(copy, "rb").read(), set(os.listdir(os.path.dirname(copy)))
    with pytest.raises(ZeroDivisionError):
        with bspkit.open(copy).edit() as edit:
            edit.entities.clear()
            1 / 0
    assert open(copy, "rb").read() == before and set(os.listdir(os.path.dirname(copy))) == names


def test_damage_is_refused(copy):
    before = open(copy, "rb").read()
    name = next(lump.name for lump in bspkit.open(copy).lumps if lump.name.lower() in ("faces", "surfaces"))
    with pytest.raises(bspkit.Refused) as failure:
        with bspkit.open(copy).edit() as edit:
            edit.lumps[name] = b"\xff" * bspkit.open(copy)[name].size
    assert failure.value.issues and open(copy, "rb").read() == before


def test_a_change_by_another_program_is_noticed(copy):
    with pytest.raises(bspkit.Error):
        with bspkit.open(copy).edit() as edit:
            edit.set("classname=worldspawn", message="new")
            with open(copy, "ab") as file:
                file.write(b"more")
    assert open(copy, "rb").read().endswith(b"more")


def test_rights_stay(copy):
    os.chmod(copy, 0o640)
    with bspkit.open(copy).edit() as edit:
        edit.set("classname=worldspawn", message="new")
    assert os.stat(copy).st_mode & 0o777 == 0o640


def test_pak(tmp_path):
    path = pathlib_copy(ROOT / "samples" / "source" / "lobby.bsp", tmp_path)
    gone = next(iter(bspkit.open(path).pak))
    with bspkit.open(path).edit() as edit:
        edit.pak["cfg/new.cfg"] = b"hello"
        edit.pak[gone] = None
    file = bspkit.open(path)
    assert file.pak["cfg/new.cfg"] == b"hello" and gone not in file.pak
    with zipfile.ZipFile(io.BytesIO(file["PAKFILE"].data.tobytes())) as archive:
        assert archive.testzip() is None and archive.read("cfg/new.cfg") == b"hello"


def test_new_pak():
    with zipfile.ZipFile(io.BytesIO(bspkit.new_pak({"a/b.txt": b"c"}))) as archive:
        assert archive.read("a/b.txt") == b"c"
