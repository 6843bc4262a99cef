# SPDX-License-Identifier: MIT
"""Entities changed, on every sample map and on maps of the corpus (../shared/corpus, left out when
it is not there): each of them in the thorough suite: what was asked for and not a byte else, and back."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from random import Random

BSPKIT = os.environ["BSPKIT"]
CORPUS = pathlib.Path("../shared/corpus")
FAMILIES = ["quake", "goldsrc", "quake2", "quake3", "source"]


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr, done.stdout[:200])
    return done.stdout


def maps():
    found = sorted(pathlib.Path("samples").glob("*/*.bsp"))
    step = 1 if "BSPKIT_THOROUGH" in os.environ else 5
    for family in FAMILIES:
        found += sorted((CORPUS / family).glob("**/*.bsp"))[::step]
    return found


def lumps(path):
    data = path.read_bytes()
    listed = json.loads(run("lumps", "--json", path))["lumps"]
    return {(lump["index"], lump["name"]): data[lump["offset"]:lump["offset"] + lump["size"]]
            for lump in listed}, listed


def issues(path):
    """Errors and warnings by their number; of notes only which kinds there are, for where all lies
    unaligned a lump more or less is by chance."""
    report = json.loads(subprocess.run([BSPKIT, "check", "--json", path], capture_output=True,
                                       check=False).stdout)
    notes = {issue["id"] for issue in report["issues"] if issue["severity"] == "note"}
    return report["errors"], report["warnings"], notes


def is_same(old, new):
    """To the byte, or but for padding between lumps that was no zeros and is now."""
    a, b = old.read_bytes(), new.read_bytes()
    return a == b or (len(a) == len(b) and lumps(old)[0] == lumps(new)[0] and
                      all(x == y or y == 0 for x, y in zip(a, b)))


def check_neighbours(old, new):
    """All lumps but the entities are the same; the game lump's offsets may move."""
    before, listed = lumps(old)
    after, now = lumps(new)
    assert list(before) == list(after), new
    for (key, data), lump, other in zip(before.items(), listed, now):
        assert lump["compressed"] == other["compressed"], (new, key)
        if lump["kind"] not in ("entities", "game lumps"):
            assert after[key] == data, (new, key)
    assert all(a <= b for a, b in zip(issues(new), issues(old))), (old, issues(old), issues(new))


def pairs(path):
    return [entity["pairs"] for entity in json.loads(run("entities", "--json", path))]


def check_forms(path, work):
    """Out as text or JSON, and in again: the same file."""
    out = work / "out.bsp"
    for name in ("map.ent", "map.json"):
        run("entities", "--export", work / name, path)
        run("entities", "--import", work / name, "-o", out, "--force", path)
        assert out.read_bytes() == path.read_bytes(), (path, name)
        assert run("entities", "--dry-run", "--import", work / name, path) == b"", (path, name)


def check_keys(path, work):
    """A key that comes and goes; a key renamed and back; a value and back."""
    data = run("lump", "extract", "--unpacked", path, "entities")
    one, two = work / "one.bsp", work / "two.bsp"
    before = pairs(path)
    number = len(before) - 1
    run("entities", "--index", number, "--set", "zz_new=a value", "-o", one, path)
    wanted = [list(entity) for entity in before]
    wanted[number].append(["zz_new", "a value"])
    assert pairs(one) == wanted, path
    check_neighbours(path, one)
    run("entities", "--index", number, "--rename", "ZZ_NEW=zz_old", "-o", two, one)
    wanted[number][-1][0] = "zz_old"
    assert pairs(two) == wanted, path
    run("entities", "--index", number, "--unset", "zz_old", "-o", one, two)
    assert pairs(one) == before, path
    key, value = before[0][0]
    if value.isascii() and '"' not in value and value.isprintable():
        run("entities", "--index", 0, "--set", f"{key}=changed", "-o", two, "--force", path)
        run("entities", "--index", 0, "--set", f"{key}={value}", "-o", one, two)
        same = is_same(path, one)
        if any(lump["compressed"] for lump in lumps(path)[1]):  # by another packer: other bytes
            same = all(run("lump", "extract", "--unpacked", p, "entities") == data
                       for p in (one, path))
        assert same, (path, key)


def check_entities(path, work):
    """An entity added and removed; one removed by JSON; one added by JSON."""
    one, two = work / "one.bsp", work / "two.bsp"
    before = pairs(path)
    (work / "add.txt").write_bytes(b'{\n"classname" "info_null"\n"origin" "1 2 3"\n}\n')
    new = [["classname", "info_null"], ["origin", "1 2 3"]]
    run("entities", "--add", work / "add.txt", "-o", one, path)
    assert pairs(one) == [*before, new], path
    check_neighbours(path, one)
    text = run("entities", "--dry-run", "--add", work / "add.txt", path).decode()
    assert text == (f'@ {len(before)} info_null\n+ "classname" "info_null"\n'
                    '+ "origin" "1 2 3"\n'), text
    run("entities", "--index", len(before), "--remove", "-o", two, one)
    assert pairs(two) == before, path
    listed = json.loads(run("entities", "--json", path))
    if len(listed) > 2:
        del listed[1]
        listed.insert(1, {"pairs": new})
        (work / "list.json").write_text(json.dumps(listed))
        run("entities", "--import", work / "list.json", "-o", one, "--force", path)
        assert pairs(one) == [before[0], new, *before[2:]], path


def check_patch(path, work):
    """A .lmp file is what the lump would be."""
    one = work / "one.bsp"
    change = ["--index", 0, "--set", "zz_new=1"]
    run("entities", *change, "--export", work / "map_l_0.lmp", path)
    run("entities", *change, "-o", one, path)
    if not lumps(path)[1][0]["compressed"]:  # an uncompressed lump comes in the place of its own
        wanted = run("entities", "--json", one)
        assert run("entities", "--json", "--lmp", work / "map_l_0.lmp", path) == wanted, path
    packed = "--unpacked" if lumps(path)[1][0]["compressed"] else "--lmp"
    data = (work / "map_l_0.lmp").read_bytes()
    assert run("lump", "extract", "--unpacked", one, 0) == data[20:], path
    if packed == "--lmp":
        assert run("lump", "extract", "--lmp", one, 0) == data, path


def check_stripper(work):
    """What a server with Stripper:Source would make of it, worked out by hand."""
    out = work / "map.cfg"
    path = "samples/source/lobby.bsp"
    run("entities", "--index", 1, "--index", 8, "--set", "speed=50", "--unset", "wait", "--export",
        out, path)
    text = out.read_text()
    assert text.count("modify:\n{\n    match:\n    {\n") == 2, text
    assert '        "targetname" "corridor_door"\n' in text
    assert ('    delete:\n    {\n        "speed" "100"\n        "wait" "4"\n    }\n'
            '    insert:\n    {\n        "speed" "50"\n    }\n}\n') in text, text
    assert '    insert:\n    {\n        "speed" "50"\n    }\n}\n' in text.split("modify:")[2]
    run("entities", "--index", 1, "--remove", "--export", out, path)
    assert out.read_text().startswith('filter:\n{\n"origin" "336 128 48"\n'), out.read_text()
    run("entities", "--index", 1, "--export", out, path)
    assert out.read_text().startswith('add:\n{\n"origin" "336 128 48"\n'), out.read_text()


PAIR = re.compile(r'"([^"]*)" "([^"]*)"')


def told_by_dry_run(text, count):
    """Pairs that go and come: entity (None: a new one), sign, key, value."""
    told = []
    for line in text.splitlines():
        if line.startswith("@ "):
            number = int(line.split()[1])
        else:
            key, value = PAIR.fullmatch(line[2:]).groups()
            told.append((number if number < count else -1, line[0], key, value))
    return sorted(told)


def told_by_diff(report):
    """The same of what bspkit diff --json says."""
    told = []
    for part in report["parts"]:
        assert part["part"] in ("entities", "counts", "file"), part["part"]
        for one in part["differences"] if part["part"] == "entities" else []:
            new = one["kind"] == "added" and "field" not in one
            for sign, side in (("-", one.get("before")), ("+", one.get("after"))):
                if side is None:
                    continue
                pairs = [(one["field"], side)] if "field" in one else PAIR.findall(side)
                told += [(-1 if new else one["record"], sign, *pair) for pair in pairs]
    return sorted(told)


def shake(listed, random):
    """Another order, some values changed, one entity less and one more; the world stays the first."""
    for entity in listed:
        entity.pop("index", None)
    for entity in random.sample(listed, 3):
        random.choice(entity["pairs"])[1] = f"changed {random.random()}"
    random.choice(listed)["pairs"].append(["zz_new", "1"])
    random.choice(listed)["pairs"].pop()
    rest = random.sample(listed[1:], len(listed) - 2)
    return [listed[0], *rest, {"pairs": [["classname", "added"], ["a", "b"]]}]


def check_same_as_diff(work):
    """bspkit diff says of a changed map what --dry-run --import said of its entities."""
    out = work / "changed.bsp"
    random = Random(12)
    for path in ("samples/source/lobby.bsp", "samples/quake/lobby.bsp", "samples/quake3/lobby.bsp"):
        count = len(pairs(path))
        listed = json.loads(run("entities", "--json", path))
        for _ in range(6):
            listed = shake(listed, random)
            (work / "list.json").write_text(json.dumps(listed))
            change = ["--import", work / "list.json"]
            text = run("entities", "--dry-run", *change, path).decode()
            run("entities", *change, "--force", "-o", out, path)
            found = told_by_diff(json.loads(run("diff", "--json", path, out, status=1)))
            assert found and found == told_by_dry_run(text, count), (path, text, found)


def check_refused(work):
    path = "samples/quake/lobby.bsp"
    out = work / "refused.bsp"
    (work / "bad.json").write_text('[{"index": 100000, "pairs": []}]')
    (work / "worse.json").write_text('[{"pairs": [["a"]]}]')
    (work / "bad.txt").write_text("no entity")
    for status, arguments in [
            (2, ["--set", "a=b"]), (2, ["--index", 0, "--set", "a"]), (2, ["--remove"]),
            (2, ["--index", 0, "--set", 'a="']), (2, ["--index", 0, "--rename", "a"]),
            (1, ["--index", 99999, "--set", "a=b"]), (1, ["--where", "a=b", "--remove"]),
            (3, ["--import", work / "bad.json"]), (3, ["--import", work / "worse.json"]),
            (3, ["--import", work / "bad.txt"]), (2, ["--add", work / "bad.txt"]),
            (3, ["--import", work / "missing"]), (2, ["--lmp", work / "a", "--add", work / "b"]), (3, ["--export", work / "x.lmp"])]:
        where = [] if "--export" in arguments else ["-o", out]
        run("entities", *arguments, *where, path, status=status)
        assert not out.exists() and not (work / "x.lmp").exists(), arguments
    run("entities", "--in-place", path, status=2)
    (work / "a.lmp").write_bytes(bytes(20))
    run("entities", "--lmp", work / "a.lmp", "samples/source/lobby.bsp", status=3)
    run("lump", "extract", "--lmp", "samples/source/lobby.bsp", 0, "-o", work / "a.lmp")
    run("entities", "--lmp", work / "a.lmp", path, status=3)
    # A value that has bytes of no UTF-8 stays as it is when another one of its entity changes.
    run("entities", "--index", 0, "--set", "zz=1", "-o", out, path)
    data = out.read_bytes().replace(b'"zz" "1"', b'"z" "\xe9"')
    out.write_bytes(data)
    listed = json.loads(run("entities", "--json", out))
    assert listed[0]["pairs"][-1] == ["z", "\u00e9"]
    listed[0]["pairs"].append(["y", "\u00e9"])
    (work / "list.json").write_text(json.dumps(listed), encoding="utf-8")
    run("entities", "--import", work / "list.json", "-o", work / "two.bsp", out)
    text = run("entities", work / "two.bsp")
    assert b'"z" "\xe9"\n"y" "\xc3\xa9"\n' in text, text[:300]


def main(work):
    tried = 0
    for path in maps():
        if not pairs(path):
            continue
        check_forms(path, work)
        check_keys(path, work)
        check_entities(path, work)
        if path.parts[1] == "source" or "source" in path.parts[-4:]:
            check_patch(path, work)
        tried += 1
    check_stripper(work)
    check_same_as_diff(work)
    check_refused(work)
    print(f"{tried} maps")


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
