// SPDX-License-Identifier: MIT
// The textures of a renderer that is built. All return false without memory, or over a limit.
#ifndef BSPI_RENDER_TEXTURES_H
#define BSPI_RENDER_TEXTURES_H

#include "render/builder.h"

/// Opens what finds textures, and makes room for those of the map's materials.
bool bspi_render_textures_begin(bspi_render_builder *b);
/// Receives the images of a material from the scene; `user` is the builder.
bool bspi_render_texture(void *user, uint32_t material, const bsp_scene_material *as,
                         bsp_texture *texture, bsp_texture *second, bsp_error *error);
/// Receives the picture of a decal from the scene; `user` is the builder.
bool bspi_render_decal(void *user, uint32_t picture, uint32_t count, const bsp_texture *texture,
                       bsp_error *error);
/// Adds a grey texture after those of the scene's materials, for surfaces without one, and keeps
/// the names of what is missing.
bool bspi_render_textures_end(bspi_render_builder *b);
/// Makes a texture of one texel.
bool bspi_render_fill(bspi_render_builder *b, const uint8_t rgb[3], bspi_texture *out);
/// Finds the sky of the map.
bool bspi_render_sky(bspi_render_builder *b);

#endif
