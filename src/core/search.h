// SPDX-License-Identifier: MIT
// Binary search in sorted arrays, and the search for the group of an element.
#ifndef BSPI_SEARCH_H
#define BSPI_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/// Returns the number of the first element of a sorted array that is not below `key`, or `count` if
/// all are below it. `compare` is called as bsearch calls it: the key first, then an element.
static inline size_t bspi_lower_bound(const void *key, const void *array, size_t count, size_t size,
                                      int (*compare)(const void *, const void *)) {
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (compare(key, (const char *)array + middle * size) > 0) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

/// Compares two uint32_t, for bspi_lower_bound, bsearch and qsort.
static inline int bspi_compare_u32(const void *a, const void *b) {
    const uint32_t *x = a;
    const uint32_t *y = b;
    return (*x > *y) - (*x < *y);
}

/// Returns the element that stands for the group of `element`: of disjoint sets, in which
/// parents[n] leads from n to it, and is n for that one itself. Shortens the ways on which it goes.
static inline uint32_t bspi_root_of(uint32_t *parents, uint32_t element) {
    while (parents[element] != element) {
        parents[element] = parents[parents[element]];
        element = parents[element];
    }
    return element;
}

#endif
