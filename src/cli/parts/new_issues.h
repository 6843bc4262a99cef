// SPDX-License-Identifier: MIT
// Refuses changed maps that have new problems.
#ifndef CLI_NEW_ISSUES_H
#define CLI_NEW_ISSUES_H

#include "cli/parts/input.h"

/// Checks the changed map of an input, which is to become `path`. Returns false after a message
/// when it has more warnings or errors of a kind than the old one. `issues` holds those of opening
/// it.
bool cli_no_new_issues(const cli_input *input, const char *path, const bsp_file *file,
                       bsp_issues *issues);

#endif
