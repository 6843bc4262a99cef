// SPDX-License-Identifier: MIT
// The blocks of a displacement, in the order in which the editor writes them.
#include "mapdoc/disp_rows.h"

#include <stddef.h>

#define ROWS(name, member, width)                                                                  \
    { name, offsetof(bsp_mapdoc_disp_vert, member), width }

const bspi_disp_rows bspi_disp_rows_of[BSPI_DISP_ROWS] = {
    ROWS("normals", normal, 3),
    ROWS("distances", distance, 1),
    ROWS("offsets", offset, 3),
    ROWS("offset_normals", offset_normal, 3),
    ROWS("alphas", alpha, 1),
    ROWS("multiblend", blend, 4),
    ROWS("alphablend", alpha_blend, 4),
    ROWS("multiblend_color_0", blend_colors[0], 3),
    ROWS("multiblend_color_1", blend_colors[1], 3),
    ROWS("multiblend_color_2", blend_colors[2], 3),
    ROWS("multiblend_color_3", blend_colors[3], 3),
};
