// SPDX-License-Identifier: MIT
// The look of a side: its material, and the axes of its texture.
#include "decompile/brush/sides.h"

#include "mapdoc/texdef.h"

#include <math.h>
#include <string.h>

// Below this cosine the projection of a texture is perpendicular to the side.
#define PERPENDICULAR 1e-3

bool bspi_material_size(bspi_work *w, uint32_t material, uint32_t size[2]) {
    const bsp_map *map = w->map;
    size[0] = size[1] = 0;
    if (material >= map->num_materials) {
        return true;
    }
    uint32_t *known = w->sizes[material];
    if (known[0] == BSP_NONE) {
        known[0] = map->materials[material].width;
        known[1] = map->materials[material].height;
        if (known[0] == 0 && w->options->textures != NULL) {
            bsp_texture texture;
            if (!bsp_textures_find(w->options->textures, material, &texture, w->error)) {
                return false;
            }
            known[0] = texture.found ? texture.width : 0;
            known[1] = texture.found ? texture.height : 0;
            bsp_texture_free(&texture);
        }
    }
    memcpy(size, known, sizeof *w->sizes);
    return true;
}

void bspi_look_texinfo(bspi_work *w, bspi_look *look, uint32_t texinfo) {
    const bsp_map *map = w->map;
    if (texinfo >= map->num_texinfos) {
        return;
    }
    const bsp_texinfo *from = &map->texinfos[texinfo];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 4; j++) {
            look->vec[i][j] = (double)from->texture[i][j];
        }
    }
    look->flags = from->flags;
    look->value = from->value;
    if (from->material < map->num_materials) {
        look->material = map->materials[from->material].name;
    }
}

void bspi_look_default(bspi_look *look, const double normal[3], double scale) {
    double axes[2][3];
    (void)bspi_base_axes(normal, axes);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            look->vec[i][j] = axes[i][j] / scale + 0.0; // adding 0 removes a negative zero
        }
        look->vec[i][3] = 0;
    }
}

bool bspi_look_is_perpendicular(const bspi_look *look, const float normal[3]) {
    const double *u = look->vec[0];
    const double *v = look->vec[1];
    double out = (u[1] * v[2] - u[2] * v[1]) * (double)normal[0] +
                 (u[2] * v[0] - u[0] * v[2]) * (double)normal[1] +
                 (u[0] * v[1] - u[1] * v[0]) * (double)normal[2];
    double squares[2] = {u[0] * u[0] + u[1] * u[1] + u[2] * u[2],
                         v[0] * v[0] + v[1] * v[1] + v[2] * v[2]};
    return !(fabs(out) > PERPENDICULAR * sqrt(squares[0] * squares[1]));
}
