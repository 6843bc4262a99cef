// SPDX-License-Identifier: MIT
// Assumes a loaded map.
#include "decompile/tree/parts.h"

#include <string.h>

#define PARTS 24u // of a tree, about: more than threads, since they differ

// What is below one of the nodes at which the first walk ends, or a cell that is reached before.
struct bspi_tree_piece {
    bspi_tree tree;  // its nodes and cells are those of the whole tree; tags and solids are its own
    size_t end;      // of its solid, on the stack
    uint32_t *cells; // in the order of the walk
    uint32_t num_cells;
    size_t room_cells;
};

// --- dividing -----------------------------------------------------------------------------------

// Adds the piece below a child. Returns it as a cell of the first walk's tree; 0 without memory.
static int32_t add_piece(bspi_tree_parts *parts, int32_t child, const uint32_t *sizes,
                         bsp_error *error) {
    bspi_tree_piece *pieces =
        bspi_grow(parts->heap, parts->pieces, parts->count, &parts->room, sizeof *pieces, error);
    if (pieces == NULL) {
        return 0;
    }
    parts->pieces = pieces;
    bspi_tree_piece *piece = &pieces[parts->count];
    *piece = (bspi_tree_piece){.tree = *parts->tree};
    piece->tree.root = child;
    piece->tree.num_cells = child >= 0 ? sizes[child] + 1 : 1; // tells how much room it may need
    return -1 - (int32_t)parts->count++;
}

static void count_below(const bspi_tree *tree, uint32_t *sizes) {
    for (uint32_t n = tree->num_nodes; n-- > 0;) { // children follow their parents
        sizes[n] = 1;
        for (int side = 0; side < 2; side++) {
            int32_t child = tree->nodes[n].children[side];
            sizes[n] += child >= 0 ? sizes[child] : 0;
        }
    }
}

// Makes the tree of the first walk, which ends at pieces that have few nodes. `top` has room for
// all nodes.
static bool cut_top(bspi_tree_parts *parts, bspi_tree *top, const uint32_t *sizes,
                    bsp_error *error) {
    const bspi_tree *tree = parts->tree;
    uint32_t most = tree->num_nodes / PARTS;
    bool good = true;
    for (uint32_t n = 0; good && n < tree->num_nodes; n++) {
        top->nodes[n] = tree->nodes[n];
        for (int side = 0; sizes[n] > most && good && side < 2; side++) {
            int32_t child = tree->nodes[n].children[side];
            if (child < 0 || sizes[child] <= most) {
                top->nodes[n].children[side] = add_piece(parts, child, sizes, error);
                good = top->nodes[n].children[side] != 0;
            }
        }
    }
    return good;
}

static bool save_part(void *user, bspi_carver *carver, uint32_t number) {
    bspi_tree_parts *parts = user;
    if (!bspi_polyhedron_push(&parts->stack, &carver->solid, carver->error)) {
        carver->starved = true;
        return false;
    }
    parts->pieces[number].end = parts->stack.used;
    parts->order[parts->num_parts++] = number;
    return true;
}

bool bspi_tree_parts_begin(bspi_tree_parts *parts, bspi_tree *tree, bspi_carver *carver,
                           const bsp_map *map, uint32_t model, uint32_t hull) {
    bspi_heap *heap = carver->flats.heap;
    *parts = (bspi_tree_parts){.tree = tree, .heap = heap, .stack = {.heap = heap}};
    if (!bspi_tree_begin(tree, carver, map, model, hull)) {
        return false;
    }
    if (tree->num_nodes < PARTS) {
        bspi_carve_box(carver);
        return bspi_tree_walk(tree, carver, bspi_tree_fill_cell, tree);
    }
    bspi_tree top = *tree;
    size_t nodes_size = tree->num_nodes * sizeof *top.nodes;
    size_t sizes_size = tree->num_nodes * sizeof(uint32_t);
    uint32_t *sizes = bspi_heap_alloc(heap, sizes_size, carver->error);
    top.nodes = bspi_heap_alloc(heap, nodes_size, carver->error);
    bool good = sizes != NULL && top.nodes != NULL;
    if (good) {
        count_below(tree, sizes);
        good = cut_top(parts, &top, sizes, carver->error);
    }
    if (good) {
        parts->order = bspi_heap_alloc(heap, parts->count * sizeof *parts->order, carver->error);
        bspi_carve_box(carver);
        good = parts->order != NULL && bspi_tree_walk(&top, carver, save_part, parts);
    }
    bspi_heap_free(heap, sizes, sizes_size);
    bspi_heap_free(heap, top.nodes, nodes_size);
    return good;
}

// --- building -----------------------------------------------------------------------------------

static bool fill_cell(void *user, bspi_carver *carver, uint32_t number) {
    bspi_tree_piece *piece = user;
    uint32_t *cells = bspi_grow(carver->flats.heap, piece->cells, piece->num_cells,
                                &piece->room_cells, sizeof *cells, carver->error);
    if (cells == NULL) {
        return false;
    }
    piece->cells = cells;
    cells[piece->num_cells++] = number;
    return bspi_tree_fill_cell(&piece->tree, carver, number);
}

bool bspi_tree_part_build(bspi_tree_parts *parts, uint32_t part, bspi_carver *carver) {
    bspi_tree_piece *piece = &parts->pieces[parts->order[part]];
    bspi_polyhedron_read(&parts->stack, piece->end, &carver->solid);
    return bspi_tree_walk(&piece->tree, carver, fill_cell, piece) && !carver->starved;
}

// --- joining ------------------------------------------------------------------------------------

// Moves what a piece has behind that of the pieces before it.
static void join_piece(bspi_tree *tree, const bspi_tree_piece *piece) {
    const bspi_tree *from = &piece->tree;
    for (uint32_t i = 0; i < piece->num_cells; i++) {
        bspi_tree_cell *cell = &tree->cells[piece->cells[i]];
        cell->first_tag += tree->num_tags;
        cell->solid += cell->solid != BSP_NONE ? (uint32_t)tree->used_solids : 0;
    }
    if (from->num_tags != 0) {
        memcpy(tree->tags + tree->num_tags, from->tags, from->num_tags * sizeof *tree->tags);
    }
    if (from->used_solids != 0) {
        memcpy(tree->solids + tree->used_solids, from->solids, from->used_solids);
    }
    tree->num_tags += from->num_tags;
    tree->used_solids += from->used_solids;
}

bool bspi_tree_parts_join(bspi_tree_parts *parts, bsp_error *error) {
    bspi_tree *tree = parts->tree;
    size_t tags = 0;
    size_t solids = 0;
    for (uint32_t i = 0; i < parts->num_parts; i++) {
        const bspi_tree *from = &parts->pieces[parts->order[i]].tree;
        tags += from->num_tags;
        solids += from->used_solids;
    }
    if (tags != 0) {
        tree->tags = bspi_heap_alloc(parts->heap, tags * sizeof *tree->tags, error);
        tree->room_tags = tags;
    }
    if (solids != 0) {
        tree->solids = bspi_heap_alloc(parts->heap, solids, error);
        tree->room_solids = solids;
    }
    if ((tags != 0 && tree->tags == NULL) || (solids != 0 && tree->solids == NULL) ||
        solids >= BSP_NONE) { // more than any map has
        return false;
    }
    for (uint32_t i = 0; i < parts->num_parts; i++) {
        join_piece(tree, &parts->pieces[parts->order[i]]);
    }
    bspi_tree_filled(tree);
    return true;
}

void bspi_tree_parts_end(bspi_tree_parts *parts) {
    bspi_heap *heap = parts->heap;
    for (uint32_t i = 0; i < parts->count; i++) {
        bspi_tree_piece *piece = &parts->pieces[i];
        bspi_heap_free(heap, piece->tree.tags, piece->tree.room_tags * sizeof *piece->tree.tags);
        bspi_heap_free(heap, piece->tree.solids, piece->tree.room_solids);
        bspi_heap_free(heap, piece->cells, piece->room_cells * sizeof *piece->cells);
    }
    bspi_heap_free(heap, parts->pieces, parts->room * sizeof *parts->pieces);
    bspi_heap_free(heap, parts->order, parts->count * sizeof *parts->order);
    bspi_polyhedron_stack_free(&parts->stack);
}
