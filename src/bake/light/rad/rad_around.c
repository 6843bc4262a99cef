// SPDX-License-Identifier: MIT
// Light between patches. Around each patch those beside it form wedges: triangles and squares in
// which light is mixed by place, and gaps in which it is that of the nearest. A hull around it says
// how far its mix counts. What bends beside a face is unfolded into its plane. Source: lerp.cpp of
// SDHLT.
#include "bake/light/faces/smooth.h"
#include "bake/light/rad/rad.h"
#include "bake/light/rad/rad_wedges.h"

#include "bspkit/faces.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define ON BSPI_RAD_ON
#define FAR 1.4f   // times the sizes of two patches that are too far from each other
#define EDGE 0.8f  // units that the middle of a patch keeps from its edges
#define LEVEL 0.1f // cosine between faces below which the edges of one are no walls for the other
#define STEPS 16u  // corners that are looked at: so many are one of work
#define MOST_CORNERS 64u
#define MOST_WALLS 128u

// --- faces around -------------------------------------------------------------------------------

static bool has_vertex(const bsp_map *map, uint32_t face, uint32_t vertex) {
    bool has = false;
    for (uint32_t i = 0; i < map->faces[face].num_edges; i++) {
        uint32_t at = map->faces[face].first_edge + i;
        has |= at < map->num_surfedges && bsp_surfedge_vertex(map, at) == vertex;
    }
    return has;
}

// Does an edge of a face end at a vertex of another face?
static bool touches(const bsp_map *map, uint32_t face, uint32_t edge, uint32_t other) {
    bool does = false;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t at = map->faces[face].first_edge + (edge + k) % map->faces[face].num_edges;
        uint32_t vertex = at < map->num_surfedges ? bsp_surfedge_vertex(map, at) : BSP_NONE;
        does |= vertex != BSP_NONE && has_vertex(map, other, vertex);
    }
    return does;
}

uint32_t bspi_rad_faces(const bspi_relight *own, uint32_t face, uint32_t out[BSPI_RAD_FACES],
                        uint64_t *steps) {
    const bsp_map *map = own->map;
    uint32_t count = 1;
    float normal[3];
    float dist;
    out[0] = face;
    if (!bsp_surface_plane(map, face, normal, &dist)) {
        return count;
    }
    for (uint32_t n = 0; n < count; n++) { // those that were found are looked around too
        uint32_t edges = map->faces[out[n]].num_edges;
        *steps += n == 0 ? edges : edges * (1 + (uint64_t)map->faces[face].num_edges);
        for (uint32_t i = 0; i < edges && count < BSPI_RAD_FACES; i++) {
            uint32_t next = bspi_smooth_across(own, out[n], i);
            float other[3];
            bool known = next == BSP_NONE || !bsp_surface_plane(map, next, other, &dist) ||
                         bspi_dot(normal, other) < 0 || (n != 0 && !touches(map, out[n], i, face));
            for (uint32_t k = 0; k < count && !known; k++) {
                known = out[k] == next;
            }
            if (!known) {
                out[count++] = next;
            }
        }
    }
    return count;
}

// --- one face -----------------------------------------------------------------------------------

// An edge beyond which nothing goes on.
typedef struct wall {
    float points[2][3];
    float direction[3];
    float normal[3];
} wall;

typedef struct finder {
    bspi_rad *rad;
    uint32_t face;
    float normal[3]; // of the face
    uint32_t faces[BSPI_RAD_FACES];
    uint32_t num_faces;
    wall walls[MOST_WALLS];
    uint32_t num_walls;
} finder;

static void add_wall(finder *f, const float a[3], const float b[3]) {
    wall *w = &f->walls[f->num_walls];
    memcpy(w->points[0], a, sizeof w->points[0]);
    memcpy(w->points[1], b, sizeof w->points[1]);
    for (int c = 0; c < 3; c++) {
        w->direction[c] = b[c] - a[c];
    }
    float off = bspi_dot(w->direction, f->normal);
    for (int c = 0; c < 3; c++) {
        w->direction[c] -= f->normal[c] * off;
    }
    if (bspi_normalize(w->direction) > 0) {
        bspi_cross(w->direction, f->normal, w->normal);
        f->num_walls++;
    }
}

static void find_walls(finder *f) {
    const bspi_relight *own = f->rad->own;
    const float *origin = own->models[own->face_models[f->face]].origin;
    for (uint32_t n = 0; n < f->num_faces; n++) {
        bsp_surface_corner corners[MOST_CORNERS];
        uint32_t count = bsp_surface_corners(own->map, f->faces[n], corners, MOST_CORNERS);
        float normal[3];
        float dist;
        if (count > MOST_CORNERS || !bsp_surface_plane(own->map, f->faces[n], normal, &dist) ||
            bspi_dot(normal, f->normal) <= LEVEL) {
            continue;
        }
        for (uint32_t i = 0; i < count && f->num_walls < MOST_WALLS; i++) {
            float a[3];
            float b[3];
            for (int c = 0; c < 3; c++) {
                a[c] = corners[i].point[c] + origin[c];
                b[c] = corners[(i + 1) % count].point[c] + origin[c];
            }
            if (bspi_smooth_across(own, f->faces[n], i) == BSP_NONE) {
                add_wall(f, a, b);
            }
        }
    }
}

// Does the way between two points of the surface touch the edge?
static bool stops(const wall *w, const float from[3], const float to[3]) {
    float base = bspi_dot(w->points[0], w->normal);
    float low = bspi_dot(w->points[0], w->direction);
    float high = bspi_dot(w->points[1], w->direction);
    float a = bspi_dot(from, w->normal) - base;
    float b = bspi_dot(to, w->normal) - base;
    float start = bspi_dot(from, w->direction);
    float end = bspi_dot(to, w->direction);
    if ((a > ON && b > ON) || (a < -ON && b < -ON)) {
        return false;
    }
    if (fabsf(a) <= 2 * ON && fabsf(b) <= 2 * ON) {
        return fminf(high, fmaxf(start, end)) - fmaxf(low, fminf(start, end)) >= -ON;
    }
    float part = a / (a - b);
    part = part > 0 ? part < 1 ? part : 1 : 0;
    float at = start + part * (end - start);
    return fminf(high, at) - fmaxf(low, at) >= -ON;
}

static bool is_stopped(const finder *f, const float from[3], const float to[3]) {
    bool stopped = false;
    for (uint32_t i = 0; i < f->num_walls && !stopped; i++) {
        stopped = stops(&f->walls[i], from, to);
    }
    return stopped;
}

// --- unfolding ----------------------------------------------------------------------------------

void bspi_rad_spot_set(const bspi_relight *own, const float point[3], uint32_t face,
                       bspi_rad_spot *out) {
    float dist;
    *out = (bspi_rad_spot){{point[0], point[1], point[2]}, {0}};
    if (!bsp_surface_plane(own->map, face, out->normal, &dist) || !bspi_smooth_is(own, face)) {
        return;
    }
    const float *origin = own->models[own->face_models[face]].origin;
    bsp_surface_corner corners[MOST_CORNERS];
    uint32_t count = bsp_surface_corners(own->map, face, corners, MOST_CORNERS);
    float at[3] = {point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]};
    if (count <= MOST_CORNERS) {
        bspi_smooth_normal(own, face, corners, count, at, out->normal);
    }
}

bspi_flat_spot bspi_rad_flat(const bspi_rad_around *around, const bspi_rad_spot *on) {
    float way[3];
    float flat[3];
    float middle[3];
    float rest[3];
    for (int c = 0; c < 3; c++) {
        way[c] = on->point[c] - around->middle[c];
    }
    float off = bspi_dot(way, around->axes[2]);
    for (int c = 0; c < 3; c++) {
        flat[c] = way[c] - around->axes[2][c] * off;
    }
    float along = bspi_dot(flat, on->normal);
    float part = fabsf(along) > ON ? bspi_dot(way, on->normal) / along : 0;
    part = part > 0 ? part < 1 ? part : 1 : 0;
    for (int c = 0; c < 3; c++) {
        middle[c] = flat[c] * part;
        rest[c] = way[c] - middle[c];
    }
    float length = sqrtf(bspi_dot(flat, flat));
    float longer = sqrtf(bspi_dot(middle, middle)) + sqrtf(bspi_dot(rest, rest));
    float scale = length > ON && fabsf(longer - length) > ON ? longer / length : 1;
    return (bspi_flat_spot){bspi_dot(flat, around->axes[0]) * scale,
                            bspi_dot(flat, around->axes[1]) * scale};
}

// Is a point of the surface on a patch, seen along its normal?
static bool holds(const bspi_rad_patch *patch, const float point[3], float inset) {
    bool inside = true;
    for (uint32_t i = 0; i < patch->num_corners && inside; i++) {
        const float *a = patch->corners[i];
        const float *b = patch->corners[(i + 1) % patch->num_corners];
        const float along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const float way[3] = {point[0] - a[0], point[1] - a[1], point[2] - a[2]};
        float in[3];
        bspi_cross(along, patch->normal, in); // corners run clockwise
        inside = !(bspi_normalize(in) > 0) || bspi_dot(in, way) >= inset;
    }
    return inside;
}

// --- one patch ----------------------------------------------------------------------------------

// Sets the middle of a patch, which keeps from its edges.
static void find_middle(const bspi_rad_patch *patch, bspi_rad_around *out) {
    memcpy(out->middle, patch->middle, sizeof out->middle);
    for (int turn = 0; turn < 4 && !holds(patch, out->middle, EDGE); turn++) {
        for (uint32_t i = 0; i < patch->num_corners; i++) {
            const float *a = patch->corners[i];
            const float *b = patch->corners[(i + 1) % patch->num_corners];
            const float along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
            const float way[3] = {out->middle[0] - a[0], out->middle[1] - a[1],
                                  out->middle[2] - a[2]};
            float in[3];
            bspi_cross(along, patch->normal, in);
            float lacks = bspi_normalize(in) > 0 ? EDGE - bspi_dot(in, way) : 0;
            for (int c = 0; c < 3 && lacks > 0; c++) {
                out->middle[c] += in[c] * lacks;
            }
        }
    }
}

static bool is_far(const bspi_rad_patch *a, const bspi_rad_around *around,
                   const bspi_rad_patch *b) {
    float way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = b->middle[c] - around->middle[c];
    }
    return sqrtf(bspi_dot(way, way)) > FAR * (a->size + b->size);
}

// Adds the patches of a face that may be beside a patch.
static void add_face(const finder *f, uint32_t number, uint32_t face, bspi_wedges *wedges,
                     const bspi_rad_around *around) {
    const bspi_rad *rad = f->rad;
    const bspi_rad_patch *patch = &rad->patches[number];
    for (uint32_t i = rad->firsts[face]; i < rad->firsts[face + 1]; i++) {
        const bspi_rad_patch *other = &rad->patches[i];
        if (i == number || is_far(patch, around, other) || holds(patch, other->middle, 0) ||
            (face != f->face && is_stopped(f, around->middle, other->middle))) {
            continue;
        }
        bspi_rad_spot on;
        bspi_rad_spot_set(rad->own, other->middle, face, &on);
        bspi_wedges_add(wedges, i, bspi_rad_flat(around, &on));
    }
}

static bool find_patch(const finder *f, uint32_t number, bspi_wedges *wedges, bsp_error *error) {
    bspi_rad *rad = f->rad;
    const bspi_rad_patch *patch = &rad->patches[number];
    bspi_rad_around *around = &rad->around[number];
    bspi_flat_spot corners[BSPI_PIECE_CORNERS];
    memcpy(around->axes[2], patch->normal, sizeof around->axes[2]);
    bspi_frame_of(patch->normal, around->axes[0], around->axes[1]);
    find_middle(patch, around);
    wedges->count = 0;
    for (uint32_t n = 0; n < f->num_faces; n++) {
        add_face(f, number, f->faces[n], wedges, around);
    }
    for (uint32_t i = 0; i < patch->num_corners; i++) {
        float way[3];
        for (int c = 0; c < 3; c++) {
            way[c] = patch->corners[i][c] - around->middle[c];
        }
        corners[i] =
            (bspi_flat_spot){bspi_dot(way, around->axes[0]), bspi_dot(way, around->axes[1])};
    }
    return bspi_wedges_make(wedges, corners, patch->num_corners, &rad->own->heap, around, error);
}

static bool find_face(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    bspi_rad *rad = user;
    uint32_t first = rad->firsts[item];
    uint32_t end = rad->firsts[item + 1];
    float dist;
    (void)worker;
    if (first == end) {
        return true;
    }
    bspi_heap *heap = &rad->own->heap;
    finder *f = bspi_heap_alloc(heap, sizeof *f, error);
    bspi_wedges *wedges = bspi_heap_alloc(heap, sizeof *wedges, error);
    bool done = f != NULL && wedges != NULL;
    if (done) {
        uint64_t others = 0;
        uint64_t steps = 0;
        *f = (finder){.rad = rad, .face = item};
        (void)bsp_surface_plane(rad->own->map, item, f->normal, &dist);
        f->num_faces = bspi_rad_faces(rad->own, item, f->faces, &steps);
        find_walls(f);
        for (uint32_t n = 0; n < f->num_faces; n++) {
            others += rad->firsts[f->faces[n] + 1] - rad->firsts[f->faces[n]];
        }
        done = bspi_heap_work(heap, steps / STEPS, error);
        for (uint32_t i = first; done && i < end; i++) {
            done = find_patch(f, i, wedges, error) && bspi_heap_work(heap, 8 + others, error);
        }
    }
    bspi_heap_free(heap, f, sizeof *f);
    bspi_heap_free(heap, wedges, sizeof *wedges);
    return done;
}

// --- all ----------------------------------------------------------------------------------------

bool bspi_rad_around_find(bspi_rad *rad, bsp_error *error) {
    bspi_relight *own = rad->own;
    rad->around = bspi_arena_zero(&own->arena, rad->num_patches, sizeof *rad->around, error);
    return rad->around != NULL && bspi_workers_each(bspi_heap_threads(&own->heap),
                                                    own->map->num_faces, find_face, rad, error);
}

void bspi_rad_around_free(bspi_rad *rad) {
    for (uint32_t i = 0; rad->around != NULL && i < rad->num_patches; i++) {
        bspi_wedges_free(&rad->own->heap, &rad->around[i]);
    }
}
