// SPDX-License-Identifier: MIT
// Light goes from piece to piece until next to nothing is left, or as often as it did in the light
// of the map. Facts: BounceLight, GatherLight and CollectLight of vrad.cpp of the Source SDK.
#include "bake/light/bounce/bounce_count.h"
#include "bake/light/bounce/patches.h"
#include "bake/light/vrad/vrad.h"

#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define ENOUGH (1 / 255.0f) // that all pieces together take: nothing more is thrown then
#define LEAST 1e-6f         // of a cosine
#define SAMPLE 16u          // of work: a luxel that is compared

typedef struct thrower {
    bspi_vrad *v;
    float (*brought)[BSPI_RELIGHT_DIRECTIONS][3]; // to each piece; arena
} thrower;

// --- a bounce -----------------------------------------------------------------------------------

// Adds light from a piece, to each direction of a normal map.
static void bring(const bspi_vrad_rules *rules, const bspi_vrad_patch *to,
                  const bspi_vrad_patch *from, float share, float out[BSPI_RELIGHT_DIRECTIONS][3]) {
    float way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = from->middle[c] - to->middle[c];
    }
    (void)bspi_normalize(way);
    float flat = fmaxf(bspi_dot(way, to->normal), LEAST);
    float whole = rules->spread && to->directions > 1 ? 1 : flat; // what of it is in the share
    for (uint32_t d = 0; d < to->directions; d++) {
        float cosine = d == 0 ? flat : fmaxf(bspi_dot(way, to->axes[d - 1]), 0);
        for (int c = 0; c < 3; c++) {
            out[d][c] += from->emits[c] * from->reflects[c] * share * cosine / whole;
        }
    }
}

static bool gather(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const thrower *t = user;
    const bspi_vrad *v = t->v;
    const bspi_vrad_row *row = &v->rows[item];
    (void)worker;
    memset(t->brought[item], 0, sizeof t->brought[item]);
    for (uint32_t i = 0; i < row->count; i++) {
        bring(v->own->scale.vrad, &v->patches[item], &v->patches[row->list[i].other],
              row->list[i].share, t->brought[item]);
    }
    return bspi_heap_work(&v->own->heap, row->count, error);
}

// Takes what was brought. Returns the most of what came in a colour.
static float collect(const thrower *t) {
    bspi_vrad *v = t->v;
    double total[3] = {0, 0, 0};
    for (uint32_t i = v->num_patches; i-- > 0;) {
        bspi_vrad_patch *patch = &v->patches[i];
        if (patch->halves[0] != BSP_NONE) {
            const bspi_vrad_patch *a = &v->patches[patch->halves[0]];
            const bspi_vrad_patch *b = &v->patches[patch->halves[1]];
            for (int c = 0; c < 3; c++) {
                patch->emits[c] =
                    (a->emits[c] * a->area + b->emits[c] * b->area) / (a->area + b->area);
            }
            continue;
        }
        for (int c = 0; c < 3; c++) {
            for (uint32_t d = 0; d < patch->directions; d++) {
                patch->taken[d][c] += t->brought[i][d][c];
            }
            patch->emits[c] = t->brought[i][0][c];
            total[c] += (double)patch->emits[c];
        }
    }
    return (float)fmax(total[0], fmax(total[1], total[2]));
}

// Displacements are mixed by their luxels.
static void return_hills(const bspi_vrad *v) {
    for (uint32_t i = 0; i < v->own->num_patches; i++) {
        memcpy(v->own->patches[i].bounced, v->patches[v->hill_of[i]].taken[0],
               sizeof v->own->patches[i].bounced);
    }
}

static void begin(const bspi_vrad *v) {
    for (uint32_t i = 0; i < v->num_patches; i++) {
        bspi_vrad_patch *patch = &v->patches[i];
        memset(patch->taken, 0, sizeof patch->taken);
        memcpy(patch->emits, patch->light, sizeof patch->emits);
    }
}

static bool throw_all(thrower *t, bspi_bounce_count *count, bsp_error *error) {
    bspi_vrad *v = t->v;
    bspi_relight *own = v->own;
    float most = INFINITY;
    begin(v);
    return_hills(v);
    for (uint32_t n = 0; n < own->scale.bounces && most >= ENOUGH; n++) {
        if (!bspi_workers_each(bspi_heap_threads(&own->heap), v->num_patches, gather, t, error)) {
            return false;
        }
        most = collect(t);
        return_hills(v);
        bspi_count_bounce(own, n + 1);
        if (count != NULL) {
            bspi_bounce_count_look(own, count, n + 1);
            if (!bspi_heap_work(&own->heap, SAMPLE * (uint64_t)count->num_samples, error)) {
                return false;
            }
        }
    }
    return true;
}

// --- luxels -------------------------------------------------------------------------------------

static void luxel(const bspi_relight *own, uint32_t face, uint32_t x, uint32_t y, float out[3]) {
    const bspi_vrad *v = own->vrad;
    if (own->grids[face].columns != 0) {
        bspi_patches_mix(own, &own->grids[face], x, y, out);
    } else {
        bspi_vrad_luxel(v, face, x, y, out);
    }
}

// Adds what was thrown to the luxels of the first style, if a face has that.
static bool brighten(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    bspi_vrad *v = user;
    bspi_relight *own = v->own;
    bsp_relight_face *face = &own->faces[number];
    size_t each = (size_t)face->width * face->height * face->directions;
    uint32_t style = bspi_face_style(face, 0);
    (void)worker;
    if (own->grids[number].columns != 0) {
        return bspi_vrad_hill(v, number, error);
    }
    if (face->luxels == NULL || style == BSP_NONE) {
        return true;
    }
    float(*light)[3] = bspi_heap_alloc(&own->heap, each * sizeof *light, error);
    bool done = light != NULL && bspi_vrad_mix(v, number, light, error);
    float(*luxels)[3] = (float(*)[3])(uintptr_t)face->luxels + each * style;
    for (size_t n = 0; done && n < each; n++) {
        for (int c = 0; c < 3; c++) {
            luxels[n][c] += light[n][c];
        }
    }
    bspi_heap_free(&own->heap, light, each * sizeof *light);
    return done;
}

// --- all ----------------------------------------------------------------------------------------

// Throws light as often as the light of the map tells.
static bool count_bounces(thrower *t, bsp_error *error) {
    bspi_relight *own = t->v->own;
    bspi_bounce_count count;
    if (!bspi_bounce_count_begin(own, &count, error)) {
        return false;
    }
    count.luxel = luxel;
    if (count.num_samples == 0) {
        return throw_all(t, NULL, error);
    }
    if (!throw_all(t, &count, error)) {
        return false;
    }
    own->relight.bounces_stored = bspi_bounce_count_differs(&count);
    if (!own->relight.bounces_stored) {
        return true;
    }
    own->scale.bounces = count.best;
    own->relight.num_bounces = 0;
    return throw_all(t, NULL, error);
}

bool bspi_vrad_begin(bspi_relight *own, bsp_error *error) {
    own->vrad = bspi_arena_zero(&own->arena, 1, sizeof *own->vrad, error);
    if (own->vrad == NULL) {
        return false;
    }
    own->vrad->own = own;
    bool done = bspi_vrad_patches(own->vrad, error) && bspi_vrad_patches_hills(own->vrad, error);
    own->relight.num_patches = 0; // those that take light
    for (uint32_t i = 0; done && i < own->vrad->num_patches; i++) {
        const bspi_vrad_patch *patch = &own->vrad->patches[i];
        own->relight.num_patches += patch->halves[0] == BSP_NONE && patch->directions != 0;
    }
    return done;
}

static bool is_some_thrown(const bspi_vrad *v) {
    bool some = false;
    for (uint32_t i = 0; i < v->num_patches; i++) {
        const float *light = v->patches[i].light;
        some = some || light[0] + light[1] + light[2] > 0;
    }
    return some;
}

bool bspi_vrad_bounce(bspi_relight *own, bsp_error *error) {
    bspi_vrad *v = own->vrad;
    thrower t = {.v = v};
    if (!is_some_thrown(v)) { // then what sees what is not looked for
        return true;
    }
    t.brought = bspi_arena_raw(&own->arena, (size_t)v->num_patches + 1, sizeof *t.brought, error);
    bool done =
        t.brought != NULL && bspi_vrad_shares(v, error) &&
        (own->scale.counts ? count_bounces(&t, error) : throw_all(&t, NULL, error)) &&
        bspi_workers_each(bspi_heap_threads(&own->heap), own->map->num_faces, brighten, v, error);
    bspi_vrad_shares_free(v);
    return done;
}

void bspi_vrad_free(bspi_relight *own) {
    bspi_vrad *v = own->vrad;
    if (v != NULL) {
        bspi_vrad_shares_free(v);
        bspi_heap_free(&own->heap, v->patches, v->room * sizeof *v->patches);
        v->patches = NULL;
        v->room = 0;
    }
}
