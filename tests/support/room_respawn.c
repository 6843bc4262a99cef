// SPDX-License-Identifier: MIT
// The room as in Respawn's games: faces are meshes of vertices that refer to positions and normals,
// one type of vertices after the other; brushes are boxes, of which the first has a corner cut off.
#include "support/room.h"

#include "formats/map_members.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// Faces use the types of vertices in turn: the n-th of a type has its vertices from 4 n on.
static void add_mesh(room *r, uint32_t number) {
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    bsp_face *face = &r->faces[number];
    uint32_t kind = number % ROOM_KINDS;
    uint32_t first = number / ROOM_KINDS * 4;
    uint32_t axis = number % 6 / 2;
    static const bsp_table_id ids[ROOM_KINDS] = {BSP_ID_VERTS_LIT_FLAT, BSP_ID_VERTS_LIT_BUMP,
                                                 BSP_ID_VERTS_UNLIT, BSP_ID_VERTS_UNLIT_TS};
    if (room_elements(r->branch, ids[kind], BSPI_MEMBER_indexed_vert_light_uv, 0) == 0) {
        memset(r->face_lights[number].size, 0, sizeof r->face_lights[number].size);
    }
    face->first_index = r->map.num_draw_indices;
    face->type = BSP_FACE_MESH;
    face->num_triangles = 2;
    face->sort = axis == 2 ? 1 : 0;
    face->flags = kind << 9;
    for (uint32_t e = 0; e < 4; e++) {
        int32_t edge = r->surfedges[face->first_edge + e];
        bsp_indexed_vert *vert = &r->kinds[kind][first + e];
        vert->vertex = r->edges[edge < 0 ? -edge : edge].v[edge < 0 ? 1 : 0];
        vert->normal = 2 * axis;
        vert->uv[0] = (float)e;
        vert->uv[1] = (float)number;
        vert->light_uv[0] = 0.25F;
        vert->light_uv[1] = 0.5F;
        memset(vert->color, 255, sizeof vert->color);
    }
    for (uint32_t i = 0; i < 6; i++) {
        r->draw_indices[r->map.num_draw_indices++] =
            first + corners[i] - r->material_sorts[face->sort].first_vert;
    }
}

static void add_meshes(room *r) {
    for (uint32_t i = 0; i < 6; i++) {
        r->vert_normals[i].point[i / 2] = i % 2 == 0 ? -1.0F : 1.0F;
    }
    r->material_sorts[1].material = 1;
    r->material_sorts[1].first_vert = 4;
    for (uint32_t i = 0; i < r->map.num_faces; i++) {
        add_mesh(r, i);
    }
    uint32_t each = r->map.num_faces / ROOM_KINDS * 4;
    r->map.lit_flat_verts = r->kinds[0];
    r->map.lit_bump_verts = r->kinds[1];
    r->map.unlit_verts = r->kinds[2];
    r->map.unlit_ts_verts = r->kinds[3];
    r->map.num_lit_flat_verts = r->map.num_lit_bump_verts = each;
    r->map.num_unlit_verts = r->map.num_unlit_ts_verts = each;
    ROOM_SET(r, draw_indices, r->map.num_draw_indices);
    ROOM_SET(r, vert_normals, 6);
    ROOM_SET(r, material_sorts, 2);
    memset(r->light_rtl, 5, sizeof r->light_rtl);
    r->map.light_rtl = (bsp_bytes){r->light_rtl, sizeof r->light_rtl};
}

// The sides of the builder are +X, -X, +Y ... like those of the boxes.
static void add_box(room *r, uint32_t number, uint32_t planes_before) {
    const bsp_brush *brush = &r->brushes[number];
    bsp_brush_box *box = &r->brush_boxes[number];
    for (uint32_t a = 0; a < 3; a++) {
        float high = r->planes[r->brush_sides[brush->first_side + 2 * a].plane].dist;
        float low = -r->planes[r->brush_sides[brush->first_side + 2 * a + 1].plane].dist;
        box->origin[a] = (low + high) / 2;
        box->extents[a] = (high - low) / 2;
    }
    box->index = number;
    box->num_planes = box->num_kept = number == 0 ? 1 : 0;
    box->first_plane = planes_before;
    for (uint32_t s = 0; s < 6 + box->num_planes; s++) {
        uint32_t at = 6 * number + planes_before + s;
        uint32_t axis = s / 2 % 3;
        r->side_properties[at].material = axis == 2 ? 1 : 0;
        r->side_properties[at].flags = s == 6 ? 0x20 : 0;
        memset(&r->texinfos[at], 0, sizeof r->texinfos[at]);
        r->texinfos[at].texture[0][(axis + 1) % 3] = 2;
        r->texinfos[at].texture[1][(axis + 2) % 3] = 2;
    }
}

static void add_plane(room *r, const float normal[3], float dist, int32_t type) {
    assert_true(r->map.num_planes < ROOM_PLANES);
    bsp_plane *plane = &r->planes[r->map.num_planes++];
    memcpy(plane->normal, normal, sizeof plane->normal);
    plane->dist = dist;
    plane->type = type;
}

// The planes of the boxes follow the file's.
static void add_box_planes(room *r) {
    for (uint32_t side = 0; side < 6 * ROOM_BRUSHES; side++) {
        const bsp_brush_box *box = &r->brush_boxes[side / 6];
        int32_t axis = (int32_t)(side % 6 / 2);
        float sign = side % 2 == 0 ? 1.0F : -1.0F;
        float normal[3] = {0, 0, 0};
        normal[axis] = sign;
        add_plane(r, normal, sign * box->origin[axis] + box->extents[axis],
                  sign > 0 ? axis : axis + 3);
    }
}

static void add_grid(room *r) {
    r->grids[0] = (bsp_grid){.scale = 256, .offset = {-1, -1}, .count = {2, 2}, .num_groups = 1};
    r->grids[0].first_plane = (int32_t)r->map.num_planes - 1;
    for (uint32_t i = 0; i < 4; i++) {
        r->grid_cells[i].num_sets = 1;
    }
    r->grid_cells[4].first_set = 1;
    r->grid_cells[5] = (bsp_grid_cell){1, 1};
    r->geo_sets[0] = (bsp_geo_set){.group = 1, .num_parts = 6};
    r->geo_sets[1] = (bsp_geo_set){.num_parts = 1, .index = 6};
    for (uint32_t i = 0; i < 6; i++) {
        r->geo_parts[i].index = i;
    }
    r->unique_contents[0] = 1;
    ROOM_SET(r, grids, 1);
    ROOM_SET(r, grid_cells, 6);
    ROOM_SET(r, geo_sets, 2);
    ROOM_SET(r, geo_parts, 6);
    ROOM_SET(r, unique_contents, 1);
    ROOM_SET(r, brush_planes, 1);
}

static void add_boxes(room *r) {
    static const float corner[3] = {0.6F, 0.8F, 0};
    for (uint32_t i = 0; i < ROOM_BRUSHES; i++) {
        add_box(r, i, i == 0 ? 0 : 1);
    }
    add_plane(r, corner, 197.6F, 4); // the wall's corner is at 0.6 * 144 + 0.8 * 144 = 201.6
    add_grid(r);
    add_box_planes(r);
    ROOM_SET(r, brush_boxes, ROOM_BRUSHES);
    ROOM_SET(r, side_properties, ROOM_PROPERTIES);
    ROOM_SET(r, texinfos, ROOM_PROPERTIES);
}

void room_add_respawn(room *r) {
    if (room_has(r->branch, BSP_ID_MATERIAL_SORTS)) {
        add_meshes(r);
    }
    if (room_has(r->branch, BSP_ID_BRUSH_BOXES)) {
        add_boxes(r);
    }
}
