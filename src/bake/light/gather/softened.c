// SPDX-License-Identifier: MIT
// Fact, measured in a map of Counter-Strike: Global Offensive: a cosine c counts as c * (1 + c) /
// 2, in the sum over the sky too. Bounced light comes on top of either, so that a luxel between the
// two has it.
#include "bake/light/gather/softened.h"

#include "bake/light/base/stored.h"
#include "bake/light/gather/direct.h"

#include <math.h>

#define MOST 4096u      // luxels that are measured
#define SOME 48u        // luxels that tell something
#define CLEARLY 4u      // times more must have it than not
#define DIM 0.05f       // of full: less tells nothing
#define APART 0.08f     // share of the light by which the two must differ
#define EVEN 0.06f      // share by which the luxels around a place may differ
#define LOW (-0.15f)    // from the softened light to the plain: below it something shades,
#define HALF 0.6f       // up to here it is softened,
#define FULL_SHARE 0.9f // and from here on it is not

static float mean_of(const float rgb[3]) {
    return (rgb[0] + rgb[1] + rgb[2]) / 3;
}

bspi_soft_vote bspi_softened_vote(float plain, float soft, float stored) {
    if (!(plain > DIM) || !(plain - soft > APART * plain)) {
        return BSPI_VOTE_NONE;
    }
    float part = (stored - soft) / (plain - soft);
    return part < LOW           ? BSPI_VOTE_NONE
           : part < HALF        ? BSPI_VOTE_SOFT
           : part >= FULL_SHARE ? BSPI_VOTE_PLAIN
                                : BSPI_VOTE_NONE;
}

// The light that the map has around a place between luxels; below zero: it is not even.
static float stored_at(const bspi_luxels *stored, uint32_t x, uint32_t y) {
    float least = INFINITY;
    float most = 0;
    for (uint32_t i = 0; i < 4; i++) {
        float rgb[3];
        size_t at = (size_t)(y + i / 2) * stored->width + x + i % 2;
        bspi_rgbexp_decode(stored->data + at * 4, rgb);
        least = fminf(least, mean_of(rgb));
        most = fmaxf(most, mean_of(rgb));
    }
    return most - least > EVEN * most ? -1 : (least + most) / 2;
}

static void drop(bspi_relight *own, bsp_relight_face *face) {
    size_t each = (size_t)face->width * face->height * face->directions;
    bspi_heap_free(&own->heap, (void *)(uintptr_t)face->luxels,
                   each * own->most_styles * sizeof *face->luxels);
    *face = (bsp_relight_face){0};
}

// Measures a face both ways. Both are to be dropped.
static bool measure(bspi_relight *own, uint32_t face, bsp_relight_face made[2], bsp_error *error) {
    for (int i = 0; i < 2; i++) {
        own->scale.softens = i == 1;
        bool done = bspi_direct_face(own, face, error);
        made[i] = own->faces[face];
        own->faces[face] = (bsp_relight_face){0};
        own->scale.softens = false;
        if (!done) {
            return false;
        }
    }
    return true;
}

static void count(const bspi_luxels *stored, const bsp_relight_face made[2], uint32_t votes[3]) {
    for (uint32_t n = 0; n < made[0].width * made[0].height; n++) {
        uint32_t x = n % made[0].width;
        uint32_t y = n / made[0].width;
        float light =
            x + 1 < stored->width && y + 1 < stored->height ? stored_at(stored, x, y) : -1;
        if (light >= 0) {
            votes[bspi_softened_vote(mean_of(made[0].luxels[n]), mean_of(made[1].luxels[n]),
                                     light)]++;
        }
    }
}

static bool is_alike(const bspi_luxels *stored, const bsp_relight_face *made) {
    return made->luxels != NULL && made->num_styles != 0 && made->styles[0] == 0 &&
           made->width == stored->width && made->height == stored->height;
}

// Takes every so many-th face with light, from `first` on.
static bool look(bspi_relight *own, uint32_t first, uint32_t step, uint64_t *luxels,
                 uint32_t votes[3], bsp_error *error) {
    for (uint32_t f = first; f < own->map->num_faces && *luxels < MOST; f += step) {
        bsp_relight_face made[2] = {{0}, {0}};
        bspi_luxels stored;
        if (!bspi_stored_luxels(own, f, &stored) || stored.width < 3 || stored.height < 3 ||
            stored.width > BSPI_MAX_LUXELS || stored.height > BSPI_MAX_LUXELS) {
            continue;
        }
        bool done = measure(own, f, made, error);
        *luxels += (uint64_t)stored.width * stored.height;
        if (done && is_alike(&stored, &made[0]) && is_alike(&stored, &made[1])) {
            count(&stored, made, votes);
        }
        drop(own, &made[0]);
        drop(own, &made[1]);
        if (!done) {
            return false;
        }
    }
    return true;
}

bool bspi_softened_find(bspi_relight *own, bsp_error *error) {
    uint32_t votes[3] = {0, 0, 0};
    uint64_t luxels = 0;
    uint32_t faces = own->map->num_faces;
    uint32_t step = faces / 61 + 1; // first some of them, then others
    if (!own->scale.vrad->may_soften || own->options->lights != NULL) {
        return true;
    }
    const unsigned dropped = own->dropped; // these faces are lit again
    for (uint32_t first = 0; first < step && luxels < MOST; first++) {
        if (!look(own, first, step, &luxels, votes, error)) {
            return false;
        }
    }
    own->dropped = dropped;
    own->scale.softens =
        votes[BSPI_VOTE_SOFT] >= SOME && votes[BSPI_VOTE_SOFT] > CLEARLY * votes[BSPI_VOTE_PLAIN];
    own->relight.softened = own->scale.softens;
    return true;
}
