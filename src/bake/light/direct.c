// SPDX-License-Identifier: MIT
// The direct light of a face: what all lamps send to its places, by light style; then luxels as
// the mean of their places. Places in solid take what is beside them.
#include "bake/light/drawn.h"
#include "bake/light/direct.h"
#include "bake/light/lamp.h"
#include "bake/light/places.h"
#include "bake/light/shadow.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LINES 1024u       // that are looked along at once
#define MOST_STYLES 16u   // of lamps on one face, before the strongest are chosen
#define MOST_CLUSTERS 64u // of a face, beyond which it is in sight of every lamp
#define AFAR 6.0f         // sizes of a surface from which it is one light
#define SKY_STEP 4u       // places between those where the sky is looked at
#define ALIKE (1.0f / 64) // of a whole sky: where it is seen so evenly around, it is so between

typedef struct gather {
    bspi_relight *own;
    const bspi_places *places;
    const bspi_lamp *lamps;
    uint32_t num_lamps;
    float (*sums)[3]; // for each style, direction and place
    size_t run;       // of a style
    int styles[MOST_STYLES];
    uint32_t num_styles;
    bsp_sight_line lines[LINES];
    bool seen[LINES];
    float through[LINES][3]; // what comes of light
    uint32_t from[LINES];    // place
    uint32_t num_lines;
    uint32_t clusters[MOST_CLUSTERS]; // that places of the face are in
    uint32_t num_clusters;
} gather;

// --- styles -------------------------------------------------------------------------------------

// Returns the sums of a style, or NULL if there are too many.
static float (*sums_of(gather *g, int style))[3] {
    for (uint32_t i = 0; i < g->num_styles; i++) {
        if (g->styles[i] == style) {
            return g->sums + g->run * i;
        }
    }
    if (g->num_styles == MOST_STYLES) {
        atomic_fetch_add_explicit(&g->own->dropped, 1, memory_order_relaxed);
        return NULL;
    }
    float(*sums)[3] = g->sums + g->run * g->num_styles;
    memset(sums, 0, g->run * sizeof *sums);
    g->styles[g->num_styles++] = style;
    return sums;
}

// --- one lamp -----------------------------------------------------------------------------------

// Returns the cosine of a direction at an axis.
static float cosine_at(const bspi_places *places, const float axis[3], const float direction[3]) {
    float cosine = bspi_dot(axis, direction);
    return places->two_sided ? fabsf(cosine) : cosine;
}

// Adds light of a direction to a place, to each direction of its normal map; `through` is what is
// left of it on its way.
static void add(const gather *g, float (*sums)[3], uint32_t place, const bspi_lamp *lamp,
                const float direction[3], float strength, const float through[3]) {
    const bspi_places *places = g->places;
    float axes[BSPI_RELIGHT_DIRECTIONS][3];
    memcpy(axes[0], places->normals[place], sizeof axes[0]);
    if (places->directions > 1) {
        bspi_place_axes(places, place, axes + 1);
    }
    if (lamp->dirty && places->near != NULL) {
        strength *= bspi_place_open(g->own, places, place, lamp);
    }
    for (uint32_t d = 0; d < places->directions; d++) {
        float part = strength * bspi_lamp_angle(lamp, cosine_at(places, axes[d], direction));
        float *sum = sums[(size_t)d * places->count + place];
        for (int c = 0; c < 3; c++) {
            sum[c] += lamp->color[c] * part * through[c];
        }
    }
}

// Returns what a place gets of a lamp that stands somewhere, but for the angle; sets the direction.
static float strength_at(const gather *g, const bspi_lamp *lamp, uint32_t place,
                         float direction[3]) {
    const bspi_places *places = g->places;
    const float *point = places->points[place];
    float distance;
    float strength = bspi_lamp_at(lamp, point, direction, &distance);
    return lamp->corners == NULL
               ? strength
               : bspi_polygon_at(lamp, point, places->normals[place], places->two_sided);
}

static void look(gather *g, const bspi_lamp *lamp, float (*sums)[3]) {
    bspi_shadow_lines(g->own, g->lines, g->seen, g->through, g->num_lines);
    for (uint32_t i = 0; i < g->num_lines; i++) {
        float direction[3];
        if (!g->seen[i]) {
            continue;
        }
        float strength = strength_at(g, lamp, g->from[i], direction);
        if (lamp->kind == BSPI_LAMP_PLACED) {
            add(g, sums, g->from[i], lamp, direction, strength, g->through[i]);
            continue;
        }
        float *sum = sums[g->from[i]];
        for (int c = 0; c < 3; c++) {
            sum[c] = fmaxf(sum[c], lamp->color[c] * lamp->light);
        }
    }
    g->num_lines = 0;
}

static float strongest(const bspi_lamp *lamp) {
    return fmaxf(fabsf(lamp->color[0]), fmaxf(fabsf(lamp->color[1]), fabsf(lamp->color[2])));
}

static void find_clusters(gather *g) {
    const bsp_map *map = g->own->map;
    for (uint32_t n = 0; n < g->places->count && g->num_clusters < MOST_CLUSTERS; n++) {
        uint32_t leaf =
            g->places->lit[n] ? bsp_trace_leaf(g->own->index, g->places->points[n]) : BSP_NONE;
        uint32_t cluster = leaf < map->num_leaves ? map->leaves[leaf].cluster : BSP_NONE;
        uint32_t i = 0;
        while (i < g->num_clusters && g->clusters[i] != cluster) {
            i++;
        }
        if (g->places->lit[n] && i == g->num_clusters) {
            g->clusters[g->num_clusters++] = cluster;
        }
    }
}

static bool in_sight(const gather *g, const bspi_lamp *lamp) {
    bool sees = lamp->visible == NULL || g->num_clusters == MOST_CLUSTERS;
    for (uint32_t i = 0; g->places->row != NULL && i < lamp->num_clusters; i++) {
        if (lamp->clusters[i] != BSP_NONE &&
            !bsp_query_row_sees(g->own->map, g->places->row, lamp->clusters[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; !sees && i < g->num_clusters; i++) {
        sees = g->clusters[i] == BSP_NONE ||
               bsp_query_row_sees(g->own->map, lamp->visible, g->clusters[i]);
    }
    return sees;
}

// Can a lamp reach the face at all?
static bool reaches(const gather *g, const bspi_lamp *lamp) {
    const bspi_places *places = g->places;
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - places->middle[i];
    }
    bool near = lamp->reach <= 0 || sqrtf(bspi_dot(way, way)) - places->radius <= lamp->reach;
    bool before =
        places->hill || places->two_sided || bspi_dot(way, places->normal) > -g->own->scale.lift;
    return near && (before || lamp->kind == BSPI_LAMP_LEAST) && in_sight(g, lamp);
}

static void gather_placed(gather *g, const bspi_lamp *lamp) {
    const bspi_places *places = g->places;
    float(*sums)[3] = reaches(g, lamp) ? sums_of(g, lamp->style) : NULL;
    float most = strongest(lamp);
    float gate = lamp->gate > 0 ? lamp->gate : g->own->scale.gate;
    for (uint32_t n = 0; sums != NULL && n < places->count; n++) {
        float direction[3];
        if (!places->lit[n]) {
            continue;
        }
        float strength = strength_at(g, lamp, n, direction);
        float angle = lamp->kind == BSPI_LAMP_LEAST
                          ? 1
                          : bspi_lamp_angle(lamp, cosine_at(places, places->normals[n], direction));
        if (fabsf(strength * angle * most) <= gate) {
            continue;
        }
        bsp_sight_line *line = &g->lines[g->num_lines];
        memcpy(line->from, places->points[n], sizeof line->from);
        for (int c = 0; c < 3; c++) {
            line->to[c] = lamp->origin[c] - direction[c] * g->own->scale.before;
        }
        g->from[g->num_lines++] = n;
        if (g->num_lines == LINES) {
            look(g, lamp, sums);
        }
    }
    if (g->num_lines != 0) {
        look(g, lamp, sums);
    }
}

static void gather_sun(gather *g, const bspi_lamp *lamp) {
    const bspi_places *places = g->places;
    const float to[3] = {-lamp->direction[0], -lamp->direction[1], -lamp->direction[2]};
    bool before = places->hill || places->two_sided || bspi_dot(places->normal, to) > 0;
    float(*sums)[3] = before ? sums_of(g, lamp->style) : NULL;
    for (uint32_t n = 0; sums != NULL && n < places->count; n++) {
        float through[3];
        if (places->lit[n] && cosine_at(places, places->normals[n], to) > 0 &&
            bspi_shadow_sky(g->own, places->points[n], to, through)) {
            add(g, sums, n, lamp, to, lamp->light, through);
        }
    }
}

// --- the sky ------------------------------------------------------------------------------------

// Computes what of the sky a place sees, by the cosines of its directions.
static void open_sky(gather *g, uint32_t place, float out[BSPI_RELIGHT_DIRECTIONS]) {
    const bspi_places *places = g->places;
    float axes[BSPI_RELIGHT_DIRECTIONS][3];
    float all[BSPI_RELIGHT_DIRECTIONS] = {0};
    float open[BSPI_RELIGHT_DIRECTIONS] = {0};
    memcpy(axes[0], places->normals[place], sizeof axes[0]);
    if (places->directions > 1) {
        bspi_place_axes(places, place, axes + 1);
    }
    float hits[BSPI_RELIGHT_DIRECTIONS] = {0};
    for (uint32_t i = 0; i < g->own->num_sky_ways; i++) {
        const float *to = g->own->sky_ways[i];
        if (bspi_dot(axes[0], to) <= 0) {
            continue;
        }
        bool sees = bspi_shadow_sky(g->own, places->points[place], to, NULL);
        for (uint32_t d = 0; d < places->directions; d++) {
            float weight = fmaxf(0, bspi_dot(axes[d], to));
            hits[d] += weight > 0 ? 1 : 0;
            all[d] += weight;
            open[d] += sees ? weight : 0;
        }
    }
    for (uint32_t d = 0; d < places->directions; d++) {
        // vrad: a direction of a normal map has the whole of the surface, by the number of its
        // rays.
        float whole = g->own->scale.cells && hits[0] > 0 ? all[0] * hits[d] / hits[0] : all[d];
        out[d] = whole > 0 ? open[d] / whole : 0;
    }
}

// Spreads what was seen at some places to all: those that were not looked at take the mean of the
// corners of their square, by distance.
static void spread_sky(const gather *g, float (*const open)[BSPI_RELIGHT_DIRECTIONS],
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

static void look_up(gather *g, float (*open)[BSPI_RELIGHT_DIRECTIONS], bool *known) {
    uint32_t width = g->places->width * g->places->extra;
    uint32_t height = g->places->height * g->places->extra;
    for (uint32_t n = 0; n < g->places->count; n++) {
        known[n] = g->places->lit[n] && is_corner(n % width, width) && is_corner(n / width, height);
        if (known[n]) {
            open_sky(g, n, open[n]);
        }
    }
}

// Must the sky be looked at from a place itself, since it is not seen alike around it?
static bool is_uneven(const gather *g, float (*const open)[BSPI_RELIGHT_DIRECTIONS],
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

static bool gather_sky(gather *g, const bspi_lamp *lamp, bsp_error *error) {
    const bspi_places *places = g->places;
    float(*sums)[3] = sums_of(g, lamp->style);
    bspi_heap *heap = &g->own->heap;
    size_t size = places->count * sizeof(float[BSPI_RELIGHT_DIRECTIONS]);
    float(*open)[BSPI_RELIGHT_DIRECTIONS] = bspi_heap_alloc(heap, size, error);
    bool *known = bspi_heap_alloc(heap, places->count, error);
    bool done = open != NULL && known != NULL;
    if (done && sums != NULL) {
        look_up(g, open, known);
    }
    for (uint32_t n = 0; done && sums != NULL && n < places->count; n++) {
        float seen[BSPI_RELIGHT_DIRECTIONS];
        if (places->lit[n] && g->own->scale.cells && known[n]) {
            memcpy(seen, open[n], sizeof seen);
        } else if (places->lit[n] && g->own->scale.cells && is_uneven(g, open, known, n)) {
            open_sky(g, n, seen);
        } else if (places->lit[n]) {
            spread_sky(g, open, known, n, seen);
        }
        for (uint32_t d = 0; places->lit[n] && d < places->directions; d++) {
            for (int c = 0; c < 3; c++) {
                sums[(size_t)d * places->count + n][c] += lamp->color[c] * lamp->light * seen[d];
            }
        }
    }
    bspi_heap_free(heap, open, size);
    bspi_heap_free(heap, known, places->count);
    return done;
}

// --- luxels -------------------------------------------------------------------------------------

// Gives places between those that were measured what these have, by distance.
static void spread(const bspi_places *places, bool *known, float (*sums)[3]) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    uint32_t step = places->step;
    for (uint32_t n = 0; n < places->count; n++) {
        uint32_t low[2] = {n % width / step * step, n / width / step * step};
        float total = 0;
        float sum[3] = {0, 0, 0};
        for (uint32_t corner = 0; corner < 4 && !bspi_place_counts(places, n); corner++) {
            uint32_t u = low[0] + (corner & 1) * step;
            uint32_t v = low[1] + (corner >> 1) * step;
            u = u < width ? u : width - 1;
            v = v < height ? v : height - 1;
            uint32_t other = v * width + u;
            float du = 1 - fabsf((float)u - (float)(n % width)) / (float)step;
            float dv = 1 - fabsf((float)v - (float)(n / width)) / (float)step;
            float weight = places->lit[other] ? fmaxf(du, 0) * fmaxf(dv, 0) : 0;
            total += weight;
            for (int c = 0; c < 3; c++) {
                sum[c] += weight * sums[other][c];
            }
        }
        for (int c = 0; total > 0 && c < 3; c++) {
            sums[n][c] = sum[c] / total;
        }
        known[n] = known[n] || total > 0;
    }
}

// Fills places without light with the mean of those around them that have some, from the edges on.
// A place once filled is a source for others, unless only measured ones are.
static void fill(const bspi_places *places, bool *known, float (*sums)[3]) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t n = 0; n < places->count; n++) {
            uint32_t x = n % width;
            uint32_t y = n / width;
            float sum[3] = {0, 0, 0};
            uint32_t around = 0;
            for (uint32_t v = y == 0 ? 0 : y - 1; !known[n] && v <= y + 1 && v < height; v++) {
                for (uint32_t u = x == 0 ? 0 : x - 1; u <= x + 1 && u < width; u++) {
                    uint32_t other = v * width + u;
                    around += known[other];
                    for (int c = 0; known[other] && c < 3; c++) {
                        sum[c] += sums[other][c];
                    }
                }
            }
            for (int c = 0; around != 0 && c < 3; c++) {
                sums[n][c] = sum[c] / (float)around;
            }
            more |= around != 0 && !places->once;
            known[n] = known[n] || (around != 0 && !places->once);
        }
    }
}

// How much of a window of so many places, around a luxel, is of a place that is so far from it.
static float in_window(float half, float away) {
    return fminf(0.5f, half - away) - fmaxf(-0.5f, -half - away);
}

static uint32_t clamped(int at, uint32_t size) {
    return at < 0 ? 0 : (uint32_t)at < size ? (uint32_t)at : size - 1;
}

// Sets a luxel to the mean of the known places in a window around it; beyond the edge are those at
// it. Without any it is the nearest one, which was filled.
static void mean_of(const bspi_places *places, const bool *known, const float (*sums)[3],
                    uint32_t luxel, float half, float out[3]) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    float middle = ((float)places->extra - 1) / 2;
    float x = (float)(luxel % places->width * places->extra) + middle;
    float y = (float)(luxel / places->width * places->extra) + middle;
    int reach = (int)ceilf(half - 0.5f) + 1;
    float total = 0;
    memset(out, 0, 3 * sizeof *out);
    for (int v = (int)floorf(y) - reach; v <= (int)ceilf(y) + reach; v++) {
        float down = in_window(half, (float)v - y);
        for (int u = (int)floorf(x) - reach; u <= (int)ceilf(x) + reach && down > 0; u++) {
            float weight = in_window(half, (float)u - x) * down;
            size_t place = (size_t)clamped(v, height) * width + clamped(u, width);
            if (!(weight > 0) || !known[place]) {
                continue;
            }
            total += weight;
            for (int c = 0; c < 3; c++) {
                out[c] += weight * sums[place][c];
            }
        }
    }
    const float *nearest = sums[(size_t)(uint32_t)y * width + (uint32_t)x];
    for (int c = 0; c < 3; c++) {
        out[c] = total > 0 ? out[c] / total : nearest[c];
    }
}

// `blur`: how many luxels wide the window of one is.
static void shrink(const bspi_places *places, const bool *known, const float (*sums)[3], float blur,
                   float (*luxels)[3]) {
    float half = 0.5f * blur * (float)places->extra;
    for (uint32_t n = 0; n < places->width * places->height; n++) {
        mean_of(places, known, sums, n, half, luxels[n]);
    }
}

static float total_of(const gather *g, uint32_t style) {
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
static uint32_t choose(const gather *g, uint32_t chosen[MOST_STYLES]) {
    float totals[MOST_STYLES];
    uint32_t styles = g->num_styles < MOST_STYLES ? g->num_styles : MOST_STYLES;
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

static bool make_luxels(gather *g, bsp_relight_face *face, bool *known, bsp_error *error) {
    const bspi_places *places = g->places;
    uint32_t chosen[MOST_STYLES];
    uint32_t count = choose(g, chosen);
    float blur = g->own->scale.blur > 1 && places->step <= 1 ? g->own->scale.blur : 1;
    size_t each = (size_t)places->width * places->height;
    float(*luxels)[3] = bspi_heap_alloc(
        &g->own->heap, each * places->directions * g->own->most_styles * sizeof *luxels, error);
    if (luxels == NULL) {
        return false;
    }
    face->luxels = (const float(*)[3])luxels;
    face->width = places->width;
    face->height = places->height;
    face->directions = places->directions;
    face->num_styles = count;
    for (uint32_t s = 0; s < count && s < BSP_RELIGHT_STYLES; s++) {
        face->styles[s] = (uint8_t)g->styles[chosen[s]];
        for (uint32_t d = 0; d < places->directions; d++) {
            float(*sums)[3] = g->sums + g->run * chosen[s] + (size_t)d * places->count;
            memcpy(known, places->lit, places->count);
            if (places->step > 1) {
                spread(places, known, sums);
            }
            fill(places, known, sums);
            shrink(places, blur > 1 ? places->lit : known, (const float(*)[3])sums, blur,
                   luxels + each * (s * places->directions + d));
        }
    }
    return true;
}

// --- the face -----------------------------------------------------------------------------------

// From afar a lamp stands for its pieces. Returns how many lamps that follow are done with it.
static uint32_t gather_pieces(gather *g, const bspi_lamp *lamp) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - g->places->middle[i];
    }
    bool afar = sqrtf(bspi_dot(way, way)) - g->places->radius > AFAR * lamp->size;
    if (afar || lamp->pieces == 1) {
        gather_placed(g, lamp);
        return lamp->pieces;
    }
    return 0;
}

static bool gather_all(gather *g, bsp_error *error) {
    bool done = true;
    find_clusters(g);
    (void)sums_of(g, 0);
    for (int turn = 0; turn < 2; turn++) { // what is the least comes after what is added
        for (uint32_t i = 0; done && i < g->num_lamps; i++) {
            const bspi_lamp *lamp = &g->lamps[i];
            bspi_lamp_share share = lamp->kind == BSPI_LAMP_SKY ? BSPI_LAMPS_SKY : BSPI_LAMPS_NEAR;
            if ((lamp->kind == BSPI_LAMP_LEAST) != (turn == 1) ||
                (g->places->share != BSPI_LAMPS_ALL && g->places->share != share)) {
                continue;
            }
            if (lamp->pieces != 0) {
                i += gather_pieces(g, lamp);
            } else if (lamp->kind == BSPI_LAMP_SUN) {
                gather_sun(g, lamp);
            } else if (lamp->kind == BSPI_LAMP_SKY) {
                done = gather_sky(g, lamp, error);
            } else {
                gather_placed(g, lamp);
            }
            done = done && bspi_heap_work(&g->own->heap, 1 + g->places->count, error);
        }
    }
    return done;
}

bool bspi_gather_at(bspi_relight *own, bspi_places *places, const bspi_lamp *lamps,
                    uint32_t num_lamps, bsp_relight_face *out, bsp_error *error) {
    gather *g = bspi_heap_alloc(&own->heap, sizeof *g, error);
    size_t run = (size_t)places->count * places->directions;
    size_t size = run * MOST_STYLES * sizeof(float[3]);
    float(*sums)[3] = g == NULL ? NULL : bspi_heap_alloc(&own->heap, size, error);
    bool *known = bspi_heap_alloc(&own->heap, places->count, error);
    bool done = sums != NULL && known != NULL &&
                (!own->scale.dirt || places->two_sided || bspi_places_dirt(own, places, error));
    if (done) {
        *g = (gather){.own = own,
                      .places = places,
                      .lamps = lamps,
                      .num_lamps = num_lamps,
                      .sums = sums,
                      .run = run};
        done = gather_all(g, error) && make_luxels(g, out, known, error);
    }
    bspi_heap_free(&own->heap, known, places->count);
    bspi_heap_free(&own->heap, sums, size);
    bspi_heap_free(&own->heap, g, sizeof *g);
    return done;
}

bool bspi_direct_at(bspi_relight *own, bspi_places *places, bsp_relight_face *out,
                    bsp_error *error) {
    return bspi_gather_at(own, places, own->lamps, own->num_lamps, out, error);
}
