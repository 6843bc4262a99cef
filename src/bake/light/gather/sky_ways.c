// SPDX-License-Identifier: MIT
// Directions in which the sky is looked for: spread evenly, or those of vrad, which are the
// sequences of Halton by 2 and 3 on the sphere (halton.h of the Source SDK); before them it took
// the normals that Quake's models name by number (anorms.h).
#include "bake/light/shadows/shadow.h"

#include "core/curves.h"
#include "model/quake/alias.h"
#include "query/open_sky.h"

#include <math.h>

// The digits of a number in a base, mirrored at the point.
static float mirrored(uint32_t number, uint32_t base) {
    float out = 0;
    float unit = 1;
    for (; number != 0; number /= base) {
        unit /= (float)base;
        out += (float)(number % base) * unit;
    }
    return out;
}

void bspi_halton_direction(uint32_t number, float out[3]) {
    float z = 2 * mirrored(number + 1, 2) - 1;
    float angle = (float)BSPI_TURN * mirrored(number + 1, 3);
    float ring = sqrtf(fmaxf(0, 1 - z * z));
    out[0] = bspi_cosine(angle) * ring;
    out[1] = bspi_sine(angle) * ring;
    out[2] = z;
}

bool bspi_sky_ways_find(bspi_relight *own, bsp_error *error) {
    own->num_sky_ways = own->effort->sky_ways;
    own->sky_ways = bspi_arena_raw(&own->arena, own->num_sky_ways, sizeof *own->sky_ways, error);
    for (uint32_t i = 0; own->sky_ways != NULL && i < own->num_sky_ways; i++) {
        float *to = own->sky_ways[i];
        if (own->scale.cells && own->scale.vrad->even) {
            bspi_alias_normal(i, to);
        } else if (own->scale
                       .cells) { // they are where light comes from, and run towards the surface
            bspi_halton_direction(i, to);
            for (int k = 0; k < 3; k++) {
                to[k] = -to[k];
            }
        } else {
            bspi_dome_direction(i, own->num_sky_ways, -1, to);
        }
    }
    return own->sky_ways != NULL;
}
