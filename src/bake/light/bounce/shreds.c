// SPDX-License-Identifier: MIT
// Pieces of surfaces that throw light back as q3map2 cuts them, and the light that they have: the
// mean of some hundred places on them. Rules: netradiant-custom, tools/quake3/q3map2
// (light_bounce.cpp).
#include "bake/light/bounce/shreds.h"
#include "bake/light/faces/piece.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define CORNERS 16u     // of a piece, at most: a facet has four, and each side of a box adds one
#define TOUCHES 0.125f  // units from a cut: a corner is on both sides
#define LEAST_AREA 1.0f // square units of a piece
#define MOST_AREA 20000000.0f
#define FINEST 4.0f      // units: no piece is cut smaller
#define COARSEST 1e6f    // units: what a shader says beyond that is as good as no cut at all
#define LARGEST 2e10f    // square units of a facet: no map is so large
#define LEAST_CHOP 64.0f // units: smaller pieces are cut no more,
#define DIFFERS 0.75f    // nor those whose light differs less, times the brightest
#define FAINT 1e-4f      // less light is thrown nowhere
#define MOST_PLACES 150u // that are looked at
#define FINE 6           // weights of a place's corners are below that
#define MOST_CUTS 40u    // of a piece, one after another

// --- cutting ------------------------------------------------------------------------------------

// A piece under construction.
typedef struct outline {
    float corners[CORNERS][3];
    float weights[CORNERS][BSPI_FACET_CORNERS];
    uint32_t count;
} outline;

typedef struct cutter {
    bspi_relight *own;
    bspi_shreds *shreds;
    uint32_t facet;
    float chop;
    bsp_error *error;
} cutter;

static float area_of(const outline *o) {
    return bspi_polygon_area((const float(*)[3])o->corners, o->count);
}

static bool keep(const cutter *c, const outline *o) {
    size_t each = sizeof *o->corners + sizeof *o->weights;
    bspi_shred *list = bspi_grow(&c->own->heap, c->shreds->list, c->shreds->count, &c->shreds->room,
                                 sizeof *list, c->error);
    if (list == NULL) {
        return false;
    }
    c->shreds->list = list;
    float(*corners)[3] = bspi_heap_alloc(&c->own->heap, o->count * each, c->error);
    if (corners == NULL) {
        return false;
    }
    bspi_shred *out = &list[c->shreds->count++];
    *out = (bspi_shred){.corners = corners,
                        .weights = (float(*)[BSPI_FACET_CORNERS])(corners + o->count),
                        .count = o->count,
                        .facet = c->facet,
                        .chop = c->chop,
                        .number = BSP_NONE};
    memcpy(out->corners, o->corners, o->count * sizeof *o->corners);
    memcpy(out->weights, o->weights, o->count * sizeof *o->weights);
    return bspi_heap_work(&c->own->heap, o->count, c->error);
}

static void push(outline *out, const float corner[3], const float weights[BSPI_FACET_CORNERS]) {
    if (out->count < CORNERS) {
        memcpy(out->corners[out->count], corner, sizeof out->corners[0]);
        memcpy(out->weights[out->count++], weights, sizeof out->weights[0]);
    }
}

// Divides a piece at a place along an axis.
static void split(const outline *o, int axis, float at, outline *high, outline *low) {
    uint32_t above = 0;
    uint32_t below = 0;
    high->count = low->count = 0;
    for (uint32_t n = 0; n < o->count; n++) {
        above += o->corners[n][axis] - at > TOUCHES;
        below += o->corners[n][axis] - at < -TOUCHES;
    }
    if (above == 0 || below == 0) {
        *(above == 0 ? low : high) = *o;
        return;
    }
    for (uint32_t n = 0; n < o->count; n++) {
        uint32_t next = (n + 1) % o->count;
        float here = o->corners[n][axis] - at;
        float there = o->corners[next][axis] - at;
        if (here >= -TOUCHES) {
            push(high, o->corners[n], o->weights[n]);
        }
        if (here <= TOUCHES) {
            push(low, o->corners[n], o->weights[n]);
        }
        if ((here > TOUCHES && there < -TOUCHES) || (here < -TOUCHES && there > TOUCHES)) {
            float part = here / (here - there);
            float corner[3];
            float weights[BSPI_FACET_CORNERS];
            for (int i = 0; i < 3; i++) {
                corner[i] = o->corners[n][i] + part * (o->corners[next][i] - o->corners[n][i]);
            }
            for (uint32_t i = 0; i < BSPI_FACET_CORNERS; i++) {
                weights[i] = o->weights[n][i] + part * (o->weights[next][i] - o->weights[n][i]);
            }
            push(high, corner, weights);
            push(low, corner, weights);
        }
    }
}

// Halves a piece until none is longer along an axis than the chop, at most so often. What is too
// small throws nothing, nor would its halves.
static bool cut(const cutter *c, const outline *o, uint32_t cuts) {
    float low[3];
    float high[3];
    float area = area_of(o);
    if (!(area >= LEAST_AREA)) {
        return true;
    }
    if (!bspi_heap_work(&c->own->heap, 1, c->error)) {
        return false;
    }
    bspi_polygon_box((const float(*)[3])o->corners, o->count, low, high);
    for (int i = 0; i < 3; i++) {
        if (high[i] - low[i] > c->chop && cuts != 0) {
            outline above;
            outline below;
            split(o, i, (low[i] + high[i]) / 2, &above, &below);
            return cut(c, &above, cuts - 1) && cut(c, &below, cuts - 1);
        }
    }
    return area > MOST_AREA || keep(c, o);
}

bool bspi_shreds_make(bspi_relight *own, uint32_t face, float chop, bspi_shreds *out,
                      bsp_error *error) {
    cutter c = {
        .own = own, .shreds = out, .chop = fminf(fmaxf(chop, FINEST), COARSEST), .error = error};
    bool done = bspi_facets_of(own, face, BSPI_FACET_THROWS, &out->facets, error);
    for (uint32_t f = 0; done && f < out->facets.count; f++) {
        const bspi_facet *facet = &out->facets.list[f];
        outline whole = {.count = facet->count};
        for (uint32_t n = 0; n < facet->count; n++) {
            memcpy(whole.corners[n], facet->corners[n].point, sizeof whole.corners[n]);
            whole.weights[n][n] = 1;
        }
        c.facet = f;
        done = !(area_of(&whole) <= LARGEST) || cut(&c, &whole, MOST_CUTS);
    }
    out->num_first = out->count;
    return done;
}

// Makes the pieces of half its size.
static bool halve(bspi_relight *own, bspi_shreds *shreds, uint32_t number, bsp_error *error) {
    const bspi_shred *shred = &shreds->list[number];
    cutter c = {.own = own,
                .shreds = shreds,
                .facet = shred->facet,
                .chop = shred->chop / 2,
                .error = error};
    outline o = {.count = shred->count};
    uint32_t first = shreds->count;
    memcpy(o.corners, shred->corners, o.count * sizeof *o.corners);
    memcpy(o.weights, shred->weights, o.count * sizeof *o.weights);
    bool done = cut(&c, &o, MOST_CUTS);
    shreds->list[number].cut = done;
    shreds->list[number].first_child = first;
    shreds->list[number].num_children = shreds->count - first;
    return done;
}

// --- light --------------------------------------------------------------------------------------

// The light of places of a piece, as it is summed up.
typedef struct taken {
    float sum[3];
    float low[3];
    float high[3];
    uint32_t count;
} taken;

static void take(taken *t, const bspi_shred_light *light, const float rgb[3], const float uv[2]) {
    const bspi_picture *picture = light->picture;
    const uint8_t *pixel = NULL;
    if (picture != NULL && picture->width != 0) {
        uint32_t at[2];
        const uint32_t size[2] = {picture->width, picture->height};
        for (int i = 0; i < 2; i++) {
            float place = uv[i] - floorf(uv[i]);
            at[i] = place > 0 ? (uint32_t)(place * (float)size[i] + 0.5f) : 0;
            at[i] = at[i] < size[i] ? at[i] : 0;
        }
        pixel = picture->pixels + 4 * ((size_t)at[1] * picture->width + at[0]);
    }
    float hue[3] = {1, 1, 1};
    for (int c = 0; pixel != NULL && c < 3; c++) {
        hue[c] = light->hues[pixel[c]];
    }
    float grey = (hue[0] + hue[1] + hue[2]) / 3 * (1 - light->color_ratio);
    for (int c = 0; c < 3; c++) {
        float value = rgb[c] / 255 * (hue[c] * light->color_ratio + grey);
        t->sum[c] += value;
        t->low[c] = t->count == 0 || value < t->low[c] ? value : t->low[c];
        t->high[c] = t->count == 0 || value > t->high[c] ? value : t->high[c];
    }
    t->count++;
}

// Mixes what corners of the facet have: places on the picture, and on the page of light.
static void mix_uv(const bspi_facet *facet, const float weights[BSPI_FACET_CORNERS], float uv[4]) {
    for (int i = 0; i < 2; i++) {
        uv[i] = uv[2 + i] = 0;
        for (uint32_t n = 0; n < facet->count; n++) {
            uv[i] += weights[n] * facet->corners[n].uv[i];
            uv[2 + i] += weights[n] * facet->corners[n].light[i];
        }
    }
}

static uint32_t luxel_of(float place, float first, uint32_t size) {
    float at = place - first;
    float last = (float)(size - 1);
    return at > 0 ? (uint32_t)(at < last ? at : last) : 0;
}

static void take_luxels(const bspi_facet *facet, const bspi_shred *shred,
                        const bspi_shred_light *light, taken *t) {
    float uv[CORNERS][4];
    for (uint32_t n = 0; n < shred->count; n++) {
        mix_uv(facet, shred->weights[n], uv[n]);
    }
    for (uint32_t v = 1; v + 1 < shred->count; v++) {
        const uint32_t of[3] = {0, v, v + 1};
        for (int n = 0; n < (FINE - 1) * (FINE - 1) * (FINE - 1) && t->count < MOST_PLACES; n++) {
            const float parts[3] = {(float)(n / ((FINE - 1) * (FINE - 1)) + 1),
                                    (float)(n / (FINE - 1) % (FINE - 1) + 1),
                                    (float)(n % (FINE - 1) + 1)};
            float whole = parts[0] + parts[1] + parts[2];
            float place[4] = {0, 0, 0, 0};
            for (int k = 0; k < 3; k++) {
                for (int i = 0; i < 4; i++) {
                    place[i] += uv[of[k]][i] * parts[k] / whole;
                }
            }
            uint32_t x = luxel_of(place[2], light->first[0], light->width);
            uint32_t y = luxel_of(place[3], light->first[1], light->height);
            size_t luxel = (size_t)y * light->width + x;
            take(t, light, light->rgb[luxel], place);
        }
    }
}

static void take_vertices(const bspi_facet *facet, const bspi_shred *shred,
                          const bspi_shred_light *light, taken *t) {
    for (uint32_t n = 0; n < shred->count; n++) {
        float uv[4];
        float rgb[3] = {0, 0, 0};
        mix_uv(facet, shred->weights[n], uv);
        for (uint32_t k = 0; k < facet->count; k++) {
            uint32_t vertex = (uint32_t)facet->corners[k].vertex;
            for (int c = 0; vertex < light->width && c < 3; c++) {
                rgb[c] += shred->weights[n][k] * light->rgb[vertex][c];
            }
        }
        take(t, light, rgb, uv);
    }
}

// Finds the light of a piece, and of those that it is cut into for that.
static bool throw_one(bspi_relight *own, bspi_shreds *shreds, uint32_t number,
                      const bspi_shred_light *light, bsp_error *error) {
    bspi_shred *shred = &shreds->list[number];
    const bspi_facet *facet = &shreds->facets.list[shred->facet];
    taken t = {.count = 0};
    bool differs = false;
    float square = 0;
    memset(shred->color, 0, sizeof shred->color);
    if (light->first != NULL) {
        take_luxels(facet, shred, light, &t);
    } else {
        take_vertices(facet, shred, light, &t);
    }
    for (int c = 0; c < 3 && t.count != 0; c++) {
        shred->color[c] = fmaxf(0, t.sum[c] / (float)t.count);
        square += shred->color[c] * shred->color[c];
        differs = differs || (t.high[c] - t.low[c]) * t.high[c] > DIFFERS;
    }
    if (!bspi_heap_work(&own->heap, 1 + t.count, error)) {
        return false;
    }
    if (differs && shred->chop > LEAST_CHOP) {
        bool done = shred->cut || halve(own, shreds, number, error);
        uint32_t first = shreds->list[number].first_child;
        for (uint32_t i = 0; done && i < shreds->list[number].num_children; i++) {
            done = throw_one(own, shreds, first + i, light, error);
        }
        return done;
    }
    shred->throws = sqrtf(square) >= FAINT;
    return true;
}

bool bspi_shreds_throw(bspi_relight *own, bspi_shreds *shreds, const bspi_shred_light *light,
                       bsp_error *error) {
    bool done = true;
    for (uint32_t n = 0; n < shreds->count; n++) {
        shreds->list[n].throws = false;
    }
    for (uint32_t n = 0; done && n < shreds->num_first; n++) {
        done = throw_one(own, shreds, n, light, error);
    }
    return done;
}

bool bspi_shred_normal(const bspi_shreds *shreds, const bspi_shred *shred, float out[3]) {
    const bspi_facet *facet = &shreds->facets.list[shred->facet];
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t n = 0; n < shred->count; n++) {
        float normal[3] = {0, 0, 0};
        for (uint32_t k = 0; k < facet->count; k++) {
            for (int i = 0; i < 3; i++) {
                normal[i] += shred->weights[n][k] * facet->corners[k].normal[i];
            }
        }
        (void)bspi_normalize(normal);
        for (int i = 0; i < 3; i++) {
            out[i] += normal[i];
        }
    }
    return bspi_normalize(out) > 0 && isfinite(out[0] + out[1] + out[2]);
}

void bspi_shreds_free(bspi_relight *own, bspi_shreds *shreds) {
    for (uint32_t n = 0; n < shreds->count; n++) {
        const bspi_shred *shred = &shreds->list[n];
        bspi_heap_free(&own->heap, shred->corners,
                       shred->count * (sizeof *shred->corners + sizeof *shred->weights));
    }
    bspi_heap_free(&own->heap, shreds->list, shreds->room * sizeof *shreds->list);
    bspi_facets_free(own, &shreds->facets);
}
