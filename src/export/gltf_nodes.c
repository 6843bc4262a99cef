// SPDX-License-Identifier: MIT
// Nodes: entities, and models without an entity; and the lights of the entities
// (KHR_lights_punctual).
#include "core/text.h"
#include "export/entity.h"
#include "export/gltf.h"

#include <math.h>
#include <string.h>

// Work per entity: some tens of keys are searched.
#define ENTITY_STEPS 64u
#define PAIR_STEPS 64u
// Of the green light at which the eye is best: the candela's definition, and what Blender counts
// for a watt.
#define LUMENS_PER_WATT 683.0F

static uint32_t num_entities(const bspi_content *content) {
    return content->map->entities == NULL ? 0 : content->map->entities->count;
}

static uint32_t num_suns(const bspi_content *content) {
    return content->options->lights == BSP_EXPORT_LIGHTS_NONE ? 0 : content->num_suns;
}

// Gives the light of an entity. Returns false if it has none, or none are written.
static bool light_of(const bspi_content *content, const bsp_entity *entity, bspi_light *out) {
    return content->options->lights != BSP_EXPORT_LIGHTS_NONE &&
           bspi_light_of(content->map, &content->targets, entity, content->scale, out);
}

uint32_t bspi_gltf_count_lights(const bspi_content *content) {
    uint32_t count = num_suns(content);
    for (uint32_t i = 0; i < num_entities(content); i++) {
        bspi_light light;
        count += light_of(content, &content->map->entities->list[i], &light);
    }
    return count;
}

// The name of a light ends in its number, because some readers (Assimp) need a different node name
// for each light.
static bool write_name(const bspi_gltf *gltf, const bsp_entity *entity, bool shines,
                       bsp_error *error) {
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&gltf->content->heap;
    bsp_text name = bspi_entity_name(entity);
    bsp_json_key(gltf->json, "name");
    if (!shines) {
        bsp_json_text(gltf->json, name);
        return true;
    }
    size_t room = name.size + 24;
    char *numbered = bspi_heap_alloc(heap, room, error);
    if (numbered == NULL) {
        return false;
    }
    memcpy(numbered, name.data, name.size);
    numbered[name.size] = '.';
    size_t size = name.size + 1;
    size += bspi_format_uint(numbered + size, gltf->report->lights);
    bsp_json_text(gltf->json, (bsp_text){numbered, size});
    bspi_heap_free(heap, numbered, room);
    return true;
}

static void write_light_number(bspi_gltf *gltf) {
    bsp_json *json = gltf->json;
    bsp_json_key(json, "extensions");
    bsp_json_object(json);
    bsp_json_key(json, "KHR_lights_punctual");
    bsp_json_object(json);
    bsp_json_key(json, "light");
    bsp_json_uint(json, gltf->report->lights++);
    bsp_json_object_end(json);
    bsp_json_object_end(json);
}

static bool has_mesh(const bspi_gltf *gltf, uint32_t instance) {
    const bspi_content *content = gltf->content;
    return instance != BSP_NONE &&
           bspi_instance_written(content, &content->scene->instances[instance]) &&
           gltf->mesh_of[content->of_instance[instance]] != BSP_NONE;
}

// Writes the mesh of an instance.
static void write_instance(const bspi_gltf *gltf, uint32_t instance) {
    const bspi_content *content = gltf->content;
    if (bspi_instance_written(content, &content->scene->instances[instance])) {
        bspi_gltf_mesh(gltf, content->of_instance[instance]);
    }
}

static bool write_entity(bspi_gltf *gltf, uint32_t number, bsp_error *error) {
    bsp_json *json = gltf->json;
    const bsp_map *map = gltf->content->map;
    const bsp_entity *entity = &map->entities->list[number];
    uint32_t instance = gltf->content->scene->of_entity[number];
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&gltf->content->heap;
    if (!bspi_heap_work(heap, ENTITY_STEPS + PAIR_STEPS * (uint64_t)entity->num_pairs, error)) {
        return false;
    }
    bsp_placement place = bsp_entity_placement(map, entity);
    bspi_stand stand = bspi_stand_of(&place);
    const bsp_scene_mark *mark = bspi_notes_at(&gltf->notes, number);
    if (mark != NULL && !has_mesh(gltf, instance)) { // in the middle of what it fills
        memcpy(stand.origin, mark->origin, sizeof stand.origin);
    }
    bspi_turn turn = bspi_turn_to_file(stand.turn);
    bspi_light light;
    bool shines = light_of(gltf->content, entity, &light);
    if (shines) { // a point light has no direction
        bool aimed = light.kind != BSPI_LIGHT_POINT;
        turn = aimed ? bspi_turn_to_look(light.direction) : (bspi_turn){{0, 0, 0, 1}};
    }
    bsp_json_object(json);
    bool done = write_name(gltf, entity, shines, error);
    bspi_gltf_place(gltf, stand.origin, turn);
    if (instance != BSP_NONE) {
        write_instance(gltf, instance);
    }
    if (shines) {
        write_light_number(gltf);
    }
    bsp_json_key(json, "extras");
    bsp_json_object(json);
    done = bspi_entity_extras(entity, gltf->content->options->allocator, json, error) && done;
    bool own = bsp_entity_value(entity, BSPI_NOTES).data != NULL;
    bspi_notes_write(&gltf->notes, number, own, json);
    bsp_json_object_end(json);
    bsp_json_object_end(json);
    gltf->report->nodes++;
    return done;
}

static void write_sun(bspi_gltf *gltf, const bspi_light *sun) {
    char name[32] = "sun.";
    bsp_json_object(gltf->json);
    bsp_json_key(gltf->json, "name");
    size_t size = 4 + bspi_format_uint(name + 4, gltf->report->lights);
    bsp_json_text(gltf->json, (bsp_text){name, size});
    bsp_json_floats(gltf->json, "rotation", bspi_turn_to_look(sun->direction).q, 4);
    write_light_number(gltf);
    bsp_json_object_end(gltf->json);
    gltf->report->nodes++;
}

// Writes models with triangles that have no entity, where the file has them.
static void write_rest(bspi_gltf *gltf) {
    const bsp_scene *scene = gltf->content->scene;
    for (uint32_t i = 0; i < scene->num_instances; i++) {
        uint32_t shape = gltf->content->of_instance[i];
        if (scene->instances[i].entity == BSP_NONE && gltf->mesh_of[shape] != BSP_NONE) {
            char name[16];
            bsp_json_object(gltf->json);
            bsp_json_key(gltf->json, "name");
            bspi_model_name(scene->instances[i].model, name);
            bsp_json_string(gltf->json, name);
            bspi_gltf_mesh(gltf, shape);
            bsp_json_object_end(gltf->json);
            gltf->report->nodes++;
        }
    }
}

// --- lights -------------------------------------------------------------------------------------

static void write_light(const bspi_gltf *gltf, const bspi_light *light) {
    bsp_json *json = gltf->json;
    bool plain = gltf->content->options->lights == BSP_EXPORT_LIGHTS_PLAIN;
    float intensity = light->intensity * (plain ? 1 : LUMENS_PER_WATT);
    static const char *const types[] = {"point", "spot", "directional"};
    bsp_json_object(json);
    bsp_json_key(json, "type");
    bsp_json_string(json, types[light->kind]);
    bsp_json_floats(json, "color", light->color, 3);
    bsp_json_key(json, "intensity");
    bsp_json_float(json, isfinite(intensity) ? intensity : light->intensity);
    if (light->range > 0) {
        bsp_json_key(json, "range");
        bsp_json_float(json, light->range);
    }
    if (light->kind == BSPI_LIGHT_SPOT) {
        bsp_json_key(json, "spot");
        bsp_json_object(json);
        bsp_json_key(json, "innerConeAngle");
        bsp_json_float(json, light->cone[0]);
        bsp_json_key(json, "outerConeAngle");
        bsp_json_float(json, light->cone[1]);
        bsp_json_object_end(json);
    }
    bsp_json_object_end(json);
}

static void write_lights(const bspi_gltf *gltf) {
    bsp_json *json = gltf->json;
    bsp_json_key(json, "extensions");
    bsp_json_object(json);
    bsp_json_key(json, "KHR_lights_punctual");
    bsp_json_object(json);
    bsp_json_key(json, "lights");
    bsp_json_array(json);
    for (uint32_t i = 0; i < num_entities(gltf->content); i++) {
        bspi_light light;
        const bsp_entity *entity = &gltf->content->map->entities->list[i];
        if (light_of(gltf->content, entity, &light)) {
            write_light(gltf, &light);
        }
    }
    for (uint32_t i = 0; i < num_suns(gltf->content); i++) {
        write_light(gltf, &gltf->content->suns[i]);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
    bsp_json_object_end(json);
}

static void write_scene(const bspi_gltf *gltf) {
    bsp_json *json = gltf->json;
    bsp_json_key(json, "scenes");
    bsp_json_array(json);
    bsp_json_object(json);
    if (gltf->report->nodes != 0) { // glTF has no empty lists
        bsp_json_key(json, "nodes");
        bsp_json_array(json);
        for (uint32_t i = 0; i < gltf->num_roots; i++) {
            if (i >= num_entities(gltf->content) || !bspi_gltf_in_room(gltf, i)) {
                bsp_json_uint(json, i);
            }
        }
        bsp_json_array_end(json);
    }
    bsp_json_object_end(json);
    bsp_json_array_end(json);
}

static bool has_nodes(const bspi_gltf *gltf) {
    return num_entities(gltf->content) != 0 || num_suns(gltf->content) != 0 ||
           gltf->content->num_parts != 0 || bspi_gltf_has_groups(gltf);
}

bool bspi_gltf_nodes(bspi_gltf *gltf, bsp_error *error) {
    bool done = true;
    if (has_nodes(gltf)) {
        bsp_json_key(gltf->json, "nodes");
        bsp_json_array(gltf->json);
        for (uint32_t i = 0; done && i < num_entities(gltf->content); i++) {
            done = write_entity(gltf, i, error);
        }
        for (uint32_t i = 0; done && i < num_suns(gltf->content); i++) {
            write_sun(gltf, &gltf->content->suns[i]);
        }
        write_rest(gltf);
        done = done && bspi_gltf_groups(gltf, error);
        bsp_json_array_end(gltf->json);
    }
    write_scene(gltf);
    if (gltf->report->lights != 0) {
        write_lights(gltf);
    }
    return done;
}
