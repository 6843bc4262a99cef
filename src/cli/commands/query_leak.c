// SPDX-License-Identifier: MIT
// bspkit query leak: the way from an entity to the outside of a map that is not sealed.
#include "cli/commands/query_answers.h"
#include "cli/parts/json.h"

static void print_points(const cli_input *input, const bsp_leak *leak) {
    char text[BSP_FLOAT_TEXT];
    for (uint32_t i = 0; i < leak->num_points; i++) {
        for (int axis = 0; axis < 3; axis++) {
            (void)bsp_format_float(text, (float)leak->points[i][axis]);
            cli_print(input->output, axis == 2 ? "%s\n" : "%s ", text);
        }
    }
}

static void print_json(const cli_input *input, const bsp_map *map, const bsp_leak *leak) {
    bsp_json json;
    cli_query_begin_json(input, &json);
    cli_json_bool(&json, "leaks", leak->found);
    if (leak->found) {
        cli_json_uint(&json, "entity", leak->entity);
        cli_json_text(&json, "classname",
                      bsp_entity_value(&map->entities->list[leak->entity], "classname"));
    }
    cli_json_array(&json, "points");
    for (uint32_t i = 0; i < leak->num_points; i++) {
        bsp_json_array(&json);
        for (int axis = 0; axis < 3; axis++) {
            bsp_json_float(&json, (float)leak->points[i][axis]);
        }
        bsp_json_array_end(&json);
    }
    bsp_json_array_end(&json);
    cli_query_end_json(input, &json);
}

cli_status cli_query_leak(const cli_input *input, const bsp_map *map) {
    if (map->num_leaves == 0) {
        cli_message(input->path,
                    "the map has no leaves, and so does not tell whether it is sealed");
        return CLI_FAILED;
    }
    bsp_error error;
    bsp_leak *leak = bsp_leak_find(map, NULL, &error);
    if (leak == NULL) {
        return cli_report(input->path, &error);
    }
    cli_status status = leak->found ? CLI_PROBLEMS : CLI_DONE;
    if (cli_query_options_of(input->call)->points) {
        print_points(input, leak);
    } else {
        print_json(input, map, leak);
    }
    bsp_leak_free(leak);
    return status;
}
