// SPDX-License-Identifier: MIT
// Reports of progress are limited by counting, never by a clock, so that the same work makes the
// same calls.
#include "core/progress.h"

static bool report(const bspi_progress *progress, bsp_error *error) {
    const bsp_progress *to = progress->to;
    if (to->report != NULL &&
        !to->report(to->user, progress->stage, progress->done, progress->total)) {
        return bsp_fail(error, BSP_E_CANCELLED, NULL, "stopped by the caller: %s, %llu of %llu",
                        progress->stage, (unsigned long long)progress->done,
                        (unsigned long long)progress->total);
    }
    return true;
}

bool bspi_progress_begin(bspi_progress *progress, const bsp_progress *to, const char *stage,
                         uint64_t total, bsp_error *error) {
    *progress = (bspi_progress){.to = to, .stage = stage, .total = total};
    return total == 0 || report(progress, error);
}

bool bspi_progress_step(bspi_progress *progress, uint64_t steps, bsp_error *error) {
    uint64_t rest = progress->total - progress->done;
    progress->done += steps < rest ? steps : rest;
    // The float only decides how often to report; the last step is always reported.
    double share = progress->total == 0 ? 0 : (double)progress->done / (double)progress->total;
    uint64_t part = (uint64_t)(share * BSPI_PROGRESS_PARTS);
    if (part == progress->said || progress->total == 0) {
        return true;
    }
    progress->said = part;
    return report(progress, error);
}
