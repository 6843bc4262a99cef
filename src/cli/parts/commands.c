// SPDX-License-Identifier: MIT
// The list of commands. A new command is a file with its table and its function, and a row here.
#include "cli/parts/commands.h"

// clang-format off
const cli_command *const cli_all_commands[] = {
    &cli_command_info,
    &cli_command_lumps,
    &cli_command_dump,
    &cli_command_check,
    &cli_command_diff,
    &cli_command_stale,
    &cli_command_checksum,
    &cli_command_entities,
    &cli_command_query,
    &cli_command_textures,
    &cli_command_lightmaps,
    &cli_command_portals,
    &cli_command_assets,
    &cli_command_export,
    &cli_command_render,
    &cli_command_view,
    &cli_command_decompile,
    &cli_command_lump,
    &cli_command_pak,
    &cli_command_vis,
    &cli_command_cubemaps,
    &cli_command_light,
    &cli_command_convert,
#ifdef CLI_WITH_INDEX
    &cli_command_index,
    &cli_command_find,
#endif
    &cli_command_formats,
    &cli_command_help,
    &cli_command_version,
    &cli_command_manual,
    &cli_command_completion,
    NULL,
};
// clang-format on
