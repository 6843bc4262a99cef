// SPDX-License-Identifier: MIT
// Source: the median of the luxels of a face, which its compiler states before them.
#include "bake/light/lumps/light_median.h"

#include "bake/light/base/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *left, const void *right) {
    uint8_t a = *(const uint8_t *)left;
    uint8_t b = *(const uint8_t *)right;
    return (a > b) - (a < b);
}

bool bspi_light_median(bspi_heap *heap, const float (*luxels)[3], uint32_t count, uint8_t out[4],
                       bsp_error *error) {
    float most = 0;
    for (uint32_t n = 0; n < count; n++) {
        most = fmaxf(most, fmaxf(luxels[n][0], fmaxf(luxels[n][1], luxels[n][2])));
    }
    uint8_t *values = bspi_heap_alloc(heap, count, error);
    const float brightest[3] = {most, most, most};
    bspi_luxel_encode(BSPI_RGBEXP32, brightest, out);
    float unit = most > 0 ? (float)out[0] / most : 0;
    for (int c = 0; values != NULL && c < 3; c++) {
        for (uint32_t n = 0; n < count; n++) {
            values[n] = (uint8_t)(luxels[n][c] * unit);
        }
        qsort(values, count, 1, by_value);
        out[c] = values[count / 2];
    }
    bspi_heap_free(heap, values, count);
    return values != NULL;
}
