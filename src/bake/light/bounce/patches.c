// SPDX-License-Identifier: MIT
// Patches: the pieces of surfaces between which light is thrown, some luxels each. Facts: sheet
// bake, 3.3.
#include "bake/light/bounce/patches.h"
#include "bake/light/places/places.h"

#include "core/workers.h"

#include <math.h>
#include <string.h>

#define STEP 4u     // luxels along an edge of a patch, at first
#define MOST 24576u // patches; with more, each has more luxels

// --- patches of a face --------------------------------------------------------------------------

typedef struct builder {
    bspi_relight *own;
    bspi_patch **of_face; // of each face, `columns * rows` of them in the heap, area 0: none
    const bool *skip;
} builder;

// Adds the luxels of a face to their patches. Returns how many there are.
static uint32_t collect(const builder *b, uint32_t face, const bspi_places *places,
                        bspi_patch *patches) {
    const bsp_relight_face *light = &b->own->faces[face];
    const bspi_patch_grid *grid = &b->own->grids[face];
    size_t each = (size_t)light->width * light->height * light->directions;
    uint32_t count = 0;
    for (uint32_t n = 0; n < places->count; n++) {
        uint32_t cell = n / places->width / b->own->patch_step * grid->columns +
                        n % places->width / b->own->patch_step;
        bspi_patch *patch = &patches[cell];
        if (!places->lit[n]) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            patch->point[c] += places->points[n][c];
            patch->normal[c] += places->normals[n][c];
            for (uint32_t k = 0; k < light->num_styles && k < BSPI_RELIGHT_STYLES; k++) {
                float base =
                    light->styles[k] == 0 ? b->own->scale.curve.base[c] : 0; // is thrown too
                patch->lit[k][c] += fmaxf(0, light->luxels[each * k + n][c] + base);
            }
        }
        patch->area += 1;
        count++;
    }
    return count;
}

// Makes means of the sums of a patch, whose luxels have `each` square units.
static void settle(const builder *b, uint32_t face, float each, bspi_patch *patch) {
    const bsp_map *map = b->own->map;
    uint32_t material = bsp_surface_material(map, face);
    const bspi_color *colors = b->own->colors;
    float length = 0;
    for (int c = 0; c < 3; c++) {
        patch->point[c] /= patch->area;
        length += patch->normal[c] * patch->normal[c];
    }
    for (int c = 0; c < 3; c++) {
        patch->normal[c] /= length > 0 ? sqrtf(length) : 1;
        patch->reflects[c] = material < map->num_materials ? colors[material].reflects[c] : 0.5f;
        for (uint32_t k = 0; k < BSPI_RELIGHT_STYLES; k++) {
            patch->lit[k][c] *= patch->reflects[c] / patch->area;
        }
    }
    patch->num_styles = b->own->faces[face].num_styles;
    memcpy(patch->styles, b->own->faces[face].styles, sizeof patch->styles);
    patch->area *= each;
    patch->leaf = bsp_trace_leaf(b->own->index, patch->point);
}

static bool cut_face(void *user, uint32_t worker, uint32_t face, bsp_error *error) {
    const builder *b = user;
    bspi_relight *own = b->own;
    const bsp_relight_face *light = &own->faces[face];
    bspi_patch_grid *grid = &own->grids[face];
    bspi_places places;
    (void)worker;
    if (light->luxels == NULL || light->num_styles == 0 || (b->skip != NULL && b->skip[face]) ||
        (light->styles[0] != 0 && !own->scale.styled)) {
        return true;
    }
    grid->columns = (light->width + b->own->patch_step - 1) / b->own->patch_step;
    grid->rows = (light->height + b->own->patch_step - 1) / b->own->patch_step;
    size_t cells = (size_t)grid->columns * grid->rows;
    bspi_patch *patches = bspi_heap_alloc(&own->heap, cells * sizeof *patches, error);
    if (patches == NULL || !bspi_places_find(own, face, 1, &places, error)) {
        bspi_heap_free(&own->heap, patches, cells * sizeof *patches);
        return false;
    }
    b->of_face[face] = patches;
    memset(patches, 0, cells * sizeof *patches);
    uint32_t count = places.count != 0 ? collect(b, face, &places, patches) : 0;
    for (size_t i = 0; i < cells; i++) {
        if (patches[i].area > 0) {
            settle(b, face, places.area / (float)count, &patches[i]);
        }
    }
    bspi_places_free(own, &places);
    return true;
}

// --- all ----------------------------------------------------------------------------------------

static uint64_t count_cells(const bspi_relight *own, uint32_t step) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < own->map->num_faces; i++) {
        const bsp_relight_face *face = &own->faces[i];
        count += (uint64_t)((face->width + step - 1) / step) * ((face->height + step - 1) / step);
    }
    return count;
}

// Chooses how many luxels a patch has along an edge, so that there are not too many.
static uint32_t choose_step(const bspi_relight *own) {
    uint32_t step = STEP * (uint32_t)own->effort->patches;
    while (step < BSPI_MAX_LUXELS && count_cells(own, step) > MOST) {
        step *= 2;
    }
    return step;
}

// Moves the patches of all faces into one list, and numbers them.
static bool gather_patches(builder *b, bsp_error *error) {
    bspi_relight *own = b->own;
    size_t cells = 0;
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        cells += (size_t)own->grids[f].columns * own->grids[f].rows;
    }
    own->patches = bspi_arena_raw(&own->arena, cells, sizeof *own->patches, error);
    uint32_t *numbers = bspi_arena_raw(&own->arena, cells, sizeof *numbers, error);
    if (own->patches == NULL || numbers == NULL) {
        return false;
    }
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        bspi_patch_grid *grid = &own->grids[f];
        size_t count = (size_t)grid->columns * grid->rows;
        grid->number = numbers;
        for (size_t i = 0; i < count; i++) {
            bool there = b->of_face[f][i].area > 0;
            *numbers++ = there ? own->num_patches : BSP_NONE;
            if (there) {
                own->patches[own->num_patches++] = b->of_face[f][i];
            }
        }
    }
    own->relight.num_patches = own->num_patches;
    return true;
}

bool bspi_patches_make(bspi_relight *own, const bool *skip, bsp_error *error) {
    uint32_t faces = own->map->num_faces;
    builder b = {.own = own, .skip = skip};
    own->patch_step = choose_step(own);
    own->grids = bspi_arena_zero(&own->arena, faces, sizeof *own->grids, error);
    b.of_face = bspi_arena_zero(&own->arena, faces, sizeof *b.of_face, error);
    bool done = own->grids != NULL && b.of_face != NULL && bspi_colors_find(own, error) &&
                bspi_workers_each(bspi_heap_threads(&own->heap), faces, cut_face, &b, error) &&
                gather_patches(&b, error);
    for (uint32_t f = 0; b.of_face != NULL && own->grids != NULL && f < faces; f++) {
        size_t cells = (size_t)own->grids[f].columns * own->grids[f].rows;
        bspi_heap_free(&own->heap, b.of_face[f], cells * sizeof **b.of_face);
    }
    return done;
}

void bspi_patches_mix(const bspi_relight *own, const bspi_patch_grid *grid, uint32_t x, uint32_t y,
                      float out[3]) {
    float step = (float)own->patch_step;
    float u = ((float)x + 0.5f) / step - 0.5f;
    float v = ((float)y + 0.5f) / step - 0.5f;
    float total = 0;
    memset(out, 0, 3 * sizeof *out);
    for (int corner = 0; corner < 4; corner++) {
        float column = floorf(u) + (float)(corner & 1);
        float line = floorf(v) + (float)(corner >> 1);
        if (column < 0 || line < 0 || column >= (float)grid->columns || line >= (float)grid->rows) {
            continue;
        }
        uint32_t number = grid->number[(uint32_t)line * grid->columns + (uint32_t)column];
        float weight = (1 - fabsf(u - column)) * (1 - fabsf(v - line)) + 1e-4f;
        for (int c = 0; number != BSP_NONE && c < 3; c++) {
            out[c] += weight * own->patches[number].bounced[c];
        }
        total += number != BSP_NONE ? weight : 0;
    }
    for (int c = 0; c < 3 && total > 0; c++) {
        out[c] /= total;
    }
}

void bspi_patches_brighten(bspi_relight *own, uint32_t number, int style) {
    const bspi_patch_grid *grid = &own->grids[number];
    bsp_relight_face *face = &own->faces[number];
    size_t each = (size_t)face->width * face->height;
    uint32_t at = bspi_face_style(face, style);
    if (at == BSP_NONE) {
        return;
    }
    float(*luxels)[3] = (float(*)[3])face->luxels + each * face->directions * at;
    for (size_t n = 0; grid->columns != 0 && n < each; n++) {
        float light[3];
        bspi_patches_mix(own, grid, (uint32_t)(n % face->width), (uint32_t)(n / face->width),
                         light);
        for (uint32_t d = 0; d < face->directions; d++) {
            for (int c = 0; c < 3; c++) {
                luxels[each * d + n][c] += light[c];
            }
        }
    }
}
