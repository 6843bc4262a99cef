// SPDX-License-Identifier: MIT
// What lamps send to eight places at a time, by the rules of ericw-tools: the same sums as for one
// place after the other.
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/gather.h"
#include "bake/light/shadows/shadow.h"

#include <assert.h>
#include <math.h>

#define LEAST 1e-4f       // of what a lamp stands for that it must have itself
#define MANY 4u           // eights of a tile that is looked at as a whole first
#define BACK 0.25f        // units: so far on the back side of a plane is so for certain
#define ROUND (1 + 1e-3f) // what products may be wrong by

bool bspi_gather_is_even(const bspi_gather *g, const bspi_lamp *lamp) {
    return g->own->occluders != NULL && g->places->directions == 1 && g->places->ways == NULL &&
           !bspi_gather_switches(g, lamp) && bspi_lamp_is_even(lamp);
}

// Adds what the open lines of eight places bring.
static void add_eight(bspi_gather *g, const bspi_lamp *lamp, uint32_t number, float (*sums)[3]) {
    const bspi_places *places = g->places;
    const bspi_lamp_places *eight = &g->eights[g->aimed[number]];
    const bspi_lamp_light *light = &g->lights[number];
    const bspi_occluder_eight *lines = &g->bundle.eights[number];
    bspi_shaded of = bspi_lamp_shaded(lamp, places->model);
    bool dirty = lamp->dirty && places->near != NULL;
    bool plain = bspi_dirt_is_plain(lamp);
    for (uint32_t bits = lines->open; bits != 0; bits &= bits - 1) {
        uint32_t n = (uint32_t)__builtin_ctz(bits);
        uint32_t place = eight->place[n];
        float through[3] = {1, 1, 1};
        if ((lines->one >> n & 1) != 0 &&
            !bspi_shadow_through(g->own, of, &g->bundle, number, n, through)) {
            continue;
        }
        float open = !dirty  ? 1
                     : plain ? places->open[place]
                             : bspi_place_open(g->own, places, place, lamp);
        float part = light->strength[n] * open * light->angle[n];
        for (int c = 0; c < 3; c++) {
            sums[place][c] += lamp->color[c] * part * through[c];
        }
    }
}

// Returns the most that any place has of a lamp, of its brightest channel.
static float peak_of(bspi_gather *g, const bspi_lamp *lamp, float most, float gate) {
    bool both = bspi_lamp_both(lamp, g->places);
    float peak = 0;
    for (uint32_t i = 0; i < g->num_eights; i++) {
        bspi_lamp_light *light = &g->lights[0];
        uint32_t bits = g->light_eight(lamp, &g->eights[i], both, most, gate, light);
        for (; bits != 0; bits &= bits - 1) {
            uint32_t n = (uint32_t)__builtin_ctz(bits);
            peak = fmaxf(peak, fabsf(light->strength[n] * light->angle[n]) * most);
        }
    }
    return peak;
}

// A preview: is a lamp strong, or does it now stand for weak ones before it? Then it has the colour
// of all of them.
static bool stands(bspi_gather *g, bspi_lamp *lamp, float most, float gate) {
    float weak = g->own->effort->lamp / g->own->scale.curve.gain;
    float peak = peak_of(g, lamp, most, gate);
    if (!(peak < weak)) {
        return true;
    }
    if (!(peak > LEAST * weak)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        g->hue[c] += fabsf(lamp->color[c]) * peak / most;
    }
    g->held += peak / weak;
    if (g->held < 0.5f) { // half a step is left out at the end
        return false;
    }
    float brightest = fmaxf(g->hue[0], fmaxf(g->hue[1], g->hue[2]));
    for (int c = 0; c < 3; c++) {
        float color = g->hue[c] / brightest * weak * most / peak;
        lamp->color[c] = lamp->color[c] < 0 ? -color : color;
        g->hue[c] = 0;
    }
    g->held -= 1;
    return true;
}

// Is it known that no place of a tile has more of a lamp than the gate? All are too far away, or on
// the back of what gives light.
static bool is_dark(const bspi_gather *g, const bspi_tile *tile, const bspi_lamp *lamp, float most,
                    float gate) {
    float before = BACK;
    float square = 0;
    float farthest = 0;
    if (g->places->hill || !(lamp->wait >= 0 && lamp->range >= 0 && lamp->angle >= 0 &&
                             lamp->angle <= 1 && lamp->emits >= 0 && lamp->emits <= 1)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        float way = tile->box.middle[i] - lamp->origin[i];
        float gap = fmaxf(fabsf(way) - tile->box.half[i], 0);
        before += way * lamp->direction[i] + fabsf(lamp->direction[i]) * tile->box.half[i];
        square += gap * gap;
        farthest += fabsf(way) + tile->box.half[i];
    }
    return (lamp->emits > 0 && before + lamp->grazes * farthest <= 0) ||
           fabsf(bspi_lamp_faded(lamp, sqrtf(square)) * most) * ROUND <= gate;
}

static void gather_even(bspi_gather *g, const bspi_lamp *lamp, float most, float (*sums)[3]) {
    static_assert(BSPI_GATHER_TILE * BSPI_GATHER_TILE <= BSPI_OCCLUDER_GROUP * BSPI_LAMP_PLACES &&
                      BSPI_LAMP_PLACES == BSPI_OCCLUDER_LANES,
                  "a tile fits");
    const bspi_occluder_lanes *lanes = g->own->occluders->lanes;
    float gate = lamp->gate > 0 ? lamp->gate : g->own->scale.gate;
    bspi_shaded of = bspi_lamp_shaded(lamp, g->places->model);
    bool both = bspi_lamp_both(lamp, g->places);
    uint32_t n = 0;
    for (uint32_t tile = 0; tile < g->num_tiles; tile++) {
        uint32_t count = 0;
        uint32_t lines = 0;
        uint32_t end = g->tiles[tile].end;
        if (end - n >= MANY && is_dark(g, &g->tiles[tile], lamp, most, gate)) {
            n = end;
        }
        for (; n < end; n++) {
            const bspi_lamp_places *eight = &g->eights[n];
            uint32_t bits = g->light_eight(lamp, eight, both, most, gate, &g->lights[count]);
            if (bits == 0) {
                continue;
            }
            bspi_occluder_eight *to = &g->bundle.eights[count];
            lanes->aim((const float(*)[BSPI_OCCLUDER_LANES])eight->point,
                       (const float(*)[BSPI_OCCLUDER_LANES])g->lights[count].way, lamp->origin,
                       g->own->scale.before, to, g->bundle.to[count]);
            to->open = bits;
            to->one = 0;
            to->num_through = 0;
            lines += (uint32_t)__builtin_popcount(bits);
            g->aimed[count++] = n;
        }
        g->bundle.count = count;
        if (count != 0) {
            bspi_shadow_bundle(g->own, of, &g->bundle, lines);
        }
        for (uint32_t i = 0; i < count; i++) {
            if (g->bundle.eights[i].open != 0) {
                add_eight(g, lamp, i, sums);
            }
        }
    }
}

void bspi_gather_even(bspi_gather *g, const bspi_lamp *lamp, float most, float (*sums)[3]) {
    if (!(g->own->effort->lamp > 0)) {
        gather_even(g, lamp, most, sums);
        return;
    }
    bspi_lamp copy = *lamp;
    float gate = lamp->gate > 0 ? lamp->gate : g->own->scale.gate;
    if (stands(g, &copy, most, gate)) {
        gather_even(g, &copy, bspi_lamp_most(&copy), sums);
    }
}
