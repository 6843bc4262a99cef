// SPDX-License-Identifier: MIT
// The CRC-32 of zip files.
#include "bspkit/pack.h"

#include <libdeflate.h>

uint32_t bsp_crc32(uint32_t crc, bsp_bytes data) {
    return data.size == 0 ? crc : libdeflate_crc32(crc, data.data, data.size);
}
