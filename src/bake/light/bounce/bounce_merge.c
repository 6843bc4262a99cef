// SPDX-License-Identifier: MIT
// A preview takes lamps of faces that are beside each other and look the same way as one, where the
// strongest of them stands.
#include "bake/light/bounce/bounce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 320.0f // units along an edge of the cubes in which lamps are one

typedef struct key {
    int style;
    int side; // of a cube, that the lamp looks to
    float cell[3];
    float strength;
    uint32_t number;
} key;

static key key_of(const bspi_lamp *lamp, uint32_t number) {
    key k = {.style = lamp->style, .number = number};
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        axis = fabsf(lamp->direction[i]) > fabsf(lamp->direction[axis]) ? i : axis;
        k.cell[i] = floorf(lamp->origin[i] / CELL);
        k.strength = fmaxf(k.strength, lamp->color[i] * lamp->light);
    }
    k.side = 2 * axis + (lamp->direction[axis] < 0);
    return k;
}

static int order(float a, float b) {
    return (a > b) - (a < b);
}

static int compare_cells(const key *a, const key *b) {
    int by = (a->style > b->style) - (a->style < b->style);
    by = by != 0 ? by : (a->side > b->side) - (a->side < b->side);
    for (int i = 0; i < 3; i++) {
        by = by != 0 ? by : order(a->cell[i], b->cell[i]);
    }
    return by;
}

static int compare(const void *left, const void *right) {
    const key *a = left;
    const key *b = right;
    int by = compare_cells(a, b);
    by = by != 0 ? by : order(b->strength, a->strength);
    return by != 0 ? by : (a->number > b->number) - (a->number < b->number);
}

static void add(float sum[3], const bspi_lamp *lamp) {
    for (int c = 0; c < 3; c++) {
        sum[c] += lamp->color[c] * lamp->light;
    }
}

static void set_sum(bspi_lamp *lamp, const float sum[3]) {
    float most = fmaxf(sum[0], fmaxf(sum[1], sum[2]));
    for (int c = 0; c < 3; c++) {
        lamp->color[c] = sum[c] / most;
    }
    lamp->light = most;
    lamp->reach = sqrtf(most / lamp->gate);
}

bool bspi_bounce_merge(bspi_relight *own, bspi_lamp *lamps, uint32_t *count, bsp_error *error) {
    uint32_t all = *count;
    key *keys = bspi_heap_alloc(&own->heap, all * sizeof *keys, error);
    bspi_lamp *old = bspi_heap_alloc(&own->heap, all * sizeof *old, error);
    bool done = keys != NULL && old != NULL;
    *count = 0;
    for (uint32_t n = 0; done && n < all; n++) {
        keys[n] = key_of(&lamps[n], n);
        old[n] = lamps[n];
    }
    if (done) {
        qsort(keys, all, sizeof *keys, compare);
    }
    for (uint32_t n = 0; done && n < all;) {
        float sum[3] = {0, 0, 0};
        uint32_t first = n;
        for (; n < all && compare_cells(&keys[first], &keys[n]) == 0; n++) {
            add(sum, &old[keys[n].number]);
        }
        lamps[*count] = old[keys[first].number];
        if (n > first + 1) {
            set_sum(&lamps[*count], sum);
        }
        ++*count;
    }
    bspi_heap_free(&own->heap, old, all * sizeof *old);
    bspi_heap_free(&own->heap, keys, all * sizeof *keys);
    return done;
}
