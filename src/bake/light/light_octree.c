// SPDX-License-Identifier: MIT
// LIGHTGRID_OCTREE: light in space of Quake and Quake 2, in the cells that the map has. Format:
// sheet goldsrc-quake1 (9). Formulas: ericw-tools, light/ltface.cc (lightgrid_sample_t).
#include "bake/light/light_octree.h"
#include "bake/light/finish.h"
#include "bake/light/grid_place.h"
#include "bake/light/region.h"

#include "core/buffer.h"
#include "core/reader.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define HEAD 41u      // bytes: steps, sizes, corner, styles, root
#define NODE 44u      // bytes
#define LEAF 24u      // bytes: first cell, and how many along each axis
#define OCCLUDED 255u // a cell in solid has so many styles
#define SAMPLE 4u     // bytes: style, red, green, blue
#define MOST 4u       // styles of a cell
#define FARTHEST 1e6f // units: no grid is larger
#define TOGETHER 64u  // cells that a worker does at a time

// A cell that is not in solid.
typedef struct octree_cell {
    size_t at; // in the lump
    uint32_t place[3];
    uint32_t count; // styles; OCCLUDED: it stays as it was
    uint8_t samples[MOST][SAMPLE];
} octree_cell;

typedef struct octree {
    bspi_relight *own;
    bsp_bytes lump;
    float step[3];
    float corner[3];
    octree_cell *cells;
    uint32_t count;
} octree;

static float load_float(const uint8_t *at) {
    uint32_t bits = bspi_load32(at, false);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// --- cells --------------------------------------------------------------------------------------

// Goes over the cells of a leaf. Returns where they end, or 0: the lump is damaged.
static size_t visit_leaf(octree *o, size_t at, bool notes) {
    const uint8_t *data = o->lump.data;
    uint32_t first[3];
    uint32_t size[3];
    for (size_t i = 0; i < 3; i++) {
        first[i] = bspi_load32(data + at + 4 * i, false);
        size[i] = bspi_load32(data + at + 12 + 4 * i, false);
        if (size[i] > o->lump.size) {
            return 0;
        }
    }
    at += LEAF;
    uint64_t across = (uint64_t)size[0] * size[1];
    if (size[2] != 0 && across > o->lump.size / size[2]) {
        return 0;
    }
    for (uint64_t n = 0; n < across * size[2]; n++) {
        if (at >= o->lump.size) {
            return 0;
        }
        uint32_t styles = data[at];
        if (styles != OCCLUDED && notes) {
            octree_cell *cell = &o->cells[o->count];
            cell->at = at;
            cell->place[0] = first[0] + (uint32_t)(n % size[0]);
            cell->place[1] = first[1] + (uint32_t)(n / size[0] % size[1]);
            cell->place[2] = first[2] + (uint32_t)(n / across);
        }
        o->count += styles != OCCLUDED;
        at += 1 + (styles == OCCLUDED ? 0 : styles * (size_t)SAMPLE);
    }
    return at <= o->lump.size ? at : 0;
}

// Counts the cells, or notes where they are. False: the lump is damaged.
static bool visit(octree *o, bool notes) {
    uint32_t nodes = bspi_load32(o->lump.data + HEAD, false);
    size_t at = HEAD + 4;
    o->count = 0;
    if (nodes > (o->lump.size - at) / NODE || o->lump.size - at - (size_t)nodes * NODE < 4) {
        return false;
    }
    at += (size_t)nodes * NODE;
    uint32_t leaves = bspi_load32(o->lump.data + at, false);
    at += 4;
    for (uint32_t i = 0; i < leaves; i++) {
        at = o->lump.size - at < LEAF ? 0 : visit_leaf(o, at, notes);
        if (at == 0) {
            return false;
        }
    }
    return true;
}

// --- light --------------------------------------------------------------------------------------

// Adds to the style of a cell. Further ones than it has places for are left out.
static void add(const bspi_brought *b, int styles[MOST], float sums[MOST][3], uint32_t *count) {
    uint32_t s = 0;
    while (s < *count && styles[s] != b->lamp->style) {
        s++;
    }
    if (s == MOST) {
        return;
    }
    if (s == *count) {
        styles[(*count)++] = b->lamp->style;
        memset(sums[s], 0, sizeof sums[s]);
    }
    // What the side of a cube gets that gets most.
    float most =
        fmaxf(fabsf(b->direction[0]), fmaxf(fabsf(b->direction[1]), fabsf(b->direction[2])));
    float part = bspi_lamp_angle(b->lamp, most);
    for (int i = 0; i < 3; i++) {
        sums[s][i] += b->color[i] * part;
    }
}

static void finish(const octree *o, float sum[3], uint8_t out[3]) {
    const float black[3] = {0, 0, 0};
    bspi_relight how = {.scale = o->own->scale, .map = o->own->map};
    bsp_relight_face face = {.luxels = (const float(*)[3])sum,
                             .width = 1,
                             .height = 1,
                             .directions = 1,
                             .num_styles = 1};
    memset(how.scale.base, 0, sizeof how.scale.base);
    memset(how.scale.minimum, 0, sizeof how.scale.minimum);
    how.scale.rounds = true;
    how.scale.beyond = false;
    bspi_finish_face(&how, &face);
    bspi_luxel_encode(BSPI_RGB8, face.num_styles != 0 ? sum : black, out);
}

static void light_cell(const octree *o, bspi_grid_place *place, octree_cell *cell) {
    const bspi_relight *own = o->own;
    float center[3];
    int styles[MOST] = {0};
    float sums[MOST][3];
    for (int i = 0; i < 3; i++) {
        center[i] = o->corner[i] + (float)cell->place[i] * o->step[i];
    }
    place->own = o->own;
    place->count = place->waiting = 0;
    cell->count = OCCLUDED;
    if (!bspi_grid_place_find(place, center, o->step) ||
        (own->kept != NULL && !bspi_region_sees(own, place->cluster))) {
        return;
    }
    bspi_grid_place_gather(place, own->lamps, own->num_lamps);
    bspi_grid_place_gather(place, own->takers, own->num_takers);
    bspi_grid_place_gather(place, own->thrown, own->num_thrown);
    cell->count = 0;
    for (uint32_t i = 0; i < place->count; i++) {
        add(&place->list[i], styles, sums, &cell->count);
    }
    for (uint32_t s = 0; s < cell->count; s++) {
        cell->samples[s][0] = (uint8_t)styles[s];
        finish(o, sums[s], cell->samples[s] + 1);
    }
}

static bool light_cells(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const octree *o = user;
    bspi_relight *own = o->own;
    uint32_t lamps = own->num_lamps + own->num_takers + own->num_thrown;
    size_t size = (size_t)lamps * sizeof(bspi_brought);
    bspi_grid_place *place = bspi_heap_alloc(&own->heap, sizeof *place, error);
    bspi_brought *list = bspi_heap_alloc(&own->heap, size, error);
    bool done = place != NULL && list != NULL &&
                bspi_heap_work(&own->heap, (uint64_t)TOGETHER * (1 + lamps), error);
    (void)worker;
    for (uint32_t n = item * TOGETHER; done && n < o->count && n < (item + 1) * TOGETHER; n++) {
        place->list = list;
        light_cell(o, place, &o->cells[n]);
    }
    bspi_heap_free(&own->heap, place, sizeof *place);
    bspi_heap_free(&own->heap, list, size);
    return done;
}

// --- the lump -----------------------------------------------------------------------------------

static bool write(const octree *o, bsp_error *error) {
    bspi_relight *own = o->own;
    bspi_buffer out = {.heap = &own->heap, .error = error};
    const uint8_t *data = o->lump.data;
    size_t at = 0;
    uint32_t most = 0;
    for (uint32_t n = 0; n < o->count; n++) {
        const octree_cell *cell = &o->cells[n];
        bool stays = cell->count == OCCLUDED;
        uint8_t count = (uint8_t)(stays ? data[cell->at] : cell->count);
        const uint8_t *samples = stays ? data + cell->at + 1 : cell->samples[0];
        bspi_buffer_add(&out, data + at, cell->at - at);
        bspi_buffer_add(&out, &count, 1);
        bspi_buffer_add(&out, samples, count * (size_t)SAMPLE);
        at = cell->at + 1 + data[cell->at] * (size_t)SAMPLE;
        most = count > most ? count : most;
    }
    bspi_buffer_add(&out, data + at, o->lump.size - at);
    bool done = !out.failed;
    if (done) {
        out.data[36] = (uint8_t)most;
        done = bspi_buffer_give(&out, &own->octree);
    }
    bspi_buffer_free(&out);
    return done;
}

bool bspi_octree_make(bspi_relight *own, bsp_error *error) {
    octree o = {.own = own};
    uint32_t lump = bsp_file_find(own->file, bsp_text_of("bspx:LIGHTGRID_OCTREE"));
    if (lump == BSP_NONE || !bsp_file_data(own->file, lump, &o.lump, NULL) ||
        o.lump.size < HEAD + 4 || !visit(&o, false)) {
        return true; // none, or a damaged one, which stays
    }
    for (size_t i = 0; i < 3; i++) {
        o.step[i] = load_float(o.lump.data + 4 * i);
        o.corner[i] = load_float(o.lump.data + 24 + 4 * i);
    }
    bool finite = true;
    for (int i = 0; i < 3; i++) {
        finite = finite && fabsf(o.step[i]) < FARTHEST && fabsf(o.corner[i]) < FARTHEST;
    }
    if (!finite) {
        return true;
    }
    uint32_t count = o.count;
    o.cells = bspi_arena_zero(&own->arena, count, sizeof *o.cells, error);
    if (o.cells == NULL || !bspi_heap_work(&own->heap, o.lump.size, error)) {
        return false;
    }
    (void)visit(&o, true);
    own->relight.num_cells = count;
    uint32_t items = count / TOGETHER + (count % TOGETHER != 0);
    return bspi_workers_each(bspi_heap_threads(&own->heap), items, light_cells, &o, error) &&
           write(&o, error);
}
