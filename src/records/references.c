// SPDX-License-Identifier: MIT
// The rule of each role.
#include "records/references.h"

void bspi_counts_finish(bspi_counts *counts) {
    if (counts->records[BSP_ID_FACES] == 0) {
        counts->records[BSP_ID_FACES] = counts->records[BSP_ID_FACES_HDR];
    }
}

static bool node_child_ok(int64_t value, const bspi_counts *counts) {
    return value >= 0 ? value < counts->records[BSP_ID_NODES]
                      : -1 - value < counts->records[BSP_ID_LEAVES];
}

// The headnode of a model without clip hulls is 0 whatever there is.
static bool clip_child_ok(int64_t value, const bspi_counts *counts) {
    uint32_t count = counts->records[BSP_ID_CLIPNODES];
    return value <= 0 || bspi_clip_child(value, count) < count;
}

bool bspi_reference_ok(const bsp_field *field, uint32_t element, int64_t value,
                       const bspi_counts *counts) {
    uint32_t count = counts->records[field->target];
    switch (field->role) {
    case BSP_ROLE_INDEX:
        return value >= 0 && value < count;
    case BSP_ROLE_INDEX_NONE:
        return value >= -1 && value < count;
    case BSP_ROLE_SURFEDGE:
        return (value < 0 ? -value : value) < count;
    case BSP_ROLE_NODE_CHILD:
        return node_child_ok(value, counts);
    case BSP_ROLE_CLIP_CHILD:
        return clip_child_ok(value, counts);
    case BSP_ROLE_HEADNODES:
        return element == 0 ? node_child_ok(value, counts) : clip_child_ok(value, counts);
    case BSP_ROLE_OFFSET:
        return value >= 0 && value < counts->bytes[field->target];
    case BSP_ROLE_OFFSET_NONE:
        // Maps without light or visibility keep the offsets that were to be filled.
        return counts->bytes[field->target] == 0 ||
               (value >= -1 && value < counts->bytes[field->target]);
    default:
        return true;
    }
}

uint32_t bspi_reference_limit(const bsp_field *field, const bspi_counts *counts,
                              const char **noun) {
    bsp_table_id id = (bsp_table_id)field->target;
    switch (field->role) {
    case BSP_ROLE_NODE_CHILD:
        *noun = "nodes";
        return counts->records[BSP_ID_NODES];
    case BSP_ROLE_CLIP_CHILD:
    case BSP_ROLE_HEADNODES:
        *noun = "clipnodes";
        return counts->records[BSP_ID_CLIPNODES];
    case BSP_ROLE_OFFSET:
    case BSP_ROLE_OFFSET_NONE:
        *noun = "bytes";
        return counts->bytes[id];
    default:
        *noun = bsp_table_id_name(id);
        return counts->records[id];
    }
}
