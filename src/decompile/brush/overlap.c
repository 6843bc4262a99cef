// SPDX-License-Identifier: MIT
// Convex polygons of one plane, projected along the axis nearest to its normal.
#include "decompile/brush/overlap.h"

#include <math.h>
#include <string.h>

int bspi_dominant_axis(const double normal[3]) {
    int axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    return fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
}

void bspi_flatten(const double (*points)[3], uint32_t count, const double normal[3], int axis,
                  bspi_outline *out) {
    int first = (axis + (normal[axis] > 0 ? 1 : 2)) % 3;
    int second = 3 - axis - first;
    out->count = count;
    for (uint32_t i = 0; i < count; i++) {
        out->at[i][0] = points[i][first];
        out->at[i][1] = points[i][second];
    }
}

static double flat_area(const bspi_outline *f) {
    double sum = 0;
    for (uint32_t i = 1; i + 1 < f->count; i++) {
        sum += (f->at[i][0] - f->at[0][0]) * (f->at[i + 1][1] - f->at[0][1]) -
               (f->at[i][1] - f->at[0][1]) * (f->at[i + 1][0] - f->at[0][0]);
    }
    return sum / 2;
}

// Keeps what is to the left of the line from a to b.
static void clip(const bspi_outline *from, const double a[2], const double b[2], bspi_outline *to) {
    double x = b[0] - a[0];
    double y = b[1] - a[1];
    uint32_t count = 0;
    const double *p = from->at[0];
    const double first = x * (p[1] - a[1]) - y * (p[0] - a[0]);
    double dp = first;
    for (uint32_t i = 0; i < from->count && count + 2 <= 2 * BSPI_POLYGON_CORNERS; i++) {
        bool last = i + 1 == from->count;
        const double *q = from->at[last ? 0 : i + 1];
        double dq = last ? first : x * (q[1] - a[1]) - y * (q[0] - a[0]);
        if (dp >= 0) {
            memcpy(to->at[count++], p, sizeof to->at[0]);
        }
        if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) {
            double t = dp / (dp - dq);
            to->at[count][0] = p[0] + t * (q[0] - p[0]);
            to->at[count++][1] = p[1] + t * (q[1] - p[1]);
        }
        p = q;
        dp = dq;
    }
    to->count = count;
}

// Returns true if all is to the left of the line from a to b: a clip would change nothing.
static bool is_left(const bspi_outline *from, const double a[2], const double b[2]) {
    double x = b[0] - a[0];
    double y = b[1] - a[1];
    bool left = true;
    for (uint32_t i = 0; i < from->count && left; i++) {
        left = x * (from->at[i][1] - a[1]) - y * (from->at[i][0] - a[0]) >= 0;
    }
    return left;
}

double bspi_common_area(const bspi_outline *border, bspi_outline *inner) {
    bspi_outline other;
    bspi_outline *from = inner;
    bspi_outline *to = &other;
    for (uint32_t i = 0; i < border->count && from->count >= 3; i++) {
        const double *a = border->at[i];
        const double *b = border->at[i + 1 < border->count ? i + 1 : 0];
        if (is_left(from, a, b)) {
            continue;
        }
        clip(from, a, b, to);
        bspi_outline *swapped = from;
        from = to;
        to = swapped;
    }
    return from->count >= 3 ? fabs(flat_area(from)) : 0;
}
