# SPDX-License-Identifier: MIT
"""Counts the classes of entities in maps, and the keys that each has: entity_census.py MAP..."""
import collections
import sys

import bspkit


def main(*paths):
    classes, keys = collections.Counter(), collections.defaultdict(collections.Counter)
    for path in paths:
        with bspkit.open(path) as file:
            for entity in file.entities:
                classes[entity.classname] += 1
                keys[entity.classname].update(list(entity))
    for name, count in classes.most_common(20):
        common = " ".join(key for key, _ in keys[name].most_common(6))
        print(f"{count:6} {name:28} {common}")


if __name__ == "__main__":
    main(*sys.argv[1:])
