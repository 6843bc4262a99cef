// SPDX-License-Identifier: MIT
// Pictures of materials, while light is made.
#include "bake/light/base/picture.h"

#include <string.h>

bool bspi_picture_keep(bspi_relight *own, const bsp_texture *texture, bspi_picture *out,
                       bsp_error *error) {
    size_t bytes = (size_t)texture->image.width * texture->image.height * 4;
    if (!texture->found || bytes == 0 || texture->width == 0 || texture->height == 0) {
        return true;
    }
    uint8_t *pixels = bspi_arena_raw(&own->arena, bytes, 1, error);
    if (pixels == NULL) {
        return false;
    }
    memcpy(pixels, texture->image.pixels, bytes);
    out->width = texture->image.width;
    out->height = texture->image.height;
    out->scale[0] = (float)texture->image.width / (float)texture->width;
    out->scale[1] = (float)texture->image.height / (float)texture->height;
    out->pixels = pixels;
    return true;
}

bool bspi_picture_read(bspi_relight *own, const bsp_textures *textures, uint32_t material,
                       bspi_picture *out, bsp_error *error) {
    bsp_texture texture = {0};
    if (!bsp_textures_find(textures, material, &texture, error)) {
        return false;
    }
    bool done = bspi_picture_keep(own, &texture, out, error);
    bsp_texture_free(&texture);
    return done;
}
