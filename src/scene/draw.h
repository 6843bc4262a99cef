// SPDX-License-Identifier: MIT
// What all that draw a scene decide alike: the pictures of the library, and the viewer in a
// browser.
#ifndef BSPI_SCENE_DRAW_H
#define BSPI_SCENE_DRAW_H

#include "bspkit/scene.h"

/// Returns true for a group of a mesh that what lies beneath shines through. Skies are not asked.
bool bspi_is_blended(const bsp_scene_material *material, const bsp_mesh_group *group);
/// Returns how much a group covers, 0..1: a blended one by its texture, else by its flags.
float bspi_drawn_opacity(const bsp_map *map, const bsp_scene_material *material,
                         const bsp_mesh_group *group, bool blended);
/// Returns the distance in units from which an overlay is not drawn; 0 for those that are always,
/// and for other faces.
float bspi_overlay_far(const bsp_map *map, const bsp_mesh_face *face);

/// Returns true for a sprite that turns to the viewer.
static inline bool bspi_mesh_turns(const bsp_model_mesh *mesh) {
    return mesh->sprite && mesh->facing != BSP_SPRITE_ORIENTED;
}

/// A vertex of a prop in the world.
typedef struct bspi_prop_vertex {
    float position[3];
    float normal[3]; ///< unit length
    uint8_t color[4];
} bspi_prop_vertex;

/// Places a vertex of a prop's mesh. `lit`: its colour is that of the light there.
void bspi_place_vertex(const bsp_scene *scene, const bsp_scene_prop *prop, uint32_t number,
                       bool lit, bspi_prop_vertex *out);

#endif
