// SPDX-License-Identifier: MIT
// Vectors of three doubles.
#ifndef BSPI_VECTOR_H
#define BSPI_VECTOR_H

#include <math.h>

static inline double bspi_vec_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double bspi_vec_length(const double a[3]) {
    return sqrt(bspi_vec_dot(a, a));
}

static inline void bspi_vec_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void bspi_vec_subtract(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

/// Sets `out` to a + b * scale.
static inline void bspi_vec_add(const double a[3], const double b[3], double scale, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + b[i] * scale;
    }
}

#endif
