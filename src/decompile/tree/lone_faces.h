// SPDX-License-Identifier: MIT
// Faces of the world without solid on their back side: left from detail that is not solid.
#ifndef BSPI_DECOMPILE_TREE_LONE_FACES_H
#define BSPI_DECOMPILE_TREE_LONE_FACES_H

#include "decompile/tree/emit.h"

/// What was found.
typedef struct bspi_loose {
    uint32_t plates;
    uint32_t slivers; ///< faces too thin for a plate, because compilers would refuse the brush
} bspi_loose;

/// Makes a plate of each such face, in a non-solid entity. Changes the carver's box. Returns false
/// without memory.
bool bspi_emit_loose(bspi_tree_emitter *emitter, const bspi_tree *tree, bspi_loose *found);

#endif
