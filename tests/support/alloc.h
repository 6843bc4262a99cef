// SPDX-License-Identifier: MIT
// An allocator that counts bytes, checks that each block is given back with the size it was asked
// for with, and can refuse the n-th request.
#ifndef TEST_ALLOC_H
#define TEST_ALLOC_H

#include "bspkit/core.h"

typedef struct test_meter {
    size_t live;       ///< bytes
    size_t peak;       ///< most bytes at once
    uint64_t requests; ///< that ask for memory
    uint64_t fail_at;  ///< number of the request that is refused, from 1; 0 for none
    bool wrong;        ///< a block was given back with another size than its own
} test_meter;

/// The allocator over a meter, which must outlive it.
bsp_allocator meter_allocator(test_meter *meter);

#endif
