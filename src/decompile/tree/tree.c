// SPDX-License-Identifier: MIT
// Quake, Hexen II, GoldSrc: no brushes are stored, so they are made from the tree. Assumes a loaded
// map.
#include "core/text.h"
#include "core/workers.h"
#include "decompile/tree/clip.h"
#include "decompile/tree/emit.h"
#include "decompile/tree/flood.h"
#include "decompile/tree/list.h"
#include "decompile/tree/lone_faces.h"
#include "decompile/tree/merge.h"
#include "decompile/tree/void.h"

#include <math.h>
#include <stdio.h>

// Units by which the box of the world is larger than its contents; its sides lie on this grid.
#define WORLD_MARGIN 32.0
#define WORLD_GRID 16.0
#define MODEL_MARGIN 2.0
#define MOST_PLACES 64u // that are kept from being filled
#define LEAST_NODES                                                                                \
    128u                // of a world that two threads decompile: a smaller one takes no millisecond
#define ORIGIN_SIZE 8.0 // half the size of an origin brush

// --- entities -----------------------------------------------------------------------------------

// Brushes stand where the model is shown, so an origin becomes a brush.
static bool is_of_model(bspi_work *w, const bsp_pair *pair) {
    (void)w;
    return (bspi_text_is(pair->key, "model") && pair->value.size != 0 &&
            pair->value.data[0] == '*') ||
           bspi_text_is(pair->key, "origin");
}

static bool copy_entities(bspi_work *w) {
    uint32_t count = w->map->entities != NULL ? w->map->entities->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = bsp_entity_model(w->map, &w->map->entities->list[i]);
        bool brushes = i != 0 && model != BSP_NONE && w->model_entity[model] == i;
        if ((i == 0 || bspi_wanted(w, i)) &&
            bspi_copy_entity(w, i, brushes ? is_of_model : NULL) == BSP_NONE) {
            return false;
        }
    }
    return count != 0 || bspi_new_entity(w, "worldspawn") != BSP_NONE;
}

// --- one model ----------------------------------------------------------------------------------

typedef struct maker {
    bspi_work *work;
    bspi_carver carver;
    bspi_carver *other; // of a second thread that works at the world, or NULL
    bspi_tree_faces faces;
    bspi_tree_emitter emitter;
    bspi_tree tree;
    bspi_brush_list list;
    bool listed;      // the model's brushes come from the list
    bspi_void beyond; // what was found of the world's void, and trees of its hulls
} maker;

static bool any_but_empty(const bspi_merger *merger, int32_t contents) {
    (void)merger;
    return contents < BSPI_TREE_EMPTY;
}

static bool emit_region(void *user, const bspi_region *region) {
    maker *m = user;
    return bspi_tree_emit(&m->emitter, region->contents);
}

static void set_box(maker *m, uint32_t model) {
    const bsp_model *from = &m->work->map->models[model];
    double most = 2 * (double)m->work->map->traits->max_coord;
    double margin = model == 0 ? WORLD_MARGIN : MODEL_MARGIN;
    double mins[3];
    double maxs[3];
    for (int a = 0; a < 3; a++) {
        bool sound = isfinite(from->mins[a]) && isfinite(from->maxs[a]) &&
                     (double)from->mins[a] > -most * 8 && (double)from->maxs[a] < most * 8 &&
                     from->mins[a] < from->maxs[a];
        mins[a] = sound ? floor(((double)from->mins[a] - margin) / WORLD_GRID) * WORLD_GRID : -most;
        maxs[a] = sound ? ceil(((double)from->maxs[a] + margin) / WORLD_GRID) * WORLD_GRID : most;
    }
    bspi_carver_box(&m->carver, mins, maxs);
}

// Reports a search that reached its limit.
static void say_unfinished(maker *m, uint32_t model, bool unfinished, const char *what) {
    if (unfinished) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_UNFINISHED, BSP_ID_MODELS, model, "%s", what);
    }
}

static bool merge_tree(maker *m) {
    bspi_work *w = m->work;
    bspi_merger merger = {.carver = &m->carver,
                          .tree = &m->tree,
                          .faces = &m->faces,
                          .apart = w->options->no_merge,
                          .wanted = any_but_empty,
                          .emit = emit_region,
                          .user = m};
    for (uint32_t i = 0; i < m->tree.num_cells; i++) {
        w->report->brushes_in += m->tree.cells[i].contents < BSPI_TREE_EMPTY;
    }
    bool good = bspi_merge(&merger);
    w->report->brushes_lost += merger.lost;
    return good;
}

// Trees of hulls of the world, which two threads build.
typedef struct hull_list {
    maker *maker;
    uint32_t hulls[BSP_MAX_HULLS];
    uint32_t count;
} hull_list;

static bool build_tree(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const hull_list *list = user;
    maker *m = list->maker;
    bspi_carver *carver = worker == 0 ? &m->carver : m->other;
    bspi_tree *tree = &m->beyond.hulls[list->hulls[item]];
    uint32_t nodes_left = carver->nodes_left;
    (void)error;
    if (!bspi_tree_build(tree, carver, m->work->map, 0, list->hulls[item])) {
        bspi_tree_free(tree, carver);
    }
    carver->nodes_left = nodes_left; // taking the tree counts
    return true;
}

// Hulls from 2 on tell only what is missing, and whether the void is open to their movers.
static bool is_counted(const maker *m) {
    return m->work->options->issues != NULL;
}

// Builds the trees that are needed whatever is in them.
static void build_first_trees(maker *m) {
    hull_list list = {.maker = m};
    uint32_t hulls = m->work->map->traits->num_hulls;
    list.count = is_counted(m) || hulls < 2 ? hulls : 2;
    for (uint32_t i = 0; i < list.count; i++) {
        list.hulls[i] = i;
    }
    (void)bspi_workers_each(2, list.count, build_tree, &list, NULL);
}

// Builds the trees of hulls with an open void that are not built yet.
static void build_open_trees(maker *m) {
    hull_list list = {.maker = m};
    for (uint32_t i = 1; m->other != NULL && i < m->work->map->traits->num_hulls; i++) {
        if (m->beyond.open[i] && m->beyond.hulls[i].num_cells == 0) {
            list.hulls[list.count++] = i;
        }
    }
    (void)bspi_workers_each(2, list.count, build_tree, &list, NULL);
}

// Leaves out the void outside of the world, where brushes would stop movers.
static bool leave_void_out(maker *m) {
    const bspi_void *found = &m->beyond;
    bool open = bspi_void_look(&m->tree, &m->carver, m->work->map, &m->beyond);
    build_open_trees(m);
    bool good = bspi_find_void(&m->tree, &m->carver, m->work->map, &m->beyond);
    say_unfinished(m, 0, found->unfinished, "the void beyond the sky was not all found");
    if (open) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_MODELS, 0,
                  "movers pass the sky: the compiler that made the map did not clip skies, and "
                  "only without clipped skies the hulls become the same again");
    }
    return good;
}

// Builds the tree of a model, and finds out whether its brushes are listed.
static bool build(maker *m, uint32_t model) {
    set_box(m, model);
    bspi_tree_faces_model(&m->faces, model);
    m->emitter.model = model;
    bspi_tree none = {0};
    bspi_tree *made = model == 0 ? &m->beyond.hulls[0] : &none;
    if (!bspi_tree_take(&m->tree, made, &m->carver, m->work->map, model, 0)) {
        return false;
    }
    say_unfinished(m, model, m->tree.cut, "its tree shares branches without end: some are missing");
    m->listed = bspi_brush_list_fits(&m->list, model, &m->carver, &m->tree);
    if (m->carver.starved) {
        return false;
    }
    set_box(m, model);
    return m->listed || model != 0 || leave_void_out(m);
}

static bool fill_solids(maker *m, uint32_t model) {
    if (!m->listed) {
        return merge_tree(m);
    }
    bool good = bspi_brush_list_emit(&m->list, &m->emitter);
    set_box(m, model);
    return good;
}

static bspi_clipper clipper_of(maker *m, uint32_t model) {
    return (bspi_clipper){.map = m->work->map,
                          .carver = &m->carver,
                          .space = &m->tree,
                          .hulls = model == 0 ? m->beyond.hulls : NULL,
                          .model = model,
                          .counts = is_counted(m)};
}

// Writes what was found.
static bool emit_clips(maker *m, const bspi_clipper *clipper) {
    bspi_tree_emitter emitter = m->emitter;
    emitter.faces = NULL;
    emitter.plain = bsp_text_of("clip");
    bool good = bspi_clip_emit(clipper, &emitter);
    say_unfinished(m, clipper->model, clipper->unfinished, "clip brushes were not all found");
    if (clipper->unexplained != 0) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_MODELS, clipper->model,
                  "%u volumes of larger or smaller movers' hulls come from no brush that is known",
                  clipper->unexplained);
    }
    return good;
}

static bool clip_model(maker *m, uint32_t model) {
    if (m->listed) {
        return true; // clip brushes are in the list
    }
    bspi_clipper clipper = clipper_of(m, model);
    bool good = bspi_clip(&clipper) && emit_clips(m, &clipper);
    bspi_clip_end(&clipper);
    return good;
}

static bool make_model(maker *m, uint32_t model) {
    bool good = build(m, model) && fill_solids(m, model) && clip_model(m, model);
    bspi_tree_free(&m->tree, &m->carver);
    return good;
}

// --- places that are not reached -----------------------------------------------------------------

static bool vector_of(const bsp_entity *entity, const char *key, double out[3]) {
    float at[3];
    bool there = bsp_parse_vector(bsp_entity_value(entity, key), at) && isfinite(at[0]) &&
                 isfinite(at[1]) && isfinite(at[2]);
    for (int a = 0; a < 3; a++) {
        out[a] = there ? (double)at[a] : 0;
    }
    return there;
}

// Adds an entity that games remove at once; it keeps the compiler from filling the place.
static bool keep_place(maker *m, uint32_t cell) {
    bspi_work *w = m->work;
    const bspi_tree_cell *from = &m->tree.cells[cell];
    double at[3];
    char text[80];
    if (!bspi_carve(&m->carver, m->tree.tags + from->first_tag, from->num_tags, BSP_NONE)) {
        return true;
    }
    bspi_polyhedron_middle(&m->carver.solid, at);
    (void)snprintf(text, sizeof text, "%.0f %.0f %.0f", at[0], at[1], at[2]);
    uint32_t entity = bspi_new_entity(w, "info_null");
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_LEAVES, BSP_NONE,
              "nothing reaches the place at %s: an info_null keeps it from being filled", text);
    return entity != BSP_NONE &&
           bspi_build_pair(&w->out, entity, bsp_text_of("origin"), bsp_text_of(text), false);
}

// Finds what entities reach.
static bool flood_world(const maker *m, bspi_flood *flood, bspi_carver *carver) {
    const bsp_map *map = m->work->map;
    if (!bspi_flood_begin(flood, &m->tree, carver)) {
        return false;
    }
    for (uint32_t i = 1; map->entities != NULL && i < map->entities->count; i++) {
        double at[3];
        const bsp_entity *entity = &map->entities->list[i];
        if (bsp_entity_model(map, entity) == BSP_NONE && vector_of(entity, "origin", at)) {
            bspi_flood_enter(flood, at);
        }
    }
    return bspi_flood_settle(flood);
}

static bool keep_places(maker *m, bspi_flood *flood) {
    bool good = true;
    for (uint32_t kept = 0; good && kept < MOST_PLACES; kept++) {
        uint32_t cell = bspi_flood_unreached(flood);
        if (cell == BSP_NONE) {
            break;
        }
        good = keep_place(m, cell);
    }
    return good;
}

static bool emit_loose(maker *m) {
    bspi_loose found = {0};
    bool good = bspi_emit_loose(&m->emitter, &m->tree, &found);
    if (found.plates != 0) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_FACES, BSP_NONE,
                  "%u faces of the world have nothing behind them: they became non-solid plates",
                  found.plates);
    }
    if (found.slivers != 0) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_FACES, BSP_NONE,
                  "%u faces of the world with nothing behind them are too thin for a plate",
                  found.slivers);
    }
    return good;
}

// Returns true if the document is compiled alone: then places are kept.
static bool is_alone(const maker *m) {
    const bsp_decompile_options *options = m->work->options;
    return !options->world_only && options->wanted == NULL;
}

// Writes what follows the walls; the flood has settled.
static bool finish_walls(maker *m, bspi_flood *flood) {
    bool good = (!is_alone(m) || keep_places(m, flood)) && emit_loose(m);
    set_box(m, 0);
    return good;
}

// Writes all brushes of the world but clip brushes.
static bool make_walls(maker *m) {
    bspi_flood flood = {0};
    bool good = fill_solids(m, 0) && (!is_alone(m) || flood_world(m, &flood, &m->carver)) &&
                finish_walls(m, &flood);
    if (flood.carver != NULL) {
        bspi_flood_end(&flood);
    }
    return good;
}

// The world by two threads. Trees are built at the same time; then walls are made while clip
// brushes are looked for and what entities reach: all three only read the tree, but for marks of
// their own.
typedef struct world {
    maker *maker;
    bspi_carver carver; // the other one
    bspi_clipper clipper;
    bspi_flood flood;
    bspi_carver *last[2]; // carver of the last part that each thread made
    bsp_error error;      // of the other carver
    bool good[3];         // clip brushes, walls, flood
} world;

enum { CLIPS, WALLS, FLOOD, PARTS };

static bool make_part(void *user, uint32_t worker, uint32_t part, bsp_error *error) {
    world *w = user;
    maker *m = w->maker;
    (void)error;
    if (part == CLIPS) {
        w->last[worker] = &w->carver;
        w->good[part] = bspi_clip(&w->clipper);
    } else if (part == WALLS) {
        w->last[worker] = &m->carver;
        w->good[part] = fill_solids(m, 0);
    } else {
        // Parts are begun in order: if this thread made none, the other one made both.
        bspi_carver *carver = w->last[worker] == &m->carver ? &m->carver : &w->carver;
        w->good[part] = !is_alone(m) || flood_world(m, &w->flood, carver);
    }
    return true;
}

static bool make_parts(world *w) {
    maker *m = w->maker;
    bsp_error *error = m->work->error;
    w->clipper = clipper_of(m, 0);
    w->clipper.carver = &w->carver;
    (void)bspi_workers_each(2, PARTS, make_part, w, NULL);
    m->carver.nodes_left = w->carver.nodes_left;
    m->carver.counted_left = w->carver.counted_left;
    bool other = w->good[CLIPS] && (w->good[FLOOD] || w->flood.carver != &w->carver);
    if (w->good[WALLS] && !other && error != NULL) {
        *error = w->error;
    }
    bool good = w->good[CLIPS] && w->good[WALLS] && w->good[FLOOD] && finish_walls(m, &w->flood) &&
                emit_clips(m, &w->clipper);
    if (w->flood.carver != NULL) {
        bspi_flood_end(&w->flood);
    }
    bspi_clip_end(&w->clipper);
    return good;
}

// Makes the world with a second carver.
static bool make_world_by_two(world *w) {
    maker *m = w->maker;
    m->other = &w->carver;
    if (m->list.models == NULL) {
        build_first_trees(m);
    }
    bool good = build(m, 0);
    m->other = NULL;
    if (good && !m->listed && bspi_carver_follow(&w->carver, &m->carver)) {
        return make_parts(w);
    }
    return good && make_walls(m) && clip_model(m, 0);
}

static bool make_world(maker *m) {
    bspi_work *work = m->work;
    world w = {.maker = m};
    bool forked = work->map->num_nodes >= LEAST_NODES && bspi_heap_threads(&work->heap) > 1;
    bool good;
    set_box(m, 0);
    // Without memory for a second carver, one does both.
    if (forked && bspi_carver_fork(&w.carver, &m->carver, &work->arena, &w.error)) {
        good = make_world_by_two(&w);
    } else {
        good = build(m, 0) && make_walls(m) && clip_model(m, 0);
    }
    if (forked && !bspi_carver_end(&w.carver)) {
        if (good && work->error != NULL) {
            *work->error = w.error;
        }
        good = false;
    }
    for (uint32_t hull = 0; hull < BSP_MAX_HULLS; hull++) {
        bspi_tree_free(&m->beyond.hulls[hull], &m->carver);
    }
    bspi_tree_free(&m->tree, &m->carver);
    return good;
}

// --- all models ---------------------------------------------------------------------------------

// Compilers find the centre of what rotates by a brush, or by the entity that a Quake mod's class
// names.
static bool add_origin_brush(maker *m, const bsp_entity *entity, const double at[3]) {
    bsp_text class = bsp_entity_value(entity, "classname");
    if ((at[0] == 0 && at[1] == 0 && at[2] == 0) || bspi_text_begins_nocase(class, "rotate_")) {
        return true;
    }
    double mins[3];
    double maxs[3];
    for (int a = 0; a < 3; a++) {
        mins[a] = at[a] - ORIGIN_SIZE;
        maxs[a] = at[a] + ORIGIN_SIZE;
    }
    bspi_carver_box(&m->carver, mins, maxs);
    bspi_tree_emitter emitter = m->emitter;
    emitter.faces = NULL;
    emitter.origin = NULL;
    emitter.plain = bsp_text_of("origin");
    return bspi_carve(&m->carver, NULL, 0, BSP_NONE) && bspi_tree_emit(&emitter, BSPI_TREE_SOLID);
}

static bool make_entity_model(maker *m, uint32_t model) {
    bspi_work *w = m->work;
    uint32_t entity = w->model_entity[model];
    if (entity == BSP_NONE || w->entity_of[entity] == BSP_NONE) {
        return true;
    }
    double origin[3];
    const bsp_entity *from = &w->map->entities->list[entity];
    (void)vector_of(from, "origin", origin);
    m->emitter.entity = w->entity_of[entity];
    m->emitter.origin = origin;
    m->emitter.plain = w->map->models[model].num_faces == 0
                           ? bsp_text_of(bspi_tree_game_of(w->map)->trigger)
                           : (bsp_text){NULL, 0};
    return make_model(m, model) && add_origin_brush(m, from, origin);
}

static bool make_solids(bspi_work *w) {
    const bsp_map *map = w->map;
    maker m = {.work = w};
    m.emitter = (bspi_tree_emitter){.work = w, .carver = &m.carver, .faces = &m.faces};
    bool good = bspi_carver_begin(&m.carver, map, &w->heap, &w->arena, w->error) &&
                bspi_tree_faces_begin(&m.faces, &m.carver, map, &w->arena, w->error) &&
                bspi_brush_list_begin(&m.list, w->options->file, map, &w->arena, w->error) &&
                bspi_tree_emit_begin(&m.emitter);
    m.emitter.fence = BSP_NONE;
    m.emitter.fence_class = bspi_tree_game_of(map)->fence;
    good = good && (map->num_models == 0 || make_world(&m));
    m.emitter.fence_class = NULL;
    for (uint32_t i = 1; good && i < map->num_models; i++) {
        good = make_entity_model(&m, i);
    }
    return bspi_carver_end(&m.carver) && good;
}

const bspi_method bspi_method_tree = {copy_entities, make_solids, NULL, NULL, NULL, NULL, false};
