// SPDX-License-Identifier: MIT
// Places that a map names and that have no mesh: particles, sounds, cubemaps, projectors. Classes
// and keys: the entity code and the published .fgd and .def files of the games (Source SDK 2013's
// base.fgd, Half-Life's halflife.fgd, Quake's and Quake 2's progs and game code, entities.def of
// Quake 3, and of Raven's games, Nexuiz and Xonotic).
#include "scene/scene.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

/// What a class is. A name that ends in "*" stands for all that begin so; the first row counts.
typedef struct mark_class {
    const char *classname;
    bsp_scene_mark_kind kind;
    const char *what;  ///< the key that says what is shown or heard; NULL: the class itself does
    const char *reach; ///< the key of its radius; NULL: none
} mark_class;

static const mark_class classes[] = {
    {"info_particle_system", BSP_MARK_PARTICLES, "effect_name", NULL},
    {"env_smokestack", BSP_MARK_PARTICLES, "SmokeMaterial", NULL},
    {"env_steam*", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_smoker", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_smoketrail", BSP_MARK_PARTICLES, "smokesprite", NULL},
    {"env_fire", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_fire_trail", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_firesource", BSP_MARK_PARTICLES, NULL, "fireradius"},
    {"env_spark", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_dustpuff", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_dusttrail", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_embers", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_splash", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_bubbles", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_rain", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_snow", BSP_MARK_PARTICLES, NULL, NULL},
    {"env_particle*", BSP_MARK_PARTICLES, NULL, NULL},
    {"func_dustmotes", BSP_MARK_PARTICLES, NULL, NULL},
    {"func_dustcloud", BSP_MARK_PARTICLES, NULL, NULL},
    {"func_smokevolume", BSP_MARK_PARTICLES, "Material", NULL},
    {"func_precipitation", BSP_MARK_PARTICLES, NULL, NULL},
    {"func_pointparticles", BSP_MARK_PARTICLES, "mdl", NULL},
    {"func_sparks", BSP_MARK_PARTICLES, NULL, NULL},
    {"func_rain", BSP_MARK_PARTICLES, NULL, NULL},
    {"func_snow", BSP_MARK_PARTICLES, NULL, NULL},
    {"target_splash", BSP_MARK_PARTICLES, NULL, NULL},
    {"air_bubbles", BSP_MARK_PARTICLES, NULL, NULL},
    {"fx_runner", BSP_MARK_PARTICLES, "fxFile", NULL},
    {"fx_*", BSP_MARK_PARTICLES, NULL, NULL},
    {"ambient_generic", BSP_MARK_SOUND, "message", "radius"},
    {"ambient_music", BSP_MARK_SOUND, "message", NULL},
    {"ambient_*", BSP_MARK_SOUND, NULL, NULL},
    {"sound_ambient", BSP_MARK_SOUND, NULL, NULL},
    {"target_speaker", BSP_MARK_SOUND, "noise", NULL},
    {"target_music", BSP_MARK_SOUND, "noise", NULL},
    {"speaker", BSP_MARK_SOUND, "message", NULL},
    {"env_speaker", BSP_MARK_SOUND, "rulescript", NULL},
    {"env_soundscape_proxy", BSP_MARK_SOUNDSCAPE, "MainSoundscapeName", "radius"},
    {"env_soundscape*", BSP_MARK_SOUNDSCAPE, "soundscape", "radius"},
    {"trigger_soundscape", BSP_MARK_SOUNDSCAPE, "soundscape", NULL},
    {"env_sound", BSP_MARK_SOUNDSCAPE, "roomtype", "radius"},
    {"env_cubemap", BSP_MARK_CUBEMAP, NULL, NULL},
    {"env_projectedtexture", BSP_MARK_PROJECTOR, "texturename", "farz"},
    {"info_projecteddecal", BSP_MARK_PROJECTOR, "texture", "Distance"},
};

static const mark_class *class_of(bsp_text name) {
    for (size_t i = 0; name.size != 0 && i < sizeof classes / sizeof *classes; i++) {
        if (bspi_text_fits_nocase(name, bsp_text_of(classes[i].classname))) {
            return &classes[i];
        }
    }
    return NULL;
}

// The middle of a brush model, for classes that fill one.
static void place_mark(const bsp_map *map, const bsp_entity *entity, bsp_scene_mark *mark) {
    const bsp_placement place = bsp_entity_placement(map, entity);
    memcpy(mark->origin, place.origin, sizeof mark->origin);
    memcpy(mark->angles, place.angles, sizeof mark->angles);
    mark->model = place.model == 0 ? BSP_NONE : place.model;
    if (mark->model < map->num_models) {
        const bsp_model *model = &map->models[mark->model];
        float middle[3];
        for (int i = 0; i < 3; i++) {
            middle[i] = model->mins[i] / 2 + model->maxs[i] / 2;
        }
        bsp_placement_point(&place, middle, mark->origin);
    }
    for (int i = 0; i < 3; i++) {
        mark->origin[i] = isfinite(mark->origin[i]) ? mark->origin[i] : 0;
    }
}

static void mark_entity(const bspi_scene_builder *builder, const bsp_entity *entity,
                        const mark_class *as, bsp_scene_mark *mark) {
    float reach = 0;
    place_mark(builder->map, entity, mark);
    mark->kind = as->kind;
    mark->name = bsp_entity_value(entity, "targetname");
    mark->what = as->what == NULL ? (bsp_text){NULL, 0} : bsp_entity_value(entity, as->what);
    bool stated = as->reach != NULL && bsp_parse_float(bsp_entity_value(entity, as->reach), &reach);
    mark->reach = stated && isfinite(reach) && reach > 0 ? reach : 0;
}

static void mark_cubemaps(const bsp_map *map, bsp_scene_mark *list, uint32_t *count) {
    for (uint32_t i = 0; i < map->num_cubemaps; i++) {
        bsp_scene_mark *mark = &list[(*count)++];
        *mark = (bsp_scene_mark){
            .kind = BSP_MARK_CUBEMAP, .entity = BSP_NONE, .cubemap = i, .model = BSP_NONE};
        for (int k = 0; k < 3; k++) {
            mark->origin[k] = (float)map->cubemaps[i].origin[k];
        }
    }
}

static uint32_t count_marks(const bsp_map *map) {
    uint32_t count = map->num_cubemaps;
    for (uint32_t i = 0; map->entities != NULL && i < map->entities->count; i++) {
        count += class_of(bsp_entity_value(&map->entities->list[i], "classname")) != NULL;
    }
    return count;
}

bool bspi_scene_marks(bspi_scene_builder *builder) {
    const bsp_map *map = builder->map;
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    uint64_t work = 2 * (uint64_t)(sizeof classes / sizeof *classes) * entities;
    if (!bspi_meter_add(&builder->meter, work + map->num_cubemaps)) {
        return false;
    }
    uint32_t room = count_marks(map);
    bsp_scene_mark *list =
        bspi_arena_zero(&builder->own->arena, room, sizeof *list, builder->error);
    if (list == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < entities; i++) {
        const bsp_entity *entity;
        const mark_class *as = class_of(bsp_entity_value(&map->entities->list[i], "classname"));
        if (as == NULL) {
            continue;
        }
        if (!bspi_state_entity(builder, i, &entity) ||
            !bspi_meter_add(&builder->meter, 4 * (uint64_t)entity->num_pairs)) {
            return false;
        }
        list[count].entity = i;
        list[count].cubemap = BSP_NONE;
        mark_entity(builder, entity, as, &list[count++]);
    }
    mark_cubemaps(map, list, &count);
    builder->own->scene.marks = list;
    builder->own->scene.num_marks = count;
    return true;
}
