// SPDX-License-Identifier: MIT
// The operating system: pages of memory, for POSIX. Apart from os.c, since heaps stand below files.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE // for madvise

#include "core/os_pages.h"

#include "core/os_calls.h"

#include <errno.h>
#include <stdint.h>

#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)
// Gives advice, which the system need not take, about the pages from `first` to before `last`.
static void advise(uintptr_t first, uintptr_t last, int advice) {
    if (last > first) {
        int before = errno;
        (void)madvise((void *)first, last - first, advice);
        errno = before;
    }
}

// With all pages that the memory touches: of a part of what malloc maps by itself, the rest would
// be mapped apart, and realloc could only copy it.
void bspi_prefer_large_pages(void *memory, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)memory;
    advise(start / page * page, (start + size + page - 1) / page * page, MADV_HUGEPAGE);
}

void bspi_prefer_small_pages(void *memory, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)memory;
    advise((start + page - 1) / page * page, (start + size) / page * page, MADV_NOHUGEPAGE);
}
#else
void bspi_prefer_large_pages(void *memory, size_t size) {
    (void)memory, (void)size;
}

void bspi_prefer_small_pages(void *memory, size_t size) {
    (void)memory, (void)size;
}
#endif
