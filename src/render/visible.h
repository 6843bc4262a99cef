// SPDX-License-Identifier: MIT
// Which faces a view shows.
#ifndef BSPI_VISIBLE_H
#define BSPI_VISIBLE_H

#include "render/renderer.h"

#define BSPI_FRUSTUM_PLANES 5

/// The space that a view shows: in front of all planes (normal, distance).
typedef struct bspi_frustum {
    float planes[BSPI_FRUSTUM_PLANES][4];
    uint32_t num_planes; ///< 0: all space
} bspi_frustum;

/// What is drawn.
typedef struct bspi_visible {
    const uint32_t *pieces; ///< opaque ones, roughly from front to back
    uint32_t num_pieces;
    const uint32_t *blended; ///< in the order of the renderer
    uint32_t num_blended;
    bool inside; ///< the eye is in the room of the sky
} bspi_visible;

/// Finds the faces that leaves list. Returns false without memory.
bool bspi_renderer_pieces_begin(bsp_renderer *renderer, bsp_error *error);
/// Finds which areas the portals that are open in a state connect, if areas count in it. `state`
/// may be NULL. Returns false without memory, or over a limit.
bool bspi_renderer_areas(bsp_renderer *renderer, const bsp_scene_state *state, bsp_error *error);
/// Makes a piece of each face of a group, whose vertices and indices begin there in the renderer.
/// `renderer->pieces` must have room for them.
void bspi_renderer_pieces_add(bsp_renderer *renderer, const bsp_mesh *mesh,
                              const bsp_mesh_group *group, uint32_t batch, uint32_t first_vertex,
                              uint32_t first_index);

/// Sets the box of a piece from its vertices.
void bspi_piece_measure(const bsp_renderer *renderer, bspi_piece *piece);

/// Where a view is taken from.
typedef struct bspi_eye {
    const float *from;
    const float *leaf_at; ///< the place whose leaf says what is visible
    bool room;            ///< what is in the room of the sky is listed, else what is not
} bspi_eye;

/// Lists what is visible from a place: by the map's own visibility (unless `everything`), and in
/// the frustum. Memory is the arena's. Returns false without memory, or over a limit of work.
/// `stats` may be NULL.
bool bspi_visible_find(const bsp_renderer *renderer, const bspi_eye *eye,
                       const bspi_frustum *frustum, bool everything, bspi_meter *meter,
                       bspi_arena *arena, bspi_visible *out, bsp_draw_stats *stats,
                       bsp_error *error);

#endif
