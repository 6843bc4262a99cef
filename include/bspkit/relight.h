// SPDX-License-Identifier: MIT
/// @file relight.h
/// Light made anew: the luxels of a compiled map, out of the lights that it still names. Formulas:
/// sheet bake, 3.2; those of the compilers ericw-tools, id's qrad3, hlrad, vrad and q3map2.
#ifndef BSPKIT_RELIGHT_H
#define BSPKIT_RELIGHT_H

#include "bspkit/asset.h"
#include "bspkit/edit.h"
#include "bspkit/formats.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether light is weaker in corners ("dirt" of ericw-tools, -dirty of q3map2, ambient occlusion
/// of vrad).
typedef enum bsp_dirt {
    BSP_DIRT_USUAL = 0, ///< as keys of the map say; in Source as the light of the map tells
    BSP_DIRT_ON = 1,    ///< the light of all lamps is
    BSP_DIRT_OFF = 2,   ///< that of none is
} bsp_dirt;

/// What of static props of Source casts shadows.
typedef enum bsp_prop_shadows {
    BSP_PROP_SHADOWS_HULLS = 0,     ///< their collision models, as vrad does by default
    BSP_PROP_SHADOWS_TRIANGLES = 1, ///< what is drawn of them (-StaticPropPolys)
    BSP_PROP_SHADOWS_TEXTURES = 2,  ///< the same, but light comes through by the alpha of textures
                                    ///< of models that say so (-textureshadows)
} bsp_prop_shadows;

/// How light is made. All zero gives the defaults.
typedef struct bsp_relight_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    /// Whose formulas. USUAL: those of the family; in Quake 2 of ericw-tools where the map's light
    /// has luxels that id's qrad3 never stores (brighter than 196, or black).
    bsp_light_compiler compiler;
    uint32_t extra;   ///< places in a luxel along each of its axes; 0: 1. At most 8. In
                      ///< Quake 3 only luxels at edges of shadows have more than one;
                      ///< 0: as many as the map says (_q3map2_cmdline)
    bool direct;      ///< no light from surface to surface
    uint32_t bounces; ///< how often light goes from surface to surface; 0: as the rules have it, or
                      ///< the light that the map has, if that tells, or as a map of Quake 3 says
                      ///< (_q3map2_cmdline)
    /// Every fourth luxel along each axis alone is measured, once, and what brings little is looked
    /// at for others beside it, too: a tenth of the time of a large map, with softer shadows. By
    /// the rules of ericw-tools and q3map2 light goes from surface to surface once. `extra` is not
    /// heeded.
    bool preview;
    bsp_dirt dirt; ///< by the rules of ericw-tools, q3map2 and vrad; others have no corners
    bool hdr;      ///< Source: by the lights of the HDR light, where the map has both
    /// Where textures of this map are (their numbers are those of its materials), for the colours
    /// that surfaces throw back; NULL: as the map says.
    const bsp_textures *textures;
    /// Quake 3: pages that the map has in files beside it; NULL: none. Borrowed, and must outlive
    /// the light.
    const bsp_external_light *external;
    /// Lights that are taken in the place of those of the map: its entities, or those of the .map
    /// that it was made from. Source: they replace the compiler's list (WORLDLIGHTS), but for
    /// surfaces that give light. NULL: the map's own. Borrowed for the call.
    const bsp_entities *lights;
    /// GoldSrc: textures that give light, which the map does not tell: the text of a lights.rad,
    /// lines of "TEXTURE R G B [INTENSITY]" or "TEXTURE BRIGHTNESS". What an info_texlights says of
    /// one counts first. Borrowed for the call; empty: see `texlights_all`. Refused where
    /// bsp_texlights_check does.
    bsp_text texlights;
    /// Low and high corner of a box, in which something was changed: only faces in it, and those in
    /// clusters that may see into it, get other light; all others keep theirs, to the byte. They
    /// give light to the others by what it would be now. Borrowed for the call; NULL: everywhere.
    const float (*region)[3];
    /// Goes on where the lights that the map names do not explain the light that it has.
    bool force;
    const bsp_allocator *allocator;
    bsp_budget *budget;    ///< counts memory and work, and states the threads; NULL: the map's
    bsp_progress progress; ///< told about the work
    /// Quake, and Quake 2 by the rules of ericw-tools: each place that is measured becomes the mean
    /// of those up to so many on each side of it; 0: none. At most 255.
    uint32_t soft;
    bool patch_shadows; ///< Quake 3: patches cast shadows too (-patchshadows of q3map2), as also
                        ///< where the map says so (_q3map2_cmdline)
    /// Quake and Quake 2: units between the cells of a light grid that is made (LIGHTGRID_OCTREE),
    /// in the place of the map's if it has one, 1 to 65536; 0: a map without one gets none. It lies
    /// around the faces of the world, or between entities with "_lightgrid_hint".
    float grid;
    float dirt_depth; ///< units within which something is near; not above 0: as the map says, or
                      ///< 128
    float dirt_gain;  ///< exponent of how much is near (0..1); not above 0: as the map says, or 1
    float dirt_scale; ///< factor of that; not above 0: as the map says, or 1
    bool grid_sides;  ///< with `grid`: one with light for each side of a cube (LIGHTGRIDS)
    bool bounce_grid; ///< Quake 3: cells of the light grid have what surfaces throw back too
                      ///< (-bouncegrid of q3map2), as also where the map says so
    /// Quake, Quake 2 by the rules of ericw-tools: what keys of brushes say of their surfaces,
    /// which its qbsp leaves beside the map: the text of NAME.texinfo.json. It is not heeded, and
    /// named as such, where it is of another map. Borrowed for the call; empty: only keys of models
    /// count.
    bsp_text surfaces;
    /// GoldSrc: textures that neither `texlights` nor the map names give no light. Else, where
    /// neither names any, what they give is estimated out of the light that the map has.
    bool texlights_all;
    /// Source: what of static props casts shadows. With TRIANGLES and TEXTURES lines of `texlights`
    /// count that vrad reads: "noshadow MATERIAL" casts none, and with TEXTURES light comes through
    /// the model of "forcetextureshadow MODEL" too; others have no effect in Source.
    bsp_prop_shadows prop_shadows;
    /// Quake, Quake 2 by the rules of ericw-tools: only faces of which keys of models and of the
    /// world say so are lit as if they were round. Else, in a map without FACENORMALS and where
    /// `surfaces` does not tell, so are others that are nearer to the light of the map then, but
    /// not in a preview, nor with other `lights`, which the light of the map is not of.
    bool surfaces_all;
} bsp_relight_options;

/// The most light styles of a face.
#define BSP_RELIGHT_STYLES 16

/// The light of a face.
typedef struct bsp_relight_face {
    /// width x height luxels of the first style and its first direction, row by row, then those of
    /// the other directions, then those of the other styles; NULL: the face has no light of its
    /// own, or, in Quake 3, it is in the luxels of another one of its plane that it touches. Quake,
    /// GoldSrc, Quake 2, Quake 3: 0..255 as the file has them, but not rounded, and beyond in a map
    /// that has LIGHTING_E5BGR9; Source: linear, 1 is full.
    const float (*luxels)[3];
    uint32_t width;      ///< luxels along the first axis of its lightmap
    uint32_t height;     ///< and along the second
    uint32_t directions; ///< 4 where a normal map is lit (flat first), else 1
    uint32_t num_styles; ///< at most 4, or as many as the map's LMSTYLE16 has; 0: black
    uint8_t styles[BSP_RELIGHT_STYLES]; ///< light styles, or BSP_NO_STYLE
} bsp_relight_face;

/// A key that entities or shaders have, or a word of a command line, that had no effect.
typedef struct bsp_relight_key {
    const char *name;
    uint32_t count;  ///< entities, or materials, that have it
    uint32_t entity; ///< the first one
    bool shader;     ///< it is a key of shaders, and `entity` a material of the map
} bsp_relight_key;

/// Faces of one texture that were taken for round.
typedef struct bsp_relight_phong {
    uint32_t material;  ///< of the map
    uint32_t num_faces; ///< at least 1
    float angle;        ///< degrees between planes of faces that are round together
} bsp_relight_phong;

/// Light of a map. Plain data; bsp_relight_free frees it.
typedef struct bsp_relight {
    const bsp_relight_face *faces; ///< one for each face of the map
    uint32_t num_faces;
    bsp_light_compiler compiler; ///< whose formulas were followed
    bool compiler_stored;        ///< not the usual one's, as the map's light tells
    uint32_t release;      ///< Source: year since which vrad had these rules: 2005 (before HDR),
                           ///< 2006 or 2007; 0: another compiler
    bool hdr;              ///< Source: it is the HDR light
    uint32_t num_lamps;    ///< lights of entities, or of the compiler's list
    uint32_t num_suns;     ///< directions from which a sky gives light
    uint32_t num_emitters; ///< pieces of surfaces that give light by themselves
    uint32_t num_patches;  ///< pieces of surfaces between which light is thrown
    uint32_t num_bounces;  ///< how often light went between these, until too little was left
    /// Source: light that grazes is weaker (vrad -softencosine), as the map's light tells.
    bool softened;
    /// Source: direct light is weaker in corners (ambient occlusion of vrad of Counter-Strike:
    /// Global Offensive), as the map's light tells, or the options' `dirt`.
    bool occluded;
    /// Not as usual, as the map's light tells: fewer (Source, and ericw-tools before 2.0, which
    /// took any "_bounce" for one), or more than its keys say (-bounce of ericw-tools' light).
    bool bounces_stored;
    uint64_t num_luxels;   ///< of all faces, one style and direction
    uint64_t num_rays;     ///< that were traced
    uint32_t num_vertices; ///< Quake 3: that have light of their own, without luxels
    uint32_t num_cells;    ///< of the light grid: Quake 3, and LIGHTGRID_OCTREE
    uint32_t num_cubes;    ///< Source: ambient samples of leaves
    /// Source: the light of the vertices of static props, sp_N.vhv or sp_hdr_N.vhv, for the zip of
    /// the map (bsp_pak_plan): of those whose models were found by the options' textures.
    const bsp_pak_change *prop_files;
    uint32_t num_prop_files;
    /// Quake 3: the pages beside the map, as files: TGA, under the names of those that the options
    /// gave (lm_0000.tga), without folders.
    const bsp_pak_change *page_files;
    uint32_t num_page_files;
    /// What would have given other light, and is not followed: keys of q3map2, those of shaders
    /// that the options' textures find among them, words of the command line that it leaves in a
    /// map (they begin with "-", of the world), and ".texinfo.json" for surfaces of another map.
    const bsp_relight_key *unheeded;
    uint32_t num_unheeded;
    /// Materials of faces with light whose texture was not found, where light takes colours from
    /// it.
    uint32_t num_untextured;
    uint32_t num_styles_dropped; ///< styles of faces beyond the last that they may have
    /// Source, without the options' `lights`: entities that give light, and are not where the
    /// compiler's list, which counts, has one: they were moved or added since.
    uint32_t num_unlisted;
    /// GoldSrc: what textures gave, as lines of a lights.rad, where it was estimated out of the
    /// light that the map has; else empty.
    bsp_text texlights;
    /// Quake, Quake 2 by the rules of ericw-tools: faces of the world that are lit as if they were
    /// round ("_phong"), which no key says and the light of the map tells; by their textures, in
    /// the order of the map's materials. See `surfaces_all` of the options.
    const bsp_relight_phong *phong;
    uint32_t num_phong;
    void *owner; ///< private
} bsp_relight;

/// Looks for lines of a lights.rad (`texlights` of the options) that do not say what a texture
/// gives, which are passed over: each is an issue (a warning), whose place has `name` and the line
/// as its record. Comments count for nothing, nor do what vrad alone reads (noshadow,
/// forcetextureshadow, "hdr:", "ldr:"). `issues` may be NULL. False, with BSP_E_DAMAGED, where no
/// other line is there.
BSP_API bool bsp_texlights_check(bsp_text text, const char *name, bsp_issues *issues,
                                 bsp_error *error);

/// Makes the light of a map that was loaded with all its parts from `file`; both are borrowed and
/// must outlive it. The result is the same at any number of threads. Faces keep the number of
/// luxels that they have.
///
/// The direct light of points, spots, suns and skies, and of surfaces that give light themselves,
/// falls on faces unless solid brushes of the world, or of entities whose keys say so, stand
/// between; then it is thrown between patches of some luxels. Static props whose models `textures`
/// finds cast shadows (`prop_shadows`).
///
/// NULL on failure: with BSP_E_ARGUMENT for options beyond their ranges or that the rules do not
/// know (`soft`, `grid`); with BSP_E_UNSUPPORTED for families whose light has another form
/// (Titanfall), and for a Quake 3 map whose pages are beside it where the options give none; with
/// BSP_E_UNEXPLAINED where no light that the map names explains the light that it has, unless
/// `force` is set; with BSP_E_CANCELLED when the progress says so; without memory, or over a limit.
/// Free with bsp_relight_free.
BSP_API bsp_relight *bsp_relight_build(const bsp_map *map, const bsp_file *file,
                                       const bsp_relight_options *options, bsp_error *error);
/// Frees light. NULL is allowed and does nothing.
BSP_API void bsp_relight_free(bsp_relight *relight);

// --- parts --------------------------------------------------------------------------------------

/// The most parts that the work on one map is divided into.
#define BSP_RELIGHT_MOST_PARTS 65536u

/// Does part `number` (from 1) of `count` of the work that bsp_relight_build does: the direct light
/// of every `count`-th face. Parts need nothing of one another, and can be made on different
/// machines; what surfaces throw back is made by the merge. Fails as bsp_relight_build does, and
/// with BSP_E_ARGUMENT for a part that there is not. The caller frees `out`, a file, with
/// bsp_blob_free; nothing is in it on failure. Parts of LDR and of HDR light may stand in one file,
/// one after another: the merge takes those of its options.
BSP_API bool bsp_relight_part_make(const bsp_map *map, const bsp_file *file,
                                   const bsp_relight_options *options, uint32_t number,
                                   uint32_t count, bsp_blob *out, bsp_error *error);

/// Reads which part a file is. Fails with BSP_E_FORMAT for bytes that are none, and with
/// BSP_E_DAMAGED where the checksum in it differs; both numbers are 0 then.
BSP_API bool bsp_relight_part_read(bsp_bytes bytes, uint32_t *number, uint32_t *count,
                                   bsp_error *error);

/// Does what bsp_relight_build does, to the same bits, with the help of all parts, in any order.
/// Fails as both of these do, and with BSP_E_ARGUMENT when a part is missing, there twice, of
/// another map or of other options: the message names it. NULL on failure; free with
/// bsp_relight_free.
BSP_API bsp_relight *bsp_relight_merge(const bsp_map *map, const bsp_file *file,
                                       const bsp_relight_options *options, const bsp_bytes *parts,
                                       uint32_t num_parts, bsp_error *error);

// --- comparing and writing ----------------------------------------------------------------------

/// The steps of a histogram of differences.
#define BSP_RELIGHT_STEPS 256

/// How light differs from that of a map, luxel by luxel, the styles of a face at full strength and
/// summed, in steps of a byte (Source: after a gamma of 2.2).
typedef struct bsp_relight_difference {
    uint64_t num_luxels; ///< that both have
    double stored_mean;  ///< 0..255
    double mean;         ///< the same of the new light
    /// How many luxels differ by so much in the channel that differs most, rounded down.
    uint64_t steps[BSP_RELIGHT_STEPS];
} bsp_relight_difference;

/// Compares light, as bsp_relight_build made it, with that of the map that it was made for. `out`
/// is set; without luxels to compare all of it is 0.
BSP_API void bsp_relight_compare(const bsp_relight *relight, bsp_relight_difference *out);

/// The changes to a file that give it other light.
typedef struct bsp_relight_changes {
    const bsp_lump_change *changes; ///< for bsp_file_plan
    uint32_t num_changes;
    /// Quake: the same luxels in colour, the bytes of NAME.lit; else empty.
    bsp_bytes light_file;
    void *owner; ///< private
} bsp_relight_changes;

/// Makes the lumps that hold light: luxels, and the faces, which say where theirs are; of Quake 3
/// the pages, the vertices with their colours, and the light grid; of Source the ambient samples.
/// Lumps that hold the same luxels in another form are made too (RGBLIGHTING, LIGHTING_E5BGR9),
/// those that say where they are (LMOFFSET, DECOUPLED_LM) and of which styles (LMSTYLE, LMSTYLE16),
/// that of the directions that light comes from (LIGHTINGDIR; Quake 3: every second page), and the
/// samples of LIGHTGRID_OCTREE. `file` is the one that the map was loaded from. NULL on failure;
/// free with bsp_relight_changes_free, after the plan that is made of it.
BSP_API bsp_relight_changes *bsp_relight_lumps(const bsp_relight *relight, const bsp_map *map,
                                               const bsp_file *file, const bsp_allocator *allocator,
                                               bsp_error *error);
/// Frees what bsp_relight_lumps returned. NULL is allowed and does nothing.
BSP_API void bsp_relight_changes_free(bsp_relight_changes *changes);

#ifdef __cplusplus
}
#endif
#endif
