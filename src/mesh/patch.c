// SPDX-License-Identifier: MIT
// Biquadratic patches. Each 3x3 cell of control points is divided separately: its four edges by
// their own three control points, its inside by the most curved of its rows and columns; a strip of
// triangles joins the two. So an edge has the same vertices on both sides, within a patch and
// between patches, in either direction. Format: sheet quake3 (3).
#include "mesh/mesher.h"

#include <math.h>
#include <string.h>

#define MAX_PIECES 32u   // of an edge
#define MAX_POINTS 1025u // control points across: twice the tools' limit

/// A control point as numbers to interpolate.
enum { POSITION = 0, NORMAL = 3, UV = 6, LIGHT = 8, COLOR = 10, NUMBERS = 14 };
typedef struct knot {
    float at[NUMBERS];
} knot;

/// A cell: edges run 0: v = 0, 1: u = 1, 2: v = 1, 3: u = 0.
typedef struct cell {
    knot knots[3][3]; // [v][u]
    uint32_t pieces[4];
    uint32_t across; // pieces of the inside, along u
    uint32_t down;   // along v
    bool plain;      // all edges are divided like the inside: a plain grid
} cell;

// --- number of pieces ----------------------------------------------------------------------------

// Returns the number of pieces that keep a curve within the tolerance: its distance from n chords
// is at most |A - 2B + C| / (4 n^2). Symmetric in A and C to the bit.
static uint32_t pieces_of(const float a[3], const float b[3], const float c[3], float tolerance) {
    float square = 0;
    for (int i = 0; i < 3; i++) {
        float bend = (a[i] + c[i]) - 2 * b[i];
        square += bend * bend;
    }
    float pieces = ceilf(sqrtf(sqrtf(square) / (4 * tolerance)));
    return pieces > 1 ? (pieces < (float)MAX_PIECES ? (uint32_t)pieces : MAX_PIECES) : 1;
}

static uint32_t most(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t m = a > b ? a : b;
    return m > c ? m : c;
}

// Returns the pieces of row (or column) `n` of a cell whose control points begin at `from`.
static uint32_t line_pieces(const bspi_mesher *mesher, const bsp_draw_vert *from, uint32_t step) {
    return pieces_of(from[0].point, from[step].point, from[2 * (size_t)step].point,
                     mesher->tolerance);
}

static void minus(const float a[3], const float b[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

// Returns how far the cell's quads are from flat: a quad of two triangles deviates from a twisted
// surface by this, divided by the number of pieces along u and along v. A shift within the cell's
// plane is no error.
static float twist_of(const bsp_draw_vert *from, uint32_t width) {
    float d[3];
    float e[3];
    float twist = 0;
    minus(from[2 * (size_t)width + 2].point, from[0].point, d);
    minus(from[2 * (size_t)width].point, from[2].point, e);
    float normal[3] = {d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2],
                       d[0] * e[1] - d[1] * e[0]};
    bspi_mesh_normalize(normal);
    for (uint32_t quad = 0; quad < 4; quad++) {
        const bsp_draw_vert *at = from + (size_t)(quad / 2) * width + quad % 2;
        minus(at[1].point, at[0].point, d);
        minus(at[width + 1].point, at[width].point, e);
        float away = 0;
        for (int i = 0; i < 3; i++) {
            away += (e[i] - d[i]) * normal[i];
        }
        twist = fabsf(away) > twist ? fabsf(away) : twist;
    }
    return twist;
}

// Divides the inside further until the twist is within the tolerance.
static void untwist(cell *c, float twist, float tolerance) {
    while (twist > tolerance * (float)(c->across * c->down) &&
           (c->across < MAX_PIECES || c->down < MAX_PIECES)) {
        bool wider = c->down >= MAX_PIECES || (c->across <= c->down && c->across < MAX_PIECES);
        c->across += wider ? 1 : 0;
        c->down += wider ? 0 : 1;
    }
}

static void divide(const bspi_mesher *mesher, const bsp_draw_vert *from, uint32_t width, cell *c) {
    uint32_t rows[3];
    uint32_t columns[3];
    for (uint32_t i = 0; i < 3; i++) {
        rows[i] = line_pieces(mesher, from + (size_t)i * width, 1);
        columns[i] = line_pieces(mesher, from + i, width);
    }
    c->pieces[0] = rows[0];
    c->pieces[1] = columns[2];
    c->pieces[2] = rows[2];
    c->pieces[3] = columns[0];
    c->across = most(rows[0], rows[1], rows[2]);
    c->down = most(columns[0], columns[1], columns[2]);
    untwist(c, twist_of(from, width), mesher->tolerance);
    c->plain = rows[0] == c->across && rows[2] == c->across && columns[0] == c->down &&
               columns[2] == c->down;
    if (!c->plain) { // the inside needs a vertex to which the strip joins
        c->across = c->across > 2 ? c->across : 2;
        c->down = c->down > 2 ? c->down : 2;
    }
}

static uint32_t border_count(const cell *c) {
    return c->pieces[0] + c->pieces[1] + c->pieces[2] + c->pieces[3];
}

static bool is_patch(const bsp_face *face) {
    return face->patch_width >= 3 && face->patch_height >= 3 && face->patch_width % 2 == 1 &&
           face->patch_height % 2 == 1 && face->patch_width <= MAX_POINTS &&
           face->patch_height <= MAX_POINTS &&
           (uint64_t)face->patch_width * face->patch_height <= face->num_verts;
}

bspi_room bspi_patch_room(const bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    bspi_room room = {0};
    for (uint32_t y = 0; is_patch(face) && y + 2 < face->patch_height; y += 2) {
        for (uint32_t x = 0; x + 2 < face->patch_width; x += 2) {
            cell c;
            divide(mesher,
                   &mesher->map->draw_verts[face->first_vert + (size_t)y * face->patch_width + x],
                   face->patch_width, &c);
            uint64_t inside = (uint64_t)(c.across - 1) * (c.down - 1);
            room.vertices += border_count(&c) + inside;
            // Triangles of a disc: 2 * inner vertices + outer ones - 2.
            room.indices += 3 * (2 * inside + border_count(&c) - 2);
        }
    }
    return room;
}

// --- vertices -----------------------------------------------------------------------------------

static void load_knot(const bspi_mesher *mesher, uint32_t face, const bsp_draw_vert *from,
                      knot *out) {
    bsp_mesh_vertex v;
    memset(&v, 0, sizeof v);
    bspi_drawn_vertex(mesher, face, from, &v);
    memcpy(out->at + POSITION, v.position, sizeof v.position);
    memcpy(out->at + NORMAL, v.normal, sizeof v.normal);
    memcpy(out->at + UV, v.uv, sizeof v.uv);
    memcpy(out->at + LIGHT, v.light_uv, sizeof v.light_uv);
    for (int i = 0; i < 4; i++) {
        out->at[COLOR + i] = (float)v.color[i];
    }
}

// Computes the point k / n along a curve. The outer two are summed first, so that both directions
// give the same bits.
static void blend(const float *a, const float *b, const float *c, uint32_t k, uint32_t n,
                  float out[NUMBERS]) {
    float t = (float)k / (float)n;
    float s = (float)(n - k) / (float)n;
    float weights[3] = {s * s, 2 * s * t, t * t};
    for (int i = 0; i < NUMBERS; i++) {
        out[i] = (weights[0] * a[i] + weights[2] * c[i]) + weights[1] * b[i];
    }
}

static void add_knot(bspi_mesher *mesher, const float at[NUMBERS]) {
    bsp_mesh_vertex *out = bspi_mesh_add_vertex(mesher);
    memcpy(out->position, at + POSITION, sizeof out->position);
    memcpy(out->normal, at + NORMAL, sizeof out->normal);
    bspi_mesh_normalize(out->normal);
    memcpy(out->uv, at + UV, sizeof out->uv);
    memcpy(out->light_uv, at + LIGHT, sizeof out->light_uv);
    for (int i = 0; i < 4; i++) {
        float value = at[COLOR + i] + 0.5F;
        out->color[i] = value > 0 ? (value < 255 ? (uint8_t)value : 255) : 0;
    }
}

// Adds the border from (0, 0), counter-clockwise in (u, v); each edge without its last point.
static void add_border(bspi_mesher *mesher, const cell *c) {
    static const uint8_t ends[4][3][2] = {{{0, 0}, {0, 1}, {0, 2}}, // v, u of A, B, C
                                          {{0, 2}, {1, 2}, {2, 2}},
                                          {{2, 2}, {2, 1}, {2, 0}},
                                          {{2, 0}, {1, 0}, {0, 0}}};
    for (int edge = 0; edge < 4; edge++) {
        const float *points[3];
        for (int i = 0; i < 3; i++) {
            points[i] = c->knots[ends[edge][i][0]][ends[edge][i][1]].at;
        }
        for (uint32_t k = 0; k < c->pieces[edge]; k++) {
            float at[NUMBERS];
            blend(points[0], points[1], points[2], k, c->pieces[edge], at);
            add_knot(mesher, at);
        }
    }
}

static void add_inside(bspi_mesher *mesher, const cell *c) {
    for (uint32_t y = 1; y < c->down; y++) {
        for (uint32_t x = 1; x < c->across; x++) {
            knot rows[3];
            float at[NUMBERS];
            for (int r = 0; r < 3; r++) {
                blend(c->knots[r][0].at, c->knots[r][1].at, c->knots[r][2].at, x, c->across,
                      rows[r].at);
            }
            blend(rows[0].at, rows[1].at, rows[2].at, y, c->down, at);
            add_knot(mesher, at);
        }
    }
}

// --- triangles ----------------------------------------------------------------------------------

// Returns the number of the border vertex `k` along an edge.
static uint32_t border_at(const cell *c, uint32_t edge, uint32_t k) {
    uint32_t at = k;
    for (uint32_t e = 0; e < edge; e++) {
        at += c->pieces[e];
    }
    return at % border_count(c);
}

// Returns the number of the grid vertex (x, y); those on the border exist in a plain cell only.
static uint32_t grid_at(const cell *c, uint32_t x, uint32_t y) {
    if (y == 0) {
        return border_at(c, 0, x);
    }
    if (x == c->across) {
        return border_at(c, 1, y);
    }
    if (y == c->down) {
        return border_at(c, 2, c->across - x);
    }
    if (x == 0) {
        return border_at(c, 3, c->down - y);
    }
    return border_count(c) + (y - 1) * (c->across - 1) + (x - 1);
}

static void add_grid(bspi_mesher *mesher, uint32_t base, const cell *c, uint32_t margin) {
    for (uint32_t y = margin; y + margin < c->down; y++) {
        for (uint32_t x = margin; x + margin < c->across; x++) {
            uint32_t a = base + grid_at(c, x, y);
            uint32_t b = base + grid_at(c, x + 1, y);
            uint32_t d = base + grid_at(c, x, y + 1);
            uint32_t e = base + grid_at(c, x + 1, y + 1);
            bspi_mesh_add_triangle(mesher, a, b, d);
            bspi_mesh_add_triangle(mesher, b, e, d);
        }
    }
}

// Returns vertex `k` of the inner ring along an edge, in the direction of the border; k starts at
// 1.
static uint32_t ring_at(const cell *c, uint32_t edge, uint32_t k) {
    switch (edge) {
    case 0:
        return grid_at(c, k, 1);
    case 1:
        return grid_at(c, c->across - 1, k);
    case 2:
        return grid_at(c, c->across - k, c->down - 1);
    default:
        return grid_at(c, 1, c->down - k);
    }
}

// Adds the strip between an edge and the inner ring, always with the shorter step next.
static void add_seam(bspi_mesher *mesher, uint32_t base, const cell *c, uint32_t edge) {
    uint32_t outer_end = c->pieces[edge];
    uint32_t inner_pieces = edge % 2 == 0 ? c->across : c->down;
    uint32_t outer = 0;
    uint32_t inner = 1;
    while (outer < outer_end || inner + 1 < inner_pieces) {
        // Compares (outer + 1/2) / outer_end with (inner + 1/2) / inner_pieces.
        bool step_out =
            inner + 1 >= inner_pieces ||
            (outer < outer_end && (2 * outer + 1) * inner_pieces <= (2 * inner + 1) * outer_end);
        uint32_t a = base + border_at(c, edge, outer);
        uint32_t b = base + ring_at(c, edge, inner);
        if (step_out) {
            bspi_mesh_add_triangle(mesher, a, base + border_at(c, edge, outer + 1), b);
            outer++;
        } else {
            bspi_mesh_add_triangle(mesher, a, base + ring_at(c, edge, inner + 1), b);
            inner++;
        }
    }
}

static void emit_cell(bspi_mesher *mesher, uint32_t number, uint32_t x, uint32_t y) {
    const bsp_face *face = &mesher->map->faces[number];
    const bsp_draw_vert *from =
        &mesher->map->draw_verts[face->first_vert + (size_t)y * face->patch_width + x];
    cell c;
    divide(mesher, from, face->patch_width, &c);
    for (uint32_t v = 0; v < 3; v++) {
        for (uint32_t u = 0; u < 3; u++) {
            load_knot(mesher, number, from + (size_t)v * face->patch_width + u, &c.knots[v][u]);
        }
    }
    uint32_t base = mesher->num_vertices - mesher->first_vertex;
    add_border(mesher, &c);
    add_inside(mesher, &c);
    add_grid(mesher, base, &c, c.plain ? 0 : 1);
    for (uint32_t edge = 0; !c.plain && edge < 4; edge++) {
        add_seam(mesher, base, &c, edge);
    }
}

void bspi_patch_emit(bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    for (uint32_t y = 0; is_patch(face) && y + 2 < face->patch_height; y += 2) {
        for (uint32_t x = 0; x + 2 < face->patch_width; x += 2) {
            emit_cell(mesher, number, x, y);
        }
    }
}
