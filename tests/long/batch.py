# SPDX-License-Identifier: MIT
"""2,195 maps, 40 of which cannot be read, through info, check and assets: each is accounted for once, in the
same order, with the totals, as JSON and as CSV, at one job and at several."""
import csv
import io
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time

BSPKIT = os.environ["BSPKIT"]
SAMPLES = sorted(pathlib.Path("samples").resolve().glob("*/*.bsp"))
CORPUS = sorted(path for path in pathlib.Path("../shared/corpus").resolve().rglob("*.bsp")
                if path.stat().st_size < 1 << 20 and "foreign" not in path.parts)
GOOD, BAD = 2155, 40


def make(folder):
    """Links to the maps under new names, and what cannot be read among them. Returns the bad names."""
    sources = SAMPLES + CORPUS
    bad = []
    seeded = random.Random(2195)
    for number in range(GOOD):
        source = sources[number % len(sources)]
        (folder / f"{number:04}.bsp").symlink_to(source)
    for number in range(BAD):
        path = folder / f"{seeded.randrange(GOOD):04}_{number}.bsp"
        bad.append(str(path.relative_to(folder.parent)))
        kind = number % 4
        if kind == 0:
            path.write_bytes(b"")
        elif kind == 1:
            path.symlink_to("nowhere")
        elif kind == 2:
            path.write_bytes(bytes(seeded.randrange(256) for _ in range(1000)))
        else:
            path.write_bytes(SAMPLES[number % len(SAMPLES)].read_bytes()[:7])
    return bad


def run(*words, cwd):
    started = time.monotonic()
    done = subprocess.run([BSPKIT, *map(str, words)], cwd=cwd, capture_output=True, check=False)
    print(f"{' '.join(map(str, words))}: {time.monotonic() - started:.1f} s")
    return done


def totals(done, command, statuses):
    clean, problems, failed = (statuses.count(status) for status in (0, 1, 3))
    wanted = f"bspkit: {command}: {GOOD + BAD} files: {clean} without problems, " \
             f"{problems} with problems, {failed} failed"
    last = done.stderr.decode().splitlines()[-1]
    assert last in (wanted, wanted.removeprefix("bspkit: ")), (last, wanted)


def check_json(folder, bad):
    names = sorted(f"maps/{name}" for name in os.listdir(folder / "maps"))
    for command, problems in (("info", lambda line: False),
                              ("check", lambda line: line["errors"] != 0),
                              ("assets", lambda line: line["missing"] != 0)):
        done = run(command, "--json", "maps", cwd=folder)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["file"] for line in lines] == names, command
        unread = [line["file"] for line in lines if "error" in line]
        assert sorted(bad) == sorted(unread), (command, set(unread) ^ set(bad))
        totals(done, command, [3 if "error" in line else int(problems(line)) for line in lines])
        assert done.returncode == 3


def check_jobs(folder):
    alone = run("info", "--csv", "-j", 1, "maps", cwd=folder)
    many = run("info", "--csv", "-j", 4, "maps", cwd=folder)
    assert alone.stdout == many.stdout and alone.stderr == many.stderr
    rows = list(csv.DictReader(io.StringIO(alone.stdout.decode(), newline="")))
    assert len(rows) == GOOD + BAD and sum(row["error"] != "" for row in rows) == BAD


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "maps").mkdir()
        bad = make(folder / "maps")
        assert len(set(bad)) == BAD
        check_json(folder, bad)
        check_jobs(folder)
    print(f"{GOOD + BAD} maps, {BAD} of them unreadable: all accounted for")


main()
