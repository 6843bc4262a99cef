// SPDX-License-Identifier: MIT
// Light from surface to surface. What a patch receives of another is by the cosines at both and the
// square of the distance, if nothing stands between; each bounce throws on what the last one
// brought. Luxels take it from the patches around them. Facts: sheet bake, 3.3.
#include "bake/light/bounce.h"
#include "bake/light/patches.h"
#include "bake/light/shadow.h"

#include "core/progress.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979f
#define FAINT 1e-5f  // share of its light below which a patch gives another none
#define ENOUGH 1e-3f // of a step of a byte: when nothing more is thrown
#define LINES 1024u
#define NO_STYLE 255
#define MOST_SHARE 0.8f // hlrad: of the light of a patch that another one takes, times pi

// What goes between a patch and one of a higher number.
typedef struct transfer {
    uint32_t other;
    float share; // cosines / (pi * d^2)
} transfer;

typedef struct row {
    transfer *list; // in the heap
    uint32_t count;
    size_t room;
} row;

typedef struct bounce {
    bspi_relight *own;
    row *rows;
    uint32_t first; // of the patches that are looked from now
} bounce;

// --- transfers ----------------------------------------------------------------------------------

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
        return fminf(from * to / (square * square), MOST_SHARE / area) / PI;
    }
    return from * to / (square * (PI * square + area));
}

static uint32_t cluster_of(const bspi_relight *own, uint32_t leaf) {
    return leaf < own->map->num_leaves ? own->map->leaves[leaf].cluster : BSP_NONE;
}

static bool add_transfer(bspi_relight *own, row *r, uint32_t other, float share, bsp_error *error) {
    transfer *list = bspi_grow(&own->heap, r->list, r->count, &r->room, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    r->list = list;
    r->list[r->count++] = (transfer){other, share};
    return true;
}

// Keeps those of the last `count` transfers of a row that nothing stands between.
static void look(bspi_relight *own, uint32_t from, row *r, uint32_t count) {
    bsp_sight_line lines[LINES];
    bool seen[LINES];
    uint32_t first = r->count - count;
    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(lines[i].from, own->patches[from].point, sizeof lines[i].from);
        memcpy(lines[i].to, own->patches[r->list[first + i].other].point, sizeof lines[i].to);
    }
    bspi_shadow_lines(own, 0, lines, seen, NULL, count);
    r->count = first;
    for (uint32_t i = 0; i < count; i++) {
        if (seen[i]) {
            r->list[r->count++] = r->list[first + i];
        }
    }
}

static bool find_transfers(bspi_relight *own, uint32_t from, row *r, uint8_t *visible,
                           bsp_error *error) {
    const bspi_patch *a = &own->patches[from];
    uint32_t waiting = 0;
    bsp_map_visible(own->map, cluster_of(own, a->leaf), false, visible);
    for (uint32_t to = from + 1; to < own->num_patches; to++) {
        const bspi_patch *b = &own->patches[to];
        uint32_t cluster = cluster_of(own, b->leaf);
        if (cluster != BSP_NONE && !bsp_query_row_sees(own->map, visible, cluster)) {
            continue;
        }
        float share = share_of(own, a, b);
        if (share * fmaxf(a->area, b->area) < FAINT) {
            continue;
        }
        if (!add_transfer(own, r, to, share, error)) {
            return false;
        }
        if (++waiting == LINES) {
            look(own, from, r, waiting);
            waiting = 0;
        }
    }
    look(own, from, r, waiting);
    return bspi_heap_work(&own->heap, 1 + own->num_patches / 4, error);
}

static bool make_row(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const bounce *b = user;
    size_t size = (size_t)b->own->map->visibility.row_bytes + 1;
    uint8_t *visible = bspi_heap_alloc(&b->own->heap, size, error);
    uint32_t from = b->first + item;
    (void)worker;
    bool done = visible != NULL && find_transfers(b->own, from, &b->rows[from], visible, error);
    bspi_heap_free(&b->own->heap, visible, size);
    return done;
}

static bool make_rows(bounce *b, bsp_error *error) {
    const uint32_t part = 128; // patches between reports
    bspi_relight *own = b->own;
    bspi_progress progress;
    if (!bspi_progress_begin(&progress, &own->options->progress, "patches",
                             (uint64_t)own->num_patches + 1, error)) {
        return false;
    }
    for (; b->first < own->num_patches; b->first += part) {
        uint32_t left = own->num_patches - b->first;
        uint32_t items = left < part ? left : part;
        if (!bspi_workers_each(bspi_heap_threads(&own->heap), items, make_row, b, error) ||
            !bspi_progress_step(&progress, items, error)) {
            return false;
        }
    }
    return true;
}

// --- bounces ------------------------------------------------------------------------------------

// Nothing is made out of nothing: what a patch receives of all others is at most what they send.
static void limit(const bounce *b, float *shares) {
    const bspi_relight *own = b->own;
    memset(shares, 0, own->num_patches * sizeof *shares);
    for (uint32_t i = 0; i < own->num_patches; i++) {
        for (uint32_t t = 0; t < b->rows[i].count; t++) {
            const transfer *way = &b->rows[i].list[t];
            shares[i] += way->share * own->patches[way->other].area;
            shares[way->other] += way->share * own->patches[i].area;
        }
    }
    for (uint32_t i = 0; i < own->num_patches; i++) {
        shares[i] = own->scale.bounce / (shares[i] > 1 ? shares[i] : 1);
    }
}

// Does one bounce. Returns the most that any patch throws on.
static float throw_once(const bounce *b, const float *shares, float (*brought)[3]) {
    bspi_relight *own = b->own;
    float most = 0;
    memset(brought, 0, own->num_patches * sizeof *brought);
    for (uint32_t i = 0; i < own->num_patches; i++) {
        bspi_patch *a = &own->patches[i];
        for (int c = 0; c < 3; c++) {
            a->sent[c] += a->thrown[c];
        }
        for (uint32_t t = 0; t < b->rows[i].count; t++) {
            uint32_t other = b->rows[i].list[t].other;
            const bspi_patch *o = &own->patches[other];
            float share = b->rows[i].list[t].share;
            for (int c = 0; c < 3; c++) {
                brought[i][c] += share * o->area * o->thrown[c];
                brought[other][c] += share * a->area * a->thrown[c];
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

static bool throw_all(bounce *b, const float *shares, float (*brought)[3], bsp_error *error) {
    bspi_relight *own = b->own;
    uint64_t ways = 0;
    for (uint32_t i = 0; i < own->num_patches; i++) {
        ways += b->rows[i].count;
    }
    float enough = own->own_format == BSPI_RGBEXP32 ? ENOUGH / 255 : ENOUGH;
    float most = INFINITY;
    for (uint32_t n = 0; n < own->scale.bounces && most > enough; n++) {
        if (!bspi_heap_work(&own->heap, ways, error)) {
            return false;
        }
        most = throw_once(b, shares, brought);
    }
    return true;
}

// --- luxels -------------------------------------------------------------------------------------

// Mixes the patches around a luxel.
static void mix(const bspi_relight *own, const bspi_patch_grid *grid, uint32_t x, uint32_t y,
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

// Adds what was thrown to a style of a face, if it has that.
static void brighten_face(bspi_relight *own, uint32_t number, int style) {
    const bspi_patch_grid *grid = &own->grids[number];
    bsp_relight_face *face = &own->faces[number];
    size_t each = (size_t)face->width * face->height;
    uint32_t at = 0;
    while (at < face->num_styles && face->styles[at] != style) {
        at++;
    }
    if (at == face->num_styles) {
        return;
    }
    float(*luxels)[3] = (float(*)[3])face->luxels + each * face->directions * at;
    for (size_t n = 0; grid->columns != 0 && n < each; n++) {
        float light[3];
        mix(own, grid, (uint32_t)(n % face->width), (uint32_t)(n / face->width), light);
        for (uint32_t d = 0; d < face->directions; d++) {
            for (int c = 0; c < 3; c++) {
                luxels[each * d + n][c] += light[c];
            }
        }
    }
}

// Light of one style after the other: the ways between the patches are the same.
static bool bounce_styles(bounce *b, bsp_error *error) {
    bspi_relight *own = b->own;
    float *shares = bspi_arena_raw(&own->arena, own->num_patches, sizeof *shares, error);
    float(*brought)[3] = bspi_arena_raw(&own->arena, own->num_patches, sizeof *brought, error);
    if (shares == NULL || brought == NULL) {
        return false;
    }
    limit(b, shares);
    for (int style = 0; style < (own->scale.styled ? NO_STYLE : 1); style++) {
        if (!begin_style(own, style)) {
            continue;
        }
        if (!throw_all(b, shares, brought, error)) {
            return false;
        }
        for (uint32_t i = 0; i < own->map->num_faces; i++) {
            brighten_face(own, i, style);
        }
    }
    return true;
}

bool bspi_bounce(bspi_relight *own, bsp_error *error) {
    bounce b = {.own = own};
    if (!bspi_patches_make(own, error)) {
        return false;
    }
    b.rows = bspi_arena_zero(&own->arena, own->num_patches, sizeof *b.rows, error);
    bool done = b.rows != NULL && make_rows(&b, error) && bounce_styles(&b, error);
    for (uint32_t i = 0; b.rows != NULL && i < own->num_patches; i++) {
        bspi_heap_free(&own->heap, b.rows[i].list, b.rows[i].room * sizeof *b.rows[i].list);
    }
    return done;
}
