// SPDX-License-Identifier: MIT
// Brushes of a model that its entity rotates: the compiler keeps the model unrotated, an editor
// shows brushes where they stand.
#include "decompile/source/steps.h"

#include "core/curves.h"

#include <math.h>
#include <string.h>

// Computes sine and cosine, exact for quarter turns.
static void turn_of(double degrees, double *s, double *c) {
    static const double sines[4] = {0, 1, 0, -1};
    double quarters = degrees / 90;
    if (quarters == floor(quarters) && fabs(quarters) < 1e6) {
        unsigned n = (unsigned)(int64_t)(quarters - 4 * floor(quarters / 4));
        *s = sines[n & 3];
        *c = sines[(n + 1) & 3];
        return;
    }
    *s = sin(degrees * BSPI_DEGREE);
    *c = cos(degrees * BSPI_DEGREE);
}

// Computes the rows that transform a vector of the model to one of the world: AngleMatrix of the
// SDK.
static void rows_of(const double angles[3], double rows[3][3]) {
    double sp, cp, sy, cy, sr, cr;
    turn_of(angles[0], &sp, &cp);
    turn_of(angles[1], &sy, &cy);
    turn_of(angles[2], &sr, &cr);
    const double made[3][3] = {{cp * cy, sr * sp * cy - cr * sy, cr * sp * cy + sr * sy},
                               {cp * sy, sr * sp * sy + cr * cy, cr * sp * sy - sr * cy},
                               {-sp, sr * cp, cr * cp}};
    memcpy(rows, made, sizeof made);
}

static void turn(const double (*rows)[3], const double v[3], double out[3]) {
    double made[3];
    for (int i = 0; i < 3; i++) {
        made[i] = rows[i][0] * v[0] + rows[i][1] * v[1] + rows[i][2] * v[2] + 0.0;
    }
    memcpy(out, made, sizeof made);
}

void bspi_turn_brush(bspi_work *w, uint32_t brush, const double angles[3], const double origin[3]) {
    double made[3][3];
    rows_of(angles, made);
    const double(*rows)[3] = (const double(*)[3])made;
    const bsp_mapdoc_brush *b = bspi_built_brush(&w->out, brush);
    for (uint32_t i = 0; i < b->num_sides; i++) {
        bsp_mapdoc_side *side = bspi_built_side(&w->out, b->first_side + i);
        turn(rows, side->normal, side->normal);
        for (int p = 0; p < 3; p++) {
            turn(rows, side->points[p], side->points[p]);
            for (int axis = 0; axis < 3; axis++) {
                side->points[p][axis] += origin[axis];
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            side->dist += side->normal[axis] * origin[axis];
        }
        for (int k = 0; k < 2; k++) {
            double *vec = side->vec[k];
            turn(rows, vec, vec);
            vec[3] -= vec[0] * origin[0] + vec[1] * origin[1] + vec[2] * origin[2];
        }
    }
}
