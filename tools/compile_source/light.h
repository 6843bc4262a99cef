// SPDX-License-Identifier: MIT
// Light: lamps, rays, and what reaches a point.
#ifndef COMPILE_LIGHT_H
#define COMPILE_LIGHT_H

#include "world.h"

typedef struct colour {
    double v[3]; ///< 255 is white
} colour;

/// Takes note of the solid brushes of the world, once.
void trace_begin(const world *w);
/// True if no solid brush of the world lies between two points.
bool trace_clear(vec3 from, vec3 to);
/// True if a ray meets the sky before anything else.
bool trace_sky(vec3 from, vec3 direction);

/// What a lamp gives to a point: colour, and the direction that it comes from. False if nothing
/// does. Light of the sky comes from one direction too; ambient light is not asked here.
bool lamp_reaches(const lamp *l, vec3 point, colour *out, vec3 *from);
/// Ambient light of the sky on a surface of this normal.
colour lamp_ambient(const lamp *l, vec3 point, vec3 normal);

/// Light that surfaces throw back, once.
void bounce_begin(void);
void bounce_add(vec3 place, vec3 normal, double area, const double back[3], uint32_t cluster);
/// What reaches a point in a leaf from all of them.
colour bounce_reaches(const world *w, vec3 point, vec3 normal, uint32_t number);

/// The places of a displacement's luxels and the normals there (displacement.c).
void hill_spots(const hill *h, uint32_t across, uint32_t down, vec3 *points, vec3 *normals);

/// Mantissas and exponent of a colour.
void put_colour(const double c[3], uint8_t out[4]);

#endif
