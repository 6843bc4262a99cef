// SPDX-License-Identifier: MIT
// The pieces of surfaces between which vrad throws light. A face is halved across its widest axis
// while that is four luxels wide; in 2005, wider than 64 units too. Facts: MakePatches,
// SubdividePatch and AddSampleToPatch of the Source SDKs (vrad.cpp, lightmap.cpp).
#include "bake/light/bounce/patches.h"
#include "bake/light/faces/face_area.h"
#include "bake/light/faces/piece.h"
#include "bake/light/places/cells.h"
#include "bake/light/vrad/vrad.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define CHOP 4.0f        // luxels
#define MOST 24576.0f    // pieces of a map that take light; with more, each is larger
#define DIM (1 / 255.0f) // light that vrad leaves out
#define STRAIGHT 1e-5f   // of 1: so nearly opposite are the ways to both sides of no corner
#define LIFT 1.0f        // units: from a face without luxels to where lines to it end
#define OFF 0.1f         // units: the cluster of a piece is that so far before it
#define DEEPEST 16       // halves of halves
#define SLOP 2.0f        // units that a place may be beside the one piece that takes its light
#define SLIM 3.0f        // times wider than along both other axes: it is halved once more
#define STEPS 16u        // pieces that a cell is held against: so many are one of work
#define FULLEST (BSPI_PIECE_CORNERS / 2)

typedef struct cutter {
    bspi_vrad *v;
    const bspi_vrad_rules *rules;
    const bspi_cells *cells;
    const float *origin;
    float luxels;   // in a unit
    float chop;     // by how much wider pieces are than that
    uint64_t steps; // pieces that cells were held against
} cutter;

// How wide pieces are, in luxels, where `luxels` are in a unit.
static float chop_of(const bspi_vrad_rules *rules, float luxels) {
    return fmaxf(CHOP, rules->units * luxels);
}

// --- cutting ------------------------------------------------------------------------------------

bool bspi_vrad_patch_add(bspi_vrad *v, const bspi_vrad_patch *patch, bsp_error *error) {
    bspi_relight *own = v->own;
    bspi_vrad_patch *list =
        bspi_grow(&own->heap, v->patches, v->num_patches, &v->room, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    v->patches = list;
    list[v->num_patches++] = *patch;
    return bspi_heap_work(&own->heap, 64, error);
}

// Sets the area of a piece, and the middle of it.
static void measure(const bspi_piece *piece, bspi_vrad_patch *out) {
    out->area = 0;
    memset(out->middle, 0, sizeof out->middle);
    for (uint32_t i = 2; i < piece->count; i++) {
        float across[3];
        bspi_triangle_cross(piece->points[0], piece->points[i - 1], piece->points[i], across);
        float area = sqrtf(bspi_dot(across, across)) / 2;
        out->area += area;
        for (int c = 0; c < 3; c++) {
            out->middle[c] +=
                area * (piece->points[0][c] + piece->points[i - 1][c] + piece->points[i][c]) / 3;
        }
    }
    for (int c = 0; c < 3 && out->area > 0; c++) {
        out->middle[c] /= out->area;
    }
}

// Adds a piece of the face.
static bool add_piece(const cutter *k, const bspi_piece *piece, bsp_error *error) {
    bspi_relight *own = k->v->own;
    bspi_vrad_patch patch = {.face = k->cells->face,
                             .halves = {BSP_NONE, BSP_NONE},
                             .directions = k->cells->luxels.blocks,
                             .num_corners = piece->count};
    float(*corners)[3] = bspi_arena_raw(&own->arena, piece->count, sizeof *corners, error);
    if (corners == NULL) {
        return false;
    }
    memcpy(corners, piece->points, piece->count * sizeof *corners);
    patch.corners = (const float(*)[3])corners;
    measure(piece, &patch);
    for (int c = 0; c < 3; c++) {
        patch.mins[c] = patch.maxs[c] = corners[0][c];
        for (uint32_t i = 1; i < piece->count; i++) {
            patch.mins[c] = fminf(patch.mins[c], corners[i][c]);
            patch.maxs[c] = fmaxf(patch.maxs[c], corners[i][c]);
        }
    }
    return bspi_vrad_patch_add(k->v, &patch, error);
}

static float width_of(const bspi_vrad_patch *patch, int axis) {
    return patch->maxs[axis] - patch->mins[axis];
}

// Must a piece be halved that is so wide along its widest axis? `chop`: what its halves may be.
static bool is_large(const cutter *k, const bspi_vrad_patch *patch, int widest, float *chop) {
    float size = width_of(patch, widest);
    float units = k->rules->units;
    if (!k->rules->edges) {
        return size * k->luxels >= *chop;
    }
    if (size * k->luxels > *chop && size > units) {
        return true;
    }
    bool slim = size > SLIM * width_of(patch, (widest + 1) % 3) &&
                size > SLIM * width_of(patch, (widest + 2) % 3) && *chop > units * k->luxels;
    *chop /= slim ? 2 : 1;
    return slim;
}

// Pieces at the edge of their face may be half as wide, where that is more than the least.
static float chop_at_edge(const cutter *k, const bspi_vrad_patch *whole,
                          const bspi_vrad_patch *patch, float chop) {
    float least = k->rules->edges ? k->rules->units * k->luxels : 0;
    bool edge = false;
    for (int c = 0; least > 0 && c < 3; c++) {
        if (!(width_of(patch, c) * k->luxels < chop)) {
            return chop;
        }
        edge = edge || ((whole->maxs[c] == patch->maxs[c] || whole->mins[c] == patch->mins[c]) &&
                        width_of(patch, c) > k->rules->units);
    }
    return edge ? fmaxf(least, chop / 2) : chop;
}

// Halves the last piece that was added, and its halves, as long as they are too large.
static bool halve(const cutter *k, const bspi_piece *piece, uint32_t first, float chop, int depth,
                  bsp_error *error) {
    bspi_vrad *v = k->v;
    uint32_t number = v->num_patches - 1;
    bspi_vrad_patch whole = v->patches[number];
    float across[3] = {0, 0, 0};
    int widest = 0;
    bspi_piece half[2];
    for (int c = 1; c < 3; c++) {
        widest = width_of(&whole, c) > width_of(&whole, widest) ? c : widest;
    }
    chop = depth != 0 ? chop_at_edge(k, &v->patches[first], &whole, chop) : chop;
    float at = whole.mins[widest] + width_of(&whole, widest) / 2;
    if (depth == DEEPEST || (float)v->num_patches > 3 * MOST ||
        !is_large(k, &whole, widest, &chop) ||
        !(at > whole.mins[widest] && at < whole.maxs[widest])) {
        return true;
    }
    for (int i = 0; i < 2; i++) {
        across[widest] = i == 0 ? 1 : -1;
        if (!bspi_piece_clip(piece, across, i == 0 ? at : -at, &half[i]) || half[i].count < 3 ||
            !(bspi_piece_area(&half[i]) > 0)) {
            return true;
        }
    }
    for (int i = 0; i < 2; i++) {
        v->patches[number].halves[i] = v->num_patches;
        if (!add_piece(k, &half[i], error) || !halve(k, &half[i], first, chop, depth + 1, error)) {
            return false;
        }
    }
    return true;
}

// Sets the outline of a face without what are mere points of an edge; false: too many corners.
static bool outline(const cutter *k, bspi_piece *out) {
    const bspi_cells *cells = k->cells;
    out->count = 0;
    for (uint32_t i = 0; i < cells->num_corners; i++) {
        const float *at = cells->corners[i].point;
        uint32_t past = i != 0 ? i - 1 : cells->num_corners - 1;
        float ways[2][3];
        for (int c = 0; c < 3; c++) {
            ways[0][c] = cells->corners[past].point[c] - at[c];
            ways[1][c] = cells->corners[(i + 1) % cells->num_corners].point[c] - at[c];
        }
        bool sound = bspi_normalize(ways[0]) > 0 && bspi_normalize(ways[1]) > 0;
        if (!sound || bspi_dot(ways[0], ways[1]) <= STRAIGHT - 1) {
            continue;
        }
        if (out->count == FULLEST) {
            return false;
        }
        for (int c = 0; c < 3; c++) {
            out->points[out->count][c] = at[c] + k->origin[c];
        }
        out->count++;
    }
    return out->count >= 3;
}

// --- light --------------------------------------------------------------------------------------

// Gives the light of a cell to the pieces that it may be on.
static void shine(cutter *k, uint32_t number, const float point[3], float area,
                  const float light[3]) {
    bspi_vrad_patch *patch = &k->v->patches[number];
    float radius = sqrtf(area) / 2;
    k->steps++;
    for (int c = 0; c < 3; c++) {
        if (patch->mins[c] > point[c] + radius || patch->maxs[c] < point[c] - radius) {
            return;
        }
    }
    for (int i = 0; i < 2 && patch->halves[i] != BSP_NONE; i++) {
        shine(k, patch->halves[i], point, area, light);
    }
    if (patch->halves[0] == BSP_NONE) {
        patch->samples += area;
        for (int c = 0; c < 3; c++) {
            patch->light[c] += area * light[c];
        }
    }
}

// Gives the light of a cell to one of the halves of a piece, or of theirs, that it is beside: to
// the one that vrad made last. False: it is beside none.
static bool shine_one(cutter *k, uint32_t number, const float point[3], float area,
                      const float light[3]) {
    const bspi_vrad_patch *patches = k->v->patches;
    bspi_vrad_patch *patch = &k->v->patches[number];
    k->steps++;
    for (int c = 0; c < 3; c++) {
        if (patch->mins[c] > point[c] + SLOP || patch->maxs[c] < point[c] - SLOP) {
            return false;
        }
    }
    if (patch->halves[0] == BSP_NONE) {
        patch->samples = patch->area;
        for (int c = 0; c < 3; c++) {
            patch->light[c] += area * light[c];
        }
        return true;
    }
    for (int i = 4; i-- > 0;) { // halves of halves come after both halves
        uint32_t half = patch->halves[i % 2];
        if ((patches[half].halves[0] != BSP_NONE) == (i >= 2) &&
            shine_one(k, half, point, area, light)) {
            return true;
        }
    }
    return false;
}

// Returns the square units of a square luxel.
static float luxel_area(const bspi_cells *cells) {
    float sizes = sqrtf(bspi_dot(cells->luxels.vecs[0], cells->luxels.vecs[0])) *
                  sqrtf(bspi_dot(cells->luxels.vecs[1], cells->luxels.vecs[1]));
    return sizes > 0 ? 1 / sizes : 0;
}

static void light_face(cutter *k, uint32_t first) {
    bspi_vrad *v = k->v;
    const bspi_cells *cells = k->cells;
    const bsp_relight_face *face = &v->own->faces[cells->face];
    size_t each = (size_t)face->width * face->height * face->directions;
    uint32_t style = bspi_face_style(face, 0);
    for (uint32_t n = 0; style != BSP_NONE && n < cells->count; n++) {
        const bspi_cell *cell = &cells->list[n];
        const float *light = face->luxels[each * style + n];
        float point[3];
        if (!bspi_cell_is(cell) || !(light[0] + light[1] + light[2] >= 3 * DIM)) {
            continue;
        }
        bspi_flat_point(&cells->flat, cell->at[0], cell->at[1], point);
        for (int c = 0; c < 3; c++) {
            point[c] += k->origin[c];
        }
        if (k->rules->alone) {
            (void)shine_one(k, first, point, cell->area * luxel_area(cells), light);
        } else {
            shine(k, first, point, cell->area * luxel_area(cells), light);
        }
    }
    for (uint32_t i = v->num_patches; i-- > first;) {
        bspi_vrad_patch *patch = &v->patches[i];
        bool whole = patch->halves[0] == BSP_NONE;
        for (int c = 0; c < 3; c++) {
            const bspi_vrad_patch *a = whole ? patch : &v->patches[patch->halves[0]];
            const bspi_vrad_patch *b = whole ? patch : &v->patches[patch->halves[1]];
            float mean = patch->samples > 0 ? patch->light[c] / patch->samples : 0;
            patch->light[c] =
                whole ? mean
                      : (a->light[c] * a->area + b->light[c] * b->area) / (a->area + b->area);
        }
    }
}

// --- places -------------------------------------------------------------------------------------

static void set_reflects(const bspi_relight *own, bspi_vrad_patch *patch) {
    uint32_t material = bsp_surface_material(own->map, patch->face);
    for (int c = 0; c < 3; c++) {
        patch->reflects[c] =
            material < own->map->num_materials ? own->colors[material].reflects[c] : 0.5f;
    }
}

// Sets the cluster that a piece is in: that before its middle, or else before one of its corners.
static void find_cluster(const bspi_relight *own, bspi_vrad_patch *patch, const float normal[3]) {
    float off = fmaxf(OFF, own->scale.vrad->off);
    for (uint32_t i = 0; patch->cluster == BSP_NONE && i <= patch->num_corners; i++) {
        const float *at = i == 0 ? patch->middle : patch->corners[i - 1];
        float point[3];
        for (int c = 0; c < 3; c++) {
            point[c] = at[c] + normal[c] * off;
        }
        uint32_t leaf = bsp_trace_leaf(own->index, point);
        patch->cluster = leaf < own->map->num_leaves ? own->map->leaves[leaf].cluster : BSP_NONE;
    }
}

static bool place_face(const cutter *k, uint32_t first, bsp_error *error) {
    bspi_vrad *v = k->v;
    bspi_relight *own = v->own;
    const bspi_cells *cells = k->cells;
    uint32_t count = v->num_patches - first;
    bspi_places places = {0};
    float(*at)[2] = bspi_heap_alloc(&own->heap, count * sizeof *at, error);
    for (uint32_t i = 0; at != NULL && i < count; i++) {
        const bspi_vrad_patch *patch = &v->patches[first + i];
        for (int c = 0; c < 2; c++) {
            const float *vec = cells->luxels.vecs[c];
            at[i][c] = bspi_dot(vec, patch->middle) - bspi_dot(vec, k->origin) + vec[3];
        }
    }
    bool done = at != NULL &&
                bspi_cells_places(own, cells, (const float(*)[2])at, count, count, &places, error);
    for (uint32_t i = 0; done && i < count; i++) {
        bspi_vrad_patch *patch = &v->patches[first + i];
        memcpy(patch->point, places.points[i], sizeof patch->point);
        memcpy(patch->normal, places.normals[i], sizeof patch->normal);
        if (patch->directions > 1) {
            bspi_place_axes(&places, i, patch->axes);
        }
        set_reflects(own, patch);
        patch->cluster = BSP_NONE;
        find_cluster(own, patch, cells->flat.normal);
        for (int c = 0; c < 3; c++) {
            patch->middle[c] += cells->flat.normal[c] * k->rules->off;
        }
    }
    bspi_places_free(own, &places);
    bspi_heap_free(&own->heap, at, count * sizeof *at);
    return done;
}

// --- all ----------------------------------------------------------------------------------------

static float luxels_of(const bspi_luxels *luxels) {
    return (sqrtf(bspi_dot(luxels->vecs[0], luxels->vecs[0])) +
            sqrtf(bspi_dot(luxels->vecs[1], luxels->vecs[1]))) /
           2;
}

// By how much wider pieces are, so that there are not too many.
static float choose_chop(const bspi_relight *own) {
    float count = 0;
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        bspi_luxels luxels;
        if (own->faces[f].luxels != NULL && bspi_luxels_place(&own->source, f, &luxels)) {
            float size = luxels_of(&luxels);
            float chop = chop_of(own->scale.vrad, size);
            count += bspi_face_area(own, f) * size * size / (chop * chop / 2) + 1;
        }
    }
    return count <= MOST ? 1 : sqrtf(count / MOST); // no number: none is divided
}

static bool cut_face(cutter *k, bsp_error *error) {
    bspi_vrad *v = k->v;
    bspi_piece whole;
    uint32_t first = v->num_patches;
    k->luxels = luxels_of(&k->cells->luxels);
    k->origin = v->own->models[v->own->face_models[k->cells->face]].origin;
    if (!outline(k, &whole) || !(bspi_piece_area(&whole) > 0)) {
        return true;
    }
    if (!add_piece(k, &whole, error) ||
        !halve(k, &whole, first, k->chop * chop_of(k->rules, k->luxels), 0, error)) {
        return false;
    }
    for (int c = 0; c < 3; c++) { // of all corners, those that are points of an edge too
        v->patches[first].middle[c] = k->cells->middle[c] + k->origin[c];
    }
    light_face(k, first);
    uint64_t work = k->steps / STEPS;
    k->steps %= STEPS;
    if (!bspi_heap_work(&v->own->heap, work, error) || !place_face(k, first, error)) {
        return false;
    }
    memcpy(v->patches[first].normal, k->cells->flat.normal, sizeof k->cells->flat.normal);
    return true;
}

// Adds a face without luxels, as a whole: it takes light and throws it back like others, one of the
// sky takes none. Luxels beside mix it all the same.
static bool add_unlit(cutter *k, uint32_t face, bsp_error *error) {
    bspi_relight *own = k->v->own;
    bsp_surface_corner corners[FULLEST];
    bspi_piece whole = {0};
    float normal[3];
    float dist;
    const float *origin = own->models[own->face_models[face]].origin;
    bool sky = (bsp_surface_bits_of(own->map, face) & BSP_SURFACE_SKY) != 0;
    if (own->map->faces[face].displacement != BSP_NONE ||
        own->map->faces[face].num_edges > FULLEST ||
        !bsp_surface_plane(own->map, face, normal, &dist)) {
        return true;
    }
    whole.count = bsp_surface_corners(own->map, face, corners, FULLEST);
    for (uint32_t i = 0; i < whole.count; i++) {
        for (int c = 0; c < 3; c++) {
            whole.points[i][c] = corners[i].point[c] + origin[c];
        }
    }
    if (whole.count < 3 || !(bspi_piece_area(&whole) > 0)) {
        return true;
    }
    const bspi_cells cells = {.face = face, .luxels.blocks = sky ? 0 : 1};
    k->cells = &cells;
    if (!add_piece(k, &whole, error)) {
        return false;
    }
    bspi_vrad_patch *patch = &k->v->patches[k->v->num_patches - 1];
    memcpy(patch->normal, normal, sizeof patch->normal);
    set_reflects(own, patch);
    patch->cluster = BSP_NONE;
    if (!sky) {
        find_cluster(own, patch, normal);
    }
    for (int c = 0; c < 3; c++) {
        patch->middle[c] = 0;
        for (uint32_t i = 0; i < whole.count; i++) {
            patch->middle[c] += whole.points[i][c] / (float)whole.count;
        }
        patch->point[c] = patch->middle[c] + normal[c] * LIFT;
        patch->middle[c] += normal[c] * k->rules->off;
    }
    return true;
}

static bool cut_faces(bspi_vrad *v, bool *flat, bsp_error *error) {
    bspi_relight *own = v->own;
    cutter k = {.v = v, .rules = own->scale.vrad, .chop = choose_chop(own)};
    bool done = true;
    for (uint32_t f = 0; done && f < own->map->num_faces; f++) {
        const bsp_relight_face *face = &own->faces[f];
        bspi_cells cells;
        v->firsts[f] = v->num_patches;
        if (face->luxels == NULL || face->num_styles == 0) {
            done = add_unlit(&k, f, error);
            continue;
        }
        if (!bspi_cells_find(own, f, &cells, error)) {
            return false;
        }
        if (cells.count != 0 && cells.width == face->width && cells.height == face->height) {
            k.cells = &cells;
            done = cut_face(&k, error);
        }
        flat[f] = v->num_patches > v->firsts[f];
        bspi_cells_free(own, &cells);
    }
    v->firsts[own->map->num_faces] = v->num_flat = v->num_patches;
    return done;
}

bool bspi_vrad_patches(bspi_vrad *v, bsp_error *error) {
    bspi_relight *own = v->own;
    size_t faces = own->map->num_faces;
    v->firsts = bspi_arena_zero(&own->arena, faces + 1, sizeof *v->firsts, error);
    bool *flat = bspi_arena_zero(&own->arena, faces + 1, sizeof *flat, error);
    return v->firsts != NULL && flat != NULL && bspi_colors_find(own, error) &&
           cut_faces(v, flat, error) && bspi_patches_make(own, flat, error);
}
