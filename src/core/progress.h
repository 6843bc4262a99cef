// SPDX-License-Identifier: MIT
// Telling a caller how far a long piece of work is.
#ifndef BSPI_PROGRESS_H
#define BSPI_PROGRESS_H

#include "bspkit/core.h"

/// A stage that goes on. Plain data; needs no ending.
typedef struct bspi_progress {
    const bsp_progress *to; ///< borrowed
    const char *stage;      ///< static storage
    uint64_t done;
    uint64_t total;
    uint64_t said; ///< how many of BSPI_PROGRESS_PARTS were reported
} bspi_progress;

/// A stage is reported when it begins and at most so many times after.
#define BSPI_PROGRESS_PARTS 256u

/// Begins a stage of `total` steps and reports it. False, with the error filled, if the caller
/// wants it to stop.
bool bspi_progress_begin(bspi_progress *progress, const bsp_progress *to, const char *stage,
                         uint64_t total, bsp_error *error);
/// `steps` more are done. False as above.
bool bspi_progress_step(bspi_progress *progress, uint64_t steps, bsp_error *error);

#endif
