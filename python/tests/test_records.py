# SPDX-License-Identifier: MIT
"""Records, entities and embedded files are those that the command prints."""
import gc
import hashlib
import math
import pathlib
import struct
import zipfile
import io

import numpy as np
import pytest

import bspkit
from conftest import ROOT, SAMPLES, SHARED, command_json


def plain(value):
    """A value of an array as JSON has it."""
    if isinstance(value, np.void) and value.dtype.names is None:
        return value.tobytes().hex()
    if isinstance(value, bytes):
        return value.split(b"\0")[0].decode("latin-1")
    if isinstance(value, np.ndarray):
        return [plain(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def same(ours, theirs):
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(same(a, b) for a, b in zip(ours, theirs))
    if theirs == -1 and ours in (0xFF, 0xFFFF, 0xFFFFFFFF):  # dump shows "none" of unsigned fields so
        return True
    if isinstance(theirs, str) and isinstance(ours, float):
        return not math.isfinite(ours)
    if isinstance(theirs, float) and isinstance(ours, float):
        return struct.pack("f", ours) == struct.pack("f", theirs)
    return ours == theirs


def test_records_are_those_of_dump(sample):
    file = bspkit.open(sample)
    tried = 0
    for lump in file.lumps:
        if lump.kind != bspkit.LumpKind.ARRAY or not lump.size:
            continue
        records = lump.records
        told = command_json("dump", "--json", sample, lump.name)[0]
        assert len(records) == len(told), lump
        for ours, theirs in zip(records, told):
            if not isinstance(theirs, dict):
                assert same(plain(ours), theirs), lump
                continue
            for name, value in theirs.items():
                assert same(plain(ours[name]), value), (lump, name)
        tried += 1
    assert tried >= 9


def test_records_are_no_copy():
    file = bspkit.open(SAMPLES[0])
    planes = file.records("PLANES")
    assert np.shares_memory(planes, file["planes"].data) and np.shares_memory(planes, file.data)
    with pytest.raises(ValueError):
        planes["dist"][0] = 1


def test_json_is_that_of_dump(sample):
    file = bspkit.open(sample)
    for lump in file.lumps:
        if lump.size and lump.kind not in (bspkit.LumpKind.ARRAY, bspkit.LumpKind.ZIP) and lump.size < 1 << 20:
            assert lump.json() == command_json("dump", "--json", sample, lump.name)[0], lump


def test_facts(sample):
    file = bspkit.open(sample)
    told = command_json("info", "--json", sample)[0]
    assert (file.branch, file.version, file.family.name.lower()) == (told["branch"], told["version"], told["family"])
    assert [lump.name for lump in file.lumps][:len(told["lumps"])] == [lump["name"] for lump in told["lumps"]]
    assert file.sha256 == hashlib.sha256(pathlib.Path(sample).read_bytes()).hexdigest()
    assert bytes(file.data) == pathlib.Path(sample).read_bytes()


def test_entities(sample):
    file = bspkit.open(sample)
    told = command_json("entities", "--json", sample)[0]
    assert [[list(pair) for pair in entity.pairs] for entity in file.entities] == [one["pairs"] for one in told]
    lights = command_json("entities", "--json", "--where", "classname=light*", sample)[0]
    assert file.entities.numbers("classname=light*") == [one["index"] for one in lights]
    assert file.entities[0].classname == "worldspawn" and "CLASSNAME" in file.entities[0]


def test_repeated_keys():
    entity = bspkit.Entity([("classname", "logic_relay"), ("OnTrigger", "a"), ("OnTrigger", "b")])
    assert entity["ontrigger"] == "a" and entity.all("OnTrigger") == ["a", "b"] and len(entity) == 2
    assert entity.changed(ontrigger="c").pairs == (("classname", "logic_relay"), ("OnTrigger", "c"))
    assert entity.changed(OnTrigger=None, angle="90").pairs == (("classname", "logic_relay"), ("angle", "90"))
    assert entity != bspkit.Entity([("classname", "logic_relay")])


def test_pak():
    source = ROOT / "samples" / "source" / "lobby.bsp"
    file = bspkit.open(source)
    with zipfile.ZipFile(io.BytesIO(file["PAKFILE"].data.tobytes())) as archive:
        assert list(file.pak) == archive.namelist() and len(file.pak) > 10
        for name in archive.namelist():
            assert file.pak[name] == archive.read(name)
    with pytest.raises(KeyError):
        file.pak["not there"]


def test_errors_have_their_place():
    with pytest.raises(bspkit.NotFoundError) as failure:
        bspkit.open("not there.bsp")
    assert failure.value.code == bspkit.Code.E_NOT_FOUND and isinstance(failure.value, FileNotFoundError)
    with pytest.raises(bspkit.FormatError) as failure:
        bspkit.open_bytes(b"not a map at all")
    assert "not a BSP" in str(failure.value)
    with pytest.raises(KeyError):
        bspkit.open(SAMPLES[0])["no such lump"]
    with pytest.raises(bspkit.Error):
        bspkit.open(SAMPLES[0], branch="no such branch")


def test_issues_are_those_of_check():
    for path in sorted((ROOT / "tests" / "kept").glob("*.bsp"))[:20]:
        try:
            file = bspkit.open(path)
        except bspkit.Error:
            continue
        told = command_json("check", "--json", path)[0]["issues"]
        found = file.check()
        assert [(issue.id, issue.severity.name.lower(), issue.text) for issue in found][:len(told)] == \
            [(one["id"], one["severity"], one["text"]) for one in told], path


def test_arrays_live_as_long_as_they_are_used(sample):
    planes = bspkit.open(sample).map.planes
    normal = planes["normal"][3:5]
    records = bspkit.open(sample).records("MODELS")
    before = normal.copy(), records.copy()
    del planes
    gc.collect()
    junk = [bspkit.open(sample).map for _ in range(20)]
    assert np.array_equal(normal, before[0]) and np.array_equal(records.tobytes(), before[1].tobytes()) and junk


def test_many_files_are_let_go():
    resident = pathlib.Path("/proc/self/statm")
    if not resident.exists():
        pytest.skip("no /proc")
    for round_ in range(400):
        with bspkit.open(SAMPLES[0]) as file:
            assert len(file.map.faces) and len(file.entities)
        if round_ == 100:
            gc.collect()
            before = int(resident.read_text().split()[1])
    gc.collect()
    assert int(resident.read_text().split()[1]) < before + 2048  # pages: 8 MiB


def test_corpus():
    maps = sorted(SHARED.glob("named/*.bsp"))
    if not maps:
        pytest.skip("the shared maps are not there")
    for path in maps:
        with bspkit.open(path) as file:
            told = command_json("info", "--json", path)[0]
            assert len(file.entities) == told["entities"]
            for lump, line in zip(file.lumps, told["lumps"]):
                if lump.kind == bspkit.LumpKind.ARRAY and line["records"] is not None:
                    assert len(lump.records) == line["records"], (path, lump)


def test_budget():
    with pytest.raises(bspkit.LimitError):
        bspkit.open(SAMPLES[0], budget=bspkit.Budget(memory=4096)).map
    budget = bspkit.Budget()
    assert bspkit.open(SAMPLES[0], budget=budget).map and budget.used["memory"] > 10000
    stopped = bspkit.Budget()
    file = bspkit.open(SAMPLES[0], budget=stopped)
    stopped.stop()
    with pytest.raises(bspkit.Error) as failure:
        file.map
    assert failure.value.code == bspkit.Code.E_CANCELLED
