// SPDX-License-Identifier: MIT
// The textures of a renderer, with their mips: those of materials as the scene finds them, their
// second textures, layers and normal maps, the pictures of decals and of the sky; and the names of
// what is missing.
#include "render/textures.h"

#include "asset/image/pattern.h"
#include "scene/textures.h"

#include <math.h>
#include <string.h>

static const uint8_t grey[3] = {160, 160, 160};

bool bspi_render_fill(bspi_render_builder *b, const uint8_t rgb[3], bspi_texture *out) {
    const uint8_t texel[4] = {rgb[0], rgb[1], rgb[2], 255};
    bsp_image image;
    if (!bsp_image_fill(1, 1, texel, &b->renderer->heap.allocator, &image, b->error)) {
        return false;
    }
    bool done =
        bspi_mip_chain_build(&b->renderer->arena, &image, BSP_IMAGE_MAX, &out->chain, b->error);
    bsp_image_free(&image);
    return done;
}

// Makes a texture of a colour of linear light; grey where the map has none.
static bool add_colour(bspi_render_builder *b, const bsp_scene_material *from, bspi_texture *out) {
    uint8_t colour[3];
    for (int i = 0; i < 3; i++) {
        colour[i] = from->colored ? (uint8_t)(255 * sqrtf(from->color[i])) : grey[i];
    }
    return bspi_render_fill(b, colour, out);
}

// Draws a quiet pattern: what has no texture shows its light, and no colour.
static bool add_pattern(bspi_render_builder *b, bspi_texture *out) {
    bsp_image image;
    if (!bspi_image_pattern(&b->renderer->heap.allocator, &image, b->error)) {
        return false;
    }
    bool done =
        bspi_mip_chain_build(&b->renderer->arena, &image, BSP_IMAGE_MAX, &out->chain, b->error);
    bsp_image_free(&image);
    return done;
}

// Adds the texture that displacements mix in, if the material has one.
static bool add_second(bspi_render_builder *b, const bsp_texture *second,
                       const bspi_texture **out) {
    bspi_texture_extend(&b->renderer->heap, second);
    if (!second->found) {
        return true;
    }
    bspi_texture *copy = bspi_arena_zero(&b->renderer->arena, 1, sizeof *copy, b->error);
    *out = copy;
    if (copy == NULL) {
        return false;
    }
    memcpy(copy->blend, second->blend, sizeof copy->blend);
    copy->repeats = second->repeats;
    return bspi_mip_chain_build(&b->renderer->arena, &second->image, BSP_IMAGE_MAX, &copy->chain,
                                b->error);
}

// Adds those that only displacements with multiblend mix in.
static bool add_layers(bspi_render_builder *b, uint32_t material, bspi_texture *out) {
    bool done = true;
    bool wanted =
        b->map->num_disp_blends != 0 && out->second != NULL && material < b->map->num_materials;
    for (uint32_t i = 0; done && wanted && i < BSPI_LAYERS; i++) {
        bsp_texture layer;
        done = bsp_textures_find_layer(b->finder, material, 3 + i, &layer, b->error) &&
               add_second(b, &layer, &out->layers[i]);
        bsp_texture_free(&layer);
    }
    return done;
}

// Makes room for texture number `number`, and for the name of each that is missing. Those of models
// come after those of the map, and how many there are is known when all were found.
static bool room_for_texture(bspi_render_builder *b, uint32_t number) {
    bsp_renderer *renderer = b->renderer;
    if (number < renderer->num_textures) {
        return true;
    }
    size_t room = 2 * (size_t)number + 2;
    bspi_texture *textures = bspi_arena_zero(&renderer->arena, room, sizeof *textures, b->error);
    bsp_text *missing = bspi_arena_zero(&renderer->arena, room, sizeof *missing, b->error);
    if (textures == NULL || missing == NULL || room > UINT32_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < renderer->num_textures; i++) {
        textures[i] = renderer->textures[i];
        missing[i] = renderer->missing[i];
    }
    renderer->textures = textures;
    renderer->missing = missing;
    renderer->num_textures = (uint32_t)room;
    return true;
}

// Adds the normal map of a material of the map, if it has one and the map has light for it.
static bool add_bump(bspi_render_builder *b, uint32_t material, bspi_texture *out) {
    bsp_texture bump;
    if (!b->bumped || material >= b->map->num_materials) {
        return true;
    }
    if (!bsp_textures_find_bump(b->finder, material, &bump, b->error)) {
        return false;
    }
    bool done = true;
    if (bump.found) {
        bspi_texture_extend(&b->renderer->heap, &bump);
        bspi_texture *copy = bspi_arena_zero(&b->renderer->arena, 1, sizeof *copy, b->error);
        done = copy != NULL && bspi_mip_chain_build(&b->renderer->arena, &bump.image, BSP_IMAGE_MAX,
                                                    &copy->chain, b->error);
        if (done) {
            copy->self_shadowed = bump.self_shadowed;
            out->bump = copy;
            b->any_bump = true;
        }
    }
    bsp_texture_free(&bump);
    return done;
}

bool bspi_render_texture(void *user, uint32_t material, const bsp_scene_material *as,
                         bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    bspi_render_builder *b = user;
    bsp_renderer *renderer = b->renderer;
    if (!room_for_texture(b, material)) {
        return false;
    }
    bspi_texture *out = &renderer->textures[material];
    out->clamp = as->clamp;
    out->alpha = as->alpha;
    out->alpha_cut = as->alpha_cut;
    out->two_sided = as->two_sided;
    if (!as->found && !as->no_draw && !as->sky) {
        renderer->missing[renderer->num_missing++] = as->name;
    }
    bspi_texture_extend(&renderer->heap, texture);
    bool done = as->found ? bspi_mip_chain_build(&renderer->arena, &texture->image, BSP_IMAGE_MAX,
                                                 &out->chain, error)
                : b->options->plain ? add_colour(b, as, out)
                                    : add_pattern(b, out);
    return done && add_second(b, second, &out->second) && add_layers(b, material, out) &&
           (!as->found || as->unlit || add_bump(b, material, out)) &&
           (!as->found || b->options->full_bright || b->options->no_reflections ||
            bspi_shine_find(renderer, b->finder, material, as, out, error));
}

// Copies the names of missing textures, since the map may be freed before they are read.
static bool keep_names(bspi_render_builder *b) {
    for (uint32_t i = 0; i < b->renderer->num_missing; i++) {
        char *copy = bspi_arena_text(&b->renderer->arena, b->renderer->missing[i], b->error);
        if (copy == NULL) {
            return false;
        }
        b->renderer->missing[i].data = copy;
    }
    return true;
}

// Copies the list of models that are not there, with its names: the scene is freed.
static bool keep_models(bspi_render_builder *b) {
    bsp_renderer *renderer = b->renderer;
    const bsp_scene *scene = b->scene;
    renderer->missing_models = bspi_arena_raw(&renderer->arena, scene->num_missing,
                                              sizeof *renderer->missing_models, b->error);
    for (uint32_t i = 0; renderer->missing_models != NULL && i < scene->num_missing; i++) {
        bsp_scene_missing *to = &renderer->missing_models[i];
        *to = scene->missing[i];
        to->name.data = bspi_arena_text(&renderer->arena, to->name, b->error);
        if (to->name.data == NULL) {
            return false;
        }
    }
    renderer->num_missing_models = scene->num_missing;
    return renderer->missing_models != NULL;
}

bool bspi_render_textures_begin(bspi_render_builder *b) {
    uint32_t count = b->map->num_materials;
    const bsp_textures_options how = {.issues = b->options->issues,
                                      .time = b->state.time,
                                      .allocator = b->options->allocator,
                                      .budget = b->options->budget};
    b->finder = bsp_textures_open(b->options->search, b->map, &how, b->error);
    return b->finder != NULL && room_for_texture(b, count);
}

bool bspi_render_textures_end(bspi_render_builder *b) {
    uint32_t count = b->scene->num_materials;
    if (!room_for_texture(b, count)) {
        return false;
    }
    b->renderer->num_textures = count + 1;
    return keep_names(b) && keep_models(b) &&
           bspi_render_fill(b, grey, &b->renderer->textures[count]);
}

bool bspi_render_decal(void *user, uint32_t picture, uint32_t count, const bsp_texture *texture,
                       bsp_error *error) {
    bspi_render_builder *b = user;
    bsp_renderer *renderer = b->renderer;
    if (renderer->decals == NULL) {
        renderer->decals =
            bspi_arena_zero(&renderer->arena, count, sizeof *renderer->decals, error);
    }
    if (renderer->decals == NULL) {
        return false;
    }
    bspi_texture *out = &renderer->decals[picture];
    out->clamp = true;
    out->alpha = texture->alpha;
    out->alpha_cut = texture->alpha_cut;
    bspi_texture_extend(&renderer->heap, texture);
    return bspi_mip_chain_build(&renderer->arena, &texture->image, BSP_IMAGE_MAX, &out->chain,
                                error);
}

bool bspi_render_sky(bspi_render_builder *b) {
    bsp_sky sky;
    if (!bsp_textures_find_sky(b->finder, &sky, b->error)) {
        return false;
    }
    bool done = bspi_sky_build(&b->renderer->arena, &sky, &b->renderer->sky, b->error);
    bsp_sky_free(&sky);
    return done;
}
