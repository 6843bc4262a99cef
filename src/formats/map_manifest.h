// SPDX-License-Identifier: MIT
// The manifest of the map: which arrays bsp_map has, the table of the file that fills each, the
// members that fields become, and what the records of every table are called. Everything that has
// to know this is made from these rows: the numbers of the members (map_members.h), the names of
// the tables (branches.c), offsets and types and the lists that load, repair and write
// (map/members.c), and the bindings (scripts/bindings.py).
//
// A file defines the rows that it wants as macros and includes this one, which undefines them. Rows
// that it does not define are empty, and what stands in a STRUCT or VALUES is seen only if its
// macro passes it on. So there is no include guard.
//
//   STRUCT(type, word, arrays, members)  a structure of map.h, its arrays, and those of its members
//                                        that some branch stores. Tables name a member by word and
//                                        member: MAP(plane, dist)
//   VALUES(type, word, arrays, members)  the same for arrays of bare values; the member is "value"
//   ARRAY(id, called, word, array, part) the members `array` and `num_array` of bsp_map, filled by
//                                        the table BSP_ID_id when BSP_LOAD_part is asked for.
//                                        `called` is what its records are called, in the plural
//   ALSO(id, word, array, part)          another array that the table of an ARRAY fills
//   MEMBER(word, member)                 0 where a branch does not store it
//   MEMBER_OR_NONE(word, member)         an index: BSP_NONE where a branch does not store it
//   ELEMENT(word, name, place)           a part of a member that some branch stores as a field;
//                                        `name` stands for it in the tables
//   ELEMENT_OR_NONE(word, name, place)   the same for an index
//   NAMES(id, called, array, part)       an array of bsp_text, one for each record
//   VIEW(id, called, member, part)       bytes of bsp_map: the lump as it is
//   TABLE(id, called)                    a table that the map has no array of
//   FACT(word, name)                     what a field can become besides: facts of the directories,
//                                        and names, which are views into the file
//
// Arrays that one lump fills are filled, and written, in the order of this list.

// clang-format off
#ifndef STRUCT
#define STRUCT(...)
#endif
#ifndef VALUES
#define VALUES(...)
#endif
#ifndef ARRAY
#define ARRAY(...)
#endif
#ifndef ALSO
#define ALSO(...)
#endif
#ifndef MEMBER
#define MEMBER(...)
#endif
#ifndef MEMBER_OR_NONE
#define MEMBER_OR_NONE(...)
#endif
#ifndef ELEMENT
#define ELEMENT(...)
#endif
#ifndef ELEMENT_OR_NONE
#define ELEMENT_OR_NONE(...)
#endif
#ifndef NAMES
#define NAMES(...)
#endif
#ifndef VIEW
#define VIEW(...)
#endif
#ifndef TABLE
#define TABLE(...)
#endif
#ifndef FACT
#define FACT(...)
#endif

// The two neighbours at an edge of a displacement, each at a half, and those at a corner.
#define DISP_EDGE(e, s) \
    ELEMENT_OR_NONE(displacement, edge_##e##_##s##_neighbor, edge_neighbors[e][s][0]) \
    ELEMENT(displacement, edge_##e##_##s##_orientation, edge_neighbors[e][s][1]) \
    ELEMENT(displacement, edge_##e##_##s##_span, edge_neighbors[e][s][2]) \
    ELEMENT(displacement, edge_##e##_##s##_neighbor_span, edge_neighbors[e][s][3])
#define DISP_CORNER(c) \
    ELEMENT_OR_NONE(displacement, corner_##c##_neighbors, corner_neighbors[c]) \
    ELEMENT(displacement, corner_##c##_count, num_corner_neighbors[c])

// --- arrays of records ---------------------------------------------------------------------------

STRUCT(bsp_plane, plane,
    ARRAY(PLANES, "planes", plane, planes, TREE),
    MEMBER(plane, normal) MEMBER(plane, dist) MEMBER(plane, type))
STRUCT(bsp_vertex, vertex,
    ARRAY(CLIP_PORTAL_VERTS, "clip portal verts", vertex, clip_portal_verts, TREE)
    ARRAY(VERTICES, "vertices", vertex, vertices, SURFACES)
    ARRAY(PRIM_VERTS, "prim verts", vertex, prim_verts, SURFACES)
    ARRAY(VERT_NORMALS, "vert normals", vertex, vert_normals, SURFACES),
    MEMBER(vertex, point))
STRUCT(bsp_edge, edge,
    ARRAY(EDGES, "edges", edge, edges, SURFACES),
    MEMBER(edge, v))
VALUES(int32_t, surfedge,
    ARRAY(SURFEDGES, "surfedges", surfedge, surfedges, SURFACES),
    MEMBER(surfedge, value))
STRUCT(bsp_texinfo, texinfo,
    ARRAY(TEXINFO, "texinfos", texinfo, texinfos, SURFACES),
    MEMBER(texinfo, texture) MEMBER(texinfo, light) MEMBER(texinfo, flags)
    MEMBER_OR_NONE(texinfo, material) MEMBER(texinfo, value) MEMBER_OR_NONE(texinfo, next))
STRUCT(bsp_material, material,
    ARRAY(TEXTURES, "textures", material, materials, SURFACES),
    MEMBER(material, flags) MEMBER(material, contents) MEMBER(material, width)
    MEMBER(material, height) MEMBER(material, view_width) MEMBER(material, view_height)
    MEMBER(material, reflectivity) MEMBER(material, shift))
STRUCT(bsp_face, face,
    ARRAY(FACES, "faces", face, faces, SURFACES)
    ARRAY(FACES_HDR, "faces hdr", face, faces, SURFACES) // only where FACES is empty
    ARRAY(ORIGINAL_FACES, "original faces", face, original_faces, SURFACES),
    MEMBER(face, type) MEMBER_OR_NONE(face, plane) MEMBER(face, flipped) MEMBER(face, first_edge)
    MEMBER(face, num_edges) MEMBER_OR_NONE(face, texinfo) MEMBER_OR_NONE(face, material)
    MEMBER_OR_NONE(face, displacement) MEMBER_OR_NONE(face, original) MEMBER(face, first_prim)
    MEMBER(face, num_prims) MEMBER(face, no_dynamic_shadows) MEMBER(face, smoothing)
    MEMBER(face, on_node) MEMBER(face, fog_volume) MEMBER(face, area) MEMBER_OR_NONE(face, fog)
    MEMBER(face, first_vert) MEMBER(face, num_verts) MEMBER(face, first_index)
    MEMBER(face, num_indices) MEMBER(face, patch_width) MEMBER(face, patch_height)
    MEMBER(face, num_triangles) MEMBER_OR_NONE(face, sort) MEMBER(face, flags))
STRUCT(bsp_face_light, face_light,
    ALSO(FACES, face_light, face_lights, SURFACES)
    ALSO(FACES_HDR, face_light, face_lights_hdr, SURFACES),
    MEMBER(face_light, styles) MEMBER_OR_NONE(face_light, offset) MEMBER(face_light, mins)
    MEMBER(face_light, size) MEMBER(face_light, page) MEMBER(face_light, x) MEMBER(face_light, y)
    MEMBER(face_light, origin) MEMBER(face_light, vecs) MEMBER(face_light, vertex_styles)
    ELEMENT(face_light, width, size[0]) ELEMENT(face_light, height, size[1]))
STRUCT(bsp_node, node,
    ARRAY(NODES, "nodes", node, nodes, TREE),
    MEMBER_OR_NONE(node, plane) MEMBER(node, children) MEMBER(node, mins) MEMBER(node, maxs)
    MEMBER(node, first_face) MEMBER(node, num_faces) MEMBER(node, area))
STRUCT(bsp_leaf, leaf,
    ARRAY(LEAVES, "leaves", leaf, leaves, TREE),
    MEMBER(leaf, contents) MEMBER_OR_NONE(leaf, cluster) MEMBER(leaf, area) MEMBER(leaf, flags)
    MEMBER(leaf, mins) MEMBER(leaf, maxs) MEMBER(leaf, first_face) MEMBER(leaf, num_faces)
    MEMBER(leaf, first_brush) MEMBER(leaf, num_brushes) MEMBER_OR_NONE(leaf, water)
    MEMBER_OR_NONE(leaf, vis_offset) MEMBER(leaf, ambient) MEMBER(leaf, cube))
VALUES(uint32_t, leaf_face,
    ARRAY(LEAF_FACES, "leaf faces", leaf_face, leaf_faces, TREE),
    MEMBER_OR_NONE(leaf_face, value))
VALUES(uint32_t, leaf_brush,
    ARRAY(LEAF_BRUSHES, "leaf brushes", leaf_brush, leaf_brushes, TREE),
    MEMBER_OR_NONE(leaf_brush, value))
STRUCT(bsp_clipnode, clipnode,
    ARRAY(CLIPNODES, "clipnodes", clipnode, clipnodes, TREE),
    MEMBER_OR_NONE(clipnode, plane) MEMBER(clipnode, children))
STRUCT(bsp_model, model,
    ARRAY(MODELS, "models", model, models, TREE),
    MEMBER(model, mins) MEMBER(model, maxs) MEMBER(model, origin) MEMBER(model, headnodes)
    MEMBER(model, vis_leaves) MEMBER(model, first_face) MEMBER(model, num_faces)
    MEMBER(model, first_brush) MEMBER(model, num_brushes))
STRUCT(bsp_brush, brush,
    ARRAY(BRUSHES, "brushes", brush, brushes, BRUSHES),
    MEMBER(brush, first_side) MEMBER(brush, num_sides) MEMBER(brush, contents)
    MEMBER_OR_NONE(brush, material))
STRUCT(bsp_brush_side, brush_side,
    ARRAY(BRUSH_SIDES, "brush sides", brush_side, brush_sides, BRUSHES),
    MEMBER_OR_NONE(brush_side, plane) MEMBER_OR_NONE(brush_side, texinfo)
    MEMBER_OR_NONE(brush_side, material) MEMBER_OR_NONE(brush_side, displacement)
    MEMBER(brush_side, bevel) MEMBER(brush_side, thin) MEMBER_OR_NONE(brush_side, face))
STRUCT(bsp_area, area,
    ARRAY(AREAS, "areas", area, areas, TREE),
    MEMBER(area, num_portals) MEMBER(area, first_portal))
STRUCT(bsp_area_portal, area_portal,
    ARRAY(AREA_PORTALS, "area portals", area_portal, area_portals, TREE),
    MEMBER(area_portal, key) MEMBER(area_portal, other_area) MEMBER(area_portal, first_vert)
    MEMBER(area_portal, num_verts) MEMBER_OR_NONE(area_portal, plane))
STRUCT(bsp_vis_portal, portal,
    ARRAY(VIS_PORTALS, "vis portals", portal, portals, TREE),
    MEMBER(portal, first_vert) MEMBER(portal, num_verts) MEMBER_OR_NONE(portal, plane)
    MEMBER(portal, clusters))
VALUES(uint32_t, portal_vert,
    ARRAY(VIS_PORTAL_VERTS, "vis portal verts", portal_vert, portal_verts, TREE),
    MEMBER_OR_NONE(portal_vert, value))
STRUCT(bsp_vis_cluster, cluster,
    ARRAY(CLUSTERS, "clusters", cluster, clusters, TREE),
    MEMBER(cluster, first_portal) MEMBER(cluster, num_portals))
VALUES(uint32_t, cluster_portal,
    ARRAY(CLUSTER_PORTALS, "cluster portals", cluster_portal, cluster_portals, TREE),
    MEMBER_OR_NONE(cluster_portal, value))
STRUCT(bsp_draw_vert, draw_vert,
    ARRAY(DRAW_VERTS, "draw verts", draw_vert, draw_verts, SURFACES),
    MEMBER(draw_vert, point) MEMBER(draw_vert, uv) MEMBER(draw_vert, light_uv)
    MEMBER(draw_vert, normal) MEMBER(draw_vert, color))
VALUES(uint32_t, draw_index,
    ARRAY(DRAW_INDICES, "draw indices", draw_index, draw_indices, SURFACES),
    MEMBER_OR_NONE(draw_index, value))
STRUCT(bsp_fog, fog,
    ARRAY(FOGS, "fogs", fog, fogs, SURFACES),
    MEMBER(fog, name) MEMBER_OR_NONE(fog, brush) MEMBER(fog, visible_side))
STRUCT(bsp_light_cell, light_cell,
    ARRAY(LIGHT_GRID, "light grid", light_cell, light_grid, LIGHT),
    MEMBER(light_cell, ambient) MEMBER(light_cell, directed) MEMBER(light_cell, styles)
    MEMBER(light_cell, direction))
VALUES(uint16_t, light_array,
    ARRAY(LIGHT_ARRAY, "light array", light_array, light_array, LIGHT),
    MEMBER(light_array, value))
STRUCT(bsp_world_light, world_light,
    ARRAY(WORLD_LIGHTS, "world lights", world_light, world_lights, LIGHT)
    ARRAY(WORLD_LIGHTS_HDR, "world lights hdr", world_light, world_lights_hdr, LIGHT),
    MEMBER(world_light, origin) MEMBER(world_light, intensity) MEMBER(world_light, normal)
    MEMBER(world_light, shadow_cast_offset) MEMBER_OR_NONE(world_light, cluster)
    MEMBER(world_light, type) MEMBER(world_light, style) MEMBER(world_light, stopdot)
    MEMBER(world_light, stopdot2) MEMBER(world_light, exponent) MEMBER(world_light, radius)
    MEMBER(world_light, constant_attn) MEMBER(world_light, linear_attn)
    MEMBER(world_light, quadratic_attn) MEMBER(world_light, flags)
    MEMBER_OR_NONE(world_light, texinfo) MEMBER(world_light, owner))
STRUCT(bsp_displacement, displacement,
    ARRAY(DISP_INFO, "displacements", displacement, displacements, SURFACES),
    MEMBER(displacement, start) MEMBER(displacement, first_vert) MEMBER(displacement, first_tri)
    MEMBER(displacement, power) MEMBER(displacement, flags) MEMBER(displacement, smoothing_angle)
    MEMBER(displacement, contents) MEMBER_OR_NONE(displacement, face)
    MEMBER(displacement, alpha_start) MEMBER(displacement, sample_start)
    MEMBER(displacement, allowed_verts) DISP_EDGE(0, 0) DISP_EDGE(0, 1) DISP_EDGE(1, 0)
    DISP_EDGE(1, 1) DISP_EDGE(2, 0) DISP_EDGE(2, 1) DISP_EDGE(3, 0) DISP_EDGE(3, 1)
    DISP_CORNER(0) DISP_CORNER(1) DISP_CORNER(2) DISP_CORNER(3))
STRUCT(bsp_disp_vert, disp_vert,
    ARRAY(DISP_VERTS, "disp verts", disp_vert, disp_verts, SURFACES),
    MEMBER(disp_vert, vec) MEMBER(disp_vert, dist) MEMBER(disp_vert, alpha))
STRUCT(bsp_disp_blend, disp_blend,
    ARRAY(DISP_MULTIBLEND, "disp multiblend", disp_blend, disp_blends, SURFACES),
    MEMBER(disp_blend, share))
VALUES(uint16_t, disp_tri,
    ARRAY(DISP_TRIS, "disp tris", disp_tri, disp_tris, SURFACES),
    MEMBER(disp_tri, value))
STRUCT(bsp_overlay, overlay,
    ARRAY(OVERLAYS, "overlays", overlay, overlays, PROPS)
    ARRAY(WATER_OVERLAYS, "water overlays", overlay, water_overlays, PROPS),
    MEMBER(overlay, id) MEMBER_OR_NONE(overlay, texinfo) MEMBER(overlay, num_faces)
    MEMBER(overlay, render_order) MEMBER(overlay, faces) MEMBER(overlay, u) MEMBER(overlay, v)
    MEMBER(overlay, uv_points) MEMBER(overlay, origin) MEMBER(overlay, normal))
STRUCT(bsp_overlay_fade, overlay_fade,
    ARRAY(OVERLAY_FADES, "overlay fades", overlay_fade, overlay_fades, PROPS),
    MEMBER(overlay_fade, min_sq) MEMBER(overlay_fade, max_sq))
STRUCT(bsp_overlay_level, overlay_level,
    ARRAY(OVERLAY_LEVELS, "overlay levels", overlay_level, overlay_levels, PROPS),
    MEMBER(overlay_level, cpu_gpu) ELEMENT(overlay_level, min_cpu, cpu_gpu[0])
    ELEMENT(overlay_level, max_cpu, cpu_gpu[1]) ELEMENT(overlay_level, min_gpu, cpu_gpu[2])
    ELEMENT(overlay_level, max_gpu, cpu_gpu[3]))
STRUCT(bsp_cubemap, cubemap,
    ARRAY(CUBEMAPS, "cubemaps", cubemap, cubemaps, PROPS),
    MEMBER(cubemap, origin) MEMBER(cubemap, size))
STRUCT(bsp_leaf_water, leaf_water,
    ARRAY(LEAF_WATER, "leaf water", leaf_water, leaf_waters, TREE),
    MEMBER(leaf_water, surface_z) MEMBER(leaf_water, min_z) MEMBER_OR_NONE(leaf_water, texinfo))
VALUES(uint32_t, leaf_water_dist,
    ARRAY(LEAF_WATER_DIST, "leaf water dist", leaf_water_dist, leaf_water_dists, TREE),
    MEMBER(leaf_water_dist, value))
STRUCT(bsp_primitive, primitive,
    ARRAY(PRIMITIVES, "primitives", primitive, primitives, SURFACES),
    MEMBER(primitive, type) MEMBER(primitive, first_index) MEMBER(primitive, num_indices)
    MEMBER(primitive, first_vert) MEMBER(primitive, num_verts))
VALUES(uint32_t, prim_index,
    ARRAY(PRIM_INDICES, "prim indices", prim_index, prim_indices, SURFACES),
    MEMBER(prim_index, value))
VALUES(uint32_t, vert_normal_index,
    ARRAY(VERT_NORMAL_INDICES, "vert normal indices", vert_normal_index, vert_normal_indices,
          SURFACES),
    MEMBER(vert_normal_index, value))
STRUCT(bsp_ambient_index, ambient_index,
    ARRAY(AMBIENT_INDEX, "ambient index", ambient_index, ambient_index, LIGHT)
    ARRAY(AMBIENT_INDEX_HDR, "ambient index hdr", ambient_index, ambient_index_hdr, LIGHT),
    MEMBER(ambient_index, count) MEMBER(ambient_index, first))
STRUCT(bsp_ambient_sample, ambient_sample,
    ARRAY(AMBIENT, "ambient", ambient_sample, ambient_samples, LIGHT)
    ARRAY(AMBIENT_HDR, "ambient hdr", ambient_sample, ambient_samples_hdr, LIGHT),
    MEMBER(ambient_sample, cube) MEMBER(ambient_sample, place)
    ELEMENT(ambient_sample, x, place[0]) ELEMENT(ambient_sample, y, place[1])
    ELEMENT(ambient_sample, z, place[2]))
STRUCT(bsp_occluder, occluder,
    ARRAY(OCCLUDERS, "occluders", occluder, occluders, PROPS),
    MEMBER(occluder, flags) MEMBER(occluder, first_poly) MEMBER(occluder, num_polys)
    MEMBER(occluder, mins) MEMBER(occluder, maxs) MEMBER(occluder, area))
STRUCT(bsp_occluder_poly, occluder_poly,
    ARRAY(OCCLUDER_POLYS, "occluder polys", occluder_poly, occluder_polys, PROPS),
    MEMBER(occluder_poly, first_index) MEMBER(occluder_poly, num_indices)
    MEMBER_OR_NONE(occluder_poly, plane))
VALUES(uint32_t, occluder_index,
    ARRAY(OCCLUDER_INDICES, "occluder indices", occluder_index, occluder_indices, PROPS),
    MEMBER(occluder_index, value))
VALUES(uint32_t, face_id,
    ARRAY(FACE_IDS, "face ids", face_id, face_ids, SURFACES),
    MEMBER(face_id, value))
VALUES(uint32_t, prop_leaf,
    ARRAY(STATIC_PROP_LEAVES, "static prop leaves", prop_leaf, static_prop_leaves, PROPS),
    MEMBER_OR_NONE(prop_leaf, value))
STRUCT(bsp_static_prop, static_prop,
    ARRAY(STATIC_PROPS, "static props", static_prop, static_props, PROPS),
    MEMBER(static_prop, origin) MEMBER(static_prop, angles) MEMBER_OR_NONE(static_prop, model)
    MEMBER(static_prop, first_leaf) MEMBER(static_prop, num_leaves) MEMBER(static_prop, solid)
    MEMBER(static_prop, flags) MEMBER(static_prop, flags_ex) MEMBER(static_prop, skin)
    MEMBER(static_prop, fade_min) MEMBER(static_prop, fade_max)
    MEMBER(static_prop, lighting_origin) MEMBER(static_prop, forced_fade_scale)
    MEMBER(static_prop, dx_levels) MEMBER(static_prop, cpu_gpu) MEMBER(static_prop, color)
    MEMBER(static_prop, lightmap_size) MEMBER(static_prop, disable_x360)
    MEMBER(static_prop, scale) ELEMENT(static_prop, min_dx, dx_levels[0])
    ELEMENT(static_prop, max_dx, dx_levels[1]) ELEMENT(static_prop, min_cpu, cpu_gpu[0])
    ELEMENT(static_prop, max_cpu, cpu_gpu[1]) ELEMENT(static_prop, min_gpu, cpu_gpu[2])
    ELEMENT(static_prop, max_gpu, cpu_gpu[3])
    ELEMENT(static_prop, lightmap_width, lightmap_size[0])
    ELEMENT(static_prop, lightmap_height, lightmap_size[1]))
STRUCT(bsp_detail_sprite, detail_sprite,
    ARRAY(DETAIL_SPRITES, "detail sprites", detail_sprite, detail_sprites, PROPS),
    MEMBER(detail_sprite, upper_left) MEMBER(detail_sprite, lower_right)
    MEMBER(detail_sprite, tex_upper_left) MEMBER(detail_sprite, tex_lower_right))
STRUCT(bsp_detail_prop, detail_prop,
    ARRAY(DETAIL_PROPS, "detail props", detail_prop, detail_props, PROPS),
    MEMBER(detail_prop, origin) MEMBER(detail_prop, angles) MEMBER_OR_NONE(detail_prop, model)
    MEMBER_OR_NONE(detail_prop, leaf) MEMBER(detail_prop, light) MEMBER(detail_prop, first_style)
    MEMBER(detail_prop, num_styles) MEMBER(detail_prop, sway) MEMBER(detail_prop, shape_angle)
    MEMBER(detail_prop, shape_size) MEMBER(detail_prop, orientation) MEMBER(detail_prop, type)
    MEMBER(detail_prop, scale))
STRUCT(bsp_detail_light, detail_light,
    ARRAY(DETAIL_LIGHT, "detail light", detail_light, detail_lights, PROPS)
    ARRAY(DETAIL_LIGHT_HDR, "detail light hdr", detail_light, detail_lights_hdr, PROPS),
    MEMBER(detail_light, light) MEMBER(detail_light, style))
STRUCT(bsp_indexed_vert, indexed_vert,
    ARRAY(VERTS_UNLIT, "unlit vertices", indexed_vert, unlit_verts, SURFACES)
    ARRAY(VERTS_LIT_FLAT, "flat lit vertices", indexed_vert, lit_flat_verts, SURFACES)
    ARRAY(VERTS_LIT_BUMP, "bump lit vertices", indexed_vert, lit_bump_verts, SURFACES)
    ARRAY(VERTS_UNLIT_TS, "unlit vertices with tangents", indexed_vert, unlit_ts_verts, SURFACES)
    ARRAY(VERTS_BLINN_PHONG, "Blinn-Phong vertices", indexed_vert, blinn_phong_verts, SURFACES),
    MEMBER_OR_NONE(indexed_vert, vertex) MEMBER_OR_NONE(indexed_vert, normal)
    MEMBER(indexed_vert, uv) MEMBER(indexed_vert, light_uv) MEMBER(indexed_vert, color))
STRUCT(bsp_material_sort, material_sort,
    ARRAY(MATERIAL_SORTS, "material sorts", material_sort, material_sorts, SURFACES),
    MEMBER_OR_NONE(material_sort, material) MEMBER_OR_NONE(material_sort, light_page)
    MEMBER_OR_NONE(material_sort, cubemap) MEMBER(material_sort, first_vert))
STRUCT(bsp_light_header, light_header,
    ARRAY(LIGHTMAP_HEADERS, "lightmap headers", light_header, light_headers, SURFACES),
    MEMBER(light_header, type) MEMBER(light_header, width) MEMBER(light_header, height))
STRUCT(bsp_grid, grid,
    ARRAY(GRID, "grids", grid, grids, BRUSHES),
    MEMBER(grid, scale) MEMBER(grid, offset) MEMBER(grid, count) MEMBER(grid, num_groups)
    MEMBER(grid, first_plane))
STRUCT(bsp_grid_cell, grid_cell,
    ARRAY(GRID_CELLS, "grid cells", grid_cell, grid_cells, BRUSHES),
    MEMBER(grid_cell, first_set) MEMBER(grid_cell, num_sets))
STRUCT(bsp_geo_set, geo_set,
    ARRAY(GEO_SETS, "geo sets", geo_set, geo_sets, BRUSHES),
    MEMBER(geo_set, group) MEMBER(geo_set, num_parts) MEMBER(geo_set, contents)
    MEMBER(geo_set, index) MEMBER(geo_set, type))
STRUCT(bsp_geo_part, geo_part,
    ARRAY(GEO_PARTS, "collision primitives", geo_part, geo_parts, BRUSHES),
    MEMBER_OR_NONE(geo_part, contents) MEMBER(geo_part, index) MEMBER(geo_part, type))
VALUES(uint32_t, unique_contents,
    ARRAY(UNIQUE_CONTENTS, "unique contents", unique_contents, unique_contents, BRUSHES),
    MEMBER(unique_contents, value))
STRUCT(bsp_brush_box, brush_box,
    ARRAY(BRUSH_BOXES, "brush boxes", brush_box, brush_boxes, BRUSHES),
    MEMBER(brush_box, origin) MEMBER(brush_box, num_kept) MEMBER(brush_box, num_planes)
    MEMBER(brush_box, index) MEMBER(brush_box, extents) MEMBER(brush_box, first_plane))
VALUES(uint32_t, brush_plane,
    ARRAY(BRUSH_PLANES, "brush planes", brush_plane, brush_planes, BRUSHES),
    MEMBER(brush_plane, value))
STRUCT(bsp_side_property, side_property,
    ARRAY(SIDE_PROPERTIES, "side properties", side_property, side_properties, BRUSHES),
    MEMBER_OR_NONE(side_property, material) MEMBER(side_property, flags))

// --- other members of the map --------------------------------------------------------------------

NAMES(STATIC_PROP_MODELS, "static prop models", static_prop_models, PROPS)
NAMES(DETAIL_MODELS, "detail models", detail_models, PROPS)
VIEW(LIGHTING, "light bytes", light, LIGHT)
VIEW(LIGHTING_HDR, "HDR light bytes", light_hdr, LIGHT)
VIEW(LIGHTING_RTL, "real-time light bytes", light_rtl, LIGHT)
VIEW(DISP_SAMPLE_POSITIONS, "disp sample positions", disp_samples, SURFACES)
VIEW(PAK, "pak bytes", pak, PROPS)
VIEW(PHYS_COLLIDE, "phys collide", physics, PROPS)

// --- tables without an array ---------------------------------------------------------------------

TABLE(NONE, "records") TABLE(ENTITIES, "entities") TABLE(VISIBILITY, "visibility bytes")
TABLE(POP, "pop bytes") TABLE(ADVERTISEMENTS, "advertisements") TABLE(PORTALS, "portals")
TABLE(PORTAL_VERTS, "portal verts") TABLE(PHYS_DISP, "phys disp")
TABLE(DISP_LIGHTMAP_ALPHAS, "disp lightmap alphas") TABLE(GAME_LUMP, "game lump")
TABLE(STRING_DATA, "string bytes") TABLE(STRING_TABLE, "strings")
TABLE(MACRO_TEXTURES, "macro textures") TABLE(PROP_BLOB, "prop blob") TABLE(XZIP, "xzip")
TABLE(MAP_FLAGS, "map flags")
TABLE(PHYS_LEVEL, "phys level")
TABLE(LIGHTMAP_PAGES, "lightmap pages") TABLE(LIGHTMAP_PAGE_INFOS, "lightmap page infos")
TABLE(PROP_HULLS, "prop hulls") TABLE(PROP_HULL_VERTS, "prop hull verts")
TABLE(PROP_COLLISION, "prop collision") TABLE(PROP_TRIS, "prop tris")
TABLE(TERRAIN, "terrain patches") TABLE(TERRAIN_INDICES, "terrain indices")
TABLE(STATIC_MODELS, "static models") TABLE(STATIC_MODEL_INDICES, "static model indices")
TABLE(MESH_BOUNDS, "mesh bounds") TABLE(GEO_SET_BOUNDS, "geo set bounds")
TABLE(GEO_PART_BOUNDS, "collision primitive bounds")
TABLE(STATIC_PROP_EXTRAS, "static prop extras") TABLE(PORTAL_EDGES, "portal edges")
TABLE(PORTAL_VERT_REFS, "portal vert refs") TABLE(PORTAL_EDGE_REFS, "portal edge refs")
TABLE(PORTAL_VERT_EDGES, "portal vert edges") TABLE(PORTAL_EDGE_SETS, "portal edge sets")
TABLE(PORTAL_VERT_SETS, "portal vert sets") TABLE(PORTAL_SET_RANGES, "portal set ranges")
TABLE(CELL_NODES, "cell nodes") TABLE(CELLS, "cells") TABLE(CELL_AABB_NODES, "cell aabb nodes")
TABLE(OBJ_REFS, "obj refs") TABLE(OBJ_REF_BOUNDS, "obj ref bounds")
TABLE(CSM_AABB_NODES, "csm aabb nodes") TABLE(CSM_OBJ_REFS, "csm obj refs")
TABLE(OCCLUSION_VERTS, "occlusion verts") TABLE(OCCLUSION_INDICES, "occlusion indices")
TABLE(LEVEL_INFO, "level info") TABLE(ENTITY_PARTITIONS, "entity partition bytes")
TABLE(TRICOLL_TRIS, "tricoll tris") TABLE(TRICOLL_NODES, "tricoll nodes")
TABLE(TRICOLL_HEADERS, "tricoll headers") TABLE(TRICOLL_BEVEL_STARTS, "tricoll bevel starts")
TABLE(TRICOLL_BEVELS, "tricoll bevels") TABLE(WORLD_LIGHT_PARENTS, "world light parents")
TABLE(LIGHT_PROBES, "light probes") TABLE(LIGHT_PROBE_REFS, "light probe refs")
TABLE(LIGHT_PROBE_TREE, "light probe tree") TABLE(LIGHT_PROBE_PARENTS, "light probe parents")
TABLE(LIGHT_PROBE_NODES, "light probe nodes") TABLE(PROP_LIGHT_PROBES, "prop light probes")
TABLE(SHADOW_ENVIRONMENTS, "shadow environments") TABLE(SHADOW_MESHES, "shadow meshes")
TABLE(SHADOW_INDICES, "shadow indices") TABLE(SHADOW_OPAQUE_VERTS, "shadow opaque verts")
TABLE(SHADOW_ALPHA_VERTS, "shadow alpha verts") TABLE(LIGHTMAP_LIGHTS, "lightmap lights")
TABLE(CONTENTS_MASKS, "contents masks") TABLE(BVH_NODES, "bvh nodes")
TABLE(BVH_LEAVES, "bvh leaves") TABLE(PACKED_VERTS, "packed verts")
TABLE(HEIGHT_FIELDS, "height fields") TABLE(HEIGHT_SAMPLES, "height samples")
TABLE(AMBIENT_RCP, "ambient rcp") TABLE(CSM_UNKNOWN, "csm unknown")
TABLE(CELL_UNKNOWN, "cell unknown") TABLE(WATER_BODIES, "water bodies")
TABLE(WATER_CENTERS, "water centers") TABLE(WATER_VERTS, "water verts")
TABLE(WATER_INDICES, "water indices") TABLE(SURFACE_PROPERTIES, "surface properties")
TABLE(UNUSED, "unused")

// --- what is no member of the map ----------------------------------------------------------------

FACT(head, version) FACT(head, revision) FACT(head, checksum) FACT(head, last_lump)
FACT(entry, offset) FACT(entry, size) FACT(entry, version) FACT(entry, fourcc) FACT(entry, packed)
FACT(game, id) FACT(game, flags) FACT(game, version) FACT(game, offset) FACT(game, size)
FACT(texinfo, name) FACT(material, name) FACT(material, string) FACT(material, name_offset)
FACT(prop_model, name) FACT(detail_model, name)

#undef STRUCT
#undef VALUES
#undef ARRAY
#undef ALSO
#undef MEMBER
#undef MEMBER_OR_NONE
#undef ELEMENT
#undef ELEMENT_OR_NONE
#undef NAMES
#undef VIEW
#undef TABLE
#undef FACT
#undef DISP_EDGE
#undef DISP_CORNER
    // clang-format on
