// SPDX-License-Identifier: MIT
// Files byte for byte.
#include "support/same_file.h"

bool same_but_padding(const bsp_file *file, const bsp_blob *other) {
    bsp_bytes bytes = bsp_file_get_info(file)->bytes;
    if (bytes.size != other->size) {
        return false;
    }
    for (size_t at = 0; at < bytes.size; at++) {
        bool owned = bytes.data[at] == other->data[at];
        for (uint32_t n = 0; !owned && n < bsp_file_get_info(file)->num_directory_lumps; n++) {
            const bsp_lump *lump = bsp_file_lump(file, n);
            uint64_t end = lump->offset + lump->size;
            owned = lump->size != 0 && at >= end && at < (end + 3) / 4 * 4 && other->data[at] == 0;
        }
        if (!owned) {
            return false;
        }
    }
    return true;
}
