// SPDX-License-Identifier: MIT
// Textures that lie as what a surface mirrors (tcGen environment of Quake 3): coordinates of single
// points by hand, and a picture against one in which the vertices were given them beforehand.
#include "bspkit/bspkit.h"
#include "render/camera.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- points -------------------------------------------------------------------------------------

static void mirrored_points(void **state) {
    (void)state;
    static const struct {
        float eye[3], point[3], normal[3], uv[2];
    } rows[] = {
        {{100, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0.5F, 0.5F}},          // back to the eye: along +x
        {{100, 100, 0}, {0, 0, 0}, {1, 0, 0}, {0.14644661F, 0.5F}}, // along +x -y
        {{100, 0, 100}, {0, 0, 0}, {1, 0, 0}, {0.5F, 0.85355339F}}, // along +x -z
        {{0, 0, 50}, {0, 0, 0}, {0, 0, 1}, {0.5F, 0}},              // up
        {{0, 30, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0.5F}},              // along +y
        {{10, 20, 30}, {10, 20, 30}, {0, 1, 0}, {0.5F, 0.5F}},      // in the eye
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bspi_camera camera = {.focal = 1};
        bsp_mesh_vertex vertex = {.uv = {7, 8}};
        bspi_corner corner = {.w = 1};
        memcpy(camera.from, rows[i].eye, sizeof camera.from);
        memcpy(vertex.position, rows[i].point, sizeof vertex.position);
        memcpy(vertex.normal, rows[i].normal, sizeof vertex.normal);
        bspi_camera_mirror(&camera, &vertex, &corner);
        for (int c = 0; c < 2; c++) {
            assert_true(fabsf(corner.uv[c] - rows[i].uv[c]) < 1e-6F);
        }
    }
}

// --- a room -------------------------------------------------------------------------------------

#define SCRIPT                                                                                     \
    "textures/lobby/brick1\n{\n{\nmap textures/lobby/crate1.tga\ntcGen environment\n}\n"           \
    "{\nmap $lightmap\nblendFunc filter\n}\n}\n"
#define NAME "scripts/lobby.shader"

// A PAK with the script.
static size_t write_pak(uint8_t out[1024]) {
    uint32_t size = (uint32_t)strlen(SCRIPT);
    const uint32_t numbers[4] = {12 + size, 64, 12, size};
    memset(out, 0, 1024);
    memcpy(out, "PACK", 4);
    memcpy(out + 12, SCRIPT, size);
    memcpy(out + 12 + size, NAME, sizeof NAME);
    for (int i = 0; i < 4; i++) {
        uint8_t *at = i < 2 ? out + 4 + 4 * i : out + 12 + size + 56 + 4 * (i - 2);
        for (int b = 0; b < 4; b++) {
            at[b] = (uint8_t)(numbers[i] >> 8 * b);
        }
    }
    return 12 + size + 64;
}

static bsp_image draw(const bsp_renderer *renderer, const bsp_view *view, uint32_t threads,
                      bool no_simd) {
    bsp_error error;
    bsp_image image;
    const bsp_draw_options options = {.threads = threads, .no_simd = no_simd};
    assert_true(bsp_renderer_draw(renderer, view, &options, &image, NULL, &error));
    return image;
}

static bool same(const bsp_image *a, const bsp_image *b) {
    return memcmp(a->pixels, b->pixels, (size_t)a->width * a->height * 4) == 0;
}

// Gives the vertices of what mirrors their coordinates for an eye, and ends the mirroring.
static uint32_t freeze(bsp_renderer *renderer, const float eye[3]) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < renderer->num_pieces; p++) {
        const bspi_piece *piece = &renderer->pieces[p];
        for (uint32_t v = 0; renderer->batches[piece->batch].mirrors && v < piece->num_vertices;
             v++) {
            bsp_mesh_vertex *vertex = &renderer->vertices[piece->first_vertex + v];
            bspi_camera camera = {.focal = 1};
            bspi_corner corner;
            memcpy(camera.from, eye, sizeof camera.from);
            bspi_camera_mirror(&camera, vertex, &corner);
            memcpy(vertex->uv, corner.uv, sizeof vertex->uv);
            count++;
        }
    }
    for (uint32_t b = 0; b < renderer->num_batches; b++) {
        renderer->batches[b].mirrors = false;
    }
    return count;
}

static void pictures_mirror(void **state) {
    (void)state;
    bsp_error error;
    uint8_t pak[1024];
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake3/lobby.bsp", NULL, &error);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    bsp_search *search = bsp_search_new(NULL, &error);
    const bsp_bytes bytes = {pak, write_pak(pak)};
    assert_true(bsp_search_add_memory(search, "pak", bytes, &error));
    assert_true(bsp_search_add_game(search, BSP_TEST_SAMPLES "/quake3", &error));
    const bsp_renderer_options options = {.search = search};
    bsp_renderer *renderer = bsp_renderer_build(map, file, &options, &error);
    assert_non_null(renderer);
    bsp_view view = {.width = 200, .height = 150};
    bsp_view_start(map, &view);
    bsp_image mirrored = draw(renderer, &view, 1, false);
    bsp_image again = draw(renderer, &view, 7, true);
    assert_true(same(&mirrored, &again));
    assert_true(freeze(renderer, view.from) > 8);
    bsp_image frozen = draw(renderer, &view, 1, false);
    assert_true(same(&mirrored, &frozen));
    view.from[0] += 24; // another eye sees another place of the texture
    bsp_image moved = draw(renderer, &view, 1, false);
    bsp_renderer *second = bsp_renderer_build(map, file, &options, &error);
    bsp_image turned = draw(second, &view, 1, false);
    assert_false(same(&moved, &turned));
    bsp_image_free(&turned);
    bsp_image_free(&moved);
    bsp_image_free(&frozen);
    bsp_image_free(&again);
    bsp_image_free(&mirrored);
    bsp_renderer_free(second);
    bsp_renderer_free(renderer);
    bsp_search_free(search);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirrored_points),
        cmocka_unit_test(pictures_mirror),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
