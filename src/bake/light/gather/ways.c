// SPDX-License-Identifier: MIT
// From where light comes to luxels: the sum of the directions of direct light by strength.
// Formulas: netradiant-custom, tools/quake3/q3map2/light.cpp, light_ydnar.cpp; ericw-tools,
// light/ltface.cc, light/write.cc.
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lamps/lamp.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LEAST (1.0f / 256) // q3map2: of the normal, where no light comes
#define AHEAD 1e-6f        // length of a sum that is a direction

static int frame_of(const bspi_relight *own) {
    if (own->drawn != NULL) {
        return !own->drawn->deluxe   ? BSPI_WAYS_NONE
               : own->drawn->tangent ? BSPI_WAYS_TANGENT
                                     : BSPI_WAYS_WORLD;
    }
    bool stored = bsp_file_find(own->file, bsp_text_of("bspx:LIGHTINGDIR")) != BSP_NONE;
    return stored ? BSPI_WAYS_TEXTURE : BSPI_WAYS_NONE;
}

bool bspi_ways_find(bspi_relight *own, bsp_error *error) {
    own->ways_frame = frame_of(own);
    if (own->ways_frame != BSPI_WAYS_NONE) {
        own->ways = bspi_arena_zero(&own->arena, own->map->num_faces, sizeof *own->ways, error);
    }
    return own->ways_frame == BSPI_WAYS_NONE || own->ways != NULL;
}

// How bright a colour is.
static float grey(const float color[3]) {
    return 0.3f * color[0] + 0.59f * color[1] + 0.11f * color[2];
}

void bspi_ways_begin(const bspi_relight *own, const float normal[3], float sum[3]) {
    float least =
        own->ways_frame == BSPI_WAYS_TEXTURE ? 0 : fmaxf(LEAST, grey(own->scale.curve.base) / 255);
    for (int i = 0; i < 3; i++) {
        sum[i] = normal[i] * least;
    }
}

void bspi_ways_add(const bspi_relight *own, const bspi_lamp *lamp, const float direction[3],
                   float strength, float sum[3]) {
    float part = own->ways_frame == BSPI_WAYS_TEXTURE ? 1 : grey(lamp->color) / 255;
    for (int i = 0; i < 3; i++) {
        sum[i] += direction[i] * strength * part;
    }
}

bool bspi_ways_room(bspi_relight *own, bspi_ways *ways, uint32_t each, uint32_t num_styles,
                    bsp_error *error) {
    ways->each = each;
    ways->num_styles = num_styles < BSP_RELIGHT_STYLES ? num_styles : BSP_RELIGHT_STYLES;
    ways->list =
        bspi_heap_alloc(&own->heap, (size_t)each * ways->num_styles * sizeof *ways->list, error);
    return ways->list != NULL;
}

// --- frames -------------------------------------------------------------------------------------

// The axes of q3map2's tangent space at a normal.
static void find_tangents(const float n[3], float axes[2][3]) {
    static const float up[3] = {0, 0, 1};
    if (n[0] == 0 && n[1] == 0) {
        const float flat[2][3] = {{n[2] < 0 ? -1.0f : 1.0f, 0, 0}, {0, 1, 0}};
        memcpy(axes, flat, sizeof flat);
    } else {
        bspi_cross(n, up, axes[0]);
        (void)bspi_normalize(axes[0]);
        bspi_cross(axes[0], n, axes[1]);
        (void)bspi_normalize(axes[1]);
    }
    for (int i = 0; i < 3 && (n[0] > 0 || n[1] < 0 || n[2] < 0); i++) {
        axes[0][i] = -axes[0][i];
    }
}

static void find_axes(const bspi_relight *own, const bspi_places *places, uint32_t place,
                      float axes[3][3]) {
    if (own->ways_frame == BSPI_WAYS_TANGENT) {
        memcpy(axes[2], places->normals[place], sizeof axes[2]);
        find_tangents(axes[2], axes);
        return;
    }
    for (int i = 0; i < 3; i++) {
        axes[0][i] = places->texture[0][i];
        axes[1][i] = -places->texture[1][i];
        axes[2][i] = places->normal[i];
    }
    (void)bspi_normalize(axes[0]);
    (void)bspi_normalize(axes[1]);
}

void bspi_ways_turn(const bspi_relight *own, const bspi_places *places, float (*list)[3]) {
    uint32_t half = places->extra / 2;
    uint32_t inner = bspi_places_width(places);
    for (uint32_t n = 0; n < inner * bspi_places_height(places); n++) {
        float axes[3][3];
        float way[3] = {list[n][0], list[n][1], list[n][2]};
        uint32_t x = (n % inner + places->margin) * places->extra + half;
        uint32_t y = (n / inner + places->margin) * places->extra + half;
        if (own->ways_frame != BSPI_WAYS_WORLD) {
            find_axes(own, places, y * places->width * places->extra + x, axes);
            for (int i = 0; i < 3; i++) {
                way[i] = bspi_dot(list[n], axes[i]);
            }
        }
        float length = sqrtf(bspi_dot(way, way));
        bool ahead = length > AHEAD && isfinite(length);
        for (int i = 0; i < 3; i++) {
            list[n][i] = ahead ? way[i] / length : 0;
        }
    }
}

// --- results ------------------------------------------------------------------------------------

const float (*bspi_ways_of(const bspi_ways *ways, uint8_t style))[3] {
    for (uint32_t s = 0; ways->list != NULL && s < ways->num_styles; s++) {
        if (ways->styles[s] == style) {
            return (const float(*)[3])(ways->list + (size_t)ways->each * s);
        }
    }
    return NULL;
}

void bspi_ways_encode(const bspi_relight *own, const float *way, uint8_t out[3]) {
    static const float normal[3] = {0, 0, 1};
    bool ahead = way != NULL && bspi_dot(way, way) > 0.5f;
    const float *taken = ahead ? way : normal;
    float half = own->ways_frame == BSPI_WAYS_TEXTURE ? 128 : 127.5f;
    for (int i = 0; i < 3; i++) {
        out[i] = (uint8_t)fminf(255, fmaxf(0, taken[i] * half + half));
    }
}

void bspi_ways_free(bspi_relight *own) {
    for (uint32_t i = 0; own->ways != NULL && i < own->map->num_faces; i++) {
        bspi_ways *ways = &own->ways[i];
        bspi_heap_free(&own->heap, ways->list,
                       (size_t)ways->each * ways->num_styles * sizeof *ways->list);
    }
}
