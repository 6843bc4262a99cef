// SPDX-License-Identifier: MIT
// Assumes a loaded map.
#include "decompile/tree/explained.h"

#include <math.h>
#include <string.h>

#define SLACK 0.05     // units by which a box may miss what it touches
#define MANY_BOXES 8.0 // in boxes of the mover: samples of a smaller volume represent all of it
#define LEAST_CELL 4.0 // cubic units of the smallest cell that is tested
#define CELLS 32u      // that a helper takes at once: a tenth of a millisecond

// A child that a search visits later, and how far below the start it is.
struct bspi_explainer_step {
    int32_t at;
    uint32_t level;
};

// The way from `start` down to a solid cell: twice the number of each node, plus the side.
struct bspi_explainer_chain {
    int32_t start;
    uint32_t count;
    uint32_t links[];
};

typedef struct bspi_explainer_step step;
typedef struct bspi_explainer_chain chain;

static bool may_go_on(const bspi_explainer *e) {
    return !e->carver->starved;
}

// --- one volume ---------------------------------------------------------------------------------

// Returns the child of hull 0 from which the way down for the mover's box is the same, at all
// points that the carver's solid has: below all planes that the box is clear of at each of them.
static int32_t common_start(const bspi_explainer *e) {
    const bspi_tree *space = e->space;
    const bspi_polyhedron *solid = &e->carver->solid;
    double mins[3];
    double maxs[3];
    double middle[3];
    double half[3];
    bspi_polyhedron_extent(solid, mins, maxs);
    for (int a = 0; a < 3; a++) {
        double low = mins[a];
        double high = maxs[a];
        middle[a] = (low + high) / 2 + ((double)e->box->mins[a] + (double)e->box->maxs[a]) / 2;
        half[a] = (high - low) / 2 + ((double)e->box->maxs[a] - (double)e->box->mins[a]) / 2 +
                  2 * SLACK; // the second one for rounding
    }
    uint64_t steps = 1;
    int32_t at = space->root;
    for (; at >= 0; steps++) {
        const bspi_tree_node *node = &space->nodes[at];
        double radius = 0;
        double distance = bspi_node_reach(&e->carver->flats, node, middle, half, &radius);
        if (!(fabs(distance) > radius)) {
            break;
        }
        at = node->children[distance < 0];
    }
    (void)bspi_carver_work(e->carver, steps);
    return at;
}

// Returns true if a search from `start` comes to the solid of the chain, too.
static bool is_on_chain(const bspi_explainer *e, int32_t start, const double middle[3]) {
    const chain *c = e->chain;
    if (c->start != start || c->count == 0) {
        return false;
    }
    bool on = true;
    for (uint32_t i = c->count; on && i-- > 0;) { // the last nodes decide first
        uint32_t node = c->links[i] / 2;
        double distance = bspi_node_middle(&e->carver->flats, &e->space->nodes[node], middle);
        double radius = e->radii[node];
        on = (c->links[i] & 1) == 0 ? distance > -radius : distance < radius;
    }
    return on && bspi_carver_work(e->carver, c->count);
}

// Returns true if the mover's box at a point touches a solid of hull 0, which is searched from
// `start` down.
static bool touches_solid(const bspi_explainer *e, int32_t start, const double point[3]) {
    const bspi_tree *space = e->space;
    chain *c = e->chain;
    double middle[3];
    for (int a = 0; a < 3; a++) {
        middle[a] = point[a] + ((double)e->box->mins[a] + (double)e->box->maxs[a]) / 2;
    }
    if (is_on_chain(e, start, middle)) {
        return true;
    }
    uint32_t depth = 0;
    uint32_t level = 0;
    step *stack = e->stack;
    int32_t at = start;
    for (;;) {
        uint64_t steps = 1;
        for (; at >= 0; steps++) {
            const bspi_tree_node *node = &space->nodes[at];
            double distance = bspi_node_middle(&e->carver->flats, node, middle);
            double radius = e->radii[at];
            uint32_t side = distance <= -radius;
            if (fabs(distance) < radius) {
                stack[depth++] = (step){at, level};
            }
            c->links[level++] = 2 * (uint32_t)at + side;
            at = node->children[side];
        }
        int32_t contents = space->cells[-1 - at].contents;
        if (contents == BSPI_TREE_SOLID || contents == BSPI_TREE_SKY) {
            c->start = start;
            c->count = level;
            return true;
        }
        if (!bspi_carver_work(e->carver, steps) || depth == 0) {
            c->count = 0; // its links were overwritten
            return false;
        }
        step next = stack[--depth];
        c->links[next.level] = 2 * (uint32_t)next.at + 1;
        at = space->nodes[next.at].children[1];
        level = next.level + 1;
    }
}

// Returns true if the mover's box touches a solid of hull 0 at all points of a box: if there is one
// that a search from each of them finds.
static bool touches_everywhere(const bspi_explainer *e, const double mins[3],
                               const double maxs[3]) {
    const bspi_tree *space = e->space;
    double middle[3];
    double more[3]; // that the mover's box has on each side than the box of the points
    for (int a = 0; a < 3; a++) {
        double low = (double)e->box->mins[a];
        double high = (double)e->box->maxs[a];
        middle[a] = (mins[a] + maxs[a] + low + high) / 2;
        double half = (high - low) / 2 + 0.9 * SLACK; // the search has more: for rounding
        more[a] = half - (maxs[a] - mins[a]) / 2;
    }
    uint32_t depth = 0;
    step *stack = e->stack;
    stack[depth++].at = space->root;
    uint64_t steps = 0;
    bool found = false;
    while (depth != 0 && !found) {
        int32_t at = stack[--depth].at;
        steps++;
        if (at < 0) {
            int32_t contents = space->cells[-1 - at].contents;
            found = contents == BSPI_TREE_SOLID || contents == BSPI_TREE_SKY;
            continue;
        }
        const bspi_tree_node *node = &space->nodes[at];
        double radius = 0; // what the mover's box has more than the points
        double distance = bspi_node_reach(&e->carver->flats, node, middle, more, &radius);
        if (distance < radius) {
            stack[depth++].at = node->children[1];
        }
        if (distance > -radius) {
            stack[depth++].at = node->children[0];
        }
    }
    (void)bspi_carver_work(e->carver, steps);
    return found;
}

static bool touches_clip(const bspi_explainer *e, const double point[3]) {
    const bspi_clipper *c = e->clipper;
    if (!bspi_carver_work(e->carver, c->num_brushes)) {
        return false;
    }
    for (uint32_t i = 0; i < c->num_brushes; i++) {
        const bspi_clip_brush *brush = &c->brushes[i];
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            inside = inside && point[a] + (double)e->box->maxs[a] > brush->mins[a] - SLACK &&
                     point[a] + (double)e->box->mins[a] < brush->maxs[a] + SLACK;
        }
        for (uint32_t p = 0; inside && p < brush->count; p++) {
            const bspi_clip_plane *plane = &c->planes[brush->first + p];
            double distance = plane->normal[0] * point[0] + plane->normal[1] * point[1] +
                              plane->normal[2] * point[2];
            inside = distance < plane->dist + bspi_mover_reach(e->box, plane->normal) + SLACK;
        }
        if (inside) {
            return true;
        }
    }
    return false;
}

static bool is_explained(const bspi_explainer *e, int32_t start, const double point[3]) {
    return touches_solid(e, start, point) || touches_clip(e, point);
}

static bool corner_is_explained(const bspi_explainer *e, int32_t start, uint32_t vertex,
                                const double middle[3]) {
    double corner[3];
    double point[3];
    bspi_polyhedron_vertex(&e->carver->solid, vertex, corner);
    for (int a = 0; a < 3; a++) {
        point[a] = corner[a] + BSPI_TREE_INWARD * (middle[a] - corner[a]);
    }
    return is_explained(e, start, point);
}

// Tests samples of the carver's solid: the centre, and the corners of all sides moved inwards a
// little.
static bool samples_are_explained(const bspi_explainer *e) {
    bspi_polyhedron *solid = &e->carver->solid;
    double middle[3];
    bspi_polyhedron_middle(solid, middle);
    int32_t start = common_start(e);
    bool explained = is_explained(e, start, middle);
    if (solid->small) {
        for (uint64_t left = solid->used; explained && left != 0 && may_go_on(e);
             left &= left - 1) {
            explained = corner_is_explained(e, start, (uint32_t)__builtin_ctzll(left), middle);
        }
        return explained;
    }
    bspi_polyhedron_pack(solid);
    for (uint32_t v = 0; explained && v < solid->num_vertices && may_go_on(e); v++) {
        explained = corner_is_explained(e, start, v, middle);
    }
    return explained;
}

static double box_volume(const bsp_hull *box) {
    double volume = 1;
    for (int a = 0; a < 3; a++) {
        volume *= (double)box->maxs[a] - (double)box->mins[a];
    }
    return volume;
}

// A part without room for one mover is left to the samples of the whole.
static bool part_is_explained(void *user, bspi_carver *carver, uint32_t cell) {
    const bspi_explainer *e = user;
    (void)cell;
    return bspi_polyhedron_volume(&carver->solid) < box_volume(e->box) || !may_go_on(e) ||
           samples_are_explained(e);
}

// Returns true if no part of the carver's solid is large enough to be tested, or all of them are
// explained.
static bool needs_no_test(void *user, bspi_carver *carver) {
    const bspi_explainer *e = user;
    double mins[3];
    double maxs[3];
    double least = box_volume(e->box) * (1 - 1e-6);
    bspi_polyhedron_extent(&carver->solid, mins, maxs);
    double around = (maxs[0] - mins[0]) * (maxs[1] - mins[1]) * (maxs[2] - mins[2]);
    return around < least || bspi_polyhedron_volume(&carver->solid) < least ||
           touches_everywhere(e, mins, maxs);
}

// Returns true if the carver's solid, which is overwritten, is explained. A large one may reach
// from the inside of the map far out: its part that is solid in hull 0 is explained, and its open
// parts are tested one by one.
static bool solid_is_explained(bspi_explainer *e) {
    bool large = bspi_polyhedron_volume(&e->carver->solid) > MANY_BOXES * box_volume(e->box);
    return samples_are_explained(e) &&
           (!large || bspi_tree_walk_but(e->open, e->carver, part_is_explained, needs_no_test, e));
}

static bool is_within_solids(const bspi_explainer *e, const bspi_tree_cell *cell) {
    double mins[3];
    double maxs[3];
    for (int a = 0; a < 3; a++) {
        mins[a] = (double)cell->mins[a];
        maxs[a] = (double)cell->maxs[a];
    }
    return touches_everywhere(e, mins, maxs);
}

void bspi_explain_cells(bspi_explainer *e, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        bspi_tree_cell *cell = &e->tree->cells[i];
        bool explained = cell->contents != BSPI_TREE_SOLID || cell->volume < LEAST_CELL ||
                         !may_go_on(e) || is_within_solids(e, cell) ||
                         !bspi_tree_carve(e->tree, e->carver, i) || solid_is_explained(e);
        bspi_cell_set_done(cell, explained);
    }
}

// --- scratch ------------------------------------------------------------------------------------

static size_t depth_of(const bspi_explainer *e) {
    return (size_t)e->space->num_nodes + 2; // no way is longer
}

static size_t chain_size(const bspi_explainer *e) {
    return sizeof *e->chain + depth_of(e) * sizeof *e->chain->links;
}

static void measure_nodes(const bspi_explainer *e) {
    for (uint32_t i = 0; i < e->space->num_nodes; i++) {
        const bspi_flat *flat = &e->carver->flats.list[e->space->nodes[i].plane];
        e->radii[i] = 0;
        for (int a = 0; a < 3; a++) {
            double half = ((double)e->box->maxs[a] - (double)e->box->mins[a]) / 2 + SLACK;
            e->radii[i] += fabs(flat->normal[a]) * half;
        }
    }
}

bool bspi_explainer_begin(bspi_explainer *e, const bspi_clipper *clipper, bspi_carver *carver,
                          const bsp_hull *box, const bspi_tree *open, bspi_tree *tree) {
    bspi_heap *heap = carver->flats.heap;
    *e = (bspi_explainer){.clipper = clipper,
                          .carver = carver,
                          .box = box,
                          .space = clipper->space,
                          .open = open,
                          .tree = tree};
    e->stack = bspi_heap_alloc(heap, depth_of(e) * sizeof *e->stack, carver->error);
    e->chain = bspi_heap_alloc(heap, chain_size(e), carver->error);
    e->radii = bspi_heap_alloc(heap, depth_of(e) * sizeof *e->radii, carver->error);
    if (e->stack == NULL || e->chain == NULL || e->radii == NULL) {
        return false;
    }
    e->chain->count = 0;
    measure_nodes(e);
    return true;
}

void bspi_explainer_end(bspi_explainer *e) {
    bspi_heap *heap = e->carver->flats.heap;
    bspi_heap_free(heap, e->stack, depth_of(e) * sizeof *e->stack);
    bspi_heap_free(heap, e->chain, chain_size(e));
    bspi_heap_free(heap, e->radii, depth_of(e) * sizeof *e->radii);
}

// --- help ---------------------------------------------------------------------------------------

static void take_cells(bspi_explain_help *help, bspi_explainer *e) {
    uint32_t count = e->tree->num_cells;
    uint32_t first;
    while ((first = atomic_fetch_add(&help->next, CELLS)) < count) {
        bspi_explain_cells(e, first, count - first < CELLS ? count : first + CELLS);
    }
}

void bspi_explain_help_begin(bspi_explain_help *help) {
    *help = (bspi_explain_help){.explainer = NULL};
    atomic_init(&help->next, 0);
    pthread_mutex_init(&help->lock, NULL);
    pthread_cond_init(&help->changed, NULL);
}

void bspi_explain_helped(bspi_explainer *e, bspi_explain_help *help) {
    pthread_mutex_lock(&help->lock);
    help->explainer = e;
    pthread_cond_broadcast(&help->changed);
    pthread_mutex_unlock(&help->lock);
    take_cells(help, e);
    pthread_mutex_lock(&help->lock);
    help->explainer = NULL;
    help->over = true;
    while (help->busy != 0) {
        pthread_cond_wait(&help->changed, &help->lock);
    }
    pthread_mutex_unlock(&help->lock);
}

void bspi_explain_help_over(bspi_explain_help *help) {
    pthread_mutex_lock(&help->lock);
    help->over = true;
    pthread_cond_broadcast(&help->changed);
    pthread_mutex_unlock(&help->lock);
}

// Waits until there is something to do, and returns a copy of the explainer; not `there`: there
// will be nothing.
static bspi_explainer enter(bspi_explain_help *help, bool *there) {
    bspi_explainer e = {.clipper = NULL};
    pthread_mutex_lock(&help->lock);
    while (help->explainer == NULL && !help->over) {
        pthread_cond_wait(&help->changed, &help->lock);
    }
    *there = help->explainer != NULL;
    if (*there) {
        e = *help->explainer;
        help->busy++;
    }
    pthread_mutex_unlock(&help->lock);
    return e;
}

void bspi_explain_more(bspi_explain_help *help, bspi_carver *carver) {
    bool there;
    const bspi_explainer from = enter(help, &there);
    bspi_explainer e;
    if (!there) {
        return;
    }
    if (bspi_explainer_begin(&e, from.clipper, carver, from.box, from.open, from.tree)) {
        take_cells(help, &e);
    }
    bspi_explainer_end(&e); // without memory the others do all
    pthread_mutex_lock(&help->lock);
    help->busy--;
    pthread_cond_broadcast(&help->changed);
    pthread_mutex_unlock(&help->lock);
}

void bspi_explain_help_end(bspi_explain_help *help) {
    pthread_cond_destroy(&help->changed);
    pthread_mutex_destroy(&help->lock);
}
