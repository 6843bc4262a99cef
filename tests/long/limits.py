# SPDX-License-Identifier: MIT
"""What real maps take of the default limits: no product of any command comes to more than a quarter
of its limit of memory, work, output or files, and no command is refused. This is what the limits in
src/core/limits.c are chosen by.

Every fifth map of the corpus is looked at, and all of them when BSPKIT_LIMITS_ALL is set. At the
end the most that was seen of each product is printed, with the map and the command."""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
CORPUS = pathlib.Path("../shared/corpus")
STEP = 1 if os.environ.get("BSPKIT_LIMITS_ALL") else 5
MOST = 250  # thousandths of a limit
SHARE = re.compile(r"^bspkit: limits: (\w+): (\d+)\.(\d) % of its default of (\w+)$", re.MULTILINE)

# M: the map. S: the map that comes before it. O: a file to be written. D: a folder to be written.
GEOMETRY = [
    "export M -o O.glb", "export -l baked M -o O.glb", "export -l vertex M -o O.gltf",
    "export -l baked M -o O.obj", "render --size 640x360 M -o O.png",
    "render --size 512x512 --top --tools M -o O.png", "textures M -o D", "lightmaps M -o D",
    "query trace --all M", "query light 0 0 64 M",
]
# F: a folder with a file. E: a text with one entity.
EDITS = [
    "check M", "dump M VISIBILITY", "info M", "checksum M", "assets M", "diff M S",
    "decompile M -o O.map", "decompile M -o O.vmf",
    "entities --set a=b --where classname=* --force M -o O.bsp", "pak list M", "pak extract M -o D",
    "pak rename --force --from lobby M hall -o O.bsp",
    "pak add --force --method lzma M F -o O.bsp", "lump replace --force M 0 E -o O.bsp",
    "convert --compress lzma --force M -o O.bsp", "convert --compress none --force M -o O.bsp",
    "convert --endian big --lossy --force M -o O.bsp",
    "convert --to bsp2 --lossy --force M -o O.bsp", "convert --to qbism --lossy --force M -o O.bsp",
    "convert --to left4dead2 --lossy --force M -o O.bsp",
]
COMMANDS = GEOMETRY + EDITS

SEGMENTS = b"0 0 64 1000 500 -2000\n0 0 64 -1000 500 200 -16 -16 -24 16 16 32\n"


def maps():
    found = sorted(p for p in CORPUS.glob("**/*.bsp") if "foreign" not in p.parts)
    return found[::STEP]


def run_one(command, file, other):
    """The shares of the products, and the trouble (or None)."""
    with tempfile.TemporaryDirectory() as scratch:
        names = {"M": file, "S": other, "D": scratch + "/folder", "F": scratch + "/files",
                 "E": scratch + "/files/entity.txt"}
        os.mkdir(names["F"])
        pathlib.Path(names["E"]).write_text('{\n"classname" "worldspawn"\n}\n' * 1000)
        words = [str(names.get(w, w)) for w in command.split()]
        words = [scratch + "/made" + w[1:] if w.startswith("O.") else w for w in words]
        words += ["--limit", "report"]
        done = subprocess.run([BSPKIT, *words], input=SEGMENTS, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
    said = done.stderr.decode(errors="replace")
    shares = {(m[1], m[4]): int(m[2]) * 10 + int(m[3]) for m in SHARE.finditer(said)}
    trouble = [f"{name}: {part / 10} % of its limit of {kind}"
               for (name, kind), part in shares.items() if part > MOST]
    refused = re.search(r"^.* limit of .*would be exceeded.*$", said, re.MULTILINE)
    # Not every edit is one of every family of maps.
    if refused or done.returncode not in ((0, 1, 3) if command in EDITS else (0, 1)):
        trouble.append(refused[0] if refused else f"exit status {done.returncode}: {said[-300:]}")
    return shares, f"{' '.join(words)}: " + "; ".join(trouble) if trouble else None


def main():
    files = maps()
    if not files:
        print("skipped: no corpus")
        return 0
    most = collections.defaultdict(lambda: (0, None, None))
    failures = []
    jobs = [(c, f, files[i - 1]) for i, f in enumerate(files) for c in COMMANDS]
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count())) as pool:
        for (command, file, _), (shares, trouble) in zip(jobs, pool.map(run_one, *zip(*jobs))):
            failures += [trouble] if trouble else []
            for key, part in shares.items():
                most[key] = max(most[key], (part, str(file), command))
    for (name, kind), (part, file, command) in sorted(most.items()):
        print(f"{name:10} {kind:7} {part / 10:5.1f} %  {file}  {command}")
    print(f"{len(jobs)} commands on {len(files)} maps, {len(failures)} failures")
    for trouble in failures:
        print(trouble)
    return 1 if failures else 0


sys.exit(main())
