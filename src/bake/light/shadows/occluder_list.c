// SPDX-License-Identifier: MIT
// A list of faces that cast shadows, while they are found.
#include "bake/light/shadows/occluder_list.h"
#include "bake/light/shadows/occluder_lanes.h"

#include <math.h>
#include <string.h>

// Sets the lines along the edges of a polygon, seen along the axis that its normal is nearest to.
// Returns how many are longer than a point.
static uint16_t set_edges(const bspi_occluder *face, const float (*points)[3], uint32_t count,
                          float (*out)[3]) {
    float middle[2] = {0, 0};
    uint16_t edges = 0;
    for (uint32_t i = 0; i < count; i++) {
        middle[0] += points[i][face->axes[0]] / (float)count;
        middle[1] += points[i][face->axes[1]] / (float)count;
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *a = points[i];
        const float *b = points[(i + 1) % count];
        float u = a[face->axes[1]] - b[face->axes[1]];
        float v = b[face->axes[0]] - a[face->axes[0]];
        float length = sqrtf(u * u + v * v);
        if (!(length > 1e-4f)) {
            continue;
        }
        u /= length;
        v /= length;
        float w = -(u * a[face->axes[0]] + v * a[face->axes[1]]);
        float sign = u * middle[0] + v * middle[1] + w < 0 ? -1.0f : 1.0f;
        out[edges][0] = sign * u;
        out[edges][1] = sign * v;
        out[edges++][2] = sign * w;
    }
    return edges;
}

static void set_axes(bspi_occluder *face) {
    int most = 0;
    for (int i = 1; i < 3; i++) {
        most = fabsf(face->normal[i]) > fabsf(face->normal[most]) ? i : most;
    }
    face->axes[0] = (uint8_t)((most + 1) % 3);
    face->axes[1] = (uint8_t)((most + 2) % 3);
}

// Sets the box around points, and a little more. False if one of them is nowhere.
static bool set_bounds(const float (*points)[3], uint32_t count, float bounds[2][3]) {
    for (int i = 0; i < 3; i++) {
        bounds[0][i] = INFINITY;
        bounds[1][i] = -INFINITY;
        for (uint32_t n = 0; n < count; n++) {
            if (!isfinite(points[n][i])) {
                return false;
            }
            bounds[0][i] = fminf(bounds[0][i], points[n][i]);
            bounds[1][i] = fmaxf(bounds[1][i], points[n][i]);
        }
        bounds[0][i] -= 0.125f;
        bounds[1][i] += 0.125f;
    }
    return true;
}

static bool make_room(bspi_occluder_list *l, uint32_t edges) {
    struct bspi_occluders *all = l->all;
    bspi_heap *heap = &l->own->heap;
    bspi_occluder *list = bspi_grow(heap, all->list, all->count, &l->room, sizeof *list, l->error);
    all->list = list != NULL ? list : all->list;
    float(*bounds)[2][3] = list == NULL ? NULL
                                        : bspi_grow(heap, l->bounds, all->count, &l->bound_room,
                                                    sizeof *bounds, l->error);
    l->bounds = bounds != NULL ? bounds : l->bounds;
    bool done = bounds != NULL;
    for (uint32_t i = 0; done && i < edges; i++) {
        float(*more)[3] =
            bspi_grow(heap, all->edges, l->num_edges + i, &l->edge_room, sizeof *more, l->error);
        all->edges = more != NULL ? more : all->edges;
        done = more != NULL;
    }
    return done;
}

bspi_occluder_list bspi_occluder_list_begin(bspi_relight *own, bsp_error *error) {
    bspi_occluder_list l = {.own = own, .error = error};
    l.all = bspi_arena_zero(&own->arena, 1, sizeof *l.all, error);
    if (l.all != NULL) {
        l.all->lanes = bspi_occluder_lanes_here();
    }
    return l;
}

bool bspi_occluder_list_add(bspi_occluder_list *l, const bspi_occluder *face,
                            const float (*points)[3], uint32_t count) {
    bspi_occluder made = *face;
    float bounds[2][3];
    if (!set_bounds(points, count, bounds)) {
        return true;
    }
    set_axes(&made);
    if (!make_room(l, count)) {
        return false;
    }
    made.first = l->num_edges;
    made.edges = set_edges(&made, points, count, l->all->edges + l->num_edges);
    l->num_edges += made.edges;
    memcpy(l->bounds[l->all->count], bounds, sizeof bounds);
    l->all->list[l->all->count++] = made;
    return bspi_heap_work(&l->own->heap, 1 + count, l->error);
}

// Moves the edges to the arena.
static bool keep_edges(bspi_occluder_list *l) {
    float(*kept)[3] = bspi_arena_raw(&l->own->arena, l->num_edges, sizeof *kept, l->error);
    if (kept != NULL && l->num_edges != 0) {
        memcpy(kept, l->all->edges, l->num_edges * sizeof *kept);
    }
    bspi_heap_free(&l->own->heap, l->all->edges, l->edge_room * sizeof *kept);
    l->all->edges = kept;
    return kept != NULL;
}

struct bspi_occluders *bspi_occluder_list_end(bspi_occluder_list *l, bool done) {
    if (l->all == NULL) {
        return NULL;
    }
    bspi_occluder *found = l->all->list;
    done = done && bspi_occluders_divide(l->own, l->all, (const float(*)[2][3])l->bounds, l->error);
    done = keep_edges(l) && done;
    bspi_heap_free(&l->own->heap, found, l->room * sizeof *found);
    bspi_heap_free(&l->own->heap, l->bounds, l->bound_room * sizeof *l->bounds);
    return done ? l->all : NULL;
}
