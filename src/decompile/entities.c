// SPDX-License-Identifier: MIT
// A compiler takes the origin of a brush model from its origin brush, moves the brushes by it, and
// writes it into the entity; this is undone here.
#include "decompile/entities.h"

#include "core/text.h"

#define ORIGIN_HALF 8.0 // half the edge of an origin brush, of which only the centre matters

// Returns the brush model of an entity, or BSP_NONE for the world and for entities without one.
static uint32_t own_model(const bspi_work *w, uint32_t entity) {
    uint32_t model = bsp_entity_model(w->map, &w->map->entities->list[entity]);
    return entity != 0 && model != 0 ? model : BSP_NONE;
}

static bool drop_portal_number(const bsp_pair *pair) {
    return bspi_text_is(pair->key, "style");
}

static bool copy(bspi_work *w, uint32_t entity) {
    const bsp_entity *from = &w->map->entities->list[entity];
    double origin[3];
    bspi_drop_key *drop = NULL;
    if (own_model(w, entity) != BSP_NONE) {
        drop = bspi_entity_origin(from, origin) ? bspi_drop_placed_model : bspi_drop_brush_model;
    } else if (bspi_text_is(bsp_entity_value(from, "classname"), "func_areaportal")) {
        drop = drop_portal_number;
    }
    return bspi_copy_entity(w, entity, drop) != BSP_NONE;
}

bool bspi_copy_entities(bspi_work *w) {
    uint32_t count = w->map->entities != NULL ? w->map->entities->count : 0;
    for (uint32_t e = 0; e < count; e++) {
        if ((e == 0 || bspi_wanted(w, e)) && !copy(w, e)) {
            return false;
        }
    }
    return true;
}

// --- origin brushes -----------------------------------------------------------------------------

// Emits a side of a cube around a point.
static bool emit_cube_side(bspi_work *w, const double middle[3], int axis, int sign,
                           const bspi_look *look) {
    double normal[3] = {0, 0, 0};
    double polygon[4][3];
    normal[axis] = sign;
    for (int i = 0; i < 4; i++) {
        int turn = sign > 0 ? i : 3 - i;
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        polygon[i][axis] = middle[axis] + sign * ORIGIN_HALF;
        polygon[i][u] = middle[u] + (turn == 1 || turn == 2 ? ORIGIN_HALF : -ORIGIN_HALF);
        polygon[i][v] = middle[v] + (turn >= 2 ? ORIGIN_HALF : -ORIGIN_HALF);
    }
    bspi_look laid = *look;
    bspi_look_default(&laid, normal, 1);
    bsp_mapdoc_side *side = bspi_build_side(&w->out);
    if (side == NULL) {
        return false;
    }
    bspi_side_plane(side, normal, sign * middle[axis] + ORIGIN_HALF, (const double(*)[3])polygon,
                    4);
    bspi_side_look(side, &laid, NULL);
    return true;
}

static bool emit_cube(bspi_work *w, uint32_t entity, const double middle[3],
                      const bspi_look *look) {
    if (bspi_build_brush(&w->out, entity) == NULL) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!emit_cube_side(w, middle, axis, -1, look) ||
            !emit_cube_side(w, middle, axis, 1, look)) {
            return false;
        }
    }
    return true;
}

bool bspi_emit_origins(bspi_work *w, const bspi_look *look) {
    uint32_t count = w->map->entities != NULL ? w->map->entities->count : 0;
    bspi_look own = *look;
    own.material = bspi_intern(w, look->material);
    if (own.material.data == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < count; e++) {
        double origin[3];
        if (w->entity_of[e] != BSP_NONE && own_model(w, e) != BSP_NONE &&
            bspi_entity_origin(&w->map->entities->list[e], origin) &&
            !emit_cube(w, w->entity_of[e], origin, &own)) {
            return false;
        }
    }
    return true;
}
