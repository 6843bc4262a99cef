// SPDX-License-Identifier: MIT
// What no sample has: area portals, occluders, sides without planes, ladders and turned models in
// the Source sample's map, and what must come of them.
#include "support/made.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The middle section of a box, clockwise from +Z, as a polygon of vertices.
static void section_of(const float box[2][3], bsp_vertex out[4]) {
    static const int corner[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    for (int i = 0; i < 4; i++) {
        out[i].point[0] = box[corner[i][0]][0];
        out[i].point[1] = box[corner[i][1]][1];
        out[i].point[2] = (box[0][2] + box[1][2]) / 2;
    }
}

// --- area portals -------------------------------------------------------------------------------

static const char portal_text[] = "{ \"classname\" \"worldspawn\" }"
                                  "{ \"classname\" \"func_areaportal\" \"portalnumber\" \"1\" "
                                  "\"targetname\" \"first\" }"
                                  "{ \"classname\" \"func_areaportalwindow\" "
                                  "\"portalnumber\" \"2\" \"targetname\" \"second\" }";

// Gives the map two polygons: that of portal 1 lies in the second box, that of portal 2 in the
// first.
static void swap_polygons(made *m, const float box[2][2][3]) {
    bsp_area_portal *portals = made_copy(m, NULL, 0, sizeof *portals);
    bsp_vertex *verts = made_copy(m, NULL, 0, sizeof *verts);
    for (uint32_t i = 0; i < 2; i++) {
        portals[i] = (bsp_area_portal){.key = i + 1, .first_vert = 4 * i, .num_verts = 4};
        section_of(box[1 - i], verts + (size_t)4 * i);
    }
    m->map.area_portals = portals;
    m->map.num_area_portals = 2;
    m->map.clip_portal_verts = verts;
    m->map.num_clip_portal_verts = 8;
}

// Polygons say that the first portal is the second brush; a third brush has no entity.
static void test_area_portals(void **state) {
    (void)state;
    made m;
    made_begin(&m, portal_text);
    MADE_COPY(&m, bsp_brush, brushes);
    float box[3][2][3];
    uint32_t last = BSP_NONE;
    for (uint32_t i = 0; i < 3; i++) {
        last = made_find_box(&m.map, 0, box[i]);
        brushes[last].contents = 0x8000;
    }
    swap_polygons(&m, (const float(*)[2][3])box);
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t first = made_find_entity(s, "func_areaportal", 0);
    uint32_t second = made_find_entity(s, "func_areaportalwindow", 0);
    uint32_t third = made_find_entity(s, "func_areaportal", 1);
    assert_true(made_is_name(bsp_mapdoc_value(s, first, "targetname"), "first"));
    assert_null(bsp_mapdoc_value(s, first, "portalnumber").data);
    assert_true(made_is_box(s, made_brush_of(s, first), (const float(*)[3])box[1]));
    assert_true(made_is_box(s, made_brush_of(s, second), (const float(*)[3])box[0]));
    assert_true(made_is_box(s, made_brush_of(s, third), (const float(*)[3])box[2]));
    assert_int_equal(made_brush_of(s, first)->visgroup, BSP_NONE);
    assert_true(made_is_visgroup(s, made_brush_of(s, third)->visgroup, "guess: area portals"));
    // By order only where entities and brushes are equally many.
    for (uint32_t i = 0; i < 2; i++) {
        bool equal = i == 1;
        brushes[last].contents = equal ? 1 : 0x8000;
        made_run_with(&m, (bsp_decompile_options){.portals = BSP_PORTALS_BY_ORDER});
        s = m.source;
        const bsp_mapdoc_brush *brush = made_brush_of(s, made_find_entity(s, "func_areaportal", 0));
        assert_true(made_is_box(s, brush, (const float(*)[3])box[equal ? 0 : 1]));
        brush = made_brush_of(s, made_find_entity(s, "func_areaportalwindow", 0));
        assert_true(made_is_box(s, brush, (const float(*)[3])box[equal ? 1 : 0]));
    }
    made_end(&m);
}

// However many entities there are, the polygons say whose brush it is.
static void test_many_area_portals(void **state) {
    (void)state;
    static const char more[] = "{ \"classname\" \"func_areaportal\" }";
    enum { MORE = 600 };
    char *text = calloc(1, sizeof portal_text + MORE * sizeof more);
    assert_non_null(text);
    char *end_of = text + sprintf(text, "%s", portal_text);
    for (int i = 0; i < MORE; i++) {
        end_of += sprintf(end_of, "%s", more);
    }
    made m;
    made_begin(&m, text);
    MADE_COPY(&m, bsp_brush, brushes);
    float box[2][2][3];
    for (uint32_t i = 0; i < 2; i++) {
        brushes[made_find_box(&m.map, 0, box[i])].contents = 0x8000;
    }
    swap_polygons(&m, (const float(*)[2][3])box);
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t first = made_find_entity(s, "func_areaportal", 0);
    uint32_t second = made_find_entity(s, "func_areaportalwindow", 0);
    assert_true(made_is_box(s, made_brush_of(s, first), (const float(*)[3])box[1]));
    assert_true(made_is_box(s, made_brush_of(s, second), (const float(*)[3])box[0]));
    made_end(&m);
    free(text);
}

// Without polygons, as many brushes as entities are theirs in their order.
static void test_area_portals_in_order(void **state) {
    (void)state;
    made m;
    made_begin(&m, portal_text);
    MADE_COPY(&m, bsp_brush, brushes);
    float box[2][2][3];
    for (uint32_t i = 0; i < 2; i++) {
        brushes[made_find_box(&m.map, 0, box[i])].contents = 0x8000;
    }
    m.map.num_area_portals = 0;
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    const bsp_mapdoc_brush *first = made_brush_of(s, made_find_entity(s, "func_areaportal", 0));
    const bsp_mapdoc_brush *second =
        made_brush_of(s, made_find_entity(s, "func_areaportalwindow", 0));
    assert_true(made_is_box(s, first, (const float(*)[3])box[0]));
    assert_true(made_is_box(s, second, (const float(*)[3])box[1]));
    assert_int_equal(first->visgroup, BSP_NONE);
    made_end(&m);
}

// --- occluders ----------------------------------------------------------------------------------

// Two occluders: of the first the brush is there, in no leaf; of the second only the polygon.
static void test_occluders(void **state) {
    (void)state;
    made m;
    made_begin(&m,
               "{ \"classname\" \"worldspawn\" }"
               "{ \"classname\" \"func_occluder\" \"occludernumber\" \"0\" \"targetname\" \"a\" }"
               "{ \"classname\" \"func_occluder\" \"occludernumber\" \"1\" \"targetname\" \"b\" }");
    MADE_COPY(&m, uint32_t, leaf_brushes);
    MADE_COPY(&m, bsp_vertex, vertices);
    float box[2][3];
    uint32_t brush = made_find_box(&m.map, 3, box);
    for (uint32_t i = 0; i < m.map.num_leaf_brushes; i++) {
        leaf_brushes[i] = leaf_brushes[i] == brush ? 0 : leaf_brushes[i];
    }
    bsp_vertex *top = vertices + m.map.num_vertices;
    section_of((const float(*)[3])box, top);
    for (int i = 0; i < 4; i++) {
        top[i].point[2] = box[1][2];
        top[4 + i] = top[i];
        top[4 + i].point[2] = 500;
    }
    uint32_t *indices = made_copy(&m, NULL, 0, sizeof *indices);
    for (uint32_t i = 0; i < 8; i++) {
        indices[i] = m.map.num_vertices + i;
    }
    m.map.num_vertices += 8;
    static const bsp_occluder_poly polys[2] = {{0, 4, 0}, {4, 4, 0}};
    static const bsp_occluder occluders[2] = {{.first_poly = 0, .num_polys = 1},
                                              {.first_poly = 1, .num_polys = 1}};
    m.map.occluder_indices = indices;
    m.map.num_occluder_indices = 8;
    m.map.occluder_polys = polys;
    m.map.num_occluder_polys = 2;
    m.map.occluders = occluders;
    m.map.num_occluders = 2;
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t a = made_find_entity(s, "func_occluder", 0);
    uint32_t b = made_find_entity(s, "func_occluder", 1);
    assert_null(bsp_mapdoc_value(s, a, "occludernumber").data);
    assert_true(made_is_box(s, made_brush_of(s, a), (const float(*)[3])box));
    const bsp_mapdoc_brush *from_polygon = made_brush_of(s, b);
    assert_true(made_is_visgroup(s, from_polygon->visgroup, "guess: occluders"));
    const uint32_t both[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        const bsp_mapdoc_brush *own = made_brush_of(s, both[k]);
        for (uint32_t i = 0; i < own->num_sides; i++) {
            const bsp_mapdoc_side *side = &s->sides[own->first_side + i];
            bool up = side->normal[2] > 0.9;
            assert_true(
                made_is_name(side->material, up ? "tools/toolsoccluder" : "tools/toolsnodraw"));
        }
    }
    made_end(&m);
}

// Each of many polygons lies within each of many brushes, on no side: comparing all takes more work
// than the map's size allows.
static void test_too_many_occluders(void **state) {
    (void)state;
    enum { MANY = 1700 };
    static bsp_occluder_poly polys[MANY];
    static const bsp_occluder occluder = {.first_poly = 0, .num_polys = MANY};
    made m;
    made_begin(&m, NULL);
    MADE_COPY(&m, bsp_vertex, vertices);
    float box[2][3];
    uint32_t brush = made_find_box(&m.map, 3, box);
    uint32_t *indices = made_copy(&m, NULL, 0, sizeof *indices);
    section_of((const float(*)[3])box, vertices + m.map.num_vertices);
    for (uint32_t i = 0; i < 4; i++) {
        vertices[m.map.num_vertices + i].point[2] = (box[0][2] + box[1][2]) / 2;
        indices[i] = m.map.num_vertices + i;
    }
    m.map.num_vertices += 4;
    bsp_brush *brushes = made_copy(&m, NULL, m.map.num_brushes + MANY, sizeof *brushes);
    memcpy(brushes, m.map.brushes, m.map.num_brushes * sizeof *brushes);
    const bsp_brush *from = &m.map.brushes[brush];
    size_t room = m.map.num_brush_sides + (size_t)MANY * from->num_sides;
    bsp_brush_side *sides = made_copy(&m, NULL, room, sizeof *sides);
    memcpy(sides, m.map.brush_sides, m.map.num_brush_sides * sizeof *sides);
    for (uint32_t i = 0; i < MANY; i++) {
        bsp_brush *made_brush = &brushes[m.map.num_brushes + i];
        *made_brush = *from;
        made_brush->first_side = m.map.num_brush_sides;
        memcpy(sides + made_brush->first_side, sides + from->first_side,
               from->num_sides * sizeof *sides);
        m.map.num_brush_sides += from->num_sides;
        polys[i] = (bsp_occluder_poly){0, 4, 0};
    }
    m.map.brush_sides = sides;
    m.map.brushes = brushes;
    m.map.num_brushes += MANY;
    m.map.occluder_indices = indices;
    m.map.num_occluder_indices = 4;
    m.map.occluder_polys = polys;
    m.map.num_occluder_polys = MANY;
    m.map.occluders = &occluder;
    m.map.num_occluders = 1;
    bsp_error error = {0};
    bsp_decompile_options options = {.file = m.file, .issues = m.issues};
    assert_null(bsp_decompile(&m.map, &options, NULL, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_non_null(strstr(error.message, "the work limit of"));
    m.map.num_occluders = 0;
    made_run(&m, false);
    made_end(&m);
}

// --- sides that lost their planes ---------------------------------------------------------------

// Puts the sides of a box in the compiler's order (-X, +X, -Y, +Y, -Z, +Z), and gives the second
// and the fifth the plane of the first: +X and -Z are lost.
static void lose_planes(made *m, bsp_brush_side *sides, uint32_t brush) {
    bsp_brush_side sorted[6];
    bsp_brush_side *own = sides + m->map.brushes[brush].first_side;
    for (uint32_t i = 0; i < 6; i++) {
        const float *n = m->map.planes[own[i].plane].normal;
        for (uint32_t axis = 0; axis < 3; axis++) {
            if (fabsf(n[axis]) > 0.9999F) {
                sorted[2 * axis + (n[axis] > 0)] = own[i];
            }
        }
    }
    memcpy(own, sorted, sizeof sorted);
    own[1].plane = own[4].plane = own[0].plane;
}

static bool is_lost(const made *m, uint32_t brush) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(m->issues, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].kind->id, "decompile-lost") == 0 && list[i].place.record == brush &&
            strcmp(list[i].place.lump, "BRUSHES") == 0) {
            return true;
        }
    }
    return false;
}

static const bsp_mapdoc_brush *find_written(const bsp_mapdoc *s, const float box[2][3]) {
    for (uint32_t i = 0; i < s->num_brushes; i++) {
        if (made_is_box(s, &s->brushes[i], box)) {
            return &s->brushes[i];
        }
    }
    return NULL;
}

// The planes come from the faces and leaves of the box, and are those that it had; or they are not
// told (boxes that are in no leaf of their own, or beside void), which the report says.
static void test_lost_planes(void **state) {
    (void)state;
    made m;
    made_begin(&m, NULL);
    MADE_COPY(&m, bsp_brush_side, brush_sides);
    uint32_t right = 0;
    for (uint32_t k = 0; k < 20; k++) {
        float box[2][3];
        bsp_brush_side saved[6];
        uint32_t brush = made_find_box(&m.map, k, box);
        bsp_brush_side *own = brush_sides + m.map.brushes[brush].first_side;
        memcpy(saved, own, sizeof saved);
        lose_planes(&m, brush_sides, brush);
        made_run(&m, false);
        const bsp_mapdoc_brush *written = find_written(m.source, (const float(*)[3])box);
        assert_true(made_is_guess(&m, "BRUSHES", brush) != is_lost(&m, brush));
        assert_true(m.report.brushes_lost == (is_lost(&m, brush) ? 1U : 0U));
        if (written != NULL) {
            assert_true(made_is_guess(&m, "BRUSHES", brush));
            assert_true(made_is_visgroup(m.source, written->visgroup, "guess: planes of sides"));
            right++;
        }
        memcpy(own, saved, sizeof saved);
    }
    assert_true(right >= 9);
    made_end(&m);
}

// Without faces and leaves nothing tells them.
static void test_untold_planes(void **state) {
    (void)state;
    made m;
    made_begin(&m, NULL);
    MADE_COPY(&m, bsp_brush_side, brush_sides);
    float box[2][3];
    uint32_t brush = made_find_box(&m.map, 3, box);
    lose_planes(&m, brush_sides, brush);
    m.map.num_leaf_brushes = 0;
    m.map.num_faces = 0;
    MADE_COPY(&m, bsp_leaf, leaves);
    MADE_COPY(&m, bsp_model, models);
    for (uint32_t i = 0; i < m.map.num_leaves; i++) {
        leaves[i].num_brushes = leaves[i].num_faces = 0;
    }
    for (uint32_t i = 0; i < m.map.num_models; i++) {
        models[i].num_faces = 0;
    }
    made_run(&m, false);
    assert_true(is_lost(&m, brush));
    made_end(&m);
}

// --- ladders, lights, instances, water ----------------------------------------------------------

// Brush 2 is in the box of two info_ladders: the first is its func_ladder, with the keys that the
// author gave it, the second stays. No box holds the others: the material of one explains the bit,
// that of the other does not.
static void test_ladder(void **state) {
    (void)state;
    made m;
    float box[2][3];
    made_begin(&m, NULL);
    uint32_t brush = made_find_box(&m.map, 2, box);
    bsp_map_free(m.loaded);
    bsp_file_close(m.file);
    bsp_issues_free(m.issues);
    char ladder_text[256];
    char text[1024];
    (void)snprintf(
        ladder_text, sizeof ladder_text,
        "\"classname\" \"info_ladder\" \"mins.x\" \"%g\" \"mins.y\" \"%g\" \"mins.z\" "
        "\"%g\" \"maxs.x\" \"%g\" \"maxs.y\" \"%g\" \"maxs.z\" \"%g\" \"origin\" \"0 0 7\"",
        (double)box[0][0], (double)box[0][1], (double)box[0][2], (double)box[1][0],
        (double)box[1][1], (double)box[1][2]);
    (void)snprintf(
        text, sizeof text,
        "{ \"classname\" \"worldspawn\" }{ %s \"targetname\" \"up\" \"hammerid\" \"77\" }"
        "{ %s \"targetname\" \"again\" }",
        ladder_text, ladder_text);
    made_begin(&m, text);
    MADE_COPY(&m, bsp_brush, brushes);
    MADE_COPY(&m, bsp_brush_side, brush_sides);
    MADE_COPY(&m, bsp_texinfo, texinfos);
    MADE_COPY(&m, bsp_material, materials);
    float bare[2][3];
    float tool[2][3];
    uint32_t bare_brush = made_find_box(&m.map, 5, bare);
    uint32_t tool_brush = made_find_box(&m.map, 6, tool);
    brushes[brush].contents |= 0x20000000;
    brushes[bare_brush].contents |= 0x20000000;
    brushes[tool_brush].contents = 0x30000008;
    materials[m.map.num_materials].name = bsp_text_of("tools/toolsinvisibleladder");
    texinfos[m.map.num_texinfos] = texinfos[0];
    texinfos[m.map.num_texinfos].flags = 0x480;
    texinfos[m.map.num_texinfos].material = m.map.num_materials++;
    for (uint32_t i = 0; i < brushes[tool_brush].num_sides; i++) {
        brush_sides[brushes[tool_brush].first_side + i].texinfo = m.map.num_texinfos;
    }
    m.map.num_texinfos++;
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t ladder = made_find_entity(s, "func_ladder", 0);
    assert_true(made_is_box(s, made_brush_of(s, ladder), (const float(*)[3])box));
    assert_true(made_is_name(bsp_mapdoc_value(s, ladder, "targetname"), "up"));
    assert_int_equal(s->entities[ladder].id, 77);
    assert_null(bsp_mapdoc_value(s, ladder, "mins.x").data);
    assert_null(bsp_mapdoc_value(s, ladder, "maxs.z").data);
    assert_null(bsp_mapdoc_value(s, ladder, "origin").data);
    uint32_t again = made_find_entity(s, "info_ladder", 0);
    assert_true(made_is_name(bsp_mapdoc_value(s, again, "targetname"), "again"));
    assert_true(made_is_name(bsp_mapdoc_value(s, again, "origin"), "0 0 7"));
    assert_non_null(bsp_mapdoc_value(s, again, "mins.x").data);
    assert_int_equal(made_find_entity(s, "info_ladder", 1), BSP_NONE);
    uint32_t guess = made_find_entity(s, "func_ladder", 1);
    assert_true(made_is_box(s, made_brush_of(s, guess), (const float(*)[3])bare));
    assert_true(made_is_visgroup(s, made_brush_of(s, guess)->visgroup, "guess: ladders"));
    assert_true(made_is_guess(&m, "BRUSHES", bare_brush));
    assert_false(made_is_guess(&m, "BRUSHES", brush) || made_is_guess(&m, "BRUSHES", tool_brush));
    assert_int_equal(made_find_entity(s, "func_ladder", 2), BSP_NONE);
    bool found = false;
    for (uint32_t i = 0; i < s->entities[0].num_brushes && !found; i++) {
        const bsp_mapdoc_brush *own = &s->brushes[s->entities[0].first_brush + i];
        found = made_is_box(s, own, (const float(*)[3])tool) &&
                made_is_name(s->sides[own->first_side].material, "tools/toolsinvisibleladder");
    }
    assert_true(found);
    made_end(&m);
}

static void test_keys(void **state) {
    (void)state;
    made m;
    made_begin(&m,
               "{ \"classname\" \"light\" \"targetname\" \"a\" \"style\" \"32\" "
               "\"defaultstyle\" \"5\" \"hammerid\" \"12\" }"
               "{ \"classname\" \"worldspawn\" \"world_mins\" \"0 0 0\" \"hammerid\" \"1\" }"
               "{ \"classname\" \"light_spot\" \"targetname\" \"b\" \"style\" \"33\" "
               "\"hammerid\" \"12\" }"
               "{ \"classname\" \"light\" \"style\" \"10\" }"
               "{ \"classname\" \"logic_relay\" \"targetname\" \"InstanceAuto7-r\" \"OnTrigger\" "
               "\"x,Kill,,0,-1\" \"spawnflags\" \"1\" \"OnTrigger\" \"y,Kill,,0,-1\" }"
               "{ \"classname\" \"water_lod_control\" \"cheapwaterstartdistance\" \"1000\" "
               "\"cheapwaterenddistance\" \"2000\" }"
               "{ \"classname\" \"water_lod_control\" \"cheapwaterstartdistance\" \"1000\" "
               "\"cheapwaterenddistance\" \"2000\" \"origin\" \"0 0 0\" }");
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    assert_true(made_is_name(bsp_mapdoc_value(s, 0, "classname"), "worldspawn"));
    assert_null(bsp_mapdoc_value(s, 0, "world_mins").data);
    assert_int_equal(s->entities[0].id, 1);
    uint32_t a = made_find_entity(s, "light", 0);
    uint32_t b = made_find_entity(s, "light_spot", 0);
    assert_true(made_is_name(bsp_mapdoc_value(s, a, "style"), "5"));
    assert_null(bsp_mapdoc_value(s, a, "defaultstyle").data);
    assert_true(made_is_name(bsp_mapdoc_value(s, b, "style"), "0"));
    assert_true(made_is_name(bsp_mapdoc_value(s, made_find_entity(s, "light", 1), "style"), "10"));
    assert_int_equal(s->entities[a].id, 12); // the second with that id goes without
    assert_int_equal(s->entities[b].id, 0);
    uint32_t relay = made_find_entity(s, "logic_relay", 0);
    assert_true(made_is_visgroup(s, s->entities[relay].visgroup, "instance: InstanceAuto7"));
    const bsp_mapdoc_pair *pairs = &s->pairs[s->entities[relay].first_pair];
    assert_int_equal(s->entities[relay].num_pairs, 5);
    assert_true(pairs[2].output && made_is_name(pairs[2].value, "x,Kill,,0,-1"));
    assert_true(!pairs[3].output && pairs[4].output &&
                made_is_name(pairs[4].value, "y,Kill,,0,-1"));
    // One the compiler added, one the author placed.
    uint32_t water = made_find_entity(s, "water_lod_control", 0);
    assert_true(made_is_name(bsp_mapdoc_value(s, water, "origin"), "0 0 0"));
    assert_int_equal(made_find_entity(s, "water_lod_control", 1), BSP_NONE);
    made_end(&m);
}

// --- models -------------------------------------------------------------------------------------

static const char turned_text[] =
    "{ \"classname\" \"worldspawn\" }"
    "{ \"classname\" \"func_brush\" \"model\" \"*1\" \"origin\" \"8 16 32\" \"angles\" "
    "\"0 90 0\" }"
    "{ \"classname\" \"func_brush\" \"model\" \"*1\" \"origin\" \"0 0 512\" }";

// Both entities have the model's brushes, one turned; models 2 and up have lost their entities.
static void test_models(void **state) {
    (void)state;
    made m;
    made_begin(&m, turned_text);
    made_run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t turned = made_find_entity(s, "func_brush", 0);
    uint32_t plain = made_find_entity(s, "func_brush", 1);
    assert_true(made_is_name(bsp_mapdoc_value(s, turned, "angles"), "0 0 0"));
    assert_int_equal(s->entities[turned].num_brushes, s->entities[plain].num_brushes);
    assert_true(s->entities[plain].num_brushes != 0);
    for (uint32_t i = 0; i < s->entities[plain].num_brushes; i++) {
        const bsp_mapdoc_brush *a = &s->brushes[s->entities[turned].first_brush + i];
        const bsp_mapdoc_brush *b = &s->brushes[s->entities[plain].first_brush + i];
        assert_int_equal(a->num_sides, b->num_sides);
        for (uint32_t k = 0; k < a->num_sides; k++) {
            const bsp_mapdoc_side *x = &s->sides[a->first_side + k];
            const bsp_mapdoc_side *y = &s->sides[b->first_side + k];
            // x = -y turned by a quarter; what the origins add to each.
            assert_true(fabs(x->normal[0] + y->normal[1]) < 1e-9);
            assert_true(fabs(x->normal[1] - y->normal[0]) < 1e-9);
            double own = y->dist - 512 * y->normal[2];
            double moved = 8 * x->normal[0] + 16 * x->normal[1] + 32 * x->normal[2];
            assert_true(fabs(x->dist - own - moved) < 1e-3);
        }
    }
    uint32_t orphan = made_find_entity(s, "func_brush", 2);
    assert_true(made_is_visgroup(s, s->brushes[s->entities[orphan].first_brush].visgroup,
                                 "guess: models without entity"));
    made_run(&m, true);
    turned = made_find_entity(m.source, "func_brush", 0);
    assert_true(made_is_name(bsp_mapdoc_value(m.source, turned, "angles"), "0 90 0"));
    made_end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_area_portals),
        cmocka_unit_test(test_many_area_portals),
        cmocka_unit_test(test_area_portals_in_order),
        cmocka_unit_test(test_occluders),
        cmocka_unit_test(test_too_many_occluders),
        cmocka_unit_test(test_lost_planes),
        cmocka_unit_test(test_untold_planes),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
