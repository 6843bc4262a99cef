// SPDX-License-Identifier: MIT
// What edit.h promises about a file in which one lump was changed.
#ifndef FUZZ_EDITED_H
#define FUZZ_EDITED_H

#include "bspkit/compare.h"
#include "bspkit/edit.h"

/// Aborts unless the changed lump has the requested bytes, and every other lump is in `after`,
/// under its name, with its bytes. Bytes of a directory are not compared, since it had to change.
void fuzz_check_edited(const bsp_file *before, const bsp_file *after,
                       const bsp_lump_change *change);

#endif
