// SPDX-License-Identifier: MIT
// Queries and traces on damaged maps: they end, stay inside the map, and the fast walk finds what
// the plain test finds in maps whose brushes are still solids, without patches and displacements
// (tests/test_query_corpus.c compares those on whole maps).
#include "meter.h"

#include "bspkit/mesh.h"
#include "query/index.h"

#include <stdlib.h>
#include <string.h>

#define TRACES 24
#define SANE 65536.0f        // coordinates at which floats are still exact enough
#define MOST_CONVEXES 20000u // with more the plain test is slow
#define MOST_SIDES 128u      // of a brush, in every compiler

// Returns true if every brush is a bounded solid, by all its sides and by those that are not
// bevels.
static bool sane_brushes(const bsp_map *map) {
    bsp_error error;
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(map, NULL, &error);
    bool sane = mesh != NULL;
    for (uint32_t i = 0; sane && i < map->num_brushes; i++) {
        const bsp_brush *brush = &map->brushes[i];
        sane = mesh->hulls[i].state == BSP_BRUSH_CLOSED && brush->num_sides <= MOST_SIDES;
        for (uint32_t s = 0; sane && s < brush->num_sides; s++) {
            const bsp_brush_side *side = &map->brush_sides[brush->first_side + s];
            sane = side->bevel == 0 && side->plane != BSP_NONE;
        }
    }
    bsp_brush_mesh_free(mesh);
    return sane;
}

static bool sane_map(const bsp_map *map) {
    for (uint32_t i = 0; i < map->num_planes; i++) {
        const bsp_plane *p = &map->planes[i];
        float square =
            p->normal[0] * p->normal[0] + p->normal[1] * p->normal[1] + p->normal[2] * p->normal[2];
        if (!(square > 0.99f && square < 1.01f) || !(p->dist > -SANE && p->dist < SANE)) {
            return false;
        }
    }
    return map->num_displacements == 0 && map->num_draw_verts == 0 && sane_brushes(map);
}

static float number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(int32_t)(*seed >> 8) / 16384.0f - 512.0f;
}

static void trace(const bsp_file *file, const bsp_map *map, const bsp_trace_index *index,
                  uint32_t seed) {
    bool sane = sane_map(map) && index->num_convexes < MOST_CONVEXES;
    for (int i = 0; i < TRACES; i++) {
        bsp_trace_input in;
        bsp_trace_result fast, plain;
        memset(&in, 0, sizeof in);
        memset(&fast, 0, sizeof fast);
        memset(&plain, 0, sizeof plain);
        for (int k = 0; k < 3; k++) {
            in.start[k] = number(&seed);
            in.end[k] = number(&seed);
            in.mins[k] = i % 2 == 0 ? 0 : -16;
            in.maxs[k] = i % 2 == 0 ? 0 : 16;
        }
        in.mask = i % 3 == 0 ? UINT32_MAX : 0;
        in.model = i % 5 == 0 ? BSP_TRACE_ALL : 0;
        bsp_trace(index, &in, &fast);
        FUZZ_CHECK(!(fast.fraction < 0) && !(fast.fraction > 1));
        if (sane) {
            bspi_trace_with(index, &bspi_tracer_plain, &in, &plain);
            FUZZ_CHECK(memcmp(&fast, &plain, sizeof fast) == 0);
        }
        uint32_t leaf = bsp_query_leaf(map, in.start);
        FUZZ_CHECK(leaf == BSP_NONE || leaf < map->num_leaves);
        (void)bsp_query_contents(map, 0, in.start);
        (void)bsp_query_light(map, file, in.start);
    }
}

static void look(const bsp_map *map, uint32_t seed) {
    float point[3] = {number(&seed), number(&seed), number(&seed)};
    float high[3] = {point[0] + 100, point[1] + 100, point[2] + 100};
    uint8_t *row = malloc((size_t)map->visibility.row_bytes + 1);
    uint32_t *leaves = malloc(((size_t)map->num_leaves + 1) * sizeof *leaves);
    uint8_t *faces = malloc(((size_t)map->num_faces + 7) / 8 + 1);
    uint32_t *flood = malloc(((size_t)map->num_areas + 1) * sizeof *flood);
    FUZZ_CHECK(row != NULL && leaves != NULL && faces != NULL && flood != NULL);
    (void)bsp_query_visible_leaves(map, point, row, leaves, map->num_leaves);
    (void)bsp_query_visible_faces(map, point, row, faces);
    (void)bsp_query_box_leaves(map, 0, point, high, leaves, map->num_leaves);
    (void)bsp_query_areas(map, NULL, 0, flood);
    free(row);
    free(leaves);
    free(faces);
    free(flood);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    bsp_file *file = bsp_file_open_memory(bytes, NULL, NULL);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, NULL);
    bsp_error error = {0};
    bsp_trace_index *index = map == NULL ? NULL : bsp_trace_index_new(map, NULL, &error);
    FUZZ_CHECK(map == NULL || index != NULL || error.code == BSP_E_LIMIT ||
               error.code == BSP_E_UNSUPPORTED);
    if (index != NULL) {
        trace(file, map, index, bsp_crc32(0, bytes));
        look(map, bsp_crc32(1, bytes));
    }
    bsp_trace_index_free(index);
    bsp_map_free(map);
    bsp_file_close(file);
    return 0;
}
