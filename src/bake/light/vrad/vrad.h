// SPDX-License-Identifier: MIT
// What surfaces of Source throw back, as vrad does it: faces are halved until their pieces are
// small enough, each takes light of the pieces that it sees, of farther ones of several at once,
// and luxels mix the pieces around them.
#ifndef BSPI_BAKE_VRAD_H
#define BSPI_BAKE_VRAD_H

#include "bake/light/base/work.h"

/// A piece of a surface: a whole face, half of another piece, or some luxels of a displacement.
typedef struct bspi_vrad_patch {
    uint32_t face;
    uint32_t halves[2]; ///< BSP_NONE: it is not divided, and takes light
    uint32_t cluster;
    const float (*corners)[3]; ///< in the world; NULL: of a displacement
    uint32_t num_corners;
    float mins[3];
    float maxs[3];
    float area;
    float middle[3]; ///< on the surface
    float point[3];  ///< off it
    float normal[3];
    float axes[3][3];    ///< directions of a normal map
    uint32_t directions; ///< 0: it takes no light, but others see it
    float reflects[3];
    float samples; ///< square units of the places whose light it has
    float light[3];
    float emits[3]; ///< what came with the last bounce
    float taken[BSPI_RELIGHT_DIRECTIONS][3];
} bspi_vrad_patch;

/// What a piece takes of the light of another one.
typedef struct bspi_vrad_share {
    uint32_t other;
    float share;
} bspi_vrad_share;

typedef struct bspi_vrad_row {
    bspi_vrad_share *list; ///< in the heap
    uint32_t count;
    size_t room;
} bspi_vrad_row;

/// All pieces, those of a face one after the other, halves after what they are of.
typedef struct bspi_vrad {
    bspi_relight *own;
    bspi_vrad_patch *patches; ///< in the heap
    uint32_t num_patches;
    size_t room;
    uint32_t num_flat; ///< those before are of flat faces
    uint32_t *firsts;  ///< of each flat face, and the end
    uint32_t *hills;   ///< the same of displacements
    uint32_t *hill_of; ///< of each patch in bspi_relight.patches: its number here
    uint32_t *starts;  ///< of each cluster, in `faces`, and the end
    uint32_t *faces;   ///< that are seen where the clusters are
    bspi_vrad_row *rows;
} bspi_vrad;

/// Cuts the lit flat faces, and gives the pieces the light of the cells, which must not have been
/// mixed yet; makes patches of displacements (vrad_patches.c).
bool bspi_vrad_patches(bspi_vrad *v, bsp_error *error);

/// Adds a piece at the end.
bool bspi_vrad_patch_add(bspi_vrad *v, const bspi_vrad_patch *patch, bsp_error *error);

/// Adds the pieces of displacements by their patches, after those of all flat faces
/// (vrad_patches_hills.c).
bool bspi_vrad_patches_hills(bspi_vrad *v, bsp_error *error);

/// Returns what a piece fills of what another one sees, times pi, as vrad has it; nothing stands
/// between. 0 or less: it is turned away.
float bspi_vrad_share_of(const bspi_vrad_rules *rules, const bspi_vrad_patch *to,
                         const bspi_vrad_patch *from);

/// Finds what goes from piece to piece (vrad_shares.c).
bool bspi_vrad_shares(bspi_vrad *v, bsp_error *error);
void bspi_vrad_shares_free(bspi_vrad *v);

/// Mixes what the pieces around have taken into the luxels of a face, `out` as luxels of one style
/// (vrad_mix.c).
bool bspi_vrad_mix(const bspi_vrad *v, uint32_t face, float (*out)[3], bsp_error *error);

/// Mixes it into the luxels of a displacement (vrad_hills.c).
bool bspi_vrad_hill(const bspi_vrad *v, uint32_t face, bsp_error *error);

/// The same of one luxel and without normal maps.
void bspi_vrad_luxel(const bspi_vrad *v, uint32_t face, uint32_t x, uint32_t y, float out[3]);

/// Adds the light that all places have, where there is any (vrad_ambient.c).
bool bspi_vrad_ambient(bspi_relight *own, bsp_error *error);

/// Makes the pieces, before the cells are mixed; then throws light, and adds it to the luxels.
bool bspi_vrad_begin(bspi_relight *own, bsp_error *error);
bool bspi_vrad_bounce(bspi_relight *own, bsp_error *error);
void bspi_vrad_free(bspi_relight *own);

#endif
