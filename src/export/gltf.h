// SPDX-License-Identifier: MIT
// The JSON of a glTF, section by section.
#ifndef BSPI_EXPORT_GLTF_H
#define BSPI_EXPORT_GLTF_H

#include "export/layout.h"

/// A document under construction.
typedef struct bspi_gltf {
    const bspi_content *content;
    const bspi_layout *layout;
    bsp_json *json;
    bsp_export_report *report;
    uint32_t *mesh_of;   ///< number of the mesh of each shape, or BSP_NONE
    uint32_t first_page; ///< number of the texture of the first page
} bspi_gltf;

/// Writes "nodes", "scenes" and the lights in "extensions". Returns false without memory.
bool bspi_gltf_nodes(bspi_gltf *gltf, bsp_error *error);
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
