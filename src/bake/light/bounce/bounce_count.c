// SPDX-License-Identifier: MIT
// How often light went from surface to surface in the light that the map has. vrad does it until
// nothing is left, or as often as its user says (-bounce; its quick runs do it twice), of which the
// map keeps nothing but the light. After each bounce the light beyond the direct one is compared
// with that of the map at some thousand luxels; the bounce counts after which half of them are too
// bright and half too dark.
#include "bake/light/bounce/bounce_count.h"

#include "bake/light/base/stored.h"
#include "bake/light/bounce/patches.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST 64u    // luxels that tell something
#define LIT 0.01f     // direct light from which it is compared, of full
#define AGREES 0.8f   // share of the direct light that the map must have there
#define FAINT 2e-4f   // light that bounced that tells nothing,
#define DROWNED 0.2f  // as does such a share of the direct light
#define NOTHING 0.15f // share of the first bounce up to which there was none
#define CLEARLY 1.16f // by such a factor fewer bounces must be nearer

static float mean_of(const float rgb[3]) {
    return (rgb[0] + rgb[1] + rgb[2]) / 3;
}

// Adds the luxels of a face whose number among all is a multiple of `step`.
static void add_face(const bspi_relight *own, bspi_bounce_count *count, uint32_t face,
                     uint64_t before, uint64_t step, uint32_t *lit, uint32_t *agree) {
    const bsp_relight_face *light = &own->faces[face];
    bspi_luxels stored;
    if (light->luxels == NULL || light->num_styles == 0 || light->styles[0] != 0 ||
        !bspi_stored_luxels(own, face, &stored) || stored.width != light->width ||
        stored.height != light->height) {
        return;
    }
    uint32_t each = light->width * light->height;
    for (uint64_t n = (step - before % step) % step; n < each; n += step) {
        float rgb[3];
        bspi_rgbexp_decode(stored.data + n * 4, rgb);
        float direct = mean_of(light->luxels[n]);
        float had = mean_of(rgb);
        *lit += direct > LIT;
        *agree += direct > LIT && had > AGREES * direct;
        if (had < AGREES * direct || count->num_samples == BSPI_BOUNCE_SAMPLES) {
            continue;
        }
        count->samples[count->num_samples++] =
            (bspi_bounce_sample){face, (uint32_t)n, direct, fmaxf(0, had - direct)};
    }
}

bool bspi_bounce_count_begin(bspi_relight *own, bspi_bounce_count *count, bsp_error *error) {
    uint32_t lit = 0;
    uint32_t agree = 0;
    uint64_t all = 0;
    *count = (bspi_bounce_count){.off = INFINITY, .last = INFINITY};
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        all += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    count->samples =
        bspi_arena_raw(&own->arena, BSPI_BOUNCE_SAMPLES, sizeof *count->samples, error);
    count->ratios = bspi_arena_raw(&own->arena, BSPI_BOUNCE_SAMPLES, sizeof *count->ratios, error);
    if (count->samples == NULL || count->ratios == NULL) {
        return false;
    }
    uint64_t before = 0;
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        add_face(own, count, i, before, all / BSPI_BOUNCE_SAMPLES + 1, &lit, &agree);
        before += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    count->num_samples = agree >= FEWEST && agree > lit / 2 ? count->num_samples : 0;
    return bspi_heap_work(&own->heap, BSPI_BOUNCE_SAMPLES + own->map->num_faces, error);
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a;
    float y = *(const float *)b;
    return (x > y) - (x < y);
}

void bspi_bounce_count_look(const bspi_relight *own, bspi_bounce_count *count, uint32_t bounces) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count->num_samples; i++) {
        const bspi_bounce_sample *sample = &count->samples[i];
        uint32_t width = own->faces[sample->face].width;
        float light[3];
        bspi_patches_mix(own, &own->grids[sample->face], sample->luxel % width,
                         sample->luxel / width, light);
        if (mean_of(light) > FAINT + DROWNED * sample->direct) {
            count->ratios[found++] = sample->excess / mean_of(light);
        }
    }
    if (found < FEWEST) {
        return;
    }
    qsort(count->ratios, found, sizeof *count->ratios, by_value);
    float middle = count->ratios[found / 2];
    bool none = bounces == 1 && middle < NOTHING;
    middle = fmaxf(middle, 1e-6f);
    count->last = middle > 1 ? middle : 1 / middle;
    if (none || count->last < count->off) {
        count->off = none ? 0 : count->last;
        count->best = none ? 0 : bounces;
    }
}

bool bspi_bounce_count_differs(const bspi_bounce_count *count) {
    return count->num_samples != 0 && count->off * CLEARLY < count->last;
}
