// SPDX-License-Identifier: MIT
// The usual cut: of a small solid, by a plane that none of its corners is in. All but one of a
// hundred are so in trees of Quake and GoldSrc. Each polygon then stays, goes, or is crossed at two
// of its edges, and the edges of the new polygon follow one another by their vertices: nothing has
// to be searched for. What is made is the same as by the cut of polyhedron.c, to the last bit.
#include "mesh/polyhedron.h"

#include <string.h>

typedef struct usual {
    bspi_polyhedron *solid;
    uint64_t taken; // vertices, those made by this cut as well
    uint64_t left;  // vertices of the polygons that were made or kept
    uint64_t ends;  // vertices made by this cut at which an edge in the plane ends
    uint64_t seen;  // places of `places` that are filled
    uint32_t num_made;
    uint32_t num_corners;
    uint32_t num_polygons;
    uint32_t num_edges;               // in the plane
    uint32_t start;                   // where the first of them ends
    uint32_t edges[BSPI_SMALL_SOLID]; // that were split: sum and product of both vertices
    uint8_t made[BSPI_SMALL_SOLID];   // the vertex on each of them
    uint8_t places[BSPI_SMALL_SOLID]; // for a sum of both vertices: the first such edge
    uint8_t
        origins[BSPI_SMALL_SOLID]; // for a vertex where an edge in the plane ends: its other end
} usual;

// Computes the vertex on an edge, from the older end to the newer.
static inline void place_vertex(bspi_polyhedron *solid, uint32_t a, uint32_t b, uint32_t vertex,
                                uint32_t age) {
    bool ordered = solid->ages[a] < solid->ages[b];
    uint32_t older = ordered ? a : b;
    uint32_t newer = ordered ? b : a;
    double t = solid->distance[older] / (solid->distance[older] - solid->distance[newer]);
    for (int i = 0; i < 3; i++) {
        double *at = solid->at[i];
        at[vertex] = at[older] + t * (at[newer] - at[older]);
    }
    solid->distance[vertex] = 0;
    solid->ages[vertex] = age;
}

// Returns the vertex on an edge: the same for both polygons at it.
static inline uint32_t split_edge(usual *c, uint32_t a, uint32_t b) {
    uint32_t edge = (a * b) << 8 | (a + b);
    uint32_t place = (a + b) % BSPI_SMALL_SOLID;
    if ((c->seen >> place & 1) != 0) {
        for (uint32_t i = c->places[place]; i < c->num_made; i++) {
            if (c->edges[i] == edge) {
                return c->made[i];
            }
        }
    } else {
        c->seen |= UINT64_C(1) << place;
        c->places[place] = (uint8_t)c->num_made;
    }
    uint32_t vertex = (uint32_t)__builtin_ctzll(~c->taken);
    c->taken |= UINT64_C(1) << vertex;
    c->edges[c->num_made] = edge;
    c->made[c->num_made] = (uint8_t)vertex;
    place_vertex(c->solid, a, b, vertex, c->solid->next_age + c->num_made++);
    return vertex;
}

// Copies up to four corners more than `count`: there is room for them.
static inline void copy(uint32_t *out, const uint32_t *corners, uint32_t count) {
    uint32_t i = 0;
    do {
        memcpy(out + i, corners + i, BSPI_CORNERS_SPARE * sizeof *out);
        i += BSPI_CORNERS_SPARE;
    } while (i < count);
}

static inline void add_polygon(usual *c, uint64_t uses, uint32_t tag, uint32_t count) {
    c->solid->spare_polygons[c->num_polygons++] =
        (bspi_cut_polygon){uses, tag, c->num_corners, count};
    c->num_corners += count;
    c->left |= uses;
}

static inline void keep(usual *c, const bspi_cut_polygon *polygon) {
    const bspi_polyhedron *solid = c->solid;
    copy(solid->spare + c->num_corners, solid->corners + polygon->first, polygon->count);
    add_polygon(c, polygon->uses, polygon->tag, polygon->count);
}

// A run of corners of a polygon, on one side of the plane; the others are on the other side.
typedef struct run {
    uint8_t first;
    uint8_t end;
    uint8_t before; // the corners around it
    uint8_t after;
    bool back; // it is behind the plane, else in front
} run;

// Adds a crossed polygon. Returns false if two edges in the plane end at one vertex.
static inline bool add_crossed(usual *c, const bspi_cut_polygon *polygon, const run *r) {
    const uint32_t *corners = c->solid->corners + polygon->first;
    uint32_t *out = c->solid->spare + c->num_corners;
    uint32_t one = split_edge(c, corners[r->before], corners[r->first]);
    uint32_t two = split_edge(c, corners[r->end - 1], corners[r->after]);
    uint32_t made = r->end - (uint32_t)r->first;
    if (r->back) {
        out[0] = one;
        copy(out + 1, corners + r->first, made);
        out[made + 1] = two;
    } else {
        made = polygon->count - made;
        copy(out, corners, r->first);
        copy(out + r->first + 2, corners + r->end, polygon->count - r->end);
        out[r->first] = one;
        out[r->first + 1] = two;
    }
    uint32_t from = r->back ? two : one;
    uint32_t to = r->back ? one : two;
    uint64_t ends = UINT64_C(1) << to;
    bool once = (c->ends & ends) == 0;
    add_polygon(c, (polygon->uses & ~c->solid->sides.above) | UINT64_C(1) << from | ends,
                polygon->tag, made + 2);
    c->start = c->num_edges++ == 0 ? to : c->start;
    c->ends |= ends;
    c->origins[to] = (uint8_t)from;
    return once;
}

// Finds the run that corner 0 is not in. Returns false if there are several.
static bool find_run(const uint32_t *corners, uint32_t count, uint64_t above, run *out) {
    uint64_t bits = 0;
    for (uint32_t i = count; i-- > 0;) {
        bits = bits << 1 | (above >> corners[i] & 1);
    }
    out->back = (bits & 1) != 0;
    bits ^= out->back ? (UINT64_C(1) << count) - 1 : 0;
    uint64_t next = bits + (bits & -bits); // the bit after it
    if (bits == 0 || (next & bits) != 0) {
        return false;
    }
    out->first = (uint8_t)__builtin_ctzll(bits);
    out->end = (uint8_t)__builtin_ctzll(next);
    out->before = out->first - 1;
    out->after = out->end < count ? out->end : 0;
    return true;
}

// Returns false if the corners in front of the plane are not one run. Most polygons have four.
static inline bool cross(usual *c, const bspi_cut_polygon *polygon) {
    // By the corners in front: bit i is corner i. Two runs of one have no end.
    static const run quads[16] = {
        [1] = {1, 4, 0, 0, true},   [2] = {1, 2, 0, 2, false}, [3] = {2, 4, 1, 0, true},
        [4] = {2, 3, 1, 3, false},  [6] = {1, 3, 0, 3, false}, [7] = {3, 4, 2, 0, true},
        [8] = {3, 4, 2, 0, false},  [9] = {1, 3, 0, 3, true},  [11] = {2, 3, 1, 3, true},
        [12] = {2, 4, 1, 0, false}, [13] = {1, 2, 0, 2, true}, [14] = {1, 4, 0, 0, false}};
    const uint32_t *corners = c->solid->corners + polygon->first;
    uint64_t above = c->solid->sides.above;
    if (polygon->count == 4) {
        uint64_t bits = (above >> corners[0] & 1) | (above >> corners[1] & 1) << 1 |
                        (above >> corners[2] & 1) << 2 | (above >> corners[3] & 1) << 3;
        return quads[bits].end != 0 && add_crossed(c, polygon, &quads[bits]);
    }
    run r;
    return polygon->count < BSPI_SMALL_SOLID && find_run(corners, polygon->count, above, &r) &&
           add_crossed(c, polygon, &r);
}

// Closes the hole. Returns false if its border is not one loop.
static inline bool add_cap(usual *c, uint32_t tag) {
    uint32_t *out = c->solid->spare + c->num_corners;
    uint64_t uses = c->ends;
    uint32_t at = c->start;
    if (c->num_edges < 3) {
        return false;
    }
    for (uint32_t i = 0; i < c->num_edges; i++) {
        if ((c->ends >> at & 1) == 0) {
            return false;
        }
        c->ends ^= UINT64_C(1) << at;
        out[i] = at;
        at = c->origins[at];
    }
    add_polygon(c, uses, tag, c->num_edges);
    return at == c->start;
}

static void take_result(const usual *c) {
    bspi_polyhedron *solid = c->solid;
    uint32_t *corners = solid->corners;
    bspi_cut_polygon *polygons = solid->polygons;
    uint64_t cap = c->num_edges;
    solid->work = 1 + (uint64_t)solid->num_corners + c->num_corners - cap + cap * cap;
    solid->corners = solid->spare;
    solid->spare = corners;
    solid->polygons = solid->spare_polygons;
    solid->spare_polygons = polygons;
    solid->num_corners = c->num_corners;
    solid->used_corners = c->num_corners;
    solid->num_polygons = c->num_polygons;
    solid->next_age += c->num_made;
    solid->used = c->left;
    solid->num_vertices = BSPI_SMALL_SOLID - (uint32_t)__builtin_clzll(c->left);
}

bool bspi_polyhedron_cut_usual(bspi_polyhedron *solid, uint32_t tag) {
    uint64_t above = solid->sides.above & solid->used;
    uint64_t back = solid->sides.back & solid->used;
    uint32_t count = solid->num_polygons;
    // A crossed polygon gets one more corner at most, two new vertices, and an edge of the cap.
    if (!solid->small || (above | back) != solid->used || solid->failed ||
        solid->num_vertices + 2 * count > BSPI_SMALL_SOLID ||
        solid->num_corners + 2 * count > solid->room_corners || count >= solid->room_polygons) {
        return false;
    }
    usual c;
    c.solid = solid;
    c.taken = solid->used;
    c.left = c.ends = c.seen = 0;
    c.num_made = c.num_corners = c.num_polygons = c.num_edges = c.start = 0;
    for (uint32_t p = 0; p < count; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        if ((polygon->uses & above) == 0) {
            keep(&c, polygon);
        } else if ((polygon->uses & back) != 0 && !cross(&c, polygon)) {
            return false;
        }
    }
    if (!add_cap(&c, tag)) {
        return false;
    }
    take_result(&c);
    return true;
}
