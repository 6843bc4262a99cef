// SPDX-License-Identifier: MIT
// The colours of materials: what surfaces throw back of the light on them, and which colour the
// light has that they give. Facts: sheet bake, 3.3.
#include "bake/light/base/work.h"

#include "core/curves.h"

#include <math.h>

#define PLAIN 0.5f        // of a surface whose texture is not known
#define PLAIN_HLRAD 0.1f  // the same as hlrad counts: what walls have there
#define PLAIN_Q3MAP2 0.8f // and q3map2, whose bounces off the white that it takes come to that

// Means of an image, 0..1, raised to `power`.
static void mean_of(const bsp_image *image, float power, float out[3]) {
    double sums[3] = {0, 0, 0};
    size_t count = (size_t)image->width * image->height;
    float curve[256];
    for (int i = 0; i < 256; i++) {
        curve[i] = bspi_power((float)i / 255, power);
    }
    for (size_t n = 0; n < count; n++) {
        for (size_t c = 0; c < 3; c++) {
            sums[c] += (double)curve[image->pixels[4 * n + c]];
        }
    }
    for (int c = 0; c < 3; c++) {
        out[c] = count == 0 ? PLAIN : (float)(sums[c] / (double)count);
    }
}

static bool read_texture(const bspi_relight *own, const bsp_textures *textures, uint32_t material,
                         bspi_color *out, bsp_error *error) {
    bsp_texture texture = {0};
    bool hlrad = own->relight.compiler == BSP_COMPILER_HLRAD;
    if (!bsp_textures_find(textures, material, &texture, error)) {
        return false;
    }
    out->plain = !texture.found;
    if (texture.found) { // hlrad: linear light, of which a surface throws back 0.7
        mean_of(&texture.image, 1, out->mean);
        mean_of(&texture.image, hlrad ? 1.76f : 1, out->reflects);
        for (int c = 0; c < 3 && hlrad; c++) {
            out->reflects[c] *= 0.7f;
        }
    }
    bsp_texture_free(&texture);
    return true;
}

static bool read_textures(const bspi_relight *own, bsp_error *error) {
    const bsp_textures_options options = {.allocator = own->options->allocator,
                                          .budget = own->options->budget};
    const bsp_textures *given = own->options->textures;
    bsp_textures *opened =
        given == NULL ? bsp_textures_open(NULL, own->map, &options, error) : NULL;
    bool done = given != NULL || opened != NULL;
    for (uint32_t m = 0; done && m < own->map->num_materials; m++) {
        done = read_texture(own, given != NULL ? given : opened, m, &own->colors[m], error);
    }
    bsp_textures_close(opened);
    return done;
}

// Counts those materials of faces with light whose colours are a guess.
static bool count_untextured(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bool *counted = bspi_arena_zero(&own->arena, map->num_materials, sizeof *counted, error);
    for (uint32_t f = 0; counted != NULL && f < map->num_face_lights && f < map->num_faces; f++) {
        uint32_t m = bsp_surface_material(map, f);
        bool plain = m < map->num_materials && own->colors[m].plain && !counted[m];
        if (plain && map->face_lights[f].size[0] > 0) {
            counted[m] = true;
            own->relight.num_untextured++;
        }
    }
    return counted != NULL;
}

bool bspi_colors_find(bspi_relight *own, bsp_error *error) {
    bool stated = own->relight.compiler == BSP_COMPILER_VRAD; // in the map
    float plain = own->relight.compiler == BSP_COMPILER_HLRAD    ? PLAIN_HLRAD
                  : own->relight.compiler == BSP_COMPILER_Q3MAP2 ? PLAIN_Q3MAP2
                                                                 : PLAIN;
    if (own->colors != NULL) {
        return true;
    }
    own->colors = bspi_arena_zero(&own->arena, own->map->num_materials, sizeof *own->colors, error);
    if (own->colors == NULL) {
        return false;
    }
    for (uint32_t m = 0; m < own->map->num_materials; m++) {
        for (int c = 0; c < 3; c++) {
            float value = own->map->materials[m].reflectivity[c];
            own->colors[m].reflects[c] = !stated ? plain : value > 0 ? fminf(value, 0.99f) : 0;
            own->colors[m].mean[c] = stated ? own->colors[m].reflects[c] : PLAIN;
        }
    }
    return stated || (read_textures(own, error) && count_untextured(own, error));
}
