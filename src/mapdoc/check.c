// SPDX-License-Identifier: MIT
// Checks the brushes of a document as solids: each is cut out of a large box by its sides.
#include "bspkit/mesh.h"
#include "core/issue_kinds.h"
#include "core/vector.h"
#include "mapdoc/points.h"
#include "mesh/polyhedron.h"

#include <assert.h>
#include <string.h>

#define BOX_FACTOR 4 // by which the box is larger than a brush whose points lie further out
// The difference of normals below which planes are equal: compilers merge them.
#define SAME_NORMAL 1e-5
#define SAME_DIST 0.01

typedef struct checker {
    const bsp_mapdoc *source;
    bsp_issues *issues;
    bsp_mapdoc_health health;
    bspi_polyhedron solid;
    bool *bounds; // scratch: for each side of a brush, whether it has a polygon
} checker;

static void bad_brush(const checker *c, uint32_t index, const char *what) {
    bspi_issue(c->issues, BSPI_ISSUE_SOURCE_BRUSH, bsp_place_at("brushes", index, NULL, UINT64_MAX),
               "%s", what);
}

static void spare_side(const checker *c, uint32_t index, const char *what, uint32_t side) {
    bspi_issue(c->issues, BSPI_ISSUE_SOURCE_SPARE, bsp_place_at("brushes", index, NULL, UINT64_MAX),
               "side %u %s", side, what);
}

static double box_size(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush) {
    double size = BSPI_DOCUMENT_BOX;
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        for (int i = 0; i < 9; i++) {
            double at = source->sides[brush->first_side + s].points[i / 3][i % 3];
            size = fmax(size, BOX_FACTOR * fabs(at));
        }
    }
    return size;
}

// Returns false if nothing is left.
static bool cut(checker *c, const bsp_mapdoc_brush *brush) {
    bspi_polyhedron_box(&c->solid, box_size(c->source, brush));
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        const bsp_mapdoc_side *side = &c->source->sides[brush->first_side + s];
        if (!bspi_polyhedron_cut(&c->solid, side->normal, side->dist, s, BSP_BRUSH_EPSILON)) {
            return false;
        }
    }
    return true;
}

// Finds the sides that have polygons. Returns false if a polygon of the box is left.
static bool find_bounds(const checker *c, uint32_t num_sides) {
    const bspi_polyhedron *solid = &c->solid;
    memset(c->bounds, 0, num_sides * sizeof *c->bounds);
    for (uint32_t i = 0; i < solid->num_polygons; i++) {
        uint32_t tag = solid->polygons[i].tag;
        if (tag == BSP_NONE) {
            return false;
        }
        c->bounds[tag] = true;
    }
    return true;
}

static bool is_doubled(const checker *c, const bsp_mapdoc_brush *brush, uint32_t side) {
    const bsp_mapdoc_side *sides = &c->source->sides[brush->first_side];
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        double apart[3];
        bspi_vec_subtract(sides[side].normal, sides[i].normal, apart);
        if (i != side && bspi_vec_length(apart) < SAME_NORMAL &&
            fabs(sides[side].dist - sides[i].dist) < SAME_DIST) {
            return true;
        }
    }
    return false;
}

static void check_spares(checker *c, const bsp_mapdoc_brush *brush, uint32_t index) {
    uint32_t spare = 0;
    uint32_t doubled = 0;
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        if (!c->bounds[s]) {
            bool twice = is_doubled(c, brush, s);
            spare_side(c, index, twice ? "lies on the plane of another" : "bounds nothing", s);
            doubled += twice ? 1 : 0;
            spare++;
        }
    }
    c->health.spare += spare != 0 ? 1 : 0;
    c->health.doubled += doubled != 0 ? 1 : 0;
    c->health.sound += spare == 0 ? 1 : 0;
}

static void check_brush(checker *c, uint32_t index) {
    const bsp_mapdoc_brush *brush = &c->source->brushes[index];
    if (brush->num_sides > BSPI_MAX_SIDES) {
        c->health.open++;
        bad_brush(c, index, "more sides than a compiler takes");
    } else if (!cut(c, brush)) {
        c->health.empty++;
        bad_brush(c, index, "nothing is inside all sides");
    } else if (!find_bounds(c, brush->num_sides)) {
        c->health.open++;
        bad_brush(c, index, "the sides do not close it");
    } else {
        check_spares(c, brush, index);
    }
}

bool bsp_mapdoc_check(const bsp_mapdoc *source, const bsp_allocator *allocator, bsp_issues *issues,
                      bsp_mapdoc_health *health, bsp_error *error) {
    assert(source != NULL);
    uint32_t most = 1;
    for (uint32_t i = 0; i < source->num_brushes; i++) {
        most = source->brushes[i].num_sides > most ? source->brushes[i].num_sides : most;
    }
    most = most < BSPI_MAX_SIDES ? most : BSPI_MAX_SIDES;
    bspi_heap heap;
    bspi_arena arena;
    bspi_heap_init(&heap, allocator, 0);
    bspi_arena_init(&arena, &heap);
    checker c = {.source = source, .issues = issues};
    c.bounds = bspi_arena_zero(&arena, most, sizeof *c.bounds, error);
    bool done = c.bounds != NULL && bspi_polyhedron_init(&c.solid, most, &arena, error);
    for (uint32_t i = 0; done && i < source->num_brushes; i++) {
        check_brush(&c, i);
    }
    bspi_arena_free(&arena);
    if (health != NULL) {
        *health = c.health;
    }
    return done;
}
