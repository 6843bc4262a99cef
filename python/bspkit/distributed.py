# SPDX-License-Identifier: MIT
"""Indexes of maps, and the visibility of one map, by several processes or machines, over Dask (the package `distributed`).

    from dask.distributed import Client
    from bspkit import distributed

    distributed.index("all.db", paths, Client("scheduler:8786"), shards="/shared/shards")

Maps are handed out in runs of neighbouring paths. Each run is a shard: a file of its own in the folder
`shards`, which all machines see, written by the command `bspkit index`. A task that is done twice, since its
machine was lost, goes on with the same shard and finds what was written; so nothing is lost and nothing is
twice. The shards are then merged into one index."""
from __future__ import annotations

import os
import pathlib
import subprocess
from collections.abc import Sequence
from typing import Any

from ._core import Path

__all__ = ["bake_part", "index", "index_shard", "light", "merge", "vis"]

MOST_WORDS = 500  # paths on one command line


def _run(words: Sequence[str]) -> None:
    """Runs the command. Maps that cannot be read are kept in the index, and are no failure."""
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode not in (0, 1, 3) or not os.path.exists(words[2]):
        raise RuntimeError(f"{' '.join(words[:3])}: status {done.returncode}: {done.stderr.decode(errors='replace')}")


def index_shard(shard: str, paths: Sequence[str], command: str, options: Sequence[str]) -> str:
    """Indexes maps into a shard, and returns its path. What a worker does."""
    for first in range(0, len(paths), MOST_WORDS):
        _run([command, "index", shard, *options, *paths[first:first + MOST_WORDS]])
    return shard


def merge(db: Path, shards: Sequence[Path], command: str = "bspkit") -> None:
    """Merges shards into an index."""
    words = [command, "index", os.fsdecode(db), "--merge", *map(os.fsdecode, shards)]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode(errors="replace"))


def index(db: Path, paths: Sequence[Path], client: Any, *, shards: Path, command: str = "bspkit",
          run: int = 32, options: Sequence[str] = ()) -> list[str]:
    """Indexes maps by the workers of a Dask client, `run` of them a task, and merges the shards into `db`.
    `command` names the command on the workers, `options` are more words for `bspkit index`, such as
    ("--game", FOLDER). Returns the paths of the shards, which stay: a later call with the same paths reads
    only what has changed."""
    folder = pathlib.Path(os.fsdecode(shards))
    folder.mkdir(parents=True, exist_ok=True)
    names = sorted(os.fsdecode(path) for path in paths)
    tasks = [client.submit(index_shard, str(folder / f"{first // run:06}.db"), names[first:first + run],
                           command, tuple(options), pure=False, retries=3)
             for first in range(0, len(names), run)]
    done: list[str] = client.gather(tasks)
    merge(db, done, command)
    return done


def _bake(words: Sequence[str]) -> None:
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words[:3])}: status {done.returncode}: {done.stderr.decode(errors='replace')}")


def bake_part(what: str, source: str, number: int, count: int, part: str, command: str,
              options: Sequence[str]) -> str:
    """Does a part of the visibility ("vis") or light ("light") of a map, and returns its path. What a worker does:
    a part that is there already is not done again, and the merge finds out whether it is whole and of the same
    map."""
    if not os.path.exists(part):
        _bake([command, what, source, *options, "--part", f"{number}/{count}", "-o", part])
    return part


def _bake_all(what: str, source: Path, target: Path, client: Any, count: int, parts: Path, command: str,
              options: Sequence[str]) -> None:
    folder = pathlib.Path(os.fsdecode(parts))
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [client.submit(bake_part, what, os.fsdecode(source), number, count,
                           str(folder / f"{number:05}-{count}.part"), command, tuple(options), pure=False, retries=3)
             for number in range(1, count + 1)]
    done: list[str] = client.gather(tasks)
    _bake([command, what, os.fsdecode(source), *options, "--merge", *done, "-o", os.fsdecode(target)])


def vis(source: Path, target: Path, client: Any, *, count: int, parts: Path, command: str = "bspkit",
        options: Sequence[str] = ()) -> None:
    """Computes the visibility of a map in `count` parts by the workers of a Dask client, and writes the map with
    it to `target`: the bytes of one run of `bspkit vis` with the same options, which are more words for it such
    as ("--by-leaf",). The parts are files in the folder `parts`, which all machines see, as they see the map; it is
    to be empty, or that of a call that was stopped."""
    _bake_all("vis", source, target, client, count, parts, command, options)


def light(source: Path, target: Path, client: Any, *, count: int, parts: Path, command: str = "bspkit",
          options: Sequence[str] = ()) -> None:
    """Computes the light of a map as vis does its visibility: the bytes of one run of `bspkit light`. The workers
    light the faces; what surfaces throw back is computed here, in the merge."""
    _bake_all("light", source, target, client, count, parts, command, options)
