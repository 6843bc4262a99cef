// SPDX-License-Identifier: MIT
// The manifest of feeds (formats/feeds.h) turned into offsets and types of the map's structures,
// and the list of the map's arrays.
#include "map/members.h"

#include "formats/map_members.h"

#include <stddef.h>

// Arrays of bare values in the map are, for the codec, structures of one member.
typedef struct bare_u32 {
    uint32_t value;
} bare_u32;
typedef struct bare_i32 {
    int32_t value;
} bare_i32;
typedef struct bare_u16 {
    uint16_t value;
} bare_u16;

typedef bsp_plane of_plane;
typedef bsp_vertex of_vertex;
typedef bsp_edge of_edge;
typedef bare_i32 of_surfedge;
typedef bsp_texinfo of_texinfo;
typedef bsp_material of_material;
typedef bsp_face of_face;
typedef bsp_face_light of_face_light;
typedef bsp_node of_node;
typedef bsp_leaf of_leaf;
typedef bare_u32 of_leaf_face;
typedef bare_u32 of_leaf_brush;
typedef bsp_clipnode of_clipnode;
typedef bsp_model of_model;
typedef bsp_brush of_brush;
typedef bsp_brush_side of_brush_side;
typedef bsp_area of_area;
typedef bsp_area_portal of_area_portal;
typedef bsp_draw_vert of_draw_vert;
typedef bare_u32 of_draw_index;
typedef bsp_fog of_fog;
typedef bsp_light_cell of_light_cell;
typedef bare_u16 of_light_array;
typedef bsp_world_light of_world_light;
typedef bsp_displacement of_displacement;
typedef bsp_disp_vert of_disp_vert;
typedef bare_u16 of_disp_tri;
typedef bsp_overlay of_overlay;
typedef bsp_overlay_fade of_overlay_fade;
typedef bsp_cubemap of_cubemap;
typedef bsp_leaf_water of_leaf_water;
typedef bare_u32 of_leaf_water_dist;
typedef bsp_primitive of_primitive;
typedef bare_u32 of_prim_index;
typedef bare_u32 of_vert_normal_index;
typedef bsp_ambient_index of_ambient_index;
typedef bsp_ambient_sample of_ambient_sample;
typedef bsp_occluder of_occluder;
typedef bsp_occluder_poly of_occluder_poly;
typedef bare_u32 of_occluder_index;
typedef bare_u32 of_face_id;
typedef bare_u32 of_prop_leaf;
typedef bsp_static_prop of_static_prop;
typedef bsp_detail_sprite of_detail_sprite;
typedef bsp_detail_prop of_detail_prop;
typedef bsp_indexed_vert of_indexed_vert;
typedef bsp_material_sort of_material_sort;
typedef bsp_light_header of_light_header;
typedef bsp_grid of_grid;
typedef bsp_grid_cell of_grid_cell;
typedef bsp_geo_set of_geo_set;
typedef bsp_geo_part of_geo_part;
typedef bare_u32 of_unique_contents;
typedef bsp_brush_box of_brush_box;
typedef bare_u32 of_brush_plane;
typedef bsp_side_property of_side_property;

#define VALUE(structure, member) (((of_##structure *)0)->member)

// clang-format off
#define TYPE_OF(structure, member) \
    _Generic(VALUE(structure, member), \
        float: BSP_F32, float *: BSP_F32, float (*)[2]: BSP_F32, float (*)[3]: BSP_F32, \
        float (*)[4]: BSP_F32, \
        uint32_t: BSP_U32, uint32_t *: BSP_U32, int32_t: BSP_I32, int32_t *: BSP_I32, \
        uint16_t: BSP_U16, char *: BSP_U8, uint8_t *: BSP_U8, uint8_t (*)[3]: BSP_U8, \
        uint8_t (*)[4]: BSP_U8)
#define ELEMENT(structure, member) \
    (TYPE_OF(structure, member) == BSP_U8 ? 1 : TYPE_OF(structure, member) == BSP_U16 ? 2 : 4)
#define ROW(structure, member, none) \
    {BSPI_MEMBER_##structure##_##member, TYPE_OF(structure, member), \
     (uint32_t)(sizeof VALUE(structure, member) / ELEMENT(structure, member)), \
     offsetof(of_##structure, member), none},
#define PLAIN(structure, member) ROW(structure, member, false)
#define INDEX(structure, member) ROW(structure, member, true)

// In the order of the enumeration: feed f is row f - 1.
static const bspi_member members[] = {
    BSPI_MAP_MEMBERS(PLAIN, INDEX)
};

// --- members whose feeds stand apart ------------------------------------------------------------

#define EDGE_CELL(e, s, m) \
    {BSPI_MEMBER_DISP_EDGE + ((e) * 2 + (s)) * 4 + (m), BSP_U32, 1, \
     offsetof(bsp_displacement, edge_neighbors[e][s][m]), (m) == 0}
#define EDGE_PAIR(e, s) EDGE_CELL(e, s, 0), EDGE_CELL(e, s, 1), EDGE_CELL(e, s, 2), EDGE_CELL(e, s, 3)
#define EDGE(e) EDGE_PAIR(e, 0), EDGE_PAIR(e, 1)
#define CORNER(c) \
    {BSPI_MEMBER_DISP_CORNER + (c), BSP_U32, 4, offsetof(bsp_displacement, corner_neighbors[c]), true}, \
    {BSPI_MEMBER_DISP_CORNER_COUNT + (c), BSP_U32, 1, \
     offsetof(bsp_displacement, num_corner_neighbors[c]), false}

static const bspi_member displacement_extra[] = {
    EDGE(0), EDGE(1), EDGE(2), EDGE(3), CORNER(0), CORNER(1), CORNER(2), CORNER(3),
};

static const bspi_member face_light_extra[] = {
    {BSPI_MEMBER_LIGHT_WIDTH, BSP_I32, 1, offsetof(bsp_face_light, size[0]), false},
    {BSPI_MEMBER_LIGHT_HEIGHT, BSP_I32, 1, offsetof(bsp_face_light, size[1]), false},
};

static const bspi_member ambient_sample_extra[] = {
    {BSPI_MEMBER_AMBIENT_X, BSP_U8, 1, offsetof(bsp_ambient_sample, place[0]), false},
    {BSPI_MEMBER_AMBIENT_Y, BSP_U8, 1, offsetof(bsp_ambient_sample, place[1]), false},
    {BSPI_MEMBER_AMBIENT_Z, BSP_U8, 1, offsetof(bsp_ambient_sample, place[2]), false},
};

static const bspi_member static_prop_extra[] = {
    {BSPI_MEMBER_PROP_MIN_DX, BSP_U32, 1, offsetof(bsp_static_prop, dx_levels[0]), false},
    {BSPI_MEMBER_PROP_MAX_DX, BSP_U32, 1, offsetof(bsp_static_prop, dx_levels[1]), false},
    {BSPI_MEMBER_PROP_MIN_CPU, BSP_U8, 1, offsetof(bsp_static_prop, cpu_gpu[0]), false},
    {BSPI_MEMBER_PROP_MAX_CPU, BSP_U8, 1, offsetof(bsp_static_prop, cpu_gpu[1]), false},
    {BSPI_MEMBER_PROP_MIN_GPU, BSP_U8, 1, offsetof(bsp_static_prop, cpu_gpu[2]), false},
    {BSPI_MEMBER_PROP_MAX_GPU, BSP_U8, 1, offsetof(bsp_static_prop, cpu_gpu[3]), false},
    {BSPI_MEMBER_PROP_LIGHTMAP_WIDTH, BSP_U32, 1, offsetof(bsp_static_prop, lightmap_size[0]), false},
    {BSPI_MEMBER_PROP_LIGHTMAP_HEIGHT, BSP_U32, 1, offsetof(bsp_static_prop, lightmap_size[1]), false},
};

// --- structures ---------------------------------------------------------------------------------

#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof *(array)))
#define FEED(structure, member) BSPI_MEMBER_##structure##_##member
#define STRUCTURE_WITH(structure, first, last, extra, num_extra) \
    static const bspi_struct structure##_struct = { \
        sizeof(of_##structure), &members[FEED(structure, first) - 1], \
        FEED(structure, last) - FEED(structure, first) + 1, extra, num_extra}
#define STRUCTURE(structure, first, last) STRUCTURE_WITH(structure, first, last, NULL, 0)

STRUCTURE(plane, normal, type);
STRUCTURE(vertex, point, point);
STRUCTURE(edge, v, v);
STRUCTURE(surfedge, value, value);
STRUCTURE(texinfo, texture, next);
STRUCTURE(material, flags, shift);
STRUCTURE(face, type, flags);
STRUCTURE_WITH(face_light, styles, vertex_styles, face_light_extra, LENGTH(face_light_extra));
STRUCTURE(node, plane, area);
STRUCTURE(leaf, contents, cube);
STRUCTURE(leaf_face, value, value);
STRUCTURE(leaf_brush, value, value);
STRUCTURE(clipnode, plane, children);
STRUCTURE(model, mins, num_brushes);
STRUCTURE(brush, first_side, material);
STRUCTURE(brush_side, plane, face);
STRUCTURE(area, num_portals, first_portal);
STRUCTURE(area_portal, key, plane);
STRUCTURE(draw_vert, point, color);
STRUCTURE(draw_index, value, value);
STRUCTURE(fog, name, visible_side);
STRUCTURE(light_cell, ambient, direction);
STRUCTURE(light_array, value, value);
STRUCTURE(world_light, origin, owner);
STRUCTURE_WITH(displacement, start, allowed_verts, displacement_extra, LENGTH(displacement_extra));
STRUCTURE(disp_vert, vec, alpha);
STRUCTURE(disp_tri, value, value);
STRUCTURE(overlay, id, normal);
STRUCTURE(overlay_fade, min_sq, max_sq);
STRUCTURE(cubemap, origin, size);
STRUCTURE(leaf_water, surface_z, texinfo);
STRUCTURE(leaf_water_dist, value, value);
STRUCTURE(primitive, type, num_verts);
STRUCTURE(prim_index, value, value);
STRUCTURE(vert_normal_index, value, value);
STRUCTURE(ambient_index, count, first);
STRUCTURE_WITH(ambient_sample, cube, place, ambient_sample_extra, LENGTH(ambient_sample_extra));
STRUCTURE(occluder, flags, area);
STRUCTURE(occluder_poly, first_index, plane);
STRUCTURE(occluder_index, value, value);
STRUCTURE(face_id, value, value);
STRUCTURE(prop_leaf, value, value);
STRUCTURE_WITH(static_prop, origin, scale, static_prop_extra, LENGTH(static_prop_extra));
STRUCTURE(detail_sprite, upper_left, tex_lower_right);
STRUCTURE(detail_prop, origin, scale);
STRUCTURE(indexed_vert, vertex, color);
STRUCTURE(material_sort, material, first_vert);
STRUCTURE(light_header, type, height);
STRUCTURE(grid, scale, first_plane);
STRUCTURE(grid_cell, first_set, num_sets);
STRUCTURE(geo_set, group, type);
STRUCTURE(geo_part, contents, type);
STRUCTURE(unique_contents, value, value);
STRUCTURE(brush_box, origin, first_plane);
STRUCTURE(brush_plane, value, value);
STRUCTURE(side_property, material, flags);

// --- arrays -------------------------------------------------------------------------------------

#define ARRAY(id, structure, name, load) \
    {BSP_ID_##id, &structure##_struct, offsetof(bsp_map, name), offsetof(bsp_map, num_##name), \
     BSP_LOAD_##load}

static const bspi_array arrays[] = {
    ARRAY(PLANES, plane, planes, TREE),
    ARRAY(NODES, node, nodes, TREE),
    ARRAY(LEAVES, leaf, leaves, TREE),
    ARRAY(LEAF_FACES, leaf_face, leaf_faces, TREE),
    ARRAY(LEAF_BRUSHES, leaf_brush, leaf_brushes, TREE),
    ARRAY(CLIPNODES, clipnode, clipnodes, TREE),
    ARRAY(MODELS, model, models, TREE),
    ARRAY(AREAS, area, areas, TREE),
    ARRAY(AREA_PORTALS, area_portal, area_portals, TREE),
    ARRAY(CLIP_PORTAL_VERTS, vertex, clip_portal_verts, TREE),
    ARRAY(LEAF_WATER, leaf_water, leaf_waters, TREE),
    ARRAY(LEAF_WATER_DIST, leaf_water_dist, leaf_water_dists, TREE),
    ARRAY(VERTICES, vertex, vertices, SURFACES),
    ARRAY(EDGES, edge, edges, SURFACES),
    ARRAY(SURFEDGES, surfedge, surfedges, SURFACES),
    ARRAY(TEXINFO, texinfo, texinfos, SURFACES),
    ARRAY(TEXTURES, material, materials, SURFACES),
    ARRAY(FACES, face, faces, SURFACES),
    ARRAY(FACES, face_light, face_lights, SURFACES),
    ARRAY(FACES_HDR, face, faces, SURFACES), // only where FACES is empty
    ARRAY(FACES_HDR, face_light, face_lights_hdr, SURFACES),
    ARRAY(ORIGINAL_FACES, face, original_faces, SURFACES),
    ARRAY(FACE_IDS, face_id, face_ids, SURFACES),
    ARRAY(DRAW_VERTS, draw_vert, draw_verts, SURFACES),
    ARRAY(DRAW_INDICES, draw_index, draw_indices, SURFACES),
    ARRAY(FOGS, fog, fogs, SURFACES),
    ARRAY(DISP_INFO, displacement, displacements, SURFACES),
    ARRAY(DISP_VERTS, disp_vert, disp_verts, SURFACES),
    ARRAY(DISP_TRIS, disp_tri, disp_tris, SURFACES),
    ARRAY(PRIMITIVES, primitive, primitives, SURFACES),
    ARRAY(PRIM_VERTS, vertex, prim_verts, SURFACES),
    ARRAY(PRIM_INDICES, prim_index, prim_indices, SURFACES),
    ARRAY(VERT_NORMALS, vertex, vert_normals, SURFACES),
    ARRAY(VERT_NORMAL_INDICES, vert_normal_index, vert_normal_indices, SURFACES),
    ARRAY(BRUSHES, brush, brushes, BRUSHES),
    ARRAY(BRUSH_SIDES, brush_side, brush_sides, BRUSHES),
    ARRAY(BRUSH_BOXES, brush_box, brush_boxes, BRUSHES),
    ARRAY(BRUSH_PLANES, brush_plane, brush_planes, BRUSHES),
    ARRAY(SIDE_PROPERTIES, side_property, side_properties, BRUSHES),
    ARRAY(GRID, grid, grids, BRUSHES),
    ARRAY(GRID_CELLS, grid_cell, grid_cells, BRUSHES),
    ARRAY(GEO_SETS, geo_set, geo_sets, BRUSHES),
    ARRAY(GEO_PARTS, geo_part, geo_parts, BRUSHES),
    ARRAY(UNIQUE_CONTENTS, unique_contents, unique_contents, BRUSHES),
    ARRAY(VERTS_UNLIT, indexed_vert, unlit_verts, SURFACES),
    ARRAY(VERTS_LIT_FLAT, indexed_vert, lit_flat_verts, SURFACES),
    ARRAY(VERTS_LIT_BUMP, indexed_vert, lit_bump_verts, SURFACES),
    ARRAY(VERTS_UNLIT_TS, indexed_vert, unlit_ts_verts, SURFACES),
    ARRAY(VERTS_BLINN_PHONG, indexed_vert, blinn_phong_verts, SURFACES),
    ARRAY(MATERIAL_SORTS, material_sort, material_sorts, SURFACES),
    ARRAY(LIGHTMAP_HEADERS, light_header, light_headers, SURFACES),
    ARRAY(LIGHT_GRID, light_cell, light_grid, LIGHT),
    ARRAY(LIGHT_ARRAY, light_array, light_array, LIGHT),
    ARRAY(WORLD_LIGHTS, world_light, world_lights, LIGHT),
    ARRAY(WORLD_LIGHTS_HDR, world_light, world_lights_hdr, LIGHT),
    ARRAY(AMBIENT_INDEX, ambient_index, ambient_index, LIGHT),
    ARRAY(AMBIENT, ambient_sample, ambient_samples, LIGHT),
    ARRAY(AMBIENT_INDEX_HDR, ambient_index, ambient_index_hdr, LIGHT),
    ARRAY(AMBIENT_HDR, ambient_sample, ambient_samples_hdr, LIGHT),
    ARRAY(OVERLAYS, overlay, overlays, PROPS),
    ARRAY(WATER_OVERLAYS, overlay, water_overlays, PROPS),
    ARRAY(OVERLAY_FADES, overlay_fade, overlay_fades, PROPS),
    ARRAY(CUBEMAPS, cubemap, cubemaps, PROPS),
    ARRAY(OCCLUDERS, occluder, occluders, PROPS),
    ARRAY(OCCLUDER_POLYS, occluder_poly, occluder_polys, PROPS),
    ARRAY(OCCLUDER_INDICES, occluder_index, occluder_indices, PROPS),
    ARRAY(STATIC_PROP_LEAVES, prop_leaf, static_prop_leaves, PROPS),
    ARRAY(STATIC_PROPS, static_prop, static_props, PROPS),
    ARRAY(DETAIL_SPRITES, detail_sprite, detail_sprites, PROPS),
    ARRAY(DETAIL_PROPS, detail_prop, detail_props, PROPS),
};
// clang-format on

const bspi_array *bspi_arrays(uint32_t *count) {
    *count = LENGTH(arrays);
    return arrays;
}

static const bspi_member *in_extra(const bspi_member *extra, uint32_t count, uint16_t feed) {
    for (uint32_t i = 0; i < count; i++) {
        if (extra[i].feed == feed) {
            return &extra[i];
        }
    }
    return NULL;
}

const bspi_member *bspi_member_of(uint16_t feed) {
    if (feed != 0 && feed <= LENGTH(members)) {
        return &members[feed - 1];
    }
    for (uint32_t i = 0; i < LENGTH(arrays); i++) {
        const bspi_struct *structure = arrays[i].structure;
        const bspi_member *found = in_extra(structure->extra, structure->num_extra, feed);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}
