// SPDX-License-Identifier: MIT
// Static props of Source: what they shade, and the light of their vertices.
#ifndef BSPI_BAKE_PROPS_H
#define BSPI_BAKE_PROPS_H

#include "bake/light/base/work.h"
#include "bspkit/solids.h"

/// Static props, their shadows, and the files of their light.
typedef struct bspi_prop_lights {
    bsp_scene *scene;
    bsp_solids *solids; ///< that cast shadows; NULL: none
    bsp_pak_change *files;
    bsp_blob *blobs; ///< of `files`
    uint32_t *of;    ///< number of the scene's prop of each file
    uint32_t count;
    bool resting; ///< shadows of props are left out
} bspi_prop_lights;

/// Finds the models of the static props, and what casts shadows of them. Without textures to
/// search, and without props, nothing.
bool bspi_props_find(bspi_relight *own, bsp_error *error);
/// Does one stand between two points?
bool bspi_props_shade(const bspi_relight *own, const float from[3], const float to[3]);
/// Makes the .vhv of each prop that has light at its vertices (props_light.c).
bool bspi_props_light(bspi_relight *own, bsp_error *error);
void bspi_props_free(bspi_relight *own);

#endif
