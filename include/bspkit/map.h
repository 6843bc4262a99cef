// SPDX-License-Identifier: MIT
/// @file map.h
/// The map: what a file means, the same for every branch. Plain data, in the widest types; one
/// call loads it, one frees it. Game units, z up, right-handed, as in the file.
///
/// Every index in a loaded map is either valid or BSP_NONE, every run of records lies inside its
/// array (a run of none may begin anywhere), and every tree is free of cycles: code above may trust
/// them. Where only some parts are loaded (bsp_map_options.parts, bsp_map.loaded) this holds for
/// the arrays of those parts: an index into an array that was left out keeps the file's value.
#ifndef BSPKIT_MAP_H
#define BSPKIT_MAP_H

#include "bspkit/entities.h"
#include "bspkit/pak.h"
#include "bspkit/parts.h"
#include "bspkit/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A plane: the points p with normal . p = dist.
typedef struct bsp_plane {
    float normal[3]; ///< unit length
    float dist;      ///< game units from the origin along the normal
    int32_t type; ///< 0..2: normal along +X, +Y, +Z; 3..5: nearest to that axis. Quake 3: computed
} bsp_plane;

/// A corner of faces, in game units.
typedef struct bsp_vertex {
    float point[3]; ///< x, y, z; z is up
} bsp_vertex;

/// An edge between two vertices, which two faces may share, each in its own direction.
typedef struct bsp_edge {
    uint32_t v[2]; ///< vertices
} bsp_edge;

/// How a texture, and light, lie on a face: s = xyz . vec[0] + vec[3], in texels and luxels.
typedef struct bsp_texinfo {
    float texture[2][4]; ///< S and T
    float light[2][4];   ///< Source only; elsewhere a luxel is so many texels (bsp_traits.luxel)
    uint32_t flags;      ///< surface flags, the branch's own
    uint32_t material;   ///< index of a material, or BSP_NONE
    int32_t value;       ///< Quake 2: light intensity and the like
    uint32_t next;       ///< Quake 2: texinfo of the next frame of an animation, or BSP_NONE
} bsp_texinfo;

/// A material: what a face is made of.
typedef struct bsp_material {
    bsp_text name;         ///< as in the file; may be empty
    uint32_t flags;        ///< Quake 3: surface flags
    uint32_t contents;     ///< Quake 3: contents flags
    uint32_t width;        ///< texels; 0 if the file does not say
    uint32_t height;       ///< the same
    uint32_t view_width;   ///< Source: the same again in every known file
    uint32_t view_height;  ///< the same
    float reflectivity[3]; ///< Source: average colour, 0..1
    uint32_t shift;        ///< Quake 64: the texture is drawn 2 * shift times as large; 0: as it is
    bsp_bytes mips[4];     ///< Quake, GoldSrc: embedded 8-bit pixels, else empty
    bsp_bytes palette;     ///< GoldSrc: 256 RGB triples after the pixels, else empty
} bsp_material;

/// Returns how many times as large as its pixels a texture is drawn: 1 in all games but Quake 64.
BSP_API uint32_t bsp_material_scale(const bsp_material *material);

/// The shape of a face.
typedef enum bsp_face_type {
    BSP_FACE_NONE = 0,      ///< not drawn
    BSP_FACE_POLYGON = 1,   ///< a convex polygon
    BSP_FACE_PATCH = 2,     ///< Quake 3: biquadratic patches
    BSP_FACE_MESH = 3,      ///< Quake 3: triangles
    BSP_FACE_BILLBOARD = 4, ///< Quake 3: a flare
    BSP_FACE_FOLIAGE = 5    ///< Enemy Territory
} bsp_face_type;

/// A surface. Polygons of all families but Quake 3 are runs of surfedges; Quake 3 has vertices.
typedef struct bsp_face {
    uint32_t type;  ///< a bsp_face_type
    uint32_t plane; ///< BSP_NONE in Quake 3
    /// 1 if the face looks against its plane's normal. Source: the plane faces outwards as it is,
    /// and this is only whether its index is odd.
    uint32_t flipped;
    uint32_t first_edge;         ///< run of surfedges
    uint32_t num_edges;          ///< one for each corner
    uint32_t texinfo;            ///< BSP_NONE in Quake 3
    uint32_t material;           ///< Quake 3; else by way of texinfo
    uint32_t displacement;       ///< Source: its displacement, or BSP_NONE
    uint32_t original;           ///< Source: face before the tree cut it
    uint32_t first_prim;         ///< Source: run of primitives
    uint32_t num_prims;          ///< 0: drawn as a fan of its corners
    uint32_t no_dynamic_shadows; ///< Source: 1 if dynamic shadows do not fall on it
    uint32_t smoothing;          ///< Source: smoothing groups, bits
    uint32_t on_node;            ///< Source: 1 if it lies on the plane of a node, 0 within a leaf
    int32_t fog_volume;          ///< Source: leaf water record whose surface it is, or -1
    float area;                  ///< Source: square units
    uint32_t fog;                ///< Quake 3
    uint32_t first_vert;         ///< Quake 3: run of draw vertices
    uint32_t num_verts;          ///< of draw_verts
    uint32_t first_index;        ///< Quake 3: run of draw indices, relative to first_vert
    uint32_t num_indices;        ///< three for each triangle; of patches the file may have none
    uint32_t patch_width;        ///< Quake 3: control points across
    uint32_t patch_height;       ///< and down
    uint32_t num_triangles;      ///< Respawn: a third of num_indices
    uint32_t sort;               ///< Respawn: its material sort, or BSP_NONE
    uint32_t flags;              ///< Respawn: as those of its material
} bsp_face;

/// In the place of a light style: none.
#define BSP_NO_STYLE 255

/// The light of the face of the same index.
typedef struct bsp_face_light {
    uint8_t styles[4];        ///< light styles, or BSP_NO_STYLE
    uint32_t offset;          ///< byte offset of the first style's luxels, or BSP_NONE
    int32_t mins[2];          ///< luxel coordinates of the first luxel
    int32_t size[2];          ///< luxels across and down; 0: no light
    int32_t page[4];          ///< Quake 3: page for each style; negative: none
    int32_t x[4];             ///< Quake 3: corner on the page
    int32_t y[4];             ///< the same
    float origin[3];          ///< Quake 3: world place of the first luxel
    float vecs[3][3];         ///< Quake 3: world steps, and the normal (patches: bounds)
    uint8_t vertex_styles[4]; ///< RBSP: styles of the vertices' colours, or BSP_NO_STYLE
} bsp_face_light;

/// A node of the tree: it divides space by a plane. Node 0 is the root of the world.
typedef struct bsp_node {
    uint32_t plane;      ///< that divides its space; children[0] is in front of it
    int32_t children[2]; ///< front, back: node index, or -1 minus a leaf index
    float mins[3];       ///< bounds of what lies below it, game units
    float maxs[3];       ///< the same
    uint32_t first_face; ///< run of faces on the node's plane
    uint32_t num_faces;  ///< 0 in Quake 3
    int32_t area;        ///< Source: the area of all leaves below, or -1
} bsp_node;

/// A leaf of the tree: a convex piece of space. In most families leaf 0 is the solid one that all
/// solid space shares.
typedef struct bsp_leaf {
    int32_t contents; ///< bits, or Quake's negative number (bsp_traits.contents_numbers)
    /// BSP_NONE: sees nothing. Quake, GoldSrc: leaf index less one. Without visibility data there
    /// are no clusters: then a number as the file has it.
    uint32_t cluster;
    uint32_t area;        ///< number among the areas; Quake 3 numbers them, and lists none
    uint32_t flags;       ///< Source
    float mins[3];        ///< bounds, game units
    float maxs[3];        ///< the same
    uint32_t first_face;  ///< run of leaf_faces
    uint32_t num_faces;   ///< a face may be in several leaves
    uint32_t first_brush; ///< run of leaf_brushes
    uint32_t num_brushes; ///< 0 in Quake and GoldSrc
    uint32_t water;       ///< Source: leaf water record, or BSP_NONE
    uint32_t vis_offset;  ///< Quake, GoldSrc: byte offset of the row, or BSP_NONE
    uint8_t ambient[4];   ///< Quake, GoldSrc: sound levels of water, sky, slime, lava
    uint8_t cube[24];     ///< Source before 20: ambient cube, six RGBExp32
} bsp_leaf;

/// Quake, GoldSrc: a node of a clip hull's tree.
typedef struct bsp_clipnode {
    uint32_t plane;      ///< as that of a node
    int32_t children[2]; ///< clipnode index, or a negative content
} bsp_clipnode;

/// Most hulls of a model (Hexen II has 8, Quake and GoldSrc 4).
#define BSP_MAX_HULLS 8

/// A model: model 0 is the world, the others belong to entities ("model" "*1").
typedef struct bsp_model {
    float mins[3];   ///< bounds in its own space, game units
    float maxs[3];   ///< the same
    float origin[3]; ///< as the file has it: most often 0
    /// Root of the tree of each hull: [0] node index or -1 minus a leaf, the others clipnode index
    /// or a negative content. Quake 3 has none but the world's (0).
    int32_t headnodes[BSP_MAX_HULLS];
    uint32_t vis_leaves;  ///< Quake, GoldSrc: leaves that have a row, leaf 0 not counted
    uint32_t first_face;  ///< run of faces
    uint32_t num_faces;   ///< those of its whole surface
    uint32_t first_brush; ///< Quake 3: run of brushes
    uint32_t num_brushes; ///< 0 in the other families
} bsp_model;

/// A convex solid: the space behind all its sides.
typedef struct bsp_brush {
    uint32_t first_side; ///< run of brush_sides
    uint32_t num_sides;  ///< with bevels
    int32_t contents;    ///< bits; Quake 3: those of its material
    uint32_t material;   ///< Quake 3
} bsp_brush;

/// A side of a brush: its plane looks out of the brush.
typedef struct bsp_brush_side {
    uint32_t plane;        ///< its normal looks out of the brush
    uint32_t texinfo;      ///< BSP_NONE: none
    uint32_t material;     ///< Quake 3
    uint32_t displacement; ///< Source: index, or BSP_NONE
    uint32_t bevel;        ///< 1: only the compiler needs it, for boxes
    uint32_t thin;         ///< Source 21 and later: 1 on thin brushes
    uint32_t face;         ///< RBSP: draw surface, or BSP_NONE
    uint32_t flags;        ///< Respawn: as in bsp_side_property
} bsp_brush_side;

/// Quake 2, Source: a part of the world that area portals close off. Area 0 is not used.
typedef struct bsp_area {
    uint32_t num_portals;  ///< in one direction: each opening stands in both areas
    uint32_t first_portal; ///< run of area_portals
} bsp_area;

/// Quake 2, Source: one direction through an area portal.
typedef struct bsp_area_portal {
    uint32_t key;        ///< the number that the portal's entity names
    uint32_t other_area; ///< the area on the far side
    uint32_t first_vert; ///< Source: run of clip portal vertices
    uint32_t num_verts;  ///< corners of the opening
    uint32_t plane;      ///< Source
} bsp_area_portal;

/// Source up to version 18 (later versions have the name of the lump only): an opening between two
/// clusters.
typedef struct bsp_vis_portal {
    uint32_t first_vert;  ///< run of portal_verts: its corners, in order
    uint32_t num_verts;   ///< one for each corner
    uint32_t plane;       ///< that it lies in, or BSP_NONE
    uint32_t clusters[2]; ///< those on its sides, as the file has them
} bsp_vis_portal;

/// Source up to version 18: the openings of a cluster, by its number.
typedef struct bsp_vis_cluster {
    uint32_t first_portal; ///< run of cluster_portals
    uint32_t num_portals;  ///< openings on its border
} bsp_vis_cluster;

/// Quake 3: a vertex to draw.
typedef struct bsp_draw_vert {
    float point[3];       ///< game units
    float uv[2];          ///< repeats of the texture
    float light_uv[4][2]; ///< one for each light style; Quake 3 has one
    float normal[3];      ///< unit length
    uint8_t color[4][4];  ///< RGBA for each light style
} bsp_draw_vert;

/// Quake 3: a fog volume.
typedef struct bsp_fog {
    char name[64];        ///< shader; not NUL-terminated when it fills the field
    uint32_t brush;       ///< or BSP_NONE: the whole map
    int32_t visible_side; ///< side that the fog is seen from, or -1
} bsp_fog;

/// Quake 3: a cell of the light grid.
typedef struct bsp_light_cell {
    /// RGB for each light style: from all sides, and from one direction.
    uint8_t ambient[4][3];
    uint8_t directed[4][3];
    uint8_t styles[4];    ///< or BSP_NO_STYLE
    uint8_t direction[2]; ///< 2 pi / 256: angle from +Z, azimuth
} bsp_light_cell;

/// Source: a light that the light compiler used.
typedef struct bsp_world_light {
    float origin[3];             ///< game units
    float intensity[3];          ///< linear RGB
    float normal[3];             ///< the way it shines: surfaces, spots, the sun; unit length
    float shadow_cast_offset[3]; ///< later versions; game units
    uint32_t cluster;            ///< that it stands in
    uint32_t type;               ///< 0 surface, 1 point, 2 spot, 3 sky, 4 quake, 5 sky ambient
    int32_t style;               ///< light style
    /// Spot lights: cosines of the inner and outer cone, and the exponent between them.
    float stopdot;
    float stopdot2;
    float exponent;
    float radius; ///< game units; 0: no end
    /// Light at distance d is divided by constant + linear * d + quadratic * d * d.
    float constant_attn;
    float linear_attn;
    float quadratic_attn;
    /// As the light compiler left them: flags, texinfo of a surface light, entity that owns it.
    uint32_t flags;
    uint32_t texinfo;
    uint32_t owner;
} bsp_world_light;

/// Source: one of the two neighbours that may share an edge of a displacement.
typedef struct bsp_disp_edge {
    uint32_t neighbor;      ///< displacement, or BSP_NONE
    uint32_t orientation;   ///< quarter turns against the clock
    uint32_t span;          ///< 0 whole edge, 1 first half, 2 second half
    uint32_t neighbor_span; ///< the same, on the neighbour's edge
} bsp_disp_edge;

/// Source: a displacement surface: a grid of (2^power + 1)^2 vertices over a face of four edges.
typedef struct bsp_displacement {
    float start[3];                   ///< names the corner of the face where the grid begins
    uint32_t first_vert;              ///< run of disp_verts, by rows
    uint32_t first_tri;               ///< run of disp_tris: two for each square of the grid
    uint32_t power;                   ///< 2..4
    uint32_t flags;                   ///< minTess; with the top bit set the low bits are flags
    float smoothing_angle;            ///< degrees
    int32_t contents;                 ///< flags that traces compare
    uint32_t face;                    ///< over which it lies
    uint32_t alpha_start;             ///< first luxel of its blend lump
    uint32_t sample_start;            ///< byte offset of its light sample places
    uint32_t edge_neighbors[4][2][4]; ///< left, top, right, bottom; two each; as bsp_disp_edge
    uint32_t corner_neighbors[4][4];  ///< displacements, or BSP_NONE
    uint32_t num_corner_neighbors[4]; ///< how many of `corner_neighbors` count
    uint32_t allowed_verts[10];       ///< bits, lowest first
} bsp_displacement;

/// Source: a vertex of a displacement: the flat grid's point is moved by vec * dist.
typedef struct bsp_disp_vert {
    float vec[3]; ///< direction of the offset
    float dist;   ///< its length
    float alpha;  ///< 0..255, blends two textures
} bsp_disp_vert;

/// Source: how four textures are mixed at a vertex of a displacement with multiblend.
typedef struct bsp_disp_blend {
    float share[4]; ///< of each texture, 0..1, as the editor has it; the first is not used
} bsp_disp_blend;

/// Most faces that an overlay lies on.
#define BSP_OVERLAY_FACES 256

/// Source: a decal that is part of the map.
typedef struct bsp_overlay {
    int32_t id;                        ///< as its entity had it
    uint32_t texinfo;                  ///< its material
    uint32_t num_faces;                ///< at most BSP_OVERLAY_FACES
    uint32_t render_order;             ///< 0..3; higher lies on top
    uint32_t faces[BSP_OVERLAY_FACES]; ///< the first num_faces count
    /// Coordinates of the texture at the corners; `uv_points` are the corners in the plane of the
    /// overlay, from its origin.
    float u[2];
    float v[2];
    float uv_points[4][3];
    float origin[3]; ///< game units
    float normal[3]; ///< out of its plane, unit length
} bsp_overlay;

/// Source: the distances at which the overlay of the same index fades out.
typedef struct bsp_overlay_fade {
    float min_sq; ///< squared distances
    float max_sq; ///< the same
} bsp_overlay_fade;

/// Source: the levels of the machine's processors at which the overlay of the same index is drawn.
typedef struct bsp_overlay_level {
    uint8_t cpu_gpu[4]; ///< min and max CPU, min and max GPU level; 0: any
} bsp_overlay_level;

/// Source: a place from which reflections were captured.
typedef struct bsp_cubemap {
    int32_t origin[3]; ///< game units
    uint32_t size;     ///< 0: default; n: 2^(n-1) texels
} bsp_cubemap;

/// Source: the water that leaves name.
typedef struct bsp_leaf_water {
    float surface_z;  ///< height of the surface
    float min_z;      ///< of the lowest water below it
    uint32_t texinfo; ///< of its surface
} bsp_leaf_water;

/// Source: triangles that a face is drawn by instead of a fan.
typedef struct bsp_primitive {
    uint32_t type;        ///< 0 triangle list, 1 triangle strip
    uint32_t first_index; ///< run of prim_indices
    uint32_t num_indices; ///< three for each triangle of a list
    uint32_t first_vert;  ///< run of prim_verts
    uint32_t num_verts;   ///< 0: the indices count the corners of the face
} bsp_primitive;

/// Source: the ambient samples of the leaf of the same index.
typedef struct bsp_ambient_index {
    uint32_t count; ///< 0: `first` may name the leaf whose samples count
    uint32_t first; ///< index of ambient_samples
} bsp_ambient_index;

/// Source: light from all sides at one place of a leaf.
typedef struct bsp_ambient_sample {
    uint8_t cube[24]; ///< six RGBExp32: +X, -X, +Y, -Y, +Z, -Z
    uint8_t place[3]; ///< fractions of the leaf's box, 0..255
} bsp_ambient_sample;

/// Source: what hides things from the eye (func_occluder): a run of polygons.
typedef struct bsp_occluder {
    uint32_t flags;      ///< 1: starts inactive
    uint32_t first_poly; ///< run of occluder_polys
    uint32_t num_polys;  ///< each hides what it covers, alone
    float mins[3];       ///< bounds, game units
    float maxs[3];       ///< the same
    uint32_t area;       ///< that it stands in
} bsp_occluder;

/// Source: a polygon of an occluder.
typedef struct bsp_occluder_poly {
    uint32_t first_index; ///< run of occluder_indices, which are vertices
    uint32_t num_indices; ///< one for each corner
    uint32_t plane;       ///< that it lies in
} bsp_occluder_poly;

/// Source: a model that the map compiler placed.
typedef struct bsp_static_prop {
    float origin[3];     ///< game units
    float angles[3];     ///< degrees: pitch, yaw, roll
    uint32_t model;      ///< index into static_prop_models
    uint32_t first_leaf; ///< run of static_prop_leaves
    uint32_t num_leaves; ///< all that it reaches into
    uint32_t solid;      ///< 0 no, 2 box, 6 physics
    /// The format's own flags, and those of later versions.
    uint32_t flags;
    uint32_t flags_ex;
    int32_t skin; ///< number of the model's skin
    /// Distances in game units between which the prop fades out.
    float fade_min;
    float fade_max;
    /// The point that the prop is lit at, and a factor of its fading.
    float lighting_origin[3];
    float forced_fade_scale;
    /// Least and most DirectX level at which it is drawn; 0: any.
    uint32_t dx_levels[2];
    uint8_t cpu_gpu[4];        ///< min and max CPU, min and max GPU level
    uint8_t color[4];          ///< RGBA
    uint32_t lightmap_size[2]; ///< luxels across and down, where it has a lightmap
    uint32_t disable_x360;     ///< 1: not drawn on that console
    float scale;               ///< 0 where the version has none: take it as 1
} bsp_static_prop;

/// Source: grass and the like.
typedef struct bsp_detail_prop {
    float origin[3];      ///< game units
    float angles[3];      ///< degrees: pitch, yaw, roll
    uint32_t model;       ///< index of a detail model, or sprite when type is not 0
    uint32_t leaf;        ///< that it stands in
    uint8_t light[4];     ///< RGBExp32
    uint32_t first_style; ///< run of detail_lights
    uint32_t num_styles;  ///< light styles besides that of `light`
    /// How the grass moves (0..255), its angle and size as the compiler stored them, and how it
    /// turns to the eye.
    uint32_t sway;
    uint32_t shape_angle;
    uint32_t shape_size;
    uint32_t orientation;
    uint32_t type; ///< 0 model, 1 sprite, 2 cross, 3 triangle
    float scale;   ///< factor of a sprite's size
} bsp_detail_prop;

/// Source: the light of one style on a detail prop, which is added to that of the prop itself.
typedef struct bsp_detail_light {
    uint8_t light[4]; ///< RGBExp32
    uint8_t style;    ///< number of the light style
} bsp_detail_light;

/// Source: the rectangle of a detail sprite, and its part of the sprite sheet.
typedef struct bsp_detail_sprite {
    /// Corners in game units about the prop's origin, then the coordinates on the sheet, 0..1.
    float upper_left[2];
    float lower_right[2];
    float tex_upper_left[2];
    float tex_lower_right[2];
} bsp_detail_sprite;

/// Respawn: a vertex of a mesh; it names its place and its normal.
typedef struct bsp_indexed_vert {
    uint32_t vertex;   ///< index of vertices, or BSP_NONE
    uint32_t normal;   ///< index of vert_normals, or BSP_NONE
    float uv[2];       ///< repeats of the texture
    float light_uv[2]; ///< 0..1 across the light page of the mesh's material sort
    uint8_t color[4];  ///< RGBA
} bsp_indexed_vert;

/// Respawn: what the meshes of one material have in common.
typedef struct bsp_material_sort {
    uint32_t material;   ///< index of materials
    uint32_t light_page; ///< index of light_headers, or BSP_NONE
    uint32_t cubemap;    ///< index of cubemaps, or BSP_NONE
    uint32_t first_vert; ///< what is added to the indices of its meshes
} bsp_material_sort;

/// Respawn: a light page. Its luxels are the next 8 * width * height bytes of the light: two
/// pictures of 32 bits a luxel.
typedef struct bsp_light_header {
    uint32_t type;   ///< as the file has it
    uint32_t width;  ///< luxels
    uint32_t height; ///< the same
} bsp_light_header;

/// Respawn: how the world is divided for collisions, by x and y only.
typedef struct bsp_grid {
    float scale;       ///< units across a cell
    int32_t offset[2]; ///< of the first cell, in cells
    int32_t count[2];  ///< cells along x and y
    int32_t num_groups;
    int32_t first_plane; ///< first plane that belongs to a brush
} bsp_grid;

/// Respawn: a cell of the grid, by columns; after those of the world there is one for each model.
typedef struct bsp_grid_cell {
    uint32_t first_set; ///< run of geo_sets
    uint32_t num_sets;  ///< what may be hit in it
} bsp_grid_cell;

/// What a set of collisions, or a part of it, is.
typedef enum bsp_geo_type {
    BSP_GEO_BRUSH = 0,        ///< a brush
    BSP_GEO_TRIANGLES = 0x40, ///< a triangle soup
    BSP_GEO_PROP = 0x60,      ///< a static prop
} bsp_geo_type;

/// Respawn: one thing that may be hit, or a run of geo_parts.
typedef struct bsp_geo_set {
    uint32_t group;     ///< not 0: it is in several cells, under the same number
    uint32_t num_parts; ///< 1: `contents` and `type` are those of the one thing, `index` its number
    uint32_t contents;  ///< index of unique_contents
    uint32_t index;     ///< else the first of its geo_parts
    uint32_t type;      ///< a bsp_geo_type
} bsp_geo_set;

/// Respawn: one thing that may be hit.
typedef struct bsp_geo_part {
    uint32_t contents; ///< index of unique_contents, or BSP_NONE
    uint32_t index;    ///< of a brush, a triangle soup or a static prop
    uint32_t type;     ///< a bsp_geo_type
} bsp_geo_part;

/// Respawn: a brush as the file has it: a box, and the planes that cut it.
typedef struct bsp_brush_box {
    float origin[3]; ///< its middle
    uint32_t num_kept;
    uint32_t num_planes;
    uint32_t index;       ///< six times this, and first_plane, is its first side property
    float extents[3];     ///< half its size
    uint32_t first_plane; ///< run of brush_planes
} bsp_brush_box;

/// Respawn: what a side of a brush looks like. The texinfo of the same index has its texture
/// vectors, where the file has any.
typedef struct bsp_side_property {
    uint32_t material; ///< or BSP_NONE
    uint32_t flags;    ///< 0x20 replaces another or is replaced, 0x40 lies against another brush
} bsp_side_property;

/// Which parts of a map to load; 0 means all.
typedef enum bsp_load_mask {
    BSP_LOAD_ENTITIES = 1, ///< bsp_map.entities
    BSP_LOAD_TREE = 2,     ///< planes, nodes, leaves, clipnodes, models, areas
    BSP_LOAD_SURFACES = 4, ///< faces and what they are drawn with
    BSP_LOAD_BRUSHES = 8,  ///< brushes and their sides
    BSP_LOAD_LIGHT = 16,   ///< luxels, light grid, ambient light
    BSP_LOAD_PROPS = 32,   ///< static and detail props, overlays, cubemaps
    BSP_LOAD_ALL = 63,     ///< the sum of those above
    /// No part: leaves the light grid of Quake 3 out of BSP_LOAD_LIGHT, which only models are lit
    /// by and which may be larger than all others.
    BSP_LOAD_NO_GRID = 64
} bsp_load_mask;

/// Visibility of clusters, whatever the branch.
typedef struct bsp_visibility {
    uint32_t num_clusters; ///< 0: the map has no visibility data; everything is visible
    uint32_t row_bytes;    ///< (num_clusters + 7) / 8, or what the file says (Quake 3)
    const uint32_t *pvs;   ///< byte offset of each cluster's row in `rows`, or BSP_NONE
    const uint32_t *phs;   ///< the same for hearing; NULL where the branch has none
    bsp_bytes rows;        ///< run-length rows, or plain ones when `packed` is false
    bool packed;           ///< rows are run-length packed (bsp_vis_unpack)
    /// The rows of `pvs` unpacked, one after another, with all bits set where there is none; NULL
    /// where together they are larger than 64 KiB, and where `rows` are not packed.
    const uint8_t *unpacked;
} bsp_visibility;

/// Counted array in a map.
#define BSP_ARRAY(type, name)                                                                      \
    const type *name;                                                                              \
    uint32_t num_##name

/// A loaded map. Everything is owned by the map; views into lumps are borrowed from the file,
/// which must outlive it.
///
/// An array that the family does not have, or that was not asked for, is empty. Records are
/// described at their types; an index in a record counts from the start of the array that it names,
/// and a "run" is a first index and a count.
typedef struct bsp_map {
    const bsp_branch *branch; ///< of the file
    const bsp_traits *traits; ///< those of the branch

    const bsp_entities *entities; ///< NULL when not asked for

    BSP_ARRAY(bsp_plane, planes);       ///< planes of nodes, faces and brush sides
    BSP_ARRAY(bsp_vertex, vertices);    ///< corners of faces; not Quake 3
    BSP_ARRAY(bsp_edge, edges);         ///< pairs of vertices; not Quake 3
    BSP_ARRAY(int32_t, surfedges);      ///< edge numbers; a negative one runs its edge backwards
    BSP_ARRAY(bsp_texinfo, texinfos);   ///< mappings; not Quake 3
    BSP_ARRAY(bsp_material, materials); ///< textures, shaders or texdatas
    BSP_ARRAY(bsp_face, faces);         ///< all surfaces that are drawn, by model
    BSP_ARRAY(bsp_face_light, face_lights);     ///< one for each face
    BSP_ARRAY(bsp_face_light, face_lights_hdr); ///< Source: the same for light_hdr; may be none
    BSP_ARRAY(bsp_face, original_faces);        ///< Source: faces before the tree cut them
    BSP_ARRAY(bsp_node, nodes);         ///< of the trees of all models; node 0 is the world's root
    BSP_ARRAY(bsp_leaf, leaves);        ///< of the trees of all models
    BSP_ARRAY(uint32_t, leaf_faces);    ///< runs of leaves: indices of faces
    BSP_ARRAY(uint32_t, leaf_brushes);  ///< runs of leaves: indices of brushes
    BSP_ARRAY(bsp_clipnode, clipnodes); ///< Quake, GoldSrc: of the hulls from 1 on
    BSP_ARRAY(bsp_model, models);       ///< model 0 is the world
    BSP_ARRAY(bsp_brush, brushes);      ///< Quake 2 and later
    BSP_ARRAY(bsp_brush_side, brush_sides);   ///< runs of brushes
    BSP_ARRAY(bsp_area, areas);               ///< Quake 2, Source; area 0 is not used
    BSP_ARRAY(bsp_area_portal, area_portals); ///< runs of areas
    BSP_ARRAY(bsp_vertex, clip_portal_verts); ///< Source: corners of the openings of area portals
    BSP_ARRAY(bsp_vis_portal, portals);       ///< Source: between clusters; may be none
    BSP_ARRAY(uint32_t, portal_verts);        ///< runs of portals: indices of vertices
    BSP_ARRAY(bsp_vis_cluster, clusters);     ///< Source: one for each cluster; may be none
    BSP_ARRAY(uint32_t, cluster_portals);     ///< runs of clusters: indices of portals

    BSP_ARRAY(bsp_draw_vert, draw_verts);  ///< Quake 3: runs of faces
    BSP_ARRAY(uint32_t, draw_indices);     ///< Quake 3: runs of faces, from their first vertex
    BSP_ARRAY(bsp_fog, fogs);              ///< Quake 3
    BSP_ARRAY(bsp_light_cell, light_grid); ///< Quake 3: cells; see bsp_light_grid_of
    BSP_ARRAY(uint16_t, light_array);      ///< RBSP: index of light_grid for each place of the grid

    BSP_ARRAY(bsp_world_light, world_lights);     ///< Source
    BSP_ARRAY(bsp_world_light, world_lights_hdr); ///< Source: those of the HDR light
    BSP_ARRAY(bsp_displacement, displacements);   ///< Source: of the faces that name them
    BSP_ARRAY(bsp_disp_vert, disp_verts);         ///< runs of displacements
    /// for each vertex of the displacements with multiblend, in the order of these
    BSP_ARRAY(bsp_disp_blend, disp_blends);
    BSP_ARRAY(uint16_t, disp_tris);               ///< runs of displacements: flags of each triangle
    BSP_ARRAY(bsp_overlay, overlays);             ///< Source
    BSP_ARRAY(bsp_overlay, water_overlays);       ///< Source: overlays that lie on water
    BSP_ARRAY(bsp_overlay_fade, overlay_fades);   ///< one for each overlay; may be none
    BSP_ARRAY(bsp_overlay_level, overlay_levels); ///< one for each overlay; may be none
    BSP_ARRAY(bsp_cubemap, cubemaps);             ///< Source
    BSP_ARRAY(bsp_leaf_water, leaf_waters);       ///< Source: of the leaves that name them
    BSP_ARRAY(uint32_t, leaf_water_dists);        ///< Source: one for each leaf; may be none
    BSP_ARRAY(bsp_primitive, primitives);         ///< Source: runs of faces
    BSP_ARRAY(bsp_vertex, prim_verts);            ///< runs of primitives
    BSP_ARRAY(uint32_t, prim_indices);            ///< runs of primitives
    BSP_ARRAY(bsp_vertex, vert_normals); ///< normals of the vertices of faces; Respawn: of meshes
    BSP_ARRAY(uint32_t, vert_normal_indices);           ///< Source: for each corner of each face
    BSP_ARRAY(bsp_ambient_index, ambient_index);        ///< Source: one for each leaf
    BSP_ARRAY(bsp_ambient_sample, ambient_samples);     ///< runs of ambient_index
    BSP_ARRAY(bsp_ambient_index, ambient_index_hdr);    ///< the same for the HDR light
    BSP_ARRAY(bsp_ambient_sample, ambient_samples_hdr); ///< runs of ambient_index_hdr
    BSP_ARRAY(bsp_occluder, occluders);                 ///< Source
    BSP_ARRAY(bsp_occluder_poly, occluder_polys);       ///< runs of occluders
    BSP_ARRAY(uint32_t, occluder_indices); ///< runs of occluder_polys: indices of vertices
    BSP_ARRAY(uint32_t, face_ids);         ///< Source: the editor's id of the side of each face

    BSP_ARRAY(bsp_text, static_prop_models);        ///< names of model files
    BSP_ARRAY(uint32_t, static_prop_leaves);        ///< runs of static props: indices of leaves
    BSP_ARRAY(bsp_static_prop, static_props);       ///< models that stand in the world
    BSP_ARRAY(bsp_text, detail_models);             ///< names of model files
    BSP_ARRAY(bsp_detail_sprite, detail_sprites);   ///< rectangles of sprites
    BSP_ARRAY(bsp_detail_prop, detail_props);       ///< grass and the like
    BSP_ARRAY(bsp_detail_light, detail_lights);     ///< runs of detail props
    BSP_ARRAY(bsp_detail_light, detail_lights_hdr); ///< the same for the HDR light

    // Respawn, as the file has it; faces, draw_verts, draw_indices, planes, brushes, brush_sides
    // and texinfos are made from these, as they are in the other families.
    BSP_ARRAY(bsp_indexed_vert, unlit_verts);       ///< of meshes without a lightmap
    BSP_ARRAY(bsp_indexed_vert, lit_flat_verts);    ///< of meshes with a lightmap
    BSP_ARRAY(bsp_indexed_vert, lit_bump_verts);    ///< of meshes with a lightmap and a normal map
    BSP_ARRAY(bsp_indexed_vert, unlit_ts_verts);    ///< of meshes without a lightmap, with tangents
    BSP_ARRAY(bsp_indexed_vert, blinn_phong_verts); ///< of no known mesh
    BSP_ARRAY(bsp_material_sort, material_sorts);   ///< of meshes of one material
    BSP_ARRAY(bsp_light_header, light_headers);     ///< sizes of the light pages
    BSP_ARRAY(bsp_grid, grids);                     ///< one, or none
    BSP_ARRAY(bsp_grid_cell, grid_cells);  ///< of the grid, by columns, then one for each model
    BSP_ARRAY(bsp_geo_set, geo_sets);      ///< runs of grid_cells
    BSP_ARRAY(bsp_geo_part, geo_parts);    ///< runs of geo_sets
    BSP_ARRAY(uint32_t, unique_contents);  ///< contents flags, each once
    BSP_ARRAY(bsp_brush_box, brush_boxes); ///< the last six times so many planes are theirs
    BSP_ARRAY(bsp_side_property, side_properties); ///< of the sides of brush_boxes
    BSP_ARRAY(uint32_t, brush_planes);             ///< entry n: plane grid.first_plane + n - value

    bsp_visibility visibility; ///< see bsp_map_visible
    bsp_bytes light;           ///< luxels in bsp_traits.light format
    bsp_bytes light_hdr;       ///< Source
    bsp_bytes light_rtl;       ///< Respawn: that of lights which are computed as the game runs
    bsp_bytes pak;             ///< Source: the embedded zip
    bsp_bytes physics;         ///< Source: collision models, in the byte order of the file
    bsp_bytes disp_samples;    ///< Source: places of displacements' luxels, see sample_start

    uint64_t file_size; ///< bytes of its file and those beside it: default limits grow with it
    bsp_budget *budget; ///< of what is made out of it; NULL: the default limits. Borrowed
    /// bsp_load_mask bits: what was loaded. 0 in a map that a program made itself: it is complete.
    uint32_t loaded;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_map;

/// How a map is loaded. All zero loads everything and repairs bad references.
typedef struct bsp_map_options {
    size_t size;    ///< of this struct in bytes, or 0: see BSP_OPTIONS
    uint32_t parts; ///< bsp_load_mask bits; 0 means all
    bool strict;    ///< fail at the first bad reference instead of repairing it
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the file's, or the defaults
    bsp_issues *issues; ///< receives what was repaired; may be NULL
} bsp_map_options;

/// Builds the map of an open file, which must outlive it. `options` may be NULL. NULL on failure.
BSP_API bsp_map *bsp_map_load(const bsp_file *file, const bsp_map_options *options,
                              bsp_error *error);
/// Frees a map and everything that is reached from it; the file stays open. NULL is allowed and
/// does nothing.
BSP_API void bsp_map_free(bsp_map *map);

/// Writes to `row` what a cluster sees (or hears, when `heard` is set and the map has a second
/// set), as bits: bit n % 8 of byte n / 8 is cluster n. `row` has bsp_visibility.row_bytes bytes
/// and belongs to the caller, who may keep it as a cache. All ones without data and for a cluster
/// out of range. Damaged rows end in zeros.
BSP_API void bsp_map_visible(const bsp_map *map, uint32_t cluster, bool heard, uint8_t *row);

/// Returns the vertex at which surfedge number `surfedge` of the map begins (a negative one runs
/// its edge backwards), or BSP_NONE if the edge names none.
BSP_API uint32_t bsp_surfedge_vertex(const bsp_map *map, uint32_t surfedge);
/// Returns the place of the vertex at which a surfedge begins, in game units, or NULL if there is
/// none. Borrowed from the map.
BSP_API const float *bsp_surfedge_point(const bsp_map *map, uint32_t surfedge);

/// Returns the brush model that an entity of a map, loaded with its tree, shows: the number after
/// the "*" of its "model", and 0 for worldspawn. Returns BSP_NONE if it shows none that the map
/// has.
BSP_API uint32_t bsp_entity_model(const bsp_map *map, const bsp_entity *entity);

/// Whether the brush model of an entity is drawn.
typedef enum bsp_presence {
    BSP_SEEN = 0,       ///< when the map begins
    BSP_SEEN_LATER = 1, ///< not before something shows it: a wall that begins switched off
    BSP_NEVER_SEEN = 2, ///< triggers, ladders and the like
} bsp_presence;

/// Where an entity stands, and how it is turned, when the map begins.
typedef struct bsp_placement {
    uint32_t model;        ///< its brush model, 0 for worldspawn; BSP_NONE: it shows none
    float origin[3];       ///< game units; 0 without one, and for worldspawn
    float angles[3];       ///< degrees: pitch (down is positive), yaw, roll; only what turns it
    float axes[3][3];      ///< unit vectors of the world: the entity's forward, left and up
    bool moved;            ///< it has an origin
    bool turned;           ///< `angles` are not all 0
    bsp_presence presence; ///< whether it is drawn
} bsp_placement;

/// Reads pitch, yaw and roll in degrees from "angles", or else from "angle", which is the yaw; -1
/// there is straight up, -2 straight down, as compilers read lights. 0 without them. What an entity
/// does in the game, bsp_entity_placement says.
BSP_API void bsp_entity_angles(const bsp_entity *entity, float angles[3]);

/// Computes the unit vectors forward, left and up of pitch (down is positive), yaw and roll in
/// degrees.
BSP_API void bsp_angle_axes(const float angles[3], float axes[3][3]);

/// Computes where an entity stands. Several entities may show one model, each in its own place.
/// Brush models are turned by "angles" (or "angle") as the game's own code does it: Quake turns
/// none, Quake 3 none when the map begins, in the others it depends on the class, for many of which
/// the key is the way that a door opens. Entities without a brush model are always turned.
BSP_API bsp_placement bsp_entity_placement(const bsp_map *map, const bsp_entity *entity);
/// Takes a direction of the entity's own space into the world's. `out` may be `in`.
BSP_API void bsp_placement_turn(const bsp_placement *place, const float in[3], float out[3]);
/// Takes a point of the entity's own space into the world's. `out` may be `in`.
BSP_API void bsp_placement_point(const bsp_placement *place, const float in[3], float out[3]);

/// How a brush model covers what is behind it.
typedef enum bsp_look_mode {
    BSP_LOOK_NORMAL = 0, ///< as its materials say
    BSP_LOOK_BLEND = 1,  ///< blended by `opacity`
    BSP_LOOK_ADD = 2,    ///< added, `opacity` times
} bsp_look_mode;

/// How an entity's brush model is drawn, beyond what its materials say.
typedef struct bsp_entity_look {
    bsp_look_mode mode; ///< how it covers what is behind it
    float opacity;      ///< 0..1; 0: it is not drawn
    bool unlit;         ///< without its lightmap
    bool plain;         ///< in `color` instead of its textures
    uint8_t color[3];   ///< red, green, blue, as displayed
} bsp_entity_look;

/// Returns how the brush model of an entity is drawn: by rendermode and renderamt in GoldSrc and
/// Source, by "alpha" in Quake and Quake 2. GoldSrc's renderamt is 0 where it is not given, so that
/// a render mode alone makes a model invisible; its blended models are drawn without their
/// lightmaps, and those of mode 1 in rendercolor instead of their textures. What renderfx fades
/// away is not drawn, what it makes solid is whole, as they stay; what pulses, strobes or flickers
/// has its renderamt. "effects" with the bit that hides a model (EF_NODRAW) does so.
BSP_API bsp_entity_look bsp_entity_look_of(const bsp_map *map, const bsp_entity *entity);

/// Returns true if the brush model of an entity stops bodies when the map begins, by its class and
/// keys. Whether it has a brush model is not looked at.
BSP_API bool bsp_entity_is_solid(const bsp_map *map, const bsp_entity *entity);

/// How a map is written. All zero: little-endian.
typedef struct bsp_write_options {
    size_t size;                  ///< of this struct in bytes, or 0: see BSP_OPTIONS
    bool big_endian;              ///< byte order of the new file
    uint32_t revision;            ///< map revision, for branches that have one
    uint32_t static_prop_version; ///< Source; 0: the first that the branch's table lists
    uint32_t static_prop_size;    ///< of the records of that version those of this size; 0: any
    const bsp_allocator *allocator;
} bsp_write_options;

/// Writes a map, loaded with all its parts, as a file of `branch`: every lump that the branch's
/// tables can fill from the map. What the branch has no field for is left out; a value that does
/// not fit its field is refused (BSP_E_RANGE with layout, record and field). Lumps that the map
/// does not hold are empty; physics is copied, so its byte order must be that of the new file.
/// `map` may be one that the caller built: unused members zero, indices BSP_NONE.
BSP_API bool bsp_map_write(const bsp_map *map, const bsp_branch *branch,
                           const bsp_write_options *options, bsp_blob *out, bsp_error *error);

// --- pictures of cubemaps -----------------------------------------------------------------------

/// Whether a cubemap has a picture in its map.
typedef enum bsp_cubemap_state {
    BSP_CUBEMAP_MISSING = 0, ///< there is no file
    /// The compiler's own file, which stands there until the engine draws one: it has the bytes of
    /// cubemapdefault.vtf.
    BSP_CUBEMAP_DEFAULT = 1,
    BSP_CUBEMAP_DRAWN = 2, ///< there is a picture
} bsp_cubemap_state;

/// The two pictures of a cubemap. Sums are bits.
typedef enum bsp_cubemap_kind {
    BSP_CUBEMAP_LDR = 1, ///< cX_Y_Z.vtf
    BSP_CUBEMAP_HDR = 2, ///< cX_Y_Z.hdr.vtf
} bsp_cubemap_kind;

/// Which pictures the cubemaps of a map have.
typedef struct bsp_cubemap_counts {
    uint32_t count;     ///< cubemaps
    uint32_t kinds;     ///< of bsp_cubemap_kind: what the light of the map is for; LDR without any
    uint32_t missing;   ///< cubemaps of which a picture of these kinds is missing
    uint32_t undrawn;   ///< others, of which one is the compiler's own
    uint32_t strange;   ///< pictures of places without a cubemap
    uint32_t materials; ///< patched materials that name a cubemap, and that are not in the zip
} bsp_cubemap_counts;

/// Looks for the pictures of the cubemaps of a map, which was loaded with its props, in the zip of
/// its file; `materials` is counted if its surfaces were loaded too. `states` (may be NULL)
/// receives two bsp_cubemap_state of each cubemap: LDR, then HDR. All zero for a map without
/// cubemaps or zip, and where pictures are no files by these names: on consoles, and in Titanfall,
/// which keeps them in one. `allocator` may be NULL. Fails without memory, or when a limit is
/// passed.
BSP_API bool bsp_cubemaps_find(const bsp_file *file, const bsp_map *map, uint8_t *states,
                               bsp_cubemap_counts *out, const bsp_allocator *allocator,
                               bsp_error *error);

// --- checking -----------------------------------------------------------------------------------

/// Checks a whole file: directory, every reference of every record, tree shape, visibility, light
/// extents, entities, pak. Adds what it finds to `issues`; `issues` may be NULL. Returns false only
/// if memory or a limit ends it.
BSP_API bool bsp_check(const bsp_file *file, bsp_issues *issues, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
