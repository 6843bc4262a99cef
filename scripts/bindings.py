# SPDX-License-Identifier: MIT
"""Describes the library for bindings: reads the public headers (headers.py) and the manifest of the map
(src/formats/map_manifest.h) and writes to a folder

  bspkit.json    structs with sizes and offsets, enums, constants, callbacks and functions with their
                 comments, and what the map holds: each array with its count, element, table and the
                 members that files store
  bspkit_cdef.h  the same declarations as plain C, for cffi
  check.c        a file that compiles only if a compiler sees every integer and type of the
                 description in the headers as well; it is compiled here

--pointer 4 describes a machine with pointers of 4 bytes; --cc none leaves check.c to the caller. The
kinds of types stand at the top of headers.py. Offsets follow the usual rule of C: each member at the
next multiple of its alignment."""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

import ctypes_module
import headers
import typescript

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = {"void": 1, "bool": 1, "char": 1, "int": 4, "unsigned": 4, "float": 4, "double": 8,
         **{f"{sign}int{8 * size}_t": size for sign in ("", "u") for size in (1, 2, 4, 8)}}


# --- sizes and offsets --------------------------------------------------------------------------

def measure(type_, api, pointer):
    """Size and alignment of a type."""
    kind = type_["kind"]
    if kind in ("pointer", "callback") or type_.get("name") == "size_t":
        return pointer, pointer
    if kind == "array":
        size, align = measure(type_["of"], api, pointer)
        return size * type_["length"], align
    if kind == "enum":
        return 4, 4
    if kind == "scalar":
        return SIZES[type_["name"]], SIZES[type_["name"]]
    struct = api["structs"][type_["name"]]
    if "size" not in struct:
        place(struct, api, pointer)
    return struct["size"], struct["align"]


def place(struct, api, pointer):
    """Fills size and alignment of a struct, and the offsets and sizes of its members."""
    at, align = 0, 1
    for member in struct["members"]:
        size, own = measure(member["type"], api, pointer)
        at = -(-at // own) * own
        member.update(offset=at, size=size)
        at, align = at + size, max(align, own)
    struct.update(size=-(-at // align) * align, align=align)


# --- the manifest -------------------------------------------------------------------------------

def rows(text):
    """Calls NAME(argument, ...) one after the other: names, and arguments as text."""
    out, at = [], 0
    while match := re.compile(r"\s*(\w+)\(").match(text, at):
        depth, start, at, arguments = 1, match.end(), match.end(), []
        quoted = False
        while depth:
            letter = text[at]
            quoted ^= letter == '"'
            depth += 0 if quoted else {"(": 1, ")": -1}.get(letter, 0)
            if not quoted and (depth == 0 or depth == 1 and letter == ","):
                arguments.append(text[start:at].strip())
                start = at + 1
            at += 1
        out.append((match[1], arguments))
    if text[at:].strip():
        raise SyntaxError(f"the manifest has {text[at:].strip()[:60]}")
    return out


def read_manifest(path):
    # Directives that the manifest makes its defaults with are no constants.
    text = re.sub(r"^#(ifndef|endif|undef|define \w+\(\.\.\.\)).*$", "", path.read_text(), flags=re.M)
    text, _ = headers.macros(re.sub(r"//.*", "", text), {})
    return rows(text)


def unquote(text):
    return json.loads(text)


class Map:
    """What the map holds, with offsets."""

    def __init__(self, api, manifest):
        self.api = api
        self.ids = {v["name"]: v["value"] for v in api["enums"]["bsp_table_id"]["values"]}
        self.own = {m["name"]: m for m in api["structs"]["bsp_map"]["members"]}
        self.arrays, self.names, self.views, self.tables = [], [], [], []
        for kind, row in manifest:
            if kind in ("STRUCT", "VALUES"):
                self.structure(kind, *row)
            elif kind == "NAMES":
                self.table(row[0], row[1])
                self.names.append(self.array(row[0], row[2], row[3]))
            elif kind == "VIEW":
                self.table(row[0], row[1])
                self.views.append({"name": row[2], "table": "BSP_ID_" + row[0],
                                   "part": "BSP_LOAD_" + row[3], **self.member(row[2])})
            elif kind == "TABLE":
                self.table(*row)
            elif kind != "FACT":
                raise SyntaxError(f"the manifest has a row {kind}")

    def member(self, name):
        if name not in self.own:
            raise SyntaxError(f"the manifest has {name}, and bsp_map has not")
        return {"offset": self.own[name]["offset"], "doc": self.own[name]["doc"]}

    def table(self, id_, called):
        self.tables.append({"id": "BSP_ID_" + id_, "value": self.ids["BSP_ID_" + id_],
                            "called": unquote(called)})

    def array(self, id_, name, part):
        element = self.own.get(name, {}).get("type", {}).get("to")
        count = self.member("num_" + name)
        out = {"name": name, "count": "num_" + name, "table": "BSP_ID_" + id_,
               "part": "BSP_LOAD_" + part, **self.member(name), "count_offset": count["offset"]}
        if element:
            plain = {key: value for key, value in element.items() if key != "const"}
            out.update(element=plain, element_size=measure(plain, self.api, None)[0])
        return out

    def structure(self, kind, type_, word, arrays, *members):
        stored = [self.stored(kind, type_, name, row) for name, row in rows(", ".join(members))]
        for name, row in rows(arrays):
            if name == "ARRAY":
                self.table(row[0], row[1])
                row = [row[0]] + row[2:]
            array = self.array(row[0], row[2], row[3])
            if array["element"]["name"] != type_:
                raise SyntaxError(f"{array['name']} has elements of {array['element']['name']}")
            self.arrays.append(dict(array, word=word, members=stored))

    def stored(self, kind, type_, name, row):
        """A member that files store: where it is in the element, and what it is without a field."""
        out = {"name": row[1], "place": row[2] if name.startswith("ELEMENT") else row[1],
               "none": name.endswith("_OR_NONE")}
        if kind == "VALUES":
            return dict(out, place="", offset=0, size=SIZES[type_])
        parts = re.findall(r"\w+", out["place"])
        member = next(m for m in self.api["structs"][type_]["members"] if m["name"] == parts[0])
        offset, of = member["offset"], member["type"]
        for index in parts[1:]:
            of = of["of"]
            offset += int(index) * measure(of, self.api, None)[0]
        return dict(out, offset=offset, size=measure(of, self.api, None)[0])


# --- what is written ----------------------------------------------------------------------------

def constant(value):
    return f"{value}ull" if value >= 2**32 else f"{value}u" if value >= 2**31 else str(value)


def function_type(function, name=""):
    return headers.declare({"kind": "function", **function}, name)


def ordered(api):
    """The structs, each after those that it holds."""
    done = []

    def visit(name):
        for member in api["structs"][name]["members"]:
            of = member["type"]
            while of["kind"] == "array":
                of = of["of"]
            if of["kind"] == "struct" and of["name"] not in done:
                visit(of["name"])
        if name not in done:
            done.append(name)

    for name in api["structs"]:
        visit(name)
    return done


def write_cdef(api):
    """Declarations without directives other than #define, in an order in which each is known."""
    out = ["// SPDX-License-Identifier: MIT", "// Made by scripts/bindings.py out of the public headers."]
    out += [f"#define {name} {macro['value']}" for name, macro in api["macros"].items()
            if isinstance(macro["value"], int)]
    for name, enum in api["enums"].items():
        values = ", ".join(f"{v['name']} = {v['value']}" for v in enum["values"])
        out.append(f"typedef enum {name} {{ {values} }} {name};")
    out += [f"typedef struct {name} {name};" for name in [*api["opaque"], *api["structs"]]]
    out += [f"typedef {headers.declare(callback['type'], name)};"
            for name, callback in api["callbacks"].items()]
    for name in ordered(api):
        members = " ".join(headers.declare(m["type"], m["name"]) + ";"
                           for m in api["structs"][name]["members"])
        out.append(f"struct {name} {{ {members} }};")
    out += [function_type(function, name) + ";" for name, function in api["functions"].items()]
    return "\n".join(out) + "\n"


def write_check(api, map_):
    """Each number and each type again, as the compiler sees it."""
    out = ["// Made by scripts/bindings.py.", '#include "bspkit/bspkit.h"', ""]

    def same(left, right):
        out.append(f'_Static_assert({left} == {right}, "{left} is not {right}");'.replace("\n", " "))

    for name, macro in api["macros"].items():
        if isinstance(macro["value"], int):
            same(name, constant(macro["value"]))
    for name, enum in api["enums"].items():
        same(f"sizeof({name})", 4)
        for value in enum["values"]:
            same(value["name"], value["value"])
    for name, struct in api["structs"].items():
        same(f"sizeof({name})", struct["size"])
        same(f"_Alignof({name})", struct["align"])
        for member in struct["members"]:
            at = f"(({name} *)0)->{member['name']}"
            same(f"offsetof({name}, {member['name']})", member["offset"])
            same(f"sizeof({at})", member["size"])
            wanted = headers.declare({"kind": "pointer", "to": member["type"]})
            out.append(f'_Static_assert(_Generic(&{at}, {wanted}: 1, default: 0), "{name}.'
                       f'{member["name"]} is no {headers.declare(member["type"])}");')
    for array in map_.arrays + map_.names:
        same(f"offsetof(bsp_map, {array['name']})", array["offset"])
        same(f"offsetof(bsp_map, {array['count']})", array["count_offset"])
        same(f"sizeof *((bsp_map *)0)->{array['name']}", array["element_size"])
        for member in array.get("members", ()):
            element = headers.declare(array["element"])
            if member["place"]:
                same(f"offsetof({element}, {member['place']})", member["offset"])
                same(f"sizeof((({element} *)0)->{member['place']})", member["size"])
    for view in map_.views:
        same(f"offsetof(bsp_map, {view['name']})", view["offset"])
    for table in map_.tables:
        same(table["id"], table["value"])
    out += ["", "void bspkit_check(void);", "void bspkit_check(void) {"]
    for name, function in api["functions"].items():
        out.append(f"    {function_type(function, '(*const check_' + name + ')')} = &{name};")
        out.append(f"    (void)check_{name};")
    return "\n".join(out) + "\n}\n"


def write_page(api, map_):
    """The page of the documentation: what the map holds."""
    called = {table["id"]: table["called"] for table in map_.tables}

    def row(member, element):
        doc = member["doc"].replace("|", "\\|")
        return f"| `{member['name']}` | {element} | {called[member['table']]} | {doc} |"

    parts = {v["name"]: v for v in api["enums"]["bsp_load_mask"]["values"]}
    out = ["# What the map holds", "",
           "The arrays of `bsp_map` (`include/bspkit/map.h`), the records of the file that fill them, and",
           "what loads them: a bit of `bsp_map_options.parts`. An array that the branch of the map does not",
           "have is empty, and so is one that was not asked for. Some are made from others where a branch",
           "has no such records: the faces and brushes of Respawn's maps. Besides them a map has its",
           "entities and its visibility.", "",
           "This page is made from `src/formats/map_manifest.h` and the headers by `make docs`."]
    for part, value in parts.items():
        arrays = [a for a in map_.arrays + map_.names if a["part"] == part]
        views = [v for v in map_.views if v["part"] == part]
        if not arrays and not views:
            continue
        out += ["", f"## {part}", "", value["doc"][0].upper() + value["doc"][1:] + ".", "",
                "| member | element | records | what |", "|---|---|---|---|"]
        out += [row(array, f"`{headers.declare(array['element'])}`") for array in arrays]
        out += [row(view, "bytes") for view in views]
    return "\n".join(out) + "\n"


def describe(api, map_, pointer):
    version = ".".join(str(api["macros"]["BSP_VERSION_" + part]["value"])
                       for part in ("MAJOR", "MINOR", "PATCH"))
    for macro in api["macros"].values():
        macro.pop("text")
    return {"version": version, "pointer": pointer,
            **{key: api[key] for key in ("macros", "enums", "opaque", "structs", "callbacks",
                                         "functions")},
            "map": {"arrays": map_.arrays, "names": map_.names, "views": map_.views},
            "tables": map_.tables}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--page", type=pathlib.Path, help="write the page of the documentation")
    parser.add_argument("--typescript", type=pathlib.Path,
                        help="write the module of TypeScript (see typescript.py)")
    parser.add_argument("--ctypes", type=pathlib.Path,
                        help="write the module for Python's ctypes (see ctypes_module.py)")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--pointer", type=int, default=8)
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include")
    parser.add_argument("--manifest", type=pathlib.Path,
                        default=ROOT / "src/formats/map_manifest.h")
    options = parser.parse_args()
    try:
        api = headers.read(options.include / "bspkit")
        for struct in api["structs"].values():
            if "size" not in struct:
                place(struct, api, options.pointer)
        map_ = Map(api, read_manifest(options.manifest))
    except SyntaxError as error:
        sys.exit(f"bindings: {error}")
    if options.page:
        options.page.write_text(write_page(api, map_))
    if options.typescript:
        options.typescript.write_text(typescript.write(api, map_, ordered(api)))
    if options.ctypes:
        options.ctypes.write_text(ctypes_module.write(api, ordered(api)))
    if options.folder is None:
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "check.c").write_text(write_check(api, map_))
    (options.folder / "bspkit_cdef.h").write_text(write_cdef(api))
    description = describe(api, map_, options.pointer)
    (options.folder / "bspkit.json").write_text(json.dumps(description, indent=1) + "\n")
    if options.cc != "none":
        done = subprocess.run([*shlex.split(options.cc), "-std=c17", "-Wall", "-Wextra", "-Werror",
                               f"-I{options.include}", "-fsyntax-only", options.folder / "check.c"],
                              check=False)
        if done.returncode:
            sys.exit("bindings: the compiler sees other structures than the description")


if __name__ == "__main__":
    main()
