// SPDX-License-Identifier: MIT
// The command: finds the sub-command and runs it.
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/interrupt.h"
#include "cli/output.h"

#include <string.h>

static cli_status run(const cli_command *command, int argc, char **argv) {
    cli_call call;
    bool help;
    cli_status status = cli_parse(command, argc, argv, &call, &help);
    if (status != CLI_DONE) {
        return status;
    }
    cli_inputs_add_call(&call);
    status = help ? cli_print_help(command) : command->run(&call);
    cli_call_free(&call);
    return status;
}

// Forms that people try before they know the commands.
static const char *command_name(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return "help";
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        return "version";
    }
    return word;
}

int main(int argc, char **argv) {
    cli_interrupt_guard();
    if (argc < 2) {
        cli_message(NULL, "a command is missing; see bspkit help");
        return CLI_USAGE;
    }
    const cli_command *command = cli_find_command(command_name(argv[1]));
    if (command == NULL) {
        cli_message(NULL, "there is no command '%s'; see bspkit help", argv[1]);
        return CLI_USAGE;
    }
    return (int)run(command, argc - 1, argv + 1);
}
