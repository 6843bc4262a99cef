// SPDX-License-Identifier: MIT
// The light sample positions of displacements: a triangle number and three barycentric weights per
// luxel. A number from 255 on takes two bytes, the first of them 255, so records have four or five
// bytes; each run of one size is a table. Format: sheet source-lumps, section 3.3.
#include "records/parse.h"

#include "formats/composites.h"

#define ESCAPE 255u

// The most runs of a lump. A run has about fifty samples in real maps; a lump with more runs than
// this was made to exhaust memory, and the rest of it is bytes.
static size_t most_runs(const bspi_parse *parse) {
    return 4096 + parse->data.size / 32;
}

void bspi_parse_samples(bspi_parse *parse) {
    const uint8_t *data = parse->data.data;
    size_t size = parse->data.size;
    size_t at = 0;
    size_t runs = most_runs(parse);
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, parse->lump->name);
    while (at < size && runs-- != 0 && !parse->failed) {
        bool escaped = data[at] == ESCAPE;
        const bsp_layout *layout = escaped ? &bspi_disp_sample_escaped_t : &bspi_disp_sample_t;
        size_t start = at;
        while (size - at >= layout->size && (data[at] == ESCAPE) == escaped) {
            at += layout->size;
        }
        if (at == start) {
            break;
        }
        bspi_parse_table(parse, "samples", BSP_ID_NONE, layout, start,
                         (uint32_t)((at - start) / layout->size));
    }
    if (at < size) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at, "%zu bytes are no samples",
                         size - at);
        bspi_parse_bytes(parse, "rest", at, size - at);
    }
    bspi_parse_close(parse, list);
}
