// SPDX-License-Identifier: MIT
// Area portals: the compiler moves their brush into the world and leaves the entity with the number
// of the portal. The portal's polygon tells which brush belongs to which entity. Facts: sheet
// outputs, section 3.
#include "core/text.h"
#include "decompile/source/steps.h"

#include <float.h>
#include <math.h>

#define FITS 1.0        // a polygon up to this distance outside of a brush is in it, units
#define UNKNOWN 65536.0 // cost of a pair without a polygon: above any real distance

typedef struct portals {
    bspi_work *w;
    uint32_t *entities; // of the map
    uint32_t num_entities;
    uint32_t *brushes;
    uint32_t num_brushes;
    double *cost;
    uint32_t *brush_of; // for each of `entities`
} portals;

static bool is_portal(const bsp_entity *entity) {
    return bspi_text_begins_nocase(bsp_entity_value(entity, "classname"), "func_areaportal");
}

static bool collect(portals *p) {
    bspi_work *w = p->w;
    const bspi_source_state *state = bspi_source_of(w);
    uint32_t entities = w->map->entities != NULL ? w->map->entities->count : 0;
    p->entities = bspi_arena_raw(&w->arena, entities, sizeof *p->entities, w->error);
    p->brushes = bspi_arena_raw(&w->arena, w->map->num_brushes, sizeof *p->brushes, w->error);
    if (p->entities == NULL || p->brushes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < entities; i++) {
        if (is_portal(&w->map->entities->list[i])) {
            p->entities[p->num_entities++] = i;
        }
    }
    for (uint32_t i = 0; i < w->map->num_brushes; i++) {
        if (((uint32_t)w->map->brushes[i].contents & BSPI_SOURCE_AREA_PORTAL) != 0 &&
            state->owners[i].entity == 0) {
            p->brushes[p->num_brushes++] = i;
        }
    }
    return true;
}

// Returns the record with the polygon of an entity's portal, or NULL.
static const bsp_area_portal *find_polygon(const bsp_map *map, uint32_t entity) {
    int64_t number;
    if (!bsp_parse_int(bsp_entity_value(&map->entities->list[entity], "portalnumber"), &number)) {
        return NULL;
    }
    for (uint32_t i = 0; i < map->num_area_portals; i++) {
        const bsp_area_portal *portal = &map->area_portals[i];
        if (portal->key == number && portal->num_verts >= 3) {
            return portal;
        }
    }
    return NULL;
}

// Returns how far the polygon reaches out of the brush, plus a little for the distance between
// their centres: of two brushes that share a polygon the closer one is taken.
static double distance_of(const bspi_work *w, const bsp_area_portal *portal, uint32_t brush) {
    const bsp_map *map = w->map;
    const bspi_source_state *state = w->own;
    const bsp_brush *b = &map->brushes[brush];
    uint32_t count = portal->num_verts;
    double most = 0;
    double middle[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const float *at = map->clip_portal_verts[portal->first_vert + i].point;
        for (uint32_t s = 0; s < b->num_sides; s++) {
            const bsp_plane *plane = &map->planes[map->brush_sides[b->first_side + s].plane];
            double out = -(double)plane->dist;
            for (int axis = 0; axis < 3; axis++) {
                out += (double)plane->normal[axis] * (double)at[axis];
            }
            most = fmax(most, out);
        }
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] += (double)at[axis] / count;
        }
    }
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bspi_source_box *box = &state->boxes[brush];
        double d = (box->at[0][axis] + box->at[1][axis]) / 2 - middle[axis];
        square += d * d;
    }
    double total = most + sqrt(square) * 1e-3;
    return total < UNKNOWN ? total : UNKNOWN; // also for NaN
}

static double cost_of(const portals *p, uint32_t i, const bsp_area_portal *polygon, uint32_t j) {
    const bspi_work *w = p->w;
    // Without polygons both are in the order of the author's file.
    double order = fabs((double)i - (double)j) * 1e-3;
    return order * 1e-3 +
           (polygon == NULL ? UNKNOWN + order : distance_of(w, polygon, p->brushes[j]));
}

static bool is_ordered(const portals *p) {
    return p->w->options->portals == BSP_PORTALS_BY_ORDER && p->num_entities == p->num_brushes;
}

// Pairs entities and brushes by their order, which is that of the author's file for both.
static void pair_in_order(portals *p) {
    for (uint32_t i = 0; i < p->num_entities; i++) {
        p->brush_of[i] = i < p->num_brushes ? i : BSP_NONE;
    }
}

// Counts the work for the costs of one row: each corner of the polygon against each side of each
// brush.
static bool pay_row(const portals *p, const bsp_area_portal *polygon, uint64_t sides) {
    uint64_t corners = polygon == NULL ? 1 : polygon->num_verts;
    return bspi_spend(p->w, p->w->map->num_area_portals + corners * (sides + p->num_brushes));
}

static bool pair(portals *p) {
    bspi_work *w = p->w;
    p->brush_of = bspi_arena_raw(&w->arena, p->num_entities, sizeof *p->brush_of, w->error);
    if (p->brush_of == NULL) {
        return false;
    }
    if (is_ordered(p)) {
        pair_in_order(p);
        return true;
    }
    size_t count = (size_t)p->num_entities * p->num_brushes;
    p->cost = bspi_arena_raw(&w->arena, count, sizeof *p->cost, w->error);
    if (p->cost == NULL) {
        return false;
    }
    uint64_t sides = 0;
    for (uint32_t j = 0; j < p->num_brushes; j++) {
        sides += w->map->brushes[p->brushes[j]].num_sides;
    }
    for (uint32_t i = 0; i < p->num_entities; i++) {
        const bsp_area_portal *polygon = find_polygon(w->map, p->entities[i]);
        if (!pay_row(p, polygon, sides)) {
            return false;
        }
        for (uint32_t j = 0; j < p->num_brushes; j++) {
            p->cost[(size_t)i * p->num_brushes + j] = cost_of(p, i, polygon, j);
        }
    }
    return bspi_pair_up(&w->heap, p->cost, p->num_entities, p->num_brushes, p->brush_of, w->error);
}

// Returns true if the polygon, or equal numbers of both, confirm a pair.
static bool is_certain(const portals *p, uint32_t i) {
    if (is_ordered(p)) {
        return true; // as the options ask
    }
    double cost = p->cost != NULL ? p->cost[(size_t)i * p->num_brushes + p->brush_of[i]] : DBL_MAX;
    return cost < FITS || (p->num_entities == p->num_brushes && cost >= UNKNOWN);
}

static bool settle(portals *p, uint32_t i) {
    bspi_work *w = p->w;
    bspi_source_state *state = bspi_source_of(w);
    uint32_t entity = p->entities[i];
    if (p->brush_of[i] == BSP_NONE) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_ENTITIES, entity,
                  "no brush is left for the area portal");
        return true;
    }
    uint32_t brush = p->brushes[p->brush_of[i]];
    state->owners[brush].entity = w->entity_of[entity];
    if (w->entity_of[entity] == BSP_NONE || is_certain(p, i)) {
        return true;
    }
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_BRUSHES, brush,
              "taken for the brush of area portal entity %u", entity);
    return bspi_source_guessed(w, "guess: area portals", &state->owners[brush].visgroup);
}

// Handles brushes without an entity.
static bool settle_rest(portals *p) {
    bspi_work *w = p->w;
    bspi_source_state *state = bspi_source_of(w);
    for (uint32_t j = 0; j < p->num_brushes; j++) {
        uint32_t brush = p->brushes[j];
        if (state->owners[brush].entity != 0) {
            continue;
        }
        if (w->options->world_only) {
            state->owners[brush].entity = BSP_NONE;
            continue;
        }
        state->owners[brush].entity = bspi_new_entity(w, "func_areaportal");
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_BRUSHES, brush,
                  "no entity names the area portal: written as func_areaportal");
        if (state->owners[brush].entity == BSP_NONE ||
            !bspi_source_guessed(w, "guess: area portals", &state->owners[brush].visgroup)) {
            return false;
        }
    }
    return true;
}

bool bspi_source_find_portals(bspi_work *w) {
    portals p = {.w = w};
    if (!collect(&p) || !pair(&p)) {
        return false;
    }
    for (uint32_t i = 0; i < p.num_entities; i++) {
        if (!settle(&p, i)) {
            return false;
        }
    }
    return settle_rest(&p);
}
