// SPDX-License-Identifier: MIT
// Suns without an entity: of worldspawn (ericw-tools, Quake and Quake 2) and of shaders (Quake 3).
// Units as in light.c.
#include "export/entity.h"
#include "export/light.h"
#include "export/content.h"

#include <string.h>

// "_sunlight" is added to a luxel, of which 128 shows a texture unchanged. "_sun_mangle" is the yaw
// and pitch of the light's direction, positive pitch upwards; straight down by default.
static bool sun_of_world(const bsp_entity *world, bspi_light *out) {
    float mangle[3] = {0, -90, 0};
    float color[3] = {1, 1, 1};
    double light = (double)bspi_number(world, "_sunlight", 0);
    bool old = bspi_has(world, "_sun_mangle");
    (void)bspi_numbers(bsp_entity_value(world, old ? "_sun_mangle" : "_sunlight_mangle"), mangle,
                       3);
    (void)bspi_numbers(bsp_entity_value(world, "_sunlight_color"), color, 3);
    *out = (bspi_light){.kind = BSPI_LIGHT_SUN};
    memcpy(out->color, color, sizeof color);
    bspi_light_hue(out->color);
    bspi_light_look((double)mangle[1], (double)mangle[0], out->direction);
    out->intensity = bspi_light_sun(BSP_FALLOFF_LINE, light);
    return out->intensity > 0;
}

// "q3map_sun r g b intensity degrees elevation": the angles of the sun's position.
static bool sun_of_shader(const bsp_shader_sun *sun, bspi_light *out) {
    float place[3];
    *out = (bspi_light){.kind = BSPI_LIGHT_SUN};
    memcpy(out->color, sun->color, sizeof out->color);
    bspi_light_hue(out->color);
    bspi_light_look((double)sun->elevation, (double)sun->degrees, place);
    for (int i = 0; i < 3; i++) {
        out->direction[i] = -place[i];
    }
    out->intensity = bspi_light_sun(BSP_FALLOFF_PHOTONS, (double)sun->intensity);
    return out->intensity > 0;
}

static bool is_new(const bspi_light *list, uint32_t count, const bspi_light *sun) {
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].intensity == sun->intensity &&
            memcmp(list[i].direction, sun->direction, sizeof sun->direction) == 0 &&
            memcmp(list[i].color, sun->color, sizeof sun->color) == 0) {
            return false;
        }
    }
    return true;
}

static uint32_t add(bspi_light *list, uint32_t count, const bspi_light *sun) {
    if (count < BSPI_MAX_SUNS && is_new(list, count, sun)) {
        list[count++] = *sun;
    }
    return count;
}

uint32_t bspi_suns_of(const bsp_map *map, const bsp_textures *textures,
                      bspi_light suns[BSPI_MAX_SUNS]) {
    bspi_light sun;
    uint32_t count = 0;
    if (map->entities != NULL && map->entities->count != 0 &&
        bspi_light_falloff(map) == BSP_FALLOFF_LINE &&
        sun_of_world(&map->entities->list[0], &sun)) {
        count = add(suns, count, &sun);
    }
    for (uint32_t m = 0; textures != NULL && m < map->num_materials; m++) {
        const bsp_shader *shader = bsp_textures_shader(textures, m);
        for (uint32_t i = 0; shader != NULL && i < shader->num_suns; i++) {
            if (sun_of_shader(&shader->suns[i], &sun)) {
                count = add(suns, count, &sun);
            }
        }
    }
    return count;
}

void bspi_content_suns(bspi_content *content) {
    content->num_suns = bspi_suns_of(content->map, content->options->textures, content->suns);
}
