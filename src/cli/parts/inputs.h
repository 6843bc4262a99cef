// SPDX-License-Identifier: MIT
// The files that this process reads. No output may take the place of one: what opens outputs asks
// here before it touches anything, and again before a file gets its name.
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/parts/options.h"

#include <sys/stat.h>

/// From now on the file at `path` ("-": what standard input is) is one that is read. Links stand
/// for what they lead to; what is no regular file, or not there, is not kept.
void cli_inputs_add(const char *path);
/// The same for all that a command line names: operands, and the values of options that are read.
void cli_inputs_add_call(const cli_call *call);
/// The same for the files that stand beside a map and were opened with it, by their names.
void cli_inputs_add_beside(const char *map, const char *name);

/// False after a message if what is there is a file that the command reads.
bool cli_may_write_over(const char *path, const struct stat *status);

#endif
