# SPDX-License-Identifier: MIT
"""What the command may not do once it runs: a preloaded library tries it in the middle of the work.
With --no-sandbox, and with BSPKIT_NO_SANDBOX, the same trials succeed."""
import ctypes
import errno
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()

if not sys.platform.startswith("linux") or "-fsanitize" in os.environ.get("TEST_FLAGS", ""):
    print("SKIP: only Linux confines, and not under sanitizers")
    sys.exit(77)
VERSION = ctypes.CDLL(None, use_errno=True).syscall(444, None, ctypes.c_size_t(0), 1)
if VERSION < 1:
    print("SKIP: this kernel has no Landlock")
    sys.exit(77)


def attempts(folder, shim, command, tries, environment=None):
    """Runs a command, and returns what became of each trial: 0 or an errno."""
    (folder / "tries").write_text("".join(f"{line}\n" for line in tries))
    reader, writer = os.pipe()
    done = subprocess.run([BSPKIT, *map(str, command)], cwd=folder, pass_fds=[writer], check=False,
                          env={**os.environ, "LD_PRELOAD": str(shim), "CONFINE_FD": str(writer),
                               "CONFINE_TRY": str(folder / "tries"), **(environment or {})},
                          capture_output=True)
    os.close(writer)
    with os.fdopen(reader) as stream:
        results = [int(line) for line in stream]
    assert done.returncode in (0, 1) and len(results) == len(tries), (command, done, results)
    return dict(zip(tries, results))


def prepare(folder):
    for name in ("maps", "out", "elsewhere", "game"):
        (folder / name).mkdir()
    shutil.copy(SAMPLES / "quake/lobby.bsp", folder / "maps/lobby.bsp")
    for name in ("maps/lobby_env.ent", "maps/other.txt", "elsewhere/secret", "game/pak.txt",
                 "elsewhere/archive"):
        (folder / name).write_text("x")
    (folder / "game/link.pak").symlink_to("../elsewhere/archive")


COMMANDS = [
    ["info", "maps/lobby.bsp", "-o", "out/info.txt"],
    ["export", "maps/lobby.bsp", "--game", "game", "-o", "out/lobby.glb"],
    ["textures", "maps/lobby.bsp", "--game", "game", "-o", "out"],
    ["entities", "maps/lobby.bsp", "--index", "0", "--set", "a=b", "-o", "out/"],
    ["decompile", "maps/lobby.bsp", "-o", "out/new/"],
]
DENIED = ["read elsewhere/secret", "write elsewhere/new", "write elsewhere/secret",
          "read maps/other.txt", "write maps/other.txt", "write maps/lobby.bsp", "write maps/new",
          "list elsewhere", "list /", "read /etc/passwd", "write ../outside", "udp",
          "tcp", "exec /bin/true"]
ALLOWED = ["read maps/lobby.bsp", "read maps/lobby_env.ent", "list maps", "list out",
           "write out/another"]
GAME = ["read game/pak.txt", "list game", "read game/link.pak", "read elsewhere/archive"]


def check_outputs(folder, shim):
    for command in COMMANDS:
        game = "--game" in command
        allowed = ALLOWED + (GAME if game else [])
        denied = DENIED + ([] if game else GAME)
        found = attempts(folder, shim, command, allowed + denied)
        for line in allowed:
            assert found[line] == 0, (command, line, os.strerror(found[line]))
        for line in denied:
            assert found[line] in (errno.EACCES, errno.EPERM), (command, line, found[line])
        free = [line for line in DENIED if line not in ("write maps/lobby.bsp", "tcp", "udp")]
        for options, variables in (([ "--no-sandbox"], {}), ([], {"BSPKIT_NO_SANDBOX": "1"})):
            found = attempts(folder, shim, options + command, free, variables)
            assert not any(found.values()), (options, variables, found)


def check_edits(folder, shim):
    change = ["--index", "0", "--set", "a=c"]
    found = attempts(folder, shim, ["entities", "maps/lobby.bsp", *change, "--in-place"],
                     ["write maps/new", "write out/fresh", "read elsewhere/secret", "udp"])
    assert list(found.values()) == [0] + [errno.EACCES] * 3, found
    # The map's own folder is not the link's.
    (folder / "link.bsp").symlink_to("maps/lobby.bsp")
    found = attempts(folder, shim, ["entities", "link.bsp", *change, "--in-place"],
                     ["write maps/new", "write out/fresh"])
    assert list(found.values()) == [0, errno.EACCES], found
    found = attempts(folder, shim, ["pak", "add", SAMPLES / "source/lobby.bsp", "elsewhere/secret",
                                    "-o", "out/packed.bsp"],
                     ["read elsewhere/secret", "read elsewhere/archive", "write elsewhere/new"])
    assert list(found.values()) == [0, errno.EACCES, errno.EACCES], found


def check_commands(folder):
    """What the files of a command are beside, or behind: nothing that is needed is refused."""
    (folder / "dangling").symlink_to("elsewhere/made")
    (folder / "elsewhere/list").write_text("a.txt\n" + str(folder / "elsewhere/secret") + "\n")
    for command in (["info", "link.bsp", "-o", "dangling"],
                    ["info", "link.bsp", "-o", "/dev/null"],
                    ["lump", "extract", "link.bsp", "faces", "-o", "/dev/stdout"],
                    ["lightmaps", "link.bsp", "-o", "a/b/c"],
                    ["pak", "add", SAMPLES / "source/lobby.bsp", "--list", "elsewhere/list", "-o",
                     "out/listed.bsp"],
                    ["pak", "add", SAMPLES / "source/lobby.bsp", "--root", "elsewhere", "secret",
                     "-o", "out/rooted.bsp"]):
        done = subprocess.run([BSPKIT, *map(str, command)], cwd=folder, capture_output=True,
                              check=False)
        assert done.returncode == 0, (command, done.stderr)
    assert (folder / "elsewhere/made").is_file() and (folder / "a/b/c").is_dir()
    done = subprocess.run([BSPKIT, "info", "maps/missing.bsp"], cwd=folder, capture_output=True,
                          check=False)
    assert b"there is no such file or folder" in done.stderr, done


with tempfile.TemporaryDirectory() as place:
    root = pathlib.Path(place)
    library = root / "confine.so"
    subprocess.run([os.environ["CC"], "-shared", "-fPIC", "-O1", "-o", str(library),
                    "tests/cli/confine.c"], check=True)
    work = root / "work"
    work.mkdir()
    prepare(work)
    check_outputs(work, library)
    check_edits(work, library)
    check_commands(work)
print("Landlock", VERSION)
