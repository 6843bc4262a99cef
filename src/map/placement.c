// SPDX-License-Identifier: MIT
// Where an entity stands when a map begins. All floors above use this, so that traces, pictures,
// exports and decompiled brushes have a model in the same place.
#include "map/classes.h"

#include "core/curves.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The values of "angle" for straight up and straight down.
#define ANGLE_UP (-1.0F)
#define ANGLE_DOWN (-2.0F)

// As AngleVectors of the engines, but for the sign of their "right".
void bsp_angle_axes(const float angles[3], float axes[3][3]) {
    assert(angles != NULL && axes != NULL);
    double sp = sin(angles[0] * BSPI_DEGREE), cp = cos(angles[0] * BSPI_DEGREE);
    double sy = sin(angles[1] * BSPI_DEGREE), cy = cos(angles[1] * BSPI_DEGREE);
    double sr = sin(angles[2] * BSPI_DEGREE), cr = cos(angles[2] * BSPI_DEGREE);
    const double full[3][3] = {
        {cp * cy, cp * sy, -sp},
        {sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp},
        {cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp},
    };
    for (int i = 0; i < 9; i++) {
        axes[i / 3][i % 3] = (float)full[i / 3][i % 3];
    }
}

static bool read_vector(const bsp_entity *entity, const char *key, float out[3]) {
    float v[3];
    if (!bsp_parse_vector(bsp_entity_value(entity, key), v) || !isfinite(v[0]) || !isfinite(v[1]) ||
        !isfinite(v[2])) {
        return false;
    }
    memcpy(out, v, sizeof v);
    return true;
}

// Reads "angles", or else "angle" as their yaw; if `upright`, its two values for straight up and
// straight down as these.
static void get_angles(const bsp_entity *entity, bool upright, float angles[3]) {
    float angle;
    memset(angles, 0, 3 * sizeof *angles);
    if (bsp_entity_value(entity, "angles").size != 0) {
        (void)read_vector(entity, "angles", angles);
    } else if (bsp_parse_float(bsp_entity_value(entity, "angle"), &angle) && isfinite(angle)) {
        upright = upright && (angle == ANGLE_UP || angle == ANGLE_DOWN);
        angles[0] = !upright ? 0 : angle == ANGLE_UP ? -90.0F : 90.0F;
        angles[1] = upright ? 0 : angle;
    }
}

// What compilers of all families read of lights.
void bsp_entity_angles(const bsp_entity *entity, float angles[3]) {
    assert(entity != NULL && angles != NULL);
    get_angles(entity, true, angles);
}

bsp_placement bsp_entity_placement(const bsp_map *map, const bsp_entity *entity) {
    assert(map != NULL && entity != NULL);
    bsp_placement place = {.model = bsp_entity_model(map, entity)};
    if (place.model != 0) { // the world is never moved, whatever its keys
        place.moved = read_vector(entity, "origin", place.origin);
        get_angles(entity, !map->traits->angle_is_yaw, place.angles);
    }
    if (place.model != 0 && place.model != BSP_NONE) {
        bspi_class_turn(map, entity, place.angles);
        place.presence = bspi_class_presence(map, entity);
    }
    place.turned = place.angles[0] != 0 || place.angles[1] != 0 || place.angles[2] != 0;
    bsp_angle_axes(place.angles, place.axes);
    return place;
}

void bsp_placement_turn(const bsp_placement *place, const float in[3], float out[3]) {
    assert(place != NULL && in != NULL && out != NULL);
    float turned[3] = {in[0], in[1], in[2]};
    for (int i = 0; place->turned && i < 3; i++) {
        turned[i] =
            in[0] * place->axes[0][i] + in[1] * place->axes[1][i] + in[2] * place->axes[2][i];
    }
    memcpy(out, turned, sizeof turned);
}

void bsp_placement_point(const bsp_placement *place, const float in[3], float out[3]) {
    assert(place != NULL && in != NULL && out != NULL);
    bsp_placement_turn(place, in, out);
    for (int i = 0; i < 3; i++) {
        out[i] += place->origin[i];
    }
}
