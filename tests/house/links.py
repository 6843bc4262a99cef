# SPDX-License-Identifier: MIT
"""What the pages name is there: each relative link of a Markdown page leads to a file and a heading, and
each path of the repository in backticks exists."""
import pathlib
import re
import sys

PAGES = [*pathlib.Path(".").glob("*.md"), *pathlib.Path("docs").rglob("*.md")]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATHS = re.compile(r"`((?:src|include|tests|scripts|cmake|docs|examples|samples|fuzz|bench)/[\w./-]*)`")
FENCE = re.compile(r"^```.*?^```", re.S | re.M)


def anchors(page):
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.M):
        text = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(text)
    return found


problems = []
links = paths = 0
for page in sorted(PAGES):
    text = FENCE.sub("", page.read_text())
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        if not file.exists():
            problems.append(f"{page}: no file {target}")
        elif anchor and anchor not in anchors(file):
            problems.append(f"{page}: no heading {target}")
    for path in PATHS.findall(text):
        paths += 1
        if not pathlib.Path(path).exists():
            problems.append(f"{page}: no path {path}")
for problem in problems:
    print(problem)
print(len(PAGES), "pages,", links, "links,", paths, "paths")
assert len(PAGES) > 60 and links > 15 and paths > 15, "the search finds nothing"
sys.exit(1 if problems else 0)
