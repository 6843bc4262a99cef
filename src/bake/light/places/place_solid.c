// SPDX-License-Identifier: MIT
// Places in solid, at which no light is measured. By the rules of ericw-tools the tree tells, and a
// place beside a wall is in it; by those of others the brushes do, where a map has some.
#include "bake/light/faces/node_around.h"
#include "bake/light/places/places.h"

#include "core/vector.h"
#include "formats/quake_contents.h"
#include "query/masks.h"

#include <math.h>
#include <string.h>

#define TOUCH 0.1f       // units: so close to solid is in it (ericw-tools)
#define MOST_PENDING 64u // nodes of a tree beside a point
#define MOST_STEPS 4096u // of them in all
#define CELL 32.0f       // units from the middle of a cell to its sides along a face,
#define THICK 2.0f       // and off it
#define APART 0.25f      // more than TOUCH, and what distances from planes are wrong by
#define TRACE 16u        // nodes that a question to the index counts as
#define STEPS 64u        // nodes that count as one of work

// Is a point below a node of a tree in solid or sky, or closer than that to it at the edge of a
// leaf? Source: Light_PointInSolid of ericw-tools. Adds the nodes that were looked at to `steps`.
static bool is_close(const bsp_map *map, int32_t from, const float point[3], uint32_t *steps) {
    int32_t pending[MOST_PENDING];
    uint32_t count = 0;
    uint32_t most = *steps + MOST_STEPS;
    pending[count++] = from;
    while (count != 0 && (*steps)++ < most) {
        int32_t node = pending[--count];
        uint32_t leaf = (uint32_t)(-1 - node);
        if (node < 0) {
            int32_t contents = leaf < map->num_leaves ? map->leaves[leaf].contents : 0;
            if (bspi_is_closed_in(map->traits, contents)) {
                return true;
            }
            continue;
        }
        const bsp_node *n = (uint32_t)node < map->num_nodes ? &map->nodes[node] : NULL;
        if (n == NULL || n->plane >= map->num_planes) {
            continue;
        }
        float away = bspi_dot(map->planes[n->plane].normal, point) - map->planes[n->plane].dist;
        if (away < TOUCH && count < MOST_PENDING) {
            pending[count++] = n->children[1];
        }
        if (away > -TOUCH && count < MOST_PENDING) {
            pending[count++] = n->children[0];
        }
    }
    return false;
}

static bool is_ericw(const bspi_relight *own) {
    return own->relight.compiler == BSP_COMPILER_ERICW;
}

static bool is_solid(const bspi_relight *own, uint32_t model, const float point[3],
                     uint32_t *steps) {
    const bsp_map *map = own->map;
    if (is_ericw(own)) {
        return is_close(map, map->models[model].headnodes[0], point, steps);
    }
    *steps += TRACE;
    int32_t contents = bsp_trace_contents(own->index, model, point);
    return bspi_is_closed_in(map->traits, contents);
}

// Is a place in solid of a model, as that is at home? By the rules of ericw-tools a model's own
// place is not moved by its origin.
static bool is_in(const bspi_relight *own, uint32_t model, const float point[3], bool moved,
                  uint32_t *steps) {
    const float *origin = own->models[model].origin;
    float at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = point[i] - (moved ? origin[i] : 0);
    }
    return model < own->map->num_models && is_solid(own, model, at, steps);
}

// By the rules of ericw-tools what is clear is not solid, nor is what is of other channels.
static bool counts(const bspi_relight *own, uint32_t model, uint32_t of) {
    const bspi_lit_model *other = &own->models[model];
    return !is_ericw(own) || (other->channels == own->models[of].channels && !(other->opacity < 1));
}

// Pays for nodes, beyond those that each place is paid for; what can fail next tells of too much.
static void pay(bspi_relight *own, uint32_t steps) {
    if (steps >= STEPS) {
        (void)bspi_heap_work(&own->heap, steps / STEPS, NULL);
    }
}

bool bspi_place_in_world(bspi_relight *own, const float point[3]) {
    uint32_t steps = 0;
    bool in = is_in(own, 0, point, false, &steps);
    pay(own, steps);
    return in;
}

bool bspi_place_solid(bspi_relight *own, uint32_t model, const float point[3]) {
    uint32_t steps = 0;
    bool in = (model == 0 || counts(own, 0, model)) && is_in(own, 0, point, false, &steps);
    in = in || (model != 0 && is_in(own, model, point, !is_ericw(own), &steps));
    for (uint32_t i = 0; i < own->num_shading && !in; i++) {
        uint32_t m = own->shading[i];
        in = m != model && counts(own, m, model) && is_in(own, m, point, true, &steps);
        steps++;
        if (steps > MOST_STEPS) { // of many models
            pay(own, steps);
            steps = 0;
        }
    }
    pay(own, steps);
    return in;
}

// --- places near each other ---------------------------------------------------------------------

// Adds a tree to those that may be solid in a cell.
static void add_tree(const bspi_relight *own, uint32_t model, bool moved, bspi_place_cell *cell,
                     uint32_t *steps) {
    const bsp_map *map = own->map;
    float middle[3];
    if (model >= map->num_models) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        middle[i] = cell->middle[i] - (moved ? own->models[model].origin[i] : 0);
    }
    int32_t node =
        bspi_node_around(map, map->models[model].headnodes[0], middle, cell->half, APART, steps);
    uint32_t leaf = (uint32_t)(-1 - node);
    int32_t contents = node < 0 && leaf < map->num_leaves ? map->leaves[leaf].contents : 0;
    if (node < 0 && !bspi_is_closed_in(map->traits, contents)) {
        return;
    }
    if (cell->count < BSPI_PLACE_TREES) {
        cell->trees[cell->count] = (bspi_place_tree){.model = model, .node = node, .moved = moved};
    }
    cell->count++;
}

static void make_cell(const bspi_relight *own, uint32_t model, const float point[3],
                      bspi_place_cell *cell, uint32_t *steps) {
    memcpy(cell->middle, point, sizeof cell->middle);
    cell->known = true;
    cell->count = 0;
    if (model == 0 || counts(own, 0, model)) {
        add_tree(own, 0, false, cell, steps);
    }
    if (model != 0) {
        add_tree(own, model, false, cell, steps);
    }
    for (uint32_t i = 0; i < own->num_shading && cell->count <= BSPI_PLACE_TREES; i++) {
        uint32_t m = own->shading[i];
        ++*steps;
        if (m != model && counts(own, m, model)) {
            add_tree(own, m, true, cell, steps);
        }
    }
}

void bspi_place_cell_begin(const float normal[3], bspi_place_cell *cell) {
    cell->known = false;
    for (int i = 0; i < 3; i++) {
        cell->half[i] = THICK + CELL * (1 - fabsf(normal[i]));
    }
}

static bool is_in_cell(const bspi_place_cell *cell, const float point[3]) {
    bool in = cell->known;
    for (int i = 0; i < 3; i++) {
        in = in && fabsf(point[i] - cell->middle[i]) <= cell->half[i];
    }
    return in;
}

bool bspi_place_solid_near(bspi_relight *own, uint32_t model, const float point[3],
                           bspi_place_cell *cell) {
    uint32_t steps = 0;
    if (!is_ericw(own)) {
        return bspi_place_solid(own, model, point);
    }
    if (!is_in_cell(cell, point)) {
        make_cell(own, model, point, cell, &steps);
    }
    if (cell->count > BSPI_PLACE_TREES) {
        pay(own, steps);
        return bspi_place_solid(own, model, point);
    }
    bool in = false;
    for (uint32_t n = 0; n < cell->count && !in; n++) {
        const bspi_place_tree *tree = &cell->trees[n];
        float at[3];
        for (int i = 0; i < 3; i++) {
            at[i] = point[i] - (tree->moved ? own->models[tree->model].origin[i] : 0);
        }
        in = is_close(own->map, tree->node, at, &steps);
    }
    pay(own, steps);
    return in;
}
