// SPDX-License-Identifier: MIT
// Cameras of the editor: one at eye height of each player start, so that its views begin where
// players do.
#include "decompile/source/steps.h"

#include "core/curves.h"
#include "core/text.h"

#include <math.h>

#define EYES 64.0      // units above a start
#define DISTANCE 256.0 // units to the target

static bool add_camera(bspi_work *w, const bsp_entity *entity) {
    float angles[3];
    double at[3];
    if (!bspi_entity_origin(entity, at)) {
        return true;
    }
    bsp_entity_angles(entity, angles);
    double pitch = isfinite(angles[0]) ? (double)angles[0] * BSPI_DEGREE : 0;
    double yaw = isfinite(angles[1]) ? (double)angles[1] * BSPI_DEGREE : 0;
    const double forward[3] = {cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), -sin(pitch)};
    bsp_mapdoc_camera *made = bspi_build_camera(&w->out);
    for (int axis = 0; axis < 3 && made != NULL; axis++) {
        made->position[axis] = at[axis] + (axis == 2 ? EYES : 0);
        made->look[axis] = made->position[axis] + DISTANCE * forward[axis];
    }
    return made != NULL;
}

bool bspi_source_cameras(bspi_work *w) {
    const bsp_entities *entities = w->map->entities;
    for (uint32_t i = 0; w->options->cameras && entities != NULL && i < entities->count; i++) {
        const bsp_entity *entity = &entities->list[i];
        bsp_text name = bsp_entity_value(entity, "classname");
        if (bspi_text_begins_nocase(name, "info_player_") && !add_camera(w, entity)) {
            return false;
        }
    }
    return true;
}
