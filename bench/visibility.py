#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Visibility computed anew beside that of the maps, map by map and family by family:

  bench/visibility.py [--limit SECONDS] [--threads N,...] [--only TEXT] [--json FILE] BSPKIT FOLDER...

Each map with rows below the folders is taken once (by its bytes). The columns: its clusters, the portals found in its
tree, the pairs of clusters that see each other in the map and anew, the pairs that only one of the two has, the share
of all cells that are equal, and the seconds of the processor that the search took with each number of threads (1).
A run over the limit (600 s) is named, not waited for. The result with two numbers of threads must be the same. --json
keeps the answers of bspkit vis --check for other uses."""
import argparse
import hashlib
import json
import pathlib
import resource
import subprocess
import sys

COLUMNS = ("family", "map", "clusters", "portals", "pairs in the map", "new pairs", "map alone", "new alone", "equal cells")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--threads", default="1", metavar="N,...")
    parser.add_argument("--only", default="", metavar="TEXT", help="maps whose path has the text")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("bspkit")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def maps_below(folders, text):
    """Each map once, by its bytes, in the order of the names."""
    seen = set()
    for folder in folders:
        for path in sorted(folder.rglob("*.bsp")) if folder.is_dir() else [folder]:
            digest = hashlib.sha256(path.read_bytes()).digest()
            if text in str(path) and digest not in seen:
                seen.add(digest)
                yield path


def measure(bspkit, path, threads, limit):
    """The answer of vis --check and the seconds of the processor; None for the answer if there is none, with why."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([bspkit, "vis", "--check", "--json", "--max", "0", "--threads", str(threads), path],
                              capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"over {limit:g} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 1) or not done.stdout:
        return None, (done.stderr.strip().splitlines() or ["no answer"])[-1]
    return json.loads(done.stdout), seconds


def family_of(bspkit, path):
    done = subprocess.run([bspkit, "info", "--json", path], capture_output=True, text=True, check=False)
    return json.loads(done.stdout).get("family", "") if done.returncode == 0 else ""


def row_of(path, family, answer):
    cells = answer["clusters"] ** 2
    equal = 100 * (1 - (answer["missing"] + answer["added"]) / cells) if cells else 100
    return [family, path.stem, answer["clusters"], answer["portals"], answer["stored_pairs"], answer["pairs"],
            answer["missing"], answer["added"], f"{equal:.2f} %"]


def print_row(cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def print_totals(rows):
    print("\n| family | maps | pairs in the maps | new pairs | map alone | new alone |")
    print("|---|---|---|---|---|---|")
    for family in sorted({row[0] for row in rows}):
        some = [row for row in rows if row[0] == family]
        print_row([family, len(some), *(sum(row[i] for row in some) for i in (4, 5, 6, 7))])


def main():
    options = arguments()
    threads = [int(text) for text in options.threads.split(",")]
    rows, kept, differing = [], [], 0
    print_row([*COLUMNS, *(f"s, {n} threads" if n > 1 else "s, 1 thread" for n in threads)])
    print("|" + "---|" * (len(COLUMNS) + len(threads)))
    for path in maps_below(options.folders, options.only):
        answers = [measure(options.bspkit, path, threads[0], options.limit)]
        answer, time = answers[0]
        if answer is None:
            print(f"{path}: {time}", file=sys.stderr)
            continue
        if answer["stored_pairs"] == 0:
            continue
        answers += [measure(options.bspkit, path, n, options.limit) for n in threads[1:]]
        differing += any(other is not None and (other["pairs"], other["equal"]) != (answer["pairs"], answer["equal"])
                         for other, _ in answers)
        rows.append(row_of(path, family_of(options.bspkit, path), answer))
        kept.append({**answer, "family": rows[-1][0], "processor": dict(zip(threads, (time for _, time in answers)))})
        print_row([*rows[-1], *(f"{time:.2f}" if isinstance(time, float) else time for _, time in answers)])
    print_totals(rows)
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1) + "\n")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
