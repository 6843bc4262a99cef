// SPDX-License-Identifier: MIT
// Counts output: bytes before they are written, a file with its first bytes.
#include "export/sink.h"

bool bspi_counted_sink(void *user, const char *data, size_t size) {
    bspi_counted *counted = user;
    bspi_scene *scene = (bspi_scene *)(uintptr_t)counted->scene; // its error is not what is shown
    if (!bsp_budget_write(scene->heap.budget, counted->begun ? 0 : 1, size, &scene->refused)) {
        return false;
    }
    counted->begun = true;
    counted->bytes += size;
    return counted->sink(counted->user, data, size);
}

bool bspi_sink_failed(const bspi_scene *scene, bsp_error *error) {
    if (scene->refused.code != BSP_OK) {
        return bsp_fail(error, scene->refused.code, NULL, "%s", scene->refused.message);
    }
    return bsp_fail(error, BSP_E_IO, NULL, "the output could not be written");
}
