# SPDX-License-Identifier: MIT
"""Prints and draws what an archive of maps holds: archive_statistics.py OUT.png MAP..."""
import collections
import sys

import matplotlib

import bspkit

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def main(out, *paths):
    faces, branches, failed = [], collections.Counter(), 0
    for path in paths:
        try:
            with bspkit.open(path) as file:
                branches[file.branch] += 1
                faces.append((file.family.name.lower(), file.data.nbytes / 1e6, len(file.map.faces)))
        except bspkit.Error as error:
            failed += 1
            print(f"{path}: {error}", file=sys.stderr)
    for branch, count in branches.most_common():
        print(f"{branch:16} {count}")
    print(f"{len(faces)} maps, {failed} could not be read")
    figure, axes = plt.subplots(figsize=(7, 5), dpi=100, layout="constrained")
    for family in sorted({row[0] for row in faces}):
        rows = [row for row in faces if row[0] == family]
        axes.loglog([row[1] for row in rows], [max(1, row[2]) for row in rows], "o", label=family, alpha=0.7)
    axes.set_xlabel("MB")
    axes.set_ylabel("faces")
    axes.legend(loc="upper left")
    figure.savefig(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
