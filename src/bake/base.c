// SPDX-License-Identifier: MIT
// The base: a gate may see another one if some of the other lies before it, and some of it behind
// the other, and a way of such gates leads there. Facts: sheet bake, 2.1.
#include "bake/sight.h"

#include "core/vector.h"
#include "core/workers.h"

#include <string.h>

typedef struct base {
    bspi_sight *sight;
    uint32_t **todo;   // of each worker: clusters that were reached
    uint8_t **reached; // of each worker: a byte for each cluster
} base;

// A corner is as far in front as the middle, or farther.
static bool has_front(const bspi_gate *gate, const bspi_bake_plane *plane) {
    double middle = bspi_plane_away(plane, gate->middle);
    bool found = middle > BSPI_SIGHT_EPSILON;
    if (middle < -gate->radius) {
        return false;
    }
    for (uint32_t i = 0; !found && i < gate->num_points; i++) {
        found = bspi_plane_away(plane, gate->points[i]) > BSPI_SIGHT_EPSILON;
    }
    return found;
}

static bool has_back(const bspi_gate *gate, const bspi_bake_plane *plane) {
    double middle = bspi_plane_away(plane, gate->middle);
    bool found = middle < -BSPI_SIGHT_EPSILON;
    if (middle > gate->radius) {
        return false;
    }
    for (uint32_t i = 0; !found && i < gate->num_points; i++) {
        found = bspi_plane_away(plane, gate->points[i]) < -BSPI_SIGHT_EPSILON;
    }
    return found;
}

static bool is_near(const bspi_sight *sight, const bspi_gate *a, const bspi_gate *b) {
    double way[3];
    bspi_vec_subtract(a->middle, b->middle, way);
    return sight->distance <= 0 || bspi_vec_length(way) - a->radius - b->radius <= sight->distance;
}

static bool flood(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    const base *b = user;
    bspi_sight *sight = b->sight;
    bspi_gate *gate = &sight->gates[number];
    bspi_word *might = bspi_gate_set(sight, sight->might, number);
    uint32_t *todo = b->todo[worker];
    uint8_t *reached = b->reached[worker];
    uint32_t count = 0;
    uint64_t steps = 0;
    memset(reached, 0, sight->portals->num_clusters);
    memset(might, 0, sight->words * sizeof *might);
    reached[gate->to] = 1;
    todo[count++] = gate->to;
    while (count > 0) {
        uint32_t cluster = todo[--count];
        for (uint32_t i = sight->first_gate[cluster]; i < sight->first_gate[cluster + 1]; i++) {
            uint32_t other = sight->leaving[i];
            const bspi_gate *next = &sight->gates[other];
            steps++;
            if (other / 2 == number / 2 || !has_front(next, &gate->plane) ||
                !has_back(gate, &next->plane) || !is_near(sight, gate, next)) {
                continue;
            }
            bspi_gate_add(might, other);
            gate->reach++;
            if (reached[next->to] == 0) {
                reached[next->to] = 1;
                todo[count++] = next->to;
            }
        }
    }
    return bspi_heap_work(&sight->heap, steps, error);
}

bool bspi_sight_base(bspi_sight *sight, bsp_error *error) {
    uint32_t threads = bspi_heap_threads(&sight->heap);
    uint32_t clusters = sight->portals->num_clusters;
    base b = {.sight = sight};
    sight->might = bspi_arena_raw(&sight->arena, (size_t)sight->num_gates * sight->words,
                                  sizeof *sight->might, error);
    b.todo = bspi_arena_raw(&sight->arena, threads, sizeof *b.todo, error);
    b.reached = bspi_arena_raw(&sight->arena, threads, sizeof *b.reached, error);
    bool good = sight->might != NULL && b.todo != NULL && b.reached != NULL;
    for (uint32_t i = 0; good && i < threads; i++) {
        b.todo[i] = bspi_arena_raw(&sight->arena, clusters, sizeof **b.todo, error);
        b.reached[i] = bspi_arena_raw(&sight->arena, clusters, 1, error);
        good = b.todo[i] != NULL && b.reached[i] != NULL;
    }
    return good && bspi_workers_each(threads, sight->num_gates, flood, &b, error);
}
