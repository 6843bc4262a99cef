// SPDX-License-Identifier: MIT
// The hulls around displacements. A triangle names three edges, and an edge two vertices of the
// displacement, counted from the hull's first: the first triangle that names an edge goes along
// it, the second goes back. Format: sheet source-lumps, section 7.
#include "formats/composites.h"
#include "mesh/disp_grid.h"
#include "mesh/physics.h"

#include <math.h>
#include <string.h>

#define MOST_EDGES 256u // an edge is a byte

/// A displacement whose hulls are added.
typedef struct disp_hulls {
    bspi_physics_builder *b;
    float points[BSPI_DISP_MOST][3];
    uint32_t num_points;
    uint32_t solid;
} disp_hulls;

// Sets the vertices that the triangles go through. False if one of them is not there.
static bool walk(const disp_hulls *d, const bsp_table *triangles, const bsp_table *edges,
                 uint32_t base, uint32_t *corners) {
    bool used[MOST_EDGES] = {false};
    for (uint32_t t = 0; t < triangles->count; t++) {
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t edge = (uint32_t)bsp_table_int(triangles, t, 0, i);
            if (edge >= edges->count) {
                return false;
            }
            uint32_t vertex = base + (uint32_t)bsp_table_int(edges, edge, 0, used[edge] ? 1 : 0);
            used[edge] = true;
            if (vertex >= d->num_points) {
                return false;
            }
            corners[t * 3 + i] = vertex;
        }
    }
    return true;
}

// Adds a hull, with the vertices that it uses in their order.
static bool add_hull(disp_hulls *d, const bsp_table *triangles, const bsp_table *edges,
                     uint32_t base) {
    uint32_t corners[3 * UINT8_MAX];
    uint32_t numbers[BSPI_DISP_MOST];
    uint32_t count = 0;
    if (triangles->count == 0 || triangles->count > UINT8_MAX ||
        !walk(d, triangles, edges, base, corners)) {
        return true;
    }
    memset(numbers, 0xFF, sizeof numbers);
    for (uint32_t i = 0; i < triangles->count * 3; i++) {
        numbers[corners[i]] = 0;
    }
    for (uint32_t v = 0; v < d->num_points; v++) {
        count += numbers[v] == 0;
        numbers[v] = numbers[v] == 0 ? count - 1 : BSP_NONE;
    }
    bspi_physics_builder *b = d->b;
    bspi_solid_piece *piece =
        bspi_solid_pieces_new(&b->pieces, d->solid, count, triangles->count, b->heap, b->error);
    if (piece == NULL) {
        return false;
    }
    for (uint32_t v = 0; v < d->num_points; v++) {
        if (numbers[v] != BSP_NONE) {
            memcpy(b->pieces.points[piece->first_point + numbers[v]], d->points[v],
                   sizeof *d->points);
        }
    }
    for (uint32_t i = 0; i < triangles->count * 3; i++) {
        b->pieces.indices[piece->first_index + i] = numbers[corners[i]];
    }
    return bspi_heap_work(b->heap, (uint64_t)triangles->count * 3 + d->num_points, b->error);
}

// Adds the hulls of a blob: heads, then for each of them its triangles and its edges.
static bool add_blob(disp_hulls *d, const bsp_parts *parts, uint32_t group) {
    uint32_t heads = group + 2; // after the count
    uint32_t list = group + 3;
    if (parts->parts[group].end <= list || parts->parts[list].kind != BSP_PART_LIST) {
        return true;
    }
    bsp_table head = bsp_parts_table(parts, heads);
    uint32_t n = 0;
    for (uint32_t i = list + 1; i < parts->parts[list].end; i = parts->parts[i].end, n++) {
        bsp_table triangles = bsp_parts_table(parts, i + 1);
        bsp_table edges = bsp_parts_table(parts, i + 2);
        uint32_t base = (uint32_t)bsp_table_int(&head, n, BSPI_PACKED_HULL_BASE, 0);
        if (!add_hull(d, &triangles, &edges, base)) {
            return false;
        }
    }
    return true;
}

static bool place(disp_hulls *d, uint32_t number) {
    const bsp_map *map = d->b->map;
    float bases[BSPI_DISP_MOST][3];
    uint32_t face = number < map->num_displacements ? map->displacements[number].face : BSP_NONE;
    if (!bspi_disp_is_sound(map, number, face)) {
        return false;
    }
    uint32_t side = bspi_disp_side(map->displacements[number].power);
    d->num_points = side * side;
    bool finite = bspi_disp_grid(map, number, face, bases, d->points);
    for (uint32_t i = 0; finite && i < d->num_points; i++) {
        finite =
            isfinite(d->points[i][0]) && isfinite(d->points[i][1]) && isfinite(d->points[i][2]);
    }
    return finite;
}

bool bspi_physics_add_displacements(bspi_physics_builder *b, const bsp_parts *parts) {
    uint32_t list = bsp_parts_find(parts, bsp_text_of("blobs"));
    uint32_t end = list == BSP_NONE ? 0 : parts->parts[list].end;
    uint32_t number = 0;
    for (uint32_t i = list + 1; i < end; i = parts->parts[i].end, number++) {
        disp_hulls d = {.b = b, .solid = b->num_solids};
        if (parts->parts[i].kind != BSP_PART_GROUP || !place(&d, number)) {
            continue;
        }
        if (bspi_physics_solid_new(b, BSP_PHYSICS_DISPLACEMENT, number) == NULL) {
            return false;
        }
        uint32_t first = b->pieces.count;
        if (!add_blob(&d, parts, i)) {
            return false;
        }
        b->solids[d.solid].num_pieces = b->pieces.count - first;
        b->solids[d.solid].contents = (uint32_t)b->map->displacements[number].contents;
    }
    return true;
}
