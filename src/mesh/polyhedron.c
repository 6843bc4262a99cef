// SPDX-License-Identifier: MIT
// Cuts planes off a convex solid. Each vertex is classified once for all polygons that share it,
// each edge is cut once, and the new polygon is the boundary of the cut, so the solid stays closed
// in spite of rounding.
#include "mesh/polyhedron.h"

#include <math.h>
#include <string.h>

// A cut adds a polygon, and at most two corners to each polygon that it crosses; a convex solid of
// n faces has at most 6 (n - 2) corners (Euler). The rest is for slivers from rounding, and for
// corners that are no longer used: they are removed when fewer than RESERVED_PER_SIDE are left.
#define CORNERS_PER_SIDE 20u
#define RESERVED_PER_SIDE 12u
#define BORDER_PER_SIDE 16u
#define VERTICES_PER_SIDE 16u
#define BOX_SIDES 6u

bool bspi_polyhedron_init(bspi_polyhedron *solid, uint32_t sides, bspi_arena *arena,
                          bsp_error *error) {
    memset(solid, 0, sizeof *solid);
    uint32_t total = (sides < BSPI_MAX_SIDES ? sides : BSPI_MAX_SIDES) + BOX_SIDES;
    solid->room_vertices = total * VERTICES_PER_SIDE;
    solid->room_corners = total * CORNERS_PER_SIDE;
    solid->room_border = total * BORDER_PER_SIDE;
    solid->room_polygons = total;
    double *numbers = bspi_arena_raw(arena, solid->room_vertices, 4 * sizeof *numbers, error);
    solid->ages = bspi_arena_raw(arena, solid->room_vertices, sizeof *solid->ages, error);
    solid->made = bspi_arena_raw(arena, solid->room_border, sizeof *solid->made, error);
    solid->border = bspi_arena_raw(arena, solid->room_border, sizeof *solid->border, error);
    uint32_t room_corners = solid->room_corners + BSPI_CORNERS_SPARE;
    solid->corners = bspi_arena_raw(arena, room_corners, sizeof(uint32_t), error);
    bool spare = true;
    for (int i = 0; i < 2; i++) {
        solid->spare[i] = bspi_arena_raw(arena, room_corners, sizeof(uint32_t), error);
        solid->spare_polygons[i] = bspi_arena_raw(arena, total, sizeof *solid->polygons, error);
        spare = spare && solid->spare[i] != NULL && solid->spare_polygons[i] != NULL;
    }
    solid->polygons = bspi_arena_raw(arena, total, sizeof *solid->polygons, error);
    if (numbers == NULL || solid->ages == NULL || solid->made == NULL || solid->border == NULL ||
        solid->corners == NULL || solid->polygons == NULL || !spare) {
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        solid->at[i] = numbers + (size_t)i * solid->room_vertices;
    }
    solid->distance = numbers + (size_t)3 * solid->room_vertices;
    return true;
}

void bspi_polyhedron_bounds(bspi_polyhedron *solid, const double mins[3], const double maxs[3],
                            const uint32_t tags[6]) {
    // Vertex n: bit 0 is +X, bit 1 +Y, bit 2 +Z. Counter-clockwise from outside.
    static const uint32_t faces[BOX_SIDES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (uint32_t v = 0; v < 8; v++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            solid->at[axis][v] = (v >> axis & 1) != 0 ? maxs[axis] : mins[axis];
        }
        solid->ages[v] = v;
    }
    for (uint32_t f = 0; f < BOX_SIDES; f++) {
        const uint32_t *c = faces[f];
        uint64_t uses =
            UINT64_C(1) << c[0] | UINT64_C(1) << c[1] | UINT64_C(1) << c[2] | UINT64_C(1) << c[3];
        solid->polygons[f] = (bspi_cut_polygon){uses, tags[f], f * 4, 4};
    }
    memcpy(solid->corners, faces, sizeof faces);
    solid->num_vertices = 8;
    solid->next_age = 8;
    solid->num_polygons = BOX_SIDES;
    solid->num_corners = BOX_SIDES * 4;
    solid->used_corners = BOX_SIDES * 4;
    solid->used = 0xFF;
    solid->small = true;
    solid->failed = false;
}

void bspi_polyhedron_box(bspi_polyhedron *solid, double size) {
    const double mins[3] = {-size, -size, -size};
    const double maxs[3] = {size, size, size};
    const uint32_t tags[6] = {BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE};
    bspi_polyhedron_bounds(solid, mins, maxs, tags);
}

// --- sides of a plane ---------------------------------------------------------------------------

// Two vertices at a time.
typedef double pair __attribute__((vector_size(16)));
typedef uint64_t pair_bits __attribute__((vector_size(16)));

static pair load_pair(const double *from) {
    pair p;
    memcpy(&p, from, sizeof p);
    return p;
}

// Computes the distances of all vertices, and the sides of the first of them (those of a small
// solid). The number after an odd last one is computed too, and used by no polygon.
static void measure(bspi_polyhedron *solid, const double normal[3], double dist, double epsilon) {
    const pair n[3] = {{normal[0], normal[0]}, {normal[1], normal[1]}, {normal[2], normal[2]}};
    const pair d = {dist, dist};
    const pair least = {epsilon, epsilon};
    const pair zero = {0, 0};
    const pair_bits magnitude = {INT64_MAX, INT64_MAX};
    pair_bits bits = {1, 2};
    pair_bits above = {0, 0};
    pair_bits back = {0, 0};
    for (uint32_t v = 0; v < solid->num_vertices; v += 2) {
        pair distance = n[0] * load_pair(solid->at[0] + v) + n[1] * load_pair(solid->at[1] + v) +
                        n[2] * load_pair(solid->at[2] + v) - d;
        pair_bits far = ~(pair_bits)((pair)((pair_bits)distance & magnitude) < least);
        distance = (pair)((pair_bits)distance & far);
        memcpy(solid->distance + v, &distance, sizeof distance);
        above |= (pair_bits)(distance > zero) & bits;
        back |= (pair_bits)(distance < zero) & bits;
        bits += bits;
        bits += bits;
    }
    solid->sides.above = above[0] | above[1];
    solid->sides.back = back[0] | back[1];
}

static uint64_t used_vertices(const bspi_polyhedron *solid) {
    uint64_t used = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        used |= solid->polygons[p].uses;
    }
    return used;
}

static uint32_t sides_of_small(const bspi_polyhedron *solid) {
    uint64_t used = solid->used;
    return ((solid->sides.above & used) != 0 ? 1u : 0) | ((solid->sides.back & used) != 0 ? 2u : 0);
}

static uint32_t sides_of_large(const bspi_polyhedron *solid) {
    uint32_t sides = 0;
    for (uint32_t p = 0; p < solid->num_polygons && sides != 3; p++) {
        const uint32_t *corners = solid->corners + solid->polygons[p].first;
        for (uint32_t c = 0; c < solid->polygons[p].count; c++) {
            double distance = solid->distance[corners[c]];
            sides |= (distance > 0 ? 1u : 0) | (distance < 0 ? 2u : 0);
        }
    }
    return sides;
}

uint32_t bspi_polyhedron_sides(bspi_polyhedron *solid, const double normal[3], double dist,
                               double epsilon) {
    measure(solid, normal, dist, epsilon);
    return solid->small ? sides_of_small(solid) : sides_of_large(solid);
}

uint32_t bspi_polyhedron_turn(bspi_polyhedron *solid, uint32_t sides) {
    for (uint32_t v = 0; v < solid->num_vertices; v++) {
        solid->distance[v] = -solid->distance[v];
    }
    solid->sides = (bspi_cut_sides){solid->sides.back, solid->sides.above};
    return (sides >> 1 | sides << 1) & 3;
}

// --- removing what is not used ------------------------------------------------------------------

// Gives the vertices that are used new numbers, and returns how many there are.
static uint32_t renumber(bspi_polyhedron *solid, uint32_t *numbers) {
    memset(numbers, 0, solid->num_vertices * sizeof *numbers);
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const uint32_t *corners = solid->corners + solid->polygons[p].first;
        for (uint32_t c = 0; c < solid->polygons[p].count; c++) {
            numbers[corners[c]] = 1;
        }
    }
    uint32_t used = 0;
    for (uint32_t v = 0; v < solid->num_vertices; v++) {
        if (numbers[v] != 0) {
            for (int i = 0; i < 3; i++) {
                solid->at[i][used] = solid->at[i][v];
            }
            solid->ages[used] = solid->ages[v];
            numbers[v] = used++;
        }
    }
    return used;
}

void bspi_polyhedron_pack(bspi_polyhedron *solid) {
    uint32_t *numbers = (uint32_t *)(void *)solid->distance; // scratch
    solid->num_vertices = renumber(solid, numbers);
    solid->small = solid->num_vertices <= BSPI_SMALL_SOLID;
    uint32_t used = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        bspi_cut_polygon *polygon = &solid->polygons[p];
        const uint32_t *corners = solid->corners + polygon->first;
        polygon->first = used;
        polygon->uses = 0;
        for (uint32_t c = 0; c < polygon->count; c++) {
            uint32_t vertex = numbers[corners[c]];
            solid->spare[0][used++] = vertex;
            polygon->uses |= UINT64_C(1) << vertex % BSPI_SMALL_SOLID;
        }
    }
    uint32_t *packed = solid->spare[0];
    solid->spare[0] = solid->corners;
    solid->corners = packed;
    solid->used_corners = used;
    solid->used = used_vertices(solid);
}

// --- one cut ------------------------------------------------------------------------------------

typedef struct cut {
    bspi_polyhedron *solid;
    uint32_t *corners;
    uint32_t num_out;
    uint32_t num_corners; // of the polygons that stay
    uint32_t num_polygons;
    uint32_t num_made;   // vertices made by this cut, in solid->made
    uint32_t num_border; // edges in the plane, in solid->border
    uint64_t taken;      // vertices of a small solid, those made by this cut as well
} cut;

// Returns a number for a new vertex, or BSP_NONE without room.
static uint32_t new_vertex(cut *c) {
    bspi_polyhedron *solid = c->solid;
    if (c->num_made == solid->room_border) {
        return BSP_NONE;
    }
    if (solid->small && c->taken != UINT64_MAX) {
        uint32_t vertex = (uint32_t)__builtin_ctzll(~c->taken);
        c->taken |= UINT64_C(1) << vertex;
        solid->num_vertices += vertex >= solid->num_vertices;
        return vertex;
    }
    return solid->num_vertices < solid->room_vertices ? solid->num_vertices++ : BSP_NONE;
}

// Returns the vertex where the edge crosses the plane: the same one for both polygons at the edge,
// because it is computed once, from the older vertex to the newer.
static uint32_t split_edge(cut *c, uint32_t a, uint32_t b) {
    bspi_polyhedron *solid = c->solid;
    bool ordered = solid->ages[a] < solid->ages[b];
    uint32_t older = ordered ? a : b;
    uint32_t newer = ordered ? b : a;
    for (uint32_t i = 0; i < c->num_made; i++) {
        if (solid->made[i].older == older && solid->made[i].newer == newer) {
            return solid->made[i].vertex;
        }
    }
    uint32_t made = new_vertex(c);
    if (made == BSP_NONE) {
        solid->failed = true;
        return a;
    }
    double t = solid->distance[older] / (solid->distance[older] - solid->distance[newer]);
    for (int i = 0; i < 3; i++) {
        double *at = solid->at[i];
        at[made] = at[older] + t * (at[newer] - at[older]);
    }
    solid->distance[made] = 0;
    solid->ages[made] = solid->next_age++;
    solid->made[c->num_made++] = (bspi_cut_made){older, newer, made};
    return made;
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
    if (c->num_border == c->solid->room_border) {
        c->solid->failed = true;
        return;
    }
    border[c->num_border++] = (bspi_cut_edge){a, b};
}

static void keep(cut *c, const bspi_cut_polygon *polygon) {
    c->solid->polygons[c->num_polygons++] = *polygon;
    c->num_corners += polygon->count;
}

// Collects the edges of a polygon in the plane.
static void find_border(cut *c, const bspi_cut_polygon *polygon) {
    const double *distance = c->solid->distance;
    const uint32_t *corners = c->corners + polygon->first;
    bool first = distance[corners[0]] == 0;
    bool on = first;
    for (uint32_t i = 1; i < polygon->count; i++) {
        bool next = distance[corners[i]] == 0;
        if (on && next) {
            add_border(c, corners[i - 1], corners[i]);
        }
        on = next;
    }
    if (on && first) {
        add_border(c, corners[polygon->count - 1], corners[0]);
    }
}

static void clip_polygon(cut *c, const bspi_cut_polygon *polygon) {
    const double *distance = c->solid->distance;
    const uint32_t *corners = c->corners + polygon->first;
    uint32_t *out = c->corners + c->num_out;
    uint32_t made = 0;
    uint32_t count = polygon->count;
    uint64_t uses = 0;
    uint64_t on = 0; // bit i: the last corner but i is in the plane
    bool behind = false;
    if ((c->solid->room_corners - c->num_out) / 2 < count) {
        c->solid->failed = true;
        return;
    }
    uint32_t b = corners[0];
    double db = distance[b];
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t a = b;
        double da = db;
        b = corners[i < count ? i : 0];
        db = distance[b];
        if (da <= 0) {
            behind = behind || da < 0;
            on = on << 1 | (da == 0);
            out[made++] = a;
            uses |= UINT64_C(1) << a % BSPI_SMALL_SOLID;
        }
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            uint32_t vertex = split_edge(c, a, b);
            on = on << 1 | 1;
            out[made++] = vertex;
            uses |= UINT64_C(1) << vertex % BSPI_SMALL_SOLID;
        }
    }
    // A polygon with no corner on the back side lies in the plane or is cut away; the new polygon
    // replaces it.
    if (behind && made >= 3) {
        bspi_cut_polygon clipped = {uses, polygon->tag, c->num_out, made};
        keep(c, &clipped);
        c->num_out += made;
        if (made > BSPI_SMALL_SOLID) {
            find_border(c, &clipped);
            return;
        }
        for (uint64_t edges = on & on >> 1; edges != 0;) {
            uint32_t last = BSPI_SMALL_SOLID - 1 - (uint32_t)__builtin_clzll(edges);
            edges ^= UINT64_C(1) << last;
            add_border(c, out[made - 2 - last], out[made - 1 - last]);
        }
        if ((on & on >> (made - 1) & 1) != 0) {
            add_border(c, out[made - 1], out[0]);
        }
    }
}

// A polygon of which one run of corners is in front of the plane.
typedef struct crossing {
    uint32_t first; // place of the first corner of that run
    uint32_t last;
    uint32_t before; // places of the corners around it
    uint32_t after;
    bool wraps; // corner 0 is in the run
} crossing;

// Finds the run of a polygon with less corners than a word has bits. Returns false if there are
// several.
static bool find_run(const uint32_t *corners, uint32_t count, uint64_t above, crossing *out) {
    uint64_t run = 0;
    for (uint32_t i = 0; i < count; i++) {
        run |= (above >> corners[i] & 1) << i;
    }
    uint64_t all = (UINT64_C(1) << count) - 1;
    uint64_t begins = run & ~(run << 1 | run >> (count - 1));
    uint64_t ends = run & ~(run >> 1 | (run & 1) << (count - 1)) & all;
    if (begins == 0 || (begins & (begins - 1)) != 0) {
        return false;
    }
    out->first = (uint32_t)__builtin_ctzll(begins);
    out->last = (uint32_t)__builtin_ctzll(ends);
    out->before = (out->first != 0 ? out->first : count) - 1;
    out->after = out->last + 1 < count ? out->last + 1 : 0;
    out->wraps = (run & 1) != 0;
    return true;
}

// Does the same as clip_polygon for a polygon of a small solid with corners on both sides. Returns
// false for the few that are not simple: with several runs in front of the plane, or with corners
// in the plane elsewhere than next to the run.
static bool clip_run(cut *c, const bspi_cut_polygon *polygon, uint64_t back) {
    const uint32_t *corners = c->corners + polygon->first;
    uint64_t above = c->solid->sides.above & polygon->uses;
    uint64_t on = polygon->uses & ~(above | back);
    uint32_t count = polygon->count;
    crossing x;
    if (count >= BSPI_SMALL_SOLID || (c->solid->room_corners - c->num_out) / 2 < count ||
        !find_run(corners, count, above, &x)) {
        return false;
    }
    uint32_t from = corners[x.before]; // ends of the edge in the plane
    uint32_t to = corners[x.after];
    bool split_from = (back >> from & 1) != 0;
    bool split_to = (back >> to & 1) != 0;
    uint64_t around = (split_from ? 0 : UINT64_C(1) << from) | (split_to ? 0 : UINT64_C(1) << to);
    if (on != around) {
        return false;
    }
    // Edges are split in their order.
    if (split_to && x.wraps) {
        to = split_edge(c, corners[x.last], to);
    }
    if (split_from) {
        from = split_edge(c, from, corners[x.first]);
    }
    if (split_to && !x.wraps) {
        to = split_edge(c, corners[x.last], to);
    }
    uint32_t *out = c->corners + c->num_out;
    uint32_t made = 0;
    if (x.wraps) {
        out[made] = to;
        made += split_to;
        for (uint32_t i = x.after; i <= x.before; i++) {
            out[made++] = corners[i];
        }
        out[made] = from;
        made += split_from;
    } else {
        for (uint32_t i = 0; i <= x.before; i++) {
            out[made++] = corners[i];
        }
        out[made] = from;
        made += split_from;
        out[made] = to;
        made += split_to;
        for (uint32_t i = x.last + 1; i < count; i++) {
            out[made++] = corners[i];
        }
    }
    if (made >= 3) {
        uint64_t uses = (polygon->uses & ~above) | UINT64_C(1) << from % BSPI_SMALL_SOLID |
                        UINT64_C(1) << to % BSPI_SMALL_SOLID;
        keep(c, &(bspi_cut_polygon){uses, polygon->tag, c->num_out, made});
        c->num_out += made;
        add_border(c, from, to);
    }
    return true;
}

// Most polygons of a small solid are on one side of the plane.
static void clip_small(cut *c, const bspi_cut_polygon *polygon) {
    uint64_t above = c->solid->sides.above & polygon->uses;
    uint64_t back = c->solid->sides.back & polygon->uses;
    uint64_t on = polygon->uses & ~(above | back);
    if (back == 0) {
        return;
    }
    if (above != 0) {
        if (!clip_run(c, polygon, back)) {
            clip_polygon(c, polygon);
        }
        return;
    }
    keep(c, polygon);
    if ((on & (on - 1)) != 0) { // else no edge is in the plane
        find_border(c, polygon);
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
    if (c->num_border == 0) {
        return; // only a sliver was in front
    }
    if (c->num_border > c->solid->room_corners - c->num_out) {
        c->solid->failed = true;
        return;
    }
    bspi_cut_polygon cap = {0, tag, c->num_out, 0};
    uint32_t start = c->solid->border[0].to;
    uint32_t at = start;
    do {
        c->corners[c->num_out++] = at;
        cap.uses |= UINT64_C(1) << at % BSPI_SMALL_SOLID;
        at = step_back(c, at);
    } while (at != start && at != BSP_NONE);
    cap.count = c->num_out - cap.first;
    if (at == BSP_NONE || c->num_border != 0 || cap.count < 3 ||
        c->num_polygons == c->solid->room_polygons) {
        c->solid->failed = true; // the border is not a single loop
        return;
    }
    c->solid->polygons[c->num_polygons++] = cap;
    c->num_corners += cap.count;
}

static void cut_through(bspi_polyhedron *solid, uint32_t tag) {
    cut c = {.solid = solid,
             .corners = solid->corners,
             .num_out = solid->used_corners,
             .taken = solid->used};
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        bspi_cut_polygon polygon = solid->polygons[p]; // kept ones are written to the same array
        if (solid->small) {
            clip_small(&c, &polygon);
        } else {
            clip_polygon(&c, &polygon);
        }
    }
    uint64_t before_cap = c.num_corners;
    add_cap(&c, tag);
    uint64_t cap = c.num_corners - before_cap;
    solid->work += before_cap + cap * cap;
    solid->num_polygons = c.num_polygons;
    solid->num_corners = c.num_corners;
    solid->used_corners = c.num_out;
    if (solid->num_vertices > BSPI_SMALL_SOLID ||
        solid->used_corners > solid->room_polygons * (CORNERS_PER_SIDE - RESERVED_PER_SIDE)) {
        bspi_polyhedron_pack(solid);
    } else {
        uint64_t used = used_vertices(solid);
        solid->used = used;
        solid->num_vertices = used == 0 ? 0 : BSPI_SMALL_SOLID - (uint32_t)__builtin_clzll(used);
    }
}

bool bspi_polyhedron_cut_classified(bspi_polyhedron *solid, uint32_t sides, uint32_t tag) {
    solid->work = 1 + (uint64_t)solid->num_corners;
    if ((sides & 2) == 0) {
        solid->num_polygons = 0;
        solid->num_corners = 0;
        solid->used_corners = 0;
        solid->used = 0;
        return false;
    }
    if ((sides & 1) == 0) {
        return true;
    }
    if (!bspi_polyhedron_cut_usual(solid, tag)) {
        cut_through(solid, tag);
    }
    return !solid->failed && solid->num_polygons >= 4;
}

bool bspi_polyhedron_cut(bspi_polyhedron *solid, const double normal[3], double dist, uint32_t tag,
                         double epsilon) {
    uint32_t sides = bspi_polyhedron_sides(solid, normal, dist, epsilon);
    return bspi_polyhedron_cut_classified(solid, sides, tag);
}
