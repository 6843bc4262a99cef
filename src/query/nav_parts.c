// SPDX-License-Identifier: MIT
// The parts of an area of a navigation mesh are rows of a table; only the paths of encounters are
// nested. Layout: see nav.c.
#include "query/nav_parts.h"

typedef enum part_form {
    FIXED, ///< so many bytes
    RUN8,  ///< a byte says how many elements of so many bytes follow
    RUN32, ///< the same, with four bytes
    PATHS, ///< four bytes say how many paths follow: ten bytes, and a RUN8 of five
} part_form;

typedef struct nav_part {
    uint32_t first; // versions that have it
    uint32_t last;
    part_form form;
    uint32_t size;
    bsp_nav_extra extra; // that has it; BSP_NAV_PLAIN: all
} nav_part;

static const nav_part parts[BSPI_NAV_PARTS] = {
    [BSPI_NAV_ID] = {5, 16, FIXED, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_FLAGS8] = {5, 8, FIXED, 1, BSP_NAV_PLAIN},
    [BSPI_NAV_FLAGS16] = {9, 12, FIXED, 2, BSP_NAV_PLAIN},
    [BSPI_NAV_FLAGS32] = {13, 16, FIXED, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_CORNERS] = {5, 16, FIXED, 32, BSP_NAV_PLAIN},
    [BSPI_NAV_NORTH] = {5, 16, RUN32, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_EAST] = {5, 16, RUN32, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_SOUTH] = {5, 16, RUN32, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_WEST] = {5, 16, RUN32, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_SPOTS] = {5, 16, RUN8, 17, BSP_NAV_PLAIN},
    [BSPI_NAV_APPROACHES] = {5, 14, RUN8, 14, BSP_NAV_PLAIN},
    [BSPI_NAV_ENCOUNTERS] = {5, 16, PATHS, 10, BSP_NAV_PLAIN},
    [BSPI_NAV_PLACE] = {5, 16, FIXED, 2, BSP_NAV_PLAIN},
    [BSPI_NAV_UP] = {7, 16, RUN32, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_DOWN] = {7, 16, RUN32, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_OCCUPIED] = {8, 16, FIXED, 8, BSP_NAV_PLAIN},
    [BSPI_NAV_LIGHT] = {11, 16, FIXED, 16, BSP_NAV_PLAIN},
    [BSPI_NAV_SPAWNS] = {16, 16, FIXED, 4, BSP_NAV_LEFT4DEAD},
    [BSPI_NAV_SPAWNS_MORE] = {16, 16, FIXED, 2, BSP_NAV_LEFT4DEAD}, // 0 in all files
    [BSPI_NAV_VISIBLE] = {16, 16, RUN32, 5, BSP_NAV_PLAIN},
    [BSPI_NAV_INHERITED] = {16, 16, FIXED, 4, BSP_NAV_PLAIN},
    [BSPI_NAV_TEAM_FLAGS] = {10, 16, FIXED, 4, BSP_NAV_TEAM_FORTRESS},
    [BSPI_NAV_LATE_APPROACHES] = {15, 16, RUN8, 14, BSP_NAV_APPROACHES},
};

uint32_t bspi_nav_u8(bspi_reader *in) {
    const uint8_t *p = bspi_take(in, 1);
    return p == NULL ? 0 : *p;
}

const uint8_t *bspi_nav_run(bspi_reader *in, uint32_t count, uint32_t size) {
    uint64_t bytes = (uint64_t)count * size;
    if (bytes > bspi_left(in)) {
        in->failed = true;
        return NULL;
    }
    return bspi_take(in, (size_t)bytes);
}

static void skip_paths(bspi_reader *in, uint32_t size) {
    uint32_t count = bspi_read_u32(in);
    for (uint32_t i = 0; i < count && !in->failed; i++) {
        (void)bspi_take(in, size);
        (void)bspi_nav_run(in, bspi_nav_u8(in), 5);
    }
}

bool bspi_nav_walk(bspi_reader *in, uint32_t version, bsp_nav_extra extra,
                   bspi_nav_found found[BSPI_NAV_PARTS]) {
    for (int i = 0; i < BSPI_NAV_PARTS; i++) {
        const nav_part *part = &parts[i];
        found[i] = (bspi_nav_found){NULL, 0};
        if (version < part->first || version > part->last ||
            (part->extra != BSP_NAV_PLAIN && part->extra != extra)) {
            continue;
        }
        if (part->form == PATHS) {
            skip_paths(in, part->size);
            continue;
        }
        uint32_t count = part->form == FIXED  ? 1
                         : part->form == RUN8 ? bspi_nav_u8(in)
                                              : bspi_read_u32(in);
        found[i] = (bspi_nav_found){bspi_nav_run(in, count, part->size), count};
    }
    return !in->failed;
}
