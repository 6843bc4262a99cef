// SPDX-License-Identifier: MIT
// Matrices of bones.
#include "model/matrix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void bspi_matrix_multiply(const float a[3][4], const float b[3][4], float out[3][4]) {
    float product[3][4];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? (double)a[row][3] : 0;
            for (int k = 0; k < 3; k++) {
                sum += (double)a[row][k] * (double)b[k][column];
            }
            product[row][column] = (float)sum;
        }
    }
    memcpy(out, product, sizeof product);
}

static double cofactor(const float m[3][4], int row, int column) {
    int r1 = (row + 1) % 3;
    int r2 = (row + 2) % 3;
    int c1 = (column + 1) % 3;
    int c2 = (column + 2) % 3;
    return (double)m[r1][c1] * (double)m[r2][c2] - (double)m[r1][c2] * (double)m[r2][c1];
}

void bspi_matrix_invert(const float m[3][4], float out[3][4]) {
    float inverse[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    double determinant = 0;
    for (int i = 0; i < 3; i++) {
        determinant += (double)m[0][i] * cofactor(m, 0, i);
    }
    if (isfinite(determinant) && determinant != 0) {
        for (int row = 0; row < 3; row++) {
            double place = 0;
            for (int column = 0; column < 3; column++) {
                double value = cofactor(m, column, row) / determinant;
                inverse[row][column] = (float)value;
                place -= value * (double)m[column][3];
            }
            inverse[row][3] = (float)place;
        }
    }
    memcpy(out, inverse, sizeof inverse);
}

void bspi_matrix_compose(const float place[3], const float turn[4], const float scale[3],
                         float out[3][4]) {
    double length = sqrt((double)turn[0] * (double)turn[0] + (double)turn[1] * (double)turn[1] +
                         (double)turn[2] * (double)turn[2] + (double)turn[3] * (double)turn[3]);
    bool turned = isfinite(length) && length > 0;
    double x = turned ? (double)turn[0] / length : 0;
    double y = turned ? (double)turn[1] / length : 0;
    double z = turned ? (double)turn[2] / length : 0;
    double w = turned ? (double)turn[3] / length : 1;
    const double rotation[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            out[row][column] = (float)(rotation[row][column] * (double)scale[column]);
        }
        out[row][3] = place[row];
    }
}

void bspi_matrix_direction(const float m[3][4], const float direction[3], float out[3]) {
    float turned[3];
    for (int row = 0; row < 3; row++) {
        turned[row] = (float)((double)m[row][0] * (double)direction[0] +
                              (double)m[row][1] * (double)direction[1] +
                              (double)m[row][2] * (double)direction[2]);
    }
    memcpy(out, turned, sizeof turned);
}

void bspi_matrix_point(const float m[3][4], const float point[3], float out[3]) {
    bspi_matrix_direction(m, point, out);
    for (int row = 0; row < 3; row++) {
        out[row] += m[row][3];
    }
}
