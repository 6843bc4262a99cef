// SPDX-License-Identifier: MIT
// A built file with a change at a known place.
#ifndef TEST_PATCH_H
#define TEST_PATCH_H

#include "bspkit/map.h"

typedef struct patch {
    bsp_branch const *branch;
    bool big_endian;
    uint8_t *data;
    size_t size;
} patch;

/// Returns a copy of the built map of a branch, followed by `more` zero bytes. Free with
/// patch_free.
patch patch_of(const char *branch, bool big_endian, size_t more);
void patch_free(patch *p);

/// Writes one element of a field of a directory lump's record. Returns its byte in the file.
uint64_t patch_field(patch *p, const char *lump, uint32_t record, const char *field,
                     uint32_t element, int64_t value);

/// Returns where a lump lies, and its size.
uint64_t patch_lump_at(const patch *p, const char *lump, uint64_t *size);

/// Changes the directory entry of a lump.
void patch_entry(patch *p, const char *lump, uint64_t offset, uint64_t size);

/// Opens the file and adds the issues of its directory to `issues`. Fails the test otherwise.
bsp_file *patch_open(const patch *p, bsp_issues *issues);

/// Gives the first issue of a kind from the check of the file, or from loading it as a map. Fails
/// the test if there is none.
void patch_check(const patch *p, const char *kind, bsp_issue *out);
void patch_mend(const patch *p, const char *kind, bsp_issue *out);

#endif
