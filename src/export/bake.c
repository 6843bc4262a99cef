// SPDX-License-Identifier: MIT
// Baking: triangles are drawn into the places of their faces with one more texel on each side, so
// that filtering reads the right colours there.
#include "export/bake.h"

#include "core/workers.h"
#include "export/bake_rows.h"

#include <math.h>
#include <string.h>

#define BORDER BSPI_BAKE_BORDER
#define PAGES_AT_ONCE 4u    // that several threads draw
#define FACES_AT_ONCE 16u   // that a thread draws before it takes the next
#define SMALLEST_AREA 1e-6F // twice the area of a triangle, in texels
// The least rise of an edge, as a part of its length, to bound a row: the rounding of a place on it
// is then far below a texel.
#define LEVEL_EDGE 0.01

// --- drawing ------------------------------------------------------------------------------------

/// The page being drawn.
typedef struct canvas {
    const bspi_content *content;
    bsp_image image;
    uint8_t *cover; ///< a bspi_bake_cover for each texel
    bspi_bake_row_fn *draw_row;
} canvas;

// Narrows `low`..`high` to the texels of a row that can be near to a triangle: excludes those
// farther outside of one edge than the border, with a margin of one. The texels between are tested.
static void narrow(const bspi_bake_triangle *set, uint32_t y, uint32_t *low, uint32_t *high) {
    double sign = set->area > 0 ? 1 : -1;
    double least = *low;
    double most = *high;
    for (int c = 0; c < 3; c++) {
        const float *a = set->at[(c + 1) % 3];
        const float *b = set->at[(c + 2) % 3];
        double dx = (double)b[0] - (double)a[0];
        double dy = (double)b[1] - (double)a[1];
        double length = sqrt(dx * dx + dy * dy);
        double slope = -sign * dy; // of the distance inside of the edge, along the row
        double rest = sign * (dx * ((double)y + 0.5 - (double)a[1]) + dy * (double)a[0]);
        double at = (-(double)BORDER * length - rest) / slope - 0.5;
        if (fabs(slope) < LEVEL_EDGE * length || !isfinite(at)) {
            continue; // a level edge does not bound the row
        }
        if (slope > 0) {
            least = at - 1 > least ? at - 1 : least;
        } else {
            most = at + 2 < most ? at + 2 : most;
        }
    }
    *high = most > *low ? (uint32_t)most : *low;
    *low = least < *high ? (uint32_t)least : *high;
}

// Returns how many texels were tested.
static uint64_t draw_triangle(canvas *page, const bspi_bake_triangle *set,
                              const bspi_bake_place *place) {
    uint64_t steps = 0;
    uint32_t low[2];
    uint32_t high[2];
    uint32_t first[2] = {place->x, place->y};
    uint32_t size[2] = {place->width, place->height};
    for (int i = 0; i < 2; i++) {
        float least = fminf(set->at[0][i], fminf(set->at[1][i], set->at[2][i])) - BORDER;
        float most = fmaxf(set->at[0][i], fmaxf(set->at[1][i], set->at[2][i])) + BORDER;
        float start = (float)first[i];
        float end = (float)(first[i] + size[i]);
        low[i] = least > start ? (uint32_t)least : first[i];
        high[i] = most < end ? (uint32_t)most + 1 : first[i] + size[i];
        high[i] = high[i] < first[i] + size[i] ? high[i] : first[i] + size[i];
    }
    bool plain = set->mixed[0] != NULL || set->glow != NULL;
    bspi_bake_row_fn *draw_row = plain ? bspi_bake_row_plain : page->draw_row;
    for (uint32_t y = low[1]; y < high[1]; y++) {
        uint32_t from = low[0];
        uint32_t to = high[0];
        narrow(set, y, &from, &to);
        steps += 1 + (to - from);
        size_t first_texel = (size_t)y * page->image.width;
        const bspi_bake_row row = {y, from, to, page->image.pixels + 4 * first_texel,
                                   page->cover + first_texel};
        draw_row(set, &row);
    }
    return steps;
}

// Returns the mip whose texels are as large as the image's.
static uint32_t level_of(const bspi_bake_triangle *set, const bspi_mip_chain *mips) {
    if (mips == NULL) {
        return 0;
    }
    const bsp_mesh_vertex *const *v = set->v;
    double u[2] = {(double)(v[1]->uv[0] - v[0]->uv[0]), (double)(v[2]->uv[0] - v[0]->uv[0])};
    double w[2] = {(double)(v[1]->uv[1] - v[0]->uv[1]), (double)(v[2]->uv[1] - v[0]->uv[1])};
    double texels = fabs(u[0] * w[1] - u[1] * w[0]) * mips->mips[0].width * mips->mips[0].height;
    double ratio = texels / fabs((double)set->area);
    uint32_t level = 0;
    for (; level + 1 < mips->count && ratio > 2; level++) {
        ratio /= 4;
    }
    return level;
}

// Computes what all texels of a triangle need.
static void set_edges(bspi_bake_triangle *set) {
    set->area = (set->at[1][0] - set->at[0][0]) * (set->at[2][1] - set->at[0][1]) -
                (set->at[1][1] - set->at[0][1]) * (set->at[2][0] - set->at[0][0]);
    for (int c = 0; c < 3; c++) {
        const float *a = set->at[(c + 1) % 3];
        const float *b = set->at[(c + 2) % 3];
        float dx = b[0] - a[0];
        float dy = b[1] - a[1];
        set->edge[c][0] = dx;
        set->edge[c][1] = dy;
        set->length[c] = fmaxf(sqrtf(dx * dx + dy * dy), 1e-6F);
    }
}

// Chooses what is mixed in at a triangle, and how much at its corners.
static void set_shares(bspi_bake_triangle *set, const bsp_mesh *mesh, const bspi_paint *paint) {
    bool layered = mesh->blends != NULL;
    for (int c = 0; c < 3; c++) {
        layered = layered && mesh->blends[set->v[c] - mesh->vertices][0] != 0;
    }
    for (uint32_t i = 0; i < BSPI_MIXED; i++) {
        const bspi_layer *layer = i == 0 ? NULL : &paint->layers[i - 1];
        const float *blend = layer == NULL ? paint->blend : layer->blend;
        if (layer != NULL) {
            set->mixed[i] = layered && layer->mips.count != 0 ? &layer->mips : NULL;
        }
        set->repeats[i] = layer != NULL ? layer->repeats : paint->repeats;
        for (int c = 0; c < 3; c++) {
            const uint8_t *at = layered ? mesh->blends[set->v[c] - mesh->vertices] : NULL;
            uint8_t part = layered ? bspi_layer_share(at[i + 1], blend) : set->v[c]->color[3];
            set->share[i][c] = part;
        }
    }
}

// Returns the steps of work.
static uint64_t draw_face(canvas *page, uint32_t face, const bspi_bake_place *place) {
    uint64_t steps = 0;
    const bspi_content *content = page->content;
    const bsp_mesh *mesh = content->mesh;
    const bsp_mesh_face *f = &mesh->faces[face];
    const bsp_mesh_group *group = &mesh->groups[f->group];
    const bsp_light_page *light = &content->lightmap->pages[group->light_page];
    const bspi_paint *paint =
        group->material == BSP_NONE ? NULL : &content->paints.list[group->material];
    bspi_bake_triangle set = {.mips = paint != NULL && paint->mips.count != 0 ? &paint->mips : NULL,
                              .light = {light->rgba, light->width, light->height, light->width},
                              .color = {0.5F, 0.5F, 0.5F}};
    if (paint != NULL) {
        memcpy(set.color, paint->color, sizeof set.color);
        bool mixed = (group->bits & BSP_SURFACE_DISPLACEMENT) != 0 && paint->second_mips.count != 0;
        set.mixed[0] = mixed ? &paint->second_mips : NULL;
        set.glow = paint->glow_mips.count != 0 ? &paint->glow_mips : NULL;
    }
    for (uint32_t i = 0; i + 2 < f->num_indices; i += 3) {
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t v = mesh->indices[f->first_index + i + c];
            set.v[c] = &mesh->vertices[v];
            set.at[c][0] = content->baked_uv[v][0] * (float)content->baked_side;
            set.at[c][1] = content->baked_uv[v][1] * (float)content->baked_side;
        }
        set_edges(&set);
        if (set.mixed[0] != NULL) {
            set_shares(&set, mesh, paint);
        }
        if (fabsf(set.area) > SMALLEST_AREA) {
            set.level = level_of(&set, set.mips);
            for (uint32_t m = 0; m < BSPI_MIXED; m++) {
                set.mixed_level[m] = level_of(&set, set.mixed[m]);
            }
            set.glow_level = level_of(&set, set.glow);
            steps += draw_triangle(page, &set, place);
        }
    }
    return steps;
}

/// All pages, and the faces of each.
typedef struct bake {
    bspi_content *content;
    const bspi_bake_place *places;
    uint32_t threads; ///< for the faces of a page, and for its rows
} bake;

/// Faces that are drawn on one page. Their places do not overlap.
typedef struct face_run {
    canvas *page;
    const bspi_bake_place *places;
    uint32_t first;
    uint32_t end;
} face_run;

static bool draw_faces(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const face_run *run = user;
    bspi_heap *heap = run->page->content->paints.arena->heap;
    uint32_t first = run->first + item * FACES_AT_ONCE;
    (void)worker;
    for (uint32_t f = first; f < run->end && f - first < FACES_AT_ONCE; f++) {
        if (run->places[f].page != BSP_NONE &&
            !bspi_heap_work(heap, draw_face(run->page, f, &run->places[f]), error)) {
            return false;
        }
    }
    return true;
}

// The faces of a page follow each other, with unlit ones between them.
static face_run find_faces(canvas *page, const bspi_bake_place *places, uint32_t number) {
    uint32_t count = page->content->mesh->num_faces;
    face_run run = {page, places, 0, 0};
    while (run.first < count && places[run.first].page != number) {
        run.first++;
    }
    run.end = run.first;
    for (uint32_t f = run.first; f < count; f++) {
        run.end = places[f].page == number ? f + 1 : run.end;
    }
    return run;
}

static bool draw_page(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    const bake *b = user;
    const uint8_t black[4] = {0, 0, 0, 255};
    bspi_content *content = b->content;
    uint32_t side = content->baked_side;
    size_t texels = (size_t)side * side;
    canvas page = {.content = content,
                   .cover = bspi_heap_alloc(&content->heap, texels, error),
                   .draw_row = bspi_bake_row_best()};
    bool done = page.cover != NULL &&
                bsp_image_fill(side, side, black, content->options->allocator, &page.image, error);
    if (done) {
        memset(page.cover, BSPI_BAKE_NONE, texels);
        face_run run = find_faces(&page, b->places, number);
        uint32_t items = (run.end - run.first + FACES_AT_ONCE - 1) / FACES_AT_ONCE;
        done = bspi_workers_each(b->threads, items, draw_faces, &run, error);
    }
    bspi_heap_free(&content->heap, page.cover, texels);
    if (!done) {
        bsp_image_free(&page.image);
        return false;
    }
    return bspi_paints_pack_away(&content->paints, worker, b->threads, &page.image,
                                 &content->pages[number], error);
}

bool bspi_bake_draw(bspi_content *content, const bspi_bake_place *places, bsp_error *error) {
    uint32_t count = content->num_pages;
    uint32_t threads = content->paints.threads;
    uint32_t at_once = threads < PAGES_AT_ONCE ? threads : PAGES_AT_ONCE;
    at_once = count < at_once ? count : at_once;
    bake b = {content, places, at_once < 2 ? threads : threads / at_once};
    bspi_progress *progress = &content->paints.progress;
    content->pages = bspi_arena_zero(&content->arena, count, sizeof *content->pages, error);
    bool done = content->pages != NULL &&
                bspi_progress_begin(progress, &content->options->progress, "pages of light", count,
                                    error) &&
                (count == 0 || bspi_workers_stage(at_once, count, draw_page, &b, progress, error));
    for (uint32_t i = 0; content->pages != NULL && i < count; i++) {
        content->paints.held += content->pages[i].size;
    }
    return done;
}
