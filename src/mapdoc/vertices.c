// SPDX-License-Identifier: MIT
// Corners of sides in a .vmf ("vertices_plus"), which Hammer++ and Strata's Hammer add. Each is a
// pair "v" "x y z" of a block in the side, clockwise seen from outside like the points of the
// plane.
#include "mapdoc/vertices.h"

#include "bspkit/mesh.h"

#include "mapdoc/vmf_block.h"

#include <math.h>

#define BOX_FACTOR 4.0
#define CORNER_TOLERANCE 1e-6 // units
#define LEAST_ROOM 64u

bool bspi_vertices_begin(bspi_vertices *v, const bsp_mapdoc *source, bspi_heap *heap,
                         bsp_error *error) {
    uint32_t most = 4;
    for (uint32_t i = 0; i < source->num_brushes; i++) {
        most = source->brushes[i].num_sides > most ? source->brushes[i].num_sides : most;
    }
    most = most < BSPI_MAX_SIDES ? most : BSPI_MAX_SIDES;
    v->room = most + LEAST_ROOM; // a polygon has at most one corner for each other side
    bspi_arena_init(&v->arena, heap);
    v->wanted = true;
    v->points = bspi_arena_raw(&v->arena, v->room, sizeof *v->points, error);
    return v->points != NULL && bspi_polyhedron_init(&v->solid, most, &v->arena, error);
}

void bspi_vertices_end(bspi_vertices *v) {
    if (v->wanted) {
        bspi_arena_free(&v->arena);
    }
}

void bspi_vertices_cut(bspi_vertices *v, const bsp_mapdoc *source, const bsp_mapdoc_brush *brush) {
    v->closed = false;
    v->first_side = brush->first_side;
    if (!v->wanted || brush->num_sides > BSPI_MAX_SIDES) {
        return;
    }
    double size = fmax(BSPI_DOCUMENT_BOX, BOX_FACTOR * bspi_print_reach(source, brush));
    bspi_polyhedron_box(&v->solid, size);
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        const bsp_mapdoc_side *side = &source->sides[brush->first_side + s];
        if (!bspi_polyhedron_cut(&v->solid, side->normal, side->dist, s, BSP_BRUSH_EPSILON)) {
            return;
        }
    }
    v->closed = !v->solid.failed;
    for (uint32_t i = 0; i < v->solid.num_polygons; i++) {
        v->closed = v->closed && v->solid.polygons[i].tag != BSP_NONE;
    }
}

void bspi_vertices_print(bspi_vertices *v, bspi_printer *p, unsigned depth, uint32_t side) {
    for (uint32_t i = 0; v->closed && i < v->solid.num_polygons; i++) {
        if (v->solid.polygons[i].tag != side - v->first_side) {
            continue;
        }
        uint32_t count = bspi_polyhedron_points(&v->solid, i, v->points, v->room);
        bspi_vmf_open(p, depth, "vertices_plus");
        for (uint32_t c = count; c-- > 0;) {
            bspi_vmf_key(p, depth + 1, "v");
            for (int axis = 0; axis < 3; axis++) {
                bspi_print(p, axis == 0 ? "" : " ");
                bspi_print_number(p, v->points[c][axis], CORNER_TOLERANCE);
            }
            bspi_vmf_end(p);
        }
        bspi_vmf_close(p, depth);
        return;
    }
}
