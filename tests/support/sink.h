// SPDX-License-Identifier: MIT
// Output of the library, in memory.
#ifndef TEST_SINK_H
#define TEST_SINK_H

#include <stdbool.h>
#include <stddef.h>

/// All zero: empty. Free `data` with free().
typedef struct test_sink {
    char *data; ///< followed by a NUL; NULL while it is empty
    size_t size;
    size_t room;
} test_sink;

/// A sink of the library (bsp_sink) whose user is a test_sink. Fails the test without memory.
bool test_sink_take(void *sink, const char *data, size_t size);

#endif
