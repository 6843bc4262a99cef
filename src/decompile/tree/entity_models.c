// SPDX-License-Identifier: MIT
// Assumes a loaded map.
#include "decompile/tree/entity_models.h"

#include "core/text.h"

#include <string.h>

#define ORIGIN_SIZE 8.0 // half the size of an origin brush

// What a seat found of a model.
struct bspi_found_model {
    bool wanted; // to be found
    bool begun;
    bool complete;
    bspi_volume_queue queue;
    bspi_clipper clipper;
    double mins[3]; // of the box that its carver had then
    double maxs[3];
    uint32_t nodes; // of its trees
    uint32_t counted;
    bsp_decompile_report report;
};

// --- one model ----------------------------------------------------------------------------------

// Returns the entity of the document that shows a model, or BSP_NONE.
static uint32_t owner_of(const bspi_work *w, uint32_t model) {
    uint32_t entity = w->model_entity[model];
    return entity == BSP_NONE ? BSP_NONE : w->entity_of[entity];
}

static void set_emitter(bspi_maker *m, uint32_t model, double origin[3]) {
    const bspi_work *w = m->work;
    memset(origin, 0, 3 * sizeof *origin);
    (void)bspi_entity_origin(&w->map->entities->list[w->model_entity[model]], origin);
    m->emitter.entity = owner_of(w, model);
    m->emitter.model = model;
    m->emitter.origin = origin;
    m->emitter.plain = w->map->models[model].num_faces == 0
                           ? bsp_text_of(bspi_tree_game_of(w->map)->trigger)
                           : (bsp_text){NULL, 0};
}

// Compilers find the centre of what rotates by a brush, or by the entity that a Quake mod's class
// names.
static bool add_origin_brush(bspi_maker *m, const bsp_entity *entity, const double at[3]) {
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

static bool make_model(bspi_maker *m, uint32_t model) {
    bool good =
        bspi_maker_build(m, model) && bspi_maker_fill(m, model) && bspi_maker_clip(m, model);
    bspi_tree_free(&m->tree, &m->carver);
    return good;
}

// --- ahead --------------------------------------------------------------------------------------

// Chooses the models that are found ahead: those that cannot run out of nodes, and have faces of
// their own. Returns how many faces one has at most.
static uint32_t choose(bspi_entity_models *all) {
    bspi_maker *m = all->maker;
    const bsp_map *map = m->work->map;
    uint32_t hulls = map->traits->num_hulls;
    uint32_t left = m->carver.nodes_left / 2;
    uint32_t most = 0;
    uint64_t faces = (uint64_t)map->models[0].first_face + map->models[0].num_faces;
    for (uint32_t i = 1; i < map->num_models; i++) {
        const bsp_model *model = &map->models[i];
        if (owner_of(m->work, i) == BSP_NONE) {
            continue;
        }
        uint64_t nodes = 0;
        for (uint32_t hull = 0; hull < hulls; hull++) {
            nodes += bspi_tree_count(&m->carver, map, i, hull);
        }
        if (nodes > left || (model->num_faces != 0 && model->first_face < faces)) {
            break;
        }
        left -= (uint32_t)nodes;
        faces = model->num_faces != 0 ? (uint64_t)model->first_face + model->num_faces : faces;
        most = model->num_faces > most ? model->num_faces : most;
        all->found[i].wanted = true;
        all->end = i + 1;
    }
    return most;
}

static bool begin_seat(bspi_entity_models *all, uint32_t number, uint32_t most_faces) {
    const bspi_maker *from = all->maker;
    bspi_maker *m = &all->seats[number];
    bsp_error *error = &all->errors[number];
    bspi_arena *arena = &from->work->arena;
    bspi_tree_faces *faces = &m->faces;
    m->work = from->work;
    *faces = from->faces;
    faces->carver = &m->carver;
    faces->num_faces = 0;
    faces->faces = bspi_arena_raw(arena, most_faces, sizeof *faces->faces, error);
    faces->parts = bspi_arena_raw(arena, most_faces, sizeof *faces->parts, error);
    faces->ranges =
        bspi_arena_zero(arena, from->work->map->num_planes, 2 * sizeof *faces->ranges, error);
    faces->overlaps = bspi_arena_raw(arena, BSPI_TREE_OVERLAPS, sizeof *faces->overlaps, error);
    m->emitter = from->emitter;
    m->emitter.carver = &m->carver;
    m->emitter.faces = faces;
    return bspi_carver_fork(&m->carver, &from->carver, arena, error) && faces->faces != NULL &&
           faces->parts != NULL && faces->ranges != NULL && faces->overlaps != NULL;
}

void bspi_entity_models_begin(bspi_entity_models *all) {
    const bspi_work *w = all->maker->work;
    bsp_error error = {0};
    bspi_found_model *found =
        bspi_arena_zero(&all->maker->work->arena, w->map->num_models, sizeof *found, &error);
    if (found == NULL || w->map->entities == NULL || all->maker->list.models != NULL) {
        return;
    }
    all->found = found;
    uint32_t most_faces = choose(all);
    bool good = all->end != 0;
    while (good && all->num_seats < BSPI_MODEL_SEATS) {
        good = begin_seat(all, all->num_seats++, most_faces);
    }
    all->end = good ? all->end : 0;
    atomic_init(&all->next, 1);
}

// Finds the brushes of a model and those that clip. Returns false without memory.
static bool find_model(bspi_maker *m, uint32_t model, bspi_found_model *found) {
    bspi_merger merger = bspi_maker_merger(m);
    bool good = bspi_maker_take(m, model) && bspi_merge(&merger);
    bspi_volume_queue_complete(&found->queue);
    bspi_maker_report(m, &merger, &found->report);
    good = good && bspi_volume_queue_find(&found->queue, m->carver.error) &&
           bspi_clip(&found->clipper) && !m->carver.starved;
    memcpy(found->mins, m->carver.mins, sizeof found->mins);
    memcpy(found->maxs, m->carver.maxs, sizeof found->maxs);
    return good && !m->tree.cut && !found->clipper.unfinished;
}

void bspi_entity_models_find(bspi_entity_models *all, uint32_t seat) {
    bspi_maker *m = &all->seats[seat];
    bspi_carver *carver = &m->carver;
    uint32_t nodes_left = carver->nodes_left;
    uint32_t counted_left = carver->counted_left;
    uint32_t planes = carver->flats.count;
    double origin[3];
    uint32_t model;
    bool good = true;
    while (good && (model = atomic_fetch_add(&all->next, 1)) < all->end) {
        bspi_found_model *found = &all->found[model];
        if (!found->wanted) {
            continue;
        }
        found->begun = true;
        carver->nodes_left = nodes_left;
        carver->counted_left = counted_left;
        carver->flats.count = planes; // those that were added are not used any more
        set_emitter(m, model, origin);
        bspi_volume_queue_begin(&found->queue, &m->emitter);
        m->queue = &found->queue;
        found->clipper = bspi_maker_clipper(m, model);
        found->complete = find_model(m, model, found);
        found->nodes = nodes_left - carver->nodes_left;
        found->counted = counted_left - carver->counted_left;
        bspi_tree_free(&m->tree, carver);
        good = !carver->starved;
    }
}

// --- writing ------------------------------------------------------------------------------------

// Returns true if a model was found as it is when its turn comes; else it is as if it was not.
static bool is_found(const bspi_entity_models *all, uint32_t model) {
    const bspi_found_model *found = all->found != NULL ? &all->found[model] : NULL;
    const bspi_carver *carver = &all->maker->carver;
    if (found == NULL || !found->begun) {
        return false;
    }
    if (found->complete && found->nodes <= carver->nodes_left &&
        found->counted <= carver->counted_left) {
        return true;
    }
    const bspi_tree_faces *faces = &all->maker->faces;
    const bsp_model *from = &faces->map->models[model];
    for (uint32_t f = from->first_face; f < from->first_face + from->num_faces; f++) {
        faces->taken[f] = false;
    }
    return false;
}

static bool write_found(bspi_maker *m, bspi_found_model *found) {
    bsp_decompile_report *report = m->work->report;
    report->brushes_in += found->report.brushes_in;
    report->brushes_lost += found->report.brushes_lost;
    m->carver.nodes_left -= found->nodes;
    m->carver.counted_left -= found->counted;
    bspi_carver_box(&m->carver, found->mins, found->maxs);
    return bspi_volume_queue_write(&found->queue, &m->emitter) &&
           bspi_maker_emit_clips(m, &found->clipper);
}

bool bspi_entity_models_write(bspi_entity_models *all) {
    bspi_maker *m = all->maker;
    const bsp_map *map = m->work->map;
    bool good = true;
    for (uint32_t i = 1; good && i < map->num_models; i++) {
        double origin[3];
        if (owner_of(m->work, i) == BSP_NONE) {
            continue;
        }
        set_emitter(m, i, origin);
        good = (is_found(all, i) ? write_found(m, &all->found[i]) : make_model(m, i)) &&
               add_origin_brush(m, &map->entities->list[m->work->model_entity[i]], origin);
    }
    return good;
}

void bspi_entity_models_end(bspi_entity_models *all) {
    for (uint32_t i = 1; i < all->end; i++) {
        bspi_found_model *found = &all->found[i];
        if (found->begun) {
            bspi_volume_queue_end(&found->queue);
            bspi_clip_end(&found->clipper);
        }
    }
    for (uint32_t i = 0; i < all->num_seats; i++) {
        (void)bspi_carver_end(&all->seats[i].carver);
    }
}
