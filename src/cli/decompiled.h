// SPDX-License-Identifier: MIT
// What became of a map that was decompiled, for people and as JSON.
#ifndef CLI_DECOMPILED_H
#define CLI_DECOMPILED_H

#include "cli/output.h"

typedef struct cli_decompiled {
    const char *path;    ///< the map
    const char *written; ///< the source
    bsp_source *source;
    bsp_dialect dialect;
    bsp_decompile_report report;
    bsp_source_losses losses;
    bsp_issues *issues;
    uint32_t extracted;
    uint32_t passed; ///< embedded files that were not asked for ///< embedded files
} cli_decompiled;

/// With --json an object on a line; with --report the counts and what is missing; else nothing.
void cli_decompiled_print(const cli_decompiled *d, const cli_call *call, cli_output *output);

#endif
