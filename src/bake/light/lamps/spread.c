// SPDX-License-Identifier: MIT
// Quake 3: lamps that stand somewhere, of entities and of surfaces that turn to the eye.
#include "bake/light/lamps/spread.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/lamps/lamps.h"

#include <math.h>

// Sets what is too little of a lamp to count, and from where on. Source: SetupEnvelopes and
// LightContributionToSample; lamps of entities are always "fast".
static void set_reach(bspi_lamp *lamp, float least) {
    float strength = fabsf(lamp->light);
    float most = fmaxf(lamp->color[0], fmaxf(lamp->color[1], lamp->color[2]));
    lamp->gate = least * most;
    lamp->reach =
        lamp->fade == BSPI_FADE_LINE ? (strength - least) / lamp->wait : sqrtf(strength / least);
}

bool bspi_lamp_add_spread(bspi_relight *own, const bspi_lamp *lamp, float deviance, uint32_t count,
                          bsp_error *error) {
    for (uint32_t n = 0; n < count; n++) {
        bspi_lamp one = *lamp;
        one.light /= (float)count;
        set_reach(&one, own->drawn->told.least / (float)count);
        for (int i = 0; i < 3 && n != 0; i++) {
            one.origin[i] += deviance * bspi_random_next(&own->drawn->random);
        }
        if (bspi_drawn_move_free(own, one.origin) && !bspi_lamp_add(own, &one, error)) {
            return false;
        }
    }
    return true;
}

bool bspi_lamp_add_sprite(bspi_relight *own, const bspi_lamp *sprite, bsp_error *error) {
    bspi_lamp lamp = *sprite;
    lamp.fade = BSPI_FADE_CLAMPED;
    lamp.outer = -2;
    lamp.angle = lamp.wait = 1;
    lamp.range = BSPI_LAMP_CLOSEST;
    lamp.light *= BSPI_LAMP_POINT * own->drawn->told.point;
    lamp.half = own->drawn->told.half_lambert != 0;
    return bspi_lamp_add_spread(own, &lamp, 0, 1, error);
}
