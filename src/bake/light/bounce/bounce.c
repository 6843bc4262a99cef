// SPDX-License-Identifier: MIT
// Light from surface to surface. What a patch receives of another is by the cosines at both and the
// square of the distance, if nothing stands between; each bounce throws on what the last one
// brought. Luxels take it from the patches around them. Facts: sheet bake, 3.3.
#include "bake/light/bounce/bounce.h"
#include "bake/light/bounce/bounce_count.h"
#include "bake/light/bounce/patches.h"
#include "bake/light/bounce/transfers.h"

#include "core/curves.h"

#include <math.h>
#include <string.h>

#define FAINT 1e-5f     // share of its light below which a patch gives another none
#define ENOUGH 1e-3f    // of a step of a byte: when nothing more is thrown
#define MOST_SHARE 0.8f // hlrad: of the light of a patch that another one takes, times pi

// --- transfers ----------------------------------------------------------------------------------

// Returns the cosines / (pi * d^2).
static float share_of(const bspi_relight *own, const bspi_patch *a, const bspi_patch *b) {
    float way[3];
    float square = 0;
    for (int i = 0; i < 3; i++) {
        way[i] = b->point[i] - a->point[i];
        square += way[i] * way[i];
    }
    float from = way[0] * a->normal[0] + way[1] * a->normal[1] + way[2] * a->normal[2];
    float to = -(way[0] * b->normal[0] + way[1] * b->normal[1] + way[2] * b->normal[2]);
    if (!(from > 0 && to > 0)) {
        return 0;
    }
    float area = a->area < b->area ? a->area : b->area; // near ones do not give more than they have
    if (own->relight.compiler == BSP_COMPILER_HLRAD) {  // vismatrixutil.cpp of SDHLT
        return fminf(from * to / (square * square), MOST_SHARE / area) / (float)BSPI_PI;
    }
    return from * to / (square * ((float)BSPI_PI * square + area));
}

static uint32_t leaf_of(const void *user, uint32_t patch) {
    const bspi_relight *own = user;
    return own->patches[patch].leaf;
}

static uint32_t next_of(const void *user, uint32_t patch) {
    (void)user;
    return patch + 1;
}

static bool share(const void *user, uint32_t from, uint32_t to, bspi_transfer *out,
                  bsp_sight_line *line) {
    const bspi_relight *own = user;
    const bspi_patch *a = &own->patches[from];
    const bspi_patch *b = &own->patches[to];
    float part = share_of(own, a, b);
    out->here = part * b->area;
    out->there = part * a->area;
    memcpy(line->from, a->point, sizeof line->from);
    memcpy(line->to, b->point, sizeof line->to);
    return !(fmaxf(out->here, out->there) < FAINT);
}

// --- bounces ------------------------------------------------------------------------------------

// Nothing is made out of nothing: what a patch receives of all others is at most what they send.
static void limit(const bspi_transfers *transfers, float *shares) {
    const bspi_relight *own = transfers->own;
    memset(shares, 0, own->num_patches * sizeof *shares);
    for (uint32_t i = 0; i < own->num_patches; i++) {
        for (uint32_t t = 0; t < transfers->rows[i].count; t++) {
            const bspi_transfer *way = &transfers->rows[i].list[t];
            shares[i] += way->here;
            shares[way->other] += way->there;
        }
    }
    for (uint32_t i = 0; i < own->num_patches; i++) {
        shares[i] = own->scale.bounce / (shares[i] > 1 ? shares[i] : 1);
    }
}

// Does one bounce. Returns the most that any patch throws on.
static float throw_once(const bspi_transfers *transfers, const float *shares, float (*brought)[3]) {
    bspi_relight *own = transfers->own;
    float most = 0;
    memset(brought, 0, own->num_patches * sizeof *brought);
    for (uint32_t i = 0; i < own->num_patches; i++) {
        bspi_patch *a = &own->patches[i];
        for (int c = 0; c < 3; c++) {
            a->sent[c] += a->thrown[c];
        }
        for (uint32_t t = 0; t < transfers->rows[i].count; t++) {
            const bspi_transfer *way = &transfers->rows[i].list[t];
            const bspi_patch *other = &own->patches[way->other];
            for (int c = 0; c < 3; c++) {
                brought[i][c] += way->here * other->thrown[c];
                brought[way->other][c] += way->there * a->thrown[c];
            }
        }
    }
    for (uint32_t i = 0; i < own->num_patches; i++) {
        bspi_patch *patch = &own->patches[i];
        for (int c = 0; c < 3; c++) {
            float light = brought[i][c] * shares[i];
            patch->bounced[c] += light;
            patch->thrown[c] = light * patch->reflects[c];
            most = fmaxf(most, patch->thrown[c]);
        }
    }
    return most;
}

// Lets the patches throw what they have of a style. False if they have nothing.
static bool begin_style(const bspi_relight *own, int style) {
    bool any = false;
    for (uint32_t i = 0; i < own->num_patches; i++) {
        bspi_patch *patch = &own->patches[i];
        memset(patch->thrown, 0, sizeof patch->thrown);
        memset(patch->bounced, 0, sizeof patch->bounced);
        for (uint32_t k = 0; k < patch->num_styles && k < BSPI_RELIGHT_STYLES; k++) {
            if (patch->styles[k] == style) {
                memcpy(patch->thrown, patch->lit[k], sizeof patch->thrown);
                any = true;
            }
        }
    }
    return any;
}

// Throws what the patches have as often as the scale says; `count` looks on, or is NULL.
static bool throw_all(const bspi_transfers *transfers, const float *shares, float (*brought)[3],
                      bspi_bounce_count *count, bsp_error *error) {
    bspi_relight *own = transfers->own;
    uint64_t ways = bspi_transfers_count(transfers);
    float enough = own->own_format == BSPI_RGBEXP32 ? ENOUGH / 255 : ENOUGH;
    float most = INFINITY;
    for (uint32_t n = 0; n < own->scale.bounces && most > enough; n++) {
        if (!bspi_heap_work(&own->heap, ways, error)) {
            return false;
        }
        most = throw_once(transfers, shares, brought);
        bspi_count_bounce(own, n + 1);
        if (count != NULL) {
            bspi_bounce_count_look(own, count, n + 1);
        }
    }
    return true;
}

static void luxel(const bspi_relight *own, uint32_t face, uint32_t x, uint32_t y, float out[3]) {
    bspi_patches_mix(own, &own->grids[face], x, y, out);
}

// Finds how often light was thrown in the light of the map.
static bool count_bounces(const bspi_transfers *transfers, const float *shares, float (*brought)[3],
                          bsp_error *error) {
    bspi_relight *own = transfers->own;
    bspi_bounce_count count;
    if (!bspi_bounce_count_begin(own, &count, error)) {
        return false;
    }
    count.luxel = luxel;
    if (count.num_samples == 0 || !begin_style(own, 0)) {
        return true;
    }
    if (!throw_all(transfers, shares, brought, &count, error)) {
        return false;
    }
    own->relight.num_bounces = 0;
    own->relight.bounces_stored = bspi_bounce_count_differs(&count);
    own->scale.bounces = own->relight.bounces_stored ? count.best : own->scale.bounces;
    for (uint32_t i = 0; i < own->num_patches; i++) {
        memset(own->patches[i].sent, 0, sizeof own->patches[i].sent);
    }
    return true;
}

// --- luxels -------------------------------------------------------------------------------------

// Light of one style after the other: the ways between the patches are the same.
static bool bounce_styles(const bspi_transfers *transfers, bsp_error *error) {
    bspi_relight *own = transfers->own;
    float *shares = bspi_arena_raw(&own->arena, own->num_patches, sizeof *shares, error);
    float(*brought)[3] = bspi_arena_raw(&own->arena, own->num_patches, sizeof *brought, error);
    if (shares == NULL || brought == NULL) {
        return false;
    }
    limit(transfers, shares);
    if (own->scale.counts && !count_bounces(transfers, shares, brought, error)) {
        return false;
    }
    for (int style = 0; style < (own->scale.styled ? BSP_NO_STYLE : 1); style++) {
        if (!begin_style(own, style)) {
            continue;
        }
        if (!throw_all(transfers, shares, brought, NULL, error)) {
            return false;
        }
        for (uint32_t i = 0; i < own->map->num_faces; i++) {
            bspi_patches_brighten(own, i, style);
        }
    }
    return true;
}

// Does any patch throw light back?
static bool is_some_thrown(const bspi_relight *own) {
    for (uint32_t i = 0; i < own->num_patches; i++) {
        const bspi_patch *patch = &own->patches[i];
        for (uint32_t k = 0; k < patch->num_styles && k < BSPI_RELIGHT_STYLES; k++) {
            if (patch->lit[k][0] + patch->lit[k][1] + patch->lit[k][2] > 0) {
                return true;
            }
        }
    }
    return false;
}

bool bspi_bounce(bspi_relight *own, bsp_error *error) {
    if (!bspi_patches_make(own, NULL, error)) {
        return false;
    }
    if (!is_some_thrown(own)) { // then ways between them are not looked for
        return true;
    }
    bspi_transfers transfers = {.own = own,
                                .user = own,
                                .num_patches = own->num_patches,
                                .leaf = leaf_of,
                                .next = next_of,
                                .share = share};
    bool done = bspi_transfers_find(&transfers, error) && bounce_styles(&transfers, error);
    bspi_transfers_free(&transfers);
    return done;
}
