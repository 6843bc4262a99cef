// SPDX-License-Identifier: MIT
// What a piece of a surface takes of others. A divided one counts as a whole from four times its
// size on; what is less than some five times its size away gives by what it fills of the view. All
// together give at most all that is seen. Facts: TestPatchToPatch of vismat.cpp, MakeTransfer and
// MakeScales of vrad.cpp of the Source SDK.
#include "bake/light/base/leaf_faces.h"
#include "bake/light/shadows/shadow.h"
#include "bake/light/vrad/vrad.h"

#include "core/curves.h"
#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define WHOLE 0.0625f // of the square of the distance: the area of what counts as a whole
#define NEAR 0.04f    // of that, times pi: an area that is near
#define BEFORE 0.01f  // units before a surface
#define LINES 512u    // that are looked along at once
#define CLEARED 64u   // of work: faces, or clusters, that are merely passed over

// --- faces by cluster ---------------------------------------------------------------------------

// Without visibility all pieces are in one cluster.
static uint32_t num_clusters(const bspi_vrad *v) {
    uint32_t count = v->own->map->visibility.num_clusters;
    return count != 0 ? count : 1;
}

static uint32_t cluster_of(const bspi_vrad *v, uint32_t cluster) {
    return v->own->map->visibility.num_clusters != 0 ? cluster : 0;
}

static void note(uint32_t cluster, uint32_t face, uint32_t *first, uint32_t *faces) {
    if (faces != NULL) {
        faces[first[cluster]] = face;
    }
    first[cluster]++;
}

// Counts the faces that are seen in each cluster, or with `faces` writes them; `first` counts up.
static void visit(const bspi_vrad *v, uint32_t *first, uint32_t *faces) {
    const bsp_map *map = v->own->map;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        uint32_t cluster = cluster_of(v, leaf->cluster);
        for (uint32_t n = 0; cluster < num_clusters(v) && n < leaf->num_faces; n++) {
            uint32_t at = leaf->first_face + n;
            uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
            if (face < map->num_faces && v->firsts[face + 1] > v->firsts[face]) {
                note(cluster, face, first, faces);
            }
        }
    }
    for (uint32_t i = v->num_flat; i < v->num_patches; i++) { // displacements: by their patches
        const bspi_vrad_patch *patch = &v->patches[i];
        uint32_t cluster = cluster_of(v, patch->cluster);
        bool known = i != v->num_flat && patch[-1].face == patch->face &&
                     patch[-1].cluster == patch->cluster;
        if (cluster < num_clusters(v) && !known) {
            note(cluster, patch->face, first, faces);
        }
    }
}

static bool list_faces(bspi_vrad *v, bsp_error *error) {
    bspi_relight *own = v->own;
    uint32_t clusters = num_clusters(v);
    uint32_t before = 0;
    v->starts = bspi_arena_zero(&own->arena, (size_t)clusters + 1, sizeof *v->starts, error);
    if (v->starts == NULL || !bspi_leaf_faces_pay(own, error)) {
        return false;
    }
    visit(v, v->starts, NULL);
    for (uint32_t i = 0; i <= clusters; i++) {
        uint32_t count = v->starts[i];
        v->starts[i] = before;
        before += count;
    }
    v->faces = bspi_arena_raw(&own->arena, (size_t)before + 1, sizeof *v->faces, error);
    if (v->faces == NULL) {
        return false;
    }
    visit(v, v->starts, v->faces);
    memmove(v->starts + 1, v->starts, clusters * sizeof *v->starts);
    v->starts[0] = 0;
    return true;
}

// --- shares -------------------------------------------------------------------------------------

typedef struct finder {
    const bspi_vrad *v;
    const bspi_vrad_rules *rules;
    const bspi_vrad_patch *to;
    bspi_vrad_row *row;
    bsp_sight_line lines[LINES];
    uint32_t waiting; ///< of the row's last ones, that are not looked along yet
    uint64_t steps;
    bsp_error *error;
} finder;

// Is a point before the plane of a piece?
static bool is_before(const bspi_vrad_patch *patch, const float point[3]) {
    float off = 0;
    for (int c = 0; c < 3; c++) {
        off += (point[c] - patch->middle[c]) * patch->normal[c];
    }
    return off > BEFORE;
}

// Returns what a near piece fills of what is seen, times pi, with the angle of each edge by its
// sine, as vrad has it: one that is seen at more than 90 degrees counts less. Below zero: nothing.
static float view_of(const bspi_vrad_patch *to, const bspi_vrad_patch *from) {
    float across[3];
    float total = 0;
    bspi_triangle_cross(from->corners[0], from->corners[1], from->corners[2], across);
    float sign = bspi_dot(across, from->normal) < 0 ? 1 : -1;
    for (uint32_t i = 0; i < from->num_corners; i++) {
        const float *ends[2] = {from->corners[i], from->corners[(i + 1) % from->num_corners]};
        float ways[2][3];
        for (int c = 0; c < 3; c++) {
            ways[0][c] = ends[0][c] - to->middle[c];
            ways[1][c] = ends[1][c] - to->middle[c];
        }
        (void)bspi_normalize(ways[0]);
        (void)bspi_normalize(ways[1]);
        bspi_cross(ways[0], ways[1], across);
        float sine = fminf(bspi_normalize(across), 1);
        total += bspi_dot(to->normal, across) * bspi_angle_of(sine, sqrtf(1 - sine * sine));
    }
    return sign * total / 2;
}

float bspi_vrad_share_of(const bspi_vrad_rules *rules, const bspi_vrad_patch *to,
                         const bspi_vrad_patch *from) {
    float way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = from->middle[c] - to->middle[c];
    }
    float square = bspi_dot(way, way);
    float both = bspi_dot(way, to->normal) * -bspi_dot(way, from->normal);
    if (!(both > 0) || !(square > 0)) {
        return 0;
    }
    float share = from->area * both / (square * square);
    if (rules->spread && to->directions > 1) {
        share = from->area * -bspi_dot(way, from->normal) / (square * sqrtf(square));
    } else if (rules->fills && from->corners != NULL &&
               NEAR * (float)BSPI_PI * square < from->area) {
        share = view_of(to, from);
    } else if (rules->fills &&
               from->corners == NULL) { // of a displacement: no more than a disc of its size
        share =
            (float)BSPI_PI * from->area * both / (square * ((float)BSPI_PI * square + from->area));
    }
    return share;
}

// Keeps those of the last pieces of the row between which nothing stands.
static void look(finder *f) {
    bspi_vrad_row *row = f->row;
    uint32_t count = f->waiting;
    bool seen[LINES];
    if (count == 0) {
        return;
    }
    bspi_shadow_lines(f->v->own, bspi_shaded_model(0), f->lines, seen, NULL, count);
    row->count -= count;
    for (uint32_t i = 0, first = row->count; i < count; i++) {
        if (seen[i]) {
            row->list[row->count++] = row->list[first + i];
        }
    }
    f->waiting = 0;
}

static bool add(finder *f, uint32_t other, float share) {
    bspi_vrad_row *row = f->row;
    const bspi_vrad_patch *from = &f->v->patches[other];
    bspi_vrad_share *list =
        bspi_grow(&f->v->own->heap, row->list, row->count, &row->room, sizeof *list, f->error);
    if (list == NULL) {
        return false;
    }
    row->list = list;
    list[row->count++] = (bspi_vrad_share){other, share};
    memcpy(f->lines[f->waiting].from, f->to->point, sizeof f->lines->from);
    memcpy(f->lines[f->waiting].to, from->point, sizeof f->lines->to);
    if (++f->waiting == LINES) {
        look(f);
    }
    return true;
}

// Adds a piece, or its halves where it is near.
static bool take(finder *f, uint32_t other) {
    const bspi_vrad_patch *from = &f->v->patches[other];
    f->steps++;
    if (from->halves[0] != BSP_NONE) {
        float square = 0;
        for (int c = 0; c < 3; c++) {
            float way = from->middle[c] - f->to->middle[c];
            square += way * way;
        }
        if (square * WHOLE < from->area) {
            return take(f, from->halves[0]) && take(f, from->halves[1]);
        }
    }
    if (!is_before(f->to, from->middle)) {
        return true;
    }
    float share = bspi_vrad_share_of(f->rules, f->to, from);
    return !(share > f->rules->faint) || add(f, other, share);
}

static bool take_face(finder *f, uint32_t face) {
    const bspi_vrad *v = f->v;
    bool flat = v->firsts[face + 1] > v->firsts[face];
    uint32_t first = flat ? v->firsts[face] : v->hills[face];
    bool some = flat || v->hills[face + 1] > first;
    some = some && (f->rules->skies || v->patches[first].directions != 0);
    return !some || !is_before(&v->patches[first], f->to->middle) || take(f, first);
}

// All that a piece sees gives at most what it is lit by.
static void limit(bspi_vrad_row *row) {
    float total = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        total += row->list[i].share;
    }
    total = fmaxf(total, (float)BSPI_PI);
    for (uint32_t i = 0; i < row->count; i++) {
        row->list[i].share /= total;
    }
}

// Gives back the memory that a row does not need.
static bool trim(bspi_heap *heap, bspi_vrad_row *row, bsp_error *error) {
    size_t size = sizeof *row->list;
    bspi_vrad_share *list =
        row->room == row->count
            ? row->list
            : bspi_heap_resize(heap, row->list, row->room * size, row->count * size, error);
    bool done = list != NULL || row->count == 0;
    if (list != NULL) {
        row->list = list;
        row->room = row->count;
    }
    return done;
}

static bool find_row(finder *f, uint8_t *visible, bool *known, bsp_error *error) {
    const bspi_vrad *v = f->v;
    bspi_relight *own = v->own;
    bool done = true;
    uint32_t cluster = cluster_of(v, f->to->cluster);
    bool sees_all = own->map->visibility.num_clusters == 0;
    uint64_t passed = (uint64_t)own->map->num_faces + num_clusters(v);
    if (cluster >= num_clusters(v)) {
        return true;
    }
    if (!sees_all) {
        bsp_map_visible(own->map, cluster, false, visible);
    }
    memset(known, 0, own->map->num_faces);
    known[f->to->face] = true;
    for (uint32_t j = 0; done && j < num_clusters(v); j++) {
        bool sees = sees_all || bsp_query_row_sees(own->map, visible, j);
        for (uint32_t n = v->starts[j]; done && sees && n < v->starts[j + 1]; n++) {
            uint32_t face = v->faces[n];
            f->steps++;
            done = known[face] || take_face(f, face);
            known[face] = true;
        }
    }
    look(f);
    limit(f->row);
    return done && bspi_heap_work(&own->heap, 1 + f->steps / 4 + passed / CLEARED, error) &&
           trim(&own->heap, f->row, error);
}

static bool make_row(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const bspi_vrad *v = user;
    bspi_heap *heap = &v->own->heap;
    size_t bytes = (size_t)v->own->map->visibility.row_bytes + 1;
    size_t faces = (size_t)v->own->map->num_faces + 1;
    (void)worker;
    if (v->patches[item].halves[0] != BSP_NONE || v->patches[item].directions == 0) {
        return true;
    }
    uint8_t *visible = bspi_heap_alloc(heap, bytes, error);
    bool *known = bspi_heap_alloc(heap, faces, error);
    finder *f = bspi_heap_alloc(heap, sizeof *f, error);
    bool done = visible != NULL && known != NULL && f != NULL;
    if (done) {
        f->v = v;
        f->rules = v->own->scale.vrad;
        f->to = &v->patches[item];
        f->row = &v->rows[item];
        f->waiting = 0;
        f->steps = 0;
        f->error = error;
        done = find_row(f, visible, known, error);
    }
    bspi_heap_free(heap, f, sizeof *f);
    bspi_heap_free(heap, known, faces);
    bspi_heap_free(heap, visible, bytes);
    return done;
}

bool bspi_vrad_shares(bspi_vrad *v, bsp_error *error) {
    bspi_relight *own = v->own;
    bspi_progress progress;
    v->rows = bspi_arena_zero(&own->arena, (size_t)v->num_patches + 1, sizeof *v->rows, error);
    return v->rows != NULL && list_faces(v, error) &&
           bspi_progress_begin(&progress, &own->options->progress, "patches",
                               (uint64_t)v->num_patches + 1, error) &&
           bspi_workers_stage(bspi_heap_threads(&own->heap), v->num_patches, make_row, v, &progress,
                              error);
}

void bspi_vrad_shares_free(bspi_vrad *v) {
    for (uint32_t i = 0; v->rows != NULL && i < v->num_patches; i++) {
        bspi_heap_free(&v->own->heap, v->rows[i].list, v->rows[i].room * sizeof *v->rows[i].list);
    }
    v->rows = NULL;
}
