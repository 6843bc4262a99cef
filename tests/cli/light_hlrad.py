# SPDX-License-Identifier: MIT
"""bspkit light on GoldSrc, beside what SDHLT 1.2.0 computes of the same map: luxels at the edges of round pillars
and beyond faces, at steps in and out of water, beside lamps, of doors and buttons; with what surfaces throw back."""
import os
import math
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve() / "goldsrc"
WORK = pathlib.Path(tempfile.mkdtemp())
# Face, style, luxel, and its colour in lobby_embed.bsp after `sdHLRAD` with lobby.rad beside it.
LUXELS = ((3, 0, 30, (255, 231, 174)), (12, 0, 12, (255, 226, 169)), (34, 0, 14, (26, 24, 18)),
          (59, 32, 18, (21, 30, 34)), (61, 0, 30, (16, 17, 13)), (64, 0, 9, (48, 47, 38)), (66, 0, 26, (12, 13, 10)),
          (67, 32, 2, (15, 22, 23)), (70, 32, 15, (80, 107, 127)), (91, 0, 77, (160, 140, 114)),
          (108, 0, 19, (209, 196, 179)), (124, 0, 20, (219, 195, 165)), (127, 0, 13, (117, 99, 80)),
          (131, 0, 3, (77, 55, 40)), (134, 0, 21, (46, 24, 17)), (137, 0, 25, (64, 46, 34)), (147, 0, 1, (104, 89, 66)),
          (152, 0, 2, (63, 53, 25)), (163, 0, 19, (153, 162, 158)), (166, 32, 4, (55, 78, 97)),
          (189, 0, 29, (12, 8, 9)), (197, 0, 4, (48, 28, 20)))


def run(*words):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)


class Map:
    """The faces of a map of version 30, and their luxels."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.lumps = [struct.unpack_from("<2i", self.data, 4 + 8 * i) for i in range(15)]

    def records(self, lump, form):
        offset, size = self.lumps[lump]
        return list(struct.iter_unpack(form, self.data[offset:offset + size]))

    def luxel(self, number, style, luxel):
        face = self.records(7, "<HHiHH4Bi")[number]
        texinfo = self.records(6, "<8f2i")[face[4]]
        edges, vertices = self.records(12, "<2H"), self.records(3, "<3f")
        count = 1
        for axis in (0, 4):
            texels = []
            for (edge,) in self.records(13, "<i")[face[2]:face[2] + face[3]]:
                point = vertices[edges[abs(edge)][edge < 0]]
                texels.append(sum(a * b for a, b in zip(point, texinfo[axis:])) + texinfo[axis + 3])
            count *= math.ceil(max(texels) / 16) - math.floor(min(texels) / 16) + 1
        at = self.lumps[8][0] + face[9] + (count * face[5:9].index(style) + luxel) * 3
        return tuple(self.data[at:at + 3])


def test_luxels():
    run("light", SAMPLES / "lobby_embed.bsp", "--rad", SAMPLES / "lobby.rad", "-o", WORK / "new.bsp")
    lit = Map(WORK / "new.bsp")
    for face, style, luxel, color in LUXELS:
        found = lit.luxel(face, style, luxel)
        assert max(abs(a - b) for a, b in zip(found, color)) <= 3, (face, style, luxel, color, found)


def test_parts():
    """Patches belong to the merge: parts that are merged are a whole run, of threads as many as one likes."""
    words = ("light", SAMPLES / "lobby_embed.bsp", "--rad", SAMPLES / "lobby.rad")
    parts = [WORK / f"{k}.part" for k in (1, 2, 3)]
    for k, part in enumerate(parts, 1):
        run(*words, "--part", f"{k}/3", "-o", part)
    run(*words, "--merge", *parts, "-o", WORK / "merged.bsp")
    run(*words, "--threads", 3, "-o", WORK / "threads.bsp")
    run(*words, "--threads", 1, "-o", WORK / "one.bsp")
    one = (WORK / "one.bsp").read_bytes()
    assert (WORK / "merged.bsp").read_bytes() == one == (WORK / "threads.bsp").read_bytes()


TESTS = (test_luxels, test_parts)
for test in TESTS:
    test()
print(f"light_hlrad: {len(TESTS)} tests")
