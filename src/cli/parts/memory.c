// SPDX-License-Identifier: MIT
// glibc maps each block of more than 128 KiB by itself and gives it back when it is freed. A job of
// a few hundredths of a second then spends a third of them in the kernel, which clears and maps
// each of its pages, some of them several times. See mallopt(3) and madvise(2).
#define _GNU_SOURCE // madvise

#include "cli/parts/memory.h"

#include "core/os_calls.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

#define MIB ((size_t)1 << 20)
#define RESERVED (31 * MIB) // of address space: a page takes memory when it is first written to
#define SMALL_JOB MIB       // so much is mapped in small pages, that short runs take no more
#define LARGE_PAGE (2 * MIB)
// Larger blocks are mapped by themselves, so that they are given back: bsp_budget asks for large
// pages for them.
#define MOST_KEPT (4 * MIB)

// Asks for large pages in a reserved block, from `skipped` bytes on.
static void prefer_large_pages(const void *memory, size_t skipped) {
#ifdef MADV_HUGEPAGE
    uintptr_t start = (uintptr_t)memory;
    uintptr_t first = (start + skipped + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t end = (start + RESERVED) / LARGE_PAGE * LARGE_PAGE;
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE); // it may refuse
#else
    (void)memory;
    (void)skipped;
#endif
}

// Reserves blocks, one after the other, that stay the end of the heap.
static void reserve(unsigned count) {
    void *blocks[2] = {NULL, NULL};
    (void)mallopt(M_TRIM_THRESHOLD, (int)(2 * RESERVED * count));
    (void)mallopt(M_MMAP_THRESHOLD, (int)(RESERVED + MIB));
    for (unsigned i = 0; i < count; i++) {
        blocks[i] = malloc(RESERVED);
        if (blocks[i] != NULL) {
            prefer_large_pages(blocks[i], i == 0 ? SMALL_JOB : 0);
        }
    }
    free(blocks[1]);
    free(blocks[0]);
    (void)mallopt(M_MMAP_THRESHOLD, (int)MOST_KEPT);
}

void cli_memory_begin(void) {
    reserve(1);
}

void cli_memory_more(void) {
    reserve(2);
}
#else
void cli_memory_begin(void) {
}

void cli_memory_more(void) {
}
#endif
