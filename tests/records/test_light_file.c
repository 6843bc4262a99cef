// SPDX-License-Identifier: MIT
// Coloured light beside a Quake map: which .lit files are taken, and what becomes of their luxels.
// The room of tests/support, and maps whose light was computed by ericw-tools where they are there.
#define _POSIX_C_SOURCE 200809L // mkdtemp, rmdir

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/mesh.h"
#include "bspkit/query.h"
#include "support/files.h"
#include "support/random.h"
#include "support/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct lit {
    uint8_t *bytes;
    size_t size;
} lit;

static void put32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

// A file of so many luxels; luxel n is (n, 2 n, 3 n) modulo 120, as bytes or as the same share of
// 128 in E5BGR9: mantissa * 2^(exponent - 24) is 1 where a byte is 128.
static lit make(uint32_t version, size_t luxels) {
    size_t each = version == 1 ? 3 : 4;
    lit out = {calloc(8 + luxels * each, 1), 8 + luxels * each};
    assert_non_null(out.bytes);
    memcpy(out.bytes, "QLIT", 4);
    put32(out.bytes + 4, version);
    for (size_t n = 0; n < luxels; n++) {
        uint32_t rgb[3] = {(uint32_t)n % 120, (uint32_t)(2 * n) % 120, (uint32_t)(3 * n) % 120};
        if (version == 1) {
            for (int i = 0; i < 3; i++) {
                out.bytes[8 + 3 * n + (size_t)i] = (uint8_t)rgb[i];
            }
        } else { // exponent 17: one step is 2^-7
            put32(out.bytes + 8 + 4 * n, rgb[0] | rgb[1] << 9 | rgb[2] << 18 | 17u << 27);
        }
    }
    return out;
}

static bsp_file *open_with(const bsp_blob *map, const lit *l, bool skip, bsp_issues *issues) {
    bsp_external beside = {"room.lit", {l->bytes, l->size}};
    bsp_open_options options = {
        .external = &beside, .num_external = skip ? 0 : 1, .issues = issues};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){map->data, map->size}, &options, NULL);
    assert_non_null(file);
    return file;
}

static size_t count_luxels(const bsp_file *file) {
    return (size_t)bsp_file_lump(file, bsp_file_find_id(file, BSP_ID_LIGHTING))->size;
}

// A byte of 128 is a factor of 1, which is 255 on the page.
static void check_pages(const bsp_file *file) {
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    bsp_lightmap *light = bsp_lightmap_build(map, file, NULL, NULL);
    assert_non_null(light);
    unsigned luxels = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        const bsp_light_face *face = &light->faces[f];
        if (map->face_lights[f].offset == BSP_NONE || face->page == BSP_NONE) {
            continue;
        }
        const bsp_light_page *page = &light->pages[face->page];
        for (uint32_t n = 0; n < face->width * face->height; n++) {
            size_t at = map->face_lights[f].offset + (size_t)n;
            const uint8_t *texel =
                page->rgba +
                4 * ((face->y + n / face->width) * (size_t)page->width + face->x + n % face->width);
            for (size_t i = 0; i < 3; i++) {
                double should = (double)((i + 1) * at % 120) * 255 / 127.5;
                should = should < 255 ? should : 255;
                assert_true(texel[i] > should - 2 && texel[i] < should + 2);
            }
            luxels++;
        }
    }
    assert_true(luxels != 0);
    bsp_lightmap_free(light);
    bsp_map_free(map);
}

static void test_luxels(void **state) {
    (void)state;
    static const uint32_t versions[] = {1, 0x10001};
    bsp_blob map = room_file(bsp_branch_find("quake"), false, 0);
    lit none = {NULL, 0};
    for (int v = 0; v < 2; v++) {
        bsp_file *bare = open_with(&map, &none, true, NULL);
        assert_null(bsp_file_get_info(bare)->light_file.name);
        lit l = make(versions[v], count_luxels(bare));
        bsp_file *file = open_with(&map, &l, false, NULL);
        assert_string_equal(bsp_file_get_info(file)->light_file.name, "room.lit");
        check_pages(file);
        bsp_file_close(file);
        bsp_file_close(bare);
        free(l.bytes);
    }
    bsp_blob_free(&map);
}

static void test_refused(void **state) {
    (void)state;
    bsp_blob map = room_file(bsp_branch_find("quake"), false, 0);
    lit none = {NULL, 0};
    bsp_file *bare = open_with(&map, &none, true, NULL);
    size_t luxels = count_luxels(bare);
    bsp_file_close(bare);
    for (int c = 0; c < 6; c++) {
        lit l = make(1, c == 0 ? luxels - 1 : c == 1 ? luxels + 1 : luxels);
        bsp_issues *issues = bsp_issues_new(NULL, 0);
        if (c == 2) {
            l.bytes[0] = 'q';
        } else if (c == 3) {
            l.bytes[4] = 2;
        } else if (c == 4) {
            put32(l.bytes + 4, 0x10001); // would be longer
        } else if (c == 5) {
            l.size = 7;
        }
        bsp_file *file = open_with(&map, &l, false, issues);
        assert_null(bsp_file_get_info(file)->light_file.name);
        bool noted = false;
        size_t count;
        const bsp_issue *list = bsp_issues_list(issues, &count);
        for (size_t i = 0; i < count; i++) {
            noted = noted || strcmp(list[i].kind->id, "light-file-ignored") == 0;
        }
        assert_true(noted);
        bsp_file_close(file);
        bsp_issues_free(issues);
        free(l.bytes);
    }
    bsp_blob_free(&map);
}

// GoldSrc has colours of its own.
static void test_other_family(void **state) {
    (void)state;
    bsp_blob map = room_file(bsp_branch_find("goldsrc"), false, 0);
    lit l = make(1, 10);
    bsp_file *file = open_with(&map, &l, false, NULL);
    assert_null(bsp_file_get_info(file)->light_file.name);
    bsp_file_close(file);
    free(l.bytes);
    bsp_blob_free(&map);
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void test_beside(void **state) {
    (void)state;
    char folder[] = "/tmp/bspkit-light-XXXXXX";
    char paths[2][64];
    assert_non_null(mkdtemp(folder));
    snprintf(paths[0], sizeof paths[0], "%s/a.b.bsp", folder);
    snprintf(paths[1], sizeof paths[1], "%s/a.b.lit", folder);
    bsp_blob map = room_file(bsp_branch_find("quake"), false, 0);
    write_file(paths[0], map.data, map.size);
    bsp_file *bare = bsp_file_open(paths[0], NULL, NULL);
    assert_non_null(bare);
    assert_null(bsp_file_get_info(bare)->light_file.name);
    lit l = make(1, count_luxels(bare));
    bsp_file_close(bare);
    write_file(paths[1], l.bytes, l.size);
    bsp_file *file = bsp_file_open(paths[0], NULL, NULL);
    assert_non_null(file);
    assert_string_equal(bsp_file_get_info(file)->light_file.name, "a.b.lit");
    check_pages(file);
    bsp_file_close(file);
    bsp_open_options alone = {.no_external = true};
    file = bsp_file_open(paths[0], &alone, NULL);
    assert_non_null(file);
    assert_null(bsp_file_get_info(file)->light_file.name);
    bsp_file_close(file);
    free(l.bytes);
    bsp_blob_free(&map);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(remove(paths[i]), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

// --- light at a point ---------------------------------------------------------------------------

// What the pages show of a face at a point on it, between four texels; factors of a byte of 255.
static void page_light(const bsp_lightmap *light, uint32_t number, const double at[3],
                       double rgb[3]) {
    const bsp_light_face *face = &light->faces[number];
    const bsp_light_page *page = &light->pages[face->page];
    double luxel[2];
    for (int i = 0; i < 2; i++) {
        luxel[i] = (double)face->vecs[i][3];
        for (int a = 0; a < 3; a++) {
            luxel[i] += (double)face->vecs[i][a] * at[a];
        }
    }
    for (uint32_t corner = 0; corner < 4; corner++) {
        double weight = 1;
        uint32_t texel[2];
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t next = corner >> i & 1;
            uint32_t size = i == 0 ? face->width : face->height;
            double low = floor(luxel[i]);
            weight *= next != 0 ? luxel[i] - low : 1 - (luxel[i] - low);
            texel[i] = (uint32_t)fmin(fmax(low + next, 0), size - 1);
        }
        const uint8_t *from =
            page->rgba + 4 * ((size_t)(face->y + texel[1]) * page->width + face->x + texel[0]);
        for (int c = 0; c < 3; c++) {
            rgb[c] += weight * from[c] / 255;
        }
    }
}

static void check_point(const bsp_map *map, const bsp_lightmap *light, const bsp_light *found,
                        const float from[3]) {
    const bsp_plane *plane = &map->planes[map->faces[found->face].plane];
    double at[3] = {(double)from[0], (double)from[1], 0};
    double rgb[3] = {0, 0, 0};
    at[2] = ((double)plane->dist - (double)plane->normal[0] * at[0] -
             (double)plane->normal[1] * at[1]) /
            (double)plane->normal[2];
    page_light(light, found->face, at, rgb);
    for (int c = 0; c < 3; c++) {
        assert_true(fabs((double)found->ambient[c] - rgb[c]) < 1.5 / 255);
    }
}

// A surface is as bright at a point as pages make it, whichever lump its luxels are in: a .lit file
// beside the map, RGBLIGHTING with DECOUPLED_LM.
static void test_points(void **state) {
    (void)state;
    static const char *const names[] = {"lobby.bsp", "lobby_bspx.bsp"};
    bsp_lightmap_options options = {.gain = 1};
    for (int m = 0; m < 2; m++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/quake/%s", BSP_TEST_SAMPLES, names[m]);
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        assert_non_null(file);
        bsp_map *map = bsp_map_load(file, NULL, NULL);
        assert_non_null(map);
        bsp_lightmap *light = bsp_lightmap_build(map, file, &options, NULL);
        assert_non_null(light);
        test_random random = {7};
        unsigned seen = 0;
        unsigned coloured = 0;
        for (int i = 0; i < 20000; i++) {
            float from[3];
            for (int a = 0; a < 3; a++) {
                float size = map->models[0].maxs[a] - map->models[0].mins[a];
                from[a] =
                    map->models[0].mins[a] + size * ((float)random_u32(&random) / 4294967296.0f);
            }
            bsp_light found = bsp_query_light(map, file, from);
            if (found.source == BSP_LIGHT_SURFACE && light->faces[found.face].page != BSP_NONE) {
                check_point(map, light, &found, from);
                seen++;
                coloured += fabsf(found.ambient[0] - found.ambient[2]) > 0.02f;
            }
        }
        assert_true(seen > 1000);
        assert_true(coloured > 100);
        bsp_lightmap_free(light);
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

// --- what another compiler wrote ----------------------------------------------------------------

// Its grey luxel is the largest channel of the coloured one, give or take 2 of 255, which the pages
// double.
static uint32_t compare(const bsp_file *grey, const bsp_file *coloured) {
    const bsp_file *files[2] = {grey, coloured};
    bsp_lightmap *light[2];
    bsp_map *map = bsp_map_load(grey, NULL, NULL);
    uint32_t colours = 0;
    assert_non_null(map);
    for (int i = 0; i < 2; i++) {
        light[i] = bsp_lightmap_build(map, files[i], NULL, NULL);
        assert_non_null(light[i]);
    }
    assert_int_equal(light[0]->num_pages, light[1]->num_pages);
    for (uint32_t p = 0; p < light[0]->num_pages; p++) {
        const bsp_light_page *a = &light[0]->pages[p];
        const bsp_light_page *b = &light[1]->pages[p];
        assert_true(a->width == b->width && a->height == b->height);
        for (size_t t = 0; t < (size_t)a->width * a->height; t++) {
            const uint8_t *rgb = b->rgba + 4 * t;
            uint8_t most = rgb[0] > rgb[1] ? rgb[0] : rgb[1];
            most = rgb[2] > most ? rgb[2] : most;
            int off = (int)a->rgba[4 * t] - most;
            assert_true(off >= -4 && off <= 4);
            colours += rgb[0] != rgb[1] || rgb[1] != rgb[2];
        }
    }
    bsp_lightmap_free(light[0]);
    bsp_lightmap_free(light[1]);
    bsp_map_free(map);
    return colours;
}

static void test_compiled(void **state) {
    (void)state;
    static const char *const names[] = {"dm5", "lobby", "q1_litwater", "q1_sunlight"};
    char paths[2][1024];
    uint32_t colours = 0;
    unsigned fitting = 0;
    if (corpus_folder() == NULL) {
        print_message("skipped: the map corpus is not there\n");
        skip();
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(paths[0], sizeof paths[0], "%s/../oracle/bake/quake/%s/%s.2-light.bsp",
                 corpus_folder(), names[i], names[i]);
        snprintf(paths[1], sizeof paths[1], "%s/../oracle/bake/quake/%s/%s.lit", corpus_folder(),
                 names[i], names[i]);
        FILE *in = fopen(paths[1], "rb");
        if (in == NULL) {
            print_message("skipped: %s is not there\n", paths[1]);
            continue;
        }
        lit l = {calloc(1, 1 << 20), 0};
        assert_non_null(l.bytes);
        l.size = fread(l.bytes, 1, 1 << 20, in);
        assert_int_equal(fclose(in), 0);
        bsp_external beside = {"map.lit", {l.bytes, l.size}};
        bsp_open_options options = {.external = &beside, .num_external = 1};
        bsp_file *grey = bsp_file_open(paths[0], NULL, NULL);
        bsp_file *file = bsp_file_open(paths[0], &options, NULL);
        assert_true(grey != NULL && file != NULL);
        assert_null(bsp_file_get_info(grey)->light_file.name);
        bool fits = l.size == 8 + 3 * count_luxels(grey); // some are of another run
        assert_int_equal(bsp_file_get_info(file)->light_file.name != NULL, fits);
        colours += fits ? compare(grey, file) : 0;
        fitting += fits;
        bsp_file_close(grey);
        bsp_file_close(file);
        free(l.bytes);
    }
    print_message("%u files fit their map, with %u coloured luxels\n", fitting, colours);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_luxels),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_other_family), cmocka_unit_test(test_beside),
        cmocka_unit_test(test_points),       cmocka_unit_test(test_compiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
