// SPDX-License-Identifier: MIT
// Faces of the world without solid on their back side: left from detail that is not solid.
#ifndef BSPI_DECOMPILE_TREE_LONE_FACES_H
#define BSPI_DECOMPILE_TREE_LONE_FACES_H

#include "decompile/tree/emit.h"

/// What was found.
typedef struct bspi_loose {
    bool *faces;   ///< of the model's faces: whether it is one
    uint32_t room; ///< number of them
    uint32_t plates;
    uint32_t slivers; ///< faces too thin for a plate, because compilers would refuse the brush
} bspi_loose;

/// Finds these faces of the emitter's model, and changes nothing else: `carver` counts the work.
/// Returns false without memory or over the limit. Call bspi_loose_end afterwards, even then.
bool bspi_find_loose(const bspi_tree_emitter *emitter, bspi_carver *carver, const bspi_tree *tree,
                     bspi_loose *found);
/// Makes a plate of each face that was found, in a non-solid entity. Changes the carver's box.
/// Returns false without memory.
bool bspi_emit_loose(bspi_tree_emitter *emitter, bspi_loose *found);
void bspi_loose_end(bspi_loose *found, bspi_carver *carver);

#endif
