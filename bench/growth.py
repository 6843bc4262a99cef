#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the time and the memory of each command grow with the size of a map:

  bench/growth.py [--points FILE] [--svg FILE] [--page FILE] [--runs N] [--maps N] [--only COMMAND,...]
                  BSPKIT MAP-OR-FOLDER...

Of the maps, N of each family (12) are taken, spread evenly over the logarithm of their sizes, from 50 KB
on. Time is what the processor took, the least of N runs (3), less that of a run which does nothing;
memory the peak resident size (GNU time), less likewise. A line through the logarithms has one slope for
all families and a height for each, since a byte of one family is another amount of work than one of
another: slope 1 is linear growth, and "worst" the map farthest above its line. What a command does for
any map flattens the line of small ones, so a second slope is that of the maps from 1 MB on. A command
with a slope over 1.15 is marked. The text plot has time down and size across, a letter a family; --svg writes
both plots of all commands, --page the table into a page (docs/speed.md) between two marks. --points keeps what
was measured; without maps it is read instead."""
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
PLOT_WIDTH, PLOT_HEIGHT, COLUMNS = 190, 110, 4


def plot(points, column, unit, x, y):
    """Draws one plot, with logarithmic scales."""
    across, up = scale(points, 0), scale(points, column)
    parts = [f'<rect x="{x}" y="{y}" width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" fill="none" stroke="#bbb" stroke-width="1"/>']
    for number, colour in enumerate(COLOURS):
        own = [p for p in points
               if min(list(LETTERS).index(p[1]) if p[1] in LETTERS else 6, 6) == number]
        dots = "".join(f"M{x + 4 + (PLOT_WIDTH - 8) * across(p[0]):.0f} "
                       f"{y + PLOT_HEIGHT - 4 - (PLOT_HEIGHT - 8) * up(p[column]):.0f}h0" for p in own)
        parts.append(f'<path d="{dots}" stroke="{colour}"/>' if dots else "")
    ends = [min(p[column] for p in points), max(p[column] for p in points)]
    parts.append(f'<text x="{x}" y="{y + PLOT_HEIGHT + 12}">{ends[0]:.1f} to {ends[1]:.1f} {unit}, slope '
                 f'{fit(points, column)[0]:.2f}</text>')
    return "".join(parts)


def svg(results, path):
    """Writes two plots, time and memory, for each command, and the colours of the families."""
    parts = []
    for number, (command, points) in enumerate(results.items()):
        x = 10 + number % (COLUMNS // 2) * 2 * (PLOT_WIDTH + 10)
        y = 50 + number // (COLUMNS // 2) * (PLOT_HEIGHT + 45)
        parts.append(f'<text x="{x}" y="{y - 6}" font-weight="bold">{command}</text>')
        parts.append(plot(points, 2, "ms", x, y) + plot(points, 3, "MiB", x + PLOT_WIDTH + 10, y))
    low = min(p[0] for points in results.values() for p in points) / 1e6
    high = max(p[0] for points in results.values() for p in points) / 1e6
    key = "".join(f'<tspan fill="{COLOURS[n]}" dx="10">{family}</tspan>' for n, family in enumerate(LETTERS))
    parts.append(f'<text x="10" y="20">Across: size of the map, {low:.2f} to {high:.1f} MB; up: time, memory; both '
                 f'logarithmic.{key}</text>')
    height = 50 + -(-len(results) // (COLUMNS // 2)) * (PLOT_HEIGHT + 45)
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{COLUMNS * (PLOT_WIDTH + 10) + 10}" '
                    f'height="{height}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" '
                    'fill="#fff"/><g stroke-width="4" stroke-linecap="round">'
                    + "".join(parts) + "</g></svg>\n")


BEGIN, END = "<!-- growth -->\n", "<!-- growth end -->\n"


def exponent(value):
    return "" if math.isnan(value) else f"{value:.2f}"


def page(results, path):
    """Writes the table into a page between its two marks."""
    lines = ["| command | maps | time grows as size to the | from 1 MB on | most ms | memory to the | from 1 MB on "
             "| most MiB |", "|---" * 8 + "|"]
    for command, points in results.items():
        big = [point for point in points if point[0] >= LARGE]
        cells = [command, str(len(points))]
        for column in (2, 3):
            cells += [exponent(fit(points, column)[0]), exponent(fit(big, column)[0]) if len(big) > 2 else "",
                      f"{max(p[column] for p in points):.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    text = path.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    path.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + after)


def write_points(results, path):
    lines = [f"{command}\t{p[4].name}\t{p[1]}\t{p[0]}\t{p[2]}\t{p[3]}"
             for command, points in results.items() for p in points]
    path.write_text("\n".join(lines) + "\n")


def read_points(path):
    results = {}
    for line in path.read_text().splitlines():
        command, name, family, size, ms, mib = line.split("\t")
        results.setdefault(command, []).append((int(size), family, float(ms), float(mib), pathlib.Path(name)))
    return results


def print_results(results):
    lines = []
    for command, points in results.items():
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


def measure_all(given):
    chosen = choose(given.bspkit, given.maps, given.count)
    if not chosen:
        sys.exit("growth: no maps of 50 KB or more")
    results = {}
    with tempfile.TemporaryDirectory() as place:
        for command in given.only.split(","):
            points = measure(given.bspkit, command, chosen, given.runs, pathlib.Path(place))
            if len(points) < 3:
                print(f"{command}: too few maps\n")
            else:
                results[command] = points
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bspkit")
    parser.add_argument("maps", nargs="*")
    for name in ("points", "svg", "page"):
        parser.add_argument("--" + name, type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--maps", dest="count", type=int, default=12)
    parser.add_argument("--only", default=",".join(COMMANDS))
    given = parser.parse_args()
    if not given.maps and given.points is None:
        parser.error("maps, or --points with what was measured, are needed")
    results = measure_all(given) if given.maps else read_points(given.points)
    if given.maps and given.points is not None:
        write_points(results, given.points)
    print_results(results)
    if given.svg is not None:
        svg(results, given.svg)
    if given.page is not None:
        page(results, given.page)


main()
