// SPDX-License-Identifier: MIT
// A face is divided into cells of a third of a luxel, each of which has one place that is not in
// solid, and from which one gets to what is within the edges. Source: lightmap.cpp of SDHLT.
#include "bake/light/places/spot_cells.h"

#include "bake/light/faces/free_point.h"
#include "bake/light/faces/smooth.h"
#include "bake/light/shadows/shadow.h"
#include "bake/light/shadows/shafts.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define EDGE 0.8f // units: closer to the edge, the way to what is within is looked at
#define LIFT 0.5f // units
#define NUDGES 12
#define AROUND 1.0f // units: more than a place is off the surface and moved
#define SLACK 0.25f // units: more than corners are off the plane of their face

typedef bspi_spot_cell cell;

// --- one place ----------------------------------------------------------------------------------

// Moves a point of the plane within the edges of a face, so far as there is room.
static void move_in(const bspi_unfold_face *face, float point[3]) {
    bool moved = true;
    for (int turn = 0; turn < 4 && moved; turn++) {
        moved = false;
        for (uint32_t i = 0; i < face->num_corners; i++) {
            const float *a = face->corners[i].point;
            const float *in = face->inwards[i];
            const float way[3] = {point[0] - a[0], point[1] - a[1], point[2] - a[2]};
            bool edge = in[0] != 0 || in[1] != 0 || in[2] != 0;
            if (!edge || bspi_dot(in, way) >= EDGE) {
                continue;
            }
            float lacks = EDGE - bspi_dot(in, way);
            moved = true;
            for (int c = 0; c < 3; c++) {
                point[c] += in[c] * lacks;
            }
        }
    }
}

// Is it known that nothing is on the way between two points, nor at its end?
static bool is_open_between(bspi_unfold *u, const float from[3], const float to[3]) {
    const bspi_shafts *shafts = u->own->shafts;
    for (uint32_t m = 0; shafts != NULL && m < shafts->num_models; m++) {
        if (bspi_shaft_may_touch(&shafts->models[m], from, to)) {
            return false;
        }
    }
    return shafts != NULL && bspi_free_way_is_open(u->own, &u->around, from, to);
}

// Is the way from a place at the edge to what is within free?
static bool is_joined(bspi_unfold *u, const bspi_unfold_face *face, const bspi_free_search *search,
                      const float point[3]) {
    const float *origin = u->own->models[u->model].origin;
    float within[3] = {point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]};
    float before[3];
    bool seen = false;
    memcpy(before, within, sizeof before);
    move_in(face, within);
    if (memcmp(before, within, sizeof before) == 0) {
        return true;
    }
    bsp_sight_line line;
    for (int c = 0; c < 3; c++) {
        line.from[c] = point[c];
        line.to[c] = within[c] + origin[c];
    }
    if (is_open_between(u, line.from, line.to)) {
        return true;
    }
    if (!bspi_free_point_find(u->own, search, line.to)) {
        return false;
    }
    bspi_shadow_lines(u->own, bspi_shaded_model(u->model), &line, &seen, NULL, 1);
    return seen;
}

// Are the middles of cells that are all on a face so far from its edges that nothing is looked at
// there?
static bool is_far_within(const bspi_unfold *u, const bspi_unfold_face *face) {
    float aside = bspi_smooth_is(u->own, face->face) ? LIFT : 0; // by a normal that is not upright
    return face->texel * BSPI_CELL_INSIDE > (double)(EDGE + aside + SLACK);
}

// Sets a cell's place, in texels of the face.
static void set_cell(const bspi_unfold *u, const bspi_unfold_face *face, const double at[2],
                     cell *out) {
    const float *origin = u->own->models[u->model].origin;
    float on[3];
    bspi_flat_point(&face->flat, (float)at[0], (float)at[1], on);
    memcpy(out->normal, face->flat.normal, sizeof out->normal);
    bspi_smooth_normal(u->own, face->face, face->corners, face->num_corners, on, out->normal);
    for (int c = 0; c < 3; c++) {
        out->point[c] = on[c] + origin[c] + out->normal[c] * LIFT;
    }
    memcpy(out->at, at, sizeof out->at);
}

// Tries a place in texels of the face. `whole`: the middle of a cell that is all on it.
static bool try_place(bspi_unfold *u, const bspi_unfold_face *face, const double at[2], bool whole,
                      cell *out) {
    set_cell(u, face, at, out);
    bspi_free_search search = {.size = 2, .step = 0.2f, .around = &u->around};
    memcpy(search.normal, face->flat.normal, sizeof search.normal);
    search.dist = bspi_dot(out->point, search.normal);
    out->found = bspi_free_point_find(u->own, &search, out->point) &&
                 ((whole && is_far_within(u, face)) || is_joined(u, face, &search, out->point));
    return out->found;
}

// --- cells --------------------------------------------------------------------------------------

// Is all around a part of a face solid, so that no place of it is free?
static bool is_closed_around(bspi_unfold *u, const bspi_unfold_face *face,
                             const bspi_outline *part) {
    const float *origin = u->own->models[u->model].origin;
    float corners[BSPI_UNFOLD_CORNERS + 8][3];
    float middle[3] = {0, 0, 0};
    float square = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        bspi_flat_point(&face->flat, (float)part->points[i][0], (float)part->points[i][1],
                        corners[i]);
        for (int c = 0; c < 3; c++) {
            corners[i][c] += origin[c];
            middle[c] += corners[i][c] / (float)part->count;
        }
    }
    for (uint32_t i = 0; i < part->count; i++) {
        float way[3] = {corners[i][0] - middle[0], corners[i][1] - middle[1],
                        corners[i][2] - middle[2]};
        square = fmaxf(square, bspi_dot(way, way));
    }
    return bspi_free_point_is_closed(u->own, &u->around, middle, sqrtf(square) + 2 * AROUND);
}

bool bspi_spot_cells_are_open(bspi_unfold *u, const bspi_unfold_face *face, const int from[2],
                              const int to[2]) {
    const double ends[2][2] = {{from[0] * BSPI_CELL, from[1] * BSPI_CELL},
                               {to[0] * BSPI_CELL, to[1] * BSPI_CELL}};
    cell cells[2];
    if (bspi_smooth_is(u->own, face->face) || !is_far_within(u, face)) {
        return false;
    }
    set_cell(u, face, ends[0], &cells[0]);
    set_cell(u, face, ends[1], &cells[1]);
    return is_open_between(u, cells[0].point, cells[1].point);
}

bool bspi_spot_cell_whole(bspi_unfold *u, const bspi_unfold_face *face, int s, int t, bool open,
                          cell *out) {
    const double at[2] = {s * BSPI_CELL, t * BSPI_CELL};
    out->moved = false;
    u->work += 4;
    if (!open) {
        return try_place(u, face, at, true, out);
    }
    set_cell(u, face, at, out);
    out->found = true;
    return true;
}

static void make_cell(bspi_unfold *u, const bspi_unfold_face *face, int s, int t, cell *out) {
    static const double nudges[NUDGES][2] = {{0.1, 0},   {-0.1, 0},   {0, 0.1},     {0, -0.1},
                                             {0.3, 0},   {-0.3, 0},   {0, 0.3},     {0, -0.3},
                                             {0.3, 0.3}, {-0.3, 0.3}, {-0.3, -0.3}, {0.3, -0.3}};
    const double middle[2] = {s * BSPI_CELL, t * BSPI_CELL};
    double at[2] = {middle[0], middle[1]};
    out->found = false;
    out->moved = false;
    if (bspi_spot_cell_is_whole(face, s, t) && bspi_spot_cell_whole(u, face, s, t, false, out)) {
        return;
    }
    bspi_outline zone;
    bspi_outline_copy(&face->own, &zone);
    for (int k = 0; k < 4; k++) {
        double sign = (k & 1) != 0 ? -1 : 1;
        double normal[2] = {k < 2 ? sign : 0, k < 2 ? 0 : sign};
        bspi_outline_clip(&zone, normal, sign * middle[k / 2] - BSPI_CELL / 2, BSPI_CELL_ON);
    }
    if (zone.count == 0) {
        return;
    }
    bspi_outline_snap(&zone, face->side, at);
    out->moved = false;
    if (try_place(u, face, at, false, out) || is_closed_around(u, face, &zone)) {
        return;
    }
    at[0] = at[1] = 0;
    for (uint32_t i = 0; i < zone.count; i++) {
        at[0] += zone.points[i][0] / zone.count;
        at[1] += zone.points[i][1] / zone.count;
    }
    out->moved = true;
    for (int n = 0; !try_place(u, face, at, false, out) && n < NUDGES; n++) {
        at[0] = middle[0] + nudges[n][0] * BSPI_CELL;
        at[1] = middle[1] + nudges[n][1] * BSPI_CELL;
        bspi_outline_snap(&zone, face->side, at);
    }
}

const cell *bspi_spot_cell_find(bspi_unfold *u, const bspi_unfold_face *face, int s, int t) {
    uint32_t owner = (uint32_t)(face - u->faces) + 1;
    uint32_t key = (uint32_t)s * 31u + (uint32_t)t * 977u + owner * 7919u;
    cell *kept = &u->cells[key % BSPI_UNFOLD_CELLS];
    if (kept->owner != owner || kept->number[0] != s || kept->number[1] != t) {
        make_cell(u, face, s, t, kept);
        kept->owner = owner;
        kept->number[0] = s;
        kept->number[1] = t;
        u->work += kept->found && !kept->moved ? 4 : 256;
    }
    return kept;
}
