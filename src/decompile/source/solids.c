// SPDX-License-Identifier: MIT
// Emits the brushes of a Source map: those of the world into the entities that they belonged to,
// those of models into theirs.
#include "decompile/source/steps.h"

typedef struct stand {
    double origin[3];
    double angles[3];
    bool turned;
    bool moved;
} stand;

static stand stand_of(const bspi_work *w, uint32_t entity) {
    stand s = {{0, 0, 0}, {0, 0, 0}, false, false};
    if (entity != BSP_NONE) {
        bsp_placement place = bsp_entity_placement(w->map, &w->map->entities->list[entity]);
        s.moved = place.moved;
        s.turned = !w->options->keep_angles && place.turned;
        for (int i = 0; i < 3; i++) {
            s.origin[i] = (double)place.origin[i];
            s.angles[i] = (double)place.angles[i];
        }
    }
    return s;
}

// Puts a brush whose planes are a guess into a visgroup, unless it has one.
static bool show_replaced(bspi_work *w, uint32_t brush, uint32_t *visgroup) {
    return w->replaced == NULL || !w->replaced[brush] || *visgroup != BSP_NONE ||
           bspi_source_guessed(w, "guess: planes of sides", visgroup);
}

static bool emit(bspi_work *w, uint32_t brush, uint32_t entity, const stand *s, uint32_t visgroup) {
    uint32_t made = w->out.brushes.count;
    if (!show_replaced(w, brush, &visgroup) ||
        !bspi_emit_brush(w, brush, entity, s->moved && !s->turned ? s->origin : NULL, visgroup)) {
        return false;
    }
    if (s->turned && made != w->out.brushes.count) {
        bspi_turn_brush(w, made, s->angles, s->origin);
    }
    return true;
}

// Makes an entity for a model that no entity shows: its entity was removed.
static bool orphan(bspi_work *w, uint32_t model, uint32_t *entity, uint32_t *visgroup) {
    *entity = bspi_new_entity(w, "func_brush");
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_MODELS, model,
              "no entity shows the model: written as func_brush");
    return *entity != BSP_NONE && bspi_source_guessed(w, "guess: models without entity", visgroup);
}

static bool emit_models(bspi_work *w) {
    const bsp_map *map = w->map;
    uint32_t model = BSP_NONE;
    uint32_t entity = BSP_NONE;
    uint32_t visgroup = BSP_NONE;
    stand s = stand_of(w, BSP_NONE);
    const bspi_source_state *state = bspi_source_of(w);
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        uint32_t m = w->brush_model[i];
        if (m == 0 || m == BSP_NONE || state->owners[i].entity != BSP_NONE ||
            state->brush_occluder[i] != BSP_NONE) {
            continue; // of the world, or an occluder after the model's brushes
        }
        if (m != model) {
            uint32_t from = w->model_entity[m];
            model = m;
            visgroup = BSP_NONE;
            s = stand_of(w, from);
            entity = from != BSP_NONE ? w->entity_of[from] : BSP_NONE;
            if (from == BSP_NONE && !w->options->world_only && !orphan(w, m, &entity, &visgroup)) {
                return false;
            }
        }
        if (entity != BSP_NONE && !emit(w, i, entity, &s, visgroup)) {
            return false;
        }
    }
    return true;
}

static bool emit_world(bspi_work *w) {
    const bspi_source_state *state = bspi_source_of(w);
    for (uint32_t i = 0; i < w->map->num_brushes; i++) {
        bspi_source_owner owner = state->owners[i];
        if (owner.entity != BSP_NONE &&
            (!show_replaced(w, i, &owner.visgroup) ||
             !bspi_emit_brush(w, i, owner.entity, NULL, owner.visgroup))) {
            return false;
        }
    }
    return true;
}

// Emits brushes again for entities that show a model which another entity shows too.
static bool emit_copies(bspi_work *w) {
    const bsp_map *map = w->map;
    uint32_t count = map->entities != NULL && map->num_brushes != 0 ? map->entities->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = bsp_entity_model(map, &map->entities->list[i]);
        if (model == BSP_NONE || model == 0 || w->model_entity[model] == i ||
            w->entity_of[i] == BSP_NONE) {
            continue;
        }
        stand s = stand_of(w, i);
        uint32_t end = w->model_first[model + 1];
        for (uint32_t b = w->model_first[model]; b < end; b++) {
            if (!emit(w, w->model_brushes[b], w->entity_of[i], &s, BSP_NONE)) {
                return false;
            }
        }
    }
    return true;
}

// Reports models without leaves: leaves tell which brushes belong to a model, and without them all
// brushes are taken for the world's.
static void report_models(bspi_work *w) {
    const bsp_map *map = w->map;
    bool told = map->num_nodes != 0 && map->num_leaves != 0 && map->num_leaf_brushes != 0;
    if (map->num_brushes != 0 && (map->num_models == 0 || (map->num_models > 1 && !told))) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_LEAF_BRUSHES, BSP_NONE,
                  "which brushes are whose is not known: all are in the world");
    }
}

bool bspi_source_solids(bspi_work *w) {
    report_models(w);
    return emit_world(w) && emit_models(w) && emit_copies(w);
}
