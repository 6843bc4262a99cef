// SPDX-License-Identifier: MIT
// Physics models: for each brush model a head, solids, and key text. Format: sheet source-lumps,
// section 7. In big-endian files the solids are big-endian (read from shack.360).
#include "records/physics_solid.h"
#include "records/parse.h"

#include "formats/composites.h"

// Parses one model. Returns where it ends, or 0 if its sizes are wrong.
static size_t split_model(bspi_parse *parse, size_t at) {
    size_t room = parse->data.size - at - bspi_dphysmodel_t.size;
    uint32_t data_size = bspi_parse_u32(parse, at + 4);
    uint32_t key_size = bspi_parse_u32(parse, at + 8);
    if (data_size > room || key_size > room - data_size) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at,
                         "a model of %u and %u bytes, but there are %zu", data_size, key_size,
                         room);
        return 0;
    }
    size_t solids = at + bspi_dphysmodel_t.size;
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "model");
    bspi_parse_record(parse, "model", &bspi_dphysmodel_t, at);
    (void)bspi_parse_solids(parse, solids, solids + data_size, bspi_parse_u32(parse, at + 12));
    bspi_parse_solid_keys(parse, solids + data_size, key_size);
    bspi_parse_close(parse, group);
    return solids + data_size + key_size;
}

void bspi_parse_physics(bspi_parse *parse) {
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "models");
    size_t at = 0;
    size_t terminator = SIZE_MAX;
    while (parse->data.size - at >= bspi_dphysmodel_t.size && !parse->failed) {
        if ((int32_t)bspi_parse_u32(parse, at) < 0) {
            terminator = at;
            break;
        }
        size_t end = split_model(parse, at);
        if (end == 0) {
            break;
        }
        at = end;
    }
    bspi_parse_close(parse, list);
    if (terminator != SIZE_MAX) {
        bspi_parse_record(parse, "terminator", &bspi_dphysmodel_t, terminator);
    } else {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at, "the last model is not there");
    }
    bspi_parse_close(parse, group);
}
