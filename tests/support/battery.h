// SPDX-License-Identifier: MIT
// Tests that every map must pass, built or from the corpus. A failure names the map.
#ifndef TEST_BATTERY_H
#define TEST_BATTERY_H

#include "bspkit/map.h"

/// A sink that ignores its input.
bool null_sink(void *user, const char *data, size_t size);

/// Opens bytes, which must succeed.
bsp_file *battery_open(const char *name, bsp_bytes bytes);

/// Checks that every lump, and the whole file, is encoded to the same bytes. Returns the number of
/// lumps.
uint32_t battery_encode(const char *name, const bsp_file *file);

/// Checks that the check reports nothing at or above `severity`.
void battery_clean(const char *name, const bsp_file *file, bsp_severity severity);

/// Opens, checks, loads, dumps and encodes any bytes through an allocator that counts: no crash, no
/// leak, at most 64 MiB plus eight times the size of memory. Four calls with `turn` 0 to 3 dump all
/// lumps.
void battery_hostile(const char *name, bsp_bytes bytes, uint32_t turn);

/// Runs battery_hostile on the file cut at each byte of its directory and around the ends of each
/// lump.
void battery_truncate(const char *name, bsp_bytes bytes);

/// Runs it on `count` files with 1 to 4 changed bytes each; half of the changes are in the
/// directory.
void battery_flip(const char *name, bsp_bytes bytes, uint32_t count, uint64_t seed);

/// Lets the n-th request for memory fail, for each n until nothing fails.
void battery_starve(const char *name, bsp_bytes bytes);

#endif
