// SPDX-License-Identifier: MIT
// What every map has to stand, built or drawn: each test fails with the name that it was given.
#ifndef TEST_BATTERY_H
#define TEST_BATTERY_H

#include "bspkit/map.h"

/// A sink that forgets.
bool null_sink(void *user, const char *data, size_t size);

/// Opens bytes that must open.
bsp_file *battery_open(const char *name, bsp_bytes bytes);

/// Every lump, and the whole file, is encoded to the same bytes. Returns the number of lumps.
uint32_t battery_encode(const char *name, const bsp_file *file);

/// The check finds nothing at or above `severity`.
void battery_clean(const char *name, const bsp_file *file, bsp_severity severity);

/// Opens, checks, loads, dumps and encodes whatever the bytes are, through an allocator that
/// counts: no crash, no leak, no more memory than 64 MiB and eight times the size. Four calls with
/// `turn` 0 to 3 dump all lumps.
void battery_hostile(const char *name, bsp_bytes bytes, uint32_t turn);

/// The file cut at each byte of its directory and around the edges of each lump.
void battery_truncate(const char *name, bsp_bytes bytes);

/// `count` files of 1 to 4 changed bytes each; half of the changes hit the directory.
void battery_flip(const char *name, bsp_bytes bytes, uint32_t count, uint64_t seed);

/// The n-th request for memory fails, for each n until nothing fails.
void battery_starve(const char *name, bsp_bytes bytes);

#endif
