// SPDX-License-Identifier: MIT
// Checks the shape of the tree: every node and leaf belongs to one place of one model's tree,
// except leaf 0, the shared solid leaf. Works on a loaded map, whose trees have no cycles.
#include "map/check.h"

#include <string.h>

typedef struct reach {
    bspi_map_check *check;
    uint8_t *nodes; // how often reached, 0..2
    uint8_t *leaves;
    int32_t *stack;
    uint32_t depth;
} reach;

static void report_twice(reach *r, bsp_table_id id, uint32_t number) {
    bspi_issue(r->check->issues, BSPI_ISSUE_TREE_SHAPE, bspi_map_place(r->check, id, number, NULL),
               "is reached from more than one place");
}

// Counts one visit. Returns true on the first.
static bool visit(reach *r, int32_t child) {
    bool leaf = child < 0;
    uint32_t number = leaf ? (uint32_t)(-1 - child) : (uint32_t)child;
    uint8_t *seen = leaf ? &r->leaves[number] : &r->nodes[number];
    if (*seen == 0) {
        *seen = 1;
        return true;
    }
    if (*seen == 1 && !(leaf && number == 0)) {
        *seen = 2;
        report_twice(r, leaf ? BSP_ID_LEAVES : BSP_ID_NODES, number);
    }
    return false;
}

static void walk(reach *r, int32_t root) {
    r->stack[0] = root;
    r->depth = 1;
    while (r->depth > 0) {
        int32_t child = r->stack[--r->depth];
        // A node is pushed at most once for each of its parents, and only a first visit continues,
        // so the stack never holds more than two children of each node.
        if (visit(r, child) && child >= 0) {
            r->stack[r->depth++] = r->check->map->nodes[child].children[1];
            r->stack[r->depth++] = r->check->map->nodes[child].children[0];
        }
    }
}

static void report_unreached(reach *r, bsp_table_id id, const uint8_t *seen, uint32_t first,
                             uint32_t count) {
    uint32_t missed = 0;
    uint32_t example = BSP_NONE;
    for (uint32_t i = first; i < count; i++) {
        missed += seen[i] == 0 ? 1 : 0;
        example = seen[i] == 0 && example == BSP_NONE ? i : example;
    }
    if (missed != 0) {
        bspi_issue(
            r->check->issues, BSPI_ISSUE_UNREACHED, bspi_map_place(r->check, id, example, NULL),
            "this and %u other %s are in no model's tree", missed - 1, bsp_table_id_name(id));
    }
}

// Quake 3 has one tree, for the world; other models have brushes and faces only.
static uint32_t trees_of(const bsp_map *map) {
    bool one = map->traits->model_runs;
    return map->num_models == 0 ? 0 : one ? 1 : map->num_models;
}

bool bspi_check_tree(bspi_map_check *check) {
    const bsp_map *map = check->map;
    if (map->num_leaves == 0 || map->num_nodes == 0) {
        return true;
    }
    bspi_heap *heap = check->heap;
    size_t stack_size = ((size_t)map->num_nodes * 2 + 2) * sizeof(int32_t);
    reach r = {.check = check,
               .nodes = bspi_heap_alloc(heap, map->num_nodes, check->error),
               .leaves = bspi_heap_alloc(heap, map->num_leaves, check->error),
               .stack = bspi_heap_alloc(heap, stack_size, check->error)};
    bool done = r.nodes != NULL && r.leaves != NULL && r.stack != NULL;
    if (done) {
        memset(r.nodes, 0, map->num_nodes);
        memset(r.leaves, 0, map->num_leaves);
        for (uint32_t i = 0; i < trees_of(map); i++) {
            walk(&r, map->models[i].headnodes[0]);
        }
        report_unreached(&r, BSP_ID_NODES, r.nodes, 0, map->num_nodes);
        report_unreached(&r, BSP_ID_LEAVES, r.leaves, 1, map->num_leaves);
    }
    bspi_heap_free(heap, r.nodes, map->num_nodes);
    bspi_heap_free(heap, r.leaves, map->num_leaves);
    bspi_heap_free(heap, r.stack, stack_size);
    return done;
}
