// SPDX-License-Identifier: MIT
// The image for a missing texture in pictures and exports.
#ifndef BSPI_IMAGE_PATTERN_H
#define BSPI_IMAGE_PATTERN_H

#include "bspkit/asset.h"

/// Makes it: small, grey, and it repeats. Free it with bsp_image_free.
bool bspi_image_pattern(const bsp_allocator *allocator, bsp_image *out, bsp_error *error);

#endif
