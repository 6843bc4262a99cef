// SPDX-License-Identifier: MIT
// Parts of paths, and paths put together.
#ifndef CLI_PATH_H
#define CLI_PATH_H

#include "bspkit/bspkit.h"

/// Room for a path, its end included. A longer one is refused.
#define CLI_PATH_ROOM 4096u

/// What follows the last slash.
const char *cli_last_part(const char *path);
/// The same without its ending: NAME of FOLDER/NAME.bsp. A name that begins with its only dot stays
/// whole.
bsp_text cli_stem(const char *path);
/// True if the text ends so, and has more before it.
bool cli_ends_in(const char *text, const char *ending);
/// The path of a file in a folder. False, with errno set, if it does not fit.
bool cli_join(const char *folder, const char *name, char *out, size_t room);
/// The path of the file `name` in the folder where `path` is. False, with errno set, if it does not
/// fit.
bool cli_join_beside(const char *path, const char *name, char out[CLI_PATH_ROOM]);

#endif
