// SPDX-License-Identifier: MIT
// A navigation mesh (.nav) that the user names.
#ifndef CLI_NAV_H
#define CLI_NAV_H

#include "bspkit/nav.h"
#include "cli/parts/options.h"

/// Opens it within the budget, as an input: outputs never replace it. A message tells why it cannot
/// be opened; unless it is `asked` for, a file that is not there is no failure, and `out` is NULL.
cli_status cli_open_nav(const char *path, bool asked, bsp_nav **out);

#endif
