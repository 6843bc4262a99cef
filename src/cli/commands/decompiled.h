// SPDX-License-Identifier: MIT
// The report of a decompiled map, as text and as JSON.
#ifndef CLI_DECOMPILED_H
#define CLI_DECOMPILED_H

#include "cli/parts/output.h"

typedef struct cli_decompiled {
    const char *path;    ///< the map
    const char *written; ///< the document
    bsp_mapdoc *source;
    bsp_dialect dialect;
    bsp_decompile_report report;
    bsp_mapdoc_losses losses;
    bsp_issues *issues;
    uint32_t extracted;
    uint32_t passed; ///< embedded files that were not asked for ///< embedded files
} cli_decompiled;

/// The options of bspkit decompile.
typedef struct cli_decompile_options {
    cli_common common;
    int dialect; ///< a bsp_dialect, or -1
    bool report;
    bool world;
    cli_list without_class;
    bool no_guess;
    bool no_merge;
    bool keep_angles;
    int brushes;     ///< a bsp_brush_mode
    float thickness; ///< 0: not given
    const char *face_texture;
    const char *back_texture;
    bool nodraw_unseen;
    int instances;    ///< a bsp_instance_groups
    int details;      ///< a bsp_detail_groups
    float detail_gap; ///< 0: not given
    int portals;      ///< a bsp_portal_mapping
    bool cameras;
    bool corners;
    const char *pak;
    bool authored;
} cli_decompile_options;

/// Returns the options of a call.
static inline const cli_decompile_options *cli_decompile_options_of(const cli_call *call) {
    return call->options;
}

/// Prints an object on one line with --json; the counts and losses with --report; else nothing.
void cli_decompiled_print(const cli_decompiled *d, const cli_call *call, cli_output *output);

#endif
