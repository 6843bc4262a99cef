// SPDX-License-Identifier: MIT
// Queries over the sample maps, the room of every branch, and the corpus where it is there. The
// fast walk must equal the plain test of every solid to the bit; contents are held against all
// brushes, visibility against a decoder that goes byte by byte.
#define _POSIX_C_SOURCE 200809L // scandir

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/index.h"
#include "support/random.h"
#include "support/room.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*map_test)(const char *path, const bsp_map *map);

static void for_each_map(const char *folder, map_test test, int *count) {
    DIR *dir = opendir(folder);
    struct dirent *e;
    while (dir != NULL && (e = readdir(dir)) != NULL) {
        char path[2048];
        size_t length = strlen(e->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.') {
            continue;
        }
        if (length < 4 || strcmp(e->d_name + length - 4, ".bsp") != 0) {
            for_each_map(path, test, count);
            continue;
        }
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, NULL);
        if (map != NULL && map->num_models != 0) {
            test(path, map);
            ++*count;
        }
        bsp_map_free(map);
        bsp_file_close(file);
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

static float between(test_random *random, float low, float high) {
    return low + (float)(random_u32(random) >> 8) / 16777216.0f * (high - low);
}

// Now and then a whole number: on planes.
static void random_point(test_random *random, const bsp_map *map, float out[3]) {
    bool whole = random_below(random, 4) == 0;
    for (int i = 0; i < 3; i++) {
        out[i] = between(random, map->models[0].mins[i] - 64, map->models[0].maxs[i] + 64);
        out[i] = whole && out[i] > -1e6f && out[i] < 1e6f ? (float)(int)out[i] : out[i];
    }
}

// --- traces -------------------------------------------------------------------------------------

#define TRACES 2000

static void random_trace(test_random *random, const bsp_map *map, bsp_trace_input *in) {
    static const uint32_t masks[] = {0, 1, UINT32_MAX, 0x10001, 0x20};
    memset(in, 0, sizeof *in);
    random_point(random, map, in->start);
    random_point(random, map, in->end);
    for (int i = 0; i < 3; i++) {
        switch (random_below(random, 4)) {
        case 0:
            in->end[i] = in->start[i];
            break;
        case 1:
            in->end[i] = in->start[i] + between(random, -64, 64);
            break;
        default:
            break;
        }
    }
    for (int i = 0, size = (int)random_below(random, 3); i < 3 && size != 0; i++) {
        in->mins[i] = size == 1 ? -16 : between(random, -40, 0);
        in->maxs[i] = size == 1 ? 16 : between(random, 0, 40);
    }
    in->mask = masks[random_below(random, sizeof masks / sizeof *masks)];
    in->model = random_below(random, 8) == 0   ? BSP_TRACE_ALL
                : random_below(random, 4) == 0 ? (uint32_t)random_below(random, map->num_models)
                                               : 0;
}

static void assert_same(const char *path, const char *what, const bsp_trace_input *in,
                        const bsp_trace_result *a, const bsp_trace_result *b) {
    if (memcmp(a, b, sizeof *a) != 0) {
        fail_msg("%s: %s: %.9g %.9g %.9g -> %.9g %.9g %.9g box %.9g %.9g %.9g %.9g %.9g %.9g model "
                 "%u mask 0x%X: %.9g (%u %u %u) and "
                 "%.9g (%u %u %u)",
                 path, what, (double)in->start[0], (double)in->start[1], (double)in->start[2],
                 (double)in->end[0], (double)in->end[1], (double)in->end[2], (double)in->mins[0],
                 (double)in->mins[1], (double)in->mins[2], (double)in->maxs[0], (double)in->maxs[1],
                 (double)in->maxs[2], in->model, in->mask, (double)a->fraction, a->brush, a->side,
                 a->face, (double)b->fraction, b->brush, b->side, b->face);
    }
}

static void check_place(const bsp_map *map, const bsp_trace_index *index, const float p[3]) {
    assert_int_equal(bsp_trace_leaf(index, p), bsp_query_leaf(map, p));
    assert_int_equal(bsp_trace_contents(index, 0, p), bsp_query_contents(map, 0, p));
}

// On sides of brushes, where the least difference shows; and in the space of other models.
static void check_sides(const bsp_map *map, const bsp_trace_index *index) {
    test_random random = {816};
    for (int i = 0; i < TRACES && map->num_brush_sides != 0; i++) {
        float p[3];
        random_point(&random, map, p);
        const bsp_brush *brush = &map->brushes[random_below(&random, map->num_brushes)];
        for (int k = 0; k < 3 && brush->num_sides != 0; k++) { // to an edge or a corner, mostly
            size_t side = brush->first_side + random_below(&random, brush->num_sides);
            const bsp_plane *plane = &map->planes[map->brush_sides[side].plane];
            float d = p[0] * plane->normal[0] + p[1] * plane->normal[1] + p[2] * plane->normal[2];
            for (int axis = 0; axis < 3; axis++) {
                p[axis] += plane->normal[axis] * (plane->dist - d);
            }
            check_place(map, index, p);
        }
        uint32_t model = (uint32_t)random_below(&random, (size_t)map->num_models + 1);
        assert_int_equal(bsp_trace_contents(index, model, p), bsp_query_contents(map, model, p));
    }
}

// Where planes and the cells' edges are: on planes, near them, on round numbers, outside, nowhere.
static void check_leaves(const bsp_map *map, const bsp_trace_index *index) {
    test_random random = {815};
    for (int i = 0; i < TRACES; i++) {
        bsp_trace_input in;
        random_trace(&random, map, &in);
        float *p = in.start;
        if (map->num_planes != 0) {
            const bsp_plane *plane = &map->planes[random_below(&random, map->num_planes)];
            float d = p[0] * plane->normal[0] + p[1] * plane->normal[1] + p[2] * plane->normal[2];
            for (int k = 0; k < 3 && i % 2 == 0; k++) {
                p[k] += plane->normal[k] * (plane->dist - d);
            }
        }
        size_t axis = random_below(&random, 3);
        p[axis] = i % 3 == 0 ? roundf(p[axis] / 16) * 16 : p[axis];
        check_place(map, index, p);
        p[axis] = nextafterf(p[axis], i % 4 < 2 ? INFINITY : -INFINITY);
        check_place(map, index, p);
        p[axis] = map->num_models == 0 ? 0
                  : i % 4 < 2          ? map->models[0].mins[axis]
                                       : map->models[0].maxs[axis];
        check_place(map, index, p);
        p[axis] = i % 7 == 0 ? NAN : i % 7 == 1 ? INFINITY : p[axis] * 100;
        check_place(map, index, p);
    }
}

// What a trace tells of is one thing: the side is of the brush, the plane and the material are the
// side's, and the surface flags are those of its texinfo or material. In solid Quake 3 tells of the
// plane that it met before.
static void check_telling(const bsp_map *map, const bsp_trace_input *in,
                          const bsp_trace_result *r) {
    bsp_text name = bsp_trace_material(map, r);
    assert_true(r->side == BSP_NONE || r->plane != BSP_NONE);
    if (r->plane != BSP_NONE && in->model != BSP_TRACE_ALL) {
        const bsp_plane *plane = &map->planes[r->plane];
        float along = 0;
        for (int i = 0; i < 3; i++) {
            along += r->normal[i] * plane->normal[i];
        }
        float sign = map->traits->contents_numbers && along < 0 ? -1.0f : 1.0f;
        assert_true(r->dist == sign * plane->dist);
        for (int i = 0; i < 3; i++) {
            assert_true(r->normal[i] == sign * plane->normal[i]);
        }
    }
    if (r->side == BSP_NONE) {
        assert_true(r->face != BSP_NONE || name.size == 0);
        return;
    }
    const bsp_brush *brush = &map->brushes[r->brush];
    const bsp_brush_side *side = &map->brush_sides[r->side];
    assert_true(r->side - brush->first_side < brush->num_sides);
    assert_int_equal(r->contents, brush->contents);
    assert_int_equal(r->plane, side->plane);
    bool has_texinfo = side->texinfo < map->num_texinfos;
    uint32_t material = has_texinfo ? map->texinfos[side->texinfo].material : side->material;
    if (material < map->num_materials) {
        const bsp_material *m = &map->materials[material];
        assert_true(name.size == m->name.size && memcmp(name.data, m->name.data, name.size) == 0);
        assert_int_equal(r->surface_flags,
                         has_texinfo ? map->texinfos[side->texinfo].flags : m->flags);
    }
}

static void check_traces(const char *path, const bsp_map *map) {
    bsp_error error = {0};
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, &error);
    test_random random = {4711};
    if (index == NULL) {
        fail_msg("%s: %s", path, error.message);
    }
    for (int i = 0; i < TRACES; i++) {
        bsp_trace_input in;
        bsp_trace_result fast, base, plain;
        memset(&fast, 0, sizeof fast);
        memset(&base, 0, sizeof base);
        memset(&plain, 0, sizeof plain);
        random_trace(&random, map, &in);
        bsp_trace(index, &in, &fast);
        bspi_trace_with(index, &bspi_tracer_base, &in, &base);
        bspi_trace_with(index, &bspi_tracer_plain, &in, &plain);
        assert_same(path, "fast and plain", &in, &fast, &plain);
        assert_same(path, "base and plain", &in, &base, &plain);
        assert_true(fast.fraction >= 0 && fast.fraction <= 1);
        assert_true(!fast.all_solid || fast.start_solid);
        check_telling(map, &in, &fast);
    }
    check_leaves(map, index);
    check_sides(map, index);
    bsp_trace_index_free(index);
}

// --- contents -----------------------------------------------------------------------------------

#define POINTS 2000

// All brushes of the world that hold a point, without the tree.
static int32_t all_brushes(const bsp_map *map, const float point[3], uint32_t first,
                           uint32_t count) {
    int32_t contents = 0;
    for (uint32_t b = first; b < first + count && b < map->num_brushes; b++) {
        const bsp_brush *brush = &map->brushes[b];
        bool in = brush->num_sides != 0;
        for (uint32_t s = 0; in && s < brush->num_sides; s++) {
            const bsp_plane *p = &map->planes[map->brush_sides[brush->first_side + s].plane];
            in = p->normal[0] * point[0] + p->normal[1] * point[1] + p->normal[2] * point[2] <=
                 p->dist;
        }
        contents |= in ? brush->contents : 0;
    }
    return contents;
}

static void check_contents(const char *path, const bsp_map *map) {
    test_random random = {815};
    if (map->branch->family != BSP_QUAKE3 || map->num_nodes == 0) {
        return;
    }
    for (int i = 0; i < POINTS; i++) {
        float point[3];
        for (int k = 0; k < 3; k++) {
            point[k] = between(&random, map->models[0].mins[k], map->models[0].maxs[k]);
        }
        int32_t all =
            all_brushes(map, point, map->models[0].first_brush, map->models[0].num_brushes);
        int32_t answer = bsp_query_contents(map, 0, point);
        if (answer != all) {
            fail_msg("%s: contents at %.9g %.9g %.9g are 0x%X, all brushes say 0x%X", path,
                     (double)point[0], (double)point[1], (double)point[2], (unsigned)answer,
                     (unsigned)all);
        }
    }
}

// --- visibility ---------------------------------------------------------------------------------

// A decoder that could not be simpler.
static void naive_row(const bsp_visibility *vis, uint32_t offset, uint8_t *row) {
    size_t at = offset;
    uint32_t done = 0;
    memset(row, 0, vis->row_bytes);
    while (done < vis->row_bytes && at < vis->rows.size) {
        uint8_t byte = vis->rows.data[at++];
        if (byte != 0 || !vis->packed) {
            row[done++] = byte;
        } else if (at < vis->rows.size) {
            done += vis->rows.data[at++];
        }
    }
}

static void check_rows(const char *path, const bsp_map *map) {
    const bsp_visibility *vis = &map->visibility;
    uint8_t *row = calloc((size_t)vis->row_bytes + 256, 1);
    uint8_t *naive = calloc((size_t)vis->row_bytes + 256, 1);
    bsp_map packed = *map;
    assert_true(row != NULL && naive != NULL);
    bool small = (size_t)vis->num_clusters * vis->row_bytes <= (size_t)64 << 10;
    assert_int_equal(vis->unpacked != NULL, vis->packed && vis->num_clusters != 0 && small);
    packed.visibility.unpacked = NULL;
    for (uint32_t i = 0; i < vis->num_clusters; i++) {
        for (int heard = 0; heard < (vis->phs != NULL ? 2 : 1); heard++) {
            uint32_t offset = heard ? vis->phs[i] : vis->pvs[i];
            bsp_map_visible(map, i, heard != 0, row);
            bsp_map_visible(&packed, i, heard != 0, naive);
            assert_memory_equal(row, naive, vis->row_bytes);
            if (offset == BSP_NONE || offset >= vis->rows.size) {
                memset(naive, 0xFF, vis->row_bytes);
            } else {
                naive_row(vis, offset, naive);
            }
            if (memcmp(row, naive, vis->row_bytes) != 0) {
                fail_msg("%s: row of cluster %u differs", path, i);
            }
        }
    }
    free(row);
    free(naive);
}

static void check_seen(const char *path, const bsp_map *map) {
    test_random random = {99};
    uint8_t *row = calloc((size_t)map->visibility.row_bytes + 1, 1);
    uint8_t *faces = calloc(((size_t)map->num_faces + 7) / 8 + 1, 1);
    uint32_t *leaves = calloc((size_t)map->num_leaves + 1, sizeof *leaves);
    assert_true(row != NULL && faces != NULL && leaves != NULL);
    for (int i = 0; i < 50; i++) {
        float point[3];
        random_point(&random, map, point);
        uint32_t cluster = bsp_query_cluster(map, point);
        uint32_t here = bsp_query_leaf(map, point);
        uint32_t count = bsp_query_visible_leaves(map, point, row, leaves, map->num_leaves);
        uint32_t drawn = bsp_query_visible_faces(map, point, row, faces);
        assert_true(count <= map->num_leaves && drawn <= map->num_faces);
        assert_true(cluster != BSP_NONE || count == 0);
        bool found = cluster == BSP_NONE || !bsp_query_row_sees(map, row, cluster);
        for (uint32_t k = 0; k < count; k++) {
            found = found || leaves[k] == here;
            assert_true(k == 0 || leaves[k] > leaves[k - 1]);
        }
        assert_true(found);
        float low[3] = {point[0] - 1, point[1] - 1, point[2] - 1};
        float high[3] = {point[0] + 1, point[1] + 1, point[2] + 1};
        uint32_t touched = bsp_query_box_leaves(map, 0, low, high, leaves, map->num_leaves);
        found = here == BSP_NONE || touched > map->num_leaves;
        for (uint32_t k = 0; k < touched && k < map->num_leaves; k++) {
            found = found || leaves[k] == here;
        }
        if (!found) {
            fail_msg("%s: the box around a point does not touch its leaf %u", path, here);
        }
        (void)bsp_query_light(map, NULL, point);
    }
    free(row);
    free(faces);
    free(leaves);
}

static void check_areas(const bsp_map *map) {
    uint32_t *flood = calloc((size_t)map->num_areas + 1, sizeof *flood);
    assert_non_null(flood);
    uint32_t joined = bsp_query_areas(map, NULL, 0, flood);
    uint32_t apart = bsp_query_areas(map, (const uint8_t *)"", 0, flood);
    assert_true(joined <= apart);
    assert_int_equal(apart, map->num_areas == 0 ? 0 : map->num_areas - 1);
    free(flood);
}

static void check_map(const char *path, const bsp_map *map) {
    check_traces(path, map);
    check_contents(path, map);
    check_rows(path, map);
    check_seen(path, map);
    check_areas(map);
}

static void test_samples(void **state) {
    (void)state;
    int count = 0;
    for_each_map(BSP_TEST_SAMPLES, check_map, &count);
    assert_true(count >= 5);
}

static void test_corpus(void **state) {
    (void)state;
    static const char *const folders[] = {"quake", "goldsrc", "quake2", "quake3", "source"};
    int count = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[2048];
        snprintf(path, sizeof path, "%s/corpus/%s", BSP_TEST_SHARED, folders[i]);
        for_each_map(path, check_map, &count);
    }
    print_message("%d maps\n", count);
    if (count == 0) {
        print_message("SKIP: no corpus\n");
        skip();
    }
}

// --- facts --------------------------------------------------------------------------------------

// In the room of every branch, the known points are in the known leaves.
static void test_rooms(void **state) {
    (void)state;
    size_t num_points;
    const bsp_branch *branch;
    const room_point *points = room_points(&num_points);
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        if (branch->opaque) {
            continue;
        }
        room *r = room_build(branch);
        for (size_t k = 0; k < num_points; k++) {
            assert_int_equal(bsp_query_leaf(&r->map, points[k].point), points[k].leaf);
        }
        // Apex Legends has nothing to trace against.
        if (r->map.traits->has_brushes || r->map.traits->contents_numbers) {
            check_traces(branch->name, &r->map);
        }
        room_free(r);
    }
}

// An index of what was not loaded would say that everything is empty.
static void test_parts_missing(void **state) {
    (void)state;
    room *r = room_build(bsp_branch_find("quake3"));
    const uint32_t needed = BSP_LOAD_TREE | BSP_LOAD_BRUSHES | BSP_LOAD_SURFACES;
    for (uint32_t loaded = 0; loaded <= BSP_LOAD_ALL; loaded++) {
        bsp_error error = {0};
        r->map.loaded = loaded; // 0: made by hand, and complete
        bsp_trace_index *index = bsp_trace_index_new(&r->map, NULL, &error);
        bool enough = loaded == 0 || (loaded & needed) == needed;
        assert_int_equal(index != NULL, enough);
        assert_int_equal(error.code, enough ? BSP_OK : BSP_E_ARGUMENT);
        assert_true(enough || strstr(error.message, "parts of the map") != NULL);
        bsp_trace_index_free(index);
    }
    room_free(r);
}

// Visible rows of the shapes that the copy of eight bytes must not get wrong.
static void test_row_shapes(void **state) {
    (void)state;
    static const struct {
        uint8_t packed[16];
        size_t size;
        uint8_t row[12];
    } cases[] = {
        {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 12, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
        {{0, 12}, 2, {0}},
        {{0, 255}, 2, {0}},
        {{1, 0, 10, 2}, 4, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
        {{0x80, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 13, {0x80, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
        {{1, 1, 1, 1, 1, 1, 1, 1, 0}, 9, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}},
        {{7}, 1, {7}},
        {{0, 0, 5}, 3, {5}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t offset = 0;
        bsp_map map;
        uint8_t row[12];
        memset(&map, 0, sizeof map);
        memset(row, 0xEE, sizeof row);
        map.visibility = (bsp_visibility){.num_clusters = 1,
                                          .row_bytes = sizeof row,
                                          .pvs = &offset,
                                          .rows = {cases[i].packed, cases[i].size},
                                          .packed = true};
        bsp_map_visible(&map, 0, false, row);
        assert_memory_equal(row, cases[i].row, sizeof row);
    }
}

static void test_flag_names(void **state) {
    (void)state;
    const bsp_branch *quake3 = bsp_branch_find("quake3");
    const bsp_branch *quake = bsp_branch_find("quake");
    assert_int_equal(bsp_query_flag(quake3, bsp_text_of("PlayerClip")), 0x10000);
    assert_int_equal(bsp_query_flag(quake3, bsp_text_of("solids")), 0);
    assert_int_equal(bsp_query_flag(quake, bsp_text_of("solid")), 0);
    assert_string_equal(bsp_query_flag_name(quake3, 0x20), "water");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_shapes), cmocka_unit_test(test_flag_names),
        cmocka_unit_test(test_rooms),      cmocka_unit_test(test_samples),
        cmocka_unit_test(test_corpus),     cmocka_unit_test(test_parts_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
