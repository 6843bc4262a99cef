// SPDX-License-Identifier: MIT
// Converts pages of light to pages of another size. Smaller ones become squares of larger ones, and
// the reverse where the light of each face lies in one square; else the rectangles of the faces are
// packed anew. Where every second page has no face it has directions of the one before (deluxe
// pages of q3map2), and stays after it. Format: sheet quake3 (3, 4).
#include "edit/convert/convert.h"

#include "map/pages.h"
#include "mesh/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4u
#define BY_VERTEX (-3)       // in the place of the page
#define TOLERANCE (1 / 64.0) // luxels: less of one that is not the face's own is not seen
#define FACE_WORK 16u

// Luxels of a page: the first and the last, both ways.
typedef struct box {
    uint32_t page;
    int32_t low[2];
    int32_t high[2];
    uint32_t face;
    uint32_t slot;
} box;

typedef struct pages {
    bspi_convert *c;
    int32_t from; // luxels a side
    int32_t to;
    uint32_t step;   // 2: every second page belongs to the one before
    uint32_t across; // squares of a larger page, along a side
    uint32_t count;  // of the file
    uint32_t made;
    size_t bytes;         // of a page to be made
    size_t luxel;         // bytes
    const uint8_t *light; // of the file
    uint8_t *out;
    bsp_face_light *lights;
    bsp_draw_vert *verts;
    uint8_t *moved; // of each vertex: a bit for each slot
    box *boxes;     // of the light of faces
    uint32_t num_boxes;
} pages;

bool bspi_convert_pages_differ(const bspi_convert *c) {
    uint32_t from = c->map.traits->light_page;
    uint32_t to = bsp_branch_traits(c->target)->light_page;
    return from != to && from != 0 && to != 0;
}

// --- where faces have their light ----------------------------------------------------------------

static void widen(box *b, int axis, int32_t low, int32_t high) {
    b->low[axis] = low < b->low[axis] ? low : b->low[axis];
    b->high[axis] = high > b->high[axis] ? high : b->high[axis];
}

// Finds the luxels between which the light of a face is mixed, and those that it states.
static box box_of(const pages *p, uint32_t number, uint32_t slot) {
    const bsp_face *face = &p->c->map.faces[number];
    const bsp_face_light *light = &p->c->map.face_lights[number];
    const int32_t corner[2] = {light->x[slot], light->y[slot]};
    box b = {.page = (uint32_t)light->page[slot],
             .low = {INT32_MAX, INT32_MAX},
             .high = {INT32_MIN, INT32_MIN},
             .face = number,
             .slot = slot};
    for (int axis = 0; axis < 2; axis++) {
        for (uint32_t v = 0; v < face->num_verts; v++) {
            double at =
                (double)p->c->map.draw_verts[face->first_vert + v].light_uv[slot][axis] * p->from -
                0.5;
            at = at > -1 ? fmin(at, p->from) : -1; // NaN, too, is beyond the page
            widen(&b, axis, (int32_t)floor(at + TOLERANCE), (int32_t)ceil(at - TOLERANCE));
        }
        bool stated = light->size[axis] > 0 && corner[axis] >= 0 &&
                      light->size[axis] <= p->from - corner[axis];
        if (stated) {
            widen(&b, axis, corner[axis], corner[axis] + light->size[axis] - 1);
        }
    }
    return b;
}

// Counts faces that have light, and lists it once there is room for the list.
static void find_boxes(pages *p) {
    p->num_boxes = 0;
    for (uint32_t f = 0; f < p->c->map.num_face_lights; f++) {
        const bsp_face_light *light = &p->c->map.face_lights[f];
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            if (light->styles[slot] != BSP_NO_STYLE && light->page[slot] >= 0 &&
                (uint32_t)light->page[slot] < p->count && p->c->map.faces[f].num_verts != 0) {
                if (p->boxes != NULL) {
                    p->boxes[p->num_boxes] = box_of(p, f, slot);
                }
                p->num_boxes++;
            }
        }
    }
}

static uint32_t step_of(const pages *p) {
    bool odd = false;
    for (uint32_t i = 0; i < p->num_boxes; i++) {
        odd |= p->boxes[i].page % 2 != 0;
    }
    return p->count > 1 && p->num_boxes != 0 && !odd ? 2 : 1;
}

static bool lies_on_page(const pages *p, const box *b) {
    return b->low[0] >= 0 && b->low[1] >= 0 && b->high[0] < p->from && b->high[1] < p->from;
}

static bool fits(const pages *p, const box *b) {
    return lies_on_page(p, b) && b->high[0] - b->low[0] < p->to && b->high[1] - b->low[1] < p->to;
}

// Takes light from faces that cannot have it on the new pages.
static void lose_boxes(pages *p) {
    uint32_t kept = 0;
    uint32_t lost = 0;
    uint32_t first = BSP_NONE;
    for (uint32_t i = 0; i < p->num_boxes; i++) {
        const box *b = &p->boxes[i];
        if (fits(p, b)) {
            p->boxes[kept++] = *b;
            continue;
        }
        first = lost++ == 0 ? b->face : first;
        p->lights[b->face].page[b->slot] = BY_VERTEX;
    }
    p->num_boxes = kept;
    if (lost != 0) {
        bspi_convert_lose(p->c, bsp_place_at("faces", first, NULL, UINT64_MAX),
                          "its light does not fit a page of %d x %d luxels (%u faces)", (int)p->to,
                          (int)p->to, (unsigned)lost);
    }
}

// --- moves --------------------------------------------------------------------------------------

// Copies luxels, and those of the page of directions.
static void copy(const pages *p, const box *b, uint32_t page, const int32_t to[2]) {
    size_t width = (size_t)(b->high[0] - b->low[0] + 1) * p->luxel;
    for (uint32_t n = 0; n < p->step && b->page + n < p->count; n++) {
        for (int32_t y = b->low[1]; y <= b->high[1]; y++) {
            size_t source = ((size_t)(b->page + n) * (size_t)p->from + (size_t)y) * (size_t)p->from;
            size_t target = ((size_t)(page + n) * (size_t)p->to + (size_t)(to[1] + y - b->low[1])) *
                            (size_t)p->to;
            memcpy(p->out + (target + (size_t)to[0]) * p->luxel,
                   p->light + (source + (size_t)b->low[0]) * p->luxel, width);
        }
    }
}

// Moves the light of a face by so many luxels.
static void move(const pages *p, const box *b, uint32_t page, const int32_t by[2]) {
    const bsp_face *face = &p->c->map.faces[b->face];
    bsp_face_light *light = &p->lights[b->face];
    light->page[b->slot] = (int32_t)page;
    light->x[b->slot] = (int32_t)((uint32_t)light->x[b->slot] + (uint32_t)by[0]);
    light->y[b->slot] = (int32_t)((uint32_t)light->y[b->slot] + (uint32_t)by[1]);
    for (uint32_t v = face->first_vert; v < face->first_vert + face->num_verts; v++) {
        if ((p->moved[v] >> b->slot & 1) == 0) { // faces may share it
            p->moved[v] |= (uint8_t)(1u << b->slot);
            for (int axis = 0; axis < 2; axis++) {
                float *at = &p->verts[v].light_uv[b->slot][axis];
                *at = (float)(((double)*at * p->from + by[axis]) / p->to);
            }
        }
    }
}

// --- squares of larger pages ---------------------------------------------------------------------

// Finds the larger page of a smaller one, and the corner of its square. Pages are multiples of the
// step here, as are those that have faces.
static uint32_t square_of(const pages *p, uint32_t page, int32_t corner[2]) {
    int32_t side = p->from < p->to ? p->from : p->to;
    uint32_t squares = p->across * p->across;
    uint32_t square = page / p->step % squares;
    corner[0] = (int32_t)(square % p->across) * side;
    corner[1] = (int32_t)(square / p->across) * side;
    return page / p->step / squares * p->step;
}

// The number of the smaller page that is a square of a larger one.
static uint32_t page_of(const pages *p, uint32_t page, const int32_t at[2]) {
    uint32_t square = (uint32_t)(at[1] / p->to) * p->across + (uint32_t)(at[0] / p->to);
    return (page / p->step * p->across * p->across + square) * p->step;
}

static bool are_in_squares(const pages *p) {
    bool all = true;
    for (uint32_t i = 0; i < p->num_boxes; i++) {
        const box *b = &p->boxes[i];
        all = all && b->low[0] / p->to == b->high[0] / p->to &&
              b->low[1] / p->to == b->high[1] / p->to;
    }
    return all;
}

static bool make(pages *p, uint64_t count) {
    p->made = count < BSP_NONE ? (uint32_t)count : BSP_NONE;
    p->out = bspi_arena_zero(&p->c->arena, p->made, p->bytes, p->c->error);
    return p->out != NULL && bspi_heap_work(&p->c->heap, p->made * (uint64_t)p->bytes, p->c->error);
}

static bool join(pages *p) {
    uint32_t squares = p->across * p->across * p->step;
    int32_t corner[2];
    if (!make(p, ((uint64_t)p->count + squares - 1) / squares * p->step)) {
        return false;
    }
    for (uint32_t i = 0; i < p->count; i += p->step) {
        box whole = {.page = i, .high = {p->from - 1, p->from - 1}};
        uint32_t page = square_of(p, i, corner);
        copy(p, &whole, page, corner);
    }
    for (uint32_t i = 0; i < p->num_boxes; i++) {
        uint32_t page = square_of(p, p->boxes[i].page, corner);
        move(p, &p->boxes[i], page, corner);
    }
    return true;
}

// Drops pages at the end that no face has, and that have no light.
static void drop_pages(pages *p) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < p->num_boxes; i++) {
        uint32_t page = (uint32_t)p->lights[p->boxes[i].face].page[p->boxes[i].slot];
        used = page >= used ? page + p->step : used;
    }
    while (p->made > used && bspi_page_is_blank(p->out + (p->made - 1) * p->bytes, p->bytes)) {
        p->made--;
    }
}

static bool cut(pages *p) {
    uint32_t squares = p->across * p->across;
    if (!make(p, ((uint64_t)p->count + p->step - 1) / p->step * squares * p->step)) {
        return false;
    }
    for (uint32_t i = 0; i < p->made; i += p->step) {
        static const int32_t corner[2] = {0, 0};
        box square = {0};
        square.page = square_of(p, i, square.low);
        square.high[0] = square.low[0] + p->to - 1;
        square.high[1] = square.low[1] + p->to - 1;
        copy(p, &square, i, corner);
    }
    for (uint32_t i = 0; i < p->num_boxes; i++) {
        const box *b = &p->boxes[i];
        const int32_t by[2] = {-(b->low[0] / p->to * p->to), -(b->low[1] / p->to * p->to)};
        move(p, b, page_of(p, b->page, b->low), by);
    }
    drop_pages(p);
    return true;
}

// --- rectangles packed anew ----------------------------------------------------------------------

static int by_luxels(const void *left, const void *right) {
    const box *a = left;
    const box *b = right;
    int order = (a->page > b->page) - (a->page < b->page);
    for (int axis = 0; axis < 2 && order == 0; axis++) {
        order = (a->low[axis] > b->low[axis]) - (a->low[axis] < b->low[axis]);
        order =
            order != 0 ? order : (a->high[axis] > b->high[axis]) - (a->high[axis] < b->high[axis]);
    }
    return order;
}

// Lists the rectangles of the sorted boxes, each once, with its first box.
static uint32_t list_rects(const pages *p, bspi_rect *rects) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->num_boxes; i++) {
        const box *b = &p->boxes[i];
        if (i == 0 || by_luxels(b, b - 1) != 0) {
            rects[count++] = (bspi_rect){.width = (uint32_t)(b->high[0] - b->low[0] + 1),
                                         .height = (uint32_t)(b->high[1] - b->low[1] + 1),
                                         .owner = i};
        }
    }
    return count;
}

static bool pack(pages *p) {
    bspi_convert *c = p->c;
    bspi_rect *rects = bspi_arena_zero(&c->arena, p->num_boxes, sizeof *rects, c->error);
    bspi_page_size *sizes;
    uint32_t sheets;
    if (rects == NULL) {
        return false;
    }
    qsort(p->boxes, p->num_boxes, sizeof *p->boxes, by_luxels);
    uint32_t count = list_rects(p, rects);
    if (!bspi_light_pack(rects, count, (uint32_t)p->to, &c->arena, &sizes, &sheets, c->error) ||
        !make(p, (uint64_t)sheets * p->step)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const box *first = &p->boxes[rects[i].owner];
        const int32_t to[2] = {(int32_t)rects[i].x, (int32_t)rects[i].y};
        const int32_t by[2] = {to[0] - first->low[0], to[1] - first->low[1]};
        uint32_t page = rects[i].page * p->step;
        copy(p, first, page, to);
        for (const box *b = first; b < p->boxes + p->num_boxes && by_luxels(b, first) == 0; b++) {
            move(p, b, page, by);
        }
    }
    return true;
}

// --- all ----------------------------------------------------------------------------------------

static bool start(pages *p) {
    bspi_convert *c = p->c;
    size_t verts = c->map.num_draw_verts;
    uint64_t work = (uint64_t)c->map.num_face_lights * FACE_WORK;
    for (uint32_t f = 0; f < c->map.num_face_lights; f++) { // faces may share vertices
        work += c->map.faces[f].num_verts;
    }
    p->lights = bspi_arena_raw(&c->arena, c->map.num_face_lights, sizeof *p->lights, c->error);
    p->verts = bspi_arena_raw(&c->arena, verts, sizeof *p->verts, c->error);
    p->moved = bspi_arena_zero(&c->arena, verts, 1, c->error);
    if (p->lights == NULL || p->verts == NULL || p->moved == NULL ||
        !bspi_heap_work(&c->heap, work, c->error)) {
        return false;
    }
    memcpy(p->lights, c->map.face_lights, c->map.num_face_lights * sizeof *p->lights);
    memcpy(p->verts, c->map.draw_verts, verts * sizeof *p->verts);
    find_boxes(p);
    p->boxes = bspi_arena_raw(&c->arena, p->num_boxes, sizeof *p->boxes, c->error);
    if (p->boxes == NULL) {
        return false;
    }
    find_boxes(p);
    p->step = step_of(p);
    lose_boxes(p);
    return true;
}

bool bspi_convert_pages(bspi_convert *c) {
    pages p = {.c = c,
               .from = (int32_t)c->map.traits->light_page,
               .to = (int32_t)bsp_branch_traits(c->target)->light_page,
               .bytes = bspi_page_bytes(bsp_branch_traits(c->target)),
               .luxel = bsp_light_size(c->map.traits->light),
               .count = bspi_num_pages(&c->map),
               .light = c->map.light.data};
    p.across = (uint32_t)(p.from < p.to ? p.to / p.from : p.from / p.to);
    if (p.count == 0 || c->map.num_draw_verts == 0 || c->map.num_face_lights == 0) {
        return true; // its pages are in files, and may have any size
    }
    bool done = start(&p) && (p.from < p.to ? join(&p) : are_in_squares(&p) ? cut(&p) : pack(&p));
    c->map.light = (bsp_bytes){p.out, p.made * p.bytes};
    c->map.face_lights = p.lights;
    c->map.draw_verts = p.verts;
    return done;
}
