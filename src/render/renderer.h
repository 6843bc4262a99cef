// SPDX-License-Identifier: MIT
// The private structure of a renderer: triangles in world space, textures with their mips, light
// pages.
#ifndef BSPI_RENDERER_H
#define BSPI_RENDERER_H

#include "bspkit/render.h"
#include "asset/image/mip_chain.h"
#include "core/memory.h"
#include "scene/layers.h"

/// The factor that 255 on a light page stands for: lit surfaces may be twice as bright as their
/// texture, as in the engines.
#define BSPI_LIGHT_RANGE 2.0F

/// The picture of a cubemap: towards +x, -x, +y, -y, +z, -z.
typedef struct bspi_cube {
    bspi_mip sides[BSP_CUBE_SIDES];
    const char *name;
    struct bspi_cube *next;
    bool found;
} bspi_cube;

/// How a texture mirrors a cube.
typedef struct bspi_shine {
    const bspi_cube *cube; ///< NULL: that of the cubemap that is nearest
    float tint[3];         ///< of linear light
    float contrast;
    float saturation;
    float fresnel;
    const struct bspi_texture *mask; ///< or NULL
} bspi_shine;

/// An image to sample from.
typedef struct bspi_texture {
    bspi_mip_chain chain;
    bool clamp;
    bsp_alpha alpha;
    float alpha_cut;
    bool two_sided;
    const struct bspi_texture *second;              ///< mixed in on displacements; or NULL
    const struct bspi_texture *layers[BSPI_LAYERS]; ///< mixed in after that; or NULL
    float blend[2];                                 ///< of a texture that is mixed in
    float repeats;                                  ///< the same: bsp_texture.repeats
    const struct bspi_texture *bump;                ///< its normal map; or NULL
    const bspi_shine *shine;                        ///< or NULL
    bool self_shadowed; ///< a normal map: its channels are parts of three lights
} bspi_texture;

/// What is drawn where the map shows the sky.
typedef struct bspi_sky {
    bool found;
    bspi_texture sides[BSP_SKY_SIDES]; ///< no mips: missing
    bspi_texture layers[BSP_SKY_LAYERS];
    float scale[BSP_SKY_LAYERS][2];
    float shift[BSP_SKY_LAYERS][2]; ///< in repeats
    uint32_t num_layers;
    bool flat;
    float cloud_height;
} bspi_sky;

/// Steps of a fog's table.
#define BSPI_FOG_STEPS 1024u

/// How much of what is beyond it fog covers.
typedef struct bspi_fog {
    bool on;
    float scale;                     ///< steps a unit
    uint8_t amounts[BSPI_FOG_STEPS]; ///< of 255, by distance
    uint8_t color[3];
    uint8_t on_sky; ///< of 255
} bspi_fog;

/// A liquid with fog for an eye within it.
typedef struct bspi_liquid {
    uint32_t material; ///< of the map
    bspi_fog fog;
} bspi_liquid;

/// Fog in a brush.
typedef struct bspi_volume {
    bspi_fog fog;
    bool bounded;
    float normal[3]; ///< out of the fog
    float dist;
} bspi_volume;

/// A batch of which some pieces are in fog.
typedef struct bspi_variant {
    uint32_t batch;
    uint32_t volume;
} bspi_variant;

/// A light that is seen through the air.
typedef struct bspi_flare {
    float origin[3];
    float normal[3]; ///< all zero: seen from everywhere
    float color[3];  ///< 0..1
    uint32_t texture;
} bspi_flare;

/// The room that is seen in the place of the sky.
typedef struct bspi_room {
    bool found;
    float origin[3];
    float factor; ///< how far its eye moves for a unit of the eye
} bspi_room;

/// Triangles that are drawn the same way.
typedef struct bspi_batch {
    uint32_t first_index;
    uint32_t num_indices;
    const bspi_texture *decal; ///< in the place of `texture`; or NULL
    uint32_t texture;          ///< in the renderer's textures
    uint32_t light_page;       ///< or BSP_NONE
    bool vertex_lit;
    bool mixed;   ///< with the second texture, by the vertices' alpha
    bool layered; ///< also with the third and the fourth, by the vertices' red and green
    bool sky;     ///< hides what is beyond it, and shows the sky
    bool blended; ///< drawn after all else, from back to front
    bool warps;   ///< its texture ripples
    bool mirrors; ///< its texture lies as what the surface mirrors
    bool add;     ///< blended: added to the background
    float opacity;
    const bspi_cube *cube; ///< that it mirrors, by its texture's shine; or NULL
    uint32_t shine;        ///< number among the batches that mirror a cube
    float
        fade[2]; ///< distances from `fade_at` at which a prop begins to fade, and is gone; 0: never
    float fade_at[3];
    bool glow; ///< fainter with the distance from `fade_at`
} bspi_batch;

/// How many times as large as at 200 units a glow gets at most.
#define BSPI_GLOW_MOST 20.0F
/// Computes how much of a glow is left at a distance, 0..1.
float bspi_glow_left(float distance);

/// Computes how much of a batch is left at its distance from an eye, 0..1.
float bspi_batch_left(const bspi_batch *batch, const float eye[3]);

/// A sprite that turns to the viewer. Its vertices are placed anew for each view.
typedef struct bspi_turning {
    bsp_sprite_facing facing;
    float origin[3];
    float right[3]; ///< its own axes in the world, of its scale: BSP_SPRITE_PARALLEL_ORIENTED
    float up[3];
    float size;           ///< factor of its corners
    uint32_t first_point; ///< in the renderer's points: one for each vertex of the piece
} bspi_turning;

/// A face of the map in the renderer, once for each entity that shows its model.
typedef struct bspi_piece {
    float mins[3];
    float maxs[3];
    uint32_t first_vertex;
    uint32_t num_vertices;
    uint32_t first_index;
    uint32_t num_indices;
    uint32_t batch;
    float fade;       ///< beyond this distance from its middle it is not drawn; 0: always drawn
    uint32_t face;    ///< BSP_NONE: of a prop
    uint32_t paint;   ///< its batch, or the number of batches and that of a variant
    uint32_t turning; ///< 1 + the number of a sprite that turns to the viewer; 0: it does not turn
    bool in_room;     ///< of the sky
    bool in_leaf;     ///< leaves of the world list it: visible only with one of them
    bool liquid;
    bool sky;
} bspi_piece;

struct bsp_renderer {
    const bsp_map *map; ///< borrowed
    bspi_heap heap;
    bspi_arena arena;
    bsp_mesh_vertex *vertices;
    uint32_t num_vertices;
    uint32_t *indices;
    uint32_t num_indices;
    bspi_batch *batches;
    uint32_t num_batches;
    bspi_piece *pieces;
    uint32_t num_pieces;
    bspi_turning *turnings;
    uint32_t num_turnings;
    float (*points)[2]; ///< of sprites that turn: to the right and up, from the sprite's origin
    uint32_t num_points;
    bspi_cube *cubes;       ///< that materials name
    bspi_cube **near;       ///< for each cubemap of the map: its picture; or NULL
    uint32_t num_shines;    ///< batches that mirror a cube
    const uint32_t *groups; ///< of areas that open portals connect; NULL: areas do not count
    uint32_t num_areas;
    const uint8_t *in_leaf; ///< bits: faces that leaves of the world list
    bspi_texture *textures;
    uint32_t num_textures;
    bspi_texture *decals; ///< by the scene's numbers; or NULL
    float warp_time;      ///< seconds, modulo one turn of the ripples
    bspi_sky sky;
    bspi_room room;
    bspi_fog fog;
    bspi_fog room_fog;
    bspi_liquid *liquids; ///< those with fog
    uint32_t num_liquids;
    bspi_flare *flares;
    uint32_t num_flares;
    bspi_volume *volumes;
    uint32_t num_volumes;
    bspi_variant *variants;
    uint32_t num_variants;
    bspi_mip *pages; ///< of light; one mip each
    uint32_t num_pages;
    bspi_mip *directions[3]; ///< of light from each of three directions, as many pages; or NULL
    bsp_text *missing;
    uint32_t num_missing;
    bsp_scene_missing *missing_models;
    uint32_t num_missing_models;
    float mins[3];
    float maxs[3];
};

/// Applies the look of an entity over that of the materials. Invisible surfaces that the options
/// include (tool textures) are opaque.
void bspi_batch_look(bspi_batch *batch, const bsp_entity_look *look);

/// Finds how a material mirrors, if it does, and the cube that it names. `as` is that of the scene.
/// Returns false without memory.
bool bspi_shine_find(bsp_renderer *renderer, const bsp_textures *textures, uint32_t material,
                     const bsp_scene_material *as, bspi_texture *out, bsp_error *error);
/// Gives each batch that mirrors its cube. All pieces must be there. Returns false without memory.
bool bspi_shine_batches(bsp_renderer *renderer, const bsp_textures *textures, bsp_error *error);
/// Computes the colour of a cube in a direction of any length, 0..255.
void bspi_cube_sample(const bspi_cube *cube, const float direction[3], float out[4]);

/// Takes fog, its volumes and the room of the sky from a scene. Returns false without memory.
bool bspi_air_build(bsp_renderer *renderer, const bsp_scene *scene, bsp_error *error);
/// Says which pieces are in the room of the sky, and which in fog. All pieces must be there.
/// Returns false without memory.
bool bspi_air_pieces(bsp_renderer *renderer, bsp_error *error);
/// Returns the fog of the liquid of the world that holds a point, or NULL.
const bspi_fog *bspi_air_liquid(const bsp_renderer *renderer, const float point[3]);
/// Returns the number of the volume that holds a point, or BSP_NONE.
uint32_t bspi_air_volume(const bsp_renderer *renderer, const float point[3]);

/// Copies the images of a sky into the arena.
bool bspi_sky_build(bspi_arena *arena, const bsp_sky *from, bspi_sky *to, bsp_error *error);

/// Returns the side that a direction hits, and where: s to the right, t up, both -1 to 1.
uint32_t bspi_sky_side(const float direction[3], float *s, float *t);
/// Computes where a direction hits the layers, in repeats. Returns false below the horizon of
/// clouds.
bool bspi_sky_place(const bspi_sky *sky, const float direction[3], float uv[2]);

/// Computes the colour of the map's own sky in a direction of any length.
void bspi_sky_color(const bspi_sky *sky, const float direction[3], uint8_t out[3]);

#endif
