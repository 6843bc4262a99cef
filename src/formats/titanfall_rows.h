// SPDX-License-Identifier: MIT
// Lump rows that the branches of Titanfall and of Apex Legends share.
#ifndef BSPI_TITANFALL_ROWS_H
#define BSPI_TITANFALL_ROWS_H

#include "formats/titanfall_layouts.h"

// The shape of titanfall.c.
extern const bsp_shape bspi_titanfall_shape;

// clang-format off
#define SHARED_TRAITS \
    .light = BSP_LIGHT_SHEETS, .draws_vertices = true, .shares_vertices = true, \
    .model_runs = true, .no_phs = 1, .dialect = BSP_DIALECT_VMF, .external = true, \
    .surface = { \
        .sky = 2 | 4, .hidden = 0x20000, .liquid = 8, .translucent = 0x10, .tools = true, \
    }, \
    .look = { .modes = true, .amount = 255, .has_none = true }, .clip = BSP_CLIP_RESPAWN, \
    .contents_names = BSP_CONTENTS_RESPAWN, .sight_mask = 1 | 0x4000 | 0x80000, \
    .game_code = BSP_CODE_SOURCE, \
    .texture_source = BSP_TEXTURES_VMT, .sky_source = BSP_SKIES_VMT, .eye_height = 22, \
    .lights = { BSP_FALLOFF_HUNDRED, 45, "_cone", 1, .compiler = BSP_COMPILER_USUAL }, \
    .decompile = BSP_DECOMPILE_RESPAWN

#define RAW(index, name) OTHER_LUMP(index, name, NONE, BYTES, NO_LIMIT),
#define ROWS(index, name, id, variants) ARRAY_LUMP(index, name, id, variants, NO_LIMIT),

ONE_LAYOUT(game_lump_entries, bspi_dgamelump_t);
ONE_LAYOUT(vertices, bspi_dvertex_t);
ONE_LAYOUT(vertex_normals, bspi_vertnormal_t);
ONE_LAYOUT(mesh_indices, bspi_titanfall_meshindex_t);
ONE_LAYOUT(mesh_bounds, bspi_titanfall_meshbounds_t);
ONE_LAYOUT(light, bspi_bare_u8_t);
ONE_LAYOUT(cubemaps, bspi_titanfall_cubemap_t);
ONE_LAYOUT(vectors, bspi_titanfall_vector_t);
ONE_LAYOUT(cell_nodes, bspi_titanfall_cellbspnode_t);
ONE_LAYOUT(portals, bspi_titanfall_portal_t);
ONE_LAYOUT(portal_edges, bspi_titanfall_portaledge_t);
ONE_LAYOUT(portal_vert_refs, bspi_titanfall_portalvertref_t);
ONE_LAYOUT(portal_edge_refs, bspi_titanfall_portaledgeref_t);
ONE_LAYOUT(edge_sets, bspi_titanfall_edgeset_t);
ONE_LAYOUT(vert_sets, bspi_titanfall_vertset_t);
ONE_LAYOUT(set_ranges, bspi_titanfall_setrange_t);
ONE_LAYOUT(occlusion_indices, bspi_titanfall_occlusionindex_t);
ONE_LAYOUT(obj_ref_bounds, bspi_titanfall_objrefbounds_t);
ONE_LAYOUT(light_probes, bspi_titanfall_lightprobe_t);
ONE_LAYOUT(light_probe_tree, bspi_titanfall_lightprobetree_t);
ONE_LAYOUT(light_probe_parents, bspi_titanfall_lightprobeparent_t);
ONE_LAYOUT(light_probe_refs_2, bspi_titanfall2_lightproberef_t);
ONE_LAYOUT(prop_light_probes, bspi_titanfall_propprobeindex_t);
ONE_LAYOUT(world_light_parents, bspi_titanfall_worldlightparent_t);
ONE_LAYOUT(shadow_environments, bspi_titanfall_shadowenvironment_t);
ONE_LAYOUT(shadow_meshes, bspi_titanfall_shadowmesh_t);
ONE_LAYOUT(shadow_indices, bspi_titanfall_shadowindex_t);
ONE_LAYOUT(shadow_alpha_verts, bspi_titanfall_shadowalphavert_t);

// The partitions are the names of the .ent files in one string: "01* env fx script snd spawn".
#define PARTITION_ROW \
    OTHER_LUMP(0x18, "ENTITY_PARTITIONS", ENTITY_PARTITIONS, STRINGS, NO_LIMIT),
#define GAME_ROW GAME_LUMP_ROW(0x23, game_lump_entries),
#define PAK_ROW OTHER_LUMP(0x28, "PAKFILE", PAK, ZIP, NO_LIMIT),

#define RESERVED_VERTEX_ROWS \
    RAW(0x4C, "VERTEX_RESERVED_5") RAW(0x4D, "VERTEX_RESERVED_6") RAW(0x4E, "VERTEX_RESERVED_7")

#define LIGHT_ROWS(csm_boxes, obj_refs, light_probe_refs) \
    ROWS(0x62, "LIGHTMAP_DATA_SKY", LIGHTING, light) \
    ROWS(0x63, "CSM_AABB_NODES", CSM_AABB_NODES, csm_boxes) \
    ROWS(0x64, "CSM_OBJ_REFERENCES", CSM_OBJ_REFS, obj_refs) \
    ROWS(0x65, "LIGHTPROBES", LIGHT_PROBES, light_probes) \
    ROWS(0x66, "STATIC_PROP_LIGHTPROBE_INDICES", PROP_LIGHT_PROBES, prop_light_probes) \
    ROWS(0x67, "LIGHTPROBE_TREE", LIGHT_PROBE_TREE, light_probe_tree) \
    ROWS(0x68, "LIGHTPROBE_REFERENCES", LIGHT_PROBE_REFS, light_probe_refs) \
    ROWS(0x69, "LIGHTMAP_DATA_REAL_TIME_LIGHTS", LIGHTING_RTL, light)

#define CELL_ROWS(cells, cell_boxes, obj_refs) \
    ROWS(0x6A, "CELL_BSP_NODES", CELL_NODES, cell_nodes) \
    ROWS(0x6B, "CELLS", CELLS, cells) \
    ROWS(0x6C, "PORTALS", PORTALS, portals) \
    ROWS(0x6D, "PORTAL_VERTICES", PORTAL_VERTS, vectors) \
    ROWS(0x6E, "PORTAL_EDGES", PORTAL_EDGES, portal_edges) \
    ROWS(0x6F, "PORTAL_VERTEX_EDGES", PORTAL_VERT_EDGES, edge_sets) \
    ROWS(0x70, "PORTAL_VERTEX_REFERENCES", PORTAL_VERT_REFS, portal_vert_refs) \
    ROWS(0x71, "PORTAL_EDGE_REFERENCES", PORTAL_EDGE_REFS, portal_edge_refs) \
    ROWS(0x72, "PORTAL_EDGE_INTERSECT_AT_EDGE", PORTAL_EDGE_SETS, edge_sets) \
    ROWS(0x73, "PORTAL_EDGE_INTERSECT_AT_VERTEX", PORTAL_VERT_SETS, vert_sets) \
    ROWS(0x74, "PORTAL_EDGE_INTERSECT_HEADER", PORTAL_SET_RANGES, set_ranges) \
    ROWS(0x75, "OCCLUSION_MESH_VERTICES", OCCLUSION_VERTS, vectors) \
    ROWS(0x76, "OCCLUSION_MESH_INDICES", OCCLUSION_INDICES, occlusion_indices) \
    ROWS(0x77, "CELL_AABB_NODES", CELL_AABB_NODES, cell_boxes) \
    ROWS(0x78, "OBJ_REFERENCES", OBJ_REFS, obj_refs) \
    ROWS(0x79, "OBJ_REFERENCE_BOUNDS", OBJ_REF_BOUNDS, obj_ref_bounds)

#define LAST_ROWS(level_info) \
    ROWS(0x7B, "LEVEL_INFO", LEVEL_INFO, level_info) \
    ROWS(0x7C, "SHADOW_MESH_OPAQUE_VERTICES", SHADOW_OPAQUE_VERTS, vectors) \
    ROWS(0x7D, "SHADOW_MESH_ALPHA_VERTICES", SHADOW_ALPHA_VERTS, shadow_alpha_verts) \
    ROWS(0x7E, "SHADOW_MESH_INDICES", SHADOW_INDICES, shadow_indices) \
    ROWS(0x7F, "SHADOW_MESHES", SHADOW_MESHES, shadow_meshes)
// clang-format on

#endif
