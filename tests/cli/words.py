# SPDX-License-Identifier: MIT
"""Commands, verbs, options and choices: wrong ones are refused with the nearest right one, all are in
the help, the man page and the completions, and every example of the help does what it says."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BSPKIT = os.environ["BSPKIT"]
SOURCE = pathlib.Path(os.environ["SOURCE"])
SAMPLES = SOURCE / "samples"
QUAKE = str(SAMPLES / "quake/lobby.bsp")
PACKED = str(SAMPLES / "source/lobby.bsp")

# What is given, and what the one line on standard error holds. The exit status is 2.
REFUSED = [
    ("inof", "there is no command 'inof': did you mean 'info'?"),
    ("decompil", "did you mean 'decompile'?"),
    ("--hlep", "did you mean '--help'?"),
    ("--no-sanbdox info x", "did you mean '--no-sandbox'?"),
    ("zork", "there is no command 'zork'; see bspkit help"),
    ("completoin bash", "there is no command 'completoin'; see"),  # hidden: it is not offered
    ("help exprot", "did you mean 'export'?"),
    ("help isues", "did you mean 'issues'?"),
    ("help query leef", "did you mean 'leaf'?"),
    ("help info leaf", "info has no verb 'leaf'"),
    ("help zork zork", "there is no command or topic 'zork'"),
    ("query", "a verb is missing; there are leaf, vis, areas, leak, portals, physics, contents, trace, sight, props, marks, links, nav, light, water, fog, cubemap, face, occluder"),
    ("query leef 0 0 0 {q}", "there is no verb 'leef': did you mean 'leaf'?"),
    ("query zork {q}", "there is no verb 'zork'; there are leaf, vis"),
    ("query vis trace {q}", "query vis: 'trace' is not the number"),
    ("query vis trace none.bsp", "query vis: 'trace' is not the number"),
    ("query leaf 0 0 x none.bsp", "query leaf: 'x' is no number"),
    ("query leaf 0 0 {q}", "query leaf: it takes X Y Z FILE: an operand is missing; see bspkit help query leaf"),
    ("query leaf 0 0 0 0 {q}", "query leaf: too many operands"),
    ("query --mask zork leaf 0 0 0 {q}", "query leaf: there is no option '--mask', which belongs to query trace, query sight"),
    ("query leaf --mask=solid 0 0 0 {q}", "which belongs to query trace, query sight"),
    ("query --mask zork trace {q}", "are called 'zork'"),
    ("dump {q} fces", "there is no lump 'fces': did you mean 'FACES'?"),
    ("lump extract {q} plains", "did you mean 'PLANES'?"),
    ("dump {q} zork", "there is no lump 'zork'; bspkit lumps lists them"),
    ("INFO {q}", "did you mean 'info'?"),
    ("query --hul 0 contents {q}", "there is no option '--hul'"),
    ("query contents --modle 0 {q}", "there is no option '--modle': did you mean '--model'?"),
    ("query light --model 0 0 0 0 {q}", "which belongs to query contents, query trace"),
    ("query vis -x 0 {q}", "there is no option '-x'; see bspkit help query"),
    ("pak --method lzma list {p}", "pak list: there is no option '--method', which belongs to pak add, pak replace"),
    ("pak list --root . {p}", "which belongs to pak add, pak replace"),
    ("pak extract --in-place {p}", "which belongs to pak add, pak replace, pak remove"),
    ("pak remove --json {p} x", "which belongs to pak list"),
    ("pak add --method lzam {p} x -o y", "--method takes stored, deflate or lzma, not 'lzam': did you mean 'lzma'?"),
    ("pak add --methdo lzma {p} x -o y", "did you mean '--method'?"),
    ("pak add --method", "a value is missing for 'method'"),
    ("pak lits {p}", "did you mean 'list'?"),
    ("pak -- lits {p}", "did you mean 'list'?"),
    ("pak remove {p} -o y", "pak remove: it takes FILE GLOB...: an operand is missing"),
    ("lump extract --version 1 {q} faces", "which belongs to lump replace, lump insert"),
    ("lump remove --unpacked {q} faces", "which belongs to lump extract, lump replace, lump insert"),
    ("lump --json extract {q} faces", "which belongs to lump list"),
    ("lump exract {q} faces", "did you mean 'extract'?"),
    ("info --josn {q}", "there is no option '--josn': did you mean '--json'?"),
    ("info --zork=1 {q}", "there is no option '--zork=1'; see bspkit help info"),
    ("info --branch quake4 {q}", "no branch is named 'quake4': did you mean 'quake"),
    ("info --branch doom {q}", "no branch is named 'doom'; bspkit help formats lists them"),
    ("info --limits-of zork {q}", "no game, or more than one, is named 'zork'; bspkit formats --games lists them"),
    ("info --lmp= {q}", "info: --lmp takes FILE, not ''"),
    ("render --game= {q} -o x.png", "render: --game takes DIR, not ''"),
    ("vis --part 3/2 {q} -o x.part", "--part takes K/N, part K from 1 of N at most 65536, not '3/2'"),
    ("export {q} -o x.fbx", "export: -o takes a file that ends in .glb, .gltf or .obj, not 'x.fbx'"),
    ("entities --lump zork --set a=b --index 0 {q} -o x.bsp", "no lump of entities is called 'zork'"),
    ("formats goldscr", "formats: no branch is named 'goldscr': did you mean 'goldsrc'?"),
    ("check --strcit {q}", "did you mean '--strict'?"),
    ("export --units meters {q} -o x.glb", "--units takes metres or game, not 'meters': did you mean 'metres'?"),
    ("export --lightmaps bakde {q} -o x.glb", "did you mean 'baked'?"),
    ("decompile --dialect quake4 {q} -o x.map", "not 'quake4': did you mean 'quake"),
    ("decompile --dialect vfm {q} -o x.map", "primitives or vmf, not 'vfm': did you mean 'vmf'?"),
    ("decompile --brushes plane {q} -o x.map", "did you mean 'planes'?"),
    ("decompile --instances al {q} -o x.map", "unnamed, all or none, not 'al': did you mean 'all'?"),
    ("convert --endian bug {p} -o x.bsp", "--endian takes little or big, not 'bug': did you mean 'big'?"),
    ("decompile --thickness 0 {p} -o x.vmf", "--thickness takes a number from 0.125 to 4096, not '0'"),
    ("decompile --thickness nan {p} -o x.vmf", "not 'nan'"),
    ("decompile --detail-gap 0 {p} -o x.vmf", "--detail-gap takes a number above 0, up to 4096, not '0'"),
    ("render --fov 171 {q} -o x.png", "--fov takes a number from 1 to 170, not '171'"),
    ("render --fov wide {q} -o x.png", "not 'wide'"),
    ("convert --compress gzip {p} -o x.bsp", "--compress takes lzma or none, not 'gzip'"),
    ("light --bounces 0 {q} -o x.bsp", "--bounces takes a number from 1 to"),
]


def run(*words, folder=None, shell=False):
    done = subprocess.run(words[0] if shell else [BSPKIT, *words], cwd=folder, shell=shell,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def check_refused():
    for line, message in REFUSED:
        words = line.format(q=QUAKE, p=PACKED).split()
        status, out, err = run(*words)
        assert status == 2 and not out, (line, status, out)
        assert err.startswith("bspkit: ") and err.count("\n") == 1 and message in err, (line, err)
        assert err.count("did you mean") == message.count("did you mean"), (line, err)


def check_flags():
    version = run("version")[1]
    assert re.fullmatch(r"bspkit \d+\.\d+\.\d+\n", version)
    for flag in ("--version", "-V", "-v"):
        assert run(flag) == (0, version, ""), flag
    assert run("-h") == run("--help") == run("help")
    assert run("info", "-v", QUAKE)[0] == 2  # no option of a command
    # A verb's options may stand before it, and a value is no verb.
    listed = run("pak", "list", PACKED)
    assert listed[0] == 0 and listed == run("pak", "--limit", "work=none", "list", PACKED)
    with tempfile.TemporaryDirectory() as folder:
        assert run("pak", "-o", "list", "list", PACKED, folder=folder)[0] == 0
        assert pathlib.Path(folder, "list").read_text() == listed[1]
    leaf = run("query", "leaf", "-5", "-.5", "20", QUAKE)
    assert leaf[0] == 0 and leaf == run("query", "--json", "leaf", "-5", "-.5", "20", "--", QUAKE)


def commands():
    """Every command, with its verbs."""
    pages = run("manual", "--list")[1].split()
    assert len(pages) == len(set(pages)) > 15
    return {page.removeprefix("bspkit-"): re.findall(rf"^  {page[7:]} (\w+)", run("help", page[7:])[1],
                                                    re.M) if " VERB " in run("help", page[7:])[1] else []
            for page in pages if page != "bspkit"}


def option_names(text):
    return re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", text, re.M)


def check_synopsis(text):
    """It holds every option but --help, whole, and ends in the operands; no line is wider than a terminal."""
    assert all(len(line) <= 80 for line in text.partition("\nExamples:\n")[0].splitlines()), text
    lines = text.partition("\n\n")[0].splitlines()
    assert all(line.count("[") == line.count("]") for line in lines), lines
    whole = " ".join(line.strip() for line in lines)
    for letter, name in re.findall(r"^  (?:(-\w), |    )(--[a-z0-9-]+)", text.partition("\nOptions:\n")[2], re.M):
        assert name == "--help" or f"[{letter or name}" in whole or " VERB " in whole, (name, whole)
    operands = re.sub(r" \[--?[a-z][^]]*\](\.\.\.)?", "", whole)
    assert re.search(r"[A-Z]", operands) or operands == "bspkit version", whole


def check_help(table):
    assert table["query"] == ["leaf", "vis", "areas", "leak", "portals", "physics", "contents", "trace", "sight", "props", "marks", "links", "nav", "light", "water", "fog", "cubemap", "face", "occluder"], table
    assert table["pak"] == ["list", "extract", "add", "replace", "remove", "rename"]
    assert table["lump"] == ["list", "extract", "replace", "insert", "remove"]
    overview = run("help")[1]
    assert all(len(line) <= 80 for line in overview.splitlines()), overview
    titles = [line[:-1] for line in overview.splitlines() if re.fullmatch(r"\w.*:", line)]
    assert titles[:8] == ["Look at a map", "Ask about its space", "Check and compare",
                          "Extract what is in it", "Give back its source", "Change it",
                          "Work with many maps", "About bspkit"], titles
    for command, verbs in table.items():
        assert len(re.findall(rf"^  {command} +[A-Z]", overview, re.M)) >= 1, command
        whole = run("help", command)[1]
        check_synopsis(whole)
        page = run("manual", f"bspkit-{command}")[1]
        assert whole == run(command, "--help")[1] == run(command, "-h")[1]
        assert len(examples(whole)) == 2, command
        for verb in verbs:
            text = run("help", command, verb)[1]
            check_synopsis(text)
            assert text == run(command, verb, "--help")[1], verb
            assert text.startswith(f"bspkit {command} {verb} ") and len(examples(text)) == 2
            assert f"## bspkit {command} {verb} " in page
            for name in option_names(text):
                assert name in option_names(whole), (command, verb, name)
                assert f"*{name}*" in page, (command, verb, name)
        if verbs:
            assert set(option_names(whole)) == {
                name for verb in verbs for name in option_names(run("help", command, verb)[1])}
    text = run("help", "export")[1]
    assert re.search(r"^ +metres +39.37 game units", text, re.M)
    assert re.search(r"^ +vertex +as vertex colours", text, re.M)


def check_keys():
    """The help names every key of the JSON of these."""
    for command in ("vis", "light"):
        status, out, _ = run(command, "--check", "--json", QUAKE)
        named = run("help", command)[1].partition("Keys of --check --json:")[2].partition("\n\n")[0]
        assert status == 0 and set(json.loads(out)) <= set(re.findall(r"[a-z_]+", named)), (command, named, out)


def examples(text):
    part = text.partition("\nExamples:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in part.splitlines()]


def prepare(folder):
    """What the examples speak of: maps of Quake and of Source, and files that go into them."""
    (folder / "maps").mkdir()
    (folder / "content").mkdir()
    shutil.copy(SAMPLES / "quake/lobby_bspx.bsp", folder / "maps/start.bsp")
    shutil.copy(PACKED, folder / "maps/source.bsp")
    shutil.copy(SAMPLES / "source/lobby.nav", folder / "maps/source.nav")
    (folder / "points.tsv").write_text("0 0 64\n")
    (folder / "segments.tsv").write_text("0 0 64 0 0 -4096\n")
    (folder / "boxes.tsv").write_text("0 0 64 8 8 8 9 9 9\n")
    (folder / "pairs.tsv").write_text("0 0 64 0 0 128\n")
    (folder / "notes.txt").write_text("made by hand\n")
    (folder / "extra").mkdir()
    (folder / "extra/readme.txt").write_text("a file\n")
    assert run("entities", "maps/start.bsp", "-o", "new.ent", folder=folder)[0] == 0
    assert run("pak", "extract", "maps/source.bsp", "-o", "content", folder=folder)[0] == 0
    assert run("index", "maps.db", "maps", folder=folder)[0] == 0


def check_examples(table):
    count = 0
    names = [(command, *verb) for command, verbs in table.items()
             for verb in [()] + [(verb,) for verb in verbs]]
    with tempfile.TemporaryDirectory() as place:
        fresh = pathlib.Path(place, "fresh")
        fresh.mkdir()
        prepare(fresh)
        for name in names:
            for line in examples(run("help", *name)[1]):
                folder = pathlib.Path(place, str(count))
                shutil.copytree(fresh, folder)
                assert re.search(r"\bbspkit ", line), line
                call = re.sub(r"\bbspkit\b", lambda _: f"'{BSPKIT}'", line, count=1)
                status, _, err = run(f"PATH=/nowhere:$PATH; {call}", folder=folder, shell=True)
                if name[0] == "view" and "page is not installed" in err:
                    assert status == 3
                    shutil.rmtree(folder)
                    continue
                assert status in (0, 1), (line, status, err)
                assert status == 0 or name[0] in ("check", "diff", "assets", "textures", "export",
                                                  "render", "decompile"), (line, status, err)
                shutil.rmtree(folder)
                count += 1
    return count


# What is typed, and what bash offers for its last word: all of the list, or these among others.
COMPLETED = [
    ("inf", ["info"]),
    ("--v", ["--version"]),
    ("query ", ["leaf", "vis", "areas", "leak", "portals", "physics", "contents", "trace", "sight", "props", "marks", "links", "nav", "light", "water", "fog", "cubemap", "face", "occluder"]),
    ("query t", ["trace"]),
    ("query trace --ma", ["--mask"]),
    ("query leaf --ma", []),
    ("pak a", ["add"]),
    ("pak add --me", ["--method"]),
    ("pak add --method ", ["stored", "deflate", "lzma"]),
    ("pak add --method=", ["stored", "deflate", "lzma"]),
    ("pak add --method=l", ["lzma"]),
    ("pak list --me", []),
    ("--no-sandbox pak l", ["list"]),
    ("export --units ", ["metres", "game"]),
    ("export -u g", ["game"]),
    ("decompile -d v", ["valve220", "vmf"]),
    ("convert --endian ", ["little", "big"]),
    ("convert --to bsp", ["bsp2"]),
    ("help query ", ["leaf", "vis", "areas", "leak", "portals", "physics", "contents", "trace", "sight", "props", "marks", "links", "nav", "light", "water", "fog", "cubemap", "face", "occluder"]),
    ("help quer", ["query"]),
    ("help --m", ["--markdown"]),
    ("formats qbi", ["qbism"]),
    ("formats --ga", ["--games"]),
    ("dump {p} lea", ["LEAFS", "LEAFFACES", "LEAFBRUSHES"]),
    ("dump {p} game:", ["sprp"]),
    ("dump {p} game:sp", ["sprp"]),
    ("lump extract {q} bspx:RGB", ["RGBLIGHTING"]),
    ("lump extract {q} fa", ["FACES"]),
    ("lump extract {q} BSPX:rgb", ["RGBLIGHTING"]),
    ("lump insert {q} fa", []),
    ("pak extract {p} MATERIALS/lobby/floor1.vm", ["materials/lobby/floor1.vmt"]),
    ("pak add {p} mat", []),
]


def complete(script, line):
    """COMPREPLY of bash for a line, whose words are cut as bash cuts them."""
    text = "bspkit " + line
    words = [word for word in re.findall(r"[^\s=:]+|[=:]", text)]
    if text.endswith((" ", "=", ":")):
        words.append("") if text.endswith(" ") else None
    quoted = " ".join("'" + word + "'" for word in words)
    program = (f". '{script}'; compopt() {{ :; }}; COMP_WORDS=({quoted}); "
               f"COMP_CWORD={len(words) - 1}; COMP_WORDS[0]='{BSPKIT}'; _bspkit; "
               "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, (line, done)
    return done.stdout.split()


def check_completion():
    if shutil.which("bash") is None:
        print("bash is not there: its completion is not run")
        return
    with tempfile.TemporaryDirectory() as place:
        script = pathlib.Path(place, "bspkit.bash")
        script.write_text(run("completion", "bash")[1])
        quake = str(SAMPLES / "quake/lobby_bspx.bsp")
        for line, wanted in COMPLETED:
            found = complete(script, line.format(q=quake, p=PACKED))
            assert set(wanted) <= set(found) if "dump" in line else wanted == found, \
                (line, wanted, found)
        # Names out of a map come to the shell as words, not as commands.
        evil = pathlib.Path(place, "evil.bsp")
        data = pathlib.Path(place, "data")
        data.write_bytes(b"x")
        name = "bspx:$(touch${IFS}x)"
        status = run("lump", "insert", quake, name, str(data), "-o", str(evil), "--force")[0]
        assert status == 0 and name in run("lumps", str(evil))[1]
        assert name not in run("completion", "lumps", str(evil))[1]
        assert "touch" not in "".join(complete(script, f"dump {evil} bspx:"))


check_refused()
check_flags()
TABLE = commands()
check_help(TABLE)
check_keys()
check_completion()
print(f"{len(REFUSED)} forms refused, {check_examples(TABLE)} examples run")
sys.exit(0)
