// SPDX-License-Identifier: MIT
// Corners of brushes are the points of three planes that no other side cuts off, found without the
// library's own cutting.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/sink.h"
#include "support/source.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- corners ------------------------------------------------------------------------------------

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double determinant(const double a[3], const double b[3], const double c[3]) {
    double cross[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
                       b[0] * c[1] - b[1] * c[0]};
    return dot(a, cross);
}

static bool meet(const bsp_mapdoc_side *a, const bsp_mapdoc_side *b, const bsp_mapdoc_side *c,
                 double at[3]) {
    double whole = determinant(a->normal, b->normal, c->normal);
    if (fabs(whole) < 1e-4) {
        return false;
    }
    for (int i = 0; i < 3; i++) { // Cramer's rule
        double rows[3][3] = {{a->normal[0], a->normal[1], a->normal[2]},
                             {b->normal[0], b->normal[1], b->normal[2]},
                             {c->normal[0], c->normal[1], c->normal[2]}};
        rows[0][i] = a->dist;
        rows[1][i] = b->dist;
        rows[2][i] = c->dist;
        at[i] = determinant(rows[0], rows[1], rows[2]) / whole;
    }
    return true;
}

static bool is_inside(const bsp_mapdoc_side *sides, uint32_t count, const double at[3]) {
    for (uint32_t i = 0; i < count; i++) {
        if (dot(sides[i].normal, at) > sides[i].dist + 0.01) {
            return false;
        }
    }
    return true;
}

// Repeats of an unknown texture count as 64 texels, as in the writer. A plane that was moved (which
// is measured separately) moves the texels of a mapping that is oblique to it; that is subtracted.
static double texels_apart(const bsp_mapdoc_side *want, const bsp_mapdoc_side *got,
                           const double at[3]) {
    bool both = want->repeats && got->repeats;
    bool any = want->repeats || got->repeats;
    double most = 0;
    for (int i = 0; i < 2; i++) {
        double a = dot(want->vec[i], at) + want->vec[i][3];
        double b = dot(got->vec[i], at) + got->vec[i][3];
        double apart = (want->repeats && !both ? 64 * a : a) - (got->repeats && !both ? 64 * b : b);
        double period = both ? 1 : 64; // a shift by one repeat changes nothing
        double moved =
            fabs(dot(got->normal, at) - got->dist) * sqrt(dot(want->vec[i], want->vec[i]));
        most = fmax(most, fabs(any ? remainder(apart, period) : apart) - moved);
    }
    return most;
}

static void compare_corners(const bsp_mapdoc *want, const bsp_mapdoc *got,
                            const bsp_mapdoc_brush *brush, source_distance *far) {
    const bsp_mapdoc_side *sides = &want->sides[brush->first_side];
    uint32_t n = brush->num_sides;
    for (uint32_t a = 0; a < n; a++) {
        double worst = 0;
        for (uint32_t b = 0; b < n; b++) {
            for (uint32_t c = b + 1; c < n; c++) {
                double at[3];
                if (a != b && a != c && meet(&sides[a], &sides[b], &sides[c], at) &&
                    is_inside(sides, n, at)) {
                    const bsp_mapdoc_side *other = &got->sides[brush->first_side + a];
                    worst = fmax(worst, texels_apart(&sides[a], other, at));
                    far->corners++;
                }
            }
        }
        far->mappings += worst > 1e-3 ? 1 : 0;
        far->texels = fmax(far->texels, worst);
    }
}

// --- documents ----------------------------------------------------------------------------------

static void expect_same_text(bsp_text a, bsp_text b) {
    assert_int_equal(a.size, b.size);
    assert_true(bsp_text_equal(a, b));
}

static uint32_t next_pair(const bsp_mapdoc *source, uint32_t entity, uint32_t at) {
    const bsp_mapdoc_entity *e = &source->entities[entity];
    while (at < e->num_pairs && bspi_text_is(source->pairs[e->first_pair + at].key, "mapversion")) {
        at++;
    }
    return at;
}

static void compare_pairs(const bsp_mapdoc *want, const bsp_mapdoc *got, uint32_t entity) {
    uint32_t a = next_pair(want, entity, 0);
    uint32_t b = next_pair(got, entity, 0);
    while (a < want->entities[entity].num_pairs && b < got->entities[entity].num_pairs) {
        const bsp_mapdoc_pair *x = &want->pairs[want->entities[entity].first_pair + a];
        const bsp_mapdoc_pair *y = &got->pairs[got->entities[entity].first_pair + b];
        expect_same_text(x->key, y->key);
        expect_same_text(x->value, y->value);
        a = next_pair(want, entity, a + 1);
        b = next_pair(got, entity, b + 1);
    }
    assert_int_equal(a, want->entities[entity].num_pairs);
    assert_int_equal(b, got->entities[entity].num_pairs);
}

static void compare_planes(const bsp_mapdoc_side *want, const bsp_mapdoc_side *got,
                           source_distance *far) {
    for (int i = 0; i < 3; i++) {
        far->normal = fmax(far->normal, fabs(want->normal[i] - got->normal[i]));
    }
    far->dist = fmax(far->dist, fabs(want->dist - got->dist));
    expect_same_text(want->material, got->material);
}

static void compare_patches(const bsp_mapdoc *want, const bsp_mapdoc *got) {
    assert_int_equal(want->num_patches, got->num_patches);
    assert_int_equal(want->num_controls, got->num_controls);
    for (uint32_t i = 0; i < want->num_patches; i++) {
        const bsp_mapdoc_patch *a = &want->patches[i];
        const bsp_mapdoc_patch *b = &got->patches[i];
        expect_same_text(a->material, b->material);
        assert_true(a->entity == b->entity && a->width == b->width && a->height == b->height);
        assert_true(a->contents == b->contents && a->flags == b->flags && a->value == b->value);
    }
    for (uint32_t i = 0; i < want->num_controls; i++) {
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(want->controls[i].at[k] - got->controls[i].at[k]) < 1e-3);
        }
        for (int k = 0; k < 2; k++) {
            assert_true(fabs(want->controls[i].uv[k] - got->controls[i].uv[k]) < 1e-5);
        }
    }
}

static void compare_disps(const bsp_mapdoc *want, const bsp_mapdoc *got) {
    const size_t numbers = sizeof *want->disp_verts / sizeof(double);
    assert_int_equal(want->num_disps, got->num_disps);
    assert_int_equal(want->num_disp_verts, got->num_disp_verts);
    assert_int_equal(want->num_disp_tags, got->num_disp_tags);
    for (uint32_t i = 0; i < want->num_disps; i++) {
        assert_int_equal(want->disps[i].power, got->disps[i].power);
        assert_int_equal(want->disps[i].flags, got->disps[i].flags);
        assert_memory_equal(want->disps[i].allowed_verts, got->disps[i].allowed_verts,
                            sizeof want->disps[i].allowed_verts);
    }
    for (size_t i = 0; i < want->num_disp_verts * numbers; i++) {
        double a = ((const double *)want->disp_verts)[i];
        double b = ((const double *)got->disp_verts)[i];
        assert_true(fabs(a - b) <= fmax(fabs(a) * 3e-8, 1e-7) + 1e-15);
    }
    for (uint32_t i = 0; i < want->num_disp_tags; i++) {
        assert_int_equal(want->disp_tags[i], got->disp_tags[i]);
    }
}

source_distance compare_sources(const bsp_mapdoc *want, const bsp_mapdoc *got) {
    source_distance far = {0};
    assert_int_equal(want->num_entities, got->num_entities);
    assert_int_equal(want->num_brushes, got->num_brushes);
    assert_int_equal(want->num_sides, got->num_sides);
    for (uint32_t e = 0; e < want->num_entities; e++) {
        compare_pairs(want, got, e);
    }
    for (uint32_t s = 0; s < want->num_sides; s++) {
        compare_planes(&want->sides[s], &got->sides[s], &far);
    }
    for (uint32_t b = 0; b < want->num_brushes; b++) {
        assert_int_equal(want->brushes[b].entity, got->brushes[b].entity);
        assert_int_equal(want->brushes[b].num_sides, got->brushes[b].num_sides);
        compare_corners(want, got, &want->brushes[b], &far);
    }
    if (got->num_patches != 0) {
        compare_patches(want, got);
    }
    if (got->num_disps != 0) {
        compare_disps(want, got);
    }
    return far;
}

// --- texts --------------------------------------------------------------------------------------

char *print_source(const bsp_mapdoc *source, bsp_dialect dialect,
                   const bsp_mapdoc_write_options *options, bsp_mapdoc_losses *losses) {
    test_sink m = {0};
    bsp_error error = {0};
    bsp_mapdoc_losses lost;
    if (!bsp_mapdoc_write(source, dialect, options, test_sink_take, &m, &lost, &error)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(bsp_mapdoc_keeps_mappings(source, dialect), lost.mappings == 0);
    if (losses != NULL) {
        *losses = lost;
    }
    return m.data;
}

bsp_mapdoc *read_source(bsp_text text) {
    bsp_error error = {0};
    bsp_mapdoc *source = bsp_mapdoc_read(text, NULL, &error);
    if (source == NULL) {
        fail_msg("%s", error.message);
    }
    return source;
}
