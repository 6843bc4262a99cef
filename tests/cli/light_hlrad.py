# SPDX-License-Identifier: MIT
"""bspkit light on GoldSrc, beside what SDHLT 1.2.0 computes of the same map: luxels at the edges of round pillars
and beyond faces, at steps in and out of water, beside lamps, of doors and buttons; with what surfaces throw back."""
import os
import json
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


def check(path, *words):
    """What --check says of a map, and of how many luxels are within 4 of 255."""
    told = json.loads(subprocess.run([BSPKIT, "light", "--check", "--json", "--force", path, *words], capture_output=True,
                                     check=True).stdout)
    return told, sum(told["histogram"][:5]) / told["compared"]


def test_stored_texlights():
    """What SDHLT was told of a texture (lobby.rad) is found again in the light that it made; an empty list says that
    none gives any."""
    path, empty = SAMPLES / "lobby_embed.bsp", WORK / "empty.rad"
    empty.write_text("")
    true = [line.split() for line in (SAMPLES / "lobby.rad").read_text().splitlines() if line and not line.startswith("//")]
    found, share = check(path)
    lines = [line.split() for line in found["texlights"].splitlines()]
    assert [line[0] for line in lines] == [line[0] for line in true], lines
    assert max(abs(int(a) - int(b)) for a, b in zip(lines[0][1:4], true[0][1:4])) <= 2, lines
    assert abs(int(lines[0][4]) / int(true[0][4]) - 1) < 0.07, lines
    told, of_list = check(path, "--rad", SAMPLES / "lobby.rad")
    none, of_none = check(path, "--rad", empty)
    assert told["texlights"] == none["texlights"] == "" and found["mean"] > none["mean"] + 10
    assert share > 0.8 and share > of_list - 0.02 and of_none < 0.5, (share, of_list, of_none)
    # What was found is found again in what was made by it, and a map that names its textures is not looked at.
    run("light", path, "-o", WORK / "again.bsp")
    again = check(WORK / "again.bsp")[0]["texlights"].split()
    assert again[:4] == lines[0][:4] and abs(int(again[4]) / int(lines[0][4]) - 1) < 0.05, again
    text = subprocess.run([BSPKIT, "entities", path], capture_output=True, text=True, check=True).stdout
    (WORK / "named.map").write_text(text + '{ "classname" "info_texlights" "trim1" "255 128 64 900" }\n')
    assert check(path, "--lights", WORK / "named.map")[0]["texlights"] == ""
    assert check(path, "--as", "ericw")[0]["texlights"] == ""


def edited(path, name, *words):
    out = WORK / name
    run("entities", path, *words, "-o", out)
    return out


def light_of(path):
    offset, size = Map(path).lumps[8]
    return path.read_bytes()[offset:offset + size]


def lit(path, name, *words):
    run("light", path, "--force", *words, "-o", WORK / name)
    return light_of(WORK / name)


def test_surface_entities():
    """A light with a key _tex lets the surfaces of that texture give light, as a line of a lights.rad does, and is no
    lamp itself; not beyond _frange and _fdist, nor with another _fclass. With `style` others see it by that style."""
    path, rad = SAMPLES / "lobby_embed.bsp", WORK / "trim.rad"
    rad.write_text("trim1 255 128 64 900\n")
    empty = WORK / "empty.rad"
    empty.write_text("")
    of_list, none = lit(path, "list.bsp", "--rad", rad), lit(path, "none.bsp", "--rad", empty)
    assert of_list != none
    text = subprocess.run([BSPKIT, "entities", path], capture_output=True, text=True, check=True).stdout

    def of_entity(name, keys):
        entities = WORK / "surface.map"
        entities.write_text(text + '{ "classname" "light" "origin" "0 0 64" "_tex" "TRIM1" '
                            '"_light" "255 128 64 900" %s }\n' % keys)
        return lit(path, name, "--lights", entities)

    assert of_entity("same.bsp", "") == of_list
    assert of_entity("same.bsp", '"_frange" "99999" "_fdist" "99999" "_scale" "1" "_chop" "32"') == of_list
    assert of_entity("same.bsp", '"convertfrom" "light_surface"') == of_list
    for keys in ('"_frange" "1"', '"_fclass" "func_door"', '"_fname" "nobody"'):
        assert of_entity("off.bsp", keys) == none, keys
    assert of_entity("half.bsp", '"_scale" "0.5"') not in (of_list, none)
    assert of_entity("cone.bsp", '"_cone" "20" "_cone2" "30"') not in (of_list, none)
    assert of_entity("styled.bsp", '"style" "5"') not in (of_list, none)


def test_before_textures():
    """Without the key `compiler` the light is that of an older hlrad: of what comes straight from lamps the same sum,
    by another curve."""
    path = SAMPLES / "lobby_embed.bsp"
    old = edited(path, "old.bsp", "--where", "classname=worldspawn", "--unset", "compiler")
    (WORK / "empty.rad").write_text("")
    words = ("--direct", "--rad", WORK / "empty.rad")
    new_bytes, old_bytes = lit(path, "new_d.bsp", *words), lit(old, "old_d.bsp", *words)
    numbers = [k for k, face in enumerate(Map(WORK / "new_d.bsp").records(7, "<HHiHH4Bi"))
               if face[9] >= 0 and face[5] == 0]
    new_map, old_map = Map(WORK / "new_d.bsp"), Map(WORK / "old_d.bsp")
    assert len(numbers) > 10 and new_bytes != old_bytes, len(numbers)
    for number in numbers[:60]:
        for a, b in zip(new_map.luxel(number, 0, 0), old_map.luxel(number, 0, 0)):
            if 20 < a < 250:
                assert abs(256 * (a / 256) ** (0.5 / 0.55) - b) <= 1.5, (number, a, b)
    corpus = pathlib.Path("../shared/corpus/goldsrc/goldsrc30/cs16-docker__maps__aim_map.bsp")
    if corpus.exists():
        found = json.loads(subprocess.run([BSPKIT, "light", "--check", "--json", corpus], capture_output=True, text=True,
                                          check=False).stdout)
        assert sum(found["histogram"][:5]) > 0.75 * found["compared"], found


def test_limit():
    """Light of a map that was limited to 188, which no luxel there exceeds, is limited again."""
    path = SAMPLES / "lobby_embed.bsp"
    offset, size = Map(path).lumps[8]
    data = bytearray(path.read_bytes())
    assert max(data[offset:offset + size]) == 255 == max(lit(path, "full.bsp"))
    data[offset:offset + size] = bytes(min(188, b) for b in data[offset:offset + size])
    (WORK / "limited.bsp").write_bytes(data)
    assert max(lit(WORK / "limited.bsp", "limited_new.bsp")) == 188


def test_memory():
    """What goes between patches takes the memory that it needs: with rows twice as long 1.85 MB were too few."""
    (WORK / "empty.rad").write_text("")
    run("light", SAMPLES / "lobby.bsp", "--force", "--rad", WORK / "empty.rad", "--threads", 1, "--limit", "memory=1750000", "-o", WORK / "small.bsp")


TESTS = (test_luxels, test_stored_texlights, test_parts, test_surface_entities, test_before_textures, test_limit, test_memory)
for test in TESTS:
    test()
print(f"light_hlrad: {len(TESTS)} tests")
