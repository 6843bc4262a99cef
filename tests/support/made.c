// SPDX-License-Identifier: MIT
// The map of the Source sample with its arrays changed.
#include "support/made.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void *made_copy(made *m, const void *array, size_t count, size_t size) {
    void *own = calloc(count + 32, size); // room for more elements
    assert_non_null(own);
    assert_true(m->num_arrays < MADE_ARRAYS);
    m->arrays[m->num_arrays++] = own;
    return array != NULL ? memcpy(own, array, count * size) : own;
}

void made_begin(made *m, const char *text) {
    memset(m, 0, sizeof *m);
    m->file = bsp_file_open(MADE_PATH, NULL, NULL);
    assert_non_null(m->file);
    m->loaded = bsp_map_load(m->file, NULL, NULL);
    assert_non_null(m->loaded);
    m->map = *m->loaded;
    if (text != NULL) {
        m->entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
        assert_non_null(m->entities);
        m->map.entities = m->entities;
    }
    m->issues = bsp_issues_new(NULL, 0);
    assert_non_null(m->issues);
}

void made_run_with(made *m, bsp_decompile_options options) {
    bsp_error error = {0};
    options.file = m->file;
    options.issues = m->issues;
    bsp_mapdoc_free(m->source);
    m->source = bsp_decompile(&m->map, &options, &m->report, &error);
    assert_non_null(m->source);
}

void made_run(made *m, bool keep_angles) {
    made_run_with(m, (bsp_decompile_options){.keep_angles = keep_angles});
}

void made_end(made *m) {
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(m->source, NULL, NULL, &health, NULL));
    assert_int_equal(health.sound, m->source->num_brushes);
    bsp_mapdoc_free(m->source);
    bsp_issues_free(m->issues);
    bsp_entities_free(m->entities);
    bsp_map_free(m->loaded);
    bsp_file_close(m->file);
    for (int i = 0; i < m->num_arrays; i++) {
        free(m->arrays[i]);
    }
}

bool made_is_name(bsp_text text, const char *name) {
    return bsp_text_equal(text, bsp_text_of(name));
}

unsigned made_count_issues(const made *m, const char *id) {
    size_t count;
    unsigned found = 0;
    const bsp_issue *list = bsp_issues_list(m->issues, &count);
    for (size_t i = 0; i < count; i++) {
        found += strcmp(list[i].kind->id, id) == 0;
    }
    return found;
}

bool made_is_guess(const made *m, const char *lump, uint32_t record) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(m->issues, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].kind->id, "decompile-guess") == 0 && list[i].place.record == record &&
            strcmp(list[i].place.lump, lump) == 0) {
            return true;
        }
    }
    return false;
}

uint32_t made_find_entity(const bsp_mapdoc *s, const char *name, uint32_t number) {
    for (uint32_t i = 0; i < s->num_entities; i++) {
        if (made_is_name(bsp_mapdoc_value(s, i, "classname"), name) && number-- == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

const bsp_mapdoc_brush *made_brush_of(const bsp_mapdoc *s, uint32_t entity) {
    assert_int_not_equal(entity, BSP_NONE);
    assert_int_equal(s->entities[entity].num_brushes, 1);
    return &s->brushes[s->entities[entity].first_brush];
}

bool made_is_visgroup(const bsp_mapdoc *s, uint32_t visgroup, const char *name) {
    return visgroup != BSP_NONE && made_is_name(s->visgroups[visgroup].name, name);
}

// --- brushes of the sample ----------------------------------------------------------------------

// Computes the box of a brush from its own planes.
static bool box_of(const bsp_map *map, uint32_t brush, float box[2][3]) {
    const bsp_brush *b = &map->brushes[brush];
    int found = 0;
    for (uint32_t i = 0; i < b->num_sides && b->num_sides == 6; i++) {
        const bsp_plane *p = &map->planes[map->brush_sides[b->first_side + i].plane];
        for (int axis = 0; axis < 3; axis++) {
            if (fabsf(p->normal[axis]) > 0.9999F) {
                box[p->normal[axis] > 0][axis] = p->normal[axis] * p->dist;
                found++;
            }
        }
    }
    return found == 6;
}

uint32_t made_find_box(const bsp_map *map, uint32_t number, float box[2][3]) {
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        if (map->brushes[i].contents == 1 && box_of(map, i, box) && number-- == 0) {
            return i;
        }
    }
    fail();
    return BSP_NONE;
}

bool made_is_box(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush, const float box[2][3]) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *side = &s->sides[brush->first_side + i];
        for (int axis = 0; axis < 3; axis++) {
            double n = side->normal[axis];
            if (fabs(n) > 0.9999 && fabs(n * side->dist - (double)box[n > 0][axis]) > 1e-3) {
                return false;
            }
        }
    }
    return brush->num_sides == 6;
}
