// SPDX-License-Identifier: MIT
// bspkit formats --json.
#ifndef CLI_FORMATS_JSON_H
#define CLI_FORMATS_JSON_H

#include "bspkit/bspkit.h"

/// Writes a branch with its lumps and layouts; without one, the list of all games, or of all
/// branches.
void cli_formats_json(bsp_json *json, const bsp_branch *branch, bool games);

#endif
