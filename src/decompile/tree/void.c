// SPDX-License-Identifier: MIT
// See the header for the method. Assumes a loaded map.
#include "decompile/tree/void.h"

#include "core/vector.h"
#include "core/workers.h"
#include "decompile/tree/merge.h"

#include <math.h>
#include <string.h>

#define LEAST 1.0      // cubic units: a smaller volume is rounding
#define MOST_EDGES 192 // of a volume: more than a region of 64 sides has
#define MOST_CORNERS 64u
#define CELLS 128u // of the hull that a thread tests at a time

// A convex volume of the hull.
typedef struct shape {
    double edges[MOST_EDGES][2][3];
    uint32_t num_edges;
    bspi_region region;
} shape;

typedef struct finder {
    bspi_tree *tree; // hull 0
    bspi_carver *carver;
    const bsp_hull *box;
    bspi_tree hull;
    bspi_merger merger; // of the hull's open cells
    shape shape;
    bspi_region grown; // the shape, grown by the mover's box
    uint32_t *cells;   // cells of hull 0 that the grown shape reaches
    uint32_t num_cells;
    size_t room_cells;
} finder;

static bool may_go_on(const finder *f) {
    return !f->carver->starved;
}

// Returns true for contents that do not stop movers in their hulls: also skies, where hulls have
// them.
static bool is_passed(int32_t contents) {
    return contents < 0 && contents != BSPI_TREE_SOLID;
}

// --- detection -----------------------------------------------------------------------------------

static int32_t hull_at(bspi_carver *carver, const bsp_map *map, uint32_t hull,
                       const double point[3]) {
    int32_t at = map->models[0].headnodes[hull];
    uint32_t steps = 0;
    for (; at >= 0 && (uint32_t)at < map->num_clipnodes && steps < map->num_clipnodes; steps++) {
        const bsp_clipnode *node = &map->clipnodes[at];
        const bspi_flat *flat =
            &carver->flats.list[node->plane < map->num_planes ? node->plane : 0];
        at = node->children[bspi_vec_dot(flat->normal, point) < flat->dist];
    }
    (void)bspi_carver_work(carver, steps);
    return at;
}

static bool sky_is_open(const bspi_tree *tree, bspi_carver *carver, const bsp_map *map,
                        uint32_t hull) {
    for (uint32_t i = 0; i < tree->num_cells && !carver->starved; i++) {
        const bspi_tree_cell *cell = &tree->cells[i];
        double middle[3];
        if (cell->contents == BSPI_TREE_SKY && cell->volume > LEAST &&
            bspi_tree_carve(tree, carver, i)) {
            bspi_polyhedron_middle(&carver->solid, middle);
            if (is_passed(hull_at(carver, map, hull, middle))) {
                return true;
            }
        }
    }
    return false;
}

// --- the volume that a mover sweeps --------------------------------------------------------------

// Takes the edges of the carver's solid.
static void take_shape(finder *f) {
    const bspi_polyhedron *solid = &f->carver->solid;
    f->shape.num_edges = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        const uint32_t *corners = solid->corners + polygon->first;
        for (uint32_t i = 0; i < polygon->count && f->shape.num_edges < MOST_EDGES; i++) {
            uint32_t a = corners[i];
            uint32_t b = corners[(i + 1) % polygon->count];
            // The polygon at its other side has it reversed.
            if (solid->ages[a] < solid->ages[b]) {
                double(*edge)[3] = f->shape.edges[f->shape.num_edges++];
                bspi_polyhedron_vertex(solid, a, edge[0]);
                bspi_polyhedron_vertex(solid, b, edge[1]);
            }
        }
    }
}

// Returns how far the shape reaches along a direction.
static double support(const shape *s, const double normal[3]) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < s->num_edges; i++) {
        for (int end = 0; end < 2; end++) {
            most = fmax(most, bspi_vec_dot(normal, s->edges[i][end]));
        }
    }
    return most;
}

static double box_support(const bsp_hull *box, const double normal[3]) {
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        sum += fmax(normal[a] * (double)box->mins[a], normal[a] * (double)box->maxs[a]);
    }
    return sum;
}

// Bounds the carver's solid along a direction by the grown shape. A plane is only made where it
// cuts. Returns false if nothing is left.
static bool bound(finder *f, const double normal[3]) {
    double dist = support(&f->shape, normal) + box_support(f->box, normal);
    if ((bspi_polyhedron_sides(&f->carver->solid, normal, dist, BSPI_TREE_EPSILON) & 1) == 0) {
        return true;
    }
    uint32_t tag = bspi_flat_tag(f->carver, normal, dist);
    return tag != BSP_NONE && bspi_carve_tag(f->carver, tag);
}

// Bounds by the planes through an edge of the shape and along an edge of the box that have all of
// the shape on one side.
static bool bound_by_edge(finder *f, const double edge[2][3]) {
    bool there = true;
    for (int a = 0; there && a < 3; a++) {
        double axis[3] = {0, 0, 0};
        double along[3];
        double normal[3];
        axis[a] = 1;
        bspi_vec_subtract(edge[1], edge[0], along);
        bspi_vec_cross(along, axis, normal);
        double length = bspi_vec_length(normal);
        if (!(length > BSPI_TREE_EPSILON)) {
            continue;
        }
        for (int sign = -1; there && sign <= 1; sign += 2) {
            double out[3];
            for (int i = 0; i < 3; i++) {
                out[i] = sign * normal[i] / length;
            }
            bool outermost =
                support(&f->shape, out) < bspi_vec_dot(out, edge[0]) + BSPI_TREE_EPSILON;
            there = !outermost || bound(f, out);
        }
    }
    return there;
}

// Computes the sum of two convex volumes, one of them a box: it is bounded in the direction of each
// side of either, and of each cross product of an edge of one with an edge of the other.
static bool grow_shape(finder *f) {
    // Each direction is tested with all edges.
    uint64_t edges = f->shape.num_edges;
    bool there =
        bspi_carver_work(f->carver, edges * edges) && bspi_carve(f->carver, NULL, 0, BSP_NONE);
    for (int side = 0; there && side < 6; side++) {
        double normal[3] = {0, 0, 0};
        normal[side / 2] = (side & 1) != 0 ? 1 : -1;
        there = bound(f, normal);
    }
    for (uint32_t i = 0; there && i < f->shape.region.num_tags; i++) {
        double normal[3];
        double dist;
        bspi_flats_out(&f->carver->flats, f->shape.region.tags[i], normal, &dist);
        there = bspi_flats_is_box(&f->carver->flats, f->shape.region.tags[i]) || bound(f, normal);
    }
    for (uint32_t i = 0; there && i < f->shape.num_edges; i++) {
        there = bound_by_edge(f, (const double(*)[3])f->shape.edges[i]);
    }
    const bspi_polyhedron *solid = &f->carver->solid;
    if (!there || solid->num_polygons > BSPI_REGION_SIDES || f->shape.num_edges == MOST_EDGES) {
        return false;
    }
    f->grown.num_tags = solid->num_polygons;
    for (uint32_t i = 0; i < solid->num_polygons; i++) {
        f->grown.tags[i] = solid->polygons[i].tag;
    }
    return true;
}

// --- cutting out --------------------------------------------------------------------------------

static bool is_open(const finder *f, const double point[3]) {
    int32_t contents = f->tree->cells[bspi_tree_find(f->tree, f->carver, point)].contents;
    return contents < 0 && contents != BSPI_TREE_SOLID && contents != BSPI_TREE_SKY;
}

// Returns true if the carver's solid has a side that is seen: then a brush is there in spite of the
// hull, since compilers may make hulls smaller than a mover needs.
static bool is_seen(const finder *f) {
    const bspi_polyhedron *solid = &f->carver->solid;
    double middle[3];
    bspi_polyhedron_middle(solid, middle);
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        double points[MOST_CORNERS][3];
        double normal[3];
        double dist;
        double center[3] = {0, 0, 0};
        uint32_t tag = solid->polygons[p].tag;
        uint32_t count = bspi_polyhedron_points(solid, p, points, MOST_CORNERS);
        bspi_flats_out(&f->carver->flats, tag, normal, &dist);
        for (uint32_t i = 0; i < count; i++) {
            bspi_vec_add(center, points[i], 1.0 / count, center);
        }
        for (uint32_t i = 0; i <= count; i++) {
            double at[3];
            const double *from = i < count ? points[i] : center;
            for (int a = 0; a < 3; a++) {
                at[a] = from[a] + BSPI_TREE_INWARD * (center[a] - from[a]) +
                        BSPI_TREE_PROBE * normal[a];
            }
            if (is_open(f, at)) {
                return true;
            }
        }
    }
    return false;
}

static bool note_cell(void *user, bspi_carver *carver, uint32_t cell) {
    finder *f = user;
    if (f->tree->cells[cell].contents != BSPI_TREE_SOLID ||
        bspi_polyhedron_volume(&carver->solid) < LEAST) {
        return true;
    }
    uint32_t *cells = bspi_grow(carver->flats.heap, f->cells, f->num_cells, &f->room_cells,
                                sizeof *cells, carver->error);
    carver->starved = carver->starved || cells == NULL;
    f->cells = cells != NULL ? cells : f->cells;
    f->num_cells += cells != NULL;
    if (cells != NULL) {
        cells[f->num_cells - 1] = cell;
    }
    return cells != NULL;
}

// Cuts the grown shape out of all solid cells that it reaches. The carver's solid is the shape.
static bool cut_out(finder *f) {
    f->num_cells = 0;
    bool good = bspi_tree_walk(f->tree, f->carver, note_cell, f);
    for (uint32_t i = 0; good && i < f->num_cells && may_go_on(f); i++) {
        bool there = bspi_tree_carve(f->tree, f->carver, f->cells[i]);
        for (uint32_t t = 0; there && t < f->grown.num_tags; t++) {
            there = bspi_carve_tag(f->carver, f->grown.tags[t]);
        }
        good = !there || is_seen(f) ||
               bspi_tree_split(f->tree, f->carver, f->cells[i], f->grown.tags, f->grown.num_tags,
                               BSPI_TREE_VOID);
    }
    return good && !f->carver->starved;
}

// --- all ----------------------------------------------------------------------------------------

// The cells of the hull that are tested.
typedef struct choice {
    bspi_tree *hull;
    bspi_tree solids; // a view of hull 0
    bspi_carver *carver;
    const bspi_void *found; // has those of other threads
} choice;

static bool find_solid(void *user, bspi_carver *carver, uint32_t cell) {
    bool *reaches = user;
    (void)cell; // is solid
    *reaches = *reaches || bspi_polyhedron_volume(&carver->solid) > LEAST;
    return !*reaches;
}

static bool is_not_solid(int32_t contents) {
    return contents != BSPI_TREE_SOLID;
}

// Returns false if a box around a cell of the hull has nothing of a solid of hull 0.
static bool may_reach_solid(const choice *c, bspi_carver *carver, const bspi_tree_cell *cell) {
    double mins[3];
    double maxs[3];
    for (int a = 0; a < 3; a++) {
        mins[a] = (double)cell->mins[a];
        maxs[a] = (double)cell->maxs[a];
    }
    return bspi_tree_view_meets(&c->solids, carver, mins, maxs);
}

static bool choose_some(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const choice *c = user;
    bspi_carver *carver = worker == 0 ? c->carver : &c->found->others[worker - 1];
    uint32_t first = item * CELLS;
    uint32_t end = c->hull->num_cells - first < CELLS ? c->hull->num_cells : first + CELLS;
    (void)error;
    for (uint32_t i = first; i < end && !carver->starved; i++) {
        bspi_tree_cell *cell = &c->hull->cells[i];
        bool reaches = false;
        if (is_passed(cell->contents) && cell->volume > LEAST && may_reach_solid(c, carver, cell) &&
            bspi_tree_carve(c->hull, carver, i)) {
            (void)bspi_tree_walk(&c->solids, carver, find_solid, &reaches);
        }
        bspi_cell_set_done(cell, !reaches);
    }
    return true;
}

// Keeps only open cells of the hull that reach into the solid of hull 0.
static bool choose_cells(finder *f, const bspi_void *found) {
    choice c = {.hull = &f->hull, .carver = f->carver, .found = found};
    uint32_t threads = 1;
    while (threads <= found->num_others &&
           bspi_carver_follow(&found->others[threads - 1], f->carver)) {
        threads++;
    }
    bool good = bspi_tree_view(&c.solids, f->tree, f->carver, is_not_solid) &&
                bspi_workers_each(threads, (f->hull.num_cells + CELLS - 1) / CELLS, choose_some, &c,
                                  f->carver->error);
    bspi_tree_view_end(&c.solids, f->carver);
    return good && !f->carver->starved;
}

static bool cut_region(finder *f, uint32_t cell) {
    shape *s = &f->shape;
    if (!bspi_region_of_cell(&f->hull, cell, &s->region)) {
        return true;
    }
    (void)bspi_region_grow(&f->merger, &s->region); // the carver's solid is the region
    take_shape(f);
    bool good = !grow_shape(f) || cut_out(f);
    bspi_cell_set_done(&f->hull.cells[cell], true);
    return good && !f->carver->starved &&
           (!bspi_carve(f->carver, s->region.tags, s->region.num_tags, BSP_NONE) ||
            bspi_region_done(&f->merger, &s->region));
}

static bool cut_all(finder *f) {
    uint32_t count;
    bspi_ranked_cell *list = bspi_rank_cells(&f->hull, f->carver, &count);
    bool good = list != NULL;
    for (uint32_t i = 0; good && i < count && may_go_on(f); i++) {
        good = bspi_cell_is_done(&f->hull.cells[list[i].cell]) || cut_region(f, list[i].cell);
    }
    bspi_heap_free(f->carver->flats.heap, list, f->hull.num_cells * sizeof *list);
    return good;
}

static bool find_in_hull(finder *f, const bsp_map *map, uint32_t hull, bspi_void *found) {
    f->box = &map->traits->hulls[hull];
    bool good = bspi_tree_take(&f->hull, &found->hulls[hull], f->carver, map, 0, hull);
    f->merger = (bspi_merger){.carver = f->carver, .tree = &f->hull, .overlaps = true};
    good = good && choose_cells(f, found) && cut_all(f) && may_go_on(f);
    found->unfinished = found->unfinished || f->hull.cut;
    found->hulls[hull] = f->hull;
    return good;
}

bool bspi_void_look(const bspi_tree *tree, bspi_carver *carver, const bsp_map *map,
                    bspi_void *found) {
    bool any = false;
    for (uint32_t hull = 1; hull < map->traits->num_hulls; hull++) {
        // Without a node the map was compiled without this hull.
        found->open[hull] =
            map->models[0].headnodes[hull] >= 0 && sky_is_open(tree, carver, map, hull);
        any = any || found->open[hull];
    }
    return any;
}

// Compilers fill each hull separately: the void of one may be open, and that of another solid.
bool bspi_find_void(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, bspi_void *found) {
    bspi_heap *heap = carver->flats.heap;
    found->unfinished = false;
    finder *f = bspi_heap_alloc(heap, sizeof *f, carver->error);
    if (f == NULL) {
        return false;
    }
    memset(f, 0, sizeof *f);
    f->tree = tree;
    f->carver = carver;
    bool good = true;
    for (uint32_t hull = 1; good && hull < map->traits->num_hulls; hull++) {
        good = !found->open[hull] || find_in_hull(f, map, hull, found);
    }
    bspi_heap_free(heap, f->cells, f->room_cells * sizeof *f->cells);
    bspi_heap_free(heap, f, sizeof *f);
    return good;
}
