// SPDX-License-Identifier: MIT
// Faces of the world with nothing behind them: what is left of detail that is no solid.
#ifndef BSPI_DECOMPILE_TREE_LONE_FACES_H
#define BSPI_DECOMPILE_TREE_LONE_FACES_H

#include "decompile/tree/emit.h"

/// What was found.
typedef struct bspi_loose {
    uint32_t plates;
    uint32_t slivers; ///< faces too thin for a plate: compilers would refuse the brush
} bspi_loose;

/// Makes a plate of each such face, in an entity that lets everybody through. The carver's box is
/// another afterwards. False without memory.
bool bspi_emit_loose(bspi_tree_emitter *emitter, const bspi_tree *tree, bspi_loose *found);

#endif
