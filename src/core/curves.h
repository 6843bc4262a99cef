// SPDX-License-Identifier: MIT
// Functions of floats that C libraries and processors round differently: computed in double, so
// that the float is the same with all of them (but for one value in hundreds of millions).
// tests/house/curves.py keeps the float forms of C out of everything else.
#ifndef BSPI_CURVES_H
#define BSPI_CURVES_H

#include <math.h>

#define BSPI_PI 3.14159265358979323846 ///< a half turn in radians
#define BSPI_TURN (2 * BSPI_PI)        ///< a whole one
#define BSPI_DEGREE (BSPI_PI / 180)    ///< a degree in radians

/// Returns an angle in radians, rounded to float.
static inline float bspi_radians(float degrees) {
    return degrees * (float)BSPI_DEGREE;
}

/// Returns an angle in degrees, rounded to float.
static inline float bspi_degrees(float radians) {
    return radians * (float)(1 / BSPI_DEGREE);
}

static inline float bspi_sine(float radians) {
    return (float)sin((double)radians);
}

static inline float bspi_cosine(float radians) {
    return (float)cos((double)radians);
}

/// The angle of (x, y), in radians.
static inline float bspi_angle_of(float y, float x) {
    return (float)atan2((double)y, (double)x);
}

static inline float bspi_power(float base, float exponent) {
    return (float)pow((double)base, (double)exponent);
}

/// Light from 0 to 1 as the sRGB curve has it, and back.
static inline float bspi_srgb_of(float light) {
    return light < 0.0031308f ? light * 12.92f : 1.055f * bspi_power(light, 1 / 2.4f) - 0.055f;
}

static inline float bspi_light_of_srgb(float value) {
    return value <= 0.04045f ? value / 12.92f : bspi_power((value + 0.055f) / 1.055f, 2.4f);
}

/// The length of (x, y).
static inline float bspi_length_of(float x, float y) {
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

#endif
