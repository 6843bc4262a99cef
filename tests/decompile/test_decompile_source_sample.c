// SPDX-License-Identifier: MIT
// The Source samples decompiled, against the source that they were compiled from: every brush with
// its planes, materials and mapping, entities with their keys in order, the displacement vertex by
// vertex, the overlay and the cubemap on the same sides.
#include "bspkit/decompile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER BSP_TEST_SAMPLES "/source/"

typedef struct sample {
    bsp_mapdoc *made;
    bsp_mapdoc *drawn;
    bsp_decompile_report report;
} sample;

static bsp_blob read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bsp_blob blob = {.size = (size_t)ftell(file)};
    rewind(file);
    blob.data = malloc(blob.size);
    assert_non_null(blob.data);
    assert_int_equal(fread(blob.data, 1, blob.size, file), blob.size);
    (void)fclose(file);
    return blob;
}

static void open_sample(sample *s, const char *name) {
    char path[256];
    (void)snprintf(path, sizeof path, FOLDER "%s", name);
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    assert_non_null(map);
    bsp_decompile_options options = {.file = file};
    s->made = bsp_decompile(map, &options, &s->report, &error);
    assert_non_null(s->made);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob text = read_whole(FOLDER "lobby.vmf");
    s->drawn = bsp_mapdoc_read((bsp_text){(const char *)text.data, text.size}, NULL, &error);
    assert_non_null(s->drawn);
    free(text.data);
}

static void close_sample(sample *s) {
    bsp_mapdoc_free(s->made);
    bsp_mapdoc_free(s->drawn);
}

static bool is_class(const bsp_mapdoc *s, uint32_t entity, const char *name) {
    return bsp_text_equal(bsp_mapdoc_value(s, entity, "classname"), bsp_text_of(name));
}

// --- brushes ------------------------------------------------------------------------------------

static bool same_plane(const bsp_mapdoc_side *a, const bsp_mapdoc_side *b) {
    double dot = 0;
    for (int axis = 0; axis < 3; axis++) {
        dot += a->normal[axis] * b->normal[axis];
    }
    return dot > 1 - 1e-5 && fabs(a->dist - b->dist) < 1e-3;
}

static const bsp_mapdoc_side *find_side(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush,
                                        const bsp_mapdoc_side *side) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *own = &s->sides[brush->first_side + i];
        if (same_plane(own, side)) {
            return own;
        }
    }
    return NULL;
}

static uint32_t find_brush(const bsp_mapdoc *in, const bsp_mapdoc *s,
                           const bsp_mapdoc_brush *brush) {
    for (uint32_t i = 0; i < in->num_brushes; i++) {
        bool same = in->brushes[i].num_sides == brush->num_sides;
        for (uint32_t k = 0; k < brush->num_sides && same; k++) {
            same = find_side(in, &in->brushes[i], &s->sides[brush->first_side + k]) != NULL;
        }
        if (same) {
            return i;
        }
    }
    return BSP_NONE;
}

static bool same_name(bsp_text a, bsp_text b) {
    bool same = a.size == b.size;
    for (size_t i = 0; i < a.size && same; i++) {
        same = (a.data[i] | 32) == (b.data[i] | 32);
    }
    return same;
}

static double texel(const bsp_mapdoc_side *side, int k, const double at[3]) {
    const double *v = side->vec[k];
    return v[0] * at[0] + v[1] * at[1] + v[2] * at[2] + v[3];
}

// Equal to 1/16 texel, whole repeats of the texture aside (128 texels are the sample's largest).
static void same_mapping(const bsp_mapdoc_side *made, const bsp_mapdoc_side *drawn) {
    for (int k = 0; k < 2; k++) {
        for (int p = 0; p < 3; p++) {
            double off = texel(made, k, drawn->points[p]) - texel(drawn, k, drawn->points[p]);
            assert_true(fabs(off - 128 * round(off / 128)) < 1.0 / 16);
        }
    }
}

static bool is_unseen(bsp_text material) {
    return same_name(material, bsp_text_of("tools/toolsnodraw")) ||
           same_name(material, bsp_text_of("tools/toolsskip"));
}

static void compare_brush(const sample *s, uint32_t number, uint32_t found) {
    const bsp_mapdoc_brush *drawn = &s->drawn->brushes[number];
    const bsp_mapdoc_brush *made = &s->made->brushes[found];
    bsp_text name = bsp_mapdoc_value(s->drawn, drawn->entity, "classname");
    assert_true(same_name(name, bsp_mapdoc_value(s->made, made->entity, "classname")));
    for (uint32_t i = 0; i < drawn->num_sides; i++) {
        const bsp_mapdoc_side *side = &s->drawn->sides[drawn->first_side + i];
        const bsp_mapdoc_side *own = find_side(s->made, made, side);
        assert_true(same_name(side->material, own->material));
        if (!is_unseen(side->material)) {
            same_mapping(own, side);
            assert_true(fabs(own->lightmap_scale - side->lightmap_scale) < 1e-9);
        }
    }
}

// The compiler keeps every brush but the one of the displacement, whose face is left, and the
// origin brush, which became a key.
static void compare_brushes(const sample *s) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->drawn->num_brushes; i++) {
        const bsp_mapdoc_brush *brush = &s->drawn->brushes[i];
        const bsp_mapdoc_side *first = &s->drawn->sides[brush->first_side];
        uint32_t own = find_brush(s->made, s->drawn, brush);
        if (own == BSP_NONE) {
            bool displaced = false;
            for (uint32_t k = 0; k < brush->num_sides; k++) {
                displaced = displaced || first[k].disp != BSP_NONE;
            }
            assert_true(displaced || same_name(first->material, bsp_text_of("tools/toolsorigin")));
            continue;
        }
        found++;
        compare_brush(s, i, own);
    }
    // The prism of the displacement has the size of the brush it was drawn on, and is found.
    assert_int_equal(found, s->made->num_brushes);
    assert_int_equal(found, s->drawn->num_brushes - 1);
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(s->made, NULL, NULL, &health, NULL));
    assert_int_equal(health.sound, s->made->num_brushes);
}

// --- the displacement ---------------------------------------------------------------------------

static void compare_displacement(const sample *s) {
    assert_int_equal(s->made->num_disps, 1);
    assert_int_equal(s->drawn->num_disps, 1);
    const bsp_mapdoc_disp *made = &s->made->disps[0];
    const bsp_mapdoc_disp *drawn = &s->drawn->disps[0];
    assert_int_equal(made->power, drawn->power);
    assert_int_equal(made->flags, drawn->flags);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(fabs(made->start[axis] - drawn->start[axis]) < 1e-3);
    }
    uint32_t side = (1u << made->power) + 1;
    for (uint32_t i = 0; i < side * side; i++) {
        const bsp_mapdoc_disp_vert *a = &s->made->disp_verts[made->first_vert + i];
        const bsp_mapdoc_disp_vert *b = &s->drawn->disp_verts[drawn->first_vert + i];
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(a->normal[axis] * a->distance -
                             (b->normal[axis] * b->distance + b->offset[axis])) < 1e-3);
        }
        assert_true(fabs(a->alpha - b->alpha) < 0.5);
    }
    assert_memory_equal(made->allowed_verts, drawn->allowed_verts, sizeof made->allowed_verts);
    const bsp_mapdoc_side *made_side = NULL;
    for (uint32_t i = 0; i < s->made->num_sides; i++) {
        made_side = s->made->sides[i].disp == 0 ? &s->made->sides[i] : made_side;
    }
    assert_non_null(made_side);
    assert_true(same_name(made_side->material, bsp_text_of("lobby/hill1")));
}

// --- entities -----------------------------------------------------------------------------------

static uint32_t find_entity(const bsp_mapdoc *s, const char *name, uint32_t number) {
    for (uint32_t i = 0; i < s->num_entities; i++) {
        if (is_class(s, i, name) && number-- == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

// Values that are lists of numbers are the same numbers.
static bool same_value(bsp_text a, bsp_text b) {
    float x[3];
    float y[3];
    if (bsp_parse_vector(a, x) && bsp_parse_vector(b, y)) {
        return fabsf(x[0] - y[0]) + fabsf(x[1] - y[1]) + fabsf(x[2] - y[2]) < 1e-3F;
    }
    if (bsp_parse_float(a, x) && bsp_parse_float(b, y)) {
        return fabsf(x[0] - y[0]) < 1e-3F;
    }
    return same_name(a, b);
}

// Every key that was drawn is there with its value; outputs in their order, repeats included.
static void compare_pairs(const sample *s, uint32_t drawn, uint32_t made, const char *unkept) {
    const bsp_mapdoc_entity *from = &s->drawn->entities[drawn];
    const bsp_mapdoc_entity *to = &s->made->entities[made];
    uint32_t next = 0;
    for (uint32_t i = 0; i < from->num_pairs; i++) {
        const bsp_mapdoc_pair *pair = &s->drawn->pairs[from->first_pair + i];
        if (strstr(unkept, "sides") != NULL && same_name(pair->key, bsp_text_of("sides"))) {
            continue;
        }
        if (!pair->output) {
            char key[64];
            (void)snprintf(key, sizeof key, "%.*s", (int)pair->key.size, pair->key.data);
            bsp_text value = bsp_mapdoc_value(s->made, made, key);
            if (strstr(unkept, key) == NULL && !same_value(value, pair->value)) {
                fail_msg("%s: %.*s, not %.*s", key, (int)value.size, value.data,
                         (int)pair->value.size, pair->value.data);
            }
            continue;
        }
        while (next < to->num_pairs && !s->made->pairs[to->first_pair + next].output) {
            next++;
        }
        assert_true(next < to->num_pairs);
        const bsp_mapdoc_pair *own = &s->made->pairs[to->first_pair + next++];
        assert_true(bsp_text_equal(own->key, pair->key));
        assert_true(bsp_text_equal(own->value, pair->value));
    }
}

static const char *const point_classes[] = {
    "worldspawn",        "func_door",
    "func_button",       "func_rotating",
    "trigger_multiple",  "light",
    "light_environment", "light_spot",
    "item_healthkit",    "info_player_start",
    "env_cubemap",       "info_overlay",
    "prop_static",       "info_player_deathmatch",
};

// `unkept`: keys that the version of the file has no place for.
static void compare_entities(const sample *s, const char *unkept) {
    for (size_t c = 0; c < sizeof point_classes / sizeof point_classes[0]; c++) {
        const char *name = point_classes[c];
        for (uint32_t n = 0;; n++) {
            uint32_t drawn = find_entity(s->drawn, name, n);
            uint32_t made = find_entity(s->made, name, n);
            assert_int_equal(drawn == BSP_NONE, made == BSP_NONE);
            if (drawn == BSP_NONE) {
                break;
            }
            compare_pairs(s, drawn, made, unkept);
            bool record = strncmp(name, "env_c", 5) == 0 || strncmp(name, "info_o", 6) == 0 ||
                          strncmp(name, "prop_", 5) == 0;
            if (!record) { // its id went through the map
                assert_int_equal(s->made->entities[made].id, s->drawn->entities[drawn].id);
            }
        }
    }
    // What the map holds and the author did not write is gone.
    for (uint32_t i = 0; i < s->made->num_entities; i++) {
        assert_null(bsp_mapdoc_value(s->made, i, "hammerid").data);
        assert_null(bsp_mapdoc_value(s->made, i, "world_mins").data);
        bsp_text model = bsp_mapdoc_value(s->made, i, "model");
        assert_true(model.size == 0 || model.data[0] != '*');
    }
}

// --- sides by number ----------------------------------------------------------------------------

static const bsp_mapdoc_side *side_with_id(const bsp_mapdoc *s, uint32_t id) {
    for (uint32_t i = 0; i < s->num_sides; i++) {
        if (s->sides[i].id == id) {
            return &s->sides[i];
        }
    }
    return NULL;
}

// The sides that a key names lie on the planes of the drawn key's, one for one.
static void compare_side_list(const sample *s, const char *name) {
    bsp_text made = bsp_mapdoc_value(s->made, find_entity(s->made, name, 0), "sides");
    bsp_text drawn = bsp_mapdoc_value(s->drawn, find_entity(s->drawn, name, 0), "sides");
    if (drawn.size == 0) {
        return;
    }
    unsigned a[2];
    unsigned b[2];
    char text[2][32];
    (void)snprintf(text[0], sizeof text[0], "%.*s", (int)made.size, made.data);
    (void)snprintf(text[1], sizeof text[1], "%.*s", (int)drawn.size, drawn.data);
    assert_int_equal(sscanf(text[0], "%u %u", &a[0], &a[1]), 2);
    assert_int_equal(sscanf(text[1], "%u %u", &b[0], &b[1]), 2);
    for (int i = 0; i < 2; i++) {
        const bsp_mapdoc_side *own = side_with_id(s->made, a[i]);
        const bsp_mapdoc_side *their = side_with_id(s->drawn, b[i]);
        assert_true(own != NULL && their != NULL && same_plane(own, their));
        assert_true(same_name(own->material, their->material));
    }
}

static void same_ids_once(const sample *s) {
    for (uint32_t i = 0; i < s->made->num_sides; i++) {
        assert_int_not_equal(s->made->sides[i].id, 0);
        assert_ptr_equal(side_with_id(s->made, s->made->sides[i].id), &s->made->sides[i]);
    }
}

// --- all ----------------------------------------------------------------------------------------

static void compare(const char *name, const char *unkept) {
    sample s;
    open_sample(&s, name);
    compare_brushes(&s);
    compare_displacement(&s);
    compare_entities(&s, unkept);
    compare_side_list(&s, "info_overlay");
    same_ids_once(&s);
    assert_int_equal(s.report.brushes_lost, 0);
    assert_int_equal(s.report.displacements, 1);
    assert_int_equal(s.report.overlays, 1);
    assert_int_equal(s.report.cubemaps, 1);
    assert_int_equal(s.report.static_props, 2);
    assert_int_equal(s.report.outputs, 4);
    assert_int_equal(s.report.protections, 0);
    assert_int_equal(s.report.renamed, 1); // the material that the cubemap was patched into
    close_sample(&s);
}

static void test_lobby(void **state) {
    (void)state;
    compare("lobby.bsp", "sides");
}

static void test_lobby_older(void **state) {
    (void)state;
    compare("lobby_19.bsp", "sides lightmapresolutionx lightmapresolutiony");
}

static void test_lobby_left4dead2(void **state) {
    (void)state;
    compare("lobby_l4d2.bsp", "sides lightmapresolutionx lightmapresolutiony");
}

static void test_lobby_big_endian(void **state) {
    (void)state;
    compare("lobby_be.bsp", "sides lightmapresolutionx lightmapresolutiony");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lobby),
        cmocka_unit_test(test_lobby_older),
        cmocka_unit_test(test_lobby_left4dead2),
        cmocka_unit_test(test_lobby_big_endian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
