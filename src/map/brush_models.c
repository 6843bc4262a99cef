// SPDX-License-Identifier: MIT
// Finds the model of each brush. Assumes a checked map, whose trees have no cycles but may share
// their branches, as its leaves may share their lists.
#include "map/brush_models.h"

#include <string.h>

typedef struct claimer {
    const bsp_map *map;
    bspi_meter *meter;
    uint32_t *models;
    int32_t *stack; // nodes, each of which is pushed once
    bool *seen;     // nodes that were pushed
} claimer;

static void claim(claimer *c, uint32_t model, uint32_t brush) {
    if (brush < c->map->num_brushes && c->models[brush] == BSP_NONE) {
        c->models[brush] = model;
    }
}

static bool claim_leaf(claimer *c, uint32_t model, uint32_t number) {
    if (number >= c->map->num_leaves) {
        return true;
    }
    const bsp_leaf *leaf = &c->map->leaves[number];
    if (!bspi_meter_add(c->meter, 1 + (uint64_t)leaf->num_brushes)) {
        return false;
    }
    for (uint32_t i = 0; i < leaf->num_brushes; i++) {
        claim(c, model, c->map->leaf_brushes[leaf->first_brush + i]);
    }
    return true;
}

// Claims a leaf, or pushes a node that is new: what two models share belongs to the first.
static bool reach(claimer *c, uint32_t model, int32_t child, size_t *depth) {
    if (child < 0) {
        return claim_leaf(c, model, (uint32_t)(-1 - child));
    }
    if ((uint32_t)child < c->map->num_nodes && !c->seen[child]) {
        c->seen[child] = true;
        c->stack[(*depth)++] = child;
    }
    return true;
}

static bool claim_tree(claimer *c, uint32_t model, int32_t root) {
    size_t depth = 0;
    bool done = reach(c, model, root, &depth);
    while (done && depth != 0) {
        const bsp_node *node = &c->map->nodes[c->stack[--depth]];
        done = reach(c, model, node->children[0], &depth) &&
               reach(c, model, node->children[1], &depth);
    }
    return done;
}

static bool claim_model(claimer *c, uint32_t number) {
    const bsp_map *map = c->map;
    const bsp_model *model = &map->models[number];
    if (!bspi_meter_add(c->meter, 1 + (uint64_t)model->num_brushes)) {
        return false;
    }
    for (uint32_t i = 0; i < model->num_brushes; i++) {
        claim(c, number, model->first_brush + i);
    }
    bool runs = map->traits->model_runs && number != 0;
    return model->num_brushes != 0 || map->num_leaf_brushes == 0 || runs ||
           claim_tree(c, number, model->headnodes[0]);
}

// Compilers write the brushes of a model in a row. A brush that no leaf refers to (a hint, or one
// that others cover) belongs to the model of the brush before it.
static void claim_gaps(claimer *c) {
    uint32_t model = 0;
    for (uint32_t i = 0; i < c->map->num_brushes; i++) {
        model = c->models[i] == BSP_NONE ? model : c->models[i];
        c->models[i] = model;
    }
}

uint32_t *bspi_brush_models(const bsp_map *map, bspi_arena *arena, bspi_meter *meter) {
    bsp_error *error = meter->error;
    claimer c = {.map = map, .meter = meter};
    c.models = bspi_arena_raw(arena, map->num_brushes, sizeof *c.models, error);
    c.stack = bspi_arena_raw(arena, map->num_nodes, sizeof *c.stack, error);
    c.seen = bspi_arena_zero(arena, map->num_nodes, sizeof *c.seen, error);
    if (c.models == NULL || c.stack == NULL || c.seen == NULL) {
        return NULL;
    }
    memset(c.models, 0xFF, map->num_brushes * sizeof *c.models); // BSP_NONE
    bool done = bspi_meter_add(meter, map->num_brushes);
    for (uint32_t m = 0; done && m < map->num_models && map->num_brushes != 0; m++) {
        done = claim_model(&c, m);
    }
    claim_gaps(&c);
    return done && bspi_meter_pay(meter) ? c.models : NULL;
}
