// SPDX-License-Identifier: MIT
// ericw-tools' light before release 2.0 took any "_bounce" for one bounce; since then it is their
// number (its changelog). Which of them lit a map its light tells: by the rules of one bounce more
// the next brings to the last what that brought to the one before it, and there is either some of
// that in the map or nothing.
#include "bake/light/bounce/bounce_once.h"

#include <math.h>

#define SAMPLES 4096u
#define FEWEST 64u     // luxels that tell something
#define MOST 250.0f    // of 255: brighter ones may have been cut
#define FARTHEST 16.0f // the map may have so much less than direct light, and no more
#define SHARE 0.5f     // of what a second bounce would bring

// Returns the brightest channel of a luxel of style 0 as the file would have it.
static float finished(const bspi_relight *own, const bspi_bounce_once *once, uint32_t face,
                      size_t luxel) {
    const bsp_relight_face *light = &own->faces[face];
    float rgb[1][3] = {{light->luxels[luxel][0], light->luxels[luxel][1], light->luxels[luxel][2]}};
    bsp_relight_face one = {.width = 1, .height = 1, .directions = 1, .num_styles = 1};
    one.luxels = (const float(*)[3])rgb;
    once->finish(own, &one);
    return fmaxf(rgb[0][0], fmaxf(rgb[0][1], rgb[0][2]));
}

// Adds the luxels of a face whose number among all is a multiple of `step`.
static void add_face(const bspi_relight *own, bspi_bounce_once *once, uint32_t face,
                     uint64_t before, uint64_t step) {
    const bsp_relight_face *light = &own->faces[face];
    bspi_luxels stored;
    if (light->luxels == NULL || light->num_styles == 0 || light->styles[0] != 0 ||
        bspi_luxels_of(&own->source, face, &stored) != BSPI_LIT || stored.num_styles == 0 ||
        stored.styles[0] != 0 || stored.width != light->width || stored.height != light->height) {
        return;
    }
    uint64_t each = (uint64_t)light->width * light->height;
    for (uint64_t n = (step - before % step) % step; n < each && once->num_samples < SAMPLES;
         n += step) {
        float rgb[3];
        bspi_luxel_decode(stored.format, stored.data + n * bspi_luxel_bytes(stored.format), 1, rgb);
        bspi_once_sample s = {.face = face, .luxel = (uint32_t)n};
        s.stored = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
        s.direct = finished(own, once, face, n);
        if (s.stored < MOST && s.direct < MOST && s.direct < s.stored + FARTHEST) {
            once->samples[once->num_samples++] = s;
        }
    }
}

bool bspi_bounce_once_begin(bspi_relight *own, bspi_bounce_once *once, bsp_error *error) {
    uint64_t all = 0;
    uint64_t before = 0;
    once->num_samples = 0;
    once->samples = bspi_arena_raw(&own->arena, SAMPLES, sizeof *once->samples, error);
    if (once->samples == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        all += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        add_face(own, once, i, before, all / SAMPLES + 1);
        before += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    return bspi_heap_work(&own->heap, SAMPLES + own->map->num_faces, error);
}

bool bspi_bounce_once_told(const bspi_relight *own, const bspi_bounce_once *once) {
    double direct = 0;
    double brought = 0;
    double left = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < once->num_samples; i++) {
        const bspi_once_sample *s = &once->samples[i];
        float now = finished(own, once, s->face, s->luxel);
        if (now < MOST) {
            direct += (double)s->direct;
            brought += (double)now - (double)s->direct;
            left += (double)s->stored - (double)now;
            count++;
        }
    }
    return count >= FEWEST && direct > 0 && left < (double)SHARE * brought * (brought / direct);
}
