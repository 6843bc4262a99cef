// SPDX-License-Identifier: MIT
// The look of a brush side: its own record, and the faces that the compiler made of the side.
#include "decompile/brush/sides.h"

#include <string.h>

void bspi_side_look(bsp_mapdoc_side *side, const bspi_look *look, const double origin[3]) {
    side->material = look->material;
    side->repeats = look->repeats;
    memcpy(side->size, look->size, sizeof side->size);
    for (int i = 0; i < 2; i++) {
        memcpy(side->vec[i], look->vec[i], sizeof side->vec[i]);
        for (int j = 0; origin != NULL && j < 3; j++) {
            side->vec[i][3] -= look->vec[i][j] * origin[j];
        }
    }
    side->has_flags = look->has_flags;
    side->contents = look->contents;
    side->flags = look->flags;
    side->value = look->value;
    side->lightmap_scale = look->lightmap_scale;
    side->smoothing = look->smoothing;
}

// Returns the face that covers most of the polygon; a face with the side's own texinfo before all
// others.
static uint32_t best_face(const bspi_work *w, const bspi_face_hit *hits, uint32_t count,
                          uint32_t texinfo) {
    uint32_t best = BSP_NONE;
    double most = 0;
    bool best_same = false;
    for (uint32_t i = 0; i < count; i++) {
        bool same = texinfo != BSP_NONE && w->map->faces[hits[i].face].texinfo == texinfo;
        if (best == BSP_NONE || (same && !best_same) ||
            (same == best_same && hits[i].area > most)) {
            best = hits[i].face;
            most = hits[i].area;
            best_same = same;
        }
    }
    return best;
}

static void show_faces(bspi_work *w, const bspi_face_hit *hits, uint32_t count, uint32_t side) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t face = hits[i].face;
        if (hits[i].area > w->face_area[face]) {
            w->face_area[face] = hits[i].area;
            w->face_side[face] = side;
        }
    }
}

static bool look_recorded(bspi_work *w, uint32_t side, const bspi_polygon *polygon,
                          const bspi_face_hit *hits, uint32_t count, bspi_look *look) {
    const bsp_map *map = w->map;
    uint32_t own = map->brush_sides[side].texinfo;
    look->face = best_face(w, hits, count, own);
    uint32_t shown = look->face != BSP_NONE ? map->faces[look->face].texinfo : BSP_NONE;
    uint32_t texinfo = own != BSP_NONE ? own : shown;
    bspi_look_default(look, polygon->normal, 1);
    if (texinfo == BSP_NONE) {
        return true;
    }
    look->source = texinfo == shown ? BSPI_LOOK_FACE : BSPI_LOOK_SIDE;
    bspi_look_texinfo(w, look, texinfo);
    return bspi_material_size(w, map->texinfos[texinfo].material, look->size);
}

bool bspi_look_of(bspi_work *w, uint32_t brush, uint32_t side, const bspi_polygon *polygon,
                  const bspi_face_hit *hits, uint32_t count, uint32_t out, bspi_look *look) {
    show_faces(w, hits, count, out);
    *look = (bspi_look){.material = bsp_text_of(""), .face = BSP_NONE};
    look->contents = (uint32_t)w->map->brushes[brush].contents;
    bool done = w->map->num_draw_verts != 0
                    ? bspi_look_drawn(w, brush, side, polygon, hits, count, look)
                    : look_recorded(w, side, polygon, hits, count, look);
    return done && !w->spent && (w->method->look == NULL || w->method->look(w, brush, side, look));
}
