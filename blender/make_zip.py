# SPDX-License-Identifier: MIT
"""Packs the Blender add-on: make_zip.py OUT.zip [LICENCES-FOLDER...] LIBRARY.so|.dll...

The zip holds the add-on's own files, what scripts/bindings.py makes out of the headers, the libraries under
the names that native.py looks for, and licences. The same inputs give the same bytes."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "io_import_bsp"
CALLED = {".so": "libbspkit.so", ".dll": "bspkit.dll"}


def files(given, made):
    """The name in the zip, and the file, of each."""
    for source in sorted((ROOT / "blender" / NAME).iterdir()):
        if source.suffix in (".py", ".toml") and source.name != "_generated.py":
            yield source.name, source
    yield "_generated.py", made
    yield "LICENSE", ROOT / "LICENSE"
    for path in given:
        if path.is_dir():
            for licence in sorted(path.iterdir()):
                yield f"licences/{path.parent.name}/{licence.name}", licence
        else:
            yield CALLED[".dll" if path.suffix == ".dll" else ".so"], path


def main():
    target, given = pathlib.Path(sys.argv[1]), [pathlib.Path(word) for word in sys.argv[2:]]
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "_generated.py"
        subprocess.run([sys.executable, ROOT / "scripts" / "bindings.py", "--ctypes", made], check=True)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
            for name, path in files(given, made):
                entry = zipfile.ZipInfo(f"{NAME}/{name}", date)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                out.writestr(entry, path.read_bytes())
    print(f"{target}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
