// SPDX-License-Identifier: MIT
// Lamps by the rules of id's light program for Quake 2 (qrad3). Formulas: sheet bake, 3.2.
#include "bake/light/base/keys.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include "core/curves.h"
#include "core/text.h"
#include "query/masks.h"

#define LIGHT 300.0f
#define CONE 10.0f // half angle of a spot, degrees
#define GATE 0.01f

static bool add_light(void *user, const bsp_entity *entity, bsp_error *error) {
    bspi_relight *own = user;
    bspi_lamp lamp = {.outer = -2, .angle = 1, .wait = 1};
    lamp.light = bspi_key_number(entity, "_light", LIGHT);
    lamp.style = bspi_key_whole(entity, "_style", 0, -1, 255);
    (void)bspi_key_color(entity, "_color", lamp.color);
    (void)bspi_key_point(entity, "origin", lamp.origin);
    bool spot = bspi_text_is(bsp_entity_value(entity, "classname"), "light_spot") ||
                bsp_entity_value(entity, "target").size != 0;
    if (spot) {
        float angle = bspi_key_number(entity, "_angle", 0);
        float cone = bspi_key_number(entity, "_cone", CONE);
        if (!bspi_aim_at(own, entity, lamp.origin, lamp.direction)) {
            bool upright = angle == -1 || angle == -2;
            bspi_light_look(upright ? (angle == -1 ? 90 : -90) : 0, (double)angle, lamp.direction);
        }
        lamp.outer = lamp.inner = bspi_cosine(bspi_radians(cone > 0 ? cone : CONE));
    }
    float wait = bspi_key_number(entity, "_wait", 1);
    lamp.wait = wait > 0 ? wait : 1;
    lamp.reach = lamp.light / lamp.wait;
    return !(lamp.light > 0) || bspi_lamp_add(own, &lamp, error);
}

bool bspi_lamps_id(bspi_relight *own, bsp_error *error) {
    own->scale = (bspi_light_scale){.curve = {.gain = 1, .cap = 196, .least = 1},
                                    .lift = 1,
                                    .gate = GATE,
                                    .mask = BSPI_SOLID_MASK,
                                    .bounces = 8,
                                    .bounce = 1};
    return bspi_lights_each(own, add_light, own, error) && bspi_lamps_surfaces(own, error);
}
