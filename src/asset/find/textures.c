// SPDX-License-Identifier: MIT
// Textures of a map: what is prepared once (palette, WADs, scripts), and the part of a search that
// all families share.
#include "asset/find/textures.h"

#include "core/options.h"
#include "core/text.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_PALETTES 64
#define LABEL_SIZE 64u
#define LABEL_MAX 128u
#define LABEL_GLOW 0.125F // of one that is added: several above each other stay quiet

// How textures are found in a family.
typedef struct source_rules {
    bool scripts;     // materials may be in scripts/*.shader
    bool names_files; // a name is that of a file, without its ending
    bspi_find_texture *find;
    bool gradients;                 // decals are colours of which the palette's number is the alpha
    bspi_find_texture *find_second; // NULL: materials have one texture
    bspi_find_texture *find_bump;   // NULL: materials have no normal map
    bspi_find_texture *find_glow;
} source_rules;

static const source_rules *rules_of(const bsp_map *map) {
    static const source_rules rules[] = {
        [BSP_TEXTURES_MIPTEX] = {false, false, bspi_find_miptex, true, NULL, NULL,
                                 bspi_find_miptex_glow},
        [BSP_TEXTURES_WAL] = {false, false, bspi_find_wal, false, NULL, NULL, NULL},
        [BSP_TEXTURES_SHADER] = {true, true, bspi_find_shader, false, NULL, NULL,
                                 bspi_find_shader_glow},
        [BSP_TEXTURES_VMT] = {false, true, bspi_find_vmt, false, bspi_find_vmt_second,
                              bspi_find_vmt_bump, bspi_find_vmt_glow},
    };
    return &rules[map->traits->texture_source];
}

static bspi_kept *keep(bsp_textures *t, bsp_blob *blob, bsp_error *error) {
    bspi_kept *kept = bspi_arena_zero(&t->arena, 1, sizeof *kept, error);
    if (kept == NULL || !bspi_heap_charge(&t->heap, blob->size, error)) {
        bsp_blob_free(blob);
        return NULL;
    }
    kept->blob = *blob;
    t->held += blob->size;
    t->num_kept++;
    *t->last = kept;
    t->last = &kept->next;
    return kept;
}

// Reads the palette from its own file; if that is a PCX, from any other PCX, since all of a game
// have the same palette.
static bool read_palette(const bsp_textures *t, const char *name, bsp_blob *blob, bsp_error *why) {
    if (bsp_search_read(t->search, bsp_text_of(name), blob, why)) {
        return true;
    }
    size_t count = 0;
    int tries = 0;
    const bsp_asset *list =
        t->search->next == NULL || !bspi_text_ends_nocase(bsp_text_of(name), ".pcx")
            ? NULL
            : bsp_search_list(t->search->next, &count);
    for (size_t i = 0; i < count && tries < MAX_PALETTES; i++) {
        if (!bspi_text_ends_nocase(list[i].name, ".pcx")) {
            continue;
        }
        tries++;
        if (bsp_search_read(t->search, list[i].name, blob, why)) {
            if (bsp_palette_of((bsp_bytes){blob->data, blob->size}).size != 0) {
                return true;
            }
            bsp_blob_free(blob);
        }
    }
    return false;
}

static bool load_palette(bsp_textures *t, const bsp_textures_options *o, bsp_error *error) {
    const char *name = t->map->traits->palette_file;
    bsp_blob blob;
    t->palette = o->palette;
    if (name == NULL || t->palette.size != 0) {
        return true;
    }
    bsp_error why = {0};
    if (read_palette(t, name, &blob, &why)) {
        bspi_kept *kept = keep(t, &blob, error);
        if (kept == NULL) {
            return false;
        }
        t->palette = bsp_palette_of((bsp_bytes){kept->blob.data, kept->blob.size});
    } else if (bspi_out_of_memory(&why, error)) {
        return false;
    }
    if (t->palette.size == 0 && !t->map->traits->texture_palettes) {
        bspi_issue(o->issues, BSPI_ISSUE_TEXTURE_PALETTE, bsp_place_none(), "%s was not found",
                   name);
    }
    return true;
}

// Returns the file whose name, or last part of the name, is `base`.
static const bsp_asset *find_base(const bsp_search *search, bsp_text base) {
    size_t count;
    const bsp_asset *list = bsp_search_list(search, &count);
    for (size_t i = 0; i < count && base.size != 0; i++) {
        bsp_text name = list[i].name;
        if (name.size < base.size ||
            (name.size > base.size && name.data[name.size - base.size - 1] != '/')) {
            continue;
        }
        bsp_text tail = {name.data + name.size - base.size, base.size};
        if (bspi_text_equal_nocase(tail, base)) {
            return &list[i];
        }
    }
    return NULL;
}

static bool add_wad(bsp_textures *t, const bsp_search *search, bsp_text base, bsp_error *error) {
    bsp_blob blob;
    bsp_error why = {0};
    char name[BSPI_NAME_ROOM];
    size_t count;
    (void)bsp_search_list(search, &count);
    if (!bspi_heap_work(&t->heap, count, error)) {
        return false;
    }
    const bsp_asset *asset = find_base(search, base);
    if (asset == NULL || !bsp_search_read(search, asset->name, &blob, &why)) {
        return asset == NULL || !bspi_out_of_memory(&why, error);
    }
    bspi_kept *kept = keep(t, &blob, error);
    if (kept == NULL) {
        return false;
    }
    snprintf(name, sizeof name, "%.*s", BSPI_TEXT(asset->name));
    return bsp_search_add_memory(t->search, name, (bsp_bytes){kept->blob.data, kept->blob.size},
                                 &why) ||
           !bspi_out_of_memory(&why, error);
}

// Loads the WADs of worldspawn's "wad": paths on the mapper's machine, separated by semicolons.
static bool load_wads(bsp_textures *t, const bsp_search *search, bsp_error *error) {
    if (search == NULL || t->map->entities == NULL || t->map->entities->count == 0) {
        return true;
    }
    bsp_text list = bsp_entity_value(&t->map->entities->list[0], "wad");
    size_t start = 0;
    for (size_t i = 0; i <= list.size && list.size != 0; i++) {
        char c = i < list.size ? list.data[i] : ';';
        if (c == '/' || c == '\\') {
            start = i + 1;
        } else if (c == ';') {
            if (!add_wad(t, search, (bsp_text){list.data + start, i - start}, error)) {
                return false;
            }
            start = i + 1;
        }
    }
    return true;
}

static bool load_script(bsp_textures *t, const bsp_asset *asset, const bsp_textures_options *o,
                        bsp_error *error) {
    bsp_blob blob;
    bsp_error why = {0};
    if (!bsp_search_read(t->search, asset->name, &blob, &why)) {
        return !bspi_out_of_memory(&why, error);
    }
    bspi_kept *kept = keep(t, &blob, error);
    if (kept == NULL) {
        return false;
    }
    kept->name = asset->name;
    bsp_text_options options = {.name = asset->name.data, // NUL-terminated by the index
                                .allocator = &t->heap.allocator,
                                .budget = t->heap.budget,
                                .issues = o->issues};
    kept->shaders = bsp_shaders_parse((bsp_text){(const char *)kept->blob.data, kept->blob.size},
                                      &options, error);
    return kept->shaders != NULL;
}

static bool load_scripts(bsp_textures *t, const bsp_search *search, const bsp_textures_options *o,
                         bsp_error *error) {
    size_t count = 0;
    const bsp_asset *list =
        search == NULL || !rules_of(t->map)->scripts ? NULL : bsp_search_list(search, &count);
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (!bspi_text_begins_nocase(list[i].name, "scripts/") ||
            !bspi_text_ends_nocase(list[i].name, ".shader")) {
            continue;
        }
        if (!load_script(t, &list[i], o, error)) {
            return false;
        }
    }
    return true;
}

static bool prepare(bsp_textures *t, const bsp_search *search, const bsp_textures_options *o,
                    bsp_error *error) {
    bsp_search_options options = {.allocator = o->allocator,
                                  .budget = bspi_map_budget(t->map, o->budget),
                                  .file_limit = search == NULL ? 0 : search->file_limit,
                                  .issues = o->issues};
    bsp_error why = {0};
    t->search = bsp_search_new(&options, error);
    if (t->search == NULL) {
        return false;
    }
    t->search->next = search;
    // A damaged pak is reported by `check`.
    if (!bsp_search_add_memory(t->search, "map", t->map->pak, &why) &&
        bspi_out_of_memory(&why, error)) {
        return false;
    }
    return load_wads(t, search, error) && load_palette(t, o, error) &&
           load_scripts(t, search, o, error);
}

bsp_textures *bsp_textures_open(const bsp_search *search, const bsp_map *map,
                                const bsp_textures_options *options, bsp_error *error) {
    assert(map != NULL);
    bsp_textures_options o;
    if (!BSPI_TAKE_OPTIONS(o, options, error)) {
        return NULL;
    }
    if (!bspi_map_needs(map, BSP_LOAD_SURFACES, "textures", error)) {
        return NULL;
    }
    bsp_textures *t = bspi_object_new(o.allocator, sizeof *t, error);
    if (t == NULL) {
        return NULL;
    }
    bspi_map_heap(&t->heap, BSP_PRODUCT_TEXTURES, map, o.budget, o.allocator);
    bspi_arena_init(&t->arena, &t->heap);
    t->map = map;
    t->time = isfinite(o.time) && o.time > 0 ? (double)o.time : 0;
    t->last = &t->kept;
    if (!prepare(t, search, &o, error)) {
        bsp_textures_close(t);
        return NULL;
    }
    return t;
}

void bsp_textures_close(bsp_textures *t) {
    if (t == NULL) {
        return;
    }
    bsp_search_free(t->search);
    for (bspi_kept *kept = t->kept; kept != NULL; kept = kept->next) {
        bsp_shaders_free(kept->shaders);
        bsp_blob_free(&kept->blob);
    }
    bspi_heap_discharge(&t->heap, t->held);
    bspi_arena_free(&t->arena);
    bspi_object_free(t, sizeof *t, &t->heap.allocator);
}

// --- finding ------------------------------------------------------------------------------------

static uint32_t label_size(uint32_t texels) {
    return texels == 0 ? LABEL_SIZE : texels > LABEL_MAX ? LABEL_MAX : texels;
}

// Draws the label of a missing texture, unless the surface is never drawn.
static bool label(bspi_finding *f) {
    bsp_texture *out = f->out;
    uint32_t width = label_size(f->material == NULL ? 0 : f->material->width);
    uint32_t height = label_size(f->material == NULL ? 0 : f->material->height);
    out->found = out->no_draw;
    if (out->alpha == BSP_ALPHA_ADD && out->opacity > LABEL_GLOW) {
        out->opacity = LABEL_GLOW;
    }
    if (out->note[0] == '\0') {
        snprintf(out->note, sizeof out->note, "%s", out->no_draw ? "never drawn" : "not found");
    }
    out->width = width;
    out->height = height;
    return bsp_image_label(width, height, f->name, &f->textures->heap.allocator, &out->image,
                           f->error);
}

// Takes what a try gave: the texture, or else its label.
static bool conclude(bspi_finding *f, bspi_try result) {
    if (result == BSPI_FAILED) {
        bsp_texture_free(f->out);
        return false;
    }
    f->out->found = result == BSPI_YES;
    return f->out->found || label(f);
}

static bool find(bspi_finding *f) {
    bsp_texture *out = f->out;
    *out = BSPI_NEW_TEXTURE;
    if (!bspi_textures_work(f->textures, 1, f->error) ||
        !conclude(f, f->name.size == 0 ? BSPI_NO : rules_of(f->textures->map)->find(f))) {
        return false;
    }
    if (f->material != NULL && f->material->width != 0 && f->material->height != 0) {
        out->width = f->material->width;
        out->height = f->material->height;
    }
    return true;
}

bool bsp_textures_find(const bsp_textures *textures, uint32_t material, bsp_texture *out,
                       bsp_error *error) {
    assert(textures != NULL && out != NULL);
    const bsp_map *map = textures->map;
    memset(out, 0, sizeof *out);
    if (material >= map->num_materials) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "material %u, but there are %u",
                        (unsigned)material, (unsigned)map->num_materials);
    }
    bspi_finding f = {
        textures, &map->materials[material], map->materials[material].name, out, error, 0, 0};
    return find(&f);
}

const bsp_shader *bsp_textures_shader(const bsp_textures *textures, uint32_t material) {
    assert(textures != NULL);
    const bsp_map *map = textures->map;
    return material < map->num_materials ? bspi_shader_of(textures, map->materials[material].name)
                                         : NULL;
}

// Finds another picture of a material, if the family has such.
static bool find_other(const bsp_textures *textures, uint32_t material, bspi_find_texture *search,
                       bsp_texture *out, bsp_error *error) {
    const bsp_map *map = textures->map;
    *out = BSPI_NEW_TEXTURE;
    if (material >= map->num_materials) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "material %u, but there are %u",
                        (unsigned)material, (unsigned)map->num_materials);
    }
    bspi_finding f = {
        textures, &map->materials[material], map->materials[material].name, out, error, 0, 0};
    bspi_try result = search == NULL || f.name.size == 0 ? BSPI_NO : search(&f);
    out->found = result == BSPI_YES;
    return result != BSPI_FAILED;
}

bool bsp_textures_find_second(const bsp_textures *textures, uint32_t material, bsp_texture *out,
                              bsp_error *error) {
    assert(textures != NULL && out != NULL);
    return find_other(textures, material, rules_of(textures->map)->find_second, out, error);
}

bool bsp_textures_find_layer(const bsp_textures *textures, uint32_t material, uint32_t layer,
                             bsp_texture *out, bsp_error *error) {
    assert(textures != NULL && out != NULL && layer >= 2 && layer <= 4);
    bspi_find_texture *second = rules_of(textures->map)->find_second;
    bspi_find_texture *search = second == NULL ? NULL
                                : layer == 3   ? bspi_find_vmt_third
                                : layer == 4   ? bspi_find_vmt_fourth
                                               : second;
    return find_other(textures, material, search, out, error);
}

bool bsp_textures_find_bump(const bsp_textures *textures, uint32_t material, bsp_texture *out,
                            bsp_error *error) {
    assert(textures != NULL && out != NULL);
    return find_other(textures, material, rules_of(textures->map)->find_bump, out, error);
}

bool bsp_textures_find_glow(const bsp_textures *textures, uint32_t material, bsp_texture *out,
                            bsp_error *error) {
    assert(textures != NULL && out != NULL);
    return find_other(textures, material, rules_of(textures->map)->find_glow, out, error);
}

bool bsp_textures_find_file_glow(const bsp_textures *textures, const bsp_text *names,
                                 uint32_t num_names, bsp_texture *out, bsp_error *error) {
    assert(textures != NULL && out != NULL && (names != NULL || num_names == 0));
    const source_rules *rules = rules_of(textures->map);
    *out = BSPI_NEW_TEXTURE;
    if (!bspi_textures_work(textures, (uint64_t)num_names + 1, error)) {
        return false;
    }
    bspi_finding f = {.textures = textures, .out = out, .error = error};
    bspi_try result = BSPI_NO;
    for (uint32_t i = 0; rules->names_files && result == BSPI_NO && i < num_names; i++) {
        f.name = names[i];
        result = f.name.size == 0 || rules->find_glow == NULL ? BSPI_NO : rules->find_glow(&f);
    }
    out->found = result == BSPI_YES;
    return result != BSPI_FAILED;
}

bool bsp_textures_find_name(const bsp_textures *textures, bsp_text name, bsp_texture *out,
                            bsp_error *error) {
    assert(textures != NULL && out != NULL);
    bspi_finding f = {textures, NULL, name, out, error, 0, 0};
    return find(&f);
}

const bsp_search *bsp_textures_search(const bsp_textures *textures) {
    assert(textures != NULL);
    return textures->search;
}

bool bsp_textures_find_file(const bsp_textures *textures, const bsp_text *names, uint32_t num_names,
                            bsp_texture *out, bsp_error *error) {
    static const char *const endings[] = {".tga", ".png", ".jpg", ".pcx", ".m8", NULL};
    assert(textures != NULL && out != NULL && (names != NULL || num_names == 0));
    *out = BSPI_NEW_TEXTURE;
    if (!bspi_textures_work(textures, (uint64_t)num_names + 1, error)) {
        return false;
    }
    bspi_finding f = {.textures = textures, .out = out, .error = error};
    bool named = rules_of(textures->map)->names_files;
    bspi_try result = BSPI_NO;
    for (uint32_t i = 0; result == BSPI_NO && i < num_names; i++) {
        f.name = names[i];
        result = f.name.size == 0 ? BSPI_NO
                 : named          ? rules_of(textures->map)->find(&f)
                                  : bspi_try_any(&f, f.name, endings);
    }
    if (result == BSPI_NO && num_names != 0) {
        f.name = names[0];
    }
    return conclude(&f, result);
}

bool bsp_textures_find_decal(const bsp_textures *textures, bsp_text name, bsp_texture *out,
                             bsp_error *error) {
    assert(textures != NULL && out != NULL);
    bspi_finding f = {textures, NULL, name, out, error, 0, 0};
    const source_rules *rules = rules_of(textures->map);
    *out = BSPI_NEW_TEXTURE;
    if (!bspi_textures_work(textures, 1, error)) {
        return false;
    }
    bspi_try result = name.size == 0 || !rules->gradients ? BSPI_NO : bspi_find_gradient(&f);
    result = result == BSPI_NO && name.size != 0 ? rules->find(&f) : result;
    out->found = result == BSPI_YES;
    out->width = (uint32_t)((float)out->width * out->decal_scale);
    out->height = (uint32_t)((float)out->height * out->decal_scale);
    return result != BSPI_FAILED;
}

void bsp_texture_free(bsp_texture *texture) {
    if (texture != NULL) {
        bsp_image_free(&texture->image);
    }
}
