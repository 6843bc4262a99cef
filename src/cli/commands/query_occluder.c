// SPDX-License-Identifier: MIT
// bspkit query occluder.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

static void print_answer(const cli_input *input, const float n[9], uint32_t occluder) {
    if (!input->call->common->json) {
        cli_print(input->output, "%lld\n", occluder == BSP_NONE ? -1LL : (long long)occluder);
        return;
    }
    bsp_json json;
    cli_query_begin_json(input, &json);
    bsp_json_floats(&json, "eye", n, 3);
    bsp_json_floats(&json, "mins", n + 3, 3);
    bsp_json_floats(&json, "maxs", n + 6, 3);
    cli_query_json_index(&json, "occluder", occluder);
    cli_query_end_json(input, &json);
}

cli_status cli_query_occluder(const cli_input *input, const bsp_map *map) {
    static const char what[] = "ex ey ez minx miny minz maxx maxy maxz";
    float n[CLI_QUERY_NUMBERS];
    int line = 0;
    int count;
    bool bad = false;
    while (cli_query_next_line(what, &line, n, &count, &bad) && input->output->failure == 0) {
        if (count != 9) {
            cli_message("standard input", "line %d: %s was expected", line, what);
            return CLI_FAILED;
        }
        print_answer(input, n, bsp_query_occluder(map, n, n + 3, n + 6));
    }
    return bad ? CLI_FAILED : CLI_DONE;
}
