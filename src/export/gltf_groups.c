// SPDX-License-Identifier: MIT
// What stands in the map as nodes: one node for each kind, with a child for each that stands there.
// Children have places in the world, since the nodes that hold them are not moved.
#include "core/text.h"
#include "export/entity.h"
#include "export/gltf.h"
#include "export/solids.h"

#include <math.h>
#include <string.h>

#define NODE_STEPS 64u // of work for a node

/// The kinds, in the order of their nodes.
typedef enum kind {
    KIND_STATIC,
    KIND_ENTITY,
    KIND_DETAIL,
    KIND_ROOM,    ///< what is in the room of the sky, of any kind
    KIND_SOLID,   ///< what things collide with
    KIND_PORTAL,  ///< openings between clusters
    KIND_CUBEMAP, ///< from where cubemaps were taken
    KIND_DECAL,   ///< one mesh, without children
    KIND_AREA,    ///< of a navigation mesh
    KINDS,
} kind;

static const char *const names[KINDS] = {"static_props", "entity_models", "detail_props",
                                         "sky_room",     "collision",     "portals",
                                         "cubemaps",     "decals",        "nav_areas"};

// --- which --------------------------------------------------------------------------------------

static kind kind_of(const bspi_content *content, uint32_t prop) {
    if (content->room.found && content->room.props[prop] != 0) {
        return KIND_ROOM;
    }
    switch (content->scene->props[prop].kind) {
    case BSP_PROP_STATIC:
        return KIND_STATIC;
    case BSP_PROP_DETAIL:
        return KIND_DETAIL;
    case BSP_PROP_ENTITY:
        break;
    }
    return KIND_ENTITY;
}

static kind kind_of_static(const bspi_content *content, uint32_t number) {
    return content->room.found && content->room.statics[number] != 0 ? KIND_ROOM : KIND_STATIC;
}

// Returns true if the model of a prop is a node of a kind. Static props have nodes of their own.
static bool is_member(const bspi_content *content, uint32_t prop, kind which) {
    return content->of_prop[prop] != BSP_NONE && kind_of(content, prop) == which &&
           content->scene->props[prop].kind != BSP_PROP_STATIC;
}

// A kind of pieces that are counted, or written to a file.
typedef struct solids_of {
    const bspi_content *content;
    bspi_gltf *gltf; // NULL: they are counted
    kind which;
    uint32_t count;
} solids_of;

// Pieces in the room of the sky are left out: nothing gets there.
static bool is_counted(const solids_of *of, const bspi_solid_place *place) {
    bool portal = of->content->solids->list[place->solid].kind == BSPI_SOLID_PORTAL;
    return !place->in_room && portal == (of->which == KIND_PORTAL);
}

static bool count_solid(void *user, const bspi_solid_place *place, bsp_error *error) {
    solids_of *of = user;
    (void)error;
    of->count += is_counted(of, place);
    return true;
}

// Returns how many nodes of a kind there are. Static props have one whether their model is there or
// not.
static uint32_t count_kind(const bspi_content *content, kind which) {
    uint32_t count = 0;
    if (which == KIND_SOLID || which == KIND_PORTAL) {
        solids_of of = {.content = content, .which = which};
        (void)bspi_solids_each(content, count_solid, &of, NULL);
        return of.count;
    }
    if (which == KIND_CUBEMAP) {
        return content->map->num_cubemaps;
    }
    if (which == KIND_AREA) {
        return content->options->nav == NULL ? 0 : content->options->nav->num_areas;
    }
    if (which == KIND_DECAL || bspi_sky_room_hides(content, which == KIND_ROOM)) {
        return 0;
    }
    for (uint32_t i = 0; i < content->map->num_static_props; i++) {
        count += kind_of_static(content, i) == which;
    }
    for (uint32_t i = 0; i < content->scene->num_props; i++) {
        count += is_member(content, i, which);
    }
    return count;
}

bool bspi_gltf_in_room(const bspi_gltf *gltf, uint32_t entity) {
    const bspi_content *content = gltf->content;
    uint32_t instance = content->scene->of_entity[entity];
    return content->room.found && instance != BSP_NONE && content->room.instances[instance] != 0 &&
           !content->options->no_sky_room;
}

static bool has_kind(const bspi_gltf *gltf, kind which) {
    const bspi_content *content = gltf->content;
    bool room = which == KIND_ROOM && content->room.found && !content->options->no_sky_room;
    bool decals = which == KIND_DECAL && content->decals.shape != BSP_NONE;
    return room || decals || count_kind(content, which) != 0;
}

bool bspi_gltf_has_groups(const bspi_gltf *gltf) {
    bool any = false;
    for (kind k = KIND_STATIC; k < KINDS; k++) {
        any = any || has_kind(gltf, k);
    }
    return any;
}

// --- what they hold -----------------------------------------------------------------------------

// Returns the name of a file without folders and extension.
static bsp_text stem_of(bsp_text path) {
    size_t start = path.size;
    while (start > 0 && path.data[start - 1] != '/' && path.data[start - 1] != '\\') {
        start--;
    }
    bsp_text stem = {path.data + start, path.size - start};
    for (size_t i = stem.size; i > 0; i--) {
        if (stem.data[i - 1] == '.') {
            stem.size = i - 1;
            break;
        }
    }
    return stem;
}

static void write_scale(bsp_json *json, float scale) {
    if (isfinite(scale) && scale > 0 && scale != 1) {
        const float axes[3] = {scale, scale, scale};
        bsp_json_floats(json, "scale", axes, 3);
    }
}

// Where materials do not hold the light of a prop, writes it: factors of the displayed colour of
// what looks along x, -x, y, -y, z and -z of the file.
static void write_light(const bspi_gltf *gltf, const bsp_scene_prop *prop) {
    static const float normals[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 0, 1},
                                        {0, 0, -1}, {0, -1, 0}, {0, 1, 0}};
    if (gltf->content->options->light != BSP_EXPORT_LIGHT_UV) {
        return;
    }
    bsp_json_key(gltf->json, "light");
    bsp_json_array(gltf->json);
    for (int i = 0; i < 6; i++) {
        float light[3];
        bsp_scene_prop_light(gltf->content->scene, prop, normals[i], light);
        bsp_json_array(gltf->json);
        for (int c = 0; c < 3; c++) {
            bsp_json_float(gltf->json, isfinite(light[c]) ? light[c] : 0);
        }
        bsp_json_array_end(gltf->json);
    }
    bsp_json_array_end(gltf->json);
}

static void write_static_extras(const bspi_gltf *gltf, const bsp_static_prop *prop, bsp_text model,
                                const bsp_scene_prop *shown) {
    bsp_json *json = gltf->json;
    bsp_json_key(json, "extras");
    bsp_json_object(json);
    bsp_json_key(json, "classname");
    bsp_json_string(json, "prop_static");
    bsp_json_key(json, "model");
    bsp_json_text(json, model);
    bsp_json_key(json, "skin");
    bsp_json_int(json, prop->skin);
    bsp_json_key(json, "solid");
    bsp_json_uint(json, prop->solid);
    if (prop->fade_max > 0 && isfinite(prop->fade_min) && isfinite(prop->fade_max)) {
        const float fade[2] = {prop->fade_min, prop->fade_max};
        bsp_json_floats(json, "fade", fade, 2);
    }
    if (shown != NULL) {
        write_light(gltf, shown);
    }
    bsp_json_object_end(json);
}

// `shown` is BSP_NONE where its model is not there.
static void write_static(bspi_gltf *gltf, const bsp_static_prop *prop, uint32_t shown) {
    bsp_json *json = gltf->json;
    const bspi_content *content = gltf->content;
    const bsp_map *map = content->map;
    bool known = prop->model < map->num_static_prop_models;
    bsp_text model = known ? map->static_prop_models[prop->model] : bsp_text_of("");
    bsp_json_object(json);
    bsp_json_key(json, "name");
    bsp_json_text(json, stem_of(model).size != 0 ? stem_of(model) : bsp_text_of("static_prop"));
    bspi_gltf_place(gltf, prop->origin, bspi_turn_to_file(bspi_turn_of_angles(prop->angles)));
    write_scale(json, prop->scale);
    bool there = shown != BSP_NONE;
    if (there && content->of_prop[shown] != BSP_NONE) {
        bspi_gltf_mesh(gltf, content->of_prop[shown]);
    }
    write_static_extras(gltf, prop, model, there ? &content->scene->props[shown] : NULL);
    bsp_json_object_end(json);
    gltf->report->nodes++;
}

// The scene has static props in the map's order, without those whose model is missing.
static void write_statics(bspi_gltf *gltf, kind which) {
    const bsp_scene *scene = gltf->content->scene;
    uint32_t next = 0;
    for (uint32_t i = 0; i < gltf->content->map->num_static_props; i++) {
        while (next < scene->num_props &&
               (scene->props[next].kind != BSP_PROP_STATIC || scene->props[next].number < i)) {
            next++;
        }
        bool there = next < scene->num_props && scene->props[next].number == i;
        if (kind_of_static(gltf->content, i) == which) {
            write_static(gltf, &gltf->content->map->static_props[i], there ? next : BSP_NONE);
        }
    }
}

static bsp_text name_of(const bspi_content *content, const bsp_scene_prop *prop) {
    const bsp_entities *entities = content->map->entities;
    bool entity = prop->kind == BSP_PROP_ENTITY && entities != NULL;
    return entity && prop->number < entities->count
               ? bspi_entity_name(&entities->list[prop->number])
               : stem_of(content->scene->models[prop->model].name);
}

// How a sprite turns to the viewer.
static void write_facing(const bspi_gltf *gltf, uint32_t model) {
    static const char *const words[] = {[BSP_SPRITE_PARALLEL_UPRIGHT] = "parallel_upright",
                                        [BSP_SPRITE_FACING_UPRIGHT] = "facing_upright",
                                        [BSP_SPRITE_PARALLEL] = "parallel",
                                        [BSP_SPRITE_ORIENTED] = "oriented",
                                        [BSP_SPRITE_PARALLEL_ORIENTED] = "parallel_oriented",
                                        [BSP_SPRITE_FACING] = "facing"};
    if (bspi_model_turns(gltf->content, model)) {
        bsp_json_key(gltf->json, "facing");
        bsp_json_string(gltf->json, words[gltf->content->scene->models[model].mesh->facing]);
    }
}

static void write_prop(bspi_gltf *gltf, uint32_t number) {
    bsp_json *json = gltf->json;
    const bspi_content *content = gltf->content;
    const bsp_scene_prop *prop = &content->scene->props[number];
    const float origin[3] = {prop->place[0][3], prop->place[1][3], prop->place[2][3]};
    bsp_json_object(json);
    bsp_json_key(json, "name");
    bsp_json_text(json, name_of(content, prop));
    bspi_gltf_place(gltf, origin, bspi_turn_to_file(bspi_turn_of_place(prop->place)));
    write_scale(json, prop->scale);
    bspi_gltf_mesh(gltf, content->of_prop[number]);
    bsp_json_key(json, "extras");
    bsp_json_object(json);
    bsp_json_key(json, prop->kind == BSP_PROP_ENTITY ? "entity" : "detail_prop");
    bsp_json_uint(json, prop->number);
    bsp_json_key(json, "model");
    bsp_json_text(json, content->scene->models[prop->model].name);
    write_facing(gltf, prop->model);
    write_light(gltf, prop);
    bsp_json_object_end(json);
    bsp_json_object_end(json);
    gltf->report->nodes++;
}

static bool write_solid(void *user, const bspi_solid_place *place, bsp_error *error) {
    const solids_of *of = user;
    bspi_gltf *gltf = of->gltf;
    const bspi_content *content = gltf->content;
    char name[BSPI_SOLID_NAME];
    (void)error;
    if (!is_counted(of, place)) {
        return true;
    }
    bspi_solid_name(content, &content->solids->list[place->solid], name);
    bsp_json_object(gltf->json);
    bsp_json_key(gltf->json, "name");
    bsp_json_string(gltf->json, name);
    bspi_gltf_place(gltf, place->origin, bspi_turn_to_file(place->turn));
    write_scale(gltf->json, place->scale);
    bspi_gltf_mesh(gltf, content->first_solid + place->solid);
    bsp_json_object_end(gltf->json);
    gltf->report->nodes++;
    return true;
}

// Empty nodes: what was seen from there is in pictures, not in the scene.
static void write_cubemaps(bspi_gltf *gltf) {
    static const bspi_turn none = {{0, 0, 0, 1}};
    const bsp_scene *scene = gltf->content->scene;
    for (uint32_t i = 0; i < scene->num_marks; i++) {
        const bsp_scene_mark *mark = &scene->marks[i];
        if (mark->cubemap == BSP_NONE) {
            continue;
        }
        uint32_t size = scene->map->cubemaps[mark->cubemap].size;
        char name[24] = "cubemap.";
        name[8 + bspi_format_uint(name + 8, mark->cubemap)] = '\0';
        bsp_json_object(gltf->json);
        bsp_json_key(gltf->json, "name");
        bsp_json_string(gltf->json, name);
        bspi_gltf_place(gltf, mark->origin, none);
        bsp_json_key(gltf->json, "extras");
        bsp_json_object(gltf->json);
        bsp_json_key(gltf->json, "cubemap");
        bsp_json_uint(gltf->json, mark->cubemap);
        bsp_json_key(gltf->json, "size");
        bsp_json_uint(gltf->json, size == 0 || size > 31 ? 0 : 1u << (size - 1));
        bsp_json_object_end(gltf->json);
        bsp_json_object_end(gltf->json);
        gltf->report->nodes++;
    }
}

// A unit above the floor, in which they lie.
static void write_areas(bspi_gltf *gltf) {
    static const bspi_turn none = {{0, 0, 0, 1}};
    static const float up[3] = {0, 0, 1};
    const bsp_nav *nav = gltf->content->options->nav;
    for (uint32_t i = 0; nav != NULL && i < nav->num_areas; i++) {
        const bsp_nav_area *area = &nav->areas[i];
        char name[32];
        bspi_area_name(area->id, name);
        bsp_json_object(gltf->json);
        bsp_json_key(gltf->json, "name");
        bsp_json_string(gltf->json, name);
        bspi_gltf_place(gltf, up, none);
        bspi_gltf_mesh(gltf, gltf->content->first_area + i);
        bsp_json_key(gltf->json, "extras");
        bsp_json_object(gltf->json);
        bsp_json_key(gltf->json, "nav_area");
        bsp_json_uint(gltf->json, area->id);
        bsp_json_key(gltf->json, "flags");
        bsp_json_uint(gltf->json, area->flags);
        if (area->place < nav->num_places) {
            bsp_json_key(gltf->json, "place");
            bsp_json_text(gltf->json, nav->places[area->place]);
        }
        bsp_json_object_end(gltf->json);
        bsp_json_object_end(gltf->json);
        gltf->report->nodes++;
    }
}

static void write_members(bspi_gltf *gltf, kind which) {
    const bspi_content *content = gltf->content;
    if (which == KIND_DECAL || bspi_sky_room_hides(content, which == KIND_ROOM)) {
        return;
    }
    if (which == KIND_SOLID || which == KIND_PORTAL) {
        solids_of of = {.content = content, .gltf = gltf, .which = which};
        (void)bspi_solids_each(content, write_solid, &of, NULL);
        return;
    }
    if (which == KIND_CUBEMAP) {
        write_cubemaps(gltf);
        return;
    }
    if (which == KIND_AREA) {
        write_areas(gltf);
        return;
    }
    write_statics(gltf, which);
    for (uint32_t i = 0; i < content->scene->num_props; i++) {
        if (is_member(content, i, which)) {
            write_prop(gltf, i);
        }
    }
}

// --- the nodes ----------------------------------------------------------------------------------

// The room, whose origin is that of the world to the eye, with its part of the world.
static void write_room(bspi_gltf *gltf) {
    static const bspi_turn none = {{0, 0, 0, 1}};
    const bspi_sky_room *room = &gltf->content->room;
    float origin[3];
    for (int i = 0; i < 3; i++) {
        origin[i] = -room->origin[i] * room->scale;
    }
    bspi_gltf_place(gltf, origin, none);
    write_scale(gltf->json, room->scale);
    if (room->shape != BSP_NONE) {
        bspi_gltf_mesh(gltf, room->shape);
    }
}

static uint32_t count_entities(const bspi_gltf *gltf) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < gltf->content->scene->num_of_entity; i++) {
        count += bspi_gltf_in_room(gltf, i);
    }
    return count;
}

static void write_group(bspi_gltf *gltf, kind which, uint32_t first, uint32_t count) {
    bsp_json *json = gltf->json;
    bsp_json_object(json);
    bsp_json_key(json, "name");
    bsp_json_string(json, names[which]);
    if (which == KIND_ROOM) {
        write_room(gltf);
    }
    if (which == KIND_DECAL) {
        bspi_gltf_mesh(gltf, gltf->content->decals.shape);
    }
    if (count != 0 || (which == KIND_ROOM && count_entities(gltf) != 0)) {
        bsp_json_key(json, "children");
        bsp_json_array(json);
        for (uint32_t i = 0; which == KIND_ROOM && i < gltf->content->scene->num_of_entity; i++) {
            if (bspi_gltf_in_room(gltf, i)) {
                bsp_json_uint(json, i);
            }
        }
        for (uint32_t i = 0; i < count; i++) {
            bsp_json_uint(json, first + i);
        }
        bsp_json_array_end(json);
    }
    bsp_json_object_end(json);
    gltf->report->nodes++;
}

bool bspi_gltf_groups(bspi_gltf *gltf, bsp_error *error) {
    uint32_t counts[KINDS];
    uint32_t groups = 0;
    uint64_t members = 0;
    for (kind k = KIND_STATIC; k < KINDS; k++) {
        counts[k] = count_kind(gltf->content, k);
        groups += has_kind(gltf, k);
        members += counts[k];
    }
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&gltf->content->heap;
    if (!bspi_heap_work(heap, NODE_STEPS * members, error)) {
        return false;
    }
    gltf->num_roots = gltf->report->nodes + groups;
    uint32_t first = gltf->num_roots;
    for (kind k = KIND_STATIC; k < KINDS; k++) {
        if (has_kind(gltf, k)) {
            write_group(gltf, k, first, counts[k]);
        }
        first += counts[k];
    }
    for (kind k = KIND_STATIC; k < KINDS; k++) {
        write_members(gltf, k);
    }
    return true;
}
