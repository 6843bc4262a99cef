// SPDX-License-Identifier: MIT
// The private structure of a plan: pieces, and what they need until they are written.
#ifndef BSPI_EDIT_REWRITE_PLAN_H
#define BSPI_EDIT_REWRITE_PLAN_H

#include "edit/rewrite/pieces.h"

#include "bspkit/compare.h"
#include "bspkit/edit.h"

struct bsp_plan {
    bspi_heap heap;
    bspi_arena arena;
    bspi_pieces pieces;
    const bsp_file *file;      ///< that most pieces are from; may be NULL
    const uint8_t *key;        ///< of the file: the output is scrambled with it; may be NULL
    void (*close)(void *keep); ///< frees what else the pieces need; may be NULL
    void *keep;
};

/// Makes a plan without pieces. Until bspi_plan_give its pieces report failures to `error`.
bsp_plan *bspi_plan_new(const bsp_file *file, const bsp_allocator *allocator, bsp_error *error);
/// Returns the plan; if not `done`, frees it and returns NULL.
bsp_plan *bspi_plan_give(bsp_plan *plan, bool done);
/// Makes the bytes as bsp_plan_make does and frees the plan, which may be NULL: then it fails.
bool bspi_plan_finish(bsp_plan *plan, const bsp_allocator *allocator, bsp_blob *out,
                      bsp_error *error);

#endif
