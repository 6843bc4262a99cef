// SPDX-License-Identifier: MIT
// What stands in Source maps without a model file: detail props, sprites that name a material, and
// ropes. The map is the Source sample with arrays and keys of this test; where their corners are is
// worked out by hand. Their material is one of the sample, 64 texels wide and high.
#include "bspkit/bspkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#define NEAR 1e-3F
#define SHEET "lobby/crate1"
#define SIDE 96u

typedef struct stage {
    bsp_file *file;
    bsp_map *loaded;
    bsp_map map;
    bsp_search *search;
    bsp_textures *textures;
} stage;

static void set_up(stage *s) {
    bsp_error error = {0};
    s->file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
    assert_non_null(s->file);
    s->loaded = bsp_map_load(s->file, NULL, &error);
    assert_non_null(s->loaded);
    s->map = *s->loaded;
    s->map.num_static_props = 0;
    s->search = bsp_search_new(NULL, &error);
    assert_true(bsp_search_add_game(s->search, BSP_TEST_SAMPLES "/source", &error));
    s->textures = bsp_textures_open(s->search, &s->map, NULL, &error);
    assert_non_null(s->textures);
}

static void tear_down(stage *s) {
    bsp_textures_close(s->textures);
    bsp_search_free(s->search);
    bsp_map_free(s->loaded);
    bsp_file_close(s->file);
}

static bsp_scene *build(const stage *s, const bsp_scene_state *state, bool details) {
    bsp_error error = {0};
    const bsp_scene_options options = {.file = s->file,
                                       .textures = s->textures,
                                       .props = true,
                                       .details = details,
                                       .state = state};
    bsp_scene *scene = bsp_scene_build(&s->map, &options, &error);
    assert_non_null(scene);
    return scene;
}

// Whether a corner of a prop stands there, with that place on the picture.
static bool has_corner(const bsp_scene *scene, const bsp_scene_prop *prop, const float at[3],
                       const float uv[2]) {
    const bsp_model_mesh *mesh = scene->models[prop->model].mesh;
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        const bsp_model_vertex *vertex = &mesh->vertices[v];
        bool same = uv == NULL ||
                    (fabsf(vertex->uv[0] - uv[0]) < NEAR && fabsf(vertex->uv[1] - uv[1]) < NEAR);
        for (int i = 0; i < 3; i++) {
            const float *row = prop->place[i];
            const float *p = vertex->position;
            float here = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
            same = same && fabsf(here - at[i]) < NEAR;
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static const bsp_scene_key sheet_key = {0, "detailmaterial", {SHEET, sizeof SHEET - 1}};
static const bsp_scene_state with_sheet = {.keys = &sheet_key, .num_keys = 1};

// 8 wide and 20 high, on the ground; the upper left quarter of the sheet.
static const bsp_detail_sprite rect = {{-4, 20}, {4, 0}, {0, 0}, {0.5F, 0.25F}};

static bsp_detail_prop detail(uint32_t type, uint32_t orientation, float x) {
    return (bsp_detail_prop){.origin = {x, 100, 40},
                             .type = type,
                             .orientation = orientation,
                             .light = {255, 128, 0, 1},
                             .shape_size = 255,
                             .scale = 2};
}

// The light of a style is added by the style's factor; without a state, and past the end, none is.
static void details_have_light_of_styles(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    bsp_detail_prop list[] = {detail(1, 2, 110), detail(1, 2, 120)};
    const bsp_detail_light lights[] = {{{51, 51, 51, 0}, 40}, {{0, 102, 0, 1}, 41}};
    const bsp_scene_style styles[] = {{40, 0.5F}, {41, 1}};
    const bsp_scene_state lit = {
        .keys = &sheet_key, .num_keys = 1, .styles = styles, .num_styles = 2};
    list[0].first_style = 0;
    list[0].num_styles = 2;
    list[1].first_style = 1;
    list[1].num_styles = 200;
    s.map.detail_sprites = &rect;
    s.map.num_detail_sprites = 1;
    s.map.detail_props = list;
    s.map.num_detail_props = 2;
    s.map.detail_lights_hdr = lights; // the only ones
    s.map.num_detail_lights_hdr = 2;
    bsp_scene *none = build(&s, &lit, false);
    bsp_scene *scene = build(&s, &lit, true);
    const bsp_scene_prop *p = &scene->props[none->num_props];
    const float own[3] = {2, 256.0F / 255, 0};
    for (int c = 0; c < 3; c++) {
        float green = c == 1 ? 0.8F : 0;
        assert_true(fabsf(p[0].light.ambient[c] - (own[c] + 0.1F + green)) < 1e-4F);
        assert_true(fabsf(p[1].light.ambient[c] - (own[c] + green)) < 1e-4F);
    }
    bsp_scene_free(scene);
    bsp_scene_free(none);
    tear_down(&s);
}

static void details_lie_as_their_type_says(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    bsp_detail_prop list[] = {detail(1, 0, 100), detail(1, 2, 110), detail(1, 1, 120),
                              detail(2, 0, 130), detail(3, 0, 140), detail(1, 2, 150),
                              detail(1, 0, NAN), detail(9, 0, 0),   detail(1, 0, 160)};
    list[8].model = 1; // there is no such sprite
    s.map.detail_sprites = &rect;
    s.map.num_detail_sprites = 1;
    s.map.detail_props = list;
    s.map.num_detail_props = sizeof list / sizeof *list;
    bsp_scene *none = build(&s, &with_sheet, false);
    bsp_scene *scene = build(&s, &with_sheet, true);
    assert_int_equal(scene->num_props, none->num_props + 6);
    const bsp_scene_prop *p = &scene->props[none->num_props];
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(p[i].kind, BSP_PROP_DETAIL);
        assert_int_equal(p[i].number, i);
        assert_true(p[i].fade_min == 800 && p[i].fade_max == 1200);
    }
    assert_int_equal(p[1].model, p[5].model); // one kind
    assert_int_equal(scene->num_models, none->num_models + 5);
    assert_string_equal(scene->models[p->model].info->format->name, "card");
    // Fixed: as seen from +x its left is at -y, all twice as large.
    assert_true(has_corner(scene, &p[0], (const float[]){100, 92, 80}, (const float[]){0, 0}));
    assert_true(
        has_corner(scene, &p[0], (const float[]){100, 108, 40}, (const float[]){0.5F, 0.25F}));
    assert_int_equal(scene->models[p[0].model].mesh->facing, BSP_SPRITE_ORIENTED);
    // Turning: its right is at -y, as that of all sprites.
    assert_true(has_corner(scene, &p[1], (const float[]){110, 108, 80}, (const float[]){0, 0}));
    assert_int_equal(scene->models[p[1].model].mesh->facing, BSP_SPRITE_FACING_UPRIGHT);
    assert_int_equal(scene->models[p[2].model].mesh->facing, BSP_SPRITE_FACING);
    // A cross reaches as far along x as along y.
    assert_false(scene->models[p[3].model].mesh->sprite);
    assert_true(has_corner(scene, &p[3], (const float[]){138, 100, 80}, NULL));
    assert_true(has_corner(scene, &p[3], (const float[]){122, 100, 40}, NULL));
    assert_true(has_corner(scene, &p[3], (const float[]){130, 92, 80}, NULL));
    // The first side of a triangle is its width (16) before its origin.
    assert_true(has_corner(scene, &p[4], (const float[]){156, 108, 80}, (const float[]){0, 0}));
    assert_int_equal(scene->models[p[4].model].mesh->num_vertices, 12);
    // Light: 255 * 2^1, which is twice full, from all sides.
    assert_true(fabsf(p[0].light.cube[3][0] - 2) < NEAR);
    assert_true(fabsf(p[0].light.cube[4][1] - 256 / 255.0F) < NEAR);
    assert_true(p[0].light.cube[0][2] == 0);
    bsp_scene_free(scene);
    bsp_scene_free(none);
    tear_down(&s);
}

static uint32_t light_of(const bsp_map *map, uint32_t number) {
    for (uint32_t i = 0; i < map->entities->count; i++) {
        if (bsp_text_matches(bsp_entity_value(&map->entities->list[i], "classname"),
                             bsp_text_of("light")) &&
            number-- == 0) {
            return i;
        }
    }
    fail_msg("too few lights in the sample");
    return 0;
}

static void sprites_may_name_a_material(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    uint32_t e = light_of(&s.map, 0), f = light_of(&s.map, 1);
    const bsp_scene_key keys[] = {{e, "classname", bsp_text_of("env_sprite")},
                                  {e, "model", bsp_text_of("materials\\" SHEET ".vmt")},
                                  {e, "origin", bsp_text_of("10 20 30")},
                                  {e, "scale", bsp_text_of("0.5")},
                                  {e, "rendercolor", bsp_text_of("255 0 10")},
                                  {f, "classname", bsp_text_of("env_glow")},
                                  {f, "model", bsp_text_of("sprites/none.spr")}};
    const bsp_scene_state moment = {.keys = keys, .num_keys = sizeof keys / sizeof *keys};
    bsp_scene *scene = build(&s, &moment, false);
    const bsp_scene_prop *prop = NULL;
    for (uint32_t i = 0; i < scene->num_props; i++) {
        prop = scene->props[i].number == e ? &scene->props[i] : prop;
    }
    assert_non_null(prop);
    const bsp_model_mesh *mesh = scene->models[prop->model].mesh;
    assert_true(mesh->sprite && mesh->facing == BSP_SPRITE_PARALLEL_UPRIGHT);
    const bsp_scene_material *material = &scene->materials[scene->models[prop->model].materials[0]];
    assert_true(material->found && material->unlit && material->two_sided);
    float half = (float)material->width / 4, high = (float)material->height / 4;
    assert_true(
        has_corner(scene, prop, (const float[]){10, 20 + half, 30 + high}, (const float[]){0, 0}));
    assert_true(
        has_corner(scene, prop, (const float[]){10, 20 - half, 30 - high}, (const float[]){1, 1}));
    const uint8_t tint[] = {255, 0, 10, 255};
    assert_memory_equal(prop->color, tint, 4);
    uint32_t listed = 0;
    for (uint32_t i = 0; i < scene->num_missing; i++) {
        listed += bsp_text_matches(scene->missing[i].name, bsp_text_of("sprites/none.spr"));
    }
    assert_int_equal(listed, 1);
    bsp_scene_free(scene);
    tear_down(&s);
}

typedef struct rope_keys {
    const char *from, *to, *next, *slack, *type, *dangling;
} rope_keys;

// The rope of the first light, whose NextKey may name the second.
static bsp_scene *with_rope(const stage *s, const rope_keys *as) {
    uint32_t e = light_of(&s->map, 0), f = light_of(&s->map, 1);
    const bsp_scene_key keys[] = {{e, "classname", bsp_text_of("move_rope")},
                                  {e, "targetname", bsp_text_of("first")},
                                  {e, "origin", bsp_text_of(as->from)},
                                  {e, "NextKey", bsp_text_of(as->next)},
                                  {e, "Slack", bsp_text_of(as->slack)},
                                  {e, "Type", bsp_text_of(as->type)},
                                  {e, "Subdiv", bsp_text_of("1")},
                                  {e, "Width", bsp_text_of("3")},
                                  {e, "Dangling", bsp_text_of(as->dangling)},
                                  {e, "RopeMaterial", bsp_text_of(SHEET ".vmt")},
                                  {f, "classname", bsp_text_of("keyframe_rope")},
                                  {f, "targetname", bsp_text_of("Second")},
                                  {f, "origin", bsp_text_of(as->to)},
                                  {f, "NextKey", bsp_text_of("first")}};
    const bsp_scene_state moment = {.keys = keys, .num_keys = sizeof keys / sizeof *keys};
    return build(s, &moment, false);
}

static void ropes_hang_between_their_ends(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    const rope_keys level = {"100 100 90", "200 100 90", "second", "100", "0", "0"};
    bsp_scene *scene = with_rope(&s, &level);
    assert_int_equal(scene->num_ropes, 2); // and one back: they may go round
    const bsp_scene_rope *rope = &scene->ropes[0];
    uint32_t last = rope->num_points - 1;
    assert_int_equal(rope->num_points, 9 * 2 + 1);
    assert_true(rope->width == 3 && !rope->dangles && rope->next == scene->ropes[1].entity);
    float length = 0;
    for (uint32_t p = 0; p <= last; p++) {
        // Springs are pulled in their order, which makes it a little uneven.
        const float *at = rope->points[p], *mirror = rope->points[last - p];
        assert_true(fabsf(at[0] + mirror[0] - 300) < 4 && fabsf(at[2] - mirror[2]) < 4);
        assert_true(fabsf(at[1] - 100) < NEAR && at[2] <= 90 + NEAR);
        for (int i = 0; p != 0 && i < 3; i += 2) {
            length +=
                i == 2 ? 0 : hypotf(at[0] - rope->points[p - 1][0], at[2] - rope->points[p - 1][2]);
        }
    }
    assert_true(rope->points[0][0] == 100 && rope->points[last][0] == 200);
    assert_true(rope->points[last / 2][2] < 80);
    // 100 long, a slack of 100, less 100: as long as the way, and a little longer by its weight.
    assert_true(length > 100 && length < 130);
    const bsp_scene_prop *prop = &scene->props[rope->prop];
    const bsp_model_mesh *mesh = scene->models[prop->model].mesh;
    assert_int_equal(mesh->num_indices, 18 * last);
    for (uint32_t v = 0; v < mesh->num_vertices; v++) { // all as far from the curve as it is thick
        float least = INFINITY;
        for (uint32_t p = 0; p <= last; p++) {
            float sum = 0;
            for (int i = 0; i < 3; i++) {
                float d = mesh->vertices[v].position[i] + prop->place[i][3] - rope->points[p][i];
                sum += d * d;
            }
            least = fminf(least, sqrtf(sum));
        }
        assert_true(fabsf(least - 1.5F) < 0.01F);
    }
    bsp_scene_free(scene);
    tear_down(&s);
}

static void odd_ropes(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    const struct {
        rope_keys keys;
        uint32_t ropes, points;
    } rows[] = {
        {{"0 0 0", "100 0 0", "second", "0", "2", "0"}, 2, 3}, // straight
        {{"0 0 0", "100 0 0", "second", "0", "1", "0"}, 2, 7},
        {{"0 0 0", "100 0 0", "nobody", "0", "0", "0"}, 1, 0},
        {{"0 0 0", "100 0 0", "first", "0", "0", "0"}, 1, 0}, // to itself
        {{"0 0 0", "0 0 0", "second", "nan", "0", "0"}, 2, 19},
        {{"nan 0 0", "100 0 0", "second", "0", "0", "0"}, 0, 0},
        {{"0 0 0", "1e30 0 0", "second", "0", "0", "0"}, 0, 0},
        {{"0 0 0", "50 0 0", "second", "-1e9", "0", "0"}, 2, 19},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bsp_scene *scene = with_rope(&s, &rows[i].keys);
        assert_int_equal(scene->num_ropes, rows[i].ropes);
        if (rows[i].points != 0) {
            assert_int_equal(scene->ropes[0].num_points, rows[i].points);
        }
        for (uint32_t r = 0; r < scene->num_ropes; r++) {
            for (uint32_t p = 0; p < scene->ropes[r].num_points; p++) {
                assert_true(fabsf(scene->ropes[r].points[p][2]) < 1000);
            }
        }
        bsp_scene_free(scene);
    }
    const rope_keys free_end = {"0 0 0", "100 0 0", "second", "100", "0", "1"};
    bsp_scene *scene = with_rope(&s, &free_end);
    const bsp_scene_rope *rope = &scene->ropes[0];
    assert_true(rope->dangles && rope->points[rope->num_points - 1][2] < -50);
    bsp_scene_free(scene);
    tear_down(&s);
}

static bsp_image picture(const stage *s, bool no_details, uint32_t threads) {
    bsp_error error = {0};
    const bsp_renderer_options options = {
        .search = s->search, .state = &with_sheet, .no_details = no_details};
    bsp_renderer *renderer = bsp_renderer_build(&s->map, s->file, &options, &error);
    assert_non_null(renderer);
    const bsp_view view = {
        .width = SIDE, .height = SIDE, .from = {128, 40, 60}, .angles = {10, 90, 0}};
    const bsp_draw_options how = {.threads = threads};
    bsp_image image;
    assert_true(bsp_renderer_draw(renderer, &view, &how, &image, NULL, &error));
    bsp_renderer_free(renderer);
    return image;
}

static void details_are_drawn(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    const bsp_detail_prop list[] = {detail(1, 2, 110), detail(2, 0, 130), detail(3, 0, 150)};
    s.map.detail_sprites = &rect;
    s.map.num_detail_sprites = 1;
    s.map.detail_props = list;
    s.map.num_detail_props = 3;
    bsp_image with = picture(&s, false, 1), again = picture(&s, false, 7);
    bsp_image without = picture(&s, true, 1);
    s.map.num_detail_props = 0;
    bsp_image none = picture(&s, false, 1);
    size_t size = (size_t)SIDE * SIDE * 4, differ = 0;
    assert_memory_equal(with.pixels, again.pixels, size);
    assert_memory_equal(without.pixels, none.pixels, size);
    for (size_t i = 0; i < size; i++) {
        differ += with.pixels[i] != without.pixels[i];
    }
    assert_true(differ > 1000);
    bsp_image_free(&with);
    bsp_image_free(&again);
    bsp_image_free(&without);
    bsp_image_free(&none);
    tear_down(&s);
}

static bool ignore(void *user, const char *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return true;
}

static uint32_t nodes_of(const stage *s, bool no_details) {
    bsp_error error = {0};
    bsp_export_report report = {0};
    const bsp_export_options options = {.file = s->file,
                                        .textures = s->textures,
                                        .light = BSP_EXPORT_LIGHT_NONE,
                                        .props = true,
                                        .no_details = no_details};
    assert_true(bsp_export_glb(&s->map, &options, ignore, NULL, &report, &error));
    return report.nodes;
}

// The sheet is named by a pair of the world, since an export takes no state.
static void details_are_nodes_of_exports(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    static const char text[] = "{\n\"classname\" \"worldspawn\"\n"
                               "\"detailmaterial\" \"" SHEET "\"\n}\n";
    const bsp_detail_prop list[] = {detail(1, 2, 110), detail(2, 0, 130), detail(3, 0, 150)};
    bsp_error error = {0};
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, &error);
    assert_non_null(entities);
    s.map.entities = entities;
    s.map.detail_sprites = &rect;
    s.map.num_detail_sprites = 1;
    s.map.detail_props = list;
    s.map.num_detail_props = 3;
    assert_int_equal(nodes_of(&s, false),
                     nodes_of(&s, true) + 3 + 1); // and the one that holds them
    bsp_entities_free(entities);
    tear_down(&s);
}

static void links_lead_to_what_is_named(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    static const char text[] =
        "{\n\"classname\" \"worldspawn\"\n}\n"
        "{\n\"targetname\" \"A\"\n\"target\" \"b\"\n\"killtarget\" \"none\"\n}\n"
        "{\n\"targetname\" \"B\"\n\"OnPressed\" \"a,Open,,0,-1\"\n\"OnX\" \"a\"\n}\n"
        "{\n\"targetname\" \"b\"\n\"NextKey\" \"b\"\n\"message\" \"a\"\n}\n";
    bsp_error error = {0};
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, &error);
    assert_non_null(entities);
    s.map.entities = entities;
    bsp_scene_links *links = bsp_scene_links_find(&s.map, NULL, &error);
    assert_non_null(links);
    static const struct {
        uint32_t source, target;
        const char *key;
    } wanted[] = {{1, 2, "target"},
                  {1, 3, "target"},
                  {2, 1, "OnPressed"},
                  {3, 2, "NextKey"},
                  {3, 3, "NextKey"}};
    assert_int_equal(links->count, sizeof wanted / sizeof *wanted);
    for (uint32_t i = 0; i < links->count; i++) {
        assert_int_equal(links->list[i].source, wanted[i].source);
        assert_int_equal(links->list[i].target, wanted[i].target);
        assert_true(bsp_text_matches(links->list[i].key, bsp_text_of(wanted[i].key)));
    }
    assert_false(links->cut);
    bsp_scene_links_free(links);
    bsp_entities_free(entities);
    tear_down(&s);
}

#define CROWD 400u // all with one name, which each calls: 160,000 links

static void links_without_end_are_cut(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    static const char one[] = "{\n\"targetname\" \"a\"\n\"target\" \"a\"\n}\n";
    static char text[CROWD * sizeof one];
    for (uint32_t i = 0; i < CROWD; i++) {
        strcat(text + i * (sizeof one - 1), one);
    }
    bsp_error error = {0};
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, &error);
    assert_non_null(entities);
    s.map.entities = entities;
    bsp_scene_links *links = bsp_scene_links_find(&s.map, NULL, &error);
    assert_non_null(links);
    assert_true(links->cut);
    assert_int_equal(links->count, BSP_LEAST_MOST_LINKS + 2 * 2 * CROWD);
    assert_int_equal(links->list[CROWD].source, 1); // those that are there are the first
    assert_int_equal(links->list[CROWD].target, 0);
    bsp_scene_links_free(links);
    bsp_entities_free(entities);
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(details_have_light_of_styles),
        cmocka_unit_test(details_lie_as_their_type_says),
        cmocka_unit_test(sprites_may_name_a_material),
        cmocka_unit_test(ropes_hang_between_their_ends),
        cmocka_unit_test(odd_ropes),
        cmocka_unit_test(details_are_drawn),
        cmocka_unit_test(details_are_nodes_of_exports),
        cmocka_unit_test(links_lead_to_what_is_named),
        cmocka_unit_test(links_without_end_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
