// SPDX-License-Identifier: MIT
// Physics models: for each brush model a head, solids, and key text. Format: sheet source-lumps,
// section 7. In big-endian files the solids are big-endian (read from shack.360).
#include "records/physics_solid.h"
#include "records/parse.h"

#include "formats/composites.h"

// Parses one model. Returns where it ends, or 0 if its sizes are wrong.
static size_t split_model(bspi_parse *split, size_t at) {
    size_t room = split->data.size - at - bspi_dphysmodel_t.size;
    uint32_t data_size = bspi_parse_u32(split, at + 4);
    uint32_t key_size = bspi_parse_u32(split, at + 8);
    if (data_size > room || key_size > room - data_size) {
        bspi_parse_issue(split, BSPI_ISSUE_LUMP_STRUCTURE, at,
                         "a model of %u and %u bytes, but there are %zu", data_size, key_size,
                         room);
        return 0;
    }
    size_t solids = at + bspi_dphysmodel_t.size;
    uint32_t group = bspi_parse_open(split, BSP_PART_GROUP, "model");
    bspi_parse_record(split, "model", &bspi_dphysmodel_t, at);
    (void)bspi_parse_solids(split, solids, solids + data_size, bspi_parse_u32(split, at + 12));
    bspi_parse_solid_keys(split, solids + data_size, key_size);
    bspi_parse_close(split, group);
    return solids + data_size + key_size;
}

void bspi_parse_physics(bspi_parse *split) {
    uint32_t group = bspi_parse_open(split, BSP_PART_GROUP, split->lump->name);
    uint32_t list = bspi_parse_open(split, BSP_PART_LIST, "models");
    size_t at = 0;
    size_t terminator = SIZE_MAX;
    while (split->data.size - at >= bspi_dphysmodel_t.size && !split->failed) {
        if ((int32_t)bspi_parse_u32(split, at) < 0) {
            terminator = at;
            break;
        }
        size_t end = split_model(split, at);
        if (end == 0) {
            break;
        }
        at = end;
    }
    bspi_parse_close(split, list);
    if (terminator != SIZE_MAX) {
        bspi_parse_record(split, "terminator", &bspi_dphysmodel_t, terminator);
    } else {
        bspi_parse_issue(split, BSPI_ISSUE_LUMP_STRUCTURE, at, "the last model is not there");
    }
    bspi_parse_close(split, group);
}
