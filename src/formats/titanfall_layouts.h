// SPDX-License-Identifier: MIT
// The record layouts of Respawn's rBSP, for the branch tables of titanfall.c. A layout that differs
// by game ends in the game that has it.
#ifndef BSPI_TITANFALL_LAYOUTS_H
#define BSPI_TITANFALL_LAYOUTS_H

#include "formats/source_layouts.h"

// titanfall_meshes.c: what is drawn, and of what.
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

// titanfall_collision.c: what things bump into.
extern const bsp_layout bspi_titanfall_cmgrid_t, bspi_titanfall_cmgridcell_t;
extern const bsp_layout bspi_titanfall_cmgeoset_t, bspi_titanfall_cmprimitive_t;
extern const bsp_layout bspi_titanfall_cmbounds_t, bspi_titanfall_cmcontents_t;
extern const bsp_layout bspi_titanfall_cmbrush_t, bspi_titanfall_cmplaneoffset_t;
extern const bsp_layout bspi_titanfall_cmsideproperty_t, bspi_titanfall_cmsidetexvecs_t;

#endif
