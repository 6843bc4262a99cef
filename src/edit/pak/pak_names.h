// SPDX-License-Identifier: MIT
// Finds the change for each file of a zip.
#ifndef BSPI_EDIT_PAK_PAK_NAMES_H
#define BSPI_EDIT_PAK_PAK_NAMES_H

#include "bspkit/edit.h"
#include "core/memory.h"

typedef struct bspi_pak_match {
    uint32_t *change_of; ///< for each file of the zip: its change, or BSP_NONE
    bool *counts;        ///< for each change: no later one has its name
} bspi_pak_match;

/// Compares names ignoring case, in one sort. Fails with BSP_E_ARGUMENT when a file to be removed
/// does not exist. The lists are in the arena.
bool bspi_pak_match_names(const bsp_pak *pak, const bsp_pak_change *changes, uint32_t count,
                          bspi_arena *arena, bspi_pak_match *out, bsp_error *error);

#endif
