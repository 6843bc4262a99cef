// SPDX-License-Identifier: MIT
// Walks down trees: with a point, a box, or a solid that is cut on the way.
#include "decompile/tree/space.h"

#define ROUNDING 1e-3 // units, more than that of a distance

uint32_t bspi_tree_find(const bspi_tree *tree, bspi_carver *carver, const double point[3]) {
    return bspi_tree_find_from(tree, carver, tree->root, point);
}

uint32_t bspi_tree_find_from(const bspi_tree *tree, bspi_carver *carver, int32_t from,
                             const double point[3]) {
    int32_t at = from;
    uint64_t steps = 0;
    while (at >= 0) {
        const bspi_tree_node *node = &tree->nodes[at];
        steps++;
        at = node->children[bspi_node_distance(&carver->flats, node, point) < 0];
    }
    (void)bspi_carver_work(carver, steps); // the caller ends when the carver is starved
    return (uint32_t)(-1 - at);
}

bool bspi_tree_cell_holds(const bspi_tree *tree, const bspi_flats *flats, uint32_t number,
                          const double point[3], double margin) {
    const bspi_tree_cell *cell = &tree->cells[number];
    return cell->num_tags != 0 && bspi_tags_hold(flats, tree->tags + cell->first_tag,
                                                 cell->num_tags, BSP_NONE, point, margin);
}

// Returns the sides of a node's plane on which a box has points: bit 0 in front, bit 1 on the back
// side.
static uint32_t box_sides(const bspi_carver *carver, const bspi_tree_node *node,
                          const double middle[3], const double half[3]) {
    double radius = ROUNDING;
    double distance = bspi_node_reach(&carver->flats, node, middle, half, &radius);
    return (distance > -radius ? 1u : 0) | (distance < radius ? 2u : 0);
}

static void middle_of(const double mins[3], const double maxs[3], double middle[3],
                      double half[3]) {
    for (int a = 0; a < 3; a++) {
        middle[a] = (mins[a] + maxs[a]) / 2;
        half[a] = (maxs[a] - mins[a]) / 2;
    }
}

int32_t bspi_tree_around(const bspi_tree *tree, bspi_carver *carver, const double mins[3],
                         const double maxs[3]) {
    double middle[3];
    double half[3];
    middle_of(mins, maxs, middle, half);
    int32_t at = tree->root;
    uint64_t steps = 0;
    for (; at >= 0; steps++) {
        uint32_t sides = box_sides(carver, &tree->nodes[at], middle, half);
        if (sides != 1 && sides != 2) {
            break;
        }
        at = tree->nodes[at].children[sides == 2];
    }
    (void)bspi_carver_work(carver, steps);
    return at;
}

// Returns true if a child needs no visit.
static bool is_idle(const bspi_tree *tree, int32_t child) {
    return tree->idle != NULL && (child >= 0 ? tree->idle[child] : tree->cells[-1 - child].idle);
}

bool bspi_tree_view(bspi_tree *view, const bspi_tree *tree, bspi_carver *carver,
                    bool (*left_out)(int32_t contents)) {
    *view = *tree;
    view->idle = bspi_heap_alloc(carver->flats.heap, (size_t)tree->room + 1, carver->error);
    if (view->idle == NULL) {
        carver->starved = true;
        return false;
    }
    for (uint32_t c = 0; c < tree->num_cells; c++) {
        view->cells[c].idle = left_out(view->cells[c].contents);
    }
    for (uint32_t n = tree->num_nodes; n-- > 0;) { // children follow their parents
        const int32_t *children = tree->nodes[n].children;
        view->idle[n] = is_idle(view, children[0]) && is_idle(view, children[1]);
    }
    return true;
}

bool bspi_tree_view_meets(const bspi_tree *view, bspi_carver *carver, const double mins[3],
                          const double maxs[3]) {
    double middle[3];
    double half[3];
    middle_of(mins, maxs, middle, half);
    uint32_t depth = 0;
    int32_t *stack = carver->pending;
    int32_t at = view->root;
    for (uint64_t steps = 1;; steps++) {
        if (!is_idle(view, at)) {
            if (at < 0) {
                (void)bspi_carver_work(carver, steps);
                return true;
            }
            const bspi_tree_node *node = &view->nodes[at];
            uint32_t sides = box_sides(carver, node, middle, half);
            if (sides == 3) {
                stack[depth++] = node->children[1];
            }
            at = node->children[(sides & 1) == 0]; // NaN: any
            continue;
        }
        if (depth == 0) {
            (void)bspi_carver_work(carver, steps);
            return false;
        }
        at = stack[--depth];
    }
}

void bspi_tree_view_end(bspi_tree *view, bspi_carver *carver) {
    bspi_heap_free(carver->flats.heap, view->idle, (size_t)view->room + 1);
    view->idle = NULL;
}

typedef struct walk {
    const bspi_tree *tree;
    bspi_carver *carver;
    bspi_tree_skip *skip; // or NULL
    void *user;
} walk;

// Returns the node or cell where a walk with the carver's solid begins in effect: all of a box
// around it is further from the planes before than cuts are exact to.
static int32_t first_crossed(const bspi_tree *tree, bspi_carver *carver) {
    double mins[3];
    double maxs[3];
    if (tree->root < 0 || carver->solid.num_polygons == 0) {
        return tree->root;
    }
    bspi_polyhedron_extent(&carver->solid, mins, maxs);
    for (int a = 0; a < 3; a++) {
        mins[a] -= BSPI_TREE_EPSILON;
        maxs[a] += BSPI_TREE_EPSILON;
    }
    return bspi_tree_around(tree, carver, mins, maxs);
}

// Cuts the carver's solid to its half in front of a node's plane, and keeps the other one unless
// `only`. A pending node stands for the whole solid, which begins with the same distances; minus 1
// minus it, for the half. Returns false without memory.
static bool take_front(bspi_carver *carver, int32_t at, uint32_t tag, bool only, uint32_t *depth,
                       bool *there) {
    bool halved = false;
    if (!only) {
        if (!bspi_polyhedron_halve(&carver->solid, tag, &carver->stack, &halved, carver->error) ||
            (!halved && !bspi_polyhedron_push(&carver->stack, &carver->solid, carver->error))) {
            carver->starved = true;
            return false;
        }
        carver->pending[(*depth)++] = halved ? -1 - at : at;
    }
    *there = halved;
    if (!halved) {
        uint32_t sides = bspi_polyhedron_turn(&carver->solid, 3);
        *there = bspi_polyhedron_cut_classified(&carver->solid, sides, tag + 1);
    }
    return true;
}

// Walks down with the solid to a cell; the other halves are pushed. Gives the cell, or BSP_NONE if
// nothing of the solid is left. Returns false without memory.
static bool descend(const walk *w, int32_t at, bool whole, uint32_t *depth, uint32_t *cell) {
    const bspi_tree *tree = w->tree;
    bspi_carver *carver = w->carver;
    uint64_t steps = 1;
    for (; at >= 0; steps++) {
        if (is_idle(tree, at) || (!whole && w->skip != NULL && w->skip(w->user, carver))) {
            *cell = BSP_NONE;
            return bspi_carver_work(carver, steps);
        }
        const bspi_tree_node *node = &tree->nodes[at];
        const bspi_flat *flat = &carver->flats.list[node->plane];
        uint32_t sides =
            bspi_polyhedron_sides(&carver->solid, flat->normal, flat->dist, BSPI_TREE_EPSILON);
        whole = sides != 3;
        bool idle[2] = {is_idle(tree, node->children[0]), is_idle(tree, node->children[1])};
        if (sides == 3 && idle[0]) {
            if (!bspi_polyhedron_cut_classified(&carver->solid, sides, 2 * node->plane)) {
                *cell = BSP_NONE;
                return bspi_carver_work(carver, steps);
            }
            sides = 2;
        } else if (sides == 3) {
            bool there;
            if (!take_front(carver, at, 2 * node->plane, idle[1], depth, &there)) {
                return false;
            }
            if (!there) {
                *cell = BSP_NONE;
                return bspi_carver_work(carver, steps);
            }
            sides = 1;
        }
        at = node->children[sides == 2];
    }
    *cell = is_idle(tree, at) ? BSP_NONE : (uint32_t)(-1 - at);
    return bspi_carver_work(carver, steps);
}

bool bspi_tree_walk_but(const bspi_tree *tree, bspi_carver *carver, bspi_tree_visit *visit,
                        bspi_tree_skip *skip, void *user) {
    const walk w = {tree, carver, skip, user};
    uint32_t depth = 0;
    size_t bottom = carver->stack.used;
    bool whole = skip != NULL && tree->root >= 0; // what is left was asked for
    if (whole && (is_idle(tree, tree->root) || skip(user, carver))) {
        return bspi_carver_work(carver, 1);
    }
    int32_t at = first_crossed(tree, carver);
    bool good = true;
    for (;;) {
        uint32_t cell;
        good = descend(&w, at, whole, &depth, &cell) &&
               (cell == BSP_NONE || visit(user, carver, cell));
        bool left = false;
        while (good && !left && depth != 0) {
            int32_t kept = carver->pending[--depth];
            const bspi_tree_node *node = &tree->nodes[kept < 0 ? -1 - kept : kept];
            bspi_polyhedron_pop(&carver->stack, &carver->solid);
            left = kept < 0 || bspi_polyhedron_cut_classified(&carver->solid, 3, 2 * node->plane);
            at = node->children[1];
            whole = false;
        }
        if (!left) {
            break;
        }
    }
    carver->stack.used = bottom;
    return good;
}

bool bspi_tree_walk(const bspi_tree *tree, bspi_carver *carver, bspi_tree_visit *visit,
                    void *user) {
    return bspi_tree_walk_but(tree, carver, visit, NULL, user);
}
