// SPDX-License-Identifier: MIT
// A file of any branch with records in every table: values follow from the roles of the fields, so
// that every index, run and offset is valid. It is not a meaningful map; it has the records of
// lumps that the room builder does not make.
#ifndef TEST_TABLES_H
#define TEST_TABLES_H

#include "bspkit/file.h"

/// Builds the file. `records` is their number in each table (limits permitting), at least 1. Free
/// `data` with free.
bsp_bytes tables_file(const bsp_branch *branch, bool big_endian, uint32_t records);

#endif
