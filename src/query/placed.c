// SPDX-License-Identifier: MIT
// Brush models placed by their entities, and segments transformed into their space. As in the
// engines (CM_TransformedBoxTrace, SV_ClipMoveToEntity) the segment is rotated and the box that
// moves along it is not: it stays aligned to the model's axes.
#include "map/classes.h"
#include "query/collide.h"

#include <math.h>
#include <string.h>

static void put(bspi_placed *p, const bsp_map *map, const bsp_placement *place, uint32_t entity) {
    const bsp_model *model = &map->models[place->model];
    float far = 0;
    p->model = place->model;
    p->entity = entity;
    p->turned = place->turned;
    memcpy(p->origin, place->origin, sizeof p->origin);
    memcpy(p->axes, place->axes, sizeof p->axes);
    for (int i = 0; i < 3; i++) {
        float side = fmaxf(fabsf(model->mins[i]), fabsf(model->maxs[i]));
        far += side * side;
    }
    p->reach = sqrtf(far);
}

bool bspi_place_models(bsp_trace_index *index, bsp_error *error) {
    const bsp_map *map = index->map;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    bspi_placed *placed = bspi_arena_zero(&index->arena, count, sizeof *placed, error);
    if (placed == NULL) {
        return false;
    }
    index->placed = placed;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        bsp_placement place = bsp_entity_placement(map, entity);
        if (place.model != BSP_NONE && place.model != 0 && bsp_entity_is_solid(map, entity)) {
            bspi_placed *p = &placed[index->num_placed++];
            put(p, map, &place, i);
            p->glass = !bspi_class_stops_sight(map, entity);
        }
    }
    return true;
}

bool bspi_may_touch(const bsp_trace_index *index, const bspi_placed *p, const bsp_trace_input *in) {
    const bsp_model *model = &index->map->models[p->model];
    float box = 0; // extent of a box along the axes of a rotated model
    for (int i = 0; p->turned && i < 3; i++) {
        float side = fmaxf(fabsf(in->mins[i]), fabsf(in->maxs[i]));
        box += side * side;
    }
    box = sqrtf(box);
    for (int i = 0; i < 3; i++) {
        float low = fminf(in->start[i], in->end[i]) - 1 + (p->turned ? -box : in->mins[i]);
        float high = fmaxf(in->start[i], in->end[i]) + 1 + (p->turned ? box : in->maxs[i]);
        if (low > p->origin[i] + (p->turned ? p->reach : model->maxs[i]) ||
            high < p->origin[i] - (p->turned ? p->reach : -model->mins[i])) {
            return false;
        }
    }
    return true;
}

void bspi_into_model(const bspi_placed *p, float v[3]) {
    if (p->turned) {
        float out[3] = {bspi_dot(v, p->axes[0]), bspi_dot(v, p->axes[1]), bspi_dot(v, p->axes[2])};
        for (int i = 0; i < 3; i++) {
            v[i] = out[i];
        }
    }
}

void bspi_out_of_model(const bspi_placed *p, bsp_trace_result *result) {
    if (p->turned) {
        float n[3] = {result->normal[0], result->normal[1], result->normal[2]};
        for (int i = 0; i < 3; i++) {
            result->normal[i] = n[0] * p->axes[0][i] + n[1] * p->axes[1][i] + n[2] * p->axes[2][i];
        }
    }
    result->dist += bspi_dot(result->normal, p->origin);
}
