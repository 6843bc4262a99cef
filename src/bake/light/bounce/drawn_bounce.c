// SPDX-License-Identifier: MIT
// Quake 3: what surfaces throw back to vertices. Each patch is a lamp that gives what it sent in
// all bounces; cells of the light grid have none of it, as in q3map2 without -bouncegrid. Facts:
// sheet bake, 3.3.
#include "bake/light/bounce/bounce.h"
#include "bake/light/bounce/patches.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include "core/curves.h"

#include <math.h>
#include <string.h>

static bool add_patch(bspi_relight *own, const bspi_patch *patch, bsp_error *error) {
    bspi_lamp lamp = {.fade = BSPI_FADE_CLAMPED, .outer = -2, .angle = 1, .emits = 1, .wait = 1};
    float most = fmaxf(patch->sent[0], fmaxf(patch->sent[1], patch->sent[2]));
    if (!(most > 0 && patch->area > 0)) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        lamp.color[i] = patch->sent[i] / most;
        lamp.origin[i] = patch->point[i];
        lamp.direction[i] = patch->normal[i];
    }
    lamp.light = most * patch->area / (float)BSPI_PI * own->scale.bounce;
    lamp.range = sqrtf(patch->area / (float)BSPI_PI); // nearer ones do not give more than they have
    lamp.reach = sqrtf(lamp.light / own->scale.gate);
    return bspi_lamp_add(own, &lamp, error);
}

bool bspi_drawn_bounced(bspi_relight *own, bsp_error *error) {
    uint32_t emitters = own->relight.num_emitters;
    bool done = true;
    own->drawn->num_lamps = own->num_lamps;
    for (uint32_t i = 0; done && i < own->num_patches; i++) {
        done = add_patch(own, &own->patches[i], error);
    }
    if (own->options->bounce_grid) {
        own->drawn->num_lamps = own->num_lamps;
    }
    own->relight.num_emitters = emitters; // they are patches
    return done && (own->num_patches == 0 || bspi_lamps_see(own, error));
}
