# SPDX-License-Identifier: MIT
"""bspkit formats: list, layouts and topic say the same; the fields of each layout fill its records."""
import json
import os
import subprocess

SIZES = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "f32": 4, "char": 1, "pad": 1}


def run(*arguments, status=0):
    done = subprocess.run([os.environ["BSPKIT"], *arguments], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def check_layout(layout):
    at = 0
    for field in layout["fields"]:
        part_of_last = field.get("shift", 0) != 0
        size = SIZES[field["type"]] * field["count"]
        assert field["offset"] == (at - size if part_of_last else at), (layout["name"], field)
        at = field["offset"] + size
    assert at == layout["size"], layout["name"]


branches = json.loads(run("formats", "--json"))
names = [b["branch"] for b in branches]
assert len(set(names)) == len(names) > 40
text = run("formats").splitlines()
assert [line.split()[0] for line in text[1:]] == names
assert run("help", "formats").splitlines()[-len(text):] == text
assert run("help", "--markdown", "formats") == run("formats", "--markdown")
assert {b["tried_on"] for b in branches} == {"real", "built", "no"}

for branch in branches:
    one = json.loads(run("formats", "--json", branch["branch"]))
    assert {key: one[key] for key in branch} == branch
    known = {layout["name"] for layout in one["layouts"]}
    for lump in one["lumps"]:
        assert set(lump["layouts"]) <= known, (branch["branch"], lump)
    for layout in one["layouts"]:
        check_layout(layout)
    printed = run("formats", branch["branch"])
    assert all(f"\n{layout['name']} ({layout['size']} bytes)\n" in printed for layout in one["layouts"])
    base = branch["base"]
    page = run("formats", "--markdown", branch["branch"])
    assert base is None or f"({base}.md)" in page
    assert base is None or names.index(base) < names.index(branch["branch"])

# By hand, from id's headers: the faces of Quake 2.
faces = [l for l in json.loads(run("formats", "--json", "quake2"))["layouts"] if l["name"] == "dface_t"]
assert [(f["name"], f["offset"]) for f in faces[0]["fields"]] == [
    ("planenum", 0), ("side", 2), ("firstedge", 4), ("numedges", 8), ("texinfo", 10), ("styles", 12),
    ("lightofs", 16)]
assert faces[0]["size"] == 20 and faces[0]["fields"][0]["target"] == "planes"

assert run("formats", "nosuch", status=2) == ""
