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
static bool is_free(bspi_relight *own, bspi_grid_place *c) {
    const bsp_map *map = own->map;
    uint32_t leaf = bsp_trace_leaf(own->index, c->point);
    c->cluster = leaf < map->num_leaves ? map->leaves[leaf].cluster : BSP_NONE;
    return c->cluster != BSP_NONE && !bspi_place_solid(own, 0, c->point);
}

// Finds a free place within half a cell, near first. The same ones each time.
bool bspi_grid_place_find(bspi_relight *own, bspi_grid_place *c, const float center[3],
                          const float step[3]) {
    static const float turns[3] = {0.8191725134f, 0.6710436067f, 0.5497004779f};
    memcpy(c->point, center, sizeof c->point);
    if (is_free(own, c)) {
        return true;
    }
    for (uint32_t n = 1; n <= TRIES; n++) {
        for (int i = 0; i < 3; i++) {
            float part = 0.5f + turns[i] * (float)n;
            part -= floorf(part) + 0.5f;
            c->point[i] = center[i] + part * step[i] * (float)n / TRIES;
        }
        if (is_free(own, c)) {
            return true;
        }
    }
    return false;
}

bool bspi_grid_place_beside(bspi_relight *own, bspi_grid_place *c, const float center[3]) {
    bool found = false;
    for (int i = 0; i < BSPI_PLACES_BESIDE && !found; i++) {
        bspi_place_beside(center, i, c->point);
        found = is_free(own, c);
    }
    return found;
}

void bspi_grid_place_cull(bspi_relight *own, bspi_grid_place *c) {
    const bsp_map *map = own->map;
    uint32_t leaf = bsp_trace_leaf(own->index, c->point);
    c->culls = own->cluster_starts != NULL && leaf < map->num_leaves &&
               bspi_liquids_of(map, map->leaves[leaf].contents) == 0 &&
               c->cluster < map->visibility.num_clusters;
    if (c->culls) {
        bsp_map_visible(map, c->cluster, false, c->row);
    }
}

// Does the place see a lamp, by the map's rows?
static bool in_sight(const bspi_relight *own, const bspi_grid_place *c, const bspi_lamp *lamp) {
    const bsp_map *map = own->map;
    bool ericw = own->relight.compiler == BSP_COMPILER_ERICW; // lines alone count there
    bool sees =
        ericw || lamp->visible == NULL || bsp_query_row_sees(map, lamp->visible, c->cluster);
    for (uint32_t i = 0; c->culls && sees && i < lamp->num_clusters; i++) {
        sees = lamp->clusters[i] == BSP_NONE || bsp_query_row_sees(map, c->row, lamp->clusters[i]);
    }
    return sees;
}

// --- lamps --------------------------------------------------------------------------------------

static bspi_shaded shaded(const bspi_grid_places *g) {
    bspi_shaded of = bspi_shaded_model(0);
    of.near = g->near;
    return of;
}

static bspi_brought brings(const bspi_lamp *lamp, const float direction[3], float strength) {
    bspi_brought b = {.lamp = lamp};
    for (int i = 0; i < 3; i++) {
        b.color[i] = lamp->color[i] * strength;
        b.direction[i] = direction[i];
    }
    return b;
}

// Adds to a place what is left of what is brought to it.
static void take(bspi_grid_place *c, const bspi_brought *b, const float through[3]) {
    bspi_brought *to = &c->list[c->count++];
    *to = *b;
    for (int k = 0; k < 3; k++) {
        to->color[k] *= through[k];
    }
}

static void look(bspi_grid_places *g) {
    if (g->waiting != 0) {
        bspi_shadow_lines(g->own, shaded(g), g->lines, g->seen, g->through, g->waiting);
    }
    for (uint32_t i = 0; i < g->waiting; i++) {
        bspi_grid_place *c = &g->list[g->from[i]];
        if (g->seen[i]) {
            bspi_slide_tint(g->brought[i].lamp->slide, c->point, g->through[i]);
            take(c, &g->brought[i], g->through[i]);
        }
    }
    g->waiting = 0;
}

static void bring_sun(bspi_grid_places *g, const bspi_lamp *lamp, uint32_t number) {
    const float to[3] = {-lamp->direction[0], -lamp->direction[1], -lamp->direction[2]};
    const bspi_brought b = brings(lamp, to, lamp->light);
    look(g);
    for (uint32_t n = 0; n < g->count;) {
        float points[BSPI_SHADOW_RAYS][3];
        float ways[BSPI_SHADOW_RAYS][3];
        float through[BSPI_SHADOW_RAYS][3];
        bspi_grid_place *some[BSPI_SHADOW_RAYS];
        uint32_t count = 0;
        for (; n < g->count && count < BSPI_SHADOW_RAYS; n++) {
            if (g->list[n].next <= number) {
                memcpy(points[count], g->list[n].point, sizeof points[count]);
                memcpy(ways[count], to, sizeof ways[count]);
                some[count++] = &g->list[n];
            }
        }
        uint32_t open =
            bspi_shadow_rays(g->own, shaded(g), (const float(*)[3])points, (const float(*)[3])ways,
                             count, bspi_lamp_sky(lamp), through);
        for (uint32_t i = 0; i < count; i++) {
            if ((open >> i & 1) != 0) {
                take(some[i], &b, through[i]);
            }
        }
    }
}

// Sets what those of eight places whose bits are set have of a lamp, and from where.
static void light_eight(const bspi_lamp *lamp, const bspi_lamp_places *eight, uint32_t bits,
                        bspi_lamp_light *light) {
    if (lamp->corners == NULL && bspi_lamp_is_even(lamp) && (bits & (bits - 1)) != 0) {
        (void)bspi_lamp_eight_here()(lamp, eight, false, 0, 0, light);
        return;
    }
    for (; bits != 0; bits &= bits - 1) {
        uint32_t n = (uint32_t)__builtin_ctz(bits);
        const float point[3] = {eight->point[0][n], eight->point[1][n], eight->point[2][n]};
        float way[3];
        float distance;
        light->strength[n] = bspi_lamp_at(lamp, point, way, &distance);
        if (lamp->corners != NULL) {
            light->strength[n] = bspi_polygon_in_space(lamp, point, way);
        }
        for (int i = 0; i < 3; i++) {
            light->way[i][n] = way[i];
        }
    }
}

// Is a lamp looked at from a place? From afar it stands for its pieces, with which that is done
// then.
static bool is_meant(bspi_grid_place *c, const bspi_lamp *lamp, uint32_t number) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - c->point[i];
    }
    bool whole = lamp->pieces <= 1 || sqrtf(bspi_dot(way, way)) > AFAR * lamp->size;
    if (c->next > number || !whole) {
        return false;
    }
    c->next = number + 1 + lamp->pieces;
    return true;
}

static void bring_placed(bspi_grid_places *g, const bspi_lamp *lamp, uint32_t number) {
    float most = bspi_lamp_most(lamp);
    float gate = lamp->gate > 0 ? lamp->gate : g->own->scale.gate;
    for (uint32_t first = 0; first < g->count; first += BSPI_LAMP_PLACES) {
        const bspi_lamp_places *eight = &g->eights[first / BSPI_LAMP_PLACES];
        bspi_lamp_light light;
        uint32_t bits = 0;
        for (uint32_t n = 0; n < eight->count; n++) {
            bspi_grid_place *c = &g->list[first + n];
            bits |= (uint32_t)(is_meant(c, lamp, number) && bspi_lamp_is_common(lamp) &&
                               in_sight(g->own, c, lamp))
                    << n;
        }
        light_eight(lamp, eight, bits, &light);
        for (; bits != 0; bits &= bits - 1) {
            uint32_t n = (uint32_t)__builtin_ctz(bits);
            if (!(fabsf(light.strength[n]) * most > gate)) {
                continue;
            }
            const float way[3] = {light.way[0][n], light.way[1][n], light.way[2][n]};
            bsp_sight_line *line = &g->lines[g->waiting];
            memcpy(line->from, g->list[first + n].point, sizeof line->from);
            memcpy(line->to, lamp->origin, sizeof line->to);
            g->from[g->waiting] = first + n;
            g->brought[g->waiting++] = brings(lamp, way, light.strength[n]);
        }
    }
    if (g->count > 1 || g->waiting == BSPI_GRID_LINES) {
        look(g);
    }
}

// Writes the places down by eight; what is left of the last eight repeats its last place.
static void put_eights(bspi_grid_places *g) {
    uint32_t room = (g->count + BSPI_LAMP_PLACES - 1) / BSPI_LAMP_PLACES * BSPI_LAMP_PLACES;
    for (uint32_t n = 0; n < room; n++) {
        bspi_lamp_places *eight = &g->eights[n / BSPI_LAMP_PLACES];
        uint32_t place = n < g->count ? n : g->count - 1;
        uint32_t lane = n % BSPI_LAMP_PLACES;
        eight->count = place % BSPI_LAMP_PLACES + 1;
        for (int i = 0; i < 3; i++) {
            eight->point[i][lane] = g->list[place].point[i];
            eight->normal[i][lane] = 0;
        }
    }
}

void bspi_grid_places_gather(bspi_grid_places *g, const bspi_lamp *lamps, uint32_t count) {
    put_eights(g);
    for (uint32_t n = 0; n < g->count; n++) {
        g->list[n].next = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (lamps[i].off_grid) {
            continue;
        }
        if (lamps[i].kind == BSPI_LAMP_SUN) {
            bring_sun(g, &lamps[i], i);
        } else if (lamps[i].kind == BSPI_LAMP_PLACED || lamps[i].pieces != 0) {
            bring_placed(g, &lamps[i], i);
        }
    }
    look(g);
}
