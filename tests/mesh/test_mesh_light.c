// SPDX-License-Identifier: MIT
// Light: what luxels become, on luxels made here whose results are worked out by hand; where they
// lie on the pages; the light grid; and that damaged or too large light is refused.
#include "bspkit/mesh.h"
#include "mesh/pack.h"
#include "mesh/shade.h"
#include "support/each_map.h"
#include "support/room.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- luxels -------------------------------------------------------------------------------------

static void shade_one(bspi_luxel_format format, const uint8_t *data, uint32_t num_styles,
                      float gain, float range, uint8_t out[4]) {
    float styles[BSP_LIGHT_STYLES] = {1, 0.5F};
    bspi_shade shade;
    bspi_luxels luxels = {.data = data,
                          .format = format,
                          .width = 1,
                          .height = 1,
                          .blocks = 1,
                          .num_styles = num_styles,
                          .styles = {0, 1}};
    bspi_shade_init(&shade, styles, gain, range);
    bspi_shade_luxels(&shade, &luxels, 0, 1, out);
}

static void check_texel(const uint8_t got[4], int r, int g, int b) {
    assert_int_equal(got[0], r);
    assert_int_equal(got[1], g);
    assert_int_equal(got[2], b);
    assert_int_equal(got[3], 255);
}

static void test_bytes(void **state) {
    (void)state;
    uint8_t out[4];
    static const uint8_t grey[2] = {40, 20};
    shade_one(BSPI_GREY8, grey, 1, 2, 1, out);
    check_texel(out, 80, 80, 80);
    shade_one(BSPI_GREY8, grey, 2, 2, 1, out); // 2 * (40 + 20 / 2)
    check_texel(out, 100, 100, 100);
    static const uint8_t rgb[3] = {10, 20, 30};
    shade_one(BSPI_RGB8, rgb, 1, 4, 1, out);
    check_texel(out, 40, 80, 120);
    shade_one(BSPI_RGB8, rgb, 1, 4, 2, out); // white stands for twice as much
    check_texel(out, 20, 40, 60);
    static const uint8_t bright[3] = {50, 100, 25};
    shade_one(BSPI_RGB8, bright, 1, 4, 1, out); // 200 400 100: scaled by 255 / 400
    check_texel(out, 128, 255, 64);
}

// RGBExp32 255 255 255 with exponent 0 is 1; gamma 2.2 keeps it. With exponent -1 it is a half:
// 255 * 0.5^(1/2.2) = 186.08; with -2 135.79; 64 / 255 * 2 = 0.50196: 186.4.
static void test_linear(void **state) {
    (void)state;
    uint8_t out[4];
    static const uint8_t full[4] = {255, 255, 255, 0};
    shade_one(BSPI_RGBEXP32, full, 1, 1, 1, out);
    check_texel(out, 255, 255, 255);
    static const uint8_t half[4] = {255, 0, 255, 0xFF};
    shade_one(BSPI_RGBEXP32, half, 1, 1, 1, out);
    check_texel(out, 186, 0, 186);
    static const uint8_t quarter[4] = {255, 255, 255, 0xFE};
    shade_one(BSPI_RGBEXP32, quarter, 1, 1, 1, out);
    check_texel(out, 136, 136, 136);
    static const uint8_t up[4] = {64, 64, 64, 1};
    shade_one(BSPI_RGBEXP32, up, 1, 1, 1, out);
    check_texel(out, 186, 186, 186);
    // Four times too bright: red stays at the top, green is a quarter of it.
    static const uint8_t over[4] = {252, 63, 0, 2};
    shade_one(BSPI_RGBEXP32, over, 1, 1, 1, out);
    check_texel(out, 255, 136, 0);
}

// The thresholds agree with the C library's pow for every value.
static void test_gamma(void **state) {
    (void)state;
    bspi_shade shade;
    static const float styles[BSP_LIGHT_STYLES] = {1};
    bspi_shade_init(&shade, styles, 1, 1);
    for (int i = 1; i < 256; i++) {
        double wanted = pow((i - 0.5) / 255, 2.2);
        assert_true(fabs((double)shade.steps[i] - wanted) <= 1e-6 * wanted);
    }
}

// --- packing ------------------------------------------------------------------------------------

// Counts the thresholds that a light reaches: the value of the texel, without a search.
static uint32_t count_steps(const bspi_shade *shade, float light) {
    uint32_t count = 0;
    for (int i = 1; i < 256; i++) {
        count += light >= shade->steps[i];
    }
    return count;
}

// Every byte and exponent of a luxel, in ranges of which the tiny one has no rising thresholds.
static void test_steps(void **state) {
    (void)state;
    static const float ranges[] = {1, 2, 0.1F, 37, 1e-30F};
    static const float styles[BSP_LIGHT_STYLES] = {1};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        bspi_shade shade;
        bspi_shade_init(&shade, styles, 1, ranges[r]);
        for (uint32_t n = 0; n < 65536; n++) {
            const uint8_t luxel[4] = {(uint8_t)(n & 255), 0, 0, (uint8_t)(n >> 8)};
            bspi_luxels luxels = {.data = luxel, .format = BSPI_RGBEXP32, .width = 1, .height = 1};
            luxels.blocks = luxels.num_styles = 1;
            uint8_t out[4];
            float rgb[3];
            bspi_shade_luxels(&shade, &luxels, 0, 1, out);
            bsp_light_decode(luxel, rgb);
            float scale = rgb[0] > shade.full ? shade.full / rgb[0] : 1;
            assert_int_equal(out[0], count_steps(&shade, rgb[0] * scale));
        }
    }
}

// The shared exponent is a power of two, to the bit, down to numbers below the least normal one.
static void test_exponents(void **state) {
    (void)state;
    for (int exponent = -128; exponent < 128; exponent++) {
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint8_t luxel[4] = {(uint8_t)byte, (uint8_t)byte, 1, (uint8_t)exponent};
            float rgb[3];
            bsp_light_decode(luxel, rgb);
            float wanted = ldexpf((float)byte, exponent) / 255;
            assert_memory_equal(&rgb[0], &wanted, sizeof wanted);
            assert_memory_equal(&rgb[1], &wanted, sizeof wanted);
        }
    }
}

static void test_pack(void **state) {
    (void)state;
    enum { COUNT = 300, SIDE = 128 };
    static bspi_rect rects[COUNT];
    static uint8_t used[64][SIDE][SIDE];
    bspi_heap heap;
    bspi_arena arena;
    bspi_page_size *pages;
    uint32_t num_pages;
    bspi_heap_init(&heap, NULL, 0);
    bspi_arena_init(&arena, &heap);
    memset(used, 0, sizeof used);
    for (uint32_t i = 0; i < COUNT; i++) {
        rects[i] = (bspi_rect){3 + i * 7 % 31, 3 + i * 11 % 37, i, 0, 0, 0};
    }
    assert_true(bspi_light_pack(rects, COUNT, SIDE, &arena, &pages, &num_pages, NULL));
    assert_in_range(num_pages, 1, 64);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(rects[i].page < num_pages);
        assert_true(rects[i].x + rects[i].width <= pages[rects[i].page].width);
        assert_true(rects[i].y + rects[i].height <= pages[rects[i].page].height);
        for (uint32_t y = 0; y < rects[i].height; y++) {
            for (uint32_t x = 0; x < rects[i].width; x++) {
                assert_int_equal(used[rects[i].page][rects[i].y + y][rects[i].x + x]++, 0);
            }
        }
    }
    bspi_arena_free(&arena);
}

// In the order of the caller, by hand: pages of 10 x 10.
static void test_shelf(void **state) {
    (void)state;
    static const struct {
        uint32_t size[2];
        bspi_shelf_place place;
    } rows[] = {
        {{4, 3}, {0, 0, 0}},  {{6, 2}, {0, 4, 0}}, // the row is full
        {{5, 4}, {0, 0, 3}},  {{3, 5}, {0, 5, 3}}, // higher than the first of its row
        {{3, 2}, {0, 0, 8}},  {{7, 2}, {0, 3, 8}}, // the page is full
        {{1, 1}, {1, 0, 0}},  {{1, 9}, {1, 1, 0}},
        {{9, 1}, {1, 0, 9}},  {{1, 2}, {2, 0, 0}},  // beside the last it would reach below
        {{10, 9}, {3, 0, 0}},                       // no page is left empty
        {{11, 1}, {3, 0, 9}}, {{1, 12}, {4, 0, 0}}, // larger than a page
        {{1, 1}, {4, 1, 0}},
    };
    bspi_shelf shelf = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bspi_shelf_place at = bspi_shelf_add(&shelf, rows[i].size[0], rows[i].size[1], 10, 10);
        assert_int_equal(at.page, rows[i].place.page);
        assert_int_equal(at.x, rows[i].place.x);
        assert_int_equal(at.y, rows[i].place.y);
    }
}

static void test_pack_large(void **state) {
    (void)state;
    bspi_rect rects[3] = {{300, 10, 0, 0, 0, 0}, {10, 500, 1, 0, 0, 0}, {5, 5, 2, 0, 0, 0}};
    bspi_heap heap;
    bspi_arena arena;
    bspi_page_size *pages;
    uint32_t num_pages;
    bspi_heap_init(&heap, NULL, 0);
    bspi_arena_init(&arena, &heap);
    assert_true(bspi_light_pack(rects, 3, 128, &arena, &pages, &num_pages, NULL));
    assert_int_equal(pages[0].width, 300);
    for (int i = 0; i < 3; i++) {
        assert_true(rects[i].y + rects[i].height <= pages[rects[i].page].height);
    }
    bspi_arena_free(&arena);
}

// --- several styles on a page (RBSP) ------------------------------------------------------------

enum { PAGE = 8, PAGE_BYTES = PAGE * PAGE * 3 };

typedef struct paged_scene {
    uint8_t light[2 * PAGE_BYTES];
    bsp_draw_vert vert;
    bsp_face face;
    bsp_face_light face_light;
    bsp_traits traits;
    bsp_branch branch;
    bsp_map map;
} paged_scene;

// One face of 3 x 2 luxels: style 0 at (2, 1) of page 0, style 1 at (4, 3) of page 1.
static void begin_paged(paged_scene *s) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < PAGE_BYTES; i++) {
        s->light[i] = (uint8_t)(i / 3); // page 0: number of the luxel
        s->light[PAGE_BYTES + i] = 20;
    }
    s->traits = (bsp_traits){.light = BSP_LIGHT_PAGES,
                             .draws_vertices = true,
                             .light_page = PAGE,
                             .light_gain = 4,
                             .surface = bsp_branch_traits(bsp_branch_find("rbsp"))->surface};
    s->branch = (bsp_branch){.name = "rbsp", .family = BSP_QUAKE3};
    s->vert.light_uv[0][0] = 2.5F / PAGE;
    s->vert.light_uv[0][1] = 1.5F / PAGE;
    s->face = (bsp_face){.type = BSP_FACE_MESH, .num_verts = 1};
    s->face_light = (bsp_face_light){.styles = {0, 1, 255, 255},
                                     .size = {3, 2},
                                     .page = {0, 1, -3, -3},
                                     .x = {2, 4, 0, 0},
                                     .y = {1, 3, 0, 0}};
    s->map = (bsp_map){.branch = &s->branch, .traits = &s->traits};
    s->map.draw_verts = &s->vert;
    s->map.num_draw_verts = 1;
    s->map.faces = &s->face;
    s->map.num_faces = 1;
    s->map.face_lights = &s->face_light;
    s->map.num_face_lights = 1;
    s->map.light = (bsp_bytes){s->light, sizeof s->light};
}

static const uint8_t *texel_at(const bsp_lightmap *light, uint32_t x, uint32_t y) {
    const bsp_light_face *face = &light->faces[0];
    const bsp_light_page *page = &light->pages[face->page];
    return page->rgba + 4 * ((size_t)(face->y + y) * page->width + face->x + x);
}

static void test_styles(void **state) {
    (void)state;
    paged_scene s;
    begin_paged(&s);
    bsp_lightmap_options options = {.other_styles = 0.5F, .gain = 1};
    bsp_lightmap *light = bsp_lightmap_build(&s.map, NULL, &options, NULL);
    assert_non_null(light);
    const bsp_light_face *face = &light->faces[0];
    assert_int_equal(face->width, 3);
    assert_int_equal(face->height, 2);
    for (uint32_t y = 0; y < 2; y++) {
        for (uint32_t x = 0; x < 3; x++) { // luxel number of page 0, and half of 20
            int wanted = (int)((1 + y) * PAGE + 2 + x) + 10;
            check_texel(texel_at(light, x, y), wanted, wanted, wanted);
        }
    }
    float u = s.vert.light_uv[0][0] * face->scale[0] + face->offset[0];
    assert_true(fabsf(u * (float)light->pages[0].width - ((float)face->x + 0.5F)) < 1e-3F);
    bsp_lightmap_free(light);

    options.other_styles = 0; // the file's page serves as it is
    light = bsp_lightmap_build(&s.map, NULL, &options, NULL);
    assert_non_null(light);
    assert_int_equal(light->faces[0].width, PAGE);
    check_texel(texel_at(light, 2, 1), 10, 10, 10);
    bsp_lightmap_free(light);
}

static void test_externals(void **state) {
    (void)state;
    paged_scene s;
    begin_paged(&s);
    static const uint8_t rgb[2 * 1 * 3] = {1, 2, 3, 4, 5, 6};
    bsp_light_image images[1] = {{.rgb = rgb, .width = 2, .height = 1}};
    bsp_external_light external = {.pages = images, .num_pages = 1};
    bsp_lightmap_options options = {.external = &external, .gain = 1};
    s.map.light.size = 0;
    bsp_lightmap *light = bsp_lightmap_build(&s.map, NULL, &options, NULL);
    assert_non_null(light);
    assert_int_equal(light->num_lit, 1);
    check_texel(texel_at(light, 1, 0), 4, 5, 6);
    bsp_lightmap_free(light);
    static const uint32_t of_material[1] = {0}; // a shader names the page, the face names none
    static const bsp_material material = {.name = {"a", 1}};
    s.face_light.page[0] = -3;
    s.face.material = 0;
    s.map.materials = &material;
    s.map.num_materials = 1;
    external.of_material = of_material;
    external.num_materials = 1;
    light = bsp_lightmap_build(&s.map, NULL, &options, NULL);
    assert_non_null(light);
    assert_int_equal(light->num_lit, 1);
    check_texel(texel_at(light, 1, 0), 4, 5, 6);
    bsp_lightmap_free(light);
    s.face_light.page[0] = 0;
    light = bsp_lightmap_build(&s.map, NULL, NULL, NULL);
    assert_non_null(light);
    assert_int_equal(light->num_pages, 0);
    assert_int_equal(light->num_dropped, 1);
    bsp_lightmap_free(light);
}

// --- pages of maps ------------------------------------------------------------------------------

// Every face's rectangle repeats its outermost luxels around it, and no two overlap.
static void do_borders(const each_map *m, void *user) {
    (void)user;
    bsp_lightmap *light = bsp_lightmap_build(m->map, m->file, NULL, NULL);
    assert_non_null(light);
    for (uint32_t f = 0; f < light->num_faces; f++) {
        const bsp_light_face *face = &light->faces[f];
        if (face->page == BSP_NONE) {
            continue;
        }
        const bsp_light_page *page = &light->pages[face->page];
        assert_true(face->x >= 1 && face->x + face->width < page->width);
        assert_true(face->y >= 1 && face->y + face->height < page->height);
        const uint8_t *first = page->rgba + 4 * ((size_t)face->y * page->width + face->x);
        assert_memory_equal(first, first - 4, 4);
        assert_memory_equal(first, first - 4 * ((size_t)page->width + 1), 4);
        const uint8_t *last =
            first + 4 * ((size_t)(face->height - 1) * page->width + (face->width - 1));
        assert_memory_equal(last, last + 4, 4);
        assert_memory_equal(last, last + 4 * ((size_t)page->width + 1), 4);
    }
    bsp_lightmap_free(light);
}

static void test_borders(void **state) {
    (void)state;
    (void)each_map_do(do_borders, NULL);
}

// The pages with a memory limit that is too small are refused, and nothing is lost.
static void do_limit(const each_map *m, void *user) {
    (void)user;
    bsp_error error = {0};
    bsp_limits limits = {.memory = 100};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    bsp_lightmap_options options = {.budget = budget};
    if (m->map->num_faces > 100) {
        assert_null(bsp_lightmap_build(m->map, m->file, &options, &error));
        assert_int_equal(error.code, BSP_E_LIMIT);
        bsp_mesh_options mesh_options = {.budget = budget};
        assert_null(bsp_mesh_build(m->map, &mesh_options, &error));
        assert_int_equal(error.code, BSP_E_LIMIT);
    }
    bsp_budget_free(budget);
}

static void test_limit(void **state) {
    (void)state;
    (void)each_map_do(do_limit, NULL);
}

// --- faces without light ------------------------------------------------------------------------

// A texinfo's flag 1 is for what is never lit; so are skies and liquids by their names.
static bool is_special(const bsp_map *map, const bsp_face *face) {
    const bsp_texinfo *tex = &map->texinfos[face->texinfo];
    bsp_text name =
        tex->material < map->num_materials ? map->materials[tex->material].name : bsp_text_of("");
    bool sky = name.size >= 3 && (name.data[0] | 32) == 's' && (name.data[1] | 32) == 'k' &&
               (name.data[2] | 32) == 'y';
    return (tex->flags & 1) != 0 || sky ||
           (name.size != 0 && (name.data[0] == '*' || name.data[0] == '!'));
}

// In Quake and GoldSrc a face that could be lit and is not has black under all its vertices; where
// nothing is lit at all, and in the other families, it has no luxels.
static void do_black(const each_map *m, void *user) {
    unsigned *counts = user;
    const bsp_map *map = m->map;
    bsp_family family = map->branch->family;
    bool dark = family == BSP_QUAKE || family == BSP_GOLDSRC;
    if (map->traits->draws_vertices || map->num_face_lights != map->num_faces) {
        return;
    }
    bsp_lightmap *light = bsp_lightmap_build(map, NULL, NULL, NULL);
    assert_non_null(light);
    bsp_mesh_options options = {.lightmap = light, .hidden = true};
    bsp_mesh *mesh = bsp_mesh_build(map, &options, NULL);
    assert_non_null(mesh);
    unsigned black = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        const bsp_face_light *stored = &map->face_lights[f];
        if ((stored->offset != BSP_NONE && stored->styles[0] != 255) ||
            map->faces[f].texinfo >= map->num_texinfos) {
            continue;
        }
        bool should = dark && map->light.size != 0 && !is_special(map, &map->faces[f]);
        if ((light->faces[f].page != BSP_NONE) != should) {
            fail_msg("%s: face %u", m->name, f);
        }
        black += should;
        for (uint32_t i = 0; should && mesh->of_face[f] != BSP_NONE &&
                             i < mesh->faces[mesh->of_face[f]].num_vertices;
             i++) {
            const bsp_light_page *page = &light->pages[light->faces[f].page];
            const float *uv =
                mesh->vertices[mesh->faces[mesh->of_face[f]].first_vertex + i].light_uv;
            uint32_t x = (uint32_t)(uv[0] * (float)page->width);
            uint32_t y = (uint32_t)(uv[1] * (float)page->height);
            assert_true(x < page->width && y < page->height);
            const uint8_t *texel = page->rgba + 4 * ((size_t)y * page->width + x);
            assert_int_equal(texel[0] | texel[1] | texel[2], 0);
            counts[2]++;
        }
    }
    assert_int_equal(light->num_black, black);
    counts[0] += black != 0;
    counts[1] += black;
    bsp_mesh_free(mesh);
    bsp_lightmap_free(light);
}

static void test_black(void **state) {
    (void)state;
    unsigned counts[3] = {0, 0, 0};
    unsigned corpus = each_map_do(do_black, counts);
    print_message("%u maps with %u faces that are black, at %u vertices\n", counts[0], counts[1],
                  counts[2]);
    assert_true(corpus == 0 || counts[2] != 0);
}

// Quake 3: a page that is not there means the light of the vertices, -1 means none at all.
static void test_lost_page(void **state) {
    (void)state;
    static const struct {
        int32_t page;
        bool by_vertex;
    } cases[] = {{0, false}, {-1, false}, {-3, true}, {50, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        room *r = room_build(bsp_branch_find("quake3"));
        for (uint32_t f = 0; f < ROOM_FACES; f++) {
            r->face_lights[f].page[0] = cases[c].page;
        }
        bsp_lightmap *light = bsp_lightmap_build(&r->map, NULL, NULL, NULL);
        assert_non_null(light);
        bsp_mesh_options options = {.lightmap = light};
        bsp_mesh *mesh = bsp_mesh_build(&r->map, &options, NULL);
        assert_non_null(mesh);
        assert_true(mesh->num_groups != 0);
        for (uint32_t g = 0; g < mesh->num_groups; g++) {
            assert_int_equal((mesh->groups[g].bits & BSP_SURFACE_VERTEX_LIT) != 0,
                             cases[c].by_vertex);
        }
        bsp_mesh_free(mesh);
        bsp_lightmap_free(light);
        room_free(r);
    }
}

// --- light in space -----------------------------------------------------------------------------

static void do_grid(const each_map *m, void *user) {
    unsigned *counts = user;
    bsp_light_grid grid;
    if (m->map->num_light_grid == 0) {
        return;
    }
    assert_true(bsp_light_grid_of(m->map, &grid));
    uint64_t cells = (uint64_t)grid.size[0] * grid.size[1] * grid.size[2];
    uint64_t stored =
        m->map->num_light_array != 0 ? m->map->num_light_array : m->map->num_light_grid;
    counts[0]++;
    if (cells != stored) {
        counts[1]++;
        print_message("%s: %llu cells from the bounds, %llu in the file\n", m->name,
                      (unsigned long long)cells, (unsigned long long)stored);
    }
    assert_true(m->map->num_light_array != 0 ||
                bsp_light_grid_cell(m->map, &grid, 0, 0, 0) == m->map->light_grid);
    assert_null(bsp_light_grid_cell(m->map, &grid, grid.size[0], 0, 0));
    unsigned lit = 0;
    for (uint32_t z = 0; z < grid.size[2]; z++) {
        const float point[3] = {grid.origin[0] + grid.step[0] * (float)grid.size[0] / 2,
                                grid.origin[1] + grid.step[1] * (float)grid.size[1] / 2,
                                grid.origin[2] + grid.step[2] * (float)z};
        bsp_point_light light;
        if (bsp_light_grid_sample(m->map, &grid, point, &light)) {
            const float *d = light.direction;
            assert_true(fabsf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1) < 1e-4F);
            assert_true(light.ambient[0] <= 1 && light.directed[0] <= 1);
            lit++;
        }
    }
    counts[2] += lit;
}

static void test_grid(void **state) {
    (void)state;
    unsigned counts[3] = {0, 0, 0};
    (void)each_map_do(do_grid, counts);
    print_message("%u light grids, %u of another size, %u points lit\n", counts[0], counts[1],
                  counts[2]);
    assert_true(counts[0] != 0 && counts[1] * 10 <= counts[0]);
}

// The mean of all luxels of style 0 of a map's faces; 0: it has none. Full light is 1.
static double mean_of_luxels(const bsp_map *map) {
    double sum = 0;
    double count = 0;
    for (size_t i = 0; i + 3 < map->light.size; i += 4) {
        const uint8_t *c = map->light.data + i;
        sum += c[0] * ldexp(1, (int8_t)c[3]) / 255;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

static void do_cubes(const each_map *m, void *user) {
    unsigned *counts = user;
    double sum = 0;
    unsigned first = counts[0];
    for (uint32_t leaf = 0; leaf < m->map->num_leaves; leaf++) {
        const bsp_leaf *l = &m->map->leaves[leaf];
        float middle[3];
        float cube[6][3];
        for (int i = 0; i < 3; i++) {
            middle[i] = (l->mins[i] + l->maxs[i]) / 2;
        }
        if (bsp_ambient_cube(m->map, leaf, middle, false, cube)) {
            counts[0]++;
            for (int side = 0; side < 6; side++) {
                assert_true(cube[side][0] >= 0 && cube[side][0] < 256);
                sum += (double)cube[side][0] / 6;
            }
        }
    }
    double luxels = mean_of_luxels(m->map);
    if (counts[0] > first && luxels > 0 && sum > 0) {
        double ratio = sum / (counts[0] - first) / luxels;
        counts[1]++;
        counts[2] += ratio > 1.0 / 16 && ratio < 16;
    }
}

static void test_cubes(void **state) {
    (void)state;
    unsigned counts[3] = {0, 0, 0};
    unsigned corpus = each_map_do(do_cubes, counts);
    print_message("%u leaves with an ambient cube; in %u of %u maps as bright as luxels\n",
                  counts[0], counts[2], counts[1]);
    assert_true(counts[2] * 4 >= counts[1] * 3); // the air of a map is about as bright as its faces
    assert_true(corpus == 0 || counts[0] != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),     cmocka_unit_test(test_linear),
        cmocka_unit_test(test_gamma),     cmocka_unit_test(test_steps),
        cmocka_unit_test(test_exponents), cmocka_unit_test(test_pack),
        cmocka_unit_test(test_shelf),     cmocka_unit_test(test_pack_large),
        cmocka_unit_test(test_styles),    cmocka_unit_test(test_externals),
        cmocka_unit_test(test_borders),   cmocka_unit_test(test_limit),
        cmocka_unit_test(test_grid),      cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_black),     cmocka_unit_test(test_lost_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
