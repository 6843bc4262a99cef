// SPDX-License-Identifier: MIT
// The game lump: a count and a directory. The lumps that it lists have their own entries
// ("game:sprp"), made when the file is opened; this file parses the directory only.
#include "records/parse.h"

#include "formats/composites.h"

void bspi_parse_game(bspi_parse *parse) {
    const bsp_lump_def *def = parse->lump->def;
    if (def == NULL || def->num_variants == 0) {
        bspi_parse_bytes(parse, "bytes", 0, parse->data.size);
        return;
    }
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    if (bspi_parse_record(parse, "lumpCount", &bspi_bare_i32_t, 0)) {
        bspi_parse_table(parse, "gamelump", BSP_ID_NONE, def->variants[0].layout, 4,
                         bspi_parse_u32(parse, 0));
    }
    bspi_parse_close(parse, group);
}
