// SPDX-License-Identifier: MIT
// Quake 3: what places of a face have of pieces that throw light. The shares are found once for
// each piece, and kept as whole numbers; each bounce sums them up anew.
#include "bake/light/bounce/drawn_throw.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/drawn_filter.h"
#include "bake/light/lamps/polygons.h"
#include "bake/light/shadows/shadow.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LINES 512u // that are looked along at once
#define EIGHT BSPI_LAMP_PLACES
#define WHOLE 65535.0f
#define COPLANAR 0.999f // cosine of directions of one plane
#define BACK 2.0f       // units from a piece to its back, where lines to that end

// --- a face -------------------------------------------------------------------------------------

static bool make_eights(bspi_relight *own, bspi_taker *taker, bsp_error *error) {
    const bspi_places *places = &taker->places;
    uint32_t lit = 0;
    for (uint32_t n = 0; n < places->count; n++) {
        lit += places->lit[n];
    }
    taker->num_eights = (lit + EIGHT - 1) / EIGHT;
    taker->eights = bspi_heap_alloc(&own->heap, taker->num_eights * sizeof *taker->eights, error);
    if (taker->eights == NULL) {
        return false;
    }
    lit = 0;
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t n = bspi_place_in_strips(places, i);
        if (!places->lit[n]) {
            continue;
        }
        bspi_lamp_places *eight = &taker->eights[lit / EIGHT];
        eight->count = lit % EIGHT + 1;
        for (uint32_t k = lit % EIGHT; k < EIGHT; k++) {
            eight->place[k] = n;
            for (int c = 0; c < 3; c++) {
                eight->point[c][k] = places->points[n][c];
                eight->normal[c][k] = places->normals[n][c];
            }
        }
        lit++;
    }
    return true;
}

bool bspi_taker_begin(bspi_relight *own, bspi_taker *taker, bsp_error *error) {
    const bspi_places *places = &taker->places;
    taker->rgb = bspi_heap_alloc(&own->heap, places->count * sizeof *taker->rgb, error);
    taker->known = bspi_heap_alloc(&own->heap, places->count, error);
    return taker->rgb != NULL && taker->known != NULL && make_eights(own, taker, error);
}

void bspi_taker_free(bspi_relight *own, bspi_taker *taker) {
    size_t count = taker->places.count;
    bspi_heap_free(&own->heap, taker->rgb, count * sizeof *taker->rgb);
    bspi_heap_free(&own->heap, taker->known, count);
    bspi_heap_free(&own->heap, taker->eights, taker->num_eights * sizeof *taker->eights);
    bspi_heap_free(&own->heap, taker->views, taker->views_room * sizeof *taker->views);
    bspi_heap_free(&own->heap, taker->shares, taker->shares_room * sizeof *taker->shares);
    bspi_places_free(own, &taker->places);
    memset(taker, 0, sizeof *taker);
}

// --- one piece ----------------------------------------------------------------------------------

// What is found of one piece.
typedef struct looker {
    bspi_relight *own;
    bspi_taker *taker;
    const bspi_shining *shining;
    float *shares; // of each lit place
    bspi_shaded of;
    uint32_t num_lines;
    bsp_sight_line lines[LINES];
    bool seen[LINES];
    uint32_t from[LINES]; // lit place
} looker;

static void look(looker *l) {
    bspi_shadow_lines(l->own, l->of, l->lines, l->seen, NULL, l->num_lines);
    for (uint32_t i = 0; i < l->num_lines; i++) {
        if (!l->seen[i]) {
            l->shares[l->from[i]] = 0;
        }
    }
    l->num_lines = 0;
}

static void add_lines(looker *l, uint32_t number, uint32_t open, uint32_t backs) {
    const bspi_lamp_places *eight = &l->taker->eights[number];
    for (uint32_t n = 0; n < eight->count; n++) {
        if ((open >> n & 1) == 0) {
            continue;
        }
        bsp_sight_line *line = &l->lines[l->num_lines];
        float back = (backs >> n & 1) != 0 ? BACK : 0;
        for (int i = 0; i < 3; i++) {
            line->from[i] = eight->point[i][n];
            line->to[i] = l->shining->origin[i] - back * l->shining->normal[i];
        }
        l->from[l->num_lines++] = number * EIGHT + n;
    }
}

// Keeps the shares, from the first eight that has some to the last one.
static bool keep(looker *l, uint32_t number, bsp_error *error) {
    bspi_taker *taker = l->taker;
    float most = 0;
    uint32_t first = taker->num_eights;
    uint32_t end = 0;
    for (uint32_t n = 0; n < taker->num_eights * EIGHT; n++) {
        if (l->shares[n] > 0) {
            most = fmaxf(most, l->shares[n]);
            first = first < n / EIGHT ? first : n / EIGHT;
            end = n / EIGHT + 1;
        }
    }
    if (!(most > 0)) {
        return true;
    }
    bspi_thrown_view *views = bspi_grow(&l->own->heap, taker->views, taker->num_views,
                                        &taker->views_room, sizeof *views, error);
    if (views == NULL) {
        return false;
    }
    taker->views = views;
    size_t more = (size_t)(end - first) * EIGHT;
    if (taker->num_shares + more > taker->shares_room) {
        size_t room = (taker->num_shares + more) + (taker->num_shares + more) / 2;
        uint16_t *shares =
            bspi_heap_resize(&l->own->heap, taker->shares, taker->shares_room * sizeof *shares,
                             room * sizeof *shares, error);
        if (shares == NULL) {
            return false;
        }
        taker->shares = shares;
        taker->shares_room = room;
    }
    for (size_t n = 0; n < more; n++) {
        taker->shares[taker->num_shares + n] =
            (uint16_t)(l->shares[first * EIGHT + n] / most * WHOLE + 0.5f);
    }
    views[taker->num_views++] = (bspi_thrown_view){.shining = number,
                                                   .first = first,
                                                   .count = end - first,
                                                   .most = most,
                                                   .at = taker->num_shares};
    taker->num_shares += more;
    return true;
}

// May a piece light the places at all?
static bool may_light(const bspi_relight *own, const bspi_taker *taker,
                      const bspi_shining *shining) {
    const bspi_places *places = &taker->places;
    float way[3];
    float before = -shining->dist;
    for (int i = 0; i < 3; i++) {
        way[i] = shining->origin[i] - places->middle[i];
        before +=
            shining->normal[i] * places->middle[i] + fabsf(shining->normal[i]) * places->half[i];
    }
    bool flat = !places->hill && !places->two_sided && !taker->by_vertices;
    return !shining->hidden && (before >= -BSPI_POLYGON_BACK || shining->two_sided) &&
           sqrtf(bspi_dot(way, way)) - places->radius < shining->reach &&
           !(flat && bspi_dot(shining->normal, places->normal) > COPLANAR && !shining->two_sided) &&
           !(flat && bspi_dot(way, places->normal) < -BSPI_POLYGON_BACK) &&
           (places->row == NULL || shining->cluster == BSP_NONE ||
            bsp_query_row_sees(own->map, places->row, shining->cluster));
}

static bool look_at(looker *l, uint32_t number, bspi_shining_eight_fn *eight, bsp_error *error) {
    const bspi_taker *taker = l->taker;
    bool any = false;
    for (uint32_t n = 0; n < taker->num_eights; n++) {
        float shares[EIGHT] = {0};
        uint32_t backs;
        uint32_t open =
            eight(l->shining, &taker->eights[n], taker->places.two_sided, shares, &backs);
        for (uint32_t k = 0; k < EIGHT; k++) {
            l->shares[n * EIGHT + k] = (open >> k & 1) != 0 ? shares[k] : 0;
        }
        any = any || open != 0;
        add_lines(l, n, open, backs);
        if (l->num_lines > LINES - EIGHT) {
            look(l);
        }
    }
    if (l->num_lines != 0) {
        look(l);
    }
    return !any || keep(l, number, error);
}

bool bspi_taker_look(bspi_relight *own, bspi_taker *taker, uint32_t face,
                     const bspi_shining *shining, uint32_t first, uint32_t count,
                     bsp_error *error) {
    bspi_meter meter = {.heap = &own->heap, .error = error};
    size_t size = (size_t)taker->num_eights * EIGHT * sizeof(float);
    looker *l = bspi_heap_alloc(&own->heap, sizeof *l, error);
    float *shares = bspi_heap_alloc(&own->heap, size, error);
    bool done = l != NULL && shares != NULL;
    bspi_shining_eight_fn *eight = bspi_shining_eight_here();
    if (done) {
        l->own = own;
        l->taker = taker;
        l->shares = shares;
        l->of = bspi_shaded_model(own->face_models[face]);
        l->num_lines = 0;
    }
    for (uint32_t n = first; done && n < count && taker->num_eights != 0; n++) {
        uint64_t steps = 1;
        if (may_light(own, taker, &shining[n])) {
            l->shining = &shining[n];
            done = look_at(l, n, eight, error);
            steps += taker->places.count;
        }
        done = done && bspi_meter_add(&meter, steps);
    }
    bspi_heap_free(&own->heap, shares, size);
    bspi_heap_free(&own->heap, l, sizeof *l);
    return done && bspi_meter_pay(&meter);
}

// --- all ----------------------------------------------------------------------------------------

// Luxels: mixes what they got with that of those beside them, and leaves what corners do.
static bool mix(bspi_relight *own, bspi_taker *taker, uint32_t face, bsp_error *error) {
    const bspi_drawn_face *drawn = &own->drawn->faces[face];
    if (!bspi_filter_mix(own, &taker->places, bspi_filter_reach(own, &taker->places, 0), taker->rgb,
                         error)) {
        return false;
    }
    for (uint32_t n = 0; drawn->open != NULL && n < taker->places.count; n++) {
        float open = bspi_drawn_open(drawn, n, taker->places.width);
        for (int c = 0; c < 3; c++) {
            taker->rgb[n][c] *= open;
        }
    }
    return true;
}

bool bspi_taker_take(bspi_relight *own, bspi_taker *taker, uint32_t face,
                     const bspi_shining *shining, bsp_error *error) {
    size_t size = taker->num_eights * sizeof(float[3][EIGHT]);
    float(*sums)[3][EIGHT] = bspi_heap_alloc(&own->heap, size, error);
    bspi_shining_add_fn *add = bspi_shining_add_here();
    uint64_t work = taker->num_views + taker->num_eights;
    if (sums == NULL) {
        return false;
    }
    memset(sums, 0, size);
    memset(taker->rgb, 0, taker->places.count * sizeof *taker->rgb);
    for (uint32_t v = 0; v < taker->num_views; v++) {
        const bspi_thrown_view *view = &taker->views[v];
        const bspi_shining *s = &shining[view->shining];
        float color[3];
        if (!s->throws) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            color[c] = s->color[c] * s->value * view->most / WHOLE;
        }
        add(taker->shares + view->at, view->count, color, sums + view->first);
        work += view->count;
    }
    for (uint32_t n = 0; n < taker->num_eights; n++) {
        const bspi_lamp_places *eight = &taker->eights[n];
        for (uint32_t k = 0; k < eight->count; k++) {
            for (int c = 0; c < 3; c++) {
                taker->rgb[eight->place[k]][c] = sums[n][c][k];
            }
        }
    }
    bspi_heap_free(&own->heap, sums, size);
    return (taker->by_vertices || mix(own, taker, face, error)) &&
           bspi_gather_fill(own, &taker->places, taker->known, taker->rgb, error) &&
           bspi_heap_work(&own->heap, 1 + work, error);
}
