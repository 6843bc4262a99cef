// SPDX-License-Identifier: MIT
// Options of the decompiler on Source maps that change sides: flat brushes, materials, corners.
#include "support/source.h"
#include "support/source_tries.h"

// --- flat brushes --------------------------------------------------------------------------------

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

// --- materials -----------------------------------------------------------------------------------

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

// --- corners -------------------------------------------------------------------------------------

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
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),          cmocka_unit_test(test_flat_solids),
        cmocka_unit_test(test_empty_model),   cmocka_unit_test(test_materials),
        cmocka_unit_test(test_nodraw),        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_allowed_verts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
