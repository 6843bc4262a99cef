// SPDX-License-Identifier: MIT
// The pieces of displacements between which vrad throws light: some luxels each, and what they are
// halves of.
#include "bake/light/bounce/patches.h"
#include "bake/light/vrad/vrad.h"

#include "core/vector.h"

#include <string.h>

// Adds a patch of a displacement, some luxels. BSP_NONE: one without any.
static bool add_hill(bspi_vrad *v, uint32_t face, uint32_t number, bsp_error *error) {
    const bspi_relight *own = v->own;
    const bspi_vrad_patch none = {
        .face = face, .halves = {BSP_NONE, BSP_NONE}, .cluster = BSP_NONE};
    if (number == BSP_NONE) {
        return bspi_vrad_patch_add(v, &none, error);
    }
    const bspi_patch *from = &own->patches[number];
    bspi_vrad_patch patch = {.face = face,
                             .halves = {BSP_NONE, BSP_NONE},
                             .area = from->area,
                             .directions = 1,
                             .cluster = from->leaf < own->map->num_leaves
                                            ? own->map->leaves[from->leaf].cluster
                                            : BSP_NONE};
    memcpy(patch.point, from->point, sizeof patch.point);
    memcpy(patch.middle, from->point, sizeof patch.middle);
    memcpy(patch.normal, from->normal, sizeof patch.normal);
    memcpy(patch.reflects, from->reflects, sizeof patch.reflects);
    for (int c = 0; c < 3 && from->num_styles != 0 && from->styles[0] == 0; c++) {
        patch.light[c] = from->reflects[c] > 0 ? from->lit[0][c] / from->reflects[c] : 0;
    }
    v->hill_of[number] = v->num_patches;
    return bspi_vrad_patch_add(v, &patch, error);
}

// Makes a piece the sum of its halves.
static void join_halves(bspi_vrad *v, uint32_t number) {
    bspi_vrad_patch *whole = &v->patches[number];
    whole->area = 0;
    for (int i = 0; i < 2; i++) {
        const bspi_vrad_patch *half = &v->patches[whole->halves[i]];
        whole->area += half->area;
        for (int c = 0; c < 3; c++) {
            whole->middle[c] += half->middle[c] * half->area;
            whole->normal[c] += half->normal[c] * half->area;
            whole->light[c] += half->light[c] * half->area;
            whole->reflects[c] = half->reflects[c];
        }
    }
    for (int c = 0; c < 3 && whole->area > 0; c++) {
        whole->middle[c] /= whole->area;
        whole->light[c] /= whole->area;
    }
    memcpy(whole->point, whole->middle, sizeof whole->point);
    (void)bspi_normalize(whole->normal);
}

// Adds the patches of a part of a displacement: first that as a whole, then its halves.
static bool add_part(bspi_vrad *v, uint32_t face, const uint32_t from[2], const uint32_t to[2],
                     bsp_error *error) {
    const bspi_patch_grid *grid = &v->own->grids[face];
    const uint32_t size[2] = {to[0] - from[0], to[1] - from[1]};
    if (size[0] == 1 && size[1] == 1) {
        return add_hill(v, face, grid->number[(size_t)from[1] * grid->columns + from[0]], error);
    }
    const int axis = size[1] > size[0];
    const uint32_t whole = v->num_patches;
    const bspi_vrad_patch patch = {
        .face = face, .halves = {BSP_NONE, BSP_NONE}, .directions = 1, .cluster = BSP_NONE};
    uint32_t halves[2];
    bool done = bspi_vrad_patch_add(v, &patch, error);
    for (int i = 0; done && i < 2; i++) {
        uint32_t first[2] = {from[0], from[1]};
        uint32_t end[2] = {to[0], to[1]};
        *(i == 0 ? &end[axis] : &first[axis]) = from[axis] + size[axis] / 2;
        halves[i] = v->num_patches;
        done = add_part(v, face, first, end, error);
    }
    if (done) {
        memcpy(v->patches[whole].halves, halves, sizeof halves);
        join_halves(v, whole);
    }
    return done;
}

bool bspi_vrad_patches_hills(bspi_vrad *v, bsp_error *error) {
    bspi_relight *own = v->own;
    v->hill_of = bspi_arena_raw(&own->arena, (size_t)own->num_patches + 1, sizeof(uint32_t), error);
    v->hills =
        bspi_arena_zero(&own->arena, (size_t)own->map->num_faces + 1, sizeof(uint32_t), error);
    bool done = v->hill_of != NULL && v->hills != NULL;
    for (uint32_t f = 0; done && f < own->map->num_faces; f++) {
        const bspi_patch_grid *grid = &own->grids[f];
        const uint32_t from[2] = {0, 0};
        const uint32_t to[2] = {grid->columns, grid->rows};
        v->hills[f] = v->num_patches;
        done = grid->columns == 0 || grid->rows == 0 || add_part(v, f, from, to, error);
        v->hills[f + 1] = v->num_patches;
    }
    return done;
}
