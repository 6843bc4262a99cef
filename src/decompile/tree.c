// SPDX-License-Identifier: MIT
// Quake, Hexen II, GoldSrc: no brushes are stored, they are made of the tree. Assumes a loaded map.
#include "decompile/tree_emit.h"
#include "decompile/tree_merge.h"
#include "decompile/tree_names.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

// The world is a box that much larger than what is in it, in units; its sides lie on this grid.
#define WORLD_MARGIN 32.0
#define WORLD_GRID 16.0
#define MODEL_MARGIN 2.0
// Nodes that walks may pass for each node of the map while volumes grow.
#define STEPS_PER_NODE 4096u

// --- entities -----------------------------------------------------------------------------------

static bool wants(const bspi_work *w, uint32_t entity) {
    const bsp_decompile_options *options = w->options;
    return entity == 0 || (!options->world_only &&
                           (options->wanted == NULL ||
                            options->wanted(options->user, &w->map->entities->list[entity])));
}

// Brushes stand where the model is shown: an origin is then a brush.
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
        if (wants(w, i) && bspi_copy_entity(w, i, brushes ? is_of_model : NULL) == BSP_NONE) {
            return false;
        }
    }
    return count != 0 || bspi_new_entity(w, "worldspawn") != BSP_NONE;
}

// --- one model ----------------------------------------------------------------------------------

typedef struct maker {
    bspi_work *work;
    bspi_carver carver;
    bspi_tree_faces faces;
    bspi_tree_emitter emitter;
    bspi_tree tree;
} maker;

static bool any_but_empty(const bspi_merger *merger, int32_t contents) {
    (void)merger;
    return contents < BSPI_EMPTY;
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

static bool merge_tree(maker *m) {
    bspi_work *w = m->work;
    bspi_merger merger = {.carver = &m->carver,
                          .tree = &m->tree,
                          .faces = &m->faces,
                          .apart = w->options->no_merge,
                          .wanted = any_but_empty,
                          .emit = emit_region,
                          .user = m,
                          .steps = (uint64_t)STEPS_PER_NODE * ((uint64_t)m->tree.num_nodes + 64)};
    for (uint32_t i = 0; i < m->tree.num_cells; i++) {
        w->report->brushes_in += m->tree.cells[i].contents < BSPI_EMPTY;
    }
    bool good = bspi_merge(&merger);
    w->report->brushes_lost += merger.lost;
    return good;
}

static bool make_model(maker *m, uint32_t model) {
    set_box(m, model);
    bspi_tree_faces_model(&m->faces, model);
    bool good = bspi_tree_build(&m->tree, &m->carver, m->work->map, model, 0) && merge_tree(m);
    bspi_tree_free(&m->tree, &m->carver);
    return good;
}

// --- all models ---------------------------------------------------------------------------------

static bool make_entity_model(maker *m, uint32_t model) {
    bspi_work *w = m->work;
    uint32_t entity = w->model_entity[model];
    if (model == 0) {
        m->emitter.entity = 0;
        m->emitter.origin = NULL;
        m->emitter.plain = (bsp_text){NULL, 0};
        return make_model(m, 0);
    }
    if (entity == BSP_NONE || w->entity_of[entity] == BSP_NONE) {
        return true;
    }
    const bsp_entity *from = &w->map->entities->list[entity];
    float at[3] = {0, 0, 0};
    double origin[3] = {0, 0, 0};
    if (bsp_parse_vector(bsp_entity_value(from, "origin"), at)) {
        for (int a = 0; a < 3; a++) {
            origin[a] = (double)at[a];
        }
    }
    m->emitter.entity = w->entity_of[entity];
    m->emitter.origin = origin;
    m->emitter.plain =
        w->map->models[model].num_faces == 0 ? bspi_trigger_name(w->map) : (bsp_text){NULL, 0};
    return make_model(m, model);
}

static bool make_solids(bspi_work *w) {
    const bsp_map *map = w->map;
    maker m = {.work = w};
    m.emitter = (bspi_tree_emitter){.work = w, .carver = &m.carver, .faces = &m.faces};
    bool good = bspi_carver_begin(&m.carver, map, &w->heap, &w->arena, w->error) &&
                bspi_tree_faces_begin(&m.faces, map, &w->arena, w->error);
    for (uint32_t i = 0; good && i < map->num_models; i++) {
        good = make_entity_model(&m, i);
    }
    bspi_carver_end(&m.carver);
    return good;
}

const bspi_method bspi_method_tree = {copy_entities, make_solids, NULL, NULL, NULL};
