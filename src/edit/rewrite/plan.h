// SPDX-License-Identifier: MIT
// A plan from inside: pieces, and what they need until they are written.
#ifndef BSPI_EDIT_REWRITE_PLAN_H
#define BSPI_EDIT_REWRITE_PLAN_H

#include "edit/rewrite/pieces.h"

#include "bspkit/compare.h"
#include "bspkit/edit.h"

struct bsp_plan {
    bspi_heap heap;
    bspi_arena arena;
    bspi_pieces pieces;
    const bsp_file *file;      ///< that most of them are of; may be NULL
    const uint8_t *key;        ///< of the file: what is written is scrambled with it; may be NULL
    void (*close)(void *keep); ///< gives back what else the pieces need; may be NULL
    void *keep;
};

/// A plan without pieces. They are `error`'s to fill until the plan is given away.
bsp_plan *bspi_plan_new(const bsp_file *file, const bsp_allocator *allocator, bsp_error *error);
/// The plan, or NULL (and it is freed) when it was not `done`.
bsp_plan *bspi_plan_give(bsp_plan *plan, bool done);
/// As bsp_plan_make; the plan is freed, and may be NULL: then it fails.
bool bspi_plan_finish(bsp_plan *plan, const bsp_allocator *allocator, bsp_blob *out,
                      bsp_error *error);

#endif
