// SPDX-License-Identifier: MIT
// The manifest of what a field can become: X(structure, member) for each member of the map's
// structures that some branch stores, I(structure, member) for an index that is "none" where a
// branch does not store it. The tables name these; the map floor turns the same list into offsets
// and types, so a table can name nothing that the map does not have. Members of one structure
// stand together.
#ifndef BSPI_FORMATS_MAP_MEMBERS_H
#define BSPI_FORMATS_MAP_MEMBERS_H

// clang-format off
#define BSPI_MAP_MEMBERS(X, I) \
    X(plane, normal) X(plane, dist) X(plane, type) \
    X(vertex, point) \
    X(edge, v) \
    X(surfedge, value) \
    X(texinfo, texture) X(texinfo, light) X(texinfo, flags) I(texinfo, material) \
    X(texinfo, value) I(texinfo, next) \
    X(material, flags) X(material, contents) X(material, width) X(material, height) \
    X(material, view_width) X(material, view_height) X(material, reflectivity) X(material, shift) \
    X(face, type) I(face, plane) X(face, flipped) X(face, first_edge) X(face, num_edges) \
    I(face, texinfo) I(face, material) I(face, displacement) I(face, original) \
    X(face, first_prim) X(face, num_prims) X(face, no_dynamic_shadows) X(face, smoothing) \
    X(face, on_node) X(face, fog_volume) X(face, area) I(face, fog) X(face, first_vert) \
    X(face, num_verts) X(face, first_index) X(face, num_indices) X(face, patch_width) \
    X(face, patch_height) X(face, num_triangles) I(face, sort) X(face, flags) \
    X(face_light, styles) I(face_light, offset) X(face_light, mins) X(face_light, size) \
    X(face_light, page) X(face_light, x) X(face_light, y) X(face_light, origin) \
    X(face_light, vecs) X(face_light, vertex_styles) \
    I(node, plane) X(node, children) X(node, mins) X(node, maxs) X(node, first_face) \
    X(node, num_faces) X(node, area) \
    X(leaf, contents) I(leaf, cluster) X(leaf, area) X(leaf, flags) X(leaf, mins) X(leaf, maxs) \
    X(leaf, first_face) X(leaf, num_faces) X(leaf, first_brush) X(leaf, num_brushes) \
    I(leaf, water) I(leaf, vis_offset) X(leaf, ambient) X(leaf, cube) \
    I(leaf_face, value) \
    I(leaf_brush, value) \
    I(clipnode, plane) X(clipnode, children) \
    X(model, mins) X(model, maxs) X(model, origin) X(model, headnodes) X(model, vis_leaves) \
    X(model, first_face) X(model, num_faces) X(model, first_brush) X(model, num_brushes) \
    X(brush, first_side) X(brush, num_sides) X(brush, contents) I(brush, material) \
    I(brush_side, plane) I(brush_side, texinfo) I(brush_side, material) \
    I(brush_side, displacement) X(brush_side, bevel) X(brush_side, thin) I(brush_side, face) \
    X(area, num_portals) X(area, first_portal) \
    X(area_portal, key) X(area_portal, other_area) X(area_portal, first_vert) \
    X(area_portal, num_verts) I(area_portal, plane) \
    X(draw_vert, point) X(draw_vert, uv) X(draw_vert, light_uv) X(draw_vert, normal) \
    X(draw_vert, color) \
    I(draw_index, value) \
    X(fog, name) I(fog, brush) X(fog, visible_side) \
    X(light_cell, ambient) X(light_cell, directed) X(light_cell, styles) \
    X(light_cell, direction) \
    X(light_array, value) \
    X(world_light, origin) X(world_light, intensity) X(world_light, normal) \
    X(world_light, shadow_cast_offset) I(world_light, cluster) X(world_light, type) \
    X(world_light, style) X(world_light, stopdot) X(world_light, stopdot2) \
    X(world_light, exponent) X(world_light, radius) X(world_light, constant_attn) \
    X(world_light, linear_attn) X(world_light, quadratic_attn) X(world_light, flags) \
    I(world_light, texinfo) X(world_light, owner) \
    X(displacement, start) X(displacement, first_vert) X(displacement, first_tri) \
    X(displacement, power) X(displacement, flags) X(displacement, smoothing_angle) \
    X(displacement, contents) I(displacement, face) X(displacement, alpha_start) \
    X(displacement, sample_start) X(displacement, allowed_verts) \
    X(disp_vert, vec) X(disp_vert, dist) X(disp_vert, alpha) \
    X(disp_tri, value) \
    X(overlay, id) I(overlay, texinfo) X(overlay, num_faces) X(overlay, render_order) \
    X(overlay, faces) X(overlay, u) X(overlay, v) X(overlay, uv_points) X(overlay, origin) \
    X(overlay, normal) \
    X(overlay_fade, min_sq) X(overlay_fade, max_sq) \
    X(cubemap, origin) X(cubemap, size) \
    X(leaf_water, surface_z) X(leaf_water, min_z) I(leaf_water, texinfo) \
    X(leaf_water_dist, value) \
    X(primitive, type) X(primitive, first_index) X(primitive, num_indices) \
    X(primitive, first_vert) X(primitive, num_verts) \
    X(prim_index, value) \
    X(vert_normal_index, value) \
    X(ambient_index, count) X(ambient_index, first) \
    X(ambient_sample, cube) X(ambient_sample, place) \
    X(occluder, flags) X(occluder, first_poly) X(occluder, num_polys) X(occluder, mins) \
    X(occluder, maxs) X(occluder, area) \
    X(occluder_poly, first_index) X(occluder_poly, num_indices) I(occluder_poly, plane) \
    X(occluder_index, value) \
    X(face_id, value) \
    I(prop_leaf, value) \
    X(static_prop, origin) X(static_prop, angles) I(static_prop, model) \
    X(static_prop, first_leaf) X(static_prop, num_leaves) X(static_prop, solid) \
    X(static_prop, flags) X(static_prop, flags_ex) X(static_prop, skin) X(static_prop, fade_min) \
    X(static_prop, fade_max) X(static_prop, lighting_origin) X(static_prop, forced_fade_scale) \
    X(static_prop, dx_levels) X(static_prop, cpu_gpu) X(static_prop, color) \
    X(static_prop, lightmap_size) X(static_prop, disable_x360) X(static_prop, scale) \
    X(detail_sprite, upper_left) X(detail_sprite, lower_right) X(detail_sprite, tex_upper_left) \
    X(detail_sprite, tex_lower_right) \
    X(detail_prop, origin) X(detail_prop, angles) I(detail_prop, model) I(detail_prop, leaf) \
    X(detail_prop, light) X(detail_prop, first_style) X(detail_prop, num_styles) \
    X(detail_prop, sway) X(detail_prop, shape_angle) X(detail_prop, shape_size) \
    X(detail_prop, orientation) X(detail_prop, type) X(detail_prop, scale) \
    I(indexed_vert, vertex) I(indexed_vert, normal) X(indexed_vert, uv) \
    X(indexed_vert, light_uv) X(indexed_vert, color) \
    I(material_sort, material) I(material_sort, light_page) I(material_sort, cubemap) \
    X(material_sort, first_vert) \
    X(light_header, type) X(light_header, width) X(light_header, height) \
    X(grid, scale) X(grid, offset) X(grid, count) X(grid, num_groups) X(grid, first_plane) \
    X(grid_cell, first_set) X(grid_cell, num_sets) \
    X(geo_set, group) X(geo_set, num_parts) X(geo_set, contents) X(geo_set, index) \
    X(geo_set, type) \
    I(geo_part, contents) X(geo_part, index) X(geo_part, type) \
    X(unique_contents, value) \
    X(brush_box, origin) X(brush_box, num_kept) X(brush_box, num_planes) X(brush_box, index) \
    X(brush_box, extents) X(brush_box, first_plane) \
    X(brush_plane, value) \
    I(side_property, material) X(side_property, flags)

// What a field can become besides: facts of the directories, and names, which are views into the
// file and not copied into a structure.
#define BSPI_OTHER_MEMBERS(X) \
    X(head, version) X(head, revision) X(head, checksum) X(head, last_lump) \
    X(entry, offset) X(entry, size) X(entry, version) X(entry, fourcc) X(entry, packed) \
    X(game, id) X(game, flags) X(game, version) X(game, offset) X(game, size) \
    X(texinfo, name) \
    X(material, name) X(material, string) X(material, name_offset) \
    X(prop_model, name) \
    X(detail_model, name)
// clang-format on

enum {
    BSPI_MEMBER_NONE,
#define BSPI_MEMBER_ENUM(structure, member) BSPI_MEMBER_##structure##_##member,
    BSPI_MAP_MEMBERS(BSPI_MEMBER_ENUM, BSPI_MEMBER_ENUM) BSPI_OTHER_MEMBERS(BSPI_MEMBER_ENUM)
#undef BSPI_MEMBER_ENUM
        BSPI_MEMBER_COUNT,
    /// The neighbours of a displacement are matrices: each of their cells is a feed of its own.
    /// Edge e, sub-neighbour s, member m (see bsp_disp_edge): EDGE + (e * 2 + s) * 4 + m.
    BSPI_MEMBER_DISP_EDGE = BSPI_MEMBER_COUNT,
    /// Corner c: four neighbours together, CORNER + c; their count CORNER_COUNT + c.
    BSPI_MEMBER_DISP_CORNER = BSPI_MEMBER_DISP_EDGE + 32,
    BSPI_MEMBER_DISP_CORNER_COUNT = BSPI_MEMBER_DISP_CORNER + 4,
    /// The elements of face_light.size, which Quake 3 stores apart.
    BSPI_MEMBER_LIGHT_WIDTH = BSPI_MEMBER_DISP_CORNER_COUNT + 4,
    BSPI_MEMBER_LIGHT_HEIGHT,
    /// The same for ambient_sample.place.
    BSPI_MEMBER_AMBIENT_X,
    BSPI_MEMBER_AMBIENT_Y,
    BSPI_MEMBER_AMBIENT_Z,
    /// And for static_prop: dx_levels, cpu_gpu, lightmap_size.
    BSPI_MEMBER_PROP_MIN_DX,
    BSPI_MEMBER_PROP_MAX_DX,
    BSPI_MEMBER_PROP_MIN_CPU,
    BSPI_MEMBER_PROP_MAX_CPU,
    BSPI_MEMBER_PROP_MIN_GPU,
    BSPI_MEMBER_PROP_MAX_GPU,
    BSPI_MEMBER_PROP_LIGHTMAP_WIDTH,
    BSPI_MEMBER_PROP_LIGHTMAP_HEIGHT,
    BSPI_MEMBER_END
};

#endif
