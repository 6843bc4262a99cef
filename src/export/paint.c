// SPDX-License-Identifier: MIT
// Converts textures to PNG. Equal images are stored once. Blending that glTF does not have (adding,
// multiplying) becomes the nearest alpha blending.
#include "export/paint.h"

#include "scene/textures.h"

#include <string.h>

#define GREY 0.5F
#define PACK_STEPS 1u  // for each pixel that is compressed
#define BAKE_SIDE 512u // larger mips are not baked
#define FNV_START 0xCBF29CE484222325u
#define FNV_PRIME 0x100000001B3u
#define HASH_SUMS 4u

// --- pixels -------------------------------------------------------------------------------------

// Additive light: as bright, and covers the background by the same amount.
static void add_to_alpha(uint8_t *p) {
    unsigned most = p[0] > p[1] ? p[0] : p[1];
    most = p[2] > most ? p[2] : most;
    for (int i = 0; i < 3; i++) {
        p[i] = most == 0 ? 0 : (uint8_t)(p[i] * 255u / most);
    }
    p[3] = (uint8_t)most;
}

// Multiplying: black that covers the background by as much as it gets darker.
static void filter_to_alpha(uint8_t *p) {
    unsigned light = (p[0] * 2u + p[1] * 5u + p[2]) / 8;
    p[0] = p[1] = p[2] = 0;
    p[3] = (uint8_t)(255 - light);
}

static void adapt(bsp_image *image, bsp_alpha alpha) {
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++) {
        uint8_t *p = image->pixels + 4 * i;
        if (alpha == BSP_ALPHA_ADD) {
            add_to_alpha(p);
        } else if (alpha == BSP_ALPHA_FILTER) {
            filter_to_alpha(p);
        } else if (alpha == BSP_ALPHA_OPAQUE) {
            p[3] = 255;
        }
    }
}

// Hashes a word at a time in several sums, which do not wait for each other.
static uint64_t hash_of(const bsp_image *image) {
    uint64_t sums[HASH_SUMS];
    size_t size = 4 * (size_t)image->width * image->height;
    size_t at = 0;
    for (uint64_t i = 0; i < HASH_SUMS; i++) {
        sums[i] = FNV_START + i;
    }
    for (; at + sizeof sums <= size; at += sizeof sums) {
        uint64_t words[HASH_SUMS];
        memcpy(words, image->pixels + at, sizeof words);
        for (size_t i = 0; i < HASH_SUMS; i++) {
            sums[i] = (sums[i] ^ words[i]) * FNV_PRIME;
            sums[i] ^= sums[i] >> 29;
        }
    }
    uint64_t hash = FNV_START;
    for (; at < size; at += 4) {
        uint32_t pixel;
        memcpy(&pixel, image->pixels + at, sizeof pixel);
        hash = (hash ^ pixel) * FNV_PRIME;
        hash ^= hash >> 29;
    }
    for (size_t i = 0; i < HASH_SUMS; i++) {
        hash = (hash ^ sums[i]) * FNV_PRIME;
        hash ^= hash >> 29;
    }
    return hash;
}

// --- materials ----------------------------------------------------------------------------------

bool bspi_paints_pack(bspi_paints *paints, const bspi_picture *image, bsp_blob *out,
                      bsp_error *error) {
    bspi_heap *heap = paints->arena->heap;
    uint64_t pixels = (uint64_t)image->width * image->height;
    if (!bspi_heap_work(heap, pixels * PACK_STEPS, error) ||
        !bspi_png_pack(&paints->packer, image, out, error)) {
        return false;
    }
    paints->held += out->size;
    return true;
}

// Finds the PNG with these pixels, or makes it.
static bool store_image(bspi_paints *paints, const bsp_image *image, uint32_t material,
                        uint32_t *number, bsp_error *error) {
    const bspi_picture picture = {image->pixels, image->width, image->height};
    bspi_png *next = &paints->images[paints->num_images];
    *next = (bspi_png){.hash = hash_of(image),
                       .width = image->width,
                       .height = image->height,
                       .clamp = paints->list[material].is.clamp,
                       .material = material,
                       .number = BSP_NONE};
    for (uint32_t i = 0; i < paints->num_images; i++) {
        const bspi_png *other = &paints->images[i];
        if (other->hash == next->hash && other->width == next->width &&
            other->height == next->height && other->clamp == next->clamp) {
            *number = i;
            return true;
        }
    }
    if (!bspi_heap_work(paints->arena->heap, paints->num_images, error) ||
        !bspi_paints_pack(paints, &picture, &next->png, error)) {
        return false;
    }
    *number = paints->num_images++;
    return true;
}

static bool store_texture(bspi_paints *paints, uint32_t material, bsp_texture *texture,
                          bsp_error *error) {
    bspi_paint *paint = &paints->list[material];
    bool baked = paints->options->light == BSP_EXPORT_LIGHT_BAKED;
    adapt(&texture->image, texture->found ? texture->alpha : BSP_ALPHA_OPAQUE);
    return store_image(paints, &texture->image, material, &paint->image, error) &&
           (!baked ||
            bspi_mip_chain_build(paints->arena, &texture->image, BAKE_SIDE, &paint->mips, error));
}

// Stores the texture that displacements mix in, if the material has one. The transparency is that
// of the first texture.
static bool store_second(bspi_paints *paints, uint32_t material, bsp_texture *second,
                         bsp_error *error) {
    bspi_paint *paint = &paints->list[material];
    bool baked = paints->options->light == BSP_EXPORT_LIGHT_BAKED;
    if (!second->found || paint->is.alpha != BSP_ALPHA_OPAQUE) {
        return true;
    }
    adapt(&second->image, BSP_ALPHA_OPAQUE);
    return store_image(paints, &second->image, material, &paint->second, error) &&
           (!baked || bspi_mip_chain_build(paints->arena, &second->image, BAKE_SIDE,
                                           &paint->second_mips, error));
}

bool bspi_paints_add(void *user, uint32_t material, const bsp_scene_material *as,
                     bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    bspi_paints *paints = user;
    const bsp_export_options *options = paints->options;
    bspi_paint *paint = &paints->list[material];
    paint->is = *as;
    bspi_texture_extend(paints->arena->heap, texture);
    bspi_texture_extend(paints->arena->heap, second);
    paint->dropped = (as->no_draw && !options->hidden) || (as->sky && !options->sky);
    if (paint->dropped) {
        return true;
    }
    if (!store_texture(paints, material, texture, error) ||
        !store_second(paints, material, second, error)) {
        return false;
    }
    paints->missing += !as->found;
    if (!as->found && options->missing != NULL) {
        options->missing(options->user, paints->map->materials[material].name, texture->note);
    }
    return true;
}

bool bspi_paints_begin(bspi_paints *paints, bsp_error *error) {
    bspi_png_packer_begin(&paints->packer, paints->arena->heap);
    size_t count = paints->map->num_materials;
    paints->list = bspi_arena_zero(paints->arena, count, sizeof *paints->list, error);
    paints->images = bspi_arena_zero(paints->arena, 2 * count, sizeof *paints->images, error);
    for (size_t m = 0; paints->list != NULL && m < count; m++) {
        paints->list[m].image = BSP_NONE;
        paints->list[m].second = BSP_NONE;
    }
    return paints->list != NULL && paints->images != NULL;
}

void bspi_paints_end(bspi_paints *paints, const bsp_scene *scene) {
    for (uint32_t m = 0; m < scene->num_materials; m++) {
        bspi_paint *paint = &paints->list[m];
        paint->is = scene->materials[m];
        for (int i = 0; i < 3; i++) {
            paint->color[i] = paint->is.colored ? paint->is.color[i] : GREY;
        }
    }
}

void bspi_paints_free(bspi_paints *paints) {
    bspi_png_packer_end(&paints->packer);
    for (uint32_t i = 0; paints->images != NULL && i < paints->num_images; i++) {
        bsp_blob_free(&paints->images[i].png);
    }
    bspi_heap_discharge(paints->arena->heap, paints->held);
    paints->held = 0;
}
