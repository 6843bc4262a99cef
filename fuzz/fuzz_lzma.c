// SPDX-License-Identifier: MIT
// A packed lump: unpacks to the size that its head states, or fails. Sizes that no caller would
// accept are left out.
#include "meter.h"

#include <stdlib.h>

#define MOST ((uint32_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes packed = {data, size};
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    uint32_t unpacked;
    if (bsp_lzma_probe(packed, &unpacked) && unpacked <= MOST) {
        uint8_t *out = malloc((size_t)unpacked + 1);
        bsp_error error = {0};
        FUZZ_CHECK(out != NULL);
        if (bsp_lzma_unpack(packed, out, &meter.allocator, &error)) {
            bsp_bytes all = {out, unpacked};
            uint32_t sum = bsp_crc32(0, all);
            (void)sum;
        } else {
            FUZZ_CHECK(error.code == BSP_E_DAMAGED);
        }
        free(out);
    }
    fuzz_meter_end(&meter, size);
    return 0;
}
