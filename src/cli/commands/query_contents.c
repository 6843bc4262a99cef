// SPDX-License-Identifier: MIT
// bspkit query contents: what is at the points of standard input.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

static void print_point(const cli_input *input, const bsp_map *map, const float *point,
                        int32_t contents, uint32_t leaf) {
    bsp_json json;
    cli_query_begin_json(input, &json);
    bsp_json_floats(&json, "point", point, 3);
    cli_query_json_contents(&json, map, contents);
    cli_query_json_names(&json, map, contents);
    cli_query_json_index(&json, "leaf", leaf);
    cli_query_end_json(input, &json);
}

cli_status cli_query_contents(const cli_input *input, const bsp_map *map) {
    uint32_t model = cli_query_options_of(input->call)->model;
    float point[CLI_QUERY_NUMBERS];
    int line = 0;
    int count;
    bool bad = false;
    if (!map->traits->has_brushes && !map->traits->contents_numbers) {
        cli_message(input->path, "maps of %s have no brushes: contents are not known",
                    map->branch->title);
        return CLI_FAILED;
    }
    while (cli_query_next_line("x y z", &line, point, &count, &bad) &&
           input->output->failure == 0) {
        if (count != 3) {
            cli_message("standard input", "line %d: x y z was expected", line);
            return CLI_FAILED;
        }
        uint32_t leaf = bsp_query_leaf(map, point);
        int32_t contents = bsp_query_contents(map, model, point);
        if (input->call->common->json) {
            print_point(input, map, point, contents, leaf);
            continue;
        }
        cli_query_print_contents(input->output, map, contents);
        cli_print(input->output, "\t%lld\n", leaf == BSP_NONE ? -1LL : (long long)leaf);
    }
    return bad ? CLI_FAILED : CLI_DONE;
}
