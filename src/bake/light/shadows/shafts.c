// SPDX-License-Identifier: MIT
// A shaft holds all lines from one box to another: it is a box that turns evenly into the other
// one. Where all of it passes through a solid leaf at once, all of them are stopped.
#include "bake/light/shadows/shafts.h"

#include "core/vector.h"
#include "query/hull.h"

#include <math.h>
#include <string.h>

#define THICK 0.06f      // units: more than a trace keeps from a plane (1/32)
#define MOST_PENDING 64u // nodes that a shaft has on both sides
#define MOST_STEPS 192u  // nodes that are looked at; then it is not known
#define MOST_DEPTH 256   // of a tree
#define MARGIN 1.0f      // units beyond the box of a model
#define LEAST_PART 1e-5f // of the way, that a shaft must be all in a solid leaf

// --- the tree -----------------------------------------------------------------------------------

static bspi_below both_of(bspi_below a, bspi_below b) {
    int32_t open = a.open == 0 || a.open == b.open ? b.open
                   : b.open == 0                   ? a.open
                                                   : BSPI_BELOW_MIXED;
    return (bspi_below){.solid = a.solid || b.solid, .open = open};
}

static void set_node(const bsp_map *map, const bsp_node *from, bspi_shaft_node *out) {
    *out = (bspi_shaft_node){.below = {.solid = true, .open = BSPI_BELOW_MIXED}, .axis = 3};
    if (from->plane < map->num_planes) {
        const bsp_plane *plane = &map->planes[from->plane];
        bool across = plane->type >= 0 && plane->type < 3; // the engine looks at one number alone
        memcpy(out->normal, plane->normal, sizeof out->normal);
        for (int i = 0; across && i < 3; i++) {
            out->normal[i] = i == plane->type ? 1.0f : 0.0f;
        }
        out->dist = plane->dist;
        out->axis = across ? (uint32_t)plane->type : 3;
    }
    for (int side = 0; side < 2; side++) {
        out->children[side] = bspi_hull_child(map, from->children[side]);
    }
}

static bool find_models(bspi_relight *own, bspi_shafts *shafts, bsp_error *error) {
    const bsp_map *map = own->map;
    bspi_shaft_model *list =
        bspi_arena_raw(&own->arena, (size_t)map->num_models + 1, sizeof *list, error);
    for (uint32_t n = 0; list != NULL && n < own->num_shading; n++) {
        uint32_t m = own->shading[n];
        bspi_shaft_model *out = &list[shafts->num_models];
        out->model = m;
        for (int i = 0; i < 3; i++) {
            out->mins[i] = map->models[m].mins[i] + own->models[m].origin[i] - MARGIN;
            out->maxs[i] = map->models[m].maxs[i] + own->models[m].origin[i] + MARGIN;
        }
        shafts->num_models++;
    }
    shafts->models = list;
    return list != NULL;
}

// A node, and the box that it is in.
typedef struct boxed {
    int32_t node;
    float ends[2][3]; // the low ones first
} boxed;

// Widens the box around all that is not air by a leaf, which is in a box itself.
static void widen(bspi_shafts *shafts, const boxed *leaf) {
    for (int i = 0; i < 3; i++) {
        shafts->mins[i] = fminf(shafts->mins[i], leaf->ends[0][i] - MARGIN);
        shafts->maxs[i] = fmaxf(shafts->maxs[i], leaf->ends[1][i] + MARGIN);
    }
}

void bspi_shafts_enclose(bspi_shafts *shafts) {
    const boxed all = {shafts->root,
                       {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}};
    boxed list[MOST_PENDING + 1] = {all};
    uint32_t count = 1;
    for (int i = 0; i < 3; i++) {
        shafts->mins[i] = INFINITY;
        shafts->maxs[i] = -INFINITY;
    }
    for (uint32_t steps = 0; count != 0; steps++) {
        boxed at = list[--count];
        int32_t open = bspi_shaft_below(shafts, at.node).open;
        if (open == 0 || open == BSPI_CONTENTS_EMPTY) {
            continue;
        }
        if (count == MOST_PENDING - 1 || steps > 2 * shafts->num_nodes) { // a tree that is none
            widen(shafts, &all);
            return;
        }
        if (at.node < 0 || (uint32_t)at.node >= shafts->num_nodes) {
            widen(shafts, &at);
            continue;
        }
        const bspi_shaft_node *node = &shafts->nodes[at.node];
        for (int side = 0; side < 2; side++) {
            boxed *part = &list[count++];
            *part = at;
            part->node = node->children[side];
            if (node->axis < 3) {
                part->ends[side][node->axis] = node->dist;
            }
        }
    }
}

bool bspi_shafts_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    if (own->occluders != NULL || !map->traits->contents_numbers || map->num_models == 0) {
        return true;
    }
    bspi_shafts *shafts = bspi_arena_zero(&own->arena, 1, sizeof *shafts, error);
    bspi_shaft_node *nodes =
        bspi_arena_raw(&own->arena, (size_t)map->num_nodes + 1, sizeof *nodes, error);
    if (shafts == NULL || nodes == NULL || !find_models(own, shafts, error)) {
        return false;
    }
    shafts->nodes = nodes;
    shafts->num_nodes = map->num_nodes;
    for (uint32_t i = 0; i < map->num_nodes; i++) {
        set_node(map, &map->nodes[i], &nodes[i]);
    }
    for (uint32_t i = map->num_nodes; i-- > 0;) { // what comes later is known; the rest may be all
        nodes[i].below = both_of(bspi_shaft_below(shafts, nodes[i].children[0]),
                                 bspi_shaft_below(shafts, nodes[i].children[1]));
    }
    shafts->root = bspi_hull_child(map, map->models[0].headnodes[0]);
    shafts->liquids = own->liquids;
    bspi_shafts_enclose(shafts);
    own->shafts = shafts;
    return bspi_heap_work(&own->heap, map->num_nodes, error);
}

// --- a shaft ------------------------------------------------------------------------------------

// A part of the way, 0..1; none where it ends before it begins.
typedef struct stretch {
    float from;
    float to;
} stretch;

// What of a shaft is to be looked at.
typedef struct pending {
    int32_t node;
    stretch all; // where all of it is there
} pending;

// Cuts a part of the way, at whose ends a number is that, to where it is not negative.
static void cut(float a, float b, stretch *part) {
    float at = part->from + (part->to - part->from) * (a / (a - b));
    if (a < 0 && b < 0) {
        part->to = part->from - 1;
        return;
    }
    part->from = a < 0 && at > part->from ? at : part->from;
    part->to = b < 0 && at < part->to ? at : part->to;
}

static float between(const float ends[2], float part) {
    return ends[0] + (ends[1] - ends[0]) * part;
}

// Adds the sides of a node's plane on which all of a shaft is somewhere, so far as it is there.
static uint32_t divide(const bspi_shaft_end ends[2], const bspi_shaft_node *node, pending at,
                       pending *list, uint32_t count) {
    float away[2];
    float reach[2];
    for (int end = 0; end < 2; end++) {
        const bspi_shaft_end *e = &ends[end];
        bool across = node->axis < 3;
        away[end] = across ? e->middle[node->axis] : bspi_dot(node->normal, e->middle);
        away[end] -= node->dist;
        reach[end] = THICK;
        for (int i = 0; i < 3; i++) {
            reach[end] += fabsf(node->normal[i]) * e->half[i];
        }
    }
    for (int side = 0; side < 2; side++) {
        float sign = side == 0 ? 1.0f : -1.0f;
        const float in[2] = {sign * away[0] - reach[0], sign * away[1] - reach[1]};
        pending part = {node->children[side], at.all};
        cut(between(in, at.all.from), between(in, at.all.to), &part.all);
        if (part.all.to - part.all.from > LEAST_PART) {
            list[count++] = part;
        }
    }
    return count;
}

bool bspi_shaft_is_stopped(const bspi_shafts *shafts, const bspi_shaft_end ends[2]) {
    pending list[MOST_PENDING + 2];
    uint32_t count = 1;
    list[0] = (pending){.node = shafts->root, .all = {0, 1}};
    for (uint32_t steps = 0; count != 0 && count < MOST_PENDING && steps < MOST_STEPS; steps++) {
        pending at = list[--count];
        if (!bspi_shaft_below(shafts, at.node).solid) {
            continue;
        }
        if (at.node < 0) {
            return true;
        }
        if ((uint32_t)at.node < shafts->num_nodes) {
            count = divide(ends, &shafts->nodes[at.node], at, list, count);
        }
    }
    return false;
}

// --- one line -----------------------------------------------------------------------------------

// Returns how far a point is before the plane of a node.
static float before_node(const bspi_shaft_node *node, const float point[3]) {
    return (node->axis < 3 ? point[node->axis] : bspi_dot(node->normal, point)) - node->dist;
}

static bool stays(const bspi_shafts *shafts, int32_t node, const float from[3], const float to[3],
                  int32_t *seen, int depth) {
    bspi_below below = bspi_shaft_below(shafts, node);
    if (below.open != BSPI_BELOW_MIXED) {
        bool other = below.open != 0 && *seen != 0 && *seen != below.open;
        *seen = below.open != 0 ? below.open : *seen;
        return !other;
    }
    if (node < 0 || (uint32_t)node >= shafts->num_nodes || depth > MOST_DEPTH) {
        return true;
    }
    const bspi_shaft_node *n = &shafts->nodes[node];
    float a = before_node(n, from);
    float b = before_node(n, to);
    if ((a >= 0) == (b >= 0)) {
        return stays(shafts, n->children[a < 0], from, to, seen, depth + 1);
    }
    float middle[3];
    float part = a / (a - b);
    for (int c = 0; c < 3; c++) {
        middle[c] = from[c] + (to[c] - from[c]) * part;
    }
    return stays(shafts, n->children[a < 0], from, middle, seen, depth + 1) &&
           stays(shafts, n->children[a >= 0], middle, to, seen, depth + 1);
}

bool bspi_shaft_stays(const bspi_shafts *shafts, const float from[3], const float to[3]) {
    int32_t seen = 0;
    return !shafts->liquids || bspi_shaft_in_air(shafts, from, to) ||
           stays(shafts, shafts->root, from, to, &seen, 0);
}

bool bspi_shaft_may_touch(const bspi_shaft_model *model, const float from[3], const float to[3]) {
    float first = 0;
    float last = 1;
    for (int i = 0; i < 3; i++) {
        float way = to[i] - from[i];
        if (!(fabsf(way) > 0)) {
            if (from[i] < model->mins[i] || from[i] > model->maxs[i]) {
                return false;
            }
            continue;
        }
        float a = (model->mins[i] - from[i]) / way;
        float b = (model->maxs[i] - from[i]) / way;
        float low = a < b ? a : b;
        float high = a < b ? b : a;
        first = low > first ? low : first;
        last = high < last ? high : last;
    }
    return first <= last;
}
