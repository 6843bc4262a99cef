// SPDX-License-Identifier: MIT
// What this process may do from now on: read what the command line names, write where it says, and
// nothing else that a hostile map could make it do.
#ifndef CLI_CONFINE_H
#define CLI_CONFINE_H

#include "cli/parts/options.h"

/// Gives up all rights but those that the call needs, for good, where the kernel lets a process do
/// that (Linux: Landlock and seccomp). Nothing is said where it does not.
void cli_confine(const cli_call *call);

#endif
