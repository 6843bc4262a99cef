// SPDX-License-Identifier: MIT
// The page of bspkit view with a map in it.
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "cli/parts/output.h"

/// The name, beside the page, of what a served page asks for to know whether it is the newest.
#define CLI_VIEW_STATE "state"

/// What a page is made of.
typedef struct cli_view {
    const cli_call *call; ///< for --game
    const char *path;     ///< of the map
    const bsp_file *file;
    const bsp_blob *page; ///< from cli_view_read
    uint32_t number;      ///< of a page that is served: it is loaded again when another number is
                          ///< the newest; 0: of a page that is written
} cli_view;

/// Reads the viewer's page: `name`, or the installed one if it is NULL. CLI_DONE, or another status
/// after a message. The caller frees the page with bsp_blob_free.
cli_status cli_view_read(const char *name, bsp_blob *page);

/// Writes the page with the map, and the files of the game that the map names. CLI_DONE, or another
/// status after a message.
cli_status cli_view_write(const cli_view *view, cli_output *output);

#endif
