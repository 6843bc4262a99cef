// SPDX-License-Identifier: MIT
// The parts of an area in a file of a navigation mesh. Which there are depends on the version, and
// on the game.
#ifndef BSPI_QUERY_NAV_PARTS_H
#define BSPI_QUERY_NAV_PARTS_H

#include "bspkit/nav.h"
#include "core/reader.h"

/// The parts, in the order of the file.
enum {
    BSPI_NAV_ID,
    BSPI_NAV_FLAGS8,
    BSPI_NAV_FLAGS16,
    BSPI_NAV_FLAGS32,
    BSPI_NAV_CORNERS,
    BSPI_NAV_NORTH,
    BSPI_NAV_EAST,
    BSPI_NAV_SOUTH,
    BSPI_NAV_WEST,
    BSPI_NAV_SPOTS,
    BSPI_NAV_APPROACHES,
    BSPI_NAV_ENCOUNTERS,
    BSPI_NAV_PLACE,
    BSPI_NAV_UP,
    BSPI_NAV_DOWN,
    BSPI_NAV_OCCUPIED,
    BSPI_NAV_LIGHT,
    BSPI_NAV_SPAWNS,
    BSPI_NAV_SPAWNS_MORE,
    BSPI_NAV_VISIBLE,
    BSPI_NAV_INHERITED,
    BSPI_NAV_TEAM_FLAGS,
    BSPI_NAV_LATE_APPROACHES,
    BSPI_NAV_PARTS
};

/// Where a part of an area is; NULL: it has none of that kind, or an empty one.
typedef struct bspi_nav_found {
    const uint8_t *at;
    uint32_t count;
} bspi_nav_found;

/// Reads an area, and finds its parts. Returns false if it does not lie in the file.
bool bspi_nav_walk(bspi_reader *in, uint32_t version, bsp_nav_extra extra,
                   bspi_nav_found found[BSPI_NAV_PARTS]);
/// Reads a byte; 0 past the end, where the reader fails.
uint32_t bspi_nav_u8(bspi_reader *in);
/// Returns the next `count` elements of `size` bytes, or NULL past the end, where the reader fails.
const uint8_t *bspi_nav_run(bspi_reader *in, uint32_t count, uint32_t size);

#endif
