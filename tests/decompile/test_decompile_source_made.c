// SPDX-License-Identifier: MIT
// What no sample has: the Source sample's map with its arrays changed, so that it holds area
// portals, occluders, ladders, turned models, protections and damage; and what must come of it.
#include "bspkit/decompile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PATH BSP_TEST_SAMPLES "/source/lobby.bsp"
#define MOST_ARRAYS 16

// A map whose arrays are copies, to be changed at will.
typedef struct made {
    bsp_file *file;
    bsp_map *loaded;
    bsp_map map;
    bsp_entities *entities;
    void *arrays[MOST_ARRAYS];
    int num_arrays;
    bsp_issues *issues;
    bsp_decompile_report report;
    bsp_mapdoc *source;
} made;

static void *copy(made *m, const void *array, size_t count, size_t size) {
    void *own = calloc(count + 32, size); // room to add some
    assert_non_null(own);
    assert_true(m->num_arrays < MOST_ARRAYS);
    m->arrays[m->num_arrays++] = own;
    return array != NULL ? memcpy(own, array, count * size) : own;
}

#define COPY(m, type, name)                                                                        \
    type *name = copy(m, (m)->map.name, (m)->map.num_##name, sizeof(type));                        \
    (m)->map.name = name

// `text` replaces the entities; NULL: they stay.
static void begin(made *m, const char *text) {
    memset(m, 0, sizeof *m);
    m->file = bsp_file_open(PATH, NULL, NULL);
    assert_non_null(m->file);
    m->loaded = bsp_map_load(m->file, NULL, NULL);
    assert_non_null(m->loaded);
    m->map = *m->loaded;
    if (text != NULL) {
        m->entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
        assert_non_null(m->entities);
        m->map.entities = m->entities;
    }
    m->issues = bsp_issues_new(NULL, 0);
    assert_non_null(m->issues);
}

static void run_with(made *m, bsp_decompile_options options) {
    bsp_error error = {0};
    options.file = m->file;
    options.issues = m->issues;
    bsp_mapdoc_free(m->source);
    m->source = bsp_decompile(&m->map, &options, &m->report, &error);
    assert_non_null(m->source);
}

static void run(made *m, bool keep_angles) {
    run_with(m, (bsp_decompile_options){.keep_angles = keep_angles});
}

static void end(made *m) {
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(m->source, NULL, NULL, &health, NULL));
    assert_int_equal(health.sound, m->source->num_brushes);
    bsp_mapdoc_free(m->source);
    bsp_issues_free(m->issues);
    bsp_entities_free(m->entities);
    bsp_map_free(m->loaded);
    bsp_file_close(m->file);
    for (int i = 0; i < m->num_arrays; i++) {
        free(m->arrays[i]);
    }
}

static bool is_name(bsp_text text, const char *name) {
    return bsp_text_equal(text, bsp_text_of(name));
}

static unsigned count_issues(const made *m, const char *id) {
    size_t count;
    unsigned found = 0;
    const bsp_issue *list = bsp_issues_list(m->issues, &count);
    for (size_t i = 0; i < count; i++) {
        found += strcmp(list[i].kind->id, id) == 0;
    }
    return found;
}

// True if a note on that record of a lump says that something is a guess.
static bool is_guess(const made *m, const char *lump, uint32_t record) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(m->issues, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].kind->id, "decompile-guess") == 0 && list[i].place.record == record &&
            strcmp(list[i].place.lump, lump) == 0) {
            return true;
        }
    }
    return false;
}

static uint32_t find_entity(const bsp_mapdoc *s, const char *name, uint32_t number) {
    for (uint32_t i = 0; i < s->num_entities; i++) {
        if (is_name(bsp_mapdoc_value(s, i, "classname"), name) && number-- == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

// The one brush of an entity.
static const bsp_mapdoc_brush *brush_of(const bsp_mapdoc *s, uint32_t entity) {
    assert_int_not_equal(entity, BSP_NONE);
    assert_int_equal(s->entities[entity].num_brushes, 1);
    return &s->brushes[s->entities[entity].first_brush];
}

static bool is_visgroup(const bsp_mapdoc *s, uint32_t visgroup, const char *name) {
    return visgroup != BSP_NONE && is_name(s->visgroups[visgroup].name, name);
}

// --- brushes of the sample ----------------------------------------------------------------------

// The box of a brush, from its own planes.
static bool box_of(const bsp_map *map, uint32_t brush, float box[2][3]) {
    const bsp_brush *b = &map->brushes[brush];
    int found = 0;
    for (uint32_t i = 0; i < b->num_sides && b->num_sides == 6; i++) {
        const bsp_plane *p = &map->planes[map->brush_sides[b->first_side + i].plane];
        for (int axis = 0; axis < 3; axis++) {
            if (fabsf(p->normal[axis]) > 0.9999F) {
                box[p->normal[axis] > 0][axis] = p->normal[axis] * p->dist;
                found++;
            }
        }
    }
    return found == 6;
}

// Box-shaped solid brushes of the world: `number` 0, 1 ...
static uint32_t find_box(const bsp_map *map, uint32_t number, float box[2][3]) {
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        if (map->brushes[i].contents == 1 && box_of(map, i, box) && number-- == 0) {
            return i;
        }
    }
    fail();
    return BSP_NONE;
}

static bool is_box(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush, const float box[2][3]) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *side = &s->sides[brush->first_side + i];
        for (int axis = 0; axis < 3; axis++) {
            double n = side->normal[axis];
            if (fabs(n) > 0.9999 && fabs(n * side->dist - (double)box[n > 0][axis]) > 1e-3) {
                return false;
            }
        }
    }
    return brush->num_sides == 6;
}

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
    bsp_area_portal *portals = copy(m, NULL, 0, sizeof *portals);
    bsp_vertex *verts = copy(m, NULL, 0, sizeof *verts);
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
    begin(&m, portal_text);
    COPY(&m, bsp_brush, brushes);
    float box[3][2][3];
    uint32_t last = BSP_NONE;
    for (uint32_t i = 0; i < 3; i++) {
        last = find_box(&m.map, 0, box[i]);
        brushes[last].contents = 0x8000;
    }
    swap_polygons(&m, (const float(*)[2][3])box);
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t first = find_entity(s, "func_areaportal", 0);
    uint32_t second = find_entity(s, "func_areaportalwindow", 0);
    uint32_t third = find_entity(s, "func_areaportal", 1);
    assert_true(is_name(bsp_mapdoc_value(s, first, "targetname"), "first"));
    assert_null(bsp_mapdoc_value(s, first, "portalnumber").data);
    assert_true(is_box(s, brush_of(s, first), (const float(*)[3])box[1]));
    assert_true(is_box(s, brush_of(s, second), (const float(*)[3])box[0]));
    assert_true(is_box(s, brush_of(s, third), (const float(*)[3])box[2]));
    assert_int_equal(brush_of(s, first)->visgroup, BSP_NONE);
    assert_true(is_visgroup(s, brush_of(s, third)->visgroup, "guess: area portals"));
    // By order only where entities and brushes are equally many.
    for (uint32_t i = 0; i < 2; i++) {
        bool equal = i == 1;
        brushes[last].contents = equal ? 1 : 0x8000;
        run_with(&m, (bsp_decompile_options){.portals = BSP_PORTALS_BY_ORDER});
        s = m.source;
        const bsp_mapdoc_brush *brush = brush_of(s, find_entity(s, "func_areaportal", 0));
        assert_true(is_box(s, brush, (const float(*)[3])box[equal ? 0 : 1]));
        brush = brush_of(s, find_entity(s, "func_areaportalwindow", 0));
        assert_true(is_box(s, brush, (const float(*)[3])box[equal ? 1 : 0]));
    }
    end(&m);
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
    begin(&m, text);
    COPY(&m, bsp_brush, brushes);
    float box[2][2][3];
    for (uint32_t i = 0; i < 2; i++) {
        brushes[find_box(&m.map, 0, box[i])].contents = 0x8000;
    }
    swap_polygons(&m, (const float(*)[2][3])box);
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t first = find_entity(s, "func_areaportal", 0);
    uint32_t second = find_entity(s, "func_areaportalwindow", 0);
    assert_true(is_box(s, brush_of(s, first), (const float(*)[3])box[1]));
    assert_true(is_box(s, brush_of(s, second), (const float(*)[3])box[0]));
    end(&m);
    free(text);
}

// Without polygons, as many brushes as entities are theirs in their order.
static void test_area_portals_in_order(void **state) {
    (void)state;
    made m;
    begin(&m, portal_text);
    COPY(&m, bsp_brush, brushes);
    float box[2][2][3];
    for (uint32_t i = 0; i < 2; i++) {
        brushes[find_box(&m.map, 0, box[i])].contents = 0x8000;
    }
    m.map.num_area_portals = 0;
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    const bsp_mapdoc_brush *first = brush_of(s, find_entity(s, "func_areaportal", 0));
    const bsp_mapdoc_brush *second = brush_of(s, find_entity(s, "func_areaportalwindow", 0));
    assert_true(is_box(s, first, (const float(*)[3])box[0]));
    assert_true(is_box(s, second, (const float(*)[3])box[1]));
    assert_int_equal(first->visgroup, BSP_NONE);
    end(&m);
}

// --- occluders ----------------------------------------------------------------------------------

// Two occluders: of the first the brush is there, in no leaf; of the second only the polygon.
static void test_occluders(void **state) {
    (void)state;
    made m;
    begin(&m, "{ \"classname\" \"worldspawn\" }"
              "{ \"classname\" \"func_occluder\" \"occludernumber\" \"0\" \"targetname\" \"a\" }"
              "{ \"classname\" \"func_occluder\" \"occludernumber\" \"1\" \"targetname\" \"b\" }");
    COPY(&m, uint32_t, leaf_brushes);
    COPY(&m, bsp_vertex, vertices);
    float box[2][3];
    uint32_t brush = find_box(&m.map, 3, box);
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
    uint32_t *indices = copy(&m, NULL, 0, sizeof *indices);
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
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t a = find_entity(s, "func_occluder", 0);
    uint32_t b = find_entity(s, "func_occluder", 1);
    assert_null(bsp_mapdoc_value(s, a, "occludernumber").data);
    assert_true(is_box(s, brush_of(s, a), (const float(*)[3])box));
    const bsp_mapdoc_brush *from_polygon = brush_of(s, b);
    assert_true(is_visgroup(s, from_polygon->visgroup, "guess: occluders"));
    const uint32_t both[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        const bsp_mapdoc_brush *own = brush_of(s, both[k]);
        for (uint32_t i = 0; i < own->num_sides; i++) {
            const bsp_mapdoc_side *side = &s->sides[own->first_side + i];
            bool up = side->normal[2] > 0.9;
            assert_true(is_name(side->material, up ? "tools/toolsoccluder" : "tools/toolsnodraw"));
        }
    }
    end(&m);
}

// Each of many polygons lies within each of many brushes, on no side: comparing all takes more work
// than the map's size allows.
static void test_too_many_occluders(void **state) {
    (void)state;
    enum { MANY = 1700 };
    static bsp_occluder_poly polys[MANY];
    static const bsp_occluder occluder = {.first_poly = 0, .num_polys = MANY};
    made m;
    begin(&m, NULL);
    COPY(&m, bsp_vertex, vertices);
    float box[2][3];
    uint32_t brush = find_box(&m.map, 3, box);
    uint32_t *indices = copy(&m, NULL, 0, sizeof *indices);
    section_of((const float(*)[3])box, vertices + m.map.num_vertices);
    for (uint32_t i = 0; i < 4; i++) {
        vertices[m.map.num_vertices + i].point[2] = (box[0][2] + box[1][2]) / 2;
        indices[i] = m.map.num_vertices + i;
    }
    m.map.num_vertices += 4;
    bsp_brush *brushes = copy(&m, NULL, m.map.num_brushes + MANY, sizeof *brushes);
    memcpy(brushes, m.map.brushes, m.map.num_brushes * sizeof *brushes);
    const bsp_brush *from = &m.map.brushes[brush];
    size_t room = m.map.num_brush_sides + (size_t)MANY * from->num_sides;
    bsp_brush_side *sides = copy(&m, NULL, room, sizeof *sides);
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
    run(&m, false);
    end(&m);
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
    begin(&m, "{ \"classname\" \"info_player_start\" }{ \"classname\" \"worldspawn\" }"
              "{ \"classname\" \"light\" }");
    bsp_decompile_options options = {.file = m.file, .wanted = nobody};
    m.source = bsp_decompile(&m.map, &options, NULL, NULL);
    assert_non_null(m.source);
    assert_int_not_equal(find_entity(m.source, "worldspawn", 0), BSP_NONE);
    assert_int_equal(find_entity(m.source, "info_player_start", 0), BSP_NONE);
    assert_int_equal(find_entity(m.source, "light", 0), BSP_NONE);
    end(&m);
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
        if (is_box(s, &s->brushes[i], box)) {
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
    begin(&m, NULL);
    COPY(&m, bsp_brush_side, brush_sides);
    uint32_t right = 0;
    for (uint32_t k = 0; k < 20; k++) {
        float box[2][3];
        bsp_brush_side saved[6];
        uint32_t brush = find_box(&m.map, k, box);
        bsp_brush_side *own = brush_sides + m.map.brushes[brush].first_side;
        memcpy(saved, own, sizeof saved);
        lose_planes(&m, brush_sides, brush);
        run(&m, false);
        const bsp_mapdoc_brush *written = find_written(m.source, (const float(*)[3])box);
        assert_true(is_guess(&m, "BRUSHES", brush) != is_lost(&m, brush));
        assert_true(m.report.brushes_lost == (is_lost(&m, brush) ? 1U : 0U));
        if (written != NULL) {
            assert_true(is_guess(&m, "BRUSHES", brush));
            assert_true(is_visgroup(m.source, written->visgroup, "guess: planes of sides"));
            right++;
        }
        memcpy(own, saved, sizeof saved);
    }
    assert_true(right >= 9);
    end(&m);
}

// Without faces and leaves nothing tells them.
static void test_untold_planes(void **state) {
    (void)state;
    made m;
    begin(&m, NULL);
    COPY(&m, bsp_brush_side, brush_sides);
    float box[2][3];
    uint32_t brush = find_box(&m.map, 3, box);
    lose_planes(&m, brush_sides, brush);
    m.map.num_leaf_brushes = 0;
    m.map.num_faces = 0;
    COPY(&m, bsp_leaf, leaves);
    COPY(&m, bsp_model, models);
    for (uint32_t i = 0; i < m.map.num_leaves; i++) {
        leaves[i].num_brushes = leaves[i].num_faces = 0;
    }
    for (uint32_t i = 0; i < m.map.num_models; i++) {
        models[i].num_faces = 0;
    }
    run(&m, false);
    assert_true(is_lost(&m, brush));
    end(&m);
}

// --- ladders, lights, instances, water ----------------------------------------------------------

// Brush 2 is in the box of two info_ladders: the first is its func_ladder, with the keys that the
// author gave it, the second stays. No box holds the others: the material of one explains the bit,
// that of the other does not.
static void test_ladder(void **state) {
    (void)state;
    made m;
    float box[2][3];
    begin(&m, NULL);
    uint32_t brush = find_box(&m.map, 2, box);
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
    begin(&m, text);
    COPY(&m, bsp_brush, brushes);
    COPY(&m, bsp_brush_side, brush_sides);
    COPY(&m, bsp_texinfo, texinfos);
    COPY(&m, bsp_material, materials);
    float bare[2][3];
    float tool[2][3];
    uint32_t bare_brush = find_box(&m.map, 5, bare);
    uint32_t tool_brush = find_box(&m.map, 6, tool);
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
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t ladder = find_entity(s, "func_ladder", 0);
    assert_true(is_box(s, brush_of(s, ladder), (const float(*)[3])box));
    assert_true(is_name(bsp_mapdoc_value(s, ladder, "targetname"), "up"));
    assert_int_equal(s->entities[ladder].id, 77);
    assert_null(bsp_mapdoc_value(s, ladder, "mins.x").data);
    assert_null(bsp_mapdoc_value(s, ladder, "maxs.z").data);
    assert_null(bsp_mapdoc_value(s, ladder, "origin").data);
    uint32_t again = find_entity(s, "info_ladder", 0);
    assert_true(is_name(bsp_mapdoc_value(s, again, "targetname"), "again"));
    assert_true(is_name(bsp_mapdoc_value(s, again, "origin"), "0 0 7"));
    assert_non_null(bsp_mapdoc_value(s, again, "mins.x").data);
    assert_int_equal(find_entity(s, "info_ladder", 1), BSP_NONE);
    uint32_t guess = find_entity(s, "func_ladder", 1);
    assert_true(is_box(s, brush_of(s, guess), (const float(*)[3])bare));
    assert_true(is_visgroup(s, brush_of(s, guess)->visgroup, "guess: ladders"));
    assert_true(is_guess(&m, "BRUSHES", bare_brush));
    assert_false(is_guess(&m, "BRUSHES", brush) || is_guess(&m, "BRUSHES", tool_brush));
    assert_int_equal(find_entity(s, "func_ladder", 2), BSP_NONE);
    bool found = false;
    for (uint32_t i = 0; i < s->entities[0].num_brushes && !found; i++) {
        const bsp_mapdoc_brush *own = &s->brushes[s->entities[0].first_brush + i];
        found = is_box(s, own, (const float(*)[3])tool) &&
                is_name(s->sides[own->first_side].material, "tools/toolsinvisibleladder");
    }
    assert_true(found);
    end(&m);
}

static void test_keys(void **state) {
    (void)state;
    made m;
    begin(&m, "{ \"classname\" \"light\" \"targetname\" \"a\" \"style\" \"32\" "
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
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    assert_true(is_name(bsp_mapdoc_value(s, 0, "classname"), "worldspawn"));
    assert_null(bsp_mapdoc_value(s, 0, "world_mins").data);
    assert_int_equal(s->entities[0].id, 1);
    uint32_t a = find_entity(s, "light", 0);
    uint32_t b = find_entity(s, "light_spot", 0);
    assert_true(is_name(bsp_mapdoc_value(s, a, "style"), "5"));
    assert_null(bsp_mapdoc_value(s, a, "defaultstyle").data);
    assert_true(is_name(bsp_mapdoc_value(s, b, "style"), "0"));
    assert_true(is_name(bsp_mapdoc_value(s, find_entity(s, "light", 1), "style"), "10"));
    assert_int_equal(s->entities[a].id, 12); // the second with that id goes without
    assert_int_equal(s->entities[b].id, 0);
    uint32_t relay = find_entity(s, "logic_relay", 0);
    assert_true(is_visgroup(s, s->entities[relay].visgroup, "instance: InstanceAuto7"));
    const bsp_mapdoc_pair *pairs = &s->pairs[s->entities[relay].first_pair];
    assert_int_equal(s->entities[relay].num_pairs, 5);
    assert_true(pairs[2].output && is_name(pairs[2].value, "x,Kill,,0,-1"));
    assert_true(!pairs[3].output && pairs[4].output && is_name(pairs[4].value, "y,Kill,,0,-1"));
    // One the compiler added, one the author placed.
    uint32_t water = find_entity(s, "water_lod_control", 0);
    assert_true(is_name(bsp_mapdoc_value(s, water, "origin"), "0 0 0"));
    assert_int_equal(find_entity(s, "water_lod_control", 1), BSP_NONE);
    end(&m);
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
    begin(&m, turned_text);
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t turned = find_entity(s, "func_brush", 0);
    uint32_t plain = find_entity(s, "func_brush", 1);
    assert_true(is_name(bsp_mapdoc_value(s, turned, "angles"), "0 0 0"));
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
    uint32_t orphan = find_entity(s, "func_brush", 2);
    assert_true(is_visgroup(s, s->brushes[s->entities[orphan].first_brush].visgroup,
                            "guess: models without entity"));
    run(&m, true);
    turned = find_entity(m.source, "func_brush", 0);
    assert_true(is_name(bsp_mapdoc_value(m.source, turned, "angles"), "0 90 0"));
    end(&m);
}

// --- protections --------------------------------------------------------------------------------

static void test_marks(void **state) {
    (void)state;
    made m;
    begin(&m, "{ \"classname\" \"worldspawn\" \"no_decomp\" \"1\" }"
              "{ \"classname\" \"light\" \"targetname\" \"173\" }");
    COPY(&m, bsp_material, materials);
    materials[0].name = bsp_text_of("TOOLS/LOCKED");
    run(&m, false);
    assert_int_equal(m.report.protections, 3);
    assert_int_equal(count_issues(&m, "decompile-protected"), 3);
    assert_null(bsp_mapdoc_value(m.source, 0, "no_decomp").data);
    end(&m);
}

// Three boxes with edges of 1, 4 and 9 units, each of one texture.
static void test_mark_brushes(void **state) {
    (void)state;
    static const float sizes[3][3] = {{1, 4, 9}, {4, 9, 1}, {9, 1, 4}};
    made m;
    begin(&m, NULL);
    COPY(&m, bsp_plane, planes);
    COPY(&m, bsp_brush_side, brush_sides);
    bsp_plane *more = copy(&m, m.map.planes, m.map.num_planes, sizeof *more);
    (void)planes;
    for (uint32_t k = 0; k < 3; k++) {
        float box[2][3];
        const bsp_brush *brush = &m.map.brushes[find_box(&m.map, k, box)];
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
    run(&m, false);
    assert_int_equal(m.report.protections, 1);
    uint32_t marked = 0;
    for (uint32_t i = 0; i < m.source->num_brushes; i++) {
        marked += is_visgroup(m.source, m.source->brushes[i].visgroup, "marks of protection");
    }
    assert_int_equal(marked, 3);
    end(&m);
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
    begin(&m, NULL);
    m.map.pak = (bsp_bytes){zip, sizeof zip}; // the literal's NUL is the comment's length
    run(&m, false);
    assert_int_equal(m.report.protections, 1);
    end(&m);
}

// All sides lose their texinfo: what faces show is as before.
static void test_no_draw(void **state) {
    (void)state;
    made m;
    begin(&m, NULL);
    run(&m, false);
    assert_int_equal(m.report.protections, 0);
    bsp_mapdoc *before = m.source;
    m.source = NULL;
    uint32_t shown = m.report.sides_faced;
    COPY(&m, bsp_brush_side, brush_sides);
    for (uint32_t i = 0; i < m.map.num_brush_sides; i++) {
        brush_sides[i].texinfo = 0;
    }
    run(&m, false);
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
    end(&m);
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
        begin(&m, NULL);
        COPY(&m, bsp_material, materials);
        m.map.pak = (bsp_bytes){NULL, 0};
        for (uint32_t k = 0; k < m.map.num_materials; k++) {
            materials[k].name = bsp_text_of(cases[i].given);
        }
        run(&m, false);
        // The hill is shown by a face: no tool takes its place.
        const bsp_mapdoc_side *hill = NULL;
        for (uint32_t k = 0; k < m.source->num_sides; k++) {
            hill = m.source->sides[k].disp == 0 ? &m.source->sides[k] : hill;
        }
        assert_non_null(hill);
        assert_true(is_name(hill->material, cases[i].expected));
        bool renamed = strcmp(cases[i].given, cases[i].expected) != 0;
        assert_int_equal(m.report.renamed, renamed ? m.map.num_materials : 0);
        // The sample's one cubemap is at 128 112 80.
        uint32_t cubemap = find_entity(m.source, "env_cubemap", 0);
        assert_true((bsp_mapdoc_value(m.source, cubemap, "sides").size != 0) == (i == 0));
        end(&m);
    }
}

// --- props --------------------------------------------------------------------------------------

static bool has(const bsp_mapdoc *s, uint32_t entity, const char *key, const char *value) {
    return is_name(bsp_mapdoc_value(s, entity, key), value);
}

static void test_props(void **state) {
    (void)state;
    made m;
    begin(&m, NULL);
    COPY(&m, bsp_static_prop, static_props);
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
    run(&m, false);
    const bsp_mapdoc *s = m.source;
    uint32_t a = find_entity(s, "prop_static", 0);
    uint32_t b = find_entity(s, "prop_static", 1);
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
    uint32_t light = find_entity(s, "info_lighting", 0);
    assert_true(has(s, light, "origin", "7 7 7") && has(s, light, "targetname", "info_lighting_1"));
    assert_int_equal(find_entity(s, "info_lighting", 1), BSP_NONE);
    end(&m);
}

static void test_named_overlay(void **state) {
    (void)state;
    made m;
    begin(&m, "{ \"classname\" \"worldspawn\" }"
              "{ \"classname\" \"info_overlay_accessor\" \"OverlayID\" \"77\" \"targetname\" "
              "\"sign\" }");
    COPY(&m, bsp_overlay, overlays);
    overlays[0].id = 77;
    overlays[0].uv_points[3][2] = 1; // V is turned round
    run(&m, false);
    assert_int_equal(find_entity(m.source, "info_overlay_accessor", 0), BSP_NONE);
    uint32_t sign = find_entity(m.source, "info_overlay", 0);
    assert_true(is_name(bsp_mapdoc_value(m.source, sign, "targetname"), "sign"));
    assert_true(is_name(bsp_mapdoc_value(m.source, sign, "BasisU"), "1 0 0"));
    assert_true(is_name(bsp_mapdoc_value(m.source, sign, "BasisV"), "0 -1 0"));
    end(&m);
}

// --- damage -------------------------------------------------------------------------------------

// A displacement without its vertices leaves a flat brush; the rest is as it was.
static void test_damaged_displacement(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        made m;
        begin(&m, NULL);
        run(&m, false);
        uint32_t brushes = m.source->num_brushes;
        COPY(&m, bsp_displacement, displacements);
        COPY(&m, bsp_disp_vert, disp_verts);
        if (kind == 0) {
            displacements[0].power = 9;
        } else if (kind == 1) {
            displacements[0].first_vert = UINT32_MAX;
        } else if (kind == 2) {
            disp_verts[3].dist = NAN;
        } else {
            m.map.num_disp_verts = 0;
        }
        run(&m, false);
        assert_int_equal(m.source->num_brushes, brushes);
        assert_int_equal(m.source->num_disps, 0);
        assert_int_equal(m.report.displacements_lost, 1);
        assert_int_equal(count_issues(&m, "decompile-lost"), 1);
        end(&m);
    }
}

// No worldspawn, no entities at all: the brushes are there.
static void test_no_entities(void **state) {
    (void)state;
    made m;
    begin(&m, "{ \"classname\" \"light\" }");
    run(&m, false);
    assert_true(is_name(bsp_mapdoc_value(m.source, 0, "classname"), "worldspawn"));
    assert_true(m.source->entities[0].num_brushes > 40);
    m.map.entities = NULL;
    run(&m, false);
    assert_true(m.source->entities[0].num_brushes > 40);
    end(&m);
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
    bsp_file *file = bsp_file_open(PATH, NULL, NULL);
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
        cmocka_unit_test(test_area_portals),
        cmocka_unit_test(test_many_area_portals),
        cmocka_unit_test(test_area_portals_in_order),
        cmocka_unit_test(test_occluders),
        cmocka_unit_test(test_nobody_is_wanted),
        cmocka_unit_test(test_too_many_occluders),
        cmocka_unit_test(test_lost_planes),
        cmocka_unit_test(test_untold_planes),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_mark_brushes),
        cmocka_unit_test(test_encrypted_entities),
        cmocka_unit_test(test_no_draw),
        cmocka_unit_test(test_props),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_named_overlay),
        cmocka_unit_test(test_damaged_displacement),
        cmocka_unit_test(test_no_entities),
        cmocka_unit_test(test_lost_lumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
