# SPDX-License-Identifier: MIT
"""Indexes of maps as tables for other programs: a file of comma-separated values for each table and shard,
which DuckDB reads together and writes as Parquet in one statement, and which PostgreSQL loads (docs/index.md).

    from bspkit import tables

    tables.write("shards/000000.db", "tables")   # tables/000000.maps.csv, 000000.entities.csv ...

Each table stands alone: maps are named by their path, texts are written out."""
from __future__ import annotations

import csv
import os
import pathlib
import sqlite3

from ._core import Path

__all__ = ["QUERIES", "SCHEMA", "write"]

_MAPS = ("path, file_size, problem, size, sha256, branch, family, game, version, checksum, revision, entities, faces,"
         " leaves, brushes, errors, warnings, minx, miny, minz, maxx, maxy, maxz, geometry, light")
QUERIES = {
    "maps": f"SELECT {_MAPS} FROM maps ORDER BY path",
    "entities": "SELECT m.path AS map, e.number AS entity, c.text AS class, e.x, e.y, e.z FROM entities e"
                " JOIN maps m ON m.id = e.map JOIN texts c ON c.id = e.class ORDER BY m.path, e.number",
    "keys": "SELECT m.path AS map, e.entity, e.position, k.text AS key, v.text AS value FROM entity_facts e"
            " JOIN maps m ON m.id = e.map JOIN facts f ON f.id = e.fact JOIN texts k ON k.id = f.key"
            " JOIN texts v ON v.id = f.value ORDER BY m.path, e.entity, e.position",
    "names": "SELECT m.path AS map, n.kind, t.text AS name, n.found, n.size, n.hash FROM names n"
             " JOIN maps m ON m.id = n.map JOIN texts t ON t.id = n.text ORDER BY m.path, n.kind, t.text",
    "counts": "SELECT m.path AS map, c.name, c.used, c.most FROM counts c JOIN maps m ON m.id = c.map"
              " ORDER BY m.path, c.name",
    "issues": "SELECT m.path AS map, i.issue, i.severity, i.count, i.text FROM issues i JOIN maps m ON m.id = i.map"
              " ORDER BY m.path, i.issue",
}
"""What each table has, in the order in which it is written."""

SCHEMA = """\
CREATE TABLE maps(path text PRIMARY KEY, file_size bigint, problem text, size bigint, sha256 text, branch text,
 family text, game text, version bigint, checksum text, revision bigint, entities bigint, faces bigint,
 leaves bigint, brushes bigint, errors bigint, warnings bigint, minx float, miny float, minz float, maxx float,
 maxy float, maxz float, geometry bigint, light bigint);
CREATE TABLE entities(map text, entity bigint, class text, x float, y float, z float);
CREATE TABLE keys(map text, entity bigint, position bigint, key text, value text);
CREATE TABLE names(map text, kind text, name text, found bigint, size bigint, hash bigint);
CREATE TABLE counts(map text, name text, used bigint, most bigint);
CREATE TABLE issues(map text, issue text, severity text, count bigint, text text);
"""
"""The tables as statements of SQL, with the columns of QUERIES, for a server that loads the files: every number
fits, and an empty value is NULL."""


def write(db: Path, folder: Path) -> list[str]:
    """Writes the tables of an index or a shard to `folder`, as NAME.TABLE.csv, and returns their paths. NULL
    is an empty value. The index is only read."""
    source = pathlib.Path(os.fsdecode(db))
    target = pathlib.Path(os.fsdecode(folder))
    target.mkdir(parents=True, exist_ok=True)
    out = []
    with sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True) as index:
        for table, query in QUERIES.items():
            path = target / f"{source.stem}.{table}.csv"
            rows = index.execute(query)
            with open(path, "w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow([column[0] for column in rows.description])
                writer.writerows(rows)
            out.append(str(path))
    return out
