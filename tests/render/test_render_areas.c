// SPDX-License-Identifier: MIT
// Area portals in pictures: the lobby of the Source sample, parted in two areas at the door of its
// corridor. What a shut portal hides is not drawn; doors that open open their portals; leaves are
// counted by hand. On real maps the leaves that are left are those that a plain flood says.
#include "bspkit/bspkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The door of the corridor lies in the plane of this y; the first room ends at this x.
#define DOOR 128.0F
#define ROOM 256.0F
#define KEY 7

typedef struct stage {
    bsp_file *file;
    bsp_map *loaded;
    bsp_map map;
    bsp_leaf *leaves;
    bsp_entities entities;
    bsp_entity *list;
} stage;

// Area 1 is the first room and the corridor up to the door, area 2 what is beyond it; leaves
// outside have none.
static void set_up(stage *s) {
    static const bsp_area areas[3] = {{0, 0}, {1, 0}, {1, 1}};
    static const bsp_area_portal portals[2] = {{.key = KEY, .other_area = 2},
                                               {.key = KEY, .other_area = 1}};
    static const bsp_pair keys[3] = {{{"classname", 9}, {"func_areaportal", 15}},
                                     {{"portalnumber", 12}, {"7", 1}},
                                     {{"target", 6}, {"corridor_door", 13}}};
    bsp_error error = {0};
    s->file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
    assert_non_null(s->file);
    s->loaded = bsp_map_load(s->file, NULL, &error);
    assert_non_null(s->loaded);
    s->map = *s->loaded;
    s->leaves = calloc(s->map.num_leaves, sizeof *s->leaves);
    for (uint32_t i = 0; i < s->map.num_leaves; i++) {
        s->leaves[i] = s->map.leaves[i];
        const bsp_leaf *leaf = &s->leaves[i];
        bool beyond =
            leaf->mins[1] + leaf->maxs[1] < 2 * DOOR && leaf->mins[0] + leaf->maxs[0] > 2 * ROOM;
        s->leaves[i].area = s->leaves[i].cluster == BSP_NONE ? 0 : beyond ? 2 : 1;
    }
    s->map.leaves = s->leaves;
    s->map.areas = areas;
    s->map.num_areas = 3;
    s->map.area_portals = portals;
    s->map.num_area_portals = 2;
    s->entities = *s->map.entities;
    s->list = calloc((size_t)s->entities.count + 1, sizeof *s->list);
    memcpy(s->list, s->entities.list, s->entities.count * sizeof *s->list);
    s->list[s->entities.count] = (bsp_entity){.pairs = keys, .num_pairs = 3};
    s->entities.list = s->list;
    s->entities.count++;
    s->map.entities = &s->entities;
}

static void tear_down(stage *s) {
    free(s->list);
    free(s->leaves);
    bsp_map_free(s->loaded);
    bsp_file_close(s->file);
}

typedef struct shot {
    bsp_image image;
    bsp_draw_stats stats;
} shot;

static shot take(const bsp_map *map, const bsp_file *file, const bsp_scene_state *state,
                 const bsp_view *view) {
    bsp_error error = {0};
    shot out;
    const bsp_renderer_options options = {.state = state, .no_props = true};
    bsp_renderer *renderer = bsp_renderer_build(map, file, &options, &error);
    assert_non_null(renderer);
    assert_true(bsp_renderer_draw(renderer, view, NULL, &out.image, &out.stats, &error));
    bsp_renderer_free(renderer);
    return out;
}

static bool same(const shot *a, const shot *b) {
    size_t size = (size_t)a->image.width * a->image.height * 4;
    return memcmp(a->image.pixels, b->image.pixels, size) == 0;
}

static void pictures_end_at_shut_portals(void **unused) {
    (void)unused;
    stage s;
    set_up(&s);
    const bsp_view view = {
        .width = 160, .height = 120, .from = {336, 200, 48}, .angles = {0, 270, 0}};
    const bsp_scene_portal shut = {KEY, false};
    const bsp_scene_portal opened = {KEY, true};
    const bsp_scene_state states[] = {
        {.open = false},
        {.open = false, .areas = true},
        {.open = true},
        {.open = true, .areas = true},
        {.open = true, .areas = true, .portals = &shut, .num_portals = 1},
        {.open = false, .areas = true, .portals = &opened, .num_portals = 1},
        {.open = true, .portals = &shut, .num_portals = 1}, // areas do not count
    };
    shot shots[7];
    for (size_t i = 0; i < 7; i++) {
        shots[i] = take(&s.map, s.file, &states[i], &view);
    }
    // The shut door hides all that the shut portal does.
    assert_true(same(&shots[0], &shots[1]));
    assert_true(shots[1].stats.leaves_seen < shots[0].stats.leaves_seen);
    assert_true(shots[1].stats.faces_in_view < shots[0].stats.faces_in_view);
    // Its portal opens with the door, unless it is said to be shut.
    assert_false(same(&shots[0], &shots[2]));
    assert_true(same(&shots[2], &shots[3]));
    assert_int_equal(shots[3].stats.leaves_seen, shots[0].stats.leaves_seen);
    assert_false(same(&shots[2], &shots[4]));
    assert_int_equal(shots[4].stats.leaves_seen, shots[1].stats.leaves_seen);
    assert_true(same(&shots[0], &shots[5]));
    assert_int_equal(shots[5].stats.leaves_seen, shots[0].stats.leaves_seen);
    assert_true(same(&shots[2], &shots[6]));
    for (size_t i = 0; i < 7; i++) {
        bsp_image_free(&shots[i].image);
    }
    tear_down(&s);
}

// Brush models are left out where all leaves that they touch are: the button beyond the door at
// (436 -8 -8) is, the door itself is not.
static void models_end_at_shut_portals(void **unused) {
    (void)unused;
    stage s;
    set_up(&s);
    bsp_error error = {0};
    const bsp_view view = {
        .width = 64, .height = 64, .from = {336, 200, 48}, .angles = {0, 270, 0}};
    const bsp_scene_state state = {.areas = true};
    uint32_t seen[2];
    bsp_map map = s.map;
    map.num_leaf_faces = 0; // only what no leaf lists is left
    for (int areas = 0; areas < 2; areas++) {
        const bsp_renderer_options options = {.state = areas ? &state : NULL, .no_props = true};
        bsp_renderer *renderer = bsp_renderer_build(&map, s.file, &options, &error);
        assert_non_null(renderer);
        bsp_image image;
        bsp_draw_stats stats;
        assert_true(bsp_renderer_draw(renderer, &view, NULL, &image, &stats, &error));
        seen[areas] = stats.faces_in_view;
        bsp_image_free(&image);
        bsp_renderer_free(renderer);
    }
    assert_true(seen[1] < seen[0] && seen[1] > 0);
    tear_down(&s);
}

// Leaves of clusters that are visible, in areas that can be reached from the eye's: by sweeps over
// the portals until nothing changes.
static uint32_t count_by_hand(const bsp_map *map, const bsp_area_links *links, const bool *open,
                              const float eye[3]) {
    uint32_t own = map->leaves[bsp_query_leaf(map, eye)].area;
    uint32_t cluster = bsp_query_cluster(map, eye);
    bool *reached = calloc((size_t)links->num_areas + 1, sizeof *reached);
    uint8_t *row = calloc((size_t)map->visibility.row_bytes + 1, 1);
    uint32_t count = 0;
    reached[own] = true;
    for (uint32_t round = 0; round <= links->num_areas; round++) {
        for (uint32_t i = 0; i < links->count; i++) {
            const uint32_t *ends = links->list[i].areas;
            bool any = open[i] && (reached[ends[0]] || reached[ends[1]]);
            reached[ends[0]] |= any;
            reached[ends[1]] |= any;
        }
    }
    bsp_map_visible(map, cluster, false, row);
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        uint32_t c = map->leaves[i].cluster;
        bool visible = c < map->visibility.num_clusters && (row[c / 8] >> c % 8 & 1) != 0;
        count += visible && reached[map->leaves[i].area];
    }
    free(row);
    free(reached);
    return count;
}

static void check_states(const bsp_map *map, const bsp_file *file, const bsp_area_links *links,
                         const bsp_view *view) {
    bool open[64];
    bsp_scene_portal list[64];
    assert_true(links->count <= 64);
    for (uint32_t turn = 0; turn <= links->count + 1; turn++) { // all shut, each one open, all
        for (uint32_t i = 0; i < links->count; i++) {
            open[i] = turn == links->count + 1 || turn == i + 1;
            list[i] = (bsp_scene_portal){links->list[i].key, open[i]};
        }
        const bsp_scene_state state = {.areas = true, .portals = list, .num_portals = links->count};
        shot one = take(map, file, &state, view);
        assert_int_equal(one.stats.leaves_seen, count_by_hand(map, links, open, view->from));
        bsp_image_free(&one.image);
    }
}

static void real_maps(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
    } rows[] = {{"named/pcollab_26.bsp"}, {"quake2/q2_38/mission64__maps__u1m1.bsp"}};
    bool any = false;
    for (size_t i = 0; corpus_folder() != NULL && i < sizeof rows / sizeof *rows; i++) {
        char path[600];
        bsp_error error = {0};
        snprintf(path, sizeof path, "%s/%s", corpus_folder(), rows[i].name);
        bsp_file *file = bsp_file_open(path, NULL, &error);
        bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
        bsp_area_links *links = map == NULL ? NULL : bsp_area_links_find(map, NULL, &error);
        if (links != NULL) {
            bsp_view view = {.width = 16, .height = 16};
            bsp_view_start(map, &view);
            assert_true(links->count > 1 && bsp_query_cluster(map, view.from) != BSP_NONE);
            check_states(map, file, links, &view);
            any = true;
        }
        bsp_area_links_free(links);
        bsp_map_free(map);
        bsp_file_close(file);
    }
    if (!any) {
        print_message("no shared maps: skipped\n");
        skip();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_end_at_shut_portals),
        cmocka_unit_test(models_end_at_shut_portals),
        cmocka_unit_test(real_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
