// SPDX-License-Identifier: MIT
// Props of a scene: an MD2 that is written here byte by byte, shown by entities whose keys are set
// by a state, stands, is turned and scaled as worked out by hand. On maps of OpenArena (needs the
// shared models; skipped without) the items are as many, of as many models, as another program
// counted.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 1e-4F
#define MD2_SIZE (68 + 64 + 12 + 12 + 40 + 12)
#define NAME "models/a/tris.md2"

static uint8_t *put32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        *p++ = (uint8_t)(value >> 8 * i);
    }
    return p;
}

static uint8_t *put16(uint8_t *p, uint32_t value) {
    *p++ = (uint8_t)value;
    *p++ = (uint8_t)(value >> 8);
    return p;
}

static uint8_t *put_float(uint8_t *p, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put32(p, bits);
}

// One triangle (0 0 0), (2 0 0), (0 4 0) in one frame, with one skin.
static void write_md2(uint8_t *p) {
    const uint32_t head[] = {8, 64, 64, 52, 1, 3, 3, 1, 0, 1, 68, 132, 144, 156, 208, 208};
    const uint8_t vertices[] = {0, 0, 0, 5, 1, 0, 0, 5, 0, 2, 0, 5};
    memset(p, 0, MD2_SIZE);
    memcpy(p, "IDP2", 4);
    uint8_t *at = p + 4;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        at = put32(at, head[i]);
    }
    strcpy((char *)p + 68, "models/a/skin.pcx");
    at = p + 144; // coordinates are all 0
    for (uint32_t i = 0; i < 6; i++) {
        at = put16(at, i % 3);
    }
    for (int i = 0; i < 3; i++) {
        at = put_float(at, 2);
    }
    at += 12 + 16;
    memcpy(at, vertices, sizeof vertices);
}

#define PAK_SIZE (12 + MD2_SIZE + 2 * 64)

// A PAK with that one file under two names: the second is that of the sample's static props.
static size_t write_pak(uint8_t *p) {
    static const char *const names[] = {NAME, "models/lobby/urn.mdl"};
    memset(p, 0, PAK_SIZE);
    memcpy(p, "PACK", 4);
    put32(put32(p + 4, 12 + MD2_SIZE), 2 * 64);
    write_md2(p + 12);
    for (size_t i = 0; i < 2; i++) {
        uint8_t *entry = p + 12 + MD2_SIZE + i * 64;
        strcpy((char *)entry, names[i]);
        put32(put32(entry + 56, 12), MD2_SIZE);
    }
    return PAK_SIZE;
}

typedef struct stage {
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
    bsp_textures *textures;
    uint8_t pak[PAK_SIZE];
} stage;

static void set_up(stage *s, const char *path, const char *game) {
    bsp_error error;
    bsp_search_options options = {0};
    s->file = bsp_file_open(path, NULL, &error);
    assert_non_null(s->file);
    s->map = bsp_map_load(s->file, NULL, &error);
    s->search = bsp_search_new(&options, &error);
    assert_true(s->map != NULL && s->search != NULL);
    if (game != NULL) {
        assert_true(bsp_search_add_game(s->search, game, &error));
    } else {
        const bsp_bytes pak = {s->pak, write_pak(s->pak)};
        assert_true(bsp_search_add_memory(s->search, "pak", pak, &error));
    }
    s->textures = bsp_textures_open(s->search, s->map, NULL, &error);
    assert_non_null(s->textures);
}

static void tear_down(stage *s) {
    bsp_textures_close(s->textures);
    bsp_search_free(s->search);
    bsp_map_free(s->map);
    bsp_file_close(s->file);
}

static bsp_scene *build(const stage *s, const bsp_scene_state *state,
                        const bsp_definitions *definitions) {
    bsp_error error;
    const bsp_scene_options options = {.file = s->file,
                                       .textures = s->textures,
                                       .props = true,
                                       .state = state,
                                       .definitions = definitions};
    bsp_scene *scene = bsp_scene_build(s->map, &options, &error);
    assert_non_null(scene);
    return scene;
}

static void point_of(const bsp_scene *scene, const bsp_scene_prop *prop, uint32_t vertex,
                     float out[3]) {
    const float *p = scene->models[prop->model].mesh->vertices[vertex].position;
    for (int i = 0; i < 3; i++) {
        const float *row = prop->place[i];
        out[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
    }
}

// Whether a corner of the triangle stands there.
static bool stands_at(const bsp_scene *scene, const bsp_scene_prop *prop, float x, float y,
                      float z) {
    const bsp_model_mesh *mesh = scene->models[prop->model].mesh;
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        float p[3];
        point_of(scene, prop, v, p);
        if (fabsf(p[0] - x) < NEAR && fabsf(p[1] - y) < NEAR && fabsf(p[2] - z) < NEAR) {
            return true;
        }
    }
    return false;
}

#define KEY(entity, key, text)                                                                     \
    {                                                                                              \
        (entity), (key), {                                                                         \
            (text), sizeof(text) - 1                                                               \
        }                                                                                          \
    }

static void stands_as_keys_say(void **state) {
    (void)state;
    stage s;
    set_up(&s, BSP_TEST_SAMPLES "/quake2/lobby.bsp", NULL);
    const bsp_scene_key keys[] = {
        KEY(1, "classname", "model_thing"),
        KEY(1, "model", "models\\A\\tris.md2"),
        KEY(1, "origin", "10 20 30"),
        KEY(1, "angles", "0 90 0"),
        KEY(1, "scale", "3"),
        KEY(2, "classname", "by_definition"),
        KEY(2, "origin", "1 2 3"),
        KEY(2, "angles", "0 0 90"),
        KEY(2, "model", ""),
        KEY(2, "effects", "32"),
        KEY(3, "classname", "item_quad"),
    };
    const bsp_scene_state moment = {.keys = keys, .num_keys = sizeof keys / sizeof *keys};
    bsp_error error;
    bsp_definitions *d = bsp_definitions_new(NULL, &error);
    const char text[] = "@PointClass model(\":" NAME "\") = by_definition []";
    assert_true(bsp_definitions_add(d, bsp_text_of(text), "test", NULL, &error));
    bsp_scene *scene = build(&s, &moment, d);
    assert_int_equal(scene->num_props, 2);
    assert_int_equal(scene->num_models, 2); // the same file under two names
    const bsp_scene_prop *a = &scene->props[0];
    assert_int_equal(a->number, 1);
    assert_true(a->shown);
    // Yaw 90: x becomes y, y becomes -x; all three times as large.
    assert_true(stands_at(scene, a, 10, 20, 30));
    assert_true(stands_at(scene, a, 10, 20 + 2 * 3, 30));
    assert_true(stands_at(scene, a, 10 - 4 * 3, 20, 30));
    const bsp_scene_prop *b = &scene->props[1];
    // A roll of 90 takes left (y) up; this renderer turns models by -90, so it goes down.
    assert_true(stands_at(scene, b, 1, 2, 3 - 4));
    assert_false(b->shown); // effects 32
    // Its picture is not in the pak, and there is one material after those of the map.
    uint32_t material = scene->models[a->model].materials[0];
    assert_true(material >= s.map->num_materials && material < scene->num_materials);
    assert_true(scene->materials[material].used && !scene->materials[material].found);
    uint32_t quads = 0; // the map itself has items, too, and none of their models is there
    for (uint32_t i = 0; i < scene->num_missing; i++) {
        if (bsp_text_equal(scene->missing[i].name, bsp_text_of("models/items/quaddama/tris.md2"))) {
            quads += scene->missing[i].props;
        }
    }
    assert_int_equal(quads, 1);
    bsp_scene_free(scene);
    bsp_definitions_free(d);
    tear_down(&s);
}

// Quake's ammunition boxes are small maps; a mod's entity names one by its key.
static void maps_are_models(void **state) {
    (void)state;
    stage s;
    set_up(&s, BSP_TEST_SAMPLES "/quake/lobby.bsp", BSP_TEST_SAMPLES "/quake");
    const bsp_scene_key keys[] = {
        KEY(1, "classname", "misc_box"),
        KEY(1, "model", "lobby.bsp"),
        KEY(1, "origin", "10 20 30"),
    };
    const bsp_scene_state moment = {.keys = keys, .num_keys = sizeof keys / sizeof *keys};
    bsp_scene *scene = build(&s, &moment, NULL);
    assert_true(scene->num_props >= 1);
    assert_int_equal(scene->props[0].number, 1);
    assert_true(scene->models[scene->props[0].model].mesh->num_indices > 0);
    bsp_scene_free(scene);
    tear_down(&s);
}

#define MONSTER 0x2000000U

static const bsp_scene_prop *prop_of(const bsp_scene *scene, bsp_scene_prop_kind kind,
                                     uint32_t number) {
    for (uint32_t i = 0; i < scene->num_props; i++) {
        if (scene->props[i].kind == kind && scene->props[i].number == number) {
            return &scene->props[i];
        }
    }
    fail_msg("no prop of %u", (unsigned)number);
    return NULL;
}

static void check_solid(const bsp_scene *scene, uint32_t entity, uint32_t solid, uint32_t contents,
                        uint32_t needs) {
    const bsp_scene_prop *prop = prop_of(scene, BSP_PROP_ENTITY, entity);
    assert_int_equal(prop->solid, solid);
    assert_int_equal(prop->contents, contents);
    assert_int_equal(prop->needs, needs);
}

static void check_box(const bsp_scene_prop *prop, float x, float y, float z, float far_x,
                      float far_y, float far_z) {
    const float want[6] = {x, y, z, far_x, far_y, far_z};
    for (int i = 0; i < 6; i++) {
        assert_true(fabsf(prop->solid_box[i / 3][i % 3] - want[i]) < 1e-3F);
    }
}

// Source: by class and key; entities are met by masks with "monster" only (StandardFilterRules).
// The box of an entity is not turned, that of a static prop is the one around its turned model.
static void solid_in_source(void **state) {
    (void)state;
    stage s;
    set_up(&s, BSP_TEST_SAMPLES "/source/lobby.bsp", NULL);
    const bsp_scene_key keys[] = {
        KEY(1, "classname", "prop_dynamic_override"),
        KEY(1, "model", NAME),
        KEY(1, "solid", "6"),
        KEY(2, "classname", "prop_dynamic"),
        KEY(2, "model", NAME),
        KEY(2, "solid", "2"),
        KEY(2, "origin", "10 20 30"),
        KEY(2, "angles", "0 90 0"),
        KEY(3, "classname", "prop_dynamic"), // without the key: not solid
        KEY(3, "model", NAME),
        KEY(4, "classname", "prop_physics_multiplayer"),
        KEY(4, "model", NAME),
        KEY(4, "solid", "0"), // which this class does not read
        KEY(5, "classname", "prop_physics"),
        KEY(5, "model", NAME),
        KEY(5, "rendermode", "2"),
        KEY(6, "classname", "item_battery"),
        KEY(6, "model", NAME),
        KEY(6, "solid", "6"),
        KEY(7, "classname", "npc_citizen"),
        KEY(7, "model", NAME),
    };
    const bsp_scene_state moment = {.keys = keys, .num_keys = sizeof keys / sizeof *keys};
    ((bsp_static_prop *)(uintptr_t)s.map->static_props)[0].solid = 2;
    bsp_scene *scene = build(&s, &moment, NULL);
    check_solid(scene, 1, 6, 1, MONSTER);
    check_solid(scene, 2, 2, 1, MONSTER);
    check_box(prop_of(scene, BSP_PROP_ENTITY, 2), 10, 20, 30, 12, 24, 30);
    check_solid(scene, 3, 0, 0, 0);
    check_solid(scene, 4, 6, 1, MONSTER);
    check_solid(scene, 5, 6, 1, MONSTER | 2); // it is seen through: "window" too
    check_solid(scene, 6, 0, 0, 0);
    check_solid(scene, 7, 2, MONSTER, MONSTER);
    const bsp_scene_prop *urn = prop_of(scene, BSP_PROP_STATIC, 0);
    assert_true(urn->solid == 2 && urn->contents == 1 && urn->needs == 0);
    const float half = sqrtf(0.5F); // at 232 232 0, turned by 45 degrees
    check_box(urn, 232 - 4 * half, 232, 0, 232 + 2 * half, 232 + 6 * half, 0);
    assert_int_equal(prop_of(scene, BSP_PROP_STATIC, 1)->solid, 6);
    // The model has no hulls, so those of 6 are not met: two boxes and the one of the npc are.
    bsp_error error;
    bsp_solids *solids = bsp_solids_new(scene, NULL, NULL, &error);
    assert_int_equal(bsp_solids_count(solids), 3);
    bsp_solids_free(solids);
    bsp_scene_free(scene);
    tear_down(&s);
}

// Quake 2's boxes are "monster" to every mask, and items are triggers.
static void solid_in_quake2(void **state) {
    (void)state;
    stage s;
    set_up(&s, BSP_TEST_SAMPLES "/quake2/lobby.bsp", NULL);
    const bsp_scene_key keys[] = {
        KEY(1, "classname", "misc_explobox"),
        KEY(1, "model", NAME),
        KEY(1, "origin", "10 20 30"),
        KEY(1, "angle", "45"),
        KEY(2, "classname", "item_quad"),
        KEY(2, "model", NAME),
        KEY(3, "classname", "monster_tank_commander"),
        KEY(3, "model", NAME),
        KEY(3, "origin", "0 0 0"),
    };
    const bsp_scene_state moment = {.keys = keys, .num_keys = sizeof keys / sizeof *keys};
    bsp_scene *scene = build(&s, &moment, NULL);
    check_solid(scene, 1, 2, MONSTER, 0);
    check_box(prop_of(scene, BSP_PROP_ENTITY, 1), -6, 4, 30, 26, 36, 70);
    check_solid(scene, 2, 0, 0, 0);
    check_solid(scene, 3, 2, MONSTER, 0);
    check_box(prop_of(scene, BSP_PROP_ENTITY, 3), -32, -32, -16, 32, 32, 72);
    bsp_scene_free(scene);
    tear_down(&s);
}

static bool count_pictures(void *user, uint32_t material, const bsp_scene_material *as,
                           bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    uint32_t *count = user;
    assert_true(as->used && material >= count[1] && texture != NULL && second != NULL);
    assert_non_null(error);
    count[0]++;
    return true;
}

// A scene of props alone has the same props, and materials of these alone if pictures are wanted.
static void props_alone(void **state) {
    (void)state;
    stage s;
    set_up(&s, BSP_TEST_SAMPLES "/source/lobby.bsp", NULL);
    bsp_error error;
    uint32_t count[2] = {0, s.map->num_materials};
    bsp_scene_options options = {
        .file = s.file, .textures = s.textures, .user = count, .props = true, .props_alone = true};
    bsp_scene *whole = build(&s, NULL, NULL);
    bsp_scene *alone = bsp_scene_build(s.map, &options, &error);
    assert_non_null(alone);
    assert_true(alone->num_props == whole->num_props && alone->num_props >= 2);
    assert_true(alone->mesh == NULL && alone->num_materials == 0 && alone->num_instances == 0);
    assert_memory_equal(alone->props, whole->props, whole->num_props * sizeof *whole->props);
    bsp_scene_free(alone);
    options.pictures = count_pictures;
    alone = bsp_scene_build(s.map, &options, &error);
    assert_non_null(alone);
    assert_true(count[0] == 1 && alone->mesh == NULL);
    assert_int_equal(alone->num_materials, whole->num_materials);
    bsp_scene_free(alone);
    bsp_scene_free(whole);
    tear_down(&s);
}

static void only_when_asked(void **state) {
    (void)state;
    stage s;
    set_up(&s, BSP_TEST_SAMPLES "/quake2/lobby.bsp", NULL);
    bsp_error error;
    const bsp_scene_options options = {.file = s.file, .textures = s.textures};
    bsp_scene *scene = bsp_scene_build(s.map, &options, &error);
    assert_int_equal(scene->num_props, 0);
    assert_int_equal(scene->num_materials, s.map->num_materials);
    bsp_scene_free(scene);
    tear_down(&s);
}

static void items_of_openarena(void **state) {
    (void)state;
    static const struct {
        const char *map;
        uint32_t items, models;
    } rows[] = {
        // ../shared/models/MAPCOVER.tsv
        {"openarena-081-maps__pak1-maps__maps__aggressor", 29, 15},
        {"openarena-081-maps__pak1-maps__maps__czest1tourney", 52, 15},
        {"openarena-081-maps__pak1-maps__maps__oa_bases5", 57, 19},
        {"openarena-oacmp1__z_oacmp-volume1-v3__maps__oacmpdm8", 60, 18},
    };
    char path[600], game[600];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FILE *there = NULL;
        if (corpus_folder() != NULL) {
            snprintf(path, sizeof path, "%s/quake3/q3_46/%s.bsp", corpus_folder(), rows[i].map);
            snprintf(game, sizeof game, "%s/../models/games/openarena", corpus_folder());
            there = fopen(path, "rb");
        }
        if (there == NULL) {
            print_message("no shared models: skipped\n");
            skip();
        }
        fclose(there);
        stage s;
        set_up(&s, path, game);
        bsp_scene *scene = build(&s, NULL, NULL);
        assert_int_equal(scene->num_props, rows[i].items);
        assert_int_equal(scene->num_models, rows[i].models);
        assert_int_equal(scene->num_missing, 0);
        bsp_scene_free(scene);
        tear_down(&s);
    }
}

// The light of prop 0 lies in the search path as sp_0.vhv: red tells the side of a vertex, green
// its corner. A prop without a file, or with the flag for no light of vertices, has none.
static void static_props_have_the_light_of_their_vertices(void **state) {
    (void)state;
    static const float up[3] = {0, 0, 1};
    bsp_error error;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
    assert_non_null(file);
    bsp_map *loaded = bsp_map_load(file, NULL, &error);
    assert_non_null(loaded);
    for (uint32_t round = 0; round < 2; round++) {
        const bsp_text name = bsp_text_of("models/props/crate.mdl");
        const bsp_static_prop props[2] = {{.scale = 1, .flags = round == 0 ? 0 : 0x40},
                                          {.scale = 1}};
        bsp_map map = *loaded;
        map.static_props = props;
        map.num_static_props = 2;
        map.static_prop_models = &name;
        map.num_static_prop_models = 1;
        bsp_search *search = bsp_search_new(NULL, &error);
        assert_true(bsp_search_add(search, BSP_TEST_SAMPLES "/models/source", &error));
        bsp_textures *textures = bsp_textures_open(search, &map, NULL, &error);
        const bsp_scene_options options = {.file = file, .textures = textures, .props = true};
        bsp_scene *scene = bsp_scene_build(&map, &options, &error);
        assert_non_null(scene);
        const bsp_scene_prop *first = &scene->props[scene->num_props - 2];
        assert_true(first->kind == BSP_PROP_STATIC && first->number == 0);
        assert_true((first->vertex_light != NULL) == (round == 0));
        assert_null(first[1].vertex_light);
        for (uint32_t v = 0; v < scene->models[first->model].mesh->num_vertices; v++) {
            float light[3];
            float other[3];
            bsp_scene_prop_vertex_light(scene, first, v, up, light);
            bsp_scene_prop_light(scene, first, up, other);
            for (int i = 0; i < 3; i++) {
                float stored = round == 0 ? (float)first->vertex_light[v][i] * 2 / 255 : other[i];
                assert_true(fabsf(light[i] - stored) < NEAR);
            }
        }
        bsp_scene_free(scene);
        bsp_textures_close(textures);
        bsp_search_free(search);
    }
    bsp_map_free(loaded);
    bsp_file_close(file);
}

// Entities name models that are not there, each in two frames: finding each in the list of those
// already listed is work, the second time as well.
static void missing_models_are_paid_for(void **state) {
    (void)state;
    enum { NAMES = 1000 };
    static char text[2 * NAMES * 96];
    size_t size = 0;
    for (int frame = 0; frame < 2; frame++) {
        for (int i = 0; i < NAMES; i++) {
            size += (size_t)snprintf(text + size, sizeof text - size,
                                     "{\"classname\" \"prop_dynamic\" \"model\" \"models/%d.mdl\" "
                                     "\"frame\" \"%d\"}\n",
                                     i, frame);
        }
    }
    stage s;
    set_up(&s, BSP_TEST_SAMPLES "/source/lobby.bsp", NULL);
    bsp_entities *entities = bsp_entities_parse((bsp_text){text, size}, NULL, NULL, NULL);
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    bsp_map map = *s.map;
    bsp_error error;
    map.entities = entities;
    const bsp_scene_options options = {
        .file = s.file, .textures = s.textures, .props = true, .budget = budget};
    bsp_scene *scene = bsp_scene_build(&map, &options, &error);
    assert_non_null(scene);
    assert_true(scene->num_missing >= NAMES);
    assert_true(bsp_budget_used(budget).work >= NAMES * NAMES);
    bsp_scene_free(scene);
    bsp_budget_free(budget);
    bsp_entities_free(entities);
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_as_keys_say),
        cmocka_unit_test(maps_are_models),
        cmocka_unit_test(solid_in_source),
        cmocka_unit_test(solid_in_quake2),
        cmocka_unit_test(props_alone),
        cmocka_unit_test(only_when_asked),
        cmocka_unit_test(items_of_openarena),
        cmocka_unit_test(static_props_have_the_light_of_their_vertices),
        cmocka_unit_test(missing_models_are_paid_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
