// SPDX-License-Identifier: MIT
// How often light went from surface to surface in the light that the map has. vrad does it until
// nothing is left, or as often as its user says (-bounce; its quick runs do it twice), of which the
// map keeps nothing but the light. After each bounce the light is compared with that of the map at
// some thousand luxels; the bounce counts after which it is nearest, in the mean of all.
#include "bake/light/bounce/bounce_count.h"

#include "bake/light/base/stored.h"

#include <math.h>

#define FEWEST 64u       // luxels that tell something
#define LIT 0.01f        // direct light from which it is compared, of full
#define AGREES 0.8f      // share of the direct light that the map must have there
#define FARTHEST 0.25f   // share of its light by which a luxel can be off
#define CLEARLY 1.03f    // by such a factor fewer bounces must be nearer,
#define AT_LEAST 7.5e-3f // and by such a share: props that are not there shade, too

static float mean_of(const float rgb[3]) {
    return (rgb[0] + rgb[1] + rgb[2]) / 3;
}

typedef struct taker {
    const bspi_relight *own;
    bspi_bounce_count *count;
    uint32_t lit;
    uint32_t agree;
} taker;

static void take(void *user, uint32_t face, uint32_t luxel, const float stored[3]) {
    taker *t = user;
    float direct = mean_of(t->own->faces[face].luxels[luxel]);
    float had = mean_of(stored);
    t->lit += direct > LIT;
    t->agree += direct > LIT && had > AGREES * direct;
    if (had >= AGREES * direct) {
        t->count->samples[t->count->num_samples++] =
            (bspi_bounce_sample){face, luxel, direct, fmaxf(0, had - direct)};
    }
}

bool bspi_bounce_count_begin(bspi_relight *own, bspi_bounce_count *count, bsp_error *error) {
    taker t = {.own = own, .count = count};
    *count = (bspi_bounce_count){.off = INFINITY};
    count->samples =
        bspi_arena_raw(&own->arena, BSPI_BOUNCE_SAMPLES, sizeof *count->samples, error);
    if (count->samples == NULL ||
        (own->own_format == BSPI_RGBEXP32 &&
         !bspi_stored_spread(own, BSPI_BOUNCE_SAMPLES, true, take, &t, error))) {
        return false;
    }
    count->num_samples = t.agree >= FEWEST && t.agree > t.lit / 2 ? count->num_samples : 0;
    return true;
}

// Returns how far off the light is that luxels have, in the mean; `bounces` 0: of the direct light.
static float off_by(const bspi_relight *own, const bspi_bounce_count *count, uint32_t bounces) {
    double off = 0;
    for (uint32_t i = 0; i < count->num_samples; i++) {
        const bspi_bounce_sample *sample = &count->samples[i];
        uint32_t width = own->faces[sample->face].width;
        float light[3] = {0, 0, 0};
        if (bounces != 0) {
            count->luxel(own, sample->face, sample->luxel % width, sample->luxel / width, light);
        }
        float had = sample->direct + sample->excess;
        float made = sample->direct + mean_of(light);
        float most = fmaxf(had, made);
        off += most > 0 ? (double)fminf(fabsf(had - made) / most, FARTHEST) : 0;
    }
    return count->num_samples != 0 ? (float)(off / count->num_samples) : 0;
}

void bspi_bounce_count_look(const bspi_relight *own, bspi_bounce_count *count, uint32_t bounces) {
    if (bounces == 1) {
        count->off = off_by(own, count, 0);
        count->best = 0;
    }
    count->last = off_by(own, count, bounces);
    if (count->last < count->off) {
        count->off = count->last;
        count->best = bounces;
    }
}

bool bspi_bounce_count_differs(const bspi_bounce_count *count) {
    return count->num_samples != 0 && count->off * CLEARLY < count->last &&
           count->off + AT_LEAST < count->last;
}
