// SPDX-License-Identifier: MIT
// The number of bounces stands in the key "_bounce", but compilers before ericw-tools 2.0 took any
// for one (its changelog), and many maps are lit with -bounce in the command, which leaves no key.
// The light of the map tells: another bounce brings to the last one what that brought to the one
// before it, and there is some of that in the map or nothing.
#include "bake/light/bounce/bounce_told.h"

#include "bake/light/base/stored.h"

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
    bspi_luxel_as_stored(own->source.format, rgb[0]);
    return fmaxf(rgb[0][0], fmaxf(rgb[0][1], rgb[0][2]));
}

typedef struct taker {
    const bspi_relight *own;
    bspi_bounce_told *told;
} taker;

static void take(void *user, uint32_t face, uint32_t luxel, const float stored[3]) {
    const taker *t = user;
    bspi_told_sample s = {.face = face, .luxel = luxel};
    s.stored = fmaxf(stored[0], fmaxf(stored[1], stored[2]));
    s.made = finished(t->own, t->told, face, luxel);
    if (s.stored < MOST && s.made < MOST && s.made < s.stored + FARTHEST) {
        t->told->samples[t->told->num_samples++] = s;
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
    taker t = {own, told};
    told->samples = bspi_arena_raw(&own->arena, SAMPLES, sizeof *told->samples, error);
    if (told->samples == NULL || !bspi_stored_spread(own, SAMPLES, true, take, &t, error)) {
        return false;
    }
    look_at_shadows(told);
    return true;
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
