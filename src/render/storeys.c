// SPDX-License-Identifier: MIT
// The storeys of a map: heights with much level ground; and the roofs that hide where players
// begin. Works on the renderer's pieces, without sky, liquids and the room of the sky.
#include "render/renderer.h"

#include "core/reader.h"
#include "render/frame.h"
#include "scene/start.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BIN 16.0F      // game units
#define MOST_BINS 2048 // and so 32768 units
#define LEVEL 0.7F     // least upward part of a normal that one can stand on, as in the engines
#define APART 112.0F   // least distance of two floors: a player and half of one
#define HEAD 80.0F     // where a picture is cut, above the floor
#define BELOW 8.0F     // or so far below the next floor
#define LEAST 0.05     // of the ground of the largest storey
#define MOST_STARTS 64 // that are asked whether a roof hides them
#define ABOVE 8.0F     // least height of a roof above an eye
#define SMALL 64u      // pixels across and down, of the pictures that are compared

typedef struct ground {
    double area[MOST_BINS];
    float lowest;
} ground;

// Twice the area of a triangle as seen from above; negative seen from below.
static double area_of(const float *a, const float *b, const float *c) {
    return ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
           ((double)c[0] - (double)a[0]) * ((double)b[1] - (double)a[1]);
}

static void add_piece(const bsp_renderer *renderer, const bspi_piece *piece, ground *all) {
    for (uint32_t i = 0; i + 2 < piece->num_indices; i += 3) {
        const uint32_t *index = &renderer->indices[piece->first_index + i];
        const bsp_mesh_vertex *v = renderer->vertices;
        const float *a = v[index[0]].position;
        const float *b = v[index[1]].position;
        const float *c = v[index[2]].position;
        float height = (a[2] + b[2] + c[2]) / 3 - all->lowest;
        double area = area_of(a, b, c);
        if (v[index[0]].normal[2] >= LEVEL && area > 0 && height >= 0 &&
            height < BIN * (float)MOST_BINS && isfinite(area)) {
            all->area[(uint32_t)(height / BIN)] += area;
        }
    }
}

// Returns the bin with the most ground among those that are far from the floors that were found, or
// MOST_BINS.
static uint32_t next_floor(const ground *all, const bsp_storey *found, uint32_t count) {
    uint32_t best = MOST_BINS;
    for (uint32_t i = 0; i < MOST_BINS; i++) {
        float floor = all->lowest + BIN * (float)i;
        bool near = false;
        for (uint32_t s = 0; s < count; s++) {
            near = near || fabsf(found[s].floor - floor) < APART;
        }
        if (!near && all->area[i] > 0 && (best == MOST_BINS || all->area[i] > all->area[best])) {
            best = i;
        }
    }
    return best;
}

static void sort(bsp_storey *list, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && list[k].floor < list[k - 1].floor; k--) {
            bsp_storey other = list[k];
            list[k] = list[k - 1];
            list[k - 1] = other;
        }
    }
}

uint32_t bsp_renderer_storeys(const bsp_renderer *renderer, bsp_storey *out) {
    assert(renderer != NULL && out != NULL);
    ground all;
    memset(&all, 0, sizeof all);
    all.lowest = renderer->mins[2];
    for (uint32_t i = 0; i < renderer->num_pieces; i++) {
        const bspi_piece *piece = &renderer->pieces[i];
        if (!piece->sky && !piece->liquid && !piece->in_room) {
            add_piece(renderer, piece, &all);
        }
    }
    uint32_t count = 0;
    double most = 0;
    while (count < BSP_MOST_STOREYS) {
        uint32_t bin = next_floor(&all, out, count);
        if (bin == MOST_BINS || all.area[bin] < most * LEAST) {
            break;
        }
        most = count == 0 ? all.area[bin] : most;
        out[count++] = (bsp_storey){.floor = all.lowest + BIN * (float)bin};
    }
    sort(out, count);
    for (uint32_t i = 0; i < count; i++) {
        float cut = out[i].floor + HEAD;
        bool last = i + 1 == count;
        out[i].cut = last || cut < out[i + 1].floor - BELOW ? cut : out[i + 1].floor - BELOW;
    }
    return count;
}

// --- roofs --------------------------------------------------------------------------------------

// Lowers `lowest` to the height of a triangle over a point, if it is seen from above there, and is
// higher than the point.
static void hide(const float *a, const float *b, const float *c, const float eye[3],
                 float *lowest) {
    double whole = area_of(a, b, c);
    double parts[3] = {area_of(b, c, eye), area_of(c, a, eye), area_of(a, b, eye)};
    if (!(whole > 0) || parts[0] < 0 || parts[1] < 0 || parts[2] < 0) {
        return;
    }
    double height =
        (parts[0] * (double)a[2] + parts[1] * (double)b[2] + parts[2] * (double)c[2]) / whole;
    if (height > (double)(eye[2] + ABOVE) && height < (double)*lowest) {
        *lowest = (float)height;
    }
}

// Returns the height of the lowest roof over a point, or INFINITY.
static float roof_over(const bsp_renderer *renderer, const float eye[3]) {
    float lowest = INFINITY;
    for (uint32_t p = 0; p < renderer->num_pieces; p++) {
        const bspi_piece *piece = &renderer->pieces[p];
        bool over = !piece->sky && !piece->liquid && !piece->in_room && piece->turning == 0 &&
                    piece->maxs[2] > eye[2];
        for (int i = 0; i < 2; i++) {
            over = over && piece->mins[i] <= eye[i] && eye[i] <= piece->maxs[i];
        }
        for (uint32_t i = 0; over && i + 2 < piece->num_indices; i += 3) {
            const uint32_t *index = &renderer->indices[piece->first_index + i];
            const bsp_mesh_vertex *v = renderer->vertices;
            hide(v[index[0]].position, v[index[1]].position, v[index[2]].position, eye, &lowest);
        }
    }
    return lowest;
}

// Returns how many pixels of a small picture from above show something.
static uint32_t shown(const bsp_renderer *renderer, bool cuts, float cut) {
    const bsp_view view = {.width = SMALL, .height = SMALL, .top = true, .cuts = cuts, .cut = cut};
    const bsp_draw_options options = {.no_fog = true};
    bsp_image image;
    uint32_t count = 0;
    if (bsp_renderer_draw(renderer, &view, &options, &image, NULL, NULL)) {
        for (uint32_t i = 0; i < SMALL * SMALL; i++) {
            count += bspi_load32(image.pixels + 4 * (size_t)i, false) != BSPI_PAPER;
        }
        bsp_image_free(&image);
    }
    return count;
}

bool bsp_renderer_roof_cut(const bsp_renderer *renderer, float *cut) {
    assert(renderer != NULL && cut != NULL);
    float eyes[MOST_STARTS][3];
    float lowest[BSP_MOST_STOREYS];
    uint32_t votes[BSP_MOST_STOREYS] = {0};
    bsp_storey list[BSP_MOST_STOREYS];
    uint32_t count = bspi_starts(renderer->map, eyes, MOST_STARTS);
    uint32_t storeys = count == 0 ? 0 : bsp_renderer_storeys(renderer, list);
    uint32_t hidden = 0, best = 0;
    for (uint32_t i = 0; storeys != 0 && i < count; i++) {
        float roof = roof_over(renderer, eyes[i]);
        uint32_t at = 0;
        while (at + 1 < storeys && list[at + 1].floor < eyes[i][2]) {
            at++;
        }
        if (roof < INFINITY) {
            lowest[at] = votes[at] == 0 || roof < lowest[at] ? roof : lowest[at];
            votes[at]++;
            hidden++;
        }
    }
    for (uint32_t s = 0; s < storeys; s++) {
        best = votes[s] > votes[best] ? s : best;
    }
    if (hidden == 0 || 2 * hidden < count) {
        return false;
    }
    float under = lowest[best] - 1;
    under = list[best].cut < under ? list[best].cut : under;
    if (2 * shown(renderer, true, under) < shown(renderer, false, 0)) {
        return false;
    }
    *cut = under;
    return true;
}
