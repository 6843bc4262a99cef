// SPDX-License-Identifier: MIT
// Files of a folder and all below it, in the order of their names.
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include "bspkit/core.h"

/// A file that was read. `path` is relative to the given folder.
typedef struct test_file {
    const char *path;
    bsp_bytes bytes;
} test_file;

typedef void test_file_visit(const test_file *file, void *user);

/// Calls `visit` for each file below `folder` whose name ends in `ending`. Returns their number.
uint32_t for_each_file(const char *folder, const char *ending, test_file_visit *visit, void *user);

/// Returns the folder of the map corpus: from the environment (BSPKIT_CORPUS) or beside the
/// repository. NULL when it does not exist. Static storage.
const char *corpus_folder(void);

#endif
