// SPDX-License-Identifier: MIT
// What a map names itself: in its materials, props and entities; and the files that games look for
// by its name.
#include "compare/assets/finder.h"

#include "core/text.h"
#include "map/entity.h"

#include <stdio.h>
#include <string.h>

// --- entities -----------------------------------------------------------------------------------

static bool add_pair(bspi_finder *f, const bsp_pair *pair, bsp_text by) {
    const bspi_asset_key *row;
    if (pair->value.size == 0 || bspi_is_brush_model(pair->value)) {
        return true;
    }
    if (!bspi_finder_add_value(f, BSPI_ROLE_ENTITY, pair->key, pair->value, by, &row)) {
        return false;
    }
    // The engine takes another box when it draws in HDR.
    bool sky = row != NULL && row->form == BSPI_FORM_SKY;
    return !sky || bspi_finder_add(f, BSPI_FORM_SKY_HDR, pair->value, by, false);
}

static bool add_entities(bspi_finder *f) {
    const bsp_entities *all = f->map->entities;
    for (uint32_t i = 0; all != NULL && i < all->count; i++) {
        bsp_text class = bsp_entity_value(&all->list[i], "classname");
        for (uint32_t p = 0; p < all->list[i].num_pairs; p++) {
            if (!add_pair(f, &all->list[i].pairs[p], class)) {
                return false;
            }
        }
    }
    return true;
}

// --- materials and props -------------------------------------------------------------------------

static bool add_materials(bspi_finder *f) {
    bsp_text by = bsp_text_of("faces");
    for (uint32_t i = 0; i < f->map->num_materials; i++) {
        const bsp_material *material = &f->map->materials[i];
        bool own = material->mips[0].size != 0;
        bool done = own ? true
                    : f->ways->scripts
                        ? bspi_finder_add_shader(f, material->name, by)
                        : bspi_finder_add(f, f->ways->material, material->name, by, true);
        if (!done) {
            return false;
        }
    }
    return true;
}

static bool add_models(bspi_finder *f, const bsp_text *list, uint32_t count, const char *by) {
    for (uint32_t i = 0; i < count; i++) {
        if (!bspi_finder_add(f, BSPI_FORM_MODEL, list[i], bsp_text_of(by), true)) {
            return false;
        }
    }
    return true;
}

// The sheet of detail sprites, and the text that they were made by. The names are those of the
// engine and of vbsp (Source SDK 2013) where worldspawn has none.
static bool add_details(bspi_finder *f) {
    const bsp_entities *all = f->map->entities;
    bsp_text by = bsp_text_of("detail props");
    if (f->map->num_detail_props == 0) {
        return true;
    }
    bool world = all != NULL && all->count != 0;
    bsp_text sheet = world ? bsp_entity_value(&all->list[0], "detailmaterial") : bsp_text_of("");
    bsp_text text = world ? bsp_entity_value(&all->list[0], "detailvbsp") : bsp_text_of("");
    bool done =
        f->map->num_detail_sprites == 0 || sheet.size != 0 ||
        bspi_finder_add(f, BSPI_FORM_MATERIAL, bsp_text_of("detail/detailsprites"), by, true);
    return done && (text.size != 0 ||
                    bspi_finder_add(f, BSPI_FORM_FILE, bsp_text_of("detail.vbsp"), by, false));
}

static bool add_props(bspi_finder *f) {
    const bsp_map *map = f->map;
    return add_models(f, map->static_prop_models, map->num_static_prop_models, "static props") &&
           add_models(f, map->detail_models, map->num_detail_models, "detail props") &&
           add_details(f);
}

// --- files of that name --------------------------------------------------------------------------

static bool add_own(bspi_finder *f, bsp_text name) {
    size_t count;
    const bspi_map_file *rows = bspi_map_files(&count);
    for (size_t i = 0; i < count; i++) {
        char path[512];
        if ((rows[i].families & BSPI_IN(f->family)) == 0) {
            continue;
        }
        int size = snprintf(path, sizeof path, "%s%.*s%s", rows[i].before,
                            (int)(name.size & 0xFFFF), name.data, rows[i].after);
        if (size > 0 && (size_t)size < sizeof path &&
            !bspi_finder_add(f, bspi_asset_form_of_use(rows[i].use), (bsp_text){path, (size_t)size},
                             bsp_text_of("map name"), false)) {
            return false;
        }
    }
    return true;
}

// Returns true if the text has the line "map NAME", as descriptions of arenas do.
static bool describes(bsp_text text, bsp_text name) {
    bsp_text word = {NULL, 0};
    bool map = false;
    for (size_t i = 0; i <= text.size; i++) {
        bool inside = i < text.size && strchr(" \t\r\n\"{}", text.data[i]) == NULL;
        if (inside) {
            word.data = word.size == 0 ? text.data + i : word.data;
            word.size++;
        } else if (word.size != 0) {
            if (map && bspi_text_equal_nocase(word, name)) {
                return true;
            }
            map = bspi_text_is(word, "map");
            word.size = 0;
        }
    }
    return false;
}

static bool add_arena(bspi_finder *f, const bsp_asset *asset, bool in_pak, bsp_text name) {
    bsp_blob blob;
    const bsp_asset_use use = {.name = asset->name, .found = true, .in_pak = in_pak};
    if (!bspi_finder_read(f, &use, &blob)) {
        return false;
    }
    bool wanted = describes((bsp_text){(const char *)blob.data, blob.size}, name);
    bsp_blob_free(&blob);
    return !wanted ||
           bspi_finder_add(f, BSPI_FORM_FILE, asset->name, bsp_text_of("map name"), false);
}

// Files of any name that describe the map to the menu.
static bool add_arenas(bspi_finder *f, bsp_text name) {
    size_t count = 0;
    const bsp_asset *list =
        f->ways->scripts && f->game != NULL ? bsp_search_list(f->game, &count) : NULL;
    if (!bspi_heap_work(f->heap, count, f->error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (bspi_text_begins_nocase(list[i].name, "scripts/") &&
            (bspi_text_ends_nocase(list[i].name, ".arena") ||
             bspi_text_ends_nocase(list[i].name, ".campaign")) &&
            !add_arena(f, &list[i], false, name)) {
            return false;
        }
    }
    return true;
}

bool bspi_finder_add_map(bspi_finder *f, bsp_text map_name) {
    return add_materials(f) && add_props(f) && add_entities(f) &&
           (map_name.size == 0 || (add_own(f, map_name) && add_arenas(f, map_name)));
}
