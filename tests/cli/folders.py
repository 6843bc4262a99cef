# SPDX-License-Identifier: MIT
"""What goes to a folder stays in it: every command that writes into one meets symbolic links, pipes,
sockets, devices and files in the place of folders there. Each is refused with its name, what it
leads to is untouched, and what can be written is."""
import os
import pathlib
import socket
import stat
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
EVIL = pathlib.Path("../shared/hostile/evil.bsp").resolve()

# The command, a file that it writes in the folder `out`, and the folder of it that it may make.
COMMANDS = [
    (["pak", "extract", SAMPLES / "source/lobby.bsp", "-o", "out"], "materials/lobby/brick1.vmt",
     "materials"),
    (["decompile", SAMPLES / "source/lobby.bsp", "--pak", "out", "-o", "lobby.vmf"],
     "materials/lobby/brick1.vmt", "materials/lobby"),
    (["decompile", SAMPLES / "quake/lobby.bsp", "-o", "out/"], "lobby.map", None),
    (["textures", SAMPLES / "quake3/lobby.bsp", "-o", "out"], "textures/lobby/brick1.png",
     "textures"),
    (["lightmaps", SAMPLES / "quake/lobby.bsp", "-o", "out"], "lobby_lightmap_000.png", None),
    (["entities", SAMPLES / "quake/lobby.bsp", "--index", "0", "--set", "a=b", "-o", "out/"],
     "lobby.bsp", None),
    (["convert", SAMPLES / "quake/lobby.bsp", "--to", "bsp2", "-o", "out/"], "lobby.bsp", None),
]


def run(folder, command):
    done = subprocess.run([BSPKIT, *map(str, command)], cwd=folder, capture_output=True, timeout=60,
                          stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stderr.decode(errors="replace")


def obstacles(folder):
    """What may stand where a file is to be: its name in messages, and a function that makes it."""
    outside = folder / "outside"

    def link(path):
        path.symlink_to(outside / "file")

    def dangling(path):
        path.symlink_to(outside / "new")

    def pipe(path):
        os.mkfifo(path)

    def bound(path):
        with socket.socket(socket.AF_UNIX) as one:
            here = os.getcwd()
            os.chdir(path.parent)  # names of sockets are short
            one.bind(path.name)
            os.chdir(here)

    def device(path):
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))

    yield "a symbolic link", link
    yield "a symbolic link", dangling
    yield "a pipe", pipe
    yield "a socket", bound
    yield "a folder", pathlib.Path.mkdir
    if os.geteuid() == 0:
        try:
            device(folder / "device")
            yield "a device", device
        except OSError:
            print("SKIP part: no devices can be made here")


def outside_of(folder):
    outside = folder / "outside"
    outside.mkdir()
    (outside / "file").write_text("untouched")
    return outside


def check_outside(outside, where):
    assert [path.name for path in outside.iterdir()] == ["file"], where
    assert (outside / "file").read_text() == "untouched", where


def check_file(command, name):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        outside = outside_of(folder)
        for number, (kind, make) in enumerate(obstacles(folder)):
            target = folder / "out" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            make(target)
            before = os.lstat(target)
            code, said = run(folder, command)
            assert code == 3 and f"{name}: {kind} stands there" in said, (command, kind, code, said)
            assert os.lstat(target).st_ino == before.st_ino, (command, kind)
            check_outside(outside, (command, kind))
            assert not [path for path in folder.rglob("*") if ".bspkit-" in path.name], command
            subprocess.run(["rm", "-rf", folder / "out"], check=True)
        code, said = run(folder, command)
        assert code in (0, 1) and (folder / "out" / name).is_file(), (command, code, said)
        return number + 1


def check_folder(command, name):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        outside = outside_of(folder)
        target = folder / "out" / name
        for kind, make in (("a symbolic link", lambda: target.symlink_to(outside)),
                           ("a symbolic link", lambda: target.symlink_to("nowhere")),
                           ("a file", lambda: target.write_text("")),
                           ("a pipe", lambda: os.mkfifo(target))):
            target.parent.mkdir(parents=True, exist_ok=True)
            make()
            code, said = run(folder, command)
            assert code == 3 and f"out/{name}: {kind} stands there, and not a folder" in said, \
                (command, kind, code, said)
            check_outside(outside, (command, kind))
            target.unlink()


def check_root():
    """The folder itself is the user's: a link to it is followed, and it is made with its parents."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "real").mkdir()
        (folder / "out").symlink_to("real")
        for command, name, _ in COMMANDS:
            code, said = run(folder, command)
            assert code in (0, 1) and (folder / "real" / name).is_file(), (command, code, said)
        code, said = run(folder, [*COMMANDS[0][0][:-1], "a/b/c"])
        assert code == 0 and (folder / "a/b/c" / COMMANDS[0][1]).is_file(), said
        file = folder / "a/b/c" / COMMANDS[0][1]
        assert file.stat().st_mtime == 315532800 and file.stat().st_mode & 0o777 == 0o644
        os.link(file, folder / "hard")  # another name of a file there keeps what it has
        file.write_text("changed")
        code, said = run(folder, [*COMMANDS[0][0][:-1], "a/b/c"])
        assert code == 0 and (folder / "hard").read_text() == "changed" != file.read_text(), said


def check_evil():
    """Every name of a hostile map's pak is a link out of the folder."""
    if not EVIL.exists():
        print("SKIP part: ../shared/hostile is not there")
        return
    listed = subprocess.run([BSPKIT, "pak", "list", EVIL], capture_output=True, check=False,
                            text=True).stdout
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        outside = outside_of(folder)
        run(folder, ["pak", "extract", EVIL, "-o", "clean"])
        files = [path for path in (folder / "clean").rglob("*") if path.is_file()]
        assert files, listed
        (folder / "out").mkdir()
        for path in files:
            target = folder / "out" / path.relative_to(folder / "clean")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(outside / "file")
        code, said = run(folder, ["pak", "extract", EVIL, "-o", "out"])
        assert code == 3 and said.count("a symbolic link stands there") >= len(files), said
        assert all((folder / "out" / path.relative_to(folder / "clean")).is_symlink()
                   for path in files), said
        check_outside(outside, said)


os.umask(0o022)
count = 0
for words, file_name, folder_name in COMMANDS:
    count += check_file(words, file_name)
    if folder_name is not None:
        check_folder(words, folder_name)
check_root()
check_evil()
print(f"{count} obstacles, each refused by name")
sys.exit(0)
