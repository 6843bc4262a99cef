// SPDX-License-Identifier: MIT
// What a patch of hlrad gives eight others, and takes of them, and where a point is in the planes
// of eight, with AVX2 or with what the target has.
#ifndef BSPI_BAKE_RAD_EIGHT_H
#define BSPI_BAKE_RAD_EIGHT_H

#include "bake/light/rad/rad.h"

#include <stdint.h>

#define BSPI_RAD_LANES 8u
#define BSPI_RAD_FLUSH 0.04f        // units before a plane; nearer to it nothing goes over
#define BSPI_RAD_LEAST_COSINE 1e-5f //
#define BSPI_RAD_MOST_SHARE                                                                        \
    0.8f                     // of the light of a patch, times pi, that another one takes as
                             // from a point
#define BSPI_RAD_FAINT 1e-7f // share that is not worth a transfer

/// Patches by their members: one list of each, which goes on for BSPI_RAD_LANES after the last
/// patch.
typedef struct bspi_rad_lists {
    float *point[3]; ///< off the surface
    float *on[3];    ///< the same in its plane
    float *normal[3];
    float *area;
    float *near;    ///< see bspi_rad_place
    float *exposed; ///< likewise
    float *front;   ///< along the normal, before which there is something
} bspi_rad_lists;

/// What goes between a patch and eight others.
typedef struct bspi_rad_shares8 {
    float here[BSPI_RAD_LANES];  ///< of their light
    float there[BSPI_RAD_LANES]; ///< of the patch's
    uint32_t far;                ///< bits of those that are far enough to be known
    uint32_t some;               ///< and of these between which something goes
} bspi_rad_shares8;

/// Sets what goes between a patch and the eight from another one on, if nothing is between them.
typedef void bspi_rad_eight_fn(const bspi_rad_lists *lists, uint32_t from, uint32_t to,
                               bspi_rad_shares8 *out);

bspi_rad_eight_fn bspi_rad_eight_base;        // rad_eight_base.c
bspi_rad_eight_fn bspi_rad_eight_avx2;        // where BSPI_MAKES_AVX2
bspi_rad_eight_fn *bspi_rad_eight_here(void); // the fastest one: rad_eight_avx2.c

/// Planes of patches by their members: one list of each, as above.
typedef struct bspi_rad_planes {
    float *middle[3];
    float *axes[3][3]; ///< as bspi_rad_around has them
    float *reach;      ///< likewise
} bspi_rad_planes;

/// Where a point is in the planes of eight patches.
typedef struct bspi_rad_flat8 {
    float spot[2][BSPI_RAD_LANES];
    float way[2][BSPI_RAD_LANES]; ///< the unit vector to it
    float dist[BSPI_RAD_LANES];
    uint32_t near; ///< bits of those that it is not too far from
} bspi_rad_flat8;

/// Sets where a point of a surface is in the planes of eight patches from one on: as bspi_rad_flat
/// does for one.
typedef void bspi_rad_flat_eight_fn(const bspi_rad_planes *planes, uint32_t first,
                                    const bspi_rad_spot *on, bspi_rad_flat8 *out);

bspi_rad_flat_eight_fn bspi_rad_flat_eight_base;
bspi_rad_flat_eight_fn bspi_rad_flat_eight_avx2;
bspi_rad_flat_eight_fn *bspi_rad_flat_eight_here(void);

#endif
