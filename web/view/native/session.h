// SPDX-License-Identifier: MIT
/// @file session.h
/// What the viewer's page asks of the library, as calls with plain numbers: a map that is open, its
/// triangles as a graphics card takes them, and texts of JSON. Only WebAssembly exports them.
#ifndef BSPKIT_VIEW_SESSION_H
#define BSPKIT_VIEW_SESSION_H

#include "bspkit/bspkit.h"
#include "cli/parts/json.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define BV_API EMSCRIPTEN_KEEPALIVE
#else
#define BV_API
#endif

/// A vertex: 32 bytes.
typedef struct bv_vertex {
    float position[3]; ///< in the world, game units
    float uv[2];       ///< repeats of the texture
    /// On the pages of light: 2 * page + 1/2 + u, and v. Of sprites that turn: see bv_batch.turn.
    float light_uv[2];
    uint8_t color[4]; ///< light at the vertex; displacements: alpha mixes the second texture
} bv_vertex;

/// How a batch is drawn: bits of bv_batch.flags.
typedef enum bv_batch_flags {
    BV_PAGE_LIT = 1,
    BV_VERTEX_LIT = 2,
    BV_SKY = 4,
    BV_BLENDED = 8,
    BV_ADD = 16, ///< the entity adds its light, times `opacity`
    BV_WARPS = 32,
    BV_MIXED = 64,
    BV_ROOM = 128, ///< it stands in the room of the sky
    BV_FLOWS = 256,
    BV_TWO_SIDED = 512,
    BV_DECAL = 1024, ///< `material` is a number of the scene's decal pictures
    BV_PLAIN = 2048, ///< in `color` instead of a texture
    BV_TOOL = 4096,  ///< the game never draws it: a trigger, a clip brush
    BV_CLAMP = 8192,
    BV_SHADED = 16384, ///< by its normals: the map has no light
    BV_GLOWS = 32768,  ///< as large from any distance, and fainter with it
} bv_batch_flags;

/// Triangles that are drawn alike: a run of indices. Words of 32 bits, all of which count when two
/// batches are compared but the first two.
typedef struct bv_batch {
    uint32_t first_index;
    uint32_t num_indices;
    uint32_t material; ///< of the scene, or BSP_NONE
    uint32_t flags;    ///< bv_batch_flags
    uint32_t alpha;    ///< bsp_alpha of the material
    float alpha_cut;
    float opacity;
    float color[3];  ///< BV_PLAIN: as displayed, 0..1
    uint32_t volume; ///< of fog, or BSP_NONE
    float scroll[2]; ///< repeats a second by which its texture moves
    float fade;      ///< units from the eye to a piece's `fade_at` at which it is gone; 0: never
    /// 0, or 1 more than the bsp_sprite_facing by which its sprites turn: their vertices are all at
    /// the origin, and `light_uv` says how far to the right and up of it each is.
    uint32_t turn;
    uint32_t cube;  ///< that it mirrors, by its material's bv_mirror; or BSP_NONE
    float fade_min; ///< distance at which it begins to fade, when `fade` is not 0
} bv_batch;

/// A piece that is blended, and sorted by its distance before it is drawn; or one that fades.
typedef struct bv_piece {
    uint32_t batch;
    uint32_t first_index;
    uint32_t num_indices;
    float middle[3];
    float fade_at[3]; ///< the place whose distance counts, if its batch fades
} bv_piece;

/// How a material mirrors a cube (bsp_reflection).
typedef struct bv_mirror {
    bool found;
    bool nearest; ///< the cube of the nearest cubemap, else `cube`
    bool masked;  ///< its mask went to the page
    uint32_t cube;
    float tint[3];
    float contrast;
    float saturation;
    float fresnel;
} bv_mirror;

/// A cube that the page has, if it was found.
typedef struct bv_cube {
    char name[BSP_CUBE_NAME];
    bool found;
} bv_cube;

/// The cube of a cubemap of the map.
typedef struct bv_near {
    bool known; ///< it was looked for
    uint32_t cube;
} bv_near;

/// What is mirrored in a map. Freed by bv_mirrors_free.
typedef struct bv_mirrors {
    bv_mirror *list; ///< by material
    uint32_t count;
    bv_cube *cubes;
    uint32_t num_cubes;
    bv_near *near; ///< by cubemap
} bv_mirrors;

/// How a material is lit by a normal map.
typedef enum bv_bump {
    BV_BUMP_NONE,
    BV_BUMP_NORMAL,
    BV_BUMP_SHADOWED, ///< its channels are parts of the light from the three directions ($ssbump)
} bv_bump;

/// The normal maps of a map. Freed by bv_bumps_free.
typedef struct bv_bumps {
    uint8_t *kinds; ///< bv_bump of each material of the map; NULL: none was looked for
    bool any;
} bv_bumps;

/// Kinds of light on pages: that of flat surfaces, and that from three directions.
#define BV_DIRECTIONS 4

/// The bit of an owner that names a prop; the others name instances.
#define BV_OWNER_PROP 0x80000000u

/// Triangles as the page draws them. Freed by bv_picture_free.
typedef struct bv_picture {
    bv_vertex *vertices;
    uint32_t num_vertices;
    uint32_t *indices;
    uint32_t num_indices;
    bv_batch *batches;
    uint32_t num_batches;
    bv_piece *pieces;
    uint32_t num_pieces;
    uint32_t *faces;  ///< for each triangle: face of the map, or BSP_NONE
    uint32_t *owners; ///< for each triangle: instance, or prop with BV_OWNER_PROP
    bool room_found;  ///< the sky shows its room
} bv_picture;

/// A text or file that grows; the answer of the last call that made one.
typedef struct bv_buffer {
    char *data;
    size_t size;
    size_t room;
} bv_buffer;

/// The most files beside a map: a lump each, and those of entities.
#define BV_MOST_BESIDE 160

/// An open map with what was made of it.
typedef struct bv_session {
    uint8_t *bytes; ///< of the map
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
    bsp_textures *textures;
    bsp_external_light *external;
    bsp_scene *scene;
    bsp_trace_index *index;
    bsp_portals *portals; ///< made when they are asked for
    bsp_issues *issues;   ///< of bsp_check
    bsp_issues *texture_issues;
    bsp_external beside[BV_MOST_BESIDE]; ///< files beside the map; their memory is the session's
    uint32_t num_beside;
    /// Light of the moment that is shown, when it differs from the scene's; and from the three
    /// directions, if normal maps mix it, else NULL.
    bsp_lightmap *moment[BV_DIRECTIONS];
    float styles[BSP_LIGHT_STYLES];           ///< of that light
    bsp_scene_style chosen[BSP_LIGHT_STYLES]; ///< styles that are not as the map has them
    uint32_t num_chosen;
    bv_picture picture;
    bv_mirrors mirrors;
    bv_bumps bumps;
    char name[256]; ///< without folder and ending
    uint8_t *row;   ///< scratch of visibility
} bv_session;

/// How a scene is built: bits of bv_build's `flags`.
typedef enum bv_build_flags {
    BV_WITH_TEXTURES = 1,
    BV_WITH_HIDDEN = 2, ///< also what the game never draws
    BV_OPEN_DOORS = 4,
} bv_build_flags;

/// The factor that 255 on a page of light stands for.
#define BV_LIGHT_RANGE 2.0F

extern bsp_error bv_last_error;
extern bv_buffer bv_answer;

/// Empties the answer.
void bv_answer_begin(void);
/// Adds to the answer: a bsp_sink.
bool bv_answer_add(void *user, const char *data, size_t size);
/// Adds a key with its number, or null for BSP_NONE.
void bv_json_index(bsp_json *json, const char *key, uint32_t value);
/// Adds a key with its value; NULL is null.
void bv_json_string(bsp_json *json, const char *key, const char *value);

/// Gives a picture to the page: kind 0 of a material, 1 its second, 2 of a decal, 3 side of the
/// sky, 4 layer of the sky, 5 side of a cube (6 times its number, and the side), 6 what a material
/// mirrors, 7 its normal map.
void bv_give_image(uint32_t kind, uint32_t number, const bsp_image *image);

/// Finds how a material mirrors, and gives what it needs to the page. Returns false on failure.
bool bv_mirror_take(bv_session *session, uint32_t material, const bsp_scene_material *as);
/// Returns how a material mirrors, or NULL. Borrowed.
const bv_mirror *bv_mirror_of(const bv_session *session, uint32_t material);
/// Returns the cube that a surface of the material mirrors where its middle is, or BSP_NONE.
uint32_t bv_mirror_cube(bv_session *session, uint32_t material, const float middle[3]);
/// Frees what is mirrored, and sets it to zero.
void bv_mirrors_free(bv_mirrors *mirrors);

/// Finds the normal map of a material, and gives it to the page. Returns false on failure.
bool bv_bump_take(bv_session *session, uint32_t material, const bsp_scene_material *as);
/// Returns how a normal map lights a material.
bv_bump bv_bump_of(const bv_session *session, uint32_t material);
/// Frees what is known of normal maps, and sets it to zero.
void bv_bumps_free(bv_bumps *bumps);
/// Returns the light of the moment that is shown: 0 that of flat surfaces, 1 to 3 from a direction.
/// NULL if there is none. Borrowed.
const bsp_lightmap *bv_light_of(const bv_session *session, uint32_t direction);
/// Computes the light of `styles`; NULL on failure. The caller frees it by bsp_lightmap_free.
bsp_lightmap *bv_light_make(const bv_session *session, uint32_t direction);
/// Computes the light from three directions of a scene that was built, if it has normal maps.
/// Returns false on failure.
bool bv_bump_light(bv_session *session);
/// Frees the light of the moment.
void bv_light_forget(bv_session *session);

/// Opens what finds textures, once. Returns false on failure.
bool bv_open_textures(bv_session *session);
/// Returns how fast a texture scrolls, in repeats a second, by how far it has scrolled in the
/// textures that bv_open_textures opens.
float bv_scroll(float shift);

/// Answers with the file as it is with other entities: `text`, as the lump has them. Returns false
/// on failure.
BV_API int bv_with_entities(const bv_session *session, const char *text);

/// Makes the picture of a scene. Returns false without memory.
bool bv_picture_make(bv_session *session, bool full_bright);
/// Frees a picture and sets it to zero.
void bv_picture_free(bv_picture *picture);

#endif
