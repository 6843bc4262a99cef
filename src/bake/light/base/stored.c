// SPDX-License-Identifier: MIT
// What the light that the map has tells of how it was made.
#include "bake/light/base/stored.h"

bool bspi_stored_luxels(const bspi_relight *own, uint32_t face, bspi_luxels *out) {
    return bspi_luxels_of(&own->source, face, out) == BSPI_LIT && out->num_styles != 0 &&
           out->styles[0] == 0;
}

void bspi_stored_luxel(const bspi_luxels *luxels, uint32_t luxel, float rgb[3]) {
    size_t bytes = bspi_luxel_bytes(luxels->format);
    bspi_luxel_decode(luxels->format, luxels->data + luxel * bytes, 1, rgb);
}

// Looks at the luxels of a face whose number among all is a multiple of `step`.
static void look_at(const bspi_relight *own, uint32_t face, uint64_t before, uint64_t step,
                    bool lit, bspi_stored_look *look, void *user) {
    const bsp_relight_face *light = &own->faces[face];
    bool made = light->luxels != NULL && light->num_styles != 0 && light->styles[0] == 0;
    bspi_luxels stored;
    if ((lit && !made) || !bspi_stored_luxels(own, face, &stored) || stored.width != light->width ||
        stored.height != light->height) {
        return;
    }
    uint64_t each = (uint64_t)light->width * light->height;
    for (uint64_t n = (step - before % step) % step; n < each; n += step) {
        float rgb[3];
        bspi_stored_luxel(&stored, (uint32_t)n, rgb);
        look(user, face, (uint32_t)n, rgb);
    }
}

bool bspi_stored_spread(bspi_relight *own, uint32_t most, bool lit, bspi_stored_look *look,
                        void *user, bsp_error *error) {
    uint64_t all = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        all += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        look_at(own, i, before, all / most + 1, lit, look, user);
        before += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    return bspi_heap_work(&own->heap, (uint64_t)most + own->map->num_faces, error);
}
