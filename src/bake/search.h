// SPDX-License-Identifier: MIT
// A search for what a gate sees. What stands in `done`, `seen`, `might` and `rows` of the sight
// must not change while searches run; each thread has a search of its own.
#ifndef BSPI_BAKE_SEARCH_H
#define BSPI_BAKE_SEARCH_H

#include "bake/sight.h"

typedef struct bspi_search bspi_search;

/// Makes a search in the arena of the sight. NULL without memory. What bspi_search_end frees is
/// left after a failure too.
bspi_search *bspi_search_new(bspi_sight *sight, bsp_error *error);
/// Frees what a search has taken from the heap. NULL is allowed and does nothing.
void bspi_search_end(bspi_search *search);

/// Searches for the clusters that a gate sees. `share` (may be NULL) is what bspi_search_share made
/// of this gate in a sight that had all of what may be seen here, and more: clusters that it has
/// not are not looked for. The result is the same without it.
bool bspi_search_gate(bspi_search *search, uint32_t gate, const uint8_t *share, bsp_error *error);
/// Stores which gates may be seen from the gate that was searched last: those between clusters that
/// were found.
void bspi_search_store(const bspi_search *search, uint32_t gate);
/// Writes a row of the clusters that were found.
void bspi_search_share(const bspi_search *search, uint8_t *row);

#endif
