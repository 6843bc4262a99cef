# SPDX-License-Identifier: MIT
"""Maps whose records were changed, through the commands of the binary, edits included: none ends
by a signal or with a report of a sanitizer, none with another status than 0 to 3, none runs for
minutes, takes much memory, or writes much more than it read.

Inputs are those of fuzz_open --records, made of samples and small maps of the corpus. Each of them
goes through one command, in turn. BSPKIT_COMMAND_RUNS says how many (1000), BSPKIT_COMMAND_FROM
which one is the first. An input that fails is kept in BSPKIT_COMMAND_KEEP, when that is set."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
FUZZER = pathlib.Path(os.environ["BUILD"]) / "fuzz" / "fuzz_open"
RUNS = int(os.environ.get("BSPKIT_COMMAND_RUNS", "1000"))
FROM = int(os.environ.get("BSPKIT_COMMAND_FROM", "0"))
KEEP = os.environ.get("BSPKIT_COMMAND_KEEP")
CORPUS = pathlib.Path("../shared/corpus")
SMALL = 200 << 10  # bytes of a map of the corpus
SECONDS = 60  # of processor time
MEMORY = 1 << 30  # bytes, as the system counts what was touched
OUTPUT = (256 << 20, 256)  # bytes, or so many times the input

# M: the map. O: a file to be written. D: a folder to be written. E: a text with one entity. <N: lines of N numbers
# as standard input.
COMMANDS = [
    "info --json M", "lumps M", "check M", "dump M 1", "dump M 5", "dump M 7", "dump M 10", "entities --json M",
    "checksum M", "assets M", "query leaf 0 0 0 M", "query vis 0 M", "textures M -o D", "lightmaps M -o D",
    "export M -o O.glb", "export -l baked M -o O.glb", "export M -o O.obj", "render --size 96x64 M -o O.png",
    "render --size 96x64 --top M -o O.png", "decompile M -o O.map", "decompile M -o O.vmf", "pak list M",
    "pak extract M -o D", "pak rename --force --from lobby M hall -o O.bsp", "pak add --force M F -o O.bsp",
    "pak add --force --method lzma M F -o O.bsp", "entities --set a=b --index 0 --force M -o O.bsp",
    "entities --set x=y --where classname=* --force M -o O.bsp", "entities --remove --index 1 --force M -o O.bsp",
    "entities --add E --force M -o O.bsp", "entities --unset classname --index 0 --force M -o O.bsp",
    "entities --import E --force M -o O.bsp", "lump extract M 0 -o O.lump", "lump replace --force M 0 E -o O.bsp",
    "lump replace --force M 11 E -o O.bsp", "lump remove --force M 2 -o O.bsp",
    "convert --compress lzma --force M -o O.bsp", "convert --compress none --force M -o O.bsp",
    "convert --endian big --lossy --force M -o O.bsp", "convert --to bsp2 --lossy --force M -o O.bsp",
    "convert --to quake --lossy --force M -o O.bsp", "convert --to qbism --lossy --force M -o O.bsp",
    "convert --to left4dead2 --lossy --force M -o O.bsp", "diff M S", "info --sha256 M", "dump --csv M 2",
    "query vis --open all 0 M", "query areas M", "query portals M", "query leak M", "query physics M",
    "query contents M <3", "query trace --json M <6",
    "query trace --json --props -g samples/source -g samples/quake2 M <6", "query trace --hull 1 M <6",
    "query sight --props M <6", "query props M", "query light --lights 0 0 32 M", "query water 0 0 0 M",
    "query fog 0 0 0 M", "query cubemap 0 0 0 M", "query face 0 M", "query face 7 M", "query occluder M <9",
    "portals M -o O.prt", "portals M -o O.obj", "vis --check M", "vis --base --force M -o O.bsp",
    "cubemaps --check M", "cubemaps --force --ldr --hdr M -o O.bsp",
    "vis --force --distance 512 M -o O.bsp", "vis --by-leaf --part 2/3 M -o O.part",
    "light --force --preview M -o O.bsp", "light --check M", "light --part 1/2 M -o O.part", "stale M", "stale M S",
    "index O.db M",
    "export -g samples/goldsrc -g samples/source --collision M -o O.glb", "export --no-sky-room M -o O.obj",
    "decompile --corners M -o O.vmf",
    "render --size 96x64 -g samples/source -g samples/quake3 --time 3 --open --portals-open all M -o O.png",
    "render --size 96x64 --top --storey 1 M -o O.jpg", "textures --take-out --force M -o O.bsp",
]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def sources():
    found = sorted(pathlib.Path("samples").glob("*/*.bsp")) + [pathlib.Path("fuzz/seeds/maps")]
    if CORPUS.is_dir():
        found += sorted(p for p in CORPUS.glob("**/*.bsp") if p.stat().st_size <= SMALL)
    return [str(p) for p in found]


def size_of(folder):
    return sum(p.lstat().st_size for p in folder.glob("**/*") if p.is_file())


def run_one(number, command, seeds, scratch):
    """The trouble with it, or None."""
    hostile = scratch / "hostile.bsp"
    out = scratch / "out"
    out.mkdir()
    subprocess.run([FUZZER, "--records", "--write", hostile, "--from", str(number), *seeds],
                   check=True, stdout=subprocess.DEVNULL)
    names = {"M": hostile, "S": seeds[0], "E": scratch / "entity.txt", "F": scratch / "files",
             "D": out / "folder"}
    given = [w for w in command.split() if w.startswith("<")]
    words = [str(names.get(w, w)) for w in command.split() if w not in given]
    words = [w.replace("O.", str(out / "made") + ".") if w.startswith("O.") else w for w in words]
    environment = dict(os.environ, ASAN_OPTIONS="abort_on_error=1:detect_leaks=1",
                       UBSAN_OPTIONS="abort_on_error=1:print_stacktrace=1")
    with open(scratch / "said", "wb") as said, open(scratch / given[0][1:] if given else os.devnull, "rb") as lines:
        child = subprocess.Popen([BSPKIT, *words], stdout=said, stderr=subprocess.STDOUT,
                                 stdin=lines, env=environment, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    text = (scratch / "said").read_bytes()
    written = size_of(out)
    most = max(OUTPUT[0], OUTPUT[1] * hostile.stat().st_size)
    trouble = None
    if child.returncode not in (0, 1, 2, 3):
        trouble = f"exit status {child.returncode}"
    elif b"Sanitizer" in text or b"runtime error" in text:
        trouble = "a report of a sanitizer"
    elif usage.ru_maxrss * 1024 > MEMORY:
        trouble = f"{usage.ru_maxrss >> 10} MiB of memory"
    elif written > most:
        trouble = f"{written} bytes written"
    if trouble and KEEP:
        os.makedirs(KEEP, exist_ok=True)
        shutil.copy(hostile, pathlib.Path(KEEP) / f"{number}.bsp")
        (pathlib.Path(KEEP) / f"{number}.txt").write_bytes(command.encode() + b"\n" + text[-20000:])
    shutil.rmtree(out)
    return trouble and f"{trouble}: input {number}: {command}"


def main():
    if not FUZZER.exists():
        print("SKIP: fuzz_open is not built as a program of its own")
        return 77
    seeds = sources()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        (scratch / "entity.txt").write_text('{\n"classname" "light"\n"origin" "0 0 0"\n}\n')
        (scratch / "files").mkdir()
        (scratch / "files" / "a.txt").write_text("a file, a file, a file, a file\n" * 20)
        for count in (3, 6, 9):
            lines = (" ".join(str((31 * i + 97 * n) % 1024 - 512) for n in range(count)) for i in range(40))
            (scratch / str(count)).write_text("\n".join(lines) + "\n")
        for number in range(FROM, FROM + RUNS):
            trouble = run_one(number, COMMANDS[number % len(COMMANDS)], seeds, scratch)
            if trouble:
                print(trouble, flush=True)
                bad += 1
    print(f"{RUNS} commands, {bad} of them went wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
