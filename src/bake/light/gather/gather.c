// SPDX-License-Identifier: MIT
// The sums of a light style, the order in which places are looked at, and what one has of a lamp.
#include "bake/light/gather/gather.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/polygons.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

float (*bspi_gather_sums(bspi_gather *g, int style))[3] {
    for (uint32_t i = 0; i < g->num_styles; i++) {
        if (g->styles[i] == style) {
            return g->sums + g->run * i;
        }
    }
    if (g->num_styles == BSPI_GATHER_STYLES) {
        atomic_fetch_add_explicit(&g->own->dropped, 1, memory_order_relaxed);
        return NULL;
    }
    float(*sums)[3] = g->sums + g->run * g->num_styles;
    memset(sums, 0, g->run * sizeof *sums);
    for (uint32_t n = 0; g->places->ways != NULL && n < g->places->count; n++) {
        bspi_ways_begin(g->own, g->places->normals[n], bspi_gather_ways(g, sums)[n]);
    }
    g->styles[g->num_styles++] = style;
    return sums;
}

// Every second bit of a byte.
static uint32_t halve(uint32_t bits) {
    static const uint8_t pairs[16] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
    return pairs[bits & 15] | (uint32_t)pairs[bits >> 4 & 15] << 2;
}

// How long the tiles of so many places are: as even as can be.
static uint32_t even(uint32_t size) {
    uint32_t tiles = (size + BSPI_GATHER_TILE - 1) / BSPI_GATHER_TILE;
    return tiles == 0 ? 1 : (size + tiles - 1) / tiles;
}

static size_t most_tiles(const bspi_places *places) {
    return ((size_t)places->width * places->extra / BSPI_GATHER_TILE + 1) *
           ((size_t)places->height * places->extra / BSPI_GATHER_TILE + 1);
}

static size_t most_eights(const bspi_places *places) {
    return places->count / BSPI_LAMP_PLACES + most_tiles(places);
}

static void add_place(bspi_lamp_places *eight, const bspi_places *places, uint32_t place) {
    uint32_t at = eight->count++;
    eight->place[at] = place;
    for (int i = 0; i < 3; i++) {
        eight->point[i][at] = places->points[place][i];
        eight->normal[i][at] = places->normals[place][i];
    }
}

// Fills what is left of an eight with its last place.
static void fill_up(bspi_lamp_places *eight) {
    uint32_t last = eight->count - 1;
    for (uint32_t n = eight->count; n < BSPI_LAMP_PLACES; n++) {
        eight->place[n] = eight->place[last];
        for (int i = 0; i < 3; i++) {
            eight->point[i][n] = eight->point[i][last];
            eight->normal[i][n] = eight->normal[i][last];
        }
    }
}

void bspi_gather_box(const bspi_lamp_places *eights, uint32_t count, float middle[3],
                     float half[3]) {
    for (int i = 0; i < 3; i++) {
        float low = INFINITY;
        float high = -INFINITY;
        for (uint32_t n = 0; n < count * BSPI_LAMP_PLACES; n++) { // the last ones fill up
            float at = eights[n / BSPI_LAMP_PLACES].point[i][n % BSPI_LAMP_PLACES];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        middle[i] = (low + high) / 2;
        half[i] = (high - low) / 2;
    }
}

// Adds a tile of the lit places. In it each half of the places, and each half of that, lies in a
// part of it.
static void add_tile(bspi_gather *g, const uint32_t low[2], const uint32_t side[2]) {
    const bspi_places *places = g->places;
    const uint32_t size[2] = {places->width * places->extra, places->height * places->extra};
    bspi_tile *tile = &g->tiles[g->num_tiles++];
    uint32_t first = g->num_eights;
    bspi_lamp_places *last = NULL;
    for (uint32_t i = 0; i < BSPI_GATHER_TILE * BSPI_GATHER_TILE; i++) {
        uint32_t x = halve(i);
        uint32_t y = halve(i >> 1);
        bool there = x < side[0] && y < side[1] && low[0] + x < size[0] && low[1] + y < size[1];
        uint32_t n = there ? (low[1] + y) * size[0] + low[0] + x : 0;
        if (!there || !places->lit[n]) {
            continue;
        }
        if (last == NULL || last->count == BSPI_LAMP_PLACES) {
            last = &g->eights[g->num_eights++];
            last->count = 0;
        }
        add_place(last, places, n);
    }
    if (last != NULL) {
        fill_up(last);
    }
    tile->end = g->num_eights;
    bspi_gather_box(&g->eights[first], g->num_eights - first, tile->box.middle, tile->box.half);
}

bool bspi_gather_tile(bspi_gather *g, bsp_error *error) {
    const bspi_places *places = g->places;
    const uint32_t size[2] = {places->width * places->extra, places->height * places->extra};
    const uint32_t side[2] = {even(size[0]), even(size[1])};
    g->light_eight = bspi_lamp_eight_here();
    g->eights = bspi_heap_alloc(&g->own->heap, most_eights(places) * sizeof *g->eights, error);
    g->tiles = bspi_heap_alloc(&g->own->heap, most_tiles(places) * sizeof *g->tiles, error);
    if (g->eights == NULL || g->tiles == NULL) {
        return false;
    }
    for (uint32_t y = 0; y < size[1]; y += side[1]) {
        for (uint32_t x = 0; x < size[0]; x += side[0]) {
            add_tile(g, (const uint32_t[2]){x, y}, side);
        }
    }
    return true;
}

void bspi_gather_untile(bspi_gather *g) {
    bspi_heap_free(&g->own->heap, g->eights, most_eights(g->places) * sizeof *g->eights);
    bspi_heap_free(&g->own->heap, g->tiles, most_tiles(g->places) * sizeof *g->tiles);
}

// --- one lamp -----------------------------------------------------------------------------------

float bspi_gather_cosine(const bspi_places *places, const bspi_lamp *lamp, const float axis[3],
                         const float direction[3]) {
    float cosine = bspi_dot(axis, direction);
    return bspi_lamp_both(lamp, places) ? bspi_lamp_cosine_both(lamp, cosine) : cosine;
}

float bspi_gather_strength(const bspi_gather *g, const bspi_lamp *lamp, uint32_t place,
                           const float point[3], float direction[3]) {
    const bspi_places *places = g->places;
    float distance;
    float strength = bspi_lamp_at(lamp, point, direction, &distance);
    const float *normal = places->normals[place];
    return lamp->corners == NULL ? strength
           : lamp->near > 0      ? bspi_patch_at(lamp, point, normal)
                                 : bspi_polygon_at(lamp, point, normal, places->two_sided);
}

bool bspi_gather_counts(const bspi_gather *g, const bspi_lamp *lamp, uint32_t place, float strength,
                        const float direction[3]) {
    float gate = lamp->gate > 0 ? lamp->gate : g->own->scale.gate;
    float cosine = bspi_gather_cosine(g->places, lamp, g->places->normals[place], direction);
    float angle = lamp->kind == BSPI_LAMP_LEAST ? 1 : bspi_lamp_angle(lamp, cosine);
    return !(fabsf(strength * angle * bspi_lamp_most(lamp)) <= gate);
}
