// SPDX-License-Identifier: MIT
// The entity that a brush of the world belonged to. The compiler moves the brushes of some entities
// into the world; the contents, and what is left of the entities, tell which. Facts: sheet outputs,
// section 3.
#include "decompile/source/steps.h"

#include "core/search.h"
#include <math.h>
#include <stdlib.h>

#define TOUCH 0.125 // boxes up to this distance touch: vertices are rounded to 1/32 at worst
#define FIRM                                                                                       \
    (BSPI_SOURCE_SOLID | BSPI_SOURCE_WINDOW | BSPI_SOURCE_GRATE | BSPI_SOURCE_WATER |              \
     BSPI_SOURCE_AUX | BSPI_SOURCE_SLIME)

// --- boxes --------------------------------------------------------------------------------------

static void find_box(const bsp_brush_mesh *hulls, uint32_t brush, bspi_source_box *box) {
    const bsp_brush_hull *hull = &hulls->hulls[brush];
    for (int axis = 0; axis < 3; axis++) {
        box->at[0][axis] = INFINITY;
        box->at[1][axis] = -INFINITY;
    }
    for (uint32_t i = 0; hull->state == BSP_BRUSH_CLOSED && i < hull->num_points; i++) {
        const double *at = hulls->points[hull->first_point + i].at;
        for (int axis = 0; axis < 3; axis++) {
            box->at[0][axis] = fmin(box->at[0][axis], at[axis]);
            box->at[1][axis] = fmax(box->at[1][axis], at[axis]);
        }
    }
}

static bool is_in_world(const bspi_work *w, uint32_t brush) {
    const bspi_source_state *state = w->own;
    return state->owners[brush].entity == 0 && w->brush_model[brush] == 0;
}

static uint32_t contents_of(const bspi_work *w, uint32_t brush) {
    return (uint32_t)w->map->brushes[brush].contents;
}

// --- detail -------------------------------------------------------------------------------------

// Returns true for detail. Clips and the like are detail by their material in any case.
static bool is_detail(const bspi_work *w, uint32_t brush) {
    uint32_t contents = contents_of(w, brush);
    return (contents & BSPI_SOURCE_DETAIL) != 0 && (contents & FIRM) != 0 && is_in_world(w, brush);
}

static double gap_of(const bspi_work *w) {
    double gap = w->options->detail_gap;
    return gap > 0 ? fmin(gap, BSP_MOST_DETAIL_GAP) : TOUCH;
}

static bool touch(const bspi_source_box *a, const bspi_source_box *b, double gap) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(a->at[0][axis] <= b->at[1][axis] + gap) ||
            !(b->at[0][axis] <= a->at[1][axis] + gap)) {
            return false;
        }
    }
    return true;
}

// Joins all brushes connected by boxes that touch. The lowest index of a group is its root.
static void join(bspi_work *w, const bspi_source_placed *list, uint32_t count, uint32_t *parent) {
    const bspi_source_box *boxes = bspi_source_of(w)->boxes;
    double gap = gap_of(w);
    for (uint32_t i = 0; i < count; i++) {
        double high = boxes[list[i].brush].at[1][0] + gap;
        uint32_t end = i + 1;
        while (end < count && list[end].low <= high) {
            end++;
        }
        if (!bspi_spend(w, end - i)) {
            return;
        }
        for (uint32_t j = i + 1; j < end; j++) {
            if (!touch(&boxes[list[i].brush], &boxes[list[j].brush], gap)) {
                continue;
            }
            uint32_t a = bspi_root_of(parent, list[i].brush);
            uint32_t b = bspi_root_of(parent, list[j].brush);
            parent[a < b ? b : a] = a < b ? a : b;
        }
    }
}

static bool make_details(bspi_work *w, uint32_t *parent) {
    bspi_source_state *state = bspi_source_of(w);
    for (uint32_t i = 0; i < w->map->num_brushes; i++) {
        if (parent[i] == BSP_NONE) {
            continue;
        }
        uint32_t root = bspi_root_of(parent, i);
        if (root == i) {
            state->owners[i].entity = bspi_new_entity(w, "func_detail");
            if (state->owners[i].entity == BSP_NONE) {
                return false;
            }
        }
        state->owners[i].entity = state->owners[root].entity;
    }
    return true;
}

// Makes func_detail entities. The author's grouping of detail is lost.
static bool find_details(bspi_work *w) {
    if (w->options->mode != BSP_BRUSHES_PLANES) {
        return true; // faces do not tell whether they are of detail
    }
    const bspi_source_state *state = bspi_source_of(w);
    uint32_t total = w->map->num_brushes;
    uint32_t *parent = bspi_arena_raw(&w->arena, total, sizeof *parent, w->error);
    bspi_source_placed *list = bspi_arena_raw(&w->arena, total, sizeof *list, w->error);
    if (parent == NULL || list == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < total; i++) {
        parent[i] = is_detail(w, i) ? i : BSP_NONE;
        if (parent[i] != BSP_NONE) {
            list[count++] = (bspi_source_placed){state->boxes[i].at[0][0], i};
        }
    }
    qsort(list, count, sizeof *list, bspi_source_compare_placed);
    if (w->options->details == BSP_DETAILS_TOUCHING) {
        join(w, list, count, parent);
    }
    return make_details(w, parent);
}

// --- all ----------------------------------------------------------------------------------------

static bool *find_reached(bspi_work *w) {
    const bsp_map *map = w->map;
    bool *reached = bspi_arena_zero(&w->arena, map->num_brushes, sizeof *reached, w->error);
    for (uint32_t i = 0; reached != NULL && i < map->num_leaf_brushes; i++) {
        if (map->leaf_brushes[i] < map->num_brushes) {
            reached[map->leaf_brushes[i]] = true;
        }
    }
    return reached;
}

bool bspi_source_find_owners(bspi_work *w) {
    const bsp_map *map = w->map;
    bspi_source_state *state = bspi_source_of(w);
    uint32_t count = map->num_brushes;
    state->owners = bspi_arena_raw(&w->arena, count, sizeof *state->owners, w->error);
    state->boxes = bspi_arena_raw(&w->arena, count, sizeof *state->boxes, w->error);
    state->reached = find_reached(w);
    if (state->owners == NULL || state->boxes == NULL || state->reached == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        state->owners[i].entity = w->brush_model[i] == 0 ? 0 : BSP_NONE;
        state->owners[i].visgroup = BSP_NONE;
        find_box(w->hulls, i, &state->boxes[i]);
    }
    return bspi_source_find_occluders(w) && bspi_source_find_portals(w) &&
           bspi_source_find_ladders(w) && find_details(w);
}
