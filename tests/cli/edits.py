# SPDX-License-Identifier: MIT
"""Edits in place that are killed, that run at the same time, and that another program gets in the
way of: the map is the old one or the whole new one, nothing is lost in silence, and what a killed
run left is gone after the next edit. EDITS_KILLS and EDITS_PAIRS say how often (tests/long)."""
import fcntl
import json
import os
import pathlib
import random
import signal
import stat
import subprocess
import sys
import tempfile
import time

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path("samples/quake/lobby.bsp").read_bytes()
KILLS = int(os.environ.get("EDITS_KILLS", "40"))
PAIRS = int(os.environ.get("EDITS_PAIRS", "15"))
SANITIZED = "-fsanitize" in os.environ.get("TEST_FLAGS", "")


def edit(path, *change, place=("--in-place",)):
    return [BSPKIT, "entities", *change, *place, str(path)]


def set_key(path, key, value="1", place=("--in-place",)):
    return edit(path, "--index", "0", "--set", f"{key}={value}", place=place)


def run(command, status=0, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == status, (command, done)
    return done.stderr


def keys(path):
    return dict(json.loads(subprocess.run([BSPKIT, "entities", "--json", path], check=True,
                                          capture_output=True).stdout)[0]["pairs"])


def left_over(folder):
    return [path for path in folder.iterdir() if ".bspkit-" in path.name]


def new_map(folder):
    path = folder / "m.bsp"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(SAMPLE)
    return path


def wanted(folder, key):
    """What the map is after an edit that nothing disturbs."""
    path = new_map(folder)
    run(set_key(path, key))
    data = path.read_bytes()
    assert data != SAMPLE and (folder / "m.bsp.bak").read_bytes() == SAMPLE
    return data


# --- kill -9 ------------------------------------------------------------------------------------

def check_killed(folder, new, where):
    """The old map or the new one, whole; the second name only ever of the old one."""
    path, backup = folder / "m.bsp", folder / "m.bsp.bak"
    data = path.read_bytes()
    assert data in (SAMPLE, new), (where, "neither the old nor the new map")
    assert not backup.exists() or backup.read_bytes() == SAMPLE, (where, "backup")
    assert data == SAMPLE or backup.exists(), (where, "the old map is lost")
    return data == new


def kill_at_random(folder):
    new = wanted(folder, "killed")
    path = new_map(folder)
    times = []
    for _ in range(5):
        begun = time.monotonic()
        run(set_key(path, "time"))
        times.append(time.monotonic() - begun)
    longest = 1.2 * sorted(times)[2]
    counts = {"old": 0, "new": 0, "left over": 0}
    chance = random.Random(11)
    for number in range(KILLS):
        path = new_map(folder)
        process = subprocess.Popen(set_key(path, "killed"), stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, longest))
        process.kill()
        process.wait()
        counts["new" if check_killed(folder, new, number) else "old"] += 1
        counts["left over"] += len(left_over(folder)) != 0
        run(set_key(path, "next"))
        assert not left_over(folder), number
        assert "next" in keys(path) and (folder / "m.bsp.bak").read_bytes() == SAMPLE, number
    print(f"{KILLS} edits killed: {counts}")


def kill_at_each_call(folder, shim):
    """Killed before the n-th call that makes, writes, links or renames a file, for every n."""
    new = wanted(folder, "killed")
    count = 0
    for call in ("openat", "write", "fsync", "fchown", "fchmod", "flock", "linkat", "renameat",
                 "unlinkat", "close"):
        for place in (["--in-place"], ["--in-place", "--backup"]):
            for n in range(1, 1000):
                path = new_map(folder)
                if "--backup" in place:
                    (folder / "m.bsp.bak").write_bytes(SAMPLE)
                done = subprocess.run(set_key(path, "killed", place=place), check=False,
                                      stderr=subprocess.DEVNULL,
                                      env={**os.environ, "LD_PRELOAD": str(shim), "FAULT_AT": str(n),
                                           "FAULT_CALL": call, "FAULT_KILL": "1", "FAULT_FD": "2"})
                check_killed(folder, new, (call, n))
                if done.returncode == 0:
                    break
                assert done.returncode == -signal.SIGKILL, (call, n, done)
                count += 1
                run(set_key(path, "next"))
                assert not left_over(folder), (call, n, left_over(folder))
    print(f"killed before each of {count} calls")
    assert count > 10


# --- two at once --------------------------------------------------------------------------------

def pairs(folder):
    """Two keys, or a key and a lump; each edit says that it did its work, or why not."""
    waited = 0
    for number in range(PAIRS):
        path = new_map(folder)
        (folder / "light").write_bytes(b"light" * 1000)
        second = set_key(path, "two") if number % 2 == 0 else \
            [BSPKIT, "lump", "insert", "--in-place", path, "bspx:TWO", folder / "light"]
        both = [subprocess.Popen(command, stderr=subprocess.PIPE)
                for command in (set_key(path, "one"), second)]
        said = [process.communicate()[1] for process in both]
        found = keys(path)
        if b"light" * 1000 in path.read_bytes():
            found["two"] = ""
        for process, key, text in zip(both, ("one", "two"), said):
            assert (process.returncode == 0) == (key in found), (number, key, "lost", said)
            assert process.returncode == 0 or text.startswith(b"bspkit: "), (number, key, "silent")
        assert (folder / "m.bsp.bak").read_bytes() == SAMPLE, number
        assert not left_over(folder), number
        waited += sum(process.returncode == 0 for process in both) == 2
    print(f"{PAIRS} pairs of edits at once: in {waited} both are in the map, none is lost")
    assert waited == PAIRS


def begin_slow(path, folder):
    """An edit that has read the map and now waits for what is to be added."""
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    process = subprocess.Popen(edit(path, "--add", str(fifo)), stderr=subprocess.PIPE, text=True)
    return process, fifo.open("wb")


def end_slow(process, pipe):
    pipe.write(b'{\n"classname" "added"\n}\n')
    pipe.close()
    said = process.communicate()[1]
    return process.returncode, said


def others_in_between(folder):
    def replace(path):
        other = folder / "other"
        other.write_bytes(SAMPLE + b"other")
        other.rename(path)

    def write(path):
        with path.open("r+b") as file:
            file.seek(0, os.SEEK_END)
            file.write(b"other")

    for change in (replace, write):
        path = new_map(folder)
        slow = begin_slow(path, folder)
        change(path)
        code, said = end_slow(*slow)
        assert code == 3 and "another program has changed it" in said, (change, code, said)
        assert path.read_bytes() == SAMPLE + b"other", change
        assert not left_over(folder) and not (folder / "m.bsp.bak").exists(), change
    path = new_map(folder)
    slow = begin_slow(path, folder)
    path.unlink()
    code, said = end_slow(*slow)
    assert code == 3 and "there is no such file or folder" in said and not path.exists(), (code, said)


def second_waits(folder):
    path = new_map(folder)
    slow = begin_slow(path, folder)
    second = subprocess.Popen(set_key(path, "second"), stderr=subprocess.PIPE, text=True)
    run([BSPKIT, "info", path])  # who only reads does not wait
    run(set_key(path, "copy", place=("-o", str(folder / "copy.bsp"))))
    code, said = end_slow(*slow)
    assert code == 0, said
    assert second.wait() == 0, second.stderr.read()
    second.stderr.close()
    assert "second" in keys(path) and b'"added"' in path.read_bytes()


# --- what belongs to the file -------------------------------------------------------------------

def backups(folder):
    path, backup = new_map(folder), folder / "m.bsp.bak"
    run(set_key(path, "one"))
    first = path.read_bytes()
    run(set_key(path, "two"))
    assert backup.read_bytes() == SAMPLE, "the original is kept"
    second = path.read_bytes()
    run(set_key(path, "three", place=("--in-place", "--backup")))
    assert backup.read_bytes() == second != first
    third = path.read_bytes()
    run(set_key(path, "four", place=("--in-place", "--no-backup")))
    assert backup.read_bytes() == second and path.read_bytes() != third
    for wrong in (("--in-place", "--backup", "--no-backup"), ("-o", "x", "--backup")):
        assert "--backup" in run(set_key(path, "five", place=wrong), 2)
    # Where the second name is a folder, a link or a pipe it is left as it is, or refused.
    backup.unlink()
    backup.symlink_to("elsewhere")
    run(set_key(path, "six"))
    assert backup.is_symlink() and not (folder / "elsewhere").exists()
    assert "a symbolic link" in run(set_key(path, "seven", place=("--in-place", "--backup")), 3)
    assert "seven" not in keys(path) and not left_over(folder)
    # A run that ended between the two names: both are one file.
    path = new_map(folder)
    os.link(path, backup)
    assert run(set_key(path, "one", place=("--in-place", "--backup"))) == ""
    assert backup.read_bytes() == SAMPLE != path.read_bytes() and not left_over(folder)


def rights(folder):
    path = new_map(folder)
    path.chmod(0o640)
    root = os.geteuid() == 0
    if root:
        os.chown(path, 12345, 23456)
    attributes = True
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        attributes = False
        print("SKIP part: no extended attributes here")
    run(set_key(path, "one"))
    now = path.stat()
    assert stat.S_IMODE(now.st_mode) == 0o640
    assert not root or (now.st_uid, now.st_gid) == (12345, 23456)
    assert not attributes or os.getxattr(path, "user.note") == b"kept"
    new = folder / "new.bsp"
    mask = os.umask(0o027)
    run(set_key(path, "one", place=("-o", str(new))))
    os.umask(mask)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    new.chmod(0o604)
    for command in (set_key(path, "one", place=("-o", str(new))),
                    [BSPKIT, "info", str(path), "-o", str(new)]):
        run(command)
        assert stat.S_IMODE(new.stat().st_mode) == 0o604, command


def backup_without_links(folder, shim):
    """A file system that knows no second names: the old map is written anew, with its rights."""
    path, backup = new_map(folder), folder / "m.bsp.bak"
    path.chmod(0o654)
    os.utime(path, (1e9, 1e9))
    run(set_key(path, "one"), env={**os.environ, "LD_PRELOAD": str(shim), "FAULT_AT": "1",
                                   "FAULT_CALL": "linkat", "FAULT_FD": "2"}, status=0)
    now = backup.stat()
    assert backup.read_bytes() == SAMPLE and stat.S_IMODE(now.st_mode) == 0o654
    assert now.st_mtime == 1e9 and now.st_nlink == 1 and not left_over(folder)


def links(folder):
    path = new_map(folder)
    hard = folder / "hard.bsp"
    os.link(path, hard)
    assert "1 other name (hard links) of the old file keeps its content" in \
        run(set_key(path, "one"))
    assert hard.read_bytes() == SAMPLE and "one" in keys(path)
    assert run(set_key(path, "two")) == ""  # that of the backup is none to tell of
    # A symbolic link stays, for edits and outputs alike; one to nothing leads to a new file.
    for command in (lambda name: set_key(path, "one", place=("-o", name)),
                    lambda name: [BSPKIT, "info", str(path), "-o", name]):
        for old in ("old", None):
            target, link = folder / "target", folder / "link"
            if old is not None:
                target.write_text(old)
            link.symlink_to("target")
            run(command(str(link)))
            assert link.is_symlink() and target.read_bytes() not in (b"", b"old"), command
            target.unlink()
            link.unlink()
    path = new_map(folder)
    link = folder / "link"
    link.symlink_to("m.bsp")
    run(set_key(link, "one"))
    assert link.is_symlink() and "one" in keys(path)
    assert (folder / "m.bsp.bak").read_bytes() == SAMPLE and not (folder / "link.bak").exists()


def leftovers(folder):
    path = new_map(folder)
    left = folder / "m.bsp.bspkit-0123abcd"
    kept = [folder / name for name in ("m.bsp.bspkit-0123abcdef", "m.bsp.bspkit-0123abcg",
                                       "n.bsp.bspkit-0123abcd", "m.bsp.bspkit-", "m.bsp.old")]
    for file in [left, *kept]:
        file.write_bytes(b"x")
    locked = folder / "m.bsp.bspkit-00000000"
    with locked.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        run(set_key(path, "one"))
        assert locked.exists() and not left.exists()
        assert all(file.exists() for file in kept)
    run(set_key(path, "two"))
    assert not locked.exists()
    left.symlink_to("m.bsp.old")
    if os.geteuid() == 0:
        locked.write_bytes(b"x")
        os.chown(locked, 12345, 12345)
    run(set_key(path, "three"))
    assert left.is_symlink() and (os.geteuid() != 0 or locked.exists())
    # A name that has no room for the ending.
    path = folder / ("n" * 251 + ".bsp")
    path.write_bytes(SAMPLE)
    run(set_key(path, "one", place=("--in-place", "--no-backup")))
    assert "one" in keys(path)


def outputs_are_flushed(folder, shim):
    path = new_map(folder)
    for call in ("fsync", "renameat", "openat"):
        out = folder / "out.txt"
        done = subprocess.run([BSPKIT, "info", path, "-o", out], check=False, capture_output=True,
                              env={**os.environ, "LD_PRELOAD": str(shim), "FAULT_AT": "1",
                                   "FAULT_CALL": call, "FAULT_FD": "2"})
        assert done.returncode == 3 and b"bspkit: " in done.stderr, (call, done)
        assert not out.exists() and not left_over(folder), call
    # Of several files the message is of that which failed, and that one is not there. Every other
    # call is of the folder, which may fail.
    for n in (1, 3, 5):
        for file in folder.glob("out*"):
            file.unlink()
        done = subprocess.run([BSPKIT, "export", path, "-o", folder / "out.obj"], check=False,
                              env={**os.environ, "LD_PRELOAD": str(shim), "FAULT_AT": str(n),
                                   "FAULT_CALL": "fsync", "FAULT_FD": "2"}, capture_output=True)
        said = next(line for line in done.stderr.decode().splitlines()
                    if ": no model '" not in line and " missing, of " not in line)
        said = said.removeprefix("!").removeprefix("bspkit: ")
        failed = pathlib.Path(said.split(": ")[0])
        assert done.returncode == 3 and failed.name.startswith("out"), (n, done)
        assert not failed.exists() and not left_over(folder), (n, done)


def main(root):
    folder = root / "maps"
    folder.mkdir()
    for test in (pairs, others_in_between, second_waits, backups, rights, links, leftovers,
                 kill_at_random):
        test(folder)
        for path in folder.iterdir():
            path.unlink()
    if not sys.platform.startswith("linux") or SANITIZED:
        print("SKIP part: faults are injected by a preloaded library, which sanitizers do not bear")
        return
    shim = root / "faults.so"
    subprocess.run([os.environ["CC"], "-shared", "-fPIC", "-O1", "-o", str(shim),
                    "tests/cli/faults.c"], check=True)
    backup_without_links(folder, shim)
    outputs_are_flushed(folder, shim)
    kill_at_each_call(folder, shim)


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
