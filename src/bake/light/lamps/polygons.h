// SPDX-License-Identifier: MIT
// Polygons that shine as a whole: surfaces of Quake 3 that give light, or throw it back. Numbers:
// netradiant-custom, tools/quake3/q3map2/light.cpp.
#ifndef BSPI_BAKE_POLYGONS_H
#define BSPI_BAKE_POLYGONS_H

#include "bake/light/drawn/drawn.h"
#include "bake/light/lamps/lamp.h"

#define BSPI_POLYGON_BACK 1.0f   // units from its plane to its back: what is farther has nothing
#define BSPI_POLYGON_BESIDE 3.0f // units from its plane: a place of the same direction lies in it
#define BSPI_POLYGON_CLOSE 8.0f  // units from its plane: nearer places count as so far
#define BSPI_POLYGON_SAME 0.9f   // cosine of the same direction

/// How a surface is divided into polygons that shine.
typedef struct bspi_polygon_rules {
    float value;           ///< of its shader
    float chop;            ///< units: no polygon is longer along an axis
    float least;           ///< less of its light counts nothing, whatever its colour; 0: none
    float splash;          ///< share of its light that walls around it throw back; 0: none
    float splash_distance; ///< units before it, from where that light comes
    bool as_points;        ///< its light fades as that of a point in its middle
} bspi_polygon_rules;

/// Adds a triangle as polygons that shine (lamps_polygons.c).
bool bspi_polygons_add(bspi_relight *own, const bspi_triangle *triangle, const bspi_lamp *lamp,
                       const bspi_polygon_rules *rules, bsp_error *error);
/// Returns how many units before its middle a polygon gives no more than that, of a value where it
/// fills the view.
float bspi_polygon_reach(const float (*corners)[3], uint32_t count, const float middle[3],
                         const float normal[3], float value, float least);
/// Returns what a place in space gets of a lamp that is a polygon, from a direction.
float bspi_polygon_in_space(const bspi_lamp *lamp, const float point[3], const float direction[3]);
/// Returns what a place whose normal that is gets of a lamp that is a polygon, if it sees it.
float bspi_polygon_at(const bspi_lamp *lamp, const float point[3], const float normal[3],
                      bool two_sided);

#endif
