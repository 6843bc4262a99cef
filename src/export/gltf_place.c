// SPDX-License-Identifier: MIT
// What all kinds of nodes have: a place, and a mesh.
#include "export/gltf.h"

void bspi_gltf_place(const bspi_gltf *gltf, const float origin[3], bspi_turn turn) {
    float at[3];
    bspi_point_to_file(origin, gltf->content->scale, at);
    if (at[0] != 0 || at[1] != 0 || at[2] != 0) {
        bsp_json_floats(gltf->json, "translation", at, 3);
    }
    if (!bspi_turn_is_none(turn)) {
        bsp_json_floats(gltf->json, "rotation", turn.q, 4);
    }
}

void bspi_gltf_mesh(const bspi_gltf *gltf, uint32_t shape) {
    if (gltf->mesh_of[shape] != BSP_NONE) {
        bsp_json_key(gltf->json, "mesh");
        bsp_json_uint(gltf->json, gltf->mesh_of[shape]);
    }
}
