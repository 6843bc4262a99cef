// SPDX-License-Identifier: MIT
// Ids of sides, and what refers to sides by id: the sides of a cubemap. Facts: sheet outputs,
// section 3.
#include "core/search.h"
#include "decompile/source/steps.h"

#include <stdlib.h>

// --- ids of sides -------------------------------------------------------------------------------

// Gives each side that shows a face the author's id of the face; of several sides with the same id
// the first has it. `taken` receives the used ids, sorted.
static bool take_ids(bspi_work *w, uint32_t *taken, uint32_t *count) {
    const bsp_map *map = w->map;
    bool *used = bspi_arena_zero(&w->arena, 65536, sizeof *used, w->error);
    *count = 0;
    if (used == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_faces && i < map->num_face_ids; i++) {
        uint32_t id = map->face_ids[i];
        uint32_t side = w->face_side[i];
        if (side == BSP_NONE || id == 0 || id >= 65536 || used[id] ||
            bspi_built_side(&w->out, side)->id != 0) {
            continue;
        }
        used[id] = true;
        bspi_built_side(&w->out, side)->id = id;
        taken[(*count)++] = id;
    }
    qsort(taken, *count, sizeof *taken, bspi_compare_u32);
    return true;
}

bool bspi_source_number_sides(bspi_work *w) {
    uint32_t total = w->out.sides.count;
    uint32_t *taken = bspi_arena_raw(&w->arena, w->map->num_faces, sizeof *taken, w->error);
    uint32_t count;
    if (taken == NULL || !take_ids(w, taken, &count)) {
        return false;
    }
    uint32_t id = 1;
    uint32_t at = 0;
    for (uint32_t i = 0; i < total; i++) {
        bsp_mapdoc_side *side = bspi_built_side(&w->out, i);
        if (side->id != 0) {
            continue;
        }
        for (; at < count && taken[at] <= id; at++) {
            id += taken[at] == id;
        }
        side->id = id++;
    }
    return true;
}

// --- cubemaps -----------------------------------------------------------------------------------

typedef struct lit_side {
    uint32_t cubemap;
    uint32_t side;
} lit_side;

static int compare_lit(const void *a, const void *b) {
    const lit_side *x = a;
    const lit_side *y = b;
    if (x->cubemap != y->cubemap) {
        return x->cubemap < y->cubemap ? -1 : 1;
    }
    return (x->side > y->side) - (x->side < y->side);
}

static uint32_t cubemap_of(const bspi_work *w, uint32_t face) {
    const bsp_map *map = w->map;
    const bspi_source_state *state = w->own;
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t material = texinfo != BSP_NONE ? map->texinfos[texinfo].material : BSP_NONE;
    return material != BSP_NONE ? state->names[material].cubemap : BSP_NONE;
}

// Returns the sides that reflect each cubemap, sorted, each once.
static lit_side *find_lit_sides(bspi_work *w, uint32_t *count) {
    const bsp_map *map = w->map;
    lit_side *list = bspi_arena_raw(&w->arena, map->num_faces, sizeof *list, w->error);
    *count = 0;
    for (uint32_t i = 0; list != NULL && i < map->num_faces; i++) {
        uint32_t cubemap = cubemap_of(w, i);
        if (cubemap != BSP_NONE && w->face_side[i] != BSP_NONE) {
            list[(*count)++] = (lit_side){cubemap, w->face_side[i]};
        }
    }
    if (list == NULL) {
        return NULL;
    }
    qsort(list, *count, sizeof *list, compare_lit);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (kept == 0 || compare_lit(&list[kept - 1], &list[i]) != 0) {
            list[kept++] = list[i];
        }
    }
    *count = kept;
    return list;
}

bool bspi_source_cubemaps(bspi_work *w) {
    const bsp_map *map = w->map;
    uint32_t count;
    if (!bspi_class_wanted(w, "env_cubemap")) {
        return true;
    }
    lit_side *list = find_lit_sides(w, &count);
    uint32_t *sides = bspi_arena_raw(&w->arena, map->num_faces, sizeof *sides, w->error);
    if (list == NULL || sides == NULL) {
        return false;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < map->num_cubemaps; i++) {
        const bsp_cubemap *cubemap = &map->cubemaps[i];
        const float origin[3] = {(float)cubemap->origin[0], (float)cubemap->origin[1],
                                 (float)cubemap->origin[2]};
        uint32_t lit = 0;
        for (; at < count && list[at].cubemap == i; at++) {
            sides[lit++] = list[at].side;
        }
        uint32_t made = bspi_new_entity(w, "env_cubemap");
        if (made == BSP_NONE || !bspi_add_floats(w, made, "origin", origin, 3) ||
            !bspi_add_int(w, made, "cubemapsize", (int64_t)cubemap->size) ||
            (lit != 0 && !bspi_add_sides(w, made, sides, lit, BSP_ID_CUBEMAPS, i))) {
            return false;
        }
        w->report->cubemaps++;
    }
    return true;
}
