// SPDX-License-Identifier: MIT
// The built map of every branch, as a file in memory, for tests of every branch.
#ifndef TEST_SPECIMEN_H
#define TEST_SPECIMEN_H

#include "support/room.h"

/// A file that room_file made.
typedef struct specimen {
    const bsp_branch *branch;
    bool big_endian;
    uint32_t props; ///< 0: the branch's own
    bsp_bytes bytes;
    char name[64]; ///< for messages
} specimen;

typedef void specimen_test(const specimen *s);

/// Builds a file and calls `test` with it.
void specimen_do(specimen_test *test, const bsp_branch *branch, bool big_endian, uint32_t props);

/// Calls `test` for each branch whose records are known; where files of both byte orders exist
/// (Source), twice.
void specimen_each(specimen_test *test);

/// Opens the file, and loads its map strictly. Fails the test if that fails.
bsp_map *specimen_load(const specimen *s, bsp_file **file);

#endif
