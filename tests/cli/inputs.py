# SPDX-License-Identifier: MIT
"""No command writes over a file that it reads: every command of `bspkit manual --list` with its
output on one of its inputs, named directly and by a hard link, and each once by other spellings and
by symbolic links, ends with status 2 or 3 and a message, and no byte of any input changes. A command, or an option
that names a file, without a row here fails the test."""
import functools
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
QUAKE, GOLDSRC, QUAKE2, QUAKE3, SOURCE = (
    f"{game}/lobby.bsp" for game in ("quake", "goldsrc", "quake2", "quake3", "source"))

# command: the words after it, where {in} is the file that is read and {out} the name by which the
# output reaches it; the map; and the name that the input gets, where its ending matters.
ROWS = {
    "info": [("{in} -o {out}", QUAKE), ("--files-from {in} -o {out}", "maps"), ("{other} {in} -o {out}", QUAKE)],
    "lumps": [("{in} -o {out}", QUAKE), ("--files-from {in} -o {out}", "maps")],
    "dump": [("{in} faces -o {out}", QUAKE)],
    "check": [("{in} -o {out}", QUAKE), ("--files-from {in} -o {out}", "maps")],
    "diff": [("{in} {other} -o {out}", QUAKE), ("{other} {in} -o {out}", QUAKE)],
    "stale": [("{in} -o {out}", QUAKE), ("{in} {other} -o {out}", QUAKE)],
    "checksum": [("{in} -o {out}", QUAKE), ("--files-from {in} -o {out}", "maps")],
    "entities": [
        ("{in} -o {out}", QUAKE), ("{in} --export {out}", QUAKE),
        ("--files-from {in} -o {out}", "maps"),
        ("{in} --set a=b --index 0 -o {out}", QUAKE), ("{other} {in} --set a=b --index 0 -o {out}/",
                                                       QUAKE),
        ("{in} --add {text} -o {out}", QUAKE), ("{other} --add {in} -o {out}", "text"),
        ("{other} --import {in} -o {out}", "text"), ("{other} --import {in} --export {out}", "text"),
        ("{source} --lmp {in} -o {out}", "lmp")],
    "query": [("leaf 0 0 0 {in} -o {out}", QUAKE), ("vis 1 {in} -o {out}", QUAKE),
              ("contents {in} -o {out}", QUAKE), ("water 0 0 0 {in} -o {out}", QUAKE), ("props {in} -o {out}", QUAKE),
              ("portals {in} -o {out}", QUAKE), ("marks {in} -o {out}", QUAKE), ("links {in} -o {out}", QUAKE),
              ("nav --nav {in} {other} -o {out}", "source/lobby.nav"),
              ("props {other} --fgd {in} -o {out}", "text")],
    "textures": [
        ("{in} --wad {out}", "goldsrc/lobby_embed.bsp"),
        ("{in} --take-out -o {out}", "goldsrc/lobby_embed.bsp"),
        ("{in} --embed --game game -o {out}", GOLDSRC),
        ("{goldsrc} --embed --game game -o {out}", "wad", "game/lobby.wad")],
    "lightmaps": [],  # a folder: see FOLDERS
    "assets": [("{in} --res {out}", GOLDSRC), ("{goldsrc} --base game --res {out}", "wad", "game/lobby.wad"),
               ("--files-from {in} --game game -o {out}", "maps"),
               ("{in} --game game -o {out}", SOURCE),
               ("{in} --pack --game game -o {out}", SOURCE),
               ("{in} --pack --game game -o {out}", QUAKE, "m.zip")],
    "export": [("{in} -o {out}", QUAKE, "m.obj"), ("{in} -o {out}", QUAKE, "m.glb"),
               ("{in} -o {out}", QUAKE, "m.gltf"),
               ("{other} --fgd {in} -o {out}", "text", "m.glb"),
               ("{other} --nav {in} -o {out}", "source/lobby.nav", "m.glb")],
    "render": [("--size 32x32 {in} -o {out}", QUAKE, "m.png"),
               ("--size 32x32 {other} --fgd {in} -o {out}", "text", "m.png"),
               ("--size 32x32 --top {in} -o {out}", QUAKE, "m.png"),
               ("--size 32x32 --top --nav {in} {other} -o {out}", "source/lobby.nav", "m.png")],
    "view": [("{in} --page page.html -o {out}", QUAKE), ("{other} --page {in} -o {out}", "page")],
    "decompile": [("{in} -o {out}", QUAKE), ("{in} -o {out}", SOURCE),
                  ("--files-from {in} -o {out}", "maps"), ("{other} --fgd {in} -o {out}", "text")],
    "lump": [
        ("list {in} -o {out}", QUAKE), ("extract {in} faces -o {out}", QUAKE),
        ("replace {in} faces {text} --force -o {out}", QUAKE),
        ("replace {other} entities {in} --force -o {out}", "text"),
        ("insert {other} bspx:A {in} --force -o {out}", "text"),
        ("remove {in} lighting --force -o {out}", QUAKE)],
    "pak": [
        ("list {in} -o {out}", SOURCE), ("add {in} {text} -o {out}", SOURCE),
        ("add {source} {in} -o {out}", "text"), ("add {source} --list {in} -o {out}", "list"),
        ("add {source} --root . {in} -o {out}", "text"), ("remove {in} *.vmt -o {out}", SOURCE),
        ("replace {in} --root game materials/LOBBY -o {out}", SOURCE),
        ("rename {in} hall -o {out}", SOURCE)],
    "portals": [("{in} -o {out}", QUAKE)],
    "vis": [("{in} -o {out}", QUAKE), ("--files-from {in} -o {out}", "maps"),
            ("{in} --part 1/2 -o {out}", QUAKE), ("{other} --merge {in} -o {out}", "part", "m.part")],
    "cubemaps": [("{in} -o {out}", SOURCE), ("--files-from {in} -o {out}", "source maps"),
                 ("{source} --fgd {in} -o {out}", "text")],
    "light": [("{in} --direct -o {out}", QUAKE), ("--files-from {in} --direct -o {out}", "maps"),
              ("{other} --lights {in} --force -o {out}", "text"), ("{goldsrc} --rad {in} -o {out}", "rad"), ("{in} --lit {out} -o light.bsp", QUAKE),
              ("{in} --part 1/2 -o {out}", QUAKE), ("{other} --merge {in} -o {out}", "light part", "m.part")],
    "convert": [("{in} --to bsp2 -o {out}", QUAKE),
                ("--files-from {in} --to bsp2 -o {out}", "maps"), ("{in} --compress lzma -o {out}", SOURCE)],
    "index": [("{out} {in}", QUAKE), ("{out} {other} --files-from {in}", "maps")],
    "find": [("{in} -o {out}", "index")],
    "formats": [],  # reads nothing
    "help": [],
    "version": [],
}

# Files that get their names from a folder or another output: the words, the map, its name, and the
# name by which the output reaches it.
FOLDERS = [
    ("lightmaps {in} -o out", QUAKE, "m.bsp", "out/m_lightmap_000.png"),
    ("lightmaps {in} --game game -o out", QUAKE, "m.bsp", "out/m_lightmap_000.png"),
    ("textures {in} -o out", "goldsrc/lobby_embed.bsp", "m.bsp", "out/brick1.png"),
    ("textures {quake3} -o pictures/textures --game pictures", "picture",
     "pictures/textures/lobby/brick1.tga", "pictures/textures/textures/lobby/brick1.png"),
    ("decompile {in} -o out/", QUAKE, "m.bsp", "out/m.map"),
    ("decompile {other} {in} -o out/", QUAKE, "m.bsp", "out/other.map"),
    ("decompile --files-from maps.txt -o out/", QUAKE, "m.bsp", "out/m.map"),
    ("decompile {in} --pak out -o m.vmf", SOURCE, "m.bsp", "out/materials/lobby/brick1.vmt"),
    ("decompile {in} --game game -o out/", SOURCE, "m.bsp", "out/m.vmf"),
    ("entities {in} --set a=b --index 0 -o out/", QUAKE, "m.bsp", "out/m.bsp"),
    ("export {in} --game game -o m.obj", QUAKE, "m.bsp", "m.mtl"),
    ("export {in} -o m.gltf", QUAKE, "m.bsp", "m.bin"),
    ("render --size 32x32 --top {in} -o m.png", QUAKE, "m.bsp", "m.json"),
    ("pak extract {in} -o out", SOURCE, "m.bsp", "out/materials/lobby/brick1.vmt"),
    ("light {beside} --direct --force --pages out -o m.bsp", "light page", "beside/lm_0000.tga", "out/lm_0000.tga"),
]
EXAMPLES = {"other": QUAKE, "source": SOURCE, "goldsrc": GOLDSRC, "quake3": QUAKE3, "beside": "light beside"}


def run(folder, words, **options):
    done = subprocess.run([BSPKIT, *words], cwd=folder, capture_output=True, check=False,
                          **{"stdin": subprocess.DEVNULL, **options})
    return done.returncode, done.stderr.decode(errors="replace")


def state(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@functools.cache
def content(kind):
    """The bytes of an input: a sample map, or one of the files that go into one."""
    if kind == "rad":
        return b"+0lamp 255 240 208 4000\n"
    if kind == "text":
        return b'{\n"classname" "worldspawn"\n}\n'
    if kind == "page":
        return b"<!--bspkit-files-->"
    if kind == "list":
        return b"added.txt\ntext.txt\n"
    if kind == "maps":
        return b"other.bsp\n"
    if kind == "source maps":
        return b"source.bsp\n"
    if kind == "wad":
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place, "own.wad")
            subprocess.run([BSPKIT, "textures", SAMPLES / "goldsrc/lobby_embed.bsp", "--wad", path],
                           check=True)
            out = path.read_bytes()
        assert out.startswith(b"WAD3")
        return out
    if kind == "lmp":
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place, "m_l_0.lmp")
            subprocess.run([BSPKIT, "lump", "extract", "--lmp", SAMPLES / SOURCE, "0", "-o", path],
                           check=True)
            return path.read_bytes()
    if kind in ("part", "light part"):
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place, "m.part")
            subprocess.run([BSPKIT, "vis" if kind == "part" else "light", SAMPLES / QUAKE, "--part", "1/1", "-o", path], check=True)
            return path.read_bytes()
    if kind == "index":
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place, "m.db")
            subprocess.run([BSPKIT, "index", path, SAMPLES / QUAKE], check=True, capture_output=True)
            return path.read_bytes()
    if kind in ("light page", "light beside"):  # of Quake 3, with its light in files
        data = bytearray((SAMPLES / QUAKE3).read_bytes())
        offset, _ = struct.unpack_from("<2i", data, 8 + 8 * 14)
        if kind == "light page":
            return struct.pack("<BBB5xHHHHBB", 0, 0, 2, 0, 0, 128, 128, 24, 0) + data[offset:offset + 49152]
        struct.pack_into("<2i", data, 8 + 8 * 14, offset, 0)
        return bytes(data)
    if kind == "picture":
        return (SAMPLES / "quake3/textures/lobby/brick1.tga").read_bytes()
    return (SAMPLES / kind).read_bytes()


def prepare(folder, kind, name):
    for key, sample in EXAMPLES.items():
        (folder / f"{key}.bsp").write_bytes(content(sample))
    (folder / "maps.txt").write_text("m.bsp\n")
    (folder / "page.html").write_bytes(content("page"))
    (folder / "text.txt").write_bytes(content("text"))
    (folder / "game/materials/LOBBY").mkdir(parents=True)
    (folder / "game/own.wad").write_bytes(content("wad"))
    (folder / "game/materials/LOBBY/BRICK1.vmt").write_text("UnlitGeneric { }")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content(kind))
    return path


def fill(template, name, out):
    names = {key: f"{key}.bsp" for key in EXAMPLES}
    return template.format(**{**names, "in": name, "out": out, "text": "text.txt"}).split()


def spellings(folder, name):
    """The names by which one file is reached, made in the folder."""
    path = folder / name
    ending = path.suffix
    yield name
    yield f"./{name}"
    yield str(path)
    (folder / "sub").mkdir()
    yield f"sub/../{name}"
    (folder / f"symbolic{ending}").symlink_to(name)
    yield f"symbolic{ending}"
    (folder / f"two{ending}").symlink_to(f"sub/../symbolic{ending}")
    yield f"two{ending}"
    os.link(path, folder / f"hard{ending}")
    yield f"hard{ending}"


def check(where, before, folder, code, said):
    after = state(folder)
    assert all(after.get(path) == data for path, data in before.items()), (where, said, "changed")
    assert not [path for path in folder.rglob("*") if ".bspkit-" in path.name], (where, "left over")
    assert code in (2, 3) and said.startswith("bspkit: "), (where, code, said)


def check_row(every, command, template, kind, name="m.bsp"):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        prepare(folder, kind, name)
        count = 0
        names = list(spellings(folder, name))
        for out in names if every else [names[0], names[-1]]:  # itself, and a hard link
            before = state(folder)
            words = [command, *fill(template, name, out)]
            code, said = run(folder, words)
            check(words, before, folder, code, said)
            assert "reads that file" in said or "is the map itself" in said or \
                template.endswith("/"), (words, said)
            count += 1
        # The same command does its work where its output is no input.
        clean = fill(template, name, "clean" + pathlib.Path(name).suffix)
        code, said = run(folder, [command, *clean])
        assert code in (0, 1), (command, clean, code, said)
        return count


def check_folder(template, kind, name, out):
    count = 0
    for link in (os.link, lambda a, b: os.symlink(os.path.relpath(a, b.parent), b)):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            words = fill(template, name, out)
            path = prepare(folder, kind, name)
            run(folder, words)
            if not (folder / out).is_file():
                raise AssertionError((words, "does not write", out, list(folder.rglob("*"))))
            (folder / out).unlink()
            link(path, folder / out)
            before = {file: file.read_bytes() for file in (path, folder / "other.bsp")}
            code, said = run(folder, words)
            check(words, before, folder, code, said)
            assert any(text in said for text in ("reads that file", "is the map itself",
                                                 "a symbolic link stands there")), (words, said)
            count += 1
    return count


def check_streams():
    """Standard input from a file, and standard output that the shell has opened onto an input."""
    if os.environ.get("WINDOWS"):  # Wine's programs do not know what a POSIX shell has opened
        return
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        path = prepare(folder, QUAKE, "m.bsp")
        before = state(folder)
        with path.open("rb") as stream:
            check("- < m.bsp", before, folder, *run(folder, ["info", "-", "-o", "m.bsp"],
                                                    stdin=stream))
        for mode in ("ab", "r+b"):
            for words in (["info", "m.bsp"], ["entities", "m.bsp"], ["diff", "other.bsp", "m.bsp"],
                          ["lump", "extract", "m.bsp", "faces", "-o", "-"]):
                with path.open(mode) as stream:
                    done = subprocess.run([BSPKIT, *words], cwd=folder, stdout=stream, check=False,
                                          stderr=subprocess.PIPE)
                check((words, mode), before, folder, done.returncode, done.stderr.decode())
        points = folder / "points.txt"
        points.write_text("0 0 0\n")
        before = state(folder)
        with points.open("rb") as stream:
            check("query < points", before, folder,
                  *run(folder, ["query", "contents", "m.bsp", "-o", "points.txt"], stdin=stream))
        with points.open("rb") as stream:  # there, but not read
            code, said = run(folder, ["info", "m.bsp", "-o", "points.txt"], stdin=stream)
        assert code == 0, said


def check_names():
    """A word that happens to be the name of a file is no input."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        prepare(folder, SOURCE, "m.bsp")
        for _ in range(2):
            for words in (["dump", "m.bsp", "faces", "-o", "faces"],
                          ["lump", "extract", "m.bsp", "faces", "-o", "faces"],
                          ["pak", "extract", "m.bsp", "materials/*", "-o", "."],
                          ["render", "--size", "8x8", "m.bsp", "--game", ".", "-o", "m.png"]):
                code, said = run(folder, words)
                assert code in (0, 1), (words, code, said)


def check_coverage():
    pages = subprocess.run([BSPKIT, "manual", "--list"], capture_output=True, check=True,
                           text=True).stdout.split()
    commands = {page.removeprefix("bspkit-") for page in pages} - {"bspkit"}
    assert commands == set(ROWS), commands ^ set(ROWS)
    for command in commands:
        text = subprocess.run([BSPKIT, "help", command], capture_output=True, check=True,
                              text=True).stdout
        options = {long: short for short, long in
                   re.findall(r"^ +(?:(-\w), )?(--[\w-]+) (?:FILE|DIR|OUT|LIST)\b", text, re.M)}
        words = " ".join([row[0] for row in ROWS[command]] +
                         [row[0] for row in FOLDERS if row[0].startswith(command + " ")]).split()
        for option, short in options.items():
            general = option in ("--lmp", "--game")  # of many commands, with one function
            assert general or not ROWS[command] or option in words or short in words, \
                (command, option, "has no row")


def main():
    check_coverage()
    count = 0
    for command, rows in ROWS.items():
        for row in rows:
            count += check_row(row is rows[0], command, *row)
    for row in FOLDERS:
        count += check_folder(*row)
    check_streams()
    check_names()
    print(f"{count} outputs onto inputs, all refused")
    return 0


sys.exit(main())
