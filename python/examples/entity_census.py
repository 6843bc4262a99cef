# SPDX-License-Identifier: MIT
"""Counts the classes of entities in maps, and the keys that each has: entity_census.py [--draw OUT.png] MAP..."""
import collections
import sys

import bspkit

ROWS = 20  # classes that are shown, the most frequent first


def census(paths):
    """How many entities each class has in each family of games, and how many of a class have a key."""
    classes, keys = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for path in paths:
        with bspkit.open(path) as file:
            for entity in file.entities:
                classes[entity.classname][file.family.name] += 1
                keys[entity.classname].update(list(entity))
    return classes, keys


def draw(out, common):
    """A bar for each class, with a colour for each family."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(8, 6), dpi=100, layout="constrained")
    names, left = [name for name, _ in common], [0] * len(common)
    for family in sorted({family for _, counts in common for family in counts}):
        widths = [counts[family] for _, counts in common]
        axes.barh(names, widths, left=left, label=family.lower())
        left = [before + width for before, width in zip(left, widths)]
    axes.invert_yaxis()
    axes.set_xlabel("entities")
    axes.legend()
    figure.savefig(out)


def main(*words):
    out, paths = (words[1], words[2:]) if words[:1] == ("--draw",) else (None, words)
    classes, keys = census(paths)
    common = sorted(classes.items(), key=lambda row: (-row[1].total(), row[0]))[:ROWS]
    for name, counts in common:
        often = " ".join(key for key, _ in keys[name].most_common(6))
        print(f"{counts.total():6} {name:28} {often}")
    if out is not None:
        draw(out, common)


if __name__ == "__main__":
    main(*sys.argv[1:])
