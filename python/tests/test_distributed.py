# SPDX-License-Identifier: MIT
"""Workers of Dask, one of which is killed in the middle, write what one run of the command writes."""
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

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


def test_a_worker_is_killed(tmp_path):
    from bspkit import distributed
    maps = []
    for n in range(240):
        maps.append(shutil.copy(SAMPLES[n % len(SAMPLES)], tmp_path / f"{n:03}.bsp"))
    (tmp_path / "broken.bsp").write_bytes(b"no map")
    maps.append(tmp_path / "broken.bsp")
    with dask.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster, \
            dask.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        killer = threading.Thread(target=lambda: (time.sleep(0.3), os.kill(pids[0], signal.SIGKILL)))
        killer.start()
        shards = distributed.index(tmp_path / "all.db", maps, client, shards=tmp_path / "shards", command=COMMAND,
                                   run=16)
        killer.join()
    assert len(shards) == 16 and pids[0] not in list_of_processes()
    subprocess.run([COMMAND, "index", tmp_path / "one.db", *maps], capture_output=True, check=False)
    assert rows(tmp_path / "all.db") == rows(tmp_path / "one.db")
    assert len(rows(tmp_path / "all.db")[0]) == 241


def test_visibility(tmp_path):
    from bspkit import distributed
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            dask.Client(cluster) as client:
        distributed.vis(SAMPLES[0], tmp_path / "merged.bsp", client, count=3, parts=tmp_path / "parts",
                        command=COMMAND)
    assert len(list((tmp_path / "parts").iterdir())) == 3
    subprocess.run([COMMAND, "vis", SAMPLES[0], "-o", tmp_path / "one.bsp"], check=True, capture_output=True)
    assert (tmp_path / "merged.bsp").read_bytes() == (tmp_path / "one.bsp").read_bytes()
    parts = sorted((tmp_path / "parts").iterdir())
    parts[1].write_bytes(b"torn")
    with pytest.raises(RuntimeError, match=parts[1].name):
        distributed.vis(SAMPLES[0], tmp_path / "again.bsp", Here(), count=3, parts=tmp_path / "parts", command=COMMAND)


def test_light(tmp_path):
    from bspkit import distributed
    distributed.light(SAMPLES[0], tmp_path / "merged.bsp", Here(), count=3, parts=tmp_path / "parts", command=COMMAND,
                      options=("--extra", "2"))
    assert len(list((tmp_path / "parts").iterdir())) == 3
    subprocess.run([COMMAND, "light", SAMPLES[0], "--extra", "2", "-o", tmp_path / "one.bsp"], check=True,
                   capture_output=True)
    assert (tmp_path / "merged.bsp").read_bytes() == (tmp_path / "one.bsp").read_bytes()


class Here:
    """A client that does tasks at once."""

    def submit(self, function, *of, **_):
        return function(*of)

    def gather(self, done):
        return done


def list_of_processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()
            and b"Z" not in open(f"/proc/{name}/stat", "rb").read().split(b")")[-1][:3]] if os.path.isdir("/proc") else []
