// SPDX-License-Identifier: MIT
// The pixel formats of VTF, one row each. Narrow integers are widened by repeating their bits.
// Floats, and integers of 16 bits (4096 is 1), are linear light: clamped to 0..1, and converted by
// their square root, which is near the curve of a display and the same on every machine. Format:
// sheet outputs, section 5.1.
#include "asset/image/image.h"

#include <math.h>

static uint8_t five(uint32_t v) {
    v &= 31u;
    return (uint8_t)(v << 3 | v >> 2);
}

static uint8_t six(uint32_t v) {
    v &= 63u;
    return (uint8_t)(v << 2 | v >> 4);
}

static uint8_t four(uint32_t v) {
    return (uint8_t)((v & 15u) * 17);
}

static void set(uint8_t rgba[4], uint8_t r, uint8_t g, uint8_t b, uint8_t a) {
    rgba[0] = r;
    rgba[1] = g;
    rgba[2] = b;
    rgba[3] = a;
}

// --- bytes --------------------------------------------------------------------------------------

static void rgba8888(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[0], p[1], p[2], p[3]);
}

static void abgr8888(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[3], p[2], p[1], p[0]);
}

// The order of the bytes is green, blue, alpha, red, unlike the name (samples of VTFEdit and the
// SDK).
static void argb8888(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[3], p[0], p[1], p[2]);
}

static void bgra8888(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[2], p[1], p[0], p[3]);
}

static void bgrx8888(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[2], p[1], p[0], 255);
}

static void rgb888(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[0], p[1], p[2], 255);
}

static void bgr888(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[2], p[1], p[0], 255);
}

// Pure blue is transparent.
static void rgb888_bluescreen(const uint8_t *p, uint8_t rgba[4]) {
    bool hole = p[0] == 0 && p[1] == 0 && p[2] == 255;
    set(rgba, p[0], p[1], hole ? 0 : p[2], hole ? 0 : 255);
}

static void bgr888_bluescreen(const uint8_t *p, uint8_t rgba[4]) {
    const uint8_t turned[3] = {p[2], p[1], p[0]};
    rgb888_bluescreen(turned, rgba);
}

static void i8(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[0], p[0], p[0], 255);
}

static void ia88(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[0], p[0], p[0], p[1]);
}

static void a8(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, 0, 0, 0, p[0]);
}

static void uv88(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, p[0], p[1], 0, 255);
}

// --- parts of words -----------------------------------------------------------------------------

// The names begin at the low bits.
static void rgb565(const uint8_t *p, uint8_t rgba[4]) {
    uint32_t v = bspi_load16(p, false);
    set(rgba, five(v), six(v >> 5), five(v >> 11), 255);
}

static void bgr565(const uint8_t *p, uint8_t rgba[4]) {
    uint32_t v = bspi_load16(p, false);
    set(rgba, five(v >> 11), six(v >> 5), five(v), 255);
}

static void bgrx5551(const uint8_t *p, uint8_t rgba[4]) {
    uint32_t v = bspi_load16(p, false);
    set(rgba, five(v >> 10), five(v >> 5), five(v), 255);
}

static void bgra5551(const uint8_t *p, uint8_t rgba[4]) {
    bgrx5551(p, rgba);
    rgba[3] = (p[1] & 0x80) != 0 ? 255 : 0;
}

static void bgra4444(const uint8_t *p, uint8_t rgba[4]) {
    uint32_t v = bspi_load16(p, false);
    set(rgba, four(v >> 8), four(v >> 4), four(v), four(v >> 12));
}

static void rgba1010102(const uint8_t *p, uint8_t rgba[4]) {
    uint32_t v = bspi_load32(p, false);
    set(rgba, (uint8_t)(v >> 2), (uint8_t)(v >> 12), (uint8_t)(v >> 22), (uint8_t)((v >> 30) * 85));
}

static void bgra1010102(const uint8_t *p, uint8_t rgba[4]) {
    uint32_t v = bspi_load32(p, false);
    set(rgba, (uint8_t)(v >> 22), (uint8_t)(v >> 12), (uint8_t)(v >> 2), (uint8_t)((v >> 30) * 85));
}

// --- light --------------------------------------------------------------------------------------

float bspi_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 1023;
    float value = exponent == 31  ? (mantissa == 0 ? INFINITY : NAN)
                  : exponent == 0 ? ldexpf((float)mantissa, -24)
                                  : ldexpf((float)(mantissa + 1024), exponent - 25);
    return (bits & 0x8000) != 0 ? -value : value;
}

// Converts 0..1 to 0..255; NaN is 0.
static uint8_t level(float value) {
    return value >= 1 ? 255 : value > 0 ? (uint8_t)(value * 255 + 0.5F) : 0;
}

static uint8_t light(float value) {
    return value >= 1 ? 255 : value > 0 ? level(sqrtf(value)) : 0;
}

static float half_at(const uint8_t *p, size_t n) {
    return bspi_half(bspi_load16(p + 2 * n, false));
}

static float float_at(const uint8_t *p, size_t n) {
    return bspi_load_float(p + 4 * n, false);
}

static void rgba16f(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, light(half_at(p, 0)), light(half_at(p, 1)), light(half_at(p, 2)),
        level(half_at(p, 3)));
}

static void rgba16(const uint8_t *p, uint8_t rgba[4]) {
    for (size_t c = 0; c < 4; c++) {
        float value = (float)bspi_load16(p + 2 * c, false) / 4096;
        rgba[c] = c < 3 ? light(value) : level(value);
    }
}

static void rg16f(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, light(half_at(p, 0)), light(half_at(p, 1)), 0, 255);
}

static void r16f(const uint8_t *p, uint8_t rgba[4]) {
    uint8_t v = light(half_at(p, 0));
    set(rgba, v, v, v, 255);
}

static void r32f(const uint8_t *p, uint8_t rgba[4]) {
    uint8_t v = light(float_at(p, 0));
    set(rgba, v, v, v, 255);
}

static void rg32f(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, light(float_at(p, 0)), light(float_at(p, 1)), 0, 255);
}

static void rgb32f(const uint8_t *p, uint8_t rgba[4]) {
    set(rgba, light(float_at(p, 0)), light(float_at(p, 1)), light(float_at(p, 2)), 255);
}

static void rgba32f(const uint8_t *p, uint8_t rgba[4]) {
    rgb32f(p, rgba);
    rgba[3] = level(float_at(p, 3));
}

// --- the table ----------------------------------------------------------------------------------

// By code, as in version 7.5.
static const bspi_pixel_format formats[] = {
    {"RGBA8888", 4, rgba8888, NULL},
    {"ABGR8888", 4, abgr8888, NULL},
    {"RGB888", 3, rgb888, NULL},
    {"BGR888", 3, bgr888, NULL},
    {"RGB565", 2, rgb565, NULL},
    {"I8", 1, i8, NULL},
    {"IA88", 2, ia88, NULL},
    {"P8", 1, i8, NULL}, // its palette is not in the file
    {"A8", 1, a8, NULL},
    {"RGB888_BLUESCREEN", 3, rgb888_bluescreen, NULL},
    {"BGR888_BLUESCREEN", 3, bgr888_bluescreen, NULL},
    {"ARGB8888", 4, argb8888, NULL},
    {"BGRA8888", 4, bgra8888, NULL},
    {"DXT1", 8, NULL, bspi_block_bc1},
    {"DXT3", 16, NULL, bspi_block_bc2},
    {"DXT5", 16, NULL, bspi_block_bc3},
    {"BGRX8888", 4, bgrx8888, NULL},
    {"BGR565", 2, bgr565, NULL},
    {"BGRX5551", 2, bgrx5551, NULL},
    {"BGRA4444", 2, bgra4444, NULL},
    {"DXT1_ONEBITALPHA", 8, NULL, bspi_block_bc1a},
    {"BGRA5551", 2, bgra5551, NULL},
    {"UV88", 2, uv88, NULL},
    {"UVWQ8888", 4, rgba8888, NULL},
    {"RGBA16161616F", 8, rgba16f, NULL},
    {"RGBA16161616", 8, rgba16, NULL},
    {"UVLX8888", 4, rgb888, NULL},
    {"R32F", 4, r32f, NULL},
    {"RGB323232F", 12, rgb32f, NULL},
    {"RGBA32323232F", 16, rgba32f, NULL},
    {"RG1616F", 4, rg16f, NULL},
    {"RG3232F", 8, rg32f, NULL},
    {"RGBX8888", 4, rgb888, NULL},
    {NULL, 0, NULL, NULL},
    {"ATI2N", 16, NULL, bspi_block_bc5},
    {"ATI1N", 8, NULL, bspi_block_bc4},
    {"RGBA1010102", 4, rgba1010102, NULL},
    {"BGRA1010102", 4, bgra1010102, NULL},
    {"R16F", 2, r16f, NULL},
};

const bspi_pixel_format *bspi_vtf_format(int32_t code) {
    bool known = code >= 0 && (size_t)code < sizeof formats / sizeof *formats;
    return known && formats[code].name != NULL ? &formats[code] : NULL;
}

const char *bsp_vtf_format_name(int32_t code) {
    const bspi_pixel_format *format = bspi_vtf_format(code);
    return format == NULL ? NULL : format->name;
}
