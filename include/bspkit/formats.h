// SPDX-License-Identifier: MIT
/// @file formats.h
/// The tables: the layouts, limits and traits of each branch, and how the branch of a file is
/// found.
#ifndef BSPKIT_FORMATS_H
#define BSPKIT_FORMATS_H

#include "bspkit/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The engine families; the word that `info` prints.
typedef enum bsp_family {
    BSP_QUAKE = 0,     ///< Quake and Hexen II
    BSP_GOLDSRC = 1,   ///< Half-Life and its mods
    BSP_QUAKE2 = 2,    ///< Quake 2 and games on its engine
    BSP_QUAKE3 = 3,    ///< Quake 3 and games on its engine
    BSP_SOURCE = 4,    ///< Valve's second engine and its branches
    BSP_TITANFALL = 5, ///< Respawn's engine, which came out of Source
} bsp_family;

/// Returns "quake", "goldsrc", "quake2", "quake3", "source" or "titanfall". Static storage.
BSP_API const char *bsp_family_name(bsp_family family);

/// What an array of records holds, whatever the branch and wherever the branch keeps it: the
/// target of index fields.
typedef enum bsp_table_id {
    /// No table.
    BSP_ID_NONE = 0,
    /// What Quake, GoldSrc, Quake 2 and Source have in common. A constant has the name of its array
    /// in bsp_map, or else of its lump.
    BSP_ID_ENTITIES = 1,
    BSP_ID_PLANES = 2,
    BSP_ID_TEXTURES = 3, ///< Quake, GoldSrc: embedded textures; Quake 3: shaders; Source: texdata
    BSP_ID_VERTICES = 4,
    BSP_ID_VISIBILITY = 5,
    BSP_ID_NODES = 6,
    BSP_ID_TEXINFO = 7,
    BSP_ID_FACES = 8,
    BSP_ID_LIGHTING = 9,
    BSP_ID_CLIPNODES = 10,
    BSP_ID_LEAVES = 11,
    BSP_ID_LEAF_FACES = 12, ///< marksurfaces, leaffaces, leafsurfaces
    BSP_ID_LEAF_BRUSHES = 13,
    BSP_ID_EDGES = 14,
    BSP_ID_SURFEDGES = 15,
    BSP_ID_MODELS = 16,
    BSP_ID_BRUSHES = 17,
    BSP_ID_BRUSH_SIDES = 18,
    BSP_ID_POP = 19,
    BSP_ID_AREAS = 20,
    BSP_ID_AREA_PORTALS = 21,
    /// Quake 3 and games on its engine.
    BSP_ID_DRAW_VERTS = 22,
    BSP_ID_DRAW_INDICES = 23,
    BSP_ID_FOGS = 24,
    BSP_ID_LIGHT_GRID = 25,
    BSP_ID_LIGHT_ARRAY = 26,
    BSP_ID_ADVERTISEMENTS = 27,
    /// Source, in the order of its directory.
    BSP_ID_OCCLUDERS = 28,
    BSP_ID_OCCLUDER_POLYS = 29,
    BSP_ID_OCCLUDER_INDICES = 30,
    BSP_ID_FACE_IDS = 31,
    BSP_ID_WORLD_LIGHTS = 32,
    BSP_ID_PORTALS = 33, ///< Titanfall: between cells
    BSP_ID_CLUSTERS = 34,
    BSP_ID_PORTAL_VERTS = 35, ///< Titanfall: points
    BSP_ID_CLUSTER_PORTALS = 36,
    BSP_ID_DISP_INFO = 37,
    BSP_ID_ORIGINAL_FACES = 38,
    BSP_ID_PHYS_DISP = 39,
    BSP_ID_PHYS_COLLIDE = 40,
    BSP_ID_VERT_NORMALS = 41,
    BSP_ID_VERT_NORMAL_INDICES = 42,
    BSP_ID_DISP_LIGHTMAP_ALPHAS = 43,
    BSP_ID_DISP_VERTS = 44,
    BSP_ID_DISP_SAMPLE_POSITIONS = 45,
    BSP_ID_GAME_LUMP = 46,
    BSP_ID_LEAF_WATER = 47,
    BSP_ID_PRIMITIVES = 48,
    BSP_ID_PRIM_VERTS = 49,
    BSP_ID_PRIM_INDICES = 50,
    BSP_ID_PAK = 51,
    BSP_ID_CLIP_PORTAL_VERTS = 52,
    BSP_ID_CUBEMAPS = 53,
    BSP_ID_STRING_DATA = 54,
    BSP_ID_STRING_TABLE = 55,
    BSP_ID_OVERLAYS = 56,
    BSP_ID_LEAF_WATER_DIST = 57,
    BSP_ID_MACRO_TEXTURES = 58,
    BSP_ID_DISP_TRIS = 59,
    BSP_ID_PROP_BLOB = 60,
    BSP_ID_WATER_OVERLAYS = 61,
    BSP_ID_AMBIENT_INDEX_HDR = 62,
    BSP_ID_AMBIENT_INDEX = 63,
    BSP_ID_LIGHTING_HDR = 64,
    BSP_ID_WORLD_LIGHTS_HDR = 65,
    BSP_ID_AMBIENT_HDR = 66,
    BSP_ID_AMBIENT = 67,
    BSP_ID_XZIP = 68,
    BSP_ID_FACES_HDR = 69,
    BSP_ID_MAP_FLAGS = 70,
    BSP_ID_OVERLAY_FADES = 71,
    BSP_ID_OVERLAY_LEVELS = 72,
    BSP_ID_PHYS_LEVEL = 73,
    BSP_ID_DISP_MULTIBLEND = 74,
    BSP_ID_LIGHTMAP_PAGES = 75,
    BSP_ID_LIGHTMAP_PAGE_INFOS = 76,
    BSP_ID_PROP_HULLS = 77,
    BSP_ID_PROP_HULL_VERTS = 78,
    BSP_ID_PROP_COLLISION = 79,
    BSP_ID_PROP_TRIS = 80,
    /// Source: inside its game lumps.
    BSP_ID_STATIC_PROPS = 81,
    BSP_ID_STATIC_PROP_MODELS = 82,
    BSP_ID_STATIC_PROP_LEAVES = 83,
    BSP_ID_DETAIL_PROPS = 84,
    BSP_ID_DETAIL_MODELS = 85,
    BSP_ID_DETAIL_SPRITES = 86,
    BSP_ID_DETAIL_LIGHT = 87,
    BSP_ID_DETAIL_LIGHT_HDR = 88,
    BSP_ID_TERRAIN = 89,         ///< Medal of Honor
    BSP_ID_TERRAIN_INDICES = 90, ///< the patches in a leaf
    BSP_ID_STATIC_MODELS = 91,
    BSP_ID_STATIC_MODEL_INDICES = 92, ///< the models in a leaf
    BSP_ID_MATERIAL_SORTS = 93,       ///< Respawn, and those after it
    /// Respawn: meshes, light and collision.
    BSP_ID_LIGHTMAP_HEADERS = 94,
    BSP_ID_LIGHTING_RTL = 95,
    BSP_ID_VERTS_UNLIT = 96,
    BSP_ID_VERTS_LIT_FLAT = 97,
    BSP_ID_VERTS_LIT_BUMP = 98,
    BSP_ID_VERTS_UNLIT_TS = 99,
    BSP_ID_VERTS_BLINN_PHONG = 100,
    BSP_ID_MESH_BOUNDS = 101,
    BSP_ID_GRID = 102,
    BSP_ID_GRID_CELLS = 103,
    BSP_ID_GEO_SETS = 104,
    BSP_ID_GEO_SET_BOUNDS = 105,
    BSP_ID_GEO_PARTS = 106,
    BSP_ID_GEO_PART_BOUNDS = 107,
    BSP_ID_UNIQUE_CONTENTS = 108,
    BSP_ID_BRUSH_BOXES = 109,
    BSP_ID_SIDE_PROPERTIES = 110,
    BSP_ID_BRUSH_PLANES = 111,       ///< planes of brushes beyond those of their boxes
    BSP_ID_STATIC_PROP_EXTRAS = 112, ///< Titanfall: records after the static props
    BSP_ID_PORTAL_EDGES = 113,       ///< Titanfall, from here to SURFACE_PROPERTIES
    /// Respawn: portals, cells and what is seen from them.
    BSP_ID_PORTAL_VERT_REFS = 114,
    BSP_ID_PORTAL_EDGE_REFS = 115,
    BSP_ID_PORTAL_VERT_EDGES = 116, ///< the edges on each portal vertex
    BSP_ID_PORTAL_EDGE_SETS = 117,  ///< the edges that meet an edge
    BSP_ID_PORTAL_VERT_SETS = 118,  ///< and where they meet it
    BSP_ID_PORTAL_SET_RANGES = 119, ///< the sets of each edge
    BSP_ID_CELL_NODES = 120,
    BSP_ID_CELLS = 121,
    BSP_ID_CELL_AABB_NODES = 122,
    BSP_ID_OBJ_REFS = 123,
    BSP_ID_OBJ_REF_BOUNDS = 124,
    BSP_ID_CSM_AABB_NODES = 125,
    BSP_ID_CSM_OBJ_REFS = 126,
    BSP_ID_OCCLUSION_VERTS = 127,
    BSP_ID_OCCLUSION_INDICES = 128,
    BSP_ID_LEVEL_INFO = 129,
    BSP_ID_ENTITY_PARTITIONS = 130,
    /// Respawn: triangles that collide, light probes, shadows.
    BSP_ID_TRICOLL_TRIS = 131,
    BSP_ID_TRICOLL_NODES = 132,
    BSP_ID_TRICOLL_HEADERS = 133,
    BSP_ID_TRICOLL_BEVEL_STARTS = 134,
    BSP_ID_TRICOLL_BEVELS = 135,
    BSP_ID_WORLD_LIGHT_PARENTS = 136,
    BSP_ID_LIGHT_PROBES = 137,
    BSP_ID_LIGHT_PROBE_REFS = 138,
    BSP_ID_LIGHT_PROBE_TREE = 139,
    BSP_ID_LIGHT_PROBE_PARENTS = 140,
    BSP_ID_LIGHT_PROBE_NODES = 141,
    BSP_ID_PROP_LIGHT_PROBES = 142, ///< the light probe of each static prop
    BSP_ID_SHADOW_ENVIRONMENTS = 143,
    BSP_ID_SHADOW_MESHES = 144,
    BSP_ID_SHADOW_INDICES = 145,
    BSP_ID_SHADOW_OPAQUE_VERTS = 146,
    BSP_ID_SHADOW_ALPHA_VERTS = 147,
    BSP_ID_LIGHTMAP_LIGHTS = 148, ///< the world lights of each page of real-time light
    /// Apex Legends: its collision tree and its water.
    BSP_ID_CONTENTS_MASKS = 149,
    BSP_ID_BVH_NODES = 150,
    BSP_ID_BVH_LEAVES = 151,
    BSP_ID_PACKED_VERTS = 152,
    BSP_ID_HEIGHT_FIELDS = 153,
    BSP_ID_HEIGHT_SAMPLES = 154,
    BSP_ID_AMBIENT_RCP = 155,
    BSP_ID_CSM_UNKNOWN = 156,
    BSP_ID_CELL_UNKNOWN = 157,
    BSP_ID_WATER_BODIES = 158,
    BSP_ID_WATER_CENTERS = 159,
    BSP_ID_WATER_VERTS = 160,
    BSP_ID_WATER_INDICES = 161,
    BSP_ID_SURFACE_PROPERTIES = 162,
    BSP_ID_UNUSED = 163,           ///< a lump that the branch names but never fills
    BSP_ID_VIS_PORTALS = 164,      ///< Source: between clusters
    BSP_ID_VIS_PORTAL_VERTS = 165, ///< Source: indices of vertices
    BSP_ID_COUNT = 166,
} bsp_table_id;

/// Returns what the records of a kind are called, in the plural: "faces". Static storage.
BSP_API const char *bsp_table_id_name(bsp_table_id id);

/// How a lump is built.
typedef enum bsp_lump_kind {
    BSP_KIND_BYTES = 0,    ///< opaque: kept, and says so
    BSP_KIND_ARRAY = 1,    ///< records of one layout
    BSP_KIND_ENTITIES = 2, ///< entity text
    BSP_KIND_STRINGS = 3,  ///< NUL-terminated strings in a row
    BSP_KIND_SECTIONS = 4, ///< counted arrays in a row: i32 count, records, i32 count, records ...
    BSP_KIND_TEXTURES = 5, ///< texture directory and embedded mip textures of Quake and GoldSrc
    BSP_KIND_VIS_ROWS = 6, ///< run-length rows found by offsets in the leaves (Quake, GoldSrc)
    BSP_KIND_VIS_OFFSETS = 7, ///< i32 clusters, i32 offsets[clusters][2], run-length rows
    BSP_KIND_VIS_MATRIX = 8,  ///< i32 clusters, i32 bytes a row, rows (Quake 3)
    BSP_KIND_GAME = 9,        ///< directory of game lumps
    BSP_KIND_PHYSICS = 10,    ///< physics models: head, solids, key text
    BSP_KIND_PHYS_DISP = 11,  ///< u16 count, u16 sizes, blobs
    BSP_KIND_SAMPLES = 12,    ///< displacement light sample positions, of variable length
    BSP_KIND_ZIP = 13,        ///< a zip archive
} bsp_lump_kind;

/// In tables: the row holds for every version.
#define BSP_ANY_VERSION UINT32_MAX

/// One layout that a lump may have. The first of a row's variants whose version matches and whose
/// record size divides the lump is taken; failing that, the first that divides.
typedef struct bsp_variant {
    uint32_t version;         ///< the lump version that has it, or BSP_ANY_VERSION
    const bsp_layout *layout; ///< of each record
} bsp_variant;

/// One counted array of a SECTIONS lump.
typedef struct bsp_section {
    const char *name;
    bsp_table_id id;          ///< what its records are
    const bsp_layout *layout; ///< of each record
    const bsp_layout *head;   ///< one record between the count and the others, or NULL
    bool optional;            ///< the lump may end before it
} bsp_section;

/// The sections of one version of a SECTIONS lump.
typedef struct bsp_section_list {
    uint32_t version;            ///< lump version, or BSP_ANY_VERSION
    uint32_t stride;             ///< record size of the last section as evidence; 0: any
    const bsp_section *sections; ///< in the order of the lump
    uint32_t num_sections;
    /// Records of the last section may be longer than their layout: what is more is kept as bytes.
    bool prefix;
} bsp_section_list;

/// A limit that the compilers of a branch enforce.
typedef struct bsp_limit {
    uint32_t max;  ///< 0 for none known
    bool in_bytes; ///< counts bytes, else records
} bsp_limit;

/// A row of a branch: one lump of the directory.
typedef struct bsp_lump_def {
    uint32_t index;   ///< place in the directory
    const char *name; ///< as the format's headers call it, without the LUMP_
    bsp_table_id id;  ///< what its records are
    bsp_lump_kind kind;
    const bsp_variant *variants; ///< ARRAY: the layouts, by version; TEXTURES: the head of one
    uint32_t num_variants;
    const bsp_section_list *section_lists; ///< SECTIONS
    uint32_t num_section_lists;
    bsp_limit limit;  ///< of its records or bytes
    const char *note; ///< a sentence about a lump that is left as bytes: why; NULL: none
} bsp_lump_def;

/// A lump inside the game lump, by its four-character id.
typedef struct bsp_game_lump_def {
    char id[5];         ///< as people say it, "sprp"; the file holds it as a number, so reversed
    bsp_table_id table; ///< what its last section holds
    const bsp_section_list *section_lists; ///< one for each version
    uint32_t num_section_lists;
} bsp_game_lump_def;

/// How the light lump stores a luxel.
typedef enum bsp_light_format {
    BSP_LIGHT_GREY8 = 0,    ///< one byte
    BSP_LIGHT_RGB8 = 1,     ///< three bytes
    BSP_LIGHT_PAGES = 2,    ///< square pages of three bytes a luxel (Quake 3)
    BSP_LIGHT_RGBEXP32 = 3, ///< three bytes and a signed exponent
    BSP_LIGHT_SHEETS = 4,   ///< pages of stated sizes, each twice, of four bytes a luxel (Respawn)
    /// Two bytes: from the top bit of the first, 5 bits of red, 5 of green, 6 of blue (Quake 64).
    BSP_LIGHT_RGB556 = 5
} bsp_light_format;

/// Returns the bytes of a luxel.
BSP_API uint32_t bsp_light_size(bsp_light_format format);
/// Writes the colour of a luxel of a format without exponents to `rgb`. Bits that the format does
/// not have are 0.
BSP_API void bsp_light_rgb(bsp_light_format format, const uint8_t *luxel, uint8_t rgb[3]);

/// How editors write map source.
typedef enum bsp_dialect {
    BSP_DIALECT_QUAKE = 0,      ///< .map: texture offset, rotation and scale
    BSP_DIALECT_VALVE220 = 1,   ///< .map: texture axes; sides with flags have them at the end
    BSP_DIALECT_QUAKE2 = 2,     ///< as QUAKE, with contents, flags and value
    BSP_DIALECT_QUAKE3 = 3,     ///< as QUAKE2, with patches
    BSP_DIALECT_PRIMITIVES = 4, ///< .map of Quake 3 with brush primitives, with patches
    BSP_DIALECT_VMF = 5,        ///< KeyValues of Source's editor
    BSP_NUM_DIALECTS = 6        ///< how many dialects there are
} bsp_dialect;

/// What a server compares a client's map by. A CRC here is the register, begun with all ones, of
/// the CRC-32 that zlib has, without the inversion at its end; a block checksum is an MD4 digest
/// whose four little-endian words are xored.
typedef enum bsp_checksum {
    /// No rule is known here.
    BSP_CHECKSUM_UNKNOWN = 0,
    /// QuakeWorld: block checksums of all lumps but the entities, xored.
    BSP_CHECKSUM_MD4_LUMPS = 1,
    /// Quake 2, Quake 3: the block checksum of the whole file.
    BSP_CHECKSUM_MD4_FILE = 2,
    /// GoldSrc: CRC of all lumps but the first, in order of the directory.
    BSP_CHECKSUM_CRC_LUMPS = 3,
    /// Source of the branch of Source SDK 2013: CRC of all lumps but the first, in order of the
    /// directory (CRC_MapFile of its tools, which has to match the engine's); since 2013 its games
    /// send the MD5 of the same bytes instead.
    BSP_CHECKSUM_CRC_MD5_LUMPS = 4,
    /// Source of the branch of Alien Swarm: CRC of all lumps but the first, in the order of their
    /// offsets in the file. (Alien Swarm itself leaves out a dozen more.)
    BSP_CHECKSUM_CRC_OFFSETS = 5,
} bsp_checksum;

/// A box that the compilers grow brushes by to make a clip hull.
typedef struct bsp_hull {
    float mins[3]; ///< from the origin of what moves, game units
    float maxs[3]; ///< the same
} bsp_hull;

/// How an engine clips a trace by brushes.
typedef enum bsp_clip {
    /// CM_ClipBoxToBrush of Quake 2: brushes of the tree's leaves, an epsilon of 1/32. Branches
    /// whose traces walk hulls (num_hulls) have it too and do not ask it.
    BSP_CLIP_QUAKE2 = 0,
    BSP_CLIP_QUAKE3 = 1,  ///< CM_TraceThroughBrush of Quake 3: an epsilon of 1/8
    BSP_CLIP_SOURCE = 2,  ///< as the Source SDK describes it: without bevels of thin boxes
    BSP_CLIP_RESPAWN = 3, ///< as SOURCE, with no leaves to ask. That engine is not published.
} bsp_clip;

/// Which names the bits of contents have. The source is the header of the game's own code or tools.
typedef enum bsp_contents_names {
    BSP_CONTENTS_NUMBERS = 0, ///< no bits: the negative numbers of Quake
    BSP_CONTENTS_QUAKE2 = 1,  ///< qfiles.h of Quake 2
    BSP_CONTENTS_QUAKE3 = 2,  ///< surfaceflags.h of Quake 3
    BSP_CONTENTS_RAVEN = 3,   ///< surfaceflags.h of Jedi Academy
    BSP_CONTENTS_SOURCE = 4,  ///< bspflags.h of Source
    BSP_CONTENTS_RESPAWN = 5, ///< Titanfall, as its community wrote them down
} bsp_contents_names;

/// What the compilers' portals, and so visibility, go through. Sources: Portal_VisFlood of the
/// Quake 2 tools and of vbsp; writebsp.c and portals.c of the tools of Quake and GoldSrc.
typedef struct bsp_vis_rules {
    bool leaves;      ///< rows are of leaves, else of clusters that the leaves name
    bool checked;     ///< the compiler drops pairs of which only one sees the other (vvis)
    bool alike;       ///< Quake's contents open into their like alone; else sky and solid close
    uint32_t visible; ///< bits of contents that close where only one side has them; 0: none
    uint32_t through; ///< contents with one of these bits count as none
    uint32_t detail;  ///< bit of brushes that do not divide clusters; 0: not known
    bool sounds;      ///< leaves state which liquids and skies are heard there: those that are seen
    bool skies;       ///< flags of leaves say whether they see the sky
} bsp_vis_rules;

/// Which clip hull an engine takes for a box that moves.
typedef enum bsp_hull_choice {
    BSP_HULL_QUAKE = 0,   ///< by width (SV_HullForEntity)
    BSP_HULL_GOLDSRC = 1, ///< by width and height; hull 0 is not moved to the corner of the box
    BSP_HULL_HEXEN2 = 2,  ///< by width and height, among six
} bsp_hull_choice;

/// Whose game code says what an entity of a class is.
typedef enum bsp_game_code {
    BSP_CODE_QUAKE = 0,   ///< QuakeC of Quake
    BSP_CODE_GOLDSRC = 1, ///< the SDK of Half-Life
    BSP_CODE_QUAKE2 = 2,  ///< g_*.c of Quake 2
    BSP_CODE_QUAKE3 = 3,  ///< g_*.c of Quake 3
    BSP_CODE_SOURCE = 4,  ///< the Source SDK
} bsp_game_code;

/// How the picture of a material is found.
typedef enum bsp_texture_source {
    BSP_TEXTURES_MIPTEX = 0, ///< embedded in the map, or in a WAD
    BSP_TEXTURES_WAL = 1,    ///< a file in textures/ by the name of the texinfo
    BSP_TEXTURES_SHADER = 2, ///< a script in scripts/, else an image by the name
    BSP_TEXTURES_VMT = 3,    ///< a material in materials/, which names its images
} bsp_texture_source;

/// How the sky of a map is found.
typedef enum bsp_sky_source {
    BSP_SKIES_LAYERS = 0,  ///< two layers in an embedded texture; an engine's key names six images
    BSP_SKIES_GOLDSRC = 1, ///< worldspawn "skyname": six images in gfx/env/
    BSP_SKIES_QUAKE2 = 2,  ///< worldspawn "sky": six images in env/
    BSP_SKIES_SHADER = 3,  ///< the script of a sky surface
    BSP_SKIES_VMT = 4,     ///< worldspawn "skyname": six materials in materials/skybox/
} bsp_sky_source;

/// How light of an entity falls off with the distance, in the compiler of the branch.
typedef enum bsp_falloff {
    BSP_FALLOFF_LINE = 0,    ///< to 0 at a range, along a line
    BSP_FALLOFF_PHOTONS = 1, ///< by the square; "light" counts photons
    BSP_FALLOFF_HUNDRED = 2, ///< by the square, with what is given at 100 units
} bsp_falloff;

/// What brushes are made from when a map is decompiled, and what goes with them.
typedef enum bsp_decompile_method {
    BSP_DECOMPILE_TREE = 0,    ///< the solid leaves of a tree and its clip hulls
    BSP_DECOMPILE_QUAKE2 = 1,  ///< brushes whose sides have texinfos
    BSP_DECOMPILE_QUAKE3 = 2,  ///< brushes whose sides have shaders, patches
    BSP_DECOMPILE_SOURCE = 3,  ///< brushes, displacements, overlays, props
    BSP_DECOMPILE_RESPAWN = 4, ///< brushes that are a box and further planes
} bsp_decompile_method;

/// What a surface is to a viewer: which flags of its texinfo (or material) and which names say so.
/// Sources: the headers that bsp_contents_names states.
typedef struct bsp_surface_rules {
    uint32_t sky;             ///< flags of sky
    uint32_t hidden;          ///< flags of what is not drawn
    uint32_t liquid;          ///< flags of liquids
    uint32_t liquid_contents; ///< contents of a material that is a liquid
    uint32_t translucent;     ///< flags of what is blended
    uint32_t masked;          ///< flags of what has holes where its texture is transparent
    uint32_t lit;             ///< flags of what gives as much light as its texinfo's value says
    uint32_t third;           ///< flag: opacity is a third; twice the flag: two thirds; 0: none
    bool names;               ///< the name says what it is: "sky", "*" and so on
    bool tools;               ///< materials in tools/ are not drawn
    uint32_t flow;            ///< flags of what flows: its texture moves, 64 repeats in 40 seconds
    bool warps;               ///< the textures of liquids ripple
    bool directed;            ///< a face names the plane that looks its way, and is not flipped
} bsp_surface_rules;

/// How an entity's keys say how its brush model is drawn. Sources: const.h and CL_FxBlend of
/// Half-Life, the Source SDK, FitzQuake.
typedef struct bsp_look_rules {
    bool modes;       ///< rendermode and renderamt are read
    float amount;     ///< renderamt where it is not given
    bool drops_light; ///< what is blended is drawn without its lightmap
    bool adds;        ///< modes 3 and 5 add to the picture; else they blend
    bool tests;       ///< mode 4 cuts by the texture's alpha and blends nothing
    bool has_none;    ///< mode 10 draws nothing
    uint32_t hides;   ///< bits of "effects" with which nothing is drawn (EF_NODRAW)
    bool colors;      ///< mode 1 draws rendercolor, no texture
    bool alpha;       ///< "alpha", 0 to 1, is read; 0 says nothing, below 0 nothing is drawn
} bsp_look_rules;

/// Programs that make the light of maps, each by its own formulas.
typedef enum bsp_light_compiler {
    BSP_COMPILER_USUAL = 0,  ///< the one of the game; in the tables: none that is known
    BSP_COMPILER_ERICW = 1,  ///< ericw-tools' light: Quake, Quake 2 and GoldSrc
    BSP_COMPILER_ID = 2,     ///< id's qrad3: Quake 2
    BSP_COMPILER_HLRAD = 3,  ///< hlrad: GoldSrc
    BSP_COMPILER_VRAD = 4,   ///< vrad: Source
    BSP_COMPILER_Q3MAP2 = 5, ///< q3map2: Quake 3
    BSP_COMPILER_COUNT = 6,
} bsp_light_compiler;

/// Returns "usual", "ericw", "id", "hlrad", "vrad" or "q3map2". Static storage.
BSP_API const char *bsp_light_compiler_name(bsp_light_compiler compiler);

/// How light entities are read, and light is made of them. Sources: the compilers' light programs.
typedef struct bsp_light_rules {
    bsp_falloff falloff; ///< of point lights and spots
    float cone;          ///< half angle of a spot that has a target and no key for it, in degrees
    const char *spread;  ///< key of that angle, or NULL: "radius" is that of a circle at the target
    double spread_unit;  ///< factor of its value: 1 for a half angle, 0.5 for a whole one
    bsp_light_compiler compiler; ///< whose formulas light usually follows
    bsp_light_compiler other;    ///< whose it may follow too; USUAL: no other's
    /// What `compiler` stores: the brightest component of a luxel is from least to most (qrad3's
    /// FinalLightFace), so that luxels outside of that are of `other`. Both 0: any.
    uint8_t stored_least, stored_most;
    /// What ericw-tools multiplies light by, and how often light goes from surface to surface
    /// there, where worldspawn does not say ("_range", "_bounce").
    float range;
    uint32_t bounces;
    /// The rest are the defaults of ericw-tools, too.
    float unit;          ///< light that 1 of "_minlight" and "_maxlight" is
    float bounce_scale;  ///< what light is multiplied by that is thrown back ("_bouncescale")
    float bounce_tint;   ///< share of the texture's colour in it, 0..1 ("_bouncecolorscale")
    float surface_scale; ///< factor of what surfaces and skies give ("_surflightscale")
    float surface_shows; ///< how bright they are themselves ("_surflight_minlight_scale")
    /// Styles are thrown back ("_bouncestyled"), and surfaces shine as wholes
    /// ("_surflight_radiosity").
    bool surfaces_styled;
} bsp_light_rules;

/// What opens and shuts the ways between areas. All zero: the game has no areas. Sources:
/// g_misc.c and g_func.c of Quake 2, g_mover.c and sv_world.c of Quake 3, func_areaportal.cpp and
/// doors.cpp of the Source SDK.
typedef struct bsp_area_rules {
    const char *key;   ///< of func_areaportal and its kin: the number of its portal; else NULL
    const char *state; ///< key of theirs: not 0 is open at the beginning, as without it; NULL: shut
    bool doors;        ///< "target" names a door, which opens and shuts the portal with itself
    bool targets;      ///< entities whose "target" is its name switch it
    bool outputs;      ///< outputs of entities name it
    bool movers;       ///< no portals are stored: doors connect the two areas that they stand in
} bsp_area_rules;

/// How a branch's records are meant, where branches differ. Game units.
typedef struct bsp_traits {
    bsp_light_format light; ///< of the light lump
    uint32_t light_page;    ///< PAGES: width and height of a page
    uint32_t luxel;         ///< texels a luxel (light extents from texture vectors); 0: stored
    bool contents_numbers;  ///< leaf contents are the negative numbers of Quake, else bits
    uint32_t num_hulls;     ///< collision hulls of a model, hull 0 included; 0: brushes collide
    const bsp_hull *hulls;  ///< boxes of hulls 0 .. num_hulls - 1
    bool has_brushes;       ///< the file holds brushes with their sides
    bool model_runs;        ///< brush models have runs of brushes and faces, and no tree
    float max_coord;        ///< furthest coordinate from 0 on an axis that the tools allow
    uint32_t unlit_flags;   ///< texinfo flags of surfaces that never have light
    uint32_t max_entities;  ///< that the tools allow; 0: not known
    uint32_t max_key;   ///< longest key of an entity in bytes (the tools' MAX_KEY); 0: not known
    uint32_t max_value; ///< longest value (MAX_VALUE); 0: not known
    /// Bytes of a key or value that the game's own engine keeps where that is fewer: it cuts the
    /// rest off (Quake 2's MAX_TOKEN_CHARS). 0: as many as the tools.
    uint32_t max_token;
    float light_cell[3]; ///< Quake 3: step of the light grid where worldspawn states none
    uint32_t no_phs;     ///< 1 if visibility has no second (audible) set
    bsp_dialect dialect; ///< what the game's usual editor reads
    bsp_checksum checksum;
    bool draws_vertices;  ///< surfaces are draw vertices and indices, not edges
    bool shares_vertices; ///< and have only those of their vertices that their indices name
    bool wide_solids;     ///< solids of version 0x101 have wide records whatever the byte order
    bool light_file;      ///< coloured light may stand in NAME.lit beside the map (bsp_light_file)
    /// In a map that has light, a surface that could have some and has none is black
    /// (R_BuildLightMap of Quake and GoldSrc begins with black). Else it is as bright as its
    /// texture: so Quake 2's OpenGL renderer and Source.
    bool dark_without_light;
    bool external; ///< lumps and entities may stand in files beside the map (bsp_external)
    // Behaviour of engine, game and tools. Code that differs between games asks these.
    /// The factor of a stored 255 when it is shown; 0: 1. Quake: the colour map's row for 128 is
    /// the texture's own colour. Quake 2: textures are twice as bright ("intensity"). GoldSrc:
    /// 2^(1/2.5), lightgamma 2.5. Quake 3: shifted by two bits (mapOverBrightBits 2).
    float light_gain;
    bsp_surface_rules surface;         ///< what surfaces are
    bsp_look_rules look;               ///< how brush models of entities are drawn
    bsp_clip clip;                     ///< how traces are clipped
    bsp_contents_names contents_names; ///< names of contents
    /// Contents that stop a line of sight between two characters in the game's own code; 0: solid.
    /// Quake 2 and 3: MASK_OPAQUE of q_shared.h and bg_public.h. Raven: CONTENTS_OPAQUE
    /// (G_ClearLOS of Jedi Academy). Source: MASK_BLOCKLOS of bspflags.h, in which windows (2) and
    /// grates (8) are not. Respawn: the same with its own number of "blocklos".
    uint32_t sight_mask;
    /// Sight goes through the brush models of entities that are drawn in a mode of their own
    /// (rendermode), unless their class counts as world (FL_WORLDBRUSH of Half-Life: walls).
    bool sight_through_modes;
    bsp_vis_rules vis;           ///< what visibility goes through
    bsp_hull_choice hull_choice; ///< which of the hulls a box takes
    bsp_game_code game_code;     ///< what classes of entities are
    /// Brush models keep their place whatever their angles are (SV_ClipMoveToEntity of Quake; the
    /// game of Quake 3 leaves them out of where a mover stands).
    bool upright_models;
    /// "angle" is a yaw whatever it says (ED_ParseEpair of Quake, F_ANGLEHACK of Quake 2 and 3);
    /// GoldSrc and Source take -1 for straight up and -2 for straight down.
    bool angle_is_yaw;
    bool texture_palettes;    ///< embedded textures end in a palette
    const char *palette_file; ///< game file with the palette for textures without one, or NULL
    bsp_texture_source texture_source; ///< where pictures of materials are
    bsp_sky_source sky_source;         ///< where the sky is
    float door_lip; ///< units of a sliding door that stay where they are, if it does not say
    /// From the origin of a player's start to the eye, in units: Quake and Quake 2 have a view
    /// height of 22, GoldSrc 28 from the middle of its taller box, Quake 3 26, Source 64 from the
    /// feet.
    float eye_height;
    bsp_light_rules lights; ///< light entities
    uint32_t vrad_year;   ///< Source: the first year of a vrad that lit its maps; 0: none is known
    bsp_area_rules areas; ///< what opens and shuts the ways between areas
    bsp_decompile_method decompile; ///< what decompiling starts from
    const char *map_game; ///< the game that editors read in the first line of a .map, or NULL
    bool either_order;    ///< the same records exist in files of either byte order
    bool told_games;      ///< its games are told apart by entity classes (bsp_game)
} bsp_traits;

/// The shape of a file's head: what stands before the lump data.
typedef struct bsp_shape {
    const bsp_layout *head;  ///< one record at offset 0
    const bsp_layout *entry; ///< a record for each lump, directly after the head
    uint32_t num_lumps;
    const bsp_layout *tail; ///< one record after the directory, or NULL
    bool ends_in_bspx;      ///< a BSPX directory may stand after the last lump
    uint32_t alignment;     ///< of lump data; what the branch's own compilers keep
} bsp_shape;

/// What a branch's table was tried on.
typedef enum bsp_verified {
    BSP_VERIFIED_NOT = 0,   ///< on nothing: written down from documents
    BSP_VERIFIED_BUILT = 1, ///< on maps that the tests build from the same table
    BSP_VERIFIED_REAL = 2,  ///< on maps that its game or its game's compilers wrote
} bsp_verified;

/// Returns "no", "built" or "real". Static storage.
BSP_API const char *bsp_verified_name(bsp_verified verified);

/// A branch of the format, declared below.
typedef struct bsp_branch bsp_branch;

/// A branch of the format: one table. What it does not state it takes from `base`.
struct bsp_branch {
    const char *name;  ///< for --branch and info, e.g. "source_2007"
    const char *title; ///< the games, for people
    bsp_family family; ///< whose engine reads it
    const bsp_branch *base;
    char magic[5];             ///< four characters, or "" where the file begins with its version
    uint32_t version;          ///< number after the magic
    const bsp_shape *shape;    ///< NULL: as base
    const bsp_traits *traits;  ///< NULL: as base
    const bsp_lump_def *lumps; ///< rows that differ from base, ascending by index
    uint32_t num_lumps;
    const bsp_game_lump_def *game_lumps; ///< rows of Source's game lumps
    uint32_t num_game_lumps;
    /// How names of entity classes begin that only this game's maps have, or NULL: the evidence
    /// where nothing else tells it from its neighbours.
    const char *classes;
    bsp_verified verified;
    bool opaque; ///< too little is known for a map: directory, lumps and some records
    /// The map holds only a part of its lumps: it becomes no other branch, and is not compressed.
    bool partial;
};

/// Returns branch number `index`, from 0 on, or NULL after the last. A base comes before the
/// branches that extend it. Static storage.
BSP_API const bsp_branch *bsp_branch_at(size_t index);
/// Returns the branch of that name, or NULL if there is none. Static storage.
BSP_API const bsp_branch *bsp_branch_find(const char *name);
/// Returns the shape of a branch, its own or that of its base. Static storage, never NULL.
BSP_API const bsp_shape *bsp_branch_shape(const bsp_branch *branch);
/// Returns the traits of a branch, its own or those of its base. Static storage, never NULL.
BSP_API const bsp_traits *bsp_branch_traits(const bsp_branch *branch);

/// Room for a version as text, the NUL included.
#define BSP_VERSION_TEXT 16
/// Writes a version for people to `out`: "20", or "20.4" where the upper half is a minor version.
/// Returns `out`.
BSP_API const char *bsp_version_text(uint32_t version, char out[BSP_VERSION_TEXT]);

/// Returns the row for a place in the directory, the branch's own or an inherited one, or NULL if
/// it has none. Static storage.
BSP_API const bsp_lump_def *bsp_branch_lump(const bsp_branch *branch, uint32_t index);
/// Returns the row of the lump that holds a kind of table, or NULL if the branch has none. Static
/// storage.
BSP_API const bsp_lump_def *bsp_branch_lump_of(const bsp_branch *branch, bsp_table_id id);
/// Returns the definition of a game lump ("sprp"), or NULL if the branch has none. Static storage.
BSP_API const bsp_game_lump_def *bsp_branch_game_lump(const bsp_branch *branch, const char id[5]);

/// Returns the bytes of head, directory and tail together.
BSP_API size_t bsp_shape_size(const bsp_shape *shape);

/// Returns the layout of a BSPX lump by name, or NULL if it is not an array that is known here.
/// Static storage.
BSP_API const bsp_layout *bsp_bspx_layout(const char *name);

/// Returns the name of a kind of lump: "array", "entities" and so on. Static storage.
BSP_API const char *bsp_kind_name(bsp_lump_kind kind);

#define BSP_GAME_CLASSES 8 ///< most beginnings that a game is told by

/// A limit of one game's tools that is not that of its branch.
typedef struct bsp_game_limit {
    bsp_table_id id; ///< ENTITIES: their number
    uint32_t max;    ///< records
} bsp_game_limit;

/// A game of Source. Its maps are told, among those of their version, by entity classes that only
/// they have; a game without classes is never told, and can only be named.
typedef struct bsp_game {
    const char *title;                     ///< for people
    uint32_t low;                          ///< versions of its maps
    uint32_t high;                         ///< the last of them
    const char *classes[BSP_GAME_CLASSES]; ///< how such names begin; NULL after the last
    /// How many of `classes` a map must have, the first among them; 0: any one is enough. For games
    /// whose classes other games have as well, but not together.
    uint32_t needs;
    const char *never;            ///< how a class begins that none of its maps has; NULL: not known
    const bsp_game_limit *limits; ///< those that differ from the branch's
    uint32_t num_limits;
    /// REAL: a map that the game's own tools wrote was told by these classes; NOT: from documents.
    bsp_verified verified;
} bsp_game;

/// Returns game number `index`, from 0 on, or NULL after the last. Static storage.
BSP_API const bsp_game *bsp_game_at(size_t index);
/// Returns the game of that title (any case), or the only one whose title begins so. Returns NULL
/// if there is none, or more than one. Static storage.
BSP_API const bsp_game *bsp_game_find(const char *title);
/// Returns what the tools of `game` (NULL: of no game in particular) allow of the records of a
/// lump.
BSP_API bsp_limit bsp_game_lump_limit(const bsp_game *game, const bsp_lump_def *def);
/// Returns how many entities the tools of `game` (NULL: of no game in particular) allow, or 0 if
/// that is not known.
BSP_API uint32_t bsp_game_max_entities(const bsp_game *game, const bsp_branch *branch);

#define BSP_KEY_SIZE 32 ///< bytes of the key of a scrambled map

/// Finds the key that a map is scrambled with (Tactical Intervention): each byte of the file is
/// xored with one of the key, which repeats. False for files that are not scrambled so.
BSP_API bool bsp_find_key(bsp_bytes file, uint8_t key[BSP_KEY_SIZE]);

/// Scrambles bytes that stand at `offset` of such a file, or makes scrambled ones plain.
BSP_API void bsp_scramble(const uint8_t key[BSP_KEY_SIZE], uint64_t offset, uint8_t *data,
                          size_t size);

/// What a file was found to be.
typedef struct bsp_detection {
    const bsp_branch *branch;
    bool big_endian;  ///< byte order of the file
    char magic[5];    ///< the file's first four bytes when they are letters or digits, else ""
    uint32_t version; ///< as the file's head has it
    char reason[160]; ///< the evidence, for people, NUL-terminated
} bsp_detection;

/// Finds the branch of a file, which must be plain, by evidence. Fails with BSP_E_FORMAT, naming
/// what the bytes seem to be, when it is none of them. `forced` (may be NULL) is taken without
/// looking at the evidence.
BSP_API bool bsp_detect(bsp_bytes file, const bsp_branch *forced, bsp_detection *out,
                        bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
