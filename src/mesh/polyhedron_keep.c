// SPDX-License-Identifier: MIT
// Queries of a convex solid between cuts, and the stack of solids for the walk of a tree.
#include "mesh/polyhedron.h"

#include <string.h>

static const double *corner(const bspi_polyhedron *solid, uint32_t index) {
    return solid->vertices[solid->corners[solid->current][index]].at;
}

uint32_t bspi_polyhedron_sides(const bspi_polyhedron *solid, const double normal[3], double dist,
                               double epsilon) {
    uint32_t sides = 0;
    for (uint32_t c = 0; c < solid->num_corners && sides != 3; c++) {
        const double *at = corner(solid, c);
        double distance = normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2] - dist;
        sides |= distance >= epsilon ? 1u : distance <= -epsilon ? 2u : 0u;
    }
    return sides;
}

// Returns six times the volume of the tetrahedron o, a, b, c.
static double tetrahedron(const double o[3], const double a[3], const double b[3],
                          const double c[3]) {
    double u[3];
    double v[3];
    double w[3];
    for (int i = 0; i < 3; i++) {
        u[i] = a[i] - o[i];
        v[i] = b[i] - o[i];
        w[i] = c[i] - o[i];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

double bspi_polyhedron_volume(const bspi_polyhedron *solid) {
    double sum = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[solid->current][p];
        for (uint32_t i = 2; i < polygon->count; i++) {
            sum += tetrahedron(corner(solid, 0), corner(solid, polygon->first),
                               corner(solid, polygon->first + i - 1),
                               corner(solid, polygon->first + i));
        }
    }
    return sum / 6;
}

void bspi_polyhedron_middle(const bspi_polyhedron *solid, double middle[3]) {
    middle[0] = middle[1] = middle[2] = 0;
    for (uint32_t c = 0; c < solid->num_corners; c++) {
        for (int i = 0; i < 3; i++) {
            middle[i] += corner(solid, c)[i] / solid->num_corners;
        }
    }
}

uint32_t bspi_polyhedron_points(const bspi_polyhedron *solid, uint32_t polygon, double (*points)[3],
                                uint32_t room) {
    const bspi_cut_polygon *from = &solid->polygons[solid->current][polygon];
    uint32_t count = from->count < room ? from->count : room;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(points[i], corner(solid, from->first + i), sizeof points[i]);
    }
    return count;
}

// --- the stack -----------------------------------------------------------------------------------

// On the stack: vertices, then polygons, then corners, then this record with their numbers.
typedef struct kept {
    uint32_t num_vertices;
    uint32_t num_polygons;
    uint32_t num_corners;
    uint32_t failed;
} kept;

static size_t kept_size(const kept *k) {
    return k->num_vertices * sizeof(bspi_cut_vertex) + k->num_polygons * sizeof(bspi_cut_polygon) +
           k->num_corners * sizeof(uint32_t) + sizeof *k;
}

static bool make_room(bspi_polyhedron_stack *stack, size_t size, bsp_error *error) {
    if (stack->room - stack->used >= size) {
        return true;
    }
    size_t room = 2 * stack->room + size;
    uint8_t *data = bspi_heap_alloc(stack->heap, room, error);
    if (data == NULL) {
        return false;
    }
    if (stack->used != 0) {
        memcpy(data, stack->data, stack->used);
    }
    bspi_heap_free(stack->heap, stack->data, stack->room);
    stack->data = data;
    stack->room = room;
    return true;
}

// Removes vertices that no corner uses, which would otherwise fill the room after many cuts.
static void forget_unused(bspi_polyhedron *solid) {
    uint32_t *corners = solid->corners[solid->current];
    uint32_t *renamed =
        solid->corners[1 - solid->current]; // scratch: both arrays have the same room
    memset(renamed, 0, solid->num_vertices * sizeof *renamed);
    for (uint32_t c = 0; c < solid->num_corners; c++) {
        renamed[corners[c]] = 1;
    }
    uint32_t used = 0;
    for (uint32_t v = 0; v < solid->num_vertices; v++) {
        if (renamed[v] != 0) {
            solid->vertices[used] = solid->vertices[v];
            renamed[v] = used++;
        }
    }
    for (uint32_t c = 0; c < solid->num_corners; c++) {
        corners[c] = renamed[corners[c]];
    }
    solid->num_vertices = used;
}

static uint8_t *put(uint8_t *to, const void *from, size_t size) {
    if (size != 0) {
        memcpy(to, from, size);
    }
    return to + size;
}

bool bspi_polyhedron_push(bspi_polyhedron_stack *stack, bspi_polyhedron *solid, bsp_error *error) {
    forget_unused(solid);
    kept k = {solid->num_vertices, solid->num_polygons, solid->num_corners, solid->failed};
    if (!make_room(stack, kept_size(&k), error)) {
        return false;
    }
    uint8_t *to = stack->data + stack->used;
    to = put(to, solid->vertices, k.num_vertices * sizeof *solid->vertices);
    to = put(to, solid->polygons[solid->current], k.num_polygons * sizeof(bspi_cut_polygon));
    to = put(to, solid->corners[solid->current], k.num_corners * sizeof(uint32_t));
    put(to, &k, sizeof k);
    stack->used += kept_size(&k);
    return true;
}

static const uint8_t *take(const uint8_t *from, void *to, size_t size) {
    if (size != 0) {
        memcpy(to, from, size);
    }
    return from + size;
}

void bspi_polyhedron_pop(bspi_polyhedron_stack *stack, bspi_polyhedron *solid) {
    kept k;
    memcpy(&k, stack->data + stack->used - sizeof k, sizeof k);
    stack->used -= kept_size(&k);
    const uint8_t *from = stack->data + stack->used;
    from = take(from, solid->vertices, k.num_vertices * sizeof *solid->vertices);
    from = take(from, solid->polygons[0], k.num_polygons * sizeof(bspi_cut_polygon));
    take(from, solid->corners[0], k.num_corners * sizeof(uint32_t));
    solid->num_vertices = k.num_vertices;
    solid->num_polygons = k.num_polygons;
    solid->num_corners = k.num_corners;
    solid->current = 0;
    solid->failed = k.failed != 0;
}

void bspi_polyhedron_stack_free(bspi_polyhedron_stack *stack) {
    bspi_heap_free(stack->heap, stack->data, stack->room);
    *stack = (bspi_polyhedron_stack){.heap = stack->heap};
}
