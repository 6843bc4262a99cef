// SPDX-License-Identifier: MIT
// Quake 2 (version 38; the re-release and Anachronox have the same records) and Qbism's QBSP with
// 32-bit indices. Sources: the seed quake2-bsp38, id's released headers.
#include "formats/quake2_layouts.h"
#include "formats/rules.h"

// clang-format off

// --- head ---------------------------------------------------------------------------------------

#define NUM_LUMPS 19
static const bsp_shape shape = { &bspi_ident_head_t, &bspi_lump_entry_t, NUM_LUMPS, NULL, true, 4 };

// --- records ------------------------------------------------------------------------------------

static const bsp_field node_fields[] = {
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(node, plane) },
    { NAME("children"),  I32(2), ROLE(NODE_CHILD), MAP(node, children) },
    { NAME("mins"),      I16(3), ROLE(BOUNDS), MAP(node, mins) },
    { NAME("maxs"),      I16(3), ROLE(BOUNDS), MAP(node, maxs) },
    { NAME("firstface"), U16(1), FIRST(FACES), MAP(node, first_face) },
    { NAME("numfaces"),  U16(1), COUNT(FACES), MAP(node, num_faces) },
};
static LAYOUT(dnode_t, 28, node_fields);

static const bsp_field texinfo_fields[] = {
    { NAME("vecs"),        F32(8), MAP(texinfo, texture) },
    { NAME("flags"),       I32(1), ROLE(FLAGS), MAP(texinfo, flags) },
    { NAME("value"),       I32(1), MAP(texinfo, value) },
    { NAME("texture"),     CHARS(32), MAP(texinfo, name) },
    { NAME("nexttexinfo"), I32(1), INDEX_NONE(TEXINFO), MAP(texinfo, next) },
};
static LAYOUT(texinfo_t, 76, texinfo_fields);

static const bsp_field face_fields[] = {
    QUAKE2_FACE_HEAD
    { NAME("styles"),    U8(4), MAP(face_light, styles) },
    { NAME("lightofs"),  I32(1), OFFSET_NONE(LIGHTING), MAP(face_light, offset) },
};
static LAYOUT(dface_t, 20, face_fields);

static const bsp_field leaf_fields[] = { QUAKE2_LEAF_HEAD QUAKE2_LEAF_BODY };
FAMILY_LAYOUT(quake2, dleaf_t, 28, leaf_fields);

static const bsp_field leaf_face_fields[] = {
    { NAME(""), U16(1), INDEX(FACES), MAP(leaf_face, value) },
};
static LAYOUT(leafface_t, 2, leaf_face_fields);

static const bsp_field leaf_brush_fields[] = {
    { NAME(""), U16(1), INDEX(BRUSHES), MAP(leaf_brush, value) },
};
static LAYOUT(leafbrush_t, 2, leaf_brush_fields);

static const bsp_field model_fields[] = {
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(model, mins) },
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(model, maxs) },
    { NAME("origin"),    F32(3), MAP(model, origin) },
    { NAME("headnode"),  I32(1), ROLE(HEADNODES), MAP(model, headnodes) },
    { NAME("firstface"), I32(1), FIRST(FACES), MAP(model, first_face) },
    { NAME("numfaces"),  I32(1), COUNT(FACES), MAP(model, num_faces) },
};
static LAYOUT(dmodel_t, 48, model_fields);

static const bsp_field brush_fields[] = {
    { NAME("firstside"), I32(1), FIRST(BRUSH_SIDES), MAP(brush, first_side) },
    { NAME("numsides"),  I32(1), COUNT(BRUSH_SIDES), MAP(brush, num_sides) },
    { NAME("contents"),  I32(1), ROLE(CONTENTS), MAP(brush, contents) },
};
static LAYOUT(dbrush_t, 12, brush_fields);

static const bsp_field brush_side_fields[] = { QUAKE2_BRUSH_SIDE };
static LAYOUT(dbrushside_t, 4, brush_side_fields);

static const bsp_field area_fields[] = {
    { NAME("numareaportals"),  I32(1), COUNT(AREA_PORTALS), MAP(area, num_portals) },
    { NAME("firstareaportal"), I32(1), FIRST(AREA_PORTALS), MAP(area, first_portal) },
};
static LAYOUT(darea_t, 8, area_fields);

static const bsp_field area_portal_fields[] = {
    { NAME("portalnum"), I32(1), MAP(area_portal, key) },
    { NAME("otherarea"), I32(1), INDEX(AREAS), MAP(area_portal, other_area) },
};
static LAYOUT(dareaportal_t, 8, area_portal_fields);

// --- Quake 2 ------------------------------------------------------------------------------------

ONE_LAYOUT(planes, bspi_dplane_t);
ONE_LAYOUT(vertices, bspi_dvertex_t);
ONE_LAYOUT(nodes, dnode_t);
ONE_LAYOUT(texinfos, texinfo_t);
ONE_LAYOUT(faces, dface_t);
ONE_LAYOUT(light, bspi_rgb_t);
ONE_LAYOUT(leaves, bspi_quake2_dleaf_t);
ONE_LAYOUT(leaf_faces, leafface_t);
ONE_LAYOUT(leaf_brushes, leafbrush_t);
ONE_LAYOUT(edges, bspi_dedge_t);
ONE_LAYOUT(surfedges, bspi_dsurfedge_t);
ONE_LAYOUT(models, dmodel_t);
ONE_LAYOUT(brushes, dbrush_t);
ONE_LAYOUT(brush_sides, dbrushside_t);
ONE_LAYOUT(pop, bspi_bare_u8_t);
ONE_LAYOUT(areas, darea_t);
ONE_LAYOUT(area_portals, dareaportal_t);

// Limits: id's qbsp3 (qfiles.h).
static const bsp_lump_def quake2_lumps[] = {
    OTHER_LUMP(0, "ENTITIES", ENTITIES, ENTITIES, BYTES(0x40000)),
    ARRAY_LUMP(1, "PLANES", PLANES, planes, RECORDS(65536)),
    ARRAY_LUMP(2, "VERTEXES", VERTICES, vertices, RECORDS(65536)),
    OTHER_LUMP(3, "VISIBILITY", VISIBILITY, VIS_OFFSETS, BYTES(0x100000)),
    ARRAY_LUMP(4, "NODES", NODES, nodes, RECORDS(65536)),
    ARRAY_LUMP(5, "TEXINFO", TEXINFO, texinfos, RECORDS(8192)),
    ARRAY_LUMP(6, "FACES", FACES, faces, RECORDS(65536)),
    ARRAY_LUMP(7, "LIGHTING", LIGHTING, light, BYTES(0x200000)),
    ARRAY_LUMP(8, "LEAFS", LEAVES, leaves, RECORDS(65536)),
    ARRAY_LUMP(9, "LEAFFACES", LEAF_FACES, leaf_faces, RECORDS(65536)),
    ARRAY_LUMP(10, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes, RECORDS(65536)),
    ARRAY_LUMP(11, "EDGES", EDGES, edges, RECORDS(128000)),
    ARRAY_LUMP(12, "SURFEDGES", SURFEDGES, surfedges, RECORDS(256000)),
    ARRAY_LUMP(13, "MODELS", MODELS, models, RECORDS(1024)),
    ARRAY_LUMP(14, "BRUSHES", BRUSHES, brushes, RECORDS(8192)),
    ARRAY_LUMP(15, "BRUSHSIDES", BRUSH_SIDES, brush_sides, RECORDS(65536)),
    ARRAY_LUMP(16, "POP", POP, pop, BYTES(256)),
    ARRAY_LUMP(17, "AREAS", AREAS, areas, RECORDS(256)),
    ARRAY_LUMP(18, "AREAPORTALS", AREA_PORTALS, area_portals, RECORDS(1024)),
};

// Surfaces with SKY or WARP have no light; those with ALPHATEST have holes (KMQuake2, the
// re-release). MAX_KEY and MAX_VALUE are those of id's qbsp3 (sheet quake2, 5); its engine keeps 128
// bytes of a text (MAX_TOKEN_CHARS of q_shared.h), later ones 512 and more.
#define TRAITS(coord) { QUAKE2_TRAITS(coord), .surface = { \
    .sky = 4, .hidden = 0x80 | 0x100 | 0x200, .liquid = 8, .translucent = 0x10 | 0x20, .lit = 1, \
    .masked = 0x2000000, .third = 0x10, .flow = 0x40, .warps = true, \
} }
static const bsp_traits quake2_traits = TRAITS(4096);

const bsp_branch bspi_quake2 = {
    .name = "quake2", .title = "Quake 2 and its re-release, Anachronox", .family = BSP_QUAKE2, .magic = "IBSP",
    .version = 38, .shape = &shape, .traits = &quake2_traits,
    .lumps = quake2_lumps, .num_lumps = LENGTH(quake2_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- QBSP: 32-bit indices, float bounds ---------------------------------------------------------

static const bsp_field node32_fields[] = {
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(node, plane) },
    { NAME("children"),  I32(2), ROLE(NODE_CHILD), MAP(node, children) },
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(node, mins) },
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(node, maxs) },
    { NAME("firstface"), U32(1), FIRST(FACES), MAP(node, first_face) },
    { NAME("numfaces"),  U32(1), COUNT(FACES), MAP(node, num_faces) },
};
static LAYOUT(dnode_tx, 44, node32_fields);

static const bsp_field face32_fields[] = {
    { NAME("planenum"),  U32(1), INDEX(PLANES), MAP(face, plane) },
    { NAME("side"),      I32(1), MAP(face, flipped) },
    { NAME("firstedge"), U32(1), FIRST(SURFEDGES), MAP(face, first_edge) },
    { NAME("numedges"),  I32(1), COUNT(SURFEDGES), MAP(face, num_edges) },
    { NAME("texinfo"),   I32(1), INDEX(TEXINFO), MAP(face, texinfo) },
    { NAME("styles"),    U8(4), MAP(face_light, styles) },
    { NAME("lightofs"),  I32(1), OFFSET_NONE(LIGHTING), MAP(face_light, offset) },
};
static LAYOUT(dface_tx, 28, face32_fields);

static const bsp_field leaf32_fields[] = {
    { NAME("contents"),       I32(1), ROLE(CONTENTS), MAP(leaf, contents) },
    { NAME("cluster"),        I32(1), MAP(leaf, cluster) },
    { NAME("area"),           I32(1), INDEX(AREAS), MAP(leaf, area) },
    { NAME("mins"),           F32(3), ROLE(BOUNDS), MAP(leaf, mins) },
    { NAME("maxs"),           F32(3), ROLE(BOUNDS), MAP(leaf, maxs) },
    { NAME("firstleafface"),  U32(1), FIRST(LEAF_FACES), MAP(leaf, first_face) },
    { NAME("numleaffaces"),   U32(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) },
    { NAME("firstleafbrush"), U32(1), FIRST(LEAF_BRUSHES), MAP(leaf, first_brush) },
    { NAME("numleafbrushes"), U32(1), COUNT(LEAF_BRUSHES), MAP(leaf, num_brushes) },
};
static LAYOUT(dleaf_tx, 52, leaf32_fields);

static const bsp_field leaf_face32_fields[] = {
    { NAME(""), U32(1), INDEX(FACES), MAP(leaf_face, value) },
};
static LAYOUT(leafface32_t, 4, leaf_face32_fields);

static const bsp_field leaf_brush32_fields[] = {
    { NAME(""), U32(1), INDEX(BRUSHES), MAP(leaf_brush, value) },
};
static LAYOUT(leafbrush32_t, 4, leaf_brush32_fields);

static const bsp_field brush_side32_fields[] = {
    { NAME("planenum"), U32(1), INDEX(PLANES), MAP(brush_side, plane) },
    { NAME("texinfo"),  I32(1), INDEX_NONE(TEXINFO), MAP(brush_side, texinfo) },
};
static LAYOUT(dbrushside_tx, 8, brush_side32_fields);

ONE_LAYOUT(nodes32, dnode_tx);
ONE_LAYOUT(faces32, dface_tx);
ONE_LAYOUT(leaves32, dleaf_tx);
ONE_LAYOUT(leaf_faces32, leafface32_t);
ONE_LAYOUT(leaf_brushes32, leafbrush32_t);
ONE_LAYOUT(edges32, bspi_dedge32_t);
ONE_LAYOUT(brush_sides32, dbrushside_tx);

static const bsp_lump_def qbism_lumps[] = {
    ARRAY_LUMP(4, "NODES", NODES, nodes32, NO_LIMIT),
    ARRAY_LUMP(6, "FACES", FACES, faces32, NO_LIMIT),
    ARRAY_LUMP(8, "LEAFS", LEAVES, leaves32, NO_LIMIT),
    ARRAY_LUMP(9, "LEAFFACES", LEAF_FACES, leaf_faces32, NO_LIMIT),
    ARRAY_LUMP(10, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes32, NO_LIMIT),
    ARRAY_LUMP(11, "EDGES", EDGES, edges32, NO_LIMIT),
    ARRAY_LUMP(15, "BRUSHSIDES", BRUSH_SIDES, brush_sides32, NO_LIMIT),
};

static const bsp_traits qbism_traits = TRAITS(131072);

static const bsp_branch bspi_qbism = {
    .name = "qbism", .title = "Qbism (Quake 2 with 32-bit indices)", .family = BSP_QUAKE2,
    .base = &bspi_quake2, .magic = "QBSP", .version = 38, .traits = &qbism_traits,
    .lumps = qbism_lumps, .num_lumps = LENGTH(qbism_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- detection -----------------------------------------------------------------------------------

static const bspi_rule rules[] = {
    { .branch = &bspi_quake2, .test = bspi_plausible },
    { .branch = &bspi_qbism, .test = bspi_plausible },
};
RULE_LIST(quake2, rules);
// clang-format on
