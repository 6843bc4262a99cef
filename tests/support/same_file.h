// SPDX-License-Identifier: MIT
// Compares edited files with the original, byte for byte.
#ifndef TEST_SAME_FILE_H
#define TEST_SAME_FILE_H

#include "support/each_map.h"

/// Opens what was written from `m`, as the same branch; fails the test if that is impossible.
bsp_file *reopen(const each_map *m, const bsp_blob *blob);

bool same_bytes(bsp_bytes a, bsp_bytes b);
/// Returns true if the blob is the file.
bool is_file(const bsp_file *file, const bsp_blob *blob);

/// Returns true if the files differ in padding only: what compilers leave between lumps may not be
/// zeros, and is lost where there was no room for it for a time.
bool same_but_padding(const bsp_file *file, const bsp_blob *other);

/// Returns a lump's bytes as stored in the file.
bsp_bytes stored_bytes(const bsp_file *file, uint32_t lump);

/// Checks that every lump of `changed` but one has its name, version, bytes and entry; offsets in
/// the game lump may differ. Returns their number.
unsigned compare_others(const each_map *m, const bsp_file *changed, uint32_t but);

/// Returns the number of warnings and errors.
uint64_t count_issues(const bsp_file *file);

#endif
