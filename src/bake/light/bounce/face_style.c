// SPDX-License-Identifier: MIT
// Styles of faces that light is thrown to.
#include "bake/light/bounce/bounce.h"

#include <string.h>

void bspi_face_style_add(bspi_relight *own, bsp_relight_face *face, int style,
                         const float (*light)[3]) {
    size_t each = (size_t)face->width * face->height * face->directions;
    uint32_t at = bspi_face_style(face, style);
    bool is_new = at == BSP_NONE;
    if (is_new && face->num_styles >= own->most_styles) {
        atomic_fetch_add_explicit(&own->dropped, 1, memory_order_relaxed);
        return;
    }
    at = is_new ? face->num_styles++ : at;
    float(*luxels)[3] = (float(*)[3])face->luxels + each * at;
    if (is_new) {
        memset(luxels, 0, each * sizeof *luxels);
        face->styles[at] = (uint8_t)style;
    }
    for (size_t n = 0; n < each; n++) {
        for (int c = 0; c < 3; c++) {
            luxels[n][c] += light[n][c];
        }
    }
}
