// SPDX-License-Identifier: MIT
// Counts output: bytes before they are written, a file at its first bytes.
#include "export/sink.h"

bool bspi_counted_sink(void *user, const char *data, size_t size) {
    bspi_counted *counted = user;
    bspi_content *content =
        (bspi_content *)(uintptr_t)counted->content; // its error is not part of the visible state
    if (!bsp_budget_write(content->heap.budget, counted->begun ? 0 : 1, size, &content->refused)) {
        return false;
    }
    counted->begun = true;
    counted->bytes += size;
    return counted->sink(counted->user, data, size);
}

bool bspi_sink_failed(const bspi_content *content, bsp_error *error) {
    if (content->refused.code != BSP_OK) {
        return bsp_fail(error, content->refused.code, NULL, "%s", content->refused.message);
    }
    return bsp_fail(error, BSP_E_IO, NULL, "the output could not be written");
}
