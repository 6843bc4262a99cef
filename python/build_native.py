# SPDX-License-Identifier: MIT
"""Builds the module bspkit._native: the whole library, with the declarations that scripts/bindings.py
reads out of its headers, by cffi (API mode, abi3). The library is taken from the CMake build in
BSPKIT_BUILD, or built here; BSPKIT_LINK=shared has the module load the shared library of that build,
as packages of a system do. BSPKIT_LIBRARIES names a folder of scripts/deps.sh, whose archives are put into the
module, so that it needs none of the system's. Also writes bspkit/_generated.py (generate.py)."""
import os
import pathlib
import re
import subprocess
import sys

import cffi

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import generate  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Questions about many points in one call, and functions of Python that the library calls.
OURS = """
typedef struct bspkit_py_rays {
    const float *start, *end, *mins, *maxs;
    const uint32_t *mask;
    size_t start_step, end_step, mins_step, maxs_step, mask_step; // elements to the next one; 0: one for all
    uint32_t model;
} bspkit_py_rays;
void bspkit_py_traces(const bsp_trace_index *index, const bspkit_py_rays *rays, size_t count,
                      bsp_trace_input *room, size_t num_room, bsp_trace_result *results);
void bspkit_py_leaves(const bsp_map *map, const float (*points)[3], size_t count, uint32_t *leaves);
void bspkit_py_contents(const bsp_map *map, uint32_t model, const float (*points)[3], size_t count,
                        int32_t *contents);
void bspkit_py_lights(const bsp_map *map, const bsp_file *file, const float (*points)[3], size_t count,
                      bsp_light *lights);
extern "Python" {
    bool bspkit_py_sink(void *user, const char *data, size_t size);
    bool bspkit_py_report(void *user, const char *stage, uint64_t done, uint64_t total);
    void bspkit_py_stale(void *user, const bsp_stale *found);
    void bspkit_py_difference(void *user, const bsp_difference *difference);
    void bspkit_py_new_issue(void *user, const bsp_new_issue *issue);
    bool bspkit_py_beside(void *user, const char *name, const char *data, size_t size);
    void bspkit_py_missing(void *user, bsp_text material, const char *note);
    bool bspkit_py_pictures(void *user, uint32_t material, const bsp_scene_material *as, bsp_texture *texture,
                            bsp_texture *second, bsp_error *error);
}
"""

SOURCE = """
#include "bspkit/bspkit.h"
#include <string.h>

typedef struct bspkit_py_rays {
    const float *start, *end, *mins, *maxs;
    const uint32_t *mask;
    size_t start_step, end_step, mins_step, maxs_step, mask_step;
    uint32_t model;
} bspkit_py_rays;

/* Traces in runs whose inputs stay in the cache. */
static void bspkit_py_traces(const bsp_trace_index *index, const bspkit_py_rays *r, size_t count,
                             bsp_trace_input *room, size_t num_room, bsp_trace_result *results) {
    for (size_t first = 0; first < count; first += num_room) {
        size_t run = count - first < num_room ? count - first : num_room;
        for (size_t i = 0; i < run; i++) {
            size_t n = first + i;
            memcpy(room[i].start, r->start + n * r->start_step, sizeof room[i].start);
            memcpy(room[i].end, r->end + n * r->end_step, sizeof room[i].end);
            memcpy(room[i].mins, r->mins + n * r->mins_step, sizeof room[i].mins);
            memcpy(room[i].maxs, r->maxs + n * r->maxs_step, sizeof room[i].maxs);
            room[i].mask = r->mask[n * r->mask_step];
            room[i].model = r->model;
        }
        bsp_trace_batch(index, room, results + first, run);
    }
}

static void bspkit_py_leaves(const bsp_map *map, const float (*points)[3], size_t count,
                             uint32_t *leaves) {
    for (size_t i = 0; i < count; i++) {
        leaves[i] = bsp_query_leaf(map, points[i]);
    }
}

static void bspkit_py_contents(const bsp_map *map, uint32_t model, const float (*points)[3],
                               size_t count, int32_t *contents) {
    for (size_t i = 0; i < count; i++) {
        contents[i] = bsp_query_contents(map, model, points[i]);
    }
}

static void bspkit_py_lights(const bsp_map *map, const bsp_file *file, const float (*points)[3],
                             size_t count, bsp_light *lights) {
    for (size_t i = 0; i < count; i++) {
        lights[i] = bsp_query_light(map, file, points[i]);
    }
}
"""


def build_folder():
    """The folder of a build of the static library, which is made if there is none."""
    if named := os.environ.get("BSPKIT_BUILD"):
        return pathlib.Path(named).resolve()
    build = ROOT / "build" / "python" / "native"
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DBSPKIT_SHARED=OFF", "-DBSPKIT_TESTS=OFF", "-DBSPKIT_MANUAL=OFF"], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "bspkit_static"], check=True)
    return build


def link_words(build):
    """What the linker needs besides the library, by its own pkg-config file. Names of what is in the module are
    not seen outside: a program of Python may have another zlib."""
    text = (build / "bspkit.pc").read_text()
    needed = re.search(r"^Requires.private: (.*)$", text, re.M)[1].split()
    private = re.search(r"^Libs.private: (.*)$", text, re.M)[1].split()
    hidden = "-Wl,--exclude-libs,ALL"
    if folder := os.environ.get("BSPKIT_LIBRARIES"):
        archives = pathlib.Path(folder).resolve() / "lib"
        found = pkg_config("--static", *needed, PKG_CONFIG_LIBDIR=str(archives / "pkgconfig"))
        # By their paths: setuptools has the linker look into the system's folders first.
        named = {f"-l{path.stem[3:]}": str(path) for path in archives.glob("lib*.a")}
        return [hidden, "-s", *(named.get(word, word) for word in found + private)]
    return [hidden, *pkg_config(*needed), *private]


def pkg_config(*words, **environment):
    """What the linker needs for libraries."""
    done = subprocess.run(["pkg-config", "--libs", *words], check=True, capture_output=True, text=True,
                          env={**os.environ, **environment})
    return done.stdout.split()


def declarations(folder):
    """The declarations for cffi, without what it cannot express."""
    text = (folder / "bspkit_cdef.h").read_text()
    text = re.sub(r"^#define \w+ [-\d.]*\.\d.*\n", "", text, flags=re.M)  # fractions: in _generated.py
    # cffi 1.15 writes wrong C for pointers to constant arrays.
    text = re.sub(r"^[^;{}\n]*\bva_list\b[^;]*;\n", "", text, flags=re.M) + OURS
    return re.sub(r"const (\w+) \(\*(\w+)\)\[", r"\1 (*\2)[", text)


def make():
    described = ROOT / "build" / "python" / "bindings"
    subprocess.run([sys.executable, ROOT / "scripts" / "bindings.py", described], check=True)
    generate.write(described / "bspkit.json", ROOT / "python" / "bspkit" / "_generated.py")
    build = build_folder()
    shared = os.environ.get("BSPKIT_LINK") == "shared"
    objects = [] if shared else [str(build / "libbspkit.a")]
    words = [f"-L{build}", "-lbspkit"] if shared else link_words(build)
    builder = cffi.FFI()
    builder.cdef(declarations(described))
    builder.set_source("bspkit._native", SOURCE, include_dirs=[str(ROOT / "include")],
                       extra_objects=objects, extra_link_args=words,
                       define_macros=[("Py_LIMITED_API", "0x030A0000")], py_limited_api=True,
                       extra_compile_args=["-O2", "-Wno-discarded-qualifiers",
                                           "-Wno-incompatible-pointer-types"])
    return builder


ffi = make()
