// SPDX-License-Identifier: MIT
// Light from patch to patch. What one receives of another is by the cosines at both and the square
// of the distance; of a near one, by what that fills of its view. Sources: vismatrixutil.cpp
// (MakeScales), vismatrix.cpp, qrad.cpp (GatherLight) of SDHLT.
#include "bake/light/rad.h"
#include "bake/light/shadow.h"

#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979f
#define LINES 1024u
#define FLUSH 0.04f // units before a plane; nearer to it nothing goes over
#define LEAST_COSINE 1e-5f
#define MOST_SHARE 0.8f // of the light of a patch, times pi, that another one takes as from a point
#define FAINT 1e-7f     // share that is not worth a transfer
#define NO_STYLE 255

// What goes between a patch and one of a higher number.
typedef struct transfer {
    uint32_t other;
    float here;  // share of the other's light that comes here
    float there; // and the other way
} transfer;

typedef struct row {
    transfer *list; // in the heap
    uint32_t count;
    size_t room;
} row;

typedef struct thrower {
    bspi_rad *rad;
    row *rows;
    uint32_t first; // of the patches that are looked from now
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
    if (sent * dist <= FLUSH) {
        return 0;
    }
    float share = cosine > LEAST_COSINE ? cosine * sent / (dist * dist) : 0;
    share = fminf(share * from->area, MOST_SHARE);
    if (dist < from->place.near - FLUSH) {
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

static uint32_t cluster_of(const bspi_relight *own, uint32_t leaf) {
    return leaf < own->map->num_leaves ? own->map->leaves[leaf].cluster : BSP_NONE;
}

static bool add_transfer(bspi_relight *own, row *r, const transfer *t, bsp_error *error) {
    transfer *list = bspi_grow(&own->heap, r->list, r->count, &r->room, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    r->list = list;
    r->list[r->count++] = *t;
    return true;
}

// Sets where the line between two patches ends, which is not their middle if they are near and one
// is partly behind the other. False where it begins or ends behind a patch.
static bool find_line(const bspi_relight *own, const bspi_rad_patch *a, const bspi_rad_patch *b,
                      bsp_sight_line *line) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = b->place.point[i] - a->place.point[i];
    }
    float dist = sqrtf(bspi_dot(way, way));
    memcpy(line->from, a->place.point, sizeof line->from);
    memcpy(line->to, b->place.point, sizeof line->to);
    if (dist < b->place.near - FLUSH) {
        bspi_rad_place_before(own, b, a->place.point, a->normal, line->to);
    }
    if (dist < a->place.near - FLUSH) {
        bspi_rad_place_before(own, a, b->place.point, b->normal, line->from);
    }
    return bspi_dot(line->to, a->normal) > bspi_dot(a->middle, a->normal) + FLUSH &&
           bspi_dot(line->from, b->normal) > bspi_dot(b->middle, b->normal) + FLUSH;
}

// Keeps those of the last transfers of a row that nothing stands between.
static void look(bspi_relight *own, row *r, const bsp_sight_line *lines, uint32_t count) {
    bool seen[LINES];
    uint32_t first = r->count - count;
    if (count == 0) {
        return;
    }
    bspi_shadow_lines(own, 0, lines, seen, NULL, count);
    r->count = first;
    for (uint32_t i = 0; i < count; i++) {
        if (seen[i]) {
            r->list[r->count++] = r->list[first + i];
        }
    }
}

static bool find_transfers(const bspi_rad *rad, uint32_t from, row *r, uint8_t *visible,
                           bsp_error *error) {
    bspi_relight *own = rad->own;
    const bspi_rad_patch *a = &rad->patches[from];
    bsp_sight_line lines[LINES];
    uint32_t waiting = 0;
    bsp_map_visible(own->map, cluster_of(own, a->leaf), false, visible);
    for (uint32_t to = rad->firsts[a->face + 1]; to < rad->num_patches; to++) {
        const bspi_rad_patch *b = &rad->patches[to];
        uint32_t cluster = cluster_of(own, b->leaf);
        if (cluster != BSP_NONE && !bsp_query_row_sees(own->map, visible, cluster)) {
            continue;
        }
        transfer t = {to, share_of(a, b) / PI, share_of(b, a) / PI};
        if (t.here + t.there < FAINT || !find_line(own, a, b, &lines[waiting])) {
            continue;
        }
        if (!add_transfer(own, r, &t, error)) {
            return false;
        }
        if (++waiting == LINES) {
            look(own, r, lines, waiting);
            waiting = 0;
        }
    }
    look(own, r, lines, waiting);
    return bspi_heap_work(&own->heap, 1 + rad->num_patches / 4, error);
}

static bool make_row(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const thrower *t = user;
    bspi_heap *heap = &t->rad->own->heap;
    size_t size = (size_t)t->rad->own->map->visibility.row_bytes + 1;
    uint8_t *visible = bspi_heap_alloc(heap, size, error);
    uint32_t from = t->first + item;
    (void)worker;
    bool done = visible != NULL && find_transfers(t->rad, from, &t->rows[from], visible, error);
    bspi_heap_free(heap, visible, size);
    return done;
}

static bool make_rows(thrower *t, bsp_error *error) {
    const uint32_t part = 128; // patches between reports
    bspi_relight *own = t->rad->own;
    uint32_t count = t->rad->num_patches;
    bspi_progress progress;
    if (!bspi_progress_begin(&progress, &own->options->progress, "patches", (uint64_t)count + 1,
                             error)) {
        return false;
    }
    for (; t->first < count; t->first += part) {
        uint32_t items = count - t->first < part ? count - t->first : part;
        if (!bspi_workers_each(bspi_heap_threads(&own->heap), items, make_row, t, error) ||
            !bspi_progress_step(&progress, items, error)) {
            return false;
        }
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

static void throw_once(const thrower *t, int style, float (*got)[3], float (*thrown)[3]) {
    const bspi_rad *rad = t->rad;
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        throw_of(&rad->patches[i], style, got[i], thrown[i]);
    }
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        memcpy(got[i], bspi_rad_light_of(&rad->patches[i].taken, style), sizeof got[i]);
    }
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        for (uint32_t n = 0; n < t->rows[i].count; n++) {
            const transfer *way = &t->rows[i].list[n];
            for (int c = 0; c < 3; c++) {
                got[i][c] += way->here * thrown[way->other][c];
                got[way->other][c] += way->there * thrown[i][c];
            }
        }
    }
}

static bool has_style(const bspi_rad_light *light, int style) {
    bool has = false;
    for (uint32_t k = 0; k < light->num_styles; k++) {
        has |= light->styles[k] == style;
    }
    return has;
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

static bool throw_style(const thrower *t, int style, float (*got)[3], float (*thrown)[3],
                        bsp_error *error) {
    const bspi_rad *rad = t->rad;
    uint64_t ways = 0;
    bool any = false;
    for (uint32_t i = 0; i < rad->num_patches; i++) {
        const bspi_rad_patch *patch = &rad->patches[i];
        ways += t->rows[i].count;
        any |= has_style(&patch->direct, style) || has_style(&patch->taken, style);
        memcpy(got[i], bspi_rad_light_of(&patch->taken, style), sizeof got[i]);
    }
    for (uint32_t n = 0; any && n < rad->own->scale.bounces; n++) {
        if (!bspi_heap_work(&rad->own->heap, ways, error)) {
            return false;
        }
        throw_once(t, style, got, thrown);
    }
    for (uint32_t i = 0; any && i < rad->num_patches; i++) {
        keep(&rad->patches[i].all, style, got[i]);
    }
    return true;
}

static bool throw_styles(const thrower *t, bsp_error *error) {
    bspi_arena *arena = &t->rad->own->arena;
    size_t count = t->rad->num_patches;
    float(*got)[3] = bspi_arena_raw(arena, count, sizeof *got, error);
    float(*thrown)[3] = bspi_arena_raw(arena, count, sizeof *thrown, error);
    bool done = got != NULL && thrown != NULL;
    for (int style = 0; done && style < NO_STYLE; style++) {
        done = throw_style(t, style, got, thrown, error);
    }
    return done;
}

bool bspi_rad_throw(bspi_rad *rad, bsp_error *error) {
    bspi_relight *own = rad->own;
    thrower t = {.rad = rad};
    t.rows = bspi_arena_zero(&own->arena, rad->num_patches, sizeof *t.rows, error);
    bool done = t.rows != NULL && make_rows(&t, error) && throw_styles(&t, error);
    for (uint32_t i = 0; t.rows != NULL && i < rad->num_patches; i++) {
        bspi_heap_free(&own->heap, t.rows[i].list, t.rows[i].room * sizeof *t.rows[i].list);
    }
    return done;
}
