// SPDX-License-Identifier: MIT
// The lamps of a map are found.
#ifndef BSPI_BAKE_LAMPS_H
#define BSPI_BAKE_LAMPS_H

#include "bake/light/base/work.h"
#include "bake/light/lamps/lamp.h"

/// Adds a lamp.
bool bspi_lamp_add(bspi_relight *own, const bspi_lamp *lamp, bsp_error *error); // lamp.c

/// Chooses whose formulas light follows: those that the options name, else the usual ones of the
/// family or, where the light of the map tells so, those of its other compiler (rules.c).
bool bspi_rules_choose(bspi_relight *own, bsp_error *error);

/// Finds the lamps of a map, and the numbers of its compiler.
bool bspi_lamps_find(bspi_relight *own, bsp_error *error);

/// By the rules of each compiler.
bool bspi_lamps_ericw(bspi_relight *own, bsp_error *error);

bool bspi_lamps_hlrad(bspi_relight *own, bsp_error *error);

bool bspi_lamps_vrad(bspi_relight *own, bsp_error *error);

bool bspi_lamps_id(bspi_relight *own, bsp_error *error);

/// Quake 2: adds the surfaces that give light.
bool bspi_lamps_surfaces(bspi_relight *own, bsp_error *error);

/// Returns the cluster whose visibility counts for light in a leaf; BSP_NONE: all is seen from
/// there. By the rules of ericw-tools that is so in liquids, which may be opaque to players alone.
uint32_t bspi_lamp_cluster(const bspi_relight *own, uint32_t leaf);

/// Finds what lamps that stand somewhere may see (lamps.c).
bool bspi_lamps_see(bspi_relight *own, bsp_error *error);

/// Adds a lamp for each piece of a face, none longer than `chop` units (0: one piece), which gives
/// `light` for each square unit (emitters.c).
bool bspi_emitters_add(bspi_relight *own, uint32_t face, float chop, const bspi_lamp *lamp,
                       bsp_error *error);

/// The same of a face whose pieces are polygons, in a grid along the axes of its texture
/// (emitter_patches.c).
bool bspi_emitters_grid(bspi_relight *own, uint32_t face, float chop, const bspi_lamp *lamp,
                        bsp_error *error);

#define BSPI_PATCH_FLUSH 0.04f     // units before a piece; nearer to its plane it gives nothing
#define BSPI_PATCH_MOST_SHARE 0.4f // of the light of a piece that one place gets of it as a lamp

/// Returns what a place whose normal that is gets of such a piece, if it sees it.
float bspi_patch_at(const bspi_lamp *lamp, const float point[3], const float normal[3]);

/// Adds a copy of a lamp before each piece of a face, `lift` units off it; pieces are cut at
/// multiples of the chop (emitter_copies.c). `spot`: copies are spots that shine away from it.
bool bspi_emitters_copy(bspi_relight *own, uint32_t face, float chop, float lift, bool spot,
                        const bspi_lamp *lamp, bsp_error *error);

/// By the rules of q3map2 (lamps_q3map2.c).
bool bspi_lamps_q3map2(bspi_relight *own, bsp_error *error);

#endif
