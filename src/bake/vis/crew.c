// SPDX-License-Identifier: MIT
// The work of a crew. A worker with nothing to do waits; a search that sees one waiting gives it
// some of its ways.
#include "bake/vis/crew.h"

#include "core/workers.h"

#include <string.h>

#define NOTHING UINT32_MAX

typedef struct crew crew;

// Those that do one search.
typedef struct team {
    crew *crew;
    bspi_finds finds;
    bspi_task task;
    uint32_t item;  // NOTHING: none
    uint32_t parts; // that are searched, or wait for a worker
} team;

typedef struct offer {
    team *team;
    bspi_branch *branch;
} offer;

struct crew {
    const bspi_rounds *rounds;
    uint32_t threads;
    bspi_search **searches; // of the workers
    team *teams;            // as many: each has a worker, or an offer, for which one waits
    bspi_branch **branches; // of the workers: what they took
    bspi_progress *progress;
    uint32_t told; // items of which the progress was told
    pthread_t caller;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // All below belongs to the holder of the lock, but for `wanted`, which others may read.
    uint32_t first; // item of the round
    uint32_t count; // of what is done at the same time: its searches, or pieces
    uint32_t next;
    uint32_t done;
    bool ending; // the searches of the round are done
    uint32_t waiting;
    uint32_t num_offers;
    offer offers[BSPI_MAX_WORKERS];
    atomic_bool wanted;
    bool failed;
    uint32_t failed_item; // the lowest
    bsp_error error;      // of it
};

static uint32_t searches_of(const crew *c) {
    uint32_t left = c->rounds->items - c->first;
    return left < c->rounds->size ? left : c->rounds->size;
}

static bool is_over(const crew *c) {
    return c->failed || c->first == c->rounds->items;
}

static void fail(crew *c, uint32_t item, const bsp_error *error) {
    if (!c->failed || item < c->failed_item) {
        c->failed = true;
        c->failed_item = item;
        c->error = *error;
    }
    (void)pthread_cond_broadcast(&c->changed);
}

// --- rounds -------------------------------------------------------------------------------------

static void begin_stage(crew *c, bool ending, uint32_t count) {
    c->ending = ending;
    c->count = count;
    c->next = 0;
    c->done = 0;
    (void)pthread_cond_broadcast(&c->changed);
}

// Notes that a search or a piece is done. The last one of a stage begins the next.
static void note_done(crew *c) {
    bsp_error error = {0};
    uint32_t count = searches_of(c);
    if (++c->done < c->count) {
        return;
    }
    if (!c->ending) {
        if (c->rounds->end != NULL && !c->rounds->end(c->rounds->user, c->first, count, &error)) {
            fail(c, c->first + count - 1, &error);
        }
        begin_stage(c, true, c->rounds->pieces);
    }
    if (c->ending && c->done == c->count) {
        c->first += count;
        begin_stage(c, false, searches_of(c));
    }
}

static void do_piece(crew *c) {
    uint32_t piece = c->next++;
    pthread_mutex_unlock(&c->lock);
    c->rounds->piece(c->rounds->user, c->first, searches_of(c), piece);
    pthread_mutex_lock(&c->lock);
    note_done(c);
}

// --- branches -----------------------------------------------------------------------------------

static bspi_branch *new_branch(bspi_sight *sight, bsp_error *error) {
    bspi_branch *branch = bspi_arena_zero(&sight->arena, 1, sizeof *branch, error);
    bspi_word *sets = bspi_arena_raw(&sight->arena, 3 * (size_t)sight->words, sizeof *sets, error);
    bool *found = bspi_arena_raw(&sight->arena, sight->vis.num_clusters, sizeof *found, error);
    if (branch == NULL || sets == NULL || found == NULL) {
        return NULL;
    }
    branch->found = found;
    branch->settled = sets;
    branch->might = sets + sight->words;
    branch->looked = branch->might + sight->words;
    return branch;
}

static void copy_branch(bspi_branch *to, const bspi_branch *from, const bspi_sight *sight) {
    size_t set = sight->words * sizeof(bspi_word);
    memcpy(to->path, from->path, from->depth * sizeof *from->path);
    memcpy(to->found, from->found, sight->vis.num_clusters * sizeof *from->found);
    memcpy(to->settled, from->settled, set);
    memcpy(to->might, from->might, set);
    memcpy(to->looked, from->looked, set);
    to->depth = from->depth;
    to->first = from->first;
    to->end = from->end;
    to->taken = from->taken;
}

// --- searches -----------------------------------------------------------------------------------

static void update_wanted(crew *c) {
    atomic_store_explicit(&c->wanted, c->waiting > c->num_offers, memory_order_relaxed);
}

static bool give(void *user, const bspi_branch *branch) {
    team *t = user;
    crew *c = t->crew;
    pthread_mutex_lock(&c->lock);
    bool taken = c->waiting > c->num_offers && !c->failed;
    if (taken) {
        offer *to = &c->offers[c->num_offers++];
        to->team = t;
        copy_branch(to->branch, branch, c->rounds->sight);
        t->parts++;
        update_wanted(c);
        (void)pthread_cond_signal(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    return taken;
}

// Does a part of a search, and ends it after the last one.
static void search(crew *c, uint32_t worker, team *t, const bspi_branch *branch) {
    bsp_error error = {0};
    bspi_search *s = c->searches[worker];
    pthread_mutex_unlock(&c->lock);
    bool good = bspi_search_gate(s, &t->task, branch, &error);
    pthread_mutex_lock(&c->lock);
    if (!good) {
        fail(c, t->item, &error);
    }
    if (--t->parts > 0) {
        return;
    }
    if (!c->failed) {
        pthread_mutex_unlock(&c->lock);
        bspi_search_gather(s);
        c->rounds->found(c->rounds->user, t->item, s);
        pthread_mutex_lock(&c->lock);
        note_done(c);
    }
    t->item = NOTHING;
}

static void begin_search(crew *c, uint32_t worker) {
    team *t = c->teams;
    while (t->item != NOTHING) {
        t++;
    }
    t->item = c->first + c->next++;
    t->parts = 1;
    t->task = (bspi_task){
        .finds = c->threads > 1 ? &t->finds : NULL, .wanted = &c->wanted, .give = give, .user = t};
    atomic_store(&t->finds.count, 0);
    c->rounds->begin(c->rounds->user, t->item, &t->task);
    search(c, worker, t, NULL);
}

static void take_offer(crew *c, uint32_t worker) {
    offer *taken = &c->offers[--c->num_offers];
    bspi_branch *branch = taken->branch;
    taken->branch = c->branches[worker];
    c->branches[worker] = branch;
    update_wanted(c);
    search(c, worker, taken->team, branch);
}

// --- workers ------------------------------------------------------------------------------------

static void wait_for_work(crew *c) {
    c->waiting++;
    update_wanted(c);
    (void)pthread_cond_wait(&c->changed, &c->lock);
    c->waiting--;
    update_wanted(c);
}

// Tells the progress of one round at a time: what the caller hears does not depend on how many are
// done by then.
static void tell(crew *c) {
    uint32_t left = c->first - c->told;
    uint32_t steps = left < c->rounds->size ? left : c->rounds->size;
    bsp_error error = {0};
    c->told += steps;
    pthread_mutex_unlock(&c->lock);
    bool good = bspi_progress_step(c->progress, steps, &error);
    pthread_mutex_lock(&c->lock);
    if (!good) {
        fail(c, NOTHING, &error);
    }
}

static void work(void *user, uint32_t worker) {
    crew *c = user;
    bool tells = pthread_equal(pthread_self(), c->caller) != 0;
    pthread_mutex_lock(&c->lock);
    while (!is_over(c)) {
        if (tells && c->told < c->first) {
            tell(c);
        } else if (c->num_offers > 0) {
            take_offer(c, worker);
        } else if (c->next == c->count) {
            wait_for_work(c);
        } else if (c->ending) {
            do_piece(c);
        } else {
            begin_search(c, worker);
        }
    }
    pthread_mutex_unlock(&c->lock);
}

static bool make_worker(crew *c, uint32_t worker, bsp_error *error) {
    bspi_sight *sight = c->rounds->sight;
    team *t = &c->teams[worker];
    t->crew = c;
    t->item = NOTHING;
    pthread_mutex_init(&t->finds.lock, NULL);
    c->searches[worker] = bspi_search_new(sight, error);
    if (c->threads == 1) {
        return c->searches[worker] != NULL;
    }
    t->finds.list =
        bspi_arena_raw(&sight->arena, sight->vis.num_clusters, sizeof *t->finds.list, error);
    c->branches[worker] = new_branch(sight, error);
    c->offers[worker].branch = new_branch(sight, error);
    return c->searches[worker] != NULL && t->finds.list != NULL && c->branches[worker] != NULL &&
           c->offers[worker].branch != NULL;
}

static bool make(crew *c, bsp_error *error) {
    bspi_arena *arena = &c->rounds->sight->arena;
    c->searches = bspi_arena_zero(arena, c->threads, sizeof *c->searches, error);
    c->teams = bspi_arena_zero(arena, c->threads, sizeof *c->teams, error);
    c->branches = bspi_arena_zero(arena, c->threads, sizeof *c->branches, error);
    bool good = c->searches != NULL && c->teams != NULL && c->branches != NULL;
    for (uint32_t i = 0; good && i < c->threads; i++) {
        good = make_worker(c, i, error);
    }
    return good;
}

static void end(crew *c) {
    for (uint32_t i = 0; c->searches != NULL && c->teams != NULL && i < c->threads; i++) {
        bspi_search_end(c->searches[i]);
        if (c->teams[i].crew != NULL) {
            pthread_mutex_destroy(&c->teams[i].finds.lock);
        }
    }
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
}

bool bspi_crew_run(const bspi_rounds *rounds, uint32_t threads, bspi_progress *progress,
                   bsp_error *error) {
    uint32_t most = rounds->items < BSPI_MAX_WORKERS ? rounds->items : BSPI_MAX_WORKERS;
    crew c = {.rounds = rounds,
              .threads = threads < most ? threads : most,
              .progress = progress,
              .caller = pthread_self(),
              .lock = PTHREAD_MUTEX_INITIALIZER,
              .changed = PTHREAD_COND_INITIALIZER};
    bool good = make(&c, error);
    if (good && rounds->items > 0) {
        begin_stage(&c, false, searches_of(&c));
        bspi_workers_run(c.threads, work, &c);
        pthread_mutex_lock(&c.lock);
        while (!c.failed && c.told < c.first) {
            tell(&c);
        }
        pthread_mutex_unlock(&c.lock);
        good = !c.failed;
        if (c.failed && error != NULL) {
            *error = c.error;
        }
    }
    end(&c);
    return good;
}
