# SPDX-License-Identifier: MIT
"""No two files of a floor need each other, directly or by way of others: proven from the symbols of
the object files. BSPKIT_CIRCLES=list prints the knots that there are instead of failing."""
import collections
import os
import pathlib
import subprocess
import sys

BUILD = pathlib.Path(os.environ["BUILD"])
SOURCE = pathlib.Path(os.environ["SOURCE"])


def source_of(path):
    return SOURCE.joinpath(*path.parts[path.parts.index("src", len(BUILD.parts)):]).with_suffix("")


def symbols(paths):
    """For each object file the names that it defines, and those that it needs."""
    found = {path: (set(), set()) for path in paths}
    text = subprocess.run(["nm", "-P", "-A", *paths], check=True, capture_output=True,
                          text=True).stdout
    for line in text.splitlines():
        path, name, kind = line.split()[:3]
        defined, needed = found[pathlib.Path(path.rstrip(":"))]
        if kind == "U":
            needed.add(name)
        elif kind.isupper():
            defined.add(name)
    return found


def knots(edges):
    """The sets of files that reach each other, after Tarjan; without recursion."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for root in sorted(edges):
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            at, rest = work[-1]
            step = next(rest, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    knot = []
                    while True:
                        knot.append(stack.pop())
                        on.discard(knot[-1])
                        if knot[-1] == at:
                            break
                    if len(knot) > 1:
                        found.append(sorted(knot))
            elif step not in index:
                index[step] = low[step] = len(index)
                stack.append(step)
                on.add(step)
                work.append((step, iter(sorted(edges[step]))))
            elif step in on:
                low[at] = min(low[at], index[step])
    return found


def main():
    # A build folder keeps objects of sources that are gone.
    objects = sorted(p for p in BUILD.glob("CMakeFiles/*.dir/src/**/*.o") if source_of(p).exists())
    if not objects:
        print("SKIP: there are no object files")
        return 77
    home, needs = {}, {}
    for path, (defined, needed) in symbols(objects).items():
        needs[path] = needed
        home.update(dict.fromkeys(defined, path))
    edges = collections.defaultdict(set)
    why = collections.defaultdict(list)
    for path, names in needs.items():
        for name in names:
            other = home.get(name)
            if other is not None and other != path:
                edges[path].add(other)
                edges[other]
                why[path, other].append(name)
    found = knots(edges)
    for knot in found:
        print(f"{len(knot)} files need each other:")
        for path in knot:
            for other in sorted(edges[path] & set(knot)):
                name = "/".join(path.parts[path.parts.index("src") + 1:])
                to = "/".join(other.parts[other.parts.index("src") + 1:])
                print(f"  {name[:-2]} needs {to[:-2]}: {', '.join(sorted(why[path, other]))}")
    print(f"{len(objects)} files, {len(found)} knots of {sum(map(len, found))} files")
    return 1 if found and os.environ.get("BSPKIT_CIRCLES") != "list" else 0


if __name__ == "__main__":
    sys.exit(main())
