// SPDX-License-Identifier: MIT
// Threads take the items in ascending order; the caller's thread hands the results over in the same
// order. Only a limited number of results waits, so a slow item does not fill the memory.
#include "cli/parts/jobs.h"

#include "cli/parts/budget.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct state {
    const cli_jobs *jobs;
    int count;
    int ahead; // items that may be begun and not handed over
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int begun; // the rest is under the lock
    int handed;
    bool *finished; // of item n: at n % ahead
} state;

// Returns the next item once it may be begun; -1 after the last.
static int take(state *s) {
    pthread_mutex_lock(&s->lock);
    while (s->begun < s->count && s->begun >= s->handed + s->ahead) {
        pthread_cond_wait(&s->changed, &s->lock);
    }
    int item = s->begun < s->count ? s->begun++ : -1;
    pthread_mutex_unlock(&s->lock);
    return item;
}

static void finish(state *s, int item) {
    pthread_mutex_lock(&s->lock);
    s->finished[item % s->ahead] = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void *do_items(void *user) {
    state *s = user;
    for (int item; (item = take(s)) >= 0;) {
        s->jobs->work(s->jobs->user, item);
        finish(s, item);
    }
    return NULL;
}

static void await(state *s, int item) {
    pthread_mutex_lock(&s->lock);
    while (!s->finished[item % s->ahead]) {
        pthread_cond_wait(&s->changed, &s->lock);
    }
    s->finished[item % s->ahead] = false;
    pthread_mutex_unlock(&s->lock);
}

// Lets the next item begin, or, with `stop`, none.
static void hand_over(state *s, bool stop) {
    pthread_mutex_lock(&s->lock);
    s->handed++;
    if (stop) {
        s->count = s->begun;
    }
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void hand_over_all(state *s) {
    bool stop = false;
    for (int item = 0; item < s->count; item++) { // only this thread changes `count`
        await(s, item);
        stop = !s->jobs->hand_over(s->jobs->user, item) || stop;
        hand_over(s, stop);
    }
}

static void run_alone(const cli_jobs *jobs, int count) {
    bool go_on = true;
    for (int item = 0; item < count && go_on; item++) {
        jobs->work(jobs->user, item);
        go_on = jobs->hand_over(jobs->user, item);
    }
}

void cli_jobs_run(const cli_jobs *jobs, uint32_t threads, int count) {
    state s = {.jobs = jobs,
               .count = count,
               .ahead = (int)(threads * CLI_JOBS_AHEAD),
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .changed = PTHREAD_COND_INITIALIZER};
    pthread_t *started = calloc(threads, sizeof *started);
    s.finished = calloc((size_t)s.ahead, sizeof *s.finished);
    uint32_t running = 0;
    while (started != NULL && s.finished != NULL && running < threads && threads > 1 &&
           pthread_create(&started[running], NULL, do_items, &s) == 0) {
        running++;
    }
    if (running == 0) { // not asked for, or they cannot be started
        run_alone(jobs, count);
    } else {
        hand_over_all(&s);
    }
    for (uint32_t i = 0; i < running; i++) {
        (void)pthread_join(started[i], NULL);
    }
    free(started);
    free(s.finished);
    pthread_mutex_destroy(&s.lock);
    pthread_cond_destroy(&s.changed);
}

uint32_t cli_jobs_threads(uint32_t count) {
    uint32_t threads = bsp_budget_threads(cli_budget());
    uint32_t most = count / 2 < 1 ? 1 : count / 2;
    return threads < most ? threads : most;
}
