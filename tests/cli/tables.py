# SPDX-License-Identifier: MIT
"""--csv and --tsv say what --json of the same command says: Python's reader of CSV, and a split at tabs,
give the values that a plain walk over the JSON gives, with no value of an element left out."""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
MAPS = sorted(SAMPLES.glob("*/*.bsp"))


def run(*arguments, cwd=None, data=b""):
    return subprocess.run([BSPKIT, *map(str, arguments)], cwd=cwd, input=data, capture_output=True,
                          check=False)


def text_of(value):
    """Numbers are texts already: parse() leaves them as the JSON has them."""
    return {None: "", True: "true", False: "false"}.get(value, value) if not isinstance(value, str) else value


def flatten(value, name, out):
    if isinstance(value, dict):
        for key, inner in value.items():
            flatten(inner, f"{name}.{key}" if name else key, out)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            flatten(inner, f"{name}.{number}" if name else str(number), out)
    else:
        out[name] = text_of(value)


def parse(line):
    return json.loads(line, parse_float=str, parse_int=str)


def read_csv(data):
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


def read_tsv(data):
    meant = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    lines = data.decode("utf-8").split("\n")
    assert lines[-1] == ""
    return [[re.sub(r"\\(.)", lambda found: meant[found.group(1)], cell) for cell in line.split("\t")]
            for line in lines[:-1]]


def joined(values):
    return " ".join(text_of(value) for value in values)


# What makes the rows of a value of JSON: dicts of titles and texts.

def whole(value, leave=()):
    row = {}
    for key, inner in value.items():
        if key not in leave:
            flatten(inner, key, row)
    return [row]


def listed(key, outer=("file",)):
    def rows(value):
        found = []
        for element in value.get(key, []):
            row = {name: value[name] for name in outer}
            flatten(element, "", row)
            found.append(row)
        return found
    return rows


def differences(value):
    found = []
    for part in value.get("parts", []):
        for element in part["differences"]:
            row = {"a": value["a"], "b": value["b"], "part": part["part"]}
            if "lump" in part:
                row["lump"] = part["lump"]
            flatten(element, "", row)
            found.append(row)
    return found


def spaced(*keys):
    def rows(value):
        row = whole(value, keys)[0]
        for key in keys:
            row[key] = joined(value.get(key, []))
        return [row]
    return rows


def leaf(value):
    lists = [key for key in ("flag_names", "static_props") if key in value]
    return [{**whole(value, lists)[0], **{key: joined(value[key]) for key in lists}}]


def pictures(value):
    rows = listed("textures")(value)
    for row in rows:
        row.pop("file")
        row["file"] = value["file"]
    for row, element in zip(rows, value["textures"]):
        row["picture"] = element["file"]
    return rows


def layouts(value):
    found = []
    for layout in value["layouts"]:
        for field in layout["fields"]:
            row = {"branch": value["branch"], "layout": layout["name"]}
            flatten(field, "", row)
            found.append(row)
    return found


def records(value):
    found = []
    for element in value:
        row = {}
        flatten(element, "", row)
        found.append({key or "value": text for key, text in row.items()})
    return found


def portals(value):
    found = []
    for portal in value["portals"]:
        row = {"file": value["file"]}
        flatten({key: inner for key, inner in portal.items() if key != "opened_by"}, "", row)
        found.append(row)
    return found


def solids(value):
    rows = ({"file": value["file"], **solid} for solid in value["solids"])
    return [row for solid in rows for row in spaced("contents_names")(solid)]


def games(value):
    return [{**whole(game, ("classes", "limits"))[0], "classes": joined(game["classes"])} for game in value]


def compare(words, rows_of, names=None, cwd=None, data=b""):
    """`names`: of the inputs, one for each line of JSON that does not say its own."""
    plain = run(*words, "--json", cwd=cwd, data=data)
    wanted = []
    for number, line in enumerate(plain.stdout.split(b"\n")[:-1]):
        value = parse(line)
        rows = whole(value) if isinstance(value, dict) and "error" in value else rows_of(value)
        for row in rows:
            row.update({"file": str(names[number])} if names else {})
            wanted.append(row)
    for option, read in (("--csv", read_csv), ("--tsv", read_tsv)):
        done = run(*words, option, cwd=cwd, data=data)
        assert done.returncode == plain.returncode and done.stderr == plain.stderr, (words, done)
        table = read(done.stdout)
        titles = table[0]
        assert len(set(titles)) == len(titles) and all(len(line) == len(titles) for line in table), words
        assert len(table) == 1 + len(wanted), (words, option, len(table), len(wanted))
        for line, row in zip(table[1:], wanted):
            assert set(row) <= set(titles), (words, set(row) - set(titles))
            assert line == [row.get(title, "") for title in titles], (words, line, row)
    return len(wanted)


def check_commands(folder):
    several = [*MAPS[:5], "not there", "tests/kept/flat-displacement.bsp"]
    assert compare(["info", "--sha256", *several], lambda v: whole(v, ("lumps", "external", "limits"))) == 7
    assert compare(["lumps", *several], listed("lumps")) > 100
    assert compare(["checksum", *several], whole) == 7
    assert compare(["check", "--max", "3", "not there", *pathlib.Path("tests/kept").glob("*.bsp")],
                   listed("issues")) > 100
    assert compare(["assets", *several], listed("assets")) > 9
    models = sorted(SAMPLES.glob("models/*/*/*.md*"))[:6]
    assert compare(["info", *models], lambda v: whole(v, ("material_names", "sequence_names"))) == 6
    assert run("dump", models[0], "--csv").returncode == 2
    assert compare(["dump", SAMPLES / "models/quake/progs/crate.mdl", "triangles"], records) == 12
    source = SAMPLES / "source/lobby.bsp"
    assert compare(["pak", "list", source], listed("files")) > 10
    assert compare(["lump", "list", source], listed("lumps")) > 64
    assert compare(["formats"], lambda v: [whole(branch)[0] for branch in v]) > 30
    assert compare(["formats", "--games"], games) > 30
    assert compare(["formats", "source_20"], layouts) > 100
    assert compare(["textures", source, "-o", folder / "pictures"], pictures) > 10
    assert compare(["diff", SAMPLES / "quake/lobby.bsp", SAMPLES / "goldsrc/lobby.bsp"], differences) > 20
    assert compare(["diff", source, source], differences) == 0


def check_entities():
    def pairs(value):
        return [{"entity": entity["index"], "key": key, "value": text}
                for entity in value for key, text in entity["pairs"]]
    assert compare(["entities", *MAPS], pairs, MAPS) > 500
    names = [MAPS[0], "not there"]
    assert compare(["entities", *names, "--where", "classname=light*"], pairs, names) > 1
    assert compare(["entities", "--count", *MAPS], lambda v: [{"entities": str(v)}], MAPS) == len(MAPS)


def check_dump():
    tried = 0
    for path in SAMPLES.glob("*/lobby.bsp"):
        for lump in json.loads(run("lumps", "--json", path).stdout)["lumps"]:
            words = ["dump", path, lump["name"]]
            if lump["kind"] == "array" and lump["unpacked_size"] < 40000:
                compare(words, records)
                tried += lump["unpacked_size"] != 0
            elif lump["kind"] in ("vis", "textures", "zip"):
                done = run(*words, "--csv")
                assert done.returncode == 2 and done.stdout == b"" and b"is no table" in done.stderr, done
    source = SAMPLES / "source/lobby.bsp"
    assert compare(["dump", source, "game:sprp"], lambda v: records(v["props"])) == 2
    assert compare(["dump", source, "TEXDATA_STRING_DATA"], records) > 10
    assert tried > 40, tried


def check_queries():
    source, quake3 = SAMPLES / "source/lobby.bsp", SAMPLES / "quake3/lobby.bsp"
    points = b"0 0 64\n9999 0 0\n64 64 20\n"
    for path in (source, quake3, SAMPLES / "quake/lobby.bsp"):
        assert compare(["query", "leaf", 0, 0, 64, path], leaf) == 1
        assert compare(["query", "leaf", 200, 200, 40, path], leaf) == 1  # Source: a static prop
        assert compare(["query", "water", 128, 128, -100, path], spaced("contents_names")) == 1
        assert compare(["query", "fog", 0, 0, 64, path], whole) == 1
        assert compare(["query", "cubemap", 0, 0, 64, path], whole) == 1
        assert compare(["query", "vis", 3, path], spaced("visible", "audible")) == 1
        assert compare(["query", "light", 64, 64, 20, path], whole) == 1
        assert compare(["query", "sight", path], whole, data=b"0 0 64 512 0 64\n64 64 64 0 0 64\n") == 2
        compare(["query", "areas", path], portals)
        assert compare(["query", "portals", path], lambda v: v["portals"]) == 0
        compare(["query", "physics", path], solids)
        assert compare(["query", "contents", path], spaced("contents_names"), data=points) == 3
        assert compare(["query", "contents", path], spaced("contents_names"), data=points + b"bad\n") == 4
        assert compare(["query", "trace", "--all", path], spaced("contents_names"),
                       data=b"0 0 64 512 0 64\n64 64 64 0 0 -9999 -1 -1 -1 1 1 1\n" * 50) == 100


def check_quoting(folder):
    """Names and values with what quoting is for."""
    # Windows forbids most of these characters in names.
    odd = folder / ("a, 'b' ü.bsp" if os.environ.get("WINDOWS") else 'a, "b"\n\t\\n \r ü\x01.bsp')
    shutil.copy(SAMPLES / "quake/lobby.bsp", odd)
    (folder / "odd.json").write_text(json.dumps(
        [{"index": 0, "pairs": [["classname", "worldspawn"], ["message", "one, two; three\\four 'five' "],
                                ["=1+1", " ,, "], ["empty", ""]]}]))
    done = run("entities", odd, "--import", folder / "odd.json", "-o", odd.with_name("x,y.bsp"), "--force")
    assert done.returncode == 0, done
    names = [odd, odd.with_name("x,y.bsp")]
    assert compare(["lumps", *names], listed("lumps")) > 20
    assert compare(["entities", *names], lambda v: [
        {"entity": e["index"], "key": k, "value": t} for e in v for k, t in e["pairs"]], names) > 20
    first = run("checksum", "--csv", odd).stdout
    assert first.count(b", 'b'" if os.environ.get("WINDOWS") else b'""b""') == 1 and first.split(b"\n")[0] == b"file,rule,checksum,checksum2,md5,error", first


def check_usage():
    source = SAMPLES / "source/lobby.bsp"
    for words in (["info", "--csv", "--tsv", source], ["info", "--csv", "--json", source],
                  ["entities", source, "--csv", "--set", "a=b", "-o", "x"],
                  ["assets", "--pack", "--csv", source, "-o", "x"]):
        done = run(*words)
        assert done.returncode == 2 and done.stdout == b"" and done.stderr != b"", done
    every = run("manual", "--list").stdout.decode().split()
    verbs = [name for command in every if command.startswith("bspkit-") for name in re.findall(
        rf"^  ({command[7:]} [a-z]+)", run("help", command[7:]).stdout.decode(), re.M)]
    for name in [command[7:] for command in every] + verbs:
        tabled = "--csv" in run("help", *name.split()).stdout.decode()
        asked = re.search(rf"^{name}$", run("help", "tables").stdout.decode(), re.M) is not None
        assert tabled == asked or name in ("dump", "lump", "pak", "query", ""), name
    assert "query cubemap" in verbs
    alone = run("lumps", "--csv", "--jobs", 1, *MAPS, "not there")
    for jobs in (2, 7):
        assert run("lumps", "--csv", "--jobs", jobs, *MAPS, "not there").stdout == alone.stdout
    assert run("lumps", "--csv", source, "-o", "/dev/full").returncode == 3
    topic = run("help", "tables").stdout.decode()
    assert "file, rule, checksum, checksum2, md5, error" in topic and "query trace" in topic, topic


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_commands(folder)
        check_entities()
        check_dump()
        check_queries()
        check_quoting(folder)
        check_usage()
    print("CSV and TSV say what JSON says")


main()
