// SPDX-License-Identifier: MIT
// Fog, cuts, storeys, the pattern of what has no texture, and the room of the sky, in pictures of a
// made room of 256 x 256 x 128 units: colours are worked out by hand from the distance of a wall.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "render/renderer.h"
#include "support/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GREY 160 // of a plain surface
#define SIDE 33u // pixels of a picture; the middle one looks straight ahead

typedef struct stage {
    room *r;
    bsp_entities *entities;
    bsp_search *search;
    bsp_renderer *renderer;
} stage;

// A surface without an average colour is grey.
static void make_grey(room *r) {
    for (int i = 0; i < 2; i++) {
        memset(r->materials[i].reflectivity, 0, sizeof r->materials[i].reflectivity);
    }
}

// `text` must live as long as the stage; it may be without `pak`.
static stage build(const char *branch, const char *text, bsp_bytes pak, bool plain) {
    stage s = {.r = room_build(bsp_branch_find(branch)), .search = bsp_search_new(NULL, NULL)};
    s.entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    s.r->map.entities = s.entities;
    make_grey(s.r);
    assert_true(pak.size == 0 || bsp_search_add_memory(s.search, "a.pak", pak, NULL));
    const bsp_renderer_options options = {.search = s.search, .full_bright = true, .plain = plain};
    s.renderer = bsp_renderer_build(&s.r->map, NULL, &options, NULL);
    assert_non_null(s.renderer);
    return s;
}

static void end(stage *s) {
    bsp_renderer_free(s->renderer);
    bsp_search_free(s->search);
    bsp_entities_free(s->entities);
    room_free(s->r);
}

// Looks east from a place; gives the colour in the middle. Both sets of instructions agree.
static void look(const stage *s, float x, float y, bool no_fog, uint8_t out[3]) {
    const bsp_view view = {.width = SIDE, .height = SIDE, .from = {x, y, 64}};
    bsp_image image[2];
    for (int plain = 0; plain < 2; plain++) {
        const bsp_draw_options options = {.no_simd = plain != 0, .no_fog = no_fog};
        assert_true(bsp_renderer_draw(s->renderer, &view, &options, &image[plain], NULL, NULL));
    }
    size_t size = 4 * (size_t)SIDE * SIDE;
    assert_memory_equal(image[0].pixels, image[1].pixels, size);
    memcpy(out, image[0].pixels + 4 * (SIDE / 2 * SIDE + SIDE / 2), 3);
    bsp_image_free(&image[0]);
    bsp_image_free(&image[1]);
}

static void assert_near(const uint8_t is[3], double r, double g, double b) {
    const double should[3] = {r, g, b};
    for (int i = 0; i < 3; i++) {
        assert_true(fabs((double)is[i] - should[i]) <= 2);
    }
}

static double mixed(double amount, double fog) {
    return GREY + (fog - GREY) * amount;
}

// The wall is at x = 128.
static void test_linear(void **state) {
    (void)state;
    stage s = build("quake2",
                    "{\"classname\" \"worldspawn\"}{\"classname\" \"env_fog_controller\" "
                    "\"fogenable\" \"1\" \"fogcolor\" \"0 80 240\" \"fogstart\" \"28\" "
                    "\"fogend\" \"228\" \"fogmaxdensity\" \"0.75\"}",
                    (bsp_bytes){NULL, 0}, true);
    uint8_t color[3];
    look(&s, 0, 64, true, color);
    assert_near(color, GREY, GREY, GREY);
    look(&s, 0, 64, false, color); // 128 units: half of the way from 28 to 228
    assert_near(color, mixed(0.5, 0), mixed(0.5, 80), mixed(0.5, 240));
    look(&s, 108, 64, false, color);
    assert_near(color, GREY, GREY, GREY);
    look(&s, -120, 64, false, color); // more than 0.75 would be
    assert_near(color, mixed(0.75, 0), mixed(0.75, 80), mixed(0.75, 240));
    end(&s);
}

static void test_exponential(void **state) {
    (void)state;
    stage s = build("quake2", "{\"classname\" \"worldspawn\" \"fog\" \"0.32 1 0 0\"}",
                    (bsp_bytes){NULL, 0}, true);
    uint8_t color[3];
    double amount = 1 - exp(-(0.32 / 64 * 128) * (0.32 / 64 * 128));
    look(&s, 0, 64, false, color);
    assert_near(color, mixed(amount, 255), mixed(amount, 0), mixed(amount, 0));
    end(&s);
}

static void test_off(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{\"classname\" \"worldspawn\" \"fog\" \"0 1 0 0\"}",
        "{\"classname\" \"worldspawn\" \"fog\" \"x\" \"fog_density\" \"-3\"}",
        "{\"classname\" \"env_fog_controller\" \"fogend\" \"100\"}",
        "{\"classname\" \"env_fog_controller\" \"fogenable\" \"1\" \"fogstart\" \"9\"}",
        "{\"classname\" \"worldspawn\" \"fog\" \"nan 1 0 0\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        stage s = build("quake2", texts[i], (bsp_bytes){NULL, 0}, true);
        uint8_t color[3];
        look(&s, 0, 64, false, color);
        assert_near(color, GREY, GREY, GREY);
        end(&s);
    }
}

// --- volumes ------------------------------------------------------------------------------------

static void put32(uint8_t *at, size_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

// A PAK of one file. Returns its size.
static size_t pack(const char *name, const char *text, uint8_t *out) {
    size_t size = strlen(text);
    memset(out, 0, 12 + size + 64);
    memcpy(out, "PACK", 4);
    put32(out + 4, 12 + size);
    put32(out + 8, 64);
    memcpy(out + 12, text, size);
    snprintf((char *)out + 12 + size, 56, "%s", name);
    put32(out + 12 + size + 56, 12);
    put32(out + 12 + size + 60, size);
    return 12 + size + 64;
}

// Fog from x = 96 on, through which nothing is seen after 100 units. A wall at 128 is in 32 of them
// where the eye is before the fog, and in as many as its distance where it is in it. It grows with
// the root.
static void test_volume(void **state) {
    (void)state;
    uint8_t pak[512];
    size_t size = pack("scripts/a.shader", "a/fog\n{\nfogparms ( 1 0 0 ) 100\n}\n", pak);
    room *r = room_build(bsp_branch_find("quake3"));
    bsp_entities *entities =
        bsp_entities_parse(bsp_text_of("{\"classname\" \"worldspawn\"}"), NULL, NULL, NULL);
    r->map.entities = entities;
    make_grey(r);
    r->materials[1].name = bsp_text_of("a/fog"); // the first is of the walls
    static bsp_brush_side side;
    static bsp_brush brush = {.num_sides = 1};
    static bsp_plane plane = {.normal = {-1, 0, 0}, .dist = -96};
    side.plane = 0;
    bsp_fog fog = {.name = "a/fog", .brush = 0, .visible_side = 0};
    for (uint32_t i = 0; i < ROOM_FACES; i++) {
        r->faces[i].fog = 0;
        r->faces[i].material = 0;
    }
    bsp_map map = r->map;
    map.fogs = &fog;
    map.num_fogs = 1;
    map.brushes = &brush;
    map.num_brushes = 1;
    map.brush_sides = &side;
    map.num_brush_sides = 1;
    // The plane of the fog is one more than those of the tree.
    bsp_plane *planes = malloc(((size_t)map.num_planes + 1) * sizeof *planes);
    assert_non_null(planes);
    memcpy(planes, map.planes, map.num_planes * sizeof *planes);
    planes[map.num_planes] = plane;
    side.plane = map.num_planes;
    map.planes = planes;
    map.num_planes++;
    stage s = {.r = r, .search = bsp_search_new(NULL, NULL)};
    assert_true(bsp_search_add_memory(s.search, "a.pak", (bsp_bytes){pak, size}, NULL));
    const bsp_renderer_options options = {.search = s.search, .full_bright = true, .plain = true};
    s.renderer = bsp_renderer_build(&map, NULL, &options, NULL);
    assert_non_null(s.renderer);
    assert_true(s.renderer->num_volumes == 1 && s.renderer->volumes[0].fog.on);
    uint8_t color[3];
    look(&s, 0, 64, false, color);
    double amount = sqrt(0.32);
    assert_near(color, mixed(amount, 255), mixed(amount, 0), mixed(amount, 0));
    look(&s, 108, 64, false, color);
    amount = sqrt(0.2);
    assert_near(color, mixed(amount, 255), mixed(amount, 0), mixed(amount, 0));
    look(&s, 108, 64, true, color);
    assert_near(color, GREY, GREY, GREY);
    free(planes);
    bsp_renderer_free(s.renderer);
    bsp_search_free(s.search);
    bsp_entities_free(entities);
    room_free(r);
}

// --- from above ---------------------------------------------------------------------------------

static uint32_t count_paper(const stage *s, bool cuts, float cut) {
    static const uint8_t paper[4] = {24, 26, 30, 255};
    const bsp_view view = {.width = 64, .height = 64, .top = true, .cuts = cuts, .cut = cut};
    bsp_image image;
    uint32_t count = 0;
    assert_true(bsp_renderer_draw(s->renderer, &view, NULL, &image, NULL, NULL));
    for (uint32_t i = 0; i < 64 * 64; i++) {
        count += memcmp(image.pixels + 4 * (size_t)i, paper, 4) == 0;
    }
    bsp_image_free(&image);
    return count;
}

// The floor is at 0, and seen where the cut is above it.
static void test_cut(void **state) {
    (void)state;
    stage s = build("quake2", "{\"classname\" \"worldspawn\"}", (bsp_bytes){NULL, 0}, true);
    uint32_t whole = count_paper(&s, false, 0);
    assert_true(whole < 64 * 64 / 4);
    assert_int_equal(count_paper(&s, true, 10000), whole);
    assert_int_equal(count_paper(&s, true, 1), whole);
    assert_int_equal(count_paper(&s, true, -1), 64 * 64);
    bsp_storey storeys[BSP_MOST_STOREYS];
    assert_int_equal(bsp_renderer_storeys(s.renderer, storeys), 1);
    assert_true(fabsf(storeys[0].floor) <= 16 && storeys[0].cut > 64 && storeys[0].cut < 128);
    end(&s);
}

// Turns over what faces down, so that ceilings are roofs.
static void turn_ceilings(bsp_renderer *renderer) {
    for (uint32_t i = 0; i + 2 < renderer->num_indices; i += 3) {
        uint32_t *index = &renderer->indices[i];
        if (renderer->vertices[index[0]].normal[2] < -0.9F) {
            uint32_t first = index[0];
            index[0] = index[1];
            index[1] = first;
        }
    }
}

// Makes the ceilings four times as wide and as long.
static void spread_ceilings(bsp_renderer *renderer) {
    for (uint32_t i = 0; i < renderer->num_vertices; i++) {
        bsp_mesh_vertex *v = &renderer->vertices[i];
        for (int k = 0; v->normal[2] < -0.9F && k < 2; k++) {
            v->position[k] *= 4;
        }
    }
    for (int k = 0; k < 2; k++) {
        renderer->mins[k] *= 4;
        renderer->maxs[k] *= 4;
        for (uint32_t i = 0; i < renderer->num_pieces; i++) {
            renderer->pieces[i].mins[k] = renderer->mins[k];
            renderer->pieces[i].maxs[k] = renderer->maxs[k];
        }
    }
}

// Both starts stand in the room, under its ceiling.
static void test_roof(void **state) {
    (void)state;
    stage s = build("quake2",
                    "{\"classname\" \"info_player_start\" \"origin\" \"-64 -64 24\"}"
                    "{\"classname\" \"info_player_deathmatch\" \"origin\" \"64 64 24\"}",
                    (bsp_bytes){NULL, 0}, true);
    float cut = -7;
    assert_false(bsp_renderer_roof_cut(s.renderer, &cut));
    assert_true(cut == -7);
    turn_ceilings(s.renderer);
    assert_true(bsp_renderer_roof_cut(s.renderer, &cut));
    assert_true(cut > 64 && cut < s.renderer->maxs[2]);
    // The room is a sixteenth of a map that is as large as its ceilings are now.
    cut = -7;
    spread_ceilings(s.renderer);
    assert_false(bsp_renderer_roof_cut(s.renderer, &cut));
    assert_true(cut == -7);
    s.r->map.entities = NULL; // no start any more
    assert_false(bsp_renderer_roof_cut(s.renderer, &cut));
    end(&s);
}

// --- the pattern --------------------------------------------------------------------------------

static void test_pattern(void **state) {
    (void)state;
    stage s = build("quake2", "{\"classname\" \"worldspawn\"}", (bsp_bytes){NULL, 0}, false);
    uint8_t color[3];
    look(&s, 0, 64, false, color);
    assert_true(color[0] == color[1] && color[1] == color[2]);
    assert_true(color[0] >= 130 && color[0] <= 156);
    assert_true(bsp_renderer_missing(s.renderer) != 0);
    end(&s);
}

// --- the room of the sky ------------------------------------------------------------------------

// Quarters of the room are leaves; that of x, y < 0 does not see that of x > 0. A camera in the
// first makes it the room of the sky: what only that leaf lists is drawn in its place only.
static void test_room(void **state) {
    (void)state;
    static const char text[] = "{\"classname\" \"worldspawn\"}"
                               "{\"classname\" \"info_player_start\" \"origin\" \"64 0 24\"}"
                               "{\"classname\" \"sky_camera\" \"origin\" \"-64 -64 64\" "
                               "\"scale\" \"4\" \"fogenable\" \"1\" \"fogend\" \"80\"}";
    stage s = build("source_20", text, (bsp_bytes){NULL, 0}, true);
    assert_true(s.renderer->room.found && s.renderer->room.factor == 0.25F);
    assert_true(s.renderer->room_fog.on && !s.renderer->fog.on);
    // 80 units of the world are 20 of the room: there the table ends.
    assert_true(fabsf(s.renderer->room_fog.scale - (float)BSPI_FOG_STEPS / 20) < 1e-3F);
    end(&s);
    stage none = build("source_20",
                       "{\"classname\" \"info_player_start\" \"origin\" \"-64 -64 24\"}"
                       "{\"classname\" \"sky_camera\" \"origin\" \"-64 -64 64\"}",
                       (bsp_bytes){NULL, 0}, true);
    assert_false(none.renderer->room.found); // the player stands in it
    end(&none);
}

// --- liquids, overlays --------------------------------------------------------------------------

static bsp_image pool(bsp_renderer *renderer, float time, float yaw) {
    const bsp_view view = {
        .width = 64, .height = 48, .from = {400, 128, 40}, .angles = {20, yaw, 0}};
    bsp_image image[2];
    renderer->warp_time = time;
    for (int plain = 0; plain < 2; plain++) {
        const bsp_draw_options options = {.no_simd = plain != 0};
        assert_true(bsp_renderer_draw(renderer, &view, &options, &image[plain], NULL, NULL));
    }
    assert_memory_equal(image[0].pixels, image[1].pixels, 4 * 64 * 48);
    bsp_image_free(&image[1]);
    return image[0];
}

static uint32_t count_changed(bsp_renderer *renderer, float time, float yaw) {
    bsp_image before = pool(renderer, 0, yaw);
    bsp_image after = pool(renderer, time, yaw);
    uint32_t count = 0;
    for (size_t i = 0; i < 4 * (size_t)64 * 48; i++) {
        count += abs(before.pixels[i] - after.pixels[i]) > 3;
    }
    bsp_image_free(&before);
    bsp_image_free(&after);
    return count;
}

// A pool lies to the east. It ripples; after a turn of a radian a second it is as it was, and
// nothing else moves.
static void test_ripples(void **state) {
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/quake/lobby.bsp", BSP_TEST_SAMPLES);
    bsp_file *file = bsp_file_open(path, NULL, NULL);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    bsp_renderer *renderer = bsp_renderer_build(map, file, NULL, NULL);
    assert_non_null(renderer);
    assert_true(count_changed(renderer, 3.14159265F, 0) > 20);
    assert_int_equal(count_changed(renderer, 6.28318531F, 0), 0);
    assert_int_equal(count_changed(renderer, 3.14159265F, 180), 0);
    bsp_renderer_free(renderer);
    bsp_map_free(map);
    bsp_file_close(file);
}

// An overlay is drawn up to the distance that its record says, from its middle.
static void test_fade(void **state) {
    (void)state;
    room *r = room_build(bsp_branch_find("source_20"));
    r->overlay_fades[0].max_sq = 100 * 100;
    bsp_renderer *renderer = bsp_renderer_build(&r->map, NULL, NULL, NULL);
    assert_non_null(renderer);
    const bspi_piece *overlay = NULL;
    for (uint32_t i = 0; i < renderer->num_pieces; i++) {
        overlay = renderer->pieces[i].fade > 0 ? &renderer->pieces[i] : overlay;
    }
    assert_true(overlay != NULL && fabsf(overlay->fade - 100) < 1e-3F);
    uint32_t seen[2];
    for (int far = 0; far < 2; far++) {
        bsp_view view = {.width = 8, .height = 8, .angles = {90, 0, 0}, .fov = 170};
        for (int axis = 0; axis < 3; axis++) {
            view.from[axis] = (overlay->mins[axis] + overlay->maxs[axis]) / 2;
        }
        view.from[2] += far != 0 ? 101 : 99;
        const bsp_draw_options options = {.no_vis = true};
        bsp_draw_stats stats;
        bsp_image image;
        assert_true(bsp_renderer_draw(renderer, &view, &options, &image, &stats, NULL));
        seen[far] = stats.faces_in_view;
        bsp_image_free(&image);
    }
    assert_int_equal(seen[0], seen[1] + 1);
    bsp_renderer_free(renderer);
    room_free(r);
}

// --- flares -------------------------------------------------------------------------------------

// A flare at 128 units before the eye is a square of 2 * 33 * (40 / 640 + 8 / 128) pixels, 8.25: of
// its colour, added. From its back nothing is seen.
static void test_flare(void **state) {
    (void)state;
    stage s = build("quake2", "{\"classname\" \"worldspawn\"}", (bsp_bytes){NULL, 0}, true);
    bspi_flare flare = {
        .origin = {100, 64, 64}, .normal = {-1, 0, 0}, .color = {0.125F, 0, 0}, .texture = 0};
    s.renderer->flares = &flare;
    s.renderer->num_flares = 1;
    const bsp_view view = {.width = SIDE, .height = SIDE, .from = {-28, 64, 64}};
    for (int turned = 0; turned < 2; turned++) {
        bsp_image image[2];
        for (int drawn = 0; drawn < 2; drawn++) {
            const bsp_draw_options options = {.flares = drawn != 0};
            assert_true(bsp_renderer_draw(s.renderer, &view, &options, &image[drawn], NULL, NULL));
        }
        uint32_t count = 0;
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            int by = image[1].pixels[4 * i] - image[0].pixels[4 * i];
            count += by != 0;
            assert_true(by == 0 || abs(by - GREY / 8) <= 1);
            assert_int_equal(image[1].pixels[4 * i + 1], image[0].pixels[4 * i + 1]);
        }
        assert_true(turned != 0 ? count == 0 : count >= 64 && count <= 81);
        bsp_image_free(&image[0]);
        bsp_image_free(&image[1]);
        flare.normal[0] = 1;
    }
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),  cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_off),     cmocka_unit_test(test_volume),
        cmocka_unit_test(test_cut),     cmocka_unit_test(test_roof),
        cmocka_unit_test(test_pattern), cmocka_unit_test(test_room),
        cmocka_unit_test(test_flare),   cmocka_unit_test(test_fade),
        cmocka_unit_test(test_ripples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
