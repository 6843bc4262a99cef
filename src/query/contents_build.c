// SPDX-License-Identifier: MIT
// Builds what contents at points are found by. A brush's test is the same as the one without an
// index: a side across an axis compares one coordinate, since the products with 0 add nothing.
#include "query/contents.h"

#include "core/workers.h"

#include <string.h>

#define MOST_VISITS 32u  // nodes and leaves of a cell that are looked at
#define SLAB 8u          // layers of cells that one thread looks at
#define FEW_CELLS 16384u // no other threads are started for fewer
#define CUBE_LEVELS 10u  // 1024 cells along an axis at most

typedef struct build {
    const bsp_trace_index *index;
    const bsp_map *map;
    bspi_contents *c;
    bspi_meter *meter;
    bool listed; // leaves list brushes, and these have contents
    uint8_t *kinds;
    struct slab *slabs;
} build;

static bool build_brushes(build *b, bsp_trace_index *index) {
    return !b->listed || bspi_build_insides(&b->c->insides, b->map, &index->arena, b->meter->error);
}

static void set_box(const bspi_contents *c, bspi_boxes *boxes, unsigned lane, uint32_t number) {
    for (int i = 0; i < 3; i++) {
        bool none = number == BSP_NONE;
        boxes->low[i][lane] =
            none ? BSPI_LARGEST_RANK : bspi_rank(c, i, c->insides.brushes[number].low[i]);
        boxes->high[i][lane] =
            none ? -BSPI_LARGEST_RANK : bspi_rank(c, i, c->insides.brushes[number].high[i]);
    }
    boxes->brush[lane] = number == BSP_NONE ? 0 : number;
}

static uint32_t num_boxes(const build *b, const bsp_leaf *leaf) {
    return b->listed ? leaf->num_brushes / BSPI_BOXES + (leaf->num_brushes % BSPI_BOXES != 0) : 0;
}

static bool build_leaves(build *b, bsp_trace_index *index) {
    const bsp_map *map = b->map;
    bsp_error *error = b->meter->error;
    size_t room = (size_t)map->num_leaves + 1;
    int32_t *contents = bspi_arena_raw(&index->arena, map->num_leaves, sizeof *contents, error);
    uint32_t *runs =
        contents == NULL ? NULL : bspi_arena_raw(&index->arena, room, sizeof *runs, error);
    if (runs == NULL) {
        return false;
    }
    uint32_t total = 0;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        contents[i] = map->leaves[i].contents;
        runs[i] = total;
        total += num_boxes(b, &map->leaves[i]);
    }
    runs[map->num_leaves] = total;
    b->c->leaves = contents;
    b->c->runs = runs;
    bspi_boxes *boxes = bspi_keep_lines(index, total, sizeof *boxes, error);
    b->c->boxes = boxes;
    for (uint32_t i = 0; boxes != NULL && b->listed && i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        for (uint32_t k = 0; k < (runs[i + 1] - runs[i]) * BSPI_BOXES; k++) {
            uint32_t number =
                k < leaf->num_brushes ? map->leaf_brushes[leaf->first_brush + k] : BSP_NONE;
            set_box(b->c, &boxes[runs[i] + k / BSPI_BOXES], k % BSPI_BOXES,
                    number < map->num_brushes ? number : BSP_NONE);
        }
    }
    return boxes != NULL;
}

// --- cells --------------------------------------------------------------------------------------

// Cells, from the first up to but without the last.
typedef struct region {
    uint32_t first[3], last[3];
    uint32_t size; // most cells along an axis, a power of two
    int32_t node;  // all are below it
    double low[3], high[3];
    int16_t rank[2][3];
} region;

// Returns 0 if all of the region is outside of a brush, 1 if all is inside, else 2.
static unsigned side_of(const bspi_contents *c, const bspi_inside *brush, const region *r) {
    unsigned side = 1;
    for (int i = 0; i < 3; i++) {
        double low = (double)brush->low[i];
        double high = (double)brush->high[i];
        if (r->high[i] < low || r->low[i] > high) {
            return 0;
        }
        side = r->low[i] < low || r->high[i] > high ? 2 : side;
    }
    for (uint32_t i = 0; i < brush->count; i++) {
        unsigned of_plane = bspi_box_side(c->insides.planes[brush->first + i], r->low, r->high);
        if (of_plane == 0) {
            return 0;
        }
        side = of_plane == 2 ? 2 : side;
    }
    return side;
}

// Returns false if the contents of the part of a leaf in a region differ, or may.
static bool is_uniform(const bspi_contents *c, uint32_t leaf, const region *r, int32_t *contents) {
    int32_t open = 0; // contents that are somewhere, and perhaps not everywhere
    *contents = c->leaves[leaf];
    for (uint32_t i = c->runs[leaf]; i < c->runs[leaf + 1]; i++) {
        int16_t in[BSPI_BOXES];
        bool any = bspi_find_boxes(&c->boxes[i], r->rank[0], r->rank[1], in);
        for (unsigned lane = 0; any && lane < BSPI_BOXES; lane++) {
            const bspi_inside *brush = &c->insides.brushes[c->boxes[i].brush[lane]];
            unsigned side = in[lane] == 0 ? 0 : side_of(c, brush, r);
            *contents |= side == 1 ? brush->contents : 0;
            open |= side == 2 ? brush->contents : 0;
        }
        if (r->size > 1 && (open & ~*contents) != 0) {
            return false; // its parts are looked at in any case
        }
    }
    return (open & ~*contents) == 0;
}

// Returns false if the contents in a cell differ, or may.
static bool find_contents(const build *b, int32_t node, const region *r, int32_t *contents) {
    int32_t waiting[MOST_VISITS + 2];
    uint32_t count = 0;
    bool first = true;
    waiting[count++] = node;
    for (uint32_t visits = 0; count > 0; visits++) {
        int32_t found;
        node = waiting[--count];
        if (visits == MOST_VISITS) {
            return false;
        }
        if (node < 0) {
            if (!is_uniform(b->c, (uint32_t)(-1 - node), r, &found) ||
                (!first && found != *contents)) {
                return false;
            }
            *contents = found;
            first = false;
            continue;
        }
        unsigned side = bspi_box_side(b->index->forks[node].planes[0], r->low, r->high);
        if (side != 0) {
            waiting[count++] = b->map->nodes[node].children[1];
        }
        if (side != 1) {
            waiting[count++] = b->map->nodes[node].children[0];
        }
    }
    return true;
}

// The kinds of the cells in a part of the grid, as they are numbered there.
typedef struct slab {
    int32_t values[BSPI_MIXED];
    uint32_t num_values;
} slab;

static uint8_t kind_of(int32_t values[BSPI_MIXED], uint32_t *count, int32_t contents) {
    uint32_t i = 0;
    while (i < *count && values[i] != contents) {
        i++;
    }
    if (i == BSPI_MIXED) {
        return BSPI_MIXED;
    }
    values[i] = contents;
    *count = i == *count ? i + 1 : *count;
    return (uint8_t)i;
}

static void set_box_of(const build *b, region *r) {
    bspi_cell_box(&b->index->cells, r->first, r->last, r->low, r->high);
    for (int i = 0; i < 3; i++) {
        r->rank[0][i] = bspi_rank(b->c, i, (float)r->low[i]);
        r->rank[1][i] = bspi_rank(b->c, i, (float)r->high[i]);
    }
}

static size_t cell_number(const bspi_cells *cells, uint32_t x, uint32_t y, uint32_t z) {
    return x + (size_t)cells->count[0] * (y + (size_t)cells->count[1] * z);
}

static void fill(uint8_t *kinds, const bspi_cells *cells, const region *r, uint8_t kind) {
    for (uint32_t z = r->first[2]; z < r->last[2]; z++) {
        for (uint32_t y = r->first[1]; y < r->last[1]; y++) {
            memset(&kinds[cell_number(cells, r->first[0], y, z)], kind, r->last[0] - r->first[0]);
        }
    }
}

// Returns the part of a cube of cells in an octant.
static region octant_of(const region *cube, uint32_t octant, uint32_t half) {
    region r = {.size = half, .node = cube->node};
    for (int i = 0; i < 3; i++) {
        uint32_t end = cube->last[i];
        r.first[i] = cube->first[i] + ((octant >> i) & 1) * half;
        r.first[i] = r.first[i] < end ? r.first[i] : end;
        r.last[i] = r.first[i] + half < end ? r.first[i] + half : end;
    }
    return r;
}

static bool is_empty(const region *r) {
    return r->first[0] == r->last[0] || r->first[1] == r->last[1] || r->first[2] == r->last[2];
}

// Returns the deepest node that all of a region is below.
static int32_t go_down(const build *b, const region *r) {
    int32_t node = r->node;
    for (uint32_t level = 0; node >= 0 && level < MOST_VISITS; level++) {
        unsigned side = bspi_box_side(b->index->forks[node].planes[0], r->low, r->high);
        if (side == 2) {
            break;
        }
        node = b->map->nodes[node].children[side];
    }
    return node;
}

// Finds the kinds of the cells of a cube: of all at once if they are the same, else by octants.
static bool find_kinds(const build *b, const region *whole, slab *out, bspi_meter *meter) {
    region waiting[7 * CUBE_LEVELS + 8];
    uint32_t count = 0;
    waiting[count++] = *whole;
    while (count > 0) {
        region r = waiting[--count];
        int32_t contents = 0;
        bool single = r.size == 1;
        const bspi_cells *cells = &b->index->cells;
        size_t first = cell_number(cells, r.first[0], r.first[1], r.first[2]);
        if (!bspi_meter_add(meter, 1)) {
            return false;
        }
        set_box_of(b, &r);
        r.node = single ? cells->starts[first] : go_down(b, &r);
        bool same = find_contents(b, r.node, &r, &contents);
        if (same || single) {
            uint8_t kind =
                same ? kind_of(out->values, &out->num_values, contents) : (uint8_t)BSPI_MIXED;
            fill(b->kinds, cells, &r, kind);
            continue;
        }
        for (uint32_t octant = 0; octant < 8; octant++) {
            region part = octant_of(&r, octant, r.size / 2);
            if (!is_empty(&part)) {
                waiting[count++] = part;
            }
        }
    }
    return true;
}

// Finds the kinds of the cells of a slab, which no other touches.
static bool find_slab(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    (void)worker;
    const build *b = user;
    const uint32_t *count = b->index->cells.count;
    bspi_meter meter = {.heap = b->meter->heap, .error = error};
    region whole = {.size = 1, .node = b->map->models[0].headnodes[0]};
    while (whole.size < count[0] || whole.size < count[1] || whole.size < SLAB) {
        whole.size *= 2;
    }
    memcpy(whole.last, count, sizeof whole.last);
    whole.first[2] = item * SLAB;
    whole.last[2] = count[2] - whole.first[2] < SLAB ? count[2] : whole.first[2] + SLAB;
    return find_kinds(b, &whole, &b->slabs[item], &meter) && bspi_meter_pay(&meter);
}

// Numbers the kinds of a slab as those of all are.
static void join(build *b, uint32_t item) {
    const slab *from = &b->slabs[item];
    const uint32_t *count = b->index->cells.count;
    size_t layer = (size_t)count[0] * count[1];
    size_t begin = layer * item * SLAB;
    size_t end = item * SLAB + SLAB < count[2] ? begin + layer * SLAB : layer * count[2];
    uint8_t numbers[BSPI_MIXED + 1];
    bool same = true;
    numbers[BSPI_MIXED] = BSPI_MIXED;
    for (uint32_t i = 0; i < from->num_values; i++) {
        numbers[i] = kind_of(b->c->values, &b->c->num_values, from->values[i]);
        same = same && numbers[i] == i;
    }
    for (size_t i = begin; !same && i < end; i++) {
        b->kinds[i] = numbers[b->kinds[i]];
    }
}

static bool build_kinds(build *b, bsp_trace_index *index) {
    const uint32_t *count = index->cells.count;
    bsp_error *error = b->meter->error;
    size_t total = (size_t)count[0] * count[1] * count[2];
    uint32_t items = (count[2] + SLAB - 1) / SLAB;
    size_t room = items * sizeof *b->slabs;
    b->slabs = bspi_heap_alloc(&index->heap, room, error);
    b->kinds = bspi_arena_raw(&index->arena, total, 1, error);
    bool done = b->slabs != NULL && b->kinds != NULL;
    for (uint32_t i = 0; done && i < items; i++) {
        b->slabs[i].num_values = 0;
    }
    uint32_t threads = total < FEW_CELLS ? 1 : bspi_heap_threads(&index->heap);
    done = done && bspi_workers_each(threads, items, find_slab, b, error);
    for (uint32_t i = 0; done && i < items; i++) {
        join(b, i);
    }
    b->c->kinds = b->kinds;
    bspi_heap_free(&index->heap, b->slabs, room);
    return done;
}

bool bspi_build_contents(bsp_trace_index *index, bspi_meter *meter) {
    const bsp_map *map = index->map;
    const bspi_cells *cells = &index->cells;
    build b = {.index = index, .map = map, .meter = meter};
    b.listed = !map->traits->contents_numbers && !index->rules->leaves_say && map->num_brushes != 0;
    if (cells->starts == NULL || (b.listed && !bspi_shares_little(map))) {
        return true;
    }
    b.c = bspi_arena_zero(&index->arena, 1, sizeof *b.c, meter->error);
    if (b.c == NULL) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        float half = cells->end[i] / cells->scale[i] / 2;
        b.c->origin[i] = cells->origin[i] + half;
        b.c->scale[i] = BSPI_LARGEST_RANK / half;
    }
    if (!build_brushes(&b, index) || !build_leaves(&b, index) || !build_kinds(&b, index)) {
        return false;
    }
    index->contents = b.c;
    return true;
}
