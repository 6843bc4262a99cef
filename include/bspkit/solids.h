// SPDX-License-Identifier: MIT
/// @file solids.h
/// Traces and lines of sight in a world with its props: what bsp_trace and bsp_sight_batch of
/// query.h answer for world and brush models, together with the models that stand there.
#ifndef BSPKIT_SOLIDS_H
#define BSPKIT_SOLIDS_H

#include "bspkit/query.h"
#include "bspkit/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The solid props of a scene, made ready for traces. Immutable: any number of threads may ask it
/// at once. It borrows the trace index that it was made with, and nothing of the scene, which may
/// be freed.
typedef struct bsp_solids bsp_solids;

/// How solid props are made ready. All zero gives the defaults.
typedef struct bsp_solids_options {
    size_t size;                    ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator; ///< NULL: the C library's
    bsp_budget *budget;             ///< counts memory and work; NULL: the map's, or the defaults
} bsp_solids_options;

/// Takes the solid props of a scene: those with a box (bsp_scene_prop.solid 2), and those whose
/// model has hulls (6), of which the engine takes the first solid only. A prop whose place has
/// numbers that are not finite or has no inverse, and a model of 6 without hulls, is left out.
/// Hulls with points that are not finite are left out too; one whose triangles are not closed or
/// not convex is taken as larger, but never as larger than the box around its points.
///
/// `index` is the trace index of the scene's map, or NULL: then traces meet props alone. `options`
/// may be NULL. Returns NULL on failure: without memory, or over a limit. Free with
/// bsp_solids_free.
BSP_API bsp_solids *bsp_solids_new(const bsp_scene *scene, const bsp_trace_index *index,
                                   const bsp_solids_options *options, bsp_error *error);
/// Frees them; scene and trace index stay. NULL is allowed and does nothing.
BSP_API void bsp_solids_free(bsp_solids *solids);

/// Returns how many props of the scene are solid.
BSP_API uint32_t bsp_solids_count(const bsp_solids *solids);
/// Returns how many bytes of memory they hold.
BSP_API size_t bsp_solids_size(const bsp_solids *solids);

/// What a trace hit, of world, brush models and props. All members are set by bsp_solids_trace.
typedef struct bsp_solids_result {
    /// As bsp_trace sets it. Of a prop: plane, brush, side and face are BSP_NONE, `entity` is the
    /// entity that shows the model, or BSP_NONE for a static prop, and the plane is that of the
    /// hull (for a moving box also one through an edge of the hull and one of the box).
    bsp_trace_result trace;
    uint32_t prop; ///< that was hit: number in bsp_scene.props, or BSP_NONE
    uint32_t hull; ///< number in the hulls of its mesh, or BSP_NONE: its box
} bsp_solids_result;

/// Traces one segment or box as bsp_trace does, and meets the solid props too; the nearest hit
/// counts, of several at one place that of the world, then that of the prop of lowest number.
/// Boxes of props stop a trace by the rules by which brushes do in that game. Hulls are hit where
/// the trace is in them, exactly within rounding, and it stops as far before as before a brush. A
/// moving box stays along the axes of the world, and meets a hull that is turned where the two
/// shapes touch. (Source moves it by an iteration that ends within a tolerance.)
///
/// A prop is met if its contents (bsp_scene_prop.contents) are in the mask, and all bits that it
/// needs (bsp_scene_prop.needs). In Quake and GoldSrc, whose traces have no mask, all that need no
/// bit are met, and no prop where input->sight is set. Where input->model is a brush model in its
/// own space, no prop is met.
BSP_API void bsp_solids_trace(const bsp_solids *solids, const bsp_trace_input *input,
                              bsp_solids_result *result);

/// Traces `count` inputs, as bsp_solids_trace does each: `results`, which has as many elements,
/// receives the same in the same order. From some thousands on they are divided among the threads
/// of the budget, by default one per processor (bsp_budget_set_threads). Nothing is allocated.
/// `results` must not overlap `inputs`.
BSP_API void bsp_solids_trace_batch(const bsp_solids *solids, const bsp_trace_input *inputs,
                                    bsp_solids_result *results, size_t count);

/// Sets `seen[n]` to whether nothing stands between the two points of line n, for `count` lines, as
/// bsp_sight_batch does, and lets solid props stop sight too: in Source static props, and entities
/// that show a model only where the mask has CONTENTS_MONSTER, which that of the game has not; in
/// the other games none by default. Nothing is allocated.
BSP_API void bsp_solids_sight_batch(const bsp_solids *solids, uint32_t mask, uint32_t model,
                                    const bsp_sight_line *lines, bool *seen, size_t count);

#ifdef __cplusplus
}
#endif
#endif
