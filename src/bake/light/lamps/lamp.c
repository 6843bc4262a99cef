// SPDX-License-Identifier: MIT
// One lamp: adding it to the list, and what reaches a place of it. Formulas: sheet bake, 3.2.
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include "core/curves.h"
#include "core/vector.h"
#include "query/world_light.h"

#include <math.h>

#define EDGE 32.0f // units in which the cone of a spot of q3map2 ends

// --- the list -----------------------------------------------------------------------------------

bool bspi_lamp_add(bspi_relight *own, const bspi_lamp *lamp, bsp_error *error) {
    if (lamp->style < 0 || lamp->style >= BSP_NO_STYLE) { // no face can name it
        return bspi_heap_work(&own->heap, 1, error);
    }
    bspi_lamp *more = bspi_grow(&own->heap, own->lamps, own->num_lamps, &own->lamps_room,
                                sizeof *own->lamps, error);
    if (more == NULL) {
        return false;
    }
    own->lamps = more;
    own->lamps[own->num_lamps++] = *lamp;
    own->relight.num_lamps += lamp->kind == BSPI_LAMP_PLACED && lamp->emits == 0;
    own->relight.num_emitters += lamp->kind == BSPI_LAMP_PLACED && lamp->emits != 0;
    own->relight.num_suns += lamp->kind == BSPI_LAMP_SUN || lamp->kind == BSPI_LAMP_SKY;
    return bspi_heap_work(&own->heap, 1, error);
}

// --- formulas -----------------------------------------------------------------------------------

static float line(const bspi_lamp *lamp, float way) {
    float left = lamp->light > 0 ? lamp->light - way : lamp->light + way;
    return (left > 0) == (lamp->light > 0) ? left : 0;
}

float bspi_lamp_faded(const bspi_lamp *lamp, float d) {
    float way = lamp->wait * d;
    switch (lamp->fade) {
    case BSPI_FADE_LINE:
        return line(lamp, way);
    case BSPI_FADE_RANGE:
        return d < lamp->range ? lamp->light * (1 - d / lamp->range) : 0;
    case BSPI_FADE_INVERSE:
        return way > 0 ? lamp->light * BSPI_LAMP_HOT / way : lamp->light;
    case BSPI_FADE_SQUARE:
        return way > 0 ? lamp->light * BSPI_LAMP_HOT * BSPI_LAMP_HOT / (way * way) : lamp->light;
    case BSPI_FADE_SOFT:
        return lamp->light * BSPI_LAMP_HOT * BSPI_LAMP_HOT /
               ((way + BSPI_LAMP_HOT) * (way + BSPI_LAMP_HOT));
    case BSPI_FADE_CLAMPED:
        way = way > lamp->range ? way : lamp->range;
        return way > 0 ? lamp->light / (way * way) : lamp->light;
    case BSPI_FADE_NONE:
    case BSPI_FADE_WORLD:
        break;
    }
    return lamp->light;
}

float bspi_lamp_cone(const bspi_lamp *lamp, float out) {
    if (lamp->outer < -1) {
        return 1;
    }
    if (out < lamp->outer) {
        return 0;
    }
    float width = lamp->inner - lamp->outer;
    float fringe = out >= lamp->inner || width <= 0 ? 1 : (out - lamp->outer) / width;
    return fringe * (lamp->cone_fades ? out : 1);
}

// What the cone of a spot of q3map2 leaves: its edge is as wide at any distance.
static float widened(const bspi_lamp *lamp, float distance, float out) {
    float along = distance * out;
    float square = distance * distance - along * along;
    float left = lamp->widens * along - sqrtf(square > 0 ? square : 0);
    return along > 0 && left > 0 ? fminf(1, left / EDGE) : 0;
}

float bspi_lamp_at(const bspi_lamp *lamp, const float point[3], float direction[3],
                   float *distance) {
    if (lamp->fade == BSPI_FADE_WORLD) {
        return lamp->light * bspi_world_light_at(lamp->world, point, direction, distance);
    }
    float square = 0;
    for (int i = 0; i < 3; i++) {
        direction[i] = lamp->origin[i] - point[i];
        square += direction[i] * direction[i];
    }
    float length = sqrtf(square);
    float up = bspi_lamp_up(lamp);
    *distance = length > BSPI_LAMP_NEAREST ? length : BSPI_LAMP_NEAREST;
    for (int i = 0; i < 3; i++) {
        direction[i] = length > BSPI_LAMP_NEAREST ? direction[i] / length : i == 2 ? up : 0;
    }
    float out = -(direction[0] * lamp->direction[0] + direction[1] * lamp->direction[1] +
                  direction[2] * lamp->direction[2]);
    if (lamp->emits > 0 && out <= -lamp->grazes) {
        return 0;
    }
    float sent = 1 - lamp->emits + lamp->emits * out;
    float left = lamp->widens > 0 ? widened(lamp, *distance, out) : bspi_lamp_cone(lamp, out);
    float away =
        lamp->extra > 0 ? sqrtf(*distance * *distance + lamp->extra * lamp->extra) : *distance;
    return bspi_lamp_faded(lamp, away + lamp->farther) * left * sent;
}
