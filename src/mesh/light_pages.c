// SPDX-License-Identifier: MIT
// Quake 3: the square pages of the file, or images in their place, become rectangles of our pages.
// A face with several styles (RBSP) gets its own rectangle with the sum of its styles. Format:
// sheet quake3 (3, 4).
#include "map/pages.h"
#include "mesh/lightmap.h"

#include <string.h>

#define SLOTS 4
#define TEXEL 3u       // bytes in the file
#define SHEET_TEXEL 4u // bytes in pages whose sizes are stated

/// A page of the file, or an image in its place.
typedef struct file_page {
    const uint8_t *rgb; // NULL: missing, or without light
    uint32_t width;     // 0: missing
    uint32_t height;
    uint32_t texel; // bytes
} file_page;

typedef struct paged {
    bspi_light_builder *builder;
    file_page *pages;
    uint32_t num_pages;
    uint32_t *combined; // faces with their own rectangle
    uint32_t num_combined;
    uint32_t *rect_of;   // for each page: its rectangle before packing, then its place
    uint8_t shaded[256]; // the value of a texel for each byte of a page
    uint32_t most;       // the bytes up to this one keep the texel within the range
} paged;

typedef struct combined_user {
    const paged *p;
    const bsp_face_light *light;
} combined_user;

// --- pages ---------------------------------------------------------------------------------------

static bool find_pages(paged *p) {
    const bsp_map *map = p->builder->map;
    const bsp_lightmap_options *options = p->builder->options;
    uint32_t side = map->traits->light_page;
    size_t bytes = bspi_page_bytes(map->traits);
    uint32_t count = bspi_num_pages(map);
    const bsp_external_light *external = options->external;
    uint32_t outside = external == NULL ? 0 : external->num_pages;
    p->num_pages = outside > count ? outside : count;
    p->pages =
        bspi_arena_zero(&p->builder->own->arena, p->num_pages, sizeof *p->pages, p->builder->error);
    for (uint32_t i = 0; p->pages != NULL && i < p->num_pages; i++) {
        if (i < count) {
            p->pages[i] = (file_page){map->light.data + i * bytes, side, side, TEXEL};
        } else if (external->pages[i].width <= BSPI_MAX_LUXELS &&
                   external->pages[i].height <= BSPI_MAX_LUXELS) {
            const bsp_light_image *image = &external->pages[i];
            p->pages[i] = (file_page){image->rgb, image->width, image->height, TEXEL};
        }
    }
    return p->pages != NULL;
}

// Respawn: a page has two images of four bytes per luxel, red first. The purpose of the second
// image, and of the fourth byte, is not known: the first image is shown.
static bool find_sheets(paged *p) {
    const bsp_map *map = p->builder->map;
    p->num_pages = map->num_light_headers;
    p->pages =
        bspi_arena_zero(&p->builder->own->arena, p->num_pages, sizeof *p->pages, p->builder->error);
    uint64_t at = 0;
    for (uint32_t i = 0; p->pages != NULL && i < p->num_pages; i++) {
        const bsp_light_header *from = &map->light_headers[i];
        uint64_t bytes = (uint64_t)from->width * from->height * SHEET_TEXEL;
        if (at + 2 * bytes > map->light.size || from->width > BSPI_MAX_LUXELS ||
            from->height > BSPI_MAX_LUXELS) {
            break;
        }
        const uint8_t *first = bytes == 0 ? NULL : map->light.data + at;
        bool blank = bspi_page_is_blank(first, (size_t)bytes);
        p->pages[i] = (file_page){blank ? NULL : first, from->width, from->height, SHEET_TEXEL};
        at += 2 * bytes;
    }
    return p->pages != NULL;
}

static bool has_page(const paged *p, int32_t page) {
    return page >= 0 && (uint32_t)page < p->num_pages && p->pages[page].rgb != NULL &&
           p->pages[page].width != 0 && p->pages[page].height != 0;
}

static bool is_lost(const paged *p, int32_t page) {
    return page >= 0 && ((uint32_t)page >= p->num_pages || p->pages[page].width == 0);
}

// Returns the page of a face: by its number, or the one that its material's shader names.
static int32_t page_of(const paged *p, uint32_t face) {
    const bsp_map *map = p->builder->map;
    const bsp_external_light *external = p->builder->options->external;
    int32_t page = map->face_lights[face].page[0];
    uint32_t material = bsp_surface_material(map, face);
    if (page < 0 && external != NULL && external->of_material != NULL &&
        material < external->num_materials && external->of_material[material] < INT32_MAX) {
        page = (int32_t)external->of_material[material];
    }
    return page;
}

static float style_factor(const paged *p, uint8_t style) {
    return p->builder->styles[style];
}

// Returns true if the slot's rectangle lies on its page.
static bool has_slot(const paged *p, const bsp_face_light *light, int slot) {
    if (light->styles[slot] == BSP_NO_STYLE || !has_page(p, light->page[slot])) {
        return false;
    }
    const file_page *page = &p->pages[light->page[slot]];
    return light->x[slot] >= 0 && light->y[slot] >= 0 && light->size[0] > 0 && light->size[1] > 0 &&
           (int64_t)light->x[slot] + light->size[0] <= page->width &&
           (int64_t)light->y[slot] + light->size[1] <= page->height;
}

// Returns true if the face's own coordinates lie in the rectangle that it states, within half a
// luxel.
static bool stays_inside(const paged *p, uint32_t number) {
    const bsp_map *map = p->builder->map;
    const bsp_face *face = &map->faces[number];
    const bsp_face_light *light = &map->face_lights[number];
    const file_page *page = &p->pages[light->page[0]];
    float size[2] = {(float)page->width, (float)page->height};
    int32_t corner[2] = {light->x[0], light->y[0]};
    for (uint32_t v = 0; v < face->num_verts && face->first_vert + v < map->num_draw_verts; v++) {
        const float *uv = map->draw_verts[face->first_vert + v].light_uv[0];
        for (int axis = 0; axis < 2; axis++) {
            float at = uv[axis] * size[axis] - (float)corner[axis];
            if (!(at >= -0.5F && at <= (float)light->size[axis] + 0.5F)) {
                return false;
            }
        }
    }
    return true;
}

// Returns true for faces that cannot use the page as it is: with several styles, or one that is not
// at full brightness. Faces that cover their whole page must use it.
static bool needs_own(const paged *p, uint32_t number) {
    if (p->builder->map->traits->shares_vertices) {
        return false;
    }
    const bsp_face_light *light = &p->builder->map->face_lights[number];
    int used = 0;
    for (int slot = 1; slot < SLOTS; slot++) {
        used += has_slot(p, light, slot) && style_factor(p, light->styles[slot]) != 0;
    }
    bool plain = light->styles[0] == BSP_NO_STYLE || style_factor(p, light->styles[0]) == 1;
    return (used != 0 || !plain) && has_slot(p, light, 0) && stays_inside(p, number);
}

// --- drawing ------------------------------------------------------------------------------------

static void add_luxel(const paged *p, const file_page *page, uint32_t x, uint32_t y, float factor,
                      float sum[3]) {
    const uint8_t *rgb = page->rgb + ((size_t)y * page->width + x) * page->texel;
    for (int i = 0; i < 3; i++) {
        sum[i] += (float)rgb[i] / 255 * p->builder->shade.gain * factor;
    }
}

typedef struct page_user {
    const paged *p;
    const file_page *page;
} page_user;

// Shades each byte alone, as long as it is within the range: a texel of such bytes is then shaded
// byte by byte.
static void shade_bytes(paged *p) {
    const bspi_shade *shade = &p->builder->shade;
    for (uint32_t i = 0; i < 256; i++) {
        const uint8_t grey[4] = {(uint8_t)i, (uint8_t)i, (uint8_t)i, 255};
        const file_page page = {grey, 1, 1, SHEET_TEXEL};
        float sum[3] = {0, 0, 0};
        uint8_t out[4];
        add_luxel(p, &page, 0, 0, 1, sum);
        if (!(sum[0] <= shade->range)) {
            return;
        }
        bspi_shade_factor(shade, sum, out);
        p->shaded[i] = out[0];
        p->most = i;
    }
}

static void page_texel(const page_user *u, const uint8_t *from, uint8_t out[4]) {
    uint32_t most = from[0] > from[1] ? from[0] : from[1];
    most = most > from[2] ? most : from[2];
    if (most <= u->p->most) {
        for (int i = 0; i < 3; i++) {
            out[i] = u->p->shaded[from[i]];
        }
        out[3] = 255;
        return;
    }
    const file_page texel = {from, 1, 1, u->page->texel};
    float sum[3] = {0, 0, 0};
    add_luxel(u->p, &texel, 0, 0, 1, sum);
    bspi_shade_factor(&u->p->builder->shade, sum, out);
}

static void page_row(const void *user, uint32_t y, uint32_t width, uint8_t *out) {
    const page_user *u = user;
    const uint8_t *from = u->page->rgb + (size_t)y * u->page->width * u->page->texel;
    for (size_t x = 0; x < width; x++) {
        page_texel(u, from + x * u->page->texel, out + 4 * x);
    }
}

static void combined_texel(const combined_user *u, uint32_t x, uint32_t y, uint8_t out[4]) {
    float sum[3] = {0, 0, 0};
    for (int slot = 0; slot < SLOTS; slot++) {
        if (has_slot(u->p, u->light, slot)) {
            add_luxel(u->p, &u->p->pages[u->light->page[slot]], (uint32_t)u->light->x[slot] + x,
                      (uint32_t)u->light->y[slot] + y, style_factor(u->p, u->light->styles[slot]),
                      sum);
        }
    }
    bspi_shade_factor(&u->p->builder->shade, sum, out);
}

static void combined_row(const void *user, uint32_t y, uint32_t width, uint8_t *out) {
    for (uint32_t x = 0; x < width; x++) {
        combined_texel(user, x, y, out + 4 * (size_t)x);
    }
}

// --- faces --------------------------------------------------------------------------------------

// Sets the place of a rectangle of the file's page, at (x, y): coordinate = stored * scale +
// offset.
static void set_place(const paged *p, bsp_light_face *face, const bspi_rect *rect,
                      const file_page *page, int32_t x, int32_t y) {
    const bsp_light_page *out = &p->builder->own->lightmap.pages[rect->page];
    face->page = rect->page;
    face->x = rect->x + BSPI_BORDER;
    face->y = rect->y + BSPI_BORDER;
    face->width = rect->width - 2 * BSPI_BORDER;
    face->height = rect->height - 2 * BSPI_BORDER;
    face->scale[0] = (float)page->width / (float)out->width;
    face->scale[1] = (float)page->height / (float)out->height;
    face->offset[0] = ((float)face->x - (float)x) / (float)out->width;
    face->offset[1] = ((float)face->y - (float)y) / (float)out->height;
}

// A bspi_draw_rect. No two rectangles have the same owner.
static void draw_rect(void *user, uint32_t number) {
    paged *p = user;
    bspi_light_builder *builder = p->builder;
    const bspi_rect *rect = &builder->rects[number];
    if (rect->owner < p->num_pages) {
        page_user page = {p, &p->pages[rect->owner]};
        bspi_light_draw(builder, rect, page_row, &page);
        p->rect_of[rect->owner] = number;
        return;
    }
    uint32_t face = p->combined[rect->owner - p->num_pages];
    combined_user own = {p, &builder->map->face_lights[face]};
    bspi_light_draw(builder, rect, combined_row, &own);
    set_place(p, &builder->faces[face], rect, &p->pages[own.light->page[0]], own.light->x[0],
              own.light->y[0]);
}

static void place_faces(paged *p) {
    bspi_light_builder *builder = p->builder;
    for (uint32_t i = 0; i < builder->map->num_face_lights && i < builder->map->num_faces; i++) {
        int32_t page = page_of(p, i);
        bsp_light_face *face = &builder->faces[i];
        if (face->page == BSP_NONE && has_page(p, page)) {
            set_place(p, face, &builder->rects[p->rect_of[page]], &p->pages[page], 0, 0);
        } else if (is_lost(p, page)) {
            builder->own->lightmap.num_dropped++;
        }
        builder->own->lightmap.num_lit += face->page != BSP_NONE;
    }
}

// Adds a rectangle and charges the work of drawing it. Returns false over a limit.
static bool add_rect(bspi_light_builder *builder, uint32_t width, uint32_t height, uint32_t owner) {
    builder->rects[builder->num_rects++] =
        (bspi_rect){width + 2 * BSPI_BORDER, height + 2 * BSPI_BORDER, owner, 0, 0, 0};
    return bspi_meter_add(&builder->meter, (uint64_t)width * height);
}

static bool list_pages(paged *p) {
    bspi_light_builder *builder = p->builder;
    bsp_lightmap *lightmap = &builder->own->lightmap;
    for (uint32_t i = 0; i < p->num_pages; i++) {
        if (has_page(p, (int32_t)i)) {
            if (!add_rect(builder, p->pages[i].width, p->pages[i].height, i)) {
                return false;
            }
            uint64_t luxels = (uint64_t)p->pages[i].width * p->pages[i].height;
            lightmap->luxels += luxels;
            lightmap->source_bytes += luxels * p->pages[i].texel;
        }
    }
    return true;
}

static bool list_rects(paged *p) {
    bspi_light_builder *builder = p->builder;
    const bsp_map *map = builder->map;
    if (!list_pages(p)) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_face_lights && i < map->num_faces; i++) {
        if (!bspi_meter_add(&builder->meter, 1 + (uint64_t)map->faces[i].num_verts)) {
            return false;
        }
        if (needs_own(p, i)) {
            const bsp_face_light *light = &map->face_lights[i];
            p->combined[p->num_combined] = i;
            if (!add_rect(builder, (uint32_t)light->size[0], (uint32_t)light->size[1],
                          p->num_pages + p->num_combined++)) {
                return false;
            }
        }
    }
    return bspi_meter_pay(&builder->meter);
}

bool bspi_light_file_pages(bspi_light_builder *builder) {
    bspi_lightmap *own = builder->own;
    paged p = {.builder = builder};
    uint32_t total = builder->map->num_faces;
    bool sheets = builder->map->traits->light == BSP_LIGHT_SHEETS;
    if (sheets ? !find_sheets(&p) : !find_pages(&p)) {
        return false;
    }
    p.combined = bspi_arena_raw(&own->arena, total, sizeof(uint32_t), builder->error);
    p.rect_of = bspi_arena_zero(&own->arena, p.num_pages, sizeof(uint32_t), builder->error);
    builder->rects = bspi_arena_raw(&own->arena, (size_t)total + p.num_pages,
                                    sizeof *builder->rects, builder->error);
    if (p.combined == NULL || p.rect_of == NULL || builder->rects == NULL) {
        return false;
    }
    if (!list_rects(&p) || !bspi_light_pages(builder)) {
        return false;
    }
    shade_bytes(&p);
    if (!bspi_light_draw_all(builder, draw_rect, &p)) {
        return false;
    }
    place_faces(&p);
    return true;
}
