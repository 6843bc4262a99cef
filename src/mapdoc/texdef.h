// SPDX-License-Identifier: MIT
// Three ways to say how a texture lies on a plane, and the one that they all mean: texel =
// vec[i][0..2] . p + vec[i][3]. Facts: sheet outputs, section 1.1.
//
// Of a mapping only what it does on the plane of its side can be seen. A vector of it may be
// changed along the normal, when its offset is changed to match.
#ifndef BSPI_MAPDOC_TEXDEF_H
#define BSPI_MAPDOC_TEXDEF_H

#include "bspkit/core.h"

/// Valve 220 and .vmf: texel i = p . axis[i] / scale[i] + offset[i].
typedef struct bspi_axes {
    double axis[2][3];
    double offset[2];
    double scale[2]; ///< units a texel
} bspi_axes;

/// Quake: the base axes of the plane's direction, turned and scaled.
typedef struct bspi_shift {
    double offset[2];
    double rotation; ///< degrees
    double scale[2]; ///< units a texel; negative ones mirror
} bspi_shift;

/// The base axes of a normal: unit vectors along two of the world's axes, S and T. Returns the axis
/// that is left, which the texture is projected along.
int bspi_base_axes(const double normal[3], double axes[2][3]);

/// The axes of brush primitives: unit vectors in the plane.
void bspi_primitive_axes(const double normal[3], double axes[2][3]);

/// True if both vectors are finite, and different where the plane lies.
bool bspi_mapping_is_sound(const double normal[3], const double vec[2][4]);

/// Base axes, `scale` units a texel.
void bspi_plain_mapping(const double normal[3], double scale, double vec[2][4]);

/// Unit axes and positive scales. The mapping is sound.
void bspi_vec_to_axes(const double vec[2][4], bspi_axes *axes);
/// Axes need not be unit. A scale of 0 means 1.
void bspi_axes_to_vec(const bspi_axes *axes, double vec[2][4]);

/// The same mapping on the plane normal . p = dist. False if it leans (a square would not stay a
/// rectangle), which offset, rotation and scale cannot say; then S is right everywhere, and T
/// stands upright on it, as long as it was in that direction, and right at `centre`.
bool bspi_vec_to_shift(const double normal[3], double dist, const double centre[3],
                       const double vec[2][4], bspi_shift *shift);
/// A scale of 0 means 1.
void bspi_shift_to_vec(const double normal[3], const bspi_shift *shift, double vec[2][4]);

/// Brush primitives: repeat i = matrix[i][0] (p . X) + matrix[i][1] (p . Y) + matrix[i][2]. Always
/// the same mapping on the plane. `size` is the texture's, in texels.
void bspi_vec_to_matrix(const double normal[3], double dist, const double vec[2][4],
                        const uint32_t size[2], double matrix[2][3]);
/// In repeats, out of the rows of the matrix.
void bspi_matrix_to_vec(const double normal[3], const double s[3], const double t[3],
                        double vec[2][4]);

#endif
