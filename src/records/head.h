// SPDX-License-Identifier: MIT
// The head of a file and the entries of its directory, as structures: what reads them and what
// writes them goes by one list of members.
#ifndef BSPI_RECORDS_HEAD_H
#define BSPI_RECORDS_HEAD_H

#include "layout/bind.h"

/// The head of a file, or its tail where a branch has one.
typedef struct bspi_head {
    uint32_t version;
    uint32_t revision; ///< BSP_NONE: the branch has no such field
    uint32_t checksum; ///< the same
    uint32_t last_lump;
} bspi_head;

/// A lump entry of the directory, decoded.
typedef struct bspi_entry {
    uint32_t offset;
    uint32_t size;
    uint32_t version;
    uint32_t fourcc;
} bspi_entry;

extern const bspi_struct bspi_head_struct;
extern const bspi_struct bspi_entry_struct;

#endif
