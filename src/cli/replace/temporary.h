// SPDX-License-Identifier: MIT
// The temporary file of a replacement, and those that killed runs left.
#ifndef CLI_REPLACE_TEMPORARY_H
#define CLI_REPLACE_TEMPORARY_H

#include "cli/replace/replace.h"

/// Returns the name of the file that is replaced, or of the temporary file, in their folder.
static inline const char *cli_replace_name(const cli_replacement *r) {
    return r->target + r->name;
}
static inline const char *cli_replace_temporary(const cli_replacement *r) {
    return r->temporary + r->name;
}

/// Makes the temporary file of a replacement, and locks it. Returns false, with errno set, on
/// failure.
bool cli_temporary_make(cli_replacement *replacement);
/// Removes it, if there is one.
void cli_temporary_remove(cli_replacement *replacement);
/// Gives it the name of the file that is replaced. Returns false, with errno set, on failure.
bool cli_temporary_name(cli_replacement *replacement);
/// Removes the temporary files that killed runs left of the file that is replaced, and of its
/// backup.
void cli_temporary_remove_left(const cli_replacement *replacement);

#endif
