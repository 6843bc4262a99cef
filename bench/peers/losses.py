#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the tables of `make table` and lists the rows where a peer is faster: losses.py TABLE. A ratio
up to 1.02 is counted as equal. Where a batch or an index answers too, the faster way counts."""
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
    """What is behind in a row, or None."""
    ratios = [float(cell) if cell else None for column, cell in row if column == "ratio"]
    if any(column.startswith("batch") for column, _ in row):
        known = [ratio for ratio in ratios if ratio is not None]
        return f"{min(known):.2f} times the time" if known and min(known) > EQUAL else None
    names = ["processor time", "wall time"] if len(ratios) > 1 else ["time"]
    behind = [f"{ratio:.2f} times the {name}"
              for name, ratio in zip(names, ratios) if ratio is not None and ratio > EQUAL]
    return " and ".join(behind) or None


def main():
    found = [(row, loss(row)) for row in rows(sys.argv[1])]
    losses = [(row, text) for row, text in found if text is not None]
    print(f"\nRows where a peer is faster, of {len(found)}:{'' if losses else ' none.'}\n")
    for row, text in losses:
        cells = [cell for _, cell in row]
        peer = next((cell for column, cell in row if column == "peer"), "the peer")
        print(f"- {cells[0]}, {cells[1]}: {text} of {peer}.")


if __name__ == "__main__":
    main()
