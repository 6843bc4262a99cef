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

#define AMBIENT 0.25f       // of what comes from another side than the most
#define ROWS 4u             // that are done together: two beside each other, and those above them
#define MOST_BROUGHT 65536u // of places that are looked from together: room

typedef struct cells {
    bspi_relight *own;
    bsp_light_grid grid;
    bspi_drawn_point *points; // one for each cell; heap
    uint32_t together;        // cells that lamps are looked at from at once
} cells;

// --- bytes --------------------------------------------------------------------------------------

// A direction as two angles: from +Z, and around it from +X; 255 of them are a full turn.
static void put_direction(const float direction[3], uint8_t out[2]) {
    float flat = sqrtf(direction[0] * direction[0] + direction[1] * direction[1]);
    float polar = bspi_angle_of(flat, direction[2]);
    float azimuth = flat > 0 ? bspi_angle_of(direction[1], direction[0]) : 0;
    out[0] = flat > 0 ? (uint8_t)(polar * 255 / (float)BSPI_TURN) : direction[2] >= 0 ? 0 : 128;
    out[1] = (uint8_t)(int)(azimuth * 255 / (float)BSPI_TURN);
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
    while (s < BSPI_DRAWN_SLOTS && out->styles[s] != style && out->styles[s] != BSP_NO_STYLE) {
        s++;
    }
    if (s < BSPI_DRAWN_SLOTS) {
        out->styles[s] = (uint8_t)style;
    }
    return s;
}

// What counts as directed of light from a direction where most comes from another.
static float directed_part(const bspi_relight *own, const float direction[3], const float most[3]) {
    const bspi_q3map2_told *told = &own->drawn->told;
    float low = fmaxf(-1, told->grid_ambient_directionality);
    float high = fminf(1, told->grid_directionality);
    return fmaxf(0, low + bspi_dot(direction, most) * (high - low));
}

// Sets the light from everywhere at a cell, on both sides of the ground.
static bool flood_cell(bspi_relight *own, const float point[3], float flood[3], bsp_error *error) {
    const bspi_drawn_flood *from = &own->drawn->flood;
    uint64_t steps = 0;
    float open = 0;
    for (int side = -1; side <= 1 && from->on; side += 2) {
        const float normal[3] = {0, 0, (float)side};
        open += bspi_drawn_flooded(own, point, normal, from->reach, true, &steps);
    }
    for (int i = 0; i < 3; i++) {
        flood[i] = from->color[i] * open;
    }
    return bspi_shade_pay(own, steps, error);
}

static void put_cell(const bspi_relight *own, const bspi_grid_place *c, const float flood[3],
                     bsp_light_cell *out) {
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
        float part = directed_part(own, b->direction, most);
        uint32_t s = slot_of(out, b->lamp->style);
        for (int k = 0; s < own->drawn->cell_slots && k < 3; k++) {
            directed[s][k] += b->color[k] * part;
            ambient[s][k] += b->color[k] * AMBIENT * (1 - part);
        }
    }
    for (int k = 0; k < 3; k++) {
        float part = directed_part(own, above, most);
        directed[0][k] += flood[k] * (1 - AMBIENT) * part;
        ambient[0][k] += flood[k] * AMBIENT * (1 + (1 - AMBIENT) * (1 - part));
    }
    for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS && out->styles[s] != BSP_NO_STYLE; s++) {
        uint8_t *dark = out->ambient[s];
        put_color(own, ambient[s], s == 0, dark);
        put_color(own, directed[s], false, out->directed[s]);
        const uint8_t *bright = out->directed[s];
        if (dark[0] + dark[1] + dark[2] == 0 && bright[0] + bright[1] + bright[2] != 0) {
            dark[0] = dark[1] = dark[2] = 1; // engines leave out cells without ambient light
        }
    }
    put_direction(most, out->direction);
}

// --- all ----------------------------------------------------------------------------------------

// Cells of some rows, while they are done.
typedef struct rows {
    const cells *g;
    bspi_grid_places *places;
    uint32_t numbers[BSPI_GRID_TOGETHER]; // cells whose places these are
    uint32_t last[ROWS]; // cell of each row that was measured, and its cluster; BSP_NONE: none
    uint32_t clusters[ROWS];
} rows;

// Lights the cells whose places are waiting.
static bool light_cells(rows *r, bsp_error *error) {
    bspi_relight *own = r->g->own;
    bspi_grid_places *places = r->places;
    bool done = true;
    if (places->count != 0) {
        bspi_grid_places_gather(places, own->lamps, own->num_lamps);
    }
    for (uint32_t n = 0; done && n < places->count; n++) {
        bspi_grid_place *c = &places->list[n];
        float flood[3];
        done = flood_cell(own, c->point, flood, error);
        put_cell(own, c, flood, &own->drawn->cells[r->numbers[n]]);
        c->count = 0;
    }
    places->count = 0;
    return done;
}

// Lights a cell of one of the rows, or makes it wait for others beside it.
static bool add_cell(rows *r, uint32_t row, uint32_t number, uint32_t x, bsp_error *error) {
    bspi_relight *own = r->g->own;
    bspi_grid_places *places = r->places;
    const bspi_drawn_point *at = &r->g->points[number];
    bool found = at->cluster != BSP_NONE;
    bool done = true;
    if (own->kept != NULL && !(found && bspi_region_sees(own, at->cluster))) {
        bspi_drawn_keep_cell(own, number);
    } else if (found && x % own->effort->cells != 0 && at->cluster == r->clusters[row]) {
        done = light_cells(r, error);
        own->drawn->cells[number] = own->drawn->cells[r->last[row]]; // a preview
    } else if (found) {
        r->last[row] = number;
        r->clusters[row] = at->cluster;
        r->numbers[places->count] = number;
        memcpy(places->list[places->count].point, at->point, sizeof at->point);
        places->list[places->count++].cluster = at->cluster;
        done = places->count < r->g->together || light_cells(r, error);
    }
    return done && bspi_heap_work(&own->heap, 1 + own->num_lamps, error);
}

// Lights rows, a cube of eight cells after the other.
static bool light_rows(rows *r, uint32_t item, bsp_error *error) {
    const uint32_t *size = r->g->grid.size;
    uint32_t pairs = (size[1] + 1) / 2;
    bool done = true;
    for (uint32_t n = 0; done && n < ROWS * (size[0] + size[0] % 2); n++) {
        uint32_t x = n / 8 * 2 + n % 2;
        uint32_t row = n / 2 % ROWS;
        uint32_t y = item % pairs * 2 + row % 2;
        uint32_t z = item / pairs * 2 + row / 2;
        if (x < size[0] && y < size[1] && z < size[2]) {
            done = add_cell(r, row, (z * size[1] + y) * size[0] + x, x, error);
        }
    }
    return done && light_cells(r, error);
}

static bool make_rows(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const cells *g = user;
    bspi_relight *own = g->own;
    rows r = {.g = g};
    const float *step = g->grid.step;
    size_t size = (size_t)g->together * own->num_lamps * sizeof(bspi_brought);
    bspi_brought *list = bspi_heap_alloc(&own->heap, size, error);
    bspi_grid_places *places = bspi_heap_alloc(&own->heap, sizeof *places, error);
    bool done = places != NULL && list != NULL;
    (void)worker;
    for (uint32_t n = 0; n < ROWS; n++) {
        r.last[n] = r.clusters[n] = BSP_NONE;
    }
    if (done) {
        r.places = places;
        places->own = own;
        places->count = places->waiting = 0;
        places->near = fmaxf(step[0], fmaxf(step[1], step[2])) / 2;
        for (uint32_t n = 0; n < g->together; n++) {
            places->list[n] = (bspi_grid_place){.list = list + (size_t)n * own->num_lamps};
        }
        done = light_rows(&r, item, error);
    }
    bspi_heap_free(&own->heap, places, sizeof *places);
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
        memset(drawn->cells[i].styles + 1, BSP_NO_STYLE, sizeof drawn->cells[i].styles - 1);
    }
    uint32_t items = (g.grid.size[1] + 1) / 2 * ((g.grid.size[2] + 1) / 2);
    uint32_t most = own->num_lamps != 0 ? MOST_BROUGHT / own->num_lamps : BSPI_GRID_TOGETHER;
    g.together = most == 0 ? 1 : most < BSPI_GRID_TOGETHER ? most : BSPI_GRID_TOGETHER;
    if (drawn->cells == NULL ||
        !bspi_progress_begin(&progress, &own->options->progress, "grid", items, error)) {
        return false;
    }
    size_t size = drawn->num_cells * sizeof *g.points;
    g.points = bspi_heap_alloc(&own->heap, size, error);
    bool done =
        g.points != NULL && bspi_drawn_points_find(own, &g.grid, g.points, error) &&
        bspi_workers_stage(bspi_heap_threads(&own->heap), items, make_rows, &g, &progress, error);
    bspi_heap_free(&own->heap, g.points, size);
    return done;
}
