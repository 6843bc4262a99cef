// SPDX-License-Identifier: MIT
// The direct light of a face: what all lamps send to its places, by light style.
#include "bake/light/gather/direct.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/drawn_around.h"
#include "bake/light/gather/drawn_filter.h"
#include "bake/light/gather/model_light.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/polygons.h"
#include "bake/light/lamps/slide.h"
#include "bake/light/shadows/shadow.h"
#include "bake/light/shadows/shafts.h"

#include "core/vector.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// --- one lamp -----------------------------------------------------------------------------------

// Returns where light of a lamp is summed up that a place has: in the style of a shadow that it
// goes into, if that switches.
static float (*parted(bspi_gather *g, float (*sums)[3], uint32_t place, const bspi_lamp *lamp,
                      const float direction[3]))[3] {
    const float *point = g->places->points[place];
    bspi_shaded of = bspi_lamp_shaded(lamp, g->places->model);
    float to[3];
    for (int i = 0; i < 3; i++) {
        to[i] = lamp->origin[i] - direction[i] * g->own->scale.before;
    }
    int style = lamp->kind == BSPI_LAMP_SUN ? bspi_shadow_switch_sky(g->own, of, point, direction)
                                            : bspi_shadow_switch(g->own, of, point, to);
    return style != 0 ? bspi_gather_sums(g, style) : sums;
}

// Adds light of a direction to a place, to each direction of its normal map; `through` is what is
// left of it on its way.
static void add(bspi_gather *g, float (*sums)[3], uint32_t place, const bspi_lamp *lamp,
                const float direction[3], float strength, const float through[3]) {
    const bspi_places *places = g->places;
    if (bspi_gather_switches(g, lamp)) {
        sums = parted(g, sums, place, lamp, direction);
        if (sums == NULL) {
            return;
        }
    }
    float axes[BSPI_RELIGHT_DIRECTIONS][3];
    memcpy(axes[0], places->normals[place], sizeof axes[0]);
    if (places->directions > 1) {
        bspi_place_axes(places, place, axes + 1);
    }
    if (places->ways != NULL) {
        float part = bspi_lamp_angle(lamp, bspi_gather_cosine(places, lamp, axes[0], direction));
        bspi_ways_add(g->own, lamp, direction, strength * part, bspi_gather_ways(g, sums)[place]);
    }
    if ((lamp->dirty || g->own->scale.occludes) && places->near != NULL) {
        strength *= bspi_place_open(g->own, places, place, lamp);
    }
    for (uint32_t d = 0; d < places->directions; d++) {
        float angle = bspi_lamp_angle(lamp, bspi_gather_cosine(places, lamp, axes[d], direction));
        float part = strength * (g->own->scale.softens ? angle * (1 + angle) / 2 : angle);
        float *sum = sums[(size_t)d * places->count + place];
        for (int c = 0; c < 3; c++) {
            sum[c] += lamp->color[c] * part * through[c];
        }
    }
}

// Gives a place the least light of a lamp that it sees.
static void raise_to(const bspi_gather *g, float (*sums)[3], uint32_t place,
                     const bspi_lamp *lamp) {
    bool dirty = lamp->dirty && g->places->near != NULL;
    float light = lamp->light * (dirty ? bspi_place_open(g->own, g->places, place, lamp) : 1);
    for (int c = 0; c < 3; c++) {
        float *sum = &sums[place][c];
        *sum = g->own->scale.curve.adds ? *sum + lamp->color[c] * light
                                        : fmaxf(*sum, lamp->color[c] * light);
    }
}

static void look(bspi_gather *g, const bspi_lamp *lamp, float (*sums)[3]) {
    bspi_shaded of = bspi_lamp_shaded(lamp, g->places->model);
    bspi_shadow_lines(g->own, of, g->lines, g->seen, g->through, g->num_lines);
    for (uint32_t i = 0; i < g->num_lines; i++) {
        if (!g->seen[i]) {
            continue;
        }
        if (lamp->kind == BSPI_LAMP_PLACED) {
            bspi_slide_tint(lamp->slide, g->lines[i].from, g->through[i]);
            add(g, sums, g->from[i], lamp, g->ways[i], g->strength[i], g->through[i]);
        } else {
            raise_to(g, sums, g->from[i], lamp);
        }
    }
    g->num_lines = 0;
}

// Adds a line to the lamp from a place that has so much light of it.
static void add_line(bspi_gather *g, const bspi_lamp *lamp, uint32_t place, float strength,
                     const float way[3]) {
    uint32_t at = g->num_lines++;
    memcpy(g->lines[at].from, g->places->points[place], sizeof g->lines[at].from);
    memcpy(g->ways[at], way, sizeof g->ways[at]);
    for (int c = 0; c < 3; c++) {
        g->lines[at].to[c] = lamp->origin[c] - way[c] * g->own->scale.before;
    }
    g->strength[at] = strength;
    g->from[at] = place;
}

// Adds lines from those of eight places that may have light of the lamp.
static void add_lines(bspi_gather *g, const bspi_lamp *lamp, const bspi_lamp_places *eight,
                      float most) {
    const bspi_places *places = g->places;
    float gate = lamp->gate > 0 ? lamp->gate : g->own->scale.gate;
    if (bspi_lamp_is_even(lamp)) {
        bspi_lamp_light light;
        bool both = bspi_lamp_both(lamp, places);
        uint32_t bits = g->light_eight(lamp, eight, both, most, gate, &light);
        for (uint32_t n = 0; n < eight->count; n++) {
            const float way[3] = {light.way[0][n], light.way[1][n], light.way[2][n]};
            if ((bits >> n & 1) != 0) {
                add_line(g, lamp, eight->place[n], light.strength[n], way);
            }
        }
        return;
    }
    for (uint32_t n = 0; n < eight->count; n++) {
        float way[3];
        uint32_t place = eight->place[n];
        float strength = bspi_gather_strength(g, lamp, place, places->points[place], way);
        if (bspi_gather_counts(g, lamp, place, strength, way)) {
            add_line(g, lamp, place, strength, way);
        }
    }
}

// ericw: what is lit from both sides has light of surfaces from wherever it comes.
static const bspi_lamp *lamp_of(const bspi_gather *g, const bspi_lamp *lamp, bspi_lamp *copy) {
    if (!g->places->two_sided || !(lamp->emits > 0) ||
        g->own->relight.compiler != BSP_COMPILER_ERICW) {
        return lamp;
    }
    *copy = *lamp;
    copy->angle = 0;
    return copy;
}

// Returns where the light of one lamp is summed up: with it alone where that is refined or mixed.
static float (*sums_of_lamp(const bspi_gather *g, float (*sums)[3]))[3] {
    if (g->fresh == NULL || sums == NULL) {
        return sums;
    }
    memset(g->fresh, 0, g->run * sizeof *g->fresh);
    return g->fresh;
}

// Mixes sums, and the directions after them, of lamps with that radius.
static bool mix(const bspi_gather *g, float radius, float (*sums)[3], bsp_error *error) {
    const bspi_places *places = g->places;
    uint32_t reach = bspi_filter_reach(g->own, places, radius);
    return bspi_filter_mix(g->own, places, reach, sums, error) &&
           (places->ways == NULL ||
            bspi_filter_mix(g->own, places, reach, bspi_gather_ways(g, sums), error));
}

// Adds the light of one lamp to that of all.
static bool add_fresh(bspi_gather *g, const bspi_lamp *lamp, float (*sums)[3]) {
    if (g->edges != NULL) {
        bspi_samples_refine(g, lamp);
    }
    bool done = mix(g, lamp->filter, g->fresh, g->meter.error);
    for (size_t n = 0; n < g->run; n++) {
        for (int c = 0; c < 3; c++) {
            sums[n][c] += g->fresh[n][c];
        }
    }
    return done;
}

// Mixes the light of all lamps, where none is mixed by itself.
static bool mix_all(const bspi_gather *g, bsp_error *error) {
    bool done = true;
    for (uint32_t s = 0; done && g->fresh == NULL && s < g->num_styles; s++) {
        done = mix(g, 0, g->sums + g->run * s, error);
    }
    return done;
}

// Is it known that the world hides a lamp from all places?
static bool is_hidden(const bspi_gather *g, const bspi_lamp *lamp) {
    bspi_shaft_end ends[2];
    for (int i = 0; i < 3; i++) {
        ends[0].middle[i] = g->places->middle[i];
        ends[0].half[i] = g->places->half[i];
        ends[1].middle[i] = lamp->origin[i];
        ends[1].half[i] = g->own->scale.before;
    }
    return g->own->shafts != NULL && bspi_shaft_is_stopped(g->own->shafts, ends);
}

static bool gather_placed(bspi_gather *g, const bspi_lamp *given) {
    static_assert(BSPI_GATHER_TILE * BSPI_GATHER_TILE <= BSPI_GATHER_LINES, "a tile fits");
    bspi_lamp copy;
    const bspi_lamp *lamp = lamp_of(g, given, &copy);
    float(*sums)[3] = bspi_gather_reaches(g, lamp) ? bspi_gather_sums(g, lamp->style) : NULL;
    float most = bspi_lamp_most(lamp);
    uint32_t n = 0;
    if (sums != NULL && bspi_gather_is_even(g, lamp)) {
        bspi_gather_even(g, lamp, most, sums);
        return true;
    }
    if (sums == NULL || is_hidden(g, lamp)) {
        return true;
    }
    float(*to)[3] = sums_of_lamp(g, sums);
    bool any = false;
    for (uint32_t tile = 0; tile < g->num_tiles; tile++) {
        for (; n < g->tiles[tile].end; n++) {
            add_lines(g, lamp, &g->eights[n], most);
        }
        if (g->num_lines != 0) {
            any = true;
            look(g, lamp, to);
        }
    }
    return !any || to == sums || add_fresh(g, lamp, sums);
}

// Does a place look at a sun?
static bool looks_at(const bspi_gather *g, const bspi_lamp *lamp, uint32_t place,
                     const float to[3]) {
    const bspi_places *places = g->places;
    return bspi_gather_cosine(places, lamp, places->normals[place], to) > -lamp->grazes;
}

// The same as the end of gather_sun for eight places.
static void gather_sun_eight(bspi_gather *g, const bspi_lamp *lamp, const float to[3],
                             const bspi_lamp_places *eight, float (*sums)[3]) {
    float through[BSPI_LAMP_PLACES][3];
    uint32_t open = 0;
    for (uint32_t i = 0; i < eight->count; i++) {
        open |= (uint32_t)looks_at(g, lamp, eight->place[i], to) << i;
    }
    if (open != 0) {
        open = bspi_shadow_skies(g->own, bspi_shaded_model(g->places->model),
                                 (const float(*)[BSPI_LAMP_PLACES])eight->point, to, &g->first,
                                 bspi_lamp_sky(lamp), open, through);
    }
    for (; open != 0; open &= open - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(open);
        add(g, sums, eight->place[i], lamp, to, lamp->light, through[i]);
    }
}

// For all places, tile by tile.
static void gather_suns(bspi_gather *g, const bspi_lamp *lamp, const float to[3],
                        float (*sums)[3]) {
    bspi_shaded of = bspi_shaded_model(g->places->model);
    uint32_t n = 0;
    for (uint32_t tile = 0; tile < g->num_tiles; tile++) {
        uint32_t end = g->tiles[tile].end;
        const bspi_occluder_ends *from = &g->tiles[tile].box;
        if (n == end || !bspi_shadow_first(g->own, of, from, to, &g->before_sky, &g->first)) {
            n = end;
        }
        for (; n < end; n++) {
            gather_sun_eight(g, lamp, to, &g->eights[n], sums);
        }
    }
}

// Places that are looked from together to a sun.
typedef struct sunlit {
    uint32_t count;
    uint32_t places[BSPI_SHADOW_RAYS];
    float points[BSPI_SHADOW_RAYS][3];
    float ways[BSPI_SHADOW_RAYS][3];
} sunlit;

// Adds the light of a sun to those that it shines on.
static void shine_on(bspi_gather *g, const bspi_lamp *lamp, const float to[3], sunlit *some,
                     float (*sums)[3]) {
    float through[BSPI_SHADOW_RAYS][3];
    uint32_t open = bspi_shadow_rays(g->own, bspi_shaded_model(g->places->model),
                                     (const float(*)[3])some->points, (const float(*)[3])some->ways,
                                     some->count, bspi_lamp_sky(lamp), through);
    for (; open != 0; open &= open - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(open);
        add(g, sums, some->places[i], lamp, to, lamp->light, through[i]);
    }
    some->count = 0;
}

// The same to all places.
static void shine(bspi_gather *g, const bspi_lamp *lamp, const float to[3], float (*sums)[3]) {
    const bspi_places *places = g->places;
    bspi_shaded of = bspi_shaded_model(places->model);
    sunlit some = {.count = 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < BSPI_SHADOW_RAYS; i++) {
        memcpy(some.ways[i], to, sizeof some.ways[i]);
    }
    for (uint32_t tile = 0; tile < g->num_tiles; tile++) {
        uint32_t end = g->tiles[tile].end;
        bool dark = n != end && g->own->drawn != NULL &&
                    !bspi_shadow_may_shine(g->own, of, &g->tiles[tile].box, to);
        for (n = dark ? end : n; n < end; n++) {
            for (uint32_t i = 0; i < g->eights[n].count; i++) {
                uint32_t place = g->eights[n].place[i];
                if (!looks_at(g, lamp, place, to)) {
                    continue;
                }
                memcpy(some.points[some.count], places->points[place], sizeof some.points[0]);
                some.places[some.count++] = place;
                if (some.count == BSPI_SHADOW_RAYS) {
                    shine_on(g, lamp, to, &some, sums);
                }
            }
        }
    }
    if (some.count != 0) {
        shine_on(g, lamp, to, &some, sums);
    }
}

static bool gather_sun(bspi_gather *g, const bspi_lamp *lamp) {
    const bspi_places *places = g->places;
    const float to[3] = {-lamp->direction[0], -lamp->direction[1], -lamp->direction[2]};
    bool before = places->hill || places->two_sided || bspi_dot(places->normal, to) > -lamp->grazes;
    before = before && (bspi_places_channels(g->own, places) & BSPI_CHANNEL) != 0;
    float(*sums)[3] = before ? bspi_gather_sums(g, lamp->style) : NULL;
    float(*of_lamp)[3] = sums_of_lamp(g, sums);
    if (sums != NULL && g->own->occluders != NULL) {
        gather_suns(g, lamp, to, sums);
        return true;
    }
    if (sums != NULL) {
        shine(g, lamp, to, of_lamp);
    }
    return of_lamp == sums || add_fresh(g, lamp, sums);
}

// --- the face -----------------------------------------------------------------------------------

// From afar a lamp stands for its pieces. Sets how many lamps that follow are done with it.
static bool gather_pieces(bspi_gather *g, const bspi_lamp *lamp, uint32_t *pieces) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - g->places->middle[i];
    }
    bool afar = sqrtf(bspi_dot(way, way)) - g->places->radius > g->own->effort->afar * lamp->size;
    bool whole = afar || lamp->pieces == 1;
    *pieces = whole ? lamp->pieces : 0;
    return !whole || gather_placed(g, lamp);
}

static bool gather_all(bspi_gather *g, bsp_error *error) {
    g->meter = (bspi_meter){.heap = &g->own->heap, .error = error};
    bool done = true;
    (void)bspi_gather_sums(g, 0);
    for (int turn = 0; turn < 2; turn++) { // what is the least comes after what is added
        for (uint32_t i = 0; done && i < g->lamps.count; i++) {
            const uint32_t *which = g->lamps.which;
            const bspi_lamp *lamp = &g->lamps.lamps[which != NULL ? which[i] : i];
            bspi_lamp_share share = lamp->kind == BSPI_LAMP_SKY ? BSPI_LAMPS_SKY : BSPI_LAMPS_NEAR;
            if ((lamp->kind == BSPI_LAMP_LEAST) != (turn == 1) || lamp->off_faces ||
                (g->places->share != BSPI_LAMPS_ALL && g->places->share != share)) {
                continue;
            }
            if (lamp->pieces != 0) {
                uint32_t pieces;
                done = gather_pieces(g, lamp, &pieces);
                i += pieces;
            } else if (lamp->kind == BSPI_LAMP_SUN) {
                done = gather_sun(g, lamp);
            } else if (lamp->kind == BSPI_LAMP_SKY) {
                done = bspi_gather_sky(g, lamp, error);
            } else {
                done = gather_placed(g, lamp);
            }
            done = done && bspi_meter_add(&g->meter, 1 + g->places->count);
        }
    }
    return done && bspi_meter_pay(&g->meter);
}

// Gives luxels in solid what a model has for them.
static void take_inside(bspi_gather *g, bspi_places *places) {
    const bspi_model_light *inside = g->own->models[places->model].inside;
    for (uint32_t i = 0; inside != NULL && i < inside->num_styles; i++) {
        float(*sums)[3] = bspi_gather_sums(g, inside->styles[i]);
        for (uint32_t n = 0; sums != NULL && n < places->count; n++) {
            for (int c = 0; (inside->all || !places->lit[n]) && c < 3; c++) {
                sums[n][c] = fmaxf(sums[n][c], inside->light[i][c]);
            }
        }
    }
    for (uint32_t n = 0; inside != NULL && inside->num_styles != 0 && n < places->count; n++) {
        places->lit[n] |= bspi_place_counts(places, n);
    }
}

bool bspi_gather_at(bspi_relight *own, bspi_places *places, const bspi_lamp_list *lamps,
                    bsp_relight_face *out, bsp_error *error) {
    bspi_gather *g = bspi_heap_alloc(&own->heap, sizeof *g, error);
    size_t run = (size_t)places->count * (places->directions + (places->ways != NULL));
    size_t size = run * BSPI_GATHER_STYLES * sizeof(float[3]);
    float(*sums)[3] = g == NULL ? NULL : bspi_heap_alloc(&own->heap, size, error);
    bool *known = bspi_heap_alloc(&own->heap, places->count, error);
    bool refined = own->scale.samples > 1 && places->step <= 1;
    bool alone = refined || (own->drawn != NULL && own->drawn->lamps_mixed);
    size_t more = alone ? run * sizeof(float[3]) : 0;
    float(*fresh)[3] = alone ? bspi_heap_alloc(&own->heap, more, error) : NULL;
    bool *edges = refined ? bspi_heap_alloc(&own->heap, places->count, error) : NULL;
    bool done = sums != NULL && known != NULL && (!alone || fresh != NULL) &&
                (!refined || edges != NULL) && bspi_places_dirt(own, places, error) &&
                bspi_places_occlude(own, places, error);
    if (done) {
        memset(g, 0, offsetof(bspi_gather, lines));
        g->bundle.recent.count = 0;
        g->before_sky.count = 0;
        g->own = own;
        g->places = places;
        g->lamps = *lamps;
        g->sums = sums;
        g->fresh = fresh;
        g->edges = edges;
        g->run = run;
        bool unlit = places->unlit || own->models[places->model].unlit;
        g->lamps.count = unlit ? 0 : lamps->count;
        done = bspi_gather_tile(g, error) && gather_all(g, error);
        if (lamps->lamps == own->lamps) {
            take_inside(g, places);
        }
        done = done && mix_all(g, error) &&
               (own->drawn == NULL || lamps->lamps != own->lamps || bspi_drawn_flood_add(g, error));
        if (done && places->corners != NULL) {
            bspi_drawn_darken(g, places->corners);
        }
        done = done && bspi_gather_luxels(g, out, known, error);
        bspi_gather_untile(g);
    }
    bspi_heap_free(&own->heap, edges, refined ? places->count : 0);
    bspi_heap_free(&own->heap, fresh, more);
    bspi_heap_free(&own->heap, known, places->count);
    bspi_heap_free(&own->heap, sums, size);
    bspi_heap_free(&own->heap, g, sizeof *g);
    return done;
}

bool bspi_direct_at(bspi_relight *own, bspi_places *places, bsp_relight_face *out,
                    bsp_error *error) {
    const bspi_lamp_list lamps = {.lamps = own->lamps, .count = own->num_lamps};
    return bspi_gather_at(own, places, &lamps, out, error);
}
