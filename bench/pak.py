#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the commands for embedded files on a map with 100 MB of them, beside copying that map:

  bench/pak.py BSPKIT [MAP [FOLDER]]

MAP is any map of Source (the sample), FOLDER where the files go (the one for temporary files; the
disk that it is on decides much of it). The limits: list takes 50 ms, add twice as long as cp, both
32 MiB and the largest file. Milliseconds are the median of 15 runs with least and most, cp and add in
turns; "cpu" is the median of what the processor took; MiB the peak resident size (GNU time). "cp, sync" waits for the
disk, as add does."""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 15
MIB = 1 << 20
SIZES = [MIB] * 80 + [4096] * 2000 + [12 * MIB]


class Series:
    """Runs of one command."""

    def __init__(self, name, command, made=None):
        self.name, self.command, self.made = name, [str(part) for part in command], made
        self.wall, self.cpu = [], []

    def clear(self):
        if self.made is not None:
            self.made.unlink(missing_ok=True)

    def run(self):
        self.clear()
        begin = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.wall.append((time.perf_counter() - begin) * 1000)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, self.command
        self.cpu.append((usage.ru_utime + usage.ru_stime) * 1000)

    def memory(self, note):
        """Not out of `run`: what a process had before it became the command counts for it too."""
        self.clear()
        subprocess.run(["/usr/bin/time", "-f", "%M", "-o", note, *self.command], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return int(note.read_text().split()[-1]) / 1024

    def line(self, note, limit_ms=None, limit_mib=None):
        limits = ["" if limit is None else f"{limit:.1f}" for limit in (limit_ms, limit_mib)]
        spread = f"{min(self.wall):.1f} to {max(self.wall):.1f}"
        print(f"{self.name:<22} {statistics.median(self.wall):8.1f} {spread:>20} {limits[0]:>8} "
              f"{statistics.median(self.cpu):8.1f} "
              f"{self.memory(note):8.1f} {limits[1]:>8}")


def main(bspkit, source, work):
    content = work / "content"
    content.mkdir()
    for number, size in enumerate(SIZES):
        (content / f"{number:04}.vtf").write_bytes(os.urandom(size))
    (work / "small.txt").write_text("small")
    big, copy, changed = work / "big.bsp", work / "copy.bsp", work / "changed.bsp"
    subprocess.run([bspkit, "pak", "add", source, content, "-o", big], check=True,
                   stderr=subprocess.DEVNULL)
    copying = Series("cp", ["cp", big, copy], copy)
    synced = Series("cp, sync", ["sh", "-c", f"cp '{big}' '{copy}' && sync '{copy}'"], copy)
    adding = Series("pak add, 5 bytes", [bspkit, "pak", "add", big, "--root", work, "small.txt",
                                         "-o", changed], changed)
    listing = Series("pak list", [bspkit, "pak", "list", big])
    for _ in range(RUNS):
        for series in (copying, synced, adding, listing):
            series.run()
    limit = 32 + max(SIZES) / MIB
    print(f"{big.stat().st_size / 1e6:.1f} MB, {len(SIZES)} files")
    print(f"{'':<22} {'ms':>8} {'least to most':>20} {'limit':>8} {'cpu':>8} {'MiB':>8} {'limit':>8}")
    note = work / "note"
    copying.line(note)
    synced.line(note)
    adding.line(note, 2 * statistics.median(copying.wall), limit)
    listing.line(note, 50, limit)


if len(sys.argv) < 2:
    sys.exit(__doc__)
with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as place:
    main(pathlib.Path(sys.argv[1]).resolve(),
         pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "samples/source/lobby.bsp"),
         pathlib.Path(place))
