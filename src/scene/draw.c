// SPDX-License-Identifier: MIT
// What all that draw a scene decide alike.
#include "scene/draw.h"

#include "core/vector.h"
#include "scene/textures.h"

#include <math.h>

bool bspi_is_blended(const bsp_scene_material *material, const bsp_mesh_group *group) {
    return material->alpha == BSP_ALPHA_BLEND || material->alpha == BSP_ALPHA_ADD ||
           material->alpha == BSP_ALPHA_FILTER || material->opacity < 1 ||
           (group->bits & (BSP_SURFACE_TRANSLUCENT | BSP_SURFACE_LIQUID)) != 0;
}

float bspi_drawn_opacity(const bsp_map *map, const bsp_scene_material *material,
                         const bsp_mesh_group *group, bool blended) {
    bool told = material->opacity < 1 || material->alpha == BSP_ALPHA_BLEND;
    float flagged = bsp_surface_opacity(map, group->flags);
    return !blended || told ? material->opacity : flagged < 1 ? flagged : BSPI_TRANSLUCENT_OPACITY;
}

float bspi_overlay_far(const bsp_map *map, const bsp_mesh_face *face) {
    float far = face->overlay < map->num_overlays && face->overlay < map->num_overlay_fades
                    ? map->overlay_fades[face->overlay].max_sq
                    : 0;
    return far > 0 && isfinite(far) ? sqrtf(far) : 0;
}

static uint8_t shade(float light, uint8_t color, uint8_t tint) {
    float value = light * (float)color * (float)tint / 255;
    return value >= 255 ? 255 : value > 0 ? (uint8_t)(value + 0.5F) : 0;
}

void bspi_place_vertex(const bsp_scene *scene, const bsp_scene_prop *prop, uint32_t number,
                       bool lit, bspi_prop_vertex *out) {
    const bsp_model_vertex *from = &scene->models[prop->model].mesh->vertices[number];
    float light[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        out->position[i] = bspi_dot(prop->place[i], from->position) + prop->place[i][3];
        out->normal[i] = bspi_dot(prop->place[i], from->normal);
    }
    (void)bspi_normalize(out->normal);
    if (lit) {
        bsp_scene_prop_vertex_light(scene, prop, number, out->normal, light);
    }
    for (int i = 0; i < 3; i++) {
        out->color[i] = shade(light[i], from->color[0][i], prop->color[i]);
    }
    out->color[3] = 255;
}
