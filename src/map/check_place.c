// SPDX-License-Identifier: MIT
// Finds the place in the file of an element of the map: its lump, record and byte.
#include "map/check.h"

bsp_place bspi_map_place(const bspi_map_check *check, bsp_table_id id, uint32_t record,
                         const char *field) {
    uint32_t n = bsp_file_find_id(check->file, id);
    if (n == BSP_NONE) {
        return bsp_place_at(NULL, record, field, UINT64_MAX);
    }
    const bsp_lump *lump = bsp_file_lump(check->file, n);
    uint64_t offset = UINT64_MAX;
    if (record != BSP_NONE && !lump->compressed && lump->kind == BSP_KIND_ARRAY) {
        uint32_t count = bsp_file_count(check->file, id);
        offset = lump->offset + (count == 0 ? 0 : lump->size / count * record);
    }
    return bsp_place_at(lump->name, record, field, offset);
}
