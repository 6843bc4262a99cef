# SPDX-License-Identifier: MIT
"""bspkit cubemaps: the pictures have the engine's names and forms, lie as their sides do, are the same at any number of
threads; missing materials come back; check, info and stale know what is missing or was never drawn."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
WORK = pathlib.Path(tempfile.mkdtemp())
SOURCE = SAMPLES / "source/lobby.bsp"
PICTURE, HDR = "materials/maps/lobby/c128_112_80.vtf", "materials/maps/lobby/c128_112_80.hdr.vtf"
DEFAULT, PATCH = "materials/maps/lobby/cubemapdefault.vtf", "materials/maps/lobby/lobby/trim1_128_112_80.vmt"


def run(*words, status=0):
    done = subprocess.run([BSPKIT, *map(str, words)], capture_output=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout.decode(errors="replace")


def files(path):
    """The files of a map's zip, by name."""
    target = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    run("pak", "extract", path, "-o", target)
    return {str(one.relative_to(target)): one.read_bytes() for one in target.rglob("*") if one.is_file()}


def changed(name, put=None, remove=()):
    """The sample with other files in its zip."""
    target = WORK / name
    target.write_bytes(SOURCE.read_bytes())
    if remove:
        run("pak", "remove", target, *remove, "--in-place", "--no-backup")
    for key, data in (put or {}).items():
        place = pathlib.Path(tempfile.mkdtemp(dir=WORK)) / key
        place.parent.mkdir(parents=True)
        place.write_bytes(data)
        root = str(place)[:-len(key) - 1]
        run("pak", "replace" if key in files(target) else "add", target, "--root", root, key, "--in-place",
            "--no-backup")
    return target


def drawn(path, *words, name="out.bsp"):
    target = WORK / name
    target.unlink(missing_ok=True)
    run("cubemaps", path, *words, "-o", target)
    return target


def head(data):
    """Version, side, flags, format, mips, where the image begins."""
    assert data[:4] == b"VTF\0"
    major, minor, size = struct.unpack_from("<III", data, 4)
    width, height, flags = struct.unpack_from("<HHI", data, 16)
    code, mips = struct.unpack_from("<iB", data, 52)
    assert major == 7 and width == height
    return minor, width, flags, code, mips, size


# Names, forms and sizes: the sample states 8 pixels (code 4) and has a picture of DXT1.
before, after = files(SOURCE), files(drawn(SOURCE))
assert set(after) == set(before) | {DEFAULT}, set(after) ^ set(before)
assert all(after[name] == data for name, data in before.items() if name != PICTURE)
old = head(before[PICTURE])
minor, side, flags, code, mips, start = head(after[PICTURE])
assert (minor, side, code, mips) == (old[0], 8, 13, 4) and flags == 0x400C, (old, minor, side, flags, code, mips)
sides = 7 if minor < 5 else 6
assert len(after[PICTURE]) == start + sides * sum(8 * max(1, n // 4) ** 2 for n in (8, 4, 2, 1))
big = files(drawn(SOURCE, "--size", 64, "--ldr", "--hdr"))
assert head(big[PICTURE])[1] == head(big[HDR])[1] == 64 and head(big[HDR])[2:4] == (0x600C, 24)

# The same bytes at any number of threads, and once more.
one = drawn(SOURCE, "--threads", 1, "--hdr", "--ldr", name="one.bsp").read_bytes()
assert one == drawn(SOURCE, "--threads", 2, "--hdr", "--ldr", name="two.bsp").read_bytes()
assert one == drawn(WORK / "one.bsp", "--hdr", "--ldr", name="again.bsp").read_bytes()
target = WORK / "place.bsp"
target.write_bytes(SOURCE.read_bytes())
run("cubemaps", target, "--in-place", "--hdr", "--ldr")
assert target.read_bytes() == one and (WORK / "place.bsp.bak").read_bytes() == SOURCE.read_bytes()

# What an eye sees is what the sides show: (right, down) of each side, and where the eye looks for it.
SIDES = [((0, 0, -1), (0, -1, 0), (0, 0, 0)), ((0, 0, 1), (0, -1, 0), (0, 180, 0)), ((1, 0, 0), (0, 0, 1), (0, 90, 0)),
         ((1, 0, 0), (0, 0, -1), (0, -90, 0)), ((1, 0, 0), (0, -1, 0), (-90, 0, 0)), ((-1, 0, 0), (0, -1, 0), (90, 0, 0))]
EYES = [((0, -1, 0), (0, 0, -1)), ((0, 1, 0), (0, 0, -1)), ((1, 0, 0), (0, 0, -1)), ((-1, 0, 0), (0, 0, -1)),
        ((0, -1, 0), (1, 0, 0)), ((0, -1, 0), (-1, 0, 0))]  # right and down of those views
N = 64
plain = changed("plain.bsp", remove=[PICTURE])
data = files(drawn(plain, "--size", N, name="sides.bsp"))[PICTURE]
minor, side, flags, code, mips, start = head(data)
assert (minor, side, code) == (2, N, 3)  # nothing is there that tells another form
sides = 7
at = start + sides * 3 * sum(4 ** n for n in range(mips - 1))


def pixels(path):
    """The pixels of a picture of bspkit render, by way of a converter of its own."""
    import zlib
    raw, chunk, kind, palette, where = path.read_bytes(), b"", None, b"", 8
    while where < len(raw):
        size, name = struct.unpack_from(">I4s", raw, where)
        body = raw[where + 8:where + 8 + size]
        kind = body if name == b"IHDR" else kind
        palette = body if name == b"PLTE" else palette
        chunk += body if name == b"IDAT" else b""
        where += 12 + size
    width, height, depth, color = struct.unpack_from(">IIBB", kind)
    assert depth == 8 and color in (2, 3), (depth, color)
    step = 3 if color == 2 else 1
    raw, rows, last = zlib.decompress(chunk), [], bytes(width * step)
    for y in range(height):
        how, line = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for i in range(len(line)):
            a = line[i - step] if i >= step else 0
            b, c = last[i], last[i - step] if i >= step else 0
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[i] = line[i] + (0, a, b, (a + b) // 2, near)[how] & 255
        last = bytes(line)
        rows.append([tuple(line[step * x:step * x + 3]) if step == 3 else tuple(palette[3 * v:3 * v + 3])
                     for x, v in enumerate(line[::step])])
    return rows


differences, turned = 0, 0
for number, (right, down, angles) in enumerate(SIDES):
    png = WORK / "eye.png"
    run("render", plain, "--from=128,112,80", "--angles=" + ",".join(map(str, angles)), "--fov", 90, "--size",
        f"{N}x{N}", "--plain", "--no-details", "-o", png)
    eye = pixels(png)
    across, below = EYES[number]
    for y in range(N):
        for x in range(N):
            s, t = 2 * x + 1 - N, 2 * y + 1 - N
            way = [s * r + t * d for r, d in zip(right, down)]
            column = (sum(w * a for w, a in zip(way, across)) + N - 1) // 2
            row = (sum(w * a for w, a in zip(way, below)) + N - 1) // 2
            b, g, r = data[at + 3 * (number * N * N + y * N + x):][:3]
            differences += sum(abs(p - q) for p, q in zip((r, g, b), eye[row][column]))
            turned += sum(abs(p - q) for p, q in zip((r, g, b), eye[N - 1 - row][column]))
differences, turned = differences / (6 * N * N * 3), turned / (6 * N * N * 3)
assert differences < 8 and turned > 2 * differences, (differences, turned)

# What is missing, or was never drawn, and what comes back.
def state(path):
    info = json.loads(run("info", "--json", path)).get("cubemaps", {})
    listed = subprocess.run([BSPKIT, "cubemaps", "--check", "--json", path], capture_output=True, check=False)
    found = json.loads(listed.stdout)
    bad = found["missing"] + found["never_drawn"] + found["strange"] + found["missing_materials"]
    assert listed.returncode == (1 if bad else 0), listed
    wanted = {"count": 1, "missing": found["missing"], "never_drawn": found["never_drawn"]}
    assert info == (wanted if found["missing"] + found["never_drawn"] else {}), info
    assert ("cubemap-not-drawn" in run("check", path)) == (found["missing"] + found["never_drawn"] != 0)
    return found["cubemaps"][0]["ldr"], found["missing_materials"], found["strange"]


assert state(SOURCE) == ("drawn", 0, 0)
assert state(plain) == ("missing", 0, 0)
never = changed("never.bsp", put={DEFAULT: before[PICTURE]})
assert state(never) == ("never drawn", 0, 0)
assert "never drawn" in run("stale", never, status=1)
bare = changed("bare.bsp", remove=[PICTURE, PATCH], put={"materials/maps/lobby/c1_2_3.vtf": before[PICTURE]})
assert state(bare) == ("missing", 1, 1)
listing = run("cubemaps", bare, "--dry-run")
assert PICTURE in listing and PATCH in listing
stated = json.loads(run("cubemaps", bare, "--dry-run", "--json"))["files"]
assert [line.split() for line in listing.splitlines()] == [[str(f["size"]), f["name"]] for f in stated]
whole = drawn(bare, name="whole.bsp")
assert state(whole) == ("drawn", 0, 1)
words = files(whole)[PATCH].split()
assert words == (b'"patch" { "include" "materials/LOBBY/TRIM1.vmt" "replace" { "$envmap" "maps/lobby/c128_112_80" } }'
                 .split()), words
absent = files(drawn(never, "--missing"))[PICTURE]
assert absent == files(drawn(never))[PICTURE] != before[PICTURE]
done = subprocess.run([BSPKIT, "cubemaps", drawn(never), "--missing", "-o", WORK / "none.bsp"], capture_output=True,
                      check=False)
assert done.returncode == 1 and b"nothing is written" in done.stderr, done

# Refused.
for words, status in ((["--size", 12], 2), (["--size", 2048], 2), (["--check", "--dry-run"], 2)):
    run("cubemaps", SOURCE, *words, "-o", WORK / "no.bsp", status=status)
for path, reason in ((SAMPLES / "source/lobby_be.bsp", b"consoles"), (SAMPLES / "quake/lobby.bsp", b"no files in them")):
    done = subprocess.run([BSPKIT, "cubemaps", path, "-o", WORK / "no.bsp"], capture_output=True, check=False)
    assert done.returncode == 3 and reason in done.stderr, done
print("cubemaps: sides differ by %.2f from what an eye sees, by %.2f turned" % (differences, turned))
