// SPDX-License-Identifier: MIT
// Props: which models stand where, of entities and of static props.
#include "scene/props.h"

#include "core/text.h"
#include "formats/source_flags.h"
#include "map/entity.h"
#include "scene/prop_builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DROP 256.0F // how far items fall, at most
#define ITEM 15.0F  // half of an item's box

// --- places -------------------------------------------------------------------------------------

static const bsp_trace_index *trace_index(bspi_prop_builder *b) {
    if (b->index == NULL && !b->no_index) {
        const bsp_trace_options options = {.allocator = b->scene->options->allocator,
                                           .budget = b->scene->options->budget};
        bsp_error why;
        b->index = bsp_trace_index_new(b->scene->map, &options, &why);
        b->no_index = b->index == NULL;
    }
    return b->index;
}

// An item falls until its box stands on something; one that begins in a wall or hangs too high
// stays.
static void drop(bspi_prop_builder *b, float origin[3]) {
    const bsp_trace_index *index = trace_index(b);
    if (index == NULL) {
        return;
    }
    bsp_trace_input input = {
        .mins = {-ITEM, -ITEM, -ITEM}, .maxs = {ITEM, ITEM, ITEM}, .model = BSP_TRACE_ALL};
    memcpy(input.start, origin, sizeof input.start);
    memcpy(input.end, origin, sizeof input.end);
    input.start[2] += 1;
    input.end[2] -= DROP;
    bsp_trace_result result;
    bsp_trace(index, &input, &result);
    if (!result.start_solid && result.fraction < 1) {
        origin[2] = result.end[2];
    }
}

// The fade of an entity, by its keys (Source); it is measured from the middle of its box. A least
// distance below 0 counts from the greatest one, and the two may be exchanged: c_baseentity and
// cdll_util of the SDK.
static void fade_entity(const bsp_entity *entity, const bsp_model_mesh *mesh,
                        bsp_scene_prop *prop) {
    float range[2] = {0, 0};
    float middle[3];
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (mesh->mins[axis] + mesh->maxs[axis]) / 2;
    }
    bspi_prop_to_world(prop, middle, prop->fade_point);
    bool given = bsp_parse_float(bsp_entity_value(entity, "fademaxdist"), &range[1]);
    given = bsp_parse_float(bsp_entity_value(entity, "fademindist"), &range[0]) || given;
    if (!given || !isfinite(range[0]) || !isfinite(range[1]) || (range[0] <= 0 && range[1] <= 0)) {
        return;
    }
    int far = range[0] > range[1] ? 0 : 1;
    float least = range[1 - far] < 0 ? range[far] + range[1 - far] : range[1 - far];
    prop->fade_min = least > 0 ? least : 0;
    prop->fade_max = range[far];
}

// --- entities -----------------------------------------------------------------------------------

// The tint of a sprite, and whether it glows: CSprite of the SDK, R_GlowBlend; so does GoldSrc. A
// black tint is none there.
static void look_as_sprite(const bsp_map *map, const bsp_entity *entity, bsp_scene_prop *prop) {
    enum { GLOW = 3, NO_DISSIPATION = 14 };
    float color[3];
    if (!map->traits->look.modes) {
        return;
    }
    prop->glow = bspi_entity_float(entity, "rendermode", 0) == GLOW &&
                 bspi_entity_float(entity, "renderfx", 0) != NO_DISSIPATION;
    bool tinted = bsp_parse_vector(bsp_entity_value(entity, "rendercolor"), color) &&
                  (color[0] > 0 || color[1] > 0 || color[2] > 0);
    for (int i = 0; tinted && i < 3; i++) {
        prop->color[i] = color[i] > 0 ? color[i] < 255 ? (uint8_t)color[i] : 255 : 0;
    }
}

// The frame that a sprite shows at the moment of the state: "framerate" a second, from "frame" on.
static uint32_t frame_at(const bspi_prop_builder *b, const bsp_entity *entity,
                         const bsp_model_info *info, uint32_t first) {
    const bsp_scene_state *state = b->scene->options->state;
    double frames = info->num_frames;
    double rate = (double)bspi_entity_float(entity, "framerate", 0);
    double time = state == NULL || !isfinite(state->time) ? 0 : (double)state->time;
    return rate > 0 && time > 0 && frames > 1 ? (uint32_t)fmod(first + floor(rate * time), frames)
                                              : first;
}

// Finds what an entity shows at the moment of the state.
static bool find_shown(bspi_prop_builder *b, const bsp_entity *entity, bspi_shown *shown,
                       const bspi_prop_variant **out) {
    if (!bspi_prop_find(b, shown, out)) {
        return false;
    }
    if ((*out)->model == BSP_NONE || !b->models[(*out)->model].mesh->sprite) {
        return true;
    }
    uint32_t frame = frame_at(b, entity, b->models[(*out)->model].info, shown->frame);
    bool same = frame == shown->frame;
    shown->frame = frame;
    return same || bspi_prop_find(b, shown, out);
}

static bool add_entity(bspi_prop_builder *b, uint32_t number) {
    const bsp_map *map = b->scene->map;
    const bsp_entity *entity;
    bspi_shown shown;
    if (!bspi_state_entity(b->scene, number, &entity) ||
        !bspi_meter_add(&b->scene->meter, 1 + (uint64_t)entity->num_pairs)) {
        return false;
    }
    bool is_rope;
    if (!bspi_props_rope(b, entity, number, &is_rope)) {
        return false;
    }
    if (is_rope || !bspi_entity_shows(b->scene, entity, &shown)) {
        return true;
    }
    const bspi_prop_variant *v;
    if (!find_shown(b, entity, &shown, &v)) {
        return false;
    }
    bsp_scene_prop *prop = bspi_prop_begin_variant(b, v, BSP_PROP_ENTITY, number);
    if (prop == NULL) {
        return true;
    }
    const bsp_model_info *info = b->models[v->model].info;
    bsp_placement place = bsp_entity_placement(map, entity);
    bool own_place = place.model == BSP_NONE;
    float angles[3];
    memcpy(angles, place.angles, sizeof angles);
    angles[0] *= own_place && info->format->pitch_negated != shown.pitch_negated ? -1.0F : 1.0F;
    angles[2] *= own_place && info->format->roll_negated ? -1.0F : 1.0F;
    if (shown.drops) {
        drop(b, place.origin);
    }
    bspi_prop_place(prop, place.origin, angles, shown.scale);
    prop->look = bsp_entity_look_of(map, entity);
    prop->shown = bspi_entity_is_drawn(map, entity);
    if (b->models[v->model].mesh->sprite) {
        look_as_sprite(map, entity, prop);
    }
    bspi_entity_solid(map, entity, &b->models[v->model], prop);
    fade_entity(entity, b->models[v->model].mesh, prop);
    float point[3];
    bspi_prop_to_world(prop, info->illumination, point);
    bspi_prop_light(b, prop, point);
    return true;
}

// --- static props -------------------------------------------------------------------------------

static void place_static(bspi_prop_builder *b, const bsp_static_prop *from, bsp_scene_prop *prop) {
    enum { FADES = 1, LIT_AT_POINT = 2, NO_DRAW = 4, FADES_BY_SIZE = 0x20 };
    const bsp_model_info *info = b->models[prop->model].info;
    float point[3];
    bspi_prop_place(prop, from->origin, from->angles, from->scale > 0 ? from->scale : 1);
    // Those that fade by their size on the screen do not fade here.
    bool fades = (from->flags & (FADES | FADES_BY_SIZE)) == FADES && from->fade_max > 0;
    prop->fade_min = fades && from->fade_min > 0 ? from->fade_min : 0;
    prop->fade_max = fades ? from->fade_max : 0;
    memcpy(prop->fade_point, from->origin, sizeof prop->fade_point);
    bspi_static_solid(&b->models[prop->model], from->solid, prop);
    for (int i = 0; i < 4; i++) { // versions without a colour have zeros
        uint32_t set = (uint32_t)from->color[0] | from->color[1] | from->color[2];
        prop->color[i] = set == 0 ? 255 : from->color[i];
    }
    bspi_prop_to_world(prop, info->illumination, point);
    bool stated = (from->flags & LIT_AT_POINT) != 0;
    bspi_prop_light(b, prop, stated ? from->lighting_origin : point);
}

// Reads the light of a static prop's vertices from the map's pak, where there is some that fits.
// Maps with both kinds of light keep the file of each under a name of its own.
static bool read_vertex_light(bspi_prop_builder *b, const char *name, bsp_scene_prop *prop) {
    const bsp_scene_model *model = &b->models[prop->model];
    const bsp_model_open_options options = {.allocator = b->scene->options->allocator,
                                            .budget = b->scene->options->budget};
    bsp_error why = {.code = BSP_OK};
    bsp_blob blob;
    if (bsp_search_find(b->search, bsp_text_of(name)) == NULL) {
        return true;
    }
    if (!bsp_search_read(b->search, bsp_text_of(name), &blob, &why)) {
        return !bspi_out_of_memory(&why, b->error);
    }
    bsp_bytes bytes = {blob.data, blob.size};
    bsp_model_file *file = bsp_model_file_open_memory(bytes, name, &options, &why);
    uint32_t count = model->mesh->num_vertices;
    uint8_t(*colors)[4] =
        file == NULL ? NULL : bspi_arena_raw(&b->scene->own->arena, count, sizeof *colors, &why);
    if (colors != NULL && bspi_meter_add(&b->scene->meter, count) &&
        bsp_model_vertex_light(bspi_prop_asset(b, model->info), model->mesh, file, colors, &why)) {
        prop->vertex_light = (const uint8_t(*)[4])colors;
    }
    bsp_model_file_close(file);
    bsp_blob_free(&blob);
    return !b->scene->meter.failed && !bspi_out_of_memory(&why, b->error);
}

static bool add_vertex_light(bspi_prop_builder *b, const bsp_static_prop *from, uint32_t number,
                             bsp_scene_prop *prop) {
    static const char *const names[] = {"sp_%u.vhv", "sp_hdr_%u.vhv"};
    char name[32];
    bool done = true;
    if (b->scene->options->full_bright || (from->flags & BSPI_PROP_NO_VERTEX_LIGHT) != 0) {
        return true;
    }
    for (int i = 0; done && i < 2 && prop->vertex_light == NULL; i++) {
        int kind = b->scene->options->hdr ? 1 - i : i;
        snprintf(name, sizeof name, names[kind], (unsigned)number);
        done = read_vertex_light(b, name, prop);
    }
    return done;
}

static bool add_static(bspi_prop_builder *b, uint32_t number) {
    const bsp_map *map = b->scene->map;
    const bsp_static_prop *from = &map->static_props[number];
    if (from->model >= map->num_static_prop_models) {
        return true;
    }
    const bspi_shown shown = {.path = map->static_prop_models[from->model],
                              .skin = from->skin > 0 ? (uint32_t)from->skin : 0,
                              .scale = 1};
    const bspi_prop_variant *v;
    if (!bspi_prop_find(b, &shown, &v) || !bspi_meter_add(&b->scene->meter, 1)) {
        return false;
    }
    bsp_scene_prop *prop = bspi_prop_begin_variant(b, v, BSP_PROP_STATIC, number);
    if (prop != NULL) {
        place_static(b, from, prop);
    }
    return prop == NULL || add_vertex_light(b, from, number, prop);
}

// --- the list -----------------------------------------------------------------------------------

static bool allocate(bspi_prop_builder *b) {
    const bsp_map *map = b->scene->map;
    uint64_t count = (map->entities == NULL ? 0 : (uint64_t)map->entities->count);
    count += map->num_static_props;
    count += b->scene->options->details ? map->num_detail_props : 0;
    b->num_slots = 64;
    while (b->num_slots < count && b->num_slots < (1u << 16)) {
        b->num_slots *= 2;
    }
    b->slots = bspi_heap_alloc(b->heap, b->num_slots * sizeof *b->slots, b->error);
    b->props = bspi_arena_raw(&b->scene->own->arena, (size_t)count, sizeof *b->props, b->error);
    for (uint32_t i = 0; b->slots != NULL && i < b->num_slots; i++) {
        b->slots[i] = BSPI_NO_SLOT;
    }
    return b->slots != NULL && b->props != NULL;
}

static bool add_all(bspi_prop_builder *b) {
    const bsp_map *map = b->scene->map;
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    bool done = allocate(b);
    for (uint32_t i = 0; done && i < entities; i++) {
        done = add_entity(b, i);
    }
    for (uint32_t i = 0; done && i < map->num_static_props; i++) {
        done = add_static(b, i);
    }
    return done && (!b->scene->options->details || bspi_props_details(b));
}

// Gives the lists to the scene, which frees them with the meshes of the models.
static void hand_over(bspi_prop_builder *b) {
    bspi_scene *own = b->scene->own;
    own->models = b->models;
    own->room_models = b->room_models;
    own->missing = b->missing;
    own->room_missing = b->room_missing;
    own->scene.models = b->models;
    own->scene.num_models = (uint32_t)b->num_models;
    own->scene.props = b->props;
    own->scene.num_props = (uint32_t)b->num_props;
    own->scene.missing = b->missing;
    own->scene.num_missing = (uint32_t)b->num_missing;
}

bool bspi_scene_props(bspi_scene_builder *builder) {
    bspi_prop_builder b = {.scene = builder,
                           .heap = &builder->own->heap,
                           .error = builder->error,
                           .search = bsp_textures_search(builder->options->textures)};
    bool done = add_all(&b);
    bsp_trace_index_free(b.index);
    bspi_heap_free(b.heap, b.slots, b.num_slots * sizeof *b.slots);
    bspi_heap_free(b.heap, b.variants, b.room_variants * sizeof *b.variants);
    hand_over(&b);
    return done;
}

const bsp_model_asset *bspi_scene_asset(const bsp_scene *scene, uint32_t model) {
    const bspi_scene *own = (const bspi_scene *)(const void *)scene;
    const bsp_model_asset *found = NULL;
    for (size_t i = 0; i < own->num_open && found == NULL; i++) {
        bool is = bsp_model_get_info(own->open[i]) == scene->models[model].info;
        found = is ? own->open[i] : NULL;
    }
    return found;
}

void bspi_scene_props_free(bspi_scene *own) {
    for (uint32_t i = 0; i < own->scene.num_models; i++) {
        bsp_model_mesh_free((bsp_model_mesh *)(uintptr_t)own->models[i].mesh);
    }
    for (size_t i = 0; i < own->num_open; i++) {
        bsp_model_close(own->open[i]);
    }
    bspi_heap_free(&own->heap, own->models, own->room_models * sizeof *own->models);
    bspi_heap_free(&own->heap, own->ropes, own->room_ropes * sizeof *own->ropes);
    bspi_heap_free(&own->heap, own->missing, own->room_missing * sizeof *own->missing);
    bspi_heap_free(&own->heap, own->open, own->room_open * sizeof(*own->open));
}
