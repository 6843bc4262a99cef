// SPDX-License-Identifier: MIT
// What the light that the map has tells of how it was made.
#include "bake/light/base/stored.h"

#include <math.h>

#define SHARE 100u // one luxel of so many that have the minimum is enough
#define FEW 64u    // luxels that are not
#define LUXELS 32u // that count as one of work

bool bspi_stored_luxels(const bspi_relight *own, uint32_t face, bspi_luxels *out) {
    return own->own_format == BSPI_RGBEXP32 &&
           bspi_luxels_of(&own->source, face, out) == BSPI_LIT && out->num_styles != 0 &&
           out->styles[0] == 0;
}

// Looks at the luxels of a face whose number among all is a multiple of `step`.
static void look_at(const bspi_relight *own, uint32_t face, uint64_t before, uint64_t step,
                    bspi_stored_look *look, void *user) {
    const bsp_relight_face *light = &own->faces[face];
    bspi_luxels stored;
    if (light->luxels == NULL || light->num_styles == 0 || light->styles[0] != 0 ||
        bspi_luxels_of(&own->source, face, &stored) != BSPI_LIT || stored.num_styles == 0 ||
        stored.styles[0] != 0 || stored.width != light->width || stored.height != light->height) {
        return;
    }
    uint64_t each = (uint64_t)light->width * light->height;
    for (uint64_t n = (step - before % step) % step; n < each; n += step) {
        float rgb[3];
        bspi_luxel_decode(stored.format, stored.data + n * bspi_luxel_bytes(stored.format), 1, rgb);
        look(user, face, (uint32_t)n, rgb);
    }
}

bool bspi_stored_spread(bspi_relight *own, uint32_t most, bspi_stored_look *look, void *user,
                        bsp_error *error) {
    uint64_t all = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        all += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        look_at(own, i, before, all / most + 1, look, user);
        before += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    return bspi_heap_work(&own->heap, (uint64_t)most + own->map->num_faces, error);
}

bool bspi_stored_least(bspi_relight *own, float *out, bsp_error *error) {
    float least = INFINITY;
    uint64_t count = 0;
    uint64_t all = 0;
    for (uint32_t face = 0; face < own->map->num_faces; face++) {
        bspi_luxels luxels;
        if (!bspi_stored_luxels(own, face, &luxels)) {
            continue;
        }
        uint32_t each = luxels.width * luxels.height;
        all += each;
        for (uint32_t n = 0; n < each; n++) {
            float rgb[3];
            bspi_rgbexp_decode(luxels.data + (size_t)n * 4, rgb);
            float low = fminf(rgb[0], fminf(rgb[1], rgb[2]));
            bool grey = rgb[0] == rgb[1] && rgb[1] == rgb[2];
            bool less = low > 0 && low < least;
            count = less ? 0 : count;
            least = less ? low : least;
            count += low == least && grey;
        }
        if (!bspi_heap_work(&own->heap, 1 + each / LUXELS, error)) {
            return false;
        }
    }
    *out = count >= FEW && count >= all / SHARE ? least : 0;
    return true;
}
