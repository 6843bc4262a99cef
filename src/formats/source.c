// SPDX-License-Identifier: MIT
// Valve Source: VBSP versions 17 to 21 (big-endian console files are the same branches). The base
// is version 20; the others state what differs. Sources: sheets source-lumps and source-versions,
// the seed source-bsp-2025. Records: source_*.c, static_props.c, detail_props.c; branches whose
// records are not described: source_opaque.c.
#include "formats/source_layouts.h"
#include "formats/rules.h"

#include "core/reader.h"

// clang-format off

// --- head ---------------------------------------------------------------------------------------

// fourCC is the unpacked size of a compressed lump, else 0.
static const bsp_field lump_fields[] = {
    { NAME("fileofs"), I32(1), MAP(entry, offset) },
    { NAME("filelen"), I32(1), MAP(entry, size) },
    { NAME("version"), I32(1), MAP(entry, version) },
    { NAME("fourCC"),  U32(1), MAP(entry, fourcc) },
};
SHARED_LAYOUT(lump_t, 16, lump_fields);

static const bsp_field revision_fields[] = {
    { NAME("mapRevision"), I32(1), MAP(head, revision) },
};
SHARED_LAYOUT(map_revision_t, 4, revision_fields);

#define NUM_LUMPS 64
const bsp_shape bspi_source_shape = {
    &bspi_ident_head_t, &bspi_lump_t, NUM_LUMPS, &bspi_map_revision_t, false, 4,
};

static const bsp_field lump_left4dead2_fields[] = {
    { NAME("version"), I32(1), MAP(entry, version) },
    { NAME("fileofs"), I32(1), MAP(entry, offset) },
    { NAME("filelen"), I32(1), MAP(entry, size) },
    { NAME("fourCC"),  U32(1), MAP(entry, fourcc) },
};
static LAYOUT(lump_left4dead2_t, 16, lump_left4dead2_fields);

static const bsp_shape left4dead2_shape = {
    &bspi_ident_head_t, &lump_left4dead2_t, NUM_LUMPS, &bspi_map_revision_t, false, 4,
};

static const bsp_field game_lump_fields[] = {
    { NAME("id"),      U32(1), MAP(game, id) },
    { NAME("flags"),   U16(1), ROLE(FLAGS), MAP(game, flags) },
    { NAME("version"), U16(1), MAP(game, version) },
    { NAME("fileofs"), I32(1), MAP(game, offset) },
    { NAME("filelen"), I32(1), MAP(game, size) },
};
SHARED_LAYOUT(dgamelump_t, 16, game_lump_fields);

// --- version 20: the base -----------------------------------------------------------------------

ONE_LAYOUT(planes, bspi_dplane_t);
ONE_LAYOUT(texdatas, bspi_dtexdata_t);
ONE_LAYOUT(vertices, bspi_dvertex_t);
ONE_LAYOUT(nodes, bspi_dnode_t);
ONE_LAYOUT(texinfos, bspi_texinfo_t);
ONE_LAYOUT(face_ids, bspi_dfaceid_t);
ONE_LAYOUT(edges, bspi_dedge_t);
ONE_LAYOUT(surfedges, bspi_dsurfedge_t);
ONE_LAYOUT(models, bspi_dmodel_t);
ONE_LAYOUT(leaf_faces, bspi_leafface_t);
ONE_LAYOUT(leaf_brushes, bspi_leafbrush_t);
ONE_LAYOUT(brushes, bspi_dbrush_t);
ONE_LAYOUT(brush_sides, bspi_dbrushside_t);
ONE_LAYOUT(areas, bspi_darea_t);
ONE_LAYOUT(area_portals, bspi_dareaportal_t);
ONE_LAYOUT(disp_infos, bspi_ddispinfo_t);
ONE_LAYOUT(original_faces, bspi_dface_original_t);
ONE_LAYOUT(vert_normals, bspi_vertnormal_t);
ONE_LAYOUT(vert_normal_indices, bspi_vertnormalindex_t);
ONE_LAYOUT(alphas, bspi_bare_u8_t);
ONE_LAYOUT(disp_verts, bspi_dispvert_t);
ONE_LAYOUT(game_lump_entries, bspi_dgamelump_t);
ONE_LAYOUT(leaf_waters, bspi_dleafwaterdata_t);
ONE_LAYOUT(primitives, bspi_dprimitive_t);
ONE_LAYOUT(prim_verts, bspi_dprimvert_t);
ONE_LAYOUT(prim_indices, bspi_primindex_t);
ONE_LAYOUT(vectors, bspi_vector_t);
ONE_LAYOUT(cubemaps, bspi_dcubemapsample_t);
ONE_LAYOUT(strings, bspi_texdata_string_t);
ONE_LAYOUT(overlays, bspi_doverlay_t);
ONE_LAYOUT(leaf_min_dists, bspi_leafmindist_t);
ONE_LAYOUT(macro_textures, bspi_macrotexture_t);
ONE_LAYOUT(disp_tris, bspi_disptri_t);
ONE_LAYOUT(water_overlays, bspi_dwateroverlay_t);
ONE_LAYOUT(ambient_index, bspi_dleafambientindex_t);
ONE_LAYOUT(ambient_index_hdr, bspi_dleafambientindex_hdr_t);
ONE_LAYOUT(faces_hdr, bspi_dface_hdr_t);
ONE_LAYOUT(map_flags, bspi_dflagslump_t);
ONE_LAYOUT(overlay_fades, bspi_doverlayfade_t);

// Where a lump version is stated although all have the same layout, it is the one that compilers
// write, and that is written into new maps.
static const bsp_variant faces[] = {
    { 1, &bspi_dface_t },
    { BSP_ANY_VERSION, &bspi_dface_t },
};
static const bsp_variant light[] = {
    { 1, &bspi_ColorRGBExp32 },
    { BSP_ANY_VERSION, &bspi_ColorRGBExp32 },
};

// Some version 20 maps have records of 32 bytes in a lump of version 0, so the size decides before
// the version.
static const bsp_variant leaves[] = {
    { 1, &bspi_dleaf_t },
    { BSP_ANY_VERSION, &bspi_dleaf_t },
    { BSP_ANY_VERSION, &bspi_dleaf_version_0_t },
};

static const bsp_variant world_lights[] = {
    { 0, &bspi_dworldlight_0_t },
    { 1, &bspi_dworldlight_t },
};

static const bsp_variant ambient[] = {
    { 1, &bspi_dleafambientlighting_t },
    { BSP_ANY_VERSION, &bspi_CompressedLightCube },
    { BSP_ANY_VERSION, &bspi_dleafambientlighting_t },
};

static const bsp_section occlusion_0[] = OCCLUSION_SECTIONS(bspi_doccluderdata_0_t);
static const bsp_section occlusion_2[] = OCCLUSION_SECTIONS(bspi_doccluderdata_t);

static const bsp_section_list occlusion[] = {
    SECTION_LIST(2, 4, occlusion_2),
    SECTION_LIST(0, 4, occlusion_0),
    SECTION_LIST(BSP_ANY_VERSION, 4, occlusion_2),
};

// Limits: sheet source-lumps (9). Those of displacement vertices and triangles are 2048 times what
// one displacement of the highest power has.
#define MAX_DISPS 2048
#define SOURCE_LUMPS_0_TO_21 \
    OTHER_LUMP(0, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT), \
    ARRAY_LUMP(1, "PLANES", PLANES, planes, RECORDS(65536)), \
    ARRAY_LUMP(2, "TEXDATA", TEXTURES, texdatas, RECORDS(2048)), \
    ARRAY_LUMP(3, "VERTEXES", VERTICES, vertices, RECORDS(65536)), \
    OTHER_LUMP(4, "VISIBILITY", VISIBILITY, VIS_OFFSETS, BYTES(0x1000000)), \
    ARRAY_LUMP(5, "NODES", NODES, nodes, RECORDS(65536)), \
    ARRAY_LUMP(6, "TEXINFO", TEXINFO, texinfos, RECORDS(12288)), \
    ARRAY_LUMP(7, "FACES", FACES, faces, RECORDS(65536)), \
    ARRAY_LUMP(8, "LIGHTING", LIGHTING, light, BYTES(0x1000000)), \
    SECTION_LUMP(9, "OCCLUSION", OCCLUDERS, occlusion, NO_LIMIT), \
    ARRAY_LUMP(10, "LEAFS", LEAVES, leaves, RECORDS(65536)), \
    ARRAY_LUMP(11, "FACEIDS", FACE_IDS, face_ids, RECORDS(65536)), \
    ARRAY_LUMP(12, "EDGES", EDGES, edges, RECORDS(256000)), \
    ARRAY_LUMP(13, "SURFEDGES", SURFEDGES, surfedges, RECORDS(512000)), \
    ARRAY_LUMP(14, "MODELS", MODELS, models, RECORDS(1024)), \
    ARRAY_LUMP(15, "WORLDLIGHTS", WORLD_LIGHTS, world_lights, RECORDS(8192)), \
    ARRAY_LUMP(16, "LEAFFACES", LEAF_FACES, leaf_faces, RECORDS(65536)), \
    ARRAY_LUMP(17, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes, RECORDS(65536)), \
    ARRAY_LUMP(18, "BRUSHES", BRUSHES, brushes, RECORDS(8192)), \
    ARRAY_LUMP(19, "BRUSHSIDES", BRUSH_SIDES, brush_sides, RECORDS(65536)), \
    ARRAY_LUMP(20, "AREAS", AREAS, areas, RECORDS(256)), \
    ARRAY_LUMP(21, "AREAPORTALS", AREA_PORTALS, area_portals, RECORDS(1024)),

#define SOURCE_LUMPS_26_TO_44 \
    ARRAY_LUMP(26, "DISPINFO", DISP_INFO, disp_infos, RECORDS(MAX_DISPS)), \
    ARRAY_LUMP(27, "ORIGINALFACES", ORIGINAL_FACES, original_faces, RECORDS(65536)), \
    OTHER_LUMP(28, "PHYSDISP", PHYS_DISP, PHYS_DISP, NO_LIMIT), \
    OTHER_LUMP(29, "PHYSCOLLIDE", PHYS_COLLIDE, PHYSICS, NO_LIMIT), \
    ARRAY_LUMP(30, "VERTNORMALS", VERT_NORMALS, vert_normals, RECORDS(256000)), \
    ARRAY_LUMP(31, "VERTNORMALINDICES", VERT_NORMAL_INDICES, vert_normal_indices, \
               RECORDS(256000)), \
    ARRAY_LUMP(32, "DISP_LIGHTMAP_ALPHAS", DISP_LIGHTMAP_ALPHAS, alphas, NO_LIMIT), \
    ARRAY_LUMP(33, "DISP_VERTS", DISP_VERTS, disp_verts, RECORDS(MAX_DISPS * 289)), \
    OTHER_LUMP(34, "DISP_LIGHTMAP_SAMPLE_POSITIONS", DISP_SAMPLE_POSITIONS, SAMPLES, NO_LIMIT), \
    GAME_LUMP_ROW(35, game_lump_entries), \
    ARRAY_LUMP(36, "LEAFWATERDATA", LEAF_WATER, leaf_waters, RECORDS(32768)), \
    ARRAY_LUMP(37, "PRIMITIVES", PRIMITIVES, primitives, RECORDS(32768)), \
    ARRAY_LUMP(38, "PRIMVERTS", PRIM_VERTS, prim_verts, RECORDS(65536)), \
    ARRAY_LUMP(39, "PRIMINDICES", PRIM_INDICES, prim_indices, RECORDS(65536)), \
    OTHER_LUMP(40, "PAKFILE", PAK, ZIP, NO_LIMIT), \
    ARRAY_LUMP(41, "CLIPPORTALVERTS", CLIP_PORTAL_VERTS, vectors, RECORDS(128000)), \
    ARRAY_LUMP(42, "CUBEMAPS", CUBEMAPS, cubemaps, RECORDS(1024)), \
    OTHER_LUMP(43, "TEXDATA_STRING_DATA", STRING_DATA, STRINGS, BYTES(256000)), \
    ARRAY_LUMP(44, "TEXDATA_STRING_TABLE", STRING_TABLE, strings, RECORDS(65536)),

// What is known of lumps that are left as bytes (public tables of lumps; no map at hand fills them).
#define XZIP_NOTE \
    "A pak of the Xbox, compressed in a way that is documented nowhere; no known map fills it."
#define PROP_BLOB_NOTE \
    "What PROPCOLLISION and the lumps after it refer to; its layout is documented nowhere."
#define PHYS_LEVEL_NOTE \
    "State of the physics engine for the whole level; its layout is documented nowhere."

// Lumps above 60 have no name in these headers. Left 4 Dead and Black Mesa use lump 61, each for
// something else.
static const bsp_lump_def source_20_lumps[] = {
    SOURCE_LUMPS_0_TO_21
    OTHER_LUMP(22, "UNUSED0", UNUSED, BYTES, NO_LIMIT),
    OTHER_LUMP(23, "UNUSED1", UNUSED, BYTES, NO_LIMIT),
    OTHER_LUMP(24, "UNUSED2", UNUSED, BYTES, NO_LIMIT),
    OTHER_LUMP(25, "UNUSED3", UNUSED, BYTES, NO_LIMIT),
    SOURCE_LUMPS_26_TO_44
    ARRAY_LUMP(45, "OVERLAYS", OVERLAYS, overlays, RECORDS(512)),
    ARRAY_LUMP(46, "LEAFMINDISTTOWATER", LEAF_WATER_DIST, leaf_min_dists, RECORDS(65536)),
    ARRAY_LUMP(47, "FACE_MACRO_TEXTURE_INFO", MACRO_TEXTURES, macro_textures, RECORDS(65536)),
    ARRAY_LUMP(48, "DISP_TRIS", DISP_TRIS, disp_tris, RECORDS(MAX_DISPS * 512)),
    OTHER_LUMP(49, "PHYSCOLLIDESURFACE", NONE, PHYSICS, NO_LIMIT),
    ARRAY_LUMP(50, "WATEROVERLAYS", WATER_OVERLAYS, water_overlays, RECORDS(16384)),
    ARRAY_LUMP(51, "LEAF_AMBIENT_INDEX_HDR", AMBIENT_INDEX_HDR, ambient_index_hdr, RECORDS(65536)),
    ARRAY_LUMP(52, "LEAF_AMBIENT_INDEX", AMBIENT_INDEX, ambient_index, RECORDS(65536)),
    ARRAY_LUMP(53, "LIGHTING_HDR", LIGHTING_HDR, light, BYTES(0x1000000)),
    ARRAY_LUMP(54, "WORLDLIGHTS_HDR", WORLD_LIGHTS_HDR, world_lights, RECORDS(8192)),
    ARRAY_LUMP(55, "LEAF_AMBIENT_LIGHTING_HDR", AMBIENT_HDR, ambient, NO_LIMIT),
    ARRAY_LUMP(56, "LEAF_AMBIENT_LIGHTING", AMBIENT, ambient, NO_LIMIT),
    BYTES_LUMP(57, "XZIPPAKFILE", XZIP, XZIP_NOTE),
    ARRAY_LUMP(58, "FACES_HDR", FACES_HDR, faces_hdr, RECORDS(65536)),
    ARRAY_LUMP(59, "MAP_FLAGS", MAP_FLAGS, map_flags, NO_LIMIT),
    ARRAY_LUMP(60, "OVERLAY_FADES", OVERLAY_FADES, overlay_fades, RECORDS(512)),
};

// Surfaces with SURF_SKY or SURF_NOLIGHT have no light, in every lit map of the corpus. Longest key
// and value: MAX_KEY and MAX_VALUE of bspfile.h. Entities: 4096 in 2004, 8192 later, 16384 since
// Alien Swarm (the seed's article).
#define TRAITS(entities, sum, year) { \
    .light = BSP_LIGHT_RGBEXP32, .has_brushes = true, .max_coord = 16384, \
    .unlit_flags = BSPI_SURF_SKY | BSPI_SURF_NOLIGHT, .max_entities = (entities), .max_key = 32, .max_value = 1024, \
    .dialect = BSP_DIALECT_VMF, \
    .checksum = BSP_CHECKSUM_##sum, .vrad_year = (year), SOURCE_BEHAVIOUR \
}
static const bsp_traits source_19_traits = TRAITS(4096, CRC_MD5_LUMPS, 2005);
static const bsp_traits source_20_traits = TRAITS(8192, CRC_MD5_LUMPS, 2006);
const bsp_traits bspi_source_21_traits = TRAITS(16384, CRC_OFFSETS, 2010);

static const bsp_game_lump_def source_20_game_lumps[] = {
    GAME_LUMP("sprp", STATIC_PROPS, bspi_static_prop_lists),
    DETAIL_GAME_LUMPS
};

const bsp_branch bspi_source_20 = {
    .name = "source_20",
    .title = "Source 2006 to 2013: Half-Life 2 episodes, Team Fortress 2, Portal, "
             "Counter-Strike: Source, Day of Defeat: Source, Left 4 Dead, Garry's Mod, "
             "Black Mesa, The Ship, Bloody Good Time, Zeno Clash, Postal III, Fairy Tale "
             "Busters and others; on Xbox 360 and PlayStation 3 (big-endian) too",
    .family = BSP_SOURCE, .magic = "VBSP", .version = 20,
    .shape = &bspi_source_shape, .traits = &source_20_traits,
    .lumps = source_20_lumps, .num_lumps = LENGTH(source_20_lumps),
    .game_lumps = source_20_game_lumps, .num_game_lumps = LENGTH(source_20_game_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- version 19 ---------------------------------------------------------------------------------

static const bsp_variant leaves_19[] = {
    { 0, &bspi_dleaf_version_0_t },
    { 1, &bspi_dleaf_t },
};

ONE_LAYOUT(portals, bspi_dportal_t);
ONE_LAYOUT(clusters, bspi_dcluster_t);
ONE_LAYOUT(portal_verts, bspi_portalvert_t);
ONE_LAYOUT(cluster_portals, bspi_clusterportal_t);
ONE_LAYOUT(light_pages, bspi_dlightmappage_t);
ONE_LAYOUT(light_page_infos, bspi_dlightmappageinfo_t);

// Lumps 51 and 52 are those of the original Xbox.
static const bsp_lump_def source_19_lumps[] = {
    ARRAY_LUMP(10, "LEAFS", LEAVES, leaves_19, RECORDS(65536)),
    ARRAY_LUMP(22, "PORTALS", VIS_PORTALS, portals, RECORDS(65536)),
    ARRAY_LUMP(23, "CLUSTERS", CLUSTERS, clusters, RECORDS(65536)),
    ARRAY_LUMP(24, "PORTALVERTS", VIS_PORTAL_VERTS, portal_verts, RECORDS(128000)),
    ARRAY_LUMP(25, "CLUSTERPORTALS", CLUSTER_PORTALS, cluster_portals, NO_LIMIT),
    ARRAY_LUMP(51, "LIGHTMAPPAGES", LIGHTMAP_PAGES, light_pages, NO_LIMIT),
    ARRAY_LUMP(52, "LIGHTMAPPAGEINFOS", LIGHTMAP_PAGE_INFOS, light_page_infos, NO_LIMIT),
};

static const bsp_branch bspi_source_19 = {
    .name = "source_19",
    .title = "Source 2004: Half-Life 2 (Xbox too), Half-Life 2: Deathmatch, "
             "Counter-Strike: Source, Half-Life: Source, SiN Episodes",
    .family = BSP_SOURCE, .base = &bspi_source_20, .magic = "VBSP", .version = 19,
    .traits = &source_19_traits, .lumps = source_19_lumps, .num_lumps = LENGTH(source_19_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- versions 18 and 17 -------------------------------------------------------------------------

// No lump version tells the size of leaves here. Doubt: in version 17 the seed gives leaves 32
// bytes, the sheet 56. Where both divide the lump, 56 is taken.
static const bsp_variant leaves_17[] = {
    { BSP_ANY_VERSION, &bspi_dleaf_version_0_t },
    { BSP_ANY_VERSION, &bspi_dleaf_t },
};

// Half-Life: Source has one map of version 18. Doubt: its faces may be those of version 19. The
// size decides.
static const bsp_variant faces_18[] = {
    { BSP_ANY_VERSION, &bspi_dface_18_t },
    { BSP_ANY_VERSION, &bspi_dface_t },
};
static const bsp_variant original_faces_18[] = {
    { BSP_ANY_VERSION, &bspi_dface_original_18_t },
    { BSP_ANY_VERSION, &bspi_dface_original_t },
};

static const bsp_lump_def source_18_lumps[] = {
    ARRAY_LUMP(7, "FACES", FACES, faces_18, RECORDS(65536)),
    ARRAY_LUMP(10, "LEAFS", LEAVES, leaves_17, RECORDS(65536)),
    ARRAY_LUMP(27, "ORIGINALFACES", ORIGINAL_FACES, original_faces_18, RECORDS(65536)),
};

static const bsp_branch bspi_source_18 = {
    .name = "source_18", .title = "Half-Life 2 beta (version 18), one map of Half-Life: Source", .family = BSP_SOURCE,
    .base = &bspi_source_19, .magic = "VBSP", .version = 18,
    .lumps = source_18_lumps, .num_lumps = LENGTH(source_18_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

ONE_LAYOUT(faces_17, bspi_dface_17_t);
ONE_LAYOUT(original_faces_17, bspi_dface_original_17_t);
ONE_LAYOUT(disp_infos_17, bspi_ddispinfo_17_t);

static const bsp_lump_def source_17_lumps[] = {
    ARRAY_LUMP(7, "FACES", FACES, faces_17, RECORDS(65536)),
    ARRAY_LUMP(26, "DISPINFO", DISP_INFO, disp_infos_17, RECORDS(MAX_DISPS)),
    ARRAY_LUMP(27, "ORIGINALFACES", ORIGINAL_FACES, original_faces_17, RECORDS(65536)),
};

static const bsp_branch bspi_source_17 = {
    .name = "source_17", .title = "Half-Life 2 beta (version 17)", .family = BSP_SOURCE,
    .base = &bspi_source_18, .magic = "VBSP", .version = 17,
    .lumps = source_17_lumps, .num_lumps = LENGTH(source_17_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

ONE_LAYOUT(faces_vampire, bspi_dface_vampire_t);
ONE_LAYOUT(original_faces_vampire, bspi_dface_original_vampire_t);

static const bsp_lump_def vampire_lumps[] = {
    ARRAY_LUMP(7, "FACES", FACES, faces_vampire, RECORDS(65536)),
    ARRAY_LUMP(27, "ORIGINALFACES", ORIGINAL_FACES, original_faces_vampire, RECORDS(65536)),
};

static const bsp_branch bspi_vampire = {
    .name = "vampire", .title = "Vampire: The Masquerade - Bloodlines", .family = BSP_SOURCE,
    .base = &bspi_source_18, .magic = "VBSP", .version = 17,
    .lumps = vampire_lumps, .num_lumps = LENGTH(vampire_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- version 21 ---------------------------------------------------------------------------------

// The compilers of these branches write the longer world lights.
static const bsp_variant world_lights_21[] = {
    { 1, &bspi_dworldlight_t },
    { 0, &bspi_dworldlight_0_t },
};

ONE_LAYOUT(brush_sides_21, bspi_dbrushside_21_t);
ONE_LAYOUT(face_brushes, bspi_facebrush_t);
ONE_LAYOUT(face_brush_lists, bspi_dfacebrushlist_t);
ONE_LAYOUT(overlay_levels, bspi_doverlaysystemlevel_t);
ONE_LAYOUT(multiblend, bspi_dispmultiblend_t);

static const bsp_lump_def source_21_lumps[] = {
    ARRAY_LUMP(15, "WORLDLIGHTS", WORLD_LIGHTS, world_lights_21, RECORDS(8192)),
    ARRAY_LUMP(19, "BRUSHSIDES", BRUSH_SIDES, brush_sides_21, RECORDS(65536)),
    ARRAY_LUMP(22, "FACEBRUSHES", NONE, face_brushes, NO_LIMIT),
    ARRAY_LUMP(23, "FACEBRUSHLIST", NONE, face_brush_lists, RECORDS(65536)),
    ARRAY_LUMP(54, "WORLDLIGHTS_HDR", WORLD_LIGHTS_HDR, world_lights_21, RECORDS(8192)),
    ARRAY_LUMP(61, "OVERLAY_SYSTEM_LEVELS", OVERLAY_LEVELS, overlay_levels, RECORDS(512)),
    BYTES_LUMP(62, "PHYSLEVEL", PHYS_LEVEL, PHYS_LEVEL_NOTE),
    ARRAY_LUMP(63, "DISP_MULTIBLEND", DISP_MULTIBLEND, multiblend, NO_LIMIT),
};

static const bsp_game_lump_def source_21_game_lumps[] = {
    GAME_LUMP("sprp", STATIC_PROPS, bspi_static_prop_21_lists),
    DETAIL_GAME_LUMPS
};

const bsp_branch bspi_source_21 = {
    .name = "source_21",
    .title = "Alien Swarm, Portal 2, Counter-Strike: Global Offensive, Insurgency, Dear "
             "Esther, The Stanley Parable, Source Filmmaker, Blade Symphony, Nuclear Dawn "
             "and others; on Xbox 360 and PlayStation 3 (big-endian) too",
    .family = BSP_SOURCE, .base = &bspi_source_20, .magic = "VBSP", .version = 21,
    .traits = &bspi_source_21_traits,
    .lumps = source_21_lumps, .num_lumps = LENGTH(source_21_lumps),
    .game_lumps = source_21_game_lumps, .num_game_lumps = LENGTH(source_21_game_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- Left 4 Dead 2: version 21, but closer to 20 -------------------------------------------------

ONE_LAYOUT(prop_collisions, bspi_propcollision_t);
ONE_LAYOUT(prop_hulls, bspi_prophull_t);
ONE_LAYOUT(prop_tris, bspi_proptris_t);

static const bsp_lump_def left4dead2_lumps[] = {
    ARRAY_LUMP(15, "WORLDLIGHTS", WORLD_LIGHTS, world_lights_21, RECORDS(8192)),
    ARRAY_LUMP(22, "PROPCOLLISION", PROP_COLLISION, prop_collisions, NO_LIMIT),
    ARRAY_LUMP(23, "PROPHULLS", PROP_HULLS, prop_hulls, NO_LIMIT),
    ARRAY_LUMP(24, "PROPHULLVERTS", PROP_HULL_VERTS, vectors, NO_LIMIT),
    ARRAY_LUMP(25, "PROPTRIS", PROP_TRIS, prop_tris, NO_LIMIT),
    BYTES_LUMP(49, "PROP_BLOB", PROP_BLOB, PROP_BLOB_NOTE),
    ARRAY_LUMP(54, "WORLDLIGHTS_HDR", WORLD_LIGHTS_HDR, world_lights_21, RECORDS(8192)),
    ARRAY_LUMP(61, "OVERLAY_SYSTEM_LEVELS", OVERLAY_LEVELS, overlay_levels, RECORDS(512)),
    BYTES_LUMP(62, "PHYSLEVEL", PHYS_LEVEL, PHYS_LEVEL_NOTE),
};

static const bsp_branch bspi_left4dead2 = {
    .name = "left4dead2", .title = "Left 4 Dead 2", .family = BSP_SOURCE, .base = &bspi_source_20,
    .magic = "VBSP", .version = 21,
    .shape = &left4dead2_shape, .traits = &bspi_source_21_traits,
    .lumps = left4dead2_lumps, .num_lumps = LENGTH(left4dead2_lumps),
    .game_lumps = source_21_game_lumps, .num_game_lumps = LENGTH(source_21_game_lumps),
    .verified = BSP_VERIFIED_REAL,
};
// clang-format on

// --- detection -----------------------------------------------------------------------------------

// Bloodlines has faces of 104 bytes; the beta of Half-Life 2 has 68.
static bool only_vampire_faces(const bspi_candidate *look) {
    bspi_candidate beta = *look;
    beta.branch = &bspi_source_17;
    return bspi_plausible(look) && bspi_divides(look, BSP_ID_FACES) &&
           !bspi_divides(&beta, BSP_ID_FACES);
}

// In Left 4 Dead 2 an entry begins with the lump's version, which is 0 for lump 0, the entities.
static bool version_first(const bspi_candidate *look) {
    return bspi_exact(look) && bspi_load32(look->file.data + 8, look->big_endian) == 0;
}

// clang-format off
static const bspi_rule rules[] = {
    { .branch = &bspi_source_20, .test = bspi_plausible },
    { .branch = &bspi_source_19, .test = bspi_plausible },
    { .branch = &bspi_source_18, .test = bspi_plausible },
    { .branch = &bspi_source_17, .test = bspi_plausible },
    { .branch = &bspi_vampire, .test = only_vampire_faces, .turn = BSPI_TURN_EARLY,
      .why = "faces of 104 bytes" },
    { .branch = &bspi_source_21, .test = bspi_plausible },
    { .branch = &bspi_left4dead2, .test = version_first, .turn = BSPI_TURN_EARLY,
      .why = "directory entries that begin with the lump version" },
};
RULE_LIST(source, rules);
// clang-format on
