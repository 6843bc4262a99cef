// SPDX-License-Identifier: MIT
// bspkit version: the version of command and library.
#include "cli/parts/commands.h"
#include "cli/parts/output.h"

static cli_status run(const cli_call *call) {
    (void)call;
    cli_output output;
    (void)cli_output_open(&output, NULL);
    cli_print(&output, "bspkit %s\n", bsp_version());
    return cli_output_close(&output, CLI_DONE);
}

static const cli_option options[] = {CLI_OPTION_HELP};

const cli_command cli_command_version = {
    .name = "version",
    .group = CLI_GROUP_ABOUT,
    .operands = "",
    .summary = "Print the version",
    .examples = {"bspkit version", "bspkit --version"},
    CLI_COMMON_OPTIONS(options),
    .run = run,
};
