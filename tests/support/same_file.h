// SPDX-License-Identifier: MIT
// Edited files held against the first one, byte for byte.
#ifndef TEST_SAME_FILE_H
#define TEST_SAME_FILE_H

#include "support/each_map.h"

/// Opens what was written from `m`, as the same branch; fails the test if that cannot be.
bsp_file *reopen(const each_map *m, const bsp_blob *blob);

bool same_bytes(bsp_bytes a, bsp_bytes b);
/// The blob is the file.
bool is_file(const bsp_file *file, const bsp_blob *blob);

/// The same file but for padding: what compilers leave between lumps may be no zeros, and is lost
/// where it had no room for a time.
bool same_but_padding(const bsp_file *file, const bsp_blob *other);

/// A lump's bytes as they stand in the file.
bsp_bytes stored_bytes(const bsp_file *file, uint32_t lump);

/// Every lump of `changed` but one has its name, version and bytes, and the entry it had; offsets
/// in the game lump may be others. Returns how many there are.
unsigned compare_others(const each_map *m, const bsp_file *changed, uint32_t but);

/// Warnings and errors.
uint64_t count_issues(const bsp_file *file);

#endif
