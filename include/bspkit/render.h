// SPDX-License-Identifier: MIT
/// @file render.h
/// Pictures: draws a map in software, with its textures and its light, from any place or from
/// above.
#ifndef BSPKIT_RENDER_H
#define BSPKIT_RENDER_H

#include "bspkit/asset.h"
#include "bspkit/mesh.h"
#include "bspkit/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A map made ready to be drawn: its mesh, light and textures. Immutable: any number of threads may
/// draw it at once.
typedef struct bsp_renderer bsp_renderer;

/// How a renderer is made. All zero draws what the map itself holds, with its light.
typedef struct bsp_renderer_options {
    size_t size;              ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_search *search; ///< where textures are looked for; NULL: only what the map holds
    const char *name; ///< of the map, without folder and ending: for light in files of its own; may
                      ///< be NULL
    bool full_bright; ///< draw without light; else a map that has none is shaded by its normals
    bool plain;       ///< draw what has no texture in one colour (Source: its average colour)
    bool hidden;      ///< draw tool textures, triggers and the like as well
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
    bsp_progress progress;
    bsp_issues *issues; ///< receives what bsp_textures_open finds odd: no palette; may be NULL
    const bsp_scene_state *state;       ///< the moment that is drawn; NULL: as the map begins
    bool hdr;                           ///< by the HDR light where the map has both kinds
    bool no_props;                      ///< without the models that stand in the map
    const bsp_definitions *definitions; ///< of the game's classes: which models entities show
    bool no_details;                    ///< without detail props (Source: grass and the like)
    bool no_reflections;                ///< without what surfaces mirror (Source: cubemaps)
    /// Light of surfaces counts so many times less, 1 to 64, so that what is brighter than white
    /// can be seen in a second picture; 0: 1. What has no light from the map's pages stays.
    float dimmed;
} bsp_renderer_options;

/// Builds the renderer of a map. `options` may be NULL; `file` gives BSPX light and may be NULL.
/// The map, loaded with all its parts but brushes (and light where it is drawn `full_bright`), is
/// borrowed by the renderer, file and search path for the call only. NULL on failure, with
/// BSP_E_ARGUMENT if a part was not loaded.
BSP_API bsp_renderer *bsp_renderer_build(const bsp_map *map, const bsp_file *file,
                                         const bsp_renderer_options *options, bsp_error *error);
/// Frees a renderer. NULL is allowed and does nothing.
BSP_API void bsp_renderer_free(bsp_renderer *renderer);

/// Returns how many materials that the renderer draws have no texture, and so show a grey pattern.
BSP_API uint32_t bsp_renderer_missing(const bsp_renderer *renderer);
/// Returns the name of missing texture number `n`, which must be less than bsp_renderer_missing.
/// Owned by the renderer.
BSP_API bsp_text bsp_renderer_missing_name(const bsp_renderer *renderer, uint32_t n);

/// Returns the models that entities and static props name and that are not there, each once, or
/// cannot be read; `*count` receives how many. Owned by the renderer.
BSP_API const bsp_scene_missing *bsp_renderer_missing_models(const bsp_renderer *renderer,
                                                             uint32_t *count);

/// Where the picture is taken from.
typedef struct bsp_view {
    uint32_t width; ///< pixels, 1 to BSP_IMAGE_MAX
    uint32_t height;
    bool top;        ///< from above, parallel: the whole map fits, north up; the rest is not used
    bool cuts;       ///< from above: what is higher than `cut` is left out
    float cut;       ///< height, game units
    float from[3];   ///< eye, game units
    float angles[3]; ///< degrees: pitch (down is positive), yaw (from +X against the clock), roll
    float fov;       ///< degrees across; 0: 90
} bsp_view;

/// Sets a view to that of the first player start of a map that was loaded with its entities and
/// tree (any class that begins with info_player, info_coop or info_spawnpoint_human), at eye
/// height; without one, from the upper south-west corner of the world to its middle, from outside
/// of the box of an item of Quake. Size and fov are left alone.
BSP_API void bsp_view_start(const bsp_map *map, bsp_view *view);

/// A floor that many surfaces of a map lie on.
typedef struct bsp_storey {
    float floor; ///< height, game units
    float cut;   ///< where to cut a picture from above so that it shows this floor and what is
                 ///< below it: at head height, below the next floor
} bsp_storey;

/// The most storeys that bsp_renderer_storeys finds.
#define BSP_MOST_STOREYS 16

/// Finds the storeys of a map, the lowest first: the heights at which the most of its level ground
/// lies, at least a player's height and half apart. Writes up to BSP_MOST_STOREYS to `out`, and
/// returns how many.
BSP_API uint32_t bsp_renderer_storeys(const bsp_renderer *renderer, bsp_storey *out);

/// Finds where to cut a picture from above so that rooms are seen whose roofs hide at least half of
/// the places where players begin (of the first 64): on the storey with most of these, below its
/// lowest roof. Returns false, and leaves `cut`, where no cut is needed, there are no places, or
/// the picture would lose more than half of what it shows: then most of the map lies higher. The
/// map of the renderer must still be there.
BSP_API bool bsp_renderer_roof_cut(const bsp_renderer *renderer, float *cut);

/// Where a picture from above lies in the map. As in the overview files of Source's games
/// (pos_x, pos_y, scale): pixel (x, y), counted from the upper left corner of the picture,
/// shows the place (origin[0] + x * scale, origin[1] - y * scale).
typedef struct bsp_overview {
    float origin[2]; ///< game units: the upper left corner
    float scale;     ///< game units a pixel
    float mins[3];   ///< of all that is drawn
    float maxs[3];
} bsp_overview;

/// Computes where the picture that bsp_renderer_draw makes of a view with `top` lies in the map.
BSP_API void bsp_renderer_overview(const bsp_renderer *renderer, const bsp_view *view,
                                   bsp_overview *out);

/// Where the time of a picture goes.
typedef enum bsp_draw_stage {
    BSP_DRAW_VISIBLE = 0,    ///< finding leaves and faces
    BSP_DRAW_TRANSFORM = 1,  ///< vertices to the view, triangles clipped and set up
    BSP_DRAW_RASTER = 2,     ///< pixels of what hides what is behind it
    BSP_DRAW_BACKGROUND = 3, ///< the sky where nothing hides it, and what is seen through
    BSP_DRAW_RESOLVE = 4,    ///< into the picture
    BSP_DRAW_STAGES = 5      ///< how many there are
} bsp_draw_stage;

/// How much each step of a picture left for the next, and how long it took.
typedef struct bsp_draw_stats {
    uint32_t leaf;           ///< of the eye, or BSP_NONE
    uint32_t cluster;        ///< BSP_NONE: no visibility applies, all leaves count as seen
    uint32_t leaves;         ///< of the map
    uint32_t leaves_seen;    ///< from the cluster, and through liquids
    uint32_t leaves_in_view; ///< of those, whose box is in the picture
    uint32_t faces;          ///< of the renderer, those of brush models included
    uint32_t faces_seen;     ///< in those leaves; brush models and what no leaf lists count as seen
    uint32_t faces_in_view;  ///< of those, whose box is in the picture
    uint64_t triangles;      ///< of those faces
    uint64_t set_up;  ///< triangles that are left: clipped, turned to the eye, at least a pixel
    uint64_t pixels;  ///< that were written, one below another counted as well
    uint32_t threads; ///< that drew
    uint64_t nanoseconds[BSP_DRAW_STAGES]; ///< of all threads together
} bsp_draw_stats;

/// How a view is drawn. All zero gives the defaults, and the same picture as any other number of
/// threads.
typedef struct bsp_draw_options {
    size_t size;      ///< of this struct in bytes, or 0: see BSP_OPTIONS
    uint32_t threads; ///< 0: as many as the budget says (bsp_budget_set_threads)
    bool no_vis;      ///< draw what the map says cannot be seen as well
    bool flares;      ///< Quake 3: also draw its flares, which the games do if a player asks for it
    bool no_fog;      ///< as if the air were clear
    bool no_simd;     ///< use the plain code even where the processor has AVX2
} bsp_draw_options;

/// Draws a view. `options` and `stats` may be NULL. The caller frees the picture with
/// bsp_image_free. The same renderer and view give the same bytes for any number of threads and on
/// any processor.
BSP_API bool bsp_renderer_draw(const bsp_renderer *renderer, const bsp_view *view,
                               const bsp_draw_options *options, bsp_image *out,
                               bsp_draw_stats *stats, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
