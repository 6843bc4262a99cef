// SPDX-License-Identifier: MIT
// Visibility out of portals, and how it differs from that of a map.
#include "bake/result/part.h"
#include "bake/vis/sight.h"

#include "core/options.h"

#include <assert.h>
#include <string.h>

// Makes rows in which each cluster sees itself and nothing else.
static void clear_rows(bspi_sight *sight) {
    memset(sight->rows, 0, (size_t)sight->vis.num_clusters * sight->vis.row_bytes);
    for (uint32_t i = 0; i < sight->vis.num_clusters; i++) {
        bspi_sight_see(sight, i, i);
    }
}

// Adds one direction of what a gate may see: its cluster sees where it leads, and where the gates
// lead that it may see.
static void add_base(bspi_sight *sight, uint32_t number) {
    const bspi_gate *gate = &sight->gates[number];
    const bspi_word *might = bspi_gate_set(sight, sight->might, number);
    uint8_t *row = sight->rows + (size_t)gate->from * sight->vis.row_bytes;
    bspi_bit_set(row, gate->to);
    for (uint32_t w = 0; w < sight->words; w++) {
        bspi_word left = might[w];
        while (left != 0) {
            uint32_t to = sight->gates[bspi_gate_take(&left, 64 * w)].to;
            bspi_bit_set(row, to);
        }
    }
}

// What is free to see is so from either end: with `drop`, a pair stays only if both have it.
// Returns how many there are.
static uint64_t cross_check(bspi_sight *sight, bool drop) {
    uint64_t pairs = 0;
    for (uint32_t from = 0; from < sight->vis.num_clusters; from++) {
        uint8_t *row = sight->rows + (size_t)from * sight->vis.row_bytes;
        for (uint32_t byte = 0; byte < sight->vis.row_bytes; byte++) {
            for (unsigned left = row[byte]; left != 0; left &= left - 1) {
                uint32_t to = byte * 8 + (uint32_t)__builtin_ctz(left);
                if (!drop || bspi_sight_sees(sight, to, from)) {
                    pairs++;
                } else {
                    row[byte] &= (uint8_t) ~(left & -left);
                }
            }
        }
    }
    return pairs;
}

// Makes the gates and the base.
static bool prepare(bspi_sight *sight, bsp_error *error) {
    size_t size;
    sight->vis.num_clusters = sight->portals->num_clusters;
    sight->vis.row_bytes = (sight->vis.num_clusters + 7) / 8;
    if (!bspi_multiply(sight->vis.num_clusters, sight->vis.row_bytes, &size)) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "too many clusters");
    }
    if (!bspi_heap_work(&sight->heap, size / 8, error)) {
        return false;
    }
    sight->rows = bspi_arena_raw(&sight->arena, size, 1, error);
    sight->vis.rows = sight->rows;
    if (sight->rows == NULL || !bspi_sight_gates(sight, error) || !bspi_sight_base(sight, error)) {
        return false;
    }
    clear_rows(sight);
    return true;
}

static bool build(bspi_sight *sight, bool base, bsp_error *error) {
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        add_base(sight, i);
    }
    sight->vis.base_pairs = sight->vis.pairs = cross_check(sight, sight->portals->checked);
    if (!base) {
        clear_rows(sight);
        if (!bspi_sight_flow(sight, false, error)) {
            return false;
        }
        sight->vis.pairs = cross_check(sight, true);
    }
    return true;
}

static bspi_sight *new_sight(const bsp_portals *portals, const bsp_vis_options *options,
                             bsp_error *error) {
    if (!(options->distance >= 0)) {
        bsp_fail(error, BSP_E_ARGUMENT, NULL, "a distance is 0 or more, not %g", options->distance);
        return NULL;
    }
    bspi_sight *sight = bspi_object_new(options->allocator, sizeof *sight, error);
    if (sight == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&sight->heap, BSP_PRODUCT_VIS, portals->num_points * sizeof *portals->points,
                       options->budget, options->allocator);
    bspi_arena_init(&sight->arena, &sight->heap);
    sight->vis.owner = sight;
    sight->portals = portals;
    sight->progress = options->progress;
    sight->distance = options->distance;
    sight->vis.distance = options->distance;
    if (!prepare(sight, error)) {
        bsp_vis_free(&sight->vis);
        return NULL;
    }
    return sight;
}

static bsp_vis *make(const bsp_portals *portals, const bsp_vis_options *options,
                     const bsp_bytes *parts, uint32_t num_parts, bsp_error *error) {
    bspi_sight *sight = new_sight(portals, options, error);
    if (sight == NULL) {
        return NULL;
    }
    if (!bspi_sight_take_shares(sight, parts, num_parts, error) ||
        !build(sight, options->base, error)) {
        bsp_vis_free(&sight->vis);
        return NULL;
    }
    return &sight->vis;
}

bsp_vis *bsp_vis_build(const bsp_portals *portals, const bsp_vis_options *options,
                       bsp_error *error) {
    assert(portals != NULL);
    bsp_vis_options taken;
    return BSPI_TAKE_OPTIONS(taken, options, error) ? make(portals, &taken, NULL, 0, error) : NULL;
}

bsp_vis *bsp_vis_merge(const bsp_portals *portals, const bsp_vis_options *options,
                       const bsp_bytes *parts, uint32_t num_parts, bsp_error *error) {
    assert(portals != NULL && (parts != NULL || num_parts == 0));
    bsp_vis_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    if (num_parts == 0) {
        bsp_fail(error, BSP_E_ARGUMENT, NULL, "there are no parts");
        return NULL;
    }
    return make(portals, &taken, parts, num_parts, error);
}

bool bsp_vis_part_make(const bsp_portals *portals, const bsp_vis_options *options, uint32_t number,
                       uint32_t count, bsp_blob *out, bsp_error *error) {
    assert(portals != NULL && out != NULL);
    bsp_vis_options taken;
    *out = (bsp_blob){0};
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return false;
    }
    if (taken.base) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "the base is not divided into parts");
    }
    if (!bspi_part_exists(number, count, error)) {
        return false;
    }
    bspi_sight *sight = new_sight(portals, &taken, error);
    if (sight == NULL) {
        return false;
    }
    sight->share = number - 1;
    sight->num_shares = count;
    bool done = bspi_sight_make_shares(sight, error) && bspi_sight_flow(sight, true, error) &&
                bspi_sight_write_share(sight, out, error);
    bsp_vis_free(&sight->vis);
    return done;
}

void bsp_vis_free(bsp_vis *vis) {
    bspi_sight *sight = vis == NULL ? NULL : vis->owner;
    if (sight == NULL) {
        return;
    }
    bspi_arena_free(&sight->arena);
    bspi_object_free(sight, sizeof *sight, &sight->heap.allocator);
}
