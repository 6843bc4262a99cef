// SPDX-License-Identifier: MIT
// What vrad does by options since Alien Swarm: light that grazes is weaker (-softencosine), and
// direct light is weaker in corners (ambient occlusion of Counter-Strike: Global Offensive, unless
// -noao). No key of a map states it, but its light tells.
#ifndef BSPI_BAKE_SOFTENED_H
#define BSPI_BAKE_SOFTENED_H

#include "bake/light/base/work.h"

/// What a luxel of the map tells, beside the direct light of its place with the option and without.
typedef enum bspi_soft_vote {
    BSPI_VOTE_NONE, ///< in the shade of what is not there, or both are too near
    BSPI_VOTE_SOFT, ///< it has the option
    BSPI_VOTE_PLAIN,
} bspi_soft_vote;

bspi_soft_vote bspi_softened_vote(float plain, float soft, float stored);

/// Measures some faces both ways, and sets bspi_light_scale.softens, and then .occludes, where the
/// light of the map clearly has it.
bool bspi_softened_find(bspi_relight *own, bsp_error *error);

#endif
