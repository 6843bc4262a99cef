# SPDX-License-Identifier: MIT
"""Shards become Parquet by one statement of DuckDB, and say what the merged index says. DuckDB is the npm
package @duckdb/node-api: in build/duckdb, or in the folder that BSPKIT_DUCKDB names."""
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess

import pytest

from bspkit import distributed, tables
from conftest import COMMAND, ROOT, SAMPLES, SHARED

DUCKDB = pathlib.Path(os.environ.get("BSPKIT_DUCKDB", ROOT / "build" / "duckdb")) / "node_modules" / "@duckdb"
# The statement of docs/index.md.
STATEMENT = "COPY (FROM read_csv('tables/*.TABLE.csv', union_by_name = true)) TO 'TABLE.parquet' (FORMAT parquet)"
SCRIPT = """
import {{ createRequire }} from 'node:module';
const {{ DuckDBInstance }} = createRequire({root!r})('@duckdb/node-api');
const base = await (await DuckDBInstance.create(':memory:')).connect();
const out = {{}};
for (const [name, sql] of Object.entries({statements})) {{
    out[name] = (await base.runAndReadAll(sql)).getRowsJson();
}}
console.log(JSON.stringify(out));
"""


def duckdb(folder, statements):
    """The rows of each statement."""
    script = folder / "run.mjs"
    script.write_text(SCRIPT.format(root=str(DUCKDB.parent.parent) + "/", statements=json.dumps(statements)))
    done = subprocess.run(["node", script.name], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def shards(tmp_path):
    """Three shards of the samples and of some shared maps, one of them with a file that is no map."""
    broken = tmp_path / "broken.bsp"
    broken.write_bytes(b"no map, but \"quotes\", and\nlines")
    paths = [*SAMPLES, *sorted((SHARED / "quake").glob("*/*.bsp"))[:12], broken]
    out = []
    for number in range(3):
        out.append(tmp_path / f"{number}.db")
        distributed.index_shard(str(out[-1]), [str(path) for path in paths[number::3]], COMMAND, ())
    return out


def test_tables(shards, tmp_path):
    """The files have the rows of the index, whatever is in their texts."""
    import csv
    written = tables.write(shards[0], tmp_path / "tables")
    assert [pathlib.Path(path).name for path in written] == [f"0.{name}.csv" for name in tables.QUERIES]
    with sqlite3.connect(shards[0]) as index:
        for path, query in zip(written, tables.QUERIES.values()):
            with open(path, newline="", encoding="utf-8") as file:
                titles, *rows = csv.reader(file)
            wanted = index.execute(query)
            assert titles == [column[0] for column in wanted.description]
            assert rows == [["" if value is None else str(value) for value in row] for row in wanted]


@pytest.mark.skipif(shutil.which("node") is None or not DUCKDB.exists(), reason="DuckDB is not there")
def test_parquet(shards, tmp_path):
    for shard in shards:
        tables.write(shard, tmp_path / "tables")
    distributed.merge(tmp_path / "all.db", shards, COMMAND)
    statements = {f"write {name}": STATEMENT.replace("TABLE", name) for name in tables.QUERIES}
    statements.update({
        "counts": " UNION ALL ".join(f"SELECT '{name}', count(*)::INT FROM '{name}.parquet'" for name in tables.QUERIES),
        "classes": "SELECT class, count(*)::INT FROM 'entities.parquet' GROUP BY 1 ORDER BY 1",
        "maps": "SELECT path, branch, size::INT, faces::INT, sha256, problem FROM 'maps.parquet' ORDER BY path",
        "joined": "SELECT m.family, k.value, count(*)::INT FROM 'keys.parquet' k JOIN 'maps.parquet' m ON m.path = k.map"
                  " WHERE k.key = 'classname' AND k.value LIKE 'info_player%' GROUP BY 1, 2 ORDER BY 1, 2"})
    told = duckdb(tmp_path, statements)
    with sqlite3.connect(tmp_path / "all.db") as index:
        for name, count in told["counts"]:
            assert count == index.execute(f"SELECT count(*) FROM ({tables.QUERIES[name]})").fetchone()[0], name
        assert told["classes"] == [list(row) for row in index.execute(
            "SELECT t.text, count(*) FROM entities e JOIN texts t ON t.id = e.class GROUP BY 1 ORDER BY 1")]
        wanted = index.execute("SELECT path, branch, size, faces, sha256, problem FROM maps ORDER BY path")
        assert [[value or None for value in row] for row in told["maps"]] == [
            [value or None for value in row] for row in wanted]
        assert told["joined"] == [list(row) for row in index.execute(
            "SELECT m.family, v.text, count(*) FROM entity_facts e JOIN maps m ON m.id = e.map"
            " JOIN facts f ON f.id = e.fact JOIN texts k ON k.id = f.key JOIN texts v ON v.id = f.value"
            " WHERE k.text = 'classname' AND v.text LIKE 'info_player%' GROUP BY 1, 2 ORDER BY 1, 2")]
