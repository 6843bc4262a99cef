// SPDX-License-Identifier: MIT
// What lights of all kinds say, by the rules of ericw-tools. Source: light/entities.cc of it.
#include "bake/light/lamps/ericw.h"

#include <math.h>

#define LIGHT 300.0f // without a key

static void set_dirt(const bspi_ericw *e, const bsp_entity *entity, bspi_lamp *lamp) {
    lamp->dirty = bspi_ericw_dirty(e, bspi_key_number(entity, "_dirt", 0));
    e->own->scale.dirt |= lamp->dirty;
    lamp->dirt_gain = bspi_key_number(entity, "_dirtgain", 0);
    lamp->dirt_scale = bspi_key_number(entity, "_dirtscale", 0);
    bool ramp = bspi_key(entity, "_dirt_off_radius").size != 0 &&
                bspi_key(entity, "_dirt_on_radius").size != 0;
    lamp->dirt_off = ramp ? bspi_key_number(entity, "_dirt_off_radius", 0) : 0;
    lamp->dirt_on = ramp ? bspi_key_number(entity, "_dirt_on_radius", 0) : 0;
}

// Reads the strength: a number, or three of a colour before it, which count if no key has one.
static void set_strength(const bsp_entity *entity, bspi_lamp *lamp) {
    float value[4];
    int count = bspi_numbers(bspi_key(entity, "_light"), value, 4);
    bool colored = bspi_key_color(entity, "_color", lamp->color);
    lamp->light = count == 1 ? value[0] : count == 4 ? value[3] : LIGHT;
    if (count >= 3 && !colored) {
        float unit = fmaxf(value[0], fmaxf(value[1], value[2])) > 1 ? 255 : 1;
        for (int c = 0; c < 3; c++) {
            lamp->color[c] = value[c] / unit;
        }
    }
    lamp->light = isfinite(lamp->light) ? lamp->light : LIGHT;
}

bspi_lamp bspi_ericw_lamp(const bspi_ericw *e, const bsp_entity *entity) {
    bspi_lamp lamp = {.outer = -2, .wait = 1, .switches = true};
    set_strength(entity, &lamp);
    lamp.angle =
        bspi_key_number(entity, "_anglescale", bspi_key_number(entity, "_anglesense", e->angle));
    lamp.angle = lamp.angle >= 0 && lamp.angle <= 1 ? lamp.angle : e->angle;
    lamp.style = bspi_key_whole(entity, "_style", 0, -1, 255);
    set_dirt(e, entity, &lamp);
    return lamp;
}

bool bspi_ericw_is_sky(const bsp_entity *entity) {
    return bspi_key_number(entity, "_sun", 0) != 0 ||
           bspi_key_number(entity, "_sunlight2", 0) != 0 ||
           bspi_key_number(entity, "_sunlight3", 0) != 0;
}
