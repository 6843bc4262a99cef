// SPDX-License-Identifier: MIT
// Finds the faces that a side of a brush shows, and where to cut it between two kinds of them.
// Assumes a loaded map.
#include "decompile/tree/faces.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

// Polygons that overlap by less than a strip of this width only touch: compilers merge points
// within a sixteenth of a unit.
#define TOUCH 0.0625

// --- polygons -----------------------------------------------------------------------------------

void bspi_tree_side_of(const bspi_carver *carver, uint32_t polygon, bspi_tree_side *side) {
    double dist;
    side->tag = carver->solid.polygons[polygon].tag;
    bspi_flats_out(&carver->flats, side->tag, side->normal, &dist);
    side->polygon.count =
        bspi_polyhedron_points(&carver->solid, polygon, side->polygon.points, BSPI_TREE_CORNERS);
}

void bspi_tree_face_polygon(const bsp_map *map, uint32_t face, bspi_tree_polygon *polygon) {
    const bsp_face *record = &map->faces[face];
    polygon->count = 0;
    for (uint32_t e = 0; e < record->num_edges && polygon->count < BSPI_TREE_CORNERS; e++) {
        const float *point = bsp_surfedge_point(map, record->first_edge + e);
        for (int a = 0; point != NULL && a < 3; a++) {
            polygon->points[polygon->count][a] = (double)point[a];
        }
        polygon->count += point != NULL;
    }
}

// Computes the line of an edge, in the plane: `out` is unit length, of either sign. Returns false
// if the edge has no length.
static bool edge_line(const double normal[3], const double a[3], const double b[3], double out[3],
                      double *dist) {
    double edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    out[0] = normal[1] * edge[2] - normal[2] * edge[1];
    out[1] = normal[2] * edge[0] - normal[0] * edge[2];
    out[2] = normal[0] * edge[1] - normal[1] * edge[0];
    double length = bspi_vec_length(out);
    if (!(length > TOUCH)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out[i] /= length;
    }
    *dist = bspi_vec_dot(out, a);
    return true;
}

// Computes how far points reach on both sides of a line.
static void reach(const bspi_tree_polygon *polygon, const double line[3], double dist, double *low,
                  double *high) {
    *low = *high = 0;
    for (uint32_t i = 0; i < polygon->count; i++) {
        double distance = bspi_vec_dot(line, polygon->points[i]) - dist;
        *low = i == 0 || distance < *low ? distance : *low;
        *high = i == 0 || distance > *high ? distance : *high;
    }
}

// The line of an edge, in the plane; its polygon is on the positive side.
typedef struct edge_side {
    double normal[3];
    double dist;
} edge_side;

// Computes the line of edge `i`. Returns false if the edge has no length.
static bool line_of(const double normal[3], const bspi_tree_polygon *polygon, uint32_t i,
                    edge_side *out) {
    double low;
    double high;
    const double *next = polygon->points[i + 1 < polygon->count ? i + 1 : 0];
    if (!edge_line(normal, polygon->points[i], next, out->normal, &out->dist)) {
        return false;
    }
    reach(polygon, out->normal, out->dist, &low, &high);
    if (!(-low > high)) {
        return true;
    }
    for (int a = 0; a < 3; a++) {
        out->normal[a] = -out->normal[a];
    }
    out->dist = -out->dist;
    return true;
}

// Returns true if a polygon is on the negative side of a line, but for a strip.
static bool is_beyond(const edge_side *l, const bspi_tree_polygon *polygon) {
    for (uint32_t i = 0; i < polygon->count; i++) {
        if (!(bspi_vec_dot(l->normal, polygon->points[i]) - l->dist < TOUCH)) {
            return false;
        }
    }
    return true;
}

// --- searching ----------------------------------------------------------------------------------

typedef struct box {
    double mins[3];
    double maxs[3];
} box;

// A search for faces.
typedef struct search {
    const bspi_tree_faces *faces;
    const bspi_tree_side *side;
    box around;
    uint32_t first; // of the range of the side's tag
    uint32_t end;
    uint32_t from; // lowest number that is accepted
    uint32_t but;  // only kinds other than this
    bool lined;    // the lines of the side's edges are known
    uint32_t num_lines;
    edge_side lines[BSPI_TREE_CORNERS];
} search;

static box side_box(const bspi_tree_side *side) {
    box b;
    for (int a = 0; a < 3; a++) {
        b.mins[a] = b.maxs[a] = side->polygon.points[0][a];
        for (uint32_t i = 1; i < side->polygon.count; i++) {
            double at = side->polygon.points[i][a];
            b.mins[a] = at < b.mins[a] ? at : b.mins[a];
            b.maxs[a] = at > b.maxs[a] ? at : b.maxs[a];
        }
    }
    return b;
}

static bool boxes_meet(const box *b, const bspi_tree_box *other) {
    bool meet = true;
    for (int a = 0; a < 3; a++) {
        meet = meet && b->mins[a] <= (double)other->maxs[a] + TOUCH &&
               b->maxs[a] >= (double)other->mins[a] - TOUCH;
    }
    return meet;
}

static void begin_search(search *s, const bspi_tree_faces *faces, const bspi_tree_side *side) {
    const bspi_tree_range *range = &faces->ranges[bspi_tree_shown_tag(faces, side->tag)];
    s->faces = faces;
    s->side = side;
    s->first = range->first;
    s->end = range->end;
    s->from = 0;
    s->but = BSP_NONE;
    s->lined = false;
    if (s->first < s->end) {
        s->around = side_box(side);
    }
}

// Returns true if a line along an edge of the side has a polygon on its other side.
static bool is_beside(search *s, const bspi_tree_polygon *polygon) {
    if (!s->lined) {
        s->lined = true;
        s->num_lines = 0;
        for (uint32_t i = 0; i < s->side->polygon.count; i++) {
            edge_side *next = &s->lines[s->num_lines];
            s->num_lines += line_of(s->side->normal, &s->side->polygon, i, next);
        }
    }
    bool beside = false;
    for (uint32_t i = 0; i < s->num_lines && !beside; i++) {
        beside = is_beyond(&s->lines[i], polygon);
    }
    return beside;
}

// The opposite: a line along an edge of the polygon.
static bool has_beside(const search *s, const bspi_tree_polygon *polygon) {
    bool beside = false;
    for (uint32_t i = 0; i < polygon->count && !beside; i++) {
        edge_side l;
        beside = line_of(s->side->normal, polygon, i, &l) && is_beyond(&l, &s->side->polygon);
    }
    return beside;
}

static bool shows(search *s, const bspi_tree_face *face) {
    bspi_tree_polygon polygon;
    bspi_tree_face_polygon(s->faces->map, face->face, &polygon);
    uint32_t corners = s->side->polygon.count + polygon.count;
    return bspi_carver_work(s->faces->carver, corners * corners / 16) && // each corner with each
           !is_beside(s, &polygon) && !has_beside(s, &polygon);
}

bool bspi_tree_faces_differ(const bspi_tree_faces *faces, uint32_t tag) {
    if (tag / 2 >= faces->map->num_planes) {
        return false;
    }
    const bspi_tree_range *range = &faces->ranges[bspi_tree_shown_tag(faces, tag)];
    uint32_t middle = range->first + (range->end - range->first) / 2; // the part of all of them
    return range->first < range->end && faces->parts[middle].kind == BSPI_MIXED;
}

// Returns the accepted face with the lowest number, or any of another kind; NULL: none. Of the two
// halves of a range the first is searched first.
static const bspi_tree_face *find_shown(search *s) {
    const bspi_tree_faces *faces = s->faces;
    const bspi_tree_face *best = NULL;
    uint32_t waiting[34][2] = {{s->first, s->end}}; // one for each halving, and one more
    uint64_t steps = 0;
    for (uint32_t depth = 1; depth != 0; steps++) {
        uint32_t low = waiting[--depth][0];
        uint32_t high = waiting[depth][1];
        uint32_t middle = low + (high - low) / 2;
        const bspi_tree_face *face = &faces->faces[middle];
        const bspi_tree_part *part = &faces->parts[middle];
        if (low >= high || part->kind == s->but || part->highest < s->from ||
            (best != NULL && part->lowest > best->face) || !boxes_meet(&s->around, &part->box)) {
            continue;
        }
        if (face->face >= s->from && face->kind != s->but &&
            (best == NULL || face->face < best->face) && boxes_meet(&s->around, &face->box) &&
            shows(s, face)) {
            best = face;
            if (s->but != BSP_NONE) {
                break;
            }
        }
        memcpy(waiting[depth++], (uint32_t[2]){middle + 1, high}, sizeof *waiting);
        memcpy(waiting[depth++], (uint32_t[2]){low, middle}, sizeof *waiting);
    }
    (void)bspi_carver_work(faces->carver, steps);
    return best;
}

uint32_t bspi_tree_faces_first(const bspi_tree_faces *faces, const bspi_tree_side *side) {
    if (side->tag / 2 >= faces->map->num_planes) {
        return BSP_NONE;
    }
    search s;
    begin_search(&s, faces, side);
    const bspi_tree_face *found = find_shown(&s);
    return found != NULL ? found->face : BSP_NONE;
}

bool bspi_tree_faces_mixed(const bspi_tree_faces *faces, const bspi_tree_side *side) {
    if (!bspi_tree_faces_differ(faces, side->tag)) {
        return false;
    }
    search s;
    begin_search(&s, faces, side);
    uint32_t waiting[34][2] = {{s.first, s.end}}; // one for each halving, and one more
    uint64_t steps = 0;
    bool mixed = false;
    for (uint32_t depth = 1; depth != 0 && !mixed; steps++) {
        uint32_t low = waiting[--depth][0];
        uint32_t high = waiting[depth][1];
        uint32_t middle = low + (high - low) / 2;
        const bspi_tree_face *face = &faces->faces[middle];
        const bspi_tree_part *part = &faces->parts[middle];
        if (low >= high || part->kind == s.but || !boxes_meet(&s.around, &part->box)) {
            continue;
        }
        if (face->kind != s.but && boxes_meet(&s.around, &face->box) && shows(&s, face)) {
            mixed = s.but != BSP_NONE;
            s.but = face->kind;
        }
        memcpy(waiting[depth++], (uint32_t[2]){middle + 1, high}, sizeof *waiting);
        memcpy(waiting[depth++], (uint32_t[2]){low, middle}, sizeof *waiting);
    }
    (void)bspi_carver_work(faces->carver, steps);
    return mixed;
}

// --- where to cut -------------------------------------------------------------------------------

// Rates a cut, the lower the better: faces that are cut, then kinds that are on both sides. One
// that is not below `best` ends there.
static uint32_t rate(const bspi_tree_overlap *overlaps, uint32_t count, const double line[3],
                     double dist, uint32_t best) {
    uint32_t cut = 0;
    uint32_t both = 0;
    uint32_t sides[2] = {0, 0};
    uint32_t where[BSPI_TREE_OVERLAPS];
    for (uint32_t i = 0; i < count; i++) {
        double low;
        double high;
        reach(&overlaps[i].polygon, line, dist, &low, &high);
        where[i] = (high > TOUCH ? 1u : 0) | (low < -TOUCH ? 2u : 0);
        cut += where[i] == 3;
        sides[0] += where[i] & 1;
        sides[1] += where[i] >> 1;
        for (uint32_t j = 0; j < i; j++) {
            both += overlaps[i].kind == overlaps[j].kind && (where[i] | where[j]) == 3;
        }
        if (cut * 4096 + both * 64 >= best) {
            return best;
        }
    }
    if (sides[0] == 0 || sides[1] == 0) {
        return UINT32_MAX;
    }
    uint32_t uneven = sides[0] > sides[1] ? sides[0] - sides[1] : sides[1] - sides[0];
    bool square = fabs(line[0]) + fabs(line[1]) + fabs(line[2]) < 1.0001;
    return cut * 4096 + both * 64 + uneven * 2 + (square ? 0 : 32);
}

static bool best_cut(const bspi_tree_overlap *overlaps, uint32_t count, const bspi_tree_side *side,
                     double normal[3], double *dist) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const bspi_tree_polygon *polygon = &overlaps[i].polygon;
        for (uint32_t e = 0; e < polygon->count; e++) {
            double line[3];
            double at;
            double low;
            double high;
            const double *from = polygon->points[e];
            const double *to = polygon->points[(e + 1) % polygon->count];
            if (!edge_line(side->normal, from, to, line, &at)) {
                continue;
            }
            reach(&side->polygon, line, at, &low, &high);
            if (low > -TOUCH || high < TOUCH) {
                continue; // along the side's own edge
            }
            uint32_t rating = rate(overlaps, count, line, at, best);
            if (rating < best) {
                best = rating;
                memcpy(normal, line, sizeof line);
                *dist = at;
            }
        }
    }
    return best != UINT32_MAX;
}

bool bspi_tree_faces_cut(const bspi_tree_faces *faces, const bspi_tree_side *side, double normal[3],
                         double *dist) {
    bspi_tree_overlap *overlaps = faces->overlaps;
    uint32_t count = 0;
    search s;
    begin_search(&s, faces, side);
    const bspi_tree_face *face = find_shown(&s);
    for (; face != NULL && count < BSPI_TREE_OVERLAPS; count++) {
        overlaps[count].kind = face->kind;
        bspi_tree_face_polygon(faces->map, face->face, &overlaps[count].polygon);
        s.from = face->face + 1;
        face = find_shown(&s);
    }
    return best_cut(overlaps, count, side, normal, dist);
}
