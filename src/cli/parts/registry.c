// SPDX-License-Identifier: MIT
// The list of commands for help, completions and the manual. The program sets it at its start, so
// that none of them depends on every command.
#include "cli/parts/options.h"

#include "cli/parts/near.h"

#include <string.h>

static const cli_command *const *commands;

void cli_set_commands(const cli_command *const *list) {
    commands = list;
}

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
