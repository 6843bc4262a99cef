// SPDX-License-Identifier: MIT
// Quake: version 29 and its wide variants BSP2 and 2PSB, Hexen II, Quake 64; GoldSrc (version 30)
// and Blue Shift. Sources: the seed goldsrc-bsp30, id's and Valve's released headers.
#include "formats/rules.h"

#include "core/reader.h"

// clang-format off

// --- head ---------------------------------------------------------------------------------------

static const bsp_field head_fields[] = {
    { NAME("version"), I32(1), MAP(head, version) },
};
static LAYOUT(dheader_t, 4, head_fields);

#define NUM_LUMPS 15
static const bsp_shape shape = { &dheader_t, &bspi_lump_entry_t, NUM_LUMPS, NULL, true, 4 };

// --- records ------------------------------------------------------------------------------------

static const bsp_field node_fields[] = {
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(node, plane) },
    { NAME("children"),  I16(2), ROLE(NODE_CHILD), MAP(node, children) },
    { NAME("mins"),      I16(3), ROLE(BOUNDS), MAP(node, mins) },
    { NAME("maxs"),      I16(3), ROLE(BOUNDS), MAP(node, maxs) },
    { NAME("firstface"), U16(1), FIRST(FACES), MAP(node, first_face) },
    { NAME("numfaces"),  U16(1), COUNT(FACES), MAP(node, num_faces) },
};
static LAYOUT(dnode_t, 24, node_fields);

static const bsp_field node_2psb_fields[] = {
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(node, plane) },
    { NAME("children"),  I32(2), ROLE(NODE_CHILD), MAP(node, children) },
    { NAME("mins"),      I16(3), ROLE(BOUNDS), MAP(node, mins) },
    { NAME("maxs"),      I16(3), ROLE(BOUNDS), MAP(node, maxs) },
    { NAME("firstface"), U32(1), FIRST(FACES), MAP(node, first_face) },
    { NAME("numfaces"),  U32(1), COUNT(FACES), MAP(node, num_faces) },
};
static LAYOUT(dl1node_t, 32, node_2psb_fields);

static const bsp_field node_bsp2_fields[] = {
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(node, plane) },
    { NAME("children"),  I32(2), ROLE(NODE_CHILD), MAP(node, children) },
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(node, mins) },
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(node, maxs) },
    { NAME("firstface"), U32(1), FIRST(FACES), MAP(node, first_face) },
    { NAME("numfaces"),  U32(1), COUNT(FACES), MAP(node, num_faces) },
};
static LAYOUT(dl2node_t, 44, node_bsp2_fields);

static const bsp_field texinfo_fields[] = {
    { NAME("vecs"),   F32(8), MAP(texinfo, texture) },
    { NAME("miptex"), I32(1), INDEX_NONE(TEXTURES), MAP(texinfo, material) },
    { NAME("flags"),  I32(1), ROLE(FLAGS), MAP(texinfo, flags) },
};
static LAYOUT(texinfo_t, 40, texinfo_fields);

static const bsp_field face_fields[] = {
    { NAME("planenum"),  U16(1), INDEX(PLANES), MAP(face, plane) },
    { NAME("side"),      I16(1), MAP(face, flipped) },
    { NAME("firstedge"), I32(1), FIRST(SURFEDGES), MAP(face, first_edge) },
    { NAME("numedges"),  I16(1), COUNT(SURFEDGES), MAP(face, num_edges) },
    { NAME("texinfo"),   I16(1), INDEX(TEXINFO), MAP(face, texinfo) },
    { NAME("styles"),    U8(4), MAP(face_light, styles) },
    { NAME("lightofs"),  I32(1), OFFSET_NONE(LIGHTING), MAP(face_light, offset) },
};
static LAYOUT(dface_t, 20, face_fields);

static const bsp_field face32_fields[] = {
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(face, plane) },
    { NAME("side"),      I32(1), MAP(face, flipped) },
    { NAME("firstedge"), I32(1), FIRST(SURFEDGES), MAP(face, first_edge) },
    { NAME("numedges"),  I32(1), COUNT(SURFEDGES), MAP(face, num_edges) },
    { NAME("texinfo"),   I32(1), INDEX(TEXINFO), MAP(face, texinfo) },
    { NAME("styles"),    U8(4), MAP(face_light, styles) },
    { NAME("lightofs"),  I32(1), OFFSET_NONE(LIGHTING), MAP(face_light, offset) },
};
static LAYOUT(dl2face_t, 28, face32_fields);

static const bsp_field clipnode_fields[] = {
    { NAME("planenum"), I32(1), INDEX(PLANES), MAP(clipnode, plane) },
    { NAME("children"), I16(2), ROLE(CLIP_CHILD), MAP(clipnode, children) },
};
static LAYOUT(dclipnode_t, 8, clipnode_fields);

static const bsp_field clipnode32_fields[] = {
    { NAME("planenum"), I32(1), INDEX(PLANES), MAP(clipnode, plane) },
    { NAME("children"), I32(2), ROLE(CLIP_CHILD), MAP(clipnode, children) },
};
static LAYOUT(dl2clipnode_t, 12, clipnode32_fields);

static const bsp_field leaf_fields[] = {
    { NAME("contents"),         I32(1), ROLE(CONTENTS), MAP(leaf, contents) },
    { NAME("visofs"),           I32(1), OFFSET_NONE(VISIBILITY), MAP(leaf, vis_offset) },
    { NAME("mins"),             I16(3), ROLE(BOUNDS), MAP(leaf, mins) },
    { NAME("maxs"),             I16(3), ROLE(BOUNDS), MAP(leaf, maxs) },
    { NAME("firstmarksurface"), U16(1), FIRST(LEAF_FACES), MAP(leaf, first_face) },
    { NAME("nummarksurfaces"),  U16(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) },
    { NAME("ambient_level"),    U8(4), MAP(leaf, ambient) },
};
static LAYOUT(dleaf_t, 28, leaf_fields);

static const bsp_field leaf_2psb_fields[] = {
    { NAME("contents"),         I32(1), ROLE(CONTENTS), MAP(leaf, contents) },
    { NAME("visofs"),           I32(1), OFFSET_NONE(VISIBILITY), MAP(leaf, vis_offset) },
    { NAME("mins"),             I16(3), ROLE(BOUNDS), MAP(leaf, mins) },
    { NAME("maxs"),             I16(3), ROLE(BOUNDS), MAP(leaf, maxs) },
    { NAME("firstmarksurface"), U32(1), FIRST(LEAF_FACES), MAP(leaf, first_face) },
    { NAME("nummarksurfaces"),  U32(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) },
    { NAME("ambient_level"),    U8(4), MAP(leaf, ambient) },
};
static LAYOUT(dl1leaf_t, 32, leaf_2psb_fields);

static const bsp_field leaf_bsp2_fields[] = {
    { NAME("contents"),         I32(1), ROLE(CONTENTS), MAP(leaf, contents) },
    { NAME("visofs"),           I32(1), OFFSET_NONE(VISIBILITY), MAP(leaf, vis_offset) },
    { NAME("mins"),             F32(3), ROLE(BOUNDS), MAP(leaf, mins) },
    { NAME("maxs"),             F32(3), ROLE(BOUNDS), MAP(leaf, maxs) },
    { NAME("firstmarksurface"), U32(1), FIRST(LEAF_FACES), MAP(leaf, first_face) },
    { NAME("nummarksurfaces"),  U32(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) },
    { NAME("ambient_level"),    U8(4), MAP(leaf, ambient) },
};
static LAYOUT(dl2leaf_t, 44, leaf_bsp2_fields);

static const bsp_field marksurface_fields[] = {
    { NAME(""), U16(1), INDEX(FACES), MAP(leaf_face, value) },
};
static LAYOUT(marksurface_t, 2, marksurface_fields);

static const bsp_field marksurface32_fields[] = {
    { NAME(""), U32(1), INDEX(FACES), MAP(leaf_face, value) },
};
static LAYOUT(marksurface32_t, 4, marksurface32_fields);

#define MODEL_FIELDS(hulls) \
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(model, mins) }, \
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(model, maxs) }, \
    { NAME("origin"),    F32(3), MAP(model, origin) }, \
    { NAME("headnode"),  I32(hulls), ROLE(HEADNODES), MAP(model, headnodes) }, \
    { NAME("visleafs"),  I32(1), MAP(model, vis_leaves) }, \
    { NAME("firstface"), I32(1), FIRST(FACES), MAP(model, first_face) }, \
    { NAME("numfaces"),  I32(1), COUNT(FACES), MAP(model, num_faces) },

static const bsp_field model_fields[] = { MODEL_FIELDS(4) };
static LAYOUT(dmodel_t, 64, model_fields);

static const bsp_field hexen2_model_fields[] = { MODEL_FIELDS(8) };
static LAYOUT(dmodelh2_t, 80, hexen2_model_fields);

// --- Quake --------------------------------------------------------------------------------------

ONE_LAYOUT(miptexes, bspi_miptex_t);
ONE_LAYOUT(planes, bspi_dplane_t);
ONE_LAYOUT(vertices, bspi_dvertex_t);
ONE_LAYOUT(nodes, dnode_t);
ONE_LAYOUT(texinfos, texinfo_t);
ONE_LAYOUT(faces, dface_t);
ONE_LAYOUT(grey_light, bspi_bare_u8_t);
ONE_LAYOUT(clipnodes, dclipnode_t);
ONE_LAYOUT(leaves, dleaf_t);
ONE_LAYOUT(marksurfaces, marksurface_t);
ONE_LAYOUT(edges, bspi_dedge_t);
ONE_LAYOUT(surfedges, bspi_dsurfedge_t);
ONE_LAYOUT(models, dmodel_t);

// Limits: id's qbsp (bspfile.h).
static const bsp_lump_def quake_lumps[] = {
    OTHER_LUMP(0, "ENTITIES", ENTITIES, ENTITIES, BYTES(65536)),
    ARRAY_LUMP(1, "PLANES", PLANES, planes, RECORDS(32767)),
    TEXTURE_LUMP(2, "TEXTURES", miptexes, BYTES(0x200000)),
    ARRAY_LUMP(3, "VERTEXES", VERTICES, vertices, RECORDS(65535)),
    OTHER_LUMP(4, "VISIBILITY", VISIBILITY, VIS_ROWS, BYTES(0x100000)),
    ARRAY_LUMP(5, "NODES", NODES, nodes, RECORDS(32767)),
    ARRAY_LUMP(6, "TEXINFO", TEXINFO, texinfos, RECORDS(4096)),
    ARRAY_LUMP(7, "FACES", FACES, faces, RECORDS(65535)),
    ARRAY_LUMP(8, "LIGHTING", LIGHTING, grey_light, BYTES(0x100000)),
    ARRAY_LUMP(9, "CLIPNODES", CLIPNODES, clipnodes, RECORDS(32767)),
    ARRAY_LUMP(10, "LEAFS", LEAVES, leaves, RECORDS(8192)),
    ARRAY_LUMP(11, "MARKSURFACES", LEAF_FACES, marksurfaces, RECORDS(65535)),
    ARRAY_LUMP(12, "EDGES", EDGES, edges, RECORDS(256000)),
    ARRAY_LUMP(13, "SURFEDGES", SURFEDGES, surfedges, RECORDS(512000)),
    ARRAY_LUMP(14, "MODELS", MODELS, models, RECORDS(256)),
};

static const bsp_hull quake_hulls[] = {
    { { 0, 0, 0 }, { 0, 0, 0 } },
    { { -16, -16, -24 }, { 16, 16, 32 } },
    { { -32, -32, -24 }, { 32, 32, 64 } },
};

// MAX_KEY and MAX_VALUE: sheet goldsrc-quake1, 10. The tools of GoldSrc have long accepted 4096.
#define TRAITS(format, boxes, sum, value, behaviour) { \
    behaviour, \
    .light = (format), .luxel = 16, .contents_numbers = true, .num_hulls = LENGTH(boxes), \
    .hulls = (boxes), .max_coord = 4096, .unlit_flags = 1, .max_entities = 1024, \
    .max_key = 32, .max_value = (value), .no_phs = 1, \
    .dialect = BSP_DIALECT_VALVE220, .checksum = (sum), .dark_without_light = true, \
    .light_file = (format) == BSP_LIGHT_GREY8, /* colours for white luxels */ \
    .surface = { .names = true, .warps = true }, .texture_source = BSP_TEXTURES_MIPTEX, \
    .palette_file = "gfx/palette.lmp", .decompile = BSP_DECOMPILE_TREE \
}
#define QUAKE_BEHAVIOUR(choice) \
    .vis = { .leaves = true, .sounds = true }, .hull_choice = (choice), .light_gain = 2, .look = { .alpha = true }, \
    .game_code = BSP_CODE_QUAKE, .upright_models = true, .angle_is_yaw = true, \
    .sky_source = BSP_SKIES_LAYERS, \
    .door_lip = 8, .eye_height = 22, .map_game = "Quake", \
    .lights = { BSP_FALLOFF_LINE, 40, "angle", 0.5, .compiler = BSP_COMPILER_ERICW, .range = 0.5F, .unit = 1, \
        .bounce_scale = 1, .surface_scale = 1, .surface_shows = 1 }
#define GOLDSRC_BEHAVIOUR \
    .vis = { .leaves = true, .alike = true }, .hull_choice = BSP_HULL_GOLDSRC, .light_gain = 1.319508F, \
    .look = { .modes = true, .drops_light = true, .adds = true, .tests = true, .colors = true, .hides = 0x80 }, \
    .game_code = BSP_CODE_GOLDSRC, .sight_through_modes = true, .texture_palettes = true, .sky_source = BSP_SKIES_GOLDSRC, \
    .eye_height = 28, .map_game = "Half-Life", \
    .lights = { BSP_FALLOFF_HUNDRED, 10, "_cone", 1, .compiler = BSP_COMPILER_HLRAD, \
        .other = BSP_COMPILER_ERICW, .range = 0.5F, .unit = 1, .bounce_scale = 1, \
        .surface_scale = 1, .surface_shows = 1 }
static const bsp_traits quake_traits =
    TRAITS(BSP_LIGHT_GREY8, quake_hulls, BSP_CHECKSUM_MD4_LUMPS, 1024, QUAKE_BEHAVIOUR(BSP_HULL_QUAKE));

static const bsp_branch bspi_quake = {
    .name = "quake", .title = "Quake", .family = BSP_QUAKE, .version = 29,
    .shape = &shape, .traits = &quake_traits, .lumps = quake_lumps, .num_lumps = LENGTH(quake_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- Hexen II: Quake with eight hulls -----------------------------------------------------------

ONE_LAYOUT(hexen2_models, dmodelh2_t);

static const bsp_lump_def hexen2_lumps[] = {
    ARRAY_LUMP(14, "MODELS", MODELS, hexen2_models, RECORDS(256)),
};

// The boxes that the compiler subtracts; hull 4 is that of the mission pack.
static const bsp_hull hexen2_hulls[] = {
    { { 0, 0, 0 }, { 0, 0, 0 } },
    { { -16, -16, -24 }, { 16, 16, 32 } },
    { { -24, -24, -20 }, { 24, 24, 20 } },
    { { -16, -16, -12 }, { 16, 16, 16 } },
    { { -8, -8, -8 }, { 8, 8, 8 } },
    { { -28, -28, -40 }, { 28, 28, 40 } },
};

static const bsp_traits hexen2_traits =
    TRAITS(BSP_LIGHT_GREY8, hexen2_hulls, BSP_CHECKSUM_MD4_LUMPS, 1024, QUAKE_BEHAVIOUR(BSP_HULL_HEXEN2));

static const bsp_branch bspi_hexen2 = {
    .name = "hexen2", .title = "Hexen II", .family = BSP_QUAKE, .base = &bspi_quake, .version = 29,
    .traits = &hexen2_traits, .lumps = hexen2_lumps, .num_lumps = LENGTH(hexen2_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- BSP2 and 2PSB: 32-bit indices --------------------------------------------------------------

ONE_LAYOUT(bsp2_nodes, dl2node_t);
ONE_LAYOUT(bsp2_faces, dl2face_t);
ONE_LAYOUT(bsp2_clipnodes, dl2clipnode_t);
ONE_LAYOUT(bsp2_leaves, dl2leaf_t);
ONE_LAYOUT(bsp2_marksurfaces, marksurface32_t);
ONE_LAYOUT(bsp2_edges, bspi_dedge32_t);
ONE_LAYOUT(psb_nodes, dl1node_t);
ONE_LAYOUT(psb_leaves, dl1leaf_t);

#define WIDE_LUMPS(nodes, leaves) \
    OTHER_LUMP(0, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT), \
    ARRAY_LUMP(1, "PLANES", PLANES, planes, NO_LIMIT), \
    TEXTURE_LUMP(2, "TEXTURES", miptexes, NO_LIMIT), \
    ARRAY_LUMP(3, "VERTEXES", VERTICES, vertices, NO_LIMIT), \
    OTHER_LUMP(4, "VISIBILITY", VISIBILITY, VIS_ROWS, NO_LIMIT), \
    ARRAY_LUMP(5, "NODES", NODES, nodes, NO_LIMIT), \
    ARRAY_LUMP(6, "TEXINFO", TEXINFO, texinfos, NO_LIMIT), \
    ARRAY_LUMP(7, "FACES", FACES, bsp2_faces, NO_LIMIT), \
    ARRAY_LUMP(8, "LIGHTING", LIGHTING, grey_light, NO_LIMIT), \
    ARRAY_LUMP(9, "CLIPNODES", CLIPNODES, bsp2_clipnodes, NO_LIMIT), \
    ARRAY_LUMP(10, "LEAFS", LEAVES, leaves, NO_LIMIT), \
    ARRAY_LUMP(11, "MARKSURFACES", LEAF_FACES, bsp2_marksurfaces, NO_LIMIT), \
    ARRAY_LUMP(12, "EDGES", EDGES, bsp2_edges, NO_LIMIT), \
    ARRAY_LUMP(13, "SURFEDGES", SURFEDGES, surfedges, NO_LIMIT), \
    ARRAY_LUMP(14, "MODELS", MODELS, models, RECORDS(65536)),

static const bsp_lump_def bsp2_lumps[] = { WIDE_LUMPS(bsp2_nodes, bsp2_leaves) };
static const bsp_lump_def psb_lumps[] = { WIDE_LUMPS(psb_nodes, psb_leaves) };

static const bsp_branch bspi_bsp2 = {
    .name = "bsp2", .title = "Quake BSP2", .family = BSP_QUAKE, .base = &bspi_quake,
    .magic = "BSP2", .version = 0x32505342, .lumps = bsp2_lumps, .num_lumps = LENGTH(bsp2_lumps),
    .verified = BSP_VERIFIED_REAL,
};

static const bsp_branch bspi_2psb = {
    .name = "2psb", .title = "Quake 2PSB (RMQ)", .family = BSP_QUAKE, .base = &bspi_quake,
    .magic = "2PSB", .version = 0x42535032, .lumps = psb_lumps, .num_lumps = LENGTH(psb_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- Quake 64: the remaster's maps of the Nintendo 64 -------------------------------------------

static const bsp_field miptex64_fields[] = {
    MIPTEX_HEAD
    { NAME("shift"), U32(1), MAP(material, shift) },
    MIPTEX_OFFSETS
};
static LAYOUT(miptex64_t, 44, miptex64_fields);

static const bsp_field rgb556_fields[] = { { NAME(""), U8(2) } };
static LAYOUT(rgb556_t, 2, rgb556_fields);

ONE_LAYOUT(quake64_miptexes, miptex64_t);
ONE_LAYOUT(quake64_light, rgb556_t);

// Source: an open engine that loads these maps. lightofs counts bytes; a luxel has two.
static const bsp_lump_def quake64_lumps[] = {
    TEXTURE_LUMP(2, "TEXTURES", quake64_miptexes, NO_LIMIT),
    ARRAY_LUMP(8, "LIGHTING", LIGHTING, quake64_light, NO_LIMIT),
};

static const bsp_traits quake64_traits =
    TRAITS(BSP_LIGHT_RGB556, quake_hulls, BSP_CHECKSUM_UNKNOWN, 1024, QUAKE_BEHAVIOUR(BSP_HULL_QUAKE));

static const bsp_branch bspi_quake64 = {
    .name = "quake64", .title = "Quake 64, as its remaster has it", .family = BSP_QUAKE,
    .base = &bspi_quake, .magic = " 46Q", .version = 0x51363420, .traits = &quake64_traits,
    .lumps = quake64_lumps, .num_lumps = LENGTH(quake64_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- GoldSrc ------------------------------------------------------------------------------------

ONE_LAYOUT(rgb_light, bspi_rgb_t);

// Limits: the seed goldsrc-bsp30.
static const bsp_lump_def goldsrc_lumps[] = {
    OTHER_LUMP(0, "ENTITIES", ENTITIES, ENTITIES, BYTES(131072)),
    OTHER_LUMP(4, "VISIBILITY", VISIBILITY, VIS_ROWS, BYTES(0x200000)),
    ARRAY_LUMP(6, "TEXINFO", TEXINFO, texinfos, RECORDS(8192)),
    ARRAY_LUMP(8, "LIGHTING", LIGHTING, rgb_light, BYTES(0x200000)),
    ARRAY_LUMP(14, "MODELS", MODELS, models, RECORDS(400)),
};

static const bsp_hull goldsrc_hulls[] = {
    { { 0, 0, 0 }, { 0, 0, 0 } },
    { { -16, -16, -36 }, { 16, 16, 36 } },
    { { -32, -32, -32 }, { 32, 32, 32 } },
    { { -16, -16, -18 }, { 16, 16, 18 } },
};

static const bsp_traits goldsrc_traits =
    TRAITS(BSP_LIGHT_RGB8, goldsrc_hulls, BSP_CHECKSUM_CRC_LUMPS, 4096, GOLDSRC_BEHAVIOUR);

static const bsp_branch bspi_goldsrc = {
    .name = "goldsrc", .title = "Half-Life and its mods (GoldSrc)", .family = BSP_GOLDSRC,
    .base = &bspi_quake, .version = 30, .traits = &goldsrc_traits,
    .lumps = goldsrc_lumps, .num_lumps = LENGTH(goldsrc_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// Blue Shift has the first two lumps swapped.
static const bsp_lump_def blue_shift_lumps[] = {
    ARRAY_LUMP(0, "PLANES", PLANES, planes, RECORDS(32767)),
    OTHER_LUMP(1, "ENTITIES", ENTITIES, ENTITIES, BYTES(131072)),
};

static const bsp_branch bspi_blue_shift = {
    .name = "blue_shift", .title = "Half-Life: Blue Shift", .family = BSP_GOLDSRC,
    .base = &bspi_goldsrc, .version = 30,
    .lumps = blue_shift_lumps, .num_lumps = LENGTH(blue_shift_lumps),
    .verified = BSP_VERIFIED_BUILT,
};
// clang-format on

// --- detection -----------------------------------------------------------------------------------

// A version number is weaker evidence than a magic, so three of four lumps must be whole records.
static bool whole_records(const bspi_candidate *look) {
    uint32_t whole = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < NUM_LUMPS; i++) {
        const bsp_lump_def *def = bsp_branch_lump(look->branch, i);
        if (def->kind == BSP_KIND_ARRAY) {
            whole += bspi_extent_at(look, i).size % def->variants[0].layout->size == 0 ? 1 : 0;
            count++;
        }
    }
    return bspi_plausible(look) && whole * 4 >= count * 3;
}

static bool starts_with_brace(const bspi_candidate *look, uint32_t index) {
    bspi_extent lump = bspi_extent_at(look, index);
    bsp_bytes text = bspi_slice(look->file, lump.offset, lump.size);
    size_t at = 0;
    while (at < text.size && text.data[at] <= ' ' && text.data[at] != '\0') {
        at++;
    }
    return at < text.size && text.data[at] == '{';
}

// True if lump 1 holds the entities; in every other branch lump 0 does.
static bool swapped_entities(const bspi_candidate *look) {
    return whole_records(look) && starts_with_brace(look, 1) && !starts_with_brace(look, 0);
}

// Eight headnodes per model: the size of a record divides the lump, and the last model's faces end
// at the last face.
static bool ends_faces(const bspi_candidate *look) {
    if (!whole_records(look)) {
        return false;
    }
    bsp_table table = bspi_records_of(look, BSP_ID_MODELS);
    int64_t last = 0;
    for (uint32_t i = 0; i < table.count; i++) {
        int64_t end = bsp_table_int(&table, i, table.layout->num_fields - 2, 0) +
                      bsp_table_int(&table, i, table.layout->num_fields - 1, 0);
        last = end > last ? end : last;
    }
    return table.count != 0 && last == bspi_records_of(look, BSP_ID_FACES).count;
}

// clang-format off
static const bspi_rule rules[] = {
    { .branch = &bspi_quake, .test = whole_records },
    { .branch = &bspi_hexen2, .test = ends_faces, .turn = BSPI_TURN_EARLY,
      .why = "models of 80 bytes that end the faces" },
    { .branch = &bspi_bsp2, .test = bspi_plausible },
    { .branch = &bspi_2psb, .test = bspi_plausible },
    { .branch = &bspi_quake64, .test = bspi_plausible },
    { .branch = &bspi_goldsrc, .test = whole_records },
    { .branch = &bspi_blue_shift, .test = swapped_entities, .turn = BSPI_TURN_EARLY,
      .why = "entities in lump 1" },
};
RULE_LIST(quake, rules);
// clang-format on
