// SPDX-License-Identifier: MIT
// Scenes: which entities make which instances, where these stand and how they look (worked out by
// hand from the entities of samples/goldsrc/lobby.bsp and of made maps), which materials are used
// (held against the mesh that shows them), and what is not there without light or textures.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/scene.h"
#include "support/alloc.h"
#include "support/battery.h"
#include "support/files.h"
#include "support/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 1e-4F

static void assert_near(const float is[3], float x, float y, float z) {
    const float should[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        assert_true(fabsf(is[i] - should[i]) < NEAR);
    }
}

static const bsp_scene_instance *of_entity(const bsp_scene *scene, uint32_t entity) {
    assert_true(entity < scene->num_of_entity);
    uint32_t n = scene->of_entity[entity];
    return n == BSP_NONE ? NULL : &scene->instances[n];
}

// --- any scene ----------------------------------------------------------------------------------

static bool same_placement(const bsp_placement *a, const bsp_placement *b) {
    return a->model == b->model && memcmp(a->origin, b->origin, sizeof a->origin) == 0 &&
           memcmp(a->angles, b->angles, sizeof a->angles) == 0 &&
           memcmp(a->axes, b->axes, sizeof a->axes) == 0 && a->moved == b->moved &&
           a->turned == b->turned && a->presence == b->presence;
}

static bool same_look(const bsp_entity_look *a, const bsp_entity_look *b) {
    return a->mode == b->mode && a->opacity == b->opacity && a->unlit == b->unlit &&
           a->plain == b->plain && memcmp(a->color, b->color, sizeof a->color) == 0;
}

// Each entity with a model has the instance that the map itself says, each model without an entity
// has one of its own, and there are no others.
static void check_instances(const bsp_scene *scene) {
    const bsp_map *map = scene->map;
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    uint32_t expected = 0;
    bool *shown = calloc(map->num_models + (size_t)1, sizeof *shown);
    assert_non_null(shown);
    assert_int_equal(scene->num_of_entity, entities);
    for (uint32_t e = 0; e < entities; e++) {
        bsp_placement place = bsp_entity_placement(map, &map->entities->list[e]);
        bsp_entity_look look = bsp_entity_look_of(map, &map->entities->list[e]);
        const bsp_scene_instance *it = of_entity(scene, e);
        assert_int_equal(it != NULL, place.model != BSP_NONE);
        if (it != NULL) {
            expected++;
            shown[place.model] = true;
            assert_int_equal(it->entity, e);
            assert_int_equal(it->model, place.model);
            assert_true(same_placement(&it->place, &place) && same_look(&it->look, &look));
            assert_int_equal(it->shown, place.presence == BSP_SEEN && look.opacity > 0);
        }
    }
    for (uint32_t i = 0; i < scene->num_instances; i++) {
        const bsp_scene_instance *it = &scene->instances[i];
        if (it->entity == BSP_NONE) {
            assert_false(shown[it->model]);
            shown[it->model] = true;
            assert_true(it->shown && !it->place.moved && !it->place.turned && !it->look.plain);
            assert_true(it->look.opacity == 1 && it->look.mode == BSP_LOOK_NORMAL);
            expected++;
        }
    }
    for (uint32_t m = 0; m < map->num_models; m++) {
        assert_true(shown[m]);
    }
    assert_int_equal(scene->num_instances, expected);
    free(shown);
}

// The runs of the instances are the groups of their models, all of them.
static void check_groups(const bsp_scene *scene) {
    for (uint32_t i = 0; i < scene->num_instances; i++) {
        const bsp_scene_instance *it = &scene->instances[i];
        uint32_t count = 0;
        for (uint32_t g = 0; g < scene->mesh->num_groups; g++) {
            bool inside = g >= it->first_group && g - it->first_group < it->num_groups;
            assert_int_equal(inside, scene->mesh->groups[g].model == it->model);
            count += inside;
        }
        assert_int_equal(count, it->num_groups);
    }
}

// --- samples ------------------------------------------------------------------------------------

typedef struct sample {
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
    bsp_textures *textures;
} sample;

static void open_sample(sample *s, const char *game, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", BSP_TEST_SAMPLES, game, name);
    s->file = bsp_file_open(path, NULL, NULL);
    s->map = bsp_map_load(s->file, NULL, NULL);
    s->search = bsp_search_new(NULL, NULL);
    snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, game);
    assert_true(bsp_search_add_game(s->search, path, NULL));
    s->textures = bsp_textures_open(s->search, s->map, NULL, NULL);
    assert_true(s->map != NULL && s->textures != NULL);
}

static void close_sample(sample *s) {
    bsp_textures_close(s->textures);
    bsp_search_free(s->search);
    bsp_map_free(s->map);
    bsp_file_close(s->file);
}

static void visit(const test_file *found, void *user) {
    uint32_t *count = user;
    bsp_file *file = battery_open(found->path, found->bytes);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    bsp_scene *scene = bsp_scene_build(map, NULL, NULL);
    assert_non_null(scene);
    check_instances(scene);
    check_groups(scene);
    bsp_scene_free(scene);
    bsp_map_free(map);
    bsp_file_close(file);
    ++*count;
}

static void test_samples(void **state) {
    (void)state;
    uint32_t count = 0;
    uint32_t found = for_each_file(BSP_TEST_SAMPLES, ".bsp", visit, &count);
    assert_int_equal(found, count);
    assert_true(count >= 13);
}

// The entities of the sample: 0 the world; 1 a fence (rendermode 4), 2 glass (rendermode 2 at 96),
// 3 a door whose "angles" are the way it opens, 4 and 5 buttons, 6 a trigger, 7 what turns about
// its origin, 8 a ladder, which the game does not draw; then points.
static void test_lobby(void **state) {
    (void)state;
    sample s;
    open_sample(&s, "goldsrc", "lobby.bsp");
    bsp_scene *scene = bsp_scene_build(s.map, NULL, NULL);
    assert_non_null(scene);
    assert_int_equal(scene->num_instances, 9);
    for (uint32_t i = 0; i < 8; i++) { // the world is the last
        assert_int_equal(scene->instances[i].entity, i + 1);
        assert_int_equal(scene->instances[i].model, i + 1);
    }
    assert_int_equal(scene->instances[8].entity, 0);
    assert_int_equal(scene->instances[8].model, 0);
    for (uint32_t e = 9; e < scene->num_of_entity; e++) {
        assert_int_equal(scene->of_entity[e], BSP_NONE);
    }
    assert_int_equal(of_entity(scene, 1)->look.mode, BSP_LOOK_NORMAL);
    assert_int_equal(of_entity(scene, 1)->lighting, BSP_SCENE_BAKED);
    assert_int_equal(of_entity(scene, 2)->look.mode, BSP_LOOK_BLEND);
    assert_true(fabsf(of_entity(scene, 2)->look.opacity - 96.0F / 255) < NEAR);
    assert_int_equal(of_entity(scene, 2)->lighting, BSP_SCENE_UNLIT);
    assert_false(of_entity(scene, 3)->place.turned);
    assert_false(of_entity(scene, 5)->place.turned);
    const float corner[3] = {1, 2, 3};
    float at[3];
    bsp_placement_point(&of_entity(scene, 7)->place, corner, at);
    assert_near(at, 129, 130, 143); // origin 128 128 140
    for (uint32_t e = 0; e <= 8; e++) {
        assert_int_equal(of_entity(scene, e)->shown, e != 6 && e != 8);
    }
    assert_int_equal(of_entity(scene, 6)->place.presence, BSP_NEVER_SEEN);
    bsp_scene_free(scene);
    close_sample(&s);
}

// --- materials ----------------------------------------------------------------------------------

typedef struct listener {
    const sample *s;
    uint32_t calls;
    uint32_t next;    // least number that may come
    uint32_t fail_at; // call that is refused, from 1; 0: none
} listener;

static bool hear(void *user, uint32_t material, const bsp_scene_material *as, bsp_texture *texture,
                 bsp_texture *second, bsp_error *error) {
    listener *l = user;
    bsp_texture alone;
    assert_true(material >= l->next && material < l->s->map->num_materials);
    l->next = material + 1;
    assert_true(bsp_textures_find(l->s->textures, material, &alone, NULL));
    assert_int_equal(as->found, alone.found);
    assert_int_equal(as->width, alone.width);
    assert_int_equal(as->height, alone.height);
    assert_int_equal(as->alpha, alone.alpha);
    assert_true(as->alpha_cut == alone.alpha_cut && as->opacity == alone.opacity);
    assert_true(as->two_sided == alone.two_sided && as->clamp == alone.clamp);
    assert_true(as->unlit == alone.unlit && as->no_draw == alone.no_draw && as->sky == alone.sky);
    assert_int_equal(texture->image.width, alone.image.width);
    assert_memory_equal(texture->image.pixels, alone.image.pixels,
                        4 * (size_t)alone.image.width * alone.image.height);
    bsp_texture_free(&alone);
    assert_int_equal(as->mixed, second->found);
    assert_true(second->found == (second->image.pixels != NULL));
    memset(texture->image.pixels, 0, 4); // allowed
    return ++l->calls != l->fail_at ||
           bsp_fail(error, BSP_E_ARGUMENT, NULL, "enough of material %u", (unsigned)material);
}

// Used are those that the mesh shows.
static void check_used(const sample *s, bool hidden, bool sky) {
    listener l = {.s = s};
    bsp_scene_options options = {.file = s->file,
                                 .textures = s->textures,
                                 .pictures = hear,
                                 .user = &l,
                                 .hidden = hidden,
                                 .sky = sky};
    bsp_scene *scene = bsp_scene_build(s->map, &options, NULL);
    assert_non_null(scene);
    uint32_t used = 0;
    for (uint32_t m = 0; m < scene->num_materials; m++) {
        bool meshed = false;
        for (uint32_t g = 0; g < scene->mesh->num_groups; g++) {
            meshed = meshed || scene->mesh->groups[g].material == m;
        }
        assert_int_equal(scene->materials[m].used, meshed);
        used += meshed;
    }
    assert_true(used != 0);
    assert_int_equal(l.calls, used);
    check_instances(scene);
    bsp_scene_free(scene);
}

static void test_materials(void **state) {
    (void)state;
    static const char *const games[] = {"quake", "goldsrc", "quake2", "quake3", "source"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        sample s;
        open_sample(&s, games[i], "lobby.bsp");
        for (int n = 0; n < 4; n++) {
            check_used(&s, (n & 1) != 0, (n & 2) != 0);
        }
        close_sample(&s);
    }
}

// The building ends where the receiver says so, with its words.
static void test_refused(void **state) {
    (void)state;
    sample s;
    open_sample(&s, "quake", "lobby.bsp");
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    for (uint32_t n = 1; n <= 3; n++) {
        listener l = {.s = &s, .fail_at = n};
        bsp_scene_options options = {
            .textures = s.textures, .pictures = hear, .user = &l, .allocator = &allocator};
        bsp_error error = {0};
        assert_null(bsp_scene_build(s.map, &options, &error));
        assert_int_equal(l.calls, n);
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_non_null(strstr(error.message, "enough of material"));
        assert_int_equal(meter.live, 0);
    }
    close_sample(&s);
}

// --- made maps ----------------------------------------------------------------------------------

typedef struct stage {
    room *r;
    bsp_entities *entities;
    bsp_scene *scene;
} stage;

// `text` must live as long as the stage.
static stage build(const char *branch, const char *text, const bsp_scene_options *options) {
    stage s = {.r = room_build(bsp_branch_find(branch))};
    s.entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(s.entities);
    s.r->map.entities = s.entities;
    s.scene = bsp_scene_build(&s.r->map, options, NULL);
    assert_non_null(s.scene);
    check_instances(s.scene);
    check_groups(s.scene);
    return s;
}

static void end(stage *s) {
    bsp_scene_free(s->scene);
    bsp_entities_free(s->entities);
    room_free(s->r);
}

// A quarter turn to the left takes the door's corner (40 4 96) to (-4 40 96).
static void test_turned(void **state) {
    (void)state;
    stage s = build("source_20",
                    "{\"classname\" \"worldspawn\"}\n"
                    "{\"classname\" \"func_brush\" \"model\" \"*1\" \"origin\" \"100 0 0\" "
                    "\"angles\" \"0 90 0\" \"rendermode\" \"1\" \"renderamt\" \"51\"}\n"
                    "{\"classname\" \"func_brush\" \"model\" \"*1\"}\n",
                    NULL);
    const float corner[3] = {40, 4, 96};
    float at[3];
    assert_int_equal(s.scene->num_instances, 3);
    bsp_placement_point(&of_entity(s.scene, 1)->place, corner, at);
    assert_near(at, 96, 40, 96);
    assert_true(fabsf(of_entity(s.scene, 1)->look.opacity - 0.2F) < NEAR);
    assert_int_equal(of_entity(s.scene, 1)->look.mode, BSP_LOOK_BLEND);
    assert_int_equal(of_entity(s.scene, 1)->lighting, BSP_SCENE_BAKED); // as Source draws it
    bsp_placement_point(&of_entity(s.scene, 2)->place, corner, at);
    assert_near(at, 40, 4, 96);
    assert_int_equal(of_entity(s.scene, 1)->first_group, of_entity(s.scene, 2)->first_group);
    end(&s);
}

// Models that no entity shows stand where the file has them; a map may be without a worldspawn, and
// another entity may show the world.
static void test_worlds(void **state) {
    (void)state;
    stage none = build("quake2", "{\"classname\" \"light\"}\n", NULL);
    assert_int_equal(none.scene->num_instances, 2);
    assert_int_equal(none.scene->instances[0].model, 0);
    assert_int_equal(none.scene->instances[1].model, 1);
    assert_int_equal(none.scene->instances[1].entity, BSP_NONE);
    end(&none);
    stage twice = build("quake2",
                        "{\"classname\" \"worldspawn\"}\n"
                        "{\"classname\" \"func_wall\" \"model\" \"*0\"}\n"
                        "{\"classname\" \"func_wall\" \"model\" \"*1\"}\n",
                        NULL);
    assert_int_equal(twice.scene->num_instances, 3);
    assert_int_equal(twice.scene->instances[0].entity, 2);
    assert_int_equal(twice.scene->instances[1].entity, 0);
    assert_int_equal(twice.scene->instances[2].entity, 1);
    assert_int_equal(twice.scene->instances[2].model, 0);
    end(&twice);
}

static void test_full_bright(void **state) {
    (void)state;
    const bsp_scene_options options = {.full_bright = true};
    stage s = build("quake", "{\"classname\" \"worldspawn\"}\n", &options);
    assert_null(s.scene->lightmap);
    for (uint32_t i = 0; i < s.scene->num_instances; i++) {
        assert_int_equal(s.scene->instances[i].lighting, BSP_SCENE_UNLIT);
    }
    for (uint32_t m = 0; m < s.scene->num_materials; m++) { // no textures were given
        assert_false(s.scene->materials[m].found);
        assert_true(s.scene->materials[m].opacity == 1 && s.scene->materials[m].width == 0);
    }
    end(&s);
    s = build("quake", "{\"classname\" \"worldspawn\"}\n", NULL);
    assert_non_null(s.scene->lightmap);
    end(&s);
}

// Source says the average colour of a material in linear light; black says nothing.
static void test_colours(void **state) {
    (void)state;
    static const char text[] = "{\"classname\" \"worldspawn\"}\n";
    stage s = {.r = room_build(bsp_branch_find("source_20"))};
    s.entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    s.r->map.entities = s.entities;
    memcpy(s.r->materials[0].reflectivity, (float[3]){0.25F, 2, -1}, sizeof(float[3]));
    memcpy(s.r->materials[1].reflectivity, (float[3]){0, 0, 0}, sizeof(float[3]));
    s.scene = bsp_scene_build(&s.r->map, NULL, NULL);
    assert_non_null(s.scene);
    assert_true(s.scene->materials[0].colored);
    assert_near(s.scene->materials[0].color, 0.25F, 1, 0);
    assert_false(s.scene->materials[1].colored);
    assert_near(s.scene->materials[1].color, 0, 0, 0);
    end(&s);
}

// The steps of the patterns are letters, ten a second: style 1 is "mmnm...", style 2 begins dark.
static void test_styles(void **state) {
    (void)state;
    static const char text[] =
        "{\"classname\" \"worldspawn\" \"style\" \"40\" \"spawnflags\" \"1\"}\n"
        "{\"classname\" \"light\" \"style\" \"32\" \"spawnflags\" \"1\"}\n"
        "{\"classname\" \"light_spot\" \"style\" \"33\" \"pattern\" \"az\"}\n"
        "{\"classname\" \"light\" \"style\" \"3\" \"spawnflags\" \"1\"}\n"
        "{\"classname\" \"light\" \"style\" \"-7\"}{\"classname\" \"light\" \"style\" \"99999\"}";
    stage s = build("quake", text, NULL);
    float styles[BSP_LIGHT_STYLES];
    bsp_scene_styles(&s.r->map, NULL, styles);
    assert_true(styles[0] == 1 && styles[1] == 1 && styles[2] == 0 && styles[200] == 1);
    assert_true(styles[32] == 0 && styles[33] == 0 && styles[40] == 1);
    assert_true(styles[3] == 1); // spawnflags switch the styles of named lights only
    bsp_scene_state moment = {.time = 0.25F};
    bsp_scene_styles(&s.r->map, &moment, styles);
    assert_true(styles[0] == 1 && fabsf(styles[1] - 13.0F / 12) < NEAR);
    assert_true(fabsf(styles[2] - 2.0F / 12) < NEAR && styles[33] == 0);
    moment.time = 0.35F;
    bsp_scene_styles(&s.r->map, &moment, styles);
    assert_true(fabsf(styles[33] - 25.0F / 12) < NEAR);
    const bsp_scene_style set[] = {{32, 5}, {32, 2}, {0, 0.5F}, {256, 1}, {1, NAN}};
    const bsp_scene_key keys[] = {{2, "Pattern", {"c", 1}}, {1, "spawnflags", {"0", 1}}};
    moment = (bsp_scene_state){.styles = set, .num_styles = 5, .keys = keys, .num_keys = 2};
    bsp_scene_styles(&s.r->map, &moment, styles);
    assert_true(styles[32] == 2 && styles[0] == 0.5F && styles[1] == 1);
    assert_true(fabsf(styles[33] - 2.0F / 12) < NEAR);
    end(&s);
}

// A state moves and hides the door; the map stays as it is.
static void test_keys(void **state) {
    (void)state;
    static const char text[] = "{\"classname\" \"worldspawn\"}\n"
                               "{\"classname\" \"func_brush\" \"model\" \"*1\"}\n";
    stage s = build("source_20", text, NULL);
    const bsp_scene_key keys[] = {{1, "origin", {"1 2 3", 5}},
                                  {1, "ORIGIN", {"0 0 7", 5}},
                                  {1, "rendermode", {"10", 2}},
                                  {9, "origin", {"9 9 9", 5}}};
    const bsp_scene_state moment = {.keys = keys, .num_keys = 4};
    const bsp_scene_options options = {.state = &moment};
    bsp_scene *scene = bsp_scene_build(&s.r->map, &options, NULL);
    assert_non_null(scene);
    assert_near(of_entity(scene, 1)->place.origin, 0, 0, 7);
    assert_false(of_entity(scene, 1)->shown);
    assert_true(of_entity(s.scene, 1)->shown && !of_entity(s.scene, 1)->place.moved);
    assert_int_equal(s.r->map.entities->list[1].num_pairs, 2);
    bsp_scene_free(scene);
    end(&s);
}

// --- decals -------------------------------------------------------------------------------------

static void put32(uint8_t *at, size_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

// A PAK with a material and its picture of 32 x 32 texels, which are half a unit as a decal.
static size_t make_game(uint8_t *out) {
    static const char vmt[] =
        "\"LightmappedGeneric\" { \"$basetexture\" \"d\" \"$decalscale\" \"0.5\" }";
    static const char *const names[] = {"materials/d.vmt", "materials/d.vtf"};
    const size_t sizes[] = {sizeof vmt - 1, 80 + 32 * 32 * 4};
    size_t at = 12;
    uint8_t entries[2][64] = {{0}};
    memset(out, 0, 80 + 32 * 32 * 4 + 512);
    for (int i = 0; i < 2; i++) {
        snprintf((char *)entries[i], 56, "%s", names[i]);
        put32(entries[i] + 56, at);
        put32(entries[i] + 60, sizes[i]);
        at += sizes[i];
    }
    memcpy(out + 12, vmt, sizeof vmt - 1);
    uint8_t *vtf = out + 12 + sizeof vmt - 1;
    memcpy(vtf, "VTF\0\7\0\0\0\2\0\0\0\x50", 13);
    vtf[16] = vtf[18] = 32;
    vtf[24] = vtf[56] = vtf[63] = 1; // frames, mips, depth
    memset(vtf + 57, 0xFF, 4);
    memcpy(out, "PACK", 4);
    put32(out + 4, at);
    put32(out + 8, sizeof entries);
    memcpy(out + at, entries, sizeof entries);
    return at + sizeof entries;
}

static bool count_picture(void *user, uint32_t picture, uint32_t count, const bsp_texture *texture,
                          bsp_error *error) {
    (void)error;
    assert_true(picture == 0 && count == 2 && texture->width == 16);
    ++*(int *)user;
    return true;
}

// One decal on the wall at x = 128, seen from the west: its left is north. Another is too far from
// any face, a third has no picture, a fourth no place.
static void test_decals(void **state) {
    (void)state;
    static const char text[] =
        "{\"classname\" \"worldspawn\"}"
        "{\"classname\" \"infodecal\" \"texture\" \"d\" \"origin\" \"127 64 64\"}"
        "{\"classname\" \"infodecal\" \"texture\" \"D\" \"origin\" \"120 64 64\"}"
        "{\"classname\" \"infodecal\" \"texture\" \"gone\" \"origin\" \"128 64 64\"}"
        "{\"classname\" \"infodecal\" \"texture\" \"d\"}";
    static uint8_t game[80 + 32 * 32 * 4 + 512];
    room *r = room_build(bsp_branch_find("source_20"));
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    r->map.entities = entities;
    bsp_search *search = bsp_search_new(NULL, NULL);
    assert_true(bsp_search_add_memory(search, "a.pak", (bsp_bytes){game, make_game(game)}, NULL));
    bsp_textures *textures = bsp_textures_open(search, &r->map, NULL, NULL);
    int pictures = 0;
    const bsp_scene_options options = {
        .textures = textures, .decals = count_picture, .user = &pictures};
    bsp_scene *scene = bsp_scene_build(&r->map, &options, NULL);
    assert_non_null(scene);
    assert_true(pictures == 1 && scene->num_decal_names == 2 && scene->num_decals >= 1);
    double area = 0;
    for (uint32_t i = 0; i < scene->num_decals; i++) {
        const bsp_scene_decal *decal = &scene->decals[i];
        assert_true(decal->entity == 1 && decal->picture == 0 && decal->num_vertices % 3 == 0);
        for (uint32_t v = 0; v < decal->num_vertices; v += 3) {
            const bsp_mesh_vertex *t = &scene->decal_vertices[decal->first_vertex + v];
            for (int c = 0; c < 3; c++) {
                assert_true(fabsf(t[c].position[0] - 127.9F) < 1e-3F && t[c].normal[0] == -1);
                assert_true(fabsf(t[c].uv[0] - (72 - t[c].position[1]) / 16) < 1e-3F);
                assert_true(fabsf(t[c].uv[1] - (72 - t[c].position[2]) / 16) < 1e-3F);
                assert_true(t[c].uv[0] > -1e-3F && t[c].uv[0] < 1.001F);
            }
            const float *a = t[0].position, *b = t[1].position, *e = t[2].position;
            // Counter-clockwise seen from the west, where the right is -y.
            area += ((double)a[1] - (double)b[1]) * ((double)e[2] - (double)a[2]) -
                    ((double)a[1] - (double)e[1]) * ((double)b[2] - (double)a[2]);
        }
    }
    assert_true(fabs(area / 2 - 256) < 0.1);
    bsp_scene_free(scene);
    bsp_textures_close(textures);
    bsp_search_free(search);
    bsp_entities_free(entities);
    room_free(r);
}

// "effects" 32 is EF_NODRAW of Source, 128 that of GoldSrc.
static void test_effects(void **state) {
    (void)state;
    static const struct {
        const char *branch;
        const char *effects;
        bool shown;
    } rows[] = {{"source_20", "32", false}, {"source_20", "128", true}, {"source_20", "-1", true},
                {"goldsrc", "128", false},  {"goldsrc", "132", false},  {"goldsrc", "32", true},
                {"quake", "128", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 "{\"classname\" \"worldspawn\"}"
                 "{\"classname\" \"func_wall\" \"model\" \"*1\" \"effects\" \"%s\"}",
                 rows[i].effects);
        stage s = build(rows[i].branch, text, NULL);
        assert_int_equal(of_entity(s.scene, 1)->shown, rows[i].shown);
        end(&s);
    }
}

// A door slides by its size along its way, less its lip; others stay.
static void test_open(void **state) {
    (void)state;
    static const struct {
        const char *branch;
        const char *keys;
        float part[3]; // of the door's size
        float lip;
    } rows[] = {{"quake", "\"angle\" \"90\"", {0, 1, 0}, 8},
                {"quake2", "\"angle\" \"-1\" \"lip\" \"3\"", {0, 0, 1}, 3},
                {"goldsrc", "\"angles\" \"0 180 0\"", {-1, 0, 0}, 0},
                {"source_20", "\"movedir\" \"-90 0 0\"", {0, 0, 1}, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{\"classname\" \"worldspawn\"}"
                 "{\"classname\" \"func_door\" \"model\" \"*1\" %s}"
                 "{\"classname\" \"func_wall\" \"model\" \"*1\" %s}",
                 rows[i].keys, rows[i].keys);
        stage s = build(rows[i].branch, text, NULL);
        const bsp_scene_state moment = {.open = true};
        const bsp_scene_options options = {.state = &moment};
        bsp_scene *scene = bsp_scene_build(&s.r->map, &options, NULL);
        assert_non_null(scene);
        const bsp_model *model = &s.r->map.models[1];
        for (int axis = 0; axis < 3; axis++) {
            float way = rows[i].part[axis];
            float by = way * (model->maxs[axis] - model->mins[axis] - rows[i].lip);
            float shut = of_entity(s.scene, 1)->place.origin[axis];
            assert_true(fabsf(of_entity(scene, 1)->place.origin[axis] - shut - by) < 1e-3F);
            assert_true(of_entity(scene, 2)->place.origin[axis] ==
                        of_entity(s.scene, 2)->place.origin[axis]);
        }
        bsp_scene_free(scene);
        end(&s);
    }
}

// Light of three directions: a luxel of each block of four. The face of which the texinfo has
// SURF_BUMPLIGHT stores 64 for flat surfaces, then 8, 128 and 255.
static void test_directions(void **state) {
    (void)state;
    static uint8_t light[16] = {64, 64, 64, 0, 8, 8, 8, 0, 128, 128, 128, 0, 255, 255, 255, 0};
    room *r = room_build(bsp_branch_find("source_20"));
    r->texinfos[r->faces[0].texinfo].flags |= 0x800;
    r->map.light = (bsp_bytes){light, sizeof light};
    r->map.light_hdr = (bsp_bytes){NULL, 0};
    for (uint32_t i = 0; i < r->map.num_face_lights; i++) {
        r->face_lights[i].offset = i == 0 ? 0 : BSP_NONE;
        r->face_lights[i].styles[0] = 0;
        memset(r->face_lights[i].styles + 1, 255, 3);
        r->face_lights[i].size[0] = r->face_lights[i].size[1] = 1;
    }
    for (uint32_t d = 0; d < 4; d++) {
        const bsp_lightmap_options options = {.direction = d};
        bsp_lightmap *map = bsp_lightmap_build(&r->map, NULL, &options, NULL);
        assert_non_null(map);
        const bsp_light_face *face = &map->faces[0];
        assert_true(face->page < map->num_pages);
        const bsp_light_page *page = &map->pages[face->page];
        uint8_t texel = page->rgba[4 * ((size_t)face->y * page->width + face->x)];
        double linear = pow((double)light[4 * d] / 255, 1 / 2.2) * 255;
        assert_true(fabs((double)texel - linear) <= 1);
        bsp_lightmap_free(map);
    }
    room_free(r);
}

// CS:GO: a byte a luxel follows the luxels of a style (map flag 4). The lump of he_dustwar is what
// its faces call for, and four bytes of average colour before each style.
static void test_alpha(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SHARED "/corpus/named/he_dustwar.bsp", NULL, NULL);
    if (file == NULL) {
        skip();
    }
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    bsp_lightmap *light = bsp_lightmap_build(map, file, NULL, NULL);
    assert_non_null(light);
    uint64_t styles = 0;
    for (uint32_t i = 0; i < map->num_faces; i++) {
        for (int s = 0; s < 4 && light->faces[i].page != BSP_NONE; s++) {
            styles += map->face_lights[i].styles[s] != 255;
        }
    }
    assert_int_equal(light->num_dropped, 0);
    assert_int_equal(light->source_bytes + 4 * styles, map->light.size);
    bsp_lightmap_free(light);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),     cmocka_unit_test(test_lobby),
        cmocka_unit_test(test_materials),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_turned),      cmocka_unit_test(test_worlds),
        cmocka_unit_test(test_full_bright), cmocka_unit_test(test_colours),
        cmocka_unit_test(test_styles),      cmocka_unit_test(test_keys),
        cmocka_unit_test(test_alpha),       cmocka_unit_test(test_open),
        cmocka_unit_test(test_directions),  cmocka_unit_test(test_decals),
        cmocka_unit_test(test_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
