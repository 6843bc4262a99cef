// SPDX-License-Identifier: MIT
// What places get of a sky that shines from all sides. It is looked at from some of them, and in
// Source also where it is not seen alike around.
#include "bake/light/gather/gather.h"
#include "bake/light/shadows/shadow.h"
#include "bake/light/shadows/sky_rooms.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define RAYS BSPI_SHADOW_RAYS
#define SKY_STEP 4u         // places between those where the sky is looked at
#define ALIKE (1.0f / 64)   // of a whole sky: where it is seen so evenly around, it is so between
#define EVEN_SUM 40.156979f // of the cosines of Quake's normals: vrad's number for any surface

// Takes the next ways to the sky that are before a surface. Returns how many.
static uint32_t take_ways(const bspi_relight *own, const float normal[3], uint32_t *next,
                          float ways[RAYS][3]) {
    uint32_t count = 0;
    for (; *next < own->num_sky_ways && count < RAYS; (*next)++) {
        const float *to = own->sky_ways[*next];
        if (bspi_dot(normal, to) > 0) {
            memcpy(ways[count++], to, sizeof *ways);
        }
    }
    return count;
}

// Returns bits of the ways on which a place sees the sky, and what comes of it.
static uint32_t look_along(const bspi_gather *g, uint32_t place, const float (*ways)[3],
                           uint32_t count, float through[RAYS][3]) {
    float points[RAYS][3];
    for (uint32_t n = 0; n < count; n++) {
        memcpy(points[n], g->places->points[place], sizeof points[n]);
    }
    return bspi_shadow_rays(g->own, bspi_shaded_model(g->places->model), (const float(*)[3])points,
                            ways, count, BSP_NONE, through);
}

// Computes what of the sky a place sees, by the cosines of its directions.
static void open_sky(bspi_gather *g, uint32_t place, float out[BSPI_RELIGHT_DIRECTIONS]) {
    const bspi_places *places = g->places;
    float axes[BSPI_RELIGHT_DIRECTIONS][3];
    float all[BSPI_RELIGHT_DIRECTIONS] = {0};
    float open[BSPI_RELIGHT_DIRECTIONS] = {0};
    memcpy(axes[0], places->normals[place], sizeof axes[0]);
    if (places->directions > 1) {
        bspi_place_axes(places, place, axes + 1);
    }
    float hits[BSPI_RELIGHT_DIRECTIONS] = {0};
    uint32_t rooms = g->own->sky_rooms != NULL ? g->own->sky_rooms->count : 0;
    for (uint32_t next = 0; next < g->own->num_sky_ways;) {
        float ways[RAYS][3];
        float through[RAYS][3];
        uint32_t count = take_ways(g->own, axes[0], &next, ways);
        if (!bspi_meter_add(&g->meter, (uint64_t)count * (1 + rooms))) {
            break;
        }
        uint32_t seen = look_along(g, place, (const float(*)[3])ways, count, through);
        for (uint32_t n = 0; n < count; n++) {
            for (uint32_t d = 0; d < places->directions; d++) {
                float weight = fmaxf(0, bspi_dot(axes[d], ways[n]));
                weight *= g->own->scale.softens ? (1 + weight) / 2 : 1;
                hits[d] += weight > 0 ? 1 : 0;
                all[d] += weight;
                open[d] += (seen >> n & 1) != 0 ? weight * through[n][0] : 0;
            }
        }
    }
    all[0] = g->own->scale.cells && g->own->scale.vrad->even ? EVEN_SUM : all[0];
    for (uint32_t d = 0; d < places->directions; d++) {
        // vrad: a direction of a normal map has the whole of the surface, by the number of its
        // rays.
        float whole = g->own->scale.cells && hits[0] > 0 ? all[0] * hits[d] / hits[0] : all[d];
        out[d] = whole > 0 ? open[d] / whole : 0;
    }
}

// Spreads what was seen at some places to all: those that were not looked at take the mean of the
// corners of their square, by distance.
static void spread_sky(const bspi_gather *g, float (*const open)[BSPI_RELIGHT_DIRECTIONS],
                       const bool *known, uint32_t place, float out[BSPI_RELIGHT_DIRECTIONS]) {
    uint32_t width = g->places->width * g->places->extra;
    uint32_t height = g->places->height * g->places->extra;
    uint32_t x = place % width;
    uint32_t y = place / width;
    float total = 0;
    memset(out, 0, BSPI_RELIGHT_DIRECTIONS * sizeof *out);
    for (uint32_t corner = 0; corner < 4; corner++) {
        uint32_t u = x / SKY_STEP * SKY_STEP + (corner & 1) * SKY_STEP;
        uint32_t v = y / SKY_STEP * SKY_STEP + (corner >> 1) * SKY_STEP;
        u = u < width ? u : width - 1;
        v = v < height ? v : height - 1;
        float du = 1 - fabsf((float)u - (float)x) / SKY_STEP;
        float dv = 1 - fabsf((float)v - (float)y) / SKY_STEP;
        uint32_t n = v * width + u;
        float weight = fmaxf(du, 0) * fmaxf(dv, 0) + 1e-4f;
        if (!known[n]) {
            continue;
        }
        total += weight;
        for (uint32_t d = 0; d < g->places->directions; d++) {
            out[d] += weight * open[n][d];
        }
    }
    for (uint32_t d = 0; d < g->places->directions && total > 0; d++) {
        out[d] /= total;
    }
}

static bool is_corner(uint32_t at, uint32_t size) {
    return at % SKY_STEP == 0 || at == size - 1;
}

static void look_up(bspi_gather *g, float (*open)[BSPI_RELIGHT_DIRECTIONS], bool *known) {
    uint32_t width = g->places->width * g->places->extra;
    uint32_t height = g->places->height * g->places->extra;
    for (uint32_t n = 0; n < g->places->count && !g->meter.failed; n++) {
        known[n] = g->places->lit[n] && is_corner(n % width, width) && is_corner(n / width, height);
        if (known[n]) {
            open_sky(g, n, open[n]);
        }
    }
}

// Must the sky be looked at from a place itself, since it is not seen alike around it?
static bool is_uneven(const bspi_gather *g, float (*const open)[BSPI_RELIGHT_DIRECTIONS],
                      const bool *known, uint32_t place) {
    uint32_t width = g->places->width;
    uint32_t x = place % width;
    uint32_t y = place / width;
    float least[BSPI_RELIGHT_DIRECTIONS];
    float most[BSPI_RELIGHT_DIRECTIONS];
    uint32_t right = (x / SKY_STEP + 1) * SKY_STEP;
    uint32_t down = (y / SKY_STEP + 1) * SKY_STEP;
    right = right < width ? right : width - 1;
    down = down < g->places->height ? down : g->places->height - 1;
    for (uint32_t corner = 0; corner < 4; corner++) {
        uint32_t u = (corner & 1) != 0 ? right : x / SKY_STEP * SKY_STEP;
        uint32_t v = (corner >> 1) != 0 ? down : y / SKY_STEP * SKY_STEP;
        uint32_t n = v * width + u;
        for (uint32_t d = 0; known[n] && d < g->places->directions; d++) {
            least[d] = corner == 0 ? open[n][d] : fminf(least[d], open[n][d]);
            most[d] = corner == 0 ? open[n][d] : fmaxf(most[d], open[n][d]);
            if (most[d] - least[d] > ALIKE) {
                return true;
            }
        }
        if (!known[n]) {
            return true;
        }
    }
    return false;
}

bool bspi_gather_sky(bspi_gather *g, const bspi_lamp *lamp, bsp_error *error) {
    const bspi_places *places = g->places;
    float(*sums)[3] = bspi_gather_sums(g, lamp->style);
    bspi_heap *heap = &g->own->heap;
    size_t size = places->count * sizeof(float[BSPI_RELIGHT_DIRECTIONS]);
    float(*open)[BSPI_RELIGHT_DIRECTIONS] = bspi_heap_alloc(heap, size, error);
    bool *known = bspi_heap_alloc(heap, places->count, error);
    bool done = open != NULL && known != NULL;
    if (done && sums != NULL) {
        look_up(g, open, known);
    }
    for (uint32_t n = 0; done && sums != NULL && n < places->count && !g->meter.failed; n++) {
        float seen[BSPI_RELIGHT_DIRECTIONS];
        if (places->lit[n] && g->own->scale.cells && known[n]) {
            memcpy(seen, open[n], sizeof seen);
        } else if (places->lit[n] && g->own->scale.cells && is_uneven(g, open, known, n)) {
            open_sky(g, n, seen);
        } else if (places->lit[n]) {
            spread_sky(g, open, known, n, seen);
        }
        float light = lamp->light * (g->own->scale.occludes ? places->open[n] : 1);
        for (uint32_t d = 0; places->lit[n] && d < places->directions; d++) {
            for (int c = 0; c < 3; c++) {
                sums[(size_t)d * places->count + n][c] += lamp->color[c] * light * seen[d];
            }
        }
    }
    bspi_heap_free(heap, open, size);
    bspi_heap_free(heap, known, places->count);
    return done;
}
