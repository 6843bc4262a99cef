// SPDX-License-Identifier: MIT
// Threads for one piece of work: starting one takes less than a tenth of a millisecond, so none are
// kept.
#include "core/workers.h"

#include "core/os.h"

#include <assert.h>
#include <pthread.h>

typedef struct part {
    void (*worker)(void *user, uint32_t n);
    void *user;
    uint32_t number;
} part;

static uint32_t or_processors(uint32_t asked) {
    uint32_t count = asked != 0 ? asked : bspi_processors();
    return count < BSPI_MAX_WORKERS ? count : BSPI_MAX_WORKERS;
}

uint32_t bspi_heap_threads(const bspi_heap *heap) {
    return or_processors(bspi_heap_asked_threads(heap));
}

uint32_t bsp_budget_threads(const bsp_budget *budget) {
    assert(budget != NULL);
    return or_processors(bspi_budget_asked_threads(budget));
}

static void *run_part(void *argument) {
    const part *p = argument;
    p->worker(p->user, p->number);
    return NULL;
}

// Sets the same stack size on every system, no larger than needed: tests/cli/stack.sh checks what
// the library uses.
static bool set_stack(pthread_attr_t *attributes) {
    if (pthread_attr_init(attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(attributes, BSPI_WORKER_STACK);
    return true;
}

void bspi_workers_run(uint32_t count, void (*worker)(void *user, uint32_t n), void *user) {
    part parts[BSPI_MAX_WORKERS];
    pthread_t threads[BSPI_MAX_WORKERS];
    bool started[BSPI_MAX_WORKERS];
    pthread_attr_t attributes;
    bool ready = set_stack(&attributes);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = (part){worker, user, i};
        started[i] = ready && i + 1 < count &&
                     pthread_create(&threads[i], &attributes, run_part, &parts[i]) == 0;
    }
    if (ready) {
        (void)pthread_attr_destroy(&attributes);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!started[i]) {
            (void)run_part(&parts[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (started[i]) {
            (void)pthread_join(threads[i], NULL);
        }
    }
}

// --- items --------------------------------------------------------------------------------------

typedef struct items {
    bspi_item_fn *work;
    void *user;
    uint32_t count;
    atomic_uint next;
    atomic_uint done;
    atomic_bool failed;
    bspi_progress *progress; // NULL: of none
    uint32_t told;           // items of which the progress was told
    pthread_t caller;
    pthread_mutex_t lock; // of the two below
    uint32_t failed_item; // the lowest; count: the caller stopped the work
    bsp_error error;      // of it
} items;

static void note_failure(items *all, uint32_t item, const bsp_error *error) {
    pthread_mutex_lock(&all->lock);
    if (item < all->failed_item) {
        all->failed_item = item;
        all->error = *error;
    }
    pthread_mutex_unlock(&all->lock);
    atomic_store(&all->failed, true);
}

// Tells the progress of each item that was done since, one by one: what the caller hears does not
// depend on how many other threads have done.
static void tell(items *all) {
    bsp_error error = {0};
    uint32_t done = atomic_load(&all->done);
    while (all->told < done) {
        all->told++;
        if (!bspi_progress_step(all->progress, 1, &error)) {
            note_failure(all, all->count, &error);
            return;
        }
    }
}

// An item that was taken is always done, even after a failure: all below the lowest that fails were
// taken before it, so which one that is does not depend on the threads.
static void take_items(void *user, uint32_t worker) {
    items *all = user;
    bool tells = all->progress != NULL && pthread_equal(pthread_self(), all->caller) != 0;
    while (!atomic_load(&all->failed)) {
        uint32_t item = atomic_fetch_add(&all->next, 1);
        bsp_error error = {0};
        if (item >= all->count) {
            return;
        }
        if (!all->work(all->user, worker, item, &error)) {
            note_failure(all, item, &error);
            return;
        }
        atomic_fetch_add(&all->done, 1);
        if (tells) {
            tell(all);
        }
    }
}

bool bspi_workers_stage(uint32_t threads, uint32_t count, bspi_item_fn *work, void *user,
                        bspi_progress *progress, bsp_error *error) {
    assert(threads != 0 && count < UINT32_MAX - BSPI_MAX_WORKERS);
    items all = {.work = work,
                 .user = user,
                 .count = count,
                 .progress = progress,
                 .caller = pthread_self(),
                 .lock = PTHREAD_MUTEX_INITIALIZER,
                 .failed_item = UINT32_MAX};
    atomic_init(&all.next, 0);
    atomic_init(&all.done, 0);
    atomic_init(&all.failed, false);
    threads = threads < BSPI_MAX_WORKERS ? threads : BSPI_MAX_WORKERS;
    bspi_workers_run(threads < count ? threads : count, take_items, &all);
    if (progress != NULL && !atomic_load(&all.failed)) {
        tell(&all);
    }
    pthread_mutex_destroy(&all.lock);
    if (atomic_load(&all.failed) && error != NULL) {
        *error = all.error;
    }
    return !atomic_load(&all.failed);
}

bool bspi_workers_each(uint32_t threads, uint32_t count, bspi_item_fn *work, void *user,
                       bsp_error *error) {
    return bspi_workers_stage(threads, count, work, user, NULL, error);
}

// --- items in order -----------------------------------------------------------------------------

// Uses the items that are made; the lock is held before and after.
static void use_made(bspi_pipe *p) {
    while (!p->failed && p->used < p->count && p->made[p->used % p->slots]) {
        uint32_t item = p->used;
        pthread_mutex_unlock(&p->lock);
        bool good = p->use(p->user, item % p->slots, item);
        pthread_mutex_lock(&p->lock);
        p->made[item % p->slots] = false;
        p->used++;
        p->failed = !good;
        if (good) {
            pthread_cond_signal(&p->room);
        } else {
            pthread_cond_broadcast(&p->room);
        }
    }
}

// Makes items; only the thread that uses them waits for those of others, which have been begun.
static void make_some(bspi_pipe *p, bool uses) {
    pthread_mutex_lock(&p->lock);
    for (;;) {
        if (uses) {
            use_made(p);
        }
        bool left = p->next < p->count;
        if (p->failed || (uses ? p->used == p->count : !left)) {
            break;
        }
        if (left && p->next - p->used < p->slots) {
            uint32_t item = p->next++;
            if (p->next == p->count) {
                pthread_cond_broadcast(&p->room);
            }
            pthread_mutex_unlock(&p->lock);
            p->make(p->user, item % p->slots, item);
            pthread_mutex_lock(&p->lock);
            p->made[item % p->slots] = true;
            pthread_cond_signal(&p->ready);
        } else {
            pthread_cond_wait(uses ? &p->ready : &p->room, &p->lock);
        }
    }
    pthread_mutex_unlock(&p->lock);
}

void bspi_pipe_begin(bspi_pipe *p, uint32_t count, uint32_t slots, bspi_make_fn *make,
                     bspi_use_fn *use, void *user) {
    assert(slots != 0 && slots <= BSPI_MAX_SLOTS);
    *p = (bspi_pipe){.make = make, .use = use, .user = user, .count = count, .slots = slots};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->ready, NULL);
    pthread_cond_init(&p->room, NULL);
}

bool bspi_pipe_use(bspi_pipe *p) {
    make_some(p, true);
    return !p->failed;
}

void bspi_pipe_help(bspi_pipe *p) {
    make_some(p, false);
}

void bspi_pipe_end(bspi_pipe *p) {
    pthread_cond_destroy(&p->ready);
    pthread_cond_destroy(&p->room);
    pthread_mutex_destroy(&p->lock);
}

typedef struct pipe_threads {
    bspi_pipe *pipe;
    pthread_t caller;
} pipe_threads;

static void use_or_help(void *user, uint32_t worker) {
    const pipe_threads *threads = user;
    (void)worker;
    make_some(threads->pipe, pthread_equal(pthread_self(), threads->caller) != 0);
}

bool bspi_workers_pipe(uint32_t threads, uint32_t count, uint32_t slots, bspi_make_fn *make,
                       bspi_use_fn *use, void *user) {
    assert(threads != 0);
    bspi_pipe p;
    bspi_pipe_begin(&p, count, slots, make, use, user);
    pipe_threads all = {&p, pthread_self()};
    threads = threads < BSPI_MAX_WORKERS ? threads : BSPI_MAX_WORKERS;
    bspi_workers_run(threads < count ? threads : count, use_or_help, &all);
    bspi_pipe_end(&p);
    return !p.failed;
}
