// SPDX-License-Identifier: MIT
// Surfaces that give light: a lamp for each of their pieces.
#include "bake/light/faces/face_area.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST_CORNERS 256u
#define MOST_CUTS 14u // halvings of a triangle

typedef struct emitter {
    bspi_relight *own;
    const bspi_lamp *lamp;
    float chop;
    float normal[3];
    bsp_error *error;
} emitter;

static float square_between(const float a[3], const float b[3]) {
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

static bool add_piece(const emitter *e, const float point[3], float area) {
    bspi_lamp lamp = *e->lamp;
    for (int i = 0; i < 3; i++) {
        lamp.origin[i] = point[i] + e->normal[i];
        lamp.direction[i] = e->normal[i];
    }
    lamp.light *= area;
    float most = fmaxf(lamp.color[0], fmaxf(lamp.color[1], lamp.color[2])) * lamp.light;
    lamp.reach = sqrtf(fabsf(most) / e->own->scale.gate);
    lamp.reach = lamp.reach > lamp.range ? lamp.reach : lamp.range;
    return lamp.light > 0 ? bspi_lamp_add(e->own, &lamp, e->error)
                          : bspi_heap_work(&e->own->heap, 1, e->error);
}

// Halves the longest edge of a triangle until no piece is longer than the chop.
static bool cut(const emitter *e, float p[3][3], float area, uint32_t cuts) {
    int longest = 0;
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float square = square_between(p[i], p[(i + 1) % 3]);
        longest = square > most ? i : longest;
        most = square > most ? square : most;
    }
    if (most <= e->chop * e->chop || cuts == 0) {
        float middle[3];
        for (int i = 0; i < 3; i++) {
            middle[i] = (p[0][i] + p[1][i] + p[2][i]) / 3;
        }
        return add_piece(e, middle, area);
    }
    float half[3];
    float first[3][3];
    float second[3][3];
    for (int i = 0; i < 3; i++) {
        half[i] = (p[longest][i] + p[(longest + 1) % 3][i]) / 2;
    }
    memcpy(first, p, sizeof first);
    memcpy(second, p, sizeof second);
    memcpy(first[(longest + 1) % 3], half, sizeof half);
    memcpy(second[longest], half, sizeof half);
    return cut(e, first, area / 2, cuts - 1) && cut(e, second, area / 2, cuts - 1);
}

static bool add_whole(const emitter *e, const bsp_surface_corner *corners, uint32_t count,
                      const float origin[3]) {
    float middle[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            middle[c] += corners[i].point[c] / (float)count;
        }
    }
    for (int c = 0; c < 3; c++) {
        middle[c] += origin[c];
    }
    return add_piece(e, middle, bspi_corners_area(corners, count));
}

// Makes the lamp at `whole`, which was added before its pieces, stand for them.
static void join(const emitter *e, uint32_t whole) {
    bspi_lamp *lamp = &e->own->lamps[whole];
    lamp->pieces = e->own->num_lamps - whole - 1;
    for (uint32_t i = 1; i <= lamp->pieces; i++) {
        const bspi_lamp *piece = &e->own->lamps[whole + i];
        lamp->size = fmaxf(lamp->size, square_between(lamp->origin, piece->origin));
    }
    lamp->size = sqrtf(lamp->size);
}

bool bspi_emitters_add(bspi_relight *own, uint32_t face, float chop, const bspi_lamp *lamp,
                       bsp_error *error) {
    bsp_surface_corner corners[MOST_CORNERS];
    emitter e = {.own = own, .lamp = lamp, .chop = chop, .error = error};
    float dist;
    uint32_t count = bsp_surface_corners(own->map, face, corners, MOST_CORNERS);
    const float *origin = own->models[own->face_models[face]].origin;
    if (count < 3 || count > MOST_CORNERS || !bsp_surface_plane(own->map, face, e.normal, &dist)) {
        return true;
    }
    uint32_t whole = own->num_lamps;
    bool pieces = chop > 0;
    bool joined = pieces && lamp->emits > 0;
    if ((!pieces || joined) && !add_whole(&e, corners, count, origin)) {
        return false;
    }
    if (!pieces || (joined && own->num_lamps == whole)) {
        return true;
    }
    for (uint32_t i = 2; i < count; i++) {
        const bsp_surface_corner triangle[3] = {corners[0], corners[i - 1], corners[i]};
        float p[3][3];
        for (int c = 0; c < 3; c++) {
            p[0][c] = corners[0].point[c] + origin[c];
            p[1][c] = corners[i - 1].point[c] + origin[c];
            p[2][c] = corners[i].point[c] + origin[c];
        }
        if (!cut(&e, p, bspi_corners_area(triangle, 3), MOST_CUTS)) {
            return false;
        }
    }
    if (joined) {
        join(&e, whole);
        own->relight.num_emitters--;
    }
    return true;
}
