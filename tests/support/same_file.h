// SPDX-License-Identifier: MIT
// Files byte for byte.
#ifndef TEST_SAME_FILE_H
#define TEST_SAME_FILE_H

#include "bspkit/records.h"

/// The same file but for padding: what compilers leave between lumps may be no zeros, and is lost
/// where it had no room for a time.
bool same_but_padding(const bsp_file *file, const bsp_blob *other);

#endif
