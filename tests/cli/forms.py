# SPDX-License-Identifier: MIT
"""The fixed forms: keys of the JSON, lines of the text, on every sample map."""
import json
import os
import pathlib
import re
import subprocess
import sys

BSPKIT = os.environ["BSPKIT"]
INFO_KEYS = ["file", "size", "family", "branch", "game", "magic", "version", "endian", "revision", "lumps",
             "entities", "bounds", "limits", "checksum", "diagnostics"]
LUMP_KEYS = ["index", "name", "offset", "size", "version", "compressed", "records"]
ISSUE = re.compile(r"^(error|warning|note): ([^ :\[]+(:\w+)?(\[\d+\])?(\.[\w\[\]]+)?: )?\S")


def run(*arguments, statuses=(0,)):
    done = subprocess.run([BSPKIT, *arguments], capture_output=True, check=False)
    assert done.returncode in statuses, (arguments, done)
    assert not done.stderr, (arguments, done.stderr)
    return done.stdout.decode("utf-8", "replace")


def check_info(path):
    text = run("info", "--json", path)
    assert text.count("\n") == 1
    info = json.loads(text)
    light = info.pop("light_file", None)  # only where there is one
    assert light in (None, "lobby.lit"), light
    assert list(info) == INFO_KEYS, list(info)
    assert info["file"] == path and info["size"] == os.path.getsize(path)
    assert info["family"] == pathlib.Path(path).parts[1], info["family"]
    assert info["endian"] in ("little", "big")
    for lump in info["lumps"]:
        assert list(lump) == LUMP_KEYS, lump
    for limit in info["limits"]:
        assert list(limit) == ["name", "used", "max"]
    assert len(info["bounds"]["mins"]) == 3 and len(info["bounds"]["maxs"]) == 3
    assert all(low < high for low, high in zip(info["bounds"]["mins"], info["bounds"]["maxs"]))
    return info


def check_entities(path, info):
    entities = json.loads(run("entities", "--json", path))
    assert len(entities) == info["entities"]
    assert [e["index"] for e in entities] == list(range(len(entities)))
    assert ["classname", "worldspawn"] in entities[0]["pairs"]
    lights = [e for e in entities
              if any(k.lower() == "classname" and v.lower().startswith("light")
                     for k, v in e["pairs"])]
    found = json.loads(run("entities", "--json", "--where", "CLASSNAME=Light*", path))
    assert found == lights
    both = ["--where", "classname=light*", "--where", "classname=?????"]
    exact = [e for e in lights if ["classname", "light"] in e["pairs"]]
    assert json.loads(run("entities", "--json", *both, path)) == exact
    assert run("entities", "--count", "--where", "classname=light*", path) == f"{len(lights)}\n"
    text = run("entities", path)
    assert text.count("{\n") == len(entities)


def check_dump(path, info):
    names = set()
    for lump in info["lumps"]:
        value = json.loads(run("dump", "--json", path, lump["name"]))
        run("dump", path, lump["name"].lower())
        if lump["records"] is not None and isinstance(value, list):
            assert len(value) == lump["records"], (path, lump)
        names.add(lump["name"])
    by_index = run("dump", "--json", path, "1")
    assert by_index == run("dump", "--json", path, info["lumps"][1]["name"])


def check_check(path):
    text = run("check", path, statuses=(0, 1))
    *issues, last = text.splitlines()
    for line in issues:
        assert ISSUE.match(line), line
    whole = json.loads(run("check", "--json", path, statuses=(0, 1)))
    assert list(whole) == ["file", "issues", "errors", "warnings", "notes"]
    assert last == (f"{path}: {whole['errors']} errors, {whole['warnings']} warnings, "
                    f"{whole['notes']} notes")
    for issue in whole["issues"]:
        assert list(issue) == ["severity", "id", "lump", "record", "field", "element", "offset", "text"]
    done = subprocess.run([BSPKIT, "check", "--strict", path], capture_output=True, check=False)
    assert done.returncode == (1 if whole["errors"] + whole["warnings"] else 0)


maps = sorted(str(p) for p in pathlib.Path("samples").rglob("*.bsp"))
assert maps
for path in maps:
    facts = check_info(path)
    check_entities(path, facts)
    check_dump(path, facts)
    check_check(path)
    listed = json.loads(run("lumps", "--json", path))["lumps"]
    assert [{k: l[k] for k in LUMP_KEYS} for l in listed] == facts["lumps"]
    assert len(run("lumps", path).splitlines()) == len(listed) + 1
for topic in ("issues", "formats"):
    assert run("help", topic) and run("help", topic, "--markdown")
assert run("--help") == run("help") and run("--version") == run("version")
sys.exit(0)
