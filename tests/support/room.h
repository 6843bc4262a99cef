// SPDX-License-Identifier: MIT
// The map builder: a tiny valid map of every branch whose records are known. What goes in follows
// from the branch's tables (which lumps it has, which members its layouts store) and its traits,
// never from its name.
//
// The map is a sealed room of 256 x 256 x 128 units, cut by x = 0 and (behind it) y = 0 into three
// leaves, each a cluster; clusters 0 and 2 do not see, but hear each other. In it stands a door,
// the second model.
#ifndef TEST_ROOM_H
#define TEST_ROOM_H

#include "bspkit/map.h"

enum {
    ROOM_PLANES = 256,
    ROOM_FACES = 13,
    ROOM_VERTS = 16,
    ROOM_EDGES = 32,
    ROOM_NODES = 14,
    ROOM_LEAVES = 11,
    ROOM_CLIPNODES = 12 * BSP_MAX_HULLS,
    ROOM_BRUSHES = 7,
    ROOM_PROPERTIES = 6 * ROOM_BRUSHES + 1,
    ROOM_KINDS = 4, // of vertices that Respawn's meshes have
    ROOM_CLUSTERS = 3,
    ROOM_ENTITIES = 4,
    ROOM_DISP_VERTS = 25,
    ROOM_DISP_TRIS = 32,
    ROOM_DRAW_VERTS = 4 * 12 + 9,
    ROOM_DRAW_INDICES = 6 * 12,
    ROOM_MIP_BYTES = 16 * 16 + 8 * 8 + 4 * 4 + 2 * 2,
};

/// A map under construction: the arrays that its `map` points to.
typedef struct room {
    bsp_map map;
    const bsp_branch *branch;
    bsp_entities *entities; ///< of `text`
    char text[512];
    bool has_patch; ///< the branch draws vertices: face 6 is a patch
    bool has_trees; ///< models other than the world have their own tree
    uint32_t num_edges;

    bsp_plane planes[ROOM_PLANES];
    bsp_vertex vertices[ROOM_VERTS];
    bsp_edge edges[ROOM_EDGES];
    int32_t surfedges[ROOM_FACES * 4];
    bsp_texinfo texinfos[ROOM_PROPERTIES];
    bsp_material materials[2];
    bsp_face faces[ROOM_FACES];
    bsp_face_light face_lights[ROOM_FACES];
    bsp_face_light face_lights_hdr[ROOM_FACES];
    bsp_face original_faces[ROOM_FACES];
    bsp_node nodes[ROOM_NODES];
    bsp_leaf leaves[ROOM_LEAVES];
    uint32_t leaf_faces[ROOM_FACES * 4];
    uint32_t leaf_brushes[ROOM_BRUSHES];
    bsp_clipnode clipnodes[ROOM_CLIPNODES];
    bsp_model models[2];
    bsp_brush brushes[ROOM_BRUSHES];
    bsp_brush_side brush_sides[ROOM_BRUSHES * 6];
    bsp_area areas[3];
    bsp_area_portal area_portals[3];
    bsp_vertex clip_portal_verts[4];
    bsp_vis_portal portals[2];
    uint32_t portal_verts[8];
    bsp_vis_cluster clusters[ROOM_CLUSTERS];
    uint32_t cluster_portals[4];
    bsp_draw_vert draw_verts[ROOM_DRAW_VERTS];
    uint32_t draw_indices[ROOM_DRAW_INDICES];
    bsp_fog fogs[1];
    bsp_light_cell light_grid[2];
    uint16_t light_array[4];
    bsp_world_light world_lights[1];
    bsp_displacement displacements[1];
    bsp_disp_vert disp_verts[ROOM_DISP_VERTS];
    uint16_t disp_tris[ROOM_DISP_TRIS];
    bsp_overlay overlays[1];
    bsp_overlay water_overlays[1];
    bsp_overlay_fade overlay_fades[1];
    bsp_overlay_level overlay_levels[1];
    bsp_cubemap cubemaps[1];
    bsp_leaf_water leaf_waters[1];
    bsp_primitive primitives[1];
    bsp_vertex prim_verts[3];
    uint32_t prim_indices[3];
    bsp_vertex vert_normals[6];
    uint32_t vert_normal_indices[ROOM_FACES * 4];
    bsp_ambient_index ambient_index[ROOM_LEAVES];
    bsp_ambient_sample ambient_samples[1];
    bsp_occluder occluders[1];
    bsp_occluder_poly occluder_polys[1];
    uint32_t occluder_indices[4];
    uint32_t face_ids[ROOM_FACES];
    bsp_text prop_models[1];
    uint32_t prop_leaves[1];
    bsp_static_prop static_props[1];
    bsp_text detail_models[1];
    bsp_detail_sprite detail_sprites[1];
    bsp_detail_prop detail_props[1];
    bsp_detail_light detail_lights[2];
    bsp_indexed_vert kinds[ROOM_KINDS][16];
    bsp_material_sort material_sorts[2];
    bsp_light_header light_headers[1];
    bsp_grid grids[1];
    bsp_grid_cell grid_cells[6];
    bsp_geo_set geo_sets[2];
    bsp_geo_part geo_parts[6];
    uint32_t unique_contents[1];
    bsp_brush_box brush_boxes[ROOM_BRUSHES];
    bsp_side_property side_properties[ROOM_PROPERTIES];
    uint32_t brush_planes[1];
    uint8_t light_rtl[16];
    uint32_t vis_offsets[2 * ROOM_CLUSTERS];
    uint8_t vis_rows[2 * ROOM_CLUSTERS];
    uint8_t pixels[2][ROOM_MIP_BYTES];
    uint8_t palette[768];
    uint8_t disp_samples[8];
    uint8_t pak[256];
    uint8_t *light;
    size_t light_size;
} room;

/// Builds the map for a branch. Never NULL; free with room_free.
room *room_build(const bsp_branch *branch);
void room_free(room *r);

/// A version of static props; the size selects one of several records with that number.
#define ROOM_PROPS(version, size) ((version) | (size) << 16)
#define ROOM_PROPS_VERSION(props) ((props)&0xFFFF)
#define ROOM_PROPS_SIZE(props) ((props) >> 16)

/// Builds the map and writes it as a file of the branch. Fails the test if that fails. `props` is a
/// version of static props, ROOM_PROPS, or 0 for the branch's own.
bsp_blob room_file(const bsp_branch *branch, bool big_endian, uint32_t props);

/// Returns true if files of the branch hold tables of a kind, in any lump.
bool room_has(const bsp_branch *branch, bsp_table_id id);
/// Returns the layout in which bsp_map_write stores a kind of table, or NULL.
const bsp_layout *room_layout(const bsp_branch *branch, bsp_table_id id, uint32_t props);
/// Returns how many elements that layout has for a member of the map; 0 if it has no such field.
uint32_t room_elements(const bsp_branch *branch, bsp_table_id id, uint16_t map_member,
                       uint32_t props);

/// A point, and the leaf of the world that contains it.
typedef struct room_point {
    float point[3];
    uint32_t leaf;
} room_point;

/// Returns known points, on both sides of every plane.
const room_point *room_points(size_t *count);

/// Returns the leaf of a point by walking the nodes of model 0.
uint32_t room_walk(const bsp_map *map, const float point[3]);
/// Returns the content of a point in a clip hull of a model, by walking its clipnodes.
int32_t room_walk_hull(const bsp_map *map, uint32_t model, uint32_t hull, const float point[3]);

// room_extras.c: what only some families have.
void room_add_light(room *r);
void room_add_draw(room *r);
void room_add_materials(room *r);
void room_add_extras(room *r);
/// room_respawn.c: meshes of shared vertices, brushes that are boxes.
void room_add_respawn(room *r);

/// Points the map at an array of the room and its length.
#define ROOM_SET(r, name, length)                                                                  \
    ((r)->map.name = (r)->name, (r)->map.num_##name = (uint32_t)(length))

#endif
