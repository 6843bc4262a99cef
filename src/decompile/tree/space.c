// SPDX-License-Identifier: MIT
// Trees as volumes. Assumes a loaded map: trees have no cycles, but branches may be shared. Each
// place of a shared branch has its own nodes, until the trees have twice as many as the map.
#include "decompile/tree/space.h"

#include <string.h>

#define MOST_SIDES 192u  // of one volume; more are damage
#define MORE_NODES 1024u // that cutting may add to a tree, besides as many as it has

// --- the carver ---------------------------------------------------------------------------------

bool bspi_carver_begin(bspi_carver *carver, const bsp_map *map, bspi_heap *heap, bspi_arena *arena,
                       bsp_error *error) {
    memset(carver, 0, sizeof *carver);
    carver->error = error;
    carver->flats.heap = heap; // set even when nothing else is filled
    carver->stack.heap = heap;
    carver->meter = (bspi_meter){.heap = heap, .error = error};
    uint32_t deepest = map->num_nodes > map->num_clipnodes ? map->num_nodes : map->num_clipnodes;
    carver->room_pending = 2 * deepest + MORE_NODES;
    carver->pending = bspi_arena_raw(arena, carver->room_pending, sizeof *carver->pending, error);
    // Trees of sound maps share no nodes, except that unused hulls may repeat another.
    carver->nodes_left = 2 * (map->num_nodes + map->num_clipnodes) + 64;
    return carver->pending != NULL && bspi_flats_begin(&carver->flats, map, heap, arena, error) &&
           bspi_polyhedron_init(&carver->solid, MOST_SIDES, arena, error);
}

bool bspi_carver_fork(bspi_carver *fork, const bspi_carver *from, bspi_arena *arena,
                      bsp_error *error) {
    bspi_heap *heap = from->flats.heap;
    memset(fork, 0, sizeof *fork);
    fork->error = error;
    fork->meter = (bspi_meter){.heap = heap, .error = error};
    fork->stack.heap = heap;
    fork->flats = from->flats; // the chains of the map's planes do not change
    fork->flats.room = from->flats.count;
    fork->flats.list = bspi_heap_alloc(heap, fork->flats.room * sizeof *fork->flats.list, error);
    fork->room_pending = from->room_pending;
    fork->pending = bspi_arena_raw(arena, fork->room_pending, sizeof *fork->pending, error);
    fork->nodes_left = from->nodes_left;
    memcpy(fork->mins, from->mins, sizeof fork->mins);
    memcpy(fork->maxs, from->maxs, sizeof fork->maxs);
    if (fork->flats.list == NULL || fork->pending == NULL) {
        return false;
    }
    memcpy(fork->flats.list, from->flats.list, fork->flats.room * sizeof *fork->flats.list);
    return bspi_polyhedron_init(&fork->solid, MOST_SIDES, arena, error);
}

bool bspi_carver_end(bspi_carver *carver) {
    bspi_heap_free(carver->flats.heap, carver->flats.list,
                   carver->flats.room * sizeof *carver->flats.list);
    bspi_polyhedron_stack_free(&carver->stack);
    return bspi_meter_pay(&carver->meter) && !carver->starved;
}

void bspi_carver_box(bspi_carver *carver, const double mins[3], const double maxs[3]) {
    for (int side = 0; side < 6; side++) {
        int axis = side / 2;
        bool high = (side & 1) != 0;
        carver->flats.list[carver->flats.box + (uint32_t)side].dist =
            high ? maxs[axis] : -mins[axis];
    }
    memcpy(carver->mins, mins, sizeof carver->mins);
    memcpy(carver->maxs, maxs, sizeof carver->maxs);
}

bool bspi_carve_tag(bspi_carver *carver, uint32_t tag) {
    double normal[3];
    double dist;
    bspi_flats_out(&carver->flats, tag, normal, &dist);
    return bspi_polyhedron_cut(&carver->solid, normal, dist, tag, BSPI_TREE_EPSILON);
}

static void start_with_box(bspi_carver *carver) {
    uint32_t tags[6];
    for (uint32_t side = 0; side < 6; side++) {
        tags[side] = 2 * (carver->flats.box + side);
    }
    bspi_polyhedron_bounds(&carver->solid, carver->mins, carver->maxs, tags);
}

bool bspi_carve(bspi_carver *carver, const uint32_t *tags, uint32_t count, uint32_t skip) {
    if (!bspi_carver_work(carver, 1 + (uint64_t)count)) {
        return false;
    }
    start_with_box(carver);
    for (uint32_t i = 0; i < count; i++) {
        if (i != skip && !bspi_flats_is_box(&carver->flats, tags[i]) &&
            !bspi_carve_tag(carver, tags[i])) {
            return false;
        }
    }
    return true;
}

// --- flattening ---------------------------------------------------------------------------------

typedef struct flattener {
    bspi_tree *tree;
    const bsp_map *map;
    bool clip;
} flattener;

// Returns a child for the tree below `parent`: a new node to be filled, or a new cell.
static int32_t flat_child(flattener *f, int32_t child, uint32_t parent) {
    bspi_tree *tree = f->tree;
    bool room = tree->num_nodes < tree->room;
    uint32_t have = f->clip ? f->map->num_clipnodes : f->map->num_nodes;
    if (child >= 0 && (uint32_t)child < have && room) {
        return (int32_t)tree->num_nodes++;
    }
    tree->cut = tree->cut || child >= 0;
    int32_t contents = 0;
    if (child < 0 && f->clip) {
        contents = child;
    } else if (child < 0 && (uint32_t)(-1 - child) < f->map->num_leaves) {
        contents = f->map->leaves[-1 - child].contents;
    }
    tree->cells[tree->num_cells] = (bspi_tree_cell){.contents = contents, .parent = parent};
    return -1 - (int32_t)tree->num_cells++;
}

// Numbers nodes in the order of the walk, so that a node is filled before its children, and `from`
// (its node in the map) needs no stack.
static void flatten(flattener *f, int32_t root, int32_t *from) {
    bspi_tree *tree = f->tree;
    from[0] = root;
    tree->root = flat_child(f, root, BSP_NONE);
    for (uint32_t i = 0; i < tree->num_nodes; i++) {
        const bsp_map *map = f->map;
        bspi_tree_node *node = &tree->nodes[i];
        const int32_t *children;
        if (f->clip) {
            node->plane = map->clipnodes[from[i]].plane;
            children = map->clipnodes[from[i]].children;
        } else {
            node->plane = map->nodes[from[i]].plane;
            children = map->nodes[from[i]].children;
        }
        node->plane = node->plane < map->num_planes ? node->plane : 0;
        for (int side = 0; side < 2; side++) {
            node->children[side] = flat_child(f, children[side], 2 * i + (uint32_t)side);
            if (node->children[side] >= 0) {
                from[node->children[side]] = children[side];
            }
        }
    }
}

// --- walking ------------------------------------------------------------------------------------

uint32_t bspi_tree_find(const bspi_tree *tree, bspi_carver *carver, const double point[3]) {
    int32_t at = tree->root;
    uint64_t steps = 0;
    while (at >= 0) {
        const bspi_tree_node *node = &tree->nodes[at];
        const bspi_flat *flat = &carver->flats.list[node->plane];
        steps++;
        double distance = flat->normal[0] * point[0] + flat->normal[1] * point[1] +
                          flat->normal[2] * point[2] - flat->dist;
        at = node->children[distance < 0];
    }
    (void)bspi_carver_work(carver, steps); // the caller ends when the carver is starved
    return (uint32_t)(-1 - at);
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

void bspi_tree_view_end(bspi_tree *view, bspi_carver *carver) {
    bspi_heap_free(carver->flats.heap, view->idle, (size_t)view->room + 1);
    view->idle = NULL;
}

// Walks down with the solid to a cell; the other halves are pushed. Gives the cell, or BSP_NONE if
// nothing of the solid is left. Returns false without memory.
static bool descend(const bspi_tree *tree, bspi_carver *carver, int32_t at, uint32_t *depth,
                    uint32_t *cell) {
    uint64_t steps = 1;
    for (; at >= 0; steps++) {
        if (is_idle(tree, at)) {
            *cell = BSP_NONE;
            return bspi_carver_work(carver, steps);
        }
        const bspi_tree_node *node = &tree->nodes[at];
        const bspi_flat *flat = &carver->flats.list[node->plane];
        uint32_t sides =
            bspi_polyhedron_sides(&carver->solid, flat->normal, flat->dist, BSPI_TREE_EPSILON);
        bool idle[2] = {is_idle(tree, node->children[0]), is_idle(tree, node->children[1])};
        if (sides == 3 && idle[0]) {
            if (!bspi_polyhedron_cut_classified(&carver->solid, sides, 2 * node->plane)) {
                *cell = BSP_NONE;
                return bspi_carver_work(carver, steps);
            }
            sides = 2;
        } else if (sides == 3) {
            // The front half first; the other begins with the same distances.
            if (!idle[1]) {
                if (!bspi_polyhedron_push(&carver->stack, &carver->solid, carver->error)) {
                    carver->starved = true;
                    return false;
                }
                carver->pending[(*depth)++] = at;
            }
            sides = bspi_polyhedron_turn(&carver->solid, sides);
            if (!bspi_polyhedron_cut_classified(&carver->solid, sides, 2 * node->plane + 1)) {
                *cell = BSP_NONE;
                return bspi_carver_work(carver, steps);
            }
        }
        at = node->children[sides == 2];
    }
    *cell = is_idle(tree, at) ? BSP_NONE : (uint32_t)(-1 - at);
    return bspi_carver_work(carver, steps);
}

bool bspi_tree_walk(const bspi_tree *tree, bspi_carver *carver, bspi_tree_visit *visit,
                    void *user) {
    uint32_t depth = 0;
    size_t bottom = carver->stack.used;
    int32_t at = tree->root;
    bool good = true;
    for (;;) {
        uint32_t cell;
        good = descend(tree, carver, at, &depth, &cell) &&
               (cell == BSP_NONE || visit(user, carver, cell));
        bool left = false;
        while (good && !left && depth != 0) {
            const bspi_tree_node *node = &tree->nodes[carver->pending[--depth]];
            bspi_polyhedron_pop(&carver->stack, &carver->solid);
            left = bspi_polyhedron_cut_classified(&carver->solid, 3, 2 * node->plane);
            at = node->children[1];
        }
        if (!left) {
            break;
        }
    }
    carver->stack.used = bottom;
    return good;
}

// --- building -----------------------------------------------------------------------------------

static bool fill_cell(void *user, bspi_carver *carver, uint32_t number) {
    bspi_tree *tree = user;
    bspi_tree_cell *cell = &tree->cells[number];
    const bspi_polyhedron *solid = &carver->solid;
    cell->volume = bspi_polyhedron_volume(solid);
    cell->first_tag = tree->num_tags;
    cell->num_tags = solid->num_polygons;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        uint32_t *tags = bspi_grow(carver->flats.heap, tree->tags, tree->num_tags, &tree->room_tags,
                                   sizeof *tags, carver->error);
        if (tags == NULL) {
            return false;
        }
        tree->tags = tags;
        tags[tree->num_tags++] = solid->polygons[p].tag;
    }
    return true;
}

bool bspi_tree_build(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, uint32_t model,
                     uint32_t hull) {
    memset(tree, 0, sizeof *tree);
    bspi_heap *heap = carver->flats.heap;
    uint32_t room = hull == 0 ? map->num_nodes : map->num_clipnodes;
    tree->room = room < carver->nodes_left ? room : carver->nodes_left;
    size_t slots = (size_t)tree->room + 1;
    tree->nodes = bspi_heap_alloc(heap, slots * sizeof *tree->nodes, carver->error);
    tree->cells = bspi_heap_alloc(heap, slots * sizeof *tree->cells, carver->error);
    int32_t *from = bspi_heap_alloc(heap, slots * sizeof *from, carver->error);
    bool good = tree->nodes != NULL && tree->cells != NULL && from != NULL;
    if (good) {
        flattener f = {tree, map, hull != 0};
        flatten(&f, map->models[model].headnodes[hull], from);
        carver->nodes_left -= tree->num_nodes;
        start_with_box(carver);
        good = bspi_tree_walk(tree, carver, fill_cell, tree);
        for (uint32_t i = 0; i < tree->num_cells; i++) {
            tree->cells[i].contents = tree->cells[i].num_tags == 0 ? 0 : tree->cells[i].contents;
        }
    }
    bspi_heap_free(heap, from, slots * sizeof *from);
    return good;
}

// --- cutting cells ------------------------------------------------------------------------------

// Makes room for one more node and cell. Returns false without memory; `*full`: the tree may have
// no more.
static bool make_room(bspi_tree *tree, bspi_carver *carver, bool *full) {
    bspi_heap *heap = carver->flats.heap;
    uint32_t most = carver->room_pending - 1;
    *full = tree->num_nodes >= most;
    if (*full || tree->num_nodes < tree->room) {
        return true;
    }
    uint32_t room = tree->room < most / 2 ? 2 * tree->room + 1 : most;
    size_t slots = (size_t)room + 1;
    size_t before = (size_t)tree->room + 1;
    bspi_tree_node *nodes = bspi_heap_alloc(heap, slots * sizeof *nodes, carver->error);
    bspi_tree_cell *cells = bspi_heap_alloc(heap, slots * sizeof *cells, carver->error);
    if (nodes == NULL || cells == NULL) {
        bspi_heap_free(heap, nodes, slots * sizeof *nodes);
        bspi_heap_free(heap, cells, slots * sizeof *cells);
        carver->starved = true;
        return false;
    }
    memcpy(nodes, tree->nodes, tree->num_nodes * sizeof *nodes);
    memcpy(cells, tree->cells, tree->num_cells * sizeof *cells);
    bspi_heap_free(heap, tree->nodes, before * sizeof *nodes);
    bspi_heap_free(heap, tree->cells, before * sizeof *cells);
    tree->nodes = nodes;
    tree->cells = cells;
    tree->room = room;
    return true;
}

// Replaces a cell by a node; the cell becomes its child on the inner side of the tag, and the other
// child is a new cell of the same contents.
static uint32_t hang_node(bspi_tree *tree, uint32_t number, uint32_t tag) {
    bspi_tree_cell *cell = &tree->cells[number];
    uint32_t node = tree->num_nodes++;
    uint32_t made = tree->num_cells++;
    int32_t *link = cell->parent == BSP_NONE
                        ? &tree->root
                        : &tree->nodes[cell->parent / 2].children[cell->parent & 1];
    uint32_t inner = 1 - (tag & 1); // the second child is on the back side of the plane
    *link = (int32_t)node;
    tree->nodes[node].plane = tag / 2;
    tree->nodes[node].children[inner] = -1 - (int32_t)number;
    tree->nodes[node].children[1 - inner] = -1 - (int32_t)made;
    tree->cells[made] =
        (bspi_tree_cell){.contents = cell->contents, .parent = 2 * node + 1 - inner};
    cell->parent = 2 * node + inner;
    return made;
}

// Cuts the part outside of the tag off a cell, as another cell; the carver's solid is the cell.
static bool cut_off(bspi_tree *tree, bspi_carver *carver, uint32_t number, uint32_t tag) {
    uint32_t made = hang_node(tree, number, tag);
    if (!bspi_polyhedron_push(&carver->stack, &carver->solid, carver->error)) {
        carver->starved = true;
        return false;
    }
    bool good = true;
    if (bspi_carve_tag(carver, tag ^ 1)) {
        good = fill_cell(tree, carver, made);
    } else {
        tree->cells[made].contents = 0;
    }
    bspi_polyhedron_pop(&carver->stack, &carver->solid);
    return good;
}

bool bspi_tree_split(bspi_tree *tree, bspi_carver *carver, uint32_t cell, const uint32_t *tags,
                     uint32_t count, int32_t contents) {
    const bspi_tree_cell *from = &tree->cells[cell];
    bool there = bspi_carve(carver, tree->tags + from->first_tag, from->num_tags, BSP_NONE);
    for (uint32_t i = 0; there && i < count; i++) {
        double normal[3];
        double dist;
        bool full;
        bspi_flats_out(&carver->flats, tags[i], normal, &dist);
        uint32_t sides = bspi_polyhedron_sides(&carver->solid, normal, dist, BSPI_TREE_EPSILON);
        if (!bspi_carver_work(carver, 1)) {
            return false;
        }
        if ((sides & 1) == 0 || bspi_flats_is_box(&carver->flats, tags[i])) {
            continue;
        }
        if (!make_room(tree, carver, &full)) {
            return false;
        }
        if (full) {
            return fill_cell(tree, carver, cell);
        }
        if (!cut_off(tree, carver, cell, tags[i])) {
            return false;
        }
        there = bspi_carve_tag(carver, tags[i]);
    }
    tree->cells[cell].contents = there ? contents : 0;
    return !there || fill_cell(tree, carver, cell);
}

void bspi_tree_free(bspi_tree *tree, bspi_carver *carver) {
    bspi_heap *heap = carver->flats.heap;
    size_t slots = (size_t)tree->room + 1;
    bspi_heap_free(heap, tree->nodes, slots * sizeof *tree->nodes);
    bspi_heap_free(heap, tree->cells, slots * sizeof *tree->cells);
    bspi_heap_free(heap, tree->tags, tree->room_tags * sizeof *tree->tags);
    memset(tree, 0, sizeof *tree);
}
