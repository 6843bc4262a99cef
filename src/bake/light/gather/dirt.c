// SPDX-License-Identifier: MIT
// Corners: light is weaker where something is near, on all sides of the normal. Facts: sheet bake,
// 3.2.
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/dirt_ways.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/places/places.h"
#include "bake/light/shadows/shadow.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define UNKNOWN -1.0f // how much is near a luxel

// Returns the first place of a luxel.
static uint32_t first_of(const bspi_places *places, uint32_t luxel) {
    uint32_t width = places->width;
    return (luxel / width * width * places->extra + luxel % width) * places->extra;
}

// Finds the place of a luxel that stands for all in it: the lit one that is nearest to the middle.
static uint32_t middle_of(const bspi_places *places, uint32_t luxel) {
    uint32_t extra = places->extra;
    uint32_t width = places->width * extra;
    uint32_t first = first_of(places, luxel);
    uint32_t best = BSP_NONE;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < extra * extra; i++) {
        uint32_t n = first + i / extra * width + i % extra;
        uint32_t x = 2 * (i % extra) + 1;
        uint32_t y = 2 * (i / extra) + 1;
        uint32_t away = (x > extra ? x - extra : extra - x) + (y > extra ? y - extra : extra - y);
        if (places->lit[n] && away < least) {
            least = away;
            best = n;
        }
    }
    return best;
}

static void set_luxel(const bspi_relight *own, const bspi_places *places, uint32_t luxel,
                      float near) {
    float open = 1 - bspi_dirt_lost(near, own->scale.dirt_gain, own->scale.dirt_scale);
    uint32_t extra = places->extra;
    uint32_t width = places->width * extra;
    uint32_t first = first_of(places, luxel);
    for (uint32_t i = 0; i < extra * extra; i++) {
        places->near[first + i / extra * width + i % extra] = near;
        places->open[first + i / extra * width + i % extra] = open;
    }
}

float bspi_place_open(const bspi_relight *own, const bspi_places *places, uint32_t place,
                      const bspi_lamp *lamp) {
    bool ranged = lamp != NULL && lamp->kind == BSPI_LAMP_PLACED && lamp->dirt_on > lamp->dirt_off;
    if (lamp == NULL || (lamp->dirt_gain == 0 && lamp->dirt_scale == 0 && !ranged)) {
        return places->open[place];
    }
    float gain = lamp->dirt_gain != 0 ? lamp->dirt_gain : own->scale.dirt_gain;
    float factor = lamp->dirt_scale != 0 ? lamp->dirt_scale : own->scale.dirt_scale;
    float less = bspi_dirt_lost(places->near[place], gain, factor);
    if (ranged) {
        float way[3];
        for (int c = 0; c < 3; c++) {
            way[c] = lamp->origin[c] - places->points[place][c];
        }
        float past = sqrtf(bspi_dot(way, way)) - lamp->dirt_off;
        less *= fmaxf(0, fminf(1, past / (lamp->dirt_on - lamp->dirt_off)));
    }
    return 1 - less;
}

// Luxels that are looked around from at once.
typedef struct around {
    bspi_relight *own;
    bspi_places *places;
    float directions[BSPI_DIRT_WAYS][3];
    uint32_t num_directions;
    bspi_occluder_places eight;
    uint32_t luxels[BSPI_OCCLUDER_LANES];
    uint32_t count;
} around;

static void look(around *a) {
    float free[BSPI_OCCLUDER_LANES];
    if (a->count == 0) {
        return;
    }
    bspi_shaded of = {.model = a->places->model,
                      .channels = bspi_places_channels(a->own, a->places)};
    bspi_shadow_around(a->own, of, &a->eight, (const float(*)[3])a->directions, a->num_directions,
                       a->own->scale.dirt_depth, free);
    for (uint32_t n = 0; n < a->count; n++) {
        set_luxel(a->own, a->places, a->luxels[n], 1 - free[n] / (float)a->num_directions);
    }
    a->count = 0;
}

// Sets the axes that directions are turned by: along both sides of the longest part of the normal.
// They need not be at right angles.
static void set_axes(const float normal[3], float up[3], float side[3]) {
    int longest = fabsf(normal[1]) > fabsf(normal[0]) ? 1 : 0;
    longest = fabsf(normal[2]) > fabsf(normal[longest]) ? 2 : longest;
    const float one[3] = {longest == 2, longest == 0, longest == 1};
    const float other[3] = {longest == 1, longest == 2, longest == 0};
    bool turned = normal[longest] < 0;
    bspi_cross(normal, turned ? other : one, up);
    bspi_cross(normal, turned ? one : other, side);
    (void)bspi_normalize(up);
    (void)bspi_normalize(side);
}

// Adds a place; those after it are the same, until others are added.
static void add(around *a, uint32_t luxel, uint32_t place) {
    float up[3];
    float side[3];
    const float *normal = a->places->normals[place];
    set_axes(normal, up, side);
    for (uint32_t n = a->count; n < BSPI_OCCLUDER_LANES; n++) {
        for (int i = 0; i < 3; i++) {
            a->eight.from[i][n] = a->places->points[place][i];
            a->eight.side[i][n] = side[i];
            a->eight.up[i][n] = up[i];
            a->eight.normal[i][n] = normal[i];
        }
    }
    a->luxels[a->count++] = luxel;
    if (a->count == BSPI_OCCLUDER_LANES) {
        look(a);
    }
}

// Corners change little within a luxel: one place of each is looked around from, those beside each
// other at once. What is `known` of luxels is taken as it is, unless that is NULL.
static bool look_all(bspi_relight *own, bspi_places *places, const bspi_face_near *known,
                     bsp_error *error) {
    around a = {.own = own, .places = places};
    uint32_t width = places->width;
    uint32_t luxels = width * places->height;
    if (!bspi_heap_work(&own->heap, (uint64_t)luxels * BSPI_DIRT_WAYS, error)) {
        return false;
    }
    a.num_directions = bspi_dirt_ways(own, a.directions);
    for (uint32_t i = 0; i < luxels; i++) {
        uint32_t band = i / (2 * width); // two rows at once
        uint32_t rows = places->height - 2 * band < 2 ? 1 : 2;
        uint32_t past = i - band * 2 * width;
        uint32_t n = (2 * band + past % rows) * width + past / rows;
        bool knows = known != NULL && n < known->count && known->list[n] != UNKNOWN;
        uint32_t place = knows ? BSP_NONE : middle_of(places, n);
        if (place == BSP_NONE) {
            set_luxel(own, places, n, knows ? known->list[n] : 0);
        } else {
            add(&a, n, place);
        }
    }
    look(&a);
    return true;
}

bool bspi_dirt_room(bspi_relight *own, bspi_places *places, bsp_error *error) {
    places->near = bspi_heap_alloc(&own->heap, places->count * sizeof *places->near, error);
    places->open = bspi_heap_alloc(&own->heap, places->count * sizeof *places->open, error);
    return places->near != NULL && places->open != NULL;
}

// Keeps what was found at the one place of each luxel.
static bool keep(bspi_relight *own, const bspi_places *places, bspi_face_near *out,
                 bsp_error *error) {
    out->list = bspi_heap_alloc(&own->heap, places->count * sizeof *out->list, error);
    out->count = out->list != NULL ? places->count : 0;
    for (uint32_t n = 0; n < out->count; n++) {
        out->list[n] = places->lit[n] ? places->near[n] : UNKNOWN;
    }
    return out->list != NULL;
}

// Looks around from the places in the middle of the luxels of a face.
static bool look_middle(bspi_relight *own, uint32_t face, bspi_face_near *out, bsp_error *error) {
    bspi_places places;
    if (!bspi_places_find(own, face, 1, &places, error)) {
        return false;
    }
    bool done = bspi_dirt_room(own, &places, error) && look_all(own, &places, NULL, error) &&
                keep(own, &places, out, error);
    bspi_places_free(own, &places);
    return done;
}

bool bspi_places_dirt(bspi_relight *own, bspi_places *places, bsp_error *error) {
    bspi_face_near *kept = places->kept;
    if (!own->scale.dirt || places->clean || places->near != NULL) {
        return true;
    }
    if (!bspi_dirt_room(own, places, error)) {
        return false;
    }
    if (kept != NULL && kept->list == NULL && places->extra == 1 &&
        places->step == own->scale.step) {
        return look_all(own, places, NULL, error) && keep(own, places, kept, error);
    }
    if (kept != NULL && kept->list == NULL &&
        !look_middle(own, (uint32_t)(kept - own->near), kept, error)) {
        return false;
    }
    return look_all(own, places, kept, error);
}

bool bspi_dirt_begin(bspi_relight *own, bsp_error *error) {
    if (own->occluders == NULL) { // other compilers have no corners
        return true;
    }
    own->near = bspi_arena_zero(&own->arena, own->map->num_faces, sizeof *own->near, error);
    return own->near != NULL;
}

void bspi_dirt_free(bspi_relight *own) {
    for (uint32_t n = 0; own->near != NULL && n < own->map->num_faces; n++) {
        bspi_heap_free(&own->heap, own->near[n].list, own->near[n].count * sizeof(float));
    }
}
