// SPDX-License-Identifier: MIT
// What the workers of a picture share: the budget, and the first failure.
#include "render/frame.h"

bool bspi_frame_pay(bspi_frame *frame, bspi_share *share) {
    bsp_error error = {0};
    share->meter.error = &error;
    if (bspi_meter_pay(&share->meter)) {
        return true;
    }
    pthread_mutex_lock(&frame->lock);
    if (!frame->failed) {
        (void)bsp_fail(frame->error, error.code, NULL, "%s", error.message);
    }
    frame->failed = true;
    pthread_mutex_unlock(&frame->lock);
    return false;
}
