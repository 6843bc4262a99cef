// SPDX-License-Identifier: MIT
// Faces of the world with nothing behind them: what is left of detail that is no solid.
#ifndef BSPI_DECOMPILE_TREE_LOOSE_H
#define BSPI_DECOMPILE_TREE_LOOSE_H

#include "decompile/tree_emit.h"

/// Makes a plate of each such face, in an entity that lets everybody through; `*count` says how
/// many, `*unfinished` that looking took too many steps. The carver's box is another afterwards.
/// False without memory.
bool bspi_emit_loose(bspi_tree_emitter *emitter, const bspi_tree *tree, uint32_t *count,
                     bool *unfinished);

#endif
