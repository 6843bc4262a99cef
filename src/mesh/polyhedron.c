// SPDX-License-Identifier: MIT
// Cuts planes off a convex solid. Each vertex is classified once for all polygons that share it,
// each edge is cut once, and the new polygon is the boundary of the cut, so the solid stays closed
// in spite of rounding.
#include "mesh/polyhedron.h"

#include <math.h>
#include <string.h>

// A cut adds a polygon, and at most two corners to each polygon that it crosses; a convex solid of
// n faces has at most 6 (n - 2) corners (Euler). The rest is for slivers from rounding.
#define CORNERS_PER_SIDE 16u
#define VERTICES_PER_SIDE 16u
#define BOX_SIDES 6u

bool bspi_polyhedron_init(bspi_polyhedron *solid, uint32_t sides, bspi_arena *arena,
                          bsp_error *error) {
    memset(solid, 0, sizeof *solid);
    uint32_t total = (sides < BSPI_MAX_SIDES ? sides : BSPI_MAX_SIDES) + BOX_SIDES;
    solid->room_vertices = total * VERTICES_PER_SIDE;
    solid->room_corners = total * CORNERS_PER_SIDE;
    solid->room_polygons = total;
    solid->vertices = bspi_arena_raw(arena, solid->room_vertices, sizeof *solid->vertices, error);
    solid->border = bspi_arena_raw(arena, solid->room_corners, sizeof *solid->border, error);
    for (int i = 0; i < 2; i++) {
        solid->corners[i] = bspi_arena_raw(arena, solid->room_corners, sizeof(uint32_t), error);
        solid->polygons[i] =
            bspi_arena_raw(arena, solid->room_polygons, sizeof(bspi_cut_polygon), error);
        if (solid->vertices == NULL || solid->border == NULL || solid->corners[i] == NULL ||
            solid->polygons[i] == NULL) {
            return false;
        }
    }
    return true;
}

void bspi_polyhedron_bounds(bspi_polyhedron *solid, const double mins[3], const double maxs[3],
                            const uint32_t tags[6]) {
    // Vertex n: bit 0 is +X, bit 1 +Y, bit 2 +Z. Counter-clockwise from outside.
    static const uint32_t faces[BOX_SIDES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (uint32_t v = 0; v < 8; v++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            solid->vertices[v].at[axis] = (v >> axis & 1) != 0 ? maxs[axis] : mins[axis];
        }
    }
    for (uint32_t f = 0; f < BOX_SIDES; f++) {
        solid->polygons[0][f] = (bspi_cut_polygon){tags[f], f * 4, 4};
        memcpy(solid->corners[0] + f * 4, faces[f], sizeof faces[f]);
    }
    solid->num_vertices = 8;
    solid->num_polygons = BOX_SIDES;
    solid->num_corners = BOX_SIDES * 4;
    solid->current = 0;
    solid->failed = false;
}

void bspi_polyhedron_box(bspi_polyhedron *solid, double size, uint32_t tag) {
    const double mins[3] = {-size, -size, -size};
    const double maxs[3] = {size, size, size};
    const uint32_t tags[6] = {tag, tag, tag, tag, tag, tag};
    bspi_polyhedron_bounds(solid, mins, maxs, tags);
}

// --- one cut ------------------------------------------------------------------------------------

typedef struct cut {
    bspi_polyhedron *solid;
    const uint32_t *corners; // before
    uint32_t *out;           // after
    uint32_t num_out;
    bspi_cut_polygon *polygons;
    uint32_t num_polygons;
    uint32_t first_new;  // the first vertex made by this cut
    uint32_t num_border; // edges in the plane, in solid->border
} cut;

// Computes the distances of all vertices in use, and counts those in front and those on the back
// side.
static void classify(bspi_polyhedron *solid, const double normal[3], double dist, double epsilon,
                     uint32_t sides[2]) {
    const uint32_t *corners = solid->corners[solid->current];
    sides[0] = sides[1] = 0;
    for (uint32_t c = 0; c < solid->num_corners; c++) {
        bspi_cut_vertex *vertex = &solid->vertices[corners[c]];
        double distance = normal[0] * vertex->at[0] + normal[1] * vertex->at[1] +
                          normal[2] * vertex->at[2] - dist;
        vertex->distance = fabs(distance) < epsilon ? 0 : distance;
        sides[0] += vertex->distance > 0;
        sides[1] += vertex->distance < 0;
    }
}

static void add_corner(cut *c, uint32_t vertex) {
    if (c->num_out == c->solid->room_corners) {
        c->solid->failed = true;
        return;
    }
    c->out[c->num_out++] = vertex;
}

// Returns the vertex where the edge crosses the plane: the same one for both polygons at the edge,
// because it is computed once, from the lower vertex to the higher.
static uint32_t split_edge(cut *c, uint32_t a, uint32_t b) {
    bspi_polyhedron *solid = c->solid;
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;
    const bspi_cut_vertex *from = &solid->vertices[low];
    const bspi_cut_vertex *to = &solid->vertices[high];
    double t = from->distance / (from->distance - to->distance);
    for (uint32_t v = c->first_new; v < solid->num_vertices; v++) {
        if (solid->vertices[v].ends[0] == low && solid->vertices[v].ends[1] == high) {
            return v;
        }
    }
    bspi_cut_vertex made = {{0, 0, 0}, 0, {low, high}};
    for (int i = 0; i < 3; i++) {
        made.at[i] = from->at[i] + t * (to->at[i] - from->at[i]);
    }
    if (solid->num_vertices == solid->room_vertices) {
        solid->failed = true;
        return a;
    }
    solid->vertices[solid->num_vertices] = made;
    return solid->num_vertices++;
}

static void clip_polygon(cut *c, const bspi_cut_polygon *polygon) {
    const bspi_cut_vertex *vertices = c->solid->vertices;
    uint32_t first = c->num_out;
    bool behind = false;
    for (uint32_t i = 0; i < polygon->count; i++) {
        uint32_t a = c->corners[polygon->first + i];
        uint32_t b = c->corners[polygon->first + (i + 1) % polygon->count];
        double da = vertices[a].distance;
        double db = vertices[b].distance;
        behind = behind || da < 0;
        if (da <= 0) {
            add_corner(c, a);
        }
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            add_corner(c, split_edge(c, a, b));
        }
    }
    // A polygon with no corner on the back side lies in the plane or is cut away; the new polygon
    // replaces it.
    if (!behind || c->num_out - first < 3) {
        c->num_out = first;
        return;
    }
    c->polygons[c->num_polygons++] = (bspi_cut_polygon){polygon->tag, first, c->num_out - first};
}

static bool on_plane(const cut *c, uint32_t vertex) {
    return vertex >= c->first_new || c->solid->vertices[vertex].distance == 0;
}

// Collects the edges in the plane; an edge of two polygons cancels itself out.
static void add_border(cut *c, uint32_t a, uint32_t b) {
    bspi_cut_edge *border = c->solid->border;
    for (uint32_t i = 0; i < c->num_border; i++) {
        if (border[i].from == b && border[i].to == a) {
            border[i] = border[--c->num_border];
            return;
        }
    }
    if (c->num_border == c->solid->room_corners) {
        c->solid->failed = true;
        return;
    }
    border[c->num_border++] = (bspi_cut_edge){a, b};
}

static void find_border(cut *c) {
    for (uint32_t p = 0; p < c->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &c->polygons[p];
        for (uint32_t i = 0; i < polygon->count; i++) {
            uint32_t a = c->out[polygon->first + i];
            uint32_t b = c->out[polygon->first + (i + 1) % polygon->count];
            if (on_plane(c, a) && on_plane(c, b)) {
                add_border(c, a, b);
            }
        }
    }
}

// Returns the other end of the border's edge that arrives at `vertex`, and removes the edge.
static uint32_t step_back(cut *c, uint32_t vertex) {
    bspi_cut_edge *border = c->solid->border;
    for (uint32_t i = 0; i < c->num_border; i++) {
        if (border[i].to == vertex) {
            uint32_t from = border[i].from;
            border[i] = border[--c->num_border];
            return from;
        }
    }
    return BSP_NONE;
}

// Closes the hole of the cut: the border, in the opposite direction of its polygons.
static void add_cap(cut *c, uint32_t tag) {
    find_border(c);
    if (c->num_border == 0) {
        return; // only a sliver was in front
    }
    uint32_t first = c->num_out;
    uint32_t start = c->solid->border[0].to;
    uint32_t at = start;
    do {
        add_corner(c, at);
        at = step_back(c, at);
    } while (at != start && at != BSP_NONE);
    if (at == BSP_NONE || c->num_border != 0 || c->num_out - first < 3 ||
        c->num_polygons == c->solid->room_polygons) {
        c->solid->failed = true; // the border is not a single loop
        return;
    }
    c->polygons[c->num_polygons++] = (bspi_cut_polygon){tag, first, c->num_out - first};
}

bool bspi_polyhedron_cut(bspi_polyhedron *solid, const double normal[3], double dist, uint32_t tag,
                         double epsilon) {
    uint32_t sides[2];
    classify(solid, normal, dist, epsilon, sides);
    solid->work = 1 + (uint64_t)solid->num_corners;
    if (sides[1] == 0) {
        solid->num_polygons = 0;
        solid->num_corners = 0;
        return false;
    }
    if (sides[0] == 0) {
        return true;
    }
    uint32_t other = 1 - solid->current;
    cut c = {.solid = solid,
             .corners = solid->corners[solid->current],
             .out = solid->corners[other],
             .polygons = solid->polygons[other],
             .first_new = solid->num_vertices};
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        clip_polygon(&c, &solid->polygons[solid->current][p]);
    }
    uint32_t before_cap = c.num_out;
    add_cap(&c, tag);
    uint64_t cap = c.num_out - before_cap;
    solid->work += before_cap + cap * cap;
    solid->current = other;
    solid->num_polygons = c.num_polygons;
    solid->num_corners = c.num_out;
    return !solid->failed && c.num_polygons >= 4;
}
