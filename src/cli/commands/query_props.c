// SPDX-License-Identifier: MIT
// bspkit query props: the models that stand in a map.
#include "cli/commands/query_answers.h"
#include "cli/parts/json.h"
#include "cli/parts/standing.h"

#include <math.h>

#define DEGREES (180 / 3.14159265358979323846)

static const char *solid_name(uint32_t solid) {
    return solid == 2 ? "box" : solid == 6 ? "hulls" : "none";
}

// Pitch, yaw and roll of a place, in degrees. Straight up or down the roll is taken as 0.
static void angles_of(const bsp_scene_prop *prop, float angles[3]) {
    double m[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = (double)prop->place[i][j] / (double)prop->scale;
        }
    }
    double flat = hypot(m[0][0], m[1][0]);
    bool upright = flat > 1e-5;
    angles[0] = (float)(atan2(-m[2][0], flat) * DEGREES);
    angles[1] = (float)((upright ? atan2(m[1][0], m[0][0]) : atan2(-m[0][1], m[1][1])) * DEGREES);
    angles[2] = (float)(upright ? atan2(m[2][1], m[2][2]) * DEGREES : 0);
    for (int i = 0; i < 3; i++) {
        angles[i] = rintf(angles[i] * 1e3F) / 1e3F + 0.0F; // the matrix is not more exact
    }
}

// The box in the world around a model that is placed.
static void json_bounds(bsp_json *json, const bsp_model_mesh *mesh, const bsp_scene_prop *prop) {
    float box[2][3];
    for (int i = 0; i < 3; i++) {
        box[0][i] = box[1][i] = prop->place[i][3];
        for (int j = 0; j < 3; j++) {
            float a = prop->place[i][j] * mesh->mins[j];
            float b = prop->place[i][j] * mesh->maxs[j];
            box[0][i] += fminf(a, b);
            box[1][i] += fmaxf(a, b);
        }
    }
    bsp_json_floats(json, "mins", box[0], 3);
    bsp_json_floats(json, "maxs", box[1], 3);
}

static void json_prop(bsp_json *json, const bsp_scene *scene, uint32_t number) {
    const bsp_scene_prop *prop = &scene->props[number];
    const bsp_scene_model *model = &scene->models[prop->model];
    bool entity = prop->kind == BSP_PROP_ENTITY;
    const float origin[3] = {prop->place[0][3], prop->place[1][3], prop->place[2][3]};
    static const float up[3] = {0, 0, 1};
    bsp_text name = {"", 0};
    float angles[3];
    float light[3];
    if (entity) {
        name = bsp_entity_value(&scene->map->entities->list[prop->number], "classname");
    }
    angles_of(prop, angles);
    bsp_json_object(json);
    cli_json_uint(json, "prop", number);
    cli_json_string(json, "kind",
                    entity                          ? "entity"
                    : prop->kind == BSP_PROP_STATIC ? "static"
                                                    : "detail");
    cli_json_uint(json, "number", prop->number);
    cli_json_text(json, "class", name);
    cli_json_text(json, "model", model->name);
    bsp_json_floats(json, "origin", origin, 3);
    bsp_json_floats(json, "angles", angles, 3);
    cli_json_float(json, "scale", prop->scale);
    json_bounds(json, model->mesh, prop);
    bsp_scene_prop_light(scene, prop, up, light);
    bsp_json_floats(json, "light", light, 3);
    cli_json_string(json, "solid", solid_name(prop->solid));
    cli_json_uint(json, "hulls", model->mesh->num_hulls);
    cli_query_json_contents(json, scene->map, (int32_t)prop->contents);
    cli_json_bool(json, "shown", prop->shown);
    bsp_json_object_end(json);
}

static void json_missing(bsp_json *json, const bsp_scene *scene) {
    cli_json_array(json, "missing");
    for (uint32_t i = 0; i < scene->num_missing; i++) {
        bsp_json_object(json);
        cli_json_text(json, "model", scene->missing[i].name);
        cli_json_uint(json, "props", scene->missing[i].props);
        cli_json_string(json, "note", scene->missing[i].note);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

cli_status cli_query_props(const cli_input *input, const bsp_map *map) {
    cli_standing standing;
    cli_status status = cli_standing_find(&standing, input, map, true);
    if (status == CLI_DONE) {
        bsp_json json;
        cli_query_begin_json(input, &json);
        cli_json_array(&json, "props");
        for (uint32_t i = 0; i < standing.scene->num_props; i++) {
            json_prop(&json, standing.scene, i);
        }
        bsp_json_array_end(&json);
        json_missing(&json, standing.scene);
        cli_query_end_json(input, &json);
        if (cli_rows_wanted(input->call) != CLI_ROWS_NONE) { // the table has what was found
            cli_standing_missing(&standing, input);
        }
    }
    cli_standing_free(&standing);
    return status;
}
