# SPDX-License-Identifier: MIT
"""Makes the manual: build/manual/index.html out of docs/, the headers and the help of each command, with
Doxygen; then looks whether every link inside it leads somewhere, and that no page loads a script or
anything from elsewhere. usage: manual.py BSPKIT FOLDER"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BSPKIT, OUT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FUNCTIONS = {match for header in (ROOT / "include/bspkit").glob("*.h")
             for match in re.findall(r"^BSP_API[^;(]*?\b(bsp_\w+)\(", header.read_text(), re.M)}
FUNCTION = re.compile(r"\b(" + "|".join(sorted(FUNCTIONS, key=len, reverse=True)) + r")\b(?![(\w])")
FENCE = re.compile(r"^```.*?^```\n", re.S | re.M)
HEADER = """<!DOCTYPE html>
<html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width">
<title>$projectname: $title</title><link href="$relpath^doxygen.css" rel="stylesheet">
<link href="$relpath^manual.css" rel="stylesheet"></head><body><nav><b>bspkit</b>
<a href="$relpath^index.html">Start</a> <a href="$relpath^guide.html">Guide</a>
<a href="$relpath^headers.html">Headers</a> <a href="$relpath^globals.html">Names</a>
<a href="$relpath^commands.html">Commands</a> <a href="$relpath^formats.html">Formats</a>
<a href="$relpath^issues.html">Problems</a> <a href="$relpath^glossary.html">Glossary</a>
<a href="$relpath^architecture.html">Architecture</a> <a href="$relpath^sheets_README.html">Sheets</a>
</nav><div id="top">
"""
FOOTER = "<hr><p>bspkit $projectnumber. MIT licence.</p></body></html>\n"
STYLE = """body { max-width: 62em; margin: 0 auto; padding: 0 1em 4em; font: 16px/1.5 sans-serif; }
nav { padding: .6em 0; border-bottom: 1px solid #bbb; } nav a, nav b { margin-right: 1em; }
div.contents, div.header { margin: 0; } table.markdownTable td { vertical-align: top; }
div.title { font-size: 1.7em; margin: .3em 0; } h1 { font-size: 1.4em; } h2, h3 { font-size: 1.15em; }
div.headertitle { padding: 0; } div.header { background: none; border: none; }
img { max-width: 100%; } pre.fragment, div.fragment { font-size: 14px; overflow-x: auto; padding: .5em .8em; margin: .8em 0; }
div.line { font-size: 14px; line-height: 1.35; }
"""


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_name(path):
    return "index" if path == pathlib.Path("README.md") else str(path.with_suffix("")).replace("/", "_")


def page_text(path, known):
    """A page with a label on each heading, and links to the HTML of other pages."""
    name = page_name(path)
    blocks = []

    def keep(match):
        blocks.append(match[0])
        return f"\0{len(blocks) - 1}\0"

    def link(match):
        target, _, anchor = match[2].partition("#")
        if re.match(r"[a-z]+:", match[2]):
            return match[0]
        to = pathlib.Path(os.path.normpath(path.parent / target)) if target else path
        if match[1].startswith("!"):
            return f"{match[1]}({to.name})"
        if to == pathlib.Path("formats"):
            return f"{match[1]}(formats.html)"
        if to not in known:
            return match[1][1:-1]  # a file of the repository, no page
        page = page_name(to)
        return f"{match[1]}({page}.html{'#' + page + '-' + anchor if anchor else ''})"

    text = FENCE.sub(keep, (ROOT / "docs" / path).read_text())
    text = re.sub(r"^<!--.*-->\n", "", text, flags=re.M)
    text = re.sub(r"`(bsp_\w+)`", lambda m: m[1] + "()" if m[1] in FUNCTIONS else m[0], text)
    text = re.sub(r"(!?\[[^\]]*\])\(([^)\s]+)\)", link, text)
    label = f" {{#{name}}}" if name != "index" else " {#mainpage}"
    # "# 4. Space" would begin a list.
    text = re.sub(r"^# (\d*)\.?(.*)$", lambda m: f"# {m[1]}{':' if m[1] else ''}{m[2]}{label}", text, count=1,
                  flags=re.M)
    used = {}

    def heading(match):  # of headings with one text, later ones have a number, as GitHub gives them
        label_of = f"{name}-{slug(match[2])}"
        used[label_of] = used.get(label_of, -1) + 1
        return f"{match[1]} {match[2]} {{#{label_of}{'-' + str(used[label_of]) if used[label_of] else ''}}}"

    text = re.sub(r"^(##+) (.*)$", heading, text, flags=re.M)
    text = "".join(part if part.startswith("`") else re.sub(r"--(?=\w)", r"\\--", part)
                   for part in re.split(r"(`[^`]*`)", text))
    return re.sub(r"\0(\d+)\0", lambda m: re.sub(r"\A```\n", "```{.unparsed}\n", blocks[int(m[1])]), text)


def ask(*arguments):
    return subprocess.run([BSPKIT, *arguments], capture_output=True, check=True, text=True).stdout


def command_pages(work):
    """A page for each command, from the text of its manual page."""
    names = ask("manual", "--list").split()
    index = "# The commands {#commands}\n\n| page | what it does |\n|---|---|\n"
    for name in names:
        text = ask("manual", name)
        what = re.search(r"^\S+ - (.*)$", text, re.M)[1]
        index += f"| [{name.replace('-', ' ', 1)}](command_{name}.html) | {what} |\n"
        (work / f"command_{name}.md").write_text(
            f"# {name} {{#command_{name}}}\n\n" + manual_markdown(text.split("\n", 2)[2]))
    (work / "commands.md").write_text(index)


def manual_markdown(text):
    """scdoc to Markdown: sections, options as a list, indented examples as blocks."""
    out = []
    for line in text.split("\n"):
        line = re.sub(r"\\([^\\])", r"\1", line) if line.startswith("\t") else line
        if re.match(r"# [A-Z ]+$", line):
            out.append("\n## " + line[2:].capitalize() + "\n")
        elif line.startswith("## "):
            text = line[3:].replace("\\", "")
            out.append(f"\n### `{text}`\n" if text.startswith("bspkit ") else f"\n### {escape(text)}\n")
        elif line.startswith("\t") and out and re.match(r"- ", out[-1]):
            out[-1] += ": " + escape(line.strip())
        elif line.startswith("\t"):
            out.append("    " + line[1:])
        elif line.startswith("bspkit ") and "\n## Synopsis\n" in out[-3:]:
            out.append("```{.unparsed}\n" + line.replace("\\", "") + "\n```")
        elif re.match(r"\*[^*]+\*", line):
            out.append("- " + re.sub(r"\*([^*]+)\*", r"`\1`", line).replace("\\", ""))
        else:
            out.append(escape(line.replace("\\", "")))
    return "\n".join(out) + "\n"


def escape(text):
    """Prose of a manual page: *word* is code, and *bspkit-info*(1) a link."""
    out = ""
    for part in re.split(r"(\*[^*\s]+\*(?:\(1\))?)", text):
        name = re.fullmatch(r"\*([^*]+)\*(\(1\))?", part)
        if name and name[2] and name[1].startswith("bspkit"):
            out += f"[{name[1]}](command_{name[1]}.html)"
        elif name:
            out += f"`{name[1]}`"
        else:
            out += re.sub(r"--(?=\w)", r"\\--", re.sub(r"([<>#@*_])", r"\\\1", part))
    return out


def title(path):
    return re.search(r"^# (.*)$", path.read_text(), re.M)[1]


def guide_pages(work):
    """The list of chapters, and at the end of each a link to the next."""
    chapters = sorted((ROOT / "docs/guide").glob("*.md"))
    index = "# The guide {#guide}\n\nTen short chapters; read them in order.\n\n"
    for chapter, following in zip(chapters, [*chapters[1:], None]):
        index += f"- [{title(chapter)}](guide_{chapter.stem}.html)\n"
        if following:
            with (work / f"guide_{chapter.stem}.md").open("a") as page:
                page.write(f"\n\nNext: [{title(following)}](guide_{following.stem}.html)\n")
    (work / "guide.md").write_text(index)


def header_page(work):
    """The headers, with the first sentence of each."""
    text = "# The headers {#headers}\n\n| header | what it is for |\n|---|---|\n"
    for header in sorted((ROOT / "include/bspkit").glob("*.h")):
        about = re.search(r"^/// @file.*\n((?:/// .*\n)+)", header.read_text(), re.M)
        if about:
            what = re.sub(r"\s+", " ", about[1].replace("///", " ")).strip()
            what = re.split(r"(?<=\w[.])\s", what)[0]
            stem = header.stem.replace("_", "__")  # as Doxygen names files
            text += f"| [{header.name}]({stem}_8h.html) | {what} |\n"
    (work / "headers.md").write_text(text)


def copy_headers(folder):
    """The headers, with "()" after the names of functions in comments: Doxygen links those."""
    folder.mkdir(parents=True)
    for header in (ROOT / "include/bspkit").glob("*.h"):
        lines = header.read_text().split("\n")
        for i, line in enumerate(lines):
            code, slashes, comment = line.partition("///")
            lines[i] = code + slashes + FUNCTION.sub(r"\1()", comment)
        (folder / header.name).write_text("\n".join(lines))


def prepare(work):
    copy_headers(work / "include/bspkit")
    pages = [p.relative_to(ROOT / "docs") for p in (ROOT / "docs").rglob("*.md")]
    for path in sorted(pages):
        (work / f"{page_name(path)}.md").write_text(page_text(path, set(pages)))
    guide_pages(work)
    header_page(work)
    names = sorted(p.stem for p in pages if p.parent == pathlib.Path("formats"))
    (work / "formats.md").write_text("# The formats {#formats}\n\nA page for each branch, from the tables.\n\n"
                                     + "".join(f"- [{n}](formats_{n}.html)\n" for n in names))
    command_pages(work)
    (work / "header.html").write_text(HEADER)
    (work / "footer.html").write_text(FOOTER)
    (work / "manual.css").write_text(STYLE)
    parts = re.findall(r"^#define BSP_VERSION_\w+ (\d+)", (ROOT / "include/bspkit/core.h").read_text(), re.M)
    version = ".".join(parts)
    (work / "Doxyfile").write_text(
        (ROOT / "docs/Doxyfile").read_text() + f"""
PROJECT_NUMBER = {version}
INPUT = {work} {work}/include/bspkit
FILE_PATTERNS = *.md *.h
STRIP_FROM_PATH = {work}/include {work}
OUTPUT_DIRECTORY = {OUT}
IMAGE_PATH = {ROOT}/docs/pictures
HTML_HEADER = {work}/header.html
HTML_FOOTER = {work}/footer.html
HTML_EXTRA_FILES = {work}/manual.css
""")


class Page(html.parser.HTMLParser):
    """Names and links of a page, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.names |= {a[key] for key in ("id", "name") if a.get(key)}
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        elif tag == "script":
            self.loads.append("a script")
        for key in ("src", "srcset", "data") + (("href",) if tag == "link" else ()):
            if a.get(key):
                self.links.append(a[key])
                if re.match(r"(\w+:)?//", a[key]):
                    self.loads.append(a[key])


def check():
    pages = {path.name: Page(path.read_text()) for path in OUT.glob("*.html")}
    problems = []
    count = 0
    for name, page in sorted(pages.items()):
        problems += [f"{name}: loads {what}" for what in page.loads]
        for link in page.links:
            if re.match(r"\w+:", link):
                continue
            count += 1
            target, _, anchor = link.partition("#")
            target = target or name
            if not (OUT / target).exists():
                problems.append(f"{name}: no file {link}")
            elif anchor and target in pages and anchor not in pages[target].names:
                problems.append(f"{name}: no place {link}")
    for problem in problems[:50]:
        print(problem)
    print(f"{OUT}/index.html: {len(pages)} pages, {count} links, {len(problems)} problems")
    return not problems and len(pages) > 100


with tempfile.TemporaryDirectory() as folder:
    prepare(pathlib.Path(folder))
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    done = subprocess.run(["doxygen", f"{folder}/Doxyfile"], check=False)
    for script in OUT.glob("*.js"):
        script.unlink()  # Doxygen brings them along; the header loads none
sys.exit(0 if check() and done.returncode == 0 else 1)
