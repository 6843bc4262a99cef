// SPDX-License-Identifier: MIT
// Quake 3 and its variants: brushes are stored with their shaders, which give contents and flags.
// Assumes a loaded map. Facts: sheets quake3 and outputs (3).
#include "bspkit/query.h"
#include "core/text.h"
#include "decompile/entities.h"
#include "decompile/brush/patches.h"

#include <string.h>

#define PLAIN_ORIGIN "textures/common/origin"
#define PLAIN_HIDDEN "textures/common/caulk"

typedef struct own {
    uint32_t detail; // flags
    uint32_t solid;
    uint32_t translucent;
    uint32_t hidden; // surface flags
    uint32_t plain;  // a caulk material of the map, or BSP_NONE
    bool *is_open;   // for each brush: a part of it lies in a leaf that can be seen
} own;

static uint32_t find_plain(const bsp_map *map) {
    for (uint32_t m = 0; m < map->num_materials; m++) {
        bsp_text name = map->materials[m].name;
        if (name.size >= 6 && memcmp(name.data + name.size - 6, "/caulk", 6) == 0) {
            return m;
        }
    }
    return BSP_NONE;
}

// Finds the brushes that lie in an open leaf. The compiler does not store whether a brush is
// detail, but a leaf is solid if a structural brush fills it, so a brush in an open leaf is detail.
static bool find_open(bspi_work *w, own *o) {
    const bsp_map *map = w->map;
    o->is_open = bspi_arena_zero(&w->arena, map->num_brushes, sizeof *o->is_open, w->error);
    for (uint32_t l = 0; o->is_open != NULL && l < map->num_leaves; l++) {
        const bsp_leaf *leaf = &map->leaves[l];
        if (!bspi_spend(w, leaf->num_brushes)) { // runs of brushes may overlap
            return false;
        }
        for (uint32_t i = 0; i < leaf->num_brushes && leaf->cluster != BSP_NONE; i++) {
            uint32_t brush = map->leaf_brushes[leaf->first_brush + i];
            if (brush < map->num_brushes) {
                o->is_open[brush] = true;
            }
        }
    }
    return o->is_open != NULL;
}

static bool entities(bspi_work *w) {
    own *o = bspi_arena_zero(&w->arena, 1, sizeof *o, w->error);
    if (o == NULL) {
        return false;
    }
    const bsp_branch *branch = w->map->branch;
    o->detail = bsp_query_flag(branch, bsp_text_of("detail"));
    o->solid = bsp_query_flag(branch, bsp_text_of("solid"));
    o->translucent = bsp_query_flag(branch, bsp_text_of("translucent"));
    o->hidden = w->map->traits->surface.hidden;
    o->plain = find_plain(w->map);
    w->own = o;
    return find_open(w, o) && bspi_copy_entities(w);
}

static bool is_detail(const bspi_work *w, uint32_t brush) {
    const own *o = w->own;
    uint32_t contents = (uint32_t)w->map->brushes[brush].contents;
    return w->brush_model[brush] == 0 && (contents & o->solid) != 0 &&
           (contents & o->translucent) == 0 && o->is_open[brush];
}

// Sets the look of a side that no face shows: its shader is known, its alignment is not, and does
// not matter where nothing is drawn. Caulk may only replace a shader with the same contents.
static void look_unseen(const bspi_work *w, uint32_t side, bspi_look *look) {
    const own *o = w->own;
    const bsp_map *map = w->map;
    uint32_t material = map->brush_sides[side].material;
    if (material == BSP_NONE) {
        return;
    }
    if ((map->materials[material].flags & o->hidden) != 0) {
        look->source = BSPI_LOOK_SIDE;
    } else if (w->options->no_guesses && o->plain != BSP_NONE &&
               map->materials[material].contents == map->materials[o->plain].contents) {
        look->material = map->materials[o->plain].name;
        look->source = BSPI_LOOK_SIDE;
    }
}

// Sets the detail flag; all other flags follow from the shader.
static bool look(bspi_work *w, uint32_t brush, uint32_t side, bspi_look *look) {
    const own *o = w->own;
    look->has_flags = true;
    look->contents = is_detail(w, brush) ? o->detail : 0;
    if (look->material.size == 0 || bspi_text_is(look->material, "noshader")) {
        look->material = bsp_text_of(PLAIN_HIDDEN);
    } else if (look->source == BSPI_LOOK_GUESS) {
        look_unseen(w, side, look);
    }
    return true;
}

static bool solids(bspi_work *w) {
    bspi_look origin = {.material = bsp_text_of(PLAIN_ORIGIN), .has_flags = true};
    return bspi_emit_models(w) && bspi_emit_origins(w, &origin);
}

const bspi_method bspi_method_quake3 = {
    .entities = entities, .solids = solids, .look = look, .extras = bspi_emit_patches};
