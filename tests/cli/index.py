# SPDX-License-Identifier: MIT
"""bspkit index and find: what the index has is what info, entities and check print; terms find what a
plain matcher over these finds; only what changed is read again; what is not an index is not touched."""
import csv
import fnmatch
import io
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import zipfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
MAPS = sorted(SAMPLES.glob("*/*.bsp"))
KEPT = sorted(pathlib.Path("tests/kept").resolve().glob("*.bsp"))[:12]


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout


def lines(*words):
    return [json.loads(line) for line in run(*words).splitlines()]


def find(db, *terms):
    done = subprocess.run([BSPKIT, "find", str(db), *terms], capture_output=True, text=True, check=False)
    assert done.returncode == (0 if done.stdout else 1), (terms, done)
    return done.stdout.splitlines()


def totals(text):
    return tuple(int(number) for number in re.findall(r"\d+", text))


def rows(db):
    """All that the index has, without its own numbers of texts, facts and maps."""
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as base:
        ask = base.execute
        maps = {row[0]: row[1] for row in ask("SELECT id, path FROM maps")}
        texts = dict(ask("SELECT id, text FROM texts"))
        facts = {row[0]: (texts[row[1]], texts[row[2]]) for row in ask("SELECT id, key, value FROM facts")}
        places = {row[0]: row[1:] for row in ask("SELECT * FROM places")}
        return {
            "maps": sorted(row[1:] for row in ask("SELECT * FROM maps")),
            "entities": sorted((maps[r[0]], r[1], texts[r[2]], *map(str, r[3:]),
                                str(places.get(r[0] << 24 | r[1]))) for r in ask("SELECT * FROM entities")),
            "facts": sorted((maps[r[0]], r[1], r[2], *facts[r[3]]) for r in ask("SELECT * FROM entity_facts")),
            "map facts": sorted((maps[r[1]], *facts[r[0]]) for r in ask("SELECT * FROM map_facts")),
            "names": sorted((maps[r[0]], r[1], texts[r[2]], *map(str, r[3:])) for r in ask("SELECT * FROM names")),
            "counts": sorted((maps[r[0]], *map(str, r[1:])) for r in ask("SELECT * FROM counts")),
            "issues": sorted((maps[r[0]], *r[1:]) for r in ask("SELECT * FROM issues")),
            "sketches": sorted((maps[r[0]], r[1]) for r in ask("SELECT * FROM sketches")),
            "words": ask("SELECT count(*) FROM words").fetchone() == (len(texts),),
        }


def check_facts(db):
    run("index", db, *MAPS)
    with sqlite3.connect(db) as base:
        for told, entities in zip(lines("info", "--json", *MAPS), lines("entities", "--json", *MAPS)):
            path = told["file"]
            row = base.execute("SELECT branch, family, version, size, entities, minx, maxz, id FROM maps WHERE path=?",
                               (path,)).fetchone()
            assert row[:5] == (told["branch"], told["family"], told["version"], told["size"], told["entities"])
            assert (row[5], row[6]) == (told["bounds"]["mins"][0], told["bounds"]["maxs"][2]), path
            counts = dict(base.execute("SELECT name, used FROM counts WHERE map=?", (row[7],)))
            for lump in told["lumps"]:
                if lump["records"] and lump["name"] in counts:
                    assert counts[lump["name"]] in (lump["records"], lump["size"], lump.get("unpacked_size")), lump
            pairs = [base.execute("SELECT k.text, v.text FROM entity_facts e JOIN facts f ON f.id=e.fact"
                                  " JOIN texts k ON k.id=f.key JOIN texts v ON v.id=f.value"
                                  " WHERE e.map=? AND e.entity=? ORDER BY e.position", (row[7], one["index"])).fetchall()
                     for one in entities]
            assert pairs == [[tuple(pair) for pair in one["pairs"]] for one in entities], path
    return dict(zip(map(str, MAPS), lines("entities", "--json", *MAPS)))


def check_terms(db, entities):
    """Against a plain matcher over what entities prints."""
    def having(test):
        return sorted(path for path, found in entities.items() if any(test(dict(map(tuple, reversed(one["pairs"]))))
                                                                      for one in found))

    def glob(key, pattern):
        return having(lambda pairs: fnmatch.fnmatchcase(pairs.get(key, "").lower(), pattern) and key in pairs)
    assert find(db) == sorted(entities)
    assert find(db, "class=info_player_*") == glob("classname", "info_player_*")
    assert find(db, "classname=func_areaportal") == glob("classname", "func_areaportal") != []
    assert find(db, "key:classname=LIGHT") == glob("classname", "light")
    assert find(db, r"model=\*3") == []  # the field "model" means files
    assert find(db, r"key:model=\*3") == glob("model", "[*]3") != []
    assert find(db, "class!=func_areaportal") == sorted(set(entities) - set(glob("classname", "func_areaportal")))
    assert find(db, "message~^.*o.*$") == having(lambda pairs: re.search("o", pairs.get("message", ""), re.I))
    assert find(db, "light>250") == having(lambda pairs: re.fullmatch(r"[\d.]+", pairs.get("light", "")) and
                                           float(pairs["light"]) > 250)
    assert find(db, "family=quake", "class=light") == [path for path in glob("classname", "light")
                                                       if "/quake/" in path]
    info = {one["file"]: one for one in lines("info", "--json", *MAPS)}
    assert find(db, "size>150000") == sorted(path for path, one in info.items() if one["size"] > 150000)
    assert find(db, "branch=source_*") == sorted(p for p, one in info.items() if one["branch"].startswith("source_"))

    def near(pairs, point, radius):
        words = pairs.get("origin", "").split()
        return len(words) == 3 and sum((float(a) - b) ** 2 for a, b in zip(words, point)) <= radius ** 2
    for point, radius in (((0, 0, 64), 30), ((232, 232, 0), 1), ((700, 0, 0), 100), ((5000, 0, 0), 10)):
        term = "near=" + ",".join(map(str, (*point, radius)))
        assert find(db, term) == having(lambda pairs, p=point, r=radius: near(pairs, p, r)), term


def check_alike(db):
    lobby = str(SAMPLES / "quake/lobby.bsp")
    same = find(db, f"same={lobby}")
    assert str(SAMPLES / "quake/lobby_bsp2.bsp") in same and lobby not in same
    assert set(find(db, "duplicate=geometry")) >= {lobby, *same}
    assert find(db, f"like={lobby}")[0] in same
    sketches = {}
    with sqlite3.connect(db) as rows:
        for path, value in rows.execute("SELECT m.path, s.hash FROM sketches s JOIN maps m ON m.id = s.map"):
            sketches.setdefault(path, set()).add(value)
    assert find(db, "duplicate=near") == sorted(
        path for path, own in sketches.items()
        if any(other != path and len(own & of) * 2 >= min(len(own), len(of)) for other, of in sketches.items()))
    for name, percent in (("PLANES", 1), ("MODELS", 2), ("*", 90), ("PLANES", 0.5)):
        wanted = [path for path, one in sorted((one["file"], one) for one in lines("info", "--json", *MAPS))
                  if any(of["max"] and 100 * of["used"] / of["max"] > percent and name in ("*", of["name"])
                         for of in one["limits"])]
        assert find(db, f"limit:{name}>{percent}") == wanted, (name, percent)
    embedded = str(SAMPLES / "goldsrc/lobby_embed.bsp")
    assert find(db, "embedded=*", "family=goldsrc") == [embedded]
    assert find(db, "missing=*") == []  # without --game nothing was looked for
    assert find(db, "text=urn mdl") == find(db, "needs=*urn.mdl") != []


def check_forms(db):
    plain = find(db, "family=source")
    told = lines("find", "--json", db, "family=source")
    assert [one["file"] for one in told] == plain and told[0]["branch"].startswith(("source", "left"))
    table = list(csv.DictReader(io.StringIO(run("find", "--csv", db, "family=source"))))
    assert [row["file"] for row in table] == plain and table[0]["faces"] == str(told[0]["faces"])
    assert run("find", db, "family=source", "-o", db.parent / "list.txt") == ""
    assert (db.parent / "list.txt").read_text().splitlines() == plain
    for term in ("bad", "=x", "near=1,2", "near=1,2,3,4,5", "class~(", "near=a,b,c,d", "duplicate=x"):
        run("find", db, term, status=2)
    for field in ("same", "copy", "like"):
        run("find", db, f"{field}=no/such.bsp", status=3)


def check_folders(folder):
    """A folder stands for all maps below it, without an option; with -r it is the same."""
    deep = folder / "deep" / "of" / "these"
    deep.mkdir(parents=True)
    shutil.copy(MAPS[0], deep)
    for number, words in enumerate(([], ["-r"])):
        db = folder / f"deep{number}.db"
        assert totals(run("index", db, *words, folder / "deep")) == (1, 1, 0, 0, 0)
        assert find(db, "class=*") == [str(deep / MAPS[0].name)]


def check_changes(folder):
    db, maps = folder / "changes.db", folder / "maps"
    maps.mkdir()
    for path in (*MAPS[:4], *KEPT):
        shutil.copy(path, maps)
    (maps / "broken.bsp").write_bytes(b"no map")
    count = len(list(maps.iterdir()))
    first = subprocess.run([BSPKIT, "index", str(db), str(maps)], capture_output=True, text=True, check=False)
    _, added, unchanged, unread, gone = totals(first.stdout)
    assert first.returncode == 3 and (added + unread, unchanged, gone) == (count, 0, 0) and unread >= 1, first
    assert find(db, "problem=not a BSP*") and str(maps / "broken.bsp") in find(db, "problem=*", "branch=")
    before = rows(db)
    assert totals(run("index", db, maps)) == (count, 0, count, 0, 0) and rows(db) == before
    # One changes, one comes, one goes.
    time.sleep(0.01)
    shutil.copy(MAPS[5], maps / MAPS[0].name)
    shutil.copy(MAPS[6], maps / "new.bsp")
    (maps / KEPT[0].name).unlink()
    assert totals(run("index", db, maps, "--prune")) == (count, 2, count - 2, 0, 1)
    fresh = folder / "fresh.db"
    subprocess.run([BSPKIT, "index", "-j", "1", str(fresh), str(maps)], capture_output=True, check=False)
    ours, theirs = rows(db), rows(fresh)
    ours.pop("words"), theirs.pop("words")  # texts of maps that went stay
    assert ours == theirs
    again = subprocess.run([BSPKIT, "index", str(db), str(maps), "--again"], capture_output=True, text=True, check=False)
    assert totals(again.stdout)[2] == 0 and rows(db)["facts"] == theirs["facts"]


def check_archives(folder):
    db = folder / "archives.db"
    with zipfile.ZipFile(folder / "inner.pk3", "w") as archive:
        archive.write(MAPS[0], "maps/a.bsp")
    with zipfile.ZipFile(folder / "outer.zip", "w") as archive:
        archive.write(folder / "inner.pk3", "inner.pk3")
        archive.write(MAPS[1], "b.bsp")
    assert totals(run("index", db, folder / "outer.zip"))[:2] == (2, 2)
    assert find(db) == [f"{folder}/outer.zip:b.bsp", f"{folder}/outer.zip:inner.pk3:maps/a.bsp"]
    assert totals(run("index", db, folder / "outer.zip"))[:3] == (2, 0, 2)


def check_missing(folder):
    db = folder / "missing.db"
    source = SAMPLES / "source/lobby.bsp"
    run("index", db, "--game", SAMPLES / "source", source)
    told = subprocess.run([BSPKIT, "assets", "--json", "--game", SAMPLES / "source", source],
                          capture_output=True, check=False).stdout
    assets = json.loads(told)["assets"]
    with sqlite3.connect(db) as base:
        found = dict(base.execute("SELECT t.text, n.found FROM names n JOIN texts t ON t.id=n.text"
                                  " WHERE n.kind NOT LIKE 'embedded%' AND n.found IS NOT NULL"))
    assert found == {one["name"]: int(one["found"] is not None) for one in assets} and len(found) > 10
    for name in [one["name"] for one in assets if not one["found"]][:3]:
        assert find(db, f"missing={name}") == [str(source)]


def check_refusals(folder):
    text = folder / "text.db"
    text.write_text("not a database, but long enough to be told from an empty file\n" * 40)
    other = folder / "other.db"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE t(x)")
    later = folder / "later.db"
    run("index", later, MAPS[0])
    with sqlite3.connect(later) as base:
        base.execute("PRAGMA user_version=99")
    for path in (text, other, later):
        before = path.read_bytes()
        run("index", path, MAPS[0], status=3)
        run("find", path, status=3)
        assert path.read_bytes() == before, path
    gone = subprocess.run([BSPKIT, "find", str(folder / "not there.db")], capture_output=True, text=True, check=False)
    assert gone.returncode == 3 and "there is no such file or folder" in gone.stderr, gone
    assert not (folder / "not there.db").exists()
    before = shutil.copy(MAPS[0], folder / "map.bsp")
    run("index", folder / "map.bsp", MAPS[0], status=3)
    assert pathlib.Path(before).read_bytes() == MAPS[0].read_bytes()


def check_merge(folder):
    """Shards become what one run writes, whatever their order, and replace what was of the same paths."""
    whole = folder / "one.db"
    run("index", whole, *MAPS)
    shards = [folder / f"shard{n}.db" for n in range(3)]
    for n, shard in enumerate(shards):
        run("index", shard, *MAPS[n::3])
    for name, order in (("a.db", shards), ("b.db", shards[::-1] + shards[:1])):
        run("index", folder / name, "--merge", *order)
        assert rows(folder / name) == rows(whole)
        assert find(folder / name, "class=light", "size>100000") == find(whole, "class=light", "size>100000") != []
        assert find(folder / name, "text=urn mdl") == find(whole, "text=urn mdl")
    before = (folder / "a.db").read_bytes()
    for wrong in (MAPS[0], folder / "not there.db"):
        run("index", folder / "a.db", "--merge", shards[0], wrong, status=3)
        assert rows(folder / "a.db") == rows(whole) and before


def check_kills(folder):
    """What was written stays, and a later run adds the rest."""
    db, maps = folder / "kills.db", folder / "many"
    maps.mkdir()
    for n in range(300):
        shutil.copy(MAPS[n % 4], maps / f"{n:03}.bsp")
    for wait in (0.05, 0.2, 0.5):
        child = subprocess.Popen([BSPKIT, "index", str(db), str(maps)], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        time.sleep(wait)
        child.kill()
        child.wait()
    run("index", db, maps)
    assert len(find(db)) == 300
    fresh = folder / "whole.db"
    run("index", fresh, maps)
    ours, theirs = rows(db), rows(fresh)
    assert ours == theirs


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        db = folder / "maps.db"
        entities = check_facts(db)
        check_terms(db, entities)
        check_alike(db)
        check_forms(db)
        check_folders(folder)
        check_changes(folder)
        check_archives(folder)
        check_missing(folder)
        check_refusals(folder)
        check_merge(folder)
        check_kills(folder)


if __name__ == "__main__":
    main()
