// SPDX-License-Identifier: MIT
// Converts brushes of the map to brushes of the document. Sides without a polygon are bevels or
// duplicate planes, which only the compiler needs.
#include "decompile/brush/sides.h"
#include "core/vector.h"
#include "mesh/polyhedron.h"

#include <math.h>

// The most corners of a side; polygons with more lose those that hardly change the outline.
#define CORNERS BSPI_POLYGON_CORNERS
#define BOX_SIZE 262144.0 // half the edge of the box that brushes are cut from
// A point this deep behind a plane, in units, is inside after any number of cuts, each of which
// leaves all that is deeper than BSP_BRUSH_EPSILON; the more so where it may lie this far off the
// plane of its own polygon.
#define SURE_DEPTH (8 * BSP_BRUSH_EPSILON)
#define PLANE_SLACK (2 * BSP_BRUSH_EPSILON)

// Hulls of a map with more brushes are made in runs, each when it is needed: together they are a
// third of the document's size.
#define MANY_BRUSHES 4096u
#define HULLS_AT_ONCE 2048u
#define SPARE 16u     // one side in so many more than the first hulls let expect
#define FEW_SIDES 64u // the cutter has room for as many: 70 KB

// A side of a hull as it is written.
typedef struct bspi_written_side {
    bspi_written_plane plane;
    double middle[3]; // of its polygon
    bool bounds;      // it bounds the hull; what does not is left out
} bspi_written_side;

static const char *const states[] = {
    [BSP_BRUSH_EMPTY] = "its sides enclose nothing",
    [BSP_BRUSH_OPEN] = "its sides do not close it",
    [BSP_BRUSH_DAMAGED] = "too many sides, or planes that are none",
};

// Stores the polygon of a side, moved by `origin` (may be NULL), in `points`.
static uint32_t gather(const bspi_work *w, const bsp_brush_polygon *polygon, const double *origin,
                       double points[CORNERS][3]) {
    uint32_t count = polygon->num_indices < CORNERS ? polygon->num_indices : CORNERS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = w->hulls->indices[polygon->first_index + i];
        for (int a = 0; a < 3; a++) {
            points[i][a] = w->hulls->points[index].at[a] + (origin != NULL ? origin[a] : 0);
        }
    }
    return count;
}

static void plane_of_side(const bsp_map *map, uint32_t side, double normal[3], double *dist) {
    const bsp_plane *plane = &map->planes[map->brush_sides[side].plane];
    double length = 0;
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)plane->normal[i];
        length += normal[i] * normal[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
    }
    *dist = (double)plane->dist / length;
}

// Computes the plane and the points of a side as they are written, moved by `origin` (may be NULL),
// and the mean of its corners.
static void write_side(const bspi_work *w, const bsp_brush_polygon *from, const double *origin,
                       bspi_written_side *side) {
    double points[CORNERS][3];
    double normal[3];
    double dist;
    uint32_t count = gather(w, from, origin, points);
    plane_of_side(w->map, from->side, normal, &dist);
    for (int a = 0; origin != NULL && a < 3; a++) {
        dist += normal[a] * origin[a];
    }
    bspi_write_plane(&side->plane, normal, dist, (const double(*)[3])points, count);
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            sum += points[i][a];
        }
        side->middle[a] = sum / count;
    }
}

// Returns true if each side bounds the hull for certain: the middle of its polygon lies behind all
// other planes, deeper than cuts are inexact.
static bool all_bound(const bspi_written_side *sides, uint32_t count) {
    for (uint32_t p = 0; p < count; p++) {
        const bspi_written_plane *plane = &sides[p].plane;
        if (!(fabs(bspi_vec_dot(plane->normal, sides[p].middle) - plane->dist) <= PLANE_SLACK)) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            double off = bspi_vec_dot(plane->normal, sides[i].middle) - plane->dist;
            if (i != p && !(off <= -SURE_DEPTH)) {
                return false;
            }
        }
    }
    return true;
}

// Finds which polygons of a hull still bound it with the planes that are written: where three
// planes almost meet in a line, one may not. All do if nothing would be left.
static void find_bounds(bspi_work *w, const bsp_brush_hull *hull, uint32_t first,
                        const double *origin, bspi_written_side *sides) {
    bspi_polyhedron *solid = w->cutter;
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        write_side(w, &w->hulls->polygons[hull->first_polygon + p], origin, &sides[p]);
    }
    if (all_bound(sides, hull->num_polygons)) {
        for (uint32_t p = 0; p < hull->num_polygons; p++) {
            sides[p].bounds = true;
        }
        return;
    }
    bool whole = true;
    bspi_polyhedron_box(solid, BOX_SIZE);
    for (uint32_t i = 0; whole && i < hull->num_polygons; i++) { // in the order of writing
        uint32_t p = i == 0 ? first : i <= first ? i - 1 : i;
        const bspi_written_plane *plane = &sides[p].plane;
        whole = bspi_polyhedron_cut(solid, plane->normal, plane->dist, p, BSP_BRUSH_EPSILON);
    }
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        sides[p].bounds = !whole || solid->failed;
    }
    for (uint32_t i = 0; whole && i < solid->num_polygons; i++) {
        uint32_t tag = solid->polygons[i].tag;
        if (tag != BSP_NONE) {
            sides[tag].bounds = true;
        }
    }
}

static bool emit_side(bspi_work *w, uint32_t brush, const bsp_brush_polygon *from,
                      const bspi_written_plane *plane, const double origin[3]) {
    double points[CORNERS][3];
    bspi_polygon polygon = {.model = w->brush_model[brush],
                            .points = (const double(*)[3])points,
                            .count = gather(w, from, NULL, points)};
    plane_of_side(w->map, from->side, polygon.normal, &polygon.dist);
    bspi_look look;
    if (!bspi_look_of(w, brush, from->side, &polygon, w->out.sides.count, &look)) {
        return false;
    }
    look.material = bspi_written_material(w, &look);
    bsp_mapdoc_side *side = look.material.data != NULL ? bspi_build_side(&w->out) : NULL;
    if (side == NULL) {
        return false;
    }
    bspi_side_set_plane(side, plane);
    bspi_side_look(side, &look, origin);
    w->report->sides++;
    w->report->sides_faced += look.source == BSPI_LOOK_FACE;
    w->report->sides_kept += look.source == BSPI_LOOK_SIDE;
    w->report->sides_guessed += look.source == BSPI_LOOK_GUESS;
    return true;
}

// Returns the polygon that is written first. Quake 3's compiler takes the contents of a brush from
// its first side, and the order of sides is lost in the file, where the axial planes come first: a
// side with the brush's own shader is first, or one with its contents.
static uint32_t first_polygon(const bspi_work *w, uint32_t brush) {
    const bsp_map *map = w->map;
    const bsp_brush_hull *hull = &w->hulls->hulls[brush];
    uint32_t wanted = map->brushes[brush].material;
    uint32_t alike = 0;
    if (map->num_draw_verts == 0 || wanted == BSP_NONE) {
        return 0;
    }
    for (uint32_t p = hull->num_polygons; p-- > 0;) {
        uint32_t side = w->hulls->polygons[hull->first_polygon + p].side;
        uint32_t material = map->brush_sides[side].material;
        if (material == wanted) {
            return p;
        }
        if (material != BSP_NONE &&
            map->materials[material].contents == map->materials[wanted].contents) {
            alike = p;
        }
    }
    return alike;
}

bool bspi_emit_brush(bspi_work *w, uint32_t brush, uint32_t entity, const double origin[3],
                     uint32_t visgroup) {
    const bsp_brush *from = &w->map->brushes[brush];
    const bsp_brush_hull *hull = &w->hulls->hulls[brush];
    // Each side is cut by all others.
    if (!bspi_spend(w, 1 + (uint64_t)hull->num_polygons * hull->num_polygons) ||
        !bspi_progress_step(&w->progress, 1, w->error)) {
        return false;
    }
    if (bspi_is_left_out(&w->out, entity) || w->brush_model[brush] == BSP_NONE) {
        return true;
    }
    if (hull->state != BSP_BRUSH_CLOSED) {
        w->report->brushes_lost++;
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_BRUSH, BSP_ID_BRUSHES, brush, "%s (%u sides)",
                  states[hull->state], from->num_sides);
        return true;
    }
    uint32_t number = w->out.brushes.count;
    bsp_mapdoc_brush *made = bspi_build_brush(&w->out, entity);
    if (made == NULL) {
        return false;
    }
    made->visgroup = visgroup;
    // The order of the file: a cut keeps the order of the polygons and appends its own.
    const bsp_brush_polygon *polygons = &w->hulls->polygons[hull->first_polygon];
    uint32_t first = first_polygon(w, brush);
    uint32_t spare = 0;
    bspi_written_side *sides = w->written;
    find_bounds(w, hull, first, origin, sides);
    if (sides[first].bounds &&
        !emit_side(w, brush, &polygons[first], &sides[first].plane, origin)) {
        return false;
    }
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        spare += sides[p].bounds ? 0 : 1;
        if (p != first && sides[p].bounds &&
            !emit_side(w, brush, &polygons[p], &sides[p].plane, origin)) {
            return false;
        }
    }
    if (w->brush_out[brush] == BSP_NONE) {
        w->brush_out[brush] = number;
    }
    w->report->brushes_out++;
    w->report->bevels += from->num_sides - hull->num_polygons + spare;
    return true;
}

// --- hulls --------------------------------------------------------------------------------------

// Makes the hulls of a run of brushes, instead of those that were there.
static bool make_hulls(bspi_work *w, uint32_t first, uint32_t count) {
    bsp_brush_mesh_options options = {.without_bevels = true,
                                      .first_brush = first,
                                      .num_brushes = count,
                                      .allocator = w->options->allocator,
                                      .budget = w->heap.budget};
    bsp_brush_mesh_free(w->hulls);
    w->hulls = bsp_brush_mesh_build(w->map, &options, w->error);
    w->first_hull = first;
    w->end_hull = first + count;
    return w->hulls != NULL;
}

// Makes room for all sides, from how many the first hulls have: one large list is not moved.
static bool reserve_sides(bspi_work *w) {
    uint64_t brushes = w->map->num_brushes;
    uint64_t sides = w->hulls->num_polygons * brushes / (w->end_hull - w->first_hull);
    return bspi_builder_reserve(&w->out, (uint32_t)brushes, (uint32_t)(sides + sides / SPARE));
}

// Makes the next run of hulls when the world, whose brushes are in order, comes to it.
static bool reach_hull(bspi_work *w, uint32_t brush) {
    uint32_t left = w->map->num_brushes - brush;
    return (brush >= w->first_hull && brush < w->end_hull) ||
           make_hulls(w, brush, left < HULLS_AT_ONCE ? left : HULLS_AT_ONCE);
}

// Makes the hulls of all brushes but the world's, which entities may show in any order.
static bool reach_models(bspi_work *w) {
    uint32_t first = BSP_NONE;
    uint32_t end = 0;
    for (uint32_t i = w->model_first[1]; i < w->map->num_brushes; i++) {
        uint32_t brush = w->model_brushes[i];
        first = brush < first ? brush : first;
        end = brush >= end ? brush + 1 : end;
    }
    return first >= end || (first >= w->first_hull && end <= w->end_hull) ||
           make_hulls(w, first, end - first);
}

// Returns the most sides that a brush of the map has, at least FEW_SIDES.
static uint32_t most_sides(const bsp_map *map) {
    uint32_t most = FEW_SIDES;
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        uint32_t sides = map->brushes[i].num_sides;
        most = sides > most ? sides : most;
    }
    return most < BSPI_MAX_SIDES ? most : BSPI_MAX_SIDES;
}

bool bspi_brushes_begin(bspi_work *w) {
    uint32_t brushes = w->map->num_brushes;
    bool all = w->method->needs_hulls || brushes <= MANY_BRUSHES;
    w->written = bspi_arena_raw(&w->arena, BSPI_MAX_SIDES, sizeof *w->written, w->error);
    w->cutter = bspi_arena_raw(&w->arena, 1, sizeof *w->cutter, w->error);
    return w->written != NULL && w->cutter != NULL &&
           bspi_polyhedron_init(w->cutter, most_sides(w->map), &w->arena, w->error) &&
           make_hulls(w, 0, all ? brushes : HULLS_AT_ONCE) && reserve_sides(w);
}

// --- models -------------------------------------------------------------------------------------

bool bspi_sort_brushes(bspi_work *w) {
    const bsp_map *map = w->map;
    uint32_t models = map->num_models;
    w->model_first = bspi_arena_zero(&w->arena, (size_t)models + 3, sizeof(uint32_t), w->error);
    w->model_brushes = bspi_arena_raw(&w->arena, map->num_brushes, sizeof(uint32_t), w->error);
    if (w->model_first == NULL || w->model_brushes == NULL) {
        return false;
    }
    uint32_t *next =
        w->model_first + 1; // counts are stored one further on, and filling moves them back
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        next[w->brush_model[i] + 1]++;
    }
    for (uint32_t m = 0; m < models; m++) {
        next[m + 1] += next[m];
    }
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        w->model_brushes[next[w->brush_model[i]]++] = i;
    }
    return true;
}

static bool emit_world(bspi_work *w) {
    for (uint32_t i = 0; i < w->model_first[1]; i++) {
        uint32_t brush = w->model_brushes[i];
        uint32_t visgroup = BSP_NONE;
        uint32_t home = 0;
        if (w->method->home != NULL) {
            home = w->method->home(w, brush, &visgroup);
        }
        if (home != BSP_NONE &&
            (!reach_hull(w, brush) || !bspi_emit_brush(w, brush, home, NULL, visgroup))) {
            return false;
        }
    }
    return true;
}

static bool emit_model(bspi_work *w, uint32_t model, uint32_t entity, const double origin[3]) {
    for (uint32_t i = w->model_first[model]; i < w->model_first[model + 1]; i++) {
        if (!bspi_emit_brush(w, w->model_brushes[i], entity, origin, BSP_NONE)) {
            return false;
        }
    }
    return true;
}

static void say_unshown(bspi_work *w) {
    for (uint32_t m = 1; m < w->map->num_models; m++) {
        uint32_t count = w->model_first[m + 1] - w->model_first[m];
        if (w->model_entity[m] == BSP_NONE && count != 0) {
            w->report->brushes_lost += count;
            bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_MODELS, m,
                      "no entity shows this model: its %u brushes are left out", count);
        }
    }
}

bool bspi_for_models(bspi_work *w, bspi_model_emitter *emit) {
    const bsp_map *map = w->map;
    uint32_t count = map->entities != NULL ? map->entities->count : 0;
    for (uint32_t e = 0; e < count; e++) {
        uint32_t model = bsp_entity_model(map, &map->entities->list[e]);
        double origin[3];
        if (model == BSP_NONE || model == 0 || w->entity_of[e] == BSP_NONE) {
            continue;
        }
        // Any number of entities may show one model.
        if (!bspi_spend(w, (uint64_t)w->model_first[model + 1] - w->model_first[model] +
                               map->models[model].num_faces)) {
            return false;
        }
        bool moved = bspi_entity_origin(&map->entities->list[e], origin);
        if (!emit(w, model, w->entity_of[e], moved ? origin : NULL)) {
            return false;
        }
    }
    return true;
}

bool bspi_emit_models(bspi_work *w) {
    if (w->map->num_brushes == 0 || w->map->num_models == 0) {
        return true;
    }
    if (!emit_world(w) || !reach_models(w) || !bspi_for_models(w, emit_model)) {
        return false;
    }
    say_unshown(w);
    return true;
}
