// SPDX-License-Identifier: MIT
// The tree as the engine walks it, and in which of its leaves each brush and patch is. The leaves
// are ranked in the order of the tree, so that those below a node are a range of ranks.
//
// A solid is sure if all leaves that it touches list it: the engine then hits it wherever it is on
// the way. Quake 2's compilers cut brushes where they overlap, and then only one of them is listed
// there. The others have gaps in those places; away from these they are sure, too.
#include "query/visits.h"

#include "query/winding.h"

#include <string.h>

#define TOUCH 0.03f // a box that is less than this beyond a plane does not touch its other side
#define MOST_WAITING 128u
#define MOST_PLANES 32u // of solids whose corners are computed
#define MOST_CORNERS 192u
#define CORNERS_A_STEP 4u // corners per step of work
#define MOST_GAPS 16u     // of a solid; with more, the whole solid is one gap
#define MOST_TOUCHED 64u  // nodes visited for each leaf that lists a solid, on average

enum { BRUSHES, FACES };

typedef struct lister {
    bspi_builder *b;
    const bsp_map *map;
    bspi_visits *visits; // of the index, or of no use later
    bspi_arena *arena;   // that of the index, or scratch
    bspi_turn *nodes;
    uint8_t *states; // of each node: how many of its children were entered, plus one
    int32_t *stack;
    uint32_t *leaves; // by rank
    uint32_t num_ranks;
    uint32_t *first[2];
    uint32_t *ranks[2];
} lister;

// --- ranks --------------------------------------------------------------------------------------

static void set_turn(bspi_turn *turn, const bsp_map *map, uint32_t number) {
    const bsp_node *node = &map->nodes[number];
    memset(turn, 0, sizeof *turn);
    turn->type = -1;
    turn->children[0] = node->children[0];
    turn->children[1] = node->children[1];
    if (node->plane < map->num_planes) {
        const bsp_plane *plane = &map->planes[node->plane];
        memcpy(turn->normal, plane->normal, sizeof turn->normal);
        turn->dist = plane->dist;
        turn->type = plane->type;
    }
}

// Ranks the leaves below a node. Returns false if a node is reached twice: then there is no order.
static bool rank_tree(lister *l, int32_t root) {
    uint32_t depth = 0;
    if (root < 0) {
        return true;
    }
    l->stack[depth++] = root;
    while (depth > 0) {
        int32_t number = l->stack[depth - 1];
        bspi_turn *turn = &l->nodes[number];
        uint8_t state = l->states[number]++;
        turn->ranks[state] = l->num_ranks;
        if (state == 2) {
            depth--;
            continue;
        }
        int32_t child = turn->children[state];
        if (child < 0) {
            l->leaves[l->num_ranks++] = (uint32_t)(-1 - child);
        } else if (l->states[child] != 0) {
            return false;
        } else {
            l->stack[depth++] = child;
        }
    }
    return true;
}

static bool rank_all(lister *l) {
    for (uint32_t i = 0; i < l->map->num_models; i++) {
        int32_t root = l->map->models[i].headnodes[0];
        if (!bspi_has_tree(l->map, i) || root >= (int32_t)l->map->num_nodes) {
            continue;
        }
        if ((root >= 0 && l->states[root] != 0) || !rank_tree(l, root)) {
            return false;
        }
    }
    return true;
}

// --- lists --------------------------------------------------------------------------------------

typedef struct run {
    const uint32_t *list;
    uint32_t count;
    uint32_t limit; // numbers from here on are not valid
} run;

static run run_of(const bsp_map *map, uint32_t number, int kind) {
    const bsp_leaf *leaf = number < map->num_leaves ? &map->leaves[number] : NULL;
    if (leaf == NULL || (kind == BRUSHES ? map->num_brushes : map->num_draw_verts) == 0) {
        return (run){NULL, 0, 0};
    }
    bool brushes = kind == BRUSHES;
    uint32_t count = brushes ? leaf->num_brushes : leaf->num_faces;
    if (count == 0) { // the list pointer may be NULL then
        return (run){NULL, 0, 0};
    }
    return brushes ? (run){map->leaf_brushes + leaf->first_brush, count, map->num_brushes}
                   : (run){map->leaf_faces + leaf->first_face, count, map->num_faces};
}

// Counts the leaves that list each brush or face. Returns false if leaves name them too often.
static bool count_things(const lister *l, int kind, uint64_t budget, uint32_t *counts) {
    for (uint32_t rank = 0; rank < l->num_ranks; rank++) {
        run r = run_of(l->map, l->leaves[rank], kind);
        if (r.count > budget) {
            return false;
        }
        budget -= r.count;
        for (uint32_t i = 0; i < r.count; i++) {
            if (r.list[i] < r.limit) {
                counts[r.list[i]]++;
            }
        }
    }
    return true;
}

static bool list_things(lister *l, int kind, uint32_t num_things, uint64_t listed) {
    uint32_t *first = bspi_arena_zero(l->arena, (size_t)num_things + 2, sizeof *first, l->b->error);
    uint64_t budget = listed * BSPI_MOST_SHARING;
    if (first == NULL) {
        return false;
    }
    l->first[kind] = first;
    if (budget > UINT32_MAX || !count_things(l, kind, budget, first + 2)) {
        l->num_ranks = 0; // nothing is listed
        memset(first, 0, ((size_t)num_things + 2) * sizeof *first);
        l->visits->ranked = false;
    }
    for (uint32_t i = 2; i < num_things + 2; i++) {
        first[i] += first[i - 1];
    }
    uint32_t *ranks = bspi_arena_raw(l->arena, first[num_things + 1], sizeof *ranks, l->b->error);
    l->ranks[kind] = ranks;
    for (uint32_t rank = 0; ranks != NULL && rank < l->num_ranks; rank++) {
        run r = run_of(l->map, l->leaves[rank], kind);
        for (uint32_t i = 0; i < r.count; i++) {
            if (r.list[i] < r.limit) {
                ranks[first[r.list[i] + 1]++] = rank;
            }
        }
    }
    return ranks != NULL;
}

// --- what is sure -------------------------------------------------------------------------------

typedef struct waiting {
    int32_t node;
    uint32_t rank;
    float box[2][3]; // around the part of the solid in this leaf
} waiting;

// Returns true if the node's plane is a plane of the solid or its reverse; *sides is the side of
// the solid.
static bool is_own_plane(const bspi_builder *b, const bspi_convex *convex, const bspi_turn *turn,
                         unsigned *sides) {
    for (uint32_t i = 0; i < convex->num_blocks * BSPI_LANES; i++) {
        const bspi_block *block = &b->blocks[convex->first_block + i / BSPI_LANES];
        uint32_t lane = i % BSPI_LANES;
        float normal[3] = {block->normal[0][lane], block->normal[1][lane], block->normal[2][lane]};
        float along = bspi_dot(normal, turn->normal);
        float sign = along < 0 ? -1.0f : 1.0f;
        float away = block->dist[lane] - sign * turn->dist;
        if (along * sign > 0.99999f && away < TOUCH && (convex->kind == BSPI_BRUSH || i != 0)) {
            *sides = along < 0 ? 1 : 2;
            return true;
        }
    }
    return false;
}

// The corners of a solid, or the box around it, and the results so far.
typedef struct shape {
    const bspi_convex *convex;
    float box[2][3];
    uint32_t num_gaps;
    bspi_gap gaps[MOST_GAPS];
    uint32_t num_corners; // 0: they are not known
    uint64_t steps;       // of work so far
    float corners[MOST_CORNERS][3];
} shape;

// Returns the sides of a node that a solid touches: 1 the front, 2 the back.
static unsigned touched_sides(const bspi_builder *b, const shape *s, const bspi_turn *turn) {
    float low = 0;
    float high = 0;
    for (int i = 0; i < 3; i++) {
        float n = turn->normal[i];
        low += n * s->box[n < 0][i];
        high += n * s->box[n >= 0][i];
    }
    for (uint32_t i = 0; i < s->num_corners; i++) {
        float at = bspi_dot(turn->normal, s->corners[i]);
        low = i == 0 || at < low ? at : low;
        high = i == 0 || at > high ? at : high;
    }
    unsigned sides = (high - turn->dist > TOUCH ? 1u : 0u) | (low - turn->dist < -TOUCH ? 2u : 0u);
    if (sides == 3 && (turn->type < 0 || turn->type > 2)) {
        (void)is_own_plane(b, s->convex, turn, &sides);
    }
    return sides == 0 ? 3 : sides;
}

// Returns what a leaf that a solid touches says: whether the engine tests the solid there, or ends
// there.
static bspi_sure ask_leaf(const lister *l, const bspi_convex *convex, waiting w,
                          const uint32_t **at, const uint32_t *end) {
    uint32_t leaf = (uint32_t)(-1 - w.node);
    bool asks = l->b->index->rules->ask_leaves;
    while (*at < end && **at < w.rank) {
        ++*at;
    }
    uint32_t contents = leaf < l->map->num_leaves ? (uint32_t)l->map->leaves[leaf].contents : 0;
    bool open = !asks || (contents & convex->contents) == convex->contents;
    bool solid = asks && (contents & BSPI_SOLID_MASK) != 0;
    return open && *at < end && **at == w.rank ? BSPI_SURE
           : solid                             ? BSPI_SURE_OUTSIDE
                                               : BSPI_UNSURE;
}

static void add_gap(shape *s, bspi_sure sure, float box[2][3]) {
    if (s->num_gaps < MOST_GAPS) {
        bspi_gap *gap = &s->gaps[s->num_gaps];
        gap->sure = (uint32_t)sure;
        memcpy(gap->box, box, sizeof gap->box);
    }
    s->num_gaps++;
}

// Returns the part of a piece on one side of its node.
static waiting go_down(const bspi_turn *turn, int side, const waiting *w) {
    waiting part = *w;
    part.node = turn->children[side];
    part.rank = turn->ranks[side];
    if (turn->type >= 0 && turn->type < 3) {
        float *edge = &part.box[side][turn->type];
        bool cut = side == 0 ? *edge < turn->dist : *edge > turn->dist;
        *edge = cut ? turn->dist : *edge;
    }
    return part;
}

// Visits all leaves that a solid touches. Returns false over the limit of their number.
static bool look(const lister *l, shape *s, int32_t root) {
    int kind = s->convex->kind == BSPI_BRUSH ? BRUSHES : FACES;
    const uint32_t *at = l->ranks[kind] + l->first[kind][s->convex->owner];
    const uint32_t *end = l->ranks[kind] + l->first[kind][s->convex->owner + 1];
    waiting stack[MOST_WAITING];
    uint32_t depth = 0;
    uint64_t most = ((uint64_t)(end - at) + 1) * MOST_TOUCHED;
    stack[0].node = root;
    stack[0].rank = 0;
    memcpy(stack[0].box, s->box, sizeof s->box);
    depth++;
    for (uint64_t visits = 0; depth > 0 && s->num_gaps <= MOST_GAPS; visits++) {
        waiting w = stack[--depth];
        s->steps += 1 + s->num_corners / CORNERS_A_STEP;
        if (visits > most || depth + 2 > MOST_WAITING) {
            return false;
        }
        if (w.node < 0) {
            bspi_sure here = ask_leaf(l, s->convex, w, &at, end);
            if (here != BSPI_SURE) {
                add_gap(s, here, w.box);
            }
            continue;
        }
        const bspi_turn *turn = &l->nodes[w.node];
        unsigned sides = touched_sides(l->b, s, turn);
        if ((sides & 2) != 0) {
            stack[depth++] = go_down(turn, 1, &w);
        }
        if ((sides & 1) != 0) {
            stack[depth++] = go_down(turn, 0, &w);
        }
    }
    return s->num_gaps <= MOST_GAPS;
}

// Returns whether a solid is sure, and finds its gaps.
static bspi_sure is_sure(const lister *l, shape *s, int32_t root) {
    s->num_gaps = 0;
    if (!look(l, s, root)) {
        s->num_gaps = 0;
        add_gap(s, BSPI_UNSURE, s->box);
    }
    bspi_sure sure = BSPI_SURE;
    for (uint32_t i = 0; i < s->num_gaps; i++) {
        sure = s->gaps[i].sure < (uint32_t)sure ? (bspi_sure)s->gaps[i].sure : sure;
    }
    return sure;
}

static uint32_t get_planes(const bspi_builder *b, const bspi_convex *convex,
                           float planes[MOST_PLANES][4]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < convex->num_blocks * BSPI_LANES; i++) {
        uint32_t number = convex->first_block + i / BSPI_LANES;
        uint32_t lane = i % BSPI_LANES;
        uint32_t order = b->lanes[number * BSPI_LANES + lane].order;
        bool back = convex->kind == BSPI_PATCH && order == convex->num_planes - 1;
        if (order == BSPI_ORDER_NONE || back) {
            continue;
        }
        if (count == MOST_PLANES) {
            return 0;
        }
        for (int axis = 0; axis < 3; axis++) {
            planes[count][axis] = b->blocks[number].normal[axis][lane];
        }
        planes[count++][3] = b->blocks[number].dist[lane];
    }
    return count;
}

// Finds the corners; for a facet, those of its surface.
static void find_corners(const bspi_builder *b, shape *s) {
    float planes[MOST_PLANES][4];
    uint32_t count = get_planes(b, s->convex, planes);
    uint32_t faces = s->convex->kind == BSPI_PATCH && count != 0 ? 1 : count;
    for (uint32_t i = 0; i < faces; i++) {
        bspi_winding w;
        bspi_winding_base(&w, planes[i], planes[i][3]);
        for (uint32_t k = 0; k < count && w.count != 0; k++) {
            float back[3] = {-planes[k][0], -planes[k][1], -planes[k][2]};
            if (k != i) {
                bspi_winding_clip(&w, back, -planes[k][3]);
            }
        }
        for (uint32_t k = 0; k < w.count; k++) {
            if (s->num_corners == MOST_CORNERS) {
                s->num_corners = 0;
                return;
            }
            memcpy(s->corners[s->num_corners++], w.points[k], sizeof s->corners[0]);
        }
    }
}

// Returns whether a solid of a body is sure, and finds its gaps.
static bspi_sure find_gaps(const lister *l, uint32_t body, shape *s) {
    int32_t root = body < l->map->num_models ? l->map->models[body].headnodes[0] : -1;
    s->num_gaps = 0;
    if (!bspi_has_tree(l->map, body) && l->b->index->rules->by_tree) {
        return BSPI_SURE;
    }
    if (root < 0 || !bspi_has_tree(l->map, body)) {
        add_gap(s, BSPI_UNSURE, s->box);
        return BSPI_UNSURE;
    }
    bspi_sure sure = is_sure(l, s, root);
    // The way out of solid takes the box: the corners would take a twelfth of the index's time.
    if (sure != BSPI_SURE && l->b->index->rules->by_tree) {
        find_corners(l->b, s);
        s->steps += bspi_convex_work(s->convex->num_planes);
        sure = s->num_corners == 0 ? sure : is_sure(l, s, root);
    }
    return sure;
}

static bool keep_gaps(lister *l, const shape *s, bspi_place *place) {
    bspi_gap *gaps = NULL;
    if (s->num_gaps != 0) {
        gaps = bspi_arena_raw(l->arena, s->num_gaps, sizeof *gaps, l->b->error);
        if (gaps == NULL) {
            return false;
        }
        memcpy(gaps, s->gaps, s->num_gaps * sizeof *gaps);
    }
    place->num_gaps = s->num_gaps;
    place->gaps = gaps;
    return true;
}

static bool find_sure(lister *l, const bspi_body *bodies, uint32_t num_bodies, bspi_place *places) {
    for (uint32_t i = 0; i < num_bodies; i++) {
        for (uint32_t k = 0; k < bodies[i].num_convexes; k++) {
            uint32_t n = bodies[i].first_convex + k;
            shape s;
            if (l->b->convexes[n].kind == BSPI_DISP) {
                continue; // no rules with displacements ask
            }
            s.convex = &l->b->convexes[n];
            s.num_corners = 0;
            s.steps = 1;
            memcpy(s.box, places[n].box, sizeof s.box);
            l->b->convexes[n].sure = (uint8_t)find_gaps(l, i, &s);
            if (!bspi_meter_add(l->b->meter, s.steps) || !keep_gaps(l, &s, &places[n])) {
                return false;
            }
        }
    }
    return true;
}

// Returns the boxes of all convexes, not enlarged; those of facets were enlarged for the engine's
// test of their bounds.
static bspi_place *make_places(const lister *l) {
    const bspi_builder *b = l->b;
    bspi_place *places = bspi_arena_zero(l->arena, b->num_convexes, sizeof *places, b->error);
    for (size_t n = 0; places != NULL && n < b->num_convexes; n++) {
        float pad = b->convexes[n].kind == BSPI_PATCH ? BSPI_FACET_PAD : 0;
        for (int axis = 0; axis < 3; axis++) {
            places[n].box[0][axis] = b->boxes[n][0][axis] + pad;
            places[n].box[1][axis] = b->boxes[n][1][axis] - pad;
        }
    }
    l->visits->places = places;
    return places;
}

// --- building -----------------------------------------------------------------------------------

static bool list_all(lister *l, bspi_arena *scratch) {
    const bsp_map *map = l->map;
    bsp_trace_index *index = l->b->index;
    bspi_visits *v = l->visits;
    size_t nodes = map->num_nodes;
    l->nodes = l->arena == scratch ? bspi_arena_raw(scratch, nodes, sizeof *l->nodes, l->b->error)
                                   : bspi_keep_lines(index, nodes, sizeof *l->nodes, l->b->error);
    l->states = bspi_arena_zero(scratch, nodes, 1, l->b->error);
    l->stack = bspi_arena_raw(scratch, nodes + 1, sizeof *l->stack, l->b->error);
    l->leaves = bspi_arena_raw(scratch, 2 * nodes + 1, sizeof *l->leaves, l->b->error);
    if (l->nodes == NULL || l->states == NULL || l->stack == NULL || l->leaves == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_nodes; i++) {
        set_turn(&l->nodes[i], map, i);
    }
    v->nodes = l->nodes;
    v->ranked = rank_all(l);
    l->num_ranks = v->ranked ? l->num_ranks : 0;
    return list_things(l, BRUSHES, map->num_brushes, map->num_leaf_brushes) &&
           list_things(l, FACES, map->num_faces, map->num_leaf_faces);
}

bool bspi_build_visits(bspi_builder *b, const bspi_body *bodies, uint32_t num_bodies) {
    bool kept = b->index->rules->by_tree;
    bspi_visits own = {0};
    bspi_arena scratch;
    bspi_arena_init(&scratch, b->heap);
    lister l = {.b = b,
                .map = b->index->map,
                .visits = kept ? &b->index->visits : &own,
                .arena = kept ? &b->index->arena : &scratch};
    bspi_place *places = make_places(&l);
    bool done = places != NULL && (!kept || bspi_build_borders(b)) && list_all(&l, &scratch);
    if (done) {
        for (int kind = 0; kind < 2; kind++) {
            l.visits->first[kind] = l.first[kind];
            l.visits->ranks[kind] = l.ranks[kind];
        }
        done = !l.visits->ranked || find_sure(&l, bodies, num_bodies, places);
    }
    bspi_arena_free(&scratch);
    return done;
}

const bspi_patch_run *bspi_find_patch(const bsp_trace_index *index, const bspi_body *body,
                                      uint32_t face) {
    uint32_t low = body->first_patch;
    uint32_t high = body->first_patch + body->num_patches;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = index->patches[middle].face < face;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    bool found = low < body->first_patch + body->num_patches && index->patches[low].face == face;
    return found ? &index->patches[low] : NULL;
}
