// SPDX-License-Identifier: MIT
// Cuts planes off a convex solid. Each vertex is classified once for all polygons that share it,
// each edge is cut once, and the new polygon is the boundary of the cut, so the solid stays closed
// in spite of rounding.
#include "mesh/polyhedron.h"

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
    bool back = false;
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
            back = back || da < 0;
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
    if (back && made >= 3) {
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
        solid->used_corners >
            solid->room_polygons * (BSPI_CORNERS_PER_SIDE - BSPI_CORNERS_RESERVED)) {
        bspi_polyhedron_pack(solid);
    } else {
        uint64_t used = bspi_polyhedron_used(solid);
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
