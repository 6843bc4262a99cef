// SPDX-License-Identifier: MIT
// The corners of one face, whatever the branch stores. Assumes a loaded map; sheets goldsrc-quake1
// (5), quake3 (1, 4).
#include "mesh/luxels.h"
#include "mesh/mesher.h"

#include <assert.h>
#include <string.h>

typedef struct list {
    bsp_surface_corner *corners;
    uint32_t room;
    uint32_t count; // of corners that there are
} list;

// The next corner, or NULL when there is no room for it. Either way it is counted.
static bsp_surface_corner *next(list *l) {
    bsp_surface_corner *corner = l->count < l->room ? &l->corners[l->count] : NULL;
    l->count++;
    if (corner != NULL) {
        memset(corner, 0, sizeof *corner);
        memset(corner->color, 255, sizeof corner->color);
    }
    return corner;
}

// --- runs of surfedges --------------------------------------------------------------------------

// Returns false for a face without luxels.
static bool light_of(const bsp_map *map, uint32_t face, bspi_luxels *luxels) {
    bspi_light_source source;
    bspi_light_source_init(&source, map, NULL, false);
    bool lit = bspi_luxels_place(&source, face, luxels);
    bspi_light_source_free(&source);
    return lit;
}

static void list_edges(list *l, const bsp_map *map, uint32_t number) {
    const bsp_face *face = &map->faces[number];
    uint32_t material = bsp_surface_material(map, number);
    float dist;
    float normal[3] = {0, 0, 0};
    float size[2] = {1, 1};
    bspi_luxels luxels;
    bool lit = l->room != 0 && light_of(map, number, &luxels);
    const bsp_texinfo *texinfo =
        face->texinfo < map->num_texinfos ? &map->texinfos[face->texinfo] : NULL;
    (void)bsp_surface_plane(map, number, normal, &dist);
    if (material != BSP_NONE && map->materials[material].width != 0 &&
        map->materials[material].height != 0) {
        float scale = (float)bsp_material_scale(&map->materials[material]);
        size[0] = (float)map->materials[material].width * scale;
        size[1] = (float)map->materials[material].height * scale;
    }
    for (uint32_t e = 0; e < face->num_edges; e++) {
        uint32_t vertex = bsp_surfedge_vertex(map, face->first_edge + e);
        bsp_surface_corner *corner = vertex == BSP_NONE ? NULL : next(l);
        if (corner == NULL) {
            continue;
        }
        memcpy(corner->point, map->vertices[vertex].point, sizeof corner->point);
        memcpy(corner->normal, normal, sizeof normal);
        for (int i = 0; i < 2; i++) {
            corner->uv[i] =
                texinfo == NULL ? 0 : bspi_mesh_along(corner->point, texinfo->texture[i]) / size[i];
            corner->light[i] = lit ? bspi_mesh_along(corner->point, luxels.vecs[i]) : 0;
        }
    }
}

// --- stored vertices ----------------------------------------------------------------------------

static void list_vertex(list *l, const bsp_draw_vert *from) {
    bsp_surface_corner *corner = next(l);
    if (corner != NULL) {
        memcpy(corner->point, from->point, sizeof corner->point);
        memcpy(corner->normal, from->normal, sizeof corner->normal);
        memcpy(corner->uv, from->uv, sizeof corner->uv);
        memcpy(corner->light, from->light_uv[0], sizeof corner->light);
        memcpy(corner->color, from->color[0], sizeof corner->color);
    }
}

static void list_vertices(list *l, const bsp_map *map, const bsp_face *face) {
    if (face->type == BSP_FACE_BILLBOARD) {
        return;
    }
    if (!map->traits->shares_vertices) {
        for (uint32_t v = 0; v < face->num_verts; v++) {
            list_vertex(l, &map->draw_verts[face->first_vert + v]);
        }
        return;
    }
    for (uint32_t i = 0; i + 2 < face->num_indices; i += 3) {
        const uint32_t *index = &map->draw_indices[face->first_index + i];
        bool whole =
            index[0] < face->num_verts && index[1] < face->num_verts && index[2] < face->num_verts;
        for (int c = 0; whole && c < 3; c++) {
            list_vertex(l, &map->draw_verts[face->first_vert + index[c]]);
        }
    }
}

uint32_t bsp_surface_corners(const bsp_map *map, uint32_t face, bsp_surface_corner *corners,
                             uint32_t room) {
    assert(map != NULL && (corners != NULL || room == 0));
    list l = {corners, corners == NULL ? 0 : room, 0};
    if (face < map->num_faces && map->traits->draws_vertices) {
        list_vertices(&l, map, &map->faces[face]);
    } else if (face < map->num_faces) {
        list_edges(&l, map, face);
    }
    return l.count;
}
