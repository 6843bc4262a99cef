// SPDX-License-Identifier: MIT
// Faces by their plane and what they look like. Assumes a loaded map.
#include "decompile/tree_faces.h"

#include "mesh/mesher.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Polygons that share less than a strip of this width only touch: a sixteenth of a unit is what
// compilers take for one point.
#define TOUCH 0.0625
#define MOST_OVERLAPS 64u // faces of a side that are looked at for a cut

// --- what is equal ------------------------------------------------------------------------------

typedef struct plane_key {
    float key[4]; // turned so that the first component that is not zero is positive
    uint32_t tag;
} plane_key;

static int compare_floats(const float *a, const float *b, int count) {
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_planes(const void *left, const void *right) {
    const plane_key *a = left;
    const plane_key *b = right;
    int order = compare_floats(a->key, b->key, 4);
    return order != 0 ? order : a->tag < b->tag ? -1 : a->tag > b->tag;
}

static plane_key key_of(const bsp_plane *plane, uint32_t number) {
    const float *n = plane->normal;
    bool turned = n[0] < 0 || (n[0] == 0 && (n[1] < 0 || (n[1] == 0 && n[2] < 0)));
    float sign = turned ? -1.0f : 1.0f;
    return (plane_key){
        {sign * n[0] + 0.0f, sign * n[1] + 0.0f, sign * n[2] + 0.0f, sign * plane->dist + 0.0f},
        2 * number + turned};
}

// For each plane the tag of the plane that stands for it and all its doubles.
static bool find_equal_planes(bspi_tree_faces *faces, bspi_heap *heap, bsp_error *error) {
    const bsp_map *map = faces->map;
    plane_key *keys = bspi_heap_alloc(heap, map->num_planes * sizeof *keys, error);
    if (keys == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_planes; i++) {
        keys[i] = key_of(&map->planes[i], i);
    }
    if (map->num_planes != 0) {
        qsort(keys, map->num_planes, sizeof *keys, compare_planes);
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < map->num_planes; i++) {
        first = compare_floats(keys[first].key, keys[i].key, 4) == 0 ? first : i;
        uint32_t turned = (keys[i].tag ^ keys[first].tag) & 1;
        faces->same[keys[i].tag / 2] = (keys[first].tag & ~1u) | turned;
    }
    bspi_heap_free(heap, keys, map->num_planes * sizeof *keys);
    return true;
}

typedef struct look_key {
    float vec[8];
    uint32_t material;
    uint32_t number;
} look_key;

static int compare_looks(const void *left, const void *right) {
    const look_key *a = left;
    const look_key *b = right;
    if (a->material != b->material) {
        return a->material < b->material ? -1 : 1;
    }
    int order = compare_floats(a->vec, b->vec, 8);
    return order != 0 ? order : a->number < b->number ? -1 : a->number > b->number;
}

static bool find_equal_looks(bspi_tree_faces *faces, bspi_heap *heap, bsp_error *error) {
    const bsp_map *map = faces->map;
    look_key *keys = bspi_heap_alloc(heap, map->num_texinfos * sizeof *keys, error);
    if (keys == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_texinfos; i++) {
        memcpy(keys[i].vec, map->texinfos[i].texture, sizeof keys[i].vec);
        keys[i].material = map->texinfos[i].material;
        keys[i].number = i;
    }
    if (map->num_texinfos != 0) {
        qsort(keys, map->num_texinfos, sizeof *keys, compare_looks);
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < map->num_texinfos; i++) {
        bool same = keys[first].material == keys[i].material &&
                    compare_floats(keys[first].vec, keys[i].vec, 8) == 0;
        first = same ? first : i;
        faces->kinds[keys[i].number] = keys[first].number;
    }
    bspi_heap_free(heap, keys, map->num_texinfos * sizeof *keys);
    return true;
}

// --- the faces of a model -----------------------------------------------------------------------

bool bspi_tree_faces_begin(bspi_tree_faces *faces, const bsp_map *map, bspi_arena *arena,
                           bsp_error *error) {
    memset(faces, 0, sizeof *faces);
    faces->map = map;
    faces->same = bspi_arena_raw(arena, map->num_planes, sizeof *faces->same, error);
    faces->kinds = bspi_arena_raw(arena, map->num_texinfos, sizeof *faces->kinds, error);
    faces->faces = bspi_arena_raw(arena, map->num_faces, sizeof *faces->faces, error);
    faces->taken = bspi_arena_zero(arena, map->num_faces, sizeof *faces->taken, error);
    return faces->same != NULL && faces->kinds != NULL && faces->faces != NULL &&
           faces->taken != NULL && find_equal_planes(faces, arena->heap, error) &&
           find_equal_looks(faces, arena->heap, error);
}

// The tag whose faces a tag of the map's planes shows.
static uint32_t shown_tag(const bspi_tree_faces *faces, uint32_t tag) {
    return faces->same[tag / 2] ^ (tag & 1);
}

static bool box_of(const bspi_tree_faces *faces, uint32_t face, bspi_tree_face *entry) {
    const bsp_face *record = &faces->map->faces[face];
    uint32_t corners = 0;
    for (uint32_t e = 0; e < record->num_edges; e++) {
        const float *point = bsp_surfedge_point(faces->map, record->first_edge + e);
        for (int a = 0; point != NULL && a < 3; a++) {
            entry->mins[a] = corners == 0 || point[a] < entry->mins[a] ? point[a] : entry->mins[a];
            entry->maxs[a] = corners == 0 || point[a] > entry->maxs[a] ? point[a] : entry->maxs[a];
        }
        corners += point != NULL;
    }
    return corners >= 3;
}

static int compare_faces(const void *left, const void *right) {
    const bspi_tree_face *a = left;
    const bspi_tree_face *b = right;
    return a->tag != b->tag    ? (a->tag < b->tag ? -1 : 1)
           : a->face < b->face ? -1
                               : a->face > b->face;
}

void bspi_tree_faces_model(bspi_tree_faces *faces, uint32_t model) {
    const bsp_map *map = faces->map;
    const bsp_model *from = &map->models[model];
    faces->num_faces = 0;
    for (uint32_t f = from->first_face; f < from->first_face + from->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        bspi_tree_face *entry = &faces->faces[faces->num_faces];
        bool taken = faces->taken[f];
        faces->taken[f] = true;
        if (!taken && face->plane < map->num_planes && face->texinfo < map->num_texinfos &&
            box_of(faces, f, entry)) {
            entry->tag = shown_tag(faces, 2 * face->plane + (face->flipped != 0));
            entry->face = f;
            entry->kind = faces->kinds[face->texinfo];
            faces->num_faces++;
        }
    }
    if (faces->num_faces != 0) {
        qsort(faces->faces, faces->num_faces, sizeof *faces->faces, compare_faces);
    }
}

// The first face of a tag, and those of the next tag on are behind it.
static uint32_t first_of(const bspi_tree_faces *faces, uint32_t tag) {
    uint32_t low = 0;
    uint32_t high = faces->num_faces;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (faces->faces[middle].tag < tag) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// --- what a side shows --------------------------------------------------------------------------

void bspi_tree_side_of(const bspi_carver *carver, uint32_t polygon, bspi_tree_side *side) {
    double dist;
    side->tag = carver->solid.polygons[carver->solid.current][polygon].tag;
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

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The line of an edge, in the plane: `out` is unit length, its sign to be chosen. False if the
// edge has no length.
static bool edge_line(const double normal[3], const double a[3], const double b[3], double out[3],
                      double *dist) {
    double edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    out[0] = normal[1] * edge[2] - normal[2] * edge[1];
    out[1] = normal[2] * edge[0] - normal[0] * edge[2];
    out[2] = normal[0] * edge[1] - normal[1] * edge[0];
    double length = sqrt(dot(out, out));
    if (!(length > TOUCH)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out[i] /= length;
    }
    *dist = dot(out, a);
    return true;
}

// How far points reach on both sides of a line.
static void reach(const bspi_tree_polygon *polygon, const double line[3], double dist, double *low,
                  double *high) {
    *low = *high = 0;
    for (uint32_t i = 0; i < polygon->count; i++) {
        double distance = dot(line, polygon->points[i]) - dist;
        *low = i == 0 || distance < *low ? distance : *low;
        *high = i == 0 || distance > *high ? distance : *high;
    }
}

// True if a line along an edge of the first has the second on its other side.
static bool parted(const double normal[3], const bspi_tree_polygon *a, const bspi_tree_polygon *b) {
    for (uint32_t i = 0; i < a->count; i++) {
        double line[3];
        double dist;
        double low[2];
        double high[2];
        if (!edge_line(normal, a->points[i], a->points[(i + 1) % a->count], line, &dist)) {
            continue;
        }
        reach(a, line, dist, &low[0], &high[0]);
        reach(b, line, dist, &low[1], &high[1]);
        bool behind = -low[0] > high[0]; // the polygon itself is there
        if (behind ? low[1] > -TOUCH : high[1] < TOUCH) {
            return true;
        }
    }
    return false;
}

static bool shows(const bspi_tree_faces *faces, const bspi_tree_side *side,
                  const bspi_tree_face *face) {
    bspi_tree_polygon polygon;
    bspi_tree_face_polygon(faces->map, face->face, &polygon);
    return !parted(side->normal, &side->polygon, &polygon) &&
           !parted(side->normal, &polygon, &side->polygon);
}

typedef struct box {
    double mins[3];
    double maxs[3];
} box;

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

static bool boxes_meet(const box *b, const bspi_tree_face *face) {
    bool meet = true;
    for (int a = 0; a < 3; a++) {
        meet = meet && b->mins[a] <= (double)face->maxs[a] + TOUCH &&
               b->maxs[a] >= (double)face->mins[a] - TOUCH;
    }
    return meet;
}

// The next face, from number `at` on, that a side shows; BSP_NONE: no more.
static uint32_t next_shown(const bspi_tree_faces *faces, const bspi_tree_side *side, const box *b,
                           uint32_t tag, uint32_t at) {
    for (; at < faces->num_faces && faces->faces[at].tag == tag; at++) {
        if (boxes_meet(b, &faces->faces[at]) && shows(faces, side, &faces->faces[at])) {
            return at;
        }
    }
    return BSP_NONE;
}

uint32_t bspi_tree_faces_kind(const bspi_tree_faces *faces, const bspi_tree_side *side,
                              uint32_t *face) {
    if (side->tag / 2 >= faces->map->num_planes) {
        return BSP_NONE;
    }
    uint32_t tag = shown_tag(faces, side->tag);
    uint32_t kind = BSP_NONE;
    box b = side_box(side);
    uint32_t at = next_shown(faces, side, &b, tag, first_of(faces, tag));
    while (at != BSP_NONE && kind != BSPI_MIXED) {
        const bspi_tree_face *found = &faces->faces[at];
        if (face != NULL && kind == BSP_NONE) {
            *face = found->face;
        }
        kind = kind == BSP_NONE || kind == found->kind ? found->kind : BSPI_MIXED;
        at = next_shown(faces, side, &b, tag, at + 1);
    }
    return kind;
}

// --- where to cut -------------------------------------------------------------------------------

typedef struct overlap {
    uint32_t kind;
    bspi_tree_polygon polygon;
} overlap;

// The less the better: faces that are cut, then kinds that stay on both sides.
static uint32_t rate(const overlap *overlaps, uint32_t count, const double line[3], double dist) {
    uint32_t cut = 0;
    uint32_t both = 0;
    uint32_t sides[2] = {0, 0};
    uint32_t where[MOST_OVERLAPS];
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
    }
    if (sides[0] == 0 || sides[1] == 0) {
        return UINT32_MAX;
    }
    uint32_t uneven = sides[0] > sides[1] ? sides[0] - sides[1] : sides[1] - sides[0];
    bool square = fabs(line[0]) + fabs(line[1]) + fabs(line[2]) < 1.0001;
    return cut * 4096 + both * 64 + uneven * 2 + (square ? 0 : 32);
}

static bool best_cut(const overlap *overlaps, uint32_t count, const bspi_tree_side *side,
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
            uint32_t rating = rate(overlaps, count, line, at);
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
    overlap overlaps[MOST_OVERLAPS];
    uint32_t count = 0;
    uint32_t tag = shown_tag(faces, side->tag);
    box b = side_box(side);
    uint32_t at = next_shown(faces, side, &b, tag, first_of(faces, tag));
    for (; at != BSP_NONE && count < MOST_OVERLAPS; count++) {
        overlaps[count].kind = faces->faces[at].kind;
        bspi_tree_face_polygon(faces->map, faces->faces[at].face, &overlaps[count].polygon);
        at = next_shown(faces, side, &b, tag, at + 1);
    }
    return best_cut(overlaps, count, side, normal, dist);
}
