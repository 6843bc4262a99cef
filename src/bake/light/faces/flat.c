// SPDX-License-Identifier: MIT
// Inverts the luxel vectors of a face together with its plane: a luxel and the distance of the
// plane are three linear equations for a point.
#include "bake/light/faces/flat.h"

#include "core/vector.h"

bool bspi_flat_find(bspi_flat *flat, const bspi_luxels *luxels) {
    double m[3][3];
    double c[3];
    for (int i = 0; i < 3; i++) {
        m[0][i] = (double)luxels->vecs[0][i];
        m[1][i] = (double)luxels->vecs[1][i];
        m[2][i] = (double)flat->normal[i];
    }
    flat->shift[0] = luxels->vecs[0][3];
    flat->shift[1] = luxels->vecs[1][3];
    bspi_vec_cross(m[1], m[2], c);
    double det = m[0][0] * c[0] + m[0][1] * c[1] + m[0][2] * c[2];
    if (!(fabs(det) > 1e-12)) {
        return false;
    }
    for (int column = 0; column < 3; column++) {
        bspi_vec_cross(m[(column + 1) % 3], m[(column + 2) % 3], c);
        for (int i = 0; i < 3; i++) {
            flat->back[i][column] = c[i] / det;
        }
    }
    return true;
}

void bspi_flat_point(const bspi_flat *flat, float s, float t, float out[3]) {
    double at[3] = {(double)s - (double)flat->shift[0], (double)t - (double)flat->shift[1],
                    (double)flat->dist};
    for (int i = 0; i < 3; i++) {
        const double *back = flat->back[i];
        out[i] = (float)(back[0] * at[0] + back[1] * at[1] + back[2] * at[2]);
    }
}
