// SPDX-License-Identifier: MIT
// What all kinds of faces use: texture coordinates, vertices, triangles.
#include "mesh/mesher.h"

#include <math.h>
#include <string.h>

// Gives the width and height of a material. Returns false when they are not known.
bool bspi_mesh_material_size(const bspi_mesher *mesher, uint32_t material, uint32_t size[2]) {
    const bsp_map *map = mesher->map;
    size[0] = size[1] = 0;
    if (material < map->num_materials) {
        size[0] = map->materials[material].width;
        size[1] = map->materials[material].height;
        if (mesher->options->sizes != NULL && mesher->options->sizes[material][0] != 0) {
            size[0] = mesher->options->sizes[material][0];
            size[1] = mesher->options->sizes[material][1];
        }
        size[0] *= bsp_material_scale(&map->materials[material]);
        size[1] *= bsp_material_scale(&map->materials[material]);
    }
    return size[0] != 0 && size[1] != 0;
}

bspi_skin bspi_skin_of(const bspi_mesher *mesher, uint32_t face) {
    const bsp_map *map = mesher->map;
    const bsp_lightmap *lightmap = mesher->options->lightmap;
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t size[2];
    bspi_skin skin = {NULL, {1, 1}, NULL, {1, 1}};
    skin.texinfo = texinfo < map->num_texinfos ? &map->texinfos[texinfo] : NULL;
    if (bspi_mesh_material_size(mesher, bsp_surface_material(map, face), size)) {
        skin.size[0] = (float)size[0];
        skin.size[1] = (float)size[1];
    }
    if (lightmap != NULL && face < lightmap->num_faces &&
        lightmap->faces[face].page < lightmap->num_pages) {
        skin.light = &lightmap->faces[face];
        skin.page[0] = (float)lightmap->pages[skin.light->page].width;
        skin.page[1] = (float)lightmap->pages[skin.light->page].height;
    }
    return skin;
}

float bspi_mesh_along(const float point[3], const float vec[4]) {
    return (float)((double)point[0] * (double)vec[0] + (double)point[1] * (double)vec[1] +
                   (double)point[2] * (double)vec[2] + (double)vec[3]);
}

void bspi_skin_point(const bspi_skin *skin, const float point[3], bsp_mesh_vertex *vertex) {
    for (int i = 0; i < 2; i++) {
        if (skin->texinfo != NULL) {
            vertex->uv[i] = bspi_mesh_along(point, skin->texinfo->texture[i]) / skin->size[i];
        }
        if (skin->light != NULL) {
            float first = (float)(i == 0 ? skin->light->x : skin->light->y);
            float luxel = bspi_mesh_along(point, skin->light->vecs[i]);
            vertex->light_uv[i] = (first + luxel + 0.5F) / skin->page[i];
        }
    }
}

bsp_mesh_vertex *bspi_mesh_add_vertex(bspi_mesher *mesher) {
    bsp_mesh_vertex *vertex = &mesher->vertices[mesher->num_vertices++];
    memset(vertex, 0, sizeof *vertex);
    memset(vertex->color, 255, sizeof vertex->color);
    return vertex;
}

static bool same_place(const bspi_mesher *mesher, uint32_t a, uint32_t b) {
    const float *p = mesher->vertices[mesher->first_vertex + a].position;
    const float *q = mesher->vertices[mesher->first_vertex + b].position;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

void bspi_mesh_add_triangle(bspi_mesher *mesher, uint32_t a, uint32_t b, uint32_t c) {
    if (same_place(mesher, a, b) || same_place(mesher, b, c) || same_place(mesher, c, a)) {
        return;
    }
    uint32_t *out = mesher->indices + mesher->num_indices;
    out[0] = mesher->first_vertex + a;
    out[1] = mesher->first_vertex + b;
    out[2] = mesher->first_vertex + c;
    mesher->num_indices += 3;
}

void bspi_mesh_normalize(float v[3]) {
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length > 0 && isfinite(length)) {
        for (int i = 0; i < 3; i++) {
            v[i] /= length;
        }
    } else {
        v[0] = v[1] = 0;
        v[2] = 1;
    }
}
