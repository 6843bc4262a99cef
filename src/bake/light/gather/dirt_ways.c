// SPDX-License-Identifier: MIT
// The same lines by the rules of ericw-tools and of q3map2. Facts: sheet bake, 3.2.
#include "bake/light/gather/dirt_ways.h"

#include "core/curves.h"

#include <assert.h>
#include <math.h>

#define HEIGHTS 3u // and between it and the surface

uint32_t bspi_dirt_ways(const bspi_relight *own, float out[BSPI_DIRT_WAYS][3]) {
    uint32_t turns = own->effort->around;
    assert(turns * HEIGHTS < BSPI_DIRT_WAYS);
    float turn = 0;
    float one = (float)(360.0 / turns * BSPI_PI / 180);
    for (uint32_t i = 0; i < turns * HEIGHTS; i++) {
        turn += i != 0 && i % HEIGHTS == 0 ? one : 0; // in float, as there
        float step = own->scale.dirt_angle / HEIGHTS;
        float height = bspi_radians(step * ((float)(i % HEIGHTS) + 0.5f));
        float ring = bspi_sine(height);
        out[i][0] = ring * bspi_cosine(turn);
        out[i][1] = ring * bspi_sine(turn);
        out[i][2] = bspi_cosine(height);
    }
    return turns * HEIGHTS;
}

float bspi_dirt_lost(float near, float gain, float factor) {
    if (!(near > 0)) {
        return 0;
    }
    near = gain == 1 ? near : fminf(1, bspi_power(near, gain));
    return fmaxf(0, fminf(1, near * factor));
}
