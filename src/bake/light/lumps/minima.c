// SPDX-License-Identifier: MIT
// The least light of a face: what the world or its model says, and in Quake 2 as much as a surface
// gives that gives light. Sources: light/ltface.cc of ericw-tools, lightmap.cpp of SDHLT.
#include "bake/light/base/keys.h"
#include "bake/light/base/surface_keys.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/places/spots.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

#define VRAD_FULL (128 / 255.0f) // light of a minimum of 1 in Source (FinalLightFace of vrad)

static bool read_color(const bsp_entity *entity, float out[3]) {
    return bspi_key_color(entity, "_minlight_color", out) ||
           bspi_key_color(entity, "_mincolor", out);
}

static float of_world(const bspi_relight *own) {
    const bsp_entity *world = bspi_lit_world(own);
    float least = world == NULL ? 0 : bspi_key_number(world, "_minlight", 0);
    return world == NULL ? 0 : bspi_key_number(world, "_light", least);
}

// ericw-tools: a minimum counts before that of the world, if it is brighter. `color`: NULL: that
// of the world.
static void raise(const bspi_relight *own, float least, const float *color, float out[3]) {
    const bsp_entity *world = bspi_lit_world(own);
    float unit = own->map->traits->lights.unit;
    float given[3] = {1, 1, 1};
    if (color == NULL && world != NULL) {
        (void)read_color(world, given);
    }
    for (int c = 0; c < 3 && least * unit > of_world(own); c++) {
        out[c] = least * unit * (color != NULL ? color[c] : given[c]);
    }
}

static void set_ericw(const bspi_relight *own, const bsp_entity *entity, float out[3]) {
    float color[3];
    bool colored = read_color(entity, color);
    raise(own, bspi_key_number(entity, "_minlight", of_world(own)), colored ? color : NULL, out);
}

bool bspi_minima_find(bspi_relight *own, bsp_error *error) {
    uint32_t models = own->map->num_models;
    for (uint32_t m = 0; m < models; m++) {
        const bsp_entity *entity = bspi_model_entity(own, m);
        float *out = own->models[m].least;
        memcpy(out, own->scale.minimum, sizeof own->scale.minimum);
        if (entity != NULL && own->relight.compiler == BSP_COMPILER_ERICW) {
            set_ericw(own, entity, out);
        } else if (entity != NULL && own->relight.compiler == BSP_COMPILER_HLRAD) {
            float least = fminf(1, bspi_key_number(entity, "_minlight", 0)) * 255;
            out[0] = out[1] = out[2] = least / own->scale.curve.gain;
        } else if (own->relight.compiler == BSP_COMPILER_VRAD) {
            float least = entity == NULL ? 0 : bspi_key_number(entity, "_minlight", 0) * VRAD_FULL;
            out[0] = out[1] = out[2] = least;
        }
        if (!bspi_heap_work(&own->heap, 1, error)) {
            return false;
        }
    }
    return true;
}

// ericw-tools: faces of some textures have no minimum.
static bool is_excluded(const bsp_map *map, const bsp_entity *entity, uint32_t material) {
    static const char *const names[] = {
        "_minlight_exclude",  "_minlight_exclude1", "_minlight_exclude2", "_minlight_exclude3",
        "_minlight_exclude4", "_minlight_exclude5", "_minlight_exclude6", "_minlight_exclude7",
        "_minlight_exclude8", "_minlight_exclude9"};
    const size_t count = sizeof names / sizeof *names;
    bool excluded = false;
    for (size_t i = 0; entity != NULL && material < map->num_materials && i < count; i++) {
        bsp_text name = bspi_key(entity, names[i]);
        excluded |= name.size != 0 && bspi_text_equal_nocase(map->materials[material].name, name);
    }
    return excluded;
}

bool bspi_face_mottled(const bspi_relight *own, uint32_t face) {
    const bsp_entity *entities[2] = {bspi_model_entity(own, own->face_models[face]),
                                     bspi_lit_world(own)};
    bsp_text said = {.data = NULL, .size = 0};
    if (own->relight.compiler != BSP_COMPILER_ERICW || own->scale.curve.adds) {
        return false;
    }
    for (int i = 0; i < 2 && entities[i] != NULL && said.size == 0; i++) {
        said = bspi_key(entities[i], "_minlight_mottle");
        said = said.size != 0 ? said : bspi_key(entities[i], "_minlightMottle");
    }
    float value = 0;
    return bspi_numbers(said, &value, 1) == 1 && value != 0;
}

void bspi_face_least(const bspi_relight *own, uint32_t face, float out[3]) {
    const bsp_map *map = own->map;
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t material = bsp_surface_material(map, face);
    memcpy(out, own->models[own->face_models[face]].least, 3 * sizeof *out);
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    if (own->relight.compiler == BSP_COMPILER_ERICW &&
        (keys->no_least ||
         is_excluded(map, bspi_model_entity(own, own->face_models[face]), material))) {
        memset(out, 0, 3 * sizeof *out);
        return;
    }
    if (keys->least == keys->least) {
        const float *color = keys->least_color;
        memcpy(out, own->scale.minimum, 3 * sizeof *out);
        raise(own, keys->least, color[0] + color[1] + color[2] > 0 ? color : NULL, out);
    }
    bool gives = own->relight.compiler == BSP_COMPILER_ERICW && texinfo < map->num_texinfos &&
                 (map->texinfos[texinfo].flags & map->traits->surface.lit) != 0;
    for (int c = 0; c < 3 && own->glow != NULL && !bspi_spots_are_used(own); c++) {
        out[c] = fmaxf(out[c], own->glow[face][c]);
    }
    for (int c = 0; c < 3 && gives && own->colors != NULL && material < map->num_materials; c++) {
        float mean = keys->colored ? keys->color[c] : own->colors[material].mean[c];
        out[c] =
            fmaxf(out[c], (float)map->texinfos[texinfo].value * mean * bspi_said(keys->shows, 1));
    }
}
