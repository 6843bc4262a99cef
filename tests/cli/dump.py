# SPDX-License-Identifier: MIT
"""A lump of many records, as JSON and as text: what is printed are the numbers of the file, in order,
and the same bytes by one thread and by several, also where a round of blocks ends with a part of one."""
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = "samples/quake/lobby.bsp"
RECORDS = [1, 700, 25000, 60001]
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 0.1, 1e-5, 16777216.0, 1e9, 3.4e38, 1e-45]


def run(*arguments):
    return subprocess.run([BSPKIT, *arguments], check=True, capture_output=True).stdout


def number(value):
    """What JSON has for a float: strings for those that it has no numbers for."""
    words = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    return words[value] if isinstance(value, str) else value


def same(text, value):
    return struct.pack("<f", text) == struct.pack("<f", value) or (text != text and value != value)


def check(work, count):
    pick = random.Random(count)
    values = [pick.choice(SPECIAL) if pick.random() < 0.05 else
              struct.unpack("<f", struct.pack("<f", pick.uniform(-4096, 4096)))[0]
              for _ in range(3 * count)]
    lump, made = work / "lump", work / "made.bsp"
    lump.write_bytes(struct.pack(f"<{3 * count}f", *values))
    subprocess.run([BSPKIT, "lump", "replace", "--force", SAMPLE, "vertexes", lump, "-o", made],
                   capture_output=True, check=False)
    one = run("dump", "--json", "--threads", "1", made, "vertexes")
    records = json.loads(one)
    assert len(records) == count, (len(records), count)
    found = [number(value) for record in records for value in record["point"]]
    for at, (text, value) in enumerate(zip(found, values)):
        assert same(text, value), (at, text, value)
    for threads in ("2", "7"):
        assert run("dump", "--json", "--threads", threads, made, "vertexes") == one, threads
    lines = run("dump", made, "vertexes").decode().splitlines()
    assert len(lines) == count
    for at, line in enumerate(lines):
        path, numbers = re.fullmatch(r"(VERTEXES\[\d+\]) point=(\S+)", line).groups()
        assert path == f"VERTEXES[{at}]", line
        for text, value in zip(numbers.split(","), values[3 * at:3 * at + 3]):
            assert same(float(text), value), (line, value)


with tempfile.TemporaryDirectory() as folder:
    for records in RECORDS:
        check(pathlib.Path(folder), records)
