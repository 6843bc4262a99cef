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
#include "bake/search.h"

#include "core/progress.h"
#include "core/workers.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 128u
#define LEAST_ROUND 16u // gates

typedef struct flow {
    bspi_sight *sight;
    bspi_search **searches; // of the workers
    const uint32_t *order;
    uint32_t size;  // of a round
    uint32_t first; // of the round
    uint32_t alone; // first gate that has a share
    bspi_progress progress;
} flow;

// Takes what a search has found, for both directions: its own cluster and those found see each
// other, and gates that it has not reached do not lead back to it.
static void tell(bspi_sight *sight, uint32_t number) {
    const bspi_word *might = bspi_gate_set(sight, sight->might, number);
    const bspi_word *seen = bspi_gate_set(sight, sight->seen, number);
    uint32_t from = sight->gates[number].from;
    bspi_sight_see(sight, from, sight->gates[number].to);
    for (uint32_t w = 0; w < sight->words; w++) {
        bspi_word left = might[w];
        while (left != 0) {
            uint32_t n = bspi_gate_take(&left, 64 * w);
            if (bspi_gate_in(seen, n)) {
                bspi_sight_see(sight, from, sight->gates[n].to);
            } else if (!sight->done[n ^ 1]) {
                bspi_gate_remove(bspi_gate_set(sight, sight->might, n ^ 1), number ^ 1);
            }
        }
    }
}

static const uint8_t *share_of(const flow *all, uint32_t place) {
    const bspi_sight *sight = all->sight;
    return sight->shares == NULL || place < all->alone
               ? NULL
               : sight->shares + (size_t)place * sight->vis.row_bytes;
}

static bool search_gate(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    flow *all = user;
    uint32_t place = all->first + item;
    uint32_t number = all->order[place];
    bool done = bspi_search_gate(all->searches[worker], number, share_of(all, place), error);
    bspi_search_store(all->searches[worker], number);
    return done;
}

static bool run_round(flow *all, uint32_t count, uint32_t threads, bsp_error *error) {
    bspi_sight *sight = all->sight;
    if (!bspi_workers_each(threads, count, search_gate, all, error)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        sight->done[all->order[all->first + i]] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        tell(sight, all->order[all->first + i]);
    }
    return bspi_heap_work(&sight->heap, (uint64_t)count * sight->words, error);
}

// Goes through the rounds of the gates before `end`, which is the first gate of a round, or the
// number of all gates.
static bool run_rounds(flow *all, uint32_t end, uint32_t threads, bsp_error *error) {
    for (; all->first < end; all->first += all->size) {
        uint32_t left = end - all->first;
        uint32_t count = left < all->size ? left : all->size;
        if (!run_round(all, count, threads, error) ||
            !bspi_progress_step(&all->progress, count, error)) {
            return false;
        }
    }
    return true;
}

// --- shares -------------------------------------------------------------------------------------

static bool search_share(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    flow *all = user;
    bspi_sight *sight = all->sight;
    uint32_t place = all->alone + sight->share + item * sight->num_shares;
    bool done = bspi_search_gate(all->searches[worker], all->order[place], NULL, error);
    bspi_search_share(all->searches[worker], sight->shares + (size_t)place * sight->vis.row_bytes);
    return done;
}

static bool run_share(flow *all, uint32_t threads, bsp_error *error) {
    const bspi_sight *sight = all->sight;
    uint32_t count = bspi_sight_share_size(sight, sight->share);
    for (uint32_t first = 0; first < count;) {
        flow some = *all;
        uint32_t left = count - first;
        uint32_t now = left < all->size ? left : all->size;
        some.alone += first * sight->num_shares;
        if (!bspi_workers_each(threads, now, search_share, &some, error) ||
            !bspi_progress_step(&all->progress, now, error)) {
            return false;
        }
        first += now;
    }
    return true;
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

static bool begin(flow *all, uint32_t threads, bsp_error *error) {
    bspi_sight *sight = all->sight;
    all->order = make_order(sight, error);
    all->size = bspi_sight_round(sight);
    all->alone = bspi_sight_alone(sight);
    sight->seen = bspi_arena_zero(&sight->arena, (size_t)sight->num_gates * sight->words,
                                  sizeof *sight->seen, error);
    sight->done = bspi_arena_zero(&sight->arena, sight->num_gates, sizeof *sight->done, error);
    all->searches = bspi_arena_zero(&sight->arena, threads, sizeof *all->searches, error);
    bool good =
        all->order != NULL && sight->seen != NULL && sight->done != NULL && all->searches != NULL;
    for (uint32_t i = 0; good && i < threads; i++) {
        all->searches[i] = bspi_search_new(sight, error);
        good = all->searches[i] != NULL;
    }
    return good;
}

bool bspi_sight_flow(bspi_sight *sight, bool share, bsp_error *error) {
    uint32_t threads = bspi_heap_threads(&sight->heap);
    flow all = {.sight = sight};
    bool good = begin(&all, threads, error);
    uint32_t total =
        !share || !good ? sight->num_gates : all.alone + bspi_sight_share_size(sight, sight->share);
    good = good && bspi_progress_begin(&all.progress, &sight->progress, "gates", total, error) &&
           run_rounds(&all, share ? all.alone : sight->num_gates, threads, error) &&
           (!share || run_share(&all, threads, error));
    for (uint32_t i = 0; all.searches != NULL && i < threads; i++) {
        bspi_search_end(all.searches[i]);
    }
    return good;
}
