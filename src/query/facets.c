// SPDX-License-Identifier: MIT
// Facets of Quake 3's patches, as its cm_patch.c makes them: each cell of the subdivided grid is
// one quad or two triangles, bounded by the planes of its neighbours, so that no trace passes
// between them. A patch that needs more planes or facets than the engine has cannot be in a map
// that the engine loads; here nothing collides with it.
#include "query/facets.h"

#include "query/collide.h"

#include <string.h>

#define ON_PLANE 0.1f // PLANE_TRI_EPSILON: a nearer point is on the plane
// An edge's own plane goes through a point at this distance above the surface.
#define EDGE_HEIGHT 4
#define FACET_STEPS 256    // for each facet: cutting by its borders, and trying bevels
#define MAX_FACET 65535.0f // MAX_MAP_BOUNDS: the largest extent of a facet

static float plane_dist(const float plane[4], const float p[3]) {
    return p[0] * plane[0] + p[1] * plane[1] + p[2] * plane[2] - plane[3];
}

static bool is_on(const float plane[4], const float p[3]) {
    float d = plane_dist(plane, p);
    return !(d < -ON_PLANE || d > ON_PLANE);
}

// Returns the plane through three points, clockwise: an existing one that all three are on, or a
// new one. -1 if they are collinear.
static int32_t find_plane(bspi_patch *patch, const float a[3], const float b[3], const float c[3]) {
    float ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    float ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    float plane[4];
    bspi_cross(ac, ab, plane);
    if (bspi_query_normalize(plane) == 0) {
        return -1;
    }
    plane[3] = bspi_dot(a, plane);
    patch->work += patch->num_planes;
    for (uint32_t i = 0; i < patch->num_planes; i++) {
        const float *old = patch->planes[i];
        if (!(bspi_dot(plane, old) < 0) && is_on(old, a) && is_on(old, b) && is_on(old, c)) {
            return (int32_t)i;
        }
    }
    if (patch->num_planes == BSPI_PATCH_PLANES) {
        patch->overflow = true;
        return 0;
    }
    memcpy(patch->planes[patch->num_planes], plane, sizeof plane);
    return (int32_t)patch->num_planes++;
}

static void find_cells(bspi_patch *patch) {
    bspi_grid *g = &patch->grid;
    for (uint32_t i = 0; i + 1 < g->size[0]; i++) {
        for (uint32_t j = 0; j + 1 < g->size[1]; j++) {
            const float *a = g->points[i][j];
            const float *b = g->points[i + 1][j];
            const float *c = g->points[i + 1][j + 1];
            const float *d = g->points[i][j + 1];
            patch->cells[i][j][0] = find_plane(patch, a, b, c);
            patch->cells[i][j][1] = find_plane(patch, c, d, a);
        }
    }
}

// An edge of a cell, or its diagonal: its two points, the triangle that it bounds, and above which
// of the two points the third point of its plane is.
typedef struct edge {
    uint8_t from[2], to[2];
    uint8_t triangle;
    bool above_to;
} edge;

enum { TOP, RIGHT, BOTTOM, LEFT, DIAGONAL_0, DIAGONAL_1 };

static const edge edges[] = {
    {{0, 0}, {1, 0}, 0, false}, {{1, 0}, {1, 1}, 0, false}, {{1, 1}, {0, 1}, 1, true},
    {{0, 1}, {0, 0}, 1, true},  {{1, 1}, {0, 0}, 0, false}, {{0, 0}, {1, 1}, 1, false},
};

// Returns the plane through an edge, perpendicular to its triangle.
static int32_t edge_plane(bspi_patch *patch, uint32_t i, uint32_t j, int which) {
    const edge *e = &edges[which];
    int32_t p = patch->cells[i][j][e->triangle];
    p = p == -1 ? patch->cells[i][j][1 - e->triangle] : p;
    if (p == -1) {
        return -1;
    }
    const float *from = patch->grid.points[i + e->from[0]][j + e->from[1]];
    const float *to = patch->grid.points[i + e->to[0]][j + e->to[1]];
    const float *foot = e->above_to ? to : from;
    float up[3];
    for (int k = 0; k < 3; k++) {
        up[k] = foot[k] + patch->planes[p][k] * EDGE_HEIGHT;
    }
    return find_plane(patch, from, to, up);
}

// Returns the border of a cell: the neighbour's plane, or the edge's own plane if there is no
// neighbour or it is coplanar.
static int32_t border_plane(bspi_patch *patch, uint32_t i, uint32_t j, int which) {
    static const int8_t steps[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    static const uint8_t facing[4] = {1, 1, 0, 0}; // the neighbour's triangle at that border
    int axis = which == TOP || which == BOTTOM ? 1 : 0;
    uint32_t cells = patch->grid.size[axis] - 1;
    uint32_t at[2] = {i, j};
    bool beyond = steps[which][axis] < 0 ? at[axis] == 0 : at[axis] + 1 == cells;
    int32_t border = -1;
    if (!beyond || patch->grid.wrap[axis]) {
        at[axis] = (at[axis] + (steps[which][axis] < 0 ? cells - 1 : 1)) % cells;
        border = patch->cells[at[0]][at[1]][facing[which]];
    }
    bool same = border == patch->cells[i][j][edges[which].triangle];
    return border == -1 || same ? edge_plane(patch, i, j, which) : border;
}

// Orients the borders so that the facet's points are on their back side, and removes those that
// only touch it.
static void turn_borders(bspi_patch *patch, bspi_facet *facet, const float *const points[4],
                         uint32_t num_points) {
    for (uint32_t k = 0; k < facet->num_borders; k++) {
        bool front = false;
        bool back = false;
        for (uint32_t n = 0; n < num_points && facet->borders[k] != -1; n++) {
            float d = plane_dist(patch->planes[facet->borders[k]], points[n]);
            front |= d > ON_PLANE;
            back |= d < -ON_PLANE;
        }
        facet->inward[k] = front && !back;
        if (!front && !back) {
            facet->borders[k] = -1;
        }
    }
}

static bool is_valid(const bspi_patch *patch, const bspi_facet *facet) {
    bspi_winding w;
    float box[2][3] = {{MAX_FACET, MAX_FACET, MAX_FACET}, {-MAX_FACET, -MAX_FACET, -MAX_FACET}};
    if (facet->surface == -1) {
        return false;
    }
    for (uint32_t k = 0; k < facet->num_borders; k++) {
        if (facet->borders[k] == -1) {
            return false;
        }
    }
    bspi_facet_winding(patch, facet, false, &w);
    bspi_winding_extend(&w, box);
    for (int axis = 0; axis < 3; axis++) {
        if (!(box[1][axis] - box[0][axis] <= MAX_FACET) || box[0][axis] >= MAX_FACET ||
            box[1][axis] <= -MAX_FACET) {
            return false;
        }
    }
    return w.count != 0;
}

static void add_facet(bspi_patch *patch, bspi_facet *facet, const float *const points[4],
                      uint32_t num_points) {
    turn_borders(patch, facet, points, num_points);
    patch->work += FACET_STEPS;
    if (!is_valid(patch, facet)) {
        return;
    }
    if (patch->num_facets == BSPI_PATCH_FACETS) {
        patch->overflow = true;
        return;
    }
    float(*box)[3] = patch->boxes[patch->num_facets];
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = -BSPI_FAR;
        box[1][axis] = BSPI_FAR;
    }
    bspi_facet_bevels(patch, facet, box);
    patch->facets[patch->num_facets++] = *facet;
}

// The third border of a triangle is the other triangle of its cell.
static int32_t inner_border(bspi_patch *patch, uint32_t i, uint32_t j, int other, int32_t outer,
                            int diagonal) {
    int32_t p = patch->cells[i][j][other];
    p = p == -1 ? outer : p;
    return p == -1 ? edge_plane(patch, i, j, diagonal) : p;
}

static void add_cell(bspi_patch *patch, uint32_t i, uint32_t j) {
    static const int order[4] = {TOP, BOTTOM, LEFT,
                                 RIGHT}; // the order in which the engine makes planes
    int32_t borders[4];
    for (int k = 0; k < 4; k++) {
        borders[order[k]] = border_plane(patch, i, j, order[k]);
    }
    const int32_t *cell = patch->cells[i][j];
    bspi_grid *g = &patch->grid;
    const float *points[6] = {g->points[i][j],     g->points[i + 1][j], g->points[i + 1][j + 1],
                              g->points[i][j + 1], g->points[i][j],     NULL};
    bspi_facet facet = {.surface = cell[0], .num_borders = 4};
    if (cell[0] == cell[1]) {
        memcpy(facet.borders, borders, sizeof borders);
        if (cell[0] != -1) {
            add_facet(patch, &facet, points, 4);
        }
        return;
    }
    facet.num_borders = 3;
    facet.borders[0] = borders[TOP];
    facet.borders[1] = borders[RIGHT];
    facet.borders[2] = inner_border(patch, i, j, 1, borders[BOTTOM], DIAGONAL_0);
    add_facet(patch, &facet, points, 3);
    bspi_facet second = {.surface = cell[1], .num_borders = 3};
    second.borders[0] = borders[BOTTOM];
    second.borders[1] = borders[LEFT];
    second.borders[2] = inner_border(patch, i, j, 0, borders[TOP], DIAGONAL_1);
    add_facet(patch, &second, points + 2, 3);
}

static void copy_plane(bspi_plane *out, const float plane[4], bool inward, uint32_t order) {
    float sign = inward ? -1.0f : 1.0f;
    for (int axis = 0; axis < 3; axis++) {
        out->normal[axis] = sign * plane[axis];
    }
    out->dist = sign * plane[3];
    out->order = order;
    out->number = BSP_NONE;
    out->flags = 0;
    out->inward = inward;
    out->bevel = false;
}

static bool put_facets(bspi_builder *b, const bspi_patch *patch, const bspi_convex *facts) {
    if (!bspi_need_planes(b, BSPI_BORDERS + 1)) {
        return false;
    }
    for (uint32_t f = 0; f < patch->num_facets; f++) {
        const bspi_facet *facet = &patch->facets[f];
        float box[2][3];
        copy_plane(&b->planes[0], patch->planes[facet->surface], false, 0);
        for (uint32_t k = 0; k < facet->num_borders; k++) {
            copy_plane(&b->planes[k + 1], patch->planes[facet->borders[k]], facet->inward[k],
                       k + 1);
        }
        for (int axis = 0; axis < 3; axis++) {
            box[0][axis] = patch->boxes[f][0][axis] - BSPI_FACET_PAD;
            box[1][axis] = patch->boxes[f][1][axis] + BSPI_FACET_PAD;
        }
        if (!bspi_add_convex(b, facts, b->planes, facet->num_borders + 1, box)) {
            return false;
        }
    }
    return true;
}

// Adds the facets of a patch. Its bounds are those of the grid, as in the engine.
static bool put_patch(bspi_builder *b, const bspi_patch *patch, const bspi_convex *facts) {
    const bspi_grid *g = &patch->grid;
    bspi_patch_run run = {.face = facts->owner, .first_convex = (uint32_t)b->num_convexes};
    memcpy(run.bounds[0], g->points[0][0], sizeof run.bounds[0]);
    memcpy(run.bounds[1], g->points[0][0], sizeof run.bounds[1]);
    for (uint32_t i = 0; i < g->size[0]; i++) {
        for (uint32_t j = 0; j < g->size[1]; j++) {
            for (int axis = 0; axis < 3; axis++) {
                float at = g->points[i][j][axis];
                run.bounds[0][axis] = at < run.bounds[0][axis] ? at : run.bounds[0][axis];
                run.bounds[1][axis] = at > run.bounds[1][axis] ? at : run.bounds[1][axis];
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        run.bounds[0][axis] -= BSPI_FACET_PAD;
        run.bounds[1][axis] += BSPI_FACET_PAD;
    }
    if (!put_facets(b, patch, facts) || !bspi_builder_grow(b, &b->patches, sizeof *b->patches,
                                                           b->num_patches + 1, &b->room_patches)) {
        return false;
    }
    run.num_convexes = (uint32_t)b->num_convexes - run.first_convex;
    b->patches[b->num_patches++] = run;
    return true;
}

bool bspi_add_patch(bspi_builder *b, const bsp_face *face, uint32_t number) {
    const bsp_map *map = b->index->map;
    uint32_t width = face->patch_width;
    uint32_t height = face->patch_height;
    uint32_t contents = face->material == BSP_NONE ? 0 : map->materials[face->material].contents;
    if (width < 3 || height < 3 || width % 2 == 0 || height % 2 == 0 || width > BSPI_GRID_MOST ||
        height > BSPI_GRID_MOST || face->num_verts < width * height) {
        return true; // the engine refuses such a map
    }
    bspi_patch *patch = bspi_heap_alloc(b->heap, sizeof *patch, b->error);
    if (patch == NULL) {
        return false;
    }
    patch->num_planes = patch->num_facets = 0;
    patch->overflow = false;
    patch->work = patch->grid.work = 0;
    patch->grid.size[0] = height;
    patch->grid.size[1] = width;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            memcpy(patch->grid.points[y][x],
                   map->draw_verts[face->first_vert + y * width + x].point, 3 * sizeof(float));
        }
    }
    bool fits = bspi_grid_subdivide(&patch->grid);
    patch->work += patch->grid.work;
    if (fits) {
        find_cells(patch);
    }
    for (uint32_t i = 0; fits && i + 1 < patch->grid.size[0]; i++) {
        for (uint32_t j = 0; j + 1 < patch->grid.size[1] && !patch->overflow; j++) {
            add_cell(patch, i, j);
        }
    }
    bspi_convex facts = {
        .kind = BSPI_PATCH, .contents = contents, .gate = BSP_NONE, .owner = number};
    bool done = bspi_meter_add(b->meter, patch->work) &&
                (!fits || patch->overflow || put_patch(b, patch, &facts));
    bspi_heap_free(b->heap, patch, sizeof *patch);
    return done;
}
