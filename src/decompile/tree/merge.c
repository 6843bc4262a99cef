// SPDX-License-Identifier: MIT
// Merging: see the header for the method. Every step is verified by cutting; one that cannot be
// verified (too many sides, rounding, too much work) is not taken, and the cell stays smaller.
#include "decompile/tree/merge.h"

#include <stdlib.h>

// Cuts the region on top of the stack, which is the carver's solid, where it shows two kinds on one
// side. Returns true if it did.
static bool cut_top(bspi_merger *m, bspi_region *pile, uint32_t *count) {
    bspi_region *top = &pile[*count - 1];
    bspi_tree_side side;
    double normal[3];
    double dist;
    if (bspi_region_mixed_side(m, &side) == BSP_NONE || *count == BSPI_MERGE_PILE ||
        top->num_tags == BSPI_REGION_SIDES ||
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

// Grows and emits a region, which is the carver's solid.
static bool finish(bspi_merger *m, bspi_trial *t, bspi_region *region) {
    if (bspi_polyhedron_volume(&m->carver->solid) < BSPI_SLIVER) {
        return true; // only rounding is left
    }
    return (m->apart || bspi_trial_grow(t, region)) && m->emit(m->user, m->carver, region) &&
           bspi_region_done(m, region);
}

bool bspi_merge_cell(bspi_merger *m, uint32_t number, bspi_region *pile) {
    uint32_t count = 1;
    size_t bottom = m->carver->stack.used;
    bspi_trial t;
    if (!bspi_region_of_cell(m->tree, number, &pile[0])) {
        m->lost++;
        return true;
    }
    while (count != 0) {
        bspi_region *top = &pile[count - 1];
        bool there = m->apart ? bspi_region_carve(m->carver, top) : bspi_trial_begin(&t, m, top);
        if (there && cut_top(m, pile, &count)) {
            m->carver->stack.used = bottom;
            continue;
        }
        count--;
        bool good = !there || finish(m, &t, top);
        m->carver->stack.used = bottom;
        if (!good) {
            return false;
        }
    }
    return bspi_merger_set_done(m, number); // perhaps in several pieces
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
        if (!bspi_cell_is_done(&tree->cells[i])) {
            list[(*count)++] = (bspi_ranked_cell){tree->cells[i].volume, i};
        }
    }
    if (*count != 0) {
        qsort(list, *count, sizeof *list, compare_ranks);
    }
    return list;
}

bspi_ranked_cell *bspi_rank_wanted(const bspi_merger *m, uint32_t *count) {
    for (uint32_t i = 0; i < m->tree->num_cells; i++) {
        bspi_tree_cell *cell = &m->tree->cells[i];
        bspi_cell_set_done(cell, cell->contents == 0 || !m->wanted(m, cell->contents));
    }
    return bspi_rank_cells(m->tree, m->carver, count);
}

bool bspi_merge(bspi_merger *m) {
    bspi_heap *heap = m->carver->flats.heap;
    size_t pile_size = BSPI_MERGE_PILE * sizeof(bspi_region);
    uint32_t count = 0;
    bspi_ranked_cell *list = bspi_rank_wanted(m, &count);
    bspi_region *pile = bspi_heap_alloc(heap, pile_size, m->carver->error);
    bool good = list != NULL && pile != NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        good = bspi_cell_is_done(&m->tree->cells[list[i].cell]) ||
               (bspi_merge_cell(m, list[i].cell, pile) && !m->carver->starved);
    }
    bspi_heap_free(heap, list, m->tree->num_cells * sizeof *list);
    bspi_heap_free(heap, pile, pile_size);
    return good;
}
