// SPDX-License-Identifier: MIT
// Texts of JSON about a map: what it is, its scene, its entities, its problems, its lumps.
#include "session.h"

#include <stdlib.h>
#include <string.h>

static void begin(bsp_json *json) {
    bv_answer_begin();
    bsp_json_begin(json, bv_answer_add, NULL);
}

// --- what it is ---------------------------------------------------------------------------------

static void put_lump(bsp_json *json, const bsp_lump *lump, uint32_t number) {
    bsp_json_object(json);
    cli_json_uint(json, "number", number);
    bv_json_string(json, "name", lump->name);
    cli_json_uint(json, "offset", lump->offset);
    cli_json_uint(json, "size", lump->size);
    cli_json_uint(json, "version", lump->version);
    cli_json_bool(json, "compressed", lump->compressed);
    bsp_json_object_end(json);
}

static void put_hulls(bsp_json *json, const bsp_traits *traits) {
    bsp_json_key(json, "hulls");
    bsp_json_array(json);
    for (uint32_t i = 0; i < traits->num_hulls; i++) {
        bsp_json_object(json);
        bsp_json_floats(json, "mins", traits->hulls[i].mins, 3);
        bsp_json_floats(json, "maxs", traits->hulls[i].maxs, 3);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

/// Answers with what the file is, its lumps, and the view that it begins with.
BV_API int bv_info(const bv_session *s) {
    const bsp_file_info *info = bsp_file_get_info(s->file);
    const bsp_branch *branch = s->map->branch;
    const bsp_traits *traits = s->map->traits;
    bsp_view view = {0};
    bsp_json json;
    begin(&json);
    bsp_json_object(&json);
    bv_json_string(&json, "name", s->name);
    cli_json_uint(&json, "size", info->bytes.size);
    bv_json_string(&json, "branch", branch->name);
    bv_json_string(&json, "title", branch->title);
    bv_json_string(&json, "family", bsp_family_name(branch->family));
    cli_json_uint(&json, "version", info->detection.version);
    cli_json_uint(&json, "entities", s->map->entities->count);
    cli_json_uint(&json, "faces", s->map->num_faces);
    cli_json_uint(&json, "brushes", s->map->num_brushes);
    cli_json_uint(&json, "leaves", s->map->num_leaves);
    cli_json_uint(&json, "clusters", s->map->visibility.num_clusters);
    cli_json_uint(&json, "models", s->map->num_models);
    cli_json_float(&json, "eyeHeight", traits->eye_height);
    cli_json_bool(&json, "contentsNumbers", traits->contents_numbers);
    cli_json_bool(&json, "canEdit", true);
    bsp_view_start(s->map, &view);
    bsp_json_floats(&json, "from", view.from, 3);
    bsp_json_floats(&json, "angles", view.angles, 3);
    put_hulls(&json, traits);
    bsp_json_key(&json, "lumps");
    bsp_json_array(&json);
    for (uint32_t i = 0; i < info->num_lumps; i++) {
        put_lump(&json, bsp_file_lump(s->file, i), i);
    }
    bsp_json_array_end(&json);
    bsp_json_object_end(&json);
    return bsp_json_flush(&json);
}

// --- the scene ----------------------------------------------------------------------------------

static void put_mirror(bsp_json *json, const bv_mirror *mirror) {
    if (mirror == NULL) {
        return;
    }
    bsp_json_key(json, "mirror");
    bsp_json_object(json);
    bsp_json_floats(json, "tint", mirror->tint, 3);
    cli_json_float(json, "contrast", mirror->contrast);
    cli_json_float(json, "saturation", mirror->saturation);
    cli_json_float(json, "fresnel", mirror->fresnel);
    cli_json_bool(json, "masked", mirror->masked);
    bsp_json_object_end(json);
}

static void put_material(bsp_json *json, const bv_session *s, uint32_t number) {
    const bsp_scene_material *material = &s->scene->materials[number];
    bsp_json_object(json);
    cli_json_text(json, "name", material->name);
    cli_json_bool(json, "used", material->used);
    cli_json_bool(json, "found", material->found);
    cli_json_uint(json, "width", material->width);
    cli_json_uint(json, "height", material->height);
    cli_json_bool(json, "noDraw", material->no_draw);
    if (material->colored) {
        bsp_json_floats(json, "color", material->color, 3);
    }
    put_mirror(json, bv_mirror_of(s, number));
    cli_json_uint(json, "bump", bv_bump_of(s, number));
    bsp_json_object_end(json);
}

static void put_fog(bsp_json *json, const char *key, const bsp_scene_fog *fog) {
    bsp_json_key(json, key);
    if (!fog->on) {
        bsp_json_null(json);
        return;
    }
    bsp_json_object(json);
    cli_json_uint(json, "curve", fog->curve);
    bsp_json_floats(json, "color", fog->color, 3);
    cli_json_float(json, "start", fog->start);
    cli_json_float(json, "end", fog->end);
    cli_json_float(json, "density", fog->density);
    cli_json_float(json, "most", fog->most);
    cli_json_float(json, "onSky", fog->on_sky);
    bsp_json_object_end(json);
}

static void put_volumes(bsp_json *json, const bsp_scene *scene) {
    bsp_json_key(json, "volumes");
    bsp_json_array(json);
    for (uint32_t i = 0; i < scene->num_fog_volumes; i++) {
        const bsp_scene_fog_volume *volume = &scene->fog_volumes[i];
        bsp_json_object(json);
        cli_json_bool(json, "known", volume->known);
        bsp_json_floats(json, "color", volume->color, 3);
        cli_json_float(json, "distance", volume->distance);
        cli_json_bool(json, "bounded", volume->bounded);
        bsp_json_floats(json, "normal", volume->normal, 3);
        cli_json_float(json, "dist", volume->dist);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

static void put_instances(bsp_json *json, const bsp_scene *scene) {
    bsp_json_key(json, "instances");
    bsp_json_array(json);
    for (uint32_t i = 0; i < scene->num_instances; i++) {
        const bsp_scene_instance *it = &scene->instances[i];
        bsp_json_object(json);
        bv_json_index(json, "entity", it->entity);
        cli_json_uint(json, "model", it->model);
        cli_json_bool(json, "shown", it->shown);
        bsp_json_floats(json, "origin", it->place.origin, 3);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

static void put_props(bsp_json *json, const bsp_scene *scene) {
    bsp_json_key(json, "props");
    bsp_json_array(json);
    for (uint32_t i = 0; i < scene->num_props; i++) {
        const bsp_scene_prop *prop = &scene->props[i];
        const float at[3] = {prop->place[0][3], prop->place[1][3], prop->place[2][3]};
        bsp_json_object(json);
        cli_json_uint(json, "kind", prop->kind);
        cli_json_uint(json, "number", prop->number);
        cli_json_text(json, "model", scene->models[prop->model].name);
        bsp_json_floats(json, "origin", at, 3);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

static void put_missing(bsp_json *json, const bsp_scene *scene) {
    bsp_json_key(json, "missing");
    bsp_json_array(json);
    for (uint32_t i = 0; i < scene->num_missing; i++) {
        bsp_json_object(json);
        cli_json_text(json, "name", scene->missing[i].name);
        cli_json_uint(json, "props", scene->missing[i].props);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

// What is odd about textures, as the command reports it: warnings, and a missing palette.
static void put_notes(bsp_json *json, const bv_session *s) {
    size_t count = 0;
    const bsp_issue *list =
        s->texture_issues == NULL ? NULL : bsp_issues_list(s->texture_issues, &count);
    bsp_json_key(json, "notes");
    bsp_json_array(json);
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind->severity >= BSP_WARNING ||
            strcmp(list[i].kind->id, "texture-no-palette") == 0) {
            bsp_json_string(json, list[i].text);
        }
    }
    bsp_json_array_end(json);
}

static void put_room(bsp_json *json, const bv_session *s) {
    const bsp_scene_sky_room *room = &s->scene->sky_room;
    bsp_json_key(json, "room");
    if (!s->picture.room_found) {
        bsp_json_null(json);
        return;
    }
    bsp_json_object(json);
    bsp_json_floats(json, "origin", room->origin, 3);
    cli_json_float(json, "scale", room->scale);
    put_fog(json, "fog", &room->fog);
    bsp_json_object_end(json);
}

// The styles of light that flicker or can be switched: those of faces, but for the first.
static void put_styles(bsp_json *json, const bsp_map *map) {
    bool used[BSP_LIGHT_STYLES] = {false};
    for (uint32_t i = 0; i < map->num_face_lights; i++) {
        for (int k = 0; k < 4 && map->face_lights[i].offset != BSP_NONE; k++) {
            used[map->face_lights[i].styles[k]] = true;
        }
    }
    bsp_json_key(json, "styles");
    bsp_json_array(json);
    for (uint32_t i = 1; i < BSP_LIGHT_STYLES - 1; i++) {
        if (used[i]) {
            bsp_json_uint(json, i);
        }
    }
    bsp_json_array_end(json);
}

/// Answers with what the scene has beside its triangles.
BV_API int bv_scene(const bv_session *s) {
    const bsp_scene *scene = s->scene;
    bsp_json json;
    begin(&json);
    bsp_json_object(&json);
    bsp_json_floats(&json, "mins", scene->mesh->mins, 3);
    bsp_json_floats(&json, "maxs", scene->mesh->maxs, 3);
    cli_json_uint(&json, "pages", scene->lightmap == NULL ? 0 : scene->lightmap->num_pages);
    put_styles(&json, s->map);
    put_fog(&json, "fog", &scene->fog);
    put_room(&json, s);
    put_volumes(&json, scene);
    bsp_json_key(&json, "materials");
    bsp_json_array(&json);
    for (uint32_t i = 0; i < scene->num_materials; i++) {
        put_material(&json, s, i);
    }
    bsp_json_array_end(&json);
    put_instances(&json, scene);
    put_props(&json, scene);
    put_missing(&json, scene);
    put_notes(&json, s);
    bsp_json_object_end(&json);
    return bsp_json_flush(&json);
}

// --- entities and problems ----------------------------------------------------------------------

static void put_pairs(bsp_json *json, const bsp_entity *entity) {
    bsp_json_key(json, "pairs");
    bsp_json_array(json);
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        bsp_json_array(json);
        bsp_json_text(json, entity->pairs[i].key);
        bsp_json_text(json, entity->pairs[i].value);
        bsp_json_array_end(json);
    }
    bsp_json_array_end(json);
}

// The middle of the model that an entity shows, where it stands; else its origin.
static bool middle_of(const bsp_map *map, const bsp_placement *place, float out[3]) {
    float middle[3] = {0, 0, 0};
    bool solid = place->model != BSP_NONE && place->model != 0 && place->model < map->num_models;
    for (int axis = 0; axis < 3 && solid; axis++) {
        middle[axis] =
            (map->models[place->model].mins[axis] + map->models[place->model].maxs[axis]) / 2;
    }
    bsp_placement_point(place, middle, out);
    return solid || place->moved;
}

/// Answers with all entities: their pairs, and where they are.
BV_API int bv_entities(const bv_session *s) {
    const bsp_entities *entities = s->map->entities;
    bsp_json json;
    begin(&json);
    bsp_json_array(&json);
    for (uint32_t i = 0; i < entities->count; i++) {
        bsp_placement place = bsp_entity_placement(s->map, &entities->list[i]);
        float at[3];
        bool placed = middle_of(s->map, &place, at);
        bsp_json_object(&json);
        bv_json_index(&json, "model", place.model);
        bsp_json_key(&json, "at");
        if (placed) {
            bsp_json_array(&json);
            for (int axis = 0; axis < 3; axis++) {
                bsp_json_float(&json, at[axis]);
            }
            bsp_json_array_end(&json);
        } else {
            bsp_json_null(&json);
        }
        bsp_json_floats(&json, "angles", place.angles, 3);
        put_pairs(&json, &entities->list[i]);
        bsp_json_object_end(&json);
    }
    bsp_json_array_end(&json);
    return bsp_json_flush(&json);
}

/// Checks the file and answers with its problems.
BV_API int bv_check(bv_session *s) {
    bsp_json json;
    size_t count = 0;
    bsp_issues_free(s->issues);
    s->issues = bsp_issues_new(NULL, 0);
    if (s->issues == NULL || !bsp_check(s->file, s->issues, &bv_last_error)) {
        return false;
    }
    const bsp_issue *list = bsp_issues_list(s->issues, &count);
    begin(&json);
    bsp_json_array(&json);
    for (size_t i = 0; i < count; i++) {
        bsp_json_object(&json);
        bv_json_string(&json, "severity", bsp_severity_name(list[i].kind->severity));
        bv_json_string(&json, "id", list[i].kind->id);
        bv_json_string(&json, "lump", list[i].place.lump);
        bv_json_index(&json, "record", list[i].place.record);
        bv_json_string(&json, "field", list[i].place.field);
        bv_json_string(&json, "text", list[i].text);
        bsp_json_object_end(&json);
    }
    bsp_json_array_end(&json);
    return bsp_json_flush(&json);
}

// --- lumps and their records --------------------------------------------------------------------

static const char *const part_kinds[] = {"table", "record", "text", "strings",
                                         "bytes", "group",  "list"};

/// Answers with the parts of a lump, from 0 on.
BV_API int bv_parts(const bv_session *s, uint32_t lump) {
    bsp_parts parts;
    bsp_json json;
    if (!bsp_file_parts(s->file, lump, NULL, &parts, &bv_last_error)) {
        return false;
    }
    begin(&json);
    bsp_json_array(&json);
    for (uint32_t i = 0; i < parts.count; i++) {
        const bsp_part *part = &parts.parts[i];
        bsp_json_object(&json);
        bv_json_string(&json, "kind", part_kinds[part->kind]);
        bv_json_string(&json, "name", part->name);
        cli_json_uint(&json, "count", part->kind == BSP_PART_TABLE ? part->count : 1);
        cli_json_uint(&json, "offset", part->offset);
        cli_json_uint(&json, "size", part->size);
        bsp_json_key(&json, "fields");
        bsp_json_array(&json);
        for (uint32_t f = 0; part->layout != NULL && f < part->layout->num_fields; f++) {
            if (part->layout->fields[f].type != BSP_PAD) {
                bsp_json_string(&json, part->layout->fields[f].name);
            }
        }
        bsp_json_array_end(&json);
        bsp_json_object_end(&json);
    }
    bsp_json_array_end(&json);
    bsp_parts_free(&parts);
    return bsp_json_flush(&json);
}

static void put_field(bsp_json *json, const bsp_table *table, uint32_t record, uint32_t number) {
    const bsp_field *field = &table->layout->fields[number];
    if (field->type == BSP_CHAR) {
        bsp_json_text(json, bsp_table_text(table, record, number));
        return;
    }
    if (field->count > 1) {
        bsp_json_array(json);
    }
    for (uint32_t e = 0; e < field->count; e++) {
        if (field->type == BSP_F32) {
            bsp_json_float(json, bsp_table_float(table, record, number, e));
        } else {
            bsp_json_int(json, bsp_table_int(table, record, number, e));
        }
    }
    if (field->count > 1) {
        bsp_json_array_end(json);
    }
}

/// Answers with `count` records of a part of a lump, from `first` on, each a list of its fields.
BV_API int bv_records(const bv_session *s, uint32_t lump, uint32_t part, uint32_t first,
                      uint32_t count) {
    bsp_parts parts;
    bsp_json json;
    if (!bsp_file_parts(s->file, lump, NULL, &parts, &bv_last_error)) {
        return false;
    }
    begin(&json);
    bsp_json_array(&json);
    bool table_like = part < parts.count && (parts.parts[part].kind == BSP_PART_TABLE ||
                                             parts.parts[part].kind == BSP_PART_RECORD);
    bsp_table table = table_like ? bsp_parts_table(&parts, part) : (bsp_table){0};
    for (uint32_t r = first; r < table.count && r - first < count; r++) {
        bsp_json_array(&json);
        for (uint32_t f = 0; f < table.layout->num_fields; f++) {
            if (table.layout->fields[f].type != BSP_PAD) {
                put_field(&json, &table, r, f);
            }
        }
        bsp_json_array_end(&json);
    }
    bsp_json_array_end(&json);
    bsp_parts_free(&parts);
    return bsp_json_flush(&json);
}

/// Answers with bytes of a lump, as it is unpacked: up to `count` from `first` on.
BV_API int bv_bytes(const bv_session *s, uint32_t lump, uint32_t first, uint32_t count) {
    bsp_bytes data;
    if (!bsp_file_data(s->file, lump, &data, &bv_last_error)) {
        return false;
    }
    size_t from = first < data.size ? first : data.size;
    size_t size = count < data.size - from ? count : data.size - from;
    bv_answer_begin();
    return size == 0 || bv_answer_add(NULL, (const char *)data.data + from, size);
}
