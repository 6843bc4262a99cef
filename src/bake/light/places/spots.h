// SPDX-License-Identifier: MIT
// Where hlrad measures light.
#ifndef BSPI_BAKE_SPOTS_H
#define BSPI_BAKE_SPOTS_H

#include "bake/light/faces/unfold.h"
#include "bake/light/places/places.h"

/// Where light is measured.
typedef struct bspi_spot {
    float point[3];  ///< in the world
    float on[3];     ///< the same on the surface
    float normal[3]; ///< a unit vector
    uint32_t face;   ///< that it is on
    bool found;      ///< false: all around is solid
    bool moved;      ///< it is not where it was asked for
} bspi_spot;

/// Finds where light is measured for a place in texels of the first face, within a rectangle around
/// it, if it need not be moved (spot.c).
bool bspi_unfold_within(bspi_unfold *unfold, const double at[2], const bspi_rectangle *square,
                        bspi_spot *out);

/// Sets where light is measured in a cell of the first face that is whole (spot_cells.h); `open`:
/// its middle is free. False where it is not.
bool bspi_unfold_whole(bspi_unfold *unfold, int s, int t, bool open, bspi_spot *out);

/// The same as bspi_unfold_within wherever it is moved to.
void bspi_unfold_spot(bspi_unfold *unfold, const double at[2], const bspi_rectangle *square,
                      bspi_spot *out);

#define BSPI_TEXELS 16 // of a luxel

/// The same for a place in luxels of the face; `reach`: luxels from it to the corners of the
/// rectangle, which are those of luxels (spots.c).
void bspi_unfold_luxel(bspi_unfold *unfold, const bspi_luxels *luxels, float s, float t,
                       float reach, bspi_spot *out);

/// Is light measured so in this map?
bool bspi_spots_are_used(const bspi_relight *own);

/// The place of a luxel on a surface.
typedef struct bspi_luxel_spot {
    float on[3];   ///< in the world
    uint32_t face; ///< that it is on; BSP_NONE: all around is solid
} bspi_luxel_spot;

/// Returns how many texels around a face are unfolded to find them.
float bspi_spots_range(const bspi_relight *own);

/// Makes room for those of all luxels, where patches are mixed at them after faces were lit. Free
/// with bspi_spots_free, after a failure too (spots.c).
bool bspi_spots_begin(bspi_relight *own, bsp_error *error);
void bspi_spots_free(bspi_relight *own);

/// Sets the places of a face, whose luxels those are, where hlrad has them (spots.c).
bool bspi_spots_put(bspi_relight *own, uint32_t face, const bspi_luxels *luxels,
                    bspi_places *places, bsp_error *error);

#endif
