// SPDX-License-Identifier: MIT
// What lamps bring to a place in space, from all sides.
#include "bake/light/gather/grid_place.h"
#include "bake/light/lamps/face_rows.h"
#include "bake/light/lamps/polygons.h"
#include "bake/light/lamps/slide.h"
#include "bake/light/places/places.h"
#include "bake/light/shadows/shadow.h"

#include "query/liquids.h"

#include <math.h>
#include <string.h>

#define TRIES 64u // places near one in solid
#define AFAR 6.0f // sizes of a surface from which it is one light

// --- the place ----------------------------------------------------------------------------------

// Sets the cluster of a place. False in solid, and outside.
static bool is_free(bspi_grid_place *c, const float point[3]) {
    const bsp_map *map = c->own->map;
    uint32_t leaf = bsp_trace_leaf(c->own->index, point);
    c->cluster = leaf < map->num_leaves ? map->leaves[leaf].cluster : BSP_NONE;
    return c->cluster != BSP_NONE && !bspi_place_solid(c->own, 0, point);
}

// Finds a free place within half a cell, near first. The same ones each time.
bool bspi_grid_place_find(bspi_grid_place *c, const float center[3], const float step[3]) {
    static const float turns[3] = {0.8191725134f, 0.6710436067f, 0.5497004779f};
    memcpy(c->point, center, sizeof c->point);
    c->near = 0;
    c->culls = false;
    if (is_free(c, c->point)) {
        return true;
    }
    for (uint32_t n = 1; n <= TRIES; n++) {
        for (int i = 0; i < 3; i++) {
            float part = 0.5f + turns[i] * (float)n;
            part -= floorf(part) + 0.5f;
            c->point[i] = center[i] + part * step[i] * (float)n / TRIES;
        }
        if (is_free(c, c->point)) {
            return true;
        }
    }
    return false;
}

bool bspi_grid_place_beside(bspi_grid_place *c, const float center[3]) {
    bool found = false;
    c->near = 0;
    c->culls = false;
    for (int i = 0; i < BSPI_PLACES_BESIDE && !found; i++) {
        bspi_place_beside(center, i, c->point);
        found = is_free(c, c->point);
    }
    return found;
}

void bspi_grid_place_cull(bspi_grid_place *c) {
    const bsp_map *map = c->own->map;
    uint32_t leaf = bsp_trace_leaf(c->own->index, c->point);
    c->culls = c->own->cluster_starts != NULL && leaf < map->num_leaves &&
               bspi_liquids_of(map, map->leaves[leaf].contents) == 0 &&
               c->cluster < map->visibility.num_clusters;
    if (c->culls) {
        bsp_map_visible(map, c->cluster, false, c->row);
    }
}

// Does the place see a lamp, by the map's rows?
static bool in_sight(const bspi_grid_place *c, const bspi_lamp *lamp) {
    const bsp_map *map = c->own->map;
    bool ericw = c->own->relight.compiler == BSP_COMPILER_ERICW; // lines alone count there
    bool sees =
        ericw || lamp->visible == NULL || bsp_query_row_sees(map, lamp->visible, c->cluster);
    for (uint32_t i = 0; c->culls && sees && i < lamp->num_clusters; i++) {
        sees = lamp->clusters[i] == BSP_NONE || bsp_query_row_sees(map, c->row, lamp->clusters[i]);
    }
    return sees;
}

// --- lamps --------------------------------------------------------------------------------------

static void weaken(bspi_brought *b, const float through[3]) {
    for (int k = 0; k < 3; k++) {
        b->color[k] *= through[k];
    }
}

static bspi_shaded shaded(const bspi_grid_place *c) {
    bspi_shaded of = bspi_shaded_model(0);
    of.near = c->near;
    return of;
}

static void look(bspi_grid_place *c) {
    uint32_t kept = c->count - c->waiting;
    uint32_t first = kept;
    bspi_shadow_lines(c->own, shaded(c), c->lines, c->seen, c->through, c->waiting);
    for (uint32_t i = 0; i < c->waiting; i++) {
        if (c->seen[i]) {
            c->list[kept] = c->list[first + i];
            bspi_slide_tint(c->list[kept].lamp->slide, c->point, c->through[i]);
            weaken(&c->list[kept++], c->through[i]);
        }
    }
    c->count = kept;
    c->waiting = 0;
}

static void bring(bspi_grid_place *c, const bspi_lamp *lamp, const float direction[3],
                  float strength) {
    bspi_brought *b = &c->list[c->count++];
    b->lamp = lamp;
    for (int i = 0; i < 3; i++) {
        b->color[i] = lamp->color[i] * strength;
        b->direction[i] = direction[i];
    }
}

static void bring_sun(bspi_grid_place *c, const bspi_lamp *lamp) {
    const float to[3] = {-lamp->direction[0], -lamp->direction[1], -lamp->direction[2]};
    float through[3];
    if (bspi_lamp_sun_at(c->own, lamp, shaded(c), c->point, through)) {
        if (c->waiting != 0) {
            look(c);
        }
        bring(c, lamp, to, lamp->light);
        weaken(&c->list[c->count - 1], through);
    }
}

static void bring_placed(bspi_grid_place *c, const bspi_lamp *lamp) {
    float direction[3];
    float distance;
    if (!bspi_lamp_is_common(lamp) || !in_sight(c, lamp)) {
        return;
    }
    float strength = bspi_lamp_at(lamp, c->point, direction, &distance);
    if (lamp->corners != NULL) {
        strength = bspi_polygon_at(lamp, c->point, direction, false);
    }
    float most = fmaxf(fabsf(lamp->color[0]), fmaxf(fabsf(lamp->color[1]), fabsf(lamp->color[2])));
    if (!(fabsf(strength) * most > (lamp->gate > 0 ? lamp->gate : c->own->scale.gate))) {
        return;
    }
    bsp_sight_line *line = &c->lines[c->waiting++];
    memcpy(line->from, c->point, sizeof line->from);
    memcpy(line->to, lamp->origin, sizeof line->to);
    bring(c, lamp, direction, strength);
    if (c->waiting == BSPI_GRID_LINES) {
        look(c);
    }
}

// From afar a lamp stands for its pieces. Returns how many lamps that follow are done with it.
static uint32_t bring_pieces(bspi_grid_place *c, const bspi_lamp *lamp) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - c->point[i];
    }
    if (lamp->pieces != 1 && !(sqrtf(bspi_dot(way, way)) > AFAR * lamp->size)) {
        return 0;
    }
    bring_placed(c, lamp);
    return lamp->pieces;
}

void bspi_grid_place_gather(bspi_grid_place *c, const bspi_lamp *lamps, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const bspi_lamp *lamp = &lamps[i];
        if (lamp->off_grid) {
            continue;
        }
        if (lamp->kind == BSPI_LAMP_SUN) {
            bring_sun(c, lamp);
        } else if (lamp->pieces != 0) {
            i += bring_pieces(c, lamp);
        } else if (lamp->kind == BSPI_LAMP_PLACED) {
            bring_placed(c, lamp);
        }
    }
    if (c->waiting != 0) {
        look(c);
    }
}
