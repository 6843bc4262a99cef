// SPDX-License-Identifier: MIT
// What the vrad of some years does otherwise than that of others.
#ifndef BSPI_BAKE_VRAD_RULES_H
#define BSPI_BAKE_VRAD_RULES_H

#include <stdbool.h>
#include <stdint.h>

/// The rules of one vrad.
typedef struct bspi_vrad_rules {
    uint32_t year; ///< in which it was first so
    float units;   ///< that pieces of surfaces are at least wide; 0: only their luxels count
    float off;     ///< units from a surface to where its pieces give and take light
    float faint;   ///< share of light, times pi, that counts nothing
    float around;  ///< diagonals of a luxel from which those of displacements take light
    bool edges;    ///< slim pieces, and those at the edge of their face, are halved further
    bool fills;    ///< a near piece gives by what it fills of the view
    bool skies;    ///< faces of the sky count among what a piece sees
    bool spread;   ///< what a piece with normal maps sees counts without the cosine of its surface
    bool alone;    ///< light of a place goes to one piece, and counts by the area of that
    bool even;     ///< the sky is looked for in the directions of Quake's normals
    bool both;     ///< where lamps are measured again, the sky must be, too
    bool misses;   ///< the last direction of normal maps has no ambient light
    bool may_soften; ///< some have -softencosine (bspi_light_scale.softens) or ambient occlusion
} bspi_vrad_rules;

struct bspi_relight;

/// Returns the rules of the vrad that lit a map of Source. Few maps state it (VRAD++ does in
/// "rad_compiler"), but they differ in how they left the light of leaves there. Static storage.
const bspi_vrad_rules *bspi_vrad_rules_of(const struct bspi_relight *own);

/// Has a leaf of the file a cube of light of its own?
bool bspi_leaves_have_cubes(const struct bspi_relight *own);

#endif
