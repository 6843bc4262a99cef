# SPDX-License-Identifier: MIT
"""Workers of Dask, one of which is killed in the middle, write what one run of the command writes."""
import contextlib
import os
import shutil
import sqlite3
import subprocess

import pytest

from conftest import COMMAND, SAMPLES

dask = pytest.importorskip("distributed", reason="Dask is not there")


def rows(db):
    with sqlite3.connect(db) as base:
        maps = base.execute("SELECT path, branch, size, sha256, entities, faces, geometry FROM maps ORDER BY path")
        facts = base.execute("SELECT m.path, k.text, v.text, count(*) FROM entity_facts e JOIN maps m ON m.id=e.map"
                             " JOIN facts f ON f.id=e.fact JOIN texts k ON k.id=f.key JOIN texts v ON v.id=f.value"
                             " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3")
        return maps.fetchall(), facts.fetchall()


@contextlib.contextmanager
def workers(count):
    """The client of processes that work on this machine; a new one stands in for each that is lost."""
    with dask.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster, \
            dask.Client(cluster) as client:
        yield client


def deadly(folder, when):
    """The command; its second call kills the worker that called it, before or after it did what was asked."""
    script = folder / f"{when}.sh"
    kill = f'mkdir "{folder}/1" 2>/dev/null || {{ mkdir "{folder}/2" 2>/dev/null && kill -9 $PPID && exit 1; }}\n'
    run = f'"{COMMAND}" "$@"\nstatus=$?\n'
    script.write_text("#!/bin/sh\n" + (kill + run if when == "before" else run + kill) + "exit $status\n")
    script.chmod(0o755)
    return str(script)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_worker_is_killed(tmp_path, when):
    from bspkit import distributed
    maps = []
    for n in range(96):
        maps.append(shutil.copy(SAMPLES[n % len(SAMPLES)], tmp_path / f"{n:03}.bsp"))
    (tmp_path / "broken.bsp").write_bytes(b"no map")
    maps.append(tmp_path / "broken.bsp")
    with workers(3) as client:
        before = set(client.run(os.getpid).values())
        shards = distributed.index(tmp_path / "all.db", maps, client, shards=tmp_path / "shards",
                                   command=deadly(tmp_path, when), run=16)
        assert before - set(client.run(os.getpid).values())
    assert len(shards) == 7 and (tmp_path / "2").exists()
    subprocess.run([COMMAND, "index", tmp_path / "one.db", *maps], capture_output=True, check=False)
    assert rows(tmp_path / "all.db") == rows(tmp_path / "one.db")
    assert len(rows(tmp_path / "all.db")[0]) == 97


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("what, options", [("vis", ()), ("light", ("--extra", "2"))])
def test_parts_of_a_map(tmp_path, what, options, when):
    """A worker is lost, and the map has the bytes of one run."""
    from bspkit import distributed
    with workers(2) as client:
        getattr(distributed, what)(SAMPLES[0], tmp_path / "merged.bsp", client, count=3, parts=tmp_path / "parts",
                                   command=deadly(tmp_path, when), options=options)
    assert len(list((tmp_path / "parts").iterdir())) == 3 and (tmp_path / "2").exists()
    subprocess.run([COMMAND, what, SAMPLES[0], *options, "-o", tmp_path / "one.bsp"], check=True, capture_output=True)
    assert (tmp_path / "merged.bsp").read_bytes() == (tmp_path / "one.bsp").read_bytes()


def test_a_torn_part(tmp_path):
    from bspkit import distributed
    of = dict(count=3, parts=tmp_path / "parts", command=COMMAND)
    distributed.vis(SAMPLES[0], tmp_path / "merged.bsp", Here(), **of)
    parts = sorted((tmp_path / "parts").iterdir())
    parts[1].write_bytes(b"torn")
    with pytest.raises(RuntimeError, match=parts[1].name):
        distributed.vis(SAMPLES[0], tmp_path / "again.bsp", Here(), **of)


class Here:
    """A client that does tasks at once."""

    def submit(self, function, *of, **_):
        return function(*of)

    def gather(self, done):
        return done
