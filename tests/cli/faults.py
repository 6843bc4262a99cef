# SPDX-License-Identifier: MIT
"""Whatever call fails while a map is replaced, the map stays as it was: the n-th write, flush,
rename or allocation of the command fails, for every n until none does."""
import os
import pathlib
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
MAP = pathlib.Path("samples/quake/lobby.bsp").read_bytes()
CALLS = ["mkstemp", "fchmod", "write", "fsync", "close", "link", "rename", "alloc"]

if not sys.platform.startswith("linux") or "-fsanitize" in os.environ.get("TEST_FLAGS", ""):
    print("SKIP: faults are injected by a preloaded library, which sanitizers do not bear")
    sys.exit(77)


def run(shim, folder, command, call, n):
    """Runs a command once. Returns whether the call was reached, and the finished process."""
    reader, writer = os.pipe()
    environment = {**os.environ, "LD_PRELOAD": str(shim), "FAULT_CALL": call, "FAULT_AT": str(n),
                   "FAULT_FD": str(writer)}
    done = subprocess.run([BSPKIT, *command], cwd=folder, env=environment, pass_fds=[writer],
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    os.close(writer)
    failed = os.read(reader, 1) == b"!"
    os.close(reader)
    return failed, done


def state(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def restore(folder, files):
    for path in folder.iterdir():
        path.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def try_call(shim, folder, command, before, wanted, call):
    n = 0
    refused = 0
    while True:
        n += 1
        restore(folder, before)
        failed, done = run(shim, folder, command, call, n)
        after = state(folder)
        where = (command, call, n, done, sorted(after))
        if done.returncode == 0:
            assert after == wanted, where
            assert done.stderr == b"", where
        else:
            # The second name of the old map may be there already: it is the same map.
            refused += 1
            if after.get("map.bsp.bak") == MAP:
                del after["map.bsp.bak"]
            assert failed and done.returncode == 3 and after == before, where
            assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"bspkit: "), where
        if not failed:
            assert done.returncode == 0, where
            return n - 1, refused


def main(root):
    shim = root / "faults.so"
    subprocess.run([os.environ["CC"], "-shared", "-fPIC", "-O1", "-o", str(shim),
                    "tests/cli/faults.c"], check=True)
    folder = root / "maps"
    folder.mkdir()
    before = {"map.bsp": MAP, "new.txt": b'{\n"classname" "worldspawn"\n}\n\0'}
    light = ["entities", "map.bsp", "--where", "classname=light*", "--set", "light=1"]
    edit = ["lump", "replace", "map.bsp", "entities", "new.txt"]
    for edit, where in ((edit, ["--in-place"]), (edit, ["--in-place", "--no-backup"]),
                        (edit, ["-o", "other.bsp"]), (light, ["--in-place"])):
        restore(folder, before)
        subprocess.run([BSPKIT, *edit, *where], cwd=folder, check=True)
        wanted = state(folder)
        assert wanted["other.bsp" if "-o" in where else "map.bsp"] != MAP
        assert ("map.bsp.bak" in wanted) == (where == ["--in-place"])
        calls = CALLS if where == ["--in-place"] else CALLS[:-1]
        for call in calls:
            count, refused = try_call(shim, folder, [*edit, *where], before, wanted, call)
            print(f"{edit[0]} {' '.join(where)}: {count} calls of {call}, {refused} refused")
            assert refused > 0 or call == "link"


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
