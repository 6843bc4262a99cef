// SPDX-License-Identifier: MIT
// Splits and joins paths.
#ifndef CLI_PATH_H
#define CLI_PATH_H

#include "bspkit/bspkit.h"

/// Room for a path, including the NUL. A longer one is refused.
#define CLI_PATH_ROOM 4096u

/// Returns what follows the last slash.
const char *cli_last_part(const char *path);
/// Returns the last part without its extension: NAME of FOLDER/NAME.bsp. A name whose only dot is
/// its first character is not shortened.
bsp_text cli_stem(const char *path);
/// Returns true if the text ends so, after at least one other character.
bool cli_ends_in(const char *text, const char *ending);
/// The same for a name in a file, ignoring case.
bool cli_name_ends(bsp_text name, const char *ending);
/// Makes the path of a file in a folder. Returns false, with errno set, if it does not fit.
bool cli_join(const char *folder, const char *name, char *out, size_t room);
/// Makes the path of the file `name` in the folder of `path`. Returns false, with errno set, if it
/// does not fit.
bool cli_join_beside(const char *path, const char *name, char out[CLI_PATH_ROOM]);

#endif
