#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Light computed anew beside that of the maps, map by map and family by family:

  bench/luxels.py [--limit SECONDS] [--only TEXT] [--json FILE] BSPKIT FOLDER... [-- OPTION...]

Each map below the folders is taken once (by its bytes). The columns: its family, the luxels that both have, the share
of them that differ by at most 4 and 16 of 255, the mean of the map and anew, the lamps (with the surfaces that give
light), and the seconds of the processor on one thread. A run over the limit (120 s) is named, not waited for; a map
that light refuses is named with its reason and tried again with --force. What stands after -- goes to bspkit light.
--json keeps the answers of bspkit light --check, with their histograms."""
import argparse
import json
import pathlib
import resource
import subprocess
import sys

from visibility import family_of, maps_below

COLUMNS = ("family", "map", "luxels", "within 4", "within 16", "mean before", "mean now", "lamps", "s")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--only", default="", metavar="TEXT", help="maps whose path has the text")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("bspkit")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    own, more = sys.argv[1:], []
    if "--" in own:
        more = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    return parser.parse_args(own), more


def measure(bspkit, path, options, limit):
    """The answer of light --check and the seconds of the processor; None for the answer if there is none, with why."""
    def stop_late():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([bspkit, "light", "--check", "--json", "--threads", "1", *options, path], capture_output=True,
                          text=True, check=False, preexec_fn=stop_late)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode < 0:
        return None, f"over {limit:g} s"
    if done.returncode not in (0, 1) or not done.stdout:
        return None, (done.stderr.strip().splitlines() or ["no answer"])[-1].replace(f"bspkit: {path}: ", "")
    return json.loads(done.stdout), seconds


def share(histogram, most):
    return 100 * sum(histogram[:most + 1]) / max(1, sum(histogram))


def row_of(path, family, answer, seconds):
    return [family, path.stem, answer["compared"], f"{share(answer['histogram'], 4):.1f} %",
            f"{share(answer['histogram'], 16):.1f} %", f"{answer['stored_mean']:.1f}", f"{answer['mean']:.1f}",
            answer["lamps"] + answer["suns"] + answer["emitters"], f"{seconds:.1f}"]


def print_row(cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def print_totals(answers):
    print("\n| family | maps | luxels | within 4 | within 16 | mean before, now | s |")
    print("|---|---|---|---|---|---|---|")
    for family in sorted({answer["family"] for answer in answers}):
        some = [answer for answer in answers if answer["family"] == family]
        sums = [sum(column) for column in zip(*(answer["histogram"] for answer in some))]
        luxels = max(1, sum(answer["compared"] for answer in some))
        means = [sum(answer[key] * answer["compared"] for answer in some) / luxels for key in ("stored_mean", "mean")]
        print_row([family, len(some), luxels, f"{share(sums, 4):.1f} %", f"{share(sums, 16):.1f} %",
                   f"{means[0]:.1f}, {means[1]:.1f}", f"{sum(answer['processor'] for answer in some):.1f}"])


def main():
    args, options = arguments()
    answers, left = [], []
    print_row(COLUMNS)
    print("|" + "---|" * len(COLUMNS))
    for path in maps_below(args.folders, args.only):
        answer, seconds = measure(args.bspkit, path, options, args.limit)
        if answer is None and not seconds.startswith("over"):
            left.append((path.stem, seconds))
            answer, seconds = measure(args.bspkit, path, ["--force", *options], args.limit)
        if answer is None:
            left.append((path.stem, seconds))
        elif answer["compared"] != 0:
            answer.update(family=family_of(args.bspkit, path), processor=seconds)
            answers.append(answer)
            print_row(row_of(path, answer["family"], answer, seconds))
    print_totals(answers)
    for name, why in left:
        print(f"{name}: {why}")
    if args.json:
        args.json.write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
