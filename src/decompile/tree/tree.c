// SPDX-License-Identifier: MIT
// Quake, Hexen II, GoldSrc: no brushes are stored, so they are made from the tree. Assumes a loaded
// map.
#include "core/text.h"
#include "core/workers.h"
#include "decompile/tree/ahead.h"
#include "decompile/tree/entity_models.h"
#include "decompile/tree/explained.h"
#include "decompile/tree/flood.h"
#include "decompile/tree/lone_faces.h"

#include <math.h>
#include <stdio.h>

#define MOST_PLACES 64u  // that are kept from being filled
#define LEAST_NODES 128u // of a world that threads decompile: a smaller one takes no millisecond

// --- entities -----------------------------------------------------------------------------------

static bool copy_entities(bspi_work *w) {
    uint32_t count = w->map->entities != NULL ? w->map->entities->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = bsp_entity_model(w->map, &w->map->entities->list[i]);
        bool brushes = i != 0 && model != BSP_NONE && w->model_entity[model] == i;
        if ((i == 0 || bspi_wanted(w, i)) &&
            bspi_copy_entity(w, i, brushes ? bspi_drop_placed_model : NULL) == BSP_NONE) {
            return false;
        }
    }
    return count != 0 || bspi_new_entity(w, "worldspawn") != BSP_NONE;
}

// --- places that are not reached -----------------------------------------------------------------

// Adds an entity that games remove at once; it keeps the compiler from filling the place.
static bool keep_place(bspi_maker *m, uint32_t cell) {
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
static bool flood_world(const bspi_maker *m, bspi_flood *flood, bspi_carver *carver) {
    const bsp_map *map = m->work->map;
    if (!bspi_flood_begin(flood, &m->tree, carver)) {
        return false;
    }
    for (uint32_t i = 1; map->entities != NULL && i < map->entities->count; i++) {
        double at[3];
        const bsp_entity *entity = &map->entities->list[i];
        if (bsp_entity_model(map, entity) == BSP_NONE && bspi_entity_origin(entity, at)) {
            bspi_flood_enter(flood, at);
        }
    }
    return bspi_flood_settle(flood);
}

static bool keep_places(bspi_maker *m, bspi_flood *flood) {
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

static bool emit_loose(bspi_maker *m, bspi_loose *found) {
    bool good = bspi_emit_loose(&m->emitter, found);
    if (found->plates != 0) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_FACES, BSP_NONE,
                  "%u faces of the world have nothing behind them: they became non-solid plates",
                  found->plates);
    }
    if (found->slivers != 0) {
        bspi_lost(m->work, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_FACES, BSP_NONE,
                  "%u faces of the world with nothing behind them are too thin for a plate",
                  found->slivers);
    }
    return good;
}

// Returns true if the document is compiled alone: then places are kept.
static bool is_alone(const bspi_maker *m) {
    const bsp_decompile_options *options = m->work->options;
    return !options->world_only && options->wanted == NULL;
}

// Writes what follows the walls; the flood has settled.
static bool finish_walls(bspi_maker *m, bspi_flood *flood, bspi_loose *loose) {
    bool good = (!is_alone(m) || keep_places(m, flood)) && emit_loose(m, loose);
    bspi_maker_box(m, 0);
    return good;
}

// Writes all brushes of the world but clip brushes.
static bool make_walls(bspi_maker *m) {
    bspi_flood flood = {0};
    bspi_loose loose = {0};
    bool good = bspi_maker_fill(m, 0) && (!is_alone(m) || flood_world(m, &flood, &m->carver)) &&
                bspi_find_loose(&m->emitter, &m->carver, &m->tree, &loose) &&
                finish_walls(m, &flood, &loose);
    if (flood.carver != NULL) {
        bspi_flood_end(&flood);
    }
    bspi_loose_end(&loose, &m->carver);
    return good;
}

#define MOST_AT_ONCE 8u // threads: parts are short, and wait for others in turn
#define HELPERS 3u      // that merge walls
#define CELLS_AHEAD 2u  // of the walls, for each thread that merges them
#define CLIP_HELPERS 2u // that search the hull of clip brushes

// Carvers of further threads: two threads have the first two as well, and more have more. Without
// one of its own, the thread of the flood finds the loose faces.
enum { OF_CLIPS, OF_FLOOD, OF_CLIP_HELP, OF_LOOSE = OF_CLIP_HELP + CLIP_HELPERS, OTHERS };

// The world by several threads. Trees are built at the same time; then walls are made while clip
// brushes are looked for and what entities reach: all three only read the tree, but for marks of
// their own. What the sides of walls show is found while more of them are made.
typedef struct world {
    bspi_maker *maker;
    bspi_entity_models *models;
    bspi_carver forks[OTHERS];
    bsp_error errors[OTHERS]; // of the forks
    uint32_t num_forks;
    bspi_clipper clipper;
    bspi_explain_help explain_help;
    bspi_flood flood;
    bspi_loose loose;
    bspi_volume_queue queue;
    bspi_merger merger;
    bspi_ahead ahead;
    bool helped; // there is help with the walls
} world;

// Those who help with walls do so before they search sides, which can wait.
enum {
    WALLS,
    CLIPS,
    FLOOD,
    LOOSE,
    MODELS,
    CLIP_HELP = MODELS + BSPI_MODEL_SEATS,
    HELP = CLIP_HELP + CLIP_HELPERS,
    SIDES = HELP + HELPERS,
    PARTS = SIDES + 2
};

static bool make_walls_part(world *w) {
    bool good = w->helped ? bspi_ahead_merge(&w->ahead) : bspi_merge(&w->merger);
    bspi_volume_queue_complete(&w->queue);
    return good;
}

static bool find_loose(world *w, uint32_t fork) {
    const bspi_maker *m = w->maker;
    return bspi_find_loose(&m->emitter, &w->forks[fork], &m->tree, &w->loose);
}

static bool find_models(world *w, uint32_t seat) {
    bspi_entity_models_find(w->models, seat);
    return true; // what fails does so in its turn
}

static bool help_with_clips(world *w, uint32_t seat, bsp_error *error) {
    uint32_t fork = OF_CLIP_HELP + seat;
    if (fork >= w->num_forks) {
        return true;
    }
    bspi_explain_more(&w->explain_help, &w->forks[fork]);
    *error = w->errors[fork];
    return !w->forks[fork].starved;
}

static bool help_with_walls(world *w) {
    if (w->helped) {
        bspi_ahead_help(&w->ahead);
    }
    return true; // what fails does so in its turn
}

static bool make_part(void *user, uint32_t worker, uint32_t part, bsp_error *error) {
    world *w = user;
    const bsp_error *own = NULL; // of the carver
    bool good;
    (void)worker;
    switch (part) {
    case WALLS: // always begun before sides wait for them
        good = make_walls_part(w);
        own = w->maker->work->error;
        break;
    case CLIPS:
        good = bspi_clip(&w->clipper);
        bspi_explain_help_over(&w->explain_help);
        own = &w->errors[OF_CLIPS];
        break;
    case FLOOD:
        good = (!is_alone(w->maker) || flood_world(w->maker, &w->flood, &w->forks[OF_FLOOD])) &&
               (w->num_forks > OF_LOOSE || find_loose(w, OF_FLOOD));
        own = &w->errors[OF_FLOOD];
        break;
    case LOOSE:
        good = w->num_forks <= OF_LOOSE || find_loose(w, OF_LOOSE);
        own = &w->errors[OF_LOOSE];
        break;
    default:
        good = part < CLIP_HELP ? find_models(w, part - MODELS)
               : part < HELP    ? help_with_clips(w, part - CLIP_HELP, error)
               : part >= SIDES  ? bspi_volume_queue_find(&w->queue, error)
                                : help_with_walls(w);
    }
    if (!good && own != NULL) {
        *error = *own;
    }
    return good;
}

// Returns false without memory for it, or where cells are not merged.
static bool begin_help(world *w, uint32_t threads) {
    uint32_t merge = threads - 1 < HELPERS ? threads : 1 + HELPERS;
    bool helped = !w->merger.apart && bspi_ahead_begin(&w->ahead, &w->merger, CELLS_AHEAD * merge,
                                                       &w->maker->work->arena);
    if (!helped) {
        bspi_ahead_end(&w->ahead);
    }
    return helped;
}

static bool make_parts(world *w) {
    bspi_maker *m = w->maker;
    uint32_t threads = bspi_heap_threads(&m->work->heap);
    threads = threads < MOST_AT_ONCE ? threads : MOST_AT_ONCE;
    w->clipper = bspi_maker_clipper(m, 0);
    w->clipper.carver = &w->forks[OF_CLIPS];
    w->clipper.helpers = &w->explain_help;
    bspi_explain_help_begin(&w->explain_help);
    bspi_volume_queue_begin(&w->queue, &m->emitter);
    m->queue = &w->queue;
    w->merger = bspi_maker_merger(m);
    w->helped = begin_help(w, threads);
    bspi_entity_models_begin(w->models);
    bool good = bspi_workers_each(threads, PARTS, make_part, w, m->work->error);
    m->queue = NULL;
    bspi_maker_report(m, &w->merger, m->work->report);
    if (w->helped) {
        bspi_ahead_end(&w->ahead);
    }
    m->carver.nodes_left = w->forks[OF_CLIPS].nodes_left;
    m->carver.counted_left = w->forks[OF_CLIPS].counted_left;
    good = good && bspi_volume_queue_write(&w->queue, &m->emitter) &&
           finish_walls(m, &w->flood, &w->loose) && bspi_maker_emit_clips(m, &w->clipper);
    if (w->flood.carver != NULL) {
        bspi_flood_end(&w->flood);
    }
    bspi_loose_end(&w->loose, &w->forks[OF_FLOOD]);
    bspi_clip_end(&w->clipper);
    bspi_explain_help_end(&w->explain_help);
    bspi_volume_queue_end(&w->queue);
    return good;
}

// Makes the world with carvers of further threads.
static bool make_world_by_threads(world *w) {
    bspi_maker *m = w->maker;
    uint32_t others = bspi_heap_threads(&m->work->heap) - 1;
    m->others = w->forks;
    m->num_others = others < w->num_forks ? others : w->num_forks;
    if (m->list.models == NULL) {
        bspi_maker_build_first(m);
    }
    bool good = bspi_maker_build(m, 0);
    m->num_others = 0;
    bool followed = good && !m->listed;
    for (uint32_t i = 0; followed && i < w->num_forks; i++) {
        followed = bspi_carver_follow(&w->forks[i], &m->carver);
    }
    if (followed) {
        return make_parts(w);
    }
    return good && make_walls(m) && bspi_maker_clip(m, 0);
}

// Makes carvers for further threads. Returns false if there is one thread, or without memory for
// them: then one thread does all.
static bool fork_carvers(world *w) {
    bspi_maker *m = w->maker;
    bspi_work *work = m->work;
    uint32_t threads = bspi_heap_threads(&work->heap);
    uint32_t count = threads - 1 < OF_CLIP_HELP ? OF_CLIP_HELP : threads - 1;
    bool forked = work->map->num_nodes >= LEAST_NODES && threads > 1;
    count = count < OTHERS ? count : OTHERS;
    for (; forked && w->num_forks < count; w->num_forks++) {
        bspi_carver *fork = &w->forks[w->num_forks];
        if (!bspi_carver_fork(fork, &m->carver, &work->arena, &w->errors[w->num_forks])) {
            (void)bspi_carver_end(fork);
            forked = false;
            break;
        }
    }
    return forked;
}

static bool make_world(bspi_maker *m, bspi_entity_models *models) {
    bspi_work *work = m->work;
    world w = {.maker = m, .models = models};
    bspi_maker_box(m, 0);
    bool good = fork_carvers(&w) ? make_world_by_threads(&w)
                                 : bspi_maker_build(m, 0) && make_walls(m) && bspi_maker_clip(m, 0);
    for (uint32_t i = 0; i < w.num_forks; i++) {
        bool ended = bspi_carver_end(&w.forks[i]);
        if (!ended && good && work->error != NULL) {
            *work->error = w.errors[i];
        }
        good = good && ended;
    }
    for (uint32_t hull = 0; hull < BSP_MAX_HULLS; hull++) {
        bspi_tree_free(&m->beyond.hulls[hull], &m->carver);
    }
    bspi_tree_free(&m->tree, &m->carver);
    return good;
}

// --- all models ---------------------------------------------------------------------------------

static bool make_solids(bspi_work *w) {
    const bsp_map *map = w->map;
    bspi_maker m = {.work = w};
    m.emitter = (bspi_tree_emitter){.work = w, .carver = &m.carver, .faces = &m.faces};
    bool good = bspi_carver_begin(&m.carver, map, &w->heap, &w->arena, w->error) &&
                bspi_tree_faces_begin(&m.faces, &m.carver, map, &w->arena, w->error) &&
                bspi_brush_list_begin(&m.list, w->options->file, map, &w->arena, w->error) &&
                (m.list.models == NULL || bspi_face_index_build(w)) &&
                bspi_tree_emit_begin(&m.emitter);
    m.emitter.fence = BSP_NONE;
    m.emitter.fence_class = bspi_tree_game_of(map)->fence;
    bspi_entity_models models = {.maker = &m};
    good = good && (map->num_models == 0 || make_world(&m, &models));
    m.emitter.fence_class = NULL;
    good = good && bspi_entity_models_write(&models);
    bspi_entity_models_end(&models);
    return bspi_carver_end(&m.carver) && good;
}

const bspi_method bspi_method_tree = {
    .entities = copy_entities, .solids = make_solids, .no_face_index = true};
