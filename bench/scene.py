#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long a map with many props takes, as whole processes: makes a Source map of 300 props (or N) of 20
models with 912 triangles and a texture of 256 x 256 texels each, in the lobby of the samples, and times
its export to .glb beside that of the map without props. The limit is 250 ms for 300 props.

    bench/scene.py BSPKIT COMPILE_SOURCE [--props N] [--repeat N] [--keep FOLDER]

Milliseconds are the least of the runs, which alternate: wall, then processor. Programs that bench/CMake
builds measure the steps inside: bench/scene MAP GAME, with what --keep leaves."""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import source_model  # noqa: E402

MODELS, LIMIT = 20, 250


def make_game(folder):
    for n in range(MODELS):
        source_model.write_model(folder, f"models/bench/m{n}", [source_model.ball(8 + n, 20, 24)], [[0]],
                                 [f"bench/m{n}"])
        source_model.write_texture(folder, f"bench/m{n}", 256, lambda x, y, n=n: (
            (x * (n + 3)) & 255, (y * 5 + n * 12) & 255, (x ^ y) & 255, 255))


def make_map(compiler, folder, props):
    """The lobby with so many props in rows, each turned by its number."""
    text = (HERE.parent / "samples/source/lobby.vmf").read_text()
    text = re.sub(r'(?m)^entity\n\{\n(?:(?!^\}).*\n)*?\t"classname" "prop_static"\n(?:(?!^\}).*\n)*\}\n', "", text)
    for n in range(props):
        at = (24 + n % 15 * 16, 24 + n // 15 % 15 * 16, 8 + n // 225 * 40)
        text += ('entity\n{\n"id" "%d"\n"classname" "prop_static"\n"model" "models/bench/m%d.mdl"\n"angles" "0 %d 0"\n'
                 '"skin" "0"\n"solid" "0"\n"fademindist" "-1"\n"fadescale" "1"\n"origin" "%d %d %d"\n}\n') % (
                     10000 + n, n % MODELS, n * 7 % 360, *at)
    # The compiler takes the materials beside the drawing.
    shutil.copytree(HERE.parent / "samples/source/materials", folder / "materials", dirs_exist_ok=True)
    (folder / "map.vmf").write_text(text)
    subprocess.run([os.path.abspath(compiler), folder / "map.vmf", folder / "map.bsp"], check=True,
                   stdout=subprocess.DEVNULL)


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def measure(bspkit, folder, repeat):
    game = ["--game", folder / "game", "--game", HERE.parent / "samples/source"]
    rows = [("export -l %s%s" % (light, "" if props else " --no-props"),
             [bspkit, "export", folder / "map.bsp", *game, "-l", light, "-o", folder / "out.glb"]
             + ([] if props else ["--no-props"]))
            for light in ("none", "uv", "baked") for props in (True, False)]
    best = {name: [1e9, 1e9, 0] for name, _ in rows}
    for _ in range(repeat):
        for name, command in rows:
            wall, cpu = run(command)
            best[name] = [min(best[name][0], wall), min(best[name][1], cpu), (folder / "out.glb").stat().st_size]
    print("%-26s %8s %8s %8s %10s" % ("command", "wall ms", "cpu ms", "limit", "bytes"))
    for name, (wall, cpu, size) in best.items():
        print("%-26s %8.1f %8.1f %8s %10d" % (name, wall, cpu, "" if "no-props" in name else LIMIT, size))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bspkit")
    parser.add_argument("compiler")
    parser.add_argument("--props", type=int, default=300)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch).resolve()
        os.makedirs(folder / "game", exist_ok=True)
        make_game(folder / "game")
        make_map(options.compiler, folder, options.props)
        measure(options.bspkit, folder, options.repeat)


main()
