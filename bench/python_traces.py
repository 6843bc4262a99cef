# SPDX-License-Identifier: MIT
"""What a call from Python costs beside the C function in it: python_traces.py MAP...

A million random segments each, in turn by Map.trace, which fills the inputs out of arrays, and by
bsp_trace_batch on inputs that are filled; least and median of seven rounds, processor time of all threads in the
program. That of the system is left out: both have it clear the pages of a million results, which takes from 5 to
200 ms on a machine with other work."""
import resource
import statistics
import sys

import numpy as np

import bspkit
from bspkit import _maps
from bspkit._core import ffi, lib

COUNT = 1_000_000
ROUNDS = 7


def spent():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def measure(path):
    map_ = bspkit.open(path).map
    rng = np.random.default_rng(1)
    low, high = map_.models["mins"][0], map_.models["maxs"][0]
    starts, ends = (rng.uniform(low, high, (COUNT, 3)).astype(np.float32) for _ in range(2))
    inputs = np.zeros(COUNT, _maps._INPUT)
    inputs["start"], inputs["end"] = starts, ends
    times = {"c": [], "python": []}
    for _ in range(ROUNDS):
        begin = spent()
        ours = map_.trace(starts, ends)
        times["python"].append(spent() - begin)
        results = np.empty(COUNT, _maps._RESULT)
        begin = spent()
        lib.bsp_trace_batch(map_._index, ffi.from_buffer("bsp_trace_input[]", inputs),
                            ffi.from_buffer("bsp_trace_result[]", results), COUNT)
        times["c"].append(spent() - begin)
        assert np.array_equal(ours["fraction"], results["fraction"])
    return times


def main(*paths):
    print("| map | C ms | Python ms | more |\n|---|---|---|---|")
    for path in paths:
        times = measure(path)
        c, python = (f"{1e3 * min(times[way]):.0f} / {1e3 * statistics.median(times[way]):.0f}"
                     for way in ("c", "python"))
        print(f"| {path.rsplit('/', 1)[-1]} | {c} | {python} | {min(times['python']) / min(times['c']) - 1:.1%} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
