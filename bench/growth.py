#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the time and the memory of each command grow with the size of a map:

  bench/growth.py [--svg FILE] [--runs N] [--maps N] [--only COMMAND,...] BSPKIT MAP-OR-FOLDER...

Of the maps, N of each family (12) are taken, spread evenly over the logarithm of their sizes, from 50 KB
on. Time is what the processor took, the least of N runs (3), less that of a run which does nothing;
memory the peak resident size (GNU time), less likewise. A line through the logarithms has one slope for
all families and a height for each, since a byte of one family is another amount of work than one of
another: slope 1 is linear growth, and "worst" the map farthest above its line. What a command does for
any map flattens the line of small ones, so a second slope is that of the maps from 1 MB on. A command
with a slope over 1.15 is marked. The text plot has time down and size across, a letter a family; --svg writes
both plots of all commands."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

LEAST_SIZE = 50_000
STEEP = 1.15
SECONDS = 300  # a run that takes longer is left out, and said so
LARGE = 1_000_000
LEAST_MS, LEAST_MIB = 0.2, 0.25  # below this nothing is told from noise
WIDTH, HEIGHT = 64, 14

# The words after the command's name; MAP and OUT are replaced, FOLDER is an empty folder.
COMMANDS = {
    "info": ["MAP"], "info --json": ["MAP"], "lumps": ["MAP"], "entities": ["MAP"],
    "check": ["MAP"], "checksum": ["MAP"], "dump --json": ["MAP", "LARGEST"], "dump": ["MAP", "LARGEST"],
    "assets": ["MAP"], "diff": ["MAP", "MAP"],
    "convert": ["--compress", "lzma", "MAP", "-o", "OUT.bsp"],
    "entities --set": ["message=a", "--where", "classname=worldspawn", "MAP", "-o", "OUT.bsp"],
    "export": ["MAP", "-o", "OUT.glb"], "export obj": ["MAP", "-o", "OUT.obj"],
    "render": ["MAP", "-o", "OUT.png"], "textures": ["MAP", "-o", "FOLDER"],
    "lightmaps": ["MAP", "-o", "FOLDER"], "decompile": ["MAP", "-o", "OUT.map"],
    "query leaf": ["0", "0", "0", "MAP"], "query trace": ["MAP"],
}
INPUT = {"query trace": b"".join(b"%d %d 0 %d %d 8\n" % (i % 97 * 9, i % 89 * 7, -(i % 83) * 9, i % 79 * 11)
                                 for i in range(1000))}


def run(words, data, note):
    """Returns milliseconds of the processor and MiB; None if the run failed or took too long."""
    try:
        done = subprocess.run(["/usr/bin/time", "-f", "%M", "-o", note, *words], input=data,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode > 1:
        return None
    mib = int(note.read_text().split()[-1]) / 1024
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    if data:
        process.stdin.write(data)
    process.stdin.close()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return (usage.ru_utime + usage.ru_stime) * 1000, mib


def facts(bspkit, path):
    """Returns the family and the name of the largest lump, or None for what is no map."""
    done = subprocess.run([bspkit, "info", "--json", path], capture_output=True, check=False)
    if done.returncode != 0:
        return None
    info = json.loads(done.stdout)
    largest = max(info["lumps"], key=lambda lump: lump["size"], default={"name": "0"})
    return info["family"], largest["name"]


def choose(bspkit, places, count):
    """Returns (size, family, path, largest lump) of the maps that are measured."""
    families = {}
    for place in map(pathlib.Path, places):
        for path in sorted(place.rglob("*.bsp")) if place.is_dir() else [place]:
            size = path.stat().st_size
            found = facts(bspkit, path) if size >= LEAST_SIZE else None
            if found:
                families.setdefault(found[0], []).append((size, found[0], path, found[1]))
    chosen = []
    for maps in families.values():
        maps.sort(key=lambda entry: entry[0])
        low, high = math.log(maps[0][0]), math.log(maps[-1][0])
        wanted = [low + (high - low) * i / max(count - 1, 1) for i in range(count)]
        near = {min(range(len(maps)), key=lambda n, w=w: abs(math.log(maps[n][0]) - w))
                for w in wanted}
        chosen += [maps[n] for n in sorted(near)]
    return chosen


def measure(bspkit, command, chosen, runs, work):
    """Returns (size, family, ms, MiB, path) for each map."""
    name = command.split()[0]
    option = [word for word in command.split()[1:] if word != "obj"]
    note, points = work / "note", []
    floor = [run([bspkit, "--version"], b"", note) for _ in range(9)]
    floor = min(ms for ms, _ in floor), min(mib for _, mib in floor)
    for number, (size, family, path, largest) in enumerate(chosen):
        folder = work / f"{name}{number}"
        names = {"MAP": str(path), "LARGEST": largest, "FOLDER": str(folder)}
        words = [bspkit, name, *option]
        for word in COMMANDS[command]:
            words.append(names.get(word, word.replace("OUT", str(work / "out"))))
        found = [run(words, INPUT.get(command, b""), note) for _ in range(runs)]
        if None in found:
            continue
        points.append((size, family, max(min(ms for ms, _ in found) - floor[0], LEAST_MS),
                       max(min(mib for _, mib in found) - floor[1], LEAST_MIB), path))
    return points


def fit(points, column):
    """One slope for all families, a height each: least squares of the logarithms, around the means of the
    families. Returns the slope, the heights, and the point farthest above."""
    means, up, down = {}, 0.0, 0.0
    for family in {point[1] for point in points}:
        own = [point for point in points if point[1] == family]
        means[family] = (sum(math.log(p[0]) for p in own) / len(own),
                         sum(math.log(p[column]) for p in own) / len(own))
    for point in points:
        x = math.log(point[0]) - means[point[1]][0]
        up += x * (math.log(point[column]) - means[point[1]][1])
        down += x * x
    slope = up / down if down > 0 else math.nan
    heights = {family: y - slope * x for family, (x, y) in means.items()}
    worst = max(points, key=lambda p: math.log(p[column]) - heights[p[1]] - slope * math.log(p[0]))
    return slope, heights, worst


LETTERS = {"quake": "q", "goldsrc": "g", "quake2": "2", "quake3": "3", "source": "s",
           "titanfall": "t"}


def scale(points, column):
    values = [math.log(point[column]) for point in points]
    low, high = min(values), max(values)
    return lambda value: (math.log(value) - low) / ((high - low) or 1)


def draw(points):
    """Prints time over size, both by their logarithms."""
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]
    across, down = scale(points, 0), scale(points, 2)
    for size, family, ms, _, _ in points:
        row = HEIGHT - 1 - round(down(ms) * (HEIGHT - 1))
        rows[row][round(across(size) * (WIDTH - 1))] = LETTERS.get(family, "?")
    for number, row in enumerate(rows):
        ends = {0: max(p[2] for p in points), HEIGHT - 1: min(p[2] for p in points)}
        label = f"{ends[number]:9.1f} ms" if number in ends else ""
        print(f"{label:>13} |{''.join(row).rstrip()}")
    print(f"{'':>13} +{'-' * WIDTH}\n{'':>15}{min(p[0] for p in points) / 1e6:.2f} MB"
          f"{max(p[0] for p in points) / 1e6:>{WIDTH - 10}.2f} MB\n")


COLOURS = ["#2a6", "#26a", "#a62", "#a26", "#62a", "#aa2", "#888"]


def svg(results, path):
    """Writes a row of two plots, time and memory, for each command."""
    parts, y = [], 20
    for command, points in results.items():
        for column, unit, x in ((2, "ms", 60), (3, "MiB", 460)):
            across, up = scale(points, 0), scale(points, column)
            parts.append(f'<text x="{x}" y="{y}">{command}: {unit}, '
                         f'{min(p[column] for p in points):.1f} to '
                         f'{max(p[column] for p in points):.1f}, slope '
                         f'{fit(points, column)[0]:.2f}</text>'
                         f'<rect x="{x}" y="{y + 8}" width="340" height="160" fill="none" '
                         'stroke="#aaa"/>')
            for point in points:
                colour = COLOURS[min(list(LETTERS).index(point[1]) if point[1] in LETTERS else 6, 6)]
                parts.append(f'<circle cx="{x + 340 * across(point[0]):.1f}" '
                             f'cy="{y + 168 - 160 * up(point[column]):.1f}" r="3" '
                             f'fill="{colour}"><title>{point[4].name}: {point[column]:.1f} {unit}'
                             '</title></circle>')
        y += 210
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="840" '
                    f'height="{y}" font-family="sans-serif" font-size="13">{"".join(parts)}</svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bspkit")
    parser.add_argument("maps", nargs="+")
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--maps", dest="count", type=int, default=12)
    parser.add_argument("--only", default=",".join(COMMANDS))
    given = parser.parse_args()
    chosen = choose(given.bspkit, given.maps, given.count)
    if not chosen:
        sys.exit("growth: no maps of 50 KB or more")
    results, lines = {}, []
    with tempfile.TemporaryDirectory() as place:
        for command in given.only.split(","):
            points = measure(given.bspkit, command, chosen, given.runs, pathlib.Path(place))
            if len(points) < 3:
                print(f"{command}: too few maps\n")
                continue
            results[command] = points
            (time, _, slow), (memory, _, large) = fit(points, 2), fit(points, 3)
            big = [point for point in points if point[0] >= LARGE]
            tops = [fit(big, column)[0] if len(big) > 2 else math.nan for column in (2, 3)]
            steep = any(slope > STEEP for slope in (time, memory, *tops))
            lines.append(f"{command:<14} {len(points):4} {time:6.2f} {tops[0]:6.2f} "
                         f"{max(p[2] for p in points):8.1f} {memory:7.2f} {tops[1]:6.2f} "
                         f"{max(p[3] for p in points):7.1f}  {'STEEP ' if steep else ''}"
                         f"{slow[4].name} {slow[2]:.1f} ms, {large[4].name} {large[3]:.1f} MiB")
            print(command)
            draw(points)
    print(f"{'command':<14} {'maps':>4} {'time':>6} {'large':>6} {'most ms':>8} {'memory':>7} "
          f"{'large':>6} {'MiB':>7}  worst")
    print("\n".join(lines))
    if given.svg is not None:
        svg(results, given.svg)


main()
