// SPDX-License-Identifier: MIT
// The sums of a light style, and the order in which places are looked at.
#include "bake/light/gather.h"
#include "bake/light/ways.h"

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

// Every second bit of a number.
static uint32_t halve(uint32_t bits) {
    uint32_t out = 0;
    for (uint32_t i = 0; i < 4; i++) {
        out |= (bits >> 2 * i & 1) << i;
    }
    return out;
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

// In a tile each half of the places, and each half of that, lies in a part of it.
bool bspi_gather_tile(bspi_gather *g, bsp_error *error) {
    const bspi_places *places = g->places;
    const uint32_t size[2] = {places->width * places->extra, places->height * places->extra};
    const uint32_t side[2] = {even(size[0]), even(size[1])};
    uint32_t count = 0;
    g->order = bspi_heap_alloc(&g->own->heap, places->count * sizeof *g->order, error);
    g->ends = bspi_heap_alloc(&g->own->heap, most_tiles(places) * sizeof *g->ends, error);
    if (g->order == NULL || g->ends == NULL) {
        return false;
    }
    for (uint32_t y = 0; y < size[1]; y += side[1]) {
        for (uint32_t x = 0; x < size[0]; x += side[0]) {
            for (uint32_t i = 0; i < BSPI_GATHER_TILE * BSPI_GATHER_TILE; i++) {
                uint32_t in[2] = {halve(i), halve(i >> 1)};
                uint32_t n = (y + in[1]) * size[0] + x + in[0];
                bool there = in[0] < side[0] && in[1] < side[1] && x + in[0] < size[0] &&
                             y + in[1] < size[1];
                if (there && places->lit[n]) {
                    g->order[count++] = n;
                }
            }
            g->ends[g->num_tiles++] = count;
        }
    }
    return true;
}

void bspi_gather_untile(bspi_gather *g) {
    bspi_heap_free(&g->own->heap, g->order, g->places->count * sizeof *g->order);
    bspi_heap_free(&g->own->heap, g->ends, most_tiles(g->places) * sizeof *g->ends);
}
