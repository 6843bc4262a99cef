// SPDX-License-Identifier: MIT
// Converts textures to PNG. Equal images are stored once. Blending that glTF does not have (adding,
// multiplying) becomes the nearest alpha blending.
#include "export/paint.h"

#include "core/workers.h"
#include "scene/textures.h"

#include <string.h>

#define GREY 0.5F
#define PACK_STEPS 1u                  // for each pixel that is compressed
#define BAKE_SIDE 512u                 // larger mips are not baked
#define MOST_WAITING ((size_t)4 << 20) // bytes of textures: some 5 ms of packing
#define THREAD_PIXELS 100000u          // as many take about a millisecond
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

bool bspi_paints_pack_one(bspi_paints *paints, uint32_t worker, const bspi_packing *item,
                          bsp_error *error) {
    uint64_t pixels = (uint64_t)item->picture.width * item->picture.height;
    return bspi_heap_work(paints->arena->heap, pixels * PACK_STEPS, error) &&
           bspi_png_pack(&paints->packers[worker], &item->picture, item->out, error);
}

typedef struct packing_list {
    bspi_paints *paints;
    const bspi_packing *items;
} packing_list;

static bool pack_item(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const packing_list *list = user;
    return bspi_paints_pack_one(list->paints, worker, &list->items[item], error);
}

static void pack_lists(bspi_packing *to, const bspi_packing *list, uint32_t count,
                       bspi_paints *paints) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = list[i];
    }
    for (uint32_t i = paints->first_waiting; i < paints->num_images; i++) {
        bspi_png *png = &paints->images[i];
        const bspi_picture picture = {png->image.pixels, png->width, png->height};
        to[count + i - paints->first_waiting] = (bspi_packing){picture, &png->png};
    }
}

static void forget_waiting(bspi_paints *paints) {
    for (; paints->first_waiting < paints->num_images; paints->first_waiting++) {
        bsp_image_free(&paints->images[paints->first_waiting].image);
    }
    bspi_heap_discharge(paints->arena->heap, paints->waiting);
    paints->waiting = 0;
}

bool bspi_paints_pack(bspi_paints *paints, const bspi_packing *list, uint32_t count,
                      bsp_error *error) {
    bspi_heap *heap = paints->arena->heap;
    uint32_t all = count + paints->num_images - paints->first_waiting;
    size_t room = all * sizeof(bspi_packing);
    bspi_packing *items = bspi_heap_alloc(heap, room, error);
    if (items == NULL) {
        return false;
    }
    pack_lists(items, list, count, paints);
    uint64_t pixels = 0;
    for (uint32_t i = 0; i < all; i++) {
        pixels += (uint64_t)items[i].picture.width * items[i].picture.height;
    }
    packing_list work = {paints, items};
    uint32_t threads = pixels < THREAD_PIXELS ? 1 : paints->threads;
    bool done = bspi_workers_each(threads, all, pack_item, &work, error);
    for (uint32_t i = 0; i < all; i++) {
        paints->held += items[i].out->size;
    }
    bspi_heap_free(heap, items, room);
    forget_waiting(paints);
    return done;
}

// Adds the last image to those that wait until there is work for all threads. With one thread, or
// without memory for it, packs them now.
static bool wait_or_pack(bspi_paints *paints, bsp_image *image, bsp_error *error) {
    size_t bytes = 4 * (size_t)image->width * image->height;
    paints->images[paints->num_images++].image = *image;
    *image = (bsp_image){0};
    if (paints->threads > 1 && paints->waiting + bytes <= MOST_WAITING &&
        bspi_heap_charge(paints->arena->heap, bytes, NULL)) {
        paints->waiting += bytes;
        return true;
    }
    return bspi_paints_pack(paints, NULL, 0, error);
}

// Finds the PNG with these pixels, or makes it and takes the pixels.
static bool store_image(bspi_paints *paints, bsp_image *image, uint32_t material, uint32_t *number,
                        bsp_error *error) {
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
    *number = paints->num_images;
    return bspi_heap_work(paints->arena->heap, paints->num_images, error) &&
           wait_or_pack(paints, image, error);
}

static bool store_texture(bspi_paints *paints, uint32_t material, bsp_texture *texture,
                          bsp_error *error) {
    bspi_paint *paint = &paints->list[material];
    bool baked = paints->options->light == BSP_EXPORT_LIGHT_BAKED;
    adapt(&texture->image, texture->found ? texture->alpha : BSP_ALPHA_OPAQUE);
    return (!baked ||
            bspi_mip_chain_build(paints->arena, &texture->image, BAKE_SIDE, &paint->mips, error)) &&
           store_image(paints, &texture->image, material, &paint->image, error);
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
    return (!baked || bspi_mip_chain_build(paints->arena, &second->image, BAKE_SIDE,
                                           &paint->second_mips, error)) &&
           store_image(paints, &second->image, material, &paint->second, error);
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
    bspi_heap *heap = paints->arena->heap;
    size_t count = paints->map->num_materials;
    uint32_t threads = bspi_heap_threads(heap);
    paints->list = bspi_arena_zero(paints->arena, count, sizeof *paints->list, error);
    paints->images = bspi_arena_zero(paints->arena, 2 * count, sizeof *paints->images, error);
    paints->packers = bspi_arena_zero(paints->arena, threads, sizeof *paints->packers, error);
    if (paints->list == NULL || paints->images == NULL || paints->packers == NULL) {
        return false;
    }
    paints->threads = threads;
    for (uint32_t i = 0; i < threads; i++) {
        bspi_png_packer_begin(&paints->packers[i], heap);
    }
    for (size_t m = 0; m < count; m++) {
        paints->list[m].image = BSP_NONE;
        paints->list[m].second = BSP_NONE;
    }
    return true;
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
    for (uint32_t i = 0; i < paints->threads; i++) {
        bspi_png_packer_end(&paints->packers[i]);
    }
    paints->threads = 0;
    forget_waiting(paints);
    for (uint32_t i = 0; paints->images != NULL && i < paints->num_images; i++) {
        bsp_blob_free(&paints->images[i].png);
    }
    bspi_heap_discharge(paints->arena->heap, paints->held);
    paints->held = 0;
}
