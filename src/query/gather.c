// SPDX-License-Identifier: MIT
// Finds the solids of each model: the brushes and patches in the leaves of its tree, or its own
// runs of them (Quake 3), and the displacements of its faces.
#include "query/collide.h"

#include "mesh/disp_grid.h"

#include <string.h>

#define LEAST_BUDGET 4096u

typedef struct gatherer {
    bspi_builder *b;
    const bsp_map *map;
    uint8_t *brushes; ///< marks: the model has the brush
    uint8_t *faces;
    uint8_t *nodes;
    int32_t *stack;
    uint32_t *gates; ///< for each brush: contents of the leaves that list it
    uint64_t sides;  ///< how many may still be used
    uint64_t verts;
} gatherer;

static bool spend(gatherer *g, uint64_t *budget, uint64_t amount, const char *what) {
    if (amount > *budget) {
        return bsp_fail(g->b->error, BSP_E_LIMIT, NULL, "%s share their records too often", what);
    }
    *budget -= amount;
    return true;
}

// Marks the brushes and faces of a leaf. Leaves of hostile maps may share their lists: this
// function and those that follow return false over a limit of work.
static bool mark_leaf(gatherer *g, uint32_t number) {
    const bsp_map *map = g->map;
    if (number >= map->num_leaves) {
        return true;
    }
    const bsp_leaf *leaf = &map->leaves[number];
    if (!bspi_meter_add(g->b->meter, (uint64_t)leaf->num_brushes + leaf->num_faces)) {
        return false;
    }
    for (uint32_t i = 0; map->num_brushes != 0 && i < leaf->num_brushes; i++) {
        uint32_t brush = map->leaf_brushes[leaf->first_brush + i];
        if (brush < map->num_brushes) {
            g->brushes[brush] = 1;
            g->gates[brush] |= (uint32_t)leaf->contents;
        }
    }
    for (uint32_t i = 0; map->num_draw_verts != 0 && i < leaf->num_faces; i++) {
        uint32_t face = map->leaf_faces[leaf->first_face + i];
        if (face < map->num_faces) {
            g->faces[face] = 1;
        }
    }
    return true;
}

// Marks every leaf below a node, each node once even if the tree has cycles.
static bool mark_tree(gatherer *g, int32_t root) {
    uint32_t count = 0;
    memset(g->nodes, 0, g->map->num_nodes);
    g->stack[count++] = root;
    while (count > 0) {
        int32_t child = g->stack[--count];
        if (child < 0) {
            if (!mark_leaf(g, (uint32_t)(-1 - child))) {
                return false;
            }
        } else if ((uint32_t)child < g->map->num_nodes && g->nodes[child] == 0) {
            g->nodes[child] = 1;
            g->stack[count++] = g->map->nodes[child].children[0];
            g->stack[count++] = g->map->nodes[child].children[1];
        }
    }
    return bspi_meter_add(g->b->meter, g->map->num_nodes);
}

static void mark_run(uint8_t *marks, uint32_t limit, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count && first < limit && i < limit - first; i++) {
        marks[first + i] = 1;
    }
}

// Puts the planes of a brush into the scratch array. Returns their number.
static uint32_t get_sides(const gatherer *g, const bsp_brush *brush) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_brush_side *side = &g->map->brush_sides[brush->first_side + i];
        if (side->plane >= g->map->num_planes) {
            continue;
        }
        const bsp_plane *plane = &g->map->planes[side->plane];
        bspi_plane *out = &g->b->planes[used++];
        memcpy(out->normal, plane->normal, sizeof out->normal);
        out->dist = plane->dist;
        out->order = brush->first_side + i;
        out->number = side->plane;
        out->flags = bspi_surface_flags(g->map, side->texinfo, side->material);
        out->inward = false;
        out->bevel = g->b->index->rules->skip_bevels && side->bevel != 0;
    }
    return used;
}

// Enlarges the box where points skip bevels: then corners lie farther out than the planes are
// moved. Puts the planes that are not bevels first.
static void widen_box(const gatherer *g, uint32_t used, float box[2][3]) {
    float blunt[2][3];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < used; i++) {
        bspi_plane plane = g->b->planes[i];
        if (!plane.bevel) {
            g->b->planes[i] = g->b->planes[kept];
            g->b->planes[kept++] = plane;
        }
    }
    if (kept == used) {
        return;
    }
    // A brush with only bevels contains every point, so its box is that of no planes.
    bspi_convex_box(g->b->planes, kept, g->b->index->rules->epsilon, blunt);
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = blunt[0][axis] < box[0][axis] ? blunt[0][axis] : box[0][axis];
        box[1][axis] = blunt[1][axis] > box[1][axis] ? blunt[1][axis] : box[1][axis];
    }
}

static bool add_brush(gatherer *g, uint32_t number) {
    const bsp_brush *brush = &g->map->brushes[number];
    float box[2][3];
    if (!spend(g, &g->sides, brush->num_sides, "brushes") ||
        !bspi_meter_add(g->b->meter, bspi_convex_work(brush->num_sides)) ||
        !bspi_need_planes(g->b, brush->num_sides)) {
        return false;
    }
    uint32_t used = get_sides(g, brush);
    bspi_convex facts = {.kind = BSPI_BRUSH,
                         .contents = (uint32_t)brush->contents,
                         .gate = g->gates[number],
                         .owner = number};
    bspi_convex_box(g->b->planes, used, 0, box);
    widen_box(g, used, box);
    return used == 0 || bspi_add_convex(g->b, &facts, g->b->planes, used, box);
}

static bool add_face(gatherer *g, uint32_t number) {
    const bsp_face *face = &g->map->faces[number];
    if (face->type != BSP_FACE_PATCH) {
        return true;
    }
    return spend(g, &g->verts, face->num_verts, "patches") && bspi_add_patch(g->b, face, number);
}

static bool add_marked(gatherer *g) {
    for (uint32_t i = 0; i < g->map->num_brushes; i++) {
        if (g->brushes[i] != 0 && !add_brush(g, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; g->map->num_draw_verts != 0 && i < g->map->num_faces; i++) {
        if (g->faces[i] != 0 && !add_face(g, i)) {
            return false;
        }
    }
    return true;
}

static bool add_displacements(gatherer *g, const bsp_model *model) {
    for (uint32_t i = 0; i < g->map->num_displacements; i++) {
        const bsp_displacement *disp = &g->map->displacements[i];
        uint64_t side = disp->power > BSPI_DISP_MOST_POWER ? 0 : bspi_disp_side(disp->power);
        if (disp->face < model->first_face || disp->face - model->first_face >= model->num_faces) {
            continue;
        }
        if (!spend(g, &g->verts, side * side, "displacements") ||
            !bspi_add_displacement(g->b, disp, i)) {
            return false;
        }
    }
    return true;
}

static bool gather_model(gatherer *g, uint32_t number) {
    static const bsp_model none = {.first_face = 0};
    const bsp_map *map = g->map;
    const bsp_model *model = number < map->num_models ? &map->models[number] : &none;
    memset(g->brushes, 0, map->num_brushes);
    memset(g->faces, 0, map->num_faces);
    memset(g->gates, 0, map->num_brushes * sizeof *g->gates);
    bool done = bspi_meter_add(g->b->meter, (uint64_t)map->num_brushes + map->num_faces +
                                                map->num_displacements);
    bool has_runs = map->traits->model_runs && (number != 0 || map->num_nodes == 0);
    if (has_runs) {
        mark_run(g->brushes, map->num_brushes, model->first_brush, model->num_brushes);
        mark_run(g->faces, map->num_faces, model->first_face, model->num_faces);
    } else if (map->num_nodes != 0) {
        done = done && mark_tree(g, model->headnodes[0]);
    }
    return done && add_marked(g) && add_displacements(g, model);
}

static uint64_t budget_of(uint64_t records) {
    return records * BSPI_MOST_SHARING + LEAST_BUDGET;
}

static bool gather_all(gatherer *g, bspi_body *bodies, uint32_t num_bodies) {
    for (uint32_t i = 0; i < num_bodies; i++) {
        bodies[i].first_convex = (uint32_t)g->b->num_convexes;
        bodies[i].first_patch = (uint32_t)g->b->num_patches;
        bodies[i].root = BSP_NONE;
        if (!gather_model(g, i)) {
            return false;
        }
        bodies[i].num_patches = (uint32_t)g->b->num_patches - bodies[i].first_patch;
        bodies[i].num_convexes = (uint32_t)g->b->num_convexes - bodies[i].first_convex;
        if (!bspi_build_tree(g->b, &bodies[i])) {
            return false;
        }
    }
    return true;
}

bool bspi_gather(bspi_builder *b, bspi_body *bodies, uint32_t num_bodies) {
    const bsp_map *map = b->index->map;
    gatherer g = {.b = b,
                  .map = map,
                  .sides = budget_of(map->num_brush_sides),
                  .verts = budget_of((uint64_t)map->num_draw_verts + map->num_disp_verts)};
    bspi_arena scratch;
    bspi_arena_init(&scratch, b->heap);
    g.brushes = bspi_arena_zero(&scratch, map->num_brushes, 1, b->error);
    g.faces = bspi_arena_zero(&scratch, map->num_faces, 1, b->error);
    g.nodes = bspi_arena_zero(&scratch, map->num_nodes, 1, b->error);
    g.stack = bspi_arena_raw(&scratch, 2 * (size_t)map->num_nodes + 2, sizeof *g.stack, b->error);
    g.gates = bspi_arena_zero(&scratch, map->num_brushes, sizeof *g.gates, b->error);
    bool done = g.brushes != NULL && g.faces != NULL && g.nodes != NULL && g.stack != NULL &&
                g.gates != NULL && gather_all(&g, bodies, num_bodies);
    bspi_arena_free(&scratch);
    return done;
}
