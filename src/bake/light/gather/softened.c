// SPDX-License-Identifier: MIT
// Fact, measured in a map of Counter-Strike: Global Offensive: a cosine c counts as c * (1 + c) /
// 2, in the sum over the sky too. Bounced light comes on top of either, so that a luxel between the
// two has it. Corners (occlusion.c) take more bounced light than that: what a face has of it where
// nothing is near is left out there.
#include "bake/light/gather/softened.h"

#include "bake/light/base/stored.h"
#include "bake/light/gather/direct.h"

#include <math.h>

#define MOST 4096u       // luxels that are measured
#define SOME 48u         // luxels that tell something,
#define SOME_CORNERS 16u // in corners
#define CLEARLY 4u       // times more must have it than not
#define DIM 0.05f        // of full: less tells nothing
#define APART 0.08f      // share of the light by which the two must differ
#define EVEN 0.06f       // share by which the luxels around a place may differ,
#define UNEVEN 0.6f      // in corners
#define OPEN 0.02f       // share of the light up to which nothing is near
#define SOME_OPEN 4u     // places of a face that tell what surfaces throw on it
#define LOW (-0.15f)     // from the softened light to the plain: below it something shades,
#define HALF 0.6f        // up to here it is softened,
#define FULL_SHARE 0.9f  // and from here on it is not

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
static float stored_at(const bspi_luxels *stored, uint32_t x, uint32_t y, float even) {
    float least = INFINITY;
    float most = 0;
    for (uint32_t i = 0; i < 4; i++) {
        float rgb[3];
        size_t at = (size_t)(y + i / 2) * stored->width + x + i % 2;
        bspi_rgbexp_decode(stored->data + at * 4, rgb);
        least = fminf(least, mean_of(rgb));
        most = fmaxf(most, mean_of(rgb));
    }
    return most - least > even * most ? -1 : (least + most) / 2;
}

static void drop(bspi_relight *own, bsp_relight_face *face) {
    size_t each = (size_t)face->width * face->height * face->directions;
    bspi_heap_free(&own->heap, (void *)(uintptr_t)face->luxels,
                   each * own->most_styles * sizeof *face->luxels);
    *face = (bsp_relight_face){0};
}

// Measures a face without an option of the scale, and with it. Both are to be dropped.
static bool measure(bspi_relight *own, bool *option, uint32_t face, bsp_relight_face made[2],
                    bsp_error *error) {
    for (int i = 0; i < 2; i++) {
        *option = i == 1;
        bool done = bspi_direct_face(own, face, error);
        made[i] = own->faces[face];
        own->faces[face] = (bsp_relight_face){0};
        *option = false;
        if (!done) {
            return false;
        }
    }
    return true;
}

// What the map has at place `n` of a face; below zero: nothing that tells.
static float light_of(const bspi_luxels *stored, const bsp_relight_face *made, uint32_t n,
                      float even) {
    uint32_t x = n % made->width;
    uint32_t y = n / made->width;
    return x + 1 < stored->width && y + 1 < stored->height ? stored_at(stored, x, y, even) : -1;
}

// What surfaces throw on a face: what it has where both ways give the same; below zero: not known.
static float thrown_on(const bspi_luxels *stored, const bsp_relight_face made[2]) {
    float sum = 0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < made[0].width * made[0].height; n++) {
        float plain = mean_of(made[0].luxels[n]);
        float light = light_of(stored, &made[0], n, EVEN);
        if (light >= plain && plain > DIM && plain - mean_of(made[1].luxels[n]) <= OPEN * plain) {
            sum += light - plain;
            count++;
        }
    }
    return count >= SOME_OPEN ? sum / (float)count : -1;
}

static void count(const bspi_luxels *stored, const bsp_relight_face made[2], bool corners,
                  uint32_t votes[3]) {
    float thrown = corners ? thrown_on(stored, made) : 0;
    for (uint32_t n = 0; n < made[0].width * made[0].height && thrown >= 0; n++) {
        float light = light_of(stored, &made[0], n, corners ? UNEVEN : EVEN);
        if (light >= 0) {
            votes[bspi_softened_vote(mean_of(made[0].luxels[n]), mean_of(made[1].luxels[n]),
                                     light - thrown)]++;
        }
    }
}

static bool is_alike(const bspi_luxels *stored, const bsp_relight_face *made) {
    return made->luxels != NULL && made->num_styles != 0 && made->styles[0] == 0 &&
           made->width == stored->width && made->height == stored->height;
}

// Takes every so many-th face with light, from `first` on.
static bool look(bspi_relight *own, bool *option, uint32_t first, uint32_t step, uint64_t *luxels,
                 uint32_t votes[3], bsp_error *error) {
    for (uint32_t f = first; f < own->map->num_faces && *luxels < MOST; f += step) {
        bsp_relight_face made[2] = {{0}, {0}};
        bspi_luxels stored;
        if (!bspi_stored_luxels(own, f, &stored) || stored.width < 3 || stored.height < 3 ||
            stored.width > BSPI_MAX_LUXELS || stored.height > BSPI_MAX_LUXELS) {
            continue;
        }
        bool done = measure(own, option, f, made, error);
        *luxels += (uint64_t)stored.width * stored.height;
        if (done && is_alike(&stored, &made[0]) && is_alike(&stored, &made[1])) {
            count(&stored, made, option == &own->scale.occludes, votes);
        }
        drop(own, &made[0]);
        drop(own, &made[1]);
        if (!done) {
            return false;
        }
    }
    return true;
}

// Sets an option of the scale if the light of the map has it.
static bool find(bspi_relight *own, bool *option, uint32_t some, bsp_error *error) {
    uint32_t votes[3] = {0, 0, 0};
    uint64_t luxels = 0;
    uint32_t faces = own->map->num_faces;
    uint32_t step = faces / 61 + 1;        // first some of them, then others
    const unsigned dropped = own->dropped; // these faces are lit again
    for (uint32_t first = 0; first < step && luxels < MOST; first++) {
        if (!look(own, option, first, step, &luxels, votes, error)) {
            return false;
        }
    }
    own->dropped = dropped;
    *option =
        votes[BSPI_VOTE_SOFT] >= some && votes[BSPI_VOTE_SOFT] > CLEARLY * votes[BSPI_VOTE_PLAIN];
    return true;
}

bool bspi_softened_find(bspi_relight *own, bsp_error *error) {
    bool tells = own->scale.vrad->may_soften && own->options->lights == NULL;
    if (tells && !find(own, &own->scale.softens, SOME, error)) {
        return false;
    }
    own->relight.softened = own->scale.softens;
    if (tells && own->options->dirt == BSP_DIRT_USUAL &&
        !find(own, &own->scale.occludes, SOME_CORNERS, error)) {
        return false;
    }
    own->relight.occluded = own->scale.occludes;
    return true;
}
