// SPDX-License-Identifier: MIT
// An allocator that counts bytes, checks that each block is freed with the size of its allocation,
// and can refuse the n-th request.
#ifndef TEST_ALLOC_H
#define TEST_ALLOC_H

#include "bspkit/core.h"

typedef struct test_meter {
    size_t live;       ///< bytes
    size_t peak;       ///< highest number of live bytes
    uint64_t requests; ///< number of requests for memory
    uint64_t fail_at;  ///< number of the request that is refused, from 1; 0 for none
    bool wrong;        ///< a block was freed with a wrong size
} test_meter;

/// Returns an allocator over a meter, which must outlive it.
bsp_allocator meter_allocator(test_meter *meter);

#endif
