// SPDX-License-Identifier: MIT
// The JSON of a glTF, section by section.
#ifndef BSPI_EXPORT_GLTF_H
#define BSPI_EXPORT_GLTF_H

#include "export/layout.h"
#include "export/notes.h"
#include "export/space.h"

/// A document under construction.
typedef struct bspi_gltf {
    const bspi_content *content;
    const bspi_layout *layout;
    bsp_json *json;
    bsp_export_report *report;
    uint32_t *mesh_of;   ///< number of the mesh of each shape, or BSP_NONE
    uint32_t first_page; ///< number of the texture of the first page
    bspi_notes notes;    ///< of entities
    uint32_t num_roots;  ///< nodes of the scene; their children come after them
} bspi_gltf;

/// Writes "nodes", "scenes" and the lights in "extensions". Returns false without memory.
bool bspi_gltf_nodes(bspi_gltf *gltf, bsp_error *error);
/// Writes the nodes that hold what stands in the map, and those in them; sets num_roots.
bool bspi_gltf_groups(bspi_gltf *gltf, bsp_error *error);
/// Returns true if an entity's node is in that of the room of the sky.
bool bspi_gltf_in_room(const bspi_gltf *gltf, uint32_t entity);
/// Returns true if there is one.
bool bspi_gltf_has_groups(const bspi_gltf *gltf);
/// Writes "translation" and "rotation" of a place in the map's space.
void bspi_gltf_place(const bspi_gltf *gltf, const float origin[3], bspi_turn turn);
/// Writes "mesh", if the shape has triangles.
void bspi_gltf_mesh(const bspi_gltf *gltf, uint32_t shape);
/// Returns how many entities are lights.
uint32_t bspi_gltf_count_lights(const bspi_content *content);

/// Writes "materials", "textures", "samplers".
void bspi_gltf_materials(const bspi_gltf *gltf);

/// Writes "meshes" and "accessors".
void bspi_gltf_meshes(const bspi_gltf *gltf);

/// Writes the whole document.
bool bspi_gltf_document(const bspi_content *content, const bspi_layout *layout, bsp_json *json,
                        bsp_export_report *report, bsp_error *error);

#endif
