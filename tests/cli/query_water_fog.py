# SPDX-License-Identifier: MIT
"""query water: the fog under water is what the material of the surface says, in each way of writing a
colour; a material that is not found, or says nothing, adds nothing."""
import json
import os
import pathlib
import subprocess
import tempfile

BSPKIT = os.environ["BSPKIT"]
SAMPLE = "samples/source/lobby.bsp"
WET = ("64", "192", "-12")


def ask(*words):
    done = subprocess.run([BSPKIT, "query", "water", *WET, SAMPLE, *words], capture_output=True, check=True)
    return json.loads(done.stdout)


def said(folder, name, text):
    path = pathlib.Path(folder) / "materials" / f"{name}.vmt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return ask("-g", folder)


def main():
    plain = ask()
    assert plain["wet"] and plain["volume"] == 1 and plain["material"], plain
    name = plain["material"].lower()
    with tempfile.TemporaryDirectory() as folder:
        assert ask("-g", folder) == plain
        for color, wanted in (("{ 255 0 51 }", [1, 0, 0.2]), ("{255 0 51}", [1, 0, 0.2]),
                              ("[ .5 1 0.25 ]", [0.5, 1, 0.25]), ("{ 1 2", None), ("blue", None)):
            fog = said(folder, name, '"Water"\n{\n"$fogenable" "1"\n"$fogcolor" "%s"\n'
                       '"$fogstart" "-10"\n"$fogend" "480"\n}\n' % color).get("fog")
            assert fog is not None, said
            got = fog.pop("color", None)
            assert fog == {"enabled": True, "start": -10, "end": 480}, fog
            assert got is None if wanted is None else max(abs(a - b) for a, b in zip(got, wanted)) < 1e-6, got
        assert said(folder, name, '"Water" { "$fogenable" "0" }')["fog"] == {"enabled": False}
        assert said(folder, name, '"Water" { }')["fog"] == {}
        assert said(folder, name, "{{{").get("fog") in (None, {})


main()
