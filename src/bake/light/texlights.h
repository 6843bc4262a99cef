// SPDX-License-Identifier: MIT
// What textures give by themselves.
#ifndef BSPI_BAKE_TEXLIGHTS_H
#define BSPI_BAKE_TEXLIGHTS_H

#include "bake/light/keys.h"

/// Finds what the texture of each material gives: "r g b [intensity]" or one number, or an empty
/// text. Sets NULL if none gives light. The arena owns the list.
bool bspi_texlights_find(bspi_relight *own, const bsp_text **out, bsp_error *error);

#endif
