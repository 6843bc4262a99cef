// SPDX-License-Identifier: MIT
// Makes the vertices that neighbouring displacements share identical. Each was computed from
// another face, so they differ by rounding; the vertex of the displacement with the lower number is
// taken.
#include "mesh/disp_grid.h"
#include "mesh/mesher.h"

#include <string.h>

// Vertices on a common edge closer than this are the same, in units. The compiler computes them
// from faces whose vertices are rounded to 1/32 at worst; vertices of a grid are units apart.
#define WELD 0.1

static bool is_placed(const bspi_mesher *mesher, uint32_t disp) {
    return disp < mesher->map->num_displacements && mesher->disp.face_of[disp] != BSP_NONE;
}

// Returns number `k` of the vertices on the border of a displacement, 0 .. 4 * (side - 1) - 1.
static uint32_t rim_vertex(const bsp_displacement *disp, uint32_t k) {
    uint32_t last = bspi_disp_side(disp->power) - 1;
    uint32_t side = last + 1;
    uint32_t along = k % last;
    switch (k / last) {
    case 0:
        return disp->first_vert + along * side; // left: j = 0
    case 1:
        return disp->first_vert + last * side + along; // top: i = last
    case 2:
        return disp->first_vert + (last - along) * side + last; // right
    default:
        return disp->first_vert + last - along; // bottom: i = 0
    }
}

static double distance_squared(const float a[3], const float b[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double d = (double)a[i] - (double)b[i];
        sum += d * d;
    }
    return sum;
}

// Moves a vertex to the nearest one on the other displacement's border, if it is near. This
// function and those that follow return false over a limit of work.
static bool weld_vertex(bspi_mesher *mesher, uint32_t vertex, uint32_t other) {
    const bsp_displacement *to = &mesher->map->displacements[other];
    bspi_disp_points *disp = &mesher->disp;
    uint32_t count = 4 * (bspi_disp_side(to->power) - 1);
    if (!bspi_meter_add(&mesher->meter, count)) {
        return false;
    }
    uint32_t best = BSP_NONE;
    double nearest = WELD * WELD;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t candidate = rim_vertex(to, k);
        double square = distance_squared(disp->points[vertex], disp->points[candidate]);
        if (square < nearest) {
            nearest = square;
            best = disp->same[candidate];
        }
    }
    if (best != BSP_NONE && best < vertex) {
        disp->same[vertex] = best;
        memcpy(disp->points[vertex], disp->points[best], sizeof disp->points[best]);
    }
    return true;
}

// Welds edge `edge` of a displacement: 0 left, 1 top, 2 right, 3 bottom.
static bool weld_edge(bspi_mesher *mesher, uint32_t number, uint32_t edge, uint32_t other) {
    const bsp_displacement *disp = &mesher->map->displacements[number];
    uint32_t last = bspi_disp_side(disp->power) - 1;
    if (!is_placed(mesher, other) || other >= number) {
        return true;
    }
    bool done = true;
    for (uint32_t k = 0; done && k <= last; k++) {
        done = weld_vertex(mesher, rim_vertex(disp, (edge * last + k) % (4 * last)), other);
    }
    return done;
}

static bool weld_one(bspi_mesher *mesher, uint32_t number) {
    const bsp_displacement *disp = &mesher->map->displacements[number];
    uint32_t last = bspi_disp_side(disp->power) - 1;
    for (uint32_t edge = 0; edge < 4; edge++) {
        for (uint32_t sub = 0; sub < 2; sub++) {
            if (!weld_edge(mesher, number, edge, disp->edge_neighbors[edge][sub][0])) {
                return false;
            }
        }
    }
    for (uint32_t corner = 0; corner < 4; corner++) {
        for (uint32_t n = 0; n < 4; n++) {
            uint32_t other = disp->corner_neighbors[corner][n];
            if (is_placed(mesher, other) && other < number &&
                !weld_vertex(mesher, rim_vertex(disp, corner * last), other)) {
                return false;
            }
        }
    }
    return true;
}

bool bspi_disp_weld(bspi_mesher *mesher) {
    uint32_t count = mesher->map->num_disp_verts;
    mesher->disp.same = bspi_arena_raw(&mesher->scratch, count, sizeof(uint32_t), mesher->error);
    if (mesher->disp.same == NULL) {
        return false;
    }
    for (uint32_t v = 0; v < count; v++) {
        mesher->disp.same[v] = v;
    }
    for (uint32_t d = 0; d < mesher->map->num_displacements; d++) {
        if (is_placed(mesher, d) && !weld_one(mesher, d)) {
            return false;
        }
    }
    return true;
}
