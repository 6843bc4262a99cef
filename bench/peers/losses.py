#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the tables of `make table` and lists the rows where a peer is faster: losses.py TABLE. A ratio
up to 1.02 is counted as equal. Where a batch or an index answers too and is faster than the peer, the
row stands in a list of its own."""
import sys

EQUAL = 1.02


def rows(path):
    """Each row of each table as a list of (column, cell)."""
    columns = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not line.startswith("|"):
                columns = []
            elif not columns:
                columns = cells
            elif not cells[0].startswith("---"):
                yield list(zip(columns, cells))


def loss(row):
    """What is behind in a row, and whether a batch or an index is not; or None."""
    ratios = [float(cell) if cell else None for column, cell in row if column == "ratio"]
    ways = any(column.startswith("batch") for column, _ in row)
    names = ["processor time", "wall time"] if len(ratios) > 1 and not ways else ["time", "time by batch or index"]
    behind = [f"{ratio:.2f} times the {name}"
              for name, ratio in zip(names, ratios) if ratio is not None and ratio > EQUAL]
    return (" and ".join(behind), ways and ratios[1] is not None and ratios[1] <= EQUAL) if behind else None


def main():
    found = list(rows(sys.argv[1]))
    losses = [(row, *loss(row)) for row in found if loss(row) is not None]
    for title, other_way in [("a peer is faster", False), ("only the batch or the index is faster than the peer", True)]:
        listed = [(row, text) for row, text, other in losses if other == other_way]
        print(f"\nRows of {len(found)} where {title}:{'' if listed else ' none.'}\n")
        for row, text in listed:
            cells = [cell for _, cell in row]
            peer = next((cell for column, cell in row if column == "peer"), "the peer")
            print(f"- {cells[0]}, {cells[1]}: {text} of {peer}.")


if __name__ == "__main__":
    main()
