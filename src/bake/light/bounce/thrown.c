// SPDX-License-Identifier: MIT
// A lamp is left out where the box of the places is on its back side, where it is on theirs, or
// where the strength at the nearest corner with the largest cosines is too weak.
#include "bake/light/bounce/thrown.h"

#include "core/lanes.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define EIGHT 8u
#define WEAK 1.0f         // of 255: the most that a face can have of a lamp
#define BACK 0.05f        // units: so far on the back side of a plane is so for certain
#define ROUND (1 + 1e-3f) // what sums may be wrong by
#define LOOKS 64u         // at lamps or clusters that count as one of work

typedef struct bspi_thrown_eight {
    float origin[3][EIGHT];
    float direction[3][EIGHT];
    float strength[EIGHT]; // of the brightest channel
    float reach[EIGHT];
} bspi_thrown_eight;

static size_t num_eights(uint32_t lamps) {
    return (lamps + EIGHT - 1) / EIGHT;
}

// Returns the run that a lamp is in: 0, or one more than the first cluster that it is in.
static uint32_t run_of(const bspi_lamp *lamp, uint32_t num_clusters) {
    uint32_t cluster = lamp->num_clusters != 0 ? lamp->clusters[0] : BSP_NONE;
    return cluster < num_clusters ? cluster + 1 : 0;
}

// Lists the lamps by runs.
static bool sort(bspi_relight *own, bspi_thrown *out, bsp_error *error) {
    uint32_t clusters = own->map->visibility.num_clusters;
    out->num_clusters = clusters;
    out->numbers = bspi_heap_alloc(&own->heap, out->count * sizeof *out->numbers, error);
    out->firsts = bspi_heap_alloc(&own->heap, (clusters + 2) * sizeof *out->firsts, error);
    if (out->numbers == NULL || out->firsts == NULL) {
        return false;
    }
    memset(out->firsts, 0, (clusters + 2) * sizeof *out->firsts);
    for (uint32_t n = 0; n < out->count; n++) {
        out->firsts[run_of(&out->lamps[n], clusters)]++;
    }
    for (uint32_t run = 1; run < clusters + 2; run++) {
        out->firsts[run] += out->firsts[run - 1];
    }
    for (uint32_t n = out->count; n-- != 0;) { // runs are filled from their ends
        out->numbers[--out->firsts[run_of(&out->lamps[n], clusters)]] = n;
    }
    return bspi_heap_work(&own->heap, 1 + clusters / LOOKS, error);
}

bool bspi_thrown_begin(bspi_relight *own, const bspi_lamp *lamps, uint32_t count, bspi_thrown *out,
                       bsp_error *error) {
    *out = (bspi_thrown){.lamps = lamps};
    out->eights = bspi_heap_alloc(&own->heap, num_eights(count) * sizeof *out->eights, error);
    if (out->eights == NULL) {
        return false;
    }
    out->count = count;
    for (uint32_t n = 0; n < num_eights(count) * EIGHT; n++) {
        bspi_thrown_eight *eight = &out->eights[n / EIGHT];
        const bspi_lamp *lamp = &lamps[n < count ? n : count - 1];
        for (int i = 0; i < 3; i++) {
            eight->origin[i][n % EIGHT] = lamp->origin[i];
            eight->direction[i][n % EIGHT] = lamp->direction[i];
        }
        eight->strength[n % EIGHT] = lamp->light * bspi_lamp_most(lamp);
        eight->reach[n % EIGHT] = lamp->reach;
    }
    return sort(own, out, error) && bspi_heap_work(&own->heap, count, error);
}

void bspi_thrown_free(bspi_relight *own, bspi_thrown *thrown) {
    bspi_heap_free(&own->heap, thrown->eights, num_eights(thrown->count) * sizeof *thrown->eights);
    bspi_heap_free(&own->heap, thrown->numbers, thrown->count * sizeof *thrown->numbers);
    bspi_heap_free(&own->heap, thrown->firsts, (thrown->num_clusters + 2) * sizeof *thrown->firsts);
    *thrown = (bspi_thrown){.lamps = NULL};
}

// Sets bits of the lamps whose first cluster is in a row, eight by eight.
static void find_seen(const bspi_thrown *thrown, const bsp_map *map, const uint8_t *row,
                      uint8_t *seen) {
    memset(seen, row == NULL ? 0xFF : 0, num_eights(thrown->count));
    for (uint32_t run = 0; row != NULL && run <= thrown->num_clusters; run++) {
        if (run != 0 && !bsp_query_row_sees(map, row, run - 1)) {
            continue;
        }
        for (uint32_t n = thrown->firsts[run]; n < thrown->firsts[run + 1]; n++) {
            uint32_t lamp = thrown->numbers[n];
            seen[lamp / EIGHT] |= (uint8_t)(1u << lamp % EIGHT);
        }
    }
}

// Returns bits of the lamps whose light reaches places.
BSPI_LANES uint32_t may_reach(const bspi_thrown_eight *eight, const bspi_places *places) {
    f8 square = f8_all(0);
    for (int i = 0; i < 3; i++) {
        f8 way = f8_load(eight->origin[i]) - f8_all(places->middle[i]);
        square += way * way;
    }
    f8 reach = f8_load(eight->reach) + f8_all(places->radius);
    return ~i8_bits(square > reach * reach * f8_all(ROUND)) & 0xFF;
}

// Returns bits of the lamps of which places may have more than the gate.
BSPI_LANES uint32_t may_light(const bspi_thrown_eight *eight, const bspi_lamp *like,
                              const bspi_places *places) {
    bool flat = !places->hill && !places->two_sided;
    f8 before = f8_all(BACK); // of the lamp: how far the box is before it at most
    f8 above = f8_all(BACK);  // of the places: how far the lamp is before them at most
    f8 gaps = f8_all(0);
    for (int i = 0; i < 3; i++) {
        f8 way = f8_load(eight->origin[i]) - f8_all(places->middle[i]);
        f8 half = f8_all(places->half[i]);
        f8 axis = f8_load(eight->direction[i]);
        f8 gap = f8_max(f8_abs(way) - half, f8_all(0));
        before += f8_abs(axis) * half - axis * way;
        above += f8_all(fabsf(places->normal[i])) * half + f8_all(places->normal[i]) * way;
        gaps += gap * gap;
    }
    f8 strength = f8_load(eight->strength) * f8_all(ROUND);
    f8 least = f8_all(like->gate) *
               f8_max(f8_all(like->wait * like->wait) * gaps, f8_all(like->range * like->range));
    above = flat ? above : f8_all(INFINITY);
    i8 off = (before <= f8_all(0)) | (above <= f8_all(0)) | (strength <= least) |
             (strength * before * above <= least * gaps);
    return ~i8_bits(off) & 0xFF;
}

// Can a face at that distance have only little of a lamp?
static bool is_weak(const bspi_lamp *lamp, float distance, float gain) {
    float wait = lamp->wait * distance;
    float near = lamp->range > wait ? lamp->range : wait;
    return lamp->light * bspi_lamp_most(lamp) / (near * near) * gain <= WEAK;
}

bool bspi_thrown_find(const bspi_thrown *thrown, bspi_relight *own, const bspi_places *places,
                      uint32_t *list, uint32_t *num_weak, uint32_t *num_strong, bsp_error *error) {
    size_t num = num_eights(thrown->count);
    uint8_t *seen = bspi_heap_alloc(&own->heap, num, error);
    *num_weak = 0;
    *num_strong = 0;
    if (seen == NULL) {
        return false;
    }
    find_seen(thrown, own->map, places->row, seen);
    for (uint32_t n = 0; n < num; n++) {
        const bspi_thrown_eight *eight = &thrown->eights[n];
        uint32_t left = thrown->count - n * EIGHT;
        uint32_t bits = seen[n] & (left < EIGHT ? (1u << left) - 1 : 0xFF);
        bits &= bits != 0 ? may_reach(eight, places) : 0;
        bits &= bits != 0 ? may_light(eight, thrown->lamps, places) : 0;
        for (; bits != 0; bits &= bits - 1) {
            uint32_t number = n * EIGHT + (uint32_t)__builtin_ctz(bits);
            const bspi_lamp *lamp = &thrown->lamps[number];
            float way[3];
            for (int c = 0; c < 3; c++) {
                way[c] = lamp->origin[c] - places->middle[c];
            }
            float distance = sqrtf(bspi_dot(way, way)) - places->radius;
            if (distance > lamp->reach) {
                continue;
            }
            if (is_weak(lamp, distance, own->scale.curve.gain)) {
                list[(*num_weak)++] = number;
            } else {
                list[thrown->count - ++*num_strong] = number;
            }
        }
    }
    bspi_heap_free(&own->heap, seen, num);
    uint64_t looks = (uint64_t)thrown->count + thrown->num_clusters;
    return bspi_heap_work(&own->heap, 1 + looks / LOOKS, error);
}
