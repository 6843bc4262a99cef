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


def list_of_processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()
            and b"Z" not in open(f"/proc/{name}/stat", "rb").read().split(b")")[-1][:3]] if os.path.isdir("/proc") else []
