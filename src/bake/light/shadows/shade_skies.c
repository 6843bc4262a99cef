// SPDX-License-Identifier: MIT
// Triangles of the sky in maps of Quake 3, which lines to suns must meet.
#include "bake/light/shadows/shade_skies.h"

#include "core/vector.h"

#include <string.h>

// How far beside its edges a part of a triangle may be met, in parts of the whole one: three times
// what is beside a triangle, for one at a corner, and as much for the leaf that it was cut in.
#define BESIDE (6 * BSPI_SHADE_BESIDE)

bool bspi_shade_skies_add(bspi_occluder_list *list, const bspi_shade_triangle *triangle) {
    static const float places[3][2] = {
        {-BESIDE, -BESIDE}, {1 + 2 * BESIDE, -BESIDE}, {-BESIDE, 1 + 2 * BESIDE}};
    bspi_occluder face = {.kind = BSPI_OCCLUDER_SKY, .channels = BSPI_CHANNEL};
    float points[3][3];
    bspi_cross(triangle->edges[0], triangle->edges[1], face.normal);
    if (!(bspi_normalize(face.normal) > 0)) { // none meets it
        return true;
    }
    face.dist = bspi_dot(face.normal, triangle->corner);
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < 3; i++) {
            points[n][i] = triangle->corner[i] + triangle->edges[0][i] * places[n][0] +
                           triangle->edges[1][i] * places[n][1];
        }
    }
    return bspi_occluder_list_add(list, &face, (const float(*)[3])points, 3);
}
