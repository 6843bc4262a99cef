// SPDX-License-Identifier: MIT
// Quake 3: a surface while it is drawn on the luxels of its page.
#ifndef BSPI_BAKE_DRAWN_RASTER_H
#define BSPI_BAKE_DRAWN_RASTER_H

#include "bake/light/drawn/drawn.h"
#include "bake/light/places/places.h"

#define BSPI_RASTER_FLAT 0.9999f // cosine of normals of one plane
#define BSPI_RASTER_LIFT 1.0f    // units from the surface
#define BSPI_RASTER_ANY (-1)     // no axis

/// A triangle as it lies on the page.
typedef struct bspi_spread {
    const bspi_triangle *from;
    float edges[2][2]; ///< from its first corner to the others, luxels
    float area;        ///< twice as large as it is, luxels
    float normal[3];   ///< of its plane
    bool flat;         ///< its corners have the same normal
} bspi_spread;

/// The surface.
typedef struct bspi_raster {
    bspi_relight *own;
    bspi_places *places;
    bspi_triangles triangles;
    uint32_t face;
    int axis;          ///< of the world along which luxels lie on it, or BSPI_RASTER_ANY
    bool curved;       ///< a patch whose luxels lie along itself
    bool planar;       ///< it lies on a plane, as the map says
    uint32_t number;   ///< curved: of the triangle that points are put on
    uint32_t first[2]; ///< luxel of the page where the places begin
    float *away;       ///< for each place: luxels from its triangle
    uint32_t *of;      ///< for each place: its triangle, or BSP_NONE
} bspi_raster;

/// Makes a vector one unit long; 0 without a length.
float bspi_raster_unit(float v[3]);
/// Lays a triangle on the page. False if it is none there, or in the world.
bool bspi_raster_lay(const bspi_triangle *from, bspi_spread *out);
/// Sets the weights of the three corners at a place on the page. Returns its distance, luxels.
float bspi_raster_weigh(const bspi_spread *s, const float at[2], float weights[3]);
/// Returns luxels from the middle of a place's square to it.
float bspi_raster_past(const bspi_raster *r);
/// Puts a place on the plane of a triangle.
void bspi_raster_put(const bspi_raster *r, const bspi_spread *s, uint32_t place);
/// Finds the axis of all triangles, and whether the surface is curved.
void bspi_raster_find_axis(bspi_raster *r);
/// Lifts the places off the surface, and out of solid; sets which are lit.
void bspi_raster_lift(bspi_raster *r);
/// Returns the units from a luxel to the next one: along the axis of the world that they lie on, as
/// compilers count them; 0: not known.
float bspi_raster_step(const bspi_raster *r);

/// Finds the places and normals of a surface whose luxels lie along an axis, or along itself
/// (drawn_meet.c).
bool bspi_raster_meet(bspi_raster *r, bsp_error *error);

#endif
