// SPDX-License-Identifier: MIT
// A convex solid with shared vertices: its room, its beginning as a box, the sides of a plane on
// which it is, and the removal of what no cut uses any more.
#include "mesh/polyhedron.h"

#include <string.h>

#define BORDER_PER_SIDE 16u
#define VERTICES_PER_SIDE 16u
#define BOX_SIDES 6u

bool bspi_polyhedron_init(bspi_polyhedron *solid, uint32_t sides, bspi_arena *arena,
                          bsp_error *error) {
    memset(solid, 0, sizeof *solid);
    uint32_t total = (sides < BSPI_MAX_SIDES ? sides : BSPI_MAX_SIDES) + BOX_SIDES;
    solid->room_vertices = total * VERTICES_PER_SIDE;
    solid->room_corners = total * BSPI_CORNERS_PER_SIDE;
    solid->room_border = total * BORDER_PER_SIDE;
    solid->room_polygons = total;
    double *numbers = bspi_arena_raw(arena, solid->room_vertices, 4 * sizeof *numbers, error);
    solid->ages = bspi_arena_raw(arena, solid->room_vertices, sizeof *solid->ages, error);
    solid->made = bspi_arena_raw(arena, solid->room_border, sizeof *solid->made, error);
    solid->border = bspi_arena_raw(arena, solid->room_border, sizeof *solid->border, error);
    uint32_t room_corners = solid->room_corners + BSPI_CORNERS_SPARE;
    solid->corners = bspi_arena_raw(arena, room_corners, sizeof(uint32_t), error);
    bool spare = true;
    for (int i = 0; i < 2; i++) {
        solid->spare[i] = bspi_arena_raw(arena, room_corners, sizeof(uint32_t), error);
        solid->spare_polygons[i] = bspi_arena_raw(arena, total, sizeof *solid->polygons, error);
        spare = spare && solid->spare[i] != NULL && solid->spare_polygons[i] != NULL;
    }
    solid->polygons = bspi_arena_raw(arena, total, sizeof *solid->polygons, error);
    if (numbers == NULL || solid->ages == NULL || solid->made == NULL || solid->border == NULL ||
        solid->corners == NULL || solid->polygons == NULL || !spare) {
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        solid->at[i] = numbers + (size_t)i * solid->room_vertices;
    }
    solid->distance = numbers + (size_t)3 * solid->room_vertices;
    return true;
}

void bspi_polyhedron_bounds(bspi_polyhedron *solid, const double mins[3], const double maxs[3],
                            const uint32_t tags[6]) {
    // Vertex n: bit 0 is +X, bit 1 +Y, bit 2 +Z. Counter-clockwise from outside.
    static const uint32_t faces[BOX_SIDES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (uint32_t v = 0; v < 8; v++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            solid->at[axis][v] = (v >> axis & 1) != 0 ? maxs[axis] : mins[axis];
        }
        solid->ages[v] = v;
    }
    for (uint32_t f = 0; f < BOX_SIDES; f++) {
        const uint32_t *c = faces[f];
        uint64_t uses =
            UINT64_C(1) << c[0] | UINT64_C(1) << c[1] | UINT64_C(1) << c[2] | UINT64_C(1) << c[3];
        solid->polygons[f] = (bspi_cut_polygon){uses, tags[f], f * 4, 4};
    }
    memcpy(solid->corners, faces, sizeof faces);
    solid->num_vertices = 8;
    solid->next_age = 8;
    solid->num_polygons = BOX_SIDES;
    solid->num_corners = BOX_SIDES * 4;
    solid->used_corners = BOX_SIDES * 4;
    solid->used = 0xFF;
    solid->small = true;
    solid->failed = false;
}

void bspi_polyhedron_box(bspi_polyhedron *solid, double size) {
    const double mins[3] = {-size, -size, -size};
    const double maxs[3] = {size, size, size};
    const uint32_t tags[6] = {BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE};
    bspi_polyhedron_bounds(solid, mins, maxs, tags);
}

// --- sides of a plane ---------------------------------------------------------------------------

// Two vertices at a time.
typedef double pair __attribute__((vector_size(16)));
typedef uint64_t pair_bits __attribute__((vector_size(16)));

static pair load_pair(const double *from) {
    pair p;
    memcpy(&p, from, sizeof p);
    return p;
}

// Computes the distances of all vertices, and the sides of the first of them (those of a small
// solid). The number after an odd last one is computed too, and used by no polygon.
static void measure(bspi_polyhedron *solid, const double normal[3], double dist, double epsilon) {
    const pair n[3] = {{normal[0], normal[0]}, {normal[1], normal[1]}, {normal[2], normal[2]}};
    const pair d = {dist, dist};
    const pair least = {epsilon, epsilon};
    const pair zero = {0, 0};
    const pair_bits magnitude = {INT64_MAX, INT64_MAX};
    pair_bits bits = {1, 2};
    pair_bits above = {0, 0};
    pair_bits back = {0, 0};
    for (uint32_t v = 0; v < solid->num_vertices; v += 2) {
        pair distance = n[0] * load_pair(solid->at[0] + v) + n[1] * load_pair(solid->at[1] + v) +
                        n[2] * load_pair(solid->at[2] + v) - d;
        pair_bits far = ~(pair_bits)((pair)((pair_bits)distance & magnitude) < least);
        distance = (pair)((pair_bits)distance & far);
        memcpy(solid->distance + v, &distance, sizeof distance);
        above |= (pair_bits)(distance > zero) & bits;
        back |= (pair_bits)(distance < zero) & bits;
        bits += bits;
        bits += bits;
    }
    solid->sides.above = above[0] | above[1];
    solid->sides.back = back[0] | back[1];
}

static uint32_t sides_of_small(const bspi_polyhedron *solid) {
    uint64_t used = solid->used;
    return ((solid->sides.above & used) != 0 ? 1u : 0) | ((solid->sides.back & used) != 0 ? 2u : 0);
}

static uint32_t sides_of_large(const bspi_polyhedron *solid) {
    uint32_t sides = 0;
    for (uint32_t p = 0; p < solid->num_polygons && sides != 3; p++) {
        const uint32_t *corners = solid->corners + solid->polygons[p].first;
        for (uint32_t c = 0; c < solid->polygons[p].count; c++) {
            double distance = solid->distance[corners[c]];
            sides |= (distance > 0 ? 1u : 0) | (distance < 0 ? 2u : 0);
        }
    }
    return sides;
}

uint32_t bspi_polyhedron_sides(bspi_polyhedron *solid, const double normal[3], double dist,
                               double epsilon) {
    measure(solid, normal, dist, epsilon);
    return solid->small ? sides_of_small(solid) : sides_of_large(solid);
}

uint32_t bspi_polyhedron_turn(bspi_polyhedron *solid, uint32_t sides) {
    for (uint32_t v = 0; v < solid->num_vertices; v++) {
        solid->distance[v] = -solid->distance[v];
    }
    solid->sides = (bspi_cut_sides){solid->sides.back, solid->sides.above};
    return (sides >> 1 | sides << 1) & 3;
}

// --- removing what is not used ------------------------------------------------------------------

// Gives the vertices that are used new numbers, and returns how many there are.
static uint32_t renumber(bspi_polyhedron *solid, uint32_t *numbers) {
    memset(numbers, 0, solid->num_vertices * sizeof *numbers);
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const uint32_t *corners = solid->corners + solid->polygons[p].first;
        for (uint32_t c = 0; c < solid->polygons[p].count; c++) {
            numbers[corners[c]] = 1;
        }
    }
    uint32_t used = 0;
    for (uint32_t v = 0; v < solid->num_vertices; v++) {
        if (numbers[v] != 0) {
            for (int i = 0; i < 3; i++) {
                solid->at[i][used] = solid->at[i][v];
            }
            solid->ages[used] = solid->ages[v];
            numbers[v] = used++;
        }
    }
    return used;
}

void bspi_polyhedron_pack(bspi_polyhedron *solid) {
    uint32_t *numbers = (uint32_t *)(void *)solid->distance; // scratch
    solid->num_vertices = renumber(solid, numbers);
    solid->small = solid->num_vertices <= BSPI_SMALL_SOLID;
    uint32_t used = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        bspi_cut_polygon *polygon = &solid->polygons[p];
        const uint32_t *corners = solid->corners + polygon->first;
        polygon->first = used;
        polygon->uses = 0;
        for (uint32_t c = 0; c < polygon->count; c++) {
            uint32_t vertex = numbers[corners[c]];
            solid->spare[0][used++] = vertex;
            polygon->uses |= UINT64_C(1) << vertex % BSPI_SMALL_SOLID;
        }
    }
    uint32_t *packed = solid->spare[0];
    solid->spare[0] = solid->corners;
    solid->corners = packed;
    solid->used_corners = used;
    solid->used = bspi_polyhedron_used(solid);
}
