// SPDX-License-Identifier: MIT
// Light of Respawn's maps: cubemaps, world lights, probes, shadows. Sources: sheet source-versions
// (8) and the branch scripts of bsp_tool; world lights were checked against the map of the corpus.
#include "formats/titanfall_layouts.h"

// clang-format off

static const bsp_field cubemap_fields[] = {
    { NAME("origin"),  I32(3), MAP(cubemap, origin) },
    { NAME("unknown"), U32(1) },
};
FAMILY_LAYOUT(titanfall, cubemap_t, 16, cubemap_fields);

// --- world lights -------------------------------------------------------------------------------

// As Valve's version 1, but with a texdata instead of a texinfo.
#define LIGHT \
    { NAME("origin"),         F32(3), MAP(world_light, origin) }, \
    { NAME("intensity"),      F32(3), MAP(world_light, intensity) }, \
    { NAME("normal"),         F32(3), MAP(world_light, normal) }, \
    { NAME("shadowOffset"),   F32(3), MAP(world_light, shadow_cast_offset) }, \
    { NAME("visCluster"),     I32(1) }, \
    { NAME("type"),           I32(1), MAP(world_light, type) }, \
    { NAME("style"),          I32(1), MAP(world_light, style) }, \
    { NAME("stopdot"),        F32(1), MAP(world_light, stopdot) }, \
    { NAME("stopdot2"),       F32(1), MAP(world_light, stopdot2) }, \
    { NAME("exponent"),       F32(1), MAP(world_light, exponent) }, \
    { NAME("radius"),         F32(1), MAP(world_light, radius) }, \
    { NAME("constant_attn"),  F32(1), MAP(world_light, constant_attn) }, \
    { NAME("linear_attn"),    F32(1), MAP(world_light, linear_attn) }, \
    { NAME("quadratic_attn"), F32(1), MAP(world_light, quadratic_attn) }, \
    { NAME("flags"),          I32(1), ROLE(FLAGS), MAP(world_light, flags) }, \
    { NAME("texdata"),        I32(1), INDEX_NONE(TEXTURES) }, \
    { NAME("owner"),          I32(1), MAP(world_light, owner) },
#define LIGHT_2 LIGHT { NAME("unknown1"), F32(1) }, { NAME("unknown2"), F32(1) },
#define LIGHT_3 LIGHT_2 { NAME("unknown3"), F32(1) },

static const bsp_field world_light_1_fields[] = { LIGHT };
FAMILY_LAYOUT(titanfall, worldlight_1_t, 100, world_light_1_fields);
static const bsp_field world_light_2_fields[] = { LIGHT_2 };
FAMILY_LAYOUT(titanfall, worldlight_2_t, 108, world_light_2_fields);
static const bsp_field world_light_3_fields[] = { LIGHT_3 };
FAMILY_LAYOUT(titanfall, worldlight_3_t, 112, world_light_3_fields);

static const bsp_field world_light_parent_fields[] = {
    { NAME("matrix"),     F32(12) },
    { NAME("origin"),     F32(3) },
    { NAME("unknown1"),   F32(3) },
    { NAME("unknown2"),   I16(1) },
    { NAME("worldLight"), I16(1), INDEX_NONE(WORLD_LIGHTS) },
};
FAMILY_LAYOUT(titanfall, worldlightparent_t, 76, world_light_parent_fields);

// --- light probes -------------------------------------------------------------------------------

// Six colours, and up to four static lights by weight and number (-1 for none). Doubt: what the
// numbers count, so they are not indices here.
#define PROBE \
    { NAME("cube"),               U8(24) }, \
    { NAME("skyDirSunVis"),       I16(4) }, \
    { NAME("staticLightWeights"), U8(4) }, \
    { NAME("staticLightIndices"), I16(4) },

static const bsp_field light_probe_fields[] = { PROBE { NAME("padding"), U32(1) }, };
FAMILY_LAYOUT(titanfall, lightprobe_t, 48, light_probe_fields);
// Apex Legends from version 51 on.
static const bsp_field light_probe_51_fields[] = { PROBE };
FAMILY_LAYOUT(apex_51, lightprobe_t, 44, light_probe_51_fields);

static const bsp_field light_probe_ref_fields[] = {
    { NAME("origin"),     F32(3) },
    { NAME("lightProbe"), U32(1), INDEX(LIGHT_PROBES) },
};
FAMILY_LAYOUT(titanfall, lightproberef_t, 16, light_probe_ref_fields);

static const bsp_field light_probe_ref_2_fields[] = {
    { NAME("origin"),     F32(3) },
    { NAME("lightProbe"), U32(1), INDEX(LIGHT_PROBES) },
    { NAME("unknown"),    I32(1) },
};
FAMILY_LAYOUT(titanfall2, lightproberef_t, 20, light_probe_ref_2_fields);

// Nodes and leaves share one record: the second word is a count in a leaf, a float in a node.
static const bsp_field light_probe_tree_fields[] = {
    { NAME("tag"),        U32(1) },
    { NAME("numEntries"), U32(1) },
};
FAMILY_LAYOUT(titanfall, lightprobetree_t, 8, light_probe_tree_fields);

static const bsp_field light_probe_parent_fields[] = {
    { NAME("index"),          I32(1) },
    { NAME("firstProbe"),     U32(1), FIRST(LIGHT_PROBES) },
    { NAME("numProbes"),      U32(1), COUNT(LIGHT_PROBES) },
    { NAME("firstReference"), U32(1), FIRST(LIGHT_PROBE_REFS) },
    { NAME("numReferences"),  U32(1), COUNT(LIGHT_PROBE_REFS) },
    { NAME("firstTree"),      U32(1), FIRST(LIGHT_PROBE_TREE) },
    { NAME("numTrees"),       U32(1), COUNT(LIGHT_PROBE_TREE) },
};
FAMILY_LAYOUT(titanfall, lightprobeparent_t, 28, light_probe_parent_fields);

// What a child that is not a node refers to is not known.
static const bsp_field light_probe_bsp_node_fields[] = {
    { NAME("normal"),   F32(3), ROLE(NORMAL) },
    { NAME("dist"),     F32(1) },
    { NAME("children"), U32(2) },
};
FAMILY_LAYOUT(titanfall, lightprobebspnode_t, 24, light_probe_bsp_node_fields);

// Parallel to the static props. Doubt: a probe or a reference, so it is not an index here.
static const bsp_field prop_probe_fields[] = { { NAME(""), U32(1) } };
FAMILY_LAYOUT(titanfall, propprobeindex_t, 4, prop_probe_fields);

// --- shadows ------------------------------------------------------------------------------------

// One per light_environment. The last fields are not counts.
static const bsp_field shadow_environment_fields[] = {
    { NAME("firstCSMAABBNode"),     I32(1) },
    { NAME("firstCSMObjReference"), I32(1) },
    { NAME("firstShadowMesh"),      I32(1) },
    { NAME("lastCSMAABBNode"),      I32(1) },
    { NAME("lastCSMObjReference"),  I32(1) },
    { NAME("lastShadowMesh"),       I32(1) },
    { NAME("sunNormal"),            F32(3), ROLE(NORMAL) },
};
FAMILY_LAYOUT(titanfall, shadowenvironment_t, 36, shadow_environment_fields);

// The indices of a mesh begin where those of the mesh before it end. They count from vertexOffset,
// in the lump of opaque or of alpha vertices.
static const bsp_field shadow_mesh_fields[] = {
    { NAME("vertexOffset"), U32(1) },
    { NAME("numTriangles"), U32(1) },
    { NAME("isOpaque"),     I16(1) },
    { NAME("materialSort"), I16(1), INDEX_NONE(MATERIAL_SORTS) },
};
FAMILY_LAYOUT(titanfall, shadowmesh_t, 12, shadow_mesh_fields);

static const bsp_field shadow_alpha_vert_fields[] = {
    { NAME("position"), F32(3) },
    { NAME("uv"),       F32(2) },
};
FAMILY_LAYOUT(titanfall, shadowalphavert_t, 20, shadow_alpha_vert_fields);

static const bsp_field shadow_index_fields[] = { { NAME(""), U16(1) } };
FAMILY_LAYOUT(titanfall, shadowindex_t, 2, shadow_index_fields);

// --- light maps ---------------------------------------------------------------------------------

// The world lights of a page of real-time light.
static const bsp_field lightmap_page_fields[] = { { NAME(""), I16(63), INDEX_NONE(WORLD_LIGHTS) } };
FAMILY_LAYOUT(titanfall, lightmappage_t, 126, lightmap_page_fields);
// clang-format on
