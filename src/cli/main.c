// SPDX-License-Identifier: MIT
// The command: finds the subcommand and runs it.
#define _POSIX_C_SOURCE 200809L // stat

#include "cli/parts/budget.h"
#include "cli/parts/commands.h"
#include "cli/parts/confine.h"
#include "cli/parts/help.h"
#include "cli/parts/inputs.h"
#include "cli/parts/interrupt.h"
#include "cli/parts/memory.h"
#include "cli/parts/names.h"
#include "cli/parts/near.h"
#include "cli/parts/path.h"
#include "cli/replace/replace.h"

#include "core/os_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cli_status run(const cli_command *command, int argc, char **argv, bool confined) {
    cli_call call;
    cli_status status = cli_parse(command, argc, argv, &call);
    if (status != CLI_DONE) {
        return status;
    }
    if (call.common->help) {
        status = cli_print_help(call.command);
    } else if (cli_limits_begin(&call)) {
        cli_inputs_add_call(&call);
        status = call.command->begin == NULL ? CLI_DONE : call.command->begin(&call);
        if (confined) {
            cli_confine(&call);
        }
        status = status == CLI_DONE ? cli_names_expand(&call) : status;
        status = status == CLI_DONE ? call.command->run(&call) : status;
        cli_names_free(&call);
        cli_limits_end();
    } else {
        status = CLI_FAILED;
    }
    cli_call_free(&call);
    return status;
}

// Forms that are tried by users who do not know the commands.
static const char *command_name(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return "help";
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "-v") == 0) {
        return "version";
    }
    return word;
}

// Returns true if the sandbox is requested before the command or by the environment.
static bool wants_sandbox(int *argc, char ***argv) {
    const char *variable = getenv("BSPKIT_NO_SANDBOX");
    bool given = *argc > 1 && strcmp((*argv)[1], "--no-sandbox") == 0;
    *argc -= given ? 1 : 0;
    *argv += given ? 1 : 0;
    return !given && (variable == NULL || variable[0] == '\0');
}

// --- files without a command --------------------------------------------------------------------

static bool is_map_file(const char *path) {
    struct stat status;
    return cli_ends_in(path, ".bsp") && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Decompiles FOLDER/NAME.bsp into the folder FOLDER/NAME_d: what is beside the map already, its
// author's own document, stays as it is.
static int decompile_beside(char *path, bool confined) {
    static char decompile[] = "decompile";
    static char report[] = "--report";
    static char option[] = "-o";
    char target[CLI_PATH_ROOM];
    bspi_os_use_slashes(path);
    int size =
        snprintf(target, sizeof target, "%.*s_d/", (int)(strlen(path) - strlen(".bsp")), path);
    if (size < 0 || (size_t)size >= sizeof target) {
        cli_message(path, "the path is too long");
        return CLI_FAILED;
    }
    char *words[] = {decompile, report, option, target, path, NULL};
    return (int)run(cli_find_command(decompile), 5, words, confined);
}

// What a user gets who drops maps on the program.
static int run_dropped(int count, char **paths, bool confined) {
    int highest = CLI_DONE;
    for (int i = 0; i < count; i++) {
        // The confinement of the first would keep the others from their folders.
        int status = decompile_beside(paths[i], confined && count == 1);
        highest = status > highest ? status : highest;
    }
    bspi_os_hold_window();
    return highest;
}

static bool are_maps(int count, char **paths) {
    for (int i = 0; i < count; i++) {
        if (!is_map_file(paths[i])) {
            return false;
        }
    }
    return count != 0;
}

int main(int argc, char **argv) {
    cli_memory_begin();
    bspi_os_begin(&argc, &argv);
    cli_interrupt_guard();
    cli_set_commands(cli_all_commands);
    bool confined = wants_sandbox(&argc, &argv);
    if (argc < 2) {
        cli_message(NULL, "a command is missing; see bspkit help");
        return CLI_USAGE;
    }
    const cli_command *command = cli_find_command(command_name(argv[1]));
    if (command == NULL && are_maps(argc - 1, argv + 1)) {
        return run_dropped(argc - 1, argv + 1, confined);
    }
    if (command == NULL) {
        char hint[CLI_NEAR_ROOM];
        cli_near near = {.word = argv[1]};
        cli_near_commands(&near);
        cli_near_try(&near, "--help");
        cli_near_try(&near, "--version");
        cli_near_try(&near, "--no-sandbox");
        cli_message(NULL, "there is no command '%s'%s", argv[1],
                    cli_near_hint(&near, "", "; see bspkit help", hint));
        return CLI_USAGE;
    }
    int status = (int)run(command, argc - 1, argv + 1, confined);
    cli_replace_flush_names();
    return status;
}
