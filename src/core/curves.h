// SPDX-License-Identifier: MIT
// Functions of floats that C libraries and processors round differently: computed in double, so
// that the float is the same with all of them (but for one value in hundreds of millions).
// tests/house/curves.py keeps the float forms of C out of everything else.
#ifndef BSPI_CURVES_H
#define BSPI_CURVES_H

#include <math.h>

#define BSPI_PI 3.14159265358979323846 ///< a half turn in radians

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

/// The length of (x, y).
static inline float bspi_length_of(float x, float y) {
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

#endif
