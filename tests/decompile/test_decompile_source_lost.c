// SPDX-License-Identifier: MIT
// Protections, names, props and damage that no sample has, in the Source sample's map: what must
// come of them, and of the map without one of its lumps.
#include "support/made.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- protections --------------------------------------------------------------------------------

static void test_marks(void **state) {
    (void)state;
    made m;
    made_begin(&m, "{ \"classname\" \"worldspawn\" \"no_decomp\" \"1\" }"
                   "{ \"classname\" \"light\" \"targetname\" \"173\" }");
    MADE_COPY(&m, bsp_material, materials);
    materials[0].name = bsp_text_of("TOOLS/LOCKED");
    made_run(&m, false);
    assert_int_equal(m.report.protections, 3);
    assert_int_equal(made_count_issues(&m, "decompile-protected"), 3);
    assert_null(bsp_mapdoc_value(m.source, 0, "no_decomp").data);
    made_end(&m);
}

// Three boxes with edges of 1, 4 and 9 units, each of one texture.
static void test_mark_brushes(void **state) {
    (void)state;
    static const float sizes[3][3] = {{1, 4, 9}, {4, 9, 1}, {9, 1, 4}};
    made m;
    made_begin(&m, NULL);
    MADE_COPY(&m, bsp_plane, planes);
    MADE_COPY(&m, bsp_brush_side, brush_sides);
    bsp_plane *more = made_copy(&m, m.map.planes, m.map.num_planes, sizeof *more);
    (void)planes;
    for (uint32_t k = 0; k < 3; k++) {
        float box[2][3];
        const bsp_brush *brush = &m.map.brushes[made_find_box(&m.map, k, box)];
        for (uint32_t i = 0; i < 6; i++) {
            bsp_brush_side *side = &brush_sides[brush->first_side + i];
            bsp_plane *plane = &more[m.map.num_planes + 6 * k + i];
            *plane = m.map.planes[side->plane];
            for (int axis = 0; axis < 3; axis++) {
                if (plane->normal[axis] > 0.9F) {
                    plane->dist = box[0][axis] + sizes[k][axis];
                }
            }
            side->plane = m.map.num_planes + 6 * k + i;
            side->texinfo = 1;
        }
    }
    m.map.planes = more;
    m.map.num_planes += 18;
    made_run(&m, false);
    assert_int_equal(m.report.protections, 1);
    uint32_t marked = 0;
    for (uint32_t i = 0; i < m.source->num_brushes; i++) {
        marked += made_is_visgroup(m.source, m.source->brushes[i].visgroup, "marks of protection");
    }
    assert_int_equal(marked, 3);
    made_end(&m);
}

// A zip with one stored file of no bytes.
static void test_encrypted_entities(void **state) {
    (void)state;
    static const uint8_t zip[] =
        "PK\3\4\12\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\14\0\0\0entities.dat"
        "PK\1\2\12\0\12\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\14\0\0\0\0\0\0\0\0"
        "\0\0\0\0\0\0\0\0\0entities.dat"
        "PK\5\6\0\0\0\0\1\0\1\0\72\0\0\0\52\0\0\0\0";
    made m;
    made_begin(&m, NULL);
    m.map.pak = (bsp_bytes){zip, sizeof zip}; // the literal's NUL is the comment's length
    made_run(&m, false);
    assert_int_equal(m.report.protections, 1);
    made_end(&m);
}

// All sides lose their texinfo: what faces show is as before.
static void test_no_draw(void **state) {
    (void)state;
    made m;
    made_begin(&m, NULL);
    made_run(&m, false);
    assert_int_equal(m.report.protections, 0);
    bsp_mapdoc *before = m.source;
    m.source = NULL;
    uint32_t shown = m.report.sides_faced;
    MADE_COPY(&m, bsp_brush_side, brush_sides);
    for (uint32_t i = 0; i < m.map.num_brush_sides; i++) {
        brush_sides[i].texinfo = 0;
    }
    made_run(&m, false);
    assert_int_equal(m.report.protections, 1);
    assert_int_equal(before->num_sides, m.source->num_sides);
    uint32_t same = 0;
    for (uint32_t i = 0; i < before->num_sides; i++) {
        const bsp_mapdoc_side *a = &before->sides[i];
        const bsp_mapdoc_side *b = &m.source->sides[i];
        same +=
            bsp_text_equal(a->material, b->material) && memcmp(a->vec, b->vec, sizeof a->vec) == 0;
    }
    assert_true(same >= shown && shown > 100);
    bsp_mapdoc_free(before);
    made_end(&m);
}

// --- what is wanted -----------------------------------------------------------------------------

static bool nobody(void *user, const bsp_entity *entity) {
    (void)user;
    (void)entity;
    return false;
}

// The world is the entity of that class, wherever it stands: the one before it is not always
// wanted.
static void test_nobody_is_wanted(void **state) {
    (void)state;
    made m;
    made_begin(&m, "{ \"classname\" \"info_player_start\" }{ \"classname\" \"worldspawn\" }"
                   "{ \"classname\" \"light\" }");
    bsp_decompile_options options = {.file = m.file, .wanted = nobody};
    m.source = bsp_decompile(&m.map, &options, NULL, NULL);
    assert_non_null(m.source);
    assert_int_not_equal(made_find_entity(m.source, "worldspawn", 0), BSP_NONE);
    assert_int_equal(made_find_entity(m.source, "info_player_start", 0), BSP_NONE);
    assert_int_equal(made_find_entity(m.source, "light", 0), BSP_NONE);
    made_end(&m);
}

// --- materials ----------------------------------------------------------------------------------

static void test_names(void **state) {
    (void)state;
    static const struct {
        const char *given;
        const char *expected;
    } cases[] = {
        {"maps/lobby/Lobby/Floor1_128_112_80", "Lobby/Floor1"},
        {"maps/lobby/lobby/floor1_-1_-22_333", "lobby/floor1"},
        {"maps/lobby/lobby/hill1_wvt_patch", "lobby/hill1"},
        {"maps/lobby/lobby/water1_depth_24", "lobby/water1"},
        {"MAPS/lobby/lobby/water1_depth_-24", "lobby/water1"},
        {"maps/lobby/maps/lobby/lobby/water1_depth_24_1_2_3", "lobby/water1"},
        {"maps/lobby/lobby/sign_1_2", "maps/lobby/lobby/sign_1_2"},
        {"maps/lobby", "maps/lobby"},
        {"lobby/floor_1_2_3", "lobby/floor_1_2_3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        made m;
        made_begin(&m, NULL);
        MADE_COPY(&m, bsp_material, materials);
        m.map.pak = (bsp_bytes){NULL, 0};
        for (uint32_t k = 0; k < m.map.num_materials; k++) {
            materials[k].name = bsp_text_of(cases[i].given);
        }
        made_run(&m, false);
        // The hill is shown by a face: no tool takes its place.
        const bsp_mapdoc_side *hill = NULL;
        for (uint32_t k = 0; k < m.source->num_sides; k++) {
            hill = m.source->sides[k].disp == 0 ? &m.source->sides[k] : hill;
        }
        assert_non_null(hill);
        assert_true(made_is_name(hill->material, cases[i].expected));
        bool renamed = strcmp(cases[i].given, cases[i].expected) != 0;
        assert_int_equal(m.report.renamed, renamed ? m.map.num_materials : 0);
        // The sample's one cubemap is at 128 112 80.
        uint32_t cubemap = made_find_entity(m.source, "env_cubemap", 0);
        bsp_text list = bsp_mapdoc_value(m.source, cubemap, "sides");
        assert_true((list.size != 0) == (i == 0));
        // All sides are more than Hammer keeps of a value: numbers are left out, none is cut.
        assert_true(list.size <= 511 && (i != 0 || list.size > 500));
        assert_true((made_count_issues(&m, "decompile-lost") != 0) == (i == 0));
        made_end(&m);
    }
}

// --- props --------------------------------------------------------------------------------------

static bool has(const bsp_mapdoc *s, uint32_t entity, const char *key, const char *value) {
    return made_is_name(bsp_mapdoc_value(s, entity, key), value);
}

static void test_props(void **state) {
    (void)state;
    made m;
    made_begin(&m, NULL);
    MADE_COPY(&m, bsp_static_prop, static_props);
    assert_int_equal(m.map.num_static_props, 2);
    bsp_static_prop *p = static_props;
    p->flags = 0x1 | 0x2 | 0x8 | 0x20 | 0x80 | 0x100;
    p->fade_min = 100;
    p->fade_max = 200.5F;
    p->forced_fade_scale = 0.5F;
    p->skin = 3;
    p->solid = 0;
    p->dx_levels[0] = 80;
    p->dx_levels[1] = 95;
    p->lightmap_size[0] = 64;
    p->lightmap_size[1] = 16;
    p->lighting_origin[0] = p->lighting_origin[1] = p->lighting_origin[2] = 7;
    p[1].flags = 0x2 | 0x10 | 0x40;
    memcpy(p[1].lighting_origin, p->lighting_origin, sizeof p->lighting_origin);
    p[1].fade_min = p[1].fade_max = 0;
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t a = made_find_entity(s, "prop_static", 0);
    uint32_t b = made_find_entity(s, "prop_static", 1);
    static const char *const keys[][3] = {
        {"fademindist", "100", "-1"},
        {"fademaxdist", "200.5", "0"},
        {"ignorenormals", "1", "0"},
        {"disableshadows", "0", "1"},
        {"screenspacefade", "1", "0"},
        {"disablevertexlighting", "0", "1"},
        {"disableselfshadowing", "1", "0"},
        {"generatelightmaps", "0", "1"},
        {"lightingorigin", "info_lighting_1", "info_lighting_1"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_true(has(s, a, keys[i][0], keys[i][1]) && has(s, b, keys[i][0], keys[i][2]));
    }
    assert_true(has(s, a, "fadescale", "0.5") && has(s, a, "skin", "3") && has(s, a, "solid", "0"));
    assert_true(has(s, a, "mindxlevel", "80") && has(s, a, "maxdxlevel", "95"));
    assert_true(has(s, a, "lightmapresolutionx", "64") && has(s, a, "lightmapresolutiony", "16"));
    uint32_t light = made_find_entity(s, "info_lighting", 0);
    assert_true(has(s, light, "origin", "7 7 7") && has(s, light, "targetname", "info_lighting_1"));
    assert_int_equal(made_find_entity(s, "info_lighting", 1), BSP_NONE);
    made_end(&m);
}

static void test_named_overlay(void **state) {
    (void)state;
    made m;
    made_begin(&m, "{ \"classname\" \"worldspawn\" }"
                   "{ \"classname\" \"info_overlay_accessor\" \"OverlayID\" \"77\" \"targetname\" "
                   "\"sign\" }");
    MADE_COPY(&m, bsp_overlay, overlays);
    overlays[0].id = 77;
    overlays[0].uv_points[3][2] = 1; // V is turned round
    const bsp_overlay_level level = {{0, 3, 1, 2}};
    m.map.overlay_levels = &level;
    m.map.num_overlay_levels = 1;
    made_run(&m, false);
    assert_int_equal(made_find_entity(m.source, "info_overlay_accessor", 0), BSP_NONE);
    uint32_t sign = made_find_entity(m.source, "info_overlay", 0);
    assert_true(made_is_name(bsp_mapdoc_value(m.source, sign, "targetname"), "sign"));
    assert_true(made_is_name(bsp_mapdoc_value(m.source, sign, "BasisU"), "1 0 0"));
    assert_true(made_is_name(bsp_mapdoc_value(m.source, sign, "BasisV"), "0 -1 0"));
    assert_true(has(m.source, sign, "mincpulevel", "0") && has(m.source, sign, "maxcpulevel", "3"));
    assert_true(has(m.source, sign, "mingpulevel", "1") && has(m.source, sign, "maxgpulevel", "2"));
    made_end(&m);
}

// --- damage -------------------------------------------------------------------------------------

// A displacement without its vertices leaves a flat brush; the rest is as it was.
static void test_damaged_displacement(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        made m;
        made_begin(&m, NULL);
        made_run(&m, false);
        uint32_t brushes = m.source->num_brushes;
        MADE_COPY(&m, bsp_displacement, displacements);
        MADE_COPY(&m, bsp_disp_vert, disp_verts);
        if (kind == 0) {
            displacements[0].power = 9;
        } else if (kind == 1) {
            displacements[0].first_vert = UINT32_MAX;
        } else if (kind == 2) {
            disp_verts[3].dist = NAN;
        } else {
            m.map.num_disp_verts = 0;
        }
        made_run(&m, false);
        assert_int_equal(m.source->num_brushes, brushes);
        assert_int_equal(m.source->num_disps, 0);
        assert_int_equal(m.report.displacements_lost, 1);
        assert_int_equal(made_count_issues(&m, "decompile-lost"), 1);
        made_end(&m);
    }
}

// No worldspawn, no entities at all: the brushes are there.
static void test_no_entities(void **state) {
    (void)state;
    made m;
    made_begin(&m, "{ \"classname\" \"light\" }");
    made_run(&m, false);
    assert_true(made_is_name(bsp_mapdoc_value(m.source, 0, "classname"), "worldspawn"));
    assert_true(m.source->entities[0].num_brushes > 40);
    m.map.entities = NULL;
    made_run(&m, false);
    assert_true(m.source->entities[0].num_brushes > 40);
    made_end(&m);
}

// --- one lump after the other -------------------------------------------------------------------

// What each lump holds that brushes cannot do without; every other one may be lost.
static bool brushes_need(uint32_t lump) {
    static const uint32_t needed[] = {1, 18, 19}; // planes, brushes, sides
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (needed[i] == lump) {
            return true;
        }
    }
    return false;
}

static bsp_mapdoc *without_lump(bsp_bytes bytes, uint32_t lump, bsp_decompile_report *report) {
    uint8_t *own = malloc(bytes.size);
    assert_non_null(own);
    memcpy(own, bytes.data, bytes.size);
    if (lump < 64) {
        memset(own + 8 + (size_t)16 * lump, 0, 16); // its entry of the directory
    }
    bsp_open_options open_options = {.branch = "source_20"};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){own, bytes.size}, &open_options, NULL);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    bsp_error error = {0};
    bsp_decompile_options options = {.file = file};
    bsp_mapdoc *source = bsp_decompile(map, &options, report, &error);
    if (source == NULL) {
        fail_msg("without lump %u: %s", lump, error.message);
    }
    bsp_map_free(map);
    bsp_file_close(file);
    free(own);
    return source;
}

static void test_lost_lumps(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(MADE_PATH, NULL, NULL);
    assert_non_null(file);
    bsp_bytes bytes = bsp_file_get_info(file)->bytes;
    bsp_decompile_report whole;
    bsp_mapdoc_free(without_lump(bytes, 64, &whole));
    for (uint32_t lump = 0; lump < 64; lump++) {
        bsp_decompile_report report;
        bsp_mapdoc *source = without_lump(bytes, lump, &report);
        bsp_mapdoc_health health;
        assert_true(bsp_mapdoc_check(source, NULL, NULL, &health, NULL));
        assert_int_equal(health.sound, source->num_brushes);
        uint32_t disps = lump == 3 || lump == 7 || lump == 12 || lump == 13 || lump == 26 ||
                                 lump == 33 // vertices, faces, edges, displacements
                             ? 0
                             : 1;
        assert_int_equal(report.displacements, disps);
        if (!brushes_need(lump)) {
            // The displacement's brush is made of its face.
            assert_in_range(report.brushes_out, whole.brushes_out - 1, whole.brushes_out);
        }
        assert_int_equal(report.static_props, lump == 35 ? 0 : whole.static_props);
        assert_int_equal(report.cubemaps, lump == 42 ? 0 : whole.cubemaps);
        bool overlay = lump != 45 && lump != 2 && lump != 6; // texture data and texinfo
        assert_int_equal(report.overlays, overlay ? whole.overlays : 0);
        assert_int_equal(report.outputs, lump == 0 ? 0 : whole.outputs);
        bsp_mapdoc_free(source);
    }
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_mark_brushes),
        cmocka_unit_test(test_encrypted_entities),
        cmocka_unit_test(test_no_draw),
        cmocka_unit_test(test_nobody_is_wanted),
        cmocka_unit_test(test_props),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_named_overlay),
        cmocka_unit_test(test_damaged_displacement),
        cmocka_unit_test(test_no_entities),
        cmocka_unit_test(test_lost_lumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
