// SPDX-License-Identifier: MIT
// The record layouts of Respawn's rBSP, for the branch tables of titanfall.c. The name of a layout
// that differs by game ends in the game.
#ifndef BSPI_TITANFALL_LAYOUTS_H
#define BSPI_TITANFALL_LAYOUTS_H

#include "formats/source_layouts.h"

// titanfall_meshes.c: meshes and materials.
extern const bsp_layout bspi_titanfall_texdata_t, bspi_titanfall_model_t;
extern const bsp_layout bspi_titanfall_vertexunlit_t, bspi_titanfall_vertexlitflat_t;
extern const bsp_layout bspi_titanfall_vertexlitbump_t, bspi_titanfall_vertexunlitts_t;
extern const bsp_layout bspi_titanfall_vertexblinnphong_t;
extern const bsp_layout bspi_titanfall_mesh_t, bspi_titanfall2_mesh_t;
extern const bsp_layout bspi_titanfall_meshindex_t, bspi_titanfall_meshbounds_t;
extern const bsp_layout bspi_titanfall_materialsort_t, bspi_titanfall_lightmapheader_t;

extern const bsp_layout bspi_apex_texdata_t, bspi_apex_model_t;
extern const bsp_layout bspi_apex_vertexunlit_t, bspi_apex_vertexlitbump_t;
extern const bsp_layout bspi_apex_vertexunlitts_t, bspi_apex_vertexblinnphong_t;
extern const bsp_layout bspi_apex_mesh_t, bspi_apex_materialsort_t;

// titanfall_collision.c: collision.
extern const bsp_layout bspi_titanfall_cmgrid_t, bspi_titanfall_cmgridcell_t;
extern const bsp_layout bspi_titanfall_cmgeoset_t, bspi_titanfall_cmprimitive_t;
extern const bsp_layout bspi_titanfall_cmbounds_t, bspi_titanfall_cmcontents_t;
extern const bsp_layout bspi_titanfall_cmbrush_t, bspi_titanfall_cmplaneoffset_t;
extern const bsp_layout bspi_titanfall_cmsideproperty_t, bspi_titanfall_cmsidetexvecs_t;

// titanfall_space.c: cells and the portals between them, bounds of meshes and props, occluders,
// water, collision triangles.
extern const bsp_layout bspi_titanfall_vector_t;
extern const bsp_layout bspi_titanfall_leafwater_t;
extern const bsp_layout bspi_titanfall_cellbspnode_t, bspi_titanfall_cell_t, bspi_apex_cell_t;
extern const bsp_layout bspi_titanfall_portal_t, bspi_titanfall_portaledge_t;
extern const bsp_layout bspi_titanfall_portalvertref_t, bspi_titanfall_portaledgeref_t;
extern const bsp_layout bspi_titanfall_edgeset_t, bspi_titanfall_vertset_t,
    bspi_titanfall_setrange_t;
extern const bsp_layout bspi_titanfall_occlusionindex_t;
extern const bsp_layout bspi_titanfall_cellaabbnode_t, bspi_titanfall_csmaabbnode_t;
extern const bsp_layout bspi_apex_cellaabbnode_t, bspi_apex_csmaabbnode_t,
    bspi_apex_50_csmaabbnode_t;
extern const bsp_layout bspi_titanfall_objref_t, bspi_titanfall_objref32_t;
extern const bsp_layout bspi_titanfall_objrefbounds_t;
extern const bsp_layout bspi_titanfall_levelinfo_t, bspi_apex_levelinfo_t;
extern const bsp_layout bspi_titanfall_tricolltri_t, bspi_titanfall_tricollheader_t;
extern const bsp_layout bspi_titanfall_bevelstart_t, bspi_titanfall_bevelindex_t;

// titanfall_light.c: lights, probes, shadows, cubemaps.
extern const bsp_layout bspi_titanfall_cubemap_t;
extern const bsp_layout bspi_titanfall_worldlight_1_t, bspi_titanfall_worldlight_2_t,
    bspi_titanfall_worldlight_3_t;
extern const bsp_layout bspi_titanfall_worldlightparent_t;
extern const bsp_layout bspi_titanfall_lightprobe_t, bspi_apex_51_lightprobe_t;
extern const bsp_layout bspi_titanfall_lightproberef_t, bspi_titanfall2_lightproberef_t;
extern const bsp_layout bspi_titanfall_lightprobetree_t, bspi_titanfall_lightprobeparent_t;
extern const bsp_layout bspi_titanfall_lightprobebspnode_t, bspi_titanfall_propprobeindex_t;
extern const bsp_layout bspi_titanfall_shadowenvironment_t;
extern const bsp_layout bspi_titanfall_shadowmesh_t, bspi_titanfall_shadowalphavert_t,
    bspi_titanfall_shadowindex_t;
extern const bsp_layout bspi_titanfall_lightmappage_t;

// apex_space.c: the collision and the water of Apex Legends.
extern const bsp_layout bspi_apex_contentsmask_t, bspi_apex_surfaceproperty_t;
extern const bsp_layout bspi_apex_bvhnode_t, bspi_apex_bvhleaf_t, bspi_apex_packedvert_t;
extern const bsp_layout bspi_apex_heightfield_t, bspi_apex_heightsample_t;
extern const bsp_layout bspi_apex_csmref_t, bspi_apex_cellref_t, bspi_apex_ambientrcp_t;
extern const bsp_layout bspi_apex_waterbody_t, bspi_apex_watervert_t, bspi_apex_waterindex_t;

// titanfall_props.c: the sections of the game lump "sprp".
extern const bsp_section_list bspi_titanfall_prop_lists[1];
extern const bsp_section_list bspi_titanfall_prop_13_lists[1];
extern const bsp_section_list bspi_titanfall_prop_apex_lists[1];

#endif
