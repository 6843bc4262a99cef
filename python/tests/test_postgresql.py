# SPDX-License-Identifier: MIT
"""The tables of shards go into PostgreSQL by the commands of docs/index.md, and say what the index says. Needs the
server and the client, and as root the user "postgres", for the server refuses to run as root."""
import glob
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import pytest

from bspkit import distributed, tables
from conftest import COMMAND, ROOT, SAMPLES

PROGRAMS = next(iter(sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)), None)
AS_OTHER = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
QUESTIONS = {
    "SELECT class, count(*) FROM entities GROUP BY 1 ORDER BY 1":
        "SELECT t.text, count(*) FROM entities e JOIN texts t ON t.id = e.class GROUP BY 1 ORDER BY 1",
    "SELECT path, branch, size, faces, sha256, geometry FROM maps ORDER BY path COLLATE \"C\"":
        "SELECT path, branch, size, faces, sha256, geometry FROM maps ORDER BY path",
    "SELECT problem FROM maps WHERE problem IS NOT NULL": "SELECT problem FROM maps WHERE problem <> ''",
    "SELECT k.value FROM keys k JOIN maps m ON m.path = k.map WHERE m.family = 'quake' AND k.key = 'message'"
    " ORDER BY k.value COLLATE \"C\"":
        "SELECT v.text FROM entity_facts e JOIN maps m ON m.id = e.map JOIN facts f ON f.id = e.fact"
        " JOIN texts k ON k.id = f.key JOIN texts v ON v.id = f.value WHERE m.family = 'quake' AND k.text = 'message'"
        " ORDER BY v.text",
}


def documented():
    """The commands of the document."""
    text = (ROOT / "docs" / "index.md").read_text()
    return text[text.index("```sh\n{") + 6:].split("```")[0]


@pytest.fixture
def server():
    """The environment of a server that listens in a folder only, with an empty database "archive"."""
    if PROGRAMS is None or shutil.which("psql") is None:
        pytest.skip("PostgreSQL is not there: package postgresql")
    with tempfile.TemporaryDirectory() as name:
        if AS_OTHER:
            shutil.chown(name, "postgres")
        run = lambda *command: subprocess.run([*AS_OTHER, *command], check=True, capture_output=True, cwd=name)
        run(f"{PROGRAMS}/initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync", "-D", f"{name}/data")
        # The server keeps the standard error that it is given: a file, not a pipe that is waited for.
        run(f"{PROGRAMS}/pg_ctl", "-w", "-D", f"{name}/data", "-l", f"{name}/log", "-o",
            f"-k {name} -c listen_addresses='' -c fsync=off", "start")
        try:
            environment = {**os.environ, "PGHOST": name, "PGUSER": "postgres"}
            subprocess.run(["createdb", "archive"], env=environment, check=True)
            yield environment
        finally:
            run(f"{PROGRAMS}/pg_ctl", "-D", f"{name}/data", "-m", "immediate", "stop")


def test_columns(tmp_path):
    """The statements have the columns that the files have, in their order."""
    base = sqlite3.connect(":memory:")
    base.executescript(tables.SCHEMA)
    shard = tmp_path / "a.db"
    distributed.index_shard(str(shard), [str(SAMPLES[0])], COMMAND, ())
    with sqlite3.connect(shard) as index:
        for name, query in tables.QUERIES.items():
            wanted = [column[0] for column in index.execute(query).description]
            assert [row[1] for row in base.execute(f"PRAGMA table_info({name})")] == wanted


def test_loaded(server, tmp_path):
    broken = tmp_path / "broken.bsp"
    broken.write_bytes(b"no map, but \"quotes\", and\nlines")
    paths = [*SAMPLES, broken]
    shards = []
    for number in range(2):
        shards.append(tmp_path / f"{number}.db")
        distributed.index_shard(str(shards[-1]), [str(path) for path in paths[number::2]], COMMAND, ())
        tables.write(shards[-1], tmp_path / "tables")
    distributed.merge(tmp_path / "all.db", shards, COMMAND)
    environment = {**server, "PYTHONPATH": str(pathlib.Path(tables.__file__).parents[1])}
    command = documented().replace("python3", sys.executable)
    subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, check=True)
    with sqlite3.connect(tmp_path / "all.db") as index:
        for name, query in tables.QUERIES.items():
            count = index.execute(f"SELECT count(*) FROM ({query})").fetchone()[0]
            assert asked(server, f"SELECT count(*) FROM {name}") == [[str(count)]], name
        for question, wanted in QUESTIONS.items():
            assert asked(server, question) == [
                ["" if value is None else str(value) for value in row] for row in index.execute(wanted)], question


def asked(server, question):
    """The rows of the answer."""
    done = subprocess.run(["psql", "-q", "-A", "-t", "-F", "\t", "archive", "-c", question], env=server, check=True,
                          capture_output=True, text=True)
    return [line.split("\t") for line in done.stdout.splitlines()]
