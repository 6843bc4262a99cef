# SPDX-License-Identifier: MIT
"""Each program of examples/ runs on a sample, and what it prints is held against the records that the
command dumps, the bytes of the file, or arithmetic that is done again here."""
import collections
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
FOLDER = pathlib.Path(os.environ["BUILD"]) / "examples"
QUAKE = "samples/quake/lobby.bsp"


def run(program, *arguments, status=0, stdin=None):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, check=False, input=stdin)
    assert done.returncode == status, (program, arguments, done.returncode, done.stderr)
    assert status or not done.stderr, (program, arguments, done.stderr)
    return done.stdout


def dump(path, lump):
    return json.loads(run(BSPKIT, "dump", "--json", path, lump))


def polygon_area(points):
    total = [0.0, 0.0, 0.0]
    for a, b in zip(points, points[1:] + points[:1]):
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            total[axis] += a[u] * b[v] - a[v] * b[u]
    return math.hypot(*total) / 2


def drawn_faces():
    """Material, points and texture coordinates of each face of the Quake sample, from its records."""
    vertices = [record["point"] for record in dump(QUAKE, "vertexes")]
    edges = [record["v"] for record in dump(QUAKE, "edges")]
    surfedges = dump(QUAKE, "surfedges")
    texinfos = dump(QUAKE, "texinfo")
    textures = [t["miptex"] for t in dump(QUAKE, "textures")["textures"]]
    for face in dump(QUAKE, "faces"):
        run_of = surfedges[face["firstedge"]:face["firstedge"] + face["numedges"]]
        points = [vertices[edges[abs(e)][e < 0]] for e in run_of]
        info = texinfos[face["texinfo"]]
        texture = textures[info["miptex"]]
        name = texture["name"]
        if name.startswith("sky") or name in ("skip", "hint", "trigger", "clip"):
            continue
        size = (texture["width"], texture["height"])
        uv = [[(sum(p[i] * info["vecs"][4 * k + i] for i in range(3)) + info["vecs"][4 * k + 3]) / size[k]
               for k in range(2)] for p in points]
        yield name, points, uv


def check_triangles():
    want_area = collections.Counter()
    want = set()
    for name, points, uv in drawn_faces():
        want_area[name] += polygon_area(points)
        want |= {(name, *map(round, p), round(64 * s), round(64 * t)) for p, (s, t) in zip(points, uv)}
    points, uv, names = [], [], []
    area = collections.Counter()
    name = None
    for line in run(FOLDER / "triangles", QUAKE).decode().splitlines():
        word, *rest = line.split()
        if word == "usemtl":
            name = rest[0]
        elif word == "v":
            points.append(list(map(float, rest)))
            names.append(name)
        elif word == "vt":
            uv.append((float(rest[0]), 1 - float(rest[1])))
        elif word == "f":
            corners = [int(r.split("/")[0]) - 1 for r in rest]
            area[name] += polygon_area([points[c] for c in corners])
    assert len(want_area) > 8 and set(area) == set(want_area), (area, want_area)
    for key, value in want_area.items():
        assert abs(area[key] - value) < 1e-3 * value, (key, area[key], value)
    got = {(n, *map(round, p), round(64 * s), round(64 * t)) for n, p, (s, t) in zip(names, points, uv)}
    assert got == want, (sorted(got - want)[:5], sorted(want - got)[:5])


def check_entities():
    path = "samples/quake2/lobby.bsp"
    data = pathlib.Path(path).read_bytes()
    offset, size = struct.unpack_from("<II", data, 8)
    text = data[offset:offset + size].decode("latin-1")
    models = dump(path, "models")
    want = []
    for body in re.findall(r"{(.*?)}", text, re.S):
        pairs = dict(re.findall(r'"([^"]*)" "([^"]*)"', body))
        origin = " ".join("%g" % float(x) for x in pairs.get("origin", "0 0 0").split())
        line = f"{pairs['classname']}\t{pairs.get('targetname', '')}\t{origin}"
        model = 0 if pairs["classname"] == "worldspawn" else None
        if pairs.get("model", "").startswith("*"):
            model = int(pairs["model"][1:])
        want.append(line if model is None else f"{line}\t{models[model]['numfaces']} faces")
    assert len(want) > 10
    assert run(FOLDER / "entities", path).decode().splitlines() == want


def check_traces():
    path = "samples/quake3/lobby.bsp"
    world = dump(path, "models")[0]
    low, high = world["mins"], world["maxs"]
    lines = []
    count = 4000
    for i in range(count):
        at = [low[k] + i * (7919 + 2 * k) % (int(high[k] - low[k]) + 1) for k in range(3)]
        lines.append(f"{at[0]} {at[1]} {at[2]} {at[0]} {at[1]} {low[2] - 64}\n")
    floors = 0
    for line in run(BSPKIT, "query", "trace", path, stdin="".join(lines).encode()).decode().splitlines():
        word = line.split("\t")
        floors += float(word[0]) < 1 and float(word[6]) > 0 and word[7] == "0"
    assert 100 < floors < count
    assert run(FOLDER / "traces", path, count).decode() == f"{floors} of {count} points meet a floor\n"
    million = run(FOLDER / "traces", path, 1000000)
    assert million.endswith(b" of 1000000 points meet a floor\n")
    assert million == run(FOLDER / "traces", path, 1000000), "the threads disturb each other"


def check_props():
    for path in sorted(map(str, pathlib.Path("samples/source").glob("*.bsp"))):
        lump = dump(path, "game:sprp")
        want = ["\t".join([lump["models"][p["m_PropType"]], "%g %g %g" % tuple(p["m_Origin"]),
                           "%g %g %g" % tuple(p["m_Angles"]), str(p["m_Skin"])]) for p in lump["props"]]
        assert want
        assert run(FOLDER / "props", path).decode().splitlines() == want, path
    assert run(FOLDER / "props", QUAKE) == b""


def check_retitle(work):
    new = work / "new.bsp"
    run(FOLDER / "retitle", QUAKE, "A hall of stone", new)
    before, after = pathlib.Path(QUAKE).read_bytes(), new.read_bytes()

    def lump(data, n):
        offset, size = struct.unpack_from("<II", data, 4 + 8 * n)
        return data[offset:offset + size]

    for n in range(1, 15):
        assert lump(before, n) == lump(after, n), n
    title = re.compile(rb'"message" "[^"]*"')
    assert title.search(lump(after, 0))[0] == b'"message" "A hall of stone"'
    assert title.sub(b"", lump(after, 0), count=1) == title.sub(b"", lump(before, 0), count=1)
    run(FOLDER / "retitle", QUAKE, "Another", new, status=1)  # never over a file that exists
    assert new.read_bytes() == after


def check_picture(work):
    picture = run(FOLDER / "picture", QUAKE, "samples/quake")
    assert picture[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack_from(">II", picture, 16) == (640, 360)
    run(BSPKIT, "render", "--no-props", "--game", "samples/quake", "--size", "640x360", QUAKE, "-o", work / "same.png")
    assert picture == (work / "same.png").read_bytes()


def check_refusals(work):
    bad = work / "bad.bsp"
    bad.write_bytes(b"This is no map at all.")
    for program in sorted(path for path in FOLDER.iterdir() if path.is_file() and path.name != "example"):
        run(program, status=1)
        run(program, bad, "16", work / "never", status=1)
    assert not (work / "never").exists()


with tempfile.TemporaryDirectory() as folder:
    check_triangles()
    check_entities()
    check_traces()
    check_props()
    check_retitle(pathlib.Path(folder))
    check_picture(pathlib.Path(folder))
    check_refusals(pathlib.Path(folder))
