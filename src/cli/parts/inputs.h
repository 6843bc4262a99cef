// SPDX-License-Identifier: MIT
// The files that this process reads. No output may replace one of them: outputs are compared with
// this list before they are opened, and again before a file gets its name.
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "core/os_calls.h"
#include "cli/parts/options.h"

/// Adds the file at `path` ("-": standard input). Links are followed; a file that is not regular,
/// or does not exist, is ignored.
void cli_inputs_add(const char *path);
/// Adds all files that a command line names: operands, and the values of options that are read.
void cli_inputs_add_call(const cli_call *call);
/// Adds a file beside a map, which was opened with the map, by its name.
void cli_inputs_add_beside(const char *map, const char *name);

/// Returns false after a message if the existing file is one that the command reads.
bool cli_may_write_over(const char *path, const struct stat *status);
/// The same before anything is written, by the path of a file that may not exist.
bool cli_may_write_to(const char *path);

#endif
