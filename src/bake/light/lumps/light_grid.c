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
    bspi_drawn_point *again;  // one for each of those that were moved, for each bounce; heap
    uint32_t num_moved;
    uint32_t num_lamps; // that throw nothing back: the first ones
    uint32_t together;  // cells that lamps are looked at from at once
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

// What a cell has.
typedef struct sums {
    float most[3]; // the direction, times what comes from there
    float ambient[BSPI_DRAWN_SLOTS][3];
    float directed[BSPI_DRAWN_SLOTS][3];
    bool any; // it was measured
} sums;

// Sets the part of what is brought that lamps give, `turn` 0, or that is thrown back the first
// time, and so on.
static void color_of(const bspi_brought *b, uint32_t turn, float out[3]) {
    const bspi_lamp *lamp = b->lamp;
    for (int c = 0; c < 3; c++) {
        bool thrown = lamp->thrown != NULL;
        float part = thrown && turn != 0 && lamp->color[c] > 0
                         ? lamp->thrown[turn - 1][c] / lamp->color[c]
                         : 0;
        out[c] = b->color[c] * (!thrown && turn == 0 ? 1 : part);
    }
}

// Adds what is brought to a cell in a turn. How much of it is directed is told by what came until
// then, as there.
static void add_turn(const bspi_relight *own, const bspi_grid_place *c, uint32_t turn,
                     const float flood[3], sums *sum, bsp_light_cell *out) {
    static const float above[3] = {0, 0, 1};
    float color[3];
    float most[3];
    sum->any = true;
    sum->most[2] += (1 - AMBIENT) * sqrtf(bspi_dot(flood, flood));
    for (uint32_t i = 0; i < c->count; i++) {
        color_of(&c->list[i], turn, color);
        float size = sqrtf(bspi_dot(color, color));
        for (int k = 0; k < 3; k++) {
            sum->most[k] += c->list[i].direction[k] * size;
        }
    }
    memcpy(most, sum->most, sizeof most);
    (void)bspi_normalize(most);
    for (uint32_t i = 0; i < c->count; i++) {
        const bspi_brought *b = &c->list[i];
        float part = directed_part(own, b->direction, most);
        color_of(b, turn, color);
        uint32_t s = bspi_dot(color, color) > 0 ? slot_of(out, b->lamp->style) : BSPI_DRAWN_SLOTS;
        for (int k = 0; s < own->drawn->cell_slots && k < 3; k++) {
            sum->directed[s][k] += color[k] * part;
            sum->ambient[s][k] += color[k] * AMBIENT * (1 - part);
        }
    }
    for (int k = 0; k < 3; k++) {
        float part = directed_part(own, above, most);
        sum->directed[0][k] += flood[k] * (1 - AMBIENT) * part;
        sum->ambient[0][k] += flood[k] * AMBIENT * (1 + (1 - AMBIENT) * (1 - part));
    }
}

static void put_cell(const bspi_relight *own, sums *sum, bsp_light_cell *out) {
    (void)bspi_normalize(sum->most);
    for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS && out->styles[s] != BSP_NO_STYLE; s++) {
        uint8_t *dark = out->ambient[s];
        put_color(own, sum->ambient[s], s == 0, dark);
        put_color(own, sum->directed[s], false, out->directed[s]);
        const uint8_t *bright = out->directed[s];
        if (dark[0] + dark[1] + dark[2] == 0 && bright[0] + bright[1] + bright[2] != 0) {
            dark[0] = dark[1] = dark[2] = 1; // engines leave out cells without ambient light
        }
    }
    put_direction(sum->most, out->direction);
}

// --- all ----------------------------------------------------------------------------------------

// Cells of some rows, while they are done.
typedef struct rows {
    const cells *g;
    bspi_grid_places *places;
    uint32_t numbers[BSPI_GRID_TOGETHER]; // cells whose places these are
    uint32_t moved[BSPI_GRID_TOGETHER];   // cells that were moved, and wait for others
    uint32_t num_moved;
    uint32_t last[ROWS]; // cell of each row that was measured, and its cluster; BSP_NONE: none
    uint32_t clusters[ROWS];
} rows;

// Lights the cells whose places are waiting.
static bool light_cells(rows *r, bsp_error *error) {
    static const float none[3] = {0, 0, 0};
    bspi_relight *own = r->g->own;
    bspi_grid_places *places = r->places;
    bool done = true;
    if (places->count != 0) {
        bspi_grid_places_gather(places, own->lamps, own->num_lamps);
    }
    for (uint32_t n = 0; done && n < places->count; n++) {
        bspi_grid_place *c = &places->list[n];
        bsp_light_cell *out = &own->drawn->cells[r->numbers[n]];
        sums sum = {.most = {0}};
        float flood[3];
        done = flood_cell(own, c->point, flood, error) &&
               bspi_heap_work(&own->heap, (uint64_t)own->drawn->turns * c->count / 4, error);
        for (uint32_t turn = 0; done && turn <= own->drawn->turns; turn++) {
            add_turn(own, c, turn, turn == 0 ? flood : none, &sum, out);
        }
        put_cell(own, &sum, out);
        c->count = 0;
    }
    places->count = 0;
    return done;
}

// Returns where a cell that was moved is measured in a turn.
static const bspi_drawn_point *point_of(const cells *g, uint32_t cell, uint32_t turn) {
    const bspi_drawn_point *at = &g->points[cell];
    return turn == 0 ? at : &g->again[(size_t)(turn - 1) * g->num_moved + at->moved];
}

// Lights the cells that were moved and are waiting: they are measured elsewhere for each turn.
static bool light_moved(rows *r, bsp_error *error) {
    const cells *g = r->g;
    bspi_relight *own = g->own;
    bspi_grid_places *places = r->places;
    sums sum[BSPI_GRID_TOGETHER] = {{.most = {0}}};
    uint32_t from[BSPI_GRID_TOGETHER];
    bool done = light_cells(r, error);
    for (uint32_t turn = 0; done && r->num_moved != 0 && turn <= own->drawn->turns; turn++) {
        uint32_t first = turn == 0 ? 0 : g->num_lamps;
        uint32_t count = turn == 0 ? g->num_lamps : own->num_lamps - g->num_lamps;
        for (uint32_t n = 0; n < r->num_moved; n++) {
            const bspi_drawn_point *at = point_of(g, r->moved[n], turn);
            bspi_grid_place *c = &places->list[places->count];
            memcpy(c->point, at->point, sizeof at->point);
            c->cluster = at->cluster;
            c->count = 0;
            from[places->count] = n;
            places->count += at->cluster != BSP_NONE;
        }
        if (places->count != 0) {
            bspi_grid_places_gather(places, own->lamps + first, count);
        }
        for (uint32_t n = 0; done && n < places->count; n++) {
            float flood[3] = {0, 0, 0};
            done = (turn != 0 || flood_cell(own, places->list[n].point, flood, error)) &&
                   bspi_heap_work(&own->heap, 1 + count, error);
            add_turn(own, &places->list[n], turn, flood, &sum[from[n]],
                     &own->drawn->cells[r->moved[from[n]]]);
            places->list[n].count = 0;
        }
        places->count = 0;
    }
    for (uint32_t n = 0; done && n < r->num_moved; n++) {
        if (sum[n].any) {
            put_cell(own, &sum[n], &own->drawn->cells[r->moved[n]]);
        }
    }
    r->num_moved = 0;
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
    } else if (at->moved != BSP_NONE && r->g->again != NULL) {
        r->moved[r->num_moved++] = number;
        done = r->num_moved < r->g->together || light_moved(r, error);
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
    return done && light_moved(r, error); // with those that were not
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

// Finds where cells in solid are measured of what is thrown back, each time anew.
static bool find_again(cells *g, bsp_error *error) {
    bspi_relight *own = g->own;
    size_t size = (size_t)g->num_moved * sizeof *g->again;
    while (g->num_lamps < own->num_lamps && own->lamps[g->num_lamps].thrown == NULL) {
        g->num_lamps++;
    }
    if (own->drawn->turns == 0 || g->num_moved == 0) {
        return true;
    }
    if (!bspi_multiply(size, own->drawn->turns, &size)) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "there are too many cells");
    }
    g->again = bspi_heap_alloc(&own->heap, size, error);
    bool done = g->again != NULL;
    for (uint32_t turn = 0; done && turn < own->drawn->turns; turn++) {
        done = bspi_drawn_points_again(own, &g->grid, g->points,
                                       g->again + (size_t)turn * g->num_moved, error);
    }
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
        g.points != NULL && bspi_drawn_points_find(own, &g.grid, g.points, &g.num_moved, error) &&
        find_again(&g, error) &&
        bspi_workers_stage(bspi_heap_threads(&own->heap), items, make_rows, &g, &progress, error);
    bspi_heap_free(&own->heap, g.again, (size_t)drawn->turns * g.num_moved * sizeof *g.again);
    bspi_heap_free(&own->heap, g.points, size);
    return done;
}
