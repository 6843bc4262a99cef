// SPDX-License-Identifier: MIT
// Luxels as the mean of their places, in the strongest styles. Places in solid take what is beside
// them.
#include "bake/light/gather/gather.h"
#include "bake/light/places/luxel_window.h"
#include "bake/light/gather/ways.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define PLACES 8u // that count as one of work where they are filled

// Fills places without light with the mean of those around them that have some, from the edges on.
// A place once filled is a source for others, unless only measured ones are. There may be as many
// passes as there are places along an edge.
static bool fill(bspi_relight *own, const bspi_places *places, bool *known, float (*sums)[3],
                 bsp_error *error) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    const bool *from = places->once ? places->lit : known;
    bool more = true;
    bool done = true;
    while (done && more) {
        more = false;
        for (uint32_t n = 0; n < places->count; n++) {
            uint32_t x = n % width;
            uint32_t y = n / width;
            float sum[3] = {0, 0, 0};
            uint32_t around = 0;
            for (uint32_t v = y == 0 ? 0 : y - 1; !known[n] && v <= y + 1 && v < height; v++) {
                for (uint32_t u = x == 0 ? 0 : x - 1; u <= x + 1 && u < width; u++) {
                    uint32_t other = v * width + u;
                    around += from[other];
                    for (int c = 0; from[other] && c < 3; c++) {
                        sum[c] += sums[other][c];
                    }
                }
            }
            for (int c = 0; around != 0 && c < 3; c++) {
                sums[n][c] = sum[c] / (float)(around + places->seam);
            }
            more |= around != 0 && !places->once;
            known[n] = known[n] || around != 0;
        }
        done = bspi_heap_work(&own->heap, 1 + places->count / PLACES, error);
    }
    return done;
}

// hlrad: what of a place counts for one in a window around it, by the angle between the normals. A
// place that was moved to the edge only counts where all are.
static float weight_of(const bspi_places *places, size_t place, size_t middle, bool all) {
    if (places->moved == NULL) {
        return 1;
    }
    float cosine = bspi_dot(places->normals[place], places->normals[middle]);
    return (all || !places->moved[place]) && cosine > 0 ? cosine * cosine : 0;
}

// Sets a luxel to the mean of the known places in a window around it. Returns false without any,
// and sets it to the nearest one.
static bool mean_of(const bspi_places *places, const bool *known, const float (*sums)[3],
                    const bspi_window_place *around, uint32_t count, size_t here, bool all,
                    float out[3]) {
    float total = 0;
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 0; i < count; i++) {
        size_t place = around[i].place;
        if (!known[place]) {
            continue;
        }
        float weight = around[i].part * weight_of(places, place, here, all);
        total += weight;
        for (int c = 0; c < 3; c++) {
            out[c] += weight * sums[place][c];
        }
    }
    for (int c = 0; c < 3; c++) {
        out[c] = total > 0 ? out[c] / total : sums[here][c];
    }
    return total > 0;
}

// `blur`: how many luxels wide the window of one is. False where some luxel has none of the known
// places in it.
static bool shrink(const bspi_places *places, const bool *known, const float (*sums)[3], float blur,
                   float (*luxels)[3]) {
    bspi_window_place around[BSPI_WINDOW_PLACES * BSPI_WINDOW_PLACES];
    bspi_luxel_window window;
    bool all = true;
    if (places->extra == 1 && places->margin == 0 && !(blur > 1)) { // a luxel is its place
        memcpy(luxels, sums, places->count * sizeof *luxels);
        return true;
    }
    bspi_luxel_window_make(blur, places->extra, &window);
    for (uint32_t n = 0; n < bspi_places_width(places) * bspi_places_height(places); n++) {
        uint32_t count = bspi_luxel_window_places(&window, places, n, around);
        size_t here = bspi_luxel_window_middle(places, n);
        all &= mean_of(places, known, sums, around, count, here, false, luxels[n]) ||
               (places->moved != NULL &&
                mean_of(places, known, sums, around, count, here, true, luxels[n]));
    }
    return all;
}

static float total_of(const bspi_gather *g, uint32_t style) {
    const float(*sums)[3] = (const float(*)[3])(g->sums + g->run * style);
    float total = 0;
    for (uint32_t n = 0; n < g->places->count; n++) {
        for (int c = 0; c < 3; c++) {
            total += fabsf(sums[n][c]);
        }
    }
    return total;
}

// Chooses the styles that stay: 0, then the strongest, in the order in which they were found.
static uint32_t choose(const bspi_gather *g, uint32_t chosen[BSPI_GATHER_STYLES]) {
    float totals[BSPI_GATHER_STYLES];
    uint32_t styles = g->num_styles < BSPI_GATHER_STYLES ? g->num_styles : BSPI_GATHER_STYLES;
    uint32_t count = 0;
    for (uint32_t i = 0; i < styles; i++) {
        totals[i] = g->styles[i] == 0 ? INFINITY : total_of(g, i);
    }
    for (int zero = 1; zero >= 0; zero--) { // style 0 comes first
        for (uint32_t i = 0; i < styles; i++) {
            uint32_t stronger = 0;
            for (uint32_t k = 0; k < styles; k++) {
                stronger += totals[k] > totals[i] || (totals[k] == totals[i] && k < i);
            }
            bool stays = totals[i] > 0 && stronger < g->own->most_styles;
            bool now = (g->styles[i] == 0) == (zero != 0);
            if (stays && now && count < g->own->most_styles) {
                chosen[count++] = i;
            }
        }
    }
    return count;
}

bool bspi_gather_fill(bspi_relight *own, const bspi_places *places, bool *known, float (*sums)[3],
                      bsp_error *error) {
    memcpy(known, places->lit, places->count);
    if (places->step > 1) {
        bspi_places_spread(places, known, sums);
    }
    return fill(own, places, known, sums, error);
}

// Where a window is wider than a luxel, places that were filled count only in luxels without
// others.
static bool mix(const bspi_gather *g, float (*sums)[3], float blur, bool *known, float (*luxels)[3],
                bsp_error *error) {
    const bspi_places *places = g->places;
    const float(*filled)[3] = (const float(*)[3])sums;
    if (blur > 1 && shrink(places, places->lit, filled, blur, luxels)) {
        return true;
    }
    if (!bspi_gather_fill(g->own, places, known, sums, error)) {
        return false;
    }
    (void)shrink(places, blur > 1 ? places->lit : known, filled, blur, luxels);
    return true;
}

// Makes the directions from which light of a chosen style comes.
static bool mix_ways(const bspi_gather *g, uint32_t chosen, uint32_t style, float blur, bool *known,
                     bsp_error *error) {
    bspi_ways *ways = g->places->ways;
    float(*list)[3] = ways->list + (size_t)ways->each * style;
    if (!mix(g, bspi_gather_ways(g, g->sums + g->run * chosen), blur, known, list, error)) {
        return false;
    }
    bspi_ways_turn(g->own, g->places, list);
    ways->styles[style] = (uint8_t)g->styles[chosen];
    return true;
}

bool bspi_gather_luxels(bspi_gather *g, bsp_relight_face *face, bool *known, bsp_error *error) {
    const bspi_places *places = g->places;
    uint32_t chosen[BSPI_GATHER_STYLES];
    uint32_t count = choose(g, chosen);
    bool blurs = g->own->scale.blur > 1 && places->step <= 1;
    float blur = blurs ? g->own->scale.blur : 1;
    size_t each = (size_t)bspi_places_width(places) * bspi_places_height(places);
    float(*luxels)[3] = bspi_heap_alloc(
        &g->own->heap, each * places->directions * g->own->most_styles * sizeof *luxels, error);
    if (luxels == NULL) {
        return false;
    }
    face->luxels = (const float(*)[3])luxels;
    face->width = bspi_places_width(places);
    face->height = bspi_places_height(places);
    face->directions = places->directions;
    face->num_styles = count;
    if (places->ways != NULL &&
        !bspi_ways_room(g->own, places->ways, (uint32_t)each, count, error)) {
        return false;
    }
    bool done = true;
    for (uint32_t s = 0; done && s < count && s < BSP_RELIGHT_STYLES; s++) {
        face->styles[s] = (uint8_t)g->styles[chosen[s]];
        for (uint32_t d = 0; done && d < places->directions; d++) {
            float(*sums)[3] = g->sums + g->run * chosen[s] + (size_t)d * places->count;
            float(*to)[3] = luxels + each * (s * places->directions + d);
            done = mix(g, sums, blur, known, to, error);
        }
        done = done && (places->ways == NULL || mix_ways(g, chosen[s], s, blur, known, error));
    }
    return done;
}
