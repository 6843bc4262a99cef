// SPDX-License-Identifier: MIT
// Finds clip brushes in the hulls that compilers make for moving boxes.
//
// A hull is solid where the centre of a mover's box cannot be. Whatever the solids of hull 0 do not
// explain was a clip brush, grown by the box: its planes are moved back. Where a volume ends in an
// explained solid, the plane is the solid's own, and is moved back to that solid's surface. Each
// brush is verified: grown by the box again, it must stay inside the hull's solid.
#ifndef BSPI_DECOMPILE_TREE_CLIP_H
#define BSPI_DECOMPILE_TREE_CLIP_H

#include "decompile/tree/emit.h"
#include "decompile/tree/merge.h"

typedef struct bspi_clip_plane {
    double normal[3];
    double dist;
} bspi_clip_plane;

/// A clip brush: a run of planes, and its box.
typedef struct bspi_clip_brush {
    uint32_t first;
    uint32_t count;
    double mins[3];
    double maxs[3];
} bspi_clip_brush;

typedef struct bspi_explain_help bspi_explain_help; ///< explained.h

typedef struct bspi_clipper {
    const bsp_map *map;
    bspi_carver *carver;
    const bspi_tree *space; ///< hull 0 of the model
    bspi_tree *hulls;       ///< of the model that are built already, or empty; NULL: none is
    uint32_t model;
    bspi_explain_help *helpers; ///< that search hull 1 too, or NULL
    bool counts; ///< volumes of the hulls from 2 on are looked for, which no brush is made of
    bspi_clip_plane *planes;
    uint32_t num_planes;
    size_t room_planes;
    bspi_clip_brush *brushes;
    uint32_t num_brushes;
    size_t room_brushes;
    uint32_t unexplained; ///< volumes of the hulls from 2 on that no brush explains, if `counts`
    bool unfinished; ///< the limit of work was reached in trees that share branches: clip brushes
                     ///< may be missing
} bspi_clipper;

/// Finds the clip brushes of the model: those of hull 1. Changes the carver's box. Returns false
/// without memory. Call bspi_clip_end afterwards, even then.
bool bspi_clip(bspi_clipper *clipper);
/// Writes the brushes that bspi_clip found. The emitter's carver has the box that the clipper's has
/// after it. Returns false without memory.
bool bspi_clip_emit(const bspi_clipper *clipper, bspi_tree_emitter *emitter);
void bspi_clip_end(bspi_clipper *clipper);

#endif
