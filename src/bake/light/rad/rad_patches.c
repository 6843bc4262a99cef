// SPDX-License-Identifier: MIT
// The patches of hlrad: pieces of all lit faces in a grid of 64 texels, 32 where the texture gives
// light. Each has the mean light of the luxels on it, and takes itself what all of the sky gives.
// Sources: qrad.cpp, lightmap.cpp (AddSamplesToPatches) of SDHLT.
#include "bake/light/faces/face_area.h"
#include "bake/light/faces/outline.h"
#include "bake/light/faces/piece_grid.h"
#include "bake/light/gather/direct.h"
#include "bake/light/lamps/hlrad_settings.h"
#include "bake/light/rad/rad.h"

#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define CHOP 64.0f      // texels
#define CHOP_GLOW 32.0f // of a face that gives light
#define MOST 24576.0f   // patches of a map; with more, each is larger
#define SLIVER 1e-4     // luxels

// --- cutting ------------------------------------------------------------------------------------

typedef struct cutter {
    bspi_rad *rad;
    uint32_t face;
    size_t room;
} cutter;

static bool add_patch(void *user, const bspi_piece *piece, const float normal[3],
                      bsp_error *error) {
    cutter *k = user;
    bspi_relight *own = k->rad->own;
    bspi_rad_patch *list =
        bspi_grow(&own->heap, k->rad->patches, k->rad->num_patches, &k->room, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    k->rad->patches = list;
    bspi_rad_patch patch = {.face = k->face, .area = bspi_piece_area(piece)};
    float(*corners)[3] = bspi_arena_raw(&own->arena, piece->count, sizeof *corners, error);
    if (corners == NULL || !bspi_heap_work(&own->heap, 64, error)) {
        return false;
    }
    if (!(patch.area > 0) || !isfinite(patch.area)) {
        return true;
    }
    memcpy(corners, piece->points, piece->count * sizeof *corners);
    patch.corners = (const float(*)[3])corners;
    patch.num_corners = piece->count;
    memcpy(patch.normal, normal, sizeof patch.normal);
    list[k->rad->num_patches++] = patch;
    return true;
}

// May a face have patches?
static bool is_lit(const bspi_relight *own, uint32_t face) {
    return bspi_place_takes_light(own, face) &&
           own->map->faces[face].texinfo < own->map->num_texinfos;
}

static bool glows(const bspi_relight *own, uint32_t face) {
    return own->glow != NULL && own->glow[face][0] + own->glow[face][1] + own->glow[face][2] > 0;
}

// How many times larger than hlrad's patches are, so that there are not too many.
static float scale_of(const bspi_relight *own) {
    double cells = 1;
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        if (is_lit(own, f)) {
            cells += (double)bspi_face_area(own, f) / (double)(CHOP * CHOP) + 1;
        }
    }
    return cells > (double)MOST ? (float)sqrt(cells / (double)MOST) : 1;
}

static bool cut_faces(bspi_rad *rad, bsp_error *error) {
    bspi_relight *own = rad->own;
    cutter k = {.rad = rad};
    float scale = scale_of(own) * own->effort->patches;
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        bool fits = true;
        k.face = f;
        rad->firsts[f] = rad->num_patches;
        if (is_lit(own, f) && !bspi_piece_grid(own, f, scale * (glows(own, f) ? CHOP_GLOW : CHOP),
                                               add_patch, &k, &fits, error)) {
            return false;
        }
    }
    rad->firsts[own->map->num_faces] = rad->num_patches;
    rad->room = k.room;
    return true;
}

// --- light --------------------------------------------------------------------------------------

// Cuts a patch, in luxels of its face, to the square of a luxel, and returns the area of that.
static double share_of(const bspi_outline *patch, uint32_t x, uint32_t y) {
    static const double normals[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    bspi_outline part = *patch;
    const double at[2] = {x, y};
    for (int k = 0; k < 4 && part.count != 0; k++) {
        double sign = (k & 1) != 0 ? -1 : 1;
        bspi_outline_clip(&part, normals[k], sign * at[k / 2] - 0.5, SLIVER);
    }
    return fabs(bspi_outline_area(&part));
}

// Sums up the light of luxels by how much of them is on a patch. Returns how many were looked at.
static uint64_t mean_of(const bsp_relight_face *face, const bspi_outline *outline,
                        bspi_rad_light *out) {
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    const double size[2] = {face->width, face->height};
    double total = 0;
    uint64_t looked = 0;
    size_t each = (size_t)face->width * face->height * face->directions;
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < outline->count; i++) {
            low[k] = fmin(low[k], outline->points[i][k]);
            high[k] = fmax(high[k], outline->points[i][k]);
        }
        low[k] = fmax(0, floor(low[k] + 0.5));
        high[k] = fmin(size[k] - 1, floor(high[k] + 0.5));
    }
    out->num_styles =
        face->num_styles < BSPI_RELIGHT_STYLES ? face->num_styles : BSPI_RELIGHT_STYLES;
    memcpy(out->styles, face->styles, sizeof out->styles);
    for (double y = low[1]; y <= high[1]; y++) {
        for (double x = low[0]; x <= high[0]; x++) {
            double share = share_of(outline, (uint32_t)x, (uint32_t)y);
            size_t n = (size_t)y * face->width + (size_t)x;
            total += share;
            looked++;
            for (uint32_t s = 0; s < out->num_styles; s++) {
                for (int c = 0; c < 3; c++) {
                    out->light[s][c] += (float)share * face->luxels[each * s + n][c];
                }
            }
        }
    }
    for (uint32_t s = 0; s < out->num_styles; s++) {
        for (int c = 0; c < 3; c++) {
            out->light[s][c] = total > 0 ? fmaxf(0, out->light[s][c] / (float)total) : 0;
        }
    }
    return looked;
}

static bool light_patch(const bspi_rad *rad, bspi_rad_patch *patch, bsp_error *error) {
    bspi_relight *own = rad->own;
    const bsp_relight_face *face = &own->faces[patch->face];
    const float *origin = own->models[own->face_models[patch->face]].origin;
    bspi_luxels luxels;
    bspi_outline outline = {.count = patch->num_corners};
    if (face->luxels == NULL || !bspi_luxels_place(&own->source, patch->face, &luxels) ||
        patch->num_corners > BSPI_UNFOLD_CORNERS) {
        return true;
    }
    for (uint32_t i = 0; i < patch->num_corners; i++) {
        for (int k = 0; k < 2; k++) {
            double at = (double)luxels.vecs[k][3];
            for (int c = 0; c < 3; c++) {
                at += (double)luxels.vecs[k][c] * (double)(patch->corners[i][c] - origin[c]);
            }
            outline.points[i][k] = at;
        }
    }
    return bspi_heap_work(&own->heap, mean_of(face, &outline, &patch->direct), error);
}

// Measures what a patch takes of lamps that are not measured at luxels.
static bool take_light(bspi_relight *own, bspi_rad_patch *patch, bsp_error *error) {
    bool lit = true;
    bsp_relight_face out = {0};
    bspi_places places = {.points = &patch->place.point,
                          .normals = &patch->normal,
                          .lit = &lit,
                          .count = 1,
                          .width = 1,
                          .height = 1,
                          .model = own->face_models[patch->face],
                          .extra = 1,
                          .step = 1,
                          .directions = 1,
                          .share = BSPI_LAMPS_SKY};
    memcpy(places.normal, patch->normal, sizeof places.normal);
    memcpy(places.middle, patch->place.point, sizeof places.middle);
    bool done = bspi_direct_at(own, &places, &out, error);
    for (uint32_t s = 0; done && s < out.num_styles && s < BSPI_RELIGHT_STYLES; s++) {
        patch->taken.styles[s] = out.styles[s];
        memcpy(patch->taken.light[s], out.luxels[s], sizeof patch->taken.light[s]);
        patch->taken.num_styles++;
    }
    bspi_heap_free(&own->heap, (void *)out.luxels,
                   out.luxels != NULL ? own->most_styles * sizeof *out.luxels : 0);
    patch->all = patch->taken;
    return done;
}

static void settle(const bspi_rad *rad, bspi_rad_patch *patch) {
    bspi_relight *own = rad->own;
    uint32_t model = own->face_models[patch->face];
    uint32_t material = bsp_surface_material(own->map, patch->face);
    bspi_piece piece = {.count = patch->num_corners};
    memcpy(piece.points, patch->corners, patch->num_corners * sizeof *patch->corners);
    bspi_rad_place_find(own, &piece, patch->normal, &patch->place);
    patch->leaf = bsp_trace_leaf(own->index, patch->place.point);
    for (int c = 0; c < 3; c++) {
        patch->middle[c] = patch->place.point[c] - patch->normal[c] * BSPI_RAD_LIFT;
        bool opaque = model == 0 || own->models[model].shades;
        bool known = opaque && material < own->map->num_materials;
        patch->reflects[c] = bspi_hlrad_is_old(own) ? own->scale.reflects
                             : known                ? own->colors[material].reflects[c]
                                                    : 0;
    }
    for (uint32_t i = 0; i < patch->num_corners; i++) {
        float way[3];
        for (int c = 0; c < 3; c++) {
            way[c] = patch->corners[i][c] - patch->middle[c];
        }
        patch->size = fmaxf(patch->size, sqrtf(bspi_dot(way, way)));
    }
}

static bool finish_patch(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const bspi_rad *rad = user;
    bspi_rad_patch *patch = &rad->patches[item];
    (void)worker;
    settle(rad, patch);
    return light_patch(rad, patch, error) && take_light(rad->own, patch, error);
}

bool bspi_rad_patches(bspi_rad *rad, bsp_error *error) {
    bspi_relight *own = rad->own;
    rad->firsts =
        bspi_arena_zero(&own->arena, (size_t)own->map->num_faces + 1, sizeof *rad->firsts, error);
    if (rad->firsts == NULL || !bspi_colors_find(own, error) || !cut_faces(rad, error)) {
        return false;
    }
    own->relight.num_patches = rad->num_patches;
    return bspi_workers_each(bspi_heap_threads(&own->heap), rad->num_patches, finish_patch, rad,
                             error);
}
