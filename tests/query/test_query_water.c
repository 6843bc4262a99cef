// SPDX-License-Identifier: MIT
// Liquids, fog and cubemaps at points: of the samples, whose sources say where they are; against
// bsp_query_contents up and down the column of random points of every map; entities of known facts.
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

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- columns -------------------------------------------------------------------------------------

#define POINTS 3000u
#define STEP 0.75F
#define MOST 4000 // steps
#define NEAR 0.1F // of an end: two planes that meet there are rounded

static bool is_wet(const bsp_map *map, const float point[3]) {
    static const char *const names[] = {"water", "slime", "lava"};
    int32_t contents = bsp_query_contents(map, 0, point);
    if (map->traits->contents_numbers) {
        return (contents <= -3 && contents >= -5) || (contents <= -9 && contents >= -14);
    }
    bool wet = false;
    for (int i = 0; i < 3; i++) {
        wet |= ((uint32_t)contents & bsp_query_flag(map->branch, bsp_text_of(names[i]))) != 0;
    }
    return wet;
}

static bool wet_at(const bsp_map *map, const float point[3], float z) {
    const float at[3] = {point[0], point[1], z};
    return is_wet(map, at);
}

static void check_column(const each_map *m, const float point[3], const bsp_water *water) {
    int steps = 0;
    const bsp_model *world = &m->map->models[0];
    if (water->volume == BSP_NONE && water->surface < world->maxs[2]) {
        for (float z = point[2]; z < water->surface - NEAR && steps++ < MOST; z += STEP) {
            if (!wet_at(m->map, point, z)) {
                fail_msg("%s: %g %g %g: dry at %g, below the surface %g", m->name, (double)point[0],
                         (double)point[1], (double)point[2], (double)z, (double)water->surface);
            }
        }
        assert_false(wet_at(m->map, point, water->surface + NEAR));
    }
    steps = 0;
    for (float z = point[2]; z > water->bottom + NEAR && steps++ < MOST; z -= STEP) {
        assert_true(wet_at(m->map, point, z));
    }
    if (water->bottom > world->mins[2]) {
        assert_false(wet_at(m->map, point, water->bottom - NEAR));
    }
    assert_true(fabsf(water->depth - (water->surface - point[2])) < 0.01F);
}

static void check_map(const each_map *m, void *user) {
    const bsp_map *map = m->map;
    unsigned *wet = user;
    test_random random = {1969};
    for (unsigned i = 0; i < test_effort(POINTS) && map->num_models != 0; i++) {
        float point[3];
        bsp_water water;
        for (int k = 0; k < 3; k++) {
            float size = map->models[0].maxs[k] - map->models[0].mins[k];
            point[k] = map->models[0].mins[k] + (float)random_below(&random, 8192) / 8192 * size;
        }
        bool found = bsp_query_water(map, point, &water);
        assert_int_equal(found, is_wet(map, point));
        if (found) {
            check_column(m, point, &water);
            ++*wet;
        }
    }
}

static void test_columns(void **state) {
    unsigned wet = 0;
    (void)state;
    unsigned corpus = each_map_do_some(test_step(8), check_map, &wet);
    assert_true(wet > (corpus == 0 ? 20U : 200U) || test_effort(20) == 1);
}

// --- fog -----------------------------------------------------------------------------------------

static bool fog_of(const char *branch, const char *text, bsp_fog_here *out) {
    static const float here[3] = {36, 0, 48}; // in the room's second model
    room *r = room_build(bsp_branch_find(branch));
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(entities);
    r->map.entities = entities;
    r->map.num_fogs = 0;
    bool found = bsp_query_fog(&r->map, here, out);
    bsp_entities_free(entities);
    room_free(r);
    return found;
}

#define CONTROLLER(name, rest)                                                                     \
    "{\"classname\" \"env_fog_controller\" \"targetname\" \"" name "\" \"fogenable\" \"1\" "       \
    "\"fogcolor\" \"255 0 51\" \"fogstart\" \"100\" \"fogend\" \"2000\" " rest "}"

static void test_fog_entities(void **state) {
    bsp_fog_here fog;
    (void)state;
    assert_false(fog_of("source_20", "{\"classname\" \"worldspawn\"}", &fog));
    assert_int_equal(fog.kind, BSP_FOG_NONE);
    assert_true(fog_of("source_20",
                       CONTROLLER("a", "") CONTROLLER("b", "\"spawnflags\" \"1\" "
                                                           "\"fogmaxdensity\" \"0.5\""),
                       &fog));
    assert_int_equal(fog.kind, BSP_FOG_RANGE);
    assert_int_equal(fog.entity, 1); // the master
    assert_true(fog.start == 100 && fog.end == 2000 && fog.max_density == 0.5F);
    assert_true(fog.color[0] == 1 && fog.color[1] == 0 && fabsf(fog.color[2] - 0.2F) < 1e-6F);
    assert_true(fog_of("source_20",
                       CONTROLLER("a", "")
                           CONTROLLER("b", "") "{\"classname\" \"fog_volume\" "
                                               "\"model\" \"*1\" \"FogName\" \"b\"}",
                       &fog));
    assert_int_equal(fog.entity, 1); // the one of the volume
    assert_true(fog_of("source_20",
                       CONTROLLER("a", "") CONTROLLER(
                           "b", "") "{\"classname\" \"fog_volume\" \"origin\" \"100 0 0\" "
                                    "\"model\" \"*1\" \"FogName\" \"b\"}",
                       &fog));
    assert_int_equal(fog.entity, 0); // the point is not in the volume: the first
    assert_true(fog_of("quake", "{\"classname\" \"worldspawn\" \"fog\" \"0.05 0.5 1  0\"}", &fog));
    assert_int_equal(fog.kind, BSP_FOG_DENSITY);
    assert_true(fog.density == 0.05F && fog.color[0] == 0.5F && fog.color[1] == 1);
    assert_false(fog_of("quake", "{\"classname\" \"worldspawn\" \"fog\" \"0.05 0.5\"}", &fog));
    assert_true(fog_of("goldsrc",
                       "{\"classname\" \"worldspawn\"}{\"classname\" \"env_fog\" \"density\" "
                       "\"0.001\" \"rendercolor\" \"51 0 255\"}",
                       &fog));
    assert_int_equal(fog.entity, 1);
    assert_true(fabsf(fog.color[0] - 0.2F) < 1e-6F && fog.color[2] == 1);
}

// The room of Quake 3 has six brushes around it, and one that is its door.
static void test_fog_volume(void **state) {
    static const float inside[3] = {36, 0, 48};
    static const float outside[3] = {0, 0, 48};
    bsp_fog_here fog;
    (void)state;
    room *r = room_build(bsp_branch_find("quake3"));
    bsp_fog fogs[2] = {{.name = "haze", .brush = BSP_NONE}, {.name = "mist"}};
    for (fogs[1].brush = 0; fogs[1].brush < r->map.num_brushes; fogs[1].brush++) {
        if (r->map.models[1].first_brush == fogs[1].brush) {
            break;
        }
    }
    r->map.fogs = &fogs[1];
    r->map.num_fogs = 1;
    assert_true(bsp_query_fog(&r->map, inside, &fog));
    assert_int_equal(fog.kind, BSP_FOG_VOLUME);
    assert_int_equal(fog.fog, 0);
    assert_false(bsp_query_fog(&r->map, outside, &fog));
    r->map.fogs = fogs;
    r->map.num_fogs = 2;
    assert_true(bsp_query_fog(&r->map, inside, &fog));
    assert_int_equal(fog.fog, 1);
    assert_true(bsp_query_fog(&r->map, outside, &fog));
    assert_int_equal(fog.fog, 0); // that of the whole map
    room_free(r);
}

// --- cubemaps ------------------------------------------------------------------------------------

static void test_cubemap(void **state) {
    static const bsp_cubemap cubemaps[] = {
        {.origin = {0, 0, 0}}, {.origin = {100, 0, 0}}, {.origin = {100, 0, 0}}};
    (void)state;
    bsp_map map = {.cubemaps = cubemaps, .num_cubemaps = 3};
    assert_int_equal(bsp_query_cubemap(&map, (const float[]){49, 30, -7}), 0);
    assert_int_equal(bsp_query_cubemap(&map, (const float[]){51, 30, -7}), 1);
    map.num_cubemaps = 0;
    assert_int_equal(bsp_query_cubemap(&map, (const float[]){51, 30, -7}), BSP_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_fog_entities),
        cmocka_unit_test(test_fog_volume),
        cmocka_unit_test(test_cubemap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
