// SPDX-License-Identifier: MIT
// Baking. The place of a face is its rectangle of luxels, enlarged, with a border; triangles are
// drawn into it with one more texel on each side, so that filtering reads the right colours there.
#include "export/bake.h"

#include "core/workers.h"
#include "export/bake_rows.h"
#include "mesh/pack.h"

#include <math.h>
#include <string.h>

#define SIDE 1024u // of a page, of 5 MiB with its coverage; a single page may be smaller
#define SMALLEST_SIDE 64u
#define BORDER BSPI_BAKE_BORDER
#define PAGES_AT_ONCE 4u  // that several threads draw
#define FACES_AT_ONCE 16u // that a thread draws before it takes the next
#define MOST_DENSITY 32u
#define PLAIN_DENSITY 1u // without a texture: filtering draws the luxels between
#define MOST_PAGES 64u   // for more pages the density is lowered
#define SHARP_PAGES 16u  // for more pages it is lowered to that of GOOD_DENSITY
#define GOOD_DENSITY 4u
#define MOST_LUXELS 4096.0F // of a face's edge; more is damage
#define SMALLEST_AREA 1e-6F // twice the area of a triangle, in texels
// The least rise of an edge, as a part of its length, to bound a row: the rounding of a place on it
// is then far below a texel.
#define LEVEL_EDGE 0.01

// --- places -------------------------------------------------------------------------------------

/// The most texels of a baked image for each luxel's edge.
typedef struct baking {
    uint32_t density;
    bool fixed; ///< faces have that density, not that of their texture
} baking;

// Returns twice the area of a triangle, in the units of `uv` times `size`.
static double area_of(const float *a, const float *b, const float *c, const double size[2]) {
    double ab[2] = {(double)(b[0] - a[0]), (double)(b[1] - a[1])};
    double ac[2] = {(double)(c[0] - a[0]), (double)(c[1] - a[1])};
    return fabs(ab[0] * ac[1] - ab[1] * ac[0]) * size[0] * size[1];
}

// Returns how many texels of its texture a face has along a luxel's edge, on the average of its
// triangles; 1 without a texture.
static double texture_density(const bspi_content *content, const bsp_mesh_face *f) {
    const bsp_mesh *mesh = content->mesh;
    const bsp_mesh_group *group = &mesh->groups[f->group];
    const bsp_light_page *page = &content->lightmap->pages[group->light_page];
    const bspi_paint *paint =
        group->material == BSP_NONE ? NULL : &content->paints.list[group->material];
    if (paint == NULL || paint->mips.count == 0) {
        return PLAIN_DENSITY;
    }
    double texture[2] = {paint->mips.mips[0].width, paint->mips.mips[0].height};
    double light[2] = {page->width, page->height};
    double texels = 0;
    double luxels = 0;
    for (uint32_t i = 0; i + 2 < f->num_indices; i += 3) {
        const uint32_t *n = &mesh->indices[f->first_index + i];
        const bsp_mesh_vertex *v[3];
        for (int c = 0; c < 3; c++) {
            v[c] = &mesh->vertices[n[c]];
        }
        texels += area_of(v[0]->uv, v[1]->uv, v[2]->uv, texture);
        luxels += area_of(v[0]->light_uv, v[1]->light_uv, v[2]->light_uv, light);
    }
    double density = luxels > 0 ? sqrt(texels / luxels) : PLAIN_DENSITY;
    return density >= PLAIN_DENSITY ? density : PLAIN_DENSITY; // also where it is no number
}

static bspi_bake_place measure(const bspi_content *content, uint32_t face, const baking *how) {
    const bsp_mesh_face *f = &content->mesh->faces[face];
    uint32_t light_page = content->mesh->groups[f->group].light_page;
    bspi_bake_place place = {.page = BSP_NONE, .density = (float)how->density};
    uint32_t model = content->mesh->groups[f->group].model;
    if (light_page == BSP_NONE || f->num_indices == 0 || !bspi_model_is_lit(content, model)) {
        return place;
    }
    const bsp_light_page *page = &content->lightmap->pages[light_page];
    float size[2] = {(float)page->width, (float)page->height};
    float extent[2];
    for (int i = 0; i < 2; i++) {
        float low = INFINITY;
        float high = -INFINITY;
        for (uint32_t v = 0; v < f->num_vertices; v++) {
            float at = content->mesh->vertices[f->first_vertex + v].light_uv[i] * size[i];
            low = fminf(low, at);
            high = fmaxf(high, at);
        }
        place.first[i] = low;
        extent[i] = high - low;
    }
    float most = fmaxf(extent[0], extent[1]);
    if (!isfinite(most) || !(most <= MOST_LUXELS) || !isfinite(place.first[0] + place.first[1])) {
        return place;
    }
    if (!how->fixed) {
        double own = texture_density(content, f);
        place.density = own < (double)how->density ? (float)own : place.density;
    }
    place.density = fminf(place.density, (float)(SIDE - 2 * BORDER - 1) / fmaxf(most, 1));
    place.page = 0;
    place.width = (uint32_t)ceilf(extent[0] * place.density) + 2 * BORDER + 1;
    place.height = (uint32_t)ceilf(extent[1] * place.density) + 2 * BORDER + 1;
    return place;
}

// Places faces on shelves in the order of the mesh. Returns the number of pages.
static uint32_t stack(bspi_bake_place *places, uint32_t count, uint32_t side) {
    bspi_shelf shelf = {0};
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        bspi_bake_place *place = &places[i];
        if (place->page != BSP_NONE) {
            bspi_shelf_place at = bspi_shelf_add(&shelf, place->width, place->height, side, side);
            place->page = at.page;
            place->x = at.x;
            place->y = at.y;
            any = true;
        }
    }
    return any ? shelf.page + 1 : 0;
}

static void place_vertices(bspi_content *content, uint32_t face, const bspi_bake_place *place) {
    const bsp_mesh_face *f = &content->mesh->faces[face];
    const bsp_light_page *page =
        &content->lightmap->pages[content->mesh->groups[f->group].light_page];
    float size[2] = {(float)page->width, (float)page->height};
    float corner[2] = {(float)(place->x + BORDER) + 0.5F, (float)(place->y + BORDER) + 0.5F};
    for (uint32_t v = f->first_vertex; v < f->first_vertex + f->num_vertices; v++) {
        for (int i = 0; i < 2; i++) {
            float luxel = content->mesh->vertices[v].light_uv[i] * size[i] - place->first[i];
            content->baked_uv[v][i] =
                (corner[i] + luxel * place->density) / (float)content->baked_side;
        }
    }
}

// Makes a single page as small as possible.
static void choose_side(bspi_content *content, bspi_bake_place *places) {
    uint32_t count = content->mesh->num_faces;
    uint32_t most = SMALLEST_SIDE;
    content->baked_side = SIDE;
    for (uint32_t f = 0; f < count; f++) {
        most = places[f].width > most ? places[f].width : most;
        most = places[f].height > most ? places[f].height : most;
    }
    for (uint32_t side = SMALLEST_SIDE; content->num_pages == 1 && side < SIDE; side *= 2) {
        if (side >= most && stack(places, count, side) == 1) {
            content->baked_side = side;
            return;
        }
    }
    content->num_pages = stack(places, count, SIDE);
}

// Returns the next lower density to try: a fourth less, and at least 1 less.
static uint32_t lower(uint32_t density) {
    return density - (density > 4 ? density / 4 : 1);
}

bspi_bake_place *bspi_bake_place_all(bspi_content *content, bsp_error *error) {
    const bsp_mesh *mesh = content->mesh;
    uint32_t asked = content->options->bake_density;
    baking how = {.density = asked != 0 && asked < MOST_DENSITY ? asked : MOST_DENSITY,
                  .fixed = asked != 0};
    bspi_bake_place *places =
        bspi_arena_raw(&content->arena, mesh->num_faces, sizeof *places, error);
    content->baked_uv =
        bspi_arena_zero(&content->arena, mesh->num_vertices, sizeof *content->baked_uv, error);
    if (places == NULL || content->baked_uv == NULL) {
        return NULL;
    }
    for (;; how.density = lower(how.density)) {
        for (uint32_t f = 0; f < mesh->num_faces; f++) {
            places[f] = measure(content, f, &how);
        }
        content->num_pages = stack(places, mesh->num_faces, SIDE);
        uint32_t most = how.density > GOOD_DENSITY ? SHARP_PAGES : MOST_PAGES;
        if (how.fixed || how.density == 1 || content->num_pages <= most) {
            break;
        }
    }
    choose_side(content, places);
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        if (places[f].page != BSP_NONE) {
            place_vertices(content, f, &places[f]);
        }
    }
    return places;
}

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
    uint32_t first;   ///< the page of the first item
    uint32_t threads; ///< for the faces of a page
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

static bool draw_page(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const bake *b = user;
    const uint8_t black[4] = {0, 0, 0, 255};
    bspi_content *content = b->content;
    uint32_t number = b->first + item;
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
    const bspi_packing packing = {{page.image.pixels, side, side}, &content->pages[number]};
    done = done && bspi_paints_pack_one(&content->paints, worker, &packing, error);
    bsp_image_free(&page.image);
    bspi_heap_free(&content->heap, page.cover, texels);
    return done;
}

bool bspi_bake_draw(bspi_content *content, const bspi_bake_place *places, bsp_error *error) {
    uint32_t count = content->num_pages;
    uint32_t threads = content->paints.threads;
    uint32_t at_once = threads < PAGES_AT_ONCE ? threads : PAGES_AT_ONCE;
    at_once = count < at_once ? count : at_once;
    bake b = {content, places, 0, at_once > 1 ? 1 : threads};
    content->pages = bspi_arena_zero(&content->arena, count, sizeof *content->pages, error);
    bool done = content->pages != NULL &&
                bspi_progress_begin(&content->paints.progress, &content->options->progress,
                                    "pages of light", count, error);
    for (; done && b.first < count; b.first += at_once) {
        uint32_t rest = count - b.first;
        uint32_t items = rest < at_once ? rest : at_once;
        done = bspi_workers_each(at_once, items, draw_page, &b, error);
        for (uint32_t i = 0; i < items; i++) {
            content->paints.held += content->pages[b.first + i].size;
        }
        done = done && bspi_progress_step(&content->paints.progress, items, error);
    }
    return done;
}
