// SPDX-License-Identifier: MIT
// bspkit view --serve: the page on the loopback, made again when the map is compiled again.
#ifndef VIEW_SERVE_H
#define VIEW_SERVE_H

#include "cli/parts/output.h"

/// Begins to listen: before the process gives up its right to open sockets. Returns false after a
/// message.
bool cli_view_listen(void);

/// Prints the address and serves the viewer's page with the map of the call, until a signal ends
/// the process. Returns a status after a message if the map cannot be shown at the beginning, or
/// memory ends.
cli_status cli_view_serve(const cli_call *call, const bsp_blob *page);

#endif
