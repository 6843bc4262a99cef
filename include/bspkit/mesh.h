// SPDX-License-Identifier: MIT
/// @file mesh.h
/// Geometry and light of a map: triangles of faces, patches and displacements; hulls of
/// brushes; lightmaps packed into pages; light grids and ambient cubes. The same for every family.
/// Game units, z up, right-handed, as in the file; brush models stand where the file has them,
/// which is relative to their entity's origin.
#ifndef BSPKIT_MESH_H
#define BSPKIT_MESH_H

#include "bspkit/asset.h"
#include "bspkit/faces.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- lightmaps ----------------------------------------------------------------------------------

/// A page of light. A texel is a factor for a texture's colour as it is displayed: 255 stands for
/// the factor `range` of the options.
typedef struct bsp_light_page {
    const uint8_t *rgba; ///< rows from the top, 4 bytes a texel, alpha 255
    uint32_t width;
    uint32_t height;
} bsp_light_page;

/// The light of a face on the pages. The rectangle has a border of one repeated luxel around it,
/// so that bilinear filtering does not see its neighbours.
typedef struct bsp_light_face {
    uint32_t page;   ///< BSP_NONE: no light is stored, and the face is as bright as its texture
    uint32_t x;      ///< first luxel on the page
    uint32_t y;      ///< the same
    uint32_t width;  ///< luxels; Quake 3: of the whole page of the file
    uint32_t height; ///< luxels
    /// Surfedge families: luxel = xyz . vec[0..2] + vec[3], 0 in the centre of the first luxel.
    float vecs[2][4];
    /// Quake 3: coordinate on the page = stored coordinate * scale + offset, both 0..1.
    float scale[2];
    float offset[2];
} bsp_light_face;

/// How many light styles there are: the values of a byte.
#define BSP_LIGHT_STYLES 256

/// How light is decoded and packed. All zero gives what the game shows as it begins.
typedef struct bsp_lightmap_options {
    size_t size;         ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const float *styles; ///< BSP_LIGHT_STYLES factors; NULL: style 0 is 1, others `other_styles`
    float other_styles;  ///< factor of the styles other than 0 where `styles` is NULL
    float range;         ///< the factor that 255 stands for; 0: 1. Brighter luxels keep their hue
    float gain;     ///< factor of a stored 255 (not RGBExp32); 0: what the family's engine does
    bool hdr;       ///< use the HDR light where the map has both kinds; else the one that it has
    uint32_t width; ///< of a page; 0: up to 1024, as much as is needed
    const bsp_external_light *external; ///< Quake 3: pages that the file has not; may be NULL
    uint32_t direction; ///< Source: 0 the light of flat surfaces; 1 to 3: that from each of the
                        ///< three directions that normal maps mix, where a face has it
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_lightmap_options;

/// All lightmaps of a map. Plain data; bsp_lightmap_free frees it with its pages.
///
/// What the numbers become: Quake 1 doubles a luxel (128 is the texture's own colour), Quake 2 too
/// (its textures are doubled), GoldSrc has 2^(1/2.5), Quake 3 shifts by two bits. RGBExp32 is
/// linear: factor = (c / 255 * 2^exp)^(1 / 2.2). Styles are summed before. A luxel brighter than
/// `range` is scaled down in all three channels, as Quake 3 does, so that its hue stays.
typedef struct bsp_lightmap {
    const bsp_light_page *pages; ///< owned
    uint32_t num_pages;
    const bsp_light_face *faces; ///< one for each face of the map
    uint32_t num_faces;
    float range;           ///< as in the options
    uint32_t num_lit;      ///< faces with light
    uint32_t num_black;    ///< faces that the engine draws black: they share one black luxel
    uint32_t num_dropped;  ///< faces whose light is not in the file, or has an impossible size
    uint64_t luxels;       ///< of all faces, one style; Quake 3: of all pages
    uint64_t source_bytes; ///< bytes of light that the faces call for, all styles and directions
    void *owner;           ///< private; NULL: a program made the struct itself
} bsp_lightmap;

/// Decodes and packs all light of a map that was loaded with its surfaces and light. `file` gives
/// the BSPX light of Quake maps and the map flags of CS:GO (without them its switched styles are
/// wrong), and may be NULL. For a map without light there are no pages. NULL on failure, with
/// BSP_E_ARGUMENT if they were not loaded; free with bsp_lightmap_free.
BSP_API bsp_lightmap *bsp_lightmap_build(const bsp_map *map, const bsp_file *file,
                                         const bsp_lightmap_options *options, bsp_error *error);
/// Frees lightmaps and their pages. NULL is allowed and does nothing.
BSP_API void bsp_lightmap_free(bsp_lightmap *lightmap);
/// Returns true if surfaces of the map have light from three directions besides that of a flat one
/// (Source: for normal maps). `map` was loaded with its surfaces. Source: bspflags.h of the Source
/// SDK 2013 (SURF_BUMPLIGHT).
BSP_API bool bsp_light_is_bumped(const bsp_map *map);

// --- light in space -----------------------------------------------------------------------------

/// The light grid of a Quake 3 map: cell (x, y, z) is at origin + index * step.
typedef struct bsp_light_grid {
    float origin[3];  ///< game units
    float step[3];    ///< the same
    uint32_t size[3]; ///< cells along x, y and z
} bsp_light_grid;

/// Light at a point, as displayed, 0..1 and the hue kept.
typedef struct bsp_point_light {
    float ambient[3];   ///< from all sides
    float directed[3];  ///< from one side
    float direction[3]; ///< towards the light, unit length
} bsp_point_light;

/// Computes where the light grid lies, from the world's bounds and worldspawn's "gridsize": the map
/// was loaded with its entities, tree and light. Returns false without a grid, and where the file
/// has fewer cells than that: the engines then use none.
BSP_API bool bsp_light_grid_of(const bsp_map *map, bsp_light_grid *grid);
/// Returns a cell of the grid, or NULL if the file does not hold it. Borrowed from the map.
BSP_API const bsp_light_cell *bsp_light_grid_cell(const bsp_map *map, const bsp_light_grid *grid,
                                                  uint32_t x, uint32_t y, uint32_t z);
/// Computes the light at a point from the eight cells around it; those in walls (black) are left
/// out. Returns false if none is left.
BSP_API bool bsp_light_grid_sample(const bsp_map *map, const bsp_light_grid *grid,
                                   const float point[3], bsp_point_light *out);

/// Computes the ambient cube of a Source leaf at a point: linear light towards +X, -X, +Y, -Y, +Z,
/// -Z. Its samples count by 1 / (d * d + 1), d the distance in units, as in the engine; a leaf
/// without samples that names another leaf has those of that one. With `hdr` the HDR samples are
/// taken where there are both. The map was loaded with its tree and light. Returns false, and a
/// black cube, when the map has none for the leaf.
BSP_API bool bsp_ambient_cube(const bsp_map *map, uint32_t leaf, const float point[3], bool hdr,
                              float cube[6][3]);

/// Decodes the colour of an RGBExp32 to linear light, where 1 is full.
BSP_API void bsp_light_decode(const uint8_t rgbexp[4], float rgb[3]);

// --- triangles ----------------------------------------------------------------------------------

/// A vertex of a mesh: 44 bytes, interleaved.
typedef struct bsp_mesh_vertex {
    float position[3]; ///< game units
    float normal[3];   ///< unit length
    float uv[2];       ///< texture repeats; texels where the group says so. v grows downwards
    float light_uv[2]; ///< 0..1 on the light page; 0 without one. v grows downwards
    /// RGBA. Quake 3: light at the vertex, brightened like the light pages. Source displacements:
    /// alpha blends the two textures. Else 255.
    uint8_t color[4];
} bsp_mesh_vertex;

/// A face of the map in a mesh.
typedef struct bsp_mesh_face {
    uint32_t face;    ///< of the map
    uint32_t overlay; ///< laid on that face: number, water overlays after the others; or BSP_NONE
    uint32_t group;   ///< that it is in
    uint32_t first_vertex;
    uint32_t num_vertices;
    uint32_t first_index;
    uint32_t num_indices;
} bsp_mesh_face;

/// Faces that are drawn alike. Vertices, indices and faces of a group are contiguous.
typedef struct bsp_mesh_group {
    uint32_t model;
    uint32_t material;   ///< or BSP_NONE
    uint32_t light_page; ///< or BSP_NONE
    uint32_t flags;      ///< surface flags of the file
    uint32_t bits;       ///< bsp_surface_bits
    bool uv_in_texels;   ///< the size of the texture is not known: divide by it
    uint32_t first_vertex;
    uint32_t num_vertices;
    uint32_t first_index; ///< indices count from the mesh's first vertex
    uint32_t num_indices;
    uint32_t first_face; ///< run of the mesh's faces
    uint32_t num_faces;
} bsp_mesh_group;

/// Triangles, three indices each, counter-clockwise seen from the front (the files have them
/// clockwise). Groups are sorted by model, bits, order of overlays, material, light page and flags.
typedef struct bsp_mesh {
    const bsp_mesh_vertex *vertices;
    uint32_t num_vertices;
    const uint32_t *indices;
    uint32_t num_indices;
    const bsp_mesh_face *faces;
    uint32_t num_faces;
    const bsp_mesh_group *groups;
    uint32_t num_groups;
    /// Source: for each vertex the shares of the second, third and fourth texture (255 is 1) in the
    /// last three bytes, where the first is not 0: it is 255 in displacements with multiblend.
    /// NULL: the map has none. The alpha of these vertices is the share of the second texture, too.
    const uint8_t (*blends)[4];
    const uint32_t *of_face; ///< for each face of the map: number in `faces`, or BSP_NONE
    uint32_t num_of_face;
    float mins[3]; ///< of all vertices; 0 without any
    float maxs[3];
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_mesh;

/// How a mesh is built. All zero gives every model, and every face that is drawn but the sky.
typedef struct bsp_mesh_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    uint32_t first_model;
    uint32_t num_models;   ///< 0: all from first_model on
    bool hidden;           ///< also faces that are never drawn (BSP_SURFACE_HIDDEN)
    bool sky;              ///< also BSP_SURFACE_SKY
    bool overlays;         ///< Source: also the overlays on what is built
    float patch_tolerance; ///< how far a curve along u or v may be from its segments, in game
                           ///< units; 0: 1. A curve has at most 32 segments
    float flare_size;      ///< Quake 3: edge of the quad for a flare, in units; 0: none
    const bsp_lightmap *lightmap; ///< for light_uv; borrowed for the call; NULL: none
    /// Width and height in pixels for each material; NULL: as the map says. It may draw them larger
    /// (bsp_material_scale).
    const uint32_t (*sizes)[2];
    const bsp_file *file; ///< for BSPX normals; borrowed for the call; may be NULL
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_mesh_options;

/// How far overlays stand off their faces, in units: once, and again for each step of their order.
#define BSP_OVERLAY_LIFT 0.1F

/// Builds the mesh of a map that was loaded with its tree and surfaces, and for overlays with its
/// props. NULL on failure, with BSP_E_ARGUMENT if they were not loaded; free with bsp_mesh_free.
///
/// Patches: each 3x3 cell is divided so that its curves are within the tolerance; how an outer edge
/// is divided depends on nothing but its three control points, so neighbours have the same
/// vertices. Displacements: vertices on a common edge or corner are made identical.
/// Overlays: their quads are laid on the triangles of their faces along their own normal, and cut;
/// `uv` is theirs, `light_uv` the face's.
BSP_API bsp_mesh *bsp_mesh_build(const bsp_map *map, const bsp_mesh_options *options,
                                 bsp_error *error);
/// Frees a mesh. NULL is allowed and does nothing.
BSP_API void bsp_mesh_free(bsp_mesh *mesh);

// --- brushes ------------------------------------------------------------------------------------

/// A vertex closer to a plane than this lies on it, in units. Planes are stored as floats: four
/// that should meet in one point miss it by up to 0.001 at 4096 units from the origin.
#define BSP_BRUSH_EPSILON 0.01

/// A corner of a brush, in game units.
typedef struct bsp_brush_point {
    double at[3]; ///< x, y, z
} bsp_brush_point;

/// The part of a side's plane that bounds the brush: a convex polygon, counter-clockwise seen from
/// outside.
typedef struct bsp_brush_polygon {
    uint32_t side;        ///< index of the map's brush sides
    uint32_t first_index; ///< run of indices, which are points
    uint32_t num_indices;
} bsp_brush_polygon;

/// What the sides of a brush enclose.
typedef enum bsp_brush_state {
    BSP_BRUSH_CLOSED = 0,  ///< a convex solid
    BSP_BRUSH_EMPTY = 1,   ///< nothing is behind all its sides
    BSP_BRUSH_OPEN = 2,    ///< reaches beyond any map: the polygons that are there do not close it
    BSP_BRUSH_DAMAGED = 3, ///< too many sides, or planes that are none; no polygons
} bsp_brush_state;

/// The polygons of one brush.
typedef struct bsp_brush_hull {
    bsp_brush_state state; ///< whether the polygons close it
    uint32_t first_point;  ///< its own points, shared by its polygons
    uint32_t num_points;
    uint32_t first_polygon;
    uint32_t num_polygons;
} bsp_brush_hull;

/// The polygons of all brushes. Sides without a polygon (bevels, doubled planes) are left out.
typedef struct bsp_brush_mesh {
    const bsp_brush_point *points;
    uint32_t num_points;
    const uint32_t *indices;
    uint32_t num_indices;
    const bsp_brush_polygon *polygons;
    uint32_t num_polygons;
    const bsp_brush_hull *hulls; ///< one for each brush of the map
    uint32_t num_hulls;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_brush_mesh;

/// Which brushes are cut, and with which sides. All zero: all of both.
typedef struct bsp_brush_mesh_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    uint32_t first_brush;
    uint32_t num_brushes; ///< 0: all from first_brush on; other hulls are empty
    /// Cuts with the author's sides only, where these close the brush: without those that the file
    /// marks as bevels, and without the axial ones that the compiler adds beside them. Bevels touch
    /// the author's solid within 0.1 units at best (vbsp), so they graze it, take the place of
    /// sides that are nearly parallel, and now and then cut a piece off that points and rays still
    /// hit.
    bool without_bevels;
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_brush_mesh_options;

/// Cuts each brush out of a box of all space, plane by plane, in double precision. One vertex is
/// classified once for all polygons that share it, so that a hull is closed by construction. The
/// map was loaded with its tree and brushes. NULL on failure, with BSP_E_ARGUMENT if it was not;
/// free with bsp_brush_mesh_free.
BSP_API bsp_brush_mesh *
bsp_brush_mesh_build(const bsp_map *map, const bsp_brush_mesh_options *options, bsp_error *error);
/// Frees a brush mesh. NULL is allowed and does nothing.
BSP_API void bsp_brush_mesh_free(bsp_brush_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
