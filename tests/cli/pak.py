# SPDX-License-Identifier: MIT
"""Files in maps, held against python's zip reader; what would leave the folder; what is refused."""
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

BSPKIT = os.environ["BSPKIT"]
CORPUS = pathlib.Path("../shared/corpus/source")
SAMPLE = pathlib.Path("samples/source/lobby.bsp")
METHODS = {"stored": 0, "deflate": 8, "lzma": 14}


def run(*arguments, status=0):
    done = subprocess.run([BSPKIT, *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr, done.stdout[:200])
    return done.stdout


def lump(path):
    return run("lump", "extract", path, "pakfile")


def python_files(path):
    with zipfile.ZipFile(io.BytesIO(lump(path))) as archive:
        assert archive.testzip() is None, path
        return {info.filename: (info, archive.read(info)) for info in archive.infolist()}


def listed(path, *globs):
    return json.loads(run("pak", "list", "--json", path, *globs))["files"]


def check_list(path):
    offset = next(entry["offset"] for entry in json.loads(run("lumps", "--json", path))["lumps"]
                  if entry["name"] == "PAKFILE")
    ours = listed(path)
    with zipfile.ZipFile(io.BytesIO(lump(path))) as archive:
        theirs = archive.infolist()
        assert len(ours) == len(theirs), path
        for a, b in zip(ours, theirs):
            assert (a["size"], a["packed_size"], int(a["crc"], 16), a["offset"] - offset) == (
                b.file_size, b.compress_size, b.CRC, b.header_offset), (path, a, b)
            assert METHODS[a["method"]] == b.compress_type, (path, a)


def check_extract(path, work):
    out = work / "out"
    run("pak", "extract", path, "-o", out)
    found = {str(p.relative_to(out)): p.read_bytes() for p in out.glob("**/*") if p.is_file()}
    assert all(p.stat().st_mtime == 315532800 for p in out.glob("**/*") if p.is_file())
    for name, (_, data) in python_files(path).items():
        assert found.pop(name.replace("\\", "/")) == data, (path, name)
    assert not found, (path, found.keys())
    shutil.rmtree(out, ignore_errors=True)


def check_edit(path, work):
    """Added by each method, replaced, removed: the others keep bytes and place in the order."""
    before = python_files(path)
    content = work / "content"
    (content / "materials").mkdir(parents=True, exist_ok=True)
    (content / "materials/zz.vmt").write_bytes(b"wall " * 1000)
    (content / "zz.txt").write_bytes(b"")
    one, two = work / "one.bsp", work / "two.bsp"
    for method, number in METHODS.items():
        run("pak", "add", path, content, "--method", method, "-o", one)
        after = python_files(one)
        assert list(after) == [*before, "materials/zz.vmt", "zz.txt"], path
        info, data = after["materials/zz.vmt"]
        assert data == b"wall " * 1000 and info.compress_type == number, (path, method)
        assert after["zz.txt"][1] == b""
        for name, (info, data) in before.items():
            assert after[name][1] == data, (path, name)
            assert after[name][0].compress_type == info.compress_type, (path, name)
        (content / "materials/zz.vmt").write_bytes(b"floor" * 1000)
        run("pak", "replace", one, "--root", content, "materials/zz.vmt", "-o", two)
        info, data = python_files(two)["materials/zz.vmt"]
        assert data == b"floor" * 1000 and info.compress_type == number, (path, method)
        (content / "materials/zz.vmt").write_bytes(b"wall " * 1000)
    run("pak", "remove", one, "materials/ZZ.*", "zz.txt", "-o", two)
    assert {name: data for name, (_, data) in python_files(two).items()} == {
        name: data for name, (_, data) in before.items()}, path
    clean = lump(path)
    if lump(two) == clean:
        assert two.read_bytes() == path.read_bytes(), path
    run("pak", "add", path, content, "-o", path, status=3)


def make_zip(entries):
    """A zip with any names: (name in the directory, data)."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for number, (_, content) in enumerate(entries):
            archive.writestr(f"{number:03}" + "x" * (len(entries[number][0]) - 3), content)
    out = data.getvalue()
    for number, (name, _) in enumerate(entries):
        out = out.replace((f"{number:03}" + "x" * (len(name) - 3)).encode(), name.encode())
    return out


def check_hostile(work):
    names = ["../../evil", "/etc/evil", "C:\\evil.txt", "a/../../../evil", "nul\x01.txt", "good.txt",
             "dir/", "good.txt", "....//evil", "\\\\host\\evil", "con:stream", "a/NUL.txt", "lpt1",
             "console.txt", "up./down", "walls/wall. ", "sky. /stars.", "aux .txt"]
    (work / "bad.zip").write_bytes(make_zip([(name, name) for name in names]))
    bad = work / "bad.bsp"
    run("lump", "replace", SAMPLE, "pakfile", work / "bad.zip", "-o", bad, "--force")
    before = {str(p) for p in work.glob("**/*")}
    out = work / "deep" / "out"
    done = subprocess.run([BSPKIT, "pak", "extract", bad, "-o", out], capture_output=True,
                          check=False)
    assert done.returncode == 1 and b"good.txt: a second file" in done.stderr, done
    new = {str(p) for p in work.glob("**/*")} - before
    assert all(p == str(out.parent) or p.startswith(str(out)) for p in new), new
    assert (out / "good.txt").read_text() == "good.txt"
    assert (out / "a/_NUL.txt").exists() and (out / "_lpt1").exists()
    assert (out / "console.txt").exists()
    # Windows takes dots and spaces from the end of a part.
    assert (out / "up_/down").exists() and (out / "walls/wall._").exists()
    assert (out / "sky._/stars_").exists() and (out / "_aux .txt").exists()
    assert (out / "nul_.txt").exists() and (out / "etc/evil").exists()
    # A size that its bytes cannot unpack to; a name of the disk that leads out.
    with zipfile.ZipFile(work / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", b"0")
    data = bytearray((work / "bomb.zip").read_bytes())
    at = data.index(b"PK\1\2")
    data[at + 24:at + 28] = data[22:26] = b"\xff\xff\xff\xff"
    (work / "bomb.zip").write_bytes(data)
    run("lump", "replace", SAMPLE, "pakfile", work / "bomb.zip", "-o", bad, "--force")
    run("pak", "extract", bad, "-o", out, status=3)
    # What is not touched stays as it is, whatever it claims; packed bytes that are not there do not.
    (work / "file").write_bytes(b"new")
    more = work / "more.bsp"
    run("pak", "add", bad, "--root", work, "file", "-o", more, "--force")
    assert [(entry["name"], entry["size"]) for entry in listed(more)] == [
        ("bomb", 0xffffffff), ("file", 3)]
    run("convert", "--compress", "lzma", bad, "-o", more, "--force")
    assert [entry["method"] for entry in listed(more)] == ["deflate"]
    run("convert", "--compress", "none", bad, "-o", more, "--force")
    assert [entry["method"] for entry in listed(more)] == ["deflate"]
    data[at + 20:at + 24] = data[18:22] = b"\xf0\xff\xff\xff"
    (work / "bomb.zip").write_bytes(data)
    run("lump", "replace", SAMPLE, "pakfile", work / "bomb.zip", "-o", bad, "--force")
    more.unlink()
    run("pak", "add", bad, "--root", work, "file", "-o", more, "--force", status=3)
    assert not more.exists()
    run("pak", "remove", bad, "bomb", "-o", more, "--force")
    assert listed(more) == []
    (work / "list").write_text(f"../evil\n{SAMPLE}\n")
    for arguments in (["--list", work / "list"], [work / "none"], ["../README.md"],
                      ["--method", "zoo", work / "list"], []):
        run("pak", "add", SAMPLE, *arguments, "-o", work / "no.bsp",
            status=2 if "zoo" in arguments else 3)
        assert not (work / "no.bsp").exists()


def check_forms(work):
    name = listed(SAMPLE)[0]["name"]
    assert [entry["name"] for entry in listed(SAMPLE, name.upper())] == [name]
    assert listed(SAMPLE, "nothing*") == []
    (work / "file").write_bytes(b"new")
    (work / "list").write_text(f"a/b.txt\r\n{work}/file\r\n")
    run("pak", "add", SAMPLE, "--list", work / "list", "-o", work / "one.bsp")
    assert python_files(work / "one.bsp")["a/b.txt"][1] == b"new"
    run("pak", "add", work / "one.bsp", "--list", work / "list", "-o", work / "two.bsp", status=3)
    run("pak", "replace", SAMPLE, "--list", work / "list", "-o", work / "two.bsp", status=3)
    run("pak", "remove", SAMPLE, "nothing*", "-o", work / "two.bsp", status=1)
    run("pak", "remove", SAMPLE, "-o", work / "two.bsp", status=2)
    run("pak", "extract", SAMPLE, status=2)
    run("pak", "squeeze", SAMPLE, status=2)
    for sample in ("quake3", "quake"):
        path = f"samples/{sample}/lobby.bsp"
        done = subprocess.run([BSPKIT, "pak", "list", path], capture_output=True, check=False)
        assert done.returncode == 0 and b"nothing to do" in done.stderr, done
        run("pak", "add", path, "README.md", "-o", work / "two.bsp", status=1)


def corpus():
    return sorted(CORPUS.glob("*/*.bsp"))


def is_plain(path):
    """A zip that python reads: consoles' directories leave out what their heads announce."""
    try:
        files = python_files(path)
    except (zipfile.BadZipFile, NotImplementedError, AssertionError):
        return False
    return len(files) == len(listed(path))


def main(work):
    tried = 0
    for path in [*sorted(pathlib.Path("samples/source").glob("*.bsp")), *corpus()]:
        if b"PAKFILE" not in run("lumps", path) or not lump(path) or not is_plain(path):
            continue
        check_list(path)
        check_extract(path, work)
        check_edit(path, work)
        tried += 1
    check_forms(work)
    check_hostile(work)
    print(f"{tried} maps")
    assert tried >= 3


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
