// SPDX-License-Identifier: MIT
// Reports of bspkit render.
#ifndef CLI_RENDER_REPORT_H
#define CLI_RENDER_REPORT_H

#include "cli/parts/input.h"

/// Prints how much each step of drawing left, as a table or (--json) as a line of JSON.
cli_status cli_report_stats(const cli_input *input, const bsp_draw_stats *stats);

/// Says so where a picture shows nothing of the map, or is black.
void cli_report_bare(const cli_input *input, const bsp_draw_stats *stats, const bsp_image *image);

/// Writes OUT.json beside OUT.png: which part of the map an overview shows. Nothing when the
/// picture goes to standard output.
cli_status cli_write_overview(const cli_input *input, const bsp_renderer *renderer,
                              const bsp_view *view);

#endif
