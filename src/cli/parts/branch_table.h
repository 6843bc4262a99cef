// SPDX-License-Identifier: MIT
// The table of all branches, for the command, the help topic and the README.
#ifndef CLI_BRANCH_TABLE_H
#define CLI_BRANCH_TABLE_H

#include "cli/parts/output.h"

#define CLI_VERSION_TEXT 32 ///< room for what cli_branch_version writes

/// Writes the magic and the version of a branch, "VBSP 20" for example. The version of BSP2 and of
/// 2PSB is the magic itself. Returns `out`.
const char *cli_branch_version(const bsp_branch *branch, char out[CLI_VERSION_TEXT]);
/// Returns how far maps of a branch are read: "map", or "lumps" where only the directory is known.
const char *cli_branch_depth(const bsp_branch *branch);

/// Prints a row for each branch of the registry.
void cli_print_branches(cli_output *output, bool markdown);

#endif
