// SPDX-License-Identifier: MIT
// Merging: see the header for the method. Every step is verified by cutting; one that cannot be
// verified (too many sides, rounding, too much work) is not taken, and the cell stays smaller.
#include "decompile/tree/merge.h"

#include <stdlib.h>
#include <string.h>

#define PROBE 0.1 // distance of the first sample outside of a side
#define MOST_PIECES 64u
#define MOST_TRIES 256u // sides tried for one region
// A smaller part of a cell is rounding: cubic units, and as a part of the cell.
#define SLIVER 0.05
#define SLIVER_PART 1e-7

// --- regions ------------------------------------------------------------------------------------

bool bspi_region_of_cell(const bspi_tree *tree, uint32_t cell, bspi_region *region) {
    const bspi_tree_cell *from = &tree->cells[cell];
    region->contents = from->contents;
    region->num_tags = from->num_tags;
    if (from->num_tags > BSPI_REGION_SIDES) {
        return false;
    }
    memcpy(region->tags, tree->tags + from->first_tag, from->num_tags * sizeof *region->tags);
    return true;
}

// Takes the sides of the carver's solid. Returns false if they are too many.
static bool take_sides(const bspi_carver *carver, bspi_region *region) {
    const bspi_polyhedron *solid = &carver->solid;
    if (solid->num_polygons > BSPI_REGION_SIDES) {
        return false;
    }
    region->num_tags = solid->num_polygons;
    for (uint32_t i = 0; i < solid->num_polygons; i++) {
        region->tags[i] = solid->polygons[i].tag;
    }
    return true;
}

static bool carve_region(bspi_carver *carver, const bspi_region *region) {
    return bspi_carve(carver, region->tags, region->num_tags, BSP_NONE);
}

// Returns a side of the carver's solid that shows faces of two kinds, or BSP_NONE.
static uint32_t mixed_side(const bspi_merger *m, bspi_tree_side *side) {
    for (uint32_t i = 0; m->faces != NULL && i < m->carver->solid.num_polygons; i++) {
        bspi_tree_side_of(m->carver, i, side);
        if (bspi_tree_faces_kind(m->faces, side, NULL) == BSPI_MIXED) {
            return i;
        }
    }
    return BSP_NONE;
}

// --- growing ------------------------------------------------------------------------------------

typedef struct growth {
    bspi_merger *merger;
    int32_t contents;
    bool gains; // it reaches a cell that is in no volume yet
} growth;

// Returns true if the part of a cell that has this volume is all of it.
static bool is_whole(const bspi_tree_cell *cell, double volume) {
    return volume >= cell->volume - SLIVER - SLIVER_PART * cell->volume;
}

static bool may_have(void *user, bspi_carver *carver, uint32_t number) {
    growth *g = user;
    const bspi_tree_cell *cell = &g->merger->tree->cells[number];
    bool wanted = cell->contents == g->contents;
    if (wanted && g->merger->overlaps) {
        g->gains = g->gains || !cell->done;
        return true;
    }
    double volume = cell->contents != 0 ? bspi_polyhedron_volume(&carver->solid) : 0;
    if (volume < SLIVER) {
        return true;
    }
    g->gains = true;
    return wanted && !cell->done && is_whole(cell, volume);
}

// Tries the region with its side `drop` replaced by `more` tags.
static bool try_without(bspi_merger *m, const bspi_region *region, uint32_t drop,
                        const uint32_t *more, uint32_t count, bspi_region *grown) {
    bspi_carver *carver = m->carver;
    bool there = bspi_carve(carver, region->tags, region->num_tags, drop);
    for (uint32_t i = 0; there && i < count; i++) {
        there = bspi_carve_tag(carver, more[i]);
    }
    bspi_tree_side side;
    grown->contents = region->contents;
    if (!there || !take_sides(carver, grown) || mixed_side(m, &side) != BSP_NONE) {
        return false;
    }
    growth g = {m, region->contents, false};
    if (!bspi_carve_tag(carver, region->tags[drop] ^ 1)) {
        return !carver->solid.failed; // dropping the side changed nothing
    }
    return bspi_tree_walk(m->tree, m->carver, may_have, &g) && g.gains;
}

// Gives the tags of a cell that have all of the carver's solid on their back side.
static uint32_t far_tags(const bspi_merger *m, uint32_t number, uint32_t *tags) {
    const bspi_tree_cell *cell = &m->tree->cells[number];
    const bspi_flats *flats = &m->carver->flats;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cell->num_tags && count < BSPI_REGION_SIDES; i++) {
        uint32_t tag = m->tree->tags[cell->first_tag + i];
        double normal[3];
        double dist;
        bspi_flats_out(flats, tag, normal, &dist);
        if (!bspi_flats_is_box(flats, tag) &&
            (bspi_polyhedron_sides(&m->carver->solid, normal, dist, BSPI_TREE_EPSILON) & 1) == 0) {
            tags[count++] = tag;
        }
    }
    return count;
}

// Returns the cell outside of the centre of a side of the carver's solid, if it may be joined; or
// BSP_NONE.
static uint32_t behind_side(const bspi_merger *m, uint32_t polygon, int32_t contents) {
    bspi_tree_side side;
    bspi_tree_side_of(m->carver, polygon, &side);
    double point[3] = {0, 0, 0};
    for (uint32_t i = 0; i < side.polygon.count; i++) {
        for (int a = 0; a < 3; a++) {
            point[a] += side.polygon.points[i][a] / side.polygon.count;
        }
    }
    for (int a = 0; a < 3; a++) {
        point[a] += PROBE * side.normal[a];
    }
    uint32_t cell = bspi_tree_find(m->tree, m->carver, point);
    return m->tree->cells[cell].contents == contents ? cell : BSP_NONE;
}

// Returns the polygon of the carver's solid with a tag.
static uint32_t polygon_of(const bspi_carver *carver, uint32_t tag) {
    const bspi_polyhedron *solid = &carver->solid;
    for (uint32_t i = 0; i < solid->num_polygons; i++) {
        if (solid->polygons[i].tag == tag) {
            return i;
        }
    }
    return BSP_NONE;
}

static bool grow_side(bspi_merger *m, const bspi_region *region, uint32_t drop,
                      bspi_region *grown) {
    if (bspi_flats_is_box(&m->carver->flats, region->tags[drop]) ||
        !carve_region(m->carver, region)) {
        return false;
    }
    uint32_t polygon = polygon_of(m->carver, region->tags[drop]);
    uint32_t cell = polygon == BSP_NONE ? BSP_NONE : behind_side(m, polygon, region->contents);
    if (cell == BSP_NONE) {
        return false;
    }
    uint32_t tags[BSPI_REGION_SIDES];
    uint32_t count = far_tags(m, cell, tags);
    return try_without(m, region, drop, NULL, 0, grown) ||
           (count != 0 && try_without(m, region, drop, tags, count, grown));
}

void bspi_region_grow(bspi_merger *m, bspi_region *region) {
    uint32_t tries = 0;
    uint32_t drop = region->num_tags;
    while (drop != 0 && tries < MOST_TRIES && !m->carver->starved && !m->apart) {
        bspi_region grown;
        tries++;
        if (grow_side(m, region, --drop, &grown)) {
            *region = grown;
            drop = region->num_tags;
        }
    }
    (void)carve_region(m->carver, region);
}

// --- cells that are done -------------------------------------------------------------------------

static bool mark(void *user, bspi_carver *carver, uint32_t number) {
    growth *g = user;
    bspi_tree_cell *cell = &g->merger->tree->cells[number];
    if (!cell->done && cell->contents == g->contents) {
        cell->done = is_whole(cell, bspi_polyhedron_volume(&carver->solid));
    }
    return true;
}

bool bspi_region_done(bspi_merger *m, const bspi_region *region) {
    growth g = {m, region->contents, false};
    return bspi_tree_walk(m->tree, m->carver, mark, &g);
}

// --- all cells ----------------------------------------------------------------------------------

// Cuts the region on top of the stack where it shows two kinds on one side. Returns true if it did.
static bool cut_top(bspi_merger *m, bspi_region *pile, uint32_t *count) {
    bspi_region *top = &pile[*count - 1];
    bspi_tree_side side;
    double normal[3];
    double dist;
    if (!carve_region(m->carver, top) || mixed_side(m, &side) == BSP_NONE) {
        return false;
    }
    if (*count == MOST_PIECES || top->num_tags == BSPI_REGION_SIDES ||
        !bspi_tree_faces_cut(m->faces, &side, normal, &dist)) {
        return false;
    }
    uint32_t tag = bspi_flat_tag(m->carver, normal, dist);
    if (tag == BSP_NONE) {
        return false;
    }
    pile[*count] = *top;
    top->tags[top->num_tags++] = tag;
    pile[*count].tags[pile[*count].num_tags++] = tag ^ 1;
    ++*count;
    return true;
}

static bool finish(bspi_merger *m, bspi_region *region) {
    if (!carve_region(m->carver, region) || bspi_polyhedron_volume(&m->carver->solid) < SLIVER) {
        return true; // only rounding is left
    }
    bspi_region_grow(m, region);
    return m->emit(m->user, region) && carve_region(m->carver, region) &&
           bspi_region_done(m, region);
}

static bool make_cell(bspi_merger *m, uint32_t number, bspi_region *pile) {
    uint32_t count = 1;
    if (!bspi_region_of_cell(m->tree, number, &pile[0])) {
        m->lost++;
        return true;
    }
    while (count != 0) {
        if (!cut_top(m, pile, &count) && !finish(m, &pile[--count])) {
            return false;
        }
    }
    m->tree->cells[number].done = true; // perhaps in several pieces
    return true;
}

// Sorts the largest first.
static int compare_ranks(const void *left, const void *right) {
    const bspi_ranked_cell *a = left;
    const bspi_ranked_cell *b = right;
    return a->volume != b->volume ? (a->volume > b->volume ? -1 : 1)
           : a->cell < b->cell    ? -1
                                  : a->cell > b->cell;
}

bspi_ranked_cell *bspi_rank_cells(const bspi_tree *tree, bspi_carver *carver, uint32_t *count) {
    bspi_ranked_cell *list =
        bspi_heap_alloc(carver->flats.heap, tree->num_cells * sizeof *list, carver->error);
    *count = 0;
    for (uint32_t i = 0; list != NULL && i < tree->num_cells; i++) {
        if (!tree->cells[i].done) {
            list[(*count)++] = (bspi_ranked_cell){tree->cells[i].volume, i};
        }
    }
    if (*count != 0) {
        qsort(list, *count, sizeof *list, compare_ranks);
    }
    return list;
}

bool bspi_merge(bspi_merger *m) {
    bspi_heap *heap = m->carver->flats.heap;
    size_t pile_size = MOST_PIECES * sizeof(bspi_region);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->tree->num_cells; i++) {
        bspi_tree_cell *cell = &m->tree->cells[i];
        cell->done = cell->contents == 0 || !m->wanted(m, cell->contents);
    }
    bspi_ranked_cell *list = bspi_rank_cells(m->tree, m->carver, &count);
    bspi_region *pile = bspi_heap_alloc(heap, pile_size, m->carver->error);
    bool good = list != NULL && pile != NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        good = m->tree->cells[list[i].cell].done ||
               (make_cell(m, list[i].cell, pile) && !m->carver->starved);
    }
    bspi_heap_free(heap, list, m->tree->num_cells * sizeof *list);
    bspi_heap_free(heap, pile, pile_size);
    return good;
}
