// SPDX-License-Identifier: MIT
// The least light of a face: what the world or its model says, and in Quake 2 as much as a surface
// gives that gives light. Sources: light/ltface.cc of ericw-tools, lightmap.cpp of SDHLT.
#include "bake/light/base/keys.h"
#include "bake/light/base/stored.h"
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

// ericw-tools: the minimum of the model counts before that of the world, if it is brighter.
static void set_ericw(const bspi_relight *own, const bsp_entity *entity, float out[3]) {
    float unit = own->map->traits->lights.unit;
    float color[3];
    const bsp_entity *world = bspi_lit_world(own);
    float of_all = world == NULL ? 0 : bspi_key_number(world, "_minlight", 0);
    of_all = world == NULL ? 0 : bspi_key_number(world, "_light", of_all);
    float least = bspi_key_number(entity, "_minlight", of_all);
    if (!(least * unit > of_all)) {
        return;
    }
    if (!read_color(entity, color)) {
        (void)(world != NULL && read_color(world, color));
    }
    for (int c = 0; c < 3; c++) {
        out[c] = least * unit * color[c];
    }
}

bool bspi_minima_find(bspi_relight *own, bsp_error *error) {
    uint32_t models = own->map->num_models;
    float stored;
    if (!bspi_stored_least(own, &stored, error)) {
        return false;
    }
    for (uint32_t m = 0; m < models; m++) {
        const bsp_entity *entity = bspi_model_entity(own, m);
        float *out = own->models[m].least;
        memcpy(out, own->scale.minimum, sizeof own->scale.minimum);
        if (entity != NULL && own->relight.compiler == BSP_COMPILER_ERICW) {
            set_ericw(own, entity, out);
        } else if (entity != NULL && own->relight.compiler == BSP_COMPILER_HLRAD) {
            float least = fminf(1, bspi_key_number(entity, "_minlight", 0)) * 255;
            out[0] = out[1] = out[2] = least / own->scale.gain;
        } else if (own->relight.compiler == BSP_COMPILER_VRAD) {
            float least = entity == NULL ? 0 : bspi_key_number(entity, "_minlight", 0) * VRAD_FULL;
            out[0] = out[1] = out[2] = fmaxf(least, stored);
        }
        if (!bspi_heap_work(&own->heap, 1, error)) {
            return false;
        }
    }
    return true;
}

// ericw-tools: faces of some textures have no minimum.
static bool is_excluded(const bsp_map *map, const bsp_entity *entity, uint32_t material) {
    static const char *const names[] = {"_minlight_exclude", "_minlight_exclude2",
                                        "_minlight_exclude3"};
    bool excluded = false;
    for (size_t i = 0; entity != NULL && material < map->num_materials && i < 3; i++) {
        bsp_text name = bspi_key(entity, names[i]);
        excluded |= name.size != 0 && bspi_text_equal_nocase(map->materials[material].name, name);
    }
    return excluded;
}

void bspi_face_least(const bspi_relight *own, uint32_t face, float out[3]) {
    const bsp_map *map = own->map;
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t material = bsp_surface_material(map, face);
    memcpy(out, own->models[own->face_models[face]].least, 3 * sizeof *out);
    if (own->relight.compiler == BSP_COMPILER_ERICW &&
        is_excluded(map, bspi_model_entity(own, own->face_models[face]), material)) {
        memset(out, 0, 3 * sizeof *out);
        return;
    }
    bool gives = own->relight.compiler == BSP_COMPILER_ERICW && texinfo < map->num_texinfos &&
                 (map->texinfos[texinfo].flags & map->traits->surface.lit) != 0;
    for (int c = 0; c < 3 && own->glow != NULL && !bspi_spots_are_used(own); c++) {
        out[c] = fmaxf(out[c], own->glow[face][c]);
    }
    for (int c = 0; c < 3 && gives && own->colors != NULL && material < map->num_materials; c++) {
        out[c] = fmaxf(out[c], (float)map->texinfos[texinfo].value * own->colors[material].mean[c]);
    }
}
