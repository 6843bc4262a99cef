// SPDX-License-Identifier: MIT
// The places of a face's luxels, where hlrad has them. Source: lightmap.cpp of SDHLT.
#include "bake/light/places/spots.h"

#include "bake/light/places/luxel_window.h"
#include "bake/light/places/spot_cells.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define SPAN 8u // places that are asked about together

// Returns the number of the first luxel of the first face along an axis.
static double first_luxel(const bspi_unfold *unfold, const bspi_luxels *luxels, int k) {
    const bsp_map *map = unfold->own->map;
    const bsp_texinfo *texinfo = &map->texinfos[map->faces[unfold->faces[0].face].texinfo];
    return floor((double)texinfo->texture[k][3] / BSPI_TEXELS - (double)luxels->vecs[k][3] + 0.5);
}

// Sets where a place in luxels is in texels, and the rectangle around it.
static void find_texels(const bspi_unfold *unfold, const bspi_luxels *luxels, const float luxel[2],
                        float reach, double at[2], bspi_rectangle *square) {
    for (int k = 0; k < 2; k++) {
        double first = first_luxel(unfold, luxels, k);
        at[k] = (first + (double)luxel[k]) * BSPI_TEXELS;
        square->low[k] = (first + ceil((double)(luxel[k] - reach)) - 1) * BSPI_TEXELS;
        square->high[k] = (first + floor((double)(luxel[k] + reach)) + 1) * BSPI_TEXELS;
    }
}

void bspi_unfold_luxel(bspi_unfold *unfold, const bspi_luxels *luxels, float s, float t,
                       float reach, bspi_spot *out) {
    double at[2];
    bspi_rectangle square;
    memset(out, 0, sizeof *out);
    if (unfold->num_faces != 0) {
        find_texels(unfold, luxels, (const float[2]){s, t}, reach, at, &square);
        bspi_unfold_spot(unfold, at, &square, out);
    }
}

bool bspi_spots_are_used(const bspi_relight *own) {
    return own->relight.compiler == BSP_COMPILER_HLRAD && own->map->traits->luxel == BSPI_TEXELS &&
           own->source.decoupled.table.count == 0 && own->source.shift.table.count == 0;
}

// The places of luxels themselves, which those beside a face take.
typedef struct luxel_spots {
    bspi_spot *list; // in the heap
    bool *known;     // likewise
    size_t count;
} luxel_spots;

// A column or a row of places.
typedef struct line {
    int cells[2]; // the first and the last one that are around them
    bool one;     // both are the same
    bool counts;  // it is in the window of some luxel
} line;

typedef struct putter {
    bspi_unfold *unfold;
    line *lines[2]; // columns, and rows. In the heap
    const bspi_luxels *luxels;
    luxel_spots spots;
    bspi_places *places;
    float reach; // luxels from a place to the corners of its rectangle
    bool *waits; // places that are beside the face: only where luxels need them
    bspi_luxel_window window;
} putter;

// Finds the place of a luxel itself, unless that is done.
static const bspi_spot *luxel_spot(const putter *p, uint32_t luxel) {
    if (!p->spots.known[luxel]) {
        bspi_unfold_luxel(p->unfold, p->luxels, (float)(luxel % p->luxels->width),
                          (float)(luxel / p->luxels->width), 0, &p->spots.list[luxel]);
        p->spots.known[luxel] = true;
    }
    return &p->spots.list[luxel];
}

// Takes the place of the luxel nearest to one for which none was found.
static void take_luxel(const putter *p, float s, float t, bspi_spot *out) {
    s = fminf(fmaxf(floorf(s + 0.5f), 0), (float)(p->luxels->width - 1));
    t = fminf(fmaxf(floorf(t + 0.5f), 0), (float)(p->luxels->height - 1));
    *out = *luxel_spot(p, (uint32_t)t * p->luxels->width + (uint32_t)s);
    out->moved = true;
}

// Is a place in the window of some luxel, along an axis?
static bool is_in_window(const bspi_places *places, uint32_t at, uint32_t size, float half) {
    float first = ((float)places->extra - 1) / 2 + (float)(places->margin * places->extra);
    float last = (float)size - 1 - first;
    return (float)at > first - half - 0.5f && (float)at < last + half + 0.5f;
}

// Returns the luxels that a column or a row of places is off the first one of the face.
static float luxel_at(const bspi_places *places, size_t at) {
    return ((float)at + 0.5f) / (float)places->extra - 0.5f - (float)places->margin;
}

static void luxel_of(const bspi_places *places, size_t place, float out[2]) {
    size_t width = places->width * places->extra;
    out[0] = luxel_at(places, place % width);
    out[1] = luxel_at(places, place / width);
}

static void set_lines(const putter *p, int axis, uint32_t count) {
    const bspi_places *places = p->places;
    float half = fmaxf(0.5f, 0.5f * p->unfold->own->scale.blur * (float)places->extra);
    bool any = p->unfold->num_faces != 0;
    double first = any ? first_luxel(p->unfold, p->luxels, axis) : 0;
    for (uint32_t i = 0; i < count; i++) {
        line *l = &p->lines[axis][i];
        double at = (first + (double)luxel_at(places, i)) * BSPI_TEXELS;
        l->one = any && bspi_spot_cells_at(at, l->cells) && l->cells[0] == l->cells[1];
        l->counts = is_in_window(places, i, count, half);
    }
}

// Notes the place of a luxel, if it is its middle and on the face itself.
static void note_luxel(const putter *p, uint32_t column, uint32_t row, const bspi_spot *spot) {
    const bspi_places *places = p->places;
    uint32_t s = column / places->extra - places->margin; // beyond the face: more than it has
    uint32_t t = row / places->extra - places->margin;
    bool middle = places->extra % 2 == 1 && column % places->extra == places->extra / 2 &&
                  row % places->extra == places->extra / 2;
    if (middle && s < p->luxels->width && t < p->luxels->height &&
        spot->face == p->unfold->faces[0].face) {
        p->spots.list[t * p->luxels->width + s] = *spot;
        p->spots.known[t * p->luxels->width + s] = true;
    }
}

static void set_place(const putter *p, size_t n, const bspi_spot *spot) {
    bspi_places *places = p->places;
    places->lit[n] = spot->found;
    if (spot->found) {
        memcpy(places->points[n], spot->point, sizeof spot->point);
        memcpy(places->normals[n], spot->normal, sizeof spot->normal);
    }
    if (places->moved != NULL) {
        places->moved[n] = spot->moved;
    }
}

static bool pay(const putter *p, bsp_error *error) {
    uint64_t work = p->unfold->work;
    p->unfold->work = 0;
    return bspi_heap_work(&p->unfold->own->heap, 16 + work, error);
}

// Places one that is beside the face.
static bool put_beside(const putter *p, size_t n, bsp_error *error) {
    float luxel[2];
    bspi_spot spot;
    luxel_of(p->places, n, luxel);
    bspi_unfold_luxel(p->unfold, p->luxels, luxel[0], luxel[1], p->reach, &spot);
    if (!spot.found) {
        take_luxel(p, luxel[0], luxel[1], &spot);
    }
    set_place(p, n, &spot);
    p->waits[n] = false;
    return pay(p, error);
}

// Is it known of the cell around a place that it is whole?
static bool is_whole(const putter *p, uint32_t column, uint32_t row) {
    const line *across = &p->lines[0][column];
    const line *down = &p->lines[1][row];
    return across->one && down->one &&
           bspi_spot_cell_is_whole(&p->unfold->faces[0], across->cells[0], down->cells[0]);
}

// Is it known of whole cells of a row that all their middles are free?
static bool is_open(const putter *p, uint32_t row, uint32_t low, uint32_t high) {
    const int from[2] = {p->lines[0][low].cells[0], p->lines[1][row].cells[0]};
    const int to[2] = {p->lines[0][high - 1].cells[0], p->lines[1][row].cells[0]};
    return bspi_spot_cells_are_open(p->unfold, &p->unfold->faces[0], from, to);
}

// Places one if it need not be moved. `whole`: its cell is whole; `open`: and its middle free.
static bool put_one(const putter *p, uint32_t column, uint32_t row, bool whole, bool open,
                    bspi_spot *spot) {
    double at[2];
    float luxel[2] = {luxel_at(p->places, column), luxel_at(p->places, row)};
    bspi_rectangle square;
    if (whole && bspi_unfold_whole(p->unfold, p->lines[0][column].cells[0],
                                   p->lines[1][row].cells[0], open, spot)) {
        return true;
    }
    find_texels(p->unfold, p->luxels, luxel, p->reach, at, &square);
    return bspi_unfold_within(p->unfold, at, &square, spot);
}

// Places those of a row that need not be moved; all others wait. What is between two whole cells is
// whole, since each edge of a face is an end of those beside it.
static bool put_row(const putter *p, uint32_t row, uint32_t width, bsp_error *error) {
    const bspi_places *places = p->places;
    uint32_t low = p->unfold->num_faces != 0 ? 0 : width;
    uint32_t high = width;
    while (low < high && !is_whole(p, low, row)) {
        low++;
    }
    while (low < high && !is_whole(p, high - 1, row)) {
        high--;
    }
    bool open = false;
    for (uint32_t i = 0; i < width; i++) {
        uint32_t n = row * width + i;
        bspi_spot spot = {.found = false};
        memcpy(places->normals[n], places->normal, sizeof places->normal);
        set_place(p, n, &spot);
        p->waits[n] = p->lines[0][i].counts && p->lines[1][row].counts &&
                      (places->step <= 1 || bspi_place_counts(places, n));
        bool whole = i >= low && i < high && p->lines[0][i].one;
        if (i >= low && i < high && (i - low) % SPAN == 0) {
            open = is_open(p, row, i, i + SPAN < high ? i + SPAN : high);
        }
        if (p->waits[n] && p->unfold->num_faces != 0 && put_one(p, i, row, whole, open, &spot)) {
            set_place(p, n, &spot);
            note_luxel(p, i, row, &spot);
            p->waits[n] = false;
        }
        p->unfold->work += 16;
    }
    return pay(p, error);
}

static bool put_within(const putter *p, bsp_error *error) {
    uint32_t size[2] = {p->places->width * p->places->extra, p->places->height * p->places->extra};
    bool done = true;
    for (int axis = 0; axis < 2; axis++) {
        set_lines(p, axis, size[axis]);
    }
    for (uint32_t row = 0; done && row < size[1]; row++) {
        done = put_row(p, row, size[0], error);
    }
    return done;
}

// Does a place count for the luxel whose middle is `here`? `all`: even if it was moved.
static bool counts(const bspi_places *places, size_t place, size_t here, bool all) {
    return places->lit[place] && (all || !places->moved[place]) &&
           bspi_dot(places->normals[place], places->normals[here]) > 0;
}

// Does one of the places in the window of a luxel?
static bool counts_some(const putter *p, const bspi_window_place *around, uint32_t count,
                        size_t here, bool all) {
    bool some = false;
    for (uint32_t i = 0; i < count && !some; i++) {
        some = counts(p->places, around[i].place, here, all);
    }
    return some;
}

// Places those beside the face in the windows of luxels in which no other counts. `lacks`: there
// are luxels that have none even so.
static bool put_needed(const putter *p, bool *lacks, bsp_error *error) {
    bspi_window_place around[BSPI_WINDOW_PLACES * BSPI_WINDOW_PLACES];
    const bspi_places *places = p->places;
    bool done = true;
    for (uint32_t n = 0; done && n < p->spots.count; n++) {
        size_t here = bspi_luxel_window_middle(places, n);
        if (counts(places, here, here, false)) { // it is in its own window
            continue;
        }
        uint32_t count = bspi_luxel_window_places(&p->window, places, n, around);
        bool turned = places->hill && p->waits[here]; // its normal is not known
        if (!turned && counts_some(p, around, count, here, false)) {
            continue;
        }
        for (uint32_t i = 0; done && i < count; i++) {
            done = !p->waits[around[i].place] || put_beside(p, around[i].place, error);
        }
        *lacks |= !counts_some(p, around, count, here, true);
    }
    return done;
}

static bool put(const putter *p, bsp_error *error) {
    bool all = p->places->moved == NULL; // they count as much as others
    bool done = put_within(p, error) && (all || put_needed(p, &all, error));
    for (uint32_t n = 0; done && all && n < p->places->count; n++) {
        done = !p->waits[n] || put_beside(p, n, error);
    }
    return done;
}

// Keeps the places of all luxels.
static bool keep(const putter *p, bspi_face_spots *out, bsp_error *error) {
    bspi_heap *heap = &p->unfold->own->heap;
    out->count = (uint32_t)p->spots.count;
    out->list = bspi_heap_alloc(heap, out->count * sizeof *out->list, error);
    bool done = out->list != NULL;
    for (uint32_t n = 0; done && n < out->count; n++) {
        const bspi_spot *spot = luxel_spot(p, n);
        memcpy(out->list[n].on, spot->on, sizeof spot->on);
        out->list[n].face = spot->found ? spot->face : BSP_NONE;
        done = p->unfold->work == 0 || pay(p, error);
    }
    return done;
}

float bspi_spots_range(const bspi_relight *own) {
    return (0.5f * own->scale.blur + 3) * BSPI_TEXELS;
}

bool bspi_spots_begin(bspi_relight *own, bsp_error *error) {
    if (!bspi_spots_are_used(own) || own->scale.step > 1) {
        return true;
    }
    own->spots = bspi_arena_zero(&own->arena, own->map->num_faces, sizeof *own->spots, error);
    return own->spots != NULL;
}

void bspi_spots_free(bspi_relight *own) {
    for (uint32_t n = 0; own->spots != NULL && n < own->map->num_faces; n++) {
        bspi_face_spots *face = &own->spots[n];
        bspi_heap_free(&own->heap, face->list, face->count * sizeof *face->list);
    }
    own->spots = NULL;
}

bool bspi_spots_put(bspi_relight *own, uint32_t face, const bspi_luxels *luxels,
                    bspi_places *places, bsp_error *error) {
    bspi_unfold unfold;
    float extra = (float)places->extra;
    float blur = own->scale.blur;
    if (!bspi_unfold_begin(own, face, bspi_spots_range(own), &unfold, error)) {
        return false;
    }
    putter p = {.unfold = &unfold, .luxels = luxels, .places = places};
    p.reach = (ceilf(0.5f * blur * extra - 0.5f) + 0.5f) / extra;
    p.spots.count = (size_t)luxels->width * luxels->height;
    p.spots.list = bspi_heap_alloc(&own->heap, p.spots.count * sizeof *p.spots.list, error);
    p.spots.known = bspi_heap_alloc(&own->heap, p.spots.count, error);
    p.waits = bspi_heap_alloc(&own->heap, places->count, error);
    size_t lines = (size_t)(places->width + places->height) * places->extra * sizeof *p.lines[0];
    p.lines[0] = bspi_heap_alloc(&own->heap, lines, error);
    bool done =
        p.spots.list != NULL && p.spots.known != NULL && p.waits != NULL && p.lines[0] != NULL;
    if (done) {
        memset(p.spots.known, 0, p.spots.count);
        p.lines[1] = p.lines[0] + (size_t)places->width * places->extra;
        bspi_luxel_window_make(fmaxf(1, blur), places->extra, &p.window);
        done = put(&p, error) && (own->spots == NULL || keep(&p, &own->spots[face], error));
    }
    bspi_heap_free(&own->heap, p.spots.list, p.spots.count * sizeof *p.spots.list);
    bspi_heap_free(&own->heap, p.spots.known, p.spots.count);
    bspi_heap_free(&own->heap, p.waits, places->count);
    bspi_heap_free(&own->heap, p.lines[0], lines);
    bspi_unfold_end(&unfold);
    return done;
}
