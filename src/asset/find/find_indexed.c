// SPDX-License-Identifier: MIT
// Textures of Quake and GoldSrc (embedded, or in WADs) and of Quake 2 (files beside the map). The
// meaning of a name's first characters: sheet goldsrc-quake1, section 4.
#include "asset/image/image.h"
#include "asset/find/textures.h"

#include "core/text.h"
#include "formats/composites.h"

#include <stdio.h>
#include <string.h>

// Frames a second: gl_rsurf.c of Quake (R_TextureAnimation; a frame lasts two tenths), and of
// Quake 2. GoldSrc does as Quake.
#define MIPTEX_RATE 5
#define WAL_RATE 2
#define MOST_FRAMES 10u    // '0' to '9'
#define MOST_LINKS 64u     // of a chain of texinfos
#define STEPS_A_TEXINFO 16 // texinfos that are looked at in one step of work

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

static const bsp_material *material_of(const bsp_map *map, bsp_text name) {
    for (uint32_t i = 0; i < map->num_materials; i++) {
        if (map->materials[i].mips[0].size != 0 &&
            bspi_text_equal_nocase(map->materials[i].name, name)) {
            return &map->materials[i];
        }
    }
    return NULL;
}

// Returns true if the map or a WAD has a texture of that name.
static bool has_miptex(const bspi_finding *f, bsp_text name) {
    char path[BSPI_NAME_ROOM];
    int size = snprintf(path, sizeof path, "%.*s.mip", BSPI_TEXT(name));
    return material_of(f->textures->map, name) != NULL ||
           (size > 0 && (size_t)size < sizeof path &&
            bsp_search_find(f->textures->search, bsp_text_of(path)) != NULL);
}

// Gives the name of the frame that is shown: one of +0door to +9door for +3door, one of +Adoor to
// +Jdoor for +Cdoor. Returns false over a limit of work.
static bool frame_name(bspi_finding *f, char out[64], bsp_text *name) {
    *name = f->name;
    if (f->name.size < 2 || f->name.size >= sizeof(char[64]) || f->name.data[0] != '+') {
        return true;
    }
    memcpy(out, f->name.data, f->name.size);
    char first = out[1] >= '0' && out[1] <= '9' ? '0' : 'A';
    *name = (bsp_text){out, f->name.size};
    uint32_t count = 0;
    for (; f->textures->time > 0 && count < MOST_FRAMES; count++) {
        out[1] = (char)(first + (char)count);
        if (!bspi_textures_work(f->textures, 1, f->error)) {
            return false;
        }
        if (!has_miptex(f, *name)) {
            break;
        }
    }
    out[1] = (char)(first + (char)bspi_textures_frame(f->textures, MIPTEX_RATE, count));
    return true;
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

// Reads the numbers of the colours as shades of grey, and makes them the alpha of the last colour.
static bool use_gradient(bspi_finding *f, bsp_bytes bytes, bsp_error *why) {
    uint8_t greys[BSPI_PALETTE_SIZE];
    bsp_bytes own = bspi_miptex_palette(bytes);
    for (size_t i = 0; i < sizeof greys; i++) {
        greys[i] = (uint8_t)(i / 3);
    }
    const bsp_image_options options = {.palette = {greys, sizeof greys},
                                       .allocator = &f->textures->heap.allocator,
                                       .budget = f->textures->heap.budget};
    if (own.size != sizeof greys) {
        return false;
    }
    bytes.size = (size_t)(own.data - bytes.data) - 2; // without its own palette
    if (!bsp_image_decode(bytes, BSP_IMAGE_MIPTEX, &options, &f->out->image, why)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)f->out->image.width * f->out->image.height; i++) {
        uint8_t *pixel = f->out->image.pixels + 4 * i;
        pixel[3] = pixel[0];
        memcpy(pixel, own.data + sizeof greys - 3, 3);
    }
    return true;
}

bspi_try bspi_find_gradient(bspi_finding *f) {
    char path[BSPI_NAME_ROOM];
    bsp_blob blob;
    bsp_error why = {0};
    int size = snprintf(path, sizeof path, "%.*s.mip", BSPI_TEXT(f->name));
    if (!starts(f->name, "{") || size < 0 || (size_t)size >= sizeof path ||
        !bsp_search_read(f->textures->search, bsp_text_of(path), &blob, &why)) {
        return bspi_out_of_memory(&why, f->error) ? BSPI_FAILED : BSPI_NO;
    }
    bool done = use_gradient(f, (bsp_bytes){blob.data, blob.size}, &why);
    f->out->read += blob.size;
    bsp_blob_free(&blob);
    if (done) {
        f->out->width = f->out->image.width;
        f->out->height = f->out->image.height;
        f->out->alpha = BSP_ALPHA_BLEND;
        snprintf(f->out->source, sizeof f->out->source, "%.150s", path);
        return BSPI_YES;
    }
    return bspi_out_of_memory(&why, f->error) ? BSPI_FAILED : BSPI_NO;
}

bspi_try bspi_find_miptex(bspi_finding *f) {
    static const char *const endings[] = {".png", ".tga", ".jpg", NULL};
    char first[64];
    bsp_text name;
    const bsp_map *map = f->textures->map;
    describe(f);
    if (!frame_name(f, first, &name)) {
        return BSPI_FAILED;
    }
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

static uint32_t texinfo_of(const bsp_map *map, uint32_t material) {
    for (uint32_t i = 0; i < map->num_texinfos; i++) {
        if (map->texinfos[i].material == material && map->texinfos[i].next < map->num_texinfos) {
            return i;
        }
    }
    return BSP_NONE;
}

// Returns the texinfo that is so many links after another, or BSP_NONE where the chain ends.
static uint32_t follow(const bsp_map *map, uint32_t texinfo, uint32_t links) {
    for (uint32_t i = 0; i < links && texinfo < map->num_texinfos; i++) {
        texinfo = map->texinfos[texinfo].next;
    }
    return texinfo < map->num_texinfos ? texinfo : BSP_NONE;
}

// Gives the name of the frame that is shown now. Returns false over a limit of work.
static bool wal_frame(bspi_finding *f, bsp_text *name) {
    const bsp_map *map = f->textures->map;
    *name = f->name;
    if (f->textures->time == 0 || f->material == NULL) {
        return true;
    }
    if (!bspi_textures_work(f->textures, 1 + map->num_texinfos / STEPS_A_TEXINFO, f->error)) {
        return false;
    }
    uint32_t first = texinfo_of(map, (uint32_t)(f->material - map->materials));
    uint32_t count = first == BSP_NONE ? 0 : 1;
    while (count != 0 && count < MOST_LINKS && follow(map, first, count) != BSP_NONE &&
           follow(map, first, count) != first) {
        count++;
    }
    uint32_t shown = follow(map, first, bspi_textures_frame(f->textures, WAL_RATE, count));
    uint32_t material = shown == BSP_NONE ? BSP_NONE : map->texinfos[shown].material;
    *name = material < map->num_materials ? map->materials[material].name : f->name;
    return true;
}

bspi_try bspi_find_wal(bspi_finding *f) {
    bsp_text name;
    if (!wal_frame(f, &name)) {
        return BSPI_FAILED;
    }
    static const char *const endings[] = {".wal", ".m8", ".m32", ".tga", ".png", ".jpg", NULL};
    bspi_try result = BSPI_NO;
    for (size_t i = 0; result == BSPI_NO && endings[i] != NULL; i++) {
        result = bspi_try_image(f, true, "textures/%.*s%s", BSPI_TEXT(name), endings[i]);
        if (result == BSPI_YES && i == 0 && f->textures->palette.size == 0) {
            snprintf(f->out->note, sizeof f->out->note, "grey: no palette");
        }
    }
    if (result == BSPI_YES) {
        note_holes(f->out);
    }
    return result;
}
