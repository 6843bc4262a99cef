// SPDX-License-Identifier: MIT
// From sums of light to what a file has. Order of the steps and numbers: sheet bake, 3.2.
#include "bake/light/relight.h"

#include "core/curves.h"
#include "core/reader.h"

#include <math.h>

static float clamped(float value) {
    return value > 0 ? value < 255 ? value : 255 : 0;
}

static void finish(const bspi_light_scale *scale, bool first, float luxel[3]) {
    float most = 0;
    for (int c = 0; c < 3; c++) {
        float sum = luxel[c];
        if (first) {
            sum += scale->base[c];
            sum = scale->adds ? sum + scale->minimum[c] : fmaxf(sum, scale->minimum[c]);
        }
        sum = sum > 0 ? sum * scale->gain : 0;
        if (scale->gamma > 0 && scale->gamma != 1) {
            sum = scale->full * bspi_power(sum / scale->full, 1 / scale->gamma);
        }
        luxel[c] = isfinite(sum) ? sum : 0;
        most = fmaxf(most, luxel[c]);
    }
    for (int c = 0; c < 3; c++) {
        luxel[c] *= scale->cap > 0 && most > scale->cap && !scale->beyond ? scale->cap / most : 1;
        luxel[c] = fmaxf(luxel[c], scale->least);
    }
}

void bspi_luxel_cap(const bspi_light_scale *scale, float luxel[3]) {
    float most = fmaxf(luxel[0], fmaxf(luxel[1], luxel[2]));
    for (int c = 0; c < 3 && scale->beyond && scale->cap > 0 && most > scale->cap; c++) {
        luxel[c] *= scale->cap / most;
    }
}

void bspi_finish_face(const bspi_relight *own, bsp_relight_face *face) {
    float(*luxels)[3] = (float(*)[3])face->luxels;
    size_t each = (size_t)face->width * face->height;
    uint32_t kept = 0;
    for (uint32_t s = 0; s < face->num_styles; s++) {
        float most = 0;
        float(*from)[3] = luxels + each * face->directions * s;
        float(*to)[3] = luxels + each * face->directions * kept;
        for (size_t n = 0; n < each * face->directions; n++) {
            for (int c = 0; c < 3; c++) {
                to[n][c] = from[n][c];
            }
            finish(&own->scale, face->styles[s] == 0, to[n]);
            most = fmaxf(most, fmaxf(to[n][0], fmaxf(to[n][1], to[n][2])));
        }
        bool dark = own->scale.cap > 0 && most < 1; // no byte of it would be above 0
        if (!dark || (face->styles[s] == 0 && !own->map->traits->dark_without_light)) {
            face->styles[kept++] = face->styles[s];
        }
    }
    face->num_styles = kept;
    for (uint32_t s = kept; s < BSP_RELIGHT_STYLES; s++) {
        face->styles[s] = 255;
    }
}

// RGBExp32: the brightest channel is 128..255 times a power of two, and the rest is cut off.
static void encode_exponent(const float rgb[3], uint8_t *out) {
    float most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])) * 255;
    int exponent = 0;
    if (!(most > 0)) {
        out[0] = out[1] = out[2] = out[3] = 0;
        return;
    }
    (void)frexpf(most, &exponent);
    exponent -= 8;
    exponent = exponent < -128 ? -128 : exponent > 127 ? 127 : exponent;
    for (int c = 0; c < 3; c++) {
        float value = rgb[c] * 255 * bspi_power_of_two(-exponent);
        out[c] = (uint8_t)clamped(value);
    }
    out[3] = (uint8_t)exponent;
}

// E5BGR9: nine bits of each channel for one exponent; a byte of 128 is 1.
static void encode_shared(const float rgb[3], uint8_t *out) {
    float most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])) / 128;
    int exponent = 0;
    uint32_t word = 0;
    if (most > 0 && isfinite(most)) {
        (void)frexpf(most, &exponent);
        exponent += most * bspi_power_of_two(9 - exponent) >= 511.5f; // would be 512
        exponent = exponent < -15 ? -15 : exponent > 16 ? 16 : exponent;
        for (int c = 0; c < 3; c++) {
            float value = rgb[c] / 128 * bspi_power_of_two(9 - exponent) + 0.5f;
            word |= (value < 1 ? 0u : value < 511 ? (uint32_t)value : 511u) << (9 * c);
        }
        word |= (uint32_t)(exponent + 15) << 27;
    }
    bspi_store32(out, word, false);
}

void bspi_luxel_encode(bspi_luxel_format format, const float rgb[3], uint8_t *out) {
    switch (format) {
    case BSPI_GREY8:
        out[0] = (uint8_t)clamped(fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])));
        break;
    case BSPI_RGB8:
    case BSPI_RGB556:
        for (int c = 0; c < 3; c++) {
            out[c] = (uint8_t)clamped(rgb[c]);
        }
        break;
    case BSPI_E5BGR9:
        encode_shared(rgb, out);
        break;
    case BSPI_RGBEXP32:
        encode_exponent(rgb, out);
        break;
    }
}
