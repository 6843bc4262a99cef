// SPDX-License-Identifier: MIT
// Looks up the names in the tables, and the facts of a branch through its bases.
#include "formats/table.h"

#include "core/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *bsp_family_name(bsp_family family) {
    static const char *const names[] = {"quake",  "goldsrc", "quake2",
                                        "quake3", "source",  "titanfall"};
    return bspi_name_of(names, sizeof names / sizeof *names, (size_t)family);
}

uint32_t bsp_light_size(bsp_light_format format) {
    static const uint8_t sizes[] = {1, 3, 3, 4, 4, 2};
    assert((size_t)format < sizeof sizes);
    return (size_t)format < sizeof sizes ? sizes[format] : 0;
}

void bsp_light_rgb(bsp_light_format format, const uint8_t *luxel, uint8_t rgb[3]) {
    assert(luxel != NULL && rgb != NULL);
    bool grey = format == BSP_LIGHT_GREY8;
    if (format == BSP_LIGHT_RGB556) {
        rgb[0] = luxel[0] & 0xF8;
        rgb[1] = (uint8_t)((luxel[0] & 7) << 5 | (luxel[1] & 0xC0) >> 3);
        rgb[2] = (uint8_t)((luxel[1] & 0x3F) << 2);
        return;
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] = luxel[grey ? 0 : i];
    }
}

const char *bsp_kind_name(bsp_lump_kind kind) {
    static const char *const names[] = {
        "bytes",         "array", "entities",   "strings",    "sections", "textures",
        "vis rows",      "vis",   "vis matrix", "game lumps", "physics",  "physics displacements",
        "light samples", "zip",
    };
    return bspi_name_of(names, sizeof names / sizeof *names, (size_t)kind);
}

const char *bsp_light_compiler_name(bsp_light_compiler compiler) {
    static const char *const names[BSP_COMPILER_COUNT] = {"usual", "ericw", "id",
                                                          "hlrad", "vrad",  "q3map2"};
    return bspi_name_of(names, BSP_COMPILER_COUNT, (size_t)compiler);
}

const char *bsp_verified_name(bsp_verified verified) {
    static const char *const names[] = {"no", "built", "real"};
    return bspi_name_of(names, sizeof names / sizeof *names, (size_t)verified);
}

// clang-format off
static const char *const table_names[] = {
#define STRUCT(type, word, arrays, ...) arrays
#define VALUES(type, word, arrays, ...) arrays
#define ARRAY(id, called, word, array, part) [BSP_ID_##id] = called,
#define NAMES(id, called, array, part) [BSP_ID_##id] = called,
#define VIEW(id, called, member, part) [BSP_ID_##id] = called,
#define TABLE(id, called) [BSP_ID_##id] = called,
#include "formats/map_manifest.h"
};

// Compilers refuse a second row of one id; that each has a row follows from their number.
enum {
    NUM_ROWS = 0
#define STRUCT(type, word, arrays, ...) arrays
#define VALUES(type, word, arrays, ...) arrays
#define ARRAY(id, called, word, array, part) + 1
#define NAMES(id, called, array, part) + 1
#define VIEW(id, called, member, part) + 1
#define TABLE(id, called) + 1
#include "formats/map_manifest.h"
};
static_assert((int)NUM_ROWS == (int)BSP_ID_COUNT, "a bsp_table_id has no row in the manifest");
// clang-format on

const char *bsp_table_id_name(bsp_table_id id) {
    return bspi_name_of(table_names, BSP_ID_COUNT, (size_t)id);
}

const char *bsp_version_text(uint32_t version, char out[BSP_VERSION_TEXT]) {
    assert(out != NULL);
    unsigned major = version & 0xFFFF;
    unsigned minor = version >> 16;
    if (minor == 0) {
        snprintf(out, BSP_VERSION_TEXT, "%u", major);
    } else {
        snprintf(out, BSP_VERSION_TEXT, "%u.%u", major, minor);
    }
    return out;
}

const bsp_shape *bsp_branch_shape(const bsp_branch *branch) {
    assert(branch != NULL);
    while (branch->shape == NULL && branch->base != NULL) {
        branch = branch->base;
    }
    return branch->shape;
}

const bsp_traits *bsp_branch_traits(const bsp_branch *branch) {
    assert(branch != NULL);
    while (branch->traits == NULL && branch->base != NULL) {
        branch = branch->base;
    }
    return branch->traits;
}

static const bsp_lump_def *own_lump(const bsp_branch *branch, uint32_t index) {
    for (uint32_t i = 0; i < branch->num_lumps; i++) {
        if (branch->lumps[i].index == index) {
            return &branch->lumps[i];
        }
    }
    return NULL;
}

const bsp_lump_def *bsp_branch_lump(const bsp_branch *branch, uint32_t index) {
    assert(branch != NULL);
    const bsp_lump_def *def = NULL;
    for (; def == NULL && branch != NULL; branch = branch->base) {
        def = own_lump(branch, index);
    }
    return def;
}

const bsp_lump_def *bsp_branch_lump_of(const bsp_branch *branch, bsp_table_id id) {
    assert(branch != NULL);
    uint32_t num_lumps = bsp_branch_shape(branch)->num_lumps;
    for (uint32_t i = 0; i < num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(branch, i);
        if (def != NULL && def->id == id) {
            return def;
        }
    }
    return NULL;
}

const bsp_game_lump_def *bsp_branch_game_lump(const bsp_branch *branch, const char id[5]) {
    assert(branch != NULL && id != NULL);
    for (; branch != NULL; branch = branch->base) {
        for (uint32_t i = 0; i < branch->num_game_lumps; i++) {
            if (memcmp(branch->game_lumps[i].id, id, 4) == 0) {
                return &branch->game_lumps[i];
            }
        }
    }
    return NULL;
}

size_t bsp_shape_size(const bsp_shape *shape) {
    assert(shape != NULL);
    return shape->head->size + (size_t)shape->num_lumps * shape->entry->size +
           (shape->tail == NULL ? 0 : shape->tail->size);
}
