// SPDX-License-Identifier: MIT
// Shadows of static props, by their collision models. Facts: vradstaticprops.cpp of the Source SDK.
#include "bake/light/shadows/props.h"

#include "query/masks.h"

#include <string.h>

#define BY_HULLS 6u // bsp_scene_prop.solid

enum { NO_SHADOW = 0x10 }; // flag of a static prop

// --- shadows ------------------------------------------------------------------------------------

// The solids of a scene are those that stop players: here all static props that cast shadows are.
static bool find_solids(bspi_relight *own, bsp_error *error) {
    bspi_prop_lights *p = own->props;
    size_t size = (p->scene->num_props + (size_t)1) * sizeof(bsp_scene_prop);
    bsp_scene_prop *list = bspi_heap_alloc(&own->heap, size, error);
    bsp_scene shades = *p->scene;
    const bsp_solids_options options = {.allocator = own->options->allocator,
                                        .budget = own->options->budget};
    shades.num_props = 0;
    for (uint32_t i = 0; list != NULL && i < p->scene->num_props; i++) {
        const bsp_scene_prop *prop = &p->scene->props[i];
        if (prop->kind == BSP_PROP_STATIC &&
            (own->map->static_props[prop->number].flags & NO_SHADOW) == 0 &&
            p->scene->models[prop->model].mesh->num_hulls != 0) {
            list[shades.num_props] = *prop;
            list[shades.num_props].solid = BY_HULLS;
            list[shades.num_props].contents = BSPI_OPAQUE;
            list[shades.num_props++].needs = 0;
        }
    }
    shades.props = list;
    bool done = list != NULL;
    if (done && shades.num_props != 0) {
        p->solids = bsp_solids_new(&shades, NULL, &options, error);
        done = p->solids != NULL;
    }
    bspi_heap_free(&own->heap, list, size);
    return done;
}

bool bspi_props_shade(const bspi_relight *own, const float from[3], const float to[3]) {
    bsp_sight_line line;
    bool seen = true;
    if (own->props != NULL && own->props->solids != NULL && !own->props->resting) {
        memcpy(line.from, from, sizeof line.from);
        memcpy(line.to, to, sizeof line.to);
        bsp_solids_sight_batch(own->props->solids, BSPI_OPAQUE, 0, &line, &seen, 1);
    }
    return !seen;
}

bool bspi_props_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    if (own->relight.compiler != BSP_COMPILER_VRAD || map->num_static_props == 0 ||
        own->options->textures == NULL) {
        return true;
    }
    const bsp_scene_options options = {.file = own->file,
                                       .textures = own->options->textures,
                                       .full_bright = true,
                                       .props = true,
                                       .allocator = own->options->allocator,
                                       .budget = own->options->budget};
    own->props = bspi_arena_zero(&own->arena, 1, sizeof *own->props, error);
    if (own->props == NULL) {
        return false;
    }
    own->props->scene = bsp_scene_build(map, &options, error);
    return own->props->scene != NULL && find_solids(own, error);
}

void bspi_props_free(bspi_relight *own) {
    bspi_prop_lights *p = own->props;
    if (p == NULL) {
        return;
    }
    for (uint32_t i = 0; p->blobs != NULL && i < p->count; i++) {
        bsp_blob_free(&p->blobs[i]);
    }
    bsp_solids_free(p->solids);
    bsp_scene_free(p->scene);
}
