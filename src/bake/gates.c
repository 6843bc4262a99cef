// SPDX-License-Identifier: MIT
// Portals as gates: each in both directions.
#include "bake/sight.h"

#include "core/vector.h"

#include <string.h>

static void measure(bspi_gate *gate) {
    memset(gate->middle, 0, sizeof gate->middle);
    for (uint32_t i = 0; i < gate->num_points; i++) {
        bspi_vec_add(gate->middle, gate->points[i], 1.0 / gate->num_points, gate->middle);
    }
    gate->radius = 0;
    for (uint32_t i = 0; i < gate->num_points; i++) {
        double edge[3];
        bspi_vec_subtract(gate->points[i], gate->middle, edge);
        gate->radius = fmax(gate->radius, bspi_vec_length(edge));
    }
}

// Gate 2 * p leads into the second cluster of portal p, on the other side of its plane.
static void fill(bspi_sight *sight, uint32_t number, double (*points)[3]) {
    const bsp_portal *portal = &sight->portals->list[number / 2];
    uint32_t way = number % 2;
    bspi_gate *gate = &sight->gates[number];
    double sign = way == 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        gate->plane.normal[i] = sign * portal->normal[i];
    }
    gate->plane.dist = sign * portal->dist;
    gate->num_points = portal->num_points;
    gate->points = (const double(*)[3])points;
    gate->from = portal->clusters[way];
    gate->to = portal->clusters[1 - way];
    for (uint32_t i = 0; i < portal->num_points; i++) {
        uint32_t from = way == 0 ? portal->num_points - 1 - i : i;
        memcpy(points[i], sight->portals->points[portal->first_point + from], sizeof *points);
    }
    measure(gate);
}

// Lists the gates by the cluster that they leave.
static void sort(bspi_sight *sight) {
    uint32_t *first = sight->first_gate;
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        first[sight->gates[i].from + 1]++;
    }
    for (uint32_t i = 0; i < sight->portals->num_clusters; i++) {
        first[i + 1] += first[i];
    }
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        sight->leaving[first[sight->gates[i].from]++] = i;
    }
    // Each start is now that of the next cluster.
    memmove(first + 1, first, sight->portals->num_clusters * sizeof *first);
    first[0] = 0;
}

bool bspi_sight_gates(bspi_sight *sight, bsp_error *error) {
    const bsp_portals *portals = sight->portals;
    size_t points = 0;
    for (uint32_t i = 0; i < portals->count; i++) {
        points += 2 * (size_t)portals->list[i].num_points;
    }
    sight->num_gates = 2 * portals->count;
    sight->words = (sight->num_gates + 63) / 64;
    sight->gates = bspi_arena_zero(&sight->arena, sight->num_gates, sizeof *sight->gates, error);
    sight->points = bspi_arena_raw(&sight->arena, points, sizeof *sight->points, error);
    sight->first_gate = bspi_arena_zero(&sight->arena, (size_t)portals->num_clusters + 1,
                                        sizeof *sight->first_gate, error);
    sight->leaving = bspi_arena_raw(&sight->arena, sight->num_gates, sizeof *sight->leaving, error);
    if (sight->gates == NULL || sight->points == NULL || sight->first_gate == NULL ||
        sight->leaving == NULL) {
        return false;
    }
    double(*place)[3] = sight->points;
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        fill(sight, i, place);
        place += sight->gates[i].num_points;
    }
    sort(sight);
    return true;
}
