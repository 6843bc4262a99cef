// SPDX-License-Identifier: MIT
// The usual cut: of a small solid, by a plane that none of its corners is in. All but one of a
// hundred are so in trees of Quake and GoldSrc. Each polygon then stays, goes, or is crossed at two
// of its edges, and the edges of the new polygon follow one another by their vertices: nothing has
// to be searched for. What is made is the same as by the cut of polyhedron_cut.c, to the last bit.
// The vertices and the crossed polygons of both halves are found together.
#include "mesh/polyhedron.h"

#include <string.h>

// What is made on one side of the plane.
typedef struct half {
    uint32_t *corners;
    bspi_cut_polygon *polygons;
    uint64_t gone; // vertices on the other side
    uint64_t left; // vertices of the polygons that were made or kept
    uint64_t ends; // new vertices at which an edge in the plane ends
    uint32_t num_corners;
    uint32_t num_polygons;
    uint32_t start;                    // where the first of those edges ends
    uint8_t origins[BSPI_SMALL_SOLID]; // for a vertex where one ends: its other end
} half;

typedef struct usual {
    bspi_polyhedron *solid;
    uint64_t taken; // vertices, those made by this cut as well
    uint64_t seen;  // places of `places` that are filled
    uint32_t num_made;
    uint32_t num_edges;               // in the plane
    uint32_t edges[BSPI_SMALL_SOLID]; // that were split: sum and product of both vertices
    uint8_t made[BSPI_SMALL_SOLID];   // the vertex on each of them
    uint8_t places[BSPI_SMALL_SOLID]; // for a sum of both vertices: the first such edge
    half back;
    half front;
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

static inline void add_polygon(half *h, uint64_t uses, uint32_t tag, uint32_t count) {
    h->polygons[h->num_polygons++] = (bspi_cut_polygon){uses, tag, h->num_corners, count};
    h->num_corners += count;
    h->left |= uses;
}

static inline void keep(half *h, const bspi_cut_polygon *polygon, const uint32_t *corners) {
    copy(h->corners + h->num_corners, corners, polygon->count);
    add_polygon(h, polygon->uses, polygon->tag, polygon->count);
}

// A run of corners of a polygon, on one side of the plane; the others are on the other side.
typedef struct run {
    uint8_t first;
    uint8_t end;
    uint8_t before; // the corners around it
    uint8_t after;
    bool back; // it is behind the plane, else in front
} run;

// Adds the part of a crossed polygon in a half: the run, or all but the run. Both begin or end at
// the vertices `one`, before the run, and `two`. Returns false if two edges in the plane end at one
// vertex.
static inline bool add_part(half *h, const bspi_cut_polygon *polygon, const uint32_t *corners,
                            const run *r, bool inner, uint32_t one, uint32_t two) {
    uint32_t *out = h->corners + h->num_corners;
    uint32_t made = r->end - (uint32_t)r->first;
    if (inner) {
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
    uint32_t from = inner ? two : one;
    uint32_t to = inner ? one : two;
    uint64_t ends = UINT64_C(1) << to;
    bool once = (h->ends & ends) == 0;
    add_polygon(h, (polygon->uses & ~h->gone) | UINT64_C(1) << from | ends, polygon->tag, made + 2);
    h->start = h->ends == 0 ? to : h->start;
    h->ends |= ends;
    h->origins[to] = (uint8_t)from;
    return once;
}

static inline bool add_crossed(usual *c, const bspi_cut_polygon *polygon, const run *r, bool both) {
    const uint32_t *corners = c->solid->corners + polygon->first;
    uint32_t one = split_edge(c, corners[r->before], corners[r->first]);
    uint32_t two = split_edge(c, corners[r->end - 1], corners[r->after]);
    c->num_edges++;
    return add_part(&c->back, polygon, corners, r, r->back, one, two) &&
           (!both || add_part(&c->front, polygon, corners, r, !r->back, one, two));
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
static inline bool cross(usual *c, const bspi_cut_polygon *polygon, bool both) {
    // By the corners in front: bit i is corner i. Two runs of one have no end.
    static const run quads[16] = {
        [1] = {1, 4, 0, 0, true},   [2] = {1, 2, 0, 2, false}, [3] = {2, 4, 1, 0, true},
        [4] = {2, 3, 1, 3, false},  [6] = {1, 3, 0, 3, false}, [7] = {3, 4, 2, 0, true},
        [8] = {3, 4, 2, 0, false},  [9] = {1, 3, 0, 3, true},  [11] = {2, 3, 1, 3, true},
        [12] = {2, 4, 1, 0, false}, [13] = {1, 2, 0, 2, true}, [14] = {1, 4, 0, 0, false}};
    const uint32_t *corners = c->solid->corners + polygon->first;
    uint64_t above = c->back.gone;
    run found;
    const run *r = &found;
    if (polygon->count == 4) {
        uint64_t bits = (above >> corners[0] & 1) | (above >> corners[1] & 1) << 1 |
                        (above >> corners[2] & 1) << 2 | (above >> corners[3] & 1) << 3;
        r = &quads[bits];
        if (r->end == 0) {
            return false;
        }
    } else if (polygon->count >= BSPI_SMALL_SOLID ||
               !find_run(corners, polygon->count, above, &found)) {
        return false;
    }
    return add_crossed(c, polygon, r, both);
}

// Closes the hole. Returns false if its border is not one loop.
static inline bool add_cap(half *h, uint32_t num_edges, uint32_t tag) {
    uint32_t *out = h->corners + h->num_corners;
    uint64_t uses = h->ends;
    uint32_t at = h->start;
    if (num_edges < 3) {
        return false;
    }
    for (uint32_t i = 0; i < num_edges; i++) {
        if ((h->ends >> at & 1) == 0) {
            return false;
        }
        h->ends ^= UINT64_C(1) << at;
        out[i] = at;
        at = h->origins[at];
    }
    add_polygon(h, uses, tag, num_edges);
    return at == h->start;
}

// Begins a half in the arrays at `place`.
static inline void begin_half(half *h, const bspi_polyhedron *solid, int place, uint64_t gone) {
    h->corners = solid->spare[place];
    h->polygons = solid->spare_polygons[place];
    h->gone = gone;
    h->left = h->ends = 0;
    h->num_corners = h->num_polygons = h->start = 0;
}

// Makes one half or both. Returns false if that is not simple.
static inline bool make_halves(usual *c, bspi_polyhedron *solid, uint32_t tag, bool both) {
    uint64_t above = solid->sides.above & solid->used;
    uint64_t back = solid->sides.back & solid->used;
    uint32_t count = solid->num_polygons;
    // A crossed polygon gets one more corner at most, two new vertices, and an edge of the cap.
    if (!solid->small || (above | back) != solid->used || solid->failed ||
        solid->num_vertices + 2 * count > BSPI_SMALL_SOLID ||
        solid->num_corners + 2 * count > solid->room_corners || count >= solid->room_polygons) {
        return false;
    }
    c->solid = solid;
    c->taken = solid->used;
    c->seen = 0;
    c->num_made = c->num_edges = 0;
    begin_half(&c->back, solid, 0, above);
    begin_half(&c->front, solid, 1, back);
    for (uint32_t p = 0; p < count; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        if ((polygon->uses & above) == 0) {
            keep(&c->back, polygon, solid->corners + polygon->first);
        } else if ((polygon->uses & back) != 0) {
            if (!cross(c, polygon, both)) {
                return false;
            }
        } else if (both) {
            keep(&c->front, polygon, solid->corners + polygon->first);
        }
    }
    return add_cap(&c->back, c->num_edges, tag) &&
           (!both || add_cap(&c->front, c->num_edges, tag + 1));
}

// Sets the solid to a half that was made in the arrays at `place`.
static void take_half(bspi_polyhedron *solid, const half *h, int place, uint32_t next_age) {
    uint32_t *corners = solid->corners;
    bspi_cut_polygon *polygons = solid->polygons;
    solid->corners = solid->spare[place];
    solid->spare[place] = corners;
    solid->polygons = solid->spare_polygons[place];
    solid->spare_polygons[place] = polygons;
    solid->num_corners = h->num_corners;
    solid->used_corners = h->num_corners;
    solid->num_polygons = h->num_polygons;
    solid->next_age = next_age;
    solid->used = h->left;
    solid->num_vertices = BSPI_SMALL_SOLID - (uint32_t)__builtin_clzll(h->left);
}

bool bspi_polyhedron_cut_usual(bspi_polyhedron *solid, uint32_t tag) {
    usual c;
    if (!make_halves(&c, solid, tag, false)) {
        return false;
    }
    uint64_t cap = c.num_edges;
    solid->work = 1 + (uint64_t)solid->num_corners + c.back.num_corners - cap + cap * cap;
    take_half(solid, &c.back, 0, solid->next_age + c.num_made);
    return true;
}

bool bspi_polyhedron_halve(bspi_polyhedron *solid, uint32_t tag, bspi_polyhedron_stack *stack,
                           bool *halved, bsp_error *error) {
    usual c;
    *halved =
        make_halves(&c, solid, tag, true) && c.back.num_polygons >= 4 && c.front.num_polygons >= 4;
    if (!*halved) {
        return true;
    }
    uint32_t next_age = solid->next_age + c.num_made;
    take_half(solid, &c.back, 0, next_age);
    bool good = bspi_polyhedron_push(stack, solid, error);
    take_half(solid, &c.front, 1, next_age);
    return good;
}
