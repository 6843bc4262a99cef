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

#define UNKNOWN -1.0f // how much is near a square

// A square of places, of which one is looked around from.
typedef struct square {
    uint32_t first[2]; // of its places along each axis
    uint32_t end[2];
    uint32_t middle[2]; // the place to look from
} square;

// Returns how many squares there are along an axis of so many luxels.
static uint32_t squares_along(const bspi_places *places, uint32_t luxels) {
    return luxels * (places->extra / bspi_dirt_side(places->extra));
}

// Of four squares beside each other the places are in rows and columns of their own.
static square square_at(const bspi_places *places, uint32_t x, uint32_t y) {
    uint32_t side = bspi_dirt_side(places->extra);
    return (square){
        .first = {x * side, y * side},
        .end = {x * side + side, y * side + side},
        .middle = {x * side + (side - 1) * (1 - y % 2), y * side + (side - 1) * (x % 2)}};
}

static uint32_t away_from(uint32_t place, uint32_t middle) {
    return place > middle ? place - middle : middle - place;
}

// Finds the place that stands for all in a square: the lit one that is nearest to its middle.
static uint32_t middle_of(const bspi_places *places, const square *in) {
    uint32_t best = BSP_NONE;
    uint32_t least = UINT32_MAX;
    for (uint32_t y = in->first[1]; y < in->end[1]; y++) {
        for (uint32_t x = in->first[0]; x < in->end[0]; x++) {
            uint32_t n = y * places->width * places->extra + x;
            uint32_t away = away_from(x, in->middle[0]) + away_from(y, in->middle[1]);
            if (places->lit[n] && away < least) {
                least = away;
                best = n;
            }
        }
    }
    return best;
}

static void set_square(const bspi_relight *own, const bspi_places *places, const square *in,
                       float near) {
    float open = 1 - bspi_dirt_lost(near, own->scale.dirt_gain, own->scale.dirt_scale);
    for (uint32_t y = in->first[1]; y < in->end[1]; y++) {
        for (uint32_t x = in->first[0]; x < in->end[0]; x++) {
            places->near[y * places->width * places->extra + x] = near;
            places->open[y * places->width * places->extra + x] = open;
        }
    }
}

float bspi_place_open(const bspi_relight *own, const bspi_places *places, uint32_t place,
                      const bspi_lamp *lamp) {
    if (lamp == NULL || bspi_dirt_is_plain(lamp)) {
        return places->open[place];
    }
    float gain = lamp->dirt_gain != 0 ? lamp->dirt_gain : own->scale.dirt_gain;
    float factor = lamp->dirt_scale != 0 ? lamp->dirt_scale : own->scale.dirt_scale;
    float less = bspi_dirt_lost(places->near[place], gain, factor);
    if (lamp->kind == BSPI_LAMP_PLACED && lamp->dirt_on > lamp->dirt_off) {
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
    square squares[BSPI_OCCLUDER_LANES];
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
        set_square(a->own, a->places, &a->squares[n], 1 - free[n] / (float)a->num_directions);
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
static void add(around *a, const square *in, uint32_t place) {
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
    a->squares[a->count++] = *in;
    if (a->count == BSPI_OCCLUDER_LANES) {
        look(a);
    }
}

// One place of each square is looked around from, those beside each other at once. What is `known`
// of squares is taken as it is, unless that is NULL.
static bool look_all(bspi_relight *own, bspi_places *places, const bspi_face_near *known,
                     bsp_error *error) {
    around a = {.own = own, .places = places};
    uint32_t width = squares_along(places, places->width);
    uint32_t height = squares_along(places, places->height);
    if (!bspi_heap_work(&own->heap, (uint64_t)width * height * BSPI_DIRT_WAYS, error)) {
        return false;
    }
    a.num_directions = bspi_dirt_ways(own, a.directions);
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t band = i / (2 * width); // two rows at once
        uint32_t rows = height - 2 * band < 2 ? 1 : 2;
        uint32_t past = i - band * 2 * width;
        uint32_t x = past / rows;
        uint32_t y = 2 * band + past % rows;
        square in = square_at(places, x, y);
        bool knows = known != NULL && known->count == width * height;
        knows = knows && known->list[y * width + x] != UNKNOWN;
        uint32_t place = knows ? BSP_NONE : middle_of(places, &in);
        if (place == BSP_NONE) {
            set_square(own, places, &in, knows ? known->list[y * width + x] : 0);
        } else {
            add(&a, &in, place);
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

// Keeps what was found of squares, for what is thrown back.
static bool keep(bspi_relight *own, const bspi_places *places, bspi_face_near *out,
                 bsp_error *error) {
    uint32_t width = squares_along(places, places->width);
    uint32_t count = width * squares_along(places, places->height);
    out->list = bspi_heap_alloc(&own->heap, count * sizeof *out->list, error);
    out->count = out->list != NULL ? count : 0;
    for (uint32_t n = 0; n < out->count; n++) {
        square in = square_at(places, n % width, n / width);
        uint32_t first = in.first[1] * places->width * places->extra + in.first[0];
        out->list[n] = middle_of(places, &in) != BSP_NONE ? places->near[first] : UNKNOWN;
    }
    return out->list != NULL;
}

bool bspi_places_dirt(bspi_relight *own, bspi_places *places, bsp_error *error) {
    bspi_face_near *kept = places->kept;
    if (!own->scale.dirt || places->clean || places->near != NULL) {
        return true;
    }
    bool first = kept != NULL && kept->list == NULL && places->step == own->scale.step;
    return bspi_dirt_room(own, places, error) && look_all(own, places, kept, error) &&
           (!first || keep(own, places, kept, error));
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
