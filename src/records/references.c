// SPDX-License-Identifier: MIT
// The allowed range of each role.
#include "records/references.h"

void bspi_counts_finish(bspi_counts *counts) {
    if (counts->records[BSP_ID_FACES] == 0) {
        counts->records[BSP_ID_FACES] = counts->records[BSP_ID_FACES_HDR];
    }
}

static bspi_range node_children(const bspi_counts *counts) {
    bspi_range range = {-(int64_t)counts->records[BSP_ID_LEAVES],
                        (int64_t)counts->records[BSP_ID_NODES] - 1};
    return range;
}

// The headnode of a model without clip hulls is 0 even if there are no clipnodes.
static bspi_range clip_children(const bspi_counts *counts) {
    int64_t last = (int64_t)counts->records[BSP_ID_CLIPNODES] - 1;
    bspi_range range = {INT64_MIN, last < 0 ? 0 : last};
    return range;
}

bspi_range bspi_reference_range(const bsp_field *field, uint32_t element,
                                const bspi_counts *counts) {
    int64_t last = (int64_t)counts->records[field->target] - 1;
    int64_t last_byte = (int64_t)counts->bytes[field->target] - 1;
    bspi_range range = {INT64_MIN, INT64_MAX};
    switch (field->role) {
    case BSP_ROLE_INDEX:
        return (bspi_range){0, last};
    case BSP_ROLE_INDEX_NONE:
        return (bspi_range){-1, last};
    case BSP_ROLE_SURFEDGE:
        return (bspi_range){-last, last};
    case BSP_ROLE_NODE_CHILD:
        return node_children(counts);
    case BSP_ROLE_CLIP_CHILD:
        return clip_children(counts);
    case BSP_ROLE_HEADNODES:
        return element == 0 ? node_children(counts) : clip_children(counts);
    case BSP_ROLE_OFFSET:
        return (bspi_range){0, last_byte};
    case BSP_ROLE_OFFSET_NONE:
        // Maps without light or visibility keep placeholder offsets.
        return last_byte < 0 ? range : (bspi_range){-1, last_byte};
    default:
        return range;
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
