// SPDX-License-Identifier: MIT
// The patches of hlrad, between which light goes, and how luxels take it from them.
#ifndef BSPI_BAKE_RAD_H
#define BSPI_BAKE_RAD_H

#include "bake/light/base/work.h"
#include "bake/light/faces/rad_place.h"

/// Light of some styles.
typedef struct bspi_rad_light {
    float light[BSPI_RELIGHT_STYLES][3];
    uint8_t styles[BSPI_RELIGHT_STYLES];
    uint32_t num_styles;
} bspi_rad_light;

/// A piece of a surface.
typedef struct bspi_rad_patch {
    uint32_t face;
    uint32_t leaf;
    bspi_rad_place place;
    float normal[3];
    float middle[3];           ///< below its place, on the surface
    const float (*corners)[3]; ///< in the world
    uint32_t num_corners;
    float area;
    float size; ///< units from the middle to the farthest corner
    float reflects[3];
    bspi_rad_light direct; ///< that its luxels have
    bspi_rad_light taken;  ///< that it takes itself, of the sky
    bspi_rad_light all;    ///< `taken`, and what comes from other patches
} bspi_rad_patch;

/// All patches, by face.
typedef struct bspi_rad {
    bspi_relight *own;
    bspi_rad_patch *patches; ///< in the heap
    uint32_t num_patches;
    size_t room;
    uint32_t *firsts;               ///< of each face, and the end
    struct bspi_rad_around *around; ///< of each patch
} bspi_rad;

/// Returns the light of a style, or black.
static inline const float *bspi_rad_light_of(const bspi_rad_light *light, int style) {
    static const float black[3] = {0, 0, 0};
    for (uint32_t k = 0; k < light->num_styles; k++) {
        if (light->styles[k] == style) {
            return light->light[k];
        }
    }
    return black;
}

/// Cuts the lit faces into patches, with the light that they have before any is thrown
/// (rad_patches.c).
bool bspi_rad_patches(bspi_rad *rad, bsp_error *error);

/// Throws light between patches (rad_throw.c).
bool bspi_rad_throw(bspi_rad *rad, bsp_error *error);

/// Finds for each patch those around it between which light is mixed (rad_around.c).
bool bspi_rad_around_find(bspi_rad *rad, bsp_error *error);
void bspi_rad_around_free(bspi_rad *rad);

/// Sets the faces that go on round or level around a face, itself first. Returns how many there
/// are; adds the corners that were looked at to `steps` (rad_around.c).
#define BSPI_RAD_FACES 32u
uint32_t bspi_rad_faces(const bspi_relight *own, uint32_t face, uint32_t out[BSPI_RAD_FACES],
                        uint64_t *steps);

/// The share that a patch has of a mix.
typedef struct bspi_rad_share {
    uint32_t patch;
    float weight;
} bspi_rad_share;
#define BSPI_RAD_SHARES 4u

#define BSPI_RAD_ON 0.04f // units: so near are two points one

/// A point on a surface.
typedef struct bspi_rad_spot {
    float point[3];
    float normal[3]; ///< of the surface there; 0: it has none
} bspi_rad_spot;

/// Sets a point on a face (rad_around.c).
void bspi_rad_spot_set(const bspi_relight *own, const float point[3], uint32_t face,
                       bspi_rad_spot *out);

/// Adds to the luxels of all faces what the patches have (rad_mix.c).
bool bspi_rad_mix(bspi_rad *rad, bsp_error *error);

#endif
