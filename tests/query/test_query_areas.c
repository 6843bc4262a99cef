// SPDX-License-Identifier: MIT
// The ways between areas: who owns and opens them in small maps of known facts; floods against the
// closure of the relation; what is reached against every leaf; the corpus against plain rules.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"
#include "support/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- who opens them ------------------------------------------------------------------------------

// Three areas in a row: portal 7 between 1 and 2, portal 9 between 2 and 3.
static const bsp_area areas[] = {{0, 0}, {1, 0}, {2, 1}, {1, 3}};
static const bsp_area_portal portals[] = {
    {.key = 7, .other_area = 2, .plane = BSP_NONE},
    {.key = 7, .other_area = 1, .plane = BSP_NONE},
    {.key = 9, .other_area = 3, .plane = BSP_NONE},
    {.key = 9, .other_area = 2, .plane = BSP_NONE},
};

typedef struct small {
    bsp_map map;
    bsp_entities *entities;
    bsp_area_links *links;
} small;

static void small_begin(small *s, const char *branch, const char *text) {
    memset(s, 0, sizeof *s);
    s->map.branch = bsp_branch_find(branch);
    assert_non_null(s->map.branch);
    s->map.traits = bsp_branch_traits(s->map.branch);
    s->map.areas = areas;
    s->map.num_areas = 4;
    s->map.area_portals = portals;
    s->map.num_area_portals = 4;
    s->entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(s->entities);
    s->map.entities = s->entities;
    s->links = bsp_area_links_find(&s->map, NULL, NULL);
    assert_non_null(s->links);
}

static void small_end(small *s) {
    bsp_area_links_free(s->links);
    bsp_entities_free(s->entities);
}

static void assert_link(const small *s, uint32_t number, uint32_t key, uint32_t entity, bool open,
                        uint32_t num_openers, uint32_t opener) {
    const bsp_area_link *link = &s->links->list[number];
    assert_true(number < s->links->count);
    assert_int_equal(link->key, key);
    assert_int_equal(link->areas[0], number + 1);
    assert_int_equal(link->areas[1], number + 2);
    assert_int_equal(link->entity, entity);
    assert_int_equal(link->open, open);
    assert_int_equal(link->num_openers, num_openers);
    if (num_openers != 0) {
        assert_int_equal(s->links->openers[link->first_opener], opener);
    }
}

static void test_quake2(void **state) {
    (void)state;
    small s;
    small_begin(&s, "quake2",
                "{\"classname\" \"worldspawn\"}\n"
                "{\"classname\" \"func_areaportal\" \"targetname\" \"a\" \"style\" \"7\"}\n"
                "{\"classname\" \"func_door\" \"target\" \"a\" \"targetname\" \"d\"}\n"
                "{\"classname\" \"trigger_relay\" \"target\" \"d\"}\n");
    assert_int_equal(s.links->count, 2);
    assert_int_equal(s.links->num_areas, 4);
    assert_link(&s, 0, 7, 1, false, 1, 2);
    assert_link(&s, 1, 9, BSP_NONE, false, 0, 0);
    small_end(&s);
}

static void test_source(void **state) {
    (void)state;
    small s;
    small_begin(
        &s, "source_20",
        "{\"classname\" \"worldspawn\"}\n"
        "{\"classname\" \"func_areaportal\" \"targetname\" \"Gate\" \"portalnumber\" \"9\"}\n"
        "{\"classname\" \"logic_auto\" \"OnMapSpawn\" \"gate,Close,,0,-1\"}\n"
        "{\"classname\" \"logic_auto\" \"OnMapSpawn\" \"gates,Close,,0,-1\"}\n"
        "{\"classname\" \"logic_auto\" \"OnMapSpawn\" \"ga*\x1B"
        "Close\x1B\x1B"
        "0\"}\n");
    assert_link(&s, 0, 7, BSP_NONE, false, 0, 0);
    assert_link(&s, 1, 9, 1, true, 2, 2); // no StartOpen: open
    assert_int_equal(s.links->openers[s.links->list[1].first_opener + 1], 4);
    small_end(&s);
}

// Doors: the state at the beginning is theirs, whatever StartOpen says.
static void test_source_doors(void **state) {
    static const struct {
        const char *portal;
        const char *door;
        bool open;
    } rows[] = {
        {"\"StartOpen\" \"1\"", "\"classname\" \"func_door\"", false},
        {"\"StartOpen\" \"0\"", "\"classname\" \"func_door\" \"spawnpos\" \"1\"", true},
        {"\"StartOpen\" \"0\"", "\"classname\" \"func_door_rotating\" \"spawnflags\" \"1\"", true},
        {"\"StartOpen\" \"0\"", "\"classname\" \"prop_door_rotating\" \"spawnpos\" \"2\"", true},
        {"\"StartOpen\" \"1\"", "\"classname\" \"prop_door_rotating\" \"spawnflags\" \"1\"", false},
        {"\"StartOpen\" \"1\"", "\"classname\" \"func_button\"", true}, // no door
        {"\"StartOpen\" \"0\"", "\"classname\" \"func_button\"", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        small s;
        snprintf(text, sizeof text,
                 "{\"classname\" \"worldspawn\"}{\"targetname\" \"d\" %s}"
                 "{\"classname\" \"func_areaportal\" \"target\" \"D\" \"portalnumber\" \"7\" %s}",
                 rows[i].door, rows[i].portal);
        small_begin(&s, "source_20", text);
        assert_int_equal(s.links->list[0].open, rows[i].open);
        assert_int_equal(s.links->list[0].num_openers, i < 5 ? 1 : 0);
        small_end(&s);
    }
}

static void test_none(void **state) {
    (void)state;
    small s;
    small_begin(&s, "goldsrc", "{\"classname\" \"func_areaportal\" \"style\" \"7\"}");
    assert_int_equal(s.links->count, 0);
    assert_int_equal(s.links->num_areas, 0);
    small_end(&s);
}

// The room of Quake 3 is cut at x = 0; its door is moved there by an origin, or not.
static void test_quake3(void **state) {
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        room *r = room_build(bsp_branch_find("quake3"));
        size_t count;
        const room_point *points = room_points(&count);
        for (uint32_t i = 0; i < r->map.num_leaves; i++) {
            r->leaves[i].area = BSP_NONE;
        }
        for (size_t i = 0; i < count; i++) {
            bool inside = bsp_query_cluster(&r->map, points[i].point) != BSP_NONE;
            r->leaves[points[i].leaf].area = !inside ? BSP_NONE : points[i].point[0] > 0 ? 0 : 1;
        }
        bsp_entities *entities = bsp_entities_parse(
            bsp_text_of(moved ? "{\"classname\" \"worldspawn\"}{\"classname\" \"func_door\" "
                                "\"model\" \"*1\" \"origin\" \"-36 0 0\"}"
                              : "{\"classname\" \"worldspawn\"}{\"classname\" \"func_door\" "
                                "\"model\" \"*1\"}"),
            NULL, NULL, NULL);
        r->map.entities = entities;
        bsp_area_links *links = bsp_area_links_find(&r->map, NULL, NULL);
        assert_non_null(links);
        assert_int_equal(links->num_areas, 2);
        assert_int_equal(links->count, moved);
        if (moved) {
            assert_int_equal(links->list[0].key, 1);
            assert_int_equal(links->list[0].entity, 1);
            assert_int_equal(links->list[0].areas[0] + links->list[0].areas[1], 1);
            assert_false(links->list[0].open);
        }
        bsp_area_links_free(links);
        bsp_entities_free(entities);
        room_free(r);
    }
}

// --- floods --------------------------------------------------------------------------------------

enum { AREAS = 24 };

static void test_flood(void **state) {
    (void)state;
    test_random random = {20};
    for (int round = 0; round < 200; round++) {
        bsp_area_link list[AREAS];
        bool open[AREAS];
        bool joined[AREAS][AREAS] = {{false}};
        uint32_t groups[AREAS];
        uint32_t count = (uint32_t)random_below(&random, AREAS);
        for (uint32_t i = 0; i < count; i++) {
            list[i] = (bsp_area_link){.areas = {(uint32_t)random_below(&random, AREAS),
                                                (uint32_t)random_below(&random, AREAS)},
                                      .open = random_below(&random, 2) == 0};
            open[i] = round % 2 == 0 ? list[i].open : random_below(&random, 3) != 0;
            joined[list[i].areas[0]][list[i].areas[1]] |= open[i];
            joined[list[i].areas[1]][list[i].areas[0]] |= open[i];
        }
        for (int via = 0; via < AREAS; via++) {
            joined[via][via] = true;
            for (int a = 0; a < AREAS * AREAS; a++) {
                joined[a / AREAS][a % AREAS] |= joined[a / AREAS][via] && joined[via][a % AREAS];
            }
        }
        bsp_area_links links = {.list = list, .count = count, .num_areas = AREAS};
        uint32_t number = bsp_area_links_flood(&links, round % 2 == 0 ? NULL : open, groups);
        for (int a = 0; a < AREAS * AREAS; a++) {
            assert_int_equal(groups[a / AREAS] == groups[a % AREAS], joined[a / AREAS][a % AREAS]);
            assert_in_range(groups[a / AREAS], 1, number);
        }
    }
}

// --- maps ----------------------------------------------------------------------------------------

// A cluster is reached exactly if one of its leaves is in an area of the group, and with all open
// no portal shuts anything off.
static void check_reach(const each_map *m, void *user) {
    const bsp_map *map = m->map;
    unsigned *with_links = user;
    bsp_area_links *links = bsp_area_links_find(map, NULL, NULL);
    assert_non_null(links);
    uint32_t *groups = calloc((size_t)links->num_areas + 1, sizeof *groups);
    uint8_t *row = calloc((size_t)map->visibility.row_bytes + 1, 1);
    assert_true(groups != NULL && row != NULL);
    uint32_t number = bsp_area_links_flood(links, NULL, groups);
    assert_true(number <= links->num_areas);
    *with_links += links->count != 0 ? 1 : 0;
    for (uint32_t a = 0; a < links->num_areas && a < 20; a++) {
        bsp_area_links_reach(map, links, groups, a, row);
        for (uint32_t c = 0; c < map->visibility.num_clusters; c += 1 + c / 16) {
            bool reached = false;
            for (uint32_t i = 0; i < map->num_leaves; i++) {
                uint32_t area = map->leaves[i].area;
                reached |= map->leaves[i].cluster == c && area < links->num_areas &&
                           groups[area] == groups[a];
            }
            assert_int_equal((row[c / 8] >> c % 8 & 1) != 0, reached);
        }
    }
    for (uint32_t i = 0; i < links->count; i++) {
        const bsp_area_link *link = &links->list[i];
        assert_true(link->entity == BSP_NONE || link->entity < map->entities->count);
        assert_true(link->first_opener + (uint64_t)link->num_openers <= links->num_openers);
        assert_true(link->areas[0] < links->num_areas && link->areas[1] < links->num_areas);
    }
    free(groups);
    free(row);
    bsp_area_links_free(links);
}

static void test_maps(void **state) {
    unsigned with_links = 0;
    (void)state;
    unsigned corpus = each_map_do_some(test_step(4), check_reach, &with_links);
    assert_true(corpus == 0 || with_links != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quake2),       cmocka_unit_test(test_source),
        cmocka_unit_test(test_source_doors), cmocka_unit_test(test_none),
        cmocka_unit_test(test_quake3),       cmocka_unit_test(test_flood),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
