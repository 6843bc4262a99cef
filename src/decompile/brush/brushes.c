// SPDX-License-Identifier: MIT
// Converts brushes of the map to brushes of the document. The world's are prepared by threads, in
// runs: hulls, sides and the faces on them; what follows changes the document, and is done in order
// by the caller's thread.
#include "core/workers.h"
#include "decompile/brush/sides.h"
#include "decompile/brush/written.h"
#include "mesh/brush_run.h"

#define BRUSHES 128u // of a run: hulls of all brushes together are a third of the document's size
#define MOST_RUNS 4u // that are prepared at the same time
#define MAKERS 3u    // threads: preparing takes three times as long as the rest
#define MOST_HITS 8192u // of a run: what a damaged map has more is searched later
#define SPARE 16u       // one side in so many more than the first hulls let expect
#define FEW_SIDES 64u   // the cutter has room for as many: 70 KB

static const char *const states[] = {
    [BSP_BRUSH_EMPTY] = "its sides enclose nothing",
    [BSP_BRUSH_OPEN] = "its sides do not close it",
    [BSP_BRUSH_DAMAGED] = "too many sides, or planes that are none",
};

// The polygon of a side, in the space of its model.
static bspi_polygon polygon_of(const bspi_work *w, const bspi_shaper *shaper, uint32_t brush,
                               const bsp_brush_polygon *from, double (*points)[3]) {
    bspi_polygon polygon = {.model = w->brush_model[brush],
                            .points = (const double(*)[3])points,
                            .count = bspi_shaper_points(shaper, from, NULL, points)};
    bspi_shaper_plane(shaper, from->side, polygon.normal, &polygon.dist);
    return polygon;
}

// What is known of a brush: its sides as they are written, and the faces on them.
typedef struct known {
    const bspi_shaper *shaper;
    const bspi_written_side *sides;
    const bspi_face_hit *hits; // to which the sides refer
} known;

static bool emit_side(bspi_work *w, const known *k, uint32_t brush, uint32_t polygon,
                      const double origin[3]) {
    const bspi_written_side *from = &k->sides[polygon];
    const bsp_brush_hull *hull = bspi_shaper_hull(k->shaper, brush);
    const bsp_brush_polygon *shape = &k->shaper->hulls->polygons[hull->first_polygon + polygon];
    double points[BSPI_POLYGON_CORNERS][3];
    bspi_polygon outline = polygon_of(w, k->shaper, brush, shape, points);
    const bspi_face_hit *hits;
    uint32_t count = from->num_hits;
    if (from->first_hit == BSP_NONE) {
        count = bspi_face_hits(w, &outline, &hits);
    } else {
        hits = count != 0 ? k->hits + from->first_hit : NULL;
    }
    bspi_look look;
    if (!bspi_look_of(w, brush, shape->side, &outline, hits, count, w->out.sides.count, &look)) {
        return false;
    }
    look.material = bspi_written_material(w, &look);
    bsp_mapdoc_side *side = look.material.data != NULL ? bspi_build_side(&w->out) : NULL;
    if (side == NULL) {
        return false;
    }
    bspi_side_set_plane(side, &from->plane);
    bspi_side_look(side, &look, origin);
    w->report->sides++;
    w->report->sides_faced += look.source == BSPI_LOOK_FACE;
    w->report->sides_kept += look.source == BSPI_LOOK_SIDE;
    w->report->sides_guessed += look.source == BSPI_LOOK_GUESS;
    return true;
}

// Adds the sides of a brush. The order of the file: a cut keeps the order of the polygons and
// appends its own.
static bool emit_sides(bspi_work *w, const known *k, uint32_t brush, const double origin[3]) {
    uint32_t count = bspi_shaper_hull(k->shaper, brush)->num_polygons;
    uint32_t first = bspi_shaper_first(k->shaper, brush);
    uint32_t spare = 0;
    if (k->sides[first].bounds && !emit_side(w, k, brush, first, origin)) {
        return false;
    }
    for (uint32_t p = 0; p < count; p++) {
        spare += k->sides[p].bounds ? 0 : 1;
        if (p != first && k->sides[p].bounds && !emit_side(w, k, brush, p, origin)) {
            return false;
        }
    }
    w->report->bevels += w->map->brushes[brush].num_sides - count + spare;
    return true;
}

// Converts a brush. `k` has its sides, or scratch for them if none is `ready`.
static bool emit_known(bspi_work *w, const known *k, bool ready, uint32_t brush, uint32_t entity,
                       const double origin[3], uint32_t visgroup) {
    const bsp_brush *from = &w->map->brushes[brush];
    const bsp_brush_hull *hull = bspi_shaper_hull(k->shaper, brush);
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
    if (!ready) {
        bspi_shaper_write(k->shaper, brush, origin, w->written);
    }
    if (!emit_sides(w, k, brush, origin)) {
        return false;
    }
    if (w->brush_out[brush] == BSP_NONE) {
        w->brush_out[brush] = number;
    }
    w->report->brushes_out++;
    return true;
}

bool bspi_emit_brush(bspi_work *w, uint32_t brush, uint32_t entity, const double origin[3],
                     uint32_t visgroup) {
    bspi_shaper shaper = {w->map, w->hulls, 0, w->cutter};
    known k = {&shaper, w->written, NULL};
    return emit_known(w, &k, false, brush, entity, origin, visgroup);
}

// --- hulls --------------------------------------------------------------------------------------

static bsp_brush_mesh_options options_of(const bspi_work *w, uint32_t first, uint32_t count) {
    return (bsp_brush_mesh_options){.without_bevels = true,
                                    .first_brush = first,
                                    .num_brushes = count,
                                    .allocator = w->options->allocator,
                                    .budget = w->heap.budget};
}

// Makes the hulls of some brushes, instead of those that were there.
static bool make_hulls(bspi_work *w, uint32_t first, uint32_t count) {
    bsp_brush_mesh_options options = options_of(w, first, count);
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

// Makes the hulls of all brushes but the world's, which entities may show in any order.
static bool reach_models(bspi_work *w) {
    uint32_t first = BSP_NONE;
    uint32_t end = 0;
    for (uint32_t i = w->model_first[1]; i < w->map->num_brushes; i++) {
        uint32_t brush = w->model_brushes[i];
        first = brush < first ? brush : first;
        end = brush >= end ? brush + 1 : end;
    }
    return first >= end || (w->hulls != NULL && first >= w->first_hull && end <= w->end_hull) ||
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
    bool all = w->method->needs_hulls || brushes <= BRUSHES;
    w->written = bspi_arena_raw(&w->arena, BSPI_MAX_SIDES, sizeof *w->written, w->error);
    w->cutter = bspi_arena_raw(&w->arena, 1, sizeof *w->cutter, w->error);
    if (w->written == NULL || w->cutter == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < BSPI_MAX_SIDES; i++) {
        w->written[i].first_hit = BSP_NONE;
        w->written[i].num_hits = 0;
    }
    return bspi_polyhedron_init(w->cutter, most_sides(w->map), &w->arena, w->error) &&
           make_hulls(w, 0, all ? brushes : BRUSHES) && reserve_sides(w);
}

// --- the world ----------------------------------------------------------------------------------

// What is prepared of a run.
typedef struct run {
    uint32_t first; // brush
    uint32_t end;
    bsp_brush_mesh *own; // hulls, or NULL: those of all brushes
    bspi_shaper shaper;
    bspi_polyhedron cutter;
    bspi_written_side *sides; // for each polygon of the hulls of the run's brushes
    uint32_t first_polygon;
    uint32_t num_sides;
    bspi_meter meter;
    bspi_face_search search;
    bool failed;
    bsp_error error;
} run;

typedef struct world {
    bspi_work *w;
    const bsp_brush_mesh *all; // hulls of all brushes, or NULL: each run makes its own
    uint32_t next;             // brush of the list that is emitted next
    run runs[MOST_RUNS];
} world;

// The few brushes with many sides are left to the caller's thread, which has a large cutter.
static bool is_prepared(const bspi_work *w, const bspi_shaper *shaper, uint32_t brush) {
    const bsp_brush_hull *hull = bspi_shaper_hull(shaper, brush);
    return w->brush_model[brush] == 0 && hull->state == BSP_BRUSH_CLOSED &&
           hull->num_polygons <= FEW_SIDES;
}

// Makes room for the sides of a run, whose polygons stand in a row.
static bool begin_sides(const bspi_work *w, run *r) {
    uint32_t end = 0;
    r->first_polygon = BSP_NONE;
    for (uint32_t i = r->first; i < r->end; i++) {
        const bsp_brush_hull *hull = bspi_shaper_hull(&r->shaper, i);
        if (is_prepared(w, &r->shaper, i)) {
            uint32_t first = hull->first_polygon;
            r->first_polygon = first < r->first_polygon ? first : r->first_polygon;
            end = first + hull->num_polygons > end ? first + hull->num_polygons : end;
        }
    }
    r->num_sides = end > r->first_polygon ? end - r->first_polygon : 0;
    r->sides = bspi_heap_alloc(r->search.heap, r->num_sides * sizeof *r->sides, &r->error);
    return r->sides != NULL;
}

static void search_faces(const bspi_work *w, run *r, uint32_t brush, bspi_written_side *sides) {
    const bsp_brush_mesh *hulls = r->shaper.hulls;
    const bsp_brush_hull *hull = bspi_shaper_hull(&r->shaper, brush);
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        double points[BSPI_POLYGON_CORNERS][3];
        sides[p].first_hit = BSP_NONE;
        sides[p].num_hits = 0;
        if (sides[p].bounds && r->search.count < MOST_HITS) {
            bspi_polygon polygon =
                polygon_of(w, &r->shaper, brush, &hulls->polygons[hull->first_polygon + p], points);
            sides[p].first_hit = r->search.count;
            sides[p].num_hits = bspi_face_search_add(&r->search, &polygon);
        }
    }
}

static bool has_world(const bspi_work *w, const run *r) {
    uint32_t brush = r->first;
    while (brush < r->end && w->brush_model[brush] != 0) {
        brush++;
    }
    return brush < r->end;
}

static bool prepare(const world *all, run *r) {
    const bspi_work *w = all->w;
    if (!has_world(w, r)) {
        return true;
    }
    r->shaper.hulls = all->all;
    r->shaper.first_hull = 0;
    if (all->all == NULL) {
        bsp_brush_mesh_options options = options_of(w, r->first, r->end - r->first);
        r->own = bspi_brush_mesh_run(w->map, &options, &r->error);
        r->shaper.hulls = r->own;
        r->shaper.first_hull = r->first;
    }
    if (r->shaper.hulls == NULL || !begin_sides(w, r)) {
        return false;
    }
    for (uint32_t i = r->first; i < r->end && !r->search.failed; i++) {
        if (is_prepared(w, &r->shaper, i)) {
            bspi_written_side *sides =
                r->sides + (bspi_shaper_hull(&r->shaper, i)->first_polygon - r->first_polygon);
            bspi_shaper_write(&r->shaper, i, NULL, sides);
            search_faces(w, r, i, sides);
        }
    }
    return bspi_meter_pay(&r->meter) && !r->search.failed;
}

static void make_run(void *user, uint32_t slot, uint32_t item) {
    world *all = user;
    run *r = &all->runs[slot];
    uint32_t brushes = all->w->map->num_brushes;
    r->first = item * BRUSHES;
    r->end = brushes - r->first < BRUSHES ? brushes : r->first + BRUSHES;
    r->own = NULL;
    r->sides = NULL;
    r->num_sides = 0;
    r->search.count = 0;
    r->failed = !prepare(all, r);
}

static bool emit_of_run(bspi_work *w, const run *r, uint32_t brush, uint32_t entity,
                        uint32_t visgroup) {
    bspi_shaper shaper = r->shaper;
    known k = {&shaper, w->written, r->search.hits};
    bool ready = is_prepared(w, &shaper, brush);
    shaper.cutter = w->cutter;
    if (ready) {
        k.sides = r->sides + (bspi_shaper_hull(&shaper, brush)->first_polygon - r->first_polygon);
    }
    return emit_known(w, &k, ready, brush, entity, NULL, visgroup);
}

static bool emit_run(world *all, const run *r) {
    bspi_work *w = all->w;
    for (; all->next < w->model_first[1]; all->next++) {
        uint32_t brush = w->model_brushes[all->next];
        uint32_t visgroup = BSP_NONE;
        uint32_t owner = 0;
        if (brush >= r->end) {
            break;
        }
        if (w->method->owner != NULL) {
            owner = w->method->owner(w, brush, &visgroup);
        }
        if (owner != BSP_NONE && !emit_of_run(w, r, brush, owner, visgroup)) {
            return false;
        }
    }
    return true;
}

static void free_run(run *r) {
    bspi_heap_free(r->search.heap, r->sides, r->num_sides * sizeof *r->sides);
    bsp_brush_mesh_free(r->own);
    r->sides = NULL;
    r->own = NULL;
}

static bool use_run(void *user, uint32_t slot, uint32_t item) {
    world *all = user;
    run *r = &all->runs[slot];
    (void)item;
    if (r->failed && all->w->error != NULL) {
        *all->w->error = r->error;
    }
    bool good = !r->failed && emit_run(all, r);
    free_run(r);
    return good;
}

static bool begin_run(bspi_work *w, run *r) {
    r->meter = (bspi_meter){.heap = &w->heap, .error = &r->error};
    r->search =
        (bspi_face_search){.work = w, .heap = &w->heap, .meter = &r->meter, .error = &r->error};
    r->shaper = (bspi_shaper){.map = w->map, .cutter = &r->cutter};
    return bspi_polyhedron_init(&r->cutter, FEW_SIDES, &w->arena, w->error);
}

static bool emit_world(bspi_work *w) {
    world all = {.w = w};
    uint32_t threads = bspi_heap_threads(&w->heap);
    threads = threads < MAKERS ? threads : MAKERS;
    uint32_t slots = threads == 1 ? 1 : threads + 1;
    uint32_t count = w->map->num_brushes;
    uint32_t last = w->model_first[1] != 0 ? w->model_brushes[w->model_first[1] - 1] + 1 : 0;
    bool good = true;
    if (w->first_hull == 0 && w->end_hull == count) {
        all.all = w->hulls;
    } else {
        bsp_brush_mesh_free(w->hulls); // of the first brushes
        w->hulls = NULL;
    }
    for (uint32_t i = 0; good && i < slots; i++) {
        good = begin_run(w, &all.runs[i]);
    }
    good = good && bspi_workers_pipe(threads, (last + BRUSHES - 1) / BRUSHES, slots, make_run,
                                     use_run, &all);
    for (uint32_t i = 0; i < slots; i++) {
        if (all.runs[i].search.heap != NULL) {
            free_run(&all.runs[i]);
            bspi_face_search_end(&all.runs[i].search);
        }
    }
    return good;
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
