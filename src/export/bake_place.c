// SPDX-License-Identifier: MIT
// Where faces lie on the pages of baked light: the place of a face is its rectangle of luxels,
// enlarged, with a border.
#include "export/bake.h"

#include "export/bake_rows.h"

#include <math.h>

#define SIDE 1024u // of a page, of 5 MiB with its coverage; a single page may be smaller
#define SMALLEST_SIDE 64u
#define BORDER BSPI_BAKE_BORDER
#define MOST_DENSITY 32u
#define PLAIN_DENSITY 1u    // without a texture: filtering draws the luxels between
#define OPEN_ROWS 16u       // of a page, which a face may be added to
#define MOST_LUXELS 4096.0F // of a face's edge; more is damage

// For more pages the density is lowered: the fewer texels a luxel has, the more pages may be.
static uint32_t most_pages(uint32_t density) {
    return density > 9 ? 16 : density > 4 ? 32 : 64;
}

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

// Returns the texels of a place's side, with its border; rounding may not make it larger than a
// page.
static uint32_t side_of(float texels) {
    uint32_t side = (uint32_t)ceilf(texels) + 2 * BORDER + 1;
    return side < SIDE ? side : SIDE;
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
    place.width = side_of(extent[0] * place.density);
    place.height = side_of(extent[1] * place.density);
    return place;
}

/// Faces on pages of one side.
typedef struct stacking {
    bspi_bake_place *places;
    uint32_t count;
    uint32_t side;
    uint32_t *order; ///< room for all faces
} stacking;

// Lists the faces of a run that have a place, the highest first. Returns how many.
static uint32_t sort_by_height(const stacking *s, uint32_t first, uint32_t end) {
    uint32_t start[SIDE + 2] = {0}; // of each height, from the highest
    for (uint32_t i = first; i < end; i++) {
        if (s->places[i].page != BSP_NONE) {
            start[SIDE - s->places[i].height + 1]++;
        }
    }
    for (uint32_t h = 1; h <= SIDE + 1; h++) {
        start[h] += start[h - 1];
    }
    for (uint32_t i = first; i < end; i++) {
        if (s->places[i].page != BSP_NONE) {
            s->order[start[SIDE - s->places[i].height]++] = i;
        }
    }
    return start[SIDE + 1];
}

/// What a run of faces needs.
typedef struct page_use {
    uint32_t faces; ///< that have a place
    uint32_t height;
} page_use;

/// A row of places on a page.
typedef struct place_row {
    uint32_t x; ///< where its next place begins
    uint32_t y;
} place_row;

// Returns the first of the last rows that has room for a width, or NULL.
static place_row *row_with(place_row *rows, uint32_t count, uint32_t width, uint32_t side) {
    uint32_t first = count > OPEN_ROWS ? count - OPEN_ROWS : 0;
    for (uint32_t i = first; i < count; i++) {
        place_row *row = &rows[i % OPEN_ROWS];
        if (row->x + width <= side) {
            return row;
        }
    }
    return NULL;
}

// Places a run of faces on one page in rows, each as high as its first.
static page_use fill_page(const stacking *s, uint32_t first, uint32_t end, uint32_t page) {
    page_use use = {sort_by_height(s, first, end), 0};
    place_row rows[OPEN_ROWS];
    uint32_t num_rows = 0;
    for (uint32_t i = 0; i < use.faces; i++) {
        bspi_bake_place *place = &s->places[s->order[i]];
        place_row *row = row_with(rows, num_rows, place->width, s->side);
        if (row == NULL) {
            row = &rows[num_rows++ % OPEN_ROWS];
            *row = (place_row){0, use.height};
            use.height += place->height;
        }
        place->page = page;
        place->x = row->x;
        place->y = row->y;
        row->x += place->width;
    }
    return use;
}

// Returns the end of a run of faces that have at most the area of a page, and one at least.
static uint32_t run_of_area(const stacking *s, uint32_t first) {
    uint64_t rest = (uint64_t)s->side * s->side;
    uint32_t end = first;
    for (; end < s->count; end++) {
        const bspi_bake_place *place = &s->places[end];
        uint64_t area = place->page == BSP_NONE ? 0 : (uint64_t)place->width * place->height;
        if (area > rest) {
            break;
        }
        rest -= area;
    }
    return end > first ? end : first + 1;
}

// Returns the end of the first `kept` faces of a run that have a place, with those without one that
// follow.
static uint32_t run_of_faces(const stacking *s, uint32_t first, uint32_t end, uint32_t kept) {
    uint32_t found = 0;
    for (uint32_t i = first; i < end; i++) {
        found += s->places[i].page != BSP_NONE;
        if (found > kept) {
            return i;
        }
    }
    return end;
}

// Places faces on pages, on each as many as fit, in the order of the mesh: so that few materials
// have several pages. Returns the number of pages.
static uint32_t stack(const stacking *s) {
    uint32_t pages = 0;
    for (uint32_t first = 0; first < s->count;) {
        uint32_t end = run_of_area(s, first);
        page_use use = fill_page(s, first, end, pages);
        while (use.height > s->side && use.faces > 1) {
            uint64_t fewer = (uint64_t)use.faces * s->side / use.height;
            end = run_of_faces(s, first, end, fewer > 1 ? (uint32_t)fewer : 1);
            use = fill_page(s, first, end, pages);
        }
        pages += use.faces != 0;
        first = end;
    }
    return pages;
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
static void choose_side(bspi_content *content, stacking *s) {
    uint32_t most = SMALLEST_SIDE;
    for (uint32_t f = 0; f < s->count; f++) {
        most = s->places[f].width > most ? s->places[f].width : most;
        most = s->places[f].height > most ? s->places[f].height : most;
    }
    for (s->side = SMALLEST_SIDE; content->num_pages == 1 && s->side < SIDE; s->side *= 2) {
        if (s->side >= most && stack(s) == 1) {
            content->baked_side = s->side;
            return;
        }
    }
    s->side = content->baked_side = SIDE;
    content->num_pages = stack(s);
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
    stacking pages = {places, mesh->num_faces, SIDE, NULL};
    pages.order = bspi_arena_raw(&content->arena, mesh->num_faces, sizeof *pages.order, error);
    if (places == NULL || content->baked_uv == NULL || pages.order == NULL) {
        return NULL;
    }
    for (;; how.density = lower(how.density)) {
        for (uint32_t f = 0; f < mesh->num_faces; f++) {
            places[f] = measure(content, f, &how);
        }
        content->num_pages = stack(&pages);
        if (how.fixed || how.density == 1 || content->num_pages <= most_pages(how.density)) {
            break;
        }
    }
    choose_side(content, &pages);
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        if (places[f].page != BSP_NONE) {
            place_vertices(content, f, &places[f]);
        }
    }
    return places;
}
