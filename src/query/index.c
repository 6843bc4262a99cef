// SPDX-License-Identifier: MIT
// Builds and frees the trace index.
#include "query/index.h"

#include "core/options.h"
#include "map/heap.h"
#include "map/needs.h"
#include "query/visits.h"

#include <assert.h>
#include <string.h>

static const void *keep(bsp_trace_index *index, const void *from, size_t count, size_t size,
                        bsp_error *error) {
    void *memory = bspi_keep_lines(index, count, size, error);
    if (memory != NULL && count != 0) {
        memcpy(memory, from, count * size);
    }
    return memory;
}

// Numbers the units of a convex, unless they are.
static void place_convex(const bspi_builder *b, uint32_t n, uint32_t *units, uint64_t *next) {
    if (units[n] == BSP_NONE) {
        units[n] = *next < BSPI_CHILDREN ? (uint32_t)*next : 0;
        *next += bspi_num_units(&b->convexes[n]);
    }
}

static bspi_half half_of(const bspi_block *block, uint32_t first) {
    bspi_half half;
    for (int axis = 0; axis < 3; axis++) {
        memcpy(half.normal[axis], block->normal[axis] + first, sizeof half.normal[axis]);
    }
    memcpy(half.dist, block->dist + first, sizeof half.dist);
    return half;
}

// Returns the origins of `count` planes.
static bspi_origins origins_of(const bspi_lane *lanes, uint32_t count) {
    bspi_origins o = {.first = BSPI_ORDER_NONE};
    for (uint32_t i = 0; i < count; i++) {
        o.first = lanes[i].order < o.first ? lanes[i].order : o.first;
    }
    for (uint32_t i = 0; i < BSPI_ORIGINS; i++) {
        bool any = i < count && lanes[i].order != BSPI_ORDER_NONE;
        o.order[i] = any ? (uint16_t)(lanes[i].order - o.first) : (uint16_t)BSPI_MOST_SIDES;
        o.plane[i] = any ? lanes[i].plane : BSP_NONE;
        o.flags[i] = any ? lanes[i].flags : 0;
    }
    return o;
}

// Stores a convex with its blocks.
static void keep_solid(const bspi_builder *b, const bspi_convex *convex, uint8_t *to) {
    const bspi_block *blocks = &b->blocks[convex->first_block];
    const bspi_lane *lanes = &b->lanes[(size_t)convex->first_block * BSPI_LANES];
    bspi_solid solid = {.convex = *convex};
    uint32_t first = bspi_num_axial(convex);
    uint32_t halves = bspi_num_halves(convex);
    uint8_t *origins = to + sizeof solid + (size_t)halves * BSPI_UNIT;
    if (first != 0) {
        bspi_origins o = origins_of(lanes, BSPI_ORIGINS);
        memcpy(solid.dist, blocks[0].dist, sizeof solid.dist);
        memcpy(origins, &o, sizeof o);
    }
    memcpy(to, &solid, sizeof solid);
    for (uint32_t i = 0; i < halves; i++) {
        uint32_t lane = first * BSPI_LANES + i * (BSPI_LANES / 2);
        bspi_half half = half_of(&blocks[first + i / 2], i % 2 * (BSPI_LANES / 2));
        bspi_origins o = origins_of(lanes + lane, BSPI_LANES / 2);
        memcpy(to + sizeof solid + i * sizeof half, &half, sizeof half);
        memcpy(origins + (first + i) * sizeof o, &o, sizeof o);
    }
}

// Puts the nodes of the tree into the pool, and after them the convexes and their blocks in the
// order of the tree's leaves. Children become units of the pool.
static bool keep_pool(bsp_trace_index *index, const bspi_builder *b, bsp_error *error) {
    uint32_t *units = bspi_keep_lines(index, b->num_convexes, sizeof *units, error);
    uint64_t next = b->num_wide * BSPI_NODE_UNITS;
    index->units = units;
    for (size_t i = 0; units != NULL && i < b->num_convexes; i++) {
        units[i] = BSP_NONE;
    }
    for (size_t i = 0; units != NULL && i < b->num_wide * BSPI_LANES; i++) {
        uint32_t *child = &b->wide[i / BSPI_LANES].child[i % BSPI_LANES];
        uint32_t n = *child & (BSPI_CHILDREN - 1);
        bool leaf = (*child & BSPI_LEAF) != 0;
        if (leaf) {
            place_convex(b, n, units, &next);
        }
        *child = (*child & ~(BSPI_CHILDREN - 1)) | (leaf ? units[n] : n * BSPI_NODE_UNITS);
    }
    if (next > BSPI_CHILDREN) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "too many solids to trace against");
    }
    uint8_t *pool = units == NULL ? NULL : bspi_keep_lines(index, (size_t)next, BSPI_UNIT, error);
    index->pool = pool;
    if (pool != NULL && b->num_wide != 0) {
        memcpy(pool, b->wide, b->num_wide * sizeof *b->wide);
    }
    for (size_t i = 0; pool != NULL && i < b->num_convexes; i++) {
        keep_solid(b, &b->convexes[i], pool + (size_t)units[i] * BSPI_UNIT);
    }
    return pool != NULL;
}

// Returns the bytes of what keep_all keeps, and of the cache lines between.
static size_t size_of_all(const bspi_builder *b) {
    size_t units = b->num_wide * BSPI_NODE_UNITS;
    for (size_t i = 0; i < b->num_convexes; i++) {
        units += bspi_num_units(&b->convexes[i]);
    }
    return units * BSPI_UNIT + b->num_convexes * sizeof(uint32_t) + b->num_blocks +
           b->num_open * sizeof *b->open + b->num_patches * sizeof *b->patches + 4096;
}

static bool keep_all(bsp_trace_index *index, const bspi_builder *b, bsp_error *error) {
    // A trace reads a few lines of each: without large pages it waits for many addresses of pages.
    if (!bspi_arena_room(&index->arena, size_of_all(b), error) || !keep_pool(index, b, error)) {
        return false;
    }
    index->inward = keep(index, b->inward, b->num_blocks, sizeof *b->inward, error);
    index->open = keep(index, b->open, b->num_open, sizeof *b->open, error);
    index->patches = keep(index, b->patches, b->num_patches, sizeof *b->patches, error);
    index->num_patches = (uint32_t)b->num_patches;
    index->num_convexes = (uint32_t)b->num_convexes;
    return index->inward != NULL && index->open != NULL && index->patches != NULL;
}

static void free_builder(bspi_builder *b) {
    bspi_heap_free(b->heap, b->convexes, b->room_convexes * sizeof *b->convexes);
    bspi_heap_free(b->heap, b->boxes, b->room_boxes * sizeof *b->boxes);
    bspi_heap_free(b->heap, b->blocks, b->room_blocks * sizeof *b->blocks);
    bspi_heap_free(b->heap, b->lanes, b->room_lanes * BSPI_LANES * sizeof *b->lanes);
    bspi_heap_free(b->heap, b->inward, b->room_inward);
    bspi_heap_free(b->heap, b->wide, b->room_wide * sizeof *b->wide);
    bspi_heap_free(b->heap, b->open, b->room_open * sizeof *b->open);
    bspi_heap_free(b->heap, b->patches, b->room_patches * sizeof *b->patches);
    bspi_heap_free(b->heap, b->planes, b->room_planes * sizeof *b->planes);
}

static bool build(bsp_trace_index *index, bsp_error *error) {
    uint32_t count = index->map->num_models == 0 ? 1 : index->map->num_models;
    bspi_body *bodies = bspi_arena_zero(&index->arena, count, sizeof *bodies, error);
    bool by_tree = index->rules->by_tree && !index->map->traits->contents_numbers;
    bool asks_tree = by_tree || index->rules->leaves_solid;
    bspi_choose_classes(index);
    bspi_meter meter = {.heap = &index->heap, .error = error};
    bspi_builder b = {.index = index, .heap = &index->heap, .meter = &meter, .error = error};
    bool done = bodies != NULL && bspi_build_hulls(index, error) &&
                bspi_build_leaves(index, &meter) && bspi_build_contents(index, &meter) &&
                bspi_place_models(index, error) &&
                (index->map->traits->contents_numbers || bspi_gather(&b, bodies, count)) &&
                (!asks_tree || bspi_build_visits(&b, bodies, count)) && bspi_meter_pay(&meter) &&
                keep_all(index, &b, error);
    index->bodies = bodies;
    index->num_bodies = count;
    free_builder(&b);
    return done && (!asks_tree || bspi_build_brush_owners(index, b.num_wide, error));
}

bsp_trace_index *bsp_trace_index_new(const bsp_map *map, const bsp_trace_options *options,
                                     bsp_error *error) {
    assert(map != NULL);
    bsp_trace_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    options = &taken;
    if (!map->traits->has_brushes && !map->traits->contents_numbers) {
        bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
                 "maps of %s keep no brushes: there is nothing to trace against",
                 map->branch->title);
        return NULL;
    }
    if (!bspi_map_needs(map, BSP_LOAD_TREE | BSP_LOAD_BRUSHES | BSP_LOAD_SURFACES, "a trace index",
                        error)) {
        return NULL;
    }
    bsp_trace_index *index = bspi_object_new(options->allocator, sizeof *index, error);
    if (index == NULL) {
        return NULL;
    }
    bspi_map_heap(&index->heap, BSP_PRODUCT_TRACE, map, options->budget, options->allocator);
    bspi_arena_init(&index->arena, &index->heap);
    index->map = map;
    index->rules = bspi_rules_of(map->traits->clip);
    index->tracer = bspi_has_avx2() && !options->no_simd ? &bspi_tracer_avx2 : &bspi_tracer_base;
    if (!build(index, error)) {
        bsp_trace_index_free(index);
        return NULL;
    }
    return index;
}

void bsp_trace_index_free(bsp_trace_index *index) {
    if (index == NULL) {
        return;
    }
    bspi_arena_free(&index->arena);
    bspi_object_free(index, sizeof *index, &index->heap.allocator);
}

size_t bsp_trace_index_size(const bsp_trace_index *index) {
    assert(index != NULL);
    return sizeof *index + index->heap.used;
}
