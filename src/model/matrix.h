// SPDX-License-Identifier: MIT
// Matrices of bones: three rows of four, the last column is the place.
#ifndef BSPI_MODEL_MATRIX_H
#define BSPI_MODEL_MATRIX_H

/// Sets `out` to a after b: what turns a point by b first, then by a. May be one of them.
void bspi_matrix_multiply(const float a[3][4], const float b[3][4], float out[3][4]);
/// Sets `out` to the inverse of any matrix; to the identity where it has none.
void bspi_matrix_invert(const float m[3][4], float out[3][4]);
/// Sets `out` to that of a place, a quaternion (x, y, z, w, made unit length) and a scale of each
/// axis.
void bspi_matrix_compose(const float place[3], const float turn[4], const float scale[3],
                         float out[3][4]);
/// Turns a point; a direction is turned only.
void bspi_matrix_point(const float m[3][4], const float point[3], float out[3]);
void bspi_matrix_direction(const float m[3][4], const float direction[3], float out[3]);

#endif
