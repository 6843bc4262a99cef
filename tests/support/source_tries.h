// SPDX-License-Identifier: MIT
// Decompiles the sample of Source, and small maps of the corpus where it is there, with options.
#ifndef BSPI_TEST_SOURCE_TRIES_H
#define BSPI_TEST_SOURCE_TRIES_H

#include "bspkit/decompile.h"
#include "support/each_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_FACES 6000u // of maps of the corpus that are tried
#define MOST_MAPS 12u

typedef struct made {
    const bsp_map *map;
    bsp_mapdoc *source;
    bsp_decompile_report report;
} made;

static inline made decompile(const bsp_file *file, const bsp_map *map,
                             bsp_decompile_options options) {
    made m = {.map = map};
    bsp_error error = {0};
    options.file = file;
    m.source = bsp_decompile(map, &options, &m.report, &error);
    if (m.source == NULL) {
        fail_msg("%s", error.message);
    }
    return m;
}

typedef void try_map(const bsp_file *file, const bsp_map *map);

typedef struct tries {
    try_map *work;
    unsigned count;
} tries;

static inline void try_one(const each_map *m, void *user) {
    tries *t = user;
    if (m->map->branch->family == BSP_SOURCE && !m->map->branch->opaque && each_map_has_bodies(m) &&
        m->map->num_faces != 0 && m->map->num_faces < MOST_FACES && t->count < MOST_MAPS) {
        t->count++;
        t->work(m->file, m->map);
    }
}

static inline void try_maps(try_map *work) {
    tries t = {work, 0};
    (void)each_map_do(try_one, &t);
    assert_true(t.count > 0);
}

static inline bool begins(bsp_text text, const char *start) {
    return text.size >= strlen(start) && memcmp(text.data, start, strlen(start)) == 0;
}

static inline bool same_text(bsp_text a, const char *b) {
    return bsp_text_equal(a, bsp_text_of(b));
}

#endif
