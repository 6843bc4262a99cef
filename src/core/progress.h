// SPDX-License-Identifier: MIT
// Reports of progress to the caller.
#ifndef BSPI_PROGRESS_H
#define BSPI_PROGRESS_H

#include "bspkit/core.h"

/// A running stage. Plain data; it needs no end call.
typedef struct bspi_progress {
    const bsp_progress *to; ///< borrowed
    const char *stage;      ///< static storage
    uint64_t done;
    uint64_t total;
    uint64_t said; ///< number of reports of this stage so far
} bspi_progress;

/// The most reports of a stage, besides that of its start.
#define BSPI_PROGRESS_PARTS 256u

/// Begins a stage of `total` steps and reports it. Returns false, with the error filled, if the
/// caller stops the work.
bool bspi_progress_begin(bspi_progress *progress, const bsp_progress *to, const char *stage,
                         uint64_t total, bsp_error *error);
/// Adds `steps` steps that are done. Returns false, with the error filled, if the caller stops the
/// work.
bool bspi_progress_step(bspi_progress *progress, uint64_t steps, bsp_error *error);

#endif
