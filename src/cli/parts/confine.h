// SPDX-License-Identifier: MIT
// Restricts the process to reading what the command line names and writing where it says, so that a
// hostile map cannot make it do anything else.
#ifndef CLI_CONFINE_H
#define CLI_CONFINE_H

#include "cli/parts/options.h"

/// Gives up all rights but those that the call needs, permanently, where the kernel supports it
/// (Linux: Landlock and seccomp). Elsewhere it does nothing, without a message.
void cli_confine(const cli_call *call);

#endif
