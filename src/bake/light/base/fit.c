// SPDX-License-Identifier: MIT
// Weighed again in each round, by what the last one left: the sums of squares then go as the sums
// of differences do.
#include "bake/light/base/fit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ROUNDS 8     // of weights
#define DESCENTS 300 // along all numbers
#define GOOD 0.05f   // what is off by less is not told from what is right

typedef struct sums {
    double square[BSPI_FIT_MOST][BSPI_FIT_MOST]; // the lower half
    double side[BSPI_FIT_MOST];
} sums;

static void add_row(const bspi_fit *fit, size_t number, bool first, sums *out) {
    const bspi_fit_row *row = &fit->rows[number];
    const float *parts = fit->parts + number * fit->count;
    float left = row->sum;
    float any = 0;
    for (uint32_t i = 0; i < fit->count; i++) {
        left -= fit->numbers[i].value * parts[i];
        any += parts[i];
    }
    if (!(any > 0 && row->weight > 0)) {
        return;
    }
    float off = first ? 1 : fmaxf(GOOD, fabsf(left) * row->weight);
    double weight = (double)row->weight * (double)row->weight / (double)off;
    for (uint32_t i = 0; i < fit->count; i++) {
        double part = weight * (double)parts[i];
        out->side[i] += part * (double)row->sum;
        for (uint32_t k = 0; k <= i; k++) {
            out->square[i][k] += part * (double)parts[k];
        }
    }
}

// Goes down along one number after the other, between their bounds.
static void descend(const bspi_fit *fit, const sums *of) {
    for (uint32_t n = 0; n < DESCENTS * fit->count; n++) {
        uint32_t i = n % fit->count;
        bspi_fit_number *number = &fit->numbers[i];
        double rest = of->side[i];
        for (uint32_t k = 0; k < fit->count; k++) {
            double both = k < i ? of->square[i][k] : of->square[k][i];
            rest -= k == i ? 0 : both * (double)fit->numbers[k].value;
        }
        float value = of->square[i][i] > 0 ? (float)(rest / of->square[i][i]) : 0;
        number->value = fminf(number->most, fmaxf(number->least, isfinite(value) ? value : 0));
    }
}

bool bspi_fit_find(const bspi_fit *fit, bspi_heap *heap, bsp_error *error) {
    assert(fit->count <= BSPI_FIT_MOST);
    for (int round = 0; round < ROUNDS; round++) {
        sums all;
        memset(&all, 0, sizeof all);
        for (size_t n = 0; n < fit->num_rows; n++) {
            add_row(fit, n, round == 0, &all);
        }
        descend(fit, &all);
        if (!bspi_heap_work(heap, (uint64_t)fit->num_rows * fit->count / 4 + 1, error)) {
            return false;
        }
    }
    return true;
}
