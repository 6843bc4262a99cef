// SPDX-License-Identifier: MIT
// Light thrown back by surfaces, once: each lit piece of a face shines as a small lamp.
#include "light.h"

#include "core/curves.h"

typedef struct patch {
    vec3 place;
    vec3 normal;
    double area;
    double colour[3];
    uint32_t cluster;
} patch;

static patch *patches;
static uint32_t num_patches;

void bounce_begin(void) {
    patches = NULL;
    num_patches = 0;
}

void bounce_add(vec3 place, vec3 normal, double area, const double back[3], uint32_t cluster) {
    patch p = {place, normal, area, {back[0], back[1], back[2]}, cluster};
    if (back[0] + back[1] + back[2] > 0.5 && cluster != BSP_NONE) {
        PUSH(patches, num_patches, p);
    }
}

colour bounce_reaches(const world *w, vec3 point, vec3 normal, uint32_t number) {
    colour sum = {{0, 0, 0}};
    uint32_t cluster = w->leaves[number].cluster;
    const uint8_t *row = cluster == BSP_NONE ? NULL : w->visible + (size_t)cluster * w->row_bytes;
    for (uint32_t i = 0; row != NULL && i < num_patches; i++) {
        const patch *p = &patches[i];
        vec3 way = sub(p->place, point);
        double facing = dot(way, normal);
        double leaving = -dot(way, p->normal);
        if (facing <= 0 || leaving <= 0 || (row[p->cluster >> 3] >> (p->cluster & 7) & 1) == 0) {
            continue;
        }
        double square = dot(way, way);
        double k = p->area * facing * leaving / (square * (BSPI_PI * square + p->area));
        if (k * (p->colour[0] + p->colour[1] + p->colour[2]) > 0.02 &&
            trace_clear(point, p->place)) {
            for (int c = 0; c < 3; c++) {
                sum.v[c] += p->colour[c] * k;
            }
        }
    }
    return sum;
}
