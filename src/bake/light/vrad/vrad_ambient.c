// SPDX-License-Identifier: MIT
// Light that all places of a map have: vrad adds it where there is no visibility, since nothing is
// thrown back then.
#include "bake/light/vrad/vrad.h"

#include "core/workers.h"

static bool add(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    const bspi_relight *own = user;
    const bsp_relight_face *face = &own->faces[number];
    uint32_t style = bspi_face_style(face, 0);
    size_t each = (size_t)face->width * face->height;
    uint32_t missing = own->scale.vrad->misses && face->directions > 1 ? 1 : 0;
    size_t count = each * (face->directions - missing);
    (void)worker;
    (void)error;
    if (face->luxels == NULL || style == BSP_NONE) {
        return true;
    }
    float(*luxels)[3] = (float(*)[3])(uintptr_t)face->luxels + each * face->directions * style;
    for (size_t n = 0; n < count; n++) {
        for (int c = 0; c < 3; c++) {
            luxels[n][c] += own->scale.ambient;
        }
    }
    return true;
}

bool bspi_vrad_ambient(bspi_relight *own, bsp_error *error) {
    return !(own->scale.ambient > 0) ||
           bspi_workers_each(bspi_heap_threads(&own->heap), own->map->num_faces, add, own, error);
}
