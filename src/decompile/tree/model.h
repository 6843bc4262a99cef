// SPDX-License-Identifier: MIT
// The steps that make the brushes of one model of a map without brushes.
#ifndef BSPI_DECOMPILE_TREE_MODEL_H
#define BSPI_DECOMPILE_TREE_MODEL_H

#include "decompile/tree/clip.h"
#include "decompile/tree/list.h"
#include "decompile/tree/queue.h"
#include "decompile/tree/void.h"

typedef struct bspi_maker {
    bspi_work *work;
    bspi_carver carver;
    bspi_carver *others; ///< of further threads that work at the world: num_others
    uint32_t num_others;
    bspi_tree_faces faces;
    bool has_faces;  ///< of the world already
    bool late_faces; ///< but they are collected with the void
    bspi_tree_emitter emitter;
    bspi_tree tree;
    bspi_brush_list list;
    bool listed;              ///< the model's brushes come from the list
    bspi_volume_queue *queue; ///< receives volumes that are written later, or NULL
    bspi_void beyond;         ///< what was found of the world's void, and trees of its hulls
} bspi_maker;

/// Sets the carver's box to that of a model.
void bspi_maker_box(bspi_maker *m, uint32_t model);
/// Builds the trees of the world that are needed whatever is in them, and collects its faces, if
/// there are threads enough: all at the same time.
void bspi_maker_build_first(bspi_maker *m);
/// Collects the faces of a model and builds its tree, in the model's box. Returns false without
/// memory.
bool bspi_maker_take(bspi_maker *m, uint32_t model);
/// Does the same, and finds out whether its brushes are listed. Of the world, the void
/// is left out. Returns false without memory.
bool bspi_maker_build(bspi_maker *m, uint32_t model);
/// Returns what merges the tree's cells, to the queue if there is one.
bspi_merger bspi_maker_merger(bspi_maker *m);
/// Adds to a report what it merged.
void bspi_maker_report(const bspi_maker *m, const bspi_merger *merger,
                       bsp_decompile_report *report);
/// Makes the brushes of the tree's cells, or those of the list. Returns false without memory.
bool bspi_maker_fill(bspi_maker *m, uint32_t model);
/// Returns a search for the clip brushes of a model.
bspi_clipper bspi_maker_clipper(bspi_maker *m, uint32_t model);
/// Writes what it found. Returns false without memory.
bool bspi_maker_emit_clips(bspi_maker *m, const bspi_clipper *clipper);
/// Does both, unless clip brushes are listed. Returns false without memory.
bool bspi_maker_clip(bspi_maker *m, uint32_t model);

#endif
