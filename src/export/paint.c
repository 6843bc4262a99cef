// SPDX-License-Identifier: MIT
// The paints of materials and decals: their textures as PNG. Blending that glTF does not have
// (adding, multiplying) becomes the nearest alpha blending.
#include "export/paint.h"

#include "asset/image/pattern.h"
#include "core/workers.h"
#include "scene/textures.h"

#include <string.h>

#define GREY 0.5F
#define IMAGES (4 + BSPI_LAYERS) // the most of a paint
#define BAKE_SIDE 512u           // larger mips are not baked

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

// --- materials ----------------------------------------------------------------------------------

static bool store_image(bspi_paints *paints, bsp_image *image, uint32_t material, uint32_t *number,
                        bsp_error *error) {
    const bspi_png png = {.clamp = paints->list[material].is.clamp, .material = material};
    return bspi_paints_store(paints, image, png, number, error);
}

static bool find_glow(const bspi_paints *paints, uint32_t material, const bsp_scene_material *as,
                      bsp_texture *out, bsp_error *error) {
    const bsp_textures *textures = paints->options->textures;
    return material < paints->map->num_materials
               ? bsp_textures_find_glow(textures, material, out, error)
               : bsp_textures_find_file_glow(textures, as->paths, as->num_paths, out, error);
}

// Makes the mips of a texture without the part that its own light takes the place of.
static bool build_reduced(bspi_paints *paints, const bsp_image *image, const bsp_image *glow,
                          bspi_mip_chain *out, bsp_error *error) {
    static const uint8_t none[4] = {0, 0, 0, 0};
    bsp_image less;
    if (!bsp_image_fill(image->width, image->height, none, paints->options->allocator, &less,
                        error)) {
        return false;
    }
    bool same = image->width == glow->width && image->height == glow->height;
    for (size_t i = 0; i < 4 * (size_t)image->width * image->height; i++) {
        uint8_t part = same && i % 4 != 3 ? glow->pixels[i] : 0;
        less.pixels[i] = (uint8_t)(image->pixels[i] > part ? image->pixels[i] - part : 0);
    }
    bool done = bspi_mip_chain_build(paints->arena, &less, BAKE_SIDE, out, error);
    bsp_image_free(&less);
    return done;
}

// Makes the light of a material a picture that is laid over the one that is lit: as opaque as it is
// bright in comparison with that.
static void cover(bsp_image *glow, const bsp_image *image) {
    bool same = image->width == glow->width && image->height == glow->height;
    for (size_t i = 0; i < (size_t)glow->width * glow->height; i++) {
        uint8_t *p = glow->pixels + 4 * i;
        const uint8_t *under = same ? image->pixels + 4 * i : NULL;
        unsigned part = 0;
        for (int c = 0; c < 3; c++) {
            unsigned whole = under == NULL ? 255 : under[c];
            unsigned ratio = p[c] >= whole ? 255u * (p[c] != 0) : p[c] * 255u / whole;
            part = ratio > part ? ratio : part;
        }
        for (int c = 0; c < 3; c++) {
            unsigned value = part == 0 ? 0 : p[c] * 255u / part;
            p[c] = (uint8_t)(value < 255 ? value : 255);
        }
        p[3] = (uint8_t)part;
    }
}

// Stores the light that a material has of its own. Baked images show it; else it is a picture:
// emissive where materials are lit, a layer of what has its light at the vertices.
static bool store_glow(bspi_paints *paints, uint32_t material, const bsp_scene_material *as,
                       const bsp_image *image, bsp_error *error) {
    bspi_paint *paint = &paints->list[material];
    bsp_export_light light = paints->options->light;
    bool baked = light == BSP_EXPORT_LIGHT_BAKED && material < paints->map->num_materials;
    bool lit = light == BSP_EXPORT_LIGHT_UV || light == BSP_EXPORT_LIGHT_NONE;
    bool layer = !lit && !baked;
    bsp_texture glow;
    if (!paints->normals || as->unlit || !as->found) {
        return true;
    }
    if (!find_glow(paints, material, as, &glow, error)) {
        return false;
    }
    bool done = true;
    if (glow.found) {
        bspi_texture_extend(paints->arena->heap, &glow);
    }
    if (glow.found && baked) {
        bool added = glow.alpha == BSP_ALPHA_ADD;
        done =
            (added || build_reduced(paints, image, &glow.image, &paint->mips, error)) &&
            bspi_mip_chain_build(paints->arena, &glow.image, BAKE_SIDE, &paint->glow_mips, error);
    } else if (glow.found) {
        if (layer && glow.alpha == BSP_ALPHA_ADD) {
            adapt(&glow.image, BSP_ALPHA_ADD);
        } else if (layer) {
            cover(&glow.image, image);
        }
        done = store_image(paints, &glow.image, material, &paint->glow, error);
    }
    bsp_texture_free(&glow);
    return done;
}

static bool store_texture(bspi_paints *paints, uint32_t material, bsp_texture *texture,
                          bsp_error *error) {
    bspi_paint *paint = &paints->list[material];
    bool baked = paints->options->light == BSP_EXPORT_LIGHT_BAKED &&
                 material < paints->map->num_materials; // models have light at their vertices
    adapt(&texture->image, texture->found ? texture->alpha : BSP_ALPHA_OPAQUE);
    return store_glow(paints, material, &paint->is, &texture->image, error) &&
           (!baked || paint->mips.count != 0 ||
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
    memcpy(paint->blend, second->blend, sizeof paint->blend);
    paint->repeats = second->repeats;
    return (!baked || bspi_mip_chain_build(paints->arena, &second->image, BAKE_SIDE,
                                           &paint->second_mips, error)) &&
           store_image(paints, &second->image, material, &paint->second, error);
}

// Stores the textures that only displacements with multiblend mix in.
static bool store_layers(bspi_paints *paints, uint32_t material, bsp_error *error) {
    bspi_paint *paint = &paints->list[material];
    bool baked = paints->options->light == BSP_EXPORT_LIGHT_BAKED;
    bool wanted = paints->map->num_disp_blends != 0 && paint->second != BSP_NONE;
    bool done = true;
    for (uint32_t i = 0; done && wanted && i < BSPI_LAYERS; i++) {
        bspi_layer *layer = &paint->layers[i];
        bsp_texture texture;
        done = bsp_textures_find_layer(paints->options->textures, material, 3 + i, &texture, error);
        if (done && texture.found) {
            bspi_texture_extend(paints->arena->heap, &texture);
            memcpy(layer->blend, texture.blend, sizeof layer->blend);
            layer->repeats = texture.repeats;
            adapt(&texture.image, BSP_ALPHA_OPAQUE);
            done = baked ? bspi_mip_chain_build(paints->arena, &texture.image, BAKE_SIDE,
                                                &layer->mips, error)
                         : store_image(paints, &texture.image, material, &layer->image, error);
        }
        bsp_texture_free(&texture);
    }
    return done;
}

// Stores the normal map of a material of the map, where light falls on it. Green looks along v in
// Source, which is downwards, and upwards in glTF.
static bool store_normal(bspi_paints *paints, uint32_t material, bsp_error *error) {
    bsp_export_light light = paints->options->light;
    bool lit = light == BSP_EXPORT_LIGHT_UV || light == BSP_EXPORT_LIGHT_NONE;
    bsp_texture bump;
    if (!paints->normals || !lit || material >= paints->map->num_materials) {
        return true;
    }
    if (!bsp_textures_find_bump(paints->options->textures, material, &bump, error)) {
        return false;
    }
    bool done = true;
    if (bump.found && !bump.self_shadowed) {
        bspi_texture_extend(paints->arena->heap, &bump);
        size_t count = (size_t)bump.image.width * bump.image.height;
        for (size_t i = 0; i < count; i++) {
            bump.image.pixels[4 * i + 1] = (uint8_t)(255 - bump.image.pixels[4 * i + 1]);
            bump.image.pixels[4 * i + 3] = 255;
        }
        done = store_image(paints, &bump.image, material, &paints->list[material].normal, error);
    }
    bsp_texture_free(&bump);
    return done;
}

// Makes room for all images of paints, and of decals.
static bool room_for_images(bspi_paints *paints, size_t room, size_t decals, bsp_error *error) {
    bspi_png *images =
        bspi_arena_zero(paints->arena, IMAGES * room + decals, sizeof *images, error);
    if (images != NULL && paints->num_images != 0) {
        memcpy(images, paints->images, paints->num_images * sizeof *images);
    }
    paints->images = images != NULL ? images : paints->images;
    return images != NULL;
}

// Makes room for the paint of a material and its images. How many materials models have is known
// when all were found.
static bool room_for_paint(bspi_paints *paints, uint32_t material, bsp_error *error) {
    if (material < paints->room) {
        return true;
    }
    size_t room = 2 * (size_t)material + 2;
    bspi_paint *list = bspi_arena_zero(paints->arena, room, sizeof *list, error);
    if (list == NULL || room > UINT32_MAX ||
        !room_for_images(paints, room, paints->num_decals, error)) {
        return false;
    }
    if (paints->room != 0) {
        memcpy(list, paints->list, paints->room * sizeof *list);
    }
    for (size_t m = paints->room; m < room; m++) {
        list[m].image = BSP_NONE;
        list[m].second = BSP_NONE;
        list[m].normal = BSP_NONE;
        list[m].glow = BSP_NONE;
        for (uint32_t i = 0; i < BSPI_LAYERS; i++) {
            list[m].layers[i].image = BSP_NONE;
        }
    }
    paints->list = list;
    paints->room = (uint32_t)room;
    return true;
}

bool bspi_paints_add(void *user, uint32_t material, const bsp_scene_material *as,
                     bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    bspi_paints *paints = user;
    const bsp_export_options *options = paints->options;
    if (!room_for_paint(paints, material, error)) {
        return false;
    }
    bspi_paint *paint = &paints->list[material];
    paint->is = *as;
    bspi_texture_extend(paints->arena->heap, texture);
    bspi_texture_extend(paints->arena->heap, second);
    bool hidden = as->no_draw || as->fog; // the faces of fog have no picture of their own
    paint->dropped = (hidden && !options->hidden) || (as->sky && !options->sky);
    if (paint->dropped) {
        return true;
    }
    if (!as->found) {
        bsp_image_free(&texture->image);
        if (!bspi_image_pattern(options->allocator, &texture->image, error)) {
            return false;
        }
    }
    if (!store_texture(paints, material, texture, error) ||
        !store_second(paints, material, second, error) ||
        (material < paints->map->num_materials && !store_layers(paints, material, error)) ||
        (as->found && !as->unlit && !store_normal(paints, material, error))) {
        return false;
    }
    paints->missing += !as->found;
    if (!as->found && options->missing != NULL) {
        options->missing(options->user, as->name, texture->note);
    }
    return true;
}

static bool begin_decals(bspi_paints *paints, uint32_t count, bsp_error *error) {
    bspi_paint *decals = bspi_arena_zero(paints->arena, count, sizeof *decals, error);
    if (decals == NULL || !room_for_images(paints, paints->room, count, error)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        decals[i].image = decals[i].second = decals[i].normal = decals[i].glow = BSP_NONE;
    }
    paints->decals = decals;
    paints->num_decals = count;
    return true;
}

bool bspi_paints_decal(void *user, uint32_t picture, uint32_t count, const bsp_texture *texture,
                       bsp_error *error) {
    bspi_paints *paints = user;
    if (paints->decals == NULL && !begin_decals(paints, count, error)) {
        return false;
    }
    bspi_paint *paint = &paints->decals[picture];
    paint->is = (bsp_scene_material){.found = true,
                                     .clamp = true,
                                     .opacity = 1,
                                     .alpha = texture->alpha,
                                     .alpha_cut = texture->alpha_cut};
    static const uint8_t none[4] = {0, 0, 0, 0};
    bsp_image image; // the caller frees its own
    if (!bsp_image_fill(texture->image.width, texture->image.height, none,
                        paints->options->allocator, &image, error)) {
        return false;
    }
    memcpy(image.pixels, texture->image.pixels, 4 * (size_t)image.width * image.height);
    bspi_texture_extend(paints->arena->heap, texture);
    adapt(&image, texture->alpha);
    const bspi_png png = {.clamp = true, .material = picture, .decal = true};
    bool done = bspi_paints_store(paints, &image, png, &paint->image, error);
    bsp_image_free(&image);
    return done;
}

bool bspi_paints_begin(bspi_paints *paints, bsp_error *error) {
    bspi_heap *heap = paints->arena->heap;
    uint32_t count = paints->map->num_materials;
    uint32_t threads = bspi_heap_threads(heap);
    paints->packers = bspi_arena_zero(paints->arena, threads, sizeof *paints->packers, error);
    if (paints->packers == NULL) {
        return false;
    }
    paints->threads = threads;
    for (uint32_t i = 0; i < threads; i++) {
        bspi_png_packer_begin(&paints->packers[i], heap);
    }
    return count == 0 || room_for_paint(paints, count - 1, error);
}

bool bspi_paints_end(bspi_paints *paints, const bsp_scene *scene, bsp_error *error) {
    if (scene->num_materials != 0 && !room_for_paint(paints, scene->num_materials - 1, error)) {
        return false;
    }
    for (uint32_t m = 0; m < scene->num_materials; m++) {
        bspi_paint *paint = &paints->list[m];
        paint->is = scene->materials[m];
        for (int i = 0; i < 3; i++) {
            paint->color[i] = paint->is.colored ? paint->is.color[i] : GREY;
        }
    }
    return true;
}

void bspi_paints_drop_unused(bspi_paints *paints) {
    for (uint32_t i = 0; i < paints->num_images; i++) {
        bspi_png *image = &paints->images[i];
        if (image->number == BSP_NONE) {
            bspi_heap_discharge(paints->arena->heap, image->png.size);
            paints->held -= image->png.size;
            bsp_blob_free(&image->png);
        }
    }
}

void bspi_paints_free(bspi_paints *paints) {
    for (uint32_t i = 0; i < paints->threads; i++) {
        bspi_png_packer_end(&paints->packers[i]);
    }
    paints->threads = 0;
    bspi_paints_forget_waiting(paints);
    for (uint32_t i = 0; paints->images != NULL && i < paints->num_images; i++) {
        bsp_blob_free(&paints->images[i].png);
    }
    bspi_heap_discharge(paints->arena->heap, paints->held);
    paints->held = 0;
}
