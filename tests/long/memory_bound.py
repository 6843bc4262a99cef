# SPDX-License-Identifier: MIT
"""What every command takes of memory over the named maps of the corpus: 32 MiB and four times the
file at most (of diff: of both files; of export with baked light: 48 MiB and that). With --table it
prints the most that each took.

Apart stand what holds decoded pictures (textures, render, and export of textures) and the encoder
of LZMA, whose dictionary alone is larger than most maps."""
import os
import pathlib
import subprocess
import sys
import tempfile

BSPKIT = os.environ.get("BSPKIT", "build/bspkit")
MAPS = pathlib.Path("../shared/corpus/named")
MIB = 1 << 20

# The words of each command; {out} is a new path, {map} the map, {other} another one, {files} a
# folder with files, {text} a file of entities.
COMMANDS = {
    "info": "info {map}",
    "info --json": "info --json {map}",
    "lumps": "lumps {map}",
    "check": "check {map}",
    "checksum": "checksum {map}",
    "assets": "assets {map}",
    "dump VISIBILITY": "dump {map} VISIBILITY",
    "dump DRAWVERTS": "dump --json {map} DRAWVERTS",
    "dump PLANES": "dump --json {map} PLANES",
    "dump FACES": "dump --json {map} FACES",
    "dump ENTITIES": "dump {map} ENTITIES",
    "entities": "entities {map}",
    "entities --json": "entities --json {map}",
    "entities --set": "entities --set memory=bound --where classname=worldspawn --force {map} -o "
                      "{out}.bsp",
    "entities --import": "entities --import {text} --force {map} -o {out}.bsp",
    "diff": "diff {map} {other}",
    "diff --json": "diff --json {map} {other}",
    "diff of the same": "diff {map} {map}",
    "query leaf": "query leaf 0 0 0 {map}",
    "query vis": "query vis 0 {map}",
    "query light": "query light 0 0 0 {map}",
    "query trace": "query trace {map}",
    "query contents": "query contents {map}",
    "decompile": "decompile {map} -o {out}.map",
    "decompile --dialect vmf": "decompile --dialect vmf {map} -o {out}.vmf",
    "lump extract": "lump extract {map} 0 -o {out}.bin",
    "lump replace": "lump replace --force {map} 0 {text} -o {out}.bsp",
    "pak list": "pak list {map}",
    "pak extract": "pak extract {map} -o {out}",
    "pak add": "pak add --force {map} {files} -o {out}.bsp",
    "convert --compress none": "convert --compress none --force {map} -o {out}.bsp",
    "convert --endian big": "convert --endian big --lossy --force {map} -o {out}.bsp",
    "convert --to bsp2": "convert --to bsp2 --lossy --force {map} -o {out}.bsp",
    "convert --to qbism": "convert --to qbism --lossy --force {map} -o {out}.bsp",
    "convert --to left4dead2": "convert --to left4dead2 --lossy --force {map} -o {out}.bsp",
    "lightmaps": "lightmaps {map} -o {out}",
    "export .glb": "export {map} -l uv -o {out}.glb",
    "export -l baked": "export {map} -l baked -o {out}.glb",
    "export .obj": "export {map} -o {out}.obj",
}

# MiB beside four times the file, where they are more than 32: with baked light up to four threads draw a
# page of 1024 x 1024 texels each (5 MiB with its coverage, up to 7 while it is packed).
BASE = {"export -l baked": 48}


def peak(words):
    """Runs a command; the most memory that it had, in bytes, its status and its messages."""
    with tempfile.TemporaryFile() as messages:
        with subprocess.Popen([BSPKIT, *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=messages) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        return usage.ru_maxrss * 1024, process.returncode, messages.read()


def main(work, table):
    files = work / "files"
    files.mkdir()
    (files / "a.txt").write_text("abc " * 10000)
    text = work / "entities.txt"
    text.write_text('{\n"classname" "worldspawn"\n}\n')
    maps = sorted(MAPS.glob("*.bsp"))
    over = []
    ran = 0
    for name, words in COMMANDS.items():
        most = (0, 0, None)
        for number, path in enumerate(maps):
            other = maps[number - 1]
            out = work / "out"
            used = [word.format(map=path, other=other, out=out, files=files, text=text)
                    for word in words.split()]
            took, status, message = peak(used)
            assert status in (0, 1, 2, 3), (used, status, message)
            ran += status in (0, 1)
            size = path.stat().st_size + (other.stat().st_size if "{other}" in words else 0)
            bound = BASE.get(name, 32) * MIB + 4 * size
            if status in (0, 1):
                most = max(most, (took / bound, took / MIB, path.name))
            if took > bound:
                over.append(f"{name}: {took / MIB:.1f} MiB of {bound / MIB:.1f}: {path.name}")
            subprocess.run(["rm", "-rf", *map(str, work.glob("out*"))], check=True)
        if table:
            print(f"{name:26} {most[0] * 100:5.0f} % {most[1]:7.1f} MiB  {most[2]}", flush=True)
    assert not over, "\n".join(over)
    assert ran > len(COMMANDS) * len(maps) // 3, ran
    print(f"{ran} commands within their bound")


if not sys.platform.startswith("linux") or "-fsanitize" in os.environ.get("TEST_FLAGS", ""):
    print("SKIP: memory is measured on Linux, and without sanitizers")
    sys.exit(77)
if not MAPS.is_dir():
    print(f"SKIP: {MAPS} is not there")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    main(pathlib.Path(folder), "--table" in sys.argv)
