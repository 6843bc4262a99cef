// SPDX-License-Identifier: MIT
/// @file decompile.h
/// Decompiling: from a compiled map to a map document that editors open, that compilers compile,
/// and that means the same place.
#ifndef BSPKIT_DECOMPILE_H
#define BSPKIT_DECOMPILE_H

#include "bspkit/asset.h"
#include "bspkit/mapdoc.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What brushes of a Source map are made of.
typedef enum bsp_brush_mode {
    BSP_BRUSHES_PLANES = 0,   ///< the map's brushes: solids as their author had them
    BSP_BRUSHES_ORIGINAL = 1, ///< a flat brush for each face as it was before the tree cut it
    /// The same; where the pieces of a face are more than it covers, or it is not kept, a flat
    /// brush for each piece.
    BSP_BRUSHES_ORIGINAL_SPLIT = 2,
    BSP_BRUSHES_SPLIT = 3, ///< a flat brush for each face
} bsp_brush_mode;

/// Which entities get a visgroup of their own, by their names.
typedef enum bsp_instance_groups {
    BSP_INSTANCES_UNNAMED = 0, ///< those that an instance without a name left: InstanceAutoN-NAME
    BSP_INSTANCES_ALL = 1,     ///< every PREFIX-NAME: instances with a name, and whatever looks so
    BSP_INSTANCES_NONE = 2,    ///< no entity gets a visgroup
} bsp_instance_groups;

/// Which brushes of detail make one func_detail: how their author grouped them is not kept.
typedef enum bsp_detail_groups {
    BSP_DETAILS_TOUCHING = 0, ///< those that are connected by boxes that are near each other
    BSP_DETAILS_EACH = 1,     ///< each by itself
} bsp_detail_groups;

/// How the brush of an area portal's entity is found.
typedef enum bsp_portal_mapping {
    BSP_PORTALS_BY_PLACE = 0, ///< by where the polygon of the portal lies
    /// By the order of both in the file, where they are equally many: the compiler keeps it, but
    /// other tools may have changed the entities. Else by place.
    BSP_PORTALS_BY_ORDER = 1,
} bsp_portal_mapping;

#define BSP_LEAST_THICKNESS 0.125 ///< units, of a flat brush
/// The thickest that a flat brush may be, in game units.
#define BSP_MOST_THICKNESS 4096.0

/// The widest gap, in game units, that brushes of one func_detail may have between them.
#define BSP_MOST_DETAIL_GAP 4096.0

/// How a map is decompiled. All zero gives solids with guessed textures, and everything in the map.
typedef struct bsp_decompile_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    /// The map's file: BSPX brushes, pak, and the separator of outputs. May be NULL.
    const bsp_file *file;
    /// Sizes of textures that the map does not hold (Quake 3), and what patched materials were made
    /// of. May be NULL.
    const bsp_textures *textures;
    bool world_only; ///< worldspawn and what goes into it
    /// Says which entities are wanted (worldspawn always is). NULL: all.
    bool (*wanted)(void *user, const bsp_entity *entity);
    /// Says which classes are wanted; asked too about those that only the decompiler makes
    /// (func_detail, func_ladder, prop_static, info_overlay, env_cubemap ...). The brushes of a
    /// class that is not are left out with it. NULL: all.
    bool (*wanted_class)(void *user, bsp_text classname);
    void *user;          ///< of both
    bsp_brush_mode mode; ///< Source
    /// Units from the face of a flat brush to its back, BSP_LEAST_THICKNESS to BSP_MOST_THICKNESS;
    /// 0: 1, and 16 for displacements. Source.
    double thickness;
    /// Of every side that takes its look from a face (Quake, GoldSrc: of solids, for names say what
    /// the others are); NULL: its own.
    const char *face_material;
    const char *back_material; ///< of the other sides of flat brushes; NULL: tools/toolsnodraw
    bool nodraw_unseen; ///< Source: sides that no face shows get tools/toolsnodraw, but for tools
    bsp_instance_groups instances; ///< Source
    bsp_detail_groups details;     ///< Source
    /// Units that boxes of detail may be apart and still touch, up to BSP_MOST_DETAIL_GAP; 0:
    /// 0.125. Source.
    double detail_gap;
    bsp_portal_mapping portals; ///< Source
    bool cameras;               ///< Source: a camera of the editor at each player start
    bool no_guesses;            ///< sides that no face shows get the game's plain texture
    bool no_merge;              ///< Quake, GoldSrc: a brush for each solid leaf
    bool keep_angles;           ///< Source: leave brush models that their entity turns as they are
    /// Receives what is missing and why. NULL: hulls that only tell what is missing (Quake,
    /// GoldSrc: all from 2 on) are not searched, which takes a fifth to two fifths less time.
    bsp_issues *issues;
    bsp_progress progress;
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_decompile_options;

/// What was decompiled, and how.
typedef struct bsp_decompile_report {
    uint32_t brushes_in;    ///< of the file; Quake, GoldSrc: solid leaves and clip volumes
    uint32_t brushes_out;   ///< written
    uint32_t brushes_lost;  ///< could not be built: each is an issue
    uint32_t sides;         ///< written
    uint32_t sides_faced;   ///< of these: texture and alignment from a face
    uint32_t sides_kept;    ///< from the side's own record
    uint32_t sides_guessed; ///< by guess: neighbours, tool textures from flags
    uint32_t bevels;        ///< sides left out because only the compiler needs them
    /// How many of each were written; `_lost`: could not be.
    uint32_t patches;
    uint32_t displacements;
    uint32_t displacements_lost;
    uint32_t overlays;
    uint32_t cubemaps;
    uint32_t static_props;
    uint32_t detail_props;
    uint32_t renamed;     ///< materials whose original name was restored
    uint32_t outputs;     ///< entity outputs
    uint32_t protections; ///< tricks against decompilers that were seen: each is an issue
} bsp_decompile_report;

/// Returns true for the name of a packed file that Source's compilers made, and make again:
/// cubemaps and their defaults, light of static props (.vhv), and materials that they patched for a
/// cubemap, a displacement or a depth of water. False for whatever an author may have packed.
BSP_API bool bsp_is_compiled_file(bsp_text name);

/// Decompiles a map that was loaded with all its parts but light, which is not looked at. `options`
/// and `report` may be NULL. What cannot be recovered is an issue with its place, the rest is
/// there. NULL on failure: memory, a map without anything that could be decompiled, or with
/// BSP_E_ARGUMENT parts that were not loaded. Free with bsp_mapdoc_free.
BSP_API bsp_mapdoc *bsp_decompile(const bsp_map *map, const bsp_decompile_options *options,
                                  bsp_decompile_report *report, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
