// SPDX-License-Identifier: MIT
// The number of bounces stands in the key "_bounce", but compilers before ericw-tools 2.0 took any
// for one (its changelog), and many maps are lit with -bounce in the command, which leaves no key.
// The light of the map tells: another bounce brings to the last one what that brought to the one
// before it, and there is some of that in the map or nothing.
#include "bake/light/bounce/bounce_told.h"

#include <math.h>

#define SAMPLES 4096u
#define FEWEST 64u     // luxels that tell something
#define MOST 250.0f    // of 255: brighter ones may have been cut
#define FARTHEST 16.0f // the map may have so much less than direct light, and no more
#define DARK 1.0f      // direct light of a luxel in shadow, at most,
#define LIT 3.0f       // and what it has from elsewhere, at least
#define SHARE 0.5f     // of what another bounce would bring
#define SOME 0.1f      // of the direct light that must be missing, where no bounce was made yet

// Returns the brightest channel of a luxel of style 0 as the file would have it.
static float finished(const bspi_relight *own, const bspi_bounce_told *told, uint32_t face,
                      size_t luxel) {
    const bsp_relight_face *light = &own->faces[face];
    float rgb[1][3] = {{light->luxels[luxel][0], light->luxels[luxel][1], light->luxels[luxel][2]}};
    bsp_relight_face one = {.width = 1, .height = 1, .directions = 1, .num_styles = 1};
    one.luxels = (const float(*)[3])rgb;
    told->finish(own, &one);
    return fmaxf(rgb[0][0], fmaxf(rgb[0][1], rgb[0][2]));
}

// Adds the luxels of a face whose number among all is a multiple of `step`.
static void add_face(const bspi_relight *own, bspi_bounce_told *told, uint32_t face,
                     uint64_t before, uint64_t step) {
    const bsp_relight_face *light = &own->faces[face];
    bspi_luxels stored;
    if (light->luxels == NULL || light->num_styles == 0 || light->styles[0] != 0 ||
        bspi_luxels_of(&own->source, face, &stored) != BSPI_LIT || stored.num_styles == 0 ||
        stored.styles[0] != 0 || stored.width != light->width || stored.height != light->height) {
        return;
    }
    uint64_t each = (uint64_t)light->width * light->height;
    for (uint64_t n = (step - before % step) % step; n < each && told->num_samples < SAMPLES;
         n += step) {
        float rgb[3];
        bspi_luxel_decode(stored.format, stored.data + n * bspi_luxel_bytes(stored.format), 1, rgb);
        bspi_told_sample s = {.face = face, .luxel = (uint32_t)n};
        s.stored = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
        s.made = finished(own, told, face, n);
        if (s.stored < MOST && s.made < MOST && s.made < s.stored + FARTHEST) {
            told->samples[told->num_samples++] = s;
        }
    }
}

// Of direct light: is there light in shadows, and less than in the map elsewhere?
static void look_at_shadows(bspi_bounce_told *told) {
    double left = 0;
    uint32_t dark = 0;
    uint32_t lit = 0;
    for (uint32_t i = 0; i < told->num_samples; i++) {
        const bspi_told_sample *s = &told->samples[i];
        told->brought += (double)s->made;
        told->off += (double)fabsf(s->stored - s->made);
        left += (double)s->stored - (double)s->made;
        dark += s->made < DARK;
        lit += s->made < DARK && s->stored >= LIT;
    }
    told->more = dark >= FEWEST && lit > dark / 2 && left > (double)SOME * told->brought;
}

bool bspi_bounce_told_begin(bspi_relight *own, bspi_bounce_told *told, bsp_error *error) {
    uint64_t all = 0;
    uint64_t before = 0;
    told->samples = bspi_arena_raw(&own->arena, SAMPLES, sizeof *told->samples, error);
    if (told->samples == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        all += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        add_face(own, told, i, before, all / SAMPLES + 1);
        before += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    look_at_shadows(told);
    return bspi_heap_work(&own->heap, SAMPLES + own->map->num_faces, error);
}

void bspi_bounce_told_look(const bspi_relight *own, bspi_bounce_told *told) {
    double brought = 0;
    double left = 0;
    uint32_t count = 0;
    told->off = 0;
    for (uint32_t i = 0; i < told->num_samples; i++) {
        bspi_told_sample *s = &told->samples[i];
        float now = finished(own, told, s->face, s->luxel);
        told->off += (double)fabsf(s->stored - now);
        if (now < MOST) {
            brought += (double)now - (double)s->made;
            left += (double)s->stored - (double)now;
            count++;
        }
        s->made = now;
    }
    double next = told->brought > 0 ? brought * (brought / told->brought) : 0;
    told->more = count < FEWEST || left >= (double)SHARE * next;
    told->brought = brought;
}
