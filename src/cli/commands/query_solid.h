// SPDX-License-Identifier: MIT
// What bspkit query trace and query sight ask: a map, or with --props what stands in it too.
#ifndef CLI_QUERY_SOLID_H
#define CLI_QUERY_SOLID_H

#include "bspkit/solids.h"
#include "cli/parts/standing.h"

/// The index of a map, and with --props its solid props.
typedef struct cli_solid {
    bsp_trace_index *index;
    bsp_solids *solids; ///< NULL without --props
    cli_standing standing;
} cli_solid;

/// Makes them. Returns CLI_DONE, or another status after a message; models that are missing are
/// reported. Free with cli_solid_free in any case.
cli_status cli_solid_make(cli_solid *solid, const cli_input *input, const bsp_map *map);
void cli_solid_free(cli_solid *solid);

#endif
