// SPDX-License-Identifier: MIT
// A line is a fact: its name, faint, and from column 15 on what it is.
#include "cli/commands/info_text.h"

#include <string.h>

#define NAME_WIDTH 12

void cli_info_heading(const cli_input *input, const char *name) {
    cli_print(input->output, "  ");
    cli_print_styled(input->output, CLI_FAINT, name);
    cli_print(input->output, "%*s", (int)(NAME_WIDTH - strlen(name)), "");
}

void cli_info_point(cli_output *output, const float point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        char number[BSP_FLOAT_TEXT];
        bsp_format_float(number, point[axis]);
        cli_print(output, "%s%s", axis == 0 ? "" : " ", number);
    }
}
