// SPDX-License-Identifier: MIT
// Styles of faces that light is thrown to.
#include "bake/light/bounce/bounce.h"

#include <string.h>

float (*bspi_face_style_of(bspi_relight *own, bsp_relight_face *face, int style))[3] {
    size_t each = (size_t)face->width * face->height * face->directions;
    float(*luxels)[3] = (float(*)[3])face->luxels;
    for (uint32_t s = 0; s < face->num_styles; s++) {
        if (face->styles[s] == style) {
            return luxels + each * s;
        }
    }
    if (face->num_styles >= own->most_styles) {
        atomic_fetch_add_explicit(&own->dropped, 1, memory_order_relaxed);
        return NULL;
    }
    memset(luxels + each * face->num_styles, 0, each * sizeof *luxels);
    face->styles[face->num_styles] = (uint8_t)style;
    return luxels + each * face->num_styles++;
}
