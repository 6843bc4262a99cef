# SPDX-License-Identifier: MIT
"""What tests of the command on other machines share: maps of all families, commands, and whether two programs
print and write the same bytes."""
import filecmp
import itertools
import pathlib
import shutil
import subprocess
import zlib

COMMANDS = [
    (["info", "--json"], None), (["check", "--json"], None), (["dump", "--json"], None),
    (["decompile", "--report", "-o"], "OUT/"), (["export", "-o"], "OUT/map.glb"),
    (["render", "--size", "160x120", "--threads", "2", "-o"], "OUT/map.png"), (["lightmaps", "-o"], "OUT/light/"),
    (["textures", "-o"], "OUT/textures/"), (["entities", "--index", "0", "--set", "message=changed", "-o"], "OUT/changed.bsp"),
]


def run(program, words, cwd, data=b"", environment=None):
    return subprocess.run([*program, *map(str, words)], cwd=cwd, input=data, capture_output=True, env=environment,
                          check=False)


def choose(count, most_bytes):
    """Maps of all families in turn, the samples first."""
    families = {}
    for path in sorted(pathlib.Path("samples").resolve().glob("*/*.bsp")):
        families.setdefault(path.parent.name, []).append(path)
    corpus = pathlib.Path("../shared/corpus").resolve()
    for path in sorted(corpus.rglob("*.bsp")):
        if path.stat().st_size <= most_bytes:
            families.setdefault(path.relative_to(corpus).parts[0], []).append(path)
    for name, paths in families.items():
        if len(paths) > count:  # spread over all of the family
            families[name] = paths[::len(paths) // count]
    chosen = []
    while len(chosen) < count and any(families.values()):
        for paths in families.values():
            if paths and len(chosen) < count:
                chosen.append(paths.pop(0))
    return chosen


def files(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def by_name(folder, with_case):
    """Files by names. Without case LOBBY/ is put into the folder lobby/ that is there already."""
    return {path.as_posix() if with_case else path.as_posix().lower(): folder / path for path in files(folder)}


def unpacked(path):
    """A PNG's chunks, with what its image data unpacks to; None for other files. libdeflate packs in another way
    where integers have the other byte order."""
    data = path.read_bytes()
    if path.suffix != ".png" or data[:8] != b"\x89PNG\r\n\x1a\n":
        return None
    chunks, image, at = [], b"", 8
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        assert zlib.crc32(name + body) == int.from_bytes(data[at + 8 + size:at + 12 + size], "big"), path
        image += body if name == b"IDAT" else b""
        chunks += [] if name == b"IDAT" else [(name, body)]
        at += 12 + size
    return chunks, zlib.decompress(image)


def same_unpacked(one, other):
    if filecmp.cmp(one, other, shallow=False):
        return True
    content = unpacked(one)
    return content is not None and content == unpacked(other)


def first_difference(one, other):
    """The first lines in which two outputs differ."""
    pairs = itertools.zip_longest(one.splitlines(), other.splitlines())
    return next(((number, a, b) for number, (a, b) in enumerate(pairs, 1) if a != b), None)


def compare(work, source, here, there, environment=None, with_case=True, said=lambda text: text, commands=None,
            same=lambda one, other: filecmp.cmp(one, other, shallow=False)):
    """Both programs run in folders of their own, on files of one name. Returns how many files were compared. `said`
    takes away from standard error what is not the program's."""
    commands = commands or COMMANDS
    done = {}
    for who, program in (("here", here), ("there", there)):
        folder = work / who
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(source, folder / "map.bsp")
        (folder / "OUT").mkdir()
        done[who] = [run(program, [*words, *([target] if target else []), "map.bsp"], folder, environment=environment)
                     for words, target in commands]
    for (words, _), a, b in zip(commands, done["here"], done["there"]):
        assert a.returncode == b.returncode, (source, words, a.returncode, b.returncode, b.stderr[-500:])
        assert a.stdout == b.stdout, (source, words, "standard output", first_difference(a.stdout, b.stdout))
        assert a.stderr == said(b.stderr), (source, words, a.stderr[-300:], said(b.stderr)[-300:])
    one, other = by_name(work / "here", with_case), by_name(work / "there", with_case)
    assert one.keys() == other.keys(), (source, one.keys() ^ other.keys())
    for name, path in one.items():
        assert same(path, other[name]), (source, name)
    return len(one) - 1
