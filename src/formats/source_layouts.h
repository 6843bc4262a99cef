// SPDX-License-Identifier: MIT
// The record layouts of Valve Source, for the branch tables of source.c. A layout that differs by
// version ends in the number of the BSP version or of the lump version.
#ifndef BSPI_SOURCE_LAYOUTS_H
#define BSPI_SOURCE_LAYOUTS_H

#include "formats/source_flags.h"
#include "formats/table.h"

/// The row of the game lump. Its only variant is an entry of its directory.
#define GAME_LUMP_ROW(index, entries)                                                              \
    {                                                                                              \
        (index), "GAME_LUMP", BSP_ID_GAME_LUMP, BSP_KIND_GAME, (entries), LENGTH(entries), NULL,   \
            0, NO_LIMIT, NULL                                                                      \
    }

/// Lumps of the game lump that are the same in nearly all branches.
#define DETAIL_GAME_LUMPS                                                                          \
    GAME_LUMP("dprp", DETAIL_PROPS, bspi_detail_prop_lists),                                       \
        GAME_LUMP("dplt", DETAIL_LIGHT, bspi_detail_light_lists),                                  \
        GAME_LUMP("dplh", DETAIL_LIGHT_HDR, bspi_detail_light_hdr_lists),

/// The sections of the occlusion lump; the argument is the layout of an occluder.
#define OCCLUSION_SECTIONS(occluder)                                                               \
    {                                                                                              \
        SECTION("occluders", OCCLUDERS, occluder),                                                 \
            SECTION("polys", OCCLUDER_POLYS, bspi_doccluderpolydata_t),                            \
            SECTION("indices", OCCLUDER_INDICES, bspi_occluderindex_t),                            \
    }

// source.c: the head and directory of most VBSP files, an entry of the game lump, and the traits of
// the branches from version 21 on.
extern const bsp_layout bspi_lump_t, bspi_map_revision_t, bspi_dgamelump_t;
extern const bsp_shape bspi_source_shape;
extern const bsp_traits bspi_source_21_traits;
/// The behaviour of engine and tools that all branches share.
#define SOURCE_BEHAVIOUR                                                                           \
    .surface =                                                                                     \
        {                                                                                          \
            .sky = BSPI_SURF_SKY_2D | BSPI_SURF_SKY,                                               \
            .hidden = BSPI_SURF_TRIGGER | BSPI_SURF_NODRAW | BSPI_SURF_HINT | BSPI_SURF_SKIP,      \
            .liquid = BSPI_SURF_WARP,                                                              \
            .translucent = BSPI_SURF_TRANS,                                                        \
            .tools = true,                                                                         \
            .directed = true,                                                                      \
    },                                                                                             \
    .look = {.modes = true, .amount = 255, .has_none = true, .hides = 0x20},                       \
    .clip = BSP_CLIP_SOURCE, .contents_names = BSP_CONTENTS_SOURCE,                                \
    .vis = {.checked = true,                                                                       \
            .visible = 0xff,                                                                       \
            .through = BSPI_SOURCE_DETAIL | BSPI_SOURCE_TRANSLUCENT,                               \
            .detail = BSPI_SOURCE_DETAIL,                                                          \
            .skies = true},                                                                        \
    .sight_mask = BSPI_SOURCE_SOLID | BSPI_SOURCE_BLOCK_LOS | BSPI_SOURCE_MOVEABLE,                \
    .game_code = BSP_CODE_SOURCE, .texture_source = BSP_TEXTURES_VMT, .sky_source = BSP_SKIES_VMT, \
    .areas = {.key = "portalnumber", .state = "StartOpen", .doors = true, .outputs = true},        \
    .eye_height = 64,                                                                              \
    .lights = {BSP_FALLOFF_HUNDRED, 45, "_cone", 1, .compiler = BSP_COMPILER_VRAD},                \
    .decompile = BSP_DECOMPILE_SOURCE, .either_order = true, .told_games = true

// source_layouts.c: textures, tree, brushes, areas, primitives and the small lumps.
extern const bsp_layout bspi_dtexdata_t, bspi_texinfo_t, bspi_texdata_string_t;
extern const bsp_layout bspi_dnode_t, bspi_dleaf_t, bspi_dleaf_version_0_t, bspi_dmodel_t;
extern const bsp_layout bspi_leafface_t, bspi_leafbrush_t;
extern const bsp_layout bspi_dbrush_t, bspi_dbrushside_t, bspi_dbrushside_21_t;
extern const bsp_layout bspi_darea_t, bspi_dareaportal_t, bspi_vector_t;
extern const bsp_layout bspi_dportal_t, bspi_dcluster_t, bspi_portalvert_t, bspi_clusterportal_t;
extern const bsp_layout bspi_vertnormal_t, bspi_vertnormalindex_t;
extern const bsp_layout bspi_dprimitive_t, bspi_dprimvert_t, bspi_primindex_t;
extern const bsp_layout bspi_dleafwaterdata_t, bspi_leafmindist_t, bspi_dflagslump_t;
extern const bsp_layout bspi_doccluderdata_0_t, bspi_doccluderdata_t, bspi_doccluderpolydata_t;
extern const bsp_layout bspi_occluderindex_t;
extern const bsp_layout bspi_propcollision_t, bspi_prophull_t, bspi_proptris_t;

// source_faces.c: faces of every version. In original faces and faces of the HDR lump some fields
// have other roles.
extern const bsp_layout bspi_dface_t, bspi_dface_hdr_t, bspi_dface_original_t;
extern const bsp_layout bspi_dface_17_t, bspi_dface_original_17_t;
extern const bsp_layout bspi_dface_18_t, bspi_dface_original_18_t;
extern const bsp_layout bspi_dface_vampire_t, bspi_dface_original_vampire_t;
extern const bsp_layout bspi_dface_infra_t, bspi_dface_hdr_infra_t;
extern const bsp_layout bspi_dface_strata_t, bspi_dface_hdr_strata_t, bspi_dface_original_strata_t;
extern const bsp_layout bspi_dface_vindictus_1_t, bspi_dface_hdr_vindictus_1_t;
extern const bsp_layout bspi_dface_original_vindictus_1_t;
extern const bsp_layout bspi_dface_vindictus_t, bspi_dface_hdr_vindictus_t;
extern const bsp_layout bspi_dface_original_vindictus_t;
extern const bsp_layout bspi_dface_cso2_t, bspi_dface_hdr_cso2_t, bspi_dface_original_cso2_t;
extern const bsp_layout bspi_dfaceid32_t, bspi_dfacebrushlist32_t;
extern const bsp_layout bspi_dfaceid_t, bspi_macrotexture_t;
extern const bsp_layout bspi_facebrush_t, bspi_dfacebrushlist_t;

// source_disp.c: displacements.
extern const bsp_layout bspi_ddispinfo_t, bspi_ddispinfo_17_t;
extern const bsp_layout bspi_ddispinfo_22_t, bspi_ddispinfo_23_t;
extern const bsp_layout bspi_ddispinfo_strata_t, bspi_ddispinfo_vindictus_t;
extern const bsp_layout bspi_dispvert_t, bspi_disptri_t, bspi_dispmultiblend_t;

// source_light.c: light and reflections.
extern const bsp_layout bspi_ColorRGBExp32, bspi_dworldlight_0_t, bspi_dworldlight_t;
extern const bsp_layout bspi_dleafambientindex_t, bspi_dleafambientindex_hdr_t;
extern const bsp_layout bspi_dworldlight_dark_messiah_t;
extern const bsp_layout bspi_dleafambientindex32_t, bspi_dleafambientindex32_hdr_t;
extern const bsp_layout bspi_dleafambientlighting_t, bspi_CompressedLightCube;
extern const bsp_layout bspi_dlightmappage_t, bspi_dlightmappageinfo_t;
extern const bsp_layout bspi_dcubemapsample_t;

// source_overlays.c
extern const bsp_layout bspi_doverlay_t, bspi_dwateroverlay_t;
extern const bsp_layout bspi_doverlay_dota_t, bspi_doverlay_wide_t, bspi_dwateroverlay_wide_t;
extern const bsp_layout bspi_doverlayfade_t, bspi_doverlaysystemlevel_t;

// source_wide.c: records with 32 bits where others have 16, and the longer ones of Dark Messiah.
extern const bsp_layout bspi_dnode_strata_t, bspi_dnode_vindictus_t;
extern const bsp_layout bspi_dleaf_strata_t, bspi_dleaf_vindictus_t;
extern const bsp_layout bspi_leafface32_t, bspi_leafbrush32_t;
extern const bsp_layout bspi_dbrushside_strata_t, bspi_dbrushside_vindictus_t;
extern const bsp_layout bspi_dareaportal32_t, bspi_vertnormalindex32_t, bspi_dleafwaterdata32_t;
extern const bsp_layout bspi_dprimitive32_t, bspi_primindex32_t;
extern const bsp_layout bspi_texinfo_dark_messiah_t, bspi_dmodel_dark_messiah_t;

// static_props.c: records, and the sections of the game lump "sprp". The lists up to version 20 and
// the later ones differ in the layout of version 11 with 80 bytes.
extern const bsp_layout bspi_static_prop_4_t, bspi_static_prop_5_t, bspi_static_prop_5_ship_t;
extern const bsp_layout bspi_static_prop_6_t, bspi_static_prop_6_bgt_t;
extern const bsp_layout bspi_static_prop_6_dark_messiah_t;
extern const bsp_layout bspi_static_prop_7_t, bspi_static_prop_7_zeno_t, bspi_static_prop_7_ftb_t;
extern const bsp_layout bspi_static_prop_8_t, bspi_static_prop_8_vindictus_t;
extern const bsp_layout bspi_static_prop_9_t, bspi_static_prop_9_dear_esther_t;
extern const bsp_layout bspi_static_prop_10_t, bspi_static_prop_10_csgo_t;
extern const bsp_layout bspi_static_prop_11_lite_t, bspi_static_prop_11_black_mesa_t;
extern const bsp_layout bspi_static_prop_11_csgo_t, bspi_static_prop_13_t;
extern const bsp_layout bspi_static_prop_4_cso2_t, bspi_static_prop_6_cso2_t;
extern const bsp_layout bspi_static_prop_7_cso2_t;
extern const bsp_layout bspi_static_prop_12_titanfall_t, bspi_static_prop_13_titanfall2_t;
extern const bsp_layout bspi_static_prop_model_t, bspi_static_prop_leaf_t;
extern const bsp_layout bspi_static_prop_leaf32_t, bspi_static_prop_scale_t;

#define BSPI_NUM_STATIC_PROP_LISTS 21
extern const bsp_section_list bspi_static_prop_lists[BSPI_NUM_STATIC_PROP_LISTS];
extern const bsp_section_list bspi_static_prop_21_lists[BSPI_NUM_STATIC_PROP_LISTS];
#define BSPI_NUM_CSO2_PROP_LISTS 4
extern const bsp_section_list bspi_static_prop_cso2_lists[BSPI_NUM_CSO2_PROP_LISTS];
#define BSPI_NUM_VINDICTUS_PROP_LISTS 6
extern const bsp_section_list bspi_static_prop_vindictus_lists[BSPI_NUM_VINDICTUS_PROP_LISTS];

// detail_props.c: the sections of "dprp", "dplt" and "dplh".
extern const bsp_layout bspi_detail_object_t, bspi_detail_sprite_t, bspi_detail_model_t;
extern const bsp_layout bspi_detail_light_style_t, bspi_detail_object_cso2_t;
extern const bsp_section_list bspi_detail_prop_lists[2];
extern const bsp_section_list bspi_detail_prop_cso2_lists[2];
extern const bsp_section_list bspi_detail_light_lists[1];
extern const bsp_section_list bspi_detail_light_hdr_lists[1];

#endif
