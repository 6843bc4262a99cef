// SPDX-License-Identifier: MIT
// Transfers go between patches whose clusters see each other in the stored rows, and between which
// no surface stands. A preview looks along some of the weak ones alone, which stand for those
// before them: what a patch receives is right in the mean.
#include "bake/light/bounce/transfers.h"

#include "bake/light/shadows/shadow.h"

#include "core/progress.h"
#include "core/workers.h"

#include <math.h>

#define LINES 1024u    // that are looked along at once
#define TURN 0.618034f // golden section: what a row begins with is another share for each

typedef struct finder {
    bspi_transfers *transfers;
    uint32_t *clusters; // of each patch
    uint32_t *runs;     // of each patch: the first one after it that is of another cluster
} finder;

// Adds to a row those transfers that nothing stands between.
static bool look(bspi_relight *own, bspi_transfer_row *row, const bspi_transfer *ways,
                 const bsp_sight_line *lines, uint32_t count, bsp_error *error) {
    bool seen[LINES];
    if (count == 0) {
        return true;
    }
    bspi_shadow_lines(own, bspi_shaded_model(0), lines, seen, NULL, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!seen[i]) {
            continue;
        }
        bspi_transfer *list =
            bspi_grow(&own->heap, row->list, row->count, &row->room, sizeof *list, error);
        if (list == NULL) {
            return false;
        }
        row->list = list;
        row->list[row->count++] = ways[i];
    }
    return true;
}

// Gives back the memory that a row does not need: all rows together are most of what light takes.
static bool trim(bspi_relight *own, bspi_transfer_row *row, bsp_error *error) {
    size_t size = sizeof *row->list;
    if (row->room == row->count) {
        return true;
    }
    bspi_transfer *list =
        bspi_heap_resize(&own->heap, row->list, row->room * size, row->count * size, error);
    if (list == NULL) {
        return false;
    }
    row->list = list;
    row->room = row->count;
    return true;
}

// Is the cluster of a patch seen?
static bool sees(const finder *f, const uint8_t *visible, uint32_t patch) {
    uint32_t cluster = f->clusters[patch];
    return cluster == BSP_NONE || bsp_query_row_sees(f->transfers->own->map, visible, cluster);
}

// Returns bits of the patches from one on whose clusters are seen; that of the first one is.
static uint32_t see(const finder *f, const uint8_t *visible, uint32_t to, uint32_t count) {
    uint32_t open = 0;
    for (uint32_t n = 0; n < count;) {
        uint32_t end = f->runs[to + n] - to < count ? f->runs[to + n] - to : count;
        if (n == 0 || sees(f, visible, to + n)) {
            open |= ((1u << end) - 1) & ~((1u << n) - 1);
        }
        n = end;
    }
    return open;
}

// Asks what goes between a patch and those that are open of up to eight from one on. Returns bits
// of those to which something goes.
static uint32_t ask(const bspi_transfers *t, uint32_t from, uint32_t to, uint32_t count,
                    uint32_t open, bspi_transfer *out, bsp_sight_line *lines) {
    uint32_t some = 0;
    if (t->shares != NULL) {
        return t->shares(t->user, from, to, open, out, lines);
    }
    for (uint32_t n = 0; n < count; n++) {
        if ((open >> n & 1) == 0) {
            continue;
        }
        some |= (uint32_t)t->share(t->user, from, to + n, &out[n], &lines[n]) << n;
    }
    return some;
}

// Is a transfer one that stands for itself, or now for weak ones before it? `held` is what these
// had.
static bool stands(float weak, bspi_transfer *transfer, float *held) {
    float part = transfer->here > transfer->there ? transfer->here : transfer->there;
    if (!(part < weak)) {
        return true;
    }
    *held += part;
    if (*held < weak) {
        return false;
    }
    *held -= weak;
    transfer->here *= weak / part;
    transfer->there *= weak / part;
    return true;
}

static bool find_row(const finder *f, uint32_t from, uint8_t *visible, bsp_error *error) {
    const bspi_transfers *t = f->transfers;
    bspi_relight *own = t->own;
    bspi_transfer_row *row = &t->rows[from];
    bspi_transfer ways[LINES];
    bsp_sight_line lines[LINES];
    uint32_t waiting = 0;
    uint32_t to = t->next(t->user, from);
    float weak = own->effort->transfer;
    float held = weak * (TURN * (float)from - floorf(TURN * (float)from));
    bsp_map_visible(own->map, f->clusters[from], false, visible);
    while (to < t->num_patches) {
        uint32_t count = t->num_patches - to;
        count = count < BSPI_TRANSFERS ? count : BSPI_TRANSFERS;
        if (!sees(f, visible, to)) {
            to = f->runs[to];
            continue;
        }
        uint32_t open = see(f, visible, to, count);
        uint32_t some = ask(t, from, to, count, open, ways + waiting, lines + waiting);
        for (uint32_t n = 0, last = waiting; n < count; n++) {
            if ((some >> n & 1) != 0 && stands(weak, &ways[last + n], &held)) {
                ways[waiting] = ways[last + n];
                lines[waiting] = lines[last + n];
                ways[waiting++].other = to + n;
            }
        }
        to += count;
        if (waiting + BSPI_TRANSFERS > LINES) {
            if (!look(own, row, ways, lines, waiting, error)) {
                return false;
            }
            waiting = 0;
        }
    }
    return look(own, row, ways, lines, waiting, error) && trim(own, row, error) &&
           bspi_heap_work(&own->heap, 1 + t->num_patches / 4, error);
}

static bool make_row(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const finder *f = user;
    bspi_heap *heap = &f->transfers->own->heap;
    size_t size = (size_t)f->transfers->own->map->visibility.row_bytes + 1;
    uint8_t *visible = bspi_heap_alloc(heap, size, error);
    (void)worker;
    bool done = visible != NULL && find_row(f, item, visible, error);
    bspi_heap_free(heap, visible, size);
    return done;
}

bool bspi_transfers_find(bspi_transfers *transfers, bsp_error *error) {
    bspi_relight *own = transfers->own;
    uint32_t count = transfers->num_patches;
    finder f = {.transfers = transfers};
    bspi_progress progress;
    transfers->rows = bspi_arena_zero(&own->arena, count, sizeof *transfers->rows, error);
    f.clusters = bspi_arena_raw(&own->arena, count, sizeof *f.clusters, error);
    f.runs = bspi_arena_raw(&own->arena, count, sizeof *f.runs, error);
    if (transfers->rows == NULL || f.clusters == NULL || f.runs == NULL ||
        !bspi_progress_begin(&progress, &own->options->progress, "patches", (uint64_t)count + 1,
                             error)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t leaf = transfers->leaf(transfers->user, i);
        f.clusters[i] = leaf < own->map->num_leaves ? own->map->leaves[leaf].cluster : BSP_NONE;
    }
    for (uint32_t i = count; i-- > 0;) {
        bool same = i + 1 < count && f.clusters[i + 1] == f.clusters[i];
        f.runs[i] = same ? f.runs[i + 1] : i + 1;
    }
    return bspi_workers_stage(bspi_heap_threads(&own->heap), count, make_row, &f, &progress, error);
}

uint64_t bspi_transfers_count(const bspi_transfers *transfers) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < transfers->num_patches; i++) {
        count += transfers->rows[i].count;
    }
    return count;
}

void bspi_transfers_free(bspi_transfers *transfers) {
    for (uint32_t i = 0; transfers->rows != NULL && i < transfers->num_patches; i++) {
        bspi_transfer_row *row = &transfers->rows[i];
        bspi_heap_free(&transfers->own->heap, row->list, row->room * sizeof *row->list);
    }
}
