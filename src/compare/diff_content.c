// SPDX-License-Identifier: MIT
// The content of maps: textures and their number of faces, static props, embedded files, light.
#include "compare/diff.h"

#include <stdio.h>
#include <string.h>

static const bsp_text nothing = {NULL, 0};

static bspi_named *list_of(bspi_diff *d, uint32_t count) {
    return bspi_arena_zero(&d->arena, count, sizeof(bspi_named), d->error);
}

// --- textures -----------------------------------------------------------------------------------

typedef struct used {
    const bsp_material *material; // the first with that name
    uint32_t faces;
} used;

typedef struct textures {
    used *lists[2];
    bspi_named *names[2];
    uint32_t counts[2];
} textures;

static uint32_t material_of(const bsp_map *map, const bsp_face *face) {
    return face->texinfo < map->num_texinfos ? map->texinfos[face->texinfo].material
                                             : face->material;
}

// Joins materials of one name, which are one texture.
static void join(textures *t, int f, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        bspi_named *last = kept == 0 ? NULL : &t->names[f][kept - 1];
        if (last != NULL && bsp_text_equal(last->name, t->names[f][i].name)) {
            t->lists[f][last->index].faces += t->lists[f][t->names[f][i].index].faces;
        } else {
            t->names[f][kept++] = t->names[f][i];
        }
    }
    t->counts[f] = 0;
    for (uint32_t i = 0; i < kept; i++) { // textures without faces are left out
        if (t->lists[f][t->names[f][i].index].faces != 0) {
            t->names[f][t->counts[f]++] = t->names[f][i];
        }
    }
}

static bool collect_textures(bspi_diff *d, textures *t, int f) {
    const bsp_map *map = d->maps[f];
    t->lists[f] = bspi_arena_zero(&d->arena, map->num_materials, sizeof(used), d->error);
    t->names[f] = list_of(d, map->num_materials);
    if (t->lists[f] == NULL || t->names[f] == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_faces; i++) {
        uint32_t material = material_of(map, &map->faces[i]);
        if (material < map->num_materials) {
            t->lists[f][material].faces++;
        }
    }
    for (uint32_t i = 0; i < map->num_materials; i++) {
        t->lists[f][i].material = &map->materials[i];
        t->names[f][i] = (bspi_named){map->materials[i].name, i};
    }
    bspi_diff_sort(t->names[f], map->num_materials);
    join(t, f, map->num_materials);
    return true;
}

static bool same_pixels(const bsp_material *a, const bsp_material *b) {
    return a->mips[0].size == b->mips[0].size &&
           (a->mips[0].size == 0 || memcmp(a->mips[0].data, b->mips[0].data, a->mips[0].size) == 0);
}

static bsp_text describe(const used *texture, const char *more, char out[64]) {
    snprintf(out, 64, "%u faces, %ux%u%s", texture->faces, texture->material->width,
             texture->material->height, more);
    return bsp_text_of(out);
}

// Textures may share their pixels, so the work of reading them is counted.
static bool have_other_pixels(bspi_diff *d, const used *x, const used *y) {
    return x != NULL && y != NULL && bspi_diff_work(d, x->material->mips[0].size) &&
           !same_pixels(x->material, y->material);
}

static void pair_textures(bspi_diff *d, void *user, bsp_text name, uint32_t a, uint32_t b) {
    const textures *t = user;
    char texts[2][64];
    const used *x = a == BSP_NONE ? NULL : &t->lists[0][a];
    const used *y = b == BSP_NONE ? NULL : &t->lists[1][b];
    bool pixels = have_other_pixels(d, x, y);
    bsp_text before = x == NULL ? nothing : describe(x, "", texts[0]);
    bsp_text after = y == NULL ? nothing : describe(y, pixels ? ", other pixels" : "", texts[1]);
    if (!bsp_text_equal(before, after)) {
        bspi_diff_tell(d,
                       x == NULL   ? BSP_ADDED
                       : y == NULL ? BSP_REMOVED
                                   : BSP_CHANGED,
                       "textures", bsp_place_none(), name, before, after);
    }
}

static bool diff_textures(bspi_diff *d) {
    textures t = {0};
    if (!collect_textures(d, &t, 0) || !collect_textures(d, &t, 1)) {
        return false;
    }
    bspi_diff_merge(d, t.names[0], t.counts[0], t.names[1], t.counts[1], pair_textures, &t);
    return true;
}

// --- props --------------------------------------------------------------------------------------

// A prop is identified by its model and its position.
static bspi_named *name_props(bspi_diff *d, const bsp_map *map) {
    bspi_named *list = list_of(d, map->num_static_props);
    for (uint32_t i = 0; list != NULL && i < map->num_static_props; i++) {
        const bsp_static_prop *prop = &map->static_props[i];
        bsp_text model = prop->model < map->num_static_prop_models
                             ? map->static_prop_models[prop->model]
                             : nothing;
        char place[3][BSP_FLOAT_TEXT];
        for (int axis = 0; axis < 3; axis++) {
            (void)bsp_format_float(place[axis], prop->origin[axis]);
        }
        char text[512];
        int size = snprintf(text, sizeof text, "%.*s at %s %s %s", (int)model.size,
                            model.size == 0 ? "" : model.data, place[0], place[1], place[2]);
        size = size < 0 ? 0 : (size_t)size < sizeof text ? size : (int)sizeof text - 1;
        const char *name = bspi_arena_text(&d->arena, (bsp_text){text, (size_t)size}, d->error);
        if (name == NULL) {
            return NULL;
        }
        list[i] = (bspi_named){bsp_text_of(name), i};
    }
    bspi_diff_sort(list, list == NULL ? 0 : map->num_static_props);
    return list;
}

static bsp_text describe_prop(const bsp_static_prop *prop, char out[224]) {
    char angles[3][BSP_FLOAT_TEXT];
    char scale[BSP_FLOAT_TEXT];
    for (int axis = 0; axis < 3; axis++) {
        (void)bsp_format_float(angles[axis], prop->angles[axis]);
    }
    (void)bsp_format_float(scale, prop->scale);
    snprintf(out, 224, "angles %s %s %s, skin %d, solid %u, flags %u, scale %s", angles[0],
             angles[1], angles[2], prop->skin, prop->solid, prop->flags, scale);
    return bsp_text_of(out);
}

static void pair_props(bspi_diff *d, void *user, bsp_text name, uint32_t a, uint32_t b) {
    (void)user;
    char texts[2][224];
    bsp_text before =
        a == BSP_NONE ? nothing : describe_prop(&d->maps[0]->static_props[a], texts[0]);
    bsp_text after =
        b == BSP_NONE ? nothing : describe_prop(&d->maps[1]->static_props[b], texts[1]);
    if (!bsp_text_equal(before, after)) {
        bsp_place place = bsp_place_at("game:sprp", a == BSP_NONE ? b : a, NULL, UINT64_MAX);
        bspi_diff_tell(d,
                       a == BSP_NONE   ? BSP_ADDED
                       : b == BSP_NONE ? BSP_REMOVED
                                       : BSP_CHANGED,
                       "props", place, name, before, after);
    }
}

static bool diff_props(bspi_diff *d) {
    bspi_named *a = name_props(d, d->maps[0]);
    bspi_named *b = a == NULL ? NULL : name_props(d, d->maps[1]);
    if (b == NULL) {
        return false;
    }
    bspi_diff_merge(d, a, d->maps[0]->num_static_props, b, d->maps[1]->num_static_props, pair_props,
                    NULL);
    return true;
}

// --- embedded files -----------------------------------------------------------------------------

typedef struct paks {
    bsp_pak *paks[2];
} paks;

static bsp_text describe_file(const bsp_pak_entry *entry, char out[64]) {
    snprintf(out, 64, "%u bytes, CRC %08x", entry->size, entry->crc);
    return bsp_text_of(out);
}

static void pair_files(bspi_diff *d, void *user, bsp_text name, uint32_t a, uint32_t b) {
    const paks *p = user;
    char texts[2][64];
    bsp_text before = a == BSP_NONE ? nothing : describe_file(&p->paks[0]->entries[a], texts[0]);
    bsp_text after = b == BSP_NONE ? nothing : describe_file(&p->paks[1]->entries[b], texts[1]);
    if (!bsp_text_equal(before, after)) {
        bspi_diff_tell(d,
                       a == BSP_NONE   ? BSP_ADDED
                       : b == BSP_NONE ? BSP_REMOVED
                                       : BSP_CHANGED,
                       "pak", bsp_place_none(), name, before, after);
    }
}

static bspi_named *name_files(bspi_diff *d, const bsp_pak *pak) {
    bspi_named *list = list_of(d, pak->count);
    for (uint32_t i = 0; list != NULL && i < pak->count; i++) {
        list[i] = (bspi_named){pak->entries[i].name, i};
    }
    bspi_diff_sort(list, list == NULL ? 0 : pak->count);
    return list;
}

static bool diff_paks(bspi_diff *d) {
    paks p = {{NULL, NULL}};
    bool done = true;
    for (int f = 0; done && f < 2; f++) {
        p.paks[f] = bsp_pak_open(d->maps[f]->pak, &d->heap->allocator, NULL, d->error);
        done = p.paks[f] != NULL;
    }
    bspi_named *a = done ? name_files(d, p.paks[0]) : NULL;
    bspi_named *b = a != NULL ? name_files(d, p.paks[1]) : NULL;
    if (b != NULL) {
        bspi_diff_merge(d, a, p.paks[0]->count, b, p.paks[1]->count, pair_files, &p);
    }
    bsp_pak_close(p.paks[0]);
    bsp_pak_close(p.paks[1]);
    return b != NULL;
}

// --- light --------------------------------------------------------------------------------------

static bsp_text describe_light(bsp_bytes light, uint64_t other, char out[96]) {
    uint64_t sum = 0;
    for (size_t i = 0; i < light.size; i++) {
        sum += light.data[i];
    }
    snprintf(out, 96, "%zu bytes, average %u, %llu differ", light.size,
             light.size == 0 ? 0 : (unsigned)(sum / light.size), (unsigned long long)other);
    return bsp_text_of(out);
}

// Gives the bytes of the light of a file: none if it cannot be unpacked. Returns false only without
// memory.
static bool find_light(const bspi_diff *d, int f, bsp_table_id id, bsp_bytes *out) {
    bsp_error why = {0};
    uint32_t lump = bsp_file_find_id(d->files[f], id);
    *out = (bsp_bytes){NULL, 0};
    return lump == BSP_NONE || bsp_file_data(d->files[f], lump, out, &why) ||
           !bspi_out_of_memory(&why, d->error);
}

static bool diff_light(bspi_diff *d, const char *name, bsp_table_id id) {
    bsp_bytes a;
    bsp_bytes b;
    if (!find_light(d, 0, id, &a) || !find_light(d, 1, id, &b)) {
        return false;
    }
    if (!bspi_diff_work(d, (uint64_t)a.size + b.size)) {
        return true; // and the comparison has failed
    }
    size_t shared = a.size < b.size ? a.size : b.size;
    uint64_t differ = (a.size > b.size ? a.size : b.size) - shared;
    char texts[2][96];
    for (size_t i = 0; i < shared; i++) {
        differ += a.data[i] != b.data[i] ? 1 : 0;
    }
    if (differ != 0) {
        bspi_diff_tell(d, BSP_CHANGED, "light", bsp_place_none(), bsp_text_of(name),
                       describe_light(a, differ, texts[0]), describe_light(b, differ, texts[1]));
    }
    return true;
}

bool bspi_diff_content(bspi_diff *d) {
    if (!diff_textures(d) || !diff_props(d) || !diff_paks(d)) {
        return false;
    }
    return diff_light(d, "light", BSP_ID_LIGHTING) &&
           diff_light(d, "HDR light", BSP_ID_LIGHTING_HDR);
}
