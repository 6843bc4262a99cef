// SPDX-License-Identifier: MIT
// Outlines of a navigation mesh over a picture from above.
#ifndef CLI_RENDER_NAV_H
#define CLI_RENDER_NAV_H

#include "cli/parts/input.h"

/// Reads the navigation mesh in the file `path`, and draws the outlines of its areas into the
/// picture of a view from above. Those above the view's cut are left out. A message tells why not.
cli_status cli_draw_nav(const char *path, const bsp_renderer *renderer, const bsp_view *view,
                        bsp_image *image);

#endif
