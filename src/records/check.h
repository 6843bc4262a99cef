// SPDX-License-Identifier: MIT
// The parts of the check of records.
#ifndef BSPI_CHECK_H
#define BSPI_CHECK_H

#include "bspkit/file.h"

/// Checks alignment, overlaps, gaps and trailing bytes of the lumps in the file
/// (check_directory.c).
bool bspi_check_directory(const bsp_file *file, bsp_issues *issues, bsp_error *error);

#endif
