// SPDX-License-Identifier: MIT
// Surfaces of GoldSrc that give light, as hlrad cuts them: into a grid along the axes of their
// texture. From afar a piece is a lamp in its middle; a place that is nearer than four times its
// size gets by the share of its view that it fills. Facts: SDHLT, sdHLRAD (qrad.cpp, lightmap.cpp).
#include "bake/light/faces/piece_grid.h"
#include "bake/light/faces/rad_place.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

typedef struct cutter {
    bspi_relight *own;
    const bspi_lamp *lamp;
} cutter;

// --- what a place gets --------------------------------------------------------------------------

float bspi_patch_at(const bspi_lamp *lamp, const float point[3], const float normal[3]) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - lamp->direction[i] * BSPI_RAD_LIFT - point[i]; // in its plane
    }
    float dist = fmaxf(1, bspi_normalize(way));
    float cosine = bspi_dot(way, normal);
    float sent = -bspi_dot(way, lamp->direction);
    if (sent * dist <= BSPI_PATCH_FLUSH || cosine <= 0) {
        return 0;
    }
    float share = fminf(cosine * sent / (dist * dist), BSPI_PATCH_MOST_SHARE / lamp->area);
    if (dist < lamp->near) {
        bspi_piece whole = {.count = lamp->num_corners};
        bspi_piece seen;
        memcpy(whole.points, lamp->corners, lamp->num_corners * sizeof *whole.points);
        bool sound = bspi_piece_clip(&whole, normal, bspi_dot(point, normal), &seen);
        float view =
            sound ? bspi_piece_view((const float(*)[3])seen.points, seen.count, point, normal) : 0;
        float exact = sound ? fabsf(view) / 2 / lamp->area : share;
        float afar = (dist / lamp->near - 0.5f) * 2;
        afar = afar > 0 ? afar : 0;
        share = afar * share + (1 - afar) * exact;
    }
    return lamp->light * share * bspi_lamp_cone(lamp, sent);
}

// --- pieces -------------------------------------------------------------------------------------

static bool add_piece(void *user, const bspi_piece *p, const float normal[3], bsp_error *error) {
    const cutter *k = user;
    bspi_lamp lamp = *k->lamp;
    bspi_rad_place place;
    lamp.area = bspi_piece_area(p);
    if (!(lamp.area > 0) || !isfinite(lamp.area) || !(lamp.light > 0)) {
        return bspi_heap_work(&k->own->heap, 1, error);
    }
    float(*corners)[3] = bspi_arena_raw(&k->own->arena, p->count, sizeof *corners, error);
    if (corners == NULL || !bspi_heap_work(&k->own->heap, 64, error)) {
        return false;
    }
    memcpy(corners, p->points, p->count * sizeof *corners);
    bspi_rad_place_find(k->own, p, normal, &place);
    memcpy(lamp.origin, place.point, sizeof lamp.origin);
    memcpy(lamp.direction, normal, sizeof lamp.direction);
    lamp.near = place.near;
    lamp.angle = 0; // bspi_patch_at has it
    lamp.light *= lamp.area * place.exposed;
    lamp.corners = (const float(*)[3])corners;
    lamp.num_corners = p->count;
    float most = fmaxf(lamp.color[0], fmaxf(lamp.color[1], lamp.color[2])) * lamp.light;
    lamp.reach = fmaxf(sqrtf(fabsf(most) / k->own->scale.gate), lamp.near);
    return !(lamp.light > 0) || bspi_lamp_add(k->own, &lamp, error);
}

bool bspi_emitters_grid(bspi_relight *own, uint32_t face, float chop, const bspi_lamp *lamp,
                        bsp_error *error) {
    cutter k = {own, lamp};
    bool fits;
    return bspi_piece_grid(own, face, chop, add_piece, &k, &fits, error) &&
           (fits || bspi_emitters_add(own, face, chop, lamp, error));
}
