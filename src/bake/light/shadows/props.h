// SPDX-License-Identifier: MIT
// Static props of Source: what they shade, and the light of their vertices.
#ifndef BSPI_BAKE_PROPS_H
#define BSPI_BAKE_PROPS_H

#include "bake/light/shadows/occluders.h"
#include "bake/light/shadows/shadow.h"
#include "bspkit/scene.h"

/// Static props, their shadows, and the files of their light.
typedef struct bspi_prop_lights {
    bsp_scene *scene;
    const struct bspi_occluders *shades; ///< triangles of those that cast shadows; NULL: none
    bspi_picture *pictures; ///< of the scene's materials, whose alpha lets light through
    uint32_t num_pictures;
    size_t picture_room;
    bsp_pak_change *files;
    bsp_blob *blobs; ///< of `files`
    uint32_t *of;    ///< number of the scene's prop of each file
    uint32_t count;
} bspi_prop_lights;

/// Finds the models of the static props, and what casts shadows of them. Without textures to
/// search, and without props, nothing.
bool bspi_props_find(bspi_relight *own, bsp_error *error);
/// Finds the triangles that cast shadows (prop_shades.c).
bool bspi_prop_shades_find(bspi_relight *own, bsp_error *error);
/// Makes the .vhv of each prop that has light at its vertices (props_light.c).
bool bspi_props_light(bspi_relight *own, bsp_error *error);
void bspi_props_free(bspi_relight *own);

/// Returns what stands for a static prop of the map where something is lit.
static inline bspi_shaded bspi_shaded_prop(const bspi_relight *own, uint32_t prop) {
    return bspi_shaded_model(own->map->num_models + prop);
}

/// Closes those of lines that are open which props stop, and lessens what comes through the others;
/// `through` may be NULL: then what lets some light through stops all.
void bspi_props_shade(bspi_relight *own, bspi_shaded of, const bsp_sight_line *lines, bool *seen,
                      float (*through)[3], uint32_t count);

#endif
