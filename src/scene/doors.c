// SPDX-License-Identifier: MIT
// Where doors stand when they are open, and which area portals are. Sources: doors.qc of Quake,
// g_func.c of Quake 2, doors.cpp of the Half-Life and Source SDK: a func_door moves by its size
// along its way, less its "lip".
#include "scene/scene.h"

#include "core/curves.h"
#include "core/text.h"

#include <assert.h>
#include <math.h>

#define UP -1.0F // values of "angle"
#define DOWN -2.0F
#define MOST_SPAN 65536.0F

// The way of a door: Source says it by "movedir", others by "angle", or by angles of which the yaw
// is the way. A pitch above the horizon is negative.
static bool way_of(const bsp_entity *entity, float way[3]) {
    float angles[3] = {0, 0, 0};
    float angle = 0;
    bool given = bsp_parse_vector(bsp_entity_value(entity, "movedir"), angles);
    bool single = !given && bsp_parse_float(bsp_entity_value(entity, "angle"), &angle);
    given = given || single || bsp_parse_vector(bsp_entity_value(entity, "angles"), angles);
    if (single && (angle == UP || angle == DOWN)) {
        way[0] = way[1] = 0;
        way[2] = angle == UP ? 1.0F : -1.0F;
        return true;
    }
    float yaw = bspi_radians(single ? angle : angles[1]);
    float pitch = bspi_radians(angles[0]);
    way[0] = bspi_cosine(pitch) * bspi_cosine(yaw);
    way[1] = bspi_cosine(pitch) * bspi_sine(yaw);
    way[2] = -bspi_sine(pitch);
    return isfinite(way[0]) && isfinite(way[1]) && isfinite(way[2]);
}

static bool is_sliding(const bsp_entity *entity) {
    return bspi_text_equal_nocase(bsp_entity_value(entity, "classname"), bsp_text_of("func_door"));
}

static bool has_sliding_door(const bsp_map *map, const bsp_area_links *links,
                             const bsp_area_link *link) {
    for (uint32_t i = 0; i < link->num_openers; i++) {
        uint32_t entity = links->openers[link->first_opener + i];
        if (entity < map->entities->count && is_sliding(&map->entities->list[entity])) {
            return true;
        }
    }
    return false;
}

void bsp_scene_portals(const bsp_map *map, const bsp_area_links *links,
                       const bsp_scene_state *state, bool *open) {
    assert(map != NULL && links != NULL && (open != NULL || links->count == 0));
    for (uint32_t i = 0; i < links->count; i++) {
        const bsp_area_link *link = &links->list[i];
        bool moved = state != NULL && state->open && has_sliding_door(map, links, link);
        open[i] = link->open || moved;
        for (uint32_t p = 0; state != NULL && p < state->num_portals; p++) {
            if (state->portals[p].key == link->key) {
                open[i] = state->portals[p].open;
            }
        }
    }
}

void bspi_scene_open(const bspi_scene_builder *builder, const bsp_entity *entity,
                     bsp_placement *place) {
    const bsp_scene_state *state = builder->options->state;
    float way[3];
    if (state == NULL || !state->open || place->model >= builder->map->num_models ||
        !is_sliding(entity) || !way_of(entity, way)) {
        return;
    }
    const bsp_model *model = &builder->map->models[place->model];
    float lip = builder->map->traits->door_lip;
    (void)bsp_parse_float(bsp_entity_value(entity, "lip"), &lip);
    float span = -lip;
    for (int axis = 0; axis < 3; axis++) {
        span += fabsf(way[axis]) * (model->maxs[axis] - model->mins[axis]);
    }
    if (!(fabsf(span) < MOST_SPAN)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        place->origin[axis] += way[axis] * span;
    }
    place->moved = true;
}
