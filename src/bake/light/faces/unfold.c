// SPDX-License-Identifier: MIT
// Faces that go on beside a face are turned around their common edges into its plane, so that
// points of an edge stay and a texel beyond it is as long as the edge has it. Those come first that
// are turned least, whose texels are as long, and that are nearest; one that would lie on another
// is left out. Source: lightmap.cpp of SDHLT.
#include "bake/light/faces/smooth.h"
#include "bake/light/faces/unfold.h"

#include "bspkit/faces.h"
#include "core/curves.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define ON 0.04           // texels
#define LIES 0.16         // texels that faces may lie on each other
#define SEAM 0.005        // so much a texel may be longer without a seam
#define LEAST_LENGTH 1e-5 // of an edge
#define LARGEST 1e5       // times that a texel may be longer
#define HALF 3.1416f      // a half turn
#define STEPS 16u         // corners that are held against edges: so many are one of work

// --- one face -----------------------------------------------------------------------------------

static void find_inwards(bspi_unfold_face *face) {
    for (uint32_t i = 0; i < face->num_corners; i++) {
        const float *a = face->corners[i].point;
        const float *b = face->corners[(i + 1) % face->num_corners].point;
        const float along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        bspi_cross(along, face->flat.normal, face->inwards[i]); // corners run clockwise
        if (!(bspi_normalize(face->inwards[i]) > 0)) {
            memset(face->inwards[i], 0, sizeof face->inwards[i]);
        }
    }
}

// Returns how long a texel of a face is at least, in any direction.
static double least_texel(const bspi_flat *flat) {
    double square[3] = {0, 0, 0}; // of both axes, and their product
    for (int i = 0; i < 3; i++) {
        square[0] += flat->back[i][0] * flat->back[i][0];
        square[1] += flat->back[i][1] * flat->back[i][1];
        square[2] += flat->back[i][0] * flat->back[i][1];
    }
    double least = square[0] + square[1] - bspi_length(square[0] - square[1], 2 * square[2]);
    return least > 0 ? sqrt(least / 2) : 0;
}

static bool enter(const bspi_unfold *u, uint32_t number, bspi_unfold_face *out) {
    const bsp_map *map = u->own->map;
    uint32_t texinfo = map->faces[number].texinfo;
    bspi_luxels texels;
    memset(out, 0, sizeof *out);
    out->face = number;
    out->num_corners = bsp_surface_corners(map, number, out->corners, BSPI_UNFOLD_CORNERS);
    if (texinfo >= map->num_texinfos || out->num_corners < 3 ||
        out->num_corners > BSPI_UNFOLD_CORNERS ||
        !bsp_surface_plane(map, number, out->flat.normal, &out->flat.dist)) {
        return false;
    }
    memcpy(texels.vecs, map->texinfos[texinfo].texture, sizeof texels.vecs);
    if (!bspi_flat_find(&out->flat, &texels)) {
        return false;
    }
    out->texel = least_texel(&out->flat);
    out->own.count = out->num_corners;
    for (uint32_t i = 0; i < out->num_corners; i++) {
        for (int k = 0; k < 2; k++) {
            out->own.points[i][k] =
                (double)bspi_dot(texels.vecs[k], out->corners[i].point) + (double)texels.vecs[k][3];
        }
    }
    find_inwards(out);
    bspi_outline_edges(&out->own, out->edges);
    double area = bspi_outline_area(&out->own);
    out->side = area < 0 ? -1 : 1;
    return fabs(area) > ON;
}

static void lay(bspi_unfold_face *face) {
    face->laid.count = face->own.count;
    for (int k = 0; k < 2; k++) {
        face->low[k] = INFINITY;
        face->high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < face->own.count; i++) {
        double *at = face->laid.points[i];
        bspi_affine_point(&face->from, face->own.points[i], at);
        for (int k = 0; k < 2; k++) {
            face->low[k] = fmin(face->low[k], at[k]);
            face->high[k] = fmax(face->high[k], at[k]);
        }
    }
}

// --- turns --------------------------------------------------------------------------------------

// Sets the turn that takes an edge to another one, and what is on its side `sides` there. Returns
// how many times as long the other edge is, 0 if they have no length.
static double turn_of(const double a[2], const double b[2], const double to_a[2],
                      const double to_b[2], double sides, bspi_affine *out) {
    double along[2] = {b[0] - a[0], b[1] - a[1]};
    double other[2] = {to_b[0] - to_a[0], to_b[1] - to_a[1]};
    double square = along[0] * along[0] + along[1] * along[1];
    double length = sqrt(other[0] * other[0] + other[1] * other[1]);
    if (!(square > LEAST_LENGTH * LEAST_LENGTH) || !(length > LEAST_LENGTH)) {
        return 0;
    }
    const double up[2] = {-along[1], along[0]};
    const double other_up[2] = {-other[1] * sides, other[0] * sides};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            out->m[i][k] = (other[i] * along[k] + other_up[i] * up[k]) / square;
        }
        out->m[i][2] = to_a[i] - out->m[i][0] * a[0] - out->m[i][1] * a[1];
    }
    return length / sqrt(square);
}

static void chain(const bspi_affine *first, const bspi_affine *then, bspi_affine *out) {
    bspi_affine t;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            t.m[i][k] = then->m[i][0] * first->m[0][k] + then->m[i][1] * first->m[1][k] +
                        (k == 2 ? then->m[i][2] : 0);
        }
    }
    *out = t;
}

// Finds the corner of a face where the edge begins that another one has the other way round.
static uint32_t same_edge(const bsp_map *map, uint32_t face, uint32_t corner, uint32_t other,
                          uint32_t count) {
    uint32_t at = 0;
    while (at < count && !bspi_smooth_shares(map, face, corner, other, at)) {
        at++;
    }
    return at < count ? at : BSP_NONE;
}

// Turns a face beside `from` into the plane of the first one. False where it cannot be.
static bool turn_face(const bspi_unfold *u, const bspi_unfold_face *from, uint32_t corner,
                      bspi_unfold_face *out) {
    uint32_t next = bspi_smooth_across(u->own, from->face, corner);
    bspi_affine turn;
    bspi_affine back;
    if (next == BSP_NONE || !enter(u, next, out)) {
        return false;
    }
    uint32_t at = same_edge(u->own->map, from->face, corner, next, out->num_corners);
    if (at == BSP_NONE) {
        return false;
    }
    const double *a = from->own.points[corner];
    const double *b = from->own.points[(corner + 1) % from->num_corners];
    const double *to_b = out->own.points[at];
    const double *to_a = out->own.points[(at + 1) % out->num_corners];
    double times = turn_of(a, b, to_a, to_b, from->side * out->side, &turn);
    if (!(times > 1 / LARGEST && times < LARGEST) ||
        !(turn_of(to_a, to_b, a, b, from->side * out->side, &back) > 0)) {
        return false;
    }
    chain(&from->to, &turn, &out->to);
    chain(&back, &from->from, &out->from);
    float cosine = bspi_dot(from->flat.normal, out->flat.normal);
    float sine = sqrtf(fmaxf(0, 1 - cosine * cosine));
    out->turned = from->turned + bspi_angle_of(sine, cosine);
    out->seamless = from->seamless && fabs(times - 1) < SEAM;
    out->tried[at] = true;
    lay(out);
    return true;
}

// --- growth -------------------------------------------------------------------------------------

// Would a face lie on one of the others?
static bool overlaps(const bspi_unfold *u, const bspi_unfold_face *face) {
    double side = bspi_outline_area(&face->laid) < 0 ? -1 : 1;
    for (uint32_t f = 0; f < u->num_faces; f++) {
        bspi_outline left;
        bspi_outline_copy(&u->faces[f].laid, &left);
        for (uint32_t i = 0; i < face->laid.count && left.count != 0; i++) {
            const double *a = face->laid.points[i];
            const double *b = face->laid.points[(i + 1) % face->laid.count];
            double normal[2] = {-(b[1] - a[1]) * side, (b[0] - a[0]) * side};
            double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
            if (length > 0) {
                normal[0] /= length;
                normal[1] /= length;
                bspi_outline_clip(&left, normal, normal[0] * a[0] + normal[1] * a[1], LIES);
            }
        }
        if (left.count != 0) {
            return true;
        }
    }
    return false;
}

// An edge beyond which a face may be.
typedef struct open_edge {
    uint32_t face;
    uint32_t corner;
    double away; // of the first face
} open_edge;

// Returns how far a point is beside an outline.
static double away_from(const bspi_unfold_face *first, const double point[2]) {
    double at[2] = {point[0], point[1]};
    bspi_outline_snap(&first->own, first->side, at);
    return bspi_length(at[0] - point[0], at[1] - point[1]);
}

static bool is_better(const bspi_unfold *u, const open_edge *one, const open_edge *best) {
    const bspi_unfold_face *a = &u->faces[one->face];
    const bspi_unfold_face *b = &u->faces[best->face];
    if ((a->turned < HALF) != (b->turned < HALF)) {
        return a->turned < HALF;
    }
    if (a->seamless != b->seamless) {
        return a->seamless;
    }
    return one->away < best->away - ON;
}

static bool next_edge(const bspi_unfold *u, double reach, open_edge *best) {
    bool found = false;
    for (uint32_t f = 0; f < u->num_faces; f++) {
        const bspi_unfold_face *face = &u->faces[f];
        for (uint32_t i = 0; i < face->num_corners; i++) {
            const double *a = face->laid.points[i];
            const double *b = face->laid.points[(i + 1) % face->num_corners];
            const double middle[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
            if (face->tried[i]) {
                continue;
            }
            open_edge one = {f, i, f == 0 ? 0 : away_from(&u->faces[0], middle)};
            if (one.away < reach + bspi_length(b[0] - a[0], b[1] - a[1]) / 2 &&
                (!found || is_better(u, &one, best))) {
                *best = one;
                found = true;
            }
        }
    }
    return found;
}

static uint32_t number_of(const bspi_unfold *u, uint32_t face) {
    uint32_t i = 0;
    while (i < u->num_faces && u->faces[i].face != face) {
        i++;
    }
    return i;
}

static void add_link(bspi_unfold *u, uint32_t from, uint32_t corner, uint32_t to) {
    const bspi_unfold_face *face = &u->faces[from];
    if (u->num_links == sizeof u->links / sizeof *u->links) {
        return;
    }
    bspi_unfold_link *link = &u->links[u->num_links++];
    link->faces[0] = from;
    link->faces[1] = to;
    memcpy(link->ends[0], face->laid.points[corner], sizeof link->ends[0]);
    memcpy(link->ends[1], face->laid.points[(corner + 1) % face->num_corners],
           sizeof link->ends[1]);
}

// Joins two faces that are laid out already, if they lie at each other there.
static void join(bspi_unfold *u, uint32_t from, uint32_t corner, uint32_t to) {
    bspi_unfold_face *face = &u->faces[from];
    bspi_unfold_face *other = &u->faces[to];
    uint32_t at = same_edge(u->own->map, face->face, corner, other->face, other->num_corners);
    if (at == BSP_NONE) {
        return;
    }
    const double *a = face->laid.points[corner];
    const double *b = other->laid.points[(at + 1) % other->num_corners];
    const double *c = face->laid.points[(corner + 1) % face->num_corners];
    const double *d = other->laid.points[at];
    other->tried[at] = true;
    if (bspi_length(a[0] - b[0], a[1] - b[1]) < LIES &&
        bspi_length(c[0] - d[0], c[1] - d[1]) < LIES) {
        add_link(u, from, corner, to);
    }
}

static bool grow(bspi_unfold *u, double reach, bsp_error *error) {
    open_edge edge = {0};
    uint64_t corners = u->faces[0].num_corners; // of all faces that are laid out
    while (u->num_faces < BSPI_UNFOLD_FACES && next_edge(u, reach, &edge)) {
        bspi_unfold_face *out = &u->faces[u->num_faces];
        uint64_t steps = corners * u->faces[0].num_corners;
        uint32_t next = bspi_smooth_across(u->own, u->faces[edge.face].face, edge.corner);
        u->faces[edge.face].tried[edge.corner] = true;
        if (next == BSP_NONE) {
            continue;
        }
        uint32_t known = number_of(u, next);
        if (known < u->num_faces) {
            join(u, edge.face, edge.corner, known);
        } else if (turn_face(u, &u->faces[edge.face], edge.corner, out)) {
            steps += corners * out->num_corners;
            if (!overlaps(u, out)) {
                add_link(u, edge.face, edge.corner, u->num_faces);
                corners += out->num_corners;
                u->num_faces++;
            }
        }
        if (!bspi_heap_work(&u->own->heap, 16 + steps / STEPS, error)) {
            return false;
        }
    }
    return true;
}

bool bspi_unfold_begin(bspi_relight *own, uint32_t face, float reach, bspi_unfold *out,
                       bsp_error *error) {
    memset(out, 0, sizeof *out);
    out->own = own;
    out->model = own->face_models[face];
    out->faces = bspi_heap_alloc(&own->heap, BSPI_UNFOLD_FACES * sizeof *out->faces, error);
    out->cells = bspi_heap_alloc(&own->heap, BSPI_UNFOLD_CELLS * sizeof *out->cells, error);
    out->parts = bspi_heap_alloc(&own->heap, BSPI_UNFOLD_PARTS * sizeof *out->parts, error);
    if (out->faces == NULL || out->cells == NULL || out->parts == NULL) {
        bspi_unfold_end(out);
        return false;
    }
    for (uint32_t i = 0; i < BSPI_UNFOLD_CELLS; i++) {
        out->cells[i].owner = 0;
    }
    for (uint32_t i = 0; i < BSPI_UNFOLD_PARTS; i++) {
        out->parts[i].owner = 0;
    }
    if (!enter(out, face, &out->faces[0])) {
        return true;
    }
    bspi_unfold_face *first = &out->faces[0];
    first->to = first->from = (bspi_affine){{{1, 0, 0}, {0, 1, 0}}};
    first->seamless = true;
    lay(first);
    out->num_faces = 1;
    bool done = grow(out, (double)reach, error);
    if (!done) {
        bspi_unfold_end(out);
    }
    return done;
}

void bspi_unfold_end(bspi_unfold *unfold) {
    bspi_heap_free(&unfold->own->heap, unfold->faces, BSPI_UNFOLD_FACES * sizeof *unfold->faces);
    bspi_heap_free(&unfold->own->heap, unfold->cells, BSPI_UNFOLD_CELLS * sizeof *unfold->cells);
    bspi_heap_free(&unfold->own->heap, unfold->parts, BSPI_UNFOLD_PARTS * sizeof *unfold->parts);
    unfold->faces = NULL;
    unfold->cells = NULL;
    unfold->parts = NULL;
}
