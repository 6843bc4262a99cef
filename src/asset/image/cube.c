// SPDX-License-Identifier: MIT
// The sides of a cube's picture.
#include "asset/image/cube.h"

#include <math.h>

uint32_t bspi_cube_side(const float direction[3], float uv[2]) {
    // For each side the axes to the right and downwards, with their signs.
    static const struct {
        int right, down;
        float s, t;
    } sides[BSP_CUBE_SIDES] = {{2, 1, -1, -1}, {2, 1, 1, -1}, {0, 2, 1, 1},
                               {0, 2, 1, -1},  {0, 1, 1, -1}, {0, 1, -1, -1}};
    float most = 0;
    uint32_t side = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float length = fabsf(direction[axis]);
        if (length > most) {
            most = length;
            side = 2 * axis + (direction[axis] < 0);
        }
    }
    float scale = most > 0 ? 0.5F / most : 0;
    uv[0] = 0.5F + direction[sides[side].right] * sides[side].s * scale;
    uv[1] = 0.5F + direction[sides[side].down] * sides[side].t * scale;
    return side;
}
