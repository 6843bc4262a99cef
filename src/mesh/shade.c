// SPDX-License-Identifier: MIT
// Converts luxels to texels. Linear light is converted to the display's gamma by a table of
// thresholds, computed without the C library's pow, so that every machine gives the same bytes.
#include "mesh/shade.h"

float bspi_light_gain(const bsp_map *map) {
    return map->traits->light_gain != 0 ? map->traits->light_gain : 1;
}

// x^2.2 = x^2 * x^(1/5), the root by Newton's method: only basic arithmetic.
double bspi_linear_of(double x) {
    if (!(x > 0)) {
        return 0;
    }
    double root = 1;
    for (int i = 0; i < 60; i++) { // converges for all x of 1e-6 and above
        double power = root * root * root * root;
        root = (4 * root + x / power) / 5;
    }
    return x * x * root;
}

static uint32_t bucket_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> BSPI_SHADE_SHIFT;
}

static float bucket_start(uint32_t bucket) {
    uint32_t bits = bucket << BSPI_SHADE_SHIFT;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint8_t search_step(const float steps[256], float value) {
    uint32_t low = 0;
    for (uint32_t half = 128; half != 0; half /= 2) {
        low += value >= steps[low + half] ? half : 0;
    }
    return (uint8_t)low;
}

// Fills the buckets, unless an unusual range leaves steps that do not rise.
static void fill_buckets(bspi_shade *shade) {
    const float *steps = shade->steps;
    uint32_t first = bucket_of(steps[1]);
    uint32_t last = bucket_of(steps[255]);
    shade->bucketed = steps[1] > 0 && last >= first && last - first < BSPI_SHADE_BUCKETS;
    for (int i = 2; i < 256; i++) {
        shade->bucketed = shade->bucketed && steps[i] >= steps[i - 1];
    }
    for (uint32_t i = 0; shade->bucketed && i <= last - first; i++) {
        shade->first[i] = search_step(steps, bucket_start(first + i));
    }
}

void bspi_shade_init(bspi_shade *shade, const float *styles, float gain, float range) {
    shade->styles = styles;
    shade->gain = gain;
    shade->range = range;
    shade->full = (float)bspi_linear_of((double)range);
    for (int i = 0; i < 256; i++) {
        shade->steps[i] = (float)bspi_linear_of((double)range * (i - 0.5) / 255.0);
    }
    fill_buckets(shade);
}

static float brightest(const float rgb[3]) {
    float most = rgb[0] > rgb[1] ? rgb[0] : rgb[1];
    return rgb[2] > most ? rgb[2] : most;
}

void bspi_shade_factor(const bspi_shade *shade, const float rgb[3], uint8_t out[4]) {
    float most = brightest(rgb);
    float scale = 255 / (most > shade->range ? most : shade->range);
    for (int i = 0; i < 3; i++) {
        float value = rgb[i] * scale + 0.5F;
        out[i] = value > 0 ? (value < 255 ? (uint8_t)value : 255) : 0;
    }
    out[3] = 255;
}

static uint8_t step_of(const bspi_shade *shade, float value) {
    const float *steps = shade->steps;
    if (!(value >= steps[1])) {
        return 0;
    }
    if (value >= steps[255]) {
        return 255;
    }
    uint32_t low = shade->first[bucket_of(value) - bucket_of(steps[1])];
    while (value >= steps[low + 1]) {
        low++;
    }
    return (uint8_t)low;
}

static void shade_linear(const bspi_shade *shade, const float rgb[3], uint8_t out[4]) {
    float most = brightest(rgb);
    float scale = most > shade->full ? shade->full / most : 1;
    for (int i = 0; i < 3; i++) {
        float value = rgb[i] * scale;
        out[i] = shade->bucketed ? step_of(shade, value) : search_step(shade->steps, value);
    }
    out[3] = 255;
}

// Light of one style, as most faces have.
static void shade_one(const bspi_shade *shade, const uint8_t *rgbexp, float factor,
                      uint8_t out[4]) {
    float rgb[3] = {0, 0, 0};
    if (factor != 0) {
        bspi_rgbexp_decode(rgbexp, rgb);
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] *= factor;
    }
    shade_linear(shade, rgb, out);
}

static float factor_of(const bspi_shade *shade, const bspi_luxels *luxels, uint32_t slot) {
    uint32_t style = luxels->styles[slot];
    return style < BSP_LIGHT_STYLES ? shade->styles[style] : 0;
}

static void shade_sum(const bspi_shade *shade, const bspi_luxels *luxels, size_t n,
                      uint8_t out[4]) {
    size_t luxel = bspi_luxel_bytes(luxels->format);
    size_t style = (luxel * luxels->blocks + luxels->alpha) * luxels->width * luxels->height;
    float sum[3] = {0, 0, 0};
    for (uint32_t s = 0; s < luxels->num_styles; s++) {
        float factor = factor_of(shade, luxels, s);
        float rgb[3] = {0, 0, 0};
        if (factor != 0) {
            bspi_luxel_decode(luxels->format, luxels->data + s * style + n * luxel,
                              shade->gain / 255, rgb);
        }
        for (int i = 0; i < 3; i++) {
            sum[i] += factor * rgb[i];
        }
    }
    if (luxels->format == BSPI_RGBEXP32) {
        shade_linear(shade, sum, out);
    } else {
        bspi_shade_factor(shade, sum, out);
    }
}

void bspi_shade_luxels(const bspi_shade *shade, const bspi_luxels *luxels, size_t first,
                       size_t count, uint8_t *out) {
    if (luxels->format == BSPI_RGBEXP32 && luxels->num_styles == 1) {
        const uint8_t *from = luxels->data + first * bspi_luxel_bytes(BSPI_RGBEXP32);
        float factor = factor_of(shade, luxels, 0);
        for (size_t i = 0; i < count; i++) {
            shade_one(shade, from + 4 * i, factor, out + 4 * i);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        shade_sum(shade, luxels, first + i, out + 4 * i);
    }
}
