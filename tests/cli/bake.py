# SPDX-License-Identifier: MIT
"""bspkit portals and vis: the portals of a compiled map are those that its compiler wrote, in every form;
visibility computed again replaces that of the map, and is compared with it."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
ORACLE = pathlib.Path("../shared/oracle/bake").resolve()
CORPUS = pathlib.Path("../shared/corpus").resolve()
FAMILIES = ("quake", "goldsrc", "quake2", "quake3", "source")
WORK = pathlib.Path(tempfile.mkdtemp())
VIS_KEYS = ["file", "clusters", "portals", "stored_pairs", "pairs", "equal", "missing", "added", "seconds", "base",
            "leaves", "equal_leaves", "differences"]
# Maps of the corpus that leaked: Quake, Hexen II, GoldSrc, Quake 2, Source. No map of Quake 3's is known that did;
# tests/bake/test_portals.c takes a wall out of one.
LEAKED = ("q1_csg_sky_detail_covering", "h2__q1_cubes", "sdhlt__q_qbsp_simple", "q2_leaked", "Ak_Snow")
# Maps of reference compilers, and whether detail solids are told: Quake and GoldSrc have no brushes, so that
# portals end there where the compiler's go on.
COMPILED = {"quake/dm5": True, "quake/q1_litwater": True, "quake/lobby": False, "quake2/lobby": True,
            "quake2/q2_detail": True, "quake2/q2_light_translucency": True, "goldsrc/lobby": True,
            "goldsrc/hl_liquids": True, "goldsrc/hl_currents": True, "quake3/dm1": True, "quake3/lobby": True,
            "quake3/patch_seam": True}


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def read(text):
    """The portals of a portal file: two clusters and the corners."""
    found = []
    for line in text.splitlines():
        head = re.match(r"(\d+) (\d+) (\d+)( \d+)? *\(", line)
        if head:
            corners = [tuple(map(float, corner.split())) for corner in re.findall(r"\(([^)]*)\)", line)]
            assert len(corners) == int(head[1]), line
            found.append((int(head[2]), int(head[3]), corners))
    return found


def turned_area(corners):
    """The area of a polygon along its normal by the turn of its corners."""
    total = [0.0, 0.0, 0.0]
    for a, b in zip(corners, corners[1:] + corners[:1]):
        for i in range(3):
            total[i] += (a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]) / 2
    return total


def areas(portals):
    """For each pair of clusters: the openings between them, turned to the lower one."""
    found = {}
    for low, high, corners in portals:
        sign = 1 if low < high else -1
        entry = found.setdefault((min(low, high), max(low, high)), [0.0, 0.0, 0.0])
        for i, part in enumerate(turned_area(corners)):
            entry[i] += sign * part
    return found


def check_compiled(name, whole):
    stem = ORACLE / name / name.split("/")[-1]
    expected = areas(read(stem.with_suffix(".prt").read_text()))
    text = run("portals", f"{stem}.1-vis.bsp", "-o", "-").stdout
    found = areas(read(text))
    assert set(found) == set(expected), (name, set(found) ^ set(expected))
    for pair, area in expected.items():
        worst = max(abs(a - b) for a, b in zip(area, found[pair]))
        assert worst < 5 or not whole, (name, pair, worst)
    head = stem.with_suffix(".prt").read_text().split("\n")
    if name.startswith("quake/"):  # leaves of clusters, after the portals
        assert [sorted(line.split()) for line in head if line.endswith(" -1") or line.endswith(" -1 ")] == \
            [sorted(line.split()) for line in text.split("\n") if line.endswith("-1")], name
    assert text.split("\n")[0] == head[0], name


def check_forms():
    sample = SAMPLES / "quake/lobby.bsp"
    heads = {"prt1": "PRT1", "prt2": "PRT2", "prt1-am": "PRT1-AM", "quake3": "PRT1"}
    count = json.loads(run("portals", "--json", sample).stdout)["portals"]
    for form in ("prt1", "prt2", "prt1-am", "goldsrc", "quake3"):
        text = run("portals", "--form", form, sample, "-o", "-").stdout
        assert text.split("\n")[0] == heads.get(form, text.split("\n")[0]), form
    for family in FAMILIES:  # each form of each family has the same openings
        sample = SAMPLES / family / "lobby.bsp"
        told = json.loads(run("portals", "--json", sample).stdout)
        forms = {form: run("portals", "--form", form, sample, "-o", "-").stdout
                 for form in ("prt1", "prt2", "prt1-am", "goldsrc", "quake3")}
        for form, text in forms.items():
            assert len(read(text)) == told["portals"], (family, form)
            assert read(text) == read(forms["prt1"]), (family, form)
            numbers = [int(line) for line in text.split("\n")[:4] if line.isdigit()]
            assert told["clusters"] in numbers and told["portals"] in numbers, (family, form, numbers)
            pairs = {cluster for low, high, _ in read(text) for cluster in (low, high)}
            assert max(pairs) < told["clusters"] and all(len(line[2]) >= 3 for line in read(text)), (family, form)
    sample = SAMPLES / "quake/lobby.bsp"
    obj = run("portals", "--form", "obj", sample, "-o", "-").stdout
    assert sum(line.startswith("f ") for line in obj.splitlines()) == count
    with tempfile.TemporaryDirectory() as folder:  # the name says which form
        run("portals", sample, "-o", pathlib.Path(folder) / "a.obj")
        assert (pathlib.Path(folder) / "a.obj").read_text() == obj


def check_vis(sample):
    """The samples have visibility of a full run, or of a compiler of ours."""
    target = WORK / "new.bsp"
    before = json.loads(run("vis", "--check", "--json", "--max", 5, sample).stdout)
    assert len(before["differences"]) <= 5
    run("vis", sample, "-o", target)
    after = json.loads(run("vis", "--check", "--json", target).stdout)
    assert list(after) == VIS_KEYS, list(after)
    assert after["missing"] == 0 and after["added"] == 0 and after["differences"] == []
    assert after["stored_pairs"] == after["pairs"] == after["equal"] == before["pairs"]
    assert before["equal"] + before["missing"] == before["stored_pairs"]
    assert before["equal"] + before["added"] == before["pairs"]
    assert 0 <= after["seconds"] < 600
    assert run("check", target).stdout.count("error:") == 0
    base = WORK / "base.bsp"
    run("vis", "--base", sample, "-o", base)
    wide = json.loads(run("vis", "--check", "--json", base).stdout)
    assert wide["stored_pairs"] == wide["base"]["pairs"] >= after["stored_pairs"]
    assert ("the map has the base" in run("vis", "--check", base).stdout) == (wide["missing"] != 0)
    run("lump", "remove", sample, "visibility", "--force", "-o", base)
    assert "no rows to compare with" in run("vis", "--check", base).stdout
    for path in (target, base):
        path.unlink()


def refused(*words):
    """The message of a merge that is refused, and writes nothing."""
    target = WORK / "refused.bsp"
    done = subprocess.run([BSPKIT, *map(str, words), "-o", target], capture_output=True, text=True, check=False)
    assert done.returncode in (2, 3) and not target.exists(), (words, done)
    return done.stderr


def check_parts(command, sample, other, *option):
    """Parts merge to the bytes of one run, in any order; one that is missing, damaged, there twice or of another
    map is named."""
    one, merged = WORK / "one.bsp", WORK / "merged.bsp"
    run(command, sample, "-o", one)
    for count in (1, 2, 5):
        parts = [WORK / f"{count}-{number}.part" for number in range(1, count + 1)]
        for number, part in enumerate(parts, 1):
            run(command, sample, "--part", f"{number}/{count}", "-o", part)
        run(command, "--merge", *reversed(parts), sample, "-o", merged)
        assert one.read_bytes() == merged.read_bytes(), (sample, count)
    first, second = WORK / "2-1.part", WORK / "2-2.part"
    assert "part 2 of 2 is missing" in refused(command, sample, "--merge", first)
    assert "part 1 of 2 is there twice" in refused(command, sample, "--merge", first, first)
    assert "part 1 of 5 is not one of 2 parts" in refused(command, sample, "--merge", first, WORK / "5-1.part")
    assert "part 1 of 2 is one of another map" in refused(command, other, "--merge", first, second)
    assert "part 1 of 2 is one of another map" in refused(command, sample, *option, "--merge", first, second)
    data = bytearray(second.read_bytes())
    damaged = WORK / "damaged.part"
    for bad in (data[:-5], data[:40], b"", data[:60] + bytes([data[60] ^ 1]) + data[61:]):
        damaged.write_bytes(bad)
        said = refused(command, sample, "--merge", first, damaged)
        assert "damaged.part: " in said and ("damaged: its checksum" in said or "not a part" in said), said
    assert "gone.part" in refused(command, sample, "--merge", first, WORK / "gone.part")
    for words in (["--part", "3/2"], ["--part", "0/1"], ["--part", "1/"], ["--part", "1/2", "--check"], ["--merge"]):
        run(command, sample, *words, "-o", WORK / "refused.bsp", status=2)


def check_leaks():
    """A sealed map has no way out; from a leaked one it begins at an entity, and text has the same points."""
    for family in FAMILIES:
        sealed = SAMPLES / family / "lobby.bsp"
        assert json.loads(run("query", "leak", sealed).stdout) == {"file": str(sealed), "leaks": False, "points": []}
        assert run("query", "leak", "--points", sealed).stdout == ""
    bare = WORK / "bare.bsp"
    run("lump", "remove", SAMPLES / "quake/lobby.bsp", "leafs", "--force", "-o", bare)
    assert "has no leaves" in run("query", "leak", bare, status=3).stderr
    for name in LEAKED:
        leaked = next(CORPUS.rglob(f"*{name}.bsp"), None)
        if leaked is None:
            print(f"a leaked map is not there: ../shared/corpus, {name}")
        else:
            check_leaked(leaked)


def check_leaked(leaked):
    found = json.loads(run("query", "leak", leaked, status=1).stdout)
    assert list(found) == ["file", "leaks", "entity", "classname", "points"] and found["leaks"], found
    entity = json.loads(run("entities", "--json", leaked).stdout)[found["entity"]]
    origin = dict(map(tuple, entity["pairs"]))["origin"]
    assert found["points"][0] == list(map(float, origin.split())), found
    text = run("query", "leak", "--points", leaked, status=1).stdout
    assert [list(map(float, line.split())) for line in text.splitlines()] == found["points"]


check_leaks()
for family in FAMILIES:
    check_vis(SAMPLES / family / "lobby.bsp")
check_forms()
for family, other in zip(FAMILIES, FAMILIES[1:] + FAMILIES[:1]):
    check_parts("vis", SAMPLES / family / "lobby.bsp", SAMPLES / other / "lobby.bsp", "--distance", 9)
    check_parts("light", SAMPLES / family / "lobby.bsp", SAMPLES / other / "lobby.bsp", "--extra", 2)
again = [run("vis", SAMPLES / "quake3/lobby.bsp", "--threads", n, "-o", WORK / f"{n}.bsp") and
         (WORK / f"{n}.bsp").read_bytes() for n in (1, 2, 7)]
assert again[0] == again[1] == again[2]
near = WORK / "near.bsp"
run("vis", "--distance", 64, SAMPLES / "quake2/lobby.bsp", "-o", near)
assert json.loads(run("vis", "--check", "--json", near).stdout)["added"] > 0

# Far planes: the world's key with its letter, and fogs, of which one without a far plane undoes the others.
def far(family, *edits):
    """Pairs with the far plane and without it, and whether the command tells of one that it does not heed."""
    source, target = SAMPLES / family / "lobby.bsp", WORK / "far.bsp"
    run("entities", source, *edits, "-o", WORK / "fog.bsp")
    heeded = run("vis", "--far-plane", WORK / "fog.bsp", "-o", target).stderr
    assert "--far-plane" not in heeded, heeded
    told = "draw 64 units far: --far-plane" in run("vis", WORK / "fog.bsp", "-o", WORK / "whole.bsp").stderr
    pairs = [json.loads(run("vis", "--check", "--json", WORK / name).stdout)["stored_pairs"]
             for name in ("far.bsp", "whole.bsp")]
    return *pairs, told


less, whole, told = far("quake2", "--set", "_farplanedist=64o", "--index", 0)
assert less < whole and told
run("vis", "--distance", 64, WORK / "fog.bsp", "-o", near)
assert near.read_bytes() == (WORK / "far.bsp").read_bytes()
fog = WORK / "fog.txt"
fog.write_text('{ "classname" "env_fog_controller" "farz" "64" }')
less, whole, told = far("source", "--add", fog)
assert less < whole and told
fog.write_text('{ "classname" "env_fog_controller" "farz" "64" } { "classname" "env_fog_controller" "farz" "-1" }')
less, whole, told = far("source", "--add", fog)
assert less == whole and not told
run("vis", "--far-plane", "--distance", 9, SAMPLES / "quake/lobby.bsp", "-o", near, status=2)
for name in ("q2__q2_liquids", "q2bspx__q2_liquids"):
    liquids = CORPUS / f"quake2/q2_38/ericw__{name}.bsp"
    if not liquids.is_file():
        print(f"a map with opaque and clear lava is not there: {liquids}")
        continue
    found = json.loads(run("vis", "--check", "--json", liquids).stdout)
    assert (found["stored_pairs"], found["pairs"], found["equal"]) == (200, 200, 200), found
if ORACLE.is_dir():
    for compiled, whole in COMPILED.items():
        check_compiled(compiled, whole)
else:
    print("portals of reference compilers are not there: ../shared/oracle/bake")
