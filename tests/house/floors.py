# SPDX-License-Identifier: MIT
"""Includes point down the floors: a source file sees its own floor and those below it."""
import pathlib
import re
import sys

FLOORS = ["core", "layout", "pack", "formats", "records", "map", "asset", "mesh", "model", "query", "mapdoc",
          "scene"]
PRODUCTS = ["decompile", "export", "render", "edit", "compare"]  # beside each other, above all floors
ABOVE = ["bake"]  # above the products
# Rooms with an order: each is above those before it, and files beside them are above all.
ROOMS = {"bake": ["result", "portals", "vis", "cubemaps", "light"],
         "bake/light": ["base", "faces", "drawn", "shadows", "places", "lamps", "gather", "bounce", "rad", "vrad",
                        "lumps"]}
# Public headers of a floor, where they are not named as it is.
HEADERS = {"file": "records", "parts": "records", "entities": "records", "pak": "records",
           "visibility": "records", "faces": "mesh", "physics": "mesh", "hulls": "mesh", "definitions": "mapdoc", "solids": "scene", "nav": "query",
           "portals": "bake", "vis": "bake", "relight": "bake",
           "cubemaps": "bake"}
SYSTEM = "core/os_calls.h"  # the system's calls: no part of the library on POSIX, where there is a shared one
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)

bad = []


def height(floor):
    floor = HEADERS.get(floor, floor)
    if floor in ABOVE or floor in ("index", "cli"):
        return len(FLOORS) + 1
    return FLOORS.index(floor) if floor in FLOORS else len(FLOORS)


def check_room(path, floor, rooms):
    depth = len(pathlib.PurePath(floor).parts)
    of = path.parts[1 + depth]
    if len(path.parts) == 2 + depth:
        return
    assert of in rooms, path
    for _, name in INCLUDE.findall(path.read_text()):
        parts = pathlib.PurePath(name).parts
        if name.startswith(floor + "/") and (
                len(parts) == depth + 1 or rooms.index(parts[depth]) > rooms.index(of)):
            bad.append(f"{path}: includes {name}, which is above it")


def check_source(path, floor):
    for kind, name in INCLUDE.findall(path.read_text()):
        first, _, rest = name.partition("/")
        if floor == "cli" and name == SYSTEM:
            continue
        if first == "bspkit_index":  # a library of its own, for itself and the command
            if floor not in ("index", "cli"):
                bad.append(f"{path}: floor {floor} includes {name}")
        elif floor == "index":
            if kind == '"' and first != "index":
                bad.append(f"{path}: the library for indexes includes {name}: only bspkit/*.h and its own")
        elif floor == "cli" and kind == '"' and first not in ("cli", "bspkit"):
            bad.append(f"{path}: the command includes {name}: only bspkit/*.h and cli/*.h")
        elif "parts" in path.parts and name.startswith("cli/commands/"):
            bad.append(f"{path}: a part includes {name}, which stands above it")
        elif floor == "cli" or not rest:
            if kind == '"' and not rest:
                bad.append(f"{path}: {name} without its floor")
        elif first == "bspkit":
            of = pathlib.Path(name).stem
            if floor != "cli" and (of == "bspkit" or height(of) > height(floor)):
                bad.append(f"{path}: floor {floor} includes {name}, which is above it")
        elif first in FLOORS + PRODUCTS + ABOVE + ["cli"]:
            if first != floor and height(first) >= height(floor) or first == "cli":
                bad.append(f"{path}: floor {floor} includes {name}, which is not below it")


def check_header(path):
    for kind, name in INCLUDE.findall(path.read_text()):
        if kind == '"' and not name.startswith("bspkit/"):
            bad.append(f"{path}: includes {name}: public headers see public headers only")
        of = pathlib.Path(name).stem
        if kind == '"' and path.stem != "bspkit" and height(of) > height(path.stem):
            bad.append(f"{path}: includes {name}, which is not below it")


sources = [p for p in pathlib.Path("src").rglob("*") if p.suffix in (".c", ".h")]
headers = list(pathlib.Path("include/bspkit").glob("*.h"))
assert sources and headers
for path in sources:
    floor = path.parts[1]
    if floor not in FLOORS + PRODUCTS + ABOVE + ["index", "cli"]:
        bad.append(f"{path}: {floor} is no floor")
    else:
        check_source(path, floor)
    for room, rooms in ROOMS.items():
        if path.is_relative_to(f"src/{room}"):
            check_room(path, room, rooms)
for path in headers:
    check_header(path)
sys.exit("\n".join(bad) if bad else 0)
