// SPDX-License-Identifier: MIT
// The base: a gate may see another one if some of the other lies before it, and some of it behind
// the other, and a way of such gates leads there. Facts: sheet bake, 2.1.
#include "bake/vis/sight.h"

#include "core/vector.h"
#include "core/workers.h"

#include <string.h>

typedef struct base {
    bspi_sight *sight;
    const bspi_separating *math;
    bspi_facing facing; // the gates in the order of `leaving`
    uint32_t **todo;    // of each worker: clusters that were reached
    uint8_t **reached;  // of each worker: a byte for each cluster
} base;

static bool is_near(const bspi_sight *sight, const bspi_sphere *a, const bspi_sphere *b) {
    double way[3];
    bspi_vec_subtract(a->middle, b->middle, way);
    return sight->distance <= 0 || bspi_vec_length(way) - a->radius - b->radius <= sight->distance;
}

// The work of one worker.
typedef struct wave {
    uint32_t *todo;   // clusters that were reached
    uint8_t *reached; // a byte for each cluster
    uint32_t count;   // of `todo`
} wave;

// Adds what a gate may see of the gates that leave a cluster.
static void add_seen(const base *b, uint32_t number, uint32_t first, uint64_t seen, wave *w) {
    bspi_sight *sight = b->sight;
    bspi_word *might = bspi_gate_set(sight, sight->might, number);
    for (; seen != 0; seen &= seen - 1) {
        uint32_t other = sight->leaving[first + (unsigned)__builtin_ctzll(seen)];
        uint32_t to = sight->gates[other].to;
        if (other / 2 == number / 2 ||
            !is_near(sight, &sight->spheres[number], &sight->spheres[other])) {
            continue;
        }
        bspi_gate_add(might, other);
        sight->gates[number].reach++;
        if (w->reached[to] == 0) {
            w->reached[to] = 1;
            w->todo[w->count++] = to;
        }
    }
}

static bool flood(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    const base *b = user;
    bspi_sight *sight = b->sight;
    wave w = {b->todo[worker], b->reached[worker], 0};
    const bspi_faced gate = {sight->gates[number].plane, sight->spheres[number],
                             &sight->windings[number]};
    uint64_t steps = 0;
    memset(w.reached, 0, sight->portals->num_clusters);
    memset(bspi_gate_set(sight, sight->might, number), 0, sight->words * sizeof *sight->might);
    w.reached[sight->gates[number].to] = 1;
    w.todo[w.count++] = sight->gates[number].to;
    while (w.count > 0) {
        uint32_t cluster = w.todo[--w.count];
        uint32_t end = sight->first_gate[cluster + 1];
        for (uint32_t i = sight->first_gate[cluster]; i < end; i += 64) {
            uint32_t count = end - i < 64 ? end - i : 64;
            steps += count;
            add_seen(b, number, i, b->math->face(&b->facing, i, count, &gate), &w);
        }
    }
    return bspi_heap_work(&sight->heap, steps, error);
}

// Lists where the gates are, by fours.
static bool list_facing(base *b, bsp_error *error) {
    const bspi_sight *sight = b->sight;
    uint32_t room = sight->num_gates + 4;
    double *all = bspi_arena_zero(&b->sight->arena, 8 * (size_t)room, sizeof *all, error);
    if (all == NULL) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        b->facing.middle[k] = all + (size_t)k * room;
        b->facing.normal[k] = all + (size_t)(4 + k) * room;
    }
    b->facing.gates = sight->leaving;
    b->facing.windings = sight->windings;
    b->facing.radius = all + 3 * (size_t)room;
    b->facing.dist = all + 7 * (size_t)room;
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        const bspi_sphere *sphere = &sight->spheres[sight->leaving[i]];
        const bspi_split_plane *plane = &sight->gates[sight->leaving[i]].plane;
        for (int k = 0; k < 3; k++) {
            all[(size_t)k * room + i] = sphere->middle[k];
            all[(size_t)(4 + k) * room + i] = plane->normal[k];
        }
        all[3 * (size_t)room + i] = sphere->radius;
        all[7 * (size_t)room + i] = plane->dist;
    }
    return true;
}

bool bspi_sight_base(bspi_sight *sight, bsp_error *error) {
    uint32_t threads = bspi_heap_threads(&sight->heap);
    uint32_t clusters = sight->portals->num_clusters;
    base b = {.sight = sight, .math = bspi_separating_here()};
    sight->might = bspi_arena_raw(&sight->arena, (size_t)sight->num_gates * sight->words,
                                  sizeof *sight->might, error);
    b.todo = bspi_arena_raw(&sight->arena, threads, sizeof *b.todo, error);
    b.reached = bspi_arena_raw(&sight->arena, threads, sizeof *b.reached, error);
    bool good =
        sight->might != NULL && b.todo != NULL && b.reached != NULL && list_facing(&b, error);
    for (uint32_t i = 0; good && i < threads; i++) {
        b.todo[i] = bspi_arena_raw(&sight->arena, clusters, sizeof **b.todo, error);
        b.reached[i] = bspi_arena_raw(&sight->arena, clusters, 1, error);
        good = b.todo[i] != NULL && b.reached[i] != NULL;
    }
    return good && bspi_workers_each(threads, sight->num_gates, flood, &b, error);
}
