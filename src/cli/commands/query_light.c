// SPDX-License-Identifier: MIT
// bspkit query light.
#include "cli/parts/json.h"
#include "cli/parts/numbers.h"
#include "cli/commands/query_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void json_rows(bsp_json *json, const float cube[6][3]) {
    cli_json_array(json, "cube");
    for (int side = 0; side < 6; side++) {
        bsp_json_array(json);
        for (int i = 0; i < 3; i++) {
            bsp_json_float(json, cube[side][i]);
        }
        bsp_json_array_end(json);
    }
    bsp_json_array_end(json);
}

// Takes the cubes of the HDR light, where the map has both kinds.
static void take_hdr(const bsp_map *map, const float point[3], bsp_light *light) {
    uint32_t leaf = bsp_query_leaf(map, point);
    if (light->source == BSP_LIGHT_CUBE && leaf != BSP_NONE &&
        bsp_ambient_cube(map, leaf, point, true, light->cube)) {
        memset(light->ambient, 0, sizeof light->ambient);
        for (int i = 0; i < 18; i++) {
            light->ambient[i % 3] += light->cube[i / 3][i % 3] / 6;
        }
    }
}

static void json_light(bsp_json *json, const bsp_light *light) {
    static const char *const sources[] = {"none", "grid", "cube", "surface"};
    cli_json_string(json, "source", sources[light->source]);
    bsp_json_floats(json, "ambient", light->ambient, 3);
    if (light->source == BSP_LIGHT_GRID) {
        bsp_json_floats(json, "directed", light->directed, 3);
        bsp_json_floats(json, "direction", light->direction, 3);
    }
    if (light->source == BSP_LIGHT_CUBE) {
        json_rows(json, (const float(*)[3])light->cube);
    }
    if (light->source == BSP_LIGHT_SURFACE) {
        cli_query_json_index(json, "face", light->face);
    }
}

// --- the option --normal ------------------------------------------------------------------------

// Reads a vector and makes it a unit long. Returns false if all its numbers are 0.
static bool parse_normal(const char *text, float normal[3]) {
    float length = 0;
    if (!cli_take_numbers(text, normal, 3)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        length += normal[i] * normal[i];
    }
    for (int i = 0; i < 3; i++) {
        normal[i] /= sqrtf(length);
    }
    return length > 0 && isfinite(length);
}

bool cli_query_normal(const cli_call *call, float normal[3]) {
    const char *text = cli_query_options_of(call)->normal;
    if (text != NULL && !parse_normal(text, normal)) {
        cli_message(call->command->name, "--normal takes X,Y,Z, not '%s'", text);
        return false;
    }
    return true;
}

// --- what each light adds ------------------------------------------------------------------------

static void json_part(bsp_json *json, const bsp_world_light *light, const bsp_light_part *part) {
    static const char *const types[] = {"surface", "point", "spot", "sun", "quake", "sky"};
    bsp_json_object(json);
    cli_json_uint(json, "light", part->light);
    cli_json_string(json, "type", light->type < 6 ? types[light->type] : "");
    cli_json_int(json, "style", light->style);
    bsp_json_floats(json, "origin", light->origin, 3);
    bsp_json_floats(json, "rgb", part->rgb, 3);
    cli_json_float(json, "seen", part->seen);
    bsp_json_floats(json, "direction", part->direction, 3);
    cli_json_float(json, "distance", part->distance);
    bsp_json_object_end(json);
}

static cli_status json_parts(bsp_json *json, const cli_input *input, const bsp_map *map,
                             const bsp_trace_index *index, const float point[3]) {
    const cli_query_options *options = cli_query_options_of(input->call);
    float numbers[3];
    const float *normal = options->normal != NULL ? numbers : NULL;
    (void)cli_query_normal(input->call, numbers); // the command has checked it
    bool hdr = options->hdr;
    uint32_t count = bsp_query_lights(index, hdr, point, normal, NULL, 0);
    bsp_light_part *parts = malloc(((size_t)count + 1) * sizeof *parts);
    if (parts == NULL) {
        cli_message(input->path, "no memory");
        return CLI_FAILED;
    }
    bool high = map->num_world_lights == 0 || (hdr && map->num_world_lights_hdr != 0);
    const bsp_world_light *lights = high ? map->world_lights_hdr : map->world_lights;
    (void)bsp_query_lights(index, hdr, point, normal, parts, count);
    cli_json_array(json, "lights");
    for (uint32_t i = 0; i < count; i++) {
        json_part(json, &lights[parts[i].light], &parts[i]);
    }
    bsp_json_array_end(json);
    free(parts);
    return CLI_DONE;
}

cli_status cli_query_light(const cli_input *input, const bsp_map *map) {
    float point[3];
    bsp_json json;
    bsp_error error;
    const cli_query_options *options = cli_query_options_of(input->call);
    cli_status status = CLI_DONE;
    (void)cli_query_point(input->call, point);
    bsp_trace_index *index = options->lights ? bsp_trace_index_new(map, NULL, &error) : NULL;
    if (options->lights && index == NULL) {
        return cli_report(input->path, &error);
    }
    bsp_light light = bsp_query_light(map, input->file, point);
    if (options->hdr) {
        take_hdr(map, point, &light);
    }
    cli_query_begin_json(input, &json);
    bsp_json_floats(&json, "point", point, 3);
    json_light(&json, &light);
    if (index != NULL) {
        status = json_parts(&json, input, map, index, point);
    }
    cli_query_end_json(input, &json);
    bsp_trace_index_free(index);
    return status;
}
