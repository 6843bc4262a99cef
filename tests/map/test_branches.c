// SPDX-License-Identifier: MIT
// Every branch whose records are known, on a map that the builder made for it: what was put in
// comes out, in the same bytes, and no damage to it does harm.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "formats/map_members.h"
#include "support/alloc.h"
#include "support/battery.h"
#include "support/effort.h"
#include "support/compare.h"
#include "support/specimen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>

#define FLIPS 1000u
#define BIG_FILE 262144u // FBSP, whose light page alone is 786432 bytes

// --- detection and facts ------------------------------------------------------------------------

static bool has_revision(const bsp_layout *layout) {
    for (uint32_t f = 0; layout != NULL && f < layout->num_fields; f++) {
        if (layout->fields[f].map_member == BSPI_MEMBER_head_revision) {
            return true;
        }
    }
    return false;
}

static bool stores_revision(const bsp_shape *shape) {
    return has_revision(shape->head) || has_revision(shape->tail);
}

static void check_detected(const specimen *s) {
    bsp_file *file = battery_open(s->name, s->bytes);
    const bsp_file_info *info = bsp_file_get_info(file);
    assert_string_equal(info->detection.branch->name, s->branch->name);
    assert_int_equal(info->detection.big_endian, s->big_endian);
    bool revised = stores_revision(bsp_branch_shape(s->branch));
    assert_int_equal(info->revision, revised ? 7 : BSP_NONE);
    bsp_file_close(file);
}

static void test_detected(void **state) {
    (void)state;
    specimen_each(check_detected);
}

static void check_clean(const specimen *s) {
    bsp_file *file = battery_open(s->name, s->bytes);
    battery_clean(s->name, file, BSP_WARNING);
    bsp_file_close(file);
}

static void test_clean(void **state) {
    (void)state;
    specimen_each(check_clean);
}

static void check_space(const specimen *s, const bsp_map *map) {
    size_t count;
    const room_point *points = room_points(&count);
    for (size_t i = 0; i < count; i++) {
        uint32_t leaf = room_walk(map, points[i].point);
        if (leaf != points[i].leaf) {
            fail_msg("%s: point %zu is in leaf %u, not %u", s->name, i, leaf, points[i].leaf);
        }
        assert_int_equal(map->leaves[leaf].cluster, leaf == 0 ? BSP_NONE : leaf - 1);
    }
    uint8_t row[8] = {0};
    assert_true(map->visibility.row_bytes <= sizeof row);
    static const uint8_t seen[ROOM_CLUSTERS] = {3, 7, 6};
    for (uint32_t c = 0; c < ROOM_CLUSTERS; c++) {
        bsp_map_visible(map, c, false, row);
        assert_int_equal(row[0], seen[c]);
        bsp_map_visible(map, c, true, row);
        assert_int_equal(row[0], map->visibility.phs == NULL ? seen[c] : 7);
    }
}

// Hull boxes keep a point that far from the walls, and from the door.
static void check_hulls(const bsp_map *map) {
    static const float door[3] = {36, 0, 48};
    for (uint32_t h = 1; h < map->traits->num_hulls; h++) {
        const bsp_hull *hull = &map->traits->hulls[h];
        for (int a = 0; a < 3; a++) {
            float wall[3] = {0, 0, (128 - hull->maxs[2] - hull->mins[2]) / 2};
            wall[a] = 128 - hull->maxs[a] - 1;
            assert_int_equal(room_walk_hull(map, 0, h, wall), -1);
            wall[a] += 2;
            assert_int_equal(room_walk_hull(map, 0, h, wall), -2);
        }
        float beside[3] = {40 - hull->mins[0] + 1, 0, 48};
        assert_int_equal(room_walk_hull(map, 1, h, beside), -1);
        beside[0] -= 2;
        assert_int_equal(room_walk_hull(map, 1, h, beside), -2);
        assert_int_equal(room_walk_hull(map, 1, h, door), -2);
    }
}

static void check_surfaces(const bsp_map *map, const room *want) {
    for (uint32_t i = 0; i < map->num_faces; i++) {
        const bsp_face_light *light = &map->face_lights[i];
        assert_int_equal(map->faces[i].type, want->faces[i].type);
        for (int axis = 0; axis < 2; axis++) {
            assert_int_equal(light->mins[axis], want->face_lights[i].mins[axis]);
            assert_int_equal(light->size[axis], want->face_lights[i].size[axis]);
        }
    }
    for (uint32_t i = 0; i < map->num_planes; i++) {
        assert_int_equal(map->planes[i].type, want->planes[i].type);
    }
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        assert_int_equal(map->brushes[i].contents, 1);
    }
}

static void check_source(const bsp_map *map) {
    assert_int_equal(map->displacements[0].power, 2);
    assert_int_equal(map->displacements[0].edge_neighbors[3][1][0], BSP_NONE);
    assert_int_equal(map->displacements[0].corner_neighbors[3][3], BSP_NONE);
    assert_int_equal(map->num_disp_verts, 25);
    assert_true(bsp_text_equal(map->static_prop_models[0], bsp_text_of("models/room/crate.mdl")));
    assert_int_equal(map->static_props[0].num_leaves, 1);
    assert_int_equal(map->static_prop_leaves[0], 1);
    assert_int_equal(map->overlays[0].faces[0], 4);
    assert_int_equal(map->faces[4].num_prims,
                     room_elements(map->branch, BSP_ID_FACES, BSPI_MEMBER_face_num_prims, 0));
    assert_int_equal(map->leaves[3].water, 0);
    assert_int_equal(map->leaves[2].water, BSP_NONE);
}

static uint32_t find_brush(const bsp_map *map, const float point[3]) {
    for (uint32_t b = 0; b < map->num_brushes; b++) {
        bool inside = true;
        for (uint32_t i = 0; inside && i < map->brushes[b].num_sides; i++) {
            const bsp_plane *plane =
                &map->planes[map->brush_sides[map->brushes[b].first_side + i].plane];
            inside = plane->normal[0] * point[0] + plane->normal[1] * point[1] +
                         plane->normal[2] * point[2] <=
                     plane->dist;
        }
        if (inside) {
            return b;
        }
    }
    return BSP_NONE;
}

// The corners that a mesh names by way of its sort and its vertices are those of its polygon.
static void check_meshes(const bsp_map *map, const room *want) {
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < map->num_faces; i++) {
        const bsp_face *face = &map->faces[i];
        const bsp_face *polygon = &want->faces[i];
        uint32_t axis = i % 6 / 2;
        assert_int_equal(face->num_indices, 6);
        assert_int_equal(face->material, axis == 2 ? 1 : 0);
        assert_int_equal(map->face_lights[i].page[0], want->face_lights[i].size[0] != 0 ? 0 : -1);
        for (uint32_t c = 0; c < 6; c++) {
            uint32_t index = map->draw_indices[face->first_index + c];
            assert_true(index < face->num_verts);
            const bsp_draw_vert *vert = &map->draw_verts[face->first_vert + index];
            int32_t edge = want->surfedges[polygon->first_edge + corners[c]];
            uint32_t vertex = want->edges[edge < 0 ? -edge : edge].v[edge < 0 ? 1 : 0];
            assert_memory_equal(vert->point, want->vertices[vertex].point, sizeof vert->point);
            assert_true(fabsf(vert->normal[axis]) == 1);
        }
    }
}

static void check_boxes(const bsp_map *map) {
    static const float in_wall[3] = {136, 0, 64}, outside[3] = {143, 143, 64};
    static const float in_door[3] = {36, 0, 48}, in_room[3] = {0, 0, 64};
    assert_int_equal(map->num_brushes, ROOM_BRUSHES);
    assert_int_equal(map->brushes[0].num_sides, 7); // its corner is cut off
    assert_int_equal(map->models[0].num_brushes, 6);
    assert_int_equal(map->models[1].first_brush, 6);
    assert_int_equal(map->models[1].num_brushes, 1);
    assert_int_equal(find_brush(map, in_wall), 0);
    assert_int_equal(find_brush(map, in_door), 6);
    assert_int_equal(find_brush(map, in_room), BSP_NONE);
    assert_int_equal(find_brush(map, outside), 2); // the wall behind it, which is whole
    for (uint32_t s = 0; s < map->num_brush_sides; s++) {
        const bsp_brush_side *side = &map->brush_sides[s];
        assert_int_equal(side->texinfo, s);
        assert_int_equal(side->material, map->texinfos[s].material);
    }
}

static void check_facts(const specimen *s) {
    room *want = room_build(s->branch);
    bsp_file *file;
    bsp_map *map = specimen_load(s, &file);
    compare_maps(&want->map, map, s->branch, s->props);
    if (room_has(s->branch, BSP_ID_NODES)) {
        check_space(s, map);
    }
    check_hulls(map);
    check_surfaces(map, want);
    if (s->branch->family == BSP_SOURCE) {
        check_source(map);
    }
    if (map->traits->shares_vertices) {
        check_meshes(map, want);
    }
    if (room_has(s->branch, BSP_ID_BRUSH_BOXES)) {
        check_boxes(map);
    }
    assert_int_equal(map->entities->count, ROOM_ENTITIES);
    assert_int_equal(map->num_models, 2);
    bsp_map_free(map);
    bsp_file_close(file);
    room_free(want);
}

static void test_facts(void **state) {
    (void)state;
    specimen_each(check_facts);
}

// --- bytes --------------------------------------------------------------------------------------

static void check_encode(const specimen *s) {
    bsp_file *file = battery_open(s->name, s->bytes);
    battery_encode(s->name, file);
    bsp_file_close(file);
}

static void test_encode(void **state) {
    (void)state;
    specimen_each(check_encode);
}

static void check_rewrite(const specimen *s) {
    bsp_file *file;
    bsp_map *map = specimen_load(s, &file);
    bsp_write_options options = {.big_endian = s->big_endian,
                                 .revision = 7,
                                 .static_prop_version = ROOM_PROPS_VERSION(s->props),
                                 .static_prop_size = ROOM_PROPS_SIZE(s->props)};
    bsp_blob again;
    bsp_error error = {0};
    if (!bsp_map_write(map, s->branch, &options, &again, &error)) {
        fail_msg("%s: %s", s->name, error.message);
    }
    if (again.size != s->bytes.size || memcmp(again.data, s->bytes.data, again.size) != 0) {
        fail_msg("%s: written, loaded and written it is another file", s->name);
    }
    bsp_blob_free(&again);
    bsp_map_free(map);
    bsp_file_close(file);
}

static void test_rewrite(void **state) {
    (void)state;
    specimen_each(check_rewrite);
}

// Every form of static props of every branch that has them.
static void test_static_props(void **state) {
    (void)state;
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        const bsp_game_lump_def *def = branch->opaque ? NULL : bsp_branch_game_lump(branch, "sprp");
        for (uint32_t v = 0; def != NULL && v < def->num_section_lists; v++) {
            const bsp_section_list *list = &def->section_lists[v];
            uint32_t props = ROOM_PROPS(list->version, list->stride);
            int orders = branch->family == BSP_SOURCE ? 2 : 1;
            for (int big = 0; list->version != BSP_ANY_VERSION && big < orders; big++) {
                specimen_do(check_facts, branch, big == 1, props);
                specimen_do(check_rewrite, branch, big == 1, props);
                specimen_do(check_clean, branch, big == 1, props);
                specimen_do(check_encode, branch, big == 1, props);
            }
        }
    }
}

// The branches of a family, and both byte orders, tell the same story; but those that are told by
// their classes have one in their entities.
static uint64_t family_hashes[BSP_TITANFALL + 1];

static void check_hash(const specimen *s) {
    if (s->branch->classes != NULL) {
        return;
    }
    bsp_file *file;
    bsp_map *map = specimen_load(s, &file);
    uint64_t hash = hash_shared(map, s->branch, true);
    uint64_t *of_family = &family_hashes[s->branch->family];
    if (*of_family != 0 && *of_family != hash) {
        fail_msg("%s is another map than its relatives", s->name);
    }
    *of_family = hash;
    bsp_map_free(map);
    bsp_file_close(file);
}

static void test_hashes(void **state) {
    (void)state;
    specimen_each(check_hash);
}

// Faces of 104 bytes have eight styles: a map has four, and none behind them.
static void test_vampire_styles(void **state) {
    (void)state;
    bsp_blob blob = room_file(bsp_branch_find("vampire"), false, 0);
    bsp_file *file = battery_open("vampire", (bsp_bytes){blob.data, blob.size});
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    bsp_bytes data;
    assert_non_null(map);
    assert_true(bsp_file_data(file, bsp_file_find_id(file, BSP_ID_FACES), &data, NULL));
    assert_int_equal(data.size, 104 * (size_t)map->num_faces);
    for (uint32_t i = 0; i < map->num_faces; i++) {
        assert_memory_equal(data.data + 104 * (size_t)i + 48, map->face_lights[i].styles, 4);
        assert_memory_equal(data.data + 104 * (size_t)i + 52, "\xFF\xFF\xFF\xFF", 4);
    }
    bsp_blob other;
    bsp_error error = {0};
    if (!bsp_file_convert(file, bsp_branch_find("source_19"), NULL, &other, &error)) {
        fail_msg("%s", error.message);
    }
    bsp_blob_free(&other);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

// --- damage -------------------------------------------------------------------------------------

static void check_truncated(const specimen *s) {
    battery_truncate(s->name, s->bytes);
}

static void test_truncated(void **state) {
    (void)state;
    specimen_each(check_truncated);
}

// The same code reads both byte orders: the second needs fewer.
static void check_flipped(const specimen *s) {
    uint32_t count = s->bytes.size > BIG_FILE ? FLIPS / 10 : s->big_endian ? FLIPS / 4 : FLIPS;
    count /= test_step(8);
    battery_flip(s->name, s->bytes, count, UINT64_C(0x9E3779B97F4A7C15) + s->big_endian);
}

static void test_flipped(void **state) {
    (void)state;
    specimen_each(check_flipped);
}

static void check_starved(const specimen *s) {
    if (!s->big_endian) {
        battery_starve(s->name, s->bytes);
    }
}

static void test_starved(void **state) {
    (void)state;
    specimen_each(check_starved);
}

static void check_starved_writer(const specimen *s) {
    room *r = room_build(s->branch);
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_write_options options = {.allocator = &allocator};
        bsp_error error = {0};
        bsp_blob blob;
        done = bsp_map_write(&r->map, s->branch, &options, &blob, &error);
        assert_true(done || error.code == BSP_E_MEMORY);
        bsp_blob_free(&blob);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
    room_free(r);
}

static void test_starved_writer(void **state) {
    (void)state;
    specimen_each(check_starved_writer);
}

// --- refusals of the writer ---------------------------------------------------------------------

static void expect_refusal(const char *branch, room *r, const char *message) {
    bsp_error error = {0};
    bsp_blob blob;
    assert_false(bsp_map_write(&r->map, bsp_branch_find(branch), NULL, &blob, &error));
    assert_int_equal(error.code, BSP_E_RANGE);
    assert_string_equal(error.message, message);
    assert_null(blob.data);
    room_free(r);
}

static void test_writer_refuses(void **state) {
    (void)state;
    room *r = room_build(bsp_branch_find("quake"));
    r->faces[3].plane = 70000;
    expect_refusal("quake", r, "dface_t[3].planenum = 70000 does not fit (0 to 65535)");
    r = room_build(bsp_branch_find("source_20"));
    r->faces[2].first_prim = 65536;
    expect_refusal("source_20", r, "dface_t[2].firstPrimID = 65536 does not fit (0 to 65535)");
    r = room_build(bsp_branch_find("quake2"));
    r->materials[0].name = bsp_text_of("a/name/of/more/than/32/characters");
    expect_refusal("quake2", r,
                   "texinfo_t[0].texture: the name 'a/name/of/more/than/32/characters' has more "
                   "than 32 characters");
}

static void test_writer_knows_its_branches(void **state) {
    (void)state;
    room *r = room_build(bsp_branch_find("source_20"));
    bsp_error error = {0};
    bsp_blob blob;
    bsp_write_options options = {.static_prop_version = 99};
    assert_false(bsp_map_write(&r->map, r->branch, &options, &blob, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        if (branch->opaque) {
            assert_false(bsp_map_write(&r->map, branch, NULL, &blob, &error));
            assert_int_equal(error.code, BSP_E_UNSUPPORTED);
        }
    }
    room_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detected),       cmocka_unit_test(test_clean),
        cmocka_unit_test(test_facts),          cmocka_unit_test(test_encode),
        cmocka_unit_test(test_rewrite),        cmocka_unit_test(test_static_props),
        cmocka_unit_test(test_hashes),         cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_starved),        cmocka_unit_test(test_starved_writer),
        cmocka_unit_test(test_writer_refuses), cmocka_unit_test(test_writer_knows_its_branches),
        cmocka_unit_test(test_flipped),        cmocka_unit_test(test_vampire_styles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
