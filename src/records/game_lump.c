// SPDX-License-Identifier: MIT
// The game lump: a count and a directory. What it lists are lumps of their own ("game:sprp"),
// found when the file is opened; here only the directory is taken apart.
#include "records/split.h"

#include "formats/composites.h"

void bspi_split_game(bspi_split *split) {
    const bsp_lump_def *def = split->lump->def;
    if (def == NULL || def->num_variants == 0) {
        bspi_split_bytes(split, "bytes", 0, split->data.size);
        return;
    }
    uint32_t group = bspi_split_open(split, BSP_PART_GROUP, split->lump->name);
    if (bspi_split_record(split, "lumpCount", &bspi_bare_i32_t, 0)) {
        bspi_split_table(split, "gamelump", BSP_ID_NONE, def->variants[0].layout, 4,
                         bspi_split_u32(split, 0));
    }
    bspi_split_close(split, group);
}
