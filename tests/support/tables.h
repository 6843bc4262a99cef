// SPDX-License-Identifier: MIT
// A file of any branch with records in every table: values follow from the roles of the fields, so
// that every index, run and offset names something. It means nothing as a map; what it is for is
// the records of lumps that the builder of rooms does not know.
#ifndef TEST_TABLES_H
#define TEST_TABLES_H

#include "bspkit/file.h"

/// Builds it. `records` is how many there are in each table (limits permitting), at least 1. Free
/// `data` with free.
bsp_bytes tables_file(const bsp_branch *branch, bool big_endian, uint32_t records);

#endif
