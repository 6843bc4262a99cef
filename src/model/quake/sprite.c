// SPDX-License-Identifier: MIT
// The rectangle of a sprite.
#include "model/quake/sprite.h"

bool bspi_sprite_build(bspi_model_builder *b, uint32_t material, bsp_sprite_facing facing,
                       const bspi_sprite_box *box) {
    static const float corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; // from the top left
    uint32_t v[4];
    b->mesh->sprite = true;
    b->mesh->facing = facing;
    if (!bspi_build_group(b, material, 0, (bsp_text){NULL, 0})) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        float right = box->left + corners[i][0] * box->width;
        bsp_model_vertex vertex = {
            .position = {0, -right, box->top - corners[i][1] * box->height},
            .normal = {1, 0, 0},
            .uv = {corners[i][0], corners[i][1]},
            .color = {{255, 255, 255, 255}, {255, 255, 255, 255}},
        };
        v[i] = bspi_build_vertex(b, &vertex, NULL);
    }
    return bspi_build_triangle(b, v[0], v[1], v[2]) && bspi_build_triangle(b, v[0], v[2], v[3]);
}
