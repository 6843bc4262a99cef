# SPDX-License-Identifier: MIT
"""Draws how much of a map is seen from each place: sight_map.py MAP OUT.png

Places stand 48 units above the floors of a grid; the colour is the share of the other places that the best
place of each square sees."""
import os
import sys

import matplotlib
import numpy as np

import bspkit

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

STEP = 32
EYE = 48


def places(map_):
    """Points above the floors, found by tracing down."""
    low, high = map_.models["mins"][0], map_.models["maxs"][0]
    x, y = np.meshgrid(np.arange(low[0], high[0], STEP), np.arange(low[1], high[1], STEP))
    found = []
    for top in np.arange(high[2], low[2], -128):
        start = np.stack([x.ravel(), y.ravel(), np.full(x.size, top)], axis=1)
        end = start - [0, 0, 128]
        hits = map_.trace(start, end)
        floor = (hits["fraction"] < 1) & ~hits["start_solid"] & (hits["normal"][:, 2] > 0.7)
        found.append(hits["end"][floor] + [0, 0, EYE])
    points = np.concatenate(found).astype(np.float32)
    leaf = map_.leaf(points)
    # Leaves outside of a map, such as those above its walls, belong to no cluster.
    return points[(leaf != bspkit.NONE) & (map_.leaves["cluster"][leaf.clip(0, len(map_.leaves) - 1)] != bspkit.NONE)]


def main(path, out):
    map_ = bspkit.open(path).map
    points = places(map_)
    rng = np.random.default_rng(0)
    others = points[rng.choice(len(points), min(400, len(points)), replace=False)]
    seen = np.zeros(len(points))
    for other in others:
        seen += map_.sight(points, np.broadcast_to(other, points.shape))
    seen /= len(others)
    low = points[:, :2].min(axis=0)
    column, row = np.round((points[:, :2] - low) / STEP).astype(int).T
    plan = np.full((row.max() + 1, column.max() + 1), np.nan)
    np.fmax.at(plan, (row, column), seen)
    figure, axes = plt.subplots(figsize=(8, 6), dpi=100, layout="constrained")
    right, top = low + np.array(plan.shape[::-1]) * STEP
    shown = axes.imshow(plan, origin="lower", cmap="inferno", interpolation="nearest",
                        extent=(low[0], right, low[1], top))
    figure.colorbar(shown, label="share of the map that is seen")
    axes.set_title(f"{os.path.basename(path)}: {len(points)} places")
    figure.savefig(out)
    print(f"{len(points)} places, from the best of them {100 * seen.max():.0f} % of the others are seen")


if __name__ == "__main__":
    main(*sys.argv[1:])
