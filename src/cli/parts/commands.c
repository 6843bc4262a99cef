// SPDX-License-Identifier: MIT
// The list of commands. A new command is a file with its table and its function, and a row here.
#include "cli/parts/commands.h"

#include "cli/parts/near.h"

#include <string.h>

// clang-format off
static const cli_command *const commands[] = {
    &cli_command_info,
    &cli_command_lumps,
    &cli_command_dump,
    &cli_command_check,
    &cli_command_diff,
    &cli_command_checksum,
    &cli_command_entities,
    &cli_command_query,
    &cli_command_textures,
    &cli_command_lightmaps,
    &cli_command_assets,
    &cli_command_export,
    &cli_command_render,
    &cli_command_decompile,
    &cli_command_lump,
    &cli_command_pak,
    &cli_command_convert,
    &cli_command_formats,
    &cli_command_help,
    &cli_command_version,
    &cli_command_manual,
    &cli_command_completion,
    NULL,
};
// clang-format on

const cli_command *const *cli_commands(void) {
    return commands;
}

const cli_command *cli_find_command(const char *name) {
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

void cli_near_commands(cli_near *near) {
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (commands[i]->group != CLI_GROUP_HIDDEN) {
            cli_near_try(near, commands[i]->name);
        }
    }
}
