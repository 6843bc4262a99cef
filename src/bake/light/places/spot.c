// SPDX-License-Identifier: MIT
// Where hlrad measures light: a face is divided into cells of a third of a luxel, each of which has
// one place that is not in solid. A place beyond the edge is looked for on the faces that go on
// there, and is else the nearest of those at the edge. Sources: qradutil.cpp, lightmap.cpp of
// SDHLT.
#include "bake/light/faces/free_point.h"
#include "bake/light/faces/smooth.h"
#include "bake/light/places/spots.h"
#include "bake/light/shadows/shadow.h"
#include "bake/light/shadows/shafts.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define CELL (16.0 / 3) // texels
#define RING (CELL / 2) // texels
#define ON 0.04         // texels or units
#define WIDE 0.16       // texels beside a face that still count as on it
#define EDGE 0.8f       // units: closer to the edge, the way to what is within is looked at
#define LIFT 0.5f       // units
#define MOST_CELLS 4096 // of a face that are looked at for one place
#define FARTHEST 1e8    // texels or cells that are numbered
#define NUDGES 12
#define AROUND 1.0f // units: more than a place is off the surface and moved

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

// Is all within a sphere around a point open, so that any way in it is free?
static bool is_open_around(bspi_unfold *u, const float point[3], float reach) {
    const bspi_shafts *shafts = u->own->shafts;
    for (uint32_t m = 0; shafts != NULL && m < shafts->num_models; m++) {
        bool beside = false;
        for (int i = 0; i < 3; i++) {
            beside |= point[i] + reach < shafts->models[m].mins[i] ||
                      point[i] - reach > shafts->models[m].maxs[i];
        }
        if (!beside) {
            return false;
        }
    }
    return shafts != NULL && bspi_free_point_is_open(u->own, &u->around, point, reach);
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
    float square = 0;
    for (int c = 0; c < 3; c++) {
        line.from[c] = point[c];
        line.to[c] = within[c] + origin[c];
        square += (line.to[c] - point[c]) * (line.to[c] - point[c]);
    }
    if (is_open_around(u, point, sqrtf(square) + AROUND)) {
        return true;
    }
    if (!bspi_free_point_find(u->own, search, line.to)) {
        return false;
    }
    bspi_shadow_lines(u->own, bspi_shaded_model(u->model), &line, &seen, NULL, 1);
    return seen;
}

// Tries a place in texels of the face.
static bool try_place(bspi_unfold *u, const bspi_unfold_face *face, const double at[2], cell *out) {
    const float *origin = u->own->models[u->model].origin;
    float on[3];
    bspi_flat_point(&face->flat, (float)at[0], (float)at[1], on);
    memcpy(out->normal, face->flat.normal, sizeof out->normal);
    bspi_smooth_normal(u->own, face->face, face->corners, face->num_corners, on, out->normal);
    for (int c = 0; c < 3; c++) {
        out->point[c] = on[c] + origin[c] + out->normal[c] * LIFT;
    }
    bspi_free_search search = {.size = 2, .step = 0.2f, .around = &u->around};
    memcpy(search.normal, face->flat.normal, sizeof search.normal);
    search.dist = bspi_dot(out->point, search.normal);
    memcpy(out->at, at, sizeof out->at);
    out->found = bspi_free_point_find(u->own, &search, out->point) &&
                 is_joined(u, face, &search, out->point);
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

static void make_cell(bspi_unfold *u, const bspi_unfold_face *face, int s, int t, cell *out) {
    static const double nudges[NUDGES][2] = {{0.1, 0},   {-0.1, 0},   {0, 0.1},     {0, -0.1},
                                             {0.3, 0},   {-0.3, 0},   {0, 0.3},     {0, -0.3},
                                             {0.3, 0.3}, {-0.3, 0.3}, {-0.3, -0.3}, {0.3, -0.3}};
    const double middle[2] = {s * CELL, t * CELL};
    double at[2] = {middle[0], middle[1]};
    out->found = false;
    out->moved = false;
    if (bspi_outline_holds(&face->own, face->side, middle, -CELL) && try_place(u, face, at, out)) {
        return; // all of the cell is on the face
    }
    bspi_outline zone = face->own;
    for (int k = 0; k < 4; k++) {
        double sign = (k & 1) != 0 ? -1 : 1;
        double normal[2] = {k < 2 ? sign : 0, k < 2 ? 0 : sign};
        bspi_outline_clip(&zone, normal, sign * middle[k / 2] - CELL / 2, ON);
    }
    if (zone.count == 0) {
        return;
    }
    bspi_outline_snap(&zone, face->side, at);
    out->moved = false;
    if (try_place(u, face, at, out) || is_closed_around(u, face, &zone)) {
        return;
    }
    at[0] = at[1] = 0;
    for (uint32_t i = 0; i < zone.count; i++) {
        at[0] += zone.points[i][0] / zone.count;
        at[1] += zone.points[i][1] / zone.count;
    }
    out->moved = true;
    for (int n = 0; !try_place(u, face, at, out) && n < NUDGES; n++) {
        at[0] = middle[0] + nudges[n][0] * CELL;
        at[1] = middle[1] + nudges[n][1] * CELL;
        bspi_outline_snap(&zone, face->side, at);
    }
}

// Finds a cell among those that were looked at last, or makes it. It stays until the next one.
static const cell *find_cell(bspi_unfold *u, const bspi_unfold_face *face, int s, int t) {
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

static double gap_of(const cell *c, const double at[2]) {
    return bspi_length(c->at[0] - at[0], c->at[1] - at[1]);
}

// Finds the place of a face that holds a point: that of the cell around it.
static bool place_within(bspi_unfold *u, const bspi_unfold_face *face, const double at[2],
                         cell *best) {
    int low[2];
    int high[2];
    *best = (cell){0};
    if (!(fabs(at[0]) < FARTHEST && fabs(at[1]) < FARTHEST)) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        low[k] = (int)ceil((at[k] - 2 * ON) / CELL - 0.5);
        high[k] = (int)floor((at[k] + 2 * ON) / CELL + 0.5);
    }
    for (int t = low[1]; t <= high[1]; t++) {
        for (int s = low[0]; s <= high[0]; s++) {
            const cell *one = find_cell(u, face, s, t);
            if (one->found &&
                (!best->found || (!one->moved && best->moved) ||
                 (one->moved == best->moved && gap_of(one, at) < gap_of(best, at) - 2 * ON))) {
                *best = *one;
            }
        }
    }
    return best->found;
}

// Returns how far a place along an axis is from a cell.
static double to_cell(double at, int number) {
    double away = fabs(at - number * CELL) - CELL / 2;
    return away > 0 ? away : 0;
}

// The same for the nearest one of some.
static double to_cells(double at, double low, double high) {
    double away = fmax(low * CELL - at, at - high * CELL) - CELL / 2;
    return away > 0 ? away : 0;
}

// Finds the nearest place of the cells that what is left of a face touches, the near ones first.
static void place_beside(bspi_unfold *u, const bspi_unfold_face *face, const bspi_outline *part,
                         const double at[2], cell *best) {
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < part->count; i++) {
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], floor((part->points[i][k] + ON / 2) / CELL + 0.5));
            high[k] = fmax(high[k], ceil((part->points[i][k] - ON / 2) / CELL + 0.5) - 1);
        }
    }
    best->found = false;
    if (!((high[0] - low[0] + 1) * (high[1] - low[1] + 1) <= MOST_CELLS) ||
        !(fabs(low[0]) < FARTHEST && fabs(low[1]) < FARTHEST)) {
        return;
    }
    double nearest = INFINITY;
    double past = bspi_length(to_cells(at[0], low[0], high[0]), to_cells(at[1], low[1], high[1]));
    double ring = fmax(0, floor(past / RING - ON)) * RING; // nothing is nearer
    for (; ring < 4 * CELL && ring <= nearest - ON; ring += RING) {
        int first[2];
        int last[2];
        for (int k = 0; k < 2; k++) { // those that may be so near
            first[k] = (int)fmax(low[k], ceil((at[k] - ring - RING) / CELL - 0.5));
            last[k] = (int)fmin(high[k], floor((at[k] + ring + RING) / CELL + 0.5));
        }
        for (int t = first[1]; t <= last[1]; t++) {
            double y = to_cell(at[1], t);
            if (y >= ring + RING || y > nearest - ON) {
                continue; // no cell of the row is nearer
            }
            for (int s = first[0]; s <= last[0]; s++) {
                double away = bspi_length(to_cell(at[0], s), y);
                if (away < ring || away >= ring + RING || away > nearest - ON) {
                    continue;
                }
                const cell *one = find_cell(u, face, s, t);
                if (one->found && gap_of(one, at) < nearest - ON) {
                    *best = *one;
                    nearest = gap_of(one, at);
                }
            }
        }
    }
    best->moved = true;
}

// --- all faces ----------------------------------------------------------------------------------

static void cut(bspi_outline *outline, const bspi_rectangle *square) {
    static const double normals[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int k = 0; k < 4; k++) {
        double sign = (k & 1) != 0 ? -1 : 1;
        bspi_outline_clip(outline, normals[k],
                          sign * ((k & 1) != 0 ? square->high : square->low)[k / 2], ON);
    }
}

// Is so much of an edge in a rectangle that one gets over it?
static bool crosses(const bspi_unfold_link *link, const bspi_rectangle *square) {
    double along[2] = {link->ends[1][0] - link->ends[0][0], link->ends[1][1] - link->ends[0][1]};
    double from = 0;
    double to = 1;
    for (int k = 0; k < 2; k++) {
        if (fmin(link->ends[0][k], link->ends[1][k]) > square->high[k] ||
            fmax(link->ends[0][k], link->ends[1][k]) < square->low[k]) {
            return false;
        }
    }
    for (int k = 0; k < 2; k++) {
        double low = square->low[k] - link->ends[0][k];
        double high = square->high[k] - link->ends[0][k];
        if (fabs(along[k]) < 1e-9) {
            to = low > 0 || high < 0 ? -1 : to;
            continue;
        }
        double a = low / along[k];
        double b = high / along[k];
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return bspi_length(along[0], along[1]) * (to - from) > ON;
}

// Finds which faces one gets to within a rectangle. The last one is most often asked for again.
static void reach(bspi_unfold *u, const bspi_rectangle *square) {
    bool *reached = u->reached;
    bool more = true;
    if (reached[0] && memcmp(square, &u->square, sizeof *square) == 0) {
        return;
    }
    u->square = *square;
    memset(reached, 0, sizeof u->reached);
    reached[0] = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < u->num_links; i++) {
            const bspi_unfold_link *link = &u->links[i];
            if (reached[link->faces[0]] != reached[link->faces[1]] && crosses(link, square)) {
                reached[link->faces[0]] = reached[link->faces[1]] = true;
                more = true;
            }
        }
    }
}

static void take(bspi_unfold *u, const bspi_unfold_face *face, const cell *c, bspi_spot *out) {
    const float *origin = u->own->models[u->model].origin;
    out->found = true;
    out->moved = c->moved;
    out->face = face->face;
    memcpy(out->point, c->point, sizeof out->point);
    memcpy(out->normal, c->normal, sizeof out->normal);
    bspi_flat_point(&face->flat, (float)c->at[0], (float)c->at[1], out->on);
    for (int k = 0; k < 3; k++) {
        out->on[k] += origin[k];
    }
}

// Is a face as a whole beside a rectangle?
static bool is_beside(const bspi_unfold_face *face, const bspi_rectangle *square) {
    bool beside = false;
    for (int k = 0; k < 2; k++) {
        beside |= face->high[k] - square->low[k] <= ON || square->high[k] - face->low[k] <= ON;
    }
    return beside;
}

static void find_on(bspi_unfold *u, const bspi_unfold_face *face, const double at[2],
                    const bspi_rectangle *square, cell *out, double *gap) {
    double mine[2];
    out->found = false;
    *gap = 0;
    if (is_beside(face, square) && face->seamless) {
        return; // texels are as long there, and the rectangle is larger than what counts as on it
    }
    bspi_affine_point(&face->to, at, mine);
    if (bspi_outline_holds(&face->own, face->side, mine, WIDE) &&
        place_within(u, face, mine, out)) {
        return;
    }
    out->found = false;
    if (is_beside(face, square)) {
        return;
    }
    bspi_outline part = face->laid;
    cut(&part, square);
    for (uint32_t i = 0; i < part.count; i++) {
        double point[2] = {part.points[i][0], part.points[i][1]};
        bspi_affine_point(&face->to, point, part.points[i]);
    }
    if (part.count != 0) {
        place_beside(u, face, &part, mine, out);
        *gap = out->found ? gap_of(out, mine) : 0;
    }
}

// Is a place better than the best one so far: not moved, nearer, over no seam?
static bool is_better(const bspi_unfold_face *face, const cell *one, double gap,
                      const bspi_unfold_face *best, bool moved, double least) {
    if (one->moved != moved) {
        return moved;
    }
    if (fabs(gap - least) > 2 * ON) {
        return gap < least;
    }
    return face->seamless != best->seamless ? face->seamless : face->face < best->face;
}

void bspi_unfold_spot(bspi_unfold *unfold, const double at[2], const bspi_rectangle *square,
                      bspi_spot *out) {
    double least = INFINITY;
    const bspi_unfold_face *best = NULL;
    memset(out, 0, sizeof *out);
    for (uint32_t f = 0; f < unfold->num_faces; f++) {
        const bspi_unfold_face *face = &unfold->faces[f];
        cell one = {0};
        double gap;
        if (f == 1) {
            reach(unfold, square);
        }
        if (f != 0 && !unfold->reached[f]) {
            continue;
        }
        find_on(unfold, face, at, square, &one, &gap);
        bool better = best == NULL || is_better(face, &one, gap, best, out->moved, least);
        if (one.found && better) {
            least = gap;
            best = face;
            take(unfold, face, &one, out);
        }
        if (f == 0 && one.found && !one.moved) {
            return; // nothing is nearer
        }
    }
}
