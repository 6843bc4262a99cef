// SPDX-License-Identifier: MIT
// Vectors of three doubles, and of three floats.
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

static inline float bspi_dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// `out` may not be one of the two.
static inline void bspi_cross(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Sets the vector upright on a triangle, twice as long as it has square units.
static inline void bspi_triangle_cross(const float a[3], const float b[3], const float c[3],
                                       float out[3]) {
    float edges[2][3];
    for (int i = 0; i < 3; i++) {
        edges[0][i] = b[i] - a[i];
        edges[1][i] = c[i] - a[i];
    }
    bspi_cross(edges[0], edges[1], out);
}

/// Makes a vector one unit long, and returns how long it was. One without a length stays.
static inline float bspi_normalize(float v[3]) {
    float length = sqrtf(bspi_dot(v, v));
    for (int i = 0; i < 3 && length > 0; i++) {
        v[i] /= length;
    }
    return length;
}

/// Sets two unit vectors that are upright on a unit vector and on each other.
static inline void bspi_frame_of(const float axis[3], float up[3], float side[3]) {
    int least = fabsf(axis[0]) < fabsf(axis[1]) ? 0 : 1;
    least = fabsf(axis[2]) < fabsf(axis[least]) ? 2 : least;
    for (int i = 0; i < 3; i++) {
        up[i] = (i == least ? 1 : 0) - axis[i] * axis[least];
    }
    (void)bspi_normalize(up);
    bspi_cross(axis, up, side);
}

#endif
