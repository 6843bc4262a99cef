// SPDX-License-Identifier: MIT
// Compilers cut walls where planes of the tree go through them and where a face would have too many
// luxels, and put points on edges where other faces end. Each pair with an edge in common is looked
// at, in turns until none can be joined: half as many faces, with half as many edges, are looked at
// for lines then, and more of them stop all of a beam.
#include "bake/light/shadows/occluder_join.h"

#include "core/vector.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CORNERS 64u // of polygons that are joined
#define STRAIGHT 0.002f  // units beside a line that count as on it
#define MOST_TURNS 16u   // through all pairs

// An edge of a polygon, its lower end first.
typedef struct side {
    float ends[2][3];
    uint32_t polygon;
} side;

// Points, of what two polygons would be.
typedef struct ring {
    float points[2 * MOST_CORNERS][3];
    uint32_t count;
} ring;

bool bspi_occluders_note(bspi_heap *heap, bspi_occluder_polygons *polygons,
                         const bspi_occluder *face, const float (*points)[3], uint32_t count,
                         bsp_error *error) {
    bspi_occluder_polygon *list =
        bspi_grow(heap, polygons->list, polygons->count, &polygons->room, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    polygons->list = list;
    for (uint32_t n = 0; n < count; n++) {
        float(*more)[3] = bspi_grow(heap, polygons->points, polygons->num_points,
                                    &polygons->point_room, sizeof *more, error);
        if (more == NULL) {
            return false;
        }
        polygons->points = more;
        memcpy(more[polygons->num_points++], points[n], sizeof *more);
    }
    list[polygons->count] = (bspi_occluder_polygon){.face = *face,
                                                    .first = polygons->num_points - count,
                                                    .count = count,
                                                    .into = polygons->count};
    polygons->count++;
    return bspi_heap_work(heap, 1 + count, error);
}

void bspi_occluders_drop(bspi_heap *heap, bspi_occluder_polygons *polygons) {
    bspi_heap_free(heap, polygons->list, polygons->room * sizeof *polygons->list);
    bspi_heap_free(heap, polygons->points, polygons->point_room * sizeof *polygons->points);
    *polygons = (bspi_occluder_polygons){.list = NULL};
}

// --- convex polygons ----------------------------------------------------------------------------

// Returns how far a point lies outside of the line from the one before it to the one after it,
// where points go clockwise; those are all corners if the polygon is convex.
static float corner_of(const ring *r, uint32_t n, const float normal[3]) {
    const float *before = r->points[(n + r->count - 1) % r->count];
    const float *after = r->points[(n + 1) % r->count];
    float along[3];
    float to[3];
    float across[3];
    for (int i = 0; i < 3; i++) {
        along[i] = after[i] - before[i];
        to[i] = r->points[n][i] - before[i];
    }
    bspi_cross(to, along, across);
    float length = sqrtf(bspi_dot(along, along));
    return length > STRAIGHT ? -bspi_dot(across, normal) / length : -INFINITY;
}

// Drops points on straight edges. False if the others do not go clockwise, or are not convex.
static bool tidy(ring *r, const float normal[3]) {
    uint32_t kept = 0; // in turn
    for (uint32_t n = 0; kept < r->count && r->count >= 3;) {
        float beside = corner_of(r, n, normal);
        if (!(beside >= -STRAIGHT)) {
            return false;
        }
        if (beside <= STRAIGHT) {
            r->count--;
            memmove(r->points + n, r->points + n + 1, (r->count - n) * sizeof *r->points);
            n = n == 0 ? 0 : n - 1;
            kept = 0;
        } else {
            n = (n + 1) % r->count;
            kept++;
        }
        n = n < r->count ? n : 0;
    }
    return r->count >= 3 && r->count <= MOST_CORNERS;
}

static ring ring_of(const bspi_occluder_polygons *polygons, const bspi_occluder_polygon *p) {
    ring r = {.count = p->count};
    memcpy(r.points, polygons->points + p->first, p->count * sizeof *r.points);
    return r;
}

static bool is_same(const float a[3], const float b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Sets what two polygons are together. False if they have no edge in common, or are not convex.
static bool join(const ring *a, const ring *b, const float normal[3], ring *out) {
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t next = (i + 1) % a->count;
        for (uint32_t k = 0; k < b->count; k++) {
            uint32_t past = (k + 1) % b->count;
            if (!is_same(a->points[i], b->points[past]) ||
                !is_same(a->points[next], b->points[k])) {
                continue;
            }
            out->count = 0;
            for (uint32_t n = 0; n < a->count; n++) {
                memcpy(out->points[out->count++], a->points[(next + n) % a->count],
                       sizeof *out->points);
            }
            for (uint32_t n = 1; n + 1 < b->count; n++) {
                memcpy(out->points[out->count++], b->points[(past + n) % b->count],
                       sizeof *out->points);
            }
            return tidy(out, normal);
        }
    }
    return false;
}

// Do two faces lie in one plane and do the same to light?
static bool are_alike(const bspi_occluder *a, const bspi_occluder *b) {
    return is_same(a->normal, b->normal) && a->dist == b->dist && a->kind == b->kind &&
           a->only == b->only && a->model == b->model && a->channels == b->channels &&
           a->style == b->style && (a->kind != BSPI_OCCLUDER_SKY || a->material == b->material);
}

// --- pairs --------------------------------------------------------------------------------------

static int order_of(const float a[3], const float b[3]) {
    int by = 0;
    for (int i = 0; i < 3 && by == 0; i++) {
        by = (a[i] > b[i]) - (a[i] < b[i]);
    }
    return by;
}

static int by_ends(const void *left, const void *right) {
    const side *a = left;
    const side *b = right;
    int by = order_of(a->ends[0], b->ends[0]);
    by = by != 0 ? by : order_of(a->ends[1], b->ends[1]);
    return by != 0 ? by : (a->polygon > b->polygon) - (a->polygon < b->polygon);
}

// Lists the edges of all polygons, of which there are no more than at first.
static uint32_t list_sides(const bspi_occluder_polygons *polygons, side *sides) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < polygons->count; p++) {
        const bspi_occluder_polygon *of = &polygons->list[p];
        for (uint32_t n = 0; n < of->count; n++) {
            const float *a = polygons->points[of->first + n];
            const float *b = polygons->points[of->first + (n + 1) % of->count];
            bool turned = order_of(a, b) > 0;
            side *to = &sides[count++];
            memcpy(to->ends[0], turned ? b : a, sizeof to->ends[0]);
            memcpy(to->ends[1], turned ? a : b, sizeof to->ends[1]);
            to->polygon = p;
        }
    }
    return count;
}

// Returns what a polygon became part of.
static uint32_t whole_of(bspi_occluder_polygons *polygons, uint32_t p) {
    bspi_occluder_polygon *list = polygons->list;
    while (list[p].into != p) {
        list[p].into = list[list[p].into].into; // a shorter way the next time
        p = list[p].into;
    }
    return p;
}

// Takes a ring for a polygon.
static bool replace(bspi_heap *heap, bspi_occluder_polygons *polygons, uint32_t number,
                    const ring *r, bsp_error *error) {
    bspi_occluder_polygon *p = &polygons->list[number];
    for (uint32_t n = 0; n < r->count; n++) {
        if (r->count <= p->count) {
            memcpy(polygons->points[p->first + n], r->points[n], sizeof *polygons->points);
            continue;
        }
        float(*more)[3] = bspi_grow(heap, polygons->points, polygons->num_points,
                                    &polygons->point_room, sizeof *more, error);
        if (more == NULL) {
            return false;
        }
        polygons->points = more;
        memcpy(more[polygons->num_points++], r->points[n], sizeof *more);
    }
    p->first = r->count <= p->count ? p->first : polygons->num_points - r->count;
    p->count = r->count;
    return true;
}

// Joins a pair, if it can be. Sets *any if it is.
static bool join_pair(bspi_heap *heap, bspi_occluder_polygons *polygons, uint32_t first,
                      uint32_t second, bool *any, bsp_error *error) {
    uint32_t a = whole_of(polygons, first);
    uint32_t b = whole_of(polygons, second);
    bspi_occluder_polygon *of[2] = {&polygons->list[a], &polygons->list[b]};
    if (a == b || !are_alike(&of[0]->face, &of[1]->face) || of[0]->count > MOST_CORNERS ||
        of[1]->count > MOST_CORNERS) {
        return bspi_heap_work(heap, 1, error);
    }
    const ring rings[2] = {ring_of(polygons, of[0]), ring_of(polygons, of[1])};
    ring joined;
    uint32_t work = 1 + of[0]->count * of[1]->count / 8;
    if (join(&rings[0], &rings[1], of[0]->face.normal, &joined)) {
        *any = true;
        of[1]->into = a;
        of[1]->count = 0;
        if (!replace(heap, polygons, a, &joined, error)) {
            return false;
        }
    }
    return bspi_heap_work(heap, work, error);
}

// Drops points on straight edges of all that are convex.
static void straighten(bspi_occluder_polygons *polygons) {
    for (uint32_t p = 0; p < polygons->count; p++) {
        bspi_occluder_polygon *of = &polygons->list[p];
        if (of->count <= MOST_CORNERS) {
            ring r = ring_of(polygons, of);
            if (tidy(&r, of->face.normal)) {
                memcpy(polygons->points + of->first, r.points, r.count * sizeof *r.points);
                of->count = r.count;
            }
        }
    }
}

// Looks at each pair with an edge in common. Sets *any if some are joined.
static bool join_all(bspi_heap *heap, bspi_occluder_polygons *polygons, side *sides, bool *any,
                     bsp_error *error) {
    uint32_t count = list_sides(polygons, sides);
    bool done = bspi_heap_work(heap, 1 + (uint64_t)count / 4, error);
    qsort(sides, count, sizeof *sides, by_ends);
    *any = false;
    for (uint32_t n = 1; done && n < count; n++) {
        if (order_of(sides[n - 1].ends[0], sides[n].ends[0]) == 0 &&
            order_of(sides[n - 1].ends[1], sides[n].ends[1]) == 0) {
            done = join_pair(heap, polygons, sides[n - 1].polygon, sides[n].polygon, any, error);
        }
    }
    return done;
}

bool bspi_occluders_join(bspi_heap *heap, bspi_occluder_polygons *polygons, bsp_error *error) {
    uint32_t room = polygons->num_points;
    side *sides = bspi_heap_alloc(heap, room * sizeof *sides, error);
    bool done = sides != NULL;
    bool any = true;
    straighten(polygons);
    for (uint32_t turn = 0; done && any && turn < MOST_TURNS; turn++) {
        done = join_all(heap, polygons, sides, &any, error);
    }
    bspi_heap_free(heap, sides, room * sizeof *sides);
    return done;
}
