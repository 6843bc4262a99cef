// SPDX-License-Identifier: MIT
// Stands in until the floor has its own: weak, so that they replace it.
#include "decompile/work.h"
#include <math.h>
#include <string.h>
__attribute__((weak)) void bspi_side_plane(bsp_source_side *side, const double normal[3],
                                           double dist, const double (*polygon)[3],
                                           uint32_t count) {
    memcpy(side->normal, normal, sizeof side->normal);
    side->dist = dist;
    double best = -1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            for (uint32_t k = j + 1; k < count; k++) {
                double u[3], v[3];
                for (int a = 0; a < 3; a++) {
                    u[a] = polygon[j][a] - polygon[i][a];
                    v[a] = polygon[k][a] - polygon[i][a];
                }
                double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
                       z = u[0] * v[1] - u[1] * v[0];
                double area = x * x + y * y + z * z;
                if (area > best) {
                    best = area;
                    memcpy(side->points[0], polygon[i], 24);
                    memcpy(side->points[2], polygon[j], 24);
                    memcpy(side->points[1], polygon[k], 24);
                }
            }
}
__attribute__((weak)) void bspi_side_look(bsp_source_side *side, const bspi_look *look,
                                          const double origin[3]) {
    memcpy(side->vec, look->vec, sizeof side->vec);
    if (origin)
        for (int i = 0; i < 2; i++)
            for (int a = 0; a < 3; a++)
                side->vec[i][3] -= origin[a] * look->vec[i][a];
}
