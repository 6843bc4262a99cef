// SPDX-License-Identifier: MIT
// Brush models where their entities put them, and segments taken into their space. As in the
// engines (CM_TransformedBoxTrace, SV_ClipMoveToEntity) the segment is turned and the box that
// moves along it is not: it stays along the model's axes.
#include "query/collide.h"

#include <math.h>

#define RADIANS (3.14159265358979323846 / 180)

// Forward, left and up (AngleVectors): pitch, yaw, roll in degrees.
static void set_axes(const float angles[3], float axes[3][3]) {
    double sp = sin(angles[0] * RADIANS), cp = cos(angles[0] * RADIANS);
    double sy = sin(angles[1] * RADIANS), cy = cos(angles[1] * RADIANS);
    double sr = sin(angles[2] * RADIANS), cr = cos(angles[2] * RADIANS);
    const double full[3][3] = {
        {cp * cy, cp * sy, -sp},
        {sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp},
        {cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp},
    };
    for (int i = 0; i < 9; i++) {
        axes[i / 3][i % 3] = (float)full[i / 3][i % 3];
    }
}

static void turn(bspi_placed *p, const bsp_model *model, const float angles[3]) {
    float far = 0;
    p->turned = angles[0] != 0 || angles[1] != 0 || angles[2] != 0;
    set_axes(angles, p->axes);
    for (int i = 0; i < 3; i++) {
        float side = fmaxf(fabsf(model->mins[i]), fabsf(model->maxs[i]));
        far += side * side;
    }
    p->reach = sqrtf(far);
}

bool bspi_place_models(bsp_trace_index *index, bsp_error *error) {
    const bsp_map *map = index->map;
    bsp_family family = map->branch->family;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    bspi_placed *placed = bspi_arena_zero(&index->arena, count, sizeof *placed, error);
    if (placed == NULL) {
        return false;
    }
    index->placed = placed;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        uint32_t number = bsp_entity_model(map, entity);
        if (number == BSP_NONE || number == 0 || !bspi_is_solid(family, entity)) {
            continue;
        }
        bspi_placed *p = &placed[index->num_placed++];
        float angles[3] = {0, 0, 0};
        p->model = number;
        p->entity = i;
        // Without an origin it stands where the file has it.
        (void)bsp_parse_vector(bsp_entity_value(entity, "origin"), p->origin);
        if (bspi_is_turned(family, entity) &&
            bsp_parse_vector(bsp_entity_value(entity, "angles"), angles)) {
            turn(p, &map->models[number], angles);
        }
    }
    return true;
}

bool bspi_may_touch(const bsp_trace_index *index, const bspi_placed *p, const bsp_trace_input *in) {
    const bsp_model *model = &index->map->models[p->model];
    float box = 0; // how far a box along the axes of a turned model reaches
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
    float n[3] = {result->normal[0], result->normal[1], result->normal[2]};
    for (int i = 0; p->turned && i < 3; i++) {
        result->normal[i] = n[0] * p->axes[0][i] + n[1] * p->axes[1][i] + n[2] * p->axes[2][i];
    }
    result->dist += bspi_dot(result->normal, p->origin);
}
