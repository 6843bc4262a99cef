// SPDX-License-Identifier: MIT
// Files that are installed with the command, in share/bspkit.
#ifndef CLI_DATA_H
#define CLI_DATA_H

#include "cli/parts/path.h"

/// The page of the viewer, as it is installed.
#define CLI_VIEW_PAGE "view.html"

/// Finds a file of share/bspkit beside the command's own folder; in a clone, where `make web`
/// leaves the page. False if it is not there, or the system does not say where the command is.
bool cli_data_path(const char *name, char out[CLI_PATH_ROOM]);

#endif
