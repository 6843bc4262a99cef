// SPDX-License-Identifier: MIT
// Places of faces on the pages of baked light: none overlaps another, pages follow the order of the
// faces, and little of a page is left.
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/export.h"
#include "export/bake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pages {
    uint32_t side;
    uint32_t count;
    uint8_t *taken; // of each texel
} pages;

static void take(pages *p, const bspi_bake_place *place) {
    assert_in_range(place->width, 1, p->side);
    assert_in_range(place->height, 1, p->side);
    assert_in_range(place->x, 0, p->side - place->width);
    assert_in_range(place->y, 0, p->side - place->height);
    for (uint32_t y = place->y; y < place->y + place->height; y++) {
        uint8_t *row = p->taken + ((size_t)place->page * p->side + y) * p->side + place->x;
        for (uint32_t x = 0; x < place->width; x++) {
            assert_int_equal(row[x], 0);
            row[x] = 1;
        }
    }
}

static uint64_t count_taken(const pages *p, uint32_t page) {
    size_t texels = (size_t)p->side * p->side;
    uint64_t taken = 0;
    for (size_t i = 0; i < texels; i++) {
        taken += p->taken[page * texels + i];
    }
    return taken;
}

static void check_places(const bspi_content *content, const bspi_bake_place *places) {
    pages p = {content->baked_side, content->num_pages, NULL};
    uint32_t last = 0;
    assert_true(p.count != 0);
    p.taken = calloc((size_t)p.side * p.side, p.count);
    assert_non_null(p.taken);
    for (uint32_t f = 0; f < content->mesh->num_faces; f++) {
        if (places[f].page != BSP_NONE) {
            assert_in_range(places[f].page, last, p.count - 1);
            last = places[f].page;
            take(&p, &places[f]);
        }
    }
    for (uint32_t page = 0; page < p.count; page++) {
        uint64_t taken = count_taken(&p, page);
        assert_true(taken > 0);
        if (page + 1 < p.count) { // measured: 71 to 87 in a hundred
            assert_true(taken * 100 >= (uint64_t)p.side * p.side * 65);
        }
    }
    free(p.taken);
}

static void test_samples(void **state) {
    (void)state;
    static const char *const samples[] = {"quake/lobby.bsp", "quake2/lobby.bsp", "quake3/lobby.bsp",
                                          "goldsrc/lobby.bsp", "source/lobby.bsp"};
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, samples[s]);
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        bsp_map *map = bsp_map_load(file, NULL, NULL);
        assert_non_null(map);
        bsp_textures *textures = bsp_textures_open(NULL, map, NULL, NULL);
        for (uint32_t density = 0; density <= 16; density += density == 0 ? 1 : 5) {
            const bsp_export_options options = {.file = file,
                                                .textures = textures,
                                                .light = BSP_EXPORT_LIGHT_BAKED,
                                                .bake_density = density};
            bspi_content content;
            assert_true(bspi_content_build(&content, map, &options, true, NULL));
            check_places(&content, bspi_bake_place_all(&content, NULL));
            bspi_content_free(&content);
        }
        bsp_textures_close(textures);
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

// A map whose light fits 16 pages at 6 texels for a luxel's edge only gets more pages.
static void test_large(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SHARED "/corpus/named/ww_ravine.bsp", NULL, NULL);
    if (file == NULL) {
        skip();
    }
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    bsp_textures *textures = bsp_textures_open(NULL, map, NULL, NULL);
    const bsp_export_options options = {
        .file = file, .textures = textures, .light = BSP_EXPORT_LIGHT_BAKED};
    bspi_content content;
    assert_true(bspi_content_build(&content, map, &options, true, NULL));
    const bspi_bake_place *places = bspi_bake_place_all(&content, NULL);
    assert_non_null(places);
    float most = 0;
    for (uint32_t f = 0; f < content.mesh->num_faces; f++) {
        most = places[f].page == BSP_NONE ? most : fmaxf(most, places[f].density);
    }
    assert_true(most == 9);
    assert_in_range(content.num_pages, 17, 32);
    bspi_content_free(&content);
    bsp_textures_close(textures);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples),
                                       cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
