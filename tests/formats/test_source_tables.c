// SPDX-License-Identifier: MIT
// The tables of Source: sizes and byte offsets that were worked out by hand from the sheets
// source-versions and source-lumps, and rules that every table keeps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "layout/layout.h"
#include "formats/source_layouts.h"

// --- helpers ------------------------------------------------------------------------------------

static uint32_t field_of(const bsp_layout *layout, const char *name) {
    uint32_t field = bsp_layout_find_field(layout, bsp_text_of(name));
    assert_int_not_equal(field, BSP_NONE);
    return field;
}

static const bsp_branch *named(const char *name) {
    const bsp_branch *branch = bsp_branch_find(name);
    assert_non_null(branch);
    return branch;
}

static const bsp_lump_def *row_of(const bsp_branch *branch, uint32_t index) {
    for (; branch != NULL; branch = branch->base) {
        for (uint32_t i = 0; i < branch->num_lumps; i++) {
            if (branch->lumps[i].index == index) {
                return &branch->lumps[i];
            }
        }
    }
    fail_msg("no row for lump %u", index);
    return NULL;
}

static const bsp_shape *shape_of(const bsp_branch *branch) {
    while (branch->shape == NULL) {
        branch = branch->base;
    }
    return branch->shape;
}

static uint32_t size_of_row(const bsp_branch *branch, uint32_t index) {
    return row_of(branch, index)->variants[0].layout->size;
}

typedef struct place {
    const bsp_layout *layout;
    const char *field;
    size_t offset;
} place;

static void assert_places(const place *places, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const place *p = &places[i];
        size_t offset = bsp_layout_offset(p->layout, field_of(p->layout, p->field));
        if (offset != p->offset) {
            fail_msg("%s.%s is at %zu, not at %zu", p->layout->name, p->field, offset, p->offset);
        }
    }
}

#define ASSERT_PLACES(places) assert_places(places, sizeof(places) / sizeof *(places))

// --- rules that every layout keeps --------------------------------------------------------------

// Parts of an integer follow each other without a gap, from bit 0 to the last.
static void assert_bits(const bsp_layout *layout, uint32_t f) {
    const bsp_field *field = &layout->fields[f];
    if (field->bits == 0) {
        return;
    }
    assert_int_equal(field->count, 1);
    if (field->shift == 0) {
        return;
    }
    assert_true(f > 0);
    const bsp_field *before = &layout->fields[f - 1];
    assert_int_equal(before->type, field->type);
    assert_int_equal(before->shift + before->bits, field->shift);
}

// A run needs both its ends.
static bool has_role(const bsp_layout *layout, bsp_role role, uint16_t target) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        if (layout->fields[f].role == role && layout->fields[f].target == target) {
            return true;
        }
    }
    return false;
}

static void assert_roles(const bsp_layout *layout, const bsp_field *field) {
    bool points = field->role == BSP_ROLE_INDEX || field->role == BSP_ROLE_INDEX_NONE ||
                  field->role == BSP_ROLE_FIRST || field->role == BSP_ROLE_COUNT ||
                  field->role == BSP_ROLE_OFFSET || field->role == BSP_ROLE_OFFSET_NONE;
    assert_int_equal(points, field->target != BSP_ID_NONE && field->role != BSP_ROLE_SURFEDGE);
    if (field->role == BSP_ROLE_FIRST) {
        assert_true(has_role(layout, BSP_ROLE_COUNT, field->target));
    }
    if (field->role == BSP_ROLE_COUNT) {
        assert_true(has_role(layout, BSP_ROLE_FIRST, field->target));
    }
}

static bool repeats(const bsp_layout *layout, uint32_t f) {
    const bsp_field *field = &layout->fields[f];
    for (uint32_t i = 0; i < f; i++) {
        bool same_name = strcmp(layout->fields[i].name, field->name) == 0;
        bool same_member =
            field->map_member != 0 && layout->fields[i].map_member == field->map_member;
        if ((same_name && field->type != BSP_PAD) || same_member) {
            return true;
        }
    }
    return false;
}

static void assert_layout(const bsp_layout *layout) {
    size_t size = 0;
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        assert_true(field->count >= 1);
        assert_true(field->map_member < BSPI_MEMBER_COUNT);
        assert_true(field->name[0] != '\0' || bsp_layout_is_bare(layout));
        if (repeats(layout, f)) {
            fail_msg("%s.%s repeats a name or a member", layout->name, field->name);
        }
        assert_bits(layout, f);
        assert_roles(layout, field);
        size += bspi_field_advance(field);
    }
    if (size != layout->size) {
        fail_msg("the rows of %s cover %zu bytes of %u", layout->name, size, layout->size);
    }
}

static void assert_lists(const bsp_section_list *lists, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_true(lists[i].num_sections != 0);
        for (uint32_t s = 0; s < lists[i].num_sections; s++) {
            assert_layout(lists[i].sections[s].layout);
        }
        // What the size is evidence of is the last section's.
        if (lists[i].stride != 0) {
            assert_int_equal(lists[i].stride,
                             lists[i].sections[lists[i].num_sections - 1].layout->size);
        }
    }
}

static void test_layouts_cover_their_sizes(void **state) {
    (void)state;
    const bsp_branch *branch;
    for (size_t b = 0; (branch = bsp_branch_at(b)) != NULL; b++) {
        for (uint32_t i = 0; i < branch->num_lumps; i++) {
            const bsp_lump_def *row = &branch->lumps[i];
            for (uint32_t v = 0; v < row->num_variants; v++) {
                assert_layout(row->variants[v].layout);
            }
            assert_lists(row->section_lists, row->num_section_lists);
        }
        for (uint32_t i = 0; i < branch->num_game_lumps; i++) {
            assert_lists(branch->game_lumps[i].section_lists,
                         branch->game_lumps[i].num_section_lists);
        }
        const bsp_shape *shape = shape_of(branch);
        assert_layout(shape->head);
        assert_layout(shape->entry);
        if (shape->tail != NULL) {
            assert_layout(shape->tail);
        }
    }
    assert_lists(bspi_static_prop_vindictus_lists, BSPI_NUM_VINDICTUS_PROP_LISTS);
    assert_layout(&bspi_static_prop_12_titanfall_t);
    assert_layout(&bspi_static_prop_13_titanfall2_t);
}

// --- heads --------------------------------------------------------------------------------------

static size_t head_size(const bsp_branch *branch) {
    const bsp_shape *shape = shape_of(branch);
    return shape->head->size + (size_t)shape->num_lumps * shape->entry->size +
           (shape->tail == NULL ? 0 : shape->tail->size);
}

static void test_heads(void **state) {
    (void)state;
    assert_int_equal(head_size(named("source_20")), 1036);
    assert_int_equal(head_size(named("left4dead2")), 1036);
    assert_int_equal(head_size(named("contagion_27")), 1040);
    assert_int_equal(head_size(named("cso2_100")), 1036);
    assert_int_equal(head_size(named("titanfall")), 2064);
    assert_int_equal(head_size(named("apex")), 2064);

    const place places[] = {
        {shape_of(named("source_17"))->entry, "fileofs", 0},
        {shape_of(named("source_17"))->entry, "fourCC", 12},
        {shape_of(named("source_21"))->entry, "version", 8},
        {shape_of(named("left4dead2"))->entry, "version", 0},
        {shape_of(named("left4dead2"))->entry, "fileofs", 4},
        {shape_of(named("left4dead2"))->entry, "filelen", 8},
        {shape_of(named("left4dead2"))->entry, "fourCC", 12},
        {shape_of(named("cso2_100"))->entry, "compressed", 10},
        {shape_of(named("contagion_27"))->head, "version", 4},
        {shape_of(named("titanfall2"))->head, "revision", 8},
        {&bspi_dgamelump_t, "flags", 4},
        {&bspi_dgamelump_t, "version", 6},
        {&bspi_dgamelump_t, "fileofs", 8},
        {&bspi_dgamelump_t, "filelen", 12},
    };
    ASSERT_PLACES(places);
}

// --- records ------------------------------------------------------------------------------------

static void test_faces(void **state) {
    (void)state;
    assert_int_equal(size_of_row(named("source_17"), 7), 68);
    assert_int_equal(size_of_row(named("source_17"), 27), 68);
    assert_int_equal(size_of_row(named("source_18"), 7), 72);
    assert_int_equal(size_of_row(named("source_18"), 27), 72);
    assert_int_equal(size_of_row(named("vampire"), 7), 104);
    assert_int_equal(size_of_row(named("vampire"), 27), 104);
    assert_int_equal(size_of_row(named("source_19"), 7), 56);
    assert_int_equal(size_of_row(named("source_21"), 58), 56);

    const place places[] = {
        {&bspi_dface_t, "side", 2},
        {&bspi_dface_t, "onNode", 3},
        {&bspi_dface_t, "firstedge", 4},
        {&bspi_dface_t, "texinfo", 10},
        {&bspi_dface_t, "dispinfo", 12},
        {&bspi_dface_t, "surfaceFogVolumeID", 14},
        {&bspi_dface_t, "styles", 16},
        {&bspi_dface_t, "lightofs", 20},
        {&bspi_dface_t, "area", 24},
        {&bspi_dface_t, "m_LightmapTextureMinsInLuxels", 28},
        {&bspi_dface_t, "m_LightmapTextureSizeInLuxels", 36},
        {&bspi_dface_t, "origFace", 44},
        {&bspi_dface_t, "m_NumPrims", 48},
        {&bspi_dface_t, "noDynamicShadows", 48},
        {&bspi_dface_t, "firstPrimID", 50},
        {&bspi_dface_t, "smoothingGroups", 52},
        {&bspi_dface_hdr_t, "lightofs", 20},
        {&bspi_dface_original_t, "lightofs", 20},
        {&bspi_dface_original_t, "smoothingGroups", 52},
        {&bspi_dface_17_t, "planenum", 16},
        {&bspi_dface_17_t, "lightofs", 36},
        {&bspi_dface_17_t, "origFace", 60},
        {&bspi_dface_17_t, "smoothingGroups", 64},
        {&bspi_dface_original_17_t, "texinfo", 26},
        {&bspi_dface_18_t, "origFace", 60},
        {&bspi_dface_18_t, "m_NumPrims", 64},
        {&bspi_dface_18_t, "smoothingGroups", 68},
        {&bspi_dface_vampire_t, "planenum", 32},
        {&bspi_dface_vampire_t, "styles", 48},
        {&bspi_dface_vampire_t, "day", 56},
        {&bspi_dface_vampire_t, "night", 64},
        {&bspi_dface_vampire_t, "lightofs", 72},
        {&bspi_dface_vampire_t, "origFace", 96},
        {&bspi_dface_vampire_t, "smoothingGroups", 100},
    };
    ASSERT_PLACES(places);
}

// The light of FACES_HDR lies in the lump of its own; that of original faces nowhere.
static void test_light_offsets(void **state) {
    (void)state;
    const bsp_layout *face = &bspi_dface_t;
    const bsp_layout *hdr = &bspi_dface_hdr_t;
    const bsp_layout *original = &bspi_dface_original_t;
    assert_int_equal(face->fields[field_of(face, "lightofs")].target, BSP_ID_LIGHTING);
    assert_int_equal(hdr->fields[field_of(hdr, "lightofs")].target, BSP_ID_LIGHTING_HDR);
    assert_int_equal(original->fields[field_of(original, "lightofs")].role, BSP_ROLE_VALUE);
    assert_int_equal(row_of(named("source_20"), 58)->variants[0].layout == hdr, 1);
}

static void test_tree(void **state) {
    (void)state;
    const place places[] = {
        {&bspi_dnode_t, "mins", 12},
        {&bspi_dnode_t, "firstface", 24},
        {&bspi_dnode_t, "area", 28},
        {&bspi_dleaf_t, "cluster", 4},
        {&bspi_dleaf_t, "area", 6},
        {&bspi_dleaf_t, "flags", 6},
        {&bspi_dleaf_t, "mins", 8},
        {&bspi_dleaf_t, "firstleafface", 20},
        {&bspi_dleaf_t, "leafWaterDataID", 28},
        {&bspi_dleaf_t, "padding", 30},
        {&bspi_dleaf_version_0_t, "m_AmbientLighting", 30},
        {&bspi_dleaf_version_0_t, "padding", 54},
        {&bspi_dmodel_t, "headnode", 36},
        {&bspi_texinfo_t, "lightmapVecsLuxelsPerWorldUnits", 32},
        {&bspi_texinfo_t, "texdata", 68},
        {&bspi_dtexdata_t, "nameStringTableID", 12},
        {&bspi_dbrushside_t, "bevel", 6},
        {&bspi_dbrushside_21_t, "bevel", 6},
        {&bspi_dbrushside_21_t, "thin", 7},
        {&bspi_dareaportal_t, "planenum", 8},
        {&bspi_dprimitive_t, "firstIndex", 2},
        {&bspi_dprimitive_t, "vertCount", 8},
        {&bspi_dleafwaterdata_t, "surfaceTexInfoID", 8},
        {&bspi_doccluderdata_t, "area", 36},
    };
    ASSERT_PLACES(places);
    assert_int_equal(bspi_dleaf_t.fields[field_of(&bspi_dleaf_t, "area")].bits, 9);
    assert_int_equal(bspi_dleaf_t.fields[field_of(&bspi_dleaf_t, "flags")].shift, 9);
}

static void test_leaf_sizes(void **state) {
    (void)state;
    assert_int_equal(size_of_row(named("source_20"), 10), 32);
    assert_int_equal(size_of_row(named("source_21"), 10), 32);
    assert_int_equal(size_of_row(named("source_17"), 10), 56);
    assert_int_equal(size_of_row(named("vampire"), 10), 56);
    const bsp_lump_def *row = row_of(named("source_19"), 10);
    assert_int_equal(row->variants[0].version, 0);
    assert_int_equal(row->variants[0].layout->size, 56);
    assert_int_equal(row->variants[1].version, 1);
    assert_int_equal(row->variants[1].layout->size, 32);
}

static void test_displacements(void **state) {
    (void)state;
    assert_int_equal(size_of_row(named("source_17"), 26), 172);
    assert_int_equal(size_of_row(named("vampire"), 26), 176);
    assert_int_equal(size_of_row(named("source_18"), 26), 176);
    const place places[] = {
        {&bspi_ddispinfo_t, "m_iDispVertStart", 12},
        {&bspi_ddispinfo_t, "m_iDispTriStart", 16},
        {&bspi_ddispinfo_t, "power", 20},
        {&bspi_ddispinfo_t, "smoothingAngle", 28},
        {&bspi_ddispinfo_t, "m_iMapFace", 36},
        {&bspi_ddispinfo_t, "padding", 38},
        {&bspi_ddispinfo_t, "m_iLightmapSamplePositionStart", 44},
        {&bspi_ddispinfo_t, "m_EdgeNeighbors[0].m_SubNeighbors[0].m_iNeighbor", 48},
        {&bspi_ddispinfo_t, "m_EdgeNeighbors[0].m_SubNeighbors[1].m_iNeighbor", 54},
        {&bspi_ddispinfo_t, "m_EdgeNeighbors[0].m_SubNeighbors[1].m_NeighborSpan", 58},
        {&bspi_ddispinfo_t, "m_EdgeNeighbors[3].m_SubNeighbors[1].m_NeighborOrientation", 92},
        {&bspi_ddispinfo_t, "m_CornerNeighbors[0].m_Neighbors", 96},
        {&bspi_ddispinfo_t, "m_CornerNeighbors[0].m_nNeighbors", 104},
        {&bspi_ddispinfo_t, "m_CornerNeighbors[3].m_Neighbors", 126},
        {&bspi_ddispinfo_t, "m_AllowedVerts", 136},
        {&bspi_ddispinfo_17_t, "power", 16},
        {&bspi_ddispinfo_17_t, "m_AllowedVerts", 132},
        {&bspi_dispmultiblend_t, "m_vMultiBlendColors", 32},
    };
    ASSERT_PLACES(places);

    const bsp_layout *disp = &bspi_ddispinfo_t;
    uint32_t edge = field_of(disp, "m_EdgeNeighbors[2].m_SubNeighbors[1].m_Span");
    assert_int_equal(disp->fields[edge].map_member, BSPI_MEMBER_displacement_edge_2_1_span);
    uint32_t count = field_of(disp, "m_CornerNeighbors[3].m_nNeighbors");
    assert_int_equal(disp->fields[count].map_member, BSPI_MEMBER_displacement_corner_3_count);
}

static void test_overlays_and_light(void **state) {
    (void)state;
    const place places[] = {
        {&bspi_doverlay_t, "nTexInfo", 4},
        {&bspi_doverlay_t, "m_nFaceCount", 6},
        {&bspi_doverlay_t, "m_nRenderOrder", 6},
        {&bspi_doverlay_t, "aFaces", 8},
        {&bspi_doverlay_t, "flU", 264},
        {&bspi_doverlay_t, "flV", 272},
        {&bspi_doverlay_t, "vecUVPoints", 280},
        {&bspi_doverlay_t, "vecOrigin", 328},
        {&bspi_doverlay_t, "vecBasisNormal", 340},
        {&bspi_dwateroverlay_t, "flU", 1032},
        {&bspi_dworldlight_0_t, "cluster", 36},
        {&bspi_dworldlight_0_t, "owner", 84},
        {&bspi_dworldlight_t, "shadow_cast_offset", 36},
        {&bspi_dworldlight_t, "cluster", 48},
        {&bspi_dworldlight_t, "owner", 96},
        {&bspi_dleafambientlighting_t, "x", 24},
        {&bspi_dcubemapsample_t, "size", 12},
        {&bspi_dlightmappage_t, "palette", 32768},
    };
    ASSERT_PLACES(places);
    assert_int_equal(bspi_doverlay_t.size, 352);
    assert_int_equal(bspi_dwateroverlay_t.size, 1120);
}

// --- props --------------------------------------------------------------------------------------

static void test_static_prop_sizes(void **state) {
    (void)state;
    const struct {
        const bsp_layout *layout;
        uint32_t size;
    } sizes[] = {
        {&bspi_static_prop_4_t, 56},
        {&bspi_static_prop_5_t, 60},
        {&bspi_static_prop_5_ship_t, 188},
        {&bspi_static_prop_6_t, 64},
        {&bspi_static_prop_6_bgt_t, 192},
        {&bspi_static_prop_6_dark_messiah_t, 136},
        {&bspi_static_prop_7_t, 68},
        {&bspi_static_prop_7_zeno_t, 68},
        {&bspi_static_prop_7_ftb_t, 76},
        {&bspi_static_prop_8_t, 68},
        {&bspi_static_prop_8_vindictus_t, 72},
        {&bspi_static_prop_9_t, 72},
        {&bspi_static_prop_9_dear_esther_t, 76},
        {&bspi_static_prop_10_t, 72},
        {&bspi_static_prop_10_csgo_t, 76},
        {&bspi_static_prop_11_lite_t, 76},
        {&bspi_static_prop_11_black_mesa_t, 80},
        {&bspi_static_prop_11_csgo_t, 80},
        {&bspi_static_prop_12_titanfall_t, 84},
        {&bspi_static_prop_13_t, 88},
        {&bspi_static_prop_13_titanfall2_t, 64},
    };
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        assert_int_equal(sizes[i].layout->size, sizes[i].size);
        assert_layout(sizes[i].layout);
    }
}

static void test_static_prop_places(void **state) {
    (void)state;
    const place places[] = {
        {&bspi_static_prop_4_t, "m_PropType", 24},
        {&bspi_static_prop_4_t, "m_Solid", 30},
        {&bspi_static_prop_4_t, "m_Flags", 31},
        {&bspi_static_prop_4_t, "m_Skin", 32},
        {&bspi_static_prop_4_t, "m_LightingOrigin", 44},
        {&bspi_static_prop_5_t, "m_flForcedFadeScale", 56},
        {&bspi_static_prop_5_ship_t, "m_TargetName", 60},
        {&bspi_static_prop_6_t, "m_nMinDXLevel", 60},
        {&bspi_static_prop_6_bgt_t, "m_TargetName", 64},
        {&bspi_static_prop_7_t, "m_DiffuseModulation", 64},
        {&bspi_static_prop_8_t, "m_nMinCPULevel", 60},
        {&bspi_static_prop_8_t, "m_DiffuseModulation", 64},
        {&bspi_static_prop_9_t, "m_bDisableX360", 68},
        {&bspi_static_prop_10_t, "padding", 31},
        {&bspi_static_prop_10_t, "m_Flags", 64},
        {&bspi_static_prop_10_t, "m_nLightmapResolutionX", 68},
        {&bspi_static_prop_10_t, "m_nLightmapResolutionY", 70},
        {&bspi_static_prop_10_csgo_t, "m_FlagsEx", 72},
        {&bspi_static_prop_11_csgo_t, "m_flUniformScale", 76},
        {&bspi_static_prop_11_lite_t, "m_DiffuseModulation", 72},
        {&bspi_static_prop_11_black_mesa_t, "m_FlagsEx", 76},
        {&bspi_static_prop_13_t, "m_Scale", 76},
        {&bspi_static_prop_9_dear_esther_t, "m_Skin", 36},
        {&bspi_static_prop_9_dear_esther_t, "m_FadeMinDist", 40},
        {&bspi_static_prop_9_dear_esther_t, "m_flForcedFadeScale", 60},
        {&bspi_static_prop_9_dear_esther_t, "m_nMinCPULevel", 64},
        {&bspi_static_prop_9_dear_esther_t, "m_DiffuseModulation", 69},
        {&bspi_static_prop_7_ftb_t, "m_flUniformScale", 72},
        {&bspi_static_prop_12_titanfall_t, "m_FadeMinDist", 36},
        {&bspi_static_prop_12_titanfall_t, "m_Scale", 72},
        {&bspi_static_prop_13_titanfall2_t, "m_Scale", 24},
        {&bspi_static_prop_13_titanfall2_t, "m_PropType", 28},
        {&bspi_static_prop_13_titanfall2_t, "m_LightingOrigin", 40},
        {&bspi_static_prop_13_titanfall2_t, "m_CollisionFlagsAdd", 60},
    };
    ASSERT_PLACES(places);
}

static const bsp_layout *props_of(const bsp_branch *branch, uint32_t version, uint32_t stride) {
    while (branch->num_game_lumps == 0) {
        branch = branch->base;
    }
    const bsp_game_lump_def *def = &branch->game_lumps[0];
    for (uint32_t i = 0; i < def->num_section_lists; i++) {
        const bsp_section_list *list = &def->section_lists[i];
        if (list->version == version && list->stride == stride) {
            return list->sections[list->num_sections - 1].layout;
        }
    }
    return NULL;
}

static void test_static_prop_lists(void **state) {
    (void)state;
    assert_ptr_equal(props_of(named("source_19"), 5, 60), &bspi_static_prop_5_t);
    assert_ptr_equal(props_of(named("source_20"), 7, 72), &bspi_static_prop_10_t);
    assert_ptr_equal(props_of(named("source_20"), 7, 68), &bspi_static_prop_7_t);
    assert_ptr_equal(props_of(named("source_20"), 10, 76), &bspi_static_prop_10_csgo_t);
    assert_ptr_equal(props_of(named("source_20"), 11, 80), &bspi_static_prop_11_black_mesa_t);
    assert_ptr_equal(props_of(named("source_21"), 11, 80), &bspi_static_prop_11_csgo_t);
    assert_ptr_equal(props_of(named("left4dead2"), 9, 72), &bspi_static_prop_9_t);
}

static void test_detail_props(void **state) {
    (void)state;
    const place places[] = {
        {&bspi_detail_object_t, "m_DetailModel", 24},
        {&bspi_detail_object_t, "m_Leaf", 26},
        {&bspi_detail_object_t, "m_Lighting", 28},
        {&bspi_detail_object_t, "m_LightStyles", 32},
        {&bspi_detail_object_t, "m_LightStyleCount", 36},
        {&bspi_detail_object_t, "m_Orientation", 40},
        {&bspi_detail_object_t, "m_Type", 44},
        {&bspi_detail_object_t, "m_flScale", 48},
        {&bspi_detail_sprite_t, "m_TexUL", 16},
        {&bspi_detail_light_style_t, "m_Style", 4},
    };
    ASSERT_PLACES(places);
    assert_int_equal(bspi_detail_object_t.size, 52);
    assert_int_equal(bspi_detail_sprite_t.size, 32);
    assert_int_equal(bspi_detail_light_style_t.size, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts_cover_their_sizes),
        cmocka_unit_test(test_heads),
        cmocka_unit_test(test_faces),
        cmocka_unit_test(test_light_offsets),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_leaf_sizes),
        cmocka_unit_test(test_displacements),
        cmocka_unit_test(test_overlays_and_light),
        cmocka_unit_test(test_static_prop_sizes),
        cmocka_unit_test(test_static_prop_places),
        cmocka_unit_test(test_static_prop_lists),
        cmocka_unit_test(test_detail_props),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
