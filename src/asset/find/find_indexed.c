// SPDX-License-Identifier: MIT
// Textures of Quake and GoldSrc (embedded, or in WADs) and of Quake 2 (files beside the map). The
// meaning of a name's first characters: sheet goldsrc-quake1, section 4.
#include "asset/image/image.h"
#include "asset/find/textures.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

static bool starts(bsp_text name, const char *with) {
    bsp_text start = bsp_text_of(with);
    return name.size >= start.size &&
           bspi_text_equal_nocase((bsp_text){name.data, start.size}, start);
}

static bool is_tool(bsp_text name) {
    static const char *const tools[] = {
        "clip",         "origin",      "trigger",        "aaatrigger",   "null",
        "skip",         "hint",        "hintskip",       "noclip",       "bevel",
        "solidhint",    "boundingbox", "contentempty",   "contentsolid", "contentsky",
        "contentwater", "clipbevel",   "clipbevelbrush", "waterskip",    "areaportal",
    };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (bspi_text_equal_nocase(name, bsp_text_of(tools[i]))) {
            return true;
        }
    }
    return false;
}

static void describe(bspi_finding *f) {
    bsp_texture *out = f->out;
    out->sky = starts(f->name, "sky");
    out->liquid = starts(f->name, "*") || starts(f->name, "!");
    out->no_draw = is_tool(f->name);
    if (starts(f->name, "{")) {
        out->alpha = BSP_ALPHA_TEST;
    }
}

// Returns the name of the first frame: +0door for +3door, +Adoor for +Cdoor.
static bsp_text first_frame(bsp_text name, char out[64]) {
    if (name.size < 2 || name.size >= 64 || name.data[0] != '+') {
        return name;
    }
    memcpy(out, name.data, name.size);
    out[1] = out[1] >= '0' && out[1] <= '9' ? '0' : 'A';
    return (bsp_text){out, name.size};
}

static const bsp_material *material_of(const bsp_map *map, bsp_text name) {
    for (uint32_t i = 0; i < map->num_materials; i++) {
        if (map->materials[i].mips[0].size != 0 &&
            bspi_text_equal_nocase(map->materials[i].name, name)) {
            return &map->materials[i];
        }
    }
    return NULL;
}

static bspi_try use_embedded(bspi_finding *f, const bsp_material *m) {
    bsp_bytes palette = m->palette.size != 0 ? m->palette : f->textures->palette;
    bsp_image_options options = {.allocator = &f->textures->heap.allocator,
                                 .budget = f->textures->heap.budget};
    bsp_error why = {0};
    if (m->mips[0].size == 0 || m->mips[0].size != (uint64_t)m->width * m->height) {
        return BSPI_NO;
    }
    if (!bspi_image_new(m->width, m->height, &options, &f->out->image, &why)) {
        if (!bspi_out_of_memory(&why, f->error)) {
            return BSPI_NO;
        }
        return BSPI_FAILED;
    }
    bspi_indexed(m->mips[0].data, m->mips[0].size, palette, starts(m->name, "{"),
                 f->out->image.pixels);
    f->out->width = m->width;
    f->out->height = m->height;
    snprintf(f->out->source, sizeof f->out->source, "map");
    if (palette.size == 0) {
        snprintf(f->out->note, sizeof f->out->note, "grey: no palette");
    }
    return BSPI_YES;
}

static bspi_try try_wad(bspi_finding *f, bsp_text name) {
    bspi_try result = bspi_try_image(f, starts(name, "{"), "%.*s.mip", BSPI_TEXT(name));
    return result == BSPI_NO ? bspi_try_image(f, starts(name, "{"), "%.*s.pic", BSPI_TEXT(name))
                             : result;
}

static bspi_try try_miptex(bspi_finding *f, bsp_text name, const bsp_material *material) {
    bspi_try result = material == NULL ? BSPI_NO : use_embedded(f, material);
    return result == BSPI_NO ? try_wad(f, name) : result;
}

bspi_try bspi_find_miptex(bspi_finding *f) {
    static const char *const endings[] = {".png", ".tga", ".jpg", NULL};
    char first[64];
    bsp_text name = first_frame(f->name, first);
    const bsp_map *map = f->textures->map;
    describe(f);
    bspi_try result = BSPI_NO;
    if (!bsp_text_equal(name, f->name)) {
        result = try_miptex(f, name, material_of(map, name));
    }
    if (result == BSPI_NO) {
        result =
            try_miptex(f, f->name, f->material != NULL ? f->material : material_of(map, f->name));
    }
    char path[BSPI_NAME_ROOM];
    snprintf(path, sizeof path, "textures/%.*s", BSPI_TEXT(f->name));
    return result == BSPI_NO ? bspi_try_any(f, bsp_text_of(path), endings) : result;
}

// Quake 2's renderers do not draw index 255; a texture without it is opaque.
static void note_holes(bsp_texture *out) {
    for (size_t i = 0; i < (size_t)out->image.width * out->image.height; i++) {
        if (out->image.pixels[4 * i + 3] == 0) {
            out->alpha = BSP_ALPHA_TEST;
            return;
        }
    }
}

bspi_try bspi_find_wal(bspi_finding *f) {
    static const char *const endings[] = {".wal", ".m8", ".m32", ".tga", ".png", ".jpg", NULL};
    bspi_try result = BSPI_NO;
    for (size_t i = 0; result == BSPI_NO && endings[i] != NULL; i++) {
        result = bspi_try_image(f, true, "textures/%.*s%s", BSPI_TEXT(f->name), endings[i]);
        if (result == BSPI_YES && i == 0 && f->textures->palette.size == 0) {
            snprintf(f->out->note, sizeof f->out->note, "grey: no palette");
        }
    }
    if (result == BSPI_YES) {
        note_holes(f->out);
    }
    return result;
}
