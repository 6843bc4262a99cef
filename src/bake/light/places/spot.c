// SPDX-License-Identifier: MIT
// Where hlrad measures light: a face is divided into cells of a third of a luxel, each of which has
// one place that is not in solid. A place beyond the edge is looked for on the faces that go on
// there, and is else the nearest of those at the edge. Sources: qradutil.cpp, lightmap.cpp of
// SDHLT.
#include "bake/light/places/spot_cells.h"
#include "bake/light/places/spots.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define CELL BSPI_CELL  // texels
#define RING (CELL / 2) // texels
#define ON BSPI_CELL_ON
#define SURE (16 * ON)  // farther than the best place so far, so much that it is none better
#define WIDE 0.16       // texels beside a face that still count as on it
#define MOST_CELLS 4096 // of a face that are looked at for one place

typedef bspi_spot_cell cell;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double gap_of(const cell *c, const double at[2]) {
    return bspi_length(c->at[0] - at[0], c->at[1] - at[1]);
}

// Finds the place of a face that holds a point: that of the cell around it.
static bool place_within(bspi_unfold *u, const bspi_unfold_face *face, const double at[2],
                         cell *best) {
    int across[2];
    int down[2];
    *best = (cell){0};
    if (!bspi_spot_cells_at(at[0], across) || !bspi_spot_cells_at(at[1], down)) {
        return false;
    }
    for (int t = down[0]; t <= down[1]; t++) {
        for (int s = across[0]; s <= across[1]; s++) {
            const cell *one = bspi_spot_cell_find(u, face, s, t);
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
    double away = larger(low * CELL - at, at - high * CELL) - CELL / 2;
    return away > 0 ? away : 0;
}

// The cells along the axes that a part of a face touches.
typedef bspi_unfold_part part;

static bool is_sane(const part *p) {
    return (p->high[0] - p->low[0] + 1) * (p->high[1] - p->low[1] + 1) <= MOST_CELLS &&
           fabs(p->low[0]) < BSPI_CELLS_END && fabs(p->low[1]) < BSPI_CELLS_END;
}

// Looks at the cells that are so far off, up to `ring` and RING more.
static void look_in_ring(bspi_unfold *u, const bspi_unfold_face *face, const part *p,
                         const double at[2], double ring, double *nearest, cell *best) {
    int first[2];
    int last[2];
    for (int k = 0; k < 2; k++) { // those that may be so near
        first[k] = (int)larger(p->low[k], ceil((at[k] - ring - RING) / CELL - 0.5));
        last[k] = (int)smaller(p->high[k], floor((at[k] + ring + RING) / CELL + 0.5));
    }
    for (int t = first[1]; t <= last[1]; t++) {
        double y = to_cell(at[1], t);
        if (y >= ring + RING || y > *nearest - ON) {
            continue; // no cell of the row is nearer
        }
        for (int s = first[0]; s <= last[0]; s++) {
            double away = bspi_length(to_cell(at[0], s), y);
            if (away < ring || away >= ring + RING || away > *nearest - ON) {
                continue;
            }
            const cell *one = bspi_spot_cell_find(u, face, s, t);
            if (one->found && gap_of(one, at) < *nearest - ON) {
                *best = *one;
                *nearest = gap_of(one, at);
            }
        }
    }
}

// Finds the nearest place of the cells that a part of a face touches, the near ones first; none
// that is farther than the best one so far, which is `least` away, and more.
static void place_beside(bspi_unfold *u, const bspi_unfold_face *face, const part *p,
                         const double at[2], double least, cell *best) {
    best->found = false;
    if (!is_sane(p)) {
        return;
    }
    double nearest = INFINITY;
    double past =
        bspi_length(to_cells(at[0], p->low[0], p->high[0]), to_cells(at[1], p->low[1], p->high[1]));
    double ring = larger(0, floor(past / RING - ON)) * RING; // nothing is nearer
    for (; ring < 4 * CELL && ring <= smaller(nearest - ON, least + SURE); ring += RING) {
        look_in_ring(u, face, p, at, ring, &nearest, best);
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

static void make_part(const bspi_unfold_face *face, const bspi_rectangle *square, part *out) {
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    bspi_outline left;
    bspi_outline_copy(&face->laid, &left);
    cut(&left, square);
    for (uint32_t i = 0; i < left.count; i++) {
        double at[2];
        bspi_affine_point(&face->to, left.points[i], at);
        for (int k = 0; k < 2; k++) {
            low[k] = smaller(low[k], at[k]);
            high[k] = larger(high[k], at[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        out->low[k] = floor((low[k] + ON / 2) / CELL + 0.5);
        out->high[k] = ceil((high[k] - ON / 2) / CELL + 0.5) - 1;
    }
    out->any = left.count != 0;
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

static void take(const bspi_unfold *u, const bspi_unfold_face *face, const cell *c,
                 bspi_spot *out) {
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

static uint32_t hash_of(uint32_t owner, const bspi_rectangle *square) {
    uint64_t bits[4];
    uint64_t hash = owner;
    memcpy(bits, square, sizeof bits);
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ bits[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

// Finds what of a face is in a rectangle, the last of them among those that are kept. NULL:
// nothing.
static const part *part_in(bspi_unfold *u, const bspi_unfold_face *face,
                           const bspi_rectangle *square) {
    uint32_t owner = (uint32_t)(face - u->faces) + 1;
    part *p = &u->parts[hash_of(owner, square) % BSPI_UNFOLD_PARTS];
    if (p->owner != owner || memcmp(&p->square, square, sizeof *square) != 0) {
        make_part(face, square, p);
        p->owner = owner;
        p->square = *square;
    }
    return p->any ? p : NULL;
}

// Finds the place of a face that holds a place of the first one; false: no cell of it does.
static bool find_within(bspi_unfold *u, const bspi_unfold_face *face, const double at[2],
                        const bspi_rectangle *square, cell *out) {
    double mine[2];
    out->found = false;
    if (is_beside(face, square) && face->seamless) {
        return false; // texels are as long there, and the rectangle is larger than what is on it
    }
    bspi_affine_point(&face->to, at, mine);
    return bspi_unfold_holds(face, mine, WIDE) && place_within(u, face, mine, out);
}

// Finds the nearest place of a face that does not hold the place itself.
static void find_beside(bspi_unfold *u, const bspi_unfold_face *face, const double at[2],
                        const bspi_rectangle *square, double least, cell *out, double *gap) {
    double mine[2];
    out->found = false;
    *gap = 0;
    const part *p = is_beside(face, square) ? NULL : part_in(u, face, square);
    if (p != NULL) {
        bspi_affine_point(&face->to, at, mine);
        place_beside(u, face, p, mine, least, out);
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

bool bspi_unfold_whole(bspi_unfold *u, int s, int t, bool open, bspi_spot *out) {
    cell one;
    bool found = bspi_spot_cell_whole(u, &u->faces[0], s, t, open, &one);
    if (found) {
        take(u, &u->faces[0], &one, out);
    }
    return found;
}

// Takes the place of the first face's cell around a place, if it is whole and there is no other.
static bool take_whole(bspi_unfold *u, const double at[2], bspi_spot *out) {
    int across[2];
    int down[2];
    return u->num_faces != 0 && bspi_spot_cells_at(at[0], across) &&
           bspi_spot_cells_at(at[1], down) && across[0] == across[1] && down[0] == down[1] &&
           bspi_spot_cell_is_whole(&u->faces[0], across[0], down[0]) &&
           bspi_unfold_whole(u, across[0], down[0], false, out);
}

// Takes the best of the places in whose cells the place itself is: none beside it is better.
bool bspi_unfold_within(bspi_unfold *u, const double at[2], const bspi_rectangle *square,
                        bspi_spot *out) {
    const bspi_unfold_face *best = NULL;
    memset(out, 0, sizeof *out);
    if (take_whole(u, at, out)) {
        return true;
    }
    for (uint32_t f = 0; f < u->num_faces; f++) {
        const bspi_unfold_face *face = &u->faces[f];
        cell one;
        if (f == 1) {
            reach(u, square);
        }
        if ((f == 0 || u->reached[f]) && find_within(u, face, at, square, &one) && !one.moved &&
            (best == NULL || is_better(face, &one, 0, best, false, 0))) {
            best = face;
            take(u, face, &one, out);
        }
        if (f == 0 && best != NULL) {
            break; // nothing is nearer
        }
    }
    return best != NULL;
}

// Takes the best of the places that were moved, or beside the place itself.
static void take_beside(bspi_unfold *u, const double at[2], const bspi_rectangle *square,
                        bspi_spot *out) {
    const bspi_unfold_face *best = NULL;
    double least = INFINITY;
    for (uint32_t f = 0; f < u->num_faces; f++) {
        const bspi_unfold_face *face = &u->faces[f];
        cell one;
        double gap = 0;
        if (f != 0 && !u->reached[f]) {
            continue;
        }
        if (!find_within(u, face, at, square, &one)) {
            find_beside(u, face, at, square, least, &one, &gap);
        }
        if (one.found && (best == NULL || is_better(face, &one, gap, best, true, least))) {
            least = gap;
            best = face;
            take(u, face, &one, out);
        }
    }
}

void bspi_unfold_spot(bspi_unfold *unfold, const double at[2], const bspi_rectangle *square,
                      bspi_spot *out) {
    if (!bspi_unfold_within(unfold, at, square, out)) {
        take_beside(unfold, at, square, out);
    }
}
