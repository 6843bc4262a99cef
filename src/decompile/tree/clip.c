// SPDX-License-Identifier: MIT
// See the header for the method. Assumes a loaded map.
#include "decompile/tree/explained.h"

#include <math.h>
#include <string.h>

#define SLACK 0.05       // units outside of a side that another solid begins at
#define LEAST_VOLUME 1.0 // cubic units: a smaller volume is the rounding of sloping planes

typedef struct work {
    bspi_clipper *clipper;
    bspi_carver *carver;
    uint32_t hull;
    const bsp_hull *box;
    bspi_tree tree;        // of the hull
    bspi_tree outside;     // its cells that are not solid
    const bspi_tree *open; // the cells of hull 0 that are not solid
    bspi_merger merger;
} work;

static bool may_go_on(const work *w) {
    return !w->carver->starved;
}

// --- moving planes back --------------------------------------------------------------------------

// What becomes of a side of a volume that ends in another solid.
typedef enum ending {
    TO_SURFACE, // continues to the surface of that solid
    AS_IT_IS,   // stays at the hull's plane
    MOVED_BACK, // is moved back as in open space
    BY_SIDE,    // each side as far as the hull allows
} ending;

typedef struct candidate {
    bspi_clip_plane planes[BSPI_REGION_SIDES];
    uint32_t count;
} candidate;

static bool ends_in_solid(const work *w, uint32_t polygon) {
    bspi_tree_side side;
    double point[3] = {0, 0, 0};
    bspi_tree_side_of(w->carver, polygon, &side);
    for (uint32_t i = 0; i < side.polygon.count; i++) {
        for (int a = 0; a < 3; a++) {
            point[a] += side.polygon.points[i][a] / side.polygon.count;
        }
    }
    for (int a = 0; a < 3; a++) {
        point[a] += SLACK * side.normal[a];
    }
    uint32_t cell = bspi_tree_find(&w->tree, w->carver, point);
    return w->tree.cells[cell].contents == BSPI_TREE_SOLID;
}

// The cell is one of those that are not solid.
static bool is_sliver(void *user, bspi_carver *carver, uint32_t cell) {
    (void)user;
    (void)cell;
    return bspi_polyhedron_volume(&carver->solid) < LEAST_VOLUME;
}

// Cuts the carver's solid by tags of a region from `first` on.
static bool carve_from(work *w, const bspi_region *region, uint32_t first, uint32_t end) {
    bool there = bspi_carver_work(w->carver, 1 + end - first);
    for (uint32_t i = first; there && i < end; i++) {
        there = bspi_flats_is_box(&w->carver->flats, region->tags[i]) ||
                bspi_carve_tag(w->carver, region->tags[i]);
    }
    return there;
}

// Returns true if a volume of the hull stays in the hull's solid when a side is moved out by that
// distance. The volume without this side is at `without` on the stack.
static bool may_reach(work *w, size_t without, uint32_t tag, double distance) {
    bspi_carver *carver = w->carver;
    double normal[3];
    double dist;
    double mins[3];
    double maxs[3];
    bspi_flats_out(&carver->flats, tag, normal, &dist);
    bspi_polyhedron_read(&carver->stack, without, &carver->solid);
    if (!bspi_polyhedron_cut(&carver->solid, normal, dist + distance, tag, BSPI_TREE_EPSILON) ||
        !bspi_carve_tag(carver, tag ^ 1)) {
        return false;
    }
    bspi_polyhedron_extent(&carver->solid, mins, maxs);
    return !bspi_tree_view_meets(&w->outside, carver, mins, maxs) ||
           bspi_tree_walk(&w->outside, carver, is_sliver, w);
}

// Computes how far out the plane of a side may be. The volume cut by the tags before the side is
// the carver's solid.
static void move_side(work *w, const bspi_region *region, uint32_t side, bspi_clip_plane *plane) {
    bspi_carver *carver = w->carver;
    uint32_t tag = region->tags[side];
    size_t without;
    bspi_flats_out(&carver->flats, tag, plane->normal, &plane->dist);
    const double in[3] = {-plane->normal[0], -plane->normal[1], -plane->normal[2]};
    double one = bspi_mover_reach(w->box, plane->normal);
    double other = bspi_mover_reach(w->box, in);
    bool there =
        carve_from(w, region, side + 1, region->num_tags) && bspi_carver_save(carver, &without);
    if (there && may_reach(w, without, tag, one + other)) {
        plane->dist += other;
    } else if (!there || !may_reach(w, without, tag, one)) {
        plane->dist -= one;
    }
}

// Computes the planes of the brush for a volume of the hull, each as far out as the volume can grow
// by that side alone.
static void move_by_side(work *w, const bspi_region *region, candidate *out) {
    bspi_carver *carver = w->carver;
    size_t bottom = carver->stack.used;
    size_t before = bottom; // where the solid before the next side is
    bool there = bspi_carve(carver, NULL, 0, BSP_NONE) && bspi_carver_save(carver, &before);
    out->count = 0;
    for (uint32_t i = 0; there && i < region->num_tags; i++) {
        if (!bspi_flats_is_box(&carver->flats, region->tags[i])) {
            move_side(w, region, i, &out->planes[out->count++]);
        }
        bspi_polyhedron_read(&carver->stack, before, &carver->solid);
        carver->stack.used = bottom;
        there = carve_from(w, region, i, i + 1) && bspi_carver_save(carver, &before);
    }
    carver->stack.used = bottom;
}

// Computes the planes of the brush for the carver's solid, which is a volume of the hull.
static void move_back(const work *w, ending how, candidate *out) {
    const bspi_polyhedron *solid = &w->carver->solid;
    out->count = 0;
    for (uint32_t i = 0; i < solid->num_polygons && i < BSPI_REGION_SIDES; i++) {
        uint32_t tag = solid->polygons[i].tag;
        bspi_clip_plane *plane = &out->planes[out->count];
        if (bspi_flats_is_box(&w->carver->flats, tag)) {
            continue;
        }
        bspi_flats_out(&w->carver->flats, tag, plane->normal, &plane->dist);
        const double in[3] = {-plane->normal[0], -plane->normal[1], -plane->normal[2]};
        if (how == MOVED_BACK || !ends_in_solid(w, i)) {
            plane->dist -= bspi_mover_reach(w->box, plane->normal);
        } else if (how == TO_SURFACE) {
            plane->dist += bspi_mover_reach(w->box, in);
        }
        out->count++;
    }
}

// Sets the carver's solid to the candidate, its planes moved out by the mover's box if `grown`.
static bool carve_candidate(const work *w, const candidate *from, bool grown) {
    bool there = bspi_carve(w->carver, NULL, 0, BSP_NONE);
    for (uint32_t i = 0; there && i < from->count; i++) {
        const bspi_clip_plane *plane = &from->planes[i];
        double dist = plane->dist + (grown ? bspi_mover_reach(w->box, plane->normal) : 0);
        there = bspi_polyhedron_cut(&w->carver->solid, plane->normal, dist, i, BSPI_TREE_EPSILON);
    }
    return there;
}

// Compilers also cut grown brushes by the box around the brush.
static bool cut_by_box(const work *w, const double mins[3], const double maxs[3]) {
    bool there = true;
    for (int side = 0; there && side < 6; side++) {
        double normal[3] = {0, 0, 0};
        normal[side / 2] = (side & 1) != 0 ? 1 : -1;
        double dist =
            ((side & 1) != 0 ? maxs[side / 2] : -mins[side / 2]) + bspi_mover_reach(w->box, normal);
        there = bspi_polyhedron_cut(&w->carver->solid, normal, dist, 0, BSPI_TREE_EPSILON);
    }
    return there;
}

// --- verification --------------------------------------------------------------------------------

// Returns true if the candidate fills space that is open in hull 0, and grown stays inside this
// hull. Stores its box.
static bool is_proven(work *w, const candidate *from, bspi_clip_brush *brush) {
    if (from->count == 0 || !carve_candidate(w, from, false) ||
        bspi_polyhedron_volume(&w->carver->solid) < LEAST_VOLUME) {
        return false;
    }
    bspi_polyhedron_extent(&w->carver->solid, brush->mins, brush->maxs);
    return !bspi_tree_walk(w->open, w->carver, is_sliver, w) && carve_candidate(w, from, true) &&
           cut_by_box(w, brush->mins, brush->maxs) &&
           bspi_tree_walk(&w->outside, w->carver, is_sliver, w);
}

// --- brushes ------------------------------------------------------------------------------------

static bool keep(work *w, const candidate *from, bspi_clip_brush *brush) {
    bspi_clipper *c = w->clipper;
    bspi_heap *heap = w->carver->flats.heap;
    brush->first = c->num_planes;
    brush->count = from->count;
    for (uint32_t i = 0; i < from->count; i++) {
        bspi_clip_plane *planes = bspi_grow(heap, c->planes, c->num_planes, &c->room_planes,
                                            sizeof *planes, w->carver->error);
        if (planes == NULL) {
            return false;
        }
        c->planes = planes;
        planes[c->num_planes++] = from->planes[i];
    }
    bspi_clip_brush *brushes = bspi_grow(heap, c->brushes, c->num_brushes, &c->room_brushes,
                                         sizeof *brushes, w->carver->error);
    if (brushes == NULL) {
        return false;
    }
    c->brushes = brushes;
    brushes[c->num_brushes++] = *brush;
    return true;
}

static bool is_same(const candidate *a, const candidate *b) {
    return a->count == b->count && memcmp(a->planes, b->planes, a->count * sizeof *a->planes) == 0;
}

// Finds and keeps the brush that made a volume; `*found` is whether there is one.
static bool brush_of_region(work *w, const bspi_region *region, bool *found) {
    candidate tried[BY_SIDE - TO_SURFACE + 1];
    bool good = true;
    *found = false;
    for (int how = TO_SURFACE; good && !*found && how <= BY_SIDE; how++) {
        candidate *made = &tried[how - TO_SURFACE];
        bspi_clip_brush brush;
        if (!bspi_carve(w->carver, region->tags, region->num_tags, BSP_NONE)) {
            break;
        }
        if (how == BY_SIDE) {
            move_by_side(w, region, made);
        } else {
            move_back(w, (ending)how, made);
        }
        bool known = false; // not to be proven
        for (const candidate *other = tried; other < made; other++) {
            known = known || is_same(other, made);
        }
        *found = !known && is_proven(w, made, &brush);
        if (*found && w->hull == 1) {
            good = keep(w, made, &brush);
        }
    }
    return good;
}

// Makes a brush of one unexplained volume: grown as far as possible, or else of the cell alone.
static bool make_brush(work *w, uint32_t cell) {
    bspi_region alone;
    bool found = false;
    if (!bspi_region_of_cell(&w->tree, cell, &alone)) {
        return true;
    }
    bspi_region region = alone;
    (void)bspi_region_grow(&w->merger, &region);
    bool good = brush_of_region(w, &region, &found);
    bool grew = region.num_tags != alone.num_tags ||
                memcmp(region.tags, alone.tags, alone.num_tags * sizeof *alone.tags) != 0;
    if (good && !found && grew) { // else it was tried
        region = alone;
        good = brush_of_region(w, &region, &found);
    }
    w->clipper->unexplained += found && w->hull != 1;
    bspi_cell_set_done(&w->tree.cells[cell], true);
    return good && (!found || !bspi_carve(w->carver, region.tags, region.num_tags, BSP_NONE) ||
                    bspi_region_done(&w->merger, &region));
}

// Makes brushes of the remaining cells, the largest first.
static bool make_brushes(work *w) {
    uint32_t count;
    bspi_ranked_cell *list = bspi_rank_cells(&w->tree, w->carver, &count);
    bool good = list != NULL;
    for (uint32_t i = 0; good && i < count && may_go_on(w); i++) {
        if (!bspi_cell_is_done(&w->tree.cells[list[i].cell])) {
            good = make_brush(w, list[i].cell) && !w->carver->starved;
        }
    }
    bspi_heap_free(w->carver->flats.heap, list, w->tree.num_cells * sizeof *list);
    return good;
}

static bool is_wall(int32_t contents) {
    return contents == BSPI_TREE_SOLID || contents == BSPI_TREE_SKY || contents == 0;
}

static bool is_solid(int32_t contents) {
    return contents == BSPI_TREE_SOLID || contents == 0;
}

static bool take_tree(work *w) {
    const bspi_clipper *c = w->clipper;
    bspi_tree none = {0};
    bspi_tree *made = c->hulls != NULL ? &c->hulls[w->hull] : &none;
    return bspi_tree_take(&w->tree, made, w->carver, c->map, c->model, w->hull);
}

// Marks the cells that are explained, or for which the limit of work was reached.
static bool find_unexplained(work *w) {
    bspi_clipper *c = w->clipper;
    bspi_explainer e;
    bool good = bspi_explainer_begin(&e, c, w->carver, w->box, w->open, &w->tree);
    if (good && c->helpers != NULL && w->hull == 1) {
        bspi_explain_helped(&e, c->helpers);
    } else if (good) {
        bspi_explain_cells(&e, 0, w->tree.num_cells);
    }
    bspi_explainer_end(&e);
    return good;
}

static bool clip_hull(bspi_clipper *clipper, const bspi_tree *open, uint32_t hull) {
    bspi_carver *carver = clipper->carver;
    work w = {.clipper = clipper, .carver = carver, .hull = hull, .open = open};
    w.box = &clipper->map->traits->hulls[hull];
    bool good = take_tree(&w);
    good = good && bspi_tree_view(&w.outside, &w.tree, carver, is_solid);
    w.merger = (bspi_merger){.carver = carver, .tree = &w.tree, .overlaps = true};
    good = good && find_unexplained(&w) && make_brushes(&w) && may_go_on(&w);
    clipper->unfinished = clipper->unfinished || w.tree.cut;
    bspi_tree_view_end(&w.outside, carver);
    bspi_tree_free(&w.tree, carver);
    return good;
}

// Gives the box of the model, with room for the mover around it.
static void widen_box(bspi_clipper *clipper) {
    bspi_carver *carver = clipper->carver;
    const bsp_traits *traits = clipper->map->traits;
    double mins[3];
    double maxs[3];
    for (int a = 0; a < 3; a++) {
        double most = 0;
        for (uint32_t h = 1; h < traits->num_hulls; h++) {
            most = fmax(most,
                        fmax((double)traits->hulls[h].maxs[a], -(double)traits->hulls[h].mins[a]));
        }
        mins[a] = carver->mins[a] - most;
        maxs[a] = carver->maxs[a] + most;
    }
    bspi_carver_box(carver, mins, maxs);
}

// Between the nodes that are left for brushes and those that are left for counts.
static void swap_nodes_left(bspi_carver *carver) {
    uint32_t left = carver->nodes_left;
    carver->nodes_left = carver->counted_left;
    carver->counted_left = left;
}

bool bspi_clip(bspi_clipper *clipper) {
    const bsp_traits *traits = clipper->map->traits;
    if (clipper->model != 0) {
        widen_box(clipper);
    }
    bspi_tree open;
    bool good = bspi_tree_view(&open, clipper->space, clipper->carver, is_wall);
    good = good && (traits->num_hulls < 2 || clip_hull(clipper, &open, 1));
    swap_nodes_left(clipper->carver);
    for (uint32_t hull = 2; good && clipper->counts && hull < traits->num_hulls; hull++) {
        good = clip_hull(clipper, &open, hull);
    }
    swap_nodes_left(clipper->carver);
    bspi_tree_view_end(&open, clipper->carver);
    return good;
}

static bool emit(const bspi_clipper *c, const bspi_clip_brush *brush, bspi_tree_emitter *emitter) {
    bspi_carver *carver = emitter->carver;
    uint32_t tags[BSPI_REGION_SIDES];
    for (uint32_t i = 0; i < brush->count; i++) {
        const bspi_clip_plane *from = &c->planes[brush->first + i];
        uint32_t plane = bspi_add_flat(carver, from->normal, from->dist);
        if (plane == BSP_NONE) {
            return false;
        }
        tags[i] = 2 * plane;
    }
    return !bspi_carve(carver, tags, brush->count, BSP_NONE) ||
           bspi_tree_emit(emitter, BSPI_TREE_CLIP);
}

bool bspi_clip_emit(const bspi_clipper *clipper, bspi_tree_emitter *emitter) {
    bool good = true;
    for (uint32_t i = 0; good && i < clipper->num_brushes; i++) {
        good = emit(clipper, &clipper->brushes[i], emitter) && !emitter->carver->starved;
    }
    return good;
}

void bspi_clip_end(bspi_clipper *clipper) {
    bspi_heap *heap = clipper->carver->flats.heap;
    bspi_heap_free(heap, clipper->planes, clipper->room_planes * sizeof *clipper->planes);
    bspi_heap_free(heap, clipper->brushes, clipper->room_brushes * sizeof *clipper->brushes);
}
