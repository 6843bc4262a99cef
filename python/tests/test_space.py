# SPDX-License-Identifier: MIT
"""Questions about space over arrays give what the command gives, point by point."""
import threading

import numpy as np
import pytest

import bspkit
from conftest import SAMPLES, command, command_json

LOBBY = (-16, -80, -144), (768, 272, 224)


def points(count, seed=1):
    return np.random.default_rng(seed).uniform(*LOBBY, (count, 3)).astype(np.float32)


def lines(rows):
    return "".join(" ".join(repr(float(number)) for number in row) + "\n" for row in rows).encode()


def test_trace(sample):
    starts, ends = points(500), points(500, 2)
    hits = bspkit.open(sample).map.trace(starts, ends)
    told = command("query", "trace", sample, data=lines(np.hstack([starts, ends]))).split(b"\n")[:-1]
    assert len(told) == 500
    for hit, line in zip(hits, told):
        words = line.split()
        assert np.float32(words[0]) == hit["fraction"]
        assert [np.float32(word) for word in words[1:7]] == [*hit["end"], *hit["normal"]]
        assert (int(words[7]), int(words[8])) == (hit["start_solid"], hit["all_solid"])


def test_boxes(sample):
    starts, ends = points(200), points(200, 2)
    hits = bspkit.open(sample).map.trace(starts, ends, mins=(-16, -16, -24), maxs=(16, 16, 32), model=None)
    box = np.broadcast_to(np.array([-16, -16, -24, 16, 16, 32], np.float32), (200, 6))
    told = command("query", "trace", "--all", sample, data=lines(np.hstack([starts, ends, box]))).split(b"\n")
    assert [np.float32(line.split()[0]) for line in told[:-1]] == list(hits["fraction"])


def test_points(sample):
    map_ = bspkit.open(sample).map
    where = points(300)
    told = command("query", "contents", sample, data=lines(where)).split(b"\n")[:-1]
    leaves = [int(line.split()[1]) for line in told]
    assert leaves == list(map_.leaf(where).astype(np.int32))
    for place, contents, leaf, cluster in zip(where[:20], map_.contents(where), map_.leaf(where), map_.cluster(where)):
        one = command_json("query", "leaf", *place, sample)[0]
        assert one["leaf"] == np.int32(leaf) and one["cluster"] == cluster and one["contents"] == contents


def test_visible(sample):
    map_ = bspkit.open(sample).map
    matrix = map_.visible_matrix()
    assert matrix.shape == (map_.num_clusters,) * 2 and map_.num_clusters > 3
    for cluster in range(0, map_.num_clusters, 7):
        told = command_json("query", "vis", cluster, sample)[0]
        assert list(np.flatnonzero(matrix[cluster])) == told["visible"]


def test_sight(sample):
    map_ = bspkit.open(sample).map
    starts, ends = points(400), points(400, 2)
    told = command("query", "sight", sample, data=lines(np.hstack([starts, ends]))).split()
    assert [word == b"1" for word in told] == list(map_.sight(starts, ends))


def test_light(sample):
    map_ = bspkit.open(sample).map
    for place in ([64, 64, 20], [0, 0, 64]):
        one = command_json("query", "light", *place, sample)[0]
        light = map_.light_at(place)[0]
        for name in ("ambient", "directed", "direction"):
            if name in one:
                assert [np.float32(number) for number in one[name]] == list(light[name])


def test_wrong_shapes(sample):
    map_ = bspkit.open(sample).map
    with pytest.raises(ValueError):
        map_.leaf([1, 2])
    with pytest.raises(ValueError):
        map_.trace([[0, 0, 0]], [[1, 2, 3], [4, 5, 6]])


def test_other_threads_run_meanwhile(sample):
    map_ = bspkit.open(sample).map
    starts, ends = points(400000), points(400000, 2)
    map_.trace(starts[:1], ends[:1])
    ticks, done = [0], threading.Event()

    def count():
        while not done.is_set():
            ticks[0] += 1

    other = threading.Thread(target=count)
    other.start()
    before = ticks[0]
    map_.trace(starts, ends)
    during = ticks[0] - before
    done.set()
    other.join()
    assert during > 100


def test_two_threads_give_the_same(sample):
    map_ = bspkit.open(sample).map
    starts, ends = points(20000), points(20000, 2)
    whole = map_.trace(starts, ends)
    parts = [None, None]

    def half(number):
        parts[number] = map_.trace(starts[number::2], ends[number::2])

    threads = [threading.Thread(target=half, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in (0, 1):
        for name in ("fraction", "end", "normal", "contents"):
            assert np.array_equal(parts[number][name], whole[number::2][name])


def test_map_arrays_are_the_records():
    file = bspkit.open(SAMPLES[0])
    assert np.array_equal(file.map.planes["normal"], file.records("PLANES")["normal"])
    assert np.array_equal(file.map.surfedges, file.records("SURFEDGES"))
    assert len(file.map.material_names) == len(file.map.materials) > 10
    assert "unit length" in type(file.map).planes.__doc__
    for top in (bspkit.Map, bspkit.Relight, bspkit.Scene):
        assert not any((value.__doc__ or "").endswith("..") for kind in top.__mro__ for value in vars(kind).values())
