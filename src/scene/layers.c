// SPDX-License-Identifier: MIT
// The shares of textures on displacements with multiblend. Source: the shader Lightmapped_4WayBlend
// of Counter-Strike: Global Offensive, smoothstep(blendstart, blendend, share * (1 + luminance)),
// one texture over the other. The luminance of the texels, 0 to 1 there, counts as a half for all.
#include "scene/layers.h"

#define LUMINANCE 0.5F

uint8_t bspi_layer_share(uint8_t share, const float blend[2]) {
    float value = (float)share / 255 * (1 + LUMINANCE);
    float wide = blend[1] - blend[0];
    float t = wide != 0 ? (value - blend[0]) / wide : value >= blend[0] ? 1.0F : 0.0F;
    t = t > 0 ? (t < 1 ? t : 1) : 0; // also where it is no number
    return (uint8_t)(t * t * (3 - 2 * t) * 255 + 0.5F);
}
