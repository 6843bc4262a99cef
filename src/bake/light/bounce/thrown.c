// SPDX-License-Identifier: MIT
// A lamp is left out where the box of the places is on its back side, where it is on theirs, or
// where the strength at the nearest corner with the largest cosines is too weak.
#include "bake/light/bounce/thrown.h"

#include "core/lanes.h"
#include "core/vector.h"

#include <math.h>

#define EIGHT 8u
#define WEAK 1.0f         // of 255: the most that a face can have of a lamp
#define BACK 0.05f        // units: so far on the back side of a plane is so for certain
#define ROUND (1 + 1e-3f) // what sums may be wrong by

typedef struct bspi_thrown_eight {
    float origin[3][EIGHT];
    float direction[3][EIGHT];
    float strength[EIGHT]; // of the brightest channel
    float reach[EIGHT];
    uint32_t cluster[EIGHT]; // the first that it is in; BSP_NONE: all see it
} bspi_thrown_eight;

static size_t num_eights(uint32_t lamps) {
    return (lamps + EIGHT - 1) / EIGHT;
}

static float brightest(const bspi_lamp *lamp) {
    float most = lamp->color[0] > lamp->color[1] ? lamp->color[0] : lamp->color[1];
    return most > lamp->color[2] ? most : lamp->color[2];
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
        eight->strength[n % EIGHT] = lamp->light * brightest(lamp);
        eight->reach[n % EIGHT] = lamp->reach;
        eight->cluster[n % EIGHT] = lamp->num_clusters != 0 ? lamp->clusters[0] : BSP_NONE;
    }
    return bspi_heap_work(&own->heap, count, error);
}

void bspi_thrown_free(bspi_relight *own, bspi_thrown *thrown) {
    bspi_heap_free(&own->heap, thrown->eights, num_eights(thrown->count) * sizeof *thrown->eights);
    *thrown = (bspi_thrown){.lamps = NULL};
}

// Returns bits of the lamps whose first cluster is seen.
static uint32_t seen(const bspi_thrown_eight *eight, const bsp_map *map, const uint8_t *row) {
    uint32_t bits = 0;
    uint32_t last = BSP_NONE;
    bool sees = true;
    for (uint32_t n = 0; n < EIGHT; n++) {
        if (eight->cluster[n] != last) {
            last = eight->cluster[n];
            sees = last == BSP_NONE || bsp_query_row_sees(map, row, last);
        }
        bits |= (uint32_t)sees << n;
    }
    return bits;
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
    return lamp->light * brightest(lamp) / (near * near) * gain <= WEAK;
}

void bspi_thrown_find(const bspi_thrown *thrown, const bsp_map *map, const bspi_places *places,
                      float gain, uint32_t *list, uint32_t *num_weak, uint32_t *num_strong) {
    *num_weak = 0;
    *num_strong = 0;
    for (uint32_t n = 0; n < num_eights(thrown->count); n++) {
        const bspi_thrown_eight *eight = &thrown->eights[n];
        uint32_t left = thrown->count - n * EIGHT;
        uint32_t bits = left < EIGHT ? (1u << left) - 1 : 0xFF;
        bits &= may_reach(eight, places);
        bits &= bits != 0 && places->row != NULL ? seen(eight, map, places->row) : 0xFF;
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
            if (is_weak(lamp, distance, gain)) {
                list[(*num_weak)++] = number;
            } else {
                list[thrown->count - ++*num_strong] = number;
            }
        }
    }
}
