// SPDX-License-Identifier: MIT
// Planes in double precision. Those of the map are found by cells of direction and distance, each
// as wide as equal planes may differ, so that few cells are searched.
#include "decompile/tree/space.h"

#include <math.h>
#include <string.h>

// The most by which equal planes differ: 1 minus the cosine between them; a component of their
// normals, which follows from it; units.
#define SAME_NORMAL 1e-9
#define SAME_COMPONENT 4.5e-5
#define SAME_DIST 0.01
// Size of a cell, for a component and for a distance: several times that difference.
#define COMPONENT_CELL 0.001
#define DIST_CELL 0.125

// --- cells --------------------------------------------------------------------------------------

static int64_t step_of(double value, double width) {
    double step = floor(value / width);
    return step > -1e15 && step < 1e15 ? (int64_t)step : 0;
}

static uint32_t chain_of(const bspi_flats *flats, const int64_t cell[4]) {
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ (uint64_t)cell[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash & flats->mask;
}

static uint32_t chain_of_flat(const bspi_flats *flats, const bspi_flat *flat) {
    int64_t cell[4];
    for (int a = 0; a < 3; a++) {
        cell[a] = step_of(flat->normal[a], COMPONENT_CELL);
    }
    cell[3] = step_of(flat->dist, DIST_CELL);
    return chain_of(flats, cell);
}

// Fills the chains in order, by putting the last plane in front first.
static bool fill_chains(bspi_flats *flats, bspi_arena *arena, bsp_error *error) {
    uint32_t chains = 64;
    while (chains < flats->box && chains < UINT32_MAX / 2) {
        chains *= 2;
    }
    flats->mask = chains - 1;
    flats->chains = bspi_arena_raw(arena, chains, sizeof *flats->chains, error);
    flats->next = bspi_arena_raw(arena, flats->box, sizeof *flats->next, error);
    if (flats->chains == NULL || flats->next == NULL) {
        return false;
    }
    memset(flats->chains, 0xFF, chains * sizeof *flats->chains); // BSP_NONE
    for (uint32_t i = flats->box; i-- > 0;) {
        uint32_t chain = chain_of_flat(flats, &flats->list[i]);
        flats->next[i] = flats->chains[chain];
        flats->chains[chain] = i;
    }
    return true;
}

// --- all ----------------------------------------------------------------------------------------

static bspi_flat flat_of(const bsp_plane *plane) {
    bspi_flat flat = {{0, 0, 0}, (double)plane->dist};
    double length = 0;
    for (int a = 0; a < 3; a++) {
        flat.normal[a] = (double)plane->normal[a];
        length += flat.normal[a] * flat.normal[a];
    }
    length = sqrt(length);
    if (!(length > 0.5 && length < 2) || !isfinite(flat.dist)) {
        return (bspi_flat){{0, 0, 1}, 0}; // damage: any plane will do
    }
    for (int a = 0; a < 3; a++) {
        flat.normal[a] /= length;
    }
    flat.dist /= length;
    return flat;
}

bool bspi_flats_begin(bspi_flats *flats, const bsp_map *map, bspi_heap *heap, bspi_arena *arena,
                      bsp_error *error) {
    flats->room = (size_t)map->num_planes + 64;
    flats->list = bspi_heap_alloc(heap, flats->room * sizeof *flats->list, error);
    if (flats->list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_planes; i++) {
        flats->list[i] = flat_of(&map->planes[i]);
    }
    flats->count = map->num_planes;
    flats->box = flats->count;
    for (int side = 0; side < 6; side++) {
        bspi_flat box = {{0, 0, 0}, 0};
        box.normal[side / 2] = (side & 1) != 0 ? 1 : -1;
        flats->list[flats->count++] = box;
    }
    return fill_chains(flats, arena, error);
}

uint32_t bspi_add_flat(bspi_carver *carver, const double normal[3], double dist) {
    bspi_flats *flats = &carver->flats;
    bspi_flat *list = bspi_grow(flats->heap, flats->list, flats->count, &flats->room,
                                sizeof *flats->list, carver->error);
    if (list == NULL) {
        carver->starved = true;
        return BSP_NONE;
    }
    flats->list = list;
    memcpy(list[flats->count].normal, normal, sizeof list->normal);
    list[flats->count].dist = dist;
    return flats->count++;
}

// --- equal planes -------------------------------------------------------------------------------

static bool is_same(const bspi_flat *flat, const double normal[3], double dist) {
    double cosine =
        flat->normal[0] * normal[0] + flat->normal[1] * normal[1] + flat->normal[2] * normal[2];
    return cosine > 1 - SAME_NORMAL && fabs(flat->dist - dist) < SAME_DIST;
}

// Returns the first equal plane of the map; BSP_NONE: none. Near the border of cells several are
// searched, at most two in each of the four directions.
static uint32_t find_same(bspi_carver *carver, const double normal[3], double dist) {
    const bspi_flats *flats = &carver->flats;
    int64_t low[4];
    uint32_t two = 0; // bit i: the second cell in direction i is searched too
    for (int i = 0; i < 4; i++) {
        double value = i < 3 ? normal[i] : dist;
        double slack = i < 3 ? SAME_COMPONENT : SAME_DIST;
        double width = i < 3 ? COMPONENT_CELL : DIST_CELL;
        low[i] = step_of(value - slack, width);
        two |= step_of(value + slack, width) != low[i] ? 1u << i : 0;
    }
    uint32_t best = BSP_NONE;
    uint64_t steps = 0;
    for (uint32_t cell = 0; cell < 16; cell++) {
        if ((cell & ~two) != 0) {
            continue;
        }
        const int64_t at[4] = {low[0] + (cell & 1), low[1] + (cell >> 1 & 1),
                               low[2] + (cell >> 2 & 1), low[3] + (cell >> 3 & 1)};
        uint32_t i = flats->chains[chain_of(flats, at)];
        while (i < best && !is_same(&flats->list[i], normal, dist)) {
            i = flats->next[i];
            steps++;
        }
        best = i < best ? i : best;
    }
    (void)bspi_carver_work(carver, steps);
    return best;
}

uint32_t bspi_flat_tag(bspi_carver *carver, const double normal[3], double dist) {
    const double turned[3] = {-normal[0], -normal[1], -normal[2]};
    uint32_t front = find_same(carver, normal, dist);
    uint32_t back = find_same(carver, turned, -dist);
    if (front != BSP_NONE || back != BSP_NONE) {
        return front < back ? 2 * front : 2 * back + 1;
    }
    uint32_t added = bspi_add_flat(carver, normal, dist);
    return added == BSP_NONE ? BSP_NONE : 2 * added;
}

void bspi_flats_out(const bspi_flats *flats, uint32_t tag, double normal[3], double *dist) {
    const bspi_flat *flat = &flats->list[tag / 2];
    double sign = (tag & 1) != 0 ? -1 : 1;
    for (int a = 0; a < 3; a++) {
        normal[a] = sign * flat->normal[a] + 0.0; // adding 0 removes a negative zero
    }
    *dist = sign * flat->dist + 0.0;
}
