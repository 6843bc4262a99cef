// SPDX-License-Identifier: MIT
// What hlrad did by its version and settings.
#ifndef BSPI_BAKE_HLRAD_SETTINGS_H
#define BSPI_BAKE_HLRAD_SETTINGS_H

#include "bake/light/base/work.h"

/// Sets what it did, as far as the map tells.
void bspi_hlrad_settings(bspi_relight *own);

/// Was the map lit before hlrad knew textures?
static inline bool bspi_hlrad_is_old(const bspi_relight *own) {
    return own->scale.reflects > 0;
}

#endif
