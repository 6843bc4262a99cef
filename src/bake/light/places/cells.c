// SPDX-License-Identifier: MIT
// Facts: sheet bake, 3.2; BuildFacesamples and GetPhongNormal of lightmap.cpp of the Source SDK.
#include "bake/light/faces/face_area.h"
#include "bake/light/places/cells.h"
#include "bake/light/places/places.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST_CORNERS 1024u
#define LEAST_AREA 1e-6f // square luxels: less is no piece
#define FLAT 1e-3f       // of a cosine: normals that differ by less are one

// --- cutting ------------------------------------------------------------------------------------

typedef struct piece {
    float (*points)[2];
    uint32_t count;
} piece;

// Keeps the part of a polygon where axis `axis` is at least `edge` (`sign` 1) or at most (-1).
static void clip(const piece *from, int axis, float edge, float sign, piece *to) {
    to->count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const float *a = from->points[i];
        const float *b = from->points[(i + 1) % from->count];
        float in = sign * (a[axis] - edge);
        float next = sign * (b[axis] - edge);
        if (in >= 0) {
            memcpy(to->points[to->count++], a, sizeof(float[2]));
        }
        if ((in < 0) != (next < 0)) {
            float part = in / (in - next);
            float *out = to->points[to->count++];
            out[1 - axis] = a[1 - axis] + part * (b[1 - axis] - a[1 - axis]);
            out[axis] = edge;
        }
    }
}

// Sets the area's centre and the bounds of a piece.
static void measure(const piece *p, bspi_cell *out) {
    float total = 0;
    float sum[2] = {0, 0};
    *out = (bspi_cell){.mins = {INFINITY, INFINITY}, .maxs = {-INFINITY, -INFINITY}};
    for (uint32_t i = 2; i < p->count; i++) {
        const float *a = p->points[0];
        const float *b = p->points[i - 1];
        const float *c = p->points[i];
        float area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        total += area;
        for (int k = 0; k < 2; k++) {
            sum[k] += area * (a[k] + b[k] + c[k]) / 3;
        }
    }
    out->area = fabsf(total) / 2;
    for (uint32_t i = 0; i < p->count && fabsf(total) > LEAST_AREA; i++) {
        for (int k = 0; k < 2; k++) {
            out->mins[k] = fminf(out->mins[k], p->points[i][k]);
            out->maxs[k] = fmaxf(out->maxs[k], p->points[i][k]);
            out->at[k] = sum[k] / total;
        }
    }
}

static bool cut(bspi_relight *own, bspi_cells *cells, bsp_error *error) {
    uint32_t room = cells->num_corners + 8;
    size_t size = 3 * (size_t)room * sizeof(float[2]);
    float(*points)[2] = bspi_heap_alloc(&own->heap, size, error);
    if (points == NULL) {
        return false;
    }
    piece whole = {points, cells->num_corners};
    piece a = {points + room, 0};
    piece b = {points + 2 * (size_t)room, 0};
    uint32_t n = 0;
    for (uint32_t y = 0; y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++, n++) {
            whole.count = cells->num_corners;
            for (uint32_t i = 0; i < whole.count; i++) {
                memcpy(whole.points[i], cells->corners[i].light, sizeof(float[2]));
            }
            clip(&whole, 1, (float)y, 1, &a);
            clip(&a, 1, (float)y + 1, -1, &b);
            clip(&b, 0, (float)x, 1, &a);
            clip(&a, 0, (float)x + 1, -1, &b);
            measure(&b, &cells->list[n]);
        }
    }
    bspi_heap_free(&own->heap, points, size);
    return bspi_heap_work(&own->heap, (uint64_t)cells->count * cells->num_corners, error);
}

// --- normals ------------------------------------------------------------------------------------

// The normal that the map has for a corner of the face, or that of its plane.
static const float *corner_normal(const bspi_relight *own, const bspi_cells *cells,
                                  uint32_t corner) {
    const bsp_map *map = own->map;
    uint64_t at = (uint64_t)own->first_corners[cells->face] + corner;
    uint32_t number = at < map->num_vert_normal_indices ? map->vert_normal_indices[at] : BSP_NONE;
    const float *normal =
        number < map->num_vert_normals ? map->vert_normals[number].point : cells->flat.normal;
    return bspi_dot(normal, normal) > 0.25f ? normal : cells->flat.normal;
}

static bool is_smooth(const bspi_relight *own, const bspi_cells *cells) {
    bool smooth = false;
    for (uint32_t i = 0; i < cells->num_corners; i++) {
        smooth = smooth || bspi_dot(corner_normal(own, cells, i), cells->flat.normal) < 1 - FLAT;
    }
    return smooth;
}

// Mixes the normals of the middle and of the two corners that a point lies between.
static void bend(const bspi_relight *own, const bspi_cells *cells, const float point[3],
                 float out[3]) {
    memcpy(out, cells->flat.normal, sizeof cells->flat.normal);
    for (uint32_t i = 0; cells->smooth && i < cells->num_corners; i++) {
        uint32_t next = (i + 1) % cells->num_corners;
        float a[3];
        float b[3];
        float way[3];
        for (int k = 0; k < 3; k++) {
            a[k] = cells->corners[i].point[k] - cells->middle[k];
            b[k] = cells->corners[next].point[k] - cells->middle[k];
            way[k] = point[k] - cells->middle[k];
        }
        float bb = bspi_dot(b, b);
        float ab = bspi_dot(a, b);
        float det = bspi_dot(a, a) * bb - ab * ab;
        float u = (bb * bspi_dot(a, way) - ab * bspi_dot(way, b)) / det;
        float v = (bspi_dot(way, b) - u * ab) / bb;
        if (!(det > 0 && u >= 0 && v >= 0)) {
            continue;
        }
        const float *first = corner_normal(own, cells, i);
        const float *second = corner_normal(own, cells, next);
        for (int k = 0; k < 3; k++) {
            out[k] = cells->flat.normal[k] * (1 - u - v) + first[k] * u + second[k] * v;
        }
        if (!(bspi_normalize(out) > 0)) {
            memcpy(out, cells->flat.normal, sizeof cells->flat.normal);
        }
    }
}

// --- a face -------------------------------------------------------------------------------------

static bool allocate(bspi_relight *own, bspi_cells *out, bsp_error *error) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[out->face];
    if (face->num_edges < 3 || face->num_edges > MOST_CORNERS || face->displacement != BSP_NONE ||
        face->texinfo >= map->num_texinfos ||
        !bspi_luxels_place(&own->source, out->face, &out->luxels) ||
        out->luxels.width > BSPI_MAX_LUXELS || out->luxels.height > BSPI_MAX_LUXELS) {
        return true;
    }
    out->corners = bspi_heap_alloc(&own->heap, face->num_edges * sizeof *out->corners, error);
    if (out->corners == NULL) {
        return false;
    }
    out->num_corners = bsp_surface_corners(map, out->face, out->corners, face->num_edges);
    if (out->num_corners != face->num_edges ||
        !bsp_surface_plane(map, out->face, out->flat.normal, &out->flat.dist) ||
        !bspi_flat_find(&out->flat, &out->luxels)) {
        return true;
    }
    out->width = out->luxels.width;
    out->height = out->luxels.height;
    out->list =
        bspi_heap_alloc(&own->heap, (size_t)out->width * out->height * sizeof *out->list, error);
    out->count = out->list == NULL ? 0 : out->width * out->height;
    return out->list != NULL;
}

bool bspi_cells_find(bspi_relight *own, uint32_t face, bspi_cells *out, bsp_error *error) {
    memset(out, 0, sizeof *out);
    out->face = face;
    if (!allocate(own, out, error) || (out->count != 0 && !cut(own, out, error))) {
        bspi_cells_free(own, out);
        return false;
    }
    for (uint32_t i = 0; out->count != 0 && i < out->num_corners; i++) {
        for (int k = 0; k < 3; k++) {
            out->middle[k] += out->corners[i].point[k] / (float)out->num_corners;
        }
    }
    out->smooth = out->count != 0 && is_smooth(own, out);
    return true;
}

void bspi_cells_free(bspi_relight *own, bspi_cells *cells) {
    bspi_heap_free(&own->heap, cells->list, cells->count * sizeof *cells->list);
    bspi_heap_free(&own->heap, cells->corners,
                   own->map->faces[cells->face].num_edges * sizeof *cells->corners);
    cells->list = NULL;
    cells->corners = NULL;
    cells->count = 0;
}

// --- places -------------------------------------------------------------------------------------

bool bspi_cells_places(bspi_relight *own, const bspi_cells *cells, const float (*at)[2],
                       uint32_t count, uint32_t width, bspi_places *out, bsp_error *error) {
    const float *origin = own->models[own->face_models[cells->face]].origin;
    const bsp_texinfo *texinfo = &own->map->texinfos[own->map->faces[cells->face].texinfo];
    *out = (bspi_places){.count = count,
                         .width = width,
                         .height = count / width,
                         .extra = 1,
                         .step = 1,
                         .hill = cells->smooth,
                         .directions = cells->luxels.blocks};
    out->points = bspi_heap_alloc(&own->heap, count * sizeof *out->points, error);
    out->normals = bspi_heap_alloc(&own->heap, count * sizeof *out->normals, error);
    out->lit = bspi_heap_alloc(&own->heap, count, error);
    if (out->points == NULL || out->normals == NULL || out->lit == NULL ||
        !bspi_heap_work(&own->heap, 16 * (uint64_t)count, error)) {
        bspi_places_free(own, out);
        return false;
    }
    memcpy(out->normal, cells->flat.normal, sizeof out->normal);
    memcpy(out->texture[0], texinfo->texture[0], sizeof out->texture[0]);
    memcpy(out->texture[1], texinfo->texture[1], sizeof out->texture[1]);
    out->area = bspi_corners_area(cells->corners, cells->num_corners);
    for (uint32_t n = 0; n < count; n++) {
        bspi_flat_point(&cells->flat, at[n][0], at[n][1], out->points[n]);
        bend(own, cells, out->points[n], out->normals[n]);
        for (int k = 0; k < 3; k++) {
            out->points[n][k] += origin[k] + cells->flat.normal[k] * own->scale.lift;
        }
        out->lit[n] = true;
    }
    bspi_places_enclose(out);
    return true;
}
