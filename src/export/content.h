// SPDX-License-Identifier: MIT
// The content that all file formats share: triangles, materials and light of a map, ready to be
// written.
#ifndef BSPI_EXPORT_CONTENT_H
#define BSPI_EXPORT_CONTENT_H

#include "export/finish.h"
#include "export/light.h"
#include "export/paint.h"
#include "export/space.h"

/// A brush model with one look, shown by one or several entities; or the model of a prop with one
/// look, and with one light where its light is written.
typedef struct bspi_shape {
    uint32_t model; ///< of the map; of a prop: of the scene
    bsp_entity_look look;
    uint32_t prop;  ///< the first prop of the scene that has this shape; BSP_NONE: a brush model
    uint32_t solid; ///< a piece of collision with this number; BSP_NONE: something that is seen
    uint32_t area;  ///< 1 more than the number of an area of a navigation mesh; 0: none
} bspi_shape;

/// The colour of pieces of collision, as bspi_finish has it: a translucent orange.
#define BSPI_SOLID_COLOR 0xFF800001u
#define BSPI_SOLID_OPACITY 64u
/// The colour of portals: a translucent blue.
#define BSPI_PORTAL_COLOR 0x2080FF01u

/// The same of areas of a navigation mesh: a translucent green.
#define BSPI_AREA_COLOR 0x40C04001u

/// Triangles of one material: neighbouring faces of one group of the mesh, or a group of a model.
typedef struct bspi_part {
    const bsp_mesh_vertex *vertices; ///< of the mesh, or of the model
    const uint32_t *indices;         ///< the same
    uint32_t shape;
    uint32_t finish;
    uint32_t shares;     ///< number of the first part with the same triangles; most often its own
    uint32_t prop;       ///< of the scene, whose light its vertices get; or BSP_NONE
    uint32_t light_page; ///< of the mesh's group
    uint32_t first_face; ///< in the mesh
    uint32_t num_faces;
    uint32_t first_vertex;
    uint32_t num_vertices;
    uint32_t first_index;
    uint32_t num_indices;
    bool colored; ///< its vertices have colours, from light or from a model
    bool mixed;   ///< its vertices have alpha, by which the second texture is mixed in
    bool layered; ///< the same of the third and fourth
    bool bare;    ///< its vertices have positions alone
} bspi_part;

/// The room of the sky. `faces` and the lists after it are set if it was found: which of each are
/// in it.
typedef struct bspi_sky_room {
    bool found;
    float origin[3];    ///< of the room, which is the world's origin to the eye
    float scale;        ///< greater than 0
    uint8_t *faces;     ///< of the mesh
    uint8_t *instances; ///< of the scene
    uint8_t *props;     ///< of the scene
    uint8_t *statics;   ///< static props of the map
    uint8_t *decals;    ///< of the scene
    uint32_t shape;     ///< that has its faces; or BSP_NONE
} bspi_sky_room;

/// Decals of one picture and one page of light.
typedef struct bspi_decal_run {
    uint32_t picture; ///< of the scene's decal_names
    uint32_t light_page;
    uint32_t first_vertex;
    uint32_t num_vertices;
} bspi_decal_run;

/// All decals, sorted by picture.
typedef struct bspi_decals {
    bspi_decal_run *runs;
    uint32_t num_runs;
    bsp_mesh_vertex *vertices; ///< three for each triangle
    uint32_t *indices;
    uint32_t shape; ///< BSP_NONE: there are none
} bspi_decals;

struct bspi_content {
    const bsp_map *map; ///< that which is given, or `whole`
    bsp_map whole;      ///< with whole faces
    const bsp_export_options *options;
    float scale;
    bspi_heap heap;
    bspi_arena arena;
    bspi_paints paints;
    bspi_targets targets;
    bspi_light suns[BSPI_MAX_SUNS]; ///< those without an entity
    uint32_t num_suns;
    bsp_scene *scene;
    bsp_scene_links *links;       ///< of entities; NULL: the file has no nodes
    const bsp_lightmap *lightmap; ///< the scene's
    const bsp_mesh *mesh;         ///< the scene's
    bspi_shape *shapes;           ///< brush models, at least one for each, then props
    uint32_t num_shapes;
    uint32_t num_brush_shapes; ///< with those of the room of the sky and of decals
    bspi_sky_room room;
    bspi_decals decals;
    struct bspi_solids *solids;     ///< NULL: they are not wanted
    uint32_t first_solid;           ///< shape of the first of them; glTF alone has such shapes
    uint32_t first_area;            ///< shape of the first area, which glTF alone has too
    bsp_mesh_vertex *area_vertices; ///< four for each area; positions alone
    uint32_t *area_indices;         ///< six for each
    uint32_t *first_shape;          ///< for each model, and one more
    uint32_t *of_instance;          ///< for each instance of the scene: its shape
    uint32_t *of_prop; ///< for each prop of the scene: its shape, or BSP_NONE: not shown
    bsp_mesh_vertex **model_vertices; ///< for each model of the scene
    bsp_mesh_vertex **glow_vertices;  ///< the same, a little outside; NULL: none is needed
    bsp_mesh_vertex *world_glow;      ///< those of the mesh, a little outside; NULL: not needed yet
    const bool *unseen;               ///< for each model: all entities that show it are invisible
    bspi_part *parts;                 ///< sorted by shape
    uint32_t num_parts;
    size_t room_parts;
    uint32_t *first_part; ///< for each shape, and one more
    bspi_finish *finishes;
    uint32_t num_finishes;
    uint32_t num_images;  ///< textures that are used: the limit of bspi_png.number
    float (*baked_uv)[2]; ///< BAKED: for each vertex of the mesh; else NULL
    uint32_t baked_side;  ///< BAKED: side of a page in texels
    bsp_blob *pages;      ///< PNG: pages of light, or BAKED: baked images
    uint32_t num_pages;
    bsp_error refused; ///< a limit of output that was reached, or BSP_OK
};

/// Fills `content`, or empties it on failure. `options` must outlive it. `nodes`: what things
/// collide with has shapes as well.
bool bspi_content_build(bspi_content *content, const bsp_map *map,
                        const bsp_export_options *options, bool nodes, bsp_error *error);
void bspi_content_free(bspi_content *content);

/// Lists the shapes. Returns false without memory.
bool bspi_shapes_build(bspi_content *content, bsp_error *error); // shapes.c
/// Returns true if an instance of the scene is written.
bool bspi_instance_written(const bspi_content *content, const bsp_scene_instance *instance);
/// Finds the room of the sky, and what is in it. Returns false without memory or over a limit.
bool bspi_sky_room_build(bspi_content *content, bsp_error *error); // sky_room.c
/// Lists the decals, and their shape. Returns false without memory or over a limit.
bool bspi_decals_build(bspi_content *content, bsp_error *error); // decals.c
/// Lists the shapes of areas. Returns false without memory or over a limit.
bool bspi_areas_build(bspi_content *content, bsp_error *error); // areas.c
/// Returns true if something is left out because it is in the room of the sky.
bool bspi_sky_room_hides(const bspi_content *content, bool in_room);
/// Lists the shapes of props, and converts the vertices of their models. Returns false without
/// memory or over a limit.
bool bspi_props_build(bspi_content *content, bsp_error *error); // props.c
/// Returns true if the light of props is written at their vertices.
bool bspi_props_are_lit(const bspi_content *content);
/// Returns true if a paint, which may be NULL, has light of its own that lies over the lit parts.
bool bspi_paint_is_layer(const bspi_content *content, const bspi_paint *paint);
/// Copies the vertices of a layer of light: a little outside of the others, for they would be as
/// near. Returns NULL without memory or over a limit; owned by the content's arena.
bsp_mesh_vertex *bspi_glow_lift(bspi_content *content, const bsp_mesh_vertex *from, uint32_t count,
                                bsp_error *error);
/// Returns true if a model is a sprite that turns to the viewer.
bool bspi_model_turns(const bspi_content *content, uint32_t model);
/// Returns true if the vertices of a model have colours of their own.
bool bspi_model_has_colors(const bspi_content *content, uint32_t model);
/// Returns true if a shape of the model is drawn with its light.
bool bspi_model_is_lit(const bspi_content *content, uint32_t model);

/// Finds the suns of worldspawn and of shaders.
void bspi_content_suns(bspi_content *content); // sun.c

/// Gives the texture coordinates of a vertex: the material's own, or those on the baked image.
void bspi_content_uv(const bspi_content *content, const bspi_part *part, uint32_t vertex,
                     float uv[2]);

/// Gives the colour of a vertex of a part that is `colored`: factors of the displayed colour, 0..1.
void bspi_content_color(const bspi_content *content, const bspi_part *part, uint32_t vertex,
                        float rgb[3]);

#endif
