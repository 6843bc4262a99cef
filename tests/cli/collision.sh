#!/bin/sh
# SPDX-License-Identifier: MIT
# export --collision: the hulls of an OBJ are closed, look outwards, and the contents that the map
# says of the middle of each are those that its name says. Hulls of brush models stand where their
# entity is, so their middles are asked of no world: they must lie within a brush model that is drawn.
. tests/cli/lib.sh

for family in quake2 quake3 source; do
    map=samples/$family/lobby.bsp
    expect 0 '' export --no-props $map --game samples/$family --units game --collision -o "$work/solid.obj"
    python3 - "$work/solid.obj" "$map" "$BSPKIT" <<'END' || fail "$family: hulls"
import collections, json, subprocess, sys
points, hulls, drawn, name = [None], [], collections.defaultdict(list), None
for line in open(sys.argv[1]):
    word, *rest = line.split()
    if word == "o":
        name = rest[0]
        if name.startswith("collision_brush"):
            hulls.append((name, []))
    elif word == "v":
        x, y, z = map(float, rest[:3])
        points.append((x, -z, y))
        if not name.startswith("collision_"):
            drawn[name].append(points[-1])
    elif word == "f" and name.startswith("collision_brush"):
        hulls[-1][1].append([int(n) for n in rest])
def minus(a, b):
    return [p - q for p, q in zip(a, b)]
def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def dot(a, b):
    return sum(p * q for p, q in zip(a, b))
middles = []
for name, faces in hulls:
    edges = collections.Counter((f[i - 1], f[i]) for f in faces for i in range(len(f)))
    assert all(n == 1 and edges[b, a] == 1 for (a, b), n in edges.items()), name
    used = sorted({n for f in faces for n in f})
    middles.append([sum(points[n][i] for n in used) / len(used) for i in range(3)])
    for f in faces:
        a, b, c = (points[n] for n in f[:3])
        normal = cross(minus(b, a), minus(c, a))
        assert dot(normal, minus(middles[-1], a)) < 0, (name, "looks inwards")
asked = "".join("%.9g %.9g %.9g\n" % tuple(m) for m in middles)
told = subprocess.run([sys.argv[3], "query", "contents", "--json", sys.argv[2]], input=asked,
                      capture_output=True, text=True, check=True).stdout.splitlines()
moved = 0
boxes = [[(min(v), max(v)) for v in zip(*p)] for name, p in drawn.items() if not name.endswith("0")]
assert len(told) == len(hulls)
for (name, faces), middle, line in zip(hulls, middles, told):
    words = set(name.split("_")[2:]) - {"detail"}  # of how it was cut: no leaf of Quake 2 keeps it
    if words <= set(json.loads(line)["contents_names"]):
        continue
    assert any(all(lo - 1 <= x <= hi + 1 for x, (lo, hi) in zip(middle, box)) for box in boxes), name
    moved += 1
assert len(hulls) - moved > 40 and moved < 20, (len(hulls), moved)
print(len(hulls), "hulls", moved, "of brush models")
END
done
finish
