// SPDX-License-Identifier: MIT
// Contents at a point, by the index: most cells of the grid have the same contents everywhere; in
// the others the point's leaf is found, and the boxes of its brushes are tested eight at a time.
#include "query/compact.h"
#include "query/contents.h"

#include <assert.h>

static int32_t leaf_contents(const bspi_contents *c, uint32_t leaf, const float p[3]) {
    int32_t contents = c->leaves[leaf];
    int16_t rank[3], in[BSPI_BOXES];
    for (int i = 0; i < 3; i++) {
        rank[i] = bspi_rank(c, i, p[i]);
    }
    for (uint32_t i = c->runs[leaf]; i < c->runs[leaf + 1]; i++) {
        const bspi_boxes *boxes = &c->boxes[i];
        bool any = bspi_find_boxes(boxes, rank, rank, in);
        for (unsigned k = 0; any && k < BSPI_BOXES; k++) {
            const bspi_inside *brush = &c->insides.brushes[boxes->brush[k]];
            // What is there already need not be found again.
            if (in[k] != 0 && (brush->contents & ~contents) != 0 &&
                bspi_is_inside(&c->insides, brush, p)) {
                contents |= brush->contents;
            }
        }
    }
    return contents;
}

int32_t bsp_trace_contents(const bsp_trace_index *index, uint32_t model, const float point[3]) {
    assert(index != NULL && point != NULL);
    const bspi_contents *c = index->contents;
    uint32_t cell = model == 0 && c != NULL ? bspi_cell_of(&index->cells, point) : BSP_NONE;
    if (cell == BSP_NONE) {
        return bsp_query_contents(index->map, model, point);
    }
    uint8_t kind = c->kinds[cell];
    if (kind != BSPI_MIXED) {
        return c->values[kind];
    }
    return bspi_compact_of(index->map) != NULL
               ? bsp_query_contents(index->map, 0, point)
               : leaf_contents(c, bspi_cell_leaf(index, cell, point), point);
}
