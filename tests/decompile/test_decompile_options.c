// SPDX-License-Identifier: MIT
// Options of the decompiler on Source maps: what each changes, counted in the records of the map
// and read out of the document; on the sample, and on small maps of the corpus where it is there.
#include "bspkit/decompile.h"
#include "bspkit/mesh.h"
#include "support/each_map.h"
#include "support/files.h"
#include "support/room.h"
#include "support/source.h"

#include "bspkit/compare.h"
#include "bspkit/edit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLE BSP_TEST_SAMPLES "/source/lobby.bsp"
#define MOST_FACES 6000u // of maps of the corpus that are tried
#define MOST_MAPS 12u

typedef struct made {
    const bsp_map *map;
    bsp_mapdoc *source;
    bsp_decompile_report report;
} made;

static made decompile(const bsp_file *file, const bsp_map *map, bsp_decompile_options options) {
    made m = {.map = map};
    bsp_error error = {0};
    options.file = file;
    m.source = bsp_decompile(map, &options, &m.report, &error);
    if (m.source == NULL) {
        fail_msg("%s", error.message);
    }
    return m;
}

typedef void try_map(const bsp_file *file, const bsp_map *map);

typedef struct tries {
    try_map *work;
    unsigned count;
} tries;

static void try_one(const each_map *m, void *user) {
    tries *t = user;
    if (m->map->branch->family == BSP_SOURCE && !m->map->branch->opaque && each_map_has_bodies(m) &&
        m->map->num_faces != 0 && m->map->num_faces < MOST_FACES && t->count < MOST_MAPS) {
        t->count++;
        t->work(m->file, m->map);
    }
}

static void try_maps(try_map *work) {
    tries t = {work, 0};
    (void)each_map_do(try_one, &t);
    assert_true(t.count > 0);
}

static bool is_class(const bsp_mapdoc *s, uint32_t entity, const char *name) {
    return bsp_text_equal(bsp_mapdoc_value(s, entity, "classname"), bsp_text_of(name));
}

static bool begins(bsp_text text, const char *start) {
    return text.size >= strlen(start) && memcmp(text.data, start, strlen(start)) == 0;
}

// --- classes ------------------------------------------------------------------------------------

static bool not_this_class(void *user, bsp_text classname) {
    return !bsp_text_equal(classname, bsp_text_of(user));
}

static void count_class(const bsp_mapdoc *s, const char *name, uint32_t *entities,
                        uint32_t *brushes) {
    *entities = *brushes = 0;
    for (uint32_t i = 0; i < s->num_entities; i++) {
        if (is_class(s, i, name)) {
            (*entities)++;
            *brushes += s->entities[i].num_brushes;
        }
    }
}

// Classes of the map's own entities, and those that only the decompiler makes: entities and brushes
// are fewer by theirs, and what is counted of them is 0.
static void leave_classes(const bsp_file *file, const bsp_map *map) {
    static const char *const names[] = {"func_detail",   "prop_static", "info_overlay",
                                        "env_cubemap",   "func_ladder", "func_areaportal",
                                        "func_occluder", "light",       "func_door"};
    made all = decompile(file, map, (bsp_decompile_options){0});
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t entities, brushes, left, left_brushes;
        bsp_decompile_options options = {.wanted_class = not_this_class,
                                         .user = (void *)(uintptr_t)names[i]};
        made less = decompile(file, map, options);
        count_class(all.source, names[i], &entities, &brushes);
        count_class(less.source, names[i], &left, &left_brushes);
        if (left != 0) {
            fail_msg("%u of %s", left, names[i]);
        }
        bool lights = i == 1; // props without a light of their own leave its entity out with them
        assert_true(lights || less.source->num_entities == all.source->num_entities - entities);
        assert_true(less.source->num_entities <= all.source->num_entities - entities);
        assert_int_equal(less.source->num_brushes, all.source->num_brushes - brushes);
        assert_true(strcmp(names[i], "prop_static") != 0 || less.report.static_props == 0);
        assert_true(strcmp(names[i], "env_cubemap") != 0 || less.report.cubemaps == 0);
        for (uint32_t b = 0; b < less.source->num_brushes; b++) {
            assert_true(less.source->brushes[b].entity < less.source->num_entities);
        }
        bsp_mapdoc_free(less.source);
    }
    bsp_mapdoc_free(all.source);
}

static void test_classes(void **state) {
    (void)state;
    try_maps(leave_classes);
}

// The world stays, whatever is asked for.
static bool nothing(void *user, bsp_text classname) {
    (void)user;
    (void)classname;
    return false;
}

static void leave_all(const bsp_file *file, const bsp_map *map) {
    made m = decompile(file, map, (bsp_decompile_options){.wanted_class = nothing});
    assert_int_equal(m.source->num_entities, 1);
    assert_true(is_class(m.source, 0, "worldspawn"));
    bsp_mapdoc_free(m.source);
}

static void test_no_classes(void **state) {
    (void)state;
    try_maps(leave_all);
}

// --- detail -------------------------------------------------------------------------------------

typedef struct box {
    double mins[3], maxs[3];
} box;

// Where three sides of a brush meet (Cramer's rule), if no side is in front of it.
static bool corner_of(const bsp_mapdoc_side *sides, uint32_t count, const uint32_t which[3],
                      double at[3]) {
    const double *n[3];
    double cross[3][3];
    for (int i = 0; i < 3; i++) {
        n[i] = sides[which[i]].normal;
    }
    for (int i = 0; i < 3; i++) {
        const double *u = n[(i + 1) % 3];
        const double *v = n[(i + 2) % 3];
        for (int a = 0; a < 3; a++) {
            cross[i][a] = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
        }
    }
    double whole = n[0][0] * cross[0][0] + n[0][1] * cross[0][1] + n[0][2] * cross[0][2];
    for (int a = 0; a < 3; a++) {
        at[a] = 0;
        for (int i = 0; i < 3; i++) {
            at[a] += sides[which[i]].dist * cross[i][a] / whole;
        }
    }
    bool inside = fabs(whole) > 1e-4;
    for (uint32_t s = 0; inside && s < count; s++) {
        const bsp_mapdoc_side *side = &sides[s];
        inside = side->normal[0] * at[0] + side->normal[1] * at[1] + side->normal[2] * at[2] <
                 side->dist + 0.01;
    }
    return inside;
}

static box box_of(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush) {
    box out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    uint32_t which[3];
    for (which[0] = 2; which[0] < brush->num_sides; which[0]++) {
        for (which[1] = 1; which[1] < which[0]; which[1]++) {
            for (which[2] = 0; which[2] < which[1]; which[2]++) {
                double at[3];
                if (!corner_of(&s->sides[brush->first_side], brush->num_sides, which, at)) {
                    continue;
                }
                for (int a = 0; a < 3; a++) {
                    out.mins[a] = fmin(out.mins[a], at[a]);
                    out.maxs[a] = fmax(out.maxs[a], at[a]);
                }
            }
        }
    }
    return out;
}

// How many groups the boxes are when those that are no further apart than the gap are joined.
static uint32_t count_groups(const box *boxes, uint32_t count, double gap, uint32_t *group) {
    uint32_t groups = count;
    for (uint32_t i = 0; i < count; i++) {
        group[i] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            bool near = group[i] != group[j];
            for (int a = 0; a < 3; a++) {
                near = near && boxes[i].mins[a] <= boxes[j].maxs[a] + gap &&
                       boxes[j].mins[a] <= boxes[i].maxs[a] + gap;
            }
            uint32_t from = group[i];
            for (uint32_t k = 0; near && k < count; k++) {
                group[k] = group[k] == from ? group[j] : group[k];
            }
            groups -= near;
        }
    }
    return groups;
}

// Each brush of detail by itself, or joined over a gap, as counting all pairs of boxes says.
static void group_details(const bsp_file *file, const bsp_map *map) {
    static const double gaps[] = {0, 8, 300};
    uint32_t entities, brushes, count = 0;
    made each = decompile(file, map, (bsp_decompile_options){.details = BSP_DETAILS_EACH});
    count_class(each.source, "func_detail", &entities, &brushes);
    assert_int_equal(entities, brushes);
    box *boxes = calloc(brushes + 1, sizeof *boxes);
    uint32_t *group = calloc(brushes + 1, sizeof *group);
    assert_true(boxes != NULL && group != NULL);
    for (uint32_t b = 0; b < each.source->num_brushes; b++) {
        if (is_class(each.source, each.source->brushes[b].entity, "func_detail")) {
            boxes[count++] = box_of(each.source, &each.source->brushes[b]);
        }
    }
    assert_int_equal(count, brushes);
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        uint32_t joined_brushes;
        made joined = decompile(file, map, (bsp_decompile_options){.detail_gap = gaps[g]});
        count_class(joined.source, "func_detail", &entities, &joined_brushes);
        assert_int_equal(joined_brushes, brushes);
        assert_int_equal(entities,
                         count_groups(boxes, count, gaps[g] > 0 ? gaps[g] : 0.125, group));
        bsp_mapdoc_free(joined.source);
    }
    free(boxes);
    free(group);
    bsp_mapdoc_free(each.source);
}

static void test_details(void **state) {
    (void)state;
    try_maps(group_details);
}

// --- area portals -------------------------------------------------------------------------------

#define MOST_PORTALS 64u

// A number that tells the brushes of the area portals apart, in the order of the entities.
static uint32_t portal_marks(const bsp_mapdoc *s, double marks[MOST_PORTALS]) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->num_entities && count < MOST_PORTALS; e++) {
        if (!begins(bsp_mapdoc_value(s, e, "classname"), "func_areaportal")) {
            continue;
        }
        double mark = 0;
        for (uint32_t b = 0; b < s->num_brushes; b++) {
            const bsp_mapdoc_brush *brush = &s->brushes[b];
            for (uint32_t i = 0; brush->entity == e && i < brush->num_sides; i++) {
                const bsp_mapdoc_side *side = &s->sides[brush->first_side + i];
                mark += side->dist * (3 + side->normal[0] + 7 * side->normal[1]);
            }
        }
        marks[count++] = mark;
    }
    return count;
}

static uint32_t marks_of(const bsp_file *file, const bsp_map *map, bsp_portal_mapping how,
                         double marks[MOST_PORTALS]) {
    made m = decompile(file, map, (bsp_decompile_options){.portals = how});
    uint32_t count = portal_marks(m.source, marks);
    bsp_mapdoc_free(m.source);
    return count;
}

// The first two area portals of the map change places in the list of entities: by place each keeps
// its brush, by order the brushes stay where they are in the list.
static void swap_portals(const bsp_file *file, const bsp_map *map) {
    double marks[4][MOST_PORTALS];
    uint32_t first = BSP_NONE;
    uint32_t second = BSP_NONE;
    for (uint32_t i = 0; i < map->entities->count && second == BSP_NONE; i++) {
        if (begins(bsp_entity_value(&map->entities->list[i], "classname"), "func_areaportal")) {
            second = first == BSP_NONE ? BSP_NONE : i;
            first = first == BSP_NONE ? i : first;
        }
    }
    assert_true(second != BSP_NONE && map->num_area_portals != 0);
    bsp_map swapped = *map;
    bsp_entities entities = *map->entities;
    bsp_entity *list = malloc(entities.count * sizeof *list);
    assert_non_null(list);
    memcpy(list, entities.list, entities.count * sizeof *list);
    list[first] = map->entities->list[second];
    list[second] = map->entities->list[first];
    entities.list = list;
    swapped.entities = &entities;
    uint32_t count = marks_of(file, map, BSP_PORTALS_BY_PLACE, marks[0]);
    assert_int_equal(marks_of(file, &swapped, BSP_PORTALS_BY_PLACE, marks[1]), count);
    assert_int_equal(marks_of(file, map, BSP_PORTALS_BY_ORDER, marks[2]), count);
    assert_int_equal(marks_of(file, &swapped, BSP_PORTALS_BY_ORDER, marks[3]), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(marks[1][i] == marks[0][i < 2 ? 1 - i : i]);
        assert_true(marks[3][i] == marks[2][i]);
    }
    assert_true(marks[0][0] != marks[0][1]);
    free(list);
}

static void test_portals(void **state) {
    (void)state;
    char path[1024];
    bsp_file *file = NULL;
    if (corpus_folder() != NULL) {
        (void)snprintf(path, sizeof path, "%s/named/pcollab_26.bsp", corpus_folder());
        file = bsp_file_open(path, NULL, NULL);
    }
    if (file == NULL) {
        print_message("skipped: pcollab_26 of the corpus is not there\n");
        skip();
    }
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    swap_portals(file, map);
    bsp_map_free(map);
    bsp_file_close(file);
}

// --- flat brushes -------------------------------------------------------------------------------

static bool is_flat(const bsp_map *map, uint32_t face) {
    return map->faces[face].displacement == BSP_NONE;
}

static double polygon_area(const bsp_map *map, const bsp_face *face) {
    double sum[3] = {0, 0, 0};
    const float *o = bsp_surfedge_point(map, face->first_edge);
    for (uint32_t i = 2; i < face->num_edges; i++) {
        const float *a = bsp_surfedge_point(map, face->first_edge + i - 1);
        const float *b = bsp_surfedge_point(map, face->first_edge + i);
        for (int x = 0; x < 3; x++) {
            int y = (x + 1) % 3;
            int z = (x + 2) % 3;
            sum[x] += ((double)a[y] - (double)o[y]) * ((double)b[z] - (double)o[z]) -
                      ((double)a[z] - (double)o[z]) * ((double)b[y] - (double)o[y]);
        }
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / 2;
}

// How many flat brushes the world has in a mode: one for each face, each face before the tree cut
// it, or the former where its pieces are more than it covers.
static uint32_t expected_in_world(const bsp_map *map, bsp_brush_mode mode) {
    uint32_t originals = map->num_original_faces;
    uint32_t *pieces = calloc((size_t)originals + 1, sizeof *pieces);
    double *area = calloc((size_t)originals + 1, sizeof *area);
    uint32_t count = 0;
    assert_true(pieces != NULL && area != NULL);
    for (uint32_t i = 0; i < map->num_faces; i++) {
        if (map->faces[i].original < originals) {
            area[map->faces[i].original] += polygon_area(map, &map->faces[i]);
        }
    }
    for (uint32_t i = 0; i < map->models[0].num_faces; i++) {
        uint32_t face = map->models[0].first_face + i;
        bool kept = map->faces[face].original < originals;
        if (!is_flat(map, face)) {
            continue;
        }
        if (kept && mode != BSP_BRUSHES_SPLIT) {
            pieces[map->faces[face].original]++;
        } else {
            count += mode != BSP_BRUSHES_ORIGINAL ? 1 : 0;
        }
    }
    for (uint32_t i = 0; i < originals; i++) {
        bool whole = mode == BSP_BRUSHES_ORIGINAL ||
                     area[i] <= polygon_area(map, &map->original_faces[i]) + 1;
        count += pieces[i] == 0 ? 0 : whole ? 1 : pieces[i];
    }
    free(pieces);
    free(area);
    return count;
}

// The first two sides of a flat brush look away from each other, `thickness` units apart.
static void expect_flat(const bsp_mapdoc *s, uint32_t number, double thickness) {
    const bsp_mapdoc_brush *brush = &s->brushes[number];
    const bsp_mapdoc_side *top = &s->sides[brush->first_side];
    double dot = 0;
    for (int axis = 0; axis < 3; axis++) {
        dot += top[0].normal[axis] * top[1].normal[axis];
    }
    if (!(dot < -0.9999) || !(fabs(top[0].dist + top[1].dist - thickness) < 0.01)) {
        fail_msg("brush %u: %g, %g units", number, dot, top[0].dist + top[1].dist);
    }
}

static void make_flat(const bsp_file *file, const bsp_map *map) {
    for (int mode = BSP_BRUSHES_ORIGINAL; mode <= BSP_BRUSHES_SPLIT; mode++) {
        bsp_decompile_options options = {.mode = (bsp_brush_mode)mode,
                                         .thickness = mode == BSP_BRUSHES_SPLIT ? 4 : 0};
        made m = decompile(file, map, options);
        const bsp_mapdoc *s = m.source;
        uint32_t expected = expected_in_world(map, (bsp_brush_mode)mode);
        uint32_t flat =
            s->entities[0].num_brushes - m.report.displacements - m.report.displacements_lost;
        // Faces of no area are no brush, and are said to be lost.
        if (flat > expected || flat + m.report.brushes_lost < expected) {
            fail_msg("mode %d: %u flat brushes, and %u expected; %u displacements, %u lost, %s",
                     mode, flat, expected, m.report.displacements, m.report.brushes_lost,
                     map->branch->name);
        }
        for (uint32_t i = 0; i < s->entities[0].num_brushes; i++) {
            bool disp = s->sides[s->brushes[i].first_side].disp != BSP_NONE;
            double thickness = options.thickness > 0 ? options.thickness : disp ? 16 : 1;
            if (disp || m.report.displacements_lost == 0) {
                expect_flat(s, i, thickness);
            }
        }
        bsp_mapdoc_free(m.source);
    }
}

static void test_flat(void **state) {
    (void)state;
    try_maps(make_flat);
}

// Flat brushes are closed solids, nearly all: rounding may leave a sliver without a side.
static void check_flat(const bsp_file *file, const bsp_map *map) {
    bsp_error error = {0};
    bsp_mapdoc_health health;
    made m = decompile(file, map, (bsp_decompile_options){.mode = BSP_BRUSHES_SPLIT});
    assert_true(bsp_mapdoc_check(m.source, NULL, NULL, &health, &error));
    assert_int_equal(health.open, 0);
    if ((health.empty + health.spare) * 25 > m.source->num_brushes) {
        fail_msg("%u empty, %u with sides to spare (%u doubled), %u sound", health.empty,
                 health.spare, health.doubled, health.sound);
    }
    // A model without faces keeps its brushes, and one with faces has as many brushes as faces.
    for (uint32_t e = 0; e < map->entities->count; e++) {
        uint32_t model = bsp_entity_model(map, &map->entities->list[e]);
        bsp_text id = bsp_entity_value(&map->entities->list[e], "hammerid");
        int64_t number;
        if (model == BSP_NONE || model == 0 || !bsp_parse_int(id, &number)) {
            continue;
        }
        uint32_t faces = 0;
        for (uint32_t i = 0; i < map->models[model].num_faces; i++) {
            faces += is_flat(map, map->models[model].first_face + i) ? 1 : 0;
        }
        for (uint32_t i = 0; i < m.source->num_entities && m.report.brushes_lost == 0; i++) {
            if (m.source->entities[i].id == (uint32_t)number && faces != 0) {
                assert_int_equal(m.source->entities[i].num_brushes, faces);
            }
        }
    }
    bsp_mapdoc_free(m.source);
}

static void test_flat_solids(void **state) {
    (void)state;
    try_maps(check_flat);
}

// Files may let a run of no faces begin anywhere: nothing is read there.
static void empty_a_model(const bsp_file *file, const bsp_map *map) {
    if (map->num_models < 2) {
        return;
    }
    bsp_model *model = (bsp_model *)(uintptr_t)&map->models[map->num_models - 1];
    const bsp_model was = *model;
    model->num_faces = 0;
    model->first_face = (uint32_t)1 << 30;
    for (int mode = BSP_BRUSHES_ORIGINAL; mode <= BSP_BRUSHES_SPLIT; mode++) {
        made m = decompile(file, map, (bsp_decompile_options){.mode = (bsp_brush_mode)mode});
        bsp_mapdoc_free(m.source);
    }
    *model = was;
}

static void test_empty_model(void **state) {
    (void)state;
    try_maps(empty_a_model);
}

// --- materials ----------------------------------------------------------------------------------

static void wear(const bsp_file *file, const bsp_map *map) {
    bsp_decompile_options options = {.face_material = "made/up", .back_material = "made/back"};
    made m = decompile(file, map, options);
    uint32_t faced = 0;
    for (uint32_t i = 0; i < m.source->num_sides; i++) {
        faced += bsp_text_equal(m.source->sides[i].material, bsp_text_of("made/up")) ? 1 : 0;
    }
    assert_int_equal(faced, m.report.sides_faced);
    bsp_mapdoc_free(m.source);
    options.mode = BSP_BRUSHES_SPLIT;
    m = decompile(file, map, options);
    for (uint32_t i = 0; i < m.source->entities[0].num_brushes; i++) {
        const bsp_mapdoc_brush *brush = &m.source->brushes[i];
        for (uint32_t s = 1; s < brush->num_sides; s++) {
            bsp_text name = m.source->sides[brush->first_side + s].material;
            assert_true(bsp_text_equal(name, bsp_text_of("made/back")));
        }
    }
    bsp_mapdoc_free(m.source);
}

static void test_materials(void **state) {
    (void)state;
    try_maps(wear);
}

// Some face of the world lies in the plane of the side, looks as it does, and has its middle on the
// brush: looked for among all of them.
static bool is_seen(const made *m, const bsp_mapdoc_brush *brush, uint32_t number) {
    const bsp_mapdoc_side *side = &m->source->sides[number];
    const bsp_model *world = &m->map->models[0];
    for (uint32_t f = world->first_face; f < world->first_face + world->num_faces; f++) {
        const bsp_face *face = &m->map->faces[f];
        double middle[3] = {0, 0, 0};
        double off = 0;
        for (uint32_t i = 0; i < face->num_edges; i++) {
            const float *at = bsp_surfedge_point(m->map, face->first_edge + i);
            double d = -side->dist;
            for (int axis = 0; axis < 3; axis++) {
                d += side->normal[axis] * (double)at[axis];
                middle[axis] += (double)at[axis] / face->num_edges;
            }
            off = fmax(off, fabs(d));
        }
        float normal[3], dist;
        bool inside = off < 0.2 && bsp_surface_plane(m->map, f, normal, &dist);
        double along = 0;
        for (int axis = 0; axis < 3 && inside; axis++) {
            along += (double)normal[axis] * side->normal[axis];
        }
        inside = inside && along > 0.9; // not the back of another brush
        for (uint32_t s = 0; s < brush->num_sides && inside; s++) {
            const bsp_mapdoc_side *other = &m->source->sides[brush->first_side + s];
            double d = -other->dist;
            for (int axis = 0; axis < 3; axis++) {
                d += other->normal[axis] * middle[axis];
            }
            inside = d < 0.2;
        }
        if (inside) {
            return true;
        }
    }
    return false;
}

static bool same_text(bsp_text a, const char *b) {
    return bsp_text_equal(a, bsp_text_of(b));
}

// Only sides without a face, and no tools, change; of those that keep a material every one is seen.
static void hide(const bsp_file *file, const bsp_map *map) {
    made all = decompile(file, map, (bsp_decompile_options){0});
    made less = decompile(file, map, (bsp_decompile_options){.nodraw_unseen = true});
    assert_int_equal(less.source->num_sides, all.source->num_sides);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < all.source->num_sides; i++) {
        bsp_text before = all.source->sides[i].material;
        bsp_text after = less.source->sides[i].material;
        if (!bsp_text_equal(before, after)) {
            assert_true(same_text(after, "tools/toolsnodraw"));
            assert_false(begins(before, "tools/") || begins(before, "TOOLS/"));
            changed++;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < less.source->num_sides; i++) {
        bsp_text name = less.source->sides[i].material;
        kept += begins(name, "tools/") || begins(name, "TOOLS/") ? 0 : 1;
    }
    assert_true(kept <= less.report.sides_faced + less.report.displacements);
    assert_int_equal(less.report.sides_faced, all.report.sides_faced);
    uint32_t unseen = 0;
    const bsp_mapdoc_entity *world = &less.source->entities[0];
    for (uint32_t b = 0; b < world->num_brushes && b < 40; b++) {
        const bsp_mapdoc_brush *brush = &less.source->brushes[b];
        for (uint32_t s = 0; s < brush->num_sides; s++) {
            uint32_t number = brush->first_side + s;
            if (same_text(less.source->sides[number].material, "tools/toolsnodraw") &&
                !same_text(all.source->sides[number].material, "tools/toolsnodraw")) {
                unseen += is_seen(&all, brush, number) ? 1 : 0;
            }
        }
    }
    assert_true(unseen <= 1 + changed / 20); // where brushes overlap the face may be the other's
    bsp_mapdoc_free(all.source);
    bsp_mapdoc_free(less.source);
}

static void test_nodraw(void **state) {
    (void)state;
    try_maps(hide);
}

// --- cameras ------------------------------------------------------------------------------------

static void film(const bsp_file *file, const bsp_map *map) {
    made none = decompile(file, map, (bsp_decompile_options){0});
    assert_int_equal(none.source->num_cameras, 0);
    bsp_mapdoc_free(none.source);
    made m = decompile(file, map, (bsp_decompile_options){.cameras = true});
    char *text = print_source(m.source, BSP_DIALECT_VMF, NULL, NULL);
    bsp_mapdoc *read = read_source(bsp_text_of(text));
    uint32_t count = 0;
    for (uint32_t e = 0; e < map->entities->count; e++) {
        const bsp_entity *entity = &map->entities->list[e];
        float at[3];
        if (!begins(bsp_entity_value(entity, "classname"), "info_player_") ||
            !bsp_parse_vector(bsp_entity_value(entity, "origin"), at)) {
            continue;
        }
        assert_true(count < read->num_cameras);
        const bsp_mapdoc_camera *camera = &read->cameras[count++];
        double length = 0;
        for (int axis = 0; axis < 3; axis++) {
            double eyes = (double)at[axis] + (axis == 2 ? 64 : 0);
            assert_true(fabs(camera->position[axis] - eyes) < 0.01);
            length += pow(camera->look[axis] - camera->position[axis], 2);
        }
        assert_true(fabs(sqrt(length) - 256) < 0.01);
    }
    assert_int_equal(read->num_cameras, count);
    bsp_mapdoc_free(read);
    bsp_mapdoc_free(m.source);
    free(text);
}

static void test_cameras(void **state) {
    (void)state;
    try_maps(film);
}

// --- a made map: where cameras look, instances ---------------------------------------------------

static bsp_mapdoc *decompile_text(const char *text, bsp_decompile_options options) {
    bsp_error error = {0};
    bsp_blob plain = room_file(bsp_branch_find("source_20"), false, 0);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){plain.data, plain.size}, NULL, &error);
    assert_non_null(file);
    bsp_lump_change change = {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
                              .data = {(const uint8_t *)text, strlen(text) + 1},
                              .version = BSP_NONE};
    bsp_blob blob;
    assert_true(bsp_file_rewrite(file, &change, 1, NULL, &blob, &error));
    bsp_file_close(file);
    file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    assert_non_null(map);
    made m = decompile(file, map, options);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_blob_free(&plain);
    return m.source;
}

// Yaw 90 is along y; a pitch of 90 looks down.
static void test_camera_angles(void **state) {
    (void)state;
    bsp_mapdoc *s = decompile_text("{\n\"classname\" \"worldspawn\"\n}\n"
                                   "{\n\"classname\" \"info_player_start\"\n"
                                   "\"origin\" \"1 2 3\"\n\"angles\" \"0 90 0\"\n}\n"
                                   "{\n\"classname\" \"info_player_terrorist\"\n"
                                   "\"origin\" \"0 0 0\"\n\"angles\" \"90 0 0\"\n}\n",
                                   (bsp_decompile_options){.cameras = true});
    assert_int_equal(s->num_cameras, 2);
    static const double looks[2][3] = {{1, 258, 67}, {0, 0, -192}};
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(s->cameras[i].look[axis] - looks[i][axis]) < 1e-9);
        }
    }
    bsp_mapdoc_free(s);
}

static void expect_groups(bsp_instance_groups which, const char *const *names) {
    static const char text[] =
        "{\n\"classname\" \"worldspawn\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"InstanceAuto4-lamp\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"lift_2-lamp\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"lift_2-door-a\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"plain\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"-odd\"\n}\n"
        "{\n\"classname\" \"light\"\n}\n";
    bsp_mapdoc *s = decompile_text(text, (bsp_decompile_options){.instances = which});
    assert_true(s->num_entities >= 7); // and what the room has of its own
    for (uint32_t i = 1; i < 7; i++) {
        uint32_t group = s->entities[i].visgroup;
        if (names[i - 1] == NULL) {
            assert_int_equal(group, BSP_NONE);
        } else {
            assert_true(group < s->num_visgroups);
            assert_true(same_text(s->visgroups[group].name, names[i - 1]));
        }
    }
    for (uint32_t i = 0; i < s->num_visgroups; i++) { // guesses have theirs in any case
        assert_true(which != BSP_INSTANCES_NONE || !begins(s->visgroups[i].name, "instance"));
    }
    bsp_mapdoc_free(s);
}

static void test_instances(void **state) {
    (void)state;
    static const char *const unnamed[6] = {"instance: InstanceAuto4", NULL, NULL, NULL, NULL, NULL};
    static const char *const all[6] = {
        "instance: InstanceAuto4", "instance: lift_2", "instance: lift_2", NULL, NULL, NULL};
    static const char *const none[6] = {NULL, NULL, NULL, NULL, NULL, NULL};
    expect_groups(BSP_INSTANCES_UNNAMED, unnamed);
    expect_groups(BSP_INSTANCES_ALL, all);
    expect_groups(BSP_INSTANCES_NONE, none);
}

// --- corners ------------------------------------------------------------------------------------

typedef struct corners {
    double at[128][3];
    uint32_t count;
} corners;

static void read_corners(const bsp_key_values *values, uint32_t block, corners *out) {
    out->count = 0;
    for (uint32_t i = block + 1; i < values->list[block].end; i++) {
        float at[3];
        assert_true(same_text(values->list[i].key, "v"));
        assert_true(bsp_parse_vector(values->list[i].value, at));
        assert_true(out->count < 128);
        for (int axis = 0; axis < 3; axis++) {
            out->at[out->count][axis] = (double)at[axis];
        }
        out->count++;
    }
}

// Every corner lies in the side's plane and behind no other one's; they go clockwise seen from
// outside, as Newell's normal of them is against the side's.
static void expect_corners(const bsp_mapdoc *s, uint32_t brush, uint32_t number, const corners *c) {
    const bsp_mapdoc_side *side = &s->sides[number];
    double newell[3] = {0, 0, 0};
    assert_true(c->count >= 3);
    for (uint32_t i = 0; i < c->count; i++) {
        const double *a = c->at[i];
        const double *b = c->at[(i + 1) % c->count];
        for (int x = 0; x < 3; x++) {
            int y = (x + 1) % 3;
            int z = (x + 2) % 3;
            newell[x] += (a[y] - b[y]) * (a[z] + b[z]);
        }
        for (uint32_t o = 0; o < s->brushes[brush].num_sides; o++) {
            const bsp_mapdoc_side *other = &s->sides[s->brushes[brush].first_side + o];
            double d = -other->dist;
            for (int axis = 0; axis < 3; axis++) {
                d += other->normal[axis] * a[axis];
            }
            assert_true(other == side ? fabs(d) < 0.02 : d < 0.02);
        }
    }
    double along = 0;
    for (int axis = 0; axis < 3; axis++) {
        along += newell[axis] * side->normal[axis];
    }
    assert_true(along < 0);
}

static void say_corners(const bsp_file *file, const bsp_map *map) {
    bsp_error error = {0};
    bsp_mapdoc_health health;
    made m = decompile(file, map, (bsp_decompile_options){0});
    bsp_mapdoc_write_options options = {.corners = true};
    char *text = print_source(m.source, BSP_DIALECT_VMF, &options, NULL);
    bsp_mapdoc *read = read_source(bsp_text_of(text)); // as strictly as without
    bsp_key_values *values = bsp_key_values_parse(bsp_text_of(text), NULL, &error);
    assert_non_null(values);
    assert_true(bsp_mapdoc_check(m.source, NULL, NULL, &health, &error));
    uint32_t brush = BSP_NONE;
    uint32_t side = 0;
    uint32_t sides = 0;
    corners c;
    for (uint32_t i = 0; i < values->count; i++) {
        if (!values->list[i].block) {
            continue;
        }
        if (same_text(values->list[i].key, "solid")) {
            brush = brush == BSP_NONE ? 0 : brush + 1;
            side = m.source->brushes[brush].first_side;
        } else if (same_text(values->list[i].key, "side")) {
            side++;
        } else if (same_text(values->list[i].key, "vertices_plus")) {
            read_corners(values, i, &c);
            expect_corners(m.source, brush, side - 1, &c);
            sides++;
        }
    }
    // Every side of a sound brush says its corners.
    assert_int_equal(m.source->num_brushes,
                     health.sound + health.open + health.empty + health.spare);
    if (health.sound == m.source->num_brushes) {
        assert_int_equal(sides, m.source->num_sides);
    }
    assert_true(sides != 0);
    bsp_key_values_free(values);
    bsp_mapdoc_free(read);
    bsp_mapdoc_free(m.source);
    free(text);
}

static void test_corners(void **state) {
    (void)state;
    try_maps(say_corners);
}

// Words of bits are read as they are written, the largest and the least too.
static void test_allowed_verts(void **state) {
    (void)state;
    static const int32_t words[10] = {INT32_MIN,   INT32_MAX, -1,         0,           1426063359,
                                      -1090519041, 1,         1000000001, -1000000001, -2};
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(SAMPLE, NULL, &error);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    made m = decompile(file, map, (bsp_decompile_options){0});
    assert_int_equal(m.source->num_disps, 1);
    bsp_mapdoc_disp disp = m.source->disps[0];
    memcpy(disp.allowed_verts, words, sizeof words);
    bsp_mapdoc changed = *m.source;
    changed.disps = &disp;
    char *text = print_source(&changed, BSP_DIALECT_VMF, NULL, NULL);
    bsp_mapdoc *read = read_source(bsp_text_of(text));
    assert_memory_equal(read->disps[0].allowed_verts, words, sizeof words);
    bsp_mapdoc_free(read);
    bsp_mapdoc_free(m.source);
    bsp_map_free(map);
    bsp_file_close(file);
    free(text);
}

// --- packed files -------------------------------------------------------------------------------

static void test_compiled_files(void **state) {
    (void)state;
    static const char *const theirs[] = {
        "materials/maps/de_x/c-12_40_0.vtf",
        "materials/maps/de_x/c100_-4_64.hdr.vtf",
        "materials/maps/de_x/cubemapdefault.vtf",
        "materials/maps/de_x/cubemapdefault.hdr.vtf",
        "materials/maps/de_x/glass/window01_-12_40_0.vmt",
        "Materials/Maps/De_X/Glass/Window01_1_2_3.VMT",
        "materials/maps/de_x/nature/blend_wvt_patch.vmt",
        "materials/maps/de_x/water/water_depth_64.vmt",
        "sp_0.vhv",
        "sp_hdr_17.vhv",
    };
    static const char *const authors[] = {
        "materials/maps/de_x/logo.vmt",
        "materials/maps/de_x/logo.vtf",
        "materials/maps/de_x/window01_2_3.vmt",
        "materials/glass/window01_1_2_3.vmt",
        "materials/custom/cubemapdefault.vtf",
        "materials/maps/cubemapdefault.vtf",
        "materials/maps/de_x/cat_1_2.vtf",
        "materials/maps/de_x/water_depth_.vmt",
        "maps/de_x.nav",
        "models/sp_0.vhv.txt",
        "sound/sp_1.wav",
        "sp_.vhv",
        "",
    };
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        assert_true(bsp_is_compiled_file(bsp_text_of(theirs[i])));
    }
    for (size_t i = 0; i < sizeof authors / sizeof *authors; i++) {
        assert_false(bsp_is_compiled_file(bsp_text_of(authors[i])));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),        cmocka_unit_test(test_no_classes),
        cmocka_unit_test(test_flat),           cmocka_unit_test(test_flat_solids),
        cmocka_unit_test(test_empty_model),    cmocka_unit_test(test_materials),
        cmocka_unit_test(test_nodraw),         cmocka_unit_test(test_cameras),
        cmocka_unit_test(test_camera_angles),  cmocka_unit_test(test_instances),
        cmocka_unit_test(test_details),        cmocka_unit_test(test_portals),
        cmocka_unit_test(test_corners),        cmocka_unit_test(test_allowed_verts),
        cmocka_unit_test(test_compiled_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
