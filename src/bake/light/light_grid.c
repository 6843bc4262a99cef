// SPDX-License-Identifier: MIT
// Quake 3's light grid: what reaches each cell of space from all sides, and from the one from which
// most comes. Formulas: sheet bake, 3.4; netradiant-custom, tools/quake3/q3map2/light.cpp.
#include "bake/light/drawn.h"
#include "bake/light/finish.h"
#include "bake/light/lamp.h"
#include "bake/light/places.h"
#include "bake/light/region.h"
#include "bake/light/shadow.h"

#include "bspkit/mesh.h"
#include "core/curves.h"
#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define LINES 256u // that are looked along at once
#define TRIES 64u  // places near one in solid
#define TURN 6.2831853071795865f
#define AFAR 6.0f // sizes of a surface from which it is one light
#define NO_STYLE 255
#define AMBIENT 0.25f // of what comes from another side than the most

// What a lamp brings to a place.
typedef struct brought {
    int style;
    float color[3];
    float direction[3];
} brought;

typedef struct cells {
    bspi_relight *own;
    bsp_light_grid grid;
    uint32_t first; // row of cells that items begin with
} cells;

// Work on one cell.
typedef struct cell {
    bspi_relight *own;
    float point[3];
    uint32_t cluster;
    brought *list; // one for each lamp at most
    uint32_t count;
    bsp_sight_line lines[LINES];
    bool seen[LINES];
    float through[LINES][3];
    uint32_t waiting; // the last so many of the list, which something may stand before
} cell;

// --- the place ----------------------------------------------------------------------------------

// Sets the cluster of a place. False in solid, and outside.
static bool is_free(cell *c, const float point[3]) {
    const bsp_map *map = c->own->map;
    uint32_t leaf = bsp_trace_leaf(c->own->index, point);
    c->cluster = leaf < map->num_leaves ? map->leaves[leaf].cluster : BSP_NONE;
    return c->cluster != BSP_NONE && !bspi_place_solid(c->own, 0, point);
}

// Finds a free place within half a cell, near first. The same ones each time.
static bool find_place(cell *c, const float center[3], const float step[3]) {
    static const float turns[3] = {0.8191725134f, 0.6710436067f, 0.5497004779f};
    memcpy(c->point, center, sizeof c->point);
    if (is_free(c, c->point)) {
        return true;
    }
    for (uint32_t n = 1; n <= TRIES; n++) {
        for (int i = 0; i < 3; i++) {
            float part = 0.5f + turns[i] * (float)n;
            part -= floorf(part) + 0.5f;
            c->point[i] = center[i] + part * step[i] * (float)n / TRIES;
        }
        if (is_free(c, c->point)) {
            return true;
        }
    }
    return false;
}

// --- lamps --------------------------------------------------------------------------------------

static void weaken(brought *b, const float through[3]) {
    for (int k = 0; k < 3; k++) {
        b->color[k] *= through[k];
    }
}

static void look(cell *c) {
    uint32_t kept = c->count - c->waiting;
    uint32_t first = kept;
    bspi_shadow_lines(c->own, 0, c->lines, c->seen, c->through, c->waiting);
    for (uint32_t i = 0; i < c->waiting; i++) {
        if (c->seen[i]) {
            c->list[kept] = c->list[first + i];
            weaken(&c->list[kept++], c->through[i]);
        }
    }
    c->count = kept;
    c->waiting = 0;
}

static void bring(cell *c, const bspi_lamp *lamp, const float direction[3], float strength) {
    brought *b = &c->list[c->count++];
    b->style = lamp->style;
    for (int i = 0; i < 3; i++) {
        b->color[i] = lamp->color[i] * strength;
        b->direction[i] = direction[i];
    }
}

static void bring_sun(cell *c, const bspi_lamp *lamp) {
    const float to[3] = {-lamp->direction[0], -lamp->direction[1], -lamp->direction[2]};
    float through[3];
    if (bspi_shadow_sky(c->own, 0, c->point, to, through)) {
        if (c->waiting != 0) {
            look(c);
        }
        bring(c, lamp, to, lamp->light);
        weaken(&c->list[c->count - 1], through);
    }
}

static void bring_placed(cell *c, const bspi_lamp *lamp) {
    float direction[3];
    float distance;
    if (lamp->visible != NULL && !bsp_query_row_sees(c->own->map, lamp->visible, c->cluster)) {
        return;
    }
    float strength = bspi_lamp_at(lamp, c->point, direction, &distance);
    if (lamp->corners != NULL) {
        strength = bspi_polygon_at(lamp, c->point, direction, false);
    }
    float most = fmaxf(fabsf(lamp->color[0]), fmaxf(fabsf(lamp->color[1]), fabsf(lamp->color[2])));
    if (!(fabsf(strength) * most > c->own->scale.gate)) {
        return;
    }
    bsp_sight_line *line = &c->lines[c->waiting++];
    memcpy(line->from, c->point, sizeof line->from);
    memcpy(line->to, lamp->origin, sizeof line->to);
    bring(c, lamp, direction, strength);
    if (c->waiting == LINES) {
        look(c);
    }
}

// From afar a lamp stands for its pieces. Returns how many lamps that follow are done with it.
static uint32_t bring_pieces(cell *c, const bspi_lamp *lamp) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - c->point[i];
    }
    if (lamp->pieces != 1 && !(sqrtf(bspi_dot(way, way)) > AFAR * lamp->size)) {
        return 0;
    }
    bring_placed(c, lamp);
    return lamp->pieces;
}

static void bring_all(cell *c) {
    const bspi_relight *own = c->own;
    for (uint32_t i = 0; i < own->num_lamps; i++) {
        const bspi_lamp *lamp = &own->lamps[i];
        if (lamp->kind == BSPI_LAMP_SUN) {
            bring_sun(c, lamp);
        } else if (lamp->pieces != 0) {
            i += bring_pieces(c, lamp);
        } else {
            bring_placed(c, lamp);
        }
    }
    if (c->waiting != 0) {
        look(c);
    }
}

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
    const float black[3] = {0, 0, 0};
    float luxel[1][3] = {{sum[0], sum[1], sum[2]}};
    bspi_relight how = {.scale = own->scale, .map = own->map};
    bsp_relight_face face = {.luxels = (const float(*)[3])luxel,
                             .width = 1,
                             .height = 1,
                             .directions = 1,
                             .num_styles = 1};
    memset(how.scale.base, 0, sizeof how.scale.base);
    memset(how.scale.minimum, 0, sizeof how.scale.minimum);
    if (ambient) {
        memcpy(how.scale.base, own->scale.base, sizeof how.scale.base);
        memcpy(how.scale.minimum, own->drawn->cell_least, sizeof how.scale.minimum);
    }
    bspi_finish_face(&how, &face);
    bspi_luxel_encode(BSPI_RGB8, face.num_styles != 0 ? luxel[0] : black, out);
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

static void put_cell(const cell *c, bsp_light_cell *out) {
    float most[3] = {0, 0, 0};
    float ambient[BSPI_DRAWN_SLOTS][3] = {{0}};
    float directed[BSPI_DRAWN_SLOTS][3] = {{0}};
    for (uint32_t i = 0; i < c->count; i++) {
        const brought *b = &c->list[i];
        float size = sqrtf(bspi_dot(b->color, b->color));
        for (int k = 0; k < 3; k++) {
            most[k] += b->direction[k] * size;
        }
    }
    (void)bspi_normalize(most);
    for (uint32_t i = 0; i < c->count; i++) {
        const brought *b = &c->list[i];
        float part = fmaxf(0, bspi_dot(b->direction, most));
        uint32_t s = slot_of(out, b->style);
        for (int k = 0; s < c->own->drawn->cell_slots && k < 3; k++) {
            directed[s][k] += b->color[k] * part;
            ambient[s][k] += b->color[k] * AMBIENT * (1 - part);
        }
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

static bool make_row(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const cells *g = user;
    bspi_relight *own = g->own;
    uint32_t row = g->first + item;
    uint32_t across = g->grid.size[0];
    size_t size = (size_t)own->num_lamps * sizeof(brought);
    cell *c = bspi_heap_alloc(&own->heap, sizeof *c, error);
    brought *list = bspi_heap_alloc(&own->heap, size, error);
    bool done = c != NULL && list != NULL;
    (void)worker;
    for (uint32_t x = 0; done && x < across; x++) {
        size_t number = (size_t)row * across + x;
        const uint32_t at[3] = {x, row % g->grid.size[1], row / g->grid.size[1]};
        float center[3];
        for (int i = 0; i < 3; i++) {
            center[i] = g->grid.origin[i] + (float)at[i] * g->grid.step[i];
        }
        c->own = own;
        c->list = list;
        c->count = c->waiting = 0;
        if (number >= own->drawn->num_cells) {
            continue;
        }
        bool found = find_place(c, center, g->grid.step);
        if (own->kept != NULL && !(found && bspi_region_sees(own, c->cluster))) {
            bspi_drawn_keep_cell(own, (uint32_t)number);
        } else if (found) {
            bring_all(c);
            put_cell(c, &own->drawn->cells[number]);
        }
        done = bspi_heap_work(&own->heap, 1 + own->num_lamps, error);
    }
    bspi_heap_free(&own->heap, c, sizeof *c);
    bspi_heap_free(&own->heap, list, size);
    return done;
}

bool bspi_drawn_grid(bspi_relight *own, bsp_error *error) {
    const uint32_t part = 256; // rows between reports
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
    for (; g.first < rows; g.first += part) {
        uint32_t items = rows - g.first < part ? rows - g.first : part;
        if (!bspi_workers_each(bspi_heap_threads(&own->heap), items, make_row, &g, error) ||
            !bspi_progress_step(&progress, items, error)) {
            return false;
        }
    }
    return true;
}
