// SPDX-License-Identifier: MIT
// Assumes a loaded map.
#include "decompile/tree/model.h"

#include "core/workers.h"
#include "decompile/tree/merge.h"
#include "decompile/tree/parts.h"

#include <math.h>

// Units by which the box of the world is larger than its contents; its sides lie on this grid.
#define WORLD_MARGIN 32.0
#define WORLD_GRID 16.0
#define MODEL_MARGIN 2.0
#define LEAST_FOR_PARTS 3u // threads besides one, so that trees are built in parts

static bool any_but_empty(const bspi_merger *merger, int32_t contents) {
    (void)merger;
    return contents < BSPI_TREE_EMPTY;
}

static bool emit_region(void *user, const bspi_carver *carver, const bspi_region *region) {
    bspi_maker *m = user;
    return m->queue != NULL ? bspi_volume_queue_add(m->queue, carver, region->contents)
                            : bspi_tree_emit(&m->emitter, region->contents);
}

void bspi_maker_box(bspi_maker *m, uint32_t model) {
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
static void say_unfinished(bspi_maker *m, uint32_t model, bool unfinished, const char *what) {
    if (unfinished) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_UNFINISHED, BSP_ID_MODELS, model, "%s", what);
    }
}

bspi_merger bspi_maker_merger(bspi_maker *m) {
    return (bspi_merger){.carver = &m->carver,
                         .tree = &m->tree,
                         .faces = &m->faces,
                         .apart = m->work->options->no_merge,
                         .wanted = any_but_empty,
                         .emit = emit_region,
                         .user = m};
}

void bspi_maker_report(const bspi_maker *m, const bspi_merger *merger,
                       bsp_decompile_report *report) {
    for (uint32_t i = 0; i < m->tree.num_cells; i++) {
        report->brushes_in += m->tree.cells[i].contents < BSPI_TREE_EMPTY;
    }
    report->brushes_lost += merger->lost;
}

static bool merge_tree(bspi_maker *m) {
    bspi_merger merger = bspi_maker_merger(m);
    bool good = bspi_merge(&merger);
    bspi_maker_report(m, &merger, m->work->report);
    return good;
}

// Trees of hulls of the world, which threads build at the same time, after the faces if `faces`.
typedef struct hull_list {
    bspi_maker *maker;
    bool faces;
    uint32_t hulls[BSP_MAX_HULLS];
    uint32_t count;
} hull_list;

static bool build_tree(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const hull_list *list = user;
    bspi_maker *m = list->maker;
    (void)error;
    if (item == list->count) {
        bspi_tree_faces_model(&m->faces, 0);
        return true;
    }
    bspi_carver *carver = worker == 0 ? &m->carver : &m->others[worker - 1];
    bspi_tree *tree = &m->beyond.hulls[list->hulls[item]];
    uint32_t nodes_left = carver->nodes_left;
    if (!bspi_tree_build(tree, carver, m->work->map, 0, list->hulls[item])) {
        bspi_tree_free(tree, carver);
    }
    carver->nodes_left = nodes_left; // taking the tree counts
    return true;
}

// With more threads than trees, these are built in parts.
typedef struct part_list {
    const hull_list *hulls;
    bspi_tree_parts parts[BSP_MAX_HULLS];
} part_list;

static bool build_part(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    part_list *list = user;
    bspi_maker *m = list->hulls->maker;
    (void)error;
    if (list->hulls->faces && item-- == 0) { // takes the longest
        bspi_tree_faces_model(&m->faces, 0);
        return true;
    }
    uint32_t h = 0;
    for (; item >= list->parts[h].num_parts; h++) {
        item -= list->parts[h].num_parts;
    }
    bspi_carver *carver = worker == 0 ? &m->carver : &m->others[worker - 1];
    return bspi_tree_part_build(&list->parts[h], item, carver);
}

static void build_in_parts(hull_list *hulls) {
    bspi_maker *m = hulls->maker;
    part_list list = {.hulls = hulls};
    uint32_t nodes_left = m->carver.nodes_left;
    uint32_t items = hulls->faces;
    bool good = true;
    for (uint32_t i = 0; i < hulls->count; i++) {
        bspi_tree *tree = &m->beyond.hulls[hulls->hulls[i]];
        good = bspi_tree_parts_begin(&list.parts[i], tree, &m->carver, m->work->map, 0,
                                     hulls->hulls[i]) &&
               good;
        m->carver.nodes_left = nodes_left; // taking the tree counts
        items += list.parts[i].num_parts;
    }
    good = bspi_workers_each(1 + m->num_others, items, build_part, &list, NULL) && good;
    for (uint32_t i = 0; i < hulls->count; i++) {
        if (!good || !bspi_tree_parts_join(&list.parts[i], m->work->error)) {
            bspi_tree_free(&m->beyond.hulls[hulls->hulls[i]], &m->carver);
        }
        bspi_tree_parts_end(&list.parts[i]);
    }
}

static void build_trees(hull_list *list) {
    const bspi_maker *m = list->maker;
    if (m->num_others >= LEAST_FOR_PARTS) {
        build_in_parts(list);
        return;
    }
    (void)bspi_workers_each(1 + m->num_others, list->count + list->faces, build_tree, list, NULL);
}

// Hulls from 2 on tell only what is missing, and whether the void is open to their movers.
static bool is_counted(const bspi_maker *m) {
    return m->work->options->issues != NULL;
}

// Of two threads both have a tree: faces wait for the void, which one thread looks for.
void bspi_maker_build_first(bspi_maker *m) {
    hull_list list = {.maker = m, .faces = m->num_others > 1};
    uint32_t hulls = m->work->map->traits->num_hulls;
    list.count = is_counted(m) || hulls < 2 ? hulls : 2;
    for (uint32_t i = 0; i < list.count; i++) {
        list.hulls[i] = i;
    }
    build_trees(&list);
    m->has_faces = true;
    m->late_faces = !list.faces;
}

// Builds the trees of hulls with an open void that are not built yet.
static void build_open_trees(bspi_maker *m) {
    hull_list list = {.maker = m};
    for (uint32_t i = 1; m->num_others != 0 && i < m->work->map->traits->num_hulls; i++) {
        if (m->beyond.open[i] && m->beyond.hulls[i].num_cells == 0) {
            list.hulls[list.count++] = i;
        }
    }
    build_trees(&list);
}

enum { VOID, FACES };

static bool find_part(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    bspi_maker *m = user;
    (void)worker;
    if (item == FACES) {
        bspi_tree_faces_model(&m->faces, 0);
        return true;
    }
    bool good = bspi_find_void(&m->tree, &m->carver, m->work->map, &m->beyond);
    if (!good && m->work->error != NULL) {
        *error = *m->work->error;
    }
    return good;
}

// Finds the void, and collects the faces of the world if that was left for now.
static bool find_void(bspi_maker *m, bool open) {
    bool late = m->late_faces;
    m->late_faces = false;
    m->beyond.others = m->others;
    m->beyond.num_others = m->num_others;
    return bspi_workers_each(open && late ? 2 : 1, late ? 2 : 1, find_part, m, m->work->error);
}

// Leaves out the void outside of the world, where brushes would stop movers.
static bool leave_void_out(bspi_maker *m) {
    const bspi_void *found = &m->beyond;
    bool open = bspi_void_look(&m->tree, &m->carver, m->work->map, &m->beyond);
    build_open_trees(m);
    bool good = find_void(m, open);
    say_unfinished(m, 0, found->unfinished, "the void beyond the sky was not all found");
    if (open) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_MODELS, 0,
                  "movers pass the sky: the compiler that made the map did not clip skies, and "
                  "only without clipped skies the hulls become the same again");
    }
    return good;
}

bool bspi_maker_take(bspi_maker *m, uint32_t model) {
    bspi_maker_box(m, model);
    if (model != 0 || !m->has_faces) {
        bspi_tree_faces_model(&m->faces, model);
    }
    m->emitter.model = model;
    bspi_tree none = {0};
    bspi_tree *made = model == 0 ? &m->beyond.hulls[0] : &none;
    return bspi_tree_take(&m->tree, made, &m->carver, m->work->map, model, 0);
}

bool bspi_maker_build(bspi_maker *m, uint32_t model) {
    if (!bspi_maker_take(m, model)) {
        return false;
    }
    say_unfinished(m, model, m->tree.cut, "its tree shares branches without end: some are missing");
    m->listed = bspi_brush_list_fits(&m->list, model, &m->carver, &m->tree);
    if (m->carver.starved) {
        return false;
    }
    bspi_maker_box(m, model);
    return m->listed || model != 0 || leave_void_out(m);
}

bool bspi_maker_fill(bspi_maker *m, uint32_t model) {
    if (!m->listed) {
        return merge_tree(m);
    }
    bool good = bspi_brush_list_emit(&m->list, &m->emitter);
    bspi_maker_box(m, model);
    return good;
}

bspi_clipper bspi_maker_clipper(bspi_maker *m, uint32_t model) {
    return (bspi_clipper){.map = m->work->map,
                          .carver = &m->carver,
                          .space = &m->tree,
                          .hulls = model == 0 ? m->beyond.hulls : NULL,
                          .model = model,
                          .counts = is_counted(m)};
}

// Writes what was found.
bool bspi_maker_emit_clips(bspi_maker *m, const bspi_clipper *clipper) {
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

bool bspi_maker_clip(bspi_maker *m, uint32_t model) {
    if (m->listed) {
        return true; // clip brushes are in the list
    }
    bspi_clipper clipper = bspi_maker_clipper(m, model);
    bool good = bspi_clip(&clipper) && bspi_maker_emit_clips(m, &clipper);
    bspi_clip_end(&clipper);
    return good;
}
