# SPDX-License-Identifier: MIT
"""The description for bindings (scripts/bindings.py): a compiler sees the same numbers; every array,
list of names and view of bsp_map has its row in the manifest; a new array needs its struct and one row;
and with nothing but the description the library is called, and gives what the command prints."""
import ctypes
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import types

CC = os.environ.get("CC", "cc")
BUILD = pathlib.Path(os.environ["BUILD"])
BSPKIT = os.environ.get("BSPKIT")
SCRIPT = [sys.executable, "scripts/bindings.py"]
SCALARS = {"bool": ctypes.c_bool, "char": ctypes.c_char, "int": ctypes.c_int, "void": None,
           "unsigned": ctypes.c_uint, "float": ctypes.c_float, "double": ctypes.c_double,
           "size_t": ctypes.c_size_t, "int8_t": ctypes.c_int8, "uint8_t": ctypes.c_uint8,
           "int16_t": ctypes.c_int16, "uint16_t": ctypes.c_uint16, "int32_t": ctypes.c_int32,
           "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64}
# Pointers of bsp_map that are no arrays, and why.
NO_ARRAYS = {"branch": "of the tables", "traits": "of the tables", "budget": "borrowed", "owner": "private",
             "entities": "an object of its own: their number is in it"}
# Lumps whose fields become members as they are: map array, lump, field, member.
VALUES = [("planes", "PLANES", "normal", "normal"), ("planes", "PLANES", "dist", "dist"),
          ("vertices", "VERTEXES", "point", "point"), ("edges", "EDGES", "v", "v"),
          ("surfedges", "SURFEDGES", None, None), ("nodes", "NODES", "children", "children"),
          ("nodes", "NODES", "mins", "mins"), ("models", "MODELS", "maxs", "maxs"),
          ("leaves", "LEAFS", "maxs", "maxs"), ("faces", "FACES", "firstedge", "first_edge"),
          ("faces", "FACES", "numedges", "num_edges"), ("faces", "FACES", "texinfo", "texinfo"),
          ("faces", "SURFACES", "firstVert", "first_vert"),
          ("brushes", "BRUSHES", "firstside", "first_side"),
          ("brushes", "BRUSHES", "firstSide", "first_side"),
          ("draw_verts", "DRAWVERTS", "xyz", "point"), ("draw_verts", "DRAWVERTS", "st", "uv"),
          ("draw_indices", "DRAWINDEXES", None, None),
          ("brush_sides", "BRUSHSIDES", "planenum", "plane"), ("leaf_faces", "MARKSURFACES", None, None)]


def run(*words, status=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, check=False, text=True)
    assert (done.returncode == 0) == (status == 0), (words, done.returncode, done.stderr[-2000:])
    return done.stdout if status == 0 else done.stderr


def describe(folder, *options, cc=CC):
    run(*SCRIPT, folder, "--cc", cc, *options)
    return json.loads((folder / "bspkit.json").read_text())


# --- the description and the compiler -----------------------------------------------------------

def check_compiler(api, work):
    """The file that the compiler has just taken holds all numbers, and it does not take others."""
    text = (work / "check.c").read_text()
    for name, of in api["structs"].items():
        assert f"sizeof({name}) == {of['size']}," in text, name
        for member in of["members"]:
            assert f"offsetof({name}, {member['name']}) == {member['offset']}," in text, member
    for name, of in api["functions"].items():
        assert f"= &{name};" in text and of["doc"], name
    other = 4 if api["pointer"] == 8 else 8
    assert "sees other structures" in run(*SCRIPT, work / "other", "--cc", CC, "--pointer", other, status=1)
    if shutil.which("clang"):  # a machine with pointers of 4 bytes, for the browser
        describe(work / "wasm", "--pointer", 4, cc="clang --target=wasm32 -ffreestanding")
    else:
        print("no clang: pointers of 4 bytes are not tried")


def check_ctypes(api, work):
    """The module for ctypes has the same structs, functions and constants."""
    run(*SCRIPT, "--ctypes", work / "made_for_ctypes.py")
    sys.path.insert(0, str(work))
    import made_for_ctypes as made
    for name, of in api["structs"].items():
        own = getattr(made, name)
        assert ctypes.sizeof(own) == of["size"] and len(own._fields_) == len(of["members"]), name
        for member in of["members"]:
            at = getattr(own, member["name"])
            assert (at.offset, at.size) == (member["offset"], member["size"]), (name, member["name"])
    for enum in api["enums"].values():
        assert all(getattr(made, value["name"]) == value["value"] for value in enum["values"])

    class Library:
        """Receives the types of functions."""

        def __getattr__(self, name):
            self.__dict__[name] = types.SimpleNamespace()
            return self.__dict__[name]

    library = Library()
    made.declare(library)
    for name, of in api["functions"].items():
        if not of["variadic"]:
            assert len(getattr(library, name).argtypes) == len(of["parameters"]), name


def unlisted(api):
    """Members of bsp_map that have no row in the manifest, and should."""
    listed = {row["name"] for rows in api["map"].values() for row in rows}
    holds = [member["name"] for member in api["structs"]["bsp_map"]["members"]
             if member["type"]["kind"] == "pointer" or member["type"].get("name") == "bsp_bytes"]
    return [name for name in holds if name not in listed and name not in NO_ARRAYS]


def check_manifest(api):
    assert not unlisted(api), f"without a row in the manifest: {unlisted(api)}"
    members = {m["name"]: m for m in api["structs"]["bsp_map"]["members"]}
    for name in NO_ARRAYS:
        assert members[name]["type"]["kind"] == "pointer", name
    counts = [name for name in members if name.startswith("num_")]
    arrays = api["map"]["arrays"] + api["map"]["names"]
    assert len({array["name"] for array in arrays}) == len(counts) >= 71
    assert {array["count"] for array in arrays} == set(counts)
    ids = {v["name"]: v["value"] for v in api["enums"]["bsp_table_id"]["values"]}
    tables = {table["id"]: table["value"] for table in api["tables"]}
    assert len(tables) == len(api["tables"]), "two rows of one table"
    assert tables == {name: value for name, value in ids.items() if name != "BSP_ID_COUNT"}
    assert len({table["called"] for table in api["tables"]}) == len(tables), "two tables of one name"


# --- a new array --------------------------------------------------------------------------------

GIZMO = """/// A gizmo.
typedef struct bsp_gizmo {
    uint8_t kind;   ///< of gizmo
    float place[3]; ///< game units
    uint32_t face;  ///< index, or BSP_NONE
} bsp_gizmo;

"""
ROW = """STRUCT(bsp_gizmo, gizmo,
    ARRAY(PORTALS, "gizmos", gizmo, gizmos, TREE),
    MEMBER(gizmo, kind) MEMBER(gizmo, place) MEMBER_OR_NONE(gizmo, face))
"""
USE = """#include "map/members.c"
#include "formats/branches.c"
static const bsp_field fields[] = {
    {.name = "kind", .type = BSP_U16, .count = 1, .map_member = BSPI_MEMBER_gizmo_kind},
    {.name = "place", .type = BSP_I16, .count = 3, .map_member = BSPI_MEMBER_gizmo_place},
};
static const bsp_layout layout = {"gizmo_t", 8, fields, 2};
int main(void) {
    const uint8_t bytes[16] = {7, 0, 1, 0, 0xFE, 0xFF, 3, 0, 9, 0, 0, 0, 4, 0, 5, 0};
    const bsp_table table = {&layout, bytes, 2, false};
    bsp_gizmo out[2];
    uint32_t count;
    const bspi_array *row = bspi_arrays(&count);
    for (; count != 0 && row->id != BSP_ID_PORTALS; count--) {
        row++;
    }
    assert(count != 0 && row->pointer == offsetof(bsp_map, gizmos) && row->load == BSP_LOAD_TREE);
    assert(row->count == offsetof(bsp_map, num_gizmos) && row->structure->size == sizeof *out);
    bspi_bind_decode(&table, row->structure, out);
    assert(out[0].kind == 7 && out[0].place[1] == -2.0F && out[0].face == BSP_NONE);
    assert(out[1].kind == 9 && out[1].place[2] == 5.0F && out[1].face == BSP_NONE);
    return strcmp(bsp_table_id_name(BSP_ID_PORTALS), "gizmos") != 0;
}
"""


def check_new_array(work):
    """The struct and its array in map.h alone are refused; with one row all follows from it."""
    include, private = work / "new/include", work / "new/src/formats"
    shutil.copytree("include", include)
    private.mkdir(parents=True)
    header, manifest = include / "bspkit/map.h", private / "map_manifest.h"
    text = header.read_text()
    text = text.replace("/// Counted array in a map.", GIZMO + "/// Counted array in a map.", 1)
    text = re.sub(r"(    BSP_ARRAY\(bsp_plane, planes\);)", r"    BSP_ARRAY(bsp_gizmo, gizmos); ///< x\n\1",
                  text, count=1)
    header.write_text(text)
    rows = pathlib.Path("src/formats/map_manifest.h").read_text()
    manifest.write_text(rows)
    options = ["--include", include, "--manifest", manifest]
    assert unlisted(describe(work / "none", *options)) == ["gizmos"]

    def put(row):
        manifest.write_text(rows.replace("STRUCT(bsp_plane,", row + "STRUCT(bsp_plane,", 1)
                            .replace('TABLE(PORTALS, "portals") ', "").replace('TABLE(PORTALS, "portals")', ""))

    put(ROW)
    api = describe(work / "row", *options)
    assert not unlisted(api)
    array = next(array for array in api["map"]["arrays"] if array["name"] == "gizmos")
    assert (array["element_size"], array["element"]["name"]) == (20, "bsp_gizmo")
    assert [(m["name"], m["offset"], m["size"], m["none"]) for m in array["members"]] == [
        ("kind", 0, 1, False), ("place", 4, 12, False), ("face", 16, 4, True)]
    source = work / "new/use.c"
    source.write_text(USE)
    paths = [f"-I{include}", f"-I{work / 'new/src'}", "-Isrc"]
    compiler = [*CC.split(), "-std=c17", *os.environ.get("TEST_FLAGS", "").split()]
    # What the source defines is not taken from the archive a second time.
    run(*compiler, *paths, source, BUILD / "libbspkit.a", "-lm", "-lpthread", "-o", work / "new/use")
    run(work / "new/use")
    # A row that does not fit what map.h says does not compile.
    for wrong in (ROW.replace("place", "nowhere"), ROW.replace("bsp_gizmo,", "bsp_vertex,"),
                  ROW.replace("gizmos, TREE", "planes, TREE"), ROW.replace("PORTALS", "FACES")):
        put(wrong)
        run(*compiler, "-Wall", "-Wextra", "-Werror", *paths, "-fsyntax-only", source, status=1)


# --- the library, through the description alone -------------------------------------------------

class Library:
    def __init__(self, api, path):
        self.api, self.structs = api, {}
        self.loaded = ctypes.CDLL(str(path))

    def type(self, type_):
        kind = type_["kind"]
        if kind == "scalar":
            return SCALARS[type_["name"]]
        if kind == "enum":
            return ctypes.c_int
        if kind == "array":
            return self.type(type_["of"]) * type_["length"]
        if kind == "struct":
            return self.struct(type_["name"])
        if kind == "pointer" and type_["to"]["kind"] == "struct":
            return ctypes.POINTER(self.struct(type_["to"]["name"]))
        return ctypes.c_void_p

    def struct(self, name):
        if name not in self.structs:
            made = self.structs[name] = type(name, (ctypes.Structure,), {})
            members = self.api["structs"][name]["members"]
            made._fields_ = [(m["name"], self.type(m["type"])) for m in members]
            # ctypes lays structures out by its own rules.
            assert ctypes.sizeof(made) == self.api["structs"][name]["size"], name
            for member in members:
                assert getattr(made, member["name"]).offset == member["offset"], (name, member["name"])
        return self.structs[name]

    def call(self, name, *arguments):
        described = self.api["functions"][name]
        function = getattr(self.loaded, name)
        function.restype = self.type(described["returns"])
        function.argtypes = [self.type(p["type"]) for p in described["parameters"]]
        return function(*arguments)

    def elements(self, map_, array):
        """An array of a map, from its offsets alone."""
        base = ctypes.addressof(map_.contents)
        count = ctypes.c_uint32.from_address(base + array["count_offset"]).value
        at = ctypes.c_void_p.from_address(base + array["offset"]).value
        return (self.type(array["element"]) * count).from_address(at) if count else []


def flat(value):
    """Numbers as the map holds them: floats of 32 bits, integers modulo 2^32."""
    if isinstance(value, (ctypes.Array, list)):
        return [number for one in value for number in flat(one)]
    return [value]


def agree(mine, printed):
    if isinstance(mine, float):
        return struct.pack("<f", mine) == struct.pack("<f", printed)
    return (mine - printed) % 2**32 == 0


def check_map(library, path):
    api = library.api
    info = json.loads(run(BSPKIT, "info", "--json", path))
    lumps = {lump["index"]: lump for lump in info["lumps"]}
    error = library.struct("bsp_error")()
    file = library.call("bsp_file_open", str(path).encode(), None, ctypes.byref(error))
    assert file, error.message
    map_ = library.call("bsp_map_load", file, None, ctypes.byref(error))
    assert map_, error.message
    ids = {v["name"]: v["value"] for v in api["enums"]["bsp_table_id"]["values"]}
    arrays, counted, values = {}, 0, 0
    for array in api["map"]["arrays"]:
        arrays[array["name"]] = library.elements(map_, array)
        assert len(arrays[array["name"]]) == getattr(map_.contents, array["count"]), array["name"]
        lump = lumps.get(library.call("bsp_file_find_id", file, ids[array["table"]]))
        if array["table"] != "BSP_ID_FACES_HDR" and lump and lump["records"] and lump["size"]:
            assert len(arrays[array["name"]]) == lump["records"], (path, array["name"])
            counted += 1
    assert map_.contents.entities.contents.count == info["entities"]
    names = {lump["name"] for lump in info["lumps"] if lump["records"]}
    for name, lump, field, member in VALUES:
        records = json.loads(run(BSPKIT, "dump", "--json", path, lump)) if lump in names else []
        if not records or field and field not in records[0]:
            continue
        for record, element in zip(records, arrays[name], strict=True):
            mine = flat(getattr(element, member) if member else element)
            printed = flat(record[field] if field else record)
            assert all(map(agree, mine, printed)) and len(mine) == len(printed), (path, name, mine, printed)
            values += len(mine)
    library.call("bsp_map_free", map_)
    library.call("bsp_file_close", file)
    print(f"{path}: {counted} arrays, {values} values")
    assert counted >= 11 and values > 1000
    return info["family"]


def check_library(api, shared):
    library = Library(api, shared)
    for name in api["functions"]:
        assert hasattr(library.loaded, name), f"{shared.name} has no {name}"
    for name in api["structs"]:
        library.struct(name)
    version = library.loaded.bsp_version
    version.restype = ctypes.c_char_p
    assert version().decode() == api["version"]
    families = {check_map(library, f"samples/{family}/lobby.bsp")
                for family in ("quake", "goldsrc", "quake2", "quake3", "source")}
    assert len(families) == 5


def check_cffi(api, work, shared):
    try:
        import cffi
    except ImportError:
        print("no cffi: bspkit_cdef.h is not read by it")
        return
    ffi = cffi.FFI()
    ffi.cdef((work / "bspkit_cdef.h").read_text())
    for name, of in api["structs"].items():
        assert ffi.sizeof(name) == of["size"], name
        for member in of["members"]:
            assert ffi.offsetof(name, member["name"]) == member["offset"], (name, member["name"])
    if shared.exists():
        library = ffi.dlopen(str(shared))
        assert ffi.string(library.bsp_version()).decode() == api["version"]


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    api = describe(work)
    check_compiler(api, work)
    check_ctypes(api, work)
    check_manifest(api)
    check_new_array(work)
    shared = BUILD / "libbspkit.so"
    if shared.exists() and BSPKIT:
        check_library(api, shared)
    else:
        print("libbspkit.so or the command is not built: nothing is called")
    check_cffi(api, work, shared)
