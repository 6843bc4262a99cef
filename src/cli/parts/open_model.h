// SPDX-License-Identifier: MIT
// Opens a model that a command line names in the place of a map.
#ifndef CLI_OPEN_MODEL_H
#define CLI_OPEN_MODEL_H

#include "cli/parts/output.h"

typedef struct cli_opened_model {
    bsp_model_file *file;   ///< its records
    bsp_model_asset *model; ///< with what belongs to it; NULL for a part of a model, as a .vvd is
    bsp_search *search;     ///< the archive that it lies in, or NULL
    bsp_blob blob;          ///< then the bytes of `file`
} cli_opened_model;

/// Returns true if the file, of the disk or of an archive (cli_member_split), begins as a model
/// does. Standard input is taken for a map.
bool cli_is_model(const char *path);
/// Opens a model with what belongs to it. Returns false after a message, with nothing to close.
bool cli_open_model(const char *path, bsp_issues *issues, cli_opened_model *opened);
void cli_close_model(cli_opened_model *opened);

#endif
