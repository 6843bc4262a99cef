// SPDX-License-Identifier: MIT
// Fog, and the room of the sky. Sources: fogparams of the Source SDK (env_fog_controller,
// sky_camera: its fog counts units of the world); gl_fog.c of FitzQuake for worldspawn's "fog"
// ("density red green blue"; a density of 64 is one of a unit); fog of the re-release of Quake 2
// ("fog_density" alike); env_fog of Counter-Strike (client_fog); tr_bsp.c of Quake 3 for volumes;
// misc_skyportal of Return to Castle Wolfenstein, whose room does not move with the eye.
#include "scene/scene.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

#define PORT_DENSITY 64.0F
#define PORT_GREY 0.3F
#define PORT_ON_SKY 0.5F // r_skyfog
#define DEFAULT_SCALE 16.0F

/// Keys by which a class says fog. NULL: it has none such.
typedef struct fog_keys {
    const char *classname;
    const char *enable; // "1": on
    const char *packed; // "density red green blue"
    const char *color;  // three numbers
    float full;         // of them
    const char *start;  // linear
    const char *end;
    const char *most;
    const char *density;
    float divisor; // of the density
    const char *on_sky;
} fog_keys;

static const fog_keys fogs[] = {
    {.classname = "env_fog_controller",
     .enable = "fogenable",
     .color = "fogcolor",
     .full = 255,
     .start = "fogstart",
     .end = "fogend",
     .most = "fogmaxdensity"},
    {.classname = "worldspawn", .packed = "fog", .divisor = PORT_DENSITY},
    {.classname = "worldspawn",
     .color = "fog_color",
     .full = 1,
     .density = "fog_density",
     .divisor = PORT_DENSITY,
     .on_sky = "fog_sky_factor"},
    {.classname = "env_fog",
     .color = "rendercolor",
     .full = 255,
     .density = "density",
     .divisor = 1},
};

static const fog_keys of_camera = {.classname = "sky_camera",
                                   .enable = "fogenable",
                                   .color = "fogcolor",
                                   .full = 255,
                                   .start = "fogstart",
                                   .end = "fogend",
                                   .most = "fogmaxdensity"};

typedef struct reader {
    const bspi_scene_builder *builder;
    uint32_t entity;
} reader;

static bsp_text value_of(const reader *r, const char *key) {
    bsp_text none = {NULL, 0};
    return key == NULL
               ? none
               : bspi_state_value(r->builder->options->state, r->builder->map, r->entity, key);
}

static float number_of(const reader *r, const char *key, float otherwise) {
    float value;
    return bsp_parse_float(value_of(r, key), &value) && isfinite(value) ? value : otherwise;
}

static float part_of(float value) {
    return value > 0 ? value < 1 ? value : 1 : 0;
}

// Reads up to four numbers; returns how many there are.
static uint32_t numbers_of(bsp_text text, float out[4]) {
    uint32_t count = 0;
    size_t at = 0;
    while (count < 4) {
        while (at < text.size && text.data[at] == ' ') {
            at++;
        }
        size_t first = at;
        while (at < text.size && text.data[at] != ' ') {
            at++;
        }
        if (at == first ||
            !bsp_parse_float((bsp_text){text.data + first, at - first}, &out[count]) ||
            !isfinite(out[count])) {
            break;
        }
        count++;
    }
    return count;
}

static void read_color(const reader *r, const fog_keys *keys, bsp_scene_fog *fog) {
    float color[4] = {0, 0, 0, 0};
    (void)numbers_of(value_of(r, keys->color), color);
    for (int i = 0; i < 3; i++) {
        fog->color[i] = part_of(color[i] / keys->full);
    }
}

static void read_packed(const reader *r, const fog_keys *keys, bsp_scene_fog *fog) {
    float values[4] = {0, PORT_GREY, PORT_GREY, PORT_GREY};
    (void)numbers_of(value_of(r, keys->packed), values);
    fog->density = values[0] / keys->divisor;
    fog->on_sky = PORT_ON_SKY;
    for (int i = 0; i < 3; i++) {
        fog->color[i] = part_of(values[i + 1]);
    }
}

// Returns true if the entity says fog.
static bool read_fog(const reader *r, const fog_keys *keys, bsp_scene_fog *fog) {
    memset(fog, 0, sizeof *fog);
    fog->entity = r->entity;
    fog->curve = keys->start != NULL ? BSP_FOG_LINEAR : BSP_FOG_EXP2;
    fog->most = 1;
    if (keys->packed != NULL) {
        read_packed(r, keys, fog);
    } else {
        read_color(r, keys, fog);
        fog->start = number_of(r, keys->start, 0);
        fog->end = number_of(r, keys->end, 0);
        fog->most = part_of(number_of(r, keys->most, 1));
        fog->density = keys->density == NULL ? 0 : number_of(r, keys->density, 0) / keys->divisor;
        fog->on_sky = part_of(number_of(r, keys->on_sky, 0));
    }
    bool enabled = keys->enable == NULL || number_of(r, keys->enable, 0) != 0;
    fog->on = enabled && fog->most > 0 &&
              (fog->curve == BSP_FOG_LINEAR ? fog->end > fog->start : fog->density > 0);
    return fog->on;
}

static void read_room(const reader *r, bool camera, bsp_scene_sky_room *room) {
    float origin[3];
    room->found = bsp_parse_vector(value_of(r, "origin"), origin);
    if (!room->found) {
        return;
    }
    memcpy(room->origin, origin, sizeof origin);
    room->entity = r->entity;
    float scale = number_of(r, "scale", DEFAULT_SCALE);
    room->scale = !camera ? 0 : scale > 0 ? scale : DEFAULT_SCALE;
    if (camera && read_fog(r, &of_camera, &room->fog)) {
        room->fog.start /= room->scale;
        room->fog.end /= room->scale;
    }
}

// The first that says so counts.
static void read_entity(const reader *r, bsp_scene *scene) {
    bsp_text classname = value_of(r, "classname");
    for (size_t i = 0; i < sizeof fogs / sizeof *fogs && !scene->fog.on; i++) {
        bsp_scene_fog fog;
        if (bspi_text_equal_nocase(classname, bsp_text_of(fogs[i].classname)) &&
            read_fog(r, &fogs[i], &fog)) {
            scene->fog = fog;
        }
    }
    bool camera = bspi_text_equal_nocase(classname, bsp_text_of("sky_camera"));
    bool portal = bspi_text_equal_nocase(classname, bsp_text_of("misc_skyportal"));
    if ((camera || portal) && !scene->sky_room.found) {
        read_room(r, camera, &scene->sky_room);
    }
}

// --- volumes ------------------------------------------------------------------------------------

static void read_shader(const bspi_scene_builder *builder, const bsp_fog *from,
                        bsp_scene_fog_volume *out) {
    const bsp_map *map = builder->map;
    size_t size = 0;
    while (size < sizeof from->name && from->name[size] != '\0') {
        size++;
    }
    const bsp_text name = {from->name, size};
    for (uint32_t m = 0; m < map->num_materials && builder->options->textures != NULL; m++) {
        if (!bspi_text_equal_nocase(map->materials[m].name, name)) {
            continue;
        }
        const bsp_shader *shader = bsp_textures_shader(builder->options->textures, m);
        if (shader != NULL && shader->fog && shader->fog_distance > 0) {
            out->known = true;
            out->distance = shader->fog_distance;
            for (int i = 0; i < 3; i++) {
                out->color[i] = part_of(shader->fog_color[i]);
            }
        }
        return;
    }
}

static void read_plane(const bsp_map *map, const bsp_fog *from, bsp_scene_fog_volume *out) {
    const bsp_brush *brush = from->brush < map->num_brushes ? &map->brushes[from->brush] : NULL;
    bool sided =
        brush != NULL && from->visible_side >= 0 && (uint32_t)from->visible_side < brush->num_sides;
    uint32_t side = sided ? brush->first_side + (uint32_t)from->visible_side : BSP_NONE;
    uint32_t plane = side < map->num_brush_sides ? map->brush_sides[side].plane : BSP_NONE;
    if (plane < map->num_planes) {
        out->bounded = true;
        memcpy(out->normal, map->planes[plane].normal, sizeof out->normal);
        out->dist = map->planes[plane].dist;
    }
}

static bool read_volumes(bspi_scene_builder *builder) {
    const bsp_map *map = builder->map;
    bsp_scene *scene = &builder->own->scene;
    bsp_scene_fog_volume *list =
        bspi_arena_zero(&builder->own->arena, map->num_fogs, sizeof *list, builder->error);
    for (uint32_t i = 0; list != NULL && i < map->num_fogs; i++) {
        if (!bspi_meter_add(&builder->meter, map->num_materials)) {
            return false;
        }
        read_shader(builder, &map->fogs[i], &list[i]);
        read_plane(map, &map->fogs[i], &list[i]);
    }
    scene->fog_volumes = list;
    scene->num_fog_volumes = map->num_fogs;
    return list != NULL;
}

// q3map2 leaves the colour of faces that only look like flares black.
static bool is_flare(const bsp_map *map, uint32_t face) {
    const float *color = map->face_lights[face].vecs[0];
    return map->faces[face].type == BSP_FACE_BILLBOARD &&
           (color[0] > 0 || color[1] > 0 || color[2] > 0);
}

static bool read_flares(bspi_scene_builder *builder) {
    const bsp_map *map = builder->map;
    bsp_scene *scene = &builder->own->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < map->num_faces && i < map->num_face_lights; i++) {
        count += is_flare(map, i);
    }
    bsp_scene_flare *list =
        bspi_arena_zero(&builder->own->arena, count, sizeof *list, builder->error);
    scene->flares = list;
    for (uint32_t i = 0; list != NULL && scene->num_flares < count; i++) {
        const bsp_face_light *light = &map->face_lights[i];
        if (!is_flare(map, i)) {
            continue;
        }
        bsp_scene_flare *out = &list[scene->num_flares++];
        out->face = i;
        out->material = map->faces[i].material;
        memcpy(out->origin, light->origin, sizeof out->origin);
        memcpy(out->normal, light->vecs[2], sizeof out->normal);
        for (int axis = 0; axis < 3; axis++) {
            out->color[axis] = part_of(light->vecs[0][axis]);
        }
    }
    return list != NULL && bspi_meter_add(&builder->meter, map->num_faces);
}

bool bspi_scene_air(bspi_scene_builder *builder) {
    const bsp_map *map = builder->map;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!bspi_meter_add(&builder->meter, map->entities->list[i].num_pairs)) {
            return false;
        }
        read_entity(&(reader){builder, i}, &builder->own->scene);
    }
    return read_volumes(builder) && read_flares(builder);
}
