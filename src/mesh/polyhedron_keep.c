// SPDX-License-Identifier: MIT
// Queries of a convex solid between cuts, and the stack of solids for the walk of a tree.
#include "mesh/polyhedron.h"

#include <string.h>

double bspi_polyhedron_volume(const bspi_polyhedron *solid) {
    // Six times the sum of tetrahedra: the first corner of all, the first of a polygon, and an edge
    // of the polygon. Those of the first polygon are flat.
    const double *const *at = (const double *const *)solid->at;
    double sum = 0;
    if (solid->num_polygons == 0) {
        return 0;
    }
    uint32_t o = solid->corners[solid->polygons[0].first];
    for (uint32_t p = 1; p < solid->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        const uint32_t *corners = solid->corners + polygon->first;
        double from[3];
        double u[3];
        double v[3];
        for (int i = 0; i < 3; i++) {
            from[i] = at[i][o];
            u[i] = at[i][corners[0]] - from[i];
            v[i] = at[i][corners[1]] - from[i];
        }
        for (uint32_t c = 2; c < polygon->count; c++) {
            double w[3];
            for (int i = 0; i < 3; i++) {
                w[i] = at[i][corners[c]] - from[i];
            }
            sum += u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                   u[2] * (v[0] * w[1] - v[1] * w[0]);
            memcpy(v, w, sizeof v);
        }
    }
    return sum / 6;
}

void bspi_polyhedron_middle(const bspi_polyhedron *solid, double middle[3]) {
    middle[0] = middle[1] = middle[2] = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const uint32_t *corners = solid->corners + solid->polygons[p].first;
        for (uint32_t c = 0; c < solid->polygons[p].count; c++) {
            for (int i = 0; i < 3; i++) {
                middle[i] += solid->at[i][corners[c]] / solid->num_corners;
            }
        }
    }
}

static void widen(const bspi_polyhedron *solid, uint32_t vertex, double mins[3], double maxs[3]) {
    for (int i = 0; i < 3; i++) {
        double at = solid->at[i][vertex];
        mins[i] = at < mins[i] ? at : mins[i];
        maxs[i] = at > maxs[i] ? at : maxs[i];
    }
}

void bspi_polyhedron_extent(const bspi_polyhedron *solid, double mins[3], double maxs[3]) {
    bspi_polyhedron_vertex(solid, solid->corners[solid->polygons[0].first], mins);
    memcpy(maxs, mins, 3 * sizeof *maxs);
    uint64_t seen = 0; // vertices of a small solid
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        const uint32_t *corners = solid->corners + polygon->first;
        if (solid->small) {
            for (uint64_t left = polygon->uses & ~seen; left != 0; left &= left - 1) {
                widen(solid, (uint32_t)__builtin_ctzll(left), mins, maxs);
            }
            seen |= polygon->uses;
            continue;
        }
        for (uint32_t c = 0; c < polygon->count; c++) {
            widen(solid, corners[c], mins, maxs);
        }
    }
}

uint32_t bspi_polyhedron_points(const bspi_polyhedron *solid, uint32_t polygon, double (*points)[3],
                                uint32_t room) {
    const bspi_cut_polygon *from = &solid->polygons[polygon];
    const uint32_t *corners = solid->corners + from->first;
    uint32_t count = from->count < room ? from->count : room;
    for (uint32_t i = 0; i < count; i++) {
        bspi_polyhedron_vertex(solid, corners[i], points[i]);
    }
    return count;
}

// --- the stack -----------------------------------------------------------------------------------

// On the stack: coordinates and distances of vertices, then their ages, then polygons, then
// corners, then this record.
typedef struct kept {
    bspi_cut_sides sides;
    uint64_t used;
    uint32_t num_vertices;
    uint32_t next_age;
    uint32_t num_polygons;
    uint32_t num_corners;
    uint32_t used_corners;
    bool small;
    bool failed;
} kept;

static size_t kept_size(const kept *k) {
    return k->num_vertices * (4 * sizeof(double) + sizeof(uint32_t)) +
           k->num_polygons * sizeof(bspi_cut_polygon) + k->used_corners * sizeof(uint32_t) +
           sizeof *k;
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

static uint8_t *put(uint8_t *to, const void *from, size_t size) {
    if (size != 0) {
        memcpy(to, from, size);
    }
    return to + size;
}

bool bspi_polyhedron_push(bspi_polyhedron_stack *stack, const bspi_polyhedron *solid,
                          bsp_error *error) {
    kept k = {.sides = solid->sides,
              .used = solid->used,
              .num_vertices = solid->num_vertices,
              .next_age = solid->next_age,
              .num_polygons = solid->num_polygons,
              .num_corners = solid->num_corners,
              .used_corners = solid->used_corners,
              .small = solid->small,
              .failed = solid->failed};
    if (!make_room(stack, kept_size(&k), error)) {
        return false;
    }
    uint8_t *to = stack->data + stack->used;
    for (int i = 0; i < 3; i++) {
        to = put(to, solid->at[i], k.num_vertices * sizeof(double));
    }
    to = put(to, solid->distance, k.num_vertices * sizeof(double));
    to = put(to, solid->ages, k.num_vertices * sizeof(uint32_t));
    to = put(to, solid->polygons, k.num_polygons * sizeof(bspi_cut_polygon));
    to = put(to, solid->corners, k.used_corners * sizeof(uint32_t));
    (void)put(to, &k, sizeof k);
    stack->used += kept_size(&k);
    return true;
}

static const uint8_t *take(const uint8_t *from, void *to, size_t size) {
    if (size != 0) {
        memcpy(to, from, size);
    }
    return from + size;
}

// Sets the solid to the one that ends at `end`, and returns where it begins.
static size_t restore(const bspi_polyhedron_stack *stack, size_t end, bspi_polyhedron *solid) {
    kept k;
    memcpy(&k, stack->data + end - sizeof k, sizeof k);
    size_t begin = end - kept_size(&k);
    const uint8_t *from = stack->data + begin;
    for (int i = 0; i < 3; i++) {
        from = take(from, solid->at[i], k.num_vertices * sizeof(double));
    }
    from = take(from, solid->distance, k.num_vertices * sizeof(double));
    from = take(from, solid->ages, k.num_vertices * sizeof(uint32_t));
    from = take(from, solid->polygons, k.num_polygons * sizeof(bspi_cut_polygon));
    (void)take(from, solid->corners, k.used_corners * sizeof(uint32_t));
    solid->sides = k.sides;
    solid->used = k.used;
    solid->num_vertices = k.num_vertices;
    solid->next_age = k.next_age;
    solid->num_polygons = k.num_polygons;
    solid->num_corners = k.num_corners;
    solid->used_corners = k.used_corners;
    solid->small = k.small;
    solid->failed = k.failed;
    return begin;
}

void bspi_polyhedron_pop(bspi_polyhedron_stack *stack, bspi_polyhedron *solid) {
    stack->used = restore(stack, stack->used, solid);
}

void bspi_polyhedron_read(const bspi_polyhedron_stack *stack, size_t end, bspi_polyhedron *solid) {
    (void)restore(stack, end, solid);
}

void bspi_polyhedron_stack_free(bspi_polyhedron_stack *stack) {
    bspi_heap_free(stack->heap, stack->data, stack->room);
    *stack = (bspi_polyhedron_stack){.heap = stack->heap};
}

// --- packed --------------------------------------------------------------------------------------

// A packed solid: this, coordinates of vertices, tags of polygons, numbers of their corners, and
// corners.
typedef struct packed {
    uint8_t num_vertices;
    uint8_t num_polygons;
    uint16_t num_corners;
} packed;

size_t bspi_polyhedron_packed_size(const bspi_polyhedron *solid) {
    if (!solid->small || solid->num_polygons > UINT8_MAX || solid->num_corners > UINT16_MAX) {
        return 0;
    }
    return sizeof(packed) + solid->num_vertices * 3 * sizeof(double) +
           solid->num_polygons * (sizeof(uint32_t) + 1) + solid->num_corners;
}

size_t bspi_polyhedron_write(const bspi_polyhedron *solid, uint8_t *to) {
    uint8_t numbers[BSPI_SMALL_SOLID];
    packed head = {0, (uint8_t)solid->num_polygons, (uint16_t)solid->num_corners};
    uint8_t *out = to + sizeof head;
    for (uint64_t left = solid->used; left != 0; left &= left - 1) {
        uint32_t vertex = (uint32_t)__builtin_ctzll(left);
        double at[3];
        bspi_polyhedron_vertex(solid, vertex, at);
        numbers[vertex] = head.num_vertices++;
        out = put(out, at, sizeof at);
    }
    memcpy(to, &head, sizeof head);
    uint8_t *counts = out + head.num_polygons * sizeof(uint32_t);
    uint8_t *corners = counts + head.num_polygons;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        out = put(out, &polygon->tag, sizeof polygon->tag);
        *counts++ = (uint8_t)polygon->count;
        for (uint32_t c = 0; c < polygon->count; c++) {
            *corners++ = numbers[solid->corners[polygon->first + c]];
        }
    }
    return (size_t)(corners - to);
}

void bspi_polyhedron_unpack(bspi_polyhedron *solid, const uint8_t *from) {
    packed head;
    memcpy(&head, from, sizeof head);
    from += sizeof head;
    for (uint32_t v = 0; v < head.num_vertices; v++) {
        double at[3];
        from = take(from, at, sizeof at);
        for (int i = 0; i < 3; i++) {
            solid->at[i][v] = at[i];
        }
        solid->ages[v] = v;
    }
    const uint8_t *counts = from + head.num_polygons * sizeof(uint32_t);
    const uint8_t *corners = counts + head.num_polygons;
    uint32_t first = 0;
    for (uint32_t p = 0; p < head.num_polygons; p++) {
        bspi_cut_polygon *polygon = &solid->polygons[p];
        from = take(from, &polygon->tag, sizeof polygon->tag);
        polygon->uses = 0;
        polygon->first = first;
        polygon->count = counts[p];
        for (uint32_t c = 0; c < polygon->count; c++) {
            solid->corners[first++] = *corners;
            polygon->uses |= UINT64_C(1) << *corners++;
        }
    }
    solid->num_vertices = head.num_vertices;
    solid->next_age = head.num_vertices;
    solid->num_polygons = head.num_polygons;
    solid->num_corners = first;
    solid->used_corners = first;
    solid->used = UINT64_MAX >> (BSPI_SMALL_SOLID - head.num_vertices);
    solid->small = true;
    solid->failed = false;
}
