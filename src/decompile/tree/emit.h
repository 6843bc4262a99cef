// SPDX-License-Identifier: MIT
// Writes volumes of a tree as brushes of the document.
#ifndef BSPI_DECOMPILE_TREE_EMIT_H
#define BSPI_DECOMPILE_TREE_EMIT_H

#include "decompile/tree/faces.h"
#include "decompile/tree/names.h"
#include "decompile/work.h"

/// What can be found of a side without the document, by any thread.
typedef struct bspi_tree_found {
    bspi_written_plane plane; ///< as it is written: moved by the emitter's origin
    double normal[3];         ///< of the side, unit length, out of the volume
    double area;              ///< square units; only of a side that shows a face
    uint32_t face;            ///< that it shows, or BSP_NONE
} bspi_tree_found;

/// Where brushes are written, and the look of sides that are not drawn.
typedef struct bspi_tree_emitter {
    bspi_work *work;
    bspi_carver *carver;
    const bspi_tree_faces *faces; ///< NULL: no side shows a face
    uint32_t model;               ///< of the map
    uint32_t entity;              ///< of the document
    const double *origin;         ///< added to all points; may be NULL
    bsp_text plain;               ///< texture of sides that no face shows; no data: by contents
    const bsp_text *names;        ///< of the map's materials
    bool listed;    ///< brushes are those of the author: a side has one texture, the most common
    bool bare;      ///< sides that no face shows are not drawn
    uint32_t fence; ///< entity of fences, or BSP_NONE
    const char *fence_class; ///< class of that entity; NULL: fences are not separated
    bsp_text of_contents[BSPI_TREE_CONTENTS]; ///< textures that give contents
    bspi_tree_found *sides;                   ///< scratch: BSPI_MAX_SIDES
} bspi_tree_emitter;

/// Fills emitter->names, where textures that the file does not hold get a number for a name,
/// emitter->of_contents and emitter->sides.
bool bspi_tree_emit_begin(bspi_tree_emitter *emitter);
/// Writes carver->solid as a brush of the document with these contents. Returns false without
/// memory.
bool bspi_tree_emit(bspi_tree_emitter *emitter, int32_t contents);

/// Finds what is needed to write a side of a volume, whose plane is at `dist`. Uses of the emitter
/// only what does not change while brushes are written, unless it is `listed`: its faces count the
/// work.
void bspi_tree_find_side(const bspi_tree_emitter *emitter, const bspi_tree_side *side, double dist,
                         int32_t contents, bspi_tree_found *found);
/// Writes a volume with these contents and sides as a brush of the document. Returns false without
/// memory.
bool bspi_tree_emit_found(bspi_tree_emitter *emitter, int32_t contents,
                          const bspi_tree_found *sides, uint32_t count);

#endif
