// SPDX-License-Identifier: MIT
// Map source of other programs, read, written in every dialect, and read again: the same planes,
// texels and entities. And against what compilers made of it: the texture vectors of a compiled map
// are those of its source. Needs the shared corpus; skipped without.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/files.h"
#include "support/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_close(const char *name, bsp_dialect dialect, source_distance far,
                         const bsp_mapdoc_losses *losses) {
    if (far.normal > 1e-5 || far.dist > 1e-3 || far.mappings > losses->mappings) {
        fail_msg("%s as %s: normals %g, distances %g, texels %g apart, %u sides (%u counted)", name,
                 bsp_dialect_name(dialect), far.normal, far.dist, far.texels, far.mappings,
                 losses->mappings);
    }
}

static void write_and_read(const test_file *file, const bsp_mapdoc *source, bsp_dialect dialect,
                           source_distance *worst) {
    bsp_mapdoc_losses losses;
    char *text = print_source(source, dialect, NULL, &losses);
    bsp_mapdoc *again = read_source(bsp_text_of(text));
    source_distance far = compare_sources(source, again);
    expect_close(file->path, dialect, far, &losses);
    assert_int_equal(losses.texts, 0);
    // What a writer had to give up once is no loss the second time.
    char *twice = print_source(again, dialect, NULL, &losses);
    bsp_mapdoc *third = read_source(bsp_text_of(twice));
    assert_int_equal(losses.mappings, 0);
    expect_close(file->path, dialect, compare_sources(again, third), &losses);
    bsp_mapdoc_free(third);
    free(twice);
    bsp_mapdoc_free(again);
    free(text);
    worst->normal = fmax(worst->normal, far.normal);
    worst->dist = fmax(worst->dist, far.dist);
    worst->texels = far.mappings == 0 ? fmax(worst->texels, far.texels) : worst->texels;
    worst->corners += far.corners;
    worst->mappings += far.mappings;
}

// Control characters are written as blanks, which test_editor_text proves; one file has some.
static char *without_controls(bsp_bytes bytes) {
    char *text = malloc(bytes.size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < bytes.size; i++) {
        uint8_t c = bytes.data[i];
        bool plain = c >= ' ' || c == '\n' || c == '\r' || c == '\t' || c == 0x1B;
        text[i] = plain ? (char)c : ' ';
    }
    return text;
}

static void in_all_dialects(const test_file *file, void *user) {
    char *text = without_controls(file->bytes);
    bsp_mapdoc *source = read_source((bsp_text){text, file->bytes.size});
    free(text);
    for (int d = 0; d < BSP_NUM_DIALECTS; d++) {
        write_and_read(file, source, (bsp_dialect)d, (source_distance *)user + d);
    }
    bsp_mapdoc_free(source);
}

static void run_all(const char *folder, const char *ending, uint32_t least) {
    source_distance worst[BSP_NUM_DIALECTS] = {{0}};
    uint32_t count = for_each_file(folder, ending, in_all_dialects, worst);
    if (count == 0) {
        print_message("%s is not there\n", folder);
        skip();
    }
    assert_true(count >= least);
    for (int d = 0; d < BSP_NUM_DIALECTS; d++) {
        print_message("%u %s as %s: %u corners; normals %.1e, distances %.1e, texels %.1e apart; "
                      "%u sides cannot be said\n",
                      count, ending, bsp_dialect_name((bsp_dialect)d), worst[d].corners,
                      worst[d].normal, worst[d].dist, worst[d].texels, worst[d].mappings);
    }
}

static void test_maps(void **state) {
    (void)state;
    run_all(BSP_TEST_SHARED "/corpus/mapsource", ".map", 40);
}

static void test_vmfs(void **state) {
    (void)state;
    run_all(BSP_TEST_SHARED "/oracle/decompiled", ".vmf", 25);
}

// --- against compilers --------------------------------------------------------------------------

// How many of a compiled map's texture mappings are those of a side of its source.
static uint32_t find_texinfos(const bsp_map *map, const bsp_mapdoc *source) {
    uint32_t found = 0;
    for (uint32_t t = 0; t < map->num_texinfos; t++) {
        double best = INFINITY;
        for (uint32_t s = 0; s < source->num_sides && best > 1e-4; s++) {
            double apart = 0;
            for (int i = 0; i < 8; i++) {
                double off = (double)map->texinfos[t].texture[i / 4][i % 4] -
                             source->sides[s].vec[i / 4][i % 4];
                apart = fmax(apart, fabs(off) * (i % 4 == 3 ? 0.01 : 1));
            }
            best = fmin(best, apart);
        }
        found += best <= 1e-4 ? 1 : 0;
    }
    return found;
}

// Texture coordinates of a polygon of Quake 3 on the plane of a side: the same within whole
// repeats, by which the compiler moves them.
static bool shows(const bsp_map *map, const bsp_face *face, const bsp_mapdoc_side *side) {
    double whole[2] = {0, 0};
    for (uint32_t v = 0; v < face->num_verts; v++) {
        const bsp_draw_vert *vert = &map->draw_verts[face->first_vert + v];
        double off = -side->dist;
        double apart[2] = {side->vec[0][3] - (double)vert->uv[0],
                           side->vec[1][3] - (double)vert->uv[1]};
        for (int i = 0; i < 3; i++) {
            off += side->normal[i] * (double)vert->point[i];
            apart[0] += side->vec[0][i] * (double)vert->point[i];
            apart[1] += side->vec[1][i] * (double)vert->point[i];
        }
        for (int k = 0; k < 2; k++) {
            whole[k] = v == 0 ? floor(apart[k] + 0.5) : whole[k];
            if (!(fabs(apart[k] - whole[k]) < 1e-3) || !(fabs(off) < 0.1)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_shown(const bsp_map *map, const bsp_face *face, const bsp_mapdoc *source) {
    for (uint32_t s = 0; s < source->num_sides; s++) {
        if (source->sides[s].repeats && shows(map, face, &source->sides[s])) {
            return true;
        }
    }
    return false;
}

typedef struct tally {
    uint32_t texinfos;
    uint32_t texinfos_found;
    uint32_t polygons; // of Quake 3, from brush primitives
    uint32_t polygons_found;
} tally;

static void compare_pair(const bsp_map *map, const bsp_mapdoc *source, tally *sum) {
    sum->texinfos += map->num_texinfos;
    sum->texinfos_found += find_texinfos(map, source);
    if (source->dialect != BSP_DIALECT_PRIMITIVES) {
        return;
    }
    for (uint32_t f = 0; f < map->num_faces; f++) {
        if (map->faces[f].type == BSP_FACE_POLYGON) {
            sum->polygons++;
            sum->polygons_found += is_shown(map, &map->faces[f], source) ? 1 : 0;
        }
    }
}

static void read_pair(const test_file *file, void *user) {
    (void)file;
    *(bsp_mapdoc **)user =
        read_source((bsp_text){(const char *)file->bytes.data, file->bytes.size});
}

// Lines "compiled TAB source", paths in the corpus.
static void in_all_pairs(const test_file *file, void *user) {
    char line[1024];
    const char *folder = BSP_TEST_SHARED "/corpus";
    const char *text = (const char *)file->bytes.data;
    size_t at = 0;
    while (at < file->bytes.size) {
        size_t end = at;
        while (end < file->bytes.size && text[end] != '\n') {
            end++;
        }
        snprintf(line, sizeof line, "%.*s", (int)(end - at), text + at);
        char *tab = strchr(line, '\t');
        assert_non_null(tab);
        *tab = '\0';
        char path[2048];
        snprintf(path, sizeof path, "%s/%s", folder, line);
        bsp_file *compiled = bsp_file_open(path, NULL, NULL);
        bsp_map *map = compiled == NULL ? NULL : bsp_map_load(compiled, NULL, NULL);
        bsp_mapdoc *source = NULL;
        for_each_file(BSP_TEST_SHARED "/corpus/mapsource", strrchr(tab + 1, '/') + 1, read_pair,
                      &source);
        assert_true(map != NULL && source != NULL);
        compare_pair(map, source, user);
        bsp_mapdoc_free(source);
        bsp_map_free(map);
        bsp_file_close(compiled);
        at = end + 1;
    }
}

static void test_compiled(void **state) {
    (void)state;
    tally sum = {0};
    if (for_each_file(BSP_TEST_SHARED "/corpus/mapsource", "PAIRS.tsv", in_all_pairs, &sum) == 0) {
        skip();
    }
    print_message("%u of %u texinfos, %u of %u polygons of brush primitives\n", sum.texinfos_found,
                  sum.texinfos, sum.polygons_found, sum.polygons);
    assert_true(sum.texinfos > 1500 && sum.texinfos_found == sum.texinfos);
    assert_true(sum.polygons > 0 && sum.polygons_found == sum.polygons);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_vmfs),
        cmocka_unit_test(test_compiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
