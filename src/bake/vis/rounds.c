// SPDX-License-Identifier: MIT
// The searches of all gates. Sight is the same in both directions: a line through gate P and then Q
// is one through Q and then P from the other side, so what one search finds, or does not find,
// settles the one that looks back. Searches are done in rounds, those of gates that may see little
// first, and take only what earlier rounds have found: the result is the same at any number of
// threads.
//
// Shares of the work: the gates of the first rounds are searched by each machine, the others by one
// machine each, which knows the first rounds alone. Such a search sees more than one in its own
// round, never less, since sets of what may be seen only shrink from round to round. The rounds are
// then gone through once more, without looking for what a share has not found.
#include "bake/vis/crew.h"

#include "core/workers.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 128u
#define LEAST_ROUND 16u // gates
#define MOST_PIECES 64u // of the work between two rounds

typedef struct flow {
    bspi_sight *sight;
    const uint32_t *order;
    uint32_t alone; // first gate that has a share
    uint8_t *found; // rows of a round: the clusters that each search has found
} flow;

// --- rounds -------------------------------------------------------------------------------------

static uint32_t count_pieces(const bspi_sight *sight) {
    return sight->words / 4 < MOST_PIECES ? sight->words / 4 : MOST_PIECES;
}

static void begin_gate(void *user, uint32_t item, bspi_task *task) {
    const flow *all = user;
    const bspi_sight *sight = all->sight;
    task->gate = all->order[item];
    if (sight->shares != NULL && item >= all->alone) {
        task->share = sight->shares + (size_t)item * sight->vis.row_bytes;
    }
}

static uint8_t *found_row(const flow *all, uint32_t item) {
    const bspi_sight *sight = all->sight;
    return all->found + (size_t)(item % bspi_sight_round(sight)) * sight->vis.row_bytes;
}

static void store_gate(void *user, uint32_t item, const bspi_search *search) {
    bspi_search_store(search);
    bspi_search_row(search, found_row(user, item));
}

// Takes what the searches of a round have found: their own clusters and those found see each other.
static bool end_round(void *user, uint32_t first, uint32_t count, bsp_error *error) {
    const flow *all = user;
    bspi_sight *sight = all->sight;
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t from = sight->gates[all->order[i]].from;
        const uint8_t *row = found_row(all, i);
        const uint8_t *known = sight->rows + (size_t)from * sight->vis.row_bytes;
        sight->done[all->order[i]] = true;
        for (uint32_t byte = 0; byte < sight->vis.row_bytes; byte++) {
            for (unsigned left = row[byte] & ~known[byte]; left != 0; left &= left - 1) {
                bspi_sight_see(sight, from, byte * 8 + (uint32_t)__builtin_ctz(left));
            }
        }
    }
    return bspi_heap_work(&sight->heap, (uint64_t)count * sight->words, error);
}

// Gates that a search has not reached do not lead back to it. A piece is of the words of the sets:
// no two change the same gate.
static void close_ways(void *user, uint32_t first, uint32_t count, uint32_t piece) {
    const flow *all = user;
    bspi_sight *sight = all->sight;
    uint32_t pieces = count_pieces(sight);
    uint32_t end = (piece + 1) * sight->words / pieces;
    for (uint32_t w = piece * sight->words / pieces; w < end; w++) {
        for (uint32_t i = first; i < first + count; i++) {
            uint32_t number = all->order[i];
            bspi_word left = bspi_gate_set(sight, sight->might, number)[w] &
                             ~bspi_gate_set(sight, sight->seen, number)[w];
            while (left != 0) {
                uint32_t back = bspi_gate_take(&left, 64 * w) ^ 1;
                if (!sight->done[back]) {
                    bspi_gate_remove(bspi_gate_set(sight, sight->might, back), number ^ 1);
                }
            }
        }
    }
}

// --- shares -------------------------------------------------------------------------------------

static uint32_t share_place(const flow *all, uint32_t item) {
    return all->alone + all->sight->share + item * all->sight->num_shares;
}

static void begin_share(void *user, uint32_t item, bspi_task *task) {
    const flow *all = user;
    task->gate = all->order[share_place(all, item)];
}

static void store_share(void *user, uint32_t item, const bspi_search *search) {
    const flow *all = user;
    bspi_sight *sight = all->sight;
    bspi_search_row(search, sight->shares + (size_t)share_place(all, item) * sight->vis.row_bytes);
}

uint32_t bspi_sight_alone(const bspi_sight *sight) {
    uint32_t rounds = sight->num_gates / 4 * 3 / bspi_sight_round(sight);
    return rounds * bspi_sight_round(sight);
}

uint32_t bspi_sight_round(const bspi_sight *sight) {
    uint32_t size = sight->num_gates / ROUNDS;
    return size < LEAST_ROUND ? LEAST_ROUND : size;
}

uint32_t bspi_sight_share_size(const bspi_sight *sight, uint32_t share) {
    uint32_t count = sight->num_gates - bspi_sight_alone(sight);
    return count / sight->num_shares + (share < count % sight->num_shares);
}

// --- all ----------------------------------------------------------------------------------------

typedef struct place {
    uint32_t reach;
    uint32_t gate;
} place;

static int compare(const void *a, const void *b) {
    const place *p = a;
    const place *q = b;
    return p->reach != q->reach ? (p->reach < q->reach ? -1 : 1)
                                : (p->gate > q->gate) - (p->gate < q->gate);
}

static uint32_t *make_order(bspi_sight *sight, bsp_error *error) {
    place *places = bspi_arena_raw(&sight->arena, sight->num_gates, sizeof *places, error);
    uint32_t *order = bspi_arena_raw(&sight->arena, sight->num_gates, sizeof *order, error);
    for (uint32_t i = 0; places != NULL && order != NULL && i < sight->num_gates; i++) {
        places[i] = (place){sight->gates[i].reach, i};
    }
    if (places == NULL || order == NULL) {
        return NULL;
    }
    qsort(places, sight->num_gates, sizeof *places, compare);
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        order[i] = places[i].gate;
    }
    return order;
}

static bool begin(flow *all, bsp_error *error) {
    bspi_sight *sight = all->sight;
    all->order = make_order(sight, error);
    all->alone = bspi_sight_alone(sight);
    sight->seen = bspi_arena_zero(&sight->arena, (size_t)sight->num_gates * sight->words,
                                  sizeof *sight->seen, error);
    sight->done = bspi_arena_zero(&sight->arena, sight->num_gates, sizeof *sight->done, error);
    all->found =
        bspi_arena_raw(&sight->arena, bspi_sight_round(sight), sight->vis.row_bytes, error);
    return all->order != NULL && sight->seen != NULL && sight->done != NULL && all->found != NULL;
}

bool bspi_sight_flow(bspi_sight *sight, bool share, bsp_error *error) {
    uint32_t threads = bspi_heap_threads(&sight->heap);
    flow all = {.sight = sight};
    bspi_progress progress;
    if (!begin(&all, error)) {
        return false;
    }
    const bspi_rounds first = {.sight = sight,
                               .items = share ? all.alone : sight->num_gates,
                               .size = bspi_sight_round(sight),
                               .pieces = count_pieces(sight),
                               .begin = begin_gate,
                               .found = store_gate,
                               .end = end_round,
                               .piece = close_ways,
                               .user = &all};
    const bspi_rounds rest = {.sight = sight,
                              .items = share ? bspi_sight_share_size(sight, sight->share) : 0,
                              .size = bspi_sight_round(sight),
                              .begin = begin_share,
                              .found = store_share,
                              .user = &all};
    return bspi_progress_begin(&progress, &sight->progress, "gates",
                               (uint64_t)first.items + rest.items, error) &&
           bspi_crew_run(&first, threads, &progress, error) &&
           bspi_crew_run(&rest, threads, &progress, error);
}
