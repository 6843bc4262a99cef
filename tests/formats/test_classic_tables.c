// SPDX-License-Identifier: MIT
// The tables of the games on the engines of Quake, Quake 2 and Quake 3: sizes and byte offsets that
// were worked out by hand from the sheets and the games' released headers, and the games that share
// a format with others.
#include "bspkit/mesh.h"
#include "bspkit/query.h"
#include "layout/layout.h"
#include "formats/map_members.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// --- records ------------------------------------------------------------------------------------

typedef struct place {
    const char *branch;
    uint32_t lump;
    uint32_t variant;
    uint32_t size; ///< of the record
    const char *field;
    size_t offset;
} place;

static const place places[] = {
    {"quake64", 2, 0, 44, "shift", 24},
    {"quake64", 2, 0, 44, "offsets", 28},
    {"sin", 5, 0, 180, "texture", 36},
    {"sin", 5, 0, 180, "groupname", 148},
    {"sin", 6, 0, 36, "lightofs", 28},
    {"sin", 15, 0, 8, "lightinfo", 4},
    {"sin", 19, 0, 60, "directstylename", 28},
    {"daikatana", 8, 0, 32, "brushnum", 28},
    {"daikatana", 8, 1, 28, "numleafbrushes", 26},
    // A 32-bit compiler leaves two bytes before each int that would not stand on a multiple of 4.
    {"soldier_of_fortune", 6, 0, 44, "region", 12},
    {"soldier_of_fortune", 6, 0, 44, "first_regionface", 16},
    {"soldier_of_fortune", 6, 0, 44, "styles", 22},
    {"soldier_of_fortune", 6, 0, 44, "lightofs", 28},
    {"soldier_of_fortune", 6, 0, 44, "extents", 40},
    {"soldier_of_fortune", 8, 0, 32, "mins", 10},
    {"soldier_of_fortune", 8, 0, 32, "firstleafface", 22},
    {"soldier_of_fortune", 19, 0, 8, "numedges", 4},
    {"soldier_of_fortune", 20, 0, 36, "type", 28},
    {"soldier_of_fortune", 21, 0, 76, "flags", 28},
    {"soldier_of_fortune", 21, 0, 76, "expansion", 44},
};

static void test_places(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const place *p = &places[i];
        const bsp_lump_def *def = bsp_branch_lump(bsp_branch_find(p->branch), p->lump);
        assert_true(def != NULL && p->variant < def->num_variants);
        const bsp_layout *layout = def->variants[p->variant].layout;
        size_t offset = SIZE_MAX;
        for (uint32_t f = 0; f < layout->num_fields; f++) {
            bool here = strcmp(layout->fields[f].name, p->field) == 0;
            offset = here ? bsp_layout_offset(layout, f) : offset;
        }
        if (layout->size != p->size || offset != p->offset) {
            fail_msg("%s: %s of %u bytes has %s at %zu", p->branch, layout->name, layout->size,
                     p->field, offset);
        }
    }
}

// --- light --------------------------------------------------------------------------------------

static void test_light(void **state) {
    (void)state;
    static const struct {
        uint8_t luxel[2];
        uint8_t rgb[3];
    } rows[] = {
        {{0xF8, 0x00}, {248, 0, 0}},     {{0x07, 0xC0}, {0, 248, 0}}, {{0x00, 0x3F}, {0, 0, 252}},
        {{0xFF, 0xFF}, {248, 248, 252}}, {{0x08, 0x41}, {8, 8, 4}},   {{0, 0}, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t rgb[3];
        bsp_light_rgb(BSP_LIGHT_RGB556, rows[i].luxel, rgb);
        assert_memory_equal(rgb, rows[i].rgb, sizeof rgb);
    }
    static const uint32_t sizes[] = {1, 3, 3, 4, 4, 2};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(bsp_light_size((bsp_light_format)i), sizes[i]);
    }
}

// --- Quake 64 -----------------------------------------------------------------------------------

// The floor's texture has shift 1 and is drawn twice as large, the walls' has 0.
static void test_enlarged(void **state) {
    (void)state;
    room *plain = room_build(bsp_branch_find("quake"));
    room *large = room_build(bsp_branch_find("quake64"));
    bsp_mesh *a = bsp_mesh_build(&plain->map, NULL, NULL);
    bsp_mesh *b = bsp_mesh_build(&large->map, NULL, NULL);
    assert_true(a != NULL && b != NULL && a->num_vertices == b->num_vertices);
    for (uint32_t g = 0; g < a->num_groups; g++) {
        float scale = a->groups[g].material == 1 ? 2 : 1;
        for (uint32_t i = 0; i < a->groups[g].num_vertices; i++) {
            uint32_t v = a->groups[g].first_vertex + i;
            assert_true(a->vertices[v].uv[0] == scale * b->vertices[v].uv[0]);
            assert_true(a->vertices[v].uv[1] == scale * b->vertices[v].uv[1]);
        }
    }
    bsp_mesh_free(a);
    bsp_mesh_free(b);
    room_free(plain);
    room_free(large);
}

static void test_coloured(void **state) {
    (void)state;
    room *r = room_build(bsp_branch_find("quake64"));
    for (size_t i = 0; i < r->light_size; i++) {
        r->light[i] = i % 2 == 0 ? 0x08 : 0x41; // 8, 8, 4
    }
    bsp_light light = bsp_query_light(&r->map, NULL, (float[3]){-64, 64, 64});
    assert_int_equal(light.source, BSP_LIGHT_SURFACE);
    assert_float_equal(light.ambient[0], 8.0F / 255, 1e-6);
    assert_float_equal(light.ambient[1], 8.0F / 255, 1e-6);
    assert_float_equal(light.ambient[2], 4.0F / 255, 1e-6);
    room_free(r);
}

// --- games that share a format ------------------------------------------------------------------

static const char *name_of(bsp_blob *blob) {
    bsp_detection found;
    bsp_bytes bytes = {blob->data, blob->size};
    assert_true(bsp_detect(bytes, NULL, &found, NULL));
    bsp_blob_free(blob);
    return found.branch->name;
}

// A map of Quake 2 with surface flags of a game.
static const char *with_flags(uint32_t first, uint32_t second) {
    room *r = room_build(bsp_branch_find("quake2"));
    bsp_blob blob;
    r->texinfos[0].flags = first;
    r->texinfos[2].flags = second;
    assert_true(bsp_map_write(&r->map, r->branch, NULL, &blob, NULL));
    room_free(r);
    return name_of(&blob);
}

static void test_surface_flags(void **state) {
    (void)state;
    assert_string_equal(with_flags(0, 0), "quake2");
    assert_string_equal(with_flags(0x80, 0x200), "quake2");
    assert_string_equal(with_flags(0x00800000, 0x08000000), "kingpin"); // metal, wood
    assert_string_equal(with_flags(0x00800000, 0x00010000), "quake2");  // no flag of Kingpin
    assert_string_equal(with_flags(0x01000000, 0x02000001), "heretic2");
    assert_string_equal(with_flags(0x02000000, 0), "quake2");          // cut-outs of the re-release
    assert_string_equal(with_flags(0x10000000, 0x80000000), "quake2"); // its Nintendo 64 maps
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_light),
                                       cmocka_unit_test(test_enlarged),
                                       cmocka_unit_test(test_coloured),
                                       cmocka_unit_test(test_surface_flags)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
