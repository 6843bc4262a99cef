// SPDX-License-Identifier: MIT
// Light of the sample maps and of the corpus: which bytes of the light lumps faces call for, and
// that the light coordinates of meshes lie on the luxels of their faces. With BSPKIT_REPORT in the
// environment each map prints its numbers.
#include "bspkit/mesh.h"
#include "mesh/luxels.h"
#include "support/each_map.h"
#include "support/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What a test finds, over all maps.
typedef struct totals {
    uint64_t checked;
    uint64_t bad;
} totals;

// --- light --------------------------------------------------------------------------------------

typedef struct light_totals {
    uint64_t maps;
    uint64_t lumps;
    uint64_t covered;
    uint64_t overlap;
} light_totals;

// Bytes of the light lump that faces call for, each once; the averages in front of Source's too.
static uint64_t cover(const each_map *m, const bspi_light_source *source, uint64_t *sum) {
    uint8_t *used = calloc(source->data.size + 1, 1);
    uint64_t covered = 0;
    assert_non_null(used);
    for (uint32_t f = 0; f < m->map->num_faces; f++) {
        bspi_luxels luxels;
        if (bspi_luxels_of(source, f, &luxels) != BSPI_LIT) {
            continue;
        }
        size_t at = (size_t)(luxels.data - source->data.data);
        size_t before = source->format == BSPI_RGBEXP32 ? 4 * (size_t)luxels.num_styles : 0;
        before = before < at ? before : at;
        *sum += luxels.bytes + before;
        memset(used + at - before, 1, luxels.bytes + before);
    }
    for (size_t i = 0; i < source->data.size; i++) {
        covered += used[i];
    }
    free(used);
    return covered;
}

static void do_light(const each_map *m, void *user) {
    light_totals *t = user;
    bsp_error error = {0};
    bsp_lightmap *lightmap = bsp_lightmap_build(m->map, m->file, NULL, &error);
    if (lightmap == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    if (m->map->traits->draws_vertices) {
        REPORT("%s: %u pages, %u lit, %u dropped, %llu of %zu bytes\n", m->name,
               lightmap->num_pages, lightmap->num_lit, lightmap->num_dropped,
               (unsigned long long)lightmap->source_bytes, m->map->light.size);
        bsp_lightmap_free(lightmap);
        return;
    }
    for (int hdr = 0; hdr < 2; hdr++) {
        bspi_light_source source;
        uint64_t sum = 0;
        bspi_light_source_init(&source, m->map, m->file, hdr != 0);
        uint64_t covered = cover(m, &source, &sum);
        if (source.data.size != 0 && (hdr == 0 || source.data.data == m->map->light_hdr.data)) {
            t->maps++;
            t->lumps += source.data.size;
            t->covered += covered;
            t->overlap += sum - covered;
            REPORT("%s%s: format %d: %zu bytes, %llu called for (%llu twice), %u lit, %u dropped, "
                   "%u pages\n",
                   m->name, hdr != 0 ? " (HDR)" : "", (int)source.format, source.data.size,
                   (unsigned long long)covered, (unsigned long long)(sum - covered),
                   lightmap->num_lit, lightmap->num_dropped, lightmap->num_pages);
        }
        bspi_light_source_free(&source);
    }
    bsp_lightmap_free(lightmap);
}

static void test_light(void **state) {
    (void)state;
    light_totals t = {0, 0, 0, 0};
    each_map_do(do_light, &t);
    print_message("%llu light lumps, %llu bytes: faces call for %llu, %llu more than once\n",
                  (unsigned long long)t.maps, (unsigned long long)t.lumps,
                  (unsigned long long)t.covered, (unsigned long long)t.overlap);
    // Source: every byte. Others: compilers pad blocks to 4 bytes, and light liquids that engines
    // do not; ericw-tools leave the plain light in the file beside a decoupled one.
    assert_true(t.covered * 100 > t.lumps * 95);
}

// Light coordinates lie on the face's own luxels, the border of half a luxel included.
static void do_light_uv(const each_map *m, void *user) {
    totals *t = user;
    bsp_lightmap *lightmap = bsp_lightmap_build(m->map, m->file, NULL, NULL);
    assert_non_null(lightmap);
    bsp_mesh *mesh = each_map_mesh(m, lightmap);
    uint64_t bad = 0;
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        const bsp_light_face *light = &lightmap->faces[mesh->faces[f].face];
        if (light->page == BSP_NONE) {
            continue;
        }
        const bsp_light_page *page = &lightmap->pages[light->page];
        double size[2] = {page->width, page->height};
        double first[2] = {light->x, light->y};
        double extent[2] = {light->width, light->height};
        bool out = false;
        for (uint32_t v = 0; v < mesh->faces[f].num_vertices; v++) {
            const float *uv = mesh->vertices[mesh->faces[f].first_vertex + v].light_uv;
            for (int i = 0; i < 2; i++) {
                double at = (double)uv[i] * size[i] - first[i];
                out = out || at < -0.51 || at > extent[i] + 0.51;
            }
        }
        t->checked++;
        bad += out;
    }
    if (bad != 0) {
        REPORT("%s: %llu of %u faces have light coordinates off their luxels\n", m->name,
               (unsigned long long)bad, mesh->num_faces);
    }
    t->bad += bad;
    bsp_mesh_free(mesh);
    bsp_lightmap_free(lightmap);
}

static void test_light_uv(void **state) {
    (void)state;
    totals t = {0, 0};
    each_map_do(do_light_uv, &t);
    print_message("%llu lit faces: %llu with coordinates off their luxels\n",
                  (unsigned long long)t.checked, (unsigned long long)t.bad);
    assert_int_equal(t.bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_light),
        cmocka_unit_test(test_light_uv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
