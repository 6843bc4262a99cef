#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times whole commands of bspkit beside those of its peers, alternating, and prints Markdown.

  commands.py --bspkit ../../build/bspkit --maps FOLDER [--bsputil PROGRAM] [--bspc PROGRAM]
              [--q3map2 PROGRAM] [--rounds N] [--only WORD]

FOLDER holds the maps that JOBS names; a map or a peer that is missing is named and left out. Each round
runs every program of a job once, in a folder of its own with a copy of the map, because the peers write
beside it. Milliseconds are least, median and most of the rounds: of processor time (user and system, all
threads) and of the wall clock. Ratios are of the least to that of the best peer. Memory is the most that
was resident in any round; the kernel counts that of Python before the program began, so less than that
cannot be told."""
import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# (job, maps, ours, peers): {map} is the copy, {out} a path in the same folder without an ending.
DECOMPILE_TREE = {"bsputil": ["{bsputil}", "--decompile", "{map}"],
                  "bspc": ["{bspc}", "-noverbose", "-output", "{folder}", "-bsp2map", "{map}"]}
JOBS = [
    ("decompile", ["ww_ravine", "c0a0d"], ["decompile", "{map}", "-o", "{out}.map"], DECOMPILE_TREE),
    # bspc loses most of this map ("node not splitting brush").
    ("decompile", ["lq_e0m2"], ["decompile", "{map}", "-o", "{out}.map"], {"bsputil": DECOMPILE_TREE["bsputil"]}),
    ("decompile", ["oacmpctf3", "oa_thor", "onsreborn"], ["decompile", "{map}", "-o", "{out}.map"],
     {"q3map2": ["{q3map2}", "-convert", "-format", "map", "{map}"]}),
    ("info", ["oacmpctf3"], ["info", "{map}"], {"q3map2": ["{q3map2}", "-info", "{map}"]}),
    ("info --json", ["oacmpctf3"], ["info", "--json", "{map}"], {}),
    ("checksum", ["oacmpctf3"], ["checksum", "{map}"], {}),
    ("export .glb", ["oacmpctf3", "pcollab_26", "od_background01"], ["export", "{map}", "-l", "uv", "-o", "{out}.glb"], {}),
    ("export .glb, baked", ["oacmpctf3", "pcollab_26", "od_background01"], ["export", "{map}", "-o", "{out}.glb"], {}),
    ("export .obj", ["pcollab_26", "od_background01"], ["export", "{map}", "-o", "{out}.obj"], {}),
    ("render", ["oacmpctf3", "pcollab_26", "od_background01"], ["render", "{map}", "-o", "{out}.png"], {}),
    ("start", ["example"], ["--version"], {}),
]


def find_map(folder, name):
    """The map of that name, alone or after a prefix as the corpora have it."""
    for path in sorted(folder.glob("*.bsp")):
        if path.stem == name or path.stem.split("@")[0].endswith("__" + name):
            return path
    return None


def run(argv, folder):
    """Seconds of processor time and of the wall clock, and KiB of memory of one process."""
    with open(os.devnull, "r+b") as null:
        start = time.perf_counter()
        process = subprocess.Popen(argv, cwd=folder, stdin=null, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss, process.returncode


def memory(runs):
    most = max(r[2] for r in runs)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{most / 1024:.0f}" if most > own else f"< {own / 1024:.0f}"


def spread(runs, column):
    """Least, median and most, with three digits each."""
    seconds = [r[column] for r in runs]
    values = [1000 * value for value in (min(seconds), statistics.median(seconds), max(seconds))]
    return " / ".join(f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" for value in values)


def ratio(ours, theirs, column):
    return f"{min(r[column] for r in ours) / min(r[column] for r in theirs):.2f}"


def measure(programs, source, rounds):
    """Runs of each program: a list of what run returns for each name."""
    results = {name: [] for name in programs}
    for _ in range(rounds + 1):  # the first warms the caches up and is not counted
        for name, argv in programs.items():
            with tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder) / source.name.split("__")[-1]
                shutil.copyfile(source, copy)
                places = {"map": str(copy), "out": str(copy.with_suffix("")) + "-out", "folder": folder}
                results[name].append(run([word.format(**places) for word in argv], folder))
    return {name: runs[1:] for name, runs in results.items()}


def print_rows(job, name, results):
    """A row for each peer, or one with bspkit alone."""
    ours = results.pop("bspkit")
    single = results.pop("single", None)
    wall = [spread(ours, 1), "" if single is None else spread(single, 1)]
    for peer, runs in results.items():
        failed = "" if runs[0][3] in (0, 1) else f" (exit {runs[0][3]})"
        cells = [job, name, peer + failed, spread(runs, 0), spread(ours, 0), ratio(ours, runs, 0),
                 spread(runs, 1), wall[0], ratio(ours, runs, 1), wall[1], memory(runs), memory(ours)]
        print(f"| {' | '.join(cells)} |", flush=True)
    if not results:
        cells = [job, name, "none", "", spread(ours, 0), "", "", wall[0], "", wall[1], "", memory(ours)]
        print(f"| {' | '.join(cells)} |", flush=True)


def machine():
    """The processor's model and how many of them there are to run on."""
    model = "unknown"
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{len(os.sched_getaffinity(0))} processors, {model}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspkit", required=True, type=pathlib.Path)
    parser.add_argument("--maps", required=True, type=pathlib.Path)
    for peer in ("bsputil", "bspc", "q3map2"):
        parser.add_argument("--" + peer, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="only jobs or maps with this in their name")
    options = parser.parse_args()
    programs = {name: getattr(options, name) for name in ("bspkit", "bsputil", "bspc", "q3map2")}
    paths = {name: str(path.resolve()) for name, path in programs.items() if path and path.exists()}
    for name in programs.keys() - paths.keys():
        print(f"missing: {name}", file=sys.stderr)
    print(f"Measured on {machine()}; {options.rounds} rounds.\n")
    print("| job | map | peer | its processor ms | bspkit's | ratio | its wall ms | bspkit's | ratio | with one thread "
          "| its MiB | bspkit's |")
    print("|---" * 12 + "|")
    for job, maps, ours, peers in JOBS:
        for name in maps:
            source = find_map(options.maps, name)
            if options.only not in f"{job} {name}":
                continue
            if source is None:
                print(f"missing: {name}.bsp", file=sys.stderr)
                continue
            keep = {"map": "{map}", "out": "{out}", "folder": "{folder}"}
            run_these = {peer: [word.format(**keep, **paths) for word in argv]
                         for peer, argv in peers.items() if peer in paths}
            run_these["bspkit"] = [paths["bspkit"], *ours]
            if job != "start":
                run_these["single"] = [paths["bspkit"], *ours, "--threads", "1"]
            print_rows(job, name, measure(run_these, source, options.rounds))


if __name__ == "__main__":
    main()
