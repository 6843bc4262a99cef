// SPDX-License-Identifier: MIT
// Three forms of a texture's mapping to a plane, and the one that they all mean: texel =
// vec[i][0..2] . p + vec[i][3]. Facts: sheet outputs, section 1.1.
//
// Only the effect of a mapping on the plane of its side is visible. A vector of it may be changed
// along the normal, when its offset is changed to match.
#ifndef BSPI_MAPDOC_TEXDEF_H
#define BSPI_MAPDOC_TEXDEF_H

#include "bspkit/core.h"

/// What editors of Source give new sides: units per texel, and units per luxel.
#define BSPI_EDITOR_SCALE 0.25
#define BSPI_EDITOR_LUXEL 16

/// Valve 220 and .vmf: texel i = p . axis[i] / scale[i] + offset[i].
typedef struct bspi_axes {
    double axis[2][3];
    double offset[2];
    double scale[2]; ///< units per texel
} bspi_axes;

/// Quake: the base axes of the plane's direction, rotated and scaled.
typedef struct bspi_shift {
    double offset[2];
    double rotation; ///< degrees
    double scale[2]; ///< units per texel; negative values mirror
} bspi_shift;

/// Gives the base axes of a normal: unit vectors along two of the world's axes, S and T. Returns
/// the third axis, along which the texture is projected.
int bspi_base_axes(const double normal[3], double axes[2][3]);

/// Gives the axes of brush primitives: unit vectors in the plane.
void bspi_primitive_axes(const double normal[3], double axes[2][3]);

/// Returns true if both vectors are finite, and independent on the plane.
bool bspi_mapping_is_sound(const double normal[3], const double vec[2][4]);

/// Gives a mapping along the base axes, `scale` units per texel.
void bspi_plain_mapping(const double normal[3], double scale, double vec[2][4]);

/// Converts to unit axes and positive scales. The mapping must be sound.
void bspi_vec_to_axes(const double vec[2][4], bspi_axes *axes);
/// Converts from axes, which need not be unit. A scale of 0 means 1.
void bspi_axes_to_vec(const bspi_axes *axes, double vec[2][4]);

/// Converts to the same mapping on the plane normal . p = dist. Returns false if it is sheared (a
/// square would not stay a rectangle), which offset, rotation and scale cannot express; then S is
/// exact everywhere, and T is perpendicular to S, as long as it was in that direction, and exact at
/// `centre`.
bool bspi_vec_to_shift(const double normal[3], double dist, const double centre[3],
                       const double vec[2][4], bspi_shift *shift);
/// Converts from offset, rotation and scale. A scale of 0 means 1.
void bspi_shift_to_vec(const double normal[3], const bspi_shift *shift, double vec[2][4]);

/// Brush primitives: repeat i = matrix[i][0] (p . X) + matrix[i][1] (p . Y) + matrix[i][2]. Always
/// the same mapping on the plane. `size` is the texture's, in texels.
void bspi_vec_to_matrix(const double normal[3], double dist, const double vec[2][4],
                        const uint32_t size[2], double matrix[2][3]);
/// Converts the rows of the matrix to a mapping in repeats.
void bspi_matrix_to_vec(const double normal[3], const double s[3], const double t[3],
                        double vec[2][4]);

#endif
