# SPDX-License-Identifier: MIT
"""docs/lumps.md: each command that it names exists, and its help has the options and keys that stand
after it; each lump that it names is one of the tables."""
import os
import pathlib
import re
import subprocess

BSPKIT = os.environ["BSPKIT"]
PAGE = pathlib.Path("docs/lumps.md")


def run(*words):
    return subprocess.run([BSPKIT, *words], capture_output=True, text=True, check=False)


def help_of(words, known={}):
    if words not in known:
        known[words] = run(*(words if words.startswith("help ") else f"help {words}").split())
    return known[words]


def spans(text):
    return re.findall(r"`([^`]+)`", text)


def rows():
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] != "what" and not cells[0].startswith("---"):
            assert len(cells) == 4, line
            yield cells


def check_commands(cell):
    command, count = None, 0
    for span in re.findall(r"\(([^)]*)\)|`([^`]+)`", cell):
        if span[1]:
            command = span[1]
            done = help_of(command)
            assert done.returncode == 0, (command, done.stderr)
            count += 1
        else:
            text = " ".join(help_of(command).stdout.split())
            for word in spans(span[0]):
                assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text), (command, word)
    return count


def check_lumps(names, known):
    for name in names:
        assert name in known or not re.fullmatch(r"[A-Z_]{4,}|d?pr?[a-z]{2,3}|sprp", name), name


def main():
    known = set()
    for page in pathlib.Path("docs/formats").glob("*.md"):
        known.update(spans(page.read_text()))
    count = commands = 0
    for what, _, used, seen in rows():
        check_lumps(spans(what), known)
        found = check_commands(seen)
        assert found or used == "nothing", what
        commands += found
        count += 1
    assert count >= 40 and commands >= 60, (count, commands)
    check_notes()


def check_notes():
    """Lumps that are left as bytes say why: as text, on their page, and as JSON."""
    for branch, lump in (("left4dead2", "PROP_BLOB"), ("left4dead2", "PHYSLEVEL"),
                         ("source_20", "XZIPPAKFILE"), ("infra", "PRIMITIVES")):
        page = pathlib.Path(f"docs/formats/{branch}.md").read_text()
        text = " ".join(run("formats", branch).stdout.split())
        assert re.search(rf"`{lump}` \(\d+\) is left as bytes\. [A-Z].*\.", page.replace("\n", " ")), branch
        assert re.search(rf"{lump} \(\d+\) is left as bytes\. [A-Z]", text), branch
        assert f'"name":"{lump}","kind":"bytes","note":"' in run("formats", "--json", branch).stdout, branch


main()
