// SPDX-License-Identifier: MIT
// The sky of a map. A sky box is six images named by worldspawn (Quake's ports, GoldSrc, Quake 2,
// Source) or by a shader (Quake 3), which also puts clouds in front of it; Quake's own sky is a
// texture of two halves. The order of the images is the same in all these engines: id's gl_warp.c
// and tr_sky.c (skytexorder), and the SDK's sky.
#include "asset/find/textures.h"

#include "core/text.h"

#include <string.h>

// Quake's far layer moves 8 of its 128 texels a second, the front one twice as fast (gl_warp.c).
#define FAR_SPEED (8.0F / 128)

static const char *const side_names[BSP_SKY_SIDES] = {"rt", "lf", "bk", "ft", "up", "dn"};

// --- boxes --------------------------------------------------------------------------------------

// Tries an image of a side; `name` precedes the side's two letters.
static bspi_try try_side(bspi_finding *f, const char *folder, bsp_text name, const char *between,
                         const char *side) {
    static const char *const endings[] = {".tga", ".png", ".jpg", ".pcx"};
    bspi_try result = BSPI_NO;
    for (size_t i = 0; result == BSPI_NO && i < sizeof endings / sizeof *endings; i++) {
        result = bspi_try_image(f, false, "%s%.*s%s%s%s", folder, BSPI_TEXT(name), between, side,
                                endings[i]);
    }
    return result;
}

// Stores what was found. Returns false only without memory.
static bool take(bspi_try result, bsp_texture *texture, bsp_sky *sky, uint32_t side) {
    if (result == BSPI_YES) {
        sky->sides[side] = texture->image;
        sky->num_sides++;
    }
    return result != BSPI_FAILED;
}

static bool load_box(const bsp_textures *t, const char *folder, bsp_text name, const char *between,
                     bsp_sky *sky, bsp_error *error) {
    for (uint32_t i = 0; i < BSP_SKY_SIDES; i++) {
        bsp_texture texture;
        bspi_finding f = {t, NULL, name, &texture, error, 0, 0};
        memset(&texture, 0, sizeof texture);
        if (!take(try_side(&f, folder, name, between, side_names[i]), &texture, sky, i)) {
            return false;
        }
    }
    return true;
}

// Returns the value of the first of the keys that worldspawn has; else the engine's default.
static bsp_text name_of(const bsp_map *map, const char *const keys[3], const char *otherwise) {
    bsp_text name = {NULL, 0};
    for (int i = 0; i < 3 && keys[i] != NULL && name.size == 0; i++) {
        if (map->entities != NULL && map->entities->count != 0) {
            name = bsp_entity_value(&map->entities->list[0], keys[i]);
        }
    }
    return name.size != 0 || otherwise == NULL ? name : bsp_text_of(otherwise);
}

bool bspi_sky_goldsrc(const bsp_textures *t, bsp_sky *sky, bsp_error *error) {
    static const char *const keys[3] = {"skyname", NULL};
    return load_box(t, "gfx/env/", name_of(t->map, keys, "desert"), "", sky, error);
}

bool bspi_sky_quake2(const bsp_textures *t, bsp_sky *sky, bsp_error *error) {
    static const char *const keys[3] = {"sky", NULL};
    return load_box(t, "env/", name_of(t->map, keys, "unit1_"), "", sky, error);
}

bool bspi_sky_source(const bsp_textures *t, bsp_sky *sky, bsp_error *error) {
    static const char *const keys[3] = {"skyname", NULL};
    bsp_text name = name_of(t->map, keys, NULL);
    for (uint32_t i = 0; i < BSP_SKY_SIDES && name.size != 0 && name.size < 128; i++) {
        char path[160] = "skybox/";
        bsp_texture texture;
        bspi_finding f = {t, NULL, {path, 7 + name.size + 2}, &texture, error, 0, 0};
        memcpy(path + 7, name.data, name.size);
        memcpy(path + 7 + name.size, side_names[i], 2);
        memset(&texture, 0, sizeof texture);
        if (!take(bspi_find_vmt(&f), &texture, sky, i)) {
            return false;
        }
    }
    return true;
}

// --- layers -------------------------------------------------------------------------------------

// Copies half of an image, from column `x` on.
static bool copy_half(const bsp_textures *t, const bsp_image *whole, uint32_t x, bsp_image *out,
                      bsp_error *error) {
    static const uint8_t none[4] = {0, 0, 0, 255};
    uint32_t width = whole->width / 2;
    if (!bsp_image_fill(width, whole->height, none, &t->heap.allocator, out, error)) {
        return false;
    }
    for (uint32_t y = 0; y < whole->height; y++) {
        memcpy(out->pixels + 4 * (size_t)y * width,
               whole->pixels + 4 * ((size_t)y * whole->width + x), 4 * (size_t)width);
    }
    return true;
}

// Colour 0 of the front layer is transparent: by its index where the map holds the texture, else
// black.
static void cut_holes(bsp_image *front, const bsp_material *material) {
    bool indexed = material->mips[0].size == (size_t)front->width * 2 * front->height;
    for (uint32_t y = 0; y < front->height; y++) {
        for (uint32_t x = 0; x < front->width; x++) {
            uint8_t *p = front->pixels + 4 * ((size_t)y * front->width + x);
            size_t at = (size_t)y * front->width * 2 + x;
            bool hole = indexed ? material->mips[0].data[at] == 0 : (p[0] | p[1] | p[2]) == 0;
            p[3] = hole ? 0 : 255;
        }
    }
}

static const bsp_material *sky_material(const bsp_map *map, uint32_t *number) {
    for (uint32_t i = 0; i < map->num_materials; i++) {
        if (bspi_text_begins_nocase(map->materials[i].name, "sky")) {
            *number = i;
            return &map->materials[i];
        }
    }
    return NULL;
}

// Loads Quake's sky texture: the back layer is its right half, the front layer its left half.
static bool load_halves(const bsp_textures *t, bsp_sky *sky, bsp_error *error) {
    uint32_t number;
    bsp_texture texture;
    const bsp_material *material = sky_material(t->map, &number);
    if (material == NULL) {
        return true;
    }
    if (!bsp_textures_find(t, number, &texture, error)) {
        return false;
    }
    bool done = true;
    if (texture.found && texture.image.width >= 2) {
        bsp_sky_layer *far = &sky->layers[0];
        bsp_sky_layer *front = &sky->layers[1];
        uint32_t half = texture.image.width / 2;
        float slow = bspi_textures_shift(t, FAR_SPEED);
        float fast = bspi_textures_shift(t, 2 * FAR_SPEED);
        *far = (bsp_sky_layer){.alpha = BSP_ALPHA_OPAQUE, .scale = {1, 1}, .shift = {slow, slow}};
        *front = (bsp_sky_layer){.alpha = BSP_ALPHA_BLEND, .scale = {1, 1}, .shift = {fast, fast}};
        done = copy_half(t, &texture.image, half, &far->image, error) &&
               copy_half(t, &texture.image, 0, &front->image, error);
        if (done) {
            cut_holes(&front->image, material);
            sky->num_layers = 2;
            sky->flat = true;
        } else {
            bsp_image_free(&far->image);
        }
    }
    bsp_texture_free(&texture);
    return done;
}

bool bspi_sky_quake(const bsp_textures *t, bsp_sky *sky, bsp_error *error) {
    static const char *const keys[3] = {"sky", "skyname", "qlsky"};
    bsp_text name = name_of(t->map, keys, NULL);
    if (name.size != 0 &&
        (!load_box(t, "gfx/env/", name, "", sky, error) ||
         (sky->num_sides == 0 && !load_box(t, "gfx/env/", name, "_", sky, error)))) {
        return false;
    }
    return sky->num_sides != 0 || load_halves(t, sky, error);
}

// --- shaders ------------------------------------------------------------------------------------

static bool load_clouds(const bsp_textures *t, const bsp_shader *shader, bsp_sky *sky,
                        bsp_error *error) {
    static const char *const endings[] = {".tga", ".jpg", ".png", NULL};
    for (uint32_t i = 0; i < shader->num_stages && sky->num_layers < BSP_SKY_LAYERS; i++) {
        const bsp_shader_stage *stage = &shader->stages[i];
        bsp_texture texture;
        bspi_finding f = {t, NULL, shader->name, &texture, error, 0, 0};
        memset(&texture, 0, sizeof texture);
        bspi_try result =
            bspi_shader_is_picture(stage) ? bspi_try_any(&f, stage->images[0], endings) : BSPI_NO;
        if (result == BSPI_FAILED) {
            return false;
        }
        if (result == BSPI_YES) {
            sky->layers[sky->num_layers++] = (bsp_sky_layer){
                .image = texture.image,
                .alpha = bspi_shader_blend(stage),
                .scale = {stage->scale[0], stage->scale[1]},
                .shift = {bspi_textures_shift(t, stage->scroll[0]),
                          bspi_textures_shift(t, stage->scroll[1])},
            };
        }
    }
    return true;
}

// Loads the first shader of the map that is a sky and has an image or a box.
bool bspi_sky_quake3(const bsp_textures *t, bsp_sky *sky, bsp_error *error) {
    for (uint32_t i = 0; i < t->map->num_materials; i++) {
        const bsp_shader *shader = bspi_shader_of(t, t->map->materials[i].name);
        if (shader == NULL || !shader->sky) {
            continue;
        }
        sky->cloud_height = shader->sky_height > 0 ? shader->sky_height : BSP_SKY_HEIGHT;
        if ((shader->sky_box.size != 0 && !load_box(t, "", shader->sky_box, "_", sky, error)) ||
            !load_clouds(t, shader, sky, error)) {
            return false;
        }
        if (sky->num_sides + sky->num_layers != 0) {
            return true;
        }
    }
    return true;
}

void bsp_sky_free(bsp_sky *sky) {
    if (sky == NULL) {
        return;
    }
    for (uint32_t i = 0; i < BSP_SKY_SIDES; i++) {
        bsp_image_free(&sky->sides[i]);
    }
    for (uint32_t i = 0; i < sky->num_layers; i++) {
        bsp_image_free(&sky->layers[i].image);
    }
    memset(sky, 0, sizeof *sky);
}
