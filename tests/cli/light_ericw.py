# SPDX-License-Identifier: MIT
"""bspkit light by the rules of ericw-tools: what keys of lights, of models and of the world do to luxels, by facts
that follow from what the keys mean."""
import itertools
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
WORK = pathlib.Path(tempfile.mkdtemp())
QUAKE = SAMPLES / "quake/lobby.bsp"
GAME = ("-g", SAMPLES / "quake")
FIRST_OF_MODEL = 273  # face of model 2, a func_door; it has six
LAMPS = "classname=light"
WORLD = "classname=worldspawn"
MODEL = "model=\\*2"
DARK = (WORLD, "_sunlight=0")
EDITED, LIT, COLORS = (WORK / name for name in ("edited.bsp", "lit.bsp", "lit.lit"))


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def edit(*edits):
    """The map with all light in style 0 and keys of entities set: which entities, then keys with their values."""
    EDITED.write_bytes(QUAKE.read_bytes())
    for where, *sets in ((LAMPS, "style=0"), *edits):
        words = [word for text in sets for word in ("--set", text)]
        run("entities", "--where", where, *words, "--in-place", EDITED)
    return EDITED


def light(*edits, words=()):
    """Luxels of each face in colour after edits, lists of triples, with what they are padded by."""
    return with_light(edit(*edits), *words)


def with_light(path, *words):
    words = words if "--bounces" in words else ("--direct", *words)
    run("light", path, *GAME, "-o", LIT, "--lit", COLORS, *words)
    data, colors = LIT.read_bytes(), COLORS.read_bytes()[8:]
    start, size = struct.unpack_from("<2i", data, 4 + 8 * 7)
    luxels = []
    offsets = sorted({struct.unpack_from("<i", data, at + 16)[0] for at in range(start, start + size, 20)} - {-1})
    offsets.append(len(colors) // 3)
    for at in range(start, start + size, 20):
        offset, styles = struct.unpack_from("<i", data, at + 16)[0], data[at + 12:at + 16]
        end = offset if offset < 0 else offsets[offsets.index(offset) + 1]
        count = end - offset if styles[0] == 0 else 0
        luxels.append([tuple(colors[3 * n:3 * n + 3]) for n in range(offset, offset + count)])
    return luxels


def pairs(some, others):
    """The luxels that both have; padding behind those of a face is left out."""
    return [pair for face, other in zip(some, others) for pair in zip(face, other)]


def flat(luxels):
    return [luxel for face in luxels for luxel in face]


def total(luxels):
    return sum(map(sum, flat(luxels)))


def test_channels():
    """Lights light the models of their channels, and those alone."""
    dark = light(DARK, (LAMPS, "light=0"))
    assert light(DARK, (LAMPS, "_light_channel_mask=2")) == dark
    one = light(DARK, (LAMPS, "_light_channel_mask=2"), (MODEL, "_object_channel_mask=2"))
    model = slice(FIRST_OF_MODEL, FIRST_OF_MODEL + 6)
    assert total(one[model]) > total(dark[model]) and one[:FIRST_OF_MODEL] == dark[:FIRST_OF_MODEL]
    assert light(DARK, (LAMPS, "_light_channel_mask=6"), (MODEL, "_object_channel_mask=2"))[model] == one[model]
    both, shaded = light(DARK, (MODEL, "_object_channel_mask=3", "_shadow=1")), light(DARK, (MODEL, "_shadow=1"))
    in_it = [new != old for new, old in pairs(both[:FIRST_OF_MODEL], shaded)]  # what is of other channels is not solid
    assert 0 < sum(in_it) < 30 and both[:FIRST_OF_MODEL] != light(DARK)[:FIRST_OF_MODEL], sum(in_it)
    through = light(DARK, (MODEL, "_object_channel_mask=2"), (LAMPS, "_light_channel_mask=1"))
    assert through[:FIRST_OF_MODEL] == light(DARK)[:FIRST_OF_MODEL]


def test_models():
    """Models that ignore light have the least light; limits and greys are of the model that names them."""
    plain = light()
    model = slice(FIRST_OF_MODEL, FIRST_OF_MODEL + 6)
    ignored = light((MODEL, "_lightignore=1", "_autominlight=-1"))
    assert set(flat(ignored[model])) - {(0, 0, 0)} == {(4, 4, 4)} and ignored[:FIRST_OF_MODEL] == plain[:FIRST_OF_MODEL]
    limited = light((MODEL, "_maxlight=10"))
    assert max(map(max, flat(limited[model]))) == 10 < max(map(max, flat(plain[model])))
    grey = light((MODEL, "_lightcolorscale=0"))
    for new, old in pairs(grey[model], plain[model]):
        assert new == (max(old),) * 3, (new, old)
    assert max(map(max, flat(light((WORLD, "_maxlight=30"))))) == 30
    assert light((MODEL, "_minlight=4")) == plain  # the world has more
    assert light((MODEL, "_selfshadow=1"), (WORLD, "_dirt=0")) == light((MODEL, "_shadowself=1"))
    excluded = light((MODEL, "_minlight_exclude=door1", "_lightignore=1", "_autominlight=-1"))
    assert total(excluded[model]) < total(ignored[model]) and excluded[:FIRST_OF_MODEL] == plain[:FIRST_OF_MODEL]
    assert total(light((MODEL, "_light_twosided=1"))[model]) > total(plain[model])
    clear = ((MODEL, "_shadow=1", "_alpha=0.5"), (MODEL, "_shadow=1", "_light_alpha=0.5"))
    seen, lit = light(clear[0]), light(clear[1])  # for light alone: solid, and lit from its front
    assert total(seen[model]) > total(lit[model])
    assert 0 < sum(new != old for new, old in pairs(seen[:FIRST_OF_MODEL], lit)) < 30
    dirty, clean = light((WORLD, "_dirt=1")), light((WORLD, "_dirt=1"), (MODEL, "_dirt=-1"))
    assert total(dirty[model]) < total(clean[model]) and dirty[:FIRST_OF_MODEL] == clean[:FIRST_OF_MODEL]


def test_names():
    """A key has the effect of the other names that it has."""
    plain = light()
    assert light((WORLD, "_sunlight=0", "_sun_light=120")) == light(DARK)
    sun = light((WORLD, "_sunlight_mangle=20 -40 0"))
    entities = WORK / "sun.txt"
    entities.write_text(run("entities", edit()).stdout.replace('"_sunlight"', '"_sun_light"')
                        .replace('"_sunlight_mangle" "60 -70 0"', '"_sun_angle" "20 -40 0"'))
    assert light(words=("--lights", entities)) == sun != plain
    keys = ("light=300", "_color=255 128 64")
    entities.write_text(run("entities", edit((LAMPS, *keys))).stdout.replace('"light" "300"', '"light" "255 128 64 300"')
                        .replace('"_color" "255 128 64"', ""))
    assert light(words=("--lights", entities)) == light((LAMPS, *keys))
    assert light((WORLD, "_anglesense=0.9")) == light((WORLD, "_anglescale=0.9")) != plain


def lamps(*edits):
    return json.loads(run("light", "--check", "--json", "--direct", edit(*edits), *GAME).stdout)


def test_spread():
    """A light that is spread stands at several places and shares its strength; a wide sun has 64 directions."""
    alone = lamps()
    some = lamps((LAMPS, "_deviance=16", "_samples=5"))
    assert some["lamps"] == 5 * alone["lamps"] and alone["suns"] == 1
    assert lamps((WORLD, "_sunlight_penumbra=5"))["suns"] == 64
    whole, shared = light((LAMPS, "delay=3")), light((LAMPS, "delay=3", "_deviance=0.001"))
    near = [max(abs(x - y) for x, y in zip(a, b)) <= 1 for a, b in pairs(whole, shared)]
    assert sum(near) > 0.99 * len(near), (sum(near), len(near))


def test_lamps():
    """Light that bleeds is never less; surfaces that shine as wholes are one lamp each; spots of surfaces shine away
    from them; a picture stops what is beside it; a spot ends at its target."""
    plain = light()
    bleeding = light((LAMPS, "_bleed=1"))
    assert all(max(new) >= max(old) for new, old in pairs(bleeding, plain)) and bleeding != plain
    assert light(("_surface=*", "_surface_radiosity=1")) not in (plain, light(("_surface=*", "light=0")))
    assert light(("_surface=*", "_surflight_group=1")) == light(("_surface=*", "light=0"))
    assert total(light(("_surface=*", "_surface_spotlight=1"))) < total(plain)
    thrown = light((LAMPS, "_project_texture=brick1", "_project_mangle=0 -90 0", "_project_fov=40"))
    assert total(light((LAMPS, "light=0"))) < total(thrown) < total(plain) / 2
    assert light((LAMPS, "_project_texture=none")) == plain
    aimed = ((LAMPS, "target=t"), (WORLD, "targetname=t", "origin=128 64 64"))
    assert total(light(*aimed, (WORLD, "_spotlightautofalloff=1"))) != total(light(*aimed))
    assert light((LAMPS, "_nostaticlight=1")) == light((LAMPS, "_switchableshadow_target=t")) == light((LAMPS, "light=0"))


def test_soft():
    """Luxels of a square are mixed: none is beyond those that there were, and edges of shadows are less steep."""
    plain, soft, softer = light(), light(words=("--soft", "1")), light(words=("--soft", "3"))
    assert light(words=("--soft", "0")) == plain
    steps = []
    for luxels in (plain, soft, softer):
        assert abs(total(luxels) - total(plain)) < 0.02 * total(plain)
        steps.append(sum(max(abs(a - b) for a, b in zip(one, two)) > 16
                         for face in luxels for one, two in zip(face, face[1:])))
        for new, old in zip(luxels, plain):
            assert not new or max(map(max, new)) <= max(map(max, old)) + 1
    assert steps[2] < steps[1] < steps[0], steps
    run("light", "--soft", "256", QUAKE, "-o", LIT, status=2)
    assert "does not mix luxels" in run("light", "--soft", "1", SAMPLES / "source/lobby.bsp", "-o", LIT, status=2).stderr


def planes_of_faces(data):
    """The number of edges of each face, and its normal."""
    planes, faces = (struct.unpack_from("<2i", data, 4 + 8 * lump) for lump in (1, 7))
    for at in range(faces[0], sum(faces), 20):
        plane, side, _, edges = struct.unpack_from("<HHiH", data, at)
        normal = struct.unpack_from("<3f", data, planes[0] + 20 * plane)
        yield edges, tuple(-part if side else part for part in normal)


def add_normals(path, normals):
    """Gives a map FACENORMALS, one normal for all corners of each face."""
    data = path.read_bytes()
    data += bytes(-len(data) % 4)
    count = len(normals)
    lump = struct.pack("<I", count) + b"".join(struct.pack("<3f", *normal) for _, normal in normals)
    lump += b"".join(struct.pack("<3I", number, 0, 0) * edges for number, (edges, _) in enumerate(normals))
    path.write_bytes(data + b"BSPX" + struct.pack("<I24s2I", 1, b"FACENORMALS", len(data) + 40, len(lump)) + lump)


def test_world_phong():
    """What the world says of round surfaces holds for those of models, too, that say nothing."""
    plain, models = light(), "model=\\**"
    both = light((WORLD, "_phong_angle=120"), (models, "_phong_angle=120"))
    assert light((WORLD, "_phong_angle=120")) == both != plain
    assert light((WORLD, "_phong_angle=120"), (models, "_phong_angle=0")) not in (plain, both)
    assert light((WORLD, "_phong=1")) == light((WORLD, "_phong_angle=89"), (models, "_phong_angle=89")) != plain


def test_stored_phong():
    """Which faces were round is found in the light that they have, when nothing says it any more: in any way of
    working, and in no map that was lit flat."""
    path, flat, out = WORK / "phong.bsp", WORK / "flat.bsp", [WORK / f"phong{i}.bsp" for i in range(4)]
    names = path.with_suffix(".texinfo.json")
    count = len(json.loads(run("dump", "--json", QUAKE, "TEXINFO").stdout))
    edit((LAMPS, "light=300"))
    names.write_text(json.dumps({str(i): {"phong_angle": 89} for i in range(count)}))
    path.write_bytes(EDITED.read_bytes())
    run("light", "--direct", path, "--in-place")
    assert json.loads(run("light", "--direct", "--check", "--json", path).stdout)["phong"] == []
    names.unlink()
    run("light", "--direct", EDITED, "-o", flat)

    def check(of, *words):
        found = json.loads(run("light", "--direct", "--check", "--json", *words, of).stdout)
        return found["phong"], sum(found["histogram"][:5]) / sum(found["histogram"])

    found, share = check(path)
    none, of_none = check(path, "--phong", "keys")
    assert share > 0.99 > 0.95 > of_none and none == [] and check(flat) == ([], 1), (share, of_none)
    assert sum(phong["faces"] for phong in found) > 50 and {phong["angle"] for phong in found} == {89}, found
    assert check(path, "--extra", 2)[0] == found and check(path, "--preview")[0] == []
    assert "estimated" in run("light", "--direct", path, "--threads", 1, "-o", out[0]).stderr
    run("light", "--direct", path, "--threads", 3, "-o", out[1])
    parts = [WORK / f"phong{i}.part" for i in range(2)]
    for i, part in enumerate(parts):
        run("light", "--direct", path, "--part", f"{i + 1}/2", "-o", part)
    run("light", "--direct", path, "--merge", *parts, "-o", out[2])
    assert out[0].read_bytes() == out[1].read_bytes() == out[2].read_bytes()
    run("light", "--direct", "--phong", "keys", path, "--merge", *parts, "-o", out[3], status=2)


def test_normals():
    """Normals that the map has count in the place of angles: flat ones leave it flat, and one that leans lights its
    face by its own cosine."""
    plain, round_ = light(), light((WORLD, "_phong_angle=120"))
    normals = list(planes_of_faces(EDITED.read_bytes()))
    add_normals(EDITED, normals)
    assert with_light(EDITED) == plain != round_
    edit(DARK, (LAMPS, "light=0"), ("_color=255 224 176", "light=100", "delay=3", "_color=255 255 255", "_anglescale=1"))
    flat_ones = with_light(EDITED)
    face = max(range(267), key=lambda f: sum(map(sum, flat_ones[f])))
    edges, normal = normals[face]
    leaning = [part + 0.5 * (abs(part) < 0.5) for part in normal]
    normals[face] = edges, leaning
    add_normals(EDITED, normals)
    leant = with_light(EDITED)
    assert [f for f in range(267) if leant[f] != flat_ones[f]] == [face]


def read_grid(path):
    """Units between cells, their numbers, the corner, the most styles, and the samples of each cell; None in solid."""
    run("lump", "extract", path, "bspx:LIGHTGRID_OCTREE", "-o", WORK / "grid.lump")
    data = (WORK / "grid.lump").read_bytes()
    step, size, corner, most, _, nodes = (struct.unpack_from(form, data, at) for form, at in
                                          (("<3f", 0), ("<3i", 12), ("<3f", 24), ("<B", 36), ("<I", 37), ("<I", 41)))
    at = 45 + 44 * nodes[0]
    (leaves,) = struct.unpack_from("<I", data, at)
    at += 4
    cells = {}
    for _ in range(leaves):
        low, counts = struct.unpack_from("<3i", data, at), struct.unpack_from("<3i", data, at + 12)
        at += 24
        for n in range(counts[0] * counts[1] * counts[2]):
            place = (low[0] + n % counts[0], low[1] + n // counts[0] % counts[1], low[2] + n // counts[0] // counts[1])
            count, at = data[at], at + 1
            cells[place] = None if count == 255 else {data[at + 4 * k]: tuple(data[at + 4 * k + 1:at + 4 * k + 4])
                                                      for k in range(count)}
            at += 4 * count if count != 255 else 0
    assert at == len(data)
    return step, size, corner, most[0], cells


def test_grid():
    """A grid of cells that are no solid, in the box of the map; light falls there as lamps have it, is made again to
    the same bytes, and in parts."""
    made, again, parts = WORK / "grid.bsp", WORK / "again.bsp", [WORK / f"grid{k}.part" for k in (1, 2)]
    run("light", edit(), "--direct", "--grid", "32", "-o", made)
    step, size, corner, most, cells = read_grid(made)
    assert step == (32, 32, 32) and size == (24, 10, 11) and corner == (0, -64, -128) and most == 1
    free = {place for place, samples in cells.items() if samples is not None}
    beside = (-0.25, 0.25)
    points = [tuple(corner[i] + 32 * place[i] + by[i] for i in range(3))
              for place in cells for by in itertools.product(beside, repeat=3)]
    lines = subprocess.run([BSPKIT, "query", "contents", made], input="".join(f"{x} {y} {z}\n" for x, y, z in points),
                           capture_output=True, text=True, check=True).stdout.split("\n")
    solid = [line.split()[0] in ("-2", "-6") for line in lines if line]
    inside = [place for n, place in enumerate(cells) if not any(solid[8 * n:8 * n + 8])]
    assert set(inside) <= free, sorted(set(inside) - free)[:5]
    assert len(free) < 1.7 * len(inside) and len(inside) > 600, (len(free), len(inside))
    assert sum(1 for samples in cells.values() if samples) > 600
    run("light", made, "--direct", "-o", again)
    assert made.read_bytes() == again.read_bytes()
    run("light", edit(), "--direct", "--grid", "32", "--threads", 3, "-o", again)
    assert made.read_bytes() == again.read_bytes()
    for k, part in enumerate(parts, 1):
        run("light", EDITED, "--direct", "--part", f"{k}/2", "-o", part)
    run("light", EDITED, "--direct", "--grid", "32", "--merge", *parts, "-o", again)
    assert made.read_bytes() == again.read_bytes()
    run("light", edit(DARK, (LAMPS, "light=0")), "--direct", "--grid", "32", "-o", made)
    assert all(not samples for samples in read_grid(made)[4].values())
    hints = WORK / "hints.txt"
    hints.write_text(run("entities", edit()).stdout + "".join(
        f'{{\n"classname" "info_null"\n"origin" "{place}"\n"_lightgrid_hint" "1"\n}}\n' for place in ("16 16 16", "80 80 80")))
    run("entities", "--import", hints, EDITED, "-o", again)
    run("light", again, "--direct", "--grid", "16", "-o", made)
    assert read_grid(made)[1:3] == ((4, 4, 4), (16, 16, 16))
    run("light", QUAKE, "--grid", "0.5", "-o", made, status=2)
    run("light", SAMPLES / "goldsrc/lobby_embed.bsp", "--grid", "32", "-o", made, status=2)


def test_mottle():
    """The least light is uneven by up to 48 before the gain of a half, also of single models; never below it."""
    dark = (DARK, (LAMPS, "light=0"))
    values = [luxel[0] for luxel in flat(light(*dark, (WORLD, "_minlight_mottle=1"))) if luxel != (0, 0, 0)]
    assert 4 <= min(values) < 8 and 22 < max(values) <= 28 and 13 < sum(values) / len(values) < 18
    one = light(*dark, (MODEL, "_minlightMottle=1"))
    assert one[:FIRST_OF_MODEL] == light(*dark)[:FIRST_OF_MODEL] and len(set(flat(one[FIRST_OF_MODEL:]))) > 4
    assert light(*dark, (WORLD, "_minlight_mottle=1"), (MODEL, "_minlight_mottle=0"))[FIRST_OF_MODEL] == \
        light(*dark)[FIRST_OF_MODEL]


def texinfos():
    """The texinfo of each face, and how many there are."""
    data = QUAKE.read_bytes()
    start, size = struct.unpack_from("<2i", data, 4 + 8 * 7)
    return [struct.unpack_from("<h", data, at + 10)[0] for at in range(start, start + size, 20)], \
        struct.unpack_from("<i", data, 4 + 8 * 6 + 4)[0] // 40


def test_surfaces():
    """What qbsp left beside the map counts for the faces of a texinfo, as keys of models do for theirs."""
    beside = EDITED.with_suffix(".texinfo.json")
    of, count = texinfos()
    faces = [face for face, texinfo in enumerate(of) if texinfo == of[10]]
    dark = (DARK, (LAMPS, "light=0"))

    def say(members, texinfo=None, entries=count):
        beside.write_text(json.dumps({str(n): members if texinfo in (None, n) else {} for n in range(entries)}))

    def lit(members, *edits, texinfo=of[10]):
        say(members, texinfo)
        luxels = light(*edits)
        beside.unlink()
        return luxels

    def colors(luxels):
        return set(flat(luxels[face] for face in faces)) - {(0, 0, 0)}

    plain, black = light(), light(*dark)
    assert lit({}) == plain and lit({"phong_group": 0, "unknown": [{"a": "]}"}, None]}) == plain
    least = lit({"minlight": 60}, *dark)
    assert colors(black) == {(4, 4, 4)} and colors(least) == {(30, 30, 30)}
    assert all((least[face] != black[face]) == (face in faces and black[face] != []) for face in range(len(of)))
    assert colors(lit({"minlight": 60, "minlight_color": [255, 0, 51]}, *dark)) == {(30, 0, 6)}
    assert colors(lit({"no_minlight": True}, *dark)) == set()
    assert colors(lit({"light_ignore": True})) == {(4, 4, 4)}
    assert max(map(max, colors(lit({"maxlight": 20})))) == 20
    assert all(len(set(luxel)) == 1 for luxel in colors(lit({"lightcolorscale": 0})))
    every = {"texinfo": None}
    assert total(lit({"no_shadow": True}, **every)) > total(plain)
    assert lit({"no_dirt": True}, (WORLD, "_dirt=1"), **every) == plain != light((WORLD, "_dirt=1"))
    round_ = lit({"phong_angle": 120}, **every)
    assert round_ == light((WORLD, "_phong_angle=120"), ("model=\\**", "_phong_angle=120")) != plain
    assert lit({"phong_angle": 120, "phong_angle_concave": 120}, **every) == round_
    assert lit({"phong_angle": 120, "phong_angle_concave": 1}, **every) not in (plain, round_)
    wide = ("_surface=*", "_surface_radiosity=1")
    whole, none = total(light(wide)), total(light(("_surface=*", "light=0")))
    grouped = (*wide, "_surflight_group=1")
    assert lit({"surflight_group": 1}, grouped, **every) == light(wide) != light(grouped)
    for members in ({"surflight_atten": 2}, {"surflight_rescale": False}, {"surflight_style": 5}):
        assert none < total(lit(members, wide, **every)) < whole, members
    sky = (*wide, "_surface_spotlight=0")
    assert lit({"light_alpha": 0}, DARK, **every) == lit({"no_shadow": True}, DARK, **every)
    assert lit({"surflight_color": [0, 0, 0]}, wide, **every) == light(("_surface=*", "light=0"))
    red = flat(lit({"surflight_color": [255, 0, 0]}, wide, **every))
    assert max(r - g for r, g, _ in red) >= 55  # half of its light of 120, as it shows itself
    near, far, gone = (total(light(sky, (WORLD, f"_surflightskydist={units}"))) for units in (0, 200, 1000000))
    assert none <= gone < far < near
    say({}, entries=count - 1)  # of another map
    done = run("light", "--check", "--json", "--direct", edit(), *GAME)
    assert json.loads(done.stdout)["unheeded"] == [".texinfo.json"] and light() == plain
    assert "NAME.texinfo.json beside it has no effect here: it is of another map" in done.stderr
    for text in ("", "[]", "{", '{"0": {]', '{"0": {"minlight": x}}', '{"0": {}} {}', '{"0" {}}'):
        beside.write_text(text)
        done = run("light", "--direct", EDITED, "-o", LIT, status=3 if text else 0)
        assert text == "" or ".texinfo.json is no JSON" in done.stderr, (text, done.stderr)
    beside.unlink()
    assert run("light", "--check", "--direct", edit()).stderr == ""


def rows_of(*edits):
    """The styles of each face and its luxels, with what they are padded by."""
    light(*edits)
    data, colors = LIT.read_bytes(), COLORS.read_bytes()[8:]
    start, size = struct.unpack_from("<2i", data, 4 + 8 * 7)
    heads = [(struct.unpack_from("<i", data, at + 16)[0], data[at + 12:at + 16]) for at in range(start, start + size, 20)]
    offsets = sorted({offset for offset, _ in heads} - {-1}) + [len(colors) // 3]
    for offset, styles in heads:
        end = offsets[offsets.index(offset) + 1] if offset >= 0 else offset
        yield [s for s in styles if s != 255], [tuple(colors[3 * n:3 * n + 3]) for n in range(offset, end)]


def test_switching():
    """A shadow that switches parts light of style 0: what goes by and what goes through sum up to all of it."""
    alone = (WORLD, "_minlight=0", "_light=0", "_dirt=0")
    keys = (MODEL, "_switchableshadow=1", "switchshadstyle=40")
    plain, parted = list(rows_of(alone)), list(rows_of(alone, keys))
    shaded = [face for face in range(FIRST_OF_MODEL) if 40 in parted[face][0]]
    assert len(shaded) == 8
    for face, (old, new) in enumerate(zip(plain[:FIRST_OF_MODEL], parted)):
        if face not in shaded:
            assert old == new
            continue
        fits = []
        for count in (len(new[1]) // 2, len(new[1]) // 2 - 1):  # padded or not
            by, through = new[1][:count], new[1][count:2 * count]
            fits.append(all(abs(a + b - c) <= 1 for triples in zip(by, through, old[1]) for a, b, c in zip(*triples)))
        assert any(fits), face
    named = ((MODEL, "targetname=door"), ("_surface=*", "style=40", "light=0", "_switchableshadow_target=door"))
    assert list(rows_of(alone, *named)) == list(rows_of(alone, ("_surface=*", "light=0"), keys))
    other = list(rows_of(alone, keys, (LAMPS, "style=3"), (WORLD, "_sunlight=0")))
    assert not any(40 in styles for styles, _ in other)
    each = list(rows_of(alone, (MODEL, "targetname="),
                        *((f"model=\\*{n}", "_switchableshadow=1") for n in (2, 3, 4))))
    assert {style for styles, _ in each for style in styles} - {0} == {32, 33, 34}


def test_no_faces():
    """A model without faces casts the shadow of its solid."""
    shaded = light((MODEL, "_shadow=1"))
    bare = bytearray(EDITED.read_bytes())
    start, _ = struct.unpack_from("<2i", bare, 4 + 8 * 14)
    struct.pack_into("<i", bare, start + 2 * 64 + 60, 0)
    start, _ = struct.unpack_from("<2i", bare, 4 + 8 * 7)
    for face in range(FIRST_OF_MODEL, FIRST_OF_MODEL + 6):
        struct.pack_into("<H", bare, start + 20 * face + 8, 0)
    EDITED.write_bytes(bare)
    assert with_light(EDITED)[:FIRST_OF_MODEL] == shaded[:FIRST_OF_MODEL] != light()[:FIRST_OF_MODEL]


def test_liquids():
    """GoldSrc, whose liquids hide what is in them: light goes into them all the same."""
    wet = SAMPLES / "goldsrc/lobby.bsp"
    done = run("light", "--check", "--json", "--as", "ericw", wet, "-g", SAMPLES / "goldsrc")
    assert json.loads(done.stdout)["rules"] == "ericw"
    run("light", "--as", "ericw", wet, "-g", SAMPLES / "goldsrc", "-o", LIT)
    data = LIT.read_bytes()
    start, size = struct.unpack_from("<2i", data, 4 + 8 * 7)
    floor = [data[at + 12] for at in range(start, start + size, 20)][172]  # of the pool
    assert floor != 255


def test_extra():
    """All light is measured at several places of a luxel, also what is thrown back and what corners leave: brightest
    channels of faces of the lobby by light of ericw-tools 8b70fce2 with -extra4 -bounce 1 -dirt 1."""
    compiler = {31: (164, 146, 113, 126, 105, 109, 87, 85, 102), 36: (59, 98, 51, 82, 104, 72),
                40: (72, 51, 59, 90, 66, 82, 93, 83, 89, 63, 57, 61)}
    new = with_light(QUAKE, "--bounces", 1, "--dirt", "on", "--extra", 4)
    for face, luxels in compiler.items():
        assert all(abs(max(a) - b) <= 4 for a, b in zip(new[face], luxels)), (face, new[face])


def test_grazing_sun():
    """Walls along a sun have the part of its light that no angle makes less: half, with the usual _anglescale."""
    dark = (LAMPS, "light=0"), (WORLD, "_minlight=0", "_sunlight=100", "_sunlight_mangle=0 -80 0", "_dirt=0")
    found = {max(luxel) for luxel in flat(light(*dark)) if luxel != (0, 0, 0)}
    assert found == {25, 29, 49}, found  # walls along it; before it, by a cosine of 0.17; and floors, of 0.98


TESTS = (test_channels, test_models, test_names, test_spread, test_lamps, test_soft, test_world_phong,
         test_stored_phong, test_normals, test_grid, test_mottle, test_surfaces, test_switching, test_no_faces, test_liquids, test_extra,
         test_grazing_sun)
for test in TESTS:
    test()
print(f"light_ericw: {len(TESTS)} tests")
