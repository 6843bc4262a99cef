// SPDX-License-Identifier: MIT
// Options as callers give them: NULL, of this version, or of an older one.
#ifndef BSPI_OPTIONS_H
#define BSPI_OPTIONS_H

#include "bspkit/core.h"

/// Copies a caller's options (NULL: all defaults) to `out`, a struct of `size` bytes that begins
/// with its size_t. The caller's struct may state 0, which is `size`, or any size from `oldest` on,
/// that of the first version whose callers are still taken; members that it does not have become
/// 0. Another size is a bug of the caller: an assert, and false with BSP_E_ARGUMENT without
/// asserts.
bool bspi_take_options(void *out, size_t size, size_t oldest, const void *options,
                       bsp_error *error);

/// Takes options into the variable `out`. All structs are those of 0.2.0: one that grows later
/// states here what it measured then.
#define BSPI_TAKE_OPTIONS(out, options, error)                                                     \
    bspi_take_options(&(out), sizeof(out), sizeof(out), options, error)

#endif
