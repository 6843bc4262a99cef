// SPDX-License-Identifier: MIT
// Cuts cycles of the trees, so that every walk ends. Subtrees may be shared: only a child that is
// its own ancestor is cut. Assumes that the children are in range.
#include "map/load.h"

#include <string.h>

// Any tree: children of 2 * 4 bytes in records of some size.
typedef struct tree {
    uint8_t *records;
    size_t stride;
    size_t children; // offset in the record
    uint32_t count;
    int32_t cut; // what a child that closes a cycle becomes
} tree;

enum { UNSEEN, OPEN, DONE };

typedef struct step {
    uint32_t node;
    uint32_t next; // child to visit
} step;

static int32_t child_of(const tree *t, uint32_t node, uint32_t side) {
    int32_t child;
    memcpy(&child, t->records + node * t->stride + t->children + side * 4u, sizeof child);
    return child;
}

static void cut_child(const tree *t, uint32_t node, uint32_t side) {
    memcpy(t->records + node * t->stride + t->children + side * 4u, &t->cut, sizeof t->cut);
}

// Walks depth first from one root, with an explicit stack, which is at most as deep as there are
// nodes.
static uint32_t walk(const tree *t, uint32_t root, uint8_t *state, step *stack) {
    uint32_t cuts = 0;
    uint32_t depth = 0;
    stack[depth].node = root;
    stack[depth++].next = 0;
    state[root] = OPEN;
    while (depth > 0) {
        step *top = &stack[depth - 1];
        if (top->next == 2) {
            state[top->node] = DONE;
            depth--;
            continue;
        }
        uint32_t side = top->next++;
        int32_t child = child_of(t, top->node, side);
        if (child < 0 || state[child] == DONE) {
            continue;
        }
        if (state[child] == OPEN) {
            cut_child(t, top->node, side);
            cuts++;
            continue;
        }
        state[child] = OPEN;
        stack[depth].node = (uint32_t)child;
        stack[depth++].next = 0;
    }
    return cuts;
}

static bool cut_cycles(bspi_loader *loader, const tree *t, const char *lump) {
    if (t->count == 0) {
        return true;
    }
    bspi_heap *heap = &loader->owner->heap;
    uint8_t *state = bspi_heap_alloc(heap, t->count, loader->error);
    step *stack = bspi_heap_alloc(heap, t->count * sizeof *stack, loader->error);
    bool done = state != NULL && stack != NULL;
    if (done) {
        memset(state, UNSEEN, t->count);
        for (uint32_t root = 0; done && root < t->count; root++) {
            uint32_t cuts = state[root] == UNSEEN ? walk(t, root, state, stack) : 0;
            if (cuts != 0) {
                done = bspi_repaired(loader, BSPI_ISSUE_TREE_SHAPE,
                                     bsp_place_at(lump, root, "children", UINT64_MAX),
                                     "%u children below it lead back to their own ancestors", cuts);
            }
        }
    }
    bspi_heap_free(heap, state, t->count);
    bspi_heap_free(heap, stack, t->count * sizeof *stack);
    return done;
}

bool bspi_repair_trees(bspi_loader *loader) {
    bsp_map *map = loader->map;
    if (map->num_leaves == 0) {
        map->num_nodes = 0; // no child of theirs could be valid
    }
    tree nodes = {bspi_writable(map->nodes), sizeof *map->nodes, offsetof(bsp_node, children),
                  map->num_nodes, -1};
    tree clipnodes = {bspi_writable(map->clipnodes), sizeof *map->clipnodes,
                      offsetof(bsp_clipnode, children), map->num_clipnodes, -2};
    return cut_cycles(loader, &nodes, "NODES") && cut_cycles(loader, &clipnodes, "CLIPNODES");
}
