// SPDX-License-Identifier: MIT
// Quake 3: which pieces of surfaces throw light back, how strong it is, and from where lines to
// them are free. Rules: netradiant-custom, tools/quake3/q3map2 (light_bounce.cpp, light_ydnar.cpp,
// shaders.cpp).
#include "bake/light/bounce/throwing.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/faces/piece.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/polygons.h"

#include "core/curves.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define CHOP 256.0f    // units: the longest side of a piece
#define FORM 255       // of the scale of bounces: what a piece gives where it is all that is seen
#define MOST_SIDE 128u // pixels of a picture that is kept
#define MOST_SCALE 1e6f

// --- materials ----------------------------------------------------------------------------------

// Halves the pixels of a picture along an axis.
static void halve(bspi_picture *picture, uint8_t *pixels, int axis) {
    uint32_t width = axis == 0 ? picture->width / 2 : picture->width;
    uint32_t height = axis == 1 ? picture->height / 2 : picture->height;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            size_t a = (size_t)(axis == 1 ? 2 * y : y) * picture->width + (axis == 0 ? 2 * x : x);
            size_t b = a + (axis == 0 ? 1 : picture->width);
            for (size_t c = 0; c < 4; c++) {
                pixels[4 * ((size_t)y * width + x) + c] =
                    (uint8_t)((pixels[4 * a + c] + pixels[4 * b + c] + 1) / 2);
            }
        }
    }
    picture->width = width;
    picture->height = height;
}

// Reads a picture, smaller if it is large.
static bool read_picture(bspi_relight *own, const bsp_textures *textures, uint32_t material,
                         bspi_picture *out, bsp_error *error) {
    bsp_texture texture = {0};
    if (!bsp_textures_find(textures, material, &texture, error)) {
        return false;
    }
    uint64_t pixels = (uint64_t)texture.image.width * texture.image.height;
    uint8_t *kept = NULL;
    bool wanted = texture.found && pixels != 0;
    if (wanted && bspi_heap_work(&own->heap, 1 + pixels / 8, error)) {
        *out = (bspi_picture){.width = texture.image.width, .height = texture.image.height};
        while (out->width > MOST_SIDE) {
            halve(out, texture.image.pixels, 0);
        }
        while (out->height > MOST_SIDE) {
            halve(out, texture.image.pixels, 1);
        }
        size_t bytes = (size_t)out->width * out->height * 4;
        kept = bspi_arena_raw(&own->arena, bytes, 1, error);
        if (kept != NULL) {
            memcpy(kept, texture.image.pixels, bytes);
        }
        out->pixels = kept;
    }
    bsp_texture_free(&texture);
    return !wanted || kept != NULL;
}

static bool read_material(const bspi_throwing *t, const bsp_textures *textures, uint32_t material,
                          bsp_error *error) {
    bspi_relight *own = t->own;
    const bsp_shader *shader = bsp_textures_shader(textures, material);
    bool clear = (own->map->materials[material].contents & own->drawn->clear) != 0;
    t->chops[material] =
        shader != NULL && shader->light_subdivide > 0 ? shader->light_subdivide : CHOP;
    t->scales[material] = shader != NULL ? fminf(shader->bounce_scale, MOST_SCALE) : 1;
    clear = clear || !(t->scales[material] > 0) ||
            (shader != NULL && (shader->light_keys & BSP_SHADER_AUTOSPRITE) != 0);
    t->chops[material] = clear ? 0 : t->chops[material];
    return clear || read_picture(own, textures, material, &t->pictures[material], error);
}

bool bspi_throwing_begin(bspi_throwing *t, bsp_error *error) {
    bspi_relight *own = t->own;
    uint32_t count = own->map->num_materials;
    t->color_ratio = fminf(1, fmaxf(0, own->drawn->told.color_ratio));
    for (int i = 0; i < 256; i++) {
        float hue = (float)i / 255;
        t->hues[i] = own->drawn->told.srgb_textures ? bspi_light_of_srgb(hue) : hue;
    }
    const bsp_textures_options options = {.allocator = own->options->allocator,
                                          .budget = own->options->budget};
    const bsp_textures *given = own->options->textures;
    bsp_textures *opened =
        given == NULL ? bsp_textures_open(NULL, own->map, &options, error) : NULL;
    t->pictures = bspi_arena_zero(&own->arena, count, sizeof *t->pictures, error);
    t->chops = bspi_arena_zero(&own->arena, count, sizeof *t->chops, error);
    t->scales = bspi_arena_zero(&own->arena, count, sizeof *t->scales, error);
    bool done = (given != NULL || opened != NULL) && t->pictures != NULL && t->chops != NULL &&
                t->scales != NULL;
    for (uint32_t m = 0; done && m < count; m++) {
        done = read_material(t, given != NULL ? given : opened, m, error);
    }
    bsp_textures_close(opened);
    return done;
}

float bspi_throwing_chop(const bspi_throwing *t, uint32_t face) {
    uint32_t material = t->own->map->faces[face].material;
    return material < t->own->map->num_materials && bspi_drawn_takes_light(t->own, face)
               ? t->chops[material]
               : 0;
}

// --- pieces -------------------------------------------------------------------------------------

static bool place(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const bspi_throwing *t = user;
    bspi_relight *own = t->own;
    bspi_shining *s = &t->shining[t->num_known + item];
    (void)worker;
    s->dist = 0;
    for (int i = 0; i < 3; i++) {
        s->origin[i] = 0;
        for (uint32_t n = 0; n < s->count; n++) {
            s->origin[i] += s->corners[n][i] / (float)s->count;
        }
        s->origin[i] += s->normal[i];
        s->dist += s->origin[i] * s->normal[i];
    }
    s->hidden = s->hidden || !bspi_drawn_move_free(own, s->origin);
    uint32_t leaf = bsp_trace_leaf(own->index, s->origin);
    s->cluster = leaf < own->map->num_leaves ? own->map->leaves[leaf].cluster : BSP_NONE;
    s->reach = own->drawn->told.fast_bounce ? bspi_polygon_reach(s->corners, s->count, s->origin,
                                                                 s->normal, s->value, s->gate)
                                            : INFINITY;
    return bspi_heap_work(&t->own->heap, 64, error);
}

static bool add_piece(bspi_throwing *t, uint32_t face, bspi_shred *shred, bsp_error *error) {
    bspi_relight *own = t->own;
    bspi_shining *list =
        bspi_grow(&own->heap, t->shining, t->num_shining, &t->room, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    t->shining = list;
    shred->number = t->num_shining;
    list[t->num_shining++] = (bspi_shining){
        .corners = (const float(*)[3])shred->corners,
        .count = shred->count,
        .value = own->scale.bounce * FORM * t->scales[own->map->faces[face].material],
        .gate = own->drawn->told.fast_bounce ? own->drawn->told.least : 0,
        .two_sided = bspi_drawn_of(own, face)->two_sided,
    };
    bspi_shining *s = &list[shred->number];
    s->hidden = !bspi_shred_normal(&t->shreds[face], shred, s->normal);
    if (own->drawn->bounce_grid) {
        s->sent = bspi_arena_zero(&own->arena, BSPI_THROWING_TURNS, sizeof *s->sent, error);
    }
    return s->sent != NULL || !own->drawn->bounce_grid;
}

bool bspi_throwing_collect(bspi_throwing *t, bool *any, bsp_error *error) {
    bspi_relight *own = t->own;
    *any = false;
    for (uint32_t n = 0; n < t->num_shining; n++) {
        t->shining[n].throws = false;
    }
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        for (uint32_t n = 0; n < t->shreds[f].count; n++) {
            bspi_shred *shred = &t->shreds[f].list[n];
            if (!shred->throws) {
                continue;
            }
            if (shred->number == BSP_NONE && !add_piece(t, f, shred, error)) {
                return false;
            }
            bspi_shining *s = &t->shining[shred->number];
            s->throws = *any = true;
            for (int c = 0; c < 3; c++) {
                s->color[c] = shred->color[c];
                if (s->sent != NULL) {
                    s->sent[t->turn][c] += shred->color[c];
                }
            }
        }
    }
    return bspi_heap_work(&own->heap, 1 + t->num_shining, error) &&
           bspi_workers_each(bspi_heap_threads(&own->heap), t->num_shining - t->num_known, place, t,
                             error);
}

// --- the light grid -----------------------------------------------------------------------------

static bool add_lamp(const bspi_throwing *t, const bspi_shining *s, bsp_error *error) {
    bspi_relight *own = t->own;
    bspi_lamp lamp = {.outer = -2, .emits = 1, .two_sided = s->two_sided, .style = t->style};
    for (uint32_t n = 0; s->sent != NULL && n < BSPI_THROWING_TURNS; n++) {
        for (int c = 0; c < 3; c++) {
            lamp.color[c] += s->sent[n][c];
        }
    }
    float most = fmaxf(lamp.color[0], fmaxf(lamp.color[1], lamp.color[2]));
    if (s->hidden || !(most > 0)) {
        return true;
    }
    float(*corners)[3] = bspi_arena_raw(&own->arena, s->count, sizeof *corners, error);
    float(*thrown)[3] = bspi_arena_raw(&own->arena, BSPI_THROWING_TURNS, sizeof *thrown, error);
    if (corners == NULL || thrown == NULL) {
        return false;
    }
    memcpy(corners, s->corners, s->count * sizeof *corners);
    memcpy(thrown, s->sent, BSPI_THROWING_TURNS * sizeof *thrown);
    lamp.thrown = (const float(*)[3])thrown;
    lamp.corners = (const float(*)[3])corners;
    lamp.num_corners = s->count;
    memcpy(lamp.origin, s->origin, sizeof lamp.origin);
    memcpy(lamp.direction, s->normal, sizeof lamp.direction);
    lamp.plane = s->dist;
    lamp.light = s->value;
    lamp.gate = s->gate * most;
    lamp.reach = isfinite(s->reach) ? s->reach : 0;
    return bspi_lamp_add(own, &lamp, error);
}

bool bspi_throwing_lamps(bspi_throwing *t, bsp_error *error) {
    bool done = true;
    for (uint32_t n = 0; done && n < t->num_shining; n++) {
        bspi_shining *s = &t->shining[n];
        done = add_lamp(t, s, error);
        if (s->sent != NULL) {
            memset(s->sent, 0, BSPI_THROWING_TURNS * sizeof *s->sent);
        }
    }
    return done;
}

bool bspi_throwing_see(bspi_throwing *t, bsp_error *error) {
    bspi_relight *own = t->own;
    own->relight.num_emitters -= own->num_lamps - t->num_lamps; // these are no surfaces of the map
    return bspi_lamps_see(own, error);
}
