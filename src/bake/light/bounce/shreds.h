// SPDX-License-Identifier: MIT
// Quake 3: the pieces into which surfaces are cut that throw light back: halves of halves along
// the axes of the world, smaller where their light differs much.
#ifndef BSPI_BAKE_SHREDS_H
#define BSPI_BAKE_SHREDS_H

#include "bake/light/base/picture.h"
#include "bake/light/drawn/facets.h"

/// A piece of a facet.
typedef struct bspi_shred {
    float (*corners)[3];                  ///< in the heap
    float (*weights)[BSPI_FACET_CORNERS]; ///< of the corners of its facet; after `corners`
    uint32_t count;                       ///< of corners
    uint32_t facet;
    float chop;           ///< units: it is no longer along an axis
    uint32_t first_child; ///< once it was cut: those of half the size
    uint32_t num_children;
    bool cut;
    bool throws;     ///< light now, itself
    uint32_t number; ///< among all that ever threw light, or BSP_NONE
    float color[3];  ///< of that
} bspi_shred;

/// The light on a surface that is thrown back.
typedef struct bspi_shred_light {
    const float (*rgb)[3]; ///< of luxels, or of vertices
    uint32_t width;        ///< luxels, or vertices
    uint32_t height;
    const float *first; ///< luxel of the page where they begin; NULL: these are vertices
    const bspi_picture *picture;
    const float *hues; ///< what each value of its channels throws back, 0..1
    float color_ratio; ///< share of its colour that is heeded
} bspi_shred_light;

/// The pieces of a face.
typedef struct bspi_shreds {
    bspi_facets facets;
    bspi_shred *list; ///< in the heap; children follow those that they are of
    uint32_t count;
    uint32_t num_first; ///< that are no children
    size_t room;
} bspi_shreds;

/// Cuts a face into pieces of at most `chop` units.
bool bspi_shreds_make(bspi_relight *own, uint32_t face, float chop, bspi_shreds *out,
                      bsp_error *error);
/// Finds what each piece throws back of the light, and which are to be smaller for that.
bool bspi_shreds_throw(bspi_relight *own, bspi_shreds *shreds, const bspi_shred_light *light,
                       bsp_error *error);
/// Sets the normal of a piece. False if it has none.
bool bspi_shred_normal(const bspi_shreds *shreds, const bspi_shred *shred, float out[3]);
void bspi_shreds_free(bspi_relight *own, bspi_shreds *shreds);

#endif
