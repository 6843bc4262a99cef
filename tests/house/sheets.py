# SPDX-License-Identifier: MIT
"""Each citation of a sheet in a comment ("sheet outputs, section 2.1", "sheets quake2 (4) and outputs (3)")
names a page of docs/sheets and a section that stands in it."""
import pathlib
import re
import sys

SECTIONS = r"(?: \(([\d., ]+)\)|,? sections? ((?:\d[\d.]*(?:, | and | to )?)+)|,? (\d[\d.]*)(?=[ );,.]))?"
NAME = re.compile(r"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:\.md)?" + SECTIONS + r"(?=\W)")
NEXT = re.compile(r"(, and |,? and |, )(?=[a-z])")
sheets = {p.stem: set(re.findall(r"^##+ (\d[\d.]*?)\.? ", p.read_text(), re.M))
          for p in pathlib.Path("docs/sheets").glob("*.md") if p.stem != "README"}
problems = []
cited = 0


def comments(text):
    """Each comment as one line, with the number of its first."""
    for match in re.finditer(r"(?:^[ \t]*///?.*\n?)+|//.*", text, re.M):
        flat = re.sub(r"\s*\n?[ \t]*///?[<]? ?", " ", match[0])
        yield text.count("\n", 0, match.start()) + 1, flat


def check(path, line, text):
    """The names and sections that follow the word "sheet" or "sheets"."""
    global cited
    for start in re.finditer(r"\b(sheets?) (?=[a-z])", text):
        at = start.end()
        many = start[1] == "sheets"
        while True:
            match = NAME.match(text + " ", at)
            if not match or match[1] not in sheets:
                if at == start.end() and match[1] not in ("of", "has", "is"):
                    problems.append(f"{path}:{line}: no sheet {match[1]}")
                break
            cited += 1
            for section in re.findall(r"\d[\d.]*\d|\d", " ".join(filter(None, match.groups()[1:]))):
                if section not in sheets[match[1]]:
                    problems.append(f"{path}:{line}: sheet {match[1]} has no section {section}")
            more = NEXT.match(text, match.end())
            if not more or not many:
                break
            at = more.end()


for source in [*pathlib.Path("src").rglob("*.[ch]"), *pathlib.Path("include").rglob("*.h")]:
    if source.stem != "sheet":
        for number, comment in comments(source.read_text()):
            check(source, number, comment)
for problem in problems:
    print(problem)
print(cited, "citations of", len(sheets), "sheets")
assert cited > 90, "the search finds nothing"
sys.exit(1 if problems else 0)
