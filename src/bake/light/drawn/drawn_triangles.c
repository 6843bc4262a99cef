// SPDX-License-Identifier: MIT
// Quake 3: the triangles of surfaces, with their places on pages of light and on pictures.
#include "bake/light/drawn/drawn.h"
#include "bake/light/drawn/facets.h"

#include "bspkit/faces.h"

#include <string.h>

#define PIECES 8u // of a patch's 3x3 control points, along each axis

static void put(bspi_triangle *out, int at, const bspi_drawn_corner *from) {
    memcpy(out->points[at], from->point, sizeof from->point);
    memcpy(out->normals[at], from->normal, sizeof from->normal);
    memcpy(out->light[at], from->light, sizeof from->light);
    memcpy(out->uv[at], from->uv, sizeof from->uv);
}

// Returns a point of the surface that 3x3 control points span.
static bspi_drawn_corner bent(const bspi_drawn_corner knots[9], float u, float v) {
    const float a[3] = {(1 - u) * (1 - u), 2 * u * (1 - u), u * u};
    const float b[3] = {(1 - v) * (1 - v), 2 * v * (1 - v), v * v};
    bspi_drawn_corner c = {.vertex = 0};
    for (int n = 0; n < 9; n++) {
        float weight = a[n % 3] * b[n / 3];
        for (int i = 0; i < 3; i++) {
            c.point[i] += weight * knots[n].point[i];
            c.normal[i] += weight * knots[n].normal[i];
        }
        for (int i = 0; i < 2; i++) {
            c.light[i] += weight * knots[n].light[i];
            c.uv[i] += weight * knots[n].uv[i];
        }
    }
    return c;
}

static void bend(const bspi_drawn_corner knots[9], bspi_triangle *out) {
    for (uint32_t n = 0; n < PIECES * PIECES; n++, out += 2) {
        float u = (float)(n % PIECES) / PIECES;
        float v = (float)(n / PIECES) / PIECES;
        const float step = 1.0f / PIECES;
        bspi_drawn_corner c[4] = {bent(knots, u, v), bent(knots, u, v + step),
                                  bent(knots, u + step, v + step), bent(knots, u + step, v)};
        for (int i = 0; i < 3; i++) {
            put(&out[0], i, &c[i]);
            put(&out[1], i, &c[(i + 2) % 4]);
        }
    }
}

// Returns how many triangles a face has at most.
static uint64_t most_triangles(const bsp_map *map, const bsp_face *face) {
    if (face->type == BSP_FACE_PATCH) {
        uint64_t cells = (uint64_t)(face->patch_width / 2) * (face->patch_height / 2);
        return bspi_drawn_is_patch(map, face) ? cells * PIECES * PIECES * 2 : 0;
    }
    bool sound = (face->type == BSP_FACE_POLYGON || face->type == BSP_FACE_MESH) &&
                 (uint64_t)face->first_index + face->num_indices <= map->num_draw_indices;
    return sound ? face->num_indices / 3 : 0;
}

static uint32_t bend_patch(const bspi_relight *own, uint32_t number, bspi_triangle *out) {
    const bsp_face *face = &own->map->faces[number];
    float size[2];
    uint32_t count = 0;
    bspi_drawn_page_size(own, number, size);
    for (uint32_t y = 0; y + 2 < face->patch_height; y += 2) {
        for (uint32_t x = 0; x + 2 < face->patch_width; x += 2) {
            bspi_drawn_corner knots[9];
            for (uint32_t n = 0; n < 9; n++) {
                uint32_t at = (y + n / 3) * face->patch_width + x + n % 3;
                knots[n] = bspi_drawn_corner_of(own, number, size, at);
            }
            bend(knots, out + count);
            count += PIECES * PIECES * 2;
        }
    }
    return count;
}

static uint32_t copy_mesh(const bspi_relight *own, uint32_t number, bspi_triangle *out) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[number];
    float size[2];
    uint32_t count = 0;
    bspi_drawn_page_size(own, number, size);
    for (uint32_t n = 0; n + 2 < face->num_indices; n += 3) {
        bool sound = true;
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t index = map->draw_indices[face->first_index + n + i];
            sound = sound && (uint64_t)face->first_vert + index < map->num_draw_verts;
            if (sound) {
                bspi_drawn_corner c = bspi_drawn_corner_of(own, number, size, index);
                put(&out[count], (int)i, &c);
            }
        }
        count += sound;
    }
    return count;
}

// The same of a patch whose facets are known: light is measured on these, as shadows are theirs.
static bool take_facets(bspi_relight *own, uint32_t face, bspi_triangles *out, bsp_error *error) {
    bspi_facets facets;
    bool done = bspi_facets_of(own, face, BSPI_FACET_THROWS, &facets, error);
    out->size = (size_t)facets.count * 2 * sizeof *out->list;
    out->list = done ? bspi_heap_alloc(&own->heap, out->size, error) : NULL;
    for (uint32_t n = 0; out->list != NULL && n < facets.count; n++) {
        const bspi_facet *facet = &facets.list[n];
        for (uint32_t second = 1; second + 1 < facet->count; second++, out->count++) {
            put(&out->list[out->count], 0, &facet->corners[0]);
            put(&out->list[out->count], 1, &facet->corners[second]);
            put(&out->list[out->count], 2, &facet->corners[second + 1]);
        }
    }
    bspi_facets_free(own, &facets);
    return out->list != NULL;
}

static bool find(bspi_relight *own, uint32_t face, bspi_triangles *out, bsp_error *error) {
    uint64_t most = most_triangles(own->map, &own->map->faces[face]);
    memset(out, 0, sizeof *out);
    if (own->drawn->curves != NULL && own->map->faces[face].type == BSP_FACE_PATCH) {
        return take_facets(own, face, out, error);
    }
    if (most > UINT32_MAX || !bspi_multiply((size_t)most, sizeof *out->list, &out->size)) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "face %u has too many triangles", (unsigned)face);
    }
    out->list = bspi_heap_work(&own->heap, 1 + most, error)
                    ? bspi_heap_alloc(&own->heap, out->size, error)
                    : NULL;
    if (out->list == NULL) {
        return false;
    }
    bool patch = own->map->faces[face].type == BSP_FACE_PATCH;
    out->count = most == 0 ? 0
                 : patch   ? bend_patch(own, face, out->list)
                           : copy_mesh(own, face, out->list);
    return true;
}

bool bspi_triangles_of(bspi_relight *own, uint32_t face, bspi_triangles *out, bsp_error *error) {
    bool done = find(own, face, out, error);
    for (uint32_t n = 0; done && n < out->count; n++) {
        out->list[n].face = face;
    }
    return done;
}

void bspi_triangles_free(bspi_relight *own, bspi_triangles *triangles) {
    bspi_heap_free(&own->heap, triangles->list, triangles->size);
    triangles->list = NULL;
}
