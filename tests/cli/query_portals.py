# SPDX-License-Identifier: MIT
"""query portals: the lumps that Source stored up to version 18, written here by hand into a map of version
18, come back as polygons with their sizes (against the shoelace formula) and as neighbours of clusters."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path("samples/source/lobby_19.bsp").resolve()


def run(*words, cwd):
    done = subprocess.run([BSPKIT, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def lump(work, name, data):
    (work / "data").write_bytes(data)
    run("lump", "replace", "m.bsp", name, "data", "--force", "--in-place", "--no-backup", cwd=work)


def shoelace(points):
    """Of a polygon in a plane of x, y or z."""
    flat = next(k for k in range(3) if len({p[k] for p in points}) == 1)
    a, b = (k for k in range(3) if k != flat)
    pairs = zip(points, points[1:] + points[:1])
    return abs(sum(p[a] * q[b] - q[a] * p[b] for p, q in pairs)) / 2


def read_lump(work, number):
    data = (work / "m.bsp").read_bytes()
    offset, size = struct.unpack_from("<2i", data, 8 + 16 * number)
    return data[offset:offset + size]


def read_vertices(work):
    return [struct.unpack_from("<3f", read_lump(work, 3), at) for at in range(0, len(read_lump(work, 3)), 12)]


def flat_faces(work, vertices):
    """Corners of faces that lie in a plane of one axis, by lumps 7, 12 and 13 of version 19."""
    faces, edges, surfedges = (read_lump(work, n) for n in (7, 12, 13))
    found = []
    for at in range(0, len(faces), 56):
        first, count = struct.unpack_from("<ih", faces, at + 4)
        corners = []
        for s in struct.unpack_from(f"<{count}i", surfedges, 4 * first):
            corners.append(struct.unpack_from("<2H", edges, 4 * abs(s))[s < 0])
        if any(len({vertices[v][k] for v in corners}) == 1 for k in range(3)):
            found.append(corners)
    return found


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "m.bsp").write_bytes(SAMPLE.read_bytes())
        vertices = read_vertices(work)
        faces = flat_faces(work, vertices)
        first, second = faces[0], faces[1]
        # Cluster 1 lies between 0 and 2; cluster 3 has no portal.
        lump(work, "PORTALVERTS", struct.pack(f"<{len(first) + len(second)}H", *first, *second))
        lump(work, "PORTALS", struct.pack("<3i2H", 0, len(first), 3, 0, 1) +
             struct.pack("<3i2H", len(first), len(second), 5, 2, 1))
        lump(work, "CLUSTERPORTALS", struct.pack("<4H", 0, 1, 0, 1))
        lump(work, "CLUSTERS", struct.pack("<8i", 0, 1, 2, 2, 1, 1, 0, 0))
        said = json.loads(run("query", "portals", "m.bsp", cwd=work))
        for portal, corners, plane, sides in zip(said["portals"], (first, second), (3, 5), ([0, 1], [2, 1])):
            points = [vertices[v] for v in corners]
            assert (portal["plane"], portal["clusters"]) == (plane, sides), portal
            assert [tuple(p) for p in portal["corners"]] == points, portal
            assert abs(portal["size"] - shoelace(points)) <= 1e-3 * portal["size"] > 0, portal
        assert [c["portals"] for c in said["clusters"]] == [[0], [0, 1], [1], []], said
        assert [c["neighbors"] for c in said["clusters"]] == [[1], [0, 2], [1], []], said
        # Indices that the file does not have are repaired or left out, never read.
        lump(work, "PORTALVERTS", struct.pack(f"<{len(first) + len(second)}H",
                                              *[65535] * (len(first) + len(second))))
        lump(work, "CLUSTERPORTALS", struct.pack("<4H", 9, 9, 9, 9))
        said = json.loads(run("query", "portals", "m.bsp", cwd=work))
        assert all(p["corners"] == [] and p["size"] == 0 for p in said["portals"]), said
        assert all(n == [] for n in (c["neighbors"] for c in said["clusters"])), said


main()
