# SPDX-License-Identifier: MIT
"""Whatever call fails while a map is changed, the map stays as it was: in every command that writes
maps the n-th write, flush, rename or allocation fails, for every n until none does. Of allocations
the first few, and of the many that follow ever fewer (in make test fewer still): test_edit_starve
tries each of the library's."""
import os
import pathlib
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
CALLS = ["openat", "fchmod", "write", "fsync", "close", "linkat", "renameat", "unlinkat", "fchown",
         "flock", "alloc"]
# What an edit can do without: the copy of a file for a second name of it, a file that is ours.
SPARSE = 16 if "BSPKIT_THOROUGH" in os.environ else 3
NEEDLESS = {"linkat", "unlinkat", "fchown", "flock"}
SAMPLES = pathlib.Path("samples").resolve()

QUAKE, GOLDSRC, SOURCE = "quake/lobby.bsp", "goldsrc/lobby.bsp", "source/lobby.bsp"
EMBEDDED, PACKED = "goldsrc/lobby_embed.bsp", "packed"
PLACES = [["--in-place"], ["--in-place", "--no-backup"], ["-o", "other.bsp"]]
# What is tried: the map, the command, its status when all goes well, and where the map goes.
COMMANDS = [
    (QUAKE, ["lump", "replace", "map.bsp", "entities", "new.txt"], 0, PLACES),
    (QUAKE, ["lump", "remove", "map.bsp", "lighting"], 0, PLACES[:1]),
    (PACKED, ["lump", "replace", "--unpacked", "map.bsp", "entities", "new.txt"], 0, PLACES[:1]),
    (QUAKE, ["entities", "map.bsp", "--where", "classname=light*", "--set", "light=1"], 0, PLACES),
    (SOURCE, ["entities", "map.bsp", "--add", "new.txt"], 0, PLACES[:1]),
    (SOURCE, ["pak", "add", "map.bsp", "large.bin"], 0, PLACES),
    (SOURCE, ["pak", "add", "--method", "deflate", "map.bsp", "large.bin"], 0, PLACES[2:]),
    (SOURCE, ["pak", "add", "--method", "lzma", "map.bsp", "new.txt"], 0, PLACES[:1]),
    (SOURCE, ["pak", "replace", "map.bsp", "--root", "../game", "materials/LOBBY"], 0,
     PLACES[:1]),
    (SOURCE, ["pak", "remove", "map.bsp", "*.vmt"], 0, PLACES[:1]),
    (SOURCE, ["pak", "rename", "map.bsp", "hall"], 0, PLACES[:1]),
    (SOURCE, ["convert", "--compress", "lzma", "map.bsp"], 0, PLACES),
    (PACKED, ["convert", "--compress", "none", "map.bsp"], 0, PLACES[:1]),
    (SOURCE, ["convert", "--endian", "big", "map.bsp"], 0, PLACES[:1]),
    (SOURCE, ["convert", "--to", "left4dead2", "map.bsp"], 0, PLACES[:1]),
    (QUAKE, ["convert", "--to", "bsp2", "map.bsp"], 0, PLACES[:1]),
    (EMBEDDED, ["textures", "--take-out", "map.bsp"], 0, PLACES[:1]),
    (GOLDSRC, ["textures", "--embed", "-g", "../game", "map.bsp"], 0, PLACES[:1]),
    (SOURCE, ["assets", "--pack", "-g", "../game", "map.bsp"], 1, PLACES[:1]),
]

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


class Trial:
    """A command with what it makes of a folder when nothing fails."""

    def __init__(self, shim, folder, command, before, status):
        self.shim, self.folder, self.command, self.before = shim, folder, command, before
        restore(folder, before)
        _, done = run(shim, folder, command, "none", 0)
        assert done.returncode == status, (command, done)
        self.status, self.said, self.wanted = status, done.stderr, state(folder)

    def check(self, failed, done, where):
        after = state(self.folder)
        if done.returncode == self.status:
            assert after == self.wanted and done.stderr == self.said, where
            return False
        # The second name of the old map may be there already: it is the same map.
        if after.get("map.bsp.bak") == self.before["map.bsp"]:
            del after["map.bsp.bak"]
        assert failed and done.returncode == 3 and after == self.before, where
        assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"bspkit: "), where
        return True

    def fail_each(self, call):
        n = 0
        refused = 0
        tried = 0
        while True:
            n += 1 + (n // SPARSE if call == "alloc" else 0)
            tried += 1
            if state(self.folder) != self.before:
                restore(self.folder, self.before)
            failed, done = run(self.shim, self.folder, self.command, call, n)
            refused += self.check(failed, done, (self.command, call, n, done))
            if not failed:
                assert done.returncode == self.status, (self.command, call, n, done)
                return tried - 1, refused


def sample(root, name):
    if name != PACKED:
        return (SAMPLES / name).read_bytes()
    path = root / "packed.bsp"
    if not path.exists():
        subprocess.run([BSPKIT, "convert", "--compress", "lzma", SAMPLES / SOURCE, "-o", path],
                       check=True, capture_output=True)
    return path.read_bytes()


def make_game(root):
    """What the samples lack: a model with a material that names a texture, and a WAD."""
    game = root / "game"
    (game / "models/lobby").mkdir(parents=True)
    (game / "materials/tools").mkdir(parents=True)
    (game / "materials/made").mkdir(parents=True)
    (game / "materials/LOBBY").mkdir(parents=True)
    (game / "materials/LOBBY/BRICK1.vmt").write_text("UnlitGeneric { $basetexture made/up }")
    (game / "models/lobby/urn.mdl").write_bytes(b"1")
    (game / "materials/made/up.vtf").write_bytes(b"2")
    (game / "materials/tools/toolsclip.vmt").write_text("VertexLitGeneric { $basetexture made/up }")
    subprocess.run([BSPKIT, "textures", "--wad", game / "lobby.wad", SAMPLES / EMBEDDED],
                   check=True, capture_output=True)


def main(root):
    shim = root / "faults.so"
    subprocess.run([os.environ["CC"], "-shared", "-fPIC", "-O1", "-o", str(shim),
                    "tests/cli/faults.c"], check=True)
    folder = root / "maps"
    folder.mkdir()
    make_game(root)
    for name, edit, status, places in COMMANDS:
        data = sample(root, name)
        before = {"map.bsp": data, "new.txt": b'{\n"classname" "worldspawn"\n}\n\0',
                  "large.bin": bytes(range(256)) * 13000}
        for where in places:
            trial = Trial(shim, folder, [*edit, *where], before, status)
            assert trial.wanted["other.bsp" if "-o" in where else "map.bsp"] != data
            assert ("map.bsp.bak" in trial.wanted) == (where == ["--in-place"])
            for call in CALLS if where is places[0] else CALLS[:-1]:
                count, refused = trial.fail_each(call)
                print(f"{' '.join([*edit, *where])}: {count} calls of {call}, {refused} refused")
                assert refused > 0 or call in NEEDLESS


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
