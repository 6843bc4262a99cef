// SPDX-License-Identifier: MIT
// The operating system: pages of memory, for POSIX. Apart from os.c, since heaps stand below files.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE // for madvise

#include "core/os_pages.h"

#include "core/os_calls.h"

#include <errno.h>
#include <stdint.h>

void bspi_prefer_large_pages(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)memory + size) / page * page;
    if (last > first) {
        int before = errno;
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
        errno = before;
    }
#else
    (void)memory;
    (void)size;
#endif
}
