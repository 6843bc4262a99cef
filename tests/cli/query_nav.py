# SPDX-License-Identifier: MIT
"""Navigation meshes of all versions and games: what the query says of them, and where it looks for one.
What is expected is what tools/make_nav.py was told to write."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE"])
sys.path.insert(0, str(SOURCE / "tools"))
import make_nav  # noqa: E402

BSPKIT = os.environ["BSPKIT"]
LOBBY = SOURCE / "samples/source/lobby.bsp"


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, "query", "nav", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return json.loads(done.stdout) if status == 0 else done.stderr


def areas():
    return [
        make_nav.area(7, (0, 0), (64, 32), (0, 16, 48, 32), flags=0x81, place=1, approaches=2, paths=[0, 3], visible=[9],
                      to={make_nav.EAST: [9, 1234], make_nav.NORTH: [7]}, spots=[(5, (1, 2, 3), 4)], up=[3]),
        make_nav.area(9, (64, 0), (96, 32), (16, 16, 16, 16), to={make_nav.WEST: [7]}, paths=[1], down=[3, 4]),
    ]


LADDERS = [(3, 16, (0, 0, 64), (0, 0, 0), make_nav.SOUTH, (7, 0, 9, 0, 7))]
NONE = -1


def check(found, version):
    a, b = found["areas"]
    ladder = version >= 6
    at_ladder = 0 if ladder else NONE
    assert (a["area"], a["id"], a["flags"], a["flag_names"], a["place"]) == (0, 7, 0x81, ["crouch", "avoid"], "Yard")
    assert b["place"] == ""
    assert a["corners"] == [[0, 0, 0], [64, 0, 16], [64, 32, 48], [0, 32, 32]], a
    wanted = [{"way": "north", "area": 0}, {"way": "east", "area": 1}, {"way": "east", "area": NONE}]
    wanted += [{"way": "up", "ladder": at_ladder}] if version >= 7 else []
    assert a["connections"] == wanted, a["connections"]
    wanted = [{"way": "west", "area": 0}]
    wanted += [{"way": "down", "ladder": at_ladder}, {"way": "down", "ladder": NONE}] if version >= 7 else []
    assert b["connections"] == wanted, b["connections"]
    assert (a["spots"], b["spots"], a["visible"]) == (1, 0, version == 16)
    assert len(found["ladders"]) == ladder
    if ladder:
        got = found["ladders"][0]
        assert got["width"] == 16 and got["top"] == [0, 0, 64] and got["bottom"] == [0, 0, 0], got
        assert [got[k] for k in ("top_ahead", "top_left", "top_right", "top_behind", "bottom_area")] == [0, NONE, 1, NONE, 0]
    assert found["analyzed"] == (version >= 14) and found["version"] == version


def check_versions(folder):
    path = folder / "any.nav"
    for version in range(5, 17):
        for subversion, extra in ((0, 0), (1, 2), (2, 1), (9, 0), (9, 1), (9, 2)):
            if version < 10 and subversion:
                continue
            path.write_bytes(make_nav.nav(areas(), version, subversion, extra if version >= 10 else 0, ["Yard"], LADDERS, 77))
            found = run("--nav", path, LOBBY)
            check(found, version)
            assert found["population"] == "" and found["areas"][0]["spawn_flags"] == 0
            assert found["subversion"] == subversion and found["map_bytes"] == 77 and not found["of_this_map"]
            assert found["nav"] == str(path) and found["places"] == ["Yard"]
    for subversion in (13, 14):
        path.write_bytes(make_nav.nav(areas(), 16, subversion, make_nav.LEFT4DEAD, ["Yard"], LADDERS, 77))
        found = run("--nav", path, LOBBY)
        check(found, 16)
        assert found["population"] == make_nav.POPULATION and found["places"] == ["Yard"]
        assert [a["spawn_flags"] for a in found["areas"]] == [make_nav.SPAWNS] * 2
        assert found["areas"][0]["spawn_names"] == ["empty", "no_mobs", "nothreat"], found["areas"][0]
        for size in (1, 4, 5, 60):
            path.write_bytes(make_nav.nav(areas(), 16, subversion, make_nav.LEFT4DEAD, ["Yard"], LADDERS, 77)[:-size])
            assert "Left 4 Dead" in run("--nav", path, LOBBY, status=3)
    for version in (4, 17):
        path.write_bytes(make_nav.nav([], version))
        assert "version %d: known are 5 to 16" % version in run("--nav", path, LOBBY, status=3)
    path.write_bytes(make_nav.nav(areas(), 16, 13) + b"left over")
    assert "subversion 13" in run("--nav", path, LOBBY, status=3)
    path.write_bytes(b"something else")
    assert "not a navigation mesh" in run("--nav", path, LOBBY, status=3)
    assert "no such" in run("--nav", folder / "none.nav", LOBBY, status=3).lower()


def check_places(folder):
    """Beside the map; in its pak; in a game folder; and nowhere."""
    game = folder / "game"
    (game / "maps").mkdir(parents=True)
    shutil.copy(LOBBY, folder / "m.bsp")
    err = run(folder / "m.bsp", status=1)
    assert "maps/m.nav" in err and "--nav" in err, err
    (game / "maps/m.nav").write_bytes(make_nav.nav(areas(), 9))
    assert run("--game", game, folder / "m.bsp")["version"] == 9
    (folder / "pak/maps").mkdir(parents=True)
    (folder / "pak/maps/m.nav").write_bytes(make_nav.nav(areas(), 16, 1, 2))
    subprocess.run([BSPKIT, "pak", "add", folder / "m.bsp", folder / "pak", "--in-place"], check=True, capture_output=True)
    assert run(folder / "m.bsp")["version"] == 16
    (folder / "m.nav").write_bytes(make_nav.nav(areas(), 8, map_bytes=(folder / "m.bsp").stat().st_size))
    found = run(folder / "m.bsp")
    assert found["version"] == 8 and found["of_this_map"] and found["nav"] == str(folder / "m.nav")
    at = run("--at", "32,16,30", folder / "m.bsp")
    assert at["height"] == 24 and [a["id"] for a in at["areas"]] == [7] and "ladders" not in at, at
    assert run("--at", "32,16,300", folder / "m.bsp")["areas"] == []
    assert "X,Y,Z" in run("--at", "1,2", folder / "m.bsp", status=2)
    done = subprocess.run([BSPKIT, "query", "nav", "--tsv", folder / "m.bsp"], capture_output=True, text=True, check=True)
    assert [line.split("\t")[3] for line in done.stdout.splitlines()] == ["id", "7", "9"], done.stdout


def main():
    lobby = make_nav.nav(make_nav.LOBBY, 16, 0, 0, ("Lobby", "Corridor"), make_nav.LADDERS, LOBBY.stat().st_size)
    assert (SOURCE / "samples/source/lobby.nav").read_bytes() == lobby, "make_nav.py writes another sample"
    with tempfile.TemporaryDirectory() as name:
        check_versions(pathlib.Path(name))
        check_places(pathlib.Path(name))


main()
