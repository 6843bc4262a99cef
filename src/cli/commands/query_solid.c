// SPDX-License-Identifier: MIT
// Makes ready what bspkit query trace and query sight ask.
#include "cli/commands/query_solid.h"

#include "cli/commands/query_answers.h"

cli_status cli_solid_make(cli_solid *solid, const cli_input *input, const bsp_map *map) {
    bsp_error error = {0};
    *solid = (cli_solid){.index = bsp_trace_index_new(map, NULL, &error)};
    if (solid->index == NULL) {
        return cli_report(input->path, &error);
    }
    if (!cli_query_options_of(input->call)->props) {
        return CLI_DONE;
    }
    cli_status status = cli_standing_find(&solid->standing, input, map, false);
    if (status != CLI_DONE) {
        return status;
    }
    solid->solids = bsp_solids_new(solid->standing.scene, solid->index, NULL, &error);
    if (solid->solids == NULL) {
        return cli_report(input->path, &error);
    }
    cli_standing_missing(&solid->standing, input);
    return CLI_DONE;
}

void cli_solid_free(cli_solid *solid) {
    bsp_solids_free(solid->solids);
    cli_standing_free(&solid->standing);
    bsp_trace_index_free(solid->index);
    *solid = (cli_solid){0};
}
