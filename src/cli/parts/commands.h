// SPDX-License-Identifier: MIT
// The commands, one file each.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/parts/options.h"

extern const cli_command cli_command_info;
extern const cli_command cli_command_lumps;
extern const cli_row_form cli_lumps_rows;
extern const cli_command cli_command_dump;
extern const cli_command cli_command_check;
extern const cli_command cli_command_diff;
extern const cli_command cli_command_stale;
extern const cli_command cli_command_checksum;
extern const cli_command cli_command_entities;
extern const cli_command cli_command_query;
extern const cli_command cli_command_textures;
extern const cli_command cli_command_lightmaps;
extern const cli_command cli_command_assets;
extern const cli_command cli_command_export;
extern const cli_command cli_command_portals;
extern const cli_command cli_command_render;
extern const cli_command cli_command_decompile;
extern const cli_command cli_command_view;
extern const cli_command cli_command_lump;
extern const cli_command cli_command_pak;
extern const cli_command cli_command_vis;
extern const cli_command cli_command_cubemaps;
extern const cli_command cli_command_light;
extern const cli_command cli_command_convert;
extern const cli_command cli_command_index;
extern const cli_command cli_command_find;
extern const cli_command cli_command_formats;
extern const cli_command cli_command_help;
extern const cli_command cli_command_version;
extern const cli_command cli_command_manual;
extern const cli_command cli_command_completion;

/// All commands, in the order of help; NULL ends the list.
extern const cli_command *const cli_all_commands[];

#endif
