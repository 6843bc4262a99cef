# SPDX-License-Identifier: MIT
"""bspkit view: the page has the map and the files of the game that it names, byte for byte, where the
viewer looks for them, and is otherwise the page that was given."""
import base64
import gzip
import json
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.parse

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
MARK = "<!--bspkit-files-->"
FILE = re.compile(r'<script type="text/plain" data-packing="gzip" data-file="([^"]*)">([A-Za-z0-9+/=]*)</script>\n')


def run(*words, status=0, **options):
    done = subprocess.run([BSPKIT, "view", *map(str, words)], capture_output=True, check=False, **options)
    assert done.returncode == status, (words, done)
    return done.stderr.decode()


def files_of(page, head, tail):
    text = page.read_text()
    assert text.startswith(head) and text.endswith(MARK + tail)
    inner = text[len(head):-len(MARK + tail)]
    assert FILE.sub("", inner) == ""
    return {urllib.parse.unquote(name): gzip.decompress(base64.b64decode(data, validate=True))
            for name, data in FILE.findall(inner)}


def check_files(folder, page, head, tail):
    for family, more in (("quake", {"gfx/palette.lmp"}), ("goldsrc", {"textures/lobby.wad"}),
                         ("quake3", {"textures/lobby/brick1.tga"}), ("source", set())):
        game = SAMPLES / family
        out = folder / f"{family}.html"
        run("--page", page, "--game", game, game / "lobby.bsp", "-o", out)
        files = files_of(out, head, tail)
        assert files.pop("lobby.bsp") == (game / "lobby.bsp").read_bytes()
        assert {f"game/{name}" for name in more} <= set(files), (family, sorted(files))
        # The files beside the map that belong to it: the page has them where the library looks.
        beside = {name for name in files if not name.startswith("game/")}
        assert beside == {path.name for ending in ("lit", "nav") for path in game.glob(f"lobby.{ending}")}, (family, beside)
        for name, data in files.items():
            own = [path for path in game.rglob("*") if str(path.relative_to(game)).lower() ==
                   name.removeprefix("game/").lower()]
            assert own and own[0].read_bytes() == data, name
        told = subprocess.run([BSPKIT, "assets", "--json", "--game", game, game / "lobby.bsp"], capture_output=True,
                              check=False).stdout
        for asset in json.loads(told)["assets"]:
            if asset["found"] not in (None, "pak") and asset["kind"] not in ("sound", "music", "wad") and \
                    not asset["name"].endswith(".mip"):
                assert f"game/{asset['name']}" in files, asset


def check_sizes(folder, page, head, tail):
    """Each number of bytes after the last whole group of Base64, and names that are no plain text."""
    strange = folder / ("a'&b %é.bsp" if os.environ.get("WINDOWS") else 'a"<b> %é.bsp')
    strange.write_bytes((SAMPLES / "quake/lobby.bsp").read_bytes())
    run("--page", page, strange, "-o", folder / "strange.html")
    assert list(files_of(folder / "strange.html", head, tail)) == [strange.name]


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        page = folder / "page.html"
        head, tail = "<!doctype html><!-- <!--bspkit <p>before</p>\n", "\n<p>after</p>"
        page.write_text(head + MARK + tail)
        check_files(folder, page, head, tail)
        check_sizes(folder, page, head, tail)
        lobby = SAMPLES / "quake/lobby.bsp"
        other = folder / "other.html"
        other.write_text("<p>no page of the viewer</p>")
        assert f"{other}: the page is none of bspkit view" in run("--page", other, lobby, "-o", folder / "x.html", status=3)
        assert "--output" in run("--page", page, lobby, status=2)
        run("--page", folder / "not there", lobby, "-o", folder / "x.html", status=3)
        run("--page", page, folder / "not there.bsp", "-o", folder / "x.html", status=3)
        assert not (folder / "x.html").exists()


if __name__ == "__main__":
    main()
