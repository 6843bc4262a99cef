// SPDX-License-Identifier: MIT
// A shaft holds all of some lines: it is a box around their beginnings that turns evenly into one
// around their ends. Where it meets no leaf that is solid, and leaves of one kind alone, nothing
// stops them. Where all of it passes through a solid leaf at once, all are stopped. It is walked
// through the tree once for all lines; what it meets may be more than what they meet, never less.
#include "bake/light/shadows/shafts.h"

#include "core/vector.h"
#include "formats/quake_contents.h"
#include "query/hull.h"

#include <math.h>
#include <string.h>

#define THICK 0.06f      // units: more than a trace keeps from a plane (1/32)
#define MOST_PENDING 64u // nodes that a shaft has on both sides
#define MOST_STEPS 192u  // nodes that are looked at; then it is not known
#define MOST_DEPTH 256   // of a tree
#define MARGIN 1.0f      // units beyond the box of a model
#define LEAST_PART 1e-5f // of the way, that a shaft must be all in a solid leaf
#define FEWEST 8u        // lines that are looked along together
#define LEVEL 0.9f       // cosine between a direction and an axis beside which no other is taken

// --- the tree -----------------------------------------------------------------------------------

static bspi_below below_of(const bspi_shaft_node *nodes, uint32_t count, int32_t child) {
    if (child >= 0) {
        return (uint32_t)child < count ? nodes[child].below
                                       : (bspi_below){.solid = true, .open = BSPI_BELOW_MIXED};
    }
    bool closed = bspi_is_closed(child);
    return (bspi_below){.solid = child == BSPI_CONTENTS_SOLID, .open = closed ? 0 : child};
}

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
    for (uint32_t m = 1; list != NULL && own->any_shades && m < map->num_models; m++) {
        bspi_shaft_model *out = &list[shafts->num_models];
        if (!own->models[m].shades) {
            continue;
        }
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
    for (uint32_t i = 0; i < map->num_nodes; i++) {
        set_node(map, &map->nodes[i], &nodes[i]);
    }
    for (uint32_t i = map->num_nodes; i-- > 0;) { // what comes later is known; the rest may be all
        nodes[i].below = both_of(below_of(nodes, map->num_nodes, nodes[i].children[0]),
                                 below_of(nodes, map->num_nodes, nodes[i].children[1]));
    }
    shafts->nodes = nodes;
    shafts->num_nodes = map->num_nodes;
    shafts->root = bspi_hull_child(map, map->models[0].headnodes[0]);
    shafts->liquids = own->liquids;
    own->shafts = shafts;
    return bspi_heap_work(&own->heap, map->num_nodes, error);
}

// --- a shaft ------------------------------------------------------------------------------------

// Boxes at both ends, along the same axes.
typedef struct shaft {
    float middles[2][3];
    float halves[2][3];
    float reach[2][3]; // along the axes of the world
    int32_t open;      // contents of the leaves so far
} shaft;

// Lines, by where their ends are along three axes.
typedef struct bundle {
    const bspi_shafts *shafts;
    float axes[3][3];
    float at[2][3][BSPI_SHAFT_LINES];
    uint8_t *seen; // of each line, a bspi_shaft_sight
} bundle;

// A part of the way, 0..1; none where it ends before it begins.
typedef struct stretch {
    float from;
    float to;
} stretch;

// What of a shaft is to be looked at.
typedef struct pending {
    int32_t node;
    stretch some; // where some of it may be there
    stretch all;  // where all of it is
} pending;

static float least_of(const float *list, uint32_t count) {
    float least = list[0];
    for (uint32_t i = 1; i < count; i++) {
        least = list[i] < least ? list[i] : least;
    }
    return least;
}

static float most_of(const float *list, uint32_t count) {
    float most = list[0];
    for (uint32_t i = 1; i < count; i++) {
        most = list[i] > most ? list[i] : most;
    }
    return most;
}

// How far a box reaches along a direction.
static float reach_of(const bundle *b, const shaft *s, int end, const float normal[3]) {
    float reach = THICK;
    for (int k = 0; k < 3; k++) {
        reach += fabsf(bspi_dot(b->axes[k], normal)) * s->halves[end][k];
    }
    return reach;
}

static void make_shaft(const bundle *b, uint32_t first, uint32_t count, shaft *s) {
    memset(s, 0, sizeof *s);
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < 3; k++) {
            float low = least_of(b->at[end][k] + first, count);
            float high = most_of(b->at[end][k] + first, count);
            s->halves[end][k] = (high - low) / 2;
            for (int i = 0; i < 3; i++) {
                s->middles[end][i] += b->axes[k][i] * (low + high) / 2;
            }
        }
        for (int i = 0; i < 3; i++) {
            const float axis[3] = {i == 0, i == 1, i == 2};
            s->reach[end][i] = reach_of(b, s, end, axis);
        }
    }
}

// Cuts a part of the way, at whose ends a number is that, to where it is not negative. False where
// that is nowhere.
static bool cut(float a, float b, stretch *part) {
    float at = part->from + (part->to - part->from) * (a / (a - b));
    if (a < 0 && b < 0) {
        part->to = part->from - 1;
        return false;
    }
    part->from = a < 0 && at > part->from ? at : part->from;
    part->to = b < 0 && at < part->to ? at : part->to;
    return true;
}

static float between(const float ends[2], float part) {
    return ends[0] + (ends[1] - ends[0]) * part;
}

// Notes what a leaf, or all below a node, holds. False where that may stop a line.
static bool passes(const bspi_shafts *shafts, shaft *s, bspi_below below) {
    bool other = below.open == BSPI_BELOW_MIXED || (s->open != 0 && s->open != below.open);
    if (below.solid || (shafts->liquids && below.open != 0 && other)) {
        return false;
    }
    s->open = below.open != 0 ? below.open : s->open;
    return true;
}

// Adds the sides of a node's plane on which a shaft is, so far as it is there.
static uint32_t divide(const bundle *b, const shaft *s, const bspi_shaft_node *node, pending at,
                       pending *list, uint32_t count) {
    float away[2];
    float reach[2];
    for (int end = 0; end < 2; end++) {
        bool across = node->axis < 3;
        away[end] = across ? s->middles[end][node->axis] : bspi_dot(node->normal, s->middles[end]);
        away[end] -= node->dist;
        reach[end] = across ? s->reach[end][node->axis] : reach_of(b, s, end, node->normal);
    }
    for (int side = 0; side < 2; side++) {
        float in[2][2]; // how far some of it is on this side, and how far all of it is
        float sign = side == 0 ? 1.0f : -1.0f;
        pending part = at;
        part.node = node->children[side];
        for (int end = 0; end < 2; end++) {
            in[0][end] = sign * away[end] + reach[end];
            in[1][end] = sign * away[end] - reach[end];
        }
        if (!cut(between(in[0], at.some.from), between(in[0], at.some.to), &part.some)) {
            continue;
        }
        if (at.all.to > at.all.from) {
            (void)cut(between(in[1], at.all.from), between(in[1], at.all.to), &part.all);
        }
        list[count++] = part;
    }
    return count;
}

// Walks the tree: what is left once something was met is looked at for what stops all.
static bspi_shaft_sight walk(const bundle *b, shaft *s) {
    const bspi_shafts *shafts = b->shafts;
    bspi_shaft_sight sight = BSPI_SHAFT_CLEAR;
    pending list[MOST_PENDING + 2];
    uint32_t count = 1;
    list[0] = (pending){.node = shafts->root, .some = {0, 1}, .all = {0, 1}};
    for (uint32_t steps = 0; count != 0; steps++) {
        pending at = list[--count];
        bspi_below below = below_of(shafts->nodes, shafts->num_nodes, at.node);
        bool all = at.all.to - at.all.from > LEAST_PART;
        if (sight == BSPI_SHAFT_CLEAR && passes(shafts, s, below)) {
            continue;
        }
        if (at.node < 0 || (uint32_t)at.node >= shafts->num_nodes) {
            if (below.solid && all) {
                return BSPI_SHAFT_STOPPED;
            }
            sight = BSPI_SHAFT_UNKNOWN;
            continue;
        }
        if (steps == MOST_STEPS || count >= MOST_PENDING) {
            return BSPI_SHAFT_UNKNOWN;
        }
        if (sight == BSPI_SHAFT_CLEAR || (all && below.solid)) {
            count = divide(b, s, &shafts->nodes[at.node], at, list, count);
        }
    }
    return sight;
}

static bool meets(const shaft *s, const bspi_shaft_model *model) {
    stretch part = {0, 1};
    bool does = true;
    for (int i = 0; i < 3 && does; i++) {
        for (int side = 0; side < 2 && does; side++) {
            float in[2];
            for (int end = 0; end < 2; end++) {
                float past = side == 0 ? s->middles[end][i] - model->mins[i]
                                       : model->maxs[i] - s->middles[end][i];
                in[end] = past + s->reach[end][i];
            }
            does = cut(between(in, part.from), between(in, part.to), &part);
        }
    }
    return does;
}

static bspi_shaft_sight sight_of(const bundle *b, uint32_t first, uint32_t count) {
    shaft s;
    make_shaft(b, first, count, &s);
    bspi_shaft_sight sight = walk(b, &s);
    for (uint32_t m = 0; m < b->shafts->num_models && sight == BSPI_SHAFT_CLEAR; m++) {
        sight = meets(&s, &b->shafts->models[m]) ? BSPI_SHAFT_UNKNOWN : BSPI_SHAFT_CLEAR;
    }
    return sight;
}

// Looks along some of the lines, and along each half of them where it is not known.
static void look(const bundle *b, uint32_t first, uint32_t count) {
    bspi_shaft_sight sight = sight_of(b, first, count);
    if (sight != BSPI_SHAFT_UNKNOWN || count < 2 * FEWEST) {
        memset(b->seen + first, (int)sight, count);
        return;
    }
    look(b, first, count / 2);
    look(b, first + count / 2, count - count / 2);
}

// --- lines --------------------------------------------------------------------------------------

static const float *end_of(const bsp_sight_line *line, int end) {
    return end == 0 ? line->from : line->to;
}

static float gap(const float a[3], const float b[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = b[i] - a[i];
    }
    return bspi_dot(out, out);
}

// Sets the way to the end that is farthest from the first one. Returns its square.
static float spread_of(const bsp_sight_line *lines, uint32_t count, int end, float out[3]) {
    float most = 0;
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 1; i < count; i++) {
        float way[3];
        float square = gap(end_of(&lines[0], end), end_of(&lines[i], end), way);
        if (square > most) {
            most = square;
            memcpy(out, way, sizeof way);
        }
    }
    return most;
}

// Sets axes: one upright to the ends that are spread most, and one beside an axis of the world,
// along which most walls and textures lie.
static void find_axes(const bsp_sight_line *lines, uint32_t count, float axes[3][3]) {
    float longest[2][3];
    int end = spread_of(lines, count, 0, longest[0]) < spread_of(lines, count, 1, longest[1]);
    float *normal = axes[2];
    float most = 0;
    memset(axes, 0, 9 * sizeof(float));
    for (uint32_t i = 1; i < count; i++) {
        float way[3];
        float cross[3];
        (void)gap(end_of(&lines[0], end), end_of(&lines[i], end), way);
        bspi_cross(longest[end], way, cross);
        if (bspi_dot(cross, cross) > most) {
            most = bspi_dot(cross, cross);
            memcpy(normal, cross, sizeof cross);
        }
    }
    if (!(bspi_normalize(normal) > 0)) {
        normal[2] = 1;
    }
    int beside = fabsf(normal[0]) < LEVEL ? 0 : 1;
    for (int i = 0; i < 3; i++) {
        axes[0][i] = (i == beside ? 1.0f : 0.0f) - normal[i] * normal[beside];
    }
    (void)bspi_normalize(axes[0]);
    bspi_cross(normal, axes[0], axes[1]);
}

void bspi_shafts_look(const bspi_shafts *shafts, const bsp_sight_line *lines, uint32_t count,
                      uint8_t *seen) {
    bundle b = {.shafts = shafts, .seen = seen};
    memset(seen, BSPI_SHAFT_UNKNOWN, count);
    if (count < FEWEST || count > BSPI_SHAFT_LINES) {
        return;
    }
    find_axes(lines, count, b.axes);
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < 3; k++) {
            for (uint32_t i = 0; i < count; i++) {
                b.at[end][k][i] = bspi_dot(b.axes[k], end_of(&lines[i], end));
            }
        }
    }
    look(&b, 0, count);
}

// --- one line -----------------------------------------------------------------------------------

static bool stays(const bspi_shafts *shafts, int32_t node, const float from[3], const float to[3],
                  int32_t *seen, int depth) {
    bspi_below below = below_of(shafts->nodes, shafts->num_nodes, node);
    if (below.open != BSPI_BELOW_MIXED) {
        bool other = below.open != 0 && *seen != 0 && *seen != below.open;
        *seen = below.open != 0 ? below.open : *seen;
        return !other;
    }
    if (node < 0 || (uint32_t)node >= shafts->num_nodes || depth > MOST_DEPTH) {
        return true;
    }
    const bspi_shaft_node *n = &shafts->nodes[node];
    float a = bspi_dot(n->normal, from) - n->dist;
    float b = bspi_dot(n->normal, to) - n->dist;
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
    return !shafts->liquids || stays(shafts, shafts->root, from, to, &seen, 0);
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
