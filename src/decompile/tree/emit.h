// SPDX-License-Identifier: MIT
// Volumes of a tree as brushes of the document.
#ifndef BSPI_DECOMPILE_TREE_EMIT_H
#define BSPI_DECOMPILE_TREE_EMIT_H

#include "decompile/tree/faces.h"
#include "decompile/tree/names.h"
#include "decompile/work.h"

/// Where brushes go, and what is not drawn looks like.
typedef struct bspi_tree_emitter {
    bspi_work *work;
    bspi_carver *carver;
    const bspi_tree_faces *faces; ///< NULL: no side shows one
    uint32_t model;               ///< of the map
    uint32_t entity;              ///< of the document
    const double *origin;         ///< moves all; may be NULL
    bsp_text plain;               ///< texture of sides that no face shows; no data: by contents
    const bsp_text *names;        ///< of the map's materials
    bool listed;                  ///< brushes as they were drawn: a side has one texture, the most
    bool bare;                    ///< sides that no face shows are not drawn
    uint32_t fence;               ///< entity of solids that are seen through, or BSP_NONE
    const char *fence_class;      ///< of that entity; NULL: not made of these brushes
    bsp_text of_contents[BSPI_TREE_CONTENTS]; ///< textures that say contents
} bspi_tree_emitter;

/// Fills emitter->names, where textures that the file does not hold get a number for a name, and
/// emitter->of_contents.
bool bspi_tree_emit_begin(bspi_tree_emitter *emitter);
/// Makes carver->solid a brush of the document with these contents. False without memory.
bool bspi_tree_emit(bspi_tree_emitter *emitter, int32_t contents);

#endif
