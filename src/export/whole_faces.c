// SPDX-License-Identifier: MIT
// Whole faces: sides of brushes as ORIGINALFACES keeps them, before the tree cut them into the
// faces that are drawn. Assumes a loaded map. Source: the sheet of the lump.
#include "export/whole_faces.h"

#include "map/needs.h"

#include <string.h>

typedef struct whole {
    const bsp_map *map;
    bspi_arena *arena;
    bsp_map *out;
    bsp_face *faces;
    uint32_t num_faces;
    uint32_t *number; ///< of each face of the map: that which stands for it, or BSP_NONE
    uint32_t *stands; ///< of each whole: its number in `faces` if it is there
    uint32_t *model;  ///< of each whole: the last model that has it
    bsp_error *error;
} whole;

static bool is_cut(const bsp_map *map, const bsp_face *face) {
    return face->original < map->num_original_faces && face->displacement >= map->num_displacements;
}

// The outline is that of the whole, the rest that of the piece: compilers do not fill it in in
// both.
static bsp_face whole_of(const bsp_map *map, const bsp_face *face) {
    bsp_face out = *face;
    if (is_cut(map, face)) {
        const bsp_face *from = &map->original_faces[face->original];
        out.plane = from->plane;
        out.flipped = from->flipped;
        out.first_edge = from->first_edge;
        out.num_edges = from->num_edges;
        out.area = from->area;
        out.num_prims = 0; // that closed gaps between the pieces
    }
    return out;
}

static void add_face(whole *w, uint32_t model, uint32_t number) {
    const bsp_face *face = &w->map->faces[number];
    bool cut = is_cut(w->map, face);
    if (cut && w->model[face->original] == model) {
        w->number[number] = w->stands[face->original];
        return;
    }
    if (cut) {
        w->model[face->original] = model;
        w->stands[face->original] = w->num_faces;
    }
    w->number[number] = w->num_faces;
    w->faces[w->num_faces++] = whole_of(w->map, face);
}

static bool take_models(whole *w) {
    const bsp_map *map = w->map;
    uint64_t total = 0;
    bsp_model *models = bspi_arena_raw(w->arena, map->num_models, sizeof *models, w->error);
    for (uint32_t m = 0; models != NULL && m < map->num_models; m++) {
        total += map->models[m].num_faces;
    }
    if (models == NULL || !bspi_heap_work(w->arena->heap, total, w->error)) {
        return false;
    }
    if (total >= UINT32_MAX) {
        return bsp_fail(w->error, BSP_E_LIMIT, NULL, "too many faces of models");
    }
    w->faces = bspi_arena_raw(w->arena, (size_t)total, sizeof *w->faces, w->error);
    for (uint32_t m = 0; w->faces != NULL && m < map->num_models; m++) {
        models[m] = map->models[m];
        models[m].first_face = w->num_faces;
        for (uint32_t i = 0; i < map->models[m].num_faces; i++) {
            add_face(w, m, map->models[m].first_face + i);
        }
        models[m].num_faces = w->num_faces - models[m].first_face;
    }
    w->out->models = models;
    w->out->faces = w->faces;
    w->out->num_faces = w->num_faces;
    return w->faces != NULL;
}

static uint32_t number_of(const whole *w, uint32_t face) {
    return face < w->map->num_faces ? w->number[face] : BSP_NONE;
}

static bool take_leaves(whole *w) {
    const bsp_map *map = w->map;
    uint32_t *faces = bspi_arena_raw(w->arena, map->num_leaf_faces, sizeof *faces, w->error);
    bsp_node *nodes = bspi_arena_raw(w->arena, map->num_nodes, sizeof *nodes, w->error);
    if (faces == NULL || nodes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_leaf_faces; i++) {
        faces[i] = number_of(w, map->leaf_faces[i]);
    }
    for (uint32_t i = 0; i < map->num_nodes; i++) {
        nodes[i] = map->nodes[i];
        nodes[i].first_face = nodes[i].num_faces = 0;
    }
    w->out->leaf_faces = faces;
    w->out->nodes = nodes;
    return true;
}

static bool take_displacements(whole *w) {
    const bsp_map *map = w->map;
    bsp_displacement *list =
        bspi_arena_raw(w->arena, map->num_displacements, sizeof *list, w->error);
    for (uint32_t i = 0; list != NULL && i < map->num_displacements; i++) {
        list[i] = map->displacements[i];
        list[i].face = number_of(w, list[i].face);
    }
    w->out->displacements = list;
    return list != NULL;
}

// Names each whole once.
static void take_overlay(const whole *w, bsp_overlay *overlay) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < overlay->num_faces; i++) {
        uint32_t face = number_of(w, overlay->faces[i]);
        uint32_t same = 0;
        while (same < kept && overlay->faces[same] != face) {
            same++;
        }
        if (same == kept && face != BSP_NONE) {
            overlay->faces[kept++] = face;
        }
    }
    overlay->num_faces = kept;
}

static const bsp_overlay *take_overlays(whole *w, const bsp_overlay *from, uint32_t count) {
    bsp_overlay *list = bspi_arena_raw(w->arena, count, sizeof *list, w->error);
    uint64_t steps = (uint64_t)BSP_OVERLAY_FACES * count;
    if (list == NULL || !bspi_heap_work(w->arena->heap, steps, w->error)) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        list[i] = from[i];
        take_overlay(w, &list[i]);
    }
    return list;
}

static bool make(const bsp_map *map, bspi_arena *arena, bsp_map *out, bsp_error *error) {
    whole w = {.map = map, .arena = arena, .out = out, .error = error};
    if (map->num_original_faces == 0) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "the map does not say what its faces were before the tree cut them");
    }
    *out = *map;
    out->num_face_lights = out->num_face_lights_hdr = 0;
    uint64_t steps = (uint64_t)map->num_faces + map->num_original_faces + map->num_leaf_faces +
                     map->num_nodes + map->num_displacements;
    w.number = bspi_arena_raw(arena, map->num_faces, sizeof *w.number, error);
    w.stands = bspi_arena_raw(arena, map->num_original_faces, sizeof *w.stands, error);
    w.model = bspi_arena_raw(arena, map->num_original_faces, sizeof *w.model, error);
    if (w.number == NULL || w.stands == NULL || w.model == NULL ||
        !bspi_heap_work(arena->heap, steps, error)) {
        return false;
    }
    memset(w.number, 0xFF, map->num_faces * sizeof *w.number);
    memset(w.model, 0xFF, map->num_original_faces * sizeof *w.model);
    if (!take_models(&w) || !take_leaves(&w) || !take_displacements(&w)) {
        return false;
    }
    out->overlays = take_overlays(&w, map->overlays, map->num_overlays);
    out->water_overlays = take_overlays(&w, map->water_overlays, map->num_water_overlays);
    return out->overlays != NULL && out->water_overlays != NULL;
}

bool bspi_whole_faces_take(bspi_content *content, bsp_error *error) {
    const bsp_map *map = content->map;
    if (!content->options->whole_faces) {
        return true;
    }
    if (content->options->light != BSP_EXPORT_LIGHT_NONE) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "whole faces have no light");
    }
    uint32_t parts = BSP_LOAD_TREE | BSP_LOAD_SURFACES | BSP_LOAD_PROPS;
    if (!bspi_map_needs(map, parts, "whole faces", error) ||
        !make(map, &content->arena, &content->whole, error)) {
        return false;
    }
    content->map = content->paints.map = &content->whole;
    return true;
}
