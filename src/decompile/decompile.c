// SPDX-License-Identifier: MIT
// Decompiles a map: assigns brushes to models, then runs the method of the branch.
#include "core/options.h"
#include "decompile/work.h"
#include "map/brush_models.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <string.h>

// --- brushes and models --------------------------------------------------------------------------

static uint32_t *indices(bspi_work *w, size_t count) {
    uint32_t *list = bspi_arena_raw(&w->arena, count, sizeof *list, w->error);
    if (list != NULL) {
        memset(list, 0xFF, count * sizeof *list); // BSP_NONE
    }
    return list;
}

// Finds the entity of each model, the first one that shows it.
static void find_model_entities(bspi_work *w) {
    uint32_t count = w->map->entities != NULL ? w->map->entities->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = bsp_entity_model(w->map, &w->map->entities->list[i]);
        if (model != BSP_NONE && w->model_entity[model] == BSP_NONE) {
            w->model_entity[model] = i;
        }
    }
}

// --- the steps ----------------------------------------------------------------------------------

static const bspi_method *method_of(bsp_decompile_method method) {
    static const bspi_method *const methods[] = {
        [BSP_DECOMPILE_TREE] = &bspi_method_tree,
        [BSP_DECOMPILE_QUAKE2] = &bspi_method_quake2,
        [BSP_DECOMPILE_QUAKE3] = &bspi_method_quake3,
        [BSP_DECOMPILE_SOURCE] = &bspi_method_source,
        [BSP_DECOMPILE_RESPAWN] = &bspi_method_respawn,
    };
    return methods[method];
}

static bool find_hulls(bspi_work *w) {
    if (w->map->num_brushes == 0) {
        return true;
    }
    if (w->method->repair != NULL && (!w->method->repair(w) || w->spent)) {
        return false;
    }
    return bspi_brushes_begin(w);
}

static bool prepare(bspi_work *w) {
    const bsp_map *map = w->map;
    w->entity_of = indices(w, map->entities != NULL ? map->entities->count : 0);
    w->model_entity = indices(w, map->num_models);
    w->brush_model = bspi_brush_models(map, &w->arena, &w->meter);
    w->brush_out = indices(w, map->num_brushes);
    w->face_side = indices(w, map->num_faces);
    w->face_area = bspi_arena_zero(&w->arena, map->num_faces, sizeof *w->face_area, w->error);
    w->sizes = (uint32_t(*)[2])indices(w, (size_t)map->num_materials * 2);
    if (w->face_area == NULL || w->sizes == NULL || w->entity_of == NULL ||
        w->model_entity == NULL || w->brush_model == NULL || w->brush_out == NULL ||
        w->face_side == NULL) {
        return false;
    }
    find_model_entities(w);
    w->report->brushes_in = map->num_brushes;
    return find_hulls(w) && bspi_sort_brushes(w) &&
           (w->method->no_face_index || bspi_face_index_build(w));
}

// Makes worldspawn if the map has lost it, since a document needs one.
static bool has_world(bspi_work *w) {
    if (w->out.entities.count != 0) {
        return true;
    }
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_ENTITIES, BSP_NONE, "there are no entities");
    return bspi_new_entity(w, "worldspawn") != BSP_NONE;
}

static bool run(bspi_work *w) {
    const bspi_method *method = w->method;
    // A tree gives at most as many brushes as it has leaves, and mostly far fewer.
    uint32_t most = w->map->num_brushes != 0 ? w->map->num_brushes : w->map->num_leaves;
    return bspi_progress_begin(&w->progress, &w->options->progress, "brushes", most, w->error) &&
           prepare(w) && method->entities(w) && has_world(w) && method->solids(w) && !w->spent &&
           (method->extras == NULL || method->extras(w)) && bspi_meter_pay(&w->meter) &&
           bspi_progress_step(&w->progress, most, w->error);
}

// The limits of a decompilation follow from the size of the map.
bsp_mapdoc *bsp_decompile(const bsp_map *map, const bsp_decompile_options *options,
                          bsp_decompile_report *report, bsp_error *error) {
    assert(map != NULL);
    bsp_decompile_options taken;
    bsp_decompile_report unheard;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    // Of all but light; BSP_LOAD_LIGHT is not read.
    if (!bspi_map_needs(map, BSP_LOAD_ALL - BSP_LOAD_LIGHT, "decompiling", error)) {
        return NULL;
    }
    bspi_work w = {.map = map, .options = &taken, .error = error};
    w.report = report != NULL ? report : &unheard;
    memset(w.report, 0, sizeof *w.report);
    w.method = method_of(map->traits->decompile);
    bspi_map_heap(&w.heap, BSP_PRODUCT_DECOMPILE, map, w.options->budget, w.options->allocator);
    w.meter = (bspi_meter){.heap = &w.heap, .error = error};
    bspi_arena_init(&w.arena, &w.heap);
    w.names.heap = &w.heap;
    bsp_mapdoc *source = NULL;
    if (bspi_builder_begin(&w.out, BSP_PRODUCT_DECOMPILE, map->file_size, w.heap.budget,
                           w.options->allocator, error)) {
        if (run(&w)) {
            source = bspi_builder_finish(&w.out);
        } else {
            bspi_builder_drop(&w.out);
        }
    }
    bspi_face_index_end(&w);
    bsp_brush_mesh_free(w.hulls);
    bspi_text_table_free(&w.names);
    bspi_arena_free(&w.arena);
    return source;
}
