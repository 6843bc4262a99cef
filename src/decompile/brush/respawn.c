// SPDX-License-Identifier: MIT
// Titanfall and its successors: brushes are stored with the materials of their sides and, in the
// games' own maps, with texture vectors; other compilers leave the vectors out, and then faces show
// the alignment of textures. Apex Legends has no brushes. Static props are as in Source. Assumes a
// loaded map. Facts: sheet source-versions (8).
#include "core/text.h"
#include "decompile/brush/patches.h"
#include "decompile/source/steps.h"

#define PLAIN_HIDDEN "tools/toolsnodraw"

typedef struct own {
    bsp_text *names; // of materials, with the slashes that editors write
} own;

// --- entities -----------------------------------------------------------------------------------

// Converts the slashes of materials: the games' files have DEV\NAME or dev/name.
static bool turn_slashes(bspi_work *w, own *o) {
    const bsp_map *map = w->map;
    o->names = bspi_arena_zero(&w->arena, map->num_materials, sizeof *o->names, w->error);
    for (uint32_t m = 0; o->names != NULL && m < map->num_materials; m++) {
        bsp_text from = map->materials[m].name;
        char *name = bspi_arena_raw(&w->arena, from.size + 1, 1, w->error);
        if (name == NULL) {
            return false;
        }
        for (size_t i = 0; i < from.size; i++) {
            name[i] = from.data[i] == '\\' ? '/' : from.data[i];
        }
        o->names[m] = (bsp_text){name, from.size};
    }
    return o->names != NULL;
}

static bool entities(bspi_work *w) {
    own *o = bspi_arena_zero(&w->arena, 1, sizeof *o, w->error);
    if (o == NULL || !turn_slashes(w, o)) {
        return false;
    }
    w->own = o;
    if (!w->map->traits->has_brushes) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_FACES, BSP_NONE,
                  "maps of %s keep no brushes: only entities are written", w->map->branch->title);
    }
    uint32_t count = w->map->entities != NULL ? w->map->entities->count : 0;
    for (uint32_t e = 0; e < count; e++) {
        if (bspi_wanted(w, e) && bspi_copy_entity(w, e, bspi_drop_brush_model) == BSP_NONE) {
            return false;
        }
    }
    return true;
}

// --- sides --------------------------------------------------------------------------------------

// Returns the material of a side: that of the mesh that shows it, if it differs from that of the
// record.
static uint32_t material_of(const bspi_work *w, uint32_t side, const bspi_look *look) {
    uint32_t shown = look->face != BSP_NONE ? w->map->faces[look->face].material : BSP_NONE;
    return shown != BSP_NONE ? shown : w->map->brush_sides[side].material;
}

static bool look(bspi_work *w, uint32_t brush, uint32_t side, bspi_look *look) {
    const bsp_map *map = w->map;
    const own *o = w->own;
    const bsp_brush_side *from = &map->brush_sides[side];
    uint32_t material = material_of(w, side, look);
    (void)brush;
    if (from->texinfo != BSP_NONE) {
        bspi_look_texinfo(w, look, from->texinfo);
        look->repeats = false;
        look->source = look->face != BSP_NONE ? BSPI_LOOK_FACE : BSPI_LOOK_SIDE;
    }
    look->material = material != BSP_NONE ? o->names[material] : bsp_text_of(PLAIN_HIDDEN);
    if (!bspi_material_size(w, material, look->size)) {
        return false;
    }
    const float *normal = map->planes[from->plane].normal;
    if (bspi_look_is_perpendicular(look, normal)) {
        const double wide[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
        bspi_look_default(look, wide, BSPI_EDITOR_SCALE);
        look->repeats = false;
        look->source = BSPI_LOOK_GUESS;
    }
    return true;
}

// Counts and reports the meshes that lie on no brush.
static bool extras(bspi_work *w) {
    return bspi_emit_patches(w) && bspi_source_props(w);
}

const bspi_method bspi_method_respawn = {.entities = entities,
                                         .solids = bspi_emit_models,
                                         .look = look,
                                         .extras = extras,
                                         .needs_hulls = true};
