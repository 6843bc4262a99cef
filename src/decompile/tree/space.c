// SPDX-License-Identifier: MIT
// Trees as volumes. Assumes a loaded map: trees have no cycles, but branches may be shared. Each
// place of a shared branch has its own nodes, until the trees have twice as many as the map.
#include "decompile/tree/space.h"

#include <string.h>

#define MOST_SIDES 192u   // of one volume; more are damage
#define BOX_MARGIN 0.02   // units between a cell and its box
#define LEAST_KEPT 1.0    // cubic units: solids of smaller cells are not asked for
#define USUAL_SOLID 160u  // bytes that the solids of a tree take for each cell
#define MORE_SOLIDS 8192u // bytes, more than one takes
#define MORE_NODES 1024u  // that cutting may add to a tree, besides as many as it has

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
    carver->counted_left = carver->nodes_left;
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
    fork->flats.room = 0;
    fork->flats.list = NULL;
    fork->room_pending = from->room_pending;
    fork->pending = bspi_arena_raw(arena, fork->room_pending, sizeof *fork->pending, error);
    return fork->pending != NULL && bspi_carver_follow(fork, from) &&
           bspi_polyhedron_init(&fork->solid, MOST_SIDES, arena, error);
}

bool bspi_carver_follow(bspi_carver *fork, const bspi_carver *from) {
    bspi_flats *flats = &fork->flats;
    size_t room = from->flats.count;
    bspi_flat *list = bspi_heap_alloc(flats->heap, room * sizeof *list, fork->error);
    if (list == NULL) {
        return false;
    }
    memcpy(list, from->flats.list, room * sizeof *list);
    bspi_heap_free(flats->heap, flats->list, flats->room * sizeof *list);
    flats->list = list;
    flats->room = room;
    flats->count = from->flats.count;
    fork->nodes_left = from->nodes_left;
    fork->counted_left = from->counted_left;
    memcpy(fork->mins, from->mins, sizeof fork->mins);
    memcpy(fork->maxs, from->maxs, sizeof fork->maxs);
    return true;
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

bool bspi_carver_save(bspi_carver *carver, size_t *end) {
    bool good = bspi_polyhedron_push(&carver->stack, &carver->solid, carver->error);
    carver->starved = carver->starved || !good;
    *end = carver->stack.used;
    return good;
}

bool bspi_carve_tag(bspi_carver *carver, uint32_t tag) {
    double normal[3];
    double dist;
    bspi_flats_out(&carver->flats, tag, normal, &dist);
    return bspi_polyhedron_cut(&carver->solid, normal, dist, tag, BSPI_TREE_EPSILON);
}

void bspi_carve_box(bspi_carver *carver) {
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
    bspi_carve_box(carver);
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
    tree->cells[tree->num_cells] =
        (bspi_tree_cell){.contents = contents, .solid = BSP_NONE, .parent = parent};
    return -1 - (int32_t)tree->num_cells++;
}

static const int32_t *map_children(const flattener *f, int32_t node) {
    return f->clip ? f->map->clipnodes[node].children : f->map->nodes[node].children;
}

// Returns how many nodes the tree below a root has, at most `room`. `from` is scratch.
static uint32_t count_nodes(const flattener *f, int32_t root, uint32_t room, int32_t *from) {
    uint32_t have = f->clip ? f->map->num_clipnodes : f->map->num_nodes;
    uint32_t count = 0;
    if (root >= 0 && (uint32_t)root < have && count < room) {
        from[count++] = root;
    }
    for (uint32_t i = 0; i < count; i++) {
        const int32_t *children = map_children(f, from[i]);
        for (int side = 0; side < 2; side++) {
            if (children[side] >= 0 && (uint32_t)children[side] < have && count < room) {
                from[count++] = children[side];
            }
        }
    }
    return count;
}

static void set_plane(bspi_tree_node *node, const bspi_flats *flats, uint32_t plane) {
    const bspi_flat *flat = &flats->list[plane];
    node->plane = plane;
    node->dist = flat->dist;
    node->axis = 3;
    for (uint32_t a = 0; a < 3; a++) {
        bool along = flat->normal[a] == 1 && flat->normal[(a + 1) % 3] == 0 &&
                     flat->normal[(a + 2) % 3] == 0;
        node->axis = along ? a : node->axis;
    }
}

// Numbers nodes in the order of the walk, so that a node is filled before its children, and `from`
// (its node in the map) needs no stack.
static void flatten(flattener *f, const bspi_flats *flats, int32_t root, int32_t *from) {
    bspi_tree *tree = f->tree;
    from[0] = root;
    tree->root = flat_child(f, root, BSP_NONE);
    for (uint32_t i = 0; i < tree->num_nodes; i++) {
        const bsp_map *map = f->map;
        bspi_tree_node *node = &tree->nodes[i];
        const int32_t *children = map_children(f, from[i]);
        uint32_t plane = f->clip ? map->clipnodes[from[i]].plane : map->nodes[from[i]].plane;
        set_plane(node, flats, plane < map->num_planes ? plane : 0);
        for (int side = 0; side < 2; side++) {
            node->children[side] = flat_child(f, children[side], 2 * i + (uint32_t)side);
            if (node->children[side] >= 0) {
                from[node->children[side]] = children[side];
            }
        }
    }
}

// --- building -----------------------------------------------------------------------------------

// Gives a cell a box around the solid. Cells that are cut out by their tags once more may differ
// by rounding.
static void fill_box(bspi_tree_cell *cell, const bspi_polyhedron *solid) {
    double mins[3];
    double maxs[3];
    bspi_polyhedron_extent(solid, mins, maxs);
    for (int a = 0; a < 3; a++) {
        cell->mins[a] = (float)(mins[a] - BOX_MARGIN);
        cell->maxs[a] = (float)(maxs[a] + BOX_MARGIN);
    }
}

// Keeps the solid of a cell. Returns false without memory.
static bool keep_solid(bspi_tree *tree, bspi_carver *carver, bspi_tree_cell *cell) {
    bspi_heap *heap = carver->flats.heap;
    size_t size = bspi_polyhedron_packed_size(&carver->solid);
    cell->solid = BSP_NONE;
    if (size == 0 || cell->volume < LEAST_KEPT ||
        (tree->lean && cell->contents == BSPI_TREE_SOLID) || tree->used_solids + size >= BSP_NONE) {
        return true;
    }
    if (tree->room_solids - tree->used_solids < size) {
        size_t room = tree->room_solids == 0 ? tree->num_cells * (size_t)USUAL_SOLID
                                             : tree->room_solids + tree->room_solids / 2;
        room += MORE_SOLIDS;
        uint8_t *solids = bspi_heap_alloc(heap, room, carver->error);
        if (solids == NULL) {
            carver->starved = true;
            return false;
        }
        if (tree->used_solids != 0) {
            memcpy(solids, tree->solids, tree->used_solids);
        }
        bspi_heap_free(heap, tree->solids, tree->room_solids);
        tree->solids = solids;
        tree->room_solids = room;
    }
    cell->solid = (uint32_t)tree->used_solids;
    tree->used_solids += bspi_polyhedron_write(&carver->solid, tree->solids + tree->used_solids);
    return true;
}

bool bspi_tree_carve(const bspi_tree *tree, bspi_carver *carver, uint32_t number) {
    const bspi_tree_cell *cell = &tree->cells[number];
    if (cell->solid == BSP_NONE) {
        return bspi_carve(carver, tree->tags + cell->first_tag, cell->num_tags, BSP_NONE);
    }
    if (!bspi_carver_work(carver, 1 + (uint64_t)cell->num_tags)) {
        return false;
    }
    bspi_polyhedron_unpack(&carver->solid, tree->solids + cell->solid);
    return true;
}

bool bspi_tree_fill_cell(void *user, bspi_carver *carver, uint32_t number) {
    bspi_tree *tree = user;
    bspi_tree_cell *cell = &tree->cells[number];
    const bspi_polyhedron *solid = &carver->solid;
    cell->volume = bspi_polyhedron_volume(solid);
    fill_box(cell, solid);
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
    return keep_solid(tree, carver, cell);
}

bool bspi_tree_begin(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, uint32_t model,
                     uint32_t hull) {
    memset(tree, 0, sizeof *tree);
    tree->lean = hull == 0; // solid cells of other hulls may be clip brushes
    bspi_heap *heap = carver->flats.heap;
    uint32_t room = hull == 0 ? map->num_nodes : map->num_clipnodes;
    room = room < carver->nodes_left ? room : carver->nodes_left;
    size_t from_size = ((size_t)room + 1) * sizeof(int32_t);
    int32_t *from = bspi_heap_alloc(heap, from_size, carver->error);
    if (from == NULL) {
        return false;
    }
    flattener f = {tree, map, hull != 0};
    int32_t root = map->models[model].headnodes[hull];
    tree->room = count_nodes(&f, root, room, from);
    size_t slots = (size_t)tree->room + 1;
    tree->nodes = bspi_heap_alloc(heap, slots * sizeof *tree->nodes, carver->error);
    tree->cells = bspi_heap_alloc(heap, slots * sizeof *tree->cells, carver->error);
    bool good = tree->nodes != NULL && tree->cells != NULL;
    if (good) {
        flatten(&f, &carver->flats, root, from);
        carver->nodes_left -= tree->num_nodes;
    }
    bspi_heap_free(heap, from, from_size);
    return good;
}

void bspi_tree_filled(bspi_tree *tree) {
    for (uint32_t i = 0; i < tree->num_cells; i++) {
        tree->cells[i].contents = tree->cells[i].num_tags == 0 ? 0 : tree->cells[i].contents;
    }
}

bool bspi_tree_build(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, uint32_t model,
                     uint32_t hull) {
    if (!bspi_tree_begin(tree, carver, map, model, hull)) {
        return false;
    }
    bspi_carve_box(carver);
    bool good = bspi_tree_walk(tree, carver, bspi_tree_fill_cell, tree);
    bspi_tree_filled(tree);
    return good;
}

uint32_t bspi_tree_count(const bspi_carver *carver, const bsp_map *map, uint32_t model,
                         uint32_t hull) {
    const flattener f = {.map = map, .clip = hull != 0};
    uint32_t room = hull == 0 ? map->num_nodes : map->num_clipnodes; // less than pending has
    return count_nodes(&f, map->models[model].headnodes[hull], room, carver->pending);
}

bool bspi_tree_take(bspi_tree *tree, bspi_tree *made, bspi_carver *carver, const bsp_map *map,
                    uint32_t model, uint32_t hull) {
    // A new tree is as large, unless too few nodes are left.
    if (made->num_cells == 0 || made->cut || made->num_nodes > carver->nodes_left) {
        return bspi_tree_build(tree, carver, map, model, hull);
    }
    *tree = *made;
    memset(made, 0, sizeof *made);
    carver->nodes_left -= tree->num_nodes;
    return true;
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
static uint32_t hang_node(bspi_tree *tree, const bspi_flats *flats, uint32_t number, uint32_t tag) {
    bspi_tree_cell *cell = &tree->cells[number];
    uint32_t node = tree->num_nodes++;
    uint32_t made = tree->num_cells++;
    int32_t *link = cell->parent == BSP_NONE
                        ? &tree->root
                        : &tree->nodes[cell->parent / 2].children[cell->parent & 1];
    uint32_t inner = 1 - (tag & 1); // the second child is on the back side of the plane
    *link = (int32_t)node;
    set_plane(&tree->nodes[node], flats, tag / 2);
    tree->nodes[node].children[inner] = -1 - (int32_t)number;
    tree->nodes[node].children[1 - inner] = -1 - (int32_t)made;
    tree->cells[made] = (bspi_tree_cell){
        .contents = cell->contents, .solid = BSP_NONE, .parent = 2 * node + 1 - inner};
    cell->parent = 2 * node + inner;
    return made;
}

// Cuts the part outside of the tag off a cell, as another cell; the carver's solid is the cell.
static bool cut_off(bspi_tree *tree, bspi_carver *carver, uint32_t number, uint32_t tag) {
    uint32_t made = hang_node(tree, &carver->flats, number, tag);
    if (!bspi_polyhedron_push(&carver->stack, &carver->solid, carver->error)) {
        carver->starved = true;
        return false;
    }
    bool good = true;
    if (bspi_carve_tag(carver, tag ^ 1)) {
        good = bspi_tree_fill_cell(tree, carver, made);
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
            return bspi_tree_fill_cell(tree, carver, cell);
        }
        if (!cut_off(tree, carver, cell, tags[i])) {
            return false;
        }
        there = bspi_carve_tag(carver, tags[i]);
    }
    tree->cells[cell].contents = there ? contents : 0;
    return !there || bspi_tree_fill_cell(tree, carver, cell);
}

void bspi_tree_free(bspi_tree *tree, bspi_carver *carver) {
    bspi_heap *heap = carver->flats.heap;
    size_t slots = (size_t)tree->room + 1;
    bspi_heap_free(heap, tree->nodes, slots * sizeof *tree->nodes);
    bspi_heap_free(heap, tree->cells, slots * sizeof *tree->cells);
    bspi_heap_free(heap, tree->tags, tree->room_tags * sizeof *tree->tags);
    bspi_heap_free(heap, tree->solids, tree->room_solids);
    memset(tree, 0, sizeof *tree);
}
