// SPDX-License-Identifier: MIT
// What edit.h promises of a file in which one lump was changed.
#ifndef FUZZ_EDITED_H
#define FUZZ_EDITED_H

#include "bspkit/compare.h"
#include "bspkit/edit.h"

/// Aborts unless the changed lump is what was asked for, and every other lump is in `after`, under
/// its name, with its bytes. Not looked at are bytes that a directory is in: it had to change.
void fuzz_check_edited(const bsp_file *before, const bsp_file *after,
                       const bsp_lump_change *change);

#endif
