#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How whole jobs gain from more processors:

  bench/scaling.py [--threads 1,2,4] [--rounds N] [--only WORD] [--page FILE] BSPKIT FOLDER

FOLDER holds the maps that JOBS names; one that is missing is named and left out. Each round runs a job once with each
number of threads. A figure is the least wall-clock time of the rounds (3), with how many times that is faster than
with one thread; the last column is the processor time with the most threads, by that with one. Outputs must be
the same bytes at every number of threads: the script ends with 1 if they are not. Prints Markdown, --page puts
it between two marks of a page (docs/speed.md). Wall times need an idle machine."""
import argparse
import hashlib
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "peers"))
from commands import find_map, machine, run  # noqa: E402  (beside, in the folder of the peers)

MARKS = ("<!-- scaling -->", "<!-- scaling end -->")
FULL = ["--as", "ericw", "--extra", "4", "--dirt", "on", "--bounces", "1"]

# (job, maps, words after the command's name): {map} is a copy of the map, {out} a path without an ending.
JOBS = [
    ("decompile", ["ww_ravine", "onsreborn"], ["decompile", "{map}", "-o", "{out}.map"]),
    ("export, baked", ["oacmpctf3", "pcollab_26"], ["export", "{map}", "-o", "{out}.glb"]),
    ("export -l uv", ["oacmpctf3"], ["export", "{map}", "-l", "uv", "-o", "{out}.glb"]),
    ("render", ["oacmpctf3", "onsreborn"], ["render", "--size", "1920x1080", "{map}", "-o", "{out}.png"]),
    ("lightmaps", ["onsreborn"], ["lightmaps", "{map}", "-o", "{out}"]),
    ("textures", ["hns_vertigo"], ["textures", "{map}", "-o", "{out}"]),
    ("dump --json", ["onsreborn"], ["dump", "--json", "{map}", "DRAWVERTS"]),
    ("vis", ["e1m2", "u1m2", "q2dm1", "hns_vertigo"], ["vis", "{map}", "-o", "{out}.bsp"]),
    ("light, usual", ["hns_vertigo", "pummpknivez_Paronsoda", "oacmpdm8"], ["light", "{map}", "--force", "-o", "{out}.bsp"]),
    ("light, full", ["e1m2", "u1m2", "base1-test"], ["light", "{map}", *FULL, "--force", "-o", "{out}.bsp"]),
    ("cubemaps", ["de_rats_kitchen"], ["cubemaps", "{map}", "-o", "{out}.bsp"]),
]


def digest(folder, copy):
    """A sum of all files that the run left, the map apart."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path != copy:
            total.update(str(path.relative_to(folder)).encode())
            total.update(path.read_bytes())
    return total.hexdigest()


def measure(bspkit, source, words, threads, rounds):
    """Seconds of the wall and of the processor for each number of threads, and the sums of what was written."""
    times = {count: [] for count in threads}
    sums = set()
    for _ in range(rounds):
        for count in threads:
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                copy = folder / source.name.split("__")[-1]
                shutil.copyfile(source, copy)
                places = {"map": str(copy), "out": str(folder / "out")}
                argv = [bspkit, *(word.format(**places) for word in words), "--threads", str(count)]
                processor, wall, _, status = run(argv, folder)
                if status not in (0, 1):
                    return None, {f"exit {status}"}
                times[count].append((wall, processor))
                sums.add(digest(folder, copy))
    return {count: (min(w for w, _ in runs), min(p for _, p in runs)) for count, runs in times.items()}, sums


def spoken(rounds):
    return "one round" if rounds == 1 else f"least of {rounds} rounds"


def table(options):
    threads = [int(word) for word in options.threads.split(",")]
    lines = [f"Measured on {machine()}: milliseconds of the wall clock, {spoken(options.rounds)}, and how many "
             "times faster than with one thread.", "",
             "| job | map | " + " | ".join(f"{n} thread{'s' * (n > 1)}" for n in threads) + " | processor time |",
             "|---" * (len(threads) + 3) + "|"]
    equal = True
    for job, maps, words in JOBS:
        if options.only and options.only not in job:
            continue
        for name in maps:
            source = find_map(pathlib.Path(options.maps), name)
            if source is None:
                print(f"missing: {name}", file=sys.stderr)
                continue
            times, sums = measure(options.bspkit, source, words, threads, options.rounds)
            if times is None:
                print(f"{job} of {name}: {sums.pop()}", file=sys.stderr)
                equal = False
                continue
            if len(sums) > 1:
                print(f"{job} of {name}: not the same bytes", file=sys.stderr)
                equal = False
            one, most = times[threads[0]], times[threads[-1]]
            cells = [f"{1000 * times[n][0]:.{1 if times[n][0] < 0.1 else 0}f}"
                     + (f" ({one[0] / times[n][0]:.1f})" if n != threads[0] else "") for n in threads]
            lines.append(f"| {job} | {name} | {' | '.join(cells)} | {most[1] / one[1]:.2f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return lines, equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default=",".join(str(n) for n in (1, 2, 4, 8, 16) if n <= (os.cpu_count() or 1)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only")
    parser.add_argument("--page")
    parser.add_argument("bspkit", type=os.path.abspath)
    parser.add_argument("maps")
    options = parser.parse_args()
    lines, equal = table(options)
    if options.page:
        page = pathlib.Path(options.page)
        before, rest = page.read_text().split(MARKS[0])
        page.write_text(before + "\n".join([MARKS[0], *lines, MARKS[1]]) + rest.split(MARKS[1])[1])
    else:
        print("\n".join(lines))
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
