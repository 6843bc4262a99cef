// SPDX-License-Identifier: MIT
// Portals as gates: each in both directions.
#include "bake/vis/sight.h"

#include "core/vector.h"

#include <string.h>

// What a winding of so many points takes of each axis.
static size_t room_of(uint32_t num_points) {
    return (size_t)num_points + 4;
}

static void measure(const bspi_winding *winding, bspi_sphere *sphere) {
    double *middle = sphere->middle;
    for (uint32_t i = 0; i < winding->count; i++) {
        for (int k = 0; k < 3; k++) {
            middle[k] += winding->at[k][i] * (1.0 / winding->count);
        }
    }
    for (uint32_t i = 0; i < winding->count; i++) {
        double edge[3];
        for (int k = 0; k < 3; k++) {
            edge[k] = winding->at[k][i] - middle[k];
        }
        sphere->radius = fmax(sphere->radius, bspi_vec_length(edge));
    }
}

// Gate 2 * p leads into the second cluster of portal p, on the other side of its plane.
static void fill(bspi_sight *sight, uint32_t number, double *room) {
    const bsp_portal *portal = &sight->portals->list[number / 2];
    uint32_t way = number % 2;
    bspi_gate *gate = &sight->gates[number];
    double sign = way == 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        gate->plane.normal[i] = sign * portal->normal[i];
    }
    gate->plane.dist = sign * portal->dist;
    gate->from = portal->clusters[way];
    gate->to = portal->clusters[1 - way];
    bspi_winding *winding = &sight->windings[number];
    winding->count = portal->num_points;
    for (int k = 0; k < 3; k++) {
        double *axis = room + (size_t)k * room_of(portal->num_points);
        for (uint32_t i = 0; i < room_of(portal->num_points); i++) {
            uint32_t point = i < portal->num_points ? i : 0;
            uint32_t from = way == 0 ? portal->num_points - 1 - point : point;
            axis[i] = sight->portals->points[portal->first_point + from][k];
        }
        winding->at[k] = axis;
    }
    measure(winding, &sight->spheres[number]);
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
        points += 2 * room_of(portals->list[i].num_points);
    }
    sight->num_gates = 2 * portals->count;
    sight->words = (sight->num_gates + 255) / 256 * 4;
    sight->gates = bspi_arena_zero(&sight->arena, sight->num_gates, sizeof *sight->gates, error);
    sight->windings =
        bspi_arena_raw(&sight->arena, sight->num_gates, sizeof *sight->windings, error);
    sight->spheres =
        bspi_arena_zero(&sight->arena, sight->num_gates, sizeof *sight->spheres, error);
    sight->points = bspi_arena_raw(&sight->arena, 3 * points, sizeof *sight->points, error);
    sight->first_gate = bspi_arena_zero(&sight->arena, (size_t)portals->num_clusters + 1,
                                        sizeof *sight->first_gate, error);
    sight->leaving = bspi_arena_raw(&sight->arena, sight->num_gates, sizeof *sight->leaving, error);
    if (sight->gates == NULL || sight->windings == NULL || sight->spheres == NULL ||
        sight->points == NULL || sight->first_gate == NULL || sight->leaving == NULL) {
        return false;
    }
    double *place = sight->points;
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        fill(sight, i, place);
        place += 3 * room_of(sight->windings[i].count);
    }
    sort(sight);
    return true;
}
