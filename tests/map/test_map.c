// SPDX-License-Identifier: MIT
// The map floor: bad references become none at an exact place, strict mode says the same in words,
// cycles are cut, rows of visibility and extents of light are what a slow computation gives.
#include "formats/map_members.h"
#include "support/patch.h"
#include "support/random.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bsp_map *load(const patch *p, bsp_file **file, const bsp_map_options *options) {
    *file = patch_open(p, NULL);
    bsp_error error = {0};
    bsp_map *map = bsp_map_load(*file, options, &error);
    if (map == NULL) {
        fail_msg("%s", error.message);
    }
    return map;
}

static void unload(bsp_map *map, bsp_file *file) {
    bsp_map_free(map);
    bsp_file_close(file);
}

static void expect_strict(const patch *p, const char *message) {
    bsp_file *file = patch_open(p, NULL);
    bsp_map_options options = {.strict = true};
    bsp_error error = {0};
    assert_null(bsp_map_load(file, &options, &error));
    assert_int_equal(error.code, BSP_E_DAMAGED);
    assert_string_equal(error.message, message);
    bsp_file_close(file);
}

// --- mending ------------------------------------------------------------------------------------

static void test_bad_index(void **state) {
    (void)state;
    patch p = patch_of("quake", false, 0);
    char message[128];
    bsp_issue issue;
    bsp_file *file;
    uint64_t at = patch_field(&p, "FACES", 3, "texinfo", 0, 999);
    patch_mend(&p, "index-out-of-range", &issue);
    assert_string_equal(issue.place.lump, "FACES");
    assert_string_equal(issue.place.field, "texinfo");
    assert_int_equal(issue.place.record, 3);
    assert_int_equal(issue.place.offset, at);
    bsp_map *map = load(&p, &file, NULL);
    assert_int_equal(map->faces[3].texinfo, BSP_NONE);
    assert_int_equal(map->faces[2].texinfo, 1);
    unload(map, file);
    snprintf(message, sizeof message,
             "FACES[3].texinfo = 999, but there are 3 texinfos (byte 0x%llX)",
             (unsigned long long)at);
    expect_strict(&p, message);
    patch_free(&p);
}

static void test_bad_run(void **state) {
    (void)state;
    patch p = patch_of("source_20", true, 0);
    char message[160];
    bsp_file *file;
    uint64_t at = patch_field(&p, "FACES", 11, "firstedge", 0, 46);
    bsp_map *map = load(&p, &file, NULL);
    assert_int_equal(map->faces[11].first_edge, 46);
    assert_int_equal(map->faces[11].num_edges, 2);
    unload(map, file);
    snprintf(message, sizeof message,
             "FACES[11].firstedge = 46 and the next 4, but there are 48 surfedges (byte 0x%llX)",
             (unsigned long long)at);
    expect_strict(&p, message);
    patch_field(&p, "FACES", 11, "firstedge", 0, -1);
    map = load(&p, &file, NULL);
    assert_int_equal(map->faces[11].num_edges, 0);
    unload(map, file);
    patch_free(&p);
}

typedef struct bad_child {
    const char *branch;
    const char *lump;
    uint32_t record;
    uint32_t element;
    int64_t value;
} bad_child;

// A child that names nothing is the solid leaf, or solid.
static void test_bad_children(void **state) {
    (void)state;
    static const bad_child rows[] = {
        {"quake", "NODES", 6, 1, 300},      {"quake", "NODES", 6, 0, -300},
        {"quake3", "NODES", 7, 0, 1000000}, {"goldsrc", "CLIPNODES", 3, 1, 30000},
        {"bsp2", "CLIPNODES", 3, 0, 70000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        patch p = patch_of(rows[i].branch, false, 0);
        bsp_file *file;
        patch_field(&p, rows[i].lump, rows[i].record, "children", rows[i].element, rows[i].value);
        bsp_map *map = load(&p, &file, NULL);
        bool node = strcmp(rows[i].lump, "NODES") == 0;
        int32_t child = node ? map->nodes[rows[i].record].children[rows[i].element]
                             : map->clipnodes[rows[i].record].children[rows[i].element];
        assert_int_equal(child, node ? -1 : -2);
        unload(map, file);
        patch_free(&p);
    }
}

static void test_node_cycle(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 0);
    bsp_issue issue;
    bsp_file *file;
    patch_field(&p, "NODES", 5, "children", 0, 2); // its own ancestor
    patch_mend(&p, "tree-shape", &issue);
    assert_string_equal(issue.place.lump, "NODES");
    bsp_map *map = load(&p, &file, NULL);
    assert_int_equal(map->nodes[5].children[0], -1);
    const float inside[3] = {64, 0, 64};
    assert_int_equal(room_walk(map, inside), 0);
    unload(map, file);
    expect_strict(&p, "NODES[0].children: 1 children below it lead back to their own ancestors");
    patch_free(&p);
}

static void test_clip_cycle(void **state) {
    (void)state;
    patch p = patch_of("goldsrc", false, 0);
    bsp_file *file;
    patch_field(&p, "CLIPNODES", 0, "children", 1, 0);
    bsp_map *map = load(&p, &file, NULL);
    assert_int_equal(map->clipnodes[0].children[1], -2);
    unload(map, file);
    patch_free(&p);
}

// Every way of linking the nodes at random ends in a map whose walks end.
static void test_random_trees(void **state) {
    (void)state;
    test_random random = {9};
    for (uint32_t round = 0; round < 200; round++) {
        patch p = patch_of("quake", false, 0);
        bsp_file *file;
        for (uint32_t n = 0; n < 14; n++) {
            int64_t child = (int64_t)random_below(&random, 30) - 12;
            patch_field(&p, "NODES", n, "children", n % 2, child);
        }
        bsp_map *map = load(&p, &file, NULL);
        for (uint32_t i = 0; i < 50; i++) {
            float point[3];
            for (int a = 0; a < 3; a++) {
                point[a] = (float)random_below(&random, 400) - 200;
            }
            assert_true(room_walk(map, point) < map->num_leaves);
        }
        unload(map, file);
        patch_free(&p);
    }
}

// --- parts and limits ---------------------------------------------------------------------------

static void test_parts(void **state) {
    (void)state;
    patch p = patch_of("source_20", false, 0);
    bsp_file *file;
    bsp_map_options options = {.parts = BSP_LOAD_ENTITIES};
    bsp_map *map = load(&p, &file, &options);
    assert_int_equal(map->entities->count, ROOM_ENTITIES);
    assert_int_equal(map->num_planes, 0);
    assert_int_equal(map->num_faces, 0);
    assert_int_equal(map->light.size, 0);
    assert_int_equal(map->num_static_props, 0);
    unload(map, file);
    options.parts = BSP_LOAD_TREE;
    map = load(&p, &file, &options);
    assert_int_equal(map->loaded, BSP_LOAD_TREE);
    assert_null(map->entities);
    assert_int_equal(map->num_nodes, ROOM_NODES);
    assert_int_equal(map->num_faces, 0);
    assert_int_equal(map->num_brushes, 0);
    unload(map, file);
    options.parts = BSP_LOAD_PROPS;
    map = load(&p, &file, &options);
    assert_int_equal(map->num_static_props, 1);
    assert_int_equal(map->num_nodes, 0);
    unload(map, file);
    patch_free(&p);
}

static void test_memory_limit(void **state) {
    (void)state;
    patch p = patch_of("quake3", false, 0);
    bsp_file *file = patch_open(&p, NULL);
    bsp_limits limits = {.memory = 1000};
    bsp_map_options options = {.budget = bsp_budget_new(&limits, NULL)};
    bsp_error error = {0};
    assert_null(bsp_map_load(file, &options, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(options.budget);
    bsp_file_close(file);
    patch_free(&p);
}

// --- visibility ---------------------------------------------------------------------------------

// One byte at a time, as the rule reads: a zero is followed by how many there are.
static bool slow_bit(const uint8_t *packed, size_t size, size_t bit) {
    size_t byte = 0;
    for (size_t i = 0; i < size; i++) {
        if (packed[i] == 0) {
            byte += packed[++i];
        } else if (byte++ == bit / 8) {
            return (packed[i] >> (bit % 8) & 1) != 0;
        }
        if (byte > bit / 8) {
            return false;
        }
    }
    return false;
}

static void test_vis_rows(void **state) {
    (void)state;
    test_random random = {5};
    for (uint32_t round = 0; round < 2000; round++) {
        uint8_t row[700];
        uint8_t packed[1400];
        uint8_t back[700];
        size_t size = 1 + random_below(&random, sizeof row);
        for (size_t i = 0; i < size; i++) {
            bool zero = random_below(&random, 10) < round % 11;
            row[i] = zero ? 0 : (uint8_t)random_u32(&random);
        }
        size_t packed_size = bsp_vis_pack(row, size, packed);
        assert_true(packed_size <= 2 * size);
        bsp_bytes bytes = {packed, packed_size};
        assert_true(bsp_vis_unpack(bytes, back, size));
        assert_memory_equal(back, row, size);
        for (uint32_t i = 0; i < 32; i++) {
            size_t bit = random_below(&random, 8 * size);
            assert_int_equal(slow_bit(packed, packed_size, bit), row[bit / 8] >> (bit % 8) & 1);
        }
        bytes.size = random_below(&random, packed_size);
        bool whole = bsp_vis_unpack(bytes, back, size);
        assert_true(!whole || memcmp(back, row, size) == 0);
    }
}

static void test_vis_damage(void **state) {
    (void)state;
    uint8_t row[4];
    const bsp_bytes too_long = {(const uint8_t *)"\1\0\7", 3};
    assert_false(bsp_vis_unpack(too_long, row, 4));
    assert_memory_equal(row, "\1\0\0\0", 4);
    const bsp_bytes cut = {(const uint8_t *)"\1\2\0", 3};
    assert_false(bsp_vis_unpack(cut, row, 4));
    assert_memory_equal(row, "\1\2\0\0", 4);
    const bsp_bytes none = {NULL, 0};
    assert_false(bsp_vis_unpack(none, row, 4));
    assert_memory_equal(row, "\0\0\0\0", 4);
    const bsp_bytes no_run = {(const uint8_t *)"\0\0\5\6\7\10", 6};
    assert_true(bsp_vis_unpack(no_run, row, 4));
    assert_memory_equal(row, "\5\6\7\10", 4);
}

// Without data, or for a cluster that is not there, everything is visible.
static void test_vis_none(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 0);
    bsp_file *file;
    uint8_t row = 0;
    bsp_map *map = load(&p, &file, NULL);
    bsp_map_visible(map, 3, false, &row);
    assert_int_equal(row, 0xFF);
    bsp_map_visible(map, BSP_NONE, true, &row);
    assert_int_equal(row, 0xFF);
    unload(map, file);
    patch_entry(&p, "VISIBILITY", 0, 0);
    map = load(&p, &file, NULL);
    assert_int_equal(map->visibility.num_clusters, 0);
    unload(map, file);
    patch_free(&p);
}

// --- light --------------------------------------------------------------------------------------

// Face 0 is the wall x = 128, y from -128 to 128, z from 0 to 128. With s = y / 2 + 7 and
// t = 2 z - 3, s goes from -57 to 71 and t from -3 to 253; at 16 texels a luxel that is -3.56 to
// 4.44 and -0.19 to 15.81.
static void test_light_extents(void **state) {
    (void)state;
    room *r = room_build(bsp_branch_find("quake"));
    memset(r->texinfos[0].texture, 0, sizeof r->texinfos[0].texture);
    r->texinfos[0].texture[0][1] = 0.5F;
    r->texinfos[0].texture[0][3] = 7;
    r->texinfos[0].texture[1][2] = 2;
    r->texinfos[0].texture[1][3] = -3;
    r->texinfos[1].flags = 1; // special: no light
    bsp_blob blob;
    assert_true(bsp_map_write(&r->map, r->branch, NULL, &blob, NULL));
    bsp_bytes bytes = {blob.data, blob.size};
    bsp_file *file = bsp_file_open_memory(bytes, NULL, NULL);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    const bsp_face_light *light = &map->face_lights[0];
    assert_int_equal(light->mins[0], -4);
    assert_int_equal(light->mins[1], -1);
    assert_int_equal(light->size[0], 10);
    assert_int_equal(light->size[1], 18);
    assert_int_equal(map->face_lights[2].size[0], 0);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    room_free(r);
}

static void test_light_out_of_range(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 0);
    bsp_issue issue;
    uint64_t size;
    patch_lump_at(&p, "LIGHTING", &size);
    patch_field(&p, "FACES", 0, "lightofs", 0, (int64_t)size - 3);
    patch_check(&p, "light-out-of-range", &issue);
    assert_string_equal(issue.place.lump, "FACES");
    assert_string_equal(issue.place.field, "lightofs");
    assert_int_equal(issue.place.record, 0);
    patch_free(&p);
}

// --- materials ----------------------------------------------------------------------------------

// Quake 2 keeps a name in each texinfo: the same name is the same material.
static void test_names_are_shared(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 0);
    bsp_file *file;
    bsp_map *map = load(&p, &file, NULL);
    assert_int_equal(map->num_materials, 2);
    assert_int_equal(map->texinfos[0].material, 0);
    assert_int_equal(map->texinfos[1].material, 0);
    assert_int_equal(map->texinfos[2].material, 1);
    assert_true(bsp_text_equal(map->materials[1].name, bsp_text_of("room/floor")));
    unload(map, file);
    patch_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_index),
        cmocka_unit_test(test_bad_run),
        cmocka_unit_test(test_bad_children),
        cmocka_unit_test(test_node_cycle),
        cmocka_unit_test(test_clip_cycle),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_vis_rows),
        cmocka_unit_test(test_vis_damage),
        cmocka_unit_test(test_vis_none),
        cmocka_unit_test(test_light_extents),
        cmocka_unit_test(test_light_out_of_range),
        cmocka_unit_test(test_names_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
