// SPDX-License-Identifier: MIT
#include "decompile/work.h"

static bool copy_entities(bspi_work *w) {
    uint32_t count = w->map->entities != NULL ? w->map->entities->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bspi_wanted(w, i) && bspi_copy_entity(w, i, NULL) == BSP_NONE) {
            return false;
        }
    }
    return true;
}

const bspi_method bspi_method_quake2 = {copy_entities, bspi_emit_models, NULL, NULL, NULL};
