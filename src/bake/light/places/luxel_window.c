// SPDX-License-Identifier: MIT
// The places around a luxel. Source: lightmap.cpp of SDHLT, for those wider than a luxel.
#include "bake/light/places/luxel_window.h"

#include <assert.h>
#include <math.h>

// How much of a window is of a place that is so far from its middle.
static float in_window(float half, float away) {
    return fminf(0.5f, half - away) - fmaxf(-0.5f, -half - away);
}

// What a window has along an axis.
typedef struct row {
    uint32_t place[BSPI_WINDOW_PLACES];
    float part[BSPI_WINDOW_PLACES];
} row;

static void set_row(const bspi_luxel_window *window, int middle, uint32_t size, row *out) {
    for (uint32_t i = 0; i < window->count; i++) {
        int at = middle - window->before + (int)i;
        bool beyond = at < 0 || (uint32_t)at >= size;
        out->place[i] = at < 0 ? 0 : beyond ? size - 1 : (uint32_t)at;
        out->part[i] = window->parts[i];
    }
}

void bspi_luxel_window_make(float blur, uint32_t extra, bspi_luxel_window *out) {
    float half = 0.5f * blur * (float)extra;
    float past = extra % 2 == 0 ? 0.5f : 0; // of the middle
    int reach = (int)ceilf(half - 0.5f) + 1;
    assert(2 * reach + 2 <= (int)BSPI_WINDOW_PLACES);
    *out = (bspi_luxel_window){.half = half, .before = reach};
    for (int at = -reach; at <= reach + 1; at++) {
        float part = in_window(half, (float)at - past);
        if (part > 0) {
            out->parts[out->count++] = part;
        } else if (out->count == 0) {
            out->before--;
        }
    }
}

// Sets the column and the row of the middle of a luxel.
static void middle_of(const bspi_places *places, uint32_t luxel, int at[2]) {
    uint32_t inner = bspi_places_width(places);
    uint32_t middle = (places->extra - 1) / 2;
    at[0] = (int)((luxel % inner + places->margin) * places->extra + middle);
    at[1] = (int)((luxel / inner + places->margin) * places->extra + middle);
}

size_t bspi_luxel_window_middle(const bspi_places *places, uint32_t luxel) {
    int at[2];
    middle_of(places, luxel, at);
    return (size_t)at[1] * (places->width * places->extra) + (size_t)at[0];
}

uint32_t bspi_luxel_window_places(const bspi_luxel_window *window, const bspi_places *places,
                                  uint32_t luxel,
                                  bspi_window_place out[BSPI_WINDOW_PLACES * BSPI_WINDOW_PLACES]) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    row across;
    row down;
    uint32_t count = 0;
    int at[2];
    middle_of(places, luxel, at);
    set_row(window, at[0], width, &across);
    set_row(window, at[1], height, &down);
    for (uint32_t v = 0; v < window->count; v++) {
        for (uint32_t u = 0; u < window->count; u++) {
            float part = across.part[u] * down.part[v];
            out[count].place = (size_t)down.place[v] * width + across.place[u];
            out[count].part = part;
            count += part > 0;
        }
    }
    return count;
}
