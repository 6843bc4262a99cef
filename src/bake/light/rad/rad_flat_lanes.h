// SPDX-License-Identifier: MIT
// Where a point of a surface is in the planes of patches, for eight of them: the same operations in
// the same order as for one (rad_around.c). A file that includes this says by BSPI_AVX2 with what,
// and by BSPI_RAD_FLAT_EIGHT under which name.
#include "bake/light/rad/rad_eight.h"
#include "core/lanes.h"

BSPI_LANES_TARGET void BSPI_RAD_FLAT_EIGHT(const bspi_rad_planes *planes, uint32_t first,
                                           const bspi_rad_spot *on, bspi_rad_flat8 *out) {
    const f8 slack = f8_all(BSPI_RAD_ON);
    f8 axes[3][3];
    f8 way[3];
    f8 flat[3];
    f8 middle[3];
    f8 rest[3];
    for (int c = 0; c < 3; c++) {
        way[c] = f8_all(on->point[c]) - f8_load(planes->middle[c] + first);
        for (int axis = 0; axis < 3; axis++) {
            axes[axis][c] = f8_load(planes->axes[axis][c] + first);
        }
    }
    f8 reach = f8_load(planes->reach + first);
    out->near = i8_bits(~(f8_dot(way, way) > reach * reach));
    if (out->near == 0) {
        return;
    }
    f8 off = f8_dot(way, axes[2]);
    for (int c = 0; c < 3; c++) {
        flat[c] = way[c] - axes[2][c] * off;
    }
    f8 along = f8_along(on->normal, flat);
    f8 part = f8_along(on->normal, way) / along;
    part = f8_clamp(f8_pick(f8_abs(along) > slack, part, f8_all(0)), 0, 1);
    for (int c = 0; c < 3; c++) {
        middle[c] = flat[c] * part;
        rest[c] = way[c] - middle[c];
    }
    f8 length = f8_sqrt(f8_dot(flat, flat));
    f8 longer = f8_sqrt(f8_dot(middle, middle)) + f8_sqrt(f8_dot(rest, rest));
    i8 bent = (length > slack) & (f8_abs(longer - length) > slack);
    f8 scale = f8_pick(bent, longer / length, f8_all(1));
    f8 x = f8_dot(flat, axes[0]) * scale;
    f8 y = f8_dot(flat, axes[1]) * scale;
    f8 dist = f8_sqrt(x * x + y * y);
    i8 some = dist > f8_all(0);
    f8_store(out->spot[0], x);
    f8_store(out->spot[1], y);
    f8_store(out->way[0], f8_pick(some, x / dist, x));
    f8_store(out->way[1], f8_pick(some, y / dist, y));
    f8_store(out->dist, dist);
}
