// SPDX-License-Identifier: MIT
// Convex polygons cut by planes, with the precision and order of operations of Quake 3, where
// floats are stored after each step.
#include "query/winding.h"

#include "query/collide.h"

#include <math.h>
#include <string.h>

float bspi_query_normalize(float v[3]) {
    float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (square == 0) {
        return 0;
    }
    float inverse = 1 / (float)sqrt((double)square);
    v[0] *= inverse;
    v[1] *= inverse;
    v[2] *= inverse;
    return square * inverse;
}

void bspi_winding_base(bspi_winding *w, const float normal[3], float dist) {
    int major = 0;
    for (int i = 1; i < 3; i++) {
        major = fabsf(normal[i]) > fabsf(normal[major]) ? i : major;
    }
    float up[3] = {0, 0, 0};
    up[major == 2 ? 0 : 2] = 1;
    float along = -bspi_dot(up, normal);
    for (int i = 0; i < 3; i++) {
        up[i] += along * normal[i];
    }
    float length = (float)sqrt((double)bspi_dot(up, up));
    float inverse = length != 0 ? 1 / length : 0;
    float right[3];
    for (int i = 0; i < 3; i++) {
        up[i] *= inverse;
    }
    bspi_cross(up, normal, right);
    for (int i = 0; i < 3; i++) {
        float origin = normal[i] * dist;
        float u = up[i] * BSPI_WINDING_SIZE;
        float r = right[i] * BSPI_WINDING_SIZE;
        w->points[0][i] = origin - r + u;
        w->points[1][i] = origin + r + u;
        w->points[2][i] = origin + r - u;
        w->points[3][i] = origin - r - u;
    }
    w->count = 4;
}

enum { FRONT, BACK, ON };

// Computes the point where an edge crosses the plane; exact where the plane is across an axis.
static void cross_point(const float p1[3], const float p2[3], float part, const float normal[3],
                        float dist, float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = normal[i] == 1 ? dist : normal[i] == -1 ? -dist : p1[i] + part * (p2[i] - p1[i]);
    }
}

void bspi_winding_clip(bspi_winding *w, const float normal[3], float dist) {
    float dists[BSPI_WINDING_POINTS];
    uint8_t sides[BSPI_WINDING_POINTS];
    uint32_t counts[3] = {0, 0, 0};
    for (uint32_t i = 0; i < w->count; i++) {
        dists[i] = bspi_dot(w->points[i], normal) - dist;
        sides[i] = dists[i] > BSPI_WINDING_EPSILON    ? FRONT
                   : dists[i] < -BSPI_WINDING_EPSILON ? BACK
                                                      : ON;
        counts[sides[i]]++;
    }
    if (counts[FRONT] == 0) {
        w->count = 0;
        return;
    }
    if (counts[BACK] == 0) {
        return;
    }
    bspi_winding out;
    out.count = 0;
    for (uint32_t i = 0; i < w->count && out.count + 2 <= BSPI_WINDING_POINTS; i++) {
        uint32_t next = (i + 1) % w->count;
        if (sides[i] != BACK) {
            memcpy(out.points[out.count++], w->points[i], sizeof out.points[0]);
        }
        if (sides[i] == ON || sides[next] == ON || sides[next] == sides[i]) {
            continue;
        }
        cross_point(w->points[i], w->points[next], dists[i] / (dists[i] - dists[next]), normal,
                    dist, out.points[out.count++]);
    }
    w->count = out.count;
    memcpy(w->points, out.points, out.count * sizeof out.points[0]);
}

void bspi_winding_extend(const bspi_winding *w, float box[2][3]) {
    for (uint32_t i = 0; i < w->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            float x = w->points[i][axis];
            box[0][axis] = x < box[0][axis] ? x : box[0][axis];
            box[1][axis] = x > box[1][axis] ? x : box[1][axis];
        }
    }
}
