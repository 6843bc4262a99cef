// SPDX-License-Identifier: MIT
// The light on a prop: that of one point, by the direction that a surface looks in. Quake's
// renderer and its successors know no direction for what stands on a lightmap; they shade models by
// a fixed lamp.
#include "bspkit/scene.h"

#include "core/curves.h"
#include "core/vector.h"

#include <assert.h>

#define SUN_X 0.57F // the fixed lamp, above and in front
#define SUN_Z 0.82F
#define SHADE 0.35F     // how much of the light depends on it
#define OVERBRIGHT 2.0F // compilers halve the light of vertices, so that bright ones fit

// Linear light out of the six sides of a cube.
static void by_cube(const bsp_light *light, const float normal[3], float out[3]) {
    for (int channel = 0; channel < 3; channel++) {
        float sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            int side = 2 * axis + (normal[axis] < 0);
            sum += normal[axis] * normal[axis] * light->cube[side][channel];
        }
        out[channel] = bspi_power(sum > 0 ? sum : 0, 1 / 2.2F);
    }
}

void bsp_scene_prop_light(const bsp_scene *scene, const bsp_scene_prop *prop, const float normal[3],
                          float out[3]) {
    assert(scene != NULL && prop != NULL && normal != NULL && out != NULL);
    const bsp_light *light = &prop->light;
    float gain = scene->map->traits->light_gain;
    gain = gain > 0 ? gain : 1;
    if (light->source == BSP_LIGHT_CUBE) {
        by_cube(light, normal, out);
        return;
    }
    float facing = normal[0] * SUN_X + normal[2] * SUN_Z;
    float lamp = light->source == BSP_LIGHT_GRID ? bspi_dot(normal, light->direction) : 0;
    for (int channel = 0; channel < 3; channel++) {
        float ambient = light->ambient[channel];
        switch (light->source) {
        case BSP_LIGHT_GRID:
            out[channel] = gain * (ambient + (lamp > 0 ? lamp : 0) * light->directed[channel]);
            break;
        case BSP_LIGHT_SURFACE:
            out[channel] = gain * ambient * (1 - SHADE / 2 + SHADE * facing);
            break;
        default:
            out[channel] = 1 - SHADE + SHADE * facing;
            break;
        }
    }
}

void bsp_scene_prop_vertex_light(const bsp_scene *scene, const bsp_scene_prop *prop,
                                 uint32_t vertex, const float normal[3], float out[3]) {
    assert(scene != NULL && prop != NULL && normal != NULL && out != NULL);
    assert(vertex < scene->models[prop->model].mesh->num_vertices);
    const uint8_t *stored = prop->vertex_light == NULL ? NULL : prop->vertex_light[vertex];
    if (stored == NULL || stored[3] == 0) {
        bsp_scene_prop_light(scene, prop, normal, out);
        return;
    }
    for (int channel = 0; channel < 3; channel++) {
        out[channel] = (float)stored[channel] * OVERBRIGHT / 255;
    }
}
