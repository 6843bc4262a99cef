// SPDX-License-Identifier: MIT
// Opens a navigation mesh: one that the user named must be there, one beside the map need not.
#include "cli/parts/nav.h"

#include "cli/parts/budget.h"
#include "cli/parts/inputs.h"

cli_status cli_open_nav(const char *path, bool asked, bsp_nav **out) {
    bsp_error error = {0};
    const bsp_nav_options options = {.budget = cli_budget()};
    cli_inputs_add(path);
    *out = bsp_nav_open(path, &options, &error);
    bool missing = *out == NULL && error.code == BSP_E_NOT_FOUND && !asked;
    return *out != NULL || missing ? CLI_DONE : cli_report(path, &error);
}
