// SPDX-License-Identifier: MIT
// Quake 3: pages in a region. Surfaces share luxels at their edges: what lies on a luxel that
// another surface gets anew is measured with it, and its other luxels stay.
#include "bake/light/drawn/drawn.h"
#include "bake/light/lumps/drawn_light.h"

#include <math.h>
#include <string.h>

// Luxels of a page.
typedef struct rect {
    const bspi_drawn_page *page;
    uint32_t from[2];
    uint32_t to[2]; // before these
} rect;

// Sets which luxels a style of a face lies on at most: those around its vertices, between which
// patches stay as well.
static bool find_rect(const bspi_relight *own, uint32_t number, uint32_t style, uint32_t page,
                      rect *out) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[number];
    if (page >= own->drawn->num_pages || face->num_verts == 0 ||
        (uint64_t)face->first_vert + face->num_verts > map->num_draw_verts) {
        return false;
    }
    out->page = &own->drawn->pages[page];
    const float sides[2] = {(float)out->page->width, (float)out->page->height};
    for (int i = 0; i < 2; i++) {
        float low = sides[i];
        float high = 0;
        for (uint32_t n = 0; n < face->num_verts; n++) {
            float at = map->draw_verts[face->first_vert + n].light_uv[style][i] * sides[i];
            low = fminf(low, at);
            high = fmaxf(high, at);
        }
        low = fmaxf(0, floorf(low) - 1);
        high = fminf(sides[i], ceilf(high) + 1);
        if (!(low < high)) {
            return false;
        }
        out->from[i] = (uint32_t)low;
        out->to[i] = (uint32_t)high;
    }
    return true;
}

static void mark(uint8_t *touched, const rect *r) {
    for (uint32_t y = r->from[1]; y < r->to[1]; y++) {
        memset(touched + r->page->first + (size_t)y * r->page->width + r->from[0], 1,
               r->to[0] - r->from[0]);
    }
}

static bool is_marked(const uint8_t *touched, const rect *r) {
    for (uint32_t y = r->from[1]; y < r->to[1]; y++) {
        const uint8_t *row = touched + r->page->first + (size_t)y * r->page->width;
        if (memchr(row + r->from[0], 1, r->to[0] - r->from[0]) != NULL) {
            return true;
        }
    }
    return false;
}

static uint32_t page_of(const bspi_relight *own, uint32_t face, uint32_t style) {
    const bsp_face_light *light = &own->map->face_lights[face];
    return style == 0                                      ? bspi_drawn_page_of(own, face)
           : own->drawn->styled && light->page[style] >= 0 ? (uint32_t)light->page[style]
                                                           : BSP_NONE;
}

// Marks the luxels of a face, or tells whether some are marked.
static bool visit(const bspi_relight *own, uint32_t face, bool marks, uint64_t *luxels) {
    bspi_drawn *drawn = own->drawn;
    bool found = false;
    for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS; s++) {
        uint32_t page = page_of(own, face, s);
        rect r;
        if (page == BSP_NONE || !find_rect(own, face, s, page, &r)) {
            continue;
        }
        *luxels += (uint64_t)(r.to[0] - r.from[0]) * (r.to[1] - r.from[1]);
        if (!marks) {
            found = found || is_marked(drawn->touched, &r);
            continue;
        }
        mark(drawn->touched, &r);
        uint32_t deluxe = bspi_deluxe_page(drawn, page);
        if (deluxe != BSP_NONE) {
            r.page = &drawn->pages[deluxe];
            mark(drawn->touched, &r);
        }
    }
    return found;
}

bool bspi_drawn_region(bspi_relight *own, bsp_error *error) {
    const uint32_t faces = own->map->num_faces;
    uint8_t *beside = bspi_arena_zero(&own->arena, faces, 1, error);
    own->drawn->touched = bspi_arena_zero(&own->arena, own->drawn->num_luxels, 1, error);
    if (beside == NULL || own->drawn->touched == NULL) {
        return false;
    }
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t f = 0; f < faces; f++) {
            uint64_t luxels = own->map->faces[f].num_verts;
            if (own->kept[f] == (turn == 1)) {
                beside[f] = visit(own, f, turn == 0, &luxels);
            }
            if (!bspi_heap_work(&own->heap, 1 + luxels / 16, error)) {
                return false;
            }
        }
    }
    for (uint32_t f = 0; f < faces; f++) {
        own->kept[f] = own->kept[f] && beside[f] == 0;
    }
    for (uint32_t f = 0; f < faces; f++) { // a piece is measured as a whole
        uint32_t piece = bspi_drawn_first(own, f);
        own->kept[piece] = own->kept[piece] && own->kept[f];
    }
    return true;
}

void bspi_drawn_keep_cell(const bspi_relight *own, uint32_t number) {
    const bsp_map *map = own->map;
    uint32_t at = map->num_light_array == 0       ? number
                  : number < map->num_light_array ? map->light_array[number]
                                                  : BSP_NONE;
    if (at < map->num_light_grid) {
        own->drawn->cells[number] = map->light_grid[at];
    }
}
