# SPDX-License-Identifier: MIT
"""What commands take of memory when a map has many files in it: 32 MiB and the largest of them, at
most, however many there are."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = pathlib.Path("samples/source/lobby.bsp")
MIB = 1 << 20
LARGEST = 2 * MIB
FILES = 40  # of that size

if not sys.platform.startswith("linux") or "-fsanitize" in os.environ.get("TEST_FLAGS", ""):
    print("SKIP: memory is measured on Linux, and without sanitizers")
    sys.exit(77)


def peak(*arguments):
    """Runs the command; the most memory that it had, in bytes."""
    with subprocess.Popen([BSPKIT, *map(str, arguments)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as process:
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (arguments, message)
    return usage.ru_maxrss * 1024


def expect(largest, *arguments):
    took = peak(*arguments)
    print(f"{took / MIB:6.1f} MiB  {' '.join(map(str, arguments[:2]))}")
    assert took < 32 * MIB + largest, (arguments, took)


def count(path):
    return len(json.loads(subprocess.check_output([BSPKIT, "pak", "list", "--json", path]))["files"])


def main(work):
    content = work / "content"
    content.mkdir()
    line = b"the same line again and again, and the number of it is %d\n"
    for number in range(FILES):
        # Half of it packs well, half not at all.
        text = b"".join(line % i for i in range(LARGEST // 100))[: LARGEST // 2]
        noise = os.urandom(LARGEST // 2)
        (content / f"{number:02}.txt").write_bytes(text.ljust(LARGEST // 2) + noise)
    (work / "small.txt").write_text("small")
    big, out = work / "big.bsp", work / "out.bsp"
    expect(LARGEST, "pak", "add", SAMPLE, content, "-o", big)
    # deflate: the file, what it packs to, and the packer's own tables
    expect(2 * LARGEST, "pak", "add", SAMPLE, content, "--method", "deflate", "-o", out)
    expect(LARGEST, "pak", "list", big)
    expect(LARGEST, "pak", "add", big, "--root", work, "small.txt", "-o", out)
    assert count(out) == count(SAMPLE) + FILES + 1
    expect(LARGEST, "pak", "replace", out, "--root", content, "07.txt", "--in-place")
    expect(LARGEST, "pak", "remove", out, "1*.txt", "--in-place", "--no-backup")
    expect(LARGEST, "pak", "extract", big, "-o", work / "extracted")
    expect(LARGEST, "entities", big, "--where", "classname=light*", "--set", "light=1", "-o", out)
    expect(LARGEST, "check", big)
    expect(LARGEST, "checksum", big)
    expect(LARGEST, "info", big)


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
