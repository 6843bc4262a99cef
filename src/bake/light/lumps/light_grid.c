// SPDX-License-Identifier: MIT
// Quake 3's light grid: what reaches each cell of space from all sides, and from the one from which
// most comes. Formulas: sheet bake, 3.4; netradiant-custom, tools/quake3/q3map2/light.cpp.
#include "bake/light/gather/drawn_around.h"
#include "bake/light/gather/grid_place.h"
#include "bake/light/lumps/drawn_light.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/lumps/region.h"
#include "bake/light/shadows/shade.h"

#include "core/curves.h"
#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define TURN 6.2831853071795865f
#define NO_STYLE 255
#define AMBIENT 0.25f // of what comes from another side than the most

typedef struct cells {
    bspi_relight *own;
    bsp_light_grid grid;
    bspi_drawn_point *points; // one for each cell; heap
} cells;

// --- bytes --------------------------------------------------------------------------------------

// A direction as two angles: from +Z, and around it from +X; 255 of them are a full turn.
static void put_direction(const float direction[3], uint8_t out[2]) {
    float flat = sqrtf(direction[0] * direction[0] + direction[1] * direction[1]);
    float polar = bspi_angle_of(flat, direction[2]);
    float azimuth = flat > 0 ? bspi_angle_of(direction[1], direction[0]) : 0;
    out[0] = flat > 0 ? (uint8_t)(polar * 255 / TURN) : direction[2] >= 0 ? 0 : 128;
    out[1] = (uint8_t)(int)(azimuth * 255 / TURN);
}

static void put_color(const bspi_relight *own, const float sum[3], bool ambient, uint8_t out[3]) {
    bspi_light_scale scale = own->scale;
    const bspi_q3map2_told *told = &own->drawn->told;
    float gain = told->grid * (ambient ? told->grid_ambient : 1);
    scale.curve.gain = gain > 0 ? gain : 1;
    memset(scale.minimum, 0, sizeof scale.minimum);
    if (ambient) {
        memcpy(scale.minimum, own->drawn->cell_least, sizeof scale.minimum);
    } else {
        memset(scale.curve.base, 0, sizeof scale.curve.base);
    }
    bspi_finish_color(&scale, own->map, sum, out);
}

// Finds the place of a style in a cell: 0 is the first. Returns the last place and one without any.
static uint32_t slot_of(bsp_light_cell *out, int style) {
    uint32_t s = 0;
    while (s < BSPI_DRAWN_SLOTS && out->styles[s] != style && out->styles[s] != NO_STYLE) {
        s++;
    }
    if (s < BSPI_DRAWN_SLOTS) {
        out->styles[s] = (uint8_t)style;
    }
    return s;
}

// What counts as directed of light from a direction where most comes from another.
static float directed_part(const bspi_grid_place *c, const float direction[3],
                           const float most[3]) {
    const bspi_q3map2_told *told = &c->own->drawn->told;
    float low = fmaxf(-1, told->grid_ambient_directionality);
    float high = fminf(1, told->grid_directionality);
    return fmaxf(0, low + bspi_dot(direction, most) * (high - low));
}

// Sets the light from everywhere at a cell, on both sides of the ground.
static bool flood_cell(bspi_grid_place *c, float flood[3], bsp_error *error) {
    const bspi_drawn_flood *from = &c->own->drawn->flood;
    uint64_t steps = 0;
    float open = 0;
    for (int side = -1; side <= 1 && from->on; side += 2) {
        const float normal[3] = {0, 0, (float)side};
        open += bspi_drawn_flooded(c->own, c->point, normal, from->reach, true, &steps);
    }
    for (int i = 0; i < 3; i++) {
        flood[i] = from->color[i] * open;
    }
    return bspi_shade_pay(c->own, steps, error);
}

static void put_cell(const bspi_grid_place *c, const float flood[3], bsp_light_cell *out) {
    static const float above[3] = {0, 0, 1};
    float most[3] = {0, 0, (1 - AMBIENT) * sqrtf(bspi_dot(flood, flood))};
    float ambient[BSPI_DRAWN_SLOTS][3] = {{0}};
    float directed[BSPI_DRAWN_SLOTS][3] = {{0}};
    for (uint32_t i = 0; i < c->count; i++) {
        const bspi_brought *b = &c->list[i];
        float size = sqrtf(bspi_dot(b->color, b->color));
        for (int k = 0; k < 3; k++) {
            most[k] += b->direction[k] * size;
        }
    }
    (void)bspi_normalize(most);
    for (uint32_t i = 0; i < c->count; i++) {
        const bspi_brought *b = &c->list[i];
        float part = directed_part(c, b->direction, most);
        uint32_t s = slot_of(out, b->lamp->style);
        for (int k = 0; s < c->own->drawn->cell_slots && k < 3; k++) {
            directed[s][k] += b->color[k] * part;
            ambient[s][k] += b->color[k] * AMBIENT * (1 - part);
        }
    }
    for (int k = 0; k < 3; k++) {
        float part = directed_part(c, above, most);
        directed[0][k] += flood[k] * (1 - AMBIENT) * part;
        ambient[0][k] += flood[k] * AMBIENT * (1 + (1 - AMBIENT) * (1 - part));
    }
    for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS && out->styles[s] != NO_STYLE; s++) {
        uint8_t *dark = out->ambient[s];
        put_color(c->own, ambient[s], s == 0, dark);
        put_color(c->own, directed[s], false, out->directed[s]);
        const uint8_t *bright = out->directed[s];
        if (dark[0] + dark[1] + dark[2] == 0 && bright[0] + bright[1] + bright[2] != 0) {
            dark[0] = dark[1] = dark[2] = 1; // engines leave out cells without ambient light
        }
    }
    put_direction(most, out->direction);
}

// --- all ----------------------------------------------------------------------------------------

static bool make_row(void *user, uint32_t worker, uint32_t row, bsp_error *error) {
    const cells *g = user;
    bspi_relight *own = g->own;
    uint32_t across = g->grid.size[0];
    size_t size = (size_t)own->num_lamps * sizeof(bspi_brought);
    bspi_grid_place *c = bspi_heap_alloc(&own->heap, sizeof *c, error);
    bspi_brought *list = bspi_heap_alloc(&own->heap, size, error);
    bool done = c != NULL && list != NULL;
    const float *step = g->grid.step;
    (void)worker;
    if (done) {
        c->own = own;
        c->list = list;
        c->culls = false;
        c->near = fmaxf(step[0], fmaxf(step[1], step[2])) / 2;
    }
    uint32_t last = BSP_NONE; // cell of the row that was measured, and its cluster
    uint32_t cluster = BSP_NONE;
    for (uint32_t x = 0; done && x < across; x++) {
        size_t number = (size_t)row * across + x;
        if (number >= own->drawn->num_cells) {
            continue;
        }
        c->count = c->waiting = 0;
        memcpy(c->point, g->points[number].point, sizeof c->point);
        c->cluster = g->points[number].cluster;
        bool found = c->cluster != BSP_NONE;
        float flood[3];
        if (own->kept != NULL && !(found && bspi_region_sees(own, c->cluster))) {
            bspi_drawn_keep_cell(own, (uint32_t)number);
        } else if (found && x % own->effort->cells != 0 && c->cluster == cluster) {
            own->drawn->cells[number] = own->drawn->cells[last]; // a preview
        } else if (found) {
            last = (uint32_t)number;
            cluster = c->cluster;
            bspi_grid_place_gather(c, own->lamps, own->num_lamps);
            done = flood_cell(c, flood, error);
            put_cell(c, flood, &own->drawn->cells[number]);
        }
        done = done && bspi_heap_work(&own->heap, 1 + own->num_lamps, error);
    }
    bspi_heap_free(&own->heap, c, sizeof *c);
    bspi_heap_free(&own->heap, list, size);
    return done;
}

bool bspi_drawn_grid(bspi_relight *own, bsp_error *error) {
    bspi_drawn *drawn = own->drawn;
    cells g = {.own = own};
    bspi_progress progress;
    if (!bsp_light_grid_of(own->map, &g.grid)) {
        return true; // the file has none, or one of another size
    }
    drawn->num_cells = g.grid.size[0] * g.grid.size[1] * g.grid.size[2];
    drawn->cell_slots = drawn->styled ? BSPI_DRAWN_SLOTS : 1;
    own->relight.num_cells = drawn->num_cells;
    drawn->cells = bspi_arena_zero(&own->arena, drawn->num_cells, sizeof *drawn->cells, error);
    for (uint32_t i = 0; drawn->cells != NULL && i < drawn->num_cells; i++) {
        memset(drawn->cells[i].styles + 1, NO_STYLE, sizeof drawn->cells[i].styles - 1);
    }
    uint32_t rows = g.grid.size[1] * g.grid.size[2];
    if (drawn->cells == NULL ||
        !bspi_progress_begin(&progress, &own->options->progress, "grid", rows, error)) {
        return false;
    }
    size_t size = drawn->num_cells * sizeof *g.points;
    g.points = bspi_heap_alloc(&own->heap, size, error);
    bool done =
        g.points != NULL && bspi_drawn_points_find(own, &g.grid, g.points, error) &&
        bspi_workers_stage(bspi_heap_threads(&own->heap), rows, make_row, &g, &progress, error);
    bspi_heap_free(&own->heap, g.points, size);
    return done;
}
