// SPDX-License-Identifier: MIT
// Textures of Source: materials/NAME.vmt refers to materials/BASE.vtf.
#include "asset/find/textures.h"

#include "core/curves.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_RATE 15.0F   // frames a second of AnimatedTexture that states none
#define DEGREES 57.29577951F // per radian
#define MOST_FRAMES 65536.0F
#define MOST_SCALE 64.0F

// Returns a value as part of a path: without the folder and the extension that some materials have.
static bsp_text bare(bsp_text name) {
    static const char folder[] = "materials/";
    size_t skip = sizeof folder - 1;
    char clean[BSPI_NAME_ROOM];
    while (name.size != 0 && (name.data[0] == '/' || name.data[0] == '\\')) {
        name = (bsp_text){name.data + 1, name.size - 1};
    }
    if (name.size > skip && bspi_clean_name((bsp_text){name.data, skip}, clean) &&
        bspi_text_equal_nocase(bsp_text_of(clean), bsp_text_of("materials"))) {
        name = (bsp_text){name.data + skip, name.size - skip};
    }
    bsp_text ending = {name.data, 0};
    if (name.size > 4) {
        ending = (bsp_text){name.data + name.size - 4, 4};
    }
    bool cut = bspi_text_equal_nocase(ending, bsp_text_of(".vtf")) ||
               bspi_text_equal_nocase(ending, bsp_text_of(".vmt"));
    return (bsp_text){name.data, cut ? name.size - 4 : name.size};
}

bspi_try bspi_vmt_try(bspi_finding *f, bsp_text name) {
    bsp_text base = bare(name);
    return base.size == 0 ? BSPI_NO
                          : bspi_try_image(f, false, "materials/%.*s.vtf", BSPI_TEXT(base));
}

// "{255 128 0}" has a maximum of 255, "[1 .5 0]" of 1.
bool bspi_vmt_colour(bsp_text text, uint8_t out[4]) {
    float scale = text.size != 0 && text.data[0] == '{' ? 1 : 255;
    size_t at = 0;
    for (int c = 0; c < 3; c++) {
        while (at < text.size && strchr("{}[] \t", text.data[at]) != NULL) {
            at++;
        }
        size_t start = at;
        while (at < text.size && strchr("{}[] \t", text.data[at]) == NULL) {
            at++;
        }
        float value;
        if (at == start || !bsp_parse_float((bsp_text){text.data + start, at - start}, &value)) {
            return false;
        }
        value *= scale;
        out[c] = value >= 255 ? 255 : value > 0 ? (uint8_t)value : 0;
    }
    out[3] = 255;
    return true;
}

static float number_in(const bsp_key_values *all, uint32_t block, const char *key,
                       float otherwise) {
    float value;
    return bsp_parse_float(bsp_key_values_get(all, block, key), &value) ? value : otherwise;
}

// A proxy that shows the frames of the base texture one after another.
static void use_frames(const bsp_key_values *all, uint32_t proxy, bspi_finding *f) {
    bsp_text texture = bsp_key_values_get(all, proxy, "animatedtexturevar");
    if (texture.size == 0 || bspi_text_equal_nocase(texture, bsp_text_of("$basetexture"))) {
        float rate = number_in(all, proxy, "animatedtextureframerate", DEFAULT_RATE);
        f->rate = rate > 0 ? (double)rate : 0;
    }
}

// A proxy that moves the base texture.
static void use_scroll(const bsp_key_values *all, uint32_t proxy, bspi_finding *f) {
    bsp_text what = bsp_key_values_get(all, proxy, "texturescrollvar");
    float rate = number_in(all, proxy, "texturescrollrate", 1);
    float angle = number_in(all, proxy, "texturescrollangle", 0) / DEGREES;
    if (bspi_text_equal_nocase(what, bsp_text_of("$basetexturetransform"))) {
        f->out->shift[0] = bspi_textures_shift(f->textures, rate * bspi_cosine(angle));
        f->out->shift[1] = bspi_textures_shift(f->textures, rate * bspi_sine(angle));
    }
}

// What its proxies make of a material at the moment that is shown; others are not read.
static void use_proxies(const bsp_vmt *vmt, bspi_finding *f) {
    const bsp_key_values all = {.list = vmt->list, .count = vmt->count};
    float frame = number_in(&all, BSP_NONE, "$frame", 0);
    f->frame = frame > 0 && frame < MOST_FRAMES ? (uint32_t)frame : 0;
    for (uint32_t i = 0; i < vmt->count; i = vmt->list[i].end) {
        bool proxies =
            vmt->list[i].block && bspi_text_equal_nocase(vmt->list[i].key, bsp_text_of("proxies"));
        for (uint32_t p = i + 1; proxies && p < vmt->list[i].end; p = vmt->list[p].end) {
            if (bspi_text_equal_nocase(vmt->list[p].key, bsp_text_of("AnimatedTexture"))) {
                use_frames(&all, p, f);
            } else if (bspi_text_equal_nocase(vmt->list[p].key, bsp_text_of("TextureScroll"))) {
                use_scroll(&all, p, f);
            }
        }
    }
}

static float decal_scale_of(const bsp_vmt *vmt) {
    float scale;
    bool good =
        bsp_parse_float(bsp_vmt_get(vmt, "$decalscale"), &scale) && scale > 0 && scale < MOST_SCALE;
    return good ? scale : 1;
}

static void describe(const bsp_vmt *vmt, bsp_texture *out) {
    bsp_text unlit = {vmt->shader.data, vmt->shader.size < 5 ? 0 : 5};
    out->alpha = vmt->alpha;
    out->alpha_cut = vmt->alpha_cut;
    out->opacity = vmt->opacity;
    out->decal_scale = decal_scale_of(vmt);
    out->two_sided = vmt->no_cull;
    out->no_draw = vmt->no_draw;
    out->sky = vmt->sky;
    out->liquid = vmt->water;
    out->unlit = vmt->sky || bspi_text_equal_nocase(unlit, bsp_text_of("unlit"));
}

// Tries the parameters that can name an image, the best first. Water has none: the colour of its
// fog is used.
static bspi_try try_material(bspi_finding *f, const bsp_vmt *vmt) {
    static const char *const keys[] = {"$basetexture", "$hdrcompressedtexture", "$hdrbasetexture",
                                       "%tooltexture", "$basetexture2"};
    uint8_t colour[4];
    bspi_try result = BSPI_NO;
    for (size_t i = 0; result == BSPI_NO && i < sizeof keys / sizeof *keys; i++) {
        result = bspi_vmt_try(f, bsp_vmt_get(vmt, keys[i]));
    }
    if (result == BSPI_NO && vmt->water && bspi_vmt_colour(bsp_vmt_get(vmt, "$fogcolor"), colour)) {
        f->out->alpha = BSP_ALPHA_BLEND;
        f->out->opacity = 0.75F;
        result = bspi_try_fill(f, colour, "$fogcolor");
    }
    if (result == BSPI_NO && vmt->base_texture.size == 0) {
        result = bspi_vmt_try(f, bsp_vmt_get(vmt, "$normalmap"));
    }
    if (result == BSPI_NO && f->out->note[0] == '\0') {
        snprintf(f->out->note, sizeof f->out->note, "$basetexture \"%.*s\" was not found",
                 vmt->base_texture.size > 256 ? 256 : (int)vmt->base_texture.size,
                 vmt->base_texture.size == 0 ? "" : vmt->base_texture.data);
    }
    return result;
}

// Handles the tools' own materials for when the game's files are missing. The material of the sky
// has no visible image: the engine draws the sky box.
static bspi_try try_tool(bspi_finding *f, bsp_text name) {
    static const char *const tools[] = {
        "nodraw",     "clip",       "skip",    "hint",        "trigger",         "origin",
        "invisible",  "playerclip", "npcclip", "blocklight",  "blockbullets",    "block_los",
        "areaportal", "occluder",   "fog",     "grenadeclip", "invisibleladder", "controlclip",
    };
    static const uint8_t blue[4] = {128, 160, 192, 255};
    char clean[BSPI_NAME_ROOM];
    if (!bspi_clean_name(name, clean) || strlen(clean) <= 11) {
        return BSPI_NO;
    }
    bsp_text start = {clean, 11};
    bsp_text tool = bsp_text_of(clean + 11);
    if (!bspi_text_equal_nocase(start, bsp_text_of("tools/tools"))) {
        return BSPI_NO;
    }
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        f->out->no_draw = f->out->no_draw || bspi_text_equal_nocase(tool, bsp_text_of(tools[i]));
    }
    f->out->sky = bspi_text_equal_nocase(tool, bsp_text_of("skybox")) ||
                  bspi_text_equal_nocase(tool, bsp_text_of("skybox2d"));
    return f->out->sky ? bspi_try_fill(f, blue, "sky") : BSPI_NO;
}

bool bspi_vmt_load(bspi_finding *f, bsp_text name, bsp_vmt **out) {
    char path[BSPI_NAME_ROOM];
    bsp_blob blob;
    bsp_error why = {0};
    name = bare(name);
    int size = snprintf(path, sizeof path, "materials/%.*s.vmt", BSPI_TEXT(name));
    *out = NULL;
    if (size < 0 || (size_t)size >= sizeof path ||
        !bsp_search_read(f->textures->search, bsp_text_of(path), &blob, &why)) {
        return !bspi_out_of_memory(&why, f->error);
    }
    bsp_text_options options = {.name = path,
                                .allocator = &f->textures->heap.allocator,
                                .budget = f->textures->heap.budget};
    *out = bsp_vmt_parse((bsp_text){(const char *)blob.data, blob.size}, f->textures->search,
                         &options, &why);
    bsp_blob_free(&blob);
    if (*out == NULL) {
        snprintf(f->out->note, sizeof f->out->note, "%.250s: %.255s", path, why.message);
        return !bspi_out_of_memory(&why, f->error);
    }
    return true;
}

bspi_try bspi_find_vmt(bspi_finding *f) {
    bsp_text name = bare(f->name);
    bsp_vmt *vmt;
    if (!bspi_vmt_load(f, name, &vmt)) {
        return BSPI_FAILED;
    }
    if (vmt == NULL) {
        bspi_try result = bspi_vmt_try(f, name);
        return result == BSPI_NO ? try_tool(f, name) : result;
    }
    describe(vmt, f->out);
    use_proxies(vmt, f);
    bspi_try result = try_material(f, vmt);
    bsp_vmt_free(vmt);
    return result;
}

bspi_try bspi_find_vmt_bump(bspi_finding *f) {
    bsp_vmt *vmt;
    if (!bspi_vmt_load(f, f->name, &vmt)) {
        return BSPI_FAILED;
    }
    float shadowed = 0;
    bspi_try result = vmt == NULL ? BSPI_NO : bspi_vmt_try(f, vmt->bump_map);
    f->out->self_shadowed =
        vmt != NULL && bsp_parse_float(bsp_vmt_get(vmt, "$ssbump"), &shadowed) && shadowed != 0;
    bsp_vmt_free(vmt);
    return result;
}

// Source: lightmapped_4wayblend of Counter-Strike: Global Offensive, and its defaults.
static void describe_layer(const bsp_vmt *vmt, uint32_t layer, bsp_texture *out) {
    static const char *const keys[] = {"blendstart", "blendend", "uvscale"};
    float *const values[] = {&out->blend[0], &out->blend[1], &out->repeats};
    for (int i = 0; i < 3; i++) {
        char key[32];
        float value;
        snprintf(key, sizeof key, "$texture%u_%s", (unsigned)layer, keys[i]);
        bsp_text text = bsp_vmt_get(vmt, key);
        while (text.size != 0 && strchr("[ ", text.data[0]) != NULL) { // "[2 2]": of u and v
            text = (bsp_text){text.data + 1, text.size - 1};
        }
        size_t size = 0;
        while (size < text.size && strchr("] ", text.data[size]) == NULL) {
            size++;
        }
        if (bsp_parse_float((bsp_text){text.data, size}, &value) && fabsf(value) < MOST_SCALE) {
            *values[i] = value;
        }
    }
}

static bspi_try find_layer(bspi_finding *f, uint32_t layer) {
    char key[32];
    bsp_vmt *vmt;
    if (!bspi_vmt_load(f, f->name, &vmt)) {
        return BSPI_FAILED;
    }
    snprintf(key, sizeof key, "$basetexture%u", (unsigned)layer);
    bsp_text base = vmt == NULL ? (bsp_text){"", 0} : bsp_vmt_get(vmt, key);
    bspi_try result = vmt == NULL ? BSPI_NO : bspi_vmt_try(f, base);
    if (vmt != NULL) {
        describe_layer(vmt, layer, f->out);
    }
    if (result == BSPI_NO && base.size != 0 && f->out->note[0] == '\0') {
        snprintf(f->out->note, sizeof f->out->note, "%s \"%.*s\" was not found", key,
                 base.size > 256 ? 256 : (int)base.size, base.data);
    }
    bsp_vmt_free(vmt);
    return result;
}

bspi_try bspi_find_vmt_third(bspi_finding *f) {
    return find_layer(f, 3);
}

bspi_try bspi_find_vmt_fourth(bspi_finding *f) {
    return find_layer(f, 4);
}

bspi_try bspi_find_vmt_second(bspi_finding *f) {
    return find_layer(f, 2);
}
