// SPDX-License-Identifier: MIT
// Pages of memory, as the operating system gives them.
#ifndef BSPI_OS_PAGES_H
#define BSPI_OS_PAGES_H

#include <stddef.h>

/// Asks for large pages where whole ones lie in the memory, which is private and new: the system
/// then clears and maps it in fewer steps. It may refuse.
void bspi_prefer_large_pages(void *memory, size_t size);

/// Takes that back for memory that is perhaps not used: a large page is taken up whole by the first
/// byte that is written to it.
void bspi_prefer_small_pages(void *memory, size_t size);

#endif
