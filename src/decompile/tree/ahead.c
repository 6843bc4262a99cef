// SPDX-License-Identifier: MIT
// Work that turns out to be in vain is not charged, so that a limit is reached at the same place
// at any number of threads; a cell that takes too much of it is left to its turn.
#include "decompile/tree/ahead.h"

#include <string.h>

#define MOST_STEPS ((uint64_t)1 << 20) // of one cell: 10 ms

// What becomes of one cell, and what a thread needs for it.
struct bspi_ahead_slot {
    bspi_merger merger; // with the marks, the carver and the faces below
    bspi_merge_marks marks;
    bspi_carver carver;
    bspi_tree_faces faces;
    bspi_heap steps;            // counts what the carver does
    bspi_polyhedron_stack kept; // solids of the volumes
    bspi_region *pile;          // scratch
    bool good;                  // the cell was merged
    uint32_t num_volumes;
    size_t room_volumes;
    struct volume *volumes;
};

typedef struct volume {
    int32_t contents;
    size_t end; // of its solid, on the stack
} volume;

// --- ahead of the turn ---------------------------------------------------------------------------

static bool keep_volume(void *user, const bspi_carver *carver, const bspi_region *region) {
    bspi_ahead_slot *slot = user;
    bspi_heap *heap = carver->flats.heap;
    volume *volumes = bspi_grow(heap, slot->volumes, slot->num_volumes, &slot->room_volumes,
                                sizeof *volumes, NULL);
    if (volumes == NULL) {
        return false;
    }
    slot->volumes = volumes;
    bool good = bspi_polyhedron_push(&slot->kept, &carver->solid, NULL);
    volumes[slot->num_volumes++] = (volume){region->contents, slot->kept.used};
    return good;
}

static void make(void *user, uint32_t number, uint32_t item) {
    const bspi_ahead *a = user;
    bspi_ahead_slot *slot = &a->slots[number];
    bspi_carver *carver = &slot->carver;
    uint32_t cell = a->list[item].cell;
    slot->good = false;
    if (bspi_cell_is_done(&a->merger->tree->cells[cell])) {
        return;
    }
    slot->marks.stamp += 2;
    slot->marks.open.count = slot->marks.done.count = 0;
    slot->merger.lost = 0;
    slot->num_volumes = 0;
    slot->kept.used = carver->stack.used = 0;
    carver->starved = false;
    carver->meter.failed = false;
    atomic_store(&slot->steps.work, 0);
    bool merged = bspi_merge_cell(&slot->merger, cell, slot->pile);
    slot->good = bspi_meter_pay(&carver->meter) && merged && !carver->starved;
}

// --- at the turn ---------------------------------------------------------------------------------

static bool is_valid(const bspi_ahead *a, const bspi_ahead_slot *slot) {
    const bspi_tree_cell *cells = a->merger->tree->cells;
    bool valid = slot->good;
    for (uint32_t i = 0; valid && i < slot->marks.open.count; i++) {
        valid = !bspi_cell_is_done(&cells[slot->marks.open.cells[i]]);
    }
    return valid;
}

static bool use(void *user, uint32_t number, uint32_t item) {
    const bspi_ahead *a = user;
    bspi_ahead_slot *slot = &a->slots[number];
    bspi_merger *m = a->merger;
    bspi_carver *carver = &slot->carver;
    uint32_t cell = a->list[item].cell;
    if (bspi_cell_is_done(&m->tree->cells[cell])) {
        return true;
    }
    if (!is_valid(a, slot)) {
        return bspi_merge_cell(m, cell, a->pile) && !m->carver->starved;
    }
    bool good = bspi_carver_work(m->carver, atomic_load(&slot->steps.work));
    for (uint32_t i = 0; good && i < slot->num_volumes; i++) {
        const volume *from = &slot->volumes[i];
        const bspi_region region = {.contents = from->contents};
        bspi_polyhedron_read(&slot->kept, from->end, &carver->solid);
        good = m->emit(m->user, carver, &region);
    }
    for (uint32_t i = 0; i < slot->marks.done.count; i++) {
        bspi_cell_set_done(&m->tree->cells[slot->marks.done.cells[i]], true);
    }
    m->lost += slot->merger.lost;
    return good;
}

// --- all cells -----------------------------------------------------------------------------------

static bool begin_slot(bspi_ahead *a, bspi_ahead_slot *slot, bspi_arena *arena) {
    const bspi_carver *from = a->merger->carver;
    bsp_error error = {0}; // without memory there is no help
    uint32_t cells = a->merger->tree->num_cells;
    slot->merger = *a->merger;
    bspi_merger *m = &slot->merger;
    m->carver = &slot->carver;
    m->faces = &slot->faces;
    m->marks = &slot->marks;
    m->emit = keep_volume;
    m->user = slot;
    slot->faces = *a->merger->faces;
    slot->faces.carver = m->carver;
    slot->faces.overlaps =
        bspi_arena_raw(arena, BSPI_TREE_OVERLAPS, sizeof *slot->faces.overlaps, &error);
    slot->pile = bspi_arena_raw(arena, BSPI_MERGE_PILE, sizeof *slot->pile, &error);
    slot->marks.stamps = bspi_arena_zero(arena, cells, sizeof *slot->marks.stamps, &error);
    slot->kept.heap = from->flats.heap;
    bspi_heap_init(&slot->steps, NULL, 0);
    slot->steps.work_limit = MOST_STEPS;
    bool good = bspi_carver_fork(&slot->carver, from, arena, &error) &&
                slot->faces.overlaps != NULL && slot->pile != NULL && slot->marks.stamps != NULL;
    slot->carver.error = NULL;
    slot->carver.meter = (bspi_meter){.heap = &slot->steps};
    return good;
}

bool bspi_ahead_begin(bspi_ahead *a, bspi_merger *merger, uint32_t slots, bspi_arena *arena) {
    bsp_error error = {0};
    memset(a, 0, sizeof *a);
    a->merger = merger;
    a->list = bspi_rank_wanted(merger, &a->count);
    a->pile = bspi_arena_raw(arena, BSPI_MERGE_PILE, sizeof *a->pile, &error);
    a->slots = bspi_arena_zero(arena, slots, sizeof *a->slots, &error);
    bool good = a->list != NULL && a->pile != NULL && a->slots != NULL;
    while (good && a->num_slots < slots) {
        good = begin_slot(a, &a->slots[a->num_slots++], arena);
    }
    if (good) {
        bspi_pipe_begin(&a->pipe, a->count, slots, make, use, a);
        a->began = true;
    }
    return good;
}

bool bspi_ahead_merge(bspi_ahead *a) {
    return bspi_pipe_use(&a->pipe);
}

void bspi_ahead_help(bspi_ahead *a) {
    bspi_pipe_help(&a->pipe);
}

void bspi_ahead_end(bspi_ahead *a) {
    if (a->merger == NULL) {
        return;
    }
    bspi_heap *heap = a->merger->carver->flats.heap;
    if (a->began) {
        bspi_pipe_end(&a->pipe);
    }
    for (uint32_t i = 0; i < a->num_slots; i++) {
        bspi_ahead_slot *slot = &a->slots[i];
        bspi_merge_marks *marks = &slot->marks;
        bspi_heap_free(heap, marks->open.cells, marks->open.room * sizeof *marks->open.cells);
        bspi_heap_free(heap, marks->done.cells, marks->done.room * sizeof *marks->done.cells);
        bspi_heap_free(heap, slot->volumes, slot->room_volumes * sizeof *slot->volumes);
        bspi_polyhedron_stack_free(&slot->kept);
        (void)bspi_carver_end(&slot->carver);
    }
    bspi_heap_free(heap, a->list, a->merger->tree->num_cells * sizeof *a->list);
}
