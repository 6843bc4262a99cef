// SPDX-License-Identifier: MIT
// Convex polygons that planes split.
#include "mesh/split.h"

#include "core/vector.h"

#include <string.h>

#define TINY 0.2 // units: a shorter edge is none (sheet bake, 1.1)

void bspi_polygon_square(bspi_polygon *out, const bspi_split_plane *plane, const double middle[3],
                         double size) {
    int longest = 0;
    for (int i = 1; i < 3; i++) {
        longest = fabs(plane->normal[i]) > fabs(plane->normal[longest]) ? i : longest;
    }
    double up[3] = {0, 0, 0};
    up[longest == 2 ? 0 : 2] = 1;
    bspi_vec_add(up, plane->normal, -bspi_vec_dot(up, plane->normal), up);
    double length = bspi_vec_length(up);
    double right[3];
    double at[3];
    bspi_vec_cross(up, plane->normal, right);
    bspi_vec_add(middle, plane->normal, plane->dist - bspi_vec_dot(middle, plane->normal), at);
    out->count = 4;
    static const double signs[4][2] = {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    for (int i = 0; i < 4; i++) {
        bspi_vec_add(at, right, signs[i][0] * size / length, out->points[i]);
        bspi_vec_add(out->points[i], up, signs[i][1] * size / length, out->points[i]);
    }
}

static void put(bspi_polygon *out, bool *full, const double point[3]) {
    if (out == NULL) {
        return;
    }
    if (out->count == BSPI_POLYGON_POINTS) {
        *full = true;
        return;
    }
    memcpy(out->points[out->count++], point, sizeof out->points[0]);
}

// Where an edge meets the plane. The coordinate along an axis of the plane is exact.
static void cross(const double a[3], const double b[3], double from, double to,
                  const bspi_split_plane *plane, double out[3]) {
    double part = from / (from - to);
    for (int i = 0; i < 3; i++) {
        bool across = plane->normal[i] == 1 || plane->normal[i] == -1;
        out[i] = across ? plane->normal[i] * plane->dist : a[i] + part * (b[i] - a[i]);
    }
}

// Splits a polygon whose corners have the distances `away` from the plane.
static void cut(const bspi_polygon *polygon, const bspi_split_plane *plane, const double *away,
                double epsilon, bspi_polygon *front, bspi_polygon *back) {
    bspi_polygon parts[2];
    bool full[2] = {false, false};
    parts[0].count = parts[1].count = 0;
    bspi_polygon *before = front == NULL ? NULL : &parts[0];
    bspi_polygon *behind = back == NULL ? NULL : &parts[1];
    for (uint32_t i = 0; i < polygon->count; i++) {
        uint32_t next = i + 1 == polygon->count ? 0 : i + 1;
        const double *point = polygon->points[i];
        if (away[i] >= -epsilon) {
            put(before, &full[0], point);
        }
        if (away[i] <= epsilon) {
            put(behind, &full[1], point);
        }
        bool crosses = (away[i] > epsilon && away[next] < -epsilon) ||
                       (away[i] < -epsilon && away[next] > epsilon);
        if (crosses) {
            double at[3];
            cross(point, polygon->points[next], away[i], away[next], plane, at);
            put(before, &full[0], at);
            put(behind, &full[1], at);
        }
    }
    bspi_polygon whole;
    if (full[0] || full[1]) {
        whole = *polygon;
    }
    for (int i = 0; i < 2; i++) {
        bspi_polygon *to = i == 0 ? front : back;
        const bspi_polygon *from = full[i] ? &whole : &parts[i];
        if (to != NULL) {
            to->count = from->count;
            memcpy(to->points, from->points, from->count * sizeof from->points[0]);
        }
    }
}

bspi_polygon_side bspi_polygon_split(const bspi_polygon *polygon, const bspi_split_plane *plane,
                                     double epsilon, bspi_polygon *front, bspi_polygon *back) {
    double away[BSPI_POLYGON_POINTS];
    unsigned sides = BSPI_POLYGON_ON;
    for (uint32_t i = 0; i < polygon->count; i++) {
        away[i] = bspi_vec_dot(polygon->points[i], plane->normal) - plane->dist;
        sides |= away[i] > epsilon ? BSPI_POLYGON_FRONT : 0u;
        sides |= away[i] < -epsilon ? BSPI_POLYGON_BACK : 0u;
    }
    if (sides == BSPI_POLYGON_BOTH) {
        cut(polygon, plane, away, epsilon, front, back);
    }
    return (bspi_polygon_side)sides;
}

bool bspi_polygon_keep(bspi_polygon *polygon, const bspi_split_plane *plane, double epsilon,
                       bool on) {
    switch (bspi_polygon_split(polygon, plane, epsilon, polygon, NULL)) {
    case BSPI_POLYGON_ON:
        return on;
    case BSPI_POLYGON_BACK:
        return false;
    case BSPI_POLYGON_FRONT:
    case BSPI_POLYGON_BOTH:
    default:
        return polygon->count >= 3;
    }
}

bool bspi_polygon_is_tiny(const bspi_polygon *polygon) {
    uint32_t edges = 0;
    for (uint32_t i = 0; i < polygon->count; i++) {
        double edge[3];
        bspi_vec_subtract(polygon->points[i + 1 == polygon->count ? 0 : i + 1], polygon->points[i],
                          edge);
        edges += bspi_vec_length(edge) > TINY;
    }
    return edges < 3;
}
