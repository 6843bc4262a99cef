// SPDX-License-Identifier: MIT
// Occluders: the compiler keeps the occluding polygons and the entity with its number. The brushes
// are still in the map, in no model and no leaf, and are found by their polygons; without them, the
// polygons become brushes. Facts: sheet outputs, section 3.
#include "decompile/source/steps.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ON_PLANE 0.05 // a corner at this distance from a plane is on it, units
#define BOX_SLACK 1.0 // how far a corner may be out of the box where sides meet at a sharp edge
#define DEPTH 8.0     // of a brush made from a polygon, units
#define MOST_CORNERS 64u

// Gives the corners of a polygon; 0 if it is damaged.
static uint32_t corners_of(const bsp_map *map, uint32_t number, double out[MOST_CORNERS][3]) {
    const bsp_occluder_poly *poly = &map->occluder_polys[number];
    if (poly->num_indices < 3 || poly->num_indices > MOST_CORNERS) {
        return 0;
    }
    for (uint32_t i = 0; i < poly->num_indices; i++) {
        uint32_t vertex = map->occluder_indices[poly->first_index + i];
        if (vertex >= map->num_vertices) {
            return 0;
        }
        for (int axis = 0; axis < 3; axis++) {
            out[i][axis] = (double)map->vertices[vertex].point[axis];
        }
    }
    return poly->num_indices;
}

// Finds the entity of the document for each occluder; makes one where none is left.
static bool find_entities(bspi_work *w) {
    const bsp_map *map = w->map;
    bspi_source_state *state = bspi_source_of(w);
    uint32_t count = map->entities != NULL ? map->entities->count : 0;
    bool *named = bspi_arena_zero(&w->arena, map->num_occluders, sizeof *named, w->error);
    if (named == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        int64_t number;
        if (bspi_text_is(bsp_entity_value(entity, "classname"), "func_occluder") &&
            bsp_parse_int(bsp_entity_value(entity, "occludernumber"), &number) && number >= 0 &&
            number < map->num_occluders) {
            state->occluder_entity[number] = w->entity_of[i];
            named[number] = true;
        }
    }
    for (uint32_t i = 0; i < map->num_occluders; i++) {
        if (named[i] || w->options->world_only) {
            continue;
        }
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_OCCLUDERS, i,
                  "no entity names the occluder: written as func_occluder");
        state->occluder_entity[i] = bspi_new_entity(w, "func_occluder");
        if (state->occluder_entity[i] == BSP_NONE ||
            !bspi_source_guessed(
                w, "guess: occluders",
                &bspi_built_entity(&w->out, state->occluder_entity[i])->visgroup)) {
            return false;
        }
    }
    return true;
}

// Gives the lowest and the highest distance of the corners outside a plane.
static void range_of(const bsp_plane *plane, double (*corners)[3], uint32_t count,
                     double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double out = -(double)plane->dist;
        for (int axis = 0; axis < 3; axis++) {
            out += (double)plane->normal[axis] * corners[i][axis];
        }
        range[0] = fmin(range[0], out);
        range[1] = fmax(range[1], out);
    }
}

// Returns true if the polygon lies on a side of the brush, within the brush.
static bool has_polygon(const bsp_map *map, const bsp_brush *brush, double (*corners)[3],
                        uint32_t count) {
    bool on_side = false;
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        double range[2];
        range_of(&map->planes[map->brush_sides[brush->first_side + s].plane], corners, count,
                 range);
        if (!(range[1] <= ON_PLANE)) {
            return false;
        }
        on_side = on_side || range[0] >= -ON_PLANE;
    }
    return on_side;
}

bool bspi_source_occludes(bspi_work *w, uint32_t occluder, uint32_t side) {
    const bsp_map *map = w->map;
    const bsp_occluder *o = &map->occluders[occluder];
    for (uint32_t i = 0; i < o->num_polys && i < MOST_CORNERS; i++) {
        double corners[MOST_CORNERS][3];
        double range[2];
        uint32_t count = corners_of(map, o->first_poly + i, corners);
        if (!bspi_spend(w, count)) {
            return false;
        }
        range_of(&map->planes[map->brush_sides[side].plane], corners, count, range);
        if (count != 0 && range[0] >= -ON_PLANE && range[1] <= ON_PLANE) {
            return true;
        }
    }
    return false;
}

// Finds the brushes that may be an occluder's: closed, and in no leaf. Sorted by their lowest x.
static bspi_source_placed *find_candidates(bspi_work *w, uint32_t *count) {
    const bspi_source_state *state = bspi_source_of(w);
    bspi_source_placed *list =
        bspi_arena_raw(&w->arena, w->map->num_brushes, sizeof *list, w->error);
    *count = 0;
    for (uint32_t i = 0; list != NULL && i < w->map->num_brushes; i++) {
        if (!state->reached[i] && w->hulls->hulls[i].state == BSP_BRUSH_CLOSED) {
            list[(*count)++] = (bspi_source_placed){state->boxes[i].at[0][0], i};
        }
    }
    if (*count != 0) {
        qsort(list, *count, sizeof *list, bspi_source_compare_placed);
    }
    return list;
}

// Returns true if the corners are in the box.
static bool are_inside(const bspi_source_box *box, double (*corners)[3], uint32_t count) {
    bool inside = true;
    for (uint32_t i = 0; inside && i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            inside = inside && corners[i][axis] >= box->at[0][axis] - BOX_SLACK &&
                     corners[i][axis] <= box->at[1][axis] + BOX_SLACK;
        }
    }
    return inside;
}

static void find_brushes(bspi_work *w, uint32_t occluder, uint32_t poly,
                         const bspi_source_placed *list, uint32_t num_candidates) {
    bspi_source_state *state = bspi_source_of(w);
    double corners[MOST_CORNERS][3];
    uint32_t count = corners_of(w->map, poly, corners);
    for (uint32_t i = 0; count != 0 && i < num_candidates; i++) {
        const bsp_brush *brush = &w->map->brushes[list[i].brush];
        uint32_t *taken = &state->brush_occluder[list[i].brush];
        if (!(list[i].low <= corners[0][0] + BOX_SLACK) || !bspi_spend(w, 1)) {
            return;
        }
        if ((*taken != BSP_NONE && *taken != occluder) ||
            !are_inside(&state->boxes[list[i].brush], corners, count)) {
            continue;
        }
        if (!bspi_spend(w, (uint64_t)count * brush->num_sides)) {
            return;
        }
        if (has_polygon(w->map, brush, corners, count)) {
            state->owners[list[i].brush].entity = state->occluder_entity[occluder];
            *taken = occluder;
            state->poly_shown[poly] = true;
        }
    }
}

bool bspi_source_find_occluders(bspi_work *w) {
    const bsp_map *map = w->map;
    bspi_source_state *state = bspi_source_of(w);
    state->brush_occluder =
        bspi_arena_raw(&w->arena, map->num_brushes, sizeof *state->brush_occluder, w->error);
    state->poly_shown =
        bspi_arena_zero(&w->arena, map->num_occluder_polys, sizeof *state->poly_shown, w->error);
    state->occluder_entity =
        bspi_arena_raw(&w->arena, map->num_occluders, sizeof *state->occluder_entity, w->error);
    if (state->brush_occluder == NULL || state->poly_shown == NULL ||
        state->occluder_entity == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        state->brush_occluder[i] = BSP_NONE;
    }
    for (uint32_t i = 0; i < map->num_occluders; i++) {
        state->occluder_entity[i] = BSP_NONE;
    }
    if (!find_entities(w)) {
        return false;
    }
    uint32_t count;
    const bspi_source_placed *list = find_candidates(w, &count);
    for (uint32_t i = 0; list != NULL && i < map->num_occluders; i++) {
        const bsp_occluder *occluder = &map->occluders[i];
        for (uint32_t k = 0; k < occluder->num_polys && !w->spent; k++) {
            find_brushes(w, i, occluder->first_poly + k, list, count);
        }
    }
    return list != NULL;
}

static bool make_brush(bspi_work *w, uint32_t occluder, uint32_t poly) {
    double corners[MOST_CORNERS][3];
    double turned[MOST_CORNERS][3];
    static const double up[3] = {0, 0, 1};
    uint32_t count = corners_of(w->map, poly, corners);
    for (uint32_t i = 0; i < count; i++) { // the file has them clockwise
        memcpy(turned[count - 1 - i], corners[i], sizeof turned[0]);
    }
    bspi_look top;
    bspi_look rest;
    bspi_plain_look(&top, "tools/toolsoccluder", up);
    bspi_plain_look(&rest, "tools/toolsnodraw", up);
    uint32_t made;
    if (!bspi_build_prism(w, bspi_source_of(w)->occluder_entity[occluder],
                          (const double(*)[3])turned, count, DEPTH, &top, &rest, &made)) {
        return false;
    }
    if (made == BSP_NONE) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_OCCLUDER_POLYS, poly,
                  "no polygon: part of occluder %u is missing", occluder);
        return true;
    }
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_OCCLUDER_POLYS, poly,
              "the occluder's brush is not in the map: made from its polygon");
    return bspi_source_guessed(w, "guess: occluders", &bspi_built_brush(&w->out, made)->visgroup);
}

bool bspi_source_occluders(bspi_work *w) {
    const bsp_map *map = w->map;
    bspi_source_state *state = bspi_source_of(w);
    for (uint32_t i = 0; i < map->num_occluders; i++) {
        const bsp_occluder *occluder = &map->occluders[i];
        for (uint32_t k = 0; k < occluder->num_polys; k++) {
            uint32_t poly = occluder->first_poly + k;
            if (state->poly_shown[poly] || state->occluder_entity[i] == BSP_NONE) {
                continue;
            }
            state->poly_shown[poly] = true; // damaged runs may overlap
            if (!make_brush(w, i, poly)) {
                return false;
            }
        }
    }
    return true;
}
