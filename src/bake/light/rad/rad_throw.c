// SPDX-License-Identifier: MIT
// Light from patch to patch. What one receives of another is by the cosines at both and the square
// of the distance; of a near one, by what that fills of its view. Sources: vismatrixutil.cpp
// (MakeScales), vismatrix.cpp, qrad.cpp (GatherLight) of SDHLT.
#include "bake/light/bounce/transfers.h"
#include "bake/light/lamps/hlrad_settings.h"
#include "bake/light/rad/rad.h"
#include "bake/light/rad/rad_eight.h"

#include "core/curves.h"
#include "core/vector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The patches, and the same by their members.
typedef struct thrower {
    const bspi_rad *rad;
    bspi_rad_lists lists;
    bspi_rad_eight_fn *eight;
} thrower;

// --- transfers ----------------------------------------------------------------------------------

// Returns what a patch receives of another one, as a share of what that throws, times pi.
static float share_of(const bspi_rad_patch *to, const bspi_rad_patch *from) {
    const float *point = to->place.point;
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = from->place.point[i] - from->normal[i] * BSPI_RAD_LIFT - point[i];
    }
    float dist = bspi_normalize(way);
    float cosine = bspi_dot(way, to->normal);
    float sent = -bspi_dot(way, from->normal);
    if (sent * dist <= BSPI_RAD_FLUSH) {
        return 0;
    }
    float share = cosine > BSPI_RAD_LEAST_COSINE ? cosine * sent / (dist * dist) : 0;
    share = fminf(share * from->area, BSPI_RAD_MOST_SHARE);
    if (dist < from->place.near - BSPI_RAD_FLUSH) {
        bspi_piece whole = {.count = from->num_corners};
        bspi_piece seen;
        memcpy(whole.points, from->corners, from->num_corners * sizeof *whole.points);
        bool sound = bspi_piece_clip(&whole, to->normal, bspi_dot(point, to->normal), &seen);
        float view =
            sound ? bspi_piece_view((const float(*)[3])seen.points, seen.count, point, to->normal)
                  : 0;
        float afar = fmaxf(0, (dist / from->place.near - 0.5f) * 2);
        share = afar * share + (1 - afar) * fabsf(view) / 2;
    }
    return share * from->place.exposed;
}

// Sets where the line between two patches ends, which is not their middle if they are near and one
// lies partly below the plane of the other. False where it begins or ends below that of a patch.
static bool find_line(bspi_relight *own, const bspi_rad_patch *a, const bspi_rad_patch *b,
                      bsp_sight_line *line) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = b->place.point[i] - a->place.point[i];
    }
    float dist = sqrtf(bspi_dot(way, way));
    memcpy(line->from, a->place.point, sizeof line->from);
    memcpy(line->to, b->place.point, sizeof line->to);
    if (dist < b->place.near - BSPI_RAD_FLUSH) {
        bspi_rad_place_before(own, b->corners, b->num_corners, b->normal, a->place.point, a->normal,
                              line->to);
    }
    if (dist < a->place.near - BSPI_RAD_FLUSH) {
        bspi_rad_place_before(own, a->corners, a->num_corners, a->normal, b->place.point, b->normal,
                              line->from);
    }
    return bspi_dot(line->to, a->normal) > bspi_dot(a->middle, a->normal) + BSPI_RAD_FLUSH &&
           bspi_dot(line->from, b->normal) > bspi_dot(b->middle, b->normal) + BSPI_RAD_FLUSH;
}

static uint32_t leaf_of(const void *user, uint32_t patch) {
    const bspi_rad *rad = ((const thrower *)user)->rad;
    return rad->patches[patch].leaf;
}

// No light goes between patches of a face.
static uint32_t next_of(const void *user, uint32_t patch) {
    const bspi_rad *rad = ((const thrower *)user)->rad;
    return rad->firsts[rad->patches[patch].face + 1];
}

static bool share(const void *user, uint32_t from, uint32_t to, bspi_transfer *out,
                  bsp_sight_line *line) {
    const bspi_rad *rad = ((const thrower *)user)->rad;
    const bspi_rad_patch *a = &rad->patches[from];
    const bspi_rad_patch *b = &rad->patches[to];
    out->here = share_of(a, b) / (float)BSPI_PI;
    out->there = share_of(b, a) / (float)BSPI_PI;
    return !(out->here + out->there < BSPI_RAD_FAINT) && find_line(rad->own, a, b, line);
}

static uint32_t shares(const void *user, uint32_t from, uint32_t to, uint32_t open,
                       bspi_transfer out[BSPI_TRANSFERS], bsp_sight_line lines[BSPI_TRANSFERS]) {
    static_assert(BSPI_TRANSFERS == BSPI_RAD_LANES, "as many at once");
    const thrower *t = user;
    bspi_rad_shares8 eight;
    uint32_t some = 0;
    t->eight(&t->lists, from, to, &eight);
    for (uint32_t n = 0; open >> n != 0; n++) {
        if ((open >> n & 1) == 0) {
            continue;
        }
        if ((eight.far >> n & 1) == 0) {
            some |= (uint32_t)share(user, from, to + n, &out[n], &lines[n]) << n;
        } else if ((eight.some >> n & 1) != 0) {
            some |= 1u << n;
            out[n].here = eight.here[n];
            out[n].there = eight.there[n];
            memcpy(lines[n].from, t->rad->patches[from].place.point, sizeof lines[n].from);
            for (int c = 0; c < 3; c++) {
                lines[n].to[c] = t->lists.point[c][to + n];
            }
        }
    }
    return some;
}

// Makes lists of the members of patches.
static bool list_patches(const bspi_rad *rad, bspi_rad_lists *lists, bsp_error *error) {
    size_t each = (size_t)rad->num_patches + BSPI_RAD_LANES;
    float *all = bspi_arena_zero(&rad->own->arena, 13 * each, sizeof *all, error);
    if (all == NULL) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        lists->point[c] = all + each * (size_t)c;
        lists->on[c] = all + each * (size_t)(3 + c);
        lists->normal[c] = all + each * (size_t)(6 + c);
    }
    lists->area = all + each * 9;
    lists->near = all + each * 10;
    lists->exposed = all + each * 11;
    lists->front = all + each * 12;
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        const bspi_rad_patch *patch = &rad->patches[i];
        for (int c = 0; c < 3; c++) {
            lists->point[c][i] = patch->place.point[c];
            lists->on[c][i] = patch->place.point[c] - patch->normal[c] * BSPI_RAD_LIFT;
            lists->normal[c][i] = patch->normal[c];
        }
        lists->area[i] = patch->area;
        lists->near[i] = patch->place.near;
        lists->exposed[i] = patch->place.exposed;
        lists->front[i] = bspi_dot(patch->middle, patch->normal) + BSPI_RAD_FLUSH;
    }
    return true;
}

// --- bounces ------------------------------------------------------------------------------------

// Sets what a patch throws in the first bounce, or in another one, of what it got in the last.
static void throw_of(const bspi_rad_patch *patch, int style, const float got[3], float out[3]) {
    const float *direct = bspi_rad_light_of(&patch->direct, style);
    for (int c = 0; c < 3; c++) {
        out[c] = (direct[c] + got[c]) * patch->reflects[c];
    }
}

// The light of patches, in vectors of four so that one is handled at once; the last is 0.
typedef float vec4[4];

static void throw_once(const bspi_rad *rad, const bspi_transfers *transfers, int style,
                       vec4 *restrict got, vec4 *restrict thrown) {
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        throw_of(&rad->patches[i], style, got[i], thrown[i]);
    }
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        memcpy(got[i], bspi_rad_light_of(&rad->patches[i].taken, style), 3 * sizeof *got[i]);
    }
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        const bspi_transfer_row *row = &transfers->rows[i];
        vec4 here;
        vec4 there;
        memcpy(here, got[i], sizeof here);
        memcpy(there, thrown[i], sizeof there);
        for (uint32_t n = 0; n < row->count; n++) { // the others are of higher numbers
            const bspi_transfer *way = &row->list[n];
            vec4 other;
            memcpy(other, got[way->other], sizeof other);
            for (int c = 0; c < 4; c++) {
                here[c] += way->here * thrown[way->other][c];
            }
            for (int c = 0; c < 4; c++) {
                other[c] += way->there * there[c];
            }
            memcpy(got[way->other], other, sizeof other);
        }
        memcpy(got[i], here, sizeof here);
    }
}

// Sets what a patch has of a style in the end; of more than there is room for, the strongest.
static void keep(bspi_rad_light *all, int style, const float light[3]) {
    uint32_t at = 0;
    float most = fmaxf(light[0], fmaxf(light[1], light[2]));
    while (at < all->num_styles && all->styles[at] != style) {
        at++;
    }
    if (at == all->num_styles && at == BSPI_RELIGHT_STYLES) {
        float least = most;
        for (uint32_t k = 0; k < all->num_styles; k++) {
            const float *l = all->light[k];
            float its = fmaxf(l[0], fmaxf(l[1], l[2]));
            if (all->styles[k] != 0 && its < least) {
                least = its;
                at = k;
            }
        }
    }
    if (at == BSPI_RELIGHT_STYLES || !(most > 0)) {
        return;
    }
    all->num_styles += at == all->num_styles;
    all->styles[at] = (uint8_t)style;
    memcpy(all->light[at], light, sizeof all->light[at]);
}

static bool throw_style(const bspi_rad *rad, const bspi_transfers *transfers, int style, vec4 *got,
                        vec4 *thrown, bsp_error *error) {
    uint64_t ways = bspi_transfers_count(transfers);
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        memcpy(got[i], bspi_rad_light_of(&rad->patches[i].taken, style), 3 * sizeof *got[i]);
    }
    for (uint32_t n = 0; n < rad->own->scale.bounces; n++) {
        if (!bspi_heap_work(&rad->own->heap, ways, error)) {
            return false;
        }
        throw_once(rad, transfers, style, got, thrown);
        bspi_count_bounce(rad->own, n + 1);
    }
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        keep(&rad->patches[i].all, style, got[i]);
    }
    return true;
}

// Finds the styles that some patch has.
static void find_styles(const bspi_rad *rad, bool has[BSP_NO_STYLE + 1]) {
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        const bspi_rad_patch *patch = &rad->patches[i];
        for (uint32_t k = 0; k < patch->direct.num_styles; k++) {
            has[patch->direct.styles[k]] = true;
        }
        for (uint32_t k = 0; k < patch->taken.num_styles; k++) {
            has[patch->taken.styles[k]] = true;
        }
    }
}

static bool throw_styles(const bspi_rad *rad, const bspi_transfers *transfers, bsp_error *error) {
    bspi_arena *arena = &rad->own->arena;
    size_t count = rad->num_patches;
    vec4 *got = bspi_arena_zero(arena, count, sizeof *got, error);
    vec4 *thrown = bspi_arena_zero(arena, count, sizeof *thrown, error);
    bool has[BSP_NO_STYLE + 1] = {false};
    bool done = got != NULL && thrown != NULL;
    find_styles(rad, has);
    for (int style = 0; done && style < BSP_NO_STYLE; style++) {
        done = !has[style] || throw_style(rad, transfers, style, got, thrown, error);
    }
    return done;
}

// Older compilers let each patch throw all that it throws to those that it sees, even if most of
// what it sees is sky.
static bool make_whole(bspi_rad *rad, const bspi_transfers *transfers, bsp_error *error) {
    float *sums = bspi_arena_zero(&rad->own->arena, rad->num_patches, sizeof *sums, error);
    for (uint32_t i = 0; sums != NULL && i < rad->num_patches; i++) {
        for (uint32_t n = 0; n < transfers->rows[i].count; n++) {
            const bspi_transfer *way = &transfers->rows[i].list[n];
            sums[i] += way->here;
            sums[way->other] += way->there;
        }
    }
    for (uint32_t i = 0; sums != NULL && i < rad->num_patches; i++) {
        for (int c = 0; c < 3 && sums[i] > 0; c++) {
            rad->patches[i].reflects[c] /= sums[i];
        }
    }
    return sums != NULL;
}

bool bspi_rad_throw(bspi_rad *rad, bsp_error *error) {
    thrower t = {.rad = rad, .eight = bspi_rad_eight_here()};
    bspi_transfers transfers = {.own = rad->own,
                                .user = &t,
                                .num_patches = rad->num_patches,
                                .leaf = leaf_of,
                                .next = next_of,
                                .share = share,
                                .shares = shares};
    bool done = list_patches(rad, &t.lists, error) && bspi_transfers_find(&transfers, error) &&
                (!bspi_hlrad_is_old(rad->own) || make_whole(rad, &transfers, error)) &&
                throw_styles(rad, &transfers, error);
    bspi_transfers_free(&transfers);
    return done;
}
