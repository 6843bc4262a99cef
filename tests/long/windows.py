# SPDX-License-Identifier: MIT
"""The Windows command under Wine against this system's: on 12 maps of all families (WINDOWS_MAPS=60 takes more),
what both print, their exit statuses and every file that they write are the same bytes. Then what only Windows has:
names that are no ASCII, paths of 380 characters, backslashes, drives, a map that is replaced while it is open, edits
at the same time, an index, maps that are dropped on the program. WINDOWS names the program, else
build-windows/bspkit.exe (`make windows`)."""
import contextlib
import filecmp
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import lib
from lib import files

BSPKIT = os.environ["BSPKIT"]
WINDOWS = pathlib.Path(os.environ.get("WINDOWS", "build-windows/bspkit.exe")).resolve()
WINE = shutil.which("wine")
MAPS, MOST_BYTES = int(os.environ.get("WINDOWS_MAPS", "12")), 6 << 20


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


if WINE is None:
    skip("wine is not there")
if not WINDOWS.exists():
    skip(f"{WINDOWS} is not there: make windows")
PREFIX = pathlib.Path(os.environ.get("BUILD", "build")).resolve() / "wine"
ENVIRONMENT = dict(os.environ, WINEPREFIX=str(PREFIX), WINEDEBUG="-all", DISPLAY="",
                   WINEDLLOVERRIDES="mscoree,mshtml=;winedbg.exe=d")


def run(program, words, cwd, data=b""):
    return lib.run(program, words, cwd, data, ENVIRONMENT)


@contextlib.contextmanager
def server():
    """One server of Wine for all runs: to begin one, with all that it begins, takes longer than most commands."""
    program = shutil.which("wineserver") or "/usr/lib/wine/wineserver64"
    if not os.path.exists(program):
        yield
        return
    quiet = dict(env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                 check=False)
    subprocess.run([WINE, WINDOWS, "version"], **quiet)  # makes the prefix
    subprocess.run([program, "-k"], **quiet)
    subprocess.run([program, "-p"], **quiet)
    try:
        subprocess.run([WINE, WINDOWS, "version"], **quiet)  # what it begins would keep the pipes of a run open
        yield
    finally:
        subprocess.run([program, "-k"], **quiet)


def said(text):
    """Of a process of its own that ends in a fault Wine tells here; a fault of ours has another status."""
    return b"".join(line for line in text.splitlines(True) if not line.startswith(b"wine: "))


def windows(*words, cwd):
    return run([WINE, WINDOWS], words, cwd)


def paths(work, sample):
    """Names and paths that only Windows treats in a way of its own."""
    name = "Z\u00fcrich \u6771\u4eac.bsp"
    deep = work
    while len(str(deep)) < 380:
        deep = deep / ("d" * 60)
    deep.mkdir(parents=True)
    for path in (work / name, deep / "map.bsp"):
        shutil.copy(sample, path)
        for form in (str(path), "Z:" + str(path), "Z:" + str(path).replace("/", "\\")):
            done = windows("info", form, cwd=work)
            assert done.returncode == 0, (form, done)
    done = windows("decompile", "-o", "new\\inner\\", name, cwd=work)
    assert done.returncode in (0, 1) and len(files(work / "new" / "inner")) == 1, done
    done = windows("info", "no\\such.bsp", cwd=work)
    assert done.returncode == 3 and b"there is no such file or folder" in done.stderr, done
    done = run([WINE, WINDOWS], ["info", "-"], work, data=sample.read_bytes())
    assert done.returncode == 0 and b"\r" not in done.stdout, done


def settled(folder, wanted):
    """Whether a folder has these files: one that was replaced goes when Wine's server closes it, after the program."""
    for _ in range(100):
        if files(folder) == wanted:
            return True
        time.sleep(0.1)
    return False


def in_place(work, sample):
    """The map is open, and mapped here, when its name gets the new file; once it may only be read."""
    words = ["entities", "--index", "0", "--set", "message=changed", "--in-place", "map.bsp"]
    for mode in (0o644, 0o444):
        here, there = work / f"here-{mode:o}", work / f"there-{mode:o}"
        for folder, program in ((here, [BSPKIT]), (there, [WINE, WINDOWS])):
            folder.mkdir()
            shutil.copy(sample, folder / "map.bsp")
            (folder / "map.bsp").chmod(mode)
            done = run(program, words, folder)
            assert done.returncode == 0, (folder, done)
        for name in ("map.bsp", "map.bsp.bak"):
            assert filecmp.cmp(here / name, there / name, shallow=False), name
        assert (there / "map.bsp.bak").read_bytes() == sample.read_bytes()
        assert settled(there, files(here)), files(there)


def at_once(work, sample):
    """Edits of one map by several programs at a time: each waits for the one before, or finds no map in the moment
    in which the new one takes the name (os_windows_names.c), and says so. None is lost in silence."""
    shutil.copy(sample, work / "map.bsp")
    running = [subprocess.Popen([WINE, WINDOWS, "entities", "--index", "0", "--set", f"key{number}=1", "--in-place",
                                 "map.bsp"], cwd=work, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE) for number in range(4)]
    wanted = set()
    for number, program in enumerate(running):
        _, err = program.communicate()
        if program.returncode == 0:
            wanted.add(f"key{number}")
        else:
            assert program.returncode == 3 and b"there is no such file or folder" in err, (number, program, err)
    pairs = dict(json.loads(run([BSPKIT], ["entities", "--json", "map.bsp"], work).stdout)[0]["pairs"])
    assert wanted and {key for key in pairs if key.startswith("key")} == wanted, (wanted, pairs)
    assert (work / "map.bsp.bak").read_bytes() == sample.read_bytes()
    assert settled(work, [pathlib.Path("map.bsp"), pathlib.Path("map.bsp.bak")]), files(work)


def indexed(work, sample):
    """An index in a place with a name that is no ASCII says of a map with such a name what it says here."""
    name = "\u6771\u4eac"
    (work / name).mkdir()
    shutil.copy(sample, work / name / "map \u00e9.bsp")
    said_of = []
    for program, db in (([BSPKIT], f"{name}/here.db"), ([WINE, WINDOWS], f"{name}\\there.db")):
        done = run(program, ["index", db, "-r", name], work)
        assert done.returncode == 0, done
        said_of.append(run(program, ["find", db, "--json", "class=worldspawn"], work).stdout)
    assert said_of[0] == said_of[1] and "map \u00e9".encode() in said_of[0], said_of


def dropped(work, samples):
    """Maps without a command are decompiled beside, with a report."""
    (work / "drop").mkdir()
    for sample in samples:
        shutil.copy(sample, work / "drop" / sample.name)
    given = ["Z:" + str(work / "drop" / sample.name).replace("/", "\\") for sample in samples]
    done = windows(*given, cwd=work)
    made = {path.as_posix() for path in files(work / "drop")}
    for sample in samples:
        assert {f"{sample.stem}_d/{sample.stem}.{ending}" for ending in ("map", "vmf")} & made, (made, done)
        assert sample.stem.encode() in done.stdout, done


def imports():
    """The program needs nothing but the system, and computes by itself."""
    objdump = shutil.which("x86_64-w64-mingw32-objdump")
    if objdump is None:
        return
    text = subprocess.run([objdump, "-p", WINDOWS], capture_output=True, text=True, check=True).stdout
    libraries = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
    assert libraries <= {"kernel32.dll", "advapi32.dll", "msvcrt.dll", "ws2_32.dll"}, libraries
    names = set(re.findall(r"^\s+[0-9a-f]+\s+\d+\s+(\w+)$", text, re.M))
    assert "memcpy" in names or "malloc" in names, names
    assert not names & {"acos", "asin", "atan", "atan2", "cos", "exp", "fmod", "log", "pow", "sin", "tan"}, names


def compared(work, source):
    """Wine itself fails now and then on a machine with much to do: what differs is told, and must be equal in a
    second run."""
    once = (work, source, [BSPKIT], [WINE, WINDOWS], ENVIRONMENT, False, said)
    try:
        return lib.compare(*once)
    except AssertionError as error:
        print("differs, is run again:", error, flush=True)
        return lib.compare(*once)


DROPPED = [pathlib.Path("samples", name).resolve() for name in ("quake/lobby.bsp", "quake/lobby_bsp2.bsp", "source/lobby_19.bsp")]
chosen = lib.choose(MAPS, MOST_BYTES)
imports()
with tempfile.TemporaryDirectory() as place, server():
    root = pathlib.Path(place)
    for test, given in ((paths, chosen[0]), (in_place, chosen[0]), (at_once, chosen[0]), (indexed, chosen[0]),
                        (dropped, DROPPED)):
        (root / test.__name__).mkdir()
        test(root / test.__name__, given)
    (root / "compare").mkdir()
    count = sum(compared(root / "compare", source) for source in chosen)
print(f"{len(chosen)} maps: {len(chosen) * len(lib.COMMANDS)} runs and {count} files are the same")
