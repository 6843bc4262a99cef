// SPDX-License-Identifier: MIT
// Numbers of animations, run by run. Source: the sheet models, 3 and 9.
#include "model/studio/runs.h"

#include "core/reader.h"

float bspi_studio_run(bspi_model_builder *b, bsp_bytes bytes, uint64_t at, uint32_t frame) {
    for (;;) {
        bsp_bytes span = bspi_slice(bytes, at, 2);
        if (span.size == 0 || span.data[1] == 0 || !bspi_meter_add(&b->meter, 1)) {
            return 0;
        }
        uint32_t valid = span.data[0];
        uint32_t total = span.data[1];
        if (frame < total) {
            uint32_t k = frame < valid ? frame : valid - (valid != 0);
            bsp_bytes value = bspi_slice(bytes, at + 2 + (uint64_t)k * 2, 2);
            return valid == 0 || value.size == 0 ? 0
                                                 : (float)(int16_t)bspi_load16(value.data, false);
        }
        frame -= total;
        at += 2 + (uint64_t)valid * 2;
    }
}
