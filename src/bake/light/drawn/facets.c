// SPDX-License-Identifier: MIT
// Facets of surfaces: the triangles of the map, and of patches nets on the curve, as fine as its
// longest curve needs, without the lines that are straight. Rules: netradiant-custom,
// tools/quake3/q3map2 (light_bounce.cpp, mesh.cpp, patch.cpp).
#include "bake/light/drawn/facets.h"
#include "bake/light/drawn/drawn.h"

#include "bspkit/faces.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define COARSE 128.0f // units of a curve that is divided no further
#define MOST_TURNS 3u // that it is divided
#define LINE 0.1f     // units from a line: a row that lies on it is left out

// Points of a patch: columns x rows.
typedef struct net {
    bspi_drawn_corner *points; // in the heap
    uint32_t size[2];
    size_t room;
} net;

static bspi_drawn_corner *at(const net *n, uint32_t x, uint32_t y) {
    return &n->points[(size_t)y * n->size[0] + x];
}

static void mix(const bspi_drawn_corner *a, const bspi_drawn_corner *b, float part,
                bspi_drawn_corner *out) {
    bspi_drawn_corner c;
    for (int i = 0; i < 3; i++) {
        c.point[i] = a->point[i] + part * (b->point[i] - a->point[i]);
        c.normal[i] = a->normal[i] + part * (b->normal[i] - a->normal[i]);
    }
    for (int i = 0; i < 2; i++) {
        c.light[i] = a->light[i] + part * (b->light[i] - a->light[i]);
        c.uv[i] = a->uv[i] + part * (b->uv[i] - a->uv[i]);
    }
    c.vertex = a->vertex + part * (b->vertex - a->vertex);
    if (!(bspi_normalize(c.normal) > 0)) {
        memcpy(c.normal, a->normal, sizeof c.normal);
    }
    *out = c;
}

// --- patches ------------------------------------------------------------------------------------

static float edge_of(const bspi_drawn_corner *a, const bspi_drawn_corner *b, float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = b->point[i] - a->point[i];
    }
    return sqrtf(bspi_dot(out, out));
}

// Returns how often a net is to be divided.
static uint32_t turns_of(float longest) {
    uint32_t turns = 0;
    while (turns < MOST_TURNS && COARSE * (float)(1u << turns) < longest) {
        turns++;
    }
    return turns;
}

// Divides each curve along an axis into two.
static bool divide(bspi_relight *own, net *n, int axis, bsp_error *error) {
    uint64_t more = 2 * (uint64_t)(n->size[axis] - 1) + 1;
    uint64_t points = more * n->size[1 - axis];
    net out = {.size = {n->size[0], n->size[1]}};
    if (more > UINT32_MAX || points > SIZE_MAX / sizeof *out.points) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "a patch has too many points");
    }
    out.room = (size_t)points * sizeof *out.points;
    out.size[axis] = (uint32_t)more;
    out.points = bspi_heap_work(&own->heap, points, error)
                     ? bspi_heap_alloc(&own->heap, out.room, error)
                     : NULL;
    if (out.points == NULL) {
        return false;
    }
    for (uint32_t k = 0; k < n->size[1 - axis]; k++) {
        for (uint32_t i = 0; i < out.size[axis]; i++) {
            uint32_t first = i / 4 * 2; // of the curve
            uint32_t step = i % 4;
            uint32_t from[3];
            for (uint32_t c = 0; c < 3; c++) {
                from[c] = first + c < n->size[axis] ? first + c : n->size[axis] - 1;
            }
            const bspi_drawn_corner *p[3];
            for (int c = 0; c < 3; c++) {
                p[c] = axis == 0 ? at(n, from[c], k) : at(n, k, from[c]);
            }
            bspi_drawn_corner low = *p[0];
            bspi_drawn_corner high = *p[0];
            if (step != 0) {
                mix(p[0], p[1], 0.5f, &low);
                mix(p[1], p[2], 0.5f, &high);
            }
            bspi_drawn_corner *to = axis == 0 ? at(&out, i, k) : at(&out, k, i);
            mix(&low, &high, step == 1 ? 0 : step == 2 ? 0.5f : step == 3 ? 1 : 0, to);
        }
    }
    bspi_heap_free(&own->heap, n->points, n->room);
    *n = out;
    return true;
}

// Puts every second point along an axis onto the curve.
static void bend(const net *n, int axis) {
    for (uint32_t k = 0; k < n->size[1 - axis]; k++) {
        for (uint32_t i = 1; i + 1 < n->size[axis]; i += 2) {
            bspi_drawn_corner *p[3];
            bspi_drawn_corner middle;
            for (uint32_t c = 0; c < 3; c++) {
                p[c] = axis == 0 ? at(n, i + c - 1, k) : at(n, k, i + c - 1);
            }
            mix(p[0], p[2], 0.5f, &middle);
            float vertex = p[1]->vertex;
            float normal[3] = {p[1]->normal[0], p[1]->normal[1], p[1]->normal[2]};
            mix(p[1], &middle, 0.5f, p[1]);
            p[1]->vertex = vertex;
            memcpy(p[1]->normal, normal, sizeof normal);
        }
    }
}

// Returns the distance of a point from the line through two others.
static float from_line(const bspi_drawn_corner *a, const bspi_drawn_corner *b,
                       const bspi_drawn_corner *c) {
    float line[3];
    float way[3];
    float off[3];
    float length = edge_of(a, c, line);
    (void)edge_of(a, b, way);
    float along = length > 0 ? bspi_dot(way, line) / length : 0;
    for (int i = 0; i < 3; i++) {
        off[i] = way[i] - (length > 0 ? line[i] / length * along : 0);
    }
    return sqrtf(bspi_dot(off, off));
}

// Leaves out columns, or rows, that lie on lines between those beside them.
static void straighten(net *n, int axis) {
    uint32_t count = 1; // that stay
    const uint32_t size[2] = {n->size[0], n->size[1]};
    for (uint32_t i = 1; i < size[axis]; i++) {
        float most = 0;
        for (uint32_t k = 0; k < size[1 - axis] && i + 1 < size[axis]; k++) {
            const bspi_drawn_corner *a = axis == 0 ? at(n, count - 1, k) : at(n, k, count - 1);
            const bspi_drawn_corner *b = axis == 0 ? at(n, i, k) : at(n, k, i);
            const bspi_drawn_corner *c = axis == 0 ? at(n, i + 1, k) : at(n, k, i + 1);
            most = fmaxf(most, from_line(a, b, c));
        }
        if (i + 1 < size[axis] && most < LINE) {
            continue;
        }
        for (uint32_t k = 0; k < size[1 - axis]; k++) {
            *(axis == 0 ? at(n, count, k) : at(n, k, count)) =
                axis == 0 ? *at(n, i, k) : *at(n, k, i);
        }
        count++;
    }
    for (uint32_t y = 1; axis == 0 && y < size[1]; y++) { // rows lie side by side
        memmove(&n->points[(size_t)y * count], &n->points[(size_t)y * size[0]],
                count * sizeof *n->points);
    }
    n->size[axis] = count;
}

// --- facets -------------------------------------------------------------------------------------

// Adds a facet, clockwise, if it is one.
static void add(bspi_facets *facets, const bspi_drawn_corner *const corners[], uint32_t count) {
    bspi_facet *out = &facets->list[facets->count];
    float upright[3];
    float sum[3] = {0, 0, 0};
    bspi_triangle_cross(corners[0]->point, corners[1]->point, corners[2]->point, upright);
    for (uint32_t n = 0; n < count; n++) {
        for (int i = 0; i < 3; i++) {
            sum[i] += corners[n]->normal[i];
        }
    }
    float way = bspi_dot(upright, sum);
    if (!isfinite(way)) {
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        out->corners[n] = *corners[way > 0 && n != 0 ? count - n : n];
    }
    out->count = count;
    facets->count++;
}

// Is a quadrangle in a plane?
static bool is_flat(const bspi_drawn_corner *const corners[4], float flat) {
    float normal[3];
    float way[3];
    bspi_triangle_cross(corners[0]->point, corners[1]->point, corners[2]->point, normal);
    (void)edge_of(corners[0], corners[3], way);
    return bspi_normalize(normal) > 0 && fabsf(bspi_dot(normal, way)) < flat;
}

static bool add_net(bspi_relight *own, const net *n, float flat, bspi_facets *out,
                    bsp_error *error) {
    uint64_t quads = (uint64_t)(n->size[0] - 1) * (n->size[1] - 1);
    if (quads > SIZE_MAX / (2 * sizeof *out->list)) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "a patch has too many points");
    }
    out->size = (size_t)quads * 2 * sizeof *out->list;
    out->list = bspi_heap_work(&own->heap, 1 + quads, error)
                    ? bspi_heap_alloc(&own->heap, out->size, error)
                    : NULL;
    for (uint32_t y = 0; out->list != NULL && y + 1 < n->size[1]; y++) {
        for (uint32_t x = 0; x + 1 < n->size[0]; x++) {
            const bspi_drawn_corner *around[4] = {at(n, x, y), at(n, x, y + 1), at(n, x + 1, y + 1),
                                                  at(n, x + 1, y)};
            const bspi_drawn_corner *quad[4];
            for (uint32_t i = 0; i < 4; i++) { // those beside each other are cut the other way
                quad[i] = around[((x + y) % 2 + i) % 4];
            }
            if (is_flat(quad, flat)) {
                add(out, quad, 4);
                continue;
            }
            const bspi_drawn_corner *other[3] = {quad[0], quad[2], quad[3]};
            add(out, quad, 3);
            add(out, other, 3);
        }
    }
    return out->list != NULL;
}

static bool add_patch(bspi_relight *own, uint32_t number, const float page[2], float flat,
                      bspi_facets *out, bsp_error *error) {
    const bsp_face *face = &own->map->faces[number];
    net n = {.size = {face->patch_width, face->patch_height}};
    if (!bspi_drawn_is_patch(own->map, face)) {
        return true;
    }
    uint32_t points = face->patch_width * face->patch_height;
    n.room = points * sizeof *n.points;
    n.points = bspi_heap_work(&own->heap, 1 + (uint64_t)points, error)
                   ? bspi_heap_alloc(&own->heap, n.room, error)
                   : NULL;
    bool done = n.points != NULL;
    for (uint32_t i = 0; done && i < points; i++) {
        n.points[i] = bspi_drawn_corner_of(own, number, page, i);
    }
    for (uint32_t turn = done ? turns_of(own->drawn->curves[number]) : 0; done && turn != 0;
         turn--) {
        done = divide(own, &n, 0, error) && divide(own, &n, 1, error);
    }
    if (done) {
        bend(&n, 1);
        bend(&n, 0);
        straighten(&n, 0);
        straighten(&n, 1);
        done = add_net(own, &n, flat, out, error);
    }
    bspi_heap_free(&own->heap, n.points, n.room);
    return done;
}

static bool add_mesh(bspi_relight *own, uint32_t number, const float page[2], bspi_facets *out,
                     bsp_error *error) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[number];
    if ((uint64_t)face->first_index + face->num_indices > map->num_draw_indices) {
        return true;
    }
    out->size = (size_t)(face->num_indices / 3) * sizeof *out->list;
    out->list = bspi_heap_work(&own->heap, 1 + face->num_indices, error)
                    ? bspi_heap_alloc(&own->heap, out->size, error)
                    : NULL;
    for (uint32_t n = 0; out->list != NULL && n + 2 < face->num_indices; n += 3) {
        bspi_drawn_corner corners[3];
        const bspi_drawn_corner *of[3] = {&corners[0], &corners[1], &corners[2]};
        bool sound = true;
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t index = map->draw_indices[face->first_index + n + i];
            bool there = (uint64_t)face->first_vert + index < map->num_draw_verts;
            sound = sound && there;
            corners[i] =
                there ? bspi_drawn_corner_of(own, number, page, index) : (bspi_drawn_corner){0};
        }
        if (sound) {
            add(out, of, 3);
        }
    }
    return out->list != NULL;
}

bool bspi_facets_of(bspi_relight *own, uint32_t face, float flat, bspi_facets *out,
                    bsp_error *error) {
    bsp_face_type type = own->map->faces[face].type;
    float size[2];
    *out = (bspi_facets){.list = NULL};
    bspi_drawn_page_size(own, face, size);
    return type == BSP_FACE_PATCH ? add_patch(own, face, size, flat, out, error)
           : type == BSP_FACE_POLYGON || type == BSP_FACE_MESH
               ? add_mesh(own, face, size, out, error)
               : true;
}

void bspi_facets_free(bspi_relight *own, bspi_facets *facets) {
    bspi_heap_free(&own->heap, facets->list, facets->size);
    *facets = (bspi_facets){.list = NULL};
}
